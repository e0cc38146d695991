"""Limbs of one shape share registers in calls for one state: the same bytes as one limb after the other."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import choose, find
from ordern.emit.llvm import kernel_text, paired_text
from ordern.emit.llvm.paired_text import worth_pairing
from ordern.model import Mass, Model, Placement
from ordern.model.limbs import input_twins, twins
from ordern.program import paired
from ordern.program.build import guarded, prepared, trace
from ordern.runtime.kernels import Kernel

QUANTITIES = ("inverse_dynamics", "mass_matrix", "mass_matrix_inverse")
LEGS = ["floating", "revolute", "revolute", "prismatic", "prismatic"]


@pytest.fixture(autouse=True)
def planned(monkeypatch):
    """Small robots go the way of large ones, for a single pair too."""
    monkeypatch.setattr(kernel_text, "ONE_PIECE", 0)
    monkeypatch.setattr(paired_text, "ENOUGH", 0.0)


def mirrored(seed: int, kinds=tuple(LEGS), parents=(0, 1, 1, 2, 3)) -> Model:
    """Two limbs, one the mirror image of the other, but for random zeros and signs in either."""
    rng, model = np.random.default_rng(seed), robots.tree(list(kinds), list(parents), seed)
    bodies = list(model.bodies)
    for i, (first, limb) in twins(model).items():
        like, shared = bodies[first] if limb else bodies[i], np.random.default_rng([seed, first])
        m = like.placement.matrix()
        if shared.random() < 0.7:  # axes along each other: products with zero and one go
            m[:3, :3] = np.eye(3)[shared.permutation(3)]
            m[:3, 0] *= np.sign(np.linalg.det(m[:3, :3]))
        m[:3, 3] *= rng.choice([-1.0, 0.0, 1.0], 3)
        x, y, z, xy, xz, yz = like.inertia.about_com()
        off = rng.choice([-1.0, 0.0, 1.0])
        mass = Mass.from_com(like.inertia.m, like.inertia.com, (x, y, z, off * xy, off * xz, yz))
        bodies[i] = replace(bodies[i], placement=Placement.from_matrix(m), inertia=mass)
    return model.with_bodies(bodies)


def kernel_of(model: Model, quantity: str, dtype: str = "float64"):
    algorithm = choose(quantity, None, model)
    return Kernel.of(guarded(trace(algorithm, prepared(algorithm, model))), dtype)


def run(kernel, given, width):
    arrays = [given[name].astype(kernel.dtype) for name in kernel.inputs]
    outs = [np.full((len(arrays[0]), *shape), 777, kernel.dtype) for shape in kernel.outputs.values()]
    return kernel.run(arrays, outs, threads=1, width=width), outs


def given_for(model: Model, seed: int):
    q, qd, qdd, tau = robots.state(model, np.random.default_rng(seed), (3,))
    for x in (qd, qdd, tau):
        x[1] = 0.0  # signs of zeros
    return {"q": q, "qd": qd, "qdd": qdd, "tau": tau}


@pytest.mark.parametrize("seed", range(3))
def test_limbs_in_pairs_give_the_bytes_of_one_after_the_other(seed):
    """Whatever signs and zeros the two limbs have: against four lanes, which hold four states."""
    model = mirrored(seed)
    given, found = given_for(model, seed), 0
    for quantity in (*QUANTITIES, *(("inverse_dynamics_derivatives",) if seed == 0 else ())):
        kernel = kernel_of(model, quantity)
        found += len(worth_pairing(kernel.program())[0])
        _, one = run(kernel, given, 1)
        _, four = run(kernel, given, 4)
        assert all(a.tobytes() == b.tobytes() for a, b in zip(one, four, strict=True)), quantity
    assert found > 200


def test_pairs_that_wait_for_each_other_are_given_up(monkeypatch):
    """One limb's numbers may need the other limb's: the rest of the pairs stay, and so do the bytes."""
    given_up = []

    class Circle(paired._Circle):
        def __init__(self, node):
            super().__init__(node)
            given_up.append(node)

    monkeypatch.setattr(paired, "_Circle", Circle)
    model = robots.GRID["floating"]()
    algorithm, given = find("forward_dynamics", "fixman")[0], given_for(model, 1)
    kernel = Kernel.of(trace(algorithm, prepared(algorithm, model)))
    ((_, one), (_, four)) = (run(kernel, given, width) for width in (1, 4))
    assert one[0].tobytes() == four[0].tobytes() and len(given_up) > 5


def test_single_precision_too():
    model = mirrored(5)
    kernel, given = kernel_of(model, "mass_matrix_inverse", "float32"), given_for(model, 5)
    assert worth_pairing(kernel.program())
    (_, one), (_, four) = (run(kernel, given, width) for width in (1, 4))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one, four, strict=True))


def test_every_result_is_watched():
    """A number that is not finite in one of two arms on the ground, whose results all come in pairs."""
    model = mirrored(2, ["revolute"] * 6, (0, 0, 1, 2, 3, 4))
    kernel, given = kernel_of(model, "mass_matrix"), given_for(model, 2)
    assert worth_pairing(kernel.program())
    assert run(kernel, given, 1)[0]
    for at in range(2, model.nq):
        bad = {name: x.copy() for name, x in given.items()}
        bad["q"][2, at] = np.nan
        assert not run(kernel, bad, 1)[0]


def test_limbs_are_found_by_their_joints():
    """Two of four legs with equal joints make a pair; a limb with another joint has none; fingers go with their hands."""
    legs = robots.tree(["floating", *["revolute"] * 5], [0, 1, 1, 1, 1, 1])
    assert twins(legs) == {2: (2, 0), 3: (2, 1), 4: (4, 0), 5: (4, 1)}
    hands = robots.tree(["revolute"] * 7, [0, 1, 2, 2, 1, 5, 5])
    assert twins(hands) == {2: (2, 0), 5: (2, 1), 3: (3, 0), 6: (3, 1), 4: (4, 0), 7: (4, 1)}
    assert twins(robots.tree(["floating", "revolute", "prismatic"], [0, 1, 1])) == {}
    made = input_twins(legs, {"q": legs.nq, "qd": legs.nv, "external0": 6})
    assert made["q", 8] == (("q", 7), 1) and made["qd", 9] == (("qd", 8), 1) and len(made) == 8


def test_pairs_that_wait_for_each_other_are_taken_apart(monkeypatch):
    """Pairs that no order serves are given up one by one, and results stay the same."""
    model = mirrored(1)
    kernel, given = kernel_of(model, "mass_matrix_inverse"), given_for(model, 1)
    program = kernel.program()
    order = worth_pairing(program)[1]
    products = [k for k in order if program.nodes[k].op == "mul"]
    wrong = list(zip(products[:60:2], products[1:61:2], strict=True))  # neighbours need each other often
    monkeypatch.setattr(kernel_text, "worth_pairing", lambda _: (wrong, order))
    (_, one), (_, four) = (run(kernel, given, width) for width in (1, 4))
    assert all(a.tobytes() == b.tobytes() for a, b in zip(one, four, strict=True))
