"""A robot whose joints are all fixed: a description may hold one, and nothing may break on it."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.cli import _guarded

TEXT = """<robot name="table"><link name="floor"/><link name="top"><inertial><mass value="3"/>
<inertia ixx="0.2" iyy="0.2" izz="0.3" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="leg" type="fixed"><parent link="floor"/><child link="top"/><origin xyz="0 0 0.7"/></joint></robot>"""
SHAPES = {
    "inverse_dynamics": (3, (0,)), "forward_dynamics": (3, (0,)), "bias_forces": (2, (0,)), "gravity_forces": (1, (0,)), "mass_matrix": (1, (0, 0)),
    "mass_matrix_inverse": (1, (0, 0)), "coriolis_matrix": (2, (0, 0)), "kinetic_energy": (2, ()), "potential_energy": (1, ()), "momentum": (2, (6,)),
}  # fmt: skip


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "table.urdf"
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize("batch", [(), (3,), (2, 3), (0,)])
def test_everything_has_its_shape(file, batch):
    robot, nothing = ordern.load(file), np.zeros((*batch, 0))
    for quantity, (count, shape) in SHAPES.items():
        for _ in range(2):
            assert getattr(robot, quantity)(*[nothing] * count).shape == (*batch, *shape), quantity
    assert [a.shape for a in robot.inverse_dynamics_derivatives(*[nothing] * 3)] == [(*batch, 0, 0)] * 3
    assert robot.forward_kinematics(nothing, "top").shape == (*batch, 4, 4)
    assert np.all(robot.forward_kinematics(nothing, "top")[..., 2, 3] == 0.7)
    assert robot.jacobian(nothing, "top").shape == (*batch, 6, 0)
    assert robot.integrate(nothing, nothing).shape == robot.difference(nothing, nothing).shape == (*batch, 0)
    found = robot.assemble(nothing)
    assert found.q.shape == (*batch, 0) and np.shape(found.success) == batch and np.all(found.success)
    assert robot.random(np.random.default_rng(0), batch).shape == (*batch, 0)


def test_what_makes_no_sense_says_so(file, tmp_path):
    robot, nothing = ordern.load(file), np.zeros(0)
    for call in (
        lambda: robot.simulate(nothing, duration=1.0),
        lambda: robot.simulate(np.zeros((5, 0)), duration=1.0),
        lambda: robot.inverse_kinematics(np.eye(4), "top"),
        robot.to_dh,
    ):
        with pytest.raises(ordern.OrdernError, match="has no joints"):
            call()
    with pytest.raises(ordern.OrdernError, match="nothing of it that moves has a mass"):
        robot.center_of_mass(nothing)
    assert ordern.load(robot.save(tmp_path / "table.toml") or tmp_path / "table.toml").n == 0


@pytest.mark.parametrize(
    "command",
    [
        "info",
        "lint",
        "verify",
        "inverse -t cycloid",
        "inverse --log log.csv",
        "simulate",
        "count",
        "formulas inverse_dynamics",
        "view",
        "bench --quick",
    ],
)
def test_commands_end_in_words(file, command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text("t,x\n0,1\n1,2\n")
    name, *rest = command.split()
    options = {"view": ["--out", str(tmp_path / "x.html")]}.get(name, [])
    code = _guarded([name, str(file), *rest, *options])
    out, err = capsys.readouterr()
    assert code == (2 if name in ("verify", "simulate", "bench") or "--log" in rest else 0), err
    assert code == 0 or "has no" in err
    assert "mistake in ordern" not in out + err and "Traceback" not in out + err
