"""The functions generated code calls: sincos, its reduction of huge angles, and tanh."""

from __future__ import annotations

from collections.abc import Sequence

from ..sincos import HALF_PI_63, LOG, SINCOS, TANH, TWO_OVER_PI, Step
from .lanes import Lanes, Writer, bits_of, write_steps

__all__ = ["any_lane", "math_code", "together", "vector_math", "write_sincos"]


def any_lane(w: Writer, mask: str) -> str:
    """Whether a mask is set in some lane."""
    width = w.lanes.width
    if width == 1:
        return mask
    number = w.let(f"bitcast <{width} x i1> {mask} to i{width}")
    return w.let(f"icmp ne i{width} {number}, 0")


GROUP = 6  # angles reduced together: enough to fill the pipelines, few enough to stay in registers
PACK = 4  # angles of a single state in one vector


def together(lanes: Lanes) -> int:
    """How many angles to hand to ``write_sincos`` at once."""
    return GROUP if lanes.width > 1 else 4 * PACK


def vector_math(lanes: Lanes) -> list[str]:
    """Declarations that sines of one state need besides the scalar ones."""
    wide = Lanes(PACK, lanes.dtype)
    t, s = wide.type, wide.suffix
    return [f"declare {t} @llvm.fma.{s}({t}, {t}, {t})", f"declare {t} @llvm.fabs.{s}({t})"] if lanes.width == 1 else []


def write_sincos(w: Writer, angles: Sequence[str]) -> list[tuple[str, str]]:
    """(sin, cos) of each angle; those of one state share vectors, which gives the same bits as one by one."""
    if w.lanes.width > 1 or len(angles) == 1:
        return _sincos(w, angles)
    one, wide, packed = w.lanes, Lanes(PACK, w.lanes.dtype), []
    for first in range(0, len(angles), PACK):
        group, made = angles[first : first + PACK], "poison"
        for k in range(PACK):
            made = w.let(f"insertelement {wide.type} {made}, {one.type} {group[min(k, len(group) - 1)]}, i32 {k}")
        packed.append(made)
    w.lanes = wide
    pairs = _sincos(w, packed)
    w.lanes = one
    at = [(pairs[k // PACK], k % PACK) for k in range(len(angles))]
    sine, cosine = ([w.let(f"extractelement {wide.type} {pair[c]}, i32 {k}") for pair, k in at] for c in (0, 1))
    return list(zip(sine, cosine, strict=True))


def _sincos(w: Writer, angles: Sequence[str]) -> list[tuple[str, str]]:
    """All by the short reduction; if some lane is huge, such lanes are mended by ``@mend`` in one cold block."""
    lanes, count = w.lanes, len(angles)
    spec, real, whole = SINCOS[lanes.dtype], lanes.type, lanes.vector(lanes.integer)
    align, space = lanes.bytes * lanes.width, lanes.bytes * lanes.width * count
    reduced = [write_steps(w, spec.reduce, {"x": x}) for x in angles]
    beyond = ""
    for x in angles:
        magnitude = w.let(f"call {real} @llvm.fabs.{lanes.suffix}({real} {x})")
        mask = w.let(f"fcmp ugt {real} {magnitude}, {lanes.constant(spec.limit)}")
        beyond = w.let(f"or {lanes.vector('i1')} {beyond}, {mask}") if beyond else mask
    before, cold, done = w.block, f"cold{w.count}", f"done{w.count}"
    w.line(f"br i1 {any_lane(w, beyond)}, label %{cold}, label %{done}, !prof !0")
    w.label(cold)
    w.reserve(3 * lanes.bytes * lanes.width * GROUP)
    slots = [w.at("i8", "%scratch", k * space) for k in range(3)]
    for k, x in enumerate(angles):
        for value, kind, slot in (
            (x, real, slots[0]),
            (reduced[k]["r"], real, slots[1]),
            (reduced[k]["j"], whole, slots[2]),
        ):
            w.line(f"store {kind} {value}, ptr {w.at(kind, slot, k)}, align {align}")
    w.line(f"call void @mend(ptr {slots[0]}, ptr {slots[1]}, ptr {slots[2]}, i64 {count * lanes.width})")
    mended = [
        [w.load(kind, w.at(kind, slot, k), align) for kind, slot in ((real, slots[1]), (whole, slots[2]))]
        for k in range(count)
    ]
    w.line(f"br label %{done}")
    w.label(done)
    for k, (r, j) in enumerate(mended):
        reduced[k]["r"] = w.let(f"phi {real} [ {reduced[k]['r']}, %{before} ], [ {r}, %{cold} ]")
        reduced[k]["j"] = w.let(f"phi {whole} [ {reduced[k]['j']}, %{before} ], [ {j}, %{cold} ]")
    made = [write_steps(w, spec.finish, {"r": given["r"], "j": given["j"]}) for given in reduced]
    return [(m["sin"], m["cos"]) for m in made]


def math_code(lanes: Lanes, text: str) -> list[str]:
    """The functions that a text calls: a small kernel takes half of its time in the compiler for those it does not."""
    made = [_mend(lanes)] if "@mend(" in text else []
    for name, steps in (("tanh", TANH), ("log", LOG)):
        if f"@{name}_lanes(" in text:
            made.append(_function(lanes, name, steps[lanes.dtype]))
    return made


def _function(lanes: Lanes, name: str, steps: Sequence[Step]) -> str:
    w, real = Writer(lanes), lanes.type
    w.lines.append(f"define internal {real} @{name}_lanes({real} %x) noinline #0 {{")
    made = write_steps(w, steps, {"x": "%x"})
    w.line(f"ret {real} {made[name]}")
    w.lines.append("}")
    return "\n".join(w.lines)


def _mend(lanes: Lanes) -> str:
    """``@mend``: (r, j) of the numbers beyond the limit, one after the other.

    It is sincos.reduce_huge word by word: integers of 192 bits would take the compiler three times as long, in every
    kernel that has a sine.
    """
    e, i = lanes.element, lanes.integer
    narrow = lanes.dtype == "float32"
    return "\n".join([
        f"@two_over_pi = internal constant [{len(TWO_OVER_PI)} x i32] [{', '.join(f'i32 {x}' for x in TWO_OVER_PI)}]",
        "declare i64 @llvm.fshl.i64(i64, i64, i64)",
        "define internal void @mend(ptr %xs, ptr %rs, ptr %js, i64 %count) noinline cold #0 {",
        "entry:",
        "  br label %head",
        "head:",
        "  %k = phi i64 [ 0, %entry ], [ %next, %latch ]",
        f"  %xp = getelementptr {e}, ptr %xs, i64 %k",
        f"  %x = load {e}, ptr %xp",
        f"  %a = call {e} @llvm.fabs.f{8 * lanes.bytes}({e} %x)",
        f"  %far = fcmp ugt {e} %a, {bits_of(SINCOS[lanes.dtype].limit, lanes.dtype)}",
        "  br i1 %far, label %do, label %latch",
        "do:",
        f"  %wide = {'fpext float %x to double' if narrow else 'fadd double %x, 0x8000000000000000'}",
        _HUGE,
        f"  %r = {'fptrunc double %rw to float' if narrow else 'fadd double %rw, 0x8000000000000000'}",
        f"  %j = {'trunc i64 %jw to i32' if narrow else 'add i64 %jw, 0'}",
        f"  %rp = getelementptr {e}, ptr %rs, i64 %k",
        f"  store {e} %r, ptr %rp",
        f"  %jp = getelementptr {i}, ptr %js, i64 %k",
        f"  store {i} %j, ptr %jp",
        "  br label %latch",
        "latch:",
        "  %next = add i64 %k, 1",
        "  %more = icmp ult i64 %next, %count",
        "  br i1 %more, label %head, label %end",
        "end:",
        "  ret void",
        "}",
    ])  # fmt: skip


def _huge() -> str:
    """%rw and %jw of %wide. %f is never 0: no double is that near to a multiple of pi/2; so %zeros is below 64."""
    w = ["%bits = bitcast double %wide to i64", "%e0 = lshr i64 %bits, 52", "%e1 = and i64 %e0, 2047"]
    w += ["%odd = icmp eq i64 %e1, 2047", "%m0 = and i64 %bits, 4503599627370495", "%m1 = or i64 %m0, 4503599627370496"]
    w += ["%m = zext i64 %m1 to i128", "%start = sub i64 %e1, 1013", "%word = lshr i64 %start, 5"]
    w += ["%shift = and i64 %start, 31"]
    for k in range(7):
        w += [f"%at{k} = add i64 %word, {k}", f"%p{k} = getelementptr i32, ptr @two_over_pi, i64 %at{k}"]
        w += [f"%v{k} = load i32, ptr %p{k}", f"%t{k} = zext i32 %v{k} to i64", f"%u{k} = shl i64 %t{k}, 32"]
    carry = ""
    for k in (4, 2, 0):  # the last word first
        w += [f"%a{k} = or i64 %u{k}, %t{k + 1}"]
        w += [
            f"%w{k} = call i64 @llvm.fshl.i64(i64 %a{k}, i64 %u{k + 2}, i64 %shift)",
            f"%z{k} = zext i64 %w{k} to i128",
        ]
        w += [f"%y{k} = mul i128 %z{k}, %m", f"%x{k} = add i128 %y{k}, {carry or '0'}", f"%c{k} = lshr i128 %x{k}, 64"]
        w += [f"%l{k} = trunc i128 %x{k} to i64"]
        carry = f"%c{k}"
    w += [
        "%f0 = call i64 @llvm.fshl.i64(i64 %l0, i64 %l2, i64 2)",
        "%g0 = call i64 @llvm.fshl.i64(i64 %l2, i64 %l4, i64 2)",
    ]
    w += ["%j0 = add i64 %l0, 2305843009213693952", "%j1 = lshr i64 %j0, 62", "%below = icmp slt i64 %f0, 0"]
    w += ["%flip = ashr i64 %f0, 63", "%f = xor i64 %f0, %flip", "%g = xor i64 %g0, %flip"]
    w += [
        "%zeros = call i64 @llvm.ctlz.i64(i64 %f, i1 false)",
        "%n = call i64 @llvm.fshl.i64(i64 %f, i64 %g, i64 %zeros)",
    ]
    w += ["%n1 = zext i64 %n to i128", f"%r0 = mul i128 %n1, {HALF_PI_63}", "%r1 = lshr i128 %r0, 64"]
    w += ["%r2 = trunc i128 %r1 to i64", "%r3 = uitofp i64 %r2 to double", "%s0 = sub i64 960, %zeros"]
    w += ["%s1 = shl i64 %s0, 52", "%scale = bitcast i64 %s1 to double", "%r4 = fmul double %r3, %scale"]
    w += ["%minus = icmp slt i64 %bits, 0", "%turn = xor i1 %minus, %below", "%r5 = fneg double %r4"]
    w += [
        "%r6 = select i1 %turn, double %r5, double %r4",
        "%rw = select i1 %odd, double 0x7FF8000000000000, double %r6",
    ]
    w += ["%j2 = sub i64 0, %j1", "%j3 = select i1 %minus, i64 %j2, i64 %j1", "%jw = select i1 %odd, i64 0, i64 %j3"]
    return "\n".join(f"  {line}" for line in w)


_HUGE = _huge()
