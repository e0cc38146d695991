"""Runs on disk that were damaged, cut, exchanged or blown up: an OrdernError every time, never wrong numbers or a foreign exception."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import numpy as np
import pytest

import needs
import ordern
from budget import TRUST
from ordern.files import _remove_abandoned, _tag, whole_folder
from ordern.simulate import run_files, store, stream

ARM = ordern.robots.planar3()
NAMES = ("t", "q", "qd", "qdd", "tau", "energy", "power")
Q = np.random.default_rng(0).normal(size=(200, 3))
OPTIONS = {"duration": 0.05, "keep": ["tau"]}


@pytest.fixture(scope="module")
def run():
    return ARM.simulate((0.1, 0.2, 0.3), duration=0.3, output_dt=0.1)


@pytest.fixture(scope="module")
def streamed(tmp_path_factory):
    """A store of four parts with several chunks."""
    path = tmp_path_factory.mktemp("stream") / "runs.zarr"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "PART", 8 * 6 * 9 * 50)
        ARM.simulate(Q, save=path, **OPTIONS)
    assert len(json.loads((path / "zarr.json").read_text())["attributes"]["parts"]) == 4
    return path


def files(path: Path) -> list[Path]:
    return sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]


def harm(path: Path, rng: random.Random) -> str:
    """One change to a file: a flipped bit, a byte, a run of zeros, a cut, an insertion, or its removal."""
    data = bytearray(path.read_bytes())
    how = rng.choice(["bit", "byte", "zeros", "cut", "more", "gone"])
    at = rng.randrange(len(data)) if data else 0
    if how == "gone" or not data:
        path.unlink()
        return "gone"
    if how == "bit":
        data[at] ^= 1 << rng.randrange(8)
    elif how == "byte":
        data[at] = rng.randrange(256)
    elif how == "zeros":
        data[at : at + 64] = bytes(len(data[at : at + 64]))
    elif how == "cut":
        del data[at:]
    else:
        data[at:at] = rng.randbytes(rng.randrange(1, 40))
    path.write_bytes(bytes(data))
    return how


def same(a, b) -> bool:
    return (
        all(
            np.array_equal(np.asarray(getattr(a, n)[...]), np.asarray(getattr(b, n)[...]), equal_nan=True)
            for n in NAMES
        )
        and a.status == b.status
    )


@pytest.mark.parametrize("ending", ["npz", "parquet", "zarr", "mat"])
def test_a_damaged_run_is_refused_or_whole(run, tmp_path, ending):
    rng = random.Random(ending)
    first = tmp_path / f"first.{ending}"
    run.save(first)
    refused = 0
    for _ in range(2000 if TRUST else {"npz": 200, "parquet": 60, "zarr": 30, "mat": 60}[ending]):
        path = tmp_path / f"run.{ending}"
        shutil.copytree(first, path) if first.is_dir() else shutil.copy(first, path)
        harm(rng.choice(files(path)), rng)
        try:
            assert same(ordern.Run.load(path), run)
        except ordern.OrdernError as error:
            assert len(str(error)) < 600
            refused += 1
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
    assert refused


def test_a_damaged_ensemble_is_refused_and_made_anew(streamed, tmp_path):
    rng = random.Random(0)
    whole = ordern.Run.load(streamed)
    for _ in range(600 if TRUST else 12):
        path = tmp_path / "runs.zarr"
        shutil.copytree(streamed, path)
        hurt = rng.choice(files(path))
        before = hurt.read_bytes()
        harm(hurt, rng)
        changed = not hurt.exists() or hurt.read_bytes() != before
        try:
            back = ordern.Run.load(path)
            assert not changed and np.array_equal(back.q[...], whole.q[...])
        except ordern.OrdernError:
            assert changed
        try:
            again = ARM.simulate(Q, save=path, **OPTIONS)
        except ordern.OrdernError:  # the description itself: what to do is said
            assert hurt.name == "zarr.json"
        else:
            assert (
                again.complete
                and np.array_equal(again.q[...], whole.q[...])
                and np.array_equal(again.tau[...], whole.tau[...])
            )
            assert np.array_equal(ordern.Run.load(path).q[...], whole.q[...])
        shutil.rmtree(path)


@pytest.mark.parametrize(
    ("key", "odd"), [("zarr_format", 2), ("zarr_format", "3"), ("node_type", None), ("node_type", "array")]
)
def test_a_store_that_says_it_is_another_kind_of_store(streamed, tmp_path, key, odd):
    """The first lines of a store stand outside of what is sealed; they are looked at all the same, on load and where it goes on."""
    path = tmp_path / "runs.zarr"
    shutil.copytree(streamed, path)
    known = json.loads((path / "zarr.json").read_text())
    (path / "zarr.json").write_text(json.dumps(known | {key: odd}))
    for use in (lambda: ordern.Run.load(path), lambda: ARM.simulate(Q, save=path, **OPTIONS)):
        with pytest.raises(ordern.InputError):
            use()


@pytest.mark.parametrize("ending", ["npz", "mat"])
def test_a_checksum_counts_whatever_the_format_is_said_to_be(run, tmp_path, ending):
    """Runs of the first format had none: one that has is not believed to be of that format when it does not fit."""
    from ordern.simulate import run_files

    path = tmp_path / f"x.{ending}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_files, "FORMAT", run_files.FIRST)
        patch.setattr(run_files, "_sum", lambda *_: "0" * 64)
        run.save(path)
    with pytest.raises(ordern.InputError, match="checksum"):
        ordern.Run.load(path)


@pytest.mark.parametrize("odd", [True, -1, 1.5, "x", [], [1, "x", None], ["done"], {"a": 1}, None, [[0, 1]]])
def test_what_is_told_of_a_run_may_be_forged(run, tmp_path, odd):
    """With the checksum that fits it: refused, or shown and saved again without a foreign exception."""
    from ordern.simulate.run_files import ARRAYS, _sum

    path = tmp_path / "x.npz"
    run.save(path)
    content = dict(np.load(path))
    known = json.loads(str(content["meta"]))
    places = [(known, key) for key in known] + [(known["stats"], key) for key in (*known["stats"], "more")]
    for where, key in places:
        kept, where[key] = where.get(key), odd
        meta = json.dumps(known)
        where[key] = kept
        check = _sum(meta, content["t"], {name: content[name] for name in ARRAYS})
        np.savez(path, **(content | {"meta": np.array(meta), "sha256": np.array(check)}))
        with contextlib.suppress(ordern.OrdernError):
            made = ordern.Run.load(path)
            assert str(made) and made.status and made.to_pandas() is not None
            made.save(tmp_path / "y.npz")


def test_chunks_that_were_exchanged_are_found(streamed, tmp_path):
    path = tmp_path / "runs.zarr"
    shutil.copytree(streamed, path)
    a, b = sorted((path / "q" / "c").glob("*/0/0"))[:2]
    kept = a.read_bytes()
    a.write_bytes(b.read_bytes())
    b.write_bytes(kept)
    with pytest.raises(ordern.InputError, match="runs 0 to 63 were damaged on disk; the call that made it"):
        ordern.Run.load(path)


def test_others_see_damage_too(streamed, tmp_path):
    """Whoever opens the store with zarr alone: chunks have checksums, and what is missing is NaN, not zero."""
    import zarr

    path = tmp_path / "runs.zarr"
    shutil.copytree(streamed, path)
    one, two = sorted((path / "q" / "c").glob("*/0/0"))[:2]
    one.unlink()
    data = bytearray(two.read_bytes())
    data[len(data) // 2] ^= 1
    two.write_bytes(bytes(data))
    group = zarr.open_group(str(path), mode="r")
    rows = group["q"].chunks[0]
    assert np.isnan(group["q"][:rows]).all()
    with pytest.raises(Exception, match=r"[Cc]hecksum"):
        group["q"][rows : 2 * rows]


def test_a_kill_at_any_moment_leaves_what_resumes(tmp_path):
    program = (
        "import sys, numpy as np, ordern\nfrom ordern.simulate import stream\nstream.PART = 8 * 6 * 9 * 50\n"
        "q = np.random.default_rng(0).normal(size=(200, 3))\narm = ordern.robots.planar3()\n"
        "arm.simulate(q[:64], duration=0.05)\nprint('begin', flush=True)\n"
        "arm.simulate(q, duration=0.05, keep=['tau'], save=sys.argv[1])\n"
    )
    rng = random.Random(0)
    for _ in range(40 if TRUST else 2):
        path = tmp_path / "runs.zarr"
        child = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE)
        child.stdout.readline()
        time.sleep(rng.uniform(0.0, 0.06))
        child.send_signal(signal.SIGKILL)
        child.communicate()
        if path.exists():
            ordern.Run.load(path)
        made = ARM.simulate(Q, save=path, **OPTIONS)
        assert made.complete and np.isfinite(made.q[...]).all()
        assert os.listdir(tmp_path) == ["runs.zarr"]  # nor does a killed process leave its half behind
        shutil.rmtree(path)


def test_folders_are_not_deleted(run, tmp_path):
    for name in ("x.npz", "x.zarr", "x.parquet", "x.mat"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "thesis.tex").write_text("years")
        with pytest.raises(ordern.InputError):
            run.save(tmp_path / name)
        assert (tmp_path / name / "thesis.tex").read_text() == "years"
    with pytest.raises(ordern.InputError, match="something else"):
        ARM.simulate(Q, save=tmp_path / "x.zarr", duration=0.05)
    run.save(tmp_path / "y.zarr")
    (tmp_path / "y.zarr" / "notes.txt").write_text("mine")
    with pytest.raises(ordern.InputError, match="holds other things"):
        run.save(tmp_path / "y.zarr")
    run.save(tmp_path / "w.zarr")
    shutil.copytree(tmp_path / "w.zarr" / "q", tmp_path / "w.zarr" / "my array")
    with pytest.raises(ordern.InputError, match="holds other things"):
        run.save(tmp_path / "w.zarr")
    run.save(tmp_path / "v.zarr")
    (tmp_path / "v.zarr" / "q" / "notes.txt").write_text("mine")
    with pytest.raises(ordern.InputError, match="holds other things"):
        run.save(tmp_path / "v.zarr")
    (tmp_path / "link.npz").symlink_to(tmp_path / "z.npz")
    run.save(tmp_path / "link.npz")
    assert (tmp_path / "link.npz").is_symlink() and same(ordern.Run.load(tmp_path / "z.npz"), run)


@pytest.mark.parametrize(
    "name", ["q/c/notes.txt", "q/c/0/x.0", "q/c/0/mine/0", "q/zarr.json.bak", "time/c/0.old.partial"]
)
def test_files_of_others_deep_in_a_store_stay(run, tmp_path, name):
    path = tmp_path / "runs.zarr"
    run.save(path)
    (path / f"q/c/0/0.{'0' * 32}.partial").write_text("what a killed save left")
    run.save(path)
    (path / name).parent.mkdir(exist_ok=True)
    (path / name).write_text("mine")
    with pytest.raises(ordern.InputError, match="holds other things"):
        run.save(path)
    assert (path / name).read_text() == "mine"


@needs.posix
@pytest.mark.parametrize("name", ["q/c/0/0/0", "q/c/0", "q/c", "qd", "status/c/0"])
def test_no_link_in_a_store_is_followed_when_it_goes_on(streamed, tmp_path, name):
    """Whoever may write to a shared store must not choose what else is overwritten."""
    path, elsewhere = tmp_path / "runs.zarr", tmp_path / "elsewhere"
    shutil.copytree(streamed, path)
    (path / name).rename(elsewhere)
    (path / name).symlink_to(elsewhere)
    harmed = next(p for p in (elsewhere, *sorted(elsewhere.rglob("*"))) if p.is_file() and p.name != "zarr.json")
    harmed.write_text("precious")
    with pytest.raises(ordern.InputError, match="something else"):
        ARM.simulate(Q, save=path, **OPTIONS)
    assert harmed.read_text() == "precious"


def test_two_writers(streamed, tmp_path):
    """The second is told; what the first has made stays."""
    from ordern.files import locked

    path = tmp_path / "runs.zarr"
    shutil.copytree(streamed, path)
    with locked(path), pytest.raises(ordern.InputError, match="another process writes there"):
        ARM.simulate(Q, save=path, **OPTIONS)
    assert ARM.simulate(Q, save=path, **OPTIONS).complete


def test_bombs(tmp_path, monkeypatch):
    from ordern import files

    monkeypatch.setattr(files, "SMALL", 2**30 if TRUST else 2**24)
    size = 2 * files.SMALL
    path = tmp_path / "bomb.npz"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed,
        packed.open("t.npy", "w", force_zip64=True) as file,
    ):
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (size // 8,)})
        for _ in range(size // 2**20):
            file.write(bytes(2**20))
    assert path.stat().st_size < 3e6
    for work in (ordern.Run.load, _series):
        with pytest.raises(ordern.InputError, match="too much"):
            work(path)
    lies = io.BytesIO()
    with zipfile.ZipFile(lies, "w") as packed, packed.open("t.npy", "w") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (10**15,)})
    path.write_bytes(lies.getvalue())
    for work in (ordern.Run.load, _series):
        with pytest.raises(ordern.InputError, match="header"):
            work(path)


def test_cells_of_matlab_files_are_not_unpacked(run, tmp_path, monkeypatch):
    """A cell says how many it has, not how large they are."""
    import scipy.io

    run.save(tmp_path / "run.mat")
    content = {k: v for k, v in scipy.io.loadmat(tmp_path / "run.mat").items() if not k.startswith("__")}
    content["q"] = np.array([[None]], object)
    content["q"][0, 0] = np.zeros(2**20)
    scipy.io.savemat(tmp_path / "run.mat", content, do_compression=True)
    monkeypatch.setattr(scipy.io, "loadmat", lambda *_, **__: pytest.fail("unpacked"))
    with pytest.raises(ordern.InputError, match="'q' is missing"):
        ordern.Run.load(tmp_path / "run.mat")


def test_a_store_of_nothing_is_no_memory(run, streamed, tmp_path, monkeypatch):
    """Whoever forges a description forges its sums too: a kilobyte that says it is a petabyte of NaN is refused all the same."""
    from ordern import files
    from ordern.simulate.store import ROOT, Store, _metadata, digest

    path = tmp_path / "x.zarr"
    run.save(path)
    store = Store.open(path)
    for place in (p for p in path.iterdir() if p.is_dir()):
        known = json.loads((place / ROOT).read_text())
        shutil.rmtree(place / "c")
        known["shape"][0] = known["chunk_grid"]["configuration"]["chunk_shape"][0] = 10**9
        (place / ROOT).write_text(json.dumps(known))
    store.attributes |= {"metadata": digest(path, _metadata(path)), "parts": [digest(path, [])]}
    store.seal()
    with pytest.raises(ordern.InputError, match="too much for a store"):
        ordern.Run.load(path)
    monkeypatch.setattr(files, "SMALL", 1000)
    still = ARM.with_gravity((0, 0, 0)).simulate((0.0, 0.0, 0.0), duration=1.0, output_dt=1e-3)
    still.save(tmp_path / "still.zarr")  # packs well, and is none
    assert same(ordern.Run.load(tmp_path / "still.zarr"), still)
    monkeypatch.setattr(files, "SMALL", 10**5)
    assert ordern.Run.load(streamed).complete  # its rows stay on disk


def _series(path):
    from ordern.simulate.series_files import read_series

    return read_series(path)


def test_a_robot_at_rest_is_no_bomb(run, tmp_path, monkeypatch):
    """What packs too well to be told from a bomb is kept unpacked."""
    from ordern import files

    monkeypatch.setattr(files, "SMALL", 1000)
    still = ARM.with_gravity((0, 0, 0)).simulate((0.0, 0.0, 0.0), duration=10.0, output_dt=1e-3)
    still.save(tmp_path / "still.npz")
    assert same(ordern.Run.load(tmp_path / "still.npz"), still)


@needs.posix
@pytest.mark.parametrize("ending", ["npz", "parquet", "mat", "csv"])
def test_devices_are_written_to(run, tmp_path, ending):
    (tmp_path / f"x.{ending}").symlink_to(os.devnull)
    run.save(tmp_path / f"x.{ending}")
    assert (tmp_path / f"x.{ending}").is_symlink()


@needs.posix
@pytest.mark.parametrize("ending", ["npz", "parquet", "zarr", "mat", "csv"])
def test_pipes_and_devices(tmp_path, ending):
    path, link = tmp_path / f"x.{ending}", tmp_path / f"y.{ending}"
    os.mkfifo(path)
    link.symlink_to("/dev/zero")
    for place in (path, link, tmp_path / ("n" * 300 + "." + ending)):
        with pytest.raises(ordern.InputError):
            (_series if ending == "csv" else ordern.Run.load)(place)


def test_the_first_format_is_still_read(run, tmp_path):
    path = tmp_path / "old.npz"
    run.save(path)
    with np.load(path) as file:
        content = {k: file[k] for k in file.files if k != "sha256"}
    content["meta"] = np.array(str(content["meta"]).replace("ordern run 2", "ordern run 1"))
    np.savez(path, **content)
    assert same(ordern.Run.load(path), run)
    content["meta"] = np.array(str(content["meta"]).replace("ordern run 1", "ordern run 9"))
    np.savez(path, **content)
    with pytest.raises(ordern.InputError, match="update ordern"):
        ordern.Run.load(path)


@needs.posix
@pytest.mark.parametrize("ending", ["npz", "parquet", "zarr", "mat"])
def test_a_disk_that_is_full_at_any_byte(tmp_path, ending):
    """Files may grow to so many bytes and no further: what was saved before is still there, whole, and nothing else is."""
    program = f"""
import resource, signal, sys, os, random, ordern
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
run = ordern.robots.planar3().simulate((0.1, 0.2, 0.3), duration=0.3, output_dt=0.1)
path = sys.argv[1]
run.save(path)
size = max([os.path.getsize(os.path.join(f, n)) for f, _, names in os.walk(path) for n in names] or [os.path.getsize(path)])
rng, failed = random.Random(0), 0
for limit in [0, 1, size - 1, *(rng.randrange(size) for _ in range({200 if TRUST else 8}))]:
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    try:
        run.save(path)
    except ordern.InputError as error:
        assert "cannot write" in str(error), error
        failed += 1
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    assert (ordern.Run.load(path).q == run.q).all()
    assert os.listdir(os.path.dirname(path)) == [os.path.basename(path)], os.listdir(os.path.dirname(path))
assert failed
"""
    made = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / f"run.{ending}")],
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr


@needs.posix
def test_a_second_writer_leaves_the_folder_of_the_first_alone(run, tmp_path, monkeypatch):
    """Zarr must not replace the folder that is locked: others would take the new one for abandoned, and empty it."""
    path, made = tmp_path / "a.zarr", store.add_array

    def beside(group, name, *rest, **options):
        _remove_abandoned(tmp_path, f".ordern-{_tag(path)}-")  # as another process does that saves the same run
        return made(group, name, *rest, **options)

    monkeypatch.setattr(run_files, "add_array", beside)
    run.save(path)
    assert np.array_equal(ordern.Run.load(path).q, run.q) and os.listdir(tmp_path) == ["a.zarr"]


def test_a_folder_that_was_removed_while_it_was_written_takes_no_place(tmp_path):
    with (
        pytest.raises(ordern.InputError, match="was removed while it was written"),
        whole_folder(tmp_path / "a", bool) as part,
    ):
        part.rename(tmp_path / "b")
        part.mkdir()
    assert os.listdir(tmp_path) == ["b"]
