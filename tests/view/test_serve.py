"""The page on 127.0.0.1: who is let in, and what is said where there is no port, display or browser."""

import http.client
import socket

import pytest

from ordern.describe import builtin as robots
from ordern.errors import InputError
from ordern.view import serve as serving
from ordern.view.page import page, serve, start


def ask(port, path, host=None, method="GET"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    connection.putrequest(method, path, skip_host=True)
    connection.putheader("Host", host or f"127.0.0.1:{port}")
    connection.endheaders()
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer, body


def test_serves_only_who_knows_the_address():
    with start(robots.planar3()) as server:
        path = f"/{server.token}/"
        answer, body = ask(server.port, path)
        assert answer.status == 200 and body == page(robots.planar3()) and len(server.token) >= 32
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "frame-ancestors 'none'" in policy and "unsafe" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff" and answer.headers["Cache-Control"] == "no-store"
        assert ask(server.port, path, method="HEAD")[1] == ""
        assert ask(server.port, path, method="POST")[0].status == 501
        for wrong in (
            "/",
            "/favicon.ico",
            path[:-1],
            path + "x",
            f"/{'A' * len(server.token)}/",
            path + "../",
            "/%C3%A9",
        ):
            assert ask(server.port, wrong)[0].status == 404, wrong
        assert ask(server.port, path, host="evil.example")[0].status == 404
        assert ask(server.port, path, host=f"localhost:{server.port}")[0].status == 200
    with pytest.raises(OSError):
        ask(server.port, path)
    with start(robots.planar3()) as other:
        assert other.token != server.token


def test_listens_on_this_machine_only():
    with start(robots.pendulum()) as server:
        assert server._http.server_address[0] == "127.0.0.1"


def test_port_in_use():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match=r"in use.*or 0"):
            start(robots.pendulum(), taken.getsockname()[1])


@pytest.mark.parametrize("port", [-1, 65536, 1.5, "80", True])
def test_bad_port(port):
    with pytest.raises(InputError, match="port is"):
        start(robots.pendulum(), port)


def test_serve_says_what_to_do_and_ends_on_interrupt(monkeypatch):
    def interrupt(self):
        raise KeyboardInterrupt

    monkeypatch.setattr(serving.Server, "wait", interrupt)
    for key in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setattr(serving.sys, "platform", "linux")
    monkeypatch.setattr(serving.webbrowser, "open", lambda url: pytest.fail("there is no display"))
    said = []
    serve(robots.pendulum(), say=said.append, title="a\x1b[31mb")
    assert "http://127.0.0.1:" in said[0] and "\x1b" not in said[0] and "ssh -L" in said[1] and said[-1] == "ended"
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(serving.webbrowser, "open", lambda url: False)
    said.clear()
    serve(robots.pendulum(), say=said.append)
    assert "no browser" in said[1]
    said.clear()
    serve(robots.pendulum(), open_browser=False, say=said.append)
    assert len(said) == 2
