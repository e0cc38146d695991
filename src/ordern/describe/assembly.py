"""Combine and split robots: a gripper on an arm, robots in one world, branches, locked or freed joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..errors import InputError, near, shown, tell
from ..joints import JOINTS
from ..model import WORLD, Body, Link, Mass, Mimic, Model, Placement, State
from .changes import agreeing, sums, wired
from .loops import with_loops
from .meshes import by_package
from .respec import loop_specs, rebuilt, specs, with_states
from .specs import LoopSpec
from .structure import LONGEST

__all__ = ["attached", "beside", "branch", "freed", "locked", "same_gravity", "without_branch"]


def attached(model: Model, other: Model, link: int, placement: Placement, prefix: str) -> Model:
    """The model with another one welded to a link: the other's root frame sits at ``placement`` in the link's frame."""
    model, other = agreeing(wired(model)), agreeing(wired(renamed(other, prefix)))
    _distinct(model, other)
    if (other.source, other.packages) != (model.source, model.packages):
        other = by_package(other, [model])
    same_gravity([model, other], "say with_gravity() of one of them first")
    carrier = model.links[link]
    at, shift, first = carrier.placement @ placement, len(model.bodies) - 1, len(model.links)
    joints = (
        {k.joint for k in model.links}
        | {k.joint for k in other.links}
        | {b.name for b in (*model.bodies, *other.bodies)}
    )
    links = [_link_on(k, carrier.body, at, shift, first, link, joints) for k in other.links]
    bodies = [*model.bodies, *(_body_on(b, carrier.body, at, shift) for b in other.bodies[1:])]
    carried = sums(other)[0]  # what was fixed to the other's world
    body = bodies[carrier.body]
    bodies[carrier.body] = replace(body, inertia=body.inertia + carried.moved(at)) if carried != Mass() else body
    tree = replace(_bare(model), bodies=tuple(bodies), links=(*model.links, *links), packages=_packages(model, other))
    return _furnished(_closed(tree, [(model, Placement()), (other, None)]), [model, other])


def beside(
    models: Sequence[Model], placements: Sequence[Placement], prefixes: Sequence[str], name: str, gravity: Any
) -> Model:
    """Several models as one tree on the world, each with its prefix and where its root frame sits."""
    tree = Model(name, (WORLD,), (), gravity)
    for model, at, prefix in zip(models, placements, prefixes, strict=True):
        other = by_package(agreeing(wired(renamed(model, prefix))), [tree])
        _distinct(tree, other)
        shift, first = len(tree.bodies) - 1, len(tree.links)
        taken = {k.joint for k in tree.links} | {k.joint for k in other.links}
        links = [_link_on(k, 0, at, shift, first, -1, taken) for k in other.links]
        bodies = [_body_on(b, 0, at, shift) for b in other.bodies[1:]]
        tree = replace(
            tree,
            bodies=(*tree.bodies, *bodies),
            links=(*tree.links, *links),
            packages=_packages(tree, other),
        )
    parts = [renamed(model, prefix) for model, prefix in zip(models, prefixes, strict=True)]
    return _furnished(_closed(tree, list(zip(parts, placements, strict=True))), parts)


def _packages(*models: Model) -> tuple[tuple[str, str], ...]:
    return tuple(dict.fromkeys(pair for model in models for pair in model.packages))


def same_gravity(models: Sequence[Model], remedy: str) -> None:
    """Warn where robots that become one were under different gravity: one world has one, that of the first."""
    first = models[0]
    odd = next((m for m in models[1:] if m.gravity != first.gravity), None)
    if odd is not None:
        mine, theirs = (" ".join(f"{g:g}" for g in m.gravity) for m in (first, odd))
        tell(
            f"robot {first.name!r} is under gravity {mine}, robot {odd.name!r} under {theirs} m/s^2; together they are "
            f"under the first; {remedy}"
        )


def _furnished(made: Model, parts: Sequence[Model]) -> Model:
    """What was made of these parts, with their motors, their named states and what their files have beyond a model.

    In a state of one part the others stand where they start; states of the same name are one state of all.
    """
    states: dict[str, State] = {}
    at = (0, 0)
    for part in parts:
        end = (at[0] + part.nq, at[1] + part.nv)
        for state in part.states:
            whole = states.get(state.name) or State(state.name, made.home or _neutral(made), (0.0,) * made.nv)
            q = (*whole.q[: at[0]], *state.q, *whole.q[end[0] :])
            states[state.name] = State(state.name, q, (*whole.qd[: at[1]], *state.qd, *whole.qd[end[1] :]))
        at = end
    beyond = tuple(dict.fromkeys(line for part in parts for line in part.beyond))
    return replace(
        made, states=tuple(states.values()), drives=tuple(d for part in parts for d in part.drives), beyond=beyond
    )


def _neutral(model: Model) -> tuple[float, ...]:
    return tuple(x for i in model.free for x in model.bodies[i].joint.neutral)


def _distinct(a: Model, b: Model) -> None:
    """No name may be there twice."""
    for kind, mine, theirs in (
        ("link", {k.name for k in a.links}, [k.name for k in b.links]),
        ("motor", {d.name for d in a.drives}, [d.name for d in b.drives]),
        (
            "joint",
            {k.joint for k in a.links if k.joint} | {x.name for x in a.bodies[1:]},
            [k.joint for k in b.links if k.joint],
        ),
    ):
        twice = [name for name in theirs if name in mine]
        if twice:
            raise InputError(
                f"both robots have a {kind} {twice[0]!r}; give the second one a prefix, such as prefix='tool_'"
            )


def _link_on(k: Link, body: int, at: Placement, shift: int, first: int, carrier: int, joints: set[str]) -> Link:
    """A link of the second robot in the numbers of the first: what was fixed to its world is fixed to the carrier."""
    moved = replace(k, body=k.body + shift) if k.body else replace(k, body=body, placement=at @ k.placement)
    if k.parent >= 0:
        return replace(moved, parent=k.parent + first)
    joint = k.joint
    if not joint:
        joint = f"{k.name}_mount"
        while joint in joints:
            joint += "_"
        joints.add(joint)
    return replace(moved, parent=carrier, joint=joint)


def _body_on(b: Body, body: int, at: Placement, shift: int) -> Body:
    mimic = None if b.mimic is None else Mimic(b.mimic.body + shift, b.mimic.ratio, b.mimic.offset)
    placement = b.placement if b.parent else at @ b.placement
    return replace(b, parent=b.parent + shift if b.parent else body, placement=placement, mimic=mimic)


def _bare(model: Model) -> Model:
    """Without what depends on all bodies together."""
    return replace(model, loops=(), actuated=None, home=(), passive=(), suspect=(), states=(), drives=())


def _closed(tree: Model, parts: Sequence[tuple[Model, Placement | None]]) -> Model:
    """Loops and drives of all parts in the whole tree; ``world`` of a part is None if it rides on a link."""
    loops: list[LoopSpec] = []
    home: dict[str, Any] = {}
    for part, at in parts:
        for spec in loop_specs(part):
            for link, frame in (("link1", "frame1"), ("link2", "frame2")):
                if getattr(spec, link) == "world" and not spec.joints:
                    if at is None:
                        raise InputError(
                            f"loop {spec.name!r} is closed on the world; a robot with such a loop cannot ride on a link"
                        )
                    spec = replace(spec, **{frame: at @ getattr(spec, frame)})
            loops.append(spec)
        if part.loops:
            home |= _home(part)
    driven = None
    if any(part.actuated is not None for part, _ in parts):
        driven = [n for part, _ in parts for n in (part.actuated if part.actuated is not None else _driven(part))]
    return tree if not loops and driven is None else with_loops(tree, loops, driven, home or None)


def _driven(model: Model) -> list[str]:
    """The joints of a robot that names no drives: all but floating ones."""
    return [model.bodies[i].name for i in model.free if model.bodies[i].joint.driven]


def _home(model: Model) -> dict[str, Any]:
    """Where the loops are closed, by joint."""
    return {model.bodies[i].name: model.home[model.offsets[i][0] :][: model.bodies[i].joint.nq] for i in model.free}


def renamed(model: Model, prefix: str) -> Model:
    """The model with a prefix before every name of a link, joint or loop."""
    if not prefix:
        return model
    longest = max((n for k in model.links for n in (k.name, k.joint)), key=len, default="")
    if len(prefix) + len(longest) > LONGEST:
        raise InputError(
            f"with the prefix {prefix[:40]!r} the name {longest[:40]!r} would have {len(prefix) + len(longest)} "
            f"characters; {LONGEST} are enough, give a shorter prefix"
        )
    links = tuple(replace(k, name=prefix + k.name, joint=prefix + k.joint if k.joint else "") for k in model.links)
    bodies = (model.bodies[0], *(replace(b, name=prefix + b.name) for b in model.bodies[1:]))
    loops = tuple(replace(loop, name=prefix + loop.name) for loop in model.loops)
    driven = None if model.actuated is None else tuple(prefix + name for name in model.actuated)
    drives = tuple(
        replace(d, name=prefix + d.name, arms=tuple((prefix + name, arm) for name, arm in d.arms)) for d in model.drives
    )
    states = tuple(replace(state, name=prefix + state.name) for state in model.states)
    return replace(model, links=links, bodies=tuple(bodies), loops=loops, actuated=driven, drives=drives, states=states)


def _behind(model: Model, link: int) -> set[int]:
    """A link and all links behind it."""
    found = {link}
    for k, other in enumerate(model.links):  # parents come first
        if other.parent in found:
            found.add(k)
    return found


def branch(model: Model, link: int) -> Model:
    """A link and its branch as a robot, the link fixed to the world."""
    model = agreeing(wired(model))
    kept = _behind(model, link)
    return _rebuilt_of(model, kept, model.links[link].name, model.links[link].joint)


def without_branch(model: Model, link: int) -> Model:
    """The robot without a link and what it carries."""
    model = agreeing(wired(model))
    gone = _behind(model, link)
    if len(gone) == len(model.links):
        raise InputError(f"link {model.links[link].name!r} carries the whole robot; name one further out")
    return _rebuilt_of(model, set(range(len(model.links))) - gone, model.name)


def _rebuilt_of(model: Model, kept: set[int], name: str, cut_at: str = "") -> Model:
    """The model of some of its links, without the joint ``cut_at``; what ties them to others must not be cut."""
    from .builder import build

    links, joints = specs(model)
    names = {model.links[k].name for k in kept}
    links = [spec for spec in links if spec.name in names]
    joints = [
        replace(j, exact=None, lumped=None)
        for j in joints
        if j.child in names and (j.parent in names or not j.parent) and j.name != cut_at
    ]
    there = {j.name for j in joints}
    for j in joints:
        if j.mimic is not None and j.mimic.joint not in there:
            raise InputError(
                f"joint {j.name!r} mimics {j.mimic.joint!r}, which is not in this part; load with mimic=False, or take "
                "a larger part"
            )
    held = names | {""} | ({"world"} if not cut_at else set())  # a part that is cut off has another world
    given = loop_specs(model)
    loops = [spec for spec in given if {spec.link1, spec.link2} <= held and set(spec.joints) <= there]
    for spec in given:
        if spec not in loops and (({spec.link1, spec.link2} & names) or (set(spec.joints) & there)):
            what = "world" if "world" in (spec.link1, spec.link2) else "rest"
            raise InputError(
                f"loop {spec.name!r} ties this part to the {what}; take a part that holds both of its links"
            )
    driven = None if model.actuated is None else [n for n in model.actuated if n in there]
    options: dict[str, Any] = {"loops": loops, "actuated": driven} if loops or driven is not None else {}
    if loops:
        options["home"] = {name: at for name, at in _home(model).items() if name in there}
    made = build(name, links, joints, gravity=model.gravity, source=model.source, on_invalid="warn", **options)
    return with_states(replace(made, packages=model.packages, beyond=model.beyond), model)


def locked(model: Model, joints: object) -> Model:
    """Joints welded at these coordinates."""
    if not isinstance(joints, Mapping):
        raise InputError(f"give joints with their coordinates, such as {{'elbow': 0.5}}; got a {type(joints).__name__}")
    return rebuilt(model, {"locked": dict(joints)})


def freed(model: Model, joints: Any) -> Model:
    """Free joints: a mimicking one moves by itself, a fixed one gets the given type along z of its frame."""
    listed = isinstance(joints, (list, tuple, set, frozenset))
    if listed and not all(isinstance(name, str) for name in joints):
        raise InputError("names of joints are texts")
    wanted = dict.fromkeys(joints) if listed else joints
    if not isinstance(wanted, Mapping):
        raise InputError("give names of mimicking joints, or fixed joints with types, such as {'weld': 'revolute'}")
    model = agreeing(wired(model))
    links, given = specs(model)
    made, known = [], {j.name: j for j in given}
    for name, kind in wanted.items():
        if not isinstance(name, str) or name not in known:
            raise InputError(f"the robot has no joint {shown(name)}{near(name, known)}")
        fixed = known[name].type == "fixed"
        if fixed and (not isinstance(kind, str) or kind not in (*JOINTS, "continuous")):
            raise InputError(
                f"joint {name!r} is fixed; say what it becomes, such as {{{name!r}: 'revolute'}} (or "
                f"{', '.join(JOINTS)})"
            )
        if not fixed and (kind is not None or known[name].mimic is None):
            raise InputError(f"joint {name!r} moves by itself already")
    for j in given:
        if j.name in wanted:
            j = replace(j, type=wanted[j.name] or j.type, mimic=None)
        made.append(replace(j, exact=None, lumped=None) if any(known[n].type == "fixed" for n in wanted) else j)
    from .builder import build

    options: dict[str, Any] = {"loops": loop_specs(model), "home": _home(model)} if model.loops else {}
    if model.actuated is not None:
        options["actuated"] = list(model.actuated)
    done = build(model.name, links, made, gravity=model.gravity, source=model.source, **options)
    return with_states(replace(done, packages=model.packages, beyond=model.beyond), model)
