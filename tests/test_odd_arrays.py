"""Arrays as they come: masked, misaligned, packed, mapped from files, byte-swapped, empty: the right numbers or an error that says why."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
import robots

ROBOT = ordern.Robot(robots.tree(["floating", "revolute", "prismatic"], [0, 1, 2], 3))
Q, QD, QDD, TAU = robots.state(ROBOT.model, np.random.default_rng(0), (6,))
CALLS = {
    "inverse_dynamics": (Q, QD, QDD), "forward_dynamics": (Q, QD, TAU), "mass_matrix": (Q,), "kinetic_energy": (Q, QD), "integrate": (Q, QD),
    "difference": (Q, Q[::-1]), "mass_matrix_udu": (Q,), "inverse_dynamics_derivatives": (Q, QD, QDD), "log_det": (Q,), "log_det_gradient": (Q,),
    "joint_wrenches": (Q, QD, QDD), "forward_kinematics": (Q,), "regressor": (Q, QD, QDD), "center_of_mass": (Q,),
}  # fmt: skip


def flat(made):
    parts = (
        made.values()
        if isinstance(made, dict)
        else made
        if isinstance(made, tuple)
        else (made.U, made.D)
        if hasattr(made, "U")
        else (made,)
    )
    return np.concatenate([np.ravel(x) for x in parts])


def misaligned(a):
    """The same numbers one byte further on."""
    room = np.empty(a.nbytes + 1, np.uint8)
    made = room[1:].view(a.dtype).reshape(a.shape)
    made[...] = a
    assert not made.flags.aligned
    return made


def packed(a):
    """A field of packed records."""
    records = np.zeros(len(a), np.dtype([("flag", "u1"), ("x", a.dtype, a.shape[1:])]))
    records["x"] = a
    return records["x"]


def mapped(a, folder=[]):  # noqa: B006 - one folder for all
    """A file with a header of 13 bytes."""
    import tempfile

    folder.append(tempfile.mkdtemp())
    made = np.memmap(f"{folder[-1]}/a.bin", a.dtype, "w+", 13, a.shape)
    made[...] = a
    return made


ODD = {
    "misaligned": misaligned, "packed": packed, "mapped": mapped, "swapped": lambda a: a.astype(">f8"), "fortran": np.asfortranarray,
    "every second": lambda a: np.repeat(a, 2, axis=0)[::2], "unmasked": lambda a: np.ma.masked_array(a, mask=False), "list": lambda a: a.tolist(),
}  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("name", CALLS)
def test_the_same_numbers_however_they_lie(name, odd):
    want = flat(getattr(ROBOT, name)(*CALLS[name]))
    for _ in range(2):
        np.testing.assert_array_equal(flat(getattr(ROBOT, name)(*map(ODD[odd], CALLS[name]))), want)
    one = [ODD[odd](a[:1])[0] if odd != "list" else a[0].tolist() for a in CALLS[name]]
    np.testing.assert_array_equal(
        flat(getattr(ROBOT, name)(*one)), flat(getattr(ROBOT, name)(*(a[0] for a in CALLS[name])))
    )


@pytest.mark.parametrize("odd", [misaligned, packed])
def test_results_go_where_they_are_wanted(odd):
    want = ROBOT.inverse_dynamics(Q, QD, QDD)
    out = odd(np.zeros_like(want))
    assert ROBOT.inverse_dynamics(Q, QD, QDD, out=out) is out
    np.testing.assert_array_equal(out, want)
    kernel = ROBOT.compile("inverse_dynamics")
    np.testing.assert_array_equal(kernel(*map(odd, (Q, QD, QDD))), kernel(Q, QD, QDD))


@pytest.mark.parametrize("name", CALLS)
def test_masked_numbers_are_refused_by_name(name):
    for k in range(len(CALLS[name])):
        arrays = list(CALLS[name])
        arrays[k] = np.ma.masked_array(arrays[k], mask=np.eye(*arrays[k].shape, 1, dtype=bool))
        with pytest.raises(ordern.InputError, match=r"is masked at \[0, 1\]"):
            getattr(ROBOT, name)(*arrays)


@pytest.mark.parametrize("shape", [(0,), (0, 3), (2, 0)])
@pytest.mark.parametrize("name", CALLS)
def test_empty_batches_have_empty_results(name, shape):
    arrays = [np.zeros((*shape, a.shape[-1])) for a in CALLS[name]]
    full = getattr(ROBOT, name)(*(a[0] for a in CALLS[name]))
    made = getattr(ROBOT, name)(*arrays)
    parts = zip(
        *(
            [*x.values()]
            if isinstance(x, dict)
            else [x.U, x.D]
            if hasattr(x, "U")
            else list(x)
            if isinstance(x, tuple)
            else [x]
            for x in (made, full)
        ),
        strict=True,
    )
    for empty, one in parts:
        assert empty.shape == (*shape, *np.shape(one)) and not empty.size


@pytest.mark.parametrize("k", range(6))
def test_a_wrench_that_is_no_number_is_told_by_its_component(k):
    robot, wrench = ordern.robots.planar3(), np.zeros((2, 6))
    wrench[1, k] = np.nan
    part = ("the moment", "the force")[k // 3] + f" along {'xyz'[k % 3]}"
    with pytest.raises(ordern.InputError, match=part):
        robot.inverse_dynamics(np.zeros(3), np.zeros(3), np.zeros(3), external={robot.link_names[-1]: wrench})


@pytest.mark.parametrize("given", ["neutral", "random"])
def test_a_method_that_was_not_called_is_told(given):
    robot = ordern.load("planar3")
    method = getattr(robot, given)
    for call in (robot.mass_matrix, lambda q: robot.simulate(q, duration=0.1), lambda q: robot.integrate(q, [0, 0, 0])):
        with pytest.raises(ordern.InputError, match=rf"is a function; give the numbers it returns, as {given}\(\)"):
            call(method)


def test_a_number_beyond_doubles_is_named_without_a_warning_of_numpys():
    robot, q = ordern.load("planar3"), np.zeros(3, np.longdouble)
    q[1] = np.longdouble(2) ** 1100 if np.finfo(np.longdouble).maxexp > 1100 else np.inf
    with pytest.raises(ordern.InputError, match=r"^q is "):
        robot.gravity_forces(q)
