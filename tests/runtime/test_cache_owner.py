"""Whose a folder of compiled kernels is: used only if this user owns it and nobody else can write there."""

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
