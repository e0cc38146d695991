"""What the bridges to JAX and PyTorch are given: odd arrays are read, all else is refused by the name of the argument."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

import ordern
import robots
from ordern.robot import Robot

ROBOT = Robot(robots.serial("RP", name="two"))
Q = np.array([0.3, -0.2])


@pytest.fixture(params=[name for name in ("jax", "torch") if find_spec(name)])
def bridge(request):
    if request.param == "torch":
        yield ordern.torch
    else:
        import jax

        with jax.enable_x64(True):
            yield ordern.jax


BAD = {
    "none": None,
    "text": "0.3",
    "ragged": [[0.1], [0.1, 0.2]],
    "holes": [0.1, None],
    "masked": np.ma.masked_array(Q, [False, True]),
    "objects": np.array([0.1, None], object),
    "function": np.sin,
    "names": {"joint1": 0.1},
}


@pytest.mark.parametrize("bad", BAD)
@pytest.mark.parametrize("at", ["q", "qd"])
def test_what_is_no_array_of_numbers(bridge, bad, at):
    given = {"q": Q, "qd": Q} | {at: BAD[bad]}
    with pytest.raises(ordern.InputError, match=f"^{at} is (no array of numbers: .|masked at)"):
        bridge.bias_forces(ROBOT)(*given.values())


def test_byte_order_lists_and_masks_without_holes(bridge):
    f, right = bridge.bias_forces(ROBOT), ROBOT.bias_forces(Q, Q)
    for q in (Q.astype(">f8"), Q.tolist(), np.ma.masked_array(Q), tuple(Q)):
        assert np.array_equal(np.asarray(f(q, Q)), right)


def test_links_of_wrenches(bridge):
    """Each once: a second wrench on a link took the place of the first, whose gradient was zero."""
    with pytest.raises(ordern.InputError, match="external has link 'link2' twice"):
        bridge.inverse_dynamics(ROBOT, external=["link2", "link1", "link2"])
    for bad in ("link2", {"link2": Q}, None):
        with pytest.raises(ordern.InputError, match="external must be a list of links"):
            bridge.inverse_dynamics(ROBOT, external=bad)
    with pytest.raises(ordern.InputError, match="robot must be a Robot, got 'ur5'"):
        bridge.inverse_dynamics("ur5")
