"""The page still looks like its reference pictures in docs/pictures, which `python docs/pictures/make.py` makes anew."""

import importlib.util
import io
import sys
from pathlib import Path

import numpy as np
import pytest

import needs
from ordern.view.page import page

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"
SHOWN = [("panda", "light"), ("puma", "dark"), ("talos", "light"), ("chain50", "dark"), ("inertia", "light")]

pytestmark = [pytest.mark.browser, needs.chromium]


@pytest.fixture(scope="module")
def make():
    spec = importlib.util.spec_from_file_location("make_pictures", PICTURES / "make.py")
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def browser(make):
    with make.sync_playwright() as engine:
        made = engine.chromium.launch(executable_path=needs.CHROMIUM, args=make.FLAGS)
        yield made
        made.close()


def blocks(picture):
    """Means of blocks of 25 x 25 points, 0 to 1: what is left is where things are and their colours, not edges and letters."""
    from PIL import Image

    points = np.asarray(Image.open(picture).convert("RGB"), float) / 255
    h, w, _ = points.shape
    return points.reshape(h // 25, 25, w // 25, 25, 3).mean(axis=(1, 3))


def reference(name, scheme):
    return blocks(PICTURES / f"page-{name}-{scheme}.png")


@pytest.mark.parametrize(("name", "scheme"), SHOWN)
def test_looks_like_its_reference(name, scheme, make, browser, tmp_path):
    model, arguments, script = make.PICTURES[name]()
    page(model, tmp_path / "x.html", **arguments)
    found = blocks(io.BytesIO(make.shot(browser, tmp_path / "x.html", scheme, script)))
    apart = np.abs(found - reference(name, scheme))
    assert (
        apart.mean() < 0.015
    )  # 0.005 to 0.007 on the same machine, for references have 256 colours or fewer; another font may add as much
    assert (
        np.percentile(apart, 99) < 0.1
    )  # 0.012 on the same machine; a body that is missing or elsewhere changes more than one block in a hundred


def test_references_differ():
    """So that the comparison above means something: any other picture is further away."""
    made = {
        (name, scheme): reference(name, scheme)
        for name in ("panda", "puma", "talos", "chain50", "inertia")
        for scheme in ("light", "dark")
    }
    for one, a in made.items():
        for other, b in made.items():
            apart = np.abs(a - b)
            assert one == other or apart.mean() > 0.02, (one, other)  # the nearest two have 0.028
