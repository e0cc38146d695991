"""Built-in robots against the reference values of the papers' data."""

import json
from pathlib import Path

import numpy as np
import pytest

import ordern
from ordern.describe import builtin as robots
from ordern.errors import InputError

from .mechanics import gravity_forces, link_poses, mass_matrix

EPS = np.finfo(float).eps
DIGITS = 2e-14  # reference values have 15 significant digits


def close(a, b, k=1.0):
    b = np.asarray(b)
    assert np.max(np.abs(np.asarray(a) - b)) <= k * DIGITS * np.max(np.abs(b))


def test_planar3():
    q = (0.3, -0.7, 1.1)
    model = robots.planar3()
    M = [
        [0.193007841064449, 0.0772077552006522, 0.0177006718423896],
        [0.0772077552006522, 0.0394076693368554, 0.00858216800176101],
        [0.0177006718423896, 0.00858216800176101, 0.00484],
    ]
    close(mass_matrix(model, q), M)
    close(gravity_forces(model, q), [4.04803092830747, 1.37705340518565, 0.247602361289607])
    close(mass_matrix(robots.planar(3), q)[0], [7.66918367728193, 3.72805656602042, 1.02066189104756])


def test_stanford():
    q = (0.4, 1.2, 0.05, -0.3, 0.6, 0.2)
    row = [
        1.43998971458076,
        0.0600811298999433,
        0.568543842440008,
        -0.001867852161954,
        0.000800752061411078,
        0.000407394159947621,
    ]
    model = robots.stanford()
    close(mass_matrix(model, q)[0], row)
    close(link_poses(model, q)["link6"][:3, 3], [-0.596943984761699, -0.143813425885459, -0.0355325404098378])
    start = (0, np.pi / 2, 0, 0, 0, 0)
    close(gravity_forces(model, start)[1], 13.3416)
    close(gravity_forces(robots.stanford("flipped"), start)[1], 11.3796)


def test_puma():
    q = [
        0.703325351925127,
        -1.14270719504697,
        -0.762191876473233,
        1.19786438709933,
        1.98320839546187,
        -1.43107273887979,
    ]
    row = [
        0.668297308868418,
        2.6522190797234,
        0.631063744314043,
        -0.001724504106815,
        -0.000950702839994009,
        3.4127316689471e-05,
    ]
    model = robots.puma560()
    close(mass_matrix(model, q)[1], row)
    close(
        gravity_forces(model, q), [0, 24.5603327021424, 8.17121533298376, -0.0227719291133534, 0.00459008977758426, 0]
    )
    motors = robots.puma560(motors=True)
    added = np.diag(mass_matrix(motors, q) - mass_matrix(model, q))
    np.testing.assert_allclose(added, [0.784, 2.325, 0.577, 0.191, 0.171, 0.194], rtol=0, atol=6e-4)
    assert motors.bodies[2].damping == (0.817e-3 * 107.815**2,)
    assert model.bodies[2].lower == (np.radians(-45),)


def test_the_motors_of_the_puma_are_those_of_the_toolbox():
    """Armature, damping and the mean of Coulomb friction either way, at the joint; rounded once or twice."""
    links = json.loads((Path(__file__).parents[1] / "data" / "toolbox.json").read_text())["robots"]["Puma560"]["links"]
    for body, link in zip(robots.puma560(motors=True).bodies[1:], links, strict=True):
        found = (*body.armature, *body.damping, *body.friction)
        wanted = (link["Jm"] * link["G"] ** 2, link["B"] * link["G"] ** 2, np.abs(link["Tc"]).mean() * abs(link["G"]))
        np.testing.assert_allclose(found, wanted, rtol=4e-16)


def test_pendulum():
    model = robots.pendulum()
    close(mass_matrix(model, [0.3]), [[1.0]])
    close(gravity_forces(model, [0.3]), [9.81 * np.sin(0.3)])
    assert link_poses(model, [0.0])["link1"][1, 3] == -1.0


def test_tips():
    model = robots.planar(2, (0.5, 0.4), (1.0, 2.0), mass="tips")
    t = 0.7
    last = 2 * 0.4**2
    cross = 2 * 0.5 * 0.4 * np.cos(t)
    close(mass_matrix(model, [0.1, t]), [[0.25 + 0.5 + last + 2 * cross, last + cross], [last + cross, last]])


def test_chain_is_general_and_prefix_stable():
    long = robots.chain(10_000)
    assert long.nv == 10_000
    short = robots.chain(7)
    assert short.bodies == long.bodies[:8]
    assert robots.chain(7, seed=1).fingerprint != short.fingerprint
    for body in short.bodies[2:]:
        assert 0 not in (
            body.placement.rotation[4],
            body.placement.origin[0],
            body.placement.origin[2],
            body.joint.offset,
        )
        assert all(body.inertia.vector())
    assert np.linalg.eigvalsh(mass_matrix(short, np.zeros(7)))[0] > 0


def test_names():
    for name in robots.names():
        assert robots.lookup(name).nv > 0
    assert robots.lookup("planar10").nv == robots.lookup("chain(10)").nv == 10
    assert robots.lookup("planar3").fingerprint != robots.lookup("planar(3)").fingerprint
    with pytest.raises(InputError, match="did you mean 'stanford'"):
        robots.lookup("stamford")


@pytest.mark.parametrize("n", [0, -1, 1.5, True, "3"])
def test_bad_count(n):
    with pytest.raises(InputError, match="number of links"):
        robots.planar(n)


def test_bad_arguments():
    for call in (
        lambda: robots.planar(3, lengths=(1, 2)),
        lambda: robots.planar(3, masses=-1),
        lambda: robots.planar(3, mass="rod"),
        lambda: robots.stanford("x"),
        lambda: robots.lookup("chain999999999"),
    ):
        with pytest.raises(InputError):
            call()


def test_neutral_poses_of_built_in_robots_lie_within_their_limits():
    """Also with a floating base and joints locked, and after saving: the state "neutral" goes along."""
    for name in robots.names():
        robot = ordern.load(name)
        others = (
            [] if robot.loops or name.startswith("puma") else [ordern.load(name, base="floating")]
        )  # link 1 of the PUMA is a rotor without mass
        others += [robot.with_locked({robot.joint_names[0]: 0.0})] if robot.n > 1 and not robot.loops else []
        for made in (robot, *others):
            q, limits, model = made.neutral(), made.limits, made.model
            assert q.shape == (made.nq,)
            for i in model.free:
                joint, (at, v) = model.bodies[i].joint, model.offsets[i]
                if joint.nq == joint.nv:
                    assert np.all(q[at : at + joint.nq] >= limits.lower[v : v + joint.nv])
                    assert np.all(q[at : at + joint.nq] <= limits.upper[v : v + joint.nv])


def test_the_panda_stands_as_it_usually_does():
    """The hand in front of the base, pointing down, with the elbow up."""
    arm = ordern.load("panda")
    poses = arm.forward_kinematics(arm.neutral())
    hand = poses["panda_hand"]
    np.testing.assert_allclose(hand[:3, 2], (0, 0, -1), rtol=0, atol=1e-9)
    assert 0.2 < hand[0, 3] < 0.5
    assert abs(hand[1, 3]) < 1e-9
    assert 0.4 < hand[2, 3] < 0.8
