"""Studies: what they say, what is refused and how, and which values runs get."""

from __future__ import annotations

import re
import textwrap

import numpy as np
import pytest

import ordern
from ordern.sweep import study as study_module
from ordern.sweep.study import parse, read
from ordern.sweep.study_rules import shown
from ordern.sweep.sweep_block import figures, simulate_block, swept_columns

BASE = """
robot = "planar3"
samples = 5
block = 4

[simulation]
duration = 0.1

[controller]
law = "pd"
target = [0.1, 0.2, 0.3]
kp = 20.0
kd = 2.0

[payload]
mass = 0.1

[sweep]
start.q.joint2 = { uniform = [-0.5, 0.5] }
"""


def study(sweep: str = "", more: str = "", old: str = "", new: str = ""):
    text = BASE.replace(old, new) if old else BASE
    if sweep:
        text = text.split("[sweep]")[0] + "[sweep]\n" + sweep
        text = text if any(w in sweep for w in ("uniform", "normal")) else text.replace("samples = 5\n", "")
    return parse(text + "\n" + more, "s.toml")


def values(made, place):
    return made.plan.values(0, made.runs)[tuple(place.split("."))]


def test_grids_multiply_and_the_last_changes_fastest():
    made = study(
        'controller.kp = [1.0, 2.0]\npayload.mass = { linspace = [0.0, 1.0, 3] }\nsimulation.method = ["rk4", "dopri5"]'
    )
    assert made.runs == 12
    assert values(made, "controller.kp").tolist() == [1.0] * 6 + [2.0] * 6
    assert values(made, "payload.mass").tolist() == [0.0, 0.0, 0.5, 0.5, 1.0, 1.0] * 2
    assert values(made, "simulation.method").tolist() == ["rk4", "dopri5"] * 6


def test_zip_goes_side_by_side_and_tables_multiply():
    text = BASE.replace("samples = 5\n", "").split("[sweep]")[0]
    made = parse(
        text
        + '[[sweep]]\ncombine = "zip"\ncontroller.kp = [1, 2]\ncontroller.kd = [3, 4]\n[[sweep]]\npayload.mass = [5, 6]\n'
    )
    assert made.runs == 4
    assert values(made, "controller.kp").tolist() == [1, 1, 2, 2]
    assert values(made, "controller.kd").tolist() == [3, 3, 4, 4]
    assert values(made, "payload.mass").tolist() == [5, 6, 5, 6]


def test_each_point_of_a_grid_gets_its_draws():
    made = study("controller.kp = [1.0, 2.0]\npayload.mass = { uniform = [0.0, 1.0] }")
    assert made.runs == 10 and len(set(values(made, "payload.mass"))) == 10
    assert values(made, "controller.kp").tolist() == [1.0] * 5 + [2.0] * 5


@pytest.mark.parametrize(
    "law",
    [
        "uniform = [1.0, 2.0]",
        "normal = [1.5, 0.1]",
        "loguniform = [1.0, 2.0]",
        "normal = [1.5, 1.0], clip = [1.0, 2.0]",
    ],
)
def test_draws_do_not_depend_on_blocks_nor_on_what_else_is_swept(law):
    made = study(f"start.qd.joint1 = {{ {law} }}", old="samples = 5", new="samples = 3000")
    other = study(
        f"start.q = {{ uniform = [0.0, 1.0], each = true }}\nstart.qd.joint1 = {{ {law} }}",
        old="samples = 5",
        new="samples = 5000",
    )
    all_of_them = values(made, "start.qd.joint1")
    assert all_of_them.min() >= 1.0 and all_of_them.max() <= 2.0
    assert np.array_equal(values(other, "start.qd.joint1")[:3000], all_of_them)
    for first, stop in ((0, 1), (1020, 1030), (2047, 3000)):
        assert np.array_equal(made.plan.values(first, stop)[("start", "qd", "joint1")], all_of_them[first:stop])
    # median of the distribution, to within six standard deviations of a median of 3000 draws that lie within [1, 2]
    middle = np.sqrt(2.0) if "log" in law else 1.5
    assert abs(np.median(all_of_them) - middle) < 6 * 0.5 / np.sqrt(3000)


def test_seeds_differ():
    one, two = (values(study(old="samples = 5", new=f"samples = 5\nseed = {k}"), "start.q.joint2") for k in (1, 2))
    assert not np.any(one == two)


def test_what_is_swept_becomes_columns_by_name():
    made = study(
        "start.q = { uniform = [-1.0, 1.0], each = true }\nmasses = { normal = [1.0, 0.01], clip = [0.9, 1.1] }"
    )
    assert list(swept_columns(made, made.plan.values(0, 5))) == [
        "start.q.joint1",
        "start.q.joint2",
        "start.q.joint3",
        "masses",
    ]
    vectors = study("controller.target = [[0.1, 0.2, 0.3], 0.0]")
    assert values(vectors, "controller.target").tolist() == [[0.1, 0.2, 0.3], [0.0, 0.0, 0.0]]


EVERYTHING = (
    "final_state = true\ntool = true\nenergy_drift = true\npeak_torque = true\ntracking_error = true\nsteps = true"
)


def test_figures_are_those_of_the_same_simulations():
    """Every figure of a block against robot.simulate called by hand."""
    made = study(
        "payload.mass = [0.0, 0.5]\ncontroller.kp = [10.0, 20.0]",
        f"[keep]\n{EVERYTHING}",
        "mass = 0.1",
        'link = "link2"\ncom = [0.1, 0.0, 0.0]',
    )
    got = simulate_block(made, 0)
    robot = ordern.load("planar3")
    mass, kp = np.array([0.0, 0.0, 0.5, 0.5]), np.array([10.0, 20.0, 10.0, 20.0])
    law = ordern.control.PD([0.1, 0.2, 0.3], np.repeat(kp[:, None], 3, 1), 2.0)
    parameters = {"payload": {"link": "link2", "mass": mass, "com": (0.1, 0.0, 0.0)}}
    run = robot.simulate(np.zeros((4, 3)), duration=0.1, torque=law, parameters=parameters)
    away = np.abs(run.q - [0.1, 0.2, 0.3]).max(axis=2)
    assert set(figures(made)) <= set(got)
    assert (
        np.array_equal(got["payload.mass"], mass)
        and np.array_equal(got["controller.kp"], kp)
        and set(got["status"]) == {"done"}
    )
    assert np.array_equal(np.stack([got[f"q:joint{k}"] for k in (1, 2, 3)], 1), run.q[:, -1])
    assert np.array_equal(np.stack([got[f"qd:joint{k}"] for k in (1, 2, 3)], 1), run.qd[:, -1])
    assert np.array_equal(np.stack([got[f"peak_torque:joint{k}"] for k in (1, 2, 3)], 1), np.abs(run.tau).max(axis=1))
    assert np.array_equal(got["tracking.max"], away.max(axis=1)) and np.array_equal(got["tracking.end"], away[:, -1])
    assert np.array_equal(got["tracking.rms"], np.sqrt(np.mean(away**2, axis=1)))
    tool = robot.forward_kinematics(run.q[:, -1], "link3")[:, :3, 3]
    assert np.array_equal(np.stack([got[f"tool.{x}"] for x in "xyz"], 1), tool)
    goal = robot.forward_kinematics([0.1, 0.2, 0.3], "link3")[:3, 3]
    assert np.allclose(
        got["tool.off"], np.linalg.norm(tool - goal, axis=1), rtol=1e-12, atol=0
    )  # two ways to round a sum of three squares
    assert np.array_equal(got["energy_drift"], np.abs(run.energy - run.energy[:, :1]).max(axis=1))
    assert np.array_equal(got["steps"], run.stats["steps"])


@pytest.mark.parametrize(
    "sweep",
    [
        "simulation.duration = [0.05, 0.1]", 'simulation.method = ["rk4", "dop853"]', "simulation.rtol = { logspace = [1e-9, 1e-5, 3] }",
        "gravity = [[0.0, -9.81, 0.0], [0.0, -1.62, 0.0]]",
        "masses.link2 = [0.9, 1.1]", "damping = [0.0, 0.5]", "friction.joint1 = [0.0, 0.5]", "start.qd.joint3 = [0.0, 1.0]",
        "payload.com.y = [0.0, 0.1]", "controller.kd = [[1.0, 2.0, 3.0], 2.0]",
        'payload.link = ["link1", "link3"]', 'controller.gravity = ["none", "nominal", "actual"]', "simulation.limits = [true, false]",
        "simulation.saturate = [true, false]",
    ],
)  # fmt: skip
def test_all_that_can_be_swept_changes_the_runs(sweep):
    made = study(sweep)
    got = simulate_block(made, 0)
    assert set(got["status"]) == {"done"} and len(got["run"]) == made.runs
    if "limits" not in sweep and "saturate" not in sweep:  # planar3 has neither limits nor efforts
        assert len({tuple(got[f"q:joint{k}"][r] for k in (1, 2, 3)) for r in range(made.runs)}) == made.runs


@pytest.mark.parametrize(
    ("law", "sweep"),
    [
        (
            'law = "computed-torque"\npath = { to = [0.5, 0.5, 0.5] }\nkp = 100.0\nkd = 20.0',
            "controller.path.duration = [0.05, 0.1]",
        ),
        ('law = "gravity-compensation"', "controller.damping = [0.1, 1.0]"),
        ('law = "constant"', "controller.tau = [[0.1, 0.0, 0.0], 0.2]"),
    ],
)
def test_laws(law, sweep):
    controller = BASE[BASE.index('law = "pd"') : BASE.index("\n\n[payload]")]
    got = simulate_block(study(sweep, old=controller, new=law), 0)
    assert got["q:joint1"][0] != got["q:joint1"][1]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"planar3"', '"planr3"', ":2: robot: 'planr3'"),
        ('robot = "planar3"', "", "robot: which one"),
        ("samples", "sampels", ":3: sampels: there is no such key; did you mean 'samples'?"),
        ("samples = 5", "samples = 0", ":3: samples: 0 must be a whole number from 1"),
        ("samples = 5", "", "start.q.joint2: it is random; write samples"),
        ("block = 4", "block = 2.5", ":4: block: 2.5 must be a whole number"),
        ("duration = 0.1", "duration = -1", ":7: simulation.duration: -1 must be above 0"),
        ("duration = 0.1", "duration = nan", ":7: simulation.duration: nan must be finite"),
        ("duration = 0.1", "duraton = 1", ":7: simulation.duraton: there is no such key; did you mean 'duration'?"),
        ("duration = 0.1", 'method = "dopri6"', "did you mean 'dopri5'?"),
        ("[simulation]\nduration = 0.1", "simulation = 3", "simulation: 3 is no table"),
        ('law = "pd"', 'law = "pid"', ":10: controller.law: 'pid' is no law; did you mean 'pd'?"),
        ("kp = 20.0", "", ":9: controller: the law 'pd' needs kp"),
        ("kp = 20.0", "kp = -1.0", ":12: controller.kp: -1 must be at least 0"),
        ("kp = 20.0", 'kp = "high"', ":12: controller.kp: 'high' must be a number"),
        ("kp = 20.0", "kp = 20.0\ntau = 1.0", ":13: controller.tau: there is no such key"),
        ("target = [0.1, 0.2, 0.3]", "target = [0.1, 0.2]", ":11: controller.target: 2 numbers; it needs 3 (joint1, joint2, joint3)"),
        ("target = [0.1, 0.2, 0.3]", "target = { joint4 = 1.0 }", "controller.target.joint4: there is no joint 'joint4'; did you mean"),
        ("target = [0.1, 0.2, 0.3]", "", "neither target and path is given"),
        ("mass = 0.1", "", "the payload has no mass"),
        ("mass = 0.1", 'mass = 0.1\nlink = "link9"', "payload.link: the robot has no link 'link9'; did you mean"),
        ("start.q.joint2", "start.q.joint9", ":19: sweep.start.q.joint9: there is no joint 'joint9'"),
        ("start.q.joint2", "payload.mas", ":19: sweep.payload.mas: this cannot be swept; did you mean 'payload.mass'?"),
        ("start.q.joint2", "controller.tau", "the law 'pd' has no tau"),
        ("start.q.joint2", "gravity", "sweep.gravity: every value compiles its own machine code"),
        ("uniform = [-0.5, 0.5]", "uniform = [0.5, -0.5]", "uniform is [0.5, -0.5]; the first must be below the second"),
        ("uniform = [-0.5, 0.5]", "unform = [-0.5, 0.5]", "sweep.start.q.joint2.unform: there is no such key; did you mean 'uniform'?"),
        ("uniform = [-0.5, 0.5]", "uniform = [-0.5, 0.5], normal = [0, 1]", "needs exactly one of"),
        ("uniform = [-0.5, 0.5]", "loguniform = [-0.5, 0.5]", "-0.5 must be above 0"),
        ("uniform = [-0.5, 0.5]", "linspace = [0.0, 1.0]", "it must be [first, last, how many]"),
        ("{ uniform = [-0.5, 0.5] }", "3", "3 is one value; write a list"),
        ("{ uniform = [-0.5, 0.5] }", "[]", "must be a list with at least one value"),
        ("{ uniform = [-0.5, 0.5] }", "[1.0, true]", "true must be a number"),
        ("{ uniform = [-0.5, 0.5] }", "[1.0, 2.0]", "nothing is random"),
        ("start.q.joint2 = {", "start.q = { normal = [0.0, 1.0] }\nstart.q.joint2 = {", "not TOML"),
        ("start.q.joint2 = { uniform = [-0.5, 0.5] }", "payload.mass = { normal = [1.0, 0.5] }", "normal draws are unbounded: add clip = [0.1, 2]"),
        ("start.q.joint2 = { uniform = [-0.5, 0.5] }", "", "nothing is swept"),
        ("start.q.joint2 =", 'combine = "both"\nstart.q.joint2 =', "'both' must be"),
        ("[sweep]", "[keep]\nfinal_stat = true\n[sweep]", "keep.final_stat: there is no such key; did you mean 'final_state'?"),
        ("[sweep]", "[keep]\nfinal_state = false\n[sweep]", "nothing is kept"),
        ("[sweep]", "[damping]\njoint1 = -1.0\n[sweep]", "damping.joint1: -1 must be at least 0"),
        ("block = 4", "block = 4\nbase = 'flying'", "base: 'flying' must be"),
        ("block = 4", "block = 4\ngravity = [1.0]", "gravity"),
        ("[controller]", "[controller", ":9: not TOML"),
        ("duration = 0.1", "duration = 0.1\ndt = 1e-3", ":8: simulation.dt: it has no effect"),
        ("duration = 0.1", 'duration = 0.1\nmethod = "rk4"\nrtol = 1e-3', ":9: simulation.rtol: it has no effect"),
        ("start.q.joint2 =", "simulation.rtol = [1e-3]\nsimulation.method = ['rk4', 'euler']\nstart.q.joint2 =", "rtol: it has no effect"),
    ],
)  # fmt: skip
def test_bad_studies_are_refused_with_line_value_rule_and_remedy(old, new, said):
    assert old in BASE
    with pytest.raises(ordern.InputError) as error:
        parse(BASE.replace(old, new, 1), "s.toml")
    assert said in str(error.value) and str(error.value).startswith("s.toml") and "\n" not in str(error.value)
    where = re.match(r"s\.toml(?::(\d+))?: (?:([\w.]+): )?", str(error.value))
    if where[2] and where[2] != "not TOML":  # the line has the key, or the nearest thing around it that has a line
        lines, keys = BASE.replace(old, new, 1).splitlines(), where[2].removeprefix("sweep.").split(".")
        heads = [k for k, line in enumerate(lines, 1) if re.match(rf"\s*\[?(\w+\.)*{keys[-1]}\b", line)]
        around = [k for k, line in enumerate(lines, 1) if any(re.match(rf"\s*\[?{key}\b", line) for key in keys)]
        assert where[1] is None if not heads + around else int(where[1]) in (heads or around)


@pytest.mark.parametrize(
    ("sweep", "said"),
    [
        ('combine = "zip"\ncontroller.kp = [1, 2]\ncontroller.kd = [1, 2, 3]', "3 values, but controller.kp has 2"),
        ("masses = [0.9, 1.1]\nmasses.link1 = [1.0]", "not TOML"),
        ('start.q = [0.0, 1.0]\n[sweep."start.q"]\njoint1 = [1.0]', "start.q sets the same number"),
        ('controller.law = ["pd", "constant"]', "make one study for each law"),
        ("payload.com = { linspace = [0.0, 1.0, 3] }", "name a part (com.x)"),
        ("simulation.rtol = [0.0]", "0 must be at least 1e-15"),
    ],
)
def test_bad_sweeps(sweep, said):
    with pytest.raises(ordern.InputError, match=r"^s\.toml") as error:
        study(sweep)
    assert said in str(error.value)


def test_files(tmp_path):
    ordern.load("planar3").save(tmp_path / "arm.toml")
    path = tmp_path / "study.toml"
    path.write_text(BASE.replace('"planar3"', '"arm.toml"'))
    made = read(path)
    assert made.robot.model.fingerprint == ordern.load("planar3").model.fingerprint
    assert (
        made.hash == parse(BASE.replace("[sweep]", "# a remark\n[sweep]")).hash
    )  # comments and names of files do not count
    assert made.hash != parse(BASE.replace("0.5]", "0.6]")).hash
    with pytest.raises(ordern.InputError, match=r"did you mean 'study\.toml'"):
        read(tmp_path / "studi.toml")
    with pytest.raises(ordern.InputError, match="folder"):
        read(tmp_path)
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ordern.InputError, match="UTF-8"):
        read(path)


@pytest.mark.parametrize("length", [0, 56, 57, 58, 59, 60, 300])
def test_values_in_messages_are_at_most_60_characters(length):
    text = shown("x" * length)
    assert text == repr("x" * length) if length <= 58 else (len(text), text[-3:]) == (60, "...")


def test_the_study_of_the_module_can_be_read():
    text = textwrap.dedent(study_module.__doc__.partition("::\n")[2])
    made = parse(text, "s.toml")
    assert (made.runs, made.keep["tracking_error"], [a.name for a in made.plan.axes]) == (
        4000,
        True,
        ["payload.mass", "controller.kp"],
    )


FIXED, ADAPTIVE = ("rk4", "euler", "symplectic"), ("dopri5", "dop853", "LSODA")


@pytest.mark.parametrize("swept", [False, True])
@pytest.mark.parametrize("given", [("dt",), ("rtol",), ("atol",), ("rtol", "atol"), ("dt", "rtol"), ("dt", "atol")])
@pytest.mark.parametrize(
    "methods", [FIXED[:1], FIXED, ADAPTIVE, ("rk4", "dopri5"), ("dop853", "euler"), ("LSODA", *FIXED)]
)
def test_every_method_of_a_study_has_a_use_for_its_step_and_tolerances(methods, given, swept):
    """As simulate: a step and tolerances together set the accuracy of either kind of method."""
    keys = [f"{'sweep.' * swept}simulation.{key} = {'[1e-3]' if swept else '1e-3'}" for key in given]
    text = "\n".join(["robot = 'planar3'", *keys, f"sweep.simulation.method = {list(methods)}", "keep.steps = true"])
    kinds = {method in FIXED for method in methods}
    idle = [key for key in given if any((method in FIXED) != (key == "dt") for method in methods)]
    if idle and not (len(kinds) == 2 and "dt" in given and len(given) == 2):
        with pytest.raises(
            ordern.InputError, match=rf"s.toml:\d+: .*simulation\.({'|'.join(idle)}): it has no effect: .*give"
        ):
            parse(text, "s.toml")
    else:
        assert parse(text, "s.toml").runs == len(methods)
