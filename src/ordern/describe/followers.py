"""Mimic joints: find the joint that leads each chain; locked joints' mimics, gears and motors."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..errors import ModelError, near
from ..model import Drive, Model
from .specs import (
    JointSpec,
    LoopSpec,
    MimicSpec,
    joint_type,
    number,
)  # fmt: skip

__all__ = ["across", "held_by_followers", "left_drives", "left_gears", "left_motors", "masters", "standing"]


def masters(
    joints: Sequence[JointSpec], by_name: dict[str, JointSpec], known: Any, complain: Callable[..., None]
) -> dict[str, MimicSpec]:
    """The joint at the end of each chain of mimics; a mimic of an unknown joint may be freed."""
    # a weld cannot follow anything
    mimics = {j.name: j.mimic for j in joints if j.mimic is not None and joint_type(j, known) is not None}
    for name, m in list(mimics.items()):
        if m.joint not in by_name:
            message = (
                f"{by_name[name].where}: mimics the joint {m.joint!r}, which does not exist{near(m.joint, by_name)}"
                "; correct the name, or pass on_invalid='warn'"
            )
            complain(message, "it moves by itself")
            del mimics[name]
    made: dict[str, MimicSpec] = {}
    for name in mimics:
        _follow(name, mimics, by_name, made)
    for name, m in made.items():
        _may_follow(by_name[name], by_name[m.joint], known)
    return made


def _follow(
    name: str, mimics: Mapping[str, MimicSpec], by_name: Mapping[str, JointSpec], made: dict[str, MimicSpec]
) -> None:
    """The final masters of a joint and of every joint in its chain of mimics, in one walk."""
    path: dict[str, None] = {}
    while name in mimics and name not in made:
        if name in path:
            loop = [*list(path)[list(path).index(name) :], name]
            shown = " -> ".join(loop[:6] + (["...", name] if len(loop) > 6 else []))
            raise ModelError(
                f"{by_name[name].where}: mimics itself through {shown}; one joint of such a loop must move by itself"
            )
        path[name] = None
        name = mimics[name].joint
    for step in reversed(path):
        m, where = mimics[step], by_name[step].where
        ratio, offset = number(where, "mimic ratio", m.ratio), number(where, "mimic offset", m.offset)
        above = made.get(m.joint, MimicSpec(m.joint))
        made[step] = MimicSpec(above.joint, ratio * above.ratio, offset + ratio * above.offset)


def _may_follow(spec: JointSpec, master: JointSpec, known: Mapping[str, type]) -> None:
    cls, found = joint_type(spec, known), joint_type(master, known)
    if found is None:
        raise ModelError(
            f"{spec.where}: mimics {master.name!r}, which is fixed; make {spec.name!r} fixed too, or remove the <mimic>"
        )
    if cls is None or cls.nq != 1 or found.nq != 1:
        raise ModelError(
            f"{spec.where}: mimics {master.name!r}, but only joints with one coordinate can mimic or be mimicked"
        )


def standing(joints: Iterable[JointSpec], locked: Mapping[str, Any] | None, follow: bool = True) -> dict[str, float]:
    """Positions of joints that stay: locked ones and, if wanted, their mimics."""
    made: dict[str, float] = {}
    for name, value in (locked or {}).items():
        if value is None:  # as if it were left out
            continue
        try:
            made |= {name: float(value[0])} if len(value) == 1 else {}
        except TypeError:  # a number
            made[name] = float(value)
    leads = {j.name: j.mimic for j in joints if follow and j.mimic is not None}
    while more := {
        n: m.ratio * made[m.joint] + m.offset for n, m in leads.items() if n not in made and m.joint in made
    }:
        made |= more
    return made


def left_drives(names: Sequence[str] | None, locked: Mapping[str, Any] | None) -> list[str] | None:
    """The joints that a description names as those with a drive, without the locked ones."""
    return None if names is None else [name for name in names if (locked or {}).get(name) is None]


def left_gears(loops: Sequence[LoopSpec], joints: Sequence[JointSpec], stands: Mapping[str, float]) -> list[LoopSpec]:
    """Gears between the joints that still move; locked joints add to the offset. A gear without any must fit."""
    made, above = [], {j.child: j for j in joints}
    for spec in loops:
        if spec.type != "gear" or not isinstance(spec.joints, Mapping):
            made.append(spec)
            continue
        terms = dict(spec.joints) or _between(spec, above)
        gone = [name for name in terms if name in stands]
        where = spec.where or f"loop {spec.name!r}"
        off = number(where, "offset", spec.offset)
        off -= sum(number(where, f"the ratio of {name!r}", terms[name]) * stands[name] for name in gone)
        left = {name: ratio for name, ratio in terms.items() if name not in stands}
        if left or not gone:
            made.append(replace(spec, joints=left if spec.joints else {}, offset=off))
        elif abs(off) > 1e-9:  # roundings of numbers of a few digits
            raise ModelError(
                f"{where}: locked holds all joints of this gear ({', '.join(map(repr, gone))}) where its sum is off by "
                f"{off:.6g}; leave one of them out"
            )
    return made


def across(loops: Sequence[LoopSpec], joints: Sequence[JointSpec], names: set[str]) -> set[str]:
    """Loops between whose links one of these joints is."""
    above = {j.child: j for j in joints}
    return {spec.name for spec in loops if not names.isdisjoint(_between(spec, above))}


def _between(spec: LoopSpec, above: Mapping[str, JointSpec]) -> dict[str, float]:
    """The joints between two links, with their ratios in a gear."""
    ways: list[list[str]] = []
    for link in (spec.link1, spec.link2):
        way: list[str] = []
        while link in above:
            way.append(above[link].name)
            link = above[link].parent
        ways.append(way)
    first, second = ways
    made = {name: spec.ratio for name in first if name not in second}
    return made | {name: -1.0 for name in second if name not in first}


def left_motors(drives: Iterable[Drive], model: Model, stands: Mapping[str, float]) -> tuple[Drive, ...]:
    """Motors of the joints that still move; what a locked joint adds to a tendon's length is constant."""
    here, made = {body.name for body in model.bodies[1:]}, []
    for drive in drives:
        arms = tuple((name, arm) for name, arm in drive.arms if name in here)
        gone = [(name, arm) for name, arm in drive.arms if name not in here]
        if arms and all(name in stands for name, _ in gone):
            b0, b1, b2 = drive.bias
            b0 += b1 * sum(arm * stands[name] for name, arm in gone)
            made.append(replace(drive, arms=arms, bias=(b0, b1, b2)))
    return tuple(made)


def held_by_followers(model: Model) -> list[tuple[str, str]]:
    """(joint, mimic) pairs whose limits leave no common range: a simulation would swing between the stops."""
    made = []
    for body in model.bodies[1:]:
        if body.mimic is None or not body.mimic.ratio:
            continue
        leader, lead = model.bodies[body.mimic.body], body.mimic
        low, high = (leader.lower or (-math.inf,))[0], (leader.upper or (math.inf,))[0]
        ends = [
            (end - lead.offset) / lead.ratio
            for end in ((body.lower or (-math.inf,))[0], (body.upper or (math.inf,))[0])
        ]
        if low < high and max(low, min(ends)) >= min(high, max(ends)) and min(ends) < max(ends):
            made.append((leader.name, body.name))
    return made
