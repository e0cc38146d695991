"""From links and joints to a checked Model: welds merged, axes turned into z, parents before children in the order of
the file.

Every format ends here, so the rules are the same for all of them. Nothing recurses: a chain of any length builds.
"""

from __future__ import annotations

import heapq
import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from numbers import Real
from typing import Any

from ..errors import InputError, ModelError, OrdernWarning, near, one_of, shown, tell
from ..joints import Joint
from ..model import WORLD, Body, Link, Mass, Mimic, Model, Placement
from . import physical
from .followers import across, left_gears, masters, standing
from .frames import at, canonical, undone
from .joint_springs import spring
from .specs import (
    DEGREES,
    TURN,
    JointSpec,
    LinkSpec,
    LoopSpec,
    MimicSpec,
    brief,
    is_list,
    joint_type,
    joint_types,
    make_joint,
    number,
    numbers,
    per_velocity,
    triple,
)  # fmt: skip
from .structure import LONGEST, check_home, check_structure, listed, right_joints, right_shapes

__all__ = ["JointSpec", "LinkSpec", "LoopSpec", "MimicSpec", "build"]

HERE = Placement()
THE_WORLD = ""  # as a parent: the world itself, even where a moving link is called "world"
ON_INVALID = ("error", "warn", "repair")


def build(
    name: str,
    links: Sequence[LinkSpec],
    joints: Sequence[JointSpec],
    *,
    gravity: Sequence[float] = (0.0, 0.0, -9.81),
    base: str = "fixed",
    locked: Mapping[str, Any] | None = None,
    on_invalid: str = "error",
    source: str = "",
    mimic: bool = True,
    world: bool = True,
    loops: Sequence[LoopSpec] = (),
    actuated: Sequence[str] | None = None,
    home: object = None,
) -> Model:
    """Check a description and build its model.

    Args:
        name: of the robot.
        links: in any order, names unique.
        joints: in any order; one link at most may be no joint's child, it is the root.
        gravity: in world axes (m/s^2).
        base: "fixed" welds the root to the world, "floating" lets it move freely (joint "root_joint").
        locked: joints to weld, with their coordinates there.
        on_invalid: "error", "warn" (keep physically impossible data, say so) or "repair" (fix them, say so).
        source: the file the description came from.
        mimic: whether mimicking joints follow their masters or move by themselves.
        world: whether joints may have the parent "world" without there being such a link.
        loops: what closes kinematic chains.
        actuated: names of the joints with a drive; all by default.
        home: coordinates near which the loops close, all of them or by joint name; zero by default.
    """
    check_options(base, locked, on_invalid)
    links, joints, loops = listed("links", links, LinkSpec), right_joints(joints), listed("loops", loops, LoopSpec)
    if locked and any(joint.lumped is not None for joint in joints):
        options: dict[str, Any] = {"gravity": gravity, "base": base, "on_invalid": on_invalid, "source": source}
        options |= {"mimic": mimic, "world": world, "loops": loops, "actuated": actuated, "home": home}
        return _locked_later(name, links, joints, locked, **options)
    _check_name(name, source)
    links = [_checked(link) for link in links]
    root = check_structure(source or name, links, joints, world=world)
    if loops and is_list(home) and (locked or base == "floating" or not mimic):
        home = _by_joint(source or name, home, links, joints, mimic, world)
    joints, root = _with_base(base, links, joints, root)
    check_home(source or name, home, joints, loops)
    work = _Work(on_invalid)
    kinds = _locked(joints, dict(locked or {}), mimic, work)
    _assemble(links, joints, kinds, root, work)
    _masses(work, {kind.spec.name: kind.spec.lumped for kind in kinds if kind.spec.lumped is not None})
    _followers(work, kinds)
    physical.check(work.links, work.bodies, work.where, work.complain, on_invalid)
    model = Model(name, tuple(work.bodies), tuple(work.links), triple(source or name, "gravity", gravity), source)
    if not loops and actuated is None:
        return model
    from .loops import with_loops  # here: few robots have loops

    stands = standing(joints, locked, mimic)
    loops = left_gears(loops, joints, stands) if locked else loops
    return with_loops(model, loops, actuated, home, across=across(loops, joints, {*locked, *stands}) if locked else ())


def _check_name(name: object, source: str) -> None:
    if not isinstance(name, str) or len(name) > LONGEST:
        rule = f"it must be a string of {LONGEST} characters at most"
        raise ModelError(f"{source[-300:] or 'robot'}: its name is {brief(name)}; {rule}")


def _by_joint(where: str, home: Any, links: Any, joints: Any, mimic: bool, world: bool) -> Any:
    """Coordinates of a description's own joints by name, which a floating base and locked joints leave as they are;
    joints that no longer follow others stand where they followed to.
    """
    for follow in (True, mimic):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OrdernWarning)  # said where the robot itself is built
            own = build("own", links, joints, on_invalid="warn", mimic=follow, world=world)
        if len(home) == own.nq:
            q = numbers(where, "home", home, own.nq)
            made = {own.bodies[i].name: q[own.offsets[i][0] :][: own.bodies[i].joint.nq] for i in own.free}
            return {name: (at,) for name, at in standing(joints, made).items()} | made
    return home


def _locked_later(name: str, links: Any, joints: Any, locked: object, **options: Any) -> Model:
    """Where bodies have other masses than their links sum up to, these go to the links before bodies are joined."""
    from .respec import rebuilt  # it uses this file

    free = build(name, links, joints, **options)
    return rebuilt(free, {"locked": locked, "on_invalid": options["on_invalid"], "mimic": options["mimic"]})


def check_options(base: object, locked: object, on_invalid: object) -> None:
    """What every way of describing a robot takes, whatever was given for it."""
    one_of("base", base, ("fixed", "floating"))
    one_of("on_invalid", on_invalid, ON_INVALID)
    if locked is not None and not isinstance(locked, Mapping):
        raise InputError(f"locked must map joint names to values, got a {type(locked).__name__}")


@dataclass
class _Kind:
    """A joint during building: its spec, class (None: weld), canonical frame and mimic."""

    spec: JointSpec
    joint: Joint | None
    frame: Placement
    weld: Placement | None = None  # the motion at which a locked joint stays, in canonical frames
    mimic: MimicSpec | None = None

    @property
    def moves(self) -> bool:
        return self.joint is not None and self.weld is None


@dataclass
class _Work:
    """What has been built so far."""

    on_invalid: str
    links: list[Link] = field(default_factory=list)
    bodies: list[Body] = field(default_factory=lambda: [WORLD])
    where: list[str] = field(default_factory=list)  # of each link

    def complain(self, message: str, repaired: str = "") -> None:
        """Refuse, or accept with a warning; ``repaired`` says what a repair has done."""
        if self.on_invalid == "error":
            raise ModelError(message)
        tell(f"{message} ({repaired or 'kept as it is'})")


def _checked(link: LinkSpec) -> LinkSpec:
    """The link with plain finite floats."""
    where = link.where or f"link {shown(link.name)}"
    right_shapes(where, link)
    mass = number(where, "mass", link.mass)
    if mass < 0:
        raise ModelError(f"{where}: mass is {mass!r} kg; a mass must not be negative, remove the sign or the mass")
    com, inertia = triple(where, "mass centre", link.com), numbers(where, "inertia", link.inertia, 6)
    return LinkSpec(link.name, mass, com, inertia, link.visuals, link.collisions, where)


def _with_base(
    base: str, links: Sequence[LinkSpec], joints: Sequence[JointSpec], root: int | None
) -> tuple[list[JointSpec], int | None]:
    """The joints and the welded root, if any; a floating base gets a joint with parent THE_WORLD."""
    if base == "fixed":
        return list(joints), root
    if root is None:
        raise InputError(
            "base='floating' needs a link without a joint to the world; this description fixes all of its trees itself"
        )
    link, taken, name = links[root], {j.name for j in joints}, "root_joint"
    while name in taken:
        name += "_"
    if link.name == "world" and not link.mass and any(j.parent == "world" and j.type == "floating" for j in joints):
        return list(joints), root  # the description has its floating base already
    return [JointSpec(name, "floating", THE_WORLD, link.name, where=link.where), *joints], None


def _locked(joints: Sequence[JointSpec], locked: dict[str, Any], follow: bool, work: _Work) -> list[_Kind]:
    """Each joint with its class; locked joints and their mimics with their constant position."""
    known = joint_types()
    by_name = {j.name: j for j in joints}
    for name in locked:
        if name not in by_name:
            raise InputError(
                f"locked names the joint {shown(name)}, which the robot does not have{near(name, by_name)}"
            )
    leading = masters(joints, by_name, known, work.complain) if follow else {}
    kinds = []
    for spec in joints:
        cls = joint_type(spec, known)
        if cls is None:
            if spec.name in locked and locked[spec.name] != 0:
                raise InputError(
                    f"locked puts joint {spec.name!r} at {locked[spec.name]!r}, but it is fixed; leave it out"
                )
            kinds.append(_Kind(spec, None, Placement()))
            continue
        kind = _Kind(spec, make_joint(spec, cls), canonical(spec, cls), mimic=leading.get(spec.name))
        value = locked.get(spec.name)
        _within(spec, kind.joint, value)
        if value is None and kind.mimic is not None and kind.mimic.joint in locked:
            value = (
                kind.mimic.ratio * number("locked", kind.mimic.joint, _scalar(locked[kind.mimic.joint]))
                + kind.mimic.offset
            )
        if value is not None:
            kind.weld, kind.mimic = _stay(spec, kind, value), None
        kinds.append(kind)
    return kinds


def _within(spec: JointSpec, joint: Joint | None, value: Any) -> None:
    """Warn about a joint that is welded where it cannot stand."""
    if value is None or joint is None or not joint.plain or joint.nq != 1 or not isinstance(_scalar(value), Real):
        return
    x = float(_scalar(value))
    lower = (*per_velocity(spec, "lower", 1, infinite=True), -math.inf)[0]
    upper = (*per_velocity(spec, "upper", 1, infinite=True), math.inf)[0]
    if x < lower - 1e-9 or x > upper + 1e-9:  # the slack that simulations give a start
        hint = f"; {DEGREES}" if joint.angular[0] and abs(x) > TURN else ""
        tell(f"locked puts joint {spec.name!r} at {x:.6g}, outside its limits {lower:.6g} to {upper:.6g}{hint}")


def _scalar(value: Any) -> Any:
    """The number in a list of one; anything else unchanged, for ``number`` to judge."""
    try:
        return value[0] if not isinstance(value, str) and len(value) == 1 else value
    except (TypeError, KeyError):  # a number, a set, a dictionary
        return value


def _stay(spec: JointSpec, kind: _Kind, value: object) -> Placement:
    """Where a locked joint holds its body."""
    joint = kind.joint
    assert joint is not None  # welds are handled before
    q = [value] if not hasattr(value, "__len__") else value
    try:
        coordinates = numbers("locked", f"the value of joint {spec.name!r}", q, joint.nq)
        return at(joint, coordinates)
    except ModelError as error:
        raise InputError(str(error)) from None
    except ZeroDivisionError:
        raise InputError(f"locked: the quaternion of joint {spec.name!r} is zero; give one of unit length") from None


def _assemble(
    links: Sequence[LinkSpec], joints: Sequence[JointSpec], kinds: Sequence[_Kind], root: int | None, work: _Work
) -> None:
    """Attach link after link: welds as soon as their parent is there, then moving joints in file order."""
    by_name = {link.name: link for link in links}
    index: dict[str, int] = {}
    below: dict[str, list[int]] = {}
    for k, spec in enumerate(joints):
        below.setdefault(spec.parent, []).append(k)
    ready: list[tuple[bool, int]] = []
    shifted: set[int] = set()  # links behind a locked joint: their frames are not those in which ``exact`` was written

    def attach(link: LinkSpec, body: int, placement: Placement, parent: int, joint: str) -> None:
        index[link.name] = len(work.links)
        inertia = (link.inertia[0], link.inertia[1], link.inertia[2], link.inertia[3], link.inertia[4], link.inertia[5])
        com = (link.com[0], link.com[1], link.com[2])
        work.links.append(
            Link(link.name, body, placement, link.mass, com, inertia, parent, joint, link.visuals, link.collisions)
        )
        work.where.append(link.where)
        for k in below.get(link.name, ()):
            heapq.heappush(ready, (kinds[k].moves, k))

    if root is not None:
        attach(links[root], 0, Placement(), -1, "")
    for k in below.get(THE_WORLD, []) + ([] if "world" in by_name else below.get("world", [])):
        heapq.heappush(ready, (kinds[k].moves, k))
    while ready:
        kind = kinds[heapq.heappop(ready)[1]]
        spec = kind.spec
        at_link = index.get(spec.parent, -1)
        body, placement = (0, Placement()) if at_link < 0 else (work.links[at_link].body, work.links[at_link].placement)
        if kind.moves:
            frame = placement @ spec.origin @ kind.frame
            frame = frame if at_link in shifted else _exactly(spec, placement, frame)
            work.bodies.append(_body(kind, body, frame, work))
            seen = undone(kind.frame) if spec.child_frame == HERE else kind.frame.inverse() @ spec.child_frame
            attach(by_name[spec.child], len(work.bodies) - 1, seen, at_link, spec.name)
            continue
        held = spec.origin if kind.weld is None else spec.origin @ kind.frame @ kind.weld @ kind.frame.inverse()
        frame = placement @ held @ spec.child_frame
        if kind.weld is not None or at_link in shifted:
            shifted.add(len(work.links))
        else:
            frame = _exactly(spec, placement, frame)
        attach(by_name[spec.child], body, frame, at_link, spec.name)


def _exactly(spec: JointSpec, parent: Placement, made: Placement) -> Placement:
    """The placement as the description has it to the last bit, if it agrees with the computed one."""
    if spec.exact is None:
        return made
    pairs = zip((*made.rotation, *made.origin), (*spec.exact.rotation, *spec.exact.origin), strict=True)
    size = max(1.0, *map(abs, (*parent.origin, *spec.origin.origin, *made.origin)))
    if any(abs(a - b) > 1e-9 * size for a, b in pairs):
        raise ModelError(
            f"{spec.where}: 'exact' disagrees with the position and axis above it; delete 'exact' after editing them"
        )
    return spec.exact


def _body(kind: _Kind, parent: int, placement: Placement, work: _Work) -> Body:
    """The body a joint moves, its inertia still to be summed."""
    spec, joint = kind.spec, kind.joint
    assert joint is not None  # only moving joints come here
    n = joint.nv
    continuous = spec.type == "continuous"
    lower, upper = (per_velocity(spec, what, n, infinite=True) for what in ("lower", "upper"))
    if continuous:
        if any(map(math.isfinite, lower + upper)):
            tell(
                f"{spec.where}: a continuous joint has no limits: left out; make it revolute to keep them", UserWarning
            )
        lower = upper = ()
    if lower and upper and any(a > b for a, b in zip(lower, upper, strict=True)):
        repaired = "swapped" if work.on_invalid == "repair" else ""
        work.complain(
            f"{spec.where}: the lower limit {min(lower)!r} is above the upper one {max(upper)!r}; swap them, "
            "or pass on_invalid='warn' or 'repair'",
            repaired,
        )
        if repaired:
            lower, upper = tuple(map(min, lower, upper)), tuple(map(max, lower, upper))
    armature, damping, friction = (
        _unless_zero(per_velocity(spec, what, n, positive=True)) for what in ("armature", "damping", "friction")
    )
    velocity, effort = (per_velocity(spec, what, n, infinite=True, positive=True) for what in ("velocity", "effort"))
    stiffness, springref = spring(spec, joint)
    return Body(
        spec.name, joint, parent, placement, Mass(), armature, damping, friction, lower, upper, velocity, effort,
        continuous=continuous, stiffness=stiffness, springref=springref,
    )  # fmt: skip


def _unless_zero(values: tuple[float, ...]) -> tuple[float, ...]:
    return values if any(values) else ()


def _masses(work: _Work, lumped: Mapping[str, Mass]) -> None:
    """Sum the links of each body, in order; welded links add to the world."""
    total = [Mass()] * len(work.bodies)
    for link in work.links:
        if link.mass or any(link.inertia):
            total[link.body] = total[link.body] + Mass.from_com(link.mass, link.com, link.inertia).moved(link.placement)
    work.bodies[:] = [
        replace(body, inertia=lumped.get(body.name, mass)) for body, mass in zip(work.bodies, total, strict=True)
    ]


def _followers(work: _Work, kinds: Sequence[_Kind]) -> None:
    """Let mimicking bodies point to their masters."""
    index = {body.name: i for i, body in enumerate(work.bodies) if i}
    for kind in kinds:
        if kind.mimic is not None:
            i, m = index[kind.spec.name], kind.mimic
            work.bodies[i] = replace(work.bodies[i], mimic=Mimic(index[m.joint], m.ratio, m.offset))
