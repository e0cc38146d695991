"""Geoms and inertials of MJCF: shapes to look at, and the mass, mass centre and inertia of a body.

Without <inertial> a body's inertia is that of its geoms: solid or hollow primitives with their density or mass, meshes
as mesh_mass.py makes bodies of them. Sizes of MJCF are radii and half lengths.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import ModelError
from ...model import Geometry, Placement
from ...model.placements import Tensor, added, turn_tensor
from ..physical import matrix
from .mjcf_meshes import Meshes
from .mjcf_values import Compiler, Given, orientation, placement, z_to

__all__ = ["BODIES", "Piece", "Shape", "inertial", "placed", "shape", "together"]

TYPES = ("plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf")
SIZES = {"sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "box": 3}
LENGTHWAYS = ("capsule", "cylinder", "ellipsoid", "box")
LEAST = 1e-14  # kg: MuJoCo passes over lighter geoms
NONE: Tensor = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Piece:
    """Mass (kg), mass centre (m) and inertia about it (kg m^2: xx yy zz xy xz yz), in the body's frame."""

    mass: float = 0.0
    com: tuple[float, float, float] = (0.0, 0.0, 0.0)
    inertia: Tensor = NONE


@dataclass(frozen=True)
class Shape:
    """What a geom adds to a link: a visual, a collision shape, and mass if the body has no <inertial>."""

    seen: Geometry | None
    visible: bool
    touches: bool
    piece: Piece | None


def shape(
    given: Given,
    options: Compiler,
    frame: Placement,
    meshes: Meshes,
    colors: dict[str, tuple[float, ...]],
    heavy: tuple[float, float] | None = None,
) -> Shape:
    """A geom in the body's frame; ``heavy`` are the groups whose inertia counts."""
    kind = given.choice("type", TYPES, "sphere")
    group = given.number("group", 0.0)
    touches = bool(given.number("contype", 1.0) or given.number("conaffinity", 1.0))
    counts = heavy is not None and heavy[0] <= group <= heavy[1]
    for key in ("mass", "density"):
        if given.number(key, 0.0) < 0:
            raise ModelError(f"{given.where}: {key} is {given.text(key)}; it must not be negative, remove the sign")
    color = given.numbers("rgba", 4, colors.get(given.text("material"), ()))
    if "mesh" in given and kind != "hfield":
        at = frame @ placement(given, options)
        mesh = meshes.find(given)
        if kind in ("mesh", "sdf") and given.flag("shellinertia"):
            raise ModelError(
                f"{given.where}: shellinertia is for primitive shapes; write inertia='shell' at the <mesh>"
            )
        seen = Geometry("mesh", mesh.scale, mesh.path, at @ mesh.undone, color) if mesh.path else None
        piece = _of_mesh(given, kind, at, mesh, options) if counts and _weighs(given) else None
        return Shape(seen, group <= 2, touches, piece)
    if kind in ("mesh", "sdf"):
        raise ModelError(f"{given.where}: a geom of the type {kind!r} names its mesh; write mesh='...' as in <asset>")
    if kind in ("plane", "hfield"):  # neither has mass
        return Shape(None, False, touches, None)
    size, local = _sized(given, kind, options)
    at = frame @ local
    piece = None
    if counts and _weighs(given):
        hollow = given.flag("shellinertia")
        volume, moments = BODIES[kind](*size, hollow)
        mass = given.number("mass", -1.0)
        mass = mass if "mass" in given else given.number("density", 1000.0) * volume
        piece = placed(mass, at, [mass * m for m in moments]) if volume > LEAST else None
    return Shape(_drawn(kind, size, at, color), group <= 2, touches, piece)


def _weighs(given: Given) -> bool:
    return given.number("mass", 1.0) != 0 and ("mass" in given or given.number("density", 1000.0) != 0)


def placed(mass: float, at: Placement, moments: Sequence[float]) -> Piece:
    """A piece with these moments about its own axes, put there."""
    return Piece(mass, at.origin, turn_tensor(at.rotation, (moments[0], moments[1], moments[2], 0.0, 0.0, 0.0)))


def _sized(given: Given, kind: str, options: Compiler) -> tuple[tuple[float, ...], Placement]:
    """Radii and half lengths, and the frame; both may come from the two ends."""
    count = SIZES[kind]
    size = list(given.numbers("size", 3, (), least=1))
    if "fromto" in given:
        ends = given.numbers("fromto", 6)
        if kind not in LENGTHWAYS:
            raise ModelError(
                f"{given.where}: fromto is for {', '.join(LENGTHWAYS)}, not for a {kind}; give pos and size"
            )
        if any(given.numbers("pos", 3, (0.0, 0.0, 0.0))):
            raise ModelError(f"{given.where}: pos and fromto both say where it is; keep one of them")
        along = [a - b for a, b in zip(ends[:3], ends[3:], strict=True)]
        length = math.hypot(*along)
        if length < 2e-14 or not size:
            raise ModelError(f"{given.where}: fromto needs two different ends and size='radius'")
        turn = z_to([e / length for e in along])
        middle = ((ends[0] + ends[3]) / 2, (ends[1] + ends[4]) / 2, (ends[2] + ends[5]) / 2)
        local = Placement(turn, middle)
        size = [size[0], length / 2] if count == 2 else [size[0], size[0], length / 2]
    else:
        local = placement(given, options)
    if len(size) < count or any(not s > 0 for s in size[:count]):
        raise ModelError(
            f"{given.where}: size={given.text('size')!r}; a {kind} needs {count} positive numbers (radii, half lengths)"
        )
    return tuple(size[:count]), local


def _drawn(kind: str, size: Sequence[float], at: Placement, color: tuple[float, ...]) -> Geometry | None:
    """For viewing; full lengths. An ellipsoid is not drawn."""
    if kind == "box":
        return Geometry("box", tuple(2 * s for s in size), "", at, color)
    if kind in ("capsule", "cylinder"):
        return Geometry(kind, (size[0], 2 * size[1]), "", at, color)
    return Geometry("sphere", tuple(size), "", at, color) if kind == "sphere" else None


# --- primitive bodies: volume (or surface) and moments of inertia for one kilogram ------------------------------------
Moments = tuple[float, tuple[float, float, float]]


def _sphere(r: float, hollow: bool) -> Moments:
    i = r * r * (2 / 3 if hollow else 2 / 5)
    return (4 * math.pi * r * r if hollow else 4 / 3 * math.pi * r**3), (i, i, i)


def _cylinder(r: float, half: float, hollow: bool) -> Moments:
    h = 2 * half
    if not hollow:
        i = (3 * r * r + h * h) / 12
        return math.pi * r * r * h, (i, i, r * r / 2)
    surface = 2 * math.pi * r * r + 2 * math.pi * r * h
    disk = math.pi * r * r / surface  # each of two, by mass
    side = 1 - 2 * disk
    across = side * (6 * r * r + h * h) / 12 + 2 * disk * (r * r / 4 + half * half)
    return surface, (across, across, side * r * r + disk * r * r)


def _capsule(r: float, half: float, hollow: bool) -> Moments:
    h = 2 * half
    if hollow:
        surface = 4 * math.pi * r * r + 2 * math.pi * r * h
        ball = 4 * math.pi * r * r / surface
        side, own, middle = 1 - ball, 2 / 3 * ball * r * r, r / 2
        across = side * (6 * r * r + h * h) / 12 + own + ball * ((half + middle) ** 2 - middle**2)
        return surface, (across, across, side * r * r + own)
    volume = math.pi * r * r * h + 4 / 3 * math.pi * r**3
    ball = 4 * r / (4 * r + 3 * h)
    side, own = 1 - ball, 2 / 5 * ball * r * r
    # half balls, their centres 3r/8 beyond the ends
    across = side * (3 * r * r + h * h) / 12 + own + ball * h * (3 * r + 2 * h) / 8
    return volume, (across, across, side * r * r / 2 + own)


def _box(a: float, b: float, c: float, hollow: bool) -> Moments:
    if not hollow:
        return 8 * a * b * c, ((b * b + c * c) / 3, (a * a + c * c) / 3, (a * a + b * b) / 3)
    surface = 8 * (a * b + b * c + c * a)
    pairs = ((b, c, a), (a, c, b), (a, b, c))  # two faces p x q at the distance d from the middle
    second = [0.0, 0.0, 0.0]  # integrals of x^2, y^2, z^2 over the surface, by mass
    for k, (p, q, d) in enumerate(pairs):
        share = 8 * p * q / surface
        others = [m for m in range(3) if m != k]
        second[k] += share * d * d
        second[others[0]] += share * p * p / 3
        second[others[1]] += share * q * q / 3
    x, y, z = second
    return surface, (y + z, x + z, x + y)


def _ellipsoid(a: float, b: float, c: float, hollow: bool) -> Moments:
    if not hollow:
        return 4 / 3 * math.pi * a * b * c, ((b * b + c * c) / 5, (a * a + c * c) / 5, (a * a + b * b) / 5)
    # MuJoCo's: Thomsen's formula for the surface, and the difference of two solid ones a micrometre apart
    p, thin = 1.6075, 1e-6
    surface = 4 * math.pi * (((a * b) ** p + (b * c) ** p + (c * a) ** p) / 3) ** (1 / p)
    A, B, C = a + thin, b + thin, c + thin
    inner, outer = a * b * c, A * B * C
    moments = [
        (outer * (q * q + r * r) - inner * (s * s + t * t)) / (5 * (outer - inner))
        for q, r, s, t in ((B, C, b, c), (A, C, a, c), (A, B, a, b))
    ]
    return surface, (moments[0], moments[1], moments[2])


BODIES: dict[str, Any] = {
    "sphere": _sphere,
    "cylinder": _cylinder,
    "capsule": _capsule,
    "box": _box,
    "ellipsoid": _ellipsoid,
}


def _of_mesh(given: Given, kind: str, at: Placement, mesh: Any, options: Compiler) -> Piece | None:
    """The inertia of a mesh, or of the primitive that is fitted to it."""
    body = mesh.solid()
    mass = given.number("mass", -1.0)
    if kind in ("mesh", "sdf"):
        mass = mass if "mass" in given else given.number("density", 1000.0) * body.size
        t = body.inertia * (mass / body.size)
        tensor = turn_tensor(at.rotation, [float(t[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))])
        middle = (float(body.com[0]), float(body.com[1]), float(body.com[2]))
        return Piece(mass, (at @ Placement(origin=middle)).origin, tensor)
    if kind not in SIZES:
        raise ModelError(f"{given.where}: a {kind} cannot be fitted to a mesh; take one of {', '.join(SIZES)}")
    size, frame = mesh.fitted(kind, options.fitaabb)
    size = [s * given.number("fitscale", 1.0) for s in size]
    volume, moments = BODIES[kind](*size, given.flag("shellinertia"))
    mass = mass if "mass" in given else given.number("density", 1000.0) * volume
    return placed(mass, at @ frame, [mass * m for m in moments])


def inertial(given: Given, options: Compiler, frame: Placement) -> Piece:
    """Mass, mass centre and inertia of <inertial> in the body's frame; it may stand inside a <frame>."""
    own = _inertial(given, options)
    if frame.is_identity():
        return own
    return Piece(own.mass, (frame @ Placement(origin=own.com)).origin, turn_tensor(frame.rotation, own.inertia))


def _inertial(given: Given, options: Compiler) -> Piece:
    mass, com = given.number("mass"), given.numbers("pos", 3)
    if mass < 0:
        raise ModelError(f"{given.where}: mass is {mass!r} kg; a mass must not be negative, remove the sign")
    if "fullinertia" in given:
        if "diaginertia" in given or orientation(given, options) is not None:
            raise ModelError(f"{given.where}: fullinertia stands alone; remove diaginertia and the orientation")
        xx, yy, zz, xy, xz, yz = given.numbers("fullinertia", 6)
        return Piece(mass, (com[0], com[1], com[2]), (xx, yy, zz, xy, xz, yz))
    a, b, c = given.numbers("diaginertia", 3, (0.0, 0.0, 0.0))
    turn = orientation(given, options)
    tensor: Tensor = (a, b, c, 0.0, 0.0, 0.0)
    return Piece(mass, (com[0], com[1], com[2]), tensor if turn is None else turn_tensor(turn, tensor))


def together(pieces: Sequence[Piece]) -> Piece:
    """Several pieces as one body."""
    pieces = [p for p in pieces if p.mass > LEAST]
    if len(pieces) < 2:
        return pieces[0] if pieces else Piece()
    mass = added(p.mass for p in pieces)
    com = np.array([p.mass * np.array(p.com) for p in pieces]).sum(axis=0) / mass
    tensor = np.zeros((3, 3))
    for p in pieces:
        d = np.array(p.com) - com
        tensor += matrix(p.inertia) + p.mass * (d @ d * np.eye(3) - np.outer(d, d))
    return Piece(mass, (float(com[0]), float(com[1]), float(com[2])), _tensor(tensor))


def _tensor(m: Any) -> Tensor:
    return (float(m[0, 0]), float(m[1, 1]), float(m[2, 2]), float(m[0, 1]), float(m[0, 2]), float(m[1, 2]))


def bounded(piece: Piece, options: Compiler) -> Piece:
    """With the least mass and moments that <compiler> asks for, and impossible moments made equal where it says so."""
    mass = max(piece.mass, options.boundmass)
    if not options.boundinertia and not options.balanceinertia:
        return Piece(mass, piece.com, piece.inertia)
    w, axes = np.linalg.eigh(matrix(piece.inertia))
    w = np.maximum(w, options.boundinertia)
    if options.balanceinertia and w[0] + w[1] < w[2]:
        w[:] = w.mean()
    return Piece(mass, piece.com, _tensor(axes @ np.diag(w) @ axes.T))
