"""Arguments of a PyTorch function as tensors that kernels can read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..errors import InputError, ShapeError
from ..runtime.array_inputs import handed_over
from .differentiable import Smooth

__all__ = ["tensors_given"]


def tensors_given(tensors: Sequence[Any], made: Smooth) -> list[Any]:
    """Tensors of one floating dtype on the processor, or an error that names the argument."""
    import torch

    given = []
    for (name, count), value in zip(made.inputs.items(), tensors, strict=True):
        t = value if isinstance(value, torch.Tensor) else handed_over(name, value, _tensor)
        if t.device.type != "cpu":
            raise InputError(
                f"{name} lies on {t.device}; kernels run on the processor: give {name}.cpu(), or export to a device "
                "(robot.export)"
            )
        if t.layout != torch.strided or t.is_nested:
            raise InputError(f"{name} is a sparse tensor or a nested one; give {name}.to_dense()")
        if t.dtype not in (
            torch.float32,
            torch.float64,
            torch.uint8,
            torch.int8,
            torch.int16,
            torch.int32,
            torch.int64,
        ):
            raise InputError(
                f"{name} is of dtype {str(t.dtype).removeprefix('torch.')}; kernels are made for float32 and float64 "
                f"({name}.double())"
            )
        if t.ndim == 0 and count == 1:
            t = t.reshape(1)
        if tuple(t.shape[-1:]) != (count,):
            raise ShapeError(f"{name} must have {count} numbers in its last axis, got shape {tuple(t.shape)}")
        given.append(t)
    single = bool(given) and all(t.dtype == torch.float32 for t in given)
    return [t.to(torch.float32 if single else torch.float64) for t in given]


def _tensor(value: object) -> Any:
    """Numbers without a dtype are double, as everywhere here: PyTorch would round them to single precision, and take
    the gradients from tensors in a list.
    """
    import torch

    if isinstance(value, (list, tuple)) and any(isinstance(part, torch.Tensor) for part in value):
        raise TypeError("a list of tensors would lose their gradients; give torch.stack(...)")
    return torch.as_tensor(value, dtype=None if hasattr(value, "dtype") else torch.float64)
