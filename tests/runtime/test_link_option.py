"""link= means one thing: a quantity of one link takes it, any other refuses it and names those that do."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from ordern.algorithms.registry import all_algorithms, choose

ARM = ordern.robots.planar3()
TAKES = sorted({a.quantity for a in all_algorithms() if "link" in a.options})
OTHERS = sorted({a.quantity for a in all_algorithms() if "link" not in a.options and a.refusal(ARM.model) is None})
WAYS = {
    "compile": lambda q: ARM.compile(q, link="link2"),
    "formulas": lambda q: ARM.formulas(q, link="link2"),
    "operation_counts": lambda q: ARM.operation_counts(q, link="link2"),
    "casadi": lambda q: ARM.casadi(q, link="link2"),
    "evaluate": lambda q: ARM.evaluate(q, *([0.1, 0.2, 0.3] for _ in choose(q, None, ARM.model).inputs), link="link2"),
    "export_c": lambda q: ARM.export_c(q, "unused", link="link2"),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("quantity", OTHERS)
def test_a_link_without_effect_is_refused(way, quantity, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ordern.InputError, match=f"no effect on {quantity}") as caught:
        WAYS[way](quantity)
    assert "jacobian" in str(caught.value) and not list(tmp_path.iterdir())


def test_it_has_effect_where_it_is_taken():
    assert {"jacobian", "link_pose"} <= set(TAKES)
    q = [0.1, 0.2, 0.3]
    np.testing.assert_allclose(
        np.array(ARM.evaluate("jacobian", q, link="link2"), float), ARM.jacobian(q, "link2"), rtol=0, atol=1e-15
    )
    both = ARM.compile(["jacobian", "mass_matrix"], link="link2")(q)
    np.testing.assert_allclose(both["jacobian"], ARM.jacobian(q, "link2"), rtol=0, atol=1e-15)
    np.testing.assert_allclose(both["mass_matrix"], ARM.mass_matrix(q), rtol=0, atol=1e-15)
    with pytest.raises(ordern.InputError, match="no effect on bias_forces"):
        ARM.compile(["bias_forces", "mass_matrix"], link="link2")
