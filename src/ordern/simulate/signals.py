"""Signals: piecewise polynomials of time that compiled simulations read without calling Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, ShapeError, need, shown
from ..runtime.array_inputs import as_array
from ..scalars.primitives import Array

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

__all__ = ["Signal", "segments"]

SAME = 1e-12  # of the time span: signals whose pieces end nearer to each other than that do so at one time


@dataclass(frozen=True)
class Signal:
    """Piecewise polynomials in time, held at their end values outside.

    ``breaks`` (K+1,) in s; ``coefficients`` (K, D, channels), or (runs, K, D, channels) where every run of an ensemble
    has its own: piece k
    is the sum over d of coefficients[k, d] (t - breaks[k])^d.
    """

    breaks: Array
    coefficients: Array

    @property
    def channels(self) -> int:
        """How many numbers."""
        return int(self.coefficients.shape[-1])

    @property
    def runs(self) -> int | None:
        """The number of runs with their own signals; None if one serves all."""
        return int(self.coefficients.shape[0]) if self.coefficients.ndim == 4 else None

    @property
    def uniform(self) -> bool:
        """Whether all pieces last equally long, to within rounding of the times."""
        d = np.diff(self.breaks)
        return bool(np.all(np.abs(d - d[0]) <= 1e-12 * max(abs(self.breaks[0]), abs(self.breaks[-1]))))

    @cached_property
    def stops(self) -> Array:
        """The times at which another polynomial begins, or none does any more."""
        b, c = self.breaks, np.moveaxis(self.coefficients, -3, 0)
        axes = tuple(range(1, c.ndim - 1))
        moves: Array = np.any(c[..., 1:, :], axis=(*axes, c.ndim - 1))
        other = np.any(c[1:, ..., 0, :] != c[:-1, ..., 0, :], axis=axes)
        made: Array = b[np.concatenate([moves[:1], other | moves[1:] | moves[:-1], moves[-1:]])]
        return made

    def __call__(self, t: ArrayLike, runs: Array | None = None, pick: Array | None = None) -> Array:
        """Values at times t: (..., channels); ``runs``: each time's run, ``pick``: times that choose the piece."""
        t = np.clip(np.asarray(t, float), self.breaks[0], self.breaks[-1])
        at = t if pick is None else pick
        k = np.clip(np.searchsorted(self.breaks, at, side="right") - 1, 0, len(self.breaks) - 2)
        s = (t - self.breaks[k])[..., None]
        c = self.coefficients[k] if self.runs is None else self.coefficients[runs, k]
        made = c[..., -1, :]
        for d in range(c.shape[-2] - 2, -1, -1):
            made = made * s + c[..., d, :]
        return np.array(made)

    def derivative(self) -> Signal:
        """The rate of change."""
        c = self.coefficients
        if c.shape[-2] == 1:
            return Signal(self.breaks, np.zeros_like(c))
        return Signal(self.breaks, c[..., 1:, :] * np.arange(1.0, c.shape[-2])[:, None])

    @classmethod
    def constant(cls, values: Array) -> Signal:
        """One value for all times; (channels,) or (runs, channels)."""
        values = np.asarray(values, float)
        return cls(np.array([0.0, 1.0]), values[..., None, None, :])

    @classmethod
    def series(cls, times: object, values: object, kind: str = "linear", name: str = "series") -> Signal:
        """From samples.

        Args:
            times: (T,), increasing, in s.
            values: (T, channels) or (runs, T, channels).
            kind: "linear", "cubic" (a spline with continuous second derivative) or "hold" (each value until the next).
            name: for error messages.
        """
        t, v = as_array(f"{name} times", times).astype(float), as_array(name, values).astype(float)
        if t.ndim != 1 or len(t) < 2 or v.ndim not in (2, 3) or v.shape[-2] != len(t):
            raise ShapeError(
                f"{name} must be times (T,) with T of at least 2 and values (T, n) or (runs, T, n), got shapes "
                f"{t.shape} and {v.shape}"
            )
        if not (np.isfinite(t).all() and np.isfinite(v).all()):
            raise InputError(f"{name} holds NaN or infinity")
        if np.any(np.diff(t) <= 0):
            raise InputError(f"{name} times must increase")
        if not isinstance(kind, str):
            raise InputError(f'{name}: interpolation {shown(kind)} is none of "linear", "cubic", "hold"')
        if kind == "hold":  # a piece more, for the last value
            return cls(np.append(t, 2 * t[-1] - t[-2]), v[..., :, None, :])
        if kind == "linear":
            slope = np.diff(v, axis=-2) / np.diff(t)[:, None]
            return cls(t, np.stack([v[..., :-1, :], slope], axis=-2))
        if kind != "cubic":
            raise InputError(f'{name}: interpolation {kind!r} is none of "linear", "cubic", "hold"')
        interpolate: Any = need("scipy.interpolate", "simulate")
        c = interpolate.CubicSpline(t, v, axis=-2).c  # (4, K, [runs,] channels), highest power first
        c = np.moveaxis(c[::-1], (0, 1), (-2, -3))
        return cls(t, np.ascontiguousarray(c))


def segments(signals: Iterable[object], first: float, last: float) -> Array:
    """Times between ``first`` and ``last`` where a signal's pieces change: adaptive steps must end there."""
    stops = [s.stops for s in signals if isinstance(s, Signal)]
    found, apart = np.sort(np.concatenate([[first], *stops])), SAME * max(abs(first), abs(last))
    inside = found[(found > first + apart) & (found < last - apart)]
    return np.array([first, *inside[np.diff(inside, prepend=first) > apart], last])
