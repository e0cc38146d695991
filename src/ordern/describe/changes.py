"""A model changed as a whole: masses that bodies and links agree on, payloads, links wired as a file has them.

A description gives masses to links, algorithms use those of bodies. Whoever changes one side comes here, so that the
other follows and every writer, table and page says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model import Link, Mass, Model
from ..tree import handles

__all__ = ["agreeing", "sums", "wired", "with_masses", "with_payload"]

ROUNDING = 1e-13  # share of a body's inertia: sums over some hundred links in another order


def sums(model: Model) -> list[Mass]:
    """The sum of each body's links, in the order of building."""
    total = [Mass()] * len(model.bodies)
    for link in model.links:
        if link.mass or any(link.inertia):
            total[link.body] = total[link.body] + Mass.from_com(link.mass, link.com, link.inertia).moved(link.placement)
    return total


def with_masses(model: Model, masses: Sequence[Mass]) -> Model:
    """Another model whose moving bodies have these inertias, in their own frames; their links have them too."""
    pairs = zip(model.bodies[1:], masses, strict=True)
    return agreeing(model.with_bodies([model.bodies[0], *(replace(b, inertia=m) for b, m in pairs)]))


def agreeing(model: Model, negative: bool = False) -> Model:
    """The model with links that sum up to their bodies: where they do not, all goes to the link that the joint moves.

    A negative mass stays with its body unless ``negative``: no link of a file can have one.
    """
    total, found, links = sums(model), handles(model), list(model.links)
    off = {
        i
        for i, body in enumerate(model.bodies)
        if i in found and i and not _close(total[i], body.inertia) and (body.inertia.m >= 0 or negative)
    }
    if not off:
        return model
    for k, link in enumerate(links):
        if link.body in off:
            here = model.bodies[link.body].inertia.moved(link.placement.inverse()) if found[link.body] == k else Mass()
            links[k] = replace(link, mass=here.m, com=here.com, inertia=here.about_com())
    return replace(model, links=tuple(links))


def _close(a: Mass, b: Mass) -> bool:
    """The same up to rounding, each kind of moment by its own size."""
    pairs = (((a.m,), (b.m,)), (a.h, b.h), (a.I, b.I))
    return all(abs(x - y) <= ROUNDING * max(map(abs, (*u, *v))) for u, v in pairs for x, y in zip(u, v, strict=True))


def with_payload(model: Model, link: int, payload: Mass) -> Model:
    """The model with more mass on a link, given in the link's frame."""
    model = agreeing(model)
    own = model.links[link]
    total = Mass.from_com(own.mass, own.com, own.inertia) + payload
    links = list(model.links)
    links[link] = replace(own, mass=total.m, com=total.com, inertia=total.about_com())
    bodies = list(model.bodies)
    body = bodies[own.body]
    bodies[own.body] = replace(body, inertia=body.inertia + payload.moved(own.placement))
    return replace(model, links=tuple(links), bodies=tuple(bodies))


def wired(model: Model) -> Model:
    """The model with links as a file has them: each but the roots behind a named joint, each body with a link that its
    joint moves.

    Models from descriptions are so already; those that a program makes body by body need not be.
    """
    links, found = list(model.links), handles(model)
    names = {link.name for link in links}
    for i, body in enumerate(model.bodies[1:], 1):
        if i not in found:
            found[i] = len(links)
            links.append(Link(_fresh(body.name, names), i, joint=body.name))
            names.add(links[-1].name)
    joints = {link.joint for link in links} | {body.name for body in model.bodies[1:]}
    moved = {k: i for i, k in found.items() if i}
    base = found.get(0, -1)
    for k, link in enumerate(links):
        above = model.bodies[moved[k]].parent if k in moved else link.body  # the body that its joint should hang on
        on = links[link.parent].body if link.parent >= 0 else 0
        if link.joint and on == above:
            continue
        if k not in moved and link.body == 0 and (k == base or link.parent < 0):
            continue  # a root
        parent = link.parent if link.parent >= 0 and on == above else found.get(above, -1)
        joint = model.bodies[moved[k]].name if k in moved else link.joint or _fresh(f"{link.name}_weld", joints)
        joints.add(joint)
        links[k] = replace(link, joint=joint, parent=parent)
    return model if links == list(model.links) else replace(model, links=tuple(links))


def _fresh(name: str, taken: set[str]) -> str:
    while name in taken:
        name += "_"
    return name
