"""``@algorithm`` registers what a file computes, for methods, command line, test grid and count tables."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from ..errors import MethodError, SingularError, near
from ..model import Model
from ..model.thresholds import LONG
from ..tree import Tree
from .elastic import sprung
from .features import FEATURES
from .motionless import SOLVING, motionless

__all__ = ["Algorithm", "algorithm", "all_algorithms", "choose", "find"]

Serves = Callable[[Model], str | None]


@dataclass(frozen=True)
class Algorithm:
    """One algorithm: how it is called and what it returns.

    ``inputs`` are among q qd qdd tau; ``outputs`` are kinds that program/layout.py knows ("dofs", "symmetric",
    "square", "scalar", ...). ``options`` are static arguments (a link's index, a reference) that come after the inputs.
    ``takes`` names what a robot may have (FEATURES): whatever it does not name is refused. ``serves`` says why a model
    cannot be served for another reason, or None. ``joint_space`` marks results that do not depend on where body frames
    sit on their joints' axes; ``regroup`` those that moreover stay when inertia is moved across a joint that cannot
    feel it.
    """

    function: Callable[..., Any]
    quantity: str
    method: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    options: tuple[str, ...] = ()
    takes: frozenset[str] = frozenset()
    serves: Serves | None = None
    joint_space: bool = False
    external: bool = False
    rank: int = 100
    title: str = ""
    regroup: bool = False
    rank_long: int | None = None
    closed: bool = False  # the text closes the robot's loops

    @property
    def name(self) -> str:
        """quantity/method; a text that closes loops says so, since one for trees may have the same method."""
        return f"{self.quantity}/{self.method}" + (" with loops" if self.closed else "")

    def refusal(self, model: Model) -> str | None:
        """Why this robot cannot be served; None if it can."""
        for feature, reason_of in FEATURES.items():
            if feature not in self.takes:
                reason = reason_of(model)
                if reason is not None:
                    return reason
        return self.serves(model) if self.serves else None

    def __call__(self, tree: Tree, *arguments: Any) -> Any:
        """Run the text, with the springs that the robot has."""
        return sprung(self, tree, arguments) if tree.model.springs else self.function(tree, *arguments)


_FOUND: dict[str, dict[str, Algorithm]] = {}


def algorithm(
    quantity: str,
    method: str,
    *,
    inputs: str,
    output: str,
    options: str = "",
    takes: str = "",
    serves: Serves | None = None,
    joint_space: bool = False,
    external: bool = False,
    rank: int = 100,
    title: str = "",
    regroup: bool = False,
    rank_long: int | None = None,
    closed: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register a function as the named method for a quantity.

    ``takes`` names what the text can deal with, of: loops (closed chains), mimic (joints that follow others), branches,
    singular (bodies whose inertia has no inverse). A robot with anything that is not named is refused: nothing is
    ignored. The lowest rank that serves a robot is its default; ``rank_long`` takes the place of ``rank`` for robots
    with more than LONG bodies.
    """
    named = frozenset(takes.split())
    if not named <= set(FEATURES):
        unknown = ", ".join(sorted(named - set(FEATURES)))
        raise MethodError(
            f"algorithm {quantity}/{method}: takes={takes!r} names {unknown}; there are: {', '.join(FEATURES)}"
        )

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        made = Algorithm(
            function,
            quantity,
            method,
            tuple(inputs.split()),
            tuple(output.split()),
            tuple(options.split()),
            named,
            serves,
            joint_space,
            external,
            rank,
            title,
            regroup,
            rank_long,
            closed,
        )
        _FOUND.setdefault(quantity, {})[f"{method} with loops" if closed else method] = (
            made  # one name may have a text for trees and one for loops
        )
        return function

    return register


@cache
def _load() -> None:
    package = importlib.import_module("ordern.algorithms")
    for entry in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"ordern.algorithms.{entry.name}")


def all_algorithms() -> list[Algorithm]:
    """Everything registered, in order of quantity and rank."""
    _load()
    return [a for methods in _FOUND.values() for a in sorted(methods.values(), key=lambda a: a.rank)]


def find(quantity: str, method: str | None = None) -> list[Algorithm]:
    """The algorithms for a quantity, best first, or the named one; an unknown name raises, listing the known."""
    _load()
    if not isinstance(quantity, str) or quantity not in _FOUND:
        raise MethodError(f"no quantity {quantity!r}{_hint(quantity, _FOUND, ELSEWHERE)}")
    methods = _FOUND[quantity]
    if method is None:
        return sorted(methods.values(), key=lambda a: a.rank)
    named = {a.method for a in methods.values()}
    if not isinstance(method, str) or method not in named:
        raise MethodError(f"no method {method!r} for {quantity}{_hint(method, named)}")
    return sorted((a for a in methods.values() if a.method == method), key=lambda a: a.closed)


def choose(quantity: str, method: str | None, model: Model, varied: bool = False) -> Algorithm:
    """The named method, or the best one that serves the robot; says why where none does.

    A robot whose mass matrix never has an inverse is refused what needs one, and one without mass its mass centre,
    unless its masses are ``varied``: given later.
    """
    reasons: list[str] = []
    long = len(model.bodies) > LONG
    for candidate in sorted(
        find(quantity, method), key=lambda a: a.rank if a.rank_long is None or not long else a.rank_long
    ):
        reason = candidate.refusal(model)
        if reason is None:
            if not varied:
                _movable(quantity, model)
            return candidate
        if candidate.closed <= bool(model.loops) or not reasons:
            reasons.append(f"{candidate.method!r} {reason}")
    others = [a.method for a in find(quantity) if a.refusal(model) is None]
    instead = f"; use method={' or '.join(map(repr, others))}" if others else ""
    if not others and model.loops and quantity.startswith("log_det"):
        instead = "; its tree, loops cut, has mass_matrix_udu(q).logdet()"
    raise MethodError(f"{quantity} of robot {model.name!r}: method {'; '.join(reasons)}{instead}")


def _movable(quantity: str, model: Model) -> None:
    """Refuse quotients by an inertia or a mass that is zero in every configuration."""
    if quantity == "center_of_mass" and not any(body.inertia.m for body in model.bodies[1:]):
        raise SingularError(f"center_of_mass of robot {model.name!r}: nothing of it that moves has a mass")
    if quantity not in SOLVING:
        return
    text = motionless(model, _FOUND["mass_matrix"]["composite"])
    if text is not None:
        raise SingularError(f"{quantity} of robot {model.name!r}: {text}")


# names of other libraries and of papers
ELSEWHERE = {
    "rnea": "inverse_dynamics", "rne": "inverse_dynamics", "id": "inverse_dynamics", "tau": "inverse_dynamics",
    "aba": "forward_dynamics", "accel": "forward_dynamics", "fd": "forward_dynamics", "crba": "mass_matrix",
    "m": "mass_matrix", "h": "mass_matrix", "inertia": "mass_matrix", "minv": "mass_matrix_inverse",
    "c": "coriolis_matrix", "coriolis": "coriolis_matrix", "nle": "bias_forces", "gravload": "gravity_forces",
    "g": "gravity_forces", "gravity": "gravity_forces", "fkine": "forward_kinematics", "fk": "forward_kinematics",
    "jacob0": "jacobian", "jacobe": "jacobian", "j": "jacobian", "com": "center_of_mass",
}  # fmt: skip
# names that other libraries have made known
_METHODS = {"aba": "articulated", "crba": "composite", "rnea": "newton-euler", "rne": "newton-euler"}


def _hint(word: str, known: Iterable[str], others: Mapping[str, str] = _METHODS) -> str:
    """A suggestion for a misspelled name, else all known names."""
    near_by = near(others.get(str(word).lower(), word), known)
    return near_by or f"; there are: {', '.join(sorted(known))}"
