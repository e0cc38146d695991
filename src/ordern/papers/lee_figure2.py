"""Figure 2 of Lee and Chirikjian like for like: the same work (one inverse; one solve) in the same language, and
operations counted.

The paper compares "the computational time required to compute the inverse of the mass matrices" for different N and
says that its method "is not effective for very small values of N". Neither its program nor its figure is in the text we
have. So each pair here shares everything but the method:

    one inverse, NumPy        n x n numbers: inv(G) after forming G, O(n^3); the Schur complement of the banded blocks
        of H, O(n^2)
    one solve, NumPy          n numbers: Cholesky after forming G, O(n^3); eq. (25) with a tridiagonal solve, O(n)
    one solve, compiled       n numbers: the same two methods, both through this library's compiler
    one solve, counted        multiplications and divisions, additions of both programs
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..report.html_report import Figure, Section
from ..report.plots import plot_counts, svg
from ..report.tables import Table
from ..scalars.primitives import Array
from .fixman_blocks import mass_matrix
from .rows import AGREE, PRINTED, Row, compared, not_stated, row_table

__all__ = ["banded_inverse", "banded_solve", "figure2"]

NAME = "lee2005"
SIZES = (2, 3, 5, 7, 10, 15, 20, 30, 50, 100, 200, 500, 1000, 2000)
COMPILED = (
    200  # links up to which the dense method is compiled: beyond, compiling takes longer than the figure is worth
)
COUNTED = (*range(1, 13), 16, 20, 30, 40)
PAIRS = ("one inverse, NumPy", "one solve, NumPy", "one solve, compiled")


def _bands(theta: Array, L: Array, m: Array) -> tuple[Array, Array, Array]:
    """The tridiagonal blocks in absolute angles: H_LL and H_pp as (diagonal, off), H_pL as (above, below)."""
    w, k = 1 / m, 1 / L
    before = np.concatenate([[0.0], w[:-1]])
    c, s = np.cos(theta[1:]), np.sin(theta[1:])
    off = -w[:-1] * c
    return (
        np.stack([w + before, np.append(off, 0.0)]),
        np.stack([k * k * (w + before), np.append(off * k[:-1] * k[1:], 0.0)]),
        np.stack([np.append(-w[:-1] * k[:-1] * s, 0.0), np.append(w[:-1] * k[1:] * s, 0.0)]),
    )


def _times(bands: Array, x: Array, below: Array | None = None) -> Array:
    """A tridiagonal matrix (diagonal, above; below the same unless given) times the columns of x."""
    above, under = bands[1][:-1, None], (bands[1] if below is None else below)[:-1, None]
    made: Array = bands[0][:, None] * x
    made[:-1] += above * x[1:]
    made[1:] += under * x[:-1]
    return made


def banded_solve(theta: Array, L: Array, m: Array, b: Array) -> Array:
    """G_aa^-1 b by eq. (25) in absolute angles with LAPACK's tridiagonal solver, O(n) a column."""
    from scipy.linalg import solveh_banded

    H_LL, H_pp, cross = _bands(theta, L, m)
    zero = np.zeros(len(theta))
    bp = b - np.concatenate([b[1:], np.zeros((1, b.shape[1]))])
    right = _times(np.stack([zero, cross[1]]), bp, cross[0])  # H_pL^T: what is above stands below
    upper = np.stack([np.concatenate([[0.0], H_LL[1][:-1]]), H_LL[0]])
    e = solveh_banded(upper, right, check_finite=False)
    phi = _times(H_pp, bp) - _times(np.stack([zero, cross[0]]), e, cross[1])
    return np.concatenate([phi[:1], np.diff(phi, axis=0)])


def banded_inverse(theta: Array, L: Array, m: Array) -> Array:
    """G_aa^-1, all n columns: O(n^2), which is as many numbers as it has."""
    return banded_solve(theta, L, m, np.eye(len(theta)))


def _timed(work: Callable[[], Any], least: float = 0.03) -> float:
    """The least processor time (of all threads) over at least three runs (one, if they are long), in s."""
    best, spent, runs = np.inf, 0.0, 0
    while spent < least or (runs < 3 and spent < 1.5):
        begin = time.process_time()
        work()
        took = max(time.process_time() - begin, 1e-9)
        best, spent, runs = min(best, took), spent + took, runs + 1
    return best


def _measured(point_chain: Callable[[int], Any]) -> tuple[dict[str, tuple[list[float], list[float]]], list[Row]]:
    """Times (dense, O(n)) of every pair, and rows that both do the same."""
    from scipy.linalg import cho_factor, cho_solve

    times: dict[str, tuple[list[float], list[float]]] = {pair: ([], []) for pair in PAIRS}
    rows = []
    for n in SIZES:
        r, L, m, theta, _, tau = point_chain(n)
        r, b, zero = r.with_gravity((0, 0, 0)), tau[:, None], np.zeros(n)

        def dense(theta: Array = theta, L: Array = L, m: Array = m, b: Array = b) -> Array:
            factor = cho_factor(mass_matrix(theta, L, m), lower=True, check_finite=False)
            return np.asarray(cho_solve(factor, b, check_finite=False))

        work: dict[str, tuple[Callable[[], Array], Callable[[], Array]]] = {
            PAIRS[0]: (lambda: np.linalg.inv(mass_matrix(theta, L, m)), lambda: banded_inverse(theta, L, m)),  # noqa: B023 - called at once
            PAIRS[1]: (dense, lambda: banded_solve(theta, L, m, b)),  # noqa: B023
        }
        if n <= COMPILED:
            work[PAIRS[2]] = tuple(  # type: ignore[assignment]
                lambda method=method: r.forward_dynamics(theta, zero, tau, method=method)  # noqa: B023
                for method in ("composite", "fixman-planar")
            )
        for pair, both in work.items():
            if n == 20:
                rows.append(
                    compared(
                        NAME,
                        "fig. 2",
                        f"{pair}: both give the same, N = {n}",
                        both[0](),
                        both[1](),
                        1e-10,
                        shown="G_aa^-1",
                        kind=AGREE,
                    )
                )
            for kept, one in zip(times[pair], both, strict=True):
                one()
                kept.append(_timed(one))
    return times, rows


def _counts(point_chain: Callable[[int], Any]) -> tuple[Table, list[Row]]:
    lines = []
    for n in COUNTED:
        r = point_chain(n)[0].with_gravity((0, 0, 0))
        made = [r.operation_counts("forward_dynamics", method=method) for method in ("composite", "fixman-planar")]
        lines.append((n, *(x for c in made for x in (c.mul + c.div, c.add))))
    first = next((line[0] for line in lines if line[3] + line[4] < line[1] + line[2]), None)
    columns = ("N", "dense: mul, div", "dense: add", "O(n): mul, div", "O(n): add")
    notes = (
        "Forward dynamics as compiled (velocity terms included): composite bodies and Cholesky; eq. (25). Sines, "
        "cosines and roots apart.",
    )
    row = not_stated(
        NAME, "sec. III", "first N with fewer operations, one solve", first, "not effective for very small N"
    )
    return Table("Operations of one solve", columns, tuple(lines), notes), [row]


def _exponents(point_chain: Callable[[int], Any], times: dict[str, tuple[list[float], list[float]]]) -> list[Row]:
    """The powers of N with which times grow, where N is large enough for them to show."""
    long = (10_000, 30_000, 100_000)
    given = [point_chain(n)[1:] for n in long]
    solve = [_timed(lambda g=g: banded_solve(g[2], g[0], g[1], g[4][:, None])) for g in given]  # type: ignore[misc]
    found = (
        ("one inverse, dense, N = 500 to 2,000", SIZES[-3:], times[PAIRS[0]][0][-3:], 3),
        ("one inverse, banded (N x N numbers), N = 500 to 2,000", SIZES[-3:], times[PAIRS[0]][1][-3:], 2),
        ("one solve, banded, N = 10,000 to 100,000", long, solve, 1),
    )
    rows = []
    for what, sizes, took, wanted in found:
        slope = float(np.polyfit(np.log(sizes), np.log(took), 1)[0])
        rows.append(
            not_stated(NAME, "fig. 2", f"exponent of N, {what}", f"{slope:.2f}", f"(figure lost; {wanted} as N grows)")
        )
    return rows


def figure2(point_chain: Callable[[int], Any]) -> tuple[Section, list[Row]]:
    """Figures, tables and rows."""
    times, rows = _measured(point_chain)
    parts: list[Any] = [
        "Each figure compares two methods that do the same work in the same language: one inverse (as in the paper's "
        "figure, N x N numbers) or one solve (what a simulation needs, N numbers). Times are processor time on this "
        "machine in this run. The paper's own figure is not in the text available to us, so no point of it is drawn "
        "over ours."
    ]
    for pair, (dense, banded) in times.items():
        sizes = SIZES[: len(dense)]
        ratio = dense[-1] / banded[-1]
        slower = [k for k, (a, b) in enumerate(zip(dense, banded, strict=True)) if b >= a]
        first = sizes[slower[-1] + 1] if slower and slower[-1] + 1 < len(sizes) else sizes[0] if not slower else None
        rows += [
            Row(NAME, "fig. 2", f"{pair}: the O(n) method is faster for large N", "yes",
            f"{ratio:.3g} times at N = {sizes[-1]}", None,
                "equal" if ratio > 1 else "differs because of an error in the method", True, PRINTED),
            not_stated(NAME, "sec. III", f"{pair}: N of the list from which on it is faster", first or "none",
            "not effective for very small N"),
        ]  # fmt: skip
        curves = {"form G, then dense": dense, "banded blocks of H": banded}
        made = plot_counts(
            list(sizes), curves, title=f"Figure 2: {pair}", ylabel="time (s)", xlabel="links N", log=True
        )
        parts.append(
            Figure(
                svg(made),
                f"{pair.capitalize().replace('numpy', 'NumPy')}: both curves do the same work in the same language.",
            )
        )
    rows += _exponents(point_chain, times)
    table, counted = _counts(point_chain)
    rows += counted
    cells = tuple(
        (n, *(f"{series[k] * 1e3:.4g}" if k < len(series) else "" for both in times.values() for series in both))
        for k, n in enumerate(SIZES)
    )
    columns = ("N", *(f"{pair}: {kind}" for pair in times for kind in ("dense", "banded")))
    return Section(
        "Figure 2: time against N, like for like",
        (*parts, Table("Milliseconds", columns, cells), table, row_table(rows)),
    ), rows
