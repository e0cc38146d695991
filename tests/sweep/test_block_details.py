"""What a block tells while it is made, what its process says and how it ends; pictures of few and of many runs."""

from __future__ import annotations

import json
import subprocess
import sys
import warnings
from types import SimpleNamespace

import numpy as np
import pytest

import ordern
from ordern.sweep.study import parse
from ordern.sweep.sweep import Result
from ordern.sweep.sweep_block import _Call, _Quiet, figures, simulate_block
from ordern.sweep.sweep_plot import plot_sweep

ARM = ordern.load("planar3")


def study(sweep, head="", law=""):
    return parse(f'robot = "planar3"\n{head}\n{law}[sweep]\n{sweep}\n', "s.toml", robot=ARM)


def test_a_block_tells_the_share_of_all_its_runs():
    """Three runs by one method, then one by another: from 0 to 3/4, and on to 1."""
    made = study(
        "simulation.method = ['rk4', 'euler', 'rk4', 'rk4', 'rk4']", "block = 4\n[simulation]\nduration = 0.05"
    )
    told = []
    got = simulate_block(made, 0, told.append)
    assert told == sorted(told) and 0 <= told[0] <= 0.75 and 0.75 in told and told[-1] == 1.0
    assert got["run"].tolist() == [0, 1, 2, 3] and (got["status"] == "done").all()
    assert (got["q:joint1"] == got["q:joint1"][0]).tolist() == [True, False, True, True]
    last = []
    assert simulate_block(made, 1, last.append)["run"].tolist() == [4] and last[-1] == 1.0

    def stop(share):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        simulate_block(made, 0, stop)


def test_warnings_are_as_before_when_the_last_block_ends():
    before = list(warnings.filters)
    with _Quiet():
        with _Quiet():
            warnings.warn("runs did not reach their end", UserWarning, stacklevel=1)
        warnings.warn("nor did these", UserWarning, stacklevel=1)
        assert warnings.filters != before
    assert warnings.filters == before


def test_a_part_that_has_no_number_is_named():
    made = study(
        "controller.kp.joint1 = [1.0]\ncontroller.kp.joint3 = [1.0]",
        law='[controller]\nlaw = "pd"\ntarget = 0.0\nkd = 1.0\n',
    )
    values = made.plan.values(0, 1)
    with pytest.raises(ordern.InputError, match=r"controller\.kp has no number for 'joint2'; give kp as a whole too"):
        _Call(made, values, 1).vector(("controller", "kp"))


@pytest.mark.parametrize("parts", [32, 33])
def test_keys_have_so_many_parts(parts):
    with pytest.raises(ordern.InputError) as error:
        parse(".".join("a" * parts) + " = 1\n", "s.toml", robot=ARM)
    assert ("a key of more than 32 parts" in str(error.value)) == (parts > 32)


PROCESS = """
import runpy, sys, time
from ordern.sweep import sweep

def run_block(path, wanted, block, told):
    print("noise of a library")
    assert (path, wanted) == ("here", "hash")
    for k in range(5):
        told(k / 10)  # at once: one of them is said
    time.sleep(0.12)
    told(0.9)
    if block == 7:
        raise ValueError("x" * 3000)
    if block == 8:
        print("busy", file=sys.stderr, flush=True)
        time.sleep(60)

sweep.run_block = run_block
sys.argv = ["sweep_process", "here", "hash", "more"]
runpy.run_module("ordern.sweep.sweep_process", run_name="__main__")
"""


def test_what_a_process_says():
    """That it is ready, shares now and then, what is done, errors by name; nothing else comes that way. It ends with its input, amid a block too."""
    made = subprocess.Popen(
        [sys.executable, "-W", "ignore", "-c", PROCESS],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    made.stdin.write("3\n7\n8\n")
    made.stdin.flush()
    said = []
    while "error" not in (said[-1] if said else {}):
        said.append(json.loads(made.stdout.readline()))
    while made.stderr.readline() != "busy\n":
        pass
    made.stdin.close()
    assert made.wait(10) == 0
    for pipe in (made.stdout, made.stderr):
        pipe.close()
    assert said[:4] == [{"ready": True}, {"share": 0.0}, {"share": 0.9}, {"done": 3}]
    assert said[-1] == {"error": "ValueError", "text": "x" * 2000} and said[-2] == {"share": 0.9}
    assert len(said) <= 7  # of five shares at once one at most


@pytest.mark.parametrize(("count", "bars"), [(9, 5), (100, 10), (4000, 60)])
def test_pictures_of_few_and_many_runs(count, bars):
    """The first three figures unless told otherwise; bars as many as the root of the runs, 5 to 60."""
    made, rng = study("payload.mass = [1.0, 2.0]", "[payload]\nmass = 1.0"), np.random.default_rng(0)
    names = figures(made)
    columns = {"run": np.arange(count), "payload.mass": rng.uniform(size=count), "status": np.full(count, "done")}
    result = Result(SimpleNamespace(study=made), columns | {name: rng.normal(size=count) for name in names})
    picture = plot_sweep(result)
    assert [ax.get_ylabel() for ax in picture.axes[::2]] == [f"{name} (rad)" for name in names[:3]]
    assert {len(ax.patches) for ax in picture.axes[1::2]} == {bars}
