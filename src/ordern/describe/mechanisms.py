"""Built-in closed chains: linkages, parallel robots and multibody benchmarks, a function each."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..errors import whole
from ..model import Model, Placement
from .builder import JointSpec, LinkSpec, LoopSpec, build

__all__ = ["andrews", "bricard", "delta", "fivebar", "fourbar", "fourbars", "slider_crank", "stewart", "threerrr"]

DOWN = (0.0, -9.81, 0.0)  # gravity of mechanisms that move in the X-Y plane
UP = math.pi / 2
Point = tuple[float, float, float]


def _rod(name: str, length: float, mass: float) -> LinkSpec:
    """A uniform slender rod along x from the link's origin."""
    own = mass * length * length / 12
    return LinkSpec(name, mass, (length / 2, 0.0, 0.0), (0.0, own, own, 0.0, 0.0, 0.0))


def _at(x: float, y: float = 0.0, z: float = 0.0, yaw: float = 0.0) -> Placement:
    return Placement.from_rpy((x, y, z), (0.0, 0.0, yaw))


def _turning(name: str, parent: str, x: float, y: float = 0.0, yaw: float = 0.0) -> JointSpec:
    """A hinge about z that moves the link of its own name."""
    return JointSpec(name, "revolute", parent, name, _at(x, y, 0.0, yaw))


def _meet(name: str, link1: str, xyz1: Sequence[float], link2: str, xyz2: Sequence[float]) -> LoopSpec:
    """A hinge about z that closes a loop."""
    return LoopSpec(name, "revolute", link1, link2, xyz1=xyz1, xyz2=xyz2)


def fourbar() -> Model:
    """A crank-rocker in the X-Y plane (the data of ReDySim's example): crank, then from the other hinge on the ground
    rocker and coupler.

    Angles of crank and rocker are from X, that of the coupler from the rocker. Its crank has the drive.
    """
    links = [LinkSpec("ground"), _rod("crank", 0.05, 1.5), _rod("rocker", 0.13, 5.0), _rod("coupler", 0.10, 3.0)]
    joints = [_turning("crank", "ground", 0.0), _turning("rocker", "ground", 0.15), _turning("coupler", "rocker", 0.13)]
    loops = [_meet("tip", "crank", (0.05, 0.0, 0.0), "coupler", (0.10, 0.0, 0.0))]
    return build("fourbar", links, joints, gravity=DOWN, loops=loops, actuated=["crank"], home=(0.0, 2.28, 2.28))


def slider_crank() -> Model:
    """A driven crank of 0.1 m, a rod of 0.3 m and a slider along X in the X-Y plane, stretched at q = 0."""
    links = [
        LinkSpec("ground"),
        _rod("crank", 0.1, 1.0),
        _rod("rod", 0.3, 1.0),
        LinkSpec("slider", 1.0, inertia=(1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0)),
    ]
    slide = JointSpec("slider", "prismatic", "ground", "slider", _at(0.4), axis=(1.0, 0.0, 0.0))
    joints = [_turning("crank", "ground", 0.0), _turning("rod", "crank", 0.1), slide]
    loops = [_meet("pin", "rod", (0.3, 0.0, 0.0), "slider", (0.0, 0.0, 0.0))]
    return build("slider_crank", links, joints, gravity=DOWN, loops=loops, actuated=["crank"])


def fivebar() -> Model:
    """A planar five-bar: two driven cranks of 0.2 m on hinges 0.2 m apart, two rods of 0.3 m that meet."""
    links = [LinkSpec("ground")]
    joints = []
    for side, x, lean in (("left", -0.1, 0.5), ("right", 0.1, -0.5)):
        reach = 0.1 + 0.2 * math.sin(0.5)  # how far the elbow is from the middle
        bend = math.asin(reach / 0.3)
        links += [_rod(f"{side}_crank", 0.2, 0.5), _rod(f"{side}_rod", 0.3, 0.5)]
        joints.append(_turning(f"{side}_crank", "ground", x, yaw=UP + lean))
        joints.append(_turning(f"{side}_rod", f"{side}_crank", 0.2, yaw=-lean - math.copysign(bend, lean)))
    loops = [_meet("tip", "left_rod", (0.3, 0.0, 0.0), "right_rod", (0.3, 0.0, 0.0))]
    return build("fivebar", links, joints, gravity=DOWN, loops=loops, actuated=["left_crank", "right_crank"])


def threerrr() -> Model:
    """A 3-RRR: a platform in the X-Y plane on three legs of two rods each; the hinges on the ground have drives."""
    links, joints, loops = [LinkSpec("ground")], [], []
    for k in range(3):
        angle = UP + 2 * math.pi * k / 3
        x, y = 0.5 * math.cos(angle), 0.5 * math.sin(angle)
        bend = math.acos(0.2 / 0.3)  # both rods lean by this from the line to the middle, elbows one way
        links += [_rod(f"upper{k + 1}", 0.3, 1.0), _rod(f"lower{k + 1}", 0.3, 1.0)]
        joints.append(_turning(f"upper{k + 1}", "ground", x, y, angle + math.pi + bend))
        joints.append(_turning(f"lower{k + 1}", f"upper{k + 1}", 0.3, yaw=-2 * bend))
    links.append(LinkSpec("platform", 2.0, inertia=(0.005, 0.005, 0.01, 0.0, 0.0, 0.0)))
    # the first leg's lower rod points there; the platform's axes are the world's
    back = UP + math.pi - math.acos(0.2 / 0.3)
    seat = JointSpec("platform", "revolute", "lower1", "platform", _at(0.3, yaw=-back), child_frame=_at(0.0, -0.1))
    joints.append(seat)
    for k in (1, 2):
        angle = UP + 2 * math.pi * k / 3
        corner = (0.1 * math.cos(angle), 0.1 * math.sin(angle), 0.0)
        loops.append(_meet(f"corner{k + 1}", f"lower{k + 1}", (0.3, 0.0, 0.0), "platform", corner))
    return build("threerrr", links, joints, gravity=DOWN, loops=loops, actuated=["upper1", "upper2", "upper3"])


def delta() -> Model:
    """A delta robot as 3-RUU: arms of 0.2 m, rods of 0.6 m with two universal joints; the platform hangs."""
    down = math.asin((0.2 + 0.2 - 0.05) / 0.6)  # how far rods lean inward at q = 0
    links, joints, loops = [LinkSpec("base")], [], []
    for k in range(3):
        yaw, n = 2 * math.pi * k / 3, k + 1
        own = 0.3 * 0.6 * 0.6 / 12
        links.append(_rod(f"arm{n}", 0.2, 0.5))
        links.append(LinkSpec(f"rod{n}", 0.3, (0.0, 0.0, -0.3), (own, own, 1e-5, 0.0, 0.0, 0.0)))
        hip = Placement.from_rpy((0.2 * math.cos(yaw), 0.2 * math.sin(yaw), 0.0), (0.0, 0.0, yaw))
        joints.append(JointSpec(f"arm{n}", "revolute", "base", f"arm{n}", hip, axis=(0.0, 1.0, 0.0)))
        elbow = Placement.from_rpy((0.2, 0.0, 0.0), (0.0, down, 0.0))
        joints.append(
            JointSpec(
                f"elbow{n}", "universal", f"arm{n}", f"rod{n}", elbow, axis=(0.0, 1.0, 0.0), axis2=(1.0, 0.0, 0.0)
            )
        )
        tip, seat = (
            Placement(origin=(0.0, 0.0, -0.6)),
            Placement.from_rpy((0.05 * math.cos(yaw), 0.05 * math.sin(yaw), 0.0), (0.0, 0.0, yaw)),
        )
        if k == 0:
            links.append(LinkSpec("platform", 0.4, inertia=(4e-4, 4e-4, 8e-4, 0.0, 0.0, 0.0)))
            level = Placement.from_rpy((0.0, 0.0, 0.0), (0.0, -down, 0.0)) @ seat.inverse()
            wrist = JointSpec(
                "wrist1",
                "universal",
                "rod1",
                "platform",
                tip,
                axis=(1.0, 0.0, 0.0),
                axis2=(0.0, 1.0, 0.0),
                child_frame=level,
            )
            joints.append(wrist)
        else:
            wide = seat @ Placement.from_rpy((0.0, 0.0, 0.0), (0.0, down, 0.0))
            loops.append(LoopSpec(f"wrist{n}", "universal", f"rod{n}", "platform", frame1=tip, frame2=wide))
    return build("delta", links, joints, loops=loops, actuated=["arm1", "arm2", "arm3"])


def stewart() -> Model:
    """A Stewart platform, 6-UPS: six legs driven along their length; q begins with the platform's pose."""
    links = [LinkSpec("base"), LinkSpec("platform", 10.0, inertia=(0.2, 0.2, 0.4, 0.0, 0.0, 0.0))]
    joints = [JointSpec("platform", "floating", "base", "platform", _at(0.0, 0.0, 0.8))]
    loops = []
    for k in range(6):
        side, n = (1 if k % 2 else -1), k + 1
        low, high = (
            math.pi / 3 * (k - k % 2) + side * 0.2 + math.pi / 6,
            math.pi / 3 * (k - k % 2) + side * 0.85 + math.pi / 6,
        )
        foot, head = (
            (0.6 * math.cos(low), 0.6 * math.sin(low), 0.0),
            (0.35 * math.cos(high), 0.35 * math.sin(high), 0.0),
        )
        along = (head[0] - foot[0], head[1] - foot[1], 0.8)
        length = math.hypot(*along)
        pitch, yaw = math.atan2(math.hypot(along[0], along[1]), along[2]), math.atan2(along[1], along[0])
        links.append(LinkSpec(f"cylinder{n}", 1.0, (0.0, 0.0, 0.2), (0.014, 0.014, 5e-4, 0.0, 0.0, 0.0)))
        links.append(LinkSpec(f"piston{n}", 0.5, (0.0, 0.0, -0.2), (0.007, 0.007, 1e-4, 0.0, 0.0, 0.0)))
        joints.append(
            JointSpec(f"foot{n}", "universal", "base", f"cylinder{n}", Placement.from_rpy(foot, (0.0, pitch, yaw)))
        )
        joints.append(JointSpec(f"leg{n}", "prismatic", f"cylinder{n}", f"piston{n}", _at(0.0, 0.0, length)))
        loops.append(LoopSpec(f"ball{n}", "spherical", f"piston{n}", "platform", xyz2=head))
    return build("stewart", links, joints, loops=loops, actuated=[f"leg{k + 1}" for k in range(6)])


def andrews() -> Model:
    """Andrews' squeezing mechanism: seven bodies in the X-Y plane, no gravity; closed at the benchmark's initial state,
    ``Model.home``.

    Joints are called as the literature's angles, in the order beta, theta, gamma, delta, phi, epsilon, omega; the
    spring and the driving moment are no part of it.
    """
    mass = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
    spin = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
    centre = (
        (0.00092, 0.0),
        (-0.0115, 0.0),
        (0.01874, 0.01043),
        (0.0, -(0.02 - 0.01421)),
        (0.02308, 0.00916),
        (0.02 - 0.01421, 0.0),
        (0.01228, 0.00449),
    )
    links = [LinkSpec("ground")]
    links += [
        LinkSpec(f"K{k + 1}", m, (x, y, 0.0), (i / 2, i / 2, i, 0.0, 0.0, 0.0))
        for k, (m, i, (x, y)) in enumerate(zip(mass, spin, centre, strict=True))
    ]
    a, b = (-0.06934, -0.00227), (-0.03635, 0.03273)
    hinges = (
        ("beta", "ground", "K1", (0.0, 0.0)), ("theta", "K1", "K2", (0.007, 0.0)), ("gamma", "ground", "K3", b),
        ("delta", "ground", "K5", a),
        ("phi", "K5", "K4", (0.04, 0.0)), ("epsilon", "ground", "K7", a), ("omega", "K7", "K6", (0.0, -0.04)),
    )  # fmt: skip
    joints = [JointSpec(name, "revolute", parent, child, _at(x, y)) for name, parent, child, (x, y) in hinges]
    tip = (-0.028, 0.0, 0.0)
    ends = (("K3", (0.0, -0.035, 0.0)), ("K4", (0.0, -0.02, 0.0)), ("K6", (0.02, 0.0, 0.0)))
    loops = [_meet(f"K2_{link}", "K2", tip, link, end) for link, end in ends]
    start = {
        "beta": -0.0617138900142764496, "theta": 0.0, "gamma": 0.455279819163070380, "phi": 0.222668390165885885,
        "delta": 0.487364979543842550,
        "omega": -0.222668390165885885, "epsilon": 1.23054744454982119,
    }  # fmt: skip
    home = [start[joint.name] for joint in joints]
    return build("andrews", links, joints, gravity=(0.0, 0.0, 0.0), loops=loops, actuated=["beta", "gamma"], home=home)


def bricard() -> Model:
    """Bricard's linkage (IFToMM A04): six rods of 1 m, 1 kg on a cube's edges; five equations of rank four."""
    corners: list[Point] = [
        (0.0, 0.0, 0.0),
        (1.0, 0.0, 0.0),
        (1.0, -1.0, 0.0),
        (1.0, -1.0, 1.0),
        (0.0, -1.0, 1.0),
        (0.0, 0.0, 1.0),
    ]
    axes: list[Point] = [(0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)] * 2
    links, joints = [LinkSpec("ground")], []
    for k in range(5):
        x, y, z = (b - a for a, b in zip(corners[k], corners[k + 1], strict=True))
        own = 1 / 12
        spread = (own * (y * y + z * z), own * (x * x + z * z), own * (x * x + y * y), 0.0, 0.0, 0.0)
        links.append(LinkSpec(f"rod{k + 1}", 1.0, (x / 2, y / 2, z / 2), spread))
        before = corners[k - 1] if k else (0.0, 0.0, 0.0)
        at = Placement(origin=(corners[k][0] - before[0], corners[k][1] - before[1], corners[k][2] - before[2]))
        joints.append(
            JointSpec(f"hinge{k + 1}", "revolute", f"rod{k}" if k else "ground", f"rod{k + 1}", at, axis=axes[k])
        )
    last = tuple(b - a for a, b in zip(corners[4], corners[5], strict=True))
    loops = [LoopSpec("hinge6", "revolute", "ground", "rod5", xyz1=corners[5], xyz2=last, axis=axes[5])]
    return build("bricard", links, joints, gravity=DOWN, loops=loops, actuated=["hinge1"])


def fourbars(n: int = 2) -> Model:
    """N four-bars side by side, benchmark A02: n + 1 upright rods 1 m apart and n rods that join their tops; 1 m, 1 kg
    each; upright at q = 0.

    Args:
        n: number of windows.
    """
    n = whole("n, the number of four-bars,", n, 1, 10**6)
    links, joints, loops = [LinkSpec("ground")], [], []
    for k in range(n + 1):
        links.append(_rod(f"post{k}", 1.0, 1.0))
        joints.append(_turning(f"post{k}", "ground", float(k), yaw=UP))
        if k < n:
            links.append(_rod(f"beam{k}", 1.0, 1.0))
            joints.append(_turning(f"beam{k}", f"post{k}", 1.0, yaw=-UP))
            loops.append(_meet(f"window{k}", f"beam{k}", (1.0, 0.0, 0.0), f"post{k + 1}", (1.0, 0.0, 0.0)))
    return build(f"fourbars{n}", links, joints, gravity=DOWN, loops=loops, actuated=["post0"])
