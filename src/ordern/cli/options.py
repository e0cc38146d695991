"""Options that several commands share, and what completes them in a shell; click only, so that --help stays quick."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

__all__ = [
    "common", "example", "external_option",
    "method_option", "on_robot", "out_option", "plot_option", "quantities", "quantity_argument", "robot_names",
]  # fmt: skip

Command = Callable[..., Any]


def example(line: str) -> str:
    """What --help shows below the options, as it is typed."""
    return f"\b\nExample:\n  {line}"


def robot_names(ctx: object, param: object, incomplete: str) -> list[Any]:
    """Names of built-in robots, and files."""
    from click.shell_completion import CompletionItem

    from ..describe.builtin import names

    return [CompletionItem(n) for n in names() if n.startswith(incomplete)] + [CompletionItem(incomplete, type="file")]


def quantities(ctx: object, param: object, incomplete: str) -> list[str]:
    """Names of quantities."""
    from ..algorithms.registry import all_algorithms

    return sorted({a.quantity for a in all_algorithms() if a.quantity.startswith(incomplete)})


def _methods(ctx: Any, param: object, incomplete: str) -> list[str]:
    from ..algorithms.registry import all_algorithms

    wanted = ctx.params.get("quantity")
    return sorted(
        {a.method for a in all_algorithms() if wanted in (None, a.quantity) and a.method.startswith(incomplete)}
    )


def common(function: Command) -> Command:
    """Options of every command."""
    function = click.option("--json", "as_json", is_flag=True, help="Print JSON, for machines.")(function)
    return click.option("--debug", is_flag=True, help="Show the traceback of an error.")(function)


def on_robot(function: Command) -> Command:
    """The ROBOT argument, how to load it and what it carries."""
    for add in (
        click.option(
            "--base",
            type=click.Choice(["fixed", "floating"]),
            default="fixed",
            show_default=True,
            help="How the root is held.",
        ),
        click.option(
            "--payload",
            multiple=True,
            metavar="LINK:MASS[:x,y,z]",
            help="A mass on a link, at x,y,z in its frame (kg, m; repeatable).",
        ),
        click.option("--locked", "--lock", multiple=True, metavar="JOINT=VALUE", help="Weld a joint (repeatable)."),
        click.option(
            "--on-invalid",
            type=click.Choice(["error", "warn", "repair"]),
            help="What to do about data that no real robot has; error by default.",
        ),
        click.option(
            "--package",
            multiple=True,
            metavar="NAME=FOLDER",
            help="Where a ROS package is, for package:// and $(find ...) (repeatable).",
        ),
        click.option(
            "--xacro-arg", multiple=True, metavar="NAME:=VALUE", help="An argument of a .xacro file (repeatable)."
        ),
        click.option(
            "--gravity", metavar="X,Y,Z", help="Gravity in the world (m/s^2); the description's own by default."
        ),
    ):
        function = add(function)
    return click.argument("robot", shell_complete=robot_names)(function)


external_option = click.option(
    "--external",
    multiple=True,
    metavar="LINK:mx,my,mz,fx,fy,fz",
    help="A wrench on a link, at its frame (N m, N; repeatable).",
)
method_option = click.option(
    "--method", metavar="NAME", shell_complete=_methods, help="Which algorithm; the fastest by default."
)
quantity_argument = click.argument("quantity", shell_complete=quantities)
plot_option = click.option(
    "--plot", is_flag=False, flag_value="auto", metavar="[FILE]", help="Draw it (.svg, .png or .pdf)."
)
out_option = click.option("--out", metavar="FILE", help="Write the series (.csv or .npz; - prints CSV).")
