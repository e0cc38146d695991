"""Robot, the facade: each method looks up (quantity, method) and calls an evaluator."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from ..algorithms.registry import Algorithm, choose
from ..describe.dh import dh_table as _dh
from ..describe.load import load as _load
from ..errors import InputError, MethodError, shown
from ..evaluate import manifold
from ..evaluate.results import NAMED, UDU, Limits
from ..evaluate.values import link_number
from ..model import Model, State
from ..runtime.array_inputs import as_array
from ..runtime.call import Call, static_options
from ..scalars.primitives import Array
from .closed_chains import ClosedChains
from .other_names import Facade
from .quick_calls import quick
from .robot_applications import Applications, found
from .robot_changes import Changes
from .robot_derivatives import Derivatives
from .robot_exports import Exports
from .robot_kinematics import Kinematics

__all__ = ["Robot", "load"]


def load(
    source: str | os.PathLike[str],
    *,
    gravity: Sequence[float] | None = None,
    base: str = "fixed",
    locked: Mapping[str, float] | None = None,
    on_invalid: str = "error",
    mimic: bool = True,
    actuated: Sequence[str] | None = None,
    packages: Mapping[str, str | os.PathLike[str]] | None = None,
    xacro_args: Mapping[str, Any] | None = None,
) -> Robot:
    """Load a robot from a file (URDF, xacro, MJCF, SDF, TOML, a table of ReDySim) or by its built-in name.

    Args:
        source: A path, or a name of ``ordern.robots.names()`` such as "panda", "planar3", "chain100", or of a
            collection on this machine: "menagerie:franka_fr3", "panda_description" (package robot_descriptions).
        gravity: Acceleration of gravity in the world (m/s^2); (0, 0, -9.81) unless the description says otherwise.
        base: "fixed", or "floating" for a free root link: q starts with [x y z, qx qy qz qw], qd with [omega; v] in its
            own frame.
        locked: Joints to weld, by name, at these values.
        on_invalid: What to do about data that no real robot has: "error", "warn" (and keep it), or "repair".
        mimic: Whether mimic joints follow their leaders; with False each moves by itself.
        actuated: Names of the joints with a drive; the description's own by default, else all.
        packages: Folders of ROS packages by name, for ``package://`` and xacro's ``$(find ...)``.
        xacro_args: Arguments of a .xacro file, such as {"prefix": "left_"}.
    """
    options: dict[str, Any] = {"mimic": mimic, "actuated": actuated, "packages": packages, "xacro_args": xacro_args}
    return Robot(_load(source, gravity=gravity, base=base, locked=locked, on_invalid=on_invalid, **options))


class Robot(Kinematics, Changes, ClosedChains, Derivatives, Exports, Applications, metaclass=Facade):
    """A robot that never changes; ``with_...`` methods return another one.

    Conventions: SI units; arrays are (..., n) with batches in front, broadcast against each other; spatial vectors are
    angular first; quaternions are (x, y, z, w).
    """

    model: Model
    _calls: dict[Any, Call]
    _ways: dict[str, Callable[..., Array]]  # by quantity: for arrays and no options

    def __init__(self, model: Model) -> None:
        if not isinstance(model, Model):
            raise InputError(f"Robot takes a Model, got {shown(model)}; ordern.load() takes a file or a built-in name")
        for name, value in (("model", model), ("_calls", {}), ("_ways", quick(self))):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Robot never changes; use with_...() to get another one instead of setting {name!r}")

    def __dir__(self) -> list[str]:
        return type(self).listed(super().__dir__())

    def __repr__(self) -> str:
        return f"<Robot {self.name!r}: {self.model.freedom}, {len(self.link_names)} links>"

    def _repr_html_(self) -> str:
        html: str = found("view.page", "notebook_html")(self.model)
        return html

    def __reduce__(self) -> Any:
        return (type(self), (self.model,))

    # --- what it is ---------------------------------------------------------------------------------------------------
    @classmethod
    def from_dh(
        cls,
        table: Any,
        convention: str = "saha",
        *,
        gravity: Sequence[float] = (0.0, 0.0, -9.81),
        tool: Any = None,
        name: str = "robot",
        on_invalid: str = "error",
    ) -> Robot:
        """A robot from a Denavit-Hartenberg (DH) table.

        Args:
            table: one dict or ``ordern.DH`` a row: a, alpha, d, theta, mass, com, inertia, ... (m, rad, kg, kg m^2).
            convention: "distal" (standard DH), "proximal" (modified DH, Craig) or "saha".
            gravity: in the base frame, m/s^2.
            tool: the tool's frame in the last link's: a 4x4 matrix or x y z.
            name: of the robot.
            on_invalid: what to do about data that no real robot has: "error", "warn" or "repair".
        """
        return cls(
            _dh.from_dh(table, convention=convention, gravity=gravity, tool=tool, name=name, on_invalid=on_invalid)
        )

    @property
    def name(self) -> str:
        """The robot's name."""
        return self.model.name

    @property
    def n(self) -> int:
        """Degrees of freedom: the length of qd, qdd and tau."""
        return self.model.nv

    @property
    def nq(self) -> int:
        """The length of q (longer than n where joints have quaternions)."""
        return self.model.nq

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints that have coordinates, in their order."""
        return tuple(self.model.bodies[i].name for i in self.model.free)

    @property
    def link_names(self) -> tuple[str, ...]:
        """Names of all links, those behind fixed joints included."""
        return tuple(link.name for link in self.model.links)

    @property
    def gravity(self) -> Array:
        """Acceleration of gravity in the world, (3,)."""
        return np.array(self.model.gravity)

    @property
    def limits(self) -> Limits:
        """Lower, upper, velocity and effort limits, (n,) each."""
        get, inf = self.model.per_velocity, np.inf
        return Limits(get("lower", -inf), get("upper", inf), get("velocity", inf), get("effort", inf))

    @property
    def states(self) -> dict[str, State]:
        """Named states of the description (keyframes of an MJCF): each has .q and .qd."""
        return {s.name: s for s in self.model.states}

    def with_gravity(self, gravity: Sequence[float]) -> Robot:
        """The same robot under another gravity (m/s^2, in the world)."""
        g = as_array("gravity", gravity)
        if g.shape != (3,) or not np.isfinite(g).all():
            raise InputError(f"gravity must be three finite numbers, got {gravity!r}")
        return Robot(self.model.changed(gravity=(float(g[0]), float(g[1]), float(g[2]))))

    def lint(self) -> Any:
        """Suspicious data: a list of remarks with level, place, message and remedy."""
        from ..describe.lint import lint

        return lint(self.model)

    # --- the joint manifold -------------------------------------------------------------------------------------------
    def neutral(self) -> Array:
        """The zero configuration (nq,); the description's state "neutral"; of closed chains where the loops close."""
        return manifold.neutral(self.model)

    def random(self, rng: object = None, batch: int | Sequence[int] = ()) -> Array:
        """Random configurations within the limits; rng is a generator or a seed."""
        return manifold.random(self.model, rng, batch)

    def integrate(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Move q by the joint velocity v for unit time, on the manifold."""
        return manifold.integrate(self.model, self._named("q", q), self._named("v", v))

    def difference(self, q0: ArrayLike, q1: ArrayLike) -> Array:
        """The v with integrate(q0, v) = q1."""
        return manifold.difference(self.model, self._named("q0", q0), self._named("q1", q1))

    # --- dynamics -----------------------------------------------------------------------------------------------------
    def inverse_dynamics(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike,
        external: Mapping[str, ArrayLike] | None = None,
                         method: str | None = None, out: Array | None = None,
                         contacts: object = None) -> Array:  # fmt: skip
        """Joint torques and forces tau (..., n) that a motion needs: tau = M qdd + C qd + g - external.

        Args:
            q: coordinates, (..., nq); rad and m.
            qd: velocities, (..., n).
            qdd: accelerations, (..., n).
            external: link names with the wrench [moment; force] (..., 6) that acts on each, at the link's origin in its
                axes.
            method: which algorithm; the fastest by default.
            out: an array for the result.
            contacts: link names with "point" or "fixed": links that the ground holds.

        With closed loops, tau is that of the driven joints, the least in norm.
        """
        if external is None and method is None and out is None and contacts is None:
            return self._ways["inverse_dynamics"](q, qd, qdd)
        robot = self._touching(contacts)
        if robot.model.loops:
            robot._drives_suffice(q, qd, qdd, external)
        return robot._evaluate("inverse_dynamics", method, (q, qd, qdd), external=external, out=out)

    def forward_dynamics(self, q: ArrayLike, qd: ArrayLike, tau: ArrayLike,
        external: Mapping[str, ArrayLike] | None = None,
                         method: str | None = None, out: Array | None = None,
                         contacts: object = None) -> Array:  # fmt: skip
        """Accelerations qdd (..., n) that joint torques and forces tau (..., n) cause at q (..., nq), qd (..., n).

        external, method, out and contacts are those of ``inverse_dynamics``.
        """
        if external is None and method is None and out is None and contacts is None:
            return self._ways["forward_dynamics"](q, qd, tau)
        return self._touching(contacts)._evaluate("forward_dynamics", method, (q, qd, tau), external=external, out=out)

    def mass_matrix(self, q: ArrayLike, method: str | None = None, out: Array | None = None) -> Array:
        """The mass matrix M(q), (..., n, n)."""
        if method is None and out is None:
            return self._ways["mass_matrix"](q)
        return self._evaluate("mass_matrix", method, (q,), out=out)

    def mass_matrix_inverse(
        self, q: ArrayLike, method: str | None = None, out: Array | None = None, contacts: object = None
    ) -> Array:
        """The inverse of the mass matrix, (..., n, n); with loops or contacts, d qdd / d tau under these."""
        if method is None and out is None and contacts is None:
            return self._ways["mass_matrix_inverse"](q)
        return self._touching(contacts)._evaluate("mass_matrix_inverse", method, (q,), out=out)

    def mass_matrix_udu(self, q: ArrayLike) -> UDU:
        """Factors U and D of the mass matrix, M = U diag(D) U^T; the result solves, inverts and has log det."""
        return UDU(*self._ways["mass_matrix_udu"](q))

    def log_det(self, q: ArrayLike, out: Array | None = None) -> Array:
        """The logarithm of det M(q), (...), in O(n) from the pivots of its factor: no matrix is formed."""
        return self._ways["log_det"](q) if out is None else self._evaluate("log_det", None, (q,), out=out)

    def log_det_gradient(self, q: ArrayLike, out: Array | None = None) -> Array:
        """The gradient of log det M by joint velocity (..., n), in O(n); Fixman's force is -kT/2 times it."""
        if out is None:
            return self._ways["log_det_gradient"](q)
        return self._evaluate("log_det_gradient", None, (q,), out=out)

    def joint_wrenches(
        self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, external: Mapping[str, ArrayLike] | None = None
    ) -> Array:
        """The wrench [moment; force] (..., joints, 6) that each joint, also one that follows another, passes on to its
        link: at the link's origin, in the link's axes, in the order of the model's bodies.
        """
        return self._evaluate("joint_wrenches", "newton-euler", (q, qd, qdd), external=external)

    def coriolis_matrix(
        self, q: ArrayLike, qd: ArrayLike, method: str | None = None, out: Array | None = None
    ) -> Array:
        """The Coriolis matrix C(q, qd), (..., n, n): C qd are the velocity forces, dM/dt - 2C is skew."""
        if method is None and out is None:
            return self._ways["coriolis_matrix"](q, qd)
        return self._evaluate("coriolis_matrix", method, (q, qd), out=out)

    def bias_forces(
        self, q: ArrayLike, qd: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Array | None = None
    ) -> Array:
        """Coriolis, centrifugal and gravity forces C qd + g, (..., n): the torques for qdd = 0."""
        if external is None and out is None:
            return self._ways["bias_forces"](q, qd)
        return self._evaluate("bias_forces", None, (q, qd), external=external, out=out)

    def gravity_forces(
        self, q: ArrayLike, external: Mapping[str, ArrayLike] | None = None, out: Array | None = None
    ) -> Array:
        """Gravity torques g(q), (..., n): the joint torques that hold the robot still."""
        if external is None and out is None:
            return self._ways["gravity_forces"](q)
        return self._evaluate("gravity_forces", None, (q,), external=external, out=out)

    def spring_forces(self, q: ArrayLike, out: Array | None = None) -> Array:
        """Spring torques k (q - rest), (..., n), included in gravity_forces, bias_forces, inverse_dynamics."""
        if self.model.springs:
            return self._evaluate("spring_forces", None, (q,), out=out)
        none = self._evaluate("gravity_forces", None, (q,), out=out)
        none[...] = 0.0
        return none

    def regressor(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Array:
        """Y (..., n, 10 bodies): tau = Y parameters() without armature, springs; with loops, driven tau."""
        return self._drives_regressor(q, qd, qdd) if self.model.loops else self._tree_regressor(q, qd, qdd)

    def parameters(self) -> Array:
        """Ten a body, about and along its joint's link frame: m, m c (3), Ixx Ixy Iyy Ixz Iyz Izz."""
        from ..evaluate.regression import parameters

        made: Array = parameters(self.model)
        return made

    def denoc(self, q: ArrayLike) -> Any:
        """The DeNOC objects of Saha's papers: .Nl .Nd .B .p .composite .articulated .psi .Psi .phi .U .D, in world axes
        about C_i.

        q is one state or a batch (the arrays then have its axes first), or symbols of SymPy: the arrays then hold
        formulas. ``.formulas()`` has them in q_1, q_2, ...
        """
        from ..evaluate.denoc_objects import denoc

        return denoc(self.model, q)

    # --- how it is done -----------------------------------------------------------------------------------------------
    def _evaluate(
        self,
        quantity: str,
        method: str | None,
        arrays: tuple[Any, ...],
        options: tuple[Any, ...] = (),
        external: Any = None,
        out: Array | None = None,
    ) -> Array:  # or a tuple of them, where a quantity has several
        links, wrenches = self._external(external)
        key = (quantity, method, options, links)
        try:
            call = self._calls.get(key)
        except TypeError:  # a method that is no name at all, such as a list
            call = None
        if call is None:
            algorithm = choose(quantity, method, self.model)
            if links and not algorithm.external:
                raise MethodError(f"method {algorithm.method!r} of {quantity} takes no external wrenches")
            call = self._calls[key] = Call(self.model, algorithm, options, links, NAMED.get(quantity))
        made: Array = call(arrays + wrenches, out)
        return made

    def _external(self, external: object) -> tuple[tuple[int, ...], tuple[Any, ...]]:
        if external is None:
            return (), ()
        if not isinstance(external, Mapping):
            raise InputError(f"external must map link names to wrenches, got {type(external).__name__}")
        return tuple(self._link(name) for name in external), tuple(external.values())

    def _link(self, name: object) -> int:
        return link_number(self.model, name)

    def _options(self, algorithm: Algorithm, link: str | None) -> tuple[Any, ...]:
        """Values for an algorithm's static arguments: the given link (or the last one), world axes."""
        return static_options(algorithm, self.model, None if link is None else self._link(link))
