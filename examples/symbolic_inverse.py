"""For teaching: the inverse of a mass matrix on paper, after Saha (1999): formulas of a planar arm, eliminated by hand, checked against numbers.

python examples/symbolic_inverse.py [--links 3] [--latex]
"""

from __future__ import annotations

import argparse

import numpy as np
import sympy as sp

import ordern


def main(arguments: list[str] | None = None) -> None:
    """Print the mass matrix, its factors U and D, and its inverse in terms of them."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--links", type=int, default=3, choices=(2, 3, 4))
    options.add_argument("--latex", action="store_true", help="print LaTeX")
    given = options.parse_args(arguments)
    n = given.links
    arm = ordern.robots.planar(n)  # rods of 1 m and 1 kg

    def show(left: sp.Expr, right: sp.Expr) -> None:
        print(f"  {sp.latex(left)} = {sp.latex(right)}" if given.latex else f"  {left} = {right}")

    def named(letter: str, *at: int) -> sp.Symbol:
        return sp.Symbol(f"{letter}_{''.join(map(str, at))}")

    print("1. The mass matrix: letters for masses m_i, mass centres c_i, inertias I_i about them, and joints p_i")
    formulas = arm.formulas("mass_matrix", method="denoc", symbols=True)
    M = formulas.matrix.applyfunc(lambda e: sp.trigsimp(sp.expand(e)))
    known: dict[sp.Symbol, sp.Expr] = {}  # everything that has a name, in order
    for i in range(1, n + 1):
        for j in range(i, n + 1):
            known[named("i", i, j)] = M[i - 1, j - 1]
            show(named("i", i, j), M[i - 1, j - 1])

    print(
        "2. Elimination from the last column: M = U D U^T; mh_k is the inertia that joint k feels with the joints behind it free"
    )
    for k in range(n, 0, -1):
        for i in range(k, 0, -1):
            behind = sum(named("alpha", i, l) * named("alpha", k, l) * named("mh", l) for l in range(k + 1, n + 1))
            left = named("mh", k) if i == k else named("alpha", i, k)
            right = (named("i", i, k) - behind) / (1 if i == k else named("mh", k))
            right = right.subs({named("alpha", l, l): 1 for l in range(1, n + 1)})
            known[left] = right
            show(left, right)

    print("3. The inverse of U, column by column: U^-1 = 1 - (beta_ik)")
    for k in range(2, n + 1):
        for i in range(1, k):
            right = named("alpha", i, k) - sum(named("beta", i, l) * named("alpha", l, k) for l in range(i + 1, k))
            known[named("beta", i, k)] = right
            show(named("beta", i, k), right)

    print("4. M^-1 = U^-T D^-1 U^-1")
    V = sp.eye(n) - sp.Matrix(n, n, lambda i, k: named("beta", i + 1, k + 1) if i < k else 0)
    inverse = V.T * sp.diag(*(1 / named("mh", k) for k in range(1, n + 1))) * V
    for i in range(n):
        for j in range(i + 1):
            show(named("h", i + 1, j + 1), inverse[i, j])

    q = np.linspace(0.4, -0.9, n)
    values: dict[sp.Symbol, float] = {sp.Symbol(name): x for name, x in formulas.parameters.items()}
    values |= {sp.Symbol(f"q_{k + 1}"): float(x) for k, x in enumerate(q)}
    for symbol, expression in known.items():
        values[symbol] = float(expression.subs(values))
    made = np.array(inverse.subs(values), float)
    exact = arm.mass_matrix_inverse(q, method="denoc")
    pivots = np.array([values[named("mh", k)] for k in range(1, n + 1)])
    error = max(abs(made - exact).max() / abs(exact).max(), abs(pivots - arm.mass_matrix_udu(q).D).max())
    print(f"In numbers, at q = {q.round(2).tolist()}:")
    print(np.array2string(made, precision=6, suppress_small=True))
    print(f"the compiled method gives the same to {error:.0e}")
    if error > 1e-12:
        raise SystemExit("the formulas and the numbers disagree")


if __name__ == "__main__":
    main()
