"""More benchmarks: simulation against MuJoCo and SciPy; ordern's threads, float32, length, start-up."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..robot import Robot, load
from ..runtime.kernels import threads
from ..scalars.primitives import Array
from .bench_peak import fma_threads
from .bench_peers import _bare

__all__ = ["Measurement", "figures"]


@dataclass(frozen=True)
class Measurement:
    """One figure: what, its value, the spread over the rounds, and in what it is measured."""

    what: str
    value: float
    low: float
    high: float
    unit: str


def _spread(what: str, values: list[float], unit: str) -> Measurement:
    values = sorted(values)
    return Measurement(what, statistics.median(values), values[len(values) // 4], values[-1 - len(values) // 4], unit)


def _time(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _pairs(ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int) -> list[float]:
    """Ratios theirs / ours, in turns."""
    ours(), theirs()
    return [(lambda b, a: b / a)(_time(theirs), _time(ours)) for _ in range(rounds)]


def figures(rounds: int = 7) -> list[Measurement]:
    """All figures that the installed packages allow."""
    made = [
        *_simulation(rounds),
        *_two_threads(rounds),
        _single_precision(rounds),
        *_length(rounds),
        *_exponents(rounds),
        *_startup(min(rounds, 5)),
        *_compiling(min(rounds, 5)),
    ]
    return [f for f in made if f is not None]


def _urdf(robot: Robot) -> str:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.urdf"
        Robot(robot.model.changed(links=tuple(_bare(link) for link in robot.model.links))).to_urdf(path)
        return path.read_text()


def _simulation(rounds: int) -> list[Measurement | None]:
    before = threads()
    threads(1)
    try:
        return [_against_mujoco(rounds), _against_scipy(rounds)]
    finally:
        threads(before)


def _against_mujoco(rounds: int) -> Measurement | None:
    """Steps a second of RK4 at 1 ms: 4,096 UR5 arms against mujoco.rollout with constraints off, one thread each."""
    try:
        import mujoco
        from mujoco import rollout
    except ImportError:
        return None
    robot, steps, batch, few = load("ur5"), 100, 4096, 512
    model = mujoco.MjModel.from_xml_string(_urdf(robot))
    model.opt.integrator, model.opt.timestep = mujoco.mjtIntegrator.mjINT_RK4, 1e-3
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    data, rng = mujoco.MjData(model), np.random.default_rng(0)
    q, v = rng.uniform(-1, 1, (2, batch, 6))
    state = np.zeros((few, mujoco.mj_stateSize(model, mujoco.mjtState.mjSTATE_FULLPHYSICS)))
    state[:, 1:7], state[:, 7:13] = q[:few], v[:few]
    options: dict[str, Any] = {
        "duration": steps * 1e-3,
        "method": "rk4",
        "dt": 1e-3,
        "limits": False,
        "friction": False,
        "output_dt": None,
    }
    ratios = _pairs(
        lambda: robot.simulate(q, v, **options), lambda: rollout.rollout(model, [data], state, nstep=steps), rounds
    )
    return _spread(
        "RK4 steps a second, 4,096 UR5 arms, against mujoco.rollout", [r * batch / few for r in ratios], "times"
    )


def _against_scipy(rounds: int) -> Measurement | None:
    """DOPRI5 free fall of the PUMA over 10 s at rtol 1e-9 against solve_ivp around pin.aba."""
    try:
        import pinocchio as pin
        from scipy.integrate import solve_ivp
    except ImportError:
        return None
    robot = load("puma560")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.urdf"
        robot.to_urdf(path)
        model = pin.buildModelFromUrdf(str(path))
    data, tau = model.createData(), np.zeros(6)

    def rates(t: float, y: Array) -> Any:
        return np.concatenate([y[6:], pin.aba(model, data, y[:6], y[6:], tau)])

    options: dict[str, Any] = {
        "duration": 10.0,
        "rtol": 1e-9,
        "atol": 1e-10,
        "limits": False,
        "friction": False,
        "output_dt": None,
    }
    ratios = _pairs(
        lambda: robot.simulate(np.zeros(6), **options),
        lambda: solve_ivp(rates, (0, 10), np.zeros(12), rtol=1e-9, atol=1e-10, method="RK45"),
        rounds,
    )
    return _spread("PUMA free fall, 10 s at rtol 1e-9, against solve_ivp around pin.aba", ratios, "times")


def _two_threads(rounds: int) -> list[Measurement]:
    """Speed-up by two threads beside that of plain multiply-adds: a host may lend less than two cores."""
    robot, rng, before, made = load("ur5"), np.random.default_rng(0), threads(), []

    def beside(title: str, ratio: Callable[[], float], times: int) -> None:
        ours, plain = [], []
        for _ in range(times):
            first = fma_threads()
            ours.append(ratio())
            plain.append(0.5 * (first + fma_threads()))
        made.append(_spread(title, ours, "times"))
        made.append(_spread("  a plain loop of multiply-adds at the same time", plain, "times"))

    for count in (4096, 65_536, 1_000_000):
        q = robot.random(rng, count)
        qd, tau = rng.uniform(-1, 1, (2, count, 6))

        def ratio(q: Array = q, qd: Array = qd, tau: Array = tau, calls: int = max(1, 200_000 // count)) -> float:
            taken = []
            for k in (1, 2):
                threads(k)
                taken.append(_time(lambda: [robot.forward_dynamics(q, qd, tau) for _ in range(calls)]))
            return taken[0] / taken[1]

        ratio()
        beside(f"two threads against one, forward dynamics of {count:,} states", ratio, 3 * rounds)
    options: dict[str, Any] = {"duration": 0.5, "method": "rk4", "dt": 1e-3, "limits": False, "output_dt": None}
    q0 = robot.random(rng, 4096)
    robot.simulate(q0, threads=2, **options)

    def simulated(k: int) -> float:
        return _time(lambda: robot.simulate(q0, threads=k, **options))

    beside("two threads against one, RK4 of 4,096 arms", lambda: simulated(1) / simulated(2), 3)
    threads(before)
    return made


def _single_precision(rounds: int) -> Measurement:
    robot, rng, before = load("ur5"), np.random.default_rng(0), threads()
    threads(1)
    given = [robot.random(rng, 65_536), *rng.uniform(-1, 1, (2, 65_536, 6))]
    small = [a.astype(np.float32) for a in given]
    ratios = _pairs(lambda: robot.inverse_dynamics(*small), lambda: robot.inverse_dynamics(*given), 3 * rounds)
    threads(before)
    return _spread("float32 against float64, inverse dynamics of 65,536 states", ratios, "times")


def _length(rounds: int) -> list[Measurement]:
    """Cost a link of long chains, with about the same work for each length."""
    made, before = [], threads()
    threads(1)
    for quantity in ("inverse_dynamics", "forward_dynamics"):
        for n in (100, 1_000, 10_000):
            robot, rng = load(f"chain{n}"), np.random.default_rng(0)
            batch = max(16, 100_000 // n // 16 * 16)  # whole vectors of lanes, so that no lane idles
            given = rng.uniform(-1, 1, (3, batch, n))
            method: Callable[..., Any] = getattr(robot, quantity)
            method(*given)
            times = [_time(lambda: method(*given)) / (batch * n) * 1e9 for _ in range(3 * rounds)]  # noqa: B023 (called at once)
            made.append(_spread(f"{quantity.replace('_', ' ')} a link, chain of {n:,}", times, "ns"))
    threads(before)
    return made


def _exponents(rounds: int) -> list[Measurement]:
    """The power of n at which times of log det M and its gradient grow, in processor time of one thread."""
    made, before, sizes = [], threads(), (1_000, 10_000, 100_000)
    threads(1)
    chains = [(load(f"chain{n}"), np.random.default_rng(0).uniform(-1, 1, n)) for n in sizes]
    for quantity in ("log_det", "log_det_gradient"):
        found = []
        for _ in range(rounds):
            best = [
                min(_thread_time(getattr(robot, quantity), q) for _ in range(max(8, 20_000 // len(q))))
                for robot, q in chains
            ]
            found.append(float(np.polyfit(np.log(sizes), np.log(best), 1)[0]))
        made.append(
            _spread(f"{quantity.replace('_', ' ')}: exponent of n, chains of 1,000 to 100,000", found, "(1 is linear)")
        )
    threads(before)
    return made


def _thread_time(call: Callable[..., Any], *given: object) -> float:
    start = time.thread_time()
    call(*given)
    return time.thread_time() - start


def _python(code: str, cache: str | None = None) -> str:
    """What a fresh interpreter prints; machine code is kept in the folder ``cache``, or not at all ("off")."""
    environment = os.environ | ({"ORDERN_CACHE": cache} if cache else {})
    command = [sys.executable, "-c", code]  # our own lines
    return subprocess.run(command, check=True, env=environment, capture_output=True, text=True).stdout  # noqa: S603


def _help() -> float:
    line = [sys.executable, "-m", "ordern.cli", "--help"]
    return _time(lambda: subprocess.run(line, check=True, stdout=subprocess.DEVNULL))  # noqa: S603 (our own line)


def _startup(rounds: int) -> list[Measurement]:
    first = "import ordern; r = ordern.load('ur5'); q = r.neutral(); r.inverse_dynamics(q, q, q)"

    def run(code: str, cache: str | None) -> float:
        return _time(lambda: _python(code, cache))

    with tempfile.TemporaryDirectory() as warm:
        run(first, warm)
        return [
            _spread("ordern --help, from the shell and back (median of 20)", [_help() for _ in range(20)], "s"),
            _spread("import ordern, in a new interpreter", [run("import ordern", None) for _ in range(rounds)], "s"),
            _spread(
                "import, load a UR5, first result: nothing cached", [run(first, "off") for _ in range(rounds)], "s"
            ),
            _spread(
                "import, load a UR5, first result: machine code on disk", [run(first, warm) for _ in range(rounds)], "s"
            ),
        ]


def _compiling(rounds: int) -> list[Measurement]:
    """The first result of a batch: tracing, compiling and running; LLVM itself has been loaded by another quantity."""
    from .bench import _talos

    def first(robot: str, quantity: str, cache: str) -> float:
        lines = [
            "import time, numpy as np, ordern",
            f"r = {robot}",
            "q, x = np.tile(r.neutral(), (8, 1)), np.zeros((8, r.n))",
            "ordern.load('pendulum').kinetic_energy([0.0], [0.0])",
            "start = time.perf_counter()",
            f"r.{quantity}(q, x, x)",
            "print(time.perf_counter() - start)",
        ]
        return float(_python("\n".join(lines), cache))

    ur5, chain, talos = (
        "ordern.load('ur5')",
        "ordern.load('chain10000')",
        "__import__('ordern.bench.bench', fromlist=['x'])._talos()",
    )
    cases = [
        ("UR5", ur5, "inverse_dynamics"),
        ("chain of 10,000", chain, "inverse_dynamics"),
        ("chain of 10,000", chain, "forward_dynamics"),
    ]
    if _talos() is not None:
        cases.insert(1, ("Talos", talos, "forward_dynamics"))
    made = [
        _spread(
            f"compile {quantity.replace('_', ' ')}, {name}", [first(robot, quantity, "off") for _ in range(rounds)], "s"
        )
        for name, robot, quantity in cases
    ]
    with tempfile.TemporaryDirectory() as warm:
        first(ur5, "inverse_dynamics", warm)
        return [
            *made,
            _spread(
                "inverse dynamics, UR5, machine code from disk",
                [first(ur5, "inverse_dynamics", warm) for _ in range(rounds)],
                "s",
            ),
        ]
