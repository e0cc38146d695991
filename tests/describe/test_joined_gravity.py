"""Robots under different gravity that become one: the first one's holds, and this is said."""

from __future__ import annotations

import warnings

import pytest

import ordern
from ordern.errors import OrdernWarning

FLAT, HIGH = ordern.robots.planar3(), ordern.load("stanford")  # under -y and -z
JOIN = {
    "attach": lambda a, b, **more: a.attach(b, a.link_names[-1], prefix="t_"),
    "scene": lambda a, b, **more: ordern.Scene({"a_": a, "b_": b}, **more),
}


@pytest.mark.parametrize("how", JOIN)
@pytest.mark.parametrize(("a", "b"), [(FLAT, HIGH), (HIGH, FLAT), (HIGH, HIGH.with_gravity((0, 0, -9.8)))])
def test_different_gravity_is_told(how, a, b):
    with pytest.warns(OrdernWarning, match=rf"'{a.name}' is under gravity .*'{b.name}' under .*gravity"):
        made = JOIN[how](a, b)
    assert made.model.gravity == a.model.gravity


@pytest.mark.parametrize("how", JOIN)
def test_the_remedies_end_the_warning(how):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        made = JOIN[how](HIGH, FLAT.with_gravity(HIGH.gravity))
        assert made.model.gravity == HIGH.model.gravity
        scene = JOIN["scene"](FLAT, HIGH, gravity=(0.0, 0.0, -1.62))
        assert scene.model.gravity == (0.0, 0.0, -1.62)
