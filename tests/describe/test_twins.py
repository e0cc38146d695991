"""One robot by two authors: Menagerie's MJCF and the URDF or xacro that others keep of it give the same mass matrix and gravity forces.

What differs does so in the files: the table says where.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import needs
from ordern.algorithms.registry import choose
from ordern.describe.load import load
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.errors import OrdernWarning
from ordern.runtime.numbers import numbers

DIGITS = 5e-5  # both files are written with five or six digits, angles too
ARMS = "interbotix_ros_manipulators/interbotix_ros_xsarms/interbotix_xsarm_descriptions"
SAME = {  # MJCF: repository and file, its package, arguments of its xacro
    "franka_fr3/fr3.xml": ("franka_description/robots/fr3/fr3.urdf.xacro", "franka_description", {"hand": "false"}),
    "franka_emika_panda/panda_nohand.xml": (
        "franka_ros/franka_description/robots/panda/panda.urdf.xacro", "franka_ros/franka_description",
        {"hand": "false", "gazebo": "true"},
    ),
    "kinova_gen3/gen3.xml": (
        "ros_kortex/kortex_description/robots/gen3.xacro", "ros_kortex/kortex_description", {"dof": "7"},
    ),
    "trossen_vx300s/vx300s.xml": (
        f"{ARMS}/urdf/vx300s.urdf.xacro", ARMS, {"robot_name": "vx300s", "robot_model": "vx300s"},
    ),
    "rethink_robotics_sawyer/sawyer.xml": (
        "sawyer_robot/sawyer_description/urdf/sawyer_base.urdf.xacro", "sawyer_robot/sawyer_description", {},
    ),
    "unitree_go1/go1.xml": ("unitree_ros/robots/go1_description/urdf/go1.urdf", "", {}),
    "unitree_g1/g1.xml": ("unitree_ros/robots/g1_description/g1_29dof_rev_1_0.urdf", "", {}),
    "unitree_g1/g1_with_hands.xml": ("unitree_ros/robots/g1_description/g1_29dof_with_hand_rev_1_0.urdf", "", {}),
    "unitree_z1/z1.xml": ("unitree_ros/robots/z1_description/xacro/z1.urdf", "", {}),
    "ufactory_xarm7/xarm7_nohand.xml": ("xarm_description/urdf/xarm7.urdf", "", {}),
    "anybotics_anymal_c/anymal_c.xml": ("anymal_c_simple_description/urdf/anymal.urdf", "", {}),
}  # fmt: skip
OTHER = {  # the same, and what their authors do not agree on
    "universal_robots_ur5e/ur5e.xml": (
        "universal_robot/ur_description/urdf/ur5e.xacro", "universal_robot/ur_description", {}, "mass of wrist 3",
    ),
    "unitree_a1/a1.xml": ("unitree_ros/robots/a1_description/urdf/a1.urdf", "", {}, "place of the hips, by 2.5 mm"),
    "unitree_go2/go2.xml": (
        "unitree_ros/robots/go2_description/urdf/go2_description.urdf", "", {}, "rotors as links of their own",
    ),
    "unitree_h1/h1.xml": ("unitree_ros/robots/h1_description/urdf/h1.urdf", "", {}, "masses of the legs"),
}  # fmt: skip


def named(name):
    return re.sub(r"_joint$|^fr3_|^panda_", "", name.lower()).replace("joint_", "joint")


def mechanics(model):
    """Without what only one of both formats holds."""
    none = {"armature": (), "stiffness": (), "springref": (), "mimic": None}
    return replace(
        model.changed(loops=(), actuated=None, home=(), passive=(), drives=(), states=()),
        bodies=tuple(replace(b, **none) for b in model.bodies),
    )


def apart(mjcf, path, package, arguments):
    """How far both are apart, relative to the largest element: mass matrix and gravity forces of the joints both have."""
    here = next(p for p in (Path(needs.TWINS) / path, needs.EXAMPLES / path) if p.is_file())
    more = {"packages": {Path(package).name: str(Path(needs.TWINS) / package)}} if package else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        a = mechanics(load_mjcf(Path(needs.MENAGERIE) / mjcf, on_invalid="warn", mimic=False))
        base = "floating" if any(b.joint.name == "floating" for b in a.bodies[1:]) else "fixed"
        more |= {"xacro_args": arguments} if here.suffix == ".xacro" else {}
        b = mechanics(load(here, on_invalid="warn", mimic=False, base=base, **more))
    found = [{named(m.bodies[i].name): i for i in m.free if m.bodies[i].joint.nv == 1} for m in (a, b)]
    if len(found[0]) == len(found[1]) and found[0].keys() != found[1].keys():
        found[1] = dict(zip(found[0], found[1].values(), strict=True))  # other names in the same order
    both, worst, rng = [k for k in found[0] if k in found[1]], 0.0, np.random.default_rng(0)
    assert len(both) == len(found[0])
    for _ in range(2):
        x, made = rng.uniform(-0.5, 0.5, len(both)), []
        for m, at in zip((a, b), found, strict=True):
            q = np.array([e for i in m.free for e in m.bodies[i].joint.neutral])
            q[[m.offsets[at[k]][0] for k in both]] = x
            rows = [m.offsets[at[k]][1] for k in both]
            M, g = (numbers(choose(what, None, m), m)(q) for what in ("mass_matrix", "gravity_forces"))
            made.append((M[np.ix_(rows, rows)], g[rows]))
        worst = max([worst, *(np.abs(s - t).max() / np.abs(t).max() for s, t in zip(*made, strict=True))])
    return worst


@needs.twins
@pytest.mark.parametrize("mjcf", SAME)
def test_the_same_robot(mjcf):
    assert apart(mjcf, *SAME[mjcf]) < DIGITS


@needs.twins
@pytest.mark.parametrize("mjcf", OTHER)
def test_what_differs_in_the_files_is_seen(mjcf):
    *where, _ = OTHER[mjcf]
    assert apart(mjcf, *where) > DIGITS
