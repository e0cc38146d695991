"""Kernels: machine code of a program, run over batches in threads with the interpreter free for others."""

from __future__ import annotations

import ctypes
import hashlib
import math
import weakref
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any

import numpy as np

from ..emit.llvm.lanes import LINE, Lanes, streamable
from ..errors import InputError, tell
from ..model.thresholds import IDLE_SPACE, SLICE, STREAMED, TURN, WIDE_ROW, WORTH
from ..program.ir import IRLoop, Program
from ..program.pauses import uncollected
from . import cache
from .forks import ForkLock, quiet
from .machine import FORBIDDEN, MISSING, executable, has_llvm
from .threads import BatchJob, threads
from .threads import threads as default_threads

__all__ = ["Kernel", "compiled", "operations", "threads"]

_SIGNATURE = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 4, ctypes.c_int64, ctypes.c_int64)


# --- machine code for one width ---------------------------------------------------------------------------------------
class Ready:
    """A loaded function of some width with what it needs."""

    def __init__(self, header: Mapping[str, Any], data: bytes) -> None:
        from .machine import Code

        self.width, self.workspace, self.cost = int(header["width"]), int(header["workspace"]), float(header["cost"])
        self.code = Code(data)
        self.idle: list[Any] = []  # workspaces nobody uses
        self.function = _SIGNATURE(self.code.address)

    def space(self) -> tuple[Any, int]:
        """Workspace for one thread, aligned: the owner and the address. Taken from what was given back, since fresh
        memory is slow at first.
        """
        if not self.workspace:
            return None, 0
        memory = self.idle.pop() if self.idle else np.empty(self.workspace + 64, np.uint8)
        return memory, -(-memory.ctypes.data // 64) * 64

    def give_back(self, memory: Any) -> None:
        """For the next one; a few large ones at most."""
        if memory is not None and len(self.idle) < max(1, min(8, int(IDLE_SPACE / self.workspace))):
            self.idle.append(memory)


def operations(body: Sequence[Any]) -> int:
    """How many statements run, about."""
    total = 0
    for s in body:
        if isinstance(s, IRLoop):
            turns = abs(s.stop - s.start) if s.kind == "range" else 4
            total += turns * max(operations(block) for _, block in s.cases)
        else:
            total += 1
    return total


def _build(program: Program, lanes: Lanes, lines: bool = False, columns: bool = False) -> tuple[dict[str, Any], bytes]:
    from ..emit.llvm.kernel_text import lower
    from .machine import compile_text, registers

    lowered = lower(program, lanes, registers(), lines, columns)
    data = compile_text(lowered.text, lowered.loops, lowered.begins)
    cost = max(1.0, 0.5 * operations(program.body) / lanes.width * (8 / lanes.bytes))
    return {"width": lanes.width, "workspace": lowered.workspace, "cost": cost}, data


def _whole(rows: float, lanes: int) -> int:
    """So many rows in whole blocks."""
    return max(lanes, -(-int(rows) // lanes) * lanes)


class Kernel:
    """A program as machine code, made when first wanted: for single states, and with as many lanes as the processor has
    for batches.

    Attributes:
        inputs: how many numbers each input has, by name, in order.
        outputs: the shape of each output, by name, in order.
        dtype: "float64" or "float32".
    """

    def __init__(
        self,
        make: Callable[[], Program],
        inputs: Mapping[str, int],
        outputs: Mapping[str, tuple[int, ...]],
        dtype: str = "float64",
        key: str | None = None,
    ) -> None:
        if dtype not in ("float64", "float32"):
            raise InputError(f"dtype {dtype!r}: kernels are made for 'float64' and 'float32'")
        self.inputs, self.outputs, self.dtype = dict(inputs), {k: tuple(v) for k, v in outputs.items()}, dtype
        self.sizes = [math.prod(shape) for shape in self.outputs.values()]
        self._make, self._key = make, key
        self._made: dict[int, Ready] = {}
        self._lines: Ready | None = None  # for results that go past the caches
        self._columns: dict[int, Ready] = {}  # for arrays with a number of all states side by side
        self._width = 0
        self._program: Program | None = None
        self._lock = ForkLock()
        self._plain: Program | None = None  # where machine code is forbidden

    @classmethod
    def of(cls, program: Program, dtype: str = "float64") -> Kernel:
        """The kernel of a program at hand; neither looked up nor kept anywhere."""
        return cls(lambda: program, program.inputs, program.outputs, dtype)

    def program(self, alone: bool = False) -> Program:
        """The program as it is compiled, for many states or for one ``alone``; traced now if it was not yet."""
        from ..program.carry import carry
        from ..program.passes import fuse
        from ..program.share_columns import share_columns

        def ready(program: Program) -> Program:
            return share_columns(carry(fuse(program)))

        with self._lock:
            if self._program is None:
                made = self._make()
                if list(made.inputs.items()) != list(self.inputs.items()) or list(made.outputs) != list(self.outputs):
                    raise ValueError(
                        f"{made.name}: the program's inputs and outputs are not those its kernel was announced with"
                    )
                if alone and made.alone is not None:
                    return ready(made.alone())
                self._program = ready(made)
            return ready(self._program.alone()) if alone and self._program.alone is not None else self._program

    def source(self, language: str = "llvm", width: int | None = None) -> str:
        """The program as LLVM text, or as this processor's assembly ("asm")."""
        from ..emit.llvm.kernel_text import lower
        from .machine import assembly, native_lanes, registers

        lanes = native_lanes(self.dtype) if width is None else Lanes(width, self.dtype)
        lowered = lower(self.program(lanes.width == 1), lanes, registers())
        if language == "llvm":
            return lowered.text + lowered.begins
        if language == "asm":
            return assembly(lowered.text, lowered.loops, lowered.begins)
        raise InputError(f"source {language!r}: a kernel shows itself as 'llvm' or 'asm'")

    def width(self) -> int:
        """Lanes for batches: what this processor has."""
        if not self._width:
            _import_all()
            from .machine import native_lanes

            self._width = native_lanes(self.dtype).width
        return self._width

    def ready(self, width: int | None = None) -> Ready:
        """Machine code of a width (default: the processor's); from memory, from disk, or compiled now."""
        if width is None:
            width = self.width()
        found = self._made.get(width)
        if found is not None:
            return found
        with self._lock:
            if width not in self._made:
                self._made[width] = self._load(width)
                if len(self._made) > 1:
                    self._program = None  # both ways of running are there; source() traces again
            return self._made[width]

    def _load(self, width: int, lines: bool = False, columns: bool = False) -> Ready:
        _import_all()
        key = (
            None
            if self._key is None
            else f"{self._key}\n{self.dtype} {width}{' lines' if lines else ''}{' columns' if columns else ''}"
        )
        entry = None if key is None else cache.load(key)
        if entry is not None:
            with suppress(RuntimeError, KeyError, ValueError, TypeError):
                return Ready(*entry)
        with uncollected():
            program = self.program(width == 1 and not columns)
            header, data = _build(program, Lanes(width, self.dtype), lines, columns)
        if key is not None:
            cache.save(key, header, data)
        return Ready(header, data)

    def _past_caches(self, outs: Sequence[Any]) -> Ready | None:
        """Machine code that sends whole lines to memory, where the results are too many for the caches and lie right
        for it.
        """
        row = sum(self.sizes) * outs[0].itemsize
        if (
            row < WIDE_ROW
            or row * len(outs[0]) <= STREAMED
            or not streamable(self.sizes, Lanes(self.width(), self.dtype))
        ):
            return None
        if any(a.ctypes.data % LINE for a in outs):
            return None
        with self._lock:
            if self._lines is None:
                self._lines = self._load(self.width(), lines=True)
            return self._lines

    def run(
        self, arrays: Sequence[Any], outs: Sequence[Any], threads: int | None = None, width: int | None = None
    ) -> bool:
        """Compute a batch; whether every result is finite.

        Args:
            arrays: one (batch, count) array an input, of the kernel's dtype, numbers of a row side by side; rows may
                lie at any distance, 0 too.
            outs: one C-contiguous array an output, with ``batch`` times the output's size in numbers; must not overlap
                the inputs.
            threads: how many at most; by default what ``ordern.threads`` says.
            width: lanes; by default the processor's (the result is the same for every width).
        """
        rows = len(outs[0])
        if not rows:
            return True
        self._check(arrays, outs, rows)
        if self._plain is not None or not (self._made or executable()):
            return self._interpreted(arrays, outs, rows)
        ready = (self._past_caches(outs) if width is None else None) or self.ready(
            1 if width is None and rows == 1 else width
        )
        job, lanes, work = BatchJob(ready, arrays, outs, rows), ready.width, rows * ready.cost
        count = min(default_threads() if threads is None else threads, int(work / WORTH) + 1)
        size = _whole(count * SLICE / ready.cost, lanes)
        return job.alone(size) if count <= 1 else job.shared(count, _whole(TURN / ready.cost, lanes), size)

    def _interpreted(self, arrays: Sequence[Any], outs: Sequence[Any], rows: int) -> bool:
        """The program statement by statement on NumPy arrays: slow, and right."""
        from ..program.interpret import interpret

        with self._lock:
            if self._plain is None:
                self._plain = self._make()
                _say_once()
        made = interpret(self._plain, dict(zip(self.inputs, arrays, strict=True)))
        for out, name in zip(outs, self.outputs, strict=True):
            out.reshape(rows, -1)[...] = np.broadcast_to(made[name], (rows, *self.outputs[name])).reshape(rows, -1)
        return all(bool(np.isfinite(a).all()) for a in (*outs, *(arrays if self._plain.watched else ())))

    def run_columns(self, arrays: Sequence[Any], outs: Sequence[Any], threads: int | None = None) -> bool:
        """Compute a batch from and to arrays (count, rows), C-contiguous: a number of all states side by side. Whether
        every result is finite.
        """
        rows = arrays[0].shape[1]
        if not rows:
            return True
        for a, count in zip([*arrays, *outs], [*self.inputs.values(), *self.sizes], strict=True):
            if a.shape != (count, rows) or a.dtype != self.dtype or not (a.flags.c_contiguous and a.flags.aligned):
                raise ValueError(f"a kernel's array must be ({count}, {rows}) of {self.dtype}, contiguous")
        if self._plain is not None or not (self._made or self._columns or executable()):
            made = [np.empty((rows, size), self.dtype) for size in self.sizes]
            fine = self._interpreted([a.T for a in arrays], made, rows)
            for o, m in zip(outs, made, strict=True):
                o[...] = m.T
            return fine
        width = self.width() if rows >= self.width() else 1
        with self._lock:
            if width not in self._columns:
                self._columns[width] = self._load(width, columns=True)
        ready = self._columns[width]
        job = BatchJob(ready, arrays, outs, rows, [rows] * (len(arrays) + len(outs)))
        count = min(default_threads() if threads is None else threads, int(rows * ready.cost / WORTH) + 1)
        size = _whole(count * SLICE / ready.cost, ready.width)
        return job.alone(size) if count <= 1 else job.shared(count, _whole(TURN / ready.cost, ready.width), size)

    def _check(self, arrays: Sequence[Any], outs: Sequence[Any], rows: int) -> None:
        """Machine code trusts its caller; this is where a mistake of ours becomes an error instead of a crash."""
        if len(arrays) != len(self.inputs) or len(outs) != len(self.outputs):
            raise ValueError(f"this kernel takes {len(self.inputs)} inputs and {len(self.outputs)} outputs")
        for a, count in zip(arrays, self.inputs.values(), strict=True):
            size = a.itemsize
            if (
                a.shape != (rows, count)
                or a.dtype != self.dtype
                or (a.strides[1] != size and count > 1)
                or a.strides[0] % size
                or not a.flags.aligned
            ):
                raise ValueError(
                    f"a kernel's input must be ({rows}, {count}) of {self.dtype} with contiguous rows, not {a.shape} "
                    f"of {a.dtype}"
                )
        for a, count in zip(outs, self.sizes, strict=True):
            if (
                len(a) != rows
                or a.size != rows * count
                or a.dtype != self.dtype
                or not (a.flags.c_contiguous and a.flags.aligned and a.flags.writeable)
            ):
                raise ValueError(
                    f"a kernel's output must be {rows} x {count} numbers of {self.dtype}, contiguous and writable"
                )


@lru_cache(maxsize=1)
def _import_all() -> None:
    """What a first compile imports, while nobody forks: a module that another thread was importing cannot be imported
    in a child.
    """
    import importlib

    with quiet:
        for name in (
            "llvmlite.binding",
            "ordern.emit.llvm.kernel_text",
            "ordern.program.carry",
            "ordern.program.passes",
            "ordern.runtime.entry",
        ):
            importlib.import_module(name)


@lru_cache(maxsize=1)
def _say_once() -> None:
    tell(
        f"{FORBIDDEN if has_llvm() else MISSING}: results come from NumPy instead of machine code, as exact and some "
        "hundred times slower"
    )


# --- kernels by key ---------------------------------------------------------------------------------------------------
_kernels: weakref.WeakValueDictionary[str, Kernel] = weakref.WeakValueDictionary()
_kernels_lock = ForkLock()


def compiled(
    key: str,
    make_program: Callable[[], Program],
    inputs: Mapping[str, int],
    outputs: Mapping[str, tuple[int, ...]],
    dtype: str = "float64",
) -> Kernel:
    """The kernel that a key stands for, shared while anyone holds it; machine code comes from disk if it was made
    before.

    Args:
        key: everything that decides the program: the robot's numbers, the algorithm, its options. Names of joints need
            not be in it.
        make_program: traces it; called only if machine code is neither in memory nor on disk.
        inputs: how many numbers each input has.
        outputs: the shape of each output.
        dtype: "float64" or "float32".
    """
    name = hashlib.sha256(f"{key}\n{dtype}\n{list(inputs.items())}\n{list(outputs.items())}".encode()).hexdigest()
    with _kernels_lock:
        kernel = _kernels.get(name)
        if kernel is None:
            kernel = _kernels[name] = Kernel(make_program, inputs, outputs, dtype, name)
        return kernel
