"""Dynamics of robots in O(n): numbers, formulas, operation counts and machine code from one text of each algorithm.

import ordern
robot = ordern.load("panda")
tau = robot.inverse_dynamics(q, qd, qdd)      # (..., n) arrays, batches in front
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import TYPE_CHECKING, Any, cast

from .errors import (
    FormulaError,
    InputError,
    MethodError,
    MissingExtra,
    ModelError,
    OrdernError,
    OrdernWarning,
    ShapeError,
    SimulationError,
    SingularError,
)
from .simulate import DRAWN

if TYPE_CHECKING:
    from . import control, jax, robots, torch, trajectory  # their .pyi files; _Rooms below finds the modules
    from .describe.builder import build
    from .describe.dh.dh_table import DH
    from .describe.specs import JointSpec, LinkSpec, LoopSpec, MimicSpec
    from .model import Placement
    from .robot import Robot, load
    from .robot.scene import Scene
    from .runtime.kernels import threads
    from .simulate.logs import read_log
    from .simulate.run import Run

__version__ = "0.2.0"

# public name -> (module, attribute); imported when first used, so that `import ordern` stays quick
_LAZY = {
    "Robot": ("ordern.robot", "Robot"),
    "load": ("ordern.robot", "load"),
    "JointSpec": ("ordern.describe.specs", "JointSpec"),
    "LinkSpec": ("ordern.describe.specs", "LinkSpec"),
    "LoopSpec": ("ordern.describe.specs", "LoopSpec"),
    "MimicSpec": ("ordern.describe.specs", "MimicSpec"),
    "Placement": ("ordern.model", "Placement"),
    "build": ("ordern.describe.builder", "build"),
    "Scene": ("ordern.robot.scene", "Scene"),
    "DH": ("ordern.describe.dh.dh_table", "DH"),
    "robots": ("ordern.robot.builtin_robots", None),
    "threads": ("ordern.runtime.kernels", "threads"),
    "control": ("ordern.simulate.control", None),
    "trajectory": ("ordern.simulate.trajectory", None),
    "Run": ("ordern.simulate.run", "Run"),
    "read_log": ("ordern.simulate.logs", "read_log"),
    "jax": ("ordern.evaluate.jax_functions", None),
    "torch": ("ordern.evaluate.torch_functions", None),
}

__all__ = [
    "DH", "FormulaError", "InputError", "JointSpec", "LinkSpec", "LoopSpec", "MethodError", "MimicSpec",
    "MissingExtra", "ModelError", "OrdernError", "OrdernWarning", "Placement", "Robot", "Run", "Scene",
    "ShapeError", "SimulationError", "SingularError", "build", "control", "jax", "load", "read_log", "robots",
    "threads", "torch", "trajectory",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        from .errors import near

        hint = "" if name.startswith("_") else near(name, __all__)
        raise AttributeError(f"module 'ordern' has no attribute {name!r}{hint}")
    module, attribute = _LAZY[name]
    loaded = importlib.import_module(module)
    found = loaded if attribute is None else getattr(loaded, attribute)
    globals()[name] = found
    return found


def _later(module: str, name: str) -> Callable[..., Any]:
    """A function of a module that is imported when it is first called."""
    return lambda *arguments, **options: getattr(importlib.import_module(module), name)(*arguments, **options)


# A Run draws itself, but simulate stands before the rooms that draw: here, where all rooms are known, it is told who
# does.
DRAWN["plot"] = _later("ordern.report.run_plot", "plot")
DRAWN["page"] = _later("ordern.view.page", "page")
DRAWN["notebook_html"] = _later("ordern.view.page", "notebook_html")


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


class _Rooms:
    """Find public module names, so that ``from ordern.control import PD`` and ``import ordern.trajectory`` work."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Only for the public modules of ordern."""
        package, _, name = fullname.rpartition(".")
        return (
            ModuleSpec(fullname, cast(Any, self))
            if package == __name__ and _LAZY.get(name, ("", ""))[1] is None
            else None
        )

    def create_module(self, spec: ModuleSpec) -> None:
        """As usual; it is replaced below."""

    def exec_module(self, module: ModuleType) -> None:
        """Put the real module in its place."""
        name = module.__name__.rpartition(".")[2]
        sys.modules[module.__name__] = globals()[name] = importlib.import_module(_LAZY[name][0])


if not any(type(finder).__qualname__ == "_Rooms" for finder in sys.meta_path):
    sys.meta_path.append(cast(Any, _Rooms()))
