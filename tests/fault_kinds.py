"""Which changes of a syntax tree are faults that tests should notice: for tests/mutants.py."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

OPERATORS: dict[type, type] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Mod: ast.Mult,
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.And: ast.Or, ast.Or: ast.And,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip


def faults(tree: ast.AST) -> Iterator[tuple[int, str, Any]]:
    """Line, what is done, and a function that does it."""
    left, named = quiet(tree), _tolerances(tree)
    for node in ast.walk(tree):
        if id(node) in left:
            continue
        if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in OPERATORS:
            new = OPERATORS[type(node.op)]
            yield node.lineno, f"{type(node.op).__name__} -> {new.__name__}", _set(node, "op", new())
        elif isinstance(node, ast.BoolOp):
            yield node.lineno, f"{type(node.op).__name__} turned", _set(node, "op", OPERATORS[type(node.op)]())
        elif isinstance(node, ast.Compare) and type(node.ops[0]) in OPERATORS and not _tolerance(node, named):
            old, new = type(node.ops[0]), OPERATORS[type(node.ops[0])]
            yield node.lineno, f"{old.__name__} -> {new.__name__}", _set(node, "ops", [new(), *node.ops[1:]])
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            yield node.lineno, "minus dropped", _set(node, "op", ast.UAdd())
        elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
            yield node.lineno, f"{node.value} -> {node.value + 1}", _set(node, "value", node.value + 1)
        elif isinstance(node, (ast.If, ast.While, ast.IfExp)) and not _compared(node.test):
            yield node.lineno, "condition turned round", _set(node, "test", ast.UnaryOp(ast.Not(), node.test))


def quiet(tree: ast.AST) -> set[int]:
    """What decides no answer: messages of errors and warnings, notes for people, the dots behind a list that was cut short; how much is remembered,
    how far up a warning points; the size of a figure; the -1 of a reshape; imports for type checkers; a limit of a thousand and more that is larger
    by one; the rank of a method that is larger by one (which method is the default, test_methods.py says by name).
    """
    found: list[ast.AST] = []
    for node in ast.walk(tree):
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        typed = isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        told = called in ("figure", "warnings.warn") or called.endswith("notes.append") or _dots(node)
        if told or typed or isinstance(node, (ast.Raise, ast.Assert)):
            found.append(node)
        option = isinstance(node, ast.keyword) and node.arg in ("maxsize", "stacklevel", "rank", "rank_long")
        limit = isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).isupper()
        if option or (limit and isinstance(node.value, ast.Constant) and _thousand(node.value.value)):
            found.append(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "reshape":
            found += [a.operand for a in node.args if isinstance(a, ast.UnaryOp)]  # any negative number is the rest
    return {id(inner) for node in found for inner in ast.walk(node)}


def _dots(node: ast.AST) -> bool:
    """Whether " ..." stands behind a list only if it goes on."""
    if not isinstance(node, ast.IfExp):
        return False
    texts = {side.value for side in (node.body, node.orelse) if isinstance(side, ast.Constant)}
    return (
        len(texts) == 2 and "" in texts and any(isinstance(text, str) and text.strip(", ") == "..." for text in texts)
    )


def _thousand(value: object) -> bool:
    return type(value) is int and value >= 1000


def _tolerance(node: ast.Compare, named: set[str]) -> bool:
    """Whether < is held against a tolerance such as 1e-9, perhaps by its name: no number is that by chance, so <= is no fault."""
    sides = (node.left, *node.comparators)
    return isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)) and any(
        _tiny(side) or (isinstance(side, ast.Name) and side.id in named) for side in sides
    )


def _tiny(node: ast.AST) -> bool:
    """Smaller than what people type: 0.5, or a gram in kg, may well be met exactly."""
    return isinstance(node, ast.Constant) and isinstance(node.value, float) and 0 < node.value < 1e-4


def _tolerances(tree: ast.AST) -> set[str]:
    """Names of such constants."""
    found = [node for node in ast.iter_child_nodes(tree) if isinstance(node, ast.Assign)]
    return {ast.unparse(node.targets[0]) for node in found if _tiny(node.value)}


def _compared(test: ast.AST) -> bool:
    """Whether turning a condition round is what exchanging == and != there does too."""
    same = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Is, ast.IsNot)
    return isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], same)


def _set(node: ast.AST, name: str, new: object) -> Any:
    return lambda: setattr(node, name, new)
