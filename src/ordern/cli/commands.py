"""Bodies of the commands that describe, check, count and convert; each returns the exit code."""

from __future__ import annotations

import importlib
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InputError, ModelError, near
from ..model.closures import count as equation_count
from ..report.tables import Table, plain, writable_file, writable_folder
from .output import Output
from .parsing import open_robot, without_effect

if TYPE_CHECKING:
    from ..robot import Robot

__all__ = ["bench", "convert", "count", "export", "formulas", "info", "lint", "reproduce", "verify"]


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def reproduce(paper: str | None, out: str, as_json: bool, debug: bool) -> int:
    """All papers, or one."""
    folder = writable_folder(out)
    from ..papers.reproduce import NAMES, reproduce, write_report

    if paper is not None and paper not in NAMES:
        raise InputError(f"no paper {plain(paper)!r}; there are {', '.join(NAMES)}{near(paper, NAMES)}")
    screen = Output(as_json)
    names = [paper] if paper else list(NAMES)
    with screen.progress(len(names) + 1, "reproducing") as advance:
        made = reproduce(names, advance, processes=2)
        written = write_report(made, folder)
    screen.data |= {
        "ok": made.ok,
        "seconds": made.seconds,
        "files": [str(p) for p in written],
        "rows": made.table().records(),
    }
    screen.table(made.summary(), "papers")
    wrong = made.wrong()
    if wrong.rows:
        screen.table(wrong, "wrong")
    screen.text(f"{len(made.rows)} rows in {made.seconds:.1f} s; report: {written[0]}")
    screen.finish()
    return 0 if made.ok else 1


def info(as_json: bool, debug: bool, **robot: Any) -> int:
    """Describe a robot."""
    r = open_robot(**robot)
    screen = Output(as_json)
    model, limits = r.model, r.limits
    mass = sum(body.inertia.m for body in model.bodies[1:])
    screen.data |= {
        "name": r.name,
        "n": r.n,
        "nq": r.nq,
        "moving_mass": mass,
        "gravity": r.gravity,
        "links": list(r.link_names),
        "source": model.source,
    }
    screen.text(
        f"{r.name}: {model.freedom}, {len(r.link_names)} link{_s(len(r.link_names))}, {mass:.6g} kg "
        f"moving, gravity {', '.join(f'{g:g}' for g in r.gravity)} m/s^2"
    )
    rows = []
    for i in model.free:
        body, (_, at) = model.bodies[i], model.offsets[i]
        one = body.joint.nv == 1
        parent = model.bodies[body.parent].name if body.parent else "world"
        span = (limits.lower[at], limits.upper[at]) if one else (None, None)
        rest = (limits.velocity[at], limits.effort[at]) if one else (None, None)
        rows.append((body.name, body.joint.name, parent, body.inertia.m, *span, *rest, sum(body.armature) or None))
    columns = ("joint", "type", "after", "mass (kg)", "lower", "upper", "velocity", "effort", "armature")
    screen.table(Table("", columns, tuple(rows[:60]), ("...",) if len(rows) > 60 else ()), "joints")
    names = list(r.link_names)
    screen.text(f"links: {', '.join(names[:60])}{', ...' if len(names) > 60 else ''}")
    followers = [b.name for b in model.bodies[1:] if b.mimic is not None]
    if followers:
        screen.text(f"following other joints: {', '.join(followers)}")
    screen.data["mimic"] = followers
    if model.loops:
        _loops(r, screen)
    springs = [model.bodies[i].name for i in model.free if model.bodies[i].stiffness]
    if springs:
        screen.text(f"springs on: {', '.join(springs[:12])}{' ...' if len(springs) > 12 else ''}")
    if model.states:
        screen.text(f"named states: {', '.join(state.name for state in model.states)}")
    for line in model.beyond:
        screen.text(f"not in the model: {line}")
    screen.data |= {"springs": springs, "states": [state.name for state in model.states], "beyond": list(model.beyond)}
    screen.finish()
    return 0


def _loops(r: Robot, screen: Output) -> None:
    """Closures, which of their equations count, and what they leave free."""
    model = r.model
    link = {-1: "world"} | {k: link.name for k, link in enumerate(model.links)}
    rows = []
    for loop in model.loops:
        ends = [model.bodies[i].name for i, _ in loop.terms] if loop.terms else [link[loop.link1], link[loop.link2]]
        rows.append(
            (loop.name, loop.kind, ", ".join(ends), equation_count(loop.kind), ", ".join(str(k + 1) for k in loop.kept))
        )
    screen.table(
        Table(
            "", ("loop", "type", "between", "equations", "kept"), tuple(rows[:60]), ("...",) if len(rows) > 60 else ()
        ),
        "loops",
    )
    total, rank = sum(equation_count(loop.kind) for loop in model.loops), sum(len(loop.kept) for loop in model.loops)
    screen.data |= {
        "mobility": model.nv - rank,
        "equations": total,
        "rank": rank,
        "actuated": list(r.actuated),
        "home": list(model.home),
    }
    screen.text(
        f"{total} equations of rank {rank} leave {model.nv - rank} of {model.nv} free; drives: {', '.join(r.actuated)}"
    )


def lint(as_json: bool, debug: bool, **robot: Any) -> int:
    """Remarks; 1 if there is a warning among them, or if the other commands refuse the robot."""
    try:
        r, refused = open_robot(**robot), False
    except ModelError:
        r, refused = open_robot(**robot, default="warn"), True
    screen = Output(as_json)
    remarks = r.lint()
    rows = tuple((m.level, m.where, m.message, m.remedy) for m in remarks)
    warned = sum(m.level == "warning" for m in remarks)
    screen.data |= {"name": r.name, "warnings": warned, "refused": refused}
    if rows or as_json:
        screen.table(Table(r.name, ("level", "where", "what", "what to do"), rows), "remarks")
    notes = len(rows) - warned
    found = f"{warned} warning{_s(warned)}, {notes} note{_s(notes)}" if rows or refused else "nothing suspicious"
    what = "; the other commands refuse it, unless --on-invalid warn or repair is given" if refused else ""
    screen.text(f"{r.name}: {found}{what}")
    screen.finish()
    return 1 if warned or refused else 0


def verify(states: int, seed: int, as_json: bool, debug: bool, **robot: Any) -> int:
    """All methods and laws."""
    from ..check.verify import verify

    r = open_robot(**robot)
    screen = Output(as_json)
    with screen.progress(9, f"verifying {plain(r.name)}") as advance:
        made = verify(r, states, seed, advance)
    screen.data |= {"name": r.name, "ok": made.ok, "states": states, "condition": made.condition}
    screen.data["checks"] = [asdict(c) | {"ok": c.ok} for c in made.checks]
    screen.table(made.table())
    if made.refused:
        screen.table(made.refusals(), "refused")
    off = [c for c in made.checks if not c.ok]
    screen.text(f"{len(off)} of {len(made.checks)} checks are off" if off else f"all {len(made.checks)} checks hold")
    screen.finish()
    return 1 if off else 0


def formulas(
    quantity: str,
    method: str | None,
    latex: bool,
    letters: bool,
    written_out: bool,
    paper: bool,
    as_json: bool,
    debug: bool,
    **robot: Any,
) -> int:
    """Formulas as text or LaTeX."""
    r = open_robot(**robot)
    screen = Output(as_json)
    if paper:
        from ..papers.saha1999ijrr import closed_forms

        for option, value in (("--method", method is not None), ("--symbols", letters), ("--written-out", written_out)):
            without_effect(option, value, "--paper shows the closed forms as they are printed")

        made = closed_forms(r, quantity)
        text = made.latex() if latex else str(made)
        screen.data |= {
            "robot": r.name,
            "quantity": quantity,
            "paper": "saha1999ijrr",
            "text": str(made),
            "latex": made.latex(),
        }
    else:
        found = r.formulas(quantity, method, symbols=letters)
        text = found.latex(steps=not written_out) if latex else str(found.matrix) if written_out else str(found)
        screen.data |= {"robot": r.name, "quantity": quantity, "count": str(found.count), "text": text}
    screen.text(text)
    screen.finish()
    return 0


def count(quantity: str | None, table: bool, method: str | None, as_json: bool, debug: bool, **robot: Any) -> int:
    """Counts, side by side on request."""
    from ..algorithms.registry import choose, find
    from ..check.counting import QUANTITIES, growth, side_by_side, stages

    r = open_robot(**robot)
    if quantity:
        find(quantity, method)
    elif method:
        raise InputError("--method needs a quantity: ordern count ROBOT QUANTITY --method NAME")
    screen = Output(as_json)
    wanted = (quantity,) if quantity else QUANTITIES
    if table:
        with screen.progress(60, "counting") as advance:
            tables = [
                ("methods", side_by_side(r, wanted, advance)),
                ("stages", stages(r, wanted)),
                ("growth", growth(wanted, progress=advance)),
            ]
        for key, made in tables:
            screen.table(made, key)
    else:
        rows, names = [], ("mul", "add", "div", "sqrt", "sincos", "log", "tanh")
        for q in wanted:
            c = r.operation_counts(q, method)
            rows.append((q, choose(q, method, r.model).method, *(getattr(c, name) for name in names)))
        note = "inertias regrouped, as compiled code has them" if method is None else "as the method's text stands"
        columns = ("quantity", "method", *names)
        screen.table(Table(f"Operations for {r.name} ({note})", columns, tuple(rows)), "counts")
    screen.finish()
    return 0


def export(
    quantity: str, method: str | None, link: str | None, single: bool, as_json: bool, debug: bool, **others: Any
) -> int:
    """Source files in one language or several."""
    folders = {
        language: folder for language in ("c", "opencl", "cuda", "javascript") if (folder := others.pop(language))
    }
    if not folders:
        raise InputError("name a folder for one language at least: --c, --opencl, --cuda or --javascript DIR")
    r = open_robot(**others)
    paths: list[Any] = []
    for language, target in {language: writable_folder(folder) for language, folder in folders.items()}.items():
        dtype = "float32" if single and language != "javascript" else "float64"
        paths += r.export(quantity, target, language=language, method=method, link=link, dtype=dtype)
    files = [str(p) for p in paths]
    screen = Output(as_json)
    screen.data |= {"robot": r.name, "quantity": quantity, "files": files}
    screen.text(*files)
    screen.finish()
    return 0


def convert(form: str | None, out: str | None, as_json: bool, debug: bool, **robot: Any) -> int:
    """Another description, and its proof."""
    from ..check.convert import FORMS, convert, form_of
    from ..files import write

    form = form or {".urdf": "urdf", ".xml": "mjcf", ".mjcf": "mjcf", ".sdf": "sdf"}.get(Path(out or "").suffix)
    if form is None:
        raise InputError(
            f"--to is missing; it is one of {', '.join(FORMS)} (a FILE.urdf, .sdf or .xml of --out says it too)"
        )
    if Path(robot["robot"]).is_dir():
        from .collection_commands import convert_folder

        return convert_folder(robot.pop("robot"), form, out, as_json, **robot)
    r, form = open_robot(**robot), form_of(form)
    target = writable_file(out) if out else None
    endings = {"urdf": (".urdf",), "mjcf": (".xml", ".mjcf"), "sdf": (".sdf",)}.get(form, (".toml",))
    if target is not None and form in FORMS and target.suffix not in endings:
        raise InputError(
            f"--out {plain(str(out))!r}: the name must end in {' or '.join(endings)}, by which ordern knows the format"
        )
    made = convert(r, form, folder=target.absolute().parent if target is not None else None)
    screen = Output(as_json)
    screen.data |= {"robot": r.name, "to": form, "ok": made.proof.ok, "out": str(target) if target else None}
    if target is not None and made.proof.ok:
        write(target, made.text)
    elif target is None:
        screen.data["text"] = made.text
        if not as_json:
            print(made.text)
    if target is None and not as_json:  # the proof goes beside what is piped on
        print(made.proof.table().text(), file=sys.stderr)
        screen.data["proof"] = made.proof.table().records()
    else:
        screen.table(made.proof.table(), "proof")
    if target is not None:
        screen.text(
            f"wrote {target}"
            if made.proof.ok
            else f"{target} was not written: the description cannot hold all of this robot"
        )
    screen.finish()
    return 0 if made.proof.ok else 1


def bench(robot: str | None, out: str | None, quick: bool, as_json: bool, debug: bool) -> int:
    """Speed against peers."""
    folder = writable_folder(out) if out else None
    try:
        module = importlib.import_module("ordern.bench.bench")
    except ImportError:
        raise InputError("this installation has no benchmarks (ordern.bench.bench is missing)") from None
    code: int = module.command(robot=robot, out=folder, quick=quick, as_json=as_json) or 0
    return code
