"""Warnings about motions a robot cannot follow: beyond limits, with open loops, from another start."""

from __future__ import annotations

import sys

import numpy as np

from ..describe.loop_closing import gaps, turned_over
from ..describe.specs import quoted
from ..errors import InputError
from ..report.tables import plain
from ..robot import Robot
from ..runtime.call import coordinate_names
from ..scalars.primitives import Array
from ..simulate.arguments import plain_joints

__all__ = ["beyond_limits", "how_long", "keeps_loops", "same_start", "without_friction"]

OPEN = 1e-3  # m, rad: a loop that is open by more is no rounding and no noise of a good sensor
SLACK = 1e-6  # m, rad: what simulations and splines leave


def beyond_limits(robot: Robot, q: Array, qd: Array, tau: Array) -> None:
    """Say where a motion asks for more than the joints can do: of each kind the joint that is farthest beyond."""
    model, limits = robot.model, robot.limits
    at, to = plain_joints(model)
    names = coordinate_names(model, "v")
    reach = np.full((len(q), model.nv), np.nan)
    reach[:, to] = q[:, at]
    for what, values, lower, upper in (
        ("reaches", reach, limits.lower, limits.upper),
        ("has a rate of", qd, -limits.velocity, limits.velocity),
        ("needs", tau, -limits.effort, limits.effort),
    ):
        beyond = np.fmax(lower - values, values - upper)
        beyond = np.where(np.isfinite(beyond), beyond, -np.inf)
        row, k = np.unravel_index(np.argmax(beyond), beyond.shape)
        if beyond[row, k] > 1e-9:
            bound = f"{lower[k]:.6g} to {upper[k]:.6g}" if what == "reaches" else f"{upper[k]:.6g}"
            print(
                f"ordern: warning: joint {plain(names[k])} {what} {values[row, k]:.6g}, beyond its limit of {bound}",
                file=sys.stderr,
            )


def keeps_loops(robot: Robot, t: Array, q: Array) -> None:
    """Refuse a motion that opens a loop, for which no torques exist; say so where it opens one a little."""
    if not robot.model.loops or not len(q):
        return
    wide = np.maximum(gaps(robot.model, robot.constraint_residual(q)).max(axis=-1), turned_over(robot.model, q))
    row = int(np.argmax(wide))
    text = f"at t = {t[row]:g} s the motion leaves a loop of {plain(robot.name)} open by {wide[row]:.3g} (m, rad)"
    if wide[row] > OPEN:
        raise InputError(
            f"{text}; give a file in which all joints move together: robot.assemble(q, hold=[...]) in Python"
        )
    if wide[row] > SLACK:
        print(f"ordern: warning: {text}", file=sys.stderr)


def same_start(text: str, motion: Array | None, q0: Array) -> None:
    """Say so where torques belong to a motion that begins elsewhere."""
    first = None if motion is None or np.ndim(motion) != 2 or not len(motion) else motion[0]
    if first is not None and len(first) == len(q0) and not np.allclose(first, q0, rtol=0, atol=1e-6):
        print(
            f"ordern: warning: the motion of {plain(text)} begins at {','.join(f'{x:.6g}' for x in first)}, "
            "the simulation elsewhere; --q0 sets its start",
            file=sys.stderr,
        )


def how_long(duration: float | None, text: str, times: Array | None) -> float:
    """Seconds to simulate, by default to the torques' end; shorter torques are held (and said), others refused."""
    if times is None:
        return 10.0 if duration is None else duration
    first, last = float(times[0]), float(times[-1])
    wanted = last if duration is None else duration
    if first >= (last - first if duration is None else duration) or last <= 0:
        raise InputError(
            f"{text}: its times are {first:.10g} to {last:.10g} s, but a simulation begins at 0: shift them"
        )
    if first > (step := (last - first) / max(len(times) - 1, 1)) or last < wanted - step:
        print(
            f"ordern: warning: {text} has torques for {first:g} to {last:g} s, the simulation is from 0 to {wanted:g} "
            "s; its first and last ones are held outside",
            file=sys.stderr,
        )
    return wanted


def without_friction(robot: Robot) -> None:
    """Say what the torques of a motion do not hold, and simulations do."""
    rubs = (robot.model.per_velocity("damping", 0.0) != 0) | (robot.model.per_velocity("friction", 0.0) != 0)
    names = [n for n, rub in zip(coordinate_names(robot.model, "v"), rubs, strict=True) if rub]
    if names:
        print(
            f"ordern: without the damping and friction of {plain(quoted(names, 4))}, which act in simulations (unless "
            "--no-friction is given there)",
            file=sys.stderr,
        )
