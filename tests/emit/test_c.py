"""C99: compiles without a warning, passes its own test, also under sanitizers, and equals ordern's kernels bit for bit."""

from __future__ import annotations

import ctypes
import re
import subprocess
from dataclasses import replace

import numpy as np
import pytest

import needs
import ordern
import robots
from budget import PATIENCE, examples
from ordern.algorithms.registry import choose, find
from ordern.emit.c import export_c
from ordern.emit.c_math import needed
from ordern.emit.sincos import reduce_huge
from ordern.errors import InputError
from ordern.joints import JOINTS
from ordern.model import Link, Model
from ordern.program.build import prepared, trace
from ordern.program.interpret import interpret
from ordern.runtime.kernels import Kernel

STRICT = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Werror", "-pedantic", "-ffp-contract=off"]
pytestmark = needs.gcc


def build(folder, files, extra=(), shared=None):
    for name, text in files.items():
        (folder / name).write_text(text)
    sources = [str(folder / f) for f in files if f.endswith(".c") and (shared is None or not f.endswith("_test.c"))]
    target = folder / (shared or "test")
    subprocess.run(
        ["gcc", *STRICT, *extra, *(["-shared", "-fPIC"] if shared else []), *sources, "-o", str(target), "-lm"],
        check=True,
        timeout=PATIENCE,
    )
    return target


def traced(quantity, method, robot, rolled=None):
    algorithm, model = find(quantity, method)[0], robots.GRID[robot]() if isinstance(robot, str) else robot
    return trace(
        algorithm, prepared(algorithm, model), (len(model.links) - 1, True) if algorithm.options else (), rolled=rolled
    )


SMALL = robots.tree(["floating", "revolute", "universal"], [0, 1, 2], 2)
CASES = [
    ("inverse_dynamics", "newton-euler", "arm6", False), ("inverse_dynamics", "newton-euler", SMALL, False),
    ("forward_dynamics", "articulated", "chain", True), ("inverse_dynamics_derivatives", "recursive", "chain", True),
    ("forward_dynamics_derivatives", "recursive", "floating", True), ("mass_matrix", "composite", "chain", True),
    ("forward_kinematics", "recursive", "mixed", True), ("jacobian", "recursive", "chain", True), ("kinetic_energy", "recursive", "chain", True),
    ("regressor", "recursive", SMALL, False), ("gravity_forces", "newton-euler", "pendulum", False), ("forward_dynamics", "composite", SMALL, True),
]  # fmt: skip


@pytest.mark.parametrize(
    ("quantity", "method", "robot", "rolled", "dtype"),
    [*((*c, "float64") for c in CASES), *((*c, "float32") for c in CASES[:3])],
)
def test_strict_compilers_accept_it_and_its_own_test_passes(tmp_path, quantity, method, robot, rolled, dtype):
    files = export_c(traced(quantity, method, robot, rolled), "dynamics", dtype)
    assert sorted(files) == ["dynamics.c", "dynamics.h", "dynamics_test.c"]
    done = subprocess.run([build(tmp_path, files)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout
    assert done.stdout.endswith("all right\n")


@needs.sanitizers()
@pytest.mark.parametrize(
    ("quantity", "method", "rolled"),
    [(quantity, method, rolled) for quantity, method, _, rolled in [*CASES[:3:2], CASES[5]]],
)
def test_sanitizers_find_nothing(tmp_path, quantity, method, rolled):
    """On few joints of two kinds, whose loops have every case: gcc takes a minute for those of a long chain."""
    files = export_c(traced(quantity, method, robots.serial("RPR", 6), rolled), "dynamics")
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O0"]
    done = subprocess.run([build(tmp_path, files, flags)], capture_output=True, text=True, timeout=PATIENCE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert not done.stderr


def test_the_self_test_notices_a_wrong_number(tmp_path):
    files = export_c(traced("mass_matrix", "composite", "arm6"), "dynamics")
    wrong = re.sub(r"(out0\[0\] = )", r"\g<1>1e-3 + ", files["dynamics.c"], count=1)
    assert wrong != files["dynamics.c"]
    done = subprocess.run(
        [build(tmp_path, files | {"dynamics.c": wrong})], capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 1
    assert done.stdout.endswith("WRONG\n")


@pytest.mark.parametrize(("quantity", "dtype"), [("log_det_gradient", "float64"), ("log_det", "float32")])
def test_the_self_test_of_a_long_robot_is_made_by_machine_code(tmp_path, monkeypatch, quantity, dtype):
    """The interpreter takes 2 us a statement: ten minutes for 100,000 joints."""
    monkeypatch.setattr("ordern.emit.c.interpret", None)
    robot = ordern.robots.chain(1_000)
    assert "for (long" in robot.compile(quantity, dtype=dtype).source("c")  # which needs no reference numbers at all
    _, source, _ = robot.export_c(quantity, tmp_path, dtype=dtype)
    for fault in ("", "1 + "):
        text = re.sub(r"(out0\[.*\] = )", rf"\g<1>{fault}", source.read_text(), count=1)
        source.write_text(text)
        command = ["gcc", "-std=c99", "-O1", *map(str, tmp_path.glob("*.c")), "-o", str(tmp_path / "test"), "-lm"]
        subprocess.run(command, check=True, timeout=PATIENCE)
        done = subprocess.run([tmp_path / "test"], capture_output=True, text=True, timeout=PATIENCE)
        assert done.returncode == bool(fault), done.stdout


def call(library, program, given, dtype):
    """One state through the compiled function."""
    real = np.dtype(dtype)
    inputs = [np.ascontiguousarray(given[k], real) for k in program.inputs]
    outputs = [np.full(shape or (1,), np.nan, real) for shape in program.outputs.values()]
    work = np.full(3_000_000, np.nan, real)
    flag = library.dynamics(*(ctypes.c_void_p(a.ctypes.data) for a in [*inputs, *outputs, work]))
    return flag, outputs


@needs.fma
@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("quantity", "method", "robot", "rolled"), CASES[:4])
def test_bits_equal_those_of_the_kernel(tmp_path, quantity, method, robot, rolled, dtype):
    program = traced(quantity, method, robot, rolled)
    library = ctypes.CDLL(str(build(tmp_path, export_c(program, "dynamics", dtype), ["-mfma"], "dynamics.so")))
    rng = np.random.default_rng(3)
    given = {k: rng.uniform(-3, 3, (5, n)).astype(dtype) for k, n in program.inputs.items()}
    if robot == "arm6":  # angles far beyond the short reduction
        given["q"][1:] *= np.array([[1e3], [1e8], [1e15], [1e30]], dtype)
    expected = [np.full((5, *shape), np.nan, dtype) for shape in program.outputs.values()]
    assert Kernel.of(program, dtype).run(list(given.values()), expected)
    for row in range(5):
        flag, made = call(library, program, {k: v[row] for k, v in given.items()}, dtype)
        assert flag == 0
        for a, b in zip(made, expected, strict=True):
            assert a.tobytes() == b[row].tobytes()


COMPILED = [
    ["-O2", "-march=native"],
    ["-O3", "-mfma"],
    ["-std=c99", "-O2", "-mfma"],
    ["-O1", "-mfma"],
]  # gcc fuses by itself in the first two
QUANTITIES = [
    "inverse_dynamics",
    "forward_dynamics",
    "mass_matrix",
    "mass_matrix_inverse",
    "bias_forces",
    "kinetic_energy",
    "center_of_mass",
]


@needs.fma
@pytest.mark.parametrize("seed", [118, *range(examples(5, 300))])
def test_bits_of_random_robots_and_compilers(tmp_path, seed):
    """Robot 118 met a vectoriser that fuses what it was told not to."""
    rng = np.random.default_rng(seed)
    kinds = (
        ["floating", "planar", "floating"]
        if seed == 118
        else [str(k) for k in rng.choice(sorted(JOINTS), int(rng.integers(1, 6)))]
    )
    parents = [0, 0, 0] if seed == 118 else [int(rng.integers(0, k + 1)) for k in range(len(kinds))]
    model, dtype = robots.tree(kinds, parents, seed, armature=bool(seed % 2)), ["float64", "float32"][seed % 2]
    quantity = "forward_dynamics" if seed == 118 else str(rng.choice(QUANTITIES))
    algorithm = choose(quantity, None, model)
    program = trace(algorithm, prepared(algorithm, model))
    for name, text in export_c(program, "dynamics", dtype).items():
        (tmp_path / name).write_text(text)
    flags = COMPILED[2 if seed == 118 else seed % len(COMPILED)]
    subprocess.run(
        ["gcc", *flags, "-shared", "-fPIC", "dynamics.c", "-o", "dynamics.so", "-lm"],
        check=True,
        timeout=PATIENCE,
        cwd=tmp_path,
    )
    library = ctypes.CDLL(str(tmp_path / "dynamics.so"))
    given = {k: rng.uniform(-3, 3, (64, n)).astype(dtype) for k, n in program.inputs.items()}
    expected = [np.full((64, *shape), np.nan, dtype) for shape in program.outputs.values()]
    assert Kernel.of(program, dtype).run(list(given.values()), expected)
    for row in range(64):
        _, made = call(library, program, {k: v[row] for k, v in given.items()}, dtype)
        assert all(a.tobytes() == b[row].tobytes() for a, b in zip(made, expected, strict=True)), (
            kinds,
            parents,
            quantity,
            flags,
            row,
        )


def test_sine_and_cosine_of_any_number(tmp_path):
    text = "#include <math.h>\n" + "\n".join(needed("float64", "t", True, True))
    text += "\nvoid both(double x, double *out);\nvoid both(double x, double *out) { t_sincos(x, out, out + 1); out[2] = t_tanh(x); }\n"
    library = ctypes.CDLL(str(build(tmp_path, {"t.c": text}, (), "t.so")))
    out = (ctypes.c_double * 3)()
    rng = np.random.default_rng(0)
    angles = [
        0.0,
        -0.0,
        1e-300,
        2.0**30,
        2.0**31,
        1e22,
        1.7976931348623157e308,
        6381956970095103.0 * 2.0**797,
        *rng.uniform(-10, 10, 500),
    ]
    angles += list(10.0 ** rng.uniform(9, 308, 500) * rng.choice([-1, 1], 500))
    for x in angles:
        library.both(ctypes.c_double(x), out)
        assert abs(out[0] - np.sin(x)) <= 2.5e-16 * max(abs(np.sin(x)), 1e-3), x
        assert abs(out[1] - np.cos(x)) <= 2.5e-16 * max(abs(np.cos(x)), 1e-3), x
        assert abs(out[2] - np.tanh(x)) <= 7e-16 * abs(np.tanh(x))
    for x in (np.nan, np.inf, -np.inf):
        library.both(ctypes.c_double(x), out)
        assert np.isnan(out[0])
        assert np.isnan(out[1])
    assert reduce_huge(1e22)[1] in (0, 1, 2, 3)


def test_what_is_not_finite_is_reported(tmp_path):
    program = traced("inverse_dynamics", "newton-euler", "arm6")
    library = ctypes.CDLL(str(build(tmp_path, export_c(program, "dynamics"), (), "dynamics.so")))
    given = {k: np.ones(n) for k, n in program.inputs.items()}
    flag, made = call(library, program, given, "float64")
    assert flag == 0
    np.testing.assert_allclose(made[0], interpret(program, given)["out0"], rtol=1e-12)
    assert call(library, program, given | {"qd": np.full(6, np.nan)}, "float64")[0] == 1


def test_names_never_reach_the_text():
    model = robots.serial("R" * 50)
    evil = '*/ int main(void){system("x");} /*'
    model = model.with_bodies(replace(b, name=f"{evil}{i}") for i, b in enumerate(model.bodies))
    model = model.changed(name=evil, links=tuple(replace(link, name=evil) for link in model.links))
    for text in export_c(trace(find("inverse_dynamics")[0], model), "dynamics").values():
        assert "system" not in text
    for name in ("a b", "double", "", "1x", 'x"', "x;", "ü", "q", "out0", "work"):
        with pytest.raises(InputError, match="cannot be the name"):
            export_c(trace(find("gravity_forces")[0], robots.serial("R")), name)
    with pytest.raises(InputError, match="float64"):
        export_c(trace(find("gravity_forces")[0], robots.serial("R")), "x", "float16")


def test_a_robot_without_joints(tmp_path):
    model = Model("still", robots.serial("R").bodies[:1], (Link("base", 0),))
    files = export_c(trace(find("forward_kinematics")[0], model), "poses")
    assert subprocess.run([build(tmp_path, files)], capture_output=True, timeout=PATIENCE).returncode == 0


@needs.gxx
def test_headers_work_in_cpp(tmp_path):
    header = export_c(traced("mass_matrix", "composite", "arm6"), "dynamics")["dynamics.h"]
    (tmp_path / "dynamics.h").write_text(header)
    (tmp_path / "user.cpp").write_text(
        '#include "dynamics.h"\nint use(double *a) { return dynamics(a, a + DYNAMICS_Q, nullptr); }\n'
    )
    subprocess.run(
        ["g++", "-std=c++17", "-Wall", "-Werror", "-pedantic", "-c", "user.cpp"],
        check=True,
        timeout=PATIENCE,
        cwd=tmp_path,
    )
