from __future__ import annotations

import threading

import pytest

from semcrawl.errors import FetchError
from semcrawl.web.connections import Clock, Dialler, current


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
