"""Whatever holds numbers as an array: lists, data frames, tensors of other libraries; each with a message if it cannot
be.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..errors import InputError, OrdernError, ShapeError
from ..scalars.primitives import Array

__all__ = ["as_array", "by_name", "handed_over", "texts"]

_HOST = (
    1,
    3,
    11,
)  # DLPack's kinds of devices whose memory the processor reads: its own, and what CUDA and ROCm pin for it
_OWN = (np.dtype(np.float64), np.dtype(np.float32))


def _called(value: object) -> str:
    return str(getattr(value, "__name__", "f"))[:80]


def as_array(name: str, value: object) -> Array:
    """A real array, or an InputError that names the argument; arrays of other libraries are read where they lie.

    Names of columns are refused: whoever knows what they mean reads them before, by ``by_name``.
    """
    if type(value) is not np.ndarray and (found := texts(value)):
        raise InputError(
            f"{name} has names for its numbers ({found[0]!r}, ...), which are not read here; put them into the robot's "
            "order and give the numbers alone, as values.to_numpy()"
        )
    if callable(value):
        raise InputError(f"{name} is a function; give the numbers it returns, as {_called(value)}()")
    if hasattr(value, "__dlpack__") and not isinstance(value, np.ndarray):
        value = _borrowed(name, value)
    elif hasattr(value, "__cuda_array_interface__"):
        raise _elsewhere(name, "__cuda_array_interface__")
    array: Array = handed_over(name, value, np.asarray)
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        at = np.argwhere(np.ma.getmaskarray(value))[0].tolist()
        raise InputError(
            f"{name} is masked at {at}; every number is needed: fill it (values.filled(...)) or leave such rows out"
        )
    if array.dtype.kind not in "biuf":
        kind = {"c": "complex", "U": "text", "S": "bytes", "O": "mixed objects", "M": "dates", "m": "times"}.get(
            array.dtype.kind, array.dtype.kind
        )
        raise InputError(f"{name} holds {kind}; give real numbers (float64, float32 or integers)")
    return array


def handed_over(name: str, value: object, make: Callable[[Any], Any]) -> Any:
    """What ``make`` of another library has for these numbers, or an InputError that names the argument; NumPy's arrays
    in the processor's byte order, which those libraries want.
    """
    if make is not np.asarray and isinstance(value, np.ndarray):
        value = as_array(name, value) if isinstance(value, np.ma.MaskedArray) else value
        value = value.astype(value.dtype.newbyteorder("="), copy=False)
    try:
        return make(value)
    except Exception as error:  # a class of somebody else's may raise anything
        why = str(error).partition("\n")[0] or type(error).__name__
        if make is np.asarray and "inhomogeneous" in why:
            raise ShapeError(f"{name} is not an array of numbers: its rows have different lengths") from error
        raise InputError(f"{name} is no array of numbers: {why[:300]}") from error


def _elsewhere(name: str, kind: str) -> InputError:
    return InputError(
        f"{name} lies on another device ({kind}); kernels read the processor's memory: copy it there first, as x.cpu() "
        "or x.get()"
    )


def _borrowed(name: str, value: Any) -> Array:
    """A view of another library's array by DLPack. What lies on another device is refused: a copy to the host must be
    somebody's wish.
    """
    if any(base.__name__ == "Tracer" for base in type(value).__mro__):
        raise InputError(f"{name} is being traced by JAX; ordern.jax has the same quantities for traced arrays")
    if _differentiated(value):
        raise InputError(f"{name} is being differentiated or mapped by PyTorch; ordern.torch has the same quantities")
    try:
        device = int(value.__dlpack_device__()[0])
    except Exception as error:  # a device that DLPack has no number for, as "meta"; an array that was given away
        raise InputError(
            f"{name} lies where no array can be read ({error}); kernels read the processor's memory"
        ) from None
    if device not in _HOST:
        raise _elsewhere(name, f"DLPack kind {device}")
    try:
        return np.from_dlpack(value)
    except Exception as error:  # as above
        if getattr(value, "requires_grad", False):
            raise InputError(
                f"{name} requires a gradient, which ordern.torch functions have; else give {name}.detach()"
            ) from None
        raise InputError(
            f"{name} is of a kind that NumPy has not ({getattr(value, 'dtype', error)}); give float64 or float32"
        ) from None


def _differentiated(value: object) -> bool:
    """Whether a tensor carries a tangent or belongs to a transformation of torch.func, which reading its numbers would
    lose.
    """
    torch: Any = sys.modules.get("torch")
    if torch is None or not isinstance(value, torch.Tensor):
        return False
    wrapped: bool = torch._C._functorch.is_functorch_wrapped_tensor(value)
    return wrapped or torch.autograd.forward_ad.unpack_dual(value).tangent is not None


def by_name(name: str, value: object, names: Sequence[str]) -> Any:
    """A DataFrame, Series or dict that names numbers by joint, as an array in the robot's order; all else as it is.

    Columns may be called "joint" or, as Run.to_pandas calls them, "q joint"; ("q", "joint") of several levels is the
    same. Numbers as labels say nothing: the order counts.
    """
    found = texts(value)
    if not found:
        for labels in _other_axes(value):
            if names and set(names) <= set(labels):
                raise InputError(f"{name} has the joints' names along another axis than its last; transpose it")
        return value
    if isinstance(value, (list, tuple)):  # of rows, each with its own names
        return np.stack([by_name(name, row, names) for row in value])
    given = [str(e).removeprefix(f"{name.rstrip('01')} ") for e in found]  # q0 is a q
    array, missing = _columns(name, value), [e for e in names if given.count(e) != 1]
    unknown = [e for e in given if e not in names]
    if missing or unknown:
        what = (
            f"has no single column for {missing[0]!r}" if missing else f"has a column {unknown[0]!r} that is no joint"
        )
        raise InputError(f"{name} {what}; the robot's are {', '.join(names[:8])}{', ...' if len(names) > 8 else ''}")
    return array[..., [given.index(e) for e in names]]


def _columns(name: str, value: object) -> Array:
    if not isinstance(value, Mapping):
        return np.asarray(value)
    try:
        return np.stack(np.broadcast_arrays(*[as_array(f"{name}[{k!r}]", v) for k, v in value.items()]), axis=-1)
    except ValueError as error:
        if isinstance(error, OrdernError):
            raise
        raise ShapeError(f"{name} has columns of different lengths") from error


def texts(value: object) -> list[object]:
    """The labels of the last axis where there are texts among them: of tables, their rows, lists of these, xarray's
    arrays.
    """
    if isinstance(value, (np.ndarray, float, int)):
        return []
    if isinstance(value, (list, tuple)):
        return [] if not value or isinstance(value[0], (float, int, list, tuple, np.ndarray)) else texts(value[0])
    labels = value if isinstance(value, Mapping) else getattr(value, "columns", None)
    dims, coords = getattr(value, "dims", None), getattr(value, "coords", ())
    if labels is None and dims and dims[-1] in coords:
        labels = coords[dims[-1]].values
    elif labels is None and getattr(value, "ndim", 0) == 1 and not callable(getattr(value, "index", None)):
        labels = getattr(value, "index", None)
    try:
        found = [] if labels is None else [" ".join(map(str, e)) if isinstance(e, tuple) else e for e in labels]
    except TypeError:  # something else by that name
        return []
    return found if any(isinstance(e, str) for e in found) else []


def _other_axes(value: object) -> list[list[object]]:
    """The labels of the rows of a table, of all but the last axis of xarray's arrays."""
    dims, coords = getattr(value, "dims", ()), getattr(value, "coords", ())
    if isinstance(dims, tuple) and coords:
        return [np.asarray(coords[d].values).tolist() for d in dims[:-1] if d in coords]
    rows: Any = getattr(value, "index", None) if hasattr(value, "columns") else None
    return [rows.tolist()] if hasattr(rows, "tolist") else []
