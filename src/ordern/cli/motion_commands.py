"""Commands about motion: torques for a trajectory, simulation, the browser; each returns an exit code."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import InputError, near, need
from ..report.tables import Table, file_name, joint_units, plain, writable_file
from ..robot import Robot
from ..runtime.call import coordinate_names
from ..scalars.primitives import Array
from ..simulate.series_files import read_series, series_csv, write_series
from ..view.film import FILMS, PAGES, PICTURES
from .motion_checks import beyond_limits, how_long, keeps_loops, same_start, without_friction
from .output import Output
from .parsing import external_wrenches, neutral, open_robot, vector, without_effect

__all__ = ["inverse", "simulate", "view"]

PROFILES = ("cycloid", "quintic", "trapezoidal")
PLOTS = (".svg", ".png", ".pdf")


def columns_for(robot: Robot, series: Mapping[str, Array], where: str, kind: str, prefix: str) -> Array | None:
    """One column a coordinate: prefixed joint names ("qd:joint1"), q1, q2, ... or q0, q1, ...; else None."""
    names = coordinate_names(robot.model, kind)
    moving = any(f"qd:{n}" in series for n in coordinate_names(robot.model, "v"))  # then bare names are positions
    bare = bare_columns(names) == names and (prefix == "q" or (prefix == "tau" and not moving))
    first = 0 if f"{prefix}0" in series and f"{prefix}{len(names)}" not in series else 1
    for style in (
        [f"{prefix}:{n}" for n in names],
        names if bare else [],
        [f"{prefix}{k + first}" for k in range(len(names))],
    ):
        there = [c for c in style if c in series and np.ndim(series[c]) == 1]  # others are whole arrays
        if there and len(there) < len(style):
            missing = next(c for c in style if c not in series)
            meant = (
                near(missing, [c for c in series if c not in style]) or f"; there are {', '.join(list(series)[:20])}"
            )
            raise InputError(f"{where}: column {missing!r} is missing{meant}")
        if there:
            return np.stack([series[c] for c in style], axis=1)
    if prefix in series and np.ndim(series[prefix]) == 2:  # npz with whole arrays
        return np.asarray(series[prefix], float)
    return None


def bare_columns(names: Sequence[str], prefix: str = "q") -> Sequence[str]:
    """What columns are called: as the coordinates, unless one of these means something else in a series."""
    odd = any(n == "t" or n.startswith(("q:", "qd:", "qdd:", "tau:")) for n in names)
    return [f"{prefix}:{n}" for n in names] if odd else names


def profile(kind: str, start: Array, end: Array, duration: float, dt: float) -> tuple[Array, Array, Array, Array]:
    """Times, q, qd, qdd of a motion from rest to rest: cycloid (Saha's papers), quintic or trapezoidal."""
    if not (duration > 0 and dt > 0 and np.isfinite(duration) and np.isfinite(dt)):
        raise InputError(f"duration {duration:g} s and step {dt:g} s must be positive")
    if dt > duration:
        raise InputError(f"a step of {dt:g} s is longer than the motion, {duration:g} s; take a shorter one")
    if duration / dt > 1e7:
        raise InputError(f"{duration:g} s in steps of {dt:g} s are more than ten million rows; take a longer step")
    from ..simulate import trajectory

    t = np.linspace(0.0, duration, round(duration / dt) + 1)
    q, qd, qdd = getattr(trajectory, kind)(start, end, duration=duration)(t)
    return t, q, qd, qdd


def motion(
    robot: Robot, name: str, start: str | None, end: str | None, duration: float, dt: float
) -> tuple[Array, Array, Array, Array]:
    """Times, q, qd, qdd from a file or named profile; missing rates come from a quintic spline through q."""
    if name in PROFILES:
        if not robot.model.plain:
            raise InputError(
                f"profiles are for joints with one coordinate; give {robot.name!r} a file with q, qd and qdd"
            )
        q0 = vector(robot, "--from", start, "q", neutral(robot))
        if end is None:
            print("ordern: without --to the robot holds still where it starts", file=sys.stderr)
        return profile(name, q0, vector(robot, "--to", end, "q", q0), duration, dt)
    if Path(name).suffix not in (".csv", ".npz") and not Path(name).exists():
        raise InputError(f"no trajectory {plain(name)!r}{near(name, PROFILES, listed=True)} (or a .csv or .npz file)")
    for option, value in (("--from", start), ("--to", end)):
        without_effect(option, value is not None, f"{plain(name)} has its own ends; it goes with {', '.join(PROFILES)}")
    series = read_series(name)
    where = plain(name)
    if "t" not in series:
        raise InputError(f"{where}: there is no column t (seconds){near('t', series, listed=True)}")
    t = series["t"]
    if len(t) < 2 or np.any(np.diff(t) <= 0):
        raise InputError(f"{where}: t must grow from row to row")
    q = columns_for(robot, series, where, "q", "q")
    if q is None:
        own = bare_columns(coordinate_names(robot.model, "q"))
        raise InputError(f"{where}: needs one column a joint: {', '.join(own[:8])}, or q1, q2, ...")
    qd, qdd = (columns_for(robot, series, where, "v", p) for p in ("qd", "qdd"))
    if qd is None or qdd is None:
        if qd is None and not robot.model.plain:
            raise InputError(f"{where}: give columns qd1, qd2, ... too; quaternions cannot be splined")
        if len(t) < 4:
            raise InputError(
                f"{where}: {len(t)} rows are too few to find accelerations from; give 4 or more, or columns qd1.. and "
                "qdd1.."
            )
        need("scipy", "simulate")
        from scipy.interpolate import make_interp_spline

        known, order = (q, 1) if qd is None else (qd, 0)  # what is splined, and how often qd is its derivative
        spline = make_interp_spline(t, known, k=5 if len(t) >= 6 else 3)
        qd = spline.derivative(1)(t) if qd is None else qd
        qdd = spline.derivative(order + 1)(t) if qdd is None else qdd
    return t, q, qd, qdd


def _targets(
    robot: Robot, out: str | None, plot: str | None, what: str, as_json: bool
) -> tuple[Path | None, Path | None]:
    """Where results go, refused before any work if that cannot be written."""
    if out == "-" and as_json:
        raise InputError("--out - and --json would print into each other; give --out a file, or leave one out")
    series = writable_file(out) if out not in (None, "-") else None
    if series is not None and series.suffix not in (".csv", ".npz"):
        raise InputError(f"--out {plain(str(out))!r}: the name must end in .csv or .npz")
    picture = writable_file(file_name(robot.name, f"_{what}.svg") if plot == "auto" else plot) if plot else None
    if picture is not None and picture.suffix not in PLOTS:
        raise InputError(f"--plot {plain(str(plot))!r}: the name must end in {', '.join(PLOTS)}")
    if picture is not None:
        need("matplotlib", "plots")
    return series, picture


def _given_motion(robot: Robot, given: Mapping[str, Any]) -> tuple[Array, Array, Array, Array]:
    """Times, q, qd, qdd: of a trajectory or of a log, whose filter is told about on the error stream."""
    name, log, profile = given["trajectory"], given["log"], {k: given[k] for k in ("start", "end", "duration", "dt")}
    words = {"start": "--from", "end": "--to"}
    if (name is None) == (log is None):
        raise InputError("give either --trajectory (a motion that is wanted) or --log (one that was recorded)")
    if log is None:
        for option in ("cutoff", "rate", "units", "topic"):
            without_effect(
                f"--{option}", given[option] is not None, "it goes with --log; a trajectory is taken as it is"
            )
        if name not in PROFILES:
            for option in ("duration", "dt"):
                without_effect(
                    f"--{option}",
                    given[option] is not None,
                    f"{plain(name)} has its own times; it goes with {', '.join(PROFILES)}",
                )
        usual = (10.0 if given["duration"] is None else given["duration"], 0.01 if given["dt"] is None else given["dt"])
        return motion(robot, name, given["start"], given["end"], *usual)
    from ..simulate.logs import read_log

    for option, value in profile.items():
        without_effect(
            words.get(option, f"--{option}"),
            value is not None,
            f"a log has its own; it goes with --trajectory {', '.join(PROFILES)}",
        )
    found = read_log(
        log, robot, cutoff=given["cutoff"], rate=given["rate"], units=given["units"] or (), topic=given["topic"]
    )
    for note in found.notes:
        print(f"ordern: {plain(log)}: {plain(note)}", file=sys.stderr)
    return found.t, found.q, found.qd, found.qdd


def inverse(
    method: str | None,
    out: str | None,
    plot: str | None,
    external: Sequence[str],
    as_json: bool,
    debug: bool,
    **robot: Any,
) -> int:
    """Torques for a motion."""
    given = {
        name: robot.pop(name)
        for name in ("trajectory", "log", "start", "end", "duration", "dt", "cutoff", "rate", "units", "topic")
    }
    r = open_robot(**robot)
    series, picture = _targets(r, out, plot, "torques", as_json)
    t, q, qd, qdd = _given_motion(r, given)
    keeps_loops(r, t, q)
    tau = r.inverse_dynamics(q, qd, qdd, external=external_wrenches(r, external), method=method)
    if tau.size:
        beyond_limits(r, q, qd, tau)
    without_friction(r)
    names = coordinate_names(r.model, "v")
    columns = {"t": t} | {f"tau:{n}": tau[:, k] for k, n in enumerate(names)}
    screen = Output(as_json)
    if series is not None:
        write_series(series, columns if series.suffix == ".csv" else {"t": t, "q": q, "qd": qd, "qdd": qdd, "tau": tau})
    if picture is not None:
        from ..report.plots import plot_series

        label = f"torque or force ({joint_units(r.model, 'N m, N')})"
        plot_series(t, tau, names, label, picture, title=f"Torques of {plain(r.name)}")
    if out == "-":
        sys.stdout.write(series_csv(columns))
        return 0
    power = tau * qd
    rows = tuple(
        (n, tau[:, k].min(), tau[:, k].max(), np.sqrt(np.mean(tau[:, k] ** 2)), np.abs(power[:, k]).max())
        for k, n in enumerate(names)
    )
    screen.data |= {"robot": r.name, "rows": len(t), "out": series and str(series), "plot": picture and str(picture)}
    title = f"{r.name}: {len(t)} times from {t[0]:g} to {t[-1]:g} s"
    screen.table(Table(title, ("joint", "least tau", "largest tau", "rms tau", "largest power"), rows), "torques")
    screen.text(*(f"wrote {p}" for p in (series, picture) if p is not None))
    screen.finish()
    return 0


def _torque(robot: Robot, text: str | None, q0: Array) -> Any:
    """What --torque says: nothing, numbers, gravity compensation at the start, or a time series."""
    if text is None:
        return None
    if text == "gravity":
        return robot.gravity_forces(q0)
    if Path(text).suffix in (".csv", ".npz"):
        from ..simulate.control import Series

        series = read_series(text)
        tau = columns_for(robot, series, plain(text), "v", "tau")
        if "t" not in series or tau is None:
            if any(column.startswith("qd") for column in series):
                raise InputError(f"{plain(text)}: it holds a motion, no torques; ordern inverse makes them of it")
            raise InputError(
                f"{plain(text)}: needs a column t and one a joint: "
                f"{', '.join(bare_columns(coordinate_names(robot.model, 'v'), 'tau')[:8])}, or tau1, tau2, ..."
            )
        same_start(text, series.get("q"), q0)
        return Series(series["t"], tau)
    there = len(text) < 256 and "\0" not in text and Path(text).is_file()
    if there or ("=" not in text and "," not in text and not any(c.isdigit() for c in text)):
        raise InputError(
            f"--torque {plain(text)!r}: give numbers, JOINT=VALUE, a .csv or .npz file, or "
            f"gravity{near(text, ['gravity'])}"
        )
    return vector(robot, "--torque", text, "v", np.zeros(robot.n), unit=False)


def _picture_ending(option: str, target: Path, endings: Sequence[str]) -> None:
    if target.suffix.lower() not in endings:
        raise InputError(f"{option} {plain(str(target))!r}: the name must end in {', '.join(endings)}")


def _idle_options(
    r: Robot, method: str, torque: str | None, saturate: bool, dt: float | None, rtol: float | None,
    collision_rate: float | None, seed: int | None,
) -> None:  # fmt: skip
    """Refuse options that would have no effect."""
    warm = method.lower() in ("baoab", "langevin")
    for name, value in (("--collision-rate", collision_rate), ("--seed", seed)):
        without_effect(
            name, value is not None and not warm, f"{plain(method)} has no bath; it goes with --method baoab"
        )
    without_effect("--saturate", saturate and torque is None, "nothing drives the joints; it goes with --torque")
    without_effect(
        "--saturate",
        saturate and not np.isfinite(r.limits.effort).any(),
        f"no joint of {plain(r.name)} has an effort limit",
    )
    fixed = warm or method.lower() in ("rk4", "euler", "symplectic", "gauss", "semi-implicit euler")
    without_effect(
        "--dt",
        dt is not None and not fixed,
        f"{plain(method)} finds its own steps; it goes with --method rk4, euler, symplectic or baoab",
    )
    without_effect(
        "--rtol",
        rtol is not None and fixed,
        f"{plain(method)} has steps of one length, --dt; it goes with adaptive methods such as dopri5",
    )


def simulate(
    duration: float | None, q0: str | None, qd0: str | None, torque: str | None, method: str, rtol: float | None,
    dt: float | None, output_dt: float, out: str | None, plot: str | None, animate: str | None,
    external: Sequence[str], no_limits: bool, no_friction: bool, saturate: bool, temperature: float | None,
    fixman: bool, collision_rate: float | None, seed: int | None, as_json: bool, debug: bool,
    **robot: Any,
) -> int:  # fmt: skip
    """Motion under torques."""
    r = open_robot(**robot)
    _idle_options(r, method, torque, saturate, dt, rtol, collision_rate, seed)
    series, picture = _targets(r, out, plot, "motion", as_json)
    page = writable_file(file_name(r.name, "_motion.html") if animate == "auto" else animate) if animate else None
    if page is not None:
        _picture_ending("--animate", page, (*PAGES, *FILMS))
    start = vector(r, "--q0", q0, "q", neutral(r))
    rates = vector(r, "--qd0", qd0, "v", np.zeros(r.n))
    options: dict[str, Any] = {"method": method, "rtol": 1e-8 if rtol is None else rtol, "output_dt": output_dt}
    options |= {"external": external_wrenches(r, external), "limits": not no_limits, "saturate": saturate}
    law = _torque(r, torque, start)
    duration = how_long(duration, plain(torque or ""), getattr(law, "times", None))
    options |= {"temperature": temperature, "fixman": fixman, "friction": not no_friction}
    options |= {k: v for k, v in (("dt", dt), ("collision_rate", collision_rate), ("seed", seed)) if v is not None}
    screen = Output(as_json)
    with screen.share("simulating") as told:
        run = r.simulate(start, rates, duration=duration, torque=law, progress=told, **options)
    names, speeds = coordinate_names(r.model, "q"), coordinate_names(r.model, "v")
    columns = (
        {"t": run.t}
        | {n: run.q[:, k] for k, n in enumerate(bare_columns(names))}
        | {f"qd:{n}": run.qd[:, k] for k, n in enumerate(speeds)}
    )
    if series is not None:
        write_series(series, columns if series.suffix == ".csv" else {"t": run.t, "q": run.q, "qd": run.qd})
    if picture is not None:
        from ..report.plots import plot_series

        label = f"position ({joint_units(r.model, 'rad, m')})"
        plot_series(run.t, run.q, names, label, picture, title=f"Motion of {plain(r.name)}")
    if page is not None:
        run.animate(page)
    if out == "-":
        sys.stdout.write(series_csv(columns))
        return 0
    energy = run.energy
    rows = tuple((n, run.q[0, k], run.q[-1, k], run.q[:, k].min(), run.q[:, k].max()) for k, n in enumerate(names))
    stats = run.stats if isinstance(run.stats, dict) else {}
    screen.data |= {"robot": r.name, "t": float(run.t[-1]), "energy": [energy[0], energy[-1]], "stats": stats}
    screen.data |= {"out": series and str(series), "plot": picture and str(picture), "animation": page and str(page)}
    head = ("coordinate", "at the start", "at the end", "least", "largest")
    screen.table(Table(f"{r.name}: {run.t[-1]:g} s by {method}", head, rows), "motion")
    screen.text(
        f"energy from {energy[0]:.10g} to {energy[-1]:.10g} J",
        *(f"wrote {p}" for p in (series, picture, page) if p is not None),
    )
    screen.finish()
    return 0


def view(port: int, out: str | None, no_browser: bool, as_json: bool, debug: bool, **robot: Any) -> int:
    """The robot's page, served or written."""
    r = open_robot(**robot)
    screen = Output(as_json)
    if out:
        for name, given in (("--port", port), ("--no-browser", no_browser)):
            without_effect(name, bool(given), "the page is written by --out, not served")
        target = writable_file(out)
        _picture_ending("--out", target, (*PAGES, *PICTURES))
        r.page(target)
        screen.data |= {"robot": r.name, "out": str(target)}
        screen.text(f"wrote {target}{'; open it in a browser' if target.suffix.lower() in PAGES else ''}")
        screen.finish()
        return 0
    from ..view.page import serve, start

    if as_json:
        server = start(r.model, port)
        print(json.dumps({"robot": plain(r.name), "url": server.url}), flush=True)
        with server, suppress(KeyboardInterrupt):
            server.wait()
        return 0
    serve(r.model, port=port, open_browser=not no_browser)
    return 0
