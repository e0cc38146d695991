"""Inertial parameters as numbers: the pi of tau = Y pi, and the way back to bodies."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..describe.changes import with_masses
from ..errors import InputError, ShapeError
from ..model import Mass, Model, Placement
from ..runtime.array_inputs import as_array
from ..tree import handles

__all__ = ["masses", "parameters", "with_parameters"]


def parameters(model: Model) -> Any:
    """All bodies' parameters (10 (number of bodies),): [m, hx, hy, hz, Ixx, Ixy, Iyy, Ixz, Iyz, Izz] each.

    A body's parameters are about the origin and along the axes of the link that its joint moves (tree.handle), links
    welded to it
    included: what Pinocchio calls ``model.inertias[i].toDynamicParameters()``. The world's own inertia takes no part.
    """
    rows = [
        body.inertia.moved(frame.inverse()).vector()
        for body, frame in zip(model.bodies[1:], _frames(model), strict=True)
    ]
    return np.array(rows, float).reshape(-1)


def masses(model: Model, values: Sequence[float] | Any) -> list[Mass]:
    """The bodies' inertias in their own frames, from parameters (identified ones, for instance)."""
    given = as_array("parameters", values).astype(float)
    if given.shape != (10 * (len(model.bodies) - 1),):
        raise ShapeError(f"parameters: expected shape ({10 * (len(model.bodies) - 1)},), ten a body, got {given.shape}")
    if not np.isfinite(given).all():
        at = int(np.argmin(np.isfinite(given)))
        raise InputError(f"parameters[{at}] is {given[at]}; every number must be finite")
    return [_mass(row).moved(frame) for row, frame in zip(given.reshape(-1, 10), _frames(model), strict=True)]


def with_parameters(model: Model, values: Sequence[float] | Any) -> Model:
    """The same robot with other inertial parameters, whether a body has such ones or not; its links have them too."""
    return with_masses(model, masses(model, values))


def _frames(model: Model) -> list[Placement]:
    """Where the links that joints move sit on their bodies."""
    found = handles(model)
    return [model.links[found[b]].placement if b in found else Placement() for b in range(1, len(model.bodies))]


def _mass(row: Iterable[float]) -> Mass:
    m, hx, hy, hz, xx, xy, yy, xz, yz, zz = (float(x) for x in row)
    return Mass(m, (hx, hy, hz), (xx, yy, zz, xy, xz, yz))
