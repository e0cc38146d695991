"""A page that Python moves: who is let in, what arrives, and how it ends."""

import http.client
import json
import socket
import threading
from contextlib import closing

import numpy as np
import pytest
from pages import HOSTILE, data_of

import ordern
from ordern.errors import InputError, OrdernError, ShapeError
from ordern.view import live as living

QUIET = {"open_browser": False, "say": lambda text: None}


def asked(port, path, method="GET", **headers):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.putrequest(method, path, skip_host=True)
    for key, value in {"Host": f"127.0.0.1:{port}", **headers}.items():
        connection.putheader(key, value)
    connection.endheaders()
    return connection, connection.getresponse()


def status(port, path, method="GET", **headers):
    connection, answer = asked(port, path, method, **headers)
    with closing(connection):
        return answer.status


def events(answer):
    """(name, data) of every event, as they come."""
    name = None
    for raw in answer:
        line = raw.decode().rstrip("\n")
        if line.startswith("event: "):
            name = line[7:]
        elif line.startswith("data: "):
            yield name, json.loads(line[6:])


def path_of(page):
    return page.url.split(str(page.port), 1)[1]


def test_what_python_sets_arrives_and_the_end_is_told():
    robot = ordern.robots.puma560()
    with robot.live(**QUIET) as page:
        connection, answer = asked(page.port, path_of(page) + "events")
        with closing(connection):
            assert (
                answer.status == 200 and answer.headers["Content-Type"].startswith("text/event-stream") and page.wait(5)
            )
            stream = events(answer)
            assert next(stream) == ("state", {"q": [0.0] * 6})
            for k in range(3):
                q = np.linspace(-1, 1, 6) * (k + 1) / 7
                page.q = q
                name, found = next(stream)
                while found["q"] != q.tolist():
                    name, found = next(stream)
                assert name == "state" and np.array_equal(page.q, q)
            closer = threading.Thread(target=page.close)
            closer.start()
            assert [name for name, _ in stream][-1] == "end"
            closer.join()
    assert page.closed
    with pytest.raises(OSError):
        asked(page.port, path_of(page))
    with pytest.raises(InputError, match=r"closed.*robot\.live"):
        page.q = q
    page.close()


def test_only_the_newest_of_many_states_is_sent():
    with ordern.robots.pendulum().live(**QUIET) as page:
        connection, answer = asked(page.port, path_of(page) + "events")
        with closing(connection):
            stream = events(answer)
            next(stream)
            for k in range(1, 2001):
                page.q = [k / 2000]
            seen = [next(stream)[1]["q"][0]]
            while seen[-1] < 1:
                seen.append(next(stream)[1]["q"][0])
            assert seen == sorted(seen) and seen[-1] == 1.0 and len(seen) < 1000


def test_token_host_and_origin_are_asked_for():
    with ordern.robots.pendulum().live(**QUIET) as page, ordern.robots.pendulum().live(**QUIET) as other:
        home, feed = path_of(page), path_of(page) + "events"
        here = f"127.0.0.1:{page.port}"
        assert page.url != other.url and page._server._http.server_address[0] == "127.0.0.1"
        assert status(page.port, home) == 200 and status(page.port, home, Host=f"localhost:{page.port}") == 200
        for wrong in (
            "/",
            "/events",
            home[:-1],
            f"/{'A' * 32}/",
            f"/{'A' * 32}/events",
            path_of(other),
            path_of(other) + "events",
            feed + "/",
            feed + "?x=1",
        ):
            assert status(page.port, wrong) == 404, wrong
        for path in (home, feed):
            assert status(page.port, path, Host="evil.example") == 404
            assert status(page.port, path, Host=f"evil.example:{page.port}") == 404
            assert status(page.port, path, Origin="http://evil.example") == 404
            assert status(page.port, path, method="POST") == 501
        connection, answer = asked(page.port, feed, Origin=f"http://{here}")
        connection.close()
        assert answer.status == 200 and "Access-Control-Allow-Origin" not in answer.headers


def test_page_may_ask_its_own_place_only_and_notebooks_may_frame_it():
    robot = ordern.robots.planar3()
    with robot.live(title=HOSTILE, **QUIET) as page:
        connection, answer = asked(page.port, path_of(page))
        with closing(connection):
            text = answer.read().decode()
        policy = answer.headers["Content-Security-Policy"]
        assert "connect-src 'self'" in policy and "default-src 'none'" in policy and "unsafe" not in policy
        assert "frame-ancestors 'self' http://localhost:*" in policy and "X-Frame-Options" not in answer.headers
        assert (
            data_of(text)["live"] is True
            and data_of(robot.page())["live"] is False
            and "connect-src" not in robot.page()
        )
        frame = page._repr_html_()
        assert frame.startswith("<iframe") and page.url in frame and "<script" not in frame
    assert "closed" in page._repr_html_() and "<img" not in page._repr_html_()


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ([1.0, 2.0], ShapeError),
        ([np.nan], InputError),
        (["x"], InputError),
        (None, OrdernError),
        ([[0.1]], ShapeError),
        ([1j], InputError),
    ],
)
def test_wrong_states_are_refused_and_nothing_moves(value, error):
    with ordern.robots.pendulum().live(q=[0.25], **QUIET) as page:
        with pytest.raises(error):
            page.q = value
        assert page.q.tolist() == [0.25]


def test_listeners_are_counted_and_bounded(monkeypatch):
    monkeypatch.setattr(living, "LISTENERS", 2)
    with ordern.robots.pendulum().live(**QUIET) as page:
        assert not page.wait(0.01) and page.listeners == 0
        held = [asked(page.port, path_of(page) + "events") for _ in range(2)]
        assert [answer.status for _, answer in held] == [200, 200] and page.listeners == 2
        assert status(page.port, path_of(page) + "events") == 503
        for connection, _ in held:
            connection.close()


def test_port_and_what_is_said(monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(InputError, match="in use"):
            ordern.robots.pendulum().live(port=taken.getsockname()[1], **QUIET)
    said = []
    for key in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(key, raising=False)
    monkeypatch.setattr(living.sys, "platform", "linux")
    with ordern.robots.pendulum().live(title="a\x1b[31mb", say=said.append) as page:
        assert said == [f"a\ufffd[31mb is at {page.url}"] and page.url in repr(page)
