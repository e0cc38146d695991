"""XML to plain elements with line numbers, by expat and a stack: no entities, DOCTYPE or recursion; bounded."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from xml.parsers import expat

from ..errors import ModelError, near
from .other_files import INSTEAD
from .specs import HUGE as LIMIT

__all__ = ["HUGE", "INSIDE", "LONGEST", "Element", "floats", "parse"]

DEEPEST = 100  # levels; a URDF has six
MOST = 20_000_000  # elements
LONGEST = 10_000_000  # characters of an element's text
INSIDE = 100_000  # elements of one link or joint
HUGE = LIMIT / 1000  # sums of a few such numbers, saved, still load
NUMBER = r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?"
NUMBERS = re.compile(rf"\s*{NUMBER}(?:\s+{NUMBER})*\s*", re.ASCII)


@lru_cache(maxsize=65536)  # files repeat themselves: "0 0 0", "1 0 0"
def floats(text: str) -> tuple[float, ...] | None:
    """Plain decimal numbers, separated by blanks; None for anything else."""
    return tuple(map(float, text.split())) if NUMBERS.fullmatch(text) else None


@dataclass(slots=True)
class Element:
    """An element with its line and where it stands, for messages."""

    tag: str
    attributes: dict[str, str]
    line: int
    file: str
    owner: str = ""  # the link or joint it is part of
    children: list[Element] = field(default_factory=list)
    content: str = ""  # the text between its tags, where it was asked for

    @property
    def where(self) -> str:
        """File, line and element: "panda.urdf:41 <axis> of <joint name='j1'>"."""
        return f"{self.file}:{self.line} {self.label}" + (f" of {self.owner}" if self.owner else "")

    @property
    def label(self) -> str:
        """The element's tag and name."""
        name = self.attributes.get("name")
        return f"<{self.tag[:80]}>" if name is None else f"<{self.tag[:80]} name={name[:80]!r}>"

    def all(self, tag: str) -> list[Element]:
        """The children of that tag."""
        return [c for c in self.children if c.tag == tag]

    def one(self, tag: str) -> Element | None:
        """The child of that tag, of which there may be one."""
        found = [c for c in self.children if c.tag == tag]
        if len(found) > 1:
            raise ModelError(f"{found[1].where}: it is the second <{tag}> there; only one is allowed, remove the other")
        return found[0] if found else None

    def need(self, tag: str, example: str) -> Element:
        """The child of that tag, or an error that shows how to write it."""
        found = self.one(tag)
        if found is None:
            raise ModelError(f"{self.where}: there is no <{tag}>; add one, such as {example}")
        return found

    def text(self, key: str, example: str) -> str:
        """An attribute that must be there."""
        value = self.attributes.get(key)
        if value is None or not value.strip():
            raise ModelError(
                f"{self.where}: the attribute {key!r} is {'missing' if value is None else 'empty'}; write "
                f"{key}={example!r}"
            )
        return value

    def spelled(self, *keys: str) -> Element:
        """Itself, unless an attribute looks like a misspelling of one of these, which would be silently left out."""
        for key in self.attributes:
            if key not in keys:
                hint = near(key, [k for k in keys if k not in self.attributes])
                if hint:
                    raise ModelError(f"{self.where}: unknown attribute {key[:80]!r}{hint}")
        return self

    def numbers(
        self, key: str, count: int, default: tuple[float, ...] | None = None, least: int | None = None
    ) -> tuple[float, ...]:
        """An attribute with so many plain decimal numbers; with ``least``, with at least that many."""
        value = self.attributes.get(key)
        if value is None:
            if default is None:
                raise ModelError(
                    f"{self.where}: the attribute {key!r} is missing; write {key}={' '.join(['0'] * count)!r}"
                )
            return default
        made = floats(value) if len(value) <= 1000 * count else None
        if made is None:
            raise ModelError(self._bad(key, value, count))
        if not (count if least is None else least) <= len(made) <= count:
            allowed = count if least is None else f"{least} to {count}"
            raise ModelError(f"{self.where}: {key}={value[:80]!r} has {len(made)} numbers; it must have {allowed}")
        for x in made:
            if not -HUGE <= x <= HUGE:
                raise ModelError(
                    f"{self.where}: {key}={value[:80]!r} is too large; numbers are in SI units and below {HUGE:g}"
                )
        return made

    def number(self, key: str, default: float | None = None) -> float:
        """An attribute with one number."""
        return self.numbers(key, 1, None if default is None else (default,))[0]

    def _bad(self, key: str, value: str, count: int) -> str:
        rule = (
            "a plain finite number such as 1.5 or 1e-3"
            if count == 1
            else f"{count} plain finite numbers such as {' '.join(['0.5'] * count)!r}"
        )
        hint = ""
        if "${" in value or "$(" in value:
            hint = "; it looks like xacro: name the file .xacro, and ordern expands it (extra 'xacro')"
        elif re.search(r"\d,\d", value):
            hint = "; write the decimal point as '.' and separate numbers by spaces"
        return f"{self.where}: {key}={value[:80]!r} is not {rule}{hint}"


Take = Callable[[Element, Element], None]


class _Reader:
    """The handlers and their stack."""

    def __init__(self, file: str, ignore: frozenset[str], take: Take, deepest: int) -> None:
        self.file, self.ignore, self.take, self.deepest = file, ignore, take, deepest
        self.root: Element | None = None
        self.stack: list[Element] = []
        # of the texts of the stack's elements; put together once, since each addition would copy all before
        self.pieces: list[list[str]] = []
        self.depth = self.count = self.skipped = self.inside = 0
        self.owner = ""
        self.texts: bool | frozenset[str] = False
        self.most_inside = MOST
        self.parser = expat.ParserCreate()

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.depth += 1
        self.count += 1
        line = self.parser.CurrentLineNumber
        if self.depth > self.deepest or self.count > MOST:
            raise ModelError(
                f"{self.file}:{line} <{tag[:80]}>: more than {self.deepest} levels or {MOST} elements; this is no "
                "robot description"
            )
        if self.skipped or (self.depth == 2 and tag in self.ignore):
            self.skipped += 1
            return
        self.inside = 0 if self.depth <= 2 else self.inside + 1
        if self.inside > self.most_inside:
            most = self.most_inside
            raise ModelError(
                f"{self.file}:{line} <{tag[:80]}>: more than {most} elements in {self.owner}; this is no robot "
                "description"
            )
        element = Element(tag, attributes, line, self.file, self.owner if self.depth > 2 else "")
        if self.depth == 2:
            self.owner = element.label
            if not isinstance(self.texts, bool):
                self.parser.CharacterDataHandler = self.words if tag in self.texts else None
        if self.depth > 2:
            self.stack[-1].children.append(element)
        elif self.depth == 1:
            self.root = element
        self.stack.append(element)
        self.pieces.append([])

    def end(self, tag: str) -> None:
        self.depth -= 1
        if self.skipped:
            self.skipped -= 1
        else:
            element, pieces = self.stack.pop(), self.pieces.pop()
            if pieces:
                element.content = "".join(pieces)[:LONGEST]
            if self.depth == 1 and self.root is not None:
                self.take(self.root, element)

    def words(self, text: str) -> None:
        if self.stack and not self.skipped:
            self.pieces[-1].append(text)

    def doctype(self, *_: object) -> None:
        line = self.parser.CurrentLineNumber
        raise ModelError(
            f"{self.file}:{line} <!DOCTYPE>: document types and entities are refused, they can read files; remove the "
            "DOCTYPE"
        )


def parse(
    data: bytes,
    file: str,
    ignore: frozenset[str],
    take: Take,
    encoding: str | None = None,
    *,
    deepest: int = DEEPEST,
    texts: bool | frozenset[str] = False,
    inside: int = MOST,
    begins: str = "a URDF begins with <robot name='...'>",
) -> Element:
    """The root element, without its children: these are given to ``take(root, child)`` one by one, so that not all are
    held at once.

    Children of the root whose tag is in ``ignore`` are left out. ``deepest`` levels are read; ``texts`` keeps what
    stands between tags, in all children of the root or in those of these tags; ``inside`` is how many elements one
    child of the root may have.
    """
    if not data.strip():
        raise ModelError(f"{file}:1: the file is empty; {begins}")
    reader = _Reader(file, ignore, take, deepest)
    if encoding:
        reader.parser = expat.ParserCreate(encoding)
    reader.texts, reader.most_inside = texts, inside
    reader.parser.StartElementHandler = reader.start
    reader.parser.EndElementHandler = reader.end
    reader.parser.StartDoctypeDeclHandler = reader.doctype
    reader.parser.buffer_text = True
    if texts:
        reader.parser.buffer_size = 2**20  # long texts are put together from few pieces
    if texts is True:
        reader.parser.CharacterDataHandler = reader.words
    if data[:100].lstrip()[:14].lower() == b"<!doctype html":
        raise ModelError(f"{file}: it is {INSTEAD['html']}")
    try:
        reader.parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code)
        if error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]:
            reason = "the file ends before its last element is closed"
        raise ModelError(
            f"{file}:{error.lineno}: not XML: {reason} at column {error.offset + 1}; fix or export the file again"
        ) from None
    except (LookupError, ValueError) as error:  # an encoding that Python does not know
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{file}:1: not XML: {error}; save the file as UTF-8") from None
    assert reader.root is not None  # expat refuses a document without elements
    return reader.root
