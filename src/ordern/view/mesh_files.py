"""Mesh files as triangles: STL (binary, ASCII), OBJ and plain Collada, read with limits on everything, thinned out and packed for the page."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.parsers import expat

import numpy as np

from ..errors import InputError
from ..files import read_bytes

__all__ = ["BadMesh", "Part", "pack", "read_mesh", "thin"]

LARGEST = 100_000_000  # bytes of a mesh file
MOST = 3_000_000  # triangles of a mesh
DEEPEST = 60  # levels of a Collada file
ELEMENTS = 500_000  # of a Collada file
NODES = 10_000  # places of geometry in a Collada file
FARTHEST = 1e6  # m: coordinates beyond are no robot's

Array = np.ndarray[Any, np.dtype[Any]]


class BadMesh(Exception):
    """A mesh that cannot be shown, and why."""


@dataclass
class Part:
    """Triangles of one colour: ``vertices`` (V, 3), ``triangles`` (T, 3) and rgb or nothing."""

    vertices: Array
    triangles: Array
    color: tuple[float, ...] = ()
    material: str = ""  # what a file calls it


def read_mesh(path: Path) -> list[Part]:
    """The parts of a mesh file; BadMesh says why there are none."""
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
        expat.ExpatError,
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


# --- STL ---------------------------------------------------------------------------------------------------------------------------
_FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")])


def _stl(data: bytes) -> list[Part]:
    count = int.from_bytes(data[80:84], "little") if len(data) >= 84 else -1
    if len(data) >= 84 and len(data) >= 84 + 50 * count and (len(data) - 84 - 50 * count < 50 or not data.lstrip().startswith(b"solid")):
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


# --- OBJ ---------------------------------------------------------------------------------------------------------------------------
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


# --- Collada -----------------------------------------------------------------------------------------------------------------------
@dataclass(slots=True)
class _Element:
    tag: str
    attributes: dict[str, str]
    children: list[_Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def all(self, tag: str) -> list[_Element]:
        return [c for c in self.children if c.tag == tag]

    def one(self, *path: str) -> _Element | None:
        at: _Element | None = self
        for tag in path:
            at = next((c for c in at.children if c.tag == tag), None) if at is not None else None
        return at

    def walk(self) -> Iterator[_Element]:
        stack = [self]
        while stack:
            at = stack.pop()
            yield at
            stack += reversed(at.children)

    def numbers(self) -> Array:
        return np.array(self.text.split(), float)


def _xml(data: bytes) -> _Element:
    root = _Element("", {})
    stack, count = [root], 0

    def start(tag: str, attributes: dict[str, str]) -> None:
        if len(stack) > DEEPEST:
            raise BadMesh(f"more than {DEEPEST} levels of XML")
        nonlocal count
        count += 1
        if count > ELEMENTS:
            raise BadMesh(f"more than {ELEMENTS} elements of XML")
        made = _Element(tag.rpartition(":")[2], attributes)
        stack[-1].children.append(made)
        stack.append(made)

    def refuse(*_: object) -> None:
        raise BadMesh("a DOCTYPE, which can read files, is refused")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda tag: stack.pop()
    parser.CharacterDataHandler = lambda text: stack[-1].pieces.append(text)
    parser.StartDoctypeDeclHandler = refuse
    parser.Parse(data, True)
    return root.children[0]


def _collada(data: bytes) -> list[Part]:
    root = _xml(data)
    if root.tag != "COLLADA":
        raise BadMesh(f"broken: <{root.tag[:40]}> where <COLLADA> belongs")
    known = {e.attributes["id"]: e for e in root.walk() if "id" in e.attributes}
    unit = root.one("asset", "unit")
    scale = float(unit.attributes.get("meter", "1")) if unit is not None else 1.0
    scene = root.one("scene", "instance_visual_scene")
    start = known.get(_ref(scene.attributes.get("url", ""))) if scene is not None else None
    if start is None:
        start = root.one("library_visual_scenes", "visual_scene")
    parts: list[Part] = []
    total = nodes = 0
    seen: dict[str, tuple[float, ...]] = {}
    kept: dict[int, list[Part]] = {}  # each geometry is read once, however often it is placed
    stack = [(start, np.diag([scale, scale, scale, 1.0]))] if start is not None else []
    while stack:
        node, placed = stack.pop()
        if node.tag == "node":
            placed = placed @ _placement(node)
        for instance in node.all("instance_geometry"):
            geometry = known.get(_ref(instance.attributes.get("url", "")))
            mesh = geometry.one("mesh") if geometry is not None else None
            if mesh is None:
                continue
            if id(mesh) not in kept:
                kept[id(mesh)] = list(_primitives(mesh, known))
            colors = _bound(instance, known, seen)
            for part in kept[id(mesh)]:
                total += len(part.triangles) + len(part.vertices)
                if total > 3 * MOST:
                    raise BadMesh(f"more than {MOST} triangles")
                parts.append(_moved(part, placed, colors))
        below = node.all("node")
        nodes += len(below)
        stack += [(child, placed) for child in below]
        if nodes + len(parts) > NODES:
            raise BadMesh(f"more than {NODES} nodes")
    return parts


def _ref(url: str) -> str:
    return url.removeprefix("#")


def _placement(node: _Element) -> Array:
    made = np.eye(4)
    for e in node.children:
        step = np.eye(4)
        if e.tag == "matrix":
            step = e.numbers().reshape(4, 4)
        elif e.tag == "translate":
            step[:3, 3] = e.numbers()
        elif e.tag == "scale":
            step[:3, :3] = np.diag(e.numbers())
        elif e.tag == "rotate":
            x, y, z, angle = e.numbers()
            k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]]) / max(float(np.hypot(np.hypot(x, y), z)), 1e-300)
            t = np.radians(angle)
            step[:3, :3] += np.sin(t) * k + (1 - np.cos(t)) * (k @ k)
        made = made @ step
    return made


def _moved(part: Part, at: Array, colors: dict[str, tuple[float, ...]]) -> Part:
    flip = np.linalg.det(at[:3, :3]) < 0
    moved = part.vertices @ at[:3, :3].T + at[:3, 3]
    return Part(moved, part.triangles[:, ::-1] if flip else part.triangles, colors.get(part.material, ()))


def _bound(instance: _Element, known: dict[str, _Element], seen: dict[str, tuple[float, ...]]) -> dict[str, tuple[float, ...]]:
    """Colours by material symbol; ``seen`` keeps those of materials that were looked up before."""
    colors: dict[str, tuple[float, ...]] = {}
    for e in instance.walk():
        if e.tag != "instance_material":
            continue
        target = _ref(e.attributes.get("target", ""))
        if target not in seen:
            seen[target] = _diffuse(known.get(target), known)
        colors[e.attributes.get("symbol", "")] = seen[target]
    return colors


def _diffuse(material: _Element | None, known: dict[str, _Element]) -> tuple[float, ...]:
    effect = material.one("instance_effect") if material is not None else None
    shader = known.get(_ref(effect.attributes.get("url", ""))) if effect is not None else None
    found = () if shader is None else (part.one("color") for part in shader.walk() if part.tag == "diffuse")
    colors = [color for color in found if color is not None]
    return tuple(float(min(max(c, 0.0), 1.0)) for c in colors[-1].numbers()[:3]) if colors else ()


def _primitives(mesh: _Element, known: dict[str, _Element]) -> Iterator[Part]:
    read: dict[str, Array] = {}
    for e in mesh.children:
        if e.tag not in ("triangles", "polylist", "polygons"):
            continue
        inputs = e.all("input")
        stride = 1 + max(int(i.attributes.get("offset", "0")) for i in inputs)
        corner = next(i for i in inputs if i.attributes.get("semantic") == "VERTEX")
        source = _ref(corner.attributes["source"])
        if source not in read:  # many lists of faces may share their corners
            read[source] = _positions(known[source], known)
        vertices = read[source]
        offset = int(corner.attributes.get("offset", "0"))
        if e.tag == "polygons":
            faces = [np.array(p.text.split(), int).reshape(-1, stride)[:, offset] for p in e.all("p")]
            index, counts = (np.concatenate(faces), np.array([len(f) for f in faces])) if faces else (np.zeros(0, int), np.zeros(0, int))
        else:
            lists = [np.array(p.text.split(), int) for p in e.all("p")]
            index = np.concatenate(lists).reshape(-1, stride)[:, offset] if lists else np.zeros(0, int)
            given = e.one("vcount")
            counts = np.array(given.text.split(), int) if given is not None else np.full(len(index) // 3, 3)
        yield Part(vertices, _fans(index, counts), (), e.attributes.get("material", ""))


def _positions(vertices: _Element, known: dict[str, _Element]) -> Array:
    source = vertices
    if vertices.tag == "vertices":
        source = known[_ref(next(i for i in vertices.all("input") if i.attributes.get("semantic") == "POSITION").attributes["source"])]
    numbers = source.one("float_array")
    if numbers is None:
        raise BadMesh("broken: no positions")
    return numbers.numbers().reshape(-1, 3)


def _fans(index: Array, counts: Array) -> Array:
    """Polygons as fans of triangles."""
    if counts.sum() > len(index) or np.any(counts < 0) or counts.sum() > 3 * MOST:
        raise BadMesh("broken: fewer corners than the faces need")
    fans = np.maximum(counts - 2, 0)  # triangles of each polygon
    starts = np.cumsum(counts) - counts
    first = np.repeat(starts, fans)
    step = np.arange(len(first)) - np.repeat(np.cumsum(fans) - fans, fans)
    return np.stack([index[first], index[first + step + 1], index[first + step + 2]], axis=1)


# --- for the page ------------------------------------------------------------------------------------------------------------------
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
