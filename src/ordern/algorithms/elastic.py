"""Springs on joints, for every algorithm at once: a spring adds k (q - rest) to what holds a joint, and takes it off
what drives it.

The texts of the algorithms know nothing of springs. What they return as joint forces gets the springs' share on top;
what they are given as joint forces loses it first; the potential energy gains k (q - rest)^2 / 2. Where coordinates are
no vector, q - rest is the joint's own ``stretch``: a rotation vector. Derivatives take k through ``tree.stiffened``. A
robot without springs does not come here, so that its programs stay as they are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..scalars.primitives import half
from ..spatial.joint_space import JointVector
from ..tree import JointVectors, Tree

if TYPE_CHECKING:
    from ..model.by_body import Row
    from .registry import Algorithm

__all__ = ["held", "pulled", "sprung", "stretched"]

HELD = ("inverse_dynamics", "bias_forces", "gravity_forces")


class _Pulled:
    """Joint forces without the springs' part; a master's joint carries the springs of its mimics."""

    def __init__(self, tree: Tree, q: JointVectors, tau: JointVectors) -> None:
        self.tree, self.q, self.tau = tree, q, tau

    def __getitem__(self, i: Row) -> JointVector:
        made: JointVector = self.tau[i] - (
            self._reduced(i) if self.tree.model.coupled else self.tree.spring(i, self.q[i])
        )
        return made

    def _reduced(self, i: int) -> JointVector:
        tree = self.tree
        if tree.model.bodies[i].mimic is not None:
            return JointVector.zero(tree.degrees(i))
        made = tree.spring(i, self.q[i])
        for j, body in enumerate(tree.model.bodies):
            if body.mimic is not None and body.mimic.body == i:
                made = made + tree.spring(j, self.q[j]) * tree.constant(body.mimic.ratio)
        return made


def pulled(tree: Tree, q: JointVectors, tau: JointVectors) -> Any:
    """Joint forces as the joints feel them behind their springs."""
    return _Pulled(tree, q, tau) if tree.model.springs and not tree.slack else tau


def held(tree: Tree, q: JointVectors, tau: JointVectors) -> Any:
    """Joint forces including those of the springs."""
    if not tree.model.springs or tree.slack:
        return tau
    made = tree.table("held")
    for i, _ in tree.outward("springs"):
        made[i] = tau[i] + tree.spring(i, q[i])
    return made


def stretched(tree: Tree, q: JointVectors) -> Any:
    """The springs' potential energy."""
    E = tree.total("springs", 0)
    for i, _ in tree.outward("springs"):
        E.add(tree.spring(i, q[i]).dot(tree.stretch(i, q[i])))
    return half(E.value)


def sprung(algorithm: Algorithm, tree: Tree, arguments: tuple[Any, ...]) -> Any:
    """Run an algorithm's text for a robot with springs."""
    given = dict(zip(algorithm.inputs, arguments, strict=False))
    rest = arguments[len(algorithm.inputs) :]
    carried = algorithm.closed and algorithm.quantity.endswith("derivatives")  # these pull with what they carry
    if "tau" in given and not carried:
        given["tau"] = pulled(tree, given["q"], given["tau"])
    result = algorithm.function(tree, *given.values(), *rest)
    if (
        algorithm.quantity in HELD and not algorithm.closed
    ):  # with loops the springs take part where drives and loops share the forces
        return held(tree, given["q"], result)
    return result + stretched(tree, given["q"]) if algorithm.quantity == "potential_energy" else result
