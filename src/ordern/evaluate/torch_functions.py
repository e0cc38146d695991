"""PyTorch functions (public as ``ordern.torch``): ``ordern.torch.inverse_dynamics(robot)`` takes tensors, with
autograd, vmap and compile.

Tensors are read where they lie. Derivatives are kernels of their own (differentiable.py), along a direction for forward
mode and against one for ``backward``; many directions at one state (jacrev, jacfwd, hessian) share one kernel of
analytical derivatives. What ``torch.compile`` sees is one operator, ``ordern::call``. Needs the extra "torch".
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, cast

from ..algorithms.registry import Algorithm, all_algorithms, find
from ..errors import MethodError, ShapeError, need
from ..model import Model
from ..model.thresholds import ENOUGH_DIRECTIONS
from ..runtime.call import Call
from ..runtime.fast_entry import entry
from ..runtime.kernels import Kernel
from .differentiable import Smooth, common_rows, of_call, smooth
from .evaluators import evaluator
from .robot_like import RobotLike
from .torch_inputs import tensors_given

__all__ = ["function"]

Tensor = Any


def function(
    quantity: str, robot: RobotLike, method: str | None = None, link: str | None = None, external: Sequence[str] = ()
) -> Callable[..., Any]:
    """A function of tensors (..., n); leading axes are batches and broadcast.

    Args:
        quantity: Its name.
        robot: Whose.
        method: By which algorithm; the fastest by default.
        link: For quantities of one link; the last one by default.
        external: Links that further arguments (..., 6) are wrenches on, [moment; force] in the link's frame.

    States that are not finite give results that are not finite.
    """
    need("torch", "torch")
    return _of(smooth(robot, quantity, method, link, external), quantity)


@evaluator("torch")
def _evaluated(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Callable[..., Any]:
    return _of(of_call(Call(model, algorithm, options)), algorithm.quantity)


def _of(made: Smooth, quantity: str) -> Callable[..., Any]:
    torch: Any = need("torch", "torch")
    names, key = list(made.inputs), _registered(made)
    _operator()
    call, quick = _call_class(), _quick(made)

    def evaluate(*tensors: object) -> Any:
        if len(tensors) != len(names):
            raise ShapeError(f"{quantity} takes {len(names)} tensors ({', '.join(names)}), got {len(tensors)}")
        with suppress(RuntimeError, TypeError):  # of a tensor that is none in memory, which tensors_given names
            if (found := quick(tensors)) is not None:
                return found
        given = tensors_given(tensors, made)
        try:
            batch = torch.broadcast_shapes(*(t.shape[:-1] for t in given)) if given else ()
        except RuntimeError:
            shapes = ", ".join(f"{name} {tuple(t.shape)}" for name, t in zip(names, given, strict=True))
            raise ShapeError(
                f"the batch axes do not fit together: {shapes}; all but the last axis must broadcast"
            ) from None
        rows = [_rows(t, batch) for t in given]
        found = torch.ops.ordern.call(rows, key) if torch.compiler.is_compiling() else call.apply(made, *rows)
        results = [x.reshape((*batch, *shape)) for x, shape in zip(found, made.outputs.values(), strict=True)]
        return results[0] if len(results) == 1 else tuple(results)

    evaluate.__name__ = evaluate.__qualname__ = quantity
    return evaluate


def _quick(made: Smooth) -> Callable[[Sequence[Any]], Any]:
    """Plain tensors of one batch without autograd, transforms or recording go straight to the kernel; else None."""
    import torch

    counts, shapes = list(made.inputs.values()), list(made.outputs.values())
    kinds = {torch.float64: "float64", torch.float32: "float32"}
    transformed, recorded = (
        getattr(torch._C, name, None) for name in ("_are_functorch_transforms_active", "_len_torch_dispatch_stack")
    )
    levels, ways = torch.autograd.forward_ad, cast("dict[Any, Callable[..., Any]]", {})

    def run(tensors: Sequence[Any]) -> Any:
        if transformed is None or recorded is None or not counts or type(tensors[0]) is not torch.Tensor:
            return None
        if torch.compiler.is_compiling() or transformed() or recorded() or getattr(levels, "_current_level", 0) >= 0:
            return None
        first, differentiated = tensors[0], torch.is_grad_enabled()
        batch, dtype = tuple(first.shape)[:-1], first.dtype
        for t, count in zip(tensors, counts, strict=True):  # each question takes a tenth of a microsecond
            if type(t) is not torch.Tensor or t.dtype is not dtype or t.shape != (*batch, count) or not t.is_cpu:
                return None
            if (differentiated and t.requires_grad) or not t.is_contiguous() or t.is_neg():
                return None
        rows = math.prod(batch)
        if dtype not in kinds or not rows or not all(made.sizes):
            return None
        arrays = [(t.detach() if t.requires_grad else t).numpy() for t in tensors]
        if len(batch) > 1:
            arrays = [a.reshape(rows, count) for a, count in zip(arrays, counts, strict=True)]
        way = ways.get(dtype) or ways.setdefault(dtype, _way(made.kernel(kinds[dtype])))
        found = way(*arrays)  # NumPy makes arrays in half the time that torch takes for tensors
        outs = [torch.as_tensor(o) for o in (found if type(found) is tuple else (found,))]
        if len(batch) > 1:
            outs = [o.reshape((*batch, *shape)) for o, shape in zip(outs, shapes, strict=True)]
        return outs[0] if len(outs) == 1 else tuple(outs)

    return run


def _way(kernel: Kernel) -> Callable[..., Any]:
    """Call machine code directly, for one state or rows; results may be infinite or NaN."""
    import numpy as np

    def run(*arrays: Any) -> Any:
        rows = math.prod(batch := arrays[0].shape[:-1])
        outs = [np.empty((*batch, *shape), kernel.dtype) for shape in kernel.outputs.values()]
        kernel.run([a.reshape(rows, a.shape[-1]) for a in arrays], [o.reshape(rows, -1) for o in outs])
        return outs[0] if len(outs) == 1 else tuple(outs)

    return entry(kernel, run)


def _rows(t: Tensor, batch: Sequence[int]) -> Tensor:
    if math.prod(t.shape[:-1]) == 1:
        return t.reshape(1, t.shape[-1])
    return t.expand(*batch, t.shape[-1]).reshape(math.prod(batch), t.shape[-1])


# --- kernels on tensors -----------------------------------------------------------------------------------------------
def _run(made: Smooth, tensors: Sequence[Tensor]) -> list[Tensor]:
    """(rows or 1, count) in, (rows, size) out; nothing is copied but tensors whose rows are not contiguous."""
    import torch

    rows = common_rows(t.shape[0] for t in tensors)
    outs = [torch.empty((rows, size), dtype=tensors[0].dtype) for size in made.sizes]
    if rows and all(made.sizes):
        kernel = made.kernel("float32" if tensors[0].dtype == torch.float32 else "float64")
        arrays = [t.detach().resolve_neg().contiguous().expand(rows, t.shape[1]).numpy() for t in tensors]
        kernel.run(arrays, [o.numpy() for o in outs])
    return outs


_known: dict[str, Smooth] = {}


def _registered(made: Smooth) -> str:
    """A name for a computation, the same in every process: compiled graphs may be kept on disk."""
    if made.base is not None:
        return f"{_registered(made.base)}|{made.kind}:{','.join(made.wrt)}"
    key = hashlib.sha256(made.key.encode()).hexdigest()
    _known[key] = made
    return key


def _found(key: str) -> Smooth:
    root, *steps = key.split("|")
    made = _known[root]
    for step in steps:
        kind, _, names = step.partition(":")
        made = getattr(made, kind)(tuple(names.split(",")))
    return made


@lru_cache(maxsize=1)
def _operator() -> Any:
    """``ordern::call``: opaque to the compiler, with shapes, derivatives and batches."""
    import torch

    @torch.library.custom_op("ordern::call", mutates_args=(), schema="(Tensor[] arrays, str key) -> Tensor[]")  # type: ignore[untyped-decorator]
    def call(arrays: list[Any], key: str) -> list[Any]:
        return _run(_found(key), arrays)

    @call.register_fake  # type: ignore[untyped-decorator]
    def _(arrays: list[Any], key: str) -> list[Any]:
        rows = common_rows(t.shape[0] for t in arrays)
        return [arrays[0].new_empty((rows, size)) for size in _found(key).sizes]

    def setup(ctx: Any, inputs: tuple[Any, ...], output: object) -> None:
        arrays, ctx.key = inputs
        ctx.save_for_backward(*arrays)

    def backward(ctx: Any, weights: Sequence[Any]) -> Any:
        made = _found(ctx.key)
        return _backward(made, ctx.saved_tensors, weights, list(range(len(made.inputs))), _operate), None

    torch.library.register_autograd("ordern::call", backward, setup_context=setup)

    def batched(info: Any, dims: Any, arrays: list[Any], key: str) -> Any:
        found = _batch(_found(key), info.batch_size, dims[0], arrays, _operate)
        return found, [0] * len(found)

    torch.library.register_vmap("ordern::call", batched)
    return call


def _operate(made: Smooth, arrays: Sequence[Tensor]) -> list[Tensor]:
    return list(_operator()(list(arrays), _registered(made)))


@lru_cache(maxsize=1)
def _call_class() -> Any:
    """The same as a function of autograd's, which knows forward mode too."""
    import torch

    class TorchCall(torch.autograd.Function):  # type: ignore[misc]
        """A Smooth on rows of tensors."""

        @staticmethod
        def forward(made: Smooth, *arrays: object) -> tuple[Any, ...]:
            return tuple(_run(made, arrays))

        @staticmethod
        def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
            ctx.made = inputs[0]
            ctx.save_for_backward(*inputs[1:])
            ctx.save_for_forward(*inputs[1:])

        @staticmethod
        def backward(ctx: Any, *weights: Any) -> tuple[Any, ...]:
            wanted = [k for k, needed in enumerate(ctx.needs_input_grad[1:]) if needed]
            return None, *_backward(ctx.made, ctx.saved_tensors, weights, wanted, _apply)

        @staticmethod
        def jvp(ctx: Any, _: Any, *moves: Any) -> tuple[Any, ...]:
            moving = [k for k, t in enumerate(moves) if t is not None]
            names = [list(ctx.made.inputs)[k] for k in moving]
            return tuple(_apply(ctx.made.jvp(names), [*ctx.saved_tensors, *(moves[k] for k in moving)]))

        @staticmethod
        def vmap(info: Any, dims: tuple[Any, ...], made: Smooth, *arrays: Any) -> tuple[Any, ...]:
            found = _batch(made, info.batch_size, dims[1:], arrays, _apply)
            return tuple(found), (0,) * len(found)

    return TorchCall


def _apply(made: Smooth, arrays: Sequence[Tensor]) -> list[Tensor]:
    return list(_call_class().apply(made, *arrays))


# --- rules ------------------------------------------------------------------------------------------------------------
_Engine = Callable[[Smooth, Sequence[Tensor]], list[Tensor]]


def _backward(
    made: Smooth, arrays: Sequence[Tensor], weights: Sequence[Any], wanted: Sequence[int], run: _Engine
) -> list[Any]:
    """w^T J for the wanted inputs, None for the others."""
    import torch

    if any(torch._C._functorch.is_legacy_batchedtensor(t) for t in weights if t is not None):
        raise MethodError("PyTorch's old vmap (is_grads_batched, vectorize=True) is not served; use torch.func.jacrev")
    rows = common_rows(t.shape[0] for t in arrays)
    full = [arrays[0].new_zeros((rows, n)) if w is None else w for w, n in zip(weights, made.sizes, strict=True)]
    names = [list(made.inputs)[k] for k in wanted]
    if made.adjoins:
        found = run(made.vjp(names), [*arrays, *full])
    else:
        found = [
            sum(torch.einsum("bo,bok->bk", w, J) for w, J in zip(full, blocks, strict=True))
            for blocks in _columns(made, arrays, names, rows, run)
        ]
    out: list[Any] = [None] * len(arrays)
    for k, x in zip(wanted, found, strict=True):
        out[k] = x.sum(0, keepdim=True) if arrays[k].shape[0] == 1 != rows else x
    return out


def _columns(base: Smooth, fixed: Sequence[Tensor], wrt: Sequence[str], rows: int, run: _Engine) -> list[list[Tensor]]:
    """All derivatives of each output by each input in ``wrt``, (rows, size, count): analytical or by directions."""
    import torch

    matrix, made = base.matrix, []
    if matrix is not None and set(wrt) <= set(matrix.part):
        given = dict(zip(base.inputs, fixed, strict=True))
        sizes = matrix.kernel.inputs.values()
        arrays = [
            fixed[0].new_zeros((1, n)) if s is None else given[s] for s, n in zip(matrix.sources, sizes, strict=True)
        ]
        found, shapes = run(matrix.kernel, arrays), list(matrix.kernel.outputs.values())
        for name in wrt:
            J = found[matrix.part[name]]
            J = J.reshape(J.shape[0], base.sizes[0], shapes[matrix.part[name]][-1])  # a scalar's has one row
            if name == "q" and matrix.chart is not None:
                chart = run(matrix.chart, [given["q"]])[0]
                J = torch.matmul(J, chart.reshape(chart.shape[0], *matrix.chart.outputs["out0"]))
            made.append([J.expand(rows, *J.shape[1:])])
        return made
    for name in wrt:
        count = base.inputs[name]
        spread = [t if t.shape[0] == 1 else t.repeat_interleave(count, 0) for t in fixed]
        unit = torch.eye(count, dtype=fixed[0].dtype).repeat(rows, 1)
        slopes = run(base.jvp([name]), [*spread, unit])
        made.append([x.reshape(rows, count, x.shape[1]).transpose(1, 2) for x in slopes])
    return made


def _batch(made: Smooth, extent: int, dims: Sequence[Any], arrays: Sequence[Tensor], run: _Engine) -> list[Tensor]:
    """A new axis becomes more rows; many directions at one state share a matrix."""
    none = [d is None for d in dims]
    moved = [t if d is None else t.movedim(d, 0) for t, d in zip(arrays, dims, strict=True)]
    base = made.base
    if (
        base is not None
        and extent >= ENOUGH_DIRECTIONS
        and all(none[: len(base.inputs)])
        and base.matrix is not None
        and set(made.wrt) <= set(base.matrix.part)
    ):
        return _many(made, moved[: len(base.inputs)], moved[len(base.inputs) :], none[len(base.inputs) :], run)
    rows = common_rows(t.shape[-2] for t in moved)
    if rows == 1:
        flat = [t.reshape(math.prod(t.shape[:-1]), t.shape[-1]) for t in moved]
    else:
        flat = [
            t if alone and t.shape[0] == 1 else t.expand(extent, rows, t.shape[-1]).reshape(extent * rows, t.shape[-1])
            for t, alone in zip(moved, none, strict=True)
        ]
    return [x.reshape(extent, rows, x.shape[1]) for x in run(made, flat)]


def _many(
    made: Smooth, fixed: Sequence[Tensor], linear: Sequence[Tensor], unmapped: Sequence[bool], run: _Engine
) -> list[Tensor]:
    """J V or W^T J for many directions at each state."""
    import torch

    base = made.base
    assert base is not None
    full = [t[None] if alone else t for t, alone in zip(linear, unmapped, strict=True)]
    rows = common_rows([t.shape[0] for t in fixed] + [t.shape[1] for t in full])
    blocks = [J for (J,) in _columns(base, fixed, made.wrt, rows, run)]
    most = max(t.shape[0] for t in full)
    if made.kind == "jvp":
        directions = torch.cat([t.expand(most, rows, t.shape[2]) for t in full], dim=2)
        return [torch.einsum("bok,mbk->mbo", torch.cat(blocks, dim=2), directions)]
    w = full[0].expand(most, rows, full[0].shape[2])
    return [torch.einsum("mbo,bok->mbk", w, J) for J in blocks]


def __getattr__(quantity: str) -> Any:
    """Every quantity by its name: inverse_dynamics, mass_matrix, ..."""
    if quantity.startswith("_"):
        raise AttributeError(quantity)
    find(quantity)  # an unknown quantity is an error that lists the known ones
    return partial(function, quantity)


def __dir__() -> list[str]:
    return sorted({*__all__, *(algorithm.quantity for algorithm in all_algorithms())})
