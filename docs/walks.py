"""Counts what two calls pass on their way, and writes the figures into docs/architecture.md: python docs/walks.py

Each walk runs in a new process with an empty store for machine code. An entry is a call in another room than the call before it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

PAGE = Path(__file__).resolve().parent / "architecture.md"
START = "import numpy as np, ordern; arm = ordern.load('ur5'); q = np.zeros(6)"
WALKS = {
    "inverse dynamics, first call": (START, "arm.inverse_dynamics(q, q, q)"),
    "inverse dynamics, second call": (START + "; arm.inverse_dynamics(q, q, q)", "arm.inverse_dynamics(q, q, q)"),
    "simulation of 16 arms": (START, "arm.simulate(np.zeros((16, 6)), duration=0.1)"),
}


def counted(before: str, call: str) -> dict[str, object]:
    """Files, calls and entries by room of one call, by sys.setprofile."""
    names: dict[str, object] = {}
    exec(before, names)
    code, root = compile(call, "<walk>", "exec"), str(Path(names["ordern"].__file__).parent) + os.sep
    files, entries, calls, last = set(), Counter(), 0, ""

    def see(frame: object, event: str, _: object) -> None:
        nonlocal calls, last
        if (
            event == "call"
            and (file := frame.f_code.co_filename).startswith(root)
            and frame.f_code.co_name != "<module>"
        ):
            room = file[len(root) :].split(os.sep)[0].removesuffix(".py")
            files.add(file)
            calls, entries[room], last = calls + 1, entries[room] + (room != last), room

    sys.setprofile(see)
    exec(code, names)
    sys.setprofile(None)
    return {"files": len(files), "calls": calls, "entries": entries}


def table() -> str:
    """The three walks as a table."""
    rows = ["| call | files | calls | entries into rooms |", "| --- | --- | --- | --- |"]
    for name, walk in WALKS.items():
        with tempfile.TemporaryDirectory() as store:
            environment = {**os.environ, "ORDERN_CACHE": store}
            made = subprocess.run(
                [sys.executable, __file__, *walk], env=environment, capture_output=True, text=True, check=True
            )
        found = json.loads(made.stdout)
        rooms = ", ".join(f"`{room}` {times:,}" for room, times in sorted(found["entries"].items(), key=lambda x: x[1]))
        rows.append(f"| {name} | {found['files']} | {found['calls']:,} | {rooms} |")
    return "\n".join(rows)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        print(json.dumps(counted(*sys.argv[1:])))
    else:
        text = re.sub(
            r"(?s)(<!-- walks -->\n).*?(?=<!-- end of walks -->)",
            lambda m: m[1] + table() + "\n",
            PAGE.read_text("utf-8"),
        )
        PAGE.write_text(text, "utf-8")
