"""The methods of Robot for poses, Jacobians, energies and momentum."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..errors import one_of
from ..scalars.primitives import Array

if TYPE_CHECKING:
    from ..evaluate.robot_like import RobotLike as Lending  # Robot is one; this class only lends it methods
else:
    Lending = object

__all__ = ["Kinematics"]


class Kinematics(Lending):
    """Mixin of Robot."""

    _array: Callable[..., Array]
    _coordinates: Callable[[object], Array]
    _evaluate: Callable[..., Array]
    _ways: dict[str, Callable[..., Array]]  # by quantity: for arrays and no options

    def kinetic_energy(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """Kinetic energy, (...), J."""
        return self._ways["kinetic_energy"](q, qd)

    def potential_energy(self, q: ArrayLike) -> Array:
        """Potential energy, (...), J; zero with the mass centre in the world's origin."""
        return self._ways["potential_energy"](q)

    def momentum(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """Momentum [angular; linear] about the world's origin, in world axes, (..., 6)."""
        return self._ways["momentum"](q, qd)

    def center_of_mass(self, q: ArrayLike) -> Array:
        """The mass centre of all moving links in the world, (..., 3), m."""
        return self._ways["center_of_mass"](q)

    def forward_kinematics(self, q: ArrayLike, link: str | None = None) -> Any:
        """The pose of a link in the world, a matrix (..., 4, 4); without a link, a dict with the poses of all links."""
        if link is not None:
            return self._evaluate("link_pose", None, (q,), options=(self._link(link),))
        poses = self._evaluate("forward_kinematics", None, (q,))
        return dict(zip(self.link_names, poses if poses.ndim == 3 else np.moveaxis(poses, -3, 0), strict=True))

    def jacobian(self, q: ArrayLike, link: str, reference: str = "world") -> Array:
        """The Jacobian J (..., 6, n) of a link: J qd is the twist [angular; linear] of its origin.

        reference="world" has it in world axes, "body" in the link's own.
        """
        return self._evaluate(
            "jacobian",
            None,
            (q,),
            options=(self._link(link), one_of("reference", reference, ("world", "body")) == "world"),
        )

    def operational_inertia(self, q: ArrayLike, link: str) -> Array:
        """The operational-space inertia (J M^-1 J^T)^-1 of a link, (..., 6, 6), at its origin in world axes.

        Raises a SingularError where the link cannot move in all directions.
        """
        from ..evaluate.operational_inertia import inertia_from_mobility

        given = self._array("q", q)  # in double precision: directions that the link cannot take are told from rounding
        mobility = self._evaluate("operational_mobility", None, (self._coordinates(q),), options=(self._link(link),))
        made: Array = inertia_from_mobility(mobility, f"link {link!r}")
        return made.astype(np.float32) if given.dtype == np.float32 else made
