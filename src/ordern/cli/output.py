"""What commands print: tables with colours on a terminal, aligned text in pipes, JSON for machines; errors in one line."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ..report.tables import Table, plain, simple

__all__ = ["Output"]

GOOD, BAD = ("ok", "equal", "yes"), ("off", "warning", "wrong", "failed")


class Output:
    """Where results go. ``data`` gathers what --json prints; ``text`` and ``table`` are for people."""

    def __init__(self, as_json: bool = False) -> None:
        self.as_json = as_json
        self.terminal = sys.stdout.isatty() and not as_json
        self.data: dict[str, Any] = {}

    def text(self, *lines: str) -> None:
        """Lines as they are, without control characters."""
        if not self.as_json:
            for line in lines:
                print("\n".join(plain(part) for part in line.split("\n")))

    def table(self, table: Table, key: str | None = None) -> None:
        """A table; with ``key`` its rows are also part of the JSON."""
        if key:
            self.data[key] = table.records()
        if self.as_json:
            return
        if self.terminal:
            _console().print(_rich(table))
            for note in table.notes:
                print(plain(note))
        else:
            print(table.text())
        print()

    def finish(self) -> None:
        """Print the JSON, if that was asked for."""
        if self.as_json:
            print(json.dumps(simple(self.data), indent=1))

    @contextmanager
    def progress(self, total: int, what: str) -> Iterator[Any]:
        """A progress bar with remaining time on a terminal, nothing elsewhere; yields ``advance(description)``."""
        if not (sys.stderr.isatty() and not self.as_json):
            yield lambda description="": None
            return
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
        with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(what, total=total)
            yield lambda description="": bar.update(task, advance=1, description=description or what)


def _console() -> Any:
    from rich.console import Console

    return Console(markup=False, highlight=False)


def _rich(table: Table) -> Any:
    """The table for rich; names from files are plain text to it, never markup."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable(title=Text(plain(table.title), "bold"), title_justify="left", box=box.SIMPLE_HEAD, header_style="bold cyan", pad_edge=False)
    for name, right in zip(table.columns, table.numeric(), strict=True):
        made.add_column(Text(name), justify="right" if right else "left", overflow="fold")
    for row in table.cells():
        made.add_row(*(Text(cell, _style(cell)) for cell in row))
    return made


def _style(cell: str) -> str:
    first = cell.split(":")[0]
    return "green" if first in GOOD else "bold red" if first in BAD else "yellow" if first.startswith(("note", "differs", "refuses")) else ""


def error(message: str, as_json: bool = False) -> None:
    """One line on the error stream (and an object on the output for --json)."""
    line = plain(" ".join(message.split("\n")))
    if as_json:
        print(json.dumps({"error": line}))
    colour = sys.stderr.isatty()
    head = "\x1b[1;31merror:\x1b[0m" if colour else "error:"
    print(f"ordern: {head} {line}", file=sys.stderr)


def join(names: Sequence[str], most: int = 12) -> str:
    """Names in one line, the rest as a number."""
    return ", ".join(names[:most]) + (f", ... ({len(names)} in all)" if len(names) > most else "")
