"""The folder of compiled kernels: used only if this user owns it and nobody else can write there, and what is kept in it."""

from __future__ import annotations

import os
import stat
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
