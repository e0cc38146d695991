"""SymPy expressions as MathML in the papers' letters: mh as m with a hat, alpha' primed, cos as C (Saha)."""

from __future__ import annotations

import html
import re
from typing import Any

import numpy as np

__all__ = ["LATEX", "latex_names", "mathml", "matrix", "row", "text"]

GREEK = {"alpha": "α", "theta": "θ", "rho": "ρ", "tau": "τ", "psi": "ψ", "phi": "φ", "lambda": "λ"}
HATS = {"mh": "m", "Mh": "M", "psih": "ψ"}
LATEX = {
    "alpha": r"\alpha",
    "theta": r"\theta",
    "rho": r"\rho",
    "tau": r"\tau",
    "psi": r"\psi",
    "mh": r"\hat m",
    "Mh": r"\hat M",
}


def text(words: str) -> str:
    """Words inside a formula."""
    return f"<mtext>{html.escape(words)}</mtext>"


def row(*parts: str) -> str:
    """Several pieces side by side."""
    return f"<mrow>{''.join(parts)}</mrow>"


def operator(sign: str) -> str:
    """An operator."""
    return f"<mo>{html.escape(sign)}</mo>"


def symbol(name: str) -> str:
    """A symbol such as alpha'_12, mh_1, l_2, d_3.rho_13 (a product of vectors), I^-1."""
    if "." in name:
        left, right = name.split(".")
        return row(symbol(left), operator("·"), symbol(right))
    head, _, below = name.partition("_")
    head, _, above = head.partition("^")
    prime = head.endswith("'")
    head = head.rstrip("'")
    bold = head in ("rho", "d") and below != ""
    letter = GREEK.get(head, HATS.get(head, head))
    made = (
        f'<mi mathvariant="{"bold" if bold else "italic" if len(letter) == 1 else "normal"}">{html.escape(letter)}</mi>'
    )
    if head in HATS:
        made = f'<mover accent="true">{made}<mo stretchy="false">ˆ</mo></mover>'
    upper = "<mo>′</mo>" if prime else f"<mn>{html.escape(above)}</mn>" if above else ""
    lower = f"<mn>{html.escape(below)}</mn>" if below else ""
    if upper and lower:
        return f"<msubsup>{made}{lower}{upper}</msubsup>"
    return f"<msup>{made}{upper}</msup>" if upper else f"<msub>{made}{lower}</msub>" if lower else made


def mathml(e: Any, inner: bool = False) -> str:
    """An expression of sums, products, powers, sines and cosines."""
    import sympy as sp

    if isinstance(e, sp.MatrixBase):
        return matrix([[mathml(x) for x in e.row(i)] for i in range(e.rows)])
    if isinstance(e, sp.Symbol):
        return symbol(e.name)
    if e.is_Rational and not e.is_Integer:
        sign = operator("−") if e < 0 else ""
        return row(sign, f"<mfrac><mn>{abs(e.p)}</mn><mn>{e.q}</mn></mfrac>")
    if e.is_Number:
        return f"<mn>{html.escape(str(e) if e.is_Integer else f'{float(e):.6g}')}</mn>"
    if isinstance(e, (sp.cos, sp.sin)):
        name = "C" if isinstance(e, sp.cos) else "S"
        argument = e.args[0]
        joined = mathml(argument)
        return row(
            f'<mi mathvariant="normal">{name}</mi>',
            joined if argument.is_Symbol else row(operator("("), joined, operator(")")),
        )
    if e.is_Add:
        return _sum(e, inner)
    if e.is_Mul:
        return _product(e)
    if e.is_Pow:
        if e.exp.is_negative:
            return f"<mfrac><mn>1</mn>{row(mathml(e.base**-e.exp))}</mfrac>"
        if e.base.is_Symbol and re.fullmatch(r"[A-Za-z]+_[0-9]+", e.base.name):  # index and power above each other
            return symbol(e.base.name).replace("msub>", "msubsup>")[: -len("</msubsup>")] + f"{mathml(e.exp)}</msubsup>"
        return f"<msup>{mathml(e.base, True)}{mathml(e.exp)}</msup>"
    return text(str(e))


def _sum(e: Any, inner: bool) -> str:
    parts: list[str] = []
    for term in e.as_ordered_terms():
        negative = term.could_extract_minus_sign()
        if parts or negative:
            parts.append(operator("−" if negative else "+"))
        parts.append(mathml(-term if negative else term, True))
    return row(operator("("), *parts, operator(")")) if inner else row(*parts)


def _product(e: Any) -> str:
    import sympy as sp

    if e.could_extract_minus_sign():
        return row(operator("−"), mathml(-e, True))
    over, under = sp.fraction(e)
    if under != 1:
        number, rest = over.as_coeff_Mul()
        if under.is_Integer and rest != 1:
            return row(f"<mfrac><mn>{number}</mn><mn>{under}</mn></mfrac>", mathml(rest, True))
        return f"<mfrac>{row(mathml(over))}{row(mathml(under))}</mfrac>"
    return row(*(mathml(f, True) for f in sorted(e.as_ordered_factors(), key=_place)))


def _place(factor: Any) -> tuple[int, bool]:
    """Numbers first, then masses, then the rest; sums and cosines last."""
    import sympy as sp

    name = next(iter(factor.as_base_exp()[0].free_symbols)).name if factor.as_base_exp()[0].is_Symbol else ""
    late = factor.is_Add or isinstance(factor, (sp.cos, sp.sin))
    return (0 if factor.is_Number else 1 if name.startswith("m") else 2), late


def matrix(rows: list[list[str]]) -> str:
    """A matrix of pieces; the page draws its brackets, which few browsers stretch without a font for mathematics."""
    body = "".join(f"<mtr>{''.join(f'<mtd>{cell}</mtd>' for cell in line)}</mtr>" for line in rows)
    return f'<mtable class="brackets" displaystyle="true" columnspacing="0.9em">{body}</mtable>'


def numbers(values: object, digits: int = 5) -> str:
    """A matrix of numbers."""
    array = np.atleast_2d(np.asarray(values, float))
    array = np.where(np.abs(array) < 1e-14 * np.max(np.abs(array)), 0.0, array)  # without the rounding of differences
    return matrix([[f"<mn>{_short(x, digits)}</mn>" for x in line] for line in array])


def _short(x: float, digits: int) -> str:
    made = f"{x:.{digits}g}"
    mantissa, e, exponent = made.partition("e")
    return made.replace("-", "−") if not e else f"{mantissa.replace('-', '−')}e{int(exponent)}"


def latex_names(symbols: Any) -> dict[Any, str]:
    """LaTeX for symbols such as alpha'_12 and mh_1."""
    return {s: ".".join(_latex(part) for part in s.name.split(".")).replace(".", r" \cdot ") for s in symbols}


def _latex(name: str) -> str:
    head, _, below = name.partition("_")
    prime = "'" if head.endswith("'") else ""
    head = LATEX.get(head.rstrip("'"), head.rstrip("'"))
    head = rf"\mathbf{{{head}}}" if re.fullmatch(r"d|\\rho", head) and below else head
    return f"{head}{prime}_{{{below}}}" if below else head + prime
