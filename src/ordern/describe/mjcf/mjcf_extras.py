"""What an MJCF says beside its bodies: options, fixed tendons, named states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import ModelError, near
from ...model import Model, State
from ..specs import JointSpec
from .mjcf_around import attached_models, attachments, everywhere
from .mjcf_bodies import Bodies, Moved
from .mjcf_joints import limited
from .mjcf_schema import known
from .mjcf_source import Source
from .mjcf_values import Given, from_quaternion

__all__ = ["read_options", "ours", "states", "switched", "tendons"]

FLAGS = {
    "spring": ("stiffness", "springref"),
    "damper": ("damping",),
    "frictionloss": ("friction",),
    "limit": ("lower", "upper"),
}


def read_options(top: Source, found: Bodies) -> tuple[tuple[float, float, float], set[str]]:
    """Gravity, and the names of the flags that switch something off."""
    gravity, off = _options(top, found)
    return ((0.0, 0.0, 0.0) if "gravity" in off else gravity or (0.0, 0.0, -9.81)), off


def _options(source: Source, found: Bodies) -> tuple[tuple[float, float, float] | None, set[str]]:
    """Those that one file gives, and, if it says so, those of the models that it attaches."""
    gravity, off = None, set()
    for section in source.parts.get("option", ()):
        given = Given(known(section))
        if given.text("gravity").strip():
            x, y, z = given.numbers("gravity", 3)
            gravity = (x, y, z)
        if given.number("density", 0.0) or given.number("viscosity", 0.0):
            found.leave_out("forces of the air or water around", "option")
        if given.text("actuatorgroupdisable").strip():
            found.leave_out("groups of motors that are switched off (here they are on)", "option")
        for flag in section.all("flag"):
            known(flag)
            for key in flag.attributes:
                if Given(flag).choice(key, ("enable", "disable"), "enable") == "disable":
                    off.add(key)
    policy = source.options.conflict
    for element, inner in attachments(source) if policy != "warning" else ():
        own, more = _options(inner, found)
        if gravity and own and own != gravity:
            raise ModelError(
                f"{element.where}: gravity of the attached model is {own}, here {gravity}; give both the same, or "
                "write <compiler conflict='warning'/> to keep this one"
            )
        if policy == "merge":
            gravity, off = gravity or own, off | more
    return gravity, off


def switched(joints: Sequence[JointSpec], off: set[str]) -> list[JointSpec]:
    """The joints without the effects that flags switch off."""
    gone: dict[str, Any] = {}
    for flag, fields in FLAGS.items():
        if flag in off or ("passive" if flag in ("spring", "damper") else "constraint") in off:
            gone |= dict.fromkeys(fields)
    return [replace(j, **gone) for j in joints] if gone else list(joints)


# --- tendons ----------------------------------------------------------------------------------------------------------
def tendons(top: Source, found: Bodies) -> dict[str, dict[str, float]]:
    """Fixed tendons: joints with their coefficients; spatial ones have none, those between two sites are remembered."""
    made: dict[str, dict[str, float]] = {}
    index = {m.name for m in found.moved}
    for around, element in everywhere(top, "tendon", found):
        given = around.source.defaults.of(element, tag="tendon")
        name = around.called(given.text("name") or f"line {element.line}")
        found.ropes.add(name)
        arms: dict[str, float] = {}
        if element.tag == "fixed":
            known(element)
            for part in element.all("joint"):
                joint = around.name(part.text("joint", "finger"))
                if joint not in index:
                    raise ModelError(f"{part.where}: there is no joint {joint[:80]!r}{near(joint, index)}")
                arms[joint] = arms.get(joint, 0.0) + part.number("coef")
        else:
            found.leave_out("spatial tendons", name)
            if [part.tag for part in element.children] == ["site", "site"]:
                found.spans[name] = [around.name(part.attributes.get("site", "")) for part in element.children]
        made[name] = arms
        if limited(given, "limited", "range", around.source.options):
            found.lengths[name] = given.numbers("range", 2, (0.0, 0.0))
            found.leave_out("limits of tendons", name)
        if limited(given, "actuatorfrclimited", "actuatorfrcrange", around.source.options):
            found.leave_out("limits of what all motors of a tendon pull with", name)
        for key, kind in (
            ("stiffness", "springs"),
            ("damping", "damping"),
            ("armature", "inertia"),
            ("frictionloss", "friction"),
            ("springyield", "yield"),
        ):
            values = given.numbers(key, 3, (0.0,), least=1) if key in given else (0.0,)
            if key == "armature" and values[0] > 0:
                found.heavy.append((arms, values[0]))
            if any(values):
                found.leave_out(f"{kind} of tendons", name)
    return made


# --- named states -----------------------------------------------------------------------------------------------------
def states(top: Source, found: Bodies, model: Model) -> tuple[State, ...]:
    """Keyframes in the coordinates of the model, and "qpos0" where the file's own position is not zero."""
    made: dict[str, State] = {}
    start = tuple(e for m in found.moved for e in m.start)
    first = _state("qpos0", start, (0.0,) * found.nv, found, model)
    if first.q != tuple(e for i in model.free for e in model.bodies[i].joint.neutral):
        made["qpos0"] = first
    for k, element in enumerate(top.within("keyframe")):
        given = Given(known(element))
        name = given.text("name") or f"key{k}"
        if name in made and name != "qpos0":
            raise ModelError(f"{element.where}: a second key is called {name[:80]!r}; rename one of them")
        q, v = (
            given.numbers(key, max(n, 1), (), least=0) if key in given else ()
            for key, n in (("qpos", found.nq), ("qvel", found.nv))
        )
        whole = (*q, *start[len(q) :]), (*v, *(0.0,) * (found.nv - len(v)))  # what is missing is as in the file
        made[name] = _state(name, *whole, found, model)
    for source, prefix, _ in attached_models(top):
        for k, element in enumerate(source.within("keyframe")):
            found.leave_out("named states of attached models", prefix + (element.attributes.get("name") or f"key{k}"))
    return tuple(made.values())


def ours(m: Moved) -> tuple[float, ...]:
    """The file's own position of a joint in our coordinates."""
    if m.kind not in ("ball", "free"):
        return m.start
    w, x, y, z = m.start[-4:]
    return (*m.start[:-4], x, y, z, w)


def _state(name: str, qpos: Sequence[float], qvel: Sequence[float], found: Bodies, model: Model) -> State:
    """MuJoCo's coordinates as ours: quaternions scalar last, twists angular first in the body's axes."""
    where = {m.name: m for m in found.moved}
    q: list[float] = []
    v: list[float] = []
    for i in model.free:
        body = model.bodies[i]
        m = where.get(body.name)
        if m is None:  # a base that was set free when loading
            q += body.joint.neutral
            v += (0.0,) * body.joint.nv
            continue
        at, speed = list(qpos[m.at : m.at + len(m.start)]), list(qvel[m.speed : m.speed + body.joint.nv])
        if m.kind in ("ball", "free"):
            w, x, y, z = at[-4:]
            size = float(np.hypot(np.hypot(w, x), np.hypot(y, z))) or 1.0
            at[-4:] = [x / size, y / size, z / size, w / size] if w or x or y or z else [0.0, 0.0, 0.0, 1.0]
            if m.kind == "free":
                r = np.reshape(
                    from_quaternion(w, x, y, z) if w or x or y or z else from_quaternion(1.0, 0.0, 0.0, 0.0), (3, 3)
                )
                speed = [*speed[3:], *(float(e) for e in r.T @ np.array(speed[:3]))]
        q += at
        v += speed
    return State(name, tuple(q), tuple(v))
