"""All papers in one go: two processes side by side, one report as HTML, JSON and CSV."""

from __future__ import annotations

import importlib
import json
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from ..apply.report import page
from ..apply.tables import Table
from ..describe.write import write
from .rows import EQUAL, NOT_STATED, Paper, Row, row_table

__all__ = ["NAMES", "Reproduction", "one", "reproduce", "write_report"]

NAMES = ("saha1999ijrr", "saha1999jam", "saha1997", "lee2005", "provenzano", "studies")
MENU = {
    "saha1999ijrr": "Saha 1999, the inverse", "saha1999jam": "Saha 1999, DeNOC", "saha1997": "Saha 1997, the decomposition",
    "lee2005": "Lee, Chirikjian 2005", "provenzano": "Provenzano et al., GAH", "studies": "A study: steps and errors",
}  # fmt: skip
LONGEST_FIRST = ("saha1999jam", "provenzano", "studies", "saha1997", "saha1999ijrr")
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
        cells = tuple((r.paper, r.place, r.what, r.published, r.ours, r.difference, r.verdict, r.must_be_equal) for r in self.rows)
        return Table("", ("paper", "place", "what", "published", "ours", "difference", "verdict", "must_be_equal"), cells)

    def summary(self) -> Table:
        """One line a paper."""
        lines = tuple((p.name, len(p.rows), *_counted(p.rows), round(p.seconds, 1)) for p in self.papers)
        return Table("The five papers, reproduced", ("paper", "rows", "equal", "differ, explained", "not stated", "wrong", "seconds"), lines)

    def wrong(self) -> Table:
        """What should be equal and is not."""
        return row_table([r for r in self.rows if r.wrong], "Not equal, but should be")


def _counted(rows: Sequence[Row]) -> tuple[int, int, int, int]:
    wrong = sum(r.wrong for r in rows)
    equal, unsaid = sum(r.verdict == EQUAL for r in rows), sum(r.verdict == NOT_STATED for r in rows)
    return equal, len(rows) - equal - unsaid - wrong, unsaid, wrong


def one(name: str) -> Paper:
    """One paper, timed."""
    begin = time.perf_counter()
    made: Paper = importlib.import_module(f"ordern.papers.{name}").paper()
    return replace(made, seconds=time.perf_counter() - begin)


def reproduce(names: Sequence[str] = NAMES, progress: Callable[[str], Any] | None = None, processes: int = 2) -> Reproduction:
    """Run the papers.

    Args:
        names: which ones, of NAMES.
        progress: called with the name of each paper when it is done.
        processes: how many run at once; those that measure times run alone.
    """
    begin = time.perf_counter()
    tell = progress or (lambda name: None)
    done: dict[str, Paper] = {}
    together = [n for n in LONGEST_FIRST if n in names]
    if len(together) > 1 and processes > 1:
        with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
            waiting = {pool.submit(one, n): n for n in together}
            for future in as_completed(waiting):
                done[waiting[future]] = future.result()
                tell(waiting[future])
        together = []
    for n in (*together, *(n for n in names if n in TIMED)):
        done[n] = one(n)
        tell(n)
    return Reproduction(tuple(done[n] for n in names), time.perf_counter() - begin)


def write_report(made: Reproduction, folder: Path) -> list[Path]:
    """report.html, report.json and report.csv, each whole or not at all."""
    paths = [folder / "report.html", folder / "report.json", folder / "report.csv"]
    write(paths[0], html(made))
    data = {"ok": made.ok, "seconds": round(made.seconds, 2), "papers": made.summary().records(), "rows": made.table().records()}
    write(paths[1], json.dumps(data, indent=1))
    write(paths[2], made.table().csv())
    return paths


def html(made: Reproduction) -> str:
    """The report as one page."""
    equal, differ, unsaid, wrong = _counted(made.rows)
    cards = [
        (str(len(made.rows)), "comparisons"),
        (str(equal), "equal"),
        (str(differ), "differ, and we say why"),
        (str(unsaid), "not stated in the paper"),
        (str(wrong), "should be equal and are not"),
        (f"{made.seconds:.0f} s", "to make this page"),
    ]
    lead = (
        "Every table and figure of five papers on robot dynamics, computed anew by ordern and compared with what the papers print.",
        "Equal means: to the digits printed, or to rounding against independent reference values where the paper has only a picture. "
        "Differences are relative. Misprints are shown beside what is correct, with the error each one makes.",
    )
    overview = ("Overview", "Overview", "One line a paper.", [_overview(made)])
    chapters = [overview, *((MENU[p.name], p.title, p.citation, p.sections) for p in made.papers)]
    return page("Five papers, reproduced", lead, cards, chapters)


def _overview(made: Reproduction) -> Any:
    from ..apply.report import Section

    parts: list[Any] = [made.summary()]
    if not made.ok:
        parts.append(made.wrong())
    return Section("Verdicts", tuple(parts))
