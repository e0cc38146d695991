"""Joint forces of joint springs, k (q - rest), O(n): gravity and motion do not explain them."""

from __future__ import annotations

from typing import Any

from ..model import Model
from ..tree import JointVectors, Tree
from .registry import algorithm


def stiff(model: Model) -> str | None:
    """Why there is nothing to compute, or None."""
    return None if model.springs else "is for robots with springs on their joints, and this one has none"


@algorithm(
    "spring_forces",
    "direct",
    inputs="q",
    output="dofs",
    joint_space=True,
    takes="loops branches mimic singular",
    serves=stiff,
    rank=1,
)
def spring_forces(tree: Tree, q: JointVectors) -> Any:
    """The joint forces that balance the springs at q."""
    tau = tree.table("tau")
    for i, _ in tree.outward("springs"):
        tau[i] = tree.spring(i, q[i])
    return tau
