"""Bodies of triangle meshes: what volume, mass centre and inertia must do when a mesh is turned, moved and scaled."""

from __future__ import annotations

import struct

import mujoco
import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from ordern.describe.mesh_mass import FARTHEST, SMALLEST, checked, hull, read_triangles, solid
from ordern.describe.mesh_polygons import triangles_of
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.errors import ModelError

from .mujoco_oracle import errors

KINDS = ("exact", "legacy", "convex", "shell")
CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
CUBE = hull("cube", CORNERS)


def pebble(seed):
    """A convex body of random points, its triangles turned outwards."""
    points = np.random.default_rng(seed).normal(size=(20, 3))
    points = points[ConvexHull(points).vertices]
    return points, hull("pebble", points)


def bent():
    """Two cubes on one: an L, whose hull is larger."""
    parts = [CORNERS, np.add(CORNERS, (1, 0, 0)), np.add(CORNERS, (0, 1, 0))]
    return np.vstack(parts), np.vstack([CUBE + 8 * k for k in range(3)])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("side", [1e-3, 0.2, 50.0])
def test_a_cube(kind, side):
    made = solid("cube", side * CORNERS, CUBE, kind)
    size, ring = (6 * side**2, 5 / 18) if kind == "shell" else (side**3, 1 / 6)  # of m a^2, hollow and full
    np.testing.assert_allclose(made.size, size, rtol=1e-12)
    np.testing.assert_allclose(made.com, [side / 2] * 3, rtol=1e-12)
    np.testing.assert_allclose(made.inertia, np.eye(3) * ring * size * side**2, rtol=0, atol=1e-12 * size * side**2)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("body", [*range(3), "bent"])
def test_turned_moved_and_scaled(kind, body):
    points, triangles = bent() if body == "bent" else pebble(body)
    R, t, s = Rotation.from_rotvec([0.4, -1.1, 0.7]).as_matrix(), np.array([3.0, -2.0, 1.0]), 0.3
    a, b = solid("", points, triangles, kind), solid("", s * points @ R.T + t, triangles, kind)
    power = 2 if kind == "shell" else 3
    np.testing.assert_allclose(b.size, s**power * a.size, rtol=1e-10)
    np.testing.assert_allclose(b.com, s * R @ a.com + t, rtol=0, atol=1e-10)
    np.testing.assert_allclose(b.inertia, s ** (power + 2) * R @ a.inertia @ R.T, rtol=0, atol=1e-10 * a.size)


def test_kinds_against_each_other():
    for seed in range(3):
        points, triangles = pebble(seed)
        exact = solid("", points, triangles, "exact")
        for kind in ("legacy", "convex"):  # all the same for a convex body
            other = solid("", points, triangles, kind)
            np.testing.assert_allclose(other.size, exact.size, rtol=1e-10)
            np.testing.assert_allclose(other.inertia, exact.inertia, rtol=0, atol=1e-10)
    sizes = {kind: solid("", *bent(), kind).size for kind in KINDS}
    np.testing.assert_allclose([sizes["exact"], sizes["convex"]], [3.0, 3.5], rtol=1e-12)


def test_what_is_no_body_is_refused():
    tiny = 0.5 * np.sqrt(SMALLEST / 6)
    with pytest.raises(ModelError, match="too small"):
        solid("x", tiny * CORNERS, CUBE, "shell")
    assert solid("x", 4 * tiny * CORNERS, CUBE, "shell").size > SMALLEST
    for kind in ("exact", "convex"):
        with pytest.raises(ModelError, match=r"encloses|flat"):
            solid("x", CORNERS * (1, 1, 0), CUBE, kind)
    with pytest.raises(ModelError, match="outwards"):
        solid("x", CORNERS, CUBE[:, ::-1], "exact")
    assert solid("x", CORNERS, CUBE[:, ::-1], "legacy").size == pytest.approx(1.0)  # that one counts all as positive


def texts(points, triangles):
    """The same triangles in every format."""
    corners = points[triangles]
    facet = "facet normal 0 0 0\nouter loop\n{}\nendloop\nendfacet\n"
    ascii_ = "".join(facet.format("\n".join("vertex {} {} {}".format(*c) for c in f)) for f in corners.tolist())
    binary = b"".join(struct.pack("<12fH", 0, 0, 0, *f.ravel(), 7) for f in corners)
    places = "".join("v {} {} {}\n".format(*p) for p in points.tolist())
    count = len(points)
    yield "a.stl", f"solid x\n{ascii_}endsolid x\n".encode()
    yield "b.stl", b"\0" * 80 + struct.pack("<I", len(corners)) + binary
    yield "a.obj", (places + "".join("f {}//1 {}/2 {}\n".format(*(t + 1)) for t in triangles)).encode()
    yield (
        "b.obj",
        (places + "".join("f {} {} {}\n".format(*(t - count)) for t in triangles) + "o second\nf 1 2 3\n").encode(),
    )
    head = struct.pack("<4i", count, 1, 2, len(triangles))
    yield "a.msh", head + np.float32(points).tobytes() + bytes(12 + 16) + np.int32(triangles).tobytes()


def test_files(tmp_path):
    points, triangles = pebble(5)
    wanted = np.float32(points)[triangles]
    for name, data in texts(points, triangles):
        (tmp_path / name).write_bytes(data)
        read, index = read_triangles("x", tmp_path / name)
        np.testing.assert_array_equal(read[index], wanted, err_msg=name)
        for cut in (1, 7, len(data) // 2):  # cut short or filled up, it is refused or the triangles are there
            (tmp_path / name).write_bytes(data[:-cut])
            try:
                read, index = read_triangles("x", tmp_path / name)
            except ModelError:
                continue
            assert not name.endswith(("msh", "b.stl")) and len(index) <= len(wanted)


@pytest.mark.parametrize("corners", [5, 37, 100, 101, 150])
def test_polygons_of_many_corners_are_those_of_mujoco(tmp_path, corners):
    """MuJoCo leaves polygons with more than 100 corners out of a body, so that its ends are open."""
    import mujoco

    from ordern.describe.mjcf.mjcf_read import load_mjcf

    turn = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    ring = np.stack([np.cos(turn), 0.7 * np.sin(turn)], axis=1) / 9
    points = np.vstack([np.column_stack([ring, np.full(corners, z)]) for z in (0.0, 0.2)])
    around = [(k, (k + 1) % corners) for k in range(corners)]
    faces = [
        range(corners - 1, -1, -1),
        range(corners, 2 * corners),
        *((k, j, j + corners, k + corners) for k, j in around),
    ]
    lines = [f"v {x:.6f} {y:.6f} {z:.6f}" for x, y, z in points] + [
        "f " + " ".join(str(k + 1) for k in f) for f in faces
    ]
    (tmp_path / "m.obj").write_text("\n".join([*lines, ""]))
    (tmp_path / "m.xml").write_text(
        "<mujoco><asset><mesh file='m.obj'/></asset><worldbody><body name='a'><joint/><geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
    )
    m, link = mujoco.MjModel.from_xml_path(str(tmp_path / "m.xml")), load_mjcf(tmp_path / "m.xml").links[-1]
    np.testing.assert_allclose(link.mass, m.body_mass[1], rtol=1e-12)
    np.testing.assert_allclose(link.com, m.body_ipos[1], rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.sort(np.linalg.eigvalsh(_full(link.inertia))), np.sort(m.body_inertia[1]), rtol=1e-9)


def _full(six):
    xx, yy, zz, xy, xz, yz = six
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


@pytest.mark.parametrize("kind", ["legacy", "exact", "convex", "shell"])
@pytest.mark.parametrize("seed", range(3))
def test_points_without_faces_stand_for_their_hull(tmp_path, kind, seed):
    points = np.random.default_rng(seed).uniform(-1, 1, (12, 3)) * [1.0, 0.6, 0.3]
    (tmp_path / "cloud.obj").write_text("".join(f"v {x:.4f} {y:.4f} {z:.4f}\n" for x, y, z in points))
    (tmp_path / "a.xml").write_text(
        f"<mujoco><asset><mesh name='m' file='cloud.obj' inertia='{kind}'/></asset><worldbody><body name='b'><joint/>"
        "<geom type='mesh' mesh='m'/></body></worldbody></mujoco>"
    )
    m, model = mujoco.MjModel.from_xml_path(str(tmp_path / "a.xml")), load_mjcf(tmp_path / "a.xml")
    assert max(errors(m, model).values()) < 1e-9


@pytest.mark.parametrize("text", ["v 0 0 0\n" * 5, "v 0 0 0\nv 1 0 0\nv 0 1 0\n", "v 0 0 nan\n" * 5, ""])
def test_points_without_a_hull_are_refused(tmp_path, text):
    (tmp_path / "cloud.obj").write_text(text)
    with pytest.raises(ModelError, match=r"cloud.obj"):
        read_triangles("here", tmp_path / "cloud.obj")


@pytest.mark.parametrize("axis", range(3))
def test_quadrangles_are_cut_along_their_shorter_diagonal(axis):
    """Whichever axes their corners differ in; of equal ones the second."""
    rng = np.random.default_rng(axis)
    for corners in [
        *(rng.normal(size=(20, 4, 3)) * np.where(np.arange(3) == axis, 1.0, 0.1)),
        np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0.0]]),
    ]:
        first, second = (np.linalg.norm(corners[k + 2] - corners[k]) for k in (0, 1))
        made = triangles_of(np.vstack([np.zeros(3), corners]), [1, 2, 3, 4])
        shared = set(made[0]) & set(made[1])
        assert shared == ({1, 3} if first < second else {2, 4}) and set(made[0]) | set(made[1]) == {1, 2, 3, 4}


def test_corners_up_to_the_farthest_place():
    corner, triangle = np.array([[0.0, 0, 0], [FARTHEST, 0, 0], [0, -FARTHEST, 1]]), np.array([[0, 1, 2]])
    assert checked("a mesh", corner, triangle)[0] is corner
    for far in (np.nextafter(FARTHEST, np.inf), np.nan):
        beyond = corner.copy()
        beyond[2, 1] = -far
        with pytest.raises(ModelError, match="beyond 1e"):
            checked("a mesh", beyond, triangle)
