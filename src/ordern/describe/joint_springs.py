"""The spring on a joint, checked: its stiffness by velocity and the coordinates at which it rests."""

from __future__ import annotations

import math

from ..errors import ModelError
from ..joints import Joint
from .specs import JointSpec, numbers, per_velocity

__all__ = ["spring"]

ROUNDING = 1e-6  # how far a quaternion may be from length one: what six digits leave of it


def spring(spec: JointSpec, joint: Joint) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Stiffness and rest; both empty without a spring."""
    stiffness = per_velocity(spec, "stiffness", joint.nv, positive=True)
    if not any(stiffness):
        return (), ()
    if joint.plain:
        return stiffness, per_velocity(spec, "springref", joint.nv)
    if type(joint).stretch is Joint.stretch:
        raise ModelError(
            f"{spec.where}: a {joint.name} joint has no spring here, its class gives no method stretch; remove "
            "'stiffness'"
        )
    for turns, what in ((True, "about"), (False, "along")):
        ways = {k for k, angular in zip(stiffness, joint.angular, strict=True) if angular == turns}
        if len(ways) > 1:
            raise ModelError(
                f"{spec.where}: stiffness is {sorted(ways)}; a {joint.name} joint's spring is as stiff {what} every "
                "axis, give one number"
            )
    return stiffness, _rest(spec, joint)


def _rest(spec: JointSpec, joint: Joint) -> tuple[float, ...]:
    """The coordinates at which the spring of a joint with a quaternion rests; where it stands still by default."""
    if spec.springref is None:
        return joint.neutral
    rest = numbers(spec.where, "springref", spec.springref, joint.nq)
    length = math.hypot(*rest[-4:])
    if abs(length - 1.0) > ROUNDING:
        raise ModelError(
            f"{spec.where}: springref is {list(rest)}; it ends with a quaternion (x, y, z, w) of length one, and this "
            f"one has {length:.6g}"
        )
    return rest
