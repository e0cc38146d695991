"""Values by body as algorithms hand them around, whatever keeps them: a table, a function, an input split by body."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from ..spatial.joint_space import Block, Gram

__all__ = ["Blocks", "PerBody", "Row", "StoredPerBody"]

Row = Any  # an int, or a symbolic row while tracing
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class PerBody(Protocol[T_co]):
    """One value a body, to be read."""

    def __getitem__(self, i: Row, /) -> T_co: ...


class StoredPerBody(PerBody[T], Protocol[T]):
    """One value a body, to be read and set."""

    def __setitem__(self, i: Row, value: T, /) -> None: ...


class Blocks(Protocol):
    """A block for each pair of bodies: general, or symmetric on the diagonal."""

    def __getitem__(self, at: tuple[Row, Row], /) -> Any: ...

    def __setitem__(self, at: tuple[Row, Row], block: Block | Gram, /) -> None: ...
