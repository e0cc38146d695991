"""Numbers with names: every method puts them into the robot's order by these, or refuses them; none takes them as they stand."""

from __future__ import annotations

import base64
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import xarray

import ordern
from ordern import control as C
from ordern import trajectory as T
from ordern.robot import Robot
from ordern.runtime.call import coordinate_names
from ordern.view.film import _motion
from ordern.view.page_data import page_data, starting
from robots import serial

ARM = Robot(serial("RPR", 2))
NAMES, TIP = list(ARM.joint_names), ARM.link_names[-1]
Q, V, A, TO, TAU = np.random.default_rng(5).uniform(0.1, 1, (5, 3))
K = np.random.default_rng(6).uniform(0, 5, (3, 6))
GOAL = ARM.forward_kinematics(0.5 * Q, TIP)[:3, 3]


def moved(torque=None, q=Q, qd=V, **more):
    run = ARM.simulate(q, qd, 0.02, torque, output_dt=None, engine="numpy", **{"limits": False} | more)
    return np.concatenate([run.q[-1], run.qd[-1]])


def played(*rows):
    """What the page plays, in single precision as it is sent."""
    data = page_data(ARM.model, run={"t": [0.0, 1.0], "q": list(rows)})["run"]["q"]
    return np.frombuffer(base64.b64decode(data), "<f4").astype(float)


READ = {  # q, qd, qdd, another q, tau, each with its names: what is made of them
    "integrate": lambda q, v, a, to, tau: ARM.integrate(q, v),
    "difference": lambda q, v, a, to, tau: ARM.difference(q, to),
    "linearize": lambda q, v, a, to, tau: np.hstack(ARM.linearize(q, v, tau, 1e-2)),
    "jvp": lambda q, v, a, to, tau: ARM.jvp("inverse_dynamics", [q, v, a], [to, tau, v]),
    "vjp": lambda q, v, a, to, tau: ARM.vjp("inverse_dynamics", [q, v, a], [TAU])[0],
    "inverse second": lambda q, v, a, to, tau: ARM.inverse_dynamics_derivatives(q, v, a, order=2).dq_dq,
    "forward second": lambda q, v, a, to, tau: ARM.forward_dynamics_derivatives(q, v, tau, order=2).dq_dq,
    "jacobian_derivatives": lambda q, v, a, to, tau: ARM.jacobian_derivatives(q, TIP),
    "parameter_derivatives": lambda q, v, a, to, tau: ARM.parameter_derivatives("forward_dynamics", q, v, tau),
    "inverse_kinematics": lambda q, v, a, to, tau: ARM.inverse_kinematics(GOAL, TIP, q0=q, restarts=0, iterations=2).q,
    "compile": lambda q, v, a, to, tau: ARM.compile("inverse_dynamics")(q, v, a),
    "compile several": lambda q, v, a, to, tau: ARM.compile(["inverse_dynamics", "mass_matrix"])(q, v, a)["mass_matrix"],
    "evaluate": lambda q, v, a, to, tau: ARM.evaluate("inverse_dynamics", q, v, a).astype(float),
    "denoc": lambda q, v, a, to, tau: ARM.denoc(q).U,
    "page": lambda q, v, a, to, tau: np.array(starting(ARM.model, q)),
    "page's run": lambda q, v, a, to, tau: played(q, to),
    "film": lambda q, v, a, to, tau: _motion(ARM.model, {"t": [0, 1], "q": [q, to]})[1],
    "start": lambda q, v, a, to, tau: moved(q=q, qd=v),
    "torque": lambda q, v, a, to, tau: moved(tau),
    "Constant": lambda q, v, a, to, tau: moved(C.Constant(tau)),
    "PD": lambda q, v, a, to, tau: moved(C.PD(to, tau, a)),
    "ComputedTorque": lambda q, v, a, to, tau: moved(C.ComputedTorque(to, tau, a)),
    "GravityCompensation": lambda q, v, a, to, tau: moved(C.GravityCompensation(tau)),
    "PID": lambda q, v, a, to, tau: moved(C.PID(to, tau, a, v)),
    "StateFeedback": lambda q, v, a, to, tau: moved(C.StateFeedback(K, to, tau)),
    "OperationalSpace": lambda q, v, a, to, tau: moved(C.OperationalSpace(TIP, GOAL, 9, 3, tau, posture=to, stiffness=a)),
    "losses": lambda q, v, a, to, tau: moved(parameters={"damping": tau, "friction": a}),
    "masses": lambda q, v, a, to, tau: moved(parameters={"masses": tau}),
    "stops": lambda q, v, a, to, tau: STOPPED.simulate(Q, V, 0.02, engine="numpy", limits={"stiffness": tau, "damping": a}).q[-1],
}  # fmt: skip
STOPPED = Robot(
    ARM.model.with_bodies(
        b if not i else replace(b, lower=(-0.1,), upper=(0.05,)) for i, b in enumerate(ARM.model.bodies)
    )
)
REFUSED = {
    "trajectory": lambda x: T.quintic(x, x, duration=1.0),
    "points": lambda x: T.via([x, x], [0.0, 1.0]),
    "solve": lambda x: ARM.mass_matrix_udu(Q).solve(x),
    "weights": lambda x: ARM.vjp("inverse_dynamics", [Q, V, A], [x]),
    "gravity": lambda x: ARM.with_gravity(x),
    "payload": lambda x: moved(parameters={"payload": {"mass": 1.0, "com": x}}),
    "position": lambda x: ARM.inverse_kinematics(x, TIP),
    "goal": lambda x: moved(C.OperationalSpace(TIP, x, 9, 3)),
}


def series(x, order):
    return pd.Series(x, index=NAMES).iloc[list(order)]


def labelled(x, order):
    return xarray.DataArray(x, dims=["joint"], coords={"joint": NAMES})[list(order)]


def by_joint(x, order):
    return {NAMES[k]: float(x[k]) for k in order}


@pytest.mark.filterwarnings("ignore::ordern.OrdernWarning")  # starts beyond the stops are wanted
@pytest.mark.parametrize("what", READ)
def test_names_decide_the_order(interpreted, what):
    right = READ[what](Q, V, A, TO, TAU)
    for named, order in ((series, (2, 0, 1)), (labelled, (1, 0, 2)), (by_joint, (2, 0, 1))):
        made = READ[what](*(named(x, order) for x in (Q, V, A, TO, TAU)))
        moved = READ[what](*(x[list(order)] for x in (Q, V, A, TO, TAU)))
        assert np.abs(right - moved).max() > 1e-9  # the order matters
        same = 1e-14 * max(1.0, np.abs(right).max())  # the same operations
        np.testing.assert_allclose(made, right, rtol=0, atol=same, err_msg=named.__name__)


def test_rows_of_a_list_have_their_own_names():
    rows = [series(Q, (2, 0, 1)), series(TO, (1, 2, 0))]
    np.testing.assert_array_equal(ARM.mass_matrix(rows), ARM.mass_matrix([Q, TO]))
    columns = {name: np.array([Q[k], TO[k]]) for k, name in reversed(list(enumerate(NAMES)))}
    np.testing.assert_array_equal(ARM.mass_matrix(columns), ARM.mass_matrix([Q, TO]))


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({}, "q"), ({NAMES[0]: 1.0}, NAMES[1]), (dict.fromkeys([*NAMES, "elbow"], 0.0), "elbow"),
        ({n: np.zeros(k + 2) for k, n in enumerate(NAMES)}, "different lengths"), (dict.fromkeys(NAMES, "much"), "text"),
    ],
)  # fmt: skip
def test_dicts_that_do_not_name_every_joint_once_are_refused(wrong, said):
    with pytest.raises(ValueError, match=said) as error:
        ARM.mass_matrix(wrong)
    assert isinstance(error.value, ordern.OrdernError)


@pytest.mark.parametrize("what", REFUSED)
def test_names_that_nobody_reads_are_refused(interpreted, what):
    for x in (series(Q, (2, 0, 1)), labelled(Q, (2, 0, 1)), series(Q, (2, 0, 1)).to_frame().T):
        with pytest.raises(ordern.InputError, match="names"):
            REFUSED[what](x)
    numbered = pd.Series(GOAL)  # whose labels are numbers, which say nothing
    np.testing.assert_array_equal(ARM.with_gravity(numbered).gravity, GOAL)


FREE = Robot(serial("FRS", 2))  # whose coordinates and velocities have different names, and are 12 and 10
LABELS = {kind: coordinate_names(FREE.model, kind) for kind in "qv"}
OF_FREE = {
    "inverse_dynamics": lambda q, to, v, a, tau: FREE.inverse_dynamics(q, v, a),
    "forward_dynamics": lambda q, to, v, a, tau: FREE.forward_dynamics(q, v, tau),
    "integrate": lambda q, to, v, a, tau: FREE.integrate(q, v),
    "difference": lambda q, to, v, a, tau: FREE.difference(q, to),
    "linearize": lambda q, to, v, a, tau: np.hstack(FREE.linearize(q, v, tau, 1e-2)),
    "jvp": lambda q, to, v, a, tau: FREE.jvp("inverse_dynamics", [q, v, a], [v, a, tau]),
    "compile": lambda q, to, v, a, tau: FREE.compile("inverse_dynamics")(q, v, a),
    "evaluate": lambda q, to, v, a, tau: FREE.evaluate("inverse_dynamics", q, v, a).astype(float),
    "start": lambda q, to, v, a, tau: FREE.simulate(q, v, 0.01, tau, output_dt=None, engine="numpy").q[-1],
    "PD": lambda q, to, v, a, tau: FREE.simulate(q, v, 0.01, C.PD(to, a, tau), output_dt=None, engine="numpy").q[-1],
}


@pytest.mark.filterwarnings("ignore:k.=.* has no drive:UserWarning")  # gains of the base
@pytest.mark.parametrize("what", OF_FREE)
def test_coordinates_and_velocities_go_by_their_own_names(interpreted, what):
    rng = np.random.default_rng(7)
    q, to = FREE.random(rng), FREE.random(rng)
    v, a, tau = rng.uniform(0.1, 1, (3, FREE.n))
    given = (q, to, v, a, tau)

    def named(x):
        names = LABELS["q" if len(x) == FREE.nq else "v"]
        return {names[k]: float(x[k]) for k in reversed(range(len(x)))}

    right = OF_FREE[what](*given)
    made = OF_FREE[what](*map(named, given))
    np.testing.assert_allclose(made, right, rtol=0, atol=1e-14 * max(1.0, np.abs(right).max()))  # the same operations


@pytest.mark.parametrize("kinds", ["FRS", "R" * 8, "R" * 9])
def test_messages_name_the_first_eight(kinds):
    """Coordinates by theirs, velocities by theirs."""
    robot = Robot(serial(kinds, 2))
    for name, kind, call in (
        ("q", "q", lambda x: robot.mass_matrix(x)),
        ("qd", "v", lambda x: robot.inverse_dynamics(robot.neutral(), x, np.zeros(robot.n))),
    ):
        names = coordinate_names(robot.model, kind)
        said = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
        with pytest.raises(ordern.ShapeError) as error:
            call(np.zeros(len(names) + 1))
        count = f"{name} must have {len(names)} numbers in its last axis ({said}), got shape ({len(names) + 1},)"
        assert str(error.value) == count
        with pytest.raises(ordern.InputError) as error:
            call(dict.fromkeys(names[1:], 0.0))
        assert str(error.value) == f"{name} has no single column for {names[0]!r}; the robot's are {said}"


def test_names_in_levels_and_along_other_axes_are_not_passed_over():
    states = np.stack([Q, V, A])  # square: no shape gives a turned one away
    turned = [2, 0, 1]
    levels = pd.MultiIndex.from_tuples([("q", NAMES[k]) for k in turned])
    np.testing.assert_array_equal(
        ARM.mass_matrix(pd.DataFrame(states[:, turned], columns=levels)), ARM.mass_matrix(states)
    )
    with pytest.raises(ordern.InputError, match="no single column"):
        ARM.mass_matrix(pd.DataFrame(states, columns=pd.MultiIndex.from_product([["qd"], NAMES])))
    for table in (pd.DataFrame(states.T, index=NAMES), xarray.DataArray(states.T, {"joint": NAMES}, ("joint", "t"))):
        with pytest.raises(ordern.InputError, match="another axis than its last; transpose it"):
            ARM.mass_matrix(table)
    np.testing.assert_array_equal(ARM.mass_matrix(pd.DataFrame(states, index=["a", "b", "c"])), ARM.mass_matrix(states))
