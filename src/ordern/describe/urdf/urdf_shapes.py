"""Shapes and colours of URDF's <visual> and <collision>."""

from __future__ import annotations

from collections.abc import Mapping

from ...errors import ModelError
from ...model import Geometry
from ..xml import Element
from .urdf_loops import origin_of

__all__ = ["SHAPES", "rgba", "shape_of"]

SHAPES: dict[str, tuple[tuple[str, int], ...]] = {
    "box": (("size", 3),),
    "cylinder": (("radius", 1), ("length", 1)),
    "capsule": (("radius", 1), ("length", 1)),
    "sphere": (("radius", 1),),
}


def rgba(color: Element) -> tuple[float, ...]:
    """A colour; opaque where three numbers stand."""
    many = len(color.attributes.get("rgba", "").split())
    return (*color.numbers("rgba", 3), 1.0) if many == 3 else color.numbers("rgba", 4)


def shape_of(element: Element, colors: Mapping[str, tuple[float, ...]]) -> Geometry | None:
    """The shape of a <visual> or <collision>; None for one that has none or is of a kind unknown here."""
    geometry = element.one("geometry")
    material = next(iter(element.all("material")), None)
    color: tuple[float, ...] = ()
    if material is not None:
        own = material.one("color")
        color = rgba(own) if own is not None else colors.get(material.attributes.get("name", ""), ())
    for shape in geometry.children if geometry is not None else ():
        if shape.tag == "mesh":
            scale = shape.numbers("scale", 3, (1.0, 1.0, 1.0))
            return Geometry(
                "mesh", scale, shape.text("filename", "package://robot/meshes/link.stl"), origin_of(element), color
            )
        if shape.tag in SHAPES:
            size = tuple(x for key, count in SHAPES[shape.tag] for x in shape.numbers(key, count))
            if min(size) < 0:
                raise ModelError(
                    f"{shape.where}: its size is {min(size)!r}; a size must not be negative, remove the sign"
                )
            return Geometry(shape.tag, size, "", origin_of(element), color)
    return None
