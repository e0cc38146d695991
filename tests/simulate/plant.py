"""An independent plant: the equations of motion of a simulation, written again around Pinocchio, and random robots and options for it.

Joints that mimic others are coordinates of their own here, tied by qf = G q + o: M = G^T Mf G and forces G^T f. Nothing of ordern's algorithms is
used, only the numbers of its Model.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pinocchio as pin
from hypothesis import strategies as st

import ordern
import robots
from ordern.joints import JOINTS
from ordern.model import Mimic, Model

KINDS = sorted(JOINTS)
SINGLE = ["helical", "prismatic", "revolute"]
SWAP = [3, 4, 5, 0, 1, 2]  # Pinocchio has linear velocities first


def _joint(body):
    """Pinocchio's joint, and the fixed turn or shift behind it that stands for the offset."""
    name, behind = body.joint.name, pin.SE3.Identity()
    offset = getattr(body.joint, "offset", 0.0)
    if name in ("revolute", "helical"):
        behind.rotation = pin.utils.rotate("z", offset)
    if name == "prismatic":
        behind.translation = np.array([0, 0, offset])
    composite = {"cylindrical": ("RZ", "PZ"), "planar": ("PX", "PY", "RZ"), "universal": ("RX", "RY")}
    if name in composite:
        made = pin.JointModelComposite()
        for part in composite[name]:
            made.addJoint(getattr(pin, f"JointModel{part}")())
        return made, behind
    made = {
        "revolute": pin.JointModelRZ, "prismatic": pin.JointModelPZ, "spherical": pin.JointModelSpherical, "floating": pin.JointModelFreeFlyer,
        "helical": lambda: pin.JointModelHZ(body.joint.pitch),
    }[name]()  # fmt: skip
    return made, behind


def _tensor(t):
    xx, yy, zz, xy, xz, yz = t
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def _placed(p):
    return pin.SE3(np.array(p.rotation).reshape(3, 3), np.array(p.origin))


class Twin:
    """A Model in Pinocchio; bodies must be numbered depth first. ``masses`` scales bodies, ``payload`` is (link, mass, com, inertia)."""

    def __init__(self, model: Model, masses=None, payload=None) -> None:
        self.ours, self.model = model, pin.Model()
        self.model.gravity.linear = np.array(model.gravity)
        self.behind = [pin.SE3.Identity()]
        for i, body in enumerate(model.bodies[1:], 1):
            joint, behind = _joint(body)
            k = self.model.addJoint(body.parent, joint, self.behind[body.parent] * _placed(body.placement), body.name)
            assert k == i
            own = body.inertia
            I = pin.Inertia(
                own.m, np.array(own.com if own.m else (0, 0, 0)), _tensor(own.about_com() if own.m else own.I)
            )
            scale = 1.0 if masses is None else masses[i - 1]
            self.model.appendBodyToJoint(k, pin.Inertia(I.mass * scale, I.lever, I.inertia * scale), behind)
            self.behind.append(behind)
        if payload is not None:
            number, mass, com, inertia = payload
            link = model.links[number]
            extra = pin.Inertia(mass, np.array(com), _tensor(inertia))
            if link.body:
                self.model.appendBodyToJoint(link.body, extra, self.behind[link.body] * _placed(link.placement))
        self.data = self.model.createData()
        self._tie()

    def _tie(self) -> None:
        """G and o of qf = G q + o for plain joints; quaternions are copied."""
        ours = self.ours
        nf = sum(b.joint.nv for b in ours.bodies[1:])
        self.G, self.armature, self.q_at = np.zeros((nf, ours.nv)), np.zeros(nf), []
        at = 0
        for body, (iq, iv) in zip(ours.bodies[1:], ours.offsets[1:], strict=True):
            n, ratio = body.joint.nv, 1.0 if body.mimic is None else body.mimic.ratio
            order = SWAP if body.joint.name == "floating" else range(n)
            for a, b in enumerate(order):
                self.G[at + a, iv + b] = ratio
                self.armature[at + a] = (body.armature or (0.0,) * n)[b]
            self.q_at.append((iq, body.joint.nq, ratio, 0.0 if body.mimic is None else body.mimic.offset))
            at += n

    def full(self, q):
        return np.concatenate([q[iq : iq + n] * ratio + offset for iq, n, ratio, offset in self.q_at])

    def forces(self, wrenches):
        """Wrenches at links, as Pinocchio takes them."""
        made = [pin.Force.Zero() for _ in range(self.model.njoints)]
        for number, w in (wrenches or {}).items():
            link = self.ours.links[number]
            if link.body:
                made[link.body] += (self.behind[link.body] * _placed(link.placement)).act(
                    pin.Force(np.array(w[3:]), np.array(w[:3]))
                )
        return made

    def mass(self, q):
        M = pin.crba(self.model, self.data, self.full(q))
        M = np.triu(M) + np.triu(M, 1).T + np.diag(self.armature)
        return self.G.T @ M @ self.G

    def bias(self, q, v, wrenches=None):
        f = self.forces(wrenches)
        return self.G.T @ pin.rnea(
            self.model, self.data, self.full(q), self.G @ v, np.zeros(len(self.G)), pin.StdVec_Force(f)
        )

    def tau(self, q, v, a):
        return self.mass(q) @ a + self.bias(q, v)

    def energy(self, q, v):
        full = self.full(q)
        return 0.5 * v @ self.mass(q) @ v + pin.computePotentialEnergy(self.model, self.data, full)

    def link_twist(self, number, q, v):
        """[omega; v] of a link's origin in its axes."""
        link = self.ours.links[number]
        if not link.body:
            return np.zeros(6)
        pin.forwardKinematics(self.model, self.data, self.full(q), self.G @ v)
        t = (self.behind[link.body] * _placed(link.placement)).actInv(self.data.v[link.body])
        return np.concatenate([t.angular, t.linear])


def coordinate_rates(model: Model, q, v):
    """dq/dt."""
    made = []
    for i in model.free:
        joint, (iq, iv) = model.bodies[i].joint, model.offsets[i]
        own, w = q[iq : iq + joint.nq], v[iv : iv + joint.nv]
        if joint.nq == joint.nv:
            made.append(w)
            continue
        x, y, z, s = own[-4:]
        turn = 0.5 * np.array([[s, -z, y], [z, s, -x], [-y, x, s], [-x, -y, -z]]) @ w[:3]
        if joint.name == "floating":
            made.append(pin.Quaternion(np.array([x, y, z, s])).normalized().toRotationMatrix() @ w[3:])
        made.append(turn)
    return np.concatenate(made)


@dataclass
class Case:
    """A robot and the options of one simulation, with its right-hand side written independently."""

    model: Model
    options: dict[str, Any]  # of simulate, without torque
    law: tuple[str, dict[str, Any]]
    seed: int = 0
    made: Any = None

    def plants(self):
        """The robot as it is, and as described."""
        p = self.options.get("parameters") or {}
        load = p.get("payload")
        if load is not None:
            load = (self.model.link_index[load["link"]], load["mass"], load["com"], load["inertia"])
        key = (id(self.model), load)
        if self.made is None or self.made[0] != key:
            self.made = (key, (Twin(self.model, p.get("masses"), load), Twin(self.model)))
        return self.made[1]

    def wrenches(self, t, q, v):
        made = {}
        for name, w in (self.options.get("external") or {}).items():
            if callable(w):
                w = w(t, q, v)
            elif isinstance(w, tuple):
                w = [np.interp(t, w[0], column) for column in np.transpose(w[1])]
            made[self.model.link_index[name]] = np.asarray(w, float)
        return made

    def drive(self, t, q, v, real, nominal):
        kind, k = self.law
        zero = np.zeros(self.model.nv)
        if kind == "none":
            return zero
        if kind == "constant":
            return k["tau"]
        error = difference(self.model, q, k["target"]) if "target" in k else zero
        if kind == "pd":
            return k["kp"] * error - k["kd"] * v
        if kind == "pd+gravity":
            return k["kp"] * error - k["kd"] * v + real.bias(q, zero)
        if kind == "computed":
            return nominal.tau(q, v, k["kp"] * error - k["kd"] * v)
        if kind == "gravity":
            return nominal.bias(q, zero) - k["kd"] * v
        raise AssertionError(kind)

    def passive(self, q, v):
        """Friction and end stops, joint by joint."""
        model, o = self.model, self.options
        made, p = np.zeros(model.nv), o.get("parameters") or {}
        slow = o.get("friction_speed", 0.01)
        for i, body in enumerate(model.bodies[1:], 1):
            n, (_, at), ratio = body.joint.nv, model.offsets[i], 1.0 if body.mimic is None else body.mimic.ratio
            for c in range(n):
                d, f = (
                    (getattr(body, what) or (0.0,) * n)[c] if o.get("friction", True) else 0.0
                    for what in ("damping", "friction")
                )
                if body.mimic is None:
                    d, f = (p[key][at + c] if key in p else x for key, x in (("damping", d), ("friction", f)))
                speed = ratio * v[at + c]
                made[at + c] -= ratio * (d * speed + f * np.tanh(speed / slow))
        return made + self.stops(q, v)

    def stops(self, q, v):
        """Springs behind the limits, of a joint's own and of those that mimic it, whichever is met first."""
        model, made = self.model, np.zeros(self.model.nv)
        limits = self.options.get("limits", True)
        if not limits:
            return made
        k, b = limits["stiffness"], limits["damping"]
        for i in model.free:
            body, (iq, iv) = model.bodies[i], model.offsets[i]
            if body.joint.nq != body.joint.nv:
                continue
            for c in range(body.joint.nv):
                low, high = (body.lower or (-np.inf,) * 9)[c], (body.upper or (np.inf,) * 9)[c]
                for other in model.bodies:
                    if other.mimic is not None and other.mimic.body == i:
                        own = (other.lower or (-np.inf,))[0], (other.upper or (np.inf,))[0]
                        ends = sorted((e - other.mimic.offset) / other.mimic.ratio for e in own)
                        low, high = max(low, ends[0]), min(high, ends[1])
                x, s = q[iq + c], v[iv + c]
                made[iv + c] -= max(x - high, 0) * (k[iv + c] + b[iv + c] * s)
                made[iv + c] += max(low - x, 0) * (k[iv + c] - b[iv + c] * s)
        return made

    def accelerations(self, t, q, v):
        """qdd and the drive's joint forces."""
        real, nominal = self.plants()
        tau = self.drive(t, q, v, real, nominal)
        if self.options.get("saturate"):
            effort = self.model.per_velocity("effort", np.inf)
            tau = np.clip(tau, -effort, effort)
        return np.linalg.solve(real.mass(q), tau + self.passive(q, v) - real.bias(q, v, self.wrenches(t, q, v))), tau

    def torque(self):
        """The law as a user gives it."""
        C, (kind, k) = ordern.control, self.law
        return {
            "none": lambda: None,
            "constant": lambda: k["tau"],
            "pd": lambda: C.PD(k["target"], k["kp"], k["kd"]),
            "pd+gravity": lambda: C.PD(k["target"], k["kp"], k["kd"], gravity=True),
            "computed": lambda: C.ComputedTorque(k["target"], k["kp"], k["kd"]),
            "gravity": lambda: C.GravityCompensation(k["kd"]),
        }[kind]()

    def start(self):
        rng = np.random.default_rng(self.seed + 1)
        q, v, _, _ = robots.state(self.model, rng)
        return q, 0.7 * v


def difference(model: Model, q, target):
    """From q to the target as the laws measure it: for attitudes the sine of the angle about its axis, in the body."""
    made = []
    for i in model.free:
        joint, (iq, _) = model.bodies[i].joint, model.offsets[i]
        a, b = q[iq : iq + joint.nq], target[iq : iq + joint.nq]
        if joint.nq == joint.nv:
            made.append(b - a)
            continue
        R, S = (pin.Quaternion(np.array(e[-4:])).normalized().toRotationMatrix() for e in (a, b))
        turn = R.T @ S
        made.append(0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]))
        if joint.name == "floating":
            made.append(R.T @ (b[:3] - a[:3]))
    return np.concatenate(made)


# --- random ones ----------------------------------------------------------------------------------------------------------------------
LAWS = ["none", "constant", "pd", "pd+gravity", "computed", "gravity"]


def finish(model: Model, rng, losses: bool, limits: bool, mimic: bool) -> Model:
    """Friction, limits, efforts and joints that follow others."""
    bodies = list(model.bodies)
    for i, body in enumerate(bodies[1:], 1):
        n, extra = body.joint.nv, {"effort": tuple(rng.uniform(0.5, 3.0, body.joint.nv))}
        if losses:
            extra |= {"damping": tuple(rng.uniform(0.05, 0.4, n)), "friction": tuple(rng.uniform(0.05, 0.4, n))}
        if limits and body.joint.nq == n:
            low, high = rng.uniform(-0.6, 0.0, n), rng.uniform(0.0, 0.6, n)
            low[rng.random(n) < 0.3], high[rng.random(n) < 0.3] = -np.inf, np.inf
            extra |= {"lower": tuple(map(float, low)), "upper": tuple(map(float, high))}
        masters = [j for j in range(1, i) if bodies[j].joint.name in SINGLE and bodies[j].mimic is None]
        if mimic and body.joint.name in SINGLE and masters and rng.random() < 0.6:
            ratio = float(rng.uniform(0.4, 1.5) * rng.choice([-1, 1]))
            extra["mimic"] = Mimic(int(rng.choice(masters)), ratio, float(rng.uniform(-0.2, 0.2)))
        bodies[i] = replace(body, **extra)
    return model.with_bodies(bodies)


def case(kinds, seed, law, external, parameters, losses, limits, mimic, saturate) -> Case:
    """One simulation, everything random from the seed."""
    rng = np.random.default_rng(seed)
    parents, path = [], [0]
    for i in range(1, len(kinds) + 1):  # depth first
        del path[int(rng.integers(1, len(path) + 1)) if rng.random() < 0.4 else len(path) :]
        parents.append(path[-1])
        path.append(i)
    model = finish(robots.tree(list(kinds), parents, seed), rng, losses, limits, mimic)
    n, links = model.nv, [link.name for link in model.links]
    options: dict[str, Any] = {"friction_speed": 0.05, "saturate": saturate, "limits": False}
    if limits:
        options["limits"] = {"stiffness": rng.uniform(20, 60, n), "damping": rng.uniform(1, 5, n)}
    if external:
        times = np.linspace(0, 0.5, 4)
        options["external"] = {links[-1]: rng.normal(size=6), links[len(links) // 2]: (times, rng.normal(size=(4, 6)))}
    if parameters:
        count = len(model.bodies) - 1
        load = {
            "link": links[-1],
            "mass": 0.7,
            "com": (0.1, -0.2, 0.05),
            "inertia": (0.02, 0.03, 0.025, 0.001, 0.002, -0.001),
        }
        rubbing = {name: rng.uniform(0, 0.3, n) for name in ("damping", "friction")}
        options["parameters"] = {"masses": rng.uniform(0.5, 2.0, count), "payload": load, **rubbing}
    tau, target = rng.normal(size=n), robots.state(model, rng)[0]
    gains = {"kp": rng.uniform(1, 5, n), "kd": rng.uniform(0.1, 1, n), "target": target}
    named = {"none": {}, "constant": {"tau": tau}, "gravity": {"kd": gains["kd"]}}.get(law, gains)
    return Case(model, options, (law, named), seed)


def recipes(kinds=KINDS, most=4):
    """Arguments of ``case``: any of them."""
    yes = st.booleans()
    names = st.lists(st.sampled_from(kinds), min_size=1, max_size=most)
    return st.tuples(names, st.integers(0, 10**6), st.sampled_from(LAWS), yes, yes, yes, yes, yes, yes)
