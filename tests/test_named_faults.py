"""The list of named faults belongs to the source as it is: each text stands once in its file, and its test exists."""

from __future__ import annotations

from pathlib import Path

import pytest

from mutants import HERE, SOURCE
from named_faults import NAMED


@pytest.mark.parametrize("fault", NAMED, ids=lambda fault: fault[0])
def test_the_fault_can_be_put_in(fault):
    _, file, old, new, test = fault
    assert (SOURCE / file).read_text("utf-8").count(old) == 1 and new != old
    place, _, name = test.partition("::")
    assert not name or f"def {name}(" in Path(HERE / place).read_text("utf-8")
