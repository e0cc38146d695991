"""xacro through the xacro package: arguments, packages and includes work; nothing outside the named folders is opened."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import ordern
from budget import TRUST, examples
from ordern.describe.urdf import xacro_text

from .test_fuzz import spoiled

ARM = """<?xml version="1.0"?>
<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
  <xacro:arg name="prefix" default=""/>
  <xacro:arg name="mass" default="1.0"/>
  <xacro:property name="half" value="${0.4 / 2}"/>
  INCLUDE
  <link name="$(arg prefix)base"/>
  <link name="$(arg prefix)upper"><inertial><origin xyz="${half} 0 0"/><mass value="$(arg mass)"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial>
    <visual><geometry><mesh filename="package://arm_description/meshes/a.stl"/></geometry></visual></link>
  <joint name="$(arg prefix)shoulder" type="continuous"><parent link="$(arg prefix)base"/><child link="$(arg prefix)upper"/>
    <axis xyz="0 0 1"/></joint>
</robot>
"""
MORE = (
    '<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><material name="red"><color rgba="1 0 0 1"/></material></robot>'
)


@pytest.fixture
def package(tmp_path):
    """A package with a description, a mesh and another package beside it."""
    own, other = tmp_path / "arm_description", tmp_path / "other_pkg"
    for folder in (own / "urdf", own / "meshes", other):
        folder.mkdir(parents=True)
    (own / "package.xml").write_text("<package><name>arm_description</name></package>")
    (other / "package.xml").write_text("<package><name>other_pkg</name></package>")
    (own / "meshes" / "a.stl").write_bytes(b"solid")
    (own / "urdf" / "more.xacro").write_text(MORE)
    (other / "more.xacro").write_text(MORE)
    (tmp_path / "secret.xacro").write_text(MORE)
    return tmp_path


def written(package, include=""):
    path = package / "arm_description" / "urdf" / "arm.urdf.xacro"
    path.write_text(ARM.replace("INCLUDE", f'<xacro:include filename="{include}"/>' if include else ""))
    return path


@pytest.mark.parametrize(("given", "said"), [("mas", "did you mean 'mass'"), ("x9", "there are mass, prefix")])
def test_arguments_that_nothing_uses_are_told(package, given, said):
    """xacro itself passes over them, and the robot would keep the value that was to be changed."""
    path = written(package, "more.xacro")
    with pytest.warns(UserWarning, match=f"nothing uses the xacro argument '{given}'; {said}"):
        ordern.load(path, xacro_args={given: 2.5, "mass": 2.0})
    # used in expressions alone, without a declaration
    path.write_text('<robot xmlns:xacro="x" name="$(arg called)"><link name="${xacro.arg(\'body\')}"/></robot>')
    assert ordern.load(path, xacro_args={"called": "a", "body": "b"}).link_names == ("b",)


@pytest.mark.parametrize("include", ["more.xacro", "$(find arm_description)/urdf/more.xacro"])
def test_arguments_and_includes(package, include):
    path = written(package, include)
    robot = ordern.load(path, xacro_args={"prefix": "left_", "mass": 2.5}, base="floating")
    assert robot.link_names == ("left_base", "left_upper")
    assert robot.model.links[1].mass == 2.5
    assert robot.model.links[1].com == (0.2, 0.0, 0.0)
    assert robot.n == 7
    assert robot.model.source == str(path)
    from ordern.describe.meshes import mesh_path

    assert (
        mesh_path(robot.model, robot.model.links[1].visuals[0].path) == package / "arm_description" / "meshes" / "a.stl"
    )


def test_packages_are_named(package, monkeypatch):
    path = written(package, "$(find other_pkg)/more.xacro")
    with pytest.raises(
        ordern.ModelError, match=r"xacro: the package 'other_pkg' is outside.*--package other_pkg=/.*/other_pkg$"
    ):
        ordern.load(path)
    assert ordern.load(path, packages={"other_pkg": package / "other_pkg"}).n == 1
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(package))
    assert ordern.load(path).n == 1


CHOSEN = ('<a b="$(arg left)"/>', '<xacro:include filename="../../secret.xacro"/>', '<a b="${1/0}"/>')


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('<xacro:include filename="../../secret.xacro"/>', "outside the folders"),
        ('<xacro:include filename="/etc/passwd"/>', "outside the folders"),
        (
            """<xacro:property name="x" value="${xacro.load_yaml('/etc/hostname')}"/><a b="${x}"/>""",
            "outside the folders|No such file",
        ),
        ('<xacro:include filename="arm.urdf.xacro"/>', "deep|recurs"),
        ('<a b="${1/0}"/>', "division by zero"),
        ('<a b="${nothing}"/>', "nothing"),
        ('<a b="${().__class__.__bases__}"/>', "invalid name"),
        ('<a b="$(find nowhere)"/>', "the package 'nowhere' is outside.*nowhere=FOLDER"),
        ('<a b="$(arg left)"/>', r"'left' has no value.*--xacro-arg left:=VALUE"),
        ("<xacro:undefined/>", "undefined"),
        ("<a>", "mismatched tag"),
    ],
)
def test_bad_files(package, line, said):
    if not TRUST and line not in CHOSEN:  # each starts a process
        return
    path = package / "arm_description" / "urdf" / "arm.urdf.xacro"
    path.write_text(ARM.replace("INCLUDE", line))
    with pytest.raises(ordern.ModelError, match=said) as caught:
        ordern.load(path)
    assert len(str(caught.value)) < 900


ATTACKS = [
    "__import__('os').rmdir('victim')", "__import__('os').symlink('a', 'b')", "__import__('os').chmod('victim', 0)",
    "__import__('os').kill(1, 0)", "__import__('os').truncate('victim', 0)", "__import__('os').chdir('/')",
    "__import__('os').listdir('/')", "__import__('socket').socket()", "open('/etc/passwd').read()", "env('HOME')",
    "__import__('os').putenv('A', 'b')", "open('new', 'w')",
]  # fmt: skip


def test_nothing_but_reading_is_allowed(package, monkeypatch):
    """What gets round xacro's own filter of expressions meets a list of what is allowed; all in one file, one process each is slow."""
    monkeypatch.setenv("ORDERN_SECRET", "treasure")
    child = (
        "import sys; from ordern.describe.urdf import xacro_child as c\n"
        "from pathlib import Path\n"
        "import xacro.substitution_args as words\n"
        "seen = []\n"
        "def attack(*_, **__):\n"
        "    for line in sys.argv[2:]:\n"
        "        try: eval(line, dict(words._eval_dict, __builtins__=__builtins__)); seen.append(line)\n"
        "        except c._Outside: pass\n"
        "    import os; seen.append(dict(os.environ))\n"
        "    raise SystemExit\n"
        "import xacro; xacro.process_file = attack\n"
        "try: c._expand(Path(sys.argv[1]), {}, ())\n"
        "except SystemExit: print(seen, end='')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", child, str(written(package)), *ATTACKS], capture_output=True, text=True
    )
    assert done.stdout == "[{}]", done.stdout + done.stderr


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('<a b="$(env HOME)"/>', "'HOME' is not for descriptions"),
        ('<a b="$(optenv HOME nowhere)"/>', None),
    ],
)
def test_the_environment_is_not_for_descriptions(package, line, said):
    path = package / "arm_description" / "urdf" / "arm.urdf.xacro"
    path.write_text(ARM.replace("INCLUDE", line))
    if said is None:
        assert "nowhere" in xacro_text.expanded(path, None, ())
    else:
        with pytest.raises(ordern.ModelError, match=said):
            ordern.load(path)


def test_a_bomb_ends(package, monkeypatch):
    path = package / "arm_description" / "urdf" / "arm.urdf.xacro"
    path.write_text(ARM.replace("INCLUDE", '<a b="${[x for x in range(10**12) if x &lt; 0]}"/>'))
    monkeypatch.setattr(xacro_text, "SECONDS", 3)
    with pytest.raises(ordern.ModelError, match="more than 3 s"):
        ordern.load(path)


def test_without_the_package(package, monkeypatch):
    path = written(package)
    monkeypatch.setitem(sys.modules, "xacro", None)
    monkeypatch.setattr(xacro_text.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ordern.MissingExtra, match="pip install xacro"):
        ordern.load(path)


def test_options_that_have_no_effect_are_refused(tmp_path):
    for options, said in (({"xacro_args": {"a": 1}}, "xacro_args"), ({"packages": {"a": tmp_path}}, "packages")):
        with pytest.raises(ordern.InputError, match=said):
            ordern.load("panda", **options)
    for packages in ({"a/b": tmp_path}, {"a": tmp_path / "no"}, 3, {"..": tmp_path}, {5: tmp_path}):
        with pytest.raises(ordern.InputError, match="packages"):
            ordern.load("x.urdf", packages=packages)
    for arguments in (3, {"a": [1]}, {4: "x"}):
        (tmp_path / "x.xacro").write_text("<robot/>")
        with pytest.raises(ordern.InputError, match="xacro_args"):
            ordern.load(tmp_path / "x.xacro", xacro_args=arguments)


MACROS = """<xacro:macro name="leg" params="side:=left *block x y:=^|0.1"><link name="${side}_leg"/>
  <xacro:if value="${x > 0.1}"><xacro:insert_block name="block"/></xacro:if></xacro:macro>
  <xacro:property name="z" value="${0.5 * pi}"/><xacro:property name="l" value="${[1, 2, 3]}"/>"""


@pytest.mark.filterwarnings("ignore::ordern.errors.OrdernWarning")
def test_spoiled_files(tmp_path):
    """Nothing but our own errors, whatever the bytes are; each file takes a process, so the short form has three."""
    rng, text = np.random.default_rng(None if TRUST else 1), ARM.replace("INCLUDE", MACROS).encode()
    path = tmp_path / "x.urdf.xacro"
    for _ in range(examples(3, 300)):
        data = spoiled(text, rng)
        path.write_bytes(data)
        try:
            ordern.load(path, on_invalid="warn")
        except ordern.OrdernError as error:
            assert len(str(error)) < 1500 and "Traceback" not in str(error), data
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error} for {data!r}") from error


def test_the_process_of_xacro_starts_without_numpy():
    """It only finds packages: NumPy and the models would be two thirds of its time."""
    code = "import sys, ordern.describe.urdf.xacro_child; print(*{'numpy', 'ordern.model'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""
