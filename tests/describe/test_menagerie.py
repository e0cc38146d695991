"""Every MJCF of MuJoCo's Menagerie that MuJoCo loads: it loads here and agrees, or is refused for a reason of KINDS; the share is printed."""

import time
import warnings
from pathlib import Path

import mujoco
import pytest

import needs
from ordern.describe.mjcf.mjcf_read import load_mjcf
from ordern.errors import OrdernError, OrdernWarning

from .mujoco_oracle import errors

CLOSE = 1e-9
SHARE = 0.95
# what refusals say: files that are parts of others have no body in their world, and MuJoCo makes an empty model of them
KINDS = {"part of other files": ("no <body> in <worldbody>", "a body stands in <worldbody>")}
# what is in MuJoCo's springs and damping beside those of joints; such robots agree in everything else
BEYOND = ("spatial tendons", "springs of tendons", "damping of tendons")


def verdict(path):
    """("agrees" | "refused" | "springs aside" | "differs", details) of one file; None if MuJoCo does not load it."""
    try:
        m = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        try:
            model = load_mjcf(path, mimic=False, on_invalid="warn")
        except OrdernError as error:
            kind = next((name for name, texts in KINDS.items() if any(text in str(error) for text in texts)), "")
            return ("refused" if kind else "differs", kind or str(error)[:200])
    found = errors(m, model)
    off = {key: value for key, value in found.items() if not value < CLOSE}
    if not off:
        return "agrees", ""
    passive = set(off) <= {"springs", "bias with springs", "damping"} and any(
        any(b in line for b in BEYOND) for line in model.beyond
    )
    return ("springs aside" if passive else "differs"), str(off)


@needs.menagerie
def test_menagerie(capsys):
    rows = {}
    for path in sorted(Path(needs.MENAGERIE).glob("**/*.xml")):
        made = verdict(path)
        if made is not None:
            rows[str(path.relative_to(needs.MENAGERIE))] = made
    whole = [made for made in rows.values() if made[0] != "refused"]
    share = sum(made[0] == "agrees" for made in whole) / len(whole)
    with capsys.disabled():
        print(
            f"\n{len(rows)} files that MuJoCo loads, {len(rows) - len(whole)} parts of others; {share:.1%} of the rest agree in full"
        )
        for name, made in rows.items():
            if made[0] not in ("agrees", "refused"):
                print(f"  {name}: {made[0]} {made[1]}")
    assert share >= SHARE


@needs.menagerie
def test_time_to_load(capsys):
    """Printed, not judged: the largest humanoid, without meshes' inertia (unitree_h1) and with (ms_human_700)."""
    for name in ("unitree_g1/g1_with_hands.xml", "pal_talos/talos.xml", "ms_human_700/MS-Human-700.xml"):
        path = Path(needs.MENAGERIE) / name
        if path.is_file():
            load_mjcf(path, on_invalid="warn")
            start = time.perf_counter()
            model = load_mjcf(path, on_invalid="warn")
            with capsys.disabled():
                print(f"\n{name}: {model.nv} degrees of freedom, loaded in {time.perf_counter() - start:.3f} s")
    with pytest.raises(OrdernError):
        load_mjcf(Path(needs.MENAGERIE) / "nothing.xml")
