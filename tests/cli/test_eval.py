"""ordern eval: every quantity of every kind of robot is what the library computes, as JSON and as a table."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

import ordern
from ordern.algorithms.registry import all_algorithms
from ordern.cli import _guarded
from ordern.cli.quantity import quantities
from ordern.robot import Robot
from robots import GRID, serial

KNOWN = quantities()


def test_nothing_is_left_out():
    assert {a.quantity for a in all_algorithms()} <= set(KNOWN)
    assert {"operational_inertia", "momentum", "center_of_mass"} <= set(KNOWN) and not {
        "integrate",
        "difference",
        "random",
    } & set(KNOWN)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("robots")
    made = {}
    for name, model in (("arm6", GRID["arm6"]()), ("mixed", serial("SRU", 3))):
        Robot(model).save(folder / f"{name}.toml")
        made[name] = folder / f"{name}.toml"
    return made


@pytest.mark.parametrize("quantity", KNOWN)
@pytest.mark.parametrize("name", ["arm6", "mixed"])
def test_eval_is_the_library(name, quantity, files, capsys):
    robot, rng = ordern.load(files[name]), np.random.default_rng(1)
    state = {"q": robot.random(rng)} | {k: rng.uniform(-1, 1, robot.n) for k in ("qd", "qdd", "tau")}
    takes = [k for k in KNOWN[quantity] if k in state]
    words = " ".join(f"--{k}={','.join(map(repr, map(float, state[k])))}" for k in takes)
    if "link" in KNOWN[quantity]:
        words += f" --link {robot.link_names[-2]}"
    code = _guarded(shlex.split(f"eval {files[name]} {quantity} {words} --json"))
    out, err = capsys.readouterr()
    try:
        if hasattr(robot, quantity):
            link = {"link": robot.link_names[-2]} if "link" in KNOWN[quantity] else {}
            expected = getattr(robot, quantity)(*(state[k] for k in takes), **link)
        else:
            options = (robot._link(robot.link_names[-2]),) if "link" in KNOWN[quantity] else ()
            expected = robot._evaluate(quantity, None, tuple(state[k] for k in takes), options)
    except ordern.OrdernError as error:
        assert code == 2 and str(error)[:40] in json.loads(out)["error"]
        return
    assert code == 0, err
    result = json.loads(out)["result"]
    if isinstance(expected, dict):
        assert list(result) == list(expected)
        expected, result = list(expected.values()), list(result.values())
    elif isinstance(result, dict):
        named = [getattr(expected, name) if hasattr(expected, name) else expected[int(name) - 1] for name in result]
        expected, result = named, list(result.values())
    for made, wanted in (
        zip(result, expected, strict=True)
        if isinstance(result, list) and isinstance(expected, list)
        else [(result, expected)]
    ):
        np.testing.assert_array_equal(np.asarray(made, float), wanted)
    code = _guarded(shlex.split(f"eval {files[name]} {quantity} {words}"))
    out, err = capsys.readouterr()
    assert code == 0 and quantity in out


def test_tables_name_joints_and_axes(capsys):
    _guarded(shlex.split("eval ur5 jacobian"))
    out, _ = capsys.readouterr()
    assert "shoulder_pan_joint" in out and "angular x" in out and "linear z" in out
    _guarded(shlex.split("eval planar3 mass_matrix"))
    assert capsys.readouterr()[0].splitlines()[1].split() == ["joint1", "joint2", "joint3"]
