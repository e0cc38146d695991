"""``live``: a page that Python moves while it is open, on this machine only."""

from __future__ import annotations

import html
import json
import os
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any

import numpy as np

from ..errors import InputError
from ..model import Model
from ..scalars.primitives import Array
from .page import plain_text, render
from .page_data import starting
from .serve import ENDED, Server

__all__ = ["LivePage", "live"]

LISTENERS = 16  # browsers at once
PACE = 1 / 60  # s between states that are sent: newer ones replace those in between
QUIET = 10.0  # s without a change after which a sign of life is sent


def live(
    model: Model,
    q: object = None,
    port: int = 0,
    open_browser: bool | None = None,
    title: str | None = None,
    say: Callable[[str], Any] | None = None,
) -> LivePage:
    """A page of the robot that follows what Python sets: ``page.q = ...`` moves it, ``page.close()`` (or the end of a
    ``with``) ends it.

    It is served on 127.0.0.1 only, at an address with a random token. In a notebook the page shows itself as a cell's
    result.

    Args:
        model: the robot.
        q: the configuration to start with; by default neutral.
        port: 0 for any free one.
        open_browser: whether to open the address in the default browser; by default where there is a display and no
            notebook.
        title: by default the robot's name.
        say: where the address is told if no browser was opened; by default it is printed, in notebooks nowhere.
    """
    made = LivePage(model, q, port, title)
    notebook = "ipykernel" in sys.modules
    display = not sys.platform.startswith("linux") or any(
        os.environ.get(key) for key in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    )
    if display and not notebook if open_browser is None else open_browser:
        problem = made.open()
        if problem:
            (say or print)(problem)
    elif say is not None or not notebook:
        (say or print)(f"{plain_text(made.title)} is at {made.url}")
    return made


class LivePage:
    """Result of ``robot.live()``: shows ``q`` at ``url``; close it in the end."""

    def __init__(self, model: Model, q: Any = None, port: int = 0, title: str | None = None) -> None:
        self.model, self.title = model, model.name if title is None else title
        self._q = np.array(starting(model, q))
        self._number, self._ended, self._listeners = 0, False, 0
        self._changed = threading.Condition()
        text, policy = render(model, self._q, None, title, more={"live": True})
        self._server = Server(text, policy, port, self)
        self.url, self.port = self._server.url, self._server.port

    @property
    def q(self) -> Array:
        """The configuration that is shown, (nq,); a new one moves the robot in every browser that has the page open."""
        return self._q.copy()

    @q.setter
    def q(self, value: object) -> None:
        made = np.array(starting(self.model, value if value is not None else ()))
        with self._changed:
            if self._ended:
                raise InputError("this page is closed; robot.live() opens another one")
            self._q = made
            self._number += 1
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """Whether it has been closed."""
        return self._ended

    @property
    def listeners(self) -> int:
        """How many browsers have the page open."""
        return self._listeners

    def wait(self, seconds: float = 30.0) -> bool:
        """Until a browser has opened the page, at most so long; whether one has."""
        with self._changed:
            return self._changed.wait_for(lambda: self._listeners > 0 or self._ended, seconds) and not self._ended

    def open(self) -> str:
        """Open the page in the default browser; what to do where that fails, or nothing."""
        return self._server.open()

    def close(self) -> None:
        """Browsers keep the last state; the address no longer answers."""
        with self._changed:
            if self._ended:
                return
            self._ended = True
            self._changed.notify_all()
        with self._changed:
            self._changed.wait_for(lambda: self._listeners == 0, 1.0)  # they are told
        self._server.close()

    def __enter__(self) -> LivePage:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<LivePage of {self.model.name!r}: {'closed' if self._ended else self.url}>"

    def _repr_html_(self) -> str:
        if self._ended:
            return f"<p>The page of <b>{html.escape(plain_text(self.title))}</b> is closed.</p>"
        style = "width:100%;height:600px;border:1px solid #8885;border-radius:8px"
        return (
            f'<iframe title="the robot in 3-D, moved by Python" style="{style}" '
            f'src="{html.escape(self.url, quote=True)}"></iframe>'
        )

    # --- what the server asks -----------------------------------------------------------------------------------------
    def enter(self) -> bool:
        """Whether one more browser may listen."""
        with self._changed:
            if self._ended or self._listeners >= LISTENERS:
                return False
            self._listeners += 1
            self._changed.notify_all()
            return True

    def leave(self) -> None:
        """One browser less."""
        with self._changed:
            self._listeners -= 1
            self._changed.notify_all()

    def news(self, seen: int) -> tuple[int, str | None]:
        """The newest state, as an event; the last news is the end."""
        if seen >= 0:
            time.sleep(PACE)
        with self._changed:
            self._changed.wait_for(lambda: self._ended or self._number != seen, QUIET)
            number, q, ended = self._number, self._q, self._ended
        if number != seen:
            text = f"event: state\ndata: {json.dumps({'q': [float(x) for x in q]}, allow_nan=False)}\n\n"
            return (ENDED, f"{text}event: end\ndata: {{}}\n\n") if ended else (number, text)
        return (ENDED, "event: end\ndata: {}\n\n") if ended else (seen, None)
