"""Energy of runs with payloads or scaled masses, by each run's own masses."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..evaluate.values import quantity_values
from ..model import Model
from ..scalars.primitives import Array

if TYPE_CHECKING:
    from .numpy_engine import Functions

__all__ = ["fixman_potential", "varied_energy"]


def varied_energy(model: Model, functions: Functions, q: Array, qd: Array, run: Array) -> Array:
    """Kinetic and potential energy (rows,), J, of states that belong to the given runs.

    Half of velocity times momentum is the kinetic energy, and momenta come from the run's own inertias; the potential
    energy is the description's and what payload and scaled bodies add to it.
    """
    motion, g = functions.motion, np.array(model.gravity)
    kinetic = 0.5 * np.sum(qd * functions.momenta(q, qd, run - functions.first), axis=1)
    made: Array = kinetic + quantity_values(model, "potential_energy", q)

    def rows(name: str) -> Array:
        values = np.asarray(motion.varied[name].values, float)
        return values[run] if values.ndim == 2 else np.broadcast_to(values, (len(q), values.shape[-1]))

    if "payload" in motion.varied:
        load = rows("payload")
        made = made + _potential(model, q, model.links[motion.payload].name, load[:, 0], load[:, 1:4], g)
    if "scale" in motion.varied:
        scale = rows("scale")
        first = {link.body: link for link in reversed(model.links)}
        for b, body in enumerate(model.bodies[1:], 1):
            if body.inertia.m and b in first:
                frame = first[b].placement
                R, o = np.reshape(frame.rotation, (3, 3)), np.array(frame.origin)
                # mass times mass centre, in the link's frame
                moment = R.T @ (np.array(body.inertia.h) - body.inertia.m * o)
                made = made + (scale[:, b - 1] - 1) * _potential(model, q, first[b].name, body.inertia.m, moment, g)
    return made


def fixman_potential(model: Model, functions: Functions, q: Array, run: Array) -> Array:
    """(kT/2) log det M (rows,), J."""
    assert functions.motion.fixman is not None, "asked for only where the run has it"
    kT = np.asarray(functions.motion.fixman.values, float)[..., 0]
    if {"payload", "scale"} & set(functions.motion.varied):  # M of each run, by columns
        unit = np.eye(model.nv)
        M = np.stack(
            [functions.momenta(q, np.broadcast_to(e, (len(q), model.nv)), run - functions.first) for e in unit], axis=-1
        )
        size = np.linalg.slogdet(M)[1]
    else:
        size = quantity_values(model, "log_det", q)
    made: Array = 0.5 * (kT[run] if kT.ndim else kT) * size
    return made


def _potential(model: Model, q: Array, link: str, mass: object, moment: Array, g: Array) -> Array:
    """Of a mass fixed to a link; ``moment`` is mass times its place in the link's frame."""
    pose = quantity_values(model, "link_pose", q, link=link)
    moment = np.broadcast_to(moment, (len(q), 3))
    made: Array = -(mass * (pose[:, :3, 3] @ g) + np.einsum("kij,kj->ki", pose[:, :3, :3], moment) @ g)
    return made
