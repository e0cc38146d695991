"""Runs of nothing: ensembles of no runs with functions of the user's, and runs that keep no row."""

from __future__ import annotations

import numpy as np
import pytest

import ordern
from budget import spread

C = ordern.control
ARM = ordern.robots.planar(2)


def pushed(t, q, qd):
    return {ARM.link_names[-1]: np.zeros(6)}


NOBODY = {
    "torque": [lambda t, q, qd: -qd, C.PID([0, 0], 1, 1, 1), C.PD([0, 0], 1, 1), None],
    "external": [pushed, {ARM.link_names[-1]: lambda t, q, qd: np.zeros(6)}, {ARM.link_names[-1]: lambda t: np.zeros(6)}],
    "events": [None, lambda t, q, qd: q[0]],
    "method": ["dopri5", "rk4", "LSODA", "symplectic"],
}  # fmt: skip


@pytest.mark.parametrize(("torque", "external", "events", "method"), spread(*NOBODY.values()))
def test_ensembles_of_no_runs(interpreted, torque, external, events, method):
    """Whatever takes part, Python functions too: arrays of no rows come out."""
    run = ARM.simulate(np.zeros((0, 2)), duration=0.1, torque=torque, external=external, events=events, method=method)
    assert run.q.shape == run.qdd.shape == run.tau.shape == (0, 11, 2) and run.energy.shape == (0, 11)
    assert run.complete and run.status == [] and len(run) == 0


@pytest.mark.parametrize("ending", [".npz", ".parquet", ".zarr", ".mat"])
@pytest.mark.parametrize("ensemble", [False, True])
def test_runs_without_rows_are_kept_and_drawn(interpreted, tmp_path, ending, ensemble):
    """An event stops them before the first of the chosen times. Parquet had not found their columns again."""
    q = np.zeros((2, 2)) if ensemble else np.zeros(2)
    run = ARM.simulate(q, duration=1.0, t_eval=[0.9], events=lambda t, q, qd: t - 0.1, engine="numpy")
    assert np.isfinite(run.q).sum() == 0 and set(run.status) == {"stopped by event"}
    run.save(tmp_path / f"run{ending}")
    again = ordern.Run.load(tmp_path / f"run{ending}")
    for name in ("t", "q", "qd", "qdd", "tau", "energy", "power"):
        assert np.array_equal(getattr(run, name), getattr(again, name), equal_nan=True), name
        assert getattr(run, name).shape == getattr(again, name).shape, name
    assert again.events == run.events and again.status == run.status
    if ending == ".npz":
        again.plot("path", tmp_path / "path.svg")
        assert (tmp_path / "path.svg").stat().st_size > 0


COMPLEX = {
    "torque": lambda t, q, qd: q * 1j,
    "events": lambda t, q, qd: np.complex128(q[0] - 1j),
    "external": lambda t, q, qd: {ARM.link_names[-1]: np.ones(6) * 1j},
}


@pytest.mark.parametrize("ensemble", [False, True])
@pytest.mark.parametrize("name", COMPLEX)
def test_complex_numbers_of_functions_are_refused(interpreted, name, ensemble):
    """NumPy would go on with their real parts: the root of a negative number is none."""
    q = np.zeros((2, 2)) if ensemble else np.zeros(2)
    with pytest.raises(ordern.SimulationError, match="returned complex numbers"):
        ARM.simulate(q, duration=0.1, engine="numpy", **{name: COMPLEX[name]})
