"""DH tables: three conventions, one robot; bad rows name row and key."""

import numpy as np
import pytest

from ordern.describe.dh import DH, from_dh
from ordern.describe.physical import matrix
from ordern.errors import InputError, ModelError

from .mechanics import link_poses, mass_matrix

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


def test_three_conventions_one_robot():
    a, b = from_dh(saha(), "saha"), from_dh(distal(), "distal")
    assert a.fingerprint == b.fingerprint
    rows, (x, alpha) = proximal()
    tool = np.array([[1, 0, 0, x], [0, np.cos(alpha), -np.sin(alpha), 0], [0, np.sin(alpha), np.cos(alpha), 0], [0, 0, 0, 1]])
    c = from_dh(rows, "proximal", tool=tool)
    for model in (a, b, c):
        assert np.max(np.abs(mass_matrix(model, Q) - M)) < 2e-14 * np.max(M)
    np.testing.assert_allclose(link_poses(c, Q)["tool"], link_poses(a, Q)["link5"], atol=1e-15 * 20)
    for one, other in zip(b.bodies, c.bodies, strict=True):
        np.testing.assert_allclose(one.placement.matrix(), other.placement.matrix(), atol=1e-15)


def test_names_rows_and_shapes_of_inertia():
    model = from_dh([DH(a=0.3, mass=1.0, name="upper"), {"mass": 1, "inertia": (1, 1, 1)}], tool=(0.1, 0, 0))
    assert [link.name for link in model.links] == ["base", "upper", "link2", "tool"]
    assert [body.name for body in model.bodies[1:]] == ["upper", "joint2"]
    full = from_dh([{"mass": 1, "inertia": [[2, 0.1, 0.2], [0.1, 2, 0.3], [0.2, 0.3, 2]]}])
    six = from_dh([{"mass": 1, "inertia": np.array([2, 2, 2, 0.1, 0.2, 0.3])}])
    assert full.fingerprint == six.fingerprint


def test_right_angles_are_exact():
    model = from_dh([{"alpha": np.pi / 2, "d": 0.5, "mass": 1, "inertia": (1, 1, 1)}, {"mass": 1, "a": 1.0, "alpha": -np.pi / 2}])
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
        (lambda: from_dh([{"mass": 1, "a": 1}], "standard"), InputError),
        (lambda: from_dh([{"mass": 1, "a": 1, "r": (0, 0, 0)}], "distal"), ModelError),
        (lambda: from_dh([{"mass": 1, "a": 1}], tool=np.zeros((4, 4))), ModelError),
        (lambda: from_dh([{"mass": 1, "a": 1}], gravity=(0, 0)), ModelError),
    ):
        with pytest.raises(error):
            call()
