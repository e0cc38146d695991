"""Two joints that the library does not have, each one class: a constant-velocity joint and a hinge with (sin, cos) coordinates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import pytest

from ordern.joints import JOINTS, X_AXIS, Y_AXIS, Z_AXIS, ZERO, Joint, _turn, joint
from ordern.scalars.primitives import sincos, sqrt
from ordern.spatial import Planar, Rotation, Transform, Twist
from ordern.spatial.joint_space import JointVector, Subspace


@pytest.fixture
def joints(monkeypatch):
    """Both joints, for one test."""
    monkeypatch.setenv("ORDERN_CACHE", "off")

    @joint("constant_velocity")
    @dataclass(frozen=True)
    class ConstantVelocity(Joint):
        """Two Cardan joints back to back: half of q[0] about x, q[1] about y, half of q[0] about x."""

        nq: ClassVar[int] = 2
        nv: ClassVar[int] = 2
        axial: ClassVar[bool] = False
        angular: ClassVar[tuple[bool, ...]] = (True, True)
        neutral: ClassVar[tuple[float, ...]] = (0.0, 0.0)

        def motion(self, q):
            end, middle = _turn(0, q[0] * 0.5), _turn(1, q[1])
            first = (X_AXIS + end @ (middle @ X_AXIS)) * 0.5
            return Transform(Rotation(end, middle, end), ZERO), Subspace(Twist(first, ZERO), Twist(end @ Y_AXIS, ZERO))

    @joint("pointer")
    @dataclass(frozen=True)
    class Pointer(Joint):
        """A hinge whose coordinates are the sine and the cosine of its angle; any length but zero will do."""

        nq: ClassVar[int] = 2
        nv: ClassVar[int] = 1
        neutral: ClassVar[tuple[float, ...]] = (0.0, 1.0)
        steady: ClassVar[bool] = True
        orthonormal: ClassVar[bool] = True

        def motion(self, q):
            n = 1 / sqrt(q[0] * q[0] + q[1] * q[1])
            return Transform(Rotation(Planar(2, q[1] * n, -(q[0] * n))), ZERO), Subspace(Twist(Z_AXIS, ZERO))

        def step(self, q, v):
            s, c = sincos(v[0])
            return JointVector(q[0] * c + q[1] * s, q[1] * c - q[0] * s)

        def rates(self, q, v):
            return JointVector(q[1] * v[0], -(q[0] * v[0]))

        def difference(self, q0, q1):
            return np.arctan2(
                q1[..., :1] * q0[..., 1:] - q1[..., 1:] * q0[..., :1],
                q1[..., 1:] * q0[..., 1:] + q1[..., :1] * q0[..., :1],
            )

        def error(self, q, target):
            return JointVector(target[0] * q[1] - target[1] * q[0])

        def length(self, q):
            return np.linalg.norm(q, axis=-1)

        def normalise(self, q):
            return q / np.linalg.norm(q, axis=-1, keepdims=True)

        def random(self, rng, batch, lower, upper):
            angle = rng.uniform(-np.pi, np.pi, batch)
            return np.stack([np.sin(angle), np.cos(angle)], axis=-1)

    yield
    for name in ("constant_velocity", "pointer"):
        JOINTS.pop(name, None)
