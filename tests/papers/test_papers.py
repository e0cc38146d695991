"""The papers' rows hold, the published bounds are kept, and the report is whole and safe."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

import ordern
from ordern.algorithms.registry import find
from ordern.papers import (
    lee2005,
    provenzano,
    provenzano_table2,
    puma_line,
    saha1997,
    saha1999ijrr,
    saha1999jam,
    studies,
)
from ordern.papers.published_counts import (
    INVERSE,
    about_centres,
    counted,
    crossover,
    formula,
    solve_about_centres,
    special,
)
from ordern.papers.reproduce import NAMES, Reproduction, reproduce, write_report
from ordern.papers.rows import AGREE, IDENTITY, PRINTED, Paper, Row, compared, row_table
from ordern.report.html_report import Details, Figure, Formula, Section, page
from ordern.report.tables import Table
from ordern.runtime.numbers import numbers


def holds(rows):
    wrong = [r for r in rows if r.wrong]
    assert not wrong, row_table(wrong).text()
    assert rows


def test_ijrr_equations_42_to_48():
    made = saha1999ijrr.paper()
    holds(made.rows)
    assert sum(r.must_be_equal for r in made.rows) > 20


def test_tra_decomposition():
    holds(saha1997.paper().rows)


@pytest.mark.parametrize("part", ["_table3", "_stanford_state"])
def test_jam_tables(part):
    holds(getattr(saha1999jam, part)())


@pytest.mark.parametrize("part", ["figure5", "figure6", "figure8", "figure9"])
def test_jam_figures(part):
    section, rows = getattr(saha1999jam, part)()
    holds(rows)
    assert any(isinstance(p, Figure) and p.svg.startswith("<svg") for p in section.parts)


def test_lee_bands_determinant_and_reference_chain():
    holds(lee2005._bands()[1])
    holds(lee2005._reference(5, lee2005.N5))
    holds(lee2005._reference(20, lee2005.N20))


def test_provenzano_numbers_and_line():
    holds(provenzano._numbers())
    holds(provenzano._line()[1])


def test_the_replay_is_a_call_of_simulate_and_grows_as_the_page_says():
    """Seen after 2 s: 1.3e-6 m with motors, 9.3e-6 m without; both readings are of the same run, and moduli differ by no more than vectors."""
    run = puma_line.replay(ordern.robots.puma560(motors=True), provenzano_table2.CHOSEN, "composite", duration=2.0)
    assert 1e-7 < run.position[-1] < 1e-5
    finer = puma_line.replay(
        ordern.robots.puma560(motors=True), provenzano_table2.CHOSEN, "composite", 1e-9, duration=2.0
    )
    assert finer.position[-1] < run.position[-1] / 30  # what the page calls the integrator's error is one
    bare = puma_line.replay(ordern.robots.puma560(), provenzano_table2.CHOSEN, "articulated", duration=2.0)
    assert bare.position[-1] > 3 * run.position[-1]
    for norms, moduli in zip((run.position, run.velocity, run.acceleration), run.moduli, strict=True):
        assert np.all(moduli <= norms * (1 + 1e-12) + 1e-15)


def test_mended_formulas_are_not_called_printed():
    """What is compared with a corrected formula is an identity; digits, tables and formulas as they stand in the paper are printed."""
    kinds = {(r.place, r.what.split(",")[0]): r.kind for r in saha1999ijrr._exact_rows(1)}
    assert {kind for (place, what), kind in kinds.items() if "corrected" in place or what == "I I^-1"} == {IDENTITY}
    assert kinds["eq. (43a)", "i_11"] == kinds["eq. (45)", "D"] == PRINTED
    assert {r.kind for r in saha1999jam._table3()} == {PRINTED}


def test_the_claim_of_all_linear_methods_is_held_against_every_row_of_the_table():
    """Saha 1999, sec. 1: O(n) is cheaper from n = 12 on; at 12 Featherstone's row takes 4105 operations and Walker and Orin's 4073."""
    rows = {r.what: r for r in saha1999jam._crossings()}
    other = next(r for what, r in rows.items() if "Featherstone" in what)
    assert rows["O(n) is cheaper from n ="].ours == "12" and (other.published, other.ours) == ("12", "13")
    assert "4105 against 4073" in other.verdict and other.verdict.startswith("differs")


def test_the_counts_of_the_steps_make_the_row_of_table_1():
    row = provenzano._steps()
    assert row.verdict == "equal" and row.published == "23/2 n^2 + 39/2 n - 49 M, 17/2 n^2 + 63/2 n - 69 A"
    assert row.ours.startswith("482 M, 426 A")


def test_formulas_print_as_in_the_papers():
    assert formula(INVERSE[3].M) == "120n - 44"
    assert formula((Fraction(-49), Fraction(39, 2), Fraction(23, 2))) == "23/2 n^2 + 39/2 n - 49"
    assert crossover(lambda n: 10, lambda n: n) == 10


def test_closed_forms_refuse_other_arms():
    for robot in (ordern.robots.stanford(), ordern.robots.planar(3, mass="tips"), ordern.robots.planar(4)):
        with pytest.raises(ordern.InputError, match="three-link planar"):
            saha1999ijrr.closed_forms(robot, "mass_matrix")
    with pytest.raises(ordern.InputError, match="closed forms of"):
        saha1999ijrr.closed_forms(ordern.robots.planar3(), "coriolis_matrix")


def test_closed_forms_in_numbers():
    robot = ordern.robots.planar(3, (1.0, 0.7, 0.4), (2.0, 1.0, 3.0))
    q = [0.2, 0.9, -0.5]
    angles = {"theta_2": q[1], "theta_3": q[2], "theta_23": q[1] + q[2]}
    for quantity in ("mass_matrix", "mass_matrix_inverse"):
        made = saha1999ijrr.closed_forms(robot, quantity)
        np.testing.assert_allclose(made.values(angles), getattr(robot, quantity)(q), rtol=1e-11)
        assert made.latex().startswith("\\begin{aligned}") and "(4" in str(made)


def test_reverse_elimination_leaves_a_lower_triangle():
    M = ordern.robots.chain(5).mass_matrix(np.full(5, 0.3))
    _, after = saha1997.reverse_elimination(M)
    np.testing.assert_allclose(np.triu(after[-1], 1), 0, rtol=0, atol=1e-12)


def test_fixman_schur_complement_is_the_inverse():
    _, L, m, theta, _, _ = lee2005.point_chain(7)
    G = lee2005.mass_matrix(theta, L, m)
    np.testing.assert_allclose(
        lee2005.schur(lee2005.blocks(*lee2005.gradients(theta, L), m)) @ G, np.eye(7), rtol=0, atol=1e-10
    )


def small(wrong: bool) -> Reproduction:
    rows = (compared("x", "eq. (1)", "<b>&", 1.0, 2.0 if wrong else 1.0, 1e-9),)
    parts = (
        "text <i>",
        row_table(rows),
        Figure("<svg></svg>", "<u>"),
        Formula("<mi>x</mi>", "(1)"),
        Details("more", ("inside",)),
    )
    return Reproduction((Paper("saha1997", "T <script>", "C", (Section("S", parts),), rows),), 1.0)


def test_the_report_is_three_whole_files(tmp_path):
    made = small(wrong=False)
    paths = write_report(made, tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["report.csv", "report.html", "report.json"]
    text = paths[0].read_text()
    assert (
        "<script" not in text
        and "T &lt;script&gt;" in text
        and "&lt;b&gt;&amp;" in text
        and "http" not in text.replace("http-equiv", "")
    )
    assert json.loads(paths[1].read_text())["ok"] and paths[2].read_text().startswith("paper,place")


def test_a_wrong_row_fails_the_whole():
    made = small(wrong=True)
    assert (
        not made.ok
        and dict(zip(made.summary().columns, made.summary().rows[0], strict=True))["wrong"] == 1
        and "off" in page("t", (), (), [("a", "b", "c", made.papers[0].sections)])
    )
    assert not Row("p", "x", "y", "1", "2", 1.0, "differs because it is so").wrong


def test_names_are_modules():
    assert set(NAMES) >= {"saha1997", "saha1999jam", "saha1999ijrr", "lee2005", "provenzano"}
    assert isinstance(small(False).table(), Table)


def run_saha1997(monkeypatch, tmp_path):
    """The command line's exit code and the rows it calls wrong; in this process, so that what a test breaks is broken there too."""
    from ordern.cli import _guarded

    monkeypatch.setattr(
        "ordern.papers.reproduce.reproduce", lambda names, progress, processes: reproduce(names, progress, 1)
    )
    code = _guarded(["reproduce", "--paper", "saha1997", "--out", str(tmp_path)])
    rows = json.loads((tmp_path / "report.json").read_text())["rows"]
    return code, [r["what"] for r in rows if r["must_be_equal"] and r["verdict"] != "equal"]


def test_reproduce_exits_0_when_all_holds(monkeypatch, tmp_path, capsys):
    assert run_saha1997(monkeypatch, tmp_path) == (0, [])


def test_reproduce_exits_1_when_a_reference_is_missed(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(saha1997, "STANFORD_D", [x * (1 + 1e-9) for x in saha1997.STANFORD_D])
    assert run_saha1997(monkeypatch, tmp_path) == (1, ["D"])
    assert "Not equal, but should be" in capsys.readouterr().out


def test_reproduce_exits_1_when_a_method_is_off(monkeypatch, tmp_path, capsys):
    """A millionth more torque, in one method only."""
    right = ordern.Robot.inverse_dynamics
    monkeypatch.setattr(ordern.Robot, "inverse_dynamics", lambda self, *a, **k: right(self, *a, **k) * (1 + 1e-6))
    code, wrong = run_saha1997(monkeypatch, tmp_path)
    assert code == 1 and wrong == ["tau", "tau with a wrench on the tool"]


def test_agreement_is_counted_by_what_a_row_is_compared_with():
    made = small(wrong=False)
    found = dict(zip(made.summary().columns, made.summary().rows[0], strict=True))
    assert found["as printed"] == 1 and found["identity"] == found["independent"] == found["bound"] == 0
    with pytest.raises(ValueError, match="needs one of the kinds"):
        Row("p", "x", "y", "1", "1", 0.0, "equal", True)


def test_no_row_compares_a_thing_with_itself():
    """An exact zero between floating-point numbers would say that one was computed from the other; integers and fractions may be equal."""
    rows = [*saha1997.paper().rows, *provenzano._numbers()]
    exact = [r for r in rows if r.must_be_equal and r.difference == 0 and "." in r.ours and r.kind in (IDENTITY, AGREE)]
    assert not [r.what for r in exact]


def test_elimination_about_the_mass_centres_costs_more():
    for n in (2, 6):
        here, there = counted(("forward_dynamics", "denoc"), n), about_centres(n)
        assert there[0] > here[0] and there[1] > here[1]


@pytest.mark.parametrize("n", [1, 5])
def test_elimination_about_the_mass_centres_solves_the_same(n):
    """What is counted must be the method: about C_i it gives I^-1 phi as well, on a chain with no special geometry."""
    robot, rng = ordern.robots.chain(n), np.random.default_rng(n)
    q, phi = rng.uniform(-1, 1, (2, n))
    algorithm = replace(find("forward_dynamics", "denoc")[0], function=solve_about_centres, inputs=("q", "tau"))
    M = robot.mass_matrix(q)
    allowed = 64 * np.finfo(float).eps * np.linalg.cond(M)  # 64: some ten products of 6 x 6 matrices a link
    got, want = numbers(algorithm, robot.model)(q, phi), np.linalg.solve(M, phi)
    np.testing.assert_allclose(got, want, rtol=0, atol=allowed * np.abs(want).max())


def test_one_table_does_not_contradict_another():
    """The general chain of six joints costs the same wherever it is shown."""
    section, _ = special("saha1999jam")
    shown = {
        (row[1], row[2]): row[5]
        for table in section.parts
        if isinstance(table, Table) and len(table.columns) == 6
        for row in table.rows
    }
    for (quantity, method), cost in shown.items():
        assert cost == "{} + {}".format(*counted((quantity.replace(" ", "_"), method), 6, True)) and "_" not in quantity
    assert shown["inverse dynamics", "denoc"] == "583 + 453" and shown["mass matrix", "composite"] == "343 + 301"


def test_accelerations_of_sweeps_have_less_noise():
    """Seen: denoc a twelfth to a fiftieth of the error of composite bodies, articulated a thousandth or less."""
    _, errors = studies.acceleration_errors(studies.heavy_tip(1e-4), 1, ("denoc", "articulated", "composite"))
    assert errors["articulated"] < 0.01 * errors["composite"] and errors["denoc"] < 0.5 * errors["composite"]


def test_ill_conditioned_chains_take_fewer_evaluations_with_o_of_n_methods():
    """Seen to 0.02 s: 2.6 times fewer at cond(M) = 6e10; none fewer where M is well conditioned or the tolerance loose."""
    light, plain = studies.heavy_tip(1e-4), studies.heavy_tip(1.0)

    def ratio(robot, tolerance):
        return studies.evaluations(robot, "composite", tolerance, 0.02) / studies.evaluations(
            robot, "denoc", tolerance, 0.02
        )

    assert ratio(light, 1e-9) > 1.5
    assert abs(ratio(light, 1e-5) - 1) < 0.05 and abs(ratio(plain, 1e-9) - 1) < 0.05


def test_what_each_reading_of_the_stanford_arm_changes():
    """The caption of figure 8, joint by joint: largest change of a torque against its largest value."""
    s = np.linspace(0, 1, 101)
    travel = [
        s - np.sin(2 * np.pi * s) / (2 * np.pi),
        (1 - np.cos(2 * np.pi * s)) / 10,
        np.pi * np.sin(2 * np.pi * s) / 50,
    ]

    def torques(robot, end=60):
        way = np.radians([60, end - 90, 0, 60, 60, 60]) + np.array([0, 0, 0.1, 0, 0, 0])
        return robot.inverse_dynamics(
            np.radians([0, 90, 0, 0, 0, 0]) + travel[0][:, None] * way, *(x[:, None] * way for x in travel[1:])
        )

    arm = ordern.robots.stanford()
    read = torques(arm)

    def changed(other):
        return np.abs(other - read).max(axis=0) / np.abs(read).max(axis=0)

    sign, up = (
        changed(torques(ordern.robots.stanford(reading="flipped"))),
        changed(torques(arm.with_gravity([0, 0, 9.81]))),
    )
    assert (sign[:2] > 0.1).all() and 1e-5 < sign[2] < 1e-3 and (sign[3:] < 1e-12).all()
    assert (up[1:3] > 1.9).all() and (up[[0, 3, 4, 5]] < 1e-12).all()
    assert (changed(torques(arm, 150)) > 0.4).all()
