"""What an MJCF says beside its bodies: options, motors as limits of effort and as laws, tendons, named states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...errors import ModelError, near
from ...model import Drive, Model, State
from ..specs import JointSpec
from ..xml import Element
from .mjcf_bodies import Bodies, Moved
from .mjcf_schema import ACTUATORS, known
from .mjcf_source import Source, everywhere
from .mjcf_values import Given, from_quaternion

__all__ = ["actuators", "options", "ours", "states", "switched", "tendons"]

BEYOND_DRIVES = ("muscle", "adhesion", "dcmotor", "orientation", "pid", "plugin", "intvelocity", "cylinder", "damper")
INF = float("inf")
FLAGS = {"spring": ("stiffness", "springref"), "damper": ("damping",), "frictionloss": ("friction",), "limit": ("lower", "upper")}


def options(top: Source, found: Bodies) -> tuple[tuple[float, float, float], set[str]]:
    """Gravity, and the names of the flags that switch something off."""
    gravity, off = (0.0, 0.0, -9.81), set()
    for section in top.parts.get("option", ()):
        given = Given(known(section))
        x, y, z = given.numbers("gravity", 3, gravity)
        gravity = (x, y, z)
        if given.number("density", 0.0) or given.number("viscosity", 0.0):
            found.leave_out("forces of the air or water around", "option")
        for flag in section.all("flag"):
            known(flag)
            for key in flag.attributes:
                if Given(flag).choice(key, ("enable", "disable"), "enable") == "disable":
                    off.add(key)
    return ((0.0, 0.0, 0.0) if "gravity" in off else gravity), off


def switched(joints: Sequence[JointSpec], off: set[str]) -> list[JointSpec]:
    """The joints without what the flags switch off."""
    gone: dict[str, Any] = {}
    for flag, fields in FLAGS.items():
        if flag in off or ("passive" in off and flag in ("spring", "damper")):
            gone |= dict.fromkeys(fields)
    return [replace(j, **gone) for j in joints] if gone else list(joints)


# --- motors ------------------------------------------------------------------------------------------------------------------------
@dataclass
class _Motor:
    """An actuator in MuJoCo's general form: force = gain * control + bias[0] + bias[1] * length + bias[2] * speed."""

    gain: float = 1.0
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    plain: bool = True  # fixed gain, affine or no bias, no state of its own


def actuators(top: Source, found: Bodies, joints: list[JointSpec], ropes: Mapping[str, dict[str, float]], off: set[str]) -> tuple[Drive, ...]:
    """The motors; each lends its joints effort limits, and armature where it has some."""
    index = {j.name: k for k, j in enumerate(joints)}
    effort: dict[str, float] = {}
    drives: list[Drive] = []
    for source, prefix, element in everywhere(top, "actuator"):
        known(element, ACTUATORS[element.tag])
        settings = source.defaults.drives(element)
        given = Given(element, {key: e for e in source.defaults.actuators[source.defaults.name(element)] for key in e.attributes})
        name = prefix + (given.text("name") or f"line {element.line}")
        arms = _arms(given, prefix, index, ropes, joints)
        if arms is None:
            found.leave_out("motors on sites, bodies, spatial tendons or joints that turn freely", name)
            continue
        motor = _motor(element, settings)
        if element.tag in BEYOND_DRIVES or not motor.plain:
            found.leave_out(f"actuators of their own dynamics ({element.tag})", name)
        gear = given.numbers("gear", 6, (1.0,), least=1)[0]
        control, force = _range(given, "ctrl", source), _range(given, "force", source)
        limit = _largest(force) if force else (abs(motor.gain) * _largest(control) if control and motor.plain and not any(motor.bias) else INF)
        for joint, arm in arms.items():
            effort[joint] = effort.get(joint, 0.0) + abs(gear * arm) * limit
        _add_armature(joints, index, arms, given.number("armature", 0.0) * gear * gear)
        if given.numbers("damping", 3, (0.0,), least=1)[0]:
            found.leave_out("damping of motors", name)
        if element.tag not in BEYOND_DRIVES and motor.plain:
            drives.append(Drive(name, tuple((j, gear * arm) for j, arm in arms.items()), motor.gain, motor.bias, control, force))
    for name, limit in effort.items():
        own = joints[index[name]].effort
        limit = min(limit, own) if isinstance(own, float) else limit
        if limit < INF:
            joints[index[name]] = replace(joints[index[name]], effort=limit)
    return () if "actuation" in off else tuple(drives)


def _largest(ends: tuple[float, ...]) -> float:
    return max(map(abs, ends))


def _add_armature(joints: list[JointSpec], index: Mapping[str, int], arms: Mapping[str, float], rotor: float) -> None:
    if rotor and len(arms) == 1:
        (name,) = arms
        spec = joints[index[name]]
        own = spec.armature if isinstance(spec.armature, float) else 0.0
        joints[index[name]] = replace(spec, armature=own + rotor)


def _arms(
    given: Given, prefix: str, index: Mapping[str, int], ropes: Mapping[str, dict[str, float]], joints: Sequence[JointSpec]
) -> dict[str, float] | None:
    """How the motor pulls on joints; None where it does so in a way that depends on the posture."""
    for key in ("joint", "jointinparent"):
        if key in given:
            name = prefix + given.text(key)
            if name not in index:
                raise ModelError(f"{given.where}: there is no joint {name[:80]!r}{near(name, index)}")
            return {name: 1.0} if joints[index[name]].type in ("revolute", "prismatic") else None
    if "tendon" in given:
        name = prefix + given.text("tendon")
        if name not in ropes:
            raise ModelError(f"{given.where}: there is no tendon {name[:80]!r}{near(name, ropes)}")
        return ropes[name] or None
    return None


def tendons(top: Source, found: Bodies) -> dict[str, dict[str, float]]:
    """Fixed tendons: joints with their coefficients; spatial ones have none."""
    made: dict[str, dict[str, float]] = {}
    index = {m.name for m in found.moved}
    for source, prefix, element in everywhere(top, "tendon"):
        given = source.defaults.of(element, tag="tendon")
        name = prefix + (given.text("name") or f"line {element.line}")
        arms: dict[str, float] = {}
        if element.tag == "fixed":
            known(element)
            for part in element.all("joint"):
                joint = prefix + part.text("joint", "finger")
                if joint not in index:
                    raise ModelError(f"{part.where}: there is no joint {joint[:80]!r}{near(joint, index)}")
                arms[joint] = arms.get(joint, 0.0) + part.number("coef")
        else:
            found.leave_out("spatial tendons", name)
        made[name] = arms
        for key, kind in (("stiffness", "springs"), ("damping", "damping"), ("armature", "inertia"), ("frictionloss", "friction")):
            if any(given.numbers(key, 3, (0.0,), least=1)):
                found.leave_out(f"{kind} of tendons", name)
    return made


def _motor(element: Element, settings: Sequence[Mapping[str, str]]) -> _Motor:
    """The general form of an actuator, its classes applied one after the other."""
    made = _Motor()
    kinds = {"gaintype": "fixed", "biastype": "none", "dyntype": "none"}
    bias = [0.0, 0.0, 0.0]
    for held in settings:
        tag = held[""]
        given = Given(Element(tag, {k: v for k, v in held.items() if k}, element.line, element.file, element.owner))
        kinds |= {key: given.text(key, kinds[key]) for key in kinds}
        made.gain = given.numbers("gainprm", 10, (made.gain,), least=1)[0]
        prm = given.numbers("biasprm", 10, tuple(bias), least=1)
        bias = [*prm, 0.0, 0.0, 0.0][:3] if "biasprm" in given else bias
        if tag == "motor":
            made.gain, bias = 1.0, [0.0, 0.0, 0.0]
            kinds = {"gaintype": "fixed", "biastype": "none", "dyntype": "none"}
        elif tag == "position":
            made.gain = given.number("kp", made.gain)
            bias = [0.0, -made.gain, -given.number("kv") if "kv" in given else bias[2]]
            kinds |= {"gaintype": "fixed", "biastype": "affine", "dyntype": "filterexact" if given.number("timeconst", 0.0) else "none"}
            if given.number("dampratio", 0.0):  # damping that depends on the inertia of the whole robot
                kinds["biastype"] = "dampratio"
        elif tag == "velocity":
            made.gain = given.number("kv", made.gain)
            bias = [0.0, 0.0, -made.gain]
            kinds |= {"gaintype": "fixed", "biastype": "affine", "dyntype": "none"}
    made.bias = (bias[0], bias[1], bias[2]) if kinds["biastype"] == "affine" else (0.0, 0.0, 0.0)
    made.plain = kinds["gaintype"] == "fixed" and kinds["biastype"] in ("none", "affine") and kinds["dyntype"] == "none"
    return made


def _range(given: Given, what: str, source: Source) -> tuple[float, ...]:
    """The limits of control or force; nothing where there are none."""
    ends = given.numbers(f"{what}range", 2, (0.0, 0.0))
    said = given.choice(f"{what}limited", ("auto", "true", "false"), "auto")
    if said == "false" or (said == "auto" and not any(ends)):
        return ()
    if ends[0] >= ends[1] and any(ends):
        raise ModelError(f"{given.where}: {what}range {ends[0]!r} to {ends[1]!r} is empty; give the smaller end first")
    return ends


# --- named states ------------------------------------------------------------------------------------------------------------------
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
        q, v = (given.numbers(key, max(n, 1), (), least=0) if key in given else () for key, n in (("qpos", found.nq), ("qvel", found.nv)))
        if "qpos" in given and len(q) != found.nq:
            raise ModelError(f"{element.where}: qpos has {len(q)} numbers; this robot has {found.nq}")
        if "qvel" in given and len(v) != found.nv:
            raise ModelError(f"{element.where}: qvel has {len(v)} numbers; this robot has {found.nv}")
        made[name] = _state(name, q or start, v or (0.0,) * found.nv, found, model)
    return tuple(made.values())


def ours(m: Moved) -> tuple[float, ...]:
    """The file's own position of a joint in our coordinates."""
    if m.kind not in ("ball", "free"):
        return m.start
    w, x, y, z = m.start[-4:]
    return (*m.start[:-4], x, y, z, w)


def _state(name: str, qpos: Sequence[float], qvel: Sequence[float], found: Bodies, model: Model) -> State:
    """MuJoCo's coordinates as ours: quaternions scalar last, the twist of a free body in its own axes, angular first."""
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
                r = np.reshape(from_quaternion(w, x, y, z) if w or x or y or z else from_quaternion(1.0, 0.0, 0.0, 0.0), (3, 3))
                speed = [*speed[3:], *(float(e) for e in r.T @ np.array(speed[:3]))]
        q += at
        v += speed
    return State(name, tuple(q), tuple(v))
