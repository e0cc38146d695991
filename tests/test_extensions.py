"""The five worked extensions of CONTRIBUTING.md: each is written into a copy of the sources, and its tests and the grid's run there."""

from __future__ import annotations

import pytest

import extensions


@pytest.mark.parametrize("name", extensions.SECTIONS)
def test_a_worked_extension(name, tmp_path):
    done = extensions.tried(name, tmp_path)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
    assert " passed" in done.stdout or "." in done.stdout


@pytest.mark.parametrize("name", extensions.SECTIONS)
def test_a_section_has_code_and_tests_to_run(name):
    kinds = [kind for kind, _, _ in extensions.blocks(name)]
    assert "python" in kinds and "console" in kinds
    assert all(len(line) <= 150 for _, _, text in extensions.blocks(name) for line in text.splitlines())
