"""The report: every row leads to its line of code, symbols are set as in formulas, drawings are there, and figure 2 compares like with like."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import ordern
from ordern.papers import beyond, lee2005, redysim, schematics
from ordern.papers.fixman_blocks import mass_matrix
from ordern.papers.lee_figure2 import banded_inverse, banded_solve
from ordern.papers.reproduce import Reproduction, html
from ordern.papers.rows import ERRATA, anchor, compared, differs, errata_rows, row_table
from ordern.report.html_report import CSS, Figure, typeset

PAPERS = Path(redysim.__file__).parent


def test_a_row_knows_its_line():
    rows = redysim.paper().rows
    name, line = rows[0].code
    assert name == "redysim.py" and "Row(" in (PAPERS / name).read_text().splitlines()[line - 1]
    for row in errata_rows(ERRATA[0].paper)[:2]:
        assert "def " in "".join((PAPERS / row.code[0]).read_text().splitlines()[row.code[1] - 1 : row.code[1] + 3])
    assert compared("x", "y", "z", 1.0, 1.0).code == ("", 0)  # not made in the room of the papers


def test_every_link_has_its_place():
    made = redysim.paper()
    text = html(Reproduction((made,), 1.0))
    targets = set(re.findall(r'<td[^>]*><a href="#([^"]+)"', text))
    assert targets == {anchor(*row.code) for row in made.rows} and targets
    for target in targets:
        assert f'id="{target}"' in text
    assert "redysim" not in re.sub(
        r"<pre.*?</pre>|code-redysim-\d+|papers/redysim.py", "", text, flags=re.S
    )  # no internal keys


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("H_LL^-1", "<var>H</var><sub>LL</sub><sup>−1</sup>"),
        ("alpha'_12", "<var>α′</var><sub>12</sub>"),
        ("O(n^3)", "O(<var>n</var><sup>3</sup>)"),
        ("tau and <b>", "<var>τ</var> and &lt;b&gt;"),
        ("mass_matrix(q), file_name.py, 1e-9", "mass_matrix(q), file_name.py, 1e-9"),
        ("a plain sentence about A", "a plain sentence about A"),
        ("-B_i,i-1", "-<var>B</var><sub>i,i−1</sub>"),
        ("12n^2 + 56n - 27", "12<var>n</var><sup>2</sup> + 56n - 27"),
        ("(G^-1)_ij", "(<var>G</var><sup>−1</sup>)<sub>ij</sub>"),
        ("^jR_j-1 z_j-1,i", "<sup>j</sup><var>R</var><sub>j−1</sub> <var>z</var><sub>j−1,i</sub>"),
        ("Wt_max(i,j), i_3j^(4)", "<var>W̃</var><sub>max(i,j)</sub>, <var>i</var><sub>3j</sub><sup>(4)</sup>"),
        ("theta_1, theta_2 (n = 6)", "<var>θ</var><sub>1</sub>, <var>θ</var><sub>2</sub> (n = 6)"),
    ],
)
def test_symbols_are_set_as_in_formulas(text, shown):
    assert typeset(text) == shown


def test_no_symbol_of_an_erratum_is_left_as_typed():
    """An index that was not set would stand behind its letter with an underscore, a power with a caret."""
    texts = [x for e in ERRATA for x in (e.place, e.as_read, e.correct)]
    left = [t for t in texts if re.search(r"\w_\w|\^", re.sub("<[^>]*>", "", typeset(t)))]
    assert texts and not left


def test_there_is_a_style_for_print():
    printed = CSS[CSS.index("@media print") :]
    assert "details-content" in printed and "break-inside:avoid" in printed and "table-header-group" in printed
    text = html(Reproduction((redysim.paper(),), 1.0))
    code = re.findall(r"<section class=\"code\">.*?</section>", text, flags=re.S)  # paper has no links to lines of code
    assert len(code) == 1 and text.count("<pre") == code[0].count("<pre") > 0 and "section.code" in printed


def test_reasons_are_given_once():
    rows = [differs("lee2005", "table 2", f"row {k}", 1, 2, because, 1.0) for k, because in enumerate("aabba")]
    told = [row[-1].removeprefix("differs because ") for row in row_table(rows).rows]
    assert told == ["a", "as above", "b", "as above", "a"] and all("above" not in r.verdict for r in rows)
    equal = [compared("x", "y", "z", 1.0, 1.0)] * 2
    assert [row[-1] for row in row_table(equal).rows] == ["equal", "equal"]


@pytest.mark.parametrize("arm", [ordern.robots.planar3, ordern.robots.stanford, ordern.robots.puma560])
def test_drawings_name_the_joints_axes_as_the_papers_do(arm):
    """Z_i is the axis of joint i and lies on it: what the Jacobian of the last link is made of."""
    robot = arm()
    q, tool = robot.random(np.random.default_rng(3)), robot.link_names[-1]
    at, z = schematics.joint_axes(robot, q)
    slides = np.array([b.joint.name == "prismatic" for b in robot.model.bodies[1:]])[:, None]
    lever = robot.forward_kinematics(q, tool)[:3, 3] - at
    want = np.hstack([np.where(slides, 0, z), np.where(slides, z, np.cross(z, lever))])
    np.testing.assert_allclose(robot.jacobian(q, tool).T, want, rtol=0, atol=1e-14)


def test_drawings_and_what_is_announced():
    figures = schematics.drawings()
    assert len(figures) == 10 and all(isinstance(f, Figure) and f.svg.startswith("<svg") for f in figures)
    named = " ".join(f.caption for f in figures)
    for place in (
        "(DeNOC), figure 1;",
        "figure 2:",
        "figure 3;",
        "figure 4;",
        "figure 7:",
        "figure 10:",
        "Lee and Chirikjian, figure 1",
        "Provenzano et al., figure 1",
    ):
        assert place in named
    assert {row[2] for row in beyond.ANNOUNCED} == {"here", "not here"}


@pytest.mark.parametrize("n", [2, 3, 17])
def test_figure_2_compares_the_same_work(n):
    _, L, m, theta, _, tau = lee2005.point_chain(n)
    G = mass_matrix(theta, L, m)
    allowed = 64 * np.finfo(float).eps * np.linalg.cond(G)
    np.testing.assert_allclose(banded_inverse(theta, L, m) @ G, np.eye(n), rtol=0, atol=allowed)
    want = np.linalg.solve(G, tau)
    np.testing.assert_allclose(
        banded_solve(theta, L, m, tau[:, None])[:, 0], want, rtol=0, atol=allowed * np.abs(want).max()
    )


def test_the_kr5_agrees_in_seven_digits():
    rows = redysim.paper().rows
    assert len(rows) == 6 and not [r for r in rows if r.wrong]
