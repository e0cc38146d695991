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
from typing import Any

from ..errors import InputError

__all__ = ["Server"]


class Server:
    """Serves one text until it is closed; ``url`` is where."""

    def __init__(self, text: str, policy: str, port: int = 0) -> None:
        if isinstance(port, bool) or not isinstance(port, int) or not 0 <= port <= 65535:
            raise InputError(f"port is {port!r}; give a whole number from 1 to 65535, or 0 for any free one")
        self.token = secrets.token_urlsafe(24)
        body = text.encode()
        try:
            self._http = _Http(("127.0.0.1", port), _handler(f"/{self.token}/", body, policy))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise InputError(f"port {port} is in use; choose another one, or 0 for any that is free") from None
            raise InputError(f"port {port} cannot be opened ({error.strerror}); choose one above 1023, or 0 for any that is free") from None
        self.port = int(self._http.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}/{self.token}/"
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.1}, name="ordern page", daemon=True)
        self._thread.start()

    def open(self) -> str:
        """Open the page in the default browser; what to do where that fails, or nothing."""
        ways = "open the address in a browser yourself"
        if sys.platform.startswith("linux") and not any(os.environ.get(k) for k in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")):
            return f"no display here: {ways}; from another machine first run: ssh -L {self.port}:127.0.0.1:{self.port} THIS-MACHINE"
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

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class _Http(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = False

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that hangs up is no error."""


def _handler(path: str, body: bytes, policy: str) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 20
        server_version = "ordern"
        sys_version = ""

        def do_GET(self) -> None:
            self._answer(send=True)

        def do_HEAD(self) -> None:
            self._answer(send=False)

        def _answer(self, send: bool) -> None:
            port = self.connection.getsockname()[1]
            known = self.headers.get("Host") in (f"127.0.0.1:{port}", f"localhost:{port}")  # else some other site's name leads here
            right = known and secrets.compare_digest(self.path.encode(), path.encode())
            content = body if right else b"not found\n"
            self.send_response(HTTPStatus.OK if right else HTTPStatus.NOT_FOUND)
            for key, value in {
                "Content-Type": f"text/{'html' if right else 'plain'}; charset=utf-8",
                "Content-Length": str(len(content)),
                "Content-Security-Policy": f"{policy}; frame-ancestors 'none'" if right else "default-src 'none'",
                "X-Content-Type-Options": "nosniff",
                "X-Frame-Options": "DENY",
                "Referrer-Policy": "no-referrer",
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Cache-Control": "no-store",
            }.items():
                self.send_header(key, value)
            self.end_headers()
            if send:
                self.wfile.write(content)

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    return Handler
