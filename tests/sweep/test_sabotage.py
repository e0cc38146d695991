"""Sweeps under sabotage: exchanged blocks, edited manifests, links, blocks that kill or hang their process, open ports, studies that are bombs."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import needs
import ordern
from budget import PATIENCE, TRUST
from ordern.cli import _guarded
from ordern.sweep.study import parse, read
from ordern.sweep.sweep import load, motion, sweep
from ordern.sweep.sweep_folder import opened

STUDY = """
robot = "planar3"
samples = 20
seed = 3
block = 4

[simulation]
duration = 0.1

[sweep]
payload.mass = { uniform = [0.0, 1.0] }
"""
PATCH = """
import importlib.abc, os, sys, time
if "ordern.sweep.sweep_process" in sys.orig_argv:
    import ordern.sweep.sweep_block as module
    kept = module.simulate_block
    def simulate_block(study, block, progress=None):
        if block == 2:
            {what}
        return kept(study, block, progress)
    module.simulate_block = simulate_block
"""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "runs"
    assert sweep(parse(STUDY), folder, workers=1).complete
    return folder


@pytest.fixture
def copy(whole, tmp_path):
    shutil.copytree(whole, tmp_path / "runs")
    return tmp_path / "runs"


def contents(folder: Path) -> dict[str, bytes]:
    return {
        p.relative_to(folder).as_posix(): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and p.name != ".lock"
    }


def test_blocks_that_were_exchanged_are_made_anew(whole, copy):
    first, second = copy / "blocks" / "000001.npz", copy / "blocks" / "000003.npz"
    kept = first.read_bytes()
    first.write_bytes(second.read_bytes())
    second.write_bytes(kept)
    assert load(copy).runs == 12
    assert sweep(parse(STUDY), copy, workers=1).damaged == (1, 3)
    assert contents(copy) == contents(whole)


def test_blocks_of_another_study_are_made_anew(whole, copy, tmp_path):
    sweep(parse(STUDY.replace("seed = 3", "seed = 4")), tmp_path / "other", workers=1)
    for block in ("000000.npz", "000004.npz"):
        shutil.copy(tmp_path / "other" / "blocks" / block, copy / "blocks" / block)
    assert sweep(parse(STUDY), copy, workers=1).damaged == (0, 4)
    assert contents(copy) == contents(whole)


def test_a_folder_that_was_swept_anew_is_read_anew(copy, whole):
    """What one process has read of a folder before is not what is there now."""
    assert load(copy).folder.study.plan.seed == 3
    shutil.rmtree(copy)
    sweep(parse(STUDY.replace("seed = 3", "seed = 4")), copy, workers=1)
    assert load(copy).complete and load(copy).folder.study.plan.seed == 4


@needs.posix
def test_links_in_a_shared_folder_lead_nowhere(copy, whole, tmp_path):
    """Whoever may write to the folder of a sweep cannot choose a file of its owner to be overwritten, nor hide a block."""
    (tmp_path / "thesis").write_text("years")
    for name, to in (("table.csv", "thesis"), ("blocks/000001.npz", "thesis"), ("blocks/000002.npz", "nothing")):
        (copy / name).unlink()
        (copy / name).symlink_to(tmp_path / to)
    assert sweep(parse(STUDY), copy, workers=1).damaged == (1, 2)
    assert (
        contents(copy) == contents(whole)
        and (tmp_path / "thesis").read_text() == "years"
        and not (tmp_path / "nothing").exists()
    )
    assert not [p for p in copy.rglob("*") if p.is_symlink()]
    shutil.move(copy / "blocks", tmp_path / "elsewhere")
    (copy / "blocks").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(ordern.InputError, match="is a link"):
        sweep(parse(STUDY), copy)


def test_blocks_import_nothing_from_the_folder_of_the_user(tmp_path, monkeypatch):
    for name in ("json", "numpy", "ordern", "queue"):
        (tmp_path / f"{name}.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w'); raise ImportError('not meant')")
    monkeypatch.chdir(tmp_path)
    assert sweep(parse(STUDY), tmp_path / "runs", workers=1).complete and not (tmp_path / "ran").exists()


def _forged(folder, change, block=1):
    """A block with another content and a hash that fits it: whoever may write to the folder can compute one."""
    place = opened(str(folder))
    rows = place.rows(block)
    change(rows)
    place.file(block).unlink()
    place.commit(block, rows)


FORGED = [
    lambda rows: rows.pop("status"),
    lambda rows: rows.update(run=rows["run"][:2]),
    lambda rows: rows.update(run=rows["run"] + 1),
    lambda rows: rows.update(status=np.zeros(4)),
    lambda rows: rows.update({"q:joint1": np.array(list("abcd"))}),
    lambda rows: rows.update({name: np.zeros((4, 2)) for name in rows}),
    lambda rows: rows.update(more=np.zeros(4)),
]


@pytest.mark.parametrize("changes", [FORGED[:4], FORGED[4:]])
def test_forged_blocks_with_other_columns_are_made_anew(whole, copy, changes):
    for block, change in enumerate(changes, 1):
        _forged(copy, change, block)
        assert load(copy).runs == 20 - 4 * block
    assert sweep(parse(STUDY), copy, workers=1).damaged == tuple(range(1, 1 + len(changes)))
    assert contents(copy) == contents(whole)


def test_forged_motions_are_refused(tmp_path):
    text = STUDY.replace("samples = 20", "samples = 8") + "[keep]\ntrajectories = true\n"
    sweep(parse(text), tmp_path / "runs", workers=1)
    assert len(motion(tmp_path / "runs", 5).t) > 2
    for shape in ((), (0,), (4, 1), (4, 1, 99)):
        _forged(
            tmp_path / "runs", lambda rows, shape=shape: rows.update({k: np.zeros(shape) for k in rows if " " in k})
        )
        with pytest.raises(ordern.InputError, match="holds no motion"):
            motion(tmp_path / "runs", 5)


def test_folders_where_files_belong(whole, copy):
    (copy / "blocks" / ".left.part").mkdir()
    assert sweep(parse(STUDY), copy, workers=1).complete
    (copy / "blocks" / "000001.npz").unlink()
    (copy / "blocks" / "000001.npz").mkdir()
    with pytest.raises(ordern.InputError, match="is a folder where a block belongs"):
        sweep(parse(STUDY), copy, workers=1)


@needs.posix
def test_a_full_disk_leaves_a_sweep_that_goes_on(whole, tmp_path):
    """No file may grow beyond so many bytes: the sweep ends with a message, and nothing half-written counts."""
    import resource

    (tmp_path / "s.toml").write_text(STUDY)
    line = [sys.executable, "-m", "ordern.cli", "sweep", "s.toml", "--out", "runs", "--workers", "1"]
    size = (whole / "blocks" / "000000.npz").stat().st_size
    plain = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}  # Python would keep the half that it could write of a .pyc
    for limit in (0, 100, (whole / "sweep.json").stat().st_size, size - 1)[:: 1 if TRUST else 2]:

        def bound(limit=limit):
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        made = subprocess.run(line, cwd=tmp_path, env=plain, capture_output=True, text=True, preexec_fn=bound)
        assert made.returncode in (1, 2) and "Traceback" not in made.stderr, made.stderr
        assert not [p for p in (tmp_path / "runs").rglob("*") if p.is_file() and p.stat().st_size > limit]
    assert sweep(parse(STUDY), tmp_path / "runs", workers=1).complete
    assert contents(tmp_path / "runs") == contents(whole)


@pytest.mark.parametrize("key", ["study", "robot", "hash", "ordern", "format", "runs", "blocks"])
def test_an_edited_manifest_is_refused(copy, key):
    path = copy / "sweep.json"
    known = json.loads(path.read_text())
    known[key] = {
        "study": STUDY.replace("1.0]", "2.0]"), "robot": re.sub(r"mass = [0-9.]+", "mass = 9.5", known["robot"], count=1), "hash": "0" * 64,
        "ordern": "0.0.1", "format": "ordern sweep 9", "runs": 4, "blocks": 1,
    }[key]  # fmt: skip
    path.write_text(json.dumps(known))
    with pytest.raises(ordern.InputError):
        sweep(parse(STUDY), copy)
    if key == "study":  # nor does it pass as the study that it now says it is
        with pytest.raises(ordern.InputError, match="changed after the sweep was begun"):
            sweep(parse(known["study"]), copy)
    with pytest.raises(ordern.InputError) if key not in ("ordern",) else contextlib.nullcontext():
        load(copy)


@pytest.mark.parametrize(
    "bad", [b"", b"{", b"[]", b"null", b'{"format": 1' + b"0" * 5000 + b"}", b"\xff\xfe", b'"' + b"[" * 100000]
)
def test_a_damaged_manifest(copy, bad):
    (copy / "sweep.json").write_bytes(bad)
    for work in (load, lambda path: sweep(parse(STUDY), path)):
        with pytest.raises(ordern.InputError) as caught:
            work(copy)
        assert len(str(caught.value)) < 500


@needs.posix
def test_the_lock_does_not_follow_links(copy, tmp_path):
    precious = tmp_path / "precious"
    precious.write_text("years of work")
    (copy / ".lock").unlink(missing_ok=True)
    (copy / ".lock").symlink_to(precious)
    with pytest.raises(ordern.InputError, match=r"\.lock"):
        sweep(parse(STUDY), copy)
    assert precious.read_text() == "years of work"
    (copy / ".lock").unlink()
    (copy / ".lock").write_text("kept")
    assert sweep(parse(STUDY), copy).complete and (copy / ".lock").read_text() == "kept"


@pytest.mark.parametrize("engine", ["local", "dask://local"])
def test_a_block_that_kills_its_process_is_set_aside(tmp_path, engine, monkeypatch, capsys):
    """The rest is finished, the exit code is 1, the block is listed; without the fault the same command completes it."""
    (tmp_path / "patch").mkdir()
    (tmp_path / "patch" / "sitecustomize.py").write_text(PATCH.format(what="os.kill(os.getpid(), 9)"))
    (tmp_path / "s.toml").write_text(STUDY)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "patch"), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.chdir(tmp_path)
    assert _guarded(["sweep", "s.toml", "--out", "runs", "--engine", engine, "--workers", "1", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (
        list(told["quarantined"]) == ["2"]
        and "SIGKILL" in told["quarantined"]["2"]
        and told["failed"] == {"quarantined": 4}
    )
    rows = np.genfromtxt(tmp_path / "runs" / "table.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    assert (
        len(rows) == 20
        and set(rows["status"][8:12]) == {"quarantined"}
        and set(np.delete(rows["status"], range(8, 12))) == {"done"}
    )
    monkeypatch.undo()
    if engine == "local":
        again = sweep(parse(STUDY), tmp_path / "runs")
        assert again.complete and not again.quarantined and again.made == 1 and not again.failed


@pytest.mark.parametrize("engine", ["local", "dask://local"] if TRUST else ["local"])
def test_a_block_that_hangs_is_set_aside(tmp_path, engine, monkeypatch, capsys):
    (tmp_path / "patch").mkdir()
    (tmp_path / "patch" / "sitecustomize.py").write_text(PATCH.format(what="time.sleep(1000)"))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "patch"), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.chdir(tmp_path)
    Path("s.toml").write_text(STUDY)
    assert _guarded(["sweep", "s.toml", "--out", "runs", "--patience", "1.5", "--engine", engine]) == 1
    said = capsys.readouterr().out
    assert (
        "block 2 (runs 8 to 11) was set aside after three attempts: no progress for 1.5 s" in said
        and "tries these blocks again" in said
    )


def test_limits_of_steps_and_time(tmp_path):
    text = (
        STUDY.replace("duration = 0.1", 'duration = 1.0\nmethod = "rk4"\ndt = 1e-3\nmax_steps = 900')
        + "[keep]\ntrajectories = true\n"
    )
    made = sweep(parse(text), tmp_path / "a", workers=1)
    assert made.failed == {"too many steps": 20} and made.complete
    text = STUDY.replace("duration = 0.1", "duration = 1e5\nmax_seconds = 0.05\noutput_dt = 1e4").replace(
        "samples = 20", "samples = 4"
    )
    assert sweep(parse(text), tmp_path / "b", workers=1).failed == {"took too long": 4}


# every method, the engines in turn
LIMITED = [
    (method, engine)
    for k, method in enumerate(("dopri5", "dop853", "rk4", "euler", "symplectic"))
    for j, engine in enumerate(("compiled", "numpy"))
    if TRUST or (k + j) % 2 == 0
]


@pytest.mark.parametrize(
    ("method", "engine"),
    [*LIMITED, ("Radau", None)],
)
def test_limits_of_steps_are_alike_in_both_engines(engine, method):
    robot, options = (
        ordern.robots.planar3(),
        {"duration": 0.2, "method": method} | ({"engine": engine} if engine else {}),
    )
    free = robot.simulate((0.1, 0.2, 0.3), **options)
    needed = free.stats["steps"]
    assert robot.simulate((0.1, 0.2, 0.3), max_steps=needed, **options).complete
    with pytest.raises(ordern.SimulationError, match=f"{needed - 1} steps"):
        robot.simulate((0.1, 0.2, 0.3), max_steps=needed - 1, **options)
    for bad in (0, -1, 1.5, True, "many", np.nan):
        with pytest.raises(ordern.InputError, match="max_steps"):
            robot.simulate((0.1, 0.2, 0.3), max_steps=bad)


def test_our_cluster_is_closed_to_others():
    """TLS with keys that only this process has, on 127.0.0.1, and no port that speaks HTTP."""
    import distributed
    import psutil

    from ordern.sweep.sweep_cluster import _cluster

    cluster, _ = _cluster(1)
    with cluster:
        cluster.sync(cluster._correct_state)
        address = cluster.scheduler_address
        assert address.startswith("tls://127.0.0.1:")
        for where in (address, address.replace("tls", "tcp")):
            with pytest.raises((OSError, TypeError, ValueError, RuntimeError)):
                distributed.Client(where, timeout="2s")
        mine = psutil.Process()
        ports = [
            c for p in (mine, *mine.children(recursive=True)) for c in p.net_connections("tcp") if c.status == "LISTEN"
        ]
        assert ports and {c.laddr.ip for c in ports} == {"127.0.0.1"}
        for one in ports:
            assert _speaks_no_http(one.laddr.port)


def _speaks_no_http(port: int) -> bool:
    import http.client

    try:
        talk = http.client.HTTPConnection("127.0.0.1", port, timeout=2)
        talk.request("GET", "/status")
        talk.getresponse()
    except (OSError, http.client.HTTPException):
        return True
    return False


def test_a_scheduler_that_dies(tmp_path):
    (tmp_path / "s.toml").write_text(
        STUDY.replace("duration = 0.1", 'duration = 1e5\nmethod = "rk4"\ndt = 1e-4\noutput_dt = 1e4')
    )
    code = """
import distributed, time
if __name__ == "__main__":
    options = {"n_workers": 1, "threads_per_worker": 1, "processes": False, "dashboard_address": None, "protocol": "tcp://"}
    cluster = distributed.LocalCluster(**options)
    print(cluster.scheduler_address, flush=True)
    while not any(task.state == "processing" for task in list(cluster.scheduler.tasks.values())):
        time.sleep(0.02)
    print("a block is under way", flush=True)
    time.sleep(10000)
"""
    cluster = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    where = cluster.stdout.readline().strip().removeprefix("tcp://")
    line = [sys.executable, "-m", "ordern.cli", "sweep", "s.toml", "--out", "runs", "--engine", f"dask://{where}"]
    driver = subprocess.Popen(line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert cluster.stdout.readline() == "a block is under way\n"
    cluster.kill()
    _, said = driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 2 and "does not answer any more" in said and "Traceback" not in said
    cluster.wait()


# --- studies ------------------------------------------------------------------------------------------------------------------------------
@needs.posix
def test_studies_that_are_no_files(tmp_path, capsys):
    os.mkfifo(tmp_path / "pipe.toml")
    for path in ("/dev/zero", tmp_path / "pipe.toml", tmp_path, tmp_path / ("n" * 300)):
        with pytest.raises(ordern.InputError):
            read(path)
        assert _guarded(["sweep", str(path)]) == 2
        assert "Traceback" not in capsys.readouterr().err


BOMBS = {
    "dotted": "a" + ".a" * 40000 + " = 1",
    "dotted texts": '"!"' + '."!"' * 40000 + " = 1",
    "dotted letters": "'é ='" + " . 'é ='" * 40000 + " = 1",
    "dotted after quotes": 'x = { y = """a"""", a' + ".a" * 40000 + " = 1 }",
    "dotted inline": "x = { a" + ".a" * 40000 + " = 1 }",
    "table": "[a" + ".a" * 40000 + "]",
    "nested": "a = " + "[" * 50000,
    "nested tables": "a = " + "{ a = " * 50000,
    "digits": STUDY.replace("samples = 20", "samples = " + "9" * 400),
    "many digits": STUDY.replace("samples = 20", "samples = " + "9" * 5000),
    "seed": STUDY.replace("seed = 3", "seed = " + "9" * 400),
    "duration": STUDY.replace("duration = 0.1", "duration = " + "9" * 400),
    "hex": STUDY.replace("duration = 0.1", "duration = 0x" + "f" * 40000),
    "mass": STUDY.replace("1.0]", "1" + "0" * 400 + "]"),
    "block": STUDY.replace("block = 4", "block = 1" + "0" * 400),
    "name": STUDY.replace("planar3", "n" * 100000),
    "file": STUDY.replace("planar3", "n" * 300 + ".urdf"),
    "device": STUDY.replace("planar3", "/dev/zero"),
    "key": STUDY.replace("seed", "k" * 200000 + " = 1\nseed"),
    "word": STUDY.replace("duration = 0.1", 'duration = 0.1\nmethod = "' + "x" * 200000 + '"'),
    "grid": STUDY.replace(
        "payload.mass = { uniform = [0.0, 1.0] }", "payload.mass = { linspace = [0.0, 1.0, 999999999999] }"
    ),
    "long": STUDY.replace("duration = 0.1", "duration = 1e300\noutput_dt = 1e-300"),
}


@pytest.mark.parametrize("name", BOMBS)
def test_bombs_and_huge_numbers(tmp_path, name, capsys):
    """Refused at once, in a message that fits a screen."""
    (tmp_path / "s.toml").write_text(BOMBS[name])
    with pytest.raises(ordern.OrdernError) as caught:
        read(tmp_path / "s.toml")
    assert len(str(caught.value)) < 1000
    assert _guarded(["sweep", str(tmp_path / "s.toml"), "--out", str(tmp_path / "runs")]) == 2
    assert len(capsys.readouterr().err) < 1200


def test_ctrl_c_ends_the_processes(tmp_path):
    import psutil

    (tmp_path / "s.toml").write_text(
        STUDY.replace("duration = 0.1", 'duration = 1000.0\nmethod = "rk4"\ndt = 1e-4\noutput_dt = 1e4')
    )
    line = [sys.executable, "-m", "ordern.cli", "sweep", "s.toml", "--out", "runs", "--workers", "1"]
    for how in (signal.SIGINT, signal.SIGKILL):
        driver = subprocess.Popen(
            line, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
        )
        workers = []
        while not workers and driver.poll() is None:
            threading.Event().wait(0.02)
            with contextlib.suppress(psutil.Error):
                workers = [p for p in psutil.Process(driver.pid).children() if p.cpu_times().user > 0.5]
        driver.send_signal(how)
        out, err = driver.communicate(timeout=PATIENCE)
        assert driver.returncode == (2 if how == signal.SIGINT else -signal.SIGKILL) and "Traceback" not in out + err
        assert not psutil.wait_procs(workers, timeout=PATIENCE)[1]  # none outlives its driver
