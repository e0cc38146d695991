"""Can such a body exist, and can its joint be moved by a finite force? Rules, tolerances and repairs for masses and
inertias.

A real body's principal moments of inertia are not negative and no one exceeds the sum of the other two. Files round
their numbers, so a violation counts only beyond a share of the largest moment, and beyond what the mass makes at a
distance of NEGLIGIBLE metres. The share is larger for the second rule, which measured data often miss a little: the
usual data of the PUMA 560's link 3 by 9 per cent.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ..errors import InputError, ModelError, tell
from ..model import Body, Link, Mass, Model
from ..model.placements import Tensor
from ..spatial.joint_space import JointVector
from .changes import agreeing
from .specs import number, tensor, triple

__all__ = ["check", "checked", "impossible", "matrix", "nearest_possible", "payload", "violations"]

NEGATIVE, TRIANGLE = 1e-3, 0.1
NEGLIGIBLE = 1e-5
LIGHT_MASS, LIGHT_INERTIA = 1e-5, 1e-5  # kg, kg m^2: a placeholder, too small to matter
# what a repair gives to a massless tip: about a ball of 1 cm and 0.1 g, ten times as broad
TIP_MASS, TIP_INERTIA = 1e-4, 1e-7
MOVES = 1e-12  # smallest share of its own inertia that a joint must move

Complain = Callable[[str, str], None]


def matrix(tensor: Sequence[float]) -> Any:
    """3x3 (or a batch of them) from xx yy zz xy xz yz."""
    t = np.asarray(tensor, float)
    return t[..., [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(*t.shape[:-1], 3, 3)


def violations(mass: object, tensors: Any, negative: float = NEGATIVE, triangle: float = TRIANGLE) -> Any:
    """How impossible inertias about the mass centre are, as a share of the largest moment; 0 if they are possible."""
    mass = np.asarray(mass, float)
    w = np.linalg.eigvalsh(matrix(tensors))
    largest = np.abs(w).max(axis=-1)
    short = -np.minimum(w[..., 0], w[..., 0] + w[..., 1] - w[..., 2])
    real = ((-w[..., 0] > negative * largest) | (short > triangle * largest)) & (short > NEGLIGIBLE**2 * mass)
    return np.where(real, short / np.where(largest > 0, largest, 1.0), 0.0)


def impossible(mass: float, tensor: Sequence[float]) -> str:
    """Why no body has this inertia about its mass centre; empty if some body has."""
    if mass == 0 and any(tensor):
        return f"inertia without mass (mass 0, inertia up to {max(map(abs, tensor)):.4g} kg m^2)"
    if not violations(mass, tensor) > 0:
        return ""
    w = np.linalg.eigvalsh(matrix(tensor))
    shown = ", ".join(f"{e:.4g}" for e in w)
    if w[0] < -NEGATIVE * abs(w).max():
        return f"principal moments of inertia {shown} kg m^2, of which none may be negative"
    return f"principal moments of inertia {shown} kg m^2, of which the largest may not exceed the sum of the others"


def nearest_possible(tensor: Sequence[float]) -> Tensor:
    """A possible inertia with the same axes: negative moments become 0, the largest at most the others' sum."""
    w, axes = np.linalg.eigh(matrix(tensor))
    w = np.maximum(w, 0.0)
    w[2] = min(w[2], w[0] + w[1])
    m = axes @ np.diag(w) @ axes.T
    return (float(m[0, 0]), float(m[1, 1]), float(m[2, 2]), float(m[0, 1]), float(m[0, 2]), float(m[1, 2]))


def check(links: list[Link], bodies: list[Body], where: Sequence[str], complain: Complain, on_invalid: str) -> None:
    """Complain about impossible inertias and tips that move none; with on_invalid="repair" fix both lists in place."""
    suspects = _suspects(links)
    if suspects:
        _inertias(suspects, links, bodies, where, complain, on_invalid)
    _tips(links, bodies, where, complain, on_invalid)


def checked(model: Model, on_invalid: str = "error") -> Model:
    """The model if its bodies are possible, else by ``on_invalid``: an error, a warning, or a repaired body."""

    def complain(message: str, repaired: str = "") -> None:
        if on_invalid == "error":
            raise ModelError(message)
        tell(f"{message} ({repaired or 'kept as it is'})")

    bodies = list(model.bodies)
    fix = "correct the numbers, or pass on_invalid='warn' to keep them, 'repair' to fix them"
    for i, body in enumerate(bodies[1:], 1):
        own = body.inertia
        if own.m < 0 or (own.m == 0 and any(own.h)):
            reason = f"a mass of {own.m:.6g} kg" + (f" with first moments {own.h}" if own.m == 0 else "")
            repaired = "now without mass" if on_invalid == "repair" else ""
            complain(f"joint {body.name!r} moves a body with {reason}; no body is like that: {fix}", repaired)
            if repaired:
                bodies[i] = replace(body, inertia=Mass())
    made = agreeing(replace(model, bodies=tuple(bodies)))
    links, bodies = list(made.links), list(made.bodies)
    check(links, bodies, [f"link {link.name!r}" for link in links], complain, on_invalid)
    return replace(made, links=tuple(links), bodies=tuple(bodies))


def payload(model: Model, link: int, mass: object, com: object, inertia: object) -> Mass:
    """A payload on a link as an inertia in the link's frame, or an InputError that says why no body is like that."""
    own = model.links[link]
    if own.body == 0:
        raise InputError(
            f"payload: link {own.name!r} is fixed to the world, so that no motion would feel it; name a moving link"
        )
    if getattr(mass, "ndim", 0) or isinstance(mass, (list, tuple)):
        raise InputError(
            "payload: a robot has one payload, and mass is a list; runs with different ones are simulate(..., "
            "parameters={'payload': {'link': ..., 'mass': masses}})"
        )
    try:
        m, c, t = number("payload", "mass", mass), triple("payload", "com", com), tensor("payload", inertia)
    except ModelError as error:
        raise InputError(str(error)) from None
    reason = f"a mass of {m:g} kg" if m < 0 else impossible(m, t)
    if reason:
        raise InputError(f"payload: no body has {reason}; give a mass above zero and the inertia about its mass centre")
    return Mass.from_com(m, c, t)


def _suspects(links: Sequence[Link]) -> list[int]:
    """Links that are impossible as bodies, except placeholders."""
    tensors = np.array([link.inertia for link in links])
    mass = np.array([link.mass for link in links])
    size = np.abs(tensors).max(axis=1)
    bad = (violations(mass, tensors) > 0) | ((mass == 0) & (size > 0))
    light = (mass <= LIGHT_MASS) & (size <= LIGHT_INERTIA)
    return [int(k) for k in np.nonzero(bad & ~light)[0]]


def _inertias(
    suspects: Sequence[int],
    links: list[Link],
    bodies: list[Body],
    where: Sequence[str],
    complain: Complain,
    on_invalid: str,
) -> None:
    massive: dict[int, int] = {}
    for link in links:
        massive[link.body] = massive.get(link.body, 0) + (link.mass > 0)
    for k in suspects:
        link = links[k]
        total = bodies[link.body].inertia
        others = massive[link.body] - (link.mass > 0)
        if (others and not impossible(total.m, total.about_com())) or _rotor(link, bodies[link.body]):
            continue  # what moves as one piece is possible: a remark of lint is enough
        reason = impossible(link.mass, link.inertia)
        fix = "correct the numbers (about the mass centre, in its axes), or load with on_invalid='warn' or 'repair'"
        repaired = ""
        if on_invalid == "repair":
            made = nearest_possible(link.inertia) if link.mass else (0.0,) * 6
            repaired = f"its inertia is now {', '.join(f'{e:.4g}' for e in made)}"
            _change(links, bodies, k, replace(link, inertia=made))
        complain(f"{where[k]}: link {link.name!r} has {reason}; no body is like that: {fix}", repaired)


def _rotor(link: Link, body: Body) -> bool:
    """Whether the link acts as armature: massless, with inertia only about an axis fixed in the world."""
    if not link.mass and link.body == 0:
        return True  # fixed to the world, where nothing feels it
    if link.mass or body.parent or body.joint.form.kind != "hinge":
        return False
    t = Mass.from_com(0.0, (0.0, 0.0, 0.0), link.inertia).moved(link.placement).I
    return t[2] > 0 and max(abs(e) for k, e in enumerate(t) if k != 2) <= 1e-12 * t[2]


def _change(links: list[Link], bodies: list[Body], k: int, link: Link) -> None:
    """Put another link in place k and sum its body again, in the order in which it was built."""
    links[k] = link
    total = Mass()
    for other in links:
        if other.body == link.body and (other.mass or any(other.inertia)):
            total = total + Mass.from_com(other.mass, other.com, other.inertia).moved(other.placement)
    bodies[link.body] = replace(bodies[link.body], inertia=total)


def spatial(mass: Mass) -> Any:
    """The 6x6 inertia, angular first."""
    m, (x, y, z) = mass.m, mass.h
    h = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.block([[matrix(mass.I), h], [h.T, m * np.eye(3)]])


def moves_inertia(body: Body) -> bool:
    """Whether every motion of the joint moves inertia of its body or rotor."""
    S = np.array(body.joint.motion(JointVector(*body.joint.neutral))[1].dense(), float)
    I = spatial(body.inertia)
    G = S.T @ I @ S + np.diag(body.armature or (0.0,) * body.joint.nv)
    angular = np.any(S[:3] != 0, axis=0)
    size = np.where(angular, np.trace(I[:3, :3]), body.inertia.m) + np.array(body.armature or (0.0,) * body.joint.nv)
    d = np.diag(G)
    if np.any(d <= MOVES * size):
        return False
    root = np.sqrt(d)
    return bool(np.linalg.eigvalsh(G / np.outer(root, root))[0] > MOVES)


def _tips(links: list[Link], bodies: list[Body], where: Sequence[str], complain: Complain, on_invalid: str) -> None:
    """Refuse joints that move no inertia: any force would accelerate them infinitely."""
    carries = [b.inertia.m > 0 or any(b.inertia.I) for b in bodies]  # the body or something behind it
    behind = [False] * len(bodies)
    groups: dict[int, list[int]] = {}
    first = {links[k].body: k for k in range(len(links) - 1, -1, -1)}  # the link that each joint moves
    for i in range(len(bodies) - 1, 0, -1):  # tips first
        carries[i] = carries[i] or behind[i]
        behind[bodies[i].parent] = behind[bodies[i].parent] or carries[i]
        mimic = bodies[i].mimic
        groups.setdefault(i if mimic is None else mimic.body, []).append(i)
    for i in sorted(groups, reverse=True):
        if any(behind[j] or moves_inertia(bodies[j]) for j in groups[i]):
            continue  # joints that move together share their inertia
        body = bodies[i]
        for member in groups[i]:  # those before it are no faults of their own
            j = bodies[member].parent
            while j and not behind[j]:
                behind[j] = True
                j = bodies[j].parent
        k = first[i]
        link, repaired = links[k], ""
        if on_invalid == "repair":
            xx, yy, zz, xy, xz, yz = link.inertia
            made = (xx + TIP_INERTIA, yy + TIP_INERTIA, zz + TIP_INERTIA, xy, xz, yz)
            _change(links, bodies, k, replace(link, mass=link.mass or TIP_MASS, inertia=made))
            repaired = f"given a mass of {links[k].mass:g} kg and {TIP_INERTIA:g} kg m^2 more"
        complain(
            f"{where[k]}: joint {body.name!r} moves no inertia: nothing behind it has mass off its axis (mass "
            f"{body.inertia.m:g} kg); give link {link.name!r} mass and inertia, make the joint fixed, give it "
            "armature, or pass on_invalid='warn' or 'repair'",
            repaired,
        )
