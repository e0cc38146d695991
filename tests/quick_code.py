"""Machine code that is made quickly: the same operations and the same bits, in code that LLVM did not polish.

LLVM takes a third of the suite's time, and two thirds of that are for speed: which instructions, in which order, in which registers.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest.mock import patch

from ordern.runtime import kernels, machine
from ordern.simulate import ensemble

LONGEST = 2**21  # characters of text; without polish every number of a longer one would have its place on the stack


def quick(whole: Callable[..., bytes]) -> Callable[..., bytes]:
    """In place of ``machine.compile_text``."""

    def compile_text(text: str, optimise: bool = False, more: str = "") -> bytes:
        if " @kernel(" not in text or len(text) > LONGEST:  # what leads to kernels is made once in a process, for all
            return whole(text, optimise, more)
        with machine._LOCK:
            target, cpu, features = machine._host()
            made = target.create_target_machine(cpu=cpu, features=features, opt=0, reloc="static", codemodel="large")
            return bytes(made.emit_object(machine._parsed(text, optimise, more)[0]))

    return compile_text


@contextmanager
def quick_code() -> Iterator[None]:
    """Meanwhile kernels are made so, and kept apart from others in memory and on disk."""
    kept = os.environ.get("ORDERN_CACHE", "off")
    with (
        patch.object(machine, "compile_text", quick(machine.compile_text)),
        patch.object(kernels, "_kernels", weakref.WeakValueDictionary()),
        patch.object(ensemble, "_MADE", {}),
        patch.dict(os.environ, {"ORDERN_CACHE": f"{kept}/quick"} if os.path.isabs(kept) else {}),
    ):
        yield
