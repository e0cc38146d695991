"""Recognize files that hold no robot, by name or first bytes, and say how to get a robot from them."""

from __future__ import annotations

import os
import re

from .description_file import read

__all__ = ["INSTEAD", "is_other", "looks_like", "misnamed", "not_a_table"]

MAGIC = {
    b"\x89PNG": "a PNG picture", b"\xff\xd8\xff": "a JPEG picture", b"GIF8": "a GIF picture", b"%PDF": "a PDF",
    b"\x7fELF": "a program",
    b"PK\x03\x04": "a zip archive; unpack it first", b"\x1f\x8b": "packed by gzip; unpack it first (gunzip)",
    b"\x89MCAP": "an MCAP log of ROS 2; a robot is not in it", b"#ROSBAG": "a ROS 1 bag; a robot is not in it",
    b"PXR-USDC": "a USD scene; Isaac Sim exports the robot in it as URDF",
    b"#usda": "a USD scene; Isaac Sim exports the robot in it as URDF",
    b"#VRML": "a Webots or VRML world; robot.getUrdf() of Webots exports the robot",
    b"ISO-10303-21": "a STEP drawing, which has no joints",
    b"HIERARCHY": "a BVH motion, which has no masses", b"glTF": "a glTF mesh; name it in a <mesh> of a URDF",
    b"solid ": "an STL mesh; name it in a <mesh> of a URDF", b"{": "JSON",
    b"\x80\x04\x95": "a Python pickle, which is never loaded",
}  # fmt: skip
MESH = "a mesh; name it in a <mesh> of a URDF"
LOG = "a log or a table of motion: give it to --log or --torque after the robot (ordern inverse ROBOT --log FILE)"
# how names end, for files whose first bytes do not tell
SUFFIXES = {
    ".stl": MESH, ".obj": MESH, ".ply": MESH, ".msh": MESH, ".3ds": MESH, ".gltf": MESH,
    ".csv": LOG, ".tsv": LOG, ".parquet": LOG, ".npz": f"a run, or {LOG}", ".npy": LOG, ".mat": LOG, ".bag": LOG,
    ".yaml": "YAML; ordern's own format is TOML (ordern convert ROBOT --to toml shows one)",
    ".yml": "YAML; ordern's own format is TOML (ordern convert ROBOT --to toml shows one)",
    ".json": "JSON; ordern's own format is TOML (ordern convert ROBOT --to toml shows one)",
    ".py": "a Python program, which is never run; robots made in Python are written by robot.save('robot.toml')",
    ".m": "MATLAB code; of ReDySim, inputs.m is read",
    ".zip": "an archive; unpack it first", ".tar": "an archive; unpack it first", ".gz": "an archive; unpack it first",
}  # fmt: skip
# outermost elements of XML that is no robot -> what it is, and what to do
INSTEAD = {
    "COLLADA": "a Collada mesh; name it in a <mesh> of a URDF",
    "html": "a web page; download the file itself (on GitHub: Raw)", "svg": "a picture",
    "package": "the package.xml of a ROS package; the robot lies beside it, in urdf/ or robots/",
    "launch": "a ROS launch file; the robot is what it loads as robot_description",
    "OpenSimDocument": "an OpenSim model; its muscles have no place in a URDF",
}  # fmt: skip


# outermost elements of robots in XML -> the format, and how its files are named
NAMED = {"robot": ("URDF", ".urdf"), "mujoco": ("MJCF", ".xml"), "sdf": ("SDF", ".sdf")}


def misnamed(root: str, wanted: str) -> str:
    """What to do about XML of another format than its name says, or with an outermost element that no robot has."""
    if root in NAMED:
        name, suffix = NAMED[root]
        return (
            f"; it is {name}: name it {suffix}, and ordern reads it (ordern convert FILE{suffix} --to "
            f"{wanted.lower()} makes {wanted} of it)"
        )
    return f"; it is {INSTEAD[root]}" if root in INSTEAD else ""


def looks_like(data: bytes, otherwise: str = "; ordern reads these", suffix: str = "") -> str:
    """What a file seems to be instead, for a message: by its suffix if known, else by its start."""
    begun = (what for begin, what in MAGIC.items() if data.startswith(begin))
    found = next(begun, None) if suffix not in SUFFIXES else SUFFIXES[suffix]
    return f"; it looks like {found}" if found else otherwise


def not_a_table(text: str) -> str | None:
    """What a text is that begins neither as a table of numbers nor as TOML."""
    start = text[:4096].lstrip()
    return "XML (a robot) or a web page" if start.startswith("<") else "JSON" if start.startswith("{") else None


def is_other(source: str | os.PathLike[str], kind: str) -> str | None:
    """What a file with a robot's suffix really is, by its first bytes."""
    if kind not in (".urdf", ".toml", ".xml", ".mjcf", ".xacro", ".sdf"):
        return None  # whose format is looked for anyway
    data = read(source)
    start = data[:4096].removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n")
    if kind == ".toml" and start.startswith(b"<"):
        return "XML, not TOML; name it .urdf or .xml"
    if kind == ".toml" and re.search(rb"^robot\s*=", start, re.M):
        return "a study, which names its robot; ordern sweep FILE runs it"
    found = next((what for begin, what in MAGIC.items() if data.startswith(begin) and begin != b"{"), None)
    if found is None and kind != ".toml" and b"[[" in start and not start.startswith(b"<") and b"\0" not in start:
        return "TOML, not XML; name it .toml"
    return (
        found
        if found is None or ";" in found or "," in found
        else f"{found}; give the robot's own description (URDF, xacro, MJCF, SDF or TOML)"
    )
