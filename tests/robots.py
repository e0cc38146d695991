"""Robots of the test grid, made straight from Model so that no file format stands between a test and what it tests."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ordern.describe.builtin import planar
from ordern.joints import JOINTS
from ordern.model import Body, Link, Mass, Mimic, Model, Placement


def orthonormal(q: np.ndarray) -> list[list[float]]:
    """A rotation near q, the same bits whatever library made q: its digits beyond the tenth are made here, by Newton's
    step R (3 - R^T R) / 2 in Python's own arithmetic. Kernels' texts hold what is left of zeros.
    """
    r = [[round(float(x), 10) for x in row] for row in q]
    for _ in range(2):
        s = [[r[0][i] * r[0][j] + r[1][i] * r[1][j] + r[2][i] * r[2][j] for j in range(3)] for i in range(3)]
        t = [[(3.0 * (i == j) - s[i][j]) / 2 for j in range(3)] for i in range(3)]
        r = [[r[i][0] * t[0][j] + r[i][1] * t[1][j] + r[i][2] * t[2][j] for j in range(3)] for i in range(3)]
    return r


def random_placement(rng: np.random.Generator) -> Placement:
    q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    m = np.eye(4)
    m[:3, :3], m[:3, 3] = orthonormal(q * np.sign(np.linalg.det(q))), rng.uniform(-0.5, 0.5, 3)
    return Placement.from_matrix(m)


def random_mass(rng: np.random.Generator) -> Mass:
    points, m = rng.uniform(-0.3, 0.3, (6, 3)), rng.uniform(0.1, 0.5, 6)
    c = (m[:, None] * points).sum(0) / m.sum()
    away = points - c  # products by NumPy's loops: those of BLAS round as the processor likes
    I = sum(mk * ((d * d).sum() * np.eye(3) - np.outer(d, d)) for mk, d in zip(m, away, strict=True))
    return Mass.from_com(
        float(m.sum()),
        tuple(map(float, c)),
        tuple(float(x) for x in (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])),
    )


def random_joint(name: str, rng: np.random.Generator):
    cls = JOINTS[name]
    return cls(*(float(x) for x in rng.uniform(0.1, 0.4, len(cls().constants))))


def tree(kinds: list[str], parents: list[int], seed: int = 0, armature: bool = True, name: str = "tree") -> Model:
    rng = np.random.default_rng(seed)
    bodies = [Body("world", JOINTS["floating"](), 0, Placement(), Mass())]
    links = [Link("base", 0)]
    for k, (kind, parent) in enumerate(zip(kinds, parents, strict=True), start=1):
        joint = random_joint(kind, rng)
        arm = (
            tuple(float(x) for x in rng.uniform(0.01, 0.2, joint.nv))
            if armature and kind not in ("floating", "spherical")
            else ()
        )
        bodies.append(Body(f"joint{k}", joint, parent, random_placement(rng), random_mass(rng), armature=arm))
        links.append(Link(f"link{k}", k, random_placement(rng), parent=0))
    return Model(name, tuple(bodies), tuple(links), (0.3, -1.2, -9.7))


def serial(kinds: str, seed: int = 0, **options) -> Model:
    names = {
        "R": "revolute",
        "P": "prismatic",
        "H": "helical",
        "C": "cylindrical",
        "U": "universal",
        "L": "planar",
        "S": "spherical",
        "F": "floating",
    }
    return tree([names[k] for k in kinds], list(range(len(kinds))), seed, **options)


def mixed(seed: int = 1) -> Model:
    """A branched tree with every joint type."""
    kinds = [
        "floating",
        "revolute",
        "spherical",
        "universal",
        "prismatic",
        "planar",
        "cylindrical",
        "helical",
        "revolute",
        "revolute",
    ]
    return tree(kinds, [0, 1, 2, 1, 4, 4, 3, 7, 6, 0], seed, name="mixed")


def mimicking(seed: int = 7) -> Model:
    """A branched tree in which one joint follows another on its own branch and one follows a joint on the other branch."""
    model = tree(
        ["revolute", "prismatic", "revolute", "revolute", "revolute", "revolute"],
        [0, 1, 2, 1, 4, 5],
        seed,
        name="mimic",
    )
    follows = {3: Mimic(1, -0.7, 0.2), 6: Mimic(2, 1.5, -0.1)}
    return model.with_bodies(replace(b, mimic=follows.get(i)) for i, b in enumerate(model.bodies))


def sprung(seed: int = 8) -> Model:
    """A branched tree with springs on all joints, one of them a ball's."""
    model = tree(["revolute", "prismatic", "universal", "spherical"], [0, 1, 1, 3], seed, name="springs")
    stiff = {1: ((3.0,), (0.5,)), 2: ((7.0,), (-0.25,)), 3: ((2.0, 5.0), (0.125, 0.0))}
    stiff[4] = ((4.0,) * 3, (0.48, 0.0, -0.6, 0.64))
    more = {i: {"stiffness": k, "springref": rest} for i, (k, rest) in stiff.items()}
    return model.with_bodies(replace(b, **more.get(i, {})) for i, b in enumerate(model.bodies))


GRID = {
    "pendulum": lambda: serial("R", 3),
    "arm6": lambda: serial("RRRRRR", 4, armature=False),
    "planar": lambda: planar(4, (0.5, 0.375, 0.25, 0.625), (1.0, 0.5, 2.0, 0.75), mass="tips"),
    "mimic": mimicking,
    "mixed": mixed,
    "floating": lambda: tree(["floating"] + ["revolute"] * 6, [0, 1, 2, 3, 1, 5, 6], 5, name="floating"),
    "chain": lambda: serial("RRRPRR", 6, name="chain"),
    "long": lambda: serial("RRPRRRRP" * 6, 7, name="long"),
    "springs": sprung,
}


BUILT_IN = {"revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical", "floating"}
ADDED = sorted(
    set(JOINTS) - BUILT_IN
)  # joint types of files that were added to ordern/joints: each as root, in the middle and as a leaf
if ADDED:
    GRID["new"] = lambda: tree(
        [*ADDED, "revolute", *ADDED, *ADDED], [*range(2 * len(ADDED) + 1), *[len(ADDED)] * len(ADDED)], 9, name="new"
    )


def state(model: Model, rng: np.random.Generator, batch: tuple[int, ...] = ()):
    if model.loops:  # near where they close: what is solved with is far from singular there
        q = np.array(model.home) + rng.uniform(-0.1, 0.1, (*batch, model.nq))
        return q, *(rng.uniform(-1, 1, (*batch, model.nv)) for _ in range(3))
    q = np.concatenate(
        [
            model.bodies[i].joint.random(rng, batch, *(np.full(model.bodies[i].joint.nv, x) for x in (-1.0, 1.0)))
            for i in model.free
        ],
        axis=-1,
    )
    return q, *(rng.uniform(-1, 1, (*batch, model.nv)) for _ in range(3))
