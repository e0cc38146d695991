"""Bounds and numbers of studies: what is just allowed and what just is not, which draws runs get, what goes side by side."""

from __future__ import annotations

import zlib
from dataclasses import replace

import numpy as np
import pytest

import ordern
import robots
from ordern.sweep.study import parse
from ordern.sweep.study_rules import KINDS, Reader, shown
from ordern.sweep.sweep import sweep
from ordern.sweep.sweep_block import _calls, simulate_block

ARM = ordern.load("planar3")
HEAD = 'robot = "planar3"\n'
LAWS = {
    "pd": '[controller]\nlaw = "pd"\ntarget = 0.0\nkp = 1.0\nkd = 1.0\n',
    "path": '[controller]\nlaw = "computed-torque"\nkp = 1.0\nkd = 1.0\npath = { to = 0.5 }\n',
    "gravity": '[controller]\nlaw = "gravity-compensation"\n',
    "constant": '[controller]\nlaw = "constant"\ntau = 0.0\n',
}


def made(sweep, head="", law="pd", payload="[payload]\nmass = 1.0\n"):
    return parse(f"{HEAD}{head}\n{LAWS.get(law, '')}{payload}[sweep]\n{sweep}\n", "s.toml", robot=ARM)


def law_of(key):
    return (
        "path" if "path" in key else "gravity" if key.endswith("er.damping") else "constant" if "tau" in key else "pd"
    )


# key: the least and the largest number that is allowed, and numbers that just are not
BOUNDS = {
    "simulation.duration": ([1e-9, 1e3], [0.0]),
    "simulation.rtol": ([1e-15, 1.0], [9e-16, 1.001]),
    "simulation.atol": ([0.0, 10.0], [-1e-12]),
    "simulation.dt": ([1e-9], [0.0]),
    "simulation.output_dt": ([1e-3], [0.0]),
    "simulation.friction_speed": ([1e-9], [0.0]),
    "simulation.max_steps": ([1.0, 1e15], [0.999, 1.1e15]),
    "simulation.max_seconds": ([1e-9], [0.0]),
    "controller.kp": ([0.0, 1e9], [-1e-9]),
    "controller.kd": ([0.0, 1e9], [-1e-9]),
    "controller.damping": ([0.0, 1e9], [-1e-9]),
    "controller.tau": ([-1e9, 0.0], []),
    "controller.target": ([-1e9, 0.0], []),
    "controller.path.from": ([-1e9, 0.0], []),
    "controller.path.to": ([-1e9, 0.0], []),
    "controller.path.duration": ([1e-9], [0.0]),
    "start.q": ([-1e9, 0.0], []),
    "start.qd": ([-1e9, 0.0], []),
    "payload.mass": ([0.0, 1e9], [-1e-9]),
    "payload.com.x": ([-1e9, 0.0], []),
    "payload.inertia.xx": ([-1e9, 0.0], []),
    "gravity.x": ([-1e9, 0.0], []),
    "masses": ([1e-9, 1e9], [0.0]),
    "damping": ([0.0, 1e9], [-1e-9]),
    "friction": ([0.0, 1e9], [-1e-9]),
}
WORDS = {
    "simulation.method": ["rk4", "euler"],
    "simulation.friction": [True, False],
    "simulation.limits": [True, False],
    "simulation.saturate": [True, False],
    "controller.gravity": ["none", "actual"],
    "controller.path.profile": ["cycloid", "quintic"],
    "payload.link": ["link1", "link2"],
}
# runs that differ in these go side by side; all others are calls of their own
SIDE_BY_SIDE = {
    "start.q", "start.qd", "controller.target", "controller.kp", "controller.kd", "controller.damping", "controller.tau",
    "payload.mass", "payload.com.x", "payload.inertia.xx", "masses", "damping", "friction",
}  # fmt: skip


def text(values):
    return "[" + ", ".join(f"'{v}'" if isinstance(v, str) else str(v).lower() for v in values) + "]"


def method(key):
    return '[simulation]\nmethod = "rk4"\n' if key.endswith(".dt") else ""


def test_the_table_has_every_key():
    named = {key.removesuffix(".x").removesuffix(".xx") for key in {**BOUNDS, **WORDS}}
    assert named == {".".join(place) for place in KINDS}


@pytest.mark.parametrize("key", [*BOUNDS, *WORDS])
def test_bounds_and_what_goes_side_by_side(key):
    good, bad = BOUNDS.get(key) or (WORDS[key], [])
    options = {"law": law_of(key), "head": method(key)}
    assert made(f"{key} = {text(good)}", **options).runs == len(good)
    for value in bad:
        with pytest.raises(ordern.InputError, match=r"must be (above|at least|at most)"):
            made(f"{key} = [{value!r}]", **options)
    two = [good[0], 0.5] if key in BOUNDS else good
    two = {"simulation.output_dt": [0.1, 2e-3], "simulation.max_steps": [1.0, 2.0]}.get(key, two)
    study = made(f"{key} = {text(two[:2])}", **options)
    found = [rows.tolist() for rows in _calls(study, study.plan.values(0, 2), 2)]
    assert found == ([[0, 1]] if key in SIDE_BY_SIDE else [[0], [1]])


@pytest.mark.parametrize("law", ["uniform", "loguniform", "normal"])
@pytest.mark.parametrize("each", [0, 3])
def test_draws_are_those_of_their_generators(law, each):
    """Across the end of a chunk of 1024 runs, one number or one a joint, clipped or not."""
    a, b = (0.5, 2.0)
    where = "start.q" if each else "start.q.joint2"
    entry = f"{law} = [{a}, {b}]" + (", each = true" if each else "")
    rows, width = np.arange(1020, 1030), (each,) if each else ()
    chunks = []
    for chunk in (0, 1):
        rng = np.random.default_rng([7, zlib.crc32(where.encode()), chunk])
        x = rng.normal(a, b, (1024, *width)) if law == "normal" else rng.random((1024, *width))
        chunks.append({"uniform": a + (b - a) * x, "loguniform": a * (b / a) ** x, "normal": x}[law])
    wanted = np.concatenate(chunks)[1020:1030]
    for clip in ("", ", clip = [0.6, 0.9]"):
        study = made(f"{where} = {{ {entry}{clip} }}", "samples = 3000\nseed = 7")
        got = study.plan.values(int(rows[0]), int(rows[-1]) + 1)[tuple(where.split("."))]
        np.testing.assert_allclose(got, np.clip(wanted, 0.6, 0.9) if clip else wanted, rtol=1e-14)


def test_spaced_values():
    def of(entry):
        return made(f"payload.mass = {{ {entry} }}").plan.values(0, 3)[("payload", "mass")].tolist()

    assert of("linspace = [1.0, 4.0, 3]") == [1.0, 2.5, 4.0]
    np.testing.assert_allclose(of("logspace = [1.0, 4.0, 3]"), [1.0, 2.0, 4.0], rtol=1e-15)
    assert made("payload.mass = { linspace = [3.0, 4.0, 1] }").plan.values(0, 1)[("payload", "mass")].tolist() == [3.0]


@pytest.mark.parametrize(
    ("sweep", "head"),
    [
        ("payload.mass = { uniform = [0.0, 1.0] }", "samples = 1000000000"),
        ("payload.mass = { uniform = [0.0, 1.0] }", "samples = 1\nseed = 9223372036854775807"),
        ("payload.mass = { normal = [1.0, 0.0] }", "samples = 2"),
        ("payload.mass = { normal = [1.0, 0.5], clip = [0.0, 2.0] }", "samples = 2"),
        ("start.q = { normal = [1.0, 0.5], clip = [2.0, 2.0] }", "samples = 2"),
        ("controller.kp = { uniform = [0.0, 1.0], each = true }", "samples = 2"),
        ("controller.kp = { uniform = [0.0, 1.0], each = false }", "samples = 2"),
        ("controller.kp.joint1 = [1.0]\ncontroller.kp.joint2 = [2.0]", "samples = 1\nblock = 1000000"),
        ("masses = { link1 = [1.0], link3 = [2.0, 3.0] }", "block = 1"),
        ('"controller.kp" = [1.0]\n[sweep.controller.kd]\njoint1 = { linspace = [0.0, 1.0, 2] }', ""),
        ("simulation.method = ['RK4', 'radau']", ""),
        ("controller.gravity = [false, 'Actual']", ""),
    ],
)  # fmt: skip
def test_what_is_just_allowed(sweep, head):
    assert made(sweep, head).runs >= 1


@pytest.mark.parametrize(
    ("sweep", "head", "said"),
    [
        ("payload.mass = { uniform = [0.0, 1.0] }", "samples = 1000000001", "whole number from 1 to 1000000000"),
        ("payload.mass = { uniform = [0.0, 1.0] }\nmasses = [1.0, 2.0]", "samples = 1000000000", "may have 1000000000 at most"),
        ("payload.mass = { uniform = [0.0, 1.0] }", "samples = 2\nseed = 9223372036854775808", "whole number"),
        ("payload.mass = { uniform = [0.0, 1.0] }", "samples = true", "whole number"),
        ("payload.mass = { uniform = [0.0, 1.0] }", "samples = 2\nseed = -1", "whole number"),
        ("payload.mass = { uniform = [1.0, 1.0] }", "samples = 2", "the first must be below"),
        ("payload.mass = { uniform = [1.0, 2.0, 3.0] }", "samples = 2", "[low, high]"),
        ("payload.mass = { normal = [1.0, -0.1] }", "samples = 2", "must not be negative"),
        ("payload.mass = { normal = [-1.0, 0.0] }", "samples = 2", "may reach -1"),
        ("payload.mass = { uniform = [-0.1, 1.0] }", "samples = 2", "may reach -0.1"),
        ("payload.mass = { normal = [1.0, 0.5], clip = [-0.1, 2.0] }", "samples = 2", "choose other bounds"),
        ("simulation.rtol = { uniform = [0.5, 1.5] }", "samples = 2", "may reach 1.5"),
        ("start.q = { normal = [1.0, 0.5], clip = [2.0, 1.9] }", "samples = 2", "must not be above the second"),
        ("start.q = { normal = [1.0, 0.5], clip = [2.0] }", "samples = 2", "[low, high]"),
        ("start.q.joint1 = { uniform = [0.0, 1.0], each = true }", "samples = 2", "whole vectors"),
        ("payload.mass = { uniform = [0.0, 1.0], each = true }", "samples = 2", "whole vectors"),
        ("start.q = { uniform = [0.0, 1.0], each = 1 }", "samples = 2", "true or false"),
        ("start.q = { linspace = [0.0, 1.0, 2], each = true }", "", "goes with uniform"),
        ("start.q = { list = [0.0, 1.0], clip = [0.0, 1.0] }", "", "goes with uniform"),
        ("payload.com = { uniform = [0.0, 1.0] }", "samples = 2", "name a part (com.x)"),
        ("payload.inertia = { uniform = [0.0, 1.0] }", "samples = 2", "name a part (inertia.xx)"),
        ("payload.mass = { linspace = [0.0, 1.0, 0] }", "", "whole number from 1"),
        ("payload.mass = { linspace = [0.0, 1.0, 10000001] }", "", "to 10000000"),
        ("payload.mass = { logspace = [0.0, 1.0, 2] }", "", "must be above 0"),
        ("simulation.method = { linspace = [0.0, 1.0, 2] }", "", "is for numbers"),
        ("simulation.friction = ['none', 'actual']", "", "true or false"),
        ("simulation.method = [false]", "", "not possible"),
        ("masses.link1 = [1.0]\n[[sweep.masses]]", "", "s.toml"),
        ("controller.kp.joint1 = [1.0]\n[sweep.'controller.kp']\njoint1 = [2.0]", "", "sets the same number"),
        ("start.q = [[0.0, 0.0]]", "", "2 numbers; it needs 3"),
        ("payload.com = [0.0]", "", "must be a list of 3"),
        ("payload.mass = [1.0]", "block = 0", "whole number from 1 to 1000000"),
        ("payload.mass = [1.0]", "block = 1000001", "whole number from 1 to 1000000"),
        ("payload.mass = [1.0, 2.0]", "[simulation]\nduration = 3e7\noutput_dt = 1e-3", "GB"),
    ],
)  # fmt: skip
def test_what_is_just_not_allowed(sweep, head, said):
    with pytest.raises(ordern.InputError) as error:
        made(sweep, head)
    assert said in str(error.value)


def test_how_much_a_block_may_take():
    """Eight bytes for each time, coordinate and three numbers a joint: 8 GB at most."""
    times = 2**30 / 12 / 2  # of two runs of planar3, q and three more
    for share, fits in ((0.999, True), (1.001, False)):
        head = f"[simulation]\nduration = {times * share - 1}\noutput_dt = 1.0"
        if fits:
            assert made("payload.mass = [1.0, 2.0]", head).runs == 2
        else:
            with pytest.raises(ordern.InputError, match="GB"):
                made("payload.mass = [1.0, 2.0]", head)


@pytest.mark.parametrize(("runs", "block", "ranges"), [(5, 2, [(0, 2), (2, 4), (4, 5)]), (4, 2, [(0, 2), (2, 4)]), (1, 9, [(0, 1)])])  # fmt: skip
def test_blocks(runs, block, ranges):
    study = made(f"payload.mass = {{ linspace = [0.0, 1.0, {runs}] }}", f"block = {block}")
    assert study.blocks == len(ranges) and [study.range(k) for k in range(study.blocks)] == ranges


def test_masses_go_by_any_link_of_their_body():
    robot = ordern.load("panda")
    text = "robot = 'panda'\n[sweep]\nmasses.{} = [0.5]\n"
    fixed = [link.name for link in robot.model.links if link.body == len(robot.model.bodies) - 1]
    assert len(fixed) >= 1
    for name in fixed:
        study = parse(text.format(name), "s.toml", robot=robot)
        assert study.plan.axes[0].part == len(robot.model.bodies) - 2
    with pytest.raises(ordern.InputError, match="no moving link"):
        parse(text.format(robot.link_names[0]), "s.toml", robot=robot)


@pytest.mark.parametrize("kinds", ["RRP", "FRR", "SPR", "fourbar"])
def test_runs_start_where_simulate_starts(kinds):
    """Within limits that leave the neutral position out, with quaternion joints too; closed chains where they are closed."""
    robot = ordern.robots.fourbar()
    if kinds != "fourbar":
        model = robots.serial(kinds, 3)
        last = replace(model.bodies[-1], lower=(0.2,), upper=(0.5,))
        robot = ordern.Robot(model.with_bodies([*model.bodies[:-1], last]))
    study = parse("robot = 'given'\n[sweep]\nsimulation.rtol = [1e-3]\n", "s.toml", robot=robot)
    start = robot.simulate(duration=1e-9, engine="numpy").q[0]
    assert kinds == "fourbar" or start[-1] == 0.2
    np.testing.assert_allclose(study.neutral, start, rtol=0, atol=1e-15)  # closing closed loops moves the last digit


@pytest.mark.parametrize(
    ("value", "wanted"), [(2**1000 - 1, None), (2**1000, "a whole number of some 300 digits"), (True, "true")]
)
def test_numbers_in_messages(value, wanted):
    assert shown(value) == (wanted or repr(value)[:57] + "...")


def test_failed_runs_have_no_figures_and_others_keep_theirs():
    """Of four runs the second and the third are ended; the figures of the rest stand in their own rows."""
    more = "[keep]\nfinal_state = true\nsteps = true\nenergy_drift = true\npeak_torque = true\ntracking_error = true\ntool = true\n"
    head = "[simulation]\nduration = 0.05\nmax_steps = 400\n"
    study = parse(
        f"{HEAD}{head}{LAWS['pd']}{more}[sweep]\ncontroller.kp = [1.0, 1e9, 1e10, 2.0]\n", "s.toml", robot=ARM
    )
    got = simulate_block(study, 0)
    assert got["status"].tolist() == ["done", "too many steps", "too many steps", "done"]
    for name, column in got.items():
        if name not in ("run", "status", "controller.kp"):
            assert np.isfinite(column).tolist() == [True, False, False, True], name
    assert got["controller.kp"].tolist() == [1.0, 1e9, 1e10, 2.0]
    run = ARM.simulate(
        np.zeros((2, 3)), duration=0.05, torque=ordern.control.PD(np.zeros(3), np.array([[1.0] * 3, [2.0] * 3]), 1.0)
    )
    np.testing.assert_array_equal(got["q:joint2"][[0, 3]], run.q[:, -1, 1])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"patience": True}, "patience"), ({"patience": "long"}, "patience"), ({"patience": 0}, "patience"),
        ({"patience": np.nan}, "patience"), ({"workers": True}, "workers"), ({"workers": 0}, "workers"), ({"workers": 1.5}, "workers"),
        ({"table": "xls"}, "table 'xls'"), ({"table": ("csv", "xls")}, "table 'xls'"), ({"engine": "cloud"}, "engine"),
    ],
)  # fmt: skip
def test_options_of_a_sweep_are_looked_at_before_it_begins(tmp_path, options, said):
    with pytest.raises(ordern.InputError, match=said):
        sweep(made("payload.mass = [1.0]"), tmp_path / "runs", **options)
    assert not (tmp_path / "runs").exists()


def test_an_error_has_the_line_of_the_nearest_thing_around_it():
    reader = Reader("x = 1\n[a]\n\n[a.b]\nc.d = 2\n", "s.toml")
    wanted = {("a",): 2, ("a", "x"): 2, ("a", "b"): 4, ("a", "b", "x"): 4, ("a", "b", "x", "y"): 4, ("a", "b", "c"): 5, ("a", "b", "c", "d"): 5,
              ("a", "b", "c", "x"): 5, ("a", "x", "y", "z"): 2, ("x", "a"): 1}  # fmt: skip
    for place, line in wanted.items():
        assert str(reader.fail(place, "no")) == f"s.toml:{line}: {'.'.join(place)}: no"
    assert str(reader.fail(("z", "a"), "no")) == "s.toml: z.a: no" and str(reader.fail((), "no")) == "s.toml: no"


@pytest.mark.parametrize("name", ["arm.urdf", "arm"])
def test_a_robot_stands_beside_its_study(name, tmp_path):
    """A file there is taken with any name; a name with a suffix is a file there, whether it exists or not."""
    ARM.to_urdf(tmp_path / "arm.urdf")
    (tmp_path / "arm.urdf").rename(tmp_path / name)
    text = f'robot = "{name}"\n[sweep]\n"start.q" = [0.0, 0.1]\n'
    assert parse(text, "s.toml", tmp_path).robot.n == ARM.n
    (tmp_path / name).unlink()
    with pytest.raises(ordern.InputError, match="no such file$" if "." in name else "no built-in robot 'arm'"):
        parse(text, "s.toml", tmp_path)
