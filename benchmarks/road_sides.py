"""The sides of the road benchmark, each run in a process of its own.

``python -m benchmarks.road_sides SIDE PROXY PAGES`` prints one line of JSON: how
many pages were fetched and how much CPU that took, in user and system mode
and in all threads, without imports and start-up.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import tempfile
import threading
import time
from functools import partial
from typing import TYPE_CHECKING, Any

from benchmarks.generated_web import TOPIC, GeneratedWeb

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["SIDES", "Cost"]

Cost = tuple[int, float, float]
"""Pages, seconds of CPU, seconds by the clock."""

WORKERS = 16


def crawl_with_semcrawl(proxy: str, pages: int, **changed: Any) -> Cost:
    """The whole road: fetch, read, judge, rank, record on disk. robots.txt is not asked."""
    from semcrawl import Crawl

    with (
        tempfile.TemporaryDirectory() as folder,
        Crawl(
            TOPIC,
            [GeneratedWeb(pages).seed],
            f"{folder}/crawl",
            proxy=proxy,
            delay=0,
            robots=False,
            pages=pages,
            workers=WORKERS,
            **changed,
        ) as crawl,
    ):
        cpu, clock = time.process_time(), time.monotonic()
        summary = crawl.run()
        return summary.progress.pages, time.process_time() - cpu, time.monotonic() - clock


def fetch_with_requests(proxy: str, pages: int) -> Cost:
    """Only fetch and parse the same pages, and look at their links: a session per thread."""
    import requests
    from lxml import etree

    web = GeneratedWeb(pages)
    todo: queue.SimpleQueue[str] = queue.SimpleQueue()
    for number in range(pages):
        todo.put(web.url(number))
    seen: set[str] = set()
    fetched: list[str] = []

    def work() -> None:
        with requests.Session() as session:
            session.trust_env = False
            session.proxies = {"http": proxy}
            while not todo.empty():
                try:
                    url = todo.get_nowait()
                except queue.Empty:
                    return
                answer = session.get(url, timeout=30)
                tree = etree.fromstring(answer.content, etree.HTMLParser())
                seen.update(_links(tree, url))
                fetched.append(url)

    cpu, clock = time.process_time(), time.monotonic()
    threads = [threading.Thread(target=work) for _ in range(WORKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return len(fetched), time.process_time() - cpu, time.monotonic() - clock


def _links(tree: Any, url: str) -> Iterator[str]:
    from urllib.parse import urljoin

    for anchor in tree.iter("a"):
        if href := anchor.get("href"):
            yield urljoin(url, href)


def crawl_with_scrapy(proxy: str, pages: int) -> Cost:
    """Only fetch and follow links: a spider with Scrapy's link extractor, nothing else."""
    os.environ["http_proxy"] = proxy
    from scrapy import Spider
    from scrapy.crawler import CrawlerProcess
    from scrapy.linkextractors import LinkExtractor
    from scrapy.utils.reactor import install_reactor

    fetched: list[str] = []

    class LinkSpider(Spider):  # type: ignore[misc, unused-ignore]
        name = "links"
        extractor = LinkExtractor()

        def parse(self, response: Any) -> Iterator[Any]:
            fetched.append(response.url)
            for link in self.extractor.extract_links(response):
                yield response.follow(link, self.parse)

    install_reactor("twisted.internet.asyncioreactor.AsyncioSelectorReactor")
    process = CrawlerProcess(_scrapy_settings())
    process.crawl(LinkSpider, start_urls=[GeneratedWeb(pages).seed])
    cpu, clock = time.process_time(), time.monotonic()
    process.start()
    # The seed is fetched twice, because Scrapy does not note its first requests as seen.
    return len(set(fetched)), time.process_time() - cpu, time.monotonic() - clock


def _scrapy_settings() -> dict[str, object]:
    """What a user would set for speed: no waiting, no logs, nothing that is not needed."""
    return {
        "AUTOTHROTTLE_ENABLED": False,
        "CONCURRENT_REQUESTS": WORKERS,
        "CONCURRENT_REQUESTS_PER_DOMAIN": WORKERS,
        "COOKIES_ENABLED": False,
        "DOWNLOAD_DELAY": 0,
        "LOG_ENABLED": False,
        "MEMUSAGE_ENABLED": False,
        "RETRY_ENABLED": False,
        "ROBOTSTXT_OBEY": False,
        "TELNETCONSOLE_ENABLED": False,
    }


SIDES: dict[str, Callable[[str, int], Cost]] = {
    "best-first": partial(crawl_with_semcrawl, strategy="best-first-page-anchor", judge="cosine"),
    "default": crawl_with_semcrawl,
    "requests": fetch_with_requests,
    "scrapy": crawl_with_scrapy,
}
"""The sides by name; the first two are semcrawl, as in the papers and by default."""

if __name__ == "__main__":
    name, address, count = sys.argv[1:4]
    print(json.dumps(SIDES[name](address, int(count))))
