"""Motion: the right-hand side of a simulation as traced programs; what varies over time or runs is an input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ..algorithms import motion as text
from ..algorithms.closed_chart import closed_coordinates, closed_state
from ..algorithms.registry import Algorithm, choose
from ..errors import SingularError
from ..model import Model
from ..model.model_scalars import plain
from ..model.thresholds import MASS_MATRIX_SOLVED, MOST_WRITTEN_OUT
from ..program.cheapest_frames import cheapest_frames
from ..program.finish import finished, put, settled
from ..program.ir import Program
from ..program.layout import collect
from ..program.rolled import RolledTree, schedule
from ..program.storage import RolledCoordinates
from ..program.trace import Tracer, TraceTree
from ..runtime.foreign_code import foreign_codes
from ..spatial.joint_space import JointVector
from ..tree import JointVectors, wrenches
from . import closed_sides as closed
from .channels import NEVER, Channel, Stops
from .closed_loops import in_loops, repeats
from .langevin_sides import SIDES, with_fixman
from .variation import vary
from .writing import Writing, computed_model, each

if TYPE_CHECKING:
    from ..model.by_body import PerBody, Row

__all__ = ["Motion"]

# share of its size added to each pivot of the loops' matrix: a run may pass a configuration at which this is singular
GUARD = 1e-15


@dataclass(frozen=True)
class Motion:
    """A robot with its drive, friction, end stops and wrenches.

    Attributes:
        model: the robot.
        law: writes the drive's joint forces; None for none.
        dynamics: method of forward dynamics; None for the fastest.
        damping: viscous friction, (n,) in N m s/rad or N s/m.
        coulomb: dry friction, (n,) in N m or N.
        slow: speed (rad/s or m/s) at which dry friction is fully there.
        stops: end stops, or None.
        wrenches: link number to channel of six numbers.
        varied: channels "damping", "friction", "payload" (ten numbers on a link) or "scale" (one a body) that replace
            the description's.
        payload: the link that carries the payload.
        following: (body, damping, dry friction) of joints that mimic another one and rub themselves.
        effort: what the drive can do at most, (n,) in N m or N; () for anything.
        fixman: kT of Fixman's potential, (n,) equal numbers or one row a run, J; None without it.
    """

    model: Model
    law: Any = None
    dynamics: str | None = None
    damping: tuple[float, ...] = ()
    coulomb: tuple[float, ...] = ()
    slow: float = 0.01
    stops: Stops | None = None
    wrenches: Mapping[int, Channel] = field(default_factory=dict)
    varied: Mapping[str, Channel] = field(default_factory=dict)
    payload: int = -1
    following: tuple[tuple[int, float, float], ...] = ()
    effort: tuple[float, ...] = ()
    fixman: Channel | None = None

    @cached_property
    def algorithm(self) -> Algorithm:
        """The forward dynamics method: to six joints, solving the mass matrix is 4 to 16 % faster than sweeping."""
        short = (
            self.dynamics is None
            and self.model.nv <= MASS_MATRIX_SOLVED
            and not self.model.coupled
            and not self.model.loops
        )
        return choose(
            "forward_dynamics", "composite" if short else self.dynamics, self.model, varied="payload" in self.varied
        )

    @property
    def world(self) -> bool:
        """Whether the law needs poses in the world, so that frames must stay."""
        return bool(getattr(self.law, "world", False))

    @cached_property
    def prepared(self) -> Model:
        """The model in its cheapest frames."""
        return computed_model(self.model, self.algorithm, self.world)

    @cached_property
    def rolled(self) -> bool:
        """Whether walks stay loops: those of long robots, unless a law is written out for one that is not too long."""
        if getattr(self.law, "written_out", False) and len(self.model.bodies) <= MOST_WRITTEN_OUT:
            return False
        return (
            any(isinstance(part, range) for part in schedule(self.model))
            and not self.model.coupled
            and not self.model.loops
        )

    @cached_property
    def repeats(self) -> bool:
        """Whether walks may be loops over units of a closed chain, where numbers of joints are inputs too."""
        return repeats(self)

    @cached_property
    def channels(self) -> dict[str, Channel]:
        """All inputs besides the state, by name."""
        own = {} if self.law is None else self.law.channels(self.model)
        made: dict[str, Channel] = {f"law {name}": channel for name, channel in own.items()}
        made |= {f"wrench{link}": channel for link, channel in self.wrenches.items()}
        made |= self.varied
        if self.fixman is not None:
            made["temperature"] = self.fixman
        if self.rolled or self.repeats:
            if self.stops is not None:
                made |= self.stops.channels()
            for name, values in (("damping", self.damping), ("friction", self.coulomb), ("effort", self.effort)):
                if any(values):
                    made.setdefault(name, Channel("v", np.minimum(values, NEVER)))
        return made

    @cached_property
    def key(self) -> str:
        """Everything that decides the programs."""
        law = self.law.stamp if self.law is not None else "free"
        ends = self.stops
        sides = () if ends is None else (ends.lower, ends.upper, ends.stiffness, ends.damping)
        stops = tuple(x.tobytes().hex() for x in sides)
        shape = [(name, c.kind, c.count, c.signal is not None) for name, c in self.channels.items()]
        rubbing = (self.damping, self.coulomb, self.slow, self.following, self.effort)
        what = (self.model.fingerprint, self.algorithm.name, law, rubbing, stops, shape, self.payload, self.rolled)
        return repr((*what, *foreign_codes(self.model, self.algorithm.function), "motion 3"))

    # --- programs -----------------------------------------------------------------------------------------------------
    def program(self, kind: str) -> Program:
        """One of the programs.

        rates: (base, x, qd, ...) -> dx, qdd;  hamilton: (base, x, p, ...) -> dx, dp, qd;  advance: (base, x) -> q,
        size;
        momenta: (q, qd) -> p;  report: (q, qd, ...) -> qdd, tau;  drive: (q, qd, ...) -> tau. With loops, the first two
        give the least pivot of their equations as well, which tells how near to singular these are.
        """
        if self.rolled:
            return settled(lambda states: self._traced(kind, states))
        return (in_loops(self, kind) if self.model.loops else None) or self._traced(kind, None)[1]()

    def inputs(self, kind: str) -> dict[str, int]:
        """Names and sizes of a program's inputs: the state, then all channels."""
        nq, nv = self.model.nq, self.model.nv
        charted = kind in ("rates", "hamilton", "advance", "conserve", "tangent", "drift")
        state = {"base": nq, "x": nv} if charted else {"q": nq, "qd": nv}
        state |= {"rates": {"qd": nv}, "drift": {"qd": nv}, "hamilton": {"p": nv}, "conserve": {"p": nv}}.get(kind, {})
        if kind == "tangent" or (kind == "advance" and self.model.loops):
            state["qd"] = nv
        return state | {name: c.count for name, c in self.channels.items()}

    def outputs(self, kind: str) -> dict[str, tuple[int, ...]]:
        """Names and shapes of a program's outputs."""
        nq: tuple[int, ...] = (self.model.nq,)
        nv: tuple[int, ...] = (self.model.nv,)
        after, pivot = ({"tangent": nv}, {"pivot": (1,)}) if self.model.loops else ({}, {})
        return {
            "rates": {"dx": nv, "qdd": nv} | pivot, "hamilton": {"dx": nv, "dp": nv, "qd": nv} | pivot,
            "advance": {"q": nq, "size": nv} | after,
            "conserve": {"q": nq, "size": nv} | after, "tangent": after,
            "momenta": {"p": nv}, "report": {"qdd": nv, "tau": nv}, "drive": {"tau": nv},
            "drift": {"dx": nv, "qdd": nv}, "kick": {"qdd": nv}, "heat": {"qdd": nv},
        }[kind]  # fmt: skip

    def _traced(self, kind: str, states: dict[Any, Any] | None) -> tuple[Any, Callable[[], Program]]:
        tracer, model = Tracer(), self.prepared
        tree = TraceTree(model, tracer) if states is None else RolledTree(model, tracer, schedule(model), states)
        vary(self, tree, tracer)
        outputs: dict[str, tuple[int, ...]] = {}
        for name, which, value in self.values(kind, tree, tracer):
            count = {"q": model.nq, "v": model.nv, "1": 1}[which]
            outputs[name] = (count,)
            self._output(tree, tracer, name, which, value, count)
        rolled = tree if isinstance(tree, RolledTree) else None
        return tree, lambda: finished(f"motion/{kind}", tracer, outputs, rolled, self.inputs(kind), labels=False)

    def values(self, kind: str, tree: TraceTree, tracer: Tracer) -> Any:
        """Name, kind ("q", "v" or "1") and numbers of each output of a program."""
        tree.guard = GUARD
        try:
            return _KINDS[kind](self, tree, tracer)
        except ZeroDivisionError:  # a constant of the robot, whatever the state
            text = (
                "a joint moves no inertia, with the payload too; give its link mass and inertia or the joint armature"
            )
            raise SingularError(f"motion of robot {self.model.name!r}: its mass matrix is singular ({text})") from None

    @cached_property
    def frames(self) -> Model:
        """The prepared model before regrouping."""
        return cheapest_frames(self.model) if self.algorithm.joint_space and not self.world else self.model

    def input(self, tree: TraceTree, tracer: Tracer, name: str) -> Any:
        """A channel by name: split by body, or a list."""
        channel = self.channels[name]
        if channel.kind == "n":
            return tracer.input(name, channel.count)
        return _coordinates(tree, tracer, name, channel.kind, tree.model.nq if channel.kind == "q" else tree.model.nv)

    def coordinates(self, tree: TraceTree, tracer: Tracer, name: str) -> Any:
        """Velocities by body, an input of this name."""
        return _coordinates(tree, tracer, name, "v", self.model.nv)

    def _output(self, tree: TraceTree, tracer: Tracer, name: str, kind: str, value: Any, count: int) -> None:
        if isinstance(tree, RolledTree):
            for i, _ in tree.outward("results"):
                for c, e in enumerate(value[i]):
                    put(tree, name, i, kind, c, e)
            return
        for at in range(count):
            tracer.output(name, at, value[at])

    # --- the texts ----------------------------------------------------------------------------------------------------
    def _external(self, tree: TraceTree, tracer: Tracer) -> None:
        tree._external = wrenches(tree, {link: tracer.input(f"wrench{link}", 6) for link in self.wrenches})
        if isinstance(tree, RolledTree):
            tree.lay_external()

    def _forces(self, tree: TraceTree, tracer: Tracer, q: JointVectors, qd: JointVectors) -> tuple[Any, Any]:
        """The drive's joint forces, and all of them."""
        drive, total = self._driven(tree, tracer, q, qd)
        return drive, total if self.fixman is None else with_fixman(self, tree, tracer, q, total)

    def _driven(self, tree: TraceTree, tracer: Tracer, q: JointVectors, qd: JointVectors) -> tuple[Any, Any]:
        """The same without Fixman's."""
        drive = self._drive(tree, tracer, q, qd)
        damping, coulomb = (
            self._friction(tree, tracer, n, v) for n, v in (("damping", self.damping), ("friction", self.coulomb))
        )
        if self.stops is None and damping is None and coulomb is None and not self.following:
            return drive, drive
        zero, stop, sharp = tree.zero, self._stop(tree, tracer), 1 / self.slow

        def total(i: Row) -> JointVector:
            made = text.passive(
                q[i], qd[i], drive[i], (damping or zero)[i], (coulomb or zero)[i], sharp, lambda c: stop(i, c)
            )
            for j, d, c in self.following:  # what a joint that mimics this one loses, by its own speed
                mimic = self.model.bodies[j].mimic
                if mimic is not None and mimic.body == i:
                    lost = text.passive(
                        q[j],
                        qd[j],
                        JointVector.zero(1),
                        JointVector(plain(d)),
                        JointVector(plain(c)),
                        sharp,
                        lambda _: None,
                    )
                    made = made + lost * plain(mimic.ratio)
            return made

        return drive, each(tree, "total", "v", total)

    def _drive(self, tree: TraceTree, tracer: Tracer, q: JointVectors, qd: JointVectors) -> Any:
        """The law's joint forces within the drives' limits."""
        drive = tree.zero if self.law is None else self.law.write(Writing(self, tree, tracer, q, qd))
        if not self.effort or self.law is None:
            return drive
        if "effort" in self.channels:
            most = self.input(tree, tracer, "effort")
        else:
            most = tree.coordinates([plain(x) if np.isfinite(x) else None for x in self.effort], "v")
        return each(tree, "saturated", "v", lambda i: text.saturated(drive[i], most[i]))

    def _friction(self, tree: TraceTree, tracer: Tracer, name: str, values: tuple[float, ...]) -> Any:
        if name in self.channels:
            return self.input(tree, tracer, name)
        return tree.coordinates([plain(x) for x in values], "v") if any(values) else None

    def _stop(self, tree: TraceTree, tracer: Tracer) -> Callable[[Any, int], Any]:
        stops, model = self.stops, tree.model
        if stops is None:
            return lambda i, c: None
        if "stop0" in self.channels:
            given = [self.input(tree, tracer, f"stop{k}") for k in range(4)]
            plain_at = tree.plain_coordinates if isinstance(tree, RolledTree) else lambda i: model.bodies[i].joint.plain
            return lambda i, c: tuple(g[i][c] for g in given) if plain_at(i) else None

        def stop(i: int, c: int) -> Any:
            joint, at = model.bodies[i].joint, model.offsets[i][1] + c
            lower, upper = float(stops.lower[at]), float(stops.upper[at])
            if not joint.plain or not (np.isfinite(lower) or np.isfinite(upper)):
                return None
            ends = (lower if np.isfinite(lower) else None, upper if np.isfinite(upper) else None)
            return (*ends, float(stops.stiffness[at]), float(stops.damping[at]))

        return stop

    def _dofs(self, tree: TraceTree, table: PerBody[JointVector]) -> Any:
        if isinstance(tree, RolledTree):
            return table
        made = collect("dofs", tree, table)
        return [made.get(k, 0) for k in range(tree.model.nv)]

    def _chart(self, tree: TraceTree, tracer: Tracer) -> tuple[Any, Any, Any]:
        base, x = (
            _coordinates(tree, tracer, n, k, c) for n, k, c in (("base", "q", tree.model.nq), ("x", "v", tree.model.nv))
        )
        return base, x, each(tree, "q", "q", lambda i: tree.joint[i].step(base[i], x[i]))

    def _rates(self, tree: TraceTree, tracer: Tracer) -> Any:
        _, x, q = self._chart(tree, tracer)
        qd = _coordinates(tree, tracer, "qd", "v", tree.model.nv)
        if self.model.loops:  # so that nothing depends on how a stage misses the loops
            q, qd, pivot = closed_state(tree, q, qd)
        self._external(tree, tracer)
        _, tau = self._forces(tree, tracer, q, qd)
        dx = each(tree, "dx", "v", lambda i: tree.joint[i].joint.chart_rate(x[i], qd[i]))
        made = [("dx", "v", _flat(dx)), ("qdd", "v", self._dofs(tree, self.algorithm(tree, q, qd, tau)))]
        return [*made, ("pivot", "1", [pivot])] if self.model.loops else made

    def _solve(self, tree: TraceTree, q: JointVectors, qd: JointVectors, tau: JointVectors) -> Any:
        """Accelerations by body; a joint that mimics another one has its share of that one's."""
        made = self.algorithm(tree, q, qd, tau)
        return made if isinstance(tree, RolledTree) else tree.coordinates(self._dofs(tree, made), "v")

    def _hamilton(self, tree: TraceTree, tracer: Tracer) -> Any:
        _, x, q = self._chart(tree, tracer)
        p = _coordinates(tree, tracer, "p", "v", tree.model.nv)
        if self.model.loops:
            q, pivot = closed_coordinates(tree, q, 1)
        self._external(tree, tracer)
        qd, rate = text.hamilton(tree, q, p, self._solve)
        _, tau = self._forces(tree, tracer, q, qd)
        rates = rate if isinstance(tree, RolledTree) else tree.coordinates(self._dofs(tree, rate), "v")
        tau = closed.with_loop_forces(tree, q, qd, tau) if self.model.loops else tau
        dp = each(tree, "dp", "v", lambda i: rates[i] + tau[i])
        dx = each(tree, "dx", "v", lambda i: tree.joint[i].joint.chart_rate(x[i], qd[i]))
        made = [("dx", "v", _flat(dx)), ("dp", "v", _flat(dp)), ("qd", "v", _flat(qd))]
        return [*made, ("pivot", "1", [pivot])] if self.model.loops else made

    def _advance(self, tree: TraceTree, tracer: Tracer) -> Any:
        _, _, q = self._chart(tree, tracer)
        size = each(tree, "size", "v", lambda i: tree.joint[i].joint.scale(q[i]))
        return (
            closed.advanced(self, tree, tracer, q, _flat(size))
            if self.model.loops
            else [("q", "q", _flat(q)), ("size", "v", _flat(size))]
        )

    def _momenta(self, tree: TraceTree, tracer: Tracer) -> Any:
        q, qd = self._state(tree, tracer)
        return [("p", "v", self._dofs(tree, text.momenta(tree, q, qd)))]

    def _report(self, tree: TraceTree, tracer: Tracer) -> Any:
        q, qd = self._state(tree, tracer)
        self._external(tree, tracer)
        drive, tau = self._forces(tree, tracer, q, qd)
        shown = each(tree, "drive", "v", lambda i: drive[i])
        return [("qdd", "v", self._dofs(tree, self.algorithm(tree, q, qd, tau))), ("tau", "v", _flat(shown))]

    def _only_drive(self, tree: TraceTree, tracer: Tracer) -> Any:
        q, qd = self._state(tree, tracer)
        self._external(tree, tracer)
        drive = self._drive(tree, tracer, q, qd)
        return [("tau", "v", _flat(each(tree, "drive", "v", lambda i: drive[i])))]

    def _state(self, tree: TraceTree, tracer: Tracer) -> tuple[Any, Any]:
        return _coordinates(tree, tracer, "q", "q", tree.model.nq), _coordinates(tree, tracer, "qd", "v", tree.model.nv)


def _coordinates(tree: TraceTree, tracer: Tracer, name: str, kind: str, count: int) -> Any:
    if isinstance(tree, RolledTree):
        tracer.inputs[name] = count
        return RolledCoordinates(tree, name, kind)
    return tree.coordinates(tracer.input(name, count), kind)


def _flat(made: object) -> Any:
    return getattr(made, "values", made)


_KINDS: dict[str, Callable[[Motion, TraceTree, Tracer], Any]] = {
    "rates": Motion._rates, "hamilton": Motion._hamilton, "advance": Motion._advance, "momenta": Motion._momenta,
    "report": Motion._report, "drive": Motion._only_drive,
    "conserve": closed.conserved, "tangent": closed.tangent, **SIDES,
}  # fmt: skip
