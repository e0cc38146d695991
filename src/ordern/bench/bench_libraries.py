"""More peers: frax inside JAX, Drake, and MuJoCo's batches. Each where it is installed and can have the robot."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import OrdernError
from ..robot import Robot
from .bench_peers import Calls, Mujoco, Peer, _bare, _Scaled

__all__ = ["LIBRARIES"]


def _urdf(robot: Robot, folder: str) -> str:
    """Without shapes, and without friction: Drake counts that among the forces of inverse dynamics."""
    path = Path(folder) / "robot.urdf"
    bodies = [replace(body, damping=(), friction=()) for body in robot.model.bodies]
    Robot(robot.model.with_bodies(bodies).changed(links=tuple(_bare(link) for link in robot.model.links))).to_urdf(path)
    return str(path)


class Frax(Peer):
    """Inside jit and vmap in float64; ours beside it is ``ordern.jax`` in the same place."""

    def __init__(self, robot: Robot, frax: Any, jax: Any) -> None:
        self.name, self.jax, self.subject = f"frax {getattr(frax, '__version__', '')}".strip(), jax, robot
        with tempfile.TemporaryDirectory() as folder:
            self.robot = frax.Robot(_urdf(robot, folder), joint_ordering=list(robot.joint_names))
        self.gravity = np.concatenate([-np.array(robot.model.gravity), np.zeros(3)])
        nothing, one = jax.jit(lambda x: x + 1), jax.numpy.zeros(1)
        self.empty = lambda: nothing(one).block_until_ready()

    def calls(self, quantity: str, arrays: list[Any], workers: int, single: bool) -> Calls | None:
        """Its recursion; the order of a spatial vector is tried both ways round."""
        if quantity != "inverse_dynamics" or single:
            return None
        jax = self.jax
        with jax.enable_x64(True):
            given = [jax.numpy.asarray(a) for a in arrays]
            right = self.subject.inverse_dynamics(*arrays)
            for gravity in (self.gravity, np.roll(self.gravity, 3)):
                function = jax.jit(jax.vmap(lambda q, v, a, g=gravity: self.robot.rnea(q, v, a, g, None)))
                made = np.asarray(function(*given))
                if np.allclose(made, right, atol=1e-6):
                    break

        def run() -> Any:
            with jax.enable_x64(True):
                return function(*given).block_until_ready()

        return "jit(vmap(rnea))", run, lambda: np.asarray(run())

    def ours(self, robot: Robot, quantity: str, arrays: list[Any]) -> Callable[[], Any] | None:
        """The same transformations around our function."""
        from ..evaluate.jax_functions import function

        jax = self.jax
        with jax.enable_x64(True):
            given = [jax.numpy.asarray(a) for a in arrays]
            made = jax.jit(jax.vmap(function(quantity, robot)))
            made(*given)

        def run() -> Any:
            with jax.enable_x64(True):
                return made(*given).block_until_ready()

        return run


def _as_frax_advises() -> None:
    """What frax's README asks for, so that it is timed at its best; JAX reads it when it starts."""
    if "jax" not in sys.modules and importlib.util.find_spec("jax") is not None:
        flags = ["--xla_cpu_multi_thread_eigen=false"]
        if tuple(int(part) for part in importlib.metadata.version("jax").split(".")[:3] if part.isdigit()) >= (0, 9, 1):
            flags.append("--xla_cpu_scheduler_type=CPU_SCHEDULER_TYPE_MEMORY_OPTIMIZED")
        os.environ.setdefault("XLA_FLAGS", " ".join(flags))


def _frax(robot: Robot) -> Peer | str:
    _as_frax_advises()
    try:
        import frax
        import jax
    except ImportError:
        return "frax is not installed (pip install frax)"
    if robot.nq != robot.n or len(robot.model.bodies) > 41:
        return f"frax: {robot.name} has a floating base or more than 40 bodies"
    try:
        return Frax(robot, frax, jax)
    except (OrdernError, ValueError, RuntimeError, AttributeError, KeyError, AssertionError, TypeError) as error:
        return f"frax cannot have {robot.name}: {error}"


class Drake(Peer):
    """MultibodyPlant, state by state."""

    def __init__(self, robot: Robot, drake: Any, forces: Any) -> None:
        self.name = "drake"
        self.plant = drake.multibody.plant.MultibodyPlant(0.0)
        parser = drake.multibody.parsing.Parser(self.plant)
        with tempfile.TemporaryDirectory() as folder:
            parser.AddModels(_urdf(robot, folder))
        frame = self.plant.GetFrameByName(robot.link_names[0])
        self.plant.WeldFrames(self.plant.world_frame(), frame)
        self.plant.mutable_gravity_field().set_gravity_vector(np.array(robot.model.gravity))
        self.plant.Finalize()
        names = [
            self.plant.get_joint(k).name()
            for k in self.plant.GetJointIndices()
            if self.plant.get_joint(k).num_velocities()
        ]
        if names != list(robot.joint_names):
            raise ValueError("another order of joints")
        self.context = self.plant.CreateDefaultContext()
        self.forces: Any = forces(self.plant)
        self.empty = lambda: self.plant.num_positions()

    def calls(self, quantity: str, arrays: list[Any], workers: int, single: bool) -> Calls | None:
        """CalcInverseDynamics and CalcMassMatrix."""
        if quantity not in ("inverse_dynamics", "mass_matrix") or workers > 1:
            return None
        plant, context = self.plant, self.context

        def one(q: object, qd: object = None, qdd: object = None) -> Any:
            plant.SetPositions(context, q)
            if qd is None:
                return plant.CalcMassMatrix(context)
            plant.SetVelocities(context, qd)
            self.forces.SetZero()
            plant.CalcForceElementsContribution(context, self.forces)
            return plant.CalcInverseDynamics(context, qdd, self.forces)

        call = "CalcMassMatrix" if quantity == "mass_matrix" else "CalcInverseDynamics"
        if single:
            return call, partial(one, *arrays), lambda: np.array(one(*arrays))
        rows = list(zip(*arrays, strict=True))
        few = rows[:256]

        def loop() -> None:
            for row in few:
                one(*row)

        return (
            f"{call} in a loop",
            _Scaled(loop, len(rows) / len(few)),
            lambda: np.stack([np.array(one(*row)) for row in rows]),
        )


def _drake(robot: Robot) -> Peer | str:
    try:
        import pydrake.all
        import pydrake.multibody.parsing
        import pydrake.multibody.plant
        from pydrake.multibody.tree import MultibodyForces
    except ImportError:
        return "drake is not installed (pip install drake)"
    if robot.nq != robot.n or any(b.mimic for b in robot.model.bodies):
        return f"drake: {robot.name} has a floating base or joints that mimic others"
    try:
        return Drake(robot, pydrake, MultibodyForces)
    except (OrdernError, ValueError, RuntimeError, AttributeError, TypeError) as error:
        return f"drake cannot have {robot.name}: {error}"


class MujocoBatch(Mujoco):
    """mujoco.batch: forward dynamics of many states at once on its own threads."""

    def __init__(self, robot: Robot, mujoco: object) -> None:
        super().__init__(robot, mujoco)
        self.name = self.name.replace("mujoco", "mujoco.batch")

    def calls(self, quantity: str, arrays: list[Any], workers: int, single: bool) -> Calls | None:
        """Batch.forward."""
        from mujoco.batch import Batch

        if quantity != "forward_dynamics" or single:
            return None
        batch = Batch(self.model, nsim=len(arrays[0]), nthread=workers)
        for name, values in zip(("qpos", "qvel", "qfrc_applied"), arrays, strict=True):
            batch.bind(name)[:] = values
        acceleration = batch.bind("qacc")

        def result() -> Any:
            batch.forward()
            return np.array(acceleration)

        return "Batch.forward", lambda: batch.forward(), result


def _batch(robot: Robot) -> Peer | str:
    try:
        import mujoco
        import mujoco.batch
    except ImportError:
        return "mujoco.batch is not installed (pip install 'mujoco>=4')"
    try:
        return MujocoBatch(robot, mujoco)
    except (OrdernError, ValueError, RuntimeError) as error:
        return f"mujoco.batch cannot have {robot.name}: {error}"


LIBRARIES: list[Callable[[Robot], Peer | str]] = [_batch, _frax, _drake]
