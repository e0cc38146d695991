"""Count multiplications and additions of all methods by stage, for one robot and growing chains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

from ..algorithms.registry import Algorithm, find
from ..describe.builtin import chain
from ..errors import OrdernError
from ..evaluate.counts import Counts, counts
from ..model import Model
from ..report.tables import Table
from ..robot import Robot

__all__ = ["CONVENTIONS", "QUANTITIES", "chain_counts", "growth", "side_by_side", "stages"]

QUANTITIES = (
    "inverse_dynamics",
    "forward_dynamics",
    "mass_matrix",
    "mass_matrix_inverse",
    "mass_matrix_udu",
    "coriolis_matrix",
)
CONVENTIONS = (
    "mul and add (subtractions too) as the method's text stands, zeros and ones of this robot's geometry folded; "
    "sines, cosines and whatever "
    'follows from the robot\'s constants alone are free. "regrouped" also moves inertia across joints that cannot feel '
    "it, as compiled code does."
)
LENGTHS = (2, 4, 6, 8, 12, 16, 20)


def _counted(algorithm: Algorithm, model: Model, regrouped: bool) -> Counts | str:
    """The counts, or the reason for their absence."""
    reason = algorithm.refusal(model)
    if reason is not None:
        return reason
    try:
        return counts(algorithm, model, (), regrouped)
    except (OrdernError, ZeroDivisionError) as error:
        return str(error)


def side_by_side(
    robot: Robot, quantities: Sequence[str] = QUANTITIES, progress: Callable[[str], Any] | None = None
) -> Table:
    """All methods on this robot, and their costs on a general revolute chain of as many joints."""
    rows: list[tuple[Any, ...]] = []
    general = robot.n if robot.n <= 60 else 0
    for quantity in quantities:
        for algorithm in find(quantity):
            if algorithm.options:
                continue
            own = _counted(algorithm, robot.model, False)
            if isinstance(own, str):
                rows.append((quantity, algorithm.method, *(None,) * 8, f"refuses: {own}"))
                continue
            packed = _counted(algorithm, robot.model, True)
            other = chain_counts(quantity, algorithm.method, general) if general else None
            cells = (packed.mul, packed.add) if isinstance(packed, Counts) else (None, None)
            both = (other.mul + other.div, other.add) if other is not None else (None, None)
            rows.append(
                (quantity, algorithm.method, own.mul, own.add, own.div, own.sincos, *cells, *both, algorithm.title)
            )
            if progress:
                progress(algorithm.name)
    columns = (
        "quantity",
        "method",
        "mul",
        "add",
        "div",
        "sincos",
        "mul regrouped",
        "add regrouped",
        "mul general",
        "add general",
        "after",
    )
    notes = (
        CONVENTIONS,
        f"general: a revolute chain of {general} joints with no zeros in its geometry, divisions among the mul."
        if general
        else "",
    )
    return Table(f"Operations for {robot.name}", columns, tuple(rows), tuple(n for n in notes if n))


def stages(robot: Robot, quantities: Sequence[str] = QUANTITIES) -> Table:
    """Each method's operations by stage."""
    rows = []
    for quantity in quantities:
        for algorithm in find(quantity):
            found = _counted(algorithm, robot.model, False) if not algorithm.options else ""
            if isinstance(found, Counts):
                rows += [
                    (quantity, algorithm.method, stage or "-", c.mul, c.add, c.div, c.sincos)
                    for stage, c in found.by_stage.items()
                ]
    return Table(
        f"By stage, for {robot.name}", ("quantity", "method", "stage", "mul", "add", "div", "sincos"), tuple(rows)
    )


@lru_cache(maxsize=4096)
def chain_counts(quantity: str, method: str, n: int, regrouped: bool = False) -> Counts | None:
    """Counts on the general revolute chain of n links; None where the method does not serve it."""
    found = _counted(find(quantity, method)[0], chain(n), regrouped)
    return found if isinstance(found, Counts) else None


def growth(
    quantities: Sequence[str] = QUANTITIES,
    lengths: Sequence[int] = LENGTHS,
    progress: Callable[[str], Any] | None = None,
) -> Table:
    """Mul + div and add on general revolute chains of growing n."""
    rows = []
    for quantity in quantities:
        for algorithm in find(quantity):
            if algorithm.options:
                continue
            cells = [chain_counts(quantity, algorithm.method, n) for n in lengths]
            if any(c is not None for c in cells):
                rows.append(
                    (
                        quantity,
                        algorithm.method,
                        *(f"{c.mul + c.div} + {c.add}" if c is not None else None for c in cells),
                    )
                )
            if progress:
                progress(algorithm.name)
    title = "General revolute chains of n links: multiplications and divisions + additions"
    return Table(title, ("quantity", "method", *(f"n={n}" for n in lengths)), tuple(rows))
