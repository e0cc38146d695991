"""Robots whose mass matrix has no inverse in any configuration: massless tips and bases, points and rods that turn
about themselves.

M = sum of J^T I J over the bodies, plus armature. A motion without energy moves no body whose inertia is regular and no
joint with armature; so only a robot with a body that has neither can have one. For those the rank of M is looked at, in
two configurations in general position.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace

from ..model import Mass, Model
from ..model.model_scalars import plain
from ..model.regular import without_inertia
from ..spatial.joint_space import JointVector
from ..tree import Matrix, Tree

__all__ = ["SOLVING", "motionless"]

SOLVING = {
    "forward_dynamics", "forward_dynamics_derivatives", "impulse", "log_det", "log_det_gradient", "mass_matrix_inverse",
    "mass_matrix_udu",
    "operational_mobility",
}  # fmt: skip
MOST = 120  # degrees of freedom up to which the rank is looked at: a tenth of a second
NEGLIGIBLE = 1e-12  # share of its own size below which what is left of a diagonal element is rounding


def motionless(model: Model, mass_matrix: Callable[..., Matrix]) -> str | None:
    """Which bodies lack inertia and the remedy, or None; ``mass_matrix``: an algorithm that serves the robot."""
    weak = [i for i, body in enumerate(model.bodies) if i and without_inertia(body)]
    if not weak or model.loops:
        return None
    empty = _empty(model)
    if empty is not None:
        culprits = [empty]
    elif model.nv <= MOST and _never(model, mass_matrix):
        culprits = _cure(model, mass_matrix, sorted(weak, key=lambda i: model.bodies[i].inertia.m > 0))
    else:
        return None
    bodies = [model.bodies[i] for i in culprits]
    links = [next((f" (link {link.name!r})" for link in model.links if link.body == i), "") for i in culprits]
    named = ", ".join(f"{body.name!r}{link}" for body, link in zip(bodies[:4], links, strict=False)) + (
        " ..." if len(bodies) > 4 else ""
    )
    kind = "has no mass" if bodies[0].inertia.m <= 0 else "has the inertia of a point or a rod"
    how = 'use base="fixed"' if bodies[0].parent == 0 and bodies[0].joint.nv == 6 else "lock the joint (locked=)"
    return (
        "its mass matrix is singular in every configuration, because some motion of the joints moves no inertia: the "
        f"body behind joint {named} {kind}; give it mass and inertia, give the joint armature, or {how}"
    )


def _never(model: Model, mass_matrix: Callable[..., Matrix]) -> bool:
    """Whether M has no inverse in two configurations in general position, and so in none."""
    rng = random.Random(0)  # noqa: S311  no secret
    return all(_left(model, mass_matrix, rng) for _ in range(2))


def _cure(model: Model, mass_matrix: Callable[..., Matrix], weak: list[int]) -> list[int]:
    """The one body, or the first bodies together, whose inertia would give M an inverse."""

    def cures(given: list[int]) -> bool:
        heavy = Mass.from_com(1.0, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0))
        bodies = [
            replace(body, inertia=body.inertia + heavy) if i in given else body for i, body in enumerate(model.bodies)
        ]
        return not _never(model.with_bodies(bodies), mass_matrix)

    alone = next((i for i in weak[:8] if cures([i])), None)
    if alone is not None:
        return [alone]
    return next((weak[:k] for k in range(2, len(weak)) if cures(weak[:k])), weak)


def _empty(model: Model) -> int | None:
    """The last body that carries neither mass nor rotor from its joint outward."""
    heavy = [False] * len(model.bodies)
    for i in range(len(model.bodies) - 1, 0, -1):
        body = model.bodies[i]
        heavy[i] = heavy[i] or body.inertia.m > 0 or any(body.inertia.I) or any(body.armature)
        if not heavy[i] and body.mimic is None and not any(b.mimic and b.mimic.body == i for b in model.bodies):
            return i
        heavy[body.parent] = heavy[body.parent] or heavy[i]
    return None


def _left(model: Model, mass_matrix: Callable[..., Matrix], rng: random.Random) -> list[int]:
    """Degrees of freedom without a pivot when elimination, largest first, stops at a random configuration."""
    q: list[float] = []
    for i in model.free:
        joint = model.bodies[i].joint
        q += joint.step(JointVector(*joint.neutral), JointVector(*(rng.random() for _ in range(joint.nv)))).e
    tree = Tree(model, plain)
    M = _dense(tree, mass_matrix(tree, tree.coordinates(q, "q")))
    size = [M[k][k] for k in range(model.nv)]
    rest, floor = list(range(model.nv)), NEGLIGIBLE * model.nv
    while rest:
        p = max(rest, key=lambda k: M[k][k] / size[k] if size[k] > 0 else 0.0)
        if not M[p][p] > floor * size[p]:
            return rest
        rest.remove(p)
        for i in rest:
            factor = M[i][p] / M[p][p]
            if factor:
                for j in rest:
                    M[i][j] -= factor * M[p][j]
    return []


def _dense(tree: Tree, matrix: Matrix) -> list[list[float]]:
    """Rows of M, of which each pair of bodies has a block once; where joints mimic others their shares add up."""
    model = tree.model
    M = [[0.0] * model.nv for _ in range(model.nv)]
    ratio = [1.0 if body.mimic is None else body.mimic.ratio for body in model.bodies]
    for (i, j), block in matrix.blocks.items():
        vi, vj = model.offsets[i][1], model.offsets[j][1]
        for a, row in enumerate(block.dense()):
            for b, e in enumerate(row if i != j else row[: a + 1]):
                M[vi + a][vj + b] += e * ratio[i] * ratio[j]
                if i != j or a != b:
                    M[vj + b][vi + a] += e * ratio[i] * ratio[j]
    return M
