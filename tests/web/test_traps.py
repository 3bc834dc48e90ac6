from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.web.traps import HostsOfDomains, TrapGuard, may_be_of_series
from semcrawl.web.urls import join

JANUARY_2026 = 1_767_225_600.0


@pytest.fixture
def guard() -> TrapGuard:
    return TrapGuard(max_queries=50, max_dates=50, clock=lambda: JANUARY_2026)


@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("/" + "x" * 1100, "longer than 1024"),
        ("/" + "/".join(map(str, range(30))), "more than 20 segments"),
        ("/a/b/a/c/a/d/a", "segment 'a' 4 times"),
        ("/x/a/b/a/b/a/b", "repeats a group"),
        ("/?" + "&".join(f"p{number}=1" for number in range(20)), "more than 12 parameters"),
        ("/cal/2345-06/", "too far away"),
        ("/cal/2030/01/", "too far away"),
        ("/cal/1212/12/25/", "too far away"),
        ("/cal?month=2099-01", "too far away"),
        ("/cal?year=2090&month=5", "too far away"),
        ("/cal?m=x&cal_year=90210&day=1", "too far away"),
    ],
)
def test_shapes_that_give_a_trap_away(guard: TrapGuard, path: str, why: str) -> None:
    assert why in str(guard.check(f"http://e.org{path}"))


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/a/b/c/d.html",
        "/a/a/a",
        "/2024/03/21/some-story.html",
        "/archive/1898-01-01/ed-1/",
        "/1066",
        "/forum/2345/6",
        "/forum/2345/11",
        "/thread/9876/12",
        "/product?id=90210",
        "/history?year=1066",
        "/search?q=2345&page=3",
        "/doc/12345-06",
        "/v/2.0.1/",
    ],
)
def test_shapes_of_honest_sites(guard: TrapGuard, path: str) -> None:
    assert guard.check(f"http://e.org{path}") is None


def suspected(guard: TrapGuard, urls: list[str]) -> list[str]:
    return [url for url in urls if guard.check(url)]


@pytest.mark.parametrize(
    "pattern",
    [
        "http://e.org/p/{0}.html",
        "http://e.org/article.php?id={0}",
        "http://e.org/forum?topic={0}&page={1}",
        "http://e.org/index.php?option=content&view=article&id={0}",
        "http://e.org/2024/03/21/story-{0}",
    ],
)
def test_long_series_of_honest_pages_go_through(guard: TrapGuard, pattern: str) -> None:
    assert not suspected(guard, [pattern.format(number, number % 7) for number in range(5000)])


def test_the_days_of_a_calendar_come_to_an_end(guard: TrapGuard) -> None:
    days = [
        f"http://e.org/cal/{year}/{month:02}/{day:02}/"
        for year in (2024, 2025)
        for month in range(1, 13)
        for day in range(1, 29)
    ]
    assert suspected(guard, days) == days[50:]
    assert suspected(guard, days[:50]) == []
    assert guard.check("http://other.org/cal/2025/12/28/") is None


def test_the_months_of_a_query_calendar_come_to_an_end(guard: TrapGuard) -> None:
    months = [f"http://e.org/cal?year={year}&month={month}" for year in range(2010, 2020) for month in range(1, 13)]
    assert suspected(guard, months) == months[50:]


def test_the_filters_of_a_shop_come_to_an_end(guard: TrapGuard) -> None:
    filters = [
        f"http://e.org/shop?colour={colour}&size={size}&sort={sort}"
        for colour in range(6)
        for size in range(6)
        for sort in range(6)
    ]
    found = suspected(guard, filters)
    assert len(filters) - len(found) == 50
    assert suspected(guard, filters) == found


def test_memory_is_bounded() -> None:
    guard = TrapGuard(max_queries=50, max_dates=50, remembered=1000, clock=lambda: JANUARY_2026)
    for host in range(300):
        for number in range(60):
            guard.check(f"http://h{host}.org/cal/{1990 + number % 30}/{1 + number % 12:02}/?x={number}")
    assert guard.size <= 1100


@given(st.text(max_size=40).map(lambda tail: join("http://e.org/", tail)))
def test_an_answer_does_not_change_when_asked_again(url: str | None) -> None:
    guard = TrapGuard()
    if url is not None:
        assert guard.check(url) == guard.check(url)


@pytest.mark.parametrize("path", ["/list?a={0}&b={0}&c={0}", "/2019/05/{0:02}/", "/list?year=2019&month={0}", "/{0}"])
def test_a_guard_remembers_only_what_may_be_of_a_series(path: str) -> None:
    urls = ["http://shop.test" + path.format(number) for number in range(1, 13)]
    all_met, some_met = (TrapGuard(max_queries=20, max_dates=12) for _ in range(2))
    for url in urls:
        all_met.check(url)
        if may_be_of_series(url):
            some_met.check(url)
    assert all_met.size == some_met.size
    more = ["http://shop.test" + path.format(number) for number in range(13, 28)]
    assert [all_met.check(url) for url in more] == [some_met.check(url) for url in more]


def test_a_domain_whose_hosts_have_no_end_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HostsOfDomains, "most", 3)
    hosts = HostsOfDomains()
    said = [hosts.answered(host) for host in ("a.evil.org", "b.evil.org:81", "a.evil.org", "evil.org", "d.evil.org")]
    assert said == [False, False, False, True, False]
    assert hosts.is_full("e.evil.org:8080")
    assert not any(map(hosts.is_full, ("a.evil.org", "evil.com", "127.0.0.1:80", "[::1]:80")))


def test_hosts_below_a_public_suffix_have_owners_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HostsOfDomains, "most", 2)
    hosts = HostsOfDomains()
    assert not any(map(hosts.answered, ("ann.github.io", "bob.github.io", "bbc.co.uk", "itv.co.uk")))
    assert not hosts.is_full("eve.github.io")
