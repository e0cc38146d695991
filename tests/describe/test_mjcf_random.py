"""Random MJCF against MuJoCo: what both read is the same, and what MuJoCo refuses for its numbers is refused or complained about."""

import re
import warnings

import mujoco
import numpy as np

from ordern.algorithms.registry import choose
from ordern.describe.mjcf import mjcf_schema
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.describe.mjcf.mjcf_write import to_mjcf
from ordern.errors import ModelError, OrdernWarning
from ordern.robot import Robot
from ordern.runtime.numbers import numbers

from .mujoco_oracle import converted, errors
from .mujoco_oracle import state as random_state
from .random_mjcf import Bodies, Motors

CLOSE = 1e-9  # of MuJoCo's principal axes, see mujoco_oracle
EXACT = 1e-12  # a few roundings of numbers of size 1


def both(text):
    """MuJoCo's model and ours; None for one that is refused."""
    try:
        m = mujoco.MjModel.from_xml_string(text)
    except ValueError:
        m = None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        try:
            return m, load_mjcf(text, mimic=False, on_invalid="warn")
        except ModelError:
            return m, None


def test_bodies():
    """Trees of bodies with classes, frames, copies and options of the compiler; MuJoCo refuses some that have too little mass."""
    agreed = 0
    for seed in range(60):
        text = Bodies(np.random.default_rng(seed)).text()
        m, model = both(text)
        if m is None:
            continue
        assert model is not None, text
        found = errors(m, model, states=1, seed=seed)
        assert max(found.values()) < CLOSE, (seed, found, text)
        agreed += 1
    assert agreed > 40


def test_static_bodies_that_are_fused():
    """MuJoCo then has fewer bodies, and counts none that is fixed to the world to the total mass; the joints feel the same."""
    fused = 0
    for seed in (11, 12, 22, 26, 38, 47):
        text = Bodies(np.random.default_rng(seed)).text().replace("<compiler ", "<compiler fusestatic='true' ", 1)
        m, model = both(text)
        d = mujoco.MjData(m)
        m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
        d.qpos[:], d.qvel[:] = random_state(m, np.random.default_rng(seed))
        mujoco.mj_forward(m, d)
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        q, v, T, c = converted(m, d.qpos, d.qvel)
        bias = T.T @ (d.qfrc_bias + M @ c - d.qfrc_spring)
        ours = [numbers(choose(what, None, model), model) for what in ("mass_matrix", "bias_forces")]
        for made, theirs in ((ours[0](q), T.T @ M @ T), (ours[1](q, v), bias)):
            assert np.abs(made - theirs).max() < 1e-7 * np.abs(theirs).max(), (
                seed
            )  # 1e-12 kg m^2 of principal axes on light bodies
        fused += m.nbody < len({link.name for link in model.links} - {"world"}) + 1
    assert fused > 3


def test_motors():
    """Gains, laws, limits, and the inertia and damping that motors lend, through classes of other shortcuts too."""
    agreed = 0
    for seed in range(150):
        text = Motors(np.random.default_rng(seed)).text()
        m, model = both(text)
        assert (m is None) == (model is None), text
        if m is None:
            continue
        ours = {drive.name: drive for drive in model.drives}
        for k in range(m.nu):
            name = mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_ACTUATOR, k)
            plain = not m.actuator_dyntype[k] and not m.actuator_gaintype[k]
            assert (name in ours) == plain, text
            if plain:
                drive, affine = ours[name], bool(m.actuator_biastype[k])
                assert np.allclose(drive.gain, m.actuator_gainprm[k, 0], rtol=0, atol=EXACT), text
                assert np.allclose(drive.bias, m.actuator_biasprm[k, :3] * affine, rtol=EXACT, atol=EXACT), text
                assert np.allclose(
                    drive.control, m.actuator_ctrlrange[k][: 2 * m.actuator_ctrllimited[k]], rtol=0, atol=EXACT
                ), text
                assert np.allclose(
                    drive.force, m.actuator_forcerange[k][: 2 * m.actuator_forcelimited[k]], rtol=0, atol=EXACT
                ), text
        d = mujoco.MjData(m)
        d.qvel[:] = 0.5, 0.7, -0.3
        mujoco.mj_forward(m, d)
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        assert np.allclose(numbers(choose("mass_matrix", None, model), model)(d.qpos), M, rtol=EXACT, atol=EXACT), text
        assert np.allclose(model.per_velocity("damping", 0.0) * d.qvel, -d.qfrc_damper, rtol=EXACT, atol=EXACT), text
        agreed += 1
    assert agreed > 120


def test_ratios_of_damping_where_tendons_have_inertia():
    """Springs and servos by damping ratio feel the inertia of tendons and of the motors on them, which no M here has."""
    for seed in range(40):
        rng = np.random.default_rng(seed)
        own = Motors(rng)
        text = own.text().replace("<fixed name='t'", f"<fixed name='t' armature='{rng.uniform(0, 2)}'")
        text = text.replace("name='k'", f"name='k' springdamper='{own.some(2, 0.1, 2)}'", 1)
        text = text.replace(
            "<actuator>",
            f"<actuator><position name='x' tendon='{rng.choice(['t', 's'])}' gear='{own.some(1, 1, 4)}' armature='{own.some(1, 0, 1)}'"
            f" kp='{own.some(1, 1, 9)}' dampratio='{own.some(1, 0.1, 2)}'/>",
        )
        m, model = both(text)
        if m is None:
            continue
        (drive,) = (drive for drive in model.drives if drive.name == "x")
        assert np.allclose(drive.bias, m.actuator_biasprm[0, :3], rtol=CLOSE), text
        (body,) = (body for body in model.bodies if body.name == "k")
        at = mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_JOINT, "k")
        assert np.allclose(body.stiffness, m.jnt_stiffness[at].ravel()[0], rtol=CLOSE), text
        assert "inertia of tendons" in "".join(model.beyond)


UNREAD = {"asset", "deformable", "contact"} | mjcf_schema.HARMLESS  # sections of which only meshes and models are read
OUTLINE = re.compile(r"(\s*)(\(?\w+\)?\w*) \((.)\)\s*(.*)")


def schema():
    """(path of elements, attributes) of MuJoCo's own table of MJCF, which it prints with three blanks a level."""
    made, path = {}, []
    for line in mujoco.mj_printSchema(False, False).splitlines():
        found = OUTLINE.match(line)
        if found:
            path = [*path[: len(found[1]) // 3], found[2].replace("(world)", "")]
            made.setdefault(tuple(path), set()).update(found[4].split())
        else:
            made[tuple(path)] |= set(line.split())
    return made


def test_every_element_and_attribute_of_mujoco_is_known():
    found = schema()
    assert len(found) > 150 and "armature" in found["mujoco", "body", "joint"]
    for path, attributes in found.items():
        if (
            len(path) < 2
            or path[1] in UNREAD
            or "plugin" in path
            or "flexcomp" in path
            or path[:3] == ("mujoco", "tendon", "spatial")
        ):
            continue
        section, tag = path[1], path[-1]
        allowed = mjcf_schema.KNOWN.get(tag)
        if section in ("actuator", "default") and tag in mjcf_schema.ACTUATORS:
            allowed = mjcf_schema.ACTUATORS[tag]
        elif section == "equality":
            allowed = mjcf_schema.EQUALITIES.get(tag)
        if allowed is not None and path[:3] != ("mujoco", "tendon", "fixed", "joint")[:3]:
            assert attributes <= allowed, (path, attributes - allowed)
        if path[:-1] and path[-2] in mjcf_schema.INSIDE and len(path) > 2:
            assert tag in mjcf_schema.INSIDE[path[-2]], path
    assert {path[1] for path in found if len(path) == 2} <= mjcf_schema.SECTIONS


def test_written_bodies_are_read_back():
    """Joints in the same order, with the same numbers, mass matrix and forces of motion."""
    written = 0
    for seed in range(40):
        try:
            model = load_mjcf(Bodies(np.random.default_rng(seed)).text())
            text = to_mjcf(model)
        except ModelError:  # too little mass somewhere
            continue
        back = load_mjcf(text)
        assert [b.name for b in back.bodies] == [b.name for b in model.bodies], seed
        for one, other in zip(model.bodies[1:], back.bodies[1:], strict=True):
            for key in ("lower", "upper", "damping", "friction", "armature", "stiffness", "springref"):
                ours, theirs = getattr(one, key), getattr(other, key)
                assert (
                    np.allclose(ours, theirs, rtol=EXACT, atol=EXACT)
                    if ours and theirs
                    else not any(ours or theirs or ())
                ), (seed, key)
        rng = np.random.default_rng(seed)
        q, v = Robot(model).random(rng), rng.standard_normal(model.nv)
        for quantity, state in (("mass_matrix", (q,)), ("bias_forces", (q, v))):
            ours, theirs = (numbers(choose(quantity, None, m), m)(*state) for m in (model, back))
            assert np.abs(ours - theirs).max(initial=0.0) <= CLOSE * np.abs(ours).max(initial=0.0), (seed, quantity)
        written += 1
    assert written > 15
