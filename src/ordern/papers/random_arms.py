"""Random arms and states on which formulas of the papers are tried, and rates along their motion."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ..describe.builtin import chain as chain_model
from ..robot import Robot
from ..scalars.primitives import Array

__all__ = ["arm_and_state", "rate_of", "tree_arm"]


def arm_and_state(rng: np.random.Generator, kinds: str = "RPRRP") -> tuple[Robot, Array, Array, Array]:
    """A chain with random geometry and q, qd, qdd."""
    table = []
    for kind in kinds:
        points, m = rng.uniform(-0.3, 0.3, (6, 3)), rng.uniform(0.1, 0.5, 6)
        com = m @ points / m.sum()
        P = np.einsum("k,ki,kj->ij", m, points - com, points - com)
        I = np.trace(P) * np.eye(3) - P
        six = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        theta, d, a, alpha = rng.uniform(-3, 3), rng.uniform(-0.2, 0.2), rng.uniform(0.1, 0.4), rng.uniform(0.3, 1.3)
        joint = "revolute" if kind == "R" else "prismatic"
        table.append(
            {
                "joint": joint,
                "theta": theta,
                "d": d,
                "a": a,
                "alpha": alpha,
                "mass": m.sum(),
                "com": com.tolist(),
                "inertia": six,
            }
        )
    q, qd, qdd = rng.uniform(-1, 1, (3, len(kinds)))
    return Robot.from_dh(table, "distal", gravity=(1, -2, -9), name="random"), q, qd, qdd


def tree_arm() -> Robot:
    """Seven turning links on three branches."""
    parents = {4: 2, 6: 1}
    return Robot(
        chain_model(7).with_bodies(
            replace(b, parent=parents.get(i, b.parent)) for i, b in enumerate(chain_model(7).bodies)
        )
    )


def rate_of(
    what: Callable[[Array, Array], Array], q: Array, qd: Array, qdd: Array | float = 0.0, h: float = 0.02
) -> Array:
    """The derivative of ``what(q, qd)`` along a motion, by central differences of order eight."""
    made: Array = np.zeros(())
    for k, c in enumerate((4 / 5, -1 / 5, 4 / 105, -1 / 280), 1):
        ahead, behind = (what(q + t * qd + t * t / 2 * qdd, qd + t * qdd) for t in (k * h, -k * h))
        made = made + c / h * (ahead - behind)
    return made
