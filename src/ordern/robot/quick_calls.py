"""Quantities without options: the first call finds them, from then on arrays go straight to machine code."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from functools import partial
from typing import Any

__all__ = ["quick"]

# Robot's methods of these names ask ``_ways`` first, in one line of their own: each function of Python's on the way
# takes as long as the kernel of a small robot.
QUICK = (
    "inverse_dynamics", "forward_dynamics", "mass_matrix", "mass_matrix_inverse", "mass_matrix_udu", "log_det",
    "log_det_gradient", "coriolis_matrix", "bias_forces", "gravity_forces", "kinetic_energy", "potential_energy",
    "momentum", "center_of_mass", "inverse_dynamics_derivatives", "forward_dynamics_derivatives",
)  # fmt: skip


def quick(robot: Any) -> dict[str, Callable[..., Any]]:
    """A function of arrays for each; they do not keep the robot alive, which holds them."""
    me = weakref.ref(robot)
    return {quantity: partial(_first_time, me, quantity) for quantity in QUICK}


def _first_time(me: Callable[[], Any], quantity: str, *arrays: Any) -> Any:
    """The ordinary way, and the short one the next time; of closed chains the drives have to suffice each time."""
    robot = me()
    closed = robot.model.loops and quantity == "inverse_dynamics"
    if closed:
        robot._drives_suffice(*arrays, None)
    made = robot._evaluate(quantity, None, arrays)
    if not closed:
        robot._ways[quantity] = robot._calls[quantity, None, (), ()].way
    return made
