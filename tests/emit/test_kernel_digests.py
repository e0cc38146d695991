"""The text of every kernel of the grid, and of other code that is written, is the stored one: a change that only moves code moves nothing else."""

import pytest

from grid import MODELS
from kernel_digests import changed
from other_texts import OTHERS


@pytest.mark.parametrize("robot", [*MODELS, *OTHERS])
def test_kernels_are_those_that_were_stored(robot):
    assert not changed(robot), "if that is meant: python tests/kernel_digests.py --store, and say why in the commit"


def test_a_changed_kernel_is_seen(monkeypatch):
    import kernel_digests

    monkeypatch.setattr(kernel_digests, "SEVERAL", 2)
    assert len(changed("pendulum")) > 20
