"""Every algorithm x every robot of the grid on other numbers: 30 digits hold the floats, intervals hold the digits, fractions agree exactly."""

from __future__ import annotations

from dataclasses import fields, replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest

import robots
from budget import TRUST
from grid import (
    ALGORITHMS,
    CASES,
    MODELS,
    OTHERS,
    REPEATED,
    ROOTS,
    allowed,
    as_tuple,
    close,
    given,
    in_turn,
    options_of,
    reference,
)
from grid import states as states_of
from ordern.evaluate import exact
from ordern.runtime.numbers import numbers

DIGITS = 30


def evaluated(name, robot, kind, digits=DIGITS):
    algorithm, model = ALGORITHMS[name], MODELS[robot]
    arguments = [array[0] for array in given(name, robot).values()]
    return as_tuple(exact.evaluate(algorithm, model, arguments, kind, digits, options_of(algorithm, model)))


def floats(results):
    return [np.array(r, dtype=object).astype(float) for r in results]


# in the short form every method on small robots, and every third one on the others
@pytest.mark.parametrize(("name", "robot"), in_turn(OTHERS, 0, 3, ("pendulum", "planar", "mimic", "threerrr")))
def test_many_digits_and_intervals(name, robot):
    """30 digits are the floats' result; intervals hold it (rounded by as many of its eps as is allowed to floats), and both their ends are.

    An interval forgets which errors belong together, so it grows from joint to joint, however exact the numbers: by up to five digits each
    was seen (Fixman's refined method). Six a joint are brought along.
    """
    many = evaluated(name, robot, "mpmath")
    close(floats(many), [r[0] for r in reference(name, robot)], name, robot)
    digits = DIGITS + 6 * (len(MODELS[robot].bodies) - 1)
    for b, m, r in zip(evaluated(name, robot, "interval", digits), many, reference(name, robot), strict=True):
        with mpmath.workdps(digits):
            room = allowed(name, robot) * mpmath.mpf(10) ** -DIGITS * max(1, float(np.abs(r[0]).max()))
            ends = [[mpmath.mpf(e) for e in (x.a, x.b)] for x in np.ravel(b)]
            assert all(low - room <= x <= high + room for (low, high), x in zip(ends, np.ravel(m), strict=True))
        for end in zip(*ends, strict=True):
            close([np.array([float(x) for x in end]).reshape(r[0].shape)], [r[0]], name, robot)


# --- fractions: rational points of the circle for sines, exactly orthogonal rotations -----------------------------------------------
LOGARITHMS = {"log_det"}  # no fractions either
# Every operation of a fraction is exact, so numbers grow: by some 800 bits a joint even from angles of two digits.
LONG_NUMBERS = {
    "mass_matrix_inverse",
    "forward_dynamics_derivatives",
    "joint_wrenches",
    "operational_mobility",
}  # two to five seconds each with 21 degrees of freedom
QUANTITIES = {}
for _name, _robot in CASES:
    _long = _robot == "mixed" and ALGORITHMS[_name].quantity in LONG_NUMBERS
    _quantity = ALGORITHMS[_name].quantity
    if ALGORITHMS[_name].method not in ROOTS and _quantity not in LOGARITHMS and _robot != "long" and not _long:
        _takes = " ".join(
            ALGORITHMS[_name].inputs
        )  # joint wrenches come from accelerations or from torques: two functions
        QUANTITIES.setdefault(
            (_quantity if _quantity != "joint_wrenches" else f"{_quantity} of {_takes}", _robot), []
        ).append(_name)


if (
    not TRUST
):  # two methods on each robot that is there for its joints, others on others; every method against floats elsewhere
    for (_quantity, _robot), _names in QUANTITIES.items():
        if _robot in REPEATED and len(_names) > 2:
            _at = 1 + REPEATED.index(_robot) % (len(_names) - 1)
            QUANTITIES[_quantity, _robot] = [_names[0], _names[_at]]


def short_angle(x):
    """The half tangent of its own, or of the angle opposite, has two digits: evaluate/exact.py takes the one below 1."""
    t = np.tan(x / 2)
    return 2 * np.arctan(round(t, 2) if abs(t) <= 1 else 1 / round(1 / t, 2))


def short_state(model):
    """Angles whose half tangents have two digits, quaternions of any length, without offsets in the joints."""
    plain = {"pitch": 0.25, "offset": 0.0}
    bodies = [replace(b, joint=type(b.joint)(**{f.name: plain[f.name] for f in fields(b.joint)})) for b in model.bodies]
    given = dict(zip(("q", "qd", "qdd", "tau"), robots.state(model, np.random.default_rng(0)), strict=True))
    turned = [
        j for i in model.free if model.bodies[i].joint.nq > model.bodies[i].joint.nv for j in quaternion(model, i)
    ]
    q = [round(x * 16) / 16 if j in turned else short_angle(x) for j, x in enumerate(given["q"])]
    return model.with_bodies(bodies), {k: np.round(x * 16) / 16 for k, x in given.items()} | {"q": np.array(q)}


def quaternion(model, i):
    end = model.offsets[i][0] + model.bodies[i].joint.nq
    return range(end - 4, end)


@pytest.mark.parametrize(("quantity", "robot"), QUANTITIES)
def test_fractions(quantity, robot, monkeypatch):
    """All methods give the same fractions, which are the floats' results; Coriolis matrices differ, their product with qd does not."""
    model, states = MODELS[robot], {k: array[0] for k, array in states_of(robot).items()}
    if not model.coupled:  # a follower's angle is no short fraction
        monkeypatch.setattr(exact, "DIGITS", 2)
        model, states = short_state(model)
    made = {}
    for name in QUANTITIES[quantity, robot]:
        algorithm, options = ALGORITHMS[name], options_of(ALGORITHMS[name], model)
        arguments = [states[k] for k in algorithm.inputs]
        made[name] = as_tuple(exact.evaluate(algorithm, model, arguments, "fraction", options=options))
        close(floats(made[name]), as_tuple(numbers(algorithm, model, options)(*arguments)), name, robot)
        if quantity == "coriolis_matrix":
            made[name] = [made[name][0] @ [Fraction(x) for x in states["qd"]]]
    first = next(iter(made.values()))
    for name, results in made.items():
        assert all((a == b).all() if np.ndim(a) else a == b for a, b in zip(results, first, strict=True)), name
