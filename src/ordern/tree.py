"""Tree: what an algorithm sees of a Model: walks, tables, joints and inertias, over whatever scalar an evaluator chose.

Body indices are small integers here. While tracing long chains an evaluator hands in a tree whose walks yield
*symbolic* rows (program/rolled.py); algorithms cannot tell the difference, because they only use what this class
offers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from .model import Mass, Model, Placement
from .model.columns_one_by_one import ColumnsOneByOne
from .model.joint_view import JointView
from .model.model_scalars import cholesky, mass_difference, mass_scalars, plain, rotation_structure, turning
from .model.paths import FreedomRows
from .model.regular import central, regular
from .scalars.dual import derivative
from .scalars.primitives import Scalar
from .spatial import Mat3, RigidInertia, Rotation, Sym3, Transform, Twist, Vec3, Wrench
from .spatial.inertia import any_cholesky, central_of, centre_of
from .spatial.joint_space import Block, Gram, JointVector, tangent

if TYPE_CHECKING:
    from .model.by_body import PerBody, Row, StoredPerBody

__all__ = ["ByBody", "Coordinates", "JointVectors", "JointView", "Matrix", "BodyTable", "Tree", "handles", "wrenches"]


class JointVectors(Protocol):
    """Coordinates, velocities, accelerations or forces of all joints, by body."""

    def __getitem__(self, i: Row, /) -> JointVector: ...


class BodyTable:
    """One value a body, of any spatial type; row 0 is the base's."""

    def __init__(self, tree: Tree, name: str, base: object, fill: object) -> None:
        self.tree, self.name = tree, name
        self.rows: dict[int, Any] = {} if fill is None else dict.fromkeys(range(len(tree.model.bodies)), fill)
        if base is not None:
            self.rows[0] = base

    def __getitem__(self, i: Row) -> Any:
        return self.rows[i]

    def __setitem__(self, i: Row, value: object) -> None:
        self.rows[i] = self.tree.stored(self.name, i, value)


class Total:
    """A running sum."""

    def __init__(self, start: Scalar) -> None:
        self.value = start

    def add(self, term: Scalar) -> None:
        """Add a body's share."""
        self.value = self.value + term


class Matrix:
    """A block for each pair of bodies; pairs that were never set are zero."""

    def __init__(self, tree: Tree, name: str) -> None:
        self.tree, self.name = tree, name
        self.blocks: dict[tuple[int, int], Any] = {}

    def __getitem__(self, at: tuple[Row, Row]) -> Any:
        found = self.blocks.get(at)
        if found is None:
            k, l = self.tree.degrees(at[0]), self.tree.degrees(at[1])
            return Block(k, l, [0] * (k * l))
        return found

    def __setitem__(self, at: tuple[Row, Row], block: Block | Gram) -> None:
        self.blocks[at] = self.tree.stored(self.name, at, block)


class Coordinates:
    """q, qd, ... split by body; a mimicking body sees its master's, scaled."""

    def __init__(self, tree: Tree, values: Sequence[Scalar], kind: str) -> None:
        self.tree, self.values, self.kind = tree, values, kind

    def __getitem__(self, i: Row) -> JointVector:
        model = self.tree.model
        body, (iq, iv) = model.bodies[i], model.offsets[i]
        start, count = (iq, body.joint.nq) if self.kind == "q" else (iv, body.joint.nv)
        e = JointVector(*self.values[start : start + count])
        if body.mimic is not None:
            e = e * self.tree.constant(body.mimic.ratio)
            if self.kind == "q":
                e = e + JointVector(self.tree.constant(body.mimic.offset))
        return e


class Tree(ColumnsOneByOne):
    """The concrete tree: rows are integers, constants pass through ``constant`` (floats, fractions, symbols, ...)."""

    guard: float = 0  # share of its size that is added to each pivot of the loops' matrix
    checked: bool = False  # whether such a pivot is set to zero where rounding alone has left it: floating point only
    both_ends: bool = True  # whether loops in a line may be eliminated from both ends, not one unit after the other

    def __init__(
        self,
        model: Model,
        constant: Callable[[float], Scalar] = plain,
        external: Mapping[int, Wrench] | None = None,
        inertias: Mapping[int, RigidInertia] | None = None,
    ) -> None:
        self.model, self.constant = model, constant
        self._external = dict(external or {})
        self._inertias = dict(inertias or {})
        self._views: dict[int, JointView] = {}
        g = [constant(x) for x in model.gravity]
        self.gravity = Twist(Vec3.zero(), Vec3(*g))
        self.joint, self.inertia, self.armature, self.external, self.frame = (
            ByBody(f) for f in (self._joint, self._inertia, self._armature, self._wrench, self._frame)
        )
        self.centre, self.central, self.root, self.regular = (
            ByBody(f) for f in (self._centre, self._central, self._root, self._regular)
        )
        self.slack = False  # whether springs are left out, as gravity is where only inertia counts
        self._filled: tuple[Mass, ...] | None = None
        self._handles: dict[int, int] = {}
        self.handle = ByBody(self._handle)  # from body b to the link that its joint moves

    # --- walks: topological order, never recursion --------------------------------------------------------------------
    def outward(self, stage: str = "") -> Iterator[tuple[Row, Row]]:
        """Base to tips: (body, parent)."""
        self.enter(stage)
        for i, p in enumerate(self.model.parents):
            if i:
                yield i, p

    def inward(self, stage: str = "") -> Iterator[tuple[Row, Row]]:
        """Tips to base: (body, parent)."""
        self.enter(stage)
        for i in range(len(self.model.parents) - 1, 0, -1):
            yield i, self.model.parents[i]

    def upward(self, i: Row) -> Iterator[tuple[Row, Row]]:
        """From body i towards the base: (j, parent of j), as long as that parent is not the world."""
        parents = self.model.parents
        while parents[i]:
            yield i, parents[i]
            i = parents[i]

    def path(self, i: Row) -> Iterator[tuple[Row, Row]]:
        """From body i to the base: (j, parent of j), the world included as the last parent."""
        while i:
            yield i, self.model.parents[i]
            i = self.model.parents[i]

    def until(self, i: Row) -> Iterator[tuple[Row, Row]]:
        """Base to tips: (body, parent), from the first body to body i; a loop may go further, to the last body."""
        for j in range(1, i + 1):
            yield j, self.model.parents[j]

    def since(self, i: Row) -> Iterator[tuple[Row, Row]]:
        """The same inward: (body, parent), from body i to the first; a loop may begin earlier, at the last body."""
        for j in range(i, 0, -1):
            yield j, self.model.parents[j]

    def links(self, stage: str = "") -> Iterator[tuple[Row, Row]]:
        """All links: (link, its body)."""
        self.enter(stage)
        for k, link in enumerate(self.model.links):
            yield k, link.body

    def within(self, loops: Iterable[Any], of: Callable[[Any], int] = int) -> Iterator[Any]:
        """Values that belong to loops (``of``), one after the other."""
        yield from loops

    # --- storage ------------------------------------------------------------------------------------------------------
    def table(self, name: str, base: object = None, fill: object = None) -> Any:
        """A value a body; ``base`` is row 0, ``fill`` what rows hold before they are set."""
        return BodyTable(self, name, base, fill)

    def dofs(self, name: str) -> Any:
        """A table of joint vectors, which may be read in the walk that fills it."""
        return BodyTable(self, name, None, None)

    def total(self, name: str, start: Scalar) -> Any:
        """A sum over a walk."""
        return Total(start)

    def link_table(self, name: str) -> Any:
        """A value a link."""
        return BodyTable(self, name, None, None)

    def matrix(self, name: str, general: bool = False, zeros: str = "all") -> Any:
        """A block a pair of bodies; ``general``: unsymmetric diagonal; ``zeros``: unset places that may be read,
        "all", those that columns reach ("reached"), or none ("").
        """
        return Matrix(self, name)

    def by_parameter(self, name: str) -> Any:
        """Numbers for each joint and each body's inertial parameters."""
        return Matrix(self, name)

    def coordinates(self, values: Sequence[Scalar], kind: str) -> Any:
        """Split an input vector by body; kind is "q" or "v"."""
        return Coordinates(self, values, kind)

    # --- one row a degree of freedom: a tracer of long programs walks them instead of joints (program/freedoms.py) ----
    def by_freedom(self) -> Any:
        """The tree for eliminations: this one, or one with a row for each degree of freedom."""
        return self

    def freedoms(self) -> Any:
        """Degrees of freedom as rows, for sums over three of them."""
        return FreedomRows(self)

    def matrix_of(self, matrix: Any) -> Any:
        """A matrix of the joints' tree, in rows of this one."""
        return matrix

    def matrix_over(self, matrix: Any, name: str) -> Any:
        """A matrix, every number of which is set, whose columns may take the place of this one's: sweeps over blocks of
        columns read a block of this one before they set it.
        """
        return self.matrix(name, general=True, zeros="")

    def spread(self, table: StoredPerBody[JointVector], i: Row, value: JointVector) -> None:
        """Put a joint's vector into a table of this tree."""
        table[i] = value

    def gathered(self, table: PerBody[JointVector]) -> Any:
        """A table of this tree, seen joint by joint."""
        return table

    @property
    def zero(self) -> Any:
        """Rates that are all zero, structurally: qd of a robot at rest."""
        return ByBody(lambda i: JointVector.zero(self.degrees(i)))

    def degrees(self, i: Row) -> int:
        """How many degrees of freedom joint i has."""
        return self.model.bodies[i].joint.nv

    def plain_coordinates(self, i: Row) -> bool:
        """Whether the joint's coordinates are its velocities' integrals: no quaternions."""
        return self.model.bodies[i].joint.plain

    def at_root(self, parent: Row, there: object, elsewhere: object) -> Any:
        """``there`` for a body whose parent is the world, ``elsewhere`` for others and for roots that share a loop."""
        return there if isinstance(parent, int) and parent == 0 else elsewhere

    def body_of(self, link: int) -> int:
        """The body a link sits on."""
        return self.model.links[link].body

    # --- hooks for tracers: naming, stages ----------------------------------------------------------------------------
    def stored(self, name: str, at: object, value: object) -> Any:
        """Called with every value put into a table; a tracer names it here."""
        return value

    def enter(self, stage: str) -> None:
        """Called when a walk begins; counts are kept by stage."""

    # --- the model's constants as scalars -----------------------------------------------------------------------------
    def _joint(self, i: int) -> JointView:
        view = self._views.get(i)
        if view is None:
            body = self.model.bodies[i]
            joint = type(body.joint)(*(self.constant(c) for c in body.joint.constants))
            view = self._views[i] = JointView(joint, *self._placed(body.placement))
        return view

    def _placed(self, at: Placement) -> tuple[Rotation, Vec3]:
        rotation = turning(at.rotation, self.constant, rotation_structure(at.rotation))
        return rotation, Vec3(*(self.constant(x) for x in at.origin))

    def _inertia(self, i: int) -> RigidInertia:
        return self._inertias.get(i) or mass_scalars(self.model.bodies[i].inertia, self.constant)

    def _centre(self, i: int) -> Vec3:
        """The mass centre of body i in its frame; the origin for the world and for massless bodies."""
        if not i or (i not in self._inertias and not self.model.bodies[i].inertia.m):
            return Vec3.zero()
        if i not in self._inertias and self.constant is plain:
            return Vec3(*(plain(x) for x in central(self.model.bodies[i].inertia)[0]))
        if not self.model.bodies[i].inertia.m:
            return centre_of(self.inertia[i])
        c: Vec3 = self.inertia[i].h / self.inertia[i].m
        return c

    def _central(self, i: int) -> RigidInertia:
        """The inertia of body i about its mass centre, in its axes."""
        if i not in self._inertias and self.constant is plain:
            tensor = central(self.model.bodies[i].inertia)[1]
            return RigidInertia(plain(self.model.bodies[i].inertia.m), Vec3.zero(), Sym3(*(plain(x) for x in tensor)))
        return central_of(self.inertia[i], self.centre[i])

    def _root(self, i: int) -> Mat3:
        """The lower triangular H with H^T H = inertia of body i about its mass centre."""
        if i in self._inertias and self.constant is plain:
            return any_cholesky(self.central[i].I)
        return cholesky(self.central[i].I, central(self.model.bodies[i].inertia)[1])

    def _regular(self, i: int) -> RigidInertia:
        """The inertia of body i; where it is singular, with inertia added that the joints cannot feel."""
        own, full = self.model.bodies[i].inertia, self.filled[i]
        given: RigidInertia = self.inertia[i]
        return given if full is own else given + mass_scalars(mass_difference(full, own), self.constant)

    @property
    def filled(self) -> tuple[Mass, ...]:
        """All of them as numbers."""
        if self._filled is None:
            self._filled = regular(self.model)
        return self._filled

    def _armature(self, i: object) -> JointVector:
        return self.of_joint(i, "armature")

    def of_joint(self, i: Row, what: str) -> JointVector:
        """A property of joint i with one number a velocity: armature, stiffness; or a coordinate: springref."""
        return JointVector(*(self.constant(e) for e in getattr(self.model.bodies[i], what) or (0.0,) * self.degrees(i)))

    def taut(self, i: Row) -> bool:
        """Whether a spring is on joint i."""
        return bool(self.model.bodies[i].stiffness)

    def stretch(self, i: Row, q: JointVector) -> JointVector:
        """How far joint i is from where its spring rests."""
        if not self.taut(i):
            return JointVector.zero(self.degrees(i))
        made: JointVector = self.joint[i].joint.stretch(q, self.of_joint(i, "springref"))
        return made

    def spring(self, i: Row, q: JointVector) -> JointVector:
        """The force that holds the spring of joint i at q."""
        return self.of_joint(i, "stiffness") * self.stretch(i, q)

    def stiffened(self, i: Row, q: PerBody[JointVector], block: Block) -> Block:
        """A block of derivatives with respect to q of joint forces, with the stiffness of joint i."""
        if not self.taut(i) or self.slack:
            return block
        k, n = self.of_joint(i, "stiffness"), self.degrees(i)
        if self.plain_coordinates(i):
            return block + Block(n, n, [k[a] if a == b else 0 for a in range(n) for b in range(n)])
        force = self.spring(i, tangent(self.joint[i], q[i], list(range(n))))
        return block + Block(n, n, [derivative(e, b) for e in force for b in range(n)])

    def _wrench(self, i: int) -> Wrench:
        return self._external.get(i) or Wrench.zero()

    def _handle(self, b: int) -> Transform:
        if not self._handles:
            self._handles = handles(self.model)
        return self._frame(self._handles[b]) if b in self._handles else Transform(Rotation.identity(), Vec3.zero())

    def _frame(self, k: int) -> Transform:
        return Transform(*self._placed(self.model.links[k].placement))


def handles(model: Model) -> dict[int, int]:
    """The link moved by each body's joint, whose frame inertial parameters use; else the body's first."""
    made: dict[int, int] = {}
    for k, link in enumerate(model.links):
        if link.body not in made or link.joint == model.bodies[link.body].name:
            made[link.body] = k
    return made


class ByBody:
    """Square brackets in front of a function."""

    __slots__ = ("of",)

    def __init__(self, of: Callable[[Any], Any]) -> None:
        self.of = of

    def __getitem__(self, i: Row) -> Any:
        return self.of(i)


def wrenches(tree: Tree, external: Mapping[int, Sequence[Scalar]]) -> dict[int, Wrench]:
    """Wrenches given at links, moved to their bodies' frames and added up."""
    made: dict[int, Wrench] = {}
    for link, e in external.items():
        frame: Transform = tree.frame[link]
        body = tree.model.links[link].body
        w = frame.T @ Wrench(Vec3(*e[:3]), Vec3(*e[3:]))
        made[body] = made[body] + w if body in made else w
    return made
