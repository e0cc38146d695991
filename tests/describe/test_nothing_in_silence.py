"""What a writer is given comes back, or a warning names it, or the writer refuses: every writer, property and kind of robot."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
import pytest

import ordern
from ordern.describe.builder import JointSpec, LinkSpec, LoopSpec, MimicSpec, build
from ordern.describe.builtin import names
from ordern.describe.compare import differences, gone, lost, places, written_names
from ordern.describe.respec import specs
from ordern.describe.urdf.urdf_write import PER_VELOCITY, plain_shapes
from ordern.errors import ModelError, OrdernWarning
from ordern.model import Drive, Geometry, State

from .test_every_joint_and_writer import TENSOR, of, values
from .test_writers import PROPERTIES, SIZES

CLOSE = 1e-12  # numbers of size 1 that pass through a few products of rotations
WRITERS = {"toml": "save", "urdf": "to_urdf", "sdf": "to_sdf", "mjcf": "to_mjcf"}
FILES = {"toml": "a.toml", "urdf": "a.urdf", "sdf": "a.sdf", "mjcf": "a.xml"}
NONE = {"lower": -np.inf, "upper": np.inf, "velocity": np.inf, "effort": np.inf}


def arm(kind="revolute", **more):
    """Base, arm and tip, each of one joint; ``more`` is for the second one."""
    links = [LinkSpec(name, 1.0, (0.1, 0.2, 0.3), TENSOR) for name in ("base", "arm", "tip")]
    first = JointSpec("turn", "revolute", "base", "arm", axis=(0.0, 1.0, 0.0))
    return build("x", links, [first, JointSpec("j", kind, "arm", "tip", **more)])


def with_frame(massless):
    """An arm whose joints have a link between them."""
    own = (0.0, (0, 0, 0), (0,) * 6) if massless else (1.0, (0, 0, 0), TENSOR)
    links = [
        LinkSpec("base", 1.0, (0, 0, 0), TENSOR),
        LinkSpec("between", *own),
        LinkSpec("tip", 1.0, (0, 0, 0), TENSOR),
    ]
    return build(
        "x", links, [JointSpec("a", "revolute", "base", "between"), JointSpec("b", "prismatic", "between", "tip")]
    )


def with_shapes(*shapes):
    return arm().changed(links=tuple(replace(link, visuals=shapes, collisions=shapes[:1]) for link in arm().links))


def afloat(**more):
    return build("x", [LinkSpec("b", 1.0, (0, 0, 0), TENSOR)], [JointSpec("free", "floating", "", "b", **more)])


def hung(link):
    """Two links that hang between the base and a point of a link."""
    made = arm()
    at = (0.1, 0.2, 0.3)
    loop = LoopSpec("pin", "point", link, "tip", xyz1=at, xyz2=at)
    return build("x", *specs(made), loops=[loop])


def geared():
    links = [LinkSpec(name, 1.0, (0.1, 0, 0), TENSOR) for name in ("base", "a", "b")]
    joints = [JointSpec("ja", "revolute", "base", "a"), JointSpec("jb", "revolute", "base", "b")]
    return build("x", links, joints, loops=[LoopSpec("gear", "gear", joints={"ja": 2.0, "jb": 1.0}, offset=0.5)])


MOTOR = Drive("motor", (("turn", 2.0),), 3.0, (0.5, -1.0, -2.0), (-1.0, 1.0), (-5.0, 5.0))
UP = State("up", (1.0,) * 3 + (0.0,) * 3 + (1.0,) * 7, (0.5,) * 12)
ROBOTS = {
    **{f"built-in {name}": lambda name=name: ordern.load(name).model for name in names()},
    **{f"all of {kind}": lambda kind=kind: of(kind, PROPERTIES) for kind in ("revolute", "continuous", "helical", "prismatic", *SIZES)},
    **{
        f"{key} of {kind}": lambda kind=kind, key=key: of(kind, (key,))
        for kind in ("revolute", "prismatic", "spherical", "universal")
        for key in PROPERTIES
        if key != "springref"
    },
    "follower": lambda: arm(mimic=MimicSpec("turn", -1.5, 0.25)),
    "no way to move": lambda: arm(lower=0.5, upper=0.5),
    "no way, planar": lambda: arm("planar", lower=(-1, 0.5, -2), upper=(1, 0.5, 2), velocity=(1.0, np.inf, 3.0)),
    "no force": lambda: arm(effort=0.0),
    "one side": lambda: arm(lower=-0.5),
    "gravity": lambda: arm().changed(gravity=(1.0, -2.0, -8.5)),
    "no gravity": lambda: arm().changed(gravity=(0.0, 0.0, 0.0)),
    "one drive": lambda: arm().changed(actuated=("j",)),
    "one drive of several ways": lambda: arm("universal").changed(actuated=("j",)),
    "no drive": lambda: arm().changed(actuated=()),
    "states": lambda: arm().changed(states=(State("up", (0.5, -1.0), (0.0, 2.0)), State("down", (-0.5, 1.0), (0.0, 0.0)))),
    "start elsewhere": lambda: arm().changed(states=(State("qpos0", (0.5, -1.0), (0.0, 0.0)),)),
    "motor": lambda: arm().changed(drives=(MOTOR,)),
    "motor of two": lambda: arm().changed(drives=(replace(MOTOR, arms=(("turn", 2.0), ("j", -1.0))),)),
    "motor with a control": lambda: arm(effort=30.0).changed(drives=(replace(MOTOR, arms=(("j", 2.0),), force=()),)),
    "closed to the world": lambda: hung("world"),
    "closed to the base": lambda: hung("base"),
    "floating elsewhere": lambda: afloat(),
    **{
        f"{key} of what floats": lambda key=key: afloat(**values("floating", ("stiffness", key)))
        for key in PROPERTIES
    },
    "floating state": lambda: ordern.load("ur5", base="floating").model.changed(states=(UP,)),
    "floating": lambda: ordern.load("ur5", base="floating").model,
    "frame between joints": lambda: with_frame(True),
    "link between joints": lambda: with_frame(False),
    "gear": geared,
    "mesh": lambda: with_shapes(Geometry("mesh", (1.0, 1.0, 1.0), "nowhere.stl")),
    "shape that is there twice": lambda: with_shapes(*[Geometry("box", (0.1, 0.2, 0.3))] * 2),
    "shapes": lambda: with_shapes(Geometry("box", (0.1, 0.2, 0.3)), Geometry("capsule", (0.1, 0.2)), Geometry("sphere", (0.1,))),
}  # fmt: skip


def held(model, form):
    """Everything that a robot has: (kind, name) and its numbers."""
    made = {("gravity", ""): model.gravity}
    at = places(model, form)
    for body in model.bodies[1:]:
        parts = written_names(model, body, form)
        for key in PER_VELOCITY:
            size = body.joint.nq if key == "springref" else body.joint.nv
            values = getattr(body, key) or (NONE.get(key, 0.0),) * size
            for c, name in enumerate(parts):
                made[key, name] = values if len(parts) == 1 else values[c : c + 1]
        if body.mimic:
            made["mimic", body.name] = (body.mimic.ratio, body.mimic.offset)
    for name, (q, v) in at.items():
        made["drive", name] = (model.driven[v[0]],)
        made["closed at", name] = tuple(model.home[k] for k in q) if model.loops else ()
        for state in model.states:
            made[f"state {state.name}", name] = (*(state.q[k] for k in q), *(state.qd[k] for k in v))
    made |= {("loop", loop.name): (len(loop.kept),) for loop in model.loops}
    made |= {("motor", d.name): (*(a for _, a in d.arms), d.gain, *d.bias, *d.control, *d.force) for d in model.drives}
    for link in model.links:
        if link.name != "world":
            made["link", link.name] = (link.mass, *link.com, *link.inertia)
            for key in ("visuals", "collisions"):
                shapes = [part for shape in getattr(link, key) for part in plain_shapes(shape)]
                made[key, link.name] = tuple(x for s in shapes for x in (*s.size, *s.placement.origin))
    return made


def apart(given, found):
    return len(given) != len(found) or not np.allclose(given, found, rtol=CLOSE, atol=CLOSE)


@pytest.mark.parametrize("form", WRITERS)
@pytest.mark.parametrize("name", ROBOTS)
def test_it_comes_back_or_is_named(tmp_path, form, name):
    robot = ordern.Robot(ROBOTS[name]())
    file = tmp_path / FILES[form]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            getattr(robot, WRITERS[form])(file)
        except ModelError as error:
            assert form != "toml" and "'" in str(error)  # the culprit
            return
    back = ordern.load(file, on_invalid="warn" if name.startswith("built-in") else "error").model
    numbers = gone(
        robot.model, form
    )  # the rest are looks and names: remarks that stop no one who makes errors of warnings
    for w in told:
        assert w.category is (OrdernWarning if any(line in str(w.message) for line in numbers) else UserWarning)
        assert str(file) in str(w.message)
    text = " ".join(str(w.message) for w in told)
    ours, theirs = held(robot.model, form), held(back, form)
    missing = [key for key, value in ours.items() if apart(value, theirs.get(key, ()))]
    own = {name: body.name for body in robot.model.bodies[1:] for name in written_names(robot.model, body, form)}
    for kind, who in missing:
        link = next((k for k in robot.model.links if k.name == who), None)
        meshes = [shape.path for shape in (*link.visuals, *link.collisions)] if link else []
        named = (own.get(who, who), kind.removeprefix("state "), *meshes)
        assert any(repr(part) in text for part in named), (kind, who, ours[kind, who], theirs.get((kind, who)), text)
    assert bool(missing) == bool(told), text  # nothing is warned about that is there
    # and ``convert`` says the same
    assert missing or differences(robot.model, back, form) == []
    assert all(any(line in str(w.message) for line in lost(robot.model, form)) for w in told)
