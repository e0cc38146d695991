"""Whatever is in a file, nothing but the library's own errors comes out."""

import contextlib
import json
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from budget import TRUST, examples
from ordern.describe.dh.dh_table import from_dh
from ordern.describe.lint import lint
from ordern.describe.load import load
from ordern.describe.toml.toml_read import loads_toml
from ordern.describe.toml.toml_write import to_toml
from ordern.describe.urdf.urdf_read import load_urdf, to_urdf
from ordern.errors import OrdernError, OrdernWarning

from .test_broken_urdf import GOOD as URDF
from .test_corpus import DH
from .test_toml import GOOD as TOML

WORDS = ["", "0", "-1", "1e300", "1e-300", "nan", "inf", "1,5", "upper", "base", "world", "elbow", "fixed", "planar", "floating", "0 0 0", "1 0 0",
         "<", ">", "&lt;", '"', "\u00e9", "\x00", "]]", "[[joint]]", "[[link]]\n",
         "mimic", "=", "true", "[]", "{}", "9" * 500, "-0.0", "5e-324"]  # fmt: skip
BUDGET = settings(max_examples=examples(120))


def mutated(text):
    """The text with some pieces cut, doubled or replaced."""
    spot = st.integers(0, len(text))
    edit = st.tuples(spot, st.integers(0, 30), st.sampled_from(WORDS) | st.text(max_size=5))

    def apply(edits):
        made = text
        for at, length, new in edits:
            made = made[:at] + new + made[at + length :]
        return made

    return st.lists(edit, min_size=1, max_size=4).map(apply)


def exercise(load, text):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OrdernWarning)
        for policy in ("error", "warn", "repair"):
            try:
                model = load(text, on_invalid=policy)
            except OrdernError as error:
                assert len(str(error)) < 1500
            else:
                assert loads_toml(to_toml(model), on_invalid="warn").fingerprint == model.fingerprint
                lint(model)
                with contextlib.suppress(OrdernError):
                    to_urdf(model)


@BUDGET
@given(mutated(URDF))
def test_urdf(text):
    exercise(load_urdf, "<" + text.removeprefix("<"))


@BUDGET
@given(mutated(TOML))
def test_toml(text):
    exercise(loads_toml, text)


# numbers swapped for odd ones: these files parse and reach the physics
NUMBERS = st.sampled_from(["0", "-0", "1e-320", "1e30", "-1e30", "1e-9", "3", "1e15", "0.1", "-2", "1e-160"])


@BUDGET
@given(st.lists(NUMBERS, min_size=40, max_size=40))
def test_odd_numbers_in_urdf(values):
    import re

    stock = iter(values * 10)
    text = re.sub(r'(?<=["\s])-?\d+(\.\d+)?(?=["\s])', lambda _: next(stock), URDF.split("?>", 1)[1])
    exercise(load_urdf, text.strip())


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=3),
    lambda x: st.lists(x, max_size=7),
    max_leaves=12,
)


KEYS = st.sampled_from(["joint", "a", "alpha", "d", "b", "theta", "mass", "com", "r", "inertia", "name", "x"])


@pytest.mark.filterwarnings("ignore:DH table")  # numbers that look like degrees or millimetres
@BUDGET
@given(st.lists(st.dictionaries(KEYS, JUNK), max_size=3))
def test_dh(table):
    with contextlib.suppress(OrdernError):
        from_dh(table)


@pytest.mark.parametrize("key", ["name", "gravity", "link", "joint", "format"])
@BUDGET
@given(JUNK)
def test_toml_values(key, value):
    rest = TOML.replace('name = "arm"\ngravity = [0, 0, -9.81]', "") if key not in ("link", "joint") else ""
    with contextlib.suppress(OrdernError):
        loads_toml(f"{key} = {json.dumps(value)}\n{rest}")


# --- bytes spoiled at random: files as a bad disk or a careless editor leaves them ------------------------------------------------
RICH = URDF.replace(
    "</robot>",
    """  <transmission name="t"><type>simple</type><joint name="elbow"/><actuator name="m"><mechanicalReduction>50</mechanicalReduction>
    <motorInertia>1e-5</motorInertia></actuator></transmission>
  <joint name="third" type="planar"><parent link="lower"/><child link="tip"/><axis xyz="0 0 1"/><ordern damping="1 2 3"/>
    <safety_controller soft_lower_limit="0" soft_upper_limit="1" k_velocity="1"/></joint>
  <link name="tip"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
</robot>""",
)
SPLICES = [b"", b"0", b"-", b"nan", b"1e999", b"9" * 400, b"0x" + b"f" * 6000, b"<", b"/>", b"&", b'"', b"[", b"]", b"[[", b"{", b"=", b".", b"a.b.c",
           b"\x00", b"\xff", b"\n", b"mass", b"link", b"joint", b"base", b"true", b"#", b"'"]  # fmt: skip


def spoiled(data, rng):
    """The bytes with a few places cut, doubled, swapped or overwritten."""
    made = bytearray(data)
    for _ in range(int(rng.integers(1, 6))):
        at, length = int(rng.integers(len(made) + 1)), int(rng.integers(0, 25))
        kind = int(rng.integers(4))
        if kind == 0:
            del made[at : at + length]
        elif kind == 1:
            made[at:at] = made[at : at + length]
        elif kind == 2:
            made[at : at + length] = SPLICES[int(rng.integers(len(SPLICES)))]
        elif at < len(made):
            made[at] ^= 1 << int(rng.integers(8))
    return bytes(made)


@pytest.mark.filterwarnings("ignore::ordern.errors.OrdernWarning")
@pytest.mark.parametrize(
    ("suffix", "text"), [(".urdf", RICH), (".toml", TOML), (".toml", DH)], ids=["urdf", "toml", "dh"]
)
def test_spoiled_files(suffix, text, tmp_path):
    """Nothing but our own errors, in one line each, whatever the bytes are."""
    rng = np.random.default_rng(None if TRUST else 7)
    path = tmp_path / f"x{suffix}"
    loaded = 0
    for _ in range(examples(700, 100_000)):  # a million more are tried in test_hostile.py
        data = spoiled(text.encode(), rng)
        path.write_bytes(data)
        try:
            load(path, on_invalid="warn")
            loaded += 1
        except OrdernError as error:
            assert len(str(error)) < 1500, data
        except Exception as error:
            raise AssertionError(f"{type(error).__name__}: {error} for {data!r}") from error
    assert loaded  # some mutations do no harm
