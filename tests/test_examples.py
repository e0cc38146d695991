"""The scripts of examples/ run, in small sizes, and the converters agree with Pinocchio and MuJoCo."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest

import ordern

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
EPS = np.finfo(float).eps


def script(name):
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def printed(name, capsys, *arguments):
    script(name).main(list(arguments))
    return capsys.readouterr().out


def test_every_script_is_tested():
    text = Path(__file__).read_text()
    for file in EXAMPLES.glob("*.py"):
        assert f'"{file.stem}"' in text, file.name


def test_stanford_torques(capsys, tmp_path):
    out = printed("stanford_torques", capsys, "--points", "5", "--plot", str(tmp_path / "torques.svg"))
    rows = [[float(x) for x in line.split()] for line in out.splitlines() if re.fullmatch(r"\s*\d+\.\d\d(\s+-?\d+\.\d+){6}", line)]
    middle = [-0.00570858867646239, 15.7537854001769, -15.5743918965116, 4.00284523552536e-05, -9.80994189282971e-05, -6.9797251578433e-05]
    np.testing.assert_allclose(rows[2][1:], middle, atol=6e-7)  # published check values, six digits printed
    assert (tmp_path / "torques.svg").stat().st_size > 1000


def test_puma_straight_line(capsys, tmp_path):
    out = printed("puma_straight_line", capsys, "--duration", "2", "--page", str(tmp_path / "line.html"))
    assert "line of 0.500640 m" in out and "within the limits: True" in out
    assert float(re.search(r"off the line by (\S+) m", out)[1]) < 1e-8
    assert float(re.search(r"stays within (\S+) m", out)[1]) < 1e-6
    assert "[30.15, -18.22, -6.14, 21.75, -36.8, 79.84]" in out
    assert (tmp_path / "line.html").read_text().lstrip().lower().startswith("<!doctype html>")


def test_payload_study(capsys, tmp_path):
    out = printed("payload_study", capsys, "--arms", "64", "--duration", "0.5", "--plot", str(tmp_path / "study.png"))
    assert "64 arms" in out and "all runs reached their end" in out
    medians = [float(line.split()[4]) for line in out.splitlines() if re.match(r"\d to \d", line)]
    assert len(medians) == 5 and medians == sorted(medians)  # the heavier, the further away
    assert (tmp_path / "study.png").stat().st_size > 1000


@pytest.mark.parametrize("links", ["2", "3"])
def test_symbolic_inverse(links, capsys):
    out = printed("symbolic_inverse", capsys, "--links", links)
    assert f"mh_{links} = i_{links}{links}" in out and "gives the same to" in out
    assert "\\alpha_{12}" in printed("symbolic_inverse", capsys, "--links", "2", "--latex")


# --- converters ---------------------------------------------------------------------------------------------------------------------
URDF = """
<robot name="free">
  <link name="trunk"><inertial><origin xyz="0.05 0.02 -0.03" rpy="0.2 0 0.1"/><mass value="4.0"/>
    <inertia ixx="0.09" iyy="0.11" izz="0.13" ixy="0.01" ixz="0.004" iyz="-0.006"/></inertial></link>
  <link name="arm"><inertial><origin xyz="0 0.04 0.15"/><mass value="1.5"/>
    <inertia ixx="0.02" iyy="0.03" izz="0.015" ixy="0" ixz="0.001" iyz="0"/></inertial></link>
  <link name="wheel"><inertial><origin xyz="0.01 0 0.02"/><mass value="0.8"/>
    <inertia ixx="0.004" iyy="0.004" izz="0.006" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="trunk"/><child link="arm"/><origin xyz="0.1 0 0.2" rpy="0 0.3 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="5"/></joint>
  <joint name="spin" type="continuous"><parent link="arm"/><child link="wheel"/><origin xyz="0 0 0.3" rpy="0.5 0 0"/><axis xyz="0 0 1"/></joint>
</robot>
"""


@pytest.fixture(params=["fixed", "floating"])
def base(request):
    return request.param


def state(robot):
    rng = np.random.default_rng(3)
    return robot.random(rng), *rng.uniform(-1, 1, (3, robot.n))


def close(made, expected, k=200):
    np.testing.assert_allclose(made, expected, rtol=0, atol=k * EPS * max(1.0, np.abs(expected).max()))


def test_pinocchio(base):
    pin = pytest.importorskip("pinocchio", reason="pip install pin")
    c = script("conventions")
    robot = ordern.load(URDF, base=base)
    model = pin.buildModelFromXML(URDF, pin.JointModelFreeFlyer()) if base == "floating" else pin.buildModelFromXML(URDF)
    data = model.createData()
    q, qd, qdd, tau = state(robot)
    x, v, a, t = (c.pinocchio_q(robot, q), *(c.pinocchio_v(robot, e) for e in (qd, qdd, tau)))
    close(c.pinocchio_v(robot, robot.inverse_dynamics(q, qd, qdd)), pin.rnea(model, data, x, v, a))
    close(c.pinocchio_v(robot, robot.forward_dynamics(q, qd, tau)), pin.aba(model, data, x, v, t), 1e4)  # times the condition of M
    frame = model.getFrameId("wheel")
    J = pin.computeFrameJacobian(model, data, x, frame, pin.LOCAL_WORLD_ALIGNED)
    close(c.linear_first(robot.jacobian(q, "wheel") @ qd), J @ v)
    J = pin.computeFrameJacobian(model, data, x, frame, pin.LOCAL)
    close(c.linear_first(robot.jacobian(q, "wheel", reference="body") @ qd), J @ v)


def test_mujoco(base):
    mujoco = pytest.importorskip("mujoco", reason="pip install mujoco")
    c = script("conventions")
    robot = ordern.load(URDF, base=base)
    spec = mujoco.MjSpec.from_string(URDF)
    spec.compiler.fusestatic = False
    spec.compiler.discardvisual = False
    if base == "floating":
        trunk = next(b for b in spec.bodies if b.name == "trunk")
        trunk.add_freejoint()
    model = spec.compile()
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_LIMIT
    data = mujoco.MjData(model)
    q, qd, qdd, _ = state(robot)
    data.qpos[:], data.qvel[:] = c.mujoco_q(robot, q), c.mujoco_v(robot, q, qd)
    data.qacc[:] = c.mujoco_a(robot, q, qd, qdd)
    mujoco.mj_inverse(model, data)
    # MuJoCo rounds nothing, but finds principal axes of each inertia iteratively: 1e-9 of the torques
    np.testing.assert_allclose(c.mujoco_force(robot, q, robot.inverse_dynamics(q, qd, qdd)), data.qfrc_inverse, atol=1e-7)
    M = np.zeros((model.nv, model.nv))
    for row, one in zip(M, np.eye(model.nv), strict=True):
        mujoco.mj_mulM(model, data, row, one)
    T = c.mujoco_rates(robot, q)
    np.testing.assert_allclose(T.T @ M @ T, robot.mass_matrix(q), atol=1e-7)
    bias = robot.bias_forces(q, qd)
    if base == "fixed":
        np.testing.assert_allclose(data.qfrc_bias, bias, atol=1e-7)


def test_energy_hour(capsys):
    out = printed("energy_hour", capsys, "--seconds", "5", "--robots", "3")
    rows = re.findall(r"^(\S+) +(dop853|symplectic) +(\S+) of the energy", out, re.MULTILINE)
    assert len(rows) == 6
    assert all(float(worst) < 1e-8 for _, _, worst in rows)  # peaks of the symplectic method where an arm whips round; they return
