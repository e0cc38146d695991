"""Which way round a loop is closed: what its equations cannot tell.

The equations of closures.py vanish for frames that are half a turn apart too: two functions on the sphere of directions
(three on rotations) that vanish in one place only do not exist. So a closure that says something about directions has
cosines besides, which are one where it is closed and minus one where a frame is turned over.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..scalars.primitives import Scalar, half, sincos
from ..spatial import Transform, Twist
from .closures import LoopTree, Meeting, leading, path

if TYPE_CHECKING:
    from . import Loop
    from .by_body import PerBody

__all__ = ["loop_sides", "may_turn_over"]


def _unturned(at: Meeting, constants: Sequence[Scalar]) -> list[Any]:
    """The cosine of the angle between both frames."""
    return [half(at.axis(0, 0).value + at.axis(1, 1).value + at.axis(2, 2).value - 1)]


def _parallel(at: Meeting, constants: Sequence[Scalar]) -> list[Any]:
    return [at.axis(2, 2).value]


def _screwed(at: Meeting, constants: Sequence[Scalar]) -> list[Any]:
    """The axes', and that of the angle by which the rise and the turn differ."""
    s, c = sincos(at.origin(2).value / constants[0])
    return [at.axis(2, 2).value, c * at.axis(0, 0).value + s * at.axis(0, 1).value]


# first equation about directions; the cosines; whether the frames may be described the other way round (a hinge has the
# same motions with its axis reversed, so that the way it is closed at home counts)
SIDES: dict[str, tuple[int, Callable[[Meeting, Sequence[Scalar]], list[Any]], bool]] = {
    "fixed": (3, _unturned, False),
    "prismatic": (2, _unturned, False),
    "helical": (2, _screwed, False),
    "revolute": (3, _parallel, True),
    "cylindrical": (2, _parallel, True),
    "planar": (1, _parallel, True),
}


def may_turn_over(loop: Loop) -> bool:
    """Whether a loop's directions are told by equations of its own, and it is not wherever the robot is."""
    return loop.kind in SIDES and not loop.here and any(k >= SIDES[loop.kind][0] for k in loop.kept)


def loop_sides(tree: LoopTree, X: PerBody[Transform]) -> list[tuple[Any, bool]]:
    """Cosines of all loops that may turn over, and whether home decides which sign is right."""
    model, made = tree.model, []
    for number in tree.within([k for k, loop in enumerate(model.loops) if may_turn_over(loop)]):
        loop = model.loops[number]
        (body1, place1), (body2, place2) = model.loop_ends(loop)
        way = path(model.parents, body1, body2)
        ends = [leading(Transform(*tree._placed(p)), w, X) for p, w in ((place1, way.first), (place2, way.second))]
        _, cosines, either = SIDES[loop.kind]
        at = Meeting(ends[1] @ ends[0].inverse(), Twist.zero())
        made += [(c, either) for c in cosines(at, [tree.constant(c) for c in loop.constants])]
    return made
