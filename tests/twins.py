"""The same robot in Pinocchio, made without a file between."""

from __future__ import annotations

import numpy as np
import pinocchio as pin


def twin(model):
    """The same robot there; offsets are put into q by the caller."""
    made = pin.Model()
    made.gravity.linear = np.array(model.gravity)
    for body in model.bodies[1:]:
        R = np.array(body.placement.rotation).reshape(3, 3)
        joint = pin.JointModelRZ() if body.joint.name == "revolute" else pin.JointModelPZ()
        k = made.addJoint(body.parent, joint, pin.SE3(R, np.array(body.placement.origin)), body.name)
        xx, yy, zz, xy, xz, yz = body.inertia.about_com()
        tensor = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        made.appendBodyToJoint(k, pin.Inertia(body.inertia.m, np.array(body.inertia.com), tensor), pin.SE3.Identity())
    return made, np.array([b.joint.constants[0] for b in model.bodies[1:]])
