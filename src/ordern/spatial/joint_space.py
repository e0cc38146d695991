"""What a joint with k degrees of freedom needs: k columns, k numbers, and k x k systems. With k = 1 the same lines cost
one division.

The k x k factorisation eliminates from the last row (D = u diag(d) u^T, u unit upper triangular), so that it continues
the reverse elimination of the whole mass matrix inside a joint.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, Protocol, Self, TypeVar

from ..scalars.dual import Dual
from ..scalars.primitives import Scalar, is_zero
from ..spatial import ArticulatedInertia, Mat3, Parts, Sym3, Twist, Vec3, Wrench

__all__ = ["Block", "Forces", "Gram", "JointVector", "Subspace", "gram"]


class SupportsRates(Protocol):
    """What ``tangent`` asks of a joint."""

    def rates(self, q: JointVector, v: JointVector, /) -> JointVector:
        """dq/dt."""


class SupportsMatmul(Protocol):
    """What stands left of columns: a transform, its transpose, an inertia."""

    def __matmul__(self, x: Any, /) -> Any: ...


class JointVector(Parts):
    """k scalars that belong to one joint: its rates, forces, coordinates."""

    __slots__ = ("e",)

    def __init__(self, *e: Scalar) -> None:
        self.e = e

    @classmethod
    def zero(cls, k: int) -> JointVector:
        """K structural zeros."""
        return cls(*([0] * k))

    def __len__(self) -> int:
        return len(self.e)

    def __getitem__(self, j: int) -> Scalar:
        return self.e[j]

    def __iter__(self) -> Any:
        return iter(self.e)

    def __add__(self, o: JointVector) -> JointVector:
        return JointVector(*(a + b for a, b in zip(self.e, o.e, strict=True)))

    def __sub__(self, o: JointVector) -> JointVector:
        return JointVector(*(a - b for a, b in zip(self.e, o.e, strict=True)))

    def __neg__(self) -> JointVector:
        return JointVector(*(-a for a in self.e))

    def __mul__(self, o: object) -> JointVector:
        """Componentwise with another JointVector (armature * qdd), or by a scalar."""
        if isinstance(o, JointVector):
            return JointVector(*(a * b for a, b in zip(self.e, o.e, strict=True)))
        return JointVector(*(a * o for a in self.e))

    __rmul__ = __mul__

    def __truediv__(self, D: Gram) -> JointVector:
        """D^-1 times this vector."""
        return D.solve(self)

    def dot(self, o: JointVector) -> Scalar:
        """Sum of products."""
        total: Scalar = 0
        for a, b in zip(self.e, o.e, strict=True):
            total = total + a * b
        return total

    def dense(self) -> list[Scalar]:
        """As a list."""
        return list(self.e)


class Gram(Parts):
    """A symmetric positive k x k matrix, the rows of its upper triangle in ``e``."""

    __slots__ = ("k", "e")
    static = frozenset({"k"})

    def __init__(self, k: int, e: Sequence[Scalar]) -> None:
        self.k, self.e = k, tuple(e)

    def __getitem__(self, at: tuple[int, int]) -> Scalar:
        i, j = min(at), max(at)
        return self.e[i * self.k - i * (i - 1) // 2 + j - i]

    def plus_diagonal(self, a: JointVector) -> Gram:
        """This with a added to the diagonal (armature)."""
        return Gram(
            self.k, [self[i, j] + a[i] if i == j else self[i, j] for i in range(self.k) for j in range(i, self.k)]
        )

    def __add__(self, o: Gram) -> Gram:
        return Gram(self.k, [a + b for a, b in zip(self.e, o.e, strict=True)])

    def __sub__(self, o: Gram) -> Gram:
        return Gram(self.k, [a - b for a, b in zip(self.e, o.e, strict=True)])

    def udu(self) -> tuple[list[list[Scalar]], list[Scalar]]:
        """U (unit upper triangular) and d with self = u diag(d) u^T."""
        k = self.k
        work = [[self[i, j] for j in range(k)] for i in range(k)]
        u: list[list[Scalar]] = [[1 if i == j else 0 for j in range(k)] for i in range(k)]
        for c in range(k - 1, 0, -1):
            for i in range(c - 1, -1, -1):
                u[i][c] = work[i][c] / work[c][c]
                for j in range(i + 1):
                    work[j][i] = work[i][j] = work[i][j] - u[i][c] * work[j][c]
        return u, [work[i][i] for i in range(k)]

    def solve(self, b: JointVector) -> JointVector:
        """self^-1 b."""
        k = self.k
        if k == 1:
            return JointVector(b[0] / self.e[0])
        u, d = self.udu()
        x = list(b.e)
        for i in range(k - 1, -1, -1):
            for j in range(i + 1, k):
                x[i] = x[i] - u[i][j] * x[j]
        x = [x[i] / d[i] for i in range(k)]
        for i in range(k):
            for j in range(i):
                x[i] = x[i] - u[j][i] * x[j]
        return JointVector(*x)

    def inverse(self) -> Gram:
        """self^-1, where many products with it follow."""
        columns = [self.solve(JointVector(*(int(i == j) for i in range(self.k)))) for j in range(self.k)]
        return Gram(self.k, [columns[j][i] for i in range(self.k) for j in range(i, self.k)])

    def as_block(self) -> Block:
        """As a general block."""
        return Block(self.k, self.k, [self[i, j] for i in range(self.k) for j in range(self.k)])

    def dense(self) -> list[list[Scalar]]:
        """As nested lists."""
        return [[self[i, j] for j in range(self.k)] for i in range(self.k)]


class Block(Parts):
    """A general k x l matrix, row by row: the coupling of two joints."""

    __slots__ = ("k", "l", "e")
    static = frozenset({"k", "l"})

    def __init__(self, k: int, l: int, e: Sequence[Scalar]) -> None:
        self.k, self.l, self.e = k, l, tuple(e)

    def __getitem__(self, at: tuple[int, int]) -> Scalar:
        return self.e[at[0] * self.l + at[1]]

    @classmethod
    def zero(cls, k: int, l: int) -> Block:
        """Structurally zero."""
        return cls(k, l, [0] * (k * l))

    @property
    def T(self) -> Block:
        """The transpose."""
        return Block(self.l, self.k, [self[i, j] for j in range(self.l) for i in range(self.k)])

    def __neg__(self) -> Block:
        return Block(self.k, self.l, [-a for a in self.e])

    def __add__(self, o: Block) -> Block:
        return Block(self.k, self.l, [a + b for a, b in zip(self.e, o.e, strict=True)])

    def __sub__(self, o: Block) -> Block:
        return Block(self.k, self.l, [a - b for a, b in zip(self.e, o.e, strict=True)])

    def __matmul__(self, o: JointVector | Block) -> Any:
        if isinstance(o, JointVector):
            return JointVector(*(JointVector(*(self[i, j] for j in range(self.l))).dot(o) for i in range(self.k)))
        columns = [self @ JointVector(*(o[i, j] for i in range(o.k))) for j in range(o.l)]
        return Block(self.k, o.l, [columns[j][i] for i in range(self.k) for j in range(o.l)])

    def divided(self, D: Gram) -> Block:
        """D^-1 times this block."""
        columns = [D.solve(JointVector(*(self[i, j] for i in range(self.k)))) for j in range(self.l)]
        return Block(self.k, self.l, [columns[j][i] for i in range(self.k) for j in range(self.l)])

    def as_block(self) -> Block:
        """This block."""
        return self

    def symmetric(self) -> Gram:
        """The upper triangle, for a block known to be symmetric."""
        return Gram(self.k, [self[i, j] for i in range(self.k) for j in range(i, self.k)])

    def dense(self) -> list[list[Scalar]]:
        """As nested lists."""
        return [list(self.e[i * self.l : (i + 1) * self.l]) for i in range(self.k)]


C = TypeVar("C", Twist, Wrench)


class _Columns(Parts, Generic[C]):
    __slots__ = ("columns",)

    def __init__(self, *columns: C) -> None:
        self.columns: tuple[C, ...] = columns

    def __len__(self) -> int:
        return len(self.columns)

    @property
    def T(self) -> _Rows:
        """The transpose, for products from the left."""
        return _Rows(self.columns)

    def __matmul__(self, x: JointVector | _Rows) -> Any:
        if isinstance(x, JointVector):
            total = self.columns[0] * x[0]
            for column, value in zip(self.columns[1:], x.e[1:], strict=True):
                total = total + column * value
            return total
        if isinstance(x, _Rows):  # sum of column row^T, known to be symmetric
            return sum(
                (_outer(a, b) for a, b in zip(self.columns[1:], x.columns[1:], strict=True)),
                _outer(self.columns[0], x.columns[0]),
            )
        return NotImplemented

    def __rmatmul__(self, left: SupportsMatmul) -> Any:
        """A @ S, X @ S, X.T @ F: column by column."""
        made = [left @ c for c in self.columns]
        return (Forces if isinstance(made[0], Wrench) else Subspace)(*made)

    def combined(self, B: Block) -> Self:
        """Columns times a k x l block: l columns."""
        return type(self)(*(self @ JointVector(*(B[r, c] for r in range(B.k))) for c in range(B.l)))

    def _each(self, of: Callable[[C], C]) -> Self:
        return type(self)(*(of(c) for c in self.columns))

    def __sub__(self, o: Self) -> Self:
        return type(self)(*(a - b for a, b in zip(self.columns, o.columns, strict=True)))

    def __add__(self, o: Self) -> Self:
        return type(self)(*(a + b for a, b in zip(self.columns, o.columns, strict=True)))

    def dense(self) -> list[list[Scalar]]:
        """6 x k."""
        return [list(row) for row in zip(*(c.dense() for c in self.columns), strict=True)]


class Subspace(_Columns[Twist]):
    """k twists: the motions a joint allows."""

    __slots__ = ()

    def crossed_by(self, v: Twist) -> Subspace:
        """Each column c as ``v x c``."""
        return Subspace(*(v.cross(c) for c in self.columns))


class Forces(_Columns[Wrench]):
    """k wrenches."""

    __slots__ = ()

    def __truediv__(self, D: Gram) -> Forces:
        """Columns of self D^-1."""
        if (
            D.k == 1
        ):  # a quotient each (one reciprocal where they are traced): the joint's own element is then exactly 1
            n, f = self.columns[0].angular, self.columns[0].linear
            return Forces(Wrench(n / D.e[0], f / D.e[0]))
        rows = [D.solve(JointVector(*row)) for row in self.dense()]
        made = [
            Wrench(Vec3(*(rows[r][j] for r in range(3))), Vec3(*(rows[r][j] for r in range(3, 6)))) for j in range(D.k)
        ]
        return Forces(*made)


class _Rows:
    """S.T or F.T."""

    __slots__ = ("columns",)

    def __init__(self, columns: tuple[Any, ...]) -> None:
        self.columns = columns

    def __matmul__(self, x: object) -> Any:
        if isinstance(x, (Twist, Wrench)):
            return JointVector(*(c.dot(x) for c in self.columns))
        if isinstance(x, _Columns):
            return Block(len(self.columns), len(x), [c.dot(d) for c in self.columns for d in x.columns])
        return NotImplemented


def gram(S: Subspace, F: Forces) -> Gram:
    """S.T @ F where the product is symmetric (F = A @ S): only the upper triangle is formed."""
    k = len(S)
    return Gram(k, [S.columns[i].dot(F.columns[j]) for i in range(k) for j in range(i, k)])


def _outer(a: Twist | Wrench, b: Twist | Wrench) -> ArticulatedInertia:
    n, f, m, g = a.angular, a.linear, b.angular, b.linear
    # n g^T = m f^T; on a turning joint m.z is 1, so that its row of A - U psi^T cancels without rounding where it is
    # constant
    H = Mat3(n.x * g.x, n.x * g.y, n.x * g.z, n.y * g.x, n.y * g.y, n.y * g.z, m.z * f.x, m.z * f.y, m.z * f.z)
    return ArticulatedInertia(_sym_outer(n, m), H, _sym_outer(f, g))


def _sym_outer(a: Vec3, b: Vec3) -> Sym3:
    return Sym3(a.x * b.x, a.y * b.y, a.z * b.z, a.x * b.y, a.x * b.z, a.y * b.z)


def along(value: JointVector, directions: Sequence[Any], level: int = 0) -> JointVector:
    """Each element moving along its own direction: qd, qdd, tau."""
    return JointVector(*(Dual(e, {d: 1}, level) for e, d in zip(value, directions, strict=True)))


def tangent(joint: SupportsRates, q: JointVector, directions: Sequence[Any], level: int = 0) -> JointVector:
    """Coordinates moving on the manifold along velocity qd_c = 1: d/dt q = rates(q, e_c), direction c."""
    k = len(directions)
    moves = [joint.rates(q, JointVector(*(int(c == b) for b in range(k)))) for c in range(k)]
    made = []
    for r, e in enumerate(q):
        parts = {d: move[r] for d, move in zip(directions, moves, strict=True) if not is_zero(move[r])}
        made.append(Dual(e, parts, level) if parts else e)
    return JointVector(*made)
