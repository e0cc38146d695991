"""Arguments of a simulation, checked: states, times, drive, friction, end stops, wrenches and what varies over an ensemble."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..errors import InputError, OrdernWarning, ShapeError, SimulationError
from ..model import Mass, Model
from ..runtime.call import as_array, coordinate_names
from .control import Constant, _vector, given
from .numpy_engine import PythonDrive
from .right_hand_side import Channel, Motion, Stops
from .signals import Signal

__all__ = ["PythonSignal", "number", "output_times", "start", "the_motion"]

Array = Any
STOP_RATE = 200.0  # rad/s: end stops swing at this rate with the inertia the joint has at rest
STOP_LOSS = 1.0  # s/rad or s/m: damping of an end stop over its stiffness


def number(name: str, value: Any, low: float, high: float = np.inf, zero: bool = False) -> float:
    """A finite number above low (or at it), or an error that says what makes sense."""
    try:
        x = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a number, got {value!r}") from None
    if not np.isfinite(x) or x < low or (x == low and not zero) or x > high:
        limit = f"at least {low:g}" if zero else f"above {low:g}"
        raise InputError(f"{name} is {x:g}; it must be finite and {limit}" + (f" and at most {high:g}" if np.isfinite(high) else ""))
    return x


def start(robot: Any, q0: Any, qd0: Any) -> tuple[Array, Array, bool]:
    """Initial states (B, nq) and (B, n), and whether it is one run; quaternions at unit length."""
    model = robot.model
    if not model.nv:
        raise InputError(f"robot {model.name!r} has no joints; nothing of it would move")
    if q0 is None:
        q0, limits = robot.neutral(), robot.limits
        q0 = np.clip(q0, limits.lower, limits.upper) if model.nq == model.nv else q0
    q = _state("q0", q0, model, "q")
    v = _state("qd0", np.zeros(model.nv) if qd0 is None else qd0, model, "v")
    single = q.ndim == 1 and v.ndim == 1
    try:
        batch = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
    except ValueError:
        raise ShapeError(f"q0 {q.shape} and qd0 {v.shape} do not belong to the same number of runs") from None
    if len(batch) > 1:
        raise ShapeError(f"q0 {q.shape}: an ensemble is (B, {model.nq}), one row a run")
    count = batch[0] if batch else 1
    q, v = np.array(np.broadcast_to(q, (count, model.nq))), np.array(np.broadcast_to(v, (count, model.nv)))
    for i in model.free:
        joint, at = model.bodies[i].joint, model.offsets[i][0] + model.bodies[i].joint.nq
        if joint.nq != joint.nv:
            length = np.linalg.norm(q[:, at - 4 : at], axis=1, keepdims=True)
            if np.any(np.abs(length - 1) > 1e-3):
                raise InputError(
                    f"q0 has a quaternion of length {float(length[np.argmax(np.abs(length - 1))][0]):.4g} for joint {model.bodies[i].name!r}"
                )
            q[:, at - 4 : at] /= length
    return q, v, single


def _state(name: str, value: Any, model: Model, kind: str) -> Array:
    a, count = as_array(name, value).astype(float), model.nq if kind == "q" else model.nv
    if a.ndim == 0 and count == 1:
        a = a.reshape(1)
    if a.ndim == 0 or a.shape[-1] != count:
        raise ShapeError(f"{name} must have {count} numbers in its last axis, got shape {a.shape}")
    if not np.isfinite(a).all():
        at = np.argwhere(~np.isfinite(a))[0]
        raise InputError(f"{name} is {a[tuple(at)]} for joint {coordinate_names(model, kind)[at[-1]]!r}; every number must be finite")
    return a


def output_times(duration: Any, output_dt: Any, t_eval: Any) -> Array:
    """When states are kept: every output_dt, and at the end; or the given times."""
    span = number("duration", duration, 0.0)
    if t_eval is not None:
        times = as_array("t_eval", t_eval).astype(float)
        if times.ndim != 1 or not len(times) or not np.isfinite(times).all() or np.any(np.diff(times) <= 0) or times[0] < 0 or times[-1] > span:
            raise InputError(f"t_eval must be increasing times between 0 and the duration, {span:g} s")
        return np.unique(np.concatenate([[0.0], times]))
    every = number("output_dt", span if output_dt is None else output_dt, 0.0)
    count = span / every
    if count > 1e8:
        raise InputError(f"output_dt {every:g} s over {span:g} s makes {count:.3g} outputs; give a larger one")
    times = every * np.arange(int(np.floor(count * (1 + 1e-12))) + 1)
    if span - times[-1] > 1e-9 * every:
        return np.append(times, span)
    times[-1] = span
    return times


# --- the motion ---------------------------------------------------------------------------------------------------------------------
class PythonSignal:
    """Six numbers from a function of time, for the slow path, with its checks and what it costs."""

    channels = 6

    def __init__(self, function: Callable[[float], Any], link: str) -> None:
        self.function, self.link = function, link
        self.calls, self.seconds = 0, 0.0

    def __call__(self, t: Array, runs: Array | None = None) -> Array:
        """The wrenches at times t."""
        begin = time.perf_counter()
        made = np.array([self._one(float(x)) for x in t], float).reshape(len(t), 6)
        self.calls, self.seconds = self.calls + len(t), self.seconds + time.perf_counter() - begin
        return made

    def _one(self, t: float) -> Array:
        name = f"the function of external[{self.link!r}]"
        try:
            made = np.asarray(self.function(t), float)
        except Exception as error:  # whatever a user's function raises, or what is no number
            raise SimulationError(f"{name} raised {type(error).__name__} at t = {t:.9g} s: {error}") from error
        if made.shape != (6,) or not np.isfinite(made).all():
            what = "NaN or infinity" if made.shape == (6,) else f"shape {made.shape}"
            raise SimulationError(f"{name} returned {what} at t = {t:.9g} s; it must be six finite numbers (moment, then force)")
        return made


def the_motion(robot: Any, q: Array, single: bool, duration: float, torque: Any, options: Mapping[str, Any]) -> tuple[Motion, PythonDrive | None]:
    """The right-hand side, and the drive if it is a Python function."""
    model: Model = robot.model
    runs = None if single else len(q)
    drive = None
    if callable(torque):
        drive = PythonDrive(torque, model.nv, single)
        law: Any = Constant(np.zeros(model.nv))
    else:
        law = given(torque, model, runs, duration)
    friction = options["friction"]
    varied, payload = _varied(robot, {} if options["parameters"] is None else options["parameters"])
    motion = Motion(
        model,
        law,
        options["dynamics"],
        _friction(model, "damping") if friction else (),
        _friction(model, "friction") if friction else (),
        number("friction_speed", options["friction_speed"], 0.0),
        _stops(robot, q, options["limits"]),
        _wrenches(robot, {} if options["external"] is None else options["external"]),
        varied,
        payload,
    )
    for name, channel in motion.channels.items():
        count = channel.rows()
        if count is not None and count != len(q):
            raise ShapeError(f"{name} has rows for {count} runs; there are {len(q)}")
    return motion, drive


def _friction(model: Model, what: str) -> tuple[float, ...]:
    made = tuple(float(x) for x in model.per_velocity(what, 0.0))
    return made if any(made) else ()


def _stops(robot: Any, q: Array, limits: Any) -> Stops | None:
    """End stops where joints have limits; ``limits`` may be False, True, or a dict with stiffness and damping."""
    model = robot.model
    if limits is False or limits is None:
        return None
    lower, upper = robot.limits.lower, robot.limits.upper
    if not (np.isfinite(lower).any() or np.isfinite(upper).any()):
        return None
    given_options = dict(limits) if isinstance(limits, Mapping) else {}
    unknown = set(given_options) - {"stiffness", "damping"}
    if unknown:
        raise InputError(f"limits has no option {sorted(unknown)[0]!r}; there are stiffness and damping")
    if "stiffness" in given_options:
        stiffness = _vector("limits stiffness", given_options["stiffness"], model.nv, "- one a degree of freedom")
    else:
        middle = np.where(np.isfinite(lower) & np.isfinite(upper), 0.5 * (lower + upper), 0.0)
        at = middle if model.nq == model.nv else robot.neutral()
        stiffness = STOP_RATE**2 * np.diagonal(robot.mass_matrix(at))
    if "damping" in given_options:
        damping = _vector("limits damping", given_options["damping"], model.nv, "- one a degree of freedom")
    else:
        damping = STOP_LOSS * stiffness
    if model.nq == model.nv:
        _outside(model, q, lower, upper)
    return Stops(lower, upper, np.ascontiguousarray(stiffness, float), np.ascontiguousarray(damping, float))


def _outside(model: Model, q: Array, lower: Array, upper: Array) -> None:
    out = (q < lower - 1e-9) | (q > upper + 1e-9)
    if out.any():
        run, k = np.argwhere(out)[0]
        warnings.warn(
            f"q0 of joint {coordinate_names(model, 'v')[k]!r} is {q[run, k]:.6g}, outside its limits {lower[k]:.6g} to {upper[k]:.6g}: its end stop "
            "will push it back (limits=False leaves end stops out)",
            OrdernWarning,
            stacklevel=5,
        )


def _wrenches(robot: Any, external: Any) -> dict[int, Channel]:
    if not isinstance(external, Mapping):
        raise InputError(f"external must map link names to wrenches, got {type(external).__name__}")
    made: dict[int, Channel] = {}
    for link, value in external.items():
        name = f"external[{link!r}]"
        signal: Any = None
        if callable(value) and not isinstance(value, Signal):
            signal = PythonSignal(value, link)
        elif isinstance(value, Signal):
            signal = value
        elif isinstance(value, tuple) and len(value) in (2, 3) and np.ndim(value[0]) == 1 and np.ndim(value[1]) >= 2:
            signal = Signal.series(value[0], value[1], value[2] if len(value) == 3 else "linear", name)
        if signal is not None and signal.channels != 6:
            raise ShapeError(f"{name} must have six numbers (moment, then force), got {signal.channels}")
        values = None if signal is not None else _vector(name, value, 6, "(moment, then force)")
        made[robot._link(link)] = Channel("n", values, signal)
    return made


def _varied(robot: Any, parameters: Any) -> tuple[dict[str, Channel], int]:
    """Parameters that replace the description's: damping, friction (n), masses (one factor a joint's body), payload (link, mass, com, inertia)."""
    if not isinstance(parameters, Mapping):
        raise InputError(f"parameters must be a mapping, got {type(parameters).__name__}")
    model, made, link = robot.model, {}, -1
    for name, value in parameters.items():
        if name in ("damping", "friction"):
            made[name] = Channel("v", _vector(name, value, model.nv, "- one a degree of freedom"))
        elif name == "masses":
            made["scale"] = Channel("n", _vector(name, value, len(model.bodies) - 1, "- a factor for each moving body"))
        elif name == "payload":
            link, made["payload"] = _payload(robot, value)
        else:
            raise InputError(
                f"parameters has no {name!r}; there are damping, friction, masses and payload (gains vary where the control law has them)"
            )
    return made, link


def _payload(robot: Any, value: Any) -> tuple[int, Channel]:
    if not isinstance(value, Mapping) or "mass" not in value or set(value) - {"link", "mass", "com", "inertia"}:
        raise InputError(
            'payload must be {"mass": kg, "link": name, "com": (3,) in the link\'s frame, "inertia": (6,) about the com: xx yy zz xy xz yz}'
        )
    link = robot._link(value.get("link", robot.link_names[-1]))
    mass = np.atleast_1d(as_array("payload mass", value["mass"]).astype(float))
    com = np.broadcast_to(_vector("payload com", value.get("com", np.zeros(3)), 3, ""), (len(mass), 3))
    inertia = np.broadcast_to(_vector("payload inertia", value.get("inertia", np.zeros(6)), 6, ""), (len(mass), 6))
    if mass.ndim != 1 or np.any(mass < 0) or not np.isfinite(mass).all():
        raise InputError("payload mass must be finite and not negative: one number, or one a run")
    rows = np.array([Mass.from_com(float(m), c, i).vector() for m, c, i in zip(mass, com, inertia, strict=True)])
    return link, Channel("n", rows[0] if np.ndim(value["mass"]) == 0 else rows)
