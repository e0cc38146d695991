"""Convert a robot to a DH table, URDF or TOML, and prove that motion and data stay the same."""

from __future__ import annotations

import tempfile
import tomllib
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ..algorithms.registry import choose
from ..describe.compare import KINDS, Difference, differences, lost, places
from ..describe.dh.dh_toml import dh_text, read_dh
from ..describe.dh.dh_write import ELSEWHERE
from ..describe.meshes import named_from
from ..describe.mjcf.mjcf_write import merged
from ..errors import InputError, ModelError, near
from ..model import Model
from ..model.thresholds import UNROLL
from ..report.tables import Table
from ..robot import Robot, load
from ..runtime.numbers import numbers
from ..scalars.primitives import Array

__all__ = ["FORMS", "Converted", "Proof", "convert", "form_of", "prove"]

EPS = float(np.finfo(float).eps)
LIMIT = 1000.0  # units of eps: six written digits would already be 1e9 off


@dataclass(frozen=True)
class Proof:
    """Largest differences over random states, in units of eps times the size of what is compared, and data that are not
    the same.

    ``lost`` says what the format cannot hold; nothing else may differ.
    """

    states: int
    mass_matrix: float
    torques: float
    poses: float
    differences: tuple[Difference, ...] = ()
    lost: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether both are the same robot up to rounding."""
        return max(self.mass_matrix, self.torques, self.poses) <= LIMIT and not self.differences

    def table(self) -> Table:
        """The proof as a table, with differences and losses below."""
        rows: list[tuple[str, float, float, str]] = [
            ("mass matrix", self.mass_matrix, LIMIT, "eps |M|"),
            ("torques", self.torques, LIMIT, "eps |tau|"),
            ("poses of the links", self.poses, LIMIT, "eps (1 + |p|)"),
        ]
        rows += [(kind, float(sum(d.kind == kind for d in self.differences)), 0.0, "differ") for kind in KINDS]
        made = tuple((what, error, most, unit, "ok" if error <= most else "off") for what, error, most, unit in rows)
        notes = (*map(str, self.differences[:20]), *(f"not in this format: {text}" for text in self.lost))
        title = f"The written robot against the given one, {self.states} random states"
        return Table(title, ("what", "difference", "limit", "unit", "verdict"), made, notes)


@dataclass(frozen=True)
class Converted:
    """The text that was made, and the proof that it says the same."""

    form: str
    text: str
    proof: Proof


def form_of(form: str) -> str:
    """One of FORMS by any name its convention has: dh:standard is dh:distal; what is unknown stays as it is."""
    kind, colon, name = form.strip().lower().partition(":")
    return f"dh:{ELSEWHERE.get(name, name)}" if kind == "dh" and colon else form.strip().lower()


def convert(robot: Robot, form: str, states: int = 50, seed: int = 0, folder: Path | None = None) -> Converted:
    """The robot in another form, written, read back and compared.

    Args:
        robot: any robot; DH tables exist for serial ones.
        form: one of FORMS.
        states: how many random states the proof uses.
        seed: of those.
        folder: where the file will lie; meshes are named from there.
    """
    form = form_of(form)
    if form not in FORMS:
        raise InputError(
            f"cannot convert to {form!r}; there are "
            f"{', '.join(FORMS)}{near(form, (*FORMS, *(f'dh:{name}' for name in ELSEWHERE)))}"
        )
    write, read = _WAYS[form]
    if folder is not None and form != "mjcf":  # whose writer names them itself
        robot = Robot(named_from(robot.model, folder.absolute()))
    text: str = _to_mjcf(robot.model, folder) if form == "mjcf" else write(robot.model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        back = read(text, robot.model)
    return Converted(form, text, prove(robot, Robot(back), states, seed, form.startswith("dh:"), form))


def _to_toml(model: Model) -> str:
    from ..describe.toml.toml_write import to_toml

    return to_toml(model)


def _read_toml(text: str, _: Model) -> Model:
    from ..describe.toml.toml_read import loads_toml

    return loads_toml(text, on_invalid="warn")


def _to_urdf(model: Model) -> str:
    from ..describe.urdf.urdf_write import to_urdf

    return to_urdf(model)


def _read_urdf(text: str, _: Model) -> Model:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "robot.urdf"
        path.write_text(text, "utf-8")
        return load(path, on_invalid="warn").model


def _to_mjcf(model: Model, folder: Path | None = None) -> str:
    from ..describe.mjcf.mjcf_write import to_mjcf

    return to_mjcf(model, folder)


def _read_mjcf(text: str, _: Model) -> Model:
    from ..describe.mjcf.mjcf_read import load_mjcf

    return load_mjcf(text, on_invalid="warn")


def _to_sdf(model: Model) -> str:
    from ..describe.sdf.sdf_write import to_sdf

    return to_sdf(model)


def _read_sdf(text: str, model: Model) -> Model:
    from ..describe.sdf.sdf_read import load_sdf

    base = "floating" if any(body.joint.name == "floating" for body in model.bodies[1:]) else "fixed"
    return load_sdf(text, base=base, on_invalid="warn")


def _dh_way(convention: str) -> Any:
    def read(text: str, _: Model) -> Model:
        return read_dh(tomllib.loads(text), "the written table", on_invalid="warn")

    return lambda model: dh_text(model, convention), read


# form: how it is written, and read back beside the model it was made of
_WAYS: dict[str, tuple[Callable[[Model], str], Callable[[str, Model], Model]]] = {
    **{f"dh:{name}": _dh_way(name) for name in ("saha", "distal", "proximal")},
    "urdf": (_to_urdf, _read_urdf),
    "mjcf": (_to_mjcf, _read_mjcf),
    "sdf": (_to_sdf, _read_sdf),
    "toml": (_to_toml, _read_toml),
}
FORMS = tuple(_WAYS)


def prove(
    robot: Robot, other: Robot, states: int = 50, seed: int = 0, from_table: bool = False, form: str | None = None
) -> Proof:
    """Compare two robots with the same joints: their dynamics on random states, and all of their data that the form can
    hold.

    ``from_table``: the other one was read from the first one's DH table.
    """
    form = form or ("dh:saha" if from_table else "toml")
    if (robot.nq, robot.n) != (other.nq, other.n):
        raise ModelError(f"the robots have {robot.n} and {other.n} degrees of freedom; they cannot be the same")
    apart, missing = tuple(differences(robot.model, other.model, form)), tuple(lost(robot.model, form))
    rng = np.random.default_rng(seed)
    q = robot.random(rng, states)
    qd, qdd = rng.standard_normal((2, states, robot.n))
    # the order of branches may differ: joints are matched by name
    order_q, order_v = _matching(robot.model, other.model, form)
    dpose = _poses(robot, other, q, q[:, order_q], form)
    if not robot.n:
        return Proof(states, 0.0, 0.0, dpose, apart, missing)
    M, tau = _computed(robot, "mass_matrix", q), _forces(robot, q, qd, qdd)
    M2 = _computed(other, "mass_matrix", q[:, order_q])
    tau2 = _forces(other, q[:, order_q], qd[:, order_v], qdd[:, order_v])
    M, tau = M[:, order_v][:, :, order_v], tau[:, order_v]
    size = np.maximum(np.max(np.abs(M), axis=(1, 2)), np.finfo(float).tiny)
    dM = float(np.max(np.max(np.abs(M - M2), axis=(1, 2)) / size)) / EPS
    dtau = float(np.max(np.max(np.abs(tau - tau2), axis=1) / np.maximum(np.max(np.abs(tau), axis=1), size))) / EPS
    if robot.model.loops:
        dtau = max(dtau, _closures(robot, other, q, q[:, order_q], order_v))
    return Proof(states, dM, dtau, dpose, apart, missing)


def _computed(robot: Robot, quantity: str, *given: Array) -> Any:
    """A quantity on NumPy's arrays: machine code of a robot that is compared once takes longer to make than to use."""
    if len(robot.model.bodies) > UNROLL:
        made = getattr(robot, quantity)(*given)
        return np.stack([*made.values()], axis=1) if isinstance(made, dict) else made
    return numbers(choose(quantity, None, robot.model), robot.model)(*given)


def _forces(robot: Robot, q: Array, qd: Array, qdd: Array) -> Any:
    """Joint forces; of a robot with loops those of its spanning tree, since drives of open loops have none."""
    if robot.model.loops:
        return np.einsum("bij,bj->bi", _computed(robot, "mass_matrix", q), qdd) + _computed(robot, "bias_forces", q, qd)
    return _computed(robot, "inverse_dynamics", q, qd, qdd)


def _closures(robot: Robot, other: Robot, q: Any, q2: Any, order: Sequence[int]) -> float:
    """The largest difference of the equations that close the loops and of their Jacobians."""
    A, A2 = (_computed(x, "constraint_jacobian", at) for x, at in ((robot, q), (other, q2)))
    r, r2 = (_computed(x, "constraint_residual", at) for x, at in ((robot, q), (other, q2)))
    A = A[..., order]
    if A.shape != A2.shape:
        return float("inf")
    apart = np.abs(A - A2).max(axis=(1, 2)) + np.abs(r - r2).max(axis=1)
    return float((apart / (1 + np.abs(A).max(axis=(1, 2)) + np.abs(r).max(axis=1))).max()) / EPS


def _poses(robot: Robot, other: Robot, q: Array, q2: Array, form: str) -> float:
    """The largest pose difference over shared links; for a DH table, of the last joint's link only.

    MJCF has no frames between the joints of one body, and readers make links of the same names there.
    """
    between = merged(robot.model) if form == "mjcf" else ()
    names = [name for name in robot.link_names if name in other.model.link_index and name not in between]
    pairs = [(name, name) for name in names]
    if form.startswith("dh:"):
        last = next(link.name for link in robot.model.links if link.body == len(robot.model.bodies) - 1)
        pairs = [(last, other.link_names[-1])]
    ours, theirs = _computed(robot, "forward_kinematics", q), _computed(other, "forward_kinematics", q2)
    worst = 0.0
    for mine, his in pairs:
        a, b = ours[:, robot.model.link_index[mine]], theirs[:, other.model.link_index[his]]
        worst = max(worst, float(np.max(np.abs(a - b)) / (1 + np.max(np.abs(a[..., :3, 3])))) / EPS)
    return worst


def _matching(a: Model, b: Model, form: str) -> tuple[list[int], list[int]]:
    """The index in a of each coordinate (and velocity) of b: by joint name if names agree, else in order."""
    names = places(a, form)
    if set(names) != {b.bodies[i].name for i in b.free}:
        return list(range(a.nq)), list(range(a.nv))
    pairs = [names[b.bodies[i].name] for i in b.free]
    return [k for own, _ in pairs for k in own], [k for _, own in pairs for k in own]
