"""Data of the page: frames, joints, masses, shapes, meshes, and a run to play back."""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..emit.tableaus import DOPRI5
from ..errors import InputError, ShapeError, shown, tell
from ..evaluate.manifold import bounds, named
from ..model import Geometry, Link, Loop, Model, Placement
from ..runtime.array_inputs import as_array
from .dh_frames import dh_data, tool_of
from .mesh_files import BadMesh, Part, pack, read_mesh, thin
from .shapes import drawn, radii, rails

__all__ = ["Playback", "checked_title", "page_data", "starting"]

PER_MESH = 30_000  # triangles of one mesh, at most
PER_COLLISION = 4_000  # of one that only collisions are found with
IN_ALL = 300_000  # triangles of a page
LONG = 60  # characters of a path that a message shows
BYTES = 400_000_000  # mesh files read for one page
SAMPLES = 4000  # of a run; more are thinned out
BODIES = 3000


@dataclass(frozen=True)
class Playback:
    """A motion to play: times t (T,), q (T, nq) and, where known, qd and tau (T, n) and energy (T,)."""

    t: Any
    q: Any
    qd: Any = None
    tau: Any = None
    energy: Any = None


def starting(model: Model, q: object = None) -> list[float]:
    """The checked q; by default neutral, and the middle of its range for a joint that may not be at zero."""
    if q is not None:
        made = _array("q", named(model, "q", q))
        if made.shape != (model.nq,):
            raise ShapeError(f"q has the shape {made.shape}; {model.name!r} needs ({model.nq},)")
        return [float(x) for x in made]
    for state in model.states:
        if state.name == "neutral":
            return list(state.q)
    values: list[float] = []
    for i in model.free:
        body = model.bodies[i]
        # where loops are closed, if there are any
        neutral = list(model.home[len(values) : len(values) + body.joint.nq] or body.joint.neutral)
        if body.joint.plain:
            for k, (low, high) in enumerate(zip(body.lower, body.upper, strict=False)):
                if math.isfinite(low) and math.isfinite(high) and not low <= neutral[k] <= high:
                    neutral[k] = (low + high) / 2
        values += neutral
    return values


def checked_title(title: object) -> str | None:
    """A text, or None for the robot's name."""
    if title is not None and not isinstance(title, str):
        raise InputError(f"title is {shown(title)}; give a text")
    return title


def page_data(
    model: Model, q: object = None, run: object = None, title: str | None = None, ghost: object = None
) -> dict[str, Any]:
    """Everything the page needs, ready for JSON."""
    if len(model.bodies) > BODIES:
        raise InputError(f"{model.name!r} has {len(model.bodies) - 1} bodies; a page shows {BODIES - 1} at most")
    _, reach = radii(model)
    if ghost is not None and run is None:
        raise InputError("ghost is a second motion beside a first one: give run=... too")
    shapes = _shapes(model)
    dh, no_dh = dh_data(model)
    gravity = [float(g) for g in model.gravity]
    lost = _friction(model)
    return {
        "version": 2,
        "name": model.name,
        "title": model.name if checked_title(title) is None else title,
        "n": model.nv,
        "freedom": model.freedom,
        "nq": model.nq,
        "gravity": gravity,
        "reach": reach,
        "q": starting(model, q),
        "tool": tool_of(model),
        "coupled": model.coupled,
        "joints": [_joint(model, i, lost) for i in model.free],
        "plain": model.plain,
        "directions": _directions(model),
        "bodies": _bodies(model),
        "loops": [_loop(model, loop) for loop in model.loops],
        "integrator": {"rows": DOPRI5.A, "weights": DOPRI5.b, "errors": DOPRI5.errors[0], "exponent": DOPRI5.exponent},
        "links": [_link(link) for link in model.links],
        "shapes": shapes.shown,
        "meshes": shapes.meshes,
        "collisions": shapes.collisions,
        "collisionMeshes": shapes.collision_meshes,
        "rails": [{**rail, "at": _rows(rail["at"])} for rail in rails(model, shapes.replaced)],
        "run": _run(model, run),
        "ghost": _run(model, ghost, "ghost"),
        "dh": dh,
        "noDh": no_dh,
        "live": False,
    }


# --- the tree ---------------------------------------------------------------------------------------------------------


def _friction(model: Model) -> dict[str, list[float]]:
    """Damping and dry friction by velocity, those of mimic joints included with their masters."""
    made = {what: model.per_velocity(what, 0.0) for what in ("damping", "friction")}
    for i, body in enumerate(model.bodies):
        if body.mimic is not None:
            for what, power in (("damping", 2), ("friction", 1)):
                made[what][model.offsets[i][1]] += abs(body.mimic.ratio) ** power * (getattr(body, what) or (0.0,))[0]
    return {what: [float(x) for x in values] for what, values in made.items()}


def _loop(model: Model, loop: Loop) -> dict[str, Any]:
    """A loop by the frame at which its force acts."""
    body, at = model.loop_ends(loop)[1]
    return {"name": loop.name, "kind": loop.kind, "body": -1 if loop.terms else body, "at": _rows(at)}


def _joint(model: Model, i: int, lost: dict[str, list[float]]) -> dict[str, Any]:
    body = model.bodies[i]
    joint, n = body.joint, body.joint.nv
    iq, iv = model.offsets[i]
    own = slice(iv, iv + n)
    lower, upper = (
        [] if body.continuous or not joint.plain else [float(x) for x in side[own]] for side in bounds(model)
    )
    limits = [[_finite(lower, k), _finite(upper, k)] for k in range(n)]
    # a person turns the quaternion at the end of q by these
    turned = not joint.plain and joint.parts[-3:] == ("roll", "pitch", "yaw")
    return {
        "name": body.name, "type": joint.name, "body": i, "iq": iq, "iv": iv, "nq": joint.nq, "nv": n,
        "labels": list(joint.parts or (("",) if n == 1 else map(str, range(1, n + 1)))), "limits": limits,
        "turns": [False] * (n - 3) + [True] * 3 if turned else list(joint.angular), "plain": joint.plain,
        "quaternion": joint.nq - 4 if turned else None, "neutral": list(joint.neutral), "form": joint.form.kind,
        "damping": lost["damping"][own], "friction": lost["friction"][own],
    }  # fmt: skip


def _directions(model: Model) -> list[dict[str, Any]]:
    """Coordinates that belong together at length one, and whether their opposites mean the same (quaternions)."""
    made = []
    for i in model.free:
        for group, either in model.bodies[i].joint.form.directions:
            made.append({"at": [model.offsets[i][0] + k for k in group], "either": either})
    return made


def _finite(values: list[float], k: int) -> float | None:
    return float(values[k]) if k < len(values) and math.isfinite(values[k]) else None


def _bodies(model: Model) -> list[dict[str, Any]]:
    carried = [b.inertia.m for b in model.bodies]
    carried[0] = 0.0
    for i in range(len(model.bodies) - 1, 0, -1):
        if model.bodies[i].parent:
            carried[model.bodies[i].parent] += carried[i]
    first: dict[int, int] = {}
    for k, link in enumerate(model.links):
        first.setdefault(link.body, k)
    made = []
    for i, b in enumerate(model.bodies):
        own = {"mass": b.inertia.m, "com": list(b.inertia.com), "carried": carried[i]}
        moved = {
            "iv": model.offsets[i][1],
            "nv": b.joint.nv if i else 0,
            "ratio": b.mimic.ratio if b.mimic is not None else 1.0,
        }
        made.append(
            {"name": b.name, "parent": b.parent, "type": b.joint.name, "link": first.get(i, -1), **own, **moved}
        )
    return made


def _link(link: Link) -> dict[str, Any]:
    return {
        "name": link.name, "body": link.body, "parent": link.parent, "joint": link.joint, "at": _rows(link.placement),
        "mass": link.mass, "com": list(link.com), "inertia": list(link.inertia),
    }  # fmt: skip


def _rows(at: Placement) -> list[float]:
    r, p = at.rotation, at.origin
    return [*r[0:3], p[0], *r[3:6], p[1], *r[6:9], p[2], 0.0, 0.0, 0.0, 1.0]


# --- shapes -----------------------------------------------------------------------------------------------------------
class Shapes(NamedTuple):
    """Visual and collision shapes with their meshes, and the bodies whose shapes are made up."""

    shown: list[dict[str, Any]]
    meshes: list[list[dict[str, Any]]]
    collisions: list[dict[str, Any]]
    collision_meshes: list[list[dict[str, Any]]]
    replaced: set[int]


def _shapes(model: Model) -> Shapes:
    """Given or made-up visual shapes, and collision shapes; one warning for all unusable meshes."""
    store = _Meshes(model)
    made: list[dict[str, Any]] = []
    lost: set[int] = set()
    for link in model.links:
        for g in link.visuals:
            shape = _visual(link.body, link.placement @ g.placement, g, store)
            if shape is not None:
                made.append(shape)
            elif g.kind == "mesh":
                spare = [_visual(link.body, link.placement @ c.placement, c, None) for c in link.collisions]
                simple = [s for s in spare if s is not None]
                made += simple
                if not simple:
                    lost.add(link.body)
    store.warn()
    bare = _Meshes(model, PER_COLLISION)
    found = [_visual(link.body, link.placement @ g.placement, g, bare) for link in model.links for g in link.collisions]
    collisions = [{**shape, "at": _rows(shape["at"])} for shape in found if shape is not None]
    bodies = lost if made else set(range(len(model.bodies)))
    made += drawn(model, bodies)
    for shape in made:
        if isinstance(shape["at"], Placement):
            shape["at"] = _rows(shape["at"])
    return Shapes(made, store.packed(), collisions, bare.packed(), bodies)


def _visual(body: int, at: Placement, g: Geometry, store: _Meshes | None) -> dict[str, Any] | None:
    shape = {
        "body": body,
        "role": "visual",
        "kind": g.kind,
        "size": [float(x) for x in g.size],
        "at": at,
        "color": [float(c) for c in g.color],
    }
    if g.kind != "mesh":
        return shape if all(x > 0 for x in g.size) else None
    number = store.number(g.path) if store is not None else None
    if number is None:
        return None
    shape["mesh"] = number
    return shape


class _Meshes:
    """Mesh files, each read once."""

    def __init__(self, model: Model, most: int = PER_MESH) -> None:
        self.model, self.most = model, most
        self.numbers: dict[str, int | None] = {}
        self.meshes: list[list[Part]] = []
        self.trouble: list[str] = []
        self.bytes = 0

    def number(self, path: str) -> int | None:
        if path not in self.numbers:
            self.numbers[path] = self._read(path)
        return self.numbers[path]

    def _read(self, path: str) -> int | None:
        from ..describe.meshes import mesh_path

        name = repr(path if len(path) <= LONG else f"...{path[-LONG:]}")
        found: Path | None = mesh_path(self.model, path)
        if found is None:
            package = path.partition("package://")[2].lstrip("/").partition("/")[0]
            remedy = (
                f"; name its folder: packages={{{package!r}: ...}} or --package {package}=FOLDER" if package else ""
            )
            self.trouble.append(f"{name} is not there, or outside the robot's package{remedy}")
            return None
        try:
            self.bytes += found.stat().st_size
            if self.bytes > BYTES:
                raise BadMesh(f"all meshes together have more than {BYTES} bytes")
            self.meshes.append(thin(read_mesh(found), self.most))
        except (BadMesh, OSError) as error:
            self.trouble.append(f"{name}: {error}")
            return None
        return len(self.meshes) - 1

    def warn(self) -> None:
        if self.trouble:
            more = f" (and {len(self.trouble) - 1} more)" if len(self.trouble) > 1 else ""
            message = f"{self.model.name!r}: shapes stand in for meshes that cannot be shown: {self.trouble[0]}{more}"
            tell(message)

    def packed(self) -> list[list[dict[str, Any]]]:
        total = sum(len(p.triangles) for parts in self.meshes for p in parts)
        if total > IN_ALL:
            self.meshes = [thin(parts, max(100, self.most * IN_ALL // total)) for parts in self.meshes]
        return [[pack(part) for part in parts] for parts in self.meshes]


# --- a run ------------------------------------------------------------------------------------------------------------
def _array(name: str, values: object) -> Any:
    """Finite numbers; columns with names were put into the robot's order before."""
    made = as_array(name, values).astype(float)
    if not np.all(np.isfinite(made)):
        raise InputError(f"{name} holds NaN or infinity; fix it, or show the part of the run before it")
    return made


def _run(model: Model, run: object, name: str = "run") -> dict[str, Any] | None:
    if run is None:
        return None
    given = {
        key: run.get(key) if isinstance(run, Mapping) else getattr(run, key, None)
        for key in ("t", "q", "qd", "tau", "energy")
    }
    if given["t"] is None or given["q"] is None:
        raise InputError(f"{name} needs t (T,) and q (T, nq): give a Playback, a dict or a simulation's run")
    t, q = _array(f"{name}.t", given["t"]), _array(f"{name}.q", named(model, f"{name}.q", given["q"], "q"))
    if q.ndim == 3:
        raise ShapeError(f"{name}.q has the shape {q.shape}: an ensemble; choose one of its members, such as q[0]")
    count = len(t) if t.ndim == 1 else 0
    if count < 2 or q.shape != (count, model.nq):
        raise ShapeError(
            f"{name}.t and {name}.q have the shapes {t.shape} and {q.shape}; they must be (T,) and (T, {model.nq}) "
            "with T of at least 2"
        )
    if np.any(np.diff(t) <= 0):
        raise InputError(f"{name}.t must increase from sample to sample")
    made: dict[str, Any] = {"t": t, "q": q}
    for key, shape in (("qd", (count, model.nv)), ("tau", (count, model.nv)), ("energy", (count,))):
        values = given[key]
        if values is not None:
            values = values if key == "energy" else named(model, f"{name}.{key}", values, "v")
            made[key] = _array(f"{name}.{key}", values)
            if made[key].shape != shape:
                raise ShapeError(f"{name}.{key} has the shape {made[key].shape}; it must be {shape}")
    keep = np.unique(np.rint(np.linspace(0, count - 1, min(count, SAMPLES))).astype(int))
    return {
        "count": len(keep),
        **{key: base64.b64encode(values[keep].astype("<f4").tobytes()).decode() for key, values in made.items()},
    }
