"""Other numbers than floats: mpmath (any precision), fractions (exact arithmetic) and intervals (guaranteed bounds).

Constants of the model are taken as the exact values of their floats; rotations, whose floats are orthogonal only to
rounding, become the rational rotations next to them, in all three kinds. A fraction has no exact sine: ``sincos`` of a
fraction takes the rational point of the unit circle at t = tan(angle/2), rounded to some 30 digits, so that s^2 + c^2 =
1 holds exactly and every identity of dynamics does too; the angle itself is off by 1e-30. Square roots that are not
rational are rounded likewise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from numbers import Integral
from typing import Any

import mpmath
import numpy as np
from mpmath.ctx_iv import MPIntervalContext

from ..algorithms.registry import Algorithm
from ..errors import InputError, MethodError, ShapeError, SingularError, one_of, tell
from ..model import Body, Model, Placement
from ..model.model_scalars import rotation_structure, turning
from ..model.thresholds import MOST_FRACTIONS
from ..program.interpret import PRIMITIVES, Operators
from ..program.layout import shape_of
from ..runtime.complaints import coordinate_names, zero_quaternion
from ..runtime.numbers import on_scalars
from ..scalars.primitives import Above, Scalar, chosen, log, sincos, sqrt, tanh
from ..spatial import Rotation, Vec3
from ..tree import Tree
from .evaluators import evaluator
from .manifold import named

__all__ = ["SCALARS", "NumberKind", "evaluate"]

DIGITS = 30  # of the rational points that stand for angles


@dataclass(frozen=True)
class NumberKind:
    """A kind of scalar: how values become one, how many digits it may have, and what users get back."""

    name: str
    convert: Callable[[Any], Any]
    context: Callable[[int], Any]
    handed_out: Callable[[Any], Any]

    def constant(self, x: float) -> Any:
        """A constant of the model; 0 stays an int, which folds. Not 1: Python's 1 / 1 is a float."""
        return 0 if x == 0.0 else self.convert(x)

    @property
    def operators(self) -> Operators:
        """For programs (program/interpret.py)."""
        return PRIMITIVES.changed(self.convert)


class _Intervals(MPIntervalContext):  # type: ignore[misc]
    """Our own, since mpmath's intervals fail on scalars they do not know instead of leaving the work to them."""

    def __init__(self) -> None:
        self._whole: dict[int, Any] = {}
        super().__init__()
        self._whole = {k: self.mpf(k) for k in (-1, 0, 1, 2)}  # exact whatever the digits

    def convert(self, x: object) -> Any:
        """An interval; those of structural zeros and ones, a third of all operands, are at hand."""
        return self._whole[x] if type(x) is int and x in self._whole else super().convert(x)


_iv: Any = _Intervals()
_iv._types = (*_iv._types, Above)


@contextmanager
def _mp_digits(digits: int) -> Any:
    with mpmath.workdps(digits):
        yield


@contextmanager
def _iv_digits(digits: int) -> Any:
    before = _iv.dps
    _iv.dps = digits
    try:
        yield
    finally:
        _iv.dps = before


@contextmanager
def _any_digits(digits: int) -> Any:
    yield


def _fraction(x: float | str | Fraction) -> Fraction:
    """Exactly what was given; strings like "1/3" or "0.1" too."""
    return Fraction(x) if isinstance(x, (int, str, Fraction)) else Fraction(float(x))


def _mpf(x: object) -> Any:
    return mpmath.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mpmath.mpf(x)


def _interval(x: object) -> Any:
    if isinstance(x, Fraction):
        return _iv.mpf(x.numerator) / x.denominator
    return _iv.mpf([float(e) for e in x] if isinstance(x, (tuple, list)) else x)


def _mpmath_interval(x: Any) -> Any:
    """The same bounds, to the last digit, as mpmath's own kind of interval."""
    return mpmath.iv.make_mpf(x._mpi_)


def _as_it_is(x: object) -> Any:
    return x


SCALARS: dict[str, NumberKind] = {
    "mpmath": NumberKind("mpmath", _mpf, _mp_digits, _as_it_is),
    "fraction": NumberKind("fraction", _fraction, _any_digits, _as_it_is),
    "interval": NumberKind("interval", _interval, _iv_digits, _mpmath_interval),
}

_Mpf = type(mpmath.mpf(1))
_Interval = type(_iv.mpf(1))


@sincos.register(_Mpf)
def _(angle: object) -> tuple[Any, Any]:
    return mpmath.sin(angle), mpmath.cos(angle)


@sqrt.register(_Mpf)
def _(x: object) -> Any:
    return mpmath.sqrt(x)


@tanh.register(_Mpf)
def _(x: object) -> Any:
    return mpmath.tanh(x)


@log.register(_Mpf)
def _(x: object) -> Any:
    return mpmath.log(x)


@tanh.register(_Interval)
def _(x: Scalar) -> Scalar:
    return 1 - 2 / (_iv.exp(2 * x) + 1)  # the interval stands in it once, so that it does not widen


@log.register(_Interval)
def _(x: Any) -> Any:
    if x.a > 0:
        return _iv.log(x)
    if x.b <= 0:
        raise SingularError(
            "the logarithm of a number that is not positive: the mass matrix is not positive definite within these "
            "bounds"
        )
    # bounds that are too wide for the digits stay bounds, as those of a quotient do
    return _iv.mpf(["-inf", _iv.log(_iv.mpf(x.b)).b])


@log.register
def _(x: Fraction) -> Any:
    if x == 1:
        return 0
    with mpmath.workdps(2 * DIGITS):
        return _rounded(mpmath.log(mpmath.mpf(x.numerator) / x.denominator))


@sincos.register(_Interval)
def _(angle: object) -> tuple[Any, Any]:
    return _iv.sin(angle), _iv.cos(angle)


@sqrt.register(_Interval)
def _(x: object) -> Any:
    return _iv.sqrt(x)


@chosen.register(_Interval)
def _(leading: object, op: str, *given: object) -> Any:
    """Where the bounds leave the choice open, bounds of both."""
    if op != "select":
        a, b = (_iv.mpf(x) for x in given)
        ends = min if op == "least" else max
        return _iv.mpf([ends(a.a, b.a), ends(a.b, b.b)])
    x, a, b = (_iv.mpf(e) for e in given)
    if x.a > 0:
        return a
    return b if x.b <= 0 else _iv.mpf([min(a.a, b.a), max(a.b, b.b)])


@sincos.register
def _(angle: Fraction) -> tuple[Any, Any]:
    if angle == 0:
        return 0, 1
    with mpmath.workdps(DIGITS + 10):
        half = mpmath.mpf(angle.numerator) / angle.denominator / 2
        s, c = mpmath.sin(half), mpmath.cos(half)
        turned = abs(c) < abs(s)  # near half a turn tan is large: use the point opposite, at 1/tan
        t = _rounded(-c / s if turned else s / c)
    sine, cosine = 2 * t / (1 + t * t), (1 - t * t) / (1 + t * t)
    return (-sine, -cosine) if turned else (sine, cosine)


@sqrt.register
def _(x: Fraction) -> Any:
    n, d = math.isqrt(x.numerator), math.isqrt(x.denominator)
    if n * n == x.numerator and d * d == x.denominator:
        return Fraction(n, d)
    digits = max(DIGITS, 24)  # a sine may be rounded as long as its cosine goes with it; a root is compared with floats
    with mpmath.workdps(2 * digits):
        return _rounded(mpmath.sqrt(mpmath.mpf(x.numerator) / x.denominator), digits)


def _rounded(x: object, digits: int | None = None) -> Fraction:
    scale = 10 ** (digits or DIGITS)
    return Fraction(int(mpmath.nint(x * scale)), scale)


Quaternion = tuple[Fraction, Fraction, Fraction, Fraction]


@lru_cache(maxsize=1024)
def rational_rotation(r: tuple[float, ...]) -> tuple[Fraction, ...]:
    """The rational rotation (row by row) nearest to a float matrix, by a quaternion of any length."""
    if rotation_structure(r) == "xz":  # two planar turns, so that the zero stays
        a = rational_rotation((1.0, 0.0, 0.0, 0.0, r[8], -r[7], 0.0, r[7], r[8]))
        b = rational_rotation((r[0], -r[3], 0.0, r[3], r[0], 0.0, 0.0, 0.0, 1.0))
        return tuple(
            sum((b[3 * i + k] * a[3 * k + j] for k in range(3)), Fraction(0)) for i in range(3) for j in range(3)
        )
    x, y, z, w = _quaternion([Fraction(e) for e in r])
    n = x * x + y * y + z * z + w * w
    entries = (
        (w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z),
    )
    return tuple(e / n for row in entries for e in row)


def _quaternion(r: list[Fraction]) -> Quaternion:
    """A multiple of the quaternion, from its largest component."""
    xx, yy, zz = r[0], r[4], r[8]
    one = Fraction(1)
    squares = (one + xx - yy - zz, one - xx + yy - zz, one - xx - yy + zz, one + xx + yy + zz)
    x, y, z = r[7] - r[5], r[2] - r[6], r[3] - r[1]
    xy, xz, yz = r[1] + r[3], r[2] + r[6], r[5] + r[7]
    found: tuple[Quaternion, ...] = (
        (squares[0], xy, xz, x),
        (xy, squares[1], yz, y),
        (xz, yz, squares[2], z),
        (x, y, z, squares[3]),
    )
    return found[squares.index(max(squares))]


class ExactTree(Tree):
    """A tree whose constant rotations are exactly orthogonal."""

    def _placed(self, at: Placement) -> tuple[Rotation, Vec3]:
        turn = turning(rational_rotation(at.rotation), self.constant, rotation_structure(at.rotation))
        return turn, Vec3(*(self.constant(x) for x in at.origin))


def evaluate(
    algorithm: Algorithm,
    model: Model,
    arguments: Sequence[Any],
    scalars: str = "mpmath",
    precision: int = 50,
    options: Sequence[Any] = (),
) -> Any:
    """An algorithm on other numbers: object arrays of them (a tuple of arrays where it has several results).

    Args:
        algorithm: what to run.
        model: the robot.
        arguments: one sequence of numbers for each input, of any kind that ``scalars`` can be made of.
        scalars: "mpmath", "fraction" or "interval".
        precision: decimal digits, for mpmath and intervals.
        options: the algorithm's static arguments, such as a link's number.
    """
    kind = SCALARS[one_of("scalars", scalars, SCALARS)]
    if not isinstance(precision, Integral) or not 1 <= precision <= 100_000:
        raise InputError(f"precision is {precision!r}; give decimal digits, a whole number from 1 to 100000")
    if scalars == "fraction" and precision != 50:
        raise InputError(
            f'precision={precision} has no effect: fractions are exact; it goes with scalars="mpmath" or "interval"'
        )
    if len(arguments) != len(algorithm.inputs):
        raise ShapeError(
            f"{algorithm.quantity} takes {len(algorithm.inputs)} arrays ({', '.join(algorithm.inputs)}), got "
            f"{len(arguments)}"
        )
    if scalars == "fraction" and (depth := _depth(model)) > MOST_FRACTIONS:
        raise MethodError(
            f"fractions grow by some hundred digits with each of {depth:,} joints and would take hours or days; "
            f'scalars="mpmath" with precision= has as many digits as you want (fractions: up to {MOST_FRACTIONS:,} '
            "joints)"
        )
    with kind.context(precision):
        model = model.with_bodies(_geared(body, kind) for body in model.bodies) if model.coupled else model
        inputs = [
            _converted(kind, name, values, model) for name, values in zip(algorithm.inputs, arguments, strict=True)
        ]
        made = on_scalars(algorithm, model, inputs, options, tree=ExactTree(model, kind.constant))
        results = []
        for output, values in zip(algorithm.outputs, made, strict=True):
            shape = shape_of(output, model)
            flat = np.full(math.prod(shape), kind.handed_out(kind.convert(0)), dtype=object)
            for at, value in values.items():
                flat[at] = kind.handed_out(kind.convert(value) if isinstance(value, (int, float)) else value)
            results.append(flat.reshape(shape) if shape else flat[0])
            if scalars == "interval" and any(mpmath.isinf(end) for x in flat for end in (x.a, x.b)):
                tell(
                    f"bounds of {algorithm.quantity} are infinite: they widen from joint to joint by some digits; "
                    f"precision={precision + 6 * _depth(model)} has room for them"
                )
    return results[0] if len(results) == 1 else tuple(results)


def _depth(model: Model) -> int:
    """Joints on the longest path."""
    depths = [0]
    for body in model.bodies[1:]:
        depths.append(depths[body.parent] + 1)
    return max(depths)


def _geared(body: Body, kind: NumberKind) -> Body:
    """A mimicking joint's ratio as such a number."""
    return (
        body if body.mimic is None else replace(body, mimic=replace(body.mimic, ratio=kind.constant(body.mimic.ratio)))
    )


def _converted(kind: NumberKind, name: str, values: object, model: Model) -> list[Any]:
    count, values = model.nq if name == "q" else model.nv, named(model, name, values)
    given = list(np.asarray(values, dtype=object).ravel()) if not isinstance(values, (list, tuple)) else list(values)
    if len(given) != count:
        raise InputError(f"{name} has {len(given)} numbers; robot {model.name!r} needs {count}")
    made = []
    for x, joint in zip(given, coordinate_names(model, "q" if name == "q" else "v"), strict=True):
        try:
            made.append(kind.convert(x))
        except (TypeError, ValueError, ArithmeticError):
            raise InputError(f"{name} is {x!r} for joint {joint!r}, which is no real number") from None
        middle = getattr(made[-1], "mid", made[-1])  # of an interval
        if not isinstance(middle, Fraction) and not mpmath.isfinite(mpmath.mpf(middle)):
            raise InputError(f"{name} is {x} for joint {joint!r}; every number must be finite")
    if name == "q":
        zero_quaternion(model, np.array([float(getattr(x, "mid", x) != 0) for x in made]))
    return made


@evaluator("mpmath")
def _digits(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Callable[..., Any]:
    return lambda *arrays: evaluate(algorithm, model, arrays, "mpmath", 30, options)


@evaluator("fraction")
def _fractions(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Callable[..., Any]:
    return lambda *arrays: evaluate(algorithm, model, arrays, "fraction", options=options)


@evaluator("interval")
def _middles(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Callable[..., Any]:
    """The middles of intervals; these grow from joint to joint, by up to five digits each, so six are brought along."""

    def run(*arrays: object) -> Any:
        made = evaluate(algorithm, model, arrays, "interval", 30 + 6 * len(model.bodies), options)
        return tuple(
            np.vectorize(lambda x: float(mpmath.mpf(x.mid.a)), otypes=[float])(m)
            for m in (made if isinstance(made, tuple) else (made,))
        )

    return run
