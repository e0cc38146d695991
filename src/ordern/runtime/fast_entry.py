"""The fast way in: a built-in function that hands plain arrays straight to a kernel's machine code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..model.thresholds import HELD, SLICE, STREAMED, TURN, WORTH
from . import memory
from .kernels import Kernel, Ready, _whole
from .native_threads import MOST, thread_pool
from .threads import listen, threads

__all__ = ["entry"]


class _Fast:
    """Keeps an entry's record in step with what has been compiled and how many threads there are."""

    def __init__(self, kernel: Kernel, record: Any, columns: bool) -> None:
        self.kernel, self.record, self.made = kernel, record, kernel._columns if columns else kernel._made
        self.known = (0, 0)  # how many codes, how many threads
        self.spaces: dict[int, Any] = {}
        listen(self)

    def update(self) -> None:
        """Cheap if nothing is new; one at a time, since machine code reads the record meanwhile."""
        state = (len(self.made), threads())
        if state != self.known:
            with self.kernel._lock:
                self._renew()

    def _renew(self) -> None:
        count = threads()
        for width, ready in list(self.made.items()):
            if width not in self.spaces:
                self.spaces[width] = ready.space()
            if width == 1 and not self.record["columns"]:
                self._one(ready)
            elif width == self.kernel.width() > 1:
                self._many(ready, width, count)
        self.known = (len(self.made), count)

    def _one(self, ready: Ready) -> None:
        """Of one state; a batch of one goes there too while there is nothing for more."""
        space, code = self.spaces[1][1], ready.code.address
        if not self.record["most_rows"]:
            self.record["most_rows"], self.record["held_rows"] = 1, 1
        if self.kernel.width() == 1 or self.kernel.width() not in self.made:
            self.record["batch_space"], self.record["batch"] = space, code
        # of one state, some of several results would be no arrays
        if len(self.kernel.outputs) == 1 or all(self.kernel.outputs.values()):
            self.record["single_space"], self.record["single"] = space, code

    def _many(self, ready: Ready, width: int, count: int) -> None:
        self.record["batch"] = 0  # nobody reads the rest until it is there
        self.record["batch_space"] = self.spaces[width][1]
        self.record["least_rows"] = width if self.record["columns"] else 0
        # a shared workspace forbids letting others run meanwhile: what they would pay for goes through run()
        most = WORTH if ready.workspace else SLICE
        row = sum(self.kernel.sizes) * self.record.dtype.itemsize  # large results have memory of their own
        self.record["most_rows"] = max(1, min(int(most / ready.cost), min(memory.HUGE, STREAMED) // row))
        if len(self.kernel.sizes) > 1:  # malloc keeps one large block for the next time, but not several
            self.record["small_rows"] = memory.LARGE // row
        self.record["held_rows"] = 2**62 if ready.workspace else max(1, int(HELD / ready.cost))
        helpers = 0 if ready.workspace else min(count - 1, MOST)
        if helpers:
            self.record["pool"], self.record["lead"] = thread_pool().address, thread_pool().lead_address
            self.record["worth_rows"] = max(1, int(WORTH / ready.cost))
            self.record["turn_rows"] = _whole(TURN / ready.cost, width)
        self.record["helpers"] = helpers
        self.record["batch"] = ready.code.address


def entry(
    kernel: Kernel,
    fallback: Callable[..., Any],
    wrap: Callable[[tuple[Any, ...]], Any] | None = None,
    named: type[tuple[Any, ...]] | None = None,
    into: bool = False,
    columns: bool = False,
) -> Callable[..., Any]:
    """A built-in function: plain arrays of one state or a modest batch go straight to machine code, the rest to the
    fallback.

    Several results are a tuple, one of the NamedTuple class ``named``, or what ``wrap`` makes of it. With ``into``, an
    array for the one result may follow the inputs; with ``columns``, arrays have a number of all states side by side.
    The fallback takes the same arguments and computes with ``kernel.run``; the first single state and the first batch
    reach it too, since machine code for them is made when first wanted.
    """
    from . import entry as fast

    shapes = list(kernel.outputs.values())
    many = len(shapes) > fast.MOST_OUTPUTS or not 0 < len(kernel.inputs) <= fast.MOST_INPUTS
    if many or max(map(len, shapes)) > 3 or 0 in kernel.sizes or not fast.available():
        return fallback
    owner = _Fast(kernel, fast.Record(list(kernel.inputs.values()), shapes, kernel.dtype), columns)
    owner.record["columns"] = columns

    def allocate(rows: int) -> tuple[Any, ...]:
        return tuple(memory.empty((*shape, rows) if columns else (rows, *shape), kernel.dtype) for shape in shapes)

    owner.record.hold("allocate", allocate)
    if wrap is not None:
        owner.record.hold("wrap", wrap)
    if named is not None:
        owner.record.hold("named", named)
    owner.record["takes_out"] = into and len(shapes) == 1 and len(shapes[0]) > 0

    def slow(*args: object, **options: object) -> Any:
        result = fallback(*args, **options)
        owner.update()
        return result

    return fast.builtin(owner.record, slow, (owner,))
