"""What a frame of the page costs while a run plays: python docs/pictures/frames.py [ROBOT ...] (needs chromium, playwright, example-robot-data).

Own: milliseconds of the page's script for the state of a frame (poses, marks, curves); drawing: three.js handing it on; tables: M, U, D, g and the
sliders, spread over the frames. Where a processor draws in place of a graphics card, as here, its share of a frame is by far the largest.
"""

import shutil
import sys
import tempfile
import warnings
from pathlib import Path

import make
import numpy as np
from playwright.sync_api import sync_playwright

from ordern.view.page import Playback, page
from ordern.view.page_data import starting
from ordern.describe import builtin as robots

ROBOTS = {"panda": lambda: make.panda()[0], "puma560": robots.puma560, "talos": lambda: make.talos()[0], "chain50": lambda: robots.chain(50)}


def motion(model):
    """Every joint swings; torques and energy are there for their curves' sake."""
    t = np.linspace(0, 6, 301)
    q = np.tile(np.array(starting(model)), (len(t), 1))
    for i in model.free:
        joint, (at, _) = model.bodies[i].joint, model.offsets[i]
        if joint.nq == joint.nv:
            q[:, at : at + joint.nq] += 0.3 * np.sin(t * (1 + 0.1 * (at % 5)))[:, None]
    return Playback(t, q, tau=np.sin(np.outer(t, 0.2 * np.arange(1, model.nv + 1))), energy=1 + 0.1 * np.sin(t))


def main(names):
    """One line a robot."""
    with sync_playwright() as engine, tempfile.TemporaryDirectory() as folder:
        browser = engine.chromium.launch(executable_path=shutil.which("chromium"), args=make.FLAGS)
        for name in names or ROBOTS:
            model, target = ROBOTS[name](), Path(folder) / f"{name}.html"
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                page(model, target, run=motion(model))
            context = browser.new_context(viewport={"width": 1280, "height": 800}, offline=True)
            tab = context.new_page()
            tab.set_default_timeout(300_000)
            tab.goto(target.as_uri())
            while tab.evaluate("document.documentElement.dataset.ready") != "true" or not tab.evaluate("ordern.still()"):
                tab.wait_for_timeout(100)
            before = tab.evaluate("ordern.frames()")
            tab.wait_for_timeout(1000)
            idle = tab.evaluate("ordern.frames()") - before
            tab.evaluate("() => { document.getElementById('loop').checked = true; ordern.play() }")
            tab.wait_for_timeout(3000)  # until the pace is found
            first = tab.evaluate("() => ({ at: performance.now(), ...ordern.cost() })")
            tab.wait_for_timeout(6000)
            last = tab.evaluate("() => ({ at: performance.now(), ...ordern.cost() })")
            frames = last["frames"] - first["frames"]
            rate = 1000 * frames / (last["at"] - first["at"])
            cost = ", ".join(f"{key} {(last[key] - first[key]) / max(1, frames):.2f} ms" for key in ("own", "drawing", "tables"))
            print(f"{name:8s} {idle} frames a second at rest; playing {rate:.1f} a second; a frame: {cost}; level {last['level']}", flush=True)
            context.close()
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
