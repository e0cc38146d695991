"""Native threads that share a batch without the interpreter, and the machine code by which one leads and the
others follow.

Handing slices to threads through Python costs some 200 microseconds a batch, because the interpreter is cold after
every slice and only one thread may use it. Here a batch is led by the caller's thread: it publishes the job, wakes who
sleeps, works on slices like everybody and waits until all who joined have left. A slice is a part of what is left: long
ones first, which processors read ahead in, and short ones last, so that all end together. Followers look for the next
job for a while (control loops call again soon) and then sleep in a lock. Threads, locks and the wish to let others run
come from Python's own portable layer; no follower ever touches a Python object.
"""

from __future__ import annotations

import ctypes
import os
import threading
from functools import lru_cache
from typing import Any

__all__ = ["MOST", "ThreadPool", "thread_pool"]

MOST = 255  # followers
_LOOKS = 200  # at the next job, some 0.3 us each, before a follower goes to sleep: waking it takes 50 us
# Words of 8 bytes, a cache line for each thing that several threads write.
_STARTED, _YIELD, _ACQUIRE, _RELEASE, _BUSY, _TICKETS, _JOB, _FIRST = 0, 1, 2, 3, 8, 16, 24, 32
_LINE = 8
_ASLEEP, _LOCK, _HOME = 0, 1, 2  # of a follower's line

_TEXT = f"""
define internal void @work(ptr %job, i64 %member) nounwind {{
begin:
  %fn = load ptr, ptr %job
  %ins_at = getelementptr i64, ptr %job, i64 1
  %ins = load ptr, ptr %ins_at
  %strides_at = getelementptr i64, ptr %job, i64 2
  %strides = load ptr, ptr %strides_at
  %outs_at = getelementptr i64, ptr %job, i64 3
  %outs = load ptr, ptr %outs_at
  %spaces_at = getelementptr i64, ptr %job, i64 4
  %spaces = load ptr, ptr %spaces_at
  %last_at = getelementptr i64, ptr %job, i64 5
  %last = load i64, ptr %last_at
  %turn_at = getelementptr i64, ptr %job, i64 6
  %turn = load i64, ptr %turn_at
  %parts_at = getelementptr i64, ptr %job, i64 7
  %parts = load i64, ptr %parts_at
  %next_at = getelementptr i64, ptr %job, i64 8
  %flag_at = getelementptr i64, ptr %job, i64 16
  %none = icmp eq ptr %spaces, null
  br i1 %none, label %slices, label %own
own:
  %space_at = getelementptr ptr, ptr %spaces, i64 %member
  %space1 = load ptr, ptr %space_at
  br label %slices
slices:
  %space = phi ptr [ null, %begin ], [ %space1, %own ]
  br label %slice
slice:
  %first = load atomic i64, ptr %next_at seq_cst, align 8
  %more = icmp slt i64 %first, %last
  br i1 %more, label %measure, label %end
measure:
  %rest = sub i64 %last, %first
  %share = udiv i64 %rest, %parts
  %turns = udiv i64 %share, %turn
  %none_left = icmp eq i64 %turns, 0
  %turns1 = select i1 %none_left, i64 1, i64 %turns
  %size = mul i64 %turns1, %turn
  %to = add i64 %first, %size
  %pair = cmpxchg ptr %next_at, i64 %first, i64 %to seq_cst seq_cst
  %mine = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %mine, label %go, label %slice
go:
  %over = icmp slt i64 %to, %last
  %until = select i1 %over, i64 %to, i64 %last
  %f = call i32 %fn(ptr %ins, ptr %strides, ptr %outs, ptr %space, i64 %first, i64 %until)
  %bad = icmp ne i32 %f, 0
  br i1 %bad, label %tell, label %slice
tell:
  store atomic i64 1, ptr %flag_at seq_cst, align 8
  br label %slice
end:
  ret void
}}

define i32 @lead(ptr %pool, ptr %fn, ptr %ins, ptr %strides, ptr %outs, ptr %spaces, i64 %first, i64 %last, i64 %turn, i64 %wanted) nounwind {{
begin:
  %job = alloca [32 x i64], align 64
  store ptr %fn, ptr %job
  %j1 = getelementptr i64, ptr %job, i64 1
  store ptr %ins, ptr %j1
  %j2 = getelementptr i64, ptr %job, i64 2
  store ptr %strides, ptr %j2
  %j3 = getelementptr i64, ptr %job, i64 3
  store ptr %outs, ptr %j3
  %j4 = getelementptr i64, ptr %job, i64 4
  store ptr %spaces, ptr %j4
  %j5 = getelementptr i64, ptr %job, i64 5
  store i64 %last, ptr %j5
  %j6 = getelementptr i64, ptr %job, i64 6
  store i64 %turn, ptr %j6
  %members = add i64 %wanted, 1
  %parts = shl i64 %members, 1
  %j7 = getelementptr i64, ptr %job, i64 7
  store i64 %parts, ptr %j7
  %next_at = getelementptr i64, ptr %job, i64 8
  store i64 %first, ptr %next_at
  %flag_at = getelementptr i64, ptr %job, i64 16
  store i64 0, ptr %flag_at
  %left_at = getelementptr i64, ptr %job, i64 24
  store i64 0, ptr %left_at
  %started = load atomic i64, ptr %pool seq_cst, align 8
  %enough = icmp ult i64 %wanted, %started
  %helpers = select i1 %enough, i64 %wanted, i64 %started
  %busy_at = getelementptr i64, ptr %pool, i64 {_BUSY}
  %yield_at = getelementptr i64, ptr %pool, i64 {_YIELD}
  %yield = load ptr, ptr %yield_at
  %release_at = getelementptr i64, ptr %pool, i64 {_RELEASE}
  %release = load ptr, ptr %release_at
  %tickets_at = getelementptr i64, ptr %pool, i64 {_TICKETS}
  %nobody = icmp eq i64 %helpers, 0
  br i1 %nobody, label %alone, label %ask
ask:
  %pair = cmpxchg ptr %busy_at, i64 0, i64 1 seq_cst seq_cst
  %mine = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %mine, label %publish, label %alone
alone:
  call void @work(ptr %job, i64 0)
  br label %result
publish:
  %job_at = getelementptr i64, ptr %pool, i64 {_JOB}
  store atomic ptr %job, ptr %job_at seq_cst, align 8
  store atomic i64 %helpers, ptr %tickets_at seq_cst, align 8
  br label %wake
wake:
  %k = phi i64 [ 0, %publish ], [ %k1, %woken ]
  %w = phi i64 [ 0, %publish ], [ %w1, %woken ]
  %on = icmp ult i64 %k, %started
  %few = icmp ult i64 %w, %helpers
  %look = and i1 %on, %few
  br i1 %look, label %each, label %share_it
each:
  %offset = mul i64 %k, {_LINE}
  %line = add i64 %offset, {_FIRST}
  %asleep_at = getelementptr i64, ptr %pool, i64 %line
  %seen = load atomic i64, ptr %asleep_at seq_cst, align 8
  %sleeps = icmp ne i64 %seen, 0
  br i1 %sleeps, label %claim, label %woken
claim:
  %was = atomicrmw xchg ptr %asleep_at, i64 0 seq_cst
  %still = icmp ne i64 %was, 0
  br i1 %still, label %rouse, label %woken
rouse:
  %lock_at = getelementptr i64, ptr %asleep_at, i64 {_LOCK}
  %lock = load ptr, ptr %lock_at
  call void %release(ptr %lock)
  br label %woken
woken:
  %step = phi i64 [ 0, %each ], [ 0, %claim ], [ 1, %rouse ]
  %k1 = add i64 %k, 1
  %w1 = add i64 %w, %step
  br label %wake
share_it:
  call void @work(ptr %job, i64 0)
  %rest = atomicrmw xchg ptr %tickets_at, i64 0 seq_cst
  %joined = sub i64 %helpers, %rest
  br label %wait
wait:
  %left = load atomic i64, ptr %left_at seq_cst, align 8
  %all = icmp eq i64 %left, %joined
  br i1 %all, label %free, label %pause
pause:
  %p = call i32 %yield()
  br label %wait
free:
  store atomic i64 0, ptr %busy_at seq_cst, align 8
  br label %result
result:
  %flag = load atomic i64, ptr %flag_at seq_cst, align 8
  %flag1 = trunc i64 %flag to i32
  ret i32 %flag1
}}

define void @follow(ptr %me) nounwind {{
begin:
  %home_at = getelementptr i64, ptr %me, i64 {_HOME}
  %pool = load ptr, ptr %home_at
  %lock_at = getelementptr i64, ptr %me, i64 {_LOCK}
  %lock = load ptr, ptr %lock_at
  %tickets_at = getelementptr i64, ptr %pool, i64 {_TICKETS}
  %job_at = getelementptr i64, ptr %pool, i64 {_JOB}
  %yield_at = getelementptr i64, ptr %pool, i64 {_YIELD}
  %yield = load ptr, ptr %yield_at
  %acquire_at = getelementptr i64, ptr %pool, i64 {_ACQUIRE}
  %acquire = load ptr, ptr %acquire_at
  br label %look
look:
  %n = phi i64 [ 0, %begin ], [ %n1, %idle ], [ 0, %take ], [ 0, %go ], [ 0, %cancel ], [ 0, %sleep ]
  %t = load atomic i64, ptr %tickets_at seq_cst, align 8
  %some = icmp sgt i64 %t, 0
  br i1 %some, label %take, label %idle
idle:
  %y = call i32 %yield()
  %n1 = add i64 %n, 1
  %tired = icmp ugt i64 %n1, {_LOOKS}
  br i1 %tired, label %lie_down, label %look
take:
  %t1 = sub i64 %t, 1
  %pair = cmpxchg ptr %tickets_at, i64 %t, i64 %t1 seq_cst seq_cst
  %got = extractvalue {{ i64, i1 }} %pair, 1
  br i1 %got, label %go, label %look
go:
  %job = load atomic ptr, ptr %job_at seq_cst, align 8
  call void @work(ptr %job, i64 %t)
  %left_at = getelementptr i64, ptr %job, i64 24
  %left = atomicrmw add ptr %left_at, i64 1 seq_cst
  br label %look
lie_down:
  store atomic i64 1, ptr %me seq_cst, align 8
  %t2 = load atomic i64, ptr %tickets_at seq_cst, align 8
  %late = icmp sgt i64 %t2, 0
  br i1 %late, label %cancel, label %sleep
cancel:
  %was = atomicrmw xchg ptr %me, i64 0 seq_cst
  %claimed = icmp eq i64 %was, 0
  br i1 %claimed, label %sleep, label %look
sleep:
  %s = call i32 %acquire(ptr %lock, i32 1)
  br label %look
}}
"""

_LEAD = ctypes.CFUNCTYPE(ctypes.c_int32, *[ctypes.c_void_p] * 6, *[ctypes.c_int64] * 4)


class ThreadPool:
    """The threads of this process besides the callers' own; started when they are first wanted, and again after a
    fork.
    """

    def __init__(self) -> None:
        from . import cache
        from .machine import Code, compile_text

        found = cache.load("pool")
        data = found[1] if found else compile_text(_TEXT)
        if not found:
            cache.save("pool", {}, data)
        code = Code(data, "lead")
        self.lead, self.lead_address, self._follow = _LEAD(code.address), code.address, code.at("follow")
        words = _FIRST + _LINE * (MOST + 1)
        memory = (ctypes.c_int64 * words)()
        for held in (code, memory):  # followers use them until the process is gone, longer than Python has modules
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(held))
        self._words = (ctypes.c_int64 * (words - _LINE)).from_buffer(memory, -ctypes.addressof(memory) % 64)
        self.address = ctypes.addressof(self._words)
        self._words[_YIELD], self._words[_ACQUIRE], self._words[_RELEASE] = _functions()
        self._start, self._lock = threading.Lock(), ctypes.pythonapi.PyThread_allocate_lock
        self._lock.restype, self._lock.argtypes = ctypes.c_void_p, []
        self._begin = ctypes.pythonapi.PyThread_start_new_thread
        self._begin.restype, self._begin.argtypes = ctypes.c_ulong, [ctypes.c_void_p, ctypes.c_void_p]

    @property
    def started(self) -> int:
        """How many followers there are."""
        return int(self._words[_STARTED])

    def start(self, count: int) -> None:
        """See to it that there are so many followers; fewer where the system gives no more threads."""
        with self._start:
            while self.started < min(count, MOST):
                line = _FIRST + _LINE * self.started
                lock = self._lock()
                acquire = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int)(self._words[_ACQUIRE])
                if not lock or not acquire(lock, 0):
                    return
                self._words[line + _ASLEEP], self._words[line + _LOCK], self._words[line + _HOME] = (
                    0,
                    lock,
                    self.address,
                )
                if self._begin(self._follow, self.address + 8 * line) == ctypes.c_ulong(-1).value:
                    return
                self._words[_STARTED] += 1

    def forget(self) -> None:
        """After a fork: its threads are not there, nor is whoever led."""
        self._start = threading.Lock()
        self._words[_STARTED] = self._words[_BUSY] = self._words[_TICKETS] = 0


def _functions() -> list[int]:
    """Addresses: let others run; wait for a lock; give it up."""
    python = ctypes.pythonapi
    name = "WinDLL"  # known to mypy on Windows only
    windows: Any = getattr(ctypes, name, None)
    system: Any = windows("kernel32").SwitchToThread if os.name == "nt" else ctypes.CDLL(None).sched_yield
    return [
        ctypes.cast(f, ctypes.c_void_p).value or 0
        for f in (system, python.PyThread_acquire_lock, python.PyThread_release_lock)
    ]


@lru_cache(maxsize=1)
def thread_pool() -> ThreadPool:
    """The one of this process."""
    made = ThreadPool()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=made.forget)
    return made
