"""The text of every kernel of the grid is the stored one, so that a change which only moves code is seen to move nothing else."""

import pytest

from grid import MODELS
from kernel_digests import changed


@pytest.mark.parametrize("robot", MODELS)
def test_kernels_are_those_that_were_stored(robot):
    assert not changed(robot), "if that is meant: python tests/kernel_digests.py --store, and say why in the commit"


def test_a_changed_kernel_is_seen(monkeypatch):
    import kernel_digests

    monkeypatch.setattr(kernel_digests, "SEVERAL", 2)
    assert len(changed("pendulum")) > 20
