"""Whatever is given for an argument, nothing but an OrdernError comes out: every argument of every public function, with every kind of thing."""

from __future__ import annotations

import datetime
import inspect
import subprocess
import sys
import warnings

import numpy as np
import pytest

import ordern

UR5 = ordern.load("ur5")
ZERO, TOOL = np.zeros(6), UR5.link_names[-1]
THINGS = {
    "none": None, "text": "nonsense", "bytes": b"a", "complex": 1j, "complex array": np.zeros(6, complex), "ragged": [[1, 2], [3]], "dict": {"a": 1},
    "set": {1, 2}, "object": object(), "objects": np.array([object()] * 6), "texts": np.array(["a"] * 6), "short": np.zeros(5), "long": np.zeros(7),
    "deep": np.zeros((2, 3, 5)), "nan": np.nan, "nans": np.full(6, np.nan), "infinite": np.full(6, np.inf), "huge": np.full(6, 1e308),
    "date": datetime.date(2020, 1, 1), "dates": np.zeros(6, "M8[s]"), "empty": np.zeros(0), "no columns": np.zeros((6, 0)), "true": True,
    "trues": [True] * 6, "nones": [None] * 6, "masked": np.ma.masked_array(np.zeros(6), mask=[1] * 6), "list of text": ["1", "2"], "negative": -1,
    "zero": 0, "large": 2**70, "large list": [2**70] * 6, "batch": np.zeros((3, 6)), "function": lambda: 0, "class": type, "ellipsis": ...,
    "tuple": (1, 2), "nul": "a\0b", "infinity": float("inf"), "tiny": 5e-324,
    "no axes": np.array(1.5), "in itself": [], "largest": 1e308,
}  # fmt: skip
THINGS["in itself"].append(THINGS["in itself"])


def times(duration=0.02):
    return {"duration": duration, "output_dt": 0.01}


def made(call):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # overflows of huge numbers too
        return call()


RUN = UR5.simulate(ZERO, **times())
FOUR = ordern.load("slider_crank")
THREE = np.zeros(3)
PLANAR, C = ordern.load("planar3"), ordern.control
TIP = PLANAR.link_names[-1]


def under(law, **more):
    return PLANAR.simulate(THREE, torque=law, engine="numpy", **times(), **more)


QUANTITIES = {
    "inverse_dynamics": 3, "forward_dynamics": 3, "log_det": 1, "log_det_gradient": 1, "joint_wrenches": 3, "mass_matrix": 1,
    "mass_matrix_inverse": 1, "mass_matrix_udu": 1, "coriolis_matrix": 2,
    "bias_forces": 2, "gravity_forces": 1, "kinetic_energy": 2, "potential_energy": 1, "momentum": 2, "center_of_mass": 1, "forward_kinematics": 1,
    "regressor": 3, "inverse_dynamics_derivatives": 3, "forward_dynamics_derivatives": 3, "integrate": 2, "difference": 2,
}  # fmt: skip
CALLS = {
    **{f"{n} argument {i}": lambda x, n=n, i=i, k=k: getattr(UR5, n)(*[x if j == i else ZERO for j in range(k)])
       for n, k in QUANTITIES.items() for i in range(k)},
    "external": lambda x: UR5.inverse_dynamics(ZERO, ZERO, ZERO, external=x),
    "external's wrench": lambda x: UR5.inverse_dynamics(ZERO, ZERO, ZERO, external={TOOL: x}),
    "external's link": lambda x: UR5.inverse_dynamics(ZERO, ZERO, ZERO, external={x if getattr(x, "__hash__", None) else 0: ZERO}),
    "method": lambda x: UR5.inverse_dynamics(ZERO, ZERO, ZERO, method=x),
    "out": lambda x: UR5.inverse_dynamics(ZERO, ZERO, ZERO, out=x.copy() if isinstance(x, np.ndarray) else x),
    "out of two": lambda x: UR5.inverse_dynamics(np.zeros((2, 6)), ZERO, ZERO, out=x.copy() if isinstance(x, np.ndarray) else x),
    "link of forward_kinematics": lambda x: UR5.forward_kinematics(ZERO, x),
    "link of jacobian": lambda x: UR5.jacobian(ZERO, x),
    "reference": lambda x: UR5.jacobian(ZERO, TOOL, x),
    "link of operational_inertia": lambda x: UR5.operational_inertia(ZERO, x),
    "compile": UR5.compile, "dtype": lambda x: UR5.compile("gravity_forces", dtype=x), "formulas": UR5.formulas, "counts": UR5.operation_counts,
    "evaluate": lambda x: UR5.evaluate("gravity_forces", x), "scalars": lambda x: UR5.evaluate("gravity_forces", ZERO, scalars=x),
    "precision": lambda x: UR5.evaluate("gravity_forces", ZERO, precision=x), "evaluate's quantity": lambda x: UR5.evaluate(x, ZERO),
    "solve": UR5.mass_matrix_udu(ZERO).solve, "solve_many": UR5.mass_matrix_udu(ZERO).solve_many,
    "solve of two": UR5.mass_matrix_udu(np.zeros((2, 6))).solve,
    "with_gravity": UR5.with_gravity, "with_parameters": UR5.with_parameters, "payload link": lambda x: UR5.with_payload(x, 1.0),
    "payload mass": lambda x: UR5.with_payload("forearm_link", x), "payload com": lambda x: UR5.with_payload("forearm_link", 1.0, x),
    "payload inertia": lambda x: UR5.with_payload("forearm_link", 1.0, (0, 0, 0), x), "rng": UR5.random, "batch": lambda x: UR5.random(0, x),
    "attach": lambda x: UR5.attach(x, "forearm_link"), "attach's link": lambda x: UR5.attach("planar3", x),
    "attach's placement": lambda x: UR5.attach("planar3", "forearm_link", x), "prefix": lambda x: UR5.attach("planar3", "forearm_link", prefix=x),
    "subtree": UR5.subtree, "without": UR5.without, "with_locked": UR5.with_locked, "with_freed": UR5.with_freed, "Scene": ordern.Scene,
    "placements": lambda x: ordern.Scene(["ur5"], placements=x), "scene's gravity": lambda x: ordern.Scene(["ur5"], gravity=x),
    "scene's name": lambda x: ordern.Scene(["ur5"], name=x), "packages": lambda x: ordern.load("panda", packages=x),
    "xacro_args": lambda x: ordern.load("panda", xacro_args=x), "freed": lambda x: UR5.with_freed({"ee_fixed_joint": x}),
    "load": ordern.load, "gravity": lambda x: ordern.load("pendulum", gravity=x), "base": lambda x: ordern.load("pendulum", base=x),
    "locked": lambda x: ordern.load("pendulum", locked=x), "on_invalid": lambda x: ordern.load("pendulum", on_invalid=x),
    "locked's value": lambda x: ordern.load("ur5", locked={"elbow_joint": x}),
    "from_dh": ordern.Robot.from_dh, "convention": lambda x: ordern.Robot.from_dh([{"a": 1.0, "mass": 1.0}], x),
    **{f"row's {key}": lambda x, key=key: ordern.Robot.from_dh([{"a": 1.0, "mass": 1.0, "inertia": (1, 1, 1), key: x}])
       for key in ("a", "alpha", "d", "theta", "mass", "com", "inertia", "joint", "armature", "name")},
    "to_dh": UR5.to_dh, "pose": lambda x: UR5.inverse_kinematics(x, TOOL, restarts=0, iterations=2),
    "q0 of kinematics": lambda x: UR5.inverse_kinematics(np.eye(4), TOOL, q0=x, restarts=0, iterations=2),
    "link of kinematics": lambda x: UR5.inverse_kinematics(np.eye(4), x, restarts=0, iterations=2),
    **{f"{key} of kinematics": lambda x, key=key: UR5.inverse_kinematics(np.eye(4), TOOL, **({"restarts": 0, "iterations": 2} | {key: x}))
       for key in ("tolerance", "iterations", "restarts", "seed")},
    "q0": lambda x: UR5.simulate(x, **times()), "qd0": lambda x: UR5.simulate(ZERO, x, **times()),
    **{key: lambda x, key=key: UR5.simulate(ZERO, **times() | {key: x})
       for key in ("torque", "rtol", "atol", "output_dt", "t_eval", "external", "events", "threads", "engine", "keep",
                   "friction_speed", "parameters")},
    "method of simulate": lambda x: UR5.simulate(ZERO, method=x, **times()),
    "dt": lambda x: UR5.simulate(ZERO, method="rk4", dt=x, **times()),
    "duration": lambda x: UR5.simulate(ZERO, duration=x, output_dt=None, method="rk4", dt=0.01) if not isinstance(x, int) else None,
    "PD": lambda x: UR5.simulate(ZERO, torque=ordern.control.PD(ZERO, x, 1.0), **times()),
    "PD's target": lambda x: UR5.simulate(ZERO, torque=ordern.control.PD(x, 1.0, 1.0), **times()),
    "ComputedTorque": lambda x: UR5.simulate(ZERO, torque=ordern.control.ComputedTorque(ZERO, x, 1.0), **times()),
    "Constant": lambda x: UR5.simulate(ZERO, torque=ordern.control.Constant(x), **times()),
    "plot": lambda x: RUN.plot(x), "file": lambda x: RUN.save(x), "file of load": ordern.Run.load, "animate": lambda x: RUN.animate(x),
    "planar": ordern.robots.planar,
    "lengths": lambda x: ordern.robots.planar(2, lengths=x),
    "masses": lambda x: ordern.robots.planar(2, masses=x), "mass": lambda x: ordern.robots.planar(2, mass=x), "reading": ordern.robots.stanford,
    "seed of chain": lambda x: ordern.robots.chain(3, seed=x), "save": UR5.save, "to_urdf": UR5.to_urdf, "page": UR5.page,
    "draw_dh": UR5.draw_dh, "its convention": lambda x: UR5.draw_dh(convention=x), "link of draw_dh": lambda x: UR5.draw_dh(link=x),
    "q of draw_dh": lambda x: UR5.draw_dh(q=x), "ghost": lambda x: RUN.animate(ghost=x), "title": lambda x: UR5.page(title=x),
    "q of live": lambda x: UR5.live(q=x, open_browser=False, say=len).close(),
    "port": lambda x: PLANAR.live(port=x, open_browser=False, say=len).close(),
    "export_c": lambda x: UR5.export_c(x, "."), "folder": lambda x: UR5.export_c("gravity_forces", x) if x is not None else None,
    "casadi": UR5.casadi, "denoc": UR5.denoc, "spring_forces": UR5.spring_forces, "to_mjcf": UR5.to_mjcf, "to_sdf": UR5.to_sdf,
    "jacobian_derivatives": lambda x: UR5.jacobian_derivatives(x, TOOL), "its link": lambda x: UR5.jacobian_derivatives(ZERO, x),
    "parameter_derivatives": lambda x: UR5.parameter_derivatives("inverse_dynamics", x, ZERO, ZERO),
    "its quantity": lambda x: UR5.parameter_derivatives(x, ZERO, ZERO, ZERO),
    "jvp": lambda x: UR5.jvp("gravity_forces", x, [ZERO]), "its directions": lambda x: UR5.jvp("gravity_forces", [ZERO], x),
    "vjp": lambda x: UR5.vjp("gravity_forces", x, [ZERO]), "its weights": lambda x: UR5.vjp("gravity_forces", [ZERO], x),
    "linearize": lambda x: UR5.linearize(x, ZERO, ZERO, 0.01), "its step": lambda x: UR5.linearize(ZERO, ZERO, ZERO, x),
    "its integrator": lambda x: UR5.linearize(ZERO, ZERO, ZERO, 0.01, method=x),
    "assemble": FOUR.assemble,
    "hold": lambda x: FOUR.assemble(hold=x), "mobility": FOUR.mobility, "actuated": lambda x: ordern.load("ur5", actuated=x),
    **{f"{n} of loops {i}": lambda x, n=n, i=i, k=k: getattr(FOUR, n)(*[x if j == i else THREE for j in range(k)])
       for n, k in {"constraint_residual": 1, "constraint_jacobian": 1, "constraint_bias": 2, "constraint_forces": 3, "impulse": 2,
                    "closed_velocity": 2, "inverse_dynamics": 3, "forward_dynamics": 3}.items() for i in range(k)},
    "contacts": lambda x: UR5.forward_dynamics(ZERO, ZERO, ZERO, contacts=x),
    "kind of contact": lambda x: UR5.impulse(ZERO, ZERO, contacts={TOOL: x}),
    "contacts of runs": lambda x: UR5.simulate(ZERO, contacts=x, **times()), "with_contacts": UR5.with_contacts,
    "where contacts are": lambda x: UR5.with_contacts({TOOL: "point"}, x),
    "contacts of derivatives": lambda x: UR5.forward_dynamics_derivatives(ZERO, ZERO, ZERO, contacts=x),
    "with_loops": UR5.with_loops, "home": lambda x: UR5.with_loops([ordern.LoopSpec("l", "gear", joints={"elbow_joint": 1.0})], home=x),
    "closed_jacobian": lambda x: FOUR.closed_jacobian(x, "rod"), "link of closed_jacobian": lambda x: FOUR.closed_jacobian(THREE, x),
    "independent": lambda x: FOUR.closed_jacobian(THREE, "rod", independent=x), "hold of velocities": lambda x: FOUR.closed_velocity(THREE, THREE, x),
    **{key: lambda x, key=key: PLANAR.simulate(THREE, engine="numpy", **times() | {key: x}) for key in ("limits", "friction", "saturate")},
    "progress": lambda x: PLANAR.simulate(THREE, engine="numpy", progress=None if callable(x) else x, **times()),
    "limits of kinematics": lambda x: PLANAR.inverse_kinematics(THREE, TIP, restarts=0, iterations=2, limits=x),
    "order": lambda x: PLANAR.inverse_dynamics_derivatives(THREE, THREE, THREE, order=x),
    "derivatives": lambda x: PLANAR.compile("gravity_forces", derivatives=x) if not isinstance(x, bool) else None,
    "mimic": lambda x: ordern.load("planar3", mimic=x), "PD's gravity": lambda x: under(C.PD(THREE, 1.0, 1.0, x)),
    "sum of laws": lambda x: C.PD(THREE, 1.0, 1.0) + x, "times": lambda x: under((x, np.zeros((2, 3)))), "values": lambda x: under(([0, 1.0], x)),
    "interpolation": lambda x: under(C.Series([0, 1.0], np.zeros((2, 3)), x)), "wrenches": lambda x: under(None, external={TIP: ([0, 1.0], x)}),
    **{f"{key} of the operational law": lambda x, key=key: under(C.OperationalSpace(**{"link": TIP, "target": THREE, "kp": 1.0, "kd": 1.0, key: x}))
       for key in ("link", "target", "kp", "kd", "damping", "softness")},
    **{f"time of {n}": lambda x, n=n: getattr(ordern.trajectory, n)(THREE, THREE + 1, duration=x) for n in ("straight", "trapezoidal", "quintic")},
    "time of line": lambda x: ordern.trajectory.line(PLANAR, TIP, [2.5, 0, 0], [2.4, 0, 0], x, points=2, restarts=0),
    "r": lambda x: ordern.Robot.from_dh([{"mass": 1.0, "r": x}]),
    "trajectory": lambda x: ordern.trajectory.quintic(x, ZERO, 1.0), "time of a trajectory": lambda x: ordern.trajectory.cycloid(ZERO, ZERO, x),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_only_our_own_errors(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # what is no nonsense may write its file
    threads = ordern.threads()
    for kind, thing in THINGS.items():
        try:
            made(lambda thing=thing: CALLS[name](thing))
        except ordern.OrdernError as error:
            assert len(str(error)) > 10, (kind, error)
        except Exception as error:
            raise AssertionError(f"{name} given {kind}: {type(error).__name__}: {error}") from error
    ordern.threads(threads)


@pytest.mark.parametrize("name", ["limits", "progress", "saturate", "limits of kinematics", "mimic", "PD's gravity"])
def test_a_text_is_no_yes(name):
    for thing in ("no", "False", b"", [], 2, -1, 0.5, np.zeros(3)):
        with pytest.raises(ordern.InputError, match="True or False"):
            made(lambda thing=thing: CALLS[name](thing))
    for thing in (True, False, np.False_, np.True_):
        made(lambda thing=thing: CALLS[name](thing))


def test_number_of_threads():
    before = ordern.threads()
    for kind, thing in THINGS.items():
        if thing is not None:
            with pytest.raises(ordern.OrdernError):
                ordern.threads(thing)
        assert ordern.threads() == before, kind


def test_every_public_method_is_here():
    """So that a new one is not forgotten."""
    tried = " ".join(inspect.getsource(inspect.getmodule(test_number_of_threads)).split())
    for name in dir(ordern.Robot):
        if (
            not name.startswith("_")
            and callable(getattr(ordern.Robot, name))
            and name not in ("lint", "neutral", "parameters")
        ):
            assert f"UR5.{name}" in tried or f'"{name}"' in tried or f"Robot.{name}" in tried, name


class _Elsewhere:
    """An array of a library that follows DLPack, such as CuPy's, on a device of a kind."""

    def __init__(self, values, kind):
        self.values, self.kind = np.asarray(values, float), kind

    def __dlpack_device__(self):
        return (self.kind, 0)

    def __dlpack__(self, **options):
        return self.values.__dlpack__()


@pytest.mark.parametrize("kind", [1, 3, 11, 2, 4, 10, 12])
def test_arrays_of_other_libraries_are_read_where_they_lie_or_refused(kind):
    """Never a silent copy from another device."""
    robot = ordern.load("planar3")
    q = np.array([0.3, -0.7, 1.1])
    if kind in (1, 3, 11):  # the processor's own memory, and what CUDA and ROCm pin for it
        assert np.array_equal(robot.mass_matrix(_Elsewhere(q, kind)), robot.mass_matrix(q))
        assert np.array_equal(robot.integrate(_Elsewhere(q, kind), q), robot.integrate(q, q))
    else:
        for call in (
            robot.mass_matrix,
            robot.gravity_forces,
            lambda x: robot.integrate(q, x),
            lambda x: robot.compile("mass_matrix")(x),
        ):
            with pytest.raises(ordern.InputError, match="lies on another device"):
                call(_Elsewhere(q, kind))


def test_arrays_that_jax_traces_are_refused():
    import jax

    with pytest.raises(ordern.InputError, match=r"ordern\.jax"):
        jax.jit(ordern.load("planar3").mass_matrix)(np.zeros(3))


def test_a_pose_and_a_link_that_were_exchanged():
    """The message says which comes first, and shows no matrix."""
    arm = ordern.robots.planar3()
    with pytest.raises(ordern.InputError, match="the pose comes first"):
        arm.inverse_kinematics(arm.link_names[-1], np.eye(4))
    for call in (lambda: arm.inverse_kinematics(np.eye(4), np.eye(4)), lambda: arm.jacobian(arm.neutral(), np.eye(4))):
        with pytest.raises(ordern.InputError, match="link must be a name, got a ndarray") as error:
            call()
        assert "\n" not in str(error.value)


def test_integers_too_long_to_write_are_refused_like_others(tmp_path):
    """Python writes no integer of more than 4,300 digits; a file may hold one all the same, in base 16."""
    huge = 16**5000
    arm = ordern.robots.planar3()
    path = tmp_path / "arm.toml"
    path.write_text(f"convention = 0x{'f' * 5000}\n[[dh]]\na = 1.0\nmass = 1.0\n")
    for call in (
        lambda: ordern.load(path),
        lambda: ordern.load("planar3", locked={huge: 0.0}),
        lambda: ordern.load("fourbar", locked={huge: 0.0}),
        lambda: arm.with_loops([ordern.LoopSpec("x", "gear", joints={huge: 1.0})]),
        lambda: arm.with_loops([ordern.LoopSpec("x", "point", huge, "link3")]),
        lambda: arm.subtree(huge),
        lambda: arm.jacobian(arm.neutral(), huge),
        lambda: arm.compile(huge),
    ):
        with pytest.raises(ordern.OrdernError) as error:
            call()
        assert len(str(error.value)) < 1500


@pytest.mark.parametrize(
    ("name", "meant"),
    [("rnea", "inverse_dynamics"), ("dof", "n"), ("links", "link_names"), ("M", "mass_matrix"), ("nv", "n")],
)
def test_an_attribute_of_another_library_is_suggested(name, meant):
    class Mine(ordern.Robot):
        """Inherits them."""

    for robot in (UR5, Mine(UR5.model)):
        with pytest.raises(AttributeError, match=f"no attribute '{name}'; did you mean '{meant}'"):
            getattr(robot, name)
        assert not hasattr(robot, name) and name not in dir(robot) and name not in dir(type(robot))
        assert meant in dir(robot)


def test_a_name_of_another_library_may_be_given_by_a_subclass():
    class Mine(ordern.Robot):
        dof = 3

        def rnea(self):
            return self.n

    mine = Mine(UR5.model)
    assert (mine.dof, mine.rnea()) == (3, 6) and {"dof", "rnea"} <= set(dir(mine))
    assert not hasattr(ordern.Robot, "dof")


def test_a_slip_is_suggested_by_python_and_looking_up_attributes_stays_fast():
    line = "import ordern; ordern.load('planar3').mass_matrx"
    said = subprocess.run([sys.executable, "-c", line], capture_output=True, text=True).stderr
    assert "no attribute 'mass_matrx'. Did you mean: 'mass_matrix'?" in said
    # with either of these every call of a method takes 30 % longer for a small robot (see robot/other_names.py)
    assert not any({"__getattr__", "__getattribute__"} & set(vars(c)) for c in ordern.Robot.__mro__[:-1])


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: ordern.Robot("ur5"), "ordern.load"),
        (lambda: ordern.load_urdf, "did you mean 'load'"),
        (lambda: ordern.control.PDD, "did you mean 'PD'"),
        (lambda: UR5.simulate(ZERO, 1.0), r"simulate\(q0, duration=1.0\)"),
        (lambda: UR5.simulate(ZERO, torque="gravity"), "law of ordern.control"),
        (
            lambda: UR5.simulate(ZERO, torque=lambda t, q, qd: None),
            "returned None at t = 0 s; it must return 6 numbers",
        ),
        (lambda: UR5.save("ur5.urdf"), "name it .toml, or use to_urdf"),
        (lambda: UR5.save("no such folder/ur5.toml"), "make the folder first"),
    ],
)
def test_first_mistakes_name_the_remedy(call, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ordern.OrdernError, AttributeError), match=said):
        call()
    assert not list(tmp_path.iterdir())


def test_one_joint_takes_one_number_of_a_torque_function():
    pendulum = ordern.load("pendulum")
    run = pendulum.simulate([1.0], **times(), torque=lambda t, q, qd: -float(q[0]))
    np.testing.assert_array_equal(run.q, pendulum.simulate([1.0], **times(), torque=lambda t, q, qd: [-q[0]]).q)


def test_results_are_shown_in_a_line_and_can_be_pickled():
    import pickle

    two = ordern.robots.planar(2)
    assert repr(two.model) == "<Model 'planar2': 2 degrees of freedom, 3 links>"
    assert repr(two.operation_counts("mass_matrix")) == "<Counts: 1 mul, 4 add, 0 div, 0 sqrt, 1 sincos>"
    formulas = two.formulas("gravity_forces")
    assert formulas.matrix == pickle.loads(pickle.dumps(formulas)).matrix


def test_a_placement_whose_first_argument_is_its_origin_is_refused():
    with pytest.raises(ordern.InputError, match=r"Placement\(origin=\(x, y, z\)\)"):
        ordern.Placement((0.0, 0.0, 1.0))


def test_a_dh_table_of_pandas_and_keys_of_other_libraries():
    import pandas as pd

    rows = [{"a": 0.3, "mass": 1.0, "com": (-0.1, 0, 0)}, {"a": 0.2, "mass": 0.5, "com": (-0.1, 0, 0)}]
    table = ordern.Robot.from_dh(pd.DataFrame(rows), "distal")
    np.testing.assert_array_equal(
        table.gravity_forces([0.1, 0.2]), ordern.Robot.from_dh(rows, "distal").gravity_forces([0.1, 0.2])
    )
    for key, meant in {"m": "mass", "I": "inertia", "offset": "theta", "sigma": "joint"}.items():
        with pytest.raises(ordern.ModelError, match=f"unknown key '{key}'.*did you mean '{meant}'"):
            ordern.Robot.from_dh([{"a": 0.3, key: 1.0}])


def test_an_ensemble_counts_its_runs_and_names_what_it_cannot_index():
    run = ordern.load("pendulum").simulate([[0.1], [0.2], [0.3]], **times())
    assert len(run) == len(list(run)) == 3 and len(run[0]) == len(run.t)
    with pytest.raises(ordern.InputError, match=r"give the number of one run; run.q, run.qd, ... take slices"):
        run[0:2]
    with pytest.raises(IndexError, match=r"run\[3\]: there are 3 runs, numbered from 0"):
        run[3]
