"""Built-in robots (public as ``ordern.robots``): real arms and the papers' arms, without any download."""

from __future__ import annotations

from collections.abc import Sequence

from ..describe import builtin as _models
from . import Robot

__all__ = [
    "andrews", "bricard", "chain", "delta", "fivebar", "fourbar", "fourbars", "names", "panda", "pendulum", "planar",
    "planar3", "puma560",
    "slider_crank", "stanford", "stewart", "threerrr", "ur5",
]  # fmt: skip


def names() -> list[str]:
    """All names that ``ordern.load`` knows; planarN, chainN and fourbarsN take any N."""
    return _models.names()


def planar(
    n: int, lengths: float | Sequence[float] = 1.0, masses: float | Sequence[float] = 1.0, mass: str = "rods"
) -> Robot:
    """N links in the X-Y plane, gravity (0, -9.81, 0): uniform rods, or point masses at "tips" (Lee, Chirikjian)."""
    return Robot(_models.planar(n, lengths, masses, mass))


def planar3() -> Robot:
    """The three-link arm of Saha's papers (lengths and masses as in that group's later software)."""
    return Robot(_models.planar3())


def pendulum() -> Robot:
    """One rod on a hinge."""
    return Robot(_models.pendulum())


def chain(n: int, seed: int = 0) -> Robot:
    """A general revolute chain: random DH parameters without zeros."""
    return Robot(_models.chain(n, seed))


def stanford(reading: str = "text") -> Robot:
    """The Stanford arm of Saha 1999, table 3; reading="flipped" has the other sign of r_4."""
    return Robot(_models.stanford(reading))


def puma560(motors: bool = False) -> Robot:
    """The PUMA 560 (Corke and Armstrong-Helouvry); motors=True adds reflected rotor inertia and friction."""
    return Robot(_models.puma560(motors))


def panda() -> Robot:
    """Franka Emika's Panda with its hand."""
    return Robot(_models.panda())


def ur5() -> Robot:
    """Universal Robots' UR5."""
    return Robot(_models.ur5())


def fourbar() -> Robot:
    """A crank-rocker linkage with the data of ReDySim's example."""
    return Robot(_models.lookup("fourbar"))


def slider_crank() -> Robot:
    """A crank, a rod and a slider."""
    return Robot(_models.lookup("slider_crank"))


def fivebar() -> Robot:
    """A five-bar with two drives."""
    return Robot(_models.lookup("fivebar"))


def threerrr() -> Robot:
    """A planar 3-RRR platform."""
    return Robot(_models.lookup("threerrr"))


def delta() -> Robot:
    """A delta robot, 3-RUU."""
    return Robot(_models.lookup("delta"))


def stewart() -> Robot:
    """A Stewart platform, 6-UPS."""
    return Robot(_models.lookup("stewart"))


def andrews() -> Robot:
    """Andrews' squeezing mechanism."""
    return Robot(_models.lookup("andrews"))


def bricard() -> Robot:
    """Bricard's linkage, benchmark A04."""
    return Robot(_models.lookup("bricard"))


def fourbars(n: int = 2) -> Robot:
    """A row of n four-bars, side by side, benchmark A02."""
    return Robot(_models.NUMBERED["fourbars"](n))


def __dir__() -> list[str]:
    return sorted(__all__)
