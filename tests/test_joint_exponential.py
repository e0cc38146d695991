"""A joint's step and difference against 60 digits: turns of any size, both precisions, one state and batches, NumPy and programs."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

import ordern
import robots
from ordern.joints import JOINTS
from ordern.joints.joint_arrays import rotation_vector
from ordern.program.finish import finished
from ordern.program.interpret import interpret
from ordern.program.trace import Tracer
from ordern.runtime.kernels import Kernel
from ordern.spatial.joint_space import JointVector

TURNS = [0.0, 1e-12, 1e-4, 0.3, 0.999, 1.0, 1.001, 2.0, 3.14159, 6.28, 6.29, 10.0, 100.0, 3e4]  # rad
QUATERNIONS = [name for name, cls in JOINTS.items() if cls.nq != cls.nv]


def skew(a):
    return mpmath.matrix([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def exponential(name, q, v):
    """[p, quaternion] after unit time, by Rodrigues' formulas with 60 digits; the quaternion at unit length."""
    with mpmath.workdps(60):
        q, v = [mpmath.mpf(float(x)) for x in q], [mpmath.mpf(float(x)) for x in v]
        w, u = v[:3], mpmath.matrix(v[3:] or [0, 0, 0])
        W, two = skew(w), sum(x * x for x in w)
        t = mpmath.sqrt(two)
        first, second, k = (mpmath.mpf(1) / 2, mpmath.mpf(1) / 6, mpmath.mpf(1) / 2)
        if t > mpmath.mpf(10) ** -15:
            first, second, k = (1 - mpmath.cos(t)) / two, (1 - mpmath.sin(t) / t) / two, mpmath.sin(t / 2) / t
        length = mpmath.sqrt(sum(x * x for x in q[-4:]))
        x, y, z, s = (e / length for e in q[-4:])
        R = mpmath.eye(3) + 2 * s * skew([x, y, z]) + 2 * skew([x, y, z]) * skew([x, y, z])
        p = mpmath.matrix(q[:3]) + R * (u + W * u * first + W * W * u * second)
        bx, by, bz, bw = w[0] * k, w[1] * k, w[2] * k, mpmath.cos(t / 2)
        turned = [s * bx + x * bw + y * bz - z * by, s * by + y * bw + z * bx - x * bz]
        turned += [s * bz + z * bw + x * by - y * bx, s * bw - x * bx - y * by - z * bz]
        return np.array([float(e) for e in ([*p] if name == "floating" else []) + turned])


def states(name, turn, count, rng):
    """Coordinates with quaternions of any length, and velocities that turn by so much."""
    joint = JOINTS[name]()
    q = joint.random(rng, (count,), np.full(joint.nv, -1.0), np.full(joint.nv, 1.0))
    q[:, -4:] *= rng.uniform(0.5, 2.0, (count, 1))
    v = rng.standard_normal((count, joint.nv))
    v[:, :3] *= turn / np.linalg.norm(v[:, :3], axis=1, keepdims=True)
    return q, v


def stepping(name):
    """The joint's step as a program."""
    joint, t = JOINTS[name](), Tracer()
    made = joint.step(JointVector(*t.input("q", joint.nq)), JointVector(*t.input("v", joint.nv)))
    for k, e in enumerate(made):
        t.output("out0", k, e)
    return finished("step", t, {"out0": (joint.nq,)})


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("name", QUATERNIONS)
def test_steps_of_any_size(name, turn, dtype):
    rng, eps = np.random.default_rng(0), np.finfo(dtype).eps
    q, v = (a.astype(dtype) for a in states(name, turn, 5, rng))
    want = np.array([exponential(name, *rows) for rows in zip(q, v, strict=True)])
    robot = ordern.Robot(robots.tree([name], [0], 3))
    program = stepping(name)
    made = [robot.integrate(q, v), np.array([robot.integrate(*rows) for rows in zip(q, v, strict=True)])]
    made.append(interpret(program, {"q": q, "v": v})["out0"])
    for width in (1, 4):
        out = np.empty((5, q.shape[1]), dtype)
        assert Kernel.of(program, dtype).run([q, v], [out], width=width)
        made.append(out)
    for got in made:
        assert got.dtype == dtype
        # a rounding of |w| turns the body by eps t: its size is the condition; positions move on a circle of |v|/t, so it does not matter there
        assert np.abs(got[:, -4:] - want[:, -4:]).max() <= 4 * eps * (1 + turn)
        if name == "floating":
            scale = 1 + np.abs(v[:, 3:]).max()
            assert np.abs(got[:, :3] - want[:, :3]).max() <= 8 * eps * scale * (1 + turn / 4)


@pytest.mark.parametrize("name", QUATERNIONS)
def test_difference_undoes_steps_of_less_than_half_a_turn(name):
    rng, robot = np.random.default_rng(1), ordern.Robot(robots.tree([name], [0], 3))
    for turn in [9e-5, 1.1e-4, 1e-3, 0.01, 0.1, *(t for t in TURNS if t < np.pi - 0.1)]:
        q, v = states(name, turn, 20, rng)
        np.testing.assert_allclose(
            robot.difference(q, robot.integrate(q, v)), v, rtol=0, atol=64 * np.finfo(float).eps * (1 + np.abs(v).max())
        )


def test_a_whole_robot_steps_joint_by_joint():
    model = robots.mixed()
    robot, rng = ordern.Robot(model), np.random.default_rng(2)
    q, v = robot.random(rng, 4), 30 * rng.standard_normal((4, robot.n))
    made = robot.integrate(q, v)
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        own, rate = q[:, iq : iq + joint.nq], v[:, iv : iv + joint.nv]
        want = (
            np.array([exponential(joint.name, *rows) for rows in zip(own, rate, strict=True)])
            if joint.name in QUATERNIONS
            else own + rate
        )
        np.testing.assert_allclose(made[:, iq : iq + joint.nq], want, rtol=0, atol=1e-13)  # some 100 rad: 100 eps


def test_rotation_vectors_of_any_size():
    """The vector that made a quaternion comes back, from the smallest numbers to half a turn, whichever sign the quaternion has."""
    rng = np.random.default_rng(4)
    sizes = np.concatenate([10.0 ** np.arange(-300, 0, 3.0), [1.0, 2.0, 3.0, 3.14159]])
    axes = rng.normal(size=(len(sizes), 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    v = axes * sizes[:, None]
    q = np.concatenate([axes * np.sin(sizes / 2)[:, None], np.cos(sizes / 2)[:, None]], axis=1)
    for sign in (1, -1):
        made = rotation_vector(sign * q)
        assert np.all(np.abs(made - v) <= 1e-14 * sizes[:, None])  # a few roundings of numbers of that size
    np.testing.assert_array_equal(rotation_vector(np.array([0.0, 0, 0, 1])), np.zeros(3))
