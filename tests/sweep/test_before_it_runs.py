"""What no simulation would begin with is refused before a folder is made, by its line and key: the corrected study takes the same folder."""

from __future__ import annotations

import re

import pytest

import ordern
from ordern.sweep import sweep as sweep_module
from ordern.sweep.study import parse
from ordern.sweep.sweep import sweep

STUDY = """robot = "{robot}"
samples = 12
block = 4
[simulation]
duration = 0.02
{more}
[sweep]
{swept} = {{ uniform = [0.1, 0.2] }}
"""
WRONG = [
    ("fourbar", "[start]\nq = [0.3, 0.1, 0.2]", "damping.crank", 6, "start", "leaves loop 'tip' open"),
    ("fourbar", "", "start.q.crank", 8, "sweep.start.q.crank", "leaves loop 'tip' open"),
    ("fourbar", "[start]\nqd = 1.0", "damping.crank", 6, "start", "opens loop 'tip'"),
    ("planar3", "[payload]\nmass = 1.0\nlink = 'base'", "masses", 6, "payload", "fixed to the world"),
    ("planar3", "[payload]\nmass = 1.0\ninertia = [1.0, 0, 0, 0, 0, 0]", "masses", 6, "payload", "principal moments"),
    ("planar3", "[payload]\nmass = 1.0", "payload.inertia.xx", 9, "sweep.payload.inertia.xx", "principal moments"),
    ("planar3", "[controller]\nlaw = 'pd'\nkp = 1.0\nkd = 1.0\npath = { to = 1.0, duration = 1e-100, profile = 'quintic' }",
     "masses", 6, "controller", "too short"),
]  # fmt: skip


@pytest.mark.parametrize(("robot", "more", "swept", "line", "key", "said"), WRONG)
def test_a_study_that_cannot_begin_leaves_no_folder(robot, more, swept, line, key, said, tmp_path, monkeypatch):
    monkeypatch.setattr(sweep_module, "_engine", lambda *_: lambda *_: pytest.fail("a block was begun"))
    text = STUDY.format(robot=robot, more=more, swept=swept)
    with pytest.raises(ordern.InputError, match=rf"^s\.toml:{line}: {re.escape(key)}: .*{said}"):
        sweep(parse(text, "s.toml"), tmp_path / "runs")
    assert not (tmp_path / "runs").exists()


def test_the_last_block_is_looked_at_too(tmp_path, monkeypatch):
    monkeypatch.setattr(sweep_module, "_engine", lambda *_: lambda *_: pytest.fail("a block was begun"))
    text = 'robot = "planar3"\nblock = 1\n[payload]\nmass = 1.0\n[sweep]\npayload.link = ["link1", "link2", "base"]\n'
    with pytest.raises(ordern.InputError, match=r"^s\.toml:6: sweep\.payload\.link: .*fixed to the world"):
        sweep(parse(text, "s.toml"), tmp_path / "runs")
    assert not (tmp_path / "runs").exists()
