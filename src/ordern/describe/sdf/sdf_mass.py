"""Mass, mass centre and inertia of a link of SDF: as the file gives them, or from its collision shapes."""

from __future__ import annotations

from typing import Any

from ...errors import ModelError, near
from ...model import Placement
from ...model.placements import Tensor, turn_tensor
from ..mesh_mass import read_triangles, solid
from ..meshes import mesh_path
from ..mjcf.mjcf_geoms import BODIES, Piece, placed, together
from ..xml import Element
from .sdf_values import child_text, known, number, values

__all__ = ["given", "of_shapes"]

TENSOR = frozenset(["ixx", "iyy", "izz", "ixy", "ixz", "iyz"])
WATER = 1000.0  # kg/m^3, where no density is given
DEFAULT: dict[str, tuple[float, ...]] = {"size": (1.0, 1.0, 1.0), "radii": (1.0, 1.0, 1.0), "scale": (1.0, 1.0, 1.0)}


def given(inertial: Element, frame: Placement) -> Piece:
    """As <inertial> has it, at ``frame`` in the link."""
    tensor = inertial.one("inertia")
    if tensor is not None:
        known(tensor, TENSOR)
    xx, yy, zz, xy, xz, yz = (
        number(tensor, key, default)
        for key, default in (("ixx", 1.0), ("iyy", 1.0), ("izz", 1.0), ("ixy", 0.0), ("ixz", 0.0), ("iyz", 0.0))
    )
    six: Tensor = (xx, yy, zz, xy, xz, yz)
    if frame.rotation != Placement().rotation:
        six = turn_tensor(frame.rotation, six)
    return Piece(number(inertial, "mass", 1.0), frame.origin, six)


def of_shapes(inertial: Element, shapes: list[tuple[Element, Placement]], source: str) -> Piece:
    """Inertia from a link's collision shapes and their densities, scaled to the mass if one is given."""
    if not shapes:
        raise ModelError(f"{inertial.where}: inertia from collision shapes (auto), of which there are none; add some")
    dense = number(inertial, "density", WATER)
    whole = together([_piece(element, at, number(element, "density", dense), source) for element, at in shapes])
    mass = number(inertial, "mass", whole.mass)
    if not whole.mass > 0:
        raise ModelError(f"{inertial.where}: the collision shapes have no mass; give them sizes and a density")
    scale = mass / whole.mass
    xx, yy, zz, xy, xz, yz = (scale * x for x in whole.inertia)
    return Piece(mass, whole.com, (xx, yy, zz, xy, xz, yz))


def _piece(element: Element, at: Placement, density: float, source: str) -> Piece:
    geometry = element.one("geometry")
    kinds = [shape for shape in geometry.children if shape.tag in (*BODIES, "mesh")] if geometry is not None else []
    if not kinds:
        tag = geometry.children[0].tag if geometry is not None and geometry.children else "geometry"
        raise ModelError(
            f"{element.where}: a <{tag[:80]}> has no inertia of its own; write <mass> and <inertia>{near(tag, BODIES)}"
        )
    shape = kinds[0]
    if shape.tag == "mesh":
        return _mesh(shape, at, density, source)
    if shape.tag in ("box", "ellipsoid"):
        size = [x / 2 if shape.tag == "box" else x for x in _triple(shape, "size" if shape.tag == "box" else "radii")]
    else:
        size = [number(shape, "radius", 1.0), number(shape, "length", 1.0) / 2][: 1 if shape.tag == "sphere" else 2]
    if min(size) <= 0 or density < 0:
        raise ModelError(f"{element.where}: its size and density must be positive; correct them")
    volume, moments = BODIES[shape.tag](*size, False)
    return placed(density * volume, at, [density * volume * m for m in moments])


def _mesh(shape: Element, at: Placement, density: float, source: str) -> Piece:
    uri = child_text(shape, "uri")
    found = mesh_path(source, uri)
    if found is None:
        raise ModelError(f"{shape.where}: there is no mesh {uri[:80]!r} to take the inertia of; add it, or <inertia>")
    vertices, triangles = read_triangles(shape.where, found)
    body = solid(shape.where, vertices * _triple(shape, "scale"), triangles, "exact")
    m: Any = density * body.inertia
    six = (float(m[0, 0]), float(m[1, 1]), float(m[2, 2]), float(m[0, 1]), float(m[0, 2]), float(m[1, 2]))
    middle = (float(body.com[0]), float(body.com[1]), float(body.com[2]))
    return Piece(density * body.size, (at @ Placement(origin=middle)).origin, turn_tensor(at.rotation, six))


def _triple(shape: Element, tag: str) -> tuple[float, ...]:
    found = shape.one(tag)
    return values(found, 3) if found is not None else DEFAULT[tag]
