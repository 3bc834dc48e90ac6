"""A finished crawl of a few pages, with titles that formats stumble over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl import Crawl

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = {
    "http://a.test/": '<p>Links. <a href="/asthma">asthma</a> <a href="/q">asthma</a>',
    "http://a.test/asthma": '<html lang="en"><title>Asthma, "wheeze" &amp; &lt;cough&gt;</title>'
    '<p>asthma asthma <a href="/q">asthma</a> <a href="/cars">cars</a>',
    "http://a.test/q": '<title>喘息\x0b\x1b\ufffe end</title><p>asthma attack<a href="/asthma">asthma</a>',
    "http://a.test/cars": '<title>Cars</title><p>wheels <a href="/asthma">back</a>',
}
RELEVANT = {"http://a.test/", "http://a.test/asthma", "http://a.test/q"}


def make_crawl(place: Path, pages: dict[str, str], topic: str = "wordnet:asthma") -> Crawl:
    """A crawl that was run over recorded pages, in memory."""
    web = place / "web"
    web.mkdir()
    lines = []
    for number, (url, page) in enumerate(pages.items()):
        (web / f"{number}.html").write_text(page, encoding="utf-8")
        lines.append(f"{url}\t{number}.html\t200\ttext/html; charset=utf-8\n")
    (web / "urls.tsv").write_text("".join(lines), encoding="utf-8")
    seed = next(iter(pages))
    by, judge = "best-first-page-anchor", "labels"
    crawl = Crawl(topic, [seed], replay=(str(web),), strategy=by, judge=judge)
    crawl.run()
    return crawl


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawl]:
    """A crawl of PAGES, of which three are relevant."""
    with make_crawl(tmp_path_factory.mktemp("export"), PAGES) as made:
        yield made


@pytest.fixture
def empty_crawl(tmp_path: Path) -> Iterator[Crawl]:
    """A crawl that found no relevant page."""
    with make_crawl(tmp_path, {"http://a.test/": "<title>Cars</title><p>wheels"}) as made:
        yield made
