"""First derivatives of the dynamics of closed chains with respect to q, qd and tau or qdd: the texts on scalars that
carry derivatives.

Both functions are defined off the closed configurations too (A and its rate are), so that these are derivatives in
every direction, along the constraint among them; with respect to tau they are the inverse of the mass matrix under the
constraints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..tree import JointVectors, Tree
from .closed import has_loops
from .closed_articulated import closed_articulated
from .closed_dense import closed_forward
from .closed_drives import closed_inverse_dynamics
from .derivatives import Carried, _Moving
from .elastic import pulled
from .registry import algorithm


def _carried(tree: Tree, text: Callable[..., Any], **given: JointVectors) -> Any:
    moving: dict[str, Any] = {name: _Moving(tree, values, name) for name, values in given.items()}
    if "tau" in moving:  # springs pull by coordinates that carry derivatives too
        moving["tau"] = pulled(tree, moving["q"], moving["tau"])
    made = text(tree, *moving.values())
    return tuple(Carried(made, name) for name in given)


@algorithm(
    "forward_dynamics_derivatives", "carried", inputs="q qd tau", output="carried carried carried", joint_space=True,
    external=True, closed=True,
    takes="branches singular loops", serves=has_loops, rank=1,
)  # fmt: skip
def closed_forward_derivatives(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """Derivatives of qdd with respect to q, qd and tau."""
    return _carried(tree, closed_articulated, q=q, qd=qd, tau=tau)


@algorithm(
    "forward_dynamics_derivatives", "kkt", inputs="q qd tau", output="carried carried carried", joint_space=True,
    external=True, closed=True,
    takes="branches mimic singular loops", serves=has_loops, rank=90,
)  # fmt: skip
def dense_forward_derivatives(tree: Tree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
    """The same with the dense matrices."""
    return _carried(tree, closed_forward, q=q, qd=qd, tau=tau)


@algorithm(
    "inverse_dynamics_derivatives", "kkt", inputs="q qd qdd", output="carried carried carried", joint_space=True,
    external=True, closed=True,
    takes="branches mimic singular loops", serves=has_loops, rank=1,
)  # fmt: skip
def closed_inverse_derivatives(tree: Tree, q: JointVectors, qd: JointVectors, qdd: JointVectors) -> Any:
    """Derivatives of the drives' forces with respect to q, qd and qdd."""
    return _carried(tree, closed_inverse_dynamics, q=q, qd=qd, qdd=qdd)
