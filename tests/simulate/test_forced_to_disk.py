"""What was saved is on the disk before it has its name or counts: a loss of power leaves the old file or the new one, never half."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import needs
import ordern
from ordern import files
from ordern.simulate import store, stream
from ordern.sweep.study import parse
from ordern.sweep.sweep_folder import Folder

pytestmark = needs.posix
ARM = ordern.robots.planar3()


class Disk:
    """Which files and folders were forced to the disk, and those that were by the moment when something took its name."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.forced: set[int] = set()
        self.named: list[tuple[Path, set[int]]] = []
        fsync, replace, take = os.fsync, os.replace, files._take_place

        def forcing(handle: int) -> None:
            fsync(handle)
            self.forced.add(os.fstat(handle).st_ino)

        def replacing(source, place) -> None:
            kept = set(self.forced)
            replace(source, place)
            self.named.append((Path(place), kept))

        def taking(part, place, old) -> None:
            kept = set(self.forced)
            take(part, place, old)
            self.named.append((place, kept))

        patch.setattr(os, "fsync", forcing)
        patch.setattr(os, "replace", replacing)
        patch.setattr(files, "_take_place", taking)

    def missed(self, place: Path) -> list[str]:
        """What of a file or a folder was not on the disk when it took its name for the last time."""
        forced = next(kept for path, kept in reversed(self.named) if path == place)
        whole = [place, *place.rglob("*")] if place.is_dir() else [place]
        made = [str(p.relative_to(place.parent)) for p in whole if p.stat().st_ino not in forced]
        return made + ([] if place.parent.stat().st_ino in self.forced else ["the folder around it"])


@pytest.mark.parametrize("ending", ["npz", "parquet", "mat", "zarr"])
@pytest.mark.parametrize("again", [False, True])
def test_runs_are_on_the_disk_before_they_have_their_name(tmp_path, monkeypatch, ending, again):
    run = ARM.simulate((0.1, 0.2, 0.3), duration=0.02)
    path = tmp_path / f"run.{ending}"
    if again:
        run.save(path)
    disk = Disk(monkeypatch)
    run.save(path)
    assert disk.missed(path) == []


def test_parts_of_a_store_are_on_the_disk_before_they_count(tmp_path, monkeypatch):
    """The chunks of a part and every folder that leads to them, when the description names the part as done."""
    monkeypatch.setattr(stream, "PART", 8 * 6 * 3 * 64)
    disk, path, seal, missed = Disk(monkeypatch), tmp_path / "runs.zarr", store.Store.seal, []

    def sealing(made: store.Store) -> None:
        done = [k for k, known in enumerate(made.attributes["parts"]) if known is not None]
        for part in done:
            for name in stream.part_names(made)(part):
                leading = [made.path / name, *(made.path / name).parents][: len(Path(name).parts) + 1]
                missed.extend(str(p) for p in leading if p.exists() and p.stat().st_ino not in disk.forced)
        seal(made)

    monkeypatch.setattr(store.Store, "seal", sealing)
    made = ARM.simulate(np.zeros((192, 3)), duration=0.02, save=path)
    assert made.complete and len(store.Store.open(path).attributes["parts"]) == 3
    assert missed == [] and disk.missed(path / "zarr.json") == []


def test_blocks_manifests_and_tables_of_a_sweep_are_on_the_disk(tmp_path, monkeypatch):
    disk = Disk(monkeypatch)
    study = parse('robot = "planar3"\nblock = 2\n[sweep]\npayload.mass = [0.0, 0.1]\n', robot=ARM)
    folder = Folder.begin(tmp_path / "runs", study)
    rows = folder._blank(0)
    folder.commit(0, rows)
    tables = [folder.write_table(folder.table(), form) for form in ("csv", "npz", "parquet")]
    for path in (folder.manifest, folder.file(0), *tables):
        assert disk.missed(path) == []
