"""Whatever evaluates a quantity says the same of a number that is not finite: which argument, which joint, which row; and
of a quaternion of zeros, of numbers too large for float32, and of a robot that has nothing to divide by."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest

import ordern
import robots
from ordern.errors import SingularError
from ordern.robot import Robot
from ordern.runtime.complaints import coordinate_names

FREE = Robot(robots.serial("FRS", name="free"))


def _lanes(robot):
    kernel = robot.compile("bias_forces", layout="lanes")
    return lambda q, qd: kernel(np.atleast_2d(q).T, np.atleast_2d(qd).T)


WAYS = {
    "method": lambda r: r.bias_forces,
    "compiled": lambda r: r.compile("bias_forces"),
    "single": lambda r: r.compile("bias_forces", dtype="float32"),
    "several": lambda r: r.compile(["bias_forces", "kinetic_energy"]),
    "derivatives": lambda r: r.compile("kinetic_energy", derivatives=1),
    "lanes": _lanes,
    "along": lambda r: lambda q, qd: r.jvp("bias_forces", (q, qd), (np.ones(r.n), None)),
    "against": lambda r: lambda q, qd: r.vjp("bias_forces", (q, qd), (np.ones(r.n),)),
    "hessian": lambda r: lambda q, qd: r.jacobian_derivatives(q, r.link_names[-1]),
    "mpmath": lambda r: lambda q, qd: r.evaluate("bias_forces", q, qd, precision=15),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_number_is_named(way):
    """Positions of a floating base too, which no result depends on."""
    call, rng = WAYS[way](FREE), np.random.default_rng(1)
    batch = () if way == "mpmath" else (3,)
    q, qd = FREE.random(rng, batch), rng.uniform(-1, 1, (*batch, FREE.n))
    for name, kind in [("q", "q"), ("qd", "v")][: 1 if way == "hessian" else 2]:
        names = coordinate_names(FREE.model, kind)
        for k in {0, len(names) - 1, int(rng.integers(len(names)))}:
            given = {"q": q.copy(), "qd": qd.copy()}
            given[name][(1, k) if batch else k] = rng.choice([np.nan, np.inf])
            with pytest.raises(ordern.InputError, match=rf"^{name} is (nan|inf|\+inf) for joint ") as told:
                call(*given.values())
            assert repr(names[k]) in str(told.value)
            assert not batch or f" in {'state' if way == 'lanes' else 'row'} 1;" in str(told.value)
    zero = q.copy()
    zero[..., 8:] = 0.0
    with pytest.raises(ordern.InputError, match="zero quaternion for joint 'joint3'"):
        call(zero, qd)


@pytest.mark.parametrize("way", ["compiled", "lanes"])
def test_what_is_too_large_for_single_precision(way):
    """Also where no result depends on it."""
    kernel = FREE.compile("kinetic_energy", dtype="float32", layout="lanes" if way == "lanes" else "states")
    q, qd = FREE.neutral()[:, None], np.ones((FREE.n, 1))
    q[0] = 1e300
    with warnings.catch_warnings(), pytest.raises(ordern.InputError, match=r"q is 1e.300 .*must be finite in float32"):
        warnings.simplefilter("error")
        kernel(*((q, qd) if way == "lanes" else (q.T, qd.T)))


def test_derivatives_that_are_not_finite():
    mechanism = ordern.load("fourbar")
    q = np.full(3, 1e155)
    with pytest.raises(SingularError, match="the derivative of kinetic_energy of robot 'fourbar' is not finite"):
        mechanism.jvp("kinetic_energy", (np.zeros(3), q), (None, q))
    with pytest.raises(SingularError, match=r"the derivative of kinetic_energy .* in row 1"):
        mechanism.vjp("kinetic_energy", (np.zeros(3), [np.zeros(3), q]), (1e200,))


@pytest.mark.parametrize(
    "way",
    [
        lambda r: r.center_of_mass([]),
        lambda r: r.compile("center_of_mass"),
        lambda r: r.formulas("center_of_mass"),
        lambda r: r.operation_counts("center_of_mass"),
        lambda r: r.evaluate("center_of_mass", [], scalars="fraction"),
        lambda r: r.export_c("center_of_mass", "never"),
        lambda r: r.jvp("center_of_mass", ([],), ([],)),
        lambda r: r.compile(["center_of_mass", "potential_energy"]),
    ],
)
def test_nothing_has_a_mass(way):
    with pytest.raises(SingularError, match="center_of_mass of robot 'none': nothing of it that moves has a mass"):
        way(Robot(robots.tree([], [], name="none")))


def test_kernels_in_lanes_travel():
    kernel = FREE.compile("kinetic_energy", layout="lanes")
    q, qd = FREE.random(0, 4).T, np.ones((FREE.n, 4))
    assert np.array_equal(pickle.loads(pickle.dumps(kernel))(q, qd), kernel(q, qd))


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("batch", [(), (3,)])
def test_what_is_made_of_kernels_names_the_joint_too(batch, bad):
    """An infinite distance leaves a link fewer directions, and velocities are brought to the loops by matrices."""
    bar, sprung = ordern.load("fourbar"), Robot(robots.GRID["springs"]())
    q, v = np.tile(np.array(bar.model.home), (*batch, 1)), np.zeros((*batch, bar.n))
    v[..., 1] = bad
    where = " in row 0;" if batch else ";"
    with pytest.raises(ordern.InputError, match=f"qd is {bad} for joint '{bar.joint_names[1]}'{where}"):
        bar.closed_velocity(q, v)
    q = robots.state(sprung.model, np.random.default_rng(1), batch)[0]
    q[..., 1] = bad
    with pytest.raises(ordern.InputError, match=f"q is {bad} for joint 'joint2'{where}"):
        sprung.operational_inertia(q, "link4")


@pytest.mark.parametrize("shared", [False, True])
def test_rows_of_batches_with_several_axes_have_all_their_numbers(shared):
    """Where an argument is shared by some axes, its own row is named."""
    q, qd = FREE.random(1, (2, 3)), np.ones((3, FREE.n) if shared else (2, 3, FREE.n))
    qd[..., 2, 4] = np.nan
    with pytest.raises(ordern.InputError, match=" in row 2;" if shared else " in row 0, 2;"):
        FREE.bias_forces(q, qd)
