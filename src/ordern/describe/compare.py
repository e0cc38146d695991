"""Compare two models number by number, by kind and name, less what a format cannot hold."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ..model import Body, Geometry, Link, Model, Placement
from .changes import agreeing, wired
from .mjcf.mjcf_write import merged, names_of, refused, unwritten
from .specs import quoted
from .urdf.urdf_write import PER_VELOCITY, plain_shapes

__all__ = ["KINDS", "Difference", "aside", "differences", "gone", "lost", "places", "written_names"]

# a thousand eps: numbers pass through a few products of rotations; six written digits would be 1e6 times more
CLOSE = 2.3e-13
NONE = {"lower": -math.inf, "upper": math.inf, "velocity": math.inf, "effort": math.inf}  # 0 for the others
SAID = {
    "toml": ("drives", "states", "motors"), "mjcf": ("drives", "states", "motors"), "urdf": ("drives", "states"),
    "sdf": ("states",),
}  # fmt: skip
SPLIT = {"mjcf": ("cylindrical", "universal", "planar")}  # joints that it has as several
KINDS = (
    "names", "gravity", "joint types", *PER_VELOCITY, "mimic", "masses", "mass centres", "inertias", "shapes",
    "drives", "states", "motors",
)  # fmt: skip


@dataclass(frozen=True)
class Difference:
    """Something that is not the same: its kind (of KINDS), the joint or link, and both values."""

    kind: str
    where: str
    given: str
    found: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.where}: {self.given} became {self.found}"


def differences(a: Model, b: Model, form: str = "toml") -> list[Difference]:
    """Differences of b, read from a file written of a; what the format cannot hold (``lost``) is left out."""
    a, b = agreeing(wired(a)), agreeing(wired(b))
    found = list(_whole(a, b, form))
    found += [d for body in a.bodies[1:] if _split(body, form) for d in _parts(a, b, body, form)]
    found += [
        d
        for body in a.bodies[1:]
        if not _split(body, form) and written_names(a, body, form)[0] in b.joint_index
        for d in _joint(a, b, body, form)
    ]
    table = form.startswith("dh")
    if table:
        found += [
            d for i, body in enumerate(a.bodies[1:], 1) if i < len(b.bodies) for d in _body_mass(body, b.bodies[i])
        ]
    else:
        links = {link.name: link for link in b.links}
        found += [d for link in a.links if link.name in links for d in _link(link, links[link.name], form)]
        found += [
            _extra(link)
            for link in b.links
            if link.name not in a.link_index and (link.mass or link.visuals or link.collisions)
        ]
    return found


def gone(model: Model, form: str) -> list[str]:
    """Features of the robot that a file of this format loses, by name."""
    model, made, said = wired(model), [], SAID.get(form, ())
    if model.actuated is not None and "drives" not in said:
        idle = [model.bodies[i].name for i in model.free if model.bodies[i].name not in model.actuated]
        made.append(f"which joints have no drive ({quoted(idle, 4)}): give load(..., actuated=)")
    if model.states and "states" not in said:
        made.append(f"named states ({quoted([s.name for s in model.states], 4)})")
    if model.drives and "motors" not in said:
        made.append(f"motors with laws of their own ({quoted([d.name for d in model.drives], 4)})")
    return made


def aside(model: Model, form: str) -> list[str]:
    """Features that a file of this format changes or drops without changing the dynamics."""
    model, made = wired(model), []
    free = [body.name for body in model.bodies[1:] if body.joint.name == "floating"]
    if form == "sdf" and free:
        made.append(f"the joint {free[0]!r} that lets the robot float: give load(..., base='floating')")
    world = next((k for k in model.links if k.name == "world" and not k.joint), None)
    if form == "sdf" and world is not None and (world.mass or world.visuals or world.collisions):
        made.append("mass and shapes of the link 'world', which SDF keeps for itself: rename it")
    meshes = unwritten(model) if form == "mjcf" else []
    if meshes:
        made.append(f"{len(meshes)} meshes that MuJoCo could not read or that are not there ({quoted(meshes, 4)})")
    links = merged(model) if form == "mjcf" else []
    if links:
        made.append(f"links without mass between joints ({quoted(links, 4)}): their joints stand in one body")
    return made


def lost(model: Model, form: str) -> list[str]:
    """Features that the format loses or changes, in words."""
    made = gone(model, form) + aside(model, form)
    model = wired(model)
    if form == "urdf" and any(s.kind == "capsule" for link in model.links for s in (*link.visuals, *link.collisions)):
        made.append("capsules: written as cylinders with two balls")
    thick = {0, *(link.body for link in model.links if min(link.mass, *link.inertia[:3]) > 0)}
    thin = [link.name for link in model.links if link.body not in thick] if form == "mjcf" else []
    thin = [name for name in thin if name not in merged(model)] if thin else []
    if thin:
        made.append(f"moving links without mass or thickness ({thin[0]!r}): MuJoCo itself refuses them")
    odd = [link.name for link in model.links if refused(link)] if form == "mjcf" else []
    if odd:
        made.append(f"links whose moments of inertia no body has ({quoted(odd, 4)}): MuJoCo itself refuses them")
    split = [body.name for body in model.bodies[1:] if _split(body, form)]
    if split:
        made.append(f"joints of two or three ways in one ({split[0]!r}): written as so many joints")
    if form.startswith("dh"):
        shapes = sum(len(link.visuals) + len(link.collisions) for link in model.links)
        made += [f"shapes: the table has none of the {shapes}"] if shapes else []
        welded = [link.name for link in model.links if link.parent >= 0 and model.links[link.parent].body == link.body]
        made += (
            [f"frames of {len(welded)} fixed links; their mass goes with the body that carries them"] if welded else []
        )
        moved = [link for link in model.links if link.body and link.name not in welded]
        names = [link.name for k, link in enumerate(moved, 1) if link.name not in (link.joint, f"link{k}")]
        made += [f"names of {len(names)} links: a row has one name, the joint's"] if names else []
    return made


def _split(body: Body, form: str) -> bool:
    return body.joint.name in SPLIT.get(form, ())


def written_names(model: Model, body: Body, form: str) -> list[str]:
    """The joints that stand for this one in a file of that form."""
    if form == "sdf" and body.joint.name == "floating":
        return ["root_joint"]  # as ``load`` calls it
    return names_of(model, body) if _split(body, form) else [body.name]


def places(model: Model, form: str) -> dict[str, tuple[list[int], list[int]]]:
    """For each joint with coordinates in that format, the indices of these and its velocities in the model."""
    made: dict[str, tuple[list[int], list[int]]] = {}
    for i in model.free:
        (iq, iv), joint, names = model.offsets[i], model.bodies[i].joint, written_names(model, model.bodies[i], form)
        if len(names) == 1:
            made[names[0]] = list(range(iq, iq + joint.nq)), list(range(iv, iv + joint.nv))
        else:  # one joint of the file for each way
            made |= {name: ([iq + c], [iv + c]) for c, name in enumerate(names)}
    return made


def _kept(link: Link, form: str) -> bool:
    """Whether the format keeps this link: MJCF has no world link and no massless joints inside one body."""
    if form in ("mjcf", "sdf") and link.name == "world" and not link.mass and not link.joint:
        return False
    return form != "mjcf" or bool(link.mass or link.visuals or link.collisions)


def _text(value: object) -> str:
    if isinstance(value, (tuple, list)):
        return " ".join(f"{v:.17g}" if isinstance(v, float) else str(v) for v in value) or "none"
    return f"{value:.17g}" if isinstance(value, float) else str(value)


def _whole(a: Model, b: Model, form: str) -> Iterator[Difference]:
    if a.name != b.name:
        yield Difference("names", "robot", repr(a.name), repr(b.name))
    if a.gravity != b.gravity:
        yield Difference("gravity", "robot", _text(a.gravity), _text(b.gravity))
    for what, mine, theirs in (
        ("joints", [name for x in a.bodies[1:] for name in written_names(a, x, form)], {x.name for x in b.bodies[1:]}),
        (
            "links",
            [] if form.startswith("dh") else [x.name for x in a.links if _kept(x, form)],
            {x.name for x in b.links},
        ),
    ):
        missing = [name for name in mine if name not in theirs]
        if missing:
            yield Difference("names", f"{what} {missing[0]!r}", f"{len(mine)} {what}", f"{len(missing)} not there")
    moving = sum(len(written_names(a, x, form)) for x in a.bodies[1:])
    if moving != len(b.bodies) - 1:
        yield Difference("joint types", "robot", f"{moving} moving bodies", str(len(b.bodies) - 1))
        return
    yield from _beside(a, b, form)


def _beside(a: Model, b: Model, form: str) -> Iterator[Difference]:
    """Drives, named states and motors, as far as the form has them."""
    said, ours, theirs = SAID.get(form, ()), places(a, form), places(b, form)
    driven = [[n for n, (_, v) in at.items() if m.driven[v[0]]] for m, at in ((a, ours), (b, theirs))]
    if "drives" in said and set(driven[0]) != set(driven[1]):
        yield Difference("drives", "robot", _text(driven[0]), _text(driven[1]))
    found = {s.name: s for s in b.states}
    for state in a.states if "states" in said and ours.keys() == theirs.keys() else ():
        other = found.get(state.name)
        pairs = [] if other is None else [
            (x[k], y[l])
            for name in ours
            for x, y, ks, ls in zip((state.q, state.qd), (other.q, other.qd), ours[name], theirs[name], strict=True)
            for k, l in zip(ks, ls, strict=True)
        ]  # fmt: skip
        if other is None or any(_apart((x,), (y,), 1 + abs(x)) for x, y in pairs):
            yield Difference("states", f"state {state.name!r}", _text(state.q), _text(other.q if other else ()))
    motors = {d.name: d for d in b.drives}
    for drive in a.drives if "motors" in said else ():
        if motors.get(drive.name) != drive:
            yield Difference("motors", f"motor {drive.name!r}", str(drive), str(motors.get(drive.name)))


def _parts(a: Model, b: Model, body: Body, form: str) -> Iterator[Difference]:
    """A joint of several ways beside the joints of one way that stand for it."""
    for c, name in enumerate(written_names(a, body, form)):
        if name not in b.joint_index:
            continue  # among the names that are missing
        for key in PER_VELOCITY:
            none = NONE.get(key, 0.0)
            mine = (getattr(body, key) or (none,) * body.joint.nv)[c]
            theirs = (getattr(b.bodies[b.joint_index[name]], key) or (none,))[0]
            if mine != theirs:
                yield Difference(key, f"joint {name!r}", _text(mine), _text(theirs))


def _joint(a: Model, b: Model, body: Body, form: str) -> Iterator[Difference]:
    other = b.bodies[b.joint_index[written_names(a, body, form)[0]]]
    where = f"joint {body.name!r}"
    if type(body.joint) is not type(other.joint):
        yield Difference("joint types", where, body.joint.name, other.joint.name)
        return
    for key in PER_VELOCITY:
        none = (NONE.get(key, 0.0),) * (body.joint.nq if key == "springref" else body.joint.nv)
        mine, theirs = getattr(body, key) or none, getattr(other, key) or none
        turned = key == "springref" and not body.joint.plain  # a quaternion is brought to length one when it is read
        if mine != theirs and not (turned and not _apart(mine, theirs, 1.0)):
            yield Difference(key, where, _text(mine), _text(theirs))
    follows = [
        None if x.mimic is None else (m.bodies[x.mimic.body].name, x.mimic.ratio, x.mimic.offset)
        for m, x in ((a, body), (b, other))
    ]
    if not _follows_alike(*follows):
        yield Difference("mimic", where, _text(follows[0]), _text(follows[1]))


def _follows_alike(a: tuple[str, float, float] | None, b: tuple[str, float, float] | None) -> bool:
    """Whether two joints mimic alike; MJCF counts offsets from the joint's position, which rounds: 16 eps."""
    if a is None or b is None:
        return a is b
    return a[:2] == b[:2] and abs(a[2] - b[2]) <= 16 * 2.0**-52 * (1 + abs(a[2]))


def _apart(x: Sequence[float], y: Sequence[float], size: float) -> bool:
    return any(not abs(u - v) <= CLOSE * size for u, v in zip(x, y, strict=True))


def _link(a: Link, b: Link, form: str) -> Iterator[Difference]:
    where = f"link {a.name!r}"
    far = max(map(abs, (*a.com, *a.placement.origin, 1e-3)))
    if a.mass != b.mass and _apart((a.mass,), (b.mass,), abs(a.mass)):
        yield Difference("masses", where, _text(a.mass), _text(b.mass))
    if a.mass and _apart(a.com, b.com, far):
        yield Difference("mass centres", where, _text(a.com), _text(b.com))
    if _apart(a.inertia, b.inertia, max(map(abs, a.inertia)) + abs(a.mass) * far * far):
        yield Difference("inertias", where, _text(a.inertia), _text(b.inertia))
    for what, mine, theirs in (("visual", a.visuals, b.visuals), ("collision", a.collisions, b.collisions)):
        mine, theirs = (_plain(many, form, what) for many in (mine, theirs))
        if len(mine) != len(theirs) or not all(any(_same_shape(s, t) for t in theirs) for s in mine):
            yield Difference("shapes", where, f"{len(mine)} {what} shapes", f"{len(theirs)} others")


def _plain(shapes: Sequence[Geometry], form: str, what: str) -> tuple[Geometry, ...]:
    """The shapes as the format can hold them: MJCF no meshes for certain, SDF no colours of collisions."""
    made = [part for shape in shapes for part in plain_shapes(shape) if form != "mjcf" or shape.kind != "mesh"]
    return tuple(replace(part, color=()) if form == "sdf" and what == "collision" else part for part in made)


def _same_shape(a: Geometry, b: Geometry) -> bool:
    here = Placement()
    same = replace(a, placement=here, size=()) == replace(b, placement=here, size=())
    full = [s.size or ((1.0, 1.0, 1.0) if s.kind == "mesh" else ()) for s in (a, b)]
    p, q = a.placement, b.placement
    near = not _apart(p.rotation, q.rotation, 1.0) and not _apart(p.origin, q.origin, 1e-3 + max(map(abs, p.origin)))
    return same and full[0] == full[1] and near


def _extra(link: Link) -> Difference:
    return Difference("names", f"link {link.name!r}", "no such link", f"one of {link.mass:g} kg")


def _body_mass(a: Body, b: Body) -> Iterator[Difference]:
    if _apart((a.inertia.m,), (b.inertia.m,), abs(a.inertia.m)):
        yield Difference("masses", f"joint {a.name!r}", _text(a.inertia.m), _text(b.inertia.m))
