"""Tables in MATLAB text, read and never executed: assignments of numbers and matrices, with arithmetic on names
assigned before.

    n = 3;   alp = [0; pi/2; 0];   Icxx = zeros(n, 1);   Icxx(2) = (1/12)*m(2)*al(2)^2;

What else a file of tables has (the line of its function, ``end``, ``save``, ``clear``, comments) says nothing about
numbers and is passed over. Anything else, such as a loop or a call, is refused with its line: who needs it runs it in
MATLAB and saves a .mat file.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ...errors import ModelError

__all__ = ["Matrix", "tables"]

Matrix = list[list[float]]  # rows; a number is [[x]]
MOST = 100_000  # numbers in a table
DEEPEST = 60  # brackets within brackets
TOKEN = re.compile(
    r"(?P<space>[ \t]+)|(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?)|(?P<name>[A-Za-z]\w*)"
    r"|(?P<sign>\.\*|\./|\.\^|[-+*/^()\[\],;'=\n])"
)
PASSED = re.compile(r"(function\b.*|end|return|clc|clear\b[\w\s]*|close\b[\w\s]*|format\b[\w\s]*|save\b.*)$", re.DOTALL)
FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sin": math.sin, "cos": math.cos, "tan": math.tan, "sqrt": math.sqrt, "abs": abs, "deg2rad": math.radians,
    "rad2deg": math.degrees,
}  # fmt: skip
CONSTANTS = {"pi": math.pi, "eps": 2.0**-52}


def tables(text: str, source: str) -> dict[str, Matrix]:
    """The names that a file assigns, with their values."""
    known: dict[str, Matrix] = {}
    for line, statement in _statements(text):
        if not PASSED.match(statement):
            _Reader(statement, known, f"{source}:{line}").assignment()
    return known


def _statements(text: str) -> list[tuple[int, str]]:
    """(line, statement) pairs, split at ; , and line ends outside brackets; comments are stripped."""
    made: list[tuple[int, str]] = []
    open_brackets, part, begun = 0, "", 1
    block = False
    for number, raw in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), 1):
        if raw.strip() in ("%{", "%}"):
            block = raw.strip() == "%{"
            continue
        code = "" if block else re.split("[%#]", raw, maxsplit=1)[0]
        code, continued, _ = code.partition("...")
        if code.lstrip().startswith(("function", "save")):
            made.append((number, code.strip()))
            continue
        for c in code + (" " if continued else "\n"):
            open_brackets += (c in "[(") - (c in "])")
            if (c in ";,\n" and open_brackets <= 0) or (c == "\n" and not part.strip()):
                if part.strip():
                    made.append((begun, part.strip()))
                part = ""
            else:
                begun = number if not part.strip() else begun
                part += c
    if part.strip():
        made.append((begun, part.strip()))
    return made


@dataclass
class _Reader:
    """One statement: ``name = expression`` or ``name(k) = expression``."""

    text: str
    known: dict[str, Matrix]
    where: str
    at: int = 0
    depth: int = 0
    tokens: list[tuple[str, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        place = 0
        while place < len(self.text):
            found = TOKEN.match(self.text, place)
            if found is None:
                raise self.error(f"{self.text[place]!r} has no place in a table")
            self.tokens.append((str(found.lastgroup), found[0]))
            place = found.end()

    def error(self, why: str) -> ModelError:
        """With the line, and what to do."""
        shown = " ".join(self.text.split())[:60]
        return ModelError(
            f"{self.where}: {shown!r}: {why}; only tables are read, nothing is executed (MATLAB's save makes a .mat "
            "file of any inputs)"
        )

    # --- tokens -------------------------------------------------------------------------------------------------------
    def skip(self) -> None:
        """Spaces."""
        while self.at < len(self.tokens) and (
            self.tokens[self.at][0] == "space" or (self.tokens[self.at][1] == "\n" and not self.depth)
        ):
            self.at += 1

    def peek(self, ahead: int = 0) -> tuple[str, str]:
        """The next token."""
        return self.tokens[self.at + ahead] if self.at + ahead < len(self.tokens) else ("end", "")

    def take(self, wanted: str) -> bool:
        """Whether the next sign is this one, which is then behind us."""
        before = self.at
        self.skip()
        if self.peek()[1] != wanted or self.peek()[0] == "end":
            self.at = before
            return False
        self.at += 1
        return True

    def need(self, wanted: str) -> None:
        """The next sign must be this one."""
        if not self.take(wanted):
            raise self.error(f"{wanted!r} is missing")

    # --- statements ---------------------------------------------------------------------------------------------------
    def assignment(self) -> None:
        """Store the assigned value among the known names."""
        self.skip()
        kind, name = self.peek()
        if kind != "name":
            raise self.error("it assigns nothing")
        self.at += 1
        place = self.arguments() if self.take("(") else None
        if not self.take("="):
            raise self.error("it assigns nothing")
        value = self.sum()
        self.skip()
        if self.peek()[0] != "end":
            raise self.error(f"{self.peek()[1]!r} was not expected")
        if place is None:
            self.known[name] = value
        else:
            row, column = self.element(self.known.setdefault(name, [[0.0]]), place, grow=True)
            self.known[name][row][column] = self.number(value)

    def element(self, matrix: Matrix, place: list[Matrix], grow: bool = False) -> tuple[int, int]:
        """Row and column of an element, counted from 0; a column (or row) that is too short may grow."""
        indices = [self.number(p) for p in place]
        if not 1 <= len(indices) <= 2 or any(i != int(i) or not 1 <= i <= MOST for i in indices):
            raise self.error("an index is a whole number from 1")
        k = [int(i) - 1 for i in indices]
        rows, columns = len(matrix), len(matrix[0]) if matrix else 0
        row, column = (
            (k[0], k[1])
            if len(k) == 2
            else (0, k[0])
            if rows == 1 and columns > 1
            else (k[0] % max(rows, 1), k[0] // max(rows, 1))
        )
        if len(k) == 1 and columns <= 1 and grow:
            row, column = k[0], 0
            matrix.extend([0.0] for _ in range(row + 1 - rows))
        if row >= len(matrix) or column >= len(matrix[0]):
            raise self.error(f"index {', '.join(str(i + 1) for i in k)} lies outside of a {rows} x {columns} table")
        return row, column

    def number(self, value: Matrix) -> float:
        """The value as one number."""
        if len(value) != 1 or len(value[0]) != 1:
            raise self.error("a single number is wanted here")
        return value[0][0]

    # --- expressions --------------------------------------------------------------------------------------------------
    def sum(self) -> Matrix:
        """Terms with + and -; in a matrix, blanks before an attached sign separate elements."""
        made = self.product()
        while True:
            if self.parts():
                return made
            sign = 1.0 if self.take("+") else -1.0 if self.take("-") else 0.0
            if not sign:
                return made
            made = self.each(made, self.product(), lambda a, b, s=sign: a + s * b)  # type: ignore[misc]

    def parts(self) -> bool:
        """Whether a matrix goes on with its next element here: "[1 -2]" has two, "[1 - 2]" one."""
        return (
            bool(self.depth)
            and self.peek()[0] == "space"
            and (self.peek(1)[1] not in ("+", "-") or self.peek(2)[0] != "space")
        )

    def product(self) -> Matrix:
        """Factors with * and /."""
        made = self.signed()
        while True:
            if self.parts():
                following = self.peek(1)[1]
                if following not in ("*", "/", ".*", "./"):
                    return made
            if self.take("*") or self.take(".*"):
                made = self.each(made, self.signed(), lambda a, b: a * b)
            elif self.take("/") or self.take("./"):
                made = self.each(made, self.signed(), self.ratio)
            else:
                return made

    def ratio(self, a: float, b: float) -> float:
        """A / b."""
        if b == 0:
            raise self.error("it divides by zero")
        return a / b

    def signed(self) -> Matrix:
        """A power with its sign."""
        if self.take("-"):
            return [[-x for x in row] for row in self.signed()]
        if self.take("+"):
            return self.signed()
        base = self.atom()
        if self.take("^") or self.take(".^"):
            return self.each(base, self.signed(), self.power)
        return base

    def power(self, a: float, b: float) -> float:
        """A to the b."""
        try:
            return float(a**b)
        except (OverflowError, ZeroDivisionError, TypeError):
            raise self.error("it is no number") from None

    def each(self, a: Matrix, b: Matrix, function: Callable[[float, float], float]) -> Matrix:
        """Element by element; a number goes with any matrix."""
        if len(a) == 1 and len(a[0]) == 1:
            a = [[a[0][0]] * len(row) for row in b]
        if len(b) == 1 and len(b[0]) == 1:
            b = [[b[0][0]] * len(row) for row in a]
        if len(a) != len(b) or any(len(x) != len(y) for x, y in zip(a, b, strict=True)):
            raise self.error("matrices of different sizes")
        return [[function(x, y) for x, y in zip(p, q, strict=True)] for p, q in zip(a, b, strict=True)]

    def atom(self) -> Matrix:
        """A number, a name, a call, brackets."""
        self.skip()
        kind, text = self.peek()
        self.at += 1
        if kind == "number":
            made = [[float(text.replace("d", "e").replace("D", "e"))]]
        elif text == "(":
            made = self.inside(self.sum)
            self.need(")")
        elif text == "[":
            made = self.matrix()
        elif kind == "name":
            made = self.named(text)
        else:
            raise self.error("a number is missing" if kind == "end" else f"{text!r} was not expected")
        while self.peek()[1] == "'":
            self.at += 1
            made = [list(column) for column in zip(*made, strict=True)]
        return made

    def inside(self, read: Callable[[], Matrix]) -> Matrix:
        """Within round brackets blanks mean nothing."""
        self.deeper()
        kept, self.depth = self.depth, 0
        made = read()
        self.depth = kept
        return made

    def deeper(self) -> None:
        """Guard against brackets without end."""
        if (
            sum(t in "([" for _, t in self.tokens[: self.at]) - sum(t in ")]" for _, t in self.tokens[: self.at])
            > DEEPEST
        ):
            raise self.error("brackets within brackets within brackets")

    def arguments(self) -> list[Matrix]:
        """What stands between round brackets, the first of which is behind us."""
        made = [self.inside(self.sum)]
        while self.take(","):
            made.append(self.inside(self.sum))
        self.need(")")
        return made

    def named(self, name: str) -> Matrix:
        """A variable, an element of one, a constant, or a function of numbers."""
        if name in self.known:
            if self.peek()[1] != "(":
                return [row[:] for row in self.known[name]]
            self.at += 1
            row, column = self.element(self.known[name], self.arguments())
            return [[self.known[name][row][column]]]
        if name in CONSTANTS:
            return [[CONSTANTS[name]]]
        if self.take("("):
            given = self.arguments()
            if name in ("zeros", "ones"):
                return self.filled(given, float(name == "ones"))
            if name == "sum" and len(given) == 1:
                return [[math.fsum(x for row in given[0] for x in row)]]
            if name in FUNCTIONS and len(given) == 1:
                return [[self.applied(FUNCTIONS[name], x) for x in row] for row in given[0]]
        raise self.error(f"{name!r} was not assigned before")

    def applied(self, function: Callable[[float], float], x: float) -> float:
        """A function of a number, where it is one."""
        try:
            return function(x)
        except (ValueError, OverflowError):
            raise self.error("it is no number") from None

    def filled(self, given: list[Matrix], value: float) -> Matrix:
        """zeros(rows, columns) or ones(...)."""
        sizes = [self.number(g) for g in given]
        if len(sizes) > 2 or any(s != int(s) or s < 0 for s in sizes) or sizes[0] * sizes[-1] > MOST:
            raise self.error("the size of a table is one or two whole numbers")
        return [[value] * int(sizes[-1]) for _ in range(int(sizes[0]))]

    def matrix(self) -> Matrix:
        """Rows up to the closing bracket."""
        self.deeper()
        kept, self.depth = self.depth, 1
        rows: Matrix = []
        row: list[float] = []
        while True:
            while self.peek()[0] == "space" or self.peek()[1] == ",":
                self.at += 1
            kind, text = self.peek()
            if kind == "end":
                raise self.error("']' is missing")
            if text in (";", "\n", "]"):
                self.at += 1
                if row:
                    rows.append(row)
                row = []
                if text == "]":
                    break
                continue
            value = self.sum()
            if len(value) == 1:
                row += value[0]
            elif not row:
                rows += value
            else:
                raise self.error("matrices side by side")
        self.depth = kept
        if len({len(r) for r in rows}) > 1 or sum(map(len, rows)) > MOST:
            raise self.error(
                "the rows have different lengths" if len({len(r) for r in rows}) > 1 else "it is too large"
            )
        return rows
