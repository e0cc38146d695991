"""Every erratum is shown by computing: as read it is off, corrected it agrees, on any arm; no error in the report is a constant."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from budget import TRUST
from ordern.papers import (
    errata_more,
    errata_saha,
    lee2005,
    provenzano,
    published_counts,
    random_arms,
    saha1997,
    saha1999ijrr,
    saha1999jam,
)
from ordern.papers.rows import EQUAL, ERRATA, ERRATA_FILES, NOT_STATED, errata_rows

PAPERS = {m.NAME: m for m in (saha1999ijrr, saha1999jam, saha1997, lee2005, provenzano)}
ids = [f"{e.paper} {e.place}" for e in ERRATA]


@pytest.mark.parametrize("e", ERRATA, ids=ids)
def test_both_versions_are_computed(e):
    """On three arms: the formula as read fails, the corrected one holds, and all of it is another number each time."""
    errors = [e.errors(seed) for seed in (0, 1, 2)]
    assert all(read > 1e-3 for read, _ in errors), errors  # far above rounding: the misprint matters
    assert len({read for read, _ in errors}) > 1, (
        errors
    )  # (a lost sign is off by 2.0 wherever its element is the largest)
    made = [e.compute(np.random.default_rng(seed)) for seed in (0, 1)]
    moved = [not np.allclose(a, b) for a, b in zip(*made, strict=True)]
    assert any(moved) and (moved[1] or e.place == "eq. (8)"), moved  # dI/dt - 2C is zero for every arm
    assert all(corrected <= e.tolerance for _, corrected in errors), errors
    first, second = e.rows(1)
    assert (first.difference, second.difference) == errors[1]
    assert f"{errors[1][0]:.1e}" in first.verdict and second.verdict == EQUAL and second.must_be_equal


def test_a_process_that_makes_one_paper_has_its_errata():
    """`ordern reproduce` makes papers in processes of their own, which import nothing else: the rows may not depend on what was imported."""
    code = "from ordern.papers import rows; rows.errata_rows('none'); print(*(e.paper for e in rows.ERRATA))"
    alone = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert sorted(alone) == sorted(e.paper for e in ERRATA) and set(alone) == set(PAPERS)
    folder = Path(errata_saha.__file__).parent
    assert {p.stem for p in folder.glob("*.py") if "\n@erratum(" in p.read_text()} == set(ERRATA_FILES)


def test_each_paper_shows_its_errata():
    for name in PAPERS:
        assert errata_rows(name), name
    assert len(ERRATA) >= 30


@pytest.mark.parametrize("broken", ["as read", "corrected"])
def test_an_erratum_that_does_not_hold_is_wrong(broken):
    """If the text were right, or the correction were not, the row would fail the report."""
    e = ERRATA[0]
    fake = type(e)(
        e.paper,
        e.place,
        e.as_read,
        e.correct,
        e.tolerance,
        lambda rng: (1.0, 1.0, 1.0) if broken == "as read" else (2.0, 2.0, 1.0),
    )
    assert fake.rows()[1].wrong


def rows_of(name):
    """All rows that need no long simulation."""
    if name == "lee2005":
        return lee2005._bands()[1] + lee2005._space()[1]
    if name == "provenzano":
        return (
            provenzano._numbers()
            + errata_rows(name)
            + provenzano._labels()
            + provenzano._line()[1]
            + provenzano._table1()[1]
        )
    if name == "saha1999jam":
        return (
            saha1999jam._errata()[1]
            + saha1999jam._table3()
            + saha1999jam._stanford_state()
            + saha1999jam.figure9()[1]
            + saha1999jam._tables()[1]
        )
    return list(PAPERS[name].paper().rows)


@pytest.mark.parametrize("name", PAPERS)
def test_rows_are_complete(name, by_numbers, monkeypatch):
    """Paper's value, ours, difference and verdict; only labels and what the paper does not state have no difference."""
    if (
        not TRUST
    ):  # 319 programs of up to 30 joints are counted for the report, whose numbers algorithms/test_counts.py holds
        monkeypatch.setattr(published_counts, "BOUNDED", (1, 2, 6, 12))
        monkeypatch.setattr(published_counts, "LENGTHS", (2, 6, 12))
    for row in rows_of(name):
        assert row.published and row.ours and row.place and row.what
        assert row.verdict in (EQUAL, NOT_STATED) or row.verdict.startswith("differs because ")
        assert row.difference is not None or row.verdict == NOT_STATED or row.what.endswith("(a label)"), row


def test_dense_versions_are_the_methods():
    """The plain programs behind the errata are the algorithms of the package."""
    r, q, qd, qdd = random_arms.arm_and_state(np.random.default_rng(5), "RRPRPR")
    np.testing.assert_allclose(
        errata_saha.torques(r, q, qd, qdd), r.inverse_dynamics(q, qd, qdd, method="denoc"), rtol=1e-12, atol=1e-12
    )
    c = errata_saha.natural_complement(r.model, q, qd)
    np.testing.assert_allclose(
        errata_saha.coriolis(c), r.coriolis_matrix(q, qd, method="denoc"), rtol=1e-11, atol=1e-11
    )
    np.testing.assert_allclose(errata_saha.coriolis(c), c.C, rtol=1e-11, atol=1e-11)
    turning, q, _, _ = random_arms.arm_and_state(np.random.default_rng(6), "RRRR")
    np.testing.assert_allclose(errata_more.gah(turning, q), turning.mass_matrix(q, method="gibbs-appell"), rtol=1e-12)
