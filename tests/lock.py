"""Write the lock file: every package that the tests need, with its version and the hashes of its archives, and no host.

    python tests/lock.py requirements.lock

CI installs with ``pip install --require-hashes -r requirements.lock`` from whatever index it is configured with.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path


def main(target: str) -> None:
    """Ask pip what it would install."""
    line = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--dry-run",
        "--ignore-installed",
        "--quiet",
        "--report",
        "-",
        ".[test]",
    ]
    write(json.loads(subprocess.run(line, capture_output=True, check=True, text=True).stdout), target)


def write(report: dict, target: str) -> None:
    """The lock of a report of pip."""
    lines = [
        "# python tests/lock.py requirements.lock; install with: pip install --require-hashes -r requirements.lock"
    ]
    for item in sorted(report["install"], key=lambda i: i["metadata"]["name"].lower()):
        hashes = item["download_info"].get("archive_info", {}).get("hashes", {})
        if "sha256" in hashes:  # ordern itself is a folder
            lines.append(
                f"{item['metadata']['name'].lower()}=={item['metadata']['version']} --hash=sha256:{hashes['sha256']}"
            )
    Path(target).write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
