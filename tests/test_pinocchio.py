"""Agreement with Pinocchio on every URDF of example-robot-data that it loads, fixed base and (for those that walk or fly) floating base."""

from __future__ import annotations

import sysconfig
import warnings
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import ordern
from budget import TRUST
from ordern.runtime.call import Call
from ordern.runtime.numbers import numbers

ROOT = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
FILES = {str(f.relative_to(ROOT)): f for f in sorted(ROOT.rglob("*.urdf"))}
FREE = (
    "a1",
    "anymal",
    "b1",
    "bolt",
    "borinot",
    "cassie",
    "g1",
    "go1",
    "go2",
    "hyq",
    "icub",
    "iris",
    "laikago",
    "quadrotor",
    "quadruped",
)
FREE += ("romeo", "simple_humanoid", "solo", "talos", "hector", "hextilt", "human", "alex", "centauro")
STATES = 100
EPS = np.finfo(float).eps
# Errors in units of eps x the largest element (x the condition of M for accelerations). Two careful programs each lose a few eps a joint on
# the longest path (some 20 joints), so a fixed 100 stands for all robots; accelerations are relative to cond(M) already.
K, K_FORWARD = 100, 10


COMPILED = (
    "ur5_robot",
    "panda.urdf",
    "talos_reduced.urdf",
    "tiago.urdf",
    "human",
    "pr2",
    "anymal",
    "solo12",
)  # also as machine code


def pairs():
    for name in FILES:
        bases = ("fixed", "floating") if Path(name).name.startswith(FREE) else ("fixed",)
        for base in bases:
            yield name, base, "reference"
            # walking robots on their floating base, which has the six joints more; arms on a fixed one
            if Path(name).name.startswith(COMPILED) and (TRUST or base == bases[-1]):
                yield name, base, "compiled"


def by_reference(call, rows, outs, count, dtype):
    """The algorithm text itself on NumPy arrays, in the robot's own frames: no compiling, so that all robots are done in seconds."""
    made = numbers(call.algorithm, call.model, call.options, call.links)(
        *(np.broadcast_to(r, (count, r.shape[1])) for r in rows)
    )
    for o, m in zip(outs, made if isinstance(made, tuple) else (made,), strict=True):
        o[...] = m.reshape(o.shape)
    return all(np.isfinite(o).all() for o in outs)


class Twin:
    """The same robot in both libraries, with the maps between their coordinates (Pinocchio: linear velocity first, cos/sin for turns)."""

    def __init__(self, path, base):
        self.model = (
            pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
            if base == "floating"
            else pin.buildModelFromUrdf(str(path))
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ordern.OrdernWarning)
            self.robot = ordern.load(path, base=base, on_invalid="warn", mimic=False)
        self.data = self.model.createData()
        ours = self.robot.model
        self.v = np.zeros(self.robot.n, int)
        self.q = []
        for i in ours.free:
            joint, (iq, iv) = ours.bodies[i].joint, ours.offsets[i]
            theirs = self.model.joints[self.model.getJointId(ours.bodies[i].name)]
            order = [3, 4, 5, 0, 1, 2] if joint.nv == 6 else list(range(joint.nv))
            self.v[iv : iv + joint.nv] = theirs.idx_v + np.array(order)
            self.q.append((iq, joint.nq, theirs.idx_q, theirs.nq))

    def coordinates(self, q):
        out = np.zeros(self.model.nq)
        for iq, n, at, m in self.q:
            out[at : at + m] = q[iq : iq + n] if n == m else [np.cos(q[iq]), np.sin(q[iq])]
        return out

    def velocities(self, v):
        out = np.zeros(self.model.nv)
        out[self.v] = v
        return out


def relative(made, expected, scale=None):
    return np.abs(made - expected).max() / max(scale or 0.0, np.abs(expected).max(), 1e-300) / EPS


@pytest.mark.parametrize(("name", "base", "engine"), list(pairs()))
def test_agrees(name, base, engine, monkeypatch):
    if engine == "reference":
        monkeypatch.setattr(Call, "_run", by_reference)
    try:
        twin = Twin(FILES[name], base)
    except ValueError as error:
        if isinstance(error, ordern.OrdernError):
            raise
        return  # Pinocchio does not load it
    robot, model, data, order = twin.robot, twin.model, twin.data, np.ix_(twin.v, twin.v)
    assert robot.n == model.nv
    if robot.n == 0:
        return
    rng = np.random.default_rng(7)
    q = robot.random(rng, STATES)
    qd, qdd, tau = rng.uniform(-1, 1, (3, STATES, robot.n))
    link = robot.link_names[-1]
    frame = model.getFrameId(link)
    ours = {
        "tau": robot.inverse_dynamics(q, qd, qdd), "M": robot.mass_matrix(q), "C": robot.coriolis_matrix(q, qd), "g": robot.gravity_forces(q),
        "K": robot.kinetic_energy(q, qd), "V": robot.potential_energy(q), "T": robot.forward_kinematics(q, link), "J": robot.jacobian(q, link),
        "com": robot.center_of_mass(q),
    }  # fmt: skip
    try:
        ours["qdd"] = robot.forward_dynamics(q, qd, tau)
    except ordern.SingularError:  # a tip without any inertia: Pinocchio returns NaN there
        ours["qdd"] = None
    worst = dict.fromkeys(ours, 0.0)

    def note(key, made, expected, scale=None):
        worst[key] = max(worst[key], relative(made, expected, scale))

    for k in range(STATES):
        Q, v = twin.coordinates(q[k]), twin.velocities(qd[k])
        M = pin.crba(model, data, Q)
        M = (np.triu(M) + np.triu(M, 1).T)[order]
        size = np.abs(M).max()
        note("M", ours["M"][k], M)
        note("tau", ours["tau"][k], pin.rnea(model, data, Q, v, twin.velocities(qdd[k]))[twin.v])
        note("C", ours["C"][k], pin.computeCoriolisMatrix(model, data, Q, v)[order], size)
        note("g", ours["g"][k], pin.computeGeneralizedGravity(model, data, Q)[twin.v], size)
        if ours["qdd"] is None:
            assert not np.isfinite(pin.aba(model, data, Q, v, twin.velocities(tau[k]))).all()
        else:
            expected = pin.aba(model, data, Q, v, twin.velocities(tau[k]))[twin.v]
            note("qdd", ours["qdd"][k], expected, np.linalg.cond(M) * np.abs(expected).max())
        note("K", ours["K"][k], pin.computeKineticEnergy(model, data, Q, v))
        mass = pin.computeTotalMass(model)
        note("V", ours["V"][k], pin.computePotentialEnergy(model, data, Q), 9.81 * mass)
        note("com", ours["com"][k], pin.centerOfMass(model, data, Q), 1.0)
        pin.framesForwardKinematics(model, data, Q)
        note("T", ours["T"][k], data.oMf[frame].homogeneous)
        J = pin.computeFrameJacobian(model, data, Q, frame, pin.LOCAL_WORLD_ALIGNED)[:, twin.v]
        note("J", ours["J"][k], np.r_[J[3:], J[:3]], 1.0)
    limits = {key: K_FORWARD if key == "qdd" else K for key in worst}
    off = {key: round(float(value), 1) for key, value in worst.items() if value > limits[key]}
    assert not off, off


def test_enough_robots():
    assert len(FILES) >= 68


@pytest.mark.parametrize(
    "name", [n for n in FILES if Path(n).name.startswith(("panda.urdf", "tiago_pro", "pr2", "baxter"))]
)
def test_mimic_joints_as_pinocchio_has_them(name):
    model = pin.buildModelFromUrdf(str(FILES[name]), mimic=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ordern.OrdernWarning)
        robot = ordern.load(FILES[name], on_invalid="warn")
    assert robot.n == model.nv < ordern.load(FILES[name], on_invalid="warn", mimic=False).n
    data, rng = model.createData(), np.random.default_rng(3)
    places = [
        (robot.model.offsets[i], model.joints[model.getJointId(robot.model.bodies[i].name)]) for i in robot.model.free
    ]
    order = [joint.idx_v for _, joint in places]
    for _ in range(5):
        q = robot.random(rng)
        qd, qdd = rng.uniform(-1, 1, (2, robot.n))
        Q, v, a = np.zeros(model.nq), np.zeros(model.nv), np.zeros(model.nv)
        for (iq, iv), joint in places:
            Q[joint.idx_q : joint.idx_q + joint.nq] = q[iq] if joint.nq == 1 else [np.cos(q[iq]), np.sin(q[iq])]
            v[joint.idx_v], a[joint.idx_v] = qd[iv], qdd[iv]
        M = pin.crba(model, data, Q)
        M = (np.triu(M) + np.triu(M, 1).T)[np.ix_(order, order)]
        tau = pin.rnea(model, data, Q, v, a)[order]
        assert relative(robot.mass_matrix(q), M) <= K
        assert relative(robot.inverse_dynamics(q, qd, qdd), tau) <= K
        back = robot.forward_dynamics(q, qd, tau)
        assert np.abs(back - qdd).max() <= K * EPS * np.linalg.cond(M) * np.abs(qdd).max()
