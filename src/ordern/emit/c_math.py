"""sincos and tanh in C99, from the same step lists as machine code (sincos.py), so that both compute the same bits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from .sincos import HALF_PI_63, LOG, SINCOS, TANH, TWO_OVER_PI, Step

__all__ = ["c_number", "needed"]

_WHOLE = {"bits", "and", "xor", "shl", "shr", "iadd"}


def c_number(x: float, dtype: str) -> str:
    """A literal that reads back as the same number (of the type)."""
    text = repr(float(np.float32(x)) if dtype == "float32" else float(x))
    return text + "f" if dtype == "float32" else text


def _steps(steps: Sequence[Step], dtype: str, prefix: str, given: Mapping[str, str]) -> list[str]:
    """Declarations, one a step; ``given`` are results that have a place already."""
    single = dtype == "float32"
    real, fma, u = ("float", "fmaf", "U") if single else ("double", "fma", "ULL")
    lines = []
    for name, op, *operands in steps:
        whole = op in _WHOLE
        a = [x if isinstance(x, str) else f"{x}{u}" if whole else c_number(x, dtype) for x in operands]
        text = _FORMS[op].format(*a, fma=fma, prefix=prefix)
        target = given.get(name, f"const {f'{prefix}_word' if whole else real} {name}")
        lines.append(f"    {target} {text};" if target == "return" else f"    {target} = {text};")
    return lines


_FORMS = {
    "mul": "{0} * {1}", "add": "{0} + {1}", "sub": "{0} - {1}", "div": "{0} / {1}", "fma": "{fma}({0}, {1}, {2})",
    "bits": "{prefix}_bits({0})", "float": "{prefix}_number({0})", "and": "{0} & {1}", "xor": "{0} ^ {1}",
    "shl": "{0} << {1}", "shr": "{0} >> {1}",
    "iadd": "{0} + {1}",
    "odd": "{0} & 1 ? {1} : {2}", "above": "{0} > {1} ? {2} : {3}",
}  # fmt: skip


def _punning(dtype: str, prefix: str) -> list[str]:
    """Bits of a number and back."""
    real, word = ("float", "unsigned int") if dtype == "float32" else ("double", "unsigned long long")
    return [
        f"typedef {word} {prefix}_word;",
        f"typedef char {prefix}_word_has_the_size_of_a_number[sizeof({prefix}_word) == sizeof({real}) ? 1 : -1];",
        f"typedef union {{ {real} number; {prefix}_word bits; }} {prefix}_both;",
        "",
        f"static {prefix}_word {prefix}_bits({real} x)",
        "{",
        f"    {prefix}_both both;",
        "    both.number = x;",
        "    return both.bits;",
        "}",
        "",
        f"static {real} {prefix}_number({prefix}_word x)",
        "{",
        f"    {prefix}_both both;",
        "    both.bits = x;",
        "    return both.number;",
        "}",
        "",
    ]


_HUGE = """/* |x| > 65536: the quarter turns in x modulo 4 from 192 bits of 2/pi, in integers; the rest times pi/2 */
static double @_huge(double x, unsigned long long *quarter)
{
    static const unsigned long long table[] = { TABLE };
    union { double number; unsigned long long bits; } both;
    unsigned long long bits, exponent, m[2], b[6], p[6], carry, high, middle, low, f, g, v, lo, hi, j;
    int k, zeros = 0, start, below;
    both.number = x;
    bits = both.bits;
    exponent = bits >> 52 & 2047;
    *quarter = 0;
    if (exponent == 2047) return x - x;
    m[0] = bits & 0xFFFFFFFFULL;
    m[1] = (bits >> 32 & 0xFFFFFULL) | 0x100000ULL;
    start = (int)exponent - 1013;
    for (k = 0; k < 6; k++)
        b[5 - k] = (table[start / 32 + k] << 32 | table[start / 32 + k + 1]) >> (32 - start % 32) & 0xFFFFFFFFULL;
    for (k = 0, carry = 0; k < 6; k++) {
        carry += m[0] * b[k];
        p[k] = carry & 0xFFFFFFFFULL;
        carry >>= 32;
    }
    for (k = 0, carry = 0; k < 5; k++) {
        carry += m[1] * b[k] + p[k + 1];
        p[k + 1] = carry & 0xFFFFFFFFULL;
        carry >>= 32;
    }
    high = p[5] << 32 | p[4];
    middle = p[3] << 32 | p[2];
    low = p[1] << 32 | p[0];
    j = (high + (1ULL << 61)) >> 62;
    f = high << 2 | middle >> 62;
    g = middle << 2 | low >> 62;
    below = (int)(f >> 63);
    if (below) {
        f = ~f;
        g = ~g;
    }
    while (zeros < 64 && !(f >> (63 - zeros) & 1)) zeros++;
    v = zeros == 0 ? f : zeros == 64 ? g : f << zeros | g >> (64 - zeros);
    lo = v & 0xFFFFFFFFULL;
    hi = v >> 32;
    carry = (lo * HALF_LOW >> 32) + (hi * HALF_LOW & 0xFFFFFFFFULL) + (lo * HALF_HIGH & 0xFFFFFFFFULL);
    v = hi * HALF_HIGH + (hi * HALF_LOW >> 32) + (lo * HALF_HIGH >> 32) + (carry >> 32);
    both.bits = (unsigned long long)(960 - zeros) << 52;
    both.number = (double)v * both.number;
    *quarter = bits >> 63 ? 0 - j : j;
    return below != (int)(bits >> 63) ? -both.number : both.number;
}
"""


def sincos_functions(dtype: str, prefix: str) -> list[str]:
    """``prefix_sincos(x, &sine, &cosine)`` and what it calls."""
    spec, real = SINCOS[dtype], "float" if dtype == "float32" else "double"
    huge = _HUGE.replace("@", prefix).replace("TABLE", ", ".join(f"0x{x:08X}ULL" for x in TWO_OVER_PI))
    huge = huge.replace("HALF_LOW", f"0x{HALF_PI_63 & 0xFFFFFFFF:08X}ULL").replace(
        "HALF_HIGH", f"0x{HALF_PI_63 >> 32:08X}ULL"
    )
    fabs = "fabsf" if dtype == "float32" else "fabs"
    return [
        *huge.splitlines(),
        "",
        f"static void {prefix}_sincos({real} x, {real} *sine, {real} *cosine)",
        "{",
        f"    {real} r;",
        f"    {prefix}_word j;",
        *_steps(spec.reduce, dtype, prefix, {"r": "r", "j": "j"}),
        f"    if (!({fabs}(x) <= {c_number(spec.limit, dtype)})) {{",
        "        unsigned long long quarter;",
        f"        r = ({real}){prefix}_huge(x, &quarter);",
        f"        j = ({prefix}_word)quarter;",
        "    }",
        *_steps(spec.finish, dtype, prefix, {"sin": "*sine", "cos": "*cosine"}),
        "}",
        "",
    ]


def tanh_function(dtype: str, prefix: str) -> list[str]:
    """``prefix_tanh(x)``."""
    real = "float" if dtype == "float32" else "double"
    return [
        f"static {real} {prefix}_tanh({real} x)",
        "{",
        *_steps(TANH[dtype], dtype, prefix, {"tanh": "return"}),
        "}",
        "",
    ]


def log_function(dtype: str, prefix: str) -> list[str]:
    """``prefix_log(x)``."""
    real = "float" if dtype == "float32" else "double"
    return [
        f"static {real} {prefix}_log({real} x)",
        "{",
        *_steps(LOG[dtype], dtype, prefix, {"log": "return"}),
        "}",
        "",
    ]


def needed(dtype: str, prefix: str, sincos: bool, tanh: bool, log: bool = False) -> list[str]:
    """The functions a program needs."""
    made = _punning(dtype, prefix) if sincos or tanh or log else []
    made += sincos_functions(dtype, prefix) if sincos else []
    made += tanh_function(dtype, prefix) if tanh else []
    return made + (log_function(dtype, prefix) if log else [])
