from __future__ import annotations

import itertools
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.web import DropReason, Replay, ReplayServer, Response, Robots
from semcrawl.web.http import HttpFetcher

if TYPE_CHECKING:
    from collections.abc import Iterator

SITE = "http://site.test"
ROBOTS = f"{SITE}/robots.txt"


class Web:
    """A web of robots.txt files behind a real server, and a clock that tests turn."""

    def __init__(self) -> None:
        self.answers: dict[str, Response] = {}
        self.now = 0.0
        self.server = ReplayServer(None, answers=self.answers.get).__enter__()
        self.fetcher = HttpFetcher("semcrawl/0.1", proxy=self.server.proxy)

    def put(self, body: bytes | str, status: int = 200, url: str = ROBOTS, **headers: str) -> None:
        data = body.encode() if isinstance(body, str) else body
        fields = {"content-type": "text/plain"} | headers
        self.answers[url] = Response(url, status, fields, data, 0.0, 0.0)

    def robots(self, **options: float) -> Robots:
        return Robots(
            self.fetcher,
            "semcrawl/0.1 (+me)",
            clock=lambda: self.now,
            **options,  # type: ignore[arg-type]
        )

    def close(self) -> None:
        self.fetcher.close()
        self.server.close()


@pytest.fixture
def web() -> Iterator[Web]:
    web = Web()
    yield web
    web.close()


def test_rules_for_our_token_come_before_those_for_all(web: Web) -> None:
    web.put("User-agent: *\nDisallow: /\n\nUser-agent: SemCrawl\nDisallow: /private\nAllow: /private/not\n")
    rules = web.robots().rules(f"{SITE}/a")
    assert rules.state == "found"
    assert rules.allows(f"{SITE}/a")
    assert not rules.allows(f"{SITE}/private/x")
    assert rules.allows(f"{SITE}/private/not")
    assert rules.refusal(f"{SITE}/private/x") is DropReason.ROBOTS_DISALLOW


def test_wildcards_and_ends(web: Web) -> None:
    web.put("User-agent: *\nDisallow: /*.pdf$\nDisallow: /*?print=\n")
    rules = web.robots().rules(SITE + "/")
    assert [rules.allows(SITE + path) for path in ("/a.pdf", "/a.pdf?x", "/a?print=1", "/a")] == [
        False,
        True,
        False,
        True,
    ]


@pytest.mark.parametrize(
    ("status", "state"), [(404, "absent"), (403, "absent"), (410, "absent"), (429, "unreachable"), (500, "unreachable")]
)
def test_missing_files_allow_everything_failing_ones_nothing(web: Web, status: int, state: str) -> None:
    web.put("User-agent: *\nDisallow: /", status)
    rules = web.robots().rules(f"{SITE}/a")
    assert rules.state == state
    assert rules.allows(f"{SITE}/a") is (state == "absent")


def test_a_host_that_cannot_be_reached_is_closed_for_now() -> None:
    robots = Robots(HttpFetcher("semcrawl/0.1"), "semcrawl/0.1")
    rules = robots.rules("http://127.0.0.1:2/a")
    assert rules.refusal("http://127.0.0.1:2/a") is DropReason.ROBOTS_UNREACHABLE


def test_a_replay_without_robots_txt_allows_everything() -> None:
    assert Robots(Replay({}), "semcrawl/0.1").rules(f"{SITE}/a").state == "absent"


@pytest.mark.parametrize(("hops", "state"), [(0, "found"), (5, "found"), (6, "absent")])
def test_up_to_five_redirects_are_followed(web: Web, hops: int, state: str) -> None:
    urls = [ROBOTS] + [f"http://hop{number}.test/r" for number in range(hops)]
    for url, target in itertools.pairwise(urls):
        web.put("", 301, url, location=target)
    web.put("User-agent: *\nDisallow: /x", url=urls[-1])
    rules = web.robots().rules(f"{SITE}/a")
    assert rules.state == state
    assert rules.allows(f"{SITE}/x") is (state == "absent")


def test_files_of_many_hosts_lead_to_another_domain_once_a_second(web: Web) -> None:
    for number in range(5):
        web.put("", 302, f"http://h{number}.test/robots.txt", location="http://victim.test/robots.txt")
    web.put("User-agent: *\nDisallow: /a", url="http://victim.test/robots.txt")
    robots = web.robots()
    states = [robots.rules(f"http://h{number}.test/").state for number in range(4)]
    assert states == ["found", "unreachable", "unreachable", "unreachable"]
    web.now += 2.0
    assert not robots.rules("http://h4.test/").allows("http://h4.test/a")


def test_the_ports_of_another_domain_are_led_to_together(web: Web) -> None:
    for number in range(3):
        target = f"http://victim.test:{8080 + number}/robots.txt"
        web.put("", 302, f"http://h{number}.test/robots.txt", location=target)
        web.put("", url=target)
    robots = web.robots()
    states = [robots.rules(f"http://h{number}.test/").state for number in range(3)]
    assert states == ["found", "unreachable", "unreachable"]


def test_a_redirect_to_a_private_address_closes_the_site(web: Web) -> None:
    web.put("", 302, location="http://127.0.0.1/robots.txt")
    assert web.robots().rules(f"{SITE}/a").state == "unreachable"


@pytest.mark.parametrize(
    ("lines", "delay"),
    [
        ("Crawl-delay: 2.5", 2.5),
        ("Crawl-delay: 3600", 30.0),
        ("Crawl-delay: -1", 0.0),
        ("Crawl-delay: nan", 0.0),
        ("Crawl-delay: soon", 0.0),
        ("Request-rate: 1/10s", 10.0),
        ("Request-rate: 30/1m\nCrawl-delay: 1", 2.0),
        ("Request-rate: 1/" + "9" * 400, 30.0),
        ("Disallow: /x", 0.0),
    ],
)
def test_the_asked_delay_is_honoured_up_to_a_cap(web: Web, lines: str, delay: float) -> None:
    web.put(f"User-agent: *\n{lines}\n")
    assert web.robots().rules(SITE + "/").delay == delay


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbfUser-agent: *\nDisallow: /x",
        "User-agent: *\nDisallow: /x".encode("utf-16"),
        b"\xff\x00\xfe junk\r\nUser-agent: *\rDisallow: /x\r\n",
        b"User-agent: *\nDisallow: /x\n" + b"#" * 600_000,
    ],
    ids=["bom", "utf-16", "junk", "huge"],
)
def test_odd_files_are_read_as_far_as_possible(web: Web, body: bytes) -> None:
    web.put(body)
    assert not web.robots().rules(SITE + "/").allows(f"{SITE}/x")


def test_no_more_than_500_kib_count_and_no_line_is_cut(web: Web) -> None:
    filler = "#" * (500 * 1024 - 40) + "\n"
    web.put(f"{filler}User-agent: *\nDisallow: /abcdefghijklmnopqrstuvwxyz\n")
    assert web.robots().rules(SITE + "/").allows(f"{SITE}/abc")


@given(st.binary(max_size=300))
def test_any_bytes_make_rules(body: bytes) -> None:
    class Bytes(Replay):
        def answer(self, url: str) -> Response:
            return Response(url, 200, {}, body, 0.0, 0.0)

    rules = Robots(Bytes({}), "semcrawl").rules(SITE + "/")
    assert rules.allows(SITE + "/a") in {True, False}
    assert 0 <= rules.delay <= 30


def test_a_host_is_asked_once_a_day(web: Web) -> None:
    web.put("User-agent: *\nDisallow: /x")
    robots = web.robots()
    for _ in range(3):
        robots.rules(SITE + "/a")
    assert web.server.requests[ROBOTS] == 1
    web.now += 25 * 3600
    robots.rules(SITE + "/a")
    assert web.server.requests[ROBOTS] == 2


def test_an_unreachable_file_is_asked_for_again_after_a_while(web: Web) -> None:
    web.put("", 503)
    robots = web.robots()
    assert not robots.rules(SITE + "/a").allows(SITE + "/a")
    web.put("")
    web.now += 60
    assert not robots.rules(SITE + "/a").allows(SITE + "/a")
    web.now += 600
    assert robots.rules(SITE + "/a").allows(SITE + "/a")


def test_known_rules_outlive_a_failure(web: Web) -> None:
    web.put("User-agent: *\nDisallow: /x")
    robots = web.robots()
    robots.rules(SITE + "/")
    web.put("", 503)
    web.now += 25 * 3600
    rules = robots.rules(SITE + "/")
    assert (rules.allows(SITE + "/a"), rules.allows(SITE + "/x")) == (True, False)


def test_ports_and_schemes_have_files_of_their_own(web: Web) -> None:
    robots = web.robots()
    robots.rules(SITE + "/")
    robots.rules(SITE + ":81/")
    assert set(web.server.requests) == {ROBOTS, f"{SITE}:81/robots.txt"}


def test_many_threads_ask_once(web: Web) -> None:
    web.put("User-agent: *\nDisallow: /x")
    robots = web.robots()
    together = threading.Barrier(8)

    def ask(_: int) -> bool:
        together.wait()
        return robots.rules(SITE + "/").allows(SITE + "/x")

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(ask, range(8))) == [False] * 8
    assert web.server.requests[ROBOTS] == 1


def test_only_so_many_bytes_of_rules_are_remembered(web: Web) -> None:
    for name in ("a", "b", "c"):
        web.put("User-agent: *\n" + "Disallow: /private\n" * 20, url=f"http://{name}.test/robots.txt")
    robots = web.robots(room=900)
    for name in ("a", "b", "c", "b", "a"):
        assert not robots.rules(f"http://{name}.test/").allows(f"http://{name}.test/private")
    asked = [web.server.requests[f"http://{name}.test/robots.txt"] for name in ("a", "b", "c")]
    assert asked == [2, 1, 1]


def test_only_so_many_hosts_are_remembered(web: Web) -> None:
    robots = web.robots(keep=2)
    for name in ("a", "b", "c", "a"):
        robots.rules(f"http://{name}.test/")
    assert web.server.requests["http://a.test/robots.txt"] == 2
