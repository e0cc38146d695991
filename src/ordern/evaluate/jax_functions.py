"""JAX functions (public as ``ordern.jax``): ``ordern.jax.inverse_dynamics(robot)`` is a pure function for jit, vmap,
grad and scan.

Each quantity is one operation of JAX's: on processors a custom call into the robot's kernel (no copy, no interpreter),
on other devices the same program as a graph. Its rules make ``vmap`` a batch, derivatives other kernels, and of many
directions at one state (jacfwd, jacrev, hessian) one kernel of analytical derivatives. Needs the extra "jax".
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from ..algorithms.registry import Algorithm, all_algorithms, find
from ..errors import InputError, ShapeError, need
from ..model import Model
from ..model.thresholds import ENOUGH_DIRECTIONS
from ..runtime.array_inputs import handed_over
from ..runtime.call import Call
from ..runtime.machine import executable
from .differentiable import Smooth, common_rows, of_call, smooth
from .evaluators import evaluator
from .jax_sharding import by_rows, made_of, spread_over, varying_alike

if TYPE_CHECKING:
    from jax import Array

    from .robot_like import RobotLike

__all__ = ["function"]


def function(
    quantity: str,
    robot: RobotLike,
    method: str | None = None,
    link: str | None = None,
    external: Sequence[str] = (),
    engine: str = "kernel",
) -> Callable[..., Any]:
    """A pure JAX function of arrays (..., n); leading axes are batches and broadcast, as does vmap.

    Args:
        quantity: Its name.
        robot: Whose.
        method: By which algorithm; the fastest by default.
        link: For quantities of one link; the last one by default.
        external: Links that further arguments (..., 6) are wrenches on, [moment; force] in the link's frame.
        engine: "kernel", or "graph" for XLA's own code on this processor too, as other devices have it.

    States that are not finite give results that are not finite: a traced function cannot complain.
    """
    need("jax", "jax")
    if engine not in ("kernel", "graph"):
        raise InputError(f"engine {engine!r}: there are 'kernel' and 'graph'")
    made = smooth(robot, quantity, method, link, external)
    names = list(made.inputs)

    def evaluate(*arrays: object) -> Any:
        if len(arrays) != len(names):
            raise ShapeError(f"{quantity} takes {len(names)} arrays ({', '.join(names)}), got {len(arrays)}")
        given = _given(arrays, names, list(made.inputs.values()))
        return _called(given, made, engine == "graph")

    evaluate.__name__ = evaluate.__qualname__ = quantity
    return evaluate


@evaluator("jax")
def _evaluated(algorithm: Algorithm, model: Model, options: Sequence[Any] = ()) -> Callable[..., Any]:
    jax: Any = need("jax", "jax")
    made = of_call(Call(model, algorithm, options))

    def run(*arrays: object) -> Any:
        with jax.enable_x64(True):
            return _called(_given(arrays, list(made.inputs), list(made.inputs.values())), made, False)

    return run


def _given(arrays: Sequence[Any], names: Sequence[str], counts: Sequence[int]) -> list[Array]:
    """Arrays of one floating dtype, or an error that names the argument."""
    import jax
    import jax.numpy as jnp

    made = []
    for name, value, count in zip(names, arrays, counts, strict=True):
        a = handed_over(name, value, jnp.asarray)
        if a.dtype not in (jnp.float32, jnp.float64) and not jnp.issubdtype(a.dtype, jnp.integer):
            raise InputError(
                f"{name} is of dtype {a.dtype}; kernels are made for float32 and float64 (x.astype('float32'))"
            )
        if a.ndim == 0 and count == 1:
            a = a.reshape(1)
        if a.shape[-1:] != (count,):
            raise ShapeError(f"{name} must have {count} numbers in its last axis, got shape {a.shape}")
        made.append(a)
    single = all(a.dtype == jnp.float32 for a in made) or not jax.config.jax_enable_x64
    return [a.astype(jnp.float32 if single else jnp.float64) for a in made]


def _called(given: Sequence[Array], made: Smooth, graph: bool) -> Any:
    """Batches as rows, results with their shapes."""
    import jax.numpy as jnp

    try:
        batch = jnp.broadcast_shapes(*(a.shape[:-1] for a in given)) if given else ()
    except ValueError:
        listed = ", ".join(f"{name} {a.shape}" for name, a in zip(made.inputs, given, strict=True))
        raise ShapeError(
            f"the batch axes do not fit together: {listed}; all but the last axis must broadcast"
        ) from None
    shapes = [(*batch, *shape) for shape in made.outputs.values()]
    if any(0 in shape for shape in shapes):
        results = [jnp.zeros(shape, given[0].dtype if given else None) for shape in shapes]
    else:
        rows = [_rows(a, batch) for a in given]
        found = _bind(rows, made, graph)
        results = [x.reshape(shape) for x, shape in zip(found, shapes, strict=True)]
    return results[0] if len(results) == 1 else tuple(results)


def _rows(a: Array, batch: tuple[int, ...]) -> Array:
    import jax.numpy as jnp

    if math.prod(a.shape[:-1]) == 1:
        return a.reshape(1, a.shape[-1])
    return jnp.broadcast_to(a, (*batch, a.shape[-1])).reshape(math.prod(batch), a.shape[-1])


# --- the operation and its rules --------------------------------------------------------------------------------------
@lru_cache(maxsize=1)
def _primitive() -> Any:
    """Takes (rows, count) or (1, count) for each input of a Smooth, gives (rows, size) for each output."""
    from jax.extend.core import Primitive
    from jax.interpreters import ad, batching, mlir

    made = Primitive("ordern")
    made.multiple_results = True
    made.def_impl(lambda *arrays, smooth, graph: _compiled(smooth, graph)(*arrays))
    made.def_abstract_eval(_abstract)
    ad.primitive_jvps[made] = _jvp
    ad.primitive_transposes[made] = _transpose
    batching.primitive_batchers[made] = _batch
    mlir.register_lowering(made, mlir.lower_fun(_graph, multiple_results=True))
    mlir.register_lowering(made, _lower, platform="cpu")
    return made


def _bind(arrays: Sequence[Array], smooth: Smooth, graph: bool) -> list[Array]:
    return list(_primitive().bind(*varying_alike(arrays), smooth=smooth, graph=graph))


@lru_cache(maxsize=256)
def _compiled(smooth: Smooth, graph: bool) -> Callable[..., Any]:
    """For calls outside of jit."""
    import jax

    return jax.jit(lambda *arrays: _bind(arrays, smooth, graph))  # type: ignore[no-any-return]


def _abstract(*arrays: Any, smooth: Smooth, graph: bool) -> list[Any]:
    rows = common_rows(a.shape[0] for a in arrays)
    return [made_of(arrays, (rows, size)) for size in smooth.sizes]


def _jvp(primals: Sequence[Array], tangents: Sequence[Any], *, smooth: Smooth, graph: bool) -> tuple[Any, Any]:
    from jax.interpreters import ad

    moving = [k for k, t in enumerate(tangents) if type(t) is not ad.Zero]
    names = [list(smooth.inputs)[k] for k in moving]
    values = _bind(primals, smooth, graph)
    return values, _bind([*primals, *(tangents[k] for k in moving)], smooth.jvp(names), graph)


def _transpose(weights: Sequence[Any], *arrays: Any, smooth: Smooth, graph: bool) -> list[Any]:
    """J v is linear in v: its transpose is w^T J; and the other way round."""
    import jax.numpy as jnp
    from jax.interpreters import ad

    base = smooth.base
    if base is None:
        raise InputError(f"{smooth.title} is not linear in its inputs: it has no transpose")
    fixed = arrays[: len(base.inputs)]
    linear = arrays[len(base.inputs) :]
    open_ = [k for k, a in enumerate(linear) if ad.is_undefined_primal(a)]
    if any(ad.is_undefined_primal(a) for a in fixed):
        raise InputError(f"{smooth.title} is not linear in its inputs: it has no transpose")
    rows = common_rows((a.aval if ad.is_undefined_primal(a) else a).shape[0] for a in arrays)
    dtype = fixed[0].dtype
    full = [
        jnp.zeros((rows, n), dtype) if type(w) is ad.Zero else w for w, n in zip(weights, smooth.sizes, strict=True)
    ]
    if smooth.kind == "jvp":
        found = _backward(base, fixed, full, [smooth.wrt[k] for k in open_], rows, graph)
    else:
        made = _bind([*fixed, *full], base.jvp(smooth.wrt), graph)
        found = [made[k] for k in open_]
    out: list[Any] = [None] * len(arrays)
    for k, x in zip(open_, found, strict=True):
        out[len(fixed) + k] = x.sum(0, keepdims=True) if linear[k].aval.shape[0] == 1 != rows else x
    return out


def _backward(
    base: Smooth, fixed: Sequence[Array], weights: Sequence[Array], wrt: Sequence[str], rows: int, graph: bool
) -> list[Array]:
    """w^T J by its own kernel, or through the matrix where programs have loops."""
    import jax.numpy as jnp

    if base.adjoins:
        return _bind([*fixed, *weights], base.vjp(wrt), graph)
    made = []
    for blocks in _columns(base, fixed, wrt, rows, graph):
        terms = [jnp.einsum("bo,bok->bk", w, J) for w, J in zip(weights, blocks, strict=True)]
        made.append(sum(terms[1:], start=terms[0]))
    return made


def _columns(base: Smooth, fixed: Sequence[Array], wrt: Sequence[str], rows: int, graph: bool) -> list[list[Array]]:
    """All derivatives of each output by each input in ``wrt``, (rows, size, count): analytical or by directions."""
    import jax.numpy as jnp

    matrix, dtype = base.matrix, fixed[0].dtype
    made: list[list[Array]] = []
    if matrix is not None and set(wrt) <= set(matrix.part):
        given = dict(zip(base.inputs, fixed, strict=True))
        sizes = matrix.kernel.inputs.values()
        arrays = [
            jnp.zeros((1, n), dtype) if s is None else given[s] for s, n in zip(matrix.sources, sizes, strict=True)
        ]
        found, shapes = _bind(arrays, matrix.kernel, graph), list(matrix.kernel.outputs.values())
        for name in wrt:
            J = found[matrix.part[name]]
            J = J.reshape(J.shape[0], base.sizes[0], shapes[matrix.part[name]][-1])  # a scalar's has one row
            if name == "q" and matrix.chart is not None:
                chart = _bind([given["q"]], matrix.chart, graph)[0]
                J = jnp.matmul(J, chart.reshape(chart.shape[0], *matrix.chart.outputs["out0"]))
            made.append([jnp.broadcast_to(J, (rows, *J.shape[1:]))])
        return made
    for name in wrt:
        count = base.inputs[name]
        spread = [a if a.shape[0] == 1 else jnp.repeat(a, count, axis=0) for a in fixed]
        slopes = _bind([*spread, jnp.tile(jnp.eye(count, dtype=dtype), (rows, 1))], base.jvp([name]), graph)
        made.append([jnp.swapaxes(x.reshape(rows, count, x.shape[1]), 1, 2) for x in slopes])
    return made


def _batch(
    arrays: Sequence[Array], dims: Sequence[Any], *, smooth: Smooth, graph: bool
) -> tuple[list[Array], list[int]]:
    """A new axis becomes more rows; many directions at one state share a matrix."""
    import jax.numpy as jnp

    none = [d is None for d in dims]
    extent = next(a.shape[d] for a, d, unmapped in zip(arrays, dims, none, strict=True) if not unmapped)
    moved = [a if d is None else jnp.moveaxis(a, d, 0) for a, d in zip(arrays, dims, strict=True)]
    base = smooth.base
    if base is not None and extent >= ENOUGH_DIRECTIONS and all(none[: len(base.inputs)]) and base.matrix is not None:
        fixed, linear = moved[: len(base.inputs)], moved[len(base.inputs) :]
        if set(smooth.wrt) <= set(base.matrix.part):
            found, axis = _many(smooth, fixed, linear, none[len(base.inputs) :], graph)
            return found, [axis] * len(found)
    rows = common_rows(a.shape[-2] for a in moved)
    if rows == 1:
        flat = [a.reshape(math.prod(a.shape[:-1]), a.shape[-1]) for a in moved]
    else:  # rows that serve all stay one
        flat = [
            a
            if unmapped and a.shape[0] == 1
            else jnp.broadcast_to(a, (extent, rows, a.shape[-1])).reshape(extent * rows, a.shape[-1])
            for a, unmapped in zip(moved, none, strict=True)
        ]
    found = _bind(flat, smooth, graph)
    return [x.reshape(extent, rows, x.shape[1]) for x in found], [0] * len(found)


def _many(
    smooth: Smooth, fixed: Sequence[Array], linear: Sequence[Array], unmapped: Sequence[bool], graph: bool
) -> tuple[list[Array], int]:
    """J V or W^T J for many directions at each state, and which axis of theirs is that of the directions."""
    import jax.numpy as jnp

    base = smooth.base
    assert base is not None
    full = [a[None] if alone else a for a, alone in zip(linear, unmapped, strict=True)]
    rows = common_rows([a.shape[0] for a in fixed] + [a.shape[1] for a in full])
    shared = all(a.shape[1] == 1 for a in full)
    blocks = [J for (J,) in _columns(base, fixed, smooth.wrt, rows, graph)]
    count, height = max(int(a.shape[0]) for a in full), 1 if shared else rows
    V = jnp.concatenate([jnp.broadcast_to(t, (count, height, t.shape[2])) for t in full], axis=2)
    if shared:
        return _same_directions(blocks, V[:, 0], smooth.kind == "jvp")
    if smooth.kind == "jvp":
        return [jnp.einsum("bok,mbk->mbo", jnp.concatenate(blocks, axis=2), V)], 0
    return [jnp.einsum("mbo,bok->mbk", V, J) for J in blocks], 0


def _same_directions(blocks: Sequence[Array], V: Array, along: bool) -> tuple[list[Array], int]:
    """``_many`` for the same directions at every state, as jacfwd and jacrev have them.

    They mostly ask for the columns of the identity, which a glance at V tells when it runs: then the blocks of J are
    the answer, and no product is made. They leave in pieces, since XLA undoes their joining and jacfwd's cutting only
    outside of the choice; and an axis of one state stays outside, for which XLA would copy them.
    """
    import jax.numpy as jnp
    from jax.lax import cond

    alone, ends = blocks[0].shape[0] == 1, list(accumulate(J.shape[2] for J in blocks))[:-1]

    def product(*J: Array) -> list[Array]:
        if along:
            return [jnp.einsum("...ok,mk->...om", jnp.concatenate(J, axis=-1), V)]
        return [jnp.einsum("...ok,mo->...mk", x, V) for x in J]

    found = [J[0] if alone else J for J in blocks]
    if V.shape[0] != V.shape[1]:
        found = product(*found)
    else:
        plain = jnp.array_equal(V, jnp.eye(V.shape[0], dtype=V.dtype))
        cut = (lambda *J: jnp.split(product(*J)[0], ends, axis=-1)) if along else product
        found = cond(plain, lambda *J: list(J), cut, *found)
        found = [jnp.concatenate(found, axis=-1)] if along else found
    return [x[None] if alone else x for x in found], 2 if along else 1


# --- what a device runs -----------------------------------------------------------------------------------------------
def _lower(ctx: Any, *operands: Any, smooth: Smooth, graph: bool) -> Any:
    """A custom call into the kernel."""
    import jax
    import jax.numpy as jnp
    from jax.interpreters import mlir

    if graph or not executable():  # hardened systems forbid machine code of one's own
        return mlir.lower_fun(_graph, multiple_results=True)(ctx, *operands, smooth=smooth, graph=graph)
    rows = common_rows(a.shape[0] for a in ctx.avals_in)
    if spread_over(ctx) and any(
        a.shape[0] != rows for a in ctx.avals_in
    ):  # rows that serve all lie on every device then
        return mlir.lower_fun(
            lambda *arrays: _bind([jnp.broadcast_to(a, (rows, a.shape[1])) for a in arrays], smooth, graph), True
        )(ctx, *operands)
    single, split = rows == 1, spread_over(ctx) and rows > 1
    target = _target(smooth, str(ctx.avals_in[0].dtype), single)
    return jax.ffi.ffi_lowering(target, extra_attributes=by_rows(ctx.avals_in, ctx.avals_out) if split else None)(
        ctx, *operands
    )


@lru_cache(maxsize=4096)
def _target(smooth: Smooth, dtype: str, single: bool) -> str:
    """The name of a kernel's custom call; it identifies the computation for JAX's cache on disk."""
    import jax

    from ..runtime.xla_call import XlaHandler

    name = f"ordern.{hashlib.sha256(f'{smooth.key} {dtype} {single}'.encode()).hexdigest()}"
    if name not in _registered:
        jax.ffi.register_ffi_target(name, XlaHandler(smooth.kernel(dtype), single).capsule(), platform="cpu")
        if not single:
            jax.ffi.register_ffi_target_as_batch_partitionable(name)
        _registered.add(name)
    return name


_registered: set[str] = set()


def _graph(*arrays: Array, smooth: Smooth, graph: bool) -> list[Array]:
    """The program as XLA's own operations."""
    import jax.numpy as jnp

    from .jax_graph import run

    if any(a.shape[0] == 0 for a in arrays):
        return [jnp.zeros((0, size), arrays[0].dtype) for size in smooth.sizes]
    return run(smooth.program(), arrays)


def __getattr__(quantity: str) -> Any:
    """Every quantity by its name: inverse_dynamics, mass_matrix, ..."""
    if quantity.startswith("_"):
        raise AttributeError(quantity)
    find(quantity)  # an unknown quantity is an error that lists the known ones
    return partial(function, quantity)


def __dir__() -> list[str]:
    return sorted({*__all__, *(algorithm.quantity for algorithm in all_algorithms())})
