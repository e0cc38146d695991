"""Control laws and their sums; gains and targets checked and turned into inputs of a program."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ..errors import InputError, ShapeError, shown, tell
from ..evaluate.manifold import unit_quaternions
from ..model import Model
from ..runtime.array_inputs import as_array, by_name, texts
from ..runtime.call import coordinate_names
from ..runtime.foreign_code import foreign_code
from ..scalars.primitives import Array
from ..spatial.joint_space import JointVector
from .channels import Channel
from .writing import Writing

__all__ = [
    "Law",
    "Sum",
    "axes",
    "base_hint",
    "joint_values",
    "model_of",
    "per_joint",
    "reference",
    "same_joints",
    "vector_of",
    "warn_of_sign",
]


class Law(ABC):
    """A control law: ``channels`` are its inputs, ``write`` its formulas, ``key`` what decides them.

    ``world``: it needs world poses. ``written_out``: its formulas are no loops over joints, and the whole program then
    has none. ``arrays``: its arguments that are numbers (or a trajectory), which are looked at when it is made.
    """

    world = False
    written_out = False
    arrays: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for name in self.arrays:
            value = getattr(self, name)
            named = hasattr(value, "signals") or texts(value)  # numbers by name wait for the robot
            if not named and (value is not None or getattr(type(self), name, self) is not None):
                as_array(name, value)

    @property
    def key(self) -> str:
        """What decides the formulas: by default the class, and all that a law of somebody else's holds."""
        return f"{type(self).__name__}{foreign_code(self)}"

    @property
    def stamp(self) -> str:
        """The key, and a stamp of the class's code if it is a user's."""
        return f"{self.key}{foreign_code(type(self))}"

    def channels(self, model: Model) -> dict[str, Channel]:
        """The law's inputs, checked against the robot."""
        return {}

    @abstractmethod
    def write(self, w: Writing) -> Any:
        """Joint forces by body."""

    def __add__(self, other: object) -> Sum:
        if not isinstance(other, Law):
            raise InputError(f"a law and {shown(other)} do not add up; numbers go in as ordern.control.Constant(...)")
        return Sum((*self.parts, *other.parts))

    @property
    def parts(self) -> tuple[Law, ...]:
        """The laws this one is the sum of."""
        return (self,)


GAINS = ("kp", "ki", "kd")
SIGNED = (*GAINS, "damping", "stiffness")


def base_hint(model: Model, kind: str, given: tuple[int, ...]) -> str:
    """What to add to a complaint where just the numbers of a floating base are missing."""
    base = model.bodies[1].joint if len(model.bodies) > 1 else None
    if base is None or base.driven:
        return ""
    own, count = (base.nq, model.nq) if kind == "q" else (base.nv, model.nv)
    words = "its pose: x y z, then its quaternion x y z w; see robot.neutral()" if kind == "q" else "[omega; v]"
    return f"; the floating base comes first, with {own} numbers ({words})" if given == (count - own,) else ""


def vector_of(name: str, value: object, count: int, what: str, alike: bool = True) -> Array:
    """Numbers (count,) or (runs, count); if they are ``alike``, as gains are, one number stands for all."""
    a = as_array(name, value).astype(float)
    if a.ndim == 0 and alike:
        a = np.full(count, float(a))
    if a.ndim not in (1, 2) or a.shape[-1] != count:
        one = "one number, " if alike else ""
        raise ShapeError(f"{name} must be {one}({count},) or (runs, {count}){what and ' ' + what}, got shape {a.shape}")
    if not np.isfinite(a).all():
        raise InputError(f"{name} holds NaN or infinity")
    return a


def axes(value: object) -> int:
    """The number of axes of an array-like; 0 for others."""
    try:
        return int(np.asarray(value).ndim)
    except (TypeError, ValueError):  # rows of different lengths, a list in itself, a module
        return 0


def per_joint(name: str, value: object, model: Model, by_drives: bool = False) -> Channel:
    """A gain for all joints or one for each, as an input; one number that drives what has no drive is told.

    ``by_drives``: with loops, the drives bring about what the law asks of other joints (Writing.by_drives).
    """
    made = joint_values(name, value, model)
    warn_of_sign(name, made, coordinate_names(model, "v"))
    left = not (by_drives and model.loops)
    if left and name in GAINS and axes(value) == 0 and made.any() and not all(model.driven):
        idle = coordinate_names(model, "v")[model.driven.index(False)]
        tell(
            f"{name}={made.flat[0]:g} acts on {idle!r} too, which has no drive; give one number for each degree of "
            f"freedom, zero there, or name it in actuated=",
            UserWarning,
        )
    return Channel("v", made)


def warn_of_sign(name: str, gains: Array, names: Sequence[str] = ()) -> None:
    """Remark on gains below zero, which are rarely meant; laws take them all the same, for studies of instability."""
    if name not in SIGNED or not np.any(gains < 0):
        return
    rows = gains.reshape(-1, gains.shape[-1])
    run, k = np.unravel_index(int(np.argmin(rows)), rows.shape)
    of = f" of joint {names[int(k)]!r}" if len(names) > 1 else ""
    does = "drives it away from its target" if name in ("kp", "ki", "stiffness") else "speeds its motion up"
    tell(f"{name}{of} is {rows[run, k]:g}: a negative gain {does}; remove the sign if that is not wanted", UserWarning)


def joint_values(name: str, value: object, model: Model) -> Array:
    """One number for all degrees of freedom, one for each, or one row a run."""
    value = by_name(name, value, coordinate_names(model, "v"))
    return vector_of(name, value, model.nv, "- one a degree of freedom")


def model_of(robot: Any) -> Model | None:
    """The model of a robot, or the model itself; None for anything else."""
    made: Model | None = getattr(robot, "model", robot)
    return made


def same_joints(robot: object, model: Model) -> None:
    """Check that a law's model has the robot's joints in its order; masses, lengths, gravity may differ."""
    own = model_of(robot)
    if own is None:
        return
    if not isinstance(own, Model):
        raise InputError(f"robot= of a control law is a {type(robot).__name__}; give the Robot to compute with")
    mine, theirs = (
        [(b.name, b.joint.name, b.parent, b.mimic and b.mimic.body) for b in m.bodies[1:]] for m in (model, own)
    )
    for k in range(max(len(mine), len(theirs))):
        here, there = (
            ("no joint", "") if k >= len(m) else (f"joint {m[k][0]!r}", f" ({m[k][1]})") for m in (mine, theirs)
        )
        if min(len(mine), len(theirs)) <= k or mine[k][1:] != theirs[k][1:]:
            raise InputError(
                f"the law computes with robot {own.name!r}, which has {''.join(there)} where {model.name!r} has "
                f"{''.join(here)}; both need the same joints in the same order"
            )


def reference(name: str, target: object, model: Model) -> dict[str, Channel]:
    """Where to go: coordinates, or a trajectory with its rates."""
    signals = getattr(target, "signals", None)
    if signals is None:
        target = by_name("q", target, coordinate_names(model, "q"))
        what = f"- one a coordinate{base_hint(model, 'q', as_array(name, target).shape[-1:])}"
        return {"target": Channel("q", unit_quaternions(model, name, vector_of(name, target, model.nq, what)))}
    if not model.plain:
        raise InputError(
            f"{name}: trajectories of joint coordinates serve robots without quaternions; give fixed coordinates"
        )
    made = {
        key: Channel("v", signal=s)
        for key, s in zip(("target", "target_rate", "target_acceleration"), signals(), strict=True)
    }
    for channel in made.values():
        if channel.count != model.nq:
            raise ShapeError(f"{name} is a trajectory of {channel.count} coordinates; the robot has {model.nq}")
    return made


@dataclass(frozen=True)
class Sum(Law):
    """Several laws added up."""

    laws: tuple[Law, ...]

    @property
    def world(self) -> bool:  # type: ignore[override]
        """Whether one of them needs world poses."""
        return any(law.world for law in self.laws)

    @property
    def written_out(self) -> bool:  # type: ignore[override]
        """Whether one of them is no loop."""
        return any(law.written_out for law in self.laws)

    @property
    def parts(self) -> tuple[Law, ...]:
        """The laws."""
        return self.laws

    @property
    def key(self) -> str:
        """All of them."""
        return " + ".join(law.stamp for law in self.laws)

    def channels(self, model: Model) -> dict[str, Channel]:
        """All of them, numbered."""
        return {f"law{k} {name}": c for k, law in enumerate(self.laws) for name, c in law.channels(model).items()}

    def write(self, w: Writing) -> Any:
        """The sum."""
        made = [law.write(w.part(f"law{k} ")) for k, law in enumerate(self.laws)]

        def total(i: object) -> JointVector:
            e: JointVector = made[0][i]
            for other in made[1:]:
                e = e + other[i]
            return e

        return w.each("sum", total)
