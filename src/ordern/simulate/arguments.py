"""Check a simulation's arguments: states, times, drive, friction, stops, wrenches, ensemble parameters."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..describe.physical import impossible
from ..errors import InputError, ShapeError, shown, tell, yes
from ..evaluate.manifold import bounds
from ..evaluate.robot_like import RobotLike
from ..model import Mass, Model
from ..runtime.array_inputs import as_array, by_name
from ..runtime.call import coordinate_names
from ..scalars.primitives import Array
from .called import PythonDrive, PythonSignal, python_wrenches
from .channels import Channel, Stops
from .closed_sides import closed_start
from .control import Constant, given
from .law_base import Law, axes, base_hint, joint_values, vector_of
from .right_hand_side import Motion
from .signals import Signal

__all__ = ["effort", "number", "output_times", "parameter_channels", "plain_joints", "start", "the_motion"]

STOP_RATE = 200.0  # rad/s: end stops swing at this rate with the inertia the joint has at rest
STOP_LOSS = 1.0  # s/rad or s/m: damping of an end stop over its stiffness


def number(name: str, value: Any, low: float, high: float = np.inf, zero: bool = False) -> float:
    """A finite number above low (or at it), or an error that says what makes sense."""
    try:
        if isinstance(value, (str, bytes, bool)):
            raise TypeError
        x = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be a number, got {shown(value)}") from None
    except OverflowError:
        raise InputError(f"{name} is a whole number that is too large; give one below 1e308") from None
    if not np.isfinite(x) or x < low or (x == low and not zero) or x > high:
        limit = f"at least {low:g}" if zero else f"above {low:g}"
        raise InputError(
            f"{name} is {x:g}; it must be finite and {limit}" + (f" and at most {high:g}" if np.isfinite(high) else "")
        )
    return x


def held(robot: RobotLike, q0: object, qd0: object, contacts: Any) -> RobotLike:
    """The robot with links that the world holds where they are at the start."""
    q, _, _ = start(robot, q0, qd0)
    made = robot.with_contacts(contacts, q[0] if len(q) else None)
    off = float(np.abs(made.constraint_residual(q)).max(initial=0.0))
    if off > 1e-6:
        raise InputError(
            f"contacts: the runs' initial states hold links at different places, up to {off:.3g} (m, rad) apart; "
            "simulate them one by one, or give all of them the same places"
        )
    return made


def start(robot: RobotLike, q0: object, qd0: object) -> tuple[Array, Array, bool]:
    """Initial states (B, nq) and (B, n), and whether it is one run; quaternions at unit length."""
    model = robot.model
    if not model.nv:
        raise InputError(f"robot {model.name!r} has no joints; nothing of it would move (base='floating' lets it move)")
    if q0 is None:
        q0 = robot.neutral()
        if not model.loops:  # which close there
            (lower, upper), (of_q, of_v) = bounds(model), plain_joints(model)
            q0[of_q] = np.clip(q0[of_q], lower[of_v], upper[of_v])
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
        joint, at = model.bodies[i].joint, model.offsets[i][0]
        if not joint.plain:
            own = slice(at, at + joint.nq)
            length = joint.length(q[:, own])
            if np.any(np.abs(length - 1) > 1e-3):
                worst = float(length[np.argmax(np.abs(length - 1))])
                raise InputError(
                    f"q0 has a {joint.measured} of length {worst:.4g} for joint "
                    f"{model.bodies[i].name!r}; it must be one"
                )
            q[:, own] = joint.normalise(q[:, own])
    if model.loops:
        q, v = closed_start(robot, q, v)
    return q, v, single


def _state(name: str, value: object, model: Model, kind: str) -> Array:
    value = by_name(name, value, coordinate_names(model, kind))
    a, count = as_array(name, value).astype(float), model.nq if kind == "q" else model.nv
    if a.ndim == 0 and count == 1:
        a = a.reshape(1)
    if a.ndim == 0 or a.shape[-1] != count:
        hint = base_hint(model, kind, a.shape[-1:])
        if name == "qd0" and a.ndim == 0:
            hint = f"; a duration goes by its name: simulate(q0, duration={a})"
        raise ShapeError(f"{name} must have {count} numbers in its last axis, got shape {a.shape}{hint}")
    if not np.isfinite(a).all():
        at = np.argwhere(~np.isfinite(a))[0]
        raise InputError(
            f"{name} is {a[tuple(at)]} for joint {coordinate_names(model, kind)[at[-1]]!r}; every number must be finite"
        )
    return a


def plain_joints(model: Model) -> tuple[list[int], list[int]]:
    """Where joints without quaternions have their coordinates, and where their velocities."""
    own = [(model.bodies[i].joint, *model.offsets[i]) for i in model.free]
    pairs = [(iq + c, iv + c) for joint, iq, iv in own if joint.plain for c in range(joint.nv)]
    return [iq for iq, _ in pairs], [iv for _, iv in pairs]


def output_times(duration: object, output_dt: object, t_eval: object) -> tuple[Array, slice]:
    """Times from 0 to the duration and which are kept: every output_dt and the end, or the given ones."""
    span = number("duration", duration, 0.0)
    if t_eval is not None:
        times = as_array("t_eval", t_eval).astype(float)
        if (
            times.ndim != 1
            or not len(times)
            or not np.isfinite(times).all()
            or np.any(np.diff(times) <= 0)
            or times[0] < 0
            or times[-1] > span
        ):
            raise InputError(f"t_eval must be increasing times between 0 and the duration, {span:g} s")
        first = int(times[0] > 0)
        return np.concatenate([[0.0] * first, times, [span] * int(times[-1] < span)]), slice(first, first + len(times))
    every = number("output_dt", span if output_dt is None else output_dt, 0.0)
    count = span / every
    if count > 1e8:
        raise InputError(f"output_dt {every:g} s over {span:g} s makes {count:.3g} outputs; give a larger one")
    times = every * np.arange(int(np.floor(count * (1 + 1e-12))) + 1)
    if len(times) == 1 or span - times[-1] > 1e-9 * every:  # however short, a run has a beginning and an end
        return np.append(times, span), slice(0, len(times) + 1)
    times[-1] = span
    return times, slice(0, len(times))


# --- the motion -------------------------------------------------------------------------------------------------------
def the_motion(
    robot: RobotLike, q: Array, single: bool, duration: float, torque: object, options: Mapping[str, Any]
) -> tuple[Motion, PythonDrive | None]:
    """The right-hand side, and the drive if it is a Python function."""
    model: Model = robot.model
    runs = None if single else len(q)
    drive = None
    if isinstance(torque, type) and issubclass(torque, Law):
        raise InputError(f"torque is the class {torque.__name__}; give a law with its numbers: {torque.__name__}(...)")
    if callable(torque):
        drive = PythonDrive(torque, model.nv, single)
        law: Any = Constant(np.zeros(model.nv))
    else:
        law = given(torque, model, runs, duration)
    friction = options["friction"]
    if friction is not None:
        friction = yes("friction", friction, "; its numbers go into parameters={'friction': ..., 'damping': ...}")
    saturate = yes(
        "saturate", options.get("saturate", False), "; how much a drive can do stands in the description: effort"
    )
    varied, payload = parameter_channels(robot, {} if options["parameters"] is None else options["parameters"])
    motion = Motion(
        model,
        law,
        options["dynamics"],
        _friction(model, "damping") if friction else (),
        _friction(model, "friction") if friction else (),
        number("friction_speed", options["friction_speed"], 0.0),
        _stops(robot, q, options["limits"]),
        _wrenches(robot, {} if options["external"] is None else options["external"], q, options.get("qd0")),
        varied,
        payload,
        _following(model) if friction else (),
        effort(model) if saturate else (),
        options.get("fixman"),
    )
    for name, channel in motion.channels.items():
        count = channel.rows()
        if count is not None and count != len(q):
            raise ShapeError(f"{name} has rows for {count} runs; there are {len(q)}")
    return motion, drive


def _friction(model: Model, what: str) -> tuple[float, ...]:
    made = tuple(float(x) for x in model.per_velocity(what, 0.0))
    return made if any(made) else ()


def _following(model: Model) -> tuple[tuple[int, float, float], ...]:
    """What joints that mimic others lose themselves: (body, damping, dry friction)."""
    own = [
        (i, (b.damping or (0.0,))[0], (b.friction or (0.0,))[0])
        for i, b in enumerate(model.bodies)
        if b.mimic is not None
    ]
    return tuple((i, float(d), float(c)) for i, d, c in own if d or c)


def effort(model: Model) -> tuple[float, ...]:
    """The drives' effort limits (n,) in N m or N, or () without any; files mean none by 0."""
    made = model.per_velocity("effort", np.inf)
    made[made <= 0] = np.inf
    return tuple(float(x) for x in made) if np.isfinite(made).any() else ()


def _stops(robot: RobotLike, q: Array, limits: object) -> Stops | None:
    """End stops where joints have limits; ``limits`` may be False, True, or a dict with stiffness and damping."""
    model = robot.model
    given_options = dict(limits) if isinstance(limits, Mapping) else {}
    if limits is None or not (isinstance(limits, Mapping) or yes("limits", limits)):
        return None
    lower, upper = bounds(model)
    if not (np.isfinite(lower).any() or np.isfinite(upper).any()):
        return None
    of_v = set(plain_joints(model)[1])
    for k in np.flatnonzero(np.isfinite(lower) | np.isfinite(upper)):
        if int(k) not in of_v:
            tell(
                f"the limits of {coordinate_names(model, 'v')[k]!r} have no end stops, since its joint turns any way; "
                "limits=False leaves out all end stops"
            )
            break
    unknown = set(given_options) - {"stiffness", "damping"}
    if unknown:
        raise InputError(f"limits has no option {sorted(unknown)[0]!r}; there are stiffness and damping")
    if "stiffness" in given_options:
        stiffness = joint_values("limits stiffness", given_options["stiffness"], model)
    else:
        both = np.isfinite(lower) & np.isfinite(upper)
        middle = np.zeros(model.nv)
        middle[both] = 0.5 * (lower[both] + upper[both])
        at = middle if model.plain else robot.neutral()
        stiffness = STOP_RATE**2 * np.diagonal(robot.mass_matrix(at))
    damping = STOP_LOSS * stiffness
    if "damping" in given_options:
        damping = joint_values("limits damping", given_options["damping"], model)
    for name, values in (("stiffness", stiffness), ("damping", damping)):
        _not_negative(f"limits {name}", values)
    _outside(model, q, lower, upper)
    return Stops(lower, upper, np.ascontiguousarray(stiffness, float), np.ascontiguousarray(damping, float))


def _outside(model: Model, q: Array, lower: Array, upper: Array) -> None:
    at, to = plain_joints(model)
    q, lower, upper = q[:, at], lower[to], upper[to]
    out = (q < lower - 1e-9) | (q > upper + 1e-9)
    if out.any():
        run, k = np.argwhere(out)[0]
        names = coordinate_names(model, "v")
        more = [repr(names[to[j]]) for j in np.flatnonzero(out.any(axis=0)) if j != k]
        also = (
            f", and so {'are' if more[1:] else 'is'} {', '.join(more[:8])}{', ...'[: 5 * (len(more) > 8)]}"
            if more
            else ""
        )
        tell(
            f"q0 of joint {names[to[k]]!r} is {q[run, k]:.6g}, outside its limits {lower[k]:.6g} to {upper[k]:.6g}"
            f"{also}: the end stop will push it back (limits=False leaves end stops out)"
        )


def _wrenches(robot: RobotLike, external: object, q: Array, v: Array | None) -> dict[int, Channel]:
    if callable(external):
        if not len(q):  # no runs: nobody to ask, and nothing to push
            return {}
        first = np.zeros(robot.n) if v is None else v[0]
        return {
            robot._link(link): Channel("n", None, signal)
            for link, signal in python_wrenches(external, q[0], first).items()
        }
    if not isinstance(external, Mapping):
        raise InputError(
            "external must map link names to wrenches, or be a function (t, q, qd) that does; got "
            f"{type(external).__name__}"
        )
    made: dict[int, Channel] = {}
    for link, value in external.items():
        name = f"external[{link!r}]"
        signal: Any = None
        if callable(value) and not isinstance(value, Signal):
            signal = PythonSignal(value, link)
        elif isinstance(value, Signal):
            signal = value
        elif isinstance(value, tuple) and len(value) in (2, 3) and axes(value[0]) == 1 and axes(value[1]) >= 2:
            signal = Signal.series(value[0], value[1], value[2] if len(value) == 3 else "linear", name)
        if signal is not None and signal.channels != 6:
            raise ShapeError(f"{name} must have six numbers (moment, then force), got {signal.channels}")
        values = None if signal is not None else vector_of(name, value, 6, "(moment, then force)", alike=False)
        made[robot._link(link)] = Channel("n", values, signal)
    return made


def parameter_channels(robot: RobotLike, parameters: object) -> tuple[dict[str, Channel], int]:
    """Parameters by run: damping, friction (n), masses (a factor a joint's body), payload (link, mass, ...)."""
    if not isinstance(parameters, Mapping):
        raise InputError(f"parameters must be a mapping, got {type(parameters).__name__}")
    model, made, link = robot.model, {}, -1
    for name, value in parameters.items():
        if name in ("damping", "friction"):
            made[name] = Channel("v", joint_values(name, value, model))
            _not_negative(f"parameters {name}", np.asarray(made[name].values))
        elif name == "masses":
            own = by_name(name, value, [b.name for b in model.bodies[1:]])
            made["scale"] = Channel("n", vector_of(name, own, len(model.bodies) - 1, "- a factor for each moving body"))
            worst = np.asarray(made["scale"].values).reshape(-1, len(model.bodies) - 1).min(axis=0, initial=0.0)
            if np.any(worst < 0):
                k = int(np.argmin(worst))
                raise InputError(
                    f"masses has a factor of {worst[k]:g} for joint {model.bodies[k + 1].name!r}; no body has a "
                    "negative mass"
                )
        elif name == "payload":
            link, made["payload"] = _payload(robot, value)
        else:
            raise InputError(
                f"parameters has no {name!r}; there are damping, friction, masses and payload (gains vary where the "
                "control law has them)"
            )
    return made, link


def _not_negative(name: str, values: Array) -> None:
    """Refuse negative friction, which would drive the joint, and end stops that pull."""
    least = np.min(values, initial=0.0)
    if least < 0:
        raise InputError(f"{name} is {least:g}; it must not be negative, remove the sign")


def _payload(robot: RobotLike, value: object) -> tuple[int, Channel]:
    if not isinstance(value, Mapping) or "mass" not in value or set(value) - {"link", "mass", "com", "inertia"}:
        raise InputError(
            'payload must be {"mass": kg, "link": name, "com": (3,) in the link\'s frame, "inertia": (6,) about the '
            "com: xx yy zz xy xz yz}"
        )
    link = robot._link(value.get("link", robot.link_names[-1]))
    if robot.model.links[link].body == 0:
        own = robot.link_names[link]
        raise InputError(f"payload: link {own!r} is fixed to the world, no motion would feel it; name a moving link")
    mass = as_array("payload mass", value["mass"]).astype(float)
    if mass.ndim > 1 or np.any(mass < 0) or not np.isfinite(mass).all():
        raise InputError("payload mass must be finite and not negative: one number, or one a run")
    com, inertia = (
        vector_of(f"payload {name}", value.get(name, np.zeros(size)), size, "", alike=False)
        for name, size in (("com", 3), ("inertia", 6))
    )
    parts = {"mass": (mass, ()), "com": (com, (3,)), "inertia": (inertia, (6,))}
    runs = {name: len(x) for name, (x, one) in parts.items() if x.ndim > len(one)}
    if len(set(runs.values())) > 1:
        raise ShapeError(
            f"payload has {' and '.join(f'{name} for {n} runs' for name, n in runs.items())}; give each once, or one "
            "row a run"
        )
    count = max(runs.values(), default=1)
    mass, com, inertia = (np.broadcast_to(x, (count, *one)) for x, one in parts.values())
    kinds, first = np.unique(np.column_stack([mass > 0, inertia]), axis=0, return_index=True)
    for k, (_, *i) in zip(first.tolist(), kinds.tolist(), strict=True):
        reason = impossible(float(mass[k]), i)
        if reason:
            raise InputError(
                f"the payload of {mass[k]:g} kg has {reason}; give its inertia about its mass centre, xx yy zz xy xz "
                "yz in kg m^2"
            )
    rows = np.array(
        [Mass.from_com(float(m), c, i).vector() for m, c, i in zip(mass, com, inertia, strict=True)]
    ).reshape(count, 10)
    return link, Channel("n", rows if runs else rows[0])
