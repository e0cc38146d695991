"""Bridges and higher derivatives: JAX, PyTorch, second order of a humanoid, arrays in lanes."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from ..robot import Robot, load
from ..runtime.kernels import threads
from .bench_generated import generated
from .bench_more import Measurement, _pairs, _spread, _time

__all__ = ["bridge_figures"]

MANY, FEW = 65_536, 1024


def bridge_figures(rounds: int, talos: Robot | None) -> list[Measurement]:
    """All figures that the installed packages allow."""
    whole = load("panda")
    panda = load("panda", locked={j: 0.0 for j in whole.joint_names if "finger" in j})
    made = [*_lanes(load("ur5"), rounds), *_lanes(panda, rounds)]
    if importlib.util.find_spec("jax") is not None:
        made += _jax(panda, rounds)
    if importlib.util.find_spec("torch") is not None:
        made += _torch(panda, rounds)
    return made + (_second_order(talos, rounds) if talos is not None else [])


def _states(robot: Robot, count: int) -> list[Any]:
    rng = np.random.default_rng(0)
    return [robot.random(rng, count), *rng.uniform(-1, 1, (2, count, robot.n))]


def _each(what: str, call: Callable[[], Any], states: int, rounds: int, unit: str = "ns") -> Measurement:
    call(), call()
    scale = {"ns": 1e9, "us": 1e6}[unit]
    return _spread(what, [_time(call) / states * scale for _ in range(3 * rounds)], unit)


def _lanes(robot: Robot, rounds: int) -> list[Measurement]:
    """Arrays in lanes against rows, and against generated code of eight lanes, which takes rows."""
    rows = _states(robot, 4096)
    columns, kernel = [np.ascontiguousarray(a.T) for a in rows], robot.compile("inverse_dynamics", layout="lanes")
    out = kernel(*columns)
    what, made = f"inverse dynamics of 4,096 states of {robot.name}, arrays in lanes against", []
    others = {"rows": lambda: robot.inverse_dynamics(*rows)}
    for peer in (generated(robot, True, False), generated(robot, True)):
        call = None if isinstance(peer, str) else peer.calls("inverse_dynamics", rows, 1, False)
        if call is not None and not isinstance(peer, str):
            others[peer.name] = call[1]
    before = threads()
    threads(1)  # generated code has one
    try:
        for name, call_of in others.items():
            made.append(
                _spread(f"{what} {name}", _pairs(lambda: kernel(*columns, out=out), call_of, 5 * rounds), "times")
            )
    finally:
        threads(before)
    return made


def _jax(panda: Robot, rounds: int) -> list[Measurement]:
    import jax

    from ..evaluate.jax_functions import function

    with jax.enable_x64(True):
        made = []
        inverse = jax.jit(jax.vmap(function("inverse_dynamics", panda)))
        for count in (FEW, MANY):
            rows = _states(panda, count)
            given = [jax.numpy.asarray(a) for a in rows]

            def call(given: list[Any] = given) -> None:
                inverse(*given).block_until_ready()

            made.append(_each(f"JAX: inverse dynamics of {count:,} Pandas in jit(vmap), a state", call, count, rounds))
            ratios = _pairs(lambda rows=rows: panda.inverse_dynamics(*rows), call, rounds)  # type: ignore[misc]
            made.append(_spread("  its time over the NumPy call's", ratios, "times"))
        forward, rows = function("forward_dynamics", panda), _states(panda, FEW)
        given = [jax.numpy.asarray(a) for a in rows]
        whole = {
            "grad": jax.grad(lambda q, qd, tau: (forward(q, qd, tau) ** 2).sum()),
            "jacfwd": jax.jacfwd(forward, argnums=(0, 1, 2)),
        }
        for name, slope in whole.items():
            start = time.perf_counter()
            jax.block_until_ready(jax.jit(slope)(*(a[0] for a in given)))
            first = time.perf_counter() - start
            many = jax.jit(jax.vmap(slope))
            ratios = _pairs(
                lambda: panda.forward_dynamics_derivatives(*rows),
                lambda many=many: jax.block_until_ready(many(*given)),  # type: ignore[misc]
                rounds,
            )
            made.append(
                _spread(f"JAX: {name} of forward dynamics of 1,024 Pandas over our derivative kernel", ratios, "times")
            )
            made.append(Measurement(f"  first call of {name}, compiled", first, first, first, "s"))
    return made


def _torch(panda: Robot, rounds: int) -> list[Measurement]:
    import torch

    from ..evaluate.torch_functions import function

    inverse, made = function("inverse_dynamics", panda), []
    for count in (FEW, MANY):
        given = [torch.as_tensor(a) for a in _states(panda, count)]
        made.append(
            _each(
                f"PyTorch: inverse dynamics of {count:,} Pandas, a state",
                lambda given=given: inverse(*given),  # type: ignore[misc]
                count,
                rounds,
            )
        )
    return made


def _second_order(talos: Robot, rounds: int) -> list[Measurement]:
    """Time the call without laying out (n, n, n) arrays, which costs more than the kernel and is timed apart."""
    count = 64
    q, qd, qdd = _states(talos, count)
    start = time.perf_counter()
    talos.inverse_dynamics_derivatives(q, qd, qdd, order=2)
    first = time.perf_counter() - start

    def packed() -> Any:
        return talos.inverse_dynamics_derivatives(q, qd, qdd, order=2)

    def laid_out() -> Any:
        found = packed()
        return found.dq_dq, found.dqd_dqd, found.dq_dqd, found.dq_dqdd

    return [
        Measurement("second derivatives of inverse dynamics, Talos: first call", first, first, first, "s"),
        _each(
            "second derivatives of inverse dynamics, Talos, 64 states: each number once, a state",
            packed,
            count,
            rounds,
            "us",
        ),
        _each("  and laid out as four arrays (38, 38, 38), 1.8 MB, a state", laid_out, count, rounds, "us"),
        _each(
            "  one state alone, each number once",
            lambda: talos.inverse_dynamics_derivatives(q[0], qd[0], qdd[0], order=2),
            1,
            rounds,
            "us",
        ),
        _each(
            "second derivatives of forward dynamics, Talos, 64 states, a state",
            lambda: talos.forward_dynamics_derivatives(q, qd, qdd, order=2),
            count,
            rounds,
            "us",
        ),
    ]
