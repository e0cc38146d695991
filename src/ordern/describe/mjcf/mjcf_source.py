"""One MJCF file with what it includes, and the bodies in it: frames, copies and attached models put where they belong.

What stands outside of the bodies and names parts of them is in mjcf_around.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ...errors import ModelError, near
from ...model import Placement
from ..description_file import read
from ..xml import Element
from .mjcf_defaults import Defaults
from .mjcf_meshes import Meshes
from .mjcf_schema import known
from .mjcf_values import Compiler, Given, compiler, euler, placement
from .mjcf_xml import Place, inside, sections

__all__ = ["Item", "Source", "contents", "source"]

MOST_COPIES = 10_000  # of one <replicate>
MOST_ITEMS = 150_000  # elements of bodies, copies included
NESTED = 16  # models attached to attached models


@dataclass
class Source:
    """A file: its options, classes, assets and sections."""

    place: Place
    name: str
    options: Compiler
    defaults: Defaults
    meshes: Meshes
    colors: dict[str, tuple[float, ...]]
    models: dict[str, Element]  # <model> assets, by name
    unnamed: list[Element]  # those that go by the name which their file gives its model
    parts: dict[str, list[Element]]  # the other sections, by name
    opened: dict[str, Source] = field(default_factory=dict)
    count: list[int] = field(default_factory=lambda: [0])  # of items, shared with attached models
    depth: int = 0
    # what <replicate> puts behind names -> the names, with their prefixes
    copied: dict[str, set[str]] = field(default_factory=dict)

    def world(self) -> list[Element]:
        """What stands in the world."""
        return [child for section in self.parts.get("worldbody", ()) for child in known(section).children]

    def within(self, tag: str) -> Iterator[Element]:
        """The children of all sections of that name."""
        for section in self.parts.get(tag, ()):
            yield from known(section).children

    def named(self, tag: str, name: str) -> Element | None:
        """The body or frame of that name, as it stands in the file."""
        return self._index[0].get((tag, name))

    def class_around(self, element: Element, default: str) -> str:
        """The class that holds where an element stands in this file."""
        found = self._index[1].get(id(element))
        return default if found is None else found[2]

    def holds(self, outer: Element, inner: Element) -> bool:
        """Whether one element of this file is the other, or stands in it."""
        around, within = self._index[1].get(id(outer)), self._index[1].get(id(inner))
        return around is not None and within is not None and around[0] <= within[0] < around[1]

    @cached_property
    def _index(self) -> tuple[dict[tuple[str, str], Element], dict[int, tuple[int, int, str]]]:
        """Index elements by kind and name: number, number after the last descendant, class; one walk for all."""
        named: dict[tuple[str, str], Element] = {}
        places: dict[int, tuple[int, int, str]] = {}
        todo: list[tuple[Element, str, int]] = [(child, "main", -1) for child in self.world()]
        count = 0
        while todo:
            element, around, first = todo.pop()
            if first >= 0:  # all that it holds has been numbered
                places[id(element)] = (first, count, around)
                continue
            named.setdefault((element.tag, element.attributes.get("name", "")), element)
            below = element.attributes.get("childclass", around)
            todo.append((element, around, count))
            todo += [(child, below, -1) for child in element.children]
            count += 1
        return named, places

    def attached(self, element: Element, model: str) -> Source:
        """A <model> asset, read when it is first attached."""
        while model not in self.models and self.unnamed:
            asset = self.unnamed.pop(0)
            made = self._read(asset)
            self.opened[made.name], self.models[made.name] = made, asset
        if model not in self.models:
            raise ModelError(
                f"{element.where}: there is no <model name={model[:80]!r}> in <asset>{near(model, self.models)}"
            )
        if model not in self.opened:
            self.opened[model] = self._read(self.models[model])
        return self.opened[model]

    def _read(self, asset: Element) -> Source:
        file = asset.text("file", "gripper.xml")
        path = inside(self.place, asset.where, file)
        if path in self.place.chain:
            raise ModelError(f"{asset.where}: {file[:80]!r} attaches itself; remove one <model>")
        if self.depth >= NESTED:
            raise ModelError(f"{asset.where}: more than {NESTED} models are attached to each other; put them together")
        made = source(read(path), file, Place(str(path), path.parent, [path], (*self.place.chain, path)))
        made.count, made.depth = self.count, self.depth + 1
        return made


def source(data: bytes, shown: str, place: Place, encoding: str | None = None) -> Source:
    """Read a file with its includes."""
    root, found = sections(data, shown, place, encoding)
    parts: dict[str, list[Element]] = {}
    for section in found:
        parts.setdefault(section.tag, []).append(section)
    if "body" in parts:
        raise ModelError(f"{parts['body'][0].where}: a body stands in <worldbody>; put it there")
    options = compiler(parts.get("compiler", []))
    defaults = Defaults(parts.get("default", []))
    assets = [child for section in parts.get("asset", ()) for child in known(section).children]
    meshes = Meshes([a for a in assets if a.tag == "mesh"], defaults, options, place)
    colors = {}
    for asset in assets:
        if asset.tag == "material" and "name" in asset.attributes:
            given = defaults.of(asset)
            if "rgba" in given:
                colors[asset.attributes["name"]] = given.numbers("rgba", 4)
    models = [known(asset) for asset in assets if asset.tag == "model"]
    named = {name: asset for asset in models if (name := asset.attributes.get("name"))}
    unnamed = [asset for asset in models if not asset.attributes.get("name")]
    name = root.attributes.get("model", "") or "MuJoCo Model"
    return Source(place, name, options, defaults, meshes, colors, named, unnamed, parts)


@dataclass(frozen=True, slots=True)
class Item:
    """An element of a body: its frame, its class and its names' prefix and suffix."""

    element: Element
    frame: Placement
    childclass: str
    source: Source
    prefix: str = ""
    suffix: str = ""
    around: str = ""  # the part of the suffix that copies of an attached model have, beside those within its file

    def given(self) -> Given:
        """Its attributes with those of its class."""
        return self.source.defaults.of(self.element, self.childclass)

    def name(self, key: str = "name") -> str:
        """The name with prefix and suffix; empty if unnamed."""
        own = self.element.attributes.get(key, "")
        return f"{self.prefix}{own}{self.suffix}" if own else ""


def contents(start: Item, children: Sequence[Element], owner: str) -> list[Item]:
    """The elements of a body, with frames, copies and attached models resolved, in order."""
    made: list[Item] = []
    stack: list[Item] = []

    def push(items: list[Item]) -> None:
        start.source.count[0] += len(items)
        if start.source.count[0] > MOST_ITEMS:
            raise ModelError(
                f"{start.element.where}: copies make more than {MOST_ITEMS} elements; this is no robot description"
            )
        stack.extend(reversed(items))

    push([_like(start, child, start.frame, start.childclass) for child in children])
    while stack:
        item = stack.pop()
        element = item.element
        element.owner = owner
        if element.tag == "frame":
            given = Given(known(element))
            frame = item.frame @ placement(given, item.source.options)
            name = item.source.defaults.name(element, item.childclass, "childclass")
            push([_like(item, child, frame, name) for child in element.children])
        elif element.tag == "replicate":
            push(_copies(item))
        elif element.tag == "attach":
            push(_attached(item))
        else:
            made.append(item)
            if item.suffix and "name" in element.attributes:
                name, own = item.prefix + element.attributes["name"], item.suffix.removesuffix(item.around)
                item.source.copied.setdefault(item.suffix, set()).add(name)
                if own and item.around:  # its file may name a copy that stands in it
                    item.source.copied.setdefault(item.around, set()).add(name + own)
    return made


def _like(item: Item, element: Element, frame: Placement, name: str, suffix: str = "") -> Item:
    return Item(element, frame, name, item.source, item.prefix, suffix + item.suffix, item.around)


def _copies(item: Item) -> list[Item]:
    """<replicate>: each copy is turned and moved once more than the one before."""
    given, options = Given(known(item.element)), item.source.options
    count = given.number("count")
    if count != int(count) or not 1 <= count <= MOST_COPIES:
        raise ModelError(
            f"{given.where}: count={given.text('count')!r}; it must be a whole number from 1 to {MOST_COPIES}"
        )
    offset, angles = given.numbers("offset", 3, (0.0, 0.0, 0.0)), given.numbers("euler", 3, (0.0, 0.0, 0.0))
    name = item.source.defaults.name(item.element, item.childclass, "childclass")
    many = int(count)
    if many * len(item.element.children) + item.source.count[0] > MOST_ITEMS:
        raise ModelError(f"{given.where}: copies make more than {MOST_ITEMS} elements; this is no robot description")
    digits, at, made = len(str(many)), (0.0, 0.0, 0.0), []
    for k in range(many):
        turned = (
            Placement(euler([options.angle(k * a) for a in angles], options.eulerseq), at)
            if any(angles)
            else Placement(origin=at)
        )
        suffix = f"{given.text('sep')}{k:0{digits}d}"
        made += [_like(item, child, item.frame @ turned, name, suffix) for child in item.element.children]
        at = (turned @ Placement(origin=(offset[0], offset[1], offset[2]))).origin
    return made


def _attached(item: Item) -> list[Item]:
    """<attach>: a body or frame of another model, or all that stands in its world."""
    element = known(item.element)
    prefix = item.prefix + element.attributes.get("prefix", "")
    inner = item.source.attached(element, element.attributes["model"]) if "model" in element.attributes else item.source
    place: dict[str, Any] = {"frame": item.frame, "source": inner, "prefix": prefix, "suffix": item.suffix}
    place["around"] = item.suffix if inner is not item.source else item.around
    for tag in ("body", "frame"):
        name = element.attributes.get(tag)
        if name is None:
            continue
        found = inner.named(tag, name)
        if found is None:
            raise ModelError(f"{element.where}: there is no <{tag} name={name[:80]!r}> to attach; correct the name")
        if inner is item.source and inner.holds(found, element):
            raise ModelError(f"{element.where}: {name[:80]!r} would be attached to itself; attach another {tag}")
        return [Item(found, childclass=inner.class_around(found, item.childclass), **place)]
    if inner is item.source:
        raise ModelError(f"{element.where}: attach names neither a model nor a body; write model='...' or body='...'")
    return [Item(child, childclass="main", **place) for child in inner.world()]
