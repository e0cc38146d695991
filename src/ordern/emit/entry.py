"""The fast way in: a built-in function whose machine code reads NumPy's array structs, calls a kernel and returns a new array.

It serves positional arguments that are plain C-contiguous, aligned arrays of the kernel's dtype and length: one state (1-D) or a batch
(2-D, mixed with 1-D arrays that serve all rows). Everything else, and every result that is not finite, goes to a Python function
with the same arguments, which does it right or says what is wrong. The code is one function for all kernels; what differs lies in a record of
addresses and sizes, kept alive by the built-in's own ``self``: the tuple (address of the record, fallback, owners...).

Layouts are NumPy's and Python's public ones. They are checked once against live objects; where anything differs (another interpreter, a
free-threaded or debug build) there is no fast way and the fallback itself is handed out.
"""

from __future__ import annotations

import ctypes
import importlib
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

__all__ = ["DATA", "MOST_INPUTS", "Record", "available", "builtin"]

MOST_INPUTS = 8
_SELF, _TUPLE, _BYTES = 8, 24, 32  # offsets of ob_type, of a tuple's items and of a bytes object's text
DATA, _ND, _DIMS, _DESCR, _FLAGS = 16, 24, 32, 56, 64  # of PyArrayObject_fields
_CONTIGUOUS_ALIGNED = 0x101
_FIELDS = (
    "single", "batch", "single_space", "batch_space", "inputs", "most_rows", "held_rows", "nd", "dim0", "dim1", "dim2",
    "descr", "array_type", "new", "vectorcall", "incref", "decref", "save", "restore",
)  # fmt: skip
_SLOT = {name: k for k, name in enumerate(_FIELDS)}
_COUNTS = len(_FIELDS)

_TEXT = f"""
define ptr @entry(ptr %self, ptr %args, i64 %nargs, ptr %names) nounwind {{
begin:
  %item = getelementptr i8, ptr %self, i64 {_TUPLE}
  %holder = load ptr, ptr %item
  %where = getelementptr i8, ptr %holder, i64 {_BYTES}
  %r = load ptr, ptr %where
  %item1 = getelementptr i8, ptr %self, i64 {_TUPLE + 8}
  %fallback = load ptr, ptr %item1
  %ins = alloca [{MOST_INPUTS} x ptr]
  %strides = alloca [{MOST_INPUTS} x i64]
  %dims = alloca [4 x i64]
  %outs = alloca [1 x ptr]
  %descr_at = getelementptr i64, ptr %r, i64 {_SLOT["descr"]}
  %descr = load ptr, ptr %descr_at
  %type_at = getelementptr i64, ptr %r, i64 {_SLOT["array_type"]}
  %type = load ptr, ptr %type_at
  %count_at = getelementptr i64, ptr %r, i64 {_SLOT["inputs"]}
  %count = load i64, ptr %count_at
  %enough = icmp eq i64 %nargs, %count
  %plain = icmp eq ptr %names, null
  %go = and i1 %enough, %plain
  br i1 %go, label %each, label %slow
each:
  %k = phi i64 [ 0, %begin ], [ %k1, %next ]
  %rows = phi i64 [ -1, %begin ], [ %rows1, %next ]
  %done = icmp eq i64 %k, %count
  br i1 %done, label %call, label %kind
kind:
  %arg_at = getelementptr ptr, ptr %args, i64 %k
  %a = load ptr, ptr %arg_at
  %t_at = getelementptr i8, ptr %a, i64 {_SELF}
  %t = load ptr, ptr %t_at
  %is_array = icmp eq ptr %t, %type
  br i1 %is_array, label %look, label %slow
look:
  %d_at = getelementptr i8, ptr %a, i64 {_DESCR}
  %d = load ptr, ptr %d_at
  %same = icmp eq ptr %d, %descr
  %f_at = getelementptr i8, ptr %a, i64 {_FLAGS}
  %f = load i32, ptr %f_at
  %f1 = and i32 %f, {_CONTIGUOUS_ALIGNED}
  %neat = icmp eq i32 %f1, {_CONTIGUOUS_ALIGNED}
  %nd_at = getelementptr i8, ptr %a, i64 {_ND}
  %nd = load i32, ptr %nd_at
  %nd1 = sub i32 %nd, 1
  %flat = icmp ult i32 %nd1, 2
  %ok0 = and i1 %same, %neat
  %ok1 = and i1 %ok0, %flat
  br i1 %ok1, label %sizes, label %slow
sizes:
  %dims_at = getelementptr i8, ptr %a, i64 {_DIMS}
  %shape = load ptr, ptr %dims_at
  %last = zext i32 %nd1 to i64
  %n_at = getelementptr i64, ptr %shape, i64 %last
  %n = load i64, ptr %n_at
  %m = load i64, ptr %shape
  %two = icmp eq i32 %nd1, 1
  %want_i = add i64 %k, {_COUNTS}
  %want_at = getelementptr i64, ptr %r, i64 %want_i
  %want = load i64, ptr %want_at
  %fits = icmp eq i64 %n, %want
  %stride = select i1 %two, i64 %n, i64 0
  %first = icmp eq i64 %rows, -1
  %agree = icmp eq i64 %rows, %m
  %ok2 = or i1 %first, %agree
  %one = xor i1 %two, true
  %ok3 = or i1 %ok2, %one
  %ok4 = and i1 %ok3, %fits
  br i1 %ok4, label %next, label %slow
next:
  %rows1 = select i1 %two, i64 %m, i64 %rows
  %data_at = getelementptr i8, ptr %a, i64 {DATA}
  %data = load ptr, ptr %data_at
  %in_at = getelementptr ptr, ptr %ins, i64 %k
  store ptr %data, ptr %in_at
  %stride_at = getelementptr i64, ptr %strides, i64 %k
  store i64 %stride, ptr %stride_at
  %k1 = add i64 %k, 1
  br label %each
call:
  %batched = icmp ne i64 %rows, -1
  %extra = zext i1 %batched to i64
  %fn_at = getelementptr i64, ptr %r, i64 %extra
  %fn = load ptr, ptr %fn_at
  %space_i = add i64 %extra, {_SLOT["single_space"]}
  %space_at = getelementptr i64, ptr %r, i64 %space_i
  %space = load ptr, ptr %space_at
  %total = select i1 %batched, i64 %rows, i64 1
  %most_at = getelementptr i64, ptr %r, i64 {_SLOT["most_rows"]}
  %most = load i64, ptr %most_at
  %total0 = sub i64 %total, 1
  %small = icmp ult i64 %total0, %most
  %known = icmp ne ptr %fn, null
  %ok5 = and i1 %small, %known
  br i1 %ok5, label %make, label %slow
make:
  store i64 %total, ptr %dims
  %s0_at = getelementptr i64, ptr %r, i64 {_SLOT["dim0"]}
  %s01 = load <2 x i64>, ptr %s0_at, align 8
  %s2_at = getelementptr i64, ptr %r, i64 {_SLOT["dim2"]}
  %s2 = load i64, ptr %s2_at
  %e0_at = getelementptr i64, ptr %dims, i64 1
  store <2 x i64> %s01, ptr %e0_at, align 8
  %e2_at = getelementptr i64, ptr %dims, i64 3
  store i64 %s2, ptr %e2_at
  %onward = sub i64 1, %extra
  %dims_from = getelementptr i64, ptr %dims, i64 %onward
  %ndo_at = getelementptr i64, ptr %r, i64 {_SLOT["nd"]}
  %ndo = load i64, ptr %ndo_at
  %ndo1 = add i64 %ndo, %extra
  %ndo2 = trunc i64 %ndo1 to i32
  %incref_at = getelementptr i64, ptr %r, i64 {_SLOT["incref"]}
  %incref = load ptr, ptr %incref_at
  call void %incref(ptr %descr)
  %new_at = getelementptr i64, ptr %r, i64 {_SLOT["new"]}
  %new = load ptr, ptr %new_at
  %out = call ptr %new(ptr %type, ptr %descr, i32 %ndo2, ptr %dims_from, ptr null, ptr null, i32 0, ptr null)
  %failed = icmp eq ptr %out, null
  br i1 %failed, label %fail, label %compute
compute:
  %outdata_at = getelementptr i8, ptr %out, i64 {DATA}
  %outdata = load ptr, ptr %outdata_at
  store ptr %outdata, ptr %outs
  %held_at = getelementptr i64, ptr %r, i64 {_SLOT["held_rows"]}
  %held = load i64, ptr %held_at
  %long = icmp ugt i64 %total, %held
  br i1 %long, label %free, label %quick
quick:
  %q = call i32 %fn(ptr %ins, ptr %strides, ptr %outs, ptr %space, i64 0, i64 %total)
  br label %check
free:
  %save_at = getelementptr i64, ptr %r, i64 {_SLOT["save"]}
  %save = load ptr, ptr %save_at
  %state = call ptr %save()
  %l = call i32 %fn(ptr %ins, ptr %strides, ptr %outs, ptr %space, i64 0, i64 %total)
  %restore_at = getelementptr i64, ptr %r, i64 {_SLOT["restore"]}
  %restore = load ptr, ptr %restore_at
  call void %restore(ptr %state)
  br label %check
check:
  %flag = phi i32 [ %q, %quick ], [ %l, %free ]
  %bad = icmp ne i32 %flag, 0
  br i1 %bad, label %drop, label %finish
finish:
  ret ptr %out
drop:
  %decref_at = getelementptr i64, ptr %r, i64 {_SLOT["decref"]}
  %decref = load ptr, ptr %decref_at
  call void %decref(ptr %out)
  br label %slow
slow:
  %vector_at = getelementptr i64, ptr %r, i64 {_SLOT["vectorcall"]}
  %vector = load ptr, ptr %vector_at
  %result = call ptr %vector(ptr %fallback, ptr %args, i64 %nargs, ptr %names)
  ret ptr %result
fail:
  ret ptr null
}}
"""


class _MethodDef(ctypes.Structure):
    _fields_ = (("name", ctypes.c_char_p), ("method", ctypes.c_void_p), ("flags", ctypes.c_int), ("doc", ctypes.c_char_p))


class Record:
    """What the entry knows about one kernel; fields may be set later (``record["batch"] = address``)."""

    def __init__(self, counts: Sequence[int], shape: Sequence[int], dtype: str) -> None:
        self.memory = (ctypes.c_int64 * (_COUNTS + MOST_INPUTS))()
        for name, value in _api().items():
            self[name] = value
        self.dtype = np.dtype(dtype)  # the very object that arrays of this dtype point to
        self["descr"], self["inputs"], self["nd"] = id(self.dtype), len(counts), len(shape)
        for k, extent in enumerate(shape):
            self[f"dim{k}"] = extent
        for k, count in enumerate(counts):
            self.memory[_COUNTS + k] = count

    def __setitem__(self, name: str, value: int) -> None:
        self.memory[_SLOT[name]] = value

    def __getitem__(self, name: str) -> int:
        return int(self.memory[_SLOT[name]])

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
    made = {"array_type": _peek(table + 8 * 2), "new": _peek(table + 8 * 94)}
    names = {
        "vectorcall": "PyObject_Vectorcall", "incref": "Py_IncRef", "decref": "Py_DecRef", "save": "PyEval_SaveThread",
        "restore": "PyEval_RestoreThread",
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
        shape = _peek(at + _DIMS)
        flags = ctypes.c_int32.from_address(at + _FLAGS).value
        if (
            _peek(at + _SELF) != id(np.ndarray)
            or _peek(at + DATA) != a.ctypes.data
            or ctypes.c_int32.from_address(at + _ND).value != a.ndim
            or [_peek(shape + 8 * k) for k in range(a.ndim)] != list(a.shape)
            or _peek(at + _DESCR) != id(a.dtype)
            or bool(flags & 1) != a.flags.c_contiguous
            or bool(flags & 0x100) != a.flags.aligned
        ):
            return False
    items, text = (object(), object()), b"12345678"
    if [_peek(id(items) + _TUPLE + 8 * k) for k in range(2)] != [id(x) for x in items]:
        return False
    return ctypes.string_at(id(text) + _BYTES, 8) == text and _allocates()


def _allocates() -> bool:
    """Whether the functions found in NumPy's table are the ones meant."""
    api = _api()
    if api["array_type"] != id(np.ndarray) or not all(api.values()):
        return False
    dtype = np.dtype("float64")
    new = ctypes.PYFUNCTYPE(ctypes.py_object, *[ctypes.py_object] * 2, ctypes.c_int, *[ctypes.c_void_p] * 3, ctypes.c_int, ctypes.c_void_p)(
        api["new"]
    )
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(dtype))  # the call takes one over
    made = new(np.ndarray, dtype, 2, (ctypes.c_int64 * 2)(2, 3), None, None, 0, None)
    return type(made) is np.ndarray and made.shape == (2, 3) and made.dtype is dtype


@lru_cache(maxsize=1)
def available() -> int:
    """Address of the entry's machine code; 0 where there is no fast way in."""
    import sysconfig

    flags = ("Py_GIL_DISABLED", "Py_DEBUG", "Py_TRACE_REFS")
    if sys.implementation.name != "cpython" or sys.maxsize != 2**63 - 1 or any(sysconfig.get_config_var(flag) for flag in flags):
        return 0
    try:
        if not _layouts_hold():
            return 0
        from . import cache
        from .machine import Code, compile_text

        found = cache.load("entry")
        data = found[1] if found else compile_text(_TEXT)
        if not found:
            cache.save("entry", {}, data)
        code = Code(data, "entry")
    except (ImportError, AttributeError, OSError, RuntimeError, TypeError, ValueError):
        return 0
    _forever.append(code)
    return code.address


_forever: list[Any] = []
_methods: dict[tuple[str, str], _MethodDef] = {}


def builtin(record: Record, fallback: Callable[..., Any], owners: tuple[Any, ...] = (), name: str = "kernel", doc: str = "") -> Callable[..., Any]:
    """A built-in function for a record; ``owners`` are kept alive with it. Without a fast way in, the fallback itself."""
    address = available()
    if not address:
        return fallback
    method = _methods.get((name, doc))
    if method is None:  # these stay: Python looks into them when it frees a built-in
        method = _methods[name, doc] = _MethodDef(name.encode(), address, 0x80 | 0x02, doc.encode() or None)
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p]
    held = (record.address.to_bytes(8, sys.byteorder), fallback, record, *owners)
    made: Callable[..., Any] = make(ctypes.addressof(method), held, None)
    return made
