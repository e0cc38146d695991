"""The methods of Robot that differentiate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ..errors import InputError, one_of
from ..evaluate.manifold import named
from ..evaluate.results import (
    ForwardDerivatives,
    ForwardSecondDerivatives,
    InverseDerivatives,
    InverseSecondDerivatives,
)
from ..runtime.array_inputs import as_array

if TYPE_CHECKING:
    from ..evaluate.robot_like import RobotLike as Lending  # Robot is one; this class only lends it methods
    from ..simulate.linearize import LinearStep
else:
    Lending = object
from ..scalars.primitives import Array

__all__ = ["Derivatives"]

_FIRST = 1  # the very object that orders not given are, so that they need no check


class Derivatives(Lending):
    """Derivatives with respect to q are along joint velocities, (..., n): q moves by ``robot.integrate``."""

    _evaluate: Any
    _touching: Callable[[object], Self]
    _ways: Any

    def inverse_dynamics_derivatives(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, external: Any = None, order: int = _FIRST,
        contacts: object = None,
    ) -> InverseDerivatives | InverseSecondDerivatives:  # fmt: skip
        """Jacobians of inverse dynamics with respect to q, qd, qdd; external wrenches stay fixed in the links' frames.

        With order=2 also their derivatives: dq_dq, dqd_dqd, dq_dqd, dq_dqdd (..., n, n, n). ``contacts`` maps links
        that the world holds, wherever they are, to "point" or "fixed".
        """
        if contacts is not None:
            return self._touching(contacts).inverse_dynamics_derivatives(q, qd, qdd, external, order)
        if external is None and order is _FIRST:
            made: InverseDerivatives = self._ways["inverse_dynamics_derivatives"](q, qd, qdd)
            return made
        first: InverseDerivatives = self._evaluate(
            "inverse_dynamics_derivatives", None, (q, qd, qdd), external=external
        )
        if _order(order) == 1:
            return first
        from ..evaluate.second_derivatives import inverse_second

        return inverse_second(
            self, self._same_batch(first.dq.shape[:-2], external, q=q, qd=qd, qdd=qdd), first, tuple(external or ())
        )

    def forward_dynamics_derivatives(
        self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, external: Any = None, order: int = _FIRST,
        contacts: object = None,
    ) -> ForwardDerivatives | ForwardSecondDerivatives:  # fmt: skip
        """Jacobians of forward dynamics with respect to q, qd, tau.

        With order=2 also dq_dq, dqd_dqd, dq_dqd, dq_dtau (..., n, n, n). ``contacts`` as for inverse dynamics.
        """
        if contacts is not None:
            return self._touching(contacts).forward_dynamics_derivatives(q, qd, tau, external, order)
        if external is None and order is _FIRST:
            made: ForwardDerivatives = self._ways["forward_dynamics_derivatives"](q, qd, tau)
            return made
        first: ForwardDerivatives = self._evaluate(
            "forward_dynamics_derivatives", None, (q, qd, tau), external=external
        )
        if _order(order) == 1:
            return first
        from ..evaluate.second_derivatives import forward_second

        arrays = self._same_batch(first.dq.shape[:-2], external, q=q, qd=qd, tau=tau)
        qdd = np.asarray(self._evaluate("forward_dynamics", None, (q, qd, tau), external=external))
        return forward_second(self, arrays, first, np.broadcast_to(qdd, arrays[1].shape), tuple(external or ()))

    def _same_batch(
        self, batch: tuple[int, ...], external: Mapping[str, ArrayLike] | None, **arrays: object
    ) -> list[Array]:
        given = [as_array(name, named(self.model, name, a)) for name, a in arrays.items()]
        given += [as_array("external", a) for a in (external or {}).values()]
        return [np.broadcast_to(a.astype(float), (*batch, a.shape[-1])) for a in given]

    def jvp(
        self,
        quantity: str,
        arrays: Sequence[Any],
        directions: Sequence[Any],
        method: str | None = None,
        link: str | None = None,
    ) -> Any:
        """The directional derivative J v of a quantity, with a direction for each input (None for none).

        The matrix J is not formed; it costs some three times as much as the quantity.
        """
        from ..evaluate.directional import jvp

        return jvp(self, quantity, arrays, directions, method, link)

    def vjp(
        self,
        quantity: str,
        arrays: Sequence[Any],
        weights: Sequence[Any],
        method: str | None = None,
        link: str | None = None,
    ) -> Any:
        """The gradient w^T J of a weighted sum of a quantity's results, for each input, with weights for each result.

        The matrix J is not formed; it costs some four times as much as the quantity. Above 40 bodies it takes one
        directional derivative for each number of the inputs.
        """
        from ..evaluate.directional import vjp

        return vjp(self, quantity, arrays, weights, method, link)

    def jacobian_derivatives(self, q: ArrayLike, link: str, reference: str = "world") -> Array:
        """Derivatives of a link's Jacobian (..., 6, n, n): [:, j, k] is column j's rate along joint velocity k."""
        from ..evaluate.directional import jacobian_derivatives

        return jacobian_derivatives(self, q, link, one_of("reference", reference, ("world", "body")))

    def parameter_derivatives(self, quantity: str, q: ArrayLike, qd: ArrayLike, last: ArrayLike) -> Array:
        """Derivatives by the inertial ``parameters()``, (..., n, 10 bodies): of inverse dynamics (last: qdd) Y, of
        forward dynamics (last: tau) -M^-1 Y.

        With loops, tau is that of the driven joints and qdd keeps the loops closed.
        """
        if one_of("quantity", quantity, ("inverse_dynamics", "forward_dynamics")) == "inverse_dynamics":
            return self.regressor(q, qd, last)
        qdd = self._evaluate("forward_dynamics", None, (q, qd, last))
        inverse: Array = self._evaluate("mass_matrix_inverse", None, (q,))
        made: Array = -inverse @ self._tree_regressor(q, qd, qdd)
        return made

    def linearize(
        self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, dt: float, method: str = "rk4", friction: bool = True
    ) -> LinearStep:
        """The linear model in discrete time, A (..., 2n, 2n) and B (..., 2n, n): the exact derivative of one step of
        ``simulate`` with that method and step.

        dx' = A dx + B dtau with dx = [dq; dqd]; method is "rk4", "euler" (semi-implicit), "dopri5", "dop853",
        "cash-karp" or "verner". tau is constant during the step; damping and friction of the joints act unless
        ``friction=False``, end stops do not.
        """
        from ..simulate.linearize import linearize

        return linearize(self, q, qd, tau, dt, method, friction)


def _order(order: object) -> int:
    if isinstance(order, bool) or not isinstance(order, (int, np.integer)) or order not in (1, 2):
        raise InputError(f"order is {order!r}; derivatives are there to order 1 and 2")
    return int(order)
