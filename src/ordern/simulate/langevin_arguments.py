"""Arguments of warm simulations, checked: temperature, Fixman's potential and the bath."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.registry import choose
from ..errors import InputError, MethodError, ShapeError, shown, whole
from ..runtime.array_inputs import as_array
from ..scalars.primitives import Array
from .arguments import number
from .channels import Channel
from .job import Settings
from .langevin import Bath
from .law_memory import remembers

if TYPE_CHECKING:
    from ..evaluate.robot_like import RobotLike

__all__ = ["warm"]


def warm(
    robot: RobotLike, settings: Settings, runs: int | None, given: tuple[Any, Any, Any, Any], others: tuple[Any, Any]
) -> tuple[Settings, Channel | None]:
    """Settings with a bath, and kT of Fixman's potential, if any.

    ``given`` is (fixman, temperature, collision_rate, seed), ``others`` torque and events.
    """
    fixman, temperature, rate, seed = given
    if not isinstance(fixman, (bool, np.bool_)):
        raise InputError(f"fixman is {shown(fixman)}; give True or False, and kT as temperature=")
    langevin = settings.method == "baoab"
    if not fixman and not langevin:
        if temperature is not None:
            raise InputError("temperature goes with fixman=True or method='baoab'; without them nothing would feel it")
        return settings, None
    if temperature is None:
        raise InputError(
            f"{'fixman=True' if fixman else 'method=' + repr(settings.method)} needs temperature=, kT in J"
        )
    kT = _temperature(temperature, runs)
    if langevin:
        _possible(robot, others)
        settings = replace(
            settings, bath=Bath(kT, number("collision_rate", rate, 0.0, zero=True), whole("seed", seed, 0, 2**63))
        )
    if not fixman:
        return settings, None
    choose("log_det_gradient", None, robot.model)  # says why where there is none
    values = np.repeat(np.atleast_1d(kT)[:, None], robot.n, axis=1)
    return settings, Channel("v", values[0] if np.ndim(kT) == 0 else values)


def _temperature(value: object, runs: int | None) -> Array:
    kT = as_array("temperature", value).astype(float)
    if kT.ndim > 1 or (kT.ndim == 1 and len(kT) != runs):
        raise ShapeError(
            f"temperature must be one number{'' if runs is None else f' or {runs}, one a run'}; got shape {kT.shape}"
        )
    if not np.isfinite(kT).all() or np.any(kT < 0):
        raise InputError(f"temperature is {kT.min():g}; kT must be finite and at least 0")
    return kT


def _possible(robot: RobotLike, others: tuple[Any, Any]) -> None:
    torque, events = others
    if robot.model.loops:
        raise MethodError(
            f"method 'baoab' of robot {robot.model.name!r}: its bath would open the loops; it serves robots without "
            "loops"
        )
    if remembers(torque):
        raise InputError("method 'baoab' would warm what the law remembers too; use a law without memory, such as PD")
    if events is not None:
        raise InputError(
            "events are refined by making steps again, which with random numbers would be other steps; method 'baoab' "
            "has none"
        )
