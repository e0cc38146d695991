"""Quaternions (x, y, z, w): rotations, exponential steps, rates, errors, on any scalar."""

from __future__ import annotations

from ..scalars.primitives import Scalar, half, most, select, sincos, sqrt
from . import Mat3, Rotation, Twist, Vec3
from .joint_space import JointVector

__all__ = [
    "TINY",
    "attitude_error",
    "inverse_differential",
    "quaternion_log",
    "quaternion_product",
    "quaternion_rates",
    "quaternion_turn",
    "sinc",
    "third_order",
    "turned",
]

# keeps sin(h)/h finite at h = 0, in float32 too; for an angle below its square root that is 1 to the last digit
TINY = 1e-30


def quaternion_turn(x: Scalar, y: Scalar, z: Scalar, w: Scalar) -> Rotation:
    """Parent to body components; rounding of the quaternion's length (not zero) never shears the body."""
    n = 2 / (x * x + y * y + z * z + w * w)
    xs, ys, zs = x * n, y * n, z * n
    xx, yy, zz, xy, xz, yz = x * xs, y * ys, z * zs, x * ys, x * zs, y * zs
    wx, wy, wz = w * xs, w * ys, w * zs
    return Rotation(
        Mat3(1 - (yy + zz), xy + wz, xz - wy, xy - wz, 1 - (xx + zz), yz + wx, xz + wy, yz - wx, 1 - (xx + yy))
    )


def quaternion_product(a: tuple[Scalar, ...], b: tuple[Scalar, ...]) -> tuple[Scalar, ...]:
    """The turn a, then b in its frame."""
    (ax, ay, az, aw), (bx, by, bz, bw) = a, b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by + ay * bw + az * bx - ax * bz,
        aw * bz + az * bw + ax * by - ay * bx,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def sinc(h: Scalar) -> tuple[Scalar, Scalar]:
    """sin(h)/h and cos(h); h > 0."""
    s, c = sincos(h)
    return s / h, c


def turned(q: tuple[Scalar, ...], v: Vec3) -> tuple[Scalar, ...]:
    """The quaternion q followed by the rotation vector v, at unit length."""
    h = sqrt(most(v.dot(v) * 0.25, TINY))
    ratio, c = sinc(h)
    k = ratio * 0.5
    made = quaternion_product(q, (v.x * k, v.y * k, v.z * k, c))
    length = sqrt(made[0] * made[0] + made[1] * made[1] + made[2] * made[2] + made[3] * made[3])
    return tuple(e / length for e in made)


def quaternion_rates(q: tuple[Scalar, ...], w: Vec3) -> tuple[Scalar, ...]:
    """Half of q (omega, 0)."""
    return tuple(half(e) for e in quaternion_product(q, (w.x, w.y, w.z, 0)))


def third_order(two: Scalar) -> Scalar:
    """(1 - sin(t)/t)/t^2 with two = t^2, for any angle t.

    Below one radian its series, alternating with terms that fall by 1/(2k+2)(2k+3), to below one ulp; above, as it
    stands: there 1 - sinc
    is at least 0.15, so that nothing cancels.
    """
    x = select(two - 1, 1, two)  # where the other form counts, the series need only be finite
    series = _series(x, 8)
    t = sqrt(most(two, 1))
    s, _ = sincos(t)
    return select(two - 1, (1 - s / t) / (t * t), series)


def _series(x: Scalar, terms: int) -> Scalar:
    """1/3! - x/5! + x^2/7! - ... by Horner's rule."""
    made: Scalar = 1
    for k in range(terms, 0, -1):
        made = 1 - x / ((2 * k + 2) * (2 * k + 3)) * made
    return made / 6


def inverse_differential(x: JointVector, v: JointVector) -> JointVector:
    """The rate of x in q exp(x), for the velocity v: v + [x, v]/2 + [x, [x, v]]/12 - ad^4/720 + ad^6/30240."""
    theta = _twist(x)
    nested = [_twist(v)]
    for _ in range(6):
        nested.append(theta.cross(nested[-1]))
    made = nested[0] + nested[1] * 0.5 + nested[2] * (1 / 12) + nested[4] * (-1 / 720) + nested[6] * (1 / 30240)
    return JointVector(*made.dense()[: len(v)])


def _twist(e: JointVector) -> Twist:
    """Rotations have three numbers, rigid motions six."""
    return Twist(Vec3(*e.e[:3]), Vec3(*e.e[3:6]) if len(e) == 6 else Vec3.zero())


def quaternion_log(q: tuple[Scalar, ...]) -> Vec3:
    """The rotation of a quaternion of any length but zero: its axis times its angle, at most half a turn.

    With a half of the angle and the sign that makes cos a >= 0, it is 2 (a / sin a) times the vector part. Halving a
    three times, a / sin a = (b / sin b) / (cos 4b cos 2b cos b) with b <= pi/16, where the series of b / sin b in
    sin^2 b, whose terms fall by at least 1/26, needs ten terms; nothing is divided by what may vanish.
    """
    x, y, z, w = q
    v = Vec3(x, y, z)
    two = v.dot(v)
    length = sqrt(two + w * w)
    c, product = select(w, w, -w) / length, 1
    for _ in range(3):
        c = sqrt(half(1 + c))
        product = product * c
    ratio = 2 * _arcsine(two / (64 * (product * length) * (product * length))) / (product * length)
    made: Vec3 = v * select(w, ratio, -ratio)
    return made


def _arcsine(x: Scalar) -> Scalar:
    """The ratio b / sin b with x = sin^2 b: 1 + x/6 + 3 x^2/40 + ... by Horner's rule."""
    made: Scalar = 1
    for k in range(10, 0, -1):
        made = 1 + x * (2 * k - 1) ** 2 / (2 * k * (2 * k + 1)) * made
    return made


def attitude_error(q: JointVector, target: JointVector) -> JointVector:
    """From q to the target in the body: sine of the angle times its axis, then the offset if any."""
    x, y, z, w = q.e[-4:]
    ex, ey, ez, ew = quaternion_product((-x, -y, -z, w), target.e[-4:])
    turn = [2 * ew * e for e in (ex, ey, ez)]
    if len(q) == 4:
        return JointVector(*turn)
    p = quaternion_turn(x, y, z, w) @ (Vec3(*target.e[:3]) - Vec3(*q.e[:3]))
    return JointVector(*turn, p.x, p.y, p.z)
