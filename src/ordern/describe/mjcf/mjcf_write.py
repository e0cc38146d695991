"""MJCF out: the same robot as nested bodies, as far as MJCF can say it.

A link is a body; its frame stands where it is with every joint at rest, and a joint's anchor and axis are written in
it. Links without mass between joints become several joints of one body, which is how MuJoCo moves more than one way at
once.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from ...errors import ModelError
from ...joints import Cylindrical, Floating, Joint, Planar3, Prismatic, Revolute, Spherical, Universal
from ...model import Body, Geometry, Link, Model, Placement
from ..changes import agreeing, wired
from ..meshes import mesh_path
from ..physical import matrix
from ..xml_text import numbers, quote
from .mjcf_bodies import quaternion
from .mjcf_custom import custom
from .mjcf_joints import UNLIMITED
from .mjcf_write_more import actuators, branches, equalities, floats, keys, sites, standing, tendons

__all__ = ["merged", "names_of", "refused", "to_mjcf", "unwritten"]

ROUNDING = 1e-13  # of the largest moment of inertia
DEEP = 24  # levels that are indented: a chain of 10,000 links would be blanks only
MESHES = (".stl", ".obj", ".msh")
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
# type: the joints of MJCF that make it up, in order, with their axes in the joint frame
PARTS: dict[type[Joint], tuple[tuple[str, tuple[float, float, float]], ...]] = {
    Revolute: (("hinge", Z),),
    Prismatic: (("slide", Z),),
    Cylindrical: (("hinge", Z), ("slide", Z)),
    Universal: (("hinge", X), ("hinge", Y)),
    Planar3: (("slide", X), ("slide", Y), ("hinge", Z)),
    Spherical: (("ball", Z),),
    Floating: (("free", Z),),
}


def to_mjcf(model: Model, folder: str | os.PathLike[str] | None = None) -> str:
    """The model as MJCF text; a ModelError for what MJCF cannot say (helical joints, floating ones off the world, some
    loops).

    ``folder`` is where the file will lie: meshes are named from there, those that MuJoCo cannot read are left out.
    What MJCF has no word for, such as speed limits, stands in <custom>, which MuJoCo ignores. Cylindrical, universal
    and planar joints become two or three joints.
    """
    model = standing(agreeing(wired(model), negative=True))
    writer = _Writer(model, None if folder is None else Path(folder))
    body = writer.bodies()
    if not any(line.lstrip().startswith("<body") for line in body):
        raise ModelError(
            f"robot {model.name!r} is nothing but the world; an MJCF has at least one body, save it as .toml instead"
        )
    lines = [
        f"<mujoco model={quote(model.name)}>",
        '  <compiler angle="radian" inertiafromgeom="false"/>',
        f"  <option gravity={numbers(model.gravity)}/>",
    ]
    if writer.meshes:
        lines += ["  <asset>", *(f"    {line}" for line in writer.meshes.values()), "  </asset>"]
    lines += ["  <worldbody>", *body, "  </worldbody>"]
    lines += [*tendons(model), *equalities(model), *actuators(model), *keys(model), *custom(model, names_of)]
    return "\n".join([*lines, "</mujoco>", ""])


def names_of(model: Model, body: Body) -> list[str]:
    """Names of the MJCF joints that stand for one joint: its own, numbered where there are several."""
    count = len(PARTS.get(type(body.joint), ((),)))
    if count == 1:
        return [body.name]
    mark = "_"
    while any(f"{body.name}{mark}{c}" in model.joint_index for c in range(1, count + 1)):
        mark += "_"
    return [f"{body.name}{mark}{c}" for c in range(1, count + 1)]


def _share(first: Joint, second: Joint) -> bool:
    """Whether MuJoCo takes both joints in one body: nothing beside a free joint, no hinge after a ball."""
    return (
        not isinstance(first, Floating)
        and not isinstance(second, Floating)
        and (not isinstance(first, Spherical) or type(second) is Prismatic)
    )


class _Writer:
    """State shared while bodies are written."""

    def __init__(self, model: Model, folder: Path | None) -> None:
        self.model, self.folder = model, folder
        self.below = branches(model)
        self.names = {link.name for link in model.links} | {"world"}
        self.meshes: dict[str, str] = {}
        self.sites = sites(model)
        start = next((s.q for s in model.states if s.name == "qpos0"), ())
        self.start = start if len(start) == model.nq else ()

    def bodies(self) -> list[str]:
        """All of them, without recursion."""
        lines = [f"    {site}" for site in self.sites.get("world", ())]
        todo: list[tuple[int, int] | str] = [(k, 2) for k in reversed(self.below.get(-1, []))]
        while todo:
            item = todo.pop()
            if isinstance(item, str):
                lines.append(item)
                continue
            k, depth = item
            link = self.model.links[k]
            if link.parent < 0 and not link.joint and link.name == "world":
                pad = "  " * min(depth, DEEP)
                lines += [pad + text for text in self.shapes(link)]
                todo += [(child, depth) for child in reversed(self.below.get(k, []))]
                continue
            k, head, inside = self.opened(k)
            pad = "  " * min(depth, DEEP)
            lines += [pad + head, *(f"{pad}  {text}" for text in inside)]
            todo.append(f"{pad}</body>")
            todo += [(child, depth + 1) for child in reversed(self.below.get(k, []))]
        return lines

    def opened(self, k: int) -> tuple[int, str, list[str]]:
        """A body with its joints, inertia and shapes; links without mass before it are taken into it."""
        chain = [k]
        while self.passes(chain[-1]):
            chain.append(self.below[chain[-1]][0])
        model = self.model
        last = model.links[chain[-1]]
        if last.name == "world":
            raise ModelError("a moving link is called 'world', which MJCF keeps for the world itself; rename that link")
        back = Placement()
        joints: list[str] = []
        for at in reversed(chain):  # from the last frame backwards: where each joint is seen from it
            link = model.links[at]
            held = link.parent >= 0 and not floats(model, link)
            above = model.links[link.parent] if held else Link("world", 0)
            if link.body != above.body:
                here = link.placement @ back
                joints[:0] = self.joint(model.bodies[link.body], here, above, len(chain) > 1)
                back = above.placement.inverse() @ model.bodies[link.body].placement @ here
            else:
                back = above.placement.inverse() @ link.placement @ back
        lines = _place(back)
        body = model.bodies[last.body]
        if joints and isinstance(body.joint, Floating) and (self.start or body.stiffness):
            q = self._stands(body, model.offsets[last.body][0])
            lines = f"pos={numbers(q[:3])} quat={numbers((q[6], *q[3:6]))}"
        head = f"<body name={quote(last.name)}{' ' + lines if lines else ''}>"
        return chain[-1], head, [*joints, *_inertia(last), *self.sites.get(last.name, ()), *self.shapes(last)]

    def _stands(self, body: Body, at: int) -> tuple[float, ...]:
        """Where a free body stands in the file: where it starts, and where its spring rests."""
        start = self.start[at : at + body.joint.nq] or body.springref
        if body.stiffness and body.springref != start:
            raise ModelError(
                f"joint {body.name!r} has a spring that does not rest where the state 'qpos0' is; MJCF has one place "
                "for both, save the robot as .toml instead"
            )
        return start

    def passes(self, k: int) -> bool:
        """Whether a link is nothing but the place between two joints."""
        link, children = self.model.links[k], self.below.get(k, [])
        if (
            link.mass
            or any(link.inertia)
            or link.visuals
            or link.collisions
            or len(children) != 1
            or link.name in self.sites
        ):
            return False
        child = self.model.links[children[0]]
        moves = link.joint and link.body and (link.parent < 0 or self.model.links[link.parent].body != link.body)
        kinds = (self.model.bodies[link.body].joint, self.model.bodies[child.body].joint)
        return bool(moves) and child.body != link.body and _share(*kinds)

    def joint(self, body: Body, here: Placement, above: Link, several: bool) -> list[str]:
        """The elements of a joint, ``here`` being the body's frame as seen from the joint's."""
        parts = PARTS.get(type(body.joint))
        if parts is None:
            raise ModelError(
                f"joint {body.name!r} is {body.joint.name}; MJCF has no such joint, save the robot as .toml instead"
            )
        if isinstance(body.joint, Floating) and (
            above.body or not body.placement.is_identity() or not here.is_identity()
        ):
            raise ModelError(
                f"joint {body.name!r} floats, but not between the world's frame and the link's; MJCF has no such joint"
            )
        seen = here.inverse()
        if isinstance(body.joint, Spherical) and here.rotation != Placement().rotation:
            raise ModelError(
                f"joint {body.name!r} turns any way, and the link's axes are not the joint's; MJCF has no such joint"
            )
        if isinstance(body.joint, Spherical) and body.stiffness and body.springref != body.joint.neutral:
            raise ModelError(
                f"joint {body.name!r} has a spring that rests at {list(body.springref)}; MJCF's rests where the joint "
                "is not turned, save the robot as .toml instead"
            )
        if parts[0][0] == "free":
            _limits(body, range(6))
            return (
                [f"<freejoint name={quote(body.name)}/>"]
                if not _given(body, range(6))
                else [f'<joint name={quote(body.name)} type="free"{_given(body, range(6))}/>']
            )
        made = []
        for c, ((kind, axis), name) in enumerate(zip(parts, names_of(self.model, body), strict=True)):
            index = range(3) if kind == "ball" else range(c, c + 1)
            text = f'<joint name={quote(name)} type="{kind}"'
            if kind != "slide" and any(seen.origin):
                text += f" pos={numbers(seen.origin)}"
            if kind != "ball":
                text += f" axis={numbers([e + 0.0 for e in seen.rotate(axis)])}"
            offset = float(getattr(body.joint, "offset", 0.0))
            text += f' ref="{-offset!r}"' if offset else ""
            made.append(text + _limits(body, index) + _given(body, index) + "/>")
        return made

    def shapes(self, link: Link) -> list[str]:
        """Shapes to look at in group 2, shapes to touch in group 3; one that is both stands once, in group 0."""
        made, touch = [], list(link.collisions)
        for shape in link.visuals:
            both = shape in touch
            made.append(self.geom(shape, 'group="0"' if both else 'group="2" contype="0" conaffinity="0"'))
            if both:
                touch.remove(shape)
        made += [self.geom(shape, 'group="3"') for shape in touch]
        return [line for line in made if line]

    def geom(self, shape: Geometry, how: str) -> str:
        color = f" rgba={numbers(shape.color)}" if shape.color else ""
        place = _place(shape.placement)
        tail = f"{' ' + place if place else ''} {how}{color}/>"
        if shape.kind == "mesh":
            name = self._mesh(shape)
            return f'<geom type="mesh" mesh={quote(name)}{tail}' if name else ""
        size = [s / 2 for s in shape.size] if shape.kind == "box" else [shape.size[0], *(s / 2 for s in shape.size[1:])]
        return f'<geom type="{shape.kind}" size={numbers(size)}{tail}' if all(s > 0 for s in size) else ""

    def _mesh(self, shape: Geometry) -> str:
        """The name of the asset; empty for a mesh that MuJoCo could not read."""
        found = _readable(self.model, shape)
        if found is None:
            return ""
        path = os.path.relpath(found, self.folder or Path(self.model.source or "here").resolve().parent).replace(
            os.sep, "/"
        )
        key = f"{path} {shape.size}"
        if key not in self.meshes:
            name = f"mesh{len(self.meshes)}"
            scale = f" scale={numbers(shape.size)}" if shape.size and tuple(shape.size) != (1.0, 1.0, 1.0) else ""
            self.meshes[key] = f"<mesh name={quote(name)} file={quote(path)}{scale}/>"
        return self.meshes[key].split('"')[1]


def _readable(model: Model, shape: Geometry) -> Path | None:
    """The file of a mesh, if MuJoCo can read it."""
    return mesh_path(model, shape.path) if Path(shape.path).suffix.lower() in MESHES else None


def unwritten(model: Model) -> list[str]:
    """Meshes that are left out."""
    shapes = [s for link in model.links for s in (*link.visuals, *link.collisions) if s.kind == "mesh"]
    return [s.path for s in dict.fromkeys(shapes) if _readable(model, s) is None]


def merged(model: Model) -> list[str]:
    """Links that become nothing but the place between two joints of one body."""
    writer = _Writer(agreeing(model, negative=True), None)
    return [link.name for k, link in enumerate(model.links) if writer.passes(k)]


def _place(frame: Placement) -> str:
    made = f"pos={numbers(frame.origin)}" if any(frame.origin) else ""
    if frame.rotation != Placement().rotation:
        made += f" quat={numbers(quaternion(frame.rotation))}"
    return made.strip()


def _inertia(link: Link) -> list[str]:
    if not link.mass and not any(link.inertia):
        return []
    xx, yy, zz, xy, xz, yz = link.inertia
    turned, flat = xy or xz or yz, _flat(link)
    tensor = f"fullinertia={numbers(link.inertia)}" if turned else f"diaginertia={numbers((xx, yy, zz))}"
    if flat:
        w, axes = np.linalg.eigh(matrix(link.inertia)) if turned else (np.array((xx, yy, zz)), np.eye(3))
        axes = axes * np.linalg.det(axes)
        w, k = np.maximum(w, 0.0), int(np.argmax(w))
        a, b = np.delete(w, k).tolist()
        w[k] = min(float(w[k]), a + b)
        at = _place(Placement(tuple(axes.ravel().tolist()))) if turned else ""
        tensor = f"diaginertia={numbers(w.tolist())} {at}".strip()
    return [f'<inertial pos={numbers(link.com)} mass="{link.mass!r}" {tensor}/>']


def _flat(link: Link) -> bool:
    """Whether the largest moment is the sum of the others but for rounding, by which MuJoCo, which finds principal
    axes to some 1e-12 kg m^2 itself, would take the body for one that cannot be.
    """
    w = np.linalg.eigvalsh(matrix(link.inertia))
    return not refused(link) and bool(w[0] + w[1] - w[2] <= 1e-9 * w[2] + 1e-11)


def refused(link: Link) -> bool:
    """Whether no body has these moments of inertia, by more than rounding: MuJoCo does not read it."""
    w = np.linalg.eigvalsh(matrix(link.inertia))
    return bool(min(w[0], w[0] + w[1] - w[2]) < -ROUNDING * np.abs(w).max())


def _pick(values: Sequence[float], index: range) -> list[float]:
    return [values[c] for c in index] if values else []


def _given(body: Body, index: range) -> str:
    """Armature, damping, friction and springs; one number serves a joint of MJCF."""
    made = ""
    for key, name in (
        ("armature", "armature"),
        ("damping", "damping"),
        ("friction", "frictionloss"),
        ("stiffness", "stiffness"),
    ):
        values = _pick(getattr(body, key), index)
        if values and any(v != values[0] for v in values):
            raise ModelError(
                f"joint {body.name!r} has a different {key} each way; MJCF has one a joint, save the robot as .toml "
                "instead"
            )
        made += f' {name}="{values[0]!r}"' if values and values[0] else ""
    rest = _pick(body.springref, index) if body.joint.plain else ()
    return made + (f' springref="{rest[0]!r}"' if rest and rest[0] else "")


def _finite(x: float) -> float:
    return math.copysign(UNLIMITED, x) if math.isinf(x) else x


def _limits(body: Body, index: range) -> str:
    made = ""
    bounded = [key for key in ("lower", "upper", "effort") if any(map(math.isfinite, getattr(body, key)))]
    if len(index) > 1 and bounded:
        raise ModelError(
            f"joint {body.name!r} has {bounded[0]} each way; MJCF's joint of this kind has none, save the robot as "
            ".toml instead"
        )
    low, high = _pick(body.lower, index), _pick(body.upper, index)
    if len(index) == 1 and (low or high) and not body.continuous:
        ends = (_finite((low or [-math.inf])[0]), _finite((high or [math.inf])[0]))
        if ends != (-UNLIMITED, UNLIMITED) and ends[0] < ends[1]:
            made += f' limited="true" range={numbers(ends)}'
    effort = _pick(body.effort, index)
    if len(index) == 1 and effort and 0 < effort[0] < UNLIMITED:
        made += f" actuatorfrcrange={numbers((-effort[0], effort[0]))}"
    return made
