"""Rotor inertia and reduction of URDF's <transmission> as armature of the joint."""

from __future__ import annotations

import math
from collections.abc import Iterator

from ...errors import ModelError
from ..xml import Element

__all__ = ["armatures"]

REDUCTION = ("mechanicalReduction", "mechanical_reduction", "drake:gear_ratio", "gear_ratio", "gearRatio")
ROTOR = ("drake:rotor_inertia", "rotor_inertia", "rotorInertia", "motorInertia", "motor_inertia")


def armatures(element: Element) -> Iterator[tuple[str, float]]:
    """(joint, kg m^2) for each <transmission> with a rotor inertia: times the reduction squared."""
    joints = [joint.attributes.get("name", "").strip() for joint in element.all("joint")]
    for joint in joints:
        if not joint:
            raise ModelError(f"{element.where}: its <joint> has no name; write <joint name='joint1'/>")
    actuators = element.all("actuator") or [element]
    for k, joint in enumerate(joints):
        motor = actuators[min(k, len(actuators) - 1)]
        own = next(
            (found for found in element.all("joint") if found.attributes.get("name", "").strip() == joint), element
        )
        rotor = _given(ROTOR, (motor, own, element))
        if rotor is None:
            continue
        ratio = _given(REDUCTION, (motor, own, element))
        made = rotor * (1.0 if ratio is None else ratio) ** 2
        if rotor < 0 or not math.isfinite(made):
            raise ModelError(f"{motor.where}: a rotor inertia of {rotor:g} kg m^2; it must not be negative")
        yield joint, made


def _given(keys: tuple[str, ...], places: tuple[Element, ...]) -> float | None:
    """The number of the first element of such a name, as its text or as its attribute ``value``."""
    for place in places:
        for child in place.children:
            if child.tag in keys:
                if "value" not in child.attributes:
                    child.attributes["value"] = child.content.strip()
                return child.number("value")
    return None
