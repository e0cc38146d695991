"""One page on 127.0.0.1, behind an address that cannot be guessed."""

from __future__ import annotations

import errno
import os
import secrets
import sys
import threading
import webbrowser
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import ClassVar, Protocol

from ..errors import InputError

__all__ = ["ENDED", "Feed", "Server"]

ENDED = -2  # the number of a feed's last news


class Server:
    """Serves one text at ``url`` until closed; a ``feed`` sends events after it, and notebooks may frame it."""

    def __init__(self, text: str, policy: str, port: int = 0, feed: Feed | None = None) -> None:
        if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
            raise InputError(f"port is {port!r}; give a whole number from 1 to 65535, or 0 for any free one")
        self.token = secrets.token_urlsafe(24)
        body = text.encode()
        try:
            self._http = _Http(("127.0.0.1", port), _handler(f"/{self.token}/", body, policy, feed))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise InputError(f"port {port} is in use; choose another one, or 0 for any that is free") from None
            raise InputError(
                f"port {port} cannot be opened ({error.strerror}); choose one above 1023, or 0 for any that is free"
            ) from None
        self.port = int(self._http.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}/{self.token}/"
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.1}, name="ordern page", daemon=True
        )
        self._thread.start()

    def open(self) -> str:
        """Open the page in the default browser; what to do where that fails, or nothing."""
        ways = "open the address in a browser yourself"
        if sys.platform.startswith("linux") and not any(
            os.environ.get(k) for k in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
        ):
            return (
                f"no display here: {ways}; from another machine first run: ssh -L {self.port}:127.0.0.1:{self.port} "
                "THIS-MACHINE"
            )
        try:
            opened = webbrowser.open(self.url)
        except (webbrowser.Error, OSError):
            opened = False
        return "" if opened else f"no browser was found: {ways}, or write the page to a file instead"

    def wait(self) -> None:
        """Until the server is closed, or KeyboardInterrupt."""
        while self._thread.is_alive():
            self._thread.join(0.2)

    def close(self) -> None:
        """Stop serving."""
        if self._thread.is_alive():
            self._http.shutdown()
            self._thread.join()
        self._http.server_close()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Feed(Protocol):
    """Events for an open page."""

    def enter(self) -> bool:
        """Whether one more may listen."""

    def leave(self) -> None:
        """One less listens."""

    def news(self, seen: int) -> tuple[int, str | None]:
        """Wait for an event newer than ``seen``: its number and text; None after a while; ENDED at the end."""


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = False

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that hangs up is no error."""


# who may frame a live page
NOTEBOOKS = "'self' http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:* vscode-webview:"


class _Handler(BaseHTTPRequestHandler):
    address: ClassVar[str]
    body: ClassVar[bytes]
    policy: ClassVar[str]
    feed: ClassVar[Feed | None]
    timeout = 20
    server_version = "ordern"
    sys_version = ""

    def do_GET(self) -> None:
        if self.feed is not None and self._known(f"{self.address}events"):
            self._events(self.feed)
        else:
            self._answer(send=True)

    def do_HEAD(self) -> None:
        self._answer(send=False)

    def _known(self, path: str) -> bool:
        """Whether it is this address that is asked for, by its own name: else some other site's name leads here."""
        port = self.connection.getsockname()[1]
        here = [f"127.0.0.1:{port}", f"localhost:{port}"]
        asked = self.headers.get("Origin")
        own = asked is None or asked in [f"http://{name}" for name in here]
        return own and self.headers.get("Host") in here and secrets.compare_digest(self.path.encode(), path.encode())

    def _answer(self, send: bool) -> None:
        right = self._known(self.address)
        content = self.body if right else b"not found\n"
        self._head(HTTPStatus.OK if right else HTTPStatus.NOT_FOUND, "html" if right else "plain", right, len(content))
        if send:
            self.wfile.write(content)

    def _head(self, status: HTTPStatus, kind: str, right: bool, length: int | None) -> None:
        framed = NOTEBOOKS if self.feed is not None else "'none'"
        self.send_response(status)
        for key, value in {
            "Content-Type": f"text/{kind}; charset=utf-8",
            "Content-Length": None if length is None else str(length),
            "Content-Security-Policy": f"{self.policy}; frame-ancestors {framed}" if right else "default-src 'none'",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": None if right and self.feed is not None else "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-store",
        }.items():
            if value is not None:
                self.send_header(key, value)
        self.end_headers()

    def _events(self, feed: Feed) -> None:
        """The feed's events, until it ends or nobody listens."""
        if not feed.enter():
            self._head(HTTPStatus.SERVICE_UNAVAILABLE, "plain", False, 0)
            return
        try:
            self._head(HTTPStatus.OK, "event-stream", True, None)
            seen = -1
            while seen != ENDED:
                seen, text = feed.news(seen)
                self.wfile.write((text or ": still here\n\n").encode())
                self.wfile.flush()
        except OSError:
            pass  # the browser has gone
        finally:
            feed.leave()
            self.close_connection = True

    def log_message(self, format: str, *args: object) -> None:
        """Quiet."""


def _handler(address: str, body: bytes, policy: str, feed: Feed | None) -> type[BaseHTTPRequestHandler]:
    return type("Handler", (_Handler,), {"address": address, "body": body, "policy": policy, "feed": feed})
