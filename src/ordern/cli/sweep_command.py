"""The command that runs a study: progress, what Ctrl-C leaves behind, quantiles and a plot; returns the exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..errors import InputError, near, need
from ..report.tables import file_name, plain, writable_file
from ..sweep.study import Study, read
from ..sweep.sweep_block import figures
from .motion_commands import PLOTS
from .output import Output

__all__ = ["sweep"]

STEPS = 1000  # of the progress bar


def sweep(
    study: str, out: str | None, engine: str, workers: int | None, table: str, patience: float, plot: str | None,
    show: tuple[str, ...],
    as_json: bool, debug: bool,
) -> int:  # fmt: skip
    """All runs of a study; 1 if some did not reach their end, 2 if it was stopped."""
    from ..sweep.sweep import sweep

    given = read(study)
    stem = Path(study).stem
    picture = _picture(given, plot, show, stem)
    target = out or file_name(stem, "_runs")
    screen = Output(as_json)
    screen.text(
        f"{plain(stem)}: {given.runs} runs of {given.robot.name} in {given.blocks} block{'s' * (given.blocks > 1)}"
    )
    steps = 0
    with screen.progress(STEPS, f"{given.runs} runs") as advance:

        def progress(share: float) -> None:
            nonlocal steps
            if (more := int(share * STEPS) - steps) > 0:  # at once, so that share and number of a line belong together
                steps += more
                advance(f"{int(share * given.runs)} of {given.runs} runs", more)

        made = sweep(given, target, engine, workers, table, progress, patience)
    aside = {str(block): how for block, how in made.quarantined.items()}
    screen.data |= {"study": study, "out": target, "runs": given.runs, "done": made.runs, "complete": made.complete}
    screen.data |= {"failed": made.failed, "blocks": given.blocks, "made": made.made, "damaged": list(made.damaged)}
    screen.data |= {"quarantined": aside, "files": list(made.files), "plot": picture and str(picture)}
    if made.damaged:
        screen.text(f"{len(made.damaged)} blocks had been damaged on disk and were made again")
    if not made.complete:
        screen.text(f"stopped: {made.runs} of {given.runs} runs are kept in {target}; the same command goes on")
        screen.finish()
        return 2
    screen.table(made.summary(), "figures")
    if made.made < given.blocks:
        screen.text(f"{given.blocks - made.made} of {given.blocks} blocks were there already")
    failed = sum(made.failed.values())
    if failed:
        words = ", ".join(f"{count} {word}" for word, count in made.failed.items())
        screen.text(f"{failed} of {given.runs} runs did not reach their end: {words}; see the column status")
    for block, how in sorted(made.quarantined.items()):
        first, stop = given.range(block)
        screen.text(f"block {block} (runs {first} to {stop - 1}) was set aside after three attempts: {how}")
    if made.quarantined:
        screen.text(
            "the same command tries these blocks again; make block smaller, or set max_steps and max_seconds in "
            "[simulation]"
        )
    if picture is not None:
        from ..sweep.sweep_plot import plot_sweep

        plot_sweep(made, list(show), picture)
    screen.text(*(f"wrote {p}" for p in (*made.files, *([picture] if picture else []))))
    screen.finish()
    return 1 if failed or made.quarantined else 0


def _picture(study: Study, plot: str | None, show: Any, stem: str) -> Path | None:
    """Where the plot goes, refused before any work if that cannot be."""
    known = figures(study)
    for name in show:
        if name not in known:
            raise InputError(f"--show {plain(name)!r}: the study keeps no such figure{near(name, known, listed=True)}")
    if show and not plot:
        raise InputError("--show says what to draw; add --plot FILE")
    if not plot:
        return None
    if not known:
        raise InputError("--plot: the study keeps whole motions only; add a figure to [keep]")
    picture = writable_file(file_name(stem, "_sweep.svg") if plot == "auto" else plot)
    if picture.suffix not in PLOTS:
        raise InputError(f"--plot {plain(str(plot))!r}: the name must end in {', '.join(PLOTS)}")
    need("matplotlib", "plots")
    return picture
