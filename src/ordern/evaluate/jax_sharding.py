"""Arrays that are spread over several devices: each computes the rows that it has, and nothing is gathered."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

__all__ = ["by_rows", "made_of", "spread_over", "varying_alike"]


def _varying(aval: Any) -> frozenset[Any]:
    """The axes of a shard_map along which an array differs from device to device; names changed from JAX to JAX."""
    found: Any = getattr(getattr(aval, "mat", None), "varying", None) or getattr(aval, "vma", None)
    return found or frozenset()


def varying_alike(arrays: Sequence[Any]) -> list[Any]:
    """Make arguments in shard_map vary along the same axes; gradients of the others are summed over devices."""
    import jax

    own = [_varying(jax.typeof(a)) if hasattr(jax, "typeof") else frozenset() for a in arrays]
    axes = frozenset().union(*own)
    cast = partial(jax.lax.pcast, to="varying") if hasattr(jax.lax, "pcast") else getattr(jax.lax, "pvary", None)
    return [
        a if axes == has or cast is None else cast(a, tuple(axes - has)) for a, has in zip(arrays, own, strict=True)
    ]


def made_of(avals: Sequence[Any], shape: tuple[int, ...]) -> Any:
    """The type of a result of such arguments."""
    from jax.core import ShapedArray

    first = avals[0]
    return first.update(shape=shape) if _varying(first) else ShapedArray(shape, first.dtype)


def spread_over(ctx: Any) -> bool:
    """Whether the lowered computation runs on more than one device."""
    return getattr(ctx.module_context.axis_context, "num_devices", 1) not in (None, 1)


def by_rows(avals_in: Sequence[Any], avals_out: Sequence[Any]) -> dict[str, Any]:
    """Attributes of a custom call (rows, count) -> (rows, count) that say: rows may be split, the numbers of a row may
    not.

    One is for XLA's own partitioner, the other one for Shardy, which took its place.
    """
    from jax.interpreters import mlir
    from jaxlib.mlir import ir

    widths = [a.shape[1] for a in (*avals_in, *avals_out)]
    letters = [_letter(k) for k in range(len(widths) + 1)]  # the first one is for rows
    arrays = [f"[{letters[0]}, {letter}]" for letter in letters[1:]]
    given, made = ", ".join(arrays[: len(avals_in)]), ", ".join(arrays[len(avals_in) :])
    factors = ", ".join(
        f"{letter}={size}" for letter, size in zip(letters, [avals_in[0].shape[0], *widths], strict=True)
    )
    fixed = ", ".join(letters[1:])
    rule = f"#sdy.op_sharding_rule<({given})->({made}) {{{factors}}} need_replication={{{fixed}}}, custom>"
    attributes = {"mhlo.frontend_attributes": mlir.ir_attribute({"num_batch_dims": "1"})}
    with suppress(
        ValueError, ir.MLIRError
    ):  # a JAX without Shardy, or with another spelling: arrays are gathered, and results are right
        attributes["sdy.sharding_rule"] = ir.Attribute.parse(rule)
    return attributes


def _letter(k: int) -> str:
    """As Shardy names what dimensions are split by: i to z, then z_1, z_2, ..."""
    return "ijklmnopqrstuvwxyz"[k] if k < 18 else f"z_{k - 17}"
