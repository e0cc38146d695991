"""One motion of an arm, recorded in every dialect of logs."""

from __future__ import annotations

import numpy as np

import ordern

ARM = ordern.robots.planar3()
NAMES = ARM.joint_names
RATE, SPAN = 200, 3.0
WAY = ordern.trajectory.cycloid([0.1, -0.3, 0.4], [1.2, 0.5, -0.6], duration=SPAN)
T = np.round(np.arange(0, SPAN + 1e-9, 1 / RATE), 9)
EPOCH = 1_690_000_000_123_456_789  # ns


def recorded(noise=0.0, seed=0):
    return WAY(T).q + noise * np.random.default_rng(seed).normal(size=(len(T), 3))


def rows(header, lines, mark=","):
    return mark.join(header) + "\n" + "\n".join(mark.join(map(str, line)) for line in lines) + "\n"


def _stamp(t):
    whole = EPOCH + round(float(t) * 1e9)
    return whole // 10**9, whole % 10**9


def plain(folder, q):
    (folder / "log.csv").write_text(
        rows(["t", *NAMES], [[float(t), *map(float, x)] for t, x in zip(T, q, strict=True)])
    )
    return folder / "log.csv"


def shuffled(folder, q):
    lines = [[*(float(x[k]) for k in (2, 0, 1)), "arm", float(t)] for t, x in zip(T, q, strict=True)]
    (folder / "log.txt").write_text(rows(["joint3", "joint1", "joint2", "frame_id", "time"], lines))
    return folder / "log.txt"


def semicolons(folder, q):
    lines = [[repr(float(v)).replace(".", ",") for v in (t, *x)] for t, x in zip(T, q, strict=True)]
    (folder / "log.csv").write_text(rows(["time", *NAMES], lines, ";"))
    return folder / "log.csv"


def tabs(folder, q):
    (folder / "log.tsv").write_text(
        rows(["timestamp", *NAMES], [[float(t) + 100, *map(float, x)] for t, x in zip(T, q, strict=True)], "\t")
    )
    return folder / "log.tsv"


def plotjuggler(folder, q):
    header = [
        "__time",
        *(f"/joint_states/{n}/{kind}" for n in reversed(NAMES) for kind in ("position", "velocity", "effort")),
    ]
    lines = [
        [f"{_stamp(t)[0]}.{_stamp(t)[1]:09d}", *(v for k in (2, 1, 0) for v in (float(x[k]), 0.0, 0.0))]
        for t, x in zip(T, q, strict=True)
    ]
    (folder / "log.csv").write_text(rows(header, lines))
    return folder / "log.csv"


def echoed(folder, q):
    """ros2 topic echo --csv /joint_states: no header, names in every line; the order may change."""
    lines = []
    for k, (t, x) in enumerate(zip(T, q, strict=True)):
        order = (2, 0, 1) if k % 2 else (0, 1, 2)
        numbers = [*(float(x[i]) for i in order), 9.0, *(0.0 for _ in range(8))]
        lines.append(",".join(map(str, (*_stamp(t), "base", *(NAMES[i] for i in order), "gripper", *numbers))))
    (folder / "log.csv").write_text("\n".join(lines))
    return folder / "log.csv"


def rostopic(folder, q):
    header = [
        "%time",
        "field.header.seq",
        "field.header.stamp",
        "field.header.frame_id",
        *(f"field.name{k}" for k in range(3)),
    ]
    header += [f"field.position{k}" for k in range(3)]
    lines = [
        [EPOCH + round(float(t) * 1e9), 7, 0, "base", *reversed(NAMES), *map(float, x[::-1])]
        for t, x in zip(T, q, strict=True)
    ]
    (folder / "log.csv").write_text(rows(header, lines))
    return folder / "log.csv"


def flattened(folder, q):
    header = [
        "header.stamp.sec",
        "header.stamp.nanosec",
        *(f"name[{k}]" for k in range(3)),
        *(f"position[{k}]" for k in range(3)),
    ]
    lines = [[*_stamp(t), *NAMES, *map(float, x)] for t, x in zip(T, q, strict=True)]
    (folder / "log.csv").write_text(rows(header, lines))
    return folder / "log.csv"


def milliseconds(folder, q):
    (folder / "log.csv").write_text(
        rows(["time [ms]", *NAMES], [[float(1000 * t), *map(float, x)] for t, x in zip(T, q, strict=True)])
    )
    return folder / "log.csv"


def degrees(folder, q):
    lines = [[float(t), *(float(v) for v in np.degrees(x))] for t, x in zip(T, q, strict=True)]
    (folder / "log.csv").write_text(rows(["t", *(f"{n}_deg" for n in NAMES)], lines))
    return folder / "log.csv"


def own(folder, q):
    (folder / "log.csv").write_text(
        rows(["t", *(f"q:{n}" for n in NAMES)], [[float(t), *map(float, x)] for t, x in zip(T, q, strict=True)])
    )
    return folder / "log.csv"


def parquet(folder, q):
    import pyarrow
    import pyarrow.parquet

    stamps = pyarrow.array([EPOCH + round(float(t) * 1e9) for t in T], pyarrow.timestamp("ns"))
    pyarrow.parquet.write_table(
        pyarrow.table({"joint2": q[:, 1], "stamp": stamps, "joint1": q[:, 0], "joint3": q[:, 2]}),
        folder / "log.parquet",
    )
    return folder / "log.parquet"


def npz(folder, q):
    np.savez(folder / "log.npz", t=T, q=q)
    return folder / "log.npz"


def bag(folder, q, kind="mcap", names=NAMES, more=()):
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    state, header, time = (
        store.types[n] for n in ("sensor_msgs/msg/JointState", "std_msgs/msg/Header", "builtin_interfaces/msg/Time")
    )
    place = folder / f"bag_{kind}"
    with Writer(
        place, version=9, storage_plugin=StoragePlugin.MCAP if kind == "mcap" else StoragePlugin.SQLITE3
    ) as writer:
        topics = {
            name: writer.add_connection(name, state.__msgtype__, typestore=store)
            for name in ("/gripper_states", "/joint_states", *more)
        }
        for t, x in zip(T, q, strict=True):
            said = header(time(*_stamp(t)), "base")
            whole = state(said, list(reversed(names)), np.array(x[::-1], float), np.zeros(0), np.array([3.0, 2.0, 1.0]))
            empty = state(said, ["finger"], np.array([0.1]), np.zeros(0), np.zeros(0))
            for name, topic in topics.items():
                message = empty if name == "/gripper_states" else whole
                writer.write(
                    topic,
                    sum(a * b for a, b in zip(_stamp(t), (10**9, 1), strict=True)),
                    store.serialize_cdr(message, state.__msgtype__),
                )
    return place


def sqlite(folder, q):
    return bag(folder, q, "sqlite")


def single_mcap(folder, q):
    return next(bag(folder, q).glob("*.mcap"))


DIALECTS = [
    plain,
    shuffled,
    semicolons,
    tabs,
    plotjuggler,
    echoed,
    rostopic,
    flattened,
    milliseconds,
    degrees,
    own,
    parquet,
    npz,
    bag,
    sqlite,
    single_mcap,
]
