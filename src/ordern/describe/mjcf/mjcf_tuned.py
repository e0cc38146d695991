"""Springs that a file asks for by time constant and damping ratio: how stiff they are depends on the inertia that the joint feels.

That is 1 / (M^-1)_kk of the whole robot in the file's own position, as MuJoCo has it; M is added up here from composite bodies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import ModelError
from ...joints import Floating, Prismatic, Revolute, Spherical
from ...model import Mass, Model, Placement

__all__ = ["tuned"]

Array = Any
MOVES = {Revolute: (2,), Prismatic: (5,), Spherical: (0, 1, 2), Floating: (0, 1, 2, 3, 4, 5)}  # columns of the identity, [turn; way]


def tuned(model: Model, wanted: Mapping[str, tuple[float, float]], whole: Model, springs: bool, dampers: bool) -> Model:
    """The model with stiffness 1 / (w t^2 r^2) and damping 2 / (w t) at joints with (t, r), w the diagonal element of M^-1.

    ``whole`` is the robot before joints were locked or tied to others; a file may switch springs and dampers off.
    """
    inverse = np.diag(np.linalg.inv(_mass_matrix(whole)))
    at, felt = 0, {}
    for body in whole.bodies[1:]:
        felt[body.name] = float(inverse[at])
        at += body.joint.nv

    def spring(body: Any) -> Any:
        t, ratio = wanted[body.name]
        w, rest = felt[body.name], body.springref or (0.0,)
        made = replace(body, stiffness=(1.0 / (w * t * t * ratio * ratio),), springref=rest) if springs else body
        return replace(made, damping=(2.0 / (w * t),)) if dampers else made

    return model.with_bodies(spring(body) if body.name in wanted else body for body in model.bodies)


def _spatial(mass: Mass) -> Array:
    xx, yy, zz, xy, xz, yz = mass.I
    x, y, z = mass.h
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    made = np.zeros((6, 6))
    made[:3, :3] = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
    made[:3, 3:], made[3:, :3], made[3:, 3:] = across, across.T, mass.m * np.eye(3)
    return made


def _motion(placement: Placement) -> Array:
    """Twists of the parent's frame -> of the body's."""
    R = np.array(placement.rotation).reshape(3, 3)
    x, y, z = placement.origin
    made = np.zeros((6, 6))
    made[:3, :3] = made[3:, 3:] = R.T
    made[3:, :3] = -R.T @ np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    return made


def _mass_matrix(model: Model) -> Array:
    """With every joint where its transform is the identity: where the file shows it."""
    bodies = model.bodies
    axes = [np.zeros((6, 0))]
    for body in bodies[1:]:
        if type(body.joint) not in MOVES:
            raise ModelError(f"joint {body.name!r}: springdamper is read for hinges, slides, ball and free joints; write stiffness and damping")
        axes.append(np.eye(6)[:, MOVES[type(body.joint)]])
    X, total = [_motion(body.placement) for body in bodies], [_spatial(body.inertia) for body in bodies]
    starts = np.cumsum([0, *(S.shape[1] for S in axes)])
    M = np.zeros((starts[-1], starts[-1]))
    for i in range(len(bodies) - 1, 0, -1):
        force, j = total[i] @ axes[i], i
        rotor = bodies[i].armature or (0.0,) * axes[i].shape[1]
        M[starts[i] : starts[i + 1], starts[i] : starts[i + 1]] = axes[i].T @ force + np.diag(rotor)
        while bodies[j].parent:
            force, j = X[j].T @ force, bodies[j].parent
            M[starts[j] : starts[j + 1], starts[i] : starts[i + 1]] = axes[j].T @ force
            M[starts[i] : starts[i + 1], starts[j] : starts[j + 1]] = (axes[j].T @ force).T
        if bodies[i].parent:
            total[bodies[i].parent] = total[bodies[i].parent] + X[i].T @ total[i] @ X[i]
    return M
