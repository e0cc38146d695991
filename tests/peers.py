"""What Drake and the Robotics Toolbox answer, in their own conventions; kept in tests/data so that converters are tested where neither is installed.

pip install drake roboticstoolbox-python; python tests/peers.py     writes tests/data/drake.json and tests/data/toolbox.json anew
"""

from __future__ import annotations

import json
import sys
import tempfile
import warnings
from importlib.metadata import version
from pathlib import Path
from types import SimpleNamespace

import numpy as np

DATA = Path(__file__).parent / "data"
STATES = 2

FREE = """
<robot name="free">
  <link name="trunk"><inertial><origin xyz="0.05 0.02 -0.03" rpy="0.2 0 0.1"/><mass value="4.0"/>
    <inertia ixx="0.09" iyy="0.11" izz="0.13" ixy="0.01" ixz="0.004" iyz="-0.006"/></inertial></link>
  <link name="arm"><inertial><origin xyz="0 0.04 0.15"/><mass value="1.5"/>
    <inertia ixx="0.02" iyy="0.03" izz="0.015" ixy="0" ixz="0.001" iyz="0"/></inertial></link>
  <link name="leg"><inertial><origin xyz="0.02 0 -0.1"/><mass value="1.1"/>
    <inertia ixx="0.012" iyy="0.014" izz="0.005" ixy="0.001" ixz="0" iyz="0"/></inertial></link>
  <link name="wheel"><inertial><origin xyz="0.01 0 0.02"/><mass value="0.8"/>
    <inertia ixx="0.004" iyy="0.004" izz="0.006" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><parent link="trunk"/><child link="arm"/><origin xyz="0.1 0 0.2" rpy="0 0.3 0"/>
    <axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="10" velocity="5"/></joint>
  <joint name="hip" type="prismatic"><parent link="trunk"/><child link="leg"/><origin xyz="0 0 -0.2" rpy="0.1 0 0.2"/>
    <axis xyz="1 0 0"/><limit lower="-2" upper="2" effort="10" velocity="5"/></joint>
  <joint name="spin" type="continuous"><parent link="arm"/><child link="wheel"/><origin xyz="0 0 0.3" rpy="0.5 0 0"/><axis xyz="0 0 1"/></joint>
</robot>
"""  # the leg's joint stands between those of the arm: the libraries number them differently

# name: robot or URDF text, base, joints welded, link whose pose and Jacobian are asked
ROBOTS = {
    "free, fixed": (FREE, "fixed", None, "wheel"),
    "free, floating": (FREE, "floating", None, "wheel"),
    "ur5": ("ur5", "fixed", None, "tool0"),
    "panda": ("panda", "fixed", {"panda_finger_joint1": 0.02}, "panda_hand"),
    "panda, floating": ("panda", "floating", {"panda_finger_joint1": 0.02}, "panda_hand"),
}


def open_robot(name):
    """The robot of ordern, and the URDF that others read."""
    import ordern

    source, base, locked, link = ROBOTS[name]
    robot = ordern.load(source, base=base, locked=locked)
    if source.lstrip().startswith("<"):
        return robot, source, base, link
    with tempfile.TemporaryDirectory() as folder:
        ordern.load(source, locked=locked).to_urdf(Path(folder) / "robot.urdf")
        return robot, (Path(folder) / "robot.urdf").read_text(), base, link


def random_state(rng, floating, n):
    """q of a base that floats as Drake has it, unit quaternion first; everything else between -1 and 1."""
    head = rng.normal(size=4)
    q = rng.uniform(-1, 1, n - 6 if floating else n)
    return np.concatenate([head / np.linalg.norm(head), rng.uniform(-1, 1, 3), q]) if floating else q


def ask_drake(name):
    """Random states and what Drake makes of them."""
    from pydrake.all import JacobianWrtVariable, MultibodyForces, MultibodyPlant, Parser, SpatialForce

    _, urdf, base, link = open_robot(name)
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModelsFromString(urdf, "urdf")
    if base == "fixed":
        root = plant.get_body(plant.GetBodyIndices(plant.GetBodyByName(link).model_instance())[0])
        plant.WeldFrames(plant.world_frame(), root.body_frame())
    plant.Finalize()
    moving = [plant.get_joint(i) for i in plant.GetJointIndices() if plant.get_joint(i).num_velocities() == 1]
    joints = [j.name() for j in sorted(moving, key=lambda j: j.velocity_start())]
    context, world, frame = plant.CreateDefaultContext(), plant.world_frame(), plant.GetFrameByName(link)
    rng, made = np.random.default_rng(7), []
    for _ in range(STATES):
        q = random_state(rng, base == "floating", plant.num_velocities())
        v, a, tau = rng.uniform(-1, 1, (3, plant.num_velocities()))
        wrench = rng.uniform(-1, 1, 6)
        plant.SetPositions(context, q)
        plant.SetVelocities(context, v)
        plant.get_applied_generalized_force_input_port().FixValue(context, tau)
        forces = MultibodyForces(plant)
        plant.CalcForceElementsContribution(context, forces)
        answer = {
            "q": q, "v": v, "a": a, "tau": tau, "wrench": wrench,
            "mass_matrix": plant.CalcMassMatrix(context),
            "inverse_dynamics": plant.CalcInverseDynamics(context, a, forces),
            "forward_dynamics": plant.get_generalized_acceleration_output_port().Eval(context),
            "bias": plant.CalcBiasTerm(context),
            "gravity": plant.CalcGravityGeneralizedForces(context),
            "jacobian": plant.CalcJacobianSpatialVelocity(context, JacobianWrtVariable.kV, frame, np.zeros(3), world, world),
            "body_jacobian": plant.CalcJacobianSpatialVelocity(context, JacobianWrtVariable.kV, frame, np.zeros(3), world, frame),
            "pose": plant.CalcRelativeTransform(context, world, frame).GetAsMatrix4(),
            "kinetic_energy": plant.CalcKineticEnergy(context),
        }  # fmt: skip
        frame.body().AddInForce(context, np.zeros(3), SpatialForce(wrench[:3], wrench[3:]), frame, forces)
        answer["pushed"] = plant.CalcInverseDynamics(context, a, forces)
        made.append(answer)
    return {"joints": joints, "link": link, "states": made}


LINK = ("sigma", "mdh", "a", "alpha", "d", "theta", "offset", "m", "r", "I", "Jm", "G", "B", "Tc", "isflip")
ARMS = ("Puma560", "Stanford", "Panda")  # the first two in standard, the last in modified convention


def ask_toolbox(name):
    """A robot of the Toolbox, random states and what it makes of them; an arm of ordern's goes there as URDF."""
    import roboticstoolbox as rtb

    warnings.simplefilter("ignore", DeprecationWarning)
    if name in ARMS:
        robot = getattr(rtb.models.DH, name)()
        made = {"links": [{key: getattr(link, key) for key in LINK} for link in robot.links]}
        made |= {"gravity": robot.gravity, "tool": robot.tool.A}
        pose, end = robot.fkine, {}
    else:
        _, urdf, _, link = open_robot(name)
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "robot.urdf").write_text(urdf)
            robot = rtb.Robot.URDF(str(Path(folder) / "robot.urdf"))
        end = {"end": link}
        joints = [
            link.name for link in robot.links if link.isjoint
        ]  # of their child links: the Toolbox keeps no names of joints
        made = {"children": joints, "link": link}
        pose = lambda q: robot.fkine(q, **end)  # noqa: E731
    rng, states = np.random.default_rng(8), []
    for _ in range(STATES):
        q, qd, qdd = rng.uniform(-1, 1, (3, robot.n))
        answer = {
            "q": q,
            "v": qd,
            "a": qdd,
            "pose": pose(q).A,
            "jacobian": robot.jacob0(q, **end),
            "body_jacobian": robot.jacobe(q, **end),
        }
        answer |= {"mass_matrix": robot.inertia(q), "gravity": robot.gravload(q)}
        if name in ARMS:  # the other kind of robot has no friction
            wrench = rng.uniform(-1, 1, 6)
            free = robot.nofriction(True, True)
            answer |= {
                "wrench": wrench,
                "inverse_dynamics": free.rne(q, qd, qdd),
                "pushed": free.rne(q, qd, qdd, fext=wrench),
            }
            answer |= {"with_friction": robot.rne(q, qd, qdd), "forward_dynamics": free.accel(q, qd, np.ones(robot.n))}
            answer |= {"coriolis": free.coriolis(q, qd)}
        else:
            answer |= {"inverse_dynamics": robot.rne(q, qd, qdd)}
        states.append(answer)
    return made | {"states": states}


def simple(value):
    """For JSON."""
    if isinstance(value, dict):
        return {key: simple(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [simple(v) for v in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def links_of(answer):
    """The Toolbox's links again, as far as a converter looks at them."""
    return [
        SimpleNamespace(**{key: np.array(v) if isinstance(v, list) else v for key, v in link.items()})
        for link in answer["links"]
    ]


def stored(library):
    """What the library said when it was asked last."""
    return json.loads((DATA / f"{library}.json").read_text())["robots"]


ASKED = {
    "drake": (ask_drake, tuple(ROBOTS), "drake"),
    "toolbox": (ask_toolbox, (*ARMS, "free, fixed", "ur5"), "roboticstoolbox-python"),
}


def main(names):
    """Write the files anew."""
    DATA.mkdir(exist_ok=True)
    for library in names or ASKED:
        ask, robots, package = ASKED[library]
        made = {
            "made by": "python tests/peers.py",
            "library": f"{package} {version(package)}",
            "robots": {name: simple(ask(name)) for name in robots},
        }
        (DATA / f"{library}.json").write_text(json.dumps(made) + "\n")
        print(DATA / f"{library}.json")


if __name__ == "__main__":
    main(sys.argv[1:])
