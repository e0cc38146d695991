"""Parts of simulations by themselves: what SciPy's solvers are given around loops, the user's functions, motors by name, text of logs."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import ordern
from ordern.evaluate.manifold import coordinate_rates
from ordern.model import Drive
from ordern.simulate import job, scipy_solvers
from ordern.simulate.called import PythonDrive, PythonSignal, python_wrenches, takes_state
from ordern.simulate.channels import Channel
from ordern.simulate.closed_loops import repeats
from ordern.simulate.drives import Drives
from ordern.simulate.law_base import same_joints
from robots import serial, tree

ARM = ordern.Robot(serial("RRP", 3))


# --- SciPy's solvers --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kinds", ["FR", "RSR", "UPC"])
def test_rates_of_coordinates_are_those_of_integrated_velocities(kinds):
    robot, rng = ordern.Robot(serial(kinds, 1)), np.random.default_rng(2)
    q, v, h = robot.random(rng), rng.normal(size=robot.n), 1e-6
    wanted = (robot.integrate(q, h * v) - robot.integrate(q, -h * v)) / (2 * h)
    np.testing.assert_allclose(coordinate_rates(robot.model, q, v), wanted, rtol=0, atol=1e-8)
    long = scipy_solvers._normal(robot.model, np.tile(1.5 * q, (2, 1)))
    again = scipy_solvers._normal(robot.model, long)
    np.testing.assert_allclose(again, long, rtol=1e-15)
    for i in robot.model.free:
        joint, at = robot.model.bodies[i].joint, robot.model.offsets[i][0]
        own = slice(at, at + joint.nq)
        if joint.plain:
            np.testing.assert_array_equal(long[0, own], 1.5 * q[own])
        else:
            np.testing.assert_allclose(joint.length(long[:, own]), 1.0, rtol=1e-15)


@pytest.mark.parametrize("off", [0.99, 1.01])
@pytest.mark.parametrize("what", ["q", "v"])
def test_solvers_begin_anew_where_loops_are_open_by_twenty_tolerances(off, what):
    """Of the larger of one and the number itself; closed is the state in any case."""
    state = SimpleNamespace(q=np.array([[9.0, 9.0], [0.5, -4.0]]), v=np.array([[9.0, 9.0], [3.0, 0.1]]))
    bound = {"q": 20 * (1e-6 + 1e-5 * np.array([1.0, 4.0])), "v": 20 * (1e-6 + 1e-5 * np.array([3.0, 1.0]))}[what]
    for k in range(2):
        move = np.zeros((1, 2))
        move[0, k] = off * bound[k] * np.sign({"q": state.q, "v": state.v}[what][1, k])
        moves = {"q": np.zeros((1, 2)), "v": np.zeros((1, 2)), what: move}
        now = SimpleNamespace(q=state.q.copy(), v=state.v.copy())
        of = SimpleNamespace(
            advance=lambda q, x, rows, by=moves["q"]: (q - by + x, None),
            tangent=lambda q, v, rows, by=moves["v"]: v - by,
            atol=1e-6,
            rtol=1e-5,
        )
        made = scipy_solvers._drifts(of, SimpleNamespace(loops=True), now, 1)
        assert made == (off > 1), k
        np.testing.assert_allclose(now.q, state.q - np.vstack([np.zeros(2), moves["q"][0]]), rtol=1e-15)
        np.testing.assert_allclose(now.v, state.v - np.vstack([np.zeros(2), moves["v"][0]]), rtol=1e-15)


@pytest.mark.parametrize(("speed", "span"), [(0.5, 0.06), (3.0, 0.02), (-6.0, 0.01), (0.1, 9.0)])
def test_a_run_is_led_a_few_hundredths_of_a_radian(monkeypatch, speed, span):
    """Or to its end, in a dozen steps with the outputs between."""
    seen = []
    monkeypatch.setattr(scipy_solvers, "led_over", lambda *given: seen.append(given))
    end = 1.1 + min(span, 0.06) if span < 1 else 1.13
    times = np.array([0.0, 1.0, 1.105, 1.1199, 1.13]) if span > 1 else np.array([0.0, 1.0, 1.105, 1.1199, 1.4])
    state = SimpleNamespace(t=np.array([0.0, 1.1]), v=np.array([[99.0, 0.0], [0.1, speed]]), next=np.array([0, 2]))
    scipy_solvers._lead(problem := SimpleNamespace(times=times), state, 1)
    ((given, of, k, grid, h),) = seen
    assert given is problem and of is state and k == 1
    assert h == pytest.approx((end - 1.1) / 12)
    outputs = {x: i for i, x in enumerate(times) if i >= 2 and x <= end}
    wanted = sorted({*(1.1 + h * np.arange(1, 12)), *outputs, end})
    np.testing.assert_allclose([t for t, _ in grid], wanted, rtol=1e-12)
    assert [output for _, output in grid] == [outputs.get(t, 0) for t, _ in grid] and sum(
        o > 0 for _, o in grid
    ) == len(outputs)


@pytest.mark.parametrize("share", [0.5, 0.03, 0.015, 0.0])
def test_the_pivot_away_from_change_points(monkeypatch, share):
    """It goes with the square of the distance, which the share of singular values goes with."""
    monkeypatch.setattr(scipy_solvers, "dependence", lambda model, q: (share, "loop"))
    state = SimpleNamespace(q=np.array([[1.0], [2.0]]), v=np.zeros((2, 1)), t=np.array([0.0, 3.0]))

    def rates(t, q, x, v, rows):
        assert (t, q, x, v, rows) == (3.0, 2.0, 0.0, 0.0, 1)
        return x, x, np.array([0.25])

    def model(equations):
        return SimpleNamespace(loops=[SimpleNamespace(kept=[0] * (equations - 1)), SimpleNamespace(kept=[0])])

    of = SimpleNamespace(closed=True, rates=rates)
    wanted = 0.25 / min(1.0, max(share, 1e-12) / 0.03) ** 2
    assert scipy_solvers._regular(of, model(400), state, 1) == pytest.approx(wanted)
    assert scipy_solvers._regular(of, model(402), state, 1) == 0.0
    assert scipy_solvers._regular(SimpleNamespace(closed=False), model(3), state, 1) == 0.0


# --- functions of the user's ------------------------------------------------------------------------------------------
def test_drives_see_finite_states_only_and_their_largest_forces_are_known():
    seen = []

    def function(t, q, v):
        seen.append(len(t))
        return np.stack([t, -10 * t], axis=1)

    drive = PythonDrive(function, 2, False)
    t, q, v = np.array([1.0, 2.0, 3.0]), np.zeros((3, 2)), np.zeros((3, 2))
    q[0, 1], v[2, 0] = np.nan, np.inf
    made = drive(t, q, v, np.arange(3))
    np.testing.assert_array_equal(made, [[np.nan] * 2, [2.0, -20.0], [np.nan] * 2])
    assert np.isnan(drive(t[:1], q[:1], v[:1], np.arange(1))).all() and seen == [1] and drive.calls == 1
    np.testing.assert_array_equal(drive.most, [2.0, 20.0])
    drive(0.5 * t, np.zeros((3, 2)), np.zeros((3, 2)), np.arange(3))
    assert drive.calls == 2 and drive.most.tolist() == [2.0, 20.0] and drive.seconds > 0


@pytest.mark.parametrize("single", [True, False])
def test_shapes_that_drives_may_return(single):
    """One row serves all runs of an ensemble; nothing else of another shape does."""
    t, q = np.arange(1.0 if single else 3.0), np.zeros((1 if single else 3, 2))
    runs = np.arange(len(t))
    for shape, good in (
        ((2,), True),
        ((3, 2), not single),
        ((1, 2), False),
        ((3,), False),
        ((), False),
        ((2, 3), False),
    ):
        drive = PythonDrive(lambda *_, shape=shape: np.ones(shape), 2, single)
        if good:
            assert drive(t, q, q, runs).shape == q.shape
        else:
            with pytest.raises(ordern.SimulationError, match="returned shape"):
                drive(t, q, q, runs)
    with pytest.raises(ordern.SimulationError, match="returned nan for joint number 1 at t = 0 s"):
        PythonDrive(lambda *_: [1.0, np.nan], 2, single)(t, q, q, runs)


def test_functions_of_time_or_of_the_state():
    assert takes_state(lambda t, q, v: 0, "x") and takes_state(lambda t, q, v, more=1, *rest: 0, "x")
    assert (
        not takes_state(lambda t: 0, "x")
        and not takes_state(lambda t, scale=2.0, other=1: 0, "x")
        and not takes_state(min, "x")
    )
    for odd in (lambda t, q: 0, lambda t, q, v, w: 0):
        with pytest.raises(ordern.InputError, match="function of t, or of"):
            takes_state(odd, "x")
    made = PythonSignal(lambda t, q, v: [t, *q, *v, 0.0], "hand")
    t, q, v = np.array([1.0, 2.0]), np.array([[3.0, 4.0], [np.nan, 0.0]]), np.array([[5.0, 6.0], [0.0, 0.0]])
    np.testing.assert_array_equal(made(t, None, q, v), [[1.0, 3.0, 4.0, 5.0, 6.0, 0.0], [np.nan] * 6])
    assert made.calls == 2
    for odd, said in ((np.zeros(5), r"shape \(5,\)"), ([np.inf] * 6, "NaN or infinity")):
        with pytest.raises(ordern.SimulationError, match=said):
            PythonSignal(lambda t, odd=odd: odd, "hand")(t)


def test_one_function_of_all_wrenches_is_called_once_a_state():
    calls = []

    def function(t, q, v):
        calls.append(t)
        return {"a": np.full(6, t), "b": np.full(6, q[0])} | ({"c": np.zeros(6)} if t > 8 else {})

    q, v = np.array([7.0]), np.array([0.0])
    made = python_wrenches(function, q, v)
    assert set(made) == {"a", "b"} and calls == [0.0]
    for t in (1.0, 1.0, 2.0):
        for name, value in (("a", t), ("b", 7.0)):
            np.testing.assert_array_equal(made[name](np.array([t]), None, q[None], v[None]), [[value] * 6])
    assert calls == [0.0, 1.0, 2.0]
    made["a"](np.array([2.0]), None, q[None] + 1, v[None])
    made["b"](np.array([2.0]), None, q[None] + 1, v[None] + 1)
    assert len(calls) == 5
    with pytest.raises(ordern.SimulationError, match="'c' is not always there"):
        made["a"](np.array([9.0]), None, q[None], v[None])


# --- motors -----------------------------------------------------------------------------------------------------------
def test_motors_by_name_pull_as_they_are_described():
    """force = gain u + bias[0] + bias[1] l + bias[2] dl/dt between its limits, u between its own; joints feel arm * force."""
    robot = ordern.Robot(tree(["revolute", "prismatic", "revolute"], [0, 1, 2], 4))
    one, two, three = robot.joint_names
    motors = (
        Drive("tendon", ((one, 0.5), (two, -2.0)), 3.0, (0.2, -1.5, -0.7), (-1.0, 2.0), (-4.0, 5.0)),
        Drive("plain", ((three, 1.5),), 2.0),
    )
    robot = ordern.Robot(robot.model.changed(drives=motors))
    rng = np.random.default_rng(5)
    q, qd = rng.uniform(-1, 1, (6, 3)), rng.uniform(-1, 1, (6, 3))
    for u in (0.3, 5.0, -5.0):
        run = robot.simulate(
            q, qd, 1e-9, torque=Drives(robot, {"tendon": u}), engine="numpy", limits=False, friction=False
        )
        length, speed = 0.5 * q[:, 0] - 2 * q[:, 1], 0.5 * qd[:, 0] - 2 * qd[:, 1]
        force = np.clip(3 * np.clip(u, -1, 2) + 0.2 - 1.5 * length - 0.7 * speed, -4, 5)
        np.testing.assert_allclose(
            run.tau[:, 0], np.stack([0.5 * force, -2 * force, 0 * force], axis=1), rtol=0, atol=1e-12
        )
    run = robot.simulate(q, qd, 1e-9, torque=Drives(robot, [0.0, 0.4]), engine="numpy", limits=False, friction=False)
    np.testing.assert_allclose(run.tau[:, 0, 2], 1.5 * 2.0 * 0.4, rtol=0, atol=1e-12)
    with pytest.raises(ordern.InputError, match="did you mean 'tendon'"):
        robot.simulate(q[0], qd[0], 1e-3, torque=Drives(robot, {"tendom": 1.0}))


def test_lines_of_logs_that_are_no_rows(tmp_path):
    """Comments, dashes between messages and blank lines, wherever they stand; lines keep their numbers."""
    lines = "# a log\n\nt,joint1,joint2,joint3\n---\n" + "".join(
        f"{0.01 * k},0.1,{0.001 * k},'0'\n".replace("'", "")
        + ("# note, of, three, words\n\n---\n" if k % 3 == 0 else "")
        for k in range(12)
    )
    (tmp_path / "log.csv").write_text(lines)
    log = ordern.read_log(tmp_path / "log.csv", ARM, cutoff=np.inf)
    np.testing.assert_allclose(log.q, [[0.1, 0.001 * k, 0.0] for k in range(12)], rtol=0, atol=1e-12)
    (tmp_path / "log.csv").write_text(lines.replace("0.11,", "0.11,x"))
    with pytest.raises(ordern.InputError, match=r"log\.csv:28: 'x0\.1' is not a number"):
        ordern.read_log(tmp_path / "log.csv", ARM)


# --- long closed chains -----------------------------------------------------------------------------------------------
def acting(kind="v", world=False, written_out=False, robot=None):
    law = SimpleNamespace(world=world, written_out=written_out, robot=robot)
    law.parts, law.channels = (SimpleNamespace(), law), lambda model: {"kp": Channel("v"), "more": Channel(kind)}
    return law


@pytest.mark.parametrize(
    ("other", "wanted"),
    [
        ({}, True), ({"bodies": 60}, False), ({"loops": ()}, False), ({"springs": (1,)}, False), ({"wrenches": {1: 1}}, False),
        ({"varied": {"payload": 1}}, False), ({"varied": {"scale": 1}}, False), ({"varied": {"damping": 1}}, True), ({"fixman": 1}, False),
        ({"law": acting()}, True), ({"law": acting("q")}, True), ({"law": acting("n")}, False), ({"law": acting(world=True)}, False),
        ({"law": acting(written_out=True)}, False), ({"law": acting(robot=ARM)}, False),
    ],
)  # fmt: skip
def test_motions_are_loops_over_units_where_all_that_acts_goes_joint_by_joint(other, wanted):
    of = {"bodies": 61, "loops": (1,), "springs": (), "wrenches": {}, "varied": {}, "fixman": None, "law": None} | other
    model = SimpleNamespace(bodies=[0] * of["bodies"], loops=of["loops"], springs=of["springs"])
    motion = SimpleNamespace(model=model, **{name: of[name] for name in ("wrenches", "varied", "fixman", "law")})
    assert repeats(motion) is wanted


# --- robots of laws, and drives that are asked for too much ---------------------------------------------------------------
@pytest.mark.parametrize("other", ["PRR", "RPR", "RRP", "RR", "RRRR", ""])
def test_a_law_computes_with_the_same_joints_in_the_same_order(other):
    model = serial("RRR", 1)
    same_joints(ordern.Robot(serial("RRR", 9)), model)
    same_joints(None, model)
    with pytest.raises(ordern.InputError, match="both need the same joints in the same order"):
        same_joints(serial(other, 1), model)


def test_drives_are_looked_at_in_every_state_and_told_of_once(monkeypatch):
    """The joint that is farthest beyond its effort, with its time; states without numbers are none."""
    told, seen = [], []
    monkeypatch.setattr(job, "tell", told.append)
    monkeypatch.setattr(job, "effort", lambda model: (5.0, 100.0))
    monkeypatch.setattr(job, "coordinate_names", lambda model, kind: ["hip", "knee"])

    def drives(t, q, v, runs):
        seen.extend(zip(runs.tolist(), t.tolist(), strict=True))
        return np.stack([q[:, 0], -10 * q[:, 0]], axis=1)

    t, q = np.array([0.0, 0.5, 1.0]), np.array([[[1.0], [2.0], [3.0]], [[np.nan], [9.0], [5.0]]])
    of = SimpleNamespace(
        strained=False,
        drive=None,
        functions=SimpleNamespace(drives=drives),
        motion=SimpleNamespace(model=None, effort=(), law=1),
    )
    job.Job.strain(of, t, q[:1], 0 * q[:1], 4)
    assert seen == [(4, 0.0), (4, 0.5), (4, 1.0)] and not told
    seen.clear()
    job.Job.strain(of, t, q, 0 * q, 4)
    assert seen == [(4, 0.0), (4, 0.5), (4, 1.0), (5, 0.5), (5, 1.0)]
    assert len(told) == 1 and "joint 'hip' is driven with 9 at t = 0.5 s, beyond its effort limit of 5" in told[0]
    job.Job.strain(of, t, q, 0 * q, 4)
    assert len(told) == 1
