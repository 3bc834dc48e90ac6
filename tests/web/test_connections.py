from __future__ import annotations

import socket
import threading
from http.client import BadStatusLine, HTTPException, IncompleteRead, RemoteDisconnected

import pytest

from semcrawl.errors import FetchError
from semcrawl.web.connections import Clock, Dialler, HttpAnswer, current


def port_of(loopback: str) -> int:
    return int(loopback.rpartition(":")[2])


def test_a_clock_gives_what_is_left_and_then_nothing() -> None:
    clock = Clock(1000.0, 10.0)
    assert clock.left() == 10.0
    assert clock.left(5.0) == 5.0
    clock.shorten(0.0)
    with pytest.raises(TimeoutError):
        clock.left()


def test_shortening_never_lengthens() -> None:
    clock = Clock(0.0, 10.0)
    clock.shorten(1000.0)
    with pytest.raises(TimeoutError):
        clock.left()


def test_every_thread_is_at_its_own_exchange() -> None:
    mine, other = Clock(1, 1), Clock(2, 2)
    current.begin(mine)
    thread = threading.Thread(target=current.begin, args=(other,))
    thread.start()
    thread.join()
    assert current.clock is mine


def test_a_socket_keeps_to_the_clock_of_the_exchange_that_uses_it(loopback: str) -> None:
    current.begin(Clock(5, 5))
    dialler = Dialler(1.0, allow_private=True, proxy=None)
    with dialler.open("127.0.0.1", port_of(loopback)) as sock:
        current.begin(Clock(0, 5))
        with pytest.raises(TimeoutError, match="whole exchange"):
            sock.sendall(b"GET / HTTP/1.1\r\n")
        with pytest.raises(TimeoutError, match="whole exchange"):
            sock.recv_into(bytearray(1))


def test_an_exchange_knows_whether_a_connection_was_opened_for_it(loopback: str) -> None:
    current.begin(Clock(5, 5))
    assert not current.dialled
    with Dialler(1.0, allow_private=True, proxy=None).open("127.0.0.1", port_of(loopback)):
        assert current.dialled


def test_a_name_is_judged_by_the_address_it_resolves_to(loopback: str) -> None:
    current.begin(Clock(5, 5))
    dialler = Dialler(1.0, allow_private=False, proxy=None)
    with pytest.raises(FetchError, match="loopback") as caught:
        dialler.open("localhost", port_of(loopback))
    assert caught.value.reason == "AddressRefused"


def test_a_proxy_may_be_local(loopback: str) -> None:
    current.begin(Clock(5, 5))
    dialler = Dialler(1.0, allow_private=False, proxy=("127.0.0.1", port_of(loopback)))
    with dialler.open("example.test", 80) as sock:
        assert sock.getpeername()[1] == port_of(loopback)


def answer_of(head: bytes) -> HttpAnswer:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(head)
        theirs.shutdown(socket.SHUT_WR)
        answer = HttpAnswer(ours, method="GET")
        answer.begin()
        answer.close()
        return answer


def test_fields_are_kept_as_they_came_and_combined_by_name() -> None:
    answer = answer_of(
        b"HTTP/1.1 200 OK\r\nA:  1 \r\n\tand 2\r\n: nameless\r\na: 3\rB: \xe9\r\nContent-Length: 7\r\n\r\n"
    )
    assert answer.fields == [("A", "1 \r\n\tand 2"), ("a", "3"), ("B", "é"), ("Content-Length", "7")]
    assert answer.headers == {"a": "1 and 2, 3", "b": "é", "content-length": "7"}
    assert (answer.status, answer.reason, answer.length, answer.will_close) == (200, "OK", 7, True)


@pytest.mark.parametrize("line", [b"A: b" + b"\r b" * 200, b"A: b" + b"\rA:b" * 200], ids=["folded", "repeated"])
def test_fields_that_a_lone_carriage_return_ends_are_counted(line: bytes) -> None:
    with pytest.raises(HTTPException, match="more than 100 fields"):
        answer_of(b"HTTP/1.1 200 OK\r\n" + line + b"\r\n\r\n")


def test_what_is_no_field_ends_the_fields() -> None:
    assert answer_of(b"HTTP/1.1 200\r\nA: 1\r\nno field\r\nB: 2\r\n\r\n").headers == {"a": "1"}


@pytest.mark.parametrize(
    ("fields", "chunked", "length", "will_close"),
    [
        (b"", False, None, True),
        (b"Content-Length: 5\r\nContent-Length: 5\r\n", False, 5, False),
        (b"Content-Length: five\r\n", False, None, True),
        (b"Content-Length: -5\r\n", False, None, True),
        (b"Content-Length: 5\r\nConnection: Close\r\n", False, 5, True),
        (b"Transfer-Encoding: Chunked\r\nContent-Length: 5\r\n", True, None, True),
        (b"Transfer-Encoding: gzip, chunked\r\nContent-Length: 5\r\n", False, 5, True),
        (b"Content-Length: 5\r\nA: 1\r\n and 2\r\n", False, 5, False),
        (b"Content-Length: 5\r\nno field\r\n", False, 5, True),
        (b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", True, None, False),
    ],
)
def test_a_head_says_where_the_body_ends(fields: bytes, chunked: bool, length: int | None, will_close: bool) -> None:
    answer = answer_of(b"HTTP/1.1 200 OK\r\n" + fields + b"\r\n")
    assert (answer.chunked, answer.length, answer.will_close) == (chunked, length, will_close)


@pytest.mark.parametrize("line", [b"hello", b"HTTP/2 200 OK", b"HTTP/1.1 20", b"HTTP/1.1 2000 OK", b"ICY 200 OK"])
def test_what_is_no_status_line_is_refused(line: bytes) -> None:
    with pytest.raises(BadStatusLine):
        answer_of(line + b"\r\n\r\n")


def test_only_an_answer_that_never_began_is_a_hang_up() -> None:
    with pytest.raises(RemoteDisconnected):
        answer_of(b"")
    for begun in (b"HTTP/1.1 200 OK\r\n", b"HTTP/1.1 103 Early\r\n\r\n"):
        with pytest.raises(IncompleteRead):
            answer_of(begun)
