"""Tensors of every kind that PyTorch has: read, or refused by the name of the argument, and no gradient is lost in silence.
Collected where torch is installed."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.autograd import forward_ad

import ordern
import robots
from ordern.robot import Robot

ROBOT = Robot(robots.serial("RP", name="two"))
Q = np.array([0.3, -0.2])


def test_tensors_that_are_none_in_memory():
    f, q = ordern.torch.bias_forces(ROBOT), torch.as_tensor(Q)
    for bad in (torch.nested.nested_tensor([q, q], layout=torch.jagged), q.to_sparse(), q.float().to_mkldnn()):
        with pytest.raises(ordern.InputError, match="qd is a sparse tensor or a nested one"):
            f(q, bad)
    with pytest.raises(ordern.InputError, match="q is of dtype qint8"):
        f(torch.quantize_per_tensor(q.float(), 0.1, 0, torch.qint8), q)


def test_methods_of_robot_lose_no_tangent():
    q, energy = torch.as_tensor(Q), lambda x: torch.as_tensor(ROBOT.potential_energy(x))
    for transformed in (
        lambda: torch.func.jvp(energy, (q,), (q,)),
        lambda: torch.func.grad(energy)(q),
        lambda: torch.vmap(energy)(q[None]),
    ):
        with pytest.raises(ordern.InputError, match=r"q is being differentiated or mapped by PyTorch; ordern\.torch"):
            transformed()
    with forward_ad.dual_level():
        with pytest.raises(ordern.InputError, match="q is being differentiated"):
            energy(forward_ad.make_dual(q, q))
        assert energy(q) == ROBOT.potential_energy(Q)


def test_old_batches_of_gradients_are_refused():
    for quantity in ("gravity_forces", "log_det"):
        f = getattr(ordern.torch, quantity)(ROBOT)
        with pytest.raises(ordern.MethodError, match=r"use torch\.func\.jacrev"):
            torch.autograd.functional.jacobian(f, torch.as_tensor(Q), vectorize=True)


def test_numbers_without_a_dtype_are_double():
    f = ordern.torch.gravity_forces(ROBOT)
    assert f(Q.tolist()).dtype == torch.float64
    assert np.array_equal(f([Q.tolist()])[0], ROBOT.gravity_forces(Q))
    with pytest.raises(ordern.InputError, match=r"q is no array of numbers: a list of tensors .* torch\.stack"):
        f([torch.tensor(0.3, requires_grad=True), 0.2])
