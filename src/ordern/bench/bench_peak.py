"""The machine's peak: independent fused multiply-adds on one thread and on two."""

from __future__ import annotations

import time
from functools import lru_cache
from typing import Any

import numpy as np

from ..runtime.machine import Code, compile_text, native_lanes
from ..runtime.native_threads import thread_pool

__all__ = ["fma_rate", "fma_threads"]


@lru_cache(maxsize=1)
def _fma_loop() -> tuple[Any, int]:
    """A kernel of independent fused multiply-adds only, and how many there are in a row."""
    width = native_lanes().width
    t, chains = f"<{width} x double>", 16
    one = ", ".join(["double 1.0e-9"] * width)
    phis = "\n".join(f"  %x{k} = phi {t} [ zeroinitializer, %entry ], [ %y{k}, %loop ]" for k in range(chains))
    work = "\n".join(
        f"  %y{k} = call {t} @llvm.fma.v{width}f64({t} %x{k}, {t} <{one}>, {t} <{one}>)" for k in range(chains)
    )
    total = "\n".join(f"  %s{k} = fadd {t} %{'s' + str(k - 1) if k else 'y0'}, %y{k}" for k in range(chains))
    text = f"""
define i32 @kernel(ptr %inputs, ptr %strides, ptr %out, ptr %workspace, i64 %first, i64 %last) {{
entry:
  %n = sub i64 %last, %first
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %loop ]
{phis}
{work}
  %i1 = add i64 %i, 1
  %more = icmp ult i64 %i1, %n
  br i1 %more, label %loop, label %end
end:
{total}
  store volatile {t} %s{chains - 1}, ptr %out, align 8
  ret i32 0
}}
declare {t} @llvm.fma.v{width}f64({t}, {t}, {t})
"""
    return Code(compile_text(text)), chains * width


def _fma_time(rows: int, count: int) -> float:
    """Seconds that so many threads take for so many turns of it."""
    code, _ = _fma_loop()
    out = np.zeros(16)
    pool = thread_pool()
    pool.start(count - 1)
    start = time.perf_counter()
    pool.lead(pool.address, code.address, None, None, out.ctypes.data, None, 0, rows, 1000, count - 1)
    return time.perf_counter() - start


def fma_rate(seconds: float = 0.3) -> float:
    """Fused multiply-adds a second of one core on full-width vectors, measured by independent ones."""
    turns, best, stop = 100_000, np.inf, time.perf_counter() + seconds
    while time.perf_counter() < stop:
        best = min(best, _fma_time(turns, 1))
    return turns * _fma_loop()[1] / best


def fma_threads(seconds: float = 2e-3) -> float:
    """Speed-up of plain fused multiply-adds on two threads: what the machine can give right now."""
    turns = int(seconds * fma_rate(seconds) / _fma_loop()[1])
    return _fma_time(turns, 1) / _fma_time(turns, 2)
