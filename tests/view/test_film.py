"""What a name ends in is what the file holds: pages, pictures, films; or a refusal."""

from __future__ import annotations

import os
import stat

import numpy as np
import PIL.Image
import pytest

import ordern

ARM = ordern.robots.planar3()


@pytest.fixture(scope="module")
def run():
    return ARM.simulate([0.1, 0.2, 0.3], duration=0.4)


@pytest.mark.parametrize(
    ("name", "begins"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.pdf", b"%PDF"), ("a.html", b"<!doctype html>")]
)
def test_pictures(name, begins, tmp_path):
    made = ARM.page(tmp_path / name, q=[0.5, 0.5, 0.5])
    data = (tmp_path / name).read_bytes()
    assert data[: len(begins)].lower() == begins.lower() and bool(made) == name.endswith("html")
    if name.endswith("png"):
        shown = np.asarray(PIL.Image.open(tmp_path / name).convert("RGB")).reshape(-1, 3)
        blue = np.abs(shown.astype(int) - (0x00, 0x72, 0xB2)).max(axis=1) < 12
        assert blue.sum() > 500  # the links are there


def test_a_film_moves(run, tmp_path):
    run.animate(tmp_path / "m.gif")
    film = PIL.Image.open(tmp_path / "m.gif")
    assert film.n_frames == 11 and film.info["duration"] == 40  # 0.4 s at 25 frames a second
    first = np.asarray(film.convert("RGB"), int)
    film.seek(10)
    assert np.abs(np.asarray(film.convert("RGB"), int) - first).max() > 100


def test_ffmpeg_is_used_where_it_is(run, tmp_path, monkeypatch):
    """A program of that name that keeps what it is given: so many whole frames."""
    (tmp_path / "bin").mkdir()
    fake = tmp_path / "bin" / "ffmpeg"
    fake.write_text('#!/bin/sh\nfor last; do :; done\necho "$@" > "$FILM_WORDS"\ncat > "$last"\n')
    fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("FILM_WORDS", str(tmp_path / "words"))
    run.animate(tmp_path / "m.mp4")
    words = (tmp_path / "words").read_text().split()
    width, height = map(int, words[words.index("-s") + 1].split("x"))
    assert width % 2 == height % 2 == 0 and (tmp_path / "m.mp4").stat().st_size == 11 * 4 * width * height
    fake.write_text("#!/bin/sh\necho no such codec >&2\nexit 1\n")
    with pytest.raises(ordern.InputError, match="no such codec"):
        run.animate(tmp_path / "n.mp4")
    assert not (tmp_path / "n.mp4").exists()


def test_what_cannot_be_made_is_refused(run, tmp_path, monkeypatch):
    monkeypatch.setattr("ordern.view.film._ffmpeg", lambda: None)
    with pytest.raises(ordern.InputError, match="needs the program ffmpeg"):
        run.animate(tmp_path / "m.mp4")
    with pytest.raises(ordern.InputError, match="a film needs a motion"):
        ARM.page(tmp_path / "m.gif")
    with pytest.raises(ordern.InputError, match="a picture shows one configuration"):
        run.animate(tmp_path / "m.png")
    for name in ("m.txt", "m.jpg", "m"):
        with pytest.raises(ordern.InputError, match="must end in"):
            ARM.page(tmp_path / name)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "robot", [ordern.robots.panda(), ordern.load("ur5", base="floating")], ids=["panda", "floating"]
)
def test_any_robot(robot, tmp_path):
    robot.page(tmp_path / "r.png")
    assert (tmp_path / "r.png").stat().st_size > 10_000


def test_notebooks_see_something(run):
    """Without pyplot ever imported: figures have pictures of their own, runs a player and columns by joint."""
    assert run.plot("angles")._repr_png_()[:4] == b"\x89PNG"
    html = run._repr_html_()
    assert "<iframe" in html and "srcdoc" in html and "<td style='text-align:right'>joint2</td>" in html
    assert "joint2" in repr(run) and " q1" not in repr(run)
    two = ARM.simulate(np.zeros((2, 3)), duration=0.05)
    assert "<iframe" not in two._repr_html_()
    with pytest.raises(ordern.InputError, match="plot\\('path'"):
        run.plot("angles", link="link2")


def test_public_modules_are_importable():
    import subprocess
    import sys

    code = "from ordern.control import PD, OperationalSpace\nimport ordern.trajectory, ordern\nfrom ordern.trajectory import cycloid\n"
    code += "assert ordern.control.PD is PD and ordern.trajectory.cycloid is cycloid\nimport ordern.robots\nassert ordern.robots.names()\n"
    code += "try:\n    import ordern.nonsense\nexcept ImportError:\n    print('fine')\n"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert made.stdout == "fine\n", made.stderr


def test_a_second_run_is_drawn_beside_the_first(run, tmp_path):
    """Grey in films, data of its own in pages; what cannot be a second run is refused."""
    other = ARM.simulate([-0.4, -0.2, 0.3], duration=0.2)
    run.animate(tmp_path / "both.gif", ghost=other)
    run.animate(tmp_path / "one.gif")
    both, one = (np.asarray(PIL.Image.open(tmp_path / name).convert("RGB"), int) for name in ("both.gif", "one.gif"))
    grey = [(np.ptp(frame, axis=2) < 12) & (np.abs(frame.mean(axis=2) - 153) < 14) for frame in (both, one)]
    assert grey[0].sum() > grey[1].sum() + 200
    page = run.animate(ghost=other)
    assert '"ghost":{"count":' in page and '"ghost":null' in run.animate()
    ensemble = ARM.simulate(np.zeros((2, 3)), duration=0.2)
    for arguments, words in (
        ({"ghost": ensemble}, "ensemble"),
        ({"ghost": {"t": [0, 1], "q": [[0, 0], [1, 1]]}}, "ghost.q"),
        ({"ghost": {"q": [[0, 0, 0]]}}, "ghost needs t"),
    ):
        with pytest.raises(ordern.OrdernError, match=words):
            run.animate(**arguments)
    with pytest.raises(ordern.InputError, match="second motion beside a first"):
        ARM.page(ghost=other)
    with pytest.raises(ordern.InputError, match="a picture shows one configuration"):
        ARM.page(tmp_path / "x.png", ghost=other)
