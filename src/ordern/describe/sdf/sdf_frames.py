"""Frames of an SDF: models in models, links, joints and frames by their full names, and where each one is in the world.

Names within nested models are joined by "::". A pose is relative to what ``relative_to`` names, else to the model (a
joint's: to its child link, a frame's: to what it is attached to).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from ...errors import ModelError, near
from ...model import Placement
from ..xml import Element
from .sdf_values import child_text, only, pose

__all__ = ["Frames", "Scope", "scopes"]

DEEPEST = 50  # models in models
Version = tuple[int, int]


@dataclass
class Scope:
    """One model: its element, its name prefix and its pose."""

    element: Element
    prefix: str  # "" or "outer::inner::"
    parent: Scope | None
    version: Version
    pose: Element | None = None  # an include's own pose takes the place of the model's
    around: Version | None = None  # of the file that has the pose, if that is another one
    static: bool = False
    merged: str = ""  # the name of a model whose contents become those of the one around it
    inner: list[Scope] = field(default_factory=list)

    @property
    def name(self) -> str:
        """Of the model's own frame."""
        if self.element.tag != "model":  # a world, or a file with several models
            return "world"
        return f"{self.prefix}_merged__{self.merged}__model__" if self.merged else f"{self.prefix}__model__"

    def full(self, name: str) -> str:
        """The full name of a name used in this model."""
        if self.merged and name == "__model__":
            return self.name
        return name if name == "world" else f"{self.prefix}{name}"


def scopes(top: Scope) -> Iterator[Scope]:
    """A model and all models in it, outermost first."""
    todo = [top]
    while todo:
        scope = todo.pop()
        yield scope
        todo += reversed(scope.inner)


def _canonical(scope: Scope) -> str:
    """The full name of a model's canonical link: the named one, its first, or that of its first nested model."""
    named = scope.element.attributes.get("canonical_link")
    if named:
        return scope.full(named)
    own = next((part.attributes.get("name", "") for part in scope.element.children if part.tag == "link"), "")
    return scope.full(own) if own else next((found for found in map(_canonical, scope.inner) if found), "")


def _renamed(scope: Scope) -> None:
    """Joints and frames may be called like links before SDF 1.7; libsdformat gives them other names."""
    for tag, others in (("joint", ("link", "model")), ("frame", ("link", "model", "joint"))):
        taken = {part.attributes.get("name") for part in scope.element.children if part.tag in others}
        for part in scope.element.all(tag):
            while part.attributes.get("name") in taken:
                part.attributes["name"] += f"_{tag}"


class Frames:
    """Every frame with its own pose and what that is relative to."""

    def __init__(self, top: Scope, scenery: Sequence[Scope] = ()) -> None:
        self.raw: dict[str, tuple[Element, str, Placement]] = {}
        self.attached: dict[str, str] = {}  # joints, frames and models -> what they move with
        self._wanted: list[tuple[Element, str]] = []  # models with the links that they move with
        self._placed: list[tuple[str, str]] = []  # models that stand where a frame of theirs is put
        for scope in scopes(top):
            self._scope(scope)
        if any(base not in self.raw and base != "world" for _, base, _ in self.raw.values()):
            for scope in (inner for outer in scenery for inner in scopes(outer)):
                self._scope(scope)
        for name, frame in reversed(self._placed):  # inner models first
            element, base, own = self.raw[name]
            self.raw[name] = (element, base, own @ self._within(frame, name, element).inverse())
        self.known: dict[str, Placement] = {"world": Placement()}
        for element, link in self._wanted:
            if link not in self.raw:
                hint = near(link, self.raw)
                raise ModelError(f"{element.where}: canonical_link {link[:80]!r} is no link; correct the name{hint}")
        for name, (element, _, _) in self.raw.items():  # those that nothing uses must be right too
            self.place(name, element)

    def _scope(self, scope: Scope) -> None:
        if scope.element.tag == "model":
            self._model(scope)
        if scope.version < (1, 7):
            _renamed(scope)
        for part in scope.element.children:
            if part.tag not in ("link", "joint", "frame"):
                continue
            name = part.text("name", f"{part.tag}1")
            if name == "world" and part.tag != "link":  # what is placed relative to it would go by the world itself
                raise ModelError(f"{part.where}: SDF keeps the name 'world' for the world itself; rename it")
            base, own = pose(part, scope.version)
            default = scope.name
            if part.tag == "joint":
                default = scope.full(only(part, "child", "the link that the joint moves"))
            elif part.tag == "frame" and part.attributes.get("attached_to"):
                default = scope.full(part.attributes["attached_to"])
            self._put(scope.full(name), part, scope.full(base) if base else default, own)
            if part.tag != "link":
                self.attached[scope.full(name)] = default

    def _model(self, scope: Scope) -> None:
        element = scope.pose if scope.pose is not None else scope.element
        base, own = pose(element, scope.around or scope.version)
        outer = (
            scope.parent.full(base)
            if scope.parent and base
            else (scope.parent.name if scope.parent else base or "world")
        )
        placed = child_text(element, "placement_frame") or scope.element.attributes.get("placement_frame")
        if placed:
            self._placed.append((scope.name, scope.full(placed)))
        self._put(scope.name, scope.element, outer, own)
        if scope.prefix and not scope.merged:
            self._put(scope.prefix[:-2], scope.element, scope.name, Placement())
        link = _canonical(scope)
        if link and "canonical_link" in scope.element.attributes:
            self._wanted.append((scope.element, link))
        if link:
            self.attached |= {scope.name: link, (scope.prefix[:-2] or scope.name): link}

    def _put(self, name: str, element: Element, base: str, own: Placement) -> None:
        if name in self.raw:
            raise ModelError(
                f"{element.where}: a second thing is called {name[:80]!r}, the first is at {self.raw[name][0].where}; "
                "rename one"
            )
        self.raw[name] = (element, base, own)

    def _within(self, frame: str, model: str, asked: Element) -> Placement:
        """A frame as its model sees it."""
        made, seen, name = Placement(), 0, frame
        while name != model:
            seen += 1
            if name not in self.raw or seen > len(self.raw):
                raise ModelError(
                    f"{asked.where}: placement_frame {frame[:80]!r} is no frame of the model{near(frame, self.raw)}"
                )
            _, base, own = self.raw[name]
            made, name = own @ made, base
        return made

    def place(self, name: str, asked: Element) -> Placement:
        """Where a frame is in the world."""
        passed: dict[str, None] = {}  # in this order; a list would be searched through at every step
        while name not in self.known:
            if name in passed:
                chain = list(passed)
                loop = " -> ".join([*chain[chain.index(name) :][:6], name])
                raise ModelError(
                    f"{self.raw[name][0].where}: its pose is relative to itself through {loop}; change one relative_to"
                )
            if name not in self.raw:
                where = self.raw[next(reversed(passed))][0].where if passed else asked.where
                raise ModelError(f"{where}: there is no frame {name[:80]!r}{near(name, self.raw)}")
            passed[name] = None
            name = self.raw[name][1]
        for step in reversed(passed):
            _, base, own = self.raw[step]
            self.known[step] = self.known[base] @ own
        return self.known[next(iter(passed), name)]
