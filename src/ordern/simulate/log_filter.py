"""Noise in logged motions: the cut-off that tells it from the motion, and a filter without phase that knows ends."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import need
from ..scalars.primitives import Array

__all__ = ["RINGS", "SHORTEST", "bend", "smooth"]

SHORTEST = 8  # samples of a piece between gaps
RINGS = 0.8  # of the highest frequency that samples hold: above it a filter takes nothing away and rings for long
FLOOR = 10.0  # times the power of the noise: what is below is noise


def _even(t: Array, x: Array, grid: Array) -> Array:
    interpolate: Any = need("scipy.interpolate", "simulate")
    inside = (t >= grid[0] - 1e-9) & (t <= grid[-1] + 1e-9)
    near_by = np.flatnonzero(inside)
    lo, hi = max(near_by[0] - 3, 0), min(near_by[-1] + 4, len(t))
    return np.asarray(interpolate.make_interp_spline(t[lo:hi], x[lo:hi], k=3)(grid))


def _trend(x: Array) -> Array:
    """What to filter around: a cubic with the values, and perhaps the second derivatives, of the samples at both ends.

    A log, and a piece of it that a gap cuts out, ends where it ends: in the middle of a motion, with an acceleration.
    A filter, which continues samples oddly beyond their ends, takes that for a corner; without the cubic there is none.
    Second derivatives are those of cubics fitted to some samples at the end. Of several such lengths, and of lines, the
    one counts that leaves the smoothest rest.
    """
    n = len(x)
    s = np.linspace(0, 1, n)
    made, few = [x[0] + (x[-1] - x[0]) * s], n
    while few >= SHORTEST:
        (x0, bend0), (x1, bend1) = _end(x[:few]), _end(x[: -few - 1 : -1])
        line = x0 + (x1 - x0) * s
        unit = (n - 1.0) ** 2 / 6
        made += [line, line + unit * (bend0 * ((1 - s) ** 3 - (1 - s)) + bend1 * (s**3 - s))]
        few //= 2
    spectra = [_spectrum(x - trend) for trend in made]
    noise = min(float(np.mean(power[2 * len(power) // 3 :])) for power in spectra)
    best: Array = made[min(range(len(made)), key=lambda k: (_highest(spectra[k], noise), float(np.sum(spectra[k]))))]
    return best


def _end(x: Array) -> tuple[float, float]:
    """Value and second derivative, a sample, at the first of some samples: of the cubic through them."""
    n = len(x)
    legendre = np.polynomial.legendre
    fit = legendre.legfit(np.linspace(1, -1, n), x, 3)
    return float(legendre.legval(1.0, fit)), float(legendre.legval(1.0, legendre.legder(fit, 2))) * (2 / (n - 1)) ** 2


def _spectrum(x: Array) -> Array:
    """Power at k / (2 T), k = 1, 2, ..., of the odd continuation (a sine transform), averaged over neighbours."""
    fft: Any = need("scipy.fft", "simulate")
    power = fft.dst(x[1:-1], type=1) ** 2 / len(x)
    wide = max(1, min(9, len(power) // 8))
    return np.convolve(power, np.ones(wide) / wide, "same")


def _highest(power: Array, noise: float) -> int:
    """The last k that rises from the noise."""
    above = np.flatnonzero(power > FLOOR * max(noise, 1e-24 * float(power.max(initial=0.0))))
    return int(above[-1]) + 1 if len(above) else 0


def bend(own: Sequence[Any], pieces: Sequence[tuple[float, float]], step: float) -> float:
    """The frequency above which no joint's motion rises from the noise in any piece, times 1.5, Hz.

    The upper third of all pieces' spectra is taken for noise.
    """
    highest = 0.0
    for t, x, _ in own:
        even = [_even(t, x, _grid(begin, end, step)) for begin, end in pieces]
        spectra = [_spectrum(values - _trend(values)) for values in even]
        noise = float(np.mean(np.concatenate([power[2 * len(power) // 3 :] for power in spectra])))
        highest = max(highest, *(_highest(power, noise) / (2 * step * (len(power) + 1)) for power in spectra))
    return max(1.5 * highest, 3.0 / max(end - begin for begin, end in pieces))


def _grid(begin: float, end: float, step: float) -> Array:
    return begin + step * np.arange(int((end - begin) / step * (1 + 1e-9)) + 1)


def smooth(
    own: Sequence[tuple[Array, Array]], begin: float, end: float, steps: tuple[float, float], cut: float
) -> tuple[Array, ...]:
    """Even times with values, rates, accelerations (T, joints): filtered at the log's step, then resampled."""
    interpolate: Any = need("scipy.interpolate", "simulate")
    signal: Any = need("scipy.signal", "simulate")
    own_grid, grid = (_grid(begin, end, h) for h in steps)
    x = np.stack([_even(t, values, own_grid) for t, values in own], axis=1)
    if cut < math.inf:
        share = cut * steps[0]  # of the sampling rate; near a half the filter rings as long as near nought
        sections = signal.butter(4, 2 * share, output="sos")
        trend = np.stack([_trend(column) for column in x.T], axis=1)
        x = trend + signal.sosfiltfilt(
            sections, x - trend, axis=0, padtype="odd", padlen=min(len(x) - 1, round(8 / min(share, 0.5 - share)))
        )
    spline = interpolate.make_interp_spline(own_grid, x, k=5)
    grid = grid[grid <= own_grid[-1] + 1e-9]
    return grid, spline(grid), spline.derivative(1)(grid), spline.derivative(2)(grid)
