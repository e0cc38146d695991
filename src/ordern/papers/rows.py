"""Rows: what a paper says, what we get, how far apart they are, and what follows from that."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..apply.report import Section
from ..apply.tables import Table

__all__ = ["EQUAL", "NOT_STATED", "Paper", "Row", "compared", "differs", "erratum", "not_stated", "row_table", "say"]

EQUAL, NOT_STATED = "equal", "not stated in the paper"


@dataclass(frozen=True)
class Row:
    """One comparison. ``verdict`` is "equal", "differs because ..." or "not stated in the paper"."""

    paper: str
    place: str
    what: str
    published: str
    ours: str
    difference: float | None
    verdict: str
    must_be_equal: bool = False

    @property
    def wrong(self) -> bool:
        """Whether this should have been equal and is not."""
        return self.must_be_equal and self.verdict != EQUAL


@dataclass(frozen=True)
class Paper:
    """A paper: its short name, title and citation, its part of the report, and all its rows."""

    name: str
    title: str
    citation: str
    sections: tuple[Section, ...]
    rows: tuple[Row, ...]
    seconds: float = 0.0


def say(value: Any, digits: int = 6) -> str:
    """Numbers and arrays as short text."""
    if isinstance(value, str):
        return value
    array = np.asarray(value)
    if array.ndim == 0:
        return str(int(array)) if array.dtype.kind in "iu" else f"{float(array):.{digits}g}"
    if array.ndim == 1 and array.size <= 8:
        array = np.where(np.abs(array) < 1e-14 * np.max(np.abs(array)), 0, array)  # without the dust of differences
        return ", ".join(say(x, digits) for x in array)
    return f"{' x '.join(map(str, array.shape))} numbers, largest {np.max(np.abs(array)):.{digits}g}"


def distance(a: Any, b: Any) -> float:
    """Max |a - b| / max |b|; the plain difference where b is zero."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    size = float(np.max(np.abs(b))) if b.size else 0.0
    return float(np.max(np.abs(a - b))) / (size or 1.0) if b.size else 0.0


def compared(paper: str, place: str, what: str, published: Any, ours: Any, tolerance: float = 0.0, *, must: bool = True, shown: str = "") -> Row:
    """A row that holds if both agree within a relative tolerance; ``shown`` replaces the published numbers in print."""
    gap = distance(ours, published)
    verdict = EQUAL if gap <= tolerance else f"differs because of an error of {gap:.1e} (allowed: {tolerance:.1e})"
    return Row(paper, place, what, shown or say(published), say(ours), gap, verdict, must)


def differs(paper: str, place: str, what: str, published: Any, ours: Any, because: str, difference: float | None = None) -> Row:
    """A row where the paper and we differ, for a reason we know."""
    return Row(paper, place, what, say(published), say(ours), difference, f"differs because {because}")


def erratum(paper: str, place: str, as_read: str, correct: str, error_as_read: float, error_correct: float, tolerance: float) -> list[Row]:
    """Two rows: the formula as it can be read is off by that much, the corrected one agrees."""
    first = Row(paper, place, "as read", as_read, correct, error_as_read, f"differs because the text reads {as_read}; correct is {correct}")
    verdict = EQUAL if error_correct <= tolerance else f"differs because of an error of {error_correct:.1e}"
    return [first, Row(paper, place, "corrected", "the paper's own other equations", correct, error_correct, verdict, True)]


def not_stated(paper: str, place: str, what: str, ours: Any, note: str = "") -> Row:
    """A row where the paper (or our text of it) has no value."""
    return Row(paper, place, what, note or "-", say(ours), None, NOT_STATED)


def row_table(rows: Iterable[Row] | Sequence[Row], title: str = "") -> Table:
    """Rows as a table for people."""
    made = tuple(
        (r.place, r.what, r.published, r.ours, "" if r.difference is None else f"{r.difference:.1e}" if r.difference else "0", r.verdict)
        for r in rows
    )
    return Table(title, ("place", "what", "paper", "ours", "difference", "verdict"), made)


def _gap(difference: float | None) -> str:
    """Rounding as 1e-16, what one would rather see as a number as such."""
    if difference is None:
        return ""
    return "0" if difference == 0 else f"{difference:.1e}" if abs(difference) < 1e-3 else f"{difference:.2g}"
