"""Formulas of the pages in a browser without a network: typeset by the MathJax that is shipped, and none cut off at 400 or 1,400 pixels."""

from __future__ import annotations

import hashlib
import html
import re
from pathlib import Path

import numpy as np
import pytest

import needs
from ordern import robots
from ordern.papers.closed_forms import closed_forms
from ordern.papers.typeset import numbers, operator, row, symbol
from ordern.report.html_report import Details, Formula, Section
from ordern.report.html_report import page as report_page

DOCS = Path(__file__).resolve().parents[1] / "docs"
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
MARGIN = 24  # px on both sides, as the pages have on a telephone
LOOK = """() => {
  const wide = document.documentElement.clientWidth, bad = [];
  for (const svg of document.querySelectorAll('mjx-container > svg')) {
    const r = svg.getBoundingClientRect();
    if (r.left < -1 || r.right > wide + 1 || r.width < 2) bad.push([svg.closest('p').id, r.left, r.right]);
    for (let e = svg.parentElement; e; e = e.parentElement)
      if (getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1) bad.push([svg.closest('p').id, 'clipped']);
  }
  return {bad, count: document.querySelectorAll('mjx-container').length, errors: document.querySelectorAll('mjx-merror').length,
          least: Math.min(...[...document.querySelectorAll('mjx-container[display=true] > svg')].map(s => s.getBoundingClientRect().width /
            (parseFloat(s.getAttribute('width')) * parseFloat(getComputedStyle(s.parentElement).fontSize) * 0.43)))};
}"""


def formulas() -> list[str]:
    """All of them, in the delimiters that Sphinx hands to MathJax."""
    made = []
    for page in sorted(DOCS.rglob("*.md")):
        text = FENCE.sub("", page.read_text())
        if "_build" not in page.parts and "$" in text:
            made += [rf"\[{m}\]" for m in re.findall(r"\$\$(.+?)\$\$", text, re.S)]
            made += [
                rf"\({m}\)"
                for m in re.findall(
                    r"(?<![\$`\w])\$([^$\n`]+?)\$(?![\$\w])", re.sub(r"\$\$.+?\$\$", "", text, flags=re.S)
                )
            ]
    return made


def test_the_typesetter_is_the_one_that_is_named():
    name = DOCS / "mathjax" / "tex-svg.js"
    assert hashlib.sha256(name.read_bytes()).hexdigest() == (DOCS / "mathjax" / "mathjax.sha256").read_text().split()[0]
    assert "Apache License" in (DOCS / "mathjax" / "LICENSE").read_text()
    assert len(formulas()) > 100


@needs.chromium
def test_no_formula_is_cut_off(tmp_path):
    playwright = pytest.importorskip("playwright.sync_api")
    body = "".join(f'<p id="f{k}">{html.escape(f)}</p>' for k, f in enumerate(formulas()))
    style, script = (DOCS / "mathjax" / "formulas.css").as_uri(), (DOCS / "mathjax" / "tex-svg.js").as_uri()
    head = f'<meta charset="utf-8"><link rel="stylesheet" href="{style}"><script src="{script}"></script>'
    (tmp_path / "all.html").write_text(
        f'<!doctype html><html><head>{head}</head><body style="margin:{MARGIN}px">{body}</body></html>'
    )
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=needs.CHROMIUM, args=["--no-sandbox"])
        for width in (400, 1400):
            context = browser.new_context(viewport={"width": width, "height": 900}, offline=True)
            page = context.new_page()
            page.goto((tmp_path / "all.html").as_uri())
            page.wait_for_function("window.MathJax && MathJax.startup && MathJax.startup.promise")
            page.evaluate("MathJax.startup.promise")
            seen = page.evaluate(LOOK)
            assert seen["count"] == len(formulas()) and not seen["errors"]
            assert not seen["bad"], (width, seen["bad"][:5])
            assert seen["least"] > 0.45, "a formula is shrunk until nobody can read it: break it into lines"
            context.close()
        browser.close()


def table_rows() -> list[list[str]]:
    """Rows of the pages' tables that hold formulas, as cells of HTML."""
    made = []
    for page in sorted(DOCS.rglob("*.md")):
        for line in FENCE.sub("", page.read_text()).splitlines():
            if line.startswith("| ") and re.search(r"(?<![`\w])\$[^$`]+\$", line):
                cells = [
                    re.sub(r"\{\w+\}`([^`]*)`", r"<code>\1</code>", html.escape(c, quote=False))
                    for c in line.split("|")[1:-1]
                ]
                made.append([re.sub(r"\$([^$]+)\$", r"\\(\1\\)", c) for c in cells])
    return made


READABLE = """() => [...document.querySelectorAll('mjx-container > svg')].map(s => {
  const r = s.getBoundingClientRect();
  return [1000 * r.width / s.viewBox.baseVal.width, r.left, r.right - s.closest('div').getBoundingClientRect().right];
})"""


@needs.chromium
def test_formulas_in_tables_keep_their_size(tmp_path):
    """They had shrunk with their cells, to 4 px a letter at 400; those of the text have some 17."""
    playwright = pytest.importorskip("playwright.sync_api")
    rows = table_rows()
    assert len(rows) > 40
    tables = "".join(
        f'<div style="overflow-x:auto"><table><tr>{"".join(f"<td>{c}</td>" for c in cells)}</tr></table></div>'
        for cells in rows
    )
    style, script = (DOCS / "mathjax" / "formulas.css").as_uri(), (DOCS / "mathjax" / "tex-svg.js").as_uri()
    head = f'<meta charset="utf-8"><link rel="stylesheet" href="{style}"><script src="{script}"></script>'
    (tmp_path / "all.html").write_text(f"<!doctype html><html><head>{head}</head><body>{tables}</body></html>")
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=needs.CHROMIUM, args=["--no-sandbox"])
        for width in (400, 1400):
            page = browser.new_context(viewport={"width": width, "height": 900}, offline=True).new_page()
            page.goto((tmp_path / "all.html").as_uri())
            page.wait_for_function("window.MathJax && MathJax.startup && MathJax.startup.promise")
            page.evaluate("MathJax.startup.promise")
            seen = page.evaluate(READABLE)
            assert len(seen) >= len(rows)
            for size, left, beyond in seen:
                assert size > 9 and left >= 0 and beyond <= 1, (width, size, left, beyond)
        browser.close()


REPORT = """() => [...document.querySelectorAll('.formula')].filter(f => f.scrollWidth > f.clientWidth + 1
  || parseFloat(getComputedStyle(f.querySelector('math')).fontSize) < 7).map(f => f.innerText)"""


@needs.chromium
def test_no_formula_of_the_report_is_cut_off(tmp_path):
    """Set as MathML without scripts: long ones shrink with the window (those of the papers to 7.5 px and more at 400), and none scrolls."""
    playwright = pytest.importorskip("playwright.sync_api")
    pytest.importorskip("sympy")
    arm, wide = robots.planar3(), np.random.default_rng(0).standard_normal((6, 6)) * 1e-3
    found = [
        Formula(m, "(43a)") for q in ("mass_matrix", "mass_matrix_inverse") for m, _ in closed_forms(arm, q).mathml()
    ]
    parts = (*found, Formula(row(symbol("I"), operator("="), numbers(wide, 4)), "(8)"), Details("more", tuple(found)))
    (tmp_path / "report.html").write_text(report_page("t", (), (), [("a", "b", "c", [Section("s", parts)])]))
    with playwright.sync_playwright() as p:
        browser = p.chromium.launch(executable_path=needs.CHROMIUM, args=["--no-sandbox"])
        for width in (400, 1400):
            shown = browser.new_page(viewport={"width": width, "height": 900})
            shown.goto((tmp_path / "report.html").as_uri())
            shown.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)")
            assert shown.locator(".formula").count() == 2 * len(found) + 1 > 12
            assert not shown.evaluate(REPORT), width
        browser.close()
