"""DH tables: three conventions, one robot; bad rows name row and key."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import ordern
from ordern.describe import builtin as robots
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.dh.dh_table import DH, dh_with_base, from_dh, to_dh
from ordern.describe.dh.dh_toml import dh_text, read_dh
from ordern.describe.load import load
from ordern.describe.physical import matrix
from ordern.errors import InputError, ModelError, OrdernWarning
from ordern.model import Placement

from .mechanics import gravity_forces, link_poses, mass_matrix

# section 19.5 of the verified mathematics: a generic chain of five joints, standard DH
TABLE = [
    ("revolute", 2.661, -0.141, 0.285, 0.548, 1.824, (0.237, 0.044, -0.066), (0.603, 0.5622, 0.6512, -0.0332, -0.083, 0.0295)),
    ("prismatic", -0.872, 0.152, -0.153, 0.045, 2.169, (0.041, 0.274, 0.171), (0.6234, 0.8162, 0.6114, 0.1525, 0.2941, -0.1653)),
    ("revolute", -0.784, -0.03, 0.018, 2.411, 3.714, (-0.192, 0.041, 0.062), (1.0733, 0.9931, 0.9092, -0.2258, 0.0386, 0.0059)),
    ("revolute", 2.798, -0.042, 0.275, -2.791, 3.401, (0.17, 0.097, 0.09), (1.3883, 1.6604, 1.5277, 0.5367, -0.1415, 0.1252)),
    ("prismatic", -1.237, 0.028, -0.018, 2.707, 2.544, (0.025, -0.245, 0.229), (0.7843, 0.6235, 0.9062, 0.0868, -0.0926, -0.1058)),
]  # fmt: skip
Q = (0.313, -1.184, 0.717, -1.16, -0.356)
M = np.array([
    [8.76388424683865, -0.284327478421933, 2.68677281179219, -1.69064326263115, -0.266323621174106],
    [-0.284327478421933, 11.828, -0.00220821678253633, 0.434763146079459, 1.81469329379484],
    [2.68677281179219, -0.00220821678253633, 4.95222246390081, -3.07946047120197, -0.187681422802344],
    [-1.69064326263115, 0.434763146079459, -3.07946047120197, 3.72492310976776, 0.346140914498951],
    [-0.266323621174106, 1.81469329379484, -0.187681422802344, 0.346140914498951, 2.544],
])  # fmt: skip
KEYS = ("joint", "theta", "d", "a", "alpha", "mass", "com", "inertia")


def distal():
    return [dict(zip(KEYS, row, strict=True)) for row in TABLE]


def saha():
    rows = []
    for row in distal():
        row["b"], row["r"] = row.pop("d"), [-e for e in row.pop("com")]
        rows.append(row)
    return rows


def proximal():
    """Shift a and alpha by one row and bring the link data to the near frame."""
    rows, last = [], (0.0, 0.0)
    for row in distal():
        a, alpha = row["a"], row["alpha"]
        c, s = np.cos(alpha), np.sin(alpha)
        R = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        row["com"], row["inertia"] = R @ row["com"] + [a, 0, 0], R @ matrix(row["inertia"]) @ R.T
        row["a"], row["alpha"], last = *last, (a, alpha)
        rows.append(row)
    return rows, last


@pytest.mark.parametrize(
    ("row", "said"),
    [({"alpha": 90}, "alpha is 90 rad"), ({"theta": -90.0}, "theta is -90 rad"), ({"a": 400, "d": 500}, "and 1 more")],
)
def test_degrees_and_millimetres_are_noticed(row, said):
    with pytest.warns(OrdernWarning, match=said):
        from_dh([row | {"mass": 1.0, "com": (0.1, 0.2, 0.0)}], "distal")


@pytest.mark.parametrize(
    ("name", "meant"), [("standard", "distal"), ("Craig", "proximal"), ("modified", "proximal"), ("Corke", "distal")]
)
def test_other_names_of_conventions_are_known(name, meant):
    rows = [{"a": 0.3, "alpha": 0.4, "mass": 1.0, "joint": "R"}, {"d": 0.2, "mass": 1.0, "joint": "p"}]
    plain = [row | {"joint": kind} for row, kind in zip(rows, ("revolute", "prismatic"), strict=True)]
    assert from_dh(rows, name).fingerprint == from_dh(plain, meant).fingerprint
    assert to_dh(robots.stanford(), name) == to_dh(robots.stanford(), meant)
    with pytest.raises(InputError, match="did you mean 'distal'"):
        from_dh(rows, "distl")


def test_degrees_hold_for_limits_too():
    row = {"a": 0.3, "alpha": 90, "theta": 30, "mass": 1.0, "lower": -90, "upper": 180, "velocity": 360, "effort": 5.0}
    slide = {"joint": "prismatic", "mass": 1.0, "lower": -1, "upper": 2, "velocity": 3}
    model = read_dh({"degrees": True, "dh": [row, slide]}, "x.toml")
    assert model.bodies[1].lower == (-np.pi / 2,)
    assert model.bodies[1].upper == (np.pi,)
    assert model.bodies[1].velocity == (2 * np.pi,)
    assert model.bodies[1].effort == (5.0,)
    assert (model.bodies[2].lower, model.bodies[2].upper, model.bodies[2].velocity) == ((-1.0,), (2.0,), (3.0,))


def test_three_conventions_one_robot():
    a, b = from_dh(saha(), "saha"), from_dh(distal(), "distal")
    assert a.fingerprint == b.fingerprint
    rows, (x, alpha) = proximal()
    tool = np.array(
        [[1, 0, 0, x], [0, np.cos(alpha), -np.sin(alpha), 0], [0, np.sin(alpha), np.cos(alpha), 0], [0, 0, 0, 1]]
    )
    c = from_dh(rows, "proximal", tool=tool)
    for model in (a, b, c):
        assert np.max(np.abs(mass_matrix(model, Q) - M)) < 2e-14 * np.max(M)
    np.testing.assert_allclose(link_poses(c, Q)["tool"], link_poses(a, Q)["link5"], rtol=0, atol=1e-15 * 20)
    for one, other in zip(b.bodies, c.bodies, strict=True):
        np.testing.assert_allclose(one.placement.matrix(), other.placement.matrix(), rtol=0, atol=1e-15)


def test_names_rows_and_shapes_of_inertia():
    model = from_dh([DH(a=0.3, mass=1.0, name="upper"), {"mass": 1, "inertia": (1, 1, 1)}], tool=(0.1, 0, 0))
    assert [link.name for link in model.links] == ["base", "upper", "link2", "tool"]
    assert [body.name for body in model.bodies[1:]] == ["upper", "joint2"]
    full = from_dh([{"mass": 1, "inertia": [[2, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2]]}])
    six = from_dh([{"mass": 1, "inertia": np.array([2, 2, 2, 0.1, 0.2, 0.3])}])
    assert full.fingerprint == six.fingerprint


def test_right_angles_are_exact():
    model = from_dh(
        [{"alpha": np.pi / 2, "d": 0.5, "mass": 1, "inertia": (1, 1, 1)}, {"mass": 1, "a": 1.0, "alpha": -np.pi / 2}]
    )
    assert set(model.bodies[2].placement.rotation) == {0.0, 1.0, -1.0}
    assert model.bodies[2].placement.origin == (0.0, 0.0, 0.5)


BAD = [
    ({"alfa": 1}, "unknown key 'alfa'.*alpha"),
    ({"joint": "hinge"}, "joint is 'hinge'"),
    ({"a": "1"}, "a is '1'"),
    ({"a": float("nan")}, "a is nan"),
    ({"a": 1j}, "a is"),
    ({"mass": -1}, "mass is -1"),
    ({"mass": 1, "com": (1, 2)}, "com.*3 numbers"),
    ({"mass": 1, "inertia": (1, 2, 3, 4)}, "inertia has 4 entries"),
    ({"mass": 1, "inertia": [[1, 2, 0], [0, 1, 0], [0, 0, 1]]}, "not symmetric"),
    ({"mass": 1, "inertia": (1, 1, 9)}, "principal moments"),
    ({"d": 1, "b": 2}, "both 'd' and 'b'"),
    ({"r": (0, 0, 0), "com": (0, 0, 0)}, "com is given too"),
    ({"mass": 0}, "moves no inertia"),
    ({"armature": -1}, "armature is -1"),
    ({"lower": 1, "upper": -1, "mass": 1, "a": 1}, "lower limit"),
    ([1, 2], "it is a list"),
    ({"name": 3}, "name is 3"),
]


@pytest.mark.parametrize(("row", "message"), BAD)
def test_bad_rows_are_named(row, message):
    with pytest.raises(ModelError, match=message) as caught:
        from_dh([{"mass": 1.0, "a": 0.1}, row])
    assert "row 2" in str(caught.value)


def test_bad_tables():
    for call, error in (
        (lambda: from_dh([]), ModelError),
        (lambda: from_dh("abc"), ModelError),
        (lambda: from_dh({"a": 1}), ModelError),
        (lambda: from_dh([{"mass": 1, "a": 1}], "french"), InputError),
        (lambda: from_dh([{"mass": 1, "a": 1, "r": (0, 0, 0)}], "distal"), ModelError),
        (lambda: from_dh([{"mass": 1, "a": 1}], tool=np.zeros((4, 4))), ModelError),
        (lambda: from_dh([{"mass": 1, "a": 1}], gravity=(0, 0)), ModelError),
    ):
        with pytest.raises(error):
            call()


def random_arm(rng, n=6):
    """A chain with arbitrary joint frames: skew, parallel, meeting and coinciding axes."""
    turns = [(0, 0, 0), (np.pi / 2, 0, 0), (0, np.pi / 2, 0), (np.pi, 0, 0)]
    links, joints = [LinkSpec("base")], []
    for k in range(1, n + 1):
        rpy = turns[rng.integers(4)] if rng.random() < 0.5 else rng.normal(size=3)
        xyz = rng.normal(size=3) * rng.integers(0, 2, size=3)
        links.append(LinkSpec(f"l{k}", 1 + rng.random(), rng.normal(size=3), (1, 1.1, 1.2, 0.1, 0.2, 0.3)))
        kind = "prismatic" if rng.random() < 0.3 else "revolute"
        origin, axis = (
            (Placement.from_rpy(xyz, rpy), rng.normal(size=3) if rng.random() < 0.5 else (1, 0, 0))
            if k > 1
            else (Placement(), None)
        )
        joints.append(
            JointSpec(f"j{k}", kind, links[-2].name, f"l{k}", origin, axis=axis, armature=0.1, lower=-1, upper=2)
        )
    return build("arm", links, joints)


@pytest.mark.parametrize("convention", ["saha", "distal", "proximal"])
@pytest.mark.parametrize("seed", range(12))
def test_any_arm_has_a_table(seed, convention):
    rng = np.random.default_rng(seed)
    model = random_arm(rng)
    again = from_dh(to_dh(model, convention), convention)
    assert [b.name for b in again.bodies] == [b.name for b in model.bodies]
    assert [(b.lower, b.upper, b.armature) for b in again.bodies] == [
        (b.lower, b.upper, b.armature) for b in model.bodies
    ]
    for _ in range(3):
        q = rng.uniform(-2, 2, 6)
        one, other = mass_matrix(model, q), mass_matrix(again, q)
        np.testing.assert_allclose(other, one, rtol=0, atol=1e-11 * np.max(np.abs(one)))
        np.testing.assert_allclose(gravity_forces(again, q), gravity_forces(model, q), rtol=0, atol=1e-10)


@pytest.mark.parametrize("convention", ["saha", "distal", "proximal"])
def test_base_and_tool_go_along(convention):
    rng = np.random.default_rng(3)
    model = random_arm(rng)
    first = Placement.from_rpy((1, 2, 3), (0.1, 0.2, 0.3))
    moved = model.with_bodies([model.bodies[0], replace(model.bodies[1], placement=first), *model.bodies[2:]])
    with pytest.raises(ModelError, match=r"no .* table from its base frame"):
        to_dh(moved, convention)
    base, rows, tool = dh_with_base(moved, convention)
    again = from_dh(rows, convention, base_placement=base, tool=tool)
    q = rng.uniform(-2, 2, 6)
    np.testing.assert_allclose(link_poses(again, q)["tool"], link_poses(moved, q)["l6"], rtol=0, atol=1e-11)
    np.testing.assert_allclose(mass_matrix(again, q), mass_matrix(moved, q), rtol=1e-10, atol=1e-10)


@pytest.mark.parametrize("convention", ["saha", "distal"])
def test_a_table_survives_the_round_trip(convention):
    rows = saha() if convention == "saha" else distal()
    for given, made in zip(rows, to_dh(from_dh(rows, convention), convention), strict=True):
        for key in ("theta", "b" if convention == "saha" else "d", "a", "alpha", "mass"):
            assert abs(given[key] - made[key]) < 1e-14, key
        np.testing.assert_allclose(
            made["com"], given["com"] if convention == "distal" else np.negative(given["r"]), rtol=0, atol=1e-14
        )
        np.testing.assert_allclose(made["inertia"], given["inertia"], rtol=0, atol=1e-14)
    puma = to_dh(robots.puma560(), "distal")
    assert [row["d"] for row in puma] == [0.67183, 0.0, 0.15005, 0.4318, 0.0, 0.0]
    assert [row["a"] for row in puma] == [0.0, 0.4318, 0.0203, 0.0, 0.0, 0.0]


def test_modified_table_of_the_puma():
    rows = to_dh(robots.puma560(), "proximal")
    right = np.pi / 2
    assert [row["alpha"] for row in rows] == [0, right, 0, -right, right, -right]
    assert [row["a"] for row in rows] == [0, 0, 0.4318, 0.0203, 0, 0]
    np.testing.assert_allclose(rows[1]["com"], (0.068, 0.006, 0.2275), rtol=0, atol=1e-15)
    np.testing.assert_allclose(rows[2]["inertia"][:3], (0.066, 0.0125, 0.086), rtol=0, atol=1e-15)
    first = from_dh([{"alpha": 0.4, "a": 0.2, "mass": 1.0, "com": (0.1, 0, 0)}], "proximal")
    assert from_dh(to_dh(first, "proximal"), "proximal").fingerprint == first.fingerprint


def test_ur5_has_a_table():
    model = robots.ur5()
    again = from_dh(to_dh(model, "distal"), "distal")
    q = np.linspace(-1, 1, 6)
    np.testing.assert_allclose(mass_matrix(again, q), mass_matrix(model, q), rtol=0, atol=1e-13)


def test_no_table():
    for model, reason in ((robots.panda(), "branches|mimics"), (load("planar3", base="floating"), "floating")):
        with pytest.raises(ModelError, match=reason):
            to_dh(model)
    with pytest.raises(InputError):
        to_dh(robots.planar3(), "french")


@pytest.mark.parametrize("options", [{}, {"base": "floating"}, {"locked": {"joint2": 0.3}}])
def test_files_with_impossible_bodies_take_on_invalid(options, tmp_path):
    """What the message recommends works for a DH file too, with every other option."""
    path = tmp_path / "x.toml"
    path.write_text(
        'convention = "distal"\n' + "[[dh]]\na = 0.3\nmass = 1.0\ncom = [0.1, 0, 0]\ninertia = [1.0, 0.1, 0.1]\n" * 2
    )
    with pytest.raises(ModelError, match="on_invalid='warn' or 'repair'"):
        load(path, **options)
    with pytest.warns(OrdernWarning, match="kept as it is"):
        kept = load(path, on_invalid="warn", **options)
    assert kept.links[1].inertia[:3] == (1.0, 0.1, 0.1)
    with pytest.warns(OrdernWarning, match="its inertia is now 0.2, 0.1, 0.1"):
        mended = load(path, on_invalid="repair", **options)
    np.testing.assert_allclose(mended.links[1].inertia, (0.2, 0.1, 0.1, 0, 0, 0), rtol=0, atol=1e-15)


def test_angles_and_lengths_with_units():
    """What says its unit is what its number in rad and m is, in Python and in a file, whatever the file's own angles are in."""
    typed = [
        {
            "a": "430mm",
            "alpha": "90deg",
            "theta": "-45 °",
            "lower": "-170deg",
            "upper": "170 deg",
            "mass": 1.0,
            "inertia": (1, 1, 1),
        },
        {
            "joint": "P",
            "a": "0.1m",
            "alpha": "1.5rad",
            "lower": "10mm",
            "upper": "5cm",
            "mass": 1.0,
            "inertia": (1, 1, 1),
        },
    ]
    plain = [
        {
            "a": 0.43,
            "alpha": np.pi / 2,
            "theta": -np.pi / 4,
            "lower": -np.radians(170),
            "upper": np.radians(170),
            "mass": 1.0,
            "inertia": (1, 1, 1),
        },
        {"joint": "P", "a": 0.1, "alpha": 1.5, "lower": 0.01, "upper": 0.05, "mass": 1.0, "inertia": (1, 1, 1)},
    ]
    for convention in ("saha", "distal", "proximal"):
        assert from_dh(typed, convention) == from_dh(plain, convention)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"a": "90deg"}, "a is '90deg', an angle; a length goes here"),
        ({"alpha": "30mm"}, "alpha is '30mm', a length; an angle goes here"),
        ({"alpha": "90"}, "such as '90deg'"),
        ({"alpha": "ninety deg"}, "such as '90deg'"),
        ({"alpha": "1e400deg"}, "finite"),
        ({"joint": "P", "lower": "1deg"}, "a length goes here"),
        ({"mass": "3m"}, "mass is '3m'; it must be a number"),
    ],
)
def test_units_that_do_not_belong_there(row, said):
    with pytest.raises(ModelError, match="DH table row 1") as caught:
        from_dh([row], "standard")
    assert said in str(caught.value)


def test_degrees_in_a_file(tmp_path):
    """A unit that is written counts, also in a file whose bare angles are degrees (upper, 1 deg or 1 rad, tells them apart)."""
    rows = "[[dh]]\na = 0.4\nalpha = {0}\nlower = {1}\nupper = 1.0\nmass = 1.0\ninertia = [1, 1, 1]\n"
    made = []
    for alpha, lower, head in (
        ('"90deg"', '"-30deg"', ""),
        ('"90deg"', '"-30deg"', "degrees = true\n"),
        ("90", "-30", "degrees = true\n"),
    ):
        (tmp_path / "arm.toml").write_text('convention = "standard"\n' + head + rows.format(alpha, lower))
        made.append(load(tmp_path / "arm.toml"))
    assert [m.bodies[1].lower for m in made] == [made[0].bodies[1].lower] * 3 and made[0].bodies[
        1
    ].lower == pytest.approx(np.radians(-30))
    poses = [link_poses(m, np.array([0.3]))["link1"] for m in made]
    assert poses[1] == pytest.approx(poses[0], abs=1e-15) and poses[2] == pytest.approx(
        poses[0], abs=1e-15
    )  # one rounding of pi/2


def test_every_angle_of_a_file_in_degrees_is_one(tmp_path):
    """Of sliding joints only alpha and theta are angles."""
    angles, row = ("alpha", "theta", "lower", "upper", "velocity", "springref"), {"mass": 1.0, "inertia": [1, 1, 1]}
    for joint in ("revolute", "prismatic"):
        row |= {key: 0.1 * k for k, key in enumerate(angles, 1)} | {"joint": joint, "stiffness": 3.0}
        turned = row | {key: float(np.degrees(row[key])) for key in (angles if joint == "revolute" else angles[:2])}
        lines = [f"{key} = {value!r}" for key, value in turned.items()]
        (tmp_path / "arm.toml").write_text("\n".join(["degrees = true", "[[dh]]", *lines]))
        one, other = load(tmp_path / "arm.toml").bodies[1], from_dh([row]).bodies[1]
        for key in angles[2:]:  # two roundings
            assert getattr(one, key) == pytest.approx(getattr(other, key), rel=1e-15), (joint, key)


@pytest.mark.parametrize("convention", ["saha", "distal", "proximal"])
@pytest.mark.parametrize(("off", "told"), [(0.0, False), (1e-2, False), (3e-6, True), (1e-12, False)])
def test_axes_that_rounding_left_almost_parallel_are_told(convention, off, told):
    """A table of such axes has a normal that is far away, and loses digits; quaternions of six digits make them."""
    links = [LinkSpec("base"), *(LinkSpec(n, 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1, 0, 0, 0)) for n in "ab")]
    second = JointSpec("elbow", "revolute", "a", "b", Placement.from_rpy((0.1, 0.2, 0), (off, 0, 0)), axis=(0, 0, 1))
    model = build("x", links, [JointSpec("shoulder", "revolute", "base", "a", axis=(0, 0, 1)), second])
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        dh_with_base(model, convention)
    assert told == any("'shoulder' and 'elbow' are parallel but for" in str(w.message) for w in heard)


@pytest.mark.parametrize(("alpha", "warns"), [(0.002, False), (0.0, True), (np.pi, True), (0.5, True)])
def test_axes_that_are_almost_parallel_meet_far_away(alpha, warns):
    """Lengths of 220 m are taken for millimetres, but not where the table's own angles put a common normal there."""
    rows = [{"a": 0.0, "d": -220.0, "alpha": alpha}, {"a": 0.3, "d": 220.5, "alpha": 0.0}]
    rows = [row | {"mass": 1.0, "com": (0.1, 0.0, 0.0), "inertia": (0.1, 0.1, 0.1)} for row in rows]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        from_dh(rows)
    assert bool(said) == warns


@pytest.mark.parametrize("convention", ["saha", "distal", "proximal"])
@pytest.mark.parametrize("name", ["bricard", "fourbars1", "contact"])
def test_a_chain_that_is_closed_has_no_table(name, convention):
    """Its loops would be missing: a table of the tree alone is another robot."""
    arm = ordern.robots.planar3()
    robot = arm.with_contacts({"link3": "point"}, [0.3, 0.4, 0.5]) if name == "contact" else ordern.load(name)
    for write in (lambda: robot.to_dh(convention), lambda: dh_text(robot.model, convention)):
        with pytest.raises(ModelError, match="describes an open chain"):
            write()


def test_r_leads_from_the_mass_centre_to_the_origin():
    row = {"joint": "revolute", "mass": 2.0, "inertia": [0.1, 0.1, 0.1, 0.0, 0.0, 0.0]}
    a, b = from_dh([row | {"r": [0.1, -0.2, 0.3]}], "saha"), from_dh([row | {"com": [-0.1, 0.2, -0.3]}], "saha")
    assert a.bodies[1].inertia == b.bodies[1].inertia and np.linalg.norm(a.bodies[1].inertia.h) > 0
