"""Loops of every kind, in general position: kept by every format that has them, and listed by `ordern info`."""

from __future__ import annotations

import json
import shlex
from dataclasses import astuple

import numpy as np
import pytest

import ordern
from ordern.cli import _guarded
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, build
from ordern.describe.respec import rebuilt
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.toml.toml_write import to_toml
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.describe.urdf.urdf_write import to_urdf
from ordern.model import Placement

KINDS = {
    "fixed": {}, "revolute": {"axis": (0.2, 1.0, 0.3)}, "prismatic": {"axis": (1.0, 0.1, 0.0)}, "cylindrical": {"axis": (0.3, -1.0, 2.0)},
    "helical": {"axis": (0.0, 1.0, 0.7), "pitch": 0.3}, "universal": {"axis": (1.0, 2.0, 2.0), "axis2": (2.0, 1.0, -2.0)},
    "planar": {"axis": (1.0, 1.0, 0.0)}, "spherical": {}, "point": {}, "distance": {"length": 0.4},
}  # fmt: skip
EQUATIONS = dict(zip(KINDS, (6, 5, 5, 4, 5, 4, 3, 3, 3, 1), strict=True))


def tied(kind, one):
    """Two arms on joints of every freedom that a closure may need, tied to each other or one of them to the world."""
    heavy = (0.02, 0.03, 0.025, 0.001, 0.0, 0.002)
    links = [LinkSpec("base")] + [LinkSpec(n, 1.3, (0.05, -0.02, 0.1), heavy) for n in ("turn", "float")]
    at = Placement.from_rpy((0.1, 0.2, 0.0), (0.3, 0.1, 0.5))
    joints = [
        JointSpec("turn", "revolute", "base", "turn", at, axis=(0.2, 1.0, 0.4)),
        JointSpec("float", "floating", "base", "float"),
    ]
    ends = {"xyz1": (0.1, 0.0, 0.05), "rpy1": (0.1, 0.2, 0.3), "xyz2": (0.0, 0.1, 0.0), "rpy2": (0.3, 0.0, -0.2)}
    loop = LoopSpec("tie", kind, one, "float", **ends, **KINDS[kind])
    return build("tied", links, joints, loops=[loop], actuated=["turn"] if one != "world" else None)


@pytest.mark.parametrize("one", ["turn", "world"])
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_comes_back(kind, one):
    model = tied(kind, one)
    q = np.array(model.home) + 0.0
    wanted = ordern.Robot(model).constraint_jacobian(q)
    urdf = load_urdf(to_urdf(model))
    for again in (loads_toml(to_toml(model)), urdf, rebuilt(model, {})):
        if again is urdf:  # whose angles are rounded; its frames are compared by what they do
            assert [(x.kind, x.kept, x.constants) for x in again.loops] == [
                (x.kind, x.kept, x.constants) for x in model.loops
            ]
        else:
            assert [astuple(loop) for loop in again.loops] == [astuple(loop) for loop in model.loops]
        assert again.actuated == model.actuated and again.driven == model.driven
        np.testing.assert_allclose(ordern.Robot(again).constraint_jacobian(q), wanted, rtol=0, atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_info_lists_equations_rank_and_what_is_left(kind, tmp_path, capsys):
    path, robot = tmp_path / "tied.toml", ordern.Robot(tied(kind, "turn"))
    robot.save(path)
    assert _guarded(shlex.split(f"info {path} --json")) == 0
    said = json.loads(capsys.readouterr().out)
    (row,) = said["loops"]
    assert row["loop"] == "tie" and row["type"] == kind and row["between"] == "turn, float"
    assert int(row["equations"]) == EQUATIONS[kind] and len(row["kept"].split(", ")) == EQUATIONS[kind]
    assert robot.mobility(np.array(robot.model.home)) == robot.n - EQUATIONS[kind]
