"""The motors of a description as a control law: what an MJCF's actuators do with a constant control."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import InputError, near
from ..model import Drive, Model
from ..scalars.primitives import Scalar, least, most
from ..spatial.joint_space import JointVector
from .channels import Channel
from .law_base import Law, model_of, vector_of
from .writing import Writing

__all__ = ["Drives"]


@dataclass(frozen=True, eq=False)
class Drives(Law):
    """Each motor pulls with gain u + bias[0] + bias[1] l + bias[2] dl/dt, within its limits, on the joints it is tied
    to.

    Args:
        robot: whose motors they are.
        control: u of each motor in the order of ``robot.model.drives``, (m,) or one row a run; or a dict by the motors'
            names, the others 0.
    """

    arrays = ("control",)
    robot: Any
    control: Any = 0.0
    written_out = True

    @property
    def key(self) -> str:
        """With the motors, which decide the formulas."""
        return f"Drives {_drives(self.robot)!r}"

    def channels(self, model: Model) -> dict[str, Channel]:
        """The controls."""
        found = _drives(self.robot)
        if not found:
            raise InputError(
                f"robot {model.name!r} has no motors with laws of their own; its description would be an MJCF with "
                "actuators"
            )
        missing = next((name for drive in found for name, _ in drive.arms if name not in model.joint_index), None)
        if missing is not None:
            raise InputError(
                f"the motors pull on joint {missing!r}, which robot {model.name!r} does not have; give the motors' own "
                "robot"
            )
        value, names = self.control, [drive.name for drive in found]
        if isinstance(value, Mapping):
            for name in value:
                if name not in names:
                    raise InputError(
                        f"control names the motor {name!r}, which robot {model.name!r} does not have{near(name, names)}"
                    )
            value = [value.get(name, 0.0) for name in names]
        return {"control": Channel("n", vector_of("control", value, len(names), "- one a motor"))}

    def write(self, w: Writing) -> Any:
        """Forces of the motors, summed by joint."""
        model, u = w.motion.model, w.channel("control")
        total: dict[int, Any] = {}
        for k, drive in enumerate(_drives(self.robot)):
            arms = [(model.joint_index[name], arm) for name, arm in drive.arms]
            force = _force(drive, u[k], [(arm, w.q[i][0], w.qd[i][0]) for i, arm in arms])
            for i, arm in arms:
                master = model.bodies[i].mimic
                at, ratio = (i, 1.0) if master is None else (master.body, master.ratio)
                total[at] = total.get(at, 0) + force * (arm * ratio)
        return w.each("drives", lambda i: JointVector(total[i]) if i in total else JointVector.zero(w.tree.degrees(i)))


def _drives(robot: object) -> tuple[Drive, ...]:
    model = model_of(robot)
    if not isinstance(model, Model):
        raise InputError(f"Drives needs the robot whose motors they are, got a {type(robot).__name__}")
    return model.drives


def _force(drive: Drive, u: Scalar, pulls: list[tuple[float, Any, Any]]) -> Any:
    if drive.control:
        u = least(most(u, drive.control[0]), drive.control[1])
    length = sum(arm * q for arm, q, _ in pulls)
    speed = sum(arm * v for arm, _, v in pulls)
    force = u * drive.gain + drive.bias[0] + length * drive.bias[1] + speed * drive.bias[2]
    return least(most(force, drive.force[0]), drive.force[1]) if drive.force else force
