"""Runs the examples of the pages and writes what they print below them: python docs/refresh.py [PAGE ...] (all pages by default).

The ```python blocks of a page share one namespace; a ```text block right after one holds its output. tests/test_docs.py reads pages the same way.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path


ROOT = Path(__file__).resolve().parents[1]
FENCE = re.compile(r"^(?P<ticks>```+)(?P<kind>[^\n`]*)\n(?P<text>.*?)^(?P=ticks)[ \t]*$", re.M | re.S)


@dataclass(frozen=True)
class Example:
    """A block of code; ``shown`` is where in the page its output stands, if it does."""

    line: int
    code: str
    expected: str | None
    shown: tuple[int, int] | None


def pages() -> list[Path]:
    """All pages, README first."""
    docs = ROOT / "docs"
    return [ROOT / "README.md", *sorted(p for p in docs.rglob("*.md") if not {"_build", "bench"} & set(p.relative_to(docs).parts))]


def examples(text: str) -> list[Example]:
    """The examples of a page."""
    fences = list(FENCE.finditer(text))
    made = []
    for fence, after in zip(fences, [*fences[1:], None], strict=False):
        if fence["kind"].strip() == "python":
            shown = after is not None and after["kind"].strip() == "text" and not text[fence.end() : after.start()].strip()
            line = text[: fence.start()].count("\n") + 1
            made.append(Example(line, fence["text"], after["text"] if shown else None, after.span("text") if shown else None))
    return made


def outputs(page: Path, text: str) -> list[str]:
    """What each example of a page prints, run in the current folder."""
    namespace = {"__name__": "page"}
    made = []
    for example in examples(text):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(compile("\n" * example.line + example.code, str(page), "exec"), namespace)
        made.append(out.getvalue())
    return made


def refresh(page: Path) -> bool:
    """Write the outputs of a page again; whether something changed."""
    text = page.read_text()
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            made = outputs(page, text)
        finally:
            os.chdir(before)
    new = text
    for example, output in reversed(list(zip(examples(text), made, strict=True))):
        if example.shown is not None:
            start, stop = example.shown
            new = new[:start] + output.rstrip() + "\n" + new[stop:]
    page.write_text(new)
    return new != text


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "agg")
    for page in [Path(p).resolve() for p in sys.argv[1:]] or pages():
        print("changed" if refresh(page) else "same   ", page.relative_to(ROOT))
