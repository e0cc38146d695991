"""Volume, mass centre and inertia of a triangle mesh: STL, OBJ and MuJoCo's MSH files, read within limits.

Four ways to make a body of the triangles, as MJCF names them: "exact" (signed tetrahedra, for closed surfaces),
"legacy" (the tetrahedra from the centre of the surface, all counted as positive, for surfaces with holes), "convex"
(the hull) and "shell" (the surface itself).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ModelError, need
from ..files import read_bytes
from ..scalars.primitives import Array
from .mesh_polygons import triangles_of

__all__ = ["Solid", "read_triangles", "solid"]

LARGEST = 200_000_000  # bytes of a mesh file
MOST = 4_000_000  # triangles
FARTHEST = 1e6  # m
SMALLEST = 1e-15  # m^3 or m^2: below, there is no body
FACET = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")])


@dataclass(frozen=True)
class Solid:
    """A body of density one: ``size`` (m^3; m^2 of a shell), mass centre, inertia about it, vertices."""

    size: float
    com: Array
    inertia: Array
    vertices: Array


def read_triangles(where: str, path: Path) -> tuple[Array, Array]:
    """Vertices (V, 3) and triangles (T, 3) of a mesh file; faults are ModelErrors that begin with ``where``."""
    readers = {".stl": _stl, ".obj": _obj, ".msh": _msh}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise ModelError(
            f"{where}: meshes of the kind {path.suffix[:10]!r} are not read for inertia; use one of "
            f"{', '.join(readers)}"
        )
    try:
        vertices, triangles = reader(read_bytes(path, LARGEST, "mesh", ModelError))
    except ModelError as error:
        raise ModelError(f"{where}: the mesh {str(error).removeprefix(str(path.parent) + '/')}") from None
    except OSError as error:
        raise ModelError(
            f"{where}: the mesh {path.name!r} cannot be read ({error.strerror}); check its permissions"
        ) from None
    except (ValueError, IndexError, OverflowError, MemoryError) as error:
        raise ModelError(f"{where}: the mesh {path.name!r} is broken ({str(error)[:80]}); export it again") from None
    what = f"{where}: the mesh {path.name!r}"
    if not len(triangles) and 4 <= len(vertices) <= MOST:  # points alone stand for their hull
        vertices, _ = checked(what, vertices, np.zeros((1, 3), dtype=np.int64))
        triangles = hull(what, vertices)
    return checked(what, vertices, triangles)


def checked(what: str, vertices: Array, triangles: Array) -> tuple[Array, Array]:
    """Both, if every triangle has its corners and every corner is a place."""
    if not len(triangles) or len(triangles) > MOST:
        raise ModelError(f"{what} has {len(triangles)} triangles; it needs 1 to {MOST}")
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        raise ModelError(f"{what} has a triangle with a corner that is not there; export it again")
    if not np.isfinite(vertices).all() or np.abs(vertices).max() > FARTHEST:
        raise ModelError(f"{what} has a corner that is not finite or beyond {FARTHEST:g} m; export it again")
    return vertices, triangles


def _stl(data: bytes) -> tuple[Array, Array]:
    count = int.from_bytes(data[80:84], "little")
    if len(data) >= 84 + 50 * count:
        corners = np.frombuffer(data, FACET, count, 84)["corners"].reshape(-1, 3).astype(float)
    elif data.lstrip()[:5].lower() == b"solid":
        words = data.split()
        at = [k for k, word in enumerate(words) if word == b"vertex"]
        corners = (
            np.array([words[k + 1 : k + 4] for k in at], dtype="S40").astype(np.float32).astype(float).reshape(-1, 3)
        )
    else:
        raise ValueError("it ends before its last triangle")
    if len(corners) % 3:
        raise ValueError("a facet without three corners")
    return corners, np.arange(len(corners)).reshape(-1, 3)


def _obj(data: bytes) -> tuple[Array, Array]:
    """The first object of the file: that is what MuJoCo takes of it."""
    places: list[bytes] = []
    faces: list[list[bytes]] = []
    seen: list[int] = []  # how many vertices came before each face, for indices from the end
    first = True
    for line in data.split(b"\n"):
        if line[:2] == b"v ":
            places.append(line)
        elif line[:2] == b"f " and first:
            faces.append(line.split())
            seen.append(len(places))
        elif line[:2] in (b"o ", b"g ") and faces:
            first = False
    # single precision, as programs that draw keep them
    vertices = (
        np.array([line.split()[1:4] for line in places], dtype="S40").astype(np.float32).astype(float).reshape(-1, 3)
    )
    if faces and all(len(f) == 4 for f in faces):
        corner = np.array([[c.partition(b"/")[0] for c in f[1:]] for f in faces], dtype="S20").astype(np.int64)
        return vertices, np.where(corner > 0, corner - 1, corner + np.array(seen)[:, None])
    triangles: list[tuple[int, int, int]] = []
    for face, count in zip(faces, seen, strict=True):
        index = [int(c.partition(b"/")[0]) for c in face[1:]]
        triangles += triangles_of(vertices, [k - 1 if k > 0 else count + k for k in index])
        if len(triangles) > MOST:
            raise ValueError(f"more than {MOST} triangles")
    return vertices, np.array(triangles, int).reshape(-1, 3)


def _msh(data: bytes) -> tuple[Array, Array]:
    nvert, nnormal, ntexcoord, nface = (int(k) for k in np.frombuffer(data, "<i4", 4))
    if (
        min(nvert, nnormal, ntexcoord, nface) < 0
        or nface > MOST
        or 16 + 12 * (nvert + nnormal + nface) + 8 * ntexcoord != len(data)
    ):
        raise ValueError("its header and its length disagree")
    vertices = np.frombuffer(data, "<f4", 3 * nvert, 16).astype(float).reshape(-1, 3)
    triangles = (
        np.frombuffer(data, "<i4", 3 * nface, 16 + 12 * (nvert + nnormal) + 8 * ntexcoord)
        .astype(np.int64)
        .reshape(-1, 3)
    )
    return vertices, triangles


def hull(where: str, vertices: Array) -> Array:
    """The triangles of the convex hull, turned outwards."""
    spatial: Any = need("scipy.spatial", "simulate")
    try:
        made = spatial.ConvexHull(vertices)
    except (spatial.QhullError, ValueError):
        raise ModelError(f"{where}: the mesh is flat and has no convex hull; give the body an <inertial>") from None
    triangles: Array = made.simplices.copy()
    outward = made.equations[:, :3]
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    wrong = np.einsum("ij,ij->i", np.cross(b - a, c - a), outward) < 0
    triangles[wrong] = triangles[wrong][:, [0, 2, 1]]
    return triangles


def solid(where: str, vertices: Array, triangles: Array, kind: str) -> Solid:
    """The body of density one that a mesh stands for; ``kind`` is "exact", "legacy", "convex" or "shell"."""
    faces = vertices[hull(where, vertices) if kind == "convex" else triangles]  # (T, 3, 3)
    normal = _normals(faces)
    area = 0.5 * np.linalg.norm(normal, axis=1)
    if not area.sum() >= SMALLEST:
        raise ModelError(f"{where}: the surface of the mesh is too small ({area.sum():.3g} m^2); is its scale right?")
    surface = _normals(vertices[triangles])
    weight = 0.5 * np.linalg.norm(surface, axis=1)
    middle = weight @ vertices[triangles].mean(axis=1) / weight.sum()
    share = _shares(faces - middle, normal, area, kind)
    centres = faces.mean(axis=1)
    if kind != "shell":
        centres = 0.75 * centres + 0.25 * middle
    if not share.sum() >= SMALLEST:
        raise ModelError(
            f"{where}: the mesh encloses {share.sum():.3g} m^3; turn its triangles outwards, or take inertia='shell'"
        )
    com = share @ centres / share.sum()
    seen = faces - com
    share = _shares(seen, normal, area, kind)
    total = seen.sum(axis=1)
    # the second moments of a tetrahedron with a corner in the mass centre, or of a triangle
    second = np.einsum("t,tki,tkj->ij", share, seen, seen) + np.einsum("t,ti,tj->ij", share, total, total)
    second /= 12 if kind == "shell" else 20
    return Solid(float(share.sum()), com, np.trace(second) * np.eye(3) - second, vertices)


def _normals(faces: Array) -> Array:
    return np.cross(faces[:, 1] - faces[:, 0], faces[:, 2] - faces[:, 0])


def _shares(seen: Array, normal: Array, area: Array, kind: str) -> Array:
    """What each triangle adds to the volume, seen from the origin, or to the surface."""
    if kind == "shell":
        return area
    volume = np.einsum("ij,ij->i", seen.mean(axis=1), normal) / 6
    made: Array = np.abs(volume) if kind == "legacy" else volume
    return made
