"""What counts as an array of numbers: other libraries' arrays by DLPack, tables with names, and what is refused with which words."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.runtime.array_inputs import as_array, by_name

X = np.arange(24.0).reshape(2, 3, 4)


class Lent:
    """An array of another library, on a device of some kind."""

    def __init__(self, device=(1, 0), fails=None, requires_grad=False):
        self.device, self.fails, self.requires_grad = device, fails, requires_grad

    def __dlpack_device__(self):
        if self.device is None:
            raise ValueError("no number for it")
        return self.device

    def __dlpack__(self, **options):
        if self.fails:
            raise self.fails
        return X.__dlpack__(**options)


class Refusing:
    """An array that will not become one of NumPy's, on a graphics card or not."""

    def __init__(self, fails, card=False):
        self.fails = fails
        if card:
            self.__cuda_array_interface__ = {}

    def __array__(self, dtype=None, copy=None):
        raise self.fails


class Tracer(Lent):
    """As JAX calls them."""


class Traced(Tracer):
    """Of a class below."""


def test_arrays_of_other_libraries_are_read_where_they_lie():
    for kind in range(1, 18):
        given = Lent((kind, 5))
        if kind in (1, 3, 11):  # the processor's own memory, and what CUDA and ROCm pin for it
            assert np.shares_memory(as_array("q", given), X)
        else:
            with pytest.raises(ordern.InputError, match=rf"q lies on another device \(DLPack kind {kind}\)"):
                as_array("q", given)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (Tracer(), "is being traced by JAX"), (Traced(), "is being traced by JAX"), (Lent(None), "lies where no array can be read"),
        (Lent(fails=BufferError(), requires_grad=True), r"requires a gradient.*q\.detach\(\)"), (Lent(fails=RuntimeError("bfloat16")), "bfloat16"),
        ([[1.0], [1.0, 2.0]], "its rows have different lengths"), (["1.0"], "holds text"), ([1j], "holds complex"), ([None], "holds mixed objects"),
        (len, r"is a function; give the numbers it returns, as len\(\)"),
        (Refusing(TypeError("use x.get()"), card=True), "lies on another device .*copy it there first"),
        (Refusing(KeyError("gone")), "is no array of numbers: 'gone'"), (Lent(fails=KeyError("gone")), "'gone'"),
        ([Refusing(TypeError("traced\nat length"))], "is no array of numbers: traced$"), (Lent(()), "can be read"),
    ],
)  # fmt: skip
def test_what_is_no_array_of_numbers_is_refused_by_name(given, said):
    with pytest.raises(ordern.OrdernError, match=f"^q .*{said}"):
        as_array("q", given)


class Table:
    """Numbers with labels for some axes, as xarray ("coords"), a data frame ("columns") or a series ("index") has them."""

    def __init__(self, kind, array, labels):
        self.array, self.ndim = array, array.ndim
        if kind == "coords":
            self.dims = tuple("abc"[: array.ndim])
            self.coords = {
                d: type("Coordinate", (), {"values": v}) for d, v in zip(self.dims, labels, strict=True) if v
            }
        else:
            setattr(self, kind, labels[-1])

    def __array__(self, dtype=None, copy=None):
        return self.array


NAMES, MIXED = list("wxyz"), list("zxyw")
TIMES = [10, 20, 30]
TABLES = [
    Table("coords", X, [["r", "s"], TIMES, MIXED]),
    Table("coords", X[0], [["r", "s", "t"], MIXED]),
    Table("coords", X[0, 0], [MIXED]),
]
TABLES += [Table("columns", X[0], [MIXED]), Table("index", X[0, 0], [MIXED]), Table("coords", X, [None, None, MIXED])]


@pytest.mark.parametrize("table", TABLES)
def test_names_of_the_last_axis_say_the_order(table):
    np.testing.assert_array_equal(by_name("q", table, NAMES), table.array[..., [3, 1, 2, 0]])
    with pytest.raises(ordern.InputError, match="q has names for its numbers \\('z', "):
        as_array("q", table)


NUMBERED = [
    Table("coords", X, [["r", "s"], list("rst"), [1, 2, 3, 4]]),
    Table("coords", X[0], [["r", "s", "t"], None]),
    Table("index", X[0], [MIXED]),
]
NUMBERED += [
    Table("columns", X[0], [[0, 1, 2, 3]]),
    Table("index", X[0, 0], [range(4)]),
    Table("index", X[0, 0], [5]),
    Table("columns", X[0], [5]),
]
del NUMBERED[-3].ndim  # no series, whatever it calls its index
NUMBERED[-3].index = MIXED


@pytest.mark.parametrize("table", NUMBERED)
def test_numbers_as_labels_and_names_of_other_axes_say_nothing(table):
    assert by_name("q", table, NAMES) is table
    np.testing.assert_array_equal(as_array("q", table), table.array)


def test_rows_and_columns_by_name():
    rows = [dict(zip(MIXED, row, strict=True)) for row in X[0]]
    sorted_ = X[0][:, [3, 1, 2, 0]]
    for value, wanted in (
        (rows, sorted_), (tuple(rows[:1]), sorted_[:1]), ({n: X[0][:, k] for k, n in enumerate(MIXED)}, sorted_),
        ({n: X[..., k] for k, n in enumerate(NAMES)}, X), ({"w": 1.0, "x": [2.0, 3.0], "y": 4.0, "z": 5.0}, [[1, 2, 4, 5], [1, 3, 4, 5]]),
    ):  # fmt: skip
        np.testing.assert_array_equal(by_name("qd", value, NAMES), wanted)
        if isinstance(value, dict):
            prefixed = {f"qd {k}": v for k, v in value.items()}
            np.testing.assert_array_equal(by_name("qd0", prefixed, NAMES), wanted)
    for plain in ([], (), X, 2.0, 3, [1.0, 2.0], [[1.0], [2.0]], [X[0, 0]], [np.float32(1.0)], None):
        assert by_name("q", plain, NAMES) is plain


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"w": 1.0, "x": 2.0}, "q has no single column for 'y'"), (dict.fromkeys("wxyz", 1.0) | {"q z": 2.0}, "q has no single column for 'z'"),
        (dict.fromkeys("wxyzuv", 1.0), "q has a column 'u' that is no joint"),
        ({"w": [1.0, 2.0], "x": [1.0, 2.0, 3.0], "y": 1.0, "z": 1.0}, "q has columns of different lengths"),
        (dict.fromkeys("wxyz", "a"), r"q\['w'\] holds text"),
    ],
)  # fmt: skip
def test_columns_that_do_not_fit_are_told(value, said):
    with pytest.raises(ordern.OrdernError, match=said):
        by_name("q", value, NAMES)


def test_masked_numbers_are_told_by_the_first_place():
    for at in ((0, 0, 0), (1, 2, 3), (0, 2, 1)):
        mask = np.zeros(X.shape, bool)
        mask[at] = mask[1, 2, 3] = True
        with pytest.raises(ordern.InputError, match=rf"q is masked at \[{', '.join(map(str, at))}\]"):
            as_array("q", np.ma.masked_array(X, mask))
    assert as_array("q", np.ma.masked_array(X, mask=False)) is not None
