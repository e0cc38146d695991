"""The page in a real browser, opened from disk with the network off."""

import time
import warnings
from dataclasses import replace

import numpy as np
import pytest

import needs
import ordern
import robots as samples
from needs import CHROMIUM, EXAMPLES
from new_joints import joints  # noqa: F401  a fixture
from ordern.algorithms.registry import choose
from ordern.describe import builtin as robots
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.robot import Robot
from ordern.runtime.numbers import numbers
from ordern.tree import Tree
from ordern.view.page import Playback, notebook_html, page, start
from ordern.view.page_programs import articulated_bodies

FLAGS = [
    *(
        "--no-sandbox",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
    ),
    *(
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--ignore-gpu-blocklist",
        "--disable-gpu-rasterization",
    ),
]
WAIT = 120_000  # ms: 3-D is drawn by the processor here
HOSTILE = "<img src=x onerror=window.hit=1>\"' </script><script>window.hit=2</script>"
EPS = np.finfo(float).eps

pytestmark = [pytest.mark.browser, needs.chromium]


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as engine:
        made = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield made
        made.close()


def until(tab, condition, argument=None):
    """Wait for a condition; Playwright's own waiting evaluates strings, which the page's policy forbids."""
    end = time.monotonic() + WAIT / 1000
    while not tab.evaluate(f"x => {condition}", argument):
        assert time.monotonic() < end, f"never: {condition}"
        tab.wait_for_timeout(30)


@pytest.fixture
def show(browser, tmp_path):
    """Opens a robot's page and afterwards finds neither errors nor requests."""
    contexts, trouble = [], []

    def opened(model, width=1000, height=660, scheme="light", **arguments):
        target = tmp_path / f"page{len(contexts)}.html"
        page(model, target, **arguments)
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme, offline=True)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(WAIT)
        tab.on("console", lambda message: trouble.append(f"{message.type}: {message.text}"))
        tab.on("pageerror", lambda error: trouble.append(str(error)))
        tab.on("dialog", lambda dialog: trouble.append(f"dialog {dialog.message}"))
        tab.on(
            "request",
            lambda request: request.url.startswith(("file:", "data:")) or trouble.append(f"request {request.url}"),
        )
        tab.goto(target.as_uri())
        until(tab, "document.documentElement?.dataset.ready === 'true'")
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert not trouble


def tool_pose(model, q, link):
    return numbers(choose("link_pose", None, model), model, options=(link,))(np.asarray(q, float))


def random_q(model, seed=3):
    rng, parts = np.random.default_rng(seed), []
    for i in model.free:
        joint = model.bodies[i].joint
        parts.append(joint.random(rng, (), np.full(joint.nv, -1.0), np.full(joint.nv, 1.0)))
    return np.concatenate(parts)


def test_slider_moves_the_tool_to_where_kinematics_says(show):
    model = robots.puma560()
    tab = show(model)
    assert tab.evaluate("ordern.drawn()")
    slider = tab.get_by_role("slider", name="joint2", exact=True)
    slider.fill("0.75")
    tab.get_by_role("slider", name="joint5", exact=True).focus()
    for _ in range(3):
        tab.keyboard.press("ArrowRight")
    q = tab.evaluate("ordern.joints()")
    assert q[1] == 0.75 and np.isclose(q[4], 3 * np.pi / 180)
    link = len(model.links) - 1
    found = np.reshape(tab.evaluate("name => ordern.linkPose(name)", model.links[link].name), (4, 4))
    assert np.abs(found - tool_pose(model, q, link)).max() < 1e-6
    until(tab, "document.getElementById('px').textContent.replace('−', '-') === x", f"{found[0, 3]:.4f}")


@pytest.mark.parametrize("make", [robots.stanford, lambda: robots.chain(50), lambda: robots.planar(3)])
def test_every_link_and_matrix(show, make):
    model = make()
    tab = show(model)
    q = random_q(model)
    tab.evaluate("q => ordern.setJoints(q)", q.tolist())
    poses = numbers(choose("forward_kinematics", None, model), model)(q)
    for link, pose in zip(model.links, poses, strict=True):
        assert np.abs(np.reshape(tab.evaluate("name => ordern.linkPose(name)", link.name), (4, 4)) - pose).max() < 1e-6
    n = model.nv
    M = numbers(choose("mass_matrix", None, model), model)(q)
    found = np.reshape(tab.evaluate("ordern.massMatrix()"), (n, n))
    size = np.abs(M).max()
    assert np.abs(found - M).max() <= 64 * n * EPS * size  # n rotations along the chain, a few ulps each
    factors = tab.evaluate("ordern.factors()")
    U, D = np.reshape(factors["U"], (n, n)), np.array(factors["D"])
    assert np.allclose(np.triu(U), U) and np.all(np.diag(U) == 1) and np.all(D > 0)
    assert np.abs(U @ np.diag(D) @ U.T - M).max() <= 64 * n * EPS * size
    g = numbers(choose("gravity_forces", None, model), model)(q)
    assert np.abs(np.array(tab.evaluate("ordern.gravityForces()")) - g).max() <= 64 * n * EPS * max(
        1.0, np.abs(g).max()
    )


def test_articulated_bodies_lie_within_composite_ones(show):
    model = robots.puma560()
    q = random_q(model)
    tab = show(model)
    tab.evaluate("q => ordern.setJoints(q)", q.tolist())
    kinds = ("links", "composite", "articulated")
    radii = {
        kind: {e["body"]: e["radii"] for e in tab.evaluate("kind => ordern.ellipsoids(kind)", kind)} for kind in kinds
    }
    last = len(model.bodies) - 1
    assert np.allclose(
        sorted(radii["composite"][last]), sorted(radii["articulated"][last]), atol=1e-9
    )  # nothing gives way beyond the last joint
    tree = Tree(model)
    blocks = articulated_bodies(tree, tree.coordinates(q.tolist(), "q"))
    for i in range(1, last + 1):
        k = next(k for k, link in enumerate(model.links) if link.body == i)
        I, H, M = (np.array(table[k].rotation.full().T.dense(), float) for table in blocks)
        body = model.bodies[i].inertia
        c = np.array(body.com)
        P = np.array([[0, -c[2], c[1]], [c[2], 0, -c[0]], [-c[1], c[0], 0]])
        central = I - P @ H.T - H @ P.T + P @ M @ P.T
        carried = sum(b.inertia.m for b in model.bodies[i:])
        wanted = np.sqrt(np.maximum(np.linalg.eigvalsh(central), 0) / carried)
        assert np.allclose(sorted(radii["articulated"][i]), wanted, atol=1e-7)


def test_floating_base_and_quaternions(show):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = load_urdf(EXAMPLES / "talos_data/robots/talos_reduced.urdf", base="floating", on_invalid="warn")
    tab = show(model)
    for name, value in (("x", 0.2), ("roll", 0.3), ("pitch", -0.4), ("yaw", 1.1)):
        tab.get_by_role("slider", name=f"root_joint {name}", exact=True).fill(str(value))
    q = np.array(tab.evaluate("ordern.joints()"))
    assert np.isclose(np.linalg.norm(q[3:7]), 1)
    base = tool_pose(model, q, 0)
    (cr, sr), (cp, sp), (cy, sy) = ((np.cos(a), np.sin(a)) for a in (0.3, -0.4, 1.1))
    turned = (
        np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
        @ [[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]]
        @ [[1, 0, 0], [0, cr, -sr], [0, sr, cr]]
    )
    assert np.allclose(base[:3, :3], turned) and np.isclose(base[0, 3], 0.2)
    last = len(model.links) - 1
    found = np.reshape(tab.evaluate("name => ordern.linkPose(name)", model.links[last].name), (4, 4))
    assert np.abs(found - tool_pose(model, q, last)).max() < 1e-6


def test_playback(show):
    model = robots.planar3()
    t = np.linspace(0, 40, 101)  # so long that a busy machine presses pause before it has ended
    q = np.stack([np.sin(t), np.cos(t), t], axis=1)
    tab = show(model, run=Playback(t, q, tau=q * 3, energy=1 + 0 * t))
    assert tab.locator("#dock").is_visible() and tab.locator("#curves canvas").count() == 3
    assert tab.evaluate("ordern.time()") == 0 and np.isclose(tab.evaluate("ordern.duration()"), 40)
    tab.get_by_role("button", name="play").click()
    until(tab, "ordern.time() > 0.2")
    tab.get_by_role("button", name="pause").click()
    assert not tab.evaluate("ordern.playing()")
    stopped = tab.evaluate("ordern.time()")
    tab.wait_for_timeout(150)
    assert tab.evaluate("ordern.time()") == stopped
    tab.get_by_role("slider", name="time", exact=True).fill("0.5")
    assert np.isclose(tab.evaluate("ordern.time()"), 20)
    link = len(model.links) - 1
    found = np.reshape(tab.evaluate("name => ordern.linkPose(name)", model.links[link].name), (4, 4))
    assert np.abs(found - tool_pose(model, q[50], link)).max() < 1e-6
    tab.evaluate("ordern.seek(99)")
    assert np.allclose(tab.evaluate("ordern.joints()"), q[-1], atol=1e-6)
    tab.locator("#canvas").focus()
    tab.keyboard.press("Space")
    until(tab, "ordern.playing() && ordern.time() < 40")
    tab.evaluate("ordern.pause()")


def test_hostile_names_execute_nothing(show):
    model = robots.planar3()
    links = tuple(replace(link, name=f"{HOSTILE}{k}") for k, link in enumerate(model.links))
    bodies = tuple(replace(body, name=f"{HOSTILE}{k}") for k, body in enumerate(model.bodies))
    tab = show(replace(model, name=HOSTILE, links=links, bodies=bodies))
    tab.evaluate(
        "for (const name of ['frames', 'axes', 'labels', 'centers', 'links', 'composite', 'articulated']) ordern.show(name)"
    )
    tab.wait_for_timeout(200)
    assert tab.evaluate("window.hit") is None and tab.locator("img").count() == 0 and tab.locator("script").count() == 3
    assert tab.locator("#title").text_content() == HOSTILE and tab.title() == f"{HOSTILE} · ordern"
    assert tab.locator("#link option").first.text_content() == f"{HOSTILE}0"


def test_marks_and_views(show):
    tab = show(robots.stanford())
    before = tab.evaluate("ordern.frames()")
    for name in ("Frames", "Axes", "Names", "Mass centres", "Link inertia", "Composite", "Articulated"):
        button = tab.get_by_role("button", name=name, exact=True)
        button.click()
        assert button.get_attribute("aria-pressed") == "true"
    for name in ("Front", "Side", "Top", "3-D"):
        tab.get_by_role("button", name=name, exact=True).click()
    tab.get_by_role("button", name="light or dark").click()
    assert tab.evaluate("document.documentElement?.dataset.theme") == "dark"
    tab.locator("#canvas").focus()
    for key in ("ArrowLeft", "ArrowUp", "+", "-", "h"):
        tab.keyboard.press(key)
    tab.locator(".joint").first.click()
    assert tab.locator(".joint").first.get_attribute("aria-pressed") == "true"
    tab.keyboard.press("Escape")
    until(tab, "ordern.frames() > x", before)


def test_wrong_calls_are_refused(show):
    tab = show(robots.pendulum())
    for call in (
        "ordern.setJoints([1, 2])",
        "ordern.setJoints([NaN])",
        "ordern.linkPose('nobody')",
        "ordern.show('nothing')",
    ):
        assert tab.evaluate(
            f"(() => {{ try {{ {call}; return false }} catch (error) {{ return error instanceof RangeError }} }})()"
        ), call


def test_small_screen(show):
    tab = show(robots.puma560(), width=390, height=800, scheme="dark")
    assert tab.evaluate("document.documentElement.scrollWidth <= 390")
    assert tab.evaluate("document.documentElement?.dataset.theme") == "dark"


def test_notebook_frame(browser, tmp_path):
    text = f"<!doctype html><meta charset=utf-8><body>{notebook_html(robots.puma560())}"
    (tmp_path / "notebook.html").write_text(text, encoding="utf-8")
    trouble = []
    context = browser.new_context(offline=True)
    tab = context.new_page()
    tab.on("console", lambda message: trouble.append(message.text))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.goto((tmp_path / "notebook.html").as_uri(), timeout=WAIT)
    frame = tab.frames[1]
    until(frame, "document.documentElement?.dataset.ready === 'true'")
    assert frame.evaluate("ordern.drawn()")
    context.close()
    assert not trouble


def test_served_page(browser):
    trouble = []
    with start(robots.planar3()) as server:
        context = browser.new_context()
        tab = context.new_page()
        tab.on("console", lambda message: trouble.append(message.text))
        tab.on("pageerror", lambda error: trouble.append(str(error)))
        tab.on("request", lambda request: request.url in (server.url, "data:,") or trouble.append(request.url))
        tab.goto(server.url, timeout=WAIT)
        until(tab, "document.documentElement?.dataset.ready === 'true'")
        assert tab.locator("#title").text_content() == "planar3"
        context.close()
    assert not trouble


LUMINANCE = """el => {
  const parse = (c) => (c.match(/[0-9.]+/g) || []).map(Number);
  const light = ([r, g, b]) => { const f = (x) => { x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  let at = el, back = [255, 255, 255, 0];
  while (at && (back[3] ?? 1) < 0.7) { back = parse(getComputedStyle(at).backgroundColor); if (back.length < 4) back.push(1); at = at.parentElement; }
  const [a, b] = [light(parse(getComputedStyle(el).color)), light(back)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_labels_of_toggles_can_be_read_whether_on_off_or_hovered(show, scheme):
    """WCAG AA asks for a contrast of 4.5 for small text."""
    tab = show(robots.planar(3), scheme=scheme)
    tab.emulate_media(
        color_scheme=scheme, reduced_motion="reduce"
    )  # else colours fade for 0.12 s, or longer where frames are slow
    for chip in tab.locator(".chip:not(:disabled), #act-drag, #act-simulate").all():
        for _ in range(2):
            chip.click()
            assert chip.evaluate(LUMINANCE) > 4.5, (chip.inner_text(), chip.get_attribute("aria-pressed"), "hovered")
            tab.mouse.move(1, 1)
            assert chip.evaluate(LUMINANCE) > 4.5, (chip.inner_text(), chip.get_attribute("aria-pressed"))


def test_arrow_keys_move_the_handle_with_the_joint(show):
    tab = show(robots.puma560())
    slider = tab.get_by_role("slider", name="joint3", exact=True)
    slider.focus()
    for key in ("ArrowRight", "PageUp", "ArrowLeft"):
        tab.keyboard.press(key)
        assert np.isclose(float(slider.input_value()), tab.evaluate("ordern.joints()")[2], atol=1e-12)


def played(model, energy):
    t = np.linspace(0, 2, 41)
    q = 0.3 * np.sin(t)[:, None] * np.ones(model.nq)
    return {"t": t, "q": q, "tau": np.zeros((41, model.nv)), "energy": energy(t)}


@pytest.mark.parametrize("width, height", [(400, 800), (1200, 800), (2000, 1100)])
def test_play_button_and_robot_are_seen_together(show, width, height):
    model = robots.planar(3)
    tab = show(model, width=width, height=height, run=played(model, lambda t: 5 + 0 * t))
    for name in ("#play", "#canvas"):
        box = tab.locator(name).bounding_box()
        assert box["y"] >= 0 and box["x"] >= 0 and box["x"] + min(box["width"], 60) <= width
        assert box["y"] + (box["height"] if name == "#play" else 200) <= height
    assert tab.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("width, height", [(400, 800), (1200, 800), (2000, 1100)])
def test_the_key_shows_every_curve_below_the_plot(show, width, height):
    """Six curves with the long names of a UR5: none is scrolled out of sight, and none lies over the plot."""
    model = ordern.load("ur5").model
    tab = show(model, width=width, height=height, run=played(model, lambda t: 5 + 0 * t))
    boxes = tab.evaluate("""[...document.querySelectorAll('.key')].map((key) => {
        const [own, plot] = [key, key.parentElement.querySelector('canvas')].map((e) => e.getBoundingClientRect());
        return [...key.children].map((c) => c.getBoundingClientRect()).map((c) =>
            [c.top - plot.bottom, own.bottom - c.bottom, c.left - own.left, own.right - c.right]);
    })""")
    assert boxes and all(len(key) == 6 for key in boxes)
    assert np.min(boxes) >= -1  # pixels are rounded


def test_matrices_of_twelve_joints_are_not_cut_off(show):
    for n in (3, 9, 10, 12):
        tab = show(robots.chain(n))
        cut = tab.evaluate(
            "[...document.querySelectorAll('.grid td')].filter((c) => c.scrollWidth > c.clientWidth + 1).map((c) => c.textContent)"
        )
        assert cut == []


def test_rounding_of_the_energy_is_not_drawn_as_drift(show):
    """Ticks differ from each other, and a jitter of 1e-12 is a flat line: the curve's range is a tenth of its value."""
    model = robots.planar(3)
    for jitter in (1e-12, 0.5):
        tab = show(model, run=played(model, lambda t, jitter=jitter: 5 + jitter * np.sin(40 * t)))
        low, high, texts = tab.evaluate(
            "(() => { const c = ordern.curves().at(-1); return [c.low, c.high, c.texts]; })()"
        )
        assert len(set(texts)) == len(texts) >= 2
        assert high - low > 0.9 if jitter < 1e-9 else high - low < 1.2 * 2 * jitter


@pytest.mark.usefixtures("joints")
def test_joints_of_a_user_by_slider_playback_simulation_and_drag(show):
    """Coordinates that are a sine and a cosine stay at length one, those of a constant-velocity joint stay as they are."""
    model = samples.tree(["pointer", "constant_velocity", "pointer", "spherical"], [0, 1, 2, 3], 3)
    angles = np.array(
        [[0.3, 0.2, -2.8], [2.6, -0.4, 2.9]]
    )  # more than a quarter turn apart, the second the shorter way through pi
    q = np.stack(
        [[np.sin(a), np.cos(a), 0.5, b, np.sin(c), np.cos(c), 0, 0, np.sin(a / 2), np.cos(a / 2)] for a, b, c in angles]
    )
    q[1, -4:] *= -1  # the same attitude
    tab = show(model, run=Playback(np.array([0.0, 1.0]), q))
    tab.evaluate("ordern.seek(0.5)")
    half = np.array(tab.evaluate("ordern.joints()"))
    turns = [
        np.arctan2(half[0], half[1]),
        np.arctan2(half[4], half[5]) % (2 * np.pi),
        2 * np.arctan2(half[8], half[9]) % (2 * np.pi),
    ]
    np.testing.assert_allclose(
        turns, [1.45, np.pi + 0.05, 1.45], rtol=0, atol=1e-6
    )  # halfway; runs are in single precision
    np.testing.assert_allclose(half[2:4], [0.5, -0.1], rtol=0, atol=1e-6)
    for name, value in (("joint1", 2.5), ("joint2 1", -0.7), ("joint2 2", 0.6), ("joint3", -1.9), ("joint4 yaw", 0.4)):
        tab.get_by_role("slider", name=name, exact=True).fill(str(value))
    at = np.array(tab.evaluate("ordern.joints()"))
    np.testing.assert_allclose(
        at[:6], [np.sin(2.5), np.cos(2.5), -0.7, 0.6, np.sin(-1.9), np.cos(-1.9)], rtol=0, atol=1e-12
    )
    last = len(model.links) - 1
    pose = np.reshape(tab.evaluate("name => ordern.linkPose(name)", model.links[last].name), (4, 4))
    np.testing.assert_allclose(pose, tool_pose(model, at, last), rtol=0, atol=1e-6)
    tab.evaluate("q => ordern.setJoints(q)", [np.sin(3.0), np.cos(3.0), *at[2:]])
    until(tab, "document.querySelector('[aria-label=\"joint1, value\"]').value === '171.9'")
    goal = tool_pose(model, Robot(model).integrate(at, np.full(model.nv, 0.1)), last)[:3, 3]
    found = tab.evaluate("([name, point]) => ordern.reach(name, point)", [model.links[last].name, goal.tolist()])
    assert found["far"] < 1e-3
    tab.evaluate("q => ordern.setJoints(q)", at.tolist())
    tab.evaluate("ordern.simulate(true)")
    tab.evaluate("ordern.advance(0.2)")
    made = tab.evaluate("ordern.simulated()")
    run = Robot(model).simulate(at, duration=made["t"], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(made["q"], run.q[-1], rtol=0, atol=1e-4)  # the page keeps errors of a step at 1e-6
