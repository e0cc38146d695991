"""Output of commands: tables on a terminal, aligned text in pipes, JSON for machines, one-line errors."""

from __future__ import annotations

import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from ..errors import readable
from ..report.tables import Table, plain, simple
from .silence import EVERY

__all__ = ["Output"]

# what messages of the library call their arguments, as the command line has them
OPTIONS = (
    (re.compile(r"""on_invalid='warn' or 'repair'"""), "--on-invalid warn (or repair)"),
    (re.compile(r"""on_invalid ?= ?["']?(warn|repair|error)["']?"""), r"--on-invalid \1"),
    (re.compile(r"limits=False"), "--no-limits"),
    (re.compile(r"friction=False"), "--no-friction"),
    (re.compile(r"^xacro_args\b"), "--xacro-arg"), (re.compile(r"^packages:"), "--package:"),
    (re.compile(r"load with mimic=False"), "in Python, load it with mimic=False"),
    (re.compile(r"""\bmethod=["']([\w-]+)["']"""), r"--method \1"),
    (re.compile(r"""\bbase=["'](\w+)["']"""), r"--base \1"),
    (re.compile(r"""\blocked=\{["']?([^'"{}]+)["']?: ?([-\w.]+)\}"""), r"--locked \1=\2"),
    (re.compile(r"\blocked="), "--locked "),
    (re.compile(r"""\b(units|topic)=["']([^"']+)["']"""), r"--\1 \2"), (re.compile(r"\bon_invalid\b"), "--on-invalid"),
    (re.compile(r"\b(saturate|fixman)=True"), r"--\1"), (re.compile(r"\b(temperature)="), r"--\1"),
    (re.compile(r"\b(?:packages|xacro_args)=\{[^{}]*\} or "), ""),
    (re.compile(r"""\blink=["']([^"']+)["']"""), r"--link \1"), (re.compile(r"\bgive rtol and atol\b"), "give --rtol"),
)  # fmt: skip
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
        """A progress bar on a terminal, occasional lines elsewhere; yields ``advance(description, steps)``."""
        if not sys.stderr.isatty():
            lines, done = Lines(what), 0

            def advance(description: str = "", steps: int = 1) -> None:
                nonlocal done
                done += steps
                lines.say(done / total, description)

            yield advance
            return
        with _bar() as bar:
            task = bar.add_task(what, total=total)
            yield lambda description="", steps=1: bar.update(task, advance=steps, description=description or what)

    @contextmanager
    def share(self, what: str) -> Iterator[Callable[[float], None]]:
        """The same for work that says which share of it is done; shown once it has taken a second."""
        if not sys.stderr.isatty():
            yield Lines(what).say
            return
        begin = time.monotonic()
        with ExitStack() as stack:
            task: list[Any] = []

            def told(share: float) -> None:
                if not task and time.monotonic() - begin > 1.0:
                    bar = stack.enter_context(_bar())
                    task[:] = bar, bar.add_task(what, total=1.0)
                if task:
                    task[0].update(task[1], completed=share)

            yield told


class Lines:
    """Progress where there is no terminal (a log, a pipe): one line on the error stream every EVERY seconds."""

    def __init__(self, what: str) -> None:
        self.what, self.begin = what, time.monotonic()
        self.last = self.begin

    def say(self, share: float, description: str = "") -> None:
        """What is done, if it is time to say so."""
        now = time.monotonic()
        if now - self.last < EVERY or share >= 1.0:
            return
        self.last = now
        gone = now - self.begin
        left = f", some {gone * (1 - share) / share:.0f} s left" if share > 0.02 else ""
        detail = f" ({plain(description)})" if description and description != self.what else ""
        print(f"ordern: {plain(self.what)}: {share:.0%} after {gone:.0f} s{left}{detail}", file=sys.stderr, flush=True)


def _bar() -> Any:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _console() -> Any:
    from rich.console import Console

    return Console(markup=False, highlight=False)


def _rich(table: Table) -> Any:
    """The table for rich; names from files are plain text to it, never markup."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable(
        title=Text(plain(table.title), "bold"),
        title_justify="left",
        box=box.SIMPLE_HEAD,
        header_style="bold cyan",
        pad_edge=False,
    )
    for name, right in zip(table.columns, table.numeric(), strict=True):
        made.add_column(Text(name), justify="right" if right else "left", overflow="fold")
    for row in table.cells():
        made.add_row(*(Text(cell, _style(cell)) for cell in row))
    return made


def _style(cell: str) -> str:
    first = cell.split(":")[0]
    return (
        "green"
        if first in GOOD
        else "bold red"
        if first in BAD
        else "yellow"
        if first.startswith(("note", "differs", "refuses"))
        else ""
    )


def error(message: str, as_json: bool = False) -> None:
    """One line on the error stream (and an object on the output for --json)."""
    line = readable(as_options(plain(" ".join(message.split("\n")))))
    if as_json:
        print(json.dumps({"error": line}))
    colour = sys.stderr.isatty()
    head = "\x1b[1;31merror:\x1b[0m" if colour else "error:"
    print(f"ordern: {head} {line}", file=sys.stderr)


def as_options(text: str) -> str:
    """A message of the library with arguments named as the command line has them."""
    for pattern, option in OPTIONS:
        text = pattern.sub(option, text)
    return text
