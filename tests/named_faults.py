"""Faults that tests once did not notice, each with the test that must: ``python tests/mutants.py --named`` puts them in one at a time."""

from __future__ import annotations

# what it is, file below src/ordern, text that is there once, text in its place, test that must fail
NAMED = [
    (
        "wrench in the symplectic method",
        "algorithms/motion.py",
        "+ tree.external[i]",
        "- tree.external[i]",
        "simulate/test_simulation_properties.py::test_charts_and_momenta_are_the_same_motion",
    ),
    (
        "wrench in weightless",
        "algorithms/motion.py",
        "tree.external = ByBody(lambda i: Wrench.zero())",
        "pass",
        "simulate/test_simulation_properties.py::test_charts_and_momenta_are_the_same_motion",
    ),
    (
        "direction of events",
        "simulate/events.py",
        "np.sign(new - old) == direction",
        "np.sign(new - old) != direction",
        "simulate/test_balances.py::test_events_by_direction",
    ),
    (
        "drift of the operational law",
        "simulate/operational_space.py",
        "(g - v) - a - b\n",
        "(g - v) - a + b\n",
        "simulate/test_law_formulas.py::test_operational_space_is_its_formula",
    ),
    (
        "Jdot qd of the operational law",
        "simulate/operational_space.py",
        "(g - v) - a - b\n",
        "(g - v) + a - b\n",
        "simulate/test_law_formulas.py::test_operational_space_is_its_formula",
    ),
    (
        "attitude of the operational law",
        "simulate/operational_space.py",
        "return list((total * 0.5).dense())",
        "return list((total * -0.5).dense())",
        "simulate/test_law_formulas.py::test_operational_space_is_its_formula",
    ),
    (
        "factor of PD on quaternions",
        "spatial/quaternions.py",
        "[2 * ew * e for",
        "[ew * e for",
        "simulate/test_law_formulas.py::test_laws_on_quaternion_joints",
    ),
    (
        "frame of PD on quaternions",
        "spatial/quaternions.py",
        "quaternion_product((-x, -y, -z, w), target.e[-4:])",
        "quaternion_product(target.e[-4:], (-x, -y, -z, w))",
        "simulate/test_law_formulas.py::test_laws_on_quaternion_joints",
    ),
    (
        "upper stop of long robots",
        "simulate/channels.py",
        "np.minimum(self.upper, NEVER)",
        "-np.maximum(self.lower, -NEVER)",
        "simulate/test_balances.py::test_default_end_stops",
    ),
    (
        "stiffness of stops",
        "simulate/arguments.py",
        "STOP_RATE = 200.0",
        "STOP_RATE = 220.0",
        "simulate/test_balances.py::test_default_end_stops",
    ),
    (
        "sharpness of friction",
        "simulate/right_hand_side.py",
        "1 / self.slow",
        "2 / self.slow",
        "simulate/test_balances.py::test_dry_friction_is_there_at_a_hundredth_of_a_radian_a_second",
    ),
    (
        "half a turn in inverse kinematics",
        "simulate/inverse_kinematics.py",
        "column[k] += (1",
        "column[k] -= (1",
        "simulate/test_kinematics_contracts.py::test_rotation_vectors_up_to_half_a_turn",
    ),
    (
        "random with an upper limit only",
        "joints/joint_base.py",
        "upper - 2 * wide",
        "upper - wide",
        "simulate/test_kinematics_contracts.py::test_random_within_one_sided_limits",
    ),
    (
        "winding of splines",
        "simulate/trajectory.py",
        "np.round((before @ axis - angle)",
        "np.floor((before @ axis - angle)",
        "simulate/test_trajectory.py::test_splines_through_poses",
    ),
    (
        "mimic offset in URDF",
        "describe/urdf/urdf_write.py",
        "{m.offset!r}",
        "{-m.offset!r}",
        "describe/test_writers.py",
    ),
    (
        "momentum",
        "algorithms/energy.py",
        "h[p] += X[i].T @ h[i]",
        "h[p] -= X[i].T @ h[i]",
        "simulate/test_balances.py::test_momentum_of_any_robot",
    ),
    (
        "repair of impossible inertias",
        "describe/physical.py",
        "min(w[2], w[0] + w[1])",
        "min(w[2], w[0] + 2 * w[1])",
        "describe/test_changes.py::test_a_repair_sets_negative_moments_to_zero_and_lowers_the_largest",
    ),
    (
        "third order of the joint step",
        "spatial/quaternions.py",
        "_series(x, 8)",
        "_series(x, 3)",
        "test_joint_exponential.py::test_steps_of_any_size",
    ),
    (
        "third order of large steps",
        "spatial/quaternions.py",
        "(1 - s / t) / (t * t)",
        "(1 - s / t) / t",
        "test_joint_exponential.py::test_steps_of_any_size",
    ),
    (
        "guard on far frames",
        "program/cheapest_frames.py",
        "OWN = 12.0",
        "OWN = 1e9",
        "test_far_frames.py::test_small_parts_on_long_arms",
    ),
    (
        "error of DOPRI5",
        "emit/tableaus.py",
        "0.0419047619047619,\n            -0.025",
        "0.0419047619047619,\n            0.025",
        "emit/test_order_conditions.py",
    ),
]

# faults that no test can notice, and why: file, line (without its margins), what is done, reason
_PROBED = (
    "moved = joint.step(JointVector(*joint.neutral), JointVector(*(size * (1 + 0.3 * k) for k in range(joint.nv))))"
)
EQUIVALENT: list[tuple[str, str, str, str]] = [
    ("joints/joint_forms.py", _PROBED, what, "a place at which a joint is tried; any that is nowhere special does")
    for what in ("1 -> 2", "0.3 -> 1.3", "Add -> Sub", "Mult -> Add")
]
_RESIDUAL = '@algorithm("constraint_residual", "recursive", inputs="q", output="equations", rank=1, **LOOPS)'
_ROWS = "return list(range(count)) if count <= 3 * END else [*range(END), count // 2, *range(count - END, count)]"
_GROUP = "group = max(1, blocks // (GRAINS * workers)) if workers > 1 else max(1, min(blocks, 64))"
EQUIVALENT += [
    ("algorithms/closed.py", _RESIDUAL, "1 -> 2", "the rank among methods, of which there is one"),
    (
        "joints/joint_forms.py",
        "columns = np.zeros((1, 6))",
        "6 -> 7",
        "made anew at each of the places, and there are three",
    ),
    ("program/share_columns.py", _ROWS, "Mult -> Add", "rows in the middle are alike: fewer of them say the same"),
    *(
        ("simulate/ensemble.py", _GROUP, what, "how many runs a thread takes at a time: speed alone")
        for what in ("condition turned round", "64 -> 65", "FloorDiv -> Mult", "Mult -> Add")
    ),
]
