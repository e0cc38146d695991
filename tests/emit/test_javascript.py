"""JavaScript: the same numbers as the interpreter, run by node."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import replace

import numpy as np
import pytest

import needs
import robots
from budget import PATIENCE
from ordern.algorithms.registry import find
from ordern.emit.javascript import javascript
from ordern.program.build import trace
from ordern.program.interpret import interpret
from ordern.program.passes import fuse

WANTED = [
    "forward_kinematics/recursive",
    "mass_matrix/composite",
    "gravity_forces/newton-euler",
    "forward_dynamics/articulated",
]
WANTED += ["jacobian/recursive"]


def run(text, arguments):
    script = f"const f = {text};\nconst r = f(...{json.dumps([list(map(float, a)) for a in arguments])});\n"
    script += (
        "console.log(JSON.stringify(Object.fromEntries(Object.entries(r).map(([k, v]) => [k, Array.from(v)]))));\n"
    )
    done = subprocess.run(["node", "-"], input=script, capture_output=True, text=True, timeout=PATIENCE, check=True)
    return {name: np.array(values) for name, values in json.loads(done.stdout).items()}


@needs.node
@pytest.mark.parametrize("robot", ["arm6", "mixed", "chain"])
@pytest.mark.parametrize("rolled", [False, True])
def test_node_computes_what_the_interpreter_does(robot, rolled):
    model = robots.GRID[robot]()
    q, qd, qdd, tau = robots.state(model, np.random.default_rng(0))
    given = {"q": q, "qd": qd, "qdd": qdd, "tau": tau}
    for name in WANTED:
        algorithm = find(*name.split("/"))[0]
        if not rolled and model.nv > 30 and "jacobian" not in name:
            continue  # the page rolls long robots
        program = trace(algorithm, model, (len(model.links) - 1, True) if algorithm.options else (), rolled=rolled)
        for version in (program, fuse(program)):
            inputs = [given[k] for k in version.inputs]
            made = run(javascript(version), inputs)
            for key, expected in interpret(version, dict(zip(version.inputs, inputs, strict=True))).items():
                scale = max(1.0, np.abs(expected).max()) * (1e4 if model.nv > 30 else 1)
                np.testing.assert_allclose(made[key], expected.ravel(), rtol=0, atol=1e-12 * scale, err_msg=name)


@needs.node
def test_a_function_can_be_called_again():
    model = robots.serial("R" * 50, 7)
    program = trace(find("mass_matrix", "composite")[0], model, rolled=True)
    q = np.linspace(-1, 1, 50)
    text = (
        f"(function () {{ const f = {javascript(program)}; return q => {{ f(q.map(x => x + 1)); return f(q); }}; }})()"
    )
    np.testing.assert_allclose(run(text, [q])["out0"], interpret(program, {"q": q})["out0"].ravel(), rtol=0, atol=1e-9)


def test_no_name_of_a_robot_file_gets_into_the_text():
    model = robots.serial("RRR")
    evil = '"];alert(1);//</script>'
    model = model.with_bodies(replace(b, name=f"{evil}{i}") for i, b in enumerate(model.bodies))
    model = model.changed(name=evil, links=tuple(replace(link, name=evil) for link in model.links))
    for rolled in (False, True):
        text = javascript(trace(find("forward_kinematics")[0], model, rolled=rolled))
        assert "alert" not in text
        assert "script" not in text
        words = set(re.findall(r"[A-Za-z_]\w*", text.replace('"use strict"', "")))
        known = set(
            re.findall(
                r"\w+",
                "function return const let for new Float64Array Int32Array Math sin cos numbers indices work q out0",
            )
        )
        assert not {w for w in words - known if not re.fullmatch(r"[xsci]\d+|e|r|c", w)}
