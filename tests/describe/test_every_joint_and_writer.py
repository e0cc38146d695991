"""Every kind of joint with every property by every writer: it comes back to the last bit, or the writer refuses it by name."""

from __future__ import annotations

import warnings
from itertools import product

import numpy as np
import pytest

from ordern.algorithms.registry import choose
from ordern.check.convert import _WAYS, _matching
from ordern.describe.builder import JointSpec, LinkSpec, MimicSpec, build
from ordern.describe.compare import differences
from ordern.errors import ModelError
from ordern.joints import JOINTS
from ordern.runtime.numbers import numbers

from .mechanics import random_q
from .test_writers import PROPERTIES, SIZES

FORMS = ("toml", "urdf", "mjcf", "sdf")
TENSOR = (0.2, 0.3, 0.4, 0.01, -0.02, 0.03)
SPRING, LOSSES = ("stiffness", "springref"), ("armature", "damping", "friction")
PART = [(), *((key,) for key in PROPERTIES if key != "springref"), SPRING, (*SPRING, *LOSSES), PROPERTIES]
# what a format has no word for: SDF no such joints; MJCF none that is helical, or free on a moving link
NO_JOINT = {
    "toml": (), "urdf": (), "mjcf": ("helical",), "sdf": ("cylindrical", "planar", "floating"),
}  # fmt: skip


def values(kind, wanted):
    """One number for each velocity, the same for all of them: MJCF has one for a ball."""
    n = SIZES.get(kind, 1)
    made = {key: (0.25 + k / 16,) * n for k, key in enumerate(PROPERTIES) if key in wanted}
    if "lower" in made:
        made["lower"] = (-0.5,) * n
    if kind == "continuous":
        made.pop("lower", None), made.pop("upper", None)
    if "springref" in made and kind in ("spherical", "floating"):
        made["springref"] = (*(0.5, -0.25, 1.0)[: n - 3], 0.0, 0.0, 0.0, 1.0)
    return made


def of(kind, wanted, follows=False):
    links = [LinkSpec(name, 1.0, (0.1, 0.2, 0.3), TENSOR) for name in ("base", "arm", "tip")]
    first = JointSpec("turn", "revolute", "base", "arm", axis=(0.0, 1.0, 0.0))
    parent = "" if kind == "floating" else "arm"
    more = values(kind, wanted) | {"mimic": MimicSpec("turn", 0.5, -0.25) if follows else None}
    more |= {"pitch": 0.25} if kind == "helical" else {}
    return build("x", links, [first, JointSpec("j", kind, parent, "tip", **more)])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    "kind", [*sorted({"continuous", *SIZES, *JOINTS} & {"continuous", "revolute", "prismatic", "helical", *SIZES})]
)
def test_it_comes_back_or_is_refused(form, kind):
    write, read = _WAYS[form]
    kept = 0
    for wanted, follows in product(PART, (False, True)):
        if follows and kind not in ("revolute", "continuous", "prismatic"):
            continue
        model = of(kind, wanted, follows)
        try:
            text = write(model)
        except ModelError as error:
            assert "'j'" in str(error) or (kind, form) == ("floating", "sdf"), error  # that frees whole models
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            back = read(text, model)
        kept += 1
        assert differences(model, back, form) == [], (wanted, text)
        order_q, order_v = _matching(model, back, form)
        q, v = random_q(model, np.random.default_rng(1)), np.linspace(-1, 1, model.nv)
        ours, theirs = (
            numbers(choose("inverse_dynamics", None, m), m)(*given)
            for m, given in ((model, (q, v, 2 * v)), (back, (q[order_q], v[order_v], 2 * v[order_v])))
        )
        assert np.abs(theirs - ours[order_v]).max() <= 1e-12 * (1 + np.abs(ours).max()), (wanted, text)
    assert kept == 0 if kind in NO_JOINT[form] else kept >= 1, kept
