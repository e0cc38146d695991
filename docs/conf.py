"""Sphinx: MyST pages, the API from docstrings, and links from formulas to the lines of code that hold them. Builds without a network."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

import ordern

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "ordern"
log = logging.getLogger("ordern.docs")

project = "ordern"
author = "the ordern authors"
copyright = author
release = version = ordern.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode", "sphinx.ext.mathjax"]
exclude_patterns = ["_build", "bench/*", "mathjax/*"]
html_theme = "furo"
html_title = f"ordern {version}"
html_static_path = ["mathjax"]  # the typesetter, shipped with the pages: formulas need no network
html_css_files = ["formulas.css"]
mathjax_path = "tex-svg.js"
mathjax3_config = {"svg": {"fontCache": "local"}, "options": {"enableMenu": False}}
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {"source_repository": "", "navigation_with_keys": True}
myst_heading_anchors = 3
myst_enable_extensions = ["deflist", "colon_fence", "dollarmath"]
autodoc_member_order = "bysource"
autodoc_typehints = "none"
napoleon_google_docstring = True
napoleon_numpy_docstring = False
viewcode_line_numbers = True


def source_role(name: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = None) -> Any:
    """{src}`algorithms/denoc.py:ridim`: a link to that function in the source pages; a warning where there is none."""
    env = inliner.document.settings.env
    shown, _, target = text.rpartition("<") if text.endswith(">") else ("", "", text)
    path, _, function = target.rstrip(">").partition(":")
    path = found(path, function)
    if not path:
        message = inliner.reporter.warning(f"src/ordern has no {target.rstrip('>')}", line=lineno)
        return [inliner.problematic(rawtext, rawtext, message)], [message]
    up = "../" * env.docname.count("/")
    path = path.removesuffix(".py").removesuffix("/__init__")
    page = f"{up}_modules/ordern/{path}.html"
    wanted.add("ordern." + path.replace("/", "."))
    uri = f"{page}#{function}" if function else page
    label = shown.strip() or (f"{function} in {path}.py" if function else f"{path}.py")
    return [nodes.reference(rawtext, "", nodes.literal(label, label), refuri=uri)], []


def line_role(name: str, rawtext: str, text: str, lineno: int, inliner: Any, options: Any = None, content: Any = None) -> Any:
    """{line}`algorithms/denoc.py:ridim: nu[i] = B[i] @ nu[j]`: that line of that function, as it stands, as a link to it; a warning if there is not just one."""
    env = inliner.document.settings.env
    where, _, code = text.partition(": ")
    path, _, function = where.partition(":")
    lines = matching(path, function, code.strip())
    if len(lines) != 1:
        message = inliner.reporter.warning(f"{where} has {len(lines)} lines with {code.strip()!r}", line=lineno)
        return [inliner.problematic(rawtext, rawtext, message)], [message]
    path = path.removesuffix(".py").removesuffix("/__init__")
    module = "ordern." + path.replace("/", ".")
    wanted.add(module)
    wanted_lines.setdefault(module, set()).add(lines[0])
    uri = "../" * env.docname.count("/") + f"_modules/ordern/{path}.html#L{lines[0]}"
    return [nodes.reference(rawtext, "", nodes.literal(code.strip(), code.strip()), refuri=uri)], []


def matching(path: str, function: str, code: str) -> list[int]:
    """Numbers of the lines of a function (or of the file, where none is named) that hold some code."""
    file = SOURCE / path
    if not file.is_file() or not code:
        return []
    text = file.read_text()
    spans = [(n.lineno, n.end_lineno or 0) for n in ast.walk(ast.parse(text)) if getattr(n, "name", None) == function and hasattr(n, "end_lineno")]
    inside = [k for first, last in spans for k in range(first, last + 1)] if function else range(1, text.count("\n") + 2)
    lines = text.splitlines()
    return [k for k in inside if k <= len(lines) and code in lines[k - 1]]


wanted: set[str] = set()
wanted_lines: dict[str, set[int]] = {}


def found(path: str, function: str) -> str:
    """The file that defines it: the one named, or another one of its folder that it has moved to; empty if there is none."""
    first = SOURCE / path
    for file in [first, *sorted(first.parent.glob("*.py"))]:
        if file.is_file() and (not function or function in names_in(file)):
            return file.relative_to(SOURCE).as_posix()
    return ""


def list_modules(app: Any, docname: str, source: list[str]) -> None:
    """Put a section for each module of a folder where a page says %modules folder%, and the latest benchmarks where it says %bench%,
    or a run kept under another name."""

    def sections(folder: str) -> str:
        names = sorted(p.stem for p in (SOURCE / folder).glob("*.py") if p.stem != "__init__")
        return "\n".join(f"### {n}\n\n```{{eval-rst}}\n.. automodule:: ordern.{folder.replace('/', '.')}.{n}\n   :members:\n```\n" for n in names)

    def measured(name: str) -> str:
        run = ROOT / "docs" / "bench" / f"{name}.md"
        return re.sub(r"^#", "###", run.read_text(), flags=re.M) if run.is_file() else "No run is kept here yet."

    source[0] = re.sub(r"^%bench ?(\S*)%$", lambda m: measured(m[1] or "bench"), source[0], flags=re.M)
    source[0] = re.sub(r"^%modules (\S+)%$", lambda m: sections(m[1]), source[0], flags=re.M)


class Methods(SphinxDirective):
    """A table of everything registered with @algorithm, so that no page has to list it."""

    def run(self) -> list[nodes.Node]:
        """Build the table."""
        from ordern.algorithms.registry import all_algorithms

        rows: list[list[list[nodes.Node]]] = []
        last = ""
        for a in all_algorithms():
            path = a.function.__module__.removeprefix("ordern.").replace(".", "/") + ".py"
            uri = "../" * self.env.docname.count("/") + f"_modules/ordern/{path.removesuffix('.py')}.html#{a.function.__name__}"
            wanted.add(a.function.__module__)
            link = nodes.reference("", "", nodes.literal("", f"{a.function.__name__} in {Path(path).name}"), refuri=uri)
            rows.append([[nodes.literal("", a.quantity)] if a.quantity != last else [], [nodes.literal("", a.method)], [nodes.Text(a.title)], [link]])
            last = a.quantity
        return [table(["quantity", "method", "after", "text"], rows)]


def table(heads: list[str], rows: list[list[list[nodes.Node]]]) -> nodes.table:
    """A docutils table."""
    made, group = nodes.table(), nodes.tgroup(cols=len(heads))
    made += group
    for _ in heads:
        group += nodes.colspec(colwidth=1)
    head, body = nodes.thead(), nodes.tbody()
    group += [head, body]
    for part, cells in [(head, [[nodes.Text(h)] for h in heads]), *((body, row) for row in rows)]:
        row = nodes.row()
        for cell in cells:
            row += nodes.entry("", nodes.paragraph("", "", *cell))
        part += row
    return made


def names_in(file: Path) -> set[str]:
    """Functions, classes and their methods of a file."""
    made = set()
    for node in ast.parse(file.read_text()).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            made.add(node.name)
            if isinstance(node, ast.ClassDef):
                made |= {f"{node.name}.{n.name}" for n in node.body if isinstance(n, ast.FunctionDef)}
    return made


def plain_text(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are plain text with formulas: keep their letters from being read as markup."""
    if what == "module":
        lines[:] = ["::", "", *(f"    {line}" for line in lines), ""]
        return
    for k, line in enumerate(lines):
        parts = line.split("``")
        parts[::2] = (escaped(part) for part in parts[::2])  # what stands between double backticks is literal
        lines[k] = "``".join(parts)
    if what in ("property", "attribute"):
        kept[name] = list(lines)


kept: dict[str, list[str]] = {}


def escaped(text: str) -> str:
    """No emphasis, substitutions or references."""
    text = re.sub(r"(?<!\*)\*(?!\*)", r"\\*", text).replace("|", r"\|")
    return re.sub(r"(\w)_(?=\W|$)", r"\1\\_", text)


def as_it_was(app: Any, what: str, name: str, obj: Any, options: Any, lines: list[str]) -> None:
    """Napoleon takes what stands before a colon in a property's docstring for a type: undo that."""
    if what in ("property", "attribute") and name in kept:
        lines[:] = kept[name]


def all_sources_there(app: Any, exception: Any) -> None:
    """Every linked source page must have been written."""
    if exception is None and app.builder.name == "html":
        for module in sorted(wanted):
            if not (Path(app.outdir) / "_modules" / (module.replace(".", "/") + ".html")).is_file():
                log.warning("no source page for %s; document one of its members in docs/api", module)
        for module, lines in wanted_lines.items():
            page = Path(app.outdir) / "_modules" / (module.replace(".", "/") + ".html")
            text = page.read_text() if page.is_file() else ""
            for k in lines:
                text, found = re.subn(rf'<span class="linenos">(\s*{k})</span>', rf'<span class="linenos" id="L{k}">\1</span>', text, count=1)
                if not found and f'id="L{k}"' not in text:
                    log.warning("%s has no line %d in its source page", module, k)
            if page.is_file():
                page.write_text(text)


def setup(app: Any) -> None:
    """Connect."""
    app.add_role("src", source_role)
    app.add_role("line", line_role)
    app.add_directive("methods", Methods)
    app.connect("autodoc-process-docstring", plain_text, priority=400)
    app.connect("autodoc-process-docstring", as_it_was, priority=600)
    app.connect("source-read", list_modules)
    app.connect("build-finished", all_sources_there)
