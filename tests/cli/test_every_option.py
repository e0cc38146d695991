"""Every option of every command is used by a line that runs here; an option that no test uses does not exist."""

from __future__ import annotations

import ast
import json
import re
import shlex
import shutil
import sys
import time
from contextlib import nullcontext
from pathlib import Path

import click
import numpy as np
import pytest

import ordern
from ordern.cli import _guarded, cli, silence
from ordern.cli import output as screen

# one or several lines a command, each run as it stands in an empty folder that holds files.csv, torques.npz and study.toml
LINES = [
    "info panda --base floating --locked panda_joint1=10deg --lock panda_joint2=0.1 --gravity 0,0,-1.62 --payload panda_hand:2:0,0,0.1 --json",
    "info weak.urdf --on-invalid warn --debug",
    "lint planar3 --locked joint1=0 --base fixed --gravity 0,-9.81,0 --payload link3:0.1 --on-invalid warn --json",
    "lint stanford --debug",
    "verify pendulum --states 1 --seed 3 --base fixed --gravity '0 0 -9.81' --payload link1:0.5 --on-invalid error --json",
    "verify planar3 --states 1 --locked joint2=0.1 --debug",
    "inverse planar3 --trajectory quintic --from 0,0,0 --to joint1=90deg --duration 0.5 --dt 0.05 --method denoc --external link3:0,0,0,1,0,0 --json",
    "inverse planar3 -t motion.csv --out torques2.csv --plot torques.svg --payload link3:0.2 --gravity 0,-9.81,0 --on-invalid warn --debug",
    "inverse planar3 -t trapezoidal --to 1,1 --locked joint3=0 --duration 0.5",
    "inverse pendulum -t cycloid --to 1 --duration 0.5 --base fixed",
    "inverse planar3 --log motion.csv --cutoff 3 --rate 20 --out torques3.csv",
    "inverse planar3 --log degrees.csv --units deg --json",
    "inverse planar3 --log bag --topic /joint_states --json",
    "simulate planar3 --duration 0.05 --q0 '0.1 0.2 0.3' --qd0 joint2=1 --torque torques.npz --method rk4 --dt 0.01 --output-dt 0.05 --json",
    "simulate planar3 --duration 0.02 --external link3:0,0,0,1,0,0 --no-limits --payload link3:0.2 --out r.csv --plot r.svg --animate r.html --debug",
    "simulate pendulum.urdf --duration 0.02 --torque 1500 --saturate --no-friction --json",
    "simulate planar3 --duration 0.02 --rtol 1e-6 --gravity 0,0,0 --base fixed --locked joint3=0 --on-invalid warn",
    "simulate planar3 --duration 0.01 --method baoab --dt 0.002 --temperature 0.1 --fixman --collision-rate 2 --seed 3 --json",
    "eval planar3 inverse_dynamics --q 0.1,0.2,0.3 --qd 1,0,0 --qdd 0,1,0 --external link3:0,0,0,1,0,0 --method newton-euler --json",
    "eval planar3 forward_dynamics --q joint1=30deg --tau 1,2,3 --payload link3:1 --gravity 0,-9.81,0 --on-invalid error --debug",
    "eval planar3 jacobian --link link2 --reference body --base floating --locked joint3=0",
    "formulas pendulum mass_matrix --method denoc --latex --gravity 0,0,0 --on-invalid warn --json",
    "formulas pendulum inverse_dynamics --symbols --debug",
    "formulas pendulum mass_matrix --written-out --base fixed --payload link1:0.5",
    "formulas planar3 gravity_forces --locked joint2=0 --locked joint3=0",
    "formulas planar3 mass_matrix --paper",
    "count planar3 forward_dynamics --method denoc --gravity 0,0,0 --payload link3:1 --on-invalid warn --json",
    "count planar3 mass_matrix --table --locked joint3=0 --base fixed --debug",
    "export planar3 jacobian --c here --method recursive --link link2 --single --gravity 0,0,0 --payload link3:1 --json",
    "export planar3 mass_matrix --c there --base floating --locked joint3=0 --on-invalid warn --debug",
    "convert planar3 --to toml --out again.toml --gravity 0,0,0 --payload link3:1 --on-invalid warn --json",
    "convert planar3 --to urdf --locked joint3=0 --base fixed --debug",
    "sweep study.toml --out runs --engine local --workers 1 --table npz --patience 60 --plot runs.svg --show tool.x --json --debug",
    "view planar3 --out v.html --locked joint3=0 --base fixed --gravity 0,0,0 --payload link2:1 --on-invalid warn --json --debug",
]
LINES += [
    line.replace("XACRO", "arm.xacro --xacro-arg load:=2 --package here=.")
    for line in (
        "info XACRO", "lint XACRO", "verify XACRO --states 1", "inverse XACRO -t cycloid --to 1 --duration 0.1", "simulate XACRO --duration 0.01",
        "eval XACRO mass_matrix", "formulas XACRO gravity_forces", "count XACRO mass_matrix", "export XACRO gravity_forces --c there",
        "convert XACRO --to toml", "view XACRO --out x.html",
    )
]  # fmt: skip
LINES += [
    "robots --json --debug",
    *(f"export pendulum gravity_forces --{language} there" for language in ("opencl", "cuda", "javascript")),
]
# served until they are stopped, or long: these tests of tests/test_cli.py run them, which is checked below
ELSEWHERE = {
    "view": ("test_view_tells_machines_where", {"--port", "--no-browser"}),
    "reproduce": ("test_example_of_reproduce", {"--paper", "--out", "--json", "--debug"}),
    "bench": ("test_example_of_bench", {"--out", "--quick", "--json", "--debug"}),
}
STUDY = """robot = "planar3"
[simulation]
duration = 0.02
[sweep]
payload.mass = [0.0, 0.1]
[keep]
tool = "link3"
"""
WEAK = """<robot name="weak"><link name="base"/><link name="arm"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"""


XACRO = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="load" default="1"/><link name="base"/>
<link name="arm"><inertial><mass value="$(arg load)"/><origin xyz="0.1 0 0"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="j" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""


def _bag(place, times):
    from rosbags.rosbag2 import Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    state, header, time = (
        store.types[n] for n in ("sensor_msgs/msg/JointState", "std_msgs/msg/Header", "builtin_interfaces/msg/Time")
    )
    with Writer(place, version=9) as writer:
        topic = writer.add_connection("/joint_states", state.__msgtype__, typestore=store)
        for t in times:
            said = header(time(1_700_000_000 + int(t), round(t % 1 * 1e9)), "")
            message = state(said, ["joint1", "joint2", "joint3"], np.array([t, t * t, 0.0]), np.zeros(0), np.zeros(0))
            writer.write(topic, 1_700_000_000 * 10**9 + round(t * 1e9), store.serialize_cdr(message, state.__msgtype__))


@pytest.fixture(scope="module")
def bag(tmp_path_factory):
    """Its data base is forced to disk with each change, which takes longer than most commands."""
    made = tmp_path_factory.mktemp("bags") / "bag"
    _bag(made, np.linspace(0, 1, 11))
    return made


@pytest.fixture
def folder(tmp_path, monkeypatch, bag):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "study.toml").write_text(STUDY)
    (tmp_path / "weak.urdf").write_text(WEAK)
    (tmp_path / "arm.xacro").write_text(XACRO)
    t = np.linspace(0, 1, 11)
    (tmp_path / "motion.csv").write_text("t,joint1,joint2,joint3\n" + "\n".join(f"{x},{x},{x * x},0" for x in t))
    (tmp_path / "degrees.csv").write_text(
        "t;joint3;joint2;joint1\n" + "\n".join(f"{x};{9 * x};{9 * x * x};0" for x in t)
    )
    shutil.copytree(bag, tmp_path / "bag")
    (tmp_path / "pendulum.urdf").write_text(
        WEAK.replace('izz="9"', 'izz="1"').replace("</joint>", '<limit effort="12"/></joint>')
    )
    np.savez(tmp_path / "torques.npz", t=t, tau=np.ones((11, 3)))
    return tmp_path


def run(capsys, line):
    code = _guarded(shlex.split(line))
    out, err = capsys.readouterr()
    assert "Traceback" not in out + err
    return code, out, err


@pytest.mark.filterwarnings("default::ordern.errors.OrdernWarning")
@pytest.mark.parametrize("line", LINES)
def test_the_line_runs(line, capsys, folder):
    code, out, err = run(capsys, line)
    assert code == 0 or (code == 1 and line.startswith("lint")), err
    assert out
    if "--json" in line:
        assert isinstance(json.loads(out), dict)


def _unused(commands, lines):
    """The options that no line has."""
    used: dict[str, set[str]] = {name: set(options) for name, (_, options) in ELSEWHERE.items()}
    for line in lines:
        words = shlex.split(line)
        used.setdefault(words[0], set()).update(w for w in words if w.startswith("-"))
    return [
        f"{name} {parameter.opts[0]}"
        for name, command in commands.items()
        for parameter in command.params
        if parameter.param_type_name == "option" and not getattr(parameter, "hidden", False)
        if not used.get(name, set()) & set(parameter.opts)
    ]


def test_every_option_is_used():
    """Lists the options of all commands that no line above has; and would list a new one, and those of a line that goes."""
    assert not _unused(cli.commands, LINES)
    new = click.Command("lint", params=[*cli.commands["lint"].params, click.Option(["--news"])])
    assert _unused({**cli.commands, "lint": new}, LINES) == ["lint --news"]
    assert "sweep --patience" in _unused(cli.commands, [line for line in LINES if not line.startswith("sweep")])
    assert sum(p.param_type_name == "option" for c in cli.commands.values() for p in c.params) > 150


def test_the_options_that_run_elsewhere_do():
    """Each stands in the text of the test that is named, or in the example of --help that it runs."""
    tree = ast.parse((Path(__file__).parents[1] / "test_cli.py").read_text())
    bodies = {node.name: ast.unparse(node) for node in tree.body if isinstance(node, ast.FunctionDef)}
    for name, (test, options) in ELSEWHERE.items():
        text = bodies[test] + (cli.commands[name].epilog if f"example('{name}')" in bodies[test] else "")
        assert not {option for option in options if not re.search(rf"{option}\b", text)}, (name, test)


def test_every_command_that_loads_a_robot_takes_the_same_options():
    common = {"--base", "--payload", "--locked", "--on-invalid", "--gravity"}
    for name, command in cli.commands.items():
        if any(p.name == "robot" and p.required for p in command.params):
            assert common <= {o for p in command.params for o in p.opts}, name


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("inverse planar3 -t motion.csv --duration 3", "--duration has no effect"),
        ("inverse planar3 -t motion.csv --dt 3", "--dt has no effect"),
        ("inverse planar3 -t motion.csv --to 1,1,1", "--to has no effect"),
        (
            "export planar3 mass_matrix --c x --link link2",
            "--link link2 has no effect on mass_matrix; that of one link is 'operational_mobility'",
        ),
        ("simulate planar3 --dt 0.01", "--dt has no effect"),
        ("simulate planar3 --saturate", "--saturate has no effect here: nothing drives the joints"),
        ("simulate planar3 --saturate --torque 1,1,1", "no joint of planar3 has an effort limit"),
        ("simulate planar3 --fixman", "--fixman needs --temperature"),
        ("simulate planar3 --temperature 1", "goes with --fixman or --method baoab"),
        ("convert planar3 --to dh:standart", "did you mean 'dh:standard'"),
        ("simulate planar3 --method rk4 --rtol 1e-3", "--rtol has no effect"),
        ("formulas planar3 mass_matrix --paper --letters", "--symbols has no effect"),
        ("export planar3 forward_kinematics --c x --link link2", "link_pose"),
        ("eval planar3 mass_matrix --qd 1,1,1", "--qd has no effect on mass_matrix"),
        ("eval planar3 inverse_dynamics --tau 1,1,1", "did you mean 'forward_dynamics'"),
        ("eval planar3 inverse_dynamic --q 1,1,1", "did you mean 'inverse_dynamics'"),
        ("eval planar3 jacobian --link link9", "link3"),
        ("simulate planar3 --q0 0.1 0.2 0.3", "a list is one word: write --q0 0.1,0.2,0.3"),
        ("simulate planar3 --q0 0.1 -0.2 0.3", "write --q0 0.1,-0.2,0.3"),
        ("simulate planar3 --q0 30mm,0,0", "'30mm' is a length, but an angle goes here"),
        ("simulate planar3 --payload link3", "LINK:MASS"),
        ("simulate planar3 --payload link9:1", "link3"),
        ("simulate planar3 --payload link3:-1", "mass"),
        ("simulate planar3 --external link3:1,2,3", "six numbers"),
        ("simulate planar3 --external link9:0,0,0,1,0,0", "link3"),
        ("simulate planar3 --torque nothing.csv", "no such file"),
        ("simulate planar3 --torque motion.csv --duration 0.01 --animate x.txt", ".html"),
        ("inverse planar3 -t bare.csv", "there is no header row"),
        ("inverse planar3 -t twice.csv", "'joint1' is there twice"),
        ("info weak.urdf", "--on-invalid"),
    ],
)
def test_what_cannot_be_meant_is_said(line, said, capsys, folder):
    (folder / "bare.csv").write_text("0,1,2,3\n1,1,2,3\n")
    (folder / "twice.csv").write_text("t,joint1,joint1,joint3\n0,1,2,3\n1,1,2,3\n")
    code, _, err = run(capsys, line)
    assert code == 2 and said in err and err.count("\n") == 1, err
    assert "on_invalid" not in err and "=False" not in err


@pytest.mark.parametrize(
    "text",
    [
        "0.1,0.2,-0.3",
        "0.1, 0.2, -0.3",
        "0.1 0.2 -0.3",
        "0.1;0.2;-0.3",
        "[0.1, 0.2, -0.3]",
        "joint1=0.1 joint2=0.2 joint3=-0.3",
    ],
)
def test_lists_as_people_write_them(text, capsys):
    code, out, err = run(capsys, f"eval planar3 gravity_forces --q '{text}' --json")
    assert code == 0, err
    np.testing.assert_allclose(json.loads(out)["result"], ordern.robots.planar3().gravity_forces([0.1, 0.2, -0.3]))


def test_units(capsys):
    arm = ordern.load("stanford")
    code, out, err = run(capsys, "eval stanford gravity_forces --q '30deg,0.5rad,50mm,10deg,20deg,-5°' --json")
    assert code == 0, err
    q = [np.radians(30), 0.5, 0.05, *np.radians([10, 20, -5])]
    np.testing.assert_allclose(json.loads(out)["result"], arm.gravity_forces(q), rtol=0, atol=1e-12)


def test_the_start_of_a_simulation_lies_within_the_limits(capsys):
    for name in ("panda", "ur5", "puma560_motors", "stanford", "planar3"):
        code, _, err = run(capsys, f"simulate {name} --duration 0.001 --method rk4 --json")
        assert code == 0 and "outside its limits" not in err, err


def test_long_commands_say_how_far_they_are(capsys, monkeypatch):
    """Without a terminal: lines on the error stream, and the JSON stays JSON."""
    monkeypatch.setattr(screen, "EVERY", 0.0)
    for line, what in (
        ("simulate planar3 --duration 100 --method rk4 --output-dt 1 --json", "simulating"),
        ("verify pendulum --states 1 --json", "verifying pendulum"),
    ):
        code, out, err = run(capsys, line)
        assert code == 0 and isinstance(json.loads(out), dict)
        assert f"ordern: {what}: " in err and " s" in err


def test_a_silent_command_says_that_it_is_at_work(capsys, monkeypatch):
    """The line comes without any step that could report progress, once, and not after a result."""
    monkeypatch.delenv("ORDERN_QUIET")
    monkeypatch.setattr(silence, "FIRST", 0.01)
    heard = ""
    with silence.at_work(["info", "planar1000000", "--base", "fixed"]):
        end = time.monotonic() + 60
        while not heard and time.monotonic() < end:
            heard += capsys.readouterr().err
    assert re.fullmatch("ordern: info planar1000000: at work for [0-9]+ s; Ctrl-C stops it\n", heard)
    assert type(sys.stderr).__name__ == type(sys.stdout).__name__ != "_Heard"
    with silence.at_work(["view", "planar3"]):
        print("at http://127.0.0.1:8000")
        time.sleep(0.1)
    assert not capsys.readouterr().err
    monkeypatch.setenv("ORDERN_QUIET", "1")
    with silence.at_work(["info", "planar3"]):
        time.sleep(0.1)
    assert not capsys.readouterr().err


def test_drives_that_saturate_do_what_their_limit_allows(capsys, folder):
    """1,500 N m on a joint of 12 N m: without the option the warning names it, with it the motion is that of 12 N m."""
    ends = []
    for words in ("1500", "1500 --saturate", "12"):
        with pytest.warns(ordern.OrdernWarning, match="saturate=True") if words == "1500" else nullcontext():
            code, out, err = run(capsys, f"simulate pendulum.urdf --duration 0.1 --torque {words} --json")
        assert code == 0, err
        ends.append(json.loads(out)["motion"][0]["at the end"])
    assert ends[1] == pytest.approx(ends[2], rel=1e-6) and ends[0] > 10 * ends[2]  # the adaptive steps differ a little


def test_columns_count_from_nought_or_one(capsys, folder):
    """q0, q1, q2 are the joints of q1, q2, q3, in motions, torques and logs."""
    t = np.linspace(0, 1, 21)
    made = []
    for first in (0, 1):
        for what, rows in (("q", np.stack([t, t**2, t**3], 1)), ("tau", np.stack([t, -t, 0 * t], 1))):
            head = ",".join(["t", *(f"{what}{k + first}" for k in range(3))])
            np.savetxt(folder / f"{what}.csv", np.column_stack([t, rows]), delimiter=",", header=head, comments="")
        lines = (
            "inverse planar3 -t q.csv --json",
            "inverse planar3 --log q.csv --json",
            "simulate planar3 --torque tau.csv --duration 0.05 --json",
        )
        results = [run(capsys, line) for line in lines]
        assert [code for code, _, _ in results] == [0, 0, 0], results
        made.append([[json.loads(out).get(k) for k in ("torques", "motion")] for _, out, _ in results])
    assert made[0] == made[1]


def test_names_of_conventions_in_convert(capsys, folder):
    for name, own in (("standard", "distal"), ("modified", "proximal"), ("Craig", "proximal")):
        texts = [run(capsys, f"convert planar3 --to dh:{word}")[1] for word in (name, own)]
        assert texts[0] == texts[1] and f'convention = "{own}"' in texts[0]


def test_the_list_of_commands_is_not_cut_off(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, out, _ = run(capsys, "--help")
    listed = out.partition("Commands:")[2]
    assert code == 0 and "..." not in listed and all(name in listed for name in cli.commands)
    assert "MJCF" in out and "ordern robots" in out
