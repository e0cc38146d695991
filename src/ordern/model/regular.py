"""Inertia that no motion of the joints can feel, put in where a body's own inertia is singular.

Some methods invert each body's inertia. Links described as rods or points, or a massless first link, have none to
invert; but a body that can only turn about one direction feels its inertia about that direction alone, and a body on a
fixed axis does not feel mass on it. There the missing inertia may be anything. All other singular bodies are real
obstacles, and ``singular`` names the first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model import Body, Mass, Model
from .placements import added

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["central", "regular", "singular", "vanishing", "without_inertia", "without_inverse"]

Vector = tuple[float, float, float]
ANY = (0.0, 0.0, 0.0)  # turns about more than one direction
Z = (0.0, 0.0, 1.0)
ALIGNED = 1e-12
NEGLIGIBLE = 4e-15


def central(mass: Mass) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Mass centre and inertia about it, without the rounding that the subtraction leaves where nothing is left."""
    own = mass.about_com()
    return mass.com, tuple(
        0.0 if abs(a) <= NEGLIGIBLE * (abs(b) + abs(a - b)) else a for a, b in zip(own, mass.I, strict=True)
    )


def vanishing(tensor: Sequence[float]) -> tuple[bool, bool, bool]:
    """Which pivots of an inertia tensor are zero, as for rods and points."""
    xx, yy, zz, xy, xz, yz = tensor
    tiny = 1e-12 * max(xx, yy, zz, 0.0)
    x = xx <= tiny
    yy, yz, zz = (yy, yz, zz) if x else (yy - xy * xy / xx, yz - xy * xz / xx, zz - xz * xz / xx)
    y = yy <= tiny
    return x, y, (zz if y else zz - yz * yz / yy) <= tiny


def _axes(model: Model) -> list[Vector | None]:
    """The one axis each body turns about, in its frame; None if it never turns, ANY if there are several."""
    axes: list[Vector | None] = [None]
    for body in model.bodies[1:]:
        u = axes[body.parent]
        inner = None if u is None else body.placement.inverse().rotate(u)
        turns = body.joint.form.turns
        if not turns:
            axes.append(inner)
        elif turns == 1:
            axes.append(Z if inner is None or inner[0] ** 2 + inner[1] ** 2 < ALIGNED**2 < inner[2] ** 2 else ANY)
        else:
            axes.append(ANY)
    return axes


def _is_singular(mass: Mass) -> bool:
    return mass.m <= 0 or any(vanishing(central(mass)[1]))


def regular(model: Model) -> tuple[Mass, ...]:
    """The bodies' inertias, with unobservable parts of singular ones filled up."""
    total = added(b.inertia.m for b in model.bodies[1:]) or 1.0
    made = []
    for body, u in zip(model.bodies, _axes(model), strict=True):
        mass = body.inertia
        if _is_singular(mass):
            if mass.m == 0 and body.parent == 0 and body.joint.form.kind == "hinge":
                mass = mass + Mass(total)  # on the axis
            k = max(mass.I[:3]) or total
            if u is None:
                mass = mass + Mass(I=(k, k, k, 0.0, 0.0, 0.0))
            elif u != ANY:
                x, y, z = u
                mass = mass + Mass(I=(k - k * x * x, k - k * y * y, k - k * z * z, -k * x * y, -k * x * z, -k * y * z))
        made.append(mass)
    return tuple(made)


def without_inertia(body: Body) -> bool:
    """Whether a body has a motion that meets neither its inertia nor a rotor's."""
    rotors = len(body.armature) == body.joint.nv and all(a > 0 for a in body.armature)
    return not rotors and _is_singular(body.inertia)


def without_inverse(model: Model) -> str | None:
    """The joint whose body is a point, a rod or massless as described, or None."""
    return next((b.name for b in model.bodies[1:] if _is_singular(b.inertia)), None)


def singular(model: Model) -> str | None:
    """The joint whose body has an inertia that cannot be inverted, or None."""
    return next(
        (b.name for b, mass in zip(model.bodies[1:], regular(model)[1:], strict=True) if _is_singular(mass)), None
    )
