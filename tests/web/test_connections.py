from __future__ import annotations

import pytest

from semcrawl.errors import FetchError
from semcrawl.web.connections import Clock, Connection, Dialler
from semcrawl.web.pool import Pool


def port_of(loopback: str) -> int:
    return int(loopback.rpartition(":")[2])


def dial(loopback: str, key: str = "a") -> Connection:
    dialler = Dialler(1.0, allow_private=True, proxy=None)
    return Connection(key, dialler.open("127.0.0.1", port_of(loopback), Clock(5, 5), None))


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


def test_a_name_is_judged_by_the_address_it_resolves_to(loopback: str) -> None:
    dialler = Dialler(1.0, allow_private=False, proxy=None)
    with pytest.raises(FetchError, match="loopback") as caught:
        dialler.open("localhost", port_of(loopback), Clock(5, 5), None)
    assert caught.value.reason == "AddressRefused"


def test_a_proxy_may_be_local(loopback: str) -> None:
    dialler = Dialler(1.0, allow_private=False, proxy=("127.0.0.1", port_of(loopback)))
    with dialler.open("example.test", 80, Clock(5, 5), None) as sock:
        assert sock.getpeername()[1] == port_of(loopback)


def test_a_pool_hands_out_the_latest_connection_of_a_key(loopback: str) -> None:
    pool = Pool(per_key=2, total=10, idle_seconds=60)
    first, second, other = dial(loopback), dial(loopback), dial(loopback, "b")
    for connection in (first, second, other):
        pool.give_back(connection)
    taken = [pool.take("a"), pool.take("a"), pool.take("a")]
    assert taken == [second, first, None]
    for connection in (first, second):
        connection.close()
    pool.close()


def test_a_pool_keeps_no_more_than_it_may(loopback: str) -> None:
    pool = Pool(per_key=1, total=2, idle_seconds=60)
    for key in ("a", "a", "b", "c"):
        pool.give_back(dial(loopback, key))
    assert pool.take("a") is None
    kept = [pool.take("b"), pool.take("c")]
    assert None not in kept
    pool.close()
    for connection in kept:
        if connection:
            pool.give_back(connection)
    assert pool.take("b") is None


def test_a_pool_forgets_what_was_idle_too_long(loopback: str) -> None:
    pool = Pool(per_key=1, total=1, idle_seconds=0)
    pool.give_back(dial(loopback))
    assert pool.take("a") is None
