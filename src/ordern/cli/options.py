"""Options that several commands share, and what completes them in a shell; click only, so that --help stays quick."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

__all__ = [
    "QUANTITIES", "STUDY", "common", "example", "external_option", "inverse_options", "language_options",
    "method_option", "on_robot", "out_option", "plot_option", "quantities", "quantity_argument", "robot_names",
    "simulate_options", "state_options",
]  # fmt: skip

Command = Callable[..., Any]


def example(line: str) -> str:
    """What --help shows below the options, as it is typed."""
    return f"\b\nExample:\n  {line}"


# the quantities that are asked for most
QUANTITIES = """\b
QUANTITY is inverse_dynamics, forward_dynamics, mass_matrix, bias_forces,
gravity_forces, forward_kinematics, jacobian, joint_wrenches, kinetic_energy,
potential_energy, center_of_mass, regressor, ...; "list" prints them all.

"""


# a study as small as they come, for whoever has none yet
STUDY = """

\b
A study to begin with, as study.toml:
  robot = "planar3"
  [simulation]
  duration = 1.0
  [sweep]
  payload.mass = [0.0, 0.1, 0.2]
  [keep]
  tool = "link3"
"""


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
    function = click.option("--json", "as_json", is_flag=True, help="Print JSON for other programs.")(function)
    return click.option("--debug", is_flag=True, help="Show the traceback of an error.")(function)


def on_robot(function: Command) -> Command:
    """The ROBOT argument, how to load it and what it carries."""
    for add in (
        click.option(
            "--base",
            type=click.Choice(["fixed", "floating"]),
            default="fixed",
            show_default=True,
            help="Whether the root link is fixed or moves freely.",
        ),
        click.option(
            "--payload",
            multiple=True,
            metavar="LINK:MASS[:x,y,z]",
            help="A mass on a link, at x,y,z in its frame (kg, m; repeatable).",
        ),
        click.option(
            "--locked",
            "--lock",
            multiple=True,
            metavar="JOINT=VALUE",
            help="Weld a joint at a value, 0.5 or 30deg (repeatable).",
        ),
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
    "--plot",
    is_flag=False,
    flag_value="auto",
    metavar="[FILE]",
    help="Plot to FILE (.svg, .png or .pdf); without FILE, an .svg named after the robot or study.",
)
out_option = click.option("--out", metavar="FILE", help="Write the time series (.csv or .npz; - prints CSV).")


def _together(*options: Command) -> Command:
    """Several options as one decorator, in the order in which --help shows them."""

    def decorate(command: Any) -> Any:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


inverse_options = _together(
    click.option(
        "--trajectory",
        "-t",
        metavar="T",
        help="A CSV or npz file (t and joint columns), or cycloid, quintic, trapezoidal.",
    ),
    click.option(
        "--log",
        metavar="FILE",
        help="A recording: CSV of any kind, Parquet, npz, or a ROS 2 bag; it is filtered before it is differentiated.",
    ),
    click.option(
        "--cutoff",
        type=float,
        help="Cut-off of the log's filter (Hz); by default where the motion is lost in the noise; inf for no filter.",
    ),
    click.option("--rate", type=float, help="Sampling rate of the torques (Hz); the log's own by default."),
    click.option("--units", metavar="UNITS", help="deg, mm or deg,mm where a log has these instead of rad and m."),
    click.option("--topic", metavar="TOPIC", help="Which topic, where a bag has several with joint states."),
    click.option(
        "--from", "start", metavar="Q", help="Start of a named profile: numbers or JOINT=VALUE, separated by commas."
    ),
    click.option("--to", "end", metavar="Q", help="End of a named profile."),
    click.option("--duration", type=float, help="How long a named profile takes (s); 10 by default."),
    click.option("--dt", type=float, help="Time step of a named profile (s); 0.01 by default."),
    external_option,
    method_option,
    out_option,
    plot_option,
)
simulate_options = _together(
    click.option("--duration", type=float, help="How long (s); to the end of a --torque file, else 10, by default."),
    click.option(
        "--q0",
        metavar="Q",
        help="Start: numbers or JOINT=VALUE, separated by commas; the neutral position, within the limits, by default.",
    ),
    click.option("--qd0", metavar="QD", help="Joint velocities at the start; zero by default."),
    click.option(
        "--torque",
        metavar="T",
        help="Numbers, JOINT=VALUE, a CSV or npz file (t and joint columns), or gravity (what holds it still at q0).",
    ),
    external_option,
    click.option("--no-limits", is_flag=True, help="Leave out the end stops at the joints' limits."),
    click.option("--no-friction", is_flag=True, help="Leave out damping and dry friction in the joints."),
    click.option(
        "--saturate",
        is_flag=True,
        help="Clip torques at the effort limits; without it, larger ones are warned about.",
    ),
    click.option(
        "--method",
        default="dopri5",
        show_default=True,
        help="Integrator: dopri5, dop853, cash-karp, verner, rk4, symplectic, baoab, or SciPy's.",
    ),
    click.option(
        "--temperature", type=float, metavar="KT", help="kT (J) of --method baoab (Langevin dynamics) and of --fixman."
    ),
    click.option("--fixman", is_flag=True, help="Let Fixman's force act, -(kT/2) d log det M / dq."),
    click.option("--collision-rate", type=float, help="Damping rate of baoab's heat bath (1/s); 1 by default."),
    click.option("--seed", type=int, help="Seed of the random numbers of baoab; 0 by default."),
    click.option("--rtol", type=float, help="Relative tolerance of adaptive methods; 1e-8 by default."),
    click.option("--dt", type=float, help="Step of fixed-step methods (s)."),
    click.option("--output-dt", default=0.01, show_default=True, help="Time between results (s)."),
    out_option,
    plot_option,
    click.option(
        "--animate",
        is_flag=False,
        flag_value="auto",
        metavar="[FILE]",
        help="Write the motion as a 3-D page (.html) or a video (.gif, .mp4); without FILE, ROBOT_motion.html.",
    ),
)
state_options = _together(
    click.option(
        "--q",
        metavar="Q",
        help="Coordinates: numbers (90deg, 30mm) or JOINT=VALUE, separated by commas; neutral by default.",
    ),
    click.option("--qd", metavar="QD", help="Joint velocities; zero by default."),
    click.option("--qdd", metavar="QDD", help="Accelerations; zero by default."),
    click.option("--tau", metavar="TAU", help="Joint torques and forces; zero by default."),
    click.option("--link", metavar="LINK", help="Which link, for poses and Jacobians; the last one by default."),
    click.option("--reference", type=click.Choice(["world", "body"]), help="Axes of a Jacobian; world by default."),
)
language_options = _together(
    click.option("--c", metavar="DIR", help="Where to write C99 with a header and a self-test."),
    click.option("--opencl", metavar="DIR", help="Where to write a kernel in OpenCL C."),
    click.option("--cuda", metavar="DIR", help="Where to write a kernel in CUDA C."),
    click.option("--javascript", metavar="DIR", help="Where to write a function in JavaScript."),
)
