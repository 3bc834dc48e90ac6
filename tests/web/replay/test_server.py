from __future__ import annotations

import socket
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import FetchError
from semcrawl.web import ReplayServer, Response, open_replay
from semcrawl.web.http import HttpFetcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from semcrawl.web import Replay


@pytest.fixture
def replay(write: Callable[[str, str], Path]) -> Replay:
    write("a.html", "<p>a")
    write("b.html", "<p>b")
    return open_replay(
        write(
            "urls.tsv",
            "http://a.test/\ta.html\nhttp://b.test/x\tb.html\nhttp://a.test/old\t/new\t302\n"
            "http://a.test/gone\ta.html\t404\n",
        ).parent
    )


@pytest.fixture
def server(replay: Replay) -> Iterator[ReplayServer]:
    with ReplayServer(replay) as server:
        yield server


@pytest.fixture
def fetcher(server: ReplayServer) -> Iterator[HttpFetcher]:
    fetcher = HttpFetcher("semcrawl/0.1", proxy=server.proxy)
    yield fetcher
    fetcher.close()


def say(server: ReplayServer, request: bytes) -> bytes:
    """Send raw bytes and return all that comes back until the server hangs up."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as connection:
        connection.sendall(request)
        answer = b""
        while piece := connection.recv(65536):
            answer += piece
    return answer


def test_many_hosts_are_served_through_one_proxy(server: ReplayServer, fetcher: HttpFetcher) -> None:
    assert fetcher.fetch("http://a.test/").body == b"<p>a"
    assert fetcher.fetch("http://b.test/x").body == b"<p>b"
    assert fetcher.fetch("http://a.test/").content_type == "text/html"
    assert server.requests == {"http://a.test/": 2, "http://b.test/x": 1}
    assert server.requests_by_host == {"a.test": 2, "b.test": 1}


def test_recorded_statuses_are_served(fetcher: HttpFetcher) -> None:
    assert fetcher.fetch("http://a.test/old").redirect == "http://a.test/new"
    with pytest.raises(FetchError, match="status 404"):
        fetcher.fetch("http://a.test/gone")


@pytest.mark.parametrize("url", ["http://a.test/robots.txt", "http://nowhere.test/"])
def test_what_was_not_recorded_is_not_found(fetcher: HttpFetcher, url: str) -> None:
    with pytest.raises(FetchError) as caught:
        fetcher.fetch(url)
    assert caught.value.status == 404


def test_tunnels_are_not_offered(server: ReplayServer, fetcher: HttpFetcher) -> None:
    with pytest.raises(FetchError, match="opens no tunnel") as caught:
        fetcher.fetch("https://a.test/")
    assert caught.value.reason == "ConnectFailed"
    assert b"speaks plain HTTP" in say(server, b"CONNECT a.test:443 HTTP/1.1\r\n\r\n")


def test_direct_requests_are_answered_by_host(server: ReplayServer) -> None:
    answer = say(server, b"GET /x HTTP/1.1\r\nHost: b.test\r\nConnection: close\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 200 OK\r\n")
    assert answer.endswith(b"\r\n\r\n<p>b")


def test_a_head_request_gets_the_head(server: ReplayServer) -> None:
    answer = say(server, b"HEAD http://b.test/x HTTP/1.0\r\n\r\n")
    assert b"content-length: 4\r\n" in answer
    assert answer.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (b"GET /\r\n\r\n", b"400"),
        (b"GET http://a{b/ HTTP/1.0\r\n\r\n", b"400"),
        (b"GET / HTTP/1.0\r\n\r\n", b"400"),
        (b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n", b"400"),
        (b"POST http://a.test/ HTTP/1.1\r\n\r\n", b"501"),
    ],
)
def test_bad_requests_are_told_so(server: ReplayServer, request_bytes: bytes, status: bytes) -> None:
    assert say(server, request_bytes).split()[1] == status


def test_answers_made_on_the_spot_come_first(replay: Replay) -> None:
    def endless(url: str) -> Response | None:
        if not url.startswith("http://trap.test/"):
            return None
        body = f"<a href='{url}x'>more</a>".encode()
        return Response(url, 200, {"content-type": "text/html"}, body, 0.0, 0.0)

    with ReplayServer(replay, latency=0.001, answers=endless) as server:
        fetcher = HttpFetcher("semcrawl/0.1", proxy=server.proxy)
        assert fetcher.fetch("http://trap.test/x").body == b"<a href='http://trap.test/xx'>more</a>"
        assert fetcher.fetch("http://a.test/").body == b"<p>a"
        fetcher.close()


def test_closing_ends_connections_that_are_kept_alive(replay: Replay) -> None:
    server = ReplayServer(replay).__enter__()
    fetcher = HttpFetcher("semcrawl/0.1", proxy=server.proxy)
    fetcher.fetch("http://a.test/")
    server.close()
    with pytest.raises(FetchError):
        fetcher.fetch("http://a.test/")
    fetcher.close()


def test_a_server_that_was_never_entered_can_be_closed(replay: Replay) -> None:
    ReplayServer(replay).close()
