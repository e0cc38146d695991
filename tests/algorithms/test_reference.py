"""Reference values of the papers' robots (section 19 of the verified mathematics), by every method that serves them."""

from __future__ import annotations

import numpy as np
import pytest

from ordern.algorithms.registry import find
from ordern.describe.builtin import planar, planar3, puma560, stanford
from ordern.describe.dh.dh_table import from_dh
from ordern.runtime.numbers import numbers


def each(quantity, model, *arrays, external=None):
    """(method, result) of all that serve."""
    for a in find(quantity):
        if not a.refusal(model):
            links = tuple(external or ()) if a.external else ()
            if external and not a.external:
                continue
            yield (
                a.method,
                numbers(a, model, (), links)(*map(np.array, arrays), *(np.array(w) for w in (external or {}).values())),
            )


def check(quantity, expected, model, *arrays, tolerance=1e-12, external=None):
    expected = np.array(expected)
    seen = 0
    for method, made in each(quantity, model, *arrays, external=external):
        loose = 1e-8 if method.startswith("fixman") else tolerance
        assert np.abs(made - expected).max() <= loose * np.abs(expected).max(), method
        seen += 1
    assert seen


# --- 19.1 planar arm ---------------------------------------------------------------------------------------------------------
PLANAR = ((0.3, -0.7, 1.1), (0.5, -0.4, 0.2), (1.0, -0.6, 0.3))


def test_planar_arm():
    model, (q, qd, qdd) = planar3(), PLANAR
    I = [
        [0.193007841064449, 0.0772077552006522, 0.0177006718423896],
        [0.0772077552006522, 0.0394076693368554, 0.00858216800176101],
        [0.0177006718423896, 0.00858216800176101, 0.00484],
    ]
    inverse = [
        [24.1094926796852, -45.6688978981641, -7.1934016512989],
        [-45.6688978981641, 127.846773942872, -59.6760986284902],
        [-7.19340165129892, -59.6760986284901, 338.735195491634],
    ]
    C = [  # in the plane both matrices are the same
        [-0.0103627091348956, -0.000211248293616722, -0.00336231069280874],
        [-0.0116219529853803, -0.00147049214410137, -0.00220573821615205],
        [0.00266286686647851, 0.000735246072050684, 0],
    ]
    check("mass_matrix", I, model, q)
    check("mass_matrix_inverse", inverse, model, q, tolerance=1e-11)
    check("coriolis_matrix", C, model, q, qd)
    check("gravity_forces", [4.04803092830747, 1.37705340518565, 0.247602361289607], model, q)
    check("inverse_dynamics", [4.19425500041568, 1.42752728190643, 0.262643067335359], model, q, qd, qdd)
    check(
        "forward_dynamics",
        [-14.980228984377, -25.6887645546212, 69.6251475718441],
        model,
        q,
        qd,
        (0.4, -0.2, 0.1),
        tolerance=1e-11,
    )
    U, D = next(each("mass_matrix_udu", model, q))[1]
    assert np.allclose(D, [0.0414774385046519, 0.024189981814035, 0.00484], rtol=1e-12)
    assert np.allclose(U[np.triu_indices(3, 1)], [1.89422890414633, 3.6571636037995, 1.77317520697542], rtol=1e-12)


def test_planar_arm_of_unit_links():
    model, (q, qd, qdd) = planar(3), PLANAR
    check("inverse_dynamics", [46.236725961749, 19.7003491324338, 4.58926731283919], model, q, qd, qdd)
    assert np.allclose(
        next(each("mass_matrix_udu", model, q))[1][1], [1.10723649735325, 1.17902125230409, 1 / 3], rtol=1e-12
    )


# --- 19.2 Stanford arm -------------------------------------------------------------------------------------------------------
def test_stanford_arm():
    model = stanford()
    q, qd, qdd = (0.4, 1.2, 0.05, -0.3, 0.6, 0.2), (0.3, -0.2, 0.1, 0.4, -0.5, 0.6), (-0.4, 0.5, 0.2, -0.1, 0.3, 0.7)
    first = [
        1.43998971458076,
        0.0600811298999433,
        0.568543842440008,
        -0.001867852161954,
        0.000800752061411078,
        0.000407394159947621,
    ]
    for _, M in each("mass_matrix", model, q):
        assert np.allclose(M[0], first, rtol=1e-12, atol=1e-14)
    tau = [
        -0.420506010130534,
        15.8380247885877,
        -20.8880421467516,
        0.00173657390430571,
        0.000399729331819987,
        0.000613136342245067,
    ]
    check("inverse_dynamics", tau, model, q, qd, qdd)
    accelerations = [
        -0.400981815851252,
        -11.3861121043909,
        4.11616399214889,
        36.4873156202039,
        -15.8841388915288,
        -21.7865382329411,
    ]
    check("forward_dynamics", accelerations, model, q, qd, (1, -2, 3, 0.1, -0.05, 0.02), tolerance=1e-10)
    D = next(each("mass_matrix_udu", model, q))[1][1]
    assert np.allclose(
        D, [1.3821256608889, 1.49791270437336, 6.1, 0.0021963216230588, 0.00157893900599711, 0.002], rtol=1e-11
    )


# --- 19.3 PUMA 560 -----------------------------------------------------------------------------------------------------------
def test_puma():
    model = puma560()
    q = (
        0.703325351925127,
        -1.14270719504697,
        -0.762191876473233,
        1.19786438709933,
        1.98320839546187,
        -1.43107273887979,
    )
    qd = (
        -0.842548932476002,
        -0.638352372606291,
        -0.280706216621298,
        -0.660761500585903,
        0.17751863107946,
        0.233615027647556,
    )
    qdd = (
        -0.789228640503249,
        0.131462102051661,
        -0.990740713343228,
        -0.0697616011823554,
        0.951244395257075,
        0.598856876902994,
    )
    tau = [
        -0.837697058997922,
        22.8558889939366,
        7.8533715050978,
        -0.0208951496376055,
        0.00769210352492181,
        -3.07727574520609e-05,
    ]
    check("inverse_dynamics", tau, model, q, qd, qdd)
    accelerations = [
        9.39114586181007,
        -31.8980846142905,
        54.8076162451062,
        206.997268390924,
        -364.47020552812,
        2559.53732437518,
    ]
    check("forward_dynamics", accelerations, model, q, qd, (5, -20, 8, 0.3, -0.2, 0.1), tolerance=1e-11)
    second = [
        0.668297308868418,
        2.6522190797234,
        0.631063744314043,
        -0.001724504106815,
        -0.000950702839994009,
        3.4127316689471e-05,
    ]
    for _, M in each("mass_matrix", model, q):
        assert np.allclose(M[1], second, rtol=1e-11)


# --- 19.5 a generic R/P chain ------------------------------------------------------------------------------------------------
ROWS = [
    (
        "revolute",
        2.661,
        -0.141,
        0.285,
        0.548,
        1.824,
        (0.237, 0.044, -0.066),
        (0.603, 0.5622, 0.6512, -0.0332, -0.083, 0.0295),
    ),
    (
        "prismatic",
        -0.872,
        0.152,
        -0.153,
        0.045,
        2.169,
        (0.041, 0.274, 0.171),
        (0.6234, 0.8162, 0.6114, 0.1525, 0.2941, -0.1653),
    ),
    (
        "revolute",
        -0.784,
        -0.03,
        0.018,
        2.411,
        3.714,
        (-0.192, 0.041, 0.062),
        (1.0733, 0.9931, 0.9092, -0.2258, 0.0386, 0.0059),
    ),
    (
        "revolute",
        2.798,
        -0.042,
        0.275,
        -2.791,
        3.401,
        (0.17, 0.097, 0.09),
        (1.3883, 1.6604, 1.5277, 0.5367, -0.1415, 0.1252),
    ),
    (
        "prismatic",
        -1.237,
        0.028,
        -0.018,
        2.707,
        2.544,
        (0.025, -0.245, 0.229),
        (0.7843, 0.6235, 0.9062, 0.0868, -0.0926, -0.1058),
    ),
]


def generic():
    keys = ("joint", "theta", "d", "a", "alpha", "mass", "com", "inertia")
    return from_dh(
        [dict(zip(keys, row, strict=True)) for row in ROWS], "distal", gravity=(1.0, -2.0, -9.0), name="generic"
    )


def test_generic_chain():
    model = generic()
    q, qd = (0.313, -1.184, 0.717, -1.16, -0.356), (0.509, -0.104, -1.305, 0.367, -0.4)
    qdd, tau = (-0.356, -1.011, -0.948, 1.479, 0.313), (0.262, 0.843, -0.349, -1.038, 0.321)
    third = [2.68677281179219, -0.00220821678253633, 4.95222246390081, -3.07946047120197, -0.187681422802344]
    for _, M in each("mass_matrix", model, q):
        assert np.allclose(M[2], third, rtol=1e-11)
    torques = [-18.4406349777661, 94.0891907983207, -15.8205153945705, 16.5852583063638, 23.7154725280159]
    check("inverse_dynamics", torques, model, q, qd, qdd)
    accelerations = [0.688739762305103, -8.24288549350809, 0.085960809595108, -0.749374133790615, -3.23542486178858]
    check("forward_dynamics", accelerations, model, q, qd, tau, tolerance=1e-12)
    _, D = next(each("mass_matrix_udu", model, q))[1]
    assert np.allclose(D, [7.29293873678372, 10.4895017045351, 2.40251648182676, 3.67782659534553, 2.544], rtol=1e-12)
    assert np.log(D).sum() == pytest.approx(7.44985784923535, rel=1e-12)
    rows = {
        "denoc": [0.429767600737246, 0.459188792908651, 0.602540771896829, 0.346255952653104, 1.52113494970127],
        "christoffel": [0.786638652342834, 0.459188792908651, 0.602540771896829, -0.148695996303964, 1.52113494970127],
    }
    for method, C in each("coriolis_matrix", model, q, qd):
        assert np.allclose(C[2], rows[method], rtol=1e-11)


def test_tool_wrench():
    """A wrench on the last link, given in base axes at the tool's origin."""
    for model, q, qd, qdd, moment, force, expected in (
        (
            generic(), (0.313, -1.184, 0.717, -1.16, -0.356), (0.509, -0.104, -1.305, 0.367, -0.4), (-0.356, -1.011, -0.948, 1.479, 0.313),
            (0.4, -0.2, 0.6), (3, 1, -2), [-20.1876447628827, 95.0219320451186, -15.8810077230945, 16.6846683936773, 26.6699902795873],
        ),
        (
            stanford(), (0.4, 1.2, 0.05, -0.3, 0.6, 0.2), (0.3, -0.2, 0.1, 0.4, -0.5, 0.6), (-0.4, 0.5, 0.2, -0.1, 0.3, 0.7),
            (0.1, -0.2, 0.3), (2, -1, 0.5),
            [-1.60507684666315, 16.1004250988135, -19.3528866913964, 0.123699761779514, 0.132479000133875, -0.0840116849110897],
        ),
    ):  # fmt: skip
        poses = numbers(find("forward_kinematics")[0], model)(np.array(q))
        tool = len(model.links) - 1
        R = poses[tool, :3, :3]
        wrench = np.concatenate([R.T @ np.array(moment), R.T @ np.array(force)])
        check("inverse_dynamics", expected, model, q, qd, qdd, external={tool: wrench})


def test_joint_wrenches():
    """Those of section 19.5, [moment about C_i; force] in base axes; their share along the joint is the drive."""
    model = generic()
    q, qd, tau = np.array(
        [
            [0.313, -1.184, 0.717, -1.16, -0.356],
            [0.509, -0.104, -1.305, 0.367, -0.4],
            [0.262, 0.843, -0.349, -1.038, 0.321],
        ]
    )
    expected = [
        [
            -28.6092551373284,
            4.84931393405936,
            -11.6397814319513,
            -16.8734844677589,
            -22.0803533108343,
            34.0398082700744,
        ],
        [
            -4.14922285264954,
            -3.59863496552918,
            -2.80089482367722,
            -15.2781007693878,
            -25.059069449126,
            17.6238082700744,
        ],
        [2.34170322093276, -1.61017425415337, 6.22444171603117, -12.8366994014307, -19.7420449189251, 13.3635991458493],
        [-3.81842053720669, 0.83441949638199, 2.65053689986486, -8.38012794764193, -11.8787103716176, 6.40599100205416],
        [
            0.326408553736645,
            -0.267717676686803,
            1.53283372942609,
            -1.5338770397595,
            -4.84056620946423,
            -0.796643333555472,
        ],
    ]
    f = numbers(find("joint_wrenches", "fixman")[0], model)(q, qd, tau)
    poses = numbers(find("forward_kinematics")[0], model)(q)
    for i in range(1, 6):
        link = next(k for k, l in enumerate(model.links) if l.body == i)
        placement = np.array(model.links[link].placement.rotation).reshape(3, 3)
        R = poses[link, :3, :3] @ placement.T  # axes of the body's own frame
        moment = R @ (f[i - 1, :3] - np.cross(model.bodies[i].inertia.com, f[i - 1, 3:]))
        assert np.allclose(moment, expected[i - 1][:3], rtol=1e-10, atol=1e-10)
        assert np.allclose(R @ f[i - 1, 3:], expected[i - 1][3:], rtol=1e-10)
        assert f[i - 1, 2 if ROWS[i - 1][0] == "revolute" else 5] == pytest.approx(tau[i - 1], abs=1e-11)


def test_gibbs_function():
    """Its gradient is the joint force, its Hessian the mass matrix: G is quadratic in qdd, so differences are exact."""
    model = generic()
    rng = np.random.default_rng(0)
    q, qd, qdd = rng.uniform(-1, 1, (3, 5))
    G = numbers(find("gibbs_function")[0], model)
    steps = np.eye(5)
    gradient = (G(q, qd, qdd + steps) - G(q, qd, qdd - steps)) / 2
    assert np.allclose(gradient, next(each("inverse_dynamics", model, q, qd, qdd))[1], rtol=1e-11)
    hessian = [
        [G(q, qd, qdd + a + b) - G(q, qd, qdd + a) - G(q, qd, qdd + b) + G(q, qd, qdd) for b in steps] for a in steps
    ]
    assert np.allclose(hessian, next(each("mass_matrix", model, q))[1], atol=1e-10)
