"""Mesh files as triangles: STL, OBJ and Collada (trimesh), within limits, thinned out and packed."""

from __future__ import annotations

import base64
import importlib.util
import io
import re
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..describe.xml import LONGEST, Element, parse
from ..errors import InputError, ModelError
from ..files import read_bytes
from ..scalars.primitives import Array

__all__ = ["BadMesh", "Part", "pack", "read_mesh", "thin"]

LARGEST = 100_000_000  # bytes of a mesh file
MOST = 3_000_000  # triangles of a mesh
DEEPEST = 60  # levels of a Collada file
ELEMENTS = 500_000  # of a Collada file
NODES = 10_000  # places of geometry in a Collada file
BOUND = re.compile(rb"<bind_material\b.*?</bind_material\s*>", re.DOTALL)
FARTHEST = 1e6  # m: coordinates beyond are no robot's


class BadMesh(Exception):
    """A mesh that cannot be shown, and why."""


@dataclass
class Part:
    """Triangles of one colour: ``vertices`` (V, 3), ``triangles`` (T, 3) and rgb or nothing."""

    vertices: Array
    triangles: Array
    color: tuple[float, ...] = ()


def read_mesh(path: Path) -> list[Part]:
    """The parts of a mesh file; BadMesh gives the reason if there are none."""
    try:
        data = read_bytes(path, LARGEST, "mesh")
    except FileNotFoundError:
        raise BadMesh("No such file or directory") from None
    except InputError as error:
        raise BadMesh(str(error).removeprefix(f"{path}: ")) from None
    readers = {".stl": _stl, ".obj": _obj, ".dae": _collada}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise BadMesh(f"the format {path.suffix[:10]!r} is not among {', '.join(readers)}")
    try:
        parts = [p for p in reader(data) if len(p.triangles)]
    except BadMesh:
        raise
    except (
        ValueError,
        IndexError,
        KeyError,
        StopIteration,
        OverflowError,
        ArithmeticError,
        LookupError,
        MemoryError,
        TypeError,
        AttributeError,
        RuntimeError,
    ) as error:
        raise BadMesh(f"broken: {str(error)[:80]}") from None
    if not parts:
        raise BadMesh("no triangles in it")
    if sum(len(p.triangles) for p in parts) > MOST:
        raise BadMesh(f"more than {MOST} triangles")
    for part in parts:
        _check(part)
    return parts


def _check(part: Part) -> None:
    used = part.vertices[part.triangles] if _inside(part) else None
    if used is None:
        raise BadMesh("broken: a triangle names a vertex that is not there")
    if not np.all(np.isfinite(used)) or np.abs(used).max(initial=0.0) > FARTHEST:
        raise BadMesh("broken: a vertex is not finite")


def _inside(part: Part) -> bool:
    return bool(part.triangles.min(initial=0) >= 0 and part.triangles.max(initial=0) < len(part.vertices))


# --- STL --------------------------------------------------------------------------------------------------------------
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")])


def _stl(data: bytes) -> list[Part]:
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if (
        len(data) >= 84
        and len(data) >= 84 + 50 * count
        and (len(data) - 84 - 50 * count < 50 or not data.lstrip().startswith(b"solid"))
    ):
        if count > MOST:
            raise BadMesh(f"more than {MOST} triangles")
        corners = np.frombuffer(data, _FACET, count, 84)["corners"].reshape(-1, 3)
    elif data.lstrip()[:5].lower() == b"solid":
        if data.count(b"vertex") > 3 * MOST:
            raise BadMesh(f"more than {MOST} triangles")
        found = re.findall(rb"vertex\s+(\S{1,40})\s+(\S{1,40})\s+(\S{1,40})", data)
        corners = np.array(found, dtype="S40").astype(float).reshape(-1, 3)
    else:
        raise BadMesh("broken: the STL file ends before its last triangle")
    if len(corners) % 3:
        raise BadMesh("broken: an STL facet without three corners")
    return [_merged(corners)]


def _merged(corners: Array, color: tuple[float, ...] = ()) -> Part:
    """Corners in threes, equal ones made one."""
    if not len(corners):
        return Part(np.zeros((0, 3)), np.zeros((0, 3), int), color)
    if not np.all(np.isfinite(corners)):
        raise BadMesh("broken: a vertex is not finite")
    vertices, index = np.unique(corners.astype(np.float64), axis=0, return_inverse=True)
    return Part(vertices, index.reshape(-1, 3), color)


# --- OBJ --------------------------------------------------------------------------------------------------------------
def _obj(data: bytes) -> list[Part]:
    vertices: list[list[float]] = []
    triangles: list[tuple[int, int, int]] = []
    for line in data.decode("utf-8", "replace").splitlines():
        word, _, rest = line.strip().partition(" ")
        if word == "v":
            x = rest.split()
            vertices.append([float(x[0]), float(x[1]), float(x[2])])
            if len(vertices) > MOST:
                raise BadMesh(f"more than {MOST} vertices")
        elif word == "f":
            corner = [int(c.partition("/")[0]) for c in rest.split()]
            if 0 in corner:
                raise BadMesh("broken: OBJ vertices count from 1")
            face = [c - 1 if c > 0 else len(vertices) + c for c in corner]
            triangles += [(face[0], face[k], face[k + 1]) for k in range(1, len(face) - 1)]
            if len(triangles) > MOST:
                raise BadMesh(f"more than {MOST} triangles")
    return [Part(np.array(vertices, float).reshape(-1, 3), np.array(triangles, int).reshape(-1, 3))]


# --- Collada ----------------------------------------------------------------------------------------------------------
def _collada(data: bytes) -> list[Part]:
    """Through trimesh, once the guarded XML has shown that nothing in the file multiplies."""
    if any(importlib.util.find_spec(package) is None for package in ("trimesh", "collada")):
        raise BadMesh(
            "Collada needs the packages 'trimesh' and 'pycollada' (the extra 'view' of ordern): python -m pip install "
            "trimesh pycollada"
        )
    if b"PK\5\6" in data:  # pycollada would look into it, past the guard; no XML text has these bytes
        raise BadMesh("broken: a zip archive where XML belongs")
    found = _Census(len(data))
    try:
        root = parse(
            data,
            "",
            frozenset(),
            found.take,
            deepest=DEEPEST,
            texts=True,
            inside=ELEMENTS,
            begins="Collada begins with <COLLADA>",
        )
    except ModelError as error:
        raise BadMesh(f"broken: line {str(error).removeprefix(':')[:150]}") from None
    if _plain(root.tag) != "COLLADA":
        raise BadMesh(f"broken: <{root.tag[:40]}> where <COLLADA> belongs")
    found.check()
    from trimesh.exchange.dae import load_collada

    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")  # what is wrong with the numbers is found below
        try:
            loaded = load_collada(io.BytesIO(data), resolver=None)  # textures stay where they are
        except Exception as error:  # a reader of others: whatever it stumbles over, the file is broken
            raise BadMesh(f"broken: {str(error)[:80]}") from None
        bare = BOUND.sub(b"", data)
        if (
            not loaded["graph"] and bare != data
        ):  # a material that is not there costs pycollada the geometry; it is checked again
            return _collada(bare)
        return [
            _placed(loaded["geometry"][at["geometry"]], found.unit * at["matrix"][:3], found.textured)
            for at in loaded["graph"]
        ]


def _placed(mesh: dict[str, Any], at: Array, textured: bool) -> Part:
    part = _merged(mesh["vertices"])
    shade = getattr(getattr(mesh["visual"], "material", None), "baseColorFactor", None)  # of 255
    color = () if shade is None else tuple(float(c) / 255 for c in shade[:3])
    if textured and color == (
        1.0,
        1.0,
        1.0,
    ):  # what trimesh says where it found no picture; the robot may have a colour
        color = ()
    flip = np.linalg.det(at[:, :3]) < 0
    return Part(part.vertices @ at[:, :3].T + at[:, 3], part.triangles[:, ::-1] if flip else part.triangles, color)


def _plain(tag: str) -> str:
    return tag.rpartition(":")[2]


def _words(text: str) -> int:
    blank = np.frombuffer(f" {text} ".encode(), np.uint8) <= 32
    return int(np.count_nonzero(blank[:-1] & ~blank[1:]))


class _Census:
    """Elements, nodes and triangles of a Collada file once instances are expanded."""

    def __init__(self, size: int) -> None:
        self.size, self.unit, self.elements, self.textured = size, 1.0, 0, False
        self.nodes: dict[str, list[Element]] = {}  # by id; where two have the same, both are counted
        self.geometries: dict[str, Array] = {}
        self.scenes: list[Element] = []
        self.known: dict[int, Array] = {}

    def take(self, _: Element, child: Element) -> None:
        """One child of the root."""
        stack = [child]
        while stack:
            at = stack.pop()
            self.elements += 1
            tag, name = _plain(at.tag), at.attributes.get("id", "")
            if tag == "unit" and _plain(child.tag) == "asset":
                self.unit = float(at.attributes.get("meter", "1"))
            elif tag == "node":
                self.nodes.setdefault(name, []).append(at)
            elif tag == "texture":
                self.textured = True
            elif tag == "visual_scene":
                self.scenes.append(at)
            elif tag == "geometry":
                self.geometries[name] = self.geometries.get(name, 0) + self._faces(at)
            stack += at.children
        if self.elements > ELEMENTS:
            raise BadMesh(f"more than {ELEMENTS} elements of XML")

    def _faces(self, geometry: Element) -> Array:
        """(elements, parts, triangles) of one placement; the texts are dropped."""
        parts = triangles = 0
        for mesh in geometry.children:
            corners = [
                i
                for v in mesh.children
                if _plain(v.tag) == "vertices"
                for i in v.children
                if i.attributes.get("semantic") == "POSITION"
            ]
            names = {i.attributes.get("source", "").removeprefix("#") for i in corners}
            for e in mesh.children:
                if e.attributes.get("id") in names and any("n" in x.content.lower() for x in e.children):
                    raise BadMesh("broken: a vertex is not finite")  # pycollada would make nan zero
                lists = [p for p in e.children if _plain(p.tag) == "p"]
                inputs = [i.attributes.get("offset", "0") for i in e.children if _plain(i.tag) == "input"]
                stride = 1 + max((int(i) for i in inputs if i.isdecimal() and len(i) < 5), default=0)
                words = sum(_words(p.content) if len(p.content) < LONGEST else self.size // 2 for p in lists)
                if any("-" in p.content for p in lists):
                    raise BadMesh("broken: a triangle names a vertex that is not there")
                parts += bool(lists)
                triangles += words // stride // (3 if _plain(e.tag) == "triangles" else 1)
                for p in e.children:
                    p.content = ""
        return np.array([parts, parts, triangles])

    def check(self) -> None:
        """BadMesh where the scenes become too much."""
        if not self.scenes:
            raise BadMesh("no scene in it")
        total = np.sum([self._placed(scene, 0) for scene in self.scenes], axis=0)
        everything = [(total[0], ELEMENTS, "elements"), (total[1], NODES, "nodes"), (total[2], MOST, "triangles")]
        for count, most, what in everything:
            if count > most:
                raise BadMesh(f"more than {most} {what}")

    def _placed(self, at: Element, depth: int) -> Array:
        """(elements, nodes and parts, triangles) of an element with all that it places."""
        if id(at) in self.known:
            return self.known[id(at)]
        if depth > DEEPEST:  # or a node that contains itself
            raise BadMesh(f"more than {DEEPEST} levels of nodes")
        tag, url = _plain(at.tag), at.attributes.get("url", "").removeprefix("#")
        made: Array = np.array([1.0, tag == "node", 0.0])  # floats do not overflow, however often nodes double
        if tag == "instance_geometry":
            made = made + self.geometries.get(url, 0)
        below = self.nodes.get(url, []) if tag == "instance_node" else []
        for child in [*at.children, *below]:
            made = made + self._placed(child, depth + 1)
        self.known[id(at)] = made
        return made


# --- for the page -----------------------------------------------------------------------------------------------------
def thin(parts: list[Part], most: int) -> list[Part]:
    """At most so many triangles in all: vertices that share a cell of a grid become one, coarser and coarser."""
    total = sum(len(p.triangles) for p in parts)
    if total <= most:
        return parts
    points = np.concatenate([p.vertices[p.triangles.ravel()] for p in parts])
    low, size = points.min(0), float(np.ptp(points, axis=0).max()) or 1.0
    for cells in (256, 192, 144, 108, 81, 60, 45, 34, 25, 18, 12, 8, 5, 3, 2):
        made = [p for p in (_clustered(p, low, size / cells) for p in parts) if len(p.triangles)]
        if made and sum(len(p.triangles) for p in made) <= most:
            return made
    step = -(-total // most)  # scattered slivers: some of them will do
    some = [Part(p.vertices, p.triangles[::step], p.color) for p in parts[:most]]
    return [p for p in some if len(p.triangles)]


def _clustered(part: Part, low: Array, cell: float) -> Part:
    used = np.unique(part.triangles)
    vertices = part.vertices[used]
    cells, inverse = np.unique(((vertices - low) / cell).astype(np.int64), axis=0, return_inverse=True)
    inverse = inverse.reshape(-1)
    weight = np.bincount(inverse, minlength=len(cells))
    mean = np.stack([np.bincount(inverse, vertices[:, k], len(cells)) for k in range(3)], axis=1) / weight[:, None]
    where = np.zeros(len(part.vertices), int)
    where[used] = inverse
    t = where[part.triangles]
    t = t[(t[:, 0] != t[:, 1]) & (t[:, 1] != t[:, 2]) & (t[:, 0] != t[:, 2])]
    _, first = np.unique(np.sort(t, axis=1), axis=0, return_index=True)
    return Part(mean, t[np.sort(first)], part.color)


def pack(part: Part) -> dict[str, Any]:
    """For JSON: positions as 16-bit steps from a corner, indices as 16 or 32 bits, both base64."""
    used, index = np.unique(part.triangles, return_inverse=True)
    vertices = part.vertices[used]
    low = vertices.min(0)
    step = float((vertices.max(0) - low).max()) / 65535 or 1e-9
    wide = len(used) > 65535
    return {
        "v": base64.b64encode(np.rint((vertices - low) / step).astype("<u2").tobytes()).decode(),
        "i": base64.b64encode(index.reshape(-1).astype("<u4" if wide else "<u2").tobytes()).decode(),
        "low": [float(x) for x in low],
        "step": step,
        "wide": wide,
        "color": [round(c, 4) for c in part.color],
    }
