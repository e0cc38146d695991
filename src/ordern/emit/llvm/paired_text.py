"""One state of a robot whose limbs come in twos: what is done in both limbs alike is one operation on two numbers."""

from __future__ import annotations

from ...program.ir import Node, Program
from ...program.limb_pairs import Pair, limb_pairs
from ...program.paired import RESIDENT, paired
from ...program.passes import allocate, early_angles
from .lanes import Lanes, bits_of
from .unrolled_text import Alone

__all__ = ["Paired", "worth_pairing"]

ENOUGH = 0.1  # share of the statements that come in pairs, from which two numbers at a time pay


def worth_pairing(program: Program) -> tuple[list[Pair], dict[int, tuple[int, ...]]] | None:
    """The pairs, with their operands in order, if there are enough of them."""
    if not program.twins:
        return None
    sines = sum(isinstance(s, int) and program.nodes[s].op == "sincos" for s in program.body)
    if sines > len(early_angles(program)[1]):
        return None  # sines that wait for others lie nowhere when the plan begins
    pairs, order = limb_pairs(program)
    return (pairs, order) if len(pairs) > ENOUGH * len(program.body) else None


class Paired(Alone):
    """Cells of two numbers in registers of two."""

    def __init__(
        self,
        program: Program,
        lanes: Lanes,
        registers: int,
        pairs: list[Pair],
        order: dict[int, tuple[int, ...]],
    ) -> None:
        super().__init__(program, lanes, registers)
        self.two, self.limbs, self.order = Lanes(2, lanes.dtype), pairs, order
        self.source = program.nodes
        self.sine_slot: dict[tuple[int, str], int] = {}
        self.pair_slot: dict[tuple[int, int], int] = {}
        self.results: set[int] = set()  # cells of two results
        self.take(self.slots % 2)  # two numbers lie at a place of their size
        self.both, self.both_at = self.two.constant(0.0), self.take(2)
        self.globals.append(
            f"declare {self.two.type} @llvm.fma.{self.two.suffix}({self.two.type}, {self.two.type}, {self.two.type})"
        )

    def body(self) -> str:
        """Inputs in, sines, the plan."""
        source = self.p
        for name, count in source.inputs.items():
            self._in(name, count)
        self._sines()
        self.begin()
        self._put_cell(self.both_at, self.two.constant(0.0), True)
        cells = paired(source, self.limbs, self.order)
        for k in sorted(cells.wide):
            if cells.nodes[k].op in RESIDENT:
                self._lay_pair(*cells.nodes[k].arg)
        lanes: dict[int, set[int]] = {}
        for s in cells.body:
            if isinstance(s, Node):
                lanes.setdefault(s.src[0], set()).add(s.arg[1])
        self.results = {k for k, both in lanes.items() if both == {0, 1}}
        plan = allocate(cells, self.registers, cells.body)
        self.take(self.slots % 2)
        spills = self.take(2 + 2 * max((s.arg[0] for s in plan if isinstance(s, Node) and s.op == "spill"), default=-1))
        never = self.w.let("icmp eq i64 %valid, 0")
        self.source, self.p, self.names, done = source.nodes, cells, {}, 0
        for s in plan:
            if isinstance(s, int):
                if cells.nodes[s].op not in RESIDENT:
                    self.node(s)
                    done += 1
            elif s.op == "spill":
                k = s.src[0]
                self._put_cell(spills + 2 * s.arg[0], self.names[k], k in cells.wide)
            elif s.op == "reload":
                k, slot = s.src[0], s.arg[0]
                self.names[k] = (
                    self._get_cell(spills + 2 * slot, k in cells.wide) if slot >= 0 else self._resident(cells.nodes[k])
                )
            elif s.op == "out" and s.arg[0] not in self.result_at:
                self._deliver_cell(s.arg[0], s.arg[1], s.src[0])
            if done >= self.PIECE:
                done, k = 0, self.fresh()
                self.between(1.0)
                self.w.line(f"br i1 {never}, label %never, label %piece{k}")
                self.w.label(f"piece{k}")
        self.p = source
        total = self.rest()
        for c in (0, 1):
            total = self.w.let(f"fadd {self.lanes.type} {total}, {self.get(self.both_at + c)}")
        k = self.fresh()
        self.w.line(f"br i1 {never}, label %never, label %piece{k}")
        self.w.label("never")
        self.w.line("ret i32 1")
        self.w.label(f"piece{k}")
        return total

    # --- memory -------------------------------------------------------------------------------------------------------
    def _sines(self) -> list[int]:
        """Those of two limbs side by side."""
        before, angles = early_angles(self.p)
        twins: dict[int, int] = {}
        for a, b in self.limbs:
            one, other = (self.p.nodes[k].src for k in (a, b))
            if self.p.nodes[a].op in ("sin", "cos") and not {*one, *other} & {*twins, *twins.values()}:
                twins[one[0]] = other[0]
        seconds = set(twins.values())
        ordered = [x for s in angles if s not in seconds for x in ((s, twins[s]) if s in twins else (s,))]
        self.take(self.slots % 2)
        for s in ordered:
            if s in twins:
                at = self.take(4)
                for k, c in ((s, 0), (twins[s], 1)):
                    self.sine_slot[k, "sin"], self.sine_slot[k, "cos"] = at + c, at + 2 + c
        for s in ordered:
            if (s, "sin") not in self.sine_slot:
                at = self.take(2)
                self.sine_slot[s, "sin"], self.sine_slot[s, "cos"] = at, at + 1
        for group in self._sincos_groups(before, ordered):
            for which, op in enumerate(("sin", "cos")):
                for s, pair in group:
                    self.put(self.sine_slot[s, op], pair[which])
        return ordered

    def _lay_pair(self, k: int, l: int) -> None:
        """Two inputs, sines or cosines side by side, if they are not yet."""
        if self.p.nodes[k].op != "in":
            first, second = (self.sine_slot[self.p.nodes[x].src[0], self.p.nodes[x].op] for x in (k, l))
            if second == first + 1 and first % 2 == 0:
                self.pair_slot[k, l] = first
                return
        self.take(self.slots % 2)
        at = self.pair_slot[k, l] = self.take(2)
        self._put_cell(at, self._joined(*(self._resident(self.p.nodes[x]) for x in (k, l))), True)

    def _resident(self, node: Node) -> str:
        op, src, arg = node
        if op == "in" and isinstance(arg[0], str):
            return super()._resident(node)
        if len(arg) == 0:
            return self.get(self.sine_slot[src[0], op])
        one = self.source[arg[0]]
        if len(arg) == 1:
            return self._resident(one)
        return self._get_cell(self.pair_slot[arg[0], arg[1]], True)

    def _put_cell(self, at: int, value: str, wide: bool) -> None:
        if wide:
            self.w.line(f"store {self.two.type} {value}, ptr {self.slot(at)}, align {2 * self.lanes.bytes}")
        else:
            self.put(at, value)

    def _get_cell(self, at: int, wide: bool) -> str:
        return self.w.load(self.two.type, self.slot(at), 2 * self.lanes.bytes) if wide else self.get(at)

    def _deliver_cell(self, k: int, lane: int, cell: int) -> None:
        """A result to every place that it has."""
        self.result_at[k] = -1
        if self.p.nodes[cell] == Node("const", (), (0.0,)):
            return
        value = self.names[cell] if lane < 0 else self._lane(self.names[cell], lane)
        for name, at in self.places[k]:
            self.deliver(name, at, [value])
        if cell in self.results:  # both of its numbers are
            if lane == 0:
                self.both = self._fma(self.names[cell], self.two.constant(0.0), self.both)
        elif self.p.nodes[cell].op != "const":
            self.watched = self.watch(value, self.watched)

    def between(self, done: float) -> None:
        """The sum of pairs goes to memory as well."""
        if self.both != self.two.constant(0.0):
            t = self.two.type
            made = self.w.let(f"fadd {t} {self._get_cell(self.both_at, True)}, {self.both}")
            self._put_cell(self.both_at, made, True)
            self.both = self.two.constant(0.0)
        super().between(done)

    # --- values of two ------------------------------------------------------------------------------------------------
    def node(self, k: int) -> None:
        """Evaluate a node, or a cell."""
        op, src, arg = self.p.nodes[k]
        if op == "lane":
            self.names[k] = self._lane(self.names[src[0]], arg[0])
        elif op == "const" and len(arg) == 2:
            e = self.lanes.element
            self.names[k] = f"<{', '.join(f'{e} {bits_of(x, self.lanes.dtype)}' for x in arg)}>"
        elif op in _TWO:
            self.names[k] = self._pair_op(op, [self.names[x] for x in src], arg)
        else:
            super().node(k)

    def _pair_op(self, op: str, x: list[str], arg: tuple[int, ...]) -> str:
        w, t = self.w, self.two.type
        if op == "splat":
            return self._joined(x[0], x[0])
        if op == "join":
            return self._joined(*x)
        if op == "swap":
            return w.let(f"shufflevector {t} {x[0]}, {t} poison, <2 x i32> <i32 1, i32 0>")
        if op == "flip":
            if all(arg):
                return self._minus_two(x[0])
            i, sign = self.lanes.integer, 1 << (8 * self.lanes.bytes - 1)
            bits = w.let(f"bitcast {t} {x[0]} to <2 x {i}>")
            made = w.let(f"xor <2 x {i}> {bits}, <{', '.join(f'{i} {sign if at else 0}' for at in arg)}>")
            return w.let(f"bitcast <2 x {i}> {made} to {t}")
        if op == "pair_sum":
            a, b = x if arg[0] > 0 else x[::-1]
            if arg == (-1, -1):
                a = self._minus_two(a)
            return w.let(f"{'fadd' if arg == (1, 1) else 'fsub'} {t} {a}, {b}")
        if op == "pair_fused":
            a = x[0] if arg[0] > 0 else self._minus_two(x[0])
            return self._fma(a, x[1], x[2] if arg[1] > 0 else self._minus_two(x[2]))
        made = w.let(f"{'fmul' if op == 'pair_mul' else 'fdiv'} {t} {x[0]}, {x[1]}")
        return made if arg[0] > 0 else self._minus_two(made)

    def _fma(self, a: str, b: str, c: str) -> str:
        t = self.two.type
        return self.w.let(f"call {t} @llvm.fma.{self.two.suffix}({t} {a}, {t} {b}, {t} {c})")

    def _minus_two(self, x: str) -> str:
        return self.w.let(f"fneg {self.two.type} {x}")

    def _lane(self, x: str, lane: int) -> str:
        return self.w.let(f"extractelement {self.two.type} {x}, i32 {lane}")

    def _joined(self, a: str, b: str) -> str:
        t, e = self.two.type, self.lanes.element
        made = self.w.let(f"insertelement {t} poison, {e} {a}, i32 0")
        return self.w.let(f"insertelement {t} {made}, {e} {b}, i32 1")


_TWO = {"splat", "join", "swap", "flip", "pair_sum", "pair_fused", "pair_mul", "pair_div"}
