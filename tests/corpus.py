"""The corpus of bad inputs: data/bad_files.json holds good texts, edits that break them, and what must be said about each.

``python tests/corpus.py`` records the messages anew after their wording was changed; the difference is what a reviewer reads.
"""

from __future__ import annotations

import contextlib
import io
import json
import re
import tempfile
import warnings
from functools import cache
from pathlib import Path

from ordern.cli import _guarded
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.errors import OrdernError, OrdernWarning
from ordern.simulate.series_files import read_series
from ordern.sweep.study import parse

PLACE = Path(__file__).parent / "data" / "bad_files.json"
WORDS = (
    "",
    "x",
    "nan",
    "-1",
    "1e400",
    "9" * 400,
    "true",
    "[]",
    '"',
    "\x00",
    "0",
    "[1, 2]",
    "{}",
    "inf inf inf",
    "1 2",
    "\u00e9",
)
COMMANDS = (
    "info", "info nope", "info panda --base sideways", "lint", "verify planar3 --nope", "inverse planar3", "inverse planar3 --trajectory nope.csv",
    "simulate planar3 --duration -1", "simulate planar3 --duration nan", "simulate planar3 --duration x", "simulate planar3 --q0 1,2",
    "simulate planar3 --out /nowhere/x.csv", "simulate planar3 --out x.doc", "simulate planar3 --plot x.doc", "formulas planar3",
    "formulas planar3 nope",
    "formulas planar3 mass_matrix --method nope", "count planar3 nope", "export planar3 mass_matrix", "export planar3 nope --c x",
    "convert planar3", "convert planar3 --to nope", "convert panda --to dh:nope", "bench nope", "sweep", "sweep nope.toml", "sweep / --engine nope",
    "view planar3 --port 99999", "view nope", "completion tcsh", "nope", "reproduce --paper nope", "info /dev/zero", "info /", "sweep /dev/zero",
)  # fmt: skip


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    """One for all: a million are made in ``make trust``."""
    return tempfile.TemporaryDirectory()


def series(text: str) -> None:
    path = Path(folder().name) / "series.csv"
    path.write_text(text, "utf-8")
    read_series(path)


READ = {"urdf": load_urdf, "toml": loads_toml, "dh": loads_toml, "study": parse, "series": series}


def said(kind: str, text: str) -> str | None:
    """What is said about an input, places of files left out; None where it is accepted."""
    if kind == "command":
        err = io.StringIO()
        with contextlib.redirect_stderr(err), contextlib.redirect_stdout(io.StringIO()):
            code = _guarded(text.split())
        return _plain(err.getvalue().strip()) if code == 2 else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        try:
            READ[kind](text)
        except OrdernError as error:
            return _plain(str(error))
    return None


def _plain(text: str) -> str:
    temporary = re.escape(tempfile.gettempdir())
    return re.sub(rf"{temporary}/\S*?/|/[\w./-]*pytest[\w./-]*/", "", text)


def broken(base: str, edit: list) -> str:
    """A good text with one place changed."""
    at, length, new = edit
    return base[:at] + new + base[at + length :]


def cases() -> list[tuple[str, str, str]]:
    """All of the corpus: kind, text, message."""
    known = json.loads(PLACE.read_text("utf-8"))
    return [
        (kind, broken(known["good"][kind], edit) if kind != "command" else edit[2], text)
        for kind, edit, text in known["bad"]
    ]


def record(good: dict[str, str], most: dict[str, int]) -> None:
    """Edits of every value with every word; of those with the same message one is kept."""
    bad: list = []
    for kind, base in good.items():
        seen: set[str] = set()
        pattern = r'(?<==")[^"]*(?=")|(?<== )[^\n]+|(?<=,)[^,\n]+|^[^\n]*\n|<\w+|(?<=\n)[\w.]+(?= =)'
        edits = [[m.start(), m.end() - m.start(), word] for word in WORDS for m in re.finditer(pattern, base)]
        for edit in edits:
            text = said(kind, broken(base, edit))
            rule = re.sub(r"[\d']+\S*|:\d+", "", text or "")
            if text is not None and rule not in seen and sum(b[0] == kind for b in bad) < most.get(kind, 90):
                seen.add(rule)
                bad.append([kind, edit, text])
    for line in COMMANDS:
        text = said("command", line)
        if text is not None:
            bad.append(["command", [0, 0, line], text])
    PLACE.write_text(json.dumps({"good": good, "bad": bad}, indent=0, ensure_ascii=True) + "\n", "utf-8")
    print({kind: sum(b[0] == kind for b in bad) for kind in (*good, "command")}, len(bad))


if __name__ == "__main__":
    if PLACE.exists():
        known = json.loads(PLACE.read_text("utf-8"))
        for case in known["bad"]:
            case[2] = said(case[0], broken(known["good"][case[0]], case[1]) if case[0] != "command" else case[1][2])
        known["bad"] = [case for case in known["bad"] if case[2] is not None]
        PLACE.write_text(json.dumps(known, indent=0, ensure_ascii=True) + "\n", "utf-8")
