"""Errata of Saha's three papers: each formula as it can be read and as it must be, both computed on a random arm,
against other methods.

The matrices are those of evaluate/denoc_matrices.py (N_l, N_d, B_ij, p_i, ...), in base axes; what is true comes from
the robot's own methods or from differences along the motion.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..evaluate.denoc_factors import Elimination, elimination
from ..evaluate.denoc_matrices import NaturalComplement, natural_complement
from ..robot import Robot
from ..robot.builtin_robots import planar
from ..scalars.primitives import Array
from .closed_forms import closed_forms
from .random_arms import arm_and_state, rate_of
from .rows import erratum

__all__ = ["coriolis", "three_steps", "torques", "wrenches"]

IJRR, JAM, TRA = "saha1999ijrr", "saha1999jam", "saha1997"
ROUNDING = 1e-11  # corrected formulas: some 1e-15 times the arms' condition, with room
SLOPE = 1e-9  # where the truth is a difference quotient of order eight (step 0.02)


def _skew(a: Array) -> Array:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def _corner(block: Array) -> Array:
    made = np.zeros((6, 6))
    made[:3, :3] = block
    return made


# --- kinematics -------------------------------------------------------------------------------------------------------
@erratum(IJRR, "eq. (2)", "dp/dt = Omega p with Omega = diag([omega], 0)", "Omega = diag([omega], [omega])", SLOPE)
def _omega(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, qd, _ = arm_and_state(rng)
    c = natural_complement(r.model, q, qd)
    links = range(1, c.links + 1)
    truth = rate_of(lambda x, v: np.hstack([natural_complement(r.model, x, v).p(i) for i in links]), q, qd)
    one = np.hstack([_corner(_skew(c.twist(i)[:3])) @ c.p(i) for i in links])
    return one, np.hstack([c.Omega(i) @ c.p(i) for i in links]), truth


@erratum(IJRR, "before eq. (18)", "dt/dt = N qd + Ndot q", "dt/dt = N qdd + Ndot qd", SLOPE)
@erratum(JAM, "before eq. (20)", "dt/dt = N qd + Ndot q", "dt/dt = N qdd + Ndot qd", SLOPE)
def _twist_rate(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, qd, qdd = arm_and_state(rng)
    c = natural_complement(r.model, q, qd)
    truth = rate_of(lambda x, v: natural_complement(r.model, x, v).t(), q, qd, qdd)
    return c.N @ qd + c.N_rate @ q, c.N @ qdd + c.N_rate @ qd, truth


# --- the decomposition ------------------------------------------------------------------------------------------------
def _alpha(e: Elimination) -> Array:
    """p_i^T B_ki^T psi_k for i <= k."""
    c, n = e.complement, e.complement.links
    return np.array(
        [
            [(c.p(i).T @ c.B(k, i).T @ e.psi(k)).item() if i <= k else 0.0 for k in range(1, n + 1)]
            for i in range(1, n + 1)
        ]
    )


def _primes(U: Array) -> Array:
    """alpha'_k = alpha_k - sum alpha_lk alpha'_l, column by column."""
    A = np.zeros_like(U)
    for k in range(1, len(U)):
        A[:k, k] = U[:k, k] - A[:k, 1:k] @ U[1:k, k]
    return A


@erratum(IJRR, "eq. (34)", "U = 1 + (alpha_ij), j = i..n", "j = i+1..n: the diagonal of U is 1", ROUNDING)
def _range(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, _, _ = arm_and_state(rng)
    alpha = _alpha(elimination(r.model, q))
    return np.eye(len(q)) + alpha, np.eye(len(q)) + np.triu(alpha, 1), r.mass_matrix_udu(q).U


@erratum(IJRR, "eqs. (38), (39)", "U^-1 = 1 + sum alpha'_k lambda_k^T, alpha'_2 = alpha_2, alpha'_k = -(alpha_k - ...)",
         "U^-1 = 1 - sum alpha'_k lambda_k^T, alpha'_k = alpha_k - ...", ROUNDING)  # fmt: skip
def _column_form(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, _, _ = arm_and_state(rng)
    U = r.mass_matrix_udu(q).U
    A = np.zeros_like(U)
    for k in range(1, len(U)):
        A[:k, k] = U[:k, k] if k == 1 else -(U[:k, k] - A[:k, 1:k] @ U[1:k, k])
    return np.eye(len(U)) + A, np.eye(len(U)) - _primes(U), np.linalg.inv(U)


@erratum(IJRR, "eq. (40)", "elements +alpha'_ij", "elements -alpha'_ij", ROUNDING)
def _signs(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, _, _ = arm_and_state(rng)
    U = r.mass_matrix_udu(q).U
    return np.eye(len(U)) + _primes(U), np.eye(len(U)) - _primes(U), np.linalg.inv(U)


@erratum(
    IJRR,
    "eq. (41)",
    "Bh_ji = B_i,i-1 Psi_i-1^T ... (i and j exchanged)",
    "Bh_ji = B_j,j-1 Psi_j-1^T B_j-1,j-2 ... Psi_i+1^T B_i+1,i",
    ROUNDING,
)
def _product_form(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, _, _ = arm_and_state(rng)
    e = elimination(r.model, q)
    c, n = e.complement, len(q)
    read, right = np.zeros((n, n)), np.zeros((n, n))
    for i in range(1, n + 1):
        for j in range(i + 1, n + 1):
            # for i < j the product from i-1 to j+1 is empty
            read[i - 1, j - 1] = (c.p(i).T @ c.B(i, i - 1).T @ e.psi(j)).item()
            right[i - 1, j - 1] = (c.p(i).T @ e.Bh(j, i).T @ e.psi(j)).item()
    return read, right, np.eye(n) - np.linalg.inv(r.mass_matrix_udu(q).U)


@erratum(IJRR, "eq. (47)", "the matrices with alpha' and 1/mh are headed U, D", "U^-1, D^-1", ROUNDING)
def _heading(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, _, _ = arm_and_state(rng)
    udu = r.mass_matrix_udu(q)
    printed, pivots = np.eye(len(q)) - _primes(udu.U), np.diag(1 / udu.D)
    inverse = np.linalg.inv(printed), np.linalg.inv(pivots)
    return printed @ pivots @ printed.T, inverse[0] @ inverse[1] @ inverse[0].T, r.mass_matrix(q, method="composite")


@erratum(TRA, "eqs. (17), (18)", "psi with a hat in steps 1 and 3", "the normalised psi = psih / mh", ROUNDING)
def _normalised(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, qd, _ = arm_and_state(rng)
    tau = rng.uniform(-1, 1, len(q))
    truth = r.forward_dynamics(q, qd, tau, method="articulated")
    phi = tau - r.bias_forces(q, qd)
    return three_steps(elimination(r.model, q), phi, hat=True), three_steps(elimination(r.model, q), phi), truth


def three_steps(e: Elimination, phi: Array, hat: bool = False) -> Array:
    """U that = phi, D tt = that, U^T qdd = tt; ``hat``: with psih where psi belongs."""
    c, n = e.complement, len(phi)
    psi = e.psih if hat else e.psi
    eta, that, mu, qdd = np.zeros(6), np.zeros(n), np.zeros(6), np.zeros(n)
    for i in range(n, 0, -1):
        that[i - 1] = phi[i - 1] - c.p(i)[:, 0] @ eta
        eta = c.B(i, i - 1).T @ (psi(i)[:, 0] * that[i - 1] + eta)
    for i in range(1, n + 1):
        mu = c.B(i, i - 1) @ mu
        qdd[i - 1] = that[i - 1] / e.mh(i).item() - psi(i)[:, 0] @ mu
        mu = mu + c.p(i)[:, 0] * qdd[i - 1]
    return qdd


@erratum(JAM, "eq. (49)", "Mh_ik = Mh_i - Psi_ik", "Mh_ik = Mt_i - Psi_ik", ROUNDING)
def _partly(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, _, _ = arm_and_state(rng)
    e, k = elimination(r.model, q), 4
    c = e.complement
    left = r.mass_matrix(q, method="composite")
    for column in range(len(q) - 1, k - 2, -1):  # E_4 E_5 I
        left[:column] -= np.outer(left[:column, column] / left[column, column], left[column])
    pairs = [(i, j) for i in range(1, k) for j in range(1, i + 1)]
    right = [e.Mh_partly(i, k) for i, _ in pairs]
    read = [e.Mh(i) - (c.Mt(i) - X) for (i, _), X in zip(pairs, right, strict=True)]
    elements = [
        np.array([(c.p(i).T @ X @ c.B(i, j) @ c.p(j)).item() for (i, j), X in zip(pairs, made, strict=True)])
        for made in (read, right)
    ]
    return elements[0], elements[1], np.array([left[i - 1, j - 1] for i, j in pairs])


@erratum(JAM, "after eq. (50)", "Mh_i = Mh_i+1,i", "Mh_i = Mh_i,i+1", ROUNDING)
def _indices(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, _, _ = arm_and_state(rng)
    e = elimination(r.model, q)
    links = range(1, len(q))
    return (
        np.array([e.Mh_partly(i + 1, i) for i in links]),
        np.array([e.Mh_partly(i, i + 1) for i in links]),
        np.array([e.Mh(i) for i in links]),
    )


# --- the C matrix -----------------------------------------------------------------------------------------------------
def coriolis(
    c: NaturalComplement, dotted: bool = True, own: bool = True, last: Callable[[int], Array] | None = None
) -> Array:
    """C by eqs. (25)-(29); not ``dotted``: B where Bdot belongs in (28); not ``own``: Ht_j+1,i in (29); ``last``: in
    place of the sums of W_i.
    """
    n = c.links
    weight = last or (lambda i: sum((c.W_i(k) for k in range(i, n + 1)), np.zeros((6, 6))))
    S = [np.zeros((6, 6))] * (n + 2)

    def Ht(i: int, j: int) -> Array:
        return c.Mt(i) @ (c.B_rate(i, j) if dotted else c.B(i, j)) + S[i]

    for i in range(n - 1, 0, -1):
        S[i] = c.B(i + 1, i).T @ Ht(i + 1, i)
    made = np.zeros((n, n))
    for i in range(1, n + 1):
        for j in range(1, n + 1):
            if i <= j:
                beyond = c.B(j + 1, i).T @ Ht(j + 1, j if own else i) if j < n else np.zeros((6, 6))
                inner = c.B(j, i).T @ c.Mt(j) @ c.Omega(j) + beyond + weight(j)
            else:
                inner = c.Mt(i) @ c.B(i, j) @ c.Omega(j) + Ht(i, j) + weight(i)
            made[i - 1, j - 1] = (c.p(i).T @ inner @ c.p(j)).item()
    return made


def _velocity_forces(rng: np.random.Generator, **misread: Any) -> tuple[Array, Array, Array]:
    r, q, qd, _ = arm_and_state(rng)
    c = natural_complement(r.model, q, qd)
    return coriolis(c, **misread) @ qd, coriolis(c) @ qd, r.bias_forces(q, qd) - r.gravity_forces(q)


@erratum(
    JAM, "eq. (28)", "Ht_ij = Mt_i B_ij + B_i+1,i^T Ht_i+1,i", "Ht_ij = Mt_i Bdot_ij + B_i+1,i^T Ht_i+1,i", ROUNDING
)
def _dot(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    return _velocity_forces(rng, dotted=False)


@erratum(JAM, "eq. (29), i <= j", "B_j+1,i^T Ht_j+1,i", "B_j+1,i^T Ht_j+1,j", ROUNDING)
def _index(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    return _velocity_forces(rng, own=False)


@erratum(JAM, "eqs. (25), (26)", "last term: the derivative of Mt", "last term: N_l^T W N_l", ROUNDING)
def _last_term(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, qd, _ = arm_and_state(rng)
    c = natural_complement(r.model, q, qd)
    stacked = rate_of(lambda x, v: _composites(natural_complement(r.model, x, v)), q, qd)
    rates = dict(enumerate(stacked, 1))
    return coriolis(c, last=rates.__getitem__) @ qd, coriolis(c) @ qd, r.bias_forces(q, qd) - r.gravity_forces(q)


def _composites(c: NaturalComplement) -> Array:
    return np.array([c.Mt(i) for i in range(1, c.links + 1)])


def _by_blocks(c: NaturalComplement, block: Callable[[int, int], Array]) -> Array:
    return np.block([[block(i, j) for j in range(1, c.links + 1)] for i in range(1, c.links + 1)])


@erratum(JAM, "eq. (27), left", "N_l^T M N_l", "N_l^T M Ndot_l", SLOPE)
def _left_matrix(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, qd, _ = arm_and_state(rng)
    c = natural_complement(r.model, q, qd)
    n, S = c.links, [np.zeros((6, 6))] * (c.links + 2)
    for i in range(n - 1, 0, -1):
        S[i] = c.B(i + 1, i).T @ (c.Mt(i + 1) @ c.B_rate(i + 1, i) + S[i + 1])
    blocks = _by_blocks(c, lambda i, j: c.Mt(i) @ c.B_rate(i, j) + S[i] if i > j else c.B(j, i).T @ S[j])
    return (
        c.N_l.T @ c.M @ c.N_l,
        blocks,
        c.N_l.T @ c.M @ rate_of(lambda x, v: natural_complement(r.model, x, v).N_l, q, qd),
    )


@erratum(JAM, "eqs. (27) right, (28)", "blocks Mt without dots", "blocks Wt_max(i,j), Wt_i = W_i + Wt_i+1", ROUNDING)
def _right_matrix(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, qd, _ = arm_and_state(rng)
    c = natural_complement(r.model, q, qd)
    Wt = [sum((c.W_i(k) for k in range(i, c.links + 1)), np.zeros((6, 6))) for i in range(c.links + 1)]
    return _by_blocks(c, lambda i, j: c.Mt(max(i, j))), _by_blocks(c, lambda i, j: Wt[max(i, j)]), c.N_l.T @ c.W @ c.N_l


@erratum(
    JAM,
    "eq. (8)",
    "W_i is the derivative of M_i",
    "W_i = diag([omega] I, 0) as defined: only so dI/dt - 2C is skew",
    SLOPE,
)
def _skewness(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, qd, _ = arm_and_state(rng)
    c = natural_complement(r.model, q, qd)
    Id = rate_of(lambda x, v: r.mass_matrix(x, method="composite"), q, qd)
    Md = np.zeros_like(c.M)
    for i in range(1, c.links + 1):
        w, I = _skew(c.twist(i)[:3]), c.M_i(i)[:3, :3]
        Md[c.rows(i), c.rows(i)] = _corner(w @ I - I @ w)
    made = [Id - 2 * c.N.T @ (c.M @ c.N_rate + last @ c.N) for last in (Md, c.W)]
    return (made[0] + made[0].T) / np.max(np.abs(Id)), (made[1] + made[1].T) / np.max(np.abs(Id)), np.zeros_like(Id)


# --- RIDIM and the trajectory -----------------------------------------------------------------------------------------
@erratum(JAM, "RIDIM, step 1", "nu_i = p_i qd_i + nu_i-1", "nu_i = p_i qd_i + B_i,i-1 nu_i-1", ROUNDING)
def _ridim(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, qd, qdd = arm_and_state(rng)
    return (
        torques(r, q, qd, qdd, carried=False),
        torques(r, q, qd, qdd),
        r.inverse_dynamics(q, qd, qdd, method="newton-euler"),
    )


def torques(r: Robot, q: Array, qd: Array, qdd: Array, carried: bool = True) -> Array:
    """RIDIM in base axes; not ``carried``: the velocity recursion without B."""
    c = natural_complement(r.model, q, qd)
    gamma = wrenches(c, qdd, carried)
    return np.array([c.p(i)[:, 0] @ gamma[i - 1] for i in range(1, c.links + 1)])


def wrenches(c: NaturalComplement, qdd: Array, carried: bool = True) -> Array:
    """gamma_i of RIDIM, (links, 6): what each joint passes on, [moment about C_i; force] in base axes."""
    n, parents = c.links, c.model.parents
    nu, xi = [np.zeros(6)], [np.concatenate([np.zeros(3), -np.array(c.model.gravity)])]
    gamma = np.zeros((n + 1, 6))
    for i in range(1, n + 1):
        j, p = parents[i], c.p(i)[:, 0]
        B, slip = c.B(i, j), np.zeros((6, 6))
        nu.append((B @ nu[j] if carried else nu[j]) + p * c.qd[i - 1])
        slip[3:, :3] = _skew(nu[j][3:] - nu[i][3:])
        xi.append(B @ xi[j] + slip @ nu[j] + p * qdd[i - 1] + np.kron(np.eye(2), _skew(nu[i][:3])) @ p * c.qd[i - 1])
    for i in range(n, 0, -1):
        M = c.M_i(i)
        gamma[i] += M @ xi[i] + _corner(_skew(nu[i][:3]) @ M[:3, :3]) @ nu[i]
        gamma[parents[i]] += c.B(i, parents[i]).T @ gamma[i]
    return gamma[1:]


@erratum(
    JAM,
    "eqs. (39a), (39b)",
    "eq. (38) again, which ends at pi",
    "q(0) + (q(T) - q(0)) (t/T - sin(2 pi t/T)/(2 pi)), which ends where stated",
    1e-14,
)
def _end(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    start, end, x = rng.uniform(-1, 1, 6), rng.uniform(-1, 1, 6), 2 * math.pi
    return np.full(6, (x - math.sin(x)) / 2), start + (end - start) * (x - math.sin(x)) / (2 * math.pi), end


# --- the three-link arm of section 6 ----------------------------------------------------------------------------------
def _planar(rng: np.random.Generator) -> tuple[Robot, Array, dict[str, float]]:
    """A random arm of rods, angles, and all its quantities by the paper's names."""
    r, q = planar(3, rng.uniform(0.2, 1, 3).tolist(), rng.uniform(0.3, 2, 3).tolist()), rng.uniform(-1.5, 1.5, 3)
    form = closed_forms(r, "mass_matrix_inverse")
    return r, q, form.quantities({"theta_2": q[1], "theta_3": q[2], "theta_23": q[1] + q[2]})


@erratum(IJRR, "rho_23 before eq. (45)", "x-component l_2 cos(theta_23)", "x-component l_2 cos(theta_12)", ROUNDING)
def _rho_23(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, v = _planar(rng)

    def i22(x: float) -> Array:
        rho = np.array(
            [
                v["l_2"] * np.cos(x) + v["l_3"] / 2 * np.cos(q.sum()),
                v["l_2"] * np.sin(q[0] + q[1]) + v["l_3"] / 2 * np.sin(q.sum()),
            ]
        )
        return np.array(v["m_2"] * v["l_2"] ** 2 / 3 + v["I_3"] + v["m_3"] * rho @ rho)

    return i22(q[1] + q[2]), i22(q[0] + q[1]), r.mass_matrix(q)[1, 1]


@erratum(IJRR, "alpha_12 after eq. (45)", "l_2 + m_2 d_2 · rho_12 + ...", "I_2 + m_2 d_2 · rho_12 + ...", ROUNDING)
def _alpha_12(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, v = _planar(rng)
    right = np.array([[1, v["alpha_12"], v["alpha_13"]], [0, 1, v["alpha_23"]], [0, 0, 1]])
    read, D = right.copy(), np.array([v["mh_1"], v["mh_2"], v["mh_3"]])
    read[0, 1] += (v["l_2"] - v["I_2"]) / v["mh_2"]
    return (read * D) @ read.T, (right * D) @ right.T, r.mass_matrix(q)


@erratum(
    IJRR,
    "alpha'_13 after eq. (47), and eq. (48)",
    "{...} / mh_2 and no squares",
    "{...} x_23 / mh_2; squares of alpha' in (2,2), (3,3)",
    ROUNDING,
)
def _inverse(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    r, q, v = _planar(rng)
    m1, m2, m3, a12, a23 = (v[k] for k in ("mh_1", "mh_2", "mh_3", "alpha'_12", "alpha'_23"))

    def eq48(a13: float, power: int) -> Array:
        return np.array([[1 / m1, -a12 / m1, -a13 / m1], [-a12 / m1, a12**power / m1 + 1 / m2,
            a12 * a13 / m1 - a23 / m2],
                         [-a13 / m1, a12 * a13 / m1 - a23 / m2,
                         a13**power / m1 + a23**power / m2 + 1 / m3]])  # fmt: skip

    return eq48((v["x_13"] - v["b"] / m2) / m3, 1), eq48(v["alpha'_13"], 2), r.mass_matrix_inverse(q)
