"""The folder of a sweep, without a simulation: what is written is what is read, and whatever was changed is refused."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

import ordern
from ordern.sweep.study import parse
from ordern.sweep.sweep import load, motion
from ordern.sweep.sweep_folder import Folder, for_worker, opened

ARM = ordern.load("planar3")
STUDY = """
robot = "planar3"
block = 2
[start]
q = [0.1, 0.2, 0.3]
[keep]
steps = true
[sweep]
simulation.method = ["rk4", "euler"]
payload.mass = [1.0, 0.5, 2.0]
"""


def study(old="", new="", robot=ARM):
    assert old in STUDY
    return parse(STUDY.replace(old, new, 1) if old else STUDY, "s.toml", robot=robot)


def rows(folder, block):
    """As a block has them: numbers of all kinds, words, a motion."""
    made = folder._blank(block)
    count = len(made["run"])
    made["status"] = np.array(["done", "too many steps"], "U16")[:count]
    for k, name in enumerate(sorted(set(made) - {"run", "status", "simulation.method", "payload.mass"})):
        made[name] = np.arange(count) + 0.1 * k
    return made | {"motion t 0": np.linspace(0, 1, 3), "motion rows 0": np.arange(count)}


@pytest.fixture
def folder(tmp_path):
    return Folder.begin(tmp_path / "runs", study())


def test_blocks_in_any_order_make_one_table(folder):
    every = [rows(folder, b) for b in range(3)]
    for order in ((0, 1, 2), (2, 0, 1)):
        for path in (folder.path / "blocks").iterdir():
            path.unlink()
        for k, block in enumerate(order):
            assert folder.missing() == sorted(order[k:])
            folder.commit(block, every[block])
            folder.commit(block, every[(block + 1) % 3])  # what is there stays
            for name, values in every[block].items():
                np.testing.assert_array_equal(folder.rows(block)[name], values)
            got, there = folder.table(), sorted(order[: k + 1])
            assert got["run"].tolist() == [r for b in there for r in range(*folder.study.range(b))]
            assert not [name for name in got if name.startswith("motion")]
            for name in got:
                np.testing.assert_array_equal(got[name], np.concatenate([every[b][name] for b in there]))
        assert folder.missing() == [] and folder.discard_damaged() == []


@pytest.mark.parametrize("aside", [[], [0], [1, 2], [0, 1, 2]])
def test_blocks_that_were_set_aside_have_their_values_and_no_figures(folder, aside):
    for block in {0, 1, 2} - {*aside}:
        folder.commit(block, rows(folder, block))
    got = folder.table(aside)
    assert got["run"].tolist() == list(range(6)) and got["payload.mass"].tolist() == [1.0, 0.5, 2.0] * 2
    assert got["simulation.method"].tolist() == ["rk4"] * 3 + ["euler"] * 3
    out = np.isin(got["run"] // 2, aside)
    np.testing.assert_array_equal(got["status"] == "quarantined", out)
    np.testing.assert_array_equal(np.isnan(got["steps"]), out)
    np.testing.assert_array_equal(np.isnan(got["qd:joint3"]), out)


CHANGES = {  # of a block's arrays
    "a number": lambda a: a | {"steps": a["steps"] + 1},
    "a word": lambda a: a | {"status": np.array(["done", "done"], "U16")},
    "a name": lambda a: {("stepz" if k == "steps" else k): v for k, v in a.items()},
    "a kind": lambda a: a | {"steps": a["steps"].astype("f4")},
    "a shape": lambda a: a | {"steps": a["steps"][:, None]},
    "a motion": lambda a: a | {"motion t 0": a["motion t 0"] * 2},
    "a column more": lambda a: a | {"x": a["steps"]},
    "a column less": lambda a: {k: v for k, v in a.items() if k != "steps"},
    "the order": lambda a: dict(reversed(a.items())),
}


@pytest.mark.parametrize("what", CHANGES)
def test_arrays_that_were_changed_are_noticed_and_made_again(folder, what):
    """With the hash of what was there before; with a right one wherever the columns are not those of the study."""
    for block in (0, 1):
        folder.commit(block, rows(folder, block))
    data = dict(np.load(folder.file(1)))
    kept = data.pop("sha256")
    np.savez(folder.file(1), sha256=kept, **CHANGES[what](data))
    assert folder.rows(1) is None and folder.rows(0) is not None and folder.table()["run"].tolist() == [0, 1]
    assert folder.discard_damaged() == [1] and not folder.file(1).exists() and folder.missing() == [1, 2]
    folder.commit(1, forged := CHANGES[what](rows(folder, 1)))
    right = what in ("a number", "a word", "a kind", "a motion", "the order")
    assert (folder.rows(1) is not None) == right, list(forged)


@pytest.mark.parametrize("what", ["another block", "another study", "another run", "a row less", "no hash", "no file"])
def test_blocks_that_belong_elsewhere_are_refused(folder, tmp_path, what):
    other = Folder.begin(tmp_path / "other", study("0.3", "0.4"))
    source, arrays = folder, rows(folder, 1)
    if what == "another run":
        arrays["run"] = arrays["run"] + 1
    if what == "a row less":
        arrays = {name: v[:1] if len(v) == 2 else v for name, v in arrays.items()}
    if what == "another study":
        source, arrays = other, rows(other, 1)
    source.commit(2 if what == "another block" else 1, arrays)
    if what == "another block":
        folder.file(2).rename(folder.file(1))
    if what == "another study":
        other.file(1).rename(folder.file(1))
    if what == "no hash":
        np.savez(folder.file(1), **rows(folder, 1))
    if what == "no file":
        folder.file(1).write_bytes(b"PK")
    assert folder.rows(1) is None and folder.table() == {} and folder.discard_damaged() == [1]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("0.3]", "0.4]", "start.q is [0.1, 0.2, 0.3] there and [0.1, 0.2, 0.4] here"),
        ("block = 2", "block = 3", "block is 2 there and 3 here"),
        ("block = 2\n", "", "block is 2 there and not there here"),
        ("block = 2\n", "block = 2\nseed = 1\n", "seed is not there there and 1 here"),
        ("steps = true", "tool = true", "keep.tool is not there there and True here"),
        ("payload.mass = [1.0, 0.5, 2.0]", "payload.mass = [1.0, 0.5]", "sweep.payload.mass is [1.0, 0.5, 2.0] there and [1.0, 0.5] here"),
        ('simulation.method = ["rk4", "euler"]\npayload.mass = [1.0, 0.5, 2.0]',
         'payload.mass = [1.0, 0.5, 2.0]\nsimulation.method = ["rk4", "euler"]', "its values are swept in another order"),
        ("0.3]", "0.3]\n" + "qd = { joint1 = 1.0, joint2 = 2.0, joint3 = 3.0 }", "start.qd.joint1 is not there there and 1.0 here"),
    ],
)  # fmt: skip
def test_another_study_is_refused_with_the_first_difference(folder, old, new, said):
    with pytest.raises(ordern.InputError) as error:
        Folder.begin(folder.path, study(old, new))
    assert f"{folder.path} holds another study: {said}; give another --out" in str(error.value)
    assert Folder.begin(folder.path, study("[start]", "# a remark\n[start]")).missing() == [0, 1, 2]


def test_another_robot_is_refused(folder):
    for text in (STUDY, STUDY.replace("planar3", "arm")):
        with pytest.raises(ordern.InputError, match="the robot differs"):
            Folder.begin(folder.path, parse(text, "s.toml", robot=ARM.with_gravity((0, 0, -1.0))))
    assert Folder.begin(folder.path, study("planar3", "arm"))  # how its file is called does not count


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("format", "other", "in the format 'other'"), ("ordern", "0.0.0", "was begun with ordern 0.0.0"), ("ordern", 3, "was changed"),
        ("hash", "0" * 64, "was changed"), ("runs", 7, "was changed"), ("blocks", 4, "was changed"), ("runs", None, "was changed"),
        ("study", STUDY.replace("0.3", "0.4"), "was changed"), ("robot", "name = 'x'", "was changed"), ("study", 3, "cannot be read"),
    ],
)  # fmt: skip
def test_a_manifest_that_was_changed_is_refused(folder, key, value, said):
    """By whoever goes on with it, reads it, or makes its blocks."""
    known = json.loads(folder.manifest.read_text())
    folder.manifest.write_text(json.dumps({k: v for k, v in (known | {key: value}).items() if v is not None}))
    for_worker.cache_clear()
    calls = [lambda: Folder.begin(folder.path, study()), lambda: for_worker(str(folder.path), folder.study.hash)]
    for call in calls:
        with pytest.raises(
            ordern.InputError, match="another version" if (key, call) == ("ordern", calls[1]) and value != 3 else said
        ):
            call()
    if key == "ordern" and value != 3:
        assert load(folder.path).runs == 0  # of another version: it can be read
    else:
        with pytest.raises(ordern.InputError, match=said):
            load(folder.path)
    folder.manifest.unlink()
    with pytest.raises(ordern.InputError, match="there is no sweep"):
        opened(str(folder.path))


def test_workers_see_the_study_they_were_sent(folder):
    for_worker.cache_clear()
    assert for_worker(str(folder.path), folder.study.hash).study.hash == folder.study.hash
    with pytest.raises(ordern.InputError, match="this worker sees another study"):
        for_worker(str(folder.path), "0" * 64)


def test_a_folder_with_other_things_is_refused_but_hidden_ones(tmp_path):
    (tmp_path / ".hidden").write_text("x")
    assert Folder.begin(tmp_path, study()).missing() == [0, 1, 2]
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thing").write_text("x")
    with pytest.raises(ordern.InputError, match="holds other things"):
        Folder.begin(tmp_path / "other", study())


def test_tables_hold_all_digits(folder):
    """Numbers that a failed run does not have are empty; words keep their commas and quotes."""
    columns = {
        "run": np.arange(3), "a, b": np.array([1 / 3, np.nan, -1e-300]), "c": np.array([0.1, 2.0, np.inf]),
        "status": np.array(['say "no"', "one, two", ""]),
    }  # fmt: skip
    lines = list(csv.reader(io.StringIO(folder.write_table(columns, "csv").read_text())))
    assert lines[0] == ["run", "a, b", "c", "status"] and [line[3] for line in lines[1:]] == columns["status"].tolist()
    assert [line[:3] for line in lines[1:]] == [["0", repr(1 / 3), "0.1"], ["1", "", "2.0"], ["2", "-1e-300", "inf"]]
    made = np.load(folder.write_table(columns, "npz"))
    for name, values in columns.items():
        np.testing.assert_array_equal(made[name], values)


def test_results_count_and_sum_up(folder):
    """Runs that ended otherwise, by how; quantiles of what is finite; as many figures as are wanted, and how many more there are."""
    assert not load(folder.path).complete and load(folder.path).runs == 0 and load(folder.path).failed == {}
    for block in (0, 2):
        folder.commit(block, rows(folder, block))
    some = load(folder.path)
    assert (some.runs, some.complete, some.failed) == (4, False, {"too many steps": 2})
    last = rows(folder, 1)
    last["status"] = np.array(["done", "diverged"], "U16")
    last["q:joint1"] = np.array([10.0, np.nan])
    folder.commit(1, last)
    made = load(folder.path)
    assert (made.runs, made.complete, made.failed) == (6, True, {"too many steps": 2, "diverged": 1})
    whole = made.summary()
    assert whole.title == "6 runs" and [row[0] for row in whole.rows] == [
        n for n in made.columns if n[:2] in ("q:", "qd", "st") and n != "status"
    ]
    values = made.columns["q:joint1"]
    wanted = np.quantile(values[np.isfinite(values)], (0.0, 0.05, 0.5, 0.95, 1.0))
    np.testing.assert_allclose(next(row for row in whole.rows if row[0] == "q:joint1")[1:], wanted, rtol=1e-15)
    for most, notes in ((7, ()), (6, ("... and 1 more",)), (1, ("... and 6 more",))):
        cut = made.summary(most)
        assert cut.rows == whole.rows[:most] and cut.notes == notes


def test_a_motion_is_that_of_its_run(tmp_path):
    """In whichever call of a block it was made, up to where its numbers end."""
    folder = Folder.begin(tmp_path / "runs", study("steps = true", "trajectories = true"))
    made = {k: v for k, v in rows(folder, 1).items() if not k.startswith("motion")}
    q = np.arange(24.0).reshape(2, 4, 3)
    q[1, 3:] = np.nan  # this one ended before
    for k, at in ((0, 1), (1, 0)):  # runs 3 and 2, each in a call of its own
        made |= {
            f"motion rows {k}": np.array([at]),
            f"motion t {k}": np.linspace(0, 1 + k, 4),
            f"motion q {k}": q[[k]],
            f"motion qd {k}": -q[[k]],
        }
    folder.commit(1, made)
    for run, (k, stop) in {3: (0, 4), 2: (1, 3)}.items():
        got = motion(folder.path, run)
        np.testing.assert_array_equal(got.t, np.linspace(0, 1 + k, 4)[:stop])
        np.testing.assert_array_equal(got.q, q[k, :stop])
        np.testing.assert_array_equal(got.qd, -q[k, :stop])
        assert got.status == [made["status"][run - 2]]
    for run, said in ((-1, "runs 0 to 5"), (6, "runs 0 to 5"), (0, "not been made yet"), (5, "not been made yet")):
        with pytest.raises(ordern.InputError, match=said):
            motion(folder.path, run)
    folder.commit(0, {k: v for k, v in rows(folder, 0).items() if not k.startswith("motion")})
    with pytest.raises(ordern.InputError, match="holds no motion of it"):
        motion(folder.path, 0)


def test_a_study_without_motions_is_told(folder):
    with pytest.raises(ordern.InputError, match="keeps no trajectories"):
        motion(folder.path, 0)
