"""What lies over the picture leaves room: buttons, legends and gravity's arrow cover each other at no size of a window."""

import math

import pytest
from test_browser import until
from test_page_tools import browser, show

import budget
import needs
import ordern

__all__ = ["browser", "show"]  # fixtures
pytestmark = [pytest.mark.browser, needs.chromium]

SIZES = [(320, 600), (400, 800), (800, 700), (1024, 600), (1200, 800)]
TOOLS: list[tuple[str, ...]] = [(), ("forces", "dh")]
if budget.TRUST:
    SIZES += [(360, 740), (667, 375), (600, 800), (821, 700), (961, 700), (1560, 900), (2000, 1100)]
    TOOLS += [("forces",), ("dh",)]
# pairs that overlap, and parts that lie outside of the picture; rows that scroll sideways may go on beyond its edge
TROUBLE = """() => {
  const box = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const parts = [...document.querySelectorAll('h1, #subtitle, #acts > *, #status, .views, #legend, #teach > *, #chips > *, .tag.bare')]
    .filter((e) => e.getClientRects().length && e.textContent).map((e) => [e.id || e.className || e.tagName, ...box(e)]);
  const [[ax, ay], [bx, by]] = ordern.gravityArrow();
  parts.push(['arrow', Math.min(ax, bx) - 3, Math.min(ay, by), Math.max(ax, bx) + 3, Math.max(ay, by)]);
  const [left, top, right, bottom] = box(document.getElementById('stage')), found = [];
  for (const [i, [name, a, b, c, d]] of parts.entries()) {
    const scrolls = name.startsWith('show-') || name.startsWith('act-');
    if (b < top || d > bottom || (!scrolls && (a < left || c > right))) found.push(`${name} lies outside`);
    for (const [other, e, f, g, h] of parts.slice(0, i)) {
      if (name === 'arrow' && other.startsWith('tag')) continue; // its own letter
      if (Math.min(c, g) - Math.max(a, e) > 1 && Math.min(d, h) - Math.max(b, f) > 1) found.push(`${other} and ${name}`);
    }
  }
  return found;
}"""


# drawn again at this size: the arrow is where it belongs, 52 pixels from the edge
DRAWN = """Math.abs(document.getElementById('stage').clientWidth - 52
  - (ordern.gravityArrow()[0][0] + ordern.gravityArrow()[1][0]) / 2) < 12"""


def test_nothing_covers_anything(show):
    robot = ordern.robots.puma560()
    run = robot.simulate(robot.neutral(), duration=0.1, limits=False)
    tab = show(robot.page(run=run, title="An arm with a name that is so long that it takes two lines"))
    for tools in TOOLS:
        for tool in ("forces", "dh"):
            tab.evaluate(f"ordern.show('{tool}', {str(tool in tools).lower()})")
        for width, height in SIZES:
            tab.set_viewport_size({"width": width, "height": height})
            until(tab, DRAWN)
            until(tab, f"({TROUBLE})().length === 0") if tab.evaluate(TROUBLE) else None
            assert tab.evaluate(TROUBLE) == [], (width, height)


def test_what_rounds_to_nought_has_no_sign(show):
    robot = ordern.robots.planar(3)
    tab = show(robot.page())
    for tiny in (-1e-9, -4e-5, 1e-9, -math.pi + 1e-12):
        tab.evaluate("q => ordern.setJoints(q)", [tiny] * 3)
        until(tab, "Math.abs(ordern.joints()[0] - x) < 1e-15", tiny)
        tab.wait_for_timeout(150)  # tables follow ten times a second
        read = "() => [...document.querySelectorAll('.pose dd, #joints input')].map((e) => e.value ?? e.textContent)"
        shown = [text for text in tab.evaluate(read) if "e" not in text]
        assert len(shown) >= 9
        assert not [text for text in shown if text[:1] in "-−" and not text.strip("-−0.")], shown


@pytest.mark.parametrize(("width", "height"), [(400, 800), (600, 900)])
def test_a_tall_robot_stands_between_the_buttons(show, width, height):
    """In narrow windows title and buttons lie across the page; head and feet had been under them."""
    upright = [0.0, -math.pi / 2, 0.0, -math.pi / 2, 0.0, 0.0]
    tab = show(ordern.robots.ur5().page(q=upright), width, height)
    tab.evaluate("ordern.show('labels')")
    until(tab, "document.querySelectorAll('.tag').length > 5")
    until(tab, "ordern.still()")
    middles = "[...document.querySelectorAll('.tag')].map((t) => t.getBoundingClientRect()).map((r) => (r.top + r.bottom) / 2)"
    spots = [y for y in tab.evaluate(middles) if y > 0]  # at the links' frames
    above = tab.evaluate("document.getElementById('acts').getBoundingClientRect().bottom")
    below = tab.evaluate("document.getElementById('view-home').getBoundingClientRect().top")
    assert above < min(spots) and max(spots) < below
    assert max(spots) - min(spots) > 0.5 * (below - above), "but it is not made small"
