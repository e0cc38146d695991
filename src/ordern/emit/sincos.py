"""sincos, tanh and log as short lists of operations, so that LLVM code and C code compute the same bits.

A step is ``(result, operation, operands...)``; an operand is the name of an earlier result or a number. Operations on
floating numbers round once (``fma`` too); nothing may be reassociated or contracted:

    fma a b c   a b + c          mul add sub div                 neg a             floor-free: rounding to integers is
    done by adding MAGIC
    bits a      the bits of a as an unsigned integer of the same size                float i    the number with these
    bits
    and i k,  xor i j,  shl i k,  shr i k,  iadd i j     on unsigned integers (wrapping)
    odd i a b   a if the lowest bit of i is set, else b          above x k a b      a if x > k (false for NaN), else b

``SINCOS[dtype]``: ``reduce`` maps x to (r, j), x = r + j pi/2 up to multiples of 2 pi (only the low two bits of j
count), for
|x| <= ``limit``; r = fma chain with pi/2 in three parts, whose first step is exact. Beyond the limit (and only there;
NaN and infinity count as beyond) (r, j) comes from ``huge``. ``finish`` maps (r, j) to (sin, cos) by minimax
polynomials on |r| <= pi/4.

``huge`` (integers only, any language with 64-bit words): |x| = m 2^e with a 53-bit integer m. m times 192 bits of 2/pi,
beginning at the bit of weight 2^(1-e), modulo 2^192, is |x| 2/pi modulo 4 as a fixed-point number with 190 bits behind
the point. Rounded to the nearest integer this is j; the difference, normalised to 64 bits and multiplied by pi/2 as an
integer, is r, converted to floating point once. A float32 is widened first and its r narrowed last. ``reduce_huge``
below is the same in Python integers, for tests and as the specification.

sin and cos err by less than 1.35 ulp, tanh by less than 3, log by less than 2; sin(-0) is +0.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Any

__all__ = ["HALF_PI_63", "LOG", "SINCOS", "TANH", "TWO_OVER_PI", "Sincos", "reduce_huge"]

Step = tuple[Any, ...]

# 64 zero bits, then 1184 bits of 2/pi: the bit of weight 2^-k is number 63 + k
TWO_OVER_PI = (
    0x00000000, 0x00000000, 0xA2F9836E, 0x4E441529, 0xFC2757D1, 0xF534DDC0, 0xDB629599, 0x3C439041, 0xFE5163AB,
    0xDEBBC561,
    0xB7246E3A, 0x424DD2E0, 0x06492EEA, 0x09D1921C, 0xFE1DEB1C, 0xB129A73E, 0xE88235F5, 0x2EBB4484, 0xE99C7026,
    0xB45F7E41,
    0x3991D639, 0x835339F4, 0x9C845F8B, 0xBDF9283B, 0x1FF897FF, 0xDE05980F, 0xEF2F118B, 0x5A0A6D1F, 0x6D367ECF,
    0x27CB09B7,
    0x4F463F66, 0x9E5FEA2D, 0x7527BAC7, 0xEBE5F17B, 0x3D0739F7, 0x8A5292EA, 0x6BFB5FB1, 0x1F8D5D08, 0x56033046,
)  # fmt: skip
HALF_PI_63 = 0xC90FDAA22168C235  # pi/2 times 2^63


@dataclass(frozen=True)
class Sincos:
    """The two step lists for one floating-point type; see the module's text."""

    limit: float
    reduce: tuple[Step, ...]  # x -> r, j
    finish: tuple[Step, ...]  # r, j -> sin, cos


def _horner(out: str, z: str, coefficients: tuple[float, ...]) -> list[Step]:
    """The polynomial with these coefficients, lowest first."""
    steps: list[Step] = []
    last: Any = coefficients[-1]
    for k, c in enumerate(reversed(coefficients[:-1])):
        name = out if k == len(coefficients) - 2 else f"{out}{k}"
        steps.append((name, "fma", last, z, c))
        last = name
    return steps


def _sincos(
    limit: float, magic: float, parts: tuple[float, ...], sine: tuple[float, ...], cosine: tuple[float, ...], top: int
) -> Sincos:
    """``top`` is the distance from bit 1 of j to the sign bit."""
    reduce: list[Step] = [
        ("t", "fma", "x", 0.6366197723675814, magic),  # MAGIC + round(x 2/pi): the low bits of t count quarter turns
        ("n", "sub", "t", magic),
        ("j", "bits", "t"),
        ("r0", "fma", "n", -parts[0], "x"),
        ("r1", "fma", "n", -parts[1], "r0"),
        ("r", "fma", "n", -parts[2], "r1"),
    ]
    finish: list[Step] = [
        ("z", "mul", "r", "r"),
        *_horner("s", "z", sine),
        ("rz", "mul", "r", "z"),
        ("a", "fma", "rz", "s", "r"),
        *_horner("c", "z", (1.0, -0.5, *cosine)),
        ("u", "odd", "j", "c", "a"),
        ("v", "odd", "j", "a", "c"),
        ("j1", "iadd", "j", 1),
        ("sj", "shl", "j", top),
        ("cj", "shl", "j1", top),
        ("ss", "and", "sj", 2 << top),
        ("cs", "and", "cj", 2 << top),
        ("ub", "bits", "u"),
        ("vb", "bits", "v"),
        ("us", "xor", "ub", "ss"),
        ("vs", "xor", "vb", "cs"),
        ("sin", "float", "us"),
        ("cos", "float", "vs"),
    ]
    return Sincos(limit, tuple(reduce), tuple(finish))


SINCOS: dict[str, Sincos] = {
    "float64": _sincos(
        2.0**30, 1.5 * 2.0**52,
        (1.5707963267948966, 6.123233995736765e-17, 1.082856673921914e-32),
        (-0.16666666666666644, 0.008333333333323667, -0.00019841269830148835, 2.7557313653520475e-06,
        -2.5050734844906135e-08,
         1.5894726933558495e-10),
        (0.0416666666666666, -0.0013888888888874131, 2.480158728948702e-05, -2.7557314353791875e-07,
        2.087572347947117e-09, -1.1359658868878318e-11),
        62,
    ),
    "float32": _sincos(
        2.0**16, 1.5 * 2.0**23,
        (1.570796251296997, 7.549789415861596e-08, 5.390302953474238e-15),
        (-0.1666665467067149, 0.008332100707917314, -0.00019503929660610555),
        (0.04166665464820803, -0.0013887654138661667, 2.446380388560612e-05),
        30,
    ),
}  # fmt: skip


def _tanh(
    clamp: float, magic: float, parts: tuple[float, ...], tail: tuple[float, ...], mantissa: int, size: int
) -> tuple[Step, ...]:
    """Tanh y = t / (t + 2) with t = exp(2 y) - 1 = 2^n p + (2^n - 1), p = exp(r) - 1, for y = |x| up to the clamp,
    where it is 1.
    """
    sign = 1 << (size - 1)
    bias = (1 << (size - 2 - mantissa)) - 1
    return (
        ("xb", "bits", "x"),
        ("sign", "and", "xb", sign),
        ("yb", "and", "xb", sign - 1),
        ("y0", "float", "yb"),
        ("y", "above", "y0", clamp, clamp, "y0"),
        ("w", "add", "y", "y"),
        ("m", "fma", "w", 1.4426950408889634, magic),
        ("n", "sub", "m", magic),
        ("r0", "fma", "n", -parts[0], "w"),
        ("r", "fma", "n", -parts[1], "r0"),
        *_horner("e", "r", (0.5, *tail)),
        ("rr", "mul", "r", "r"),
        ("p", "fma", "rr", "e", "r"),
        ("mb", "bits", "m"),
        ("nb", "iadd", "mb", bias),
        ("qb", "shl", "nb", mantissa),  # only the low bits of MAGIC + n survive: the exponent of 2^n
        ("q", "float", "qb"),
        ("q1", "sub", "q", 1.0),
        ("t", "fma", "q", "p", "q1"),
        ("t2", "add", "t", 2.0),
        ("a", "div", "t", "t2"),
        ("ab", "bits", "a"),
        ("as", "xor", "ab", "sign"),
        ("tanh", "float", "as"),
    )


TANH: dict[str, tuple[Step, ...]] = {
    "float64": _tanh(
        20.0, 1.5 * 2.0**52, (0.6931471805599453, 2.3190468138462996e-17),
        (0.1666666666666668, 0.04166666666661973, 0.00833333333331903, 0.0013888888920614848, 0.00019841269894146378,
         2.4801516212736824e-05, 2.7557235325034187e-06, 2.762228051271127e-07, 2.511229384727971e-08), 52, 64,
    ),
    "float32": _tanh(
        10.0, 1.5 * 2.0**23, (0.6931471824645996, -1.9046542121259336e-09),
        (0.16666523181133777, 0.04166648739947962, 0.008369150982490723, 0.0013933643522488035), 23, 32,
    ),
}  # fmt: skip


def _log(terms: int, parts: tuple[float, float], largest: float, mantissa: int, size: int) -> tuple[Step, ...]:
    """Log x = k log 2 + log(1 + f) with 1 + f between sqrt(1/2) and sqrt(2); no number for zero, negative numbers and
    infinity.

    With s = f/(2 + f): log(1 + f) = f - (f^2/2 - s (f^2/2 + R)), R = 2 s^2/3 + 2 s^4/5 + ..., s^2 < 0.03.
    """
    one, pattern = ((1 << (size - 2 - mantissa)) - 1) << mantissa, "<Q" if size == 64 else "<I"
    root = struct.unpack(pattern, struct.pack("<d" if size == 64 else "<f", 0.5**0.5))[0]
    magic = struct.unpack(pattern, struct.pack("<d" if size == 64 else "<f", 2.0**mantissa))[0]
    return (
        ("xb", "bits", "x"),
        ("tb", "iadd", "xb", one - root),
        ("kb", "shr", "tb", mantissa),  # k + bias
        ("kf", "iadd", "kb", magic),
        ("km", "float", "kf"),
        ("k", "sub", "km", 2.0**mantissa + (one >> mantissa)),
        ("eb", "and", "tb", ((1 << size) - 1) ^ ((1 << mantissa) - 1)),
        ("nb", "xor", "eb", (1 << size) - 1),  # minus it, less one
        ("mb", "iadd", "xb", "nb"),
        ("zb", "iadd", "mb", one + 1),
        ("z", "float", "zb"),
        ("f", "sub", "z", 1.0),
        ("f2", "add", "f", 2.0),
        ("s", "div", "f", "f2"),
        ("w", "mul", "s", "s"),
        *_horner("p", "w", tuple(2.0 / (2 * k + 1) for k in range(1, terms + 1))),
        ("R", "mul", "w", "p"),
        ("hf", "mul", "f", 0.5),
        ("h", "mul", "f", "hf"),
        ("hR", "add", "h", "R"),
        ("low", "mul", "k", parts[1]),
        ("c", "fma", "s", "hR", "low"),
        ("d", "sub", "h", "c"),
        ("e", "sub", "d", "f"),
        ("ne", "sub", 0.0, "e"),
        ("r", "fma", "k", parts[0], "ne"),
        ("zero", "sub", "x", "x"),
        ("none", "div", "zero", "zero"),
        ("some", "above", "x", 0.0, "r", "none"),
        ("log", "above", "x", largest, "none", "some"),
    )


LOG: dict[str, tuple[Step, ...]] = {
    "float64": _log(10, (0.6931471803691238, 1.9082149292705877e-10), 1.7976931348623157e308, 52, 64),
    "float32": _log(5, (0.693145751953125, 1.4286068203094172e-06), 3.4028234663852886e38, 23, 32),
}


def reduce_huge(x: float) -> tuple[float, int]:
    """(r, j) for any |x| > 2^16; NaN for NaN and infinity."""
    bits = struct.unpack("<Q", struct.pack("<d", x))[0]
    exponent = bits >> 52 & 0x7FF
    if exponent == 0x7FF:
        return float("nan"), 0
    m, e = (bits & (1 << 52) - 1) | 1 << 52, exponent - 1075
    start = 62 + e  # the bit of weight 2^(1-e)
    table = 0
    for word in TWO_OVER_PI:
        table = table << 32 | word
    window = table >> (32 * len(TWO_OVER_PI) - start - 192) & (1 << 192) - 1
    product = m * window & (1 << 192) - 1
    high, middle = product >> 128, product >> 64 & (1 << 64) - 1
    low = product & (1 << 64) - 1
    j = (high + (1 << 61) & (1 << 64) - 1) >> 62
    f, g = (high << 2 | middle >> 62) & (1 << 64) - 1, (middle << 2 | low >> 62) & (1 << 64) - 1
    negative = f >> 63
    if negative:  # the complement is off by 2^-128, far below what is kept
        f, g = f ^ (1 << 64) - 1, g ^ (1 << 64) - 1
    zeros = 64 - f.bit_length()
    v = (f << 64 | g) >> (64 - zeros) & (1 << 64) - 1
    r = float(v * HALF_PI_63 >> 64) * 2.0 ** -(63 + zeros)
    below = negative != bits >> 63
    return -r if below else r, -j & 3 if bits >> 63 else j
