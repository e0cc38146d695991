"""MJCF actuators as motors: limits, control laws, and the inertia and damping they add to joints."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import ModelError, near
from ...model import Drive
from ..specs import JointSpec
from ..xml import Element
from .mjcf_around import Around, everywhere
from .mjcf_bodies import Bodies
from .mjcf_schema import ACTUATORS, known
from .mjcf_source import Source
from .mjcf_values import Given

__all__ = ["Motors", "actuators"]

# dynamics of their own
OWN = ("muscle", "adhesion", "dcmotor", "orientation", "pid", "plugin", "intvelocity", "cylinder", "damper")
TARGETS = ("joint", "jointinparent", "tendon", "site", "body", "slidersite", "cranksite")
INF = float("inf")
Arms = dict[str, float]


@dataclass
class Motors:
    """Motors with a force law, those with a damping ratio, and effort, armature and damping by joint."""

    drives: list[Drive] = field(default_factory=list)
    ratios: dict[str, float] = field(default_factory=dict)
    effort: dict[str, float] = field(default_factory=dict)


def _apart(name: str, taken: set[str]) -> str:
    """A name for one of several in a line."""
    k, wanted = 2, name
    while wanted in taken:
        wanted, k = f"{name} ({k})", k + 1
    return wanted


@dataclass
class _Law:
    """An actuator in MuJoCo's general form: force = gain * control + bias[0] + bias[1] * length + bias[2] * speed."""

    gain: float = 1.0
    bias: tuple[float, float, float] = (0.0, 0.0, 0.0)
    plain: bool = True  # fixed gain, affine or no bias, no state of its own

    @property
    def ratio(self) -> float:
        """Of damping, if the file gives that one: MuJoCo takes a positive third number of a position servo for it."""
        return self.bias[2] if self.bias[2] > 0 and self.gain == -self.bias[1] else 0.0


def actuators(top: Source, found: Bodies, joints: list[JointSpec], ropes: Mapping[str, Arms], off: set[str]) -> Motors:
    """Read the motors; adds their effort limits, armature and damping to ``joints`` in place."""
    index = {j.name: k for k, j in enumerate(joints)}
    made = Motors()
    parts = list(everywhere(top, "actuator", found))
    taken = {a.prefix + e.attributes["name"] + a.suffix for a, e in parts if e.attributes.get("name")}
    for around, element in parts:
        source = around.source
        known(element, ACTUATORS[element.tag])
        levels = source.defaults.drives(element)
        given = Given(element, _inherits(levels))
        name = around.called(given.text("name") or f"line {element.line}")
        if not given.text("name"):
            name = _apart(name, taken)
            taken.add(name)
        arms = _arms(given, around, index, ropes, joints)
        if arms is None:
            found.leave_out("motors on sites, bodies, spatial tendons or joints that turn freely", name)
            continue
        law = _law(element, levels)
        gear = given.numbers("gear", 6, (1.0,), least=1)[0]
        pull = {joint: gear * arm for joint, arm in arms.items()}
        plain = element.tag not in OWN and law.plain and not given.number("delay", 0.0)
        if not plain:
            found.leave_out(f"actuators of their own dynamics ({element.tag})", name)
        control, force = _range(given, "ctrl", source), _range(given, "force", source)
        control = (
            _inherited(
                given, law, joints[index[next(iter(arms))]], found.lengths.get(around.name(given.text("tendon")))
            )
            or control
        )
        control = () if "clampctrl" in off else control
        limit = (
            _largest(force)
            if force
            else (abs(law.gain) * _largest(control) if control and plain and not any(law.bias) else INF)
        )
        for joint, arm in pull.items():
            made.effort[joint] = made.effort.get(joint, 0.0) + abs(arm) * limit
        _lend(joints, index, pull, given, found, name, off)
        if plain:
            made.drives.append(Drive(name, tuple(pull.items()), law.gain, law.bias, control, force))
            if law.ratio:
                made.ratios[name] = law.ratio
    _limit(joints, index, made.effort)
    return Motors() if "actuation" in off else made


def _inherits(levels: Sequence[Sequence[Element]]) -> dict[str, tuple[Element, ...]]:
    made: dict[str, tuple[Element, ...]] = {}
    for held in (e for level in levels for e in level):
        made |= {key: (*made.get(key, ()), held) for key in held.attributes}
    return made


def _largest(ends: tuple[float, ...]) -> float:
    return max(map(abs, ends))


def _limit(joints: list[JointSpec], index: Mapping[str, int], effort: Mapping[str, float]) -> None:
    """The joint's effort: its motors' combined limit, unless the joint's own is lower."""
    for name, limit in effort.items():
        own = joints[index[name]].effort
        limit = min(limit, own) if isinstance(own, float) else limit
        if limit < INF:
            joints[index[name]] = replace(joints[index[name]], effort=limit)


def _lend(
    joints: list[JointSpec], index: Mapping[str, int], pull: Arms, given: Given, found: Bodies, name: str, off: set[str]
) -> None:
    """Add a motor's armature and damping to its joint; refused on tendons, which would couple joints."""
    rotor, damping = given.number("armature", 0.0), given.numbers("damping", 3, (0.0,), least=1)
    for key, values in (("armature", (rotor,)), ("damping", damping)):
        if any(v < 0 for v in values):
            raise ModelError(f"{given.where}: {key} is {given.text(key)}; it must not be negative, remove the sign")
    if any(damping[1:]):
        found.leave_out("damping of motors that changes with speed", name)
    if len(pull) > 1:
        for kind, there in (("inertia", rotor), ("damping", damping[0])):
            if there:
                found.leave_out(f"{kind} of tendons", name)
        found.heavy.append((pull, rotor))
        return
    ((joint, arm),) = pull.items()
    spec = joints[index[joint]]
    for key, value in (("armature", rotor), ("damping", 0.0 if off & {"damper", "passive"} else damping[0])):
        own = getattr(spec, key)
        if value:
            more: dict[str, Any] = {key: (own if isinstance(own, float) else 0.0) + value * arm * arm}
            spec = replace(spec, **more)
    joints[index[joint]] = spec


def _arms(
    given: Given, around: Around, index: Mapping[str, int], ropes: Mapping[str, Arms], joints: Sequence[JointSpec]
) -> Arms | None:
    """How the motor pulls on joints; None where it does so in a way that depends on the posture."""
    if not any(key in given for key in TARGETS):
        raise ModelError(f"{given.where}: it pulls on nothing; name a joint='...'")
    for key in ("joint", "jointinparent"):
        if key in given:
            name = around.name(given.text(key))
            if name not in index:
                raise ModelError(f"{given.where}: there is no joint {name[:80]!r}{near(name, index)}")
            return {name: 1.0} if joints[index[name]].type in ("revolute", "prismatic") else None
    if "tendon" in given:
        name = around.name(given.text("tendon"))
        if name not in ropes:
            raise ModelError(f"{given.where}: there is no tendon {name[:80]!r}{near(name, ropes)}")
        return ropes[name] or None
    return None


SERVOS = {"position": "affine", "velocity": "affine", "motor": "none"}


@dataclass(frozen=True)
class _Written:
    """The actuator of a class, and the element it is written with: other shortcuts do not take over its numbers."""

    tag: str = "general"
    gain: float = 1.0
    bias: tuple[float, ...] = (0.0, 0.0, 0.0)
    gaintype: str = "fixed"
    biastype: str = "none"
    dyntype: str = "none"


def _law(element: Element, levels: Sequence[Sequence[Element]]) -> _Law:
    """The general form of an actuator: those of its classes one after the other, outermost first, then its own."""
    classes = [_Written()]
    for level in levels:
        now = classes[-1]
        for held in level:
            now = _taken(held, [*classes, now])
        classes.append(now)
    made = _taken(element, classes)
    plain = made.gaintype == "fixed" and made.biastype in ("none", "affine") and made.dyntype == "none"
    b = made.bias if made.biastype == "affine" else (0.0, 0.0, 0.0)
    return _Law(made.gain, (b[0], b[1], b[2]), plain)


def _taken(element: Element, classes: Sequence[_Written]) -> _Written:
    """An actuator with its defaults: a shortcut's from the nearest class naming it or <general>."""
    tag, given = element.tag, Given(element)
    if tag not in SERVOS:
        last = classes[-1]
        prm = given.numbers("biasprm", 10, last.bias, least=1)
        return _Written(
            tag,
            given.numbers("gainprm", 10, (last.gain,), least=1)[0],
            (*prm, *last.bias[len(prm) :])[:3],
            given.text("gaintype", last.gaintype),
            given.text("biastype", last.biastype),
            given.text("dyntype", last.dyntype),
        )
    above = next(
        (c for c in reversed(classes) if c.tag == tag or (c.tag == "general" and c.gaintype == "fixed")), _Written()
    )
    if tag == "motor":
        return _Written(tag)
    if tag == "velocity":
        gain = given.number("kv", above.gain)
        return _Written(tag, gain, (0.0, 0.0, -gain), biastype=SERVOS[tag])
    gain = given.number("kp", above.gain)
    dynamics = above.dyntype if above.dyntype == "filterexact" else "none"
    if "timeconst" in given:
        dynamics = "filterexact" if given.number("timeconst") > 0 else "none"
    return _Written(tag, gain, (0.0, -gain, _damped(given, above.bias[2])), biastype=SERVOS[tag], dyntype=dynamics)


def _damped(given: Given, inherited: float) -> float:
    """The third number of a position servo: less than zero is damping, more is a damping ratio."""
    for key, sign in (("kv", -1.0), ("dampratio", 1.0)):
        if given.number(key, 0.0) < 0:
            raise ModelError(f"{given.where}: {key} is {given.text(key)}; it must not be negative, remove the sign")
        if key in given and given.text(key).strip():
            if key == "kv" and "dampratio" in given:
                raise ModelError(f"{given.where}: kv and dampratio both say how it is damped; keep one of them")
            return sign * given.number(key)
    return inherited


def _range(given: Given, what: str, source: Source) -> tuple[float, ...]:
    """The limits of control or force, if any."""
    ends = given.numbers(f"{what}range", 2, (0.0, 0.0))
    said = given.choice(f"{what}limited", ("auto", "true", "false"), "auto")
    if said == "auto" and any(ends) and not source.options.autolimits:
        raise ModelError(
            f"{given.where}: it has {what}range, but autolimits is off; write {what}limited='true' or 'false'"
        )
    if said == "false" or (said == "auto" and not any(ends)):
        return ()
    if ends[0] >= ends[1]:
        raise ModelError(f"{given.where}: {what}range {ends[0]!r} to {ends[1]!r} is empty; give the smaller end first")
    return ends


def _inherited(given: Given, law: _Law, joint: JointSpec, length: tuple[float, ...] | None) -> tuple[float, ...]:
    """The range of a servo that takes it from its joint or tendon, wider or narrower about the middle."""
    share = given.number("inheritrange", 0.0)
    own = given.element.attributes
    if not share or law.gain != -law.bias[1] or ("ctrlrange" in own and "inheritrange" not in own):
        return ()
    if "ctrlrange" in own:
        raise ModelError(f"{given.where}: ctrlrange and inheritrange both say how far it goes; keep one of them")
    on_tendon = "tendon" in given and "joint" not in given
    ends = (length or ()) if on_tendon else (joint.lower, joint.upper)
    low, high = (end if isinstance(end, float) else math.nan for end in ends or (None, None))
    if not math.isfinite(low + high):
        raise ModelError(
            f"{given.where}: inheritrange, but the {'tendon' if on_tendon else 'joint'} has no range; write ctrlrange"
        )
    if given.text("ctrllimited", "auto") == "false":
        return ()
    half = 0.5 * (high - low) * share
    return (0.5 * (low + high) - half, 0.5 * (low + high) + half)
