"""Writing loops over lanes: memory of one vector a slot, named arrays in it, and programs as functions on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...model.thresholds import COMPONENTS, ONE_PIECE
from ...program.ir import Program
from .block import BlockText
from .lanes import Lanes, Writer
from .mathcode import any_lane, math_code, vector_math
from .rolled_text import Rolled
from .unrolled_text import Long, Short

__all__ = ["Fields", "Text", "module", "program_function"]

ARGUMENTS = "ptr %lanes, ptr %in0, ptr %in1, ptr %put0, ptr %put1, ptr %put2, ptr %put3, ptr noalias %space, i64 %valid"


class Fields:
    """Named arrays of slots, one after the other."""

    def __init__(self) -> None:
        self.at: dict[str, int] = {}
        self.count: dict[str, int] = {}
        self.total = 0

    def copy(self) -> Fields:
        """The same arrays, to go on from."""
        made = Fields()
        made.at, made.count, made.total = dict(self.at), dict(self.count), self.total
        return made

    def add(self, name: str, count: int = 1) -> None:
        """Reserve an array."""
        self.at[name], self.count[name] = self.total, count
        self.total += count


class _OnLanes(BlockText):
    """A block whose inputs and outputs are vectors in lane memory: no rows, no transposition."""

    homes: Mapping[str, tuple[str, int]]
    name: str

    def run(self) -> None:
        """The function."""
        w = self.w
        w.lines.append(f"define internal i32 @{self.name}({ARGUMENTS}) noinline #0 {{")
        w.label("entry")
        self.body()
        w.line("ret i32 0")
        w.lines.append("}")

    def _slot(self, array: str, at: str | int, c: int) -> str:
        base, offset = self.homes[array]
        if isinstance(at, str) and not at.lstrip("-").isdigit():
            return str(self.w.at(self.lanes.type, base, self.w.let(f"add i64 {at}, {offset + c}")))
        return str(self.w.at(self.lanes.type, base, int(at) + offset + c))

    def fetch(self, array: str, at: str | int, size: int) -> list[str]:
        """Neighbouring inputs."""
        return [self.w.load(self.lanes.type, self._slot(array, at, c), self.align) for c in range(size)]

    def deliver(self, array: str, at: str | int, columns: list[str]) -> None:
        """Neighbouring outputs."""
        for c, x in enumerate(columns):
            self.w.line(f"store {self.lanes.type} {x}, ptr {self._slot(array, at, c)}, align {self.align}")


class _Short(_OnLanes, Short):
    pass


class _Long(_OnLanes, Long):
    pass


class _Rolled(_OnLanes, Rolled):
    pass


def program_function(
    name: str, program: Program, lanes: Lanes, places: Mapping[str, tuple[str, int]], registers: int
) -> tuple[list[str], int]:
    """A program as ``@name``: its text (and tables), and how many slots of ``%space`` it needs."""
    block: Any
    if not program.straight:
        block = _Rolled(program, lanes)
    elif len(program.body) <= ONE_PIECE:
        block = _Short(program, lanes)
    else:
        block = _Long(program, lanes, registers - 6)
    block.homes, block.name = places, name
    block.run()
    text = [*block.globals, "\n".join(block.w.opened())]
    for shared in ("numbers", "indices", "table"):  # every program of the module has its own
        text = [part.replace(f"@{shared}", f"@{name}_{shared}") for part in text]
    return text, block.slots


def module(parts: Sequence[str], lanes: Lanes) -> str:
    """A module with the functions that programs and integrators call."""
    t, s, e, n = lanes.type, lanes.suffix, lanes.element, 8 * lanes.bytes
    tail = [
        *math_code(lanes, "\n".join(parts)),
        f"declare {t} @llvm.fma.{s}({t}, {t}, {t})",
        f"declare {t} @llvm.sqrt.{s}({t})",
        f"declare {t} @llvm.fabs.{s}({t})",
        *vector_math(lanes),
        "" if lanes.width == 1 else f"declare {e} @llvm.fabs.f{n}({e})",
        "" if lanes.width == 1 else f"declare {e} @llvm.fma.f{n}({e}, {e}, {e})",
        "declare i64 @llvm.ctlz.i64(i64, i1)",
        "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
        'attributes #0 = { nounwind "min-legal-vector-width"="512" "prefer-vector-width"="512" }',
        '!0 = !{!"branch_weights", i32 1, i32 100000}',
    ]
    return "\n".join(p for p in [*parts, *tail] if p) + "\n"


class Text(Writer):
    """A function that works on lane memory ``%lanes`` with the given fields."""

    def __init__(self, lanes: Lanes, fields: Fields) -> None:
        super().__init__(lanes)
        self.fields = fields
        self.real, self.mask = lanes.type, lanes.vector("i1")
        self.align = lanes.width * lanes.bytes

    # --- memory -------------------------------------------------------------------------------------------------------
    def place(self, name: str, k: str | int = 0) -> str:
        """Address of a slot."""
        start = self.fields.at[name]
        return self.at(self.real, "%lanes", start + k if isinstance(k, int) else self.let(f"add i64 {k}, {start}"))

    def get(self, name: str, k: str | int = 0) -> str:
        """The vector in a slot."""
        return self.load(self.real, self.place(name, k), self.align)

    def put(self, name: str, value: str, k: str | int = 0) -> None:
        """Store a vector."""
        self.line(f"store {self.real} {value}, ptr {self.place(name, k)}, align {self.align}")

    def lane(self, name: str, lane: str, k: str | int = 0) -> str:
        """Address of one lane's number in a slot."""
        return self.at("double", self.place(name, k), lane)

    # --- arithmetic ---------------------------------------------------------------------------------------------------
    def const(self, x: float) -> str:
        """The same number in all lanes."""
        return self.lanes.constant(x)

    def op(self, op: str, a: str, b: str) -> str:
        """An fadd, fsub, fmul or fdiv."""
        return self.let(f"{op} {self.real} {a}, {b}")

    def compare(self, how: str, a: str, b: str) -> str:
        """A mask."""
        return self.let(f"fcmp {how} {self.real} {a}, {b}")

    def both(self, a: str, b: str, op: str = "and") -> str:
        """Of two masks."""
        return self.let(f"{op} {self.mask} {a}, {b}")

    def choose(self, mask: str, a: str, b: str) -> str:
        """A where the mask is set, else b."""
        return self.let(f"select {self.mask} {mask}, {self.real} {a}, {self.real} {b}")

    def most(self, a: str, b: str) -> str:
        """The larger one."""
        return self.choose(self.compare("ogt", a, b), a, b)

    def least(self, a: str, b: str) -> str:
        """The smaller one."""
        return self.choose(self.compare("olt", a, b), a, b)

    def absolute(self, a: str) -> str:
        """|a|."""
        return self.let(f"call {self.real} @llvm.fabs.{self.lanes.suffix}({self.real} {a})")

    def root(self, a: str) -> str:
        """Square root."""
        return self.let(f"call {self.real} @llvm.sqrt.{self.lanes.suffix}({self.real} {a})")

    def splat(self, x: str) -> str:
        """A scalar in all lanes."""
        width = self.lanes.width
        if width == 1:
            return x
        one = self.let(f"insertelement <{width} x double> poison, double {x}, i32 0")
        return self.let(
            f"shufflevector <{width} x double> {one}, <{width} x double> poison, <{width} x i32> zeroinitializer"
        )

    def any(self, mask: str) -> str:
        """Whether some lane is set."""
        return any_lane(self, mask)

    # --- control ------------------------------------------------------------------------------------------------------
    def fresh(self) -> int:
        """A number for labels."""
        self.count += 1
        return self.count

    @contextmanager
    def loop(self, count: str | int) -> Iterator[str]:
        """Count from zero; at least no turn."""
        k = self.fresh()
        before = self.block
        self.line(f"br label %head{k}")
        self.label(f"head{k}")
        self.let(f"phi i64 [ 0, %{before} ], [ %step{k}, %latch{k} ]", f"%i{k}")
        self.let(f"icmp slt i64 %i{k}, {count}", f"%more{k}")
        self.line(f"br i1 %more{k}, label %turn{k}, label %end{k}")
        self.label(f"turn{k}")
        yield f"%i{k}"
        self.line(f"br label %latch{k}")
        self.label(f"latch{k}")
        self.let(f"add i64 %i{k}, 1", f"%step{k}")
        self.line(f"br label %head{k}")
        self.label(f"end{k}")

    @contextmanager
    def when(self, condition: str) -> Iterator[None]:
        """If."""
        k = self.fresh()
        self.line(f"br i1 {condition}, label %then{k}, label %past{k}")
        self.label(f"then{k}")
        yield
        self.line(f"br label %past{k}")
        self.label(f"past{k}")

    def each(self, count: int, cost: int, body: Callable[[str | int], None]) -> None:
        """For all components: written out if that is short."""
        if count * cost <= COMPONENTS:
            for k in range(count):
                body(k)
        elif count:
            with self.loop(count) as i:
                body(i)

    def call(self, function: str, arguments: Sequence[str]) -> None:
        """Call a program on lane memory; missing arguments are the lanes themselves."""
        given = [*arguments, *["%lanes"] * (6 - len(arguments))]
        self.let(f"call i32 @{function}(ptr %lanes, {', '.join(f'ptr {a}' for a in given)}, ptr %space, i64 1)")

    def shifted(self, k: str | int, by: int) -> str | int:
        """An index further on."""
        return k + by if isinstance(k, int) else self.let(f"add i64 {k}, {by}") if by else k

    # --- x^e, to some five digits: only step sizes come from it -------------------------------------------------------
    def power(self, x: str, exponent: float) -> str:
        """For positive normal x; the same bits on every machine."""
        whole = self.lanes.vector(self.lanes.integer)
        bits = self.let(f"bitcast {self.real} {x} to {whole}")
        high = self.let(f"lshr {whole} {bits}, {self.lanes.whole(52)}")
        e0 = self.let(
            f"bitcast {whole} {self.let(f'or {whole} {high}, {self.lanes.whole(0x4330000000000000)}')} to {self.real}"
        )
        e = self.op("fsub", e0, self.const(2.0**52 + 1023))
        low = self.let(f"and {whole} {bits}, {self.lanes.whole((1 << 52) - 1)}")
        m = self.let(
            f"bitcast {whole} {self.let(f'or {whole} {low}, {self.lanes.whole(0x3FF0000000000000)}')} to {self.real}"
        )
        y = self.op("fdiv", self.op("fsub", m, self.const(1.0)), self.op("fadd", m, self.const(1.0)))
        yy = self.op("fmul", y, y)
        series = self.const(2.885390081777927 / 9)
        for k in (7, 5, 3, 1):  # log2 m = 2/ln 2 (y + y^3/3 + ...)
            series = self.fma(series, yy, self.const(2.885390081777927 / k))
        z = self.op("fmul", self.fma(series, y, e), self.const(exponent))
        shifted = self.op("fadd", z, self.const(1.5 * 2.0**52))
        r = self.op("fsub", z, self.op("fsub", shifted, self.const(1.5 * 2.0**52)))
        made = self.const(0.6931471805599453**7 / 5040)
        for k, f in ((6, 720), (5, 120), (4, 24), (3, 6), (2, 2), (1, 1), (0, 1)):
            made = self.fma(made, r, self.const(0.6931471805599453**k / f))
        n = self.let(f"shl {whole} {self.let(f'bitcast {self.real} {shifted} to {whole}')}, {self.lanes.whole(52)}")
        sum_bits = self.let(f"add {whole} {self.let(f'bitcast {self.real} {made} to {whole}')}, {n}")
        return self.let(f"bitcast {whole} {sum_bits} to {self.real}")
