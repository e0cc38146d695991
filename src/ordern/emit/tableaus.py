"""Coefficients of the integrators: Runge-Kutta tables with their error estimates and dense output, and Gauss
collocation.

[HNW93] Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, 1993: DOPRI5 (Dormand and Prince 1980,
section II.5) and DOP853 (section II.10). [HLW06] Hairer, Lubich, Wanner, Geometric Numerical Integration, 2006, section
II.1.3: Gauss methods.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal, localcontext

from .explicit import Explicit, Row
from .pairs import CASH_KARP, VERNER

__all__ = ["DOP853", "DOPRI5", "GAUSS", "RK4", "TABLES", "Explicit", "Gauss", "gauss"]


@dataclass(frozen=True)
class Gauss:
    """Collocation at the s Gauss points c: symmetric, symplectic, of order 2 s.

    Written with the increments L_j = h b_j f(Y_j): the stages are Y_i = y + sum_j M[i][j] L_j and the step ends at y +
    sum_j L_j, where M[i][j] = a_ij / b_j. What makes the method symplectic is M[i][j] + M[j][i] = 1, and here that
    holds exactly for the rounded numbers, so that their rounding is not seen as a steady loss or gain of energy
    [AMM17]. ``ahead`` continues a step's increments into the next one.
    """

    M: tuple[Row, ...]
    b: Row
    c: Row
    ahead: tuple[Row, ...]

    @property
    def stages(self) -> int:
        """Evaluations a round of the iteration."""
        return len(self.b)

    @property
    def order(self) -> int:
        """Of convergence."""
        return 2 * len(self.b)


RK4 = Explicit("rk4", 4, ((), (0.5,), (0.0, 0.5), (0.0, 0.0, 1.0)), (1 / 6, 1 / 3, 1 / 3, 1 / 6), (0.0, 0.5, 0.5, 1.0))

DOPRI5 = Explicit(
    "dopri5",
    5,
    (
        (),
        (0.2,),
        (0.075, 0.225),
        (0.9777777777777777, -3.7333333333333334, 3.5555555555555554),
        (2.9525986892242035, -11.595793324188385, 9.822892851699436, -0.2908093278463649),
        (2.8462752525252526, -10.757575757575758, 8.906422717743473, 0.2784090909090909, -0.2735313036020583),
    ),
    (0.09114583333333333, 0.0, 0.44923629829290207, 0.6510416666666666, -0.322376179245283, 0.13095238095238096),
    (0.0, 0.2, 0.3, 0.8, 8 / 9, 1.0),
    errors=(
        (
            0.0012326388888888888,
            0.0,
            -0.0042527702905061394,
            0.03697916666666667,
            -0.05086379716981132,
            0.0419047619047619,
            -0.025,
        ),
    ),
    exponent=0.2,
    beta=0.04,
    dense=(
        (
            -1.1270175653862835,
            0.0,
            2.675424484351598,
            -5.685526961588504,
            3.5219323679207912,
            -1.7672812570757455,
            2.382468931778144,
        ),
    ),
)

DOP853 = Explicit(
    "dop853",
    8,
    (
        (),
        (0.05260015195876773,),
        (0.0197250569845379, 0.0591751709536137),
        (0.02958758547680685, 0.0, 0.08876275643042054),
        (0.2413651341592667, 0.0, -0.8845494793282861, 0.924834003261792),
        (0.037037037037037035, 0.0, 0.0, 0.17082860872947386, 0.12546768756682242),
        (0.037109375, 0.0, 0.0, 0.17025221101954405, 0.06021653898045596, -0.017578125),
        (
            0.03709200011850479,
            0.0,
            0.0,
            0.17038392571223998,
            0.10726203044637328,
            -0.015319437748624402,
            0.008273789163814023,
        ),
        (
            0.6241109587160757,
            0.0,
            0.0,
            -3.3608926294469414,
            -0.868219346841726,
            27.59209969944671,
            20.154067550477894,
            -43.48988418106996,
        ),
        (
            0.47766253643826434,
            0.0,
            0.0,
            -2.4881146199716677,
            -0.590290826836843,
            21.230051448181193,
            15.279233632882423,
            -33.28821096898486,
            -0.020331201708508627,
        ),
        (
            -0.9371424300859873,
            0.0,
            0.0,
            5.186372428844064,
            1.0914373489967295,
            -8.149787010746927,
            -18.52006565999696,
            22.739487099350505,
            2.4936055526796523,
            -3.0467644718982196,
        ),
        (
            2.273310147516538,
            0.0,
            0.0,
            -10.53449546673725,
            -2.0008720582248625,
            -17.9589318631188,
            27.94888452941996,
            -2.8589982771350235,
            -8.87285693353063,
            12.360567175794303,
            0.6433927460157636,
        ),
    ),
    (
        0.054293734116568765,
        0.0,
        0.0,
        0.0,
        0.0,
        4.450312892752409,
        1.8915178993145003,
        -5.801203960010585,
        0.3111643669578199,
        -0.1521609496625161,
        0.20136540080403034,
        0.04471061572777259,
    ),
    (
        0.0,
        0.05260015195876773,
        0.0789002279381516,
        0.1183503419072274,
        0.2816496580927726,
        0.3333333333333333,
        0.25,
        0.3076923076923077,
        0.6512820512820513,
        0.6,
        0.8571428571428571,
        1.0,
    ),
    errors=(
        (
            0.01312004499419488,
            0.0,
            0.0,
            0.0,
            0.0,
            -1.2251564463762044,
            -0.4957589496572502,
            1.6643771824549864,
            -0.35032884874997366,
            0.3341791187130175,
            0.08192320648511571,
            -0.022355307863886294,
            0.0,
        ),
        (
            -0.18980075407240762,
            0.0,
            0.0,
            0.0,
            0.0,
            4.450312892752409,
            1.8915178993145003,
            -5.801203960010585,
            -0.4226823213237919,
            -0.1521609496625161,
            0.20136540080403034,
            0.02265179219836082,
            0.0,
        ),
    ),
    exponent=0.125,
    shrink=0.333,
    grow=6.0,
    extra=(
        (
            0.056167502283047954,
            0.0,
            0.0,
            0.0,
            0.0,
            0.0,
            0.25350021021662483,
            -0.2462390374708025,
            -0.12419142326381637,
            0.15329179827876568,
            0.00820105229563469,
            0.007567897660545699,
            -0.008298,
        ),
        (
            0.03183464816350214,
            0.0,
            0.0,
            0.0,
            0.0,
            0.028300909672366776,
            0.053541988307438566,
            -0.05492374857139099,
            0.0,
            0.0,
            -0.00010834732869724932,
            0.0003825710908356584,
            -0.00034046500868740456,
            0.1413124436746325,
        ),
        (
            -0.42889630158379194,
            0.0,
            0.0,
            0.0,
            0.0,
            -4.697621415361164,
            7.683421196062599,
            4.06898981839711,
            0.3567271874552811,
            0.0,
            0.0,
            0.0,
            -0.0013990241651590145,
            2.9475147891527724,
            -9.15095847217987,
        ),
    ),
    extra_c=(0.1, 0.2, 0.7777777777777778),
    dense=(
        (
            -8.428938276109013,
            0.0,
            0.0,
            0.0,
            0.0,
            0.5667149535193777,
            -3.0689499459498917,
            2.38466765651207,
            2.117034582445028,
            -0.871391583777973,
            2.2404374302607883,
            0.6315787787694688,
            -0.08899033645133331,
            18.148505520854727,
            -9.194632392478356,
            -4.436036387594894,
        ),
        (
            10.427508642579134,
            0.0,
            0.0,
            0.0,
            0.0,
            242.28349177525817,
            165.20045171727028,
            -374.5467547226902,
            -22.113666853125306,
            7.733432668472264,
            -30.674084731089398,
            -9.332130526430229,
            15.697238121770845,
            -31.139403219565178,
            -9.35292435884448,
            35.81684148639408,
        ),
        (
            19.985053242002433,
            0.0,
            0.0,
            0.0,
            0.0,
            -387.0373087493518,
            -189.17813819516758,
            527.8081592054236,
            -11.57390253995963,
            6.8812326946963,
            -1.0006050966910838,
            0.7777137798053443,
            -2.778205752353508,
            -60.19669523126412,
            84.32040550667716,
            11.99229113618279,
        ),
        (
            -25.69393346270375,
            0.0,
            0.0,
            0.0,
            0.0,
            -154.18974869023643,
            -231.5293791760455,
            357.6391179106141,
            93.40532418362432,
            -37.45832313645163,
            104.0996495089623,
            29.8402934266605,
            -43.53345659001114,
            96.32455395918828,
            -39.17726167561544,
            -149.72683625798564,
        ),
    ),
)


def gauss(stages: int) -> Gauss:
    """The method with so many stages, from 40 digits."""
    with localcontext() as context:
        context.prec = 40
        c = [(1 + x) / 2 for x in _legendre_roots(stages)]
        basis = [_basis(c, j) for j in range(stages)]
        b = [_integral(p, Decimal(1)) for p in basis]
        M = [[0.5] * stages for _ in c]
        for i in range(stages):
            for j in range(
                i
            ):  # the larger of the two is rounded, in [1/2, 2), and the other one is then what is left of 1, exactly
                M[i][j] = float(_integral(basis[j], c[i]) / b[j])
                M[j][i] = 1.0 - M[i][j]
        ahead = [[float(_value(basis[j], 1 + c[i]) * b[i] / b[j]) for j in range(stages)] for i in range(stages)]
        return Gauss(tuple(map(tuple, M)), tuple(map(float, b)), tuple(map(float, c)), tuple(map(tuple, ahead)))


def _legendre_roots(n: int) -> list[Decimal]:
    """Zeros of the Legendre polynomial, ascending."""
    made = []
    for k in range(n, 0, -1):
        x = Decimal(math.cos(math.pi * (k - 0.25) / (n + 0.5)))
        for _ in range(6):  # Newton doubles the digits each time
            below, here = Decimal(1), x
            for m in range(2, n + 1):
                below, here = here, ((2 * m - 1) * x * here - (m - 1) * below) / m
            x -= here * (x * x - 1) / (n * (x * here - below))
        made.append(x)
    return made


def _basis(c: list[Decimal], j: int) -> list[Decimal]:
    """Coefficients of the polynomial that is 1 at c_j and 0 at the others."""
    made = [Decimal(1)]
    for k, x in enumerate(c):
        if k != j:
            up, down = [Decimal(0), *made], [*(x * a for a in made), Decimal(0)]
            made = [(a - b) / (c[j] - x) for a, b in zip(up, down, strict=True)]
    return made


def _value(p: list[Decimal], x: Decimal) -> Decimal:
    return sum((a * x**k for k, a in enumerate(p)), Decimal(0))


def _integral(p: list[Decimal], x: Decimal) -> Decimal:
    """From zero."""
    return sum((a * x ** (k + 1) / (k + 1) for k, a in enumerate(p)), Decimal(0))


GAUSS = gauss(4)
TABLES = {t.name: t for t in (RK4, DOPRI5, DOP853, CASH_KARP, VERNER)}
