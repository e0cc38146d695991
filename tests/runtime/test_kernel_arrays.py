"""Which arrays a kernel takes, and the same numbers where machine code is forbidden."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import all_algorithms
from ordern.errors import OrdernWarning
from ordern.program.build import prepared, trace
from ordern.runtime import kernels
from ordern.runtime.kernels import Kernel

RNEA = next(a for a in all_algorithms() if a.name == "inverse_dynamics/newton-euler")
PROGRAM = trace(RNEA, prepared(RNEA, robots.serial("RRR", 2)))
SINGLE = trace(RNEA, prepared(RNEA, robots.serial("R", 2)))
ROWS = 10


@pytest.fixture(scope="module")
def kernel():
    return Kernel.of(PROGRAM)


def shifted(array, by=1):
    """The same numbers from an address that is no multiple of their size."""
    room = np.zeros(array.nbytes + by, np.uint8)[by:].view(array.dtype).reshape(array.shape)
    room[...] = array
    return room


def spread(array, step=2):
    """The same numbers, every second in memory."""
    room = np.zeros((*array.shape[:-1], step * array.shape[-1]), array.dtype)[..., ::step]
    room[...] = array
    return room


def sealed(array):
    array.flags.writeable = False
    return array


BAD = {  # of arrays that a kernel reads, of those it writes
    "a row more": lambda a: np.vstack([a, a[:1]]),
    "a row less": lambda a: a[1:],
    "a number more": lambda a: np.hstack([a, a[:, :1]]),
    "a number less": lambda a: np.ascontiguousarray(a[:, 1:]),
    "single precision": lambda a: a.astype("f4"),
    "whole numbers": lambda a: a.astype("i8"),
    "not aligned": shifted,
    "with gaps": spread,
    "turned": np.asfortranarray,
}
BAD_ROWS = {"rows apart by half a number": lambda a: np.ndarray(a.shape, a.dtype, np.zeros(9999, np.uint8), 0, (28, 8))}
BAD_RESULTS = {"read only": sealed, "rows apart": lambda a: np.zeros((ROWS, 6))[:, :3]}


@pytest.mark.parametrize("place", range(4))
def test_arrays_that_are_not_as_announced_are_refused(kernel, place):
    """Each input and the output, each wrong in one way, all others right: an error, and nothing is written."""
    for name, spoilt in (BAD | (BAD_ROWS if place < 3 else BAD_RESULTS)).items():
        arrays = [np.ones((ROWS, 3)) for _ in range(3)] + [np.full((ROWS, 3), 7.0)]
        arrays[place] = spoilt(arrays[place])
        with pytest.raises(ValueError, match="a kernel's"):
            kernel.run(arrays[:3], arrays[3:])
        assert np.all(arrays[3] == (0.0 if name == "rows apart" else 7.0)), name


@pytest.mark.parametrize("place", range(4))
def test_columns_that_are_not_as_announced_are_refused(kernel, place):
    for spoilt in BAD.values():
        arrays = [np.ones((3, ROWS)) for _ in range(4)]
        arrays[place] = spoilt(arrays[place])
        with pytest.raises(ValueError, match="a kernel's array"):
            kernel.run_columns(arrays[:3], arrays[3:])


def test_as_many_arrays_as_announced(kernel):
    for inputs, outputs in ((2, 1), (4, 1), (3, 0), (3, 2)):
        given = [np.ones((ROWS, 3))] * inputs, [np.ones((ROWS, 3)) for _ in range(outputs)]
        with pytest.raises(ValueError, match="3 inputs and 1 outputs"):
            kernel._check(*given, ROWS)


def test_rows_may_lie_at_any_distance(kernel):
    """Behind each other, apart, backwards, all in one place; one number a row in any place."""
    rng = np.random.default_rng(3)
    q, wide = rng.uniform(-1, 1, (ROWS, 3)), rng.uniform(-1, 1, (ROWS, 5))
    one = rng.uniform(-1, 1, (1, 3))
    given = [q[::-1], wide[:, 1:4], np.broadcast_to(one, (ROWS, 3))]
    wanted, got = np.empty((ROWS, 3)), np.empty((ROWS, 3))
    assert kernel.run([np.ascontiguousarray(a) for a in given], [wanted]) and kernel.run(given, [got])
    np.testing.assert_array_equal(got, wanted)
    alone, single = Kernel.of(SINGLE), rng.uniform(-1, 1, (3, ROWS, 4))
    wanted, got = np.empty((ROWS, 1)), np.empty((ROWS, 1))
    assert alone.run([np.ascontiguousarray(a[:, :1]) for a in single], [wanted])
    assert alone.run([single[0, :, :1], single[1, :, :4:7], single[2, :, :1]], [got])
    np.testing.assert_array_equal(got, wanted)
    assert kernel.run([np.empty((0, 3))] * 3, [np.empty((0, 3))]) is True
    assert kernel.run_columns([np.empty((3, 0))] * 3, [np.empty((3, 0))]) is True


@pytest.mark.parametrize(("columns", "rows"), [(False, 1), (False, 5), (True, 1), (True, 5)])
def test_where_machine_code_is_forbidden(kernel, monkeypatch, columns, rows):
    """The same numbers from NumPy, from a program that is traced once; results that are not finite are told."""
    made = []

    def make():
        made.append(1)
        return PROGRAM

    monkeypatch.setattr(kernels, "executable", lambda: False)
    kernels._say_once.cache_clear()
    slow = Kernel(make, PROGRAM.inputs, PROGRAM.outputs)
    given = list(np.random.default_rng(4).uniform(-1, 1, (3, rows, 3)))
    run = {k: k.run_columns if columns else k.run for k in (kernel, slow)}
    lay = (lambda a: np.ascontiguousarray(a.T)) if columns else (lambda a: a)
    wanted, got = lay(np.empty((rows, 3))), lay(np.empty((rows, 3)))
    kernel.ready()
    with pytest.warns(OrdernWarning, match="results come from NumPy") as said:
        assert run[slow]([lay(a) for a in given], [got]) is True
        assert run[slow]([lay(a) for a in given], [got]) is True
    assert len(said) == 1 and made == [1] and not slow._made
    assert run[kernel]([lay(a) for a in given], [wanted])
    np.testing.assert_allclose(got, wanted, rtol=0, atol=1e-13)  # some hundred operations on numbers up to 30
    monkeypatch.setattr(kernels, "executable", lambda: True)
    given[1][-1, 2] = np.inf
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("error")  # it goes on as it began, and is silent
        assert run[slow]([lay(a) for a in given], [got]) is False


def test_a_result_that_depends_on_nothing_is_written_for_every_row(monkeypatch):
    """The mass matrix of one slider: a number, in as many rows as there are states."""
    algorithm = next(a for a in all_algorithms() if a.name.startswith("mass_matrix/"))
    program = trace(algorithm, prepared(algorithm, robots.serial("P", 2)))
    slow, fast = Kernel.of(program), Kernel.of(program)
    wanted, got = np.empty((4, 1, 1)), np.empty((4, 1, 1))
    q = np.linspace(-1, 1, 4)[:, None]
    assert fast.run([q], [wanted])
    monkeypatch.setattr(kernels, "executable", lambda: False)
    monkeypatch.setattr(kernels, "_say_once", lambda: None)
    assert slow.run([q], [got]) is True
    np.testing.assert_array_equal(got, wanted)
    assert got[0, 0, 0] > 0
