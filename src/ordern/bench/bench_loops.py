"""Closed chains in the benchmark: forty four-bars and standing robots beside Pinocchio's and MuJoCo's constrained
dynamics, in one run.

Four-bars have a formula for their acceleration (benchmark A02), so that each side's own error stands beside its time.
Pinocchio has two methods: constraintDynamics factors the whole matrix, lcaba is O(n) and stops with the error that its
proximal parameter leaves.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..robot import Robot, load
from ..runtime.kernels import threads
from ..scalars.primitives import Array
from .bench_more import Measurement, _pairs, _spread, _time

__all__ = ["loop_figures"]

WINDOWS, BATCH, FEW = 40, 4096, 64
PROXIMAL = (1e-12, 1e-6, 10)  # accuracy, the parameter that Pinocchio's documentation calls typical, rounds


def loop_figures(rounds: int, talos: Robot | None) -> list[Measurement]:
    """All figures that the installed packages allow; one thread on each side."""
    before = threads()
    threads(1)
    try:
        made = [*_four_bars(rounds), *_length(rounds)]
        return made + (_standing(talos, rounds) if talos is not None else [])
    finally:
        threads(before)


def ladder(n: int, batch: int) -> tuple[Any, Any, Any]:
    """Random states of n four-bars: coordinates, velocities, uprights' accelerations by the formula."""
    rng = np.random.default_rng(0)
    lean, speed = rng.uniform(-1, 1, batch), rng.normal(size=batch)
    q, qd = np.empty((batch, 2 * n + 1)), np.empty((batch, 2 * n + 1))
    q[:, 0::2], q[:, 1::2], qd[:, 0::2], qd[:, 1::2] = lean[:, None], -lean[:, None], speed[:, None], -speed[:, None]
    return q, qd, 9.81 * np.sin(lean) * (n + (n + 1) / 2) / ((n + 1) / 3 + n)


def _error(made: Array, wanted: Array) -> float:
    """Of the uprights, relative to the largest."""
    return float(np.abs(made[:, 0::2] - wanted[: len(made), None]).max() / np.abs(wanted).max())


def _four_bars(rounds: int) -> list[Measurement]:
    robot = load(f"fourbars{WINDOWS}")
    q, qd, wanted = ladder(WINDOWS, BATCH)
    still = np.zeros_like(q)

    def ours() -> Any:
        return robot.forward_dynamics(q, qd, still)

    title = f"forward dynamics of {WINDOWS} four-bars"
    ours()
    made = [
        _spread(f"{title}, a state of {BATCH:,}", [_time(ours) / BATCH * 1e6 for _ in range(3 * rounds)], "us"),
        _spread("  its error", [_error(ours(), wanted)], "relative"),
    ]
    for name, call in {**_pinocchio_bars(), **_mujoco_bars()}.items():

        def theirs(call: Callable[..., Any] = call) -> Any:
            return np.array([call(*state) for state in zip(q[:FEW], qd[:FEW], strict=True)])

        ratios = [r * BATCH / FEW for r in _pairs(ours, theirs, rounds)]
        made += [
            _spread(f"{title}, against {name}", ratios, "times"),
            _spread(f"  error of {name}", [_error(theirs(), wanted)], "relative"),
        ]
    return made


def _pinocchio_bars() -> dict[str, Callable[..., Any]]:
    """Both methods of Pinocchio, with a point closure for each window."""
    try:
        import pinocchio as pin
    except ImportError:
        return {}
    model, loops = pin.Model(), pin.StdVec_RigidConstraintModel()
    model.gravity = pin.Motion(np.array([0.0, -9.81, 0.0]), np.zeros(3))
    rod, tip = (
        pin.Inertia(1.0, np.array([0.5, 0.0, 0.0]), np.diag([0.0, 1 / 12, 1 / 12])),
        pin.SE3(np.eye(3), np.array([1.0, 0.0, 0.0])),
    )
    up = pin.rpy.rpyToMatrix(0.0, 0.0, math.pi / 2)
    ends: list[tuple[int, int]] = []
    for k in range(WINDOWS + 1):
        post = model.addJoint(0, pin.JointModelRZ(), pin.SE3(up, np.array([float(k), 0.0, 0.0])), f"post{k}")
        model.appendBodyToJoint(post, rod, pin.SE3.Identity())
        if ends:
            ends[-1] = (ends[-1][0], post)
        if k < WINDOWS:
            beam = model.addJoint(post, pin.JointModelRZ(), pin.SE3(up.T, np.array([1.0, 0.0, 0.0])), f"beam{k}")
            model.appendBodyToJoint(beam, rod, pin.SE3.Identity())
            ends.append((beam, 0))
    for beam, post in ends:
        loops.append(
            pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, model, beam, tip, post, tip, pin.ReferenceFrame.LOCAL)
        )
    return _pinocchio_calls(pin, model, loops)


def _pinocchio_calls(pin: Any, model: Any, loops: Any) -> dict[str, Callable[..., Any]]:
    """(q, qd) -> qdd by each method that this Pinocchio has."""
    made: dict[str, Callable[..., Any]] = {}
    for name, prepare in (("constraintDynamics", "initConstraintDynamics"), ("lcaba", "computeJointMinimalOrdering")):
        if not hasattr(pin, name):
            continue
        data, datas, settings = model.createData(), pin.StdVec_RigidConstraintData(), pin.ProximalSettings(*PROXIMAL)
        for loop in loops:
            datas.append(loop.createData())
        getattr(pin, prepare)(model, data, loops, *((datas,) if name == "constraintDynamics" else ()))
        function, still = getattr(pin, name), np.zeros(model.nv)

        def call(
            q: Any,
            qd: Any,
            f: Any = function,
            data: Any = data,
            datas: Any = datas,
            settings: Any = settings,
            still: Any = still,
        ) -> Any:
            return f(model, data, q, qd, still, loops, datas, settings).copy()

        made[f"pinocchio {pin.__version__}: {name}"] = call
    return made


def _mujoco_bars() -> dict[str, Callable[..., Any]]:
    """mj_forward with a stiff equality for each window: springs, whatever they are set to."""
    try:
        import mujoco
    except ImportError:
        return {}

    def rod(name: str, kind: str, inside: str) -> str:
        joint = f"<joint name='{name}' type='hinge' axis='0 0 1'/>"
        mass = "<inertial pos='0.5 0 0' mass='1' diaginertia='1e-9 0.0833333333333333 0.0833333333333333'/>"
        return f"<body name='{name}' {kind}>{joint}{mass}{inside}</body>"

    bodies = ""
    for k in range(WINDOWS + 1):
        beam = rod(f"beam{k}", f"pos='1 0 0' euler='0 0 {-math.pi / 2!r}'", "") if k < WINDOWS else ""
        bodies += rod(f"post{k}", f"pos='{k} 0 0' euler='0 0 {math.pi / 2!r}'", beam)
    ties = "".join(
        f"<connect body1='beam{k}' body2='post{k + 1}' anchor='1 0 0' solimp='0.9999 0.9999 0.001'/>"
        for k in range(WINDOWS)
    )
    head = "<compiler angle='radian' eulerseq='XYZ'/><option gravity='0 -9.81 0'/>"
    model = mujoco.MjModel.from_xml_string(
        f"<mujoco>{head}<worldbody>{bodies}</worldbody><equality>{ties}</equality></mujoco>"
    )
    data = mujoco.MjData(model)

    def call(q: object, qd: object) -> Any:
        data.qpos[:], data.qvel[:] = q, qd
        mujoco.mj_forward(model, data)
        return data.qacc.copy()

    return {f"mujoco {mujoco.__version__}: mj_forward": call}


LENGTHS = (10, 100, 1_000, 10_000)


def _length(rounds: int) -> list[Measurement]:
    """Cost a loop, for single states, and for batches with about the same work; by processor time of one thread.

    Lengths are measured in turn, so that whatever else the machine does meets all of them. Rounds of single states are
    short (0.2 ms) and many: their least times are what they take when nothing interferes. The same call on a pendulum,
    in the same turn, is little else than the way from Python and back: less by it, the figures are the algorithm's.
    """
    made = []
    for single in (True, False):
        batches = {n: 1 if single else max(16, 40_000 // n // 16 * 16) for n in LENGTHS}
        rows = {n: f"{n:,} four-bars, {'one state' if single else f'{batches[n]:,} states'}" for n in LENGTHS}
        calls = {n: _ladder_call(n, batches[n]) for n in LENGTHS}
        empty = _call_time(load("pendulum"), (np.zeros(1), np.zeros(1), np.zeros(1)), 200)
        times: dict[int, list[float]] = {n: [] for n in LENGTHS}
        entry: list[float] = []
        for _ in range((60 if single else 3) * rounds):
            for n, call in calls.items():
                times[n].append(call() / (batches[n] * n) * 1e9)
            if single:
                entry.append(empty() * 1e9)
        made += [_spread(f"forward dynamics a loop, {rows[n]}", times[n], "ns") for n in LENGTHS]
        if single:
            made += _flatness(times, entry)
    return made


def _flatness(times: dict[int, list[float]], entry: list[float]) -> list[Measurement]:
    """How constant the time a loop is: as measured, and less the cost of an empty call."""
    made = [_spread("  an empty call: forward dynamics of a pendulum", entry, "ns")]
    for less, cost in (("", 0.0), (", less the cost of an empty call", 1.0)):
        for word, of in (("medians", np.median), ("least times", np.min)):
            each = [float(of(times[n]) - cost * of(entry) / n) for n in LENGTHS]
            if less:
                shown = " ".join(f"{ns:.1f}" for ns in each)
                title = f"  {word} of these{less} ({shown} ns): the longest over the shortest"
            else:
                title = f"  {word} of these: the longest over the shortest"
            made.append(_spread(title, [max(each) / min(each)], "times"))
    return made


def _ladder_call(n: int, batch: int) -> Callable[[], float]:
    """Seconds that forward dynamics of n four-bars takes, for one state or a batch, as the mean of a few calls."""
    robot, (q, qd, _) = load(f"fourbars{n}"), ladder(n, batch)
    given = (q[0], qd[0], np.zeros(2 * n + 1)) if batch == 1 else (q, qd, np.zeros_like(q))
    return _call_time(robot, given, max(1, 2_000 // (n * batch)))


def _call_time(robot: Robot, given: tuple[Array, Array, Array], calls: int) -> Callable[[], float]:
    """Seconds that forward dynamics takes, as the mean of so many calls.

    Calls that are not timed come first: another length has just displaced from the caches what this one needs, which
    would count for a round of 0.2 ms and not for one of 1 ms.
    """
    q, qd, tau = given
    robot.forward_dynamics(q, qd, tau)

    def taken() -> float:
        for _ in range(max(1, calls // 10)):
            robot.forward_dynamics(q, qd, tau)
        start = time.thread_time()
        for _ in range(calls):
            robot.forward_dynamics(q, qd, tau)  # as people write it: *given costs 45 ns more
        return (time.thread_time() - start) / calls

    return taken


SOLES = ("left_sole_link", "right_sole_link")


def _standing(robot: Robot, rounds: int) -> list[Measurement]:
    """A walker on two held feet: forward dynamics of a batch; checks that forces at rest carry the weight."""
    if not set(SOLES) <= set(robot.link_names):
        return []
    feet, rng = dict.fromkeys(SOLES, "fixed"), np.random.default_rng(0)
    q, qd, tau = robot.random(rng, BATCH), *rng.uniform(-1, 1, (2, BATCH, robot.n))
    # feet at rest: for moving ones, what "held" means differs between libraries
    qd = robot.impulse(q, qd, contacts=feet)

    def ours() -> Any:
        return robot.forward_dynamics(q, qd, tau, contacts=feet)

    title, found = f"forward dynamics of {robot.name} on fixed feet", ours()
    rest = np.zeros(robot.n)
    drives = robot.inverse_dynamics(q[0], rest, rest, contacts=feet)
    force = robot.constraint_forces(q[0], rest, drives, contacts=feet)[:, 3:].sum(axis=0)
    weight = -np.array(robot.gravity) * sum(body.inertia.m for body in robot.model.bodies[1:])
    made = [
        _spread(f"{title}, a state of {BATCH:,}", [_time(ours) / BATCH * 1e6 for _ in range(3 * rounds)], "us"),
        _spread("  forces of the feet less the weight, at rest", [float(np.abs(force - weight).max())], "N"),
    ]
    try:
        import pinocchio as pin
    except ImportError:
        return made
    from .bench_peers import Pinocchio

    peer = Pinocchio(robot, pin)
    model, loops = peer.model, pin.StdVec_RigidConstraintModel()
    for name in SOLES:
        frame = model.frames[model.getFrameId(name)]
        local = pin.ReferenceFrame.LOCAL
        loops.append(
            pin.RigidConstraintModel(pin.ContactType.CONTACT_6D, model, frame.parentJoint, frame.placement, local)
        )
    pq, pv, pt = peer._theirs(q[:FEW], True), peer._theirs(qd[:FEW], False), peer._theirs(tau[:FEW], False)
    data, datas, settings = model.createData(), pin.StdVec_RigidConstraintData(), pin.ProximalSettings(1e-12, 1e-12, 1)
    for loop in loops:
        datas.append(loop.createData())
    pin.initConstraintDynamics(model, data, loops, datas)

    def theirs() -> Any:
        return np.array(
            [
                pin.constraintDynamics(model, data, *state, loops, datas, settings)
                for state in zip(pq, pv, pt, strict=True)
            ]
        )

    off = float(np.abs(theirs()[:, peer.order] - found[:FEW]).max() / np.abs(found[:FEW]).max())
    ratios = [r * BATCH / FEW for r in _pairs(ours, theirs, rounds)]
    name = f"pinocchio {pin.__version__}: constraintDynamics"
    return [
        *made,
        _spread(f"{title}, against {name}", ratios, "times"),
        _spread(f"  difference to {name}", [off], "relative"),
    ]
