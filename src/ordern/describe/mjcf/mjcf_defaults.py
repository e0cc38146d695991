"""Default classes of MJCF: for each class and element the attributes that hold unless the element has its own."""

from __future__ import annotations

from collections.abc import Sequence

from ...errors import ModelError, near
from ..xml import Element
from .mjcf_schema import ACTUATORS, KNOWN, ORIENTATION, known
from .mjcf_values import Given

__all__ = ["Defaults"]

SERVED = ("joint", "geom", "mesh", "material", "tendon", "equality", *ACTUATORS)
# element name -> attribute -> the elements that hold it, outermost class first
Settings = dict[str, dict[str, tuple[Element, ...]]]


class Defaults:
    """The tree of classes, flattened: each class with all that it inherits."""

    def __init__(self, sections: Sequence[Element]) -> None:
        self.classes: dict[str, Settings] = {"main": {}}
        # of a class and those around it, outermost first
        self.actuators: dict[str, list[list[Element]]] = {"main": [[]]}
        self.at: dict[str, Element] = {}
        for section in sections:
            self._tree(section)

    def _tree(self, top: Element) -> None:
        name = top.attributes.get("class", "main")
        if name != "main":
            raise ModelError(
                f"{top.where}: the outermost default class is 'main'; put class {name[:80]!r} inside of it"
            )
        stack: list[tuple[Element, str, str]] = [(top, name, "main")]
        while stack:
            element, name, above = stack.pop()
            known(element)
            if name != "main":
                if name in self.at:
                    raise ModelError(
                        f"{element.where}: a second class is called {name[:80]!r}, the first is at "
                        f"{self.at[name].where}; rename one"
                    )
                self.at[name] = element
                self.classes[name] = {tag: dict(held) for tag, held in self.classes[above].items()}
                self.actuators[name] = [*self.actuators[above], []]
            nested = []
            for child in element.children:
                if child.tag == "default":
                    inner = child.text("class", "visual")
                    nested.append((child, inner, name))
                else:
                    self._take(child, name)
            stack += reversed(nested)

    def _take(self, child: Element, name: str) -> None:
        if child.tag in ACTUATORS:
            self.actuators[name][-1].append(known(child, ACTUATORS[child.tag]))
        if child.tag in SERVED:
            if child.tag in KNOWN:
                known(child)
            held = self.classes[name].setdefault(child.tag, {})
            if any(key in child.attributes for key in ORIENTATION):
                for key in ORIENTATION:
                    held.pop(key, None)
            held.update({key: (*held.get(key, ()), child) for key in child.attributes})

    def of(self, element: Element, childclass: str = "main", tag: str = "") -> Given:
        """An element with the attributes of its class, or of the class of the body around it."""
        return Given(element, self.classes[self.name(element, childclass)].get(tag or element.tag))

    def name(self, element: Element, childclass: str = "main", key: str = "class") -> str:
        """The class that an element names, which must exist."""
        wanted = element.attributes.get(key)
        if wanted is None:
            return childclass
        if wanted not in self.classes:
            raise ModelError(f"{element.where}: there is no default class {wanted[:80]!r}{near(wanted, self.classes)}")
        return wanted

    def drives(self, element: Element) -> list[list[Element]]:
        """The actuators of the classes that hold for an actuator, a list for each class, outermost first."""
        return self.actuators[self.name(element)]
