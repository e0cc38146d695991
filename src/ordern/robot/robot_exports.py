"""The methods of Robot that hand out its quantities as code: kernels, source text, functions of other libraries."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from ..algorithms.registry import choose
from ..errors import InputError, one_of
from ..model import Model

__all__ = ["Exports"]


class Exports:
    """Compiled and written quantities."""

    model: Model
    _options: Any
    _link: Any

    def compile(
        self,
        quantity: str | Sequence[str],
        method: str | None = None,
        dtype: str = "float64",
        link: str | None = None,
        derivatives: int = 0,
        device: str = "cpu",
        layout: str = "states",
    ) -> Any:
        """A callable kernel for one quantity, or for several in one pass (a dict of arrays); .source("llvm" | "c").

        With derivatives=1 or 2 the kernel of a small robot also returns the first and second derivatives with respect
        to all inputs. device="opencl" runs one quantity on the first OpenCL device (extra "opencl"). With
        layout="lanes" arrays are (count, states) and results (..., states): a number of all states side by side, which
        nothing need transpose.
        """
        from ..evaluate.compiled import compile_quantity, in_lanes, on_device

        number = None if link is None else self._link(link)
        if one_of("layout", layout, ("states", "lanes")) == "lanes":
            if not isinstance(quantity, str) or derivatives or device != "cpu":
                raise InputError("layout='lanes' is for one quantity without derivatives, on the processor")
            return in_lanes(self.model, quantity, method, dtype, number)
        if one_of("device", device, ("cpu", "opencl")) == "cpu":
            return compile_quantity(self.model, quantity, method, dtype, number, derivatives)
        if not isinstance(quantity, str) or derivatives:
            raise InputError("device='opencl' runs one quantity without derivatives; give its name")
        return on_device(self.model, quantity, method, dtype, number)

    def export(
        self,
        quantity: str,
        folder: str | os.PathLike[str],
        language: str = "c",
        method: str | None = None,
        dtype: str = "float64",
        link: str | None = None,
        **options: object,
    ) -> Any:
        """Write a quantity as source text: "c" (C99 with header and self-test), "opencl", "cuda" or "javascript";
        returns the paths.

        Quantity "step" is one step of a simulation with its controller, as C or JavaScript: (q, qd, set points and
        gains, dt) -> q_next, qd_next. ``method`` is then the integrator ("rk4" by default, "euler", "symplectic",
        "dopri5", ...) and ``options`` are those of ``simulate`` that
        say what moves: torque, external, parameters, friction, friction_speed, limits, saturate, dynamics. Inputs are
        held over the step.
        """
        if isinstance(quantity, str) and quantity == "step":
            from ..simulate.step_program import export_step

            return export_step(self, folder, language, method, dtype, **options)
        if options:
            raise InputError(f"{next(iter(options))}= is for quantity 'step'; {quantity} has no such option")
        from ..evaluate.compiled import export

        algorithm = choose(quantity, method, self.model)
        return export(self.model, algorithm, self._options(algorithm, link), folder, language, dtype)

    def export_c(
        self,
        quantity: str,
        folder: str | os.PathLike[str],
        method: str | None = None,
        dtype: str = "float64",
        link: str | None = None,
        **options: object,
    ) -> Any:
        """Write self-contained C99 with a header and a self-test; returns the paths. "step" is a whole step of a
        simulation: see ``export``.
        """
        return self.export(quantity, folder, "c", method, dtype, link, **options)

    def casadi(self, quantity: str, method: str | None = None, link: str | None = None) -> Any:
        """A casadi.Function (needs the extra "casadi")."""
        from ..evaluate.casadi_functions import casadi_function

        algorithm = choose(quantity, method, self.model)
        return casadi_function(algorithm, self.model, self._options(algorithm, link))
