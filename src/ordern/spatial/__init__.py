"""Vectors, rotations, twists, wrenches and inertias over any scalar, each operation written out by its structure.

Conventions. Spatial vectors are angular first: a twist is [omega; v], a wrench [moment; force], both at the origin of
the frame they are written in. A :class:`Transform` X leads from a parent frame to a body frame: ``X @ twist`` rewrites
a motion, ``X.T @ wrench`` brings a force back. Zeros and ones that are known stay Python's 0 and 1 and fold in the
scalars' own operators; nothing here tests a value. ``dense()`` gives the 3x3 or 6x6 meaning of every type as nested
lists, for tests and for reading.
"""

from .inertia import ArticulatedInertia, ForceMap, InertiaRate, Mobility, RigidInertia
from .six import Transform, Twist, Wrench
from .three import Mat3, Parts, Planar, Rotation, Sym3, Vec3, rates_matrix

__all__ = [
    "ArticulatedInertia",
    "ForceMap",
    "InertiaRate",
    "Mat3",
    "Mobility",
    "Parts",
    "Planar",
    "RigidInertia",
    "Rotation",
    "Sym3",
    "Transform",
    "Twist",
    "Vec3",
    "Wrench",
    "rates_matrix",
]
