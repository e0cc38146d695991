"""Files that are not there, and words where numbers belong: the message names the culprit and what may have been meant."""

from __future__ import annotations

import shlex

import pytest

import ordern
from ordern.cli import _guarded

READS = {
    "info {}.urdf": ".urdf", "info {}.toml": ".toml", "view {}.sdf --out x.html": ".sdf", "convert {}.xml --to toml": ".xml",
    "inverse planar3 -t {}.csv": ".csv", "inverse planar3 -t {}.npz": ".npz", "inverse planar3 --log {}.csv": ".csv",
    "inverse planar3 --log {}.parquet": ".parquet", "simulate planar3 --torque {}.csv": ".csv", "sweep {}.toml": ".toml",
}  # fmt: skip


def said(capsys, line):
    code = _guarded(shlex.split(line))
    err = capsys.readouterr().err
    assert code == 2 and err.count("\n") == 1, err
    return err


@pytest.mark.parametrize("line", READS)
def test_a_name_that_is_nearly_right_and_a_link_that_leads_nowhere(line, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"motion{READS[line]}").write_text("x")
    assert f"did you mean 'motion{READS[line]}'?" in said(capsys, line.format("moton"))
    (tmp_path / f"loose{READS[line]}").symlink_to("elsewhere")
    err = said(capsys, line.format("loose"))
    assert "it is a link to 'elsewhere', which is not there" in err and "did you mean" not in err
    assert "there is no folder 'nowhere' either" in said(capsys, line.format("nowhere/motion"))


def test_runs_that_are_not_there(tmp_path):
    (tmp_path / "run.npz").write_text("x")
    with pytest.raises(ordern.InputError, match=r"did you mean 'run\.npz'"):
        ordern.Run.load(tmp_path / "rnu.npz")


@pytest.mark.parametrize("given", ["x", "run.npz", "1,x", "1,2,3,x", "1 2 3 nan"])
@pytest.mark.parametrize(
    "line", ["simulate planar3 --q0", "eval planar3 forward_dynamics --tau", "inverse planar3 -t cycloid --to"]
)
def test_a_word_that_is_no_number_is_named_before_they_are_counted(line, given, capsys):
    word = given.replace(" ", ",").split(",")[-1]
    assert f"'{word}' is not " in said(capsys, f"{line} '{given}'")
    few = said(capsys, f"{line} 1")
    assert "1 number, but 'planar3' needs 3 (joint1, joint2, joint3)" in few
