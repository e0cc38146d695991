"""Without the package llvmlite everything computes on NumPy, with the same numbers, and says once that this is slow."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

CODE = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "llvmlite":
            raise ImportError("No module named 'llvmlite'", name="llvmlite")
if sys.argv[1] == "0":
    sys.meta_path.insert(0, Blocked())
import json
import numpy as np, ordern
ur5, tree, loop = ordern.load("ur5"), ordern.load("panda", base="floating"), ordern.load("fourbar")
rng, made = np.random.default_rng(0), []
for robot in (ur5, tree):
    q, (qd, u) = robot.random(rng, 3), rng.uniform(-1, 1, (2, 3, robot.n))
    made += [robot.inverse_dynamics(q, qd, u), robot.inverse_dynamics(q[0], qd[0], u[0]), robot.forward_dynamics(q, qd, u), robot.mass_matrix(q)]
    made += [robot.jacobian(q, robot.link_names[-1]), robot.mass_matrix_udu(q).D, robot.inverse_dynamics(*(a.astype("f4") for a in (q, qd, u)))]
q = ur5.random(rng, 3)
made += [*ur5.inverse_dynamics_derivatives(q, q, q), ur5.compile("mass_matrix")(q), ur5.compile("mass_matrix", layout="lanes")(q.T.copy())]
made += [ur5.simulate(q, duration=0.02, limits=False).q, ur5.simulate(q[0], duration=0.02, torque=ordern.control.PD(q[0], 10.0, 1.0)).qd]
made += [loop.simulate(duration=0.02).q, ordern.load("chain60").forward_dynamics(np.zeros(60), np.zeros(60), np.ones(60))]
made += [ur5.inverse_kinematics(ur5.forward_kinematics(q[0], "tool0"), "tool0", q[0]).q]
np.savez(sys.argv[2], *made)
print("llvmlite" in sys.modules)
"""


@pytest.mark.filterwarnings("default")
def test_the_same_numbers_and_one_warning(tmp_path):
    runs = {
        k: subprocess.run([sys.executable, "-c", CODE, k, tmp_path / k], capture_output=True, text=True, check=False)
        for k in ("0", "1")
    }
    assert all(run.returncode == 0 for run in runs.values()), runs["0"].stderr[-2000:]
    assert [runs[k].stdout.strip() for k in ("0", "1")] == ["False", "True"]
    assert (
        runs["0"].stderr.count("OrdernWarning") == 1
        and "pip install llvmlite" in runs["0"].stderr
        and "slower" in runs["0"].stderr
    )
    assert "OrdernWarning" not in runs["1"].stderr
    without, with_it = (np.load(f"{tmp_path / k}.npz") for k in ("0", "1"))
    for name in with_it.files:
        a, b = without[name], with_it[name]
        eps = np.finfo(b.dtype).eps
        np.testing.assert_allclose(
            a, b, rtol=0, atol=2e3 * eps * max(1.0, np.abs(b).max())
        )  # other orders of the same sums, conditions below 1e3


def test_the_command_line_too(tmp_path):
    block = "import sys; sys.modules['llvmlite'] = None\nfrom ordern.cli import main\nmain(sys.argv[1:])"
    line = [sys.executable, "-c", block, "eval", "planar3", "gravity_forces", "--q", "0.1,0.2,0.3", "--json"]
    made = subprocess.run(
        line, capture_output=True, text=True, check=False, env=os.environ | {"ORDERN_CACHE": str(tmp_path)}
    )
    assert made.returncode == 0, made.stderr
    assert len(json.loads(made.stdout)["result"]) == 3
    assert made.stderr.count("\n") == 1 and "llvmlite is not installed" in made.stderr
