"""Scene: several robots in one world as one Robot, so that everything a robot can do, all of them do at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..errors import InputError
from ..model import Model
from . import Robot
from .robot_changes import _as_robot, _placement, _prefix

__all__ = ["Scene"]


class Scene(Robot):
    """Several robots in one world, as one tree: ``Scene([left, right])``.

    Args:
        robots: Robots, files or built-in names; or pairs (robot, placement) with a 4x4 matrix or x y z; or a mapping of
            prefixes to these.
        placements: where the root frames sit in the world, one a robot, where no pairs are given.
        gravity: of the scene (m/s^2); that of the first robot by default.
        name: of the scene.

    Names of links and joints get their robot's name (with a number where it is there twice) and an underscore before
    them, or the keys of a mapping. ``scene.parts`` has the slices of q and qd of each robot by its prefix.
    """

    def __init__(
        self, robots: object, placements: Sequence[Any] | None = None, gravity: Any = None, name: str = "scene"
    ) -> None:
        given, prefixes = _listed(robots)
        if placements is not None:
            if (
                not isinstance(placements, (list, tuple))
                or len(placements) != len(given)
                or any(isinstance(g, tuple) for g in given)
            ):
                raise InputError(
                    f"placements must be a list with one a robot ({len(given)}), and no robot may bring its own"
                )
            given = list(zip(given, placements, strict=True))
        parts = [(g if isinstance(g, tuple) else (g, None)) for g in given]
        if any(len(part) != 2 for part in parts):
            raise InputError("a part of a scene is a robot, or a pair (robot, placement)")
        members = [_as_robot(robot) for robot, _ in parts]
        prefixes = prefixes or _names(members)
        from ..describe.assembly import beside, same_gravity
        from . import Robot as Plain

        g = members[0].gravity if gravity is None else Plain(members[0].model).with_gravity(gravity).gravity
        if gravity is None:
            same_gravity([m.model for m in members], "give Scene(..., gravity=)")
        at = [_placement(place) for _, place in parts]
        if not isinstance(name, str):
            raise InputError(f"name must be a string, got a {type(name).__name__}")
        model = beside([m.model for m in members], at, prefixes, name, (float(g[0]), float(g[1]), float(g[2])))
        super().__init__(model)
        self.__dict__["parts"] = _slices(members, prefixes)

    parts: dict[str, tuple[slice, slice]]

    def __reduce__(self) -> Any:
        return (_again, (type(self), self.model, self.parts))


def _again(cls: type[Scene], model: Model, parts: dict[str, tuple[slice, slice]]) -> Scene:
    """A copy of a scene, or one that comes from another process."""
    made = cls.__new__(cls)
    Robot.__init__(made, model)
    made.__dict__["parts"] = parts
    return made


def _listed(robots: object) -> tuple[list[Any], list[str]]:
    if isinstance(robots, Mapping):
        given, prefixes = list(robots.values()), [_prefix(key) for key in robots]
    elif isinstance(robots, (list, tuple)):
        given, prefixes = list(robots), []
    else:
        raise InputError(
            f"a scene is a list of robots, or a mapping of prefixes to robots; got a {type(robots).__name__}"
        )
    if not given:
        raise InputError("a scene has at least one robot; give a list such as ['panda', 'ur5']")
    return given, prefixes


def _names(robots: Sequence[Robot]) -> list[str]:
    """A prefix for each robot: its name, numbered where several have it."""
    seen: dict[str, int] = {}
    many = {r.name for r in robots if sum(o.name == r.name for o in robots) > 1}
    made = []
    for robot in robots:
        seen[robot.name] = seen.get(robot.name, 0) + 1
        made.append(f"{robot.name}{seen[robot.name]}_" if robot.name in many else f"{robot.name}_")
    return made


def _slices(robots: Sequence[Robot], prefixes: Sequence[str]) -> dict[str, tuple[slice, slice]]:
    made, q, v = {}, 0, 0
    for robot, prefix in zip(robots, prefixes, strict=True):
        made[prefix] = (slice(q, q + robot.nq), slice(v, v + robot.n))
        q, v = q + robot.nq, v + robot.n
    return made
