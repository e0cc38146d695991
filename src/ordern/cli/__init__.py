"""The command line; imports all but click when a command runs, so that --help is quick."""

from __future__ import annotations

import sys
import traceback
import warnings
from typing import Any

import click

from ..errors import near
from .hints import Command, deaf, fail, list_hint, stopped, streams, usage_hint, warned
from .options import (
    QUANTITIES,
    STUDY,
    common,
    example,
    external_option,
    inverse_options,
    language_options,
    method_option,
    on_robot,
    plot_option,
    quantities,
    quantity_argument,
    robot_names,
    simulate_options,
    state_options,
)
from .silence import at_work

__all__ = ["cli", "main"]


class Group(click.Group):
    """A group that suggests the command that may have been meant, and lists commands in the order of this file."""

    command_class = Command

    def list_commands(self, ctx: click.Context) -> list[str]:
        """In the order they are written below."""
        return list(self.commands)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """Find the command, or name the nearest one."""
        if args and args[0] not in self.commands and not args[0].startswith("-"):
            raise click.UsageError(f"no command {args[0]!r}{near(args[0], self.commands, listed=True)}")
        return super().resolve_command(ctx, args)


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(None, "-V", "--version", package_name="ordern", prog_name="ordern")
def cli() -> None:
    """Dynamics of robots in O(n): torques, motion, formulas, operation counts and code.

    ROBOT is a file (URDF, xacro, MJCF, SDF, TOML: links and joints or a DH table) or a name: panda, ur5, puma560,
    stanford, planar3, pendulum, chain50, planar10 (any length), fourbar, delta, stewart, ...; "ordern robots" lists
    them all. Exit codes: 0 fine, 1 a check failed, 2 bad use.
    """


def _run(name: str, **arguments: object) -> int:
    """Call the body of a command; it returns the exit code."""
    import importlib

    if arguments.get("quantity") == "list":
        name, arguments = "listed", {"command": name, **arguments}
    module = {
        "inverse": "motion_commands",
        "simulate": "motion_commands",
        "view": "motion_commands",
        "sweep": "sweep_command",
        "evaluate": "quantity",
        "listed": "quantity",
        "robots": "collection_commands",
    }.get(name, "commands")
    code: int = getattr(importlib.import_module(f"ordern.cli.{module}"), name)(**arguments) or 0
    return code


@cli.command(epilog=example("ordern info puma560"))
@on_robot
@common
def info(**arguments: object) -> int:
    """Show a robot: joints, links, masses, limits."""
    return _run("info", **arguments)


@cli.command(epilog=example("ordern lint stanford"), short_help="Check a robot's data for what is suspicious.")
@on_robot
@common
def lint(**arguments: object) -> int:
    """Check a robot's data for suspicious values; exit code 1 if something is probably wrong."""
    return _run("lint", **arguments)


@cli.command(
    epilog=example("ordern verify planar3 --states 5"),
    short_help="Compare all methods with each other and with mechanics.",
)
@on_robot
@click.option("--states", default=20, show_default=True, type=click.IntRange(1), help="How many random states.")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Seed of the random states.")
@common
def verify(**arguments: object) -> int:
    """Compare all methods on this robot with each other and with the laws of mechanics; exit code 1 if any differs."""
    return _run("verify", **arguments)


@cli.command(
    epilog=example(
        "ordern inverse planar3 --trajectory cycloid --to 3.14,3.14,3.14 --out torques.csv --plot torques.svg"
    )
)
@on_robot
@inverse_options
@common
def inverse(**arguments: object) -> int:
    """Compute the torques that a motion needs (inverse dynamics)."""
    return _run("inverse", **arguments)


@cli.command(
    epilog=example("ordern simulate planar3 --duration 1 --out fall.csv --plot fall.svg"),
    short_help="Simulate motion under gravity and torques.",
)
@on_robot
@simulate_options
@common
def simulate(**arguments: object) -> int:
    """Simulate the motion under gravity and torques (forward dynamics)."""
    return _run("simulate", **arguments)


@cli.command(
    "eval",
    epilog=QUANTITIES + example("ordern eval planar3 inverse_dynamics --q 0.1,0.2,0.3 --qd joint2=0.5 --qdd 0,0,1"),
)
@on_robot
@quantity_argument
@state_options
@external_option
@method_option
@common
def evaluate(**arguments: object) -> int:
    """Evaluate one quantity at one state: a table, or JSON."""
    return _run("evaluate", **arguments)


@cli.command(epilog=QUANTITIES + example("ordern formulas planar3 mass_matrix --latex"))
@on_robot
@quantity_argument
@method_option
@click.option("--latex", is_flag=True, help="LaTeX instead of plain text.")
@click.option(
    "--symbols", "--letters", "letters", is_flag=True, help="Symbols (m_2, c_2_x) for masses and lengths too."
)
@click.option("--written-out", is_flag=True, help="The result alone, without named steps; long for large robots.")
@click.option("--paper", is_flag=True, help="The closed forms of Saha 1999 (IJRR), for planar3.")
@common
def formulas(**arguments: object) -> int:
    """Print an algorithm as formulas for this robot."""
    return _run("formulas", **arguments)


@cli.command(
    epilog=QUANTITIES + example("ordern count puma560 forward_dynamics"),
    short_help="Count the multiplications and additions of an algorithm.",
)
@on_robot
@click.argument("quantity", required=False, shell_complete=quantities)
@click.option("--table", is_flag=True, help="All methods side by side, by stage, and for growing n.")
@method_option
@common
def count(**arguments: object) -> int:
    """Count the multiplications and additions that an algorithm takes for this robot."""
    return _run("count", **arguments)


@cli.command(
    epilog=QUANTITIES + example("ordern export planar3 inverse_dynamics --c planar3_c"),
    short_help="Write a quantity as C, OpenCL, CUDA or JavaScript.",
)
@on_robot
@quantity_argument
@language_options
@method_option
@click.option("--link", metavar="LINK", help="Which link, for poses and Jacobians; the last one by default.")
@click.option("--single", is_flag=True, help="Write float instead of double.")
@common
def export(**arguments: object) -> int:
    """Write a quantity as source code: self-contained C99 with a self-test, OpenCL C, CUDA C or JavaScript."""
    return _run("export", **arguments)


@cli.command(
    epilog=example("ordern convert stanford --to dh:proximal --out stanford_dh.toml"),
    short_help="Convert a robot to URDF, MJCF, SDF, TOML or a DH table.",
)
@on_robot
@click.option(
    "--to",
    "form",
    metavar="FORM",
    help="dh:saha, dh:distal (standard), dh:proximal (modified, craig), urdf, mjcf, sdf or toml; by default what the "
    "name of --out says.",
)
@click.option("--out", metavar="FILE", help="File to write; without it, the description is printed.")
@common
def convert(**arguments: object) -> int:
    """Convert a robot to another format, and check by numbers that it is the same robot; exit code 1 if it is not.

    A folder for ROBOT converts every robot file below it and prints a table; --out is a folder then.

    A DH table is read from TOML too: convention = "distal", then one [[dh]] a row (a, alpha, d, theta, mass, com,
    inertia).
    """
    return _run("convert", **arguments)


@cli.command(
    epilog=example("ordern robots"), short_help="List robots by name: built in, and of collections found here."
)
@common
def robots(**arguments: object) -> int:
    """List robots by name: built in, and of collections that are on this machine (nothing is downloaded)."""
    return _run("robots", **arguments)


@cli.command(
    epilog=example("ordern reproduce --paper saha1999ijrr --out report"),
    short_help="Recompute tables and figures of five papers.",
)
@click.option(
    "--paper",
    metavar="NAME",
    help="Only one: saha1997, saha1999jam, saha1999ijrr, lee2005, provenzano, redysim or studies.",
)
@click.option(
    "--out",
    metavar="DIR",
    default="report",
    show_default=True,
    help="Folder for report.html, report.json and report.csv.",
)
@common
def reproduce(**arguments: object) -> int:
    """Regenerate every table and figure of the five papers, compare, and write an HTML report."""
    return _run("reproduce", **arguments)


@cli.command(
    epilog=example("ordern bench puma560 --quick"), short_help="Measure the speed against other installed libraries."
)
@click.argument("robot", required=False, shell_complete=robot_names)
@click.option("--out", metavar="DIR", help="Folder for the table and the machine's data.")
@click.option("--quick", is_flag=True, help="Fewer repetitions.")
@common
def bench(**arguments: object) -> int:
    """Measure the speed, and compare it with other libraries that are installed."""
    return _run("bench", **arguments)


@cli.command(
    epilog=example("ordern sweep study.toml --out runs --plot runs.svg") + STUDY,
    short_help="Simulate thousands of runs from one TOML file, resumable.",
)
@click.argument("study", type=click.Path())
@click.option(
    "--out",
    metavar="DIR",
    help="Where results are kept; an interrupted study goes on there. The study's name by default.",
)
@click.option(
    "--engine", default="local", show_default=True, metavar="ENGINE", help="local, dask://local or dask://HOST:PORT."
)
@click.option("--workers", type=click.IntRange(1), help="Processes on this machine; one a core by default.")
@click.option(
    "--table",
    type=click.Choice(["csv", "npz", "parquet"]),
    default="csv",
    show_default=True,
    help="How the table is written.",
)
@click.option(
    "--patience",
    type=click.FloatRange(0, min_open=True),
    default=600.0,
    show_default=True,
    help="Seconds without progress after which a block of runs counts as hung.",
)
@plot_option
@click.option(
    "--show",
    metavar="FIGURE",
    multiple=True,
    help="A column of the table to plot (repeatable); the first ones by default.",
)
@common
def sweep(**arguments: object) -> int:
    """Simulate thousands of runs from one TOML file, resumable; exit code 1 if some runs did not reach their end."""
    return _run("sweep", **arguments)


@cli.command(epilog=example("ordern view panda --out panda.html"))
@on_robot
@click.option("--port", default=0, show_default=True, help="Port on 127.0.0.1; 0 takes a free one.")
@click.option(
    "--out",
    metavar="FILE",
    help="Write the page (.html) or a picture (.png, .svg, .pdf) to a file instead of serving it.",
)
@click.option("--no-browser", is_flag=True, help="Do not open a browser.")
@common
def view(**arguments: object) -> int:
    """Show the robot in the browser, in 3-D."""
    return _run("view", **arguments)


@cli.command(epilog=example("ordern completion bash"))
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.option("--json", "as_json", is_flag=True, hidden=True)
@click.option("--debug", is_flag=True, hidden=True)
def completion(shell: str, as_json: bool, debug: bool) -> int:
    """Print the script that completes names in your shell."""
    from click.shell_completion import get_completion_class

    made = get_completion_class(shell)
    if made is None:
        raise click.UsageError(f"no completion for {shell}")
    text = made(cli, {}, "ordern", "_ORDERN_COMPLETE").source()
    if as_json:
        import json

        text = json.dumps({"shell": shell, "script": text})
    click.echo(text)
    return 0


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit; errors are one line, with --debug a traceback."""
    given = sys.argv[1:] if arguments is None else arguments
    warnings.showwarning = warned
    streams()
    try:
        with at_work(given):
            code = _guarded(list(given))
    except KeyboardInterrupt:  # before the command began, or once more while it ends
        code = stopped()
    sys.exit(code)


def _guarded(given: list[str]) -> int:
    as_json = "--json" in given
    try:
        code = cli.main(given, prog_name="ordern", standalone_mode=False)
        sys.stdout.flush()
        return code if isinstance(code, int) else 0
    except click.exceptions.Exit as stop:
        return stop.exit_code
    except (click.Abort, KeyboardInterrupt):
        return stopped()
    except click.exceptions.NoArgsIsHelpError as problem:  # "ordern" alone
        click.echo(problem.format_message())
        return 0
    except click.ClickException as problem:
        hint, text = list_hint(problem, given), " ".join(problem.format_message().split())
        return fail((text.rstrip(".") if hint else text) + hint + usage_hint(problem), as_json)
    except (BrokenPipeError, SystemExit):
        deaf()  # the reader of our pipe has gone, which click makes an exit with 1; no check has failed
        return 0
    except Exception as problem:
        if "--debug" in given:
            traceback.print_exc()
        from ..errors import OrdernError

        known = isinstance(problem, (OrdernError, OSError))
        text = (
            str(problem)
            if known
            else f"{type(problem).__name__}: {problem}; this is a mistake in ordern, --debug shows where"
        )
        if isinstance(problem, OSError) and not isinstance(problem, OrdernError):
            text = (
                f"{problem.filename or 'the output'}: {problem.strerror or problem}; make room, or check the path "
                "and its permissions"
            )
        try:
            code = fail(text, as_json)
            sys.stdout.flush()
        except OSError:  # a full disk takes not even the error
            code = 2
        if isinstance(problem, OSError):
            deaf()
        return code
