"""Methods stay methods: signatures, help, subclasses, patches, pickles and copies, on the third call as on the first."""

from __future__ import annotations

import copy
import inspect
import pickle
import pydoc
import subprocess
import sys

import numpy as np
import pytest

import ordern
import robots
from budget import PATIENCE
from ordern.robot import Robot

STATE = dict(zip(("q", "qd", "qdd", "tau"), np.random.default_rng(0).uniform(-1, 1, (4, 3)), strict=True))
CALLS = {
    "inverse_dynamics": ("q", "qd", "qdd"), "forward_dynamics": ("q", "qd", "tau"), "mass_matrix": ("q",), "mass_matrix_inverse": ("q",),
    "mass_matrix_udu": ("q",), "gravity_forces": ("q",), "kinetic_energy": ("q", "qd"), "log_det": ("q",), "forward_kinematics": ("q",),
    "inverse_dynamics_derivatives": ("q", "qd", "qdd"), "joint_wrenches": ("q", "qd", "qdd"),
}  # fmt: skip


def called(robot, name, times=3):
    arrays = [STATE[k] for k in CALLS[name]]
    return [getattr(robot, name)(*arrays) for _ in range(times)][-1]


def flat(made):
    parts = (
        made.values()
        if isinstance(made, dict)
        else made
        if isinstance(made, tuple)
        else (made.U, made.D)
        if hasattr(made, "U")
        else (made,)
    )
    return np.concatenate([np.ravel(x) for x in parts])


@pytest.mark.parametrize("name", CALLS)
def test_signature_and_help_are_the_same_after_calls(name):
    robot = ordern.load("planar3")
    before = (
        inspect.signature(getattr(robot, name)),
        pydoc.render_doc(getattr(robot, name)),
        getattr(robot, name).__func__,
    )
    called(robot, name)
    assert (
        inspect.signature(getattr(robot, name)),
        pydoc.render_doc(getattr(robot, name)),
        getattr(robot, name).__func__,
    ) == before
    assert name not in vars(robot)
    assert list(inspect.signature(getattr(robot, name)).parameters)[: len(CALLS[name])] == list(CALLS[name])
    by_name = getattr(robot, name)(**{k: STATE[k] for k in CALLS[name]})
    np.testing.assert_array_equal(flat(by_name), flat(called(robot, name)))


def test_applications_name_their_arguments_and_carry_their_text():
    from ordern.simulate.inverse_kinematics import inverse_kinematics
    from ordern.simulate.simulate import simulate
    from ordern.view.page import page

    for function in (simulate, inverse_kinematics, page):
        method = getattr(Robot, function.__name__)
        (first, *rest), (own, *named) = (
            inspect.signature(function).parameters.values(),
            inspect.signature(method).parameters.values(),
        )
        assert own.name == "self" and rest == named
        assert method.__qualname__.endswith(f".{function.__name__}") and inspect.isfunction(method)
        lines = [
            line
            for line in inspect.getdoc(function).split("\n")
            if not line.strip().startswith(f"{first.name}: the robot.")
        ]
        assert inspect.getdoc(method).split("\n") == lines
        for name in [p.name for p in named]:
            assert f"{name}:" in method.__doc__, name
        with pytest.raises(TypeError, match="wheels"):
            method(
                ordern.load("pendulum"),
                **({"pose": np.eye(4), "link": "link1"} if "pose" in rest[0].name else {}),
                wheels=1,
            )


def test_importing_ordern_loads_none_of_them():
    # the package ordern.simulate itself holds a table of names only
    code = "import sys, ordern; ordern.Robot; print([m for m in sys.modules if m.startswith(('ordern.simulate.', 'ordern.report', 'ordern.view'))])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix", "simulate", "page"])
def test_subclasses_override_and_call_up(name):
    seen = []

    class Watched(Robot):
        pass

    def method(self, *arguments, **options):
        seen.append(name)
        return getattr(super(Watched, self), name)(*arguments, **options)

    setattr(Watched, name, method)
    robot = Watched(ordern.load("planar3").model)
    for k in range(3):
        if name in CALLS:
            np.testing.assert_array_equal(
                getattr(robot, name)(*(STATE[a] for a in CALLS[name])), called(ordern.load("planar3"), name)
            )
        else:
            getattr(robot, name)(**({"duration": 0.01} if name == "simulate" else {}))
        assert len(seen) == k + 1
    assert type(copy.copy(robot)) is Watched and type(pickle.loads(pickle.dumps(ordern.load("ur5")))) is Robot


@pytest.mark.parametrize("name", ["inverse_dynamics", "mass_matrix", "simulate"])
def test_patches_reach_robots_that_were_called_before(name, monkeypatch):
    robot = ordern.load("planar3")
    if name in CALLS:
        called(robot, name)
    monkeypatch.setattr(Robot, name, lambda self, *arguments, **options: "patched")
    assert getattr(robot, name)(1, 2, 3) == "patched"
    monkeypatch.undo()
    if name in CALLS:
        assert isinstance(called(robot, name), np.ndarray)


@pytest.mark.parametrize("model", ["mixed", "mimic", "long"])
def test_robots_and_their_methods_pickle_and_copy(model):
    robot = Robot(robots.GRID[model]())
    q = robot.random(0)
    want = robot.mass_matrix(q)
    for made in (pickle.loads(pickle.dumps(robot)), copy.copy(robot), copy.deepcopy(robot)):
        np.testing.assert_array_equal(made.mass_matrix(q), want)
        assert made.model == robot.model
    for method in (robot.mass_matrix, pickle.loads(pickle.dumps(robot.mass_matrix)), copy.deepcopy(robot.mass_matrix)):
        np.testing.assert_array_equal(method(q), want)
    assert pickle.loads(pickle.dumps(robot.simulate)).__func__ is Robot.simulate


def test_what_a_robot_is_never_changes():
    robot = ordern.load("planar3")
    called(robot, "mass_matrix")
    with pytest.raises(AttributeError, match="never changes"):
        robot.mass_matrix = None


class Named(Robot):
    """A robot whose class takes something else than a model."""

    def __init__(self, name):
        super().__init__(ordern.load(name).model)
        self.__dict__["given"] = name


@pytest.mark.parametrize(
    "make", [lambda: ordern.Scene({"l_": "fivebar", "r_": ("planar2", (0, 1, 0))}), lambda: Named("fivebar")]
)
def test_classes_of_another_beginning_do_all_that_robots_do(make):
    """Scenes are such: loops, contacts and laws that remember had asked their class for a robot of a model."""
    robot = make()
    plain, q, rest = Robot(robot.model), np.array(robot.model.home), np.zeros(robot.n)
    link, at = robot.link_names[-1], np.linspace(0.1, 0.2, robot.n)
    held = {link: "point"}
    for other in (robot.with_contacts(held, q), robot.with_loops([])):
        assert (
            type(other) is type(robot)
            and {k: v for k, v in vars(robot).items() if k in ("parts", "given")}.items() <= vars(other).items()
        )
    np.testing.assert_array_equal(robot.impulse(q, at, contacts=held), plain.impulse(q, at, contacts=held))
    np.testing.assert_array_equal(robot.regressor(q, rest, rest), plain.regressor(q, rest, rest))
    driven = np.array(robot.model.driven, float)
    law = ordern.control.PID(q, driven, driven, driven)
    runs = [
        r.simulate(q, duration=0.002, torque=law, method="rk4", output_dt=None, engine="numpy") for r in (robot, plain)
    ]
    np.testing.assert_array_equal(runs[0].q, runs[1].q)
