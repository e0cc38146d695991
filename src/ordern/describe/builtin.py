"""Built-in robots: the papers' arms, chains of any length, and two real arms, each a function that returns a Model."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from ..errors import InputError, near, one_of, shown, whole
from ..model import Model, Placement
from .dh.dh_table import from_dh

__all__ = ["chain", "lookup", "names", "panda", "pendulum", "planar", "planar3", "puma560", "stanford", "ur5"]

DOWN = (0.0, -9.81, 0.0)  # gravity of arms that move in the X-Y plane
RIGHT = math.pi / 2
LONGEST = 1_000_000  # links of a built-in


def _each(what: str, values: float | Sequence[float], n: int) -> list[float]:
    """One positive number per link."""
    try:
        many = np.asarray(values, float)
    except (TypeError, ValueError):
        raise InputError(f"{what} is {shown(values)}; give one positive number or {n} of them") from None
    if many.shape not in ((), (n,)) or not np.all(np.isfinite(many)) or np.any(many <= 0):
        raise InputError(f"{what} is {shown(values)}; give one positive number or {n} of them")
    return [float(v) for v in np.broadcast_to(many, (n,))]


def _count(n: int) -> int:
    return whole("n, the number of links,", n, 1, LONGEST)


def planar(
    n: int, lengths: float | Sequence[float] = 1.0, masses: float | Sequence[float] = 1.0, mass: str = "rods"
) -> Model:
    """A planar arm in the X-Y plane under gravity (0, -9.81, 0), stretched along X at q = 0.

    Args:
        n: number of links.
        lengths: of the links (m), one or n.
        masses: of the links (kg), one or n.
        mass: "rods" (uniform, slender) or "tips" (point masses at the links' ends, as Lee and Chirikjian have them).
    """
    one_of("mass", mass, ("rods", "tips"))
    n = _count(n)
    table = []
    for l, m in zip(_each("lengths", lengths, n), _each("masses", masses, n), strict=True):
        rod = m * l * l / 12
        own = {"com": (-l / 2, 0, 0), "inertia": (0, rod, rod)} if mass == "rods" else {}
        table.append({"a": l, "mass": m, **own})
    return from_dh(table, gravity=DOWN, name=f"planar{n}")


def planar3() -> Model:
    """The planar arm of Saha 1999: assumed uniform rods of 0.3, 0.25, 0.22 m and 0.5, 0.4, 0.3 kg."""
    return replace(planar(3, (0.3, 0.25, 0.22), (0.5, 0.4, 0.3)), name="planar3")


def pendulum() -> Model:
    """A point mass of 1 kg on a massless rod of 1 m in the X-Y plane, gravity along -Y; hangs down at q = 0."""
    hanging = Placement((0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0))
    return from_dh([{"a": 1.0, "mass": 1.0}], gravity=DOWN, name="pendulum", base_placement=hanging)


def chain(n: int, seed: int = 0) -> Model:
    """A general revolute chain: random DH parameters without zeros, solid links of 1 to 3 kg and some 0.3 m.

    The first links of a longer chain with the same seed are those of the shorter one.
    """
    n = _count(n)
    u = np.random.default_rng(whole("seed", seed)).random((n, 20))
    sign = np.where(u[:, :2] < 0.5, -1.0, 1.0)
    a, d = 0.1 + 0.3 * u[:, 2], sign[:, 0] * (0.05 + 0.2 * u[:, 3])
    alpha = sign[:, 1] * (0.2 + 1.2 * u[:, 4])
    theta = np.pi * (2 * u[:, 5] - 1)
    m = 1 + 2 * u[:, 6]
    com = np.stack([-a / 2, np.zeros(n), np.zeros(n)], axis=1) + 0.1 * (u[:, 7:10] - 0.5)
    # I = tr(P) 1 - P is a possible inertia for any second moment P = m B B^T
    B = 0.08 * (2 * u[:, 10:19].reshape(n, 3, 3) - 1) + 0.05 * np.eye(3)
    P = m[:, None, None] * (B[:, :, None] * B[:, None]).sum(-1)  # not by BLAS, which rounds as the processor likes
    I = np.trace(P, axis1=1, axis2=2)[:, None, None] * np.eye(3) - P
    six = np.stack([I[:, 0, 0], I[:, 1, 1], I[:, 2, 2], I[:, 0, 1], I[:, 0, 2], I[:, 1, 2]], axis=1)
    columns = (x.tolist() for x in (a, alpha, d, theta, m, com, six))
    keys = ("a", "alpha", "d", "theta", "mass", "com", "inertia")
    return from_dh([dict(zip(keys, row, strict=True)) for row in zip(*columns, strict=True)], name=f"chain{n}")


def stanford(reading: str = "text") -> Model:
    """The Stanford arm of Saha 1999, table 3, gravity along -Z_1.

    Args:
        reading: "text" takes r_4 as printed, which puts the mass centre of link 4 beyond the wrist; "flipped" takes the
            other sign.
    """
    one_of("reading", reading, ("text", "flipped"))
    r4 = -0.1 if reading == "text" else 0.1
    table = [
        {"b": 0.2, "alpha": -RIGHT, "mass": 9.0, "r": (0, -0.1, 0), "inertia": (0.01, 0.02, 0.01)},
        {"b": 0.1, "alpha": -RIGHT, "mass": 6.0, "inertia": (0.05, 0.06, 0.01)},
        {"joint": "prismatic", "mass": 4.0, "inertia": (0.4, 0.4, 0.01)},
        {"b": 0.6, "alpha": RIGHT, "mass": 1.0, "r": (0, r4, 0), "inertia": (0.001, 0.001, 0.0005)},
        {"alpha": -RIGHT, "mass": 0.6, "inertia": (0.0005, 0.0005, 0.0002)},
        {"mass": 0.5, "inertia": (0.003, 0.001, 0.002)},
    ]
    return from_dh(table, "saha", name="stanford")


# Standard DH and the consensus set of Corke and Armstrong-Helouvry: d, a, alpha (right angles), m, mass centre,
# inertia, limits (degrees)
PUMA = (
    (0.67183, 0.0, 1, 0.0, (0.0, 0.0, 0.0), (0.0, 0.35, 0.0), (-160, 160)),
    (0.0, 0.4318, 0, 17.4, (-0.3638, 0.006, 0.2275), (0.13, 0.524, 0.539), (-45, 225)),
    (0.15005, 0.0203, -1, 4.8, (-0.0203, -0.0141, 0.070), (0.066, 0.086, 0.0125), (-225, 45)),
    (0.4318, 0.0, 1, 0.82, (0.0, 0.019, 0.0), (0.0018, 0.0013, 0.0018), (-110, 170)),
    (0.0, 0.0, -1, 0.34, (0.0, 0.0, 0.0), (0.0003, 0.0004, 0.0003), (-100, 100)),
    (0.0, 0.0, 0, 0.09, (0.0, 0.0, 0.032), (0.00015, 0.00015, 0.00004), (-266, 266)),
)
# rotor inertia (kg m^2), gear ratio, viscous friction (N m s/rad) and Coulomb friction either way (N m), all at the
# motor
PUMA_MOTORS = (
    (200e-6, -62.6111, 1.48e-3, 0.395, 0.435),
    (200e-6, 107.815, 0.817e-3, 0.126, 0.071),
    (200e-6, -53.7063, 1.38e-3, 0.132, 0.105),
    (33e-6, 76.0364, 71.2e-6, 0.0112, 0.0169),
    (33e-6, 71.923, 82.6e-6, 0.00926, 0.0145),
    (33e-6, 76.686, 36.7e-6, 0.00396, 0.0105),
)


def puma560(motors: bool = False) -> Model:
    """The PUMA 560 (base at the floor, shoulder at 0.67183 m), with its joint limits.

    Args:
        motors: adds what the motors bring to the joints: armature Jm G^2, damping B G^2, Coulomb friction (the mean of
            both ways).
    """
    table = []
    for (d, a, right, m, com, inertia, limits), (rotor, gear, viscous, up, down) in zip(PUMA, PUMA_MOTORS, strict=True):
        row = {"d": d, "a": a, "alpha": right * RIGHT, "mass": m, "com": com, "inertia": inertia}
        row |= {"lower": math.radians(limits[0]), "upper": math.radians(limits[1])}
        if motors:
            row |= {"armature": rotor * gear**2, "damping": viscous * gear**2, "friction": (up + down) / 2 * abs(gear)}
        table.append(row)
    return from_dh(table, "distal", name="puma560")


def _data(name: str) -> Model:
    from importlib.resources import files  # here, because it costs a third of the import of this file

    from .toml.toml_read import loads_toml

    return loads_toml(files(__package__).joinpath("data", f"{name}.toml").read_text("utf-8"), source=f"{name}.toml")


def panda() -> Model:
    """The Franka Emika Panda: seven joints, the hand and its two fingers, of which the second mimics the first."""
    return _data("panda")


def ur5() -> Model:
    """The Universal Robots UR5: six joints."""
    return _data("ur5")


ROBOTS: dict[str, Callable[[], Model]] = {
    "chain": lambda: chain(10),
    "panda": panda,
    "pendulum": pendulum,
    "planar": lambda: planar(2),
    "planar3": planar3,
    "puma560": puma560,
    "puma560_motors": lambda: puma560(motors=True),
    "stanford": stanford,
    "stanford_flipped": lambda: stanford("flipped"),
    "ur5": ur5,
}


def _mechanism(name: str) -> Callable[..., Model]:
    """One of mechanisms.py, which few need."""

    def made(*n: int) -> Model:
        from . import mechanisms

        model: Model = getattr(mechanisms, name)(*n)
        return model

    return made


ROBOTS |= {
    name: _mechanism(name)
    for name in ("andrews", "bricard", "delta", "fivebar", "fourbar", "fourbars", "slider_crank", "stewart", "threerrr")
}
NUMBERED: dict[str, Callable[[int], Model]] = {"planar": planar, "chain": chain, "fourbars": _mechanism("fourbars")}


def names() -> list[str]:
    """The built-in robots; "planar", "chain" and "fourbars" also take a number: "planar10", "chain(100)"."""
    return sorted(ROBOTS)


def lookup(name: str) -> Model:
    """A built-in robot by its name. "planar3" is the arm of planar3(); "planar(3)" has three links of 1 m and 1 kg."""
    if name in ROBOTS:
        return ROBOTS[name]()
    match = re.fullmatch(r"(planar|chain|fourbars)(?:(\d{1,99})|\((\d{1,99})\))", name)
    if not match:
        raise InputError(
            f"there is no built-in robot {name[:80]!r}; there are {', '.join(names())}{near(name, ROBOTS)}"
        )
    return NUMBERED[match[1]](int(match[2] or match[3]))
