"""Other robots from a robot: with_...() methods, parts put together and taken apart, and scenes of several robots."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from ..describe.builder import ON_INVALID
from ..errors import InputError, ModelError, one_of
from ..model import Model, Placement

if TYPE_CHECKING:
    from . import Robot

__all__ = ["Changes"]


class Changes:
    """Methods of a Robot that return another one."""

    model: Model

    if TYPE_CHECKING:

        def _link(self, name: object) -> int: ...

    def _of(self, model: Model) -> Self:
        """A robot of this one's class that has another model with the same joints, whatever its __init__ takes."""
        from . import Robot

        made = type(self).__new__(type(self))
        made.__dict__.update(self.__dict__)  # what its class keeps beside the model
        Robot.__init__(made, model)  # type: ignore[arg-type]
        return made

    def with_parameters(self, values: object, on_invalid: str = "error") -> Robot:
        """The same robot with other inertial parameters, in the order of ``parameters()`` (identified ones, for
        instance).

        Bodies that cannot be, such as ones of negative mass, are refused; on_invalid="warn" keeps them, "repair" fixes
        them.
        """
        from ..describe.physical import checked
        from ..evaluate.regression import with_parameters

        one_of("on_invalid", on_invalid, ON_INVALID)
        return _robot(checked(with_parameters(self.model, values), on_invalid))

    def with_payload(
        self, link: str, mass: float, com: Sequence[float] = (0.0, 0.0, 0.0), inertia: object = None
    ) -> Robot:
        """The same robot with more mass (kg) on a link: dynamics, controllers, exports and written files all know it.

        Args:
            link: what carries it.
            mass: of the payload.
            com: its mass centre in the link's frame (m).
            inertia: about its mass centre in the link's axes (kg m^2): 3x3, Ixx Iyy Izz, or Ixx Iyy Izz Ixy Ixz Iyz;
                none is a point.
        """
        from ..describe.changes import with_payload
        from ..describe.physical import payload

        return _robot(
            with_payload(self.model, self._link(link), payload(self.model, self._link(link), mass, com, inertia))
        )

    def with_locked(self, joints: Mapping[str, Any]) -> Robot:
        """The same robot with joints welded at these coordinates, such as {"elbow": 0.5}."""
        from ..describe.assembly import locked

        return _robot(locked(self.model, joints))

    def with_freed(self, joints: Mapping[str, str] | Iterable[str]) -> Robot:
        """The robot with joints freed: names of mimic joints, or fixed ones and their type, {"weld": "revolute"}."""
        from ..describe.assembly import freed

        return _robot(freed(self.model, joints))

    def attach(self, other: object, link: str, placement: object = None, prefix: str = "") -> Robot:
        """This robot with another one welded to a link (a gripper on an arm).

        Args:
            other: the robot to attach, or what names one.
            link: of this robot that carries it.
            placement: of the other's root frame in the link's: a 4x4 matrix or x y z; the same frame by default.
            prefix: before all names of the other robot, where both have the same.
        """
        from ..describe.assembly import attached

        _prefix(prefix)
        return _robot(attached(self.model, _as_robot(other).model, self._link(link), _placement(placement), prefix))

    def subtree(self, link: str) -> Robot:
        """A link and what it carries as a robot, the link fixed to the world; ``without`` gives the rest."""
        from ..describe.assembly import branch

        return _robot(branch(self.model, self._link(link)))

    def without(self, link: str) -> Robot:
        """This robot without a link and all that it carries."""
        from ..describe.assembly import without_branch

        return _robot(without_branch(self.model, self._link(link)))


def _robot(model: Model) -> Robot:
    from . import Robot

    return Robot(model)


def _as_robot(given: object) -> Robot:
    from . import Robot, load

    if isinstance(given, Robot):
        return given
    if isinstance(given, (str, os.PathLike)):
        return load(given)
    raise InputError(f"a {type(given).__name__} is no robot; give a Robot, a file or a built-in name")


def _placement(given: object) -> Placement:
    from ..describe.dh.dh_table import frame

    try:
        return frame("placement", given)
    except ModelError as error:
        raise InputError(str(error)) from None
    except (TypeError, ValueError):
        raise InputError("placement: give a Placement, a 4x4 matrix or three numbers x y z") from None


def _prefix(prefix: object) -> str:
    if not isinstance(prefix, str):
        raise InputError(f"prefix must be a string, got a {type(prefix).__name__}")
    return prefix
