"""Shapes and states of a URDF count, or are refused or told of: every place, kind and spelling."""

from __future__ import annotations

from dataclasses import replace

import pytest

import ordern
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.errors import ModelError
from ordern.model import State

SHAPES = {
    "box": "<box size='1 2 3'/>", "cylinder": "<cylinder radius='1' length='2'/>", "sphere": "<sphere radius='1'/>",
    "capsule": "<capsule radius='1' length='2'/>", "mesh": "<mesh filename='nowhere.stl'/>",
}  # fmt: skip
SOLID = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"


def robot(inner, late=False):
    material = "<material name='late'><color rgba='1 0 0 1'/></material>" if late else ""
    return f"<robot name='r'><link name='a'>{SOLID}{inner}</link>{material}</robot>"


@pytest.mark.parametrize("late", [False, True])  # links that wait for a material are read at the end
@pytest.mark.parametrize("tag", ["visual", "collision"])
def test_a_shape_is_read_refused_or_told_of(tag, late):
    paint = "<material name='late'/>" if late else ""

    def load(inner):
        model = load_urdf(robot(f"<{tag}>{inner}{paint}</{tag}>", late))
        return getattr(model.links[0], f"{tag}s"), [what for who, what, _ in model.suspect if "'a'" in who]

    for kind, text in SHAPES.items():
        shapes, told = load(f"<geometry>{text}</geometry>")
        assert ([s.kind for s in shapes], told) == ([kind], [])
        wrong = text.replace(kind, f"{kind[:-1]}x{kind[-1]}" if len(kind) > 3 else f"{kind}e")
        with pytest.raises(ModelError, match=rf"unknown element.*'{kind}'"):
            load(f"<geometry>{wrong}</geometry>")
        shapes, told = load(f"<geometry>{text}</geometry><contact_coefficients mu='1'/>")
        assert (len(shapes), told) == (1, [])
    for odd in ("cone", "plane", "ellipsoid"):
        shapes, told = load(f"<geometry><{odd} radius='1'/></geometry>")
        assert shapes == () and len(told) == 1 and f"<{odd}> in line 1" in told[0]
    for wrong, right in (("orgin", "origin"), ("geometri", "geometry")):
        inner = "<geometry><sphere radius='1'/></geometry>" if right == "origin" else ""
        with pytest.raises(ModelError, match=rf"unknown element.*'{right}'"):
            load(f"{inner}<{wrong} xyz='1 0 0'/>")


@pytest.mark.parametrize(
    "options", [{}, {"base": "floating"}, {"locked": {"joint2": 0.5}}, {"locked": {"joint1": 0.5, "joint2": 0.5}}]
)
@pytest.mark.parametrize("form", ["urdf", "sdf"])
def test_a_state_of_an_unknown_joint_is_refused(tmp_path, form, options):
    model = ordern.load("planar3").model
    arm = ordern.Robot(replace(model, states=(State("up", (0.1, 0.2, 0.3), (0.0, 1.0, 0.0)),)))
    path = tmp_path / f"a.{form}"
    (arm.to_urdf if form == "urdf" else arm.to_sdf)(path)
    (state,) = ordern.load(path, **options).model.states
    assert 0.3 in state.q
    text = path.read_text()
    for name in arm.joint_names:
        wrong = text.replace(f'at joint="{name}"', f'at joint="{name}_"')
        assert wrong != text
        path.write_text(wrong)
        with pytest.raises(ModelError, match=rf"no joint '{name}_'; correct the name.*'{name}'"):
            ordern.load(path, **options)
