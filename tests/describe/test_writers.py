"""Every way to change a robot, then every writer: what is read back is the same robot, in every number that the format can hold.

The dynamics are compared by the small NumPy mechanics beside this file, the data field by field, so that neither the library's
algorithms nor its own comparison stands in for the proof.
"""

from __future__ import annotations

import re
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ordern
from budget import examples
from ordern.check.convert import FORMS, convert
from ordern.describe.builder import JointSpec, LinkSpec, MimicSpec, build
from ordern.describe.compare import differences
from ordern.describe.dh.dh_toml import dh_text, read_dh
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.describe.named_states import coordinates
from ordern.describe.respec import rebuilt, specs
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.toml.toml_write import to_toml
from ordern.describe.urdf.urdf_read import load_urdf, to_urdf
from ordern.model import Drive, Geometry, Placement, State
from robots import GRID, tree

from .mechanics import gravity_forces, link_poses, mass_matrix, random_q

PROPERTIES = ("lower", "upper", "velocity", "effort", "armature", "damping", "friction", "stiffness", "springref")
ANY = [
    "revolute",
    "continuous",
    "prismatic",
    "fixed",
    "planar",
    "floating",
    "helical",
    "cylindrical",
    "universal",
    "spherical",
]
IN_URDF = ANY
SERIAL = ["revolute", "continuous", "prismatic"]
SIZES = {"planar": 3, "floating": 6, "spherical": 3, "cylindrical": 2, "universal": 2}


def shape(rng):
    kind = rng.choice(["box", "cylinder", "sphere", "capsule", "mesh"])
    count = {"box": 3, "sphere": 1, "mesh": 3}.get(kind, 2)
    size = tuple(float(x) for x in rng.uniform(0.1, 1, count))
    color = tuple(float(x) for x in rng.random(4)) if rng.random() < 0.5 else ()
    return Geometry(str(kind), size, "m.stl" if kind == "mesh" else "", placement(rng), color)


def placement(rng):
    return Placement.from_rpy(rng.uniform(-1, 1, 3), rng.uniform(-3, 3, 3)) if rng.random() < 0.8 else Placement()


def link(rng, name, shapes):
    B = rng.uniform(-0.3, 0.3, (3, 3)) + 0.1 * np.eye(3)
    I = np.trace(B @ B.T) * np.eye(3) - B @ B.T
    m = float(rng.uniform(0.2, 3))
    tensor = tuple(m * float(x) for x in (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2]))
    many = [tuple(shape(rng) for _ in range(rng.integers(0, 2))) if shapes else () for _ in range(2)]
    return LinkSpec(name, m, tuple(rng.uniform(-0.2, 0.2, 3)), tensor, *many)


def properties(rng, kind):
    """Limits on one side, both or neither, other data now and then, one number for each velocity."""
    n = SIZES.get(kind, 1)
    made = {key: tuple(float(x) for x in rng.uniform(0.1, 3, n)) for key in PROPERTIES if rng.random() < 0.6}
    if "lower" in made:
        made["lower"] = tuple(-x for x in made["lower"])
    if kind in ("spherical", "floating") and "stiffness" in made:  # as stiff about every axis, and along every one
        turn, way = made["stiffness"][:2]
        made["stiffness"] = (turn,) * 3 + (way,) * (n - 3)
        rest = rng.standard_normal(4)
        made["springref"] = (*rng.uniform(-1, 1, n - 3), *(rest / np.linalg.norm(rest)))
    if "stiffness" not in made:
        made.pop("springref", None)
    return {} if kind == "fixed" else made


def robot(seed, kinds, serial=False, shapes=True):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 7))
    links, joints, single = [link(rng, "base", shapes)], [], []
    for k in range(1, n + 1):
        kind = str(rng.choice(kinds))
        parent = links[-1].name if serial else links[rng.integers(len(links))].name
        mimic = None
        if not serial and kind in SERIAL and single and rng.random() < 0.4:
            mimic = MimicSpec(str(rng.choice(single)), float(rng.uniform(-2, 2)), float(rng.uniform(-1, 1)))
        elif kind in SERIAL:
            single.append(f"j{k}")
        axis = tuple(rng.standard_normal(3)) if rng.random() < 0.6 else (0.0, 1.0, 0.0)
        more = properties(rng, kind) | ({"pitch": 0.3} if kind == "helical" else {})
        more |= {} if kind in ("universal", "spherical", "floating", "fixed") else {"axis": axis}
        joints.append(JointSpec(f"j{k}", kind, parent, f"l{k}", placement(rng), mimic=mimic, **more))
        links.append(link(rng, f"l{k}", shapes))
    return build("some robot", links, joints, gravity=tuple(rng.uniform(-9, 9, 3)))


def parameters(model, rng):
    values = ordern.Robot(model).parameters().reshape(-1, 10) * rng.uniform(0.5, 2, (len(model.bodies) - 1, 1))
    return ordern.Robot(model).with_parameters(values.ravel()).model


def payload(model, rng):
    moving = [k.name for k in model.links if k.body]
    return (
        ordern.Robot(model).with_payload(str(rng.choice(moving)), 0.7, (0.1, -0.2, 0.3), (0.02, 0.03, 0.04)).model
        if moving
        else model
    )


def welded(model, count, value):
    """So many joints of one coordinate, each at this value or at the nearest one within its limits: no warning."""
    single, limits = [i for i in model.free if model.bodies[i].joint.nq == 1], ordern.Robot(model).limits
    places = {model.bodies[i].name: model.offsets[i][1] for i in single[:count]}
    return {"locked": {name: float(np.clip(value, limits.lower[k], limits.upper[k])) for name, k in places.items()}}


def locked(model, rng):
    return rebuilt(model, welded(model, 1, 0.4))


CHANGES = {
    "nothing": lambda model, rng: model,
    "parameters": parameters,
    "gravity": lambda model, rng: ordern.Robot(model).with_gravity((1.0, 2.0, 3.0)).model,
    "payload": payload,
    "locked": locked,
    "floating base": lambda model, rng: rebuilt(model, {"base": "floating"}),
    "no mimic": lambda model, rng: rebuilt(model, {"mimic": False}),
    "payload on parameters": lambda model, rng: payload(parameters(model, rng), rng),
    "repair": lambda model, rng: rebuilt(model, {"on_invalid": "repair"}),
}


def urdf(model):
    return load_urdf(to_urdf(model), gravity=model.gravity, on_invalid="warn")


WRITERS = {"toml": lambda model: loads_toml(to_toml(model)), "urdf": urdf}


def same_data(a, b):
    """Everything that is not geometry, joint by joint, with the default where nothing is given."""
    for key in PROPERTIES:
        none = {"lower": -np.inf, "upper": np.inf, "velocity": np.inf, "effort": np.inf}.get(key, 0.0)
        for body in a.bodies[1:]:
            other = b.bodies[b.joint_index[body.name]]
            count = body.joint.nq if key == "springref" else body.joint.nv
            filled = [getattr(x, key) or (none,) * count for x in (body, other)]
            assert filled[0] == filled[1], (key, body.name)
    assert [(b.bodies[b.joint_index[x.name]].mimic is None) for x in a.bodies[1:]] == [
        x.mimic is None for x in a.bodies[1:]
    ]


def same_motion(a, b, rng, names):
    q = random_q(a, rng)
    order = [(a.offsets[i][0], b.offsets[b.joint_index[a.bodies[i].name]][0], a.bodies[i].joint.nq) for i in a.free]
    q2 = np.zeros(b.nq)
    for start, to, n in order:
        q2[to : to + n] = q[start : start + n]
    rates = [
        b.offsets[b.joint_index[a.bodies[i].name]][1] + k for i in a.free for k in range(a.bodies[i].joint.nv)
    ]  # of each velocity of a, in b
    M, M2 = mass_matrix(a, q), mass_matrix(b, q2)
    # 1e3 eps: some ten products of rotations on either side, and a URDF's angles and back
    np.testing.assert_allclose(M2[np.ix_(rates, rates)], M, rtol=0, atol=2e-13 * (1 + np.abs(M).max(initial=0)))
    if a.nv:
        g, g2 = gravity_forces(a, q), gravity_forces(b, q2)
        np.testing.assert_allclose(g2[rates], g, rtol=0, atol=2e-12 * (1 + np.abs(M).max(initial=0)))
    poses, poses2 = link_poses(a, q), link_poses(b, q2)
    for name in names:
        np.testing.assert_allclose(poses2[name], poses[name], rtol=0, atol=2e-13 * (1 + np.abs(poses[name]).max()))


@pytest.mark.parametrize("writer", WRITERS)
@settings(max_examples=examples(60))
@given(seed=st.integers(0, 10**6), change=st.sampled_from(sorted(CHANGES)))
def test_every_change_and_every_writer(writer, seed, change):
    rng = np.random.default_rng(seed)
    model = CHANGES[change](robot(seed, IN_URDF if writer == "urdf" else ANY), rng)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        back = WRITERS[writer](model)
    same_data(model, back)
    same_motion(model, back, rng, [k.name for k in model.links])
    assert differences(model, back, writer) == []
    if writer == "toml":
        assert back.fingerprint == model.fingerprint
        assert back.bodies == model.bodies


@settings(max_examples=examples(30))
@given(seed=st.integers(0, 10**6), change=st.sampled_from(["nothing", "parameters", "payload"]))
def test_options_after_writing_are_options_before(seed, change):
    """A saved robot takes the options of load as the robot itself does: joints locked at a pose, a floating base."""
    rng = np.random.default_rng(seed)
    model = CHANGES[change](robot(seed, ANY), rng)
    for options in (welded(model, 2, 0.3), {"base": "floating"}, {"mimic": False}):
        a, b = rebuilt(model, options), loads_toml(to_toml(model), **options)
        same_data(a, b)
        same_motion(a, b, rng, [k.name for k in a.links])


@settings(max_examples=examples(40))
@given(
    seed=st.integers(0, 10**6),
    change=st.sampled_from(["nothing", "parameters", "gravity", "payload", "locked"]),
    convention=st.sampled_from(["saha", "distal", "proximal"]),
)
def test_every_change_as_a_table(seed, change, convention):
    import tomllib

    rng = np.random.default_rng(seed)
    model = CHANGES[change](robot(seed, SERIAL, serial=True, shapes=False), rng)
    if not model.free:
        return
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        back = read_dh(tomllib.loads(dh_text(model, convention)), "table")
    same_data(model, back)
    same_motion(model, back, rng, [])
    assert differences(model, back, "dh") == []


@pytest.mark.parametrize("name", sorted(GRID))
def test_models_made_body_by_body(name):
    """Their links have no joints' names and no mass; nothing may be lost all the same."""
    model = GRID[name]()
    back = loads_toml(to_toml(model))
    same_motion(model, back, np.random.default_rng(1), [k.name for k in model.links])
    assert len(back.bodies) == len(model.bodies)


def test_models_made_body_by_body_as_urdf():
    model = tree(["revolute", "prismatic", "planar", "floating", "revolute"], [0, 1, 2, 1, 3], 3)
    same_motion(model, urdf(model), np.random.default_rng(2), [k.name for k in model.links])


def test_specs_build_the_same_model():
    for name in sorted(GRID):
        model = rebuilt(GRID[name](), {})
        links, joints = specs(model)
        again = build(model.name, links, joints, gravity=model.gravity)
        assert again == replace(model, source="")


def test_negative_masses_are_refused_by_urdf_and_kept_by_toml():
    arm = ordern.load("ur5")
    values = arm.parameters()
    values[0] = -1.0
    with pytest.warns(ordern.OrdernWarning, match="mass of -1 kg"):
        odd = arm.with_parameters(values, on_invalid="warn")
    np.testing.assert_array_equal(odd.parameters()[0], -1.0)
    with pytest.raises(ordern.ModelError, match="-1 kg"):
        to_urdf(odd.model)
    np.testing.assert_array_equal(ordern.Robot(loads_toml(to_toml(odd.model))).parameters(), odd.parameters())


# --- the proof of convert ---------------------------------------------------------------------------------------------------
def whole():
    """A robot with something of everything that URDF can hold."""
    rng = np.random.default_rng(5)
    one = {key: 0.5 + k for k, key in enumerate(PROPERTIES) if key != "lower"}
    three = {key: (0.5 + k, 0.6 + k, 0.7 + k) for k, key in enumerate(PROPERTIES)} | {"lower": (-1.0, -1.1, -1.2)}
    links = [link(rng, name, False) for name in ("base", "a", "b", "c", "d")]
    links[1] = replace(links[1], visuals=(Geometry("box", (0.1, 0.2, 0.3), "", placement(rng), (0.1, 0.2, 0.3, 1.0)),))
    links[2] = replace(links[2], collisions=(Geometry("mesh", (1.0, 2.0, 1.0), "x.stl"),))
    joints = [
        JointSpec("ja", "revolute", "base", "a", placement(rng), (0.0, 0.6, 0.8), lower=-0.7, **one),
        JointSpec(
            "jb",
            "prismatic",
            "a",
            "b",
            placement(rng),
            (1.0, 0.0, 0.0),
            mimic=MimicSpec("ja", 0.3, 0.2),
            lower=-1.0,
            **one,
        ),
        JointSpec("jc", "planar", "a", "c", placement(rng), (0.0, 0.0, 1.0), **three),
        JointSpec("jd", "fixed", "c", "d", placement(rng)),
    ]
    return ordern.Robot(build("whole", links, joints, gravity=(0.0, 0.5, -9.0)))


def tampered(text, form):
    """The text with one number changed by a millionth of itself, once for each number, and with each name changed."""
    pattern = r'(?<=["\s\[])-?\d+\.\d+(?:e-?\d+)?' if form == "urdf" else r"(?<=[\s\[])-?\d+\.\d+(?:e-?\d+)?"
    for found in re.finditer(pattern, text):
        value = float(found[0])
        yield found, text[: found.start()] + repr(value * (1 + 1e-6) if value else 1e-6) + text[found.end() :]


@pytest.mark.parametrize("form", ["urdf", "toml"])
def test_the_proof_sees_every_number(form):
    """Each number of the written text moved by a millionth makes the proof fail (or the text is refused)."""
    given = whole()
    text = convert(given, form, states=2).text
    unseen, count = [], 0
    for found, other in tampered(text, form):
        line = text[: found.start()].rsplit("\n", 1)[-1] + text[found.start() :].split("\n", 1)[0]
        if "axis" in line and found[0] == "1.0":
            continue  # an axis has no length
        if any(word in line for word in ("rgba", "<?xml", "<!--", "exact =")) or (
            "ordern" not in line and re.search(r'="?1000000000\.0', line)
        ):
            continue
        count += 1
        try:
            read = load_urdf(other, on_invalid="warn") if form == "urdf" else loads_toml(other, on_invalid="warn")
        except ordern.ModelError:
            continue
        if not differences(given.model, read, form) and same_poses(given.model, read):
            unseen.append(line)
    assert not unseen, unseen
    assert count > 80


def same_poses(a, b):
    q = random_q(a, np.random.default_rng(3))
    poses, poses2 = link_poses(a, q), link_poses(b, q)
    return all(np.abs(poses[name] - poses2[name]).max() < 1e-12 for name in poses)


def test_the_proof_looks_at_every_kind():
    given = whole()
    bodies = list(given.model.bodies)
    for key in PROPERTIES:
        for i in (1, 3):
            worse = list(bodies)
            worse[i] = replace(bodies[i], **{key: tuple(v + 1e-9 for v in getattr(bodies[i], key))})
            assert {d.kind for d in differences(given.model, given.model.with_bodies(worse))} == {key}
    for change, kind in (
        ({"gravity": (0.0, 0.5, -9.1)}, "gravity"),
        ({"name": "hole"}, "names"),
    ):
        assert {d.kind for d in differences(given.model, replace(given.model, **change))} == {kind}
    for field, value, kind in (("visuals", (), "shapes"), ("collisions", (), "shapes"), ("name", "other", "names")):
        links = tuple(replace(k, **{field: value}) if k.name in ("a", "b") else k for k in given.model.links)
        assert kind in {d.kind for d in differences(given.model, replace(given.model, links=links))} or field == "name"


def test_convert_says_what_a_format_cannot_hold():
    arm = whole()
    made = convert(ordern.Robot(arm.model.changed(drives=(Drive("pull", (("ja", 1.0),)),))), "urdf", states=3)
    assert made.proof.ok
    assert any("motors with laws of their own ('pull')" in text for text in made.proof.lost)
    assert "not in this format: motors" in made.proof.table().text()
    arm = convert(ordern.load("ur5"), "dh:distal", states=3)
    assert arm.proof.ok
    assert any("shapes" in text for text in arm.proof.lost)
    assert any("names" in text for text in arm.proof.lost)
    assert convert(ordern.load("ur5"), "toml", states=3).proof.lost == ()


@pytest.mark.parametrize("form", FORMS)
def test_changed_robots_convert(form):
    """The whole way, kernels included, for the example that used to be written with its old masses."""
    arm = ordern.load("ur5")
    heavy = arm.with_parameters(arm.parameters() * 2).with_payload(
        "tool0" if "tool0" in arm.link_names else arm.link_names[-1], 1.5
    )
    made = convert(heavy, form, states=3)
    assert made.proof.ok, made.proof.table().text()


def test_one_sided_limits_stay_one_sided():
    for lower, upper in ((-1.0, None), (None, 2.0)):
        parts = [LinkSpec("a"), LinkSpec("b", 1.0, (0.1, 0, 0), (0.1, 0.1, 0.1, 0, 0, 0))]
        model = build("x", parts, [JointSpec("j", "revolute", "a", "b", axis=(0, 0, 1), lower=lower, upper=upper)])
        text = to_urdf(model)
        assert 'type="revolute"' in text
        back = load_urdf(text)
        assert (back.bodies[1].lower, back.bodies[1].upper) == (model.bodies[1].lower, model.bodies[1].upper)


@pytest.mark.parametrize("form", ["model", "toml", "urdf"])
@settings(max_examples=examples(25))
@given(seed=st.integers(0, 10**6), mimic=st.booleans(), count=st.integers(0, 2))
def test_named_states_are_the_same_pose_under_any_options(form, seed, mimic, count):
    """Joints locked where the state has them, and followers let go, leave every link where it was, and as fast."""
    rng = np.random.default_rng(seed)
    model = robot(seed, [*SERIAL, "spherical"], shapes=False)
    q, qd = random_q(model, rng), rng.uniform(-1, 1, model.nv)
    model = model.changed(states=(State("home", tuple(map(float, q)), tuple(map(float, qd))),))
    single = [i for i in model.free if model.bodies[i].joint.nq == 1][:count]
    options = {"mimic": mimic, "locked": {model.bodies[i].name: float(q[model.offsets[i][0]]) for i in single}}
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "locked puts")  # beyond its limits, as a random state may be
        back = {
            "model": lambda: rebuilt(model, options),
            "toml": lambda: loads_toml(to_toml(model), **options),
            "urdf": lambda: load_urdf(to_urdf(model), gravity=model.gravity, on_invalid="warn", **options),
        }[form]()
    if not back.free:
        return
    (state,) = back.states
    assert len(state.q) == back.nq and len(state.qd) == back.nv
    poses, poses2 = link_poses(model, q), link_poses(back, np.array(state.q))
    for name in (k.name for k in model.links):
        np.testing.assert_allclose(poses2[name], poses[name], rtol=0, atol=2e-13 * (1 + np.abs(poses[name]).max()))
    for i in back.free:  # every joint that moves has its own speed, by its master's
        body = model.bodies[model.joint_index[back.bodies[i].name]]
        at, to, n = model.offsets[model.joint_index[body.name]][1], back.offsets[i][1], body.joint.nv
        ratio = 1.0 if body.mimic is None else body.mimic.ratio
        np.testing.assert_allclose(state.qd[to : to + n], ratio * qd[at : at + n], rtol=1e-15)


@pytest.mark.parametrize("kind", ["hinge", "slide"])
@pytest.mark.parametrize("axis", ["1 0 0", "0 1 0", "0 0 1"])
@pytest.mark.parametrize("pos", ["0 0 0", "1 0 0", "0 1 0", "0 0 1", "0.3 0 0", "0 -0.3 0", "1 1 0", "0 0.2 0.1"])
def test_frames_beside_their_axis_stay_where_they_are(kind, axis, pos):
    """A link of URDF is on the axis of its joint: one beside it needs a link between, one that is on it needs none."""
    inertia = "<inertial mass='2' pos='.1 .2 .3' diaginertia='.1 .2 .25'/>"
    joint = f"<joint name='j' type='{kind}' axis='{axis}' pos='{pos}'/>"
    inner = f"<body name='b' pos='.3 .1 0'>{inertia}<joint name='k' axis='0 1 1'/></body>"
    text = f"<mujoco><worldbody><body name='a' pos='.1 .2 .3'>{inertia}{joint}{inner}</body></worldbody></mujoco>"
    model = load_mjcf(text)
    back = load_urdf(to_urdf(model), gravity=model.gravity)
    robot, other = ordern.Robot(model), ordern.Robot(back)
    q = np.random.default_rng(0).uniform(-1, 1, (3, 2))
    for name in ("a", "b"):
        np.testing.assert_allclose(
            other.forward_kinematics(q, name), robot.forward_kinematics(q, name), rtol=0, atol=1e-12
        )  # some ten products of numbers up to one
    np.testing.assert_allclose(other.mass_matrix(q), robot.mass_matrix(q), rtol=0, atol=1e-11)
    beside = np.cross(np.array(pos.split(), float), np.array(axis.split(), float)).any()
    assert len(back.links) == len(model.links) + 1 + bool(kind == "hinge" and beside)  # one more is the world


@pytest.mark.parametrize("follow", [False, True])
def test_joints_that_follow_stand_where_their_masters_lead_them(follow):
    model, rng = GRID["mimic"](), np.random.default_rng(3)
    q, qd = tuple(rng.normal(size=model.nq).tolist()), tuple(rng.normal(size=model.nv).tolist())
    wanted = []
    for i, body in enumerate(model.bodies[1:], 1):
        iq, iv = model.offsets[i if body.mimic is None else body.mimic.body]
        ratio, offset = (1.0, 0.0) if body.mimic is None else (body.mimic.ratio, body.mimic.offset)
        if body.mimic is None or follow:
            wanted.append(f'<at joint="{body.name}" q="{ratio * q[iq] + offset}" qd="{ratio * qd[iv]}"/>')
    assert coordinates(model, q, qd, follow=follow) == wanted and len(wanted) == (6 if follow else 4)


@pytest.mark.parametrize("name", ["arm.json", "arm", "arm.urdf", "arm.XML"])
def test_save_writes_no_name_that_load_refuses(tmp_path, name):
    with pytest.raises(ordern.InputError, match=r"name it \.toml"):
        ordern.robots.pendulum().save(tmp_path / name)
    assert not list(tmp_path.iterdir())
    ordern.robots.pendulum().save("/dev/null")
