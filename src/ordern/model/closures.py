"""What closes a loop: for each type of closure its equations, and the covectors that their rates are made of, over any
scalar.

A loop ties frame 1 on one link to frame 2 on another. E turns components in frame 1 into components in frame 2, p is
the origin of frame 2 in frame 1. With the twist [w; u] of frame 2 relative to frame 1, in frame 2, d(E^T)/dt = E^T [w]
and dp/dt = E^T u, so every function of E and p has a rate K.[w; u] and, at constant [w; u], a second rate. A
:class:`Jet` carries the value, K and the second rate through + - *; a type of closure is then a list of functions that
vanish where it is closed. A joint class may bring its own as a method ``closure(self, at)`` that returns such a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from ..errors import ModelError
from ..joints import JOINTS
from ..scalars.primitives import Scalar, half, sincos
from ..spatial import Rotation, Transform, Twist, Vec3, Wrench
from ..spatial.joint_space import JointVector, Subspace

if TYPE_CHECKING:
    from . import Loop, Model
    from .by_body import PerBody, Row, StoredPerBody
    from .joint_view import JointView
    from .placements import Placement

__all__ = [
    "CLOSURES",
    "Jet",
    "Meeting",
    "ClosureRow",
    "closing_rows",
    "closure",
    "columns",
    "count",
    "equations",
    "placements",
]

AXES = (Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1))


class LoopTree(Protocol):
    """The part of a tree that loop equations need."""

    model: Model
    constant: Callable[[float], Scalar]
    guard: float

    @property
    def joint(self) -> PerBody[JointView]:
        """Joints in their places."""

    def _placed(self, at: Placement, /) -> tuple[Rotation, Vec3]: ...

    def within(self, loops: Iterable[Any], of: Callable[[Any], int] = ...) -> Iterator[Any]:
        """Things that belong to loops."""

    def outward(self, stage: str = "") -> Iterator[tuple[Row, Row]]:
        """Base to tips."""

    def table(self, name: str) -> Any:
        """A value a body."""


class Jet:
    """A function of the relative pose: value, covector K of its rate, second rate at constant twist."""

    __slots__ = ("K", "second", "value", "v")

    def __init__(self, value: Scalar, K: Wrench, second: Scalar, v: Twist) -> None:
        self.value, self.K, self.second, self.v = value, K, second, v

    @property
    def rate(self) -> Scalar:
        """How fast the function changes with the given twist."""
        return self.K.dot(self.v)

    def __add__(self, o: Jet | Scalar) -> Jet:
        if not isinstance(o, Jet):
            return Jet(self.value + o, self.K, self.second, self.v)
        return Jet(self.value + o.value, self.K + o.K, self.second + o.second, self.v)

    def __sub__(self, o: Jet | Scalar) -> Jet:
        return self + (o * -1 if isinstance(o, Jet) else -o)

    def __mul__(self, o: object) -> Jet:
        if not isinstance(o, Jet):
            return Jet(self.value * o, self.K * o, self.second * o, self.v)
        cross = self.rate * o.rate
        second = self.value * o.second + self.second * o.value + cross + cross
        return Jet(self.value * o.value, self.K * o.value + o.K * self.value, second, self.v)

    def half(self) -> Jet:
        """Half of it, exactly."""
        K = Wrench(Vec3(*(half(x) for x in self.K.angular.dense())), Vec3(*(half(x) for x in self.K.linear.dense())))
        return Jet(half(self.value), K, half(self.second), self.v)

    def sincos(self) -> tuple[Jet, Jet]:
        """Sine and cosine of it."""
        (s, c), r = sincos(self.value), self.rate
        return Jet(s, self.K * c, c * self.second - s * (r * r), self.v), Jet(
            c, self.K * -s, -(s * self.second) - c * (r * r), self.v
        )


class Meeting:
    """Relative motion: ``x`` leads from frame 1 to 2, ``v`` is the twist of frame 2 against 1, in frame 2."""

    def __init__(self, x: Transform, v: Twist) -> None:
        self.x, self.v = x, v
        turn = x.rotation.full()
        self._first = [
            Vec3(turn.xx, turn.yx, turn.zx),
            Vec3(turn.xy, turn.yy, turn.zy),
            Vec3(turn.xz, turn.yz, turn.zz),
        ]  # axes of frame 1

    def origin(self, k: int) -> Jet:
        """The origin of frame 2 along axis k of frame 1."""
        w, u, e = self.v.angular, self.v.linear, self._first[k]
        return Jet(self.x.origin.dense()[k], Wrench(Vec3.zero(), e), e.dot(w.cross(u)), self.v)

    def axis(self, a: int, k: int) -> Jet:
        """Axis a of frame 2 along axis k of frame 1."""
        w, e = self.v.angular, self._first[k]
        return Jet(e.dense()[a], Wrench(AXES[a].cross(e), Vec3.zero()), e.dot(w.cross(w.cross(AXES[a]))), self.v)

    def distance(self) -> Jet:
        """Half the square of the distance between both origins."""
        w, u, p = self.v.angular, self.v.linear, self.x.rotation @ self.x.origin
        return Jet(half(p.dot(p)), Wrench(Vec3.zero(), p), u.dot(u) + p.dot(w.cross(u)), self.v)


Equations = list[Jet]
Closure = Callable[[Meeting, Sequence[Scalar]], Equations]
# number of equations, and the equations from the meeting and the loop's constants
CLOSURES: dict[str, tuple[int, Closure]] = {}


def closure(name: str, number: int) -> Callable[[Closure], Closure]:
    """Register the equations of a type of closure."""

    def register(made: Closure) -> Closure:
        CLOSURES[name] = (number, made)
        return made

    return register


def _point(at: Meeting) -> Equations:
    return [at.origin(0), at.origin(1), at.origin(2)]


def _parallel(at: Meeting) -> Equations:
    """The z axes are parallel."""
    return [at.axis(2, 0), at.axis(2, 1)]


def _unturned(at: Meeting) -> Equations:
    """No turn at all: the skew part of E."""
    return [(at.axis(a, b) - at.axis(b, a)).half() for a, b in ((1, 2), (2, 0), (0, 1))]


@closure("fixed", 6)
def fixed(at: Meeting, constants: object) -> Equations:
    """Both frames coincide."""
    return _point(at) + _unturned(at)


@closure("revolute", 5)
def revolute(at: Meeting, constants: object) -> Equations:
    """Origins and z axes coincide."""
    return _point(at) + _parallel(at)


@closure("prismatic", 5)
def prismatic(at: Meeting, constants: object) -> Equations:
    """Frame 2 slides along z of frame 1."""
    return [at.origin(0), at.origin(1), *_unturned(at)]


@closure("helical", 5)
def helical(at: Meeting, constants: Sequence[Scalar]) -> Equations:
    """Holds pitch theta = z as pitch sin(z / pitch - theta) = 0: whole turns follow from the starting point."""
    (pitch,) = constants
    s, c = (at.origin(2) * (1 / pitch)).sincos()
    return [at.origin(0), at.origin(1), (s * at.axis(0, 0) - c * at.axis(0, 1)) * pitch, *_parallel(at)]


@closure("cylindrical", 4)
def cylindrical(at: Meeting, constants: object) -> Equations:
    """The z axes coincide."""
    return [at.origin(0), at.origin(1), *_parallel(at)]


@closure("universal", 4)
def universal(at: Meeting, constants: object) -> Equations:
    """Origins coincide; y of frame 2 is normal to x of frame 1."""
    return [*_point(at), at.axis(1, 0)]


@closure("planar", 3)
def planar(at: Meeting, constants: object) -> Equations:
    """Frame 2 stays in the x-y plane of frame 1."""
    return [at.origin(2), *_parallel(at)]


@closure("spherical", 3)
def spherical(at: Meeting, constants: object) -> Equations:
    """Origins coincide."""
    return _point(at)


@closure("point", 3)
def point(at: Meeting, constants: object) -> Equations:
    """Origins coincide."""
    return _point(at)


@closure("distance", 1)
def distance(at: Meeting, constants: Sequence[Scalar]) -> Equations:
    """Origins keep their distance L: (p.p - L^2) / (2 L) = 0, whose rate is that of the distance."""
    (length,) = constants
    return [at.distance() * (1 / length) - half(length)]


def count(kind: str) -> int:
    """How many equations a type of closure has; a ModelError for one that closes nothing."""
    if kind == "gear":
        return 1
    if kind in CLOSURES:
        return CLOSURES[kind][0]
    own = JOINTS.get(kind)
    if own is not None and hasattr(own, "closure"):
        made: Equations = own().closure(Meeting(Transform.identity(), Twist.zero()))  # type: ignore[attr-defined]
        return len(made)
    raise ModelError(f"a loop cannot be closed by type {kind!r}; use one of {', '.join([*CLOSURES, 'gear'])}")


def equations(kind: str, constants: Sequence[Scalar], x: Transform, v: Twist) -> Equations:
    """The closure's equations for a relative pose and twist."""
    at = Meeting(x, v)
    if kind in CLOSURES:
        return CLOSURES[kind][1](at, constants)
    made: Equations = JOINTS[kind]().closure(at)  # type: ignore[attr-defined]
    return made


@dataclass(frozen=True)
class Path:
    """The joints between two frames of a tree: both ways up to the body that carries both."""

    ancestor: int
    first: tuple[int, ...]  # from the body of frame 1 up, the ancestor left out
    second: tuple[int, ...]


def path(parents: Sequence[int], body1: int, body2: int) -> Path:
    """Where two bodies' ways to the base meet."""
    first, second = [], []
    a, b = body1, body2
    while a != b:  # parents come before children
        if a > b:
            first.append(a)
            a = parents[a]
        else:
            second.append(b)
            b = parents[b]
    return Path(a, tuple(first), tuple(second))


def leading(frame: Transform, ways: Sequence[int], X: PerBody[Transform]) -> Transform:
    """From the ancestor to a frame on a body, along the joints' transforms."""
    made: Transform = frame @ Transform(Rotation.identity(), Vec3.zero())
    for i in ways:
        made = made @ X[i]
    return made


@dataclass(frozen=True)
class ClosureRow:
    """One equation of a loop: its rate is K1.(twist of body 1) + K2.(twist of body 2), in body frames; its second rate
    has ``gamma`` more.

    ``K`` is the same covector in frame 2. A gear has ``direct`` ratios on joints instead.
    """

    number: int  # among all equations
    loop: int
    value: Scalar
    gamma: Scalar
    ancestor: int
    ends: tuple[tuple[int, Wrench], ...] = ()
    K: Wrench | None = None
    direct: tuple[tuple[int, Scalar], ...] = ()


def closing_rows(
    tree: LoopTree,
    q: PerBody[JointVector],
    X: PerBody[Transform],
    v: PerBody[Twist] | None = None,
    kept: bool = True,
) -> list[ClosureRow]:
    """The equations of all loops, those that follow from others left out where ``kept`` (but spare ones in
    runs); X: joint transforms, v: twists of the bodies.
    """
    model, made, number = tree.model, [], 0
    for index in tree.within(range(len(model.loops))):
        loop = model.loops[index]
        size = count(loop.kind)
        found = [_gear_row(tree, loop, index, number, q)] if loop.terms else _loop_rows(tree, loop, index, number, X, v)
        spare = loop.spare if tree.guard else ()
        made += [found[k] for k in (sorted(loop.kept + spare) if kept else range(size))]
        number += size
    return made


def _gear_row(tree: LoopTree, loop: Loop, index: int, number: int, q: PerBody[JointVector]) -> ClosureRow:
    terms = tuple((body, tree.constant(ratio)) for body, ratio in loop.terms)
    value: Scalar = -tree.constant(loop.offset)
    for body, ratio in terms:
        value = value + ratio * q[body][0]
    parents, above = tree.model.parents, tree.model.parents[terms[0][0]]
    for body, _ in terms[1:]:
        above = path(parents, above, parents[body]).ancestor
    return ClosureRow(number, index, value, 0, above, direct=terms)


def _loop_rows(
    tree: LoopTree, loop: Loop, index: int, number: int, X: PerBody[Transform], v: PerBody[Twist] | None
) -> list[ClosureRow]:
    (body1, place1), (body2, place2) = tree.model.loop_ends(loop)
    way = path(tree.model.parents, body1, body2)
    frame1, frame2 = Transform(*tree._placed(place1)), Transform(*tree._placed(place2))
    outer = leading(frame2, way.second, X)
    if loop.here:  # frame 1 is at rest in the world where frame 2 is now
        frame1, x = outer, Transform(Rotation.identity(), Vec3.zero())
    else:
        x = outer @ leading(frame1, way.first, X).inverse()
    carried = Twist.zero() if v is None or loop.here else x @ (frame1 @ v[body1])
    moving = Twist.zero() if v is None else frame2 @ v[body2] - carried
    bent = moving.cross(carried)
    rows = []
    for k, e in enumerate(equations(loop.kind, [tree.constant(c) for c in loop.constants], x, moving)):
        ends = ((body2, frame2.T @ e.K), (body1, -(frame1.T @ (x.T @ e.K))))
        rows.append(ClosureRow(number + k, index, e.value, e.K.dot(bent) + e.second, way.ancestor, ends, e.K))
    return rows


def ancestors(parents: Sequence[int], body: int, above: int) -> list[int]:
    """From a body up to, but without, the body above."""
    made = []
    while body != above:
        made.append(body)
        body = parents[body]
    return made


def placements(tree: LoopTree, q: PerBody[JointVector]) -> tuple[StoredPerBody[Transform], StoredPerBody[Subspace]]:
    """Transforms and subspaces of all joints."""
    X, S = tree.table("X"), tree.table("S")
    for i, _ in tree.outward("placement"):
        X[i], S[i] = tree.joint[i].motion(q[i])
    return X, S


def columns(
    tree: LoopTree, rows: list[ClosureRow], X: PerBody[Transform], S: PerBody[Subspace]
) -> dict[tuple[int, int], JointVector]:
    """A, by place in ``rows`` and body: the covectors carried inward to the body that bears both ends."""
    made: dict[tuple[int, int], JointVector] = {}

    def add(at: tuple[int, int], column: JointVector) -> None:
        made[at] = made[at] + column if at in made else column

    for r, row in tree.within(list(enumerate(rows)), lambda numbered: numbered[1].loop):
        for body, ratio in row.direct:
            add((r, body), JointVector(ratio))
        for body, K in row.ends:
            for i in ancestors(tree.model.parents, body, row.ancestor):
                add((r, i), S[i].T @ K)
                K = X[i].T @ K
    return made
