"""Plain batches go straight to a kernel, row by row or column by column; whatever is odd about one array sends all of them the general way."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
import robots
from ordern.algorithms.registry import all_algorithms, choose
from ordern.runtime import call as calls
from ordern.runtime import entry as fast
from ordern.runtime.call import Call, static_options
from ordern.runtime.numbers import numbers

RNEA = next(a for a in all_algorithms() if a.name == "inverse_dynamics/newton-euler")
MODEL = robots.serial("FR", 2)  # 8 coordinates and 7 velocities
ROWS = 9


class Mine(np.ndarray):
    """Somebody's own."""


def further(array):
    """The same numbers one byte further on, in the same order."""
    room = np.zeros(array.nbytes + 1, np.uint8)[1:].view(array.dtype)
    room = room.reshape(array.shape, order="C" if array.flags.c_contiguous else "F")
    room[...] = array
    return room


ODD = {
    "a list": np.ndarray.tolist, "of another class": lambda a: a.view(Mine), "not aligned": further,
    "of the other precision": lambda a: a.astype("f4" if a.itemsize == 8 else "f8", order="K"),
    "of whole numbers": lambda a: a.astype("i8", order="K"), "a row more": lambda a: np.concatenate([a, a[:1]]),
    "a row less": lambda a: a[1:].copy("K"), "one row": lambda a: a[:1], "one state": lambda a: a[0].copy(), "no rows": lambda a: a[:0],
    "a number more": lambda a: np.concatenate([a, a[:, :1]], axis=1), "a number less": lambda a: a[:, 1:].copy("K"),
    "with another axis": lambda a: a[None], "with gaps": lambda a: np.repeat(a, 2, axis=0)[::2],
    "in the other order": lambda a: a.copy("F" if a.flags.c_contiguous else "C"),
}  # fmt: skip


def state(dtype, order):
    q, qd, qdd, _ = robots.state(MODEL, np.random.default_rng(0), (ROWS,))
    return [np.array(a, dtype, order=order) for a in (q, qd, qdd)]


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_batches_of_one_kind_take_the_short_way_with_the_same_bits(dtype, order):
    """The answer lies as the arrays do, whichever kernel makes it."""
    for quantity, count in (
        ("inverse_dynamics", 3),
        ("mass_matrix", 1),
        ("inverse_dynamics_derivatives", 3),
        ("kinetic_energy", 2),
    ):
        call = Call(MODEL, choose(quantity, None, MODEL))
        given = state(dtype, order)[:count]
        made, usual = call._plain(given), call._any(given)
        for a, b in zip(*(x if isinstance(x, tuple) else (x,) for x in (made, usual)), strict=True):
            assert a.dtype == dtype and a.tobytes() == b.tobytes()
            assert (a if order == "C" else np.moveaxis(a, 0, -1)).flags.c_contiguous
        first = Call(MODEL, call.algorithm)
        first._any = None
        assert first(given) is not None  # before there is a fast way in


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("dtype", ["f8", "f4"])
def test_what_is_odd_about_one_array_is_seen_before_any_kernel_runs(dtype, order, monkeypatch):
    call = Call(MODEL, RNEA)
    monkeypatch.setattr(call, "kernel", None)
    for place in range(3):
        for name, odd in ODD.items():
            given = state(dtype, order)
            given[place] = odd(given[place])
            assert call._plain(given) is None, (place, name)
    assert Call(robots.serial("", 2), RNEA)._plain([]) is None


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("bad", ["infinite", "zero division"])
def test_the_general_way_finds_out_why(order, bad, monkeypatch):
    call, given = Call(MODEL, RNEA), state("f8", order)
    if bad == "infinite":
        given[1][3, 2] = np.inf
    else:

        def fails(*_):
            raise ZeroDivisionError

        monkeypatch.setattr(calls.Kernel, "run", fails)
        monkeypatch.setattr(calls.Kernel, "run_columns", fails)
    assert call._plain(given) is None
    with pytest.raises(ordern.InputError if bad == "infinite" else ordern.SingularError):
        call(given)


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("quantity", ["regressor", "operational_mobility"])  # of several arrays, and of one
def test_robots_without_machine_code_compute_any_number_of_states(quantity, order, monkeypatch):
    """The algorithm itself on arrays, or on Python's numbers for one state; no kernel is asked for."""
    follower = robots.mimicking()
    algorithm = choose(quantity, None, follower)
    options = static_options(algorithm, follower, None)
    usual = Call(follower, algorithm, options)
    monkeypatch.setattr(calls, "WRITTEN_OUT_ONLY", len(follower.bodies) - 1)
    call = Call(follower, algorithm, options)
    monkeypatch.setattr(call, "kernel", None)
    for count in (1, 2, 5):
        given = robots.state(follower, np.random.default_rng(count), (count,))[: len(algorithm.inputs)]
        given = [np.array(a, order=order) for a in given]
        want = usual._any(given)
        for made in (call._any(given), call._plain(given)):
            if made is None:  # what lies in columns is written anew in rows first
                assert order == "F" and count > 1
                continue
            np.testing.assert_allclose(made, want, rtol=0, atol=1e-13 * max(1.0, np.abs(want).max()))  # other sums


def test_which_robots_have_no_machine_code(monkeypatch):
    """Either side of each limit: what is written out and large, closed chains that are long, or whose derivatives are carried along."""
    follower, bar, arm = robots.mimicking(), ordern.load("fourbar").model, robots.serial("RRR", 2)

    def by_hand(model, quantity, links=(), **limits):
        with monkeypatch.context() as changed:
            for name in ("WRITTEN_OUT_ONLY", "LONG_LOOPS", "LOOPS_CARRIED"):
                changed.setattr(calls, name, limits.get(name, 10**6))
            changed.setattr("ordern.program.units.in_units", lambda *_: limits.get("in_units", False))
            algorithm = choose(quantity, None, model)
            return Call(model, algorithm, static_options(algorithm, model, None), links)._by_hand

    for model, quantity, limit in (
        (follower, "regressor", "WRITTEN_OUT_ONLY"), (follower, "operational_mobility", "WRITTEN_OUT_ONLY"),
        (bar, "joint_wrenches", "WRITTEN_OUT_ONLY"), (bar, "forward_dynamics", "LONG_LOOPS"), (bar, "forward_dynamics_derivatives", "LOOPS_CARRIED"),
    ):  # fmt: skip
        for spare in (0, -1):
            assert by_hand(model, quantity, **{limit: len(model.bodies) + spare}) == (spare < 0), (quantity, limit)
    short = {"WRITTEN_OUT_ONLY": 0, "LONG_LOOPS": 0, "LOOPS_CARRIED": 0}
    for model, quantity in (
        (arm, "regressor"),
        (arm, "forward_dynamics"),
        (follower, "forward_dynamics"),
        (bar, "mass_matrix"),
    ):
        assert not by_hand(model, quantity, **short), quantity
    for links in ((), (1,)):  # in loops over units, but where wrenches act on single links
        assert by_hand(bar, "forward_dynamics", links, LONG_LOOPS=0, in_units=True) == bool(links)


@pytest.mark.parametrize("shift", [0, 1, 5, -3])
def test_results_may_overlap_what_they_are_made_of(shift):
    """As NumPy's own functions have it: as if the inputs had been copied before."""
    call, (q, qd, qdd) = Call(MODEL, RNEA), state("f8", "C")
    want, room = call([q, qd, qdd]), np.zeros(ROWS * 7 + 20)
    given, out = (room[at : at + ROWS * 7].reshape(ROWS, 7) for at in (10, 10 + shift))
    for _ in range(2):  # the second time by the fast way in
        given[...] = qdd
        assert call([q, qd, given], out) is out
        np.testing.assert_array_equal(out, want)


@pytest.mark.parametrize("quantity", ["inverse_dynamics", "forward_dynamics"])
def test_a_few_states_are_the_same_one_by_one_and_as_arrays(quantity):
    """Few run on Python's own numbers, more on arrays; where Python's numbers raise, all of them do."""
    model = robots.GRID["mixed"]()
    algorithm = choose(quantity, None, model)
    made = dict(zip(("q", "qd", "qdd", "tau"), robots.state(model, np.random.default_rng(3), (8,)), strict=True))
    given = [made[name] for name in algorithm.inputs]
    evaluate = numbers(algorithm, model)
    right = evaluate(*given)  # eight are arrays
    close = {"rtol": 0, "atol": 1e3 * np.finfo(float).eps * np.abs(right).max()}  # the condition of M is some 100
    np.testing.assert_allclose(evaluate(*(x[0] for x in given)), right[0], **close)
    np.testing.assert_allclose(evaluate(*(x[:3] for x in given)), right[:3], **close)
    spread = [x[:2].reshape(2, 1, -1) if k else x[0] for k, x in enumerate(given)]  # one q for two rows of the others
    np.testing.assert_array_equal(
        evaluate(*spread), evaluate(*(np.broadcast_to(x, (2, 1, x.shape[-1])) for x in spread))
    )
    assert evaluate(*(x[:0] for x in given)).shape == (0, *right.shape[1:])
    given[0] = given[0][:2].copy()
    given[0][1] = np.inf  # whose sine Python refuses
    with np.errstate(invalid="ignore"):
        found = evaluate(given[0], *(x[:2] for x in given[1:]))
    np.testing.assert_allclose(found[0], right[0], **close)
    assert np.isnan(found[1]).any()


STATES = {
    "a list": list, "with gaps": lambda a: np.repeat(a, 2)[::2], "of whole numbers": lambda a: np.round(5 * a).astype("i4"),
    "backwards": lambda a: a[::-1].copy()[::-1], "of the other precision": lambda a: a.astype("f4"), "swapped": lambda a: a.astype(">f8"),
    "not aligned": further, "long doubles": lambda a: a.astype(np.longdouble), "a tuple": tuple,
    "whole numbers in a list": lambda a: [int(5 * x) for x in a],
    "a number less": lambda a: list(a)[1:], "rows of several lengths": lambda a: [[1.0], *list(a)[1:]], "texts": lambda a: [str(x) for x in a],
    "a hole": lambda a: [None, *list(a)[1:]], "not finite": lambda a: [np.nan, *list(a)[1:]], "truths": lambda a: [True] * len(a),
    "too large": lambda a: [10**400, *list(a)[1:]], "complex": lambda a: list(a * 1j), "masked": lambda a: np.ma.array(a, mask=a > 0),
}  # fmt: skip


def outcome(call, given):
    try:
        return call(given)
    except Exception as error:
        return type(error), str(error)


@pytest.mark.parametrize("form", STATES)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_state_in_any_form_has_the_answer_of_the_general_way(form, place):
    """Numbers or errors, whichever argument has the form."""
    call = Call(MODEL, RNEA)
    given = [x[0].copy() for x in state("f8", "C")]
    call(given)
    given[place] = STATES[form](given[place])
    made, usual = outcome(call, given), outcome(call._any, given)
    assert type(made) is type(usual)
    np.testing.assert_array_equal(made, usual)
    short = ("a list", "with gaps", "of whole numbers", "backwards", "of the other precision", "swapped")
    if form in (*short, "whole numbers in a list") and fast.available():
        seen = []
        call._any = seen.append
        assert np.array_equal(call(given), usual) and not seen
