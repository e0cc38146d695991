"""SIMD lanes as LLVM text: types, constants, step lists, and tiles that turn rows of the caller's arrays into one
vector a column and back.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ..sincos import Step

__all__ = [
    "LINE",
    "Lanes",
    "Writer",
    "bits_of",
    "columns_from_rows",
    "gathered",
    "rows_from_columns",
    "streamable",
    "tiles",
    "write_steps",
]

LINE = 64  # bytes that memory takes at a time


def bits_of(x: float, dtype: str) -> str:
    """A number as LLVM writes it; float32 numbers are rounded here and written as the double of the same value."""
    if dtype == "float32":
        x = struct.unpack("<f", struct.pack("<f", x))[0]
    return f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:016X}"


@dataclass(frozen=True)
class Lanes:
    """How many states go side by side, and in which precision."""

    width: int
    dtype: str = "float64"

    @cached_property
    def bytes(self) -> int:
        """Of one number."""
        return 8 if self.dtype == "float64" else 4

    @cached_property
    def element(self) -> str:
        """LLVM's name of one number."""
        return "double" if self.dtype == "float64" else "float"

    @cached_property
    def integer(self) -> str:
        """The integer of the same size."""
        return f"i{8 * self.bytes}"

    def vector(self, element: str) -> str:
        """W of these; W = 1 is the plain scalar."""
        return element if self.width == 1 else f"<{self.width} x {element}>"

    @cached_property
    def type(self) -> str:
        """LLVM's name of one scalar of the program."""
        return self.vector(self.element)

    @cached_property
    def suffix(self) -> str:
        """How intrinsics are named for this type."""
        return ("" if self.width == 1 else f"v{self.width}") + f"f{8 * self.bytes}"

    def constant(self, x: float) -> str:
        """The same number in every lane."""
        text = bits_of(x, self.dtype)
        return text if self.width == 1 else f"splat ({self.element} {text})"

    def whole(self, k: int) -> str:
        """The same integer in every lane."""
        k &= (1 << 8 * self.bytes) - 1
        return str(k) if self.width == 1 else f"splat ({self.integer} {k})"


@dataclass
class Writer:
    """Lines of one function; gives out names."""

    lanes: Lanes
    lines: list[str] = field(default_factory=list)
    count: int = 0
    block: str = ""  # the basic block being written
    scratch: int = 0  # bytes of stack the function needs

    def new(self) -> str:
        """A fresh name."""
        self.count += 1
        return f"%t{self.count}"

    def line(self, text: str) -> None:
        """Add a line without a result."""
        self.lines.append("  " + text)

    def let(self, text: str, name: str | None = None) -> str:
        """Add a line with a result; its name."""
        name = name or self.new()
        self.lines.append(f"  {name} = {text}")
        return name

    def label(self, name: str) -> None:
        """Begin a basic block."""
        self.block = name
        self.lines.append(f"{name}:")

    def reserve(self, size: int) -> None:
        """Make ``%scratch`` at least this large; see ``opened``."""
        self.scratch = max(self.scratch, size)

    def opened(self) -> list[str]:
        """The function's lines, its scratch memory allocated right behind the label of the first block."""
        if not self.scratch:
            return self.lines
        return [*self.lines[:2], f"  %scratch = alloca [{self.scratch} x i8], align 64", *self.lines[2:]]

    def fma(self, a: str, b: str, c: str, name: str | None = None) -> str:
        """A b + c, rounded once."""
        t = self.lanes.type
        return self.let(f"call {t} @llvm.fma.{self.lanes.suffix}({t} {a}, {t} {b}, {t} {c})", name)

    def at(self, element: str, pointer: str, index: str | int) -> str:
        """Address of an element."""
        return self.let(f"getelementptr inbounds {element}, ptr {pointer}, i64 {index}")

    def load(self, kind: str, pointer: str, align: int) -> str:
        """A load."""
        return self.let(f"load {kind}, ptr {pointer}, align {align}")


_BINARY = {"mul": "fmul", "add": "fadd", "sub": "fsub", "div": "fdiv"}
_WHOLE = {"and": "and", "xor": "xor", "shl": "shl", "shr": "lshr", "iadd": "add"}


def write_steps(w: Writer, steps: Sequence[Step], given: Mapping[str, str]) -> dict[str, str]:
    """Write out a step list of sincos.py; the names of its results."""
    names, lanes = dict(given), w.lanes
    real, whole, mask = lanes.type, lanes.vector(lanes.integer), lanes.vector("i1")

    def number(x: object) -> str:
        return names[x] if isinstance(x, str) else lanes.constant(float(x))  # type: ignore[arg-type]

    def integer(x: object) -> str:
        return names[x] if isinstance(x, str) else lanes.whole(int(x))  # type: ignore[call-overload]

    for out, op, *args in steps:
        if op == "fma":
            made = w.fma(*(number(a) for a in args))
        elif op in _BINARY:
            made = w.let(f"{_BINARY[op]} {real} {number(args[0])}, {number(args[1])}")
        elif op in _WHOLE:
            made = w.let(f"{_WHOLE[op]} {whole} {integer(args[0])}, {integer(args[1])}")
        elif op == "bits":
            made = w.let(f"bitcast {real} {number(args[0])} to {whole}")
        elif op == "float":
            made = w.let(f"bitcast {whole} {integer(args[0])} to {real}")
        else:
            if op == "odd":
                low = w.let(f"trunc {whole} {integer(args[0])} to {mask}")
                a, b = args[1:]
            else:  # above
                low = w.let(f"fcmp ogt {real} {number(args[0])}, {number(args[1])}")
                a, b = args[2:]
            made = w.let(f"select {mask} {low}, {real} {number(a)}, {real} {number(b)}")
        names[out] = made
    return names


def tiles(count: int, widest: int = 4) -> list[tuple[int, int]]:
    """(first column, how many): groups of four, then two, then one."""
    made, at = [], 0
    while at < count:
        size = min(widest, 4 if count - at >= 4 else 2 if count - at >= 2 else 1)
        made.append((at, size))
        at += size
    return made


def streamable(sizes: Sequence[int], lanes: Lanes) -> bool:
    """Whether rows of so many numbers can leave in whole lines, made from a register each: some lanes must begin at the
    same place of a line.
    """
    return lanes.width * lanes.bytes == LINE and all(size >= lanes.width and size % 4 == 0 for size in sizes)


def _shuffle(w: Writer, a: str, b: str, size: int, picks: Sequence[int]) -> str:
    e = w.lanes.element
    mask = ", ".join(f"i32 {p}" for p in picks)
    return w.let(f"shufflevector <{size} x {e}> {a}, <{size} x {e}> {b}, <{len(picks)} x i32> <{mask}>")


def _join(w: Writer, parts: list[str], size: int) -> str:
    """Concatenate vectors of ``size`` numbers, two and two."""
    while len(parts) > 1:
        parts = [_shuffle(w, a, b, size, range(2 * size)) for a, b in zip(parts[::2], parts[1::2], strict=True)]
        size *= 2
    return parts[0]


def _weave(k: int, half: int, width: int) -> list[int]:
    """Within each chunk of 2 * half: the k-th halves of a and of b, a's first."""
    return [
        base + k * half + i + side * width for base in range(0, width, 2 * half) for side in (0, 1) for i in range(half)
    ]


def columns_from_rows(w: Writer, rows: list[str], size: int) -> list[str]:
    """Load ``size`` neighbouring numbers from each lane's row (pointers) and return one vector a column.

    Chunks of ``size`` lanes sit in one register, row by row; pairs of registers are then woven together until each
    holds a column: the
    classic transposition in log2(size) rounds, with a row order chosen so that no round moves numbers between chunks.
    """
    lanes = w.lanes
    width, e, align = lanes.width, lanes.element, lanes.bytes
    if width == 1:
        return [w.load(e, rows[0] if c == 0 else w.at(e, rows[0], c), align) for c in range(size)]
    size_now = size
    if size == 1:
        made = "poison"
        for lane, row in enumerate(rows):
            x = w.load(e, row, align)
            made = w.let(f"insertelement <{width} x {e}> {made}, {e} {x}, i32 {lane}")
        return [made]
    if width < size:
        left, right = (
            columns_from_rows(w, rows, size // 2),
            columns_from_rows(w, [w.at(e, r, size // 2) for r in rows], size // 2),
        )
        return left + right
    # register k holds rows k, k + size, k + 2 size, ...; after weaving, lane order is rows 0, 1, 2, ...
    registers = []
    for k in range(size_now):
        parts = [w.load(f"<{size} x {e}>", rows[k + size * c], align) for c in range(width // size)]
        registers.append(_join(w, parts, size))
    return _transpose(w, registers, size)


def _transpose(w: Writer, registers: list[str], size: int) -> list[str]:
    """Transpose size x size chunks across ``size`` registers."""
    width, half = w.lanes.width, size // 2
    while half:
        made = [""] * size
        for k in range(size):
            if k & half:
                continue
            a, b = registers[k], registers[k | half]
            made[k], made[k | half] = (_shuffle(w, a, b, width, _weave(side, half, width)) for side in (0, 1))
        registers, half = made, half // 2
    return registers


def rows_from_columns(w: Writer, columns: list[str], rows: list[str]) -> None:
    """Store one vector a column into the neighbouring numbers of each lane's row: the same rounds, then the chunks go
    out.
    """
    lanes, size = w.lanes, len(columns)
    width, e, align = lanes.width, lanes.element, lanes.bytes
    if width == 1:
        for c, x in enumerate(columns):
            w.line(f"store {e} {x}, ptr {rows[0] if c == 0 else w.at(e, rows[0], c)}, align {align}")
        return
    if size == 1:
        for lane, row in enumerate(rows):
            x = w.let(f"extractelement <{width} x {e}> {columns[0]}, i32 {lane}")
            w.line(f"store {e} {x}, ptr {row}, align {align}")
        return
    if width < size:
        rows_from_columns(w, columns[: size // 2], rows)
        rows_from_columns(w, columns[size // 2 :], [w.at(e, r, size // 2) for r in rows])
        return
    for k, register in enumerate(_transpose(w, columns, size)):
        for c in range(width // size):
            part = (
                register if width == size else _shuffle(w, register, "poison", width, range(c * size, (c + 1) * size))
            )
            w.line(f"store <{size} x {e}> {part}, ptr {rows[k + size * c]}, align {align}")


def gathered(w: Writer, columns: list[str], lanes: Sequence[int], inside: int) -> list[str]:
    """What each of these lanes has of W columns, side by side; the columns from ``inside`` on are taken from the next
    lane.

    The lanes are equally spaced and few enough that 16 bytes of neighbouring lanes hold one of them. Within 16 bytes,
    columns are woven and lanes that nobody wants are dropped; then quarters of registers are put in place, in steps
    that need no table.
    """
    width, step = w.lanes.width, lanes[1] - lanes[0]
    quarter, half = width // 4, 1
    registers = dict(enumerate(columns))
    for k in range(inside, width):
        registers[k] = _shuffle(w, registers[k], "poison", width, [*range(1, width), 0])
    while half < quarter:
        pairs = [(k, k | half) for k in registers if not k & half]
        sides = (0, 1) if half >= step else (int(bool(lanes[0] & half)),)
        registers = {
            k | side * half: _shuffle(w, registers[k], registers[m], width, _weave(side, half, width))
            for k, m in pairs
            for side in sides
        }
        half *= 2
    for bit, picks in ((quarter, ((0, 1), (2, 3))), (2 * quarter, ((0, 2), (1, 3)))):
        made = {}
        for k in (k for k in registers if not k & bit):
            for side in (0, 1):
                mask = [q * quarter + i + half * width for half in (0, 1) for q in picks[side] for i in range(quarter)]
                made[k | side * bit] = _shuffle(w, registers[k], registers[k | bit], width, mask)
        registers = made
    return [
        registers[lane % quarter + (lane // quarter % 2) * 2 * quarter + (lane // quarter // 2) * quarter]
        for lane in lanes
    ]
