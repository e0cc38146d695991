"""Inputs that are not finite, found whether or not a result depends on them.

A walk that is a loop reads the angle of a vertical first axis like any other and uses it nowhere; the position of a
floating base is not even read by most quantities. Short programs add 0 x to a result (``program.build.guarded``);
programs with loops look at all of their inputs, row by row, 16 numbers at a time.
"""

from __future__ import annotations

from .lanes import Lanes

__all__ = ["LOOK", "look_code"]

LOOK = "look"
_WIDE, _SUMS = 4, 4  # numbers in a vector, and sums that do not wait for each other


def look_code(lanes: Lanes) -> list[str]:
    """The function that returns 0, or NaN if one of ``count`` numbers is not finite."""
    e, bits = lanes.element, 8 * lanes.bytes
    t, fma = f"<{_WIDE} x {e}>", f"@llvm.fma.v{_WIDE}f{bits}"
    turn, sums = _WIDE * _SUMS, range(_SUMS)
    lines = [
        f"define internal {e} @{LOOK}(ptr %row, i64 %count) noinline #0 {{",
        "entry:",
        f"  %whole = and i64 %count, {-turn}",
        "  br label %head",
        "head:",
        "  %k = phi i64 [ 0, %entry ], [ %next, %turn ]",
        *(f"  %s{c} = phi {t} [ zeroinitializer, %entry ], [ %t{c}, %turn ]" for c in sums),
        "  %more = icmp slt i64 %k, %whole",
        "  br i1 %more, label %turn, label %rest",
        "turn:",
    ]
    for c in sums:
        lines += [
            f"  %at{c} = add i64 %k, {c * _WIDE}",
            f"  %p{c} = getelementptr {e}, ptr %row, i64 %at{c}",
            f"  %x{c} = load {t}, ptr %p{c}, align {lanes.bytes}",
            f"  %t{c} = call {t} {fma}({t} %x{c}, {t} zeroinitializer, {t} %s{c})",
        ]
    lines += [f"  %next = add i64 %k, {turn}", "  br label %head", "rest:"]
    lines += [f"  %u{c} = fadd {t} %{'s0' if c == 1 else f'u{c - 1}'}, %s{c}" for c in sums[1:]]
    lines += [f"  %e{c} = extractelement {t} %u{_SUMS - 1}, i32 {c}" for c in range(_WIDE)]
    lines += [f"  %v{c} = fadd {e} %{'e0' if c == 1 else f'v{c - 1}'}, %e{c}" for c in range(1, _WIDE)]
    lines += [
        "  br label %tail",
        "tail:",
        "  %j = phi i64 [ %whole, %rest ], [ %onward, %one ]",
        f"  %sum = phi {e} [ %v{_WIDE - 1}, %rest ], [ %made, %one ]",
        "  %left = icmp slt i64 %j, %count",
        "  br i1 %left, label %one, label %end",
        "one:",
        f"  %p = getelementptr {e}, ptr %row, i64 %j",
        f"  %x = load {e}, ptr %p, align {lanes.bytes}",
        f"  %made = call {e} @llvm.fma.f{bits}({e} %x, {e} 0.0, {e} %sum)",
        "  %onward = add i64 %j, 1",
        "  br label %tail",
        "end:",
        f"  ret {e} %sum",
        "}",
    ]
    return [
        "\n".join(lines),
        f"declare {t} {fma}({t}, {t}, {t})",
        f"declare {e} @llvm.fma.f{bits}({e}, {e}, {e})",
    ]
