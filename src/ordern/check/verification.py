"""The result of a verification: checks, methods that a robot refuses, and their tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..report.tables import Table

__all__ = ["Check", "EPS", "Refusal", "Verification"]

EPS = float(np.finfo(float).eps)


@dataclass(frozen=True)
class Check:
    """One check: its error in units of ``unit`` (the worst over all states), and whether that is within ``limit``."""

    group: str
    what: str
    error: float
    limit: float
    unit: str
    note: str = ""

    @property
    def ok(self) -> bool:
        """Whether the error is within the limit (NaN is not)."""
        return bool(self.error <= self.limit)


@dataclass(frozen=True)
class Refusal:
    """A method that does not serve this robot, and why."""

    method: str
    reason: str


@dataclass(frozen=True)
class Verification:
    """What came out; true if every check holds."""

    robot: str
    n: int
    states: int
    condition: float
    checks: tuple[Check, ...]
    refused: tuple[Refusal, ...]

    def __bool__(self) -> bool:
        return self.ok

    @property
    def ok(self) -> bool:
        """Whether all checks hold."""
        return all(c.ok for c in self.checks)

    def table(self) -> Table:
        """All checks as a table."""
        rows = tuple(
            (c.what, c.error, c.unit, ("ok" if c.ok else "off") + (f": {c.note}" if c.note else ""))
            for c in self.checks
        )
        title = (
            f"{self.robot}: {self.n} degrees of freedom, {self.states} states, condition of the mass matrix up to "
            f"{self.condition:.2g}"
        )
        limit = (
            f"Errors are the largest over all states, in the unit beside them; up to {self.checks[0].limit:g} units "
            "are rounding."
            if rows
            else ""
        )
        return Table(title, ("check", "error", "unit", "verdict"), rows, (limit,))

    def refusals(self) -> Table:
        """The methods that do not serve this robot."""
        return Table(
            "Methods that do not serve this robot",
            ("method", "reason"),
            tuple((r.method, r.reason) for r in self.refused),
        )

    def __str__(self) -> str:
        return self.table().text() + ("\n\n" + self.refusals().text() if self.refused else "")
