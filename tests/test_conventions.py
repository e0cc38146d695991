"""The converters of examples/conventions.py: against Pinocchio and MuJoCo, and against what Drake and the Robotics Toolbox answered (tests/data)."""

from __future__ import annotations

import importlib.util
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import ordern
import peers

EPS = np.finfo(float).eps


def script(name):
    spec = importlib.util.spec_from_file_location(
        f"example_{name}", Path(__file__).parents[1] / "examples" / f"{name}.py"
    )
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


c = script("conventions")


def close(made, expected, k=200):
    """k eps of the largest entry: a handful of joints, some ten roundings each, and the converter's own rotation."""
    expected = np.asarray(expected)
    np.testing.assert_allclose(made, expected, rtol=0, atol=k * EPS * max(1.0, np.abs(expected).max()))


@pytest.fixture(params=["fixed", "floating"])
def base(request):
    return request.param


def state(robot):
    rng = np.random.default_rng(3)
    return robot.random(rng), *rng.uniform(-1, 1, (3, robot.n))


def there_and_back(other, q, qd, qdd, tau):
    x, v = other.q(q), other.v(q, qd)
    close(other.back_q(x), q)
    close(other.back_v(x, v), qd)
    close(other.back_a(x, v, other.a(q, qd, qdd)), qdd)
    close(other.back_force(x, other.force(q, tau)), tau)
    close(other.force(q, tau) @ v, tau @ qd)  # power is power in any words


# --- Pinocchio and MuJoCo, asked here and now --------------------------------------------------------------------------------------------
def test_pinocchio(base):
    import pinocchio as pin

    robot = ordern.load(peers.FREE, base=base)
    model = (
        pin.buildModelFromXML(peers.FREE, pin.JointModelFreeFlyer())
        if base == "floating"
        else pin.buildModelFromXML(peers.FREE)
    )
    data = model.createData()
    other = c.Pinocchio(robot, [name for name in model.names if name in robot.joint_names and name != "root_joint"])
    assert other.order == [1, 0, 2]  # siblings by name: hip before shoulder
    q, qd, qdd, tau = state(robot)
    q[-1] = np.arctan2(np.sin(q[-1]), np.cos(q[-1]))  # the angle that (cos, sin) remember
    there_and_back(other, q, qd, qdd, tau)
    x, v, a, t = other.q(q), other.v(q, qd), other.a(q, qd, qdd), other.force(q, tau)
    close(other.force(q, robot.inverse_dynamics(q, qd, qdd)), pin.rnea(model, data, x, v, a))
    close(
        other.a(q, qd, robot.forward_dynamics(q, qd, tau)), pin.aba(model, data, x, v, t), 1e4
    )  # times the condition of M
    M = pin.crba(model, data, x)
    close(other.mass_matrix(q, robot.mass_matrix(q)), np.triu(M) + np.triu(M, 1).T)
    close(other.bias(q, qd), pin.nonLinearEffects(model, data, x, v))
    close(other.force(q, robot.gravity_forces(q)), pin.computeGeneralizedGravity(model, data, x))
    frame = model.getFrameId("wheel")
    for reference, theirs in (("world", pin.LOCAL_WORLD_ALIGNED), ("body", pin.LOCAL)):
        J = pin.computeFrameJacobian(model, data, x, frame, theirs)
        close(other.jacobian(q, robot.jacobian(q, "wheel", reference=reference)), J)


def test_mujoco(base):
    import mujoco

    robot = ordern.load(peers.FREE, base=base)
    spec = mujoco.MjSpec.from_string(peers.FREE)
    spec.compiler.fusestatic = False
    spec.compiler.discardvisual = False
    if base == "floating":
        next(b for b in spec.bodies if b.name == "trunk").add_freejoint()
    model = spec.compile()
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT
    data = mujoco.MjData(model)
    names = [model.joint(i).name for i in range(model.njnt)]
    other = c.MuJoCo(robot, [name for name in names if name in robot.joint_names])
    assert other.order == [0, 2, 1]  # along one branch, then along the next
    q, qd, qdd, tau = state(robot)
    there_and_back(other, q, qd, qdd, tau)
    data.qpos[:], data.qvel[:], data.qacc[:] = other.q(q), other.v(q, qd), other.a(q, qd, qdd)
    mujoco.mj_inverse(model, data)
    near = {"rtol": 0, "atol": 1e-7}  # MuJoCo finds the principal axes of each inertia iteratively: 1e-9 of the torques
    np.testing.assert_allclose(other.force(q, robot.inverse_dynamics(q, qd, qdd)), data.qfrc_inverse, **near)
    M = np.zeros((model.nv, model.nv))
    for row, one in zip(M, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, row, one)
    np.testing.assert_allclose(other.mass_matrix(q, robot.mass_matrix(q)), M, **near)
    np.testing.assert_allclose(other.bias(q, qd), data.qfrc_bias, **near)
    J = np.zeros((6, model.nv))
    mujoco.mj_jacBody(model, data, J[:3], J[3:], model.body("wheel").id)
    np.testing.assert_allclose(other.jacobian(q, robot.jacobian(q, "wheel")), J, **near)
    wrench = np.array([0.3, -0.2, 0.5, 1.0, 2.0, -1.5])  # [moment; force], at the link's frame, in its axes
    pose, com = robot.forward_kinematics(q, "wheel"), data.xipos[model.body("wheel").id]
    moment, force = pose[:3, :3] @ wrench[:3], pose[:3, :3] @ wrench[3:]
    data.xfrc_applied[model.body("wheel").id] = [*force, *(moment + np.cross(pose[:3, 3] - com, force))]
    data.qfrc_applied[:] = other.force(q, tau)
    mujoco.mj_forward(model, data)
    pushed = other.a(q, qd, robot.forward_dynamics(q, qd, tau, external={"wheel": wrench}))
    np.testing.assert_allclose(data.qacc, pushed, rtol=0, atol=1e-5)  # 1e-7 times the condition of M


# --- Drake and the Robotics Toolbox: what they answered, and what they answer where they are installed -----------------------------------
def answers(library, live, name):
    if not live:
        return peers.stored(library)[name]
    pytest.importorskip(
        {"drake": "pydrake", "toolbox": "roboticstoolbox"}[library],
        reason=f"needs {library}: pip install {peers.ASKED[library][2]}",
    )
    return peers.simple(peers.ASKED[library][0](name))


@pytest.fixture(params=[False, True], ids=["stored", "live"])
def live(request):
    return request.param


@pytest.mark.parametrize("name", peers.ROBOTS)
def test_drake(name, live):
    found = answers("drake", live, name)
    robot, _, _, link = peers.open_robot(name)
    other = c.Drake(robot, found["joints"])
    damping = np.concatenate(
        [robot.model.bodies[i].damping or np.zeros(robot.model.bodies[i].joint.nv) for i in robot.model.free]
    )
    for s in found["states"]:
        s = {key: np.array(value) for key, value in s.items()}
        x = s["q"]
        q, qd = other.back_q(x), other.back_v(x, s["v"])
        qdd, tau = other.back_a(x, s["v"], s["a"]), other.back_force(x, s["tau"])
        there_and_back(other, q, qd, qdd, tau)
        close(robot.forward_kinematics(q, link), s["pose"])
        close(other.mass_matrix(q, robot.mass_matrix(q)), s["mass_matrix"])
        damped = (
            damping * qd
        )  # Drake counts the dampers of a URDF among its forces; ordern has them in simulations only
        close(other.force(q, robot.inverse_dynamics(q, qd, qdd) + damped), s["inverse_dynamics"])
        close(other.force(q, robot.inverse_dynamics(q, qd, qdd, external={link: s["wrench"]}) + damped), s["pushed"])
        condition = np.linalg.cond(s["mass_matrix"])
        close(other.a(q, qd, robot.forward_dynamics(q, qd, tau - damped)), s["forward_dynamics"], 200 * condition)
        close(other.force(q, -robot.gravity_forces(q)), s["gravity"])
        close(other.bias(q, qd) + s["gravity"], s["bias"], 2000)  # two large terms, of which one is taken away again
        close(other.jacobian(q, robot.jacobian(q, link)), s["jacobian"])
        close(other.jacobian(q, robot.jacobian(q, link, reference="body")), s["body_jacobian"])
        close(robot.kinetic_energy(q, qd), s["kinetic_energy"])


@pytest.mark.parametrize("name", peers.ARMS)
def test_toolbox_tables(name, live):
    found = answers("toolbox", live, name)
    rows, convention = c.from_toolbox(peers.links_of(found))
    assert convention == ("proximal" if name == "Panda" else "distal")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its Stanford arm and Panda have inertias that no body has
        robot = ordern.Robot.from_dh(
            rows, convention, gravity=found["gravity"], tool=np.array(found["tool"]), on_invalid="warn"
        )
    back = [c.to_toolbox(row) for row in robot.to_dh(convention)]
    for keywords, link in zip(back, found["links"], strict=True):
        assert {key for key in keywords if key in link and np.shape(keywords[key]) == ()} >= {
            "a",
            "alpha",
            "offset",
            "m",
            "Jm",
        }
        for key in ("a", "alpha", "offset", "m", "r"):
            close(keywords[key], link[key])
        I = np.array(link["I"])
        close(keywords["I"], I[[0, 1, 2, 0, 1, 0], [0, 1, 2, 1, 2, 2]])  # Ixx Iyy Izz Ixy Iyz Ixz
    for s in found["states"]:
        s = {key: np.array(value) for key, value in s.items()}
        q, qd, qdd = s["q"], s["v"], s["a"]
        close(robot.forward_kinematics(q, "tool"), s["pose"])
        close(c.linear_first(robot.jacobian(q, "tool")), s["jacobian"])
        close(c.linear_first(robot.jacobian(q, "tool", reference="body")), s["body_jacobian"])
        close(
            robot.mass_matrix(q), s["mass_matrix"], 2000
        )  # there, n runs of inverse dynamics with gravity that cancels
        close(robot.gravity_forces(q), s["gravity"])
        close(robot.coriolis_matrix(q, qd), s["coriolis"], 2000)
        tau = robot.inverse_dynamics(q, qd, qdd)
        close(tau, s["inverse_dynamics"])
        close(
            robot.forward_dynamics(q, qd, np.ones(robot.n)),
            s["forward_dynamics"],
            2000 * np.linalg.cond(s["mass_matrix"]),
        )
        damping, friction = (np.array([row[key] for row in rows]) for key in ("damping", "friction"))
        sides = np.array([[abs(link["G"]) * t for t in link["Tc"]] for link in found["links"]])
        dry = np.where(qd > 0, sides[:, 0], sides[:, 1])
        close(tau + damping * qd + dry, s["with_friction"])
        assert np.array_equal(friction, np.abs(sides).max(axis=1))
        pushing = {
            robot.link_names[-2]: -c.linear_first(s["wrench"])
        }  # what the last link, not the tool, does to its surroundings
        close(robot.inverse_dynamics(q, qd, qdd, external=pushing), s["pushed"])


@pytest.mark.parametrize("name", ["free, fixed", "ur5"])
def test_toolbox_urdf(name, live):
    found = answers("toolbox", live, name)
    robot, _, _, link = peers.open_robot(name)
    joints = [robot.model.links[robot.link_names.index(child)].joint for child in found["children"]]
    order = [robot.joint_names.index(joint) for joint in joints]
    assert order == ([0, 2, 1] if "free" in name else list(range(robot.n)))
    for s in found["states"]:
        s = {key: np.array(value) for key, value in s.items()}
        q, qd, qdd = np.empty((3, robot.n))
        q[order], qd[order], qdd[order] = s["q"], s["v"], s["a"]
        close(robot.forward_kinematics(q, link), s["pose"])
        close(robot.inverse_dynamics(q, qd, qdd)[order], s["inverse_dynamics"])
        close(robot.gravity_forces(q)[order], s["gravity"])
        close(robot.mass_matrix(q)[np.ix_(order, order)], s["mass_matrix"], 2000)
        for reference, key in (("world", "jacobian"), ("body", "body_jacobian")):
            J = c.linear_first(robot.jacobian(q, link, reference=reference)[:, order])
            close(J[:, : s[key].shape[1]], s[key])  # there, only the joints on the way to the link


def test_flipped_links_are_refused():
    (link, *_) = peers.links_of(peers.stored("toolbox")["Puma560"])
    link.isflip = True
    with pytest.raises(ValueError, match="flipped"):
        c.from_toolbox([link])
