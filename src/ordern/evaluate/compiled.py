"""``robot.compile`` and ``robot.export_c``: kernels as objects, several quantities in one pass, C."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..algorithms.registry import Algorithm, choose
from ..emit.c import c_source
from ..emit.c import export_c as c_files
from ..errors import InputError, ShapeError, one_of, shown
from ..files import path_of, write_all
from ..model import Model
from ..model.thresholds import MOST_INTERPRETED, UNROLL
from ..program.build import guarded, prepared, trace_many
from ..program.differentiate import several_derivatives
from ..program.ir import Program
from ..runtime.array_inputs import as_array
from ..runtime.call import Call, coordinate_names, source_stamp, static_options
from ..runtime.complaints import complain
from ..runtime.fast_entry import entry
from ..runtime.foreign_code import foreign_codes
from ..runtime.kernels import Kernel, compiled, operations
from .evaluators import evaluator
from .manifold import common_batch, named

__all__ = ["Compiled", "Together", "compile_quantity", "export", "in_lanes", "on_device", "write_program"]


class Compiled:
    """A compiled kernel: takes the arrays of ``inputs``, (..., count) each; returns an array or a dict."""

    def __init__(self, kernel: Kernel, title: str, make: Callable[[], Program], recipe: tuple[Any, ...]) -> None:
        self.kernel, self.title, self._make, self._recipe = kernel, title, make, recipe
        self.inputs, self.outputs, self.dtype = tuple(kernel.inputs), tuple(kernel.outputs), kernel.dtype
        self._fast = entry(kernel, self._any, wrap=lambda made: dict(zip(self.outputs, made, strict=True)))

    def __call__(self, *arrays: Any) -> Any:
        """Evaluate for one state or a batch; leading axes broadcast."""
        return self._fast(*arrays)

    def _any(self, *arrays: object) -> Any:
        """Any arrays; plain ones come here only for the first time."""
        if len(arrays) != len(self.inputs):
            raise ShapeError(
                f"{self.title} takes {len(self.inputs)} arrays ({', '.join(self.inputs)}), got {len(arrays)}"
            )
        model = self._recipe[0]
        given = [as_array(name, named(model, name, a)) for name, a in zip(self.inputs, arrays, strict=True)]
        for name, a in zip(self.inputs, given, strict=True):
            if a.shape[-1:] != (self.kernel.inputs[name],):
                raise ShapeError(
                    f"{name} must have {self.kernel.inputs[name]} numbers in its last axis, got shape {a.shape}"
                )
        batch = common_batch(self.inputs, given)
        count = math.prod(batch)
        with np.errstate(over="ignore"):  # what is too large for float32 is named below
            rows = [
                np.require(np.broadcast_to(a, (*batch, a.shape[-1])), self.dtype, ("C", "A")).reshape(
                    count, a.shape[-1]
                )
                for a in given
            ]
        outs = [np.empty((count, size), self.dtype) for size in self.kernel.sizes]
        if count and not self.kernel.run(rows, outs):
            complain(model, self.title, self.inputs, given, batch, outs)
        made = {
            name: o.reshape((*batch, *shape))
            for o, (name, shape) in zip(outs, self.kernel.outputs.items(), strict=True)
        }
        made = {name: o if o.ndim else o[()] for name, o in made.items()}  # one number is a NumPy scalar
        return made if len(made) > 1 else next(iter(made.values()))

    def source(self, language: str = "llvm") -> str:
        """The program as text: "llvm", "asm" or "c"."""
        return c_source(self._make(), "kernel", self.dtype) if language == "c" else self.kernel.source(language)

    def __reduce__(self) -> Any:
        """Pickle the recipe: machine code belongs to one process."""
        return compile_quantity, self._recipe

    def __repr__(self) -> str:
        return f"<Compiled {self.title}: ({', '.join(self.inputs)}) -> ({', '.join(self.outputs)}), {self.dtype}>"


class Together:
    """Kernels called in turn, each with its own arguments: for quantities of long robots (loops)."""

    def __init__(self, parts: Sequence[Compiled], names: Sequence[str], recipe: tuple[Any, ...]) -> None:
        self.parts, self.title, self._recipe = tuple(parts), " + ".join(names), recipe
        self.inputs = tuple(dict.fromkeys(name for part in parts for name in part.inputs))
        several = [[""] if len(p.outputs) == 1 else [f"_{o}" for o in p.outputs] for p in parts]
        self._labels = [[name + tail for tail in tails] for name, tails in zip(names, several, strict=True)]
        self.outputs, self.dtype = tuple(label for labels in self._labels for label in labels), parts[0].dtype

    def __call__(self, *arrays: Any) -> dict[str, Any]:
        """Evaluate for one state or a batch; leading axes broadcast."""
        if len(arrays) != len(self.inputs):
            raise ShapeError(
                f"{self.title} takes {len(self.inputs)} arrays ({', '.join(self.inputs)}), got {len(arrays)}"
            )
        given = dict(zip(self.inputs, arrays, strict=True))
        found: dict[str, Any] = {}
        for part, labels in zip(self.parts, self._labels, strict=True):
            made = part(*(given[name] for name in part.inputs))
            found.update(zip(labels, made.values() if isinstance(made, dict) else [made], strict=True))
        return found

    def source(self, language: str = "llvm") -> str:
        """The programs as text, one after the other."""
        return "\n".join(part.source(language) for part in self.parts)

    def __reduce__(self) -> Any:
        return compile_quantity, self._recipe

    def __repr__(self) -> str:
        return f"<Compiled {self.title}: ({', '.join(self.inputs)}) -> ({', '.join(self.outputs)}), {self.dtype}>"


@evaluator("machine code")
def _kernel(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Callable[..., Any]:
    call = Call(model, algorithm, options)
    made = Compiled(call.kernel("float64"), algorithm.name, call.program, (model, algorithm.quantity, algorithm.method))
    return lambda *arrays: tuple(found.values()) if isinstance(found := made(*arrays), dict) else found


def compile_quantity(
    model: Model,
    quantity: str | Sequence[str],
    method: str | None = None,
    dtype: str = "float64",
    link: int | None = None,
    order: int = 0,
) -> Compiled | Together:
    """A kernel for one or more quantities in one pass; order=1 or 2 adds derivatives (small robots)."""
    several = isinstance(quantity, Iterable) and getattr(quantity, "ndim", 1) != 0
    names = [quantity] if isinstance(quantity, str) else list(quantity) if several else []
    if not names or not all(isinstance(name, str) for name in names):
        raise InputError(f"compile {shown(quantity)}: name a quantity, or several in a list")
    if twice := next((name for k, name in enumerate(names) if name in names[:k]), None):
        raise InputError(f"compile {quantity!r}: {twice!r} is there twice; name each quantity once")
    dtype = _precision(dtype)
    algorithms = [choose(name, method, model) for name in names]
    of_one = ["link" in a.options for a in algorithms]  # of several, those that are not of one link do without it
    options = [
        static_options(a, model, link if one or not any(of_one) else None)
        for a, one in zip(algorithms, of_one, strict=True)
    ]
    title, recipe = (
        " + ".join(names),
        (model, quantity if isinstance(quantity, str) else tuple(names), method, dtype, link, order),
    )
    if isinstance(order, (bool, np.ndarray)) or order != 0:
        program = several_derivatives(algorithms, model, options, order)
        kernel = Kernel.of(guarded(program), dtype)
        return Compiled(kernel, f"{title}, derivatives to order {order}", lambda: program, recipe)
    if len(algorithms) == 1:
        call = Call(model, algorithms[0], options[0])
        return Compiled(call.kernel(dtype), title, call.program, recipe)
    if len(model.bodies) - 1 > UNROLL:
        parts = [
            compile_quantity(model, name, method, dtype, link if one else None)
            for name, one in zip(names, of_one, strict=True)
        ]
        return Together([part for part in parts if isinstance(part, Compiled)], names, recipe)

    def make() -> Program:
        shared = algorithms if all(a.regroup for a in algorithms) else []
        ready = prepared(shared[0], model) if shared else model
        return trace_many(algorithms, ready, options)

    program = make()
    foreign = foreign_codes(model, *(a.function for a in algorithms))
    key = "\n".join([model.fingerprint, *(a.name for a in algorithms), repr(options), source_stamp(), *foreign])
    kernel = compiled(key, lambda: guarded(program), program.inputs, program.outputs, dtype)
    return Compiled(kernel, title, lambda: program, recipe)


def _precision(dtype: object) -> str:
    """By name, or as NumPy has it: np.float32, a dtype."""
    name = (
        np.dtype(dtype).name
        if isinstance(dtype, np.dtype) or (isinstance(dtype, type) and issubclass(dtype, (float, np.floating)))
        else dtype
    )
    return one_of("dtype", name, ("float64", "float32"))


LANGUAGES = ("c", "opencl", "cuda", "javascript")


def export(
    model: Model,
    algorithm: Algorithm,
    options: tuple[Any, ...],
    folder: str | os.PathLike[str],
    language: str,
    dtype: str,
) -> list[Path]:
    """Write the files of one quantity in a language; the folder is made if it is missing."""
    return write_program(Call(model, algorithm, options).program(), model, algorithm.quantity, folder, language, dtype)


def write_program(
    program: Program,
    model: Model,
    name: str,
    folder: str | os.PathLike[str],
    language: str,
    dtype: str,
    notes: Sequence[str] = (),
    samples: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write a program's files; ``notes`` are lines more for the header of C, ``samples`` states for its self-test."""
    place, dtype = path_of(folder), _precision(dtype)
    one_of("language", language, LANGUAGES)
    if language == "javascript" and dtype != "float64":
        raise InputError("JavaScript computes in float64; leave dtype as it is")
    if language == "c":
        long = operations(program.body) > MOST_INTERPRETED and not program.functions
        files = c_files(
            program,
            f"{_prefix(model.name)}_{name}",
            dtype,
            samples,
            [*_notes(model, program), *notes],
            partial(_run, Kernel.of(program)) if long else None,
        )
    elif language == "javascript":
        from ..emit.javascript import javascript

        module = f'if (typeof module !== "undefined") module.exports = {{{name}}};'
        files = {
            f"{name}.js": f"// {program.name}, made by ordern. SI units, angular before linear.\nconst {name} = "
            f"{javascript(program)};\n{module}\n"
        }
    else:
        from ..emit.opencl import cuda, opencl

        files = (
            {f"{name}.cl": opencl(program, name, dtype)}
            if language == "opencl"
            else {f"{name}.cu": cuda(program, name, dtype)}
        )
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"cannot make the folder {os.fspath(folder)!r}: {error.strerror}; choose another one"
        ) from None
    write_all({place / file: text for file, text in files.items()})
    return [place / file for file in files]


def _run(kernel: Kernel, given: Mapping[str, Any]) -> dict[str, Any]:
    """Rows of inputs to rows of outputs, by name."""
    rows = len(next(iter(given.values())))
    made = {name: np.empty((rows, size)) for name, size in zip(kernel.outputs, kernel.sizes, strict=True)}
    kernel.run(list(given.values()), list(made.values()))
    return made


def _prefix(name: str) -> str:
    """A robot's name as the beginning of C names, so that two robots fit into one binary."""
    made = re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_").lower()[:24].rstrip("_")
    return made if made[:1].isalpha() else f"robot_{made}".rstrip("_")


def _notes(model: Model, program: Program) -> list[str]:
    """Header lines: the robot and each number of each input, in ASCII, since names come from files."""

    def safe(text: str) -> str:
        return re.sub(r"[^A-Za-z0-9 _.,()\[\]-]", "_", text)[:80]

    made = [f"Robot {safe(model.name)}. Units: rad and m for q, their rates for qd and qdd, N m and N for tau."]
    for name in program.inputs:
        if name in ("q", "qd", "qdd", "tau"):
            labels = coordinate_names(model, "q" if name == "q" else "v")[:64]
            made += [f"{name}[{k}]: {safe(label)}" for k, label in enumerate(labels)]
    return made


def on_device(model: Model, quantity: str, method: str | None, dtype: str, link: int | None) -> Any:
    """One quantity on an OpenCL device."""
    from .opencl_functions import DeviceKernel

    algorithm = choose(quantity, method, model)
    program = Call(model, algorithm, static_options(algorithm, model, link)).program()
    return DeviceKernel(model, program, quantity, _precision(dtype))


def in_lanes(model: Model, quantity: str, method: str | None, dtype: str, link: int | None) -> Any:
    """One quantity for arrays with a number of all states side by side."""
    from .lane_kernels import LaneKernel

    algorithm = choose(quantity, method, model)
    kernel = Call(model, algorithm, static_options(algorithm, model, link)).kernel(_precision(dtype))
    return LaneKernel(kernel, quantity, (model, quantity, method, dtype, link))
