"""Polygons of a mesh as triangles: quadrangles along their shorter diagonal, others by cutting off ears (Meisters
1975).

A polygon that is not flat has no one volume behind it. Corners are tried in the order, and told apart by the sign, that
the reader of OBJ files in MuJoCo uses, so that bodies whose inertia comes from such meshes are those of MuJoCo.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..scalars.primitives import Array

__all__ = ["triangles_of"]

Triangle = tuple[int, int, int]
MOST_CORNERS = 100  # polygons with more are no part of the body, in MuJoCo 3.3 and 4.0 (counted there)


def triangles_of(vertices: Array, index: list[int]) -> list[Triangle]:
    """Triangles of a polygon of vertex numbers ``index``; a fan where vertices are missing (checked later)."""
    if len(index) > MOST_CORNERS:
        return []
    if len(index) == 3:
        return [(index[0], index[1], index[2])]
    if len(index) < 3 or not all(0 <= k < len(vertices) for k in index):
        return _fan(index)
    if len(index) == 4:
        a, b, c, d = (vertices[k].astype(np.float32) for k in index)
        if _square(c - a) >= _square(d - b):
            index = [index[1], index[2], index[3], index[0]]
        return _fan(index)
    return _ears(vertices, index)


def _square(e: Array) -> Any:
    return e[0] * e[0] + e[1] * e[1] + e[2] * e[2]


def _fan(index: list[int]) -> list[Triangle]:
    return [(index[0], index[k], index[k + 1]) for k in range(1, len(index) - 1)]


def _plane(vertices: Array, index: list[int]) -> tuple[int, int]:
    """The two coordinates in which the polygon's first real corner is seen best."""
    for k in range(len(index)):
        a, b, c = (vertices[index[(k + m) % len(index)]].astype(np.float32) for m in range(3))
        e, f = b - a, c - b
        x, y, z = abs(e[1] * f[2] - e[2] * f[1]), abs(e[2] * f[0] - e[0] * f[2]), abs(e[0] * f[1] - e[1] * f[0])
        if max(x, y, z) > 1.2e-7:
            return (1, 2) if x > y and x > z else ((0, 1) if z > x and z > y else (0, 2))
    return (1, 2)


def _ears(vertices: Array, index: list[int]) -> list[Triangle]:
    u, v = _plane(vertices, index)
    # rounded as there: signs hang on it
    flat = {k: (np.float32(vertices[k][u]), np.float32(vertices[k][v])) for k in index}
    left, made, at, tries, before = list(index), [], 0, len(index), len(index)
    while len(left) > 3 and tries > 0:
        n = len(left)
        at %= n
        tries, before = (tries - 1 if n == before else n), n
        a, b, c = (left[(at + m) % n] for m in range(3))
        (ax, ay), (bx, by), (cx, cy) = flat[a], flat[b], flat[c]
        # the sign that MuJoCo's reader of OBJ takes
        inner = ((bx - ax) * (cy - by) - (by - ay) * (cx - bx)) * (ax * by - ay * bx) < 0
        if inner or any(_within((flat[a], flat[b], flat[c]), flat[left[(at + m) % n]]) for m in range(3, n)):
            at += 1
            continue
        made.append((a, b, c))
        del left[(at + 1) % n]
    return made + (_fan(left) if len(left) == 3 else [])


def _within(corners: tuple[tuple[Any, Any], ...], point: tuple[Any, Any]) -> bool:
    """Whether a point lies in a triangle: a ray from it crosses an odd number of sides."""
    x, y = point
    odd = False
    for k in range(3):
        (xi, yi), (xj, yj) = corners[k], corners[k - 1]
        if (yi > y) != (yj > y) and x < (xj - xi) * (y - yi) / (yj - yi) + xi:
            odd = not odd
    return odd
