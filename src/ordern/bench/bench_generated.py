"""Compiled code generation as a peer: CasADi's C code, through gcc, for one state at a time and for eight side by side.

The expressions are urdf2casadi's, where it is installed and the robot is a serial arm, and those of ordern's own
program, which are shorter. The wide variant is the same text with a vector of eight numbers for CasADi's
``casadi_real``: what somebody who knows gcc adds in ten lines.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import OrdernError, need
from ..model import Link
from ..model.regular import central
from ..robot import Robot
from .bench_peers import Calls, Peer

__all__ = ["GENERATED", "generated"]

# What -Ofast stands for, one by one: with -Ofast itself, gcc links start-up code that flushes small numbers to zero in
# the whole process. The last one makes glibc offer its sines of many numbers at once (libmvec), without which the wide
# variant would be five times slower.
RELAXED = (
    "-fno-math-errno",
    "-fno-signed-zeros",
    "-fno-trapping-math",
    "-fassociative-math",
    "-freciprocal-math",
    "-ffinite-math-only",
)
FLAGS = ("-O3", *RELAXED, "-D__FAST_MATH__", "-march=native", "-fPIC", "-shared", "-w")
WIDE = 8
# products of inverse dynamics: a delta robot's 1,700 take gcc seconds, a Stewart platform's 4,500 over 100 s
LONGEST_WIDE = 2_000
QUANTITIES = ("inverse_dynamics", "forward_dynamics")

_SCALAR = """
void run(const double **in, double *out, long rows)
{
    static casadi_real w[WORK];
    for (long r = 0; r < rows; r++) {
        const casadi_real *arg[] = { ARGUMENTS };
        casadi_real *res[] = { out + r * SIZE };
        f(arg, res, 0, w, 0);
    }
}
void nothing(const double **in, double *out, long rows) { }
"""

_LANES = """
void run(const double **in, double *out, long rows)
{
    static const int counts[] = { COUNTS };
    static casadi_real w[WORK], x[INPUTS][MOST], y[SIZE];
    for (long r = 0; r + 8 <= rows; r += 8) {
        for (int k = 0; k < INPUTS; k++)
            for (int c = 0; c < counts[k]; c++)
                for (int l = 0; l < 8; l++) x[k][c][l] = in[k][(r + l) * counts[k] + c];
        const casadi_real *arg[] = { ARGUMENTS };
        casadi_real *res[] = { y };
        f(arg, res, 0, w, 0);
        for (int c = 0; c < SIZE; c++)
            for (int l = 0; l < 8; l++) out[(r + l) * SIZE + c] = y[c][l];
    }
}
void nothing(const double **in, double *out, long rows) { }
"""

_HEAD = """#include <math.h>
typedef double lanes __attribute__((vector_size(64)));
#define casadi_real lanes
static inline lanes lanes_sin(lanes x) { lanes y; for (int l = 0; l < 8; l++) y[l] = sin(x[l]); return y; }
static inline lanes lanes_cos(lanes x) { lanes y; for (int l = 0; l < 8; l++) y[l] = cos(x[l]); return y; }
static inline lanes lanes_sqrt(lanes x) { lanes y; for (int l = 0; l < 8; l++) y[l] = sqrt(x[l]); return y; }
#define casadi_int long long
#define casadi_sq(x) ((x) * (x))
#define f casadi_f0
#define sin lanes_sin
#define cos lanes_cos
#define sqrt lanes_sqrt
"""


class GeneratedCode(Peer):
    """One shared library a quantity."""

    def __init__(self, robot: Robot, make: Callable[[str], Any], title: str, wide: bool) -> None:
        self.robot, self.make, self.wide = robot, make, wide
        self.name = f"{title}, gcc {'8 lanes' if wide else 'scalar'}"
        self.folder = tempfile.TemporaryDirectory()
        self.built: dict[str, Any] = {}

    def calls(self, quantity: str, arrays: list[Any], workers: int, single: bool) -> Calls | None:
        """Batches on one thread: generated code has no threads of its own."""
        if quantity not in QUANTITIES or workers > 1 or (single and self.wide):
            return None
        if quantity not in self.built:
            self.built[quantity] = self._build(quantity)
        library, size = self.built[quantity]
        rows = 1 if single else len(arrays[0])
        kept = [np.ascontiguousarray(a.reshape(rows, -1)) for a in arrays]
        out = np.empty((rows, size))
        given = (ctypes.c_void_p * len(kept))(*[a.ctypes.data for a in kept])
        address = out.ctypes.data
        self.empty = lambda: library.nothing(given, address, rows)

        def run(held: object = (kept, out)) -> None:  # addresses alone keep no memory
            library.run(given, address, rows)

        def result() -> Any:
            run()
            return out.reshape((*arrays[0].shape[:-1], size)).copy()

        return "C loop over states", run, result

    def _build(self, quantity: str) -> tuple[Any, int]:
        function = self.make(quantity)
        place = Path(self.folder.name) / f"{quantity}{'_wide' if self.wide else ''}"
        place.mkdir()
        source = _text(function, place)
        counts = [function.numel_in(k) for k in range(function.n_in())]
        wrapper = _LANES if self.wide else _SCALAR
        arguments = ", ".join(f"x[{k}]" if self.wide else f"in[{k}] + r * {c}" for k, c in enumerate(counts))
        words = {
            "ARGUMENTS": arguments,
            "SIZE": str(function.numel_out(0)),
            "WORK": str(max(1, function.sz_w())),
            "INPUTS": str(len(counts)),
        }
        words |= {"COUNTS": ", ".join(map(str, counts)), "MOST": str(max(counts))}
        for word, value in words.items():
            wrapper = re.sub(rf"\b{word}\b", value, wrapper)
        (place / "code.c").write_text((_HEAD + _widened(source) if self.wide else source) + wrapper)
        library = place / "code.so"
        command = ["gcc", *FLAGS, "-o", str(library), str(place / "code.c"), "-lm"]
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603
        loaded = ctypes.CDLL(str(library))
        for name in ("run", "nothing"):
            getattr(loaded, name).argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_long]
        return loaded, function.numel_out(0)


def _text(function: Any, place: Path) -> str:
    casadi: Any = need("casadi", "casadi")
    generator = casadi.CodeGenerator("made.c")
    generator.add(casadi.Function("f", function.sx_in(), [casadi.densify(x) for x in function.call(function.sx_in())]))
    generator.generate(str(place) + "/")
    return (place / "made.c").read_text()


def _widened(source: str) -> str:
    """CasADi's function on vectors: numbers alone become vectors, missing arguments do not occur."""
    source = source[source.index("/* f:") : source.index("CASADI_SYMBOL_EXPORT int f(")]
    source = re.sub(r"= *(-?[0-9][0-9.eE+-]*);", r"= (lanes){} + (\1);", source)
    return re.sub(r"arg\[(\d+)\]\? arg\[\1\]\[(\d+)\] : 0", r"arg[\1][\2]", source)


def _urdf2casadi(robot: Robot) -> Callable[[str], Any] | str:
    """Its functions for a serial arm of single joints, or why there are none."""
    try:
        from urdf2casadi.urdfparser import URDFparser
    except ImportError:
        return "urdf2casadi is not installed (pip install --no-deps urdf2casadi urdf_parser_py)"
    bodies = robot.model.bodies
    if any(b.joint.nv != 1 or p != k for k, (b, p) in enumerate(zip(bodies[1:], robot.model.parents[1:], strict=True))):
        return "urdf2casadi computes serial arms of single joints only"
    parser, chain = URDFparser(func_opts={}), _one_link_a_body(robot)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.urdf"
        chain.to_urdf(path)
        parser.from_file(str(path))
    root, tip, gravity = chain.link_names[0], chain.link_names[-1], list(robot.model.gravity)

    def make(quantity: str) -> Any:
        if quantity == "inverse_dynamics":
            return parser.get_inverse_dynamics_rnea(root, tip, gravity=gravity)
        return parser.get_forward_dynamics_aba(root, tip, gravity=gravity)

    return make


def _one_link_a_body(robot: Robot) -> Robot:
    """The robot without links on fixed joints: urdf2casadi reads one path only and loses what is beside it."""
    links = [Link(name="base", body=0)]
    for k, body in enumerate(robot.model.bodies[1:], start=1):
        com, inertia = central(body.inertia)
        x, y, z = com
        links.append(
            Link(f"link{k}", k, mass=body.inertia.m, com=(x, y, z), inertia=inertia, parent=k - 1, joint=body.name)  # type: ignore[arg-type]
        )
    return Robot(robot.model.changed(links=tuple(links)))


def generated(robot: Robot, wide: bool, ours: bool = True) -> Peer | str:
    """The peer: ordern's program in CasADi's C code or urdf2casadi's. Or a sentence that says what is missing."""
    if shutil.which("gcc") is None:
        return "generated C code needs gcc, which was not found"
    closed = bool(robot.model.loops)
    if closed and not ours:
        return "urdf2casadi has no loops"
    if closed and wide and robot.operation_counts("inverse_dynamics").mul > LONGEST_WIDE:
        return f"generated C code of {robot.name} in {WIDE} lanes takes gcc minutes"
    if len(robot.model.bodies) > 41 or (robot.nq != robot.n and not closed):
        return f"generated C code: {robot.name} has a floating base or more than 40 bodies"
    try:
        casadi: Any = need("casadi", "casadi")
        if ours:
            return GeneratedCode(
                robot,
                lambda quantity: robot.casadi(quantity),
                f"ordern's program in CasADi {casadi.__version__} C",
                wide,
            )
        theirs = _urdf2casadi(robot)
    except (OrdernError, ValueError, RuntimeError, AttributeError, KeyError) as error:
        return f"generated C code of {robot.name}: {error}"
    return (
        theirs
        if isinstance(theirs, str)
        else GeneratedCode(robot, theirs, f"urdf2casadi in CasADi {casadi.__version__} C", wide)
    )


GENERATED: list[Callable[[Robot], Peer | str]] = [
    lambda robot: generated(robot, False, False), lambda robot: generated(robot, True, False),
    lambda robot: generated(robot, False), lambda robot: generated(robot, True),
]  # fmt: skip
