"""OpenCL C on PoCL, which runs it on the processor, and CUDA C through NVIDIA's assembler."""

from __future__ import annotations

import numpy as np
import pytest

import needs
import ordern
import robots
from ordern.bench.device_text import resources
from ordern.emit.opencl import cuda, opencl
from ordern.evaluate import opencl_functions
from ordern.robot import Robot

ROBOTS = {
    "arm": lambda: ordern.load("ur5"),
    "floating": lambda: Robot(robots.tree(["floating", "revolute", "universal"], [0, 1, 1])),
    "mimic": lambda: ordern.load("panda"),
    "long": lambda: ordern.load("chain42"),
}
CASES = [
    ("arm", "inverse_dynamics", "float64"), ("arm", "forward_dynamics", "float32"), ("arm", "mass_matrix", "float64"), ("arm", "jacobian", "float64"),
    ("floating", "forward_dynamics", "float64"), ("floating", "mass_matrix_inverse", "float32"), ("mimic", "inverse_dynamics", "float64"),
    ("long", "inverse_dynamics", "float64"), ("long", "mass_matrix", "float32"), ("arm", "inverse_dynamics_derivatives", "float64"),
    ("arm", "log_det", "float64"), ("arm", "log_det", "float32"), ("floating", "kinetic_energy", "float64"),
]  # fmt: skip


OPENCL = needs.opencl()


@OPENCL
@pytest.mark.parametrize(("name", "quantity", "dtype"), CASES)
def test_the_device_gives_the_kernels_bits(name, quantity, dtype):
    robot = ROBOTS[name]()
    device, kernel = robot.compile(quantity, dtype=dtype, device="opencl"), robot.compile(quantity, dtype=dtype)
    rng = np.random.default_rng(0)
    arrays = [rng.uniform(-1, 1, (5, n)).astype(dtype) for n in device.inputs.values()]
    made, right = device(*arrays), kernel(*arrays)
    for a, b in zip(*((x.values() if isinstance(x, dict) else [x]) for x in (made, right)), strict=True):
        assert a.dtype == b.dtype
        assert np.array_equal(a, b)
    one, single = device(*(a[0] for a in arrays)), kernel(*(a[0] for a in arrays))
    assert np.array_equal(*((next(iter(x.values())) if isinstance(x, dict) else x) for x in (one, single)))


@OPENCL
def test_arrays_by_columns():
    import pyopencl as cl

    from ordern.evaluate.opencl_functions import _context

    robot, rng = ROBOTS["arm"](), np.random.default_rng(0)
    arrays = rng.uniform(-1, 1, (3, 7, 6))
    text = robot.compile("inverse_dynamics", device="opencl").source()
    context, flags = _context(), cl.mem_flags
    kernel, queue = (
        cl.Kernel(cl.Program(context, text).build(["-DQUANTITY_COLUMNS"]), "quantity"),
        cl.CommandQueue(context),
    )
    made = np.empty((6, 7))
    given = [
        cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=np.ascontiguousarray(a.T)) for a in arrays
    ]
    out, work = cl.Buffer(context, flags.WRITE_ONLY, made.nbytes), cl.Buffer(context, flags.READ_WRITE, 8)
    kernel(queue, (7,), None, *given, out, work, np.uint64(7))
    cl.enqueue_copy(queue, made, out)
    assert np.array_equal(made.T, robot.inverse_dynamics(*arrays))


@OPENCL
def test_broadcasts_and_complains():
    robot = ordern.load("planar3").with_gravity((0, 0, -9.81))  # so that nothing depends on the first angle
    device, z = robot.compile("inverse_dynamics", device="opencl"), np.zeros(3)
    q = np.random.default_rng(0).uniform(-1, 1, (2, 4, 3))
    assert np.array_equal(device(q, z, z), robot.inverse_dynamics(q, z, z))
    with pytest.raises(ordern.ShapeError, match="qd must have 3"):
        device(z, np.zeros(2), z)
    with pytest.raises(ordern.InputError, match="q is nan for joint 'joint1'"):
        device([np.nan, 0, 0], z, z)
    with pytest.raises(ordern.InputError, match="device"):
        robot.compile("inverse_dynamics", device="gpu")
    with pytest.raises(ordern.InputError, match="one quantity"):
        robot.compile(["inverse_dynamics", "mass_matrix"], device="opencl")


class Driver:
    """Stands for a device of a driver that compiles no kernel, as PoCL on a processor that came after it."""

    name = "pthread-new"

    class platform:
        version = "OpenCL 3.0 PoCL 3.0"


@pytest.mark.parametrize("devices", [[], [Driver]])
def test_without_a_device_that_compiles_the_reason_is_told(devices, monkeypatch):
    import pyopencl as cl

    def build(program, *options):
        raise RuntimeError("clBuildProgram failed\n\nerror: unknown target CPU 'generic'\nfailed to build")

    monkeypatch.setattr(cl, "get_platforms", lambda: [type("P", (), {"get_devices": lambda self: devices})()])
    monkeypatch.setattr(cl, "Context", lambda devices: None)
    monkeypatch.setattr(cl, "Program", lambda context, text: type("T", (), {"build": build})())
    opencl_functions._context.cache_clear()
    told = "'pthread-new' on 'OpenCL 3.0 PoCL 3.0': error: unknown target CPU 'generic'" if devices else "no device"
    try:
        with pytest.raises(ordern.MissingExtra, match=told):
            ordern.load("planar3").compile("mass_matrix", device="opencl")
    finally:
        opencl_functions._context.cache_clear()


@OPENCL
def test_the_first_device_that_compiles_is_taken(monkeypatch):
    """A driver that compiles nothing may stand before one that does."""
    import pyopencl as cl

    good, context = opencl_functions._context().devices[0], cl.Context

    def no_context(devices):
        if devices == [Driver]:
            raise cl.RuntimeError("no")
        return context(devices)

    monkeypatch.setattr(cl, "get_platforms", lambda: [type("P", (), {"get_devices": lambda self: [Driver, good]})()])
    monkeypatch.setattr(cl, "Context", no_context)
    opencl_functions._context.cache_clear()
    try:
        assert opencl_functions._context().devices == [good]
    finally:
        opencl_functions._context.cache_clear()


@pytest.mark.parametrize(
    ("language", "suffix"), [("c", ".c"), ("opencl", ".cl"), ("cuda", ".cu"), ("javascript", ".js")]
)
def test_exported_files(language, suffix, tmp_path):
    paths = ordern.load("planar3").export("forward_dynamics", tmp_path / "made", language=language)
    assert any(p.name.endswith(f"forward_dynamics{suffix}") for p in paths)
    assert all(p.stat().st_size > 500 for p in paths)


def test_export_refuses():
    robot = ordern.load("planar3")
    with pytest.raises(ordern.InputError, match="language"):
        robot.export("forward_dynamics", "x", language="fortran")
    with pytest.raises(ordern.InputError, match="JavaScript"):
        robot.export("forward_dynamics", "x", language="javascript", dtype="float32")
    program = robot.compile("mass_matrix")._make()
    for write in (opencl, cuda):
        with pytest.raises(ordern.InputError, match="name of a kernel"):
            write(program, "float; system()")


@needs.node
def test_javascript_runs(tmp_path):
    import json
    import subprocess

    robot = ordern.load("planar3")
    (path,) = robot.export("inverse_dynamics", tmp_path, language="javascript")
    q, qd, qdd = np.random.default_rng(0).uniform(-1, 1, (3, 3))
    call = f"m.inverse_dynamics({q.tolist()}, {qd.tolist()}, {qdd.tolist()})"
    script = f"const m = require({json.dumps(str(path))}); console.log(JSON.stringify(Array.from({call}.out0)))"
    done = subprocess.run(["node", "-e", script], capture_output=True, text=True, check=True)
    np.testing.assert_allclose(json.loads(done.stdout), robot.inverse_dynamics(q, qd, qdd), rtol=1e-13)


@needs.gxx
def test_no_spills_for_an_arm_in_single_precision():
    for quantity in ("inverse_dynamics", "forward_dynamics"):
        found = resources(ordern.load("ur5"), quantity)
        assert found.spilled == 0
        assert 16 <= found.registers <= 255
    assert resources(ordern.load("chain42"), "inverse_dynamics", "float64").registers > 0  # loops


def test_command_line_writes_every_language(tmp_path):
    import subprocess
    import sys

    line = [sys.executable, "-m", "ordern.cli", "export", "planar3", "mass_matrix"]
    flags = [x for language in ("c", "opencl", "cuda", "javascript") for x in (f"--{language}", str(tmp_path))]
    done = subprocess.run([*line, *flags], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {p.suffix for p in tmp_path.iterdir()} == {".c", ".h", ".cl", ".cu", ".js"}
    none = subprocess.run(line, capture_output=True, text=True, check=False)
    assert none.returncode == 2
    assert "--opencl" in none.stderr
