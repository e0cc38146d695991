"""xacro to URDF text by the ``xacro`` package, in a process of its own.

xacro evaluates expressions of the file in Python. The process that does so may open files only below the folders that
the user named (the file's own package, those of ``packages=``, those of ROS's environment), writes nothing, opens no
connection, starts no program, and has an end in time and memory.
"""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...errors import InputError, MissingExtra, ModelError, near, tell
from ...files import LARGEST
from ..description_file import read

__all__ = ["SECONDS", "expanded"]

SECONDS = 60  # that a file may take
MEMORY = 4 * 2**30  # bytes


def expanded(
    path: str | os.PathLike[str], arguments: Mapping[str, Any] | None, packages: tuple[tuple[str, str], ...]
) -> str:
    """The URDF text that a xacro file makes with these arguments (prefix:=left_)."""
    name = os.fspath(path)
    read(path)  # an ordinary file, of a sane size
    if importlib.util.find_spec("xacro") is None:
        raise MissingExtra(
            f"{name[-200:]}: xacro files need the package 'xacro' (the extra 'xacro' of ordern): python -m pip install "
            "xacro"
        )
    given: dict[str, Any] = {
        "path": str(Path(name).absolute()),
        "arguments": xacro_arguments(arguments),
        "packages": packages,
    }
    command = [sys.executable, "-P", "-m", "ordern.describe.urdf.xacro_child"]
    # -P: nothing is imported from the folder that the user stands in, which may be anybody's
    here = str(Path(__file__).parents[3])
    env = os.environ | {
        "PYTHONPATH": os.pathsep.join(filter(None, [here, os.environ.get("PYTHONPATH", "")])),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    try:
        text = json.dumps(given).encode()
        done = subprocess.run(command, input=text, capture_output=True, timeout=SECONDS, env=env, check=False)  # noqa: S603
    except subprocess.TimeoutExpired:
        raise ModelError(f"{name[-200:]}: xacro needs more than {SECONDS} s; does a macro call itself?") from None
    except OSError as error:
        raise ModelError(f"{name[-200:]}: xacro cannot be started ({error.strerror})") from None
    if len(done.stdout) > LARGEST:
        raise ModelError(
            f"{name[-200:]}: xacro makes {len(done.stdout)} bytes; a description may have {LARGEST} at most"
        )
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        raise ModelError(
            f"{name[-200:]}: xacro ended without an answer ({done.stderr.decode('utf-8', 'replace')[-200:].strip()})"
        ) from None
    if "text" not in answer:
        raise ModelError(f"{name[-200:]}: xacro: {answer.get('error', '')[:300]}")
    for unused in given["arguments"].keys() - set(answer["known"]):
        hint = near(unused, answer["known"], listed=True)
        # launch files give the same arguments to many robots, and xacro itself takes them
        tell(f"{name[-200:]}: nothing uses the xacro argument {unused[:80]!r}{hint}", UserWarning)
    return str(answer["text"])


def xacro_arguments(arguments: object) -> dict[str, str]:
    """Arguments as texts, checked."""
    if arguments is None:
        return {}
    if not isinstance(arguments, Mapping):
        raise InputError(f"xacro_args must map names to values, got a {type(arguments).__name__}")
    for key, value in arguments.items():
        if not isinstance(key, str) or not isinstance(value, (str, int, float, bool)):
            raise InputError(
                f"xacro_args: {str(key)[:80]!r} is {str(value)[:80]!r}; give names with strings or numbers"
            )
    return {key: str(value).lower() if isinstance(value, bool) else str(value) for key, value in arguments.items()}
