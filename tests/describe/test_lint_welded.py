"""Masses on links of their own, welded to the link with the shapes, as ROS wants them for a root: no remark, unless they are wrong."""

from __future__ import annotations

import pytest

import ordern

ROBOT = """<robot name="dog"><link name="base"><visual><geometry><box size="0.8 0.4 0.3"/></geometry></visual></link>
<link name="base_inertia"><inertial><origin xyz="{com} 0 0"/><mass value="17"/>
<inertia ixx="{xx}" iyy="{yy}" izz="{yy}" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="weld" type="fixed"><parent link="base"/><child link="base_inertia"/></joint>
<link name="leg"><inertial><origin xyz="0 0 -0.1"/><mass value="2"/>
<inertia ixx="0.01" iyy="0.01" izz="0.002" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hip" type="revolute"><origin xyz="0.3 0.1 0"/><parent link="base"/><child link="leg"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="40" velocity="10"/></joint></robot>"""


def remarks(scale=1.0, com=0.0):
    robot = ordern.load(ROBOT.format(com=com, xx=0.3 * scale, yy=0.6 * scale), base="floating")
    return [r for r in robot.lint() if r.where == "link 'base_inertia'" and r.level == "warning"]


def test_a_good_robot_is_left_alone():
    assert remarks() == []


@pytest.mark.parametrize("wrong", [{"scale": 1e3}, {"scale": 1e-3}, {"com": 30.0}])
def test_wrong_ones_are_found(wrong):
    assert remarks(**wrong)
