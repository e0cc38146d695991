"""Control laws: each writes its joint forces as formulas of the state, which become part of the compiled right-hand
side.

Gains and targets are inputs of the machine code, so changing them, or having other ones in every run of an ensemble (an
array with one row a run), compiles nothing again. Laws can be added: ``PD(...) + GravityCompensation()``.

On robots with loops, laws that compute with the model (ComputedTorque, GravityCompensation, PD and PID with
gravity=True, OperationalSpace) drive the actuated joints only: with the least forces there that move the robot as the
law's forces on all joints would. What drives cannot bring about is left out. All other laws act on each joint as they
are told.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..algorithms.elastic import held
from ..algorithms.newton_euler import newton_euler
from ..errors import InputError, MethodError, ShapeError, near, shown, yes
from ..evaluate.manifold import named, unit_quaternions
from ..model import Model
from ..program.rolled import RolledTree
from ..runtime.array_inputs import as_array, by_name
from ..runtime.call import coordinate_names
from ..spatial.joint_space import JointVector
from .channels import Channel
from .law_base import Law, Sum, axes, model_of, per_joint, reference, same_joints, vector_of
from .signals import Signal
from .writing import Writing

__all__ = [
    "PD", "ComputedTorque", "Constant", "GravityCompensation", "Law", "Series", "StateFeedback", "Sum", "given",
    "Drives", "OperationalSpace", "PID",  # noqa: F822 - longer texts, found below
]  # fmt: skip


@dataclass(frozen=True, eq=False)
class Constant(Law):
    """Constant joint forces: one number, (n,) or one row a run."""

    arrays = ("tau",)
    tau: Any

    def channels(self, model: Model) -> dict[str, Channel]:
        """The joint forces."""
        return {"tau": per_joint("torque", self.tau, model)}

    def write(self, w: Writing) -> Any:
        """The joint forces."""
        return w.channel("tau")


@dataclass(frozen=True, eq=False)
class Series(Law):
    """Joint forces (T, n) or (runs, T, n) at times (T,): "linear", "cubic" or "hold"; ends are held."""

    arrays = ("times", "values")
    times: Any
    values: Any
    kind: str = "linear"

    @property
    def key(self) -> str:
        """Any series has the same formulas."""
        return "Constant"

    def channels(self, model: Model) -> dict[str, Channel]:
        """The joint forces."""
        signal = Signal.series(
            self.times, by_name("tau", self.values, coordinate_names(model, "v")), self.kind, "torque"
        )
        if signal.channels != model.nv:
            raise ShapeError(
                f"torque has {signal.channels} numbers at each time; the robot has {model.nv} degrees of freedom"
            )
        return {"tau": Channel("v", signal=signal)}

    def write(self, w: Writing) -> Any:
        """The joint forces."""
        return w.channel("tau")


@dataclass(frozen=True, eq=False)
class PD(Law):
    """PD controller: kp (target - q) + kd (target velocity - qd), with gravity compensation if wanted.

    Args:
        target: coordinates (nq,), one row a run, or a trajectory of ordern.trajectory. Quaternions are brought to unit
            length and refused if they are more than 1e-3 off it; their error is sin(angle) times the axis of the turn
            that is left, in the body, so that half a turn away nothing pulls.
        kp: stiffness, N m/rad or N/m: one number, one a joint, or one row a run.
        kd: damping, N m s/rad or N s/m.
        gravity: whether to add the joint forces that hold the robot still (as it is in each run: a varied payload is
            compensated too, external wrenches are not).
    """

    arrays = ("target", "kp", "kd")
    target: Any
    kp: Any
    kd: Any
    gravity: bool = False

    @property
    def key(self) -> str:
        """With the options."""
        return f"PD {self.gravity} {hasattr(self.target, 'signals')}"

    def channels(self, model: Model) -> dict[str, Channel]:
        """Gains and target."""
        yes("gravity", self.gravity)
        return {
            "kp": per_joint("kp", self.kp, model, self.gravity),
            "kd": per_joint("kd", self.kd, model, self.gravity),
            **reference("target", self.target, model),
        }

    def write(self, w: Writing) -> Any:
        """The law."""
        kp, kd, target = w.channel("kp"), w.channel("kd"), w.channel("target")
        rate = w.channel("target_rate") if hasattr(self.target, "signals") else w.tree.zero
        tree = w.nominal(varied=True) if self.gravity else w.tree
        weight = (
            w.joint_forces(held(tree, w.q, newton_euler(tree, w.q, tree.zero, tree.zero)), tree)
            if self.gravity
            else tree.zero
        )
        made = w.each(
            "pd",
            lambda i: kp[i] * w.tree.joint[i].joint.error(w.q[i], target[i]) + kd[i] * (rate[i] - w.qd[i]) + weight[i],
        )
        return w.by_drives(made) if self.gravity else made


@dataclass(frozen=True, eq=False)
class ComputedTorque(Law):
    """Computed torque: inverse dynamics of target acceleration + kp (target - q) + kd (target velocity - qd).

    Args:
        target: coordinates, one row a run, or a trajectory; quaternions as for PD.
        kp: 1/s^2.
        kd: 1/s.
        robot: the model to compute with; by default the robot itself as described (without external wrenches, and
            without what ``parameters=`` changes).
    """

    arrays = ("target", "kp", "kd")
    target: Any
    kp: Any
    kd: Any
    robot: Any = None

    @property
    def key(self) -> str:
        """With the model."""
        model = model_of(self.robot)
        return f"ComputedTorque {hasattr(self.target, 'signals')} {model.fingerprint if model else ''}"

    def channels(self, model: Model) -> dict[str, Channel]:
        """Gains and target."""
        same_joints(self.robot, model)
        return {
            "kp": per_joint("kp", self.kp, model, True),
            "kd": per_joint("kd", self.kd, model, True),
            **reference("target", self.target, model),
        }

    def write(self, w: Writing) -> Any:
        """The law."""
        kp, kd, target = w.channel("kp"), w.channel("kd"), w.channel("target")
        moving = hasattr(self.target, "signals")
        rate, feed = (w.channel(n) if moving else w.tree.zero for n in ("target_rate", "target_acceleration"))
        wanted = w.each(
            "wanted",
            lambda i: feed[i] + kp[i] * w.tree.joint[i].joint.error(w.q[i], target[i]) + kd[i] * (rate[i] - w.qd[i]),
        )
        tree = w.nominal(model_of(self.robot))
        return w.by_drives(w.joint_forces(held(tree, w.q, newton_euler(tree, w.q, w.qd, wanted)), tree))


@dataclass(frozen=True, eq=False)
class GravityCompensation(Law):
    """Gravity compensation: the joint forces that hold the robot still, minus damping times qd (N m s/rad or N s/m)."""

    arrays = ("damping",)
    damping: Any = 0.0
    robot: Any = None

    @property
    def key(self) -> str:
        """With the model."""
        model = model_of(self.robot)
        return f"GravityCompensation {model.fingerprint if model else ''}"

    def channels(self, model: Model) -> dict[str, Channel]:
        """Damping."""
        same_joints(self.robot, model)
        return {"kd": per_joint("damping", self.damping, model)}

    def write(self, w: Writing) -> Any:
        """The law."""
        kd, tree = w.channel("kd"), w.nominal(model_of(self.robot))
        weight = w.joint_forces(held(tree, w.q, newton_euler(tree, w.q, tree.zero, tree.zero)), tree)
        return w.by_drives(w.each("held", lambda i: weight[i] - kd[i] * w.qd[i]))


@dataclass(frozen=True, eq=False)
class StateFeedback(Law):
    """State feedback (LQR): tau0 - K (x - x0) with x = [q; qd].

    Args:
        K: gains (n, 2 n), or (runs, n, 2 n); the columns are those of linearize: coordinates, then rates.
        x0: the state to stay at: q and qd in one array (nq + n,), or q alone (nq,) for one at rest; also one row a run.
        tau0: joint forces there; 0 by default. Where it is an equilibrium, gravity_forces(q).

    For quaternions q - q0 is sin(angle) times the axis of the turn from q0, in the body, which is the tangent vector to
    first order.
    """

    arrays = ("K", "x0", "tau0")
    K: Any
    x0: Any
    tau0: Any = 0.0

    written_out = True

    def channels(self, model: Model) -> dict[str, Channel]:
        """Gains and the state to stay at."""
        n, nq = model.nv, model.nq
        K = as_array("K", self.K).astype(float)
        if K.shape[-2:] != (n, 2 * n) or K.ndim > 3:
            raise ShapeError(f"K must be ({n}, {2 * n}), or one a run: (runs, {n}, {2 * n}); got shape {K.shape}")
        if not np.isfinite(K).all():
            raise InputError("K holds NaN or infinity")
        x = as_array("x0", named(model, "q", self.x0)).astype(float)
        rest = x.ndim == 0 or x.shape[-1] == nq
        x = vector_of("x0", x, nq if rest else nq + n, f"- the coordinates ({nq}), or these and the rates ({nq + n})")
        q, qd = unit_quaternions(model, "x0", x[..., :nq]), np.zeros(n) if rest else x[..., nq:]
        made = {"K": Channel("n", K.reshape(*K.shape[:-2], 2 * n * n)), "q0": Channel("q", q), "qd0": Channel("v", qd)}
        return made | {"tau0": per_joint("tau0", self.tau0, model)}

    def write(self, w: Writing) -> Any:
        """The law."""
        if isinstance(w.tree, RolledTree):
            raise MethodError("state feedback has a full matrix of gains and serves robots of up to 160 bodies; use PD")
        model, K, q0, qd0, tau0 = w.tree.model, w.channel("K"), w.channel("q0"), w.channel("qd0"), w.channel("tau0")
        away = [*(e for i in model.free for e in w.tree.joint[i].joint.error(w.q[i], q0[i]))]
        away += [e for i in model.free for e in qd0[i] - w.qd[i]]
        rows, n = {}, model.nv
        for i in model.free:
            at = model.offsets[i][1]
            rows[i] = JointVector(
                *(
                    JointVector(*K[2 * n * r : 2 * n * (r + 1)]).dot(JointVector(*away))
                    for r in range(at, at + w.tree.degrees(i))
                )
            )
        return w.each("feedback", lambda i: tau0[i] + rows[i])


def given(torque: object, model: Model, runs: int | None, duration: float) -> Law | None:
    """A user's torque as a law; None for nothing. Python callables are handled elsewhere."""
    if torque is None or isinstance(torque, Law):
        return torque
    if isinstance(torque, str):
        raise InputError(f"torque is {shown(torque)}; give numbers, a function (t, q, qd), or a law of ordern.control")
    if isinstance(torque, tuple) and len(torque) == 2 and axes(torque[0]) == 1 and axes(torque[1]) >= 2:
        return Series(*torque)
    a, n = as_array("torque", by_name("tau", torque, coordinate_names(model, "v"))).astype(float), model.nv
    if a.ndim <= 1 or (
        a.ndim == 2 and runs is not None and len(a) == runs
    ):  # in an ensemble two axes are always (runs, n)
        return Constant(a)
    if a.shape[-1] == n and a.ndim == (2 if runs is None else 3) and runs in (None, len(a)) and a.shape[-2] >= 2:
        return Series(np.linspace(0.0, duration, a.shape[-2]), a)
    if runs is None:
        raise ShapeError(
            f"torque must be ({n},), a time series (T, {n}) spread evenly over the duration, or (times, values); got "
            f"shape {a.shape}"
        )
    raise ShapeError(
        f"torque for {runs} runs must be ({n},), one row a run ({runs}, {n}), or a time series: (times, values), or "
        f"({runs}, T, {n}) spread evenly over the duration; got shape {a.shape}"
    )


def __getattr__(name: str) -> Any:
    elsewhere = {"OperationalSpace": ".operational_space", "Drives": ".drives", "PID": ".law_memory"}  # longer texts
    if name in elsewhere:
        return getattr(importlib.import_module(elsewhere[name], __package__), name)
    raise AttributeError(f"module 'ordern.control' has no attribute {name!r}{near(name, __all__)}")


def __dir__() -> list[str]:
    return sorted(__all__)
