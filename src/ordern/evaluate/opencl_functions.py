"""Quantities on OpenCL devices, through pyopencl (extra "opencl"): the text of emit/opencl.py, built and run on the
first device there is.

``robot.compile(quantity, device="opencl")`` is a function of NumPy arrays as other compiled quantities are; arrays
travel to the device and back.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from ..algorithms.registry import Algorithm
from ..emit.opencl import opencl
from ..errors import InputError, MissingExtra, ShapeError, need
from ..model import Model
from ..program.ir import Program
from ..runtime.array_inputs import as_array
from ..runtime.call import Call
from ..runtime.complaints import complain
from .evaluators import evaluator
from .manifold import common_batch

__all__ = ["DeviceKernel"]


_TRIAL = "__kernel void trial(__global int *x) { x[0] = 1; }"


@lru_cache(maxsize=1)
def _context() -> Any:
    """For the first device whose driver compiles a kernel: one that is older than its processor may compile none."""
    cl: Any = need("pyopencl", "opencl")
    advice = "the extra 'opencl' brings one that runs on the processor; a newer one comes with the system"
    try:
        devices = [d for p in cl.get_platforms() for d in p.get_devices()]
    except cl.Error as error:
        raise MissingExtra(f"no OpenCL platform is installed ({error}); {advice}") from None
    reasons = []
    for device in devices:
        try:
            context = cl.Context([device])
            cl.Program(context, _TRIAL).build()
        except (cl.Error, RuntimeError) as error:
            reasons.append(f"{device.name.strip()!r} on {device.platform.version.strip()!r}: {_reason(error)}")
        else:
            return context
    found = "; ".join(dict.fromkeys(reasons)) or "there is no device"
    raise MissingExtra(f"no OpenCL device compiles kernels ({found}); {advice}")


def _reason(error: Exception) -> str:
    """The compiler's own line out of what pyopencl tells of a build."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return next((line for line in lines if line.startswith("error:")), lines[0] if lines else "no reason given")[:200]


class DeviceKernel:
    """A program on an OpenCL device: takes arrays (..., count) named in ``inputs``; returns one or a dict."""

    def __init__(self, model: Model, program: Program, title: str, dtype: str) -> None:
        cl: Any = need("pyopencl", "opencl")
        self.model, self.title, self.dtype = model, title, np.dtype(dtype)
        self.inputs, self.outputs = dict(program.inputs), dict(program.outputs)
        self.text = opencl(program, "quantity", dtype)
        self.context = _context()
        device = self.context.devices[0]
        if dtype == "float64" and "cl_khr_fp64" not in device.extensions:
            raise InputError(f"device {device.name!r} has no float64; use dtype='float32'")
        self.work = int(self.text.split("#define QUANTITY_WORK ")[1].split()[0])
        self.queue = cl.CommandQueue(self.context)
        self.kernel = cl.Kernel(cl.Program(self.context, self.text).build(), "quantity")

    def source(self) -> str:
        """The text that was built."""
        return self.text

    def __call__(self, *arrays: Any) -> Any:
        """Evaluate for one state or a batch; leading axes broadcast."""
        import pyopencl as cl

        if len(arrays) != len(self.inputs):
            raise ShapeError(
                f"{self.title} takes {len(self.inputs)} arrays ({', '.join(self.inputs)}), got {len(arrays)}"
            )
        given = [as_array(name, a) for name, a in zip(self.inputs, arrays, strict=True)]
        for (name, count), a in zip(self.inputs.items(), given, strict=True):
            if a.shape[-1:] != (count,):
                raise ShapeError(f"{name} must have {count} numbers in its last axis, got shape {a.shape}")
        batch = common_batch(self.inputs, given)
        count, flags = math.prod(batch), cl.mem_flags
        outs = [np.empty((count, max(1, math.prod(shape))), self.dtype) for shape in self.outputs.values()]
        if count:
            rows = [np.ascontiguousarray(np.broadcast_to(a, (*batch, a.shape[-1])), self.dtype) for a in given]
            there = [
                cl.Buffer(
                    self.context,
                    flags.READ_ONLY | flags.COPY_HOST_PTR,
                    hostbuf=a if a.size else np.zeros(1, self.dtype),
                )
                for a in rows
            ]
            back = [cl.Buffer(self.context, flags.WRITE_ONLY, o.nbytes) for o in outs]
            work = cl.Buffer(self.context, flags.READ_WRITE, max(1, self.work) * count * self.dtype.itemsize)
            self.kernel(self.queue, (count,), None, *there, *back, work, np.uint64(count))
            for o, b in zip(outs, back, strict=True):
                cl.enqueue_copy(self.queue, o, b)
            self.queue.finish()
            if not all(np.isfinite(a).all() for a in (*outs, *rows)):  # a result need not depend on every input
                complain(self.model, self.title, list(self.inputs), given, batch, outs)
        made = {
            name: o[:, : math.prod(s)].reshape((*batch, *s))
            for o, (name, s) in zip(outs, self.outputs.items(), strict=True)
        }
        made = {name: o if o.ndim else o[()] for name, o in made.items()}  # one number is a NumPy scalar
        return made if len(made) > 1 else next(iter(made.values()))

    def __repr__(self) -> str:
        return (
            f"<DeviceKernel {self.title}: ({', '.join(self.inputs)}) -> ({', '.join(self.outputs)}), {self.dtype}, "
            f"{self.context.devices[0].name}>"
        )


@evaluator("opencl")
def _on_device(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Callable[..., Any]:
    made = DeviceKernel(model, Call(model, algorithm, options).program(), algorithm.name, "float64")
    return lambda *arrays: tuple(found.values()) if isinstance(found := made(*arrays), dict) else found
