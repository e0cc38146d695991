"""Sweeps: nothing is lost and nothing done twice, however often drivers and workers are killed; the same bytes whatever made them."""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import needs
import ordern
from budget import examples
from ordern.cli import _guarded, cli
from ordern.sweep.study import KEEP, parse
from ordern.sweep.sweep import load, motion, sweep
from ordern.sweep.sweep_plot import plot_sweep

STUDY = """
robot = "planar3"
samples = 60
seed = 3
block = 4

[simulation]
duration = 0.3

[controller]
law = "pd"
target = 0.4
kp = 20.0
kd = 2.0

[sweep]
payload.mass = { uniform = [0.0, 1.0] }
controller.kp = [10.0, 20.0]

[keep]
tracking_error = true
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The undisturbed sweep."""
    folder = tmp_path_factory.mktemp("whole") / "runs"
    made = sweep(parse(STUDY), folder, workers=1)
    assert made.complete and made.made == 30
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.name != ".lock"
    }


def marks(folder: Path) -> dict[str, tuple[int, int]]:
    """Which file each block is, and when it was written."""
    return {p.name: (p.stat().st_ino, p.stat().st_mtime_ns) for p in (folder / "blocks").glob("*.npz")}


PROGRAM = (
    "import sys\nfrom ordern.sweep import sweep\nfrom ordern.sweep.study import parse\n"
    "if __name__ == '__main__':\n    sweep.sweep(parse(open(sys.argv[1]).read()), sys.argv[2], workers=2)\n"
)


def patched(folder: Path, text: str) -> dict[str, str]:
    """An environment in which every Python, workers too, runs this text first."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(text)
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}


def slow(seconds: float) -> str:
    """Writing a file takes so long, so that kills find some under way."""
    return f"import os, time\nkept = os.fsync\ndef fsync(handle):\n    time.sleep({seconds} / 2)\n    kept(handle)\nos.fsync = fsync\n"


def test_drivers_killed_twenty_times_lose_nothing_and_do_nothing_twice(whole, tmp_path):
    """Killed at random moments: before, within and after the writing of blocks (which is slowed down, so that many kills fall into it).

    Five times without ORDERN_TRUST=1.
    """
    rng, most = random.Random(0), examples(5, 20)
    folder, study = tmp_path / "runs", tmp_path / "study.toml"
    study.write_text(STUDY)
    kills, before, patch = 0, {}, patched(tmp_path / "patch", slow(0.4))
    while True:
        child = subprocess.Popen([sys.executable, "-c", PROGRAM, str(study), str(folder)], env=patch)
        more = len(before) + rng.choice((0, 1))  # blocks that may appear before the end comes; 30 last for all kills
        while child.poll() is None and (not (folder / "blocks").exists() or len(marks(folder)) < more):
            time.sleep(0.002)
        time.sleep(rng.uniform(0.0, 0.1))
        if kills < most and child.poll() is None:
            child.send_signal(signal.SIGKILL)
            kills += 1
        code = child.wait()
        now = marks(folder) if (folder / "blocks").exists() else {}
        assert before.items() <= now.items()  # what was there is still the same file
        before = now
        if code == 0:
            break
        assert code == -signal.SIGKILL
    assert kills == most
    assert contents(folder) == contents(whole)


@pytest.mark.parametrize("workers", [2, 5])
def test_any_number_of_workers_makes_the_same_bytes(whole, tmp_path, workers):
    shares = []
    made = sweep(parse(STUDY), tmp_path / "runs", workers=workers, table=("csv", "npz"), progress=shares.append)
    assert shares == sorted(shares) and shares[-1] == 1.0
    files = contents(tmp_path / "runs")
    table = files.pop("table.npz")
    assert files == contents(whole)
    assert made.complete and not made.failed and len(table) > 1000
    with np.load(tmp_path / "runs" / "table.npz") as data:
        assert all(np.array_equal(data[k], v) for k, v in load(tmp_path / "runs").columns.items())


def test_rows_are_those_of_one_ensemble(whole):
    columns = load(whole).columns
    assert columns["run"].tolist() == list(range(120)) and set(columns["status"]) == {"done"}
    kp = np.repeat(columns["controller.kp"][:, None], 3, 1)
    parameters = {"payload": {"mass": columns["payload.mass"]}}
    run = ordern.load("planar3").simulate(
        np.zeros((120, 3)), duration=0.3, torque=ordern.control.PD([0.4] * 3, kp, 2.0), parameters=parameters
    )
    assert np.array_equal(columns["q:joint2"], run.q[:, -1, 1])
    lines = (whole / "table.csv").read_text().splitlines()
    assert len(lines) == 121 and lines[0].startswith("run,payload.mass,controller.kp,status,tracking.max")
    assert float(lines[7].split(",")[1]) == columns["payload.mass"][6]  # all digits


@pytest.mark.parametrize("lost", [0, 5])
def test_the_picture_shows_every_run_that_ended(whole, lost):
    """Dots over what was swept first, a bar for each range of values; what is left out is counted above."""
    made = load(whole)
    status = np.array(["diverged"] * lost + ["done"] * (120 - lost))
    columns = made.columns | {"status": status}
    picture = plot_sweep(replace(made, columns=columns), ["tracking.max", "q:joint2"])
    axes = picture.axes
    assert [ax.get_xlabel() for ax in axes[::2]] == ["payload.mass (kg)"] * 2 and len(axes) == 4
    assert [ax.get_ylabel() for ax in axes] == ["tracking.max (rad)", "runs", "q:joint2 (rad)", "runs"]
    for name, dots, bars in zip(("tracking.max", "q:joint2"), axes[::2], axes[1::2], strict=True):
        assert np.array_equal(dots.lines[0].get_xydata().T, [columns["payload.mass"][lost:], columns[name][lost:]])
        assert sum(bar.get_height() for bar in bars.patches) == 120 - lost and len(bars.patches) == 10
    assert picture.get_suptitle() == (f"{120 - lost} runs; {lost} more did not reach their end" if lost else "")
    for name, axis in (
        ("payload.mass", "controller.kp"),
        ("controller.kp", "run"),
    ):  # what is the same in all runs is no axis
        columns[name] = np.zeros(120)
        assert plot_sweep(replace(made, columns=columns), most=1).axes[0].get_xlabel() == axis
    assert [ax.get_ylabel() for ax in plot_sweep(made, most=1).axes] == ["tracking.max (rad)", "runs"]


def test_a_damaged_block_is_made_anew(whole, tmp_path):
    folder = tmp_path / "runs"
    shutil.copytree(whole, folder)
    for name, change in (
        ("000003", lambda b: b[: len(b) // 2]),
        ("000007", lambda b: b.replace(b[800:801], bytes([b[800] ^ 1]), 1)),
        ("000009", lambda b: b""),
    ):
        path = folder / "blocks" / f"{name}.npz"
        path.write_bytes(change(path.read_bytes()))
    made = sweep(parse(STUDY), folder)
    assert {3, 9} <= set(made.damaged) <= {3, 7, 9} and made.made == len(made.damaged)
    assert contents(folder) == contents(whole)


def test_other_studies_and_other_folders_are_refused(whole, tmp_path, monkeypatch):
    before = contents(whole)
    with pytest.raises(
        ordern.InputError,
        match=r"holds another study: simulation\.duration is 0\.3 there and 0\.4 here; give another --out",
    ):
        sweep(parse(STUDY.replace("0.3", "0.4")), whole)
    with pytest.raises(ordern.InputError, match="the robot differs"):
        sweep(parse(STUDY, robot=ordern.load("planar3", gravity=(0, -1, 0))), whole)
    with pytest.raises(ordern.InputError, match="in another order"):
        lines = [line for line in STUDY.splitlines() if not line.startswith("payload.mass")]
        at = lines.index("controller.kp = [10.0, 20.0]")
        sweep(parse("\n".join([*lines[: at + 1], "payload.mass = { uniform = [0.0, 1.0] }", *lines[at + 1 :]])), whole)
    monkeypatch.setattr("ordern.sweep.sweep_folder.__version__", "0.0.9")
    with pytest.raises(ordern.InputError, match=r"was begun with ordern .*, this is 0\.0\.9"):
        sweep(parse(STUDY), whole)
    monkeypatch.undo()
    (tmp_path / "mine.txt").write_text("other")
    with pytest.raises(ordern.InputError, match="holds other things"):
        sweep(parse(STUDY), tmp_path)
    with pytest.raises(ordern.InputError, match="there are local"):
        sweep(parse(STUDY), tmp_path / "new", engine="ray://local")
    assert contents(whole) == before and not (tmp_path / "new").exists()


@needs.locks
def test_only_one_driver_at_a_time(whole):
    with load(whole).folder.alone(), pytest.raises(ordern.InputError, match="another process works in this folder"):
        sweep(parse(STUDY), whole)


def test_runs_that_diverge_are_marked_rows(tmp_path, capsys, monkeypatch):
    """An explicit method with a step that is too long for the stiffer half of the gains."""
    monkeypatch.chdir(tmp_path)
    text = STUDY.replace("duration = 0.3", 'duration = 0.3\nmethod = "rk4"\ndt = 0.001').replace(
        "samples = 60", "samples = 3"
    )
    Path("s.toml").write_text(text.replace("[10.0, 20.0]", "[10.0, 1e9]"))
    assert _guarded(["sweep", "s.toml", "--json"]) == 1
    data = json.loads(capsys.readouterr().out)
    assert data["complete"] and data["failed"] == {"diverged": 3} and data["out"] == "s_runs"
    columns = load("s_runs").columns
    assert columns["status"].tolist() == ["done"] * 3 + ["diverged"] * 3
    assert np.isnan(columns["tracking.max"][3:]).all() and np.isfinite(columns["tracking.max"][:3]).all()
    assert Path("s_runs/table.csv").read_text().splitlines()[-1].endswith("diverged,,,,,,,,,")


def test_whole_motions(tmp_path):
    text = STUDY.replace("tracking_error = true", "trajectories = true").replace("samples = 60", "samples = 3")
    text = text.replace("controller.kp = [10.0, 20.0]", "simulation.duration = [0.1, 0.2]")
    made = sweep(parse(text), tmp_path / "runs")
    for k, end in ((0, 0.1), (2, 0.1), (3, 0.2), (5, 0.2)):
        run = motion(tmp_path / "runs", k)
        assert run.t[-1] == end and run.q.shape == (len(run.t), 3)
        assert run.q[-1, 0] == made.columns["q:joint1"][k]
    with pytest.raises(ordern.InputError, match="there are runs 0 to 5"):
        motion(tmp_path / "runs", 6)


def test_parquet(tmp_path):
    from pyarrow import parquet

    made = sweep(parse(STUDY.replace("samples = 60", "samples = 3")), tmp_path / "runs", table="parquet")
    table = parquet.read_table(made.files[0])
    assert table.column_names == list(made.columns) and np.array_equal(
        table["tracking.max"], made.columns["tracking.max"]
    )


def test_the_study_of_the_page(tmp_path):
    page = (Path(__file__).resolve().parents[2] / "docs" / "howto" / "sweeps.md").read_text()
    (text,) = re.findall(r"```toml\n(.*?)```", page, re.S)
    assert parse(text).runs == 2000
    made = sweep(parse(text.replace("samples = 2000", "samples = 16")), tmp_path / "runs")
    assert made.complete and not made.failed
    for key in re.findall(r"^\| `(\w+)`", page.split("`[keep]` takes these keys:")[1].split("A mistake")[0], re.M):
        assert key in KEEP


# --- the command ------------------------------------------------------------------------------------------------------------------------
def test_the_command(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(STUDY)
    example = cli.commands["sweep"].epilog.split("ordern ", 1)[1].split("\n\n", 1)[0].split()  # a study follows
    assert _guarded(example) == 0
    out = capsys.readouterr().out
    assert (
        "120 runs of planar3 in 30 blocks" in out
        and "tracking.max" in out
        and "median" in out
        and "wrote runs.svg" in out
    )
    assert Path("runs.svg").read_text().count("<svg") == 1
    assert _guarded(["sweep", "study.toml", "--out", "runs"]) == 0
    assert "30 of 30 blocks were there already" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("sweep nothing.toml", "there is no such file"),
        ("sweep study.toml --engine ray", "there are local, dask://local and dask://HOST:PORT"),
        ("sweep study.toml --plot x.svg --show tracking.mx", "did you mean 'tracking.max'?"),
        ("sweep study.toml --show tracking.max", "add --plot"),
        ("sweep study.toml --plot x.doc", "must end in"),
    ],
)
def test_bad_use(line, said, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("study.toml").write_text(STUDY)
    assert _guarded(line.split()) == 2
    err = capsys.readouterr().err
    assert said in err and err.count("\n") == 1
    assert not Path("study_runs").exists()


def test_the_extra_is_named_when_dask_is_missing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(ordern.MissingExtra, match="the extra 'sweep' of ordern"):
        sweep(parse(STUDY), tmp_path / "runs", engine="dask://local")


def test_ctrl_c_leaves_what_is_done_even_amid_a_long_block(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # the second kp makes blocks of a million steps and more: they are given up at once, not waited for
    Path("s.toml").write_text(
        STUDY.replace("duration = 0.3", 'duration = 300.0\nmethod = "rk4"\ndt = 1e-5\noutput_dt = 10.0').replace(
            "block = 4", "block = 64"
        )
    )
    import psutil

    def interrupt() -> None:
        """When a process is at work on a block: it has read the study and used its processor since."""
        while not any(p.cpu_times().user > 1.0 for p in _workers(psutil)):
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt, daemon=True).start()
    assert _guarded(["sweep", "s.toml", "--out", "runs"]) == 2
    assert "of 120 runs are kept in runs; the same command goes on" in capsys.readouterr().out
    assert not list(Path("runs").rglob("*.part"))


def _workers(psutil):
    with contextlib.suppress(psutil.Error):
        return [p for p in psutil.Process().children() if "ordern.sweep.sweep_process" in p.cmdline()]
    return []


# --- Dask -------------------------------------------------------------------------------------------------------------------------------
# blocks of a hundred thousand steps, so that kills find some under way; of them three a kill
KILLS = examples(3, 9)
LONG_BLOCKS = STUDY.replace("duration = 0.3", 'duration = 6.0\nmethod = "rk4"\ndt = 5e-5\noutput_dt = 0.1').replace(
    "samples = 60", f"samples = {6 * KILLS}"
)


@pytest.fixture(scope="module")
def long_blocks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long") / "runs"
    sweep(parse(LONG_BLOCKS), folder)
    return folder


@pytest.mark.parametrize("turn", range(examples(1, 12)))  # more than a hundred kills in the long form
def test_dask_workers_are_killed_and_nothing_is_lost(long_blocks, tmp_path, turn):
    import psutil

    folder, study = tmp_path / "runs", tmp_path / "study.toml"
    study.write_text(LONG_BLOCKS)
    line = [
        sys.executable,
        "-m",
        "ordern.cli",
        "sweep",
        str(study),
        "--out",
        str(folder),
        "--engine",
        "dask://local",
        "--workers",
        "2",
    ]
    child = subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    rng, kills, before = random.Random(1 + turn), 0, {}
    while child.poll() is None:
        there = marks(folder) if (folder / "blocks").exists() else {}
        if kills < KILLS and len(there) > 2 * kills:
            assert before.items() <= there.items()
            before = there
            with contextlib.suppress(psutil.Error, IndexError):  # whoever is just ending by himself
                rng.choice(
                    [
                        p
                        for p in psutil.Process(child.pid).children(recursive=True)
                        if "spawn_main" in " ".join(p.cmdline())
                    ]
                ).kill()
                kills += 1
        time.sleep(0.02)
    out, err = child.communicate()
    assert child.returncode == 0, out + err
    assert kills == KILLS and before.items() <= marks(folder).items()
    assert contents(folder) == contents(long_blocks)


def test_an_answer_that_is_lost_with_its_worker_is_not_waited_for():
    """A worker made a block and was killed before its answer was fetched; with no worker left, Dask waits without end."""
    from ordern.sweep import sweep_cluster

    class Lost:
        status = "finished"

        def result(self, timeout=None):
            assert timeout is not None, "waits for ever"
            raise TimeoutError

    made = sweep_cluster._Tasks(None, None, 1.0, {}, {})
    assert all(made._again(Lost(), 7) for _ in range(sweep_cluster.WORKERS - 1)) and not made.aside
    assert not made._again(Lost(), 7) and list(made.aside) == [7]


def test_a_scheduler_by_its_address(whole, tmp_path, monkeypatch):
    import distributed

    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None, protocol="tcp://"
    ) as cluster:
        made = sweep(
            parse(STUDY), tmp_path / "runs", engine="dask://" + cluster.scheduler_address.removeprefix("tcp://")
        )
        assert made.complete and contents(tmp_path / "runs") == contents(whole)
    monkeypatch.setattr("ordern.sweep.sweep_cluster.ANSWER", "1s")
    with pytest.raises(ordern.InputError, match="no Dask scheduler answers"):
        sweep(parse(STUDY), tmp_path / "other", engine="dask://127.0.0.1:1")


@pytest.mark.parametrize("attempts", [1, 3, 20])
def test_a_block_is_set_aside_after_so_many_losses(attempts):
    """It is tried again until then, and each block has its own count."""
    from ordern.sweep.sweep_cluster import _Tasks

    lost, aside = {7: 0}, {}
    tasks = _Tasks(None, None, 1.0, lost, aside)
    assert [tasks._count(4, "killed", 1 / attempts) for _ in range(attempts)] == [True] * (attempts - 1) + [False]
    assert aside == {4: "killed"} and lost == {7: 0, 4: attempts}
