"""Which equations of loops are kept at a state: those that say most, one by one, as a QR factorisation with pivots has them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.linalg import qr

import ordern
from ordern.algorithms.registry import choose
from ordern.describe.loop_rank import DEPENDENT
from ordern.model.closures import count
from ordern.runtime import other_equations
from ordern.runtime.call import Call
from ordern.runtime.numbers import numbers
from ordern.runtime.other_equations import SINGLE, answered, kept_at

ROBOT = ordern.load("bricard")
MODEL = ROBOT.model
HOME = np.array(MODEL.home)
WANTED, COUNT = sum(len(loop.kept) for loop in MODEL.loops), sum(count(loop.kind) for loop in MODEL.loops)


@pytest.fixture
def given(monkeypatch):
    """Equations of our choice instead of the robot's."""

    def equations(A):
        monkeypatch.setattr(other_equations, "numbers", lambda *_: lambda q: A)
        monkeypatch.setattr(other_equations, "passive", lambda model, *_: model.passive)
        monkeypatch.setattr(other_equations, "sparse_rows", lambda *_: None)

    return equations


def chosen(model):
    """Numbers of the equations kept, over all loops."""
    made, at = set(), 0
    for loop in model.loops:
        assert loop.spare == () and not loop.soft
        made |= {at + k for k in loop.kept}
        at += count(loop.kind)
    return made


@pytest.mark.parametrize("seed", range(8))
def test_the_equations_that_say_most_are_kept(given, seed):
    """Whatever their sizes; rows that nearly vanish count for as much less as they are smaller than a ten-thousandth of the largest."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(COUNT, MODEL.nv))
    A /= np.linalg.norm(A, axis=1, keepdims=True)
    units, sizes = A.copy(), 10.0 ** rng.uniform(-1.9, 2, COUNT)
    sizes[0] = 100.0
    if seed % 2:
        sizes[3], units[3] = 1e-5, units[3] * 1e-3  # 1e-7 of the largest
    given(A * sizes[:, None])
    assert chosen(kept_at(MODEL, HOME)) == set(qr(units.T, pivoting=True)[2][:WANTED].tolist())


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("left", [0.5, 2.0])
def test_dependent_equations_are_no_choice(given, single, left):
    """As many rows as are wanted, the last of which the others make up but for a part on either side of the limit."""
    limit = SINGLE if single else DEPENDENT
    A = np.zeros((COUNT, MODEL.nv))
    A[:WANTED] = np.eye(MODEL.nv)[np.arange(WANTED) % MODEL.nv]
    A[WANTED - 1] = np.eye(MODEL.nv)[0] + left * limit * np.eye(MODEL.nv)[WANTED - 1]
    assert MODEL.nv >= WANTED
    given(A)
    made = kept_at(MODEL, HOME, single)
    assert made is None if left < 1 else chosen(made) == set(range(WANTED))


def test_states_that_are_not_finite_are_computed_once_more():
    """Each by itself, from its own rows or from one that serves all; the others stay as they are."""
    algorithm = choose("forward_dynamics", None, MODEL)
    call, rng = Call(MODEL, algorithm), np.random.default_rng(0)
    q = np.tile(HOME, (4, 1))
    qd, tau = np.zeros((1, MODEL.nv)), rng.normal(size=(4, MODEL.nv))
    out = np.full((4, MODEL.nv), 7.0)
    out[1, 2] = out[3, 0] = np.nan
    assert answered(call, [q, qd, tau], [out])
    assert np.all(out[[0, 2]] == 7.0)
    for k in (1, 3):
        want = numbers(algorithm, kept_at(MODEL, HOME))(HOME, qd[0], tau[k])
        np.testing.assert_array_equal(out[k], want)
        np.testing.assert_allclose(
            want, ROBOT.forward_dynamics(HOME, qd[0], tau[k]), rtol=0, atol=1e-8 * np.abs(want).max()
        )  # other equations
    for bad in range(3):  # what no equations help
        rows = [q.copy(), qd.copy(), tau.copy()]
        rows[bad][-1, 0] = np.inf
        out[3, 0] = np.nan
        assert not answered(call, rows, [out])


def test_two_results_of_one_state_go_together(monkeypatch):
    def evaluate(algorithm, other, *_):
        return lambda q, v: (np.full((2, 2), other[0]), q + (np.inf if other[1] else 0))

    monkeypatch.setattr(other_equations, "kept_at", lambda model, q, single: (q[0], single))
    monkeypatch.setattr(other_equations, "numbers", evaluate)
    model = SimpleNamespace(loops=[SimpleNamespace(soft=True)])
    call = SimpleNamespace(algorithm=SimpleNamespace(closed=True), model=model, options=(), links=())
    q, v = np.arange(6.0).reshape(3, 2), np.zeros((3, 2))
    outs = [np.zeros((3, 4)), np.ones((3, 2))]
    outs[1][2, 0] = np.nan  # only the second shows it
    assert answered(call, [q, v], outs)
    assert outs[0].tolist() == [[0.0] * 4, [0.0] * 4, [4.0] * 4] and outs[1].tolist() == [
        [1.0, 1.0],
        [1.0, 1.0],
        [4.0, 5.0],
    ]
    assert not answered(
        call, [q, v], [np.full((3, 4), np.nan, "f4"), np.ones((3, 2), "f4")]
    )  # single precision, which here gives infinity
    for closed, soft in ((True, False), (False, True)):
        call.algorithm.closed, call.model.loops[0].soft = closed, soft
        assert not answered(call, [q, v], [np.full((3, 4), np.nan), np.ones((3, 2))])
