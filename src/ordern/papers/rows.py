"""Rows of the comparison: the paper's value, ours, their distance and the verdict."""

from __future__ import annotations

import importlib
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..report.html_report import Section
from ..report.tables import LinkedText, Table

__all__ = [
    "BOUND", "EQUAL", "ERRATA", "IDENTITY", "INDEPENDENT", "KINDS", "AGREE", "NOT_STATED", "PRINTED", "WITHIN",
    "Erratum", "Paper", "Row",
    "anchor", "compared", "differs", "distance", "errata_rows", "erratum", "label", "not_stated", "printed",
    "row_table", "say",
]  # fmt: skip

EQUAL, NOT_STATED = "equal", "not stated in the paper"
# What a row compares; kinds are counted apart, since they are worth different things.
PRINTED, INDEPENDENT, IDENTITY = "equal to what the paper prints", "equal to an independent computation", "identity"
AGREE, BOUND, WITHIN = "two of our methods agree", "bound", "printed numbers follow from printed formulas"
KINDS = (PRINTED, INDEPENDENT, IDENTITY, AGREE, BOUND, WITHIN)


def printed(paper: str) -> dict[str, Any]:
    """The numbers of a paper, with their source: as it prints them, or of an independent computation."""
    return tomllib.loads((Path(__file__).parent / "data" / f"{paper}.toml").read_text("utf-8"))


@dataclass(frozen=True)
class Row:
    """A comparison: ``verdict`` is "equal", "differs because ..." or "not stated in the paper", by ``kind``."""

    paper: str
    place: str
    what: str
    published: str
    ours: str
    difference: float | None
    verdict: str
    must_be_equal: bool = False
    kind: str = ""
    code: tuple[str, int] = ("", 0)  # file within papers/ and line that computes it; found by itself

    def __post_init__(self) -> None:
        if not self.code[0]:
            object.__setattr__(self, "code", _caller())
        if self.must_be_equal and self.kind not in KINDS:
            raise ValueError(
                f"{self.paper}, {self.place}, {self.what}: a row that must be equal needs one of the kinds"
            )

    @property
    def wrong(self) -> bool:
        """Whether this should have been equal and is not."""
        return self.must_be_equal and self.verdict != EQUAL


def _caller() -> tuple[str, int]:
    """File and line in this room that makes a row."""
    frame: Any = sys._getframe(2)
    while frame is not None:
        path = Path(frame.f_code.co_filename)
        if path.parent == Path(__file__).parent and path.name != "rows.py":
            return path.name, int(frame.f_lineno)
        frame = frame.f_back
    return "", 0


@dataclass(frozen=True)
class Paper:
    """A paper: its short name, title and citation, its part of the report, and all its rows."""

    name: str
    title: str
    citation: str
    sections: tuple[Section, ...]
    rows: tuple[Row, ...]
    seconds: float = 0.0


def say(value: object, digits: int = 6) -> str:
    """Numbers and arrays as short text."""
    if isinstance(value, str):
        return value
    array = np.asarray(value)
    if array.ndim == 0:
        return str(int(array)) if array.dtype.kind in "iu" else f"{float(array):.{digits}g}"
    if array.ndim == 1 and array.size <= 8:
        array = np.where(np.abs(array) < 1e-14 * np.max(np.abs(array)), 0, array)  # without the rounding of differences
        return ", ".join(say(x, digits) for x in array)
    return f"{' x '.join(map(str, array.shape))} numbers, largest {np.max(np.abs(array)):.{digits}g}"


def distance(a: object, b: object) -> float:
    """Max |a - b| / max |b|; the plain difference where b is zero."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    size = float(np.max(np.abs(b))) if b.size else 0.0
    return float(np.max(np.abs(a - b))) / (size or 1.0) if b.size else 0.0


def compared(
    paper: str,
    place: str,
    what: str,
    published: object,
    ours: object,
    tolerance: float = 0.0,
    *,
    must: bool = True,
    shown: str = "",
    kind: str = "",
) -> Row:
    """A row that holds if both agree within a relative tolerance; ``shown`` replaces the published numbers in print.

    Without ``kind``, numbers that are shown are the paper's own, "reference values" come from an independent
    computation, and any other text names an identity.
    """
    kind = kind or (INDEPENDENT if "reference" in shown else IDENTITY if shown else PRINTED)
    gap = distance(ours, published)
    verdict = EQUAL if gap <= tolerance else f"differs because of an error of {gap:.1e} (allowed: {tolerance:.1e})"
    return Row(paper, place, what, shown or say(published), say(ours), gap, verdict, must, kind)


def differs(
    paper: str, place: str, what: str, published: object, ours: object, because: str, difference: float | None = None
) -> Row:
    """A row where the paper and we differ, for a reason we know."""
    return Row(paper, place, what, say(published), say(ours), difference, f"differs because {because}")


@dataclass(frozen=True)
class Erratum:
    """A formula that can be read and is wrong.

    ``compute`` draws an arm and a state and returns what the formula gives as read, what it gives corrected, and the
    truth by other means; so the errors that a report shows are always those of the run.
    """

    paper: str
    place: str
    as_read: str
    correct: str
    tolerance: float
    compute: Callable[[np.random.Generator], tuple[Any, Any, Any]]

    def errors(self, seed: int = 0) -> tuple[float, float]:
        """Relative errors as read and corrected, on the arm and state that the seed draws."""
        as_read, corrected, truth = self.compute(np.random.default_rng(seed))
        return distance(as_read, truth), distance(corrected, truth)

    def rows(self, seed: int = 0) -> list[Row]:
        """Two rows: the formula as it can be read is off by that much, the corrected one agrees."""
        read, corrected = self.errors(seed)
        because = f"the text reads {self.as_read}, which is off by {read:.1e}; correct is {self.correct}"
        line = (Path(self.compute.__code__.co_filename).name, self.compute.__code__.co_firstlineno)
        first = Row(
            self.paper, self.place, "as read", self.as_read, self.correct, read, f"differs because {because}", code=line
        )
        verdict = EQUAL if corrected <= self.tolerance else f"differs because of an error of {corrected:.1e}"
        if read <= self.tolerance:
            verdict = f"differs because the text as read is right as well (off by {read:.1e} only)"
        other = "the paper's own other equations"
        return [
            first,
            Row(self.paper, self.place, "corrected", other, self.correct, corrected, verdict, True, IDENTITY, line),
        ]


ERRATA: list[Erratum] = []
ERRATA_FILES = ("errata_saha", "errata_more")


def erratum(paper: str, place: str, as_read: str, correct: str, tolerance: float) -> Callable[[Any], Any]:
    """Register a function of a random generator that returns (as read, corrected, truth)."""

    def register(compute: Any) -> Any:
        ERRATA.append(Erratum(paper, place, as_read, correct, tolerance, compute))
        return compute

    return register


def errata_rows(paper: str, seed: int = 0) -> list[Row]:
    """All computed errata of a paper, whichever of the files that hold them were imported before."""
    for name in ERRATA_FILES:  # they import this file, and a process that makes one paper imports no other
        importlib.import_module(f"{__package__}.{name}")
    return [row for e in ERRATA if e.paper == paper for row in e.rows(seed)]


def label(paper: str, place: str, what: str, as_read: str, correct: str, because: str) -> Row:
    """A name, range or size that is printed wrongly: nothing to compute, so no difference."""
    return Row(paper, place, f"{what} (a label)", as_read, correct, None, f"differs because {because}")


def not_stated(paper: str, place: str, what: str, ours: object, note: str = "") -> Row:
    """A row where the paper (or our text of it) has no value."""
    return Row(paper, place, what, note or "-", say(ours), None, NOT_STATED)


def row_table(rows: Iterable[Row] | Sequence[Row], title: str = "") -> Table:
    """Rows as a table for people: a reason that is the one of the row above is not repeated."""
    made, before = [], ""
    for r in rows:
        again = r.verdict == before and r.verdict.startswith("differs because")
        verdict, before = "differs because as above" if again else r.verdict, r.verdict
        made.append((r.place, r.what, r.published, r.ours, _linked(r), r.kind or "-", verdict))
    return Table(title, ("place", "what", "paper", "ours", "difference", "compared", "verdict"), tuple(made))


def _linked(row: Row) -> Any:
    """The difference, leading to the line of code that computes it."""
    name, line = row.code
    return LinkedText(_gap(row.difference), anchor(name, line)) if name else _gap(row.difference)


def anchor(name: str, line: int) -> str:
    """Where a line of code stands in the report."""
    return f"code-{name.removesuffix('.py')}-{line}"


def _gap(difference: float | None) -> str:
    """Rounding as 1e-16, what one would rather see as a number as such; a dash where there is nothing to subtract."""
    if difference is None:
        return "-"
    return (
        "0"
        if difference == 0
        else f"{difference:.1e}"
        if abs(difference) < 1e-3 or abs(difference) >= 1e4
        else f"{difference:.2g}"
    )
