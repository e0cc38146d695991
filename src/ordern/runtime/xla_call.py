"""A kernel as a custom call of XLA: a handler in machine code that reads XLA's call frame and runs the kernel on its
buffers.

No copy is made and the interpreter is not touched: XLA's own thread leads, our threads help with large batches. The
layouts are those of XLA's foreign function interface, version 0.1 (xla/ffi/api/c_api.h), which XLA promises to keep. A
frame that does not fit (another number of buffers, another dtype, odd lengths) becomes an error of XLA's instead of a
crash. Every buffer has the batch as its first axis; an input with one row serves all rows. One function serves all
kernels; a trampoline of two instructions for each hands it the kernel's record.
"""

from __future__ import annotations

import ctypes
from functools import lru_cache
from typing import Any

from ..model.thresholds import TURN, WORTH
from . import cache
from .kernels import Kernel, _whole
from .machine import Code, compile_text
from .native_threads import MOST, thread_pool
from .threads import listeners, threads

__all__ = ["XlaHandler"]

MAJOR, MINOR = 0, 1  # of the interface this code needs
_DTYPES = {"float32": 11, "float64": 12}
# words of a record
_KERNEL, _SPACE, _INPUTS, _OUTPUTS, _DTYPE, _POOL, _LEAD, _WORTH_ROWS, _TURN_ROWS, _HELPERS, _MALLOC, _FREE, _COUNTS = (
    range(13)
)

_TEXT = f"""
@wrong = internal constant [61 x i8] c"ordern: the arrays of this custom call do not fit its kernel\\00"
@memory = internal constant [39 x i8] c"ordern: no memory for a kernel to work\\00"

define internal ptr @refuse(ptr %frame, ptr %message, i32 %code) nounwind {{
  %api_at = getelementptr i8, ptr %frame, i64 16
  %api = load ptr, ptr %api_at
  %create_at = getelementptr i8, ptr %api, i64 48
  %create = load ptr, ptr %create_at
  %args = alloca [4 x i64], align 8
  store i64 28, ptr %args
  %a1 = getelementptr i64, ptr %args, i64 1
  store ptr null, ptr %a1
  %a2 = getelementptr i64, ptr %args, i64 2
  store ptr %message, ptr %a2
  %a3 = getelementptr i64, ptr %args, i64 3
  store i32 %code, ptr %a3
  %error = call ptr %create(ptr %args)
  ret ptr %error
}}

define ptr @handle(ptr %frame, ptr %record) nounwind {{
begin:
  %extension_at = getelementptr i8, ptr %frame, i64 8
  %extension = load ptr, ptr %extension_at
  %asked = icmp ne ptr %extension, null
  br i1 %asked, label %which, label %stage
which:
  %type_at = getelementptr i8, ptr %extension, i64 8
  %type = load i32, ptr %type_at
  %metadata = icmp eq i32 %type, 1
  br i1 %metadata, label %tell, label %stage
tell:
  %about_at = getelementptr i8, ptr %extension, i64 24
  %about = load ptr, ptr %about_at
  %major_at = getelementptr i8, ptr %about, i64 24
  store i32 {MAJOR}, ptr %major_at
  %minor_at = getelementptr i8, ptr %about, i64 28
  store i32 {MINOR}, ptr %minor_at
  %traits_at = getelementptr i8, ptr %about, i64 32
  store i32 0, ptr %traits_at
  ret ptr null
stage:
  %stage_at = getelementptr i8, ptr %frame, i64 32
  %now = load i32, ptr %stage_at
  %execute = icmp eq i32 %now, 3
  br i1 %execute, label %frames, label %done
frames:
  %nin_at = getelementptr i8, ptr %frame, i64 56
  %nin = load i64, ptr %nin_at
  %args_at = getelementptr i8, ptr %frame, i64 72
  %args = load ptr, ptr %args_at
  %nout_at = getelementptr i8, ptr %frame, i64 96
  %nout = load i64, ptr %nout_at
  %rets_at = getelementptr i8, ptr %frame, i64 112
  %rets = load ptr, ptr %rets_at
  %inputs_at = getelementptr i64, ptr %record, i64 {_INPUTS}
  %inputs = load i64, ptr %inputs_at
  %outputs_at = getelementptr i64, ptr %record, i64 {_OUTPUTS}
  %outputs = load i64, ptr %outputs_at
  %dtype_at = getelementptr i64, ptr %record, i64 {_DTYPE}
  %dtype = load i64, ptr %dtype_at
  %counts = getelementptr i64, ptr %record, i64 {_COUNTS}
  %same_in = icmp eq i64 %nin, %inputs
  %same_out = icmp eq i64 %nout, %outputs
  %same = and i1 %same_in, %same_out
  br i1 %same, label %rows, label %unfit
rows:
  %ins = alloca ptr, i64 %nin, align 8
  %strides = alloca i64, i64 %nin, align 8
  %outs = alloca ptr, i64 %nout, align 8
  %first_out = load ptr, ptr %rets
  %rows_at = getelementptr i8, ptr %first_out, i64 40
  %dims0 = load ptr, ptr %rows_at
  %count = load i64, ptr %dims0
  br label %each_in
each_in:
  %k = phi i64 [ 0, %rows ], [ %k1, %next_in ]
  %more_in = icmp ult i64 %k, %nin
  br i1 %more_in, label %an_input, label %each_out
an_input:
  %arg_at = getelementptr ptr, ptr %args, i64 %k
  %arg = load ptr, ptr %arg_at
  %atype_at = getelementptr i8, ptr %arg, i64 16
  %atype = load i32, ptr %atype_at
  %atype1 = zext i32 %atype to i64
  %adata_at = getelementptr i8, ptr %arg, i64 24
  %adata = load ptr, ptr %adata_at
  %arank_at = getelementptr i8, ptr %arg, i64 32
  %arank = load i64, ptr %arank_at
  %adims_at = getelementptr i8, ptr %arg, i64 40
  %adims = load ptr, ptr %adims_at
  %arows = load i64, ptr %adims
  %awidth_at = getelementptr i64, ptr %adims, i64 1
  %width_at = getelementptr i64, ptr %counts, i64 %k
  %width = load i64, ptr %width_at
  %flat = icmp eq i64 %arank, 2
  br i1 %flat, label %check_in, label %unfit
check_in:
  %awidth = load i64, ptr %awidth_at
  %right_width = icmp eq i64 %awidth, %width
  %right_type = icmp eq i64 %atype1, %dtype
  %all_rows = icmp eq i64 %arows, %count
  %one_row = icmp eq i64 %arows, 1
  %right_rows = or i1 %all_rows, %one_row
  %fine0 = and i1 %right_width, %right_type
  %fine = and i1 %fine0, %right_rows
  br i1 %fine, label %next_in, label %unfit
next_in:
  %stride = select i1 %one_row, i64 0, i64 %width
  %in_at = getelementptr ptr, ptr %ins, i64 %k
  store ptr %adata, ptr %in_at
  %st_at = getelementptr i64, ptr %strides, i64 %k
  store i64 %stride, ptr %st_at
  %k1 = add i64 %k, 1
  br label %each_in
each_out:
  %j = phi i64 [ 0, %each_in ], [ %j1, %next_out ]
  %more_out = icmp ult i64 %j, %nout
  br i1 %more_out, label %an_output, label %ready
an_output:
  %ret_at = getelementptr ptr, ptr %rets, i64 %j
  %ret = load ptr, ptr %ret_at
  %rtype_at = getelementptr i8, ptr %ret, i64 16
  %rtype = load i32, ptr %rtype_at
  %rtype1 = zext i32 %rtype to i64
  %rdata_at = getelementptr i8, ptr %ret, i64 24
  %rdata = load ptr, ptr %rdata_at
  %rrank_at = getelementptr i8, ptr %ret, i64 32
  %rrank = load i64, ptr %rrank_at
  %rdims_at = getelementptr i8, ptr %ret, i64 40
  %rdims = load ptr, ptr %rdims_at
  %rrows = load i64, ptr %rdims
  %rflat = icmp eq i64 %rrank, 2
  br i1 %rflat, label %check_out, label %unfit
check_out:
  %rwidth_at = getelementptr i64, ptr %rdims, i64 1
  %rwidth = load i64, ptr %rwidth_at
  %place = add i64 %nin, %j
  %size_at = getelementptr i64, ptr %counts, i64 %place
  %size = load i64, ptr %size_at
  %right_size = icmp eq i64 %rwidth, %size
  %right_rtype = icmp eq i64 %rtype1, %dtype
  %right_rrows = icmp eq i64 %rrows, %count
  %good0 = and i1 %right_size, %right_rtype
  %good = and i1 %good0, %right_rrows
  br i1 %good, label %next_out, label %unfit
next_out:
  %out_at = getelementptr ptr, ptr %outs, i64 %j
  store ptr %rdata, ptr %out_at
  %j1 = add i64 %j, 1
  br label %each_out
ready:
  %none = icmp eq i64 %count, 0
  br i1 %none, label %done, label %choose
choose:
  %fn_at = getelementptr i64, ptr %record, i64 {_KERNEL}
  %fn = load ptr, ptr %fn_at
  %space_at = getelementptr i64, ptr %record, i64 {_SPACE}
  %space = load i64, ptr %space_at
  %worth_at = getelementptr i64, ptr %record, i64 {_WORTH_ROWS}
  %worth = load i64, ptr %worth_at
  %helpers_at = getelementptr i64, ptr %record, i64 {_HELPERS}
  %helpers0 = load i64, ptr %helpers_at
  %many = icmp uge i64 %count, %worth
  %helpers = select i1 %many, i64 %helpers0, i64 0
  %members = add i64 %helpers, 1
  %no_space = icmp eq i64 %space, 0
  br i1 %no_space, label %run, label %allocate
allocate:
  %malloc_at = getelementptr i64, ptr %record, i64 {_MALLOC}
  %malloc = load ptr, ptr %malloc_at
  %bytes0 = mul i64 %members, %space
  %bytes = add i64 %bytes0, 64
  %block = call ptr %malloc(i64 %bytes)
  %got = icmp ne ptr %block, null
  br i1 %got, label %cut, label %poor
cut:
  %places = alloca ptr, i64 %members, align 8
  %block1 = ptrtoint ptr %block to i64
  %block2 = add i64 %block1, 63
  %block3 = and i64 %block2, -64
  br label %part
part:
  %m = phi i64 [ 0, %cut ], [ %m1, %part ]
  %shift = mul i64 %m, %space
  %at = add i64 %block3, %shift
  %at_ptr = inttoptr i64 %at to ptr
  %place_at = getelementptr ptr, ptr %places, i64 %m
  store ptr %at_ptr, ptr %place_at
  %m1 = add i64 %m, 1
  %again = icmp ult i64 %m1, %members
  br i1 %again, label %part, label %run
run:
  %spaces = phi ptr [ null, %choose ], [ %places, %part ]
  %own = phi ptr [ null, %choose ], [ %block, %part ]
  %nobody = icmp eq i64 %helpers, 0
  br i1 %nobody, label %by_itself, label %together
by_itself:
  %mine = icmp eq ptr %spaces, null
  br i1 %mine, label %go, label %take
take:
  %my_space = load ptr, ptr %spaces
  br label %go
go:
  %work = phi ptr [ null, %by_itself ], [ %my_space, %take ]
  %f1 = call i32 %fn(ptr %ins, ptr %strides, ptr %outs, ptr %work, i64 0, i64 %count)
  br label %tidy
together:
  %pool_at = getelementptr i64, ptr %record, i64 {_POOL}
  %pool = load ptr, ptr %pool_at
  %lead_at = getelementptr i64, ptr %record, i64 {_LEAD}
  %lead = load ptr, ptr %lead_at
  %turn_at = getelementptr i64, ptr %record, i64 {_TURN_ROWS}
  %turn = load i64, ptr %turn_at
  %f2 = call i32 %lead(ptr %pool, ptr %fn, ptr %ins, ptr %strides, ptr %outs, ptr %spaces, i64 0, i64 %count, i64 %turn, i64 %helpers)
  br label %tidy
tidy:
  %free_at = getelementptr i64, ptr %record, i64 {_FREE}
  %free = load ptr, ptr %free_at
  call void %free(ptr %own)
  br label %done
done:
  ret ptr null
unfit:
  %e1 = call ptr @refuse(ptr %frame, ptr @wrong, i32 3)
  ret ptr %e1
poor:
  %e2 = call ptr @refuse(ptr %frame, ptr @memory, i32 8)
  ret ptr %e2
}}
"""


@lru_cache(maxsize=1)
def _common() -> Code:
    found = cache.load("xla handler")
    data = found[1] if found else compile_text(_TEXT)
    if not found:
        cache.save("xla handler", {}, data)
    return Code(data, "handle")


class XlaHandler:
    """The custom call of one kernel, as made for single states or for batches (either takes any number of rows).

    It is never given back: compiled functions of JAX may call it until the process ends.
    """

    _forever: list[XlaHandler] = []  # noqa: RUF012

    def __init__(self, kernel: Kernel, single: bool) -> None:
        self.kernel = kernel
        counts = [*kernel.inputs.values(), *kernel.sizes]
        self.record = (ctypes.c_int64 * (_COUNTS + len(counts)))()
        for k, count in enumerate(counts):
            self.record[_COUNTS + k] = count
        ready = kernel.ready(1 if single else None)
        self._held = (ready, _common())
        libc = ctypes.CDLL(None)
        for place, value in (
            (_KERNEL, ready.code.address), (_SPACE, -(-ready.workspace // 64) * 64), (_INPUTS, len(kernel.inputs)),
            (_OUTPUTS, len(kernel.outputs)),
            (_DTYPE, _DTYPES[kernel.dtype]), (_POOL, thread_pool().address), (_LEAD, thread_pool().lead_address),
            (_WORTH_ROWS, max(2, int(WORTH / ready.cost))), (_TURN_ROWS, _whole(TURN / ready.cost, ready.width)),
            (_MALLOC, ctypes.cast(libc.malloc, ctypes.c_void_p).value),
            (_FREE, ctypes.cast(libc.free, ctypes.c_void_p).value),
        ):  # fmt: skip
            self.record[place] = value or 0
        self.update()
        listeners.add(self)
        text = (
            f"define ptr @call(ptr %frame) nounwind {{\n  %r = tail call ptr inttoptr (i64 {_common().address} to ptr)"
            f"(ptr %frame, ptr inttoptr (i64 {ctypes.addressof(self.record)} to ptr))\n  ret ptr %r\n}}\n"
        )
        self.code = Code(compile_text(text), "call")
        XlaHandler._forever.append(self)

    def update(self) -> None:
        """After a change of ``ordern.threads``."""
        helpers = min(threads() - 1, MOST)
        if helpers > 0:
            thread_pool().start(helpers)
        self.record[_HELPERS] = helpers

    def capsule(self) -> Any:
        """The handler's address as JAX takes it."""
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        return make(self.code.address, None, None)
