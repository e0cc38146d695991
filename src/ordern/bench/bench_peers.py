"""The peers: for each quantity the fastest call a library offers from Python, named, for one state or a batch."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import OrdernError
from ..robot import Robot

__all__ = ["PEERS", "Peer"]

# name of the call, what is timed, its results for the comparison
Calls = tuple[str, Callable[[], Any], Callable[[], Any]]


class Peer(ABC):
    """A library with the same robot loaded."""

    name = ""

    @abstractmethod
    def calls(self, quantity: str, arrays: list[Any], workers: int, single: bool) -> Calls | None:
        """The fastest way to do this work, or None if it has none."""

    def ours(self, robot: Robot, quantity: str, arrays: list[Any]) -> Callable[[], Any] | None:
        """What stands beside it, if that is not the robot's own method on NumPy arrays."""
        return None

    empty: Callable[[], Any] | None = (
        None  # a call of the same library that computes nothing: what its way in from Python costs
    )


class Pinocchio(Peer):
    """Pinocchio by its C++ batch functions where the wheel has them, else by a Python loop."""

    name = "pinocchio"

    def __init__(self, robot: Robot, pin: Any) -> None:
        self.pin, self.name = pin, f"pinocchio {pin.__version__}"
        model = robot.model
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "robot.urdf"
            robot.to_urdf(path)
            self.model = pin.buildModelFromUrdf(str(path))
        if self.model.nv != robot.n:
            raise ValueError(f"it has {self.model.nv} degrees of freedom there, not {robot.n}: mimic joints or loops")
        self.model.gravity.linear = np.array(model.gravity)
        self.data, self.pool = self.model.createData(), pin.ModelPool(self.model, 8)
        self.order, self.turns = self._order(model), self._turns(model)
        self.empty = lambda: self.model.existBodyName("")

    def _order(self, model: Any) -> Any:
        """For each of our velocities, Pinocchio's (its floating joints have the linear part first)."""
        order: list[int] = []
        for i in model.free:
            body = model.bodies[i]
            start = self.model.joints[self.model.getJointId(body.name)].idx_v
            order += [start + k for k in ((3, 4, 5, 0, 1, 2) if body.joint.nv == 6 else range(body.joint.nv))]
        return np.array(order)

    def _turns(self, model: Any) -> list[tuple[int, int, int, int]]:
        """Start and number of each joint's coordinates, ours and theirs (cosine and sine if continuous)."""
        made = []
        for i in model.free:
            theirs = self.model.joints[self.model.getJointId(model.bodies[i].name)]
            made.append((model.offsets[i][0], model.bodies[i].joint.nq, theirs.idx_q, theirs.nq))
        return made

    def _theirs(self, array: Any, is_q: bool) -> Any:
        if not is_q:
            made = np.empty_like(array)
            made[..., self.order] = array
            return made
        made = np.empty((*array.shape[:-1], self.model.nq))
        for iq, n, at, m in self.turns:
            own = array[..., iq : iq + n]
            made[..., at : at + m] = own if n == m else np.concatenate([np.cos(own), np.sin(own)], axis=-1)
        return made

    def calls(self, quantity: str, arrays: list[Any], workers: int, single: bool) -> Calls | None:
        """See the class."""
        pin, model, data = self.pin, self.model, self.data
        given = [self._theirs(a, k == 0) for k, a in enumerate(arrays)]
        if quantity in ("inverse_dynamics", "forward_dynamics") and not single:
            name = "rneaInParallel" if quantity == "inverse_dynamics" else "abaInParallel"
            function, columns = getattr(pin, name), [np.asfortranarray(a.T) for a in given]
            out = np.empty((model.nv, len(arrays[0])), order="F")

            def batch() -> Any:
                function(workers, self.pool, *columns, out)
                return out.T[:, self.order]

            return name, lambda: function(workers, self.pool, *columns, out), batch
        if workers > 1 and not single:
            return None  # no batch call: its Python loop has one thread
        names = {
            "inverse_dynamics": "rnea", "forward_dynamics": "aba", "mass_matrix": "crba",
            "mass_matrix_inverse": "computeMinverse",
            "inverse_dynamics_derivatives": "computeRNEADerivatives",
            "forward_dynamics_derivatives": "computeABADerivatives",
        }  # fmt: skip
        function = getattr(pin, names[quantity])
        square = np.ix_(self.order, self.order)

        def result(row: tuple[Any, ...]) -> Any:
            made = function(model, data, *row)
            if quantity in ("inverse_dynamics", "forward_dynamics"):
                return np.array(made)[self.order]
            matrix = np.array(made[0] if isinstance(made, tuple) else made)
            if quantity in ("mass_matrix", "mass_matrix_inverse"):
                matrix = np.triu(matrix) + np.triu(matrix, 1).T
            return matrix[square]

        if single:
            row = tuple(given)
            return names[quantity], partial(function, model, data, *row), lambda: result(row)
        rows = list(zip(*given, strict=True))
        few = rows[:512]  # a loop costs the same for each state; 512 of them are timed and scaled up

        def loop() -> None:
            for row in few:
                function(model, data, *row)

        return (
            f"{names[quantity]} in a loop",
            _Scaled(loop, len(rows) / len(few)),
            lambda: np.stack([result(row) for row in rows]),
        )


class _Scaled:
    """A call that stands for a larger one: block timers see it repeat."""

    def __init__(self, call: Callable[[], None], times: float) -> None:
        self.call, self.times = call, round(times)

    def __call__(self) -> None:
        for _ in range(self.times):
            self.call()


def _pinocchio(robot: Robot) -> Peer | str:
    try:
        import pinocchio
    except ImportError:
        return "pinocchio is not installed (pip install pin)"
    try:
        return Pinocchio(robot, pinocchio)
    except (OrdernError, ValueError, RuntimeError) as error:
        return f"pinocchio cannot have {robot.name}: {error}"


class Mujoco(Peer):
    """mj_inverse and mj_forward, state by state; constraints, contacts and damping off."""

    name = "mujoco"

    def __init__(self, robot: Robot, mujoco: Any) -> None:
        self.name = f"mujoco {mujoco.__version__}"
        self.mujoco = mujoco
        bare = Robot(robot.model.changed(links=tuple(_bare(link) for link in robot.model.links)))
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "robot.urdf"
            bare.to_urdf(path)
            text = path.read_text()
        flags = (
            '<mujoco><compiler discardvisual="true" fusestatic="false" balanceinertia="false" boundmass="0" '
            'boundinertia="0"/></mujoco>'
        )
        self.model = mujoco.MjModel.from_xml_string(text.replace("</robot>", flags + "</robot>"))
        self.model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT) | int(
            mujoco.mjtDisableBit.mjDSBL_CONTACT
        )
        self.model.opt.gravity[:] = robot.model.gravity
        self.model.dof_damping[:] = 0
        self.model.dof_frictionloss[:] = 0
        self.data = mujoco.MjData(self.model)
        names = [mujoco.mj_id2name(self.model, mujoco.mjtObj.mjOBJ_JOINT, k) for k in range(self.model.njnt)]
        if names != list(robot.joint_names) or self.model.nv != robot.n:
            raise ValueError("another order of joints")
        self.empty = lambda: mujoco.mj_isPyramidal(self.model)

    def calls(self, quantity: str, arrays: list[Any], workers: int, single: bool) -> Calls | None:
        """See the class."""
        if quantity not in ("inverse_dynamics", "forward_dynamics") or workers > 1:
            return None
        m, model, data = self.mujoco, self.model, self.data
        inverse = quantity == "inverse_dynamics"
        function = m.mj_inverse if inverse else m.mj_forward
        target, source = (data.qacc, data.qfrc_inverse) if inverse else (data.qfrc_applied, data.qacc)

        def one(q: object, qd: object, x: object) -> None:
            data.qpos[:], data.qvel[:], target[:] = q, qd, x
            function(model, data)

        def result(row: tuple[Any, ...]) -> Any:
            one(*row)
            return source.copy()

        name = function.__name__ if hasattr(function, "__name__") else quantity
        if single:
            row = tuple(arrays)
            return name, partial(one, *row), lambda: result(row)
        rows = list(zip(*arrays, strict=True))
        few = rows[:512]

        def loop() -> None:
            for row in few:
                one(*row)

        return f"{name} in a loop", _Scaled(loop, len(rows) / len(few)), lambda: np.stack([result(row) for row in rows])


def _bare(link: Any) -> Any:
    from dataclasses import replace

    return replace(link, visuals=(), collisions=())


def _mujoco(robot: Robot) -> Peer | str:
    try:
        import mujoco
    except ImportError:
        return "mujoco is not installed (pip install mujoco)"
    try:
        return Mujoco(robot, mujoco)
    except (OrdernError, ValueError, RuntimeError) as error:
        return f"mujoco cannot have {robot.name}: {error}"


PEERS: list[Callable[[Robot], Peer | str]] = [_pinocchio, _mujoco]
