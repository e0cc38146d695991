"""Shorter addresses: the same bytes are read and written, and the same numbers used."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ordern.emit.llvm.lanes import Lanes, bits_of
from ordern.emit.llvm.short_addresses import MOST, PAYS, REACH, short_addresses

ADDRESS = re.compile(r"  (%\S+) = getelementptr inbounds (.+), ptr (%\S+), i64 (-?\d+)")
HIDDEN = re.compile(r'  (%\S+) = call ptr asm "", "=r,0"\(ptr (\S+)\)')
LOADED = re.compile(r"  (%c\d+) = load (.+), ptr (%\S+), align \d+")


def written(dtype, rng):
    """A function as kernels have it: loads from two arrays at places near each other and far, arithmetic with
    constants.
    """
    lanes = Lanes(1, dtype)
    e, two = lanes.element, f"<2 x {lanes.element}>"
    lines = ["define i32 @block(ptr %space, ptr %row) {", "entry:", "  br label %piece1"]
    for piece in range(1, 5):
        lines.append(f"piece{piece}:")
        near = int(rng.integers(0, 5000))
        for k in range(60):
            name = f"{piece}_{k}"
            at = int(near + rng.integers(0, 20)) if rng.random() < 0.7 else int(rng.integers(0, 5000))
            kind = e if rng.random() < 0.5 else two
            lines.append(f"  %a{name} = getelementptr inbounds {kind}, ptr {rng.choice(['%space', '%row'])}, i64 {at}")
            lines.append(f"  %v{name} = load {kind}, ptr %a{name}, align 4")
            x, y = (bits_of(float(v), dtype) for v in rng.choice([0.0, -0.0, 1.0, 0.1, -2.5, 1e300 % 7], 2))
            constant = x if kind == e else f"<{e} {x}, {e} {y}>"
            lines.append(f"  %n{name} = fmul {kind} %v{name}, {constant}")
        lines.append(f"  br label %piece{piece + 1}")
    return [*lines, "piece5:", "  ret i32 0", "}"], lanes


def meaning(lines, lanes, table=()):
    """The lines without addresses, with each of these told by its array and distance, and each constant by its
    number.
    """
    size = {"i8": 1, lanes.element: lanes.bytes, f"<2 x {lanes.element}>": 2 * lanes.bytes}
    places, numbers, made = {}, {}, []
    for line in lines:
        if found := ADDRESS.fullmatch(line):
            base, start = places.get(found[3], (found[3], 0))
            places[found[1]] = base, start + int(found[4]) * size[found[2]]
        elif found := HIDDEN.fullmatch(line):
            places[found[1]] = places.get(found[2], (found[2], 0))
        elif found := LOADED.fullmatch(line):
            at = places[found[3]][1] // lanes.bytes
            values = [f"{lanes.element} {x}" for x in table[at : at + size[found[2]] // lanes.bytes]]
            numbers[found[1]] = values[0].split()[1] if len(values) == 1 else f"<{', '.join(values)}>"
        else:
            line = re.sub(r"%c\d+\b", lambda m: numbers[m[0]], line)
            made.append(re.sub(r"ptr (%\S+),", lambda m: f"ptr {places.get(m[1], m[1])},", line))
    return made


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("seed", range(5))
def test_the_same_places_and_numbers(dtype, seed):
    lines, lanes = written(dtype, np.random.default_rng(seed))
    found, more = short_addresses(lines, lanes)
    table = re.findall("0x[0-9A-F]{16}", more[0])
    assert meaning(found, lanes, table) == meaning(lines, lanes)
    near = [int(x[4]) for x in map(ADDRESS.fullmatch, found) if x and x[2] == "i8" and not x[1].endswith("a")]
    assert len(near) > 4 * PAYS
    assert all(-REACH <= x < REACH for x in near)
    registers = [x[1] for x in map(HIDDEN.fullmatch, found) if x and "piece" in x[1]]
    assert max(sum(f"piece{k}_" in r for r in registers) for k in range(1, 5)) <= MOST
    assert not any("0x" in line and not re.search("0x[08]0{15}", line) for line in found)


def test_text_without_pieces_stays():
    lines = ["define i32 @block(ptr %space) {", "entry:", "  ret i32 0", "}"]
    assert short_addresses(lines, Lanes(1, "float64")) == (lines, [])
