"""All papers in one go: two processes side by side, one report as HTML, JSON and CSV."""

from __future__ import annotations

import importlib
import json
import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ..files import write
from ..report.html_report import page
from ..report.tables import Table
from .beyond import beyond
from .rows import EQUAL, KINDS, NOT_STATED, Paper, Row, row_table

__all__ = ["NAMES", "Reproduction", "one", "reproduce", "write_report"]

NAMES = ("saha1999ijrr", "saha1999jam", "saha1997", "lee2005", "provenzano", "redysim", "studies")
MENU = {
    "saha1999ijrr": "Saha 1999, the inverse", "saha1999jam": "Saha 1999, DeNOC",
    "saha1997": "Saha 1997, the decomposition",
    "lee2005": "Lee, Chirikjian 2005", "provenzano": "Provenzano et al., GAH", "redysim": "ReDySim, KUKA KR5",
    "studies": "A study: steps and errors",
}  # fmt: skip
LONGEST_FIRST = ("saha1999jam", "provenzano", "studies", "saha1997", "saha1999ijrr", "redysim")
SHORT = ("as printed", "independent", "identity", "methods", "bound", "within the paper")  # KINDS as column heads
BLAS = ("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "OMP_NUM_THREADS")
TIMED = ("lee2005",)  # measures times itself, so nothing else may run beside it


@dataclass(frozen=True)
class Reproduction:
    """The papers and how long they took."""

    papers: tuple[Paper, ...]
    seconds: float

    @property
    def rows(self) -> tuple[Row, ...]:
        """All rows of all papers."""
        return tuple(r for p in self.papers for r in p.rows)

    @property
    def ok(self) -> bool:
        """Whether everything that must be equal is."""
        return not any(r.wrong for r in self.rows)

    def table(self) -> Table:
        """All rows."""
        cells = tuple(
            (r.paper, r.place, r.what, r.published, r.ours, r.difference, r.kind, r.verdict, r.must_be_equal)
            for r in self.rows
        )
        return Table(
            "",
            ("paper", "place", "what", "published", "ours", "difference", "compared", "verdict", "must_be_equal"),
            cells,
        )

    def summary(self) -> Table:
        """One line a paper."""
        lines = tuple(
            (MENU.get(p.name, p.title), len(p.rows), *_agreements(p.rows), *_counted(p.rows)[1:], round(p.seconds, 1))
            for p in self.papers
        )
        columns = ("paper", "rows", *SHORT, "differ, explained", "not stated", "wrong", "seconds")
        return Table("The five papers, reproduced", columns, lines)

    def wrong(self) -> Table:
        """What should be equal and is not."""
        return row_table([r for r in self.rows if r.wrong], "Not equal, but should be")


def _agreements(rows: Sequence[Row]) -> tuple[int, ...]:
    """How many rows are equal, one number for each of KINDS."""
    return tuple(sum(r.verdict == EQUAL and r.kind == kind for r in rows) for kind in KINDS)


def _counted(rows: Sequence[Row]) -> tuple[int, int, int, int]:
    wrong = sum(r.wrong for r in rows)
    equal, unsaid = sum(r.verdict == EQUAL for r in rows), sum(r.verdict == NOT_STATED for r in rows)
    return equal, len(rows) - equal - unsaid - wrong, unsaid, wrong


def one(name: str) -> Paper:
    """One paper, timed."""
    begin = time.perf_counter()
    made: Paper = importlib.import_module(f"ordern.papers.{name}").paper()
    return replace(made, seconds=time.perf_counter() - begin)


def _deaf() -> None:
    """Let Ctrl-C reach the main process only; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _run(names: Sequence[str], processes: int, apart: bool) -> Iterator[Paper]:
    """Papers as they finish; ``apart``: in processes with one linear algebra thread, for comparable times."""
    if not apart or not names:
        yield from map(one, names)
        return
    kept = {name: os.environ.get(name) for name in BLAS}
    os.environ.update(dict.fromkeys(BLAS, "1"))
    try:
        with get_context("spawn").Pool(processes, _deaf) as pool:
            yield from pool.imap_unordered(one, names)
    finally:
        for name, value in kept.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def reproduce(
    names: Sequence[str] = NAMES, progress: Callable[[str], Any] | None = None, processes: int = 1
) -> Reproduction:
    """Run the papers.

    Args:
        names: which ones, of NAMES.
        progress: called with the name of each paper when it is done.
        processes: how many run at once (a script that asks for more than one needs the guard of multiprocessing); those
            that measure times run alone.
    """
    begin = time.perf_counter()
    tell = progress or (lambda name: None)
    done: dict[str, Paper] = {}
    together, alone = [n for n in LONGEST_FIRST if n in names], [n for n in names if n in TIMED]
    for group, count in ((together, processes), (alone, 1)):
        for made in _run(group, count, apart=processes > 1):
            done[made.name] = made
            tell(made.name)
    return Reproduction(tuple(done[n] for n in names), time.perf_counter() - begin)


def write_report(made: Reproduction, folder: Path) -> list[Path]:
    """report.html, report.json and report.csv, each whole or not at all."""
    paths = [folder / "report.html", folder / "report.json", folder / "report.csv"]
    write(paths[0], html(made))
    data = {
        "ok": made.ok,
        "seconds": round(made.seconds, 2),
        "papers": made.summary().records(),
        "rows": made.table().records(),
    }
    write(paths[1], json.dumps(data, indent=1))
    write(paths[2], made.table().csv())
    return paths


def html(made: Reproduction) -> str:
    """The report as one page."""
    _, differ, unsaid, wrong = _counted(made.rows)
    cards = [
        (str(len(made.rows)), "rows"),
        *((str(count), kind) for count, kind in zip(_agreements(made.rows), KINDS, strict=True)),
        (str(differ), "differ, and we say why"),
        (str(unsaid), "not stated in the paper, or lost in our copy of it"),
        (str(wrong), "should be equal and are not"),
        (f"{made.seconds:.0f} s", "to make this page"),
    ]
    lead = (
        "Every table and every figure of five papers on robot dynamics, recomputed or redrawn by ordern and compared "
        "with what the papers print. The plots themselves are not in the texts available to us, so that nothing could "
        "be read off them: where a paper has only a picture, our curve is compared with an independent computation "
        "and with what its text says about the picture.",
        "Agreement is counted by what a row is compared with: the digits or statement that the paper prints; an "
        "independent computation, where the paper has only a picture; an identity of the paper's equations; another "
        "of our methods; a bound such as an operation count; or the paper's own formulas. Differences are relative "
        "(of bands and bounds: how many are off), and each is a link to the line of code that computes it. Misprints "
        "are shown beside what is correct, with the error each one makes.",
    )
    overview = ("Overview", "Overview", "One line a paper.", [_overview(made)])
    chapters = [
        overview,
        *((MENU[p.name], p.title, p.citation, p.sections) for p in made.papers),
        *([beyond()] if len(made.papers) > 1 else []),
        _code(made.rows),
    ]
    return page("Five papers, reproduced", lead, cards, chapters)


def _code(rows: Sequence[Row]) -> Any:
    """The source of every row; each difference in the tables leads to its line."""
    from ..report.html_report import Details, Listing, Section

    folder = Path(__file__).parent
    files = sorted({r.code[0] for r in rows if r.code[0]})
    sources = {name: tuple((folder / name).read_text().splitlines()) for name in files}
    parts = [
        Details(f"papers/{name}", (Listing(f"code-{name.removesuffix('.py')}", lines),))
        for name, lines in sources.items()
    ]
    text = (
        "Differences in the tables are links: each leads to the line below that computes its row. The files lie in "
        "src/ordern/papers."
    )
    return "Code of the rows", "The code of the rows", "", [Section("Files", (text, *parts))]


def _overview(made: Reproduction) -> Any:
    from ..report.html_report import Section

    parts: list[Any] = [made.summary()]
    if not made.ok:
        parts.append(made.wrong())
    return Section("Verdicts", tuple(parts))
