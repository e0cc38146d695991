"""Kernels for people who keep a number of all states side by side: ``robot.compile(quantity, layout="lanes")``.

Arrays are (count, states) and results (..., states), C-contiguous, as processors with lanes read them best: nothing is
transposed on the way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import ShapeError
from ..runtime.array_inputs import as_array
from ..runtime.complaints import complain
from ..runtime.fast_entry import entry
from ..runtime.kernels import Kernel

__all__ = ["LaneKernel"]


class LaneKernel:
    """A compiled kernel: takes arrays (count, states) named in ``inputs``; returns an array or a dict."""

    def __init__(self, kernel: Kernel, title: str, recipe: tuple[Any, ...]) -> None:
        self.kernel, self.title, self._recipe = kernel, title, recipe
        self.inputs, self.outputs, self.dtype = tuple(kernel.inputs), tuple(kernel.outputs), kernel.dtype
        self._fast = entry(kernel, self._any, lambda made: dict(zip(self.outputs, made, strict=True)), None, True, True)

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """Evaluate; ``out`` is an array (or a tuple of them) that results go to, (..., states) as returned."""
        if len(arrays) != len(self.inputs):
            raise ShapeError(
                f"{self.title} takes {len(self.inputs)} arrays ({', '.join(self.inputs)}), got {len(arrays)}"
            )
        return self._fast(*arrays) if out is None else self._fast(*arrays, out)

    def _any(self, *arrays: Any) -> Any:
        """Any arrays, those of the results last; plain ones come here only for the first time."""
        out = arrays[len(self.inputs)] if len(arrays) > len(self.inputs) else None
        read = [as_array(name, a) for name, a in zip(self.inputs, arrays, strict=False)]
        with np.errstate(over="ignore"):  # what is too large for float32 is named below
            given = [np.ascontiguousarray(a, self.dtype) for a in read]
        states = given[0].shape[-1] if given[0].ndim else 0
        for name, a in zip(self.inputs, given, strict=True):
            if a.shape != (self.kernel.inputs[name], states):
                raise ShapeError(
                    f"{name} must be ({self.kernel.inputs[name]}, {states}), a number of all states side by side, got "
                    f"shape {a.shape}"
                )
        shapes = [(*shape, states) for shape in self.kernel.outputs.values()]
        made = (
            [np.empty(shape, self.dtype) for shape in shapes]
            if out is None
            else list(out)
            if isinstance(out, (tuple, list))
            else [out]
        )
        for a, shape in zip(made, shapes, strict=False):
            if (
                not isinstance(a, np.ndarray)
                or a.shape != shape
                or a.dtype != self.dtype
                or not (a.flags.c_contiguous and a.flags.writeable)
            ):
                raise ShapeError(f"out must be a writable, contiguous {self.dtype} array of shape {shape}")
        if len(made) != len(shapes) or (
            out is not None and any(np.may_share_memory(a, b) for a in made for b in given)
        ):
            raise ShapeError(f"out must hold {len(shapes)} arrays that do not overlap the inputs")
        if not self.kernel.run_columns(
            given, [a.reshape(size, states) for a, size in zip(made, self.kernel.sizes, strict=True)]
        ):
            outs = [a.reshape(size, states).T for a, size in zip(made, self.kernel.sizes, strict=True)]
            complain(self._recipe[0], self.title, self.inputs, [a.T for a in read], (states,), outs, "state")
        return made[0] if len(made) == 1 else dict(zip(self.outputs, made, strict=True))

    def __reduce__(self) -> Any:
        """Pickle the recipe: machine code belongs to one process."""
        from .compiled import in_lanes

        return in_lanes, self._recipe

    def __repr__(self) -> str:
        return f"<LaneKernel {self.title}: ({', '.join(self.inputs)}) -> ({', '.join(self.outputs)}), {self.dtype}>"
