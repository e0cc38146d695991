"""The methods of Robot that write it to files and hand out its quantities as code: kernels, source text, functions."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..algorithms.registry import choose
from ..errors import InputError, OrdernWarning, one_of, tell

if TYPE_CHECKING:
    from ..evaluate.robot_like import RobotLike as Lending  # Robot is one; this class only lends it methods
else:
    Lending = object

__all__ = ["Exports"]


class Exports(Lending):
    """Files of every format, compiled and written quantities."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Save everything in ordern's own format, TOML; ``to_urdf``, ``to_mjcf`` and ``to_sdf`` write the others."""
        from ..describe.toml.toml_write import to_toml
        from ..files import path_of, write

        place = path_of(path)
        if place.suffix.lower() != ".toml" and not (place.exists() and not place.is_file()):  # to a device or a pipe
            writers = {".urdf": "to_urdf", ".xml": "to_mjcf", ".mjcf": "to_mjcf", ".sdf": "to_sdf"}
            other = writers.get(place.suffix.lower())
            raise InputError(f"{os.fspath(path)}: save writes TOML; name it .toml" + f", or use {other}" * bool(other))
        write(path, to_toml(self._from_there(path)))
        self._tell("toml", path)

    def to_urdf(self, path: str | os.PathLike[str]) -> None:
        """Write a URDF file; warns about what URDF cannot hold."""
        from ..describe.urdf.urdf_write import to_urdf
        from ..files import write

        write(path, to_urdf(self._from_there(path)))
        self._tell("urdf", path)

    def to_mjcf(self, path: str | os.PathLike[str]) -> None:
        """Write an MJCF file for MuJoCo; warns about what MJCF cannot hold."""
        from ..describe.mjcf.mjcf_write import to_mjcf
        from ..files import path_of, write

        write(path, to_mjcf(self.model, path_of(path).absolute().parent))
        self._tell("mjcf", path)

    def to_sdf(self, path: str | os.PathLike[str]) -> None:
        """Write an SDF file for Gazebo; warns about what SDF cannot hold."""
        from ..describe.sdf.sdf_write import to_sdf
        from ..files import write

        write(path, to_sdf(self._from_there(path)))
        self._tell("sdf", path)

    def _from_there(self, path: str | os.PathLike[str]) -> Any:
        """The model with its meshes named from the folder of the file."""
        from ..describe.meshes import named_from
        from ..files import path_of

        return named_from(self.model, path_of(path).absolute().parent)

    def _tell(self, form: str, path: str | os.PathLike[str]) -> None:
        """Warn about features missing in the file, and about meshes left behind."""
        from ..describe.compare import aside, gone
        from ..describe.meshes import left_behind
        from ..files import path_of

        for text in left_behind(self.model, path_of(path).absolute(), absolute=form == "mjcf"):
            tell(f"{os.fspath(path)}: {text}", UserWarning)
        if form == "toml":
            return
        for kind, texts in ((OrdernWarning, gone(self.model, form)), (UserWarning, aside(self.model, form))):
            for text in texts:
                tell(f"{os.fspath(path)}: {form.upper()} cannot hold {text}; save() keeps all", kind)

    def to_dh(self, convention: str = "saha") -> list[dict[str, Any]]:
        """The DH table with inertias; a ModelError if the chain has none, warnings about what a table cannot hold."""
        from ..describe.compare import gone, lost
        from ..describe.dh.dh_write import to_dh
        from ..describe.urdf.urdf_write import GRAVITY

        table, missing = to_dh(self.model, convention), gone(self.model, "dh")
        rest = [text for text in lost(self.model, "dh") if text not in missing]
        if self.model.gravity != GRAVITY:
            rest.append(f"gravity: give from_dh(..., gravity={self.model.gravity})")
        for kind, texts in ((OrdernWarning, missing), (UserWarning, rest)):
            for text in texts:
                tell(f"to_dh: a DH table cannot hold {text}; save() keeps all", kind)
        return table

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
        """Write self-contained C99, a header and a self-test; returns the paths. "step": see ``export``."""
        return self.export(quantity, folder, "c", method, dtype, link, **options)

    def casadi(self, quantity: str, method: str | None = None, link: str | None = None) -> Any:
        """A casadi.Function (needs the extra "casadi")."""
        from ..evaluate.casadi_functions import casadi_function

        algorithm = choose(quantity, method, self.model)
        return casadi_function(algorithm, self.model, self._options(algorithm, link))

    # --- the same algorithm, seen otherwise ---------------------------------------------------------------------------
    def evaluate(
        self,
        quantity: str,
        *arguments: object,
        scalars: str = "mpmath",
        method: str | None = None,
        precision: int = 50,
        link: str | None = None,
    ) -> Any:
        """In other numbers: scalars="mpmath" (precision digits), "fraction" (exact) or "interval" (bounds)."""
        from ..evaluate.exact import evaluate

        algorithm = choose(quantity, method, self.model)
        return evaluate(algorithm, self.model, arguments, scalars, precision, self._options(algorithm, link))

    def formulas(self, quantity: str, method: str | None = None, symbols: bool = False, link: str | None = None) -> Any:
        """Formulas: .steps, .matrix (SymPy), .latex(), .count; symbols=True: masses and lengths as letters."""
        from ..evaluate.formulas import formulas

        algorithm = choose(quantity, method, self.model)
        return formulas(algorithm, self.model, self._options(algorithm, link), symbols)

    def operation_counts(self, quantity: str, method: str | None = None, link: str | None = None) -> Any:
        """How many operations it takes for this robot: Counts(mul, add, div, sqrt, sincos, log, tanh), .by_stage.

        With method=None, as compiled (inertias regrouped); a named method is counted as its text stands.
        """
        from ..evaluate.counts import counts

        algorithm = choose(quantity, method, self.model)
        return counts(algorithm, self.model, self._options(algorithm, link), regrouped=method is None)
