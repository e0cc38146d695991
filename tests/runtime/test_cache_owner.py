"""The folder of compiled kernels: used only if this user owns it and nobody else can write there, and what is kept in it."""

from __future__ import annotations

import os
import stat
import time
from types import SimpleNamespace

import pytest

from ordern.runtime import cache


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners there")
@pytest.mark.parametrize("others", [0, stat.S_IWGRP, stat.S_IWOTH, stat.S_IRGRP | stat.S_IXOTH])
@pytest.mark.parametrize("mine", [True, False])
def test_ours(mine, others):
    status = SimpleNamespace(st_uid=os.getuid() + (not mine), st_mode=stat.S_IFDIR | stat.S_IRWXU | others)
    assert cache._ours(status) == (mine and others not in (stat.S_IWGRP, stat.S_IWOTH))


@pytest.mark.parametrize("more", [0, 1])
def test_the_largest_entry_is_kept(tmp_path, monkeypatch, more):
    """What is kept can be read again, up to the very byte of the limit; what is larger is not written at all."""
    monkeypatch.setenv("ORDERN_CACHE", str(tmp_path))
    cache.save("key", {"a": 1}, b"code")
    (entry,) = tmp_path.iterdir()
    monkeypatch.setattr(cache, "_LARGEST", entry.stat().st_size - more)
    entry.unlink()
    cache.save("key", {"a": 1}, b"code")
    assert cache.load("key") == (None if more else ({"a": 1, "key": "key"}, b"code"))
    assert len(list(tmp_path.iterdir())) == 1 - more


def aged(path, seconds):
    """As if it had been written so long ago."""
    os.utime(path, (time.time() - seconds,) * 2)
    return path


def test_what_a_killed_process_left_goes_after_an_hour(tmp_path, monkeypatch):
    """And nothing else that somebody has put there, however old and large."""
    monkeypatch.setattr(cache, "LIMIT", 25)
    made = {name: tmp_path / name for name in ("old.part", "new.part", "other", "a.kernel", "b.kernel", "c.kernel")}
    for age, path in enumerate(made.values(), 1):
        path.write_bytes(b"x" * 10)
        aged(path, 10**6 + age)
    aged(made["old.part"], 3700)
    aged(made["new.part"], 3500)
    cache._trim(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"new.part", "other", "a.kernel", "b.kernel"}
    monkeypatch.setattr(cache, "LIMIT", 20)  # within it to the byte
    cache._trim(tmp_path)
    assert len(list(tmp_path.glob("*.kernel"))) == 2


@pytest.mark.parametrize("age", [3500, 3700])
def test_what_is_in_use_stays_young(tmp_path, monkeypatch, age):
    monkeypatch.setenv("ORDERN_CACHE", str(tmp_path))
    cache.save("key", {}, b"code")
    (entry,) = tmp_path.iterdir()
    aged(entry, age)
    assert cache.load("key") == ({"key": "key"}, b"code")
    assert (time.time() - entry.stat().st_mtime < 100) == (age > 3600)
    assert (stat.S_IMODE(entry.stat().st_mode), entry.stat().st_size) == (0o600, 48 + len('{"key": "key"}') + 4)


@pytest.mark.parametrize("word", ["off", "0", " OFF ", "no", "False", "none"])
def test_the_folder_can_be_switched_off(monkeypatch, word):
    monkeypatch.setenv("ORDERN_CACHE", word)
    assert cache.folder() is None and cache._path("key") is None and cache.load("key") is None


@pytest.mark.parametrize(("system", "given", "wanted"), [
    ("linux", "", ".cache"), ("linux", "relative", ".cache"), ("linux", "{home}/there", "there"), ("darwin", "{home}/there", "Library/Caches"),
])  # fmt: skip
def test_where_the_folder_is(tmp_path, monkeypatch, system, given, wanted):
    """Where the system keeps caches; a relative XDG_CACHE_HOME is none, as its standard says."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", given.format(home=tmp_path))
    monkeypatch.setenv("ORDERN_CACHE", "")
    monkeypatch.setattr(cache.sys, "platform", system)
    assert cache.folder() == tmp_path / wanted / "ordern"
    assert stat.S_IMODE((tmp_path / wanted / "ordern").stat().st_mode) == 0o700


@pytest.mark.parametrize("flag", ["O_NOFOLLOW", "O_NONBLOCK", "O_BINARY"])
def test_systems_without_a_flag_keep_machine_code_too(tmp_path, monkeypatch, flag):
    monkeypatch.setenv("ORDERN_CACHE", str(tmp_path))
    monkeypatch.delattr(os, flag, raising=False)
    cache.save("key", {"a": 1}, b"code")
    assert cache.load("key") == ({"a": 1, "key": "key"}, b"code")


@pytest.mark.parametrize(("given", "wanted"), [("{home}/local", "local"), ("", "AppData/Local")])
def test_where_windows_has_it(tmp_path, monkeypatch, given, wanted):
    monkeypatch.setenv("LOCALAPPDATA", given.format(home=tmp_path))
    monkeypatch.setenv("ORDERN_CACHE", "")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(cache, "os", SimpleNamespace(**{**vars(os), "name": "nt"}))
    assert cache.folder() == tmp_path / wanted / "ordern" and cache.folder().is_dir()
    monkeypatch.delattr(cache.os, "getuid")  # where files have no owners, every folder is ours
    cache.folder().chmod(0o777)
    assert cache.folder() == tmp_path / wanted / "ordern"
