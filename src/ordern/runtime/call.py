"""Call: a quantity of a robot as a function of arrays, with broadcasting and errors that name argument and joint.

Arrays are (..., n), coordinates last; leading axes broadcast. The result is float64 unless every input is float32.
Inputs are looked at for NaN and infinity only when the result has one, so that good batches pay nothing for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NoReturn

import numpy as np

from ..algorithms.registry import Algorithm, all_algorithms
from ..errors import InputError, ShapeError, SingularError
from ..model import Model
from ..model.thresholds import LONG_LOOPS, LOOPS_CARRIED, MOST_BY_HAND, WRITTEN_OUT_ONLY
from ..program.ir import Program
from ..program.layout import input_sizes, output_names, shape_of
from ..scalars.primitives import Array
from .array_inputs import _OWN, as_array, by_name
from .cache import source_stamp
from .complaints import complain, coordinate_names, singular
from .fast_entry import entry
from .foreign_code import foreign_codes
from .kernels import Kernel, compiled
from .memory import empty
from .other_equations import answered

__all__ = ["Call", "coordinate_names", "source_stamp", "static_options"]

# Programs of robots with mimic joints and of those that close loops are written out. For results of these kinds they
# grow with the robot (with its square, for the regressor), and compiling them takes a minute at 100 joints; so such
# long robots do without machine code there.
_NO_LOOPS = frozenset(("regressor", "matrix6", "wrenches"))
# row by row and at whole numbers of bytes: packed records and maps of files with a header may be neither
_LAID: Any = ("C", "A")


def static_options(algorithm: Algorithm, model: Model, link: int | None) -> tuple[Any, ...]:
    """Values for an algorithm's static arguments: the given link (or the last one), world axes; a link that has no
    effect is refused.
    """
    if link is not None and "link" not in algorithm.options:
        instead = {
            "forward_kinematics": "link_pose",
            "mass_matrix": "operational_mobility",
            "mass_matrix_inverse": "operational_mobility",
        }
        hint = f"; that of one link is {instead[algorithm.quantity]!r}" if algorithm.quantity in instead else ""
        known = ", ".join(sorted({a.quantity for a in all_algorithms() if "link" in a.options}))
        raise InputError(
            f"link={model.links[link].name!r} has no effect on {algorithm.quantity}{hint}; quantities of one link are "
            f"{known}"
        )
    chosen = len(model.links) - 1 if link is None else link
    return tuple({"link": chosen, "world": True}[name] for name in algorithm.options)


def _compiles(algorithm: Algorithm, model: Model, links: Sequence[int]) -> bool:
    """Whether a text that closes loops is short enough for machine code, written out or in loops over its units."""
    from ..program.units import in_units

    if "carried" in algorithm.outputs:
        return len(model.bodies) <= LOOPS_CARRIED
    return len(model.bodies) <= LONG_LOOPS or (not links and in_units(algorithm, model))


def _as_tuple(made: object) -> tuple[Any, ...]:
    return made if isinstance(made, tuple) else (made,)


class Call:
    """A quantity by one algorithm for one robot; ``links`` are those that external wrenches act on, ``named`` the class
    of several results.
    """

    def __init__(
        self,
        model: Model,
        algorithm: Algorithm,
        options: Sequence[Any] = (),
        links: Sequence[int] = (),
        named: type[tuple[Any, ...]] | None = None,
    ) -> None:
        self.named = named
        self.model, self.algorithm, self.options, self.links = model, algorithm, tuple(options), tuple(links)
        self.sizes = input_sizes(algorithm, model, links)
        self.names = [*algorithm.inputs, *(f"external[{model.links[k].name!r}]" for k in links)]
        self.shapes = [shape_of(kind, model) for kind in algorithm.outputs]
        self._kernels: dict[str, Kernel] = {}
        written_out = model.coupled or (algorithm.closed and bool(model.loops))
        self._by_hand = (
            written_out and len(model.bodies) > WRITTEN_OUT_ONLY and not _NO_LOOPS.isdisjoint(algorithm.outputs)
        )
        if algorithm.closed and model.loops:
            self._by_hand |= not _compiles(algorithm, model, self.links)
        self._bearable()

    def __call__(self, arrays: Sequence[Any], out: Array | None = None) -> Any:
        """Evaluate; several results come as a tuple."""
        return self.way(*arrays) if out is None else self.way(*arrays, out)

    @cached_property
    def way(self) -> Callable[..., Any]:
        """Machine code for plain arrays of float64, else of float32; all others, and all errors, go through ``_any``.

        It takes the inputs and, where the quantity is one array, one more that receives it.
        """
        count = len(self.sizes)

        def slow(*arrays: Any) -> Any:
            made = self._plain(arrays) if len(arrays) == count else None
            if made is None and len(arrays) == count and (state := self._state(arrays)) is not None:
                return self.way(*state)
            return self._any(arrays[:count], *arrays[count:]) if made is None else made

        return entry(
            self.kernel("float64"),
            entry(self.kernel("float32"), slow, named=self.named, into=True),
            named=self.named,
            into=True,
        )

    def _any(self, arrays: Sequence[Any], out: Array | None = None) -> Any:
        """Whatever arrays there are."""
        given = [
            self._checked(name, a, count)
            for name, a, count in zip(self.names, arrays, self.sizes.values(), strict=True)
        ]
        single = all(a.dtype == np.float32 for a in given) and bool(given)
        dtype = np.dtype(np.float32 if single else np.float64)
        try:
            batch = np.broadcast_shapes(*(a.shape[:-1] for a in given))
        except ValueError as error:
            shapes = ", ".join(f"{name} {a.shape}" for name, a in zip(self.names, given, strict=True))
            raise ShapeError(
                f"the batch axes do not fit together: {shapes}; all but the last axis must broadcast"
            ) from error
        outs = self._outs(out, batch, dtype)
        with np.errstate(over="ignore"):  # what is too large for a double is named below
            rows = [self._rows(a, batch, dtype) for a in given]
        if any(np.shares_memory(o, r) for o in outs for r in rows if out is not None):
            rows = [r.copy() for r in rows]
        count = math.prod(batch)
        if count:
            flat = [
                o.reshape(count, -1) if o.flags.carray else np.empty((count, o[(0,) * len(batch)].size), dtype)
                for o in outs
            ]
            try:
                fine = self._run(rows, flat, count, dtype.name)
            except ZeroDivisionError:  # a constant of the robot, whatever the state
                raise SingularError(singular(self.model, self.algorithm.quantity)) from None
            if not fine and not answered(self, rows, flat):
                self._complain(given, batch, flat)
            for o, f in zip(outs, flat, strict=True):
                if not o.flags.carray:
                    o[...] = f.reshape(o.shape)
        if out is None:
            outs = [
                o if o.ndim else o[()] for o in outs
            ]  # one number is a NumPy scalar, as NumPy's own functions have it
        return self._given(outs)

    def _given(self, outs: Sequence[Array]) -> Any:
        """One array as it is, several in their class."""
        if len(outs) == 1:
            return outs[0]
        return tuple(outs) if self.named is None else tuple.__new__(self.named, outs)

    def _state(self, arrays: Sequence[Any]) -> list[Array] | None:
        """One state in lists, columns of a matrix or whole numbers, as plain arrays: ten times faster."""
        made = []
        for a, count in zip(arrays, self.sizes.values(), strict=True):
            try:
                x = np.array(a) if type(a) is list and len(a) == count else a
            except ValueError:  # rows of several lengths
                return None
            if type(x) is not np.ndarray or x.shape != (count,) or x.dtype.kind not in "if" or x.itemsize > 8:
                return None
            made.append(np.ascontiguousarray(x, np.float64))
        changed = any(x is not a for x, a in zip(made, arrays, strict=True))
        single = all(type(a) is np.ndarray and a.dtype == np.float32 for a in arrays)
        return made if changed and not single else None

    def _plain(self, arrays: Sequence[Any]) -> Any:
        """Batches as most people have them, arrays of one length and type: all else is looked for in vain there, which
        takes 100 us.
        """
        first = arrays[0] if len(arrays) else None
        if type(first) is not np.ndarray or first.ndim != 2 or not len(first) or first.dtype not in _OWN:
            return None
        rows, dtype = len(first), first.dtype
        if not first.flags.c_contiguous:
            return self._columns(arrays, rows, dtype)
        for a, count in zip(arrays, self.sizes.values(), strict=True):
            if (
                type(a) is not np.ndarray
                or a.shape != (rows, count)
                or a.dtype != dtype
                or not (a.flags.c_contiguous and a.flags.aligned)
            ):
                return None
        outs = [empty((rows, *shape), dtype) for shape in self.shapes]
        try:
            fine = self._run(
                arrays, [o.reshape(rows, -1) for o in outs], rows, "float64" if dtype.itemsize == 8 else "float32"
            )
        except ZeroDivisionError:
            return None
        if not fine:
            return None  # the other way finds out why
        return self._given(outs)

    def _columns(self, arrays: Sequence[Any], rows: int, dtype: np.dtype[Any]) -> Any:
        """Batches in Fortran's order, columns side by side: read as they lie, and answered in the same order."""
        for a, count in zip(arrays, self.sizes.values(), strict=True):
            if (
                type(a) is not np.ndarray
                or a.shape != (rows, count)
                or a.dtype != dtype
                or not (a.flags.f_contiguous and a.flags.aligned)
            ):
                return None
        if self._by_hand:
            return None
        outs = [empty((*shape, rows), dtype) for shape in self.shapes]
        sizes = [math.prod(shape) for shape in self.shapes]
        try:
            kernel = self.kernel("float64" if dtype.itemsize == 8 else "float32")
            fine = kernel.run_columns(
                [a.T for a in arrays], [o.reshape(size, rows) for o, size in zip(outs, sizes, strict=True)]
            )
        except ZeroDivisionError:
            return None
        if not fine:
            return None  # the other way finds out why
        return self._given([np.moveaxis(o, -1, 0) for o in outs])

    # --- arguments ----------------------------------------------------------------------------------------------------
    def _checked(self, name: str, value: object, count: int) -> Array:
        if type(value) is not np.ndarray and not name.startswith("external"):
            value = by_name(name, value, coordinate_names(self.model, "q" if name == "q" else "v"))
        array = as_array(name, value)
        if array.ndim == 0 and count == 1:
            array = array.reshape(1)
        if array.ndim == 0 or array.shape[-1] != count:
            raise ShapeError(
                f"{name} must have {count} numbers in its last axis {self._meaning(name)}, got shape {array.shape}"
            )
        return array

    def _meaning(self, name: str) -> str:
        if name.startswith("external"):
            return "(moment, then force, at the link's frame)"
        names = coordinate_names(self.model, "q" if name == "q" else "v")
        shown = ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
        return f"({shown})"

    def _rows(self, a: Array, batch: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
        """The batch as rows: (count, n) contiguous, or (1, n) where one row serves all."""
        if all(extent == 1 for extent in a.shape[:-1]):
            return np.require(a.reshape(1, a.shape[-1]), dtype, _LAID)
        if a.shape[:-1] != batch:
            a = np.broadcast_to(a, (*batch, a.shape[-1]))
        return np.require(a, dtype, _LAID).reshape(
            math.prod(batch), a.shape[-1]
        )  # a robot without joints has no numbers to tell rows by

    def _bearable(self) -> None:
        """Refuse what would fill the memory before it is allocated: results that no loop makes are objects of Python's
        while they grow.
        """
        size = max(math.prod(shape) for shape in self.shapes)
        if self._by_hand and size > MOST_BY_HAND:
            bodies = len(self.model.bodies) - 1
            raise InputError(
                f"{self.algorithm.quantity} of robot {self.model.name!r} has {size:.1e} numbers a state, too many for "
                f"{bodies} bodies"
            )

    def _outs(self, out: Array | None, batch: tuple[int, ...], dtype: np.dtype[Any]) -> list[Array]:
        shapes = [(*batch, *shape) for shape in self.shapes]
        if out is None:
            return [empty(shape, dtype) for shape in shapes]
        given = list(out) if isinstance(out, (tuple, list)) else [out]
        if len(given) != len(shapes):
            raise ShapeError(f"out must hold {len(shapes)} arrays, got {len(given)}")
        for array, shape in zip(given, shapes, strict=True):
            if (
                not isinstance(array, np.ndarray)
                or array.shape != shape
                or array.dtype != dtype
                or not array.flags.writeable
            ):
                what = (
                    f"{array.dtype} array of shape {array.shape}"
                    if isinstance(array, np.ndarray)
                    else type(array).__name__
                )
                raise ShapeError(f"out must be a writable {dtype} array of shape {shape}, got {what}")
        return given

    # --- engines ------------------------------------------------------------------------------------------------------
    def kernel(self, dtype: str = "float64") -> Kernel:
        """The compiled program; traced only if no machine code for this robot, quantity and processor is at hand."""
        if dtype not in self._kernels:
            outputs = dict(zip(output_names(self.algorithm), self.shapes, strict=True))
            self._kernels[dtype] = compiled(self.key(), self._guarded, self.sizes, outputs, dtype)
        return self._kernels[dtype]

    def program(self) -> Program:
        """The program as it is compiled: frames and inertias moved, long walks rolled."""
        from ..program.build import prepared, trace  # here: machine code from disk needs no tracing

        return trace(self.algorithm, prepared(self.algorithm, self.model), self.options, self.links, checked=True)

    def _guarded(self) -> Program:
        from ..program.build import guarded

        return guarded(self.program())

    def key(self) -> str:
        """All that decides the program."""
        return "\n".join(
            [
                self.model.fingerprint,
                self.algorithm.name,
                repr(self.options),
                repr(self.links),
                source_stamp(),
                *foreign_codes(self.model, self.algorithm.function),
            ]
        )

    def _run(self, rows: Sequence[Array], outs: list[Array], count: int, dtype: str) -> bool:
        spread = [np.broadcast_to(r, (count, r.shape[1])) if len(r) != count else r for r in rows]
        if self._by_hand:
            return self._by_numbers(spread, outs)
        return self.kernel(dtype).run(spread, outs)

    def _by_numbers(self, rows: Sequence[Array], outs: list[Array]) -> bool:
        """The algorithm itself on arrays: slower for each state, but there at once."""
        from .numbers import numbers

        given = rows if len(rows[0]) != 1 else [r[0] for r in rows]  # one state runs on Python's own numbers
        with np.errstate(all="ignore"):  # what is not finite is looked for below
            made = _as_tuple(numbers(self.algorithm, self.model, self.options, self.links)(*given))
        for o, m in zip(outs, made, strict=True):
            o[...] = m.reshape(o.shape)
        return all(bool(np.isfinite(a).all()) for a in (*outs, *rows))  # a result need not depend on every input

    def _complain(self, given: Sequence[Array], batch: tuple[int, ...], outs: Sequence[Array]) -> NoReturn:
        complain(self.model, self.algorithm.quantity, self.names, given, batch, outs)
