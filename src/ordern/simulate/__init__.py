"""Simulation: laws, trajectories, integrators, runs; inverse kinematics."""

from collections.abc import Callable
from typing import Any

# What draws a Run. Plots and pages come after simulation, so nothing here imports them: ordern/__init__.py, which knows
# all rooms, puts them in.
DRAWN: dict[str, Callable[..., Any]] = {}
