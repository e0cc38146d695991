"""The notebooks of examples/notebooks run from top to bottom, as nbconvert runs them, and show what they promise; they are kept without outputs."""

from __future__ import annotations

import base64
import re
from pathlib import Path

import nbformat
import pytest
from nbconvert.preprocessors import ExecutePreprocessor

from budget import PATIENCE, TRUST

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "notebooks"
# notebook: pictures, pages (the robot or a run in 3-D), and what one of its cells prints
SHOWN = {
    "1_first_steps": (3, 2, r"left over at the end"),
    "2_denoc": (2, 0, r"natural-complement +differs by \d\.\de-1\d"),
    "3_control": (2, 0, r"computed torque +at the end \d\.\de-1\d rad"),
    "4_energy": (3, 0, ""),
    "5_logs_and_payloads": (2, 0, r"mass 1\.[67]\d kg"),
}
SOON = list(SHOWN) if TRUST else ["1_first_steps", "4_energy"]  # each compiles several robots


def test_they_are_all_here_and_clean():
    assert sorted(SHOWN) == sorted(p.stem for p in FOLDER.glob("*.ipynb"))
    for path in FOLDER.glob("*.ipynb"):
        book = nbformat.read(path, 4)
        nbformat.validate(book)
        assert book.metadata.kernelspec.name == "python3"
        assert all(not cell.outputs and cell.execution_count is None for cell in book.cells if cell.cell_type == "code")
        assert not re.search(r"/(home|root|work|Users|tmp)/", path.read_text())


@pytest.mark.parametrize("name", SOON)
def test_it_runs(name, tmp_path):
    book = nbformat.read(FOLDER / f"{name}.ipynb", 4)
    ExecutePreprocessor(timeout=int(PATIENCE), kernel_name="python3").preprocess(
        book, {"metadata": {"path": str(tmp_path)}}
    )
    outputs = [o for cell in book.cells for o in cell.get("outputs", ())]
    assert not [o.text for o in outputs if o.output_type == "stream" and o.name == "stderr"]
    data = [o.data for o in outputs if "data" in o]
    pictures = [base64.b64decode(d["image/png"]) for d in data if "image/png" in d]
    pages, printed, said = SHOWN[name][1], "".join(o.text for o in outputs if o.output_type == "stream"), SHOWN[name][2]
    assert len(pictures) == SHOWN[name][0] and all(p.startswith(b"\x89PNG") and len(p) > 5000 for p in pictures)
    assert sum("<iframe" in d.get("text/html", "") for d in data) == pages
    assert re.search(said, printed)
