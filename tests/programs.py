"""Programs written by hand, in one line a node: ``nodes("in x 0 | iconst 0 | load 0 0 v1 | mul v0 v2")``.

``v3`` is node 3 where an operation takes a node; everything else is an argument.
"""

from __future__ import annotations

from ordern.program.ir import Node


def _argument(word: str):
    if word in ("True", "False"):
        return word == "True"
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def node(text: str) -> Node:
    op, *words = text.split()
    places = [w for w in words if w[0] == "v" and w[1:].isdigit()]
    return Node(op, tuple(int(w[1:]) for w in places), tuple(_argument(w) for w in words if w not in places))


def nodes(text: str) -> list[Node]:
    return [node(line) for line in text.replace("|", "\n").splitlines() if line.strip()]
