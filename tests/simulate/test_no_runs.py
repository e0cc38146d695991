"""Ensembles of no runs: what a filter that leaves nothing gives. Every path takes them, or says why not."""

from __future__ import annotations

import numpy as np
import pytest

import ordern

ROBOTS = ("planar3", "fourbar", "chain45")


def nothing(robot, **options):
    return robot.simulate(np.zeros((0, robot.nq)), np.zeros((0, robot.n)), duration=0.05, **options)


@pytest.mark.parametrize("engine", ["compiled", "numpy"])
@pytest.mark.parametrize("method", ["dopri5", "rk4", "symplectic"])
@pytest.mark.parametrize("name", ROBOTS)
def test_simulations(name, method, engine):
    robot = ordern.load(name)
    run = nothing(robot, method=method, engine=engine, **({} if method == "dopri5" else {"dt": 0.01}))
    assert run.q.shape == (0, len(run.t), robot.nq) and run.tau.shape == (0, len(run.t), robot.n)


@pytest.mark.parametrize("name", ROBOTS)
def test_files_and_tables(name, tmp_path):
    run = nothing(ordern.load(name))
    for ending in ("npz", "zarr", "mat"):
        run.save(tmp_path / f"run.{ending}")
        again = ordern.Run.load(tmp_path / f"run.{ending}")
        assert again.q.shape == run.q.shape and np.array_equal(again.t, run.t)
    with pytest.raises(ordern.InputError, match="no runs"):
        run.save(tmp_path / "run.parquet")
    run.save(tmp_path / "run.csv")
    assert len((tmp_path / "run.csv").read_text("utf-8").splitlines()) == 1
    assert len(run.to_pandas()) == 0 and run.to_xarray().sizes["run"] == 0


def test_assembly_of_no_states():
    made = ordern.load("fourbar").assemble(np.zeros((0, 3)))
    assert made.q.shape == (0, 3) and made.success.shape == (0,)
