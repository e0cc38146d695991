"""Motors, tendons and equalities of an MJCF, which stand outside of the bodies and name parts of them: copied along
with those parts.

<replicate> copies what names something inside of it, the names with the copy's number behind them. <attach> brings
along what names parts of the attached bodies only, with the prefix.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..xml import Element
from .mjcf_bodies import Bodies
from .mjcf_source import Source

__all__ = ["Around", "attached_models", "attachments", "everywhere"]

NAMES = (
    "joint",
    "jointinparent",
    "tendon",
    "site",
    "refsite",
    "slidersite",
    "cranksite",
    "body",
    "joint1",
    "joint2",
    "body1",
    "body2",
)
NAMED = frozenset((*NAMES, "site1", "site2", "tendon1", "tendon2"))


@dataclass(frozen=True)
class Around:
    """Prefix and suffix of the names in an element."""

    source: Source
    prefix: str = ""
    suffix: str = ""

    def name(self, own: str) -> str:
        """The name of a part that the element names."""
        return self.prefix + own + (self.suffix if self.prefix + own in self.source.copied.get(self.suffix, ()) else "")

    def called(self, own: str) -> str:
        """The name of the element itself, which others may use."""
        if self.suffix:
            self.source.copied[self.suffix].add(self.prefix + own)
        return self.prefix + own + self.suffix


def everywhere(top: Source, tag: str, found: Bodies) -> Iterator[tuple[Around, Element]]:
    """All elements of a section, single ones first, including those of attached models."""
    yield from _of(top, "", tag, None)
    here = {m.name for m in found.moved} | found.poses.keys() | found.placed.keys() | found.ropes
    for source, prefix, part in attached_models(top):
        yield from _of(source, prefix, tag, here if part else None)


def _of(source: Source, prefix: str, tag: str, here: set[str] | None) -> Iterator[tuple[Around, Element]]:
    """Elements of one file; ``here``: existing names, if only a part of it is attached."""
    elements = [(element, _names(element)) for element in source.within(tag)]
    copies = {s: names for s, names in source.copied.items() if any(name.startswith(prefix) for name in names)}
    everything = {name for names in copies.values() for name in names}
    for element, names in elements:
        if any(prefix + name in everything for name in names):
            continue
        if here is None or all(prefix + name in here for name in names):
            yield Around(source, prefix), element
    for suffix, inside in copies.items():
        for element, names in elements:
            there = [prefix + name in inside for name in names]
            if here is not None and not all(
                copied or prefix + name in here for copied, name in zip(there, names, strict=True)
            ):
                continue
            if there and (
                all(there) if tag == "equality" else any(there)
            ):  # MuJoCo drops equalities between a copy and the rest
                yield Around(source, prefix, suffix), element


def _names(element: Element) -> list[str]:
    """Names of all parts inside an element."""
    return [
        e.attributes[key]
        for e in (element, *element.children)
        for key in e.attributes.keys() & NAMED
        if e.attributes[key]
    ]


def attached_models(top: Source, before: str = "") -> Iterator[tuple[Source, str, bool]]:
    """The models that are attached, in order, with the prefixes of their names, and whether only a part of them is."""
    for element, inner in attachments(top):
        prefix = before + element.attributes.get("prefix", "")
        yield inner, prefix, "body" in element.attributes or "frame" in element.attributes
        yield from attached_models(inner, prefix)


def attachments(source: Source) -> Iterator[tuple[Element, Source]]:
    """Each <attach> of a file that brings in another model, in order."""
    todo = list(reversed(source.world())) if source.opened else []
    while todo:
        element = todo.pop()
        if element.tag == "attach" and element.attributes.get("model") in source.opened:
            yield element, source.opened[element.attributes["model"]]
        todo += reversed(element.children)
