"""What the page computes while one drags, slides and lets go: its own sources in node, against Robot's methods."""

import json
import subprocess
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from pages import data_of

import needs
import ordern
from ordern.robot import Robot
from ordern.view.page import page
from robots import mimicking, mixed, serial, sprung, state

SOURCES = Path(__file__).parents[2] / "web" / "src"
EPS = np.finfo(float).eps

pytestmark = needs.node


text_of = cache(page)  # several tests ask for the page of a robot


def computed(model, script, folder, modules=("chain", "reach", "motion"), **parts):
    """The value of a script that sees the page's data (with some parts replaced), programs and modules."""
    text = text_of(model)
    code = text[text.index("globalThis.ordernPrograms") :]
    code = code[: code.index("</script>")]
    (folder / "data.json").write_text(json.dumps({**data_of(text), **parts}))
    lines = [
        "import { readFileSync } from 'node:fs';",
        f"const kept = readFileSync({json.dumps(str(folder / 'data.json'))}, 'utf8');",
    ]
    lines += [
        "globalThis.document = { getElementById: () => ({ textContent: kept }) };",
        code,
        "const data = JSON.parse(kept);",
    ]
    lines += [f"const {name} = await import({json.dumps((SOURCES / f'{name}.js').as_uri())});" for name in modules]
    lines += [
        f"const made = await (async () => {{ {script} }})();",
        "console.log(JSON.stringify(made, (k, v) => ArrayBuffer.isView(v) ? [...v] : v));",
    ]
    (folder / "script.mjs").write_text("\n".join(lines))
    ran = subprocess.run(["node", str(folder / "script.mjs")], capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    return json.loads(ran.stdout)


ROBOTS = {
    "puma560": lambda: ordern.robots.puma560(),
    "panda": lambda: ordern.robots.panda(),  # fingers that follow each other, limits
    "mixed": lambda: Robot(mixed()),  # every kind of joint, branches
    "mimicking": lambda: Robot(mimicking()),
    "sprung": lambda: Robot(sprung()),
    "long": lambda: ordern.robots.chain(20),  # loops in the programs
    "long mixed": lambda: Robot(serial("RPSU" * 4)),
    "delta": lambda: ordern.robots.delta(),
    "stewart": lambda: ordern.robots.stewart(),
}


def posed(robot, seed=0):
    """A configuration, with closed loops where there are any."""
    q, qd, _, tau = state(robot.model, np.random.default_rng(seed))
    if robot.loops:
        q = robot.assemble(
            np.array(robot.model.home) + (0.1 * (q - np.array(robot.model.home)) if robot.model.plain else 0)
        ).q
        A = robot.constraint_jacobian(q)
        qd = qd - np.linalg.pinv(A, rcond=1e-9) @ (A @ qd)
    return q, qd, tau


@pytest.mark.parametrize("name", ROBOTS)
def test_programs_are_those_of_the_robot(name, tmp_path):
    """Accelerations, Jacobians of any point on any body, wrenches, steps, closures."""
    robot = ROBOTS[name]()
    q, qd, tau = posed(robot)
    body = len(robot.model.bodies) - 1
    link = next(k for k, item in enumerate(robot.model.links) if item.body == body)
    pose = robot.forward_kinematics(q, robot.link_names[link])
    script = f"""const [q, qd, tau] = {json.dumps([q.tolist(), qd.tolist(), tau.tolist()])}.map((x) => Float64Array.from(x));
      const P = ordernPrograms, at = {json.dumps(pose[:3, 3].tolist())};
      return {{ forward: P.forward(q, qd, tau).out0, J: chain.jacobian(q, {body}, at), next: chain.step(q, qd),
        wrenches: P.wrenches ? P.wrenches(q, qd, tau).out0 : null, residual: P.residual ? P.residual(q).out0 : [],
        closures: P.closures ? P.closures(q, qd, tau).out0 : [], absent: data.absent }};"""
    found = computed(robot.model, script, tmp_path)
    n = robot.n
    M = robot.mass_matrix(q)
    wanted = robot.forward_dynamics(q, qd, tau)
    limit = (
        256 * n * EPS * np.linalg.cond(M) * max(1.0, np.abs(wanted).max())
    )  # rounding of n bodies, grown by the condition of what is solved
    assert np.abs(np.array(found["forward"]) - wanted).max() <= limit
    J = robot.jacobian(q, robot.link_names[link])
    assert np.abs(np.array(found["J"]) - J).max() <= 256 * n * EPS * max(1.0, np.abs(J).max())
    assert np.abs(np.array(found["next"]) - robot.integrate(q, qd)).max() <= 64 * EPS * max(1.0, np.abs(qd).max())
    if robot.loops:
        F = robot.constraint_forces(q, qd, tau, reference="world").ravel()
        assert np.abs(np.array(found["residual"])).max() < 1e-9
        assert np.abs(np.array(found["closures"]) - F).max() <= limit * max(1.0, np.abs(F).max())
    else:
        W = robot.joint_wrenches(q, qd, tau).ravel()
        assert np.abs(np.array(found["wrenches"]) - W).max() <= 256 * n * EPS * max(1.0, np.abs(W).max())
    assert found["absent"] == {}


REACHED = ("puma560", "panda", "mixed", "mimicking", "long", "delta", "stewart")


@pytest.mark.parametrize("name", REACHED)
def test_dragged_points_arrive_within_limits_and_with_closed_loops(name, tmp_path):
    """A target made from another configuration nearby is reached; one out of reach is approached; limits hold and loops stay closed throughout."""
    robot = ROBOTS[name]()
    q, qd, _ = posed(robot, 3)
    lower, upper = (
        np.where(np.isfinite(side), side, s * np.inf) for side, s in zip(limits(robot), (-1, 1), strict=True)
    )
    if robot.model.plain:
        q = np.clip(q, lower, upper)
    if robot.loops:
        q = robot.assemble(q).q
    near = robot.integrate(q, 0.05 * qd / max(1.0, np.abs(qd).max()))
    if robot.model.plain:
        near = np.clip(near, lower, upper)
    if robot.loops:
        near = robot.assemble(near).q
    body = len(robot.model.bodies) - 1
    link = next(k for k, item in enumerate(robot.model.links) if item.body == body)
    name_of, place = robot.link_names[link], robot.model.links[link].placement
    goal = robot.forward_kinematics(near, name_of) @ np.linalg.inv(place.matrix())  # of the body's own frame
    script = f"""const grip = {{ body: {body}, point: [0, 0, 0] }}, q = Float64Array.from({q.tolist()});
      const goal = {json.dumps(goal.ravel().tolist())}, point = [goal[3], goal[7], goal[11]];
      const there = reach.reach(q, grip, {{ point }}, 200), turned = reach.reach(q, grip, {{ point, pose: goal }}, 400);
      const away = reach.reach(q, grip, {{ point: point.map((x) => x + 50 * data.reach) }}, 30);
      return [there, turned, away];"""
    there, turned, away = computed(robot.model, script, tmp_path)
    for found in (there, turned, away):
        made = np.array(found["q"])
        if robot.model.plain:
            assert np.all(made >= lower - 1e-12) and np.all(made <= upper + 1e-12)
        if robot.loops:
            assert np.abs(robot.constraint_residual(made)).max() < 1e-9
    pose = robot.forward_kinematics(np.array(there["q"]), name_of) @ np.linalg.inv(place.matrix())
    assert np.abs(pose[:3, 3] - goal[:3, 3]).max() < 1e-6 and there["success"]
    pose = robot.forward_kinematics(np.array(turned["q"]), name_of) @ np.linalg.inv(place.matrix())
    assert np.abs(pose - goal).max() < 1e-5 and turned["success"]
    assert not away["success"] and away["far"] < 50 * np.sqrt(3) * 1.001 * data_reach(robot)


def limits(robot):
    from ordern.evaluate.manifold import bounds

    return bounds(robot.model)


def data_reach(robot):
    return data_of(page(robot.model))["reach"]


@pytest.mark.parametrize(
    "make", ["fourbar", "slider_crank", "fivebar", "threerrr", "delta", "stewart", "andrews", "bricard", "fourbars3"]
)
def test_loops_stay_closed_while_a_slider_moves(make, tmp_path):
    """Each joint in turn, up and down: closed always; the moved joint is where the slider is, or the move is refused and nothing changes."""
    robot = ordern.load(make)
    script = """const made = [];
      for (const joint of data.joints.filter((j) => j.nq === j.nv)) {
        for (const by of [0.02, -0.3]) {
          const q = Float64Array.from(data.q);
          const wanted = [...q.subarray(joint.iq, joint.iq + joint.nq)];
          wanted[0] += by;
          made.push({ ...chain.moveJoint(q, joint, wanted), at: joint.iq, wanted: wanted[0], from: [...q] });
        }
      }
      return made;"""
    made = computed(robot.model, script, tmp_path)
    moved = 0
    for found in made:
        q = np.array(found["q"])
        assert np.abs(robot.constraint_residual(q)).max() < 1e-9
        if found["success"]:
            assert abs(q[found["at"]] - found["wanted"]) < 1e-12
            moved += 1
    assert moved >= len(made) // 2 or make == "bricard"


SIMULATED = ("puma560", "panda", "mixed", "mimicking", "sprung", "fourbar", "delta")


@pytest.mark.parametrize("name", SIMULATED)
def test_motion_of_the_page_is_that_of_simulate(name, tmp_path):
    """Free fall with friction and end stops as the description has them, with and without gravity."""
    robot = ROBOTS[name]() if name in ROBOTS else getattr(ordern.robots, name)()
    if name == "mixed":
        robot = Robot(
            replace(
                robot.model,
                bodies=tuple(
                    replace(b, damping=(0.1,) * b.joint.nv) if k else b for k, b in enumerate(robot.model.bodies)
                ),
            )
        )
    q = np.array(data_of(page(robot.model))["q"])
    duration = 0.4
    script = f"""const m = new motion.Motion(Float64Array.from(data.q)), f = new motion.Motion(Float64Array.from(data.q));
      f.set({{ gravity: false }});
      m.run({duration}, 60000); f.run({duration}, 60000);
      return {{ q: m.q, v: m.v, t: m.t, trouble: m.trouble, still: f.q, residual: chain.residual(m.q) }};"""
    found = computed(robot.model, script, tmp_path)
    run = robot.simulate(q, duration=duration, output_dt=duration)
    assert found["trouble"] == "" and abs(found["t"] - duration) < 1e-12
    moved = np.abs(robot.difference(q, run.q[-1])).max()
    apart = np.abs(robot.difference(np.array(found["q"]), run.q[-1])).max()
    assert moved > 1e-3 and apart < 2e-4 * max(1.0, moved)  # tolerance 1e-6 a step, some hundred steps
    assert found["residual"] < 1e-9
    if robot.loops:
        A = robot.constraint_jacobian(np.array(found["q"]))
        assert np.abs(A @ np.array(found["v"])).max() < 1e-10 * max(1.0, np.abs(A).max())  # velocities too
    weightless = robot.with_gravity((0, 0, 0)).simulate(q, duration=duration, output_dt=duration)
    assert np.abs(robot.difference(np.array(found["still"]), weightless.q[-1])).max() < 2e-4


STOPPED = """<robot name="gate"><link name="post"/><link name="wing"><inertial><mass value="2"/><origin xyz="0.3 0 0.1"/>
  <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link><joint name="hinge" type="revolute"><parent link="post"/>
  <child link="wing"/><axis xyz="0 1 0"/><limit lower="{lower}" upper="{upper}" effort="9" velocity="9"/>
  <dynamics damping="0.3" friction="0.2"/></joint></robot>"""


@pytest.mark.parametrize(("lower", "upper"), [(-0.1, 0.2), (-2.0, 0.05)])
@pytest.mark.parametrize("side", [1, -1])
def test_end_stops_and_friction_are_those_of_simulate(lower, upper, side, tmp_path):
    """A gate that falls onto its stop and comes back, on either side."""
    limits = {"lower": lower, "upper": upper} if side > 0 else {"lower": -upper, "upper": -lower}
    robot = ordern.load(STOPPED.format(**limits)).with_gravity((0, 0, -9.81 * side))
    found = computed(
        robot.model,
        "const m = new motion.Motion(Float64Array.from(data.q)); m.run(0.7, 60000); return { q: m.q, v: m.v };",
        tmp_path,
    )
    run = robot.simulate([0.0], duration=0.7, output_dt=0.01)
    assert np.abs(run.q).max() > 0.9 * upper and np.abs(np.diff(np.sign(run.qd[1:, 0]))).max() == 2  # it turned round
    assert (
        np.abs(np.array(found["q"]) - run.q[-1]).max() < 1e-4 and np.abs(np.array(found["v"]) - run.qd[-1]).max() < 1e-2
    )


@pytest.mark.parametrize("name", ["puma560", "delta"])
def test_a_pull_is_a_force_at_a_point(name, tmp_path):
    """The acceleration under the pull is that of forward dynamics with the force as an external wrench."""
    robot = ROBOTS[name]()
    q, *_ = posed(robot, 5)
    body = len(robot.model.bodies) - 1
    link = next(k for k, item in enumerate(robot.model.links) if item.body == body)
    script = f"""const m = new motion.Motion(Float64Array.from({q.tolist()}));
      m.grab({body}, [0.01, 0.02, 0.03]);
      m.pull.target = m.pull.target.map((x, k) => x + [0.1, -0.2, 0.15][k]);
      return {{ ...m.pulled(), qdd: m.accelerations(), tau: m.torque, q: m.q }};"""
    found = computed(robot.model, script, tmp_path)
    q = np.array(found["q"])
    pose = robot.forward_kinematics(q, robot.link_names[link])
    force, arm = np.array(found["force"]), np.array(found["at"]) - pose[:3, 3]
    assert np.linalg.norm(force) > 0
    wrench = np.concatenate([pose[:3, :3].T @ np.cross(arm, force), pose[:3, :3].T @ force])
    stops = np.zeros(robot.n)  # within limits there are none
    wanted = robot.forward_dynamics(q, np.zeros(robot.n), stops, external={robot.link_names[link]: wrench})
    assert np.abs(np.array(found["qdd"]) - wanted).max() < 1e-7 * max(1.0, np.abs(wanted).max())


def test_ticks_are_told_apart_and_short(tmp_path):
    """Around zero and beside it, for every size of numbers: as many digits as a tick needs, none that are noise."""
    spans = [
        (low * 10.0**k, high * 10.0**k)
        for k in range(-14, 13)
        for low, high in ((-1, 0), (-0.3, 0.7), (0, 5), (2, 3.5))
    ]
    script = f"""return {json.dumps(spans)}.map(([low, high]) => [2, 4, 9].map((many) => {{
        const at = math.ticks(low, high, many);
        return [at, at.map((x) => math.tick(x, at[1] - at[0], Math.max(-low, high)))];
    }}))"""
    for (low, high), axes in zip(
        spans, computed(ordern.robots.pendulum().model, script, tmp_path, ("math",)), strict=True
    ):
        for at, texts in axes:
            read = [float(text.replace("\u2212", "-")) for text in texts]
            np.testing.assert_allclose(read, at, rtol=0, atol=1e-9 * max(-low, high))  # steps are added up
            assert len(set(texts)) == len(texts) and max(map(len, texts)) <= 8, texts
            scaled = {"e" in text for text in texts if text != "0"}
            assert scaled == {max(-low, high) >= 1e5 or max(-low, high) < 1e-3}, texts
