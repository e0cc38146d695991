"""Robot's methods for closed chains: loops, residuals, closing configurations, constraint forces."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ..describe.loop_closing import close, without_dust
from ..describe.loops import held_to_world, with_loops
from ..describe.respec import loop_specs
from ..describe.specs import LoopSpec
from ..describe.structure import listed
from ..errors import InputError, ShapeError, SingularError, near, one_of, shown
from ..evaluate import manifold
from ..model import Model, Placement
from ..runtime.array_inputs import as_array
from ..runtime.complaints import coordinate_names, refuse_inputs
from ..scalars.primitives import Array

__all__ = ["Assembly", "ClosedChains"]

CLOSED = 1e-10  # m, rad: residuals up to which a configuration counts as closed


@dataclass(frozen=True)
class Assembly:
    """Result of ``assemble``: coordinates (..., nq), whether all loops close, and by how much (m, rad)."""

    q: Array
    success: Any
    residual: Any
    message: str

    def __repr__(self) -> str:
        return f"<Assembly: {self.message}>"


class ClosedChains:
    """Methods of Robot for closed chains; q, qd, tau and results are the spanning tree's."""

    model: Model
    _calls: dict[Any, Any]

    if TYPE_CHECKING:  # Robot has it; this class only lends it methods

        def _evaluate(
            self, quantity: str, method: str | None, arrays: tuple[Any, ...], *more: Any, **options: Any
        ) -> Array: ...

        def _of(self, model: Model) -> Self: ...

    @property
    def loops(self) -> tuple[str, ...]:
        """Names of the loops."""
        return tuple(loop.name for loop in self.model.loops)

    @property
    def actuated(self) -> tuple[str, ...]:
        """Names of the driven joints: those the description names, else all but floating ones."""
        model, driven = self.model, self.model.driven
        return tuple(model.bodies[i].name for i in model.free if driven[model.offsets[i][1]])

    def with_loops(self, loops: object, actuated: Sequence[str] | None = None, home: object = None) -> Self:
        """Another robot with these loops besides: a list of ``ordern.LoopSpec``.

        Args:
            loops: what closes chains.
            actuated: names of the joints with a drive; as before by default.
            home: coordinates near which the loops close, (nq,); zero by default.
        """
        return self._tied(listed("loops", loops, LoopSpec), actuated, home)

    def _tied(
        self, loops: Sequence[LoopSpec], actuated: Sequence[str] | None, home: object, idle: bool = False
    ) -> Self:
        """Another robot with these loops besides; drives that they hold are refused, or may be idle."""
        drives = self.model.actuated if actuated is None else actuated
        start = (self.model.home or None) if home is None else manifold.named(self.model, "home", home, "q")
        bare = self.model.changed(loops=(), home=(), passive=(), actuated=None)
        return self._of(with_loops(bare, [*loop_specs(self.model), *loops], drives, start, idle))

    def with_contacts(self, contacts: Mapping[str, str], q: ArrayLike | None = None) -> Self:
        """Another robot whose links the world holds where they are at q: loops to the world, for runs and whatever else
        takes no contacts=. Drives of joints that they hold cannot move anything, and are no longer ``actuated``.

        Args:
            contacts: names of links, and how they are held: "fixed", or at a "point", their own origin.
            q: where the robot stands, (nq,); the description's closed configuration, or neutral, by default.
        """
        if self._touching(contacts) is self:  # names and kinds are right, and there are some
            return self
        own = manifold.neutral(self.model)
        at = as_array("q", np.array(own) if q is None else self._named("q", q))
        if at.shape != (self.model.nq,):
            raise ShapeError(f"q must be ({self.model.nq},), where the robot stands, got shape {at.shape}")
        poses = {name: self.forward_kinematics(at, name) for name in contacts}  # type: ignore[attr-defined]
        frames = {name: Placement.from_matrix(pose) for name, pose in poses.items()}
        held = [
            LoopSpec(f"contact {name}", kind, "world", name, frame1=frames[name]) for name, kind in contacts.items()
        ]
        return self._tied(held, None, at, idle=True)

    def constraint_residual(self, q: ArrayLike) -> Array:
        """How far the loops are from closed (..., m), in m and rad: all equations of all loops, in their order.

        A direction counts as the sine of its angle, a distance d of length L as (d^2 - L^2) / (2 L): d - L near zero.
        """
        return self._evaluate("constraint_residual", None, (q,))

    def constraint_jacobian(self, q: ArrayLike) -> Array:
        """The Jacobian A (..., m, n) of the loop equations: the rate of ``constraint_residual`` is A qd."""
        return self._evaluate("constraint_jacobian", None, (q,))

    def constraint_bias(self, q: ArrayLike, qd: ArrayLike) -> Array:
        """The velocity term (dA/dt) qd of the loop equations, (..., m): loops stay closed if A qdd plus this is 0."""
        return self._evaluate("constraint_bias", None, (q, qd))

    def constraint_forces(
        self,
        q: ArrayLike,
        qd: ArrayLike,
        tau: ArrayLike,
        external: Mapping[str, ArrayLike] | None = None,
        contacts: object = None,
        reference: str = "world",
        method: str | None = None,
    ) -> Array:
        """Wrenches (..., loops, 6) that link 1 of each loop exerts on link 2, [moment; force] at the origin of frame 2.

        In world axes, or (reference="body") in those of frame 2. Contacts come after the loops, link 2 being the link
        in contact. A gear has its force in the first place.
        """
        world = one_of("reference", reference, ("world", "body")) == "world"
        return self._touching(contacts)._evaluate(
            "constraint_forces", method, (q, qd, tau), options=(world,), external=external
        )

    def impulse(self, q: ArrayLike, qd: ArrayLike, contacts: object = None) -> Array:
        """Velocities (..., n) right after all loops (and contacts) have closed at once, without rebound."""
        return self._touching(contacts)._evaluate("impulse", None, (q, qd))

    def mobility(self, q: ArrayLike) -> Any:
        """Degrees of freedom left by the loops at q: n - rank A; higher at singular configurations."""
        if not self.model.loops:
            batch = self._coordinates(q).shape[:-1]
            return np.full(batch, self.model.nv) if batch else self.model.nv
        A, least, _ = self._equations(q)
        size = np.linalg.svd(A, compute_uv=False)
        rank = np.sum(size > least * np.maximum(size[..., :1], 1e-300), axis=-1)
        made = self.model.nv - rank
        return int(made) if np.ndim(made) == 0 else made

    def assemble(self, q: ArrayLike | None = None, hold: Sequence[str] = ()) -> Assembly:
        """The nearest configurations at which all loops close: .q, .success, .residual.

        Args:
            q: where to begin, (..., nq); the description's own closed configuration by default.
            hold: names of joints that stay where they are.
        """
        model = self.model
        start = manifold.neutral(model) if q is None else self._coordinates(q)
        batch = start.shape[:-1]
        made = start.reshape(math.prod(batch), model.nq)
        residual = np.zeros(len(made))
        if model.loops and len(made):
            made, residual = close(model, made, self._marked(hold), of=_Compiled(self))
        success = residual <= CLOSED
        bad = int(np.sum(~success))
        worst = float(residual.max(initial=0.0))
        message = (
            "all loops are closed" if not bad else f"{bad} of {len(made)} stay open, the worst by {worst:.3g} (m, rad)"
        )
        if not batch:
            return Assembly(made[0], bool(success[0]), float(residual[0]), message)
        return Assembly(made.reshape(*batch, self.model.nq), success.reshape(batch), residual.reshape(batch), message)

    def closed_velocity(self, q: ArrayLike, qd: ArrayLike, hold: Sequence[str] = ()) -> Array:
        """The velocities nearest to qd with which loops stay closed; those of the joints in ``hold`` are kept, the
        others follow.

        With ``hold`` the independent joints, it gives all velocities from the independent ones.
        """
        v = self._finite("qd", qd, self.model.nv)
        (A, least, dtype), free = self._equations(q, qd), 1.0 - self._marked(hold)
        try:
            np.broadcast_shapes(A.shape[:-2], v.shape[:-1])
        except ValueError:
            raise ShapeError(f"the batch axes of q {A.shape[:-2]} and qd {v.shape[:-1]} do not fit together") from None
        rate = np.einsum("...ij,...j->...i", A, v)
        step = np.einsum("...ij,...j->...i", np.linalg.pinv(A * free, rcond=least), rate) * free
        made: Array = v - step
        left = np.abs(np.einsum("...ij,...j->...i", A, made)).max(axis=-1, initial=0.0)
        parts = np.einsum("...ij,...j->...i", np.abs(A), np.abs(v)).max(axis=-1, initial=0.0)
        if (left > 10 * least * parts).any():  # each state by itself, and slow ones as well as fast ones
            raise SingularError(
                f"no velocities keep the loops closed with {', '.join(map(repr, hold))} as given; hold fewer joints"
            )
        kept: Array = made.astype(dtype)
        return kept

    def _coordinates(self, q: object) -> Array:
        return self._finite("q", q, self.model.nq)

    def _finite(self, name: str, value: object, count: int) -> Array:
        """Coordinates or velocities of any batch, in double precision, all of them finite."""
        made = self._array(name, value).astype(float)
        if made.shape[-1:] != (count,):
            raise ShapeError(f"{name} must have {count} numbers in its last axis, got shape {made.shape}")
        refuse_inputs(self.model, (name,), (made,), made.shape[:-1])
        return made

    def _array(self, name: str, value: object) -> Array:
        """An argument as an array, its columns in the robot's order where they have names."""
        return as_array(name, self._named(name, value))

    def _named(self, name: str, value: object) -> Any:
        """An argument whose columns, where they have names, are put into the robot's order."""
        return manifold.named(self.model, name, value)

    def _equations(self, q: ArrayLike, *rates: ArrayLike) -> tuple[Array, float, Any]:
        """A(q) in double precision, the share of its largest singular value below which one is taken for rounding, and
        the precision of the result. Rounding q to single precision opens loops by 1e-7: equations that say nothing new
        where the loops are closed then seem to say something.
        """
        given = self._array("q", q)
        single = all(a.dtype == np.float32 for a in (given, *(self._array("qd", rate) for rate in rates)))
        A = without_dust(self.constraint_jacobian(given.astype(float)))
        return A, 1e-5 if single else 1e-9, np.float32 if single else np.float64

    @property
    def independent(self) -> tuple[str, ...]:
        """Joints that determine all others: driven ones first, then in order. Whole joints: one with several degrees of
        freedom of which loops leave only some is not among them.
        """
        model = self.model
        if not model.loops:
            return tuple(model.bodies[i].name for i in model.free)
        A = self.constraint_jacobian(np.array(model.home))
        N = np.linalg.svd(A)[2][np.linalg.matrix_rank(A, tol=1e-9) :]
        driven = set(self.actuated) if model.actuated is not None else set()
        chosen: list[str] = []
        rows = np.zeros((0, N.shape[0]))
        for i in sorted(model.free, key=lambda i: model.bodies[i].name not in driven):
            at, k = model.offsets[i][1], model.bodies[i].joint.nv
            more = np.vstack([rows, N[:, at : at + k].T])
            if np.linalg.matrix_rank(more, tol=1e-7) == len(more):
                rows = more
                chosen.append(model.bodies[i].name)
        return tuple(chosen)

    def closed_jacobian(
        self, q: ArrayLike, link: str, reference: str = "world", independent: Sequence[str] | None = None
    ) -> Array:
        """The Jacobian of a link with loops closed, (..., 6, k), for the k velocities of the independent joints (in the
        order given); a SingularError where these do not decide the motion, or cannot all be chosen.
        """
        names = self.independent if independent is None else joint_list(independent)
        if len(set(names)) < len(names):
            raise InputError(f"independent names a joint twice: {', '.join(map(repr, names))}; keep one")
        chosen = self._columns(names)
        others = np.setdiff1d(np.arange(self.model.nv), chosen)
        A, least, dtype = self._equations(q)
        follow = np.zeros((*A.shape[:-2], self.model.nv, len(chosen)))
        follow[..., chosen, :] = np.eye(len(chosen))
        follow[..., others, :] = -np.linalg.pinv(A[..., others], rcond=least) @ A[..., chosen]
        size = np.linalg.norm(A, axis=(-2, -1))
        open_by = np.abs(A @ follow).max(axis=(-2, -1), initial=0.0)
        rank = np.sum(np.linalg.svd(A[..., others], compute_uv=False) > least * size[..., None], axis=-1)
        if (open_by > 10 * least * size).any() or (rank < len(others)).any():
            why = "leave other joints free to move" if (rank < len(others)).any() else "cannot all be chosen"
            raise SingularError(
                f"the velocities of {', '.join(map(repr, names)) or 'no joint'} {why} here; name as many joints as the "
                "loops leave degrees of freedom (see mobility), such that they decide the motion"
            )
        J: Array = self.jacobian(q, link, reference)  # type: ignore[attr-defined]
        made: Array = (J @ follow).astype(dtype)
        return made

    def _without_loops(self) -> Self:
        """The spanning tree: the robot with its loops open."""
        if not self.model.loops:
            return self
        bare = self._calls.get("without loops")
        if bare is None:
            bare = self._calls["without loops"] = self._of(self.model.changed(loops=(), home=(), passive=()))
        made: Self = bare
        return made

    def _tree_regressor(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Array:
        """The regressor of the robot with its loops open."""
        made: Array = self._without_loops()._evaluate("regressor", None, (q, qd, qdd))
        return made

    def _drives_regressor(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> Array:
        """The tree's regressor mapped to the drives: N^T tau = N^T Y pi, A N = 0, with the least tau."""
        self._drives_suffice(q, qd, qdd, None)
        Y, (A, least, dtype) = self._tree_regressor(q, qd, qdd), self._equations(q, qd, qdd)
        _, size, V = np.linalg.svd(A)
        stays = np.zeros(V.shape[:-1])
        stays[..., : size.shape[-1]] = size > least * np.maximum(size[..., :1], 1e-300)
        free = V * (1.0 - stays)[..., None]  # rows of N^T; the others are zero
        driven = np.array(self.model.driven, float)
        made: Array = driven[:, None] * (np.linalg.pinv(free * driven, rcond=least) @ (free @ Y))
        return made.astype(dtype)

    def _marked(self, names: Sequence[str]) -> Array:
        """1 for the velocities of these joints, 0 for others."""
        held = np.zeros(self.model.nv)
        held[self._columns(names)] = 1.0
        return held

    def _columns(self, names: Sequence[str]) -> list[int]:
        """Which velocities these joints have, in their order."""
        model = self.model
        known = {model.bodies[i].name: i for i in model.free}
        made: list[int] = []
        for name in joint_list(names):
            if name not in known:
                raise InputError(
                    f"robot {model.name!r} has no joint {name!r} of its own{near(name, known, listed=True)}"
                )
            at = model.offsets[known[name]][1]
            made.extend(range(at, at + model.bodies[known[name]].joint.nv))
        return made

    def _touching(self, contacts: object) -> Self:
        """This robot with links held to the world where they are."""
        if contacts is None or (isinstance(contacts, Mapping) and not contacts):
            return self
        if not isinstance(contacts, Mapping):
            raise InputError(f"contacts must map link names to 'point' or 'fixed', got {type(contacts).__name__}")
        for name, kind in contacts.items():
            self._link(name)  # type: ignore[attr-defined]
            one_of(f"contacts[{name!r}]", kind, ("point", "fixed"))
        key = ("contacts", *contacts.items())
        found: Self | None = self._calls.get(key)
        if found is None:
            found = self._calls[key] = self._of(held_to_world(self.model, contacts))
        return found

    def _drives_suffice(self, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, external: object) -> None:
        """An InputError naming motions that the drives cannot cause."""
        model = self.model
        without, kept = sum(not has for has in model.driven), sum(len(loop.kept) for loop in model.loops)
        if len(model.passive) == without == kept and not any(loop.here for loop in model.loops):
            return  # no choice: the loops serve them all, or the answer is not finite
        left = np.abs(self._evaluate("unreachable_forces", None, (q, qd, qdd), external=external)).reshape(-1, model.nv)
        tau = np.abs(self._evaluate("inverse_dynamics", None, (q, qd, qdd), external=external)).reshape(-1, model.nv)
        beyond = left.max(axis=1, initial=0.0) / (tau.max(axis=1, initial=0.0) + 1e-3)  # of each state by itself
        if (beyond > (1e-8 if tau.dtype == np.float64 else 1e-2)).any():  # roundings of a motion that is feasible
            row = int(np.argmax(beyond))
            size, name = left[row].max(), coordinate_names(model, "v")[int(np.argmax(left[row]))]
            raise InputError(
                f"inverse_dynamics: the drives ({', '.join(self.actuated)}) cannot bring this motion about: joint "
                f"{name!r} would need {size:.6g} N m (or N); name it in actuated=, or give a motion that leaves it free"
            )


def joint_list(names: object) -> tuple[str, ...]:
    """Names of joints, in a list."""
    if isinstance(names, str) or not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise InputError(f"give a list of joint names, not {shown(names)}")
    return tuple(names)


class _Compiled:
    """The equations of the loops by machine code, for ``close``."""

    def __init__(self, robot: Any) -> None:
        self.robot = robot

    def __call__(self, q: Array) -> tuple[Array, Array]:
        return self.robot.constraint_residual(q), self.robot.constraint_jacobian(q)

    def step(self, q: Array, v: Array) -> Array:
        """Each joint moved by a velocity for unit time."""
        moved: Array = self.robot.integrate(q, v)
        return moved
