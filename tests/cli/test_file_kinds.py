"""Files that are something else are named as what they are, whatever their names end in, with what to do about them; extras bring what they say."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import ordern
from ordern.cli import _guarded
from ordern.cli.output import as_options

ROOT = Path(__file__).resolve().parents[2]
PICTURE = b"\x89PNG\r\n\x1a\n" + bytes(100)


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("robot.png", PICTURE, "a PNG picture"),
        ("robot.urdf", PICTURE, "a PNG picture"),
        ("robot.toml", PICTURE, "a PNG picture"),
        ("robot.xml", b"\xff\xd8\xff\xe0", "a JPEG picture"),
        ("robot", b"%PDF-1.7", "a PDF"),
        ("robot.urdf", b"PK\x03\x04abc", "unpack it"),
        ("part.stl", b"solid part\nfacet normal 0 0 1", "<mesh>"),
        ("part.dae", b"<?xml version='1.0'?><COLLADA/>", "<mesh>"),
        ("page.xml", b"<html><body>404</body></html>", "Raw"),
        ("package.xml", b"<?xml version='1.0'?><package format='3'/>", "urdf/"),
        ("arm.toml", b"<robot name='r'><link name='a'/></robot>", "name it .urdf"),
        ("arm.urdf", b"convention = 'distal'\n[[dh]]\na = 1\n", "name it .toml"),
        ("arm.urdf", b"<mujoco/>", "MJCF"),
        (
            "arm.urdf",
            b"<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'><xacro:include filename='x'/></robot>",
            "run xacro",
        ),
        ("world.usd", b"PXR-USDC\x00", "exports the robot"),
    ],
)
def test_wrong_kinds_are_named(name, data, said, tmp_path, capsys):
    (tmp_path / name).write_bytes(data)
    with pytest.raises(ordern.ModelError, match=re.escape(said)) as caught:
        ordern.load(tmp_path / name)
    assert name in str(caught.value)
    assert _guarded(["info", str(tmp_path / name)]) == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize("line", ["inverse planar3 --log", "inverse planar3 -t", "simulate planar3 --torque", "sweep"])
@pytest.mark.parametrize("data", [PICTURE, PICTURE.replace(b"\0", b"x")], ids=["noughts", "letters"])
def test_pictures_are_named_where_numbers_belong(line, data, tmp_path, capsys):
    place = tmp_path / ("p.toml" if line == "sweep" else "p.csv")
    place.write_bytes(data)
    code = _guarded([*line.split(), str(place)])
    err = capsys.readouterr().err
    assert code == 2 and "a PNG picture" in err and err.count("\n") == 1, err


def test_extras_bring_what_they_promise():
    """Every package that a message names is in the extra that it names."""
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    calls = [
        c
        for p in (ROOT / "src").rglob("*.py")
        for c in re.findall(r'\bneed\(\s*"([\w.]+)",\s*"(\w+)"\s*\)', p.read_text())
    ]
    assert len(calls) > 10
    for module, extra in calls:
        package = {"PIL": "matplotlib", "imageio_ffmpeg": "matplotlib"}.get(
            module.partition(".")[0], module.partition(".")[0]
        )  # Pillow comes with it
        if extra in extras:
            assert any(re.match(rf"{package}\b", line) for line in extras[extra]), (module, extra)
        else:
            assert module in ("child", "inertia", "mass", "parent"), (
                module,
                extra,
            )  # elements of a URDF, which have a need() of their own


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("pass on_invalid='warn' to go on", "pass --on-invalid warn to go on"),
        ('on_invalid="repair" mends it', "--on-invalid repair mends it"),
        (
            "will push it back (limits=False leaves end stops out)",
            "will push it back (--no-limits leaves end stops out)",
        ),
        ("use method='Radau'", "use --method Radau"),
        ('load it with base="floating"', "load it with --base floating"),
        ("use method='gibbs-appell'", "use --method gibbs-appell"),
        ("saturate=True has drives do no more than that", "--saturate has drives do no more than that"),
        ("link='tool0' has no effect", "--link tool0 has no effect"),
        ("xacro_args is for .xacro files", "--xacro-arg is for .xacro files"),
        ("packages: there is no folder 'x'", "--package: there is no folder 'x'"),
        ("friction=False leaves dry friction out", "--no-friction leaves dry friction out"),
        ("name its folder: packages={'p': ...} or --package p=FOLDER", "name its folder: --package p=FOLDER"),
    ],
)
def test_remedies_are_options_of_the_command_line(text, made):
    assert as_options(text) == made


COMMANDS = {
    "info": "", "lint": "", "verify": "--states 1", "inverse": "-t cycloid --to 1", "simulate": "--duration 0.01", "eval": "mass_matrix",
    "count": "mass_matrix", "formulas": "mass_matrix", "export": "mass_matrix --c here", "convert": "--to toml", "view": "--out v.html",
}  # fmt: skip
KINDS = {
    "arm.urdf": (
        b"<sdf version='1.9'><model name='m'><link name='l'/></model></sdf>",
        "it is SDF: name it .sdf, and ordern reads it",
    ),
    "arm2.urdf": (
        b"<mujoco><worldbody><body name='b'><geom size='0.1'/></body></worldbody></mujoco>",
        "it is MJCF: name it .xml, and ordern reads it",
    ),
    "arm.sdf": (b"<robot name='r'><link name='a'/></robot>", "it is URDF: name it .urdf"),
    "arm3.urdf": (
        b"<robot name='r' xmlns:xacro='http://ros.org/wiki/xacro'><xacro:include filename='x'/></robot>",
        "name it .xacro",
    ),
    "part.obj": (b"v 0 0 0\n", "it looks like a mesh; name it in a <mesh> of a URDF"),
    "binary.stl": (bytes(84), "it looks like a mesh"),
    "log.csv": (b"t,q1\n0,1\n", "give it to --log or --torque after the robot"),
    "run.npz": (b"PK\x03\x04", "it looks like a run"),
    "arm.yaml": (b"joints: []\n", "it looks like YAML"),
    "arm.py": (b"import os\n", "a Python program, which is never run"),
    "arm.srdf": (b"<robot name='r'><group name='g'/></robot>", "give the URDF that it belongs to"),
    "arm4.urdf": (PICTURE, "it looks like a PNG picture; give the robot's own description"),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_names_them(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name, (data, said) in KINDS.items():
        (tmp_path / name).write_bytes(data)
        assert _guarded([command, name, *COMMANDS[command].split()]) == 2
        err = capsys.readouterr().err
        assert said in err and name in err and err.count("\n") == 1, err
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(KINDS)


@pytest.mark.parametrize(("name", "suffix"), [("arm.urdf", ".sdf"), ("arm2.urdf", ".xml"), ("arm.sdf", ".urdf")])
def test_the_remedy_works(name, suffix, tmp_path, monkeypatch, capsys):
    """Named as the message says, the file is read, and converted by the command it gives; robots without joints have empty matrices."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / f"robot{suffix}").write_bytes(KINDS[name][0])
    assert _guarded(["info", f"robot{suffix}"]) == 0
    assert _guarded(["convert", f"robot{suffix}", "--to", "toml", "--out", "robot.toml"]) == 0
    assert _guarded(["eval", "robot.toml", "mass_matrix"]) == 0, capsys.readouterr()
