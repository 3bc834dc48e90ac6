from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.demo import demo_web
from semcrawl.models.training_pages import PageSource, read_training_pages
from semcrawl.relevance.judges import CosineJudge
from semcrawl.text.background import Background
from semcrawl.topics import Topic
from semcrawl.web import Politeness, ReplayServer, Response, Robots, open_replay
from semcrawl.web.http import HttpFetcher

if TYPE_CHECKING:
    from pathlib import Path

ROWS = {
    "http://a.test/": ("Asthma of the lungs", "200\ttext/html"),
    "http://a.test/cars": ("Cars and wheels", "200\ttext/html"),
    "http://a.test/gone": ("nothing", "404\ttext/html"),
    "http://a.test/file.pdf": ("%PDF-1", "200\tapplication/pdf"),
    "http://a.test/empty": ("the of and", "200\ttext/html"),
    "http://a.test/closed": ("Asthma", "200\ttext/html"),
    "http://a.test/robots.txt": ("User-agent: *\nDisallow: /closed\n", "200\ttext/plain"),
}
MOVED = {"http://a.test/old": "http://a.test/", "http://a.test/loop": "http://a.test/loop"}


def write_web(folder: Path) -> Path:
    lines = [f"{url}\t{target}\t301\n" for url, target in MOVED.items()]
    for number, (url, (text, rest)) in enumerate(ROWS.items()):
        (folder / f"{number}.dat").write_text(text, encoding="utf-8")
        lines.append(f"{url}\t{number}.dat\t{rest}\n")
    (folder / "urls.tsv").write_text("".join(lines), encoding="utf-8")
    return folder


def test_pages_are_counted_and_those_that_are_not_there_noted(tmp_path: Path) -> None:
    urls = [*ROWS, *MOVED, "http://b.test/"]
    done: list[str] = []
    source = PageSource(open_replay(write_web(tmp_path)))
    pages = read_training_pages(urls, source, each=done.append)
    assert pages.terms["http://a.test/"] == {"asthma": 1, "lung": 1}
    assert pages.terms["http://a.test/old"] == pages.terms["http://a.test/"]
    assert pages.missing == {
        "http://a.test/gone": "HttpError",
        "http://a.test/file.pdf": "NotHtml",
        "http://a.test/empty": "EmptyPage",
        "http://a.test/robots.txt": "NotHtml",
        "http://a.test/loop": "TooManyRedirects",
        "http://b.test/": "NotInReplay",
    }
    assert done == urls


def test_a_judge_says_how_relevant_each_page_is(tmp_path: Path) -> None:
    judge = CosineJudge(Topic.parse("keywords:asthma"), Background.default())
    source = PageSource(open_replay(write_web(tmp_path)))
    pages = read_training_pages(["http://a.test/", "http://a.test/cars"], source, judge=judge)
    assert pages.relevance["http://a.test/"] > 0.5
    assert pages.relevance["http://a.test/cars"] == 0


def test_over_the_network_robots_are_asked_and_hosts_not_pressed(tmp_path: Path) -> None:
    pauses: list[float] = []
    with ReplayServer(open_replay(write_web(tmp_path))) as server:
        fetcher = HttpFetcher("semcrawl/test", proxy=server.proxy)
        robots = Robots(fetcher, "semcrawl/test")
        source = PageSource(fetcher, robots, Politeness(delay=0.5), sleep=pauses.append)
        urls = ["http://a.test/", "http://a.test/closed", "http://a.test/cars"]
        pages = read_training_pages([*urls, "http://a.test/gone"], source)
        fetcher.close()
    assert set(pages.terms) == {"http://a.test/", "http://a.test/cars"}
    assert pages.missing["http://a.test/closed"] == "RobotsDisallow"
    assert pages.missing["http://a.test/gone"] == "HttpError"
    assert [0.3 < pause <= 1 for pause in pauses] == [True, True]


def test_a_host_that_asks_for_a_long_pause_is_not_waited_for() -> None:
    def answer(url: str) -> Response | None:
        return None if url.endswith("robots.txt") else Response(url, 429, {"retry-after": "86400"}, b"", 0.0, 0.0)

    pauses: list[float] = []
    with ReplayServer(answers=answer) as server, HttpFetcher("semcrawl/test", proxy=server.proxy) as fetcher:
        source = PageSource(fetcher, Robots(fetcher, "semcrawl/test"), Politeness(), sleep=pauses.append)
        pages = read_training_pages([f"http://a.test/{number}" for number in range(3)], source)
        assert server.requests_by_host["a.test"] == 2  # one of them for robots.txt
    assert set(pages.missing.values()) == {"HttpError"}
    assert pauses == []


def test_the_demo_web_is_read() -> None:
    web = demo_web()
    pages = read_training_pages(sorted(web.main_topic.pages)[:20], PageSource(web.replay()))
    assert len(pages.terms) == 20
    assert not pages.missing
