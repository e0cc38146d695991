"""Logs and runs with spoiled bytes, cells and arrays: nothing but the library's own errors comes out, and no reader ends the process."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np

import needs
import ordern
from budget import examples
from ordern.errors import OrdernError

ARM = ordern.robots.planar3()
WORDS = [
    "1e400", "-1e400", "nan", "inf", "", "0001-01-01", "9999-12-31T23:59:59", "2020-01-01T00:00:00+23:59", "1e-400", "1,5", "'", '"', "9" * 5000,
    "1_0", "0x1", "\u0661", "t", "---", '"---"', "#", "\t", ";", "stamp", "True", "1e999999999", "1e-999999999", "9" * 22, "-0", "\x00", "\u2028",
    "header.stamp.sec", "name[0]", "position[0]", "q1", "q" + "9" * 5000, f"name[{'9' * 5000}]", "time [ms]", "field.name0", "joint1",
]  # fmt: skip


def refused(read, what):
    """Whether it was; anything but an error of the library, or a long one, is a failure."""
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            read()
    except OrdernError as error:
        assert len(str(error)) < 1500
        return True
    except Exception as error:
        raise AssertionError(f"{type(error).__name__}: {error} for {what!r:.2000}") from error
    return False


def test_words_in_cells(tmp_path):
    rng, path = random.Random(3), tmp_path / "x.csv"
    count = examples(500, 40_000)
    bad = 0
    for _ in range(count):
        rows = [["t", *ARM.joint_names]] + [[str(k / 100)] * 4 for k in range(rng.randint(0, 8))]
        for _ in range(rng.randint(1, 3)):
            row = rng.choice(rows)
            row[rng.randrange(4)] = rng.choice(WORDS)
        mark = rng.choice(",,;\t ")
        path.write_text("\n".join(mark.join(row) for row in rows), "utf-8")
        bad += refused(lambda: ordern.read_log(path, ARM), rows)
    assert count / 2 < bad < count


def test_arrays_of_any_kind(tmp_path):
    """A log has more than joints: arrays of other lengths, shapes and kinds stay out of the way."""
    rng, t, path = np.random.default_rng(0), np.arange(40) / 100, tmp_path / "x.npz"
    q = np.sin(t)[:, None] * [1.0, 2.0, 3.0]
    others = [np.arange(3), np.zeros(0), np.array(2.0), np.zeros((40, 2, 2)), np.zeros((5, 4)), np.array(["a", "b", "c"]), np.arange(40) * 1j,
              np.arange(40).astype("M8[ms]"), np.zeros(40, [("a", "f8"), ("b", "U3")]), np.array([b"x"] * 40), np.full(40, np.nan)]  # fmt: skip
    for _ in range(examples(40, 1000)):
        more = {f"x{k}": others[int(i)] for k, i in enumerate(rng.integers(len(others), size=3))}
        given = list(({"t": t, "q": q} | more).items())
        np.savez(path, **{given[k][0]: given[k][1] for k in rng.permutation(len(given))})
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            assert np.allclose(ordern.read_log(path, ARM, cutoff=np.inf).q, q, atol=1e-6)
        wrong = {
            ("t", "joint1", "joint2", "joint3")[k]: others[int(i)]
            for k, i in enumerate(rng.integers(len(others), size=4))
        }
        np.savez(path, **wrong)
        assert refused(lambda: ordern.read_log(path, ARM), {k: v.dtype for k, v in wrong.items()})


def spoiled(data, rng):
    """One to four bytes changed, a number overwritten, a piece doubled, cut or zeroed."""
    made, kind = bytearray(data), rng.randrange(6)
    at, size = rng.randrange(len(made)), rng.choice((1, 4, 8, 100))
    if kind < 2:
        for _ in range(rng.randint(1, 4)):
            at = rng.randrange(len(made))
            made[at] = rng.choice((0, 1, 0x7F, 0x80, 0xFF, made[at] ^ 1 << rng.randrange(8)))
    elif kind == 2:
        made[at : at + 4] = rng.choice(
            (b"\xff" * 4, b"\0" * 4, b"\xff\xff\xff\x7f", (1 << rng.randrange(32)).to_bytes(4, "little"))
        )
    elif kind == 3:
        made[at:at] = made[at : at + size]
    elif kind == 4:
        del made[at : at + rng.choice((size, len(made)))]
    else:
        made[at : at + size] = bytes(len(made[at : at + size]))
    return bytes(made)


def tables():
    """Parquet of every packing, with columns of many kinds."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    n = 30
    t = np.arange(n) / 100
    more = {
        "s": [str(k) for k in t],
        "l": [[1, 2]] * n,
        "d": pa.array(["a", "b"] * 15).dictionary_encode(),
        "at": pa.array(range(n), pa.timestamp("us")),
    }
    for packing in ("NONE", "snappy", "gzip", "zstd", "lz4", "brotli"):
        for extra in ({}, more):
            out = io.BytesIO()
            pq.write_table(
                pa.table({"t": t, "joint1": t, "joint2": t, "joint3": t, **extra}),
                out,
                compression=packing,
                write_page_index=True,
            )
            yield out.getvalue()


def footers(data, rng):
    """Of a Parquet file, where all sizes are; the pages after that."""
    size = int.from_bytes(data[-8:-4], "little")
    if rng.random() < 0.4:
        return spoiled(data, rng)
    made = spoiled(data[-8 - size : -8], rng)
    return data[: -8 - size] + made + len(made).to_bytes(4, "little") + b"PAR1"


def main(folder, count):
    """In a process of its own: what ends it ends no test run."""
    import resource

    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
    rng, stock = random.Random(0), list(tables())
    for _ in range(20 * count):
        path = folder / "x.parquet"
        path.write_bytes(footers(rng.choice(stock), rng))
        refused(lambda path=path: ordern.read_log(path, ARM), path.read_bytes())
    run = ARM.simulate((0.1, 0.2, 0.3), duration=0.2, output_dt=0.05)
    for ending in ("npz", "mat", "parquet"):
        path = folder / f"run.{ending}"
        run.save(path)
        good = path.read_bytes()
        for _ in range(count):
            path.write_bytes(spoiled(good, rng))
            refused(lambda path=path: ordern.Run.load(path), path.read_bytes())
    print("whole")


@needs.posix
def test_spoiled_bytes(tmp_path):
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    line = [sys.executable, __file__, str(tmp_path), str(examples(25, 1500))]
    made = subprocess.run(line, capture_output=True, text=True, env=env)
    assert made.returncode == 0 and made.stdout.endswith("whole\n"), (made.returncode, made.stderr[-2000:])


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
