"""Mechanisms that repeat themselves: bodies and loops in units of one pattern, and a short model of a few units that
stands for all.

A ladder of four-bars, a scissor lift or a long closed chain has units whose joints, parents and closures are the same
but for their place. The short model keeps the first and the last units; numbers that differ from unit to unit are
marked, so that a trace of the short model can be turned into loops over all units (program/units.py).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ..model import Body, Link, Loop, Mass, Model, Placement
from ..model.closures import count
from ..model.model_scalars import rotation_structure
from ..model.thresholds import FEWEST_UNITS, LONGEST_UNIT, OUTSIDE_UNITS
from ..scalars.primitives import Array

__all__ = ["Marked", "ShortModel", "Shortened", "UnitPlaces", "Units", "find_units", "shortened"]


class Marked(float):
    """A number of the short model that differs from unit to unit: which one, and in which unit."""

    key: Any
    unit: int

    @classmethod
    def of(cls, value: float, key: object, unit: int) -> Marked:
        """The number with its mark."""
        made = cls(value)
        made.key, made.unit = key, unit
        return made


@dataclass(frozen=True)
class Units:
    """Bodies first + size u + j and loops first_loop + loops u + k belong to unit u, for u < count; others to none."""

    first: int
    size: int
    count: int
    first_loop: int
    loops: int

    def paired(self) -> Units:
        """Two units as one: signs may alternate."""
        return Units(self.first, 2 * self.size, self.count // 2, self.first_loop, 2 * self.loops)

    def of_body(self, i: int) -> int | None:
        """The unit of a body."""
        u = (i - self.first) // self.size
        return u if i >= self.first and u < self.count else None

    def of_loop(self, k: int) -> int | None:
        """The unit of a loop."""
        u = (k - self.first_loop) // self.loops
        return u if k >= self.first_loop and u < self.count else None


def find_units(model: Model) -> Units | None:
    """The shortest pattern that nearly all bodies and loops repeat; None where there is none."""
    if not model.loops or model.coupled or len(model.bodies) < FEWEST_UNITS:
        return None
    looks = [None, *(_look(model, i) for i in range(1, len(model.bodies)))]
    for size in range(1, min(LONGEST_UNIT, len(looks) // FEWEST_UNITS) + 1):
        run = _longest([i for i in range(1, len(looks) - size) if looks[i] == looks[i + size]])
        many = (run[1] - run[0]) // size + 1
        if many >= FEWEST_UNITS and len(looks) - 1 - many * size <= OUTSIDE_UNITS + size:
            found = _with_loops(model, run[0], size, many)
            if found is not None:
                return found
    return None


def _look(model: Model, i: int) -> tuple[Any, ...]:
    """What must be the same for bodies of one kind: the joint, and where the parent is."""
    body = model.bodies[i]
    return body.joint.name, body.parent and i - body.parent, len(body.armature), len(body.joint.constants)


def _longest(places: list[int]) -> tuple[int, int]:
    """The longest run of consecutive numbers: first, and one behind the last."""
    best, start = (0, 0), 0
    for k, i in enumerate(places):
        if k == 0 or places[k - 1] != i - 1:
            start = i
        if i + 1 - start > best[1] - best[0]:
            best = (start, i + 1)
    return best


def _with_loops(model: Model, first: int, size: int, many: int) -> Units | None:
    """The units whose loops look alike too; a loop belongs to the last body that it ties."""
    looks: dict[int, list[tuple[Any, ...]]] = {}
    numbers: dict[int, list[int]] = {}
    for k, loop in enumerate(model.loops):
        ends = loop_bodies(model, loop)
        u = (max(ends) - first) // size
        start = first + u * size
        ties = tuple(("from", b - start) if b >= first else ("at", b) for b in ends)
        looks.setdefault(u, []).append(
            (loop.kind, loop.kept, len(loop.constants), loop.here, loop.spare, loop.soft, len(loop.terms), ties)
        )
        numbers.setdefault(u, []).append(k)
    alike = [
        u
        for u in range(many - 1)
        if looks.get(u) and looks.get(u) == looks.get(u + 1) and numbers[u + 1][0] - numbers[u][-1] == 1
    ]
    if not alike:
        return None
    low, high = _longest(alike)
    made = Units(first + low * size, size, high + 1 - low, numbers[low][0], len(looks[low]))
    straight = all(
        numbers[u] == [numbers[low][0] + (u - low) * made.loops + j for j in range(made.loops)]
        for u in range(low, high + 1)
    )
    return (
        made
        if straight
        and made.count >= FEWEST_UNITS
        and len(model.bodies) - 1 - made.count * size <= OUTSIDE_UNITS + 3 * size
        else None
    )


def loop_bodies(model: Model, loop: Loop) -> tuple[int, ...]:
    """The bodies that a loop ties."""
    if loop.terms:
        return tuple(body for body, _ in loop.terms)
    return tuple(0 if link < 0 else model.links[link].body for link in (loop.link1, loop.link2))


@dataclass(frozen=True)
class ShortModel(Model):
    """A model with a few of the units; placements of loops' frames on bodies are given as such, with their marks."""

    ends: dict[str, Any] = field(default_factory=dict, compare=False)

    def loop_ends(self, loop: Loop) -> Any:
        """Body and placement on it of both frames of a loop."""
        return self.ends[loop.name]


@dataclass(frozen=True)
class Shortened:
    """The short model, its units, what bodies and loops of the long one its own are, and the marked numbers by unit."""

    model: ShortModel
    units: Units
    bodies: list[int]
    loops: list[int]
    numbers: dict[Any, Any]


def shortened(model: Model, units: Units, many: int) -> Shortened:
    """The model with ``many`` of its units, half of them its first ones and half its last ones."""
    gone = units.count - many
    behind = units.first + (many // 2) * units.size
    bodies = [*range(behind), *range(behind + gone * units.size, len(model.bodies))]
    loop_behind = units.first_loop + (many // 2) * units.loops
    loops = [*range(loop_behind), *range(loop_behind + gone * units.loops, len(model.loops))]
    short = Units(units.first, units.size, many, units.first_loop, units.loops)
    marks = _Marks(units, short)
    made = [model.bodies[0]]
    for k, old in enumerate(bodies[1:], 1):
        made.append(replace(marks.body(model, k, old), parent=marks.moved(model.bodies[old].parent, k - old)))
    links = tuple(Link(body.name, k) for k, body in enumerate(made))
    closures, ends = [], {}
    for k, old in enumerate(loops):
        loop = marks.loop(model, k, old)
        closures.append(loop)
        if not loop.terms:
            ends[loop.name] = marks.ends(model, k, old)
    keep = {
        model.offsets[old][1] + c: at
        for at, (old, c) in enumerate((old, c) for old in bodies[1:] for c in range(model.bodies[old].joint.nv))
    }
    passive = tuple(keep[c] for c in model.passive if c in keep)
    short_model = ShortModel(
        model.name, tuple(made), links, model.gravity, loops=tuple(closures), actuated=model.actuated, passive=passive,
        ends=ends
    )  # fmt: skip
    return Shortened(short_model, short, bodies, loops, marks.numbers)


def _mass(body: Body) -> tuple[float, ...]:
    return body.inertia.m, *body.inertia.h, *body.inertia.I


class _Marks:
    """Numbers by kind of body or loop and place in it: plain where all units agree, marked where they do not."""

    def __init__(self, units: Units, short: Units) -> None:
        self.units, self.short = units, short
        self.numbers: dict[Any, Any] = {}
        self._known: dict[Any, Any] = {}

    def _once(self, key: object, make: Callable[[], Any]) -> Any:
        if key not in self._known:
            self._known[key] = make()
        return self._known[key]

    def moved(self, body: int, by: int) -> int:
        """A body's number in the short model, beside one whose number has changed by so much."""
        return body + by if body >= self.units.first else body

    def mark(self, key: object, values: Array, unit: int, value: float) -> float:
        """One number; ``values`` has it for all units."""
        if (values == values[0]).all():
            return value
        self.numbers[key] = values
        return Marked.of(value, key, unit)

    def several(
        self,
        key: tuple[Any, ...],
        things: Sequence[Any],
        of: Callable[[Any], Sequence[float]],
        unit: int,
        own: Sequence[float],
    ) -> tuple[float, ...]:
        """Several numbers side by side, which ``of`` takes from the things of all units."""
        rows = self._once(key, lambda: np.array([of(x) for x in things], float).reshape(len(things), -1))
        return tuple(self.mark((*key, c), rows[:, c], unit, float(x)) for c, x in enumerate(own))

    def place(self, key: tuple[Any, ...], places: list[Placement], unit: int, own: Placement) -> Placement:
        """A placement; turns of different structure are written as any turn."""
        turns = self.several((*key, "turn"), places, lambda p: p.rotation, unit, own.rotation)
        if len(self._once((*key, "structures"), lambda: {rotation_structure(p.rotation) for p in places})) > 1:
            turns = tuple(Marked.of(0.5, x.key, x.unit) if isinstance(x, Marked) else x for x in turns)
        return Placement(turns, self.several((*key, "origin"), places, lambda p: p.origin, unit, own.origin))  # type: ignore[arg-type]

    def body(self, model: Model, k: int, old: int) -> Body:
        """Body k of the short model, number ``old`` of the long one."""
        unit, own = self.short.of_body(k), model.bodies[old]
        if unit is None:
            return own
        j = (old - self.units.first) % self.units.size
        all_of = model.bodies[
            self.units.first + j : self.units.first + self.units.size * self.units.count : self.units.size
        ]
        key = ("body", j)
        constants = self.several((*key, "joint"), all_of, lambda b: b.joint.constants, unit, own.joint.constants)
        m = self.several((*key, "mass"), all_of, _mass, unit, _mass(own))
        armature = self.several((*key, "armature"), all_of, lambda b: b.armature, unit, own.armature)
        return replace(
            own, joint=type(own.joint)(*constants) if constants else own.joint,
            placement=self.place((*key, "placement"), self._once((*key, "places"),
            lambda: [b.placement for b in all_of]), unit, own.placement),
            inertia=Mass(m[0], m[1:4], m[4:]), armature=armature,  # type: ignore[arg-type]
        )  # fmt: skip

    def _alike(self, model: Model, old: int) -> list[Loop]:
        j = (old - self.units.first_loop) % self.units.loops
        return list(
            model.loops[
                self.units.first_loop + j : self.units.first_loop
                + self.units.loops * self.units.count : self.units.loops
            ]
        )

    def _by(self, k: int, old: int) -> int:
        """How much the numbers of a loop's bodies change."""
        return (k - old) // self.units.loops * self.units.size

    def loop(self, model: Model, k: int, old: int) -> Loop:
        """Loop k of the short model."""
        own, unit = model.loops[old], self.short.of_loop(k)
        bodies = [self.moved(b, self._by(k, old)) for b in loop_bodies(model, own)]
        terms, constants, offset = own.terms, own.constants, own.offset
        if unit is not None:
            alike, key = self._alike(model, old), ("loop", (old - self.units.first_loop) % self.units.loops)
            constants = self.several((*key, "constants"), alike, lambda x: x.constants, unit, constants)
            (offset,) = self.several((*key, "offset"), alike, lambda x: (x.offset,), unit, (offset,))
            ratios = self.several(
                (*key, "ratio"), alike, lambda x: [r for _, r in x.terms], unit, [r for _, r in terms]
            )
            terms = tuple((b, r) for (b, _), r in zip(terms, ratios, strict=True))
        if terms:
            return replace(own, terms=tuple((b, r) for b, (_, r) in zip(bodies, terms, strict=True)), offset=offset)
        return replace(own, constants=constants, link1=bodies[0], link2=bodies[1])

    def ends(self, model: Model, k: int, old: int) -> Any:
        """Bodies and frames of loop k of the short model."""
        own, unit = model.loops[old], self.short.of_loop(k)
        given = model.loop_ends(own)
        if unit is not None:
            j = (old - self.units.first_loop) % self.units.loops
            all_of = self._once(
                ("loop", j, "ends"), lambda: [model.loop_ends(loop) for loop in self._alike(model, old)]
            )
            sides = self._once(
                ("loop", j, "sides"), lambda: [[at for _, at in ends] for ends in zip(*all_of, strict=True)]
            )
            given = tuple(  # type: ignore[assignment]
                (body, self.place(("loop", j, "frame", side), sides[side], unit, own_at))
                for side, (body, own_at) in enumerate(given)
            )
        return tuple((self.moved(body, self._by(k, old)), at) for body, at in given)


def equation_starts(model: Model) -> list[int]:
    """Where the equations of each loop begin; at the end, how many there are."""
    made = [0]
    for loop in model.loops:
        made.append(made[-1] + count(loop.kind))
    return made


COUNTED = {"q": "q", "base": "q", "coordinates": "q", "equations": "row", "loop_wrenches": "loop"}


class UnitPlaces:
    """Which unit an input or output number belongs to, and its place in the long model."""

    def __init__(self, model: Model, short: Shortened, counted: dict[str, str]) -> None:
        self.units, self.counted = short.units, COUNTED | counted
        self.long, self.short, self.nv = {}, {}, (model.nv, short.model.nv)
        for kind, which, size in (("q", 0, "nq"), ("v", 1, "nv")):
            there = [(old, c) for old in short.bodies[1:] for c in range(getattr(model.bodies[old].joint, size))]
            self.long[kind] = [model.offsets[old][which] + c for old, c in there]
            self.short[kind] = [
                short.units.of_body(k)
                for k, body in enumerate(short.model.bodies)
                if k
                for _ in range(getattr(body.joint, size))
            ]
        starts, own = equation_starts(model), equation_starts(short.model)
        rows = [(k, r) for k in range(len(short.loops)) for r in range(own[k + 1] - own[k])]
        self.long["row"] = [starts[short.loops[k]] + r for k, r in rows]
        self.short["row"] = [short.units.of_loop(k) for k, _ in rows]
        self.long["loop"] = [6 * old + c for old in short.loops for c in range(6)]
        self.short["loop"] = [short.units.of_loop(k) for k in range(len(short.loops)) for _ in range(6)]

    long: dict[str, list[int]]
    short: dict[str, list[int | None]]

    def kind(self, name: str) -> str:
        """Numbers that are counted alike."""
        return self.counted.get(name, "v")

    def unit(self, name: str, at: int) -> int | None:
        """The unit that number ``at`` of an input, or of an output of a kind, belongs to."""
        if name in ("constraints", "1"):
            return self.short["row"][at // self.nv[1]] if name == "constraints" else None
        return self.short[self.kind(name)][at]

    def stride(self, name: str) -> int:
        """How far apart the same numbers of two units are."""
        return self.short[self.kind(name)].count(0)

    def there(self, name: str, at: int) -> int:
        """The same number's place in the long model."""
        if name == "constraints":
            return self.long["row"][at // self.nv[1]] * self.nv[0] + self.long["v"][at % self.nv[1]]
        return at if name == "1" else self.long[self.kind(name)][at]
