"""Every algorithm x every robot of the grid as JavaScript, run by node: one process a robot. C is held to kernels bit by bit in emit/test_c.py."""

from __future__ import annotations

import json
import subprocess

import numpy as np
import pytest

import needs
from budget import PATIENCE
from grid import ALGORITHMS, MODELS, OTHERS, close, options_of, reference, states
from ordern.emit.javascript import javascript
from ordern.program.build import prepared, trace


@needs.node
@pytest.mark.parametrize("robot", MODELS)
def test_javascript(robot):
    model = MODELS[robot]
    names = [name for name, served in OTHERS if served == robot]
    lines = [f"const given = {json.dumps({k: x[0].tolist() for k, x in states(robot).items()})};"]
    for name in names:
        algorithm = ALGORITHMS[name]
        program = trace(
            algorithm, prepared(algorithm, model), options_of(algorithm, model), rolled=len(model.bodies) > 12 or None
        )
        inputs = ", ".join(f"given.{k}" for k in program.inputs)
        lines.append(
            f"console.log(JSON.stringify(Object.values(({javascript(program)})({inputs})).map(v => Array.from(v))));"
        )
    done = subprocess.run(
        ["node", "-"], input="\n".join(lines), capture_output=True, text=True, timeout=PATIENCE, check=True
    )
    for name, line in zip(names, done.stdout.splitlines(), strict=True):
        right = [r[0] for r in reference(name, robot)]
        close(
            [np.array(v, float).reshape(r.shape) for v, r in zip(json.loads(line), right, strict=True)],
            right,
            name,
            robot,
        )
