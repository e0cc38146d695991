"""Programs of a motion for long closed chains that repeat themselves: loops over units instead of written-out code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.thresholds import LONG_LOOPS
from ..program.ir import Program
from ..program.trace import Tracer
from ..program.unit_tree import UnitTree
from ..program.units import Outputs, UnitText, loops_over_units

if TYPE_CHECKING:
    from .right_hand_side import Motion

__all__ = ["in_loops"]


def in_loops(motion: Motion, kind: str) -> Program | None:
    """One of the programs of a motion; None where it is short, does not repeat itself, or more than gravity acts."""
    model = motion.prepared
    acts = (
        motion.channels or motion.law is not None or motion.stops is not None or any((*motion.damping, *motion.coulomb))
    )
    if len(model.bodies) <= LONG_LOOPS or model.springs or acts:
        return None

    def write(tree: UnitTree, tracer: Tracer) -> Outputs:
        made = motion.values(kind, tree, tracer)
        tree.enter("")
        return [(name, which, dict(enumerate(value))) for name, which, value in made]

    return loops_over_units(UnitText(f"motion/{kind}", motion.inputs(kind), motion.outputs(kind), write), model)
