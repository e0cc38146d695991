"""Makes the reference pictures of the page: python docs/pictures/make.py (needs chromium, playwright, pillow, example-robot-data)."""

import io
import shutil
import sysconfig
import tempfile
import warnings
from pathlib import Path

import numpy as np
from PIL import Image
from playwright.sync_api import sync_playwright

from ordern.algorithms.registry import choose
from ordern.view.page import Playback, page
from ordern.describe import builtin as robots
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.runtime.numbers import numbers

HERE = Path(__file__).parent
EXAMPLES = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix/share/example-robot-data/robots"
FLAGS = ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"]
FLAGS += ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"]
LARGEST = 150_000  # bytes


def panda():
    """The built-in robot, exactly as `ordern view panda` shows it."""
    return robots.panda(), {}, ""


def puma():
    """A smooth motion with the torques it takes and its energy."""
    model = robots.puma560()
    t = np.linspace(0, 4, 201)
    size, speed, phase = np.array([0.9, 0.5, 0.6, 0.8, 0.5, 1.0]), np.array([1.6, 1.6, 3.2, 1.6, 3.2, 1.6]), np.array([0, 1.2, 0.4, 0, 1.0, 0])
    angle = np.outer(t, speed) + phase
    q = size * np.sin(angle) + [0, 0.7, -0.4, 0, 0.6, 0]
    qd, qdd = size * speed * np.cos(angle), -size * speed**2 * np.sin(angle)
    of = {name: numbers(choose(name, None, model), model) for name in ("inverse_dynamics", "kinetic_energy", "potential_energy")}
    run = Playback(t, q, qd, of["inverse_dynamics"](q, qd, qdd), of["kinetic_energy"](q, qd) + of["potential_energy"](q))
    return model, {"run": run}, "ordern.seek(2.6)"


def inertia():
    model = robots.puma560()
    return model, {"q": [0.3, 0.9, -0.3, 0.2, 0.5, 0]}, "ordern.show('composite'); ordern.show('articulated'); ordern.show('axes'); ordern.select(2)"


def talos():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = load_urdf(EXAMPLES / "talos_data/robots/talos_reduced.urdf", base="floating", on_invalid="warn")
    q = np.array([0, 0, 0, 0, 0, 0, 1, *[0.0] * (model.nq - 7)])
    for name, value in {
        "leg_left_3_joint": -0.4, "leg_left_4_joint": 0.8, "leg_left_5_joint": -0.4, "leg_right_3_joint": -0.4, "leg_right_4_joint": 0.8,
        "leg_right_5_joint": -0.4, "arm_left_2_joint": 0.4, "arm_left_4_joint": -1.0, "arm_right_2_joint": -0.4, "arm_right_4_joint": -1.0,
    }.items():  # fmt: skip
        q[model.offsets[model.joint_index[name]][0]] = value
    return model, {"q": q}, "ordern.show('centers')"


def chain():
    return robots.chain(50), {}, ""


def small(png: bytes) -> bytes:
    """The picture with as many colours as fit; strong ones, of which there are few, count for more."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    pixels = np.asarray(image).reshape(-1, 3)
    strong = np.unique(pixels[np.ptp(pixels.astype(int), axis=1) > 50] // 8, axis=0) * 8 + 4
    sample = np.concatenate([pixels[::7], np.repeat(strong, max(1, len(pixels) // 20 // max(1, len(strong))), axis=0)]).astype(np.uint8)
    for colors in (256, 200, 160, 128, 96, 64):
        palette = Image.fromarray(sample[None]).quantize(colors, Image.Quantize.MEDIANCUT, kmeans=2)
        out = io.BytesIO()
        image.quantize(palette=palette, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
        if len(out.getvalue()) < LARGEST:
            break
    return out.getvalue()


PICTURES = {"panda": panda, "puma": puma, "inertia": inertia, "talos": talos, "chain50": chain}


def shot(browser, target, scheme, script) -> bytes:
    """The page as it comes to rest."""
    context = browser.new_context(viewport={"width": 1200, "height": 750}, color_scheme=scheme, offline=True)
    tab = context.new_page()
    tab.set_default_timeout(300_000)  # ms: 3-D is drawn by the processor here
    tab.goto(target.as_uri())
    while tab.evaluate("document.documentElement.dataset.ready") != "true":
        tab.wait_for_timeout(50)
    tab.evaluate(f"() => {{ {script} }}")
    tab.wait_for_timeout(500)
    while not tab.evaluate("ordern.still()"):
        tab.wait_for_timeout(100)
    tab.wait_for_timeout(500)  # the last frame reaches the screen
    made = tab.screenshot()
    context.close()
    return made


def main():
    with sync_playwright() as engine, tempfile.TemporaryDirectory() as folder:
        browser = engine.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        for name, make in PICTURES.items():
            model, arguments, script = make()
            target = Path(folder) / f"{name}.html"
            page(model, target, **arguments)
            for scheme in ("light", "dark"):
                picture = small(shot(browser, target, scheme, script))
                (HERE / f"page-{name}-{scheme}.png").write_bytes(picture)
                print(f"page-{name}-{scheme}.png", len(picture))
        browser.close()


if __name__ == "__main__":
    main()
