"""The command line as people use it: examples of every --help, JSON, errors in one line, nothing half-written."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys

import numpy as np
import pytest

import ordern
from ordern.bench import bench
from ordern.cli import _guarded, cli, main

NASTY = 'x\\u001b[31m<script>alert(1)</script>[red]\\n"quotes"'


def run(capsys, line: str) -> tuple[int, str, str]:
    code = _guarded(shlex.split(line))
    out, err = capsys.readouterr()
    assert "Traceback" not in err + out
    return code, out, err


def example(name: str) -> str:
    epilog = cli.commands[name].epilog
    assert epilog and "Example:" in epilog, f"{name} has no example"
    return epilog.split("ordern ", 1)[1].strip()


SLOW = ("reproduce", "bench", "sweep")


@pytest.mark.parametrize("name", [n for n in cli.commands if n not in SLOW])
def test_the_example_of_every_help_runs(name, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, example(name))
    assert code == 0, err
    assert out
    assert "\x1b" not in out  # plain text in pipes


def test_example_of_reproduce(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, example("reproduce") + " --json --debug")
    assert code == 0 and json.loads(out)["ok"], out + err
    assert {p.name for p in (tmp_path / "report").iterdir()} == {"report.html", "report.json", "report.csv"}
    data = json.loads((tmp_path / "report" / "report.json").read_text())
    assert data["ok"] and len(data["rows"]) > 20


def test_example_of_bench(capsys, tmp_path, monkeypatch):
    kept = bench.block_time
    monkeypatch.setattr(bench, "block_time", lambda call, seconds: kept(call, 0.0))  # figures do not matter here
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, example("bench") + " --out here --json --debug")
    assert code == 0 and isinstance(json.loads(out), dict), err
    assert list((tmp_path / "here").iterdir())


@pytest.mark.parametrize("name", list(cli.commands))
def test_every_command_has_help_json_and_debug(name, capsys):
    code, out, _ = run(capsys, f"{name} --help")
    assert code == 0 and "Example:" in out
    assert {"--json", "--debug"} <= {o for p in cli.commands[name].params for o in p.opts}


@pytest.mark.parametrize(
    "line",
    [
        "info planar3", "lint planar3", "verify pendulum --states 2", "inverse pendulum -t quintic --to 1 --dt 0.1", "formulas pendulum mass_matrix",
        "count pendulum inverse_dynamics", "convert planar3 --to dh:saha", "formulas planar3 mass_matrix --paper", "completion zsh",
    ],
)  # fmt: skip
def test_json(line, capsys):
    code, out, _ = run(capsys, line + " --json")
    assert code == 0 and isinstance(json.loads(out), dict)


def test_help_loads_next_to_nothing():
    """What makes --help quick: neither NumPy nor LLVM, rich or anything else that takes long is imported for it."""
    text = "import sys; sys.argv[1:] = ['--help']\nfrom ordern.cli import main\ntry:\n    main()\nexcept SystemExit:\n    pass\nprint(*sys.modules)"
    made = (
        subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True)
        .stdout.split("Commands:")[1]
        .split()
    )
    assert not {"numpy", "llvmlite", "rich", "sympy", "scipy", "matplotlib"} & set(made)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("inf", "did you mean 'info'"),
        ("info pma560", "did you mean 'puma560'"),
        ("formulas planar3 mass_matrx", "did you mean 'mass_matrix'"),
        ("count planar3 mass_matrix --method denc", "did you mean 'denoc'"),
        ("inverse planar3 -t cyclod", "did you mean 'cycloid'"),
        ("inverse planar3 -t cycloid --to joint4=1", "did you mean 'joint3'"),
        ("inverse planar3 -t cycloid --to 1,2", "2 numbers"),
        ("inverse planar3 -t cycloid --to 1,nan,2", "not finite"),
        ("simulate planar3 --q0 joint5=1", "did you mean"),
        ("simulate planar3 --torque gravty", "did you mean 'gravity'"),
        ("simulate planar3 --method dopri", "did you mean 'dopri5'"),
        ("info PUMA560", "did you mean 'puma560'"),
        ("count puma560 forward_dynamics --method ABA", "did you mean 'articulated'"),
        ("convert planar3 --to urdf --out x.toml", "must end in .urdf"),
        ("convert planar3 --to dh:distl", "did you mean 'dh:distal'"),
        ("convert panda --to dh:saha", "branches"),
        ("info planar3 --gravity 1,2", "three numbers"),
        ("info planar3 --lock joint1", "JOINT=VALUE"),
        ("info nothing.urdf", "nothing.urdf"),
        ("formulas stanford mass_matrix --paper", "three-link planar"),
        ("reproduce --paper saha1999", "did you mean"),
        ("inverse planar3", "--trajectory"),
    ],
)
def test_bad_use_is_one_line_and_code_2(line, said, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, _, err = run(capsys, line)
    assert code == 2
    assert said in err and err.count("\n") == 1
    code, out, _ = run(capsys, line + " --json")
    assert code == 2 and said in json.loads(out)["error"]


@pytest.mark.parametrize("line", ["info nothing.urdf", "eval planar3 mass_matrix --q 1,2", "sweep nothing.toml"])
def test_debug_shows_where_and_all_else_stays(line, capsys, tmp_path, monkeypatch):
    """A traceback is no failed check: the exit code, the line and the JSON are those without it."""
    monkeypatch.chdir(tmp_path)
    code, out, err = run(capsys, f"{line} --json")
    code_too = _guarded([*line.split(), "--json", "--debug"])
    out_too, shown = capsys.readouterr()
    assert (code, out) == (code_too, out_too) and code == 2 and "error" in json.loads(out)
    assert shown.startswith("Traceback") and shown.endswith(err) and "Traceback" not in err


def test_main_exits():
    with pytest.raises(SystemExit) as stop:
        main(["info", "nowhere"])
    assert stop.value.code == 2


def test_unwritable_outputs_are_refused_before_the_work(capsys, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(ordern.Robot, "inverse_dynamics", lambda *a, **k: pytest.fail("worked before it looked"))
    for out in (f"{tmp_path}/file/x.csv", f"{tmp_path}/no/x.csv", f"{tmp_path}/x.txt"):
        assert run(capsys, f"inverse planar3 -t cycloid --to 1,1,1 --out {out}")[0] == 2
    assert run(capsys, f"reproduce --out {tmp_path}/file/report")[0] == 2
    assert sorted(p.name for p in tmp_path.iterdir()) == ["file"]


def test_names_from_files_do_nothing(capsys, tmp_path):
    text = ordern.robots.pendulum()
    path = tmp_path / "nasty.toml"
    text.save(path)
    path.write_text(path.read_text().replace('"pendulum"', f'"{NASTY}"'.replace('\\n"quotes"', "")))
    for line in ("info", "verify --states 1", "lint"):
        _, out, err = run(capsys, f"{line.split()[0]} {path} {' '.join(line.split()[1:])}")
        assert "\x1b" not in out + err
        assert "<script>" in out  # as text


def test_trajectory_from_csv_equals_the_profile(capsys, tmp_path):
    t = np.linspace(0, 2, 201)
    x = t / 2
    q = np.stack([1.2 * (10 * x**3 - 15 * x**4 + 6 * x**5)] * 3, axis=1)
    rows = "\n".join(",".join(map(repr, map(float, [a, *b]))) for a, b in zip(t, q, strict=True))
    (tmp_path / "in.csv").write_text("t,joint1,joint2,joint3\n" + rows + "\n")
    assert run(capsys, f"inverse planar3 -t {tmp_path}/in.csv --out {tmp_path}/a.npz")[0] == 0
    assert run(capsys, f"inverse planar3 -t quintic --to 1.2,1.2,1.2 --duration 2 --out {tmp_path}/b.npz")[0] == 0
    a, b = np.load(tmp_path / "a.npz")["tau"], np.load(tmp_path / "b.npz")["tau"]
    np.testing.assert_allclose(a, b, rtol=0, atol=1e-9)
    code, out, _ = run(capsys, f"inverse planar3 -t {tmp_path}/in.csv --out -")
    assert code == 0 and out.startswith("t,tau:joint1") and len(out.splitlines()) == 202


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("t,joint1,joint2\n0,1,2\n1,2,3\n", "joint3"),
        ("joint1,joint2,joint3\n0,1,2\n", "no column t"),
        ("t,joint1,joint2,joint3\n0,1,2,x\n", ":2: 'x'"),
        ("t,joint1,joint2,joint3\n0,1,2\n", ":2: 3 values"),
        ("t,joint1,joint2,joint3\n1,1,2,3\n0,1,2,3\n", "must grow"),
        ("t,joint1,joint2,joint3\n0,1,2,nan\n1,1,1,1\n", "finite"),
        ("", "header"),
        ("t;joint1;joint2;joint3\n0;0;0;0\n1;1;1;1\n", "separated by commas"),
        ("t,joint1,joint2,joint3\n0,0,0,0\n1,1,1,1\n2,2,2,2\n", "3 rows are too few"),
    ],
)
def test_broken_trajectories_name_the_line(text, said, capsys, tmp_path):
    (tmp_path / "t.csv").write_text(text)
    code, _, err = run(capsys, f"inverse planar3 -t {tmp_path}/t.csv")
    assert code == 2 and said in err and err.count("\n") == 1


def test_degrees_are_said_and_noticed(capsys):
    code, _, err = run(capsys, "inverse planar3 -t cycloid --to 180deg,joint,0 --duration 1")
    assert code == 2 and "'joint' is not a number" in err
    ends = [
        run(capsys, f"inverse planar3 -t cycloid --to {to},0,0 --duration 1 --json")
        for to in ("180deg", "3.141592653589793", "180")
    ]
    assert ends[0] == ends[1] and not ends[0][2]
    assert (
        ends[2][0] == 0 and "joint1 at 180 rad" in ends[2][2] and "180deg" in ends[2][2] and ends[2][2].count("\n") == 1
    )


@pytest.mark.parametrize("rows", [4, 5, 6])
def test_short_trajectories(rows, capsys, tmp_path):
    lines = "\n".join(
        f"{k},{k * k},0,0" for k in range(rows)
    )  # qdd = 2 everywhere, which every spline of order 3 or more finds
    (tmp_path / "t.csv").write_text(f"time,joint1,joint2,joint3\n{lines}\n")
    code, _, err = run(capsys, f"inverse planar3 -t {tmp_path}/t.csv --out {tmp_path}/x.npz")
    assert code == 0, err
    np.testing.assert_allclose(np.load(tmp_path / "x.npz")["qdd"], np.tile([2.0, 0, 0], (rows, 1)), rtol=0, atol=1e-12)


@pytest.mark.filterwarnings("default::ordern.errors.OrdernWarning")
def test_warnings_are_one_line(tmp_path):
    (tmp_path / "r.urdf").write_text(
        """<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="1"/>
        <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
        <visual><geometry><mesh filename="missing.stl"/></geometry></visual></link>
        <joint name="j" type="continuous"><parent link="base"/><child link="arm"/></joint></robot>"""
    )
    line = [sys.executable, "-m", "ordern.cli", "view", "r.urdf", "--out", "r.html"]
    made = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True)
    assert (
        made.returncode == 0
        and made.stderr.startswith("ordern: warning: 'r': shapes stand in")
        and made.stderr.count("\n") == 1
    )


def test_a_reader_that_goes_is_no_failed_check():
    """As in: ordern info chain50 | head -1."""
    line = [sys.executable, "-m", "ordern.cli", "formulas", "stanford", "mass_matrix"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert process.wait(120) == 0 and not process.stderr.read()


def test_view_tells_machines_where(tmp_path):
    line = [sys.executable, "-m", "ordern.cli", "view", "pendulum", "--json", "--no-browser", "--port", "0"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, text=True) as process:
        data = json.loads(process.stdout.readline())
        process.terminate()
    assert data["robot"] == "pendulum" and data["url"].startswith("http://127.0.0.1:")


def test_a_failed_check_is_code_1(capsys, tmp_path, monkeypatch):
    from ordern.check import convert

    monkeypatch.setattr(convert, "prove", lambda *a: convert.Proof(1, 1e9, 0.0, 0.0))
    code, out, _ = run(capsys, f"convert planar3 --to toml --out {tmp_path}/p.toml")
    assert code == 1 and "off" in out and not list(tmp_path.iterdir())
    ordern.robots.pendulum().save(tmp_path / "p.toml")
    text = (tmp_path / "p.toml").read_text()
    (tmp_path / "p.toml").write_text(text.replace("mass = 1.0", "mass = 5000.0"))
    code, out, _ = run(capsys, f"lint {tmp_path}/p.toml")
    assert code == 1 and "is this grams?" in out


def test_dh_table_from_a_file(capsys, tmp_path):
    (tmp_path / "arm.toml").write_text(
        'convention = "distal"\ndegrees = true\n[[dh]]\na = 0.4\nalpha = 90\nmass = 2\ninertia = [0.1, 0.1, 0.1]\n[[dh]]\na = 0.3\nmass = 1\n'
    )
    assert run(capsys, f"convert {tmp_path}/arm.toml --to dh:proximal --out {tmp_path}/b.toml")[0] == 0
    assert run(capsys, f"convert {tmp_path}/b.toml --to urdf --out {tmp_path}/c.urdf")[0] == 0
    assert run(capsys, f"info {tmp_path}/c.urdf")[0] == 0
    code, out, _ = run(capsys, f"info {tmp_path}/arm.toml --base floating")
    assert code == 0 and "8 degrees of freedom" in out and out.startswith("arm:")


def test_simulate_writes_everything(capsys, tmp_path):
    code, out, err = run(
        capsys,
        f"simulate planar3 --duration 0.2 --torque gravity --out {tmp_path}/r.csv --plot {tmp_path}/r.png --json",
    )
    assert code == 0, err
    data = np.loadtxt(tmp_path / "r.csv", delimiter=",", skiprows=1)
    np.testing.assert_allclose(data[-1, 1:4], 0, rtol=0, atol=1e-9)  # held still
    assert (tmp_path / "r.png").read_bytes()[:4] == b"\x89PNG" and json.loads(out)["robot"] == "planar3"


@pytest.mark.parametrize("module", ["ordern", "ordern.cli"])
def test_the_module_is_the_command(module):
    """Where the command is not on the path."""
    done = subprocess.run(
        [sys.executable, "-m", module, "eval", "pendulum", "mass_matrix"], capture_output=True, text=True
    )
    assert done.returncode == 0 and "mass_matrix" in done.stdout, done.stderr
