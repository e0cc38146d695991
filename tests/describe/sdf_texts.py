"""Small SDF files and the URDF that means the same, for the tests of SDF."""

import numpy as np

import robots
from ordern.describe.sdf.sdf_read import load_sdf
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.robot import Robot

MASS = "<inertial><pose>.1 .2 .3 0 0 0</pose><mass>2</mass><inertia><ixx>.3</ixx><iyy>.4</iyy><izz>.5</izz><ixy>.01</ixy></inertia></inertial>"
URDF_MASS = "<inertial><origin xyz='.1 .2 .3'/><mass value='2'/><inertia ixx='.3' iyy='.4' izz='.5' ixy='.01' ixz='0' iyz='0'/></inertial>"
POSE = "<pose>.1 .2 .3 .4 .5 .6</pose>"
AXIS = "<axis><xyz>1 2 3</xyz></axis>"
ENDS = "<parent>a</parent><child>b</child>"


def sdf(inside, version="1.9", name="r"):
    return f"<sdf version='{version}'><model name='{name}'>{inside}</model></sdf>"


def link(name, pose=""):
    return f"<link name='{name}'>{pose}{MASS}</link>"


def urdf(kind="revolute", axis="1 2 3", origin="xyz='.1 .2 .3' rpy='.4 .5 .6'", more=""):
    return (
        f"<robot name='r'><link name='a'>{URDF_MASS}</link><link name='b'>{URDF_MASS}</link><joint name='j' type='{kind}'>"
        f"<origin {origin}/><parent link='a'/><child link='b'/><axis xyz='{axis}'/>{more}</joint></robot>"
    )


def same(text, other, **options):
    """Both give the same mass matrix, torques and poses."""
    a, b = (
        Robot(m if not isinstance(m, str) else (load_sdf if "<sdf" in m else load_urdf)(m, **options))
        for m in (text, other)
    )
    q, qd, qdd, _ = robots.state(a.model, np.random.default_rng(0), (3,))
    assert np.allclose(a.mass_matrix(q), b.mass_matrix(q), rtol=0, atol=1e-13)
    assert np.allclose(a.inverse_dynamics(q, qd, qdd), b.inverse_dynamics(q, qd, qdd), rtol=0, atol=1e-12)
    theirs = b.forward_kinematics(q)
    for name, pose in a.forward_kinematics(q).items():
        if name in theirs:
            assert np.allclose(pose, theirs[name], rtol=0, atol=1e-13), name


ARM = f"{link('a')}{link('b')}<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 0 1</xyz>%s</axis></joint>"
PAIR = (
    f"<link name='a'>{MASS}</link><link name='b'>{MASS}</link>"
    "<joint name='j' type='revolute'><parent>a</parent><child>b</child><axis><xyz>0 1 0</xyz></axis></joint>"
)
