"""A value does the same wherever it stands: in the file, in [sweep], by the name of a part, by default, or given to simulate by hand."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace

import numpy as np
import pytest

import ordern
from ordern.sweep.study import parse
from ordern.sweep.study_rules import KINDS
from ordern.sweep.sweep_block import simulate_block


def arm():
    """With limits that are met, efforts that saturate, friction and damping of its own."""
    model = ordern.load("planar3").model
    own = {"lower": (-0.25,), "upper": (0.32,), "effort": (40.0,), "damping": (0.3,), "friction": (0.2,)}
    return ordern.Robot(model.with_bodies([model.bodies[0], *(replace(b, **own) for b in model.bodies[1:])]))


ARM = arm()
FILE = {  # a study that says everything
    "start.q": [0.1, -0.2, 0.3],
    "start.qd": [0.5, -0.8, 0.9],
    "simulation.duration": 0.04,
    "simulation.method": "rk4",
    "simulation.dt": 1e-3,
    "simulation.output_dt": 0.02,
    "simulation.friction": True,
    "simulation.friction_speed": 0.05,
    "simulation.limits": True,
    "simulation.saturate": True,
    "simulation.max_steps": 20000,
    "simulation.max_seconds": 100.0,
    "controller.law": "pd",
    "controller.target": [0.3, 0.1, -0.2],
    "controller.kp": [90.0, 80.0, 70.0],
    "controller.kd": [3.0, 2.0, 1.0],
    "controller.gravity": "actual",
    "payload.link": "link2",
    "payload.mass": 0.4,
    "payload.com": [0.1, 0.2, -0.1],
    "payload.inertia": [0.3, 0.2, 0.25, 0.01, 0.02, 0.03],
    "masses": [1.1, 0.9, 1.2],
    "damping": [0.1, 0.2, 0.3],
    "friction": [0.3, 0.1, 0.2],
}
ADAPTIVE = {"simulation.method": "dopri5", "simulation.rtol": 1e-4, "simulation.atol": 1e-5, "simulation.dt": None}
PATH = {
    "controller.law": "computed-torque",
    "controller.target": None,
    "controller.gravity": None,
    "controller.path.profile": "quintic",
    "controller.path.from": [0.0, -0.1, 0.2],
    "controller.path.to": [0.2, 0.1, 0.0],
    "controller.path.duration": 0.03,
}
NO_PD = dict.fromkeys(("controller.target", "controller.kp", "controller.kd", "controller.gravity"))
KINDS_OF_STUDY = {  # what differs from FILE; None: left out
    "pd": {},
    "adaptive": ADAPTIVE,
    "nominal": {"controller.gravity": "nominal"},
    "rubbing": {"simulation.friction": False},  # of the description, not that of the study
    "path": PATH,
    "gravity": NO_PD | {"controller.law": "gravity-compensation", "controller.damping": [2.0, 1.0, 0.5]},
    "constant": NO_PD | {"controller.law": "constant", "controller.tau": [3.0, -2.0, 1.0]},
    "bare": ADAPTIVE | dict.fromkeys(k for k in FILE if not k.startswith(("start", "simulation"))),
}
# what a study takes where it says nothing; where nothing stands here, what simulate takes
USUAL = {
    "start.q": np.zeros(3), "start.qd": np.zeros(3), "controller.gravity": "none", "controller.damping": np.zeros(3),
    "controller.path.profile": "cycloid", "payload.link": "link3", "payload.com": np.zeros(3), "payload.inertia": np.zeros(6),
    "masses": np.ones(3),
}  # fmt: skip
NEEDED = ("controller.law", "controller.kp", "controller.kd", "controller.tau", "controller.target", "controller.path.to",
          "payload.mass", "simulation.dt")  # fmt: skip


def of(kind):
    return {k: v for k, v in (FILE | KINDS_OF_STUDY[kind]).items() if v is not None}


def block(values, sweep):
    """The only run of a study with these values in the file and those in [sweep]."""
    lines = [f"{key} = {json.dumps(v)}" for key, v in values.items()]
    lines += [f"sweep.{key} = {json.dumps([v])}" for key, v in sweep.items()]
    more = "keep.steps = true\nkeep.trajectories = true"
    made = simulate_block(parse("\n".join(["robot = 'given'", *lines, more]), "s.toml", robot=ARM), 0)
    assert made["status"].tolist() == ["done"]
    return np.concatenate([made["motion q 0"][0], made["motion qd 0"][0]], axis=1), made["motion t 0"], made["steps"]


def by_hand(values):
    """The same from simulate, with laws and trajectories made here."""
    v = USUAL | values
    v["controller.path.from"] = values.get("controller.path.from", v["start.q"])
    duration = values.get("simulation.duration", 10.0)
    target = v.get("controller.target")
    if "controller.path.to" in v:
        profile = getattr(ordern.trajectory, v["controller.path.profile"])
        ends = v["controller.path.from"], v["controller.path.to"]
        target = profile(*ends, duration=values.get("controller.path.duration", duration))
    law, kp, kd = v.get("controller.law"), v.get("controller.kp"), v.get("controller.kd")
    torque = None
    if law == "pd":
        torque = ordern.control.PD(target, kp, kd, gravity=v["controller.gravity"] == "actual")
        torque = torque + ordern.control.GravityCompensation() if v["controller.gravity"] == "nominal" else torque
    elif law == "computed-torque":
        torque = ordern.control.ComputedTorque(target, kp, kd)
    elif law == "gravity-compensation":
        torque = ordern.control.GravityCompensation(v["controller.damping"])
    elif law == "constant":
        torque = ordern.control.Constant(v["controller.tau"])
    parameters = {key: values[key] for key in ("masses", "damping", "friction") if key in values}
    if "payload.mass" in v:
        parameters["payload"] = {key: v[f"payload.{key}"] for key in ("link", "mass", "com", "inertia")}
    options = {key.partition(".")[2]: x for key, x in values.items() if key.startswith("simulation.")}
    options["duration"] = duration
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ordern.OrdernWarning)  # of drives beyond their limits
        run = ARM.simulate([v["start.q"]], [v["start.qd"]], torque=torque, parameters=parameters, **options)
    return np.concatenate([run.q[0], run.qd[0]], axis=1), run.t, run.stats["steps"]


def same(one, two):
    """To the last bit: it is the same call."""
    for a, b in zip(one, two, strict=True):
        np.testing.assert_array_equal(a, b)


def other_than(value):
    """Another value of the same kind, for the file, that the one in [sweep] takes the place of."""
    return value / 2 if isinstance(value, float) else [x / 2 for x in value]


CASES = [(kind, key) for kind in KINDS_OF_STUDY for key in of(kind) if key != "controller.law"]


def test_every_key_is_tried():
    assert {tuple(key.split(".")) for _, key in CASES} == {*KINDS} - {("gravity",)}  # which belongs to the robot here


@pytest.mark.parametrize("kind", KINDS_OF_STUDY)
def test_in_the_file(kind):
    values = of(kind)
    same(block(values, {"simulation.duration": values["simulation.duration"]}), by_hand(values))


@pytest.mark.parametrize("kind", KINDS_OF_STUDY)
def test_in_the_sweep_and_by_the_names_of_parts(kind):
    """Instead of the file's value, and where the file has none; one part of a vector, with the others in the file."""
    values = of(kind)
    wanted = by_hand(values)
    for key, value in values.items():
        if key == "controller.law":
            continue
        rest = {k: v for k, v in values.items() if k != key}
        if key != "payload.mass":  # else there is no payload
            same(block(rest, {key: value}), wanted)
        if isinstance(value, (float, list)):
            same(block(rest | {key: other_than(value)}, {key: value}), wanted)
        if isinstance(value, list):
            names = {"payload.com": ["x", "y", "z"], "payload.inertia": ["xx", "yy", "zz", "xy", "xz", "yz"]}
            names |= {"masses": ["link1", "link2", "link3"]}
            part = names.get(key, ["joint1", "joint2", "joint3"])[1]
            odd = [value[0], 2 * value[1] + 0.1, *value[2:]]
            same(block(rest | {key: odd}, {f"{key}.{part}": value[1]}), wanted)


@pytest.mark.parametrize("kind", KINDS_OF_STUDY)
def test_left_out(kind):
    """Each in turn, and all parts of a vector but one where the rest is neutral."""
    values = of(kind)
    for key in values:
        if key in NEEDED or (key == "simulation.method" and "simulation.dt" in values):
            continue
        if (kind, key) == ("rubbing", "friction"):  # then nothing rubs, and its speed is refused
            continue
        rest = {k: v for k, v in values.items() if k != key}
        sweep = {"start.q.joint1": rest.get("start.q", [0.0])[0]}
        same(block(rest, sweep), by_hand(rest))
    sweep = {"start.q.joint2": -0.2, "start.qd.joint3": 0.9}
    rest = {k: v for k, v in values.items() if k not in ("start.q", "start.qd")}
    same(block(rest, sweep), by_hand(values | {"start.q": [0.0, -0.2, 0.0], "start.qd": [0.0, 0.0, 0.9]}))


@pytest.mark.parametrize("rubbing", [True, False])
def test_where_methods_are_swept_each_has_its_own_options(rubbing):
    """A step for one of them, tolerances for the other; the speed of friction for both, as long as anything rubs."""
    values = of("adaptive") | {"simulation.dt": 2e-3, "simulation.friction": False}
    if not rubbing:
        values = {k: v for k, v in values.items() if k not in ("friction", "simulation.friction_speed")}
    text = "\n".join(f"{key} = {json.dumps(v)}" for key, v in values.items() if key != "simulation.method")
    more = "sweep.simulation.method = ['rk4', 'dopri5', 'dop853']\nkeep.steps = true\nkeep.trajectories = true"
    made = simulate_block(parse(f"robot = 'given'\n{text}\n{more}", "s.toml", robot=ARM), 0)
    for k, method in enumerate(("rk4", "dopri5", "dop853")):
        idle = ("simulation.rtol", "simulation.atol") if method == "rk4" else ("simulation.dt",)
        own = {key: v for key, v in values.items() if key not in idle} | {"simulation.method": method}
        found = (
            np.concatenate([made[f"motion q {k}"][0], made[f"motion qd {k}"][0]], axis=1),
            made[f"motion t {k}"],
            made["steps"][[k]],
        )
        same(found, by_hand(own))
