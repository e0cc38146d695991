"""The benchmark's peers agree with ordern before anything is timed; what is not installed is left out."""

from __future__ import annotations

import numpy as np
import pytest

import needs
import ordern
from ordern.bench import bench, bench_generated
from ordern.bench.bench_generated import generated
from ordern.bench.bench_libraries import LIBRARIES
from ordern.bench.bench_report import plot, table


@needs.gcc
@pytest.mark.parametrize("wide", [False, True])
def test_generated_code_computes_the_same(wide):
    robot = ordern.load("planar3")
    peer = generated(robot, wide)
    arrays = np.random.default_rng(0).uniform(-1, 1, (3, 16, 3))
    for quantity in ("inverse_dynamics", "forward_dynamics"):
        _, _, result = peer.calls(quantity, list(arrays), 1, False)
        np.testing.assert_allclose(result(), getattr(robot, quantity)(*arrays), rtol=1e-10)
    assert peer.empty() is not None or peer.empty is not None


def test_libraries_that_are_here_compute_the_same():
    robot = ordern.load("ur5")
    arrays = list(np.random.default_rng(0).uniform(-1, 1, (3, 8, 6)))
    for make in LIBRARIES:
        peer = make(robot)
        for quantity in ("inverse_dynamics", "forward_dynamics"):
            made = None if peer is None else peer.calls(quantity, arrays, 1, False)
            if made is not None:
                np.testing.assert_allclose(made[2](), getattr(robot, quantity)(*arrays), rtol=1e-8, atol=1e-8)


@needs.gcc
def test_the_table_says_what_each_ratio_is_to(tmp_path):
    robot = ordern.load("planar3")
    rows = [bench.compare(robot, generated(robot, wide), "inverse_dynamics", 16, 1, 3, 1e-4) for wide in (False, True)]
    text = table(rows, {}, bench.machine())
    assert "peer's time over ours" in text
    assert "8 lanes" in text
    assert all("entry" in row.extra for row in rows)
    plot(rows, tmp_path / "x.svg")
    assert "generated C" in (tmp_path / "x.svg").read_text() or (tmp_path / "x.svg").stat().st_size > 1000


def test_generated_code_leaves_small_numbers_alone():
    """gcc's -Ofast would flush them to zero in the whole process, and with them other people's results."""
    assert float(np.finfo(float).smallest_subnormal) * 1.0 > 0
    assert "-Ofast" not in bench_generated.FLAGS and "-ffast-math" not in bench_generated.FLAGS


def test_derivatives_of_forward_dynamics_are_compared_before_they_are_timed():
    pinocchio = pytest.importorskip("pinocchio")
    from ordern.bench.bench_peers import Pinocchio

    robot = ordern.load("ur5")
    for count in (8, 1):
        row = bench.compare(robot, Pinocchio(robot, pinocchio), "forward_dynamics_derivatives", count, 1, 3, 1e-4)
        assert row.agreement < 1e-9
        assert "computeABADerivatives" in row.call


def test_second_order_and_lanes_have_figures():
    from ordern.bench import bench_bridges

    made = [*bench_bridges._second_order(ordern.load("planar3"), 1), *bench_bridges._lanes(ordern.load("planar3"), 1)]
    assert [m.unit for m in made] == ["s", "us", "us", "us", "us", "times"]
    assert all(m.value > 0 for m in made)
