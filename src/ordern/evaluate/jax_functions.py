"""JAX functions (public as ``ordern.jax``): ``ordern.jax.inverse_dynamics(robot)`` is a pure function for jit, vmap and grad.

The same algorithm text runs on JAX arrays as scalars; nothing is copied. Needs the extra "jax".
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..algorithms.registry import choose, find
from ..errors import need
from ..program.layout import shape_of
from ..runtime.numbers import on_scalars
from ..scalars.primitives import chosen, sincos, sqrt, tanh

__all__ = ["function"]


def function(quantity: str, robot: Any, method: str | None = None, link: str | None = None) -> Callable[..., Any]:
    """A pure JAX function of one state; use jax.vmap for batches."""
    _register()
    jnp: Any = need("jax.numpy", "jax")
    model = robot.model
    algorithm = choose(quantity, method, model)
    options = robot._options(algorithm, link)

    def evaluate(*arrays: Any) -> Any:
        scalars = [[_Folding(a[k]) for k in range(a.shape[0])] for a in map(jnp.asarray, arrays)]
        made = on_scalars(algorithm, model, scalars, options)
        out = []
        for kind, values in zip(algorithm.outputs, made, strict=True):
            shape, size = shape_of(kind, model), 1
            for extent in shape:
                size *= extent
            flat = [values.get(k, 0.0) for k in range(size)]
            out.append(jnp.stack([jnp.asarray(v.x if isinstance(v, _Folding) else v, float) for v in flat]).reshape(shape))
        return out[0] if len(out) == 1 else tuple(out)

    return evaluate


class _Folding:
    """A JAX scalar whose operators fold the structural 0 and 1, so that traced graphs stay small."""

    __slots__ = ("x",)

    def __init__(self, x: Any) -> None:
        self.x = x

    def __add__(self, o: Any) -> Any:
        return self if _is(o, 0) else _Folding(self.x + _raw(o))

    __radd__ = __add__

    def __sub__(self, o: Any) -> Any:
        return self if _is(o, 0) else _Folding(self.x - _raw(o))

    def __rsub__(self, o: Any) -> Any:
        return _Folding(_raw(o) - self.x)

    def __mul__(self, o: Any) -> Any:
        if _is(o, 0):
            return 0
        return self if _is(o, 1) else _Folding(self.x * _raw(o))

    __rmul__ = __mul__

    def __truediv__(self, o: Any) -> Any:
        return _Folding(self.x / _raw(o))

    def __rtruediv__(self, o: Any) -> Any:
        return 0 if _is(o, 0) else _Folding(_raw(o) / self.x)

    def __neg__(self) -> Any:
        return _Folding(-self.x)


def _raw(o: Any) -> Any:
    return o.x if isinstance(o, _Folding) else o


def _is(o: Any, value: int) -> bool:
    return isinstance(o, (int, float)) and o == value


def _register() -> None:
    jnp: Any = need("jax.numpy", "jax")
    if _Folding in sincos.registry:
        return
    sincos.register(_Folding, lambda a: (_Folding(jnp.sin(a.x)), _Folding(jnp.cos(a.x))))
    sqrt.register(_Folding, lambda a: _Folding(jnp.sqrt(a.x)))
    tanh.register(_Folding, lambda a: _Folding(jnp.tanh(a.x)))
    choices = {"select": lambda x, a, b: jnp.where(x > 0, a, b), "least": jnp.minimum, "most": jnp.maximum}
    chosen.register(_Folding, lambda leading, op, *given: _Folding(choices[op](*map(_raw, given))))


def __getattr__(quantity: str) -> Any:
    """Every quantity by its name: inverse_dynamics, mass_matrix, ..."""
    if quantity.startswith("_"):
        raise AttributeError(quantity)
    find(quantity)  # an unknown quantity is an error that lists the known ones

    def make(robot: Any, method: str | None = None, link: str | None = None) -> Callable[..., Any]:
        return function(quantity, robot, method, link)

    return make
