"""States called as MuJoCo calls a file's own position, qpos0: kept by every writer, whatever they hold."""

from __future__ import annotations

from itertools import product

import pytest

import ordern
from ordern.check.convert import _WAYS
from ordern.describe.compare import differences
from ordern.model import State

LEG = """<mujoco model="m"><worldbody>{}<body name="a" pos="0 0 1">{}<geom size=".1"/>
<body name="b"><joint name="j" ref="{}"/><geom size=".1"/></body></body></worldbody></mujoco>"""


@pytest.mark.parametrize("form", ["mjcf", "toml", "urdf"])
def test_it_comes_back(form):
    write, read = _WAYS[form]
    for free, ref, moves, at in product(
        ("", "<freejoint name='f'/>"), (0.0, 20.0), (False, True), ("own", "zero", "else")
    ):
        model = ordern.load(LEG.format("", free, ref)).model
        zero = tuple(x for i in model.free for x in model.bodies[i].joint.neutral)
        own = next((s.q for s in model.states), zero)
        q = {"own": own, "zero": zero, "else": (*zero[:-1], 0.7)}[at]
        qd = (0.0,) * (model.nv - 1) + (0.5 * moves,)
        model = model.changed(states=(State("qpos0", q, qd),))
        back = read(write(model), model)
        assert differences(model, back, form) == [], (free, ref, moves, at)


def test_a_part_without_joints_has_no_states():
    walker = ordern.load(LEG.format("", "<freejoint name='f'/>", 20))
    assert walker.states and not walker.subtree("b").states
