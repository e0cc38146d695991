"""DH frames of any robot: along every path, in every convention, they end at the link."""

import math

import numpy as np
import pytest
from pages import HOSTILE, data_of
from test_page_numbers import computed

import needs
import ordern
from ordern.errors import InputError, ModelError
from ordern.robot import Robot
from ordern.view.dh_frames import dh_frames
from ordern.view.draw_dh import placed_frames
from robots import mimicking, mixed, serial, state

ROBOTS = {
    "puma560": lambda: ordern.robots.puma560(),
    "stanford": lambda: ordern.robots.stanford(),
    "panda": lambda: ordern.robots.panda(),
    "ur5": lambda: ordern.robots.ur5(),
    "random": lambda: Robot(serial("RPRRPR", 5)),
    "mixed": lambda: Robot(mixed()),
    "mimicking": lambda: Robot(mimicking()),
    "fourbar": lambda: ordern.robots.fourbar(),
    "chain": lambda: ordern.robots.chain(60),
}
CONVENTIONS = ("saha", "distal", "proximal")


@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("name", ROBOTS)
def test_frames_lead_to_every_link(name, convention):
    """Products of the four elementary motions of all rows are the pose of the link, for any q; z of a frame is the joint's axis."""
    robot = ROBOTS[name]()
    q = state(robot.model, np.random.default_rng(2))[0]
    poses = robot.forward_kinematics(q)
    drawn = 0
    for link in robot.link_names[:: max(1, robot.n // 8)]:
        try:
            frames = dh_frames(robot.model, convention, link)
        except ModelError as error:
            assert link in str(error)
            continue
        drawn += 1
        made = placed_frames(robot.model, frames, q)
        limit = 1e-9 * max(1.0, np.abs(poses[link]).max())  # axes within 1e-10 of each other count as meeting
        assert np.abs(made[-1] - poses[link]).max() < limit
        for at, i in zip(made[1:] if convention == "proximal" else made[:-1], frames.bodies, strict=False):
            first = next(k for k, item in enumerate(robot.model.links) if item.body == i)
            body = poses[robot.link_names[first]] @ np.linalg.inv(robot.model.links[first].placement.matrix())
            assert abs(at[:3, 2] @ body[:3, 2]) > 1 - 1e-9  # frames stand on the axes
    assert drawn


@needs.node
@pytest.mark.parametrize("convention", CONVENTIONS)
@pytest.mark.parametrize("name", ["puma560", "stanford", "mimicking"])
def test_page_walks_the_same_steps(name, convention, tmp_path):
    robot = ROBOTS[name]()
    q = state(robot.model, np.random.default_rng(4))[0]
    text = robot.draw_dh(convention=convention)
    dh = data_of(text)["dh"]
    assert dh["open"] and dh["convention"] == convention and data_of(robot.page())["dh"]["open"] is False
    frames = dh_frames(robot.model, convention)
    base = placed_frames(robot.model, frames, q)[0] @ np.linalg.inv(frames.base.matrix())
    script = f"return dh.steps(Float64Array.from({q.tolist()}), Float64Array.from({base.ravel().tolist()}));"
    found = computed(robot.model, script, tmp_path, ("dh",), dh=dh)
    assert len(found) == 4 * len(frames.rows)
    wanted = placed_frames(robot.model, frames, q)
    for k, step in enumerate(found):
        before, after = np.reshape(step["before"], (4, 4)), np.reshape(step["after"], (4, 4))
        moved = np.linalg.inv(before) @ after
        axis = {"x": 0, "z": 2}[step["axis"]]
        if step["turn"]:
            assert np.allclose(moved[:3, 3], 0, atol=1e-9) and np.allclose(moved[axis, axis], 1)
            assert math.isclose(np.trace(moved) - 2, 2 * math.cos(step["value"]), abs_tol=1e-9)
        else:
            assert np.allclose(moved[:3, :3], np.eye(3), atol=1e-9) and np.isclose(moved[axis, 3], step["value"])
        if k % 4 == 3:
            assert np.abs(after - wanted[(k + 1) // 4]).max() < 1e-9


def test_files_and_refusals(tmp_path):
    robot = ordern.robots.puma560()
    for name in ("a.png", "b.svg", "c.html"):
        text = robot.draw_dh(tmp_path / name, q=[0.1] * 6, title=HOSTILE)
        assert (tmp_path / name).stat().st_size > 5000 and bool(text) == name.endswith(".html")
    assert (tmp_path / "a.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    for arguments, error, words in (
        ({"path": tmp_path / "x.doc"}, InputError, "must end in"),
        ({"link": "nobody"}, InputError, "no link 'nobody'"),
        ({"convention": "mine"}, InputError, "convention is 'mine'"),
        ({"link": robot.link_names[0]}, ModelError, "hangs on a fixed joint"),
    ):
        with pytest.raises(error, match=words):
            robot.draw_dh(**arguments)
    assert not (tmp_path / "x.doc").exists()


def test_joints_that_no_table_holds_stand_before_it():
    robot = Robot(serial("FRR", 3))
    frames = dh_frames(robot.model)
    assert frames.start == 1 and len(frames.rows) == 2
    with pytest.raises(ModelError, match="floating joint"):
        robot.draw_dh(link=robot.link_names[0] if robot.model.links[0].body == 1 else robot.link_names[1])


@pytest.mark.parametrize(("convention", "first"), [("saha", 1), ("distal", 0), ("proximal", 0)])
def test_pictures_number_frames_as_the_books_do(convention, first, monkeypatch, tmp_path):
    drawn = []
    monkeypatch.setattr("ordern.view.draw_dh.save_figure", lambda made, target: drawn.append(made))
    ordern.robots.planar3().draw_dh(tmp_path / "x.png", convention=convention)
    shown = {t.get_text() for t in drawn[0].axes[0].texts}
    assert shown == {f"${axis}_{{{k}}}$" for axis in "xz" for k in range(first, first + 4)}


def test_without_a_link_the_path_is_one_that_has_frames():
    """The longest path of this tree ends behind a helical joint, which no table holds; it used to be refused."""
    found = dh_frames(mixed())
    assert found.link == "link9" and len(found.rows) == 1
    with pytest.raises(ModelError, match="hangs on a helical joint"):
        dh_frames(mixed(), link="link8")
    with pytest.raises(ModelError, match="hangs on a spherical joint"):
        dh_frames(serial("S", 1))
