"""Symbols: an algorithm as formulas, from the traced program with the tables' names, so that they stay short where raw
SymPy swells.

``steps`` are named intermediates (w_3_x: the x component of what the text calls w[3]), each an expression of inputs,
constants and earlier steps; their number grows as the program does. ``matrix`` is the result written out, a SymPy
matrix.
"""

from __future__ import annotations

import math
import operator
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from ..algorithms.registry import Algorithm
from ..errors import MethodError, need
from ..model import Model
from ..model.thresholds import MOST_FORMULAS
from ..program.build import prepared, trace
from ..program.interpret import Machine, Operators
from ..program.ir import Program, reads
from ..program.parameters import symbolic_trace
from .counts import Counts, tally
from .evaluators import evaluator

__all__ = ["Formulas", "formulas"]

LONGEST = 60  # operations in one step: longer expressions are cut, so that no formula swells
GREEK = {
    "tau": r"\tau",
    "psi": r"\psi",
    "psih": r"\hat\psi",
    "w": r"\omega",
    "wd": r"\dot\omega",
    "mu": r"\mu",
    "qd": r"\dot q",
    "qdd": r"\ddot q",
}


class Formulas:
    """Formulas of one quantity for one robot."""

    def __init__(self, title: str, program: Program, parameters: dict[str, float] | None = None) -> None:
        self.title, self.program = title, program
        self.parameters = parameters or {}  # letters and the numbers they stand for

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_sympy"}  # no module can be pickled

    @property
    def count(self) -> Counts:
        """How many operations the formulas take, step by step."""
        return tally(self.program)

    @cached_property
    def _sympy(self) -> Any:
        return need("sympy", "formulas")

    @cached_property
    def _made(self) -> tuple[list[tuple[Any, Any]], dict[str, list[Any]]]:
        """Steps as (symbol, expression), and the outputs in terms of them."""
        machine = _Steps(self._sympy, self.program, set(self.parameters))
        machine.run(self.program.body)
        return machine.steps, {name: [e.made(self._sympy) for e in row] for name, row in machine.out.items()}

    @property
    def steps(self) -> list[tuple[Any, Any]]:
        """(symbol, expression) pairs, in order; each uses only inputs and earlier symbols."""
        return self._made[0]

    @property
    def results(self) -> Any:
        """The output in terms of the steps, as a SymPy matrix or a list of them."""
        return self._shaped(self._made[1])

    @cached_property
    def matrix(self) -> Any:
        """The output written out in inputs (and parameters) alone; long for large robots: see ``steps``."""
        steps, outputs = self._made
        full: dict[Any, Any] = {}
        for symbol, expression in steps:
            full[symbol] = expression.xreplace(full)
        return self._shaped(
            {name: [e.xreplace(full) if hasattr(e, "xreplace") else e for e in row] for name, row in outputs.items()}
        )

    def _shaped(self, outputs: dict[str, list[Any]]) -> Any:
        made = []
        for name, row in outputs.items():
            shape = self.program.outputs[name]
            rows = shape[0] if shape else 1
            made.append(self._sympy.Matrix(rows, math.prod(shape[1:]), row))
        return made[0] if len(made) == 1 else made

    def simplified(self) -> Any:
        """``matrix`` expanded and simplified by SymPy; decimals that are short fractions shown as such."""
        sp = self._sympy
        single = self.matrix if not isinstance(self.matrix, list) else self.matrix[0]
        return single.applyfunc(
            lambda e: sp.trigsimp(sp.expand(e)).replace(lambda x: x.is_Float, lambda x: _short(sp, float(x)))
        )

    def latex(self, steps: bool = True) -> str:
        """LaTeX: an aligned list of steps and the result (or, without steps, the result written out)."""
        sp = self._sympy
        names = {symbol: _latex_name(str(symbol)) for e in self._symbols() for symbol in [e]}
        if not steps:
            return str(sp.latex(self.matrix, symbol_names=names))
        lines = [rf"{names.get(s, sp.latex(s))} &= {sp.latex(e, symbol_names=names)} \\" for s, e in self.steps]
        result = self.results if isinstance(self.results, list) else [self.results]
        lines += [rf"{_heading(self.title)} &= {sp.latex(r, symbol_names=names)} \\" for r in result]
        return "\\begin{aligned}\n" + "\n".join(lines) + "\n\\end{aligned}"

    def _symbols(self) -> set[Any]:
        found = {s for s, _ in self.steps}
        for _, e in self.steps:
            found |= e.free_symbols
        for r in self.results if isinstance(self.results, list) else [self.results]:
            found |= r.free_symbols
        return found

    def __len__(self) -> int:
        return len(self.steps)

    def __str__(self) -> str:
        lines = [f"{s} = {e}" for s, e in self.steps]
        for name, row in self._made[1].items():
            lines += [f"{self.title if len(self._made[1]) == 1 else name}[{k}] = {e}" for k, e in enumerate(row)]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Formulas {self.title}: {len(self.steps)} steps, {self.count}>"

    def _repr_latex_(self) -> str:
        return f"$$\n{self.latex()}\n$$"


def formulas(algorithm: Algorithm, model: Model, options: Sequence[Any] = (), symbols: bool = False) -> Formulas:
    """The formulas of an algorithm; with ``symbols`` masses, lengths and inertias are letters instead of numbers."""
    if len(model.bodies) > MOST_FORMULAS:
        raise MethodError(
            f"formulas of {algorithm.quantity} for {len(model.bodies) - 1:,} joints would fill gigabytes; take a "
            f"shorter chain (up to {MOST_FORMULAS - 1:,} joints), robot.casadi({algorithm.quantity!r}) or numbers"
        )
    if symbols:
        program, parameters = symbolic_trace(algorithm, model, options)
        return Formulas(algorithm.quantity, program, parameters)
    return Formulas(
        algorithm.quantity, trace(algorithm, prepared(algorithm, model, regrouped=False), options, rolled=False)
    )


@evaluator("formulas")
def _worked_out(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Callable[..., Any]:
    """The steps in numbers, one after the other: SymPy's own substitution rebuilds everything, thirty times slower."""
    made = formulas(algorithm, model, options)

    def run(*arrays: Any) -> Any:
        known = {
            f"{name}_{k + 1}": float(x)
            for name, row in zip(algorithm.inputs, arrays, strict=True)
            for k, x in enumerate(row)
        }

        def holds(when: Any) -> bool:
            return bool(_RELATIONS[when.rel_op](value(when.lhs), value(when.rhs)))

        def value(e: Any) -> float:
            if e.is_Symbol or e.is_Number:
                return known[e.name] if e.is_Symbol else float(e)
            if e.is_Piecewise:
                return next(value(a) for a, when in e.args if when == True or holds(when))  # noqa: E712 - SymPy's true
            parts = [value(a) for a in e.args]
            if e.is_Pow:
                return float(parts[0] ** parts[1])
            return (
                math.fsum(parts)
                if e.is_Add
                else math.prod(parts)
                if e.is_Mul
                else float((_CHOICES.get(e.func.__name__) or getattr(math, e.func.__name__))(*parts))
            )

        for symbol, expression in made.steps:
            known[symbol.name] = value(expression)
        return tuple(
            [value(e) for e in m] for m in (made.results if isinstance(made.results, list) else [made.results])
        )

    return run


class _Steps(Machine):
    """Run a program on SymPy symbols; repeated or long expressions get names."""

    def __init__(self, sp: Any, program: Program, letters: set[str]) -> None:
        inputs = {
            name: [_Sum([[sp.Symbol(f"{name}_{k + 1}")]]) for k in range(count)]
            for name, count in program.inputs.items()
        }
        given: dict[str, Any] = inputs | {name: {None: _Sum([[sp.Symbol(name)]])} for name in letters}
        super().__init__(program, given, _operators(sp))
        self.sp, self.steps = sp, list[tuple[Any, Any]]()
        self.size: dict[int, int] = {}  # operations written out in a value
        self.used = {f"{name}_{k + 1}" for name, count in program.inputs.items() for k in range(count)} | letters
        self.uses = Counter(k for s in program.body for k in reads(program.nodes, s))

    def run(self, body: Sequence[Any]) -> None:
        """The same; each value is named where that keeps formulas short."""
        for s in body:
            super().run((s,))
            if isinstance(s, int):
                self.values[s] = self._named(s, self.values[s])

    def _named(self, k: int, value: _Sum) -> _Sum:
        self.size[k] = 1 + sum(self.size[a] for a in self.p.nodes[k].src)
        shared, label = self.uses[k] > 1, self.p.labels.get(k)
        if (shared and (label is not None or self.size[k] > 3)) or self.size[k] > LONGEST:
            made = value.made(self.sp)
            if not made.is_Atom:
                symbol = self.sp.Symbol(
                    _fresh(_label(label) if label is not None else f"x_{len(self.steps) + 1}", self.used)
                )
                self.steps.append((symbol, made))
                value, self.size[k] = _Sum([[symbol]]), 0
        return value


class _Sum:
    """Terms collected before SymPy adds them: it sorts all terms again at each addition."""

    __slots__ = ("terms",)

    def __init__(self, terms: list[list[Any]]) -> None:
        self.terms = terms

    def made(self, sp: Any) -> Any:
        """The expression."""
        if len(self.terms) > 1 or len(self.terms[0]) > 1:
            products = [sp.Mul(*factors) if len(factors) > 1 else factors[0] for factors in self.terms]
            self.terms = [[sp.Add(*products) if len(products) > 1 else products[0]]]
        return self.terms[0][0]

    def times(self, sp: object, other: _Sum) -> _Sum:
        return _Sum([[f for x in (self, other) for f in (x.terms[0] if len(x.terms) == 1 else [x.made(sp)])]])

    def minus(self, sp: Any) -> _Sum:
        return _Sum([[sp.S.NegativeOne, *factors] for factors in self.terms])


def _operators(sp: Any) -> Operators:
    """What sums of products of SymPy's expressions do."""

    def constant(x: float) -> _Sum:
        return _Sum([[sp.Rational(int(x * 64), 64) if (x * 64).is_integer() and abs(x) < 1e6 else sp.Float(x)]])

    def of(function: Any) -> Any:
        return lambda *given: _Sum([[function(*(e.made(sp) for e in given))]])

    functions: dict[str, Any] = {name: of(getattr(sp, name)) for name in ("sin", "cos", "sqrt", "tanh", "log")}
    functions |= {
        "least": of(sp.Min),
        "most": of(sp.Max),
        "select": of(lambda x, a, b: sp.Piecewise((a, x > 0), (b, True))),
    }
    functions |= {"sincos": lambda a: a, "neg": lambda a: a.minus(sp), "mul": lambda a, b: a.times(sp, b)}
    functions |= {"div": lambda a, b: a.times(sp, _Sum([[1 / b.made(sp)]]))}
    functions |= {"add": lambda a, b: _Sum(a.terms + b.terms), "sub": lambda a, b: _Sum(a.terms + b.minus(sp).terms)}
    return Operators(constant, functions)


_RELATIONS = {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}
_CHOICES: dict[str, Callable[..., float]] = {"Max": max, "Min": min, "Abs": abs}  # SymPy's names of what math has not
_SLOTS = {"angular": "w", "linear": "v", "rotation": "R", "origin": "p", "factors": "", "columns": "", "e": ""}


def _label(label: tuple[str, Any, str]) -> str:
    """w_3_x for the x component of w[3]; M_31 for element (3, 1)."""
    name, at, path = label
    row = "_".join(map(str, at)) if isinstance(at, tuple) else str(at)
    parts = [_SLOTS.get(p, p) for p in path.split(".")] if path else []
    return "_".join([name, row, *(p for p in parts if p not in ("", "0"))])


def _short(sp: Any, x: float) -> Any:
    """A fraction with a small denominator where the decimal number is one (1/3, 981/200), else the number itself."""
    near = Fraction(x).limit_denominator(1000)
    return sp.Rational(near.numerator, near.denominator) if abs(float(near) - x) <= 4e-16 * abs(x) else sp.Float(x)


def _fresh(name: str, used: set[str]) -> str:
    """A name no step has yet: a table that each turn of a walk makes again (F) gives F, F2, F3."""
    head, _, rest = name.partition("_")
    made, k = name, 1
    while made in used:
        k += 1
        made = f"{head}{k}_{rest}"
    used.add(made)
    return made


HEADS = {
    "mass_matrix": "M", "mass_matrix_inverse": "M^{-1}", "inverse_dynamics": r"\tau", "forward_dynamics": r"\ddot q",
    "gravity_forces": "g",
    "bias_forces": r"C \dot q + g", "coriolis_matrix": "C", "kinetic_energy": "T", "potential_energy": "V",
}  # fmt: skip


def _heading(quantity: str) -> str:
    return HEADS.get(quantity, rf"\text{{{quantity.replace('_', ' ')}}}")


def _latex_name(name: str) -> str:
    head, *rest = name.split("_")
    head = GREEK.get(head, head)
    return (
        f"{head}_{{{','.join(rest)}}}"
        if rest
        else (head if len(head) == 1 or head.startswith("\\") else rf"\mathrm{{{head.replace('_', ' ')}}}")
    )
