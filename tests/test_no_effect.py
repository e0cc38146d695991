"""An option with no effect is refused: every optional argument of the public methods changes what is made, or is an error that names it."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import ordern
from ordern.simulate.simulate import METHODS

LINK = {"com": (-0.2, 0, 0), "inertia": (0.01, 0.02, 0.02), "friction": 0.05, "effort": 0.5}
ROWS = [
    LINK | {"a": 0.4, "mass": 1.0, "damping": 0.02, "lower": -0.3, "upper": 0.35},
    LINK | {"a": 0.3, "alpha": 0.5, "mass": 0.5, "lower": -1.0, "upper": 1.0},
]
ARM = ordern.Robot.from_dh(ROWS, "distal", gravity=(0.0, -9.81, 0.0), name="two")
START = {"q0": [0.34, 0.1], "qd0": [1.0, -0.5], "duration": 0.06, "torque": [3.0, 1.0]}
# what bounds time, memory or talk and never the result, or chooses among ways to the same result
RESOURCES = {"threads", "progress", "max_seconds", "engine", "dynamics", "save"}
VALUES = {
    "rtol": 1e-3, "atol": 1e-3, "dt": 7e-3, "max_step": 3e-3, "output_dt": 0.02, "t_eval": [0.0, 0.05], "events": [lambda t, q, qd: t - 0.033],
    "external": {"link2": [0, 0, 1.0, 0, 0, 0]}, "parameters": {"masses": [1.5, 1.0]}, "friction": False, "friction_speed": 0.5,
    "limits": False, "saturate": True, "max_steps": 1, "keep": ["tau"], "seed": 3, "collision_rate": 9.0, "temperature": 0.1, "fixman": True,
    "q0": [0.2, 0.1], "qd0": [0.5, 0.5], "duration": 0.07, "torque": [2.0, 2.0], "method": "euler", "contacts": {"link2": "fixed"},
}  # fmt: skip


def outcome(call, *arguments, **options):
    """What is made, as bytes; or the error."""
    try:
        made = call(*arguments, **options)
    except ordern.OrdernError as error:
        return error
    return (
        b"|".join(np.ascontiguousarray(x).tobytes() for x in (made.t, made.q, made.qd, made.tau))
        + repr(made.status).encode()
    )


@pytest.mark.filterwarnings("ignore::ordern.errors.OrdernWarning")
@pytest.mark.parametrize("method", METHODS)
def test_every_option_of_simulate_acts_or_is_refused(method):
    optional = [
        name
        for name, p in inspect.signature(ordern.Robot.simulate).parameters.items()
        if p.default is not inspect.Parameter.empty
    ]
    assert set(optional) == set(VALUES) | RESOURCES, "a new option needs a value here"
    base = START | {"method": method, "engine": None} | ({"temperature": 0.05} if method == "baoab" else {})
    before = outcome(ARM.simulate, **base)
    assert isinstance(before, bytes), before
    refused = set()
    for name in set(optional) - RESOURCES - {"method"}:
        made = outcome(ARM.simulate, **base | {name: VALUES[name]})
        if isinstance(made, ordern.OrdernError):
            assert name in str(made) or name == "max_steps" or "'contact link2'" in str(made), (name, made)
            refused.add(name)
        else:
            assert made != before, f"{name}={VALUES[name]!r} does nothing with {method}"
    fixed = method in ("rk4", "euler", "symplectic", "baoab")
    assert ({"rtol", "atol", "max_step"} if fixed else {"dt"}) <= refused
    assert not ({"dt"} if fixed else {"rtol", "atol", "max_step"}) & refused
    assert ("seed" in refused) == (method != "baoab") and "keep" in refused


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"t_eval": [0.0, 0.02], "output_dt": 0.02}, "output_dt=0.02 has no effect: t_eval"),
        ({"friction": False, "friction_speed": 0.1}, "friction_speed=0.1"), ({"method": "Radau", "engine": "numpy"}, "engine='numpy'"),
        ({"dt": 1e-3}, 'rtol and atol, or method="rk4"'), ({"method": "rk4", "atol": 1e-6}, "give dt"), ({"collision_rate": 2.0}, "baoab"),
        ({"temperature": 1.0}, "fixman=True or method='baoab'"), ({"keep": ["tau"]}, "save="),
    ],
)  # fmt: skip
def test_the_error_names_what_has_an_effect(options, named):
    with pytest.raises(ordern.InputError) as caught:
        ARM.simulate(**START | options)
    assert named in str(caught.value)


def test_a_step_and_tolerances_together_serve_any_method():
    for method in ("dopri5", "rk4"):
        assert ARM.simulate(**START, method=method, dt=1e-3, rtol=1e-9, limits=False, saturate=True).complete


Q = [0.1, 0.2]
POSE = ARM.forward_kinematics(Q, "link2")
REFUSED = {
    "inverse_kinematics seed": (lambda: ARM.inverse_kinematics(POSE, "link2", restarts=0, seed=4), "seed=4"),
    "evaluate precision": (lambda: ARM.evaluate("mass_matrix", Q, scalars="fraction", precision=20), "precision=20"),
    "evaluate link": (lambda: ARM.evaluate("mass_matrix", Q, link="link2"), "link='link2'"),
    "compile link": (lambda: ARM.compile("mass_matrix", link="link2"), "link='link2'"),
    "compile layout": (lambda: ARM.compile("mass_matrix", layout="lanes", derivatives=1), "layout='lanes'"),
    "compile device": (lambda: ARM.compile("mass_matrix", device="opencl", derivatives=1), "device='opencl'"),
    "casadi link": (lambda: ARM.casadi("mass_matrix", link="link2"), "link='link2'"),
    "formulas link": (lambda: ARM.formulas("mass_matrix", link="link2"), "link='link2'"),
    "operation_counts link": (lambda: ARM.operation_counts("mass_matrix", link="link2"), "link='link2'"),
    "export dtype": (
        lambda: ARM.export("mass_matrix", "x", "javascript", dtype="float32"),
        "JavaScript computes in float64",
    ),
    "export link": (lambda: ARM.export("mass_matrix", "x", link="link2"), "link='link2'"),
    "jax link": (lambda: ordern.jax.function("mass_matrix", ARM, link="link2"), "link='link2'"),
    "jax external": (lambda: ordern.jax.function("mass_matrix", ARM, external=("link2",)), "external"),
    "plot link": (lambda: ARM.simulate(**START).plot("angles", link="link2"), "link='link2'"),
    "load xacro_args": (lambda: ordern.load("panda", xacro_args={"a": 1}), "xacro_args"),
    "load packages": (lambda: ordern.load("panda", packages={"a": "."}), "packages"),
    "trapezoidal blend": (
        lambda: ordern.trajectory.trapezoidal(Q, [1, 1], velocity=1, acceleration=1, blend=0.2),
        "blend",
    ),
    "trapezoidal velocity": (lambda: ordern.trajectory.trapezoidal(Q, [1, 1], duration=1.0, velocity=1), "velocity"),
    "jvp link": (lambda: ARM.jvp("mass_matrix", (Q,), (Q,), link="link2"), "link='link2'"),
}


@pytest.mark.filterwarnings("ignore::ordern.errors.OrdernWarning")
@pytest.mark.parametrize("case", REFUSED)
def test_other_options_without_effect(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    call, named = REFUSED[case]
    with pytest.raises(ordern.OrdernError) as caught:
        call()
    assert named in str(caught.value) and not list(tmp_path.iterdir())


W = {"link2": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]}
THREE = ([0.1, 0.2], [0.3, 0.4], [0.5, 0.6])
ACTS = {
    "inverse_dynamics": (THREE, {"external": W, "method": "denoc", "contacts": {"link2": "point"}}),
    "forward_dynamics": (THREE, {"external": W, "method": "composite", "contacts": {"link2": "point"}}),
    "bias_forces": (THREE[:2], {"external": W}),
    "gravity_forces": (THREE[:1], {"external": W}),
    "joint_wrenches": (THREE, {"external": W}),
    "mass_matrix_inverse": (THREE[:1], {"contacts": {"link2": "point"}}),
    "jacobian": ((Q, "link2"), {"reference": "body"}),
    "forward_kinematics": ((Q,), {"link": "link1"}),
    "inverse_dynamics_derivatives": (THREE, {"external": W, "order": 2}),
    "forward_dynamics_derivatives": (THREE, {"external": W, "order": 2}),
    "coriolis_matrix": (THREE[:2], {"method": "christoffel"}),
    "linearize": ((*THREE, 0.01), {"method": "euler", "friction": False}),
    "inverse_kinematics": (
        (ARM.forward_kinematics([0.9, 0.2], "link2")[:3, 3], "link2"),
        {"q0": [0.3, -0.4], "tolerance": 0.5, "iterations": 1, "limits": False},
    ),
}


def flat(made):
    if isinstance(made, dict):
        return b"".join(flat(v) for v in made.values())
    if hasattr(made, "iterations"):
        return flat((made.q, np.array(made.iterations), np.array(made.residual)))
    if isinstance(made, tuple):
        return b"".join(flat(v) for v in made)
    return (
        b""
        if made is None
        else np.ascontiguousarray(made).tobytes()
        if not hasattr(made, "__dict__")
        else flat(tuple(vars(made).values()))
    )


@pytest.mark.parametrize(("name", "option"), [(n, o) for n, (_, options) in ACTS.items() for o in options])
def test_options_of_the_dynamics_act(name, option):
    """Methods are other ways to the same numbers, so only their names are checked; everything else changes the result or is refused by name."""
    arguments, options = ACTS[name]
    call = getattr(ARM, name)
    if option == "method" and name != "linearize":
        with pytest.raises(ordern.MethodError, match="nonsense"):
            call(*arguments, method="nonsense")
        return
    before = flat(call(*arguments))
    try:
        assert flat(call(*arguments, **{option: options[option]})) != before
    except ordern.OrdernError as error:
        assert option in str(error) or "contact" in str(error)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("[simulation]\ndt = 1e-3", r":4: simulation.dt: it has no effect: method \"dopri5\" finds its own steps"),
        ('[simulation]\nmethod = "rk4"\nrtol = 1e-4', "simulation.rtol: it has no effect"),
        ("[simulation]\nfriction = false\nfriction_speed = 0.1", "simulation.friction_speed: it has no effect"),
        ('[simulation]\nmethod = "rk4"\n[sweep.simulation]\natol = [1e-4, 1e-5]', "atol: it has no effect"),
        ('[simulation]\ndt = 1e-3\nrtol = 1e-4\n[sweep.simulation]\nmethod = ["rk4", "dopri5"]', None),
    ],
)
def test_studies_too(lines, said):
    """A key is refused where no run would use it; where methods are swept, each run has what belongs to its own."""
    from ordern.sweep.study import parse

    text = f'robot = "pendulum"\n\n{lines}\n' + ("" if "sweep" in lines else "[sweep]\npayload.mass = [0.0, 0.1]\n")
    if said is None:
        assert parse(text).runs == 2
    else:
        with pytest.raises(ordern.InputError, match=said):
            parse(text)


def test_the_speed_of_friction_acts_on_that_of_parameters(tmp_path):
    """Without the description's friction there is that of parameters=, or of a study: its speed acts on every run."""
    from ordern.sweep.study import parse
    from ordern.sweep.sweep import sweep

    start = {"q0": [0.3, -0.2], "qd0": [0.5, 0.4], "duration": 0.1, "output_dt": None, "parameters": {"friction": 0.3}}
    slow, fast = (ARM.simulate(**start, friction=False, friction_speed=s) for s in (1.0, 0.01))
    assert np.abs(slow.qd[-1] - fast.qd[-1]).max() > 1e-3
    text = (
        'robot = "two.toml"\nfriction = 0.3\n[start]\nq = [0.3, -0.2]\nqd = [0.5, 0.4]\n[simulation]\nduration = 0.1\n'
        "friction_speed = 1.0\n"
    )
    for more in ("friction = false\n[sweep]\npayload.mass = [0.0]\n", "[sweep]\nsimulation.friction = [true, false]\n"):
        made = sweep(parse(text + more, robot=ARM), tmp_path / str(len(more)), workers=1)
        last = [made.columns[f"q:{name}"][-1] for name in ARM.joint_names]
        np.testing.assert_array_equal(last, slow.q[-1])  # the same steps of the same kernels
