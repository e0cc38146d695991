"""Mesh assets of MJCF, opened only for inertia and only within the description's folder."""

from __future__ import annotations

import math
import posixpath
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from ...errors import ModelError, near
from ...model import Placement
from ..mesh_mass import Solid, checked, read_triangles, solid
from ..xml import Element
from .mjcf_defaults import Defaults
from .mjcf_schema import known
from .mjcf_values import Compiler, Given, from_quaternion
from .mjcf_xml import Place, inside

__all__ = ["Mesh", "Meshes"]

KINDS = ("legacy", "exact", "convex", "shell")
MOST = 3_000_000  # numbers that stand in the file itself


@dataclass
class Mesh:
    """One <mesh> asset."""

    given: Given
    place: Place
    path: str  # from the description's folder; empty for one whose vertices stand in the file
    exact: bool = False  # a closed surface unless it says otherwise
    made: dict[str, Any] = field(default_factory=dict)

    @cached_property
    def scale(self) -> tuple[float, ...]:
        """Along its axes."""
        return self.given.numbers("scale", 3, (1.0, 1.0, 1.0))

    @cached_property
    def reference(self) -> Placement:
        """The frame in which its vertices are taken."""
        w, x, y, z = self.given.numbers("refquat", 4, (1.0, 0.0, 0.0, 0.0))
        if math.hypot(w, x, y, z) < 1e-14:
            raise ModelError(f"{self.given.where}: refquat is zero; refquat='1 0 0 0' turns nothing")
        at = self.given.numbers("refpos", 3, (0.0, 0.0, 0.0))
        return Placement(from_quaternion(w, x, y, z), (at[0], at[1], at[2]))

    @property
    def undone(self) -> Placement:
        """For viewing: the file's own frame in that one (exact unless the scale differs between turned axes)."""
        back = self.reference.inverse()
        s = self.scale
        return Placement(back.rotation, (back.origin[0] * s[0], back.origin[1] * s[1], back.origin[2] * s[2]))

    def solid(self) -> Solid:
        """As a body of density one."""
        if "solid" not in self.made:
            self.made["solid"] = self._solid()
        made: Solid = self.made["solid"]
        return made

    def _solid(self) -> Solid:
        given, where = self.given, self.given.where
        kind = given.choice("inertia", KINDS, "exact" if self.exact else "legacy")
        if given.text("builtin", "none") != "none":
            raise ModelError(
                f"{where}: inertia of the built-in mesh {given.text('builtin')[:40]!r} is not computed; give the body "
                "an <inertial>"
            )
        if kind == "convex" and given.number("maxhullvert", -1.0) > 0:
            raise ModelError(
                f"{where}: the inertia of a hull with fewer corners (maxhullvert) is not computed; give the body an "
                "<inertial>"
            )
        if self.path:
            vertices, triangles = read_triangles(where, inside(self.place, where, self.path))
        else:
            vertices, triangles = self._inline()
        back = np.reshape(self.reference.rotation, (3, 3))
        vertices = ((vertices - np.array(self.reference.origin)) @ back) * np.array(self.scale)
        if math.prod(self.scale) < 0:
            triangles = triangles[:, [0, 2, 1]]
        if not math.prod(self.scale):
            raise ModelError(f"{where}: scale {self.scale} makes the mesh flat; give three numbers that are not zero")
        return solid(where, vertices, triangles, kind)

    def _inline(self) -> tuple[Any, Any]:
        given, where = self.given, self.given.where
        if "vertex" not in given:
            raise ModelError(
                f"{where}: the mesh has neither a file nor vertices; write file='...', or give the body an <inertial>"
            )
        numbers = given.numbers("vertex", MOST, least=9)
        if len(numbers) % 3:
            raise ModelError(f"{where}: vertex has {len(numbers)} numbers; each vertex has three")
        vertices = np.array(numbers).astype(np.float32).astype(float).reshape(-1, 3)
        if "face" in given:
            faces = given.numbers("face", MOST, least=3)
            if len(faces) % 3 or any(f != int(f) for f in faces):
                raise ModelError(f"{where}: face must be whole numbers, three for each triangle")
            return checked(where, vertices, np.array(faces, dtype=np.int64).reshape(-1, 3))
        from ..mesh_mass import hull

        return checked(where, vertices, hull(where, vertices))

    def fitted(self, kind: str, boxes: bool) -> tuple[list[float], Placement]:
        """Size and frame of the primitive that replaces the mesh: by its inertia box or its bounds."""
        body = self.solid()
        w, axes = np.linalg.eigh(body.inertia)
        w, axes = w[::-1], axes[:, ::-1].copy()  # largest moment first: z is the long axis
        if np.linalg.det(axes) < 0:
            axes[:, 0] = -axes[:, 0]
        half = [0.5 * math.sqrt(max(0.0, 6 * (sum(w) - 2 * e) / body.size)) for e in w]
        centre = body.com
        if boxes:
            seen = (body.vertices - body.com) @ axes
            low, high = seen.min(axis=0), seen.max(axis=0)
            centre = body.com + axes @ ((low + high) / 2)
            half = [float(e) for e in (high - low) / 2]
        a, b, c = half
        sizes = {
            "sphere": [max(half) if boxes else sum(half) / 3],
            "cylinder": [max(a, b) if boxes else (a + b) / 2, c],
            "capsule": [max(a, b), c - max(a, b)] if boxes else [(a + b) / 2, max(0.0, c - (a + b) / 4)],
        }
        at = (float(centre[0]), float(centre[1]), float(centre[2]))
        return sizes.get(kind, half), Placement(tuple(float(e) for e in axes.ravel()), at)


def _path(file: str, options: Compiler, element: Element, place: Place) -> str:
    """Where the mesh lies, from the description's folder: in meshdir, or beside the included file that names it."""
    folder = options.meshdir.replace("\\", "/").rstrip("/")
    first = f"{folder}/{file}" if file and folder else file
    beside = posixpath.dirname(element.file.replace("\\", "/")) if element.file != place.file else ""
    if not file or not beside or place.folder is None:
        return first
    second = posixpath.normpath(f"{beside}/{file}")
    try:
        return first if (place.folder / first).is_file() or not (place.folder / second).is_file() else second
    except (OSError, ValueError):
        return first


class Meshes:
    """The meshes of a description by name."""

    def __init__(self, elements: list[Element], defaults: Defaults, options: Compiler, place: Place) -> None:
        self.found: dict[str, Mesh] = {}
        for element in elements:
            given = defaults.of(known(element))
            file = given.text("file")
            plain = file.replace("\\", "/")
            name = given.text("name") or plain.rpartition("/")[2].rpartition(".")[0]
            if not name:
                raise ModelError(f"{element.where}: the mesh has neither a name nor a file; give it both")
            if name in self.found:
                raise ModelError(f"{element.where}: a second mesh is called {name[:80]!r}; rename one of them")
            if options.strippath:
                plain = plain.rpartition("/")[2]
            self.found[name] = Mesh(given, place, _path(plain, options, element, place), options.exactmeshinertia)

    def find(self, given: Given) -> Mesh:
        """The mesh that a geom names."""
        name = given.text("mesh")
        if name not in self.found:
            raise ModelError(f"{given.where}: there is no mesh {name[:80]!r} in <asset>{near(name, self.found)}")
        return self.found[name]
