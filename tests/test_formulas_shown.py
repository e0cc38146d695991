"""Formulas of the pages in a browser without a network: typeset by the MathJax that is shipped, and none cut off at 400 or 1,400 pixels."""

from __future__ import annotations

import hashlib
import html
import re
from pathlib import Path

import pytest

import needs

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
