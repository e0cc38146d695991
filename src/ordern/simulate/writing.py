"""A control law's view of a simulation while its joint forces are traced."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..algorithms.closed_chart import gathered
from ..algorithms.closed_drives import lent
from ..algorithms.registry import Algorithm
from ..errors import InputError
from ..model import Model
from ..program.cheapest_frames import cheapest_frames, regroup
from ..program.layout import collect
from ..program.rolled import RolledTree
from ..program.trace import Tracer, TraceTree
from ..spatial.joint_space import JointVector
from ..tree import JointVectors
from .variation import vary

if TYPE_CHECKING:
    from ..model.by_body import PerBody
    from ..program.trace import TraceTree
    from .right_hand_side import Motion

__all__ = ["Writing", "computed_model", "each"]


class Writing:
    """What a control law sees while it is traced: the state by body, its channels, trees for algorithms."""

    def __init__(self, motion: Motion, tree: TraceTree, tracer: Tracer, q: JointVectors, qd: JointVectors) -> None:
        self.motion, self.tree, self.tracer, self.q, self.qd = motion, tree, tracer, q, qd
        self.prefix = "law "

    def channel(self, name: str) -> Any:
        """An input of the law: by body for kinds "v" and "q", a list for "n"."""
        return self.motion.input(self.tree, self.tracer, self.prefix + name)

    def part(self, prefix: str) -> Writing:
        """For one of several laws that are added, whose channels have this in front of their names."""
        made = Writing(self.motion, self.tree, self.tracer, self.q, self.qd)
        made.prefix = self.prefix + prefix
        return made

    @property
    def solve(self) -> Any:
        """The forward dynamics (tree, q, qd, tau) of this simulation."""
        return self.motion.algorithm

    def each(self, name: str, function: Callable[[Any], JointVector]) -> Any:
        """A joint vector, from a function of the body."""
        return each(self.tree, name, "v", function)

    def nominal(self, model: Model | None = None, varied: bool = False) -> Any:
        """The tree a model-based law computes with: the robot as described, or another model of it; no law knows the
        wrenches.

        ``varied``: with the payload and the masses of each run, for laws that know them.
        """
        motion, own = self.motion, self.motion.model
        heavier = {"payload", "scale"} & set(motion.varied)  # other losses leave the robot as it is described
        if model is None and not motion.wrenches and (varied or not heavier):
            return self.tree
        if model is not None and [b.joint.name for b in model.bodies] != [b.joint.name for b in own.bodies]:
            raise InputError(f"a law computes with robot {model.name!r}, whose joints are not those of {own.name!r}")
        prepared = computed_model(model or own, motion.algorithm, motion.world)
        tree: Any = (
            self.tree.beside(prepared) if isinstance(self.tree, RolledTree) else TraceTree(prepared, self.tracer)
        )
        if varied:
            vary(motion, tree, self.tracer)
        return tree

    def joint_forces(self, table: PerBody[JointVector], tree: TraceTree) -> Any:
        """What an algorithm returned, by degrees of freedom (joints that mimic add to their masters)."""
        if isinstance(tree, RolledTree):
            return table
        made = collect("dofs", tree, table)
        return self.tree.coordinates([made.get(k, 0) for k in range(tree.model.nv)], "v")

    def by_drives(self, forces: Any) -> Any:
        """Joint forces of the drives alone that move a robot with loops as these do, as far as drives can."""
        driven = self.tree.model.driven
        if not self.tree.model.loops or all(driven):
            return forces
        left, _ = lent(self.tree, self.q, forces.values)
        return self.tree.coordinates([e if has else 0 for e, has in zip(left, driven, strict=True)], "v")


def each(tree: TraceTree, name: str, kind: str, function: Callable[[Any], JointVector]) -> Any:
    """A joint vector (kind "v") or the coordinates ("q") of all joints, from a function of the body."""
    if isinstance(tree, RolledTree):
        table = tree.dofs(name, kind)
        for i, _ in tree.outward(name):
            table[i] = function(i)
        return table
    return gathered(tree, name, kind, function)


def computed_model(model: Model, algorithm: Algorithm, world: bool) -> Model:
    """The model as an algorithm computes it cheapest; ``world``: frames must stay where they are."""
    if algorithm.joint_space and not world:
        model = cheapest_frames(model)
    return regroup(model) if algorithm.regroup else model
