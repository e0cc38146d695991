"""A model against MuJoCo's own reading of the same description: inertias, mass matrix, forces of motion, springs, damping, kinematics.

MuJoCo keeps a body's inertia as principal moments and axes, found to some 1e-12 kg m^2 (absolute), which shows in light bodies. So the
inertias themselves are compared to that, and the rest is computed with MuJoCo's inertias put into the model.
"""

from dataclasses import replace

import mujoco
import numpy as np

from ordern.algorithms.registry import choose
from ordern.model import Mass
from ordern.runtime.numbers import numbers

AXES = (
    1e-6  # of a body's largest moment: what MuJoCo's principal axes leave of light bodies (at most 1.8e-7 in Menagerie)
)
TINY = 3e-12  # kg m^2, the same absolutely


def name(m, kind, k):
    return mujoco.mj_id2name(m, kind, k)


def bodies(m):
    """MuJoCo's bodies by name, the world left out."""
    return {name(m, mujoco.mjtObj.mjOBJ_BODY, b): b for b in range(1, m.nbody) if name(m, mujoco.mjtObj.mjOBJ_BODY, b)}


def tensor(m, b):
    turn = np.zeros(9)
    mujoco.mju_quat2Mat(turn, m.body_iquat[b])
    turn = turn.reshape(3, 3)
    return turn @ np.diag(m.body_inertia[b]) @ turn.T


def inertia_error(m, model):
    """The largest relative error of mass, mass centre (m) and inertia over all bodies that have names."""
    links, worst = {link.name: link for link in model.links}, 0.0
    for label, b in bodies(m).items():
        link = links.get(label)
        if link is None or not m.body_mass[b]:
            continue
        xx, yy, zz, xy, xz, yz = link.inertia
        ours, theirs = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), tensor(m, b)
        off = abs(ours - theirs).max() / (AXES * abs(theirs).max() + TINY)
        worst = max(
            worst,
            abs(link.mass / m.body_mass[b] - 1) / 1e-12,
            abs(np.array(link.com) - m.body_ipos[b]).max() / 1e-12,
            off,
        )
    return worst


def with_their_inertias(m, model):
    """The model with MuJoCo's masses in place of its own."""
    links, known = [], bodies(m)
    for link in model.links:
        b = known.get(link.name)
        if b is not None and m.body_mass[b]:
            t = tensor(m, b)
            six = tuple(float(t[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
            link = replace(link, mass=float(m.body_mass[b]), com=tuple(map(float, m.body_ipos[b])), inertia=six)
        links.append(link)
    total = [Mass()] * len(model.bodies)
    for link in links:
        total[link.body] = total[link.body] + Mass.from_com(link.mass, link.com, link.inertia).moved(link.placement)
    return replace(
        model, links=tuple(links), bodies=tuple(replace(b, inertia=t) for b, t in zip(model.bodies, total, strict=True))
    )


def order(m, model):
    """MuJoCo's joint of each of the model's: both go depth first, so the order is the same."""
    assert m.njnt == len(model.free)
    for k, i in enumerate(model.free):
        label = name(m, mujoco.mjtObj.mjOBJ_JOINT, k)
        assert not label or label == model.bodies[i].name
    return range(m.njnt)


def state(m, rng):
    """Random coordinates within the limits, and velocities."""
    qpos = np.zeros(m.nq)
    for j in range(m.njnt):
        at, kind = m.jnt_qposadr[j], m.jnt_type[j]
        if kind <= 1:
            turn = rng.standard_normal(4)
            qpos[at : at + 7 - 3 * kind] = [*rng.uniform(-1, 1, 3 - 3 * kind), *turn / np.linalg.norm(turn)]
        else:
            low, high = m.jnt_range[j] if m.jnt_limited[j] else (-1, 1)
            qpos[at] = rng.uniform(low, high)
    return qpos, rng.standard_normal(m.nv)


def converted(m, qpos, qvel):
    """Our coordinates, and T and c with MuJoCo's velocity = T ours and acceleration = T ours + c."""
    q, T, c, at = [], np.zeros((m.nv, m.nv)), np.zeros(m.nv), 0
    for j in range(m.njnt):
        a, d, kind = m.jnt_qposadr[j], m.jnt_dofadr[j], m.jnt_type[j]
        if kind == 0:
            turn = np.zeros(9)
            mujoco.mju_quat2Mat(turn, qpos[a + 3 : a + 7])
            R = turn.reshape(3, 3)
            q += [*qpos[a : a + 3], *np.roll(qpos[a + 3 : a + 7], -1)]
            T[d + 3 : d + 6, at : at + 3], T[d : d + 3, at + 3 : at + 6] = np.eye(3), R
            c[d : d + 3] = np.cross(R @ qvel[d + 3 : d + 6], qvel[d : d + 3])
            at += 6
        elif kind == 1:
            q += [*np.roll(qpos[a : a + 4], -1)]
            T[d : d + 3, at : at + 3] = np.eye(3)
            at += 3
        else:
            q.append(qpos[a])
            T[d, at] = 1.0
            at += 1
    return np.array(q), T.T @ qvel if m.nv else qvel, T, c


def errors(m, model, states=2, seed=0):
    """The largest errors, each relative to the size of what it is in, by name; ``model`` is loaded with mimic=False."""
    made = {"inertia": inertia_error(m, model) * 1e-9, "dof": float(abs(model.nv - m.nv))}
    if model.nv != m.nv or not m.nv:
        return made
    m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    order(m, model)
    same, d, rng = with_their_inertias(m, model), mujoco.MjData(m), np.random.default_rng(seed)
    damping = model.per_velocity("damping", 0.0)

    def ours(quantity, *arguments):  # without compiling: every robot is seen once or twice
        return numbers(choose(quantity, None, same), same)(*arguments)

    def worse(key, off, size):
        made[key] = max(made.get(key, 0.0), float(np.max(np.abs(off), initial=0.0) / size))

    for _ in range(states):
        d.qpos[:], d.qvel[:] = state(m, rng)
        mujoco.mj_forward(m, d)
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, d, M)
        q, v, T, c = converted(m, d.qpos, d.qvel)
        theirs = T.T @ M @ T
        size = np.sqrt(np.outer(np.diag(theirs), np.diag(theirs)))
        worse("M", (ours("mass_matrix", q) - theirs) / size, 1.0)
        bias, held = T.T @ (d.qfrc_bias + M @ c), ours("spring_forces", q) if model.springs else np.zeros(m.nv)
        large = max(abs(bias).max(), np.diag(theirs).max() * (v @ v) / m.nv)
        worse("bias", ours("bias_forces", q, v) - held - bias, large)
        sprung = -T.T @ d.qfrc_spring
        worse("springs", held - sprung, max(abs(sprung).max(), abs(held).max(), 1e-9))
        worse("bias with springs", ours("bias_forces", q, v) - bias - sprung, large + abs(sprung).max())
        damped = -T.T @ d.qfrc_damper
        worse("damping", damping * v - damped, max(abs(damped).max(), abs(damping * v).max(), 1e-9))
        poses = dict(zip((link.name for link in same.links), ours("forward_kinematics", q), strict=True))
        for label, b in bodies(m).items():
            worse("kinematics", poses[label][:3, 3] - d.xpos[b], 1.0 + abs(d.xpos[b]).max())
            worse("kinematics", poses[label][:3, :3] - d.xmat[b].reshape(3, 3), 1.0)
    return made
