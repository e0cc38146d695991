"""Limbs of equal shape (legs, arms, fingers): computed by the same operations on different numbers."""

from __future__ import annotations

from collections import defaultdict

from . import Model

__all__ = ["input_twins", "twins"]

Twins = dict[int, tuple[int, int]]  # body: the body of the first limb that plays its part, and which limb it is in


def twins(model: Model) -> Twins:
    """The bodies of limbs that come in twos: parts of the tree on one body with the same joints in the same order."""
    children: dict[int, list[int]] = defaultdict(list)
    shapes: dict[int, tuple[object, ...]] = {}
    for i in range(len(model.bodies) - 1, 0, -1):  # tips first
        children[model.parents[i]].insert(0, i)
        shapes[i] = (model.bodies[i].joint.name, *(shapes[c] for c in children[i]))
    made: Twins = {}
    for i in range(len(model.bodies)):
        if i in made:
            continue  # within a limb that has a twin already
        groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
        for c in children[i]:
            groups[shapes[c]].append(c)
        for group in groups.values():
            for pair in zip(group[::2], group[1::2], strict=False):
                _lockstep(children, pair, made)
    return made


def _lockstep(children: dict[int, list[int]], pair: tuple[int, int], made: Twins) -> None:
    work = [pair]
    while work:
        a, b = work.pop()
        made[a], made[b] = (a, 0), (a, 1)
        work += zip(children[a], children[b], strict=True)


def input_twins(model: Model, inputs: dict[str, int]) -> dict[tuple[str, int], tuple[tuple[str, int], int]]:
    """The same for single numbers of coordinates, velocities, accelerations and forces."""
    made = {}
    for i, (first, limb) in twins(model).items():
        joint, at, before = model.bodies[i].joint, model.offsets[i], model.offsets[first]
        for name in inputs:
            if name.startswith("external"):
                continue
            which, count = (0, joint.nq) if name == "q" else (1, joint.nv)
            for c in range(count):
                made[name, at[which] + c] = (name, before[which] + c), limb
    return made
