"""What a call says of its arguments before any machine code runs: which names, shapes and places it reads and refuses."""

from __future__ import annotations

import itertools
import math
import sys

import numpy as np
import pytest

import ordern
import robots
from ordern.algorithms.registry import all_algorithms, choose
from ordern.model.thresholds import LONG_LOOPS, WRITTEN_OUT_ONLY
from ordern.runtime.call import Call, coordinate_names, static_options
from ordern.runtime.foreign_code import foreign_code
from ordern.runtime.numbers import numbers

FREE = robots.serial("FRS", 2)  # 12 coordinates and 10 velocities, with names of their own
RNEA = next(a for a in all_algorithms() if a.name == "inverse_dynamics/newton-euler")
CALL = Call(FREE, RNEA, links=[2])
KIND = {"q": "q", "qd": "v", "qdd": "v"}
WRENCH = CALL.names[3]


def shown(names):
    return ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")


@pytest.mark.parametrize("name", KIND)
def test_numbers_by_name(name):
    names = coordinate_names(FREE, KIND[name])
    x = np.arange(1.0, len(names) + 1)
    given = {names[k]: x[k] for k in reversed(range(len(names)))}
    np.testing.assert_array_equal(CALL._checked(name, given, len(names)), x)
    with pytest.raises(ordern.InputError) as error:
        CALL._checked(name, dict(list(given.items())[1:]), len(names))
    assert str(error.value) == f"{name} has no single column for {names[-1]!r}; the robot's are {shown(names)}"
    with pytest.raises(ordern.InputError) as error:
        CALL._checked(name, given | {"elbow": 1.0}, len(names))
    assert str(error.value) == f"{name} has a column 'elbow' that is no joint; the robot's are {shown(names)}"


@pytest.mark.parametrize(
    ("name", "shape"), list(itertools.product([*KIND, WRENCH], [(), (1,), (11,), (2, 9), (10, 1), (0,)]))
)
def test_shapes_that_do_not_fit(name, shape):
    count = CALL.sizes[list(CALL.sizes)[CALL.names.index(name)]]
    words = "moment, then force, at the link's frame" if name == WRENCH else shown(coordinate_names(FREE, KIND[name]))
    with pytest.raises(ordern.ShapeError) as error:
        CALL._checked(name, np.zeros(shape), count)
    assert str(error.value) == f"{name} must have {count} numbers in its last axis ({words}), got shape {shape}"


def test_one_number_is_the_state_of_one_joint():
    alone = Call(robots.serial("R", 2), RNEA)
    assert alone._checked("q", 0.5, 1).shape == (1,) and alone._checked("q", [0.5], 1).shape == (1,)
    with pytest.raises(ordern.ShapeError):
        CALL._checked("q", 0.5, 12)


def test_rows_of_a_batch():
    """As many as the batch has, or one that serves all; laid out row by row, in the precision that is wanted."""
    x = np.arange(24.0).reshape(2, 3, 4)
    for given, batch, wanted in (
        (x, (2, 3), x.reshape(6, 4)), (x[:1], (2, 3), np.tile(x[0], (2, 1))), (x[:, :1], (2, 3), np.repeat(x[:, 0], 3, axis=0)),
        (x[0, 0], (2, 3), x[0, :1]), (x[:1, :1], (2, 3), x[0, :1]), (x[0, 0], (), x[0, :1]), (np.zeros((3, 0)), (3,), np.zeros((3, 0))),
    ):  # fmt: skip
        for dtype in (np.float64, np.float32):
            made = CALL._rows(given, batch, np.dtype(dtype))
            assert made.dtype == dtype and made.flags.c_contiguous and made.shape == wanted.shape
            np.testing.assert_array_equal(made, wanted)


def test_where_results_may_go():
    """Each of the right arrays wrong in one way."""
    shape, dtype = (5, 10), np.dtype(float)
    right = np.zeros(shape)
    assert CALL._outs(right, (5,), dtype)[0] is right and CALL._outs([right], (5,), dtype)[0] is right
    assert CALL._outs(None, (5,), dtype)[0].shape == shape
    sealed = np.zeros(shape)
    sealed.flags.writeable = False
    for wrong, said in (
        (np.zeros((5, 9)), "float64 array of shape (5, 9)"), (np.zeros((4, 10)), "float64 array of shape (4, 10)"),
        (np.zeros(shape, "f4"), "float32 array of shape (5, 10)"), (sealed, "float64 array of shape (5, 10)"), (right.tolist()[:1], "list"),
    ):  # fmt: skip
        with pytest.raises(ordern.ShapeError) as error:
            CALL._outs([wrong], (5,), dtype)
        assert str(error.value) == f"out must be a writable float64 array of shape (5, 10), got {said}"
    with pytest.raises(ordern.ShapeError, match="out must hold 1 arrays, got 2"):
        CALL._outs((right, right), (5,), dtype)


@pytest.mark.parametrize("batch", [(), (4,), (2, 3)])
@pytest.mark.parametrize("seed", range(6))
def test_the_first_bad_number_is_named(batch, seed):
    """By argument, joint or component, and row; where two rows are bad the first, where two arguments are the first."""
    rng = np.random.default_rng(seed)
    given = [rng.uniform(0.1, 1.0, (*batch, n)) for n in CALL.sizes.values()]
    count = math.prod(batch)
    rows = sorted(rng.choice(count, min(count, 2), replace=False).tolist())
    k, part = int(rng.integers(4)), {}
    for row in reversed(rows):
        for which in (k, *(w for w in range(k + 1, 4) if rng.random() < 0.5)):
            part[which] = int(rng.integers(given[which].shape[-1]))
            given[which].reshape(count, -1)[row, part[which]] = np.nan
    names = coordinate_names(FREE, "q" if k == 0 else "v")
    words = (
        f"joint {names[part[k]]!r}"
        if k < 3
        else f"{('the moment', 'the force')[part[k] // 3]} along {'xyz'[part[k] % 3]}"
    )
    place = f" in row {', '.join(map(str, np.unravel_index(rows[0], batch)))}" if batch else ""
    with pytest.raises(ordern.InputError) as error:
        CALL._complain(given, batch, [np.full((count, 10), np.nan)])
    assert str(error.value) == f"{CALL.names[k]} is nan for {words}{place}; every number must be finite"


@pytest.mark.parametrize("batch", [(), (4,), (2, 3)])
def test_states_where_nothing_is_finite(batch):
    """With good numbers it is the robot; a quaternion of zeros is named before."""
    count = math.prod(batch)
    given = [np.full((*batch, n), 0.5) for n in CALL.sizes.values()]
    out = np.zeros((count, 10))
    out[count // 2, 3] = np.inf
    place = f" in row {', '.join(map(str, np.unravel_index(count // 2, batch)))}" if batch else ""
    with pytest.raises(ordern.SingularError, match=rf"is not finite{place}: its mass matrix is singular there"):
        CALL._complain(given, batch, [out])
    for first, joint in ((3, "joint1"), (8, "joint3")):
        zero = [a.copy() for a in given]
        zero[0][..., first : first + 4] = 0.0
        with pytest.raises(ordern.InputError, match=f"for joint '{joint}'"):
            CALL._complain(zero, batch, [out])


def test_links_have_effect_or_are_refused():
    model = robots.serial("RRR", 2)
    for algorithm in all_algorithms():
        if "link" in algorithm.options:
            assert static_options(algorithm, model, None)[algorithm.options.index("link")] == len(model.links) - 1
            assert static_options(algorithm, model, 1)[algorithm.options.index("link")] == 1
        else:
            with pytest.raises(ordern.InputError, match=f"has no effect on {algorithm.quantity}") as error:
                static_options(algorithm, model, 1)
            listed = str(error.value).partition("quantities of one link are ")[2].split(", ")
            assert "link_pose" in listed and algorithm.quantity not in listed
            assert set(static_options(algorithm, model, None)) <= {True}


def test_what_is_computed_without_machine_code():
    """Long robots whose text would be written out: those with loops, and large results of those with joints that follow."""
    chain = ordern.load(f"chain{LONG_LOOPS + 9}").model
    assert not Call(chain, choose("forward_dynamics", None, chain))._by_hand
    assert not Call(chain, choose("regressor", None, chain))._by_hand
    bar, follower = ordern.load("fourbar").model, robots.mimicking()
    assert max(len(bar.bodies), len(follower.bodies)) <= WRITTEN_OUT_ONLY
    assert not Call(bar, choose("forward_dynamics", None, bar))._by_hand
    assert not Call(follower, choose("regressor", None, follower))._by_hand


@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_a_state_alone_is_computed_in_its_own_precision(dtype):
    """As in a batch of one; Python's sines and NumPy's may differ in the last digit of double precision."""
    state = [np.asarray(a, dtype) for a in np.random.default_rng(1).uniform(-1, 1, (3, 3))]
    call = numbers(RNEA, robots.serial("RRR", 2))
    one, many = call(*state), call(*(a[None] for a in state))[0]
    assert one.dtype == many.dtype == np.dtype(dtype)
    np.testing.assert_allclose(one, many, rtol=0, atol=0 if dtype == "f4" else 1e-13)


def test_modules_without_a_text_have_a_stamp():
    """What Python has built in has no file, others have no text; ours is not part of it."""

    def built_in(x):
        return itertools.count(x), sys.maxsize

    def compiled(x):
        return math.sqrt(x)

    def ours(x):
        return ordern.load(x), np.float64

    stamps = {foreign_code(f) for f in (built_in, compiled, ours)}
    assert len(stamps) == 3 and all(len(s) == 64 for s in stamps)


@pytest.mark.parametrize(("most", "by_hand", "fine"), [(12, True, True), (11, True, False), (11, False, True)])
def test_results_that_fill_the_memory_are_refused(monkeypatch, most, by_hand, fine):
    """The largest of several counts, and only where no loop makes them."""
    monkeypatch.setattr("ordern.runtime.call.MOST_BY_HAND", most)
    call = Call.__new__(Call)
    call.model, call.algorithm, call.shapes, call._by_hand = FREE, RNEA, [(2,), (3, 4)], by_hand
    if fine:
        call._bearable()
    else:
        with pytest.raises(ordern.InputError, match=r"has 1\.2e\+01 numbers a state, too many for 3 bodies"):
            call._bearable()
