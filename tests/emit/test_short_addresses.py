"""Shorter addresses: the same bytes are read and written, and the same numbers used."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest

import robots
from grid import ALGORITHMS
from ordern.emit.llvm.kernel_text import lower
from ordern.emit.llvm.lanes import LINE, Lanes, bits_of
from ordern.emit.llvm.short_addresses import MOST, PAYS, REACH, short_addresses
from ordern.runtime.call import Call

LEGGED = robots.tree(["floating"] + ["revolute"] * 20, [0, *range(1, 11), 1, *range(12, 21)], 7, name="legged")

ADDRESS = re.compile(r"  (%\S+) = getelementptr inbounds (.+), ptr (%\S+), i64 (-?\d+)")
HIDDEN = re.compile(r'  (%\S+) = call ptr asm "", "=r,0"\(ptr (\S+)\)')
LOADED = re.compile(r"  %cs?(\d+) = load (.+), ptr (%\S+), align \d+")
SPREAD = re.compile(r"  %c(i?)(\d+) = (insertelement|shufflevector) .+")  # one number to all lanes


def written(lanes, rng):
    """A function as kernels have it: loads from two arrays at places near each other and far, arithmetic with
    constants.
    """
    dtype, e = lanes.dtype, lanes.element
    two = f"<2 x {e}>" if lanes.width == 1 else lanes.type
    lines = ["define i32 @block(ptr %space, ptr %row) {", "entry:", "  br label %piece1"]
    for piece in range(1, 5):
        lines.append(f"piece{piece}:")
        near = int(rng.integers(0, 5000))
        for k in range(60):
            name = f"{piece}_{k}"
            at = int(near + rng.integers(0, 20)) if rng.random() < 0.7 else int(rng.integers(0, 5000))
            kind = e if lanes.width == 1 and rng.random() < 0.5 else two
            lines.append(f"  %a{name} = getelementptr inbounds {kind}, ptr {rng.choice(['%space', '%row'])}, i64 {at}")
            lines.append(f"  %v{name} = load {kind}, ptr %a{name}, align 4")
            x, y = (bits_of(float(v), dtype) for v in rng.choice([0.0, -0.0, 1.0, 0.1, -2.5, 1e300 % 7], 2))
            pair = f"<{e} {x}, {e} {y}>" if lanes.width == 1 else f"splat ({e} {x})"
            constant = x if kind == e else pair
            lines.append(f"  %n{name} = fmul {kind} %v{name}, {constant}")
        lines.append(f"  br label %piece{piece + 1}")
    return [*lines, "piece5:", "  ret i32 0", "}"]


def spread(lanes, k):
    return (
        f"  %ci{k} = insertelement {lanes.type} poison, {lanes.element} %cs{k}, i32 0",
        f"  %c{k} = shufflevector {lanes.type} %ci{k}, {lanes.type} poison, <{lanes.width} x i32> zeroinitializer",
    )


def meaning(lines, lanes, table=()):
    """The lines without addresses, with each of these told by its array and distance, and each constant by its
    number.
    """
    size = {"i8": 1, lanes.element: lanes.bytes, f"<2 x {lanes.element}>": 2 * lanes.bytes}
    size[lanes.type] = lanes.width * lanes.bytes
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
            if lanes.width > 1:
                numbers[found[1]] = f"splat ({values[0]})"
        elif found := SPREAD.fullmatch(line):
            assert lanes.width > 1 and line == spread(lanes, found[2])[not found[1]]
        else:
            line = re.sub(r"%c(\d+)\b", lambda m: numbers[m[1]], line)
            made.append(re.sub(r"ptr (%\S+),", lambda m: f"ptr {places.get(m[1], m[1])},", line))
    return made


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("many", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_the_same_places_and_numbers(dtype, many, seed):
    lanes = Lanes(LINE // np.dtype(dtype).itemsize if many else 1, dtype)
    lines = written(lanes, np.random.default_rng(seed))
    found, more = short_addresses(lines, lanes)
    table = re.findall("0x[0-9A-F]{16}", more[0]) if more else ()
    assert meaning(found, lanes, table) == meaning(lines, lanes)
    near = [(x[3], int(x[4])) for x in map(ADDRESS.fullmatch, found) if x and x[2] == "i8" and not x[1].endswith("a")]
    assert len(near) > 4 * PAYS
    starts = {
        x[2]: y[3] for x, y in ((HIDDEN.fullmatch(b), ADDRESS.fullmatch(a)) for a, b in pairwise(found)) if x and y
    }
    for register, at in near:  # those of vectors count in vectors, those of numbers for all lanes in numbers
        unit = 1 if not many else lanes.bytes if starts[f"{register}a"] == "%constants" else LINE
        assert -REACH * unit <= at < REACH * unit and at % unit == 0
    registers = [x[1] for x in map(HIDDEN.fullmatch, found) if x and "piece" in x[1]]
    assert max(sum(f"piece{k}_" in r for r in registers) for k in range(1, 5)) <= MOST
    assert not any("0x" in line and not re.search("0x[08]0{15}", line) for line in found)


@pytest.mark.parametrize("way", ["long", "lines", "loops"])
def test_only_vectors_of_a_whole_line_are_reached_from_near(way):
    """On other widths an address of one byte reaches a few vectors alone, and one register for them gains nothing."""
    algorithm = ALGORITHMS[f"{'forward' if way == 'loops' else 'inverse'}_dynamics_derivatives/recursive"]
    program = Call(LEGGED, algorithm).program()
    assert program.straight == (way != "loops")
    for width in (8,) if way == "lines" else (2, 4, 8):
        made = lower(program, Lanes(width, "float64"), lines=way == "lines")
        assert ("call ptr asm" in made.begins + made.text) == (width == 8 and way != "lines")


def test_text_without_pieces_stays():
    lines = ["define i32 @block(ptr %space) {", "entry:", "  ret i32 0", "}"]
    assert short_addresses(lines, Lanes(1, "float64")) == (lines, [])
