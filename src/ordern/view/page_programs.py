"""What the page computes: algorithms traced for this robot and written as JavaScript, so that the page holds no second copy of any of them."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import Any

from ..algorithms.registry import Algorithm, choose
from ..emit.javascript import javascript
from ..errors import SingularError
from ..model import Model
from ..program.build import trace
from ..spatial import ArticulatedInertia, RigidInertia, Rotation, Transform, Vec3
from ..spatial.joint_space import gram

__all__ = ["programs"]

WRITTEN_OUT = 14  # bodies: beyond, loops keep the text short
LARGEST_MATRIX = 200  # degrees of freedom: beyond, the page does not show M
LONGEST = 120_000  # statements of one program


def _packed(m: Any, v: Any) -> Any:
    """A 3x3 matrix and a vector, in the place that a pose has in the output."""
    return Transform(Rotation(m.T), v)


def composite_bodies(tree: Any, q: Any) -> Any:
    """Per link: inertia and first moment of its body with all that it carries, rigid, about the body's origin and in its axes."""
    X, Ic = tree.table("X"), tree.table("Ic", base=RigidInertia.zero())
    seen = tree.link_table("seen")
    for i, _ in tree.outward("placement"):
        X[i], _ = tree.joint[i].motion(q[i])
        Ic[i] = tree.inertia[i]
    for i, p in tree.inward("composite"):
        Ic[p] += Ic[i].seen_from_parent(X[i])
    for k, b in tree.links("links"):
        seen[k] = _packed(Ic[b].I.full(), Ic[b].h)
    return seen


def articulated_bodies(tree: Any, q: Any) -> Any:
    """Per link: the blocks I, H, M of the articulated inertia of its body, all joints beyond it giving way."""
    X, S = tree.table("X"), tree.table("S")
    A = tree.table("A", base=ArticulatedInertia.zero())
    made = [tree.link_table(name) for name in "IHM"]
    for i, _ in tree.outward("placement"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        A[i] = tree.inertia[i].articulated()
    for i, p in tree.inward("articulated"):
        U = A[i] @ S[i]
        psi = U / gram(S[i], U).plus_diagonal(tree.armature[i])
        A[p] += (A[i] - U @ psi.T).seen_from_parent(X[i])
    for k, b in tree.links("links"):
        for table, block in zip(made, (A[b].I.full(), A[b].H, A[b].M.full()), strict=True):
            table[k] = _packed(block, Vec3.zero())
    return tuple(made)


COMPOSITE = Algorithm(composite_bodies, "composite_bodies", "page", ("q",), ("poses",))
ARTICULATED = Algorithm(articulated_bodies, "articulated_bodies", "page", ("q",), ("poses", "poses", "poses"))


def programs(model: Model) -> str:
    """A script that leaves ``ordernPrograms``: functions of q, each returning its flat arrays."""
    wanted = {"poses": choose("forward_kinematics", None, model), "composite": COMPOSITE}
    if model.nv:
        heavy, few = not _massless_tip(model), model.nv <= LARGEST_MATRIX
        wanted["gravity"] = choose("gravity_forces", None, model)
        if few:
            wanted["mass"] = choose("mass_matrix", None, model)
        if few and heavy:
            with suppress(SingularError):  # never invertible: nothing to show
                wanted["factors"] = choose("mass_matrix_udu", None, model)
        if heavy:
            wanted["articulated"] = ARTICULATED
    parts = [f'"{name}":{text}' for name, algorithm in wanted.items() if (text := _text(algorithm, _held(model) if name == "articulated" else model))]
    return "globalThis.ordernPrograms={\n" + ",\n".join(parts) + "\n};\n"


HELD = 1e30  # kg m^2: a rotor that nothing turns


def _held(model: Model) -> Model:
    """With joints that mimic others, and those they follow, held: bodies that move as one lever have no articulated inertias of their own."""
    if not model.coupled:
        return model
    tied = {k for i, body in enumerate(model.bodies) if body.mimic is not None for k in (i, body.mimic.body)}
    bodies = tuple(replace(body, armature=(HELD,) * body.joint.nv) if i in tied else body for i, body in enumerate(model.bodies))
    return replace(model, bodies=bodies)


def _text(algorithm: Algorithm, model: Model) -> str:
    """A function; nothing where it would be too long, or divides by an inertia that is zero in every pose."""
    try:
        program = trace(algorithm, model, rolled=len(model.bodies) > WRITTEN_OUT)
    except ZeroDivisionError:
        return ""
    return javascript(program) if len(program.nodes) <= LONGEST else ""


def _massless_tip(model: Model) -> bool:
    """Whether some joint moves nothing at all, so that articulated inertias divide by zero."""
    carries = [False] * len(model.bodies)
    for i in range(len(model.bodies) - 1, 0, -1):
        body = model.bodies[i]
        carries[i] = carries[i] or body.inertia.m > 0 or any(body.inertia.I) or any(body.armature)
        carries[body.parent] = carries[body.parent] or carries[i]
        if not carries[i]:
            return True
    return False
