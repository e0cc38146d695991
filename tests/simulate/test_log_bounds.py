"""Logs: what is just taken and what just is not (speeds, turns, limits, gaps, lengths), clocks and columns of every kind, and the filter's parts."""

from __future__ import annotations

import itertools
import math
import warnings
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

import ordern
from ordern.simulate import log_filter
from ordern.simulate.log_tables import KINDS, _owner
from ordern.simulate.log_units import exact_time, named_unit, since_first
from robots import serial

STEP = 0.05
INF = (math.inf,)


def arm(kinds="RP", **limits):
    """Joints without limits but for those given to the first."""
    model = serial(kinds, 5)
    world, first, *rest = model.bodies
    free = {"lower": (-math.inf,), "upper": INF, "velocity": ()}
    return ordern.Robot(model.with_bodies([world, replace(first, **{**free, **limits}), *(replace(b, **free) for b in rest)]))  # fmt: skip


def read(folder, robot, t, *columns, header=None, **options):
    """The log of these columns, or the error's text, and all that is warned about."""
    names = header or ["t", *robot.joint_names]
    lines = [",".join("" if x is None else repr(float(x)) for x in row) for row in zip(t, *columns, strict=True)]
    (folder / "log.csv").write_text("\n".join([",".join(names), *lines]) + "\n")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        try:
            made = ordern.read_log(folder / "log.csv", robot, **{"cutoff": math.inf, **options})
        except ordern.InputError as error:
            made = str(error)
    return made, " | ".join(str(w.message) for w in told)


def still(t, value=0.0):
    return np.full(len(t), value)


@pytest.mark.parametrize(
    ("kinds", "velocity", "fastest"), [("RP", (), 20.0), ("PR", (), 5.0), ("RP", (3.0,), 6.0), ("RP", (0.0,), 20.0)]
)
def test_a_step_is_a_jump_beyond_twice_the_velocity_limit(kinds, velocity, fastest, tmp_path):
    """And 0.02 rad or m more, for the log's digits; forwards and backwards, anywhere in the log."""
    robot, t = arm(kinds, velocity=velocity), STEP * np.arange(30)
    for at, way, more in itertools.product((1, 15, 29), (1, -1), (-1e-6, 1e-6)):
        q = np.where(np.arange(30) < at, 0.0, way * (fastest * STEP + 0.02 + more))
        made, _ = read(tmp_path, robot, t, q, still(t))
        assert isinstance(made, str) == (more > 0), (at, way, more)
        assert more < 0 or (f"log.csv:{at + 2}: joint" in made and f"jumps by {q[at] - q[at - 1]:.4g}" in made)


@pytest.mark.parametrize("at", [0, 10, 27])
def test_a_fast_motion_has_neighbours_of_a_third_of_its_speed(at, tmp_path):
    """First, last and in the middle; where a neighbour is slower, it is a jump."""
    t, robot = STEP * np.arange(30), arm()
    for share, there in itertools.product((1 / 3 - 1e-6, 1 / 3 + 1e-6), (-1, 1)):
        if not 0 <= at + there < 29:
            continue
        speeds = np.zeros(29)
        speeds[max(0, at - 1) : at + 2] = 30.0
        speeds[at + there] = 30.0 * share
        for k in (at - 2, at + 2):  # what is fast enough itself has a neighbour too
            if 0 <= k < 29:
                speeds[k] = 18.0
        made, told = read(tmp_path, robot, t, np.append(0.0, np.cumsum(speeds * STEP)), still(t))
        assert isinstance(made, str) == (share < 1 / 3), (share, there)
        assert share < 1 / 3 or "moves at 30 rad/s, faster than the 20" in told


@pytest.mark.parametrize("turns", [(1,), (-1,), (1, 1, -1), (2, -1)])
def test_whole_turns_are_wound_on(turns, tmp_path):
    """Steps that are less than half a radian off whole turns; sliding joints have none."""
    t, robot = STEP * np.arange(40), arm()
    true = np.sin(t)
    jumped = true + 2 * np.pi * sum(n * (np.arange(40) >= 5 + 7 * k) for k, n in enumerate(turns))
    made, told = read(tmp_path, robot, t, jumped, still(t))
    np.testing.assert_allclose(made.q[:, 0], true, rtol=0, atol=1e-12)
    assert f"jumps by a whole turn at line 7 ({len(turns)} such)" in told
    for off, wound in ((0.4999, True), (-0.4999, True), (0.5001, False), (-0.5001, False)):
        made, told = read(tmp_path, robot, t, np.where(t < 1, 0.0, 2 * np.pi + off), still(t))
        assert ("whole turn" in told) == wound == (not isinstance(made, str))
    made, _ = read(tmp_path, robot, t, still(t), np.where(t < 1, 0.0, 2 * np.pi))
    assert "jumps by 6.283 m" in made


@pytest.mark.parametrize(("kinds", "word"), [("RP", "deg"), ("PR", "mm")])
def test_values_beyond_limits(kinds, word, tmp_path):
    """By a twentieth of the stretch between two limits, 0.1 beside one; in degrees or millimetres where all of it then fits."""
    t = STEP * np.arange(30)
    inf = math.inf
    cases = (
        (-1.0, 3.0, 3.199, 0), (-1.0, 3.0, 3.201, 1), (-1.0, 3.0, -1.199, 0), (-1.0, 3.0, -1.201, 1),
        (-inf, 3.0, 3.099, 0), (-inf, 3.0, 3.101, 1), (-1.0, inf, -1.101, 1), (-1.0, inf, -1.099, 0),
    )  # fmt: skip
    for lower, upper, end, told in cases:
        robot = arm(kinds, lower=(lower,), upper=(upper,))
        made, said = read(tmp_path, robot, t, end * t / t[-1], still(t))
        assert not isinstance(made, str) and ("its limits are" in said) == told, (lower, upper, end)
    robot = arm(kinds, lower=(-1.0,), upper=(2.0,))
    slow = np.linspace(0, 40, 400)
    for most, refused in ((6.001, True), (5.999, False)):  # three times the larger limit
        made, said = read(tmp_path, robot, slow, most * slow / slow[-1], still(slow))
        assert isinstance(made, str) == refused and ("looks like" in str(made)) == refused
        assert not refused or (f"log.csv:401: joint 'joint1' is at {most:.5g}" in made and f"looks like {word}" in made)
    made, said = read(tmp_path, robot, slow, 6.001 * slow / slow[-1], still(slow), units=word)
    assert not isinstance(made, str) and not said  # it was said, and then it fits
    made, said = read(tmp_path, robot, slow, -6.001 * slow / slow[-1], still(slow), header=["t", "joint1", "joint2"])
    assert "looks like" in made
    free = arm(kinds)
    bound = 4 * np.pi if kinds == "RP" else 20.0
    for most in (bound - 1e-3, bound + 1e-3):
        for way in (1, -1):
            _, said = read(tmp_path, free, slow, way * most * slow / slow[-1], still(slow))
            assert (f"if the log is in {word}" in said) == (most > bound)


@pytest.mark.parametrize("begin", [0.0, -1.0, 7.0])
def test_times_of_a_log(begin, tmp_path):
    """Rows that are too near in time are one; seven are too few, eight had been too by rounding; what is five usual steps long is a gap."""
    robot, t = arm(), begin + STEP * np.arange(41)
    for share in (
        (0.0, 0.9, 1.1) if begin == -1.0 else (0.0,)
    ):  # of 1e-12 of the log; only times near nought have such digits
        near = np.insert(t, 20, t[20] - share * 2e-12)
        made, told = read(tmp_path, robot, near, still(near), still(near))
        assert ("line 23 has the time of the one before (1 such)" in told) == (share < 1)
        assert share > 1 or len(made.t) == 41
    for rows in (7, 8):
        made, _ = read(tmp_path, robot, t[:rows], still(t[:rows]), still(t[:rows]))
        assert ("too few" in str(made)) == (rows < 8) == isinstance(made, str)
    for rate, enough in ((7 / 2.0 - 1e-9, False), (7 / 2.0, True)):
        made, _ = read(tmp_path, robot, t, still(t), still(t), rate=rate)
        assert ("makes fewer than 8 samples" in str(made)) == (not enough)
        assert not enough or len(made.t) == 8
    for wide, gap in ((4.99, False), (5.01, True)):
        moved = np.where(np.arange(41) < 20, t, t + (wide - 1) * STEP)
        made, told = read(tmp_path, robot, moved, still(t), still(t))
        assert (f"line 22: a gap of {wide * STEP:.4g} s, from {moved[19]:.6g} s on" in told) == gap
        if gap:
            assert f"1 gap left out, {wide * STEP:.4g} s in all" in made.notes
            assert not ((made.t > moved[19] + 1e-9) & (made.t < moved[20] - 1e-9)).any()


def test_pieces_between_gaps(tmp_path):
    """Of eight samples at least; the first five gaps are told; what one joint's log has before another's begins is not looked at."""
    robot = arm()
    t = np.concatenate([10 * k + STEP * np.arange(n) for k, n in enumerate((20, 8, 7, 20, 9, 20, 20))])
    made, told = read(tmp_path, robot, t, still(t), still(t))
    assert told.count("a gap of") == 5 and "6 gaps left out" in " ".join(made.notes)
    assert "1 pieces between gaps are too short and left out" in made.notes
    assert sorted({int(x // 10) for x in made.t}) == [0, 1, 3, 4, 5, 6] and len(made.t) == 97
    q = np.where(t < 30, None, 0.0)
    made, told = read(tmp_path, robot, t, still(t), q)
    assert told.count("a gap of") == 3 and made.t[0] == 30.0
    q = np.where(t < 40, 0.0, None)
    made, told = read(tmp_path, robot, t, still(t), q)
    assert told.count("a gap of") == 3 and abs(made.t[-1] - 30.95) < 1e-9
    few = np.concatenate([10 * k + STEP * np.arange(7) for k in range(5)])
    assert "no 8 samples lie together" in read(tmp_path, robot, few, still(few), still(few))[0]


def test_notes_rates_and_efforts(tmp_path):
    robot, t = arm(), STEP * np.arange(41)
    columns = [np.sin(t), still(t), 2 + 0 * t, 3 + 0 * t]
    header = ["t", "joint1", "joint2", "tau:joint1", "tau:joint2"]
    made, _ = read(tmp_path, robot, t, *columns, header=header, cutoff=4.0, rate=25.0)
    assert made.notes[0] == "41 lines over 2 s, one each 0.05 s (20 Hz)" and "resampled evenly at 25 Hz" in made.notes
    assert any("cut-off 4 Hz (as asked); the first and last 0.12 s" in note for note in made.notes)
    assert (made.rate, made.cutoff) == (25.0, 4.0)
    np.testing.assert_allclose(made.tau, np.broadcast_to([2.0, 3.0], made.tau.shape), rtol=0, atol=1e-9)
    made, _ = read(tmp_path, robot, t, *columns[:3], header=header[:4])
    assert made.tau is None and made.cutoff == math.inf and "not filtered" in made.notes
    for most, refused in ((8.0, False), (8.02, True)):  # 0.8 of half the samples' rate
        made, _ = read(tmp_path, robot, t, *columns[:2], cutoff=most)
        assert isinstance(made, str) == refused
    made, _ = read(tmp_path, robot, t, *columns[:2], still(t, 0.1), header=["t", "joint1", "joint2", "qd:joint1"])
    assert any(note.startswith("velocities are those of the filtered") for note in made.notes)
    for step, told in ((1.0, True), (0.999, False)):
        _, said = read(tmp_path, robot, step * np.arange(20), still(t[:20]), still(t[:20]))
        assert ("if the times are milliseconds" in said) == told


def test_columns_of_no_joint_are_told(tmp_path):
    robot, t = arm(), STEP * np.arange(20)
    strange = [f"x{k}" for k in range(9)]
    made, told = read(
        tmp_path, robot, t, *[still(t)] * 13, header=["t", "joint1", "joint2", *strange, "h.seq", "FRAME_ID"]
    )
    assert f"not used, since 'serial' has no such joint: {', '.join(strange[:8])}, ..." in told or strange[7] in told
    assert "x8" not in told and "seq" not in told and "FRAME" not in told
    made, _ = read(tmp_path, robot, t, *[still(t)] * 8, header=["t", "joint1", *(f"a{k}" for k in range(7))])
    assert "no positions of joint 'joint2'; the log has a0, a1, a2, a3, a4, a5; name" in made
    made, _ = read(tmp_path, robot, t, still(t), [None] * len(t))
    assert "no positions of joint 'joint2'" in made
    made, _ = read(tmp_path, robot, t, *[still(t)] * 3, header=["t", "joint1", "qd:joint2", "tau:joint2"])
    assert "it has only velocities and efforts of it" in made


# --- names and clocks -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("joint", ["joint1", "arm.joint1", "wrist"])
def test_columns_are_known_by_kind_and_joint(joint):
    """Whichever of the two comes first, with any mark between and a topic before; with units; by number."""
    joints = ["elbow", joint]
    for kind, mark in itertools.product(KINDS, ":/ ._"):
        for name in (f"{kind}{mark}{joint}", f"{joint}{mark}{kind}", f"{joint}{mark}{kind.upper()}"):
            assert _owner(name, joints) == (KINDS[kind], joint, ""), name
            assert _owner(f"{name} [deg]", joints) == (KINDS[kind], joint, "deg"), name
    for word, close in itertools.product(
        ("position", "velocity", "effort", "positions"), (("[", "]"), (".", ""), ("/", ""), ("(", ")"))
    ):
        assert _owner(f"/states/{word}{close[0]}{joint}{close[1]}", joints) == (KINDS[word], joint, "")
    assert _owner(f"/topic/{joint}", joints) == _owner(f"'{joint}'", joints) == ("q", joint, "")
    for first in (0, 1):
        for k, name in enumerate(joints):
            for kind in ("q", "qd", "qdd", "dq", "tau"):
                assert _owner(f"{kind}{k + first}", joints, first) == (KINDS[kind], name, "")
        assert _owner(f"q{first - 1}", joints, first) is None and _owner(f"q_{first + 2}", joints, first) is None
    assert _owner("elbows", joints) is None and _owner("q:shoulder", joints) is None


@pytest.mark.parametrize("first", [0, 1])
def test_numbered_columns_begin_at_nought_or_one(first, tmp_path):
    robot, t = arm(), STEP * np.arange(20)
    made, _ = read(tmp_path, robot, t, still(t, 0.1), still(t, 0.2), header=["t", f"q{first}", f"q{first + 1}"])
    np.testing.assert_allclose(made.q[0], [0.1, 0.2], rtol=0, atol=1e-12)
    made, _ = read(tmp_path, robot, t, *(still(t, x) for x in (9.0, 0.1, 0.2)), header=["t", "q0", "q1", "q2"])
    np.testing.assert_allclose(made.q[0], [0.1, 0.2], rtol=0, atol=1e-12)


def test_units_of_names():
    for unit in ("deg", "degrees", "rad", "mm", "cm", "ms", "us", "ns", "s"):
        for name in (f"a_{unit}", f"a [{unit}]", f"a({unit.upper()})", f"a_[ {unit} ]"):
            assert named_unit(name) == ("a", unit)
    assert named_unit("a_b") == ("a_b", "")


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_clocks_since_1970(unit):
    """Without a unit numbers of more than 11, 14 and 17 digits are ms, us and ns, up to 8 a clock of the log's own."""
    scale = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}[unit]
    clock = [Decimal(1_600_000_000) * scale + k * scale for k in range(3)]
    assert since_first(clock, "").tolist() == since_first(clock, unit).tolist() == [0.0, 1.0, 2.0]
    end = 10 ** {"s": 11, "ms": 14, "us": 17, "ns": 20}[unit]
    for sign in (1, -1):
        assert since_first([sign * Decimal(end), sign * Decimal(end + 1)], "")[1] == sign * 1 / scale
        if unit != "ns":
            assert since_first([sign * Decimal(end + 1), sign * Decimal(end + 2)], "")[1] == sign * 1 / (1000 * scale)
    assert since_first([Decimal(10**8), Decimal(10**8 + 1)], "").tolist() == [10**8, 10**8 + 1]
    assert since_first([Decimal(10**8 + 1), Decimal(10**8 + 2)], "").tolist() == [0, 1]
    assert since_first([Decimal(5)], "s").tolist() == [5.0] and since_first([Decimal(5)], "ms").tolist() == [0.0]


def test_times_with_all_their_digits():
    for cell in (7, Decimal("1.25"), 0.1, "1690000000.123456789", "9" * 30, "-1e29"):
        assert exact_time(cell, "log", 1) == Decimal(str(cell))
    assert exact_time("2024-01-02T03:04:05+00:00", "log", 1) == 1704164645
    for cell in ("1" + "0" * 30, "nan", "inf", "soon", None):
        with pytest.raises(ordern.InputError, match=r"log:3: .* is no time"):
            exact_time(cell, "log", 3)


# --- the filter -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("n", [8, 9, 40, 101])
def test_ends_and_trends_of_cubics(n):
    """A cubic has its own end, bend and trend; what is left over of it is nothing."""
    rng = np.random.default_rng(n)
    for c in rng.normal(size=(3, 4)):
        k = np.arange(n)
        x = np.polyval(c, k / n)
        value, curve = log_filter._end(x)
        np.testing.assert_allclose([value, curve], [c[3], 2 * c[1] / n**2], rtol=0, atol=1e-10)
        np.testing.assert_allclose(log_filter._trend(x), x, rtol=0, atol=1e-10)


@pytest.mark.parametrize("n", [9, 26, 82, 202])
def test_a_sine_has_its_own_place_in_the_spectrum(n):
    """All of its power, over as many neighbours as are averaged: an eighth of them, nine at most."""
    k, wide = n // 2, max(1, min(9, (n - 2) // 8))
    power = log_filter._spectrum(0.3 * np.sin(np.pi * k * np.arange(n) / (n - 1)))
    below = wide // 2  # of an even number of neighbours one more lies below
    assert len(power) == n - 2
    assert np.flatnonzero(power > 1e-9).tolist() == list(range(k - 1 - below, k - 1 - below + wide))
    np.testing.assert_allclose(power.sum(), 0.3**2 * (n - 1) ** 2 / n, rtol=1e-9)


def test_what_rises_from_the_noise():
    power = np.array([5.0, 10.1, 9.9, 10.0, 1.0])
    assert log_filter._highest(power, 1.0) == 2 and log_filter._highest(power / 100, 1.0) == 0
    assert log_filter._highest(np.array([1.0, 2e-23, 0.5e-23]), 0.0) == 2 and log_filter._highest(np.zeros(3), 0.0) == 0


@pytest.mark.parametrize("begin", [0.0, 100.0])
@pytest.mark.parametrize("waves", [4, 12, 100])
def test_the_cut_off_lies_above_the_motion_and_below_the_noise(waves, begin):
    """At 1.5 times the highest frequency of any joint in any piece; of what stands still, three over the longest piece."""
    t = begin + 0.01 * np.arange(401)
    noise = 1e-4 * np.random.default_rng(0).normal(size=(2, 401))
    own = [(t, np.sin(2 * np.pi * waves / 4 * (t - begin)) + noise[0], None), (t, np.sin(t - begin) + noise[1], None)]
    ends = [[(begin, begin + 4.0)], [(begin, begin + 1.0)], [(begin, begin + 1.0), (begin + 2.0, begin + 4.0)]]
    for order, pieces in itertools.product((own, own[::-1]), ends):
        made = log_filter.bend(order, pieces, 0.01)
        assert 1.5 * waves / 4 <= made < 1.5 * waves / 4 + 5.0
    still_ = [(t, 0.0 * t, None)]
    assert log_filter.bend(still_, [(begin, begin + 1.0), (begin + 1.5, begin + 4.0)], 0.01) == pytest.approx(1.2)


@pytest.mark.parametrize("cut", [math.inf, 2.0, 20.0, 45.0])
@pytest.mark.parametrize("begin", [0.0, 100.0])
def test_cubics_pass_the_filter(begin, cut):
    """With their rates and accelerations, at another rate, out of samples at other times that go on beyond both ends."""
    rng = np.random.default_rng(1)
    c = rng.normal(size=(2, 4))
    t = [begin + np.sort(np.append(0.011 * np.arange(-9, 120), [0.5, 0.777])), begin + 0.012 * np.arange(-9, 120)]
    own = [(s, np.polyval(p, s - begin)) for s, p in zip(t, c, strict=True)]
    made = log_filter.smooth(own, begin, begin + 1.0, (0.01, 0.03), cut)
    np.testing.assert_allclose(made[0], begin + 0.03 * np.arange(34), rtol=0, atol=1e-12)
    for k in range(3):
        wanted = np.stack([np.polyval(np.polyder(p, k), made[0] - begin) for p in c], axis=1)
        np.testing.assert_allclose(made[k + 1], wanted, rtol=0, atol=10.0 ** (2 * k - 9))


@pytest.mark.parametrize("share", [0.05, 0.2])
def test_the_filter_is_butterworths_of_fourth_order_twice(share):
    """In the middle of a long log a wave of frequency f keeps 1 / (1 + (tan(pi f) / tan(pi cut))^8) of its size."""
    n = 2001
    for f in (0.5 * share, share, 1.3 * share):
        t = np.arange(n, dtype=float)
        x = np.sin(2 * np.pi * f * (t - n // 2))
        _, made, *_ = log_filter.smooth([(t, x)], 0.0, n - 1.0, (1.0, 1.0), share)
        keep = 1 / (1 + (np.tan(np.pi * f) / np.tan(np.pi * share)) ** 8)
        middle = slice(n // 2 - 100, n // 2 + 100)
        np.testing.assert_allclose(made[middle, 0], keep * x[middle], rtol=0, atol=2e-3)


@pytest.mark.parametrize("header", ["0,0.1,0.2", "0,,0.2", "nan,1e3,-2"])
def test_a_log_begins_with_names(header, tmp_path):
    (tmp_path / "log.csv").write_text(f"# a note\n{header}\n1,2,3\n")
    with pytest.raises(ordern.InputError, match=r"log\.csv:2: there is no header row"):
        ordern.read_log(tmp_path / "log.csv", arm())


@pytest.mark.parametrize(
    "odd",
    [
        "-1,5,base,joint1,joint2,0.1,0.2", "1.5,5,base,joint1,joint2,0.1,0.2", "1,x,base,joint1,joint2,0.1,0.2", "1,5,base,joint1,joint2,0.1",
        "1,5,base,joint1,joint2,0.1,0.2,0.3", "1,5,base,0.1,0.2", "1,5,base,joint1,joint2,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8",
    ],
)  # fmt: skip
def test_messages_in_lines_have_names_and_as_many_numbers(odd, tmp_path):
    """Of positions, or of velocities and efforts too; the one line that is none is named."""
    lines = [
        f"1,{k * 10**7},base,joint1,joint2,{0.01 * k},0.5" + ",0.1,0.2" * (k % 2) + ",7,8" * (k % 4 == 3)
        for k in range(24)
    ]
    (tmp_path / "log.csv").write_text("\n".join(lines))
    log = ordern.read_log(tmp_path / "log.csv", arm(), cutoff=math.inf)
    np.testing.assert_allclose(log.q, [[0.01 * k, 0.5] for k in range(24)], rtol=0, atol=1e-12)
    np.testing.assert_allclose(np.diff(log.t), 0.01, rtol=0, atol=1e-12)
    np.testing.assert_allclose(log.tau, np.tile([7.0, 8.0], (24, 1)), rtol=0, atol=1e-12)
    (tmp_path / "log.csv").write_text("\n".join([*lines[:7], odd, *lines[7:]]))
    with pytest.raises(ordern.InputError, match=r"log\.csv:8: \d+ values are no JointState"):
        ordern.read_log(tmp_path / "log.csv", arm())


@pytest.mark.parametrize("many", [0, 4, 5, 6, 30])
def test_efforts_are_read_of_all_joints_or_left_out_with_a_word(many, tmp_path):
    """Of more than five lines each: fewer say nothing of a motion."""
    robot, t = arm(), STEP * np.arange(30)
    few = [0.7 if many and k % (30 // many) == 0 and k // (30 // many) < many else None for k in range(30)]
    names = ["t", *robot.joint_names, *(f"tau_{n}" for n in robot.joint_names)]
    for columns in (([0.7] * 30, few), (few, few), ([0.7] * 30,)):
        made, told = read(tmp_path, robot, t, still(t), still(t), *columns, header=names[: 3 + len(columns)])
        assert not isinstance(made, str), made
        there = many > 5 and len(columns) == 2
        assert (made.tau is not None) == there
        assert repr(made).startswith(f"<MotionLog: 30 samples, 20 Hz, with{'' if there else 'out'} efforts>")
        if there:
            np.testing.assert_allclose(made.tau, 0.7, rtol=0, atol=1e-12)  # a constant passes any filter
        one = robot.joint_names[0] if columns == (few, few) else robot.joint_names[1]
        count = many if many and len(columns) == 2 else "none"
        silent = there or (columns == (few, few) and not many)  # a column of blanks is no column
        assert ("efforts are left out" in told) != silent, told
        assert silent or f"joint {one!r} has {count}, and each joint needs 6" in told, told
