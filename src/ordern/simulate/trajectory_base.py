"""Motions as piecewise polynomials that rest before their start and after their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..errors import InputError, ShapeError
from ..runtime.array_inputs import as_array
from ..scalars.primitives import Array
from .signals import Signal

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Point", "Trajectory", "begin_of", "ends_of", "finite_values", "hermite", "product", "rows_of", "slopes"]


class Point(NamedTuple):
    """Coordinates, rates and accelerations (..., n) at a time."""

    q: Array
    qd: Array
    qdd: Array


class Trajectory:
    """A motion of joint coordinates as piecewise polynomials, at rest outside its time."""

    def __init__(self, signal: Signal, name: str = "trajectory") -> None:
        if not np.isfinite(signal.coefficients).all():
            raise InputError(f"{name}: its polynomials overflow; the duration is too short for this way")
        self.signal, self.name = signal, name
        self._rate = signal.derivative()
        self._acceleration = self._rate.derivative()

    @property
    def start(self) -> float:
        """When it begins, s."""
        return float(self.signal.breaks[0])

    @property
    def end(self) -> float:
        """When it ends, s."""
        return float(self.signal.breaks[-1])

    @property
    def duration(self) -> float:
        """How long it takes, s."""
        return self.end - self.start

    def __repr__(self) -> str:
        return f"<Trajectory: {self.name} of {self.signal.channels} coordinates, {self.start:g} to {self.end:g} s>"

    def __call__(self, t: ArrayLike) -> Point:
        """Coordinates, rates and accelerations at times t (...); at rest outside."""
        t = finite_values("t", t)
        inside = ((t >= self.start) & (t <= self.end))[..., None]
        return Point(self.signal(t), np.where(inside, self._rate(t), 0.0), np.where(inside, self._acceleration(t), 0.0))

    def signals(self) -> tuple[Signal, Signal, Signal]:
        """Coordinates, rates and accelerations as signals; a rest is added at moving ends, which signals hold."""
        parts = self.signal, self._rate, self._acceleration
        ends = np.array([self.start, self.end])
        before, after = (bool(x) for x in np.any([part(ends) != 0 for part in parts[1:]], axis=(0, 2)))
        return (
            _resting(parts[0], before, after, False),
            _resting(parts[1], before, after),
            _resting(parts[2], before, after),
        )


def _resting(s: Signal, before: bool, after: bool, zero: bool = True) -> Signal:
    """Append or prepend a piece at rest; as long as its neighbour, so that even pieces stay even."""
    b, c = s.breaks, s.coefficients
    if before:
        more = np.zeros((1, *c.shape[1:]))
        more[0, 0] = 0.0 if zero else s(np.array(b[0]))
        b, c = np.insert(b, 0, b[0] - (b[1] - b[0])), np.concatenate([more, c])
    if after:
        more = np.zeros((1, *c.shape[1:]))
        more[0, 0] = 0.0 if zero else s(np.array(b[-1]))
        b, c = np.append(b, b[-1] + (b[-1] - b[-2])), np.concatenate([c, more])
    return Signal(b, c)


def finite_values(name: str, value: object) -> Array:
    """Finite numbers, or an error that names the argument."""
    a = as_array(name, value).astype(float)
    if not np.isfinite(a).all():
        raise InputError(f"{name} holds NaN or infinity")
    return a


def rows_of(name: str, value: object, shape: tuple[int, ...]) -> Array:
    """Finite numbers for each joint, or one for all."""
    a = finite_values(name, value)
    if a.ndim and a.shape != shape:
        raise ShapeError(f"{name} must be one number or {shape}, one a joint, got shape {a.shape}")
    return np.broadcast_to(a, shape)


def begin_of(start: object) -> float:
    """The time at which a motion begins, s."""
    t = finite_values("start", start)
    if t.ndim:
        raise ShapeError(f"start is a time, one number, got shape {t.shape}")
    return float(t)


def ends_of(q0: object, q1: object) -> tuple[Array, Array]:
    """Both ends of a motion, as arrays of one length."""
    a, b = np.atleast_1d(finite_values("q0", q0)), np.atleast_1d(finite_values("q1", q1))
    if a.shape != b.shape or a.ndim != 1:
        raise ShapeError(f"q0 and q1, the start and the end, must be (n,) alike, got shapes {a.shape} and {b.shape}")
    return a, b


def hermite(t: Array, q: Array, v: Array, a: Array) -> Signal:
    """Quintic pieces through values, rates and accelerations at times (K+1,)."""
    h = np.diff(t)[:, None]
    d, va, vb = q[1:] - q[:-1], v[:-1] * h, v[1:] * h
    aa, ab = a[:-1] * h * h, a[1:] * h * h
    c = [
        q[:-1], va, aa / 2,
        10 * d - 6 * va - 4 * vb - 1.5 * aa + 0.5 * ab,
        -15 * d + 8 * va + 7 * vb + 1.5 * aa - ab,
        6 * d - 3 * (va + vb) + 0.5 * (ab - aa),
    ]  # fmt: skip
    with np.errstate(all="ignore"):  # what overflows is refused by Trajectory
        return Signal(t, np.stack([x / h**k for k, x in enumerate(c)], axis=1))


def product(A: Array, x: Array) -> Array:
    """Matrices (K, m, n) times vectors (K, n)."""
    made: Array = np.einsum("kij,kj->ki", A, x)
    return made


def slopes(x: Array, t: Array) -> Array:
    """Rates of values (K, n) at even times, by differences: of fourth order but for the two next to either end."""
    h = (t[-1] - t[0]) / (len(t) - 1)
    made: Array = np.gradient(x, h, axis=0, edge_order=2 if len(t) > 2 else 1)
    made[2:-2] = (x[:-4] - 8 * x[1:-3] + 8 * x[3:-1] - x[4:]) / (12 * h)
    return made
