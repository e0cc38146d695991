"""Named states in formats that have none, joint by joint: other programs pass these elements over."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..errors import ModelError, near
from ..model import Model, State
from .xml import Element
from .xml_text import numbers, quote

__all__ = ["coordinates", "state_lines", "with_states"]


def coordinates(
    model: Model, q: tuple[float, ...], qd: tuple[float, ...] = (), tag: str = "at", follow: bool = False
) -> list[str]:
    """An element for each joint with coordinates and nonzero velocities; with ``follow`` mimics too."""
    made = []
    for i, body in enumerate(model.bodies):
        if not i or (body.mimic is not None and not follow):
            continue
        (iq, iv), tie = model.offsets[i], body.mimic
        at, speed = q[iq : iq + body.joint.nq], qd[iv : iv + body.joint.nv]
        if tie is not None:
            at, speed = (tie.ratio * at[0] + tie.offset,), tuple(tie.ratio * x for x in speed)
        more = f" qd={numbers(speed)}" if any(speed) else ""
        made.append(f"<{tag} joint={quote(body.name)} q={numbers(at)}{more}/>")
    return made


def state_lines(model: Model, prefix: str = "") -> list[str]:
    """All named states."""
    lines = []
    for state in model.states:
        inside = coordinates(model, state.q, state.qd, f"{prefix}at", follow=True)
        lines += [f"    <{prefix}state name={quote(state.name)}>", *(f"      {line}" for line in inside)]
        lines.append(f"    </{prefix}state>")
    return lines


def with_states(model: Model, elements: Iterable[Element]) -> Model:
    """The model with the states that the elements say; joints that are locked now have no part in them."""
    made: dict[str, State] = {}
    known = {link.joint for link in model.links}
    for element in elements:
        name = element.text("name", "home")
        if name in made:
            raise ModelError(f"{element.where}: a second state is called {name[:80]!r}; rename one of them")
        q = [x for i in model.free for x in model.bodies[i].joint.neutral]
        qd = [0.0] * model.nv
        for part in element.children:
            moved = part.text("joint", "joint1")
            if moved not in known and len(part.numbers("q", 7, least=1)) < 7:  # seven: of a base that floated
                raise ModelError(
                    f"{part.where}: the robot has no joint {moved[:80]!r}; correct the name{near(moved, known)}"
                )
            i = model.joint_index.get(moved, 0)
            if i in model.free:
                (iq, iv), joint = model.offsets[i], model.bodies[i].joint
                q[iq : iq + joint.nq] = part.numbers("q", joint.nq)
                qd[iv : iv + joint.nv] = part.numbers("qd", joint.nv, (0.0,) * joint.nv)
        made[name] = State(name, tuple(q), tuple(qd))
    return replace(model, states=tuple(made.values())) if made else model
