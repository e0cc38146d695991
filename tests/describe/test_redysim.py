"""ReDySim's tables: the published torques of its KUKA KR5, tables of every kind against builds by hand, and texts that must be refused."""

from __future__ import annotations

import contextlib
import io

import numpy as np
import pytest
import scipy.io
from hypothesis import given, settings
from hypothesis import strategies as st

import ordern
from budget import examples
from ordern.describe.redysim.matlab_tables import tables
from ordern.describe.redysim.redysim_read import mat_tables
from ordern.errors import ModelError
from ordern.papers.redysim import KR5, TIMES, TORQUES

HEAD = "function [n dof type alp a b th bt r dx dy dz m g Icxx Icyy Iczz Icxy Icyz Iczx aj al Tp steps]=inputs()\n"


def text_of(t):
    """Tables as ReDySim's users write them."""
    rows = "".join(
        f"{name}=[{'; '.join(map(repr, map(float, values)))}]; % {name}\n" for name, values in t.items() if name != "n"
    )
    return HEAD + f"% System: a test\nn={t['n']};\n" + rows + "end\n"


def mat_of(t, packed=False):
    """The same tables as MATLAB saves them, with -v7 if packed and -v6 otherwise."""
    file = io.BytesIO()
    columns = {k: np.reshape(np.asarray(list(v) if isinstance(v, range) else v, float), (-1, 1)) for k, v in t.items()}
    scipy.io.savemat(file, columns, do_compression=packed)
    return file.getvalue()


def kr5():
    names = ("a", "alp", "b", "m", "dx", "dy", "dz", "Icxx", "Icyy", "Iczz")
    t = (
        {"n": 6}
        | dict(zip(names, np.array(KR5).T, strict=True))
        | {"bt": range(6), "th": np.zeros(6), "r": np.ones(6), "g": (0, 0, -9.81)}
    )
    return t | {name: np.zeros(6) for name in ("Icxy", "Icyz", "Iczx")} | {"aj": np.ones(6)}


MAT = {packed: mat_of(kr5(), packed) for packed in (False, True)}


@pytest.mark.parametrize("ending", ["m", "mat"])
def test_torques_of_the_kr5_to_seven_digits(tmp_path, ending):
    path = tmp_path / f"inputs.{ending}"
    if ending == "m":
        path.write_text(text_of(kr5()))
    else:
        path.write_bytes(mat_of(kr5()))
    robot = ordern.load(path)
    assert robot.joint_names == tuple(f"joint{k}" for k in range(1, 7))
    t, reach, w = np.array(TIMES)[:, None], np.pi / 3, 2 * np.pi
    state = [reach * (t - np.sin(w * t) / w), reach * (1 - np.cos(w * t)), reach * w * np.sin(w * t)]
    tau = robot.inverse_dynamics(*(x + np.zeros(6) for x in state))
    published = np.array(TORQUES)
    shown = np.abs(published) > 1e-12  # below are what rounding left of zeros
    assert np.all(np.abs(tau - published)[shown] <= 0.51e-6 * 10 ** np.floor(np.log10(np.abs(published[shown]))))
    assert np.abs(tau[~shown]).max() < 1e-12


def test_trees_prismatic_joints_drives_and_formulas(tmp_path):
    (tmp_path / "inputs.m").write_text(
        HEAD
        + """
%{
a comment of several lines: n=99;
%}
n=3; dof = 3; type=0;
r=[1 0 ...
   1];  aj=[1, 0, 1]';
al=[0.3; .25; 2.2e-1];
alp=[0; -pi/2; 0]; a=[0; al(1); al(1)]; b=[0.1; 0; -0.2]; th=[0; pi/6; 0];
bt=[0; 1; 1];
dx=[al(1)/2 -al(2)/2 al(3)/2]; dy=zeros(n,1); dz=0.01*ones(n,1); m=[0.5;
0.4; 0.3];
g=[0; -9.81; 0];
Icxx=zeros(n,1);Icyy=zeros(n,1);Iczz=zeros(n,1); Icxy=zeros(n,1);Icyz=zeros(n,1);Iczx=zeros(n,1);
Icxx(1)=(1/12)*m(1)*.01*.01;   Icyy(1)=(1/12)*m(1)*al(1)^2;  Iczz(1)=Icyy(1);
Icxx(2)=1e-3; Icyy(2)=2e-3; Iczz(2)=2.5e-3; Icyz(2) = -1e-4; Iczx(2)=2e-4; Icxy(2)=1e-5
Icxx(3)=1e-3; Icyy(3)=2e-3; Iczz(3)=2.5e-3;
save inputs.mat n dof
end"""
    )
    robot = ordern.load(tmp_path / "inputs.m")
    from ordern.describe.builder import JointSpec, LinkSpec, build
    from ordern.describe.dh.dh_table import turn_x, turn_z

    links = [
        LinkSpec("link1", 0.5, (0.15, 0, 0.01), (0.5e-4 / 12, 0.5 * 0.09 / 12, 0.5 * 0.09 / 12, 0, 0, 0)),
        LinkSpec("link2", 0.4, (-0.125, 0, 0.01), (1e-3, 2e-3, 2.5e-3, 1e-5, 2e-4, -1e-4)),
        LinkSpec("link3", 0.3, (0.11, 0, 0.01), (1e-3, 2e-3, 2.5e-3, 0, 0, 0)),
    ]
    joints = [
        JointSpec("joint1", "revolute", "world", "link1", child_frame=turn_z(0, 0.1)),
        JointSpec("joint2", "prismatic", "link1", "link2", turn_x(-np.pi / 2, 0.3), child_frame=turn_z(np.pi / 6)),
        JointSpec("joint3", "revolute", "link1", "link3", turn_x(0, 0.3), child_frame=turn_z(0, -0.2)),
    ]
    want = ordern.Robot(build("x", links, joints, gravity=(0, -9.81, 0), world=True))
    assert robot.actuated == ("joint1", "joint3")
    q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, 5, 3))
    np.testing.assert_allclose(
        robot.inverse_dynamics(q, qd, qdd), want.inverse_dynamics(q, qd, qdd), rtol=1e-13, atol=1e-13
    )


@pytest.mark.parametrize(("nq", "count"), [(1, 9), (0, 6)])
def test_floating_bases(tmp_path, nq, count):
    t = {k: list(np.asarray(v, float)[:4]) for k, v in kr5().items() if k not in ("n", "g", "r", "th", "aj")}
    t |= {"n": 4, "nq": [nq], "alp": [0.0] * 4, "g": [0, 0, 0]}
    (tmp_path / "inputs.m").write_text(text_of(t))
    assert ordern.load(tmp_path / "inputs.m").n == count


def test_closed_chains_are_trees_with_a_warning(tmp_path):
    (tmp_path / "inputs.m").write_text(text_of(kr5() | {"type": [1]}))
    with pytest.warns(ordern.OrdernWarning, match="jacobian.m"):
        assert ordern.load(tmp_path / "inputs.m").n == 6


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"bt": [0, 1, 2, 3, 4, 6]}, "bt is 6"),
        ({"bt": [0, 1, 2, 3, 4]}, "bt has 5 numbers"),
        ({"r": [1, 1, 1, 1, 1, 2]}, "r is 2"),
        ({"m": None}, "m is missing"),
        ({"n": "2.5"}, "whole number"),
        ({"n": "1:6"}, "':' has no place"),
        ({"n": "system('ls')"}, "inputs.m:3"),
    ],
)
def test_bad_tables_say_what_is_wrong(tmp_path, change, match):
    t = {k: v for k, v in (kr5() | change).items() if v is not None}
    (tmp_path / "inputs.m").write_text(text_of(t))
    with pytest.raises(ModelError, match=match):
        ordern.load(tmp_path / "inputs.m")


@pytest.mark.parametrize(
    "text",
    ["for i=1:3", "x = exec(1)", "delete *", "x = [1 2; 3]", "x(0)=1", "x = 1/0", "x = (", "x = [1", "!ls", "x = 'a'"],
)
def test_what_is_no_table_is_refused(text):
    with pytest.raises(ModelError, match="nothing is executed"):
        tables(text, "inputs.m")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("x = [1 -2]", [[1, -2]]), ("x = [1 - 2]", [[-1]]), ("x = [1, -2; 3 +4]", [[1, -2], [3, 4]]), ("x = -2^2", [[-4]]),
        ("x = [1 2]'", [[1], [2]]),
        ("x = 2*(1 - 3)/4", [[-1]]), ("x = [a(2) a(1)*2]", [[7, 10]]), ("x = sqrt(16) + sum(a)", [[16]]), ("x = [1\n2]", [[1], [2]]),
        ("x=1d-3", [[1e-3]]),
        ("x = [1 * 2 3]", [[2, 3]]), ("x = [(1 -2) 3]", [[-1, 3]]),
    ],
)  # fmt: skip
def test_expressions_are_matlab_s(text, value):
    assert tables("a = [5; 7]\n" + text, "inputs.m")["x"] == value


@settings(max_examples=150)
@given(st.text(alphabet="n=[]();,'+-*/^.0123456789 \n%abxzeros", max_size=60))
def test_any_text_is_tables_or_an_error(text):
    with contextlib.suppress(ModelError):
        tables(text, "inputs.m")


def test_only_loading_and_other_files(tmp_path):
    (tmp_path / "inputs.m").write_text(HEAD + "inputs_file = load ('inputs.mat');\nn = inputs_file.n;\nend")
    with pytest.raises(ModelError, match="only loads inputs"):
        ordern.load(tmp_path / "inputs.m")
    for junk in (b"", b"junk", b"\x89HDF\r\n" + bytes(600), b"MATLAB 5.0 MAT-file" + bytes(500)):
        (tmp_path / "inputs.mat").write_bytes(junk)
        with pytest.raises(ModelError):
            ordern.load(tmp_path / "inputs.mat")


@settings(max_examples=examples(300, 20_000))
@given(packed=st.booleans(), bites=st.lists(st.tuples(st.floats(0, 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_damaged_mat_files_are_tables_or_an_error(packed, bites):
    """SciPy's reader ends the process at some of these."""
    whole = bytearray(MAT[packed])
    for where, value in bites:
        whole[int(where * (len(whole) - 1))] = value
    with contextlib.suppress(ModelError):
        mat_tables(bytes(whole), "inputs.mat")


def test_mat_files_cut_off_anywhere():
    for packed, whole in MAT.items():
        for size in range(0, len(whole), 7):
            with contextlib.suppress(ModelError):
                mat_tables(whole[:size], f"inputs{packed}.mat")


@pytest.mark.parametrize(
    "value",
    ["text", {"a": 1.0}, np.array([1, "x"], object), np.array([[1j]]), np.zeros((2, 2, 2)), np.zeros((1, 100_001))],
)
def test_what_is_no_table_is_named(value):
    file = io.BytesIO()
    scipy.io.savemat(file, {"n": 2, "alp": value})
    with pytest.raises(ModelError, match="alp is no table"):
        mat_tables(file.getvalue(), "inputs.mat")


def test_other_levels_of_mat_files_say_how_to_save():
    file = io.BytesIO()
    scipy.io.savemat(file, {"n": 2.0}, format="4")
    for data in (file.getvalue(), b"\x89HDF" + bytes(600)):
        with pytest.raises(ModelError, match="save it with -v7"):
            mat_tables(data, "inputs.mat")
