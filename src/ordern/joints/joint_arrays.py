"""Quaternions (x, y, z, w) as arrays (..., 4): what joints answer about states that lie side by side."""

from __future__ import annotations

import numpy as np

from ..scalars.primitives import Array
from ..spatial.quaternions import quaternion_product

__all__ = ["conjugate_product", "random_quaternion", "rotate_back", "rotation_vector"]


def rotation_vector(q: Array) -> Array:
    """The shortest rotation vector of quaternions (..., 4)."""
    q = np.where(q[..., 3:] < 0, -q, q)
    length = np.linalg.norm(q[..., :3], axis=-1, keepdims=True)
    angle = 2 * np.arctan2(length, q[..., 3:])
    return q[..., :3] * np.where(length > 1e-150, angle / np.maximum(length, 1e-150), 2.0)


def conjugate_product(a: Array, b: Array) -> Array:
    """a^-1 b of unit quaternions (..., 4)."""
    a, b = (e / np.linalg.norm(e, axis=-1, keepdims=True) for e in (a, b))
    a, b = np.broadcast_arrays(a * [-1.0, -1.0, -1.0, 1.0], b)
    return np.stack(quaternion_product(tuple(np.moveaxis(a, -1, 0)), tuple(np.moveaxis(b, -1, 0))), axis=-1)


def random_quaternion(rng: np.random.Generator, batch: tuple[int, ...]) -> Array:
    """Uniform on the rotations."""
    q = rng.standard_normal((*batch, 4))
    made: Array = q / np.linalg.norm(q, axis=-1, keepdims=True)
    return made


def rotate_back(q: Array, v: Array) -> Array:
    """Components of v (..., 3) in the frame with attitude q (..., 4), unit length."""
    u, w = -q[..., :3], q[..., 3:]
    t = 2 * np.cross(u, v)
    made: Array = v + w * t + np.cross(u, t)
    return made
