"""The package ships its types: a user's file is checked against the public API by mypy and pyright."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import needs
import ordern
from budget import PATIENCE

ROOT = Path(ordern.__file__).parents[1]
USER = """
from pathlib import Path

import numpy as np

import ordern
import ordern.robots
from ordern.control import PD, PID, Drives
from ordern.trajectory import quintic

robot: ordern.Robot = ordern.load("panda", base="fixed", gravity=(0, 0, -9.81))
arm = robot.with_gravity((0.0, -9.81, 0.0)).with_payload("panda_link8", 1.5)
q, qd = robot.neutral(), np.zeros(robot.n)
tau = robot.inverse_dynamics(q, qd, [0.0] * robot.n)
many = robot.forward_dynamics(np.zeros((100, robot.nq)), np.zeros((100, robot.n)), tau, method="articulated")
M = arm.mass_matrix(list(q))
pose = robot.forward_kinematics(q, link="panda_link8")
J = robot.jacobian(q, "panda_link8", reference="body")
run = robot.simulate(q, qd, duration=0.1, torque=ordern.control.PD(q, 10.0, 1.0), method="rk4", dt=1e-3)
law: PD = PD(q, 10.0, 1.0)
chain: ordern.Robot = ordern.robots.chain(5)
again: ordern.Run = ordern.Run.load("run.npz")
jitted = ordern.jax.inverse_dynamics(robot)
times, angles = run.t, run.q
names: list[str] = list(robot.joint_names)
count: int = robot.n
written: list[Path] = robot.export_c("inverse_dynamics", Path("firmware"))
step = robot.export_c("step", "firmware", torque=None)
try:
    robot.save("panda.toml")
except ordern.OrdernError as error:
    print(error)
"""
WRONG = {
    'ordern.load("panda").inverse_dynamics(1, 2)\n': "qdd",
    'ordern.load("panda").simulate(duration="long")\n': "duration",
    'ordern.load("panda").no_such_quantity()\n': "no_such_quantity",
    'ordern.load("panda").mass_matrix([0.0] * 7).no_such_attribute\n': "no_such_attribute",
    "ordern.load(3)\n": "load",
    'ordern.robots.chain("five")\n': "chain",
    "ordern.robots.no_such_robot()\n": "no_such_robot",
    "ordern.control.PD()\n": "kd",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("user")
    (folder / "user.py").write_text(USER)
    for k, line in enumerate(WRONG):
        (folder / f"wrong{k}.py").write_text(f"import ordern\n\n{line}")
    return folder


def test_the_package_says_that_it_is_typed():
    assert (ROOT / "ordern" / "py.typed").is_file()


def test_mypy_checks_a_users_file(files):
    config = files / "mypy.ini"
    config.write_text("[mypy]\nstrict = true\n[mypy-ordern.*]\nfollow_imports = silent\nignore_errors = true\n")
    line = [
        sys.executable,
        "-m",
        "mypy",
        "--config-file",
        str(config),
        "--cache-dir",
        str(ROOT.parent / ".mypy_cache" / "user"),
        ".",
    ]
    done = subprocess.run(
        line, cwd=files, env={**os.environ, "MYPYPATH": str(ROOT)}, capture_output=True, text=True, timeout=PATIENCE
    )
    assert "user.py" not in done.stdout, done.stdout + done.stderr
    for k, word in enumerate(WRONG.values()):
        assert any(f"wrong{k}.py" in row and word in row for row in done.stdout.splitlines()), (word, done.stdout)


@needs.pyright
def test_pyright_checks_a_users_file(files):
    (files / "pyrightconfig.json").write_text(
        json.dumps({"extraPaths": [str(ROOT)], "pythonVersion": "3.11", "typeCheckingMode": "standard"})
    )
    done = subprocess.run(["pyright", "--outputjson"], cwd=files, capture_output=True, text=True, timeout=PATIENCE)
    found = [
        (Path(d["file"]).name, d["message"])
        for d in json.loads(done.stdout)["generalDiagnostics"]
        if d["severity"] == "error"
    ]
    assert not [d for d in found if d[0] == "user.py"], found
    for k, word in enumerate(WRONG.values()):
        assert any(file == f"wrong{k}.py" and word in message for file, message in found), (word, found)


@pytest.mark.parametrize("name", ["", "control", "trajectory", "robots", "jax"])
def test_completion_offers_what_is_public_and_nothing_else(name):
    """What a shell shows after a dot: names that exist, without imports and helpers."""
    module = getattr(ordern, name) if name else ordern
    shown = [word for word in dir(module) if not word.startswith("_")]
    assert len(shown) == len(set(shown)) > 5 and not {"np", "Any", "annotations", "sys", "errors", "need"} & set(shown)
    assert all(hasattr(module, word) for word in shown if word not in ("torch", "jax"))
    assert name == "jax" or set(shown) == {word for word in module.__all__ if not word.startswith("_")}
