"""Where the links are and how they move: forward kinematics, Jacobian, O(n).

[F08, ch. 4]. X0[i] leads from the world to body i. A Jacobian's columns are the twists of the link's own origin for
unit joint rates, in world axes or in the link's own.
"""

from __future__ import annotations

from typing import Any

from ..spatial import Transform, Vec3
from ..tree import JointVectors, Tree
from .registry import algorithm


@algorithm("forward_kinematics", "recursive", inputs="q", output="poses", takes="branches mimic singular loops", rank=1)
def forward_kinematics(tree: Tree, q: JointVectors) -> Any:
    """The pose of every link in the world."""
    X0, pose = tree.table("X0", base=Transform.identity()), tree.link_table("pose")

    for i, p in tree.outward("bodies"):
        X, _ = tree.joint[i].motion(q[i])
        X0[i] = X @ X0[p]

    for k, b in tree.links("links"):
        pose[k] = tree.frame[k] @ X0[b]
    return pose


@algorithm(
    "link_pose", "recursive", inputs="q", output="pose", takes="branches mimic singular loops", options="link", rank=1
)
def link_pose(tree: Tree, q: JointVectors, link: int) -> Any:
    """The pose of one link, from the joints on its path only."""
    T = tree.table("T")
    body = tree.body_of(link)
    T[0] = T[body] = tree.frame[link] @ Transform.identity()
    for j, p in tree.path(body):  # T[j]: from body j's frame to the link
        X, _ = tree.joint[j].motion(q[j])
        T[p] = T[j] @ X
    return T[0]


@algorithm(
    "jacobian",
    "recursive",
    inputs="q",
    output="jacobian",
    takes="branches mimic singular loops",
    options="link world",
    rank=1,
)
def jacobian(tree: Tree, q: JointVectors, link: int, world: bool) -> Any:
    """J with [omega; v] of the link's origin = J qd, in world axes or in the link's."""
    J, T = tree.table("J"), tree.table("T")
    body = tree.body_of(link)
    T[0] = T[body] = tree.frame[link] @ Transform.identity()
    for j, p in tree.path(body):
        X, S = tree.joint[j].motion(q[j])
        J[j] = T[j] @ S
        T[p] = T[j] @ X
    if world:
        turn = Transform(T[0].rotation.T, Vec3.zero())  # from the link's axes to the world's, origin kept
        for j, _ in tree.path(body):
            J[j] = turn @ J[j]
    return J
