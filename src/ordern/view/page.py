"""The robot in the browser: ``page`` writes one offline file, ``serve`` shows it on this machine only."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import os
import re
import warnings
from collections.abc import Callable
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from ..errors import InputError, OrdernWarning
from ..files import write
from ..model import Model
from ..report.tables import writable_file
from .film import FILMS, PAGES, PICTURES, film, picture
from .page_data import Playback, page_data
from .page_programs import programs
from .serve import Server

__all__ = ["Playback", "Server", "notebook_html", "page", "plain_text", "render", "serve", "start"]

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")


def page(
    model: Model,
    path: str | os.PathLike[str] | None = None,
    q: object = None,
    run: object = None,
    title: str | None = None,
    ghost: object = None,
) -> str:
    """The robot as one self-contained HTML page; or, where the file's name says so, as a picture or a film.

    Args:
        model: the robot.
        path: the file to write, whole or not at all: .html, .png, .svg or .pdf (a still), or with a run .gif, .mp4 or
            .webm (the last two by ffmpeg).
        q: the configuration to start with; by default neutral.
        run: a motion to play: a Playback, a dict or an object with t, q and, where known, tau and energy.
        title: by default the robot's name.
        ghost: a second motion, shown see-through beside the first.

    Returns:
        The page's text; nothing for pictures and films.
    """
    target = writable_file(path) if path is not None else None
    if target is not None and target.suffix.lower() not in PAGES:
        return _drawn(model, target, q, run, title, ghost)
    text = render(model, q, run, title, ghost)[0]
    if target is not None:
        write(target, text)
    return text


def _drawn(model: Model, target: Path, q: object, run: object, title: str | None, ghost: object) -> str:
    """A picture or a film instead of a page; other endings are refused."""
    kind = target.suffix.lower()
    if kind in PICTURES:
        if run is not None or ghost is not None:
            raise InputError(
                f"{str(target)!r}: a motion is a page (.html) or a film ({', '.join(FILMS)}); a picture shows one "
                "configuration, q=..."
            )
        picture(model, target, q, title)
    elif kind in FILMS:
        if run is None:
            raise InputError(
                f"{str(target)!r}: a film needs a motion; animate a run, or write a page (.html) or a picture "
                f"({', '.join(PICTURES)})"
            )
        film(model, target, run, title, ghost)
    else:
        endings = (*PAGES, *(FILMS if run is not None else PICTURES))
        raise InputError(f"{str(target)!r}: the name must end in {', '.join(endings)}")
    return ""


def notebook_html(model: Model, q: object = None, run: object = None, height: int = 600) -> str:
    """For notebooks: a summary of the robot and its page in an isolated frame."""
    mass = sum(body.inertia.m for body in model.bodies[1:])
    facts = f"{model.freedom}, {len(model.links)} links, {mass:.4g} kg"
    head = f"<p><b>{html.escape(plain_text(model.name))}</b>: {facts}</p>"
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", OrdernWarning)
            text = page(model, q=q, run=run)
    except InputError as error:
        return f"{head}<p>{html.escape(plain_text(str(error)))}</p>"
    style = f"width:100%;height:{int(height)}px;border:1px solid #8885;border-radius:8px"
    frame = f'<iframe sandbox="allow-scripts allow-downloads" title="the robot in 3-D" style="{style}"'
    return f'{head}{frame} srcdoc="{html.escape(text, quote=True)}"></iframe>'


def serve(
    model: Model,
    port: int = 0,
    open_browser: bool = True,
    q: object = None,
    run: object = None,
    title: str | None = None,
    say: Callable[[str], Any] = print,
) -> None:
    """Show the page on 127.0.0.1, at an address only this process knows, until Ctrl-C.

    Args:
        model: the robot.
        port: 0 for any free one.
        open_browser: whether to open the address in the default browser.
        q: the configuration to start with.
        run: a motion to play.
        title: by default the robot's name.
        say: where messages go.
    """
    with start(model, port, q=q, run=run, title=title) as server:
        shown = title if title is not None else model.name
        say(f"{plain_text(shown)} is at {server.url}  (Ctrl-C ends)")
        if open_browser:
            problem = server.open()
            if problem:
                say(problem)
        try:
            server.wait()
        except KeyboardInterrupt:
            say("ended")


def start(model: Model, port: int = 0, q: object = None, run: object = None, title: str | None = None) -> Server:
    """A server of the page that runs in the background; close it, or use it in a ``with``."""
    text, policy = render(model, q, run, title)
    return Server(text, policy, port)


# --- the page ---------------------------------------------------------------------------------------------------------
@cache
def _asset(name: str) -> str:
    return resources.files("ordern.view").joinpath("assets", name).read_text(encoding="utf-8").replace("\r\n", "\n")


def plain_text(text: str) -> str:
    """Without control characters and marks that turn the direction of writing."""
    return _CONTROL.sub("\ufffd", text).encode("utf-8", "replace").decode()


def _json(data: object) -> str:
    """JSON that is safe inside a <script>: ASCII, and no character that HTML knows."""
    text = json.dumps(data, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _hash(text: str) -> str:
    return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"


def render(
    model: Model, q: object, run: object, title: str | None, ghost: object = None, more: dict[str, Any] | None = None
) -> tuple[str, str]:
    """The page and its content policy; ``more`` replaces data. A live page may ask its own origin."""
    data = {**page_data(model, q, run, title, ghost), **(more or {})}
    data["title"] = plain_text(data["title"])
    code, data["absent"] = programs(model)
    bundle, style = _asset("page.js"), _asset("page.css")
    policy = (
        f"default-src 'none'; script-src {_hash(code)} {_hash(bundle)}; style-src {_hash(style)}; img-src data:; "
        + ("connect-src 'self'; " if data["live"] else "")
        + "base-uri 'none'; form-action 'none'; object-src 'none'; require-trusted-types-for 'script'"
    )
    filled = {
        "POLICY": html.escape(policy, quote=True).replace("&#x27;", "'"),
        "TITLE": html.escape(f"{data['title']} · ordern", quote=True),
        "STYLE": style,
        "DATA": _json(data),
        "PROGRAMS": code,
        "BUNDLE": bundle,
    }
    text = re.sub(r"@([A-Z]+)@", lambda m: filled[m[1]], _asset("page.html"))
    return text, policy
