"""The page's computations: algorithms traced for this robot and written as JavaScript."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ..algorithms.registry import Algorithm, choose
from ..emit.javascript import javascript
from ..errors import MethodError, SingularError
from ..model import Model
from ..program.build import trace
from ..spatial import ArticulatedInertia, Mat3, RigidInertia, Rotation, Transform, Twist, Vec3
from ..spatial.joint_space import gram
from ..tree import JointVectors, Tree

__all__ = ["programs"]

WRITTEN_OUT = 14  # bodies: beyond, loops keep the text short
LARGEST_MATRIX = 200  # degrees of freedom: beyond, the page does not show M
LONGEST = 120_000  # statements of one program


def _packed(m: Mat3, v: Vec3) -> Transform:
    """A 3x3 matrix and a vector, in the place that a pose has in the output."""
    return Transform(Rotation(m.T), v)


def composite_bodies(tree: Tree, q: JointVectors) -> Any:
    """Per link: inertia and first moment of its body's rigid subtree, about the body's origin in its axes."""
    X, Ic = tree.table("X"), tree.table("Ic", base=RigidInertia.zero())
    seen = tree.link_table("seen")
    for i, _ in tree.outward("placement"):
        X[i], _ = tree.joint[i].motion(q[i])
        Ic[i] = tree.inertia[i]
    for i, p in tree.inward("composite"):
        Ic[p] += Ic[i].seen_from_parent(X[i])
    for k, b in tree.links("links"):
        seen[k] = _packed(Ic[b].I.full(), Ic[b].h)
    return seen


def articulated_bodies(tree: Tree, q: JointVectors) -> Any:
    """Per link: the blocks I, H, M of the articulated inertia of its body, all joints beyond it giving way."""
    X, S = tree.table("X"), tree.table("S")
    A = tree.table("A", base=ArticulatedInertia.zero())
    made = [tree.link_table(name) for name in "IHM"]
    for i, _ in tree.outward("placement"):
        X[i], S[i] = tree.joint[i].motion(q[i])
        A[i] = tree.inertia[i].articulated()
    for i, p in tree.inward("articulated"):
        U = A[i] @ S[i]
        psi = U / gram(S[i], U).plus_diagonal(tree.armature[i])
        A[p] += (A[i] - U @ psi.T).seen_from_parent(X[i])
    for k, b in tree.links("links"):
        for table, block in zip(made, (A[b].I.full(), A[b].H, A[b].M.full()), strict=True):
            table[k] = _packed(block, Vec3.zero())
    return tuple(made)


COMPOSITE = Algorithm(composite_bodies, "composite_bodies", "page", ("q",), ("poses",))
ARTICULATED = Algorithm(articulated_bodies, "articulated_bodies", "page", ("q",), ("poses", "poses", "poses"))


def joint_twists(tree: Tree, q: JointVectors) -> Any:
    """Per link: its body's twists for unit rates of its joint, in world axes at the world's origin."""
    most = max(body.joint.nv for body in tree.model.bodies[1:])
    X0 = tree.table("X0", base=Transform.identity())
    none = _packed(Mat3.zero(), Vec3.zero())
    pairs = [tree.table(f"W{k}", base=none) for k in range((most + 1) // 2)]
    made = [tree.link_table(f"seen{k}") for k in range(len(pairs))]
    for i, p in tree.outward("bodies"):
        X, S = tree.joint[i].motion(q[i])
        X0[i] = X @ X0[p]
        W = (X0[i].inverse() @ S).columns
        for k, pair in enumerate(pairs):
            a, b = (W[c] if c < len(W) else Twist.zero() for c in (2 * k, 2 * k + 1))
            pair[i] = _packed(Mat3(*a.angular.dense(), *a.linear.dense(), *b.angular.dense()), b.linear)
    for k, b in tree.links("links"):
        for table, pair in zip(made, pairs, strict=True):
            table[k] = pair[b]
    return made[0] if len(made) == 1 else tuple(made)


def stepped(tree: Tree, q: JointVectors, qd: JointVectors) -> Any:
    """The coordinates after moving with the joint velocities for unit time."""
    made = tree.table("stepped")
    for i, _ in tree.outward("step"):
        made[i] = tree.joint[i].step(q[i], qd[i])
    return made


def chart_rates(tree: Tree, x: JointVectors, v: JointVectors) -> Any:
    """The rates of x in q = step(base, x) for the joint velocities v."""
    made = tree.table("rates")
    for i, _ in tree.outward("rates"):
        if not tree.model.coupled or i in tree.model.free:  # a joint that follows another one has no rate of its own
            made[i] = tree.joint[i].joint.chart_rate(x[i], v[i])
    return made


STEPPED = Algorithm(stepped, "stepped", "page", ("q", "qd"), ("coordinates",))
CHART = Algorithm(chart_rates, "chart_rates", "page", ("qd", "qdd"), ("dofs",))


def programs(model: Model) -> tuple[str, dict[str, str]]:
    """A script with ``ordernPrograms``: functions of q, qd, ... to flat arrays; and why others are missing."""
    wanted: dict[str, tuple[Algorithm, Model, tuple[Any, ...]]] = {}
    absent: dict[str, str] = {}

    def want(name: str, quantity: str, method: str | None = None, options: tuple[Any, ...] = ()) -> None:
        try:
            wanted[name] = (choose(quantity, method, model), model, options)
        except (MethodError, SingularError) as error:
            absent[name] = str(error)

    want("poses", "forward_kinematics")
    wanted["composite"] = (COMPOSITE, model, ())
    if model.nv:
        heavy, few = not _massless_tip(model), model.nv <= LARGEST_MATRIX
        want("gravity", "gravity_forces")
        if few:
            want("mass", "mass_matrix")
        if few and heavy:
            want("factors", "mass_matrix_udu")
        if heavy:
            wanted["articulated"] = (ARTICULATED, _held(model), ())
        most = max(body.joint.nv for body in model.bodies[1:])
        wanted["twists"] = (
            Algorithm(joint_twists, "joint_twists", "page", ("q",), ("poses",) * ((most + 1) // 2)),
            model,
            (),
        )
        if heavy:
            want("forward", "forward_dynamics")
        else:
            absent["forward"] = "some joint moves no mass"
        if model.springs and "gravity" in wanted:  # of the weights alone
            wanted["weights"] = (
                wanted["gravity"][0],
                replace(model, bodies=tuple(replace(b, stiffness=()) for b in model.bodies)),
                (),
            )
        if not model.loops:
            want("wrenches", "joint_wrenches", "newton-euler")
        if not model.plain:
            wanted |= {"step": (STEPPED, model, ()), "chart": (CHART, model, ())}
    if model.loops:
        want("residual", "constraint_residual")
        want("constraints", "constraint_jacobian")
        want("closures", "constraint_forces", None, (True,))
    parts = []
    for name, (algorithm, of, options) in wanted.items():
        text, why = _text(algorithm, of, options, None if name == "poses" else LONGEST)
        if text:
            parts.append(f'"{name}":{text}')
        else:
            absent[name] = why
    return "globalThis.ordernPrograms={\n" + ",\n".join(parts) + "\n};\n", absent


HELD = 1e30  # kg m^2: a rotor that nothing turns


def _held(model: Model) -> Model:
    """The model with mimic joints and their masters held: bodies that move as one lever have no own inertias."""
    if not model.coupled:
        return model
    tied = {k for i, body in enumerate(model.bodies) if body.mimic is not None for k in (i, body.mimic.body)}
    bodies = tuple(
        replace(body, armature=(HELD,) * body.joint.nv) if i in tied else body for i, body in enumerate(model.bodies)
    )
    return replace(model, bodies=bodies)


def _text(algorithm: Algorithm, model: Model, options: tuple[Any, ...], most: int | None) -> tuple[str, str]:
    """A function's text; or none and why: too long, or it divides by an inertia that is always zero."""
    try:
        program = trace(algorithm, model, options, rolled=len(model.bodies) > WRITTEN_OUT)
    except ZeroDivisionError:
        return "", "some joint moves no mass"
    if most is not None and len(program.nodes) > most:
        return "", f"its program would have {len(program.nodes)} statements, and a page takes {most} at most"
    return javascript(program), ""


def _massless_tip(model: Model) -> bool:
    """Whether some joint moves nothing at all, so that articulated inertias divide by zero."""
    carries = [False] * len(model.bodies)
    for i in range(len(model.bodies) - 1, 0, -1):
        body = model.bodies[i]
        carries[i] = carries[i] or body.inertia.m > 0 or any(body.inertia.I) or any(body.armature)
        carries[body.parent] = carries[body.parent] or carries[i]
        if not carries[i]:
            return True
    return False
