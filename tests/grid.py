"""The grid that every evaluator is held against: every algorithm on every robot it serves (trees and loops), and how near is near enough.

The reference is ``numbers`` in float64 on three states; test_agreement_exact.py holds it against 30 digits. Evaluators that write every operation
out (an unrolled program, CasADi, JAX, exact numbers) run on the chain of 48 joints where that is some 30 000 operations at most: WRITTEN_OUT.
"""

from __future__ import annotations

from functools import cache

import numpy as np

import robots
from budget import TRUST
from ordern.algorithms.registry import all_algorithms, choose, find
from ordern.describe.builtin import lookup
from ordern.runtime.numbers import numbers

CLOSED = ("bricard", "threerrr")  # overconstrained in space; several loops on branches, in the plane
MODELS = {name: make() for name, make in robots.GRID.items() if name != "arm6"}  # "chain" is such an arm, with a slide
MODELS |= {name: lookup(name) for name in CLOSED}
# The other mechanisms that are built in, by what closes them, what they accelerate by and what drives them, each as it is used by default.
MECHANISMS = ("fourbar", "slider_crank", "fivebar", "delta", "stewart", "andrews", "fourbars3")
ON_MECHANISMS = {"constraint_residual", "forward_dynamics", "inverse_dynamics"}
LONGEST = {("inverse_dynamics/kkt with loops", "stewart")}  # 21 500 operations
MODELS |= {name: lookup(name) for name in MECHANISMS}
ALGORITHMS = {a.name: a for a in all_algorithms()}


def _taken(algorithm, robot):
    """Whether the grid has an algorithm on a robot."""
    if robot in MECHANISMS:
        return algorithm.quantity in ON_MECHANISMS and choose(algorithm.quantity, None, MODELS[robot]) is algorithm
    return algorithm.refusal(MODELS[robot]) is None


CASES = [(name, robot) for name, a in ALGORITHMS.items() for robot in MODELS if _taken(a, robot)]
SOLVES = {
    "forward_dynamics",
    "mass_matrix_inverse",
    "mass_matrix_udu",
    "forward_dynamics_derivatives",
    "joint_wrenches",
    "operational_mobility",
}
SOLVES |= {"log_det", "log_det_gradient"}

# How operation counts grow with the number of joints of a chain, where that is not n; test_agreement_counts.py counts it.
ORDER = {
    "forward_dynamics/composite": 3, "forward_dynamics/gibbs-appell": 3, "forward_dynamics/natural-complement": 3,
    "mass_matrix/composite": 2, "mass_matrix/denoc": 2, "mass_matrix/gibbs-appell": 2, "mass_matrix/natural-complement": 3,
    "coriolis_matrix/christoffel": 2, "coriolis_matrix/denoc": 2, "mass_matrix_udu/denoc": 2,
    "mass_matrix_inverse/denoc": 3, "mass_matrix_inverse/articulated": 2, "mass_matrix_inverse/denoc-columns": 3,
    "mass_matrix_inverse/composite": 3, "mass_matrix_inverse/fixman": 2, "inverse_dynamics_derivatives/recursive": 2,
    "forward_dynamics_derivatives/recursive": 3, "regressor/recursive": 2,
}  # fmt: skip
# On 48 joints, work that grows as n^2 or n^3 makes 40 000 to 730 000 operations an algorithm, and Fixman's methods and the mobility 46 000 to
# 91 000: minutes for each evaluator that writes them out, and nothing that the same text at 6 joints does not show. Numbers, and loops as programs
# and as kernels, run them all.
HEAVY = {
    "forward_dynamics/fixman",
    "forward_dynamics/fixman-refined",
    "joint_wrenches/fixman",
    "operational_mobility/recursive",
}
WRITTEN_OUT = [
    (name, robot) for name, robot in CASES if robot != "long" or (ORDER.get(name, 1) == 1 and name not in HEAVY)
]

# What registered evaluators (ordern.evaluate.evaluators) leave out, each with its reason; a new one runs all of OTHERS.
LONG_FORMULAS = {"inverse_dynamics_derivatives", "forward_dynamics_derivatives", "mass_matrix_inverse"}
ROOTS = {"natural-complement"}  # takes square roots of inertias, which are no fractions


def _formulas(name, robot):
    """SymPy takes some 0.3 ms for an operation: seconds for what has 8 000 to 16 000 of them, which smaller robots show as well."""
    return robot == "long" or (
        robot == "mixed"
        and (ALGORITHMS[name].quantity in LONG_FORMULAS or name == "inverse_dynamics_derivatives/carried")
    )


def _fraction(name, robot):
    """Fractions of floats grow by some 800 bits a joint, and logarithms are none; test_agreement_exact.py has all robots at short fractions."""
    return robot not in ("pendulum", "mimic") or ALGORITHMS[name].method in ROOTS or "log_det" in name


def _elsewhere(name, robot):
    """test_agreement.py, test_agreement_exact.py and test_machine_code run every case of these, and more of each."""
    return robot != "mimic" or not (TRUST or (name, robot) in FIRST)


def _device(name, robot):
    """The same kernels as JAX calls, or seconds of compiling each; tests/evaluate/test_torch.py and tests/emit/test_opencl.py have more."""
    return robot != "mimic" or ALGORITHMS[name].quantity not in ("inverse_dynamics", "forward_dynamics", "mass_matrix")


LEFT_OUT = {"formulas": _formulas, "fraction": _fraction, "opencl": _device, "torch": _device}
LEFT_OUT |= dict.fromkeys(("numbers", "program", "machine code", "mpmath", "interval"), _elsewhere)


def first_of_each_quantity(cases):
    """Of the methods that compute the same from the same inputs on a robot, the one that is used by default."""
    best = {}
    for name, robot in sorted(cases, key=lambda case: ALGORITHMS[case[0]].rank):
        best.setdefault((ALGORITHMS[name].quantity, ALGORITHMS[name].inputs, robot), (name, robot))
    return set(best.values())


# Other scalars and languages repeat what floats, programs and machine code do with all of these. On the robots that are there for
# their joints, springs, loops or length they take one method of each quantity, and all methods with ORDERN_TRUST=1.
REPEATED, FIRST = ("mixed", "springs", "long", "floating", "chain", "bricard"), first_of_each_quantity(WRITTEN_OUT)
OTHERS = [case for case in WRITTEN_OUT if TRUST or case[1] not in REPEATED or case in FIRST]
# Machine code runs every method as loops on the chain of 48 joints, and written out on the robots that are not repeated.
COMPILED = [case for case in CASES if TRUST or case[1] not in REPEATED or case[1] == "long" or case in FIRST]
# What a language or a kind of scalar can get wrong by itself is an operation, a name or a place of a result:
# program/test_random_programs.py shows these on programs of every operation. What runs whole programs through such a table takes
# the robots of these, and all of OTHERS with ORDERN_TRUST=1: fixed and floating, coupled, with springs and with loops.
SHORT = ("pendulum", "planar", "mimic", "springs", "floating", "threerrr", *MECHANISMS)
# SymPy and JAX take some seconds each for the longest text.
SPOKEN = [case for case in OTHERS if TRUST or (case[1] in SHORT and case not in LONGEST)]
# A floating base is a joint more for all quantities; seconds for the longest of them
FLOATED = {
    "inverse_dynamics",
    "forward_dynamics",
    "mass_matrix",
    "coriolis_matrix",
    "jacobian",
    "link_pose",
    "kinetic_energy",
}
SPOKEN = [case for case in SPOKEN if TRUST or case[1] != "floating" or ALGORITHMS[case[0]].quantity in FLOATED]
BY_TABLE = ("casadi", "formulas", "jax")
# Results of kinds that no loop makes: 46 000 to 139 000 operations written out at 48 joints, five to ten seconds of compiling each.
SLOW = {("joint_wrenches/fixman", "long"), ("operational_mobility/recursive", "long"), ("regressor/recursive", "long")}
# What writes a method down anew for every case, where the same text runs as machine code too, or is in SLOW.
# Every method on every robot is in test_floats.
TRACED = [
    (name, robot)
    for name, robot in CASES
    if TRUST
    or robot not in REPEATED
    or (name, robot) in SLOW
    or ((name, robot) in FIRST and not (robot == "long" and ORDER.get(name, 1) > 1))
]


def in_turn(cases, at, of, every=()):
    """Of the cases on each robot every ``of``-th one, from another one on for each robot; all of those on robots of ``every``."""
    seen, made = {}, []
    for case in cases:
        k = seen[case[1]] = seen.get(case[1], at + len(seen)) + 1
        if TRUST or case[1] in every or k % of == 0:
            made.append(case)
    return made


def as_tuple(x):
    return x if isinstance(x, tuple) else (x,)


def options_of(algorithm, model):
    """The link with the most joints before it (the first of them), in world axes."""
    depth = [0] * len(model.bodies)
    for i in range(1, len(depth)):
        depth[i] = depth[model.parents[i]] + 1
    given = {"link": max(range(len(model.links)), key=lambda k: depth[model.links[k].body]), "world": True}
    return tuple(given[name] for name in algorithm.options)


def arguments(algorithm, model, batch=(3,), seed=0):
    """Random inputs of an algorithm for any robot, (*batch, n) each."""
    made = dict(zip(("q", "qd", "qdd", "tau"), robots.state(model, np.random.default_rng(seed), batch), strict=True))
    return {name: made[name] for name in algorithm.inputs}


@cache
def states(robot):
    """Three, in numbers that single precision has too, so that kernels of both precisions have one reference."""
    made = robots.state(MODELS[robot], np.random.default_rng(0), (3,))
    return {name: x.astype(np.float32).astype(float) for name, x in zip(("q", "qd", "qdd", "tau"), made, strict=True)}


def given(name, robot):
    """The inputs, (3, n) each."""
    return {key: states(robot)[key] for key in ALGORITHMS[name].inputs}


@cache
def reference(name, robot):
    """What ``numbers`` makes of three states: a tuple of arrays (3, ...)."""
    algorithm, model = ALGORITHMS[name], MODELS[robot]
    # on arrays: three states alone would run on Python's own numbers, which are what test_floats has
    twice = [np.tile(x, (2, 1)) for x in given(name, robot).values()]
    return tuple(x[:3] for x in as_tuple(numbers(algorithm, model, options_of(algorithm, model))(*twice)))


@cache
def condition(robot):
    """Of the mass matrix, and of what loops are closed with, A M^-1 A^T without dependent rows; the worst of the three states."""
    M = numbers(find("mass_matrix", "composite")[0], MODELS[robot])(states(robot)["q"])
    worst = float(np.linalg.cond(M).max())
    if robot in MECHANISMS:  # the others need no more than M's
        A = numbers(find("constraint_jacobian")[0], MODELS[robot])(states(robot)["q"])
        roots = np.linalg.svd(A @ np.linalg.inv(np.linalg.cholesky(M)).swapaxes(1, 2), compute_uv=False)
        worst += float(max((s[0] / s[s > 1e-8 * s[0]][-1]) ** 2 for s in roots))
    return worst


def allowed(name, robot):
    """How many eps of the largest number a result may be off.

    Sums and products: 14 were seen, in a 16-joint chain whose frames were moved; 32 are allowed. What solves with the mass matrix,
    or with parts of it as its factors do, loses its condition number on top (up to 0.35 of it were seen).
    """
    return 32 + (condition(robot) if ALGORITHMS[name].quantity in SOLVES else 0)


def close(made, expected, name, robot, where="", dtype=float):
    """Arrays of all results against the reference's."""
    for a, b in zip(made, expected, strict=True):
        assert a.shape == b.shape, where
        most = allowed(name, robot) * np.finfo(dtype).eps * max(1.0, np.abs(b).max())
        np.testing.assert_allclose(a, b, rtol=0, atol=most, err_msg=f"{name} on {robot} {where}")
