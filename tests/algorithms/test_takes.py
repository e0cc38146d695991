"""An algorithm names what it can take; every robot that has anything else is refused, with the culprit's name."""

import dataclasses
from types import SimpleNamespace

import pytest

import robots
from ordern.algorithms.features import FEATURES
from ordern.algorithms.registry import Algorithm, algorithm, all_algorithms, choose, find
from ordern.describe.builtin import planar, ur5
from ordern.errors import MethodError
from ordern.model import Model


@dataclasses.dataclass(frozen=True)
class Closed(Model):
    """A model with a closed chain, as far as the registry looks at it."""

    loops: tuple[SimpleNamespace, ...] = (SimpleNamespace(name="crank"),)


def closed(model):
    return Closed(model.name, model.bodies, model.links, model.gravity)


WITH = {
    "loops": lambda: closed(ur5()),
    "mimic": robots.mimicking,
    "branches": robots.mixed,
    "singular": lambda: planar(3, mass="tips"),
}
CULPRIT = {"loops": "crank", "branches": "branches at joint", "singular": "joint1"}


def bare(takes):
    return Algorithm(lambda tree, q: None, "mass_matrix", "bare", ("q",), ("symmetric",), takes=frozenset(takes))


@pytest.mark.parametrize("feature", FEATURES)
def test_what_is_not_named_is_refused(feature):
    model = WITH[feature]()
    assert FEATURES[feature](model) is not None
    assert bare(FEATURES).refusal(model) is None
    reason = bare(set(FEATURES) - {feature}).refusal(model)
    assert reason is not None and CULPRIT.get(feature, "") in reason
    for a in all_algorithms():
        if feature not in a.takes:
            assert a.refusal(model) is not None, a.name


def test_a_plain_chain_needs_no_naming():
    assert bare(()).refusal(ur5()) is None


@pytest.mark.parametrize(
    "quantity", ["forward_dynamics", "inverse_dynamics", "mass_matrix_inverse", "mass_matrix_udu", "regressor"]
)
def test_tree_methods_never_leave_a_loop_open_in_silence(quantity):
    for a in all_algorithms():
        if a.quantity == quantity and "loops" not in a.takes:
            if any(b.closed for b in find(quantity, a.method)):  # a text of the same name closes them
                assert "loops" in choose(quantity, a.method, closed(ur5())).takes
                continue
            with pytest.raises(MethodError, match="'crank'"):
                choose(quantity, a.method, closed(ur5()))


def test_an_unknown_feature_is_refused_when_it_is_registered():
    with pytest.raises(MethodError, match="names wheels; there are: loops, mimic, branches, singular"):
        algorithm("mass_matrix", "wheeled", inputs="q", output="symmetric", takes="wheels")


@pytest.mark.parametrize("word", ["rnea", "RNE", "newton-eulr", "simplex"])
def test_an_unknown_method_is_told_the_one_that_was_meant_or_all(word):
    """Names of other libraries count as those of ours."""
    said = "; there are: denoc, kkt, newton-euler" if word == "simplex" else "; did you mean 'newton-euler'?"
    with pytest.raises(MethodError) as caught:
        find("inverse_dynamics", word)
    assert str(caught.value) == f"no method {word!r} for inverse_dynamics{said}"
