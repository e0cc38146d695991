"""The bodies of an MJCF as links and joints: several joints of one body become links without mass between them.

MuJoCo turns a body about each of its joints in turn, in the frame that the joints before it have left: joint k is a
joint at its ``pos``, followed by the way back from there. A free joint's coordinates are the pose in the world, so its
frame is the world's.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from ...errors import ModelError
from ...model import Placement
from ...model.placements import added
from ..specs import JointSpec, LinkSpec
from .mjcf_geoms import Piece, bounded, inertial, shape, together
from .mjcf_joints import TYPES, Found, joint
from .mjcf_schema import known
from .mjcf_source import Item, Source, contents
from .mjcf_values import NOWHERE, Given, placement

__all__ = ["Bodies", "Moved", "quaternion", "read_bodies"]

WORLD = "world"
DRAWN = ("site", "camera", "light")  # nothing that moves hangs on these
BEYOND = {"composite": "composites", "flexcomp": "flexes", "plugin": "plugins of bodies"}


@dataclass(frozen=True)
class Moved:
    """A joint with its indices in MuJoCo's qpos and qvel and its position in the file (qpos0)."""

    name: str
    kind: str
    at: int
    speed: int
    start: tuple[float, ...]
    ref: float


@dataclass
class Bodies:
    """Everything the walk over a description has found."""

    links: list[LinkSpec] = field(default_factory=list)
    joints: list[JointSpec] = field(default_factory=list)
    moved: list[Moved] = field(default_factory=list)
    welds: list[int] = field(default_factory=list)  # joints whose names are still to be made
    beyond: dict[str, list[str]] = field(default_factory=dict)  # what the model leaves out: kind -> names
    placed: dict[str, tuple[str, Placement]] = field(default_factory=dict)  # sites: link and place
    named: set[str] = field(default_factory=set)  # names of joints so far
    poses: dict[str, Placement] = field(default_factory=dict)  # of bodies in the world, in the file's own position
    tuned: dict[str, tuple[float, float]] = field(default_factory=dict)  # joints with springdamper
    lengths: dict[str, tuple[float, ...]] = field(default_factory=dict)  # ranges of tendons
    ropes: set[str] = field(default_factory=set)  # names of tendons
    spans: dict[str, list[str]] = field(default_factory=dict)  # of those that run straight: the sites at their ends
    heavy: list[tuple[dict[str, float], float]] = field(default_factory=list)  # arms and inertia of what joints share
    geoms: int = 0
    taken: set[str] = field(default_factory=set)
    nq: int = 0
    nv: int = 0

    def leave_out(self, kind: str, name: str) -> None:
        """Remember a part that the model cannot represent."""
        self.beyond.setdefault(kind, []).append(name)


def read_bodies(top: Source) -> Bodies:
    """Walk over the world and everything in it, without recursion."""
    made = Bodies()
    start = Item(top.parts["worldbody"][0], Placement(), "main", top) if "worldbody" in top.parts else None
    if start is None:
        return made
    items = contents(start, top.world(), "<worldbody>")
    _world(made, items)
    stack: list[tuple[Item, str]] = [(item, WORLD) for item in reversed(items) if item.element.tag == "body"]
    while stack:
        item, parent = stack.pop()
        name, inner = _body(made, item, parent)
        stack += [(child, name) for child in reversed(inner) if child.element.tag == "body"]
    _name_welds(made)
    _total(made, top)
    return made


def _world(made: Bodies, items: list[Item]) -> None:
    """Shapes of the world become those of a link "world"; nothing there has mass or joints."""
    seen: list[Any] = []
    for item in items:
        tag = item.element.tag
        if tag == "geom":
            known(item.element)
            found = shape(item.given(), item.source.options, item.frame, item.source.meshes, item.source.colors)
            made.geoms += found.touches
            seen += [found.seen] if found.seen is not None else []
        elif tag in ("joint", "freejoint", "inertial"):
            raise ModelError(f"{item.element.where}: the world has no {tag}; put it into a <body>")
        elif tag in BEYOND:
            made.leave_out(BEYOND[tag], item.name() or tag)
        elif tag == "site":
            _site(made, item, WORLD)
    if seen:
        made.links.append(LinkSpec(WORLD, visuals=tuple(seen), where=items[0].element.where))
    made.taken.add(WORLD)
    made.poses[WORLD] = Placement()


def _fresh(made: Bodies, name: str) -> str:
    k, wanted = 2, name
    while wanted in made.taken:
        wanted, k = f"{name}_{k}", k + 1
    made.taken.add(wanted)
    return wanted


def _body(made: Bodies, item: Item, parent: str) -> tuple[str, list[Item]]:
    element = known(item.element)
    given = Given(element)
    name = item.name()
    if name and name in made.taken:
        raise ModelError(f"{element.where}: a second body is called {name[:80]!r}; rename one of them")
    name = _fresh(made, name or f"body{len(made.poses)}")
    at = item.frame @ placement(given, item.source.options)
    childclass = item.source.defaults.name(element, item.childclass, "childclass")
    inner = contents(replace(item, frame=Placement(), childclass=childclass), element.children, element.label)
    if given.number("gravcomp", 0.0):
        made.leave_out("gravity compensation", name)
    if given.flag("mocap"):
        made.leave_out("bodies that motion capture moves (they are fixed here)", name)
    found = [joint(known_item(i)) for i in inner if i.element.tag in ("joint", "freejoint")]
    for one in found:
        if one.aligned and not any(i.element.tag == "body" for i in inner):
            made.leave_out("alignment of its frame with its inertia", one.name or name)
        for note in one.notes:
            made.leave_out(note, one.name or name)
    made.poses[name] = made.poses[parent] @ at
    _chain(made, found, name, parent, at, element.where)
    made.links.append(_link(made, name, inner, item, given.numbers("pos", 3, (0.0, 0.0, 0.0))))
    for i in inner:
        if i.element.tag in BEYOND:
            made.leave_out(BEYOND[i.element.tag], i.name() or name)
        elif i.element.tag == "site":
            _site(made, i, name)
    return name, inner


def known_item(item: Item) -> Item:
    """The item, its attributes checked."""
    known(item.element)
    return item


def _site(made: Bodies, item: Item, link: str) -> None:
    if item.name() and not item.element.attributes.keys() & {"fromto"}:
        made.placed[item.name()] = (
            link,
            item.frame @ placement(item.source.defaults.of(item.element, item.childclass), item.source.options),
        )


def _link(made: Bodies, name: str, inner: list[Item], body: Item, pos: tuple[float, ...]) -> LinkSpec:
    """The link with its shapes and its inertia: its own, or that of its geoms, as the options of its file say."""
    given = [i for i in inner if i.element.tag == "inertial"]
    if len(given) > 1:
        raise ModelError(
            f"{given[1].element.where}: it is the second <inertial> there; only one is allowed, remove the other"
        )
    options = body.source.options
    own = inertial(Given(known(given[0].element)), given[0].source.options, given[0].frame) if given else None
    heavy = options.inertiafromgeom == "true" or (own is None and options.inertiafromgeom == "auto")
    visuals, collisions, pieces = [], [], []
    for item in inner:
        if item.element.tag != "geom":
            continue
        known(item.element)
        found = shape(
            item.given(), item.source.options, item.frame, item.source.meshes, item.source.colors,
            heavy=options.groups if heavy else None,
        )  # fmt: skip
        made.geoms += found.touches
        if found.seen is not None:
            visuals += [found.seen] if found.visible else []
            collisions += [found.seen] if found.touches else []
        if found.piece is not None:
            pieces.append(found.piece)
    summed = together(pieces)
    # geoms without mass leave an <inertial> as it is; without one, MuJoCo puts the mass that boundmass gives to where
    # ``pos`` says, again
    piece = (
        summed
        if heavy and summed.mass
        else own or Piece(com=(pos[0], pos[1], pos[2]) if options.boundmass else NOWHERE)
    )
    piece = bounded(piece, options)
    where = body.element.where
    return LinkSpec(name, piece.mass, piece.com, piece.inertia, tuple(visuals), tuple(collisions), where)


def _chain(made: Bodies, found: list[Found], name: str, parent: str, at: Placement, where: str) -> None:
    """The joints of a body, one after the other."""
    if not found:
        made.welds.append(len(made.joints))
        made.joints.append(JointSpec("", "fixed", parent, name, at, where=where))
        return
    if any(one.kind == "free" for one in found) and (len(found) > 1 or parent != WORLD):
        raise ModelError(
            f"{where}: a free joint stands alone, in a body that is not inside of another; remove the other joints"
        )
    if sum(3 if one.kind == "ball" else 1 for one in found) > 6:
        raise ModelError(f"{where}: its joints have more than six degrees of freedom; remove one of them")
    for k, one in enumerate(found):
        joint_name = _joint_name(made, one, name)
        child = name if k == len(found) - 1 else _fresh(made, f"{name}_after_{joint_name}")
        x, y, z = one.pos
        origin = at @ Placement(origin=one.pos) if k == 0 else Placement(origin=one.pos)
        if one.kind == "free":
            origin = Placement()
            if "stiffness" in one.fields:
                w, *turn = quaternion(at.rotation)
                one.fields["springref"] = (*at.origin, *turn, w)
        back = Placement(origin=(-x + 0.0, -y + 0.0, -z + 0.0))
        made.joints.append(
            JointSpec(
                joint_name, TYPES[one.kind], parent, child, origin, child_frame=back, where=one.where, **one.fields
            )
        )
        if one.tuned is not None:
            made.tuned[joint_name] = one.tuned
        if child != name:
            made.links.append(LinkSpec(child, where=where))
        _count(made, one, joint_name, at)
        parent = child


def _joint_name(made: Bodies, one: Found, body: str) -> str:
    """Its name; one is made for a joint without a name. Two of a name are refused when the model is built."""
    wanted = base = one.name or f"{body}_{'free' if one.kind == 'free' else 'joint'}"
    k = 2
    while not one.name and wanted in made.named:
        wanted, k = f"{base}{k}", k + 1
    made.named.add(wanted)
    return wanted


def _count(made: Bodies, one: Found, name: str, at: Placement) -> None:
    """Its place in MuJoCo's coordinates."""
    start: tuple[float, ...] = (one.ref,)
    if one.kind == "ball":
        start = (1.0, 0.0, 0.0, 0.0)
    elif one.kind == "free":
        start = (*at.origin, *quaternion(at.rotation))
    made.moved.append(Moved(name, one.kind, made.nq, made.nv, start, one.ref))
    made.nq += len(start)
    made.nv += {"ball": 3, "free": 6}.get(one.kind, 1)


def quaternion(r: tuple[float, ...]) -> tuple[float, float, float, float]:
    """Scalar first, of a rotation; the largest of the four is computed first, so that none loses digits."""
    four = (1 + r[0] + r[4] + r[8], 1 + r[0] - r[4] - r[8], 1 - r[0] + r[4] - r[8], 1 - r[0] - r[4] + r[8])
    k = max(range(4), key=lambda i: four[i])
    s = 0.5 / four[k] ** 0.5
    rows = (
        (four[0], r[7] - r[5], r[2] - r[6], r[3] - r[1]),
        (r[7] - r[5], four[1], r[1] + r[3], r[2] + r[6]),
        (r[2] - r[6], r[1] + r[3], four[2], r[5] + r[7]),
        (r[3] - r[1], r[2] + r[6], r[5] + r[7], four[3]),
    )
    w, x, y, z = (s * e for e in rows[k])
    return (w, x, y, z)


def _name_welds(made: Bodies) -> None:
    """Names for the welds, which MJCF does not name, apart from those of joints."""
    taken = {j.name for j in made.joints if j.name}
    for k in made.welds:
        name = f"{made.joints[k].child}_weld"
        while name in taken:
            name += "_"
        taken.add(name)
        made.joints[k] = replace(made.joints[k], name=name)


def _total(made: Bodies, top: Source) -> None:
    """Scale masses and inertias to <compiler settotalmass>; bodies fused with the world do not count."""
    fused: set[str] = set()
    for spec in made.joints if top.options.fusestatic else ():
        if spec.type == "fixed" and (spec.parent == WORLD or spec.parent in fused):
            fused.add(spec.child)
    wanted, total = top.options.settotalmass, added(link.mass for link in made.links if link.name not in fused)
    if wanted > 0 and total > 0:
        f = wanted / total
        made.links[:] = [
            replace(link, mass=link.mass * f, inertia=tuple(f * e for e in link.inertia)) for link in made.links
        ]
