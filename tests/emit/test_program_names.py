"""Programs of one integrator share a module: whatever they define is their own, however long they are."""

from __future__ import annotations

import re

import pytest

import robots
from ordern.emit.llvm import lane_text
from ordern.emit.llvm.integrate import integrator
from ordern.emit.llvm.lanes import Lanes
from ordern.emit.llvm.stepping import Layout
from ordern.program import rolled, schedule
from ordern.simulate.right_hand_side import Motion


@pytest.mark.parametrize("loops", [False, True])
@pytest.mark.parametrize("method", ["dopri5", "symplectic"])
def test_every_name_is_defined_once(monkeypatch, loops, method):
    """Made to look long, a small robot shows what seven free bodies did."""
    monkeypatch.setattr(lane_text, "ONE_PIECE", 0)
    for file in (rolled, schedule):
        monkeypatch.setattr(file, "UNROLL", 0 if loops else 10**9)
    monkeypatch.setattr(schedule, "FEW", 1)
    model = robots.serial("FSR", 1)
    motion = Motion(model)
    kinds = ("hamilton", "advance") if method == "symplectic" else ("rates", "advance")
    layout = Layout(model.nq, model.nv, 0, (), method)
    text, _ = integrator(layout, {kind: motion.program(kind) for kind in kinds}, {}, Lanes(4))
    defined = re.findall(r"^(@\w+) = ", text, re.M) + re.findall(r"^define [^@]*(@\w+)\(", text, re.M)
    assert len(defined) == len(set(defined)) and any("rates" in name or "hamilton" in name for name in defined)
