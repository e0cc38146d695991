"""Laws that remember: PID. What they integrate is carried by a joint that moves nothing, so that every integrator takes
it along as it is.

The joint has as many degrees of freedom as there are numbers, an empty subspace (S = 0) and unit armature: its
acceleration is the force on it, so its velocity is the integral of what the law puts there, and it does not touch the
rest of the robot. The Run knows nothing of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, wraps
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms.elastic import held
from ..algorithms.newton_euler import newton_euler
from ..errors import InputError, MethodError, SimulationError, yes
from ..joints import Joint
from ..model import Body, Mass, Model, Placement
from ..program.rolled import RolledTree
from ..runtime.array_inputs import by_name
from ..scalars.primitives import Array
from ..spatial import Transform, Twist
from ..spatial.joint_space import JointVector, Subspace
from .channels import Channel
from .control import StateFeedback
from .law_base import Law, joint_values, model_of, per_joint, reference, vector_of
from .run import Event, Run
from .signals import Signal
from .writing import Writing

if TYPE_CHECKING:
    from ..evaluate.robot_like import RobotLike

__all__ = ["PID", "remembers", "simulate_with_memory"]


@dataclass(frozen=True, eq=False)
class PID(Law):
    """PID controller: kp (target - q) + ki (its integral since the start) + kd (target velocity - qd).

    Args:
        target: coordinates (nq,), one row a run, or a trajectory; quaternions as for PD.
        kp: N m/rad or N/m: one number, one a joint, or one row a run.
        ki: N m/(rad s) or N/(m s). The integral is not bounded: it winds up while something holds the robot back.
        kd: N m s/rad or N s/m.
        gravity: whether to add the joint forces that hold the robot still.
    """

    arrays = ("target", "kp", "ki", "kd")
    target: Any
    kp: Any
    ki: Any
    kd: Any
    gravity: bool = False

    @property
    def key(self) -> str:
        """With the options."""
        return f"PID {self.gravity} {hasattr(self.target, 'signals')}"

    def channels(self, model: Model) -> dict[str, Channel]:
        """Gains and target."""
        yes("gravity", self.gravity)
        gains = {name: per_joint(name, getattr(self, name), model, self.gravity) for name in ("kp", "ki", "kd")}
        return gains | reference("target", self.target, model)

    def write(self, w: Writing) -> Any:
        """Only with memory: see Remembering."""
        raise MethodError("a PID remembers; it drives simulations, through robot.simulate(torque=...)")

    def parts_of(self, w: Writing, integral: dict[int, JointVector]) -> tuple[Any, dict[int, JointVector]]:
        """Joint forces by body, and the errors to integrate."""
        kp, ki, kd, target = (w.channel(name) for name in ("kp", "ki", "kd", "target"))
        rate = w.channel("target_rate") if hasattr(self.target, "signals") else w.tree.zero
        tree = w.nominal(varied=True) if self.gravity else w.tree
        weight = (
            w.joint_forces(held(tree, w.q, newton_euler(tree, w.q, tree.zero, tree.zero)), tree)
            if self.gravity
            else w.tree.zero
        )
        errors = {i: w.tree.joint[i].joint.error(w.q[i], target[i]) for i in integral}
        made = {i: kp[i] * errors[i] + ki[i] * z + kd[i] * (rate[i] - w.qd[i]) + weight[i] for i, z in integral.items()}
        return (w.by_drives(w.each("pid", lambda i: made.get(i, weight[i]))) if self.gravity else made), errors


@dataclass(frozen=True)
class Memory(Joint):
    """Numbers with their rates, on a body without mass; the subclass of each size has nq and nv."""

    def motion(self, q: JointVector) -> tuple[Transform, Subspace]:
        """Nothing moves."""
        return Transform.identity(), Subspace(*(Twist.zero() for _ in range(self.nv)))


@cache
def _memory(size: int) -> Joint:
    known = {
        "name": f"memory{size}",
        "nq": size,
        "nv": size,
        "angular": (False,) * size,
        "axial": False,
        "neutral": (0.0,) * size,
        "__module__": __name__,
    }
    made: Joint = type(f"Memory{size}", (Memory,), known)()
    return made


def _extended(model: Model, size: int) -> Model:
    """The robot with one body more, which remembers."""
    name, taken = "memory", {body.name for body in model.bodies}
    while name in taken:
        name += "_"
    body = Body(name, _memory(size), 0, Placement(), Mass(), armature=(1.0,) * size)
    home = (*model.home, *(0.0,) * size) if model.home else ()
    drives = None if model.actuated is None else (*model.actuated, name)  # where all joints have one, so has all of it
    return model.with_bodies([*model.bodies, body]).changed(home=home, actuated=drives)


def remembers(law: object) -> bool:
    """Whether the law has its own state."""
    return isinstance(law, Law) and any(isinstance(part, PID) for part in law.parts)


class Remembering(Law):
    """Laws of a robot, as the law of the robot with memory."""

    written_out = True

    def __init__(self, law: Law, model: Model) -> None:
        self.law, self.model = law, model
        self.laws = [self._known(part, model.nv * self.count) for part in law.parts]
        if any(isinstance(part, StateFeedback) for part in law.parts):
            raise InputError(
                "state feedback and a PID do not go together; add the integral of the error to the states that K feeds "
                "back"
            )

    @property
    def count(self) -> int:
        """How many laws remember."""
        return sum(isinstance(part, PID) for part in self.law.parts)

    @property
    def world(self) -> bool:  # type: ignore[override]
        """Whether one of them needs world poses."""
        return self.law.world

    @property
    def key(self) -> str:
        """All of them."""
        return f"remembering {self.law.stamp}"

    @staticmethod
    def _known(part: Law, size: int) -> Law:
        """A law with a model of its own computes with that and the memory."""
        own = model_of(getattr(part, "robot", None))
        return part if own is None else replace(part, robot=_extended(own, size))  # type: ignore[type-var]

    def channels(self, model: Model) -> dict[str, Channel]:
        """Those of the laws, checked against the robot itself, with zeros for the memory."""
        size = model.nv - self.model.nv
        given = {
            f"law{k} {name}": c
            for k, part in enumerate(self.law.parts)
            for name, c in part.channels(self.model).items()
        }
        return {name: _padded(c, size) for name, c in given.items()}

    def write(self, w: Writing) -> Any:
        """The sum of the laws on the robot, their errors on the memory."""
        if isinstance(w.tree, RolledTree):
            raise MethodError("a PID serves robots of up to 160 bodies; use PD or ComputedTorque")
        model, last = w.tree.model, len(w.tree.model.bodies) - 1
        bodies = [i for i in model.free if i != last]
        kept, made, errors = list(w.qd[last]), [], []
        for k, part in enumerate(self.laws):
            one = w.part(f"law{k} ")
            if not isinstance(part, PID):
                made.append(part.write(one))
                continue
            integral = {i: JointVector(*(kept.pop(0) for _ in range(w.tree.degrees(i)))) for i in bodies}
            forces, error = part.parts_of(one, integral)
            made.append(forces)
            errors += [e for i in bodies for e in error[i]]

        def total(i: object) -> JointVector:
            if i == last:
                return JointVector(*errors)
            e: JointVector = made[0][i]
            for other in made[1:]:
                e = e + other[i]
            return e

        return w.each("remembering", total)


def _padded(channel: Channel, size: int) -> Channel:
    if channel.kind == "n":
        return channel
    signal = channel.signal
    if signal is not None:
        c = signal.coefficients
        return Channel(
            channel.kind, signal=Signal(signal.breaks, np.concatenate([c, np.zeros((*c.shape[:-1], size))], axis=-1))
        )
    values = np.asarray(channel.values, float)
    return Channel(channel.kind, np.concatenate([values, np.zeros((*values.shape[:-1], size))], axis=-1))


# --- the simulation ---------------------------------------------------------------------------------------------------
def simulate_with_memory(
    robot: RobotLike, q: Array, v: Array, single: bool, law: Law, simulate: Callable[..., Run], options: dict[str, Any]
) -> Run:
    """Simulate the robot with its law's memory and return the robot's part of the result."""
    if options.get("save") is not None:
        raise InputError("a PID and save= do not go together; simulate the ensemble in parts")
    model = robot.model
    inner = Remembering(law, model)
    size = model.nv * inner.count
    wide = robot._of(_extended(model, size))
    q, v = (np.concatenate([x, np.zeros((len(x), size))], axis=1) for x in (q, v))
    options |= {"events": _of_robot(options["events"], model), "external": _pushed(options["external"], model)}
    options |= {
        "parameters": _varied(options["parameters"], model, size),
        "limits": _stops(options["limits"], model, size),
    }
    try:
        made = simulate(wide, q[0] if single else q, v[0] if single else v, torque=inner, **options)
    except SimulationError as error:
        if isinstance(getattr(error, "run", None), Run):
            error.__dict__.update(q=error.q[: model.nq], qd=error.qd[: model.nv], run=_robots(error.run, model))  # type: ignore[attr-defined]
        raise
    return _robots(made, model)


def _robots(run: Run, model: Model) -> Run:
    """Without the memory."""
    known = {name: getattr(run, name)[..., : model.nv] for name in ("qdd", "tau")} if len(run.t) else {}
    rest = np.asarray(run.qd)[..., model.nv :]
    known["energy"] = run.energy - 0.5 * np.sum(rest * rest, axis=-1)  # the memory has unit inertia and no weight
    events = [Event(e.run, e.number, e.t, e.q[: model.nq], e.qd[: model.nv]) for e in run.events]
    own: dict[str, Any] = {
        "stats": run.stats,
        "events": events,
        "status": run.status,
        "known": known,
        "number": run._number,
    }
    stops = None if run.stops is None else _robots(run.stops, model)
    return Run(model, run.t, run.q[..., : model.nq], run.qd[..., : model.nv], stops=stops, **own)


def _of_robot(events: Any, model: Model) -> Any:
    """Functions that see the robot's part of the state."""
    if events is None:
        return None
    return [_cut(f, model) for f in ([events] if callable(events) else events)]


def _cut(function: object, model: Model) -> Any:
    if not callable(function):
        return function

    @wraps(function)
    def seen(t: object, q: Array, qd: Array) -> Any:
        return function(t, q[..., : model.nq], qd[..., : model.nv])

    seen.__dict__.update(
        {name: getattr(function, name) for name in ("terminal", "direction", "vectorized") if hasattr(function, name)}
    )
    return seen


def _pushed(external: object, model: Model) -> Any:
    from .called import takes_state

    if callable(external):
        return _cut(external, model)
    if not isinstance(external, Mapping):
        return external
    states = {
        link: callable(x) and not isinstance(x, Signal) and takes_state(x, f"external[{link!r}]")
        for link, x in external.items()
    }
    return {link: _cut(x, model) if states[link] else x for link, x in external.items()}


def _varied(parameters: object, model: Model, size: int) -> Any:
    """Checked against the robot itself; friction and masses of the memory: none, and as they are."""
    if not isinstance(parameters, Mapping):
        return parameters
    made = dict(parameters)
    for name in ("damping", "friction"):
        if name in made:
            made[name] = _longer(joint_values(name, made[name], model), size)
    if "masses" in made:
        names = [body.name for body in model.bodies[1:]]
        own = by_name("masses", made["masses"], names)
        made["masses"] = _longer(vector_of("masses", own, len(names), "- a factor for each moving body"), 1, 1.0)
    return made


def _stops(limits: object, model: Model, size: int) -> Any:
    """End stops of the robot, none for the memory."""
    if not isinstance(limits, Mapping):
        return limits
    known = {name: limits[name] for name in ("stiffness", "damping") if name in limits}
    return {
        **limits,
        **{name: _longer(joint_values(f"limits {name}", x, model), size) for name, x in known.items()},
    }


def _longer(values: Array, size: int, fill: float = 0.0) -> Array:
    return np.concatenate([values, np.full((*values.shape[:-1], size), fill)], axis=-1)
