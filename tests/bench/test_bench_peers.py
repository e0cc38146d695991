"""The benchmark's peers agree with ordern before anything is timed; what is not installed is left out."""

from __future__ import annotations

import platform
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest

import needs
import ordern
from ordern.bench import bench, bench_generated
from ordern.bench.bench_generated import generated
from ordern.bench.bench_libraries import LIBRARIES
from ordern.bench.bench_peers import Peer
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
            made = None if isinstance(peer, str) else peer.calls(quantity, arrays, 1, False)
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


MECHANISMS = ("fourbar", "slider_crank", "fivebar", "threerrr", "delta", "stewart", "andrews", "bricard", "fourbars3")


@needs.gcc
@pytest.mark.parametrize("name", MECHANISMS)
def test_mechanisms_are_measured_where_their_loops_are_closed(name, monkeypatch):
    """Beside generated code; libraries that would cut the loops are not asked."""
    kept = bench.block_time
    monkeypatch.setattr(bench, "block_time", lambda call, seconds: kept(call, 0.0))  # figures do not matter here
    monkeypatch.setattr(bench, "BATCH", 16)
    monkeypatch.setattr(bench, "QUANTITIES", ("forward_dynamics",))
    monkeypatch.setattr(bench, "GENERATED", [lambda robot: generated(robot, False)])
    monkeypatch.setattr(bench_generated, "FLAGS", ["-O0", "-shared", "-fPIC"])
    measures, left_out = bench.bench(name, quick=True)
    assert {m.quantity for m in measures} == {"forward_dynamics"} and "cannot describe the loops" in left_out[0]
    assert len(left_out) == 1
    robot = ordern.load(name)
    given = bench.states(robot, 16)
    assert np.abs(robot.constraint_residual(given["q"])).max() < 1e-14
    rates = np.einsum("bij,bj->bi", robot.constraint_jacobian(given["q"]), given["qd"])
    assert np.abs(rates).max() < 1e-13 * max(1, np.abs(given["qd"]).max())  # sums of ten products, conditioned by 1e3


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
    assert [m.unit for m in made[:6]] == ["s", "us", "us", "us", "us", "times"]
    assert all("8 lanes" in m.what for m in made[6:])
    assert all(m.value > 0 for m in made)


class _Wrong(Peer):
    """A library that means another robot, or fails."""

    def __init__(self, name, result):
        self.name, self.result = name, result

    def calls(self, quantity, arrays, workers, single):
        return "call", lambda: None, lambda: self.result(arrays[0])


WRONG = {"other": lambda a: a + 9, "short": lambda a: a[..., :2], "broken": lambda a: 1 // 0}


def test_what_is_left_out_has_a_sentence(monkeypatch):
    """A peer that is missing, that cannot have the robot or that computes something else stops nothing."""
    wrong = [lambda robot, w=w: _Wrong(*w) for w in WRONG.items()]
    monkeypatch.setattr(bench, "PEERS", [lambda robot: "pinocchio is not installed", lambda robot: 1 // 0, *wrong])
    monkeypatch.setattr(bench, "LIBRARIES", [])
    monkeypatch.setattr(bench, "GENERATED", [])
    monkeypatch.setattr(bench, "QUANTITIES", ("inverse_dynamics",))
    monkeypatch.setattr(bench, "BATCH", 8)
    rows, left_out = bench.bench("planar3", quick=True)
    assert rows == []
    assert left_out[0] == "pinocchio is not installed"
    assert left_out[1].startswith("a peer cannot have planar3: integer division")
    assert "other and ordern differ" in left_out[2]
    assert any("short gives 16 numbers where ordern gives 24" in why for why in left_out)
    assert any("broken, inverse_dynamics of 'planar3': integer division" in why for why in left_out)
    text = table(rows, {}, bench.machine(), (), left_out)
    assert "- Left out: pinocchio is not installed." in text


def test_links_beside_the_path_reach_generated_code():
    """urdf2casadi knows one path of links: what fixed joints hold beside it goes into the links of that path."""
    whole = ordern.load("panda")
    panda = ordern.load("panda", locked={j: 0.0 for j in whole.joint_names if "finger" in j})
    chain = bench_generated._one_link_a_body(panda)
    assert len(chain.link_names) == panda.n + 1
    with tempfile.TemporaryDirectory() as folder:
        chain.to_urdf(Path(folder) / "chain.urdf")
        again = ordern.load(Path(folder) / "chain.urdf", gravity=panda.model.gravity)
    arrays = np.random.default_rng(0).uniform(-1, 1, (3, 5, panda.n))
    np.testing.assert_allclose(again.inverse_dynamics(*arrays), panda.inverse_dynamics(*arrays), rtol=1e-9, atol=1e-9)


@needs.gcc
def test_eight_lanes_take_sines_together():
    """Without glibc's vector functions the wide variant computes sines one by one, and the comparison flatters us."""
    robot = ordern.load("planar3")
    peer = generated(robot, True)
    peer.calls("inverse_dynamics", list(np.zeros((3, 8, 3))), 1, False)
    (library,) = Path(peer.folder.name).rglob("code.so")
    assert not sys.platform.startswith("linux") or platform.machine() != "x86_64" or b"_ZGV" in library.read_bytes()


def test_four_bars_stand_beside_both_peers_with_their_errors(monkeypatch):
    """Each side's accelerations against the formula: exact ones to rounding, those by proximal steps or springs to what these leave."""
    pytest.importorskip("pinocchio")
    pytest.importorskip("mujoco")
    from ordern.bench import bench_loops

    monkeypatch.setattr(bench_loops, "WINDOWS", 3)
    monkeypatch.setattr(bench_loops, "BATCH", 8)
    monkeypatch.setattr(bench_loops, "FEW", 8)
    made = {m.what: m for m in bench_loops._four_bars(1)}
    error = {name: m.value for name, m in made.items() if m.unit == "relative"}
    assert error["  its error"] < 1e-13
    assert next(e for name, e in error.items() if "constraintDynamics" in name) < 1e-12
    assert all(e < 1e-2 for e in error.values())
    assert sum(m.unit == "times" for m in made.values()) >= 2
