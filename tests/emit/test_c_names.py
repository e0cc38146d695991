"""Exported C names its robot: symbols do not clash, headers say what each number is, and names from files do no harm."""

import subprocess

import pytest

import needs
import ordern


def named(name):
    robot = ordern.robots.planar(2)
    return ordern.Robot(robot.model.changed(name=name))


@needs.gcc
def test_two_robots_fit_into_one_binary(tmp_path):
    for robot in (ordern.robots.planar3(), ordern.load("ur5"), named("2 arms")):
        robot.export_c("forward_dynamics", tmp_path)
    sources = [p for p in sorted(tmp_path.glob("*.c")) if not p.name.endswith("_test.c")]
    assert [p.name for p in sources] == [
        "planar3_forward_dynamics.c",
        "robot_2_arms_forward_dynamics.c",
        "ur5_forward_dynamics.c",
    ]
    main = "".join(f'#include "{p.with_suffix(".h").name}"\n' for p in sources) + "int main(void) { return 0; }\n"
    (tmp_path / "main.c").write_text(main)
    command = [
        "gcc",
        "-std=c99",
        "-Wall",
        "-Wextra",
        "-Werror",
        "main.c",
        *(p.name for p in sources),
        "-lm",
        "-o",
        "all",
    ]
    subprocess.run(command, cwd=tmp_path, check=True)
    subprocess.run([str(tmp_path / "all")], check=True)


@needs.gcc
@pytest.mark.parametrize("name", ["*/ int evil; /*", "a\\\nb", "??/", "x" * 300, "-", "Roboter-\u00e4"])
def test_names_from_files_do_no_harm(tmp_path, name):
    paths = named(name).export_c("gravity_forces", tmp_path)
    assert "evil;" not in paths[0].read_text() and paths[0].read_text().isascii()
    tests = [p.name for p in paths if p.name.endswith(".c")]
    subprocess.run(
        ["gcc", "-std=c99", "-Wall", "-Wextra", "-Werror", *tests, "-lm", "-o", "t"], cwd=tmp_path, check=True
    )
    subprocess.run([str(tmp_path / "t")], check=True, stdout=subprocess.DEVNULL)


def test_headers_say_what_each_number_is(tmp_path):
    header = ordern.load("ur5").export_c("inverse_dynamics", tmp_path)[0].read_text()
    for text in ("Robot ur5", "q[1]: shoulder_lift_joint", "qdd[5]: wrist_3_joint", "rad"):
        assert text in header
