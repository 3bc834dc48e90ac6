"""Whole crawls of small webs, from recordings and over real HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl import Crawl, CrawlGraph, Topic
from semcrawl.crawl import PageVisited, StopReason, UrlDropped
from semcrawl.errors import ConfigError, FetchError, StoreError, TopicError, UrlError
from semcrawl.page import read_page
from semcrawl.web import DropReason, Response
from tests.crawl.conftest import WORDS, html

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from semcrawl.page import Page
    from semcrawl.strategies import JudgedPage
    from semcrawl.web import ReplayServer

    MakeWeb = Callable[[dict[str, Any]], Path]

TOPIC = "keywords:asthma, lung"
HOME = "http://home.test/"

SMALL_WEB = {
    HOME: html(
        "Home",
        {"http://cars.test/": "cars", "http://lungs.test/": "asthma and lung"},
        "music travel cooking theatre weather money gardens " * 20,
    ),
    "http://cars.test/": html("Cars", {"/engine": "engine"}, "wheels and engines " * 5),
    "http://cars.test/engine": html("Engine", {}, "pistons " * 9),
    "http://lungs.test/": html("Lungs", {"/inhaler": "inhaler"}, WORDS),
    "http://lungs.test/inhaler": html("Inhaler", {HOME: "home"}, WORDS),
}


def visited(crawl: Crawl) -> list[str]:
    return [row["url"] for row in crawl.query("harvest")]


def reasons(crawl: Crawl) -> dict[str, str]:
    rows = crawl.query("SELECT ?u ?why { ?u sc:droppedBecause ?why }")
    return {row["u"]: row["why"].rpartition("#")[2] for row in rows}


@pytest.fixture
def crawl_web(make_web: MakeWeb) -> Callable[..., Crawl]:
    """Crawl a small web by replay, in memory, to its end."""

    def crawl(web: dict[str, Any] = SMALL_WEB, **settings: Any) -> Crawl:
        running = Crawl(TOPIC, [HOME], replay=[str(make_web(web))], **settings)
        running.run()
        return running

    return crawl


def test_a_focused_crawl_goes_where_the_topic_is_first(crawl_web: Callable[..., Crawl]) -> None:
    urls = visited(crawl_web())
    assert urls[:3] == [HOME, "http://lungs.test/", "http://lungs.test/inhaler"]
    assert set(urls) == set(SMALL_WEB)


def test_breadth_first_goes_in_the_order_found(crawl_web: Callable[..., Crawl]) -> None:
    assert visited(crawl_web(strategy="breadth-first")) == [
        HOME,
        "http://cars.test/",
        "http://lungs.test/",
        "http://cars.test/engine",
        "http://lungs.test/inhaler",
    ]


def test_n_best_first_chooses_n_before_it_looks_again(crawl_web: Callable[..., Crawl]) -> None:
    urls = visited(crawl_web(strategy="n-best-first:n=2"))
    assert urls[:3] == [HOME, "http://lungs.test/", "http://cars.test/"]


@pytest.mark.parametrize(
    ("strategy", "third"), [("dom", "http://cars.test/"), ("dom:rotation=0", "http://lungs.test/inhaler")]
)
def test_pant_menczer_section_4_1_hosts_take_turns_by_default_of_their_crawlers(
    crawl_web: Callable[..., Crawl], strategy: str, third: str
) -> None:
    """Pant, Menczer 2003, section 4.1: of D = 50 URLs picked each is of another host."""
    assert visited(crawl_web(strategy=strategy))[:3] == [HOME, "http://lungs.test/", third]


def test_what_is_known_of_a_page_is_in_the_graph(crawl_web: Callable[..., Crawl]) -> None:
    crawl = crawl_web()
    [row] = crawl.query(
        "SELECT ?title ?lang ?depth ?from ?status ?r { <http://lungs.test/inhaler> a sc:Page ; "
        "dcterms:title ?title ; sc:depth ?depth ; sc:foundOn ?from ; sc:status ?status ; "
        "sc:relevance ?r OPTIONAL { <http://lungs.test/inhaler> dcterms:language ?lang } }"
    )
    assert (row["title"], row["depth"], row["from"], row["status"]) == ("Inhaler", 2, "http://lungs.test/", 200)
    assert row["r"] > 0.2
    path = [step["page"] for step in crawl.query("path-from-seed", url="http://lungs.test/inhaler")]
    assert path == ["http://lungs.test/inhaler", "http://lungs.test/", HOME]


@pytest.mark.parametrize(
    ("settings", "reason", "pages"),
    [
        ({"pages": 2}, StopReason.PAGES_REACHED, 2),
        ({"relevant": 1, "judge": "cosine"}, StopReason.RELEVANT_REACHED, 2),
        ({"seconds": 1e-9}, StopReason.TIME_OVER, 0),
        ({}, StopReason.FRONTIER_EMPTY, 5),
    ],
)
def test_stop_rules(make_web: MakeWeb, settings: dict[str, Any], reason: StopReason, pages: int) -> None:
    with Crawl(TOPIC, [HOME], replay=[str(make_web(SMALL_WEB))], **settings) as crawl:
        summary = crawl.run()
        assert (summary.reason, summary.progress.pages) == (reason, pages)
        assert crawl.graph.describe().stopped == f"https://w3id.org/semcrawl/ns#{reason}"


def test_a_crawl_can_be_told_to_stop(make_web: MakeWeb) -> None:
    with Crawl(TOPIC, [HOME], replay=[str(make_web(SMALL_WEB))]) as crawl:
        summary = crawl.run(lambda event: crawl.stop() if event.progress.pages == 2 else None)
    assert (summary.reason, summary.progress.pages) == (StopReason.INTERRUPTED, 2)


def test_why_a_crawl_stops_is_noted_also_where_it_is_interrupted_then(
    make_web: MakeWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Crawl(TOPIC, [HOME], replay=[str(make_web(SMALL_WEB))]) as crawl:
        note_stop = crawl.graph.note_stop

        def interrupted(*_: object) -> None:
            monkeypatch.setattr(crawl.graph, "note_stop", note_stop)
            raise KeyboardInterrupt

        monkeypatch.setattr(crawl.graph, "note_stop", interrupted)
        with pytest.raises(KeyboardInterrupt):
            crawl.run()
        assert (crawl.graph.describe().stopped or "").endswith("FrontierEmpty")


def test_visits_can_be_watched_one_by_one(make_web: MakeWeb) -> None:
    with Crawl(TOPIC, [HOME], replay=[str(make_web(SMALL_WEB))]) as crawl:
        events = [event for event in crawl.visits() if isinstance(event, PageVisited)]
    assert [event.step for event in events] == [1, 2, 3, 4, 5]
    assert events[1].is_relevant


def test_missing_pages_are_dropped_with_a_reason(crawl_web: Callable[..., Crawl]) -> None:
    crawl = crawl_web({HOME: html("Home", {"/gone": "x", "/bad": "y"}), HOME + "bad": (500, "x")},
                      retry_delay=0.01)  # fmt: skip
    assert reasons(crawl) == {HOME + "gone": "NotInReplay", HOME + "bad": "HttpError"}
    assert crawl.progress.retries == 2


def test_redirects_are_followed_and_recorded(crawl_web: Callable[..., Crawl]) -> None:
    crawl = crawl_web(
        {HOME: html("Home", {"/old": "old"}), HOME + "old": (301, HOME + "new"), HOME + "new": html("New")}
    )
    assert visited(crawl) == [HOME, HOME + "new"]
    assert crawl.query(f"ASK {{ <{HOME}old> sc:redirectsTo <{HOME}new> ; sc:status 301 }}")


def test_a_redirect_loop_ends(crawl_web: Callable[..., Crawl]) -> None:
    pages = {HOME: html("Home", {"/a": "a", "/0": "0"}), HOME + "a": (302, HOME + "b"), HOME + "b": (302, HOME + "a")}
    pages |= {HOME + str(n): (302, HOME + str(n + 1)) for n in range(9)}
    crawl = crawl_web(pages, max_redirects=3)
    assert visited(crawl) == [HOME]
    assert reasons(crawl) == {HOME + "3": "TooManyRedirects"}


def test_scope_depth_and_host_limit_keep_urls_out(crawl_web: Callable[..., Crawl]) -> None:
    crawl = crawl_web(exclude=["http://cars.test/*"], depth=1)
    assert visited(crawl) == [HOME, "http://lungs.test/"]
    assert reasons(crawl) == {"http://cars.test/": "OutOfScope", "http://lungs.test/inhaler": "TooDeep"}


def test_a_shorter_way_gives_a_url_that_was_too_deep_another_chance(crawl_web: Callable[..., Crawl]) -> None:
    crawl = crawl_web(
        {
            HOME: html("Home", {"/a": "asthma", "/b": "cars"}),
            HOME + "a": html("A", {"/c": "c"}, WORDS),
            HOME + "c": html("C", {"/far": "far"}, WORDS),
            HOME + "b": html("B", {"/far": "far"}),
            HOME + "far": html("Far"),
        },
        depth=2,
    )
    assert HOME + "far" in visited(crawl)
    assert reasons(crawl) == {}


def test_one_host_gives_only_so_many_pages(crawl_web: Callable[..., Crawl]) -> None:
    many = {HOME: html("Home", {f"/{n}": f"page {n}" for n in range(5)})}
    many |= {f"{HOME}{n}": html(f"Page {n}") for n in range(5)}
    crawl = crawl_web(many, pages_per_host=3)
    assert len(visited(crawl)) == 3
    assert set(reasons(crawl).values()) == {"HostLimit"}
    assert len(crawl.query("frontier/waiting")) == 0


def test_a_full_frontier_keeps_the_best_and_the_graph_agrees(crawl_web: Callable[..., Crawl]) -> None:
    links = {f"/{n}": "asthma" if n == 4 else "other" for n in range(6)}
    pages = {HOME: html("Home", links)} | {f"{HOME}{n}": html(str(n)) for n in range(6)}
    crawl = crawl_web(pages, frontier_size=2, pages=1)
    waiting = {row["url"] for row in crawl.query("frontier/waiting")}
    assert waiting == {HOME + "4", HOME + "0"}
    full = {url for url, why in reasons(crawl).items() if why == "FrontierFull"}
    assert full == {f"{HOME}{n}" for n in (1, 2, 3, 5)}


def test_what_had_no_room_comes_back_when_nothing_else_waits(make_web: MakeWeb, tmp_path: Path) -> None:
    links = {f"/{n}": "asthma" if n == 4 else "other" for n in range(6)}
    web = make_web({HOME: html("Home", links)} | {f"{HOME}{n}": html(str(n)) for n in range(6)})
    orders: list[list[str]] = []
    for pages in (range(7, 8), range(1, 8)):  # left alone; stopped after every page
        folder = tmp_path / str(len(orders))
        with Crawl(TOPIC, [HOME], folder, replay=[str(web)], frontier_size=2, pages=pages[0]) as crawl:
            crawl.run()
        for most in (*pages[1:], 99):
            with Crawl.resume(folder, pages=most) as crawl:
                assert crawl.run().reason == ("FrontierEmpty" if most == 99 else "PagesReached")
        with CrawlGraph.read(folder) as graph:
            orders.append([row["u"] for row in graph.query("SELECT ?u { ?u sc:step ?s } ORDER BY ?s")])
            assert not len(graph.query("SELECT ?u { ?u sc:droppedBecause ?why }"))
    assert orders[0] == orders[1]
    assert orders[0][:3] == [HOME, HOME + "4", HOME + "0"]
    assert sorted(orders[0][3:]) == [f"{HOME}{n}" for n in (1, 2, 3, 5)]


def test_nofollow_is_obeyed_on_the_network(make_web: MakeWeb, serve: Callable[[Path], ReplayServer]) -> None:
    web = make_web(
        {
            HOME: html("Home", {"/quiet": "quiet"}, '<a rel="nofollow" href="/no">no</a>'),
            HOME + "no": html("No"),
            HOME + "quiet": html("Quiet", {"/beyond": "x"}, head='<meta name="robots" content="nofollow">'),
            HOME + "beyond": html("Beyond"),
        }
    )
    for obeys, expected in ((True, {HOME, HOME + "quiet"}), (False, 4)):
        server = serve(web)
        with Crawl(TOPIC, [HOME], proxy=server.proxy, delay=0, nofollow=obeys) as crawl:
            crawl.run()
            urls = set(visited(crawl))
        assert urls == expected or len(urls) == expected


def test_robots_txt_is_asked_once_and_obeyed(make_web: MakeWeb, serve: Callable[[Path], ReplayServer]) -> None:
    web = make_web(
        {
            HOME + "robots.txt": "User-agent: *\nDisallow: /secret\n",
            HOME: html("Home", {"/secret/a": "asthma", "/open": "open"}),
            HOME + "secret/a": html("A"),
            HOME + "open": html("Open"),
        }
    )
    server = serve(web)
    with Crawl(TOPIC, [HOME], proxy=server.proxy, delay=0, workers=4, link_lists="off") as crawl:
        crawl.run()
        assert reasons(crawl) == {HOME + "secret/a": "RobotsDisallow"}
    assert server.requests[HOME + "secret/a"] == 0
    assert server.requests[HOME + "robots.txt"] == 1


def test_many_workers_find_what_one_finds(make_web: MakeWeb, serve: Callable[[Path], ReplayServer]) -> None:
    server = serve(make_web(SMALL_WEB))
    with Crawl(TOPIC, [HOME], proxy=server.proxy, delay=0, workers=8) as crawl:
        crawl.run()
        assert set(visited(crawl)) == set(SMALL_WEB)
    assert all(server.requests[url] == 1 for url in SMALL_WEB)


def test_a_host_that_is_down_is_given_up(make_web: MakeWeb, serve: Callable[[Path], ReplayServer]) -> None:
    dead = {f"http://127.0.0.1:2/{n}": str(n) for n in range(12)}
    with Crawl(
        TOPIC,
        [HOME],
        fetcher=_HomeThenNetwork(html("Home", dead)),
        robots=False,
        delay=0,
        max_delay=0.05,
        tries=1,
        allow_private=True,
    ) as crawl:
        crawl.run()
        assert len(crawl.query("frontier/waiting")) == 0
        assert set(reasons(crawl).values()) == {"ConnectFailed"}
        assert crawl._fetcher.asked == 5  # type: ignore[attr-defined]


class _HomeThenNetwork:
    """Answers the home page from memory and all else from the network."""

    def __init__(self, page: str) -> None:
        from semcrawl.web.http import HttpFetcher

        self._page = page
        self._network = HttpFetcher("semcrawl-test", allow_private=True, connect_timeout=2)
        self.asked = 0

    def fetch(self, url: str, **options: Any) -> Any:
        from semcrawl.web import Response

        if url == HOME:
            return Response(url, 200, {"content-type": "text/html"}, self._page.encode(), 0.0, 0.0)
        self.asked += 1
        return self._network.fetch(url, **options)

    def close(self) -> None:
        self._network.close()


def test_private_addresses_are_refused_by_default() -> None:
    with Crawl(TOPIC, ["http://127.0.0.1:2/"], delay=0) as crawl:
        summary = crawl.run()
        assert reasons(crawl) == {"http://127.0.0.1:2/": "AddressRefused"}
    assert summary.progress.pages == 0


class Backwards:
    """Last found, first fetched."""

    batch = 1

    def rank(self, judged: JudgedPage) -> list[float]:
        return [float(link.position) for link in judged.page.links]


def test_a_users_own_strategy_is_used(crawl_web: Callable[..., Crawl]) -> None:
    assert visited(crawl_web(strategy=Backwards()))[1] == "http://lungs.test/"


class TooShort(Backwards):
    def rank(self, judged: JudgedPage) -> list[float]:
        return [0.5]


class OneForAll(Backwards):
    def rank(self, judged: JudgedPage) -> Any:
        return 0.5


class InWords(Backwards):
    def rank(self, judged: JudgedPage) -> Any:
        return ["high" for _ in judged.page.links]


class NotANumber(Backwards):
    def rank(self, judged: JudgedPage) -> list[float]:
        return [float("nan") for _ in judged.page.links]


@pytest.mark.parametrize(
    ("strategy", "message"),
    [
        (TooShort(), "gave 1 priorities for the 2 links"),
        (NotANumber(), "gave the priority nan"),
        (OneForAll(), "gave no list of priorities for the 2 links"),
        (InWords(), "gave the priority 'high' to"),
        (Backwards, r"Backwards is a class: give an object as the strategy, such as Backwards\(\)"),
    ],
)
def test_a_strategy_that_breaks_its_contract_is_named(
    crawl_web: Callable[..., Crawl], strategy: Any, message: str
) -> None:
    with pytest.raises(ConfigError, match=message):
        crawl_web(strategy=strategy)


class Brittle:
    """A judge with a mistake."""

    threshold = 0.5

    def judge(self, page: Page) -> Any:
        raise ZeroDivisionError("a mistake in a judge")


def test_a_mistake_in_a_judge_is_not_swallowed(crawl_web: Callable[..., Crawl]) -> None:
    with pytest.raises(ZeroDivisionError, match="a mistake in a judge"):
        crawl_web(judge=Brittle())


@pytest.mark.parametrize(
    ("topic", "seeds", "settings", "error", "message"),
    [
        (TOPIC, [], {}, ConfigError, "needs at least one seed"),
        (TOPIC, ["ftp://x/"], {}, UrlError, "ftp://x/"),
        (TOPIC, [HOME], {"strategy": "best-frist-page"}, ConfigError, "did you mean"),
        (TOPIC, [HOME], {"strategy": "n-best-first:n=0"}, ConfigError, "at least 1"),
        (TOPIC, [HOME], {"strategy": "n-best-first:m=1"}, ConfigError, "it takes: n, by"),
        (TOPIC, [HOME], {"exclude": ["*home*"]}, ConfigError, "shut out"),
        (TOPIC, [HOME], {"pagse": 1}, ConfigError, "did you mean 'pages'"),
        ("wordnet:xyzzyx", [HOME], {}, TopicError, "xyzzyx"),
    ],
)
def test_bad_input_is_refused_before_a_folder_is_made(
    tmp_path: Path, topic: str, seeds: list[str], settings: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Crawl(topic, seeds, tmp_path / "crawl", **settings)
    assert not (tmp_path / "crawl").exists()


def test_a_topic_brings_its_own_seeds(make_web: MakeWeb) -> None:
    topic = Topic.from_toml(f'name = "lungs"\nkeywords = ["asthma"]\nseeds = ["{HOME}"]')
    with Crawl(topic, replay=[str(make_web(SMALL_WEB))]) as crawl:
        assert crawl.run().progress.pages == 5


def test_two_crawls_in_one_folder_are_refused(make_web: MakeWeb, tmp_path: Path) -> None:
    web = str(make_web(SMALL_WEB))
    with Crawl(TOPIC, [HOME], tmp_path / "c", replay=[web]), pytest.raises(StoreError, match="is open in this process"):
        Crawl.resume(tmp_path / "c")


def test_too_many_redirects_are_told(make_web: MakeWeb) -> None:
    web = {HOME: (302, HOME + "1"), HOME + "1": (302, HOME + "2"), HOME + "2": html("End")}
    with Crawl(TOPIC, [HOME], replay=[str(make_web(web))], max_redirects=1) as crawl:
        dropped = [event for event in crawl.visits() if isinstance(event, UrlDropped)]
    note = "more than 1 redirects in a row"
    assert [(one.url, one.reason, one.note) for one in dropped] == [(HOME + "1", "TooManyRedirects", note)]


class _OftenDown:
    """Refuses the connection for most URLs; one redirects."""

    def __init__(self, moved: str) -> None:
        self._moved = moved
        self.asked: list[str] = []
        self.is_closed = False

    def fetch(self, url: str, **_options: Any) -> Response:
        self.asked.append(url)
        if url == HOME:
            links = {f"/{n}": str(n) for n in range(9)}
            headers = {"content-type": "text/html"}
            return Response(url, 200, headers, html("Home", links).encode(), 0.0, 0.0)
        if url == self._moved:
            return Response(url, 302, {}, b"", 0.0, 0.0, redirect=HOME)
        raise FetchError("refused", reason=DropReason.CONNECT_FAILED)

    def close(self) -> None:
        self.is_closed = True


@pytest.mark.parametrize(("moved", "asked"), [("4", 10), ("8", 6)])
def test_a_host_that_redirects_is_not_down(moved: str, asked: int) -> None:
    """Four failures before the redirect and four after it are not five in a row."""
    fetcher = _OftenDown(HOME + moved)
    quick: dict[str, Any] = {"robots": False, "delay": 0, "max_delay": 0, "tries": 1, "workers": 1}
    with Crawl(TOPIC, [HOME], fetcher=fetcher, strategy="breadth-first", **quick) as crawl:
        crawl.run()
    assert len(fetcher.asked) == asked


def test_no_fetcher_is_left_open_where_the_folder_cannot_be_made(
    make_web: MakeWeb, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = _OftenDown("")
    monkeypatch.setattr("semcrawl.crawl.parts.make_fetcher", lambda _: made)
    (tmp_path / "taken").write_text("something")
    with pytest.raises(StoreError):
        Crawl(TOPIC, [HOME], tmp_path / "taken")
    assert made.is_closed


def test_a_crawl_goes_on_with_a_reader_of_its_own(make_web: MakeWeb, tmp_path: Path) -> None:
    read: list[str] = []

    def reader(response: Response) -> Page:
        read.append(response.url)
        return read_page(response)

    web = str(make_web(SMALL_WEB))
    with Crawl(TOPIC, [HOME], tmp_path / "c", replay=[web], pages=1, reader=reader) as crawl:
        crawl.run()
    with Crawl.resume(tmp_path / "c", pages=2, reader=reader) as crawl:
        crawl.run()
    assert read == [HOME, "http://lungs.test/"]
