"""Every example of the pages runs and prints what the page shows; docs/refresh.py reads the pages and writes outputs anew."""

from __future__ import annotations

import html
import importlib.util
import re
import shlex
import sys
from pathlib import Path

import pytest

import needs
from ordern.cli import cli

ROOT = Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"


def reader():
    """docs/refresh.py as a module."""
    spec = importlib.util.spec_from_file_location("refresh", DOCS / "refresh.py")
    module = sys.modules["refresh"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


refresh = reader()
PAGES = [str(p.relative_to(ROOT)) for p in refresh.pages()]
WITH_EXAMPLES = [
    pytest.param(p, marks=needs.opencl()) if p == "docs/howto/gpu.md" else p
    for p in PAGES
    if refresh.examples((ROOT / p).read_text())
]


def tidy(text):
    return [line.rstrip() for line in text.strip().splitlines()]


@pytest.mark.parametrize("page", WITH_EXAMPLES)
def test_examples_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    text = (ROOT / page).read_text()
    for example, made in zip(refresh.examples(text), refresh.outputs(Path(page), text), strict=True):
        if example.expected is not None:
            assert tidy(made) == tidy(example.expected), (
                f"{page}, line {example.line}; if this is right: python docs/refresh.py {page}"
            )


@pytest.mark.parametrize("page", PAGES)
def test_no_page_installs_from_where_ordern_is_not(page):
    """The package comes from a clone; pip install ordern[...] would look for it elsewhere."""
    assert not re.search(r"pip install ['\"]?ordern", (ROOT / page).read_text())


def test_the_readme_is_short():
    text = (ROOT / "README.md").read_text()
    examples = refresh.examples(text)
    assert 1 <= len(examples) <= 2 and len(text.splitlines()) <= 110
    for example in examples:
        assert example.expected is not None
        assert len([line for line in example.code.splitlines() if line.strip()]) <= 20
    assert "## Two commands" in text
    assert (
        text.index("with_payload") < text.index("control.") < text.index("export_c") < text.index("Five papers".lower())
    )


@pytest.mark.parametrize("page", [*PAGES, "CONTRIBUTING.md", "CHANGELOG.md"])
def test_links_lead_somewhere(page):
    text = refresh.FENCE.sub("", (ROOT / page).read_text())
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"[a-z]+:|#", target):
            continue
        path = (ROOT / page).parent / target.split("#")[0]
        assert path.exists(), f"{page}: {target}"


def commands():
    """Every ordern command that a page shows."""
    for page in PAGES:
        text = (ROOT / page).read_text()
        for line in [*re.findall(r"`(ordern [a-z][^`]*)`", text), *re.findall(r"^\$? ?(ordern [a-z].*)$", text, re.M)]:
            words = shlex.split(re.split(r" [#|] ?", line)[0])
            if words[1].isidentifier() and "COMMAND" not in words:
                yield pytest.param(words[1:], id=f"{page}: {' '.join(words)}")


@pytest.mark.parametrize("words", list(commands()))
def test_commands_of_the_pages_are_understood(words):
    """Their names and options exist; what they do is tested with the command line."""
    command = cli.commands[words[0]]
    required = [p for p in command.params if p.required]
    if len(words) > len(required):  # else only the command's name is mentioned
        command.make_context(words[0], words[1:])


def test_every_key_of_the_code_is_in_the_references():
    known = set(re.findall(r"^\[([A-Z][A-Za-z0-9]+)\]", (DOCS / "references.md").read_text(), re.M))
    used = set()
    for file in (ROOT / "src" / "ordern").rglob("*.py"):
        for inside in re.findall(r"\[([A-Z]{1,5}\d{2}[a-z]?(?:[^\]\n]*))\]", file.read_text()):
            used |= set(re.findall(r"\b[A-Z]{1,4}\d{2}[a-z]?\b", inside))
    assert len(used) > 15
    assert used <= known, sorted(used - known)


def test_the_pages_build_without_warnings(tmp_path):
    import subprocess

    made = subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "-D",
            "toc_object_entries=0",  # the list of functions beside each page is Sphinx's own, and takes a third of the time
            "-b",
            "html",
            str(DOCS),
            str(tmp_path / "html"),
            "-d",
            str(tmp_path / "trees"),
        ],
        capture_output=True,
        text=True,
    )
    assert made.returncode == 0, made.stderr[-3000:]
    sources = {
        page: set(re.findall(r'id="([^"]+)"', page.read_text()))
        for page in (tmp_path / "html" / "_modules").rglob("*.html")
    }
    for page in (tmp_path / "html").rglob(
        "*.html"
    ):  # formulas lead to the texts that compute them, not only to their files
        for target, anchor in re.findall(r'href="([^"#]*_modules/[^"#]+)#([^"]+)"', page.read_text()):
            assert anchor in sources[(page.parent / target).resolve()], f"{page.name}: {target}#{anchor}"
    linked = 0
    for page in (tmp_path / "html" / "theory").rglob(
        "*.html"
    ):  # a formula's line shows the code that stands at the place it leads to
        for module, line, shown in re.findall(
            r'href="[^"]*_modules/(ordern/[^"]+)\.html#L(\d+)">(.*?)</a>', page.read_text(), re.S
        ):
            code = html.unescape(re.sub(r"<[^>]+>", "", shown))
            assert code in (ROOT / "src" / f"{module}.py").read_text().splitlines()[int(line) - 1], (
                f"{page.name}: {code}"
            )
            linked += 1
    assert linked > 40
    for page in (tmp_path / "html").rglob("*.html"):  # what a page loads must lie beside it; links may lead anywhere
        text = page.read_text()
        assert not re.search(r'<(?:script|img|link rel="stylesheet")[^>]+(?:src|href)="(?:https?:)?//', text), page.name
