"""Logs: every dialect of one recording gives the same torques, noise is filtered before it is differentiated, and what is wrong is told by line."""

from __future__ import annotations

import json
import math
import os
import re
import shlex
from dataclasses import replace

import numpy as np
import pytest
from recordings import (
    ARM,
    DIALECTS,
    NAMES,
    RATE,
    SPAN,
    WAY,
    T,
    bag,
    plain,
    recorded,
    rows,
    single_mcap,
    sqlite,
)

import needs
import ordern
from ordern.cli import _guarded
from ordern.simulate.series_files import read_series
from robots import mimicking


@pytest.mark.filterwarnings("ignore:.*not used, since:ordern.errors.OrdernWarning")
@pytest.mark.parametrize("write", DIALECTS)
def test_every_dialect_gives_the_same_torques(write, tmp_path):
    q = recorded(1e-4)
    (tmp_path / "plain").mkdir()
    wanted = ordern.read_log(plain(tmp_path / "plain", q), ARM, cutoff=5.0)
    log = ordern.read_log(write(tmp_path, q), ARM, cutoff=5.0)
    np.testing.assert_allclose(log.t - log.t[0], wanted.t, rtol=0, atol=2e-9)
    np.testing.assert_allclose(log.q, wanted.q, rtol=0, atol=1e-9)  # times to the nanosecond, at 1 rad/s
    tau, true = (ARM.inverse_dynamics(x.q, x.qd, x.qdd) for x in (log, wanted))
    np.testing.assert_allclose(tau, true, rtol=0, atol=1e-5)
    if write in (bag, sqlite, single_mcap):
        np.testing.assert_allclose(log.tau, [[1.0, 2.0, 3.0]] * len(log.t), rtol=0, atol=1e-9)


@pytest.mark.parametrize("rate", [None, 50.0, 333.0])
@pytest.mark.parametrize("seed", range(3))
def test_noise_of_a_milliradian_leaves_torques_near(rate, seed, tmp_path):
    """Differentiated as it stands, the noise makes 1e-3 * 200^2 = 40 rad/s^2 of acceleration; the true torques are 5 N m."""
    log = ordern.read_log(plain(tmp_path, recorded(1e-3, seed)), ARM, rate=rate)
    true = ARM.inverse_dynamics(*WAY(log.t))
    off = np.abs(ARM.inverse_dynamics(log.q, log.qd, log.qdd) - true)
    assert 0.5 < log.cutoff < 8 and abs(log.rate - (rate or RATE)) < 1e-6
    assert off.max() < 0.03 * np.abs(true).max() and np.sqrt(np.mean(off**2)) < 0.005 * np.abs(true).max()
    raw = ordern.read_log(plain(tmp_path, recorded(1e-3, seed)), ARM, cutoff=math.inf)
    assert (
        np.abs(ARM.inverse_dynamics(raw.q, raw.qd, raw.qdd) - ARM.inverse_dynamics(*WAY(raw.t))).max() > 30 * off.max()
    )


def test_without_noise_nothing_is_lost(tmp_path):
    log = ordern.read_log(plain(tmp_path, recorded()), ARM)
    true, middle = WAY(log.t), (log.t > 0.3) & (log.t < SPAN - 0.3)
    np.testing.assert_allclose(log.qdd[middle], true.qdd[middle], rtol=0, atol=1e-4)
    np.testing.assert_allclose(
        log.qdd, true.qdd, rtol=0, atol=0.05
    )  # the third derivative is not zero at the ends, which no filter knows
    assert any("cut-off" in note for note in log.notes) and any("200 Hz" in note for note in log.notes)


@pytest.mark.parametrize("share", [None, 0.3, 0.35, 0.4])
@pytest.mark.parametrize("count", [20, 60, 300])
def test_filters_near_the_highest_frequency_do_not_ring(count, share, tmp_path):
    """Without noise the chosen cut-off is the highest: the filter rang there, 7 rad/s^2 instead of 0.45."""
    way = ordern.trajectory.quintic([0.1, 0.2, 0.3], [0.8, -0.3, 0.1], duration=3.0)
    t = np.linspace(0.0, 3.0, count)
    lines = [",".join(map(repr, map(float, (a, *way(a).q)))) for a in t]
    (tmp_path / "log.csv").write_text("\n".join(["t,joint1,joint2,joint3", *lines]) + "\n")
    cutoff = None if share is None else share * (count - 1) / 3.0
    log = ordern.read_log(tmp_path / "log.csv", ARM, cutoff=cutoff)
    assert np.abs(log.qdd - way(log.t).qdd).max() < 20.0 / count**2  # interpolation between few samples is no better


def test_the_value_that_is_shown_stands_in_the_line_that_is_named(tmp_path):
    q = np.degrees(WAY(np.linspace(0, SPAN, 100)).q)
    lines = [",".join(map(repr, map(float, (a, *row)))) for a, row in zip(np.linspace(0, SPAN, 100), q, strict=True)]
    (tmp_path / "log.csv").write_text("\n".join(["t,joint1,joint2,joint3", *lines]) + "\n")
    world, *bodies = ARM.model.bodies
    arm = ordern.Robot(ARM.model.with_bodies([world, *(replace(b, lower=(-3.0,), upper=(3.0,)) for b in bodies)]))
    with pytest.raises(ordern.InputError, match="looks like deg") as error:
        ordern.read_log(tmp_path / "log.csv", arm)
    line, value = re.search(r"log\.csv:(\d+): .* is at (\S+) rad", str(error.value)).groups()
    assert any(f"{x:.5g}" == value for x in q[int(line) - 2])


def test_no_phase(tmp_path):
    """A filter that runs one way only would come late by some 0.1 s."""
    log = ordern.read_log(plain(tmp_path, recorded(1e-3)), ARM, cutoff=3.0)
    best = min(range(-20, 21), key=lambda k: np.abs(log.q[30:-30] - WAY(log.t[30:-30] + k / RATE).q).max())
    assert best == 0


@pytest.mark.parametrize("jitter", [0.0, 0.3])
def test_uneven_times_and_gaps(jitter, tmp_path):
    rng = np.random.default_rng(0)
    t = T + jitter / RATE * rng.uniform(-0.5, 0.5, len(T))
    keep = (T < 1.0) | (T > 1.4)
    lines = [[float(a), *map(float, x)] for a, x in zip(t[keep], WAY(t[keep]).q, strict=True)]
    (tmp_path / "log.csv").write_text(rows(["t", *NAMES], lines))
    with pytest.warns(ordern.OrdernWarning, match=rf"line {2 + int((T < 1.0).sum())}: a gap of 0.4"):
        log = ordern.read_log(tmp_path / "log.csv", ARM, cutoff=10.0)
    assert not ((log.t > 1.02) & (log.t < 1.38)).any() and any("1 gap left out" in n for n in log.notes)
    inner = np.abs(log.t[:, None] - [0, 1.0, 1.4, SPAN]).min(axis=1) > 0.2
    true = WAY(log.t)
    np.testing.assert_allclose(log.qdd[inner], true.qdd[inner], rtol=0, atol=0.05)


class Swing:
    """Cut out of the middle of a motion: neither end is at rest."""

    def __call__(self, t):
        size, way = np.array([0.5, -0.4, 0.3]), 2 * np.pi * 0.4
        t = np.asarray(t)[:, None]
        return size * np.sin(way * t + 0.7), size * way * np.cos(way * t + 0.7), -size * way**2 * np.sin(way * t + 0.7)


@pytest.mark.parametrize("way", [WAY, Swing()], ids=["rest to rest", "swinging"])
@pytest.mark.parametrize("noise", [1e-3, 1e-5])
@pytest.mark.filterwarnings("ignore:.*a gap of:ordern.errors.OrdernWarning")
def test_a_gap_anywhere_leaves_the_cut_off_and_the_torques(way, noise, tmp_path):
    """What a gap cuts off ends with an acceleration. Taken for a corner, it raised the cut-off tenfold."""
    q = np.asarray(next(iter(way(T)))) + noise * np.random.default_rng(1).normal(size=(len(T), 3))

    def read(keep):
        lines = [[float(t), *map(float, x)] for t, x in zip(T[keep], q[keep], strict=True)]
        (tmp_path / "log.csv").write_text(rows(["t", *NAMES], lines))
        log = ordern.read_log(tmp_path / "log.csv", ARM)
        true = ARM.inverse_dynamics(*way(log.t))
        return log.cutoff, np.abs(ARM.inverse_dynamics(log.q, log.qd, log.qdd) - true).max() / np.abs(true).max()

    whole, off = read(T >= 0)
    assert off < 0.03
    for begin in np.arange(0.15, 2.2, 0.2):  # from a first piece of 30 samples to a last one of 30
        cut, off = read((begin > T) | (begin + 0.7 < T))
        if noise > 1e-4:  # with less noise, more can be seen of a piece
            assert cut < 4 * whole, (begin, cut, whole)  # pieces are shorter, their spectra coarser
        assert off < (0.1 if noise > 1e-4 else 0.01), (begin, off)  # at the ends of the shortest piece


def edited(change):
    lines = [[float(t), *map(float, x)] for t, x in zip(T, recorded(), strict=True)]
    header = ["t", *NAMES]
    change(header, lines)
    return rows(header, lines)


def _jump(header, lines):
    for line in lines[100:]:
        line[2] += 0.8


def _spike(header, lines):
    lines[100][2] += 0.8


def _back(header, lines):
    lines[100][0] = lines[98][0]


def _word(header, lines):
    lines[100][2] = "abc"


def _infinite(header, lines):
    lines[100][2] = "inf"


def _unknown(header, lines):
    header[2] = "joint_2"


def _short(header, lines):
    lines[100].pop()


def _few(header, lines):
    del lines[4:]


def _efforts(header, lines):
    header[1:] = [f"tau:{n}" for n in header[1:]]


def _untimed(header, lines):
    header[0] = "number"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_jump, r":102: joint 'joint2' jumps by 0\.8"), (_spike, r":102: joint 'joint2' jumps by 0\.8"), (_back, r":102: the time goes back"),
        (_word, r":102: 'abc' is not a number"), (_infinite, r":102: 'joint2' is infinite"),
        (_unknown, r"no positions of joint 'joint2'; did you mean 'joint_2'"),
        (_short, r":102: 3 values, but the header has 4"), (_few, "too few"), (_efforts, "only efforts of it"),
        (_untimed, "no column holds the time"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_by_line(change, said, tmp_path):
    (tmp_path / "log.csv").write_text(edited(change))
    with pytest.raises(ordern.InputError, match=said):
        ordern.read_log(tmp_path / "log.csv", ARM)


def _nan(header, lines):
    lines[100][2] = "nan"


def _double(header, lines):
    lines[100][0] = lines[99][0]


def _turn(header, lines):
    for line in lines[100:]:
        line[2] += 2 * math.pi


def _stranger(header, lines):
    header.append("finger")
    for line in lines:
        line.append(0.5)


def _empty(header, lines):
    for line in lines[1::2]:
        line[2] = ""


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_nan, "1 NaN in column 'joint2', the first at line 102"),
        (_double, "line 102 has the time"),
        (_turn, "whole turn at line 102"),
        (_stranger, "finger"),
    ],
)
def test_what_is_doubtful_is_warned_about_by_line(change, said, tmp_path):
    (tmp_path / "log.csv").write_text(edited(change))
    with pytest.warns(ordern.OrdernWarning, match=said):
        log = ordern.read_log(tmp_path / "log.csv", ARM, cutoff=8.0)
    middle = (log.t > 0.4) & (log.t < SPAN - 0.4)
    off = 0.2 if change is _double else 0.05  # a sample that is 5 ms late is 5 mrad off
    np.testing.assert_allclose(log.qdd[middle], WAY(log.t[middle]).qdd, rtol=0, atol=off)


def test_empty_cells_belong_to_other_topics(tmp_path):
    (tmp_path / "log.csv").write_text(edited(_empty))
    log = ordern.read_log(tmp_path / "log.csv", ARM, cutoff=8.0)
    np.testing.assert_allclose(log.q[40:-40], WAY(log.t[40:-40]).q, rtol=0, atol=1e-4)


def test_degrees_and_millimetres(tmp_path):
    """A log in degrees or millimetres is not taken for radians and metres."""
    ur5 = ordern.load("ur5")
    arm = ordern.Robot.from_dh([{"joint": "prismatic", "mass": 2.0, "lower": -0.2, "upper": 0.3}], name="slide")
    way = ordern.trajectory.cycloid(np.full(6, -0.5), np.full(6, 1.0), duration=SPAN)(T).q
    (tmp_path / "deg.csv").write_text(
        rows(["t", *ur5.joint_names], [[float(t), *map(float, np.degrees(x))] for t, x in zip(T, way, strict=True)])
    )
    with pytest.raises(ordern.InputError, match=r"deg\.csv:\d+: .*looks like deg"):
        ordern.read_log(tmp_path / "deg.csv", ur5)
    np.testing.assert_allclose(ordern.read_log(tmp_path / "deg.csv", ur5, units="deg").q, way, rtol=0, atol=1e-3)
    slide = 100 * np.sin(T) + 20
    (tmp_path / "mm.csv").write_text(
        rows(["t", arm.joint_names[0]], [[float(t), float(x)] for t, x in zip(T, slide, strict=True)])
    )
    with pytest.raises(ordern.InputError, match=r"mm\.csv:\d+: .*looks like mm"):
        ordern.read_log(tmp_path / "mm.csv", arm)
    np.testing.assert_allclose(
        ordern.read_log(tmp_path / "mm.csv", arm, units="mm").q[:, 0], slide / 1000, rtol=0, atol=1e-4
    )
    turned = rows(
        ["t", *NAMES], [[10 * float(t), *map(float, np.degrees(x))] for t, x in zip(T, recorded(), strict=True)]
    )
    (tmp_path / "d.csv").write_text(turned)
    with pytest.warns(ordern.OrdernWarning, match="if the log is in deg"):  # no limits: only told
        ordern.read_log(tmp_path / "d.csv", ARM)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"cutoff": 0}, "inf for no filter"), ({"cutoff": 100.0}, "hold nothing above 100"), ({"cutoff": -1.0}, "cutoff"),
        ({"rate": 0.0}, "rate"), ({"rate": 0.5}, "fewer than"),
        ({"units": "miles"}, "miles"),
        ({"units": "mm"}, "units='mm' has no effect"), ({"topic": "/joint_states"}, "topic='/joint_states' has no effect"),
    ],
)  # fmt: skip
def test_options_that_make_no_sense(options, said, tmp_path):
    with pytest.raises(ordern.InputError, match=said):
        ordern.read_log(plain(tmp_path, recorded()), ARM, **options)


@pytest.mark.filterwarnings("ignore:.*not used, since:ordern.errors.OrdernWarning")
def test_bags(tmp_path):
    place = bag(tmp_path, recorded(), more=("/other_states",))
    assert (
        ordern.read_log(place, ARM, topic="/other_states")
        .notes[1]
        .startswith("topic /other_states (there are /gripper_states, /joint_states too)")
    )
    with pytest.raises(ordern.InputError, match=r"no topic '/joint_stats'.*did you mean '/joint_states'"):
        ordern.read_log(place, ARM, topic="/joint_stats")
    with pytest.raises(ordern.InputError, match="no positions of joint 'joint1'"):
        ordern.read_log(place, ARM, topic="/gripper_states")
    (tmp_path / "broken.mcap").write_bytes(b"\x89MCAP0\r\n" + bytes(50))
    with pytest.raises(ordern.InputError, match="cannot be read as a ROS bag"):
        ordern.read_log(tmp_path / "broken.mcap", ARM)
    (tmp_path / "folder").mkdir()
    with pytest.raises(ordern.InputError, match="no ROS 2 bag"):
        ordern.read_log(tmp_path / "folder", ARM)
    with pytest.raises(ordern.InputError, match="quaternions"):
        ordern.read_log(place, ordern.load("planar3", base="floating"))


def test_the_command_line(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    q = recorded(1e-3)
    plain(tmp_path, q)
    assert _guarded(shlex.split("inverse planar3 --log log.csv --rate 100 --out tau.csv --json")) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["rows"] == 301
    assert "601 lines over 3 s" in err and "resampled evenly at 100 Hz" in err and "cut-off" in err
    made = np.genfromtxt(tmp_path / "tau.csv", delimiter=",", names=True, deletechars="")
    true = ARM.inverse_dynamics(*WAY(made["t"]))
    assert np.abs(made["tau:joint1"] - true[:, 0]).max() < 0.03 * np.abs(true).max()
    for line, said in (
        ("inverse planar3 --log log.csv -t cycloid", "either --trajectory"), ("inverse planar3", "either --trajectory"),
        ("inverse planar3 --log log.csv --to 1,1,1", "--to has no effect"),
        ("inverse planar3 -t cycloid --to 1,1,1 --cutoff 5", "--cutoff has no effect"),
        ("inverse planar3 --log log.csv --units mm", "--units mm has no effect"), ("inverse planar3 --log lag.csv", "did you mean 'log.csv'"),
        ("inverse ur5 --log log.csv", "--locked shoulder_pan_joint=0.0"),
    ):  # fmt: skip
        assert _guarded(shlex.split(line)) == 2
        err = capsys.readouterr().err
        assert said in err and err.count("\n") == 1, err


def test_a_clock_that_jitters_loses_no_row(tmp_path):
    """Times in whole nanoseconds since 1970, kept as floats, step by 256 ns; the median step alone would leave the last row out."""
    stamps = [int(1.7e18 + x * 1e9) for x in T]
    (tmp_path / "log.csv").write_text(
        rows(("stamp", *NAMES), [[s, *row] for s, row in zip(stamps, recorded(), strict=True)])
    )
    log = ordern.read_log(tmp_path / "log.csv", ARM)
    assert len(log.t) == len(T) and log.rate == pytest.approx(RATE, rel=1e-6)


def test_a_missing_log_is_compared_with_its_kind(tmp_path):
    (tmp_path / "logs.sh").touch()
    (tmp_path / "motion.csv").touch()
    with pytest.raises(ordern.InputError, match=r"no such file; did you mean 'motion.csv'\?"):
        ordern.read_log(tmp_path / "motions.csv", ARM)


@needs.posix
@pytest.mark.parametrize("name", ["x.mcap", "x.db3", "x.parquet", "x.npz", "x.csv", "bag/x.db3"])
def test_logs_that_are_no_files_are_not_waited_for(tmp_path, name):
    (tmp_path / "bag").mkdir()
    (tmp_path / "bag" / "metadata.yaml").write_text("rosbag2_bagfile_information: {}\n")
    os.mkfifo(tmp_path / name)
    with pytest.raises(ordern.InputError, match="no ordinary file"):
        ordern.read_log(tmp_path / "bag" if "/" in name else tmp_path / name, ARM)
    (tmp_path / name).unlink()
    (tmp_path / name).symlink_to("/dev/zero")
    with pytest.raises(ordern.InputError, match="no ordinary file"):
        ordern.read_log(tmp_path / "bag" if "/" in name else tmp_path / name, ARM)


def test_a_wide_header_is_looked_through_once(tmp_path):
    """For every column a look at all before it would be 10^9 comparisons."""
    names = [*(f"column{k}" for k in range(40_000)), "column39999"]
    (tmp_path / "x.csv").write_text(rows(names, [[1] * len(names)] * 2))
    for read in (lambda: ordern.read_log(tmp_path / "x.csv", ARM), lambda: read_series(tmp_path / "x.csv")):
        with pytest.raises(ordern.InputError, match="'column39999' is there twice"):
            read()


def test_degrees_are_told_before_the_jumps_they_make(tmp_path):
    """The first joint is at no angle that only degrees have, and jumps; another one gives it away."""
    ur5 = ordern.robots.ur5()
    table = [[0.01 * k, 3.0 * k, 200.0, *[0.0] * 4] for k in range(5)]
    (tmp_path / "deg.csv").write_text(rows(["t", *ur5.joint_names], table))
    with pytest.raises(ordern.InputError, match=r"'shoulder_lift_joint'.*looks like deg"):
        ordern.read_log(tmp_path / "deg.csv", ur5)


@pytest.mark.parametrize("spoiled", [None, 0, 40, -1])
def test_a_fast_swing_is_told_and_a_jump_within_it_refused(spoiled, tmp_path):
    """A joint at 30 rad/s moves so from sample to sample; a sample that is 2 rad off does not belong to it."""
    t = np.arange(0, 1, 0.01)
    q = np.stack([np.zeros_like(t), -6.0 * np.cos(5 * t), np.sin(t)], axis=1)
    if spoiled is not None:
        q[spoiled, 1] += 2.0
    (tmp_path / "log.csv").write_text(rows(["t", *NAMES], np.column_stack([t, q]).tolist()))
    if spoiled is None:
        with pytest.warns(ordern.OrdernWarning, match=r"joint2' moves at (29|30)\.?\d* rad/s, faster than the 20"):
            log = ordern.read_log(tmp_path / "log.csv", ARM, cutoff=30.0)
        np.testing.assert_allclose(log.q[20:-20], q[20:-20], rtol=0, atol=1e-3)
    else:
        with pytest.raises(ordern.InputError, match=r"joint 'joint2' jumps by"):
            ordern.read_log(tmp_path / "log.csv", ARM)


def test_times_nearer_than_rounding_are_one_time(tmp_path):
    """A damaged time of 6e-315 s after 0: the slope to the next sample is no number."""
    t = np.arange(30) / 100
    t[1] = 6e-315
    path = tmp_path / "log.csv"
    path.write_text("t,joint1,joint2,joint3\n" + "".join(f"{x!r},{x},{x},{x}\n" for x in t.tolist()))
    with pytest.warns(ordern.OrdernWarning, match="has the time of the one before"):
        made = ordern.read_log(path, ordern.robots.planar3(), cutoff=np.inf)
    assert np.isfinite(made.q).all() and np.isfinite(made.qdd).all()


def test_columns_of_joints_that_follow_are_told(tmp_path):
    """They had been left out without a word, whatever they held."""
    robot = ordern.Robot(mimicking())
    lines = "\n".join(f"{0.01 * k}{f',{0.001 * k}' * 4},5.0" for k in range(100))
    (tmp_path / "log.csv").write_text(f"time,{','.join(robot.joint_names[:4])},joint3\n{lines}\n")
    log = ordern.read_log(tmp_path / "log.csv", robot)
    assert any("follow other joints: joint3" in note for note in log.notes)
