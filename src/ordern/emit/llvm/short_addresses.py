"""Machine code in fewer bytes: addresses that fit into one of them, constants in one table.

Code without loops runs once through all of its instructions, up to 200 kB for a humanoid and one state, 340 kB for
eight, which the first cache does not hold: it takes as long as fetching them does. On x86 an address within 128 bytes
of a register is three bytes shorter than one farther away; those of vectors of 64 bytes count in vectors, those of a
number that goes to all lanes in numbers. A constant takes ten bytes for the address of its own. So each piece of the
code gets registers that point to where it reads and writes most, and constants lie in the order of their use. An
assembler text of no instructions hides from LLVM how far these registers are from each other; it would put the
distance back into every address. What is computed stays the same.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from .lanes import Lanes

__all__ = ["short_addresses"]

# Registers for a piece, and addresses from which one pays. More of them gain nothing, or lose: results and their rows
# need some too, and LLVM does not move reads across writes that may meet.
MOST = 5
PAYS = 6
REACH = 128  # bytes, or what is read at once, before a register and after it that an address of one byte tells

_ADDRESS = re.compile(r"  (%\S+) = getelementptr inbounds (.+), ptr (%\S+), i64 (\d+)")
_NUMBER = "0x[0-9A-F]{16}"
_ARITHMETIC = re.compile(r" = (f(add|sub|mul|div) |call .*@llvm\.fma)")
_ZEROS = ("0x0000000000000000", "0x8000000000000000")  # made without memory


def short_addresses(lines: list[str], lanes: Lanes) -> tuple[list[str], list[str]]:
    """The lines of a function anew, and the globals that they need; only its blocks named ``piece`` are changed."""
    table, made = _Constants(lanes), list[str]()
    for block in _blocks(lines):
        if block[0].startswith("piece"):
            block = _near(table.read(block), lanes)
        made += block
    if table.at:
        made.insert(2, f"  %constants = {_hidden('@constants')}")
    return made, table.globals()


def _hidden(pointer: str) -> str:
    return f'call ptr asm "", "=r,0"(ptr {pointer})'


def _blocks(lines: list[str]) -> Iterator[list[str]]:
    starts = [k for k, line in enumerate(lines) if k and line.endswith(":")]
    for first, last in zip([0, *starts], [*starts, len(lines)], strict=True):
        yield lines[first:last]


class _Constants:
    """Numbers, and pairs of them, in the order of their first use."""

    def __init__(self, lanes: Lanes) -> None:
        self.lanes = lanes
        self.at: dict[tuple[str, ...], int] = {}
        self.size = self.count = 0
        e = lanes.element
        self.found = re.compile(rf"<{e} ({_NUMBER}), {e} ({_NUMBER})>|splat \({e} ({_NUMBER})\)|({_NUMBER})")

    def read(self, block: list[str]) -> list[str]:
        """A block that loads its constants."""
        made: list[str] = []
        for line in block:
            if "0x" in line and _ARITHMETIC.search(line):
                line = self.found.sub(lambda m: self._loaded(made, m), line)
            made.append(line)
        return made

    def _loaded(self, made: list[str], found: re.Match[str]) -> str:
        numbers = tuple(x for x in found.groups() if x)
        if all(x in _ZEROS for x in numbers):
            return found[0]
        if numbers not in self.at:
            self.size += -self.size % len(numbers)
            self.at[numbers] = self.size
            self.size += len(numbers)
        self.count += 1
        e, t, k, count = self.lanes.element, self.lanes.type, self.count, len(numbers)
        made.append(f"  %ca{k} = getelementptr inbounds {e}, ptr %constants, i64 {self.at[numbers]}")
        kind, name = e if count == 1 else f"<{count} x {e}>", "c" if self.lanes.width == 1 else "cs"
        made.append(f"  %{name}{k} = load {kind}, ptr %ca{k}, align {count * self.lanes.bytes}")
        if self.lanes.width > 1:
            made.append(f"  %ci{k} = insertelement {t} poison, {e} %cs{k}, i32 0")
            made.append(f"  %c{k} = shufflevector {t} %ci{k}, {t} poison, <{self.lanes.width} x i32> zeroinitializer")
        return f"%c{k}"

    def globals(self) -> list[str]:
        if not self.at:
            return []
        numbers = [_ZEROS[0]] * self.size
        for found, at in self.at.items():
            numbers[at : at + len(found)] = found
        e = self.lanes.element
        listed = ", ".join(f"{e} {x}" for x in numbers)
        return [f"@constants = internal constant [{self.size} x {e}] [{listed}], align 64"]


def _near(block: list[str], lanes: Lanes) -> list[str]:
    """A block with registers of its own for what it reads and writes."""
    places: dict[tuple[str, int], list[tuple[int, int]]] = {}  # by pointer and reach: distance in bytes, line
    bytes_of = {lanes.element: lanes.bytes, f"<2 x {lanes.element}>": 2 * lanes.bytes}
    reach_of = dict.fromkeys(bytes_of, REACH)
    if lanes.width > 1:
        bytes_of = {lanes.element: lanes.bytes, lanes.type: lanes.width * lanes.bytes}
        reach_of = {kind: REACH * size for kind, size in bytes_of.items()}
    for k, line in enumerate(block):
        found = _ADDRESS.fullmatch(line) if "getelementptr" in line else None
        if found and found[2] in bytes_of and int(found[4]) * bytes_of[found[2]] >= reach_of[found[2]]:
            reached = places.setdefault((found[3], reach_of[found[2]]), [])
            reached.append((int(found[4]) * bytes_of[found[2]], k))
    for reached in places.values():
        reached.sort()
    made, begin = list(block), list[str]()
    for number in range(MOST):
        best = max(((at, *_most_reached(reached, at[1])) for at, reached in places.items()), key=_count, default=None)
        if best is None or _count(best) < PAYS:
            break
        pointer, first, last = best
        at, register = places[pointer][first][0] + pointer[1], f"%{block[0][:-1]}_{number}"
        begin.append(f"  {register}a = getelementptr inbounds i8, ptr {pointer[0]}, i64 {at}")
        begin.append(f"  {register} = {_hidden(f'{register}a')}")
        for distance, k in places[pointer][first:last]:
            address = block[k].split(" = ")[0]
            made[k] = f"{address} = getelementptr inbounds i8, ptr {register}, i64 {distance - at}"
        del places[pointer][first:last]
    return [made[0], *begin, *made[1:]]


def _count(found: tuple[tuple[str, int], int, int]) -> int:
    return found[2] - found[1]


def _most_reached(places: list[tuple[int, int]], reach: int) -> tuple[int, int]:
    """From and up to which place one register reaches most of them."""
    best = (0, 0)
    for first, (distance, _) in enumerate(places):
        last = bisect_left(places, (distance + 2 * reach, 0))
        if last - first > best[1] - best[0]:
            best = first, last
    return best
