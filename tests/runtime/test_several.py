"""The fast way in returns what the ordinary way does, of the same kind, the third time as the first, and loses no reference."""

from __future__ import annotations

import gc
import sys

import numpy as np
import pytest

import needs
import ordern
import robots
from ordern.robot import Robot

QUANTITIES = {"inverse_dynamics_derivatives": 3, "forward_dynamics_derivatives": 3, "mass_matrix_udu": 1}


def parts(made):
    return (made.U, made.D) if hasattr(made, "U") else tuple(made)


def state(model, batch, dtype=float):
    return [np.ascontiguousarray(x, dtype) for x in robots.state(model, np.random.default_rng(3), batch)]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("robot", ["pendulum", "floating", "mimic"])
@pytest.mark.parametrize("quantity", QUANTITIES)
def test_fast_and_ordinary_are_the_same(quantity, robot, dtype):
    model = robots.GRID[robot]()
    here = Robot(model)
    for batch in ((), (1,), (7,), (300,)):
        arrays = state(model, batch, dtype)[: QUANTITIES[quantity]]
        ordinary = getattr(Robot, quantity)(here, *arrays)
        for _ in range(3):
            made = getattr(here, quantity)(*arrays)
            assert type(made) is type(ordinary)
            for a, b in zip(parts(made), parts(ordinary), strict=True):
                assert (a.shape, a.dtype) == (b.shape, b.dtype)
                assert a.tobytes() == b.tobytes()
    assert quantity in here._ways and quantity not in vars(here)  # the method is the class's own


def same(a, b):
    assert type(a) is type(b)
    if isinstance(a, dict):
        assert list(a) == list(b)
        a, b = tuple(a.values()), tuple(b.values())
    several = isinstance(a, tuple) or hasattr(a, "U")
    for x, y in zip(parts(a) if several else (a,), parts(b) if several else (b,), strict=True):
        assert (type(x), x.shape, x.dtype) == (type(y), y.shape, y.dtype)
        assert x.tobytes() == y.tobytes()


ONE, TWO, MOTION, FORCED = ("q",), ("q", "qd"), ("q", "qd", "qdd"), ("q", "qd", "tau")
METHODS = {  # every one that computes something of a state
    "inverse_dynamics": MOTION, "forward_dynamics": FORCED, "mass_matrix": ONE, "mass_matrix_inverse": ONE, "mass_matrix_udu": ONE,
    "coriolis_matrix": TWO, "bias_forces": TWO, "gravity_forces": ONE, "kinetic_energy": TWO, "potential_energy": ONE, "momentum": TWO,
    "center_of_mass": ONE, "forward_kinematics": ONE, "regressor": MOTION, "inverse_dynamics_derivatives": MOTION,
    "forward_dynamics_derivatives": FORCED, "integrate": TWO, "difference": ("q", "q"),
}  # fmt: skip


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("robot", ["planar", "floating"])
def test_every_method_does_the_third_time_what_it_did_the_first(robot, dtype):
    model = robots.GRID[robot]()
    here = Robot(model)
    link = here.link_names[-1]
    given_more = {"forward_kinematics": {"link": link}, "jacobian": {"link": link}, "mass_matrix": {"method": "denoc"}}
    named = [
        *((name, {}) for name in METHODS),
        *given_more.items(),
        ("inverse_dynamics", {"external": {link: np.full(6, 0.5)}}),
    ]
    for batch in ((), (1,), (9,)):
        given = dict(zip(("q", "qd", "qdd", "tau"), state(model, batch, dtype), strict=True))
        for name, options in named:
            arrays = [given[k] for k in METHODS.get(name, ONE)]
            first = getattr(Robot(model), name)(*arrays, **options)
            for _ in range(3):
                same(getattr(here, name)(*arrays, **options), first)
            if name in ("inverse_dynamics", "mass_matrix"):
                out = np.empty_like(first)
                for _ in range(3):
                    assert getattr(here, name)(*arrays, **options, out=out) is out
                    same(out, first)


@needs.fast_entry
def test_large_results_come_from_kept_memory_and_are_right():
    robot = ordern.load("panda")
    arrays = state(robot.model, (3000,))[:3]
    expected = Robot.inverse_dynamics_derivatives(robot, *arrays)
    first = [robot.inverse_dynamics_derivatives(*arrays) for _ in range(3)][-1]
    assert all(a.tobytes() == b.tobytes() for a, b in zip(first, expected, strict=True))
    assert not np.shares_memory(first.dq, expected.dq)
    assert first.dq.base is not None  # lent


@needs.fast_entry
def test_no_reference_is_lost_or_kept():
    robot = Robot(robots.GRID["planar"]())
    x = [np.full(robot.n, 0.2) for _ in range(3)]
    many = [np.full((5, robot.n), 0.2) for _ in range(3)]
    bad = np.full(robot.n, np.nan)

    def use(count):
        for _ in range(count):
            robot.inverse_dynamics_derivatives(*x)
            robot.inverse_dynamics_derivatives(*many)
            robot.mass_matrix_udu(x[0])

    use(100)
    before = [sys.getrefcount(a) for a in (*x, *many, bad)]
    dtype, tracked = sys.getrefcount(np.dtype(float)), len(gc.get_objects())
    use(20_000)
    assert abs(sys.getrefcount(np.dtype(float)) - dtype) < 10
    assert abs(len(gc.get_objects()) - tracked) < 100
    for _ in range(100):
        with pytest.raises(ordern.InputError, match="qd is nan"):
            robot.inverse_dynamics_derivatives(x[0], bad, x[2])
    assert [sys.getrefcount(a) for a in (*x, *many, bad)] == before


def test_several_quantities_compiled_in_one_pass():
    robot = ordern.load("ur5")
    both = robot.compile(["mass_matrix", "bias_forces"])
    q, qd = state(robot.model, (9,))[:2]
    for _ in range(3):
        made = both(q, qd)
        assert set(made) == {"mass_matrix", "bias_forces"}
        one = both(q[4], qd[4])
        assert one["mass_matrix"].shape == (6, 6)
        for name in made:
            assert made[name][4].tobytes() == one[name].tobytes()
    assert np.allclose(
        made["mass_matrix"], robot.mass_matrix(q), rtol=0, atol=1e-14
    )  # sums in another order: some eps of the largest, 2.3
    assert both(q[:, None], qd).get("mass_matrix").shape == (9, 9, 6, 6)
    assert both(q[:0], qd[0])["mass_matrix"].shape == (0, 6, 6)
    bad = q.copy()
    bad[7, 2] = np.inf
    for arrays, message in [
        ((bad, qd), "q is inf for joint 'elbow_joint' in row 7"), ((q[:3], qd[:4]), "do not fit together: q .3, 6., qd .4, 6."),
            ((q,), "takes 2 arrays"),
        ((q[:, :5], qd), "q must have 6 numbers"), (("a", qd), "q holds text"),
    ]:  # fmt: skip
        with pytest.raises(ordern.OrdernError, match=message):
            both(*arrays)


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("batch", [(), (5,), (300,)])
def test_results_go_into_given_memory_whatever_it_is(batch, dtype):
    """Plain memory is filled by the fast way in; what overlaps an input, is spread out or has another shape is not."""
    model = robots.GRID["floating"]()
    here = Robot(model)
    q, qd, qdd, _ = state(model, batch, dtype)
    wanted = here.inverse_dynamics(q, qd, qdd)
    room = np.full((*batch, here.n + 3), np.nan, dtype)
    for _ in range(3):
        out = np.full_like(wanted, np.nan)
        held = sys.getrefcount(out)
        made = here.inverse_dynamics(q, qd, qdd, out=out)
        assert made is out and out.tobytes() == wanted.tobytes()
        del made
        assert sys.getrefcount(out) == held
        spread = room[..., 1 : here.n + 1]
        assert here.inverse_dynamics(q, qd, qdd, out=spread) is spread
        assert np.array_equal(spread, wanted) and np.isnan(room[..., 0]).all() and np.isnan(room[..., -2:]).all()
        mine = qdd.copy()
        assert np.array_equal(here.inverse_dynamics(q, qd, mine, out=mine), wanted)  # out is an input
        line = np.concatenate([np.zeros(here.n, dtype), qdd.ravel()])  # or begins within one, or ends there
        late, early = line[here.n :].reshape(qdd.shape), line[: qdd.size].reshape(qdd.shape)
        assert np.array_equal(here.inverse_dynamics(q, qd, late, out=early), wanted)
    for bad in (
        np.empty((*batch, here.n + 1), dtype),
        np.empty((2, *wanted.shape), dtype),
        wanted.astype("int64"),
        "x",
    ):
        with pytest.raises(ordern.ShapeError, match="out must be"):
            here.inverse_dynamics(q, qd, qdd, out=bad)
    fixed = np.empty_like(wanted)
    fixed.flags.writeable = False
    with pytest.raises(ordern.ShapeError, match="writable"):
        here.inverse_dynamics(q, qd, qdd, out=fixed)
    with pytest.raises(ordern.InputError, match="qd is nan"):
        here.inverse_dynamics(q, qd * np.nan, qdd, out=np.empty_like(wanted))


def test_named_results_hold_one_reference_each_and_free_their_class():
    here = Robot(robots.GRID["floating"]())
    q, qd, qdd, _ = state(here.model, ())
    for _ in range(2):
        made = here.inverse_dynamics_derivatives(q, qd, qdd)
    assert type(made).__name__ == "InverseDerivatives" and made._fields == ("dq", "dqd", "dqdd")
    assert all(sys.getrefcount(array) == sys.getrefcount(np.empty(1)) + 2 for array in made)  # the tuple, and this loop
    counts = [sys.getrefcount(type(made))]
    more = [here.inverse_dynamics_derivatives(q, qd, qdd) for _ in range(10)]
    counts.append(sys.getrefcount(type(made)))
    assert gc.is_tracked(more[0])
    del more
    counts.append(sys.getrefcount(type(made)))
    assert [n - counts[0] for n in counts] == [0, 10, 0]


def test_a_robot_goes_with_its_last_name():
    import weakref

    here = Robot(robots.GRID["pendulum"]())
    seen = weakref.ref(here)
    here.mass_matrix(np.zeros(here.n))
    del here
    assert seen() is None
