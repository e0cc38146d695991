"""What arguments of simulate mean, and what is refused: times, torque arrays, tables with names, events, masses, payloads, efforts, wrenches."""

from __future__ import annotations

import functools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import ordern
from ordern.evaluate.differentiable import chart
from ordern.joints import JOINTS
from ordern.robot import Robot
from ordern.simulate.right_hand_side import Motion
from ordern.spatial.joint_space import JointVector
from robots import GRID, serial, tree

C = ordern.control
ARM = Robot(serial("RPR", 2))
Q, V = np.array([0.3, 0.1, -0.4]), np.array([0.2, -0.3, 0.5])
PENDULUM = ordern.robots.pendulum()
FREE = {"limits": False, "friction": False, "engine": "numpy"}


# --- times ------------------------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("method", ["dopri5", "rk4", "symplectic"])
@pytest.mark.parametrize("batch", [False, True])
@pytest.mark.parametrize("times", [[0.01, 0.025], [0.0, 0.02], [0.03], [0.0], [0.011, 0.05], [0.05]])
def test_t_eval_is_exactly_the_times_that_are_kept(method, batch, times):
    q, v = (np.stack([x, 0.5 * x]) if batch else x for x in (Q, V))
    options = {"duration": 0.05, "method": method, "rtol": 1e-10, "dt": 1e-3, "limits": False}
    run = ARM.simulate(q, v, t_eval=times, **options)
    np.testing.assert_array_equal(run.t, times)
    whole = ARM.simulate(q, v, output_dt=1e-3, **options)
    at = np.rint(np.array(times) / 1e-3).astype(int)
    assert run.q.shape == (*q.shape[:-1], len(times), 3) and run.complete
    np.testing.assert_allclose(run.q, whole.q[..., at, :], rtol=0, atol=1e-9)
    np.testing.assert_allclose(run.qd, whole.qd[..., at, :], rtol=0, atol=1e-8)
    assert run.energy.shape == run.q.shape[:-1] and run.tau.shape == run.qd.shape


@pytest.mark.parametrize("terminal", [True, False])
def test_events_behind_the_last_of_the_times_are_found(interpreted, terminal):
    def event(t, q, qd):
        return t - 0.04

    event.terminal = terminal
    run = ARM.simulate(Q, V, duration=0.05, t_eval=[0.01, 0.02, 0.045], events=event, **FREE)
    np.testing.assert_array_equal(run.t, [0.01, 0.02] if terminal else [0.01, 0.02, 0.045])
    assert len(run.events) == 1 and abs(run.events[0].t - 0.04) < 1e-9
    assert run.status == (["stopped by event"] if terminal else ["done"])


def test_streams_keep_the_given_times(tmp_path, interpreted):
    arm = ordern.robots.planar3()
    q, v = np.stack([Q, Q + 0.1]), np.stack([V, V])
    options = {"duration": 0.05, "t_eval": [0.01, 0.03]} | FREE
    stored = arm.simulate(q, v, save=str(tmp_path / "s.zarr"), **options)
    plain = arm.simulate(q, v, **options)
    np.testing.assert_array_equal(stored.t, [0.01, 0.03])
    np.testing.assert_array_equal(stored.q[...], plain.q)
    np.testing.assert_array_equal(ordern.Run.load(tmp_path / "s.zarr").q[...], plain.q)


@pytest.mark.parametrize("duration", [1e-15, 1e-12, 1e-9, 3e-4, 0.01, 0.0100000001])
@pytest.mark.parametrize("method", ["dopri5", "rk4", "symplectic"])
def test_the_end_is_the_end_however_short(interpreted, duration, method):
    run = PENDULUM.simulate([1.0], [2.0], duration=duration, method=method, output_dt=0.01, **FREE)
    assert run.t[0] == 0 and run.t[-1] == duration and len(run.t) >= 2
    qdd = PENDULUM.forward_dynamics([1.0], [2.0], [0.0])[0]
    np.testing.assert_allclose(
        run.q[-1] - 1.0, 2.0 * duration + 0.5 * qdd * duration**2, rtol=0, atol=2e-16 + 100 * duration**3
    )
    assert run.qd[-1] != 2.0 or duration * abs(qdd) < 4e-16


@pytest.mark.parametrize("method", ["rk4", "dopri5", "symplectic"])
@pytest.mark.parametrize("batch", [(), (3,)])
def test_single_precision_starts_runs_in_double_precision(interpreted, method, batch):
    """The same numbers, whatever they came in: no step rounds to float32."""
    robot = ordern.load("planar3")
    q = np.random.default_rng(1).normal(size=(*batch, 3)).astype(np.float32)
    made, want = (robot.simulate(x, x, duration=0.05, torque=x, method=method) for x in (q, q.astype(float)))
    for name in ("q", "qd", "qdd", "tau", "energy"):
        a, b = getattr(made, name), getattr(want, name)
        assert a.dtype == np.float64 and np.array_equal(a, b), name


# --- torque arrays ------------------------------------------------------------------------------------------------------------------------
def test_in_an_ensemble_two_axes_are_one_row_a_run(interpreted):
    q, v = np.tile(Q, (4, 1)), np.tile(V, (4, 1))
    tau = np.random.default_rng(0).normal(size=(4, 3))
    run = ARM.simulate(q, v, 0.02, tau, **FREE)
    for k in range(4):
        np.testing.assert_array_equal(run.q[k], ARM.simulate(Q, V, 0.02, tau[k], **FREE).q)
    series = ARM.simulate(q, v, 0.02, (np.linspace(0, 0.02, 4), tau), **FREE)
    one = ARM.simulate(Q, V, 0.02, tau, **FREE)  # for one run it is a series over the duration
    np.testing.assert_allclose(one.tau[-1], tau[-1], rtol=0, atol=1e-15)
    for k in range(4):
        np.testing.assert_array_equal(series.q[k], one.q)
    np.testing.assert_array_equal(ARM.simulate(q, v, 0.02, np.stack([tau] * 4), **FREE).q[2], one.q)
    for wrong in (tau[:3], np.stack([tau] * 3)):
        with pytest.raises(ordern.ShapeError, match=r"\(4, 3\).*times, values"):
            ARM.simulate(q, v, 0.02, wrong, **FREE)


# --- tables with names --------------------------------------------------------------------------------------------------------------------
def frame(values, order, prefix=""):
    names = [prefix + ARM.joint_names[k] for k in order]
    return pd.DataFrame(np.atleast_2d(values)[:, order], columns=names)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
@pytest.mark.parametrize("prefix", ["", "own"])
def test_columns_go_by_name(interpreted, order, prefix):
    rng = np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, 5, 3))

    def named(x, name):
        return frame(x, order, "" if not prefix else f"{name} ")

    np.testing.assert_array_equal(
        ARM.inverse_dynamics(named(q, "q"), named(v, "qd"), named(a, "qdd")), ARM.inverse_dynamics(q, v, a)
    )
    np.testing.assert_array_equal(ARM.mass_matrix(named(q, "q").iloc[2]), ARM.mass_matrix(q[2]))
    run = ARM.simulate(named(q, "q"), named(v, "qd"), 0.01, named(a, "tau"), **FREE)
    np.testing.assert_array_equal(run.q, ARM.simulate(q, v, 0.01, a, **FREE).q)
    tau = named(a, "tau")
    series = ARM.simulate(Q, V, 0.01, (np.linspace(0, 0.01, 5), tau), **FREE)
    np.testing.assert_array_equal(series.q, ARM.simulate(Q, V, 0.01, (np.linspace(0, 0.01, 5), a), **FREE).q)
    goal, rubbing = named(q, "q").iloc[0], named(abs(v), "damping").iloc[0]
    law = C.PD(goal, frame(q[1] ** 2, order).iloc[0], 1.0)
    held = ARM.simulate(Q, V, 0.01, law, parameters={"damping": rubbing}, **FREE)
    same = ARM.simulate(Q, V, 0.01, C.PD(q[0], q[1] ** 2, 1.0), parameters={"damping": abs(v[0])}, **FREE)
    np.testing.assert_array_equal(held.q, same.q)
    numbered = pd.DataFrame(q)
    np.testing.assert_array_equal(ARM.mass_matrix(numbered), ARM.mass_matrix(q))


BAR = ordern.robots.fourbar()
STATES = BAR.assemble(np.array(BAR.model.home) + 0.1 * np.arange(4)[:, None]).q
RATES = BAR.closed_velocity(STATES, np.ones((4, BAR.n)))
BY_NAME = {
    "constraint_residual": (STATES,), "constraint_jacobian": (STATES,), "constraint_bias": (STATES, RATES),
    "constraint_forces": (STATES, RATES, 0 * RATES), "assemble": (STATES + 0.01,), "closed_velocity": (STATES, RATES + 0.1),
    "mobility": (STATES,), "impulse": (STATES, RATES), "closed_jacobian": (STATES, BAR.link_names[-1]),
    "forward_dynamics": (STATES, RATES, 0 * RATES),
    "integrate": (STATES, RATES), "difference": (STATES, STATES[::-1]), "jacobian": (STATES, BAR.link_names[-1]),
}  # fmt: skip


@pytest.mark.parametrize("name", BY_NAME)
def test_columns_of_closed_chains_go_by_name_in_every_method(interpreted, name):
    """The columns of tables in any order give what arrays in the robot's order give."""
    rows = [a for a in BY_NAME[name] if isinstance(a, np.ndarray)]
    order = np.arange(BAR.n)[::-1]
    tables = [pd.DataFrame(a[:, order], columns=[BAR.joint_names[k] for k in order]) for a in rows]
    rest = BY_NAME[name][len(rows) :]
    made, right = (getattr(BAR, name)(*given, *rest) for given in (tables, rows))
    made, right = (x.q if hasattr(x, "q") else x for x in (made, right))
    if isinstance(right, dict):
        made, right = (np.concatenate([np.ravel(x) for x in part.values()]) for part in (made, right))
    # pseudo-inverses add in the order of the memory: some roundings of the largest number
    np.testing.assert_allclose(made, right, rtol=0, atol=20 * np.finfo(float).eps * (1 + np.abs(right).max()))


def test_columns_go_by_name_in_operational_inertia(interpreted, machine_code):
    arm = ordern.load("ur5")
    q, order = arm.random(np.random.default_rng(3), 4), np.arange(6)[::-1]
    table = pd.DataFrame(q[:, order], columns=[f"q {arm.joint_names[k]}" for k in order])
    np.testing.assert_array_equal(arm.operational_inertia(table, "tool0"), arm.operational_inertia(q, "tool0"))


def test_columns_that_are_no_joints_are_refused(interpreted):
    odd = frame(Q, (0, 1, 2)).rename(columns={"joint2": "joint 2"})
    for call in (
        lambda: ARM.mass_matrix(odd),
        lambda: ARM.simulate(odd, duration=0.01),
        lambda: ARM.simulate(Q, duration=0.01, torque=odd),
    ):
        with pytest.raises(ordern.InputError, match="joint2"):
            call()


# --- what no body is, and what is no number -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("vectorized", [False, True])
@pytest.mark.parametrize("from_start", [False, True])
def test_nan_from_an_event_is_an_error(interpreted, vectorized, from_start):
    def event(t, q, qd):
        return (
            np.where(np.asarray(t) > (-1 if from_start else 0.005), np.nan, 1.0)
            if vectorized
            else (np.nan if from_start or t > 0.005 else 1.0)
        )

    event.vectorized = vectorized
    with pytest.raises(ordern.SimulationError, match="NaN at t = 0"):
        ARM.simulate(Q, V, duration=0.02, events=event, **FREE)


@pytest.mark.parametrize("what", ["torque", "torques", "wrench", "wrenches", "event"])
def test_masked_numbers_of_functions_are_none(interpreted, what):
    """As masked arguments are refused, so is what a function masks: the number beneath a mask is nobody's."""
    link = ARM.link_names[-1]

    def masked(shape):
        return np.ma.masked_array(np.ones(shape), mask=np.arange(np.prod(shape)).reshape(shape) == 1)

    def event(t, q, qd):
        return np.ma.masked_array(np.ones(len(t)), mask=True)

    event.vectorized = True
    options = {
        "torque": {"torque": lambda t, q, qd: masked(3)},
        "torques": {"q0": np.tile(Q, (2, 1)), "torque": lambda t, q, qd: masked((2, 3))},
        "wrench": {"external": {link: lambda t: masked(6)}},
        "wrenches": {"external": lambda t, q, qd: {link: masked(6)}},
        "event": {"events": event},
    }[what]
    with pytest.raises(ordern.SimulationError, match=r"(?i)nan\b"):
        ARM.simulate(**{"q0": Q, "qd0": V, "duration": 0.02, **FREE, **options})


@pytest.mark.parametrize(
    ("parameters", "says"),
    [
        ({"masses": [1, -0.5, 1]}, "joint2"),
        ({"masses": [[1, 1, 1], [1, 1, -1e-9]]}, "joint3"),
        ({"payload": {"mass": 1.0, "inertia": (1, 1, 3, 0, 0, 0)}}, "largest may not exceed"),
        ({"payload": {"mass": 1.0, "inertia": (1, 1, -0.1, 0, 0, 0)}}, "negative"),
        ({"payload": {"mass": 1.0, "inertia": (1, 1, 1, 5, 0, 0)}}, "negative"),
        ({"payload": {"mass": [1.0, 0.0], "inertia": (1, 1, 1, 0, 0, 0)}}, "without mass"),
        ({"payload": {"mass": -1.0}}, "not negative"),
        ({"payload": {"mass": [[1.0], [1.0]]}}, "one a run"),
        ({"payload": {"mass": [1.0, 2.0], "com": np.zeros((3, 3))}}, "mass for 2 runs and com for 3 runs"),
        ({"payload": {"mass": 1.0, "inertia": np.zeros((3, 6))}}, "rows for 3 runs; there are 2"),
        ({"damping": [1.0, -0.1, 0.0]}, "parameters damping is -0.1"),
        ({"friction": [[0.0, 0.0, 0.0], [0.0, 0.0, -2.0]]}, "parameters friction is -2"),
    ],
)
def test_impossible_bodies_are_refused(parameters, says):
    with pytest.raises((ordern.InputError, ordern.ShapeError), match=says):
        ARM.simulate(np.stack([Q, Q]), duration=0.01, parameters=parameters)


@pytest.mark.parametrize("key", ["stiffness", "damping"])
def test_end_stops_that_pull_are_refused(key):
    robot = Robot(
        ARM.model.with_bodies([b if not i else replace(b, upper=(1.0,)) for i, b in enumerate(ARM.model.bodies)])
    )
    with pytest.raises(ordern.InputError, match=f"limits {key} is -3"):
        robot.simulate(Q, duration=0.01, limits={"stiffness": 10.0, "damping": 1.0} | {key: [5.0, -3.0, 5.0]})


@pytest.mark.parametrize("rows", ["mass", "com", "inertia", "mass com", "com inertia", "mass com inertia"])
def test_payloads_of_each_run(interpreted, rows):
    """Mass, mass centre and inertia stand once for all runs or in one row a run, in any mixture."""
    each = {"mass": np.array([0.5, 0.0, 2.0]), "com": 0.1 * np.arange(9.0).reshape(3, 3), "inertia": np.zeros((3, 6))}
    each["inertia"][[0, 2], :3] = [[0.01, 0.02, 0.025], [0.1, 0.1, 0.1]]
    once = {"mass": 1.5, "com": np.array([0.1, -0.2, 0.3]), "inertia": np.zeros(6)}
    given = {key: each[key] if key in rows.split() else once[key] for key in each}
    run = ARM.simulate(np.tile(Q, (3, 1)), V, 0.01, parameters={"payload": given}, **FREE)
    for k in range(3):
        own = {key: value[k] if key in rows.split() else value for key, value in given.items()}
        np.testing.assert_array_equal(run.q[k], ARM.simulate(Q, V, 0.01, parameters={"payload": own}, **FREE).q)
    assert len(np.unique(run.q[:, -1, 0])) >= 2


# --- efforts ------------------------------------------------------------------------------------------------------------------------------
def weak(model, effort):
    bodies = [
        b if b.name == "world" else replace(b, effort=(e,) * b.joint.nv)
        for b, e in zip(model.bodies, (0, *effort), strict=True)
    ]
    return Robot(model.with_bodies(bodies))


LAWS = {
    "array": lambda: np.array([9.0, -9.0, 0.5]),
    "series": lambda: (np.array([0.0, 1.0]), np.array([[9.0, -9.0, 0.5]] * 2)),
    "law": lambda: C.PD(Q + np.array([30, -30, 0.1]), 1.0, 0.1),
    "function": lambda: lambda t, q, qd: np.broadcast_to([9.0, -9.0, 0.5], np.shape(q)),
}


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("batch", [False, True])
def test_torques_beyond_the_efforts(interpreted, law, batch):
    robot = weak(ARM.model, (2.0, 3.0, np.inf))
    q, v = (np.stack([x, x]) if batch else x for x in (Q, V))
    options = {"duration": 0.02, "limits": False, "friction": False, "engine": "numpy"}
    with pytest.warns(ordern.OrdernWarning, match=r"joint1.*effort limit of 2"):
        free = robot.simulate(q, v, torque=LAWS[law](), **options)
    held = robot.simulate(q, v, torque=LAWS[law](), saturate=True, **options)  # a warning would be an error
    assert np.abs(free.tau[..., 0]).min() > 2 and np.all(held.tau[..., 0] == 2) and np.all(held.tau[..., 1] == -3)
    same = robot.simulate(q, v, torque=(np.array([0.0, 1.0]), np.array([[2, -3, 0.5]] * 2)), **options)
    if law != "law":
        np.testing.assert_allclose(held.q, same.q, rtol=0, atol=1e-12)
    weak(ARM.model, (20.0, 0.0, np.inf)).simulate(
        q, v, torque=np.array([9.0, -9.0, 0.5]), **options
    )  # zero: nobody says


def test_streams_warn_of_torques_too(tmp_path, interpreted):
    robot = weak(ordern.robots.planar3().model, (2.0, 3.0, np.inf))
    with pytest.warns(ordern.OrdernWarning, match="effort limit"):
        robot.simulate(np.stack([Q, Q]), duration=0.01, torque=LAWS["array"](), save=str(tmp_path / "a.zarr"), **FREE)


# --- wrenches from functions ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "method"), [("pendulum", "symplectic"), ("floating", "rk4"), ("mimic", "rk4")])
@pytest.mark.parametrize("batch", [False, True])
def test_wrenches_that_depend_on_the_state(interpreted, name, method, batch):
    """A damper between a link and the world as a wrench, which is also a law: tau = J^T w."""
    robot = Robot(GRID[name]())
    link = robot.link_names[-1]
    q = robot.random(np.random.default_rng(0), 2)
    v = 0.5 * np.random.default_rng(1).normal(size=(2, robot.n))

    def wrench(t, q, qd):
        assert q.shape == (robot.nq,) and qd.shape == (robot.n,)
        return -(0.5 + t) * robot.jacobian(q, link, reference="body") @ qd

    def law(t, q, qd):
        rows = [
            robot.jacobian(a, link, reference="body").T @ wrench(s, a, b)
            for s, a, b in zip(np.ravel(t), np.atleast_2d(q), np.atleast_2d(qd), strict=True)
        ]
        return np.reshape(rows, np.shape(qd))

    if not batch:
        q, v = q[0], v[0]
    options = {"duration": 0.008, "method": method, "dt": 4e-3, "output_dt": None, "limits": False}
    pushed = robot.simulate(q, v, external={link: wrench}, **options)
    driven = robot.simulate(q, v, torque=law, **options)
    np.testing.assert_allclose(pushed.q, driven.q, rtol=0, atol=1e-11)
    np.testing.assert_allclose(pushed.qdd, driven.qdd, rtol=0, atol=1e-8)
    together = robot.simulate(q, v, external=lambda t, q, qd: {link: wrench(t, q, qd)}, **options)
    np.testing.assert_array_equal(together.q, pushed.q)
    assert "external" in pushed.stats["notes"][0]


def test_functions_for_wrenches_that_are_none(interpreted):
    link = ARM.link_names[-1]
    bad = {
        "arguments": {link: lambda t, q: np.zeros(6)},
        "mapping": [1, 2],
        "map link names": lambda t, q, qd: np.zeros(6),
        "same links": lambda t, q, qd: {link: np.zeros(6)} if t == 0 else {},
        "ZeroDivisionError": {link: lambda t, q, qd: 1 / 0},
        "shape": {link: lambda t, q, qd: np.zeros(5)},
        "no link": lambda t, q, qd: {"nowhere": np.zeros(6)},
    }
    for says, external in bad.items():
        with pytest.raises(ordern.OrdernError, match=says if says != "mapping" else "map link names"):
            ARM.simulate(Q, V, duration=0.01, external=external, **FREE)


def test_limits_and_losses_of_followers_hold_the_master():
    model = GRID["mimic"]()
    follower = next(i for i, b in enumerate(model.bodies) if b.mimic is not None)
    bodies = list(model.bodies)
    bodies[follower] = replace(bodies[follower], lower=(-0.4,), upper=(0.3,), damping=(2.0,))
    robot = Robot(model.with_bodies(bodies))
    mimic, at = bodies[follower].mimic, model.offsets[follower][1]
    fast = 4.0 * (np.arange(robot.n) == at)
    run = robot.simulate(np.zeros(robot.nq), fast, duration=0.5, rtol=1e-6, friction=False, output_dt=0.005)
    angle = mimic.ratio * run.q[:, at] + mimic.offset
    assert angle.min() > -0.45 and angle.max() < 0.35 and angle.min() < -0.39  # it swings into the stop
    free = robot.simulate(
        np.zeros(robot.nq), fast, duration=0.5, rtol=1e-6, friction=False, limits=False, output_dt=0.005
    )
    assert np.ptp(free.q[:, at]) > 1.2 * np.ptp(run.q[:, at])


def test_limited_and_unlimited_joints_together(interpreted):
    """NumPy's warnings are errors here: infinity less infinity is none of anybody's business."""
    model = tree(["floating", "revolute", "revolute", "revolute"], [0, 1, 2, 3], 3)
    ends = {2: (-0.5, 0.5), 3: (-np.inf, 0.4)}
    bodies = [
        replace(b, lower=(ends[i][0],), upper=(ends[i][1],)) if i in ends else b for i, b in enumerate(model.bodies)
    ]
    robot = Robot(model.with_bodies(bodies))
    with np.errstate(all="raise"):
        robot.simulate(duration=0.002, method="rk4", dt=1e-3, engine="numpy")


@pytest.mark.parametrize("engine", ["compiled", "numpy"])
@pytest.mark.parametrize("damping", [300.0, 1e3, 1e4])
def test_symplectic_steps_that_do_not_converge_are_no_result(engine, damping):
    """The iteration of a step diverges, slowly enough to stay finite: that is an error, and shorter steps are right."""
    slide, options = (
        Robot(serial("P", 3)),
        {"method": "symplectic", "engine": engine, "parameters": {"damping": [damping]}},
    )
    with pytest.raises(ordern.SimulationError, match="diverges"):
        slide.simulate([0.0], [1.0], duration=0.05, dt=0.05, output_dt=None, **options)
    assert abs(slide.simulate([0.0], [1.0], duration=0.01, dt=1e-4, output_dt=None, **options).q[-1, 0]) < 0.01


def pushing(size):
    """Functions that differ in what they do, not in their text: by what they close over."""
    return {
        "torque": {"torque": lambda t, q, qd: np.full(qd.shape, size)},
        "torque object": {"torque": functools.partial(lambda size, t, q, qd: np.full(qd.shape, size), size)},
        "wrench of t": {"external": {"link3": lambda t: [0, 0, size, 0, 0, 0]}},
        "wrench of the state": {"external": {"link3": lambda t, q, qd: [0, 0, size, 0, 0, 0]}},
        "wrenches": {"external": lambda t, q, qd: {"link3": [0, 0, size, 0, 0, 0]}},
    }


@pytest.mark.parametrize("kind", pushing(0))
def test_a_store_goes_on_only_with_the_same_functions(tmp_path, kind):
    """The runs of one function are not those of another, and what is done is not done again."""
    pytest.importorskip("zarr")
    robot, calls = ordern.robots.planar3(), {"duration": 0.02, "save": str(tmp_path / "runs.zarr")}
    first = robot.simulate(np.zeros((2, 3)), **calls, **pushing(1.0)[kind])
    again = robot.simulate(np.zeros((2, 3)), **calls, **pushing(1.0)[kind])
    np.testing.assert_array_equal(np.asarray(first.q), np.asarray(again.q))
    with pytest.raises(ordern.InputError, match="something else"):
        robot.simulate(np.zeros((2, 3)), **calls, **pushing(2.0)[kind])


def laws_of(k):
    """Laws of the user's with one name, which differ by what their text closes over, by what they hold, or by their base."""

    class Mine(ordern.control.Law):
        def write(self, w):
            return w.each("mine", lambda i: w.qd[i] * -k)

    closed = Mine()

    class Mine(ordern.control.Law):
        def __init__(self, k):
            self.k = k

        def write(self, w):
            return w.each("mine", lambda i: w.qd[i] * -self.k)

    held = Mine(k)

    class Named(Mine):
        key = "always the same"
        gain = k

        def write(self, w):
            return w.each("mine", lambda i: w.qd[i] * -self.gain)

    return {"closed": closed, "held": held, "named": Named(0), "sum": closed + ordern.control.Constant(0.0)}


@pytest.mark.parametrize("kind", laws_of(0.0))
def test_laws_of_users_are_what_they_do(kind):
    """Of two laws with one name, the second is not driven by the first one's machine code."""
    robot = ordern.robots.planar3()
    for engine in ("numpy", "compiled"):
        for k in (0.5, 5.0):
            run = robot.simulate(np.zeros(3), np.ones(3), duration=0.01, torque=laws_of(k)[kind], engine=engine)
            np.testing.assert_allclose(run.tau, -k * run.qd, rtol=0, atol=1e-12)


def test_joints_of_users_are_what_they_do():
    """Two joint types of one name are two motions."""

    def kind_of(pitch):
        class Screw(JOINTS["revolute"]):
            def motion(self, q):
                return super().motion(JointVector(q[0] * pitch))

        return Screw

    model, keys, q = serial("RR", 3), set(), np.array([0.3, 0.7])
    for pitch in (1.0, 2.0):
        other = model.with_bodies([*model.bodies[:2], replace(model.bodies[2], joint=kind_of(pitch)())])
        keys.add(Motion(other).key)
        several = Robot(other).compile(["mass_matrix", "gravity_forces"])(q)
        np.testing.assert_allclose(several["mass_matrix"], Robot(other).mass_matrix(q), rtol=1e-12)
        keys.add(chart(other).key)
    assert len(keys) == 4
