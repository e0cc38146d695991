"""Packed files of unknown origin that become far more than they are are refused, whatever sizes they announce."""

from __future__ import annotations

import bz2
import io
import json
import shutil
import sqlite3
import struct
import tracemalloc
import zlib

import lz4.frame
import numpy as np
import pytest
import scipy.io
import scipy.sparse
import test_logs
from rosbags.rosbag2 import CompressionFormat, CompressionMode, StoragePlugin, Writer
from rosbags.rosbag2 import reader as bag_reader
from rosbags.typesys import Stores, get_typestore

import ordern
from ordern import files
from ordern.files.mat_files import read_mat
from ordern.files.unpacking import FRAMES, Unpacker, zstd_size
from ordern.simulate.store import ROOT, Store, _metadata, check_sizes, chunk_names, digest

zstd = bag_reader.zstd
ARM = ordern.robots.planar3()
MOST = 2**24  # bytes that a small packed file may become here; a gigabyte outside of tests
BOMB = bytes(8 * MOST)


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(files, "SMALL", MOST)


@pytest.fixture(scope="module")
def run():
    return ARM.simulate((0.1, 0.2, 0.3), duration=0.3, output_dt=0.1)


def refused(load, path, said="too much|does not hold|holds no run of ordern"):
    """An InputError, and never more memory than a few times the bound (pieces are joined, and copied once)."""
    if load is not log:  # what bags unpack is counted, and reading them is slow where memory is traced
        tracemalloc.start()
    try:
        with pytest.raises(ordern.InputError, match=said):
            load(path)
        assert tracemalloc.get_traced_memory()[1] < 4 * MOST
    finally:
        tracemalloc.stop()


def unsized(data: bytes) -> bytes:
    """A zstd frame that does not say how large it is."""
    packer = zstd.ZstdCompressor()
    return packer.compress(data[: len(data) // 2]) + packer.compress(data[len(data) // 2 :]) + packer.flush()


def lying(data: bytes, size: int) -> bytes:
    """A zstd frame that says another size."""
    made = bytearray(zstd.compress(data))
    at = 5 + (0 if made[4] & 32 else 1)
    assert made[4] >> 6 == 2
    made[at : at + 4] = struct.pack("<I", size)
    return bytes(made)


# --- chunks of Zarr stores ----------------------------------------------------------------------------------------------------------------
def sealed(store: Store) -> None:
    """Whoever forges a store forges its sums too."""
    path = store.path
    store.attributes |= {"metadata": digest(path, _metadata(path)), "parts": [digest(path, chunk_names(path))]}
    store.seal()


def crc(data: bytes) -> bytes:
    import google_crc32c

    return data + struct.pack("<I", google_crc32c.value(data))


FORGED = {
    "unsized": unsized(BOMB),
    "says less": lying(BOMB, 96),
    "two frames": zstd.compress(bytes(96)) + zstd.compress(BOMB),
    "skipped": struct.pack("<II", 0x184D2A50, 0) + zstd.compress(BOMB),
    "says what it is": zstd.compress(BOMB),
    "none": b"",
    "cut": zstd.compress(bytes(96))[:-3],
}


@pytest.mark.parametrize("how", FORGED)
def test_chunks_of_a_store(run, tmp_path, how):
    run.save(tmp_path / "x.zarr")
    store = Store.open(tmp_path / "x.zarr")
    (tmp_path / "x.zarr" / "q" / "c" / "0" / "0").write_bytes(crc(FORGED[how]))
    sealed(store)
    refused(ordern.Run.load, tmp_path / "x.zarr")


def test_chunks_of_an_ensemble(tmp_path):
    q = np.zeros((3, 3))
    ARM.simulate(q, duration=0.1, save=tmp_path / "x.zarr")
    store = Store.open(tmp_path / "x.zarr")
    (tmp_path / "x.zarr" / "status" / "c" / "0").write_bytes(crc(unsized(BOMB)))
    from ordern.simulate.stream import part_names

    store.attributes["parts"] = [digest(store.path, part_names(store)(0))]
    store.seal()
    refused(ordern.Run.load, tmp_path / "x.zarr")
    refused(lambda path: ARM.simulate(q, duration=0.1, save=path), tmp_path / "x.zarr")


@pytest.mark.parametrize(
    "change",
    [
        {
            "codecs": [
                {"name": "bytes", "configuration": {"endian": "little"}},
                {"name": "gzip", "configuration": {"level": 5}},
            ]
        },
        {
            "codecs": [
                {"name": "bytes", "configuration": {"endian": "little"}},
                {"name": "numcodecs.zlib", "configuration": {}},
            ]
        },
        {"chunk_key_encoding": {"name": "v2", "configuration": {"separator": "."}}},
        {"data_type": "string"},
        {"storage_transformers": [{"name": "x"}]},
        {"chunk_grid": {"name": "rectilinear", "configuration": {"chunk_shape": [4, 3]}}},
    ],
)
def test_arrays_of_another_kind(run, tmp_path, change):
    run.save(tmp_path / "x.zarr")
    store = Store.open(tmp_path / "x.zarr")
    place = tmp_path / "x.zarr" / "q" / ROOT
    place.write_text(json.dumps(json.loads(place.read_text()) | change))
    sealed(store)
    refused(ordern.Run.load, tmp_path / "x.zarr", "is not an array that ordern writes")


def test_descriptions_in_a_second_place(run, tmp_path):
    """A group may hold the descriptions of its arrays once more, which readers prefer: they are not looked at."""
    run.save(tmp_path / "x.zarr")
    place = tmp_path / "x.zarr" / ROOT
    known = json.loads(place.read_text())
    array = json.loads((tmp_path / "x.zarr" / "q" / ROOT).read_text()) | {"shape": [10**6, 10**6]}
    place.write_text(
        json.dumps(
            known | {"consolidated_metadata": {"kind": "inline", "must_understand": False, "metadata": {"q": array}}}
        )
    )
    assert np.array_equal(ordern.Run.load(tmp_path / "x.zarr").q, run.q)


@pytest.mark.parametrize("count", [0, 1, 255, 256, 300, 65535 + 256, 65536 + 256, 3 * 2**20])
@pytest.mark.parametrize("check", [False, True])
def test_the_size_of_a_frame_is_read_without_unpacking(count, check):
    for data in (bytes(count), np.random.default_rng(0).bytes(count)):
        made = zstd.compress(data, options={zstd.CompressionParameter.checksum_flag: int(check)})
        assert zstd_size(io.BytesIO(made), len(made)) == count
        for wrong in (made[:-1], made + b"\0", made[1:], made + made):
            assert zstd_size(io.BytesIO(wrong), len(wrong)) is None


# --- logs -------------------------------------------------------------------------------------------------------------------------------
def mcap(folder, chunk: bytes, compression: str, size: int, times: int = 1, tells: bool = True):
    """A bag whose chunk is exchanged; its index names it so often. Without ``tells`` there is no index at all."""
    made = io.BytesIO()

    def record(op, content):
        made.write(bytes([op]) + struct.pack("<Q", len(content)) + content)

    def text(word):
        return struct.pack("<I", len(word)) + word.encode()

    made.write(b"\x89MCAP0\r\n")
    record(1, text("ros2") + text("forged"))
    start = made.tell()
    packed = struct.pack("<QQQI", 0, 9, size, 0) + text(compression) + struct.pack("<Q", len(chunk)) + chunk
    record(6, packed)
    end = made.tell()
    record(15, bytes(4))
    summary = made.tell()
    definition = "std_msgs/Header header\nstring[] name\nfloat64[] position\nfloat64[] velocity\nfloat64[] effort"
    more = (
        "MSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id",
        "MSG: builtin_interfaces/Time\nint32 sec\nuint32 nanosec",
    )
    whole = ("\n" + "=" * 80 + "\n").join((definition, *more))
    record(3, struct.pack("<H", 1) + text("sensor_msgs/msg/JointState") + text("ros2msg") + text(whole))
    record(4, struct.pack("<HH", 1, 1) + text("/joint_states") + text("cdr") + struct.pack("<I", 0))
    for _ in range(times):
        index = (
            struct.pack("<QQQQI", 0, 9, start, end - start, 10) + struct.pack("<HQ", 1, start) + struct.pack("<Q", 0)
        )
        record(8, index + text(compression) + struct.pack("<QQ", len(chunk), size))
    record(2, struct.pack("<QQI", summary if tells else 0, 0, 0))
    made.write(b"\x89MCAP0\r\n")
    path = folder / "log.mcap"
    path.write_bytes(made.getvalue())
    return path


def log(path):
    return ordern.read_log(path, ARM)


@pytest.mark.parametrize("tells", [True, False])
@pytest.mark.parametrize("size", [100, len(BOMB), 2**60])
@pytest.mark.parametrize("way", ["zstd", "lz4"])
def test_chunks_of_a_bag(tmp_path, way, size, tells):
    data = unsized(BOMB) if way == "zstd" else lz4.frame.compress(BOMB)
    refused(log, mcap(tmp_path, data, way, size, tells=tells), "unpacked it would take more")


def test_a_chunk_that_is_named_often(tmp_path):
    refused(log, mcap(tmp_path, bytes(2**20), "", 2**20, times=2000), "unpacked it would take more|cannot be read")
    refused(
        log,
        mcap(tmp_path, zstd.compress(bytes(MOST // 2)), "zstd", MOST // 2, times=50),
        "unpacked it would take more|cannot be read",
    )


def packed_bag(folder, mode, message=None):
    """A bag of SQLite that is packed as a whole, or message by message."""
    store = get_typestore(Stores.ROS2_HUMBLE)
    place = folder / "bag"
    writer = Writer(place, version=9, storage_plugin=StoragePlugin.SQLITE3)
    writer.set_compression(mode, CompressionFormat.ZSTD)
    with writer:
        state, header, time = (
            store.types[n] for n in ("sensor_msgs/msg/JointState", "std_msgs/msg/Header", "builtin_interfaces/msg/Time")
        )
        topic = writer.add_connection("/joint_states", state.__msgtype__, typestore=store)
        for k, x in enumerate(test_logs.recorded()):
            said = state(
                header(time(1, 5_000_000 * (k % 200)), "base"),
                list(test_logs.NAMES),
                np.array(x),
                np.zeros(0),
                np.zeros(0),
            )
            said.header.stamp.sec += k // 200
            writer.write(topic, 10**9 + 5_000_000 * k, bytes(store.serialize_cdr(said, state.__msgtype__)))
    return place


@pytest.mark.parametrize("mode", [CompressionMode.FILE, CompressionMode.MESSAGE])
def test_bags_that_are_packed_are_read_and_bombs_refused(tmp_path, mode, monkeypatch):
    place = packed_bag(tmp_path, mode)
    assert len(log(place).t) == len(test_logs.T)
    if mode == CompressionMode.FILE:
        (one,) = (p for p in place.iterdir() if p.suffix != ".yaml")
        one.write_bytes(unsized(BOMB))
    else:
        (one,) = place.glob("*.db3")
        with sqlite3.connect(one) as base:
            base.execute("UPDATE messages SET data = ? WHERE id = 1", (unsized(BOMB),))
        base.close()
    refused(log, place, "unpacked it would take more")
    assert bag_reader.zstd is zstd  # rosbags is as it was


@pytest.mark.parametrize("table", ["schema", "message_definitions"])
def test_tables_that_are_computed(tmp_path, table):
    """A view that counts without end in the place of a table."""
    place = test_logs.bag(tmp_path, test_logs.recorded(), "sqlite")
    (one,) = place.glob("*.db3")
    with sqlite3.connect(one) as base:
        base.execute(f"DROP TABLE {table}")
        base.execute(
            f"CREATE VIEW {table} AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT max(x) AS schema_version FROM c"
        )
    base.close()
    refused(log, place, "is computed")


def test_computed_columns(tmp_path):
    with sqlite3.connect(tmp_path / "x.db3") as base:
        base.execute("CREATE TABLE topics(id INTEGER PRIMARY KEY, name TEXT, type TEXT, serialization_format TEXT)")
        base.execute(
            "CREATE TABLE messages(id INTEGER PRIMARY KEY, topic_id INT, timestamp INT, data BLOB AS (zeroblob(900000000)))"
        )
        base.execute("INSERT INTO topics VALUES (1, 'x', 'sensor_msgs/msg/JointState', 'cdr')")
        base.execute("INSERT INTO messages VALUES (1, 1, 1)")
    base.close()
    refused(log, tmp_path / "x.db3", "'messages' is computed")


@pytest.mark.parametrize(
    ("make", "pack"),
    [
        (bz2.BZ2Decompressor, bz2.compress),
        (lz4.frame.LZ4FrameDecompressor, lz4.frame.compress),
        (zstd.ZstdDecompressor, zstd.compress),
    ],
)
def test_what_is_whole_is_unpacked(make, pack):
    rng = np.random.default_rng(0)
    for size in (0, 1, 1000, 3 * 2**20):
        data = rng.bytes(size // 2) + bytes(size - size // 2)
        packed = pack(data)
        assert Unpacker(2 * size, "x").unpack(make, packed + packed) == data + data
        if size:
            with pytest.raises(ordern.InputError, match="more than"):
                Unpacker(size - 1, "x").unpack(make, packed)
        with pytest.raises((EOFError, OSError, RuntimeError, zstd.ZstdError)):
            Unpacker(2 * size + 1, "x").unpack(make, packed[:-2])
    with pytest.raises(ordern.InputError, match="pieces"):
        Unpacker(10**9, "x").unpack(make, pack(b"") * (FRAMES + 1))


# --- .mat -------------------------------------------------------------------------------------------------------------------------------
def test_elements_of_matlab_files(run, tmp_path):
    """An element may hold more than its dimensions say."""
    path = tmp_path / "run.mat"
    run.save(path)
    whole = path.read_bytes()
    assert struct.unpack("<I", whole[128:132])[0] == 14
    size = struct.unpack("<I", whole[132:136])[0]
    packed = zlib.compress(whole[128 : 136 + size])
    path.write_bytes(whole[:128] + struct.pack("<II", 15, len(packed)) + packed + whole[136 + size :])
    assert np.array_equal(ordern.Run.load(path).q, run.q)
    bomb = zlib.compress(whole[128:136] + whole[136 : 136 + size] + BOMB)
    path.write_bytes(whole[:128] + struct.pack("<II", 15, len(bomb)) + bomb + whole[136 + size :])
    refused(ordern.Run.load, path, "unpacked it would take more")
    path.write_bytes(whole[:128] + struct.pack("<II", 15, 0) * 20000)
    refused(ordern.Run.load, path, "elements|no run of ordern")


def test_a_store_in_which_something_is_missing_still_loads_as_it_did(run, tmp_path):
    run.save(tmp_path / "x.zarr")
    shutil.rmtree(tmp_path / "x.zarr" / "power")
    with pytest.raises(ordern.InputError):
        ordern.Run.load(tmp_path / "x.zarr")


@pytest.mark.parametrize("packed", [False, True])
def test_mat_files_are_read_as_scipy_reads_them(packed):
    """Numbers of every class, in any of the forms that MATLAB packs them into, texts, and what is neither."""
    rng = np.random.default_rng(0)
    arrays = {f"x{k}": rng.normal(size=shape) for k, shape in enumerate([(1, 1), (3, 2), (0, 3), (2, 3, 4)])}
    arrays |= {f"i{k}": np.array([[0, 1, 100]], k) for k in ("i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "?")}
    others = {
        "cell": np.array([1, "x"], object),
        "struct": {"a": 1.0},
        "sparse": scipy.sparse.eye_array(3).tocsc(),
        "z": np.array([1j]),
    }
    file = io.BytesIO()
    scipy.io.savemat(file, arrays | others | {"word": "abc é", "unwanted": 1.0}, do_compression=packed)
    file.seek(0)
    made = read_mat(file, ["word", *arrays, *others], Unpacker(10**6, "x"))
    assert set(made) == {"word", *arrays, *others} and made["word"] == "abc é"
    assert all(made[name] is None for name in others)
    for name, values in arrays.items():
        assert np.array_equal(made[name], values)


def _mat(*elements: bytes, order: str = "<") -> io.BytesIO:
    return io.BytesIO(bytes(124) + (b"\0\1IM" if order == "<" else b"\1\0MI") + b"".join(elements))


def _element(kind: int, data: bytes, order: str = "<") -> bytes:
    return struct.pack(f"{order}II", kind, len(data)) + data + bytes(-len(data) % 8)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(
    ("kind", "form"), [(1, "b"), (2, "B"), (3, "h"), (4, "H"), (5, "i"), (6, "I"), (7, "f"), (9, "d"), (12, "q")]
)
def test_doubles_in_smaller_forms_and_both_orders(order, kind, form):
    head = _element(6, struct.pack(f"{order}II", 6, 0), order) + _element(5, struct.pack(f"{order}ii", 1, 5), order)
    numbers = _element(kind, struct.pack(f"{order}5{form}", 1, 2, 3, 4, 5), order)
    body = head + struct.pack(f"{order}I", 1 << 16 | 1) + b"q\0\0\0" + numbers
    other = struct.pack(f"{order}II", 99, 3) + b"abc"  # passed over by its size
    made = read_mat(_mat(other, _element(14, body, order), order=order), ["q"], Unpacker(10**6, "x"))
    assert made["q"].tolist() == [[1.0, 2.0, 3.0, 4.0, 5.0]]
    for wrong in (
        body[:-20],
        body[:20],
        head,
        body.replace(struct.pack(f"{order}ii", 1, 5), struct.pack(f"{order}ii", 1, 6), 1),
    ):
        with pytest.raises((ValueError, struct.error)):
            read_mat(_mat(_element(14, wrong, order), order=order), ["q"], Unpacker(10**6, "x"))
    with pytest.raises(ordern.InputError, match="level 5"):
        read_mat(io.BytesIO(b"MATLAB 7.3 MAT-file" + bytes(200)), ["q"], Unpacker(10**6, "x"))
    with pytest.raises(ValueError, match="no array"):
        read_mat(
            _mat(_element(15, zlib.compress(_element(9, bytes(8), order)), order), order=order),
            ["q"],
            Unpacker(10**6, "x"),
        )


@pytest.mark.parametrize(
    ("array", "streamed", "refused"),
    [("q", False, True), ("q", True, False), ("time", False, True), ("time", True, True)],
)
def test_what_a_store_would_take_in_memory(tmp_path, array, streamed, refused):
    """Rows of runs stay on disk where a store is streamed; all else would be read, however little of it is there."""
    pytest.importorskip("zarr")
    path = tmp_path / "runs.zarr"
    ordern.robots.planar3().simulate(np.zeros((2, 3)), duration=0.02, save=str(path))
    check_sizes(path, streamed)
    place = path / array / "zarr.json"
    known = json.loads(place.read_text())
    known["shape"][0] = 10**10
    place.write_text(json.dumps(known))
    if not refused:
        check_sizes(path, streamed)
        return
    with pytest.raises(ordern.InputError, match="bytes of memory"):
        check_sizes(path, streamed)
