"""A model against Drake's own reading of the same SDF: mass matrix, forces of motion with gravity and springs, kinematics, limits.

Names of links and joints must all be different in their last parts: Drake counts a joint to the model of its child.
"""

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import BodyIndex, MultibodyForces

from ordern.algorithms.registry import choose
from ordern.model import Placement
from ordern.runtime.numbers import numbers


def plant_of(path, floating, gravity):
    """Drake's plant of a file, its free links welded to where they stand unless they are to float; and how many those are."""
    plant = MultibodyPlant(0.0)
    parser = Parser(plant)
    for folder in path.parent.iterdir():
        if folder.is_dir():
            parser.package_map().Add(folder.name, str(folder))
    parser.AddModels(str(path))
    moved = {plant.get_joint(j).child_body().index() for j in plant.GetJointIndices()}
    free = [plant.get_body(BodyIndex(b)) for b in range(1, plant.num_bodies()) if BodyIndex(b) not in moved]
    for body in free if not floating else ():
        plant.WeldFrames(plant.world_frame(), body.body_frame(), plant.GetDefaultFloatingBaseBodyPose(body))
    plant.mutable_gravity_field().set_gravity_vector(gravity)
    plant.Finalize()
    return plant, len(free)


def tail(name):
    return name.rpartition("::")[2]


def rotation(turn):
    w, x, y, z = turn
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + 2 * w * K + 2 * K @ K


def quaternion(R):
    """Scalar last; rotations here stay far from half a turn."""
    w = np.sqrt(1 + np.trace(R)) / 2
    return np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1], 4 * w * w]) / (4 * w)


def converted(plant, model, rng):
    """Drake's q and v, our q, and T and c: our velocities are T times Drake's, our accelerations T times Drake's plus c."""
    q, v = np.zeros(plant.num_positions()), rng.standard_normal(plant.num_velocities())
    ours, T, c = np.zeros(model.nq), np.zeros((model.nv, plant.num_velocities())), np.zeros(model.nv)
    names, seen = {tail(b.name): i for i, b in enumerate(model.bodies)}, set()
    for joint in map(plant.get_joint, plant.GetJointIndices()):
        k, kind = joint.num_velocities(), joint.type_name()
        if not k:
            continue
        i = names["root_joint" if kind == "quaternion_floating" else joint.name()]
        seen.add(i)
        (iq, iv), dq, dv = model.offsets[i], joint.position_start(), joint.velocity_start()
        if kind == "quaternion_floating":  # in the world's axes there, in the link's here
            turn, place = rng.standard_normal(4), rng.standard_normal(3)
            turn /= np.linalg.norm(turn)
            q[dq : dq + 7], ours[iq : iq + 7] = [*turn, *place], [*place, *turn[1:], turn[0]]
            R = rotation(turn)
            T[iv : iv + 3, dv : dv + 3] = T[iv + 3 : iv + 6, dv + 3 : dv + 6] = R.T
            c[iv + 3 : iv + 6] = -R.T @ np.cross(v[dv : dv + 3], v[dv + 3 : dv + 6])
        elif kind == "ball_rpy":  # three angles and the velocity in the parent's axes there
            q[dq : dq + 3] = rng.uniform(-0.7, 0.7, 3)
            R = np.reshape(Placement.from_rpy((0, 0, 0), q[dq : dq + 3]).rotation, (3, 3))
            ours[iq : iq + 4] = quaternion(R)
            T[iv : iv + 3, dv : dv + 3] = R.T
        else:
            q[dq : dq + k] = ours[iq : iq + k] = rng.uniform(-1, 1, k)
            T[iv : iv + k, dv : dv + k] = np.eye(k)
    assert seen == set(model.free)
    return q, v, ours, T, c


def errors(plant, model, rng):
    """The largest errors, each relative to the size of what it is in, by name."""
    context, forces = plant.CreateDefaultContext(), MultibodyForces(plant)
    q, v, ours, T, c = converted(plant, model, rng)
    plant.SetPositions(context, q)
    plant.SetVelocities(context, v)
    plant.CalcForceElementsContribution(context, forces)
    damping = np.zeros(plant.num_velocities())
    for joint in map(plant.get_joint, plant.GetJointIndices()):
        damping[joint.velocity_start() :][: joint.num_velocities()] = joint.default_damping_vector()
    a = rng.standard_normal(plant.num_velocities())
    tau = plant.CalcInverseDynamics(context, a, forces) - damping * v  # Drake counts damping to its forces

    def value(quantity, *state):
        return numbers(choose(quantity, None, model), model)(*state)

    made = {
        "mass matrix": off(T.T @ value("mass_matrix", ours) @ T, plant.CalcMassMatrix(context)),
        "inverse dynamics": off(T.T @ value("inverse_dynamics", ours, T @ v, T @ a + c), tau),
        "damping": off(T.T @ np.diag(model.per_velocity("damping", 0.0)) @ T, np.diag(damping)),
        "limits": limits(plant, model),
    }
    poses = dict(zip((tail(k.name) for k in model.links), value("forward_kinematics", ours), strict=True))
    assert len(poses) == len(model.links) and len(poses.keys() - {"world"}) == plant.num_bodies() - 1
    bodies = [plant.get_body(BodyIndex(b)) for b in range(1, plant.num_bodies())]
    there = np.array([plant.EvalBodyPoseInWorld(context, body).GetAsMatrix4() for body in bodies])
    return made | {"kinematics": off(np.array([poses[body.name()] for body in bodies]), there)}


def limits(plant, model):
    bodies, worst = {tail(b.name): b for b in model.bodies[1:]}, 0.0
    for joint in map(plant.get_joint, plant.GetJointIndices()):
        if joint.type_name() in ("revolute", "prismatic", "screw"):
            body = bodies[joint.name()]
            for mine, theirs in (
                (body.lower, joint.position_lower_limits()),
                (body.upper, joint.position_upper_limits()),
            ):
                if mine or np.isfinite(theirs).any():
                    worst = max(worst, off(np.array(mine or np.nan), theirs))
    return worst


def off(ours, theirs):
    return np.abs(ours - theirs).max(initial=0.0) / max(np.abs(theirs).max(initial=0.0), 1e-9)
