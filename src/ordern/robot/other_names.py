"""What other libraries call attributes of a robot: the error says what they are called here.

As attributes of the class that are never there, for with ``__getattr__`` every call of a method would take longer:
Python then looks each attribute up the slow way (mass matrix of a UR5 for one state: 170 ns, not 122). Names with a
slip of a letter are suggested by Python itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from ..algorithms.registry import ELSEWHERE

__all__ = ["Facade"]

_NAMES = {
    "dof": "n", "ndof": "n", "nv": "n", "joints": "joint_names", "links": "link_names", "ik": "inverse_kinematics",
    **ELSEWHERE,
}  # fmt: skip


class _Elsewhere:
    def __init__(self, name: str, ours: str) -> None:
        self.said = f"object has no attribute {name!r}; did you mean {ours!r}?"

    def __get__(self, robot: object, kind: type) -> NoReturn:
        raise AttributeError(f"{kind.__name__!r} {self.said}")


class Facade(type):
    """A class whose errors know those names, and which does not list them."""

    def __init__(cls, name: str, bases: tuple[type, ...], members: dict[str, Any]) -> None:
        super().__init__(name, bases, members)
        for known, ours in _NAMES.items():
            for spelled in (known, known.upper()):
                if not any(spelled in vars(c) for c in cls.__mro__):
                    setattr(cls, spelled, _Elsewhere(spelled, ours))

    def __dir__(cls) -> list[str]:
        return cls.listed(super().__dir__())

    def listed(cls, names: Iterable[str]) -> list[str]:
        """Names without those."""
        found: dict[str, Any] = {}
        for c in reversed(cls.__mro__):
            found.update(vars(c))
        return [name for name in names if not isinstance(found.get(name), _Elsewhere)]
