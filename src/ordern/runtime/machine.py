"""LLVM text -> machine code in memory. One lock: LLVM is not asked two things at once, nor is a process forked
meanwhile.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from ..emit.llvm.lanes import Lanes
from ..errors import MethodError
from .forks import quiet

__all__ = ["Code", "assembly", "compile_text", "executable", "has_llvm", "native_lanes", "registers"]

FORBIDDEN = "this process may not make memory executable (SELinux, systemd's MemoryDenyWriteExecute, PR_SET_MDWE)"
MISSING = "the package llvmlite is not installed (pip install llvmlite)"
LONG = 2**20  # characters from which LLVM's second level costs a fifth of its time, for as many bytes that are as fast
_LOCK = quiet


@lru_cache(maxsize=1)
def has_llvm() -> bool:
    """Whether the package llvmlite is there; it has no wheels for some systems and for new Pythons."""
    try:
        return find_spec("llvmlite") is not None
    except (ImportError, ValueError):
        return False


@lru_cache(maxsize=1)
def _host() -> tuple[Any, str, str]:
    if not has_llvm():
        raise MethodError(f"no machine code can be made here: {MISSING}")
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features()
    return llvm.Target.from_triple(llvm.get_process_triple()), llvm.get_host_cpu_name(), features.flatten()


def _machine(level: int = 2) -> Any:
    """Code that reaches its constants wherever they are: in a process with much mapped the two may lie more than 2 GB
    apart.
    """
    target, cpu, features = _host()
    return target.create_target_machine(cpu=cpu, features=features, opt=level, reloc="static", codemodel="large")


def native_lanes(dtype: str = "float64") -> Lanes:
    """As many states as fit into one register of this processor."""
    features = _host()[2].split(",")
    size = 64 if "+avx512f" in features and "+avx512dq" in features else 32 if "+avx" in features else 16
    return Lanes(size // (8 if dtype == "float64" else 4), dtype)


def registers() -> int:
    """How many vector registers this processor has."""
    target, _, features = _host()
    return 16 if target.triple.startswith(("x86", "i")) and "+avx512f" not in features.split(",") else 32


def _parsed(text: str, optimise: bool, more: str) -> tuple[Any, Any]:
    import llvmlite.binding as llvm

    machine = _machine(1 if len(text) + len(more) > LONG else 2)
    module = llvm.parse_assembly(text)
    if optimise:
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1))
        passes = llvm.create_new_module_pass_manager()
        passes.add_sroa_pass()
        passes.add_simplify_cfg_pass()
        passes.add_instruction_combine_pass()
        passes.add_loop_rotate_pass()
        passes.add_new_gvn_pass()
        passes.add_simplify_cfg_pass()
        passes.run(module, builder)
    if more:
        module.link_in(llvm.parse_assembly(more))
    return module, machine


def compile_text(text: str, optimise: bool = False, more: str = "") -> bytes:
    """An object file. Straight-line code is written as it should run and needs no pass; loops do. ``more``: functions
    without loops that it calls.
    """
    with _LOCK:
        module, machine = _parsed(text, optimise, more)
        return bytes(machine.emit_object(module))


def assembly(text: str, optimise: bool = False, more: str = "") -> str:
    """The same for reading."""
    with _LOCK:
        module, machine = _parsed(text, optimise, more)
        return str(machine.emit_assembly(module))


def executable() -> bool:
    """Whether machine code can be made and run here. Hardened systems forbid it, and LLVM would crash instead of saying
    so.
    """
    if not has_llvm():
        return False
    if os.name != "posix":
        return True
    try:
        protect = ctypes.CDLL(None).mprotect
        protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        with mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE) as page:
            view = ctypes.c_char.from_buffer(page)
            allowed: bool = protect(ctypes.addressof(view), mmap.PAGESIZE, mmap.PROT_READ | mmap.PROT_EXEC) == 0
            del view
            return allowed
    except (AttributeError, OSError, BufferError):
        return True


class Code:
    """An object file in executable memory, which is given back when this goes."""

    def __init__(self, data: bytes, symbol: str = "kernel") -> None:
        import llvmlite.binding as llvm

        if not executable():
            raise MethodError(f"no machine code can be used here: {FORBIDDEN if has_llvm() else MISSING}")

        with _LOCK:
            engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _machine())
            engine.add_object_file(llvm.ObjectFileRef.from_data(data))
            engine.finalize_object()
            self.address = int(engine.get_function_address(symbol))
        self._engine = engine
        if not self.address:
            raise RuntimeError("the object file has no kernel")

    def at(self, symbol: str) -> int:
        """The address of another function in it."""
        with _LOCK:
            return int(self._engine.get_function_address(symbol))
