"""A joint type is one class, an algorithm one function: toy ones, added while the program runs, are found by everything else."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import ordern
from ordern.algorithms import registry
from ordern.algorithms.registry import algorithm, all_algorithms
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.toml.toml_write import to_toml
from ordern.joints import JOINTS, Z_AXIS, ZERO, Joint, _turn, joint
from ordern.model import Placement
from ordern.program.build import trace
from ordern.program.interpret import interpret
from ordern.runtime.numbers import numbers
from ordern.spatial import Rotation, Transform, Twist, Vec3, Wrench
from ordern.spatial.joint_space import Subspace

EPS = np.finfo(float).eps


@pytest.fixture(autouse=True)
def nothing_kept(monkeypatch):
    """Machine code on disk knows a joint and a method by name only: no toy may be taken from there."""
    monkeypatch.setenv("ORDERN_CACHE", "off")


@pytest.fixture
def screw():
    """A screw whose pitch grows as it turns: it rises by rise * q^2 / 2."""

    @joint("parabolic_screw")
    @dataclass(frozen=True)
    class ParabolicScrew(Joint):
        rise: float = 0.0  # m/rad^2

        def motion(self, q):
            lift = Vec3(0, 0, q[0] * q[0] * (self.rise * 0.5))
            return Transform(Rotation(_turn(2, q[0])), lift), Subspace(Twist(Z_AXIS, Vec3(0, 0, q[0] * self.rise)))

        def subspace_rate(self, q, qd):
            return Subspace(Twist(ZERO, Vec3(0, 0, qd[0] * self.rise)))

    yield ParabolicScrew
    del JOINTS["parabolic_screw"]


@pytest.fixture
def spatial():
    """Inverse dynamics with spatial vectors, as in Featherstone's book: a second text for the same quantity."""

    @algorithm(
        "inverse_dynamics",
        "spatial",
        inputs="q qd qdd",
        output="dofs",
        takes="branches mimic singular",
        joint_space=True,
        external=True,
    )
    def rnea(tree, q, qd, qdd):
        X, S, tau = tree.table("X"), tree.table("S"), tree.table("tau")
        v, a = tree.table("v", base=Twist.zero()), tree.table("a", base=-tree.gravity)
        f = tree.table("f", base=Wrench.zero())

        for i, p in tree.outward("motion"):
            X[i], S[i] = tree.joint[i].motion(q[i])
            vJ = S[i] @ qd[i]
            v[i] = X[i] @ v[p] + vJ
            a[i] = X[i] @ a[p] + S[i] @ qdd[i] + v[i].cross(vJ) + tree.joint[i].bias(q[i], qd[i])
            I = tree.inertia[i]
            f[i] = I @ a[i] + v[i].cross(I @ v[i]) - tree.external[i]

        for i, p in tree.inward("forces"):
            tau[i] = S[i].T @ f[i] + tree.armature[i] * qdd[i]
            f[p] += X[i].T @ f[i]
        return tau

    yield rnea
    del registry._FOUND["inverse_dynamics"]["spatial"]


def arm(kinds=("parabolic_screw", "revolute"), rise=0.05):
    """Links of 0.3 m, one above the other, on screws and hinges."""
    links, joints = [LinkSpec("base")], []
    for k, kind in enumerate(kinds, 1):
        links.append(LinkSpec(f"link{k}", 1.0 + 0.2 * k, (0.1, 0.02, 0.05), (0.02, 0.03, 0.025, 0.001, 0.0, 0.002)))
        up = Placement((1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0), (0.3, 0.0, 0.1))
        constants = {"rise": rise} if kind == "parabolic_screw" else {}
        joints.append(
            JointSpec(f"joint{k}", kind, f"link{k - 1}" if k > 1 else "base", f"link{k}", up, constants=constants)
        )
    return build("toy", links, joints)


def state(n, seed=0):
    return np.random.default_rng(seed).uniform(-1, 1, (3, 5, n))


def close(a, b, k=1e3):
    np.testing.assert_allclose(a, b, rtol=0, atol=k * EPS * max(1.0, np.abs(b).max()))


def test_a_new_joint_moves_as_its_class_says(screw):
    robot = ordern.Robot(arm())
    assert robot.joint_names == ("joint1", "joint2")
    low, high = (robot.forward_kinematics([q, 0.0], "link1")[1, 3] for q in (0.0, 1.2))
    assert abs(high - low) == pytest.approx(0.05 * 1.2**2 / 2)  # its z axis lies along the world's y


def test_every_algorithm_serves_a_new_joint(screw):
    model = arm(("parabolic_screw", "revolute", "parabolic_screw"))
    robot = ordern.Robot(model)
    q, qd, qdd = state(3)
    tau = robot.inverse_dynamics(q, qd, qdd)
    for a in (a for a in registry.find("inverse_dynamics") if not a.closed):
        close(robot.inverse_dynamics(q, qd, qdd, method=a.method), tau)
    for a in registry.find("forward_dynamics"):
        if a.refusal(model) is None:
            close(robot.forward_dynamics(q, qd, tau, method=a.method), qdd, 1e4)  # times the condition of M, some 10
    M = robot.mass_matrix(q)
    for a in registry.find("mass_matrix"):
        close(robot.mass_matrix(q, method=a.method), M)
    power = np.sum(robot.gravity_forces(q) * qd, axis=-1)  # the rate of potential energy
    h = 1e-6
    rate = (robot.potential_energy(q + h * qd) - robot.potential_energy(q - h * qd)) / (2 * h)
    np.testing.assert_allclose(rate, power, rtol=0, atol=1e-8)  # h^2 and eps/h


def test_a_new_joint_in_programs_formulas_counts_and_files(screw, tmp_path):
    model = arm()
    robot = ordern.Robot(model)
    q, qd, qdd = state(2)
    chosen = registry.choose("inverse_dynamics", None, model)
    expected = numbers(chosen, model)(q, qd, qdd)
    for rolled in (False, True):
        made = interpret(trace(chosen, model, rolled=rolled), {"q": q, "qd": qd, "qdd": qdd})
        close(made["out0"], expected)
    close(robot.inverse_dynamics(q, qd, qdd), expected)
    formula = robot.formulas("gravity_forces")
    at = {str(s): s for s in formula.matrix.free_symbols}
    value = np.array(
        formula.matrix.subs({at[f"q_{k + 1}"]: x for k, x in enumerate(q[0]) if f"q_{k + 1}" in at}), float
    )[:, 0]
    close(value, robot.gravity_forces(q[0]))
    assert robot.operation_counts("inverse_dynamics").sincos == 2
    robot.save(tmp_path / "toy.toml")
    again = ordern.load(tmp_path / "toy.toml")
    assert to_toml(again.model) == to_toml(model)
    close(again.inverse_dynamics(q, qd, qdd), expected)
    run = robot.simulate([0.3, -0.2], [0.5, 0.1], duration=0.5)
    np.testing.assert_allclose(run.energy, run.energy[0], rtol=0, atol=1e-6)  # rtol 1e-8 over some 1e2 steps


def test_a_new_algorithm_is_found_by_everything(spatial):
    assert "inverse_dynamics/spatial" in [a.name for a in all_algorithms()]
    robot = ordern.load("puma560")
    q, qd, qdd = state(6)
    expected = robot.inverse_dynamics(q, qd, qdd)
    close(robot.inverse_dynamics(q, qd, qdd, method="spatial"), expected)
    wrench = {"link6": [0.1, 0.2, -0.3, 1.0, 2.0, 3.0]}
    close(robot.inverse_dynamics(q, qd, qdd, wrench, "spatial"), robot.inverse_dynamics(q, qd, qdd, wrench))
    model = robot.model
    (chosen,) = registry.find("inverse_dynamics", "spatial")
    close(numbers(chosen, model)(q, qd, qdd), expected)
    for rolled in (False, True):
        close(interpret(trace(chosen, model, rolled=rolled), {"q": q, "qd": qd, "qdd": qdd})["out0"], expected)
    counts = robot.operation_counts("inverse_dynamics", method="spatial")
    assert (
        set(counts.by_stage) >= {"motion", "forces"}
        and counts.mul > robot.operation_counts("inverse_dynamics", method="newton-euler").mul
    )
    steps = ordern.load("planar3").formulas("inverse_dynamics", method="spatial").steps
    assert any(str(s).startswith("v_2") for s, _ in steps)
    exact = robot.evaluate("inverse_dynamics", q[0], qd[0], qdd[0], scalars="mpmath", method="spatial")
    close(np.array(exact, float), expected[0])


def test_a_new_algorithm_on_the_command_line(spatial, capsys):
    from ordern.cli import _guarded

    assert _guarded(["count", "planar3", "inverse_dynamics", "--method", "spatial"]) == 0
    assert "spatial" in capsys.readouterr().out


def test_a_new_algorithm_in_casadi(spatial):
    robot = ordern.load("planar3")
    q, qd, qdd = state(3)[:, 0]
    made = robot.casadi("inverse_dynamics", method="spatial")(q, qd, qdd)
    close(np.array(made)[:, 0], robot.inverse_dynamics(q, qd, qdd))


def test_the_toys_are_gone():
    assert "parabolic_screw" not in JOINTS
    with pytest.raises(ordern.MethodError, match="newton-euler"):
        ordern.load("planar3").inverse_dynamics([0] * 3, [0] * 3, [0] * 3, method="spatial")
