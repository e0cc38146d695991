"""Closed forms of the three-link planar arm, as Saha (IJRR 1999, section 6) has them, misprints corrected."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from ..errors import InputError, need
from ..robot import Robot
from .typeset import latex_names, mathml, operator, row, symbol

__all__ = ["ClosedForms", "arm_data", "closed_forms", "forms"]


@dataclass(frozen=True)
class ClosedForms:
    """Named steps and a result, in SymPy; ``equations`` says where in the paper each step stands."""

    name: str
    steps: tuple[tuple[Any, Any, str], ...]
    result: Any
    place: str
    data: dict[str, float]

    def __str__(self) -> str:
        lines = [f"{s} = {e}" + (f"    ({place})" if place else "") for s, e, place in self.steps]
        body = "\n".join(
            "  [ " + ",  ".join(str(x) for x in self.result.row(i)) + " ]" for i in range(self.result.rows)
        )
        numbers = ", ".join(f"{k} = {v:g}" for k, v in self.data.items())
        return "\n".join(
            [*lines, f"{self.name} =    ({self.place})", body, f"with {numbers}; I_i = m_i l_i^2/12" if numbers else ""]
        ).rstrip()

    def latex(self) -> str:
        """An aligned block."""
        sp: Any = need("sympy", "formulas")
        symbols = {s for s, _, _ in self.steps}.union(
            *(e.free_symbols for _, e, _ in self.steps), self.result.free_symbols
        )
        names = latex_names(symbols)
        lines = [rf"{names[s]} &= {sp.latex(e, symbol_names=names)} \\" for s, e, _ in self.steps]
        head = self.name.replace("^-1", "^{-1}")
        return (
            "\\begin{aligned}\n"
            + "\n".join([*lines, rf"{head} &= {sp.latex(self.result, symbol_names=names)}"])
            + "\n\\end{aligned}"
        )

    def mathml(self) -> list[tuple[str, str]]:
        """(formula, equation number) for a page."""
        made = [(row(mathml(s), operator("="), mathml(e)), place) for s, e, place in self.steps]
        return [*made, (row(symbol(self.name), operator("="), mathml(self.result)), self.place)]

    def values(self, angles: dict[str, float]) -> Any:
        """The result in numbers, for this arm."""
        sp: Any = need("sympy", "formulas")
        return np.array(self.result.subs({sp.Symbol(k): v for k, v in self.quantities(angles).items()}).tolist(), float)

    def quantities(self, angles: dict[str, float]) -> dict[str, float]:
        """All that the result is made of, in numbers, by name."""
        sp: Any = need("sympy", "formulas")
        known: dict[Any, Any] = {sp.Symbol(k): v for k, v in (self.data | angles).items()}
        for i in "123":
            known[sp.Symbol(f"I_{i}")] = self.data[f"m_{i}"] * self.data[f"l_{i}"] ** 2 / 12
        for s, e, _ in self.steps:
            known[s] = float(e.subs(known))
        return {s.name: float(v) for s, v in known.items()}


@cache
def forms() -> SimpleNamespace:
    """All expressions: i (43), vector products, mh and alpha (45), alpha' (47), matrices (42), (46), (48)."""
    sp: Any = need("sympy", "formulas")
    l1, l2, l3, m1, m2, m3 = sp.symbols("l_1 l_2 l_3 m_1 m_2 m_3")
    I1, I2, I3 = sp.symbols("I_1 I_2 I_3")
    C2, C3, C23 = (sp.cos(sp.Symbol(f"theta_{k}")) for k in ("2", "3", "23"))
    R = sp.Rational
    gim = {
        "i_11": m1 * l1**2 / 3 + m2 * (l1**2 + l2**2 / 3 + l1 * l2 * C2)
        + m3 * (l1**2 + l2**2 + l3**2 / 3 + 2 * l1 * l2 * C2 + l1 * l3 * C23 + l2 * l3 * C3),
        "i_21": m2 * (l2**2 / 3 + l1 * l2 * C2 / 2)
        + m3 * (l2**2 + l3**2 / 3 + l1 * l2 * C2 + l2 * l3 * C3 + l1 * l3 * C23 / 2),
        "i_22": m2 * l2**2 / 3 + m3 * (l2**2 + l3**2 / 3 + l2 * l3 * C3),
        "i_31": m3 * (l3**2 / 3 + l1 * l3 * C23 / 2 + l2 * l3 * C3 / 2),
        "i_32": m3 * (l3**2 / 3 + l2 * l3 * C3 / 2),
        "i_33": m3 * l3**2 / 3,
    }  # fmt: skip
    products = {
        "d_1.d_1": l1**2 / 4, "d_2.d_2": l2**2 / 4, "d_3.d_3": l3**2 / 4,
        "d_2.rho_12": l1 * l2 * C2 / 2 + l2**2 / 4, "d_3.rho_13": l3 / 2 * (l1 * C23 + l2 * C3 + l3 / 2),
        "d_3.rho_23": l3 / 2 * (l2 * C3 + l3 / 2),
        "rho_12.rho_12": l1**2 + l1 * l2 * C2 + l2**2 / 4, "rho_23.rho_23": l2**2 + l2 * l3 * C3 + l3**2 / 4,
        "rho_23.rho_13": l1 * l2 * C2 + l2**2 + l2 * l3 * C3 + l1 * l3 * C23 / 2 + l3**2 / 4,
        "rho_13.rho_13": l1**2 + l2**2 + l3**2 * R(1, 4) + 2 * l1 * l2 * C2 + l1 * l3 * C23 + l2 * l3 * C3,
    }  # fmt: skip
    v = {k: sp.Symbol(k) for k in products}
    x13, x23, b, mh1, mh2, mh3 = sp.symbols("x_13 x_23 b mh_1 mh_2 mh_3")
    a12, a13, a23, b12, b13, b23 = sp.symbols("alpha_12 alpha_13 alpha_23 alpha'_12 alpha'_13 alpha'_23")
    body1 = I1 + m1 * v["d_1.d_1"]
    factors = [
        (mh3, I3 + m3 * v["d_3.d_3"], "45"),
        (x13, I3 + m3 * v["d_3.rho_13"], "45"),
        (x23, I3 + m3 * v["d_3.rho_23"], "45"),
        (mh2, I2 + m2 * v["d_2.d_2"] + I3 + m3 * v["rho_23.rho_23"] - x23**2 / mh3, "45"),
        (b, I2 + m2 * v["d_2.rho_12"] + I3 + m3 * v["rho_23.rho_13"] - x13 * x23 / mh3, "45"),
        (mh1, body1 + I2 + m2 * v["rho_12.rho_12"] + I3 + m3 * v["rho_13.rho_13"] - x13**2 / mh3 - b**2 / mh2, "45"),
        (a12, b / mh2, "45"),
        (a13, x13 / mh3, "45"),
        (a23, x23 / mh3, "45"),
    ]
    primes = [(b12, a12, "47"), (b23, a23, "47"), (b13, (x13 - b * x23 / mh2) / mh3, "47")]
    U = sp.Matrix([[1, a12, a13], [0, 1, a23], [0, 0, 1]])
    inverse = sp.Matrix(
        [
            [1 / mh1, -b12 / mh1, -b13 / mh1],
            [-b12 / mh1, b12**2 / mh1 + 1 / mh2, b12 * b13 / mh1 - b23 / mh2],
            [-b13 / mh1, b12 * b13 / mh1 - b23 / mh2, b13**2 / mh1 + b23**2 / mh2 + 1 / mh3],
        ]
    )
    i = {k: sp.Symbol(k) for k in gim}
    matrix = sp.Matrix(
        [[i["i_11"], i["i_21"], i["i_31"]], [i["i_21"], i["i_22"], i["i_32"]], [i["i_31"], i["i_32"], i["i_33"]]]
    )
    made = {"gim": gim, "products": products, "factors": factors, "primes": primes, "U": U, "matrix": matrix}
    return SimpleNamespace(sp=sp, D=sp.diag(mh1, mh2, mh3), inverse=inverse, **made)


def arm_data(robot: Robot) -> dict[str, float]:
    """Lengths and masses of a three-link planar arm of uniform rods; an InputError says what is otherwise."""
    model = robot.model
    known = f"the paper's closed forms are for a three-link planar arm of uniform rods such as planar3; {robot.name!r}"
    if (
        robot.n != 3
        or len(model.bodies) != 4
        or any(b.parent != k or b.joint.name != "revolute" for k, b in enumerate(model.bodies[1:]))
    ):
        raise InputError(f"{known} has {robot.n} degrees of freedom in another arrangement")
    data: dict[str, float] = {}
    for k, body in enumerate(model.bodies[1:], 1):
        length, mass = 2 * body.inertia.com[0], body.inertia.m
        straight = (
            abs(body.placement.rotation[0] - 1)
            + abs(body.placement.rotation[8] - 1)
            + abs(body.placement.origin[1])
            + abs(body.placement.origin[2])
        )
        at = 0.0 if k == 1 else data[f"l_{k - 1}"]
        rod = mass * length**2 / 12
        if (
            length <= 0
            or straight > 1e-12
            or abs(body.placement.origin[0] - at) > 1e-12
            or abs(body.inertia.about_com()[2] - rod) > 1e-9 * rod
        ):
            raise InputError(f"{known}: joint {body.name!r} or its link is not of that kind")
        data |= {f"l_{k}": length, f"m_{k}": mass}
    return dict(sorted(data.items()))


def closed_forms(robot: Robot, quantity: str) -> ClosedForms:
    """The paper's mass_matrix (42, 43), mass_matrix_udu (45: U; D in the steps) or mass_matrix_inverse (48)."""
    data, f = arm_data(robot), forms()
    S = f.sp.Symbol
    products = [(S(k), e, "") for k, e in f.products.items()]
    if quantity == "mass_matrix":
        letters = dict(zip(f.gim, "abcdef", strict=True))
        return ClosedForms("I", tuple((S(k), e, f"43{letters[k]}") for k, e in f.gim.items()), f.matrix, "42", data)
    if quantity == "mass_matrix_udu":
        return ClosedForms("U", (*products, *f.factors), f.U, "45", data)
    if quantity == "mass_matrix_inverse":
        return ClosedForms("I^-1", (*products, *f.factors, *f.primes), f.inverse, "48", data)
    raise InputError(
        f"the paper has closed forms of mass_matrix, mass_matrix_udu and mass_matrix_inverse, not of {quantity!r}"
    )
