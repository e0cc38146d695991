"""robot.compile: every combination of quantities, derivatives, batches, precisions and lengths of robots returns all that was asked for."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import ordern
import robots
from ordern.errors import InputError, MethodError

INPUTS = {
    "inverse_dynamics": 3, "forward_dynamics": 3, "mass_matrix": 1, "bias_forces": 2, "kinetic_energy": 2, "potential_energy": 1, "momentum": 2,
}  # fmt: skip


def states(robot, names, batch, dtype="float64"):
    q, qd, qdd, tau = (np.asarray(x, dtype) for x in robots.state(robot.model, np.random.default_rng(2), batch))
    return {"q": q, "qd": qd, "qdd": qdd, "tau": tau}


def asked(kernel, given):
    return kernel(*(given[name] for name in kernel.inputs))


def of(robot, name, given):
    count = INPUTS[name]
    return getattr(robot, name)(
        *[given[k] for k in ("q", "qd", "tau" if name == "forward_dynamics" else "qdd")][:count]
    )


ROBOTS = {
    "arm": lambda: robots.serial("RPR", 4),
    "floating": lambda: robots.tree(["floating", "revolute", "universal"], [0, 1, 1], 5),
    "mimic": robots.mimicking,
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("batch", [(), (1,), (5,), (2, 3), (0,)])
@pytest.mark.parametrize("robot", ROBOTS)
def test_one_or_several_of_any_batch(robot, batch, dtype):
    robot = ordern.Robot(ROBOTS[robot]())
    given = states(robot, INPUTS, batch, dtype)
    chosen = ["kinetic_energy", "bias_forces", "mass_matrix"]
    for _ in range(2):  # the second time another way leads there
        made = asked(robot.compile(chosen, dtype=dtype), given)
        assert list(made) == chosen
        for name in chosen:
            alone = asked(robot.compile(name, dtype=dtype), given)
            want = of(robot, name, given)
            for x in (alone, made[name]):
                assert np.shape(x) == np.shape(want) and x.dtype == dtype
                if np.size(want):
                    np.testing.assert_allclose(
                        x, want, rtol=0, atol=1e3 * np.finfo(dtype).eps * max(1.0, np.abs(want).max())
                    )


@pytest.mark.parametrize("order", [1, 2])
@pytest.mark.parametrize(
    "names", [["kinetic_energy"], ["bias_forces", "mass_matrix"], ["mass_matrix", "bias_forces", "potential_energy"]]
)
def test_derivatives_of_all_of_them(names, order):
    robot = ordern.Robot(robots.serial("RCP", 4))
    given, h = states(robot, names, ()), 1e-6
    made = asked(robot.compile(names, derivatives=order), given)
    for name in names:
        label = "out0" if len(names) == 1 else name
        np.testing.assert_allclose(made[label], of(robot, name, given), rtol=1e-12, atol=1e-13)
        for by in ("q", "qd")[: INPUTS[name]]:
            steps = [{**given, by: given[by] + s * h * e} for e in np.eye(robot.n) for s in (1, -1)]
            slopes = [
                (of(robot, name, a) - of(robot, name, b)) / (2 * h)
                for a, b in zip(steps[::2], steps[1::2], strict=True)
            ]
            # h^2 and eps/h
            np.testing.assert_allclose(made[f"{label}_{by}"], np.stack(slopes, axis=-1), rtol=0, atol=1e-7)
            if order == 2:
                assert made[f"{label}_{by}_q"].shape == (*np.shape(made[label]), robot.n, robot.n)
    assert set(made) >= {("out0" if len(names) == 1 else name) for name in names}


def test_a_method_counts_for_every_quantity():
    robot = ordern.load("ur5")
    with pytest.raises(MethodError, match="no method 'nonsense' for mass_matrix"):
        robot.compile(["mass_matrix", "bias_forces"], method="nonsense")
    with pytest.raises(MethodError, match="no method 'composite' for bias_forces"):
        robot.compile(["mass_matrix", "bias_forces"], method="composite")
    with pytest.raises(MethodError, match="no method 'nonsense'"):
        robot.compile(["mass_matrix"], method="nonsense", derivatives=1)
    both = robot.compile(["mass_matrix", "inverse_dynamics"], method="denoc")
    given = states(robot, (), ())
    np.testing.assert_allclose(
        asked(both, given)["mass_matrix"], robot.mass_matrix(given["q"], method="denoc"), rtol=1e-12, atol=1e-14
    )
    with pytest.raises(InputError, match="twice"):
        robot.compile(["mass_matrix", "mass_matrix"])
    for order in (3, -1, 1.5, "1", True):
        with pytest.raises(MethodError, match="order 1 and 2"):
            robot.compile(["mass_matrix", "bias_forces"], derivatives=order)


@pytest.mark.parametrize("names", ["inverse_dynamics", ["bias_forces", "kinetic_energy", "mass_matrix"]])
def test_long_robots(names):
    """Beyond 40 bodies quantities are loops: several of them run one after the other."""
    robot = ordern.Robot(robots.serial("RRP" * 20, 3))
    for batch in ((), (4,)):
        given = states(robot, names, batch)
        made = asked(robot.compile(names), given)
        for name in [names] if isinstance(names, str) else names:
            want = of(robot, name, given)
            np.testing.assert_allclose(
                made if isinstance(names, str) else made[name], want, rtol=0, atol=1e-9 * np.abs(want).max()
            )


@pytest.mark.parametrize("names", ["inverse_dynamics", ["bias_forces", "kinetic_energy"]])
@pytest.mark.parametrize("order", [0, 1])
def test_compiled_objects_pickle_and_copy(names, order):
    robot = ordern.Robot(robots.serial("RPR", 4))
    kernel = robot.compile(names, derivatives=order)
    given = states(robot, names, ())
    for other in (pickle.loads(pickle.dumps(kernel)), copy.copy(kernel), copy.deepcopy(kernel)):
        a, b = asked(kernel, given), asked(other, given)
        for x, y in zip(a.values(), b.values(), strict=True) if isinstance(a, dict) else [(a, b)]:
            np.testing.assert_array_equal(x, y)
        assert repr(other) == repr(kernel) and other.inputs == kernel.inputs


def test_numbers_of_one_state_are_numbers_however_often_they_are_asked_for():
    """Not arrays without axes, as the fast way in would make them."""
    robot = ordern.robots.planar3()
    kernel, q = robot.compile(["kinetic_energy", "mass_matrix"]), np.ones(3)
    for _ in range(3):
        made = kernel(q, q)
        assert type(made["kinetic_energy"]) is np.float64 and made["mass_matrix"].shape == (3, 3)
    assert kernel(np.ones((2, 3)), q)["kinetic_energy"].shape == (2,)
