"""Texts besides the kernels of the grid, by kind: other languages, shapes of kernels, derivatives, integrators, each a few on small robots."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from unittest.mock import patch

import robots
from grid import options_of
from ordern.algorithms.registry import all_algorithms, choose, find
from ordern.describe.builtin import lookup
from ordern.emit.c import export_c
from ordern.emit.javascript import javascript
from ordern.emit.llvm import integrate
from ordern.emit.llvm.kernel_text import lower
from ordern.emit.llvm.lanes import Lanes, streamable
from ordern.emit.opencl import cuda, opencl
from ordern.emit.tableaus import TABLES
from ordern.program.adjoint import adjoint, directional
from ordern.program.build import guarded, prepared, trace, trace_many
from ordern.program.differentiate import several_derivatives
from ordern.robot import Robot
from ordern.simulate import ensemble

SMALL = robots.tree(["floating", "prismatic", "universal"], [0, 1, 1], 2)
ARM, LONG = robots.serial("RPR", 6), robots.serial("RRPR" * 12, 7)
METHODS = [*TABLES, "euler", "symplectic"]


def program(name, model, rolled=None):
    algorithm = find(*name.split("/"))[0]
    options = (len(model.links) - 1, True) if "link" in algorithm.options else ()
    return trace(algorithm, prepared(algorithm, model), options, rolled=rolled)


def programs() -> Iterator:
    for name, model, rolled in (
        ("inverse_dynamics/newton-euler", SMALL, False),
        ("forward_dynamics/articulated", ARM, True),
        ("mass_matrix/composite", LONG, True),
        ("log_det/denoc", ARM, False),
        ("forward_dynamics/articulated", robots.sprung(), False),
    ):
        yield f"{name} {model.name} {rolled}", program(name, model, rolled)


def languages() -> Iterator[tuple[str, str]]:
    """C, JavaScript, OpenCL and CUDA."""
    for name, made in programs():
        yield f"javascript {name}", javascript(made)
        for dtype in ("float64", "float32"):
            yield f"c {dtype} {name}", "\n".join(export_c(made, "dynamics", dtype).values())
            yield f"opencl {dtype} {name}", opencl(made, "dynamics", dtype)
            yield f"cuda {dtype} {name}", cuda(made, "dynamics", dtype)


def shapes() -> Iterator[tuple[str, str]]:
    """Kernels of other widths, precisions and numbers of registers, in columns, past the caches, with a look at what is no number."""
    for name, made in programs():
        for width, dtype, registers, lines, columns in (
            (1, "float64", 16, False, False),
            (2, "float64", 16, False, True),
            (8, "float32", 16, False, True),
            (8, "float64", 32, True, False),
            (16, "float32", 32, True, False),
        ):
            lanes = Lanes(width, dtype)
            if not lines or streamable([math.prod(shape) for shape in made.outputs.values()], lanes):
                text = lower(guarded(made), lanes, registers, lines, columns).text
                yield f"{width} {dtype} {registers} {lines} {columns} {name}", text


def wrenches() -> Iterator[tuple[str, str]]:
    """Every algorithm that takes external wrenches, with one on a link in the middle and one on the last."""
    for model in (robots.sprung(), SMALL, lookup("fivebar")):
        for algorithm in all_algorithms():
            if algorithm.external and algorithm.refusal(model) is None:
                links = (2, len(model.links) - 1)
                made = trace(algorithm, prepared(algorithm, model), options_of(algorithm, model), links)
                yield f"{algorithm.name} {model.name}", javascript(made)


def lossy(model):
    """With damping, friction, stops on one side or both, and bounds of the drives."""
    more = {}
    for i, body in enumerate(model.bodies[1:], start=1):
        if body.joint.nv == body.joint.nq:
            n = body.joint.nv
            more[i] = {"damping": (0.1 * i,) * n, "friction": (0.2 * i,) * n, "effort": (3.0 + i,) * n}
            more[i] |= {"upper": (0.5 * i,) * n} | ({"lower": (-0.3 * i,) * n} if i % 2 else {})
    return model.with_bodies(replace(b, **more.get(i, {})) for i, b in enumerate(model.bodies))


def derivatives() -> Iterator[tuple[str, str]]:
    """By input, along directions, and of weights; several quantities in one program."""
    names = ("inverse_dynamics/newton-euler", "kinetic_energy/recursive")
    several = [find(*name.split("/"))[0] for name in names]
    for model in (ARM, robots.serial("SH", 3)):
        made = program("forward_dynamics/articulated", model, False)
        yield f"adjoint {model.nv}", javascript(adjoint(made, ("q", "tau")))
        yield f"directional {model.nv}", javascript(directional(made, ("q", "qd")))
        for order in (1, 2):
            yield f"order {order} {model.nv}", javascript(several_derivatives(several[1:], model, [()], order))
        yield f"several {model.nv}", javascript(several_derivatives(several, model, [(), ()], 1))
        yield f"together {model.nv}", javascript(trace_many(several, model, [(), ()]))
    loops = program("forward_dynamics/articulated", LONG, True)
    yield "directional with loops", javascript(directional(loops, ("q", "qd")))


class _Enough(Exception):
    """The text is made, and need not be compiled."""


def integrators() -> Iterator[tuple[str, str]]:
    """Every method on an arm; those that differ there on quaternions and on loops."""
    write = integrate.integrator

    def stop(layout, made, channels, lanes, angles=frozenset(), registers=16):
        texts.append(write(layout, made, channels, Lanes(4), angles, 16)[0])
        raise _Enough

    def compiled(motion, layout, channels, width):
        return ensemble.CompiledIntegrator(motion, layout, channels, 4)

    wrench = {"external": {"link2": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]}}
    cases = [(Robot(ARM), method, {}) for method in METHODS]
    cases += [(Robot(SMALL), method, wrench) for method in ("dopri5", "symplectic")]
    cases += [(Robot(lookup("fivebar")), method, {}) for method in ("dopri5", "rk4", "symplectic")]
    torque = {"torque": [1.0, 2.0, 3.0, 4.0], "saturate": True}
    cases += [(Robot(lossy(robots.mimicking())), "dopri5", torque), (Robot(lossy(SMALL)), "rk4", {})]
    cases += [(Robot(robots.sprung()), "symplectic", {})]
    for robot, method, more in cases:
        texts: list[str] = []
        fixed = {} if method in TABLES and TABLES[method].adaptive else {"dt": 0.001}
        with (
            suppress(_Enough),
            patch.object(integrate, "integrator", stop),
            patch.object(ensemble, "_compiled", compiled),
            patch.object(ensemble.cache, "load", lambda key: None),
        ):
            robot.simulate(duration=0.1, method=method, engine="compiled", **fixed, **more)
        yield f"{method} {robot.name} {robot.nq} {sorted(more)}", "\n".join(texts)


def legged(legs: int, kinds: str, seed: int):
    """A floating body with so many equal legs."""
    names = {"R": "revolute", "P": "prismatic", "U": "universal", "S": "spherical", "C": "cylindrical"}
    parents = [0]
    for _ in range(legs):
        parents += [1, *range(len(parents) + 1, len(parents) + len(kinds))]
    return robots.tree(["floating", *(names[k] for k in kinds * legs)], parents, seed)


def loops() -> Iterator[tuple[str, str]]:
    """Long robots, whose programs are loops: chains with repeating units, branches, joints of several degrees, springs."""
    long = {
        "chain": LONG,
        "units": robots.serial("R" + "SU" * 20 + "P", 3),
        "wide": robots.serial("C" * 44, 4),
        "legs": legged(7, "RRPRUR", 5),
        "spread": legged(21, "RS", 6),
    }
    quantities = ("inverse_dynamics", "forward_dynamics", "mass_matrix", "forward_kinematics", "joint_wrenches")
    for name, model in long.items():
        for quantity in quantities if name == "chain" else quantities[:2]:
            algorithm = choose(quantity, None, model)
            made = trace(algorithm, prepared(algorithm, model), ())
            yield f"{quantity} {name}", lower(made, Lanes(4, "float64")).text


OTHERS = {kind.__name__: kind for kind in (languages, shapes, loops, wrenches, derivatives, integrators)}
