"""Joints that follow others (mimic): chains of them are led back to the joint that leads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..errors import ModelError, near
from .specs import (
    JointSpec,
    MimicSpec,
    joint_type,
    number,
)  # fmt: skip

__all__ = ["masters"]


def masters(
    joints: Sequence[JointSpec], by_name: dict[str, JointSpec], known: Any, complain: Callable[..., None]
) -> dict[str, MimicSpec]:
    """For each mimicking joint its final master, chains of mimics followed to their end; one of no joint at all may be
    made to move by itself.
    """
    mimics = {
        j.name: j.mimic for j in joints if j.mimic is not None and joint_type(j, known) is not None
    }  # a weld cannot follow anything
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
    """The final masters of a joint and of all that it follows: each link of the chain is walked once, however long it
    is.
    """
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
