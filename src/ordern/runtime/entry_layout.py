"""What the fast way in relies on: layouts of NumPy's and Python's objects, and of its own record of a kernel."""

from __future__ import annotations

__all__ = [
    "BYTES", "CONTIGUOUS_ALIGNED", "COUNTS", "DATA", "DESCR", "DIMS", "FLAGS", "MOST_INPUTS", "MOST_OUTPUTS", "ND",
    "SHAPES", "SLOT", "TUPLE", "TYPE", "WRITEABLE", "field",
]  # fmt: skip

MOST_INPUTS, MOST_OUTPUTS = 8, 8
TYPE, TUPLE, BYTES = 8, 24, 32  # offsets of ob_type, of a tuple's items and of a bytes object's text
DATA, ND, DIMS, DESCR, FLAGS = 16, 24, 32, 56, 64  # of PyArrayObject_fields
CONTIGUOUS_ALIGNED, WRITEABLE = 0x101, 0x400
FIELDS = (
    "single", "batch", "single_space", "batch_space", "inputs", "outputs", "most_rows", "held_rows", "small_rows",
    "allocate", "wrap", "descr", "array_type", "new", "vectorcall", "incref", "decref", "save", "restore", "tuple",
    "put", "get", "integer", "scalar", "pool", "lead", "helpers", "worth_rows", "turn_rows", "takes_out", "itemsize",
    "named", "alloc",
    "columns", "least_rows",
)  # fmt: skip
SLOT = {name: k for k, name in enumerate(FIELDS)}
COUNTS = len(FIELDS)  # numbers of each input, then of each output: axes, and up to three extents
SHAPES = COUNTS + MOST_INPUTS


def field(name: str, kind: str = "ptr") -> str:
    """LLVM text that loads a field of the record."""
    return f"  %{name}_at = getelementptr i64, ptr %r, i64 {SLOT[name]}\n  %{name} = load {kind}, ptr %{name}_at"
