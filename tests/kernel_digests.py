"""Digests of the LLVM text of every kernel of the grid, and of other texts: a change that only moves code leaves them all as they are.

    python tests/kernel_digests.py        lists what changed since they were stored
    python tests/kernel_digests.py --store

Constants count to nine digits: where they come from (sines, factorisations) the last ones differ between processors.
The text decides the bits of every result, since no operation is reassociated or contracted by the compiler.
"""

from __future__ import annotations

import hashlib
import json
import re
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from grid import ALGORITHMS, CASES, MODELS, options_of
from ordern.algorithms.registry import choose
from ordern.emit.llvm.kernel_text import lower
from ordern.emit.llvm.lanes import Lanes
from ordern.program.build import prepared, trace
from other_texts import OTHERS

STORE = Path(__file__).parent / "data" / "kernel_digests.json"
SEVERAL = 4  # states side by side, whatever this processor has
LARGE = ("mixed", "floating", "long")  # by the method that is taken by default: the others are seconds of tracing each


def rounded(constant: re.Match[str]) -> str:
    return f"{struct.unpack('>d', bytes.fromhex(constant[1]))[0]:.9g}"


def digest_of(text: str) -> str:
    """Of a text with its constants to nine digits, in LLVM's hexadecimal form and as others write them."""
    text = re.sub(r"0x([0-9A-F]{16})\b", rounded, text)
    text = re.sub(r"-?0x1?\.?[0-9a-f.]*p[+-]\d+", lambda x: f"{float.fromhex(x[0]):.9g}", text)
    text = re.sub(r"\d+\.\d{9,}(e[+-]?\d+)?", lambda x: f"{float(x[0]):.9g}", text)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def digest(name: str, robot: str) -> str:
    algorithm, model = ALGORITHMS[name], MODELS[robot]
    program = trace(algorithm, prepared(algorithm, model), options_of(algorithm, model), checked=True)
    lowered = lower(program, Lanes(SEVERAL, "float64"))
    return digest_of(lowered.text + lowered.begins)


def digests(robot: str) -> dict[str, str]:
    """Of every algorithm that serves a robot; of large robots, of every quantity. Or of a kind of other texts."""
    if robot in OTHERS:
        return {name: digest_of(text) for name, text in OTHERS[robot]()}
    names = [name for name, at in CASES if at == robot]
    if robot in LARGE:
        names = [name for name in names if choose(ALGORITHMS[name].quantity, None, MODELS[robot]).name == name]
    return {name: digest(name, robot) for name in names}


def changed(robot: str) -> list[str]:
    """What is not as it was stored: algorithms whose kernels differ, came or went."""
    stored, made = json.loads(STORE.read_text()).get(robot, {}), digests(robot)
    return sorted(name for name in {*stored, *made} if stored.get(name) != made.get(name))


if __name__ == "__main__":
    if "--store" in sys.argv[1:]:
        STORE.write_text(
            json.dumps({robot: digests(robot) for robot in (*MODELS, *OTHERS)}, indent=1, sort_keys=True) + "\n"
        )
    else:
        print(
            "\n".join(f"{robot}: {name}" for robot in (*MODELS, *OTHERS) for name in changed(robot)) or "all as stored"
        )
