"""Loops of a description: names and frames checked, a configuration found at which they close, redundant equations
recognised.

Which equations follow from others is decided at a closed configuration in general position, by elimination of the rows
of A with the largest remainder first, loop by loop, so that a loop's own equations are kept where there is a choice.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ..errors import InputError, ModelError, near, shown
from ..model import Loop, Model, Placement
from ..model.closures import count, path
from ..model.thresholds import MOST_SEARCHED
from ..scalars.primitives import Array
from .frames import canonical
from .loop_closing import NEAR, Closing, close, gaps, turned_over, without_dust
from .loop_rank import changing_loop, choose_rows, sparse_rows
from .specs import JointSpec, LoopSpec, is_list, joint_types, number, numbers, triple
from .structure import passable, right_kinds

__all__ = ["held_to_world", "independent", "with_loops"]

LARGE = 400  # equations up to which configurations are searched for; larger mechanisms must be given closed
GEAR = "gear"
CLEAR = 1e-4  # where a change point is met to NEAR, singular values that vanish there are the root of that, some 3e-5


def with_loops(
    model: Model,
    specs: Sequence[LoopSpec],
    actuated: Sequence[str] | None,
    home: object = None,
    idle: bool = False,
    across: Container[str] = (),
) -> Model:
    """The model with its loops, a configuration that closes them (near ``home``), and its drives; those of joints that
    the loops hold are refused, or left out where they may be ``idle``. Loops ``across`` joints that are locked now go
    where these have made their links one, if they are closed.
    """
    names = _actuated(model, actuated)
    seen: dict[str, str] = {}
    loops, left = [], []
    for spec in specs:
        spec = spec if spec.where else replace(spec, where=f"loop {shown(spec.name)}")
        if not isinstance(spec.name, str) or not spec.name.strip():
            raise ModelError(f"{spec.where}: this loop has no name; every loop needs one of its own")
        if spec.name in seen:
            raise ModelError(
                f"{spec.where}: a second loop is called {spec.name!r}, the first is at {seen[spec.name]}; rename one "
                "of them"
            )
        seen[spec.name] = spec.where
        right_kinds(spec)
        loop = _gear(model, spec) if spec.type == GEAR else _loop(model, spec, spec.name in across)
        if loop is not None:
            loops.append(loop)
            left.append(spec)
    if not loops:
        return model if names is None else model.changed(actuated=names)
    full = model.changed(
        loops=tuple(replace(loop, kept=tuple(range(count(loop.kind)))) for loop in loops), actuated=names
    )
    passable(full, left)
    start = _start(full, home)
    at = _closed(full, start, [spec.where for spec in left])
    general = _general(full, at[None])
    rows = sparse_rows(full, general)
    made = with_spare(independent(full, at, rows), at[None], general)
    worst = changing_loop(made, at, rows) if len(rows) > LARGE else None
    if worst is not None:
        raise ModelError(
            f"{left[worst].where}: this loop is at a change point where the description closes it, so that some of its "
            f"equations say nothing there; a mechanism with {len(rows)} equations must be closed elsewhere at zero "
            "coordinates, or at home"
        )
    made = _drives(made, general, idle)
    return made.changed(home=tuple(at.tolist()), passive=passive(made, at, rows))


def _start(model: Model, home: object) -> Array:
    """Coordinates to begin with: neutral, as given, or as given for some joints by name."""
    made = _neutral(model)
    if isinstance(home, Mapping):
        for i in model.free:
            name, count = model.bodies[i].name, model.bodies[i].joint.nq
            if (given := home.get(name)) is not None:
                many = given if is_list(given) else [given]
                made[model.offsets[i][0] :][:count] = numbers(model.name, f"home of joint {name!r}", many, count)
        return made
    return made if home is None else np.array(numbers(model.source or model.name, "home", home, model.nq))


def passive(model: Model, q: Array, rows: list[dict[int, float]] | None = None) -> tuple[int, ...]:
    """Undriven velocities whose columns of A are independent: loops determine them whatever else moves."""
    without = [c for c, has in enumerate(model.driven) if not has]
    columns_of: dict[int, dict[int, float]] = {c: {} for c in without}
    at = 0
    rows = rows or sparse_rows(model, _general(model, q[None]))
    for loop in model.loops:
        for k in loop.kept:
            for c, x in rows[at + k].items():
                if c in columns_of:
                    columns_of[c][at + k] = x
        at += count(loop.kind)
    pivots: dict[int, dict[int, float]] = {}
    return tuple(c for c in without if choose_rows({0: columns_of[c]}, pivots))


def held_to_world(model: Model, contacts: Mapping[str, str]) -> Model:
    """The model with links held to the world where they are, as "fixed" or at a "point": loops without home."""
    more = [
        Loop(f"contact {name}", kind, -1, model.link_index[name], kept=tuple(range(count(kind))), here=True)
        for name, kind in contacts.items()
    ]
    for loop in more:
        if not model.links[loop.link2].body:
            raise InputError(
                f"contacts names the link {model.links[loop.link2].name!r}, which is fixed to the world already; leave "
                "it out"
            )
    full = model.changed(loops=(*model.loops, *more))
    rng = np.random.default_rng(2)
    start = np.array(model.home) if model.loops else _around(model, _neutral(model), rng, 0.5, 1)[0]
    rows = sparse_rows(full, _general(full, start[None]))
    said = sparse_rows(full, _around(full, start, rng, 0.5, 1)) if len(rows) > LARGE else rows
    made, at = [], 0
    for loop in full.loops:  # which contacts imply others depends on the stance: all that say anything are kept
        size = count(loop.kind)
        made.append(replace(loop, kept=tuple(k for k in range(size) if said[at + k])) if loop.here else loop)
        at += size
    full = full.changed(loops=tuple(made))
    return full.changed(passive=passive(full, start, rows))


def _actuated(model: Model, names: Sequence[str] | None) -> tuple[str, ...] | None:
    if names is None:
        return None
    if isinstance(names, str) or not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        raise ModelError(f"actuated is {shown(names)}; give a list of joint names")
    free = {model.bodies[i].name for i in model.free}
    for k, name in enumerate(names):
        if name not in free:
            raise ModelError(f"actuated names the joint {shown(name)}, which does not move by itself{near(name, free)}")
        if name in names[:k]:
            raise ModelError(f"actuated names the joint {name!r} twice; keep one")
    return tuple(names)


def _link(model: Model, spec: LoopSpec, name: object) -> int:
    found = model.link_index.get(name) if isinstance(name, str) else None
    if found is not None:
        return found
    if name == "world":
        return -1
    raise ModelError(
        f"{spec.where}: its link {shown(name)} does not exist; add it or correct the name{near(name, model.link_index)}"
    )


def _loop(model: Model, spec: LoopSpec, across: bool) -> Loop | None:
    """The loop; None where joints ``across`` it, locked now, hold it closed."""
    kind = {"continuous": "revolute"}.get(spec.type, spec.type)
    try:
        count(kind)
    except ModelError as error:
        raise ModelError(f"{spec.where}: {error}") from None
    one, two = (_link(model, spec, name) for name in (spec.link1, spec.link2))
    bodies = [0 if k < 0 else model.links[k].body for k in (one, two)]
    if bodies[0] == bodies[1] and not across:
        why = (
            f"both frames are on link {spec.link1!r}"
            if one == two
            else f"links {spec.link1!r} and {spec.link2!r} do not move relative to each other"
        )
        raise ModelError(f"{spec.where}: {why}; a loop closes a chain between two bodies that move")
    turn = Placement()
    cls = joint_types().get(kind)
    if cls is not None:
        turn = canonical(JointSpec(spec.name, kind, "", "", axis=spec.axis, axis2=spec.axis2, where=spec.where), cls)
    frames = [
        (
            Placement.from_rpy(triple(spec.where, f"xyz{k}", xyz), triple(spec.where, f"rpy{k}", rpy))
            if given is None
            else given
        )
        @ turn
        for k, xyz, rpy, given in ((1, spec.xyz1, spec.rpy1, spec.frame1), (2, spec.xyz2, spec.rpy2, spec.frame2))
    ]
    made = Loop(spec.name, kind, one, two, frames[0], frames[1], _constants(spec, kind))
    if bodies[0] != bodies[1]:
        return made
    _held_closed(model, spec, replace(made, kept=tuple(range(count(kind)))))
    return None


def _held_closed(model: Model, spec: LoopSpec, loop: Loop) -> None:
    """Refuse a loop between links that locked joints hold apart."""
    alone, at = model.changed(loops=(loop,)), _neutral(model)
    left = max(gaps(alone, Closing(alone).values(at)).max(), turned_over(alone, at[None], hinges=False)[0])
    if left > NEAR:
        raise ModelError(
            f"{spec.where}: locked joints hold this loop open by {left:.3g} (m, rad); lock them where it is closed "
            "(see assemble), or leave one of them out"
        )


def _constants(spec: LoopSpec, kind: str) -> tuple[float, ...]:
    """The constants of a closure: length or pitch."""
    if kind == "distance":
        length = number(spec.where, "length", spec.length)
        if length <= 0:
            raise ModelError(
                f"{spec.where}: length is {length!r} m; two points at no distance are a 'point', give a positive "
                "length otherwise"
            )
        return (length,)
    if kind == "helical":
        pitch = number(spec.where, "pitch", spec.pitch)
        if pitch == 0:
            raise ModelError(f"{spec.where}: a helical closure needs a pitch (m/rad); without one it is 'revolute'")
        return (pitch,)
    return ()


def _gear(model: Model, spec: LoopSpec) -> Loop:
    terms: dict[int, float] = {}
    if spec.joints:
        for name, ratio in spec.joints.items():
            terms[_geared(model, spec, name)] = number(spec.where, f"the ratio of {shown(name)}", ratio)
    elif spec.link1 or spec.link2:
        ends = [_link(model, spec, name) for name in (spec.link1, spec.link2)]
        way = path(model.parents, *(0 if k < 0 else model.links[k].body for k in ends))
        ratio = number(spec.where, "ratio", spec.ratio)
        for bodies, factor in ((way.first, ratio), (way.second, -1.0)):
            for i in bodies:
                terms[_geared(model, spec, model.bodies[i].name)] = factor
    if not any(terms.values()) or len(terms) < 1:
        raise ModelError(
            f"{spec.where}: a gear needs joints with ratios that are not zero, such as joints = {{ a = 1.0, b = -2.0 }}"
        )
    return Loop(spec.name, GEAR, terms=tuple(sorted(terms.items())), offset=number(spec.where, "offset", spec.offset))


def _geared(model: Model, spec: LoopSpec, name: str) -> int:
    body = model.joint_index.get(name)
    if body is None:
        raise ModelError(
            f"{spec.where}: the gear names the joint {shown(name)}, which does not exist{near(name, model.joint_index)}"
        )
    if model.bodies[body].joint.nq != 1 or model.bodies[body].mimic is not None:
        raise ModelError(
            f"{spec.where}: joint {shown(name)} cannot be geared; only joints with one coordinate of their own can"
        )
    return body


# --- numbers ----------------------------------------------------------------------------------------------------------
def _neutral(model: Model) -> Array:
    return np.array([x for i in model.free for x in model.bodies[i].joint.neutral], float)


def _closed(model: Model, start: Array, where: Sequence[str]) -> Array:
    """The closed configuration nearest to the start, or to one of many random ones; else a ModelError."""
    value = Closing(model).values(start)
    if np.abs(value).max() <= NEAR * 1e-3 and not turned_over(model, start[None], hinges=False).any():
        return start
    if value.shape[1] > LARGE:
        raise ModelError(
            f"{where[_worst(model, value[0])]}: a mechanism with {value.shape[1]} equations must be closed at zero "
            f"coordinates or at home, but is open by {gaps(model, value).max():.3g} (m, rad) there"
        )
    rng, best = np.random.default_rng(0), (np.inf, start)
    tries = [start[None], *(_around(model, start, rng, size, 24) for size in (0.3, 1.0, 3.0))]
    for guess in tries:
        alone = len(guess) == 1
        q, residual = close(model, guess, rounds=80 if alone else 40, nearest=alone, again=alone)
        if residual.min() > NEAR:  # axes do not meet; reversed ones do where that makes no difference
            open_by = gaps(model, Closing(model)(q)[0]).max(axis=1)
            residual = np.where(open_by <= NEAR, np.maximum(open_by, turned_over(model, q, hinges=False)), residual)
        k = int(np.argmin(residual))
        if residual[k] < best[0]:
            best = (float(residual[k]), q[k])
        if best[0] <= NEAR:
            return best[1]
    value, _ = Closing(model)(best[1][None])
    near_by = ", ".join(f"{x:.4g}" for x in best[1][:12]) + (", ..." if len(best[1]) > 12 else "")
    turned = " (a frame is turned over there, by half a turn)" if np.abs(value).max() <= NEAR else ""
    raise ModelError(
        f"{where[_worst(model, value[0])]}: this loop cannot be closed; the nearest that was found stays open by "
        f"{best[0]:.3g} (m, rad) at q = [{near_by}]{turned}; check the lengths and the frames of both ends"
    )


def _worst(model: Model, value: Array) -> int:
    """The loop with the largest residual."""
    owner = np.repeat(np.arange(len(model.loops)), [count(loop.kind) for loop in model.loops])
    return int(owner[int(np.argmax(gaps(model, value)))])


def _around(model: Model, q: Array, rng: np.random.Generator, size: float, many: int) -> Array:
    return Closing(model).step(np.repeat(q[None], many, axis=0), rng.uniform(-size, size, (many, model.nv)))


def independent(model: Model, home: Array, rows: list[dict[int, float]] | None = None) -> Model:
    """The model with the equations marked that do not follow from others near ``home``."""
    rows = rows or sparse_rows(model, _general(model, home[None]))
    pivots: dict[int, dict[int, float]] = {}
    made, at = [], 0
    for loop in model.loops:
        size = count(loop.kind)
        kept = choose_rows({k: rows[at + k] for k in range(size)}, pivots)
        made.append(replace(loop, kept=kept))
        at += size
    return model.changed(loops=tuple(made))


def with_spare(model: Model, *places: Array) -> Model:
    """The model with the equations marked that follow from those kept by factors that are not the same at all places,
    and the loops that have a part in that. No choice of equations serves such a mechanism everywhere: in Bennett's, any
    two of the five become dependent somewhere.
    """
    sizes = [count(loop.kind) for loop in model.loops]
    if sum(sizes) > LARGE or all(len(loop.kept) == size for loop, size in zip(model.loops, sizes, strict=True)):
        return model
    owner = np.repeat(np.arange(len(sizes)), sizes)
    own = np.concatenate([np.arange(size) for size in sizes])
    kept = np.array([k in model.loops[i].kept for i, k in zip(owner, own, strict=True)])
    A = Closing(model)(np.concatenate([*places, _general(model, places[0], seed=2)]))[1]
    factors = np.array([np.linalg.lstsq(a[kept].T, a[~kept].T, rcond=1e-9)[0].T for a in A])
    full = [np.linalg.matrix_rank(a[kept], 1e-6) == kept.sum() for a in A]
    changing = np.ptp(factors[full], axis=0) > 1e-6 if any(full) else np.zeros(factors.shape[1:], bool)
    spare = np.zeros(len(own), bool)
    spare[~kept] = changing.any(axis=1)
    soft = set(owner[spare].tolist()) | set(owner[kept][changing.any(axis=0)].tolist())
    loops = []
    for i, loop in enumerate(model.loops):
        more = tuple(own[spare & (owner == i)].tolist())
        loops.append(replace(loop, spare=more, soft=True) if i in soft else loop)
    return model.changed(loops=tuple(loops))


def _general(model: Model, q: Array, seed: int = 1) -> Array:
    """A generic configuration near the given one, which may be singular: moved along the loops' free motions."""
    loops = [loop for loop in model.loops if not loop.here]
    if not loops or sum(count(loop.kind) for loop in model.loops) > LARGE:
        return q
    of, rng = Closing(model.changed(loops=tuple(loops))), np.random.default_rng(seed)
    _, A = of(q)
    free = rng.uniform(-0.3, 0.3, (1, model.nv))
    free -= np.einsum("bij,bjk,bk->bi", np.linalg.pinv(A, rcond=1e-9), A, free)
    moved, residual = close(of.model, of.step(q, free), nearest=False, home=q[0])
    moved = moved if residual[0] <= NEAR else q
    if model.nv > MOST_SEARCHED or _clear(of, moved)[0][0] > CLEAR:
        return moved
    # three cranks that lie flat: from most directions of first order the way leads back to where it came from
    guess = _around(of.model, q[0], rng, 1.0, 48)
    found, residual = close(of.model, guess, nearest=False, home=q[0], again=False)
    clear, moving = _clear(of, found)
    k = int(np.argmax(np.where((residual <= NEAR) & (clear > CLEAR), moving + clear, 0.0)))
    return found[[k]] if residual[k] <= NEAR and clear[k] > CLEAR else moved


def _clear(of: Closing, q: Array) -> tuple[Array, Array]:
    """Of each configuration the least singular value of A that is not zero, by the largest; and how much moves."""
    _, sizes, V = np.linalg.svd(without_dust(of(q)[1]))
    share = np.zeros(V.shape[:2])
    share[:, : sizes.shape[1]] = sizes / np.maximum(sizes[:, :1], 1e-300)
    some = share > 1e-12
    least: Array = np.where(some, share, 1.0).min(axis=1, initial=1.0)
    return least, np.sum(np.abs(np.where(some[:, :, None], 0.0, V)).max(axis=1) > CLEAR, axis=1)


def _drives(model: Model, general: Array, idle: bool) -> Model:
    """Refuse (or, if ``idle``, drop) drives on joints that the loops hold fast in a generic configuration."""
    if model.actuated is None or sum(len(loop.kept) for loop in model.loops) > LARGE:
        return model
    _, A = Closing(model, kept=True)(general)
    free = np.eye(model.nv) - np.linalg.pinv(A[0], rcond=1e-9) @ A[0]
    moving = []
    for name in model.actuated:
        body = model.joint_index[name]
        at, size = model.offsets[body][1], model.bodies[body].joint.nv
        if np.abs(free[at : at + size]).max() >= 1e-9:
            moving.append(name)
        elif not idle:
            raise ModelError(
                f"actuated names the joint {name!r}, but the loops hold it: it cannot move; name a joint that the "
                "loops leave free"
            )
    return model.changed(actuated=tuple(moving))
