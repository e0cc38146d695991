"""Programs of a motion for long closed chains that repeat themselves: loops over units instead of written-out code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.thresholds import LONG_CLOSED_MOTION
from ..program.ir import Program
from ..program.trace import Tracer
from ..program.unit_tree import UnitTree
from ..program.units import Outputs, UnitText, loops_over_units
from .law_base import model_of

if TYPE_CHECKING:
    from .right_hand_side import Motion

__all__ = ["in_loops", "repeats"]


def repeats(motion: Motion) -> bool:
    """Whether a motion's programs may loop over units: a long closed chain, all forces joint by joint."""
    model, law = motion.model, motion.law
    alone = motion.wrenches or "payload" in motion.varied or "scale" in motion.varied or motion.fixman is not None
    if len(model.bodies) <= LONG_CLOSED_MOTION or not model.loops or model.springs or alone:
        return False
    if law is not None and any(model_of(getattr(part, "robot", None)) is not None for part in law.parts):
        return False  # a law with a model of its own: units are found in the robot's alone
    joint_by_joint = law is None or not (law.world or law.written_out)
    return joint_by_joint and (law is None or all(c.kind != "n" for c in law.channels(model).values()))


def in_loops(motion: Motion, kind: str) -> Program | None:
    """A motion's program with loops; None if it is short, has no repeating unit or a force on one body."""
    if not repeats(motion):
        return None

    def write(tree: UnitTree, tracer: Tracer) -> Outputs:
        made = motion.values(kind, tree, tracer)
        tree.enter("")
        return [(name, which, dict(enumerate(value))) for name, which, value in made]

    text = UnitText(f"motion/{kind}", motion.inputs(kind), motion.outputs(kind), write)
    return loops_over_units(text, motion.prepared, {name: c.kind for name, c in motion.channels.items()})
