"""Robots of ReDySim [SSD13]: tables ``inputs.m`` and ``inputs.mat``, of its fixed-base, floating-base and legged
modules.

ReDySim                 here
alp, a, th, b           a "proximal" DH row, T = Rx(alp) Tx(a) Rz(th) Tz(b), from the frame of the parent
bt                      parents: 0 is the ground (the floating-base modules: link 1 is the base)
r                       1 revolute, 0 prismatic; the joint's variable takes the place of th or b
dx dy dz, m             mass centre in the link's frame, mass
Icxx ... Iczx           inertia about the mass centre, link's axes
g, aj                   gravity; 1 for joints with a drive
nq (floating base)      1: the base moves in space, 0: in the X-Y plane
al, alt, dof, Tp, steps  not the robot's: lengths for drawings, time
"""

from __future__ import annotations

import io
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Unpack

from ...errors import InputError, ModelError, tell
from ...files import expansion
from ...files.mat_files import read_mat
from ...files.unpacking import Unpacker
from ...model import Model
from ..builder import JointSpec, LinkSpec, build
from ..description_file import read
from ..dh.dh_table import turn_x, turn_z
from ..specs import BuildOptions
from .matlab_tables import MOST, Matrix, tables

__all__ = ["load_redysim", "mat_tables"]

LINK_TABLES = ("alp", "a", "b", "dx", "dy", "dz", "m", "Icxx", "Icyy", "Iczz", "Icxy", "Icyz", "Iczx")
INERTIA = ("Icxx", "Icyy", "Iczz", "Icxy", "Iczx", "Icyz")
KNOWN = (*LINK_TABLES, "n", "nq", "th", "bt", "r", "g", "aj", "type")


def load_redysim(
    path: str | os.PathLike[str],
    *,
    gravity: Sequence[float] | None = None,
    **options: Unpack[BuildOptions],
) -> Model:
    """Read an inputs.m or inputs.mat; see ``build`` for the options."""
    file, data = os.fspath(path), read(path)
    given = mat_tables(data, file) if Path(file).suffix.lower() == ".mat" else _text_tables(data, file)
    n = _whole(given, "n", file)
    columns = {name: _column(given, name, n, file) for name in LINK_TABLES}
    columns["th"] = _column(given, "th", n, file, 0.0)
    columns["r"] = _column(given, "r", n, file, 1.0)
    parents = _parents(given, n, file)
    links, joints = [], []
    for k in range(n):
        where = f"{file}: link {k + 1}"
        inertia = [columns[name][k] for name in INERTIA]
        links.append(
            LinkSpec(f"link{k + 1}", columns["m"][k], [columns[c][k] for c in ("dx", "dy", "dz")], inertia, where=where)
        )
        joints.append(_joint({name: values[k] for name, values in columns.items()}, k, parents[k], given, where))
    if _one(given, "type", file, 0.0) == 1.0:
        tell(
            f"{file}: a closed chain, whose closure is in ReDySim's jacobian.m, not in its tables: this is the tree "
            "that it spans; close it with LoopSpec (or [[loop]] in TOML)"
        )
    own = [v for row in given["g"] for v in row] if "g" in given else [0.0, 0.0, -9.81]
    if any(j.type in ("floating", "planar") for j in joints):
        options["base"] = "fixed"
    if options.get("actuated") is None:
        options["actuated"] = _driven(given, n, file)
    name = Path(file).resolve().parent.name or "robot"
    return build(name, links, joints, gravity=own if gravity is None else gravity, source=file, world=True, **options)


def _joint(row: Mapping[str, float], k: int, parent: int, given: Mapping[str, Matrix], where: str) -> JointSpec:
    name, link = f"joint{k + 1}", f"link{k + 1}"
    before = f"link{parent}" if parent else "world"
    if not parent and "nq" in given:  # the moving base
        return JointSpec(name, "floating" if given["nq"] == [[1.0]] else "planar", "world", link, where=where)
    if row["r"] not in (0.0, 1.0):
        raise ModelError(f"{where}: r is {row['r']:g}; 1 is a revolute joint, 0 a prismatic one")
    cross, sliding = turn_x(row["alp"], row["a"]), row["r"] == 0.0
    along = turn_z(row["th"]) if sliding else turn_z(0.0, row["b"])
    return JointSpec(name, "prismatic" if sliding else "revolute", before, link, cross, child_frame=along, where=where)


def _text_tables(data: bytes, file: str) -> dict[str, Matrix]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    if "\0" in text:
        raise ModelError(f"{file}: it is no text; a .mat file must be named .mat")
    if "load" in text and "inputs.mat" in text and "inputs_file" in text:
        raise ModelError(f"{file}: it only loads inputs.mat, which has the numbers; load that file")
    return tables(text, file)


def mat_tables(data: bytes, file: str) -> dict[str, Matrix]:
    """The tables of a .mat file of level 5 (``save -v6`` and ``-v7``, what MATLAB writes unless told otherwise)."""
    try:
        content = read_mat(io.BytesIO(data), KNOWN, Unpacker(expansion(len(data)), file))
    except InputError as error:
        raise ModelError(str(error)) from None
    except Exception as error:  # a damaged file may break the reader anywhere
        raise ModelError(f"{file}: no .mat file that can be read ({type(error).__name__})") from None
    for name, values in content.items():
        if values is None or isinstance(values, str) or values.ndim > 2 or values.size > MOST:
            raise ModelError(f"{file}: {name} is no table of at most {MOST} numbers")
    return {name: values.tolist() for name, values in content.items()}


def _one(given: Mapping[str, Matrix], name: str, file: str, default: float | None = None) -> float:
    if name not in given and default is not None:
        return default
    if name not in given:
        raise ModelError(
            f"{file}: {name} is missing; these are no inputs of ReDySim (n, alp, a, b, bt, dx, dy, dz, m, g, Icxx, ...)"
        )
    if len(given[name]) != 1 or len(given[name][0]) != 1:
        raise ModelError(f"{file}: {name} must be one number")
    return given[name][0][0]


def _whole(given: Mapping[str, Matrix], name: str, file: str) -> int:
    value = _one(given, name, file)
    if value != value or value != int(value) or not 1 <= value <= MOST:
        raise ModelError(f"{file}: {name} is {value:g}; it must be a whole number from 1 to {MOST}")
    return int(value)


def _column(given: Mapping[str, Matrix], name: str, n: int, file: str, default: float | None = None) -> list[float]:
    """One number a link, standing or lying."""
    if name not in given:
        if default is None and not name.startswith("Ic"):
            raise ModelError(f"{file}: {name} is missing; ReDySim's inputs have one number a link in it")
        return [default or 0.0] * n
    values = [x for row in given[name] for x in row]
    if len(values) != n:
        raise ModelError(f"{file}: {name} has {len(values)} numbers; there are {n} links")
    for k, x in enumerate(values, 1):
        if not math.isfinite(x):
            raise ModelError(f"{file}: {name} is {x} for link {k}")
    return values


def _parents(given: Mapping[str, Matrix], n: int, file: str) -> list[int]:
    values = _column(given, "bt", n, file)
    for k, p in enumerate(values, 1):
        if p != int(p) or not 0 <= p < k:
            raise ModelError(f"{file}: bt is {p:g} for link {k}; a parent is 0 (the ground) or a link before it")
    return [int(p) for p in values]


def _driven(given: Mapping[str, Matrix], n: int, file: str) -> list[str] | None:
    """Joints with a drive, if not all have one."""
    if "aj" not in given:
        return None
    driven = _column(given, "aj", n, file)
    return None if all(driven) else [f"joint{k + 1}" for k, on in enumerate(driven) if on]
