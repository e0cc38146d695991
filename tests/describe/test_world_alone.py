"""Robots without joints, of one link or two, called as the world or otherwise: each writer writes what can be read, or refuses."""

from __future__ import annotations

from itertools import product

import pytest

from ordern.check.convert import _WAYS
from ordern.describe.builder import JointSpec, LinkSpec, build
from ordern.describe.compare import aside
from ordern.errors import ModelError
from ordern.model import Geometry

SHAPES = ((), (Geometry("sphere", (0.1,)),))


@pytest.mark.parametrize("form", ["urdf", "mjcf", "sdf", "toml"])
def test_it_is_read_back_or_refused(form):
    write, read = _WAYS[form]
    kept = 0
    for name, mass, shapes, more in product(("world", "base"), (0.0, 1.0), SHAPES, (False, True)):
        links = [LinkSpec(name, mass, (0, 0, 0), (mass,) * 3 + (0.0,) * 3, visuals=shapes)]
        links += [LinkSpec("tip", 1.0, (0, 0, 0), (1.0, 1.0, 1.0, 0.0, 0.0, 0.0))] * more
        model = build("x", links, [JointSpec("weld", "fixed", name, "tip")] * more)
        try:
            text = write(model)
        except ModelError as error:
            assert name == "world" and form in ("mjcf", "sdf"), error
            continue
        back = read(text, model)
        kept += 1
        shown = [any(k.visuals for k in m.links) for m in (model, back)]
        assert shown[0] == shown[1] or any("shapes of the link 'world'" in line for line in aside(model, form))
        assert back.nv == 0 and {k.name for k in back.links} | {"world"} == {k.name for k in model.links} | {"world"}
    assert kept >= 6
