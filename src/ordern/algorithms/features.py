"""What a robot may have that an algorithm must be able to take: closed chains, mimic joints, branches, singular
inertias.

An algorithm names what it takes (``takes=``); a robot with anything else is refused, with the joint or loop that is too
much.
"""

from __future__ import annotations

from collections.abc import Callable

from ..model import Model
from ..model.regular import without_inverse

__all__ = ["FEATURES", "branched"]


def branched(model: Model) -> bool:
    """Whether some body (or the world) carries more than one other."""
    return len(set(model.parents[1:])) < len(model.parents) - 1


def _loops(model: Model) -> str | None:
    loops = tuple(getattr(model, "loops", ()))
    return f"takes no closed chains, and would leave loop {loops[0].name!r} open" if loops else None


def _mimic(model: Model) -> str | None:
    follower = next((b for b in model.bodies if b.mimic is not None), None)
    if follower is None or follower.mimic is None:
        return None
    return (
        f"works along the tree, which mimic joints cross ({follower.name!r} follows "
        f"{model.bodies[follower.mimic.body].name!r})"
    )


def _branches(model: Model) -> str | None:
    carrying: set[int] = set()
    for body in model.bodies[1:]:
        if body.parent in carrying:
            return f"is for chains, and this robot branches at joint {body.name!r}"
        carrying.add(body.parent)
    return None


def _singular(model: Model) -> str | None:
    name = without_inverse(model)
    return (
        None
        if name is None
        else f"inverts the inertia of each body, and that of the body behind joint {name!r} is singular"
    )


FEATURES: dict[str, Callable[[Model], str | None]] = {
    "loops": _loops,
    "mimic": _mimic,
    "branches": _branches,
    "singular": _singular,
}
