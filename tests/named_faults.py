"""Faults that tests once did not notice, each with the tests that must: ``python tests/mutants.py --named`` puts them in one at a time."""

from __future__ import annotations

# what it is, file below src/ordern, text that is there once, text in its place, tests that must fail
NAMED = [
    ("wrench in the symplectic method", "algorithms/motion.py", "+ tree.external[i]", "- tree.external[i]", "simulate/test_balances.py"),
    ("wrench in weightless", "algorithms/motion.py", "tree.external = _Nothing()", "pass", "simulate/test_law_formulas.py"),
    ("direction of events", "simulate/events.py", "np.sign(new - old) == direction", "np.sign(new - old) != direction", "simulate/test_contracts.py"),
    ("drift of the operational law", "simulate/operational_space.py", "(g - v) - a - b for", "(g - v) - a + b for", "simulate/test_law_formulas.py"),
    (
        "Jdot qd of the operational law",
        "simulate/operational_space.py",
        "(g - v) - a - b for",
        "(g - v) + a - b for",
        "simulate/test_law_formulas.py",
    ),
    (
        "attitude of the operational law",
        "simulate/operational_space.py",
        "return list((total * 0.5).dense())",
        "return list((total * -0.5).dense())",
        "simulate/test_law_formulas.py",
    ),
    ("factor of PD on quaternions", "spatial/quaternions.py", "[2 * ew * e for", "[ew * e for", "simulate/test_law_formulas.py"),
    (
        "frame of PD on quaternions",
        "spatial/quaternions.py",
        "quaternion_product((-x, -y, -z, w), target.e[-4:])",
        "quaternion_product(target.e[-4:], (-x, -y, -z, w))",
        "simulate/test_law_formulas.py",
    ),
    (
        "upper stop of long robots",
        "simulate/channels.py",
        "np.minimum(self.upper, NEVER)",
        "-np.maximum(self.lower, -NEVER)",
        "simulate/test_contracts.py",
    ),
    ("stiffness of stops", "simulate/arguments.py", "STOP_RATE = 200.0", "STOP_RATE = 220.0", "simulate/test_contracts.py"),
    ("sharpness of friction", "simulate/right_hand_side.py", "1 / self.slow", "2 / self.slow", "simulate/test_contracts.py"),
    (
        "half a turn in inverse kinematics",
        "simulate/inverse_kinematics.py",
        "column[k] += (1",
        "column[k] -= (1",
        "simulate/test_kinematics_contracts.py",
    ),
    ("random with an upper limit only", "joints.py", "upper - 2 * wide", "upper - wide", "test_joints.py"),
    (
        "winding of splines",
        "simulate/trajectory.py",
        "np.round((before @ axis - angle)",
        "np.floor((before @ axis - angle)",
        "simulate/test_trajectory.py",
    ),
    ("mimic offset in URDF", "describe/urdf/urdf_write.py", "{m.offset!r}", "{-m.offset!r}", "describe/test_writers.py"),
    ("momentum", "algorithms/energy.py", "h[p] += X[i].T @ h[i]", "h[p] -= X[i].T @ h[i]", "test_robot_methods.py"),
    ("repair of impossible inertias", "describe/physical.py", "min(w[2], w[0] + w[1])", "min(w[2], w[0] + 2 * w[1])", "describe/test_broken_urdf.py"),
    ("third order of the joint step", "spatial/quaternions.py", "_series(x, 8)", "_series(x, 3)", "test_joint_exponential.py"),
    ("third order of large steps", "spatial/quaternions.py", "(1 - s / t) / (t * t)", "(1 - s / t) / t", "test_joint_exponential.py"),
    ("guard on far frames", "program/cheapest_frames.py", "OWN = 12.0", "OWN = 1e9", "test_far_frames.py"),
    ("error of DOPRI5", "emit/tableaus.py", "0.0419047619047619, -0.025", "0.0419047619047619, 0.025", "emit/test_order_conditions.py"),
]
