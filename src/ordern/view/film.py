"""Still pictures (.png, .svg, .pdf) and films (.gif by Pillow; .mp4 and .webm by ffmpeg) of a robot, drawn by
matplotlib without a display.

They show the skeleton: links as bars between their frames, joints as dots, the way of the tool. The page shows the
robot's own shapes.
"""

from __future__ import annotations

import io
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, need
from ..evaluate.manifold import named
from ..evaluate.values import link_poses
from ..files import write
from ..model import Model
from ..report.plots import COLORS, figure, literal
from ..report.plots import save as save_figure
from ..runtime.array_inputs import as_array
from ..scalars.primitives import Array
from .page_data import Playback, checked_title, starting

__all__ = ["FILMS", "PAGES", "PICTURES", "film", "picture"]

PAGES, PICTURES, FILMS = (".html", ".htm"), (".png", ".svg", ".pdf"), (".gif", ".mp4", ".webm")
RATE, MOST = 25, 750  # frames a second, and in all: longer motions play faster
CODECS = {".mp4": ["-c:v", "libx264", "-pix_fmt", "yuv420p"], ".webm": ["-c:v", "libvpx-vp9", "-pix_fmt", "yuv420p"]}


def picture(model: Model, path: str | os.PathLike[str], q: object = None, title: str | None = None) -> None:
    """The robot in one configuration; neutral by default."""
    scene = _Scene(model, np.asarray(starting(model, q), float)[None], title)
    scene.draw(0)
    save_figure(scene.figure, path)


def film(
    model: Model, path: str | os.PathLike[str], run: object, title: str | None = None, ghost: object = None
) -> None:
    """The motion at its own speed, 25 frames a second; a second one is drawn thin and grey."""
    suffix = Path(path).suffix.lower()
    program = _ffmpeg() if suffix in CODECS else None
    if suffix in CODECS and program is None:
        raise InputError(
            f"{os.fspath(path)!r}: a film of this kind needs the program ffmpeg, which is not installed; write a .gif "
            "or the page as .html"
        )
    if suffix == ".gif":
        need("PIL.Image", "plots")
    t, q = _motion(model, run)
    count = int(min(MOST, max(2, np.ceil((t[-1] - t[0]) * RATE) + 1)))
    shown = np.clip(np.searchsorted(t, np.linspace(t[0], t[-1], count)), 0, len(t) - 1)
    beside = None
    if ghost is not None:
        times, other = _motion(model, ghost)
        beside = other[np.clip(np.searchsorted(times, t[shown]), 0, len(times) - 1)]
    scene = _Scene(model, q[shown], title, t[shown], beside)
    frames = (scene.image(k) for k in range(count))
    rate = min(RATE, (count - 1) / (t[-1] - t[0])) if count < MOST else RATE
    write(path, _gif(frames, rate) if program is None else _encoded(program, frames, rate, suffix))


def _motion(model: Model, run: Any) -> tuple[Array, Array]:
    given = run if isinstance(run, (dict, Playback)) else {"t": run.t, "q": run.q}
    t, q = (given[k] if isinstance(given, dict) else getattr(given, k) for k in ("t", "q"))
    t, q = np.asarray(t, float), as_array("q", named(model, "q", q)).astype(float)
    if t.ndim != 1 or len(t) < 2 or q.shape != (len(t), model.nq):
        raise InputError(
            f"a film needs times (T,) with T of at least 2 and coordinates (T, {model.nq}), got shapes {t.shape} and "
            f"{q.shape}"
        )
    return t, q


class _Scene:
    """One figure in which the robot is moved."""

    def __init__(
        self, model: Model, q: Array, title: str | None, t: Array | None = None, ghost: Array | None = None
    ) -> None:
        self.t = t
        self.poses = link_poses(model, q)  # (frames, links, 4, 4)
        self.beside = None if ghost is None else link_poses(model, ghost)
        self.bars = [(link.parent, k) for k, link in enumerate(model.links) if link.parent >= 0 and link.parent != k]
        self.figure, self.axes = figure(6.4, 4.8, subplot_kw={"projection": "3d"})
        self.figure.set_layout_engine("none")  # laying out again for every frame takes most of the time
        self.title = literal(checked_title(title) or model.name)
        seen = self.poses if self.beside is None else np.concatenate([self.poses, self.beside])
        points = seen[..., :3, 3].reshape(-1, 3)
        middle, half = (
            (points.max(axis=0) + points.min(axis=0)) / 2,
            max(float(np.ptp(points, axis=0).max()) / 2 * 1.1, 1e-3),
        )
        for axis, c in zip("xyz", middle, strict=True):
            getattr(self.axes, f"set_{axis}lim")(c - half, c + half)
            getattr(self.axes, f"set_{axis}label")(f"{axis} (m)")
        self.axes.set_box_aspect((1, 1, 1))
        self.lines = [
            self.axes.plot([], [], [], color=COLORS[0], linewidth=5, solid_capstyle="round")[0] for _ in self.bars
        ]
        faint = [] if self.beside is None else self.bars
        self.thin = [self.axes.plot([], [], [], color="0.6", linewidth=2, solid_capstyle="round")[0] for _ in faint]
        self.dots = self.axes.plot([], [], [], "o", color=COLORS[1], markersize=5)[0]
        self.way = self.axes.plot([], [], [], color=COLORS[2], linewidth=1.2)[0]

    def draw(self, k: int) -> None:
        """Frame k."""
        p = self.poses[k, :, :3, 3]
        for line, ends in zip(self.lines, self.bars, strict=True):
            line.set_data_3d(*p[list(ends)].T)
        for line, ends in zip(self.thin, self.bars, strict=False):
            line.set_data_3d(*self.beside[k, list(ends), :3, 3].T)  # type: ignore[index]
        self.dots.set_data_3d(*p.T)
        self.way.set_data_3d(*self.poses[: k + 1, -1, :3, 3].T)
        self.axes.set_title(self.title if self.t is None else f"{self.title}, {self.t[k]:.2f} s")

    def image(self, k: int) -> Array:
        """Frame k as pixels (height, width, 4), both even, as codecs want them."""
        self.draw(k)
        self.figure.canvas.draw()
        pixels = np.asarray(self.figure.canvas.buffer_rgba())
        return np.ascontiguousarray(pixels[: pixels.shape[0] // 2 * 2, : pixels.shape[1] // 2 * 2])


def _gif(frames: Iterable[Array], rate: float) -> bytes:
    image: Any = need("PIL.Image", "plots")
    made = [image.fromarray(frame[..., :3]).convert("P", palette=image.Palette.ADAPTIVE, colors=64) for frame in frames]
    out = io.BytesIO()
    made[0].save(out, "GIF", save_all=True, append_images=made[1:], duration=max(20, round(1000 / rate)), loop=0)
    return out.getvalue()


def _ffmpeg() -> str | None:
    found = shutil.which("ffmpeg")
    if found is None:
        try:
            found = str(need("imageio_ffmpeg", "plots").get_ffmpeg_exe())  # type: ignore[attr-defined]
        except (ImportError, RuntimeError):
            return None
    return found


def _encoded(program: str, frames: Iterator[Array], rate: float, suffix: str) -> bytes:
    """Frames through ffmpeg, into a file of our own and back."""
    first = next(frames)
    height, width = first.shape[:2]
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / f"film{suffix}"
        words = [
            program,
            "-y",
            "-loglevel",
            "error",
            "-f",
            "rawvideo",
            "-pix_fmt",
            "rgba",
            "-s",
            f"{width}x{height}",
            "-r",
            f"{rate:.6g}",
            "-i",
            "-",
            "-an",
        ]
        words += [*CODECS[suffix], str(target)]
        with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:  # noqa: S603
            said = b""
            try:
                for frame in (first, *frames):
                    process.stdin.write(frame.tobytes())  # type: ignore[union-attr]
            except BrokenPipeError:
                pass  # it has stopped; what it said tells why
            said = process.communicate()[1]
        if process.returncode or not target.is_file():
            raise InputError(
                f"ffmpeg could not make a {suffix} film: "
                f"{said.decode(errors='replace').strip()[-200:] or 'it said nothing'}"
            )
        return target.read_bytes()
