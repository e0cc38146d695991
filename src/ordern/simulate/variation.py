"""Payloads and scaled masses of a simulation: what each run adds to the inertias that the description has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..model.model_scalars import mass_scalars, plain
from ..program.rolled import BodyRows, RolledTree
from ..program.trace import Tracer
from ..spatial import RigidInertia, Sym3, Vec3

if TYPE_CHECKING:
    from ..program.trace import TraceTree
    from .right_hand_side import Motion

__all__ = ["vary"]


def vary(motion: Motion, tree: TraceTree, tracer: Tracer) -> None:
    """Add them to the tree's inertias (which may have been regrouped: that is linear)."""
    if not {"payload", "scale"} & set(motion.varied):
        return
    if isinstance(tree, RolledTree):
        _vary_rows(motion, tree, tracer)
        return
    inertias: dict[int, RigidInertia] = {}

    def add(i: int, extra: RigidInertia) -> None:
        known = inertias.get(i) or mass_scalars(tree.model.bodies[i].inertia, plain)
        inertias[i] = RigidInertia(known.m + extra.m, known.h + extra.h, known.I + extra.I)

    if "payload" in motion.varied:
        add(tree.model.links[motion.payload].body, _load(motion, tree, tracer))
    if "scale" in motion.varied:
        for i, s in enumerate(motion.input(tree, tracer, "scale"), start=1):
            body, more = motion.frames.bodies[i].inertia, s - 1.0
            add(i, RigidInertia(more * body.m, Vec3(*(more * x for x in body.h)), Sym3(*(more * x for x in body.I))))
    tree._inertias.update(inertias)


def _vary_rows(motion: Motion, tree: RolledTree, tracer: Tracer) -> None:
    """The same where walks are loops: a table of inertias, made once."""
    masses = [b.inertia for b in motion.frames.bodies]
    own = np.array([(m.m, *m.h, *m.I) for m in masses])
    places = np.arange(-1, len(masses) - 1)
    table = tree.table("inertia", base=RigidInertia.zero())
    scaled = "scale" in motion.varied
    if scaled:
        motion.input(tree, tracer, "scale")
    for i, _ in tree.outward("inertias"):
        I: RigidInertia = tree.inertia[i]
        if scaled:
            more = tree.given(i, "scale", places) - 1.0
            columns = [
                tree.constants(i, f"own {k}", own[:, k]) if isinstance(i, BodyRows) else plain(float(own[i, k]))
                for k in range(10)
            ]
            m, x, y, z, *tensor = (more * e for e in columns)
            I = RigidInertia(I.m + m, I.h + Vec3(x, y, z), I.I + Sym3(*tensor))
        table[i] = I
    body = tree.model.links[motion.payload].body
    if "payload" in motion.varied and body:
        table[body] = table[body] + _load(motion, tree, tracer)
    tree.vary(table)


def _load(motion: Motion, tree: TraceTree, tracer: Tracer) -> RigidInertia:
    """The payload's inertia in the frame of the body that carries it."""
    m, hx, hy, hz, xx, xy, yy, xz, yz, zz = motion.input(tree, tracer, "payload")
    own = RigidInertia(m, Vec3(hx, hy, hz), Sym3(xx, yy, zz, xy, xz, yz))
    return own.seen_from_parent(tree.frame[motion.payload])
