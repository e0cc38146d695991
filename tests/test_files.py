"""Files are written whole or not at all, keep their mode, and never take the place of something else; reading has bounds."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import signal
import socket
import stat
import struct
import threading
import tracemalloc
import zipfile
from pathlib import Path

import numpy as np
import pytest

import needs
import ordern
from ordern import files
from ordern.files import path_of, read_bytes, whole_file, write
from ordern.files.arrays import read_arrays


@needs.posix
@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o666, 0o755])
def test_a_file_that_is_replaced_keeps_its_mode(tmp_path, mode):
    path = tmp_path / "a"
    path.write_text("before")
    path.chmod(mode)
    write(path, "after", durable=True)
    assert path.read_text() == "after" and stat.S_IMODE(path.stat().st_mode) == mode


@needs.posix
@pytest.mark.parametrize("mask", [0o022, 0o077, 0o007, 0])
def test_a_new_file_has_the_mode_that_open_gives(tmp_path, mask):
    before = os.umask(mask)
    try:
        write(tmp_path / "a", "x")
        (tmp_path / "b").write_text("x")
    finally:
        os.umask(before)
    assert (tmp_path / "a").stat().st_mode == (tmp_path / "b").stat().st_mode


def test_the_mask_of_the_process_is_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "umask", lambda mask: pytest.fail("other threads make files meanwhile"))
    write(tmp_path / "a", "x")


@needs.posix
def test_links_stay_links(tmp_path):
    real = tmp_path / "real"
    real.write_text("before")
    for link, to in (("link", real), ("loose", tmp_path / "new"), ("second", tmp_path / "link")):
        (tmp_path / link).symlink_to(to)
        write(tmp_path / link, link)
        assert (tmp_path / link).is_symlink() and to.read_text() == link
    assert real.read_text() == "second"


@needs.posix
def test_devices_and_pipes_are_written_to_and_not_replaced(tmp_path):
    write(os.devnull, "x" * 10**6)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    pipe, got = tmp_path / "pipe", []
    os.mkfifo(pipe)
    with pytest.raises(ordern.InputError, match="cannot write"):  # nobody reads
        write(pipe, "x")
    reader = threading.Thread(target=lambda: got.append(pipe.read_bytes()))
    reader.start()
    while reader.is_alive():
        try:
            write(pipe, "some text")
            break
        except ordern.InputError:
            continue
    reader.join()
    assert got == [b"some text"] and stat.S_ISFIFO(pipe.stat().st_mode)
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        with pytest.raises(ordern.InputError, match="socket"):
            write(tmp_path / "s", "x")


def test_folders_and_protected_files_stay(tmp_path, monkeypatch):
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "x").write_text("x")
    with pytest.raises(ordern.InputError, match="it is a folder"):
        write(tmp_path / "folder", "y")
    assert (tmp_path / "folder" / "x").read_text() == "x"
    path = tmp_path / "protected"
    path.write_text("x")
    monkeypatch.setattr(files.os, "access", lambda *_: False)  # what a root user would not be told
    with pytest.raises(ordern.InputError, match="write-protected"):
        write(path, "y")
    assert path.read_text() == "x"


@pytest.mark.parametrize("step", ["open", "write", "fsync", "replace"])
def test_a_full_disk_leaves_what_was_there(tmp_path, monkeypatch, step):
    path = tmp_path / "a"
    path.write_text("before")

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    with (
        pytest.raises(ordern.InputError, match=r"cannot write .*: No space left on device; make room"),
        monkeypatch.context() as patch,
    ):
        if step == "write":
            with whole_file(path, durable=True) as file:
                file.write(b"half")
                full()
        else:
            patch.setattr(files.os, step, full)
            write(path, "after", durable=True)
    assert path.read_text() == "before" and os.listdir(tmp_path) == ["a"]


@needs.posix
@pytest.mark.parametrize("place", range(3))
@pytest.mark.parametrize("how", ["folder", "full"])
def test_exported_files_that_belong_together_change_together(tmp_path, place, how):
    """A header of this robot beside a source of the last one would compile: where one file cannot be written, all stay."""
    arm = ordern.robots.planar3()
    paths = arm.export("mass_matrix", tmp_path, language="c")
    before = {path: path.read_bytes() for path in paths}
    paths[place].unlink()
    paths[place].mkdir() if how == "folder" else paths[place].symlink_to("/dev/full")
    with pytest.raises(ordern.InputError, match="cannot write"):
        arm.with_payload("link3", 1.0).export("mass_matrix", tmp_path, language="c")
    assert all(path.read_bytes() == before[path] for path in paths if path != paths[place])
    assert len(os.listdir(tmp_path)) == 3


@needs.posix
def test_a_folder_takes_the_place_of_another_in_one_step(tmp_path, monkeypatch):
    """At no moment is neither there; where the system cannot do that, two steps do."""
    place = tmp_path / "x"
    for text, fails in (("one", False), ("two", False), ("three", True)):
        if fails:
            monkeypatch.setattr(files, "_EXCHANGE", 1 << 20)  # a flag that no kernel knows
        else:
            kept = os.rename
            monkeypatch.setattr(
                files.os,
                "rename",
                lambda a, b, kept=kept: pytest.fail("a gap") if Path(b).suffix == ".old" else kept(a, b),
            )
        with files.whole_folder(place, lambda _: True) as part:
            (part / "a").write_text(text)
        monkeypatch.undo()
        assert (place / "a").read_text() == text and os.listdir(tmp_path) == ["x"]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_packed_files_that_lie_about_their_size_take_no_memory(tmp_path, method):
    """Both headers say 160 bytes; 64 MB would come out if somebody asked for all of it."""
    made, path = io.BytesIO(), tmp_path / "lie.npz"
    with zipfile.ZipFile(made, "w", method) as packed, packed.open("t.npy", "w") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (4,)})
        for _ in range(64):
            file.write(bytes(2**20))
    data = bytearray(made.getvalue())
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        start = data.rfind(mark) + at
        data[start : start + 4] = struct.pack("<I", 160)
    path.write_bytes(data)
    tracemalloc.start()
    try:
        with pytest.raises(ordern.InputError, match="damaged"):
            read_arrays(path)
        assert tracemalloc.get_traced_memory()[1] < 16e6  # a few pieces of 1 MB
    finally:
        tracemalloc.stop()


def test_whatever_ends_the_writing_leaves_nothing_behind(tmp_path):
    for error in (KeyboardInterrupt, ValueError, SystemExit):
        with pytest.raises(error), whole_file(tmp_path / "a") as file:
            file.write(b"half")
            raise error
    assert not os.listdir(tmp_path)


@needs.posix
def test_what_a_killed_save_left_goes_with_the_next(tmp_path):
    """Of any number of kills one part stays at most, and the next save removes it; other files stay."""
    run = ordern.robots.planar3().simulate((0.1, 0.2, 0.3), duration=0.1)
    names = ["a.npz", "a.csv", "a.mat", "a.parquet"]
    (tmp_path / ".ordern-other.part").write_text("x")
    for name in names * 3:
        child = os.fork()
        if child == 0:
            with whole_file(tmp_path / name) as file:
                file.write(b"half")
                file.flush()
                os.kill(os.getpid(), signal.SIGKILL)
        os.waitpid(child, 0)
    assert len(os.listdir(tmp_path)) == 1 + len(names)
    for name in names:
        run.save(tmp_path / name)
    assert sorted(os.listdir(tmp_path)) == sorted([".ordern-other.part", *names])


@needs.posix
@pytest.mark.parametrize("there", ["link", "folder", "pipe", "file"])
def test_whatever_has_the_name_of_the_part(tmp_path, there):
    """Nothing is followed, waited for or lost."""
    with whole_file(tmp_path / "a"):
        (part,) = tmp_path.iterdir()
    (tmp_path / "a").unlink()
    (tmp_path / "victim").write_text("x")
    make = {
        "link": lambda: part.symlink_to("victim"),
        "folder": part.mkdir,
        "pipe": lambda: os.mkfifo(part),
        "file": part.touch,
    }
    make[there]()
    write(tmp_path / "a", "y")
    assert (tmp_path / "a").read_text() == "y" and not (tmp_path / "a").is_symlink()
    assert (tmp_path / "victim").read_text() == "x"


def test_writers_of_one_name_at_the_same_time(tmp_path):
    """Each writes the whole file; one of them was last."""
    texts = [f"{k}" * 100_000 for k in range(8)]

    def many(text):
        for _ in range(40):
            write(tmp_path / "a", text)

    threads = [threading.Thread(target=many, args=(text,)) for text in texts]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        if (tmp_path / "a").exists():
            assert (tmp_path / "a").read_text() in texts
    assert os.listdir(tmp_path) == ["a"]


@pytest.mark.parametrize("name", ["n" * 256, "ü" * 128, "d/" * 3000, "a\0b", "\ud800", 3, None, b"bytes"])
def test_names_that_no_file_can_have(tmp_path, name, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for work in (path_of, lambda p: write(p, "x"), lambda p: read_bytes(p, 10)):
        with pytest.raises(ordern.InputError) as caught:
            work(name)
        assert len(str(caught.value)) < 300
    write("n" * 255, "x")  # as long as can be, and the temporary one is no longer
    assert Path("n" * 255).read_text() == "x"


@needs.posix
def test_reading_has_bounds_and_does_not_wait(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "a").write_bytes(b"12345")
    assert read_bytes(tmp_path / "a", 5) == b"12345"
    for path, said in (
        (tmp_path / "pipe", "pipe"),
        ("/dev/zero", "device"),
        (tmp_path, "folder"),
        (tmp_path / "a", "5 bytes; a study may have 4 at most"),
    ):
        with pytest.raises(ordern.InputError, match=said):
            read_bytes(path, 4, "study")
    with pytest.raises(FileNotFoundError):
        read_bytes(tmp_path / "none", 4)


@needs.posix
@pytest.mark.parametrize("pause", [0.0, 0.005, 0.05])
def test_a_folder_that_fails_is_gone_though_others_are_still_writing_into_it(tmp_path, pause):
    """Zarr's threads end after the error that is raised; a folder that gets new files meanwhile cannot be removed."""
    stop = threading.Event()

    def fill(part):
        while not stop.is_set():
            with contextlib.suppress(OSError):
                for k in range(50):
                    (part / f"{k}").write_bytes(b"x")  # not where the folder is gone

    with pytest.raises(ordern.InputError, match="full"), files.whole_folder(tmp_path / "x", lambda _: True) as part:
        writer = threading.Thread(target=fill, args=(part,))
        writer.start()
        threading.Timer(pause, stop.set).start()
        raise ordern.InputError("full")
    assert stop.is_set() or not part.exists()
    stop.set()
    writer.join()
    assert not list(tmp_path.iterdir())
