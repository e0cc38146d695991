"""Speed against the peers that are installed, in one run: same robot, same states, results compared before timing, both
sides in turn.

Each round times a block of ours and a block of the peer's fastest call for the same work; what is reported is the
median of the rounds' ratios and their spread, because machines are noisy and ratios taken side by side are not. One
thread is pinned to one core.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import platform
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from .. import __version__
from ..errors import InputError, OrdernError
from ..files import write
from ..robot import Robot, load
from ..runtime.kernels import threads
from .bench_bridges import bridge_figures
from .bench_generated import GENERATED
from .bench_libraries import LIBRARIES
from .bench_loops import loop_figures
from .bench_more import figures
from .bench_peak import fma_rate
from .bench_peers import PEERS, Peer

__all__ = ["Measure", "bench", "command"]

BATCH = 4096
QUANTITIES = (
    "inverse_dynamics",
    "forward_dynamics",
    "mass_matrix",
    "mass_matrix_inverse",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
)
TOLERANCE = 1e-9  # relative: both sides must mean the same robot before anything is timed


@dataclass(frozen=True)
class Measure:
    """One line of the table; times are seconds a state (medians), ratios are the peer's time over ours."""

    robot: str
    quantity: str
    states: int
    threads: int
    peer: str
    call: str
    ours: float
    theirs: float
    ratio: float
    low: float
    high: float
    agreement: float
    extra: dict[str, float] = field(default_factory=dict)


def block_time(call: Callable[[], Any], seconds: float) -> Callable[[], float]:
    """A function that times about so many seconds of repeated calls and returns the time of one."""
    call()
    start = time.perf_counter()
    call()
    repeats = max(1, int(seconds / max(time.perf_counter() - start, 1e-9)))

    def measure() -> float:
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        return (time.perf_counter() - start) / repeats

    return measure


def side_by_side(
    ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int, seconds: float
) -> tuple[float, float, list[float]]:
    """Medians of both and the ratios of the rounds, the two sides taking turns."""
    a, b = block_time(ours, seconds), block_time(theirs, seconds)
    pairs = [(a(), b()) if k % 2 else (b(), a())[::-1] for k in range(rounds)]
    return (
        statistics.median(p[0] for p in pairs),
        statistics.median(p[1] for p in pairs),
        sorted(p[1] / p[0] for p in pairs),
    )


@contextlib.contextmanager
def pinned(count: int) -> Iterator[None]:
    """So many threads of ours; with one, the whole process on one core."""
    before, cores = threads(), None
    if count == 1 and hasattr(os, "sched_setaffinity"):
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {max(cores)})
    threads(count)
    try:
        yield
    finally:
        threads(before)
        if cores is not None:
            os.sched_setaffinity(0, cores)


def states(robot: Robot, count: int) -> dict[str, Any]:
    """Random states, the same for all sides; of closed chains, near where they are described, loops closed."""
    rng = np.random.default_rng(0)
    if not robot.model.loops:
        made = {"q": robot.random(rng, count)}
        return made | {name: rng.uniform(-1, 1, (count, robot.n)) for name in ("qd", "qdd", "tau")}
    moved, speed, tau = rng.uniform(-1, 1, (3, count, robot.n))
    q = robot.assemble(robot.integrate(np.array(robot.model.home), 0.1 * moved)).q
    qd = robot.closed_velocity(q, speed)
    return {"q": q, "qd": qd, "qdd": robot.forward_dynamics(q, qd, tau), "tau": tau}


ARGUMENTS = {
    "inverse_dynamics": ("q", "qd", "qdd"),
    "forward_dynamics": ("q", "qd", "tau"),
    "mass_matrix": ("q",),
    "mass_matrix_inverse": ("q",),
    "inverse_dynamics_derivatives": ("q", "qd", "qdd"),
    "forward_dynamics_derivatives": ("q", "qd", "tau"),
}


class Disagreement(InputError):
    """A peer's results are not ours, or it has none: it means another robot, or cannot have this one."""


def compare(
    robot: Robot, peer: Peer, quantity: str, count: int, workers: int, rounds: int, seconds: float
) -> Measure | None:
    """Time one quantity against one peer; None where the peer does not have it."""
    given = states(robot, count)
    arrays = [given[name] for name in ARGUMENTS[quantity]]
    single = count == 1
    if single:
        arrays = [np.ascontiguousarray(a[0]) for a in arrays]
    try:
        made = peer.calls(quantity, arrays, workers, single)
        expected = None if made is None else np.asarray(made[2]())
    except Exception as failure:  # other people's code: whatever it raises concerns this row alone
        raise Disagreement(
            f"{peer.name}, {quantity} of {robot.name!r}: {str(failure).strip()[:200] or type(failure).__name__}"
        ) from None
    if made is None or expected is None:
        return None
    call, theirs, _ = made
    first = getattr(robot, quantity)(*arrays)  # compiles
    first = np.asarray(first[0] if isinstance(first, tuple) else first)
    if first.size != expected.size:
        raise Disagreement(
            f"{peer.name} gives {expected.size} numbers where ordern gives {first.size} in {quantity} of {robot.name!r}"
        )
    error = float(np.abs(first.reshape(expected.shape) - expected).max() / np.abs(expected).max())
    if not error < TOLERANCE * max(1.0, robot.n):
        raise Disagreement(
            f"{peer.name} and ordern differ by {error:.1e} (relative) in {quantity} of {robot.name!r}: nothing was "
            "timed"
        )
    ours = peer.ours(robot, quantity, arrays) or partial(getattr(robot, quantity), *arrays)
    a, b, ratios = side_by_side(ours, theirs, rounds, seconds)
    quarter = len(ratios) // 4
    entry = {} if peer.empty is None else {"entry": block_time(peer.empty, 0.01)()}
    return Measure(
        robot.name,
        quantity,
        count,
        workers,
        peer.name,
        call,
        a / count,
        b / count,
        statistics.median(ratios),
        ratios[quarter],
        ratios[-1 - quarter],
        error,
        entry,
    )


def subjects(name: str | None) -> list[Robot]:
    """The robots of the table: the named one, or the usual four."""
    if name is not None:
        return [load(name)]
    panda = load("panda")
    made = [load("ur5"), load("panda", locked={j: 0.0 for j in panda.joint_names if "finger" in j})]
    talos = _talos()
    return [*made, *([talos] if talos is not None else []), load("chain100")]


def _talos(base: str = "floating") -> Robot | None:
    """Talos, where example-robot-data is installed; its grippers welded."""
    import sysconfig

    path = (
        Path(sysconfig.get_paths()["purelib"])
        / "cmeel.prefix/share/example-robot-data/robots/talos_data/robots/talos_reduced.urdf"
    )
    return load(path, base=base, on_invalid="warn") if path.exists() else None


def bench(
    robot: str | None = None, quick: bool = False, progress: Callable[[str], None] = lambda _: None
) -> tuple[list[Measure], list[str]]:
    """All quantities against all peers: batches on one and on all cores, single calls; reasons for gaps."""
    rounds, seconds = (5, 0.02) if quick else (15, 0.05)
    found: list[Measure] = []
    left_out: dict[str, None] = {}
    chosen = subjects(robot)
    if not all(subject.n for subject in chosen):
        raise InputError(f"robot {chosen[0].name!r} has no joints; there is nothing to measure")
    for closed in (subject for subject in chosen if subject.model.loops):
        left_out[
            f"other libraries get their robots from URDF, which cannot describe the loops of {closed.name!r}; "
            "four-bars stand beside their closed chains in `ordern bench` without a robot"
        ] = None
    pairs = [(x, make) for x in chosen for make in (GENERATED if x.model.loops else [*PEERS, *LIBRARIES, *GENERATED])]
    if robot is None and (still := _talos("fixed")) is not None:
        pairs += [(still, make) for make in LIBRARIES[1:2]]  # frax, with the base welded
    for subject, make in pairs:
        try:
            peer = make(subject)
        except Exception as failure:  # as below: of a robot that it cannot read, a library may raise anything
            peer = f"a peer cannot have {subject.name}: {str(failure).strip()[:200] or type(failure).__name__}"
        if isinstance(peer, str):
            left_out[peer] = None
            continue
        for quantity, (count, workers) in itertools.product(
            QUANTITIES, ((BATCH, 1), (BATCH, os.cpu_count() or 1), (1, 1))
        ):
            if subject.n > 60 and (quantity not in QUANTITIES[:2] or count == 1):
                continue
            progress(f"{subject.name}: {quantity}, {count} states, {workers} threads, {peer.name}")
            try:
                with pinned(workers):
                    measure = compare(subject, peer, quantity, count, workers, rounds, seconds)
            except OrdernError as error:  # a quantity that this robot has not, too
                left_out[str(error)] = None
                continue
            if measure is not None:
                found.append(measure)
    return found, list(left_out)


def arithmetic_share(robot: Robot, seconds: float = 1.0) -> dict[str, float]:
    """The share of peak fused multiply-adds inverse dynamics reaches: operations (sincos by its own) over peak."""
    from ..algorithms.registry import choose
    from ..emit.sincos import SINCOS
    from ..runtime.call import Call

    sincos = sum(
        step[1] in ("fma", "mul", "add", "sub") for step in (*SINCOS["float64"].reduce, *SINCOS["float64"].finish)
    )
    kernel = Call(robot.model, choose("inverse_dynamics", None, robot.model)).kernel()
    program = kernel.program()
    if not program.straight:
        return {}  # what loops do is not counted
    kinds = [program.nodes[s].op for s in program.body if isinstance(s, int)]
    issued = (
        sum(k in ("add", "sub", "mul", "div", "fma", "fms", "fnma", "sqrt") for k in kinds)
        + kinds.count("sincos") * sincos
    )
    given = states(robot, BATCH)
    arrays = [given[k] for k in ARGUMENTS["inverse_dynamics"]]
    with pinned(1):
        ours = block_time(lambda: robot.inverse_dynamics(*arrays), 0.05)
        rounds = [(ours() / BATCH, fma_rate(0.05)) for _ in range(max(3, int(seconds / 0.1)))]
    shares = sorted(issued / t / peak for t, peak in rounds)
    return {"operations": float(issued), "share": statistics.median(shares), "low": shares[0], "high": shares[-1]}


def machine() -> dict[str, str]:
    """What was measured on."""
    from ..runtime.machine import native_lanes

    model = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    return {
        "processor": model,
        "cores": str(os.cpu_count()),
        "lanes": str(native_lanes().width),
        "python": platform.python_version(),
        "ordern": __version__,
    }


def command(robot: str | None, out: Path | None, quick: bool, as_json: bool) -> int:
    """What `ordern bench` does."""
    from rich.console import Console

    from .bench_report import plot, table

    console = Console(stderr=True)
    with console.status("comparing") as status:
        measures, left_out = bench(robot, quick, lambda text: status.update(text))
        share = arithmetic_share(load(robot or "ur5"))
        status.update("simulation, threads, long chains, closed chains, start-up")
        rounds = 3 if quick else 7
        more = (
            []
            if robot is not None
            else [*figures(rounds), *bridge_figures(rounds, _talos()), *loop_figures(rounds, _talos())]
        )
    record = {
        "machine": machine(),
        "measures": [asdict(m) for m in measures],
        "left out": left_out,
        "arithmetic": share,
        "figures": [asdict(f) for f in more],
    }
    text = table(measures, share, machine(), more, left_out)
    if out is not None:
        write(out / "bench.json", json.dumps(record, indent=1))
        write(out / "bench.md", text)
        plot(measures, out / "bench.svg")
    print(json.dumps(record) if as_json else text)
    if not measures:
        console.print("no peer is installed; pip install pin mujoco", style="yellow")
    return 0
