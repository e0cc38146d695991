"""Determinants and bands of Fixman's partition."""

from __future__ import annotations

import numpy as np
import pytest

import robots
from ordern.algorithms.registry import find
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.builtin import planar, planar3, puma560
from ordern.errors import MethodError
from ordern.evaluate.fixman_matrices import PlanarBands, log_determinant, planar_bands
from ordern.model import Placement
from ordern.runtime.numbers import numbers


@pytest.mark.parametrize(
    "make",
    [
        lambda: robots.serial("RPRRP", 3, armature=False),
        lambda: robots.serial("RRPR", 4),
        robots.mixed,
        puma560,
        planar3,
    ],
)
def test_determinant(make):
    model = make()
    q = robots.state(model, np.random.default_rng(1))[0]
    M = numbers(find("mass_matrix", "composite")[0], model)(q)
    assert log_determinant(model, q) == pytest.approx(np.linalg.slogdet(M)[1], rel=1e-11, abs=1e-10)


def test_planar_bands():
    i = np.arange(1, 6)
    model = planar(5, 0.5 + 0.05 * np.cos(i), 1 + 0.1 * np.sin(2 * i), "tips")
    q = 0.4 * np.sin(1.3 * i) + 0.1
    H = planar_bands(model, q)
    assert np.allclose(
        np.diag(H.H_LL),
        [0.916649313768846, 1.99852601227321, 2.11062142040325, 1.93871596640469, 1.96750321631634],
        rtol=1e-13,
    )
    assert np.allclose(
        np.diag(H.H_LL, 1), [-0.874012057203686, -1.06533263692838, -0.995897105045104, -0.89426781231777], rtol=1e-13
    )
    assert np.allclose(
        np.diag(H.H_pp),
        [3.30032777916338, 8.70341103315861, 10.3996812273785, 8.87747595680058, 7.44183160875905],
        rtol=1e-13,
    )
    assert np.allclose(
        np.diag(H.H_pp, 1), [-3.4608613196102, -4.9349177594471, -4.73049918322342, -3.72166649017017], rtol=1e-13
    )
    assert np.allclose(
        np.diag(H.H_pL, 1), [-0.524298104373211, 0.39332188037959, 0.572441193457226, -0.36019028138434], rtol=1e-12
    )
    assert np.allclose(
        np.diag(H.H_pL, -1), [0.576621993705114, -0.418372475950645, -0.551840657372962, 0.327360688576315], rtol=1e-12
    )
    assert np.allclose(H.inverse, numbers(find("mass_matrix_inverse", "fixman-planar")[0], model)(q), rtol=1e-11)
    assert H.log_determinant() == pytest.approx(-6.70767465453744, rel=1e-13)
    rows, columns = np.nonzero(np.abs(H.H_tt) > 1e-14)
    assert np.abs(rows - columns).max() == 2
    rows, columns = np.nonzero(np.abs(H.H_tL) > 1e-14)
    assert (columns - rows).min() == -2
    assert (columns - rows).max() == 1
    with pytest.raises(MethodError, match="point masses"):
        planar_bands(planar3(), (0, 0, 0))
    with pytest.raises(MethodError, match="singular"):
        log_determinant(model, q)


def test_the_determinant_of_many_point_masses_forms_no_matrix():
    """200,000 links: an n x n array would take 320 GB. A straight chain of unit masses and lengths has det M = 1."""
    n = 200_000
    assert PlanarBands(np.ones(n), np.ones(n), np.zeros(n)).log_determinant() == pytest.approx(0.0, abs=1e-9)
    bent = PlanarBands(np.ones(9), np.full(9, 0.7), np.linspace(0, 3, 9))
    want = 18 * np.log(0.7) + np.linalg.slogdet(bent.H_LL)[1]
    assert bent.log_determinant() == pytest.approx(want, rel=1e-13)


def test_bands_of_chains_whose_frames_are_turned():
    """The zero of a joint is a matter of the description alone: the angles of the bonds are those of the links' mass centres."""
    rng, n = np.random.default_rng(4), 5
    turns = rng.uniform(-3.0, 3.0, n)
    links = [LinkSpec("base"), *(LinkSpec(f"bond{k}", 1.0 + k, com=(0.7, 0.0, 0.0)) for k in range(n))]
    joints = [
        JointSpec(f"j{k}", "revolute", f"bond{k - 1}" if k else "base", f"bond{k}", Placement.from_rpy((0.7 * (k > 0), 0, 0), (0, 0, turn)))
        for k, turn in enumerate(turns)
    ]  # fmt: skip
    model, q = build("turned", links, joints, gravity=(0, -9.81, 0)), rng.uniform(-3.0, 3.0, n)
    bands = planar_bands(model, q)
    assert np.allclose(bands.angles, np.cumsum(q + turns), rtol=0, atol=1e-14)
    M = numbers(find("mass_matrix", "composite")[0], model)(q)
    assert np.allclose(bands.inverse @ M, np.eye(n), rtol=0, atol=1e-10)  # the condition of M is some 1e4
