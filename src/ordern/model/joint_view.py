"""A joint where it sits on its parent body."""

from __future__ import annotations

from ..joints import Joint
from ..spatial import Rotation, Transform, Twist, Vec3
from ..spatial.joint_space import JointVector, Subspace

__all__ = ["JointView"]


class JointView:
    """A joint in its place: ``motion`` includes the constant placement of the joint frame on the parent."""

    __slots__ = ("joint", "origin", "rotation")

    def __init__(self, joint: Joint, rotation: Rotation, origin: Vec3) -> None:
        self.joint, self.rotation, self.origin = joint, rotation, origin

    def motion(self, q: JointVector) -> tuple[Transform, Subspace]:
        """Transform from parent body to body, and the joint's subspace in body coordinates."""
        local, S = self.joint.motion(q)
        return Transform(local.rotation @ self.rotation, self.origin + self.rotation.T @ local.origin), S

    def bias(self, q: JointVector, qd: JointVector) -> Twist:
        """The rate of S times qd, in body coordinates."""
        return self.joint.bias(q, qd)

    def subspace_rate(self, q: JointVector, qd: JointVector) -> Subspace:
        """dS/dt in body coordinates; its product with qd is ``bias``."""
        return self.joint.subspace_rate(q, qd)

    def step(self, q: JointVector, v: JointVector) -> JointVector:
        """Coordinates after unit time with joint velocity v."""
        return self.joint.step(q, v)

    def rates(self, q: JointVector, v: JointVector) -> JointVector:
        """dq/dt."""
        return self.joint.rates(q, v)
