"""The fast way in: a built-in function whose machine code reads NumPy's array structs, calls a kernel and returns a new
array, or several.

It serves positional arguments that are plain C-contiguous, aligned arrays of the kernel's dtype and length: one state
(1-D) or a batch (2-D, mixed with 1-D arrays that serve all rows); where the record says so, one more array behind them
takes the result. Everything else, and every result that is not finite, goes to a Python function with the same
arguments, which does it right or says what is wrong. The code is one function for all kernels; what differs lies in a
record of addresses and sizes, kept alive by the built-in's own ``self``: the tuple (address of the record, fallback,
owners...).

Layouts are NumPy's and Python's public ones. They are checked once against live objects; where anything differs
(another interpreter, a free-threaded or debug build) there is no fast way and the fallback itself is handed out.
"""

from __future__ import annotations

import ctypes
import importlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from .entry_code import TEXT
from .entry_layout import (
    BYTES,
    COUNTS,
    DATA,
    DESCR,
    DIMS,
    FLAGS,
    MOST_INPUTS,
    MOST_OUTPUTS,
    ND,
    SHAPES,
    SLOT,
    TUPLE,
    TYPE,
)

__all__ = ["DATA", "MOST_INPUTS", "MOST_OUTPUTS", "Record", "available", "builtin"]


class _MethodDef(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("method", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


class Record:
    """What the entry knows about one kernel; fields may be set later (``record["batch"] = address``)."""

    def __init__(self, counts: Sequence[int], shapes: Sequence[Sequence[int]], dtype: str) -> None:
        self.memory = (ctypes.c_int64 * (SHAPES + 4 * MOST_OUTPUTS))()
        for name, value in _api().items():
            self[name] = value
        self["pool"] = self.address  # until there is one, any word will do: no row is worth a second thread
        self["worth_rows"] = self["small_rows"] = 2**62
        self.dtype = np.dtype(dtype)  # the very object that arrays of this dtype point to
        self["descr"], self["inputs"], self["outputs"] = id(self.dtype), len(counts), len(shapes)
        self["itemsize"] = self.dtype.itemsize
        for k, count in enumerate(counts):
            self.memory[COUNTS + k] = count
        for k, shape in enumerate(shapes):
            for j, extent in enumerate((len(shape), *shape)):
                self.memory[SHAPES + 4 * k + j] = extent
        self.held: dict[str, Any] = {}

    def hold(self, name: str, thing: Any) -> None:
        """A Python function that the entry calls, or a type that it makes, which lives as long as the record."""
        self.held[name] = thing
        self[name] = id(thing)

    def __setitem__(self, name: str, value: int) -> None:
        self.memory[SLOT[name]] = value

    def __getitem__(self, name: str) -> int:
        return int(self.memory[SLOT[name]])

    @property
    def address(self) -> int:
        """Where it lies."""
        return ctypes.addressof(self.memory)


def _peek(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


@lru_cache(maxsize=1)
def _api() -> Mapping[str, int]:
    """Addresses of the functions the entry calls."""
    try:
        core = importlib.import_module("numpy._core._multiarray_umath")
    except ImportError:  # NumPy 1
        core = importlib.import_module("numpy.core._multiarray_umath")
    python = ctypes.pythonapi
    pointer = python.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = pointer(core._ARRAY_API, None)
    made = {"array_type": _peek(table + 8 * 2), "new": _peek(table + 8 * 94), "scalar": _peek(table + 8 * 76)}
    names = {
        "vectorcall": "PyObject_Vectorcall", "incref": "Py_IncRef", "decref": "Py_DecRef", "save": "PyEval_SaveThread",
        "restore": "PyEval_RestoreThread",
        "tuple": "PyTuple_New", "alloc": "PyType_GenericAlloc",
        "put": "PyTuple_SetItem", "get": "PyTuple_GetItem", "integer": "PyLong_FromSsize_t",
    }  # fmt: skip
    for name, symbol in names.items():
        made[name] = ctypes.cast(getattr(python, symbol), ctypes.c_void_p).value or 0
    return made


def _layouts_hold() -> bool:
    """Compare every offset used above with what live objects show of themselves."""
    whole = np.arange(6.0).reshape(2, 3)
    odd = np.frombuffer(bytearray(49), np.uint8)[1:].view(np.float64)
    for a in (whole, whole[0], whole[:, ::2], whole.T, odd, whole.astype(np.float32)):
        at = id(a)
        shape = _peek(at + DIMS)
        flags = ctypes.c_int32.from_address(at + FLAGS).value
        if (
            _peek(at + TYPE) != id(np.ndarray)
            or _peek(at + DATA) != a.ctypes.data
            or ctypes.c_int32.from_address(at + ND).value != a.ndim
            or [_peek(shape + 8 * k) for k in range(a.ndim)] != list(a.shape)
            or _peek(at + DESCR) != id(a.dtype)
            or bool(flags & 1) != a.flags.c_contiguous
            or bool(flags & 0x100) != a.flags.aligned
        ):
            return False
    items, text = (object(), object()), b"12345678"
    if [_peek(id(items) + TUPLE + 8 * k) for k in range(2)] != [id(x) for x in items]:
        return False
    return ctypes.string_at(id(text) + BYTES, 8) == text and _allocates()


def _allocates() -> bool:
    """Whether the functions found in NumPy's table are the ones meant."""
    api = _api()
    if api["array_type"] != id(np.ndarray) or not all(api.values()):
        return False
    dtype = np.dtype("float64")
    new = ctypes.PYFUNCTYPE(
        ctypes.py_object, *[ctypes.py_object] * 2, ctypes.c_int, *[ctypes.c_void_p] * 3, ctypes.c_int, ctypes.c_void_p
    )(api["new"])
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(dtype))  # the call takes one over
    made = new(np.ndarray, dtype, 2, (ctypes.c_int64 * 2)(2, 3), None, None, 0, None)
    number = np.array(2.5)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(number))  # so does this one
    bare = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.py_object)(api["scalar"])(number)
    return (
        type(made) is np.ndarray
        and made.shape == (2, 3)
        and made.dtype is dtype
        and type(bare) is np.float64
        and bare == 2.5
    )


@lru_cache(maxsize=1)
def native() -> bool:
    """Whether code written by hand for this process may run: the entry from Python and threads of its own.
    ``ORDERN_NATIVE=0`` says no.
    """
    return os.environ.get("ORDERN_NATIVE", "").strip().lower() not in ("0", "off", "no", "false")


@lru_cache(maxsize=1)
def available() -> int:
    """Address of the entry's machine code; 0 where there is no fast way in."""
    import sysconfig

    if not native():
        return 0
    flags = ("Py_GIL_DISABLED", "Py_DEBUG", "Py_TRACE_REFS")
    if (
        sys.implementation.name != "cpython"
        or sys.maxsize != 2**63 - 1
        or any(sysconfig.get_config_var(flag) for flag in flags)
    ):
        return 0
    try:
        if not _layouts_hold():
            return 0
        from . import cache
        from .machine import Code, compile_text

        found = cache.load("entry")
        data = found[1] if found else compile_text(TEXT)
        if not found:
            cache.save("entry", {}, data)
        code = Code(data, "entry")
    except (
        ImportError,
        AttributeError,
        OSError,
        RuntimeError,
        TypeError,
        ValueError,
    ):  # MethodError: no executable memory
        return 0
    _forever.append(code)
    return code.address


_forever: list[Any] = []


def builtin(record: Record, fallback: Callable[..., Any], owners: tuple[Any, ...] = ()) -> Callable[..., Any]:
    """A built-in function for a record; ``owners`` live as long as it. Without a fast way in, the fallback itself."""
    address = available()
    if not address:
        return fallback
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    held = (record.address.to_bytes(8, sys.byteorder), fallback, record, *owners)
    made: Callable[..., Any] = make(ctypes.addressof(_method(address)), held, None)
    return made


@lru_cache(maxsize=1)
def _method(address: int) -> _MethodDef:
    """METH_FASTCALL | METH_KEYWORDS. It stays: Python looks into it when it frees a built-in."""
    return _MethodDef(b"kernel", address, 0x80 | 0x02, None)
