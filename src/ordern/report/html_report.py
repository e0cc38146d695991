"""Reports of text, tables, figures and formulas as one HTML file without scripts or network."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from .tables import LinkedText, Table

__all__ = ["Details", "Figure", "Formula", "Listing", "Section", "page", "typeset"]


@dataclass(frozen=True)
class Figure:
    """A drawing as an <svg> element, with what it shows."""

    svg: str
    caption: str


@dataclass(frozen=True)
class Formula:
    """A formula as the inside of a <math> element, with its number."""

    mathml: str
    label: str = ""


@dataclass(frozen=True)
class Details:
    """Something long that opens on demand."""

    summary: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Listing:
    """Lines of code with their numbers; line k is the place ``{name}-{k}``."""

    name: str
    lines: tuple[str, ...]


Part = str | Table | Figure | Formula | Details | Listing


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it."""

    title: str
    parts: tuple[Part, ...]


CSS = """
:root { --ink:#1c2024; --soft:#5d6670; --line:#dfe3e8; --paper:#fff; --wash:#f6f7f9; --blue:#0a5ea8; --good:#0b7a4b;
  --goodbg:#e3f4ec;
  --bad:#b3261e; --badbg:#fde8e6; --warn:#8a5a00; --warnbg:#fdf1d8; --mutebg:#eceff2; }
@media (prefers-color-scheme: dark) { :root { --ink:#e7eaee; --soft:#a0a9b4; --line:#343b44; --paper:#15191e;
  --wash:#1c2127; --blue:#7ab8f5;
  --good:#6fd3a3; --goodbg:#143527; --bad:#ff9d94; --badbg:#47201d; --warn:#f0c36d; --warnbg:#3d3116;
  --mutebg:#2a3038; } }
* { box-sizing:border-box; }
body { margin:0; font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif; color:var(--ink);
  background:var(--paper); }
.frame { display:grid; grid-template-columns:250px minmax(0,1fr); max-width:1380px; margin:0 auto; }
nav { position:sticky; top:0; align-self:start; height:100vh; overflow:auto; padding:28px 18px;
  border-right:1px solid var(--line);
  font-size:13.5px; }
nav a { display:block; color:var(--soft); text-decoration:none; padding:3px 8px; border-radius:6px; }
nav a:hover { background:var(--wash); color:var(--ink); }
nav a.top { color:var(--ink); font-weight:600; margin-top:12px; }
nav strong { display:block; padding:0 8px 8px; font-size:15px; }
main { padding:28px 36px 90px; min-width:0; }
h1 { font-size:29px; line-height:1.2; margin:6px 0 6px; letter-spacing:-.01em; }
h2 { font-size:22px; margin:56px 0 2px; padding-top:18px; border-top:2px solid var(--ink); letter-spacing:-.01em; }
h3 { font-size:17px; margin:34px 0 8px; }
p { max-width:78ch; margin:8px 0; } .cite, .lead { color:var(--soft); } .cite { font-size:14px; }
.cards { display:grid; grid-template-columns:repeat(auto-fit,minmax(150px,1fr)); gap:12px; margin:20px 0 8px; }
.card { border:1px solid var(--line); border-radius:10px; padding:12px 16px; background:var(--wash); }
.card b { display:block; font-size:27px; line-height:1.15; font-variant-numeric:tabular-nums; }
.card span { color:var(--soft); font-size:13px; }
.scroll { overflow-x:auto; margin:12px 0 16px; border:1px solid var(--line); border-radius:10px; }
table { border-collapse:collapse; width:100%; font-size:13px; font-variant-numeric:tabular-nums; }
caption { text-align:left; padding:9px 12px; font-weight:600; font-size:13.5px; }
th { text-align:left; background:var(--wash); font-weight:600; color:var(--soft); vertical-align:bottom; }
th,td { padding:5px 12px; border-bottom:1px solid var(--line); vertical-align:top; }
tr:last-child td { border-bottom:0; }
td.n, th.n { text-align:right; padding:5px 7px; } td.n { white-space:nowrap; }
td.w { overflow-wrap:anywhere; min-width:13ch; } td.s { white-space:nowrap; }
.chip { display:inline-block; padding:0 8px; border-radius:20px; font-size:12px; font-weight:600; white-space:nowrap; }
.good { color:var(--good); background:var(--goodbg); } .bad { color:var(--bad); background:var(--badbg); }
.warn { color:var(--warn); background:var(--warnbg); } .mute { color:var(--soft); background:var(--mutebg); }
figure { margin:16px 0 20px; }
figure svg { max-width:100%; height:auto; background:#fff; border:1px solid var(--line); border-radius:10px;
  padding:6px; }
figcaption, .note { color:var(--soft); font-size:13px; max-width:90ch; margin:6px 0; }
.formula { display:flex; flex-wrap:wrap; align-items:center; gap:4px 24px; overflow-x:auto; padding:6px 4px;
  container-type:inline-size; }
.formula .label { color:var(--soft); margin-left:auto; white-space:nowrap; }
math { font-size:clamp(7px, calc(97cqw / var(--ems, 1)), 17px);
  font-family:"STIX Two Math","Cambria Math","Latin Modern Math",math,"Times New Roman",serif; }
math[display=block] { margin:2px 0; text-align:left; }
mtable.brackets { margin:0 .3em; padding:.2em .5em; border-left:1.5px solid; border-right:1.5px solid;
  --l:linear-gradient(currentColor,currentColor);
  background:var(--l) 0 0/7px 1.5px, var(--l) 100% 0/7px 1.5px, var(--l) 0 100%/7px 1.5px, var(--l) 100% 100%/7px 1.5px;
  background-repeat:no-repeat; }
mtable.brackets mtd { padding:.22em .5em; }
details { border:1px solid var(--line); border-radius:10px; padding:8px 14px; margin:12px 0; }
summary { cursor:pointer; font-weight:600; font-size:14px; }
pre.code { overflow-x:auto; font:12px/1.5 ui-monospace,Menlo,Consolas,monospace; margin:8px 0; }
pre.code span:target { background:var(--warnbg); } pre.code b { display:inline-block; width:4ch; margin-right:1.5ch;
  text-align:right;
  color:var(--soft); font-weight:400; user-select:none; }
td a { color:var(--blue); text-decoration:underline; text-decoration-thickness:1px; }
var { font-family:"STIX Two Math","Cambria Math",serif; }
sub, sup { font-size:75%; line-height:0; }
@media (max-width:900px) { .frame { display:block; }
  nav { position:static; height:auto; border:0; padding:16px; } main { padding:12px 16px 60px; } }
@media print { :root { --ink:#000; --soft:#333; --line:#999; --paper:#fff; --wash:#fff; --blue:#000;
  --goodbg:#fff; --badbg:#fff; --warnbg:#fff; --mutebg:#fff;
  --good:#000; --bad:#000; --warn:#000; }
  body { font-size:10pt; } nav, section.code { display:none; } .frame { display:block; max-width:none; }
  main { padding:0; } @page { margin:18mm 15mm; }
  details::details-content { content-visibility:visible; display:block; } .scroll { overflow:visible; border:0; }
  table { font-size:7.5pt; line-height:1.3; } th, td { padding:2pt 4pt; } td.w { min-width:8ch; }
  tr:has(.chip) td:nth-child(2) { min-width:26ch; } td:has(> .chip) { min-width:18ch; }
  thead { display:table-header-group; } section + section > h2 { break-before:page; }
  h2, h3, caption { break-after:avoid; }
  figure, tr { break-inside:avoid; }
  .formula { overflow:visible; } }
"""


def page(
    title: str,
    lead: Sequence[str],
    cards: Sequence[tuple[str, str]],
    chapters: Sequence[tuple[str, str, str, Sequence[Section]]],
) -> str:
    """The whole file.

    Args:
        title: of the page.
        lead: paragraphs below it.
        cards: (number, what it counts), shown large.
        chapters: (short name for the menu, title, citation or remark, sections).
    """
    menu, body = [], []
    for c, (short, name, remark, sections) in enumerate(chapters):
        code = ' class="code"' if any(_listed(part) for section in sections for part in section.parts) else ""
        menu.append(f'<a class="top" href="#c{c}">{_esc(short)}</a>')
        body.append(f'<section{code}><h2 id="c{c}">{_esc(name)}</h2><p class="cite">{_esc(remark)}</p>')
        for s, section in enumerate(sections):
            menu.append(f'<a href="#c{c}s{s}">{typeset(section.title)}</a>')
            body.append(f'<h3 id="c{c}s{s}">{typeset(section.title)}</h3>' + "".join(_part(p) for p in section.parts))
        body.append("</section>")
    head = "".join(f'<p class="lead">{_esc(text)}</p>' for text in lead)
    shown = "".join(f'<div class="card"><b>{_esc(number)}</b><span>{_esc(what)}</span></div>' for number, what in cards)
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, '
        f'initial-scale=1"><title>{_esc(title)}</title><style>{CSS}</style></head>'
        f'<body><div class="frame"><nav><strong>ordern</strong>{"".join(menu)}</nav>'
        f"<main><h1>{_esc(title)}</h1>{head}<div "
        f'class="cards">{shown}</div>{"".join(body)}</main></div></body></html>\n'
    )


def _esc(text: str) -> str:
    return html.escape(str(text), quote=True)


def _part(part: Part) -> str:
    if isinstance(part, str):
        return f"<p>{typeset(part)}</p>"
    if isinstance(part, Table):
        return _table(part)
    if isinstance(part, Figure):
        return f"<figure>{part.svg}<figcaption>{typeset(part.caption)}</figcaption></figure>"
    if isinstance(part, Listing):
        lines = (
            f'<span id="{_esc(part.name)}-{k}"><b>{k}</b>{_esc(line)}</span>' for k, line in enumerate(part.lines, 1)
        )
        return f'<pre class="code">{chr(10).join(lines)}</pre>'
    if isinstance(part, Formula):
        label = f'<span class="label">{_esc(part.label)}</span>' if part.label else ""
        inside = ElementTree.fromstring(f"<math>{part.mathml}</math>")  # noqa: S314 - this package wrote it
        wide = f' style="--ems:{_ems(inside):.1f}"'
        return f'<div class="formula"><math display="block"{wide}>{part.mathml}</math>{label}</div>'
    return f"<details><summary>{typeset(part.summary)}</summary>{''.join(_part(p) for p in part.parts)}</details>"


def _listed(part: Part) -> bool:
    return isinstance(part, Details) and any(isinstance(p, Listing) for p in part.parts)


def _ems(node: ElementTree.Element) -> float:
    """About how wide a piece of MathML is, in letters' heights: a page without scripts can only fit to its window
    what it knows the width of.
    """
    parts, tag, text = [_ems(child) for child in node], node.tag, node.text or ""
    if tag == "mtable":
        columns = [[_ems(cell) for cell in line] for line in node]
        whole: float = 1.9 + sum(1.3 + max(column) for column in zip(*columns, strict=True))
        return whole
    if tag == "mfrac":
        return 0.25 + max(parts)
    if tag in ("msub", "msup", "msubsup"):
        return 0.1 + parts[0] + 0.78 * max(parts[1:])
    if tag == "mover":
        return parts[0]
    letter = 0.53 if tag == "mn" else 0.84 if text in "mM" else 0.58
    return sum(parts) + letter * len(text) + (0.8 if tag == "mo" and text in "=+−·" else 0)


def _table(table: Table) -> str:
    right = table.numeric()
    caption = f"<caption>{typeset(table.title)}</caption>" if table.title else ""
    head = "".join(
        f'<th class="{"n" if r else ""}">{typeset(c)}</th>' for c, r in zip(table.columns, right, strict=True)
    )
    rows = []
    for given, row in zip(table.rows, table.cells(), strict=True):
        kinds = ["n" if r else "s" if len(c) <= 24 and " " not in c else "w" for c, r in zip(row, right, strict=True)]
        cells = "".join(
            f'<td class="{kind}">{_cell(c, name, g)}</td>'
            for c, kind, name, g in zip(row, kinds, table.columns, given, strict=True)
        )
        rows.append(f"<tr>{cells}</tr>")
    notes = "".join(f'<p class="note">{typeset(n)}</p>' for n in table.notes)
    body = f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody>"
    return f'<div class="scroll"><table>{caption}{body}</table></div>{notes}'


GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "theta": "θ", "phi": "φ", "psi": "ψ", "rho": "ρ", "tau": "τ",
    "mu": "μ", "eta": "η",
    "omega": "ω", "lambda": "λ", "thetad": "θ̇", "qd": "q̇", "qdd": "q̈", "mh": "m̂", "Mh": "M̂", "Mt": "M̃",
    "psih": "ψ̂",
    "Omega": "Ω", "Psi": "Ψ", "Phi": "Φ", "Ndot": "Ṅ", "Bdot": "Ḃ", "Bh": "B̂", "Ht": "H̃", "Wt": "W̃", "nu": "ν",
    "pi": "π", "tauh": "τ̂", "Jh": "Ĵ", "omegad": "ω̇",
}  # fmt: skip
INDEX = r"-?[A-Za-zθ0-9]{1,4}(?:[+-]1)?"
SYMBOL = re.compile(
    rf"(?:(?<![\w.^/'])(?<!\w-)(?P<pre>\^[a-z])?"
    rf"(?P<head>[A-Za-z]|{'|'.join(sorted(GREEK, key=len, reverse=True))}|log det [A-Z])"
    r"|(?P<after>(?<=\))|(?<=\d)n))(?P<dash>'?)"  # a bracket with an index or a power, and 12n^2
    rf"(?P<sub>_(?:max\(i,j\)|{INDEX}(?:,{INDEX})?|\([^()]{{1,8}}\)))?"
    r"(?P<sup>\^(?:-?[A-Za-z0-9]{1,3}|\(\d\)))?(?![\w(])"
)


def typeset(text: str) -> str:
    """Text with its symbols (alpha'_12, H_LL^-1, n^2) typeset as in formulas."""
    made, at = [], 0
    for found in SYMBOL.finditer(text):
        head, sub, sup = found["head"] or found["after"], found["sub"], found["sup"]
        if not sub and not sup and head not in GREEK:
            continue
        shown = GREEK.get(head, head)
        first = f"<sup>{_esc(found['pre'][1:])}</sup>" if found["pre"] else ""
        letter = f"<var>{_esc(shown)}{'′' if found['dash'] else ''}</var>" if shown else ""
        low = f"<sub>{_esc(sub[1:] if 'max' in sub else sub[1:].strip('()')).replace('-', '−')}</sub>" if sub else ""
        high = f"<sup>{_esc(sup[1:].replace('-', '−'))}</sup>" if sup else ""
        made += [_esc(text[at : found.start()]), first + letter + low + high]
        at = found.end()
    return "".join(made) + _esc(text[at:])


def _cell(text: str, column: str, given: object = None) -> str:
    """A verdict becomes a chip and, after it, the reason; a link leads to its place."""
    if isinstance(given, LinkedText):
        return f'<a href="#{_esc(given.place)}">{typeset(text)}</a>'
    if column != "verdict":
        return f"<var>{text}</var>" if len(text) == 1 and text.isalpha() else typeset(text)
    for start, kind, word in (
        ("equal", "good", "equal"),
        ("ok", "good", "ok"),
        ("differs because of an error", "bad", "off"),
        ("off", "bad", "off"),
        ("differs because ", "warn", "differs"),
        ("not stated in the paper", "mute", "not stated"),
    ):
        if text.startswith(start):
            reason = (
                text.removeprefix("differs because ").removeprefix("not stated in the paper")
                if kind != "good"
                else text.removeprefix(start)
            )
            return f'<span class="chip {kind}">{word}</span> {typeset(reason.strip())}'
    return _esc(text)
