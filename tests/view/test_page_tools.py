"""The page's tools in a real browser, by mouse, keyboard and touch: dragging, simulating, forces, films, second runs, live pages."""

import io
import threading
import time
import warnings
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np
import pytest
from pages import HOSTILE as LETTERS
from test_browser import FLAGS, until

import needs
import ordern
from budget import TRUST
from needs import CHROMIUM
from ordern.describe.urdf.urdf_read import load_urdf
from ordern.view import page_programs
from ordern.view.page import page

WAIT = 40_000  # ms: 3-D is drawn by the processor here
HOSTILE = f"<img src=x onerror=window.hit=1>{LETTERS}"
pytestmark = [pytest.mark.browser, needs.chromium]


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import sync_playwright

    with sync_playwright() as engine:
        made = engine.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def show(browser, tmp_path):
    """Opens a page's text from disk, offline; afterwards there were neither errors nor requests."""
    contexts, trouble = [], []

    def opened(text, width=1000, height=660, scheme="light", touch=False):
        target = tmp_path / f"page{len(contexts)}.html"
        target.write_text(text, encoding="utf-8")
        view = {
            "viewport": {"width": width, "height": height},
            "color_scheme": scheme,
            "offline": True,
            "has_touch": touch,
            "is_mobile": touch,
        }
        context = browser.new_context(**view)
        contexts.append(context)
        tab = context.new_page()
        tab.set_default_timeout(WAIT)
        tab.on("console", lambda message: trouble.append(f"{message.type}: {message.text}"))
        tab.on("pageerror", lambda error: trouble.append(str(error)))
        tab.on(
            "request",
            lambda request: (
                request.url.startswith(("file:", "data:", "blob:")) or trouble.append(f"request {request.url}")
            ),
        )
        tab.goto(target.as_uri())
        until(tab, "document.documentElement?.dataset.ready === 'true'")
        return tab

    yield opened
    for context in contexts:
        context.close()
    assert not trouble


def middle(tab, name):
    tab.wait_for_timeout(50)
    box = tab.locator(name).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def within_limits(robot, q):
    lower, upper = np.array(robot.limits.lower, float), np.array(robot.limits.upper, float)
    return bool(np.all(q >= lower - 1e-9) and np.all(q <= upper + 1e-9))


def test_the_tool_follows_the_mouse_and_the_keyboard(show):
    robot = ordern.robots.panda()
    tab = show(robot.page())
    assert not tab.locator("#handle").is_visible()
    tab.get_by_role("button", name="Drag tool").click()
    until(tab, "!document.getElementById('handle').hidden")
    start = np.array(tab.evaluate("ordern.joints()"))
    x, y = middle(tab, "#handle")
    tab.mouse.move(x, y)
    tab.mouse.down()
    for k in range(1, 6):
        tab.mouse.move(x - 12 * k, y - 10 * k)
        tab.wait_for_timeout(60)
    until(tab, "ordern.joints().some((v, k) => Math.abs(v - x[k]) > 0.02)", start.tolist())
    box = "(b => Math.hypot(b.x + b.width / 2 - x[0], b.y + b.height / 2 - x[1]))"
    until(tab, f"{box}(document.getElementById('handle').getBoundingClientRect()) < 4", [x - 60, y - 50])
    tab.mouse.up()
    until(tab, "ordern.still()")
    at = middle(tab, "#handle")
    assert abs(at[0] - (x - 60)) < 4 and abs(at[1] - (y - 50)) < 4, "the tool is where the mouse left it"
    q = np.array(tab.evaluate("ordern.joints()"))
    assert within_limits(robot, q)
    found = np.reshape(tab.evaluate("ordern.linkPose('panda_rightfinger')"), (4, 4))
    assert np.abs(found - robot.forward_kinematics(q, "panda_rightfinger")).max() < 1e-9
    tab.locator("#handle").focus()
    for key, axis, sign in (("ArrowUp", 1, -1), ("ArrowLeft", 0, -1)):
        before = middle(tab, "#handle")
        tab.keyboard.press(key)
        until(tab, "ordern.still()")
        assert sign * (middle(tab, "#handle")[axis] - before[axis]) > 2, key
    camera = tab.evaluate("ordern.camera()")
    tab.mouse.move(60, 300)  # beside the robot the mouse still turns the view
    tab.mouse.down()
    tab.mouse.move(120, 330)
    tab.mouse.up()
    assert tab.evaluate("ordern.camera()")["position"] != camera["position"]


def test_simulation_runs_pauses_and_is_pulled(show):
    robot = ordern.robots.puma560()
    tab = show(robot.page(q=[0.2, -0.6, 0.4, 0, 0.3, 0]))
    start = tab.evaluate("ordern.joints()")
    tab.get_by_role("button", name="Simulate").click()
    until(tab, "ordern.simulated().t > 0.05")
    assert tab.locator("#simulation").is_visible() and not tab.locator("#transport").is_visible()
    tab.get_by_role("button", name="pause", exact=True).click()
    stopped = tab.evaluate("ordern.simulated().t")
    tab.wait_for_timeout(150)
    assert tab.evaluate("ordern.simulated().t") == stopped
    tab.get_by_role("button", name="reset", exact=True).last.click()
    assert np.allclose(tab.evaluate("ordern.joints()"), start, atol=1e-12)
    tab.evaluate("ordern.advance(0.3)")
    run = robot.simulate(start, duration=0.3, output_dt=0.3)
    assert np.abs(np.array(tab.evaluate("ordern.joints()")) - run.q[-1]).max() < 1e-4
    tab.locator("#sim-gravity").uncheck()
    tab.locator("#sim-brake").check()
    tab.locator("#sim-reset").click()
    tab.locator("#sim-run").click()  # nothing moves it
    until(tab, "ordern.simulated().t > 0")
    x, y = middle(tab, "#handle")
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + 90, y - 70, steps=3)
    until(tab, "ordern.simulated().pull !== null && Math.hypot(...ordern.simulated().pull) > 0")
    until(tab, "document.getElementById('status').textContent.endsWith(' N')")
    tab.mouse.up()
    until(tab, "ordern.simulated().pull === null")
    tab.locator("#handle").focus()
    tab.keyboard.down("ArrowRight")
    until(tab, "ordern.simulated().pull !== null")
    tab.keyboard.up("ArrowRight")
    until(tab, "ordern.simulated().pull === null")
    tab.get_by_role("slider", name="joint1", exact=True).fill("0.5")  # a joint moved by hand starts from rest there
    assert tab.evaluate("ordern.simulated().trouble") == ""
    tab.get_by_role("button", name="Simulate").click()
    assert not tab.locator("#dock").is_visible() and not tab.evaluate("ordern.simulating()")


def test_loops_stay_closed_by_slider_keyboard_drag_and_random(show):
    robot = ordern.robots.fourbar()
    tab = show(robot.page())
    slider = tab.get_by_role("slider", name=robot.joint_names[0], exact=True)
    for action in (
        lambda: slider.fill("0.3"),
        lambda: (slider.focus(), tab.keyboard.press("PageUp")),
        lambda: tab.locator("#random").click(),
    ):
        action()
        q = np.array(tab.evaluate("ordern.joints()"))
        assert np.abs(robot.constraint_residual(q)).max() < 1e-9 and np.isclose(
            float(slider.input_value()), q[0], atol=1e-9
        )
    slider.fill("0.3")  # a random pose may be one that no drag in this direction moves
    q = tab.evaluate("ordern.joints()")
    tab.get_by_role("button", name="Drag tool").click()
    until(tab, "!document.getElementById('handle').hidden")
    x, y = middle(tab, "#handle")
    tab.mouse.move(x, y)
    tab.mouse.down()
    tab.mouse.move(x + 40, y - 30, steps=4)
    until(tab, "ordern.joints().some((v, k) => Math.abs(v - x[k]) > 1e-3)", q)
    tab.mouse.up()
    moved = np.array(tab.evaluate("ordern.joints()"))
    assert np.abs(robot.constraint_residual(moved)).max() < 1e-9
    tab.evaluate("ordern.simulate(true); ordern.advance(0.2)")
    assert tab.evaluate("ordern.residual()") < 1e-9
    tab.evaluate("ordern.show('forces')")
    found, state = tab.evaluate(
        "[ordern.forces(), ordern.simulated()]"
    )  # at once: the simulation goes on between two questions
    F = robot.constraint_forces(state["q"], state["v"], np.zeros(robot.n), reference="world")
    assert np.allclose([a["way"] for a in found["loops"]], F[:, 3:], atol=1e-5 * max(1.0, np.abs(F).max()))


def test_touch_on_a_phone(show):
    robot = ordern.robots.puma560()
    tab = show(robot.page(), width=400, height=800, touch=True)
    assert tab.evaluate("document.documentElement.scrollWidth <= 400")
    x, y = middle(tab, "#act-drag")
    tab.touchscreen.tap(x, y)
    until(tab, "!document.getElementById('handle').hidden")
    x, y = middle(tab, "#handle")
    fingers = tab.context.new_cdp_session(tab)

    def touch(kind, *points):
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    start = tab.evaluate("ordern.joints()")
    touch("touchStart", (x, y))
    for k in range(1, 5):
        touch("touchMove", (x - 8 * k, y + 8 * k))
        tab.wait_for_timeout(60)
    until(tab, "ordern.joints().some((v, k) => Math.abs(v - x[k]) > 0.01)", start)
    touch("touchEnd")
    x, y = middle(tab, "#act-simulate")
    tab.touchscreen.tap(x, y)
    until(tab, "ordern.simulated() && ordern.simulated().t > 0")
    for name in ("#sim-run", "#sim-reset", "#canvas", "#act-simulate"):
        box = tab.locator(name).bounding_box()
        assert (
            box["x"] >= 0 and box["x"] + min(box["width"], 60) <= 400 and box["y"] + min(box["height"], 200) <= 800
        ), name
    small = tab.evaluate(
        "[...document.querySelectorAll('button')].filter((b) => b.offsetParent && b.getBoundingClientRect().height < 18).map((b) => b.id)"
    )
    assert small == []


def runs(robot, scale=1.0):
    t = np.linspace(0, 2, 81)
    q = scale * np.sin(np.outer(t, np.arange(1, robot.n + 1)))
    qd = scale * np.arange(1, robot.n + 1) * np.cos(np.outer(t, np.arange(1, robot.n + 1)))
    qdd = -scale * np.arange(1, robot.n + 1) ** 2 * np.sin(np.outer(t, np.arange(1, robot.n + 1)))
    return {"t": t, "q": q, "qd": qd, "tau": robot.inverse_dynamics(q, qd, qdd), "energy": 1 + 0 * t}


def test_second_run_forces_curves_camera_picture_and_film(show):
    from PIL import Image

    robot = ordern.robots.planar3()
    first, second = runs(robot), runs(robot, 0.5)
    tab = show(robot.page(run=first, ghost=second))
    tab.evaluate("ordern.seek(1.0)")
    q = second["q"][40]
    for body in range(1, 4):
        found = np.reshape(tab.evaluate("body => Array.from(ordern.ghostPose(body))", body), (4, 4))
        link = next(item for item in robot.model.links if item.body == body)
        wanted = robot.forward_kinematics(q, link.name) @ np.linalg.inv(link.placement.matrix())
        assert np.abs(found - wanted).max() < 1e-5  # samples are kept in single precision
    tab.get_by_role("button", name="Second run").click()
    tab.get_by_role("button", name="Forces").click()
    arrows = tab.evaluate("ordern.forces()")
    qdd = (first["qd"][41] - first["qd"][40]) / 0.025
    W = robot.joint_wrenches(first["q"][40], first["qd"][40], qdd)
    poses = robot.forward_kinematics(first["q"][40])
    for a in arrows["joints"]:
        link = next(item for item in robot.model.links if item.body == a["body"])
        assert np.allclose(a["way"], poses[link.name][:3, :3] @ W[a["body"] - 1, 3:], atol=1e-3 * np.abs(W).max())
    assert np.allclose(
        [np.linalg.norm(a["way"]) for a in arrows["torques"]], np.abs(first["tau"][40]), rtol=1e-4, atol=1e-4
    )
    total = sum(np.array(a["way"]) for a in arrows["weights"])
    assert np.allclose(
        total, np.array(robot.model.gravity) * sum(b.inertia.m for b in robot.model.bodies[1:]), rtol=1e-6
    )
    assert "weight, up to" in tab.locator("#legend").inner_text()
    x, y = middle(tab, "#curves figure:nth-child(1) canvas")
    tab.mouse.move(x, y)
    told = tab.locator("#curves figure:nth-child(1) .over").inner_text()
    assert all(name in told for name in robot.joint_names) and " s" in told
    key = tab.locator("#curves figure:nth-child(1) .key button")
    assert key.all_inner_texts() == list(robot.joint_names)
    key.nth(1).click()
    assert key.nth(1).get_attribute("aria-pressed") == "true"
    tab.mouse.move(1, 1)
    assert not tab.locator("#curves figure:nth-child(1) .over").is_visible()
    tab.get_by_role("button", name="Follow").click()
    until(tab, "ordern.still()")
    for moment in (0.5, 1.5):
        tab.evaluate("t => ordern.seek(t)", moment)
        until(tab, "ordern.still()")
        tip = np.reshape(tab.evaluate("ordern.linkPose(ordern.names.links.at(-1))"), (4, 4))[:3, 3]
        assert np.abs(np.array(tab.evaluate("ordern.camera().target")) - tip).max() < 1e-6
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name="Picture").click()
    image = Image.open(io.BytesIO(waiting.value.path().read_bytes())).convert("RGB")
    assert (
        waiting.value.suggested_filename == "planar3.png"
        and min(image.size) > 300
        and len(image.resize((60, 40)).getcolors(10000)) > 20
    )
    tab.evaluate("ordern.seek(1.6)")
    # the page itself notes what the button says: on a busy machine the film may end before it is asked from here
    tab.evaluate("""() => {
        const button = document.getElementById('act-film');
        window.pressed = [];
        new MutationObserver((changes) => {
            // what a change replaced, and what is there now: changes that come together are told together
            for (const change of changes) window.pressed.push(change.oldValue);
            window.pressed.push(button.getAttribute('aria-pressed'));
        }).observe(button, { attributeFilter: ['aria-pressed'], attributeOldValue: true });
    }""")
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name="Film").click()
    until(tab, "document.getElementById('act-film').getAttribute('aria-pressed') === 'false'")
    assert "true" in tab.evaluate("window.pressed")
    film = waiting.value.path().read_bytes()  # it ends with the run
    assert waiting.value.suggested_filename == "planar3.webm" and film[:4] == b"\x1a\x45\xdf\xa3" and len(film) > 2000
    short = "async () => { const made = ordern.film.start(); ordern.film.stop(); return (await made).size; }"
    assert tab.evaluate(short) > 1000  # one frame at least, however late the browser begins to encode


SHAPES = """<robot name="shapes"><link name="base"><collision><geometry><box size="0.2 0.2 0.1"/></geometry></collision></link>
  <link name="arm"><inertial><mass value="1"/><origin xyz="0 0 0.2"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>
  <visual><origin xyz="0 0 0.2"/><geometry><cylinder radius="0.04" length="0.4"/></geometry></visual>
  <collision><origin xyz="0 0 0.2"/><geometry><box size="0.1 0.1 0.4"/></geometry></collision></link>
  <joint name="j" type="revolute"><parent link="base"/><child link="arm"/>
  <axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""


def test_collision_shapes_and_tools_that_are_missing(show, monkeypatch):
    tab = show(page(load_urdf(SHAPES)))
    before = tab.evaluate("ordern.frames()")
    tab.get_by_role("button", name="Collision").click()
    until(tab, "ordern.frames() > x", before)
    assert (
        tab.get_by_role("button", name="Collision").get_attribute("aria-pressed") == "true"
        and tab.locator("#absent").is_hidden()
    )
    monkeypatch.setattr(page_programs, "LONGEST", 150)
    tab = show(page(ordern.robots.puma560().model), width=400)
    for name in ("Simulate", "Drag tool"):
        assert tab.get_by_role("button", name=name).is_disabled()
        assert f"Not on this page: {name}. Reason: its program would have" in tab.locator("#absent").inner_text()
    assert tab.get_by_role("button", name="Collision").is_disabled()
    tab.get_by_role("slider", name="joint2", exact=True).fill("0.4")
    assert tab.evaluate("ordern.joints()[1]") == 0.4


def test_dh_frames_step_by_step(show):
    tab = show(ordern.robots.puma560().draw_dh(convention="distal"))
    assert tab.locator("#teach").is_visible() and tab.locator("#dh-table tbody tr").count() == 6
    assert "frame 0; 24 steps follow" in tab.locator("#dh-step").inner_text()
    tab.get_by_role("button", name="next step").click()
    tab.get_by_role("button", name="next step").click()
    assert tab.locator("#dh-step").inner_text() == "2 / 24: move along z by d1 = 0.6718 m"
    assert tab.locator("#dh-table td.on").inner_text() == "0.6718 m"
    tab.get_by_role("slider", name="joint2", exact=True).fill("0.5")
    tab.get_by_role("button", name="all steps").click()
    assert tab.locator("#dh-table tbody tr:nth-child(2) td:nth-child(2)").inner_text() == "28.6°"
    tab.get_by_role("button", name="DH frames").click()
    assert not tab.locator("#teach").is_visible()


def test_frames_are_numbered_as_in_the_papers(show):
    """Saha's frame 1 stands on the base with z on joint 1, and frame n + 1 on the tool (appendix A); the page began at 0."""
    tab = show(ordern.robots.planar3().draw_dh(convention="saha"))
    assert "frame 1; 12 steps follow" in tab.locator("#dh-step").inner_text()
    tab.get_by_role("button", name="all steps").click()
    until(tab, "[...document.querySelectorAll('.tag')].some(t => t.textContent === 'frame 4')")


def test_hostile_names_in_every_tool(show):
    robot = ordern.robots.planar3()
    model = robot.model
    links = tuple(replace(link, name=f"{HOSTILE}{k}") for k, link in enumerate(model.links))
    bodies = tuple(replace(body, name=f"{HOSTILE}{k}") for k, body in enumerate(model.bodies))
    run = runs(robot)
    tab = show(page(replace(model, name=HOSTILE, links=links, bodies=bodies), run=run, ghost=run))
    tab.evaluate(
        "for (const name of ['frames', 'labels', 'forces', 'dh', 'follow']) ordern.show(name); ordern.dhStep(5); ordern.drag(true)"
    )
    tab.mouse.move(*middle(tab, "#curves figure:nth-child(1) canvas"))
    with tab.expect_download() as waiting:
        tab.get_by_role("button", name="Picture").click()
    assert not set(waiting.value.suggested_filename) & set("<>\"'/\\")
    tab.evaluate("ordern.simulate(true); ordern.advance(0.05)")
    tab.wait_for_timeout(200)
    assert tab.evaluate("window.hit") is None and tab.locator("img").count() == 0 and tab.locator("script").count() == 3


@contextmanager
def cell_of(html):
    """Stands in for a notebook server: another place on this machine, whose page frames the live one."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f'<!doctype html><link rel="icon" href="data:,"><body>{html}'.encode())

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


def test_live_page_follows_python(browser):
    trouble = []
    robot = ordern.robots.puma560()
    with robot.live(open_browser=False, say=lambda text: None) as live:
        context = browser.new_context()
        tab = context.new_page()
        tab.on("console", lambda message: trouble.append(message.text))
        tab.on("pageerror", lambda error: trouble.append(str(error)))
        tab.on("request", lambda request: request.url.startswith((live.url, "data:")) or trouble.append(request.url))
        tab.goto(live.url, timeout=WAIT, wait_until="commit")
        until(tab, "document.documentElement?.dataset.ready === 'true' && ordern.live().state === 'open'")
        assert live.listeners == 1
        for k in range(5):
            live.q = np.linspace(-1, 1, 6) * k / 5
        until(tab, "ordern.joints().every((v, k) => v === x[k])", live.q.tolist())
        with cell_of(live._repr_html_()) as address:
            cell = context.new_page()
            cell.goto(address, wait_until="commit")
            until(cell, "document.querySelector('iframe')")
            frame = cell.frames[1]
            until(frame, "document.documentElement?.dataset.ready === 'true' && ordern.live().state === 'open'")
            assert frame.evaluate("ordern.joints()") == live.q.tolist() and live.listeners == 2
        live.close()
        until(tab, "ordern.live().state === 'ended'")
        assert "Python has closed this page" in tab.locator("#status").inner_text()
        context.close()
    assert not trouble


CONTRAST = """() => {
  const parse = (c) => { const v = (c.match(/[0-9.]+/g) || [0, 0, 0, 0]).map(Number); return [v[0], v[1], v[2], v[3] ?? 1]; };
  const light = ([r, g, b]) => {
    const f = (x) => { x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b);
  };
  const over = (top, below) => [0, 1, 2].map((k) => top[3] * top[k] + (1 - top[3]) * below[k]);
  const ground = parse(getComputedStyle(document.body).backgroundColor);
  const behind = (el) => { const layers = []; for (let at = el; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, top) => over(top, below), ground.slice(0, 3)); };
  const bad = [];
  for (const el of document.querySelectorAll('body *')) {
    const own = [...el.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
    if (!own || !el.getClientRects().length || el.closest(':disabled, script, style, noscript, select, [hidden]')) continue;
    const style = getComputedStyle(el), back = behind(el), ink = over(parse(style.color), back);
    const [a, b] = [light(ink), light(back)], found = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (found < (large ? 3 : 4.5)) bad.push(`${el.tagName}.${el.id || el.className} ${el.textContent.trim().slice(0, 20)} ${found.toFixed(2)}`);
  }
  return bad;
}"""


COVERED = """() => [...document.querySelectorAll('#acts button, .views button, #teach button, #play')].filter((b) => {
  const r = b.getBoundingClientRect();
  if (!b.offsetParent || r.right > innerWidth || r.bottom > innerHeight) return false;
  const top = document.elementFromPoint(r.left + r.width / 2, r.top + r.height / 2);
  return top !== b && !b.contains(top);
}).map((b) => b.id)"""


def settled(tab, what):
    """Nothing is wrong once colours have faded to their ends, which takes as long as the machine takes."""
    until(tab, "document.querySelector('#act-simulate').getAttribute('aria-pressed') === 'true'")
    end = time.monotonic() + WAIT / 1000
    fading = "() => document.getAnimations().some((a) => a instanceof CSSTransition)"
    while (tab.evaluate(fading) or tab.evaluate(what)) and time.monotonic() < end:
        tab.wait_for_timeout(100)
    assert tab.evaluate(what) == []


# colours do not depend on the width, nor places on the colours: each width once, each scheme at least once
SCREENS = [(400, 800, "light"), (1200, 800, "dark"), (2000, 1100, "light")]
OTHERS = [(400, 800, "dark"), (1200, 800, "light"), (2000, 1100, "dark")] if TRUST else []


@pytest.mark.parametrize("width, height, scheme", SCREENS + OTHERS)
def test_every_text_can_be_read(show, width, height, scheme):
    """WCAG AA: 4.5 for text, 3 for large text, with every tool shown; and nothing sticks out of the page."""
    robot = ordern.robots.puma560()
    run = runs(robot, 0.3)
    tab = show(robot.page(run=run, ghost=run), width=width, height=height, scheme=scheme)
    tab.evaluate(
        "for (const name of ['labels', 'forces', 'dh']) ordern.show(name); ordern.dhStep(7); ordern.drag(true); ordern.select(2)"
    )
    tab.locator("#act-simulate").click()
    settled(tab, CONTRAST)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    tab.evaluate("ordern.simulate(false)")
    assert tab.evaluate(COVERED) == []


def test_pages_of_all_built_in_mechanisms_have_every_tool():
    from pages import data_of

    closed = ("fourbar", "slider_crank", "fivebar", "threerrr", "delta", "stewart", "andrews", "bricard", "fourbars3")
    for name in (*closed, "panda", "ur5", "stanford"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert data_of(ordern.load(name).page())["absent"] == {}, name
