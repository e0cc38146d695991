"""The functions generated code calls: sincos, its reduction of huge angles, and tanh."""

from __future__ import annotations

from collections.abc import Sequence

from ..sincos import HALF_PI_63, LOG, SINCOS, TANH, TWO_OVER_PI, Step
from .lanes import Lanes, Writer, bits_of, write_steps

__all__ = ["any_lane", "mend_code", "tanh_code", "together", "vector_math", "write_sincos"]


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


def tanh_code(lanes: Lanes) -> str:
    """``@tanh_lanes`` and ``@log_lanes``."""
    return "\n".join(_function(lanes, name, steps[lanes.dtype]) for name, steps in (("tanh", TANH), ("log", LOG)))


def _function(lanes: Lanes, name: str, steps: Sequence[Step]) -> str:
    w, real = Writer(lanes), lanes.type
    w.lines.append(f"define internal {real} @{name}_lanes({real} %x) noinline #0 {{")
    made = write_steps(w, steps, {"x": "%x"})
    w.line(f"ret {real} {made[name]}")
    w.lines.append("}")
    return "\n".join(w.lines)


def mend_code(lanes: Lanes) -> str:
    """``@mend``: (r, j) of the numbers beyond the limit, one after the other; with what it calls."""
    e, i = lanes.element, lanes.integer
    narrow = lanes.dtype == "float32"
    lines = [
        f"  %wide = {'fpext float %x to double' if narrow else 'fadd double %x, 0x8000000000000000'}",
        "  %pair = call { double, i64 } @huge(double %wide)",
        "  %rw = extractvalue { double, i64 } %pair, 0",
        "  %jw = extractvalue { double, i64 } %pair, 1",
        f"  %r = {'fptrunc double %rw to float' if narrow else 'fadd double %rw, 0x8000000000000000'}",
        f"  %j = {'trunc i64 %jw to i32' if narrow else 'add i64 %jw, 0'}",
    ]
    return "\n".join([
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
        *lines,
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
        _HUGE,
    ])  # fmt: skip


# sincos.reduce_huge, word for word; the 192-bit window and product are i192 values, which LLVM takes apart by itself
_HUGE = (
    f"@two_over_pi = internal constant [{len(TWO_OVER_PI)} x i32] [{', '.join(f'i32 {x}' for x in TWO_OVER_PI)}]\n"
    + """define internal { double, i64 } @huge(double %x) noinline cold #0 {
entry:
  %bits = bitcast double %x to i64
  %e0 = lshr i64 %bits, 52
  %e1 = and i64 %e0, 2047
  %odd = icmp eq i64 %e1, 2047
  br i1 %odd, label %nan, label %go
nan:
  ret { double, i64 } { double 0x7FF8000000000000, i64 0 }
go:
  %m0 = and i64 %bits, 4503599627370495
  %m1 = or i64 %m0, 4503599627370496
  %start = sub i64 %e1, 1013
  %word = lshr i64 %start, 5
  %shift = and i64 %start, 31
  br label %gather
gather:
  %k = phi i64 [ 0, %go ], [ %k1, %gather ]
  %w = phi i224 [ 0, %go ], [ %w2, %gather ]
  %at = add i64 %word, %k
  %p = getelementptr [39 x i32], ptr @two_over_pi, i64 0, i64 %at
  %v = load i32, ptr %p
  %v1 = zext i32 %v to i224
  %w1 = shl i224 %w, 32
  %w2 = or i224 %w1, %v1
  %k1 = add i64 %k, 1
  %more = icmp ult i64 %k1, 7
  br i1 %more, label %gather, label %multiply
multiply:
  %back = sub i64 32, %shift
  %back1 = zext i64 %back to i224
  %w3 = lshr i224 %w2, %back1
  %window = trunc i224 %w3 to i192
  %m = zext i64 %m1 to i192
  %product = mul i192 %window, %m
  %h0 = lshr i192 %product, 128
  %high = trunc i192 %h0 to i64
  %g0 = lshr i192 %product, 62
  %fg0 = trunc i192 %g0 to i128
  %j0 = add i64 %high, 2305843009213693952
  %j1 = lshr i64 %j0, 62
  %below = icmp slt i128 %fg0, 0
  %flip = sext i1 %below to i128
  %fg = xor i128 %fg0, %flip
  %f0 = lshr i128 %fg, 64
  %f = trunc i128 %f0 to i64
  %zeros = call i64 @llvm.ctlz.i64(i64 %f, i1 false)
  %zeros1 = zext i64 %zeros to i128
  %n0 = shl i128 %fg, %zeros1
  %n1 = lshr i128 %n0, 64
"""
    + f"  %r0 = mul i128 %n1, {HALF_PI_63}\n"
    + """  %r1 = lshr i128 %r0, 64
  %r2 = trunc i128 %r1 to i64
  %r3 = uitofp i64 %r2 to double
  %s0 = sub i64 960, %zeros
  %s1 = shl i64 %s0, 52
  %scale = bitcast i64 %s1 to double
  %r4 = fmul double %r3, %scale
  %minus = icmp slt i64 %bits, 0
  %turn = xor i1 %minus, %below
  %r5 = fneg double %r4
  %r = select i1 %turn, double %r5, double %r4
  %j2 = sub i64 0, %j1
  %j = select i1 %minus, i64 %j2, i64 %j1
  %pair0 = insertvalue { double, i64 } poison, double %r, 0
  %pair = insertvalue { double, i64 } %pair0, i64 %j, 1
  ret { double, i64 } %pair
}"""
)
