"""Convert: a robot as DH table, URDF or TOML, with a numerical proof that what was written is the same robot."""

from __future__ import annotations

import tempfile
import tomllib
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from ..describe.dh.dh_toml import dh_text, read_dh
from ..errors import InputError, ModelError, OrdernWarning, near
from ..model import Model
from ..report.tables import Table
from ..robot import Robot, load

__all__ = ["FORMS", "Converted", "Proof", "convert", "prove"]

EPS = float(np.finfo(float).eps)
FORMS = ("dh:saha", "dh:distal", "dh:proximal", "urdf", "toml")
LIMIT = 1000.0  # units of eps: six written digits would already be 1e9 off


@dataclass(frozen=True)
class Proof:
    """Largest differences over random states, in units of eps times the size of what is compared."""

    states: int
    mass_matrix: float
    torques: float
    poses: float

    @property
    def ok(self) -> bool:
        """Whether both are the same robot up to rounding."""
        return max(self.mass_matrix, self.torques, self.poses) <= LIMIT

    def table(self) -> Table:
        """The proof as a table."""
        rows = [
            ("mass matrix", self.mass_matrix, "eps |M|"),
            ("torques", self.torques, "eps |tau|"),
            ("pose of the last link", self.poses, "eps (1 + |p|)"),
        ]
        made = tuple((what, error, LIMIT, unit, "ok" if error <= LIMIT else "off") for what, error, unit in rows)
        return Table(
            f"The written robot against the given one, {self.states} random states", ("what", "difference", "limit", "unit", "verdict"), made
        )


@dataclass(frozen=True)
class Converted:
    """The text that was made, and the proof that it says the same."""

    form: str
    text: str
    proof: Proof


def convert(robot: Robot, form: str, states: int = 50, seed: int = 0) -> Converted:
    """The robot in another form, written, read back and compared.

    Args:
        robot: any robot; DH tables exist for serial ones.
        form: one of FORMS.
        states: how many random states the proof uses.
        seed: of those.
    """
    if form not in FORMS:
        raise InputError(f"cannot convert to {form!r}; there are {', '.join(FORMS)}{near(form, FORMS)}")
    if form == "toml":
        from ..describe.toml.toml_read import loads_toml
        from ..describe.toml.toml_write import to_toml

        text = to_toml(robot.model)
        back = loads_toml(text, gravity=robot.model.gravity)
    elif form == "urdf":
        from ..describe.urdf.urdf_write import to_urdf

        text = to_urdf(robot.model)
        back = _read_urdf(text, robot.model)
    else:
        text = dh_text(robot.model, form.partition(":")[2])
        back = read_dh(tomllib.loads(text), "the written table")
    return Converted(form, text, prove(robot, Robot(back), states, seed, form.startswith("dh:")))


def _read_urdf(text: str, model: Model) -> Model:
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        path = Path(folder) / "robot.urdf"
        path.write_text(text, "utf-8")
        return load(path, gravity=model.gravity, on_invalid="warn").model


def prove(robot: Robot, other: Robot, states: int = 50, seed: int = 0, from_table: bool = False) -> Proof:
    """Compare two robots with the same joints on random states; ``from_table``: the other one was read from the first one's DH table."""
    if (robot.nq, robot.n) != (other.nq, other.n):
        raise ModelError(f"the robots have {robot.n} and {other.n} degrees of freedom; they cannot be the same")
    rng = np.random.default_rng(seed)
    q = robot.random(rng, states)
    qd, qdd = rng.standard_normal((2, states, robot.n))
    # the order of branches may differ: joints are matched by name
    order_q, order_v = _matching(robot.model, other.model)
    M, tau = robot.mass_matrix(q), robot.inverse_dynamics(q, qd, qdd)
    M2 = other.mass_matrix(q[:, order_q])
    tau2 = other.inverse_dynamics(q[:, order_q], qd[:, order_v], qdd[:, order_v])
    M, tau = M[:, order_v][:, :, order_v], tau[:, order_v]
    size = np.max(np.abs(M), axis=(1, 2))
    dM = float(np.max(np.max(np.abs(M - M2), axis=(1, 2)) / size)) / EPS
    dtau = float(np.max(np.max(np.abs(tau - tau2), axis=1) / np.maximum(np.max(np.abs(tau), axis=1), size))) / EPS
    own, name = _last_links(robot.model, other.model, from_table)
    a, b = robot.forward_kinematics(q, own), other.forward_kinematics(q[:, order_q], name)
    dpose = float(np.max(np.abs(a - b)) / (1 + np.max(np.abs(a[:, :3, 3])))) / EPS
    return Proof(states, dM, dtau, dpose)


def _last_links(a: Model, b: Model, from_table: bool) -> tuple[str, str]:
    """The link that the last joint moves, and what it is called in the other model (behind a DH table it is the very last)."""
    own = next(link.name for link in a.links if link.body == len(a.bodies) - 1)
    return own, b.links[-1].name if from_table or own not in b.link_index else own


def _matching(a: Model, b: Model) -> tuple[list[int], list[int]]:
    """For each coordinate (and velocity) of b, its index in a: by joint name where the names are the same, else in order."""
    names = {a.bodies[i].name: i for i in a.free}
    if set(names) != {b.bodies[i].name for i in b.free}:
        return list(range(a.nq)), list(range(a.nv))
    pairs = [names[b.bodies[i].name] for i in b.free]
    order_q = [a.offsets[i][0] + k for i in pairs for k in range(a.bodies[i].joint.nq)]
    order_v = [a.offsets[i][1] + k for i in pairs for k in range(a.bodies[i].joint.nv)]
    return order_q, order_v
