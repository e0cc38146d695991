"""Polygons of meshes are cut in the plane they are seen best in, wherever they lie and however many of their corners are none."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from ordern.describe.mesh_polygons import MOST_CORNERS, _plane, _within, triangles_of

SEEN = {0: (1, 2), 1: (0, 2), 2: (0, 1)}  # by the axis that the polygon is normal to


def star(points, axis, start=0):
    """A star about the origin with every second corner turned inwards, in a plane normal to the axis."""
    angle = np.arange(2 * points) * np.pi / points + 0.1
    radius = np.where(np.arange(2 * points) % 2, 0.35, 1.0)
    made = np.zeros((2 * points, 3))
    u, v = SEEN[axis]
    made[:, u], made[:, v] = radius * np.cos(angle), radius * np.sin(angle)
    return np.roll(made, -start, axis=0)


def area(vertices, triangles):
    a, b, c = (vertices[[t[k] for t in triangles]] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2


@pytest.mark.parametrize(("axis", "points", "start"), list(itertools.product(range(3), (3, 4, 5), range(3))))
def test_triangles_cover_a_star_once(axis, points, start):
    """A fan would cover some of it twice, and so would ears that are cut in a plane in which the star is a line."""
    corners = star(points, axis, start)
    made = triangles_of(corners, list(range(len(corners))))
    assert len(made) == len(corners) - 2
    assert area(corners, made) == pytest.approx(points * 0.35 * np.sin(np.pi / points), rel=1e-6)


@pytest.mark.parametrize(("axis", "extra"), list(itertools.product(range(3), (1, 2, 3))))
def test_corners_on_a_line_or_in_one_place_do_not_say_the_plane(axis, extra):
    corners = star(4, axis)
    line = [corners[-1] + (corners[0] - corners[-1]) * k / (extra + 1) for k in range(1, extra + 1)]
    for first in (
        np.vstack([corners[-1:], line, corners[:-1]]),
        np.vstack([corners[:1]] * (extra + 1) + [corners[1:]]),
    ):
        assert _plane(first, list(range(len(first)))) == SEEN[axis]
    nowhere = np.ones((5, 3))
    assert _plane(nowhere, [0, 1, 2, 3, 4]) == (1, 2)


@pytest.mark.parametrize("signs", list(itertools.product((1, -1), repeat=3)))
def test_the_largest_part_of_the_normal_decides_and_y_where_two_are_as_large(signs):
    """As in MuJoCo's reader, which asks whether x or z is the largest."""
    for parts in itertools.product((1.0, 2.0, 4.0), repeat=3):
        n = np.array(parts) * signs
        e = np.array([n[1], -n[0], 0.0])  # a power of two each: no digit is lost, equal parts stay equal
        f = np.cross(n, e)
        corners = np.array([np.zeros(3), e, e + f, f, f / 2])
        x, y, z = parts
        want = 0 if x > max(y, z) else 2 if z > max(x, y) else 1
        assert _plane(corners, [0, 1, 2, 3, 4]) == SEEN[want], parts


def test_points_in_a_triangle():
    """Those inside, outside beyond each side, and beside it at the height of each corner."""
    corners = ((0.0, 0.0), (4.0, 1.0), (1.0, 3.0))
    weights = np.random.default_rng(0).dirichlet((1, 1, 1), 50)
    for turn in range(3):
        turned = corners[turn:] + corners[:turn]
        for w in weights:
            assert _within(turned, tuple(w @ np.array(turned)))
            for k in range(3):  # beyond the side that the corner is not on
                beyond = w * (1.01 + w[k]) / (1 - w[k])
                beyond[k] = -0.01 - w[k]
                assert not _within(turned, tuple(beyond @ np.array(turned)))


@pytest.mark.parametrize(("count", "made"), [(3, 1), (4, 2), (MOST_CORNERS, MOST_CORNERS - 2), (MOST_CORNERS + 1, 0)])
def test_up_to_how_many_corners_a_polygon_is_one(count, made):
    angle = np.arange(count) * 2 * np.pi / count
    ring = np.stack([np.cos(angle), np.sin(angle), np.zeros(count)], axis=1)
    assert len(triangles_of(ring, list(range(count)))) == made


@pytest.mark.parametrize("index", [[0, 1, 2, 3, 9], [0, 1, 2, 9], [-1, 0, 1, 2], [0, 1, 2, 3, 4, -1]])
def test_corners_that_are_not_there_are_left_to_be_found_out(index):
    made = triangles_of(star(4, 2), index)
    assert len(made) == len(index) - 2 and {k for t in made for k in t} == set(index)
    assert triangles_of(star(4, 2), [0, 1]) == []
