"""Plots are written whole, in three forms, with names as they are."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.errors import InputError
from ordern.report import plots
from robots import serial

T = np.linspace(0, 1, 20)
NAMES = ("a$b$", "<script>alert(1)</script>", "\\frac{1}{2}")


@pytest.mark.parametrize("suffix", ["svg", "png", "pdf"])
def test_series(suffix, tmp_path):
    path = tmp_path / f"x.{suffix}"
    plots.plot_series(T, np.stack([T, T**2, T**3], axis=1), NAMES, "torque (N m)", path, title="$x")
    assert path.stat().st_size > 2000 and [p.name for p in tmp_path.iterdir()] == [path.name]
    if suffix == "svg":
        assert "<script" not in path.read_text()


def test_svg_for_pages_has_no_head_and_no_date():
    text = plots.svg(plots.plot_series(T, T, ("x",), "y"))
    assert text.startswith("<svg") and "<?xml" not in text and "dc:date" not in text


def test_many_lines_have_no_legend():
    made = plots.plot_series(T, np.tile(T[:, None], 30), [str(k) for k in range(30)], "y")
    assert made.axes[0].get_legend() is None and len(made.axes[0].lines) == 30


def test_lines_of_a_legend_differ():
    looks = [tuple(plots.line(k).values()) for k in range(plots.NAMED)]
    assert len(set(looks)) == plots.NAMED
    made = plots.plot_series(T, np.tile(T[:, None], plots.NAMED), [str(k) for k in range(plots.NAMED)], "y")
    assert len(made.axes[0].get_legend().get_texts()) == plots.NAMED


def test_all_kinds(tmp_path):
    robot = ordern.robots.puma560()
    q = robot.random(0)
    plots.plot_matrix(robot.mass_matrix(q), tmp_path / "m.svg", names=robot.joint_names)
    plots.plot_matrix(np.zeros((30, 30)), tmp_path / "z.png")
    plots.plot_bands({"a": np.eye(5), "b": np.tri(5)}, tmp_path / "b.svg", title="bands")
    plots.plot_counts([1, 2, 3], {"a": [1, 2, 3], "b": [1, np.nan, 9]}, tmp_path / "c.svg", log=True)
    plots.plot_path(np.stack([T, T, T], axis=1), tmp_path / "p.svg")
    plots.plot_energy(T, T, -T, tmp_path / "e.svg")
    plots.plot_power(T, np.ones((20, 2)), np.ones((20, 2)), ("a", "b"), tmp_path / "w.svg")
    assert len(list(tmp_path.iterdir())) == 7


def test_plots_of_runs(tmp_path):
    """In the same style: a dash for each line, names as text; nothing written where it cannot be, or half."""
    arm = ordern.Robot.from_dh(
        [{"a": 0.3, "mass": 1.0, "name": "$x^"}, {"a": 0.3, "mass": 1.0, "name": "<b>"}], "distal"
    )
    run = arm.simulate([0.1, 0.2], duration=0.05)
    made = run.plot("angles", tmp_path / "a.svg")
    lines = made.axes[0].get_lines()
    assert (
        len({(x.get_color(), str(x._dash_pattern)) for x in lines}) == 2
        and len({str(x._dash_pattern) for x in lines}) == 2
    )
    assert [t.get_text() for t in made.axes[0].get_legend().get_texts()] == [r"\$x^", "<b>"]
    for bad, said in (("a.bmp", "must end in"), ("no/a.svg", "no folder")):
        with pytest.raises(InputError, match=said):
            run.plot("angles", tmp_path / bad)
    assert [p.name for p in tmp_path.iterdir()] == ["a.svg"]


def test_bad_input(tmp_path):
    with pytest.raises(ordern.InputError, match=r"\.svg"):
        plots.plot_series(T, T, ("x",), "y", tmp_path / "x.doc")
    with pytest.raises(ordern.InputError, match="shape"):
        plots.plot_series(T, np.ones((3, 2)), ("x", "y"), "y")
    with pytest.raises(ordern.InputError, match="path"):
        plots.plot_path(np.ones((3, 2)))
    with pytest.raises(ordern.InputError, match="folder"):
        plots.plot_series(T, T, ("x",), "y", tmp_path / "no" / "x.svg")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("letters", [3, 20, 60, 300])
@pytest.mark.parametrize("count", [2, 7, 12])
def test_the_legend_is_whole_and_leaves_room(count, letters):
    """Joints have names of any length: the legend lies in the figure, and the curves have most of its width."""
    names = [f"{k:02d}" + "joint_" * 60 for k in range(count)]
    _whole(plots.plot_series(T, np.tile(T[:, None], count), [name[:letters] for name in names], "y", title="t"))


def test_the_legend_of_a_run_hides_no_curve():
    made = ordern.robots.panda().simulate(duration=0.01, method="rk4", dt=0.005).plot("angles")
    _whole(made)
    axes = made.axes[0]
    assert axes.get_legend().get_window_extent().y1 < axes.get_window_extent().y0


def _whole(made):
    """The legend lies in the figure, and the curves have most of the room."""
    made.canvas.draw()
    axes, whole = made.axes[0], made.bbox
    box = axes.get_legend().get_window_extent()
    assert box.x0 >= whole.x0 and box.x1 <= whole.x1 and box.y0 >= whole.y0 - 3  # empty border of the legend
    room = axes.get_window_extent()
    assert room.width > 0.6 * whole.width and room.height > 0.3 * whole.height


@pytest.mark.parametrize(
    ("robot", "units"),
    [
        ("planar3", ("rad", "rad/s", "N m")),
        (serial("PP", 1), ("m", "m/s", "N")),
        ("stanford", ("rad, m", "rad/s, m/s", "N m, N")),
    ],
)
def test_labels_name_the_units_that_the_joints_have(robot, units):
    """A reader of an arm that only turns is not told of metres."""
    robot = ordern.load(robot) if isinstance(robot, str) else ordern.Robot(robot)
    run = robot.simulate(np.full(robot.nq, 0.1), duration=0.02)
    for what, unit in zip(("angles", "rates", "torques"), units, strict=True):
        assert run.plot(what).axes[0].get_ylabel().endswith(f"({unit})")
    assert run.plot("energy").axes[0].get_ylabel() == "energy (J)"


@pytest.mark.parametrize("name", ["fall.svg", "a/fall.PNG", "angles.pdf"])
def test_a_file_name_in_place_of_what_to_draw(name):
    run = ordern.load("pendulum").simulate([0.1], duration=0.02)
    with pytest.raises(ordern.InputError, match=r"is the name of a file; .*plot\('angles', FILE\)"):
        run.plot(name)
