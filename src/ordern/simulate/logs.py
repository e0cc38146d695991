"""Motions from logs: read, check, resample, filter without phase shift, differentiate (``ordern.read_log``)."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import InputError, near, shown, tell
from ..files import path_of
from ..files.missing import not_there
from ..runtime.call import coordinate_names
from ..scalars.primitives import Array
from .arguments import number
from .log_bags import is_bag, read_bag
from .log_filter import RINGS, SHORTEST, bend, smooth
from .log_tables import Samples, read_table

if TYPE_CHECKING:
    from ..evaluate.robot_like import RobotLike

__all__ = ["MotionLog", "read_log"]

GAP = 5.0  # times the usual step: what is longer is a gap, in which nothing is made up
SLOW = 1.0  # s from line to line: no drive is logged that slowly, but milliseconds that are taken for seconds look so
SAME = 1e-12  # of the log's length: samples nearer than that have one time, or slopes between them would overflow
EFFORTS = 6  # logged efforts of a joint: fewer say nothing of a motion
FASTEST = {True: 20.0, False: 5.0}  # rad/s and m/s of joints without a velocity limit: what is faster is a jump


@dataclass(frozen=True)
class MotionLog:
    """A motion out of a log, evenly sampled and smooth; between gaps there are no rows.

    Attributes:
        t: s, as the log counts them; from the first row on where they are seconds since 1970.
        q: coordinates (T, nq).
        qd: rates (T, n), of the filtered coordinates.
        qdd: accelerations (T, n).
        tau: logged efforts (T, n), filtered alike; None where the log has none.
        rate: samples a second.
        cutoff: of the filter, Hz; infinite without one.
        notes: what was done, a sentence each.
    """

    t: Array
    q: Array
    qd: Array
    qdd: Array
    tau: Array | None
    rate: float
    cutoff: float
    notes: tuple[str, ...]

    def __repr__(self) -> str:
        what = f"{len(self.t)} samples, {self.rate:.4g} Hz, with{'' if self.tau is not None else 'out'} efforts"
        return "\n  ".join([f"<MotionLog: {what}>", *self.notes])


def read_log(
    path: str | os.PathLike[str],
    robot: RobotLike,
    *,
    cutoff: float | None = None,
    rate: float | None = None,
    units: str | Sequence[str] = (),
    topic: str | None = None,
) -> MotionLog:
    """The motion that a log holds.

    Args:
        path: .csv (commas, semicolons or tabs; plain, of PlotJuggler, of ``ros2 topic echo --csv``), .parquet, .npz, or
            a ROS 2 bag (.mcap, .db3, or its folder; extra "logs"). Joints go by name, in any order.
        robot: whose motion it is.
        cutoff: of the filter, Hz (Butterworth, fourth order, forwards and backwards, so without phase); by default
            where the motion sinks into the noise. math.inf leaves the filter out.
        rate: samples a second of the result; the log's own by default.
        units: "deg" and "mm" where the log has these instead of rad and m; columns such as ``joint1_deg`` say it
            themselves.
        topic: of a bag with several topics of joint states; that with the robot's joints by default.

    Returns:
        A MotionLog; what was suspicious is warned about, with its line.
    """
    place = path_of(path)
    where, model = str(place)[-120:], robot.model
    if not model.plain:
        raise InputError(
            f"logs serve robots whose joints have no quaternions; {robot.name!r} has some (base='fixed' leaves out the "
            "base)"
        )
    names = coordinate_names(model, "q")
    if not names:
        raise InputError(f"robot {robot.name!r} has no joints; a log says nothing of it")
    angular = [bool(a) for i in model.free for a in model.bodies[i].joint.angular]
    factors = _factors(units, names, angular)
    if not place.exists():
        raise InputError(f"{where}: {not_there(place, endings=(place.suffix,))}")
    if is_bag(place):
        samples = read_bag(place, names, factors, where, topic)
    elif topic is not None:
        raise InputError(f"topic={topic!r} has no effect: {where} is no bag; columns go by the joints' names")
    elif place.is_dir():
        raise InputError(f"{where}: it is a folder without metadata.yaml, so no ROS 2 bag; name a file")
    else:
        samples = read_table(place, names, factors, where)
    _joints(samples, robot, names, where)
    for k, name in enumerate(names):  # of all joints first: numbers in degrees jump too
        _unit(samples, robot, name, angular[k], *samples.series["q", name][1:], where, bool(units))
    for k, name in enumerate(names):
        samples.series["q", name] = _checked(samples, robot, name, angular[k], where, bool(units))
    return _motion(samples, names, cutoff, rate, where)


def _factors(units: str | Sequence[str], names: Sequence[str], angular: Sequence[bool]) -> dict[str, float]:
    words = units.replace(",", " ").split() if isinstance(units, str) else list(units)
    for word in words:
        if word not in ("rad", "m", "deg", "mm"):
            raise InputError(f"units {shown(word)}: there are rad, deg, m and mm")
        if word in ("deg", "mm") and not any(a == (word == "deg") for a in angular):
            raise InputError(
                f"units={word!r} has no effect: the robot has no {'turning' if word == 'deg' else 'sliding'} joint"
            )
    degrees, small = (math.pi / 180 if "deg" in words else 1.0), (1e-3 if "mm" in words else 1.0)
    return {name: degrees if turns else small for name, turns in zip(names, angular, strict=True)}


def _joints(samples: Samples, robot: RobotLike, names: Sequence[str], where: str) -> None:
    """Every joint is there; columns of none are told about."""
    missing = [name for name in names if ("q", name) not in samples.series or not len(samples.series["q", name][0])]
    if missing:
        hint = near(missing[0], samples.others)
        there = f"; the log has {', '.join(samples.others[:6])}" if samples.others and not hint else ""
        known = {"qd": "velocities", "tau": "efforts"}
        only = [word for kind, word in known.items() if (kind, missing[0]) in samples.series]
        there = f"; it has only {' and '.join(only)} of it, and a motion needs positions" if only else there
        raise InputError(
            f"{where}: no positions of joint {missing[0]!r}{hint}{there}; name a column so, or weld the joint "
            f"(locked={{{missing[0]!r}: 0.0}})"
        )
    follow = {b.name for b in robot.model.bodies if b.mimic is not None}
    if idle := [n for n in samples.others if n in follow]:
        samples.notes.append(f"not used, since they follow other joints: {', '.join(idle)}")
    unknown = [n for n in samples.others if n and n not in follow and not n.lower().endswith(("frame_id", "seq"))]
    if unknown:
        samples.warnings.append(
            f"not used, since {robot.name!r} has no such joint: "
            f"{', '.join(unknown[:8])}{', ...' if len(unknown) > 8 else ''}"
        )


def _checked(
    samples: Samples, robot: RobotLike, name: str, turns: bool, where: str, told: bool
) -> tuple[Array, Array, Array]:
    """One joint's samples with growing times, within reason; refused or warned about by line where they are not."""
    t, x, at = samples.series["q", name]
    back = np.flatnonzero(np.diff(t) < 0)
    if len(back):
        k = back[0]
        raise InputError(
            f"{where}:{at[k + 1]}: the time goes back, from {t[k]:.9g} to {t[k + 1]:.9g} s; sort the rows, or give one "
            "recording"
        )
    same = np.diff(t) <= SAME * (t[-1] - t[0]) if len(t) else np.zeros(0, bool)
    again = np.flatnonzero(same)
    if len(again):
        samples.warnings.append(
            f"{samples.place} {at[again[0] + 1]} has the time of the one before ({len(again)} such); the last of them "
            "counts"
        )
        keep = np.append(~same, True)
        t, x, at = t[keep], x[keep], at[keep]
    k = coordinate_names(robot.model, "q").index(name)
    fastest = robot.limits.velocity[k]
    fastest = 2 * fastest if np.isfinite(fastest) and fastest > 0 else FASTEST[turns]
    step = np.diff(x)
    if turns:
        whole = 2 * np.pi * np.round(step / (2 * np.pi))
        wrapped = np.flatnonzero((whole != 0) & (np.abs(step - whole) < 0.5))
        if len(wrapped):
            samples.warnings.append(
                f"{name!r} jumps by a whole turn at {samples.place} {at[wrapped[0] + 1]} ({len(wrapped)} such); it is "
                "wound on"
            )
            move = np.zeros(len(x))
            move[wrapped + 1] = -whole[wrapped]
            x = x + np.cumsum(move)
            step = np.diff(x)
    _jumps(samples, name, (t, x, at), fastest, turns, where, told)
    return t, x, at


def _jumps(
    samples: Samples, name: str, series: tuple[Array, Array, Array], fastest: float, turns: bool, where: str, told: bool
) -> None:
    """Refuse steps too fast for the joint; if both neighbours are as fast the same way, only warn."""
    t, x, at = series
    dt, unit = np.diff(t), "rad" if turns else "m"
    speed = np.diff(x) / dt
    far = np.abs(speed) > fastest + 0.02 / dt
    if not far.any():
        return
    beside = np.stack([np.append(speed[:1], speed[:-1]), np.append(speed[1:], speed[-1:])])  # the ends have one each
    alone = np.flatnonzero(far & (beside * np.sign(speed) < np.abs(speed) / 3).any(axis=0))
    j = int(alone[0] if len(alone) else np.argmax(np.abs(speed)))
    doubt = ""
    if turns and not told and np.max(np.abs(x)) > 4 * np.pi:
        doubt = "; if the log is in degrees, say so (units='deg')"
    if len(alone):
        jump = f"jumps by {x[j + 1] - x[j]:.4g} {unit} in {dt[j]:.4g} s ({abs(speed[j]):.4g} {unit}/s)"
        raise InputError(f"{where}:{at[j + 1]}: joint {name!r} {jump}; fix the log there, or cut it{doubt}")
    samples.warnings.append(
        f"{samples.place} {at[j + 1]}: joint {name!r} moves at {abs(speed[j]):.4g} {unit}/s, faster than the "
        f"{fastest:.4g} that are taken for possible ({int(far.sum())} such){doubt}"
    )


def _unit(
    samples: Samples, robot: RobotLike, name: str, turns: bool, x: Array, at: Array, where: str, told: bool
) -> None:
    """Degrees and millimetres where rad and m belong; values beyond the limits."""
    k = coordinate_names(robot.model, "q").index(name)
    lower, upper = robot.limits.lower[k], robot.limits.upper[k]
    factor, word, unit = (math.pi / 180, "deg", "rad") if turns else (1e-3, "mm", "m")
    slack = 0.05 * (upper - lower) if np.isfinite(lower) and np.isfinite(upper) else 0.1
    out = np.flatnonzero((x < lower - slack) | (x > upper + slack))
    if len(out):
        far = int(np.argmax(np.maximum(x - upper, lower - x)))
        beyond = f"joint {name!r} is at {x[far]:.5g} {unit}, its limits are {lower:.5g} to {upper:.5g}"
        fits = np.all((x * factor >= lower - slack) & (x * factor <= upper + slack))
        if fits and not told and np.max(np.abs(x)) > 3 * max(abs(lower), abs(upper)):
            raise InputError(f"{where}:{at[far]}: {beyond}; it looks like {word}: say so (units={word!r})")
        samples.warnings.append(f"{samples.place} {at[far]}: {beyond} ({len(out)} such)")
    elif np.max(np.abs(x)) > (4 * np.pi if turns else 20.0):
        far = int(np.argmax(np.abs(x)))
        samples.warnings.append(
            f"{samples.place} {at[far]}: joint {name!r} is at {x[far]:.5g} {unit}; if the log is in {word}, say so "
            f"(units={word!r})"
        )


# --- even samples -----------------------------------------------------------------------------------------------------
def _motion(samples: Samples, names: Sequence[str], cutoff: float | None, rate: float | None, where: str) -> MotionLog:
    own = [samples.series["q", name] for name in names]
    step = (
        float(np.median(np.concatenate([np.diff(t) for t, _, _ in own]))) if max(len(t) for t, _, _ in own) > 1 else 0.0
    )
    begin, end = max(t[0] for t, _, _ in own), min(t[-1] for t, _, _ in own)
    if step <= 0 or round((end - begin) / step) < SHORTEST - 1:
        raise InputError(
            f"{where}: {max(len(t) for t, _, _ in own)} rows are too few to find accelerations from; {SHORTEST} are "
            "needed"
        )
    # clocks jitter: what the whole log says, so that its last row counts too
    step = (end - begin) / round((end - begin) / step)
    h = step if rate is None else 1.0 / number("rate", rate, 0.0)
    if h > (end - begin) / (SHORTEST - 1):
        raise InputError(
            f"rate {1 / h:g} Hz makes fewer than {SHORTEST} samples of {end - begin:.4g} s; give a higher one"
        )
    pieces = _pieces(samples, own, begin, end, step)
    limit = 0.5 / step
    if cutoff is None:
        cut = min(bend(own, pieces, step), RINGS * limit)
        why = "where the motion sinks into the noise"
    else:
        if isinstance(cutoff, (int, float)) and cutoff == 0:
            raise InputError("cutoff is 0, below which nothing is left; give a frequency in Hz, or inf for no filter")
        cut, why = (math.inf if cutoff == math.inf else number("cutoff", cutoff, 0.0)), "as asked"
        if RINGS * limit * 1.001 < cut < math.inf:  # the message rounds
            raise InputError(
                f"cutoff {cut:g} Hz: samples come at {2 * limit:.4g} Hz, which hold nothing above {limit:.4g}; give "
                f"{RINGS * limit:.4g} at most, or inf for no filter"
            )
    parts = [smooth([(t, x) for t, x, _ in own], a, b, (step, h), cut) for a, b in pieces]
    t, q, qd, qdd = (np.concatenate(p) for p in zip(*parts, strict=True))
    forces = _forces(samples, names)
    tau = np.concatenate([smooth(forces, a, b, (step, h), cut)[1] for a, b in pieces]) if forces else None
    samples.notes.insert(
        0, f"{len(own[0][0])} {samples.place}s over {end - begin:.6g} s, one each {step:.6g} s ({1 / step:.4g} Hz)"
    )
    if step >= SLOW and samples.place == "line":
        samples.warnings.append(
            f"its lines are {step:.4g} s apart; if the times are milliseconds, call their column 'time [ms]'"
        )
    samples.notes.append(f"resampled evenly at {1 / h:.6g} Hz")
    done = (
        f"filtered forwards and backwards, cut-off {cut:.4g} Hz ({why}); the first and last {0.5 / cut:.2g} s are "
        "less certain"
    )
    samples.notes.append("not filtered" if cut == math.inf else done)
    if any(kind == "qd" for kind, _ in samples.series):
        samples.notes.append("velocities are those of the filtered positions, not the logged ones")
    for text in samples.warnings:
        tell(f"{where}: {text}")
    return MotionLog(t, q, qd, qdd, tau, float(1 / h), cut, tuple(samples.notes))


def _forces(samples: Samples, names: Sequence[str]) -> list[tuple[Array, Array]]:
    """Times and efforts of every joint, if each has enough; what is left out is told."""
    nothing = (np.empty(0), np.empty(0), np.empty(0))
    series = {n: samples.series.get(("tau", n), nothing)[:2] for n in names}
    short = {n: len(t) for n, (t, _) in series.items() if len(t) < EFFORTS}
    if short and any(len(t) for t, _ in series.values()):
        name, count = next(iter(short.items()))
        samples.warnings.append(
            f"its efforts are left out: joint {name!r} has {count or 'none'}, and each joint needs {EFFORTS} of them"
        )
    return [] if short else list(series.values())


def _pieces(samples: Samples, own: Sequence[Any], begin: float, end: float, step: float) -> list[tuple[float, float]]:
    """Times without gaps, from and to; gaps are warned about with their lines."""
    gaps: list[tuple[float, float]] = []
    for t, _, at in own:
        for k in np.flatnonzero((np.diff(t) > GAP * step) & (t[1:] > begin) & (t[:-1] < end)):
            if (t[k], t[k + 1]) not in gaps:
                gaps.append((float(t[k]), float(t[k + 1])))
                if len(gaps) <= 5:
                    samples.warnings.append(
                        f"{samples.place} {at[k + 1]}: a gap of {t[k + 1] - t[k]:.4g} s, from {t[k]:.6g} s on; there "
                        "are no torques in it"
                    )
    if gaps:
        samples.notes.append(
            f"{len(gaps)} gap{'s' if len(gaps) > 1 else ''} left out, {sum(b - a for a, b in gaps):.4g} s in all"
        )
    made, last = [], begin
    for a, b in sorted(gaps):
        made.append((last, a))
        last = max(last, b)
    made.append((last, end))
    kept = [(a, b) for a, b in made if round((b - a) / step) >= SHORTEST - 1]
    if not kept:
        raise InputError(f"no {SHORTEST} samples lie together between the gaps of the log; record it again")
    if len(kept) < len(made):
        samples.notes.append(f"{len(made) - len(kept)} pieces between gaps are too short and left out")
    return kept
