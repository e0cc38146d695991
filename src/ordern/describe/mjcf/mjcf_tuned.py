"""Springs and servos that a file asks for by damping ratio: how stiff or damped they are depends on the inertia that
they feel.

That is 1 / (J M^-1 J^T) of the whole robot in the file's own position, as MuJoCo has it, J the row of the joint or of
the motor's arms; M is added up here from composite bodies.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import ModelError
from ...joints import Floating, Prismatic, Revolute, Spherical
from ...model import Drive, Mass, Model, Placement
from ...scalars.primitives import Array

__all__ = ["damped", "tuned"]

Heavy = Sequence[tuple[Mapping[str, float], float]]
ROUGH = 1e-3  # how far M times its inverse may be from one
# columns of the identity, [turn; way]
MOVES = {Revolute: (2,), Prismatic: (5,), Spherical: (0, 1, 2), Floating: (0, 1, 2, 3, 4, 5)}


def tuned(
    model: Model,
    wanted: Mapping[str, tuple[float, float]],
    whole: Model,
    springs: bool,
    dampers: bool,
    heavy: Heavy = (),
) -> Model:
    """The model with stiffness 1 / (w t^2 r^2) and damping 2 / (w t) at joints with (t, r), w the diagonal element of
    M^-1 (for several degrees of freedom their mean).

    ``whole`` is the robot before joints were locked or tied to others; a file may switch springs and dampers off. The
    inertia of tendons, which are ``heavy``, is felt too, though it is not in the model.
    """
    if not wanted:
        return model
    inverse = np.diag(_inverse(whole, f"springdamper of joint {next(iter(wanted))!r}", "stiffness and damping", heavy))
    starts = _columns(whole)

    def spring(body: Any) -> Any:
        t, ratio = wanted[body.name]
        at, n = starts[body.name], body.joint.nv
        w, rest = float(inverse[at : at + n].mean()), body.springref or (0.0,) * n
        made = replace(body, stiffness=(1.0 / (w * t * t * ratio * ratio),) * n, springref=rest) if springs else body
        return replace(made, damping=(2.0 / (w * t),) * n) if dampers else made

    return model.with_bodies(spring(body) if body.name in wanted else body for body in model.bodies)


def damped(drives: Sequence[Drive], ratios: Mapping[str, float], whole: Model, heavy: Heavy = ()) -> list[Drive]:
    """The motors with damping 2 r sqrt(k m) for damping ratio r, k the gain and m the mass they feel."""
    if not ratios:
        return list(drives)
    inverse, at = _inverse(whole, f"dampratio of the motor {next(iter(ratios))!r}", "kv", heavy), _columns(whole)

    def servo(drive: Drive) -> Drive:
        if drive.name not in ratios or drive.gain <= 0:
            return drive
        J = _row(dict(drive.arms), at, len(inverse))
        return replace(
            drive, bias=(*drive.bias[:2], -2.0 * ratios[drive.name] * float(np.sqrt(drive.gain / (J @ inverse @ J))))
        )

    return [servo(drive) for drive in drives]


def _row(arms: Mapping[str, float], at: Mapping[str, int], width: int) -> Array:
    made = np.zeros(width)
    for joint, arm in arms.items():
        made[at[joint]] = arm
    return made


def _inverse(whole: Model, what: str, instead: str, heavy: Heavy) -> Array:
    M, at = _mass_matrix(whole), _columns(whole)
    for arms, inertia in heavy:
        J = _row(arms, at, len(M))
        M += inertia * np.outer(J, J)
    try:
        made: Array = np.linalg.inv(M)
    except np.linalg.LinAlgError:
        made = np.zeros_like(M)
    # of two joints on one axis rounding alone would decide which moves what
    if not np.abs(M @ made - np.eye(len(M))).max(initial=0.0) < ROUGH or not np.all(np.diag(made) > 0):
        raise ModelError(
            f"{what} needs the inertia it works on, but some joint of the robot moves none; write {instead} instead"
        )
    return made


def _columns(whole: Model) -> dict[str, int]:
    """Where each joint's velocities begin."""
    made, at = {}, 0
    for body in whole.bodies[1:]:
        made[body.name] = at
        at += body.joint.nv
    return made


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
            raise ModelError(
                f"joint {body.name!r}: springdamper is read for hinges, slides, ball and free joints; write stiffness "
                "and damping"
            )
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
