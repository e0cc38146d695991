"""Numbers that hold where nobody gives others: they are part of what users rely on, and stand here as the pages have them."""

from __future__ import annotations

import importlib
import inspect

import pytest

import ordern

DEFAULTS = {
    "trajectory.cycloid": {"duration": 10.0, "start": 0.0},
    "trajectory.line": {"points": 101},
    "trajectory.quintic": {"duration": 10.0, "start": 0.0, "qd0": 0.0, "qd1": 0.0, "qdd0": 0.0, "qdd1": 0.0},
    "trajectory.spline": {"points": 101},
    "trajectory.straight": {"duration": 10.0, "start": 0.0},
    "trajectory.trapezoidal": {"start": 0.0},
    "control.Drives": {"control": 0.0},
    "control.GravityCompensation": {"damping": 0.0},
    "control.OperationalSpace": {"damping": 0.0, "softness": 1e-6},
    "control.StateFeedback": {"tau0": 0.0},
    "robots.chain": {"seed": 0},
    "robots.fourbars": {"n": 2},
    "robots.planar": {"lengths": 1.0, "masses": 1.0},
    "Robot.compile": {"derivatives": 0},
    "Robot.evaluate": {"precision": 50},
    "Robot.forward_dynamics_derivatives": {"order": 1},
    "Robot.inverse_dynamics_derivatives": {"order": 1},
    "Robot.inverse_kinematics": {"tolerance": 1e-10, "iterations": 100, "restarts": 40, "seed": 0},
    "Robot.live": {"port": 0},
    "Robot.simulate": {
        "duration": 10.0, "rtol": 1e-8, "atol": 1e-10, "output_dt": 0.01, "friction_speed": 0.01, "collision_rate": 1.0, "seed": 0,
    },
}  # fmt: skip


def numbers_of(function):
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return {}
    return {p.name: p.default for p in parameters if type(p.default) in (int, float)}


@pytest.mark.parametrize("place", ["trajectory", "control", "robots", "Robot", "Run"])
def test_numbers_by_default(place):
    owner = getattr(ordern, place)
    names = [name for name in getattr(owner, "__all__", dir(owner)) if not name.startswith("_")]
    found = {f"{place}.{name}": numbers_of(getattr(owner, name)) for name in names if callable(getattr(owner, name))}
    wanted = {name: values for name, values in DEFAULTS.items() if name.startswith(f"{place}.")}
    assert {name: values for name, values in found.items() if values} == wanted


SIZES = {  # bytes that a file may have, or become
    "simulate.log_bags": {"LARGEST": 2**40, "DESCRIPTION": 2**24},
    "simulate.log_tables": {"LARGEST": 2**31},
    "simulate.series_files": {"SERIES": 2**31},
    "simulate.store": {"LARGEST": 2**28, "META": 2**20, "CHUNK": 2**31},
    "simulate.stream": {"PART": 2**26},
    "sweep.study": {"LARGEST": 2**22},
    "sweep.sweep_folder": {"LARGEST": 2**30},
    "files": {"SMALL": 2**30, "PACKED": 2**36, "PIECE": 2**20},
    "describe.urdf.xacro_text": {"MEMORY": 2**32},
}


@pytest.mark.parametrize("module", SIZES)
def test_guards_against_files_that_are_too_large(module):
    """A guard that is a thousand times as wide guards nothing."""
    made = importlib.import_module(f"ordern.{module}")
    assert {name: getattr(made, name) for name in SIZES[module]} == SIZES[module]
