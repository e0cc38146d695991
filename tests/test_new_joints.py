"""A joint is one class: a constant-velocity joint and a hinge with (sin, cos) coordinates, added here, pass what the built-in ones pass."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

import ordern
import robots
from grid import as_tuple, options_of
from new_joints import joints  # noqa: F401  a fixture
from ordern.algorithms.registry import all_algorithms
from ordern.errors import ModelError
from ordern.joints import JOINTS, X_AXIS, Z_AXIS, ZERO, Joint, Prismatic, Revolute, _turn, joint
from ordern.model import Mass
from ordern.program.build import prepared, trace
from ordern.program.interpret import interpret
from ordern.program.passes import fuse
from ordern.runtime.call import static_options
from ordern.runtime.kernels import Kernel
from ordern.runtime.numbers import numbers
from ordern.simulate.simulate import METHODS
from ordern.spatial import Rotation, Transform, Twist, Vec3
from ordern.spatial.joint_space import JointVector, Subspace

EPS = np.finfo(float).eps
pytestmark = pytest.mark.usefixtures("joints")


def tree(count=5):
    kinds = ["constant_velocity", "pointer", "revolute", "pointer", "constant_velocity", "spherical"] * 8
    return robots.tree(kinds[:count], [0, 1, 2, 2, 4, 3, *range(6, count)][:count], 3)


def given(a, model, batch=(3,)):
    q, qd, qdd, tau = robots.state(model, np.random.default_rng(1), batch)
    return [{"q": q, "qd": qd, "qdd": qdd, "tau": tau}[name] for name in a.inputs]


def test_every_method_of_every_quantity_agrees():
    model = tree(6)
    found = {}
    for a in all_algorithms():
        if a.refusal(model) is None and a.quantity not in (
            "joint_wrenches",
            "coriolis_matrix",
        ):  # of other inputs, and not unique
            made = numbers(a, model, static_options(a, model, None))(*given(a, model))
            parts = made if isinstance(made, tuple) else (made,)
            for k, x in enumerate(parts):
                want = found.setdefault((a.quantity, k), x)
                scale = max(1.0, np.abs(want).max())
                np.testing.assert_allclose(
                    x, want, rtol=0, atol=1e5 * EPS * scale, err_msg=a.name
                )  # times the condition of M, some 1e3
    assert any(a.method == "fixman" and a.refusal(model) is None for a in all_algorithms())


def test_forward_undoes_inverse_and_energy_is_that_of_the_motion():
    model = tree(6)
    robot = ordern.Robot(model)
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(2))
    tau = robot.inverse_dynamics(q, qd, qdd)
    for method in ("articulated", "fixman", "denoc", "relative", "composite"):
        np.testing.assert_allclose(robot.forward_dynamics(q, qd, tau, method=method), qdd, rtol=0, atol=1e-9)
    h = 1e-5

    def energy(t):
        now, rate = robot.integrate(q, t * qd), qd + t * qdd
        return robot.kinetic_energy(now, rate) + robot.potential_energy(now)

    assert (energy(h) - energy(-h)) / (2 * h) == pytest.approx(tau @ qd, rel=1e-6)


def test_programs_and_derivatives():
    model = tree(5)
    robot, h = ordern.Robot(model), 1e-6
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(3))
    for name in (
        "inverse_dynamics/newton-euler",
        "forward_dynamics/articulated",
        "mass_matrix/composite",
        "log_det/denoc",
    ):
        (a,) = [x for x in all_algorithms() if x.name == name]
        arrays = dict(zip(a.inputs, given(a, model), strict=True))
        for rolled in (False, True):
            made = interpret(trace(a, prepared(a, model), rolled=rolled), arrays)["out0"]
            want = numbers(a, model)(*arrays.values())
            np.testing.assert_allclose(made, want, rtol=0, atol=1e4 * EPS * max(1.0, np.abs(want).max()))
    first = robot.inverse_dynamics_derivatives(q, qd, qdd)
    ends = [[robot.inverse_dynamics(robot.integrate(q, s * h * e), qd, qdd) for s in (1, -1)] for e in np.eye(robot.n)]
    slopes = [up - down for up, down in ends]
    np.testing.assert_allclose(first.dq, np.array(slopes).T / (2 * h), rtol=0, atol=1e-6)
    np.testing.assert_allclose(first.dqdd, robot.mass_matrix(q), rtol=0, atol=1e-10)


def robot_of(*kinds):
    return ordern.Robot(robots.tree(list(kinds), list(range(len(kinds))), 3))


@pytest.mark.parametrize(
    "kinds", [("constant_velocity",), ("pointer",), ("pointer", "constant_velocity")], ids="-".join
)
def test_every_program_as_it_is_compiled_gives_the_numbers_of_its_method(kinds):
    """All of them run as machine code where both joints are together; three where one is alone, which makes no other instructions."""
    model, compiled, several = robot_of(*kinds).model, 0, len(kinds) > 1
    for a in all_algorithms():
        if a.refusal(model) is not None:
            continue
        arrays, options = dict(zip(a.inputs, given(a, model), strict=True)), options_of(a, model)
        want = as_tuple(numbers(a, model, options)(*arrays.values()))
        program = trace(a, prepared(a, model), options)
        results = [list(interpret(fuse(program), arrays).values())]
        if several or a.name in (
            "inverse_dynamics/newton-euler",
            "forward_dynamics/fixman",
            "coriolis_matrix/christoffel",
        ):
            results.append([np.empty_like(w) for w in want])
            assert Kernel.of(program).run([np.ascontiguousarray(x) for x in arrays.values()], results[-1])
            compiled += 1
        for made in results:
            for x, w in zip(made, want, strict=True):
                np.testing.assert_allclose(
                    x, w, rtol=0, atol=1e4 * EPS * max(1.0, np.abs(w).max()), err_msg=a.name
                )  # condition of M below 1e3
    assert compiled == 3 or (several and compiled > 40)


@pytest.mark.parametrize("kinds", [("constant_velocity",), ("pointer", "constant_velocity")], ids="-".join)
def test_second_derivatives_are_those_of_the_first(kinds):
    """A subspace that moves in its body has terms that the recursion for constant ones leaves out."""
    robot, h = robot_of(*kinds), 1e-5
    q, qd, qdd, _ = robots.state(robot.model, np.random.default_rng(6))
    made = robot.inverse_dynamics_derivatives(q, qd, qdd, order=2)
    ends = [[robot.inverse_dynamics_derivatives(q, qd + s * h * e, qdd) for s in (1, -1)] for e in np.eye(robot.n)]
    for name, first in (("dqd_dqd", "dqd"), ("dq_dqd", "dq")):
        want = np.stack([(getattr(up, first) - getattr(down, first)) / (2 * h) for up, down in ends], axis=-1)
        np.testing.assert_allclose(getattr(made, name), want, rtol=0, atol=1e-8)  # rounding over h


STEPS = {"rk4": 1e-3, "euler": 1e-4, "symplectic": 1e-3, "baoab": 1e-3}  # s; the others choose their own
DRIFT = {
    "euler": 1e-3,
    "LSODA": 1e-5,
    "Radau": 1e-4,
    "BDF": 1e-4,
}  # of energy: order 1, and SciPy's methods at the default tolerances


@pytest.mark.parametrize("method", METHODS)
def test_simulation_conserves_energy_and_keeps_coordinates(method):
    """Alone and together; baoab conserves no energy, with a bath as cold as this one it follows the others."""
    for kinds in (("constant_velocity",), ("pointer",), ("constant_velocity", "pointer", "revolute")):
        robot = robot_of(*kinds)
        model = robot.model
        q, qd, _, _ = robots.state(model, np.random.default_rng(4))
        options = {"dt": STEPS[method]} if method in STEPS else {}
        options |= {"temperature": 1e-20, "collision_rate": 1e-9, "seed": 1} if method == "baoab" else {}
        run = robot.simulate(q, qd, duration=0.1, method=method, friction=False, output_dt=0.05, **options)
        assert run.complete
        drift = DRIFT.get(method, 1e-6 if method != "baoab" else 1e-4)  # baoab is of order 2
        np.testing.assert_allclose(run.energy, run.energy[0], rtol=0, atol=drift * max(1.0, np.abs(run.energy).max()))
        for i in model.free:
            joint, at = model.bodies[i].joint, model.offsets[i][0]
            np.testing.assert_allclose(joint.length(run.q[:, at : at + joint.nq]), 1.0, rtol=0, atol=1e-9)


def test_above_forty_bodies_too():
    model = tree(42)
    robot = ordern.Robot(model)
    q, qd, qdd, _ = robots.state(model, np.random.default_rng(5))
    tau = robot.inverse_dynamics(q, qd, qdd)
    (a,) = [x for x in all_algorithms() if x.name == "inverse_dynamics/denoc"]
    np.testing.assert_allclose(tau, numbers(a, model)(q, qd, qdd), rtol=0, atol=1e5 * EPS * np.abs(tau).max())


def test_kinematics_laws_files_and_pages(tmp_path):
    model = tree(3)
    robot = ordern.Robot(model)
    q = robot.random(0)
    link = robot.link_names[-1]
    found = robot.inverse_kinematics(
        robot.forward_kinematics(q, link)[:3, 3], link, q0=robot.integrate(q, np.full(robot.n, 0.05))
    )
    assert found.success
    np.testing.assert_allclose(robot.difference(q, robot.integrate(q, np.full(robot.n, 0.2))), 0.2, rtol=0, atol=1e-12)
    run = robot.simulate(
        q, duration=0.05, torque=ordern.control.PD(robot.integrate(q, np.full(robot.n, 0.01)), 20.0, 4.0, gravity=True)
    )
    assert np.isfinite(run.q).all()
    robot.save(tmp_path / "new.toml")
    again = ordern.load(tmp_path / "new.toml")
    np.testing.assert_allclose(again.mass_matrix(q), robot.mass_matrix(q), rtol=0, atol=1e-12)
    assert "<html" in robot.page().lower()
    with pytest.raises(ordern.InputError, match="coordinate vector of length 0 for joint 'joint2'"):
        robot.simulate(np.zeros(robot.nq), duration=0.01)


def test_a_class_that_breaks_the_protocol_is_refused():
    def made(**fields):
        body = {"motion": JOINTS["revolute"].motion, "offset": 0.0, **fields}
        return dataclass(frozen=True)(type("Broken", (Joint,), body))

    moving = {"nq": 2, "nv": 2, "angular": (True, True), "neutral": (0.0, 0.0)}
    for fields, message in (
        ({"nv": 2, "angular": (True, True), "nq": 2, "neutral": (0.0, 0.0)}, "motions"),
        ({"neutral": (0.0, 0.0)}, "neutral needs nq = 1"),
        ({"nq": 2, "neutral": (0.0, 1.0)}, "needs a step of its own"),
        ({"step": lambda self, q, v: q}, "rates, difference"),
        (
            {"motion": lambda self, q: (Transform(Rotation(_turn(2, q[0])), ZERO), Subspace(Twist(X_AXIS, ZERO)))},
            "not how its transform moves",
        ),
        ({**moving, "motion": JOINTS["universal"].motion, "steady": True}, "steady = True, but S moves"),
        ({"subspace_rate": lambda self, q, qd: Subspace(Twist(X_AXIS, ZERO))}, "subspace_rate is not the rate of S"),
        (
            {"motion": lambda self, q: (Transform(Rotation(_turn(2, q[0])), ZERO), Subspace(Twist(Z_AXIS * 2, ZERO)))},
            "not how its transform moves",
        ),
    ):
        with pytest.raises(ModelError, match=message):
            joint("broken")(made(**fields))
    assert "broken" not in JOINTS


def test_a_joint_without_feedback_error_says_which_class_and_method():
    class Screwdriver(JOINTS["spherical"]):
        name = "screwdriver"
        error = Joint.error

    with pytest.raises(ordern.OrdernError, match=r"screwdriver.*Screwdriver.*error\(q, target\)"):
        Screwdriver().error(JointVector(0, 0, 0, 1), JointVector(0, 0, 0, 1))


# --- what a class does is asked of its motion, not of its name ---------------------------------------------------------------------
class Geared(Revolute):
    """Turns by twice its coordinate; what it inherits does not fit."""

    def motion(self, q):
        return Transform(Rotation(_turn(2, q[0] * 2)), ZERO), Subspace(Twist(Z_AXIS * 2, ZERO))


class Hinge(Joint):
    """A revolute joint as a user would write it."""

    steady = True

    def motion(self, q):
        return Transform(Rotation(_turn(2, q[0])), ZERO), Subspace(Twist(Z_AXIS, ZERO))


class Crank(Revolute):
    """Turns about an axis beside its frame: the body frame moves on a circle."""

    def motion(self, q):
        turn = _turn(2, q[0], self.offset)
        return Transform(Rotation(turn), Vec3(0.4, 0, 0) - turn.T @ Vec3(0.4, 0, 0)), Subspace(
            Twist(Z_AXIS, Vec3(0, -0.4, 0))
        )


class Tilted(Prismatic):
    """A slide whose body is turned a quarter about x."""

    def motion(self, q):
        turn = _turn(0, np.pi / 2)
        return Transform(Rotation(turn), Vec3(0, 0, q[0])), Subspace(Twist(ZERO, turn @ Z_AXIS))


def with_joints(model, *classes):
    bodies = [replace(b, joint=classes[(k - 1) % len(classes)]() if k else b.joint) for k, b in enumerate(model.bodies)]
    return model.with_bodies(bodies)


def test_forms_are_found_from_the_motion():
    forms = {name: (*cls().form[:4], len(cls().form.directions)) for name, cls in JOINTS.items()}
    assert forms == {
        "revolute": (1, 0, "hinge", True, 0), "prismatic": (0, 1, "slide", False, 0), "helical": (1, 1, "screw", True, 0),
        "cylindrical": (1, 1, "", False, 0), "universal": (2, 0, "", False, 0), "planar": (1, 2, "", False, 0), "spherical": (2, 0, "", False, 1),
        "floating": (2, 2, "", False, 1), "constant_velocity": (2, 0, "", False, 0), "pointer": (1, 0, "hinge", False, 1),
    }  # fmt: skip
    assert [cls().form[:4] for cls in (Geared, Hinge, Crank, Tilted)] == [
        (1, 0, "", False),
        (1, 0, "hinge", False),
        (1, 2, "", False),
        (2, 2, "", False),
    ]
    assert JOINTS["floating"]().form.directions == (((3, 4, 5, 6), True),)  # where it is counts as it stands
    assert JOINTS["spherical"]().form.directions == (((0, 1, 2, 3), True),) and JOINTS["pointer"]().form.directions == (
        ((0, 1), False),
    )
    assert {Geared.name, Hinge.name} == {"Geared", "Hinge"}  # not what they inherit: programs and files go by names


@pytest.mark.parametrize("count", [5, 44])
def test_subclasses_and_own_classes_are_taken_for_what_they_do(count):
    """Frames and inertias are moved before a program is compiled, and long robots become loops: both must see what the classes do."""
    plain = robots.serial("R" * count, 4, armature=False)
    model = with_joints(plain, Geared, Hinge, Crank, Revolute, Tilted)
    robot, (q, qd, qdd, tau) = ordern.Robot(model), robots.state(model, np.random.default_rng(8))
    for name, inputs in (
        ("inverse_dynamics/newton-euler", (q, qd, qdd)),
        ("forward_dynamics/articulated", (q, qd, tau)),
        ("mass_matrix/composite", (q,)),
    ):
        (a,) = [x for x in all_algorithms() if x.name == name]
        want = numbers(a, model)(*inputs)
        made = getattr(robot, a.quantity)(*inputs, method=a.method)
        np.testing.assert_allclose(
            made, want, rtol=0, atol=1e5 * EPS * max(1.0, np.abs(want).max()), err_msg=name
        )  # condition of M below 1e5
    geared, robot = ordern.Robot(with_joints(plain, Geared)), ordern.Robot(with_joints(plain, Revolute))
    np.testing.assert_allclose(
        geared.inverse_dynamics(q, qd, qdd),
        2 * robot.inverse_dynamics(2 * q, 2 * qd, 2 * qdd),
        rtol=1e-9,
        atol=1e-9 * count,
    )


def test_a_first_link_without_inertia_is_served_on_a_users_hinge_as_on_a_revolute_joint():
    plain = robots.serial("RRR", 4, armature=False)
    plain = plain.with_bodies(
        [
            b if k != 1 else replace(b, inertia=Mass(I=(0.0, 0.0, 0.3, 0.0, 0.0, 0.0)))
            for k, b in enumerate(plain.bodies)
        ]
    )
    made = [
        ordern.Robot(with_joints(plain, *kinds)).forward_dynamics(*np.full((3, 3), 0.3), method="fixman")
        for kinds in ((Revolute,), (Hinge, Revolute, Hinge))
    ]
    np.testing.assert_allclose(made[1], made[0], rtol=1e-9)
