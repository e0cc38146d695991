"""Messages of failing commands, and a standard output that can always be written to."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Any

import click

__all__ = ["Command", "deaf", "fail", "list_hint", "stopped", "streams", "usage_hint", "warned"]


# how a robot is loaded: options of most commands, which --help shows after a command's own
LOADING = ("gravity", "xacro_arg", "package", "on_invalid", "locked", "payload", "base")


class Command(click.Command):
    """A command that refuses empty options (--out "$FILE" with FILE unset) and repeated ones (click keeps the last)."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse an option that is given twice."""
        try:
            order = [] if ctx.resilient_parsing else self.make_parser(ctx).parse_args(list(args))[2]
        except click.UsageError as problem:
            problem.ctx = problem.ctx or ctx  # so that the message names the help of this command
            raise
        for option in self.params:
            once = isinstance(option, click.Option) and not option.multiple and not option.is_flag
            if once and order.count(option) > 1:
                lists = option.metavar in ("Q", "QD", "QDD", "TAU", "T")
                how = f": {option.opts[0]} JOINT1=VALUE,JOINT2=VALUE" if lists else ""
                raise click.UsageError(f"{option.opts[0]} is given {order.count(option)} times; give it once{how}", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run it."""
        for option in self.params:
            given = ctx.params.get(option.name or "")
            if isinstance(option, click.Option) and "" in (given if isinstance(given, tuple) else (given,)):
                raise click.UsageError(f"{option.opts[0]} is empty; give a value, or leave it out", ctx)
        return super().invoke(ctx)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The command's own options, then the robot and those that load it."""
        options = [p for p in self.get_params(ctx) if isinstance(p, click.Option)]
        about = [("ROBOT", "A file (URDF, xacro, MJCF, SDF or TOML) or a name; 'ordern robots' lists the names.")]
        for title, loads in (("Options", False), ("Robot", True)):
            found = (p.get_help_record(ctx) for p in options if (p.name in LOADING) == loads)
            if rows := [record for record in found if record]:
                with formatter.section(title):
                    formatter.write_dl(about * loads + rows)


def streams() -> None:
    """Make output writable: closed streams lead nowhere, characters outside the encoding are escaped."""
    while (
        place := os.open(os.devnull, os.O_RDWR)
    ) <= 2:  # else the next file that is opened becomes the standard output
        continue
    os.close(place)
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115 - until the end
        elif hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def deaf() -> None:
    """Nothing more goes to the standard output, not even what Python would write when it ends."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def warned(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: object = None,
    line: str | None = None,
) -> None:
    """A warning as one line, without the place in the source that Python would show."""
    from ..errors import readable
    from ..report.tables import plain
    from .output import as_options

    name = "" if category.__name__ in ("OrdernWarning", "UserWarning") else f"{category.__name__}: "
    print(f"ordern: warning: {name}{readable(as_options(plain(' '.join(str(message).split()))))}", file=sys.stderr)


def list_hint(problem: click.ClickException, given: list[str]) -> str:
    """Numbers that the shell took apart: --q0 0.1 0.2 -0.3."""
    import re

    numeric = re.compile(r"-?[\d.]+([eE][-+]?\d+)?(deg|rad|mm|cm|m)?,?")
    at = [k for k, word in enumerate(given) if k > 1 and numeric.fullmatch(word) and numeric.fullmatch(given[k - 1])]
    if not at or not isinstance(problem, click.UsageError):
        return ""
    first = at[0] - 1
    last = next((k for k in range(first, len(given)) if not numeric.fullmatch(given[k])), len(given))
    return f"; a list is one word: write {given[first - 1]} {','.join(word.strip(',') for word in given[first:last])}"


def usage_hint(problem: click.ClickException) -> str:
    """Where the usage of this command can be read."""
    context = getattr(problem, "ctx", None)
    return f" (see {context.command_path} --help)" if context is not None else " (see ordern --help)"


def fail(message: str, as_json: bool) -> int:
    """Say what is wrong; the exit code of bad use."""
    from .output import error

    error(message, as_json)
    return 2


def stopped() -> int:
    """Say that Ctrl-C has ended the command; its exit code."""
    print("ordern: stopped", file=sys.stderr)
    return 2
