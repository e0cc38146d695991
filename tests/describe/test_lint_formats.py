"""Slips of units are found in every format: degrees, a heavy link among light ones, inertias off by a thousand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.lint import lint
from ordern.describe.load import load
from ordern.describe.mjcf.mjcf_write import to_mjcf
from ordern.describe.sdf.sdf_write import to_sdf
from ordern.describe.toml.toml_write import to_toml
from ordern.describe.urdf.urdf_write import to_urdf
from ordern.model import Placement

WRITERS = {".urdf": to_urdf, ".toml": to_toml, ".xml": to_mjcf, ".sdf": to_sdf}


def arm(count, masses, factors, turn=(0.0, 0.0, 0.0)):
    """A chain of rods of 0.2 m; inertias are those of a mass of 0.2 kg per link, or of the mass given, times the factors."""
    joints, links = [], [LinkSpec("base")]
    for k, (m, factor) in enumerate(zip(masses, factors, strict=True)):
        parent = f"l{k - 1}" if k else "base"
        origin = Placement.from_rpy((0.0, 0.0, 0.2), turn if k == 1 else (0.0, 0.0, 0.0))
        limits = {"lower": -2.0, "upper": 2.0, "velocity": 5.0, "effort": 10.0}
        joints.append(JointSpec(f"j{k}", "revolute", parent, f"l{k}", origin=origin, axis=(0.0, 1.0, 0.0), **limits))
        I = 0.004 * factor * m
        links.append(LinkSpec(f"l{k}", m, (0.0, 0.0, 0.1), (I, 0.9 * I, 0.3 * I, 0.0, 0.0, 0.0)))
    return build(f"arm{count}", links, joints)


def remarks(text, suffix, folder):
    path = folder / f"arm{suffix}"
    path.write_text(text, "utf-8")
    return [r for r in lint(load(path)) if r.level == "warning"]


@pytest.mark.parametrize("count", [3, 5])
@pytest.mark.parametrize("suffix", WRITERS)
def test_masses_and_inertias(suffix, count, tmp_path):
    write = WRITERS[suffix]
    good, even = [0.2] * count, [1.0] * count
    assert not remarks(write(arm(count, good, even)), suffix, tmp_path)
    for k in range(count):
        masses = list(good)
        masses[k] = 188.0
        for factor in (1.0, 5.0):  # as dense as the others, or as large as its mass wants
            factors = list(even)
            factors[k] = factor
            found = remarks(write(arm(count, masses, factors)), suffix, tmp_path)
            assert any(r.where == f"link 'l{k}'" and "188 kg" in r.message for r in found)
        for factor in (1000.0, 0.001):
            factors = list(even)
            factors[k] = factor
            found = remarks(write(arm(count, good, factors)), suffix, tmp_path)
            assert {r.where for r in found} == {f"link 'l{k}'"}


POSES = {  # one angle of two elements, as each format spells it
    ".urdf": """<robot name="r"><link name="base"/><link name="l0">
        <inertial><origin rpy="0 {b} 0"/><mass value="1"/>
        <inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
        <joint name="j0" type="continuous"><parent link="base"/><child link="l0"/><origin rpy="{a} 0 0"/></joint></robot>""",
    ".toml": """format = 1
        link = [{{name = "base"}}, {{name = "l0", mass = 1, inertia = [0.01, 0.01, 0.01, 0, 0, 0], visual = [
            {{sphere = 0.1, rpy = [0, {b}, 0]}}]}}]
        [[joint]]
        name = "j0"
        type = "continuous"
        parent = "base"
        child = "l0"
        rpy = [{a}, 0, 0]""",
    ".xml": """<mujoco><compiler angle="radian"/><worldbody><body name="l0" euler="{a} 0 0"><joint name="j0"/>
        <inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
        <geom type="sphere" size="0.1" axisangle="0 1 0 {b}"/></body></worldbody></mujoco>""",
    ".sdf": """<sdf version="1.9"><model name="r"><link name="base"><inertial><mass>0.5</mass>
        <inertia><ixx>0.001</ixx><iyy>0.001</iyy><izz>0.001</izz></inertia></inertial></link>
        <joint name="w" type="fixed"><parent>world</parent><child>base</child></joint>
        <link name="l0"><pose>0 0 0 {a} 0 0</pose><inertial><pose>0 0 0 0 {b} 0</pose><mass>1</mass>
        <inertia><ixx>0.01</ixx><iyy>0.01</iyy><izz>0.01</izz></inertia></inertial></link>
        <joint name="j0" type="continuous"><parent>base</parent><child>l0</child><axis><xyz>0 0 1</xyz></axis></joint>
        </model></sdf>""",
}


@pytest.mark.parametrize("suffix", POSES)
def test_degrees(suffix, tmp_path):
    for a, b in [(90, 0), (0, -90), (180, 45), (-30, 0), (0, 7)]:
        found = remarks(POSES[suffix].format(a=a, b=b), suffix, tmp_path)
        assert found and all("turn" in r.message and "degrees" in r.remedy for r in found), (a, b)
        assert len(found) == np.count_nonzero((a, b))
    for a, b in [(0, 0), (1.5708, -3.1416), (6.28, -6.28), (3, 1)]:
        assert not any("degrees" in str(r) for r in remarks(POSES[suffix].format(a=a, b=b), suffix, tmp_path)), (a, b)


def test_radians_where_degrees_are_meant(tmp_path):
    """MJCF has degrees unless it says otherwise, SDF where it says so; then 1.5708 is the slip, and 90 is none."""
    text = POSES[".xml"].replace('angle="radian"', 'angle="degree"')
    for a, slip in [(math.pi / 2, True), (-3.1416, True), (1.5708, True), (90, False), (1.5, False), (3, False)]:
        found = remarks(text.format(a=a, b=0), ".xml", tmp_path)
        assert bool(found) == slip and all("radian" in str(r) for r in found), a
    text = POSES[".sdf"].replace("<pose>0 0 0 {a}", '<pose degrees="true">0 0 0 {a}')
    assert not remarks(text.format(a=90, b=0), ".sdf", tmp_path)
