"""Small recorded webs, a classifier that counts one word, and crawls of the demo web."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from semcrawl.crawl.sites import SiteClosed, SiteCrawl
from semcrawl.demo.web import demo_web

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

TOPIC = "keywords:asthma"


class WordClassifier:
    """Target is what speaks of asthma, other is what speaks of cars; else undecided."""

    classes = ("lungs", "cars", "rest")
    error = 0.1

    def confidences(self, terms: Mapping[str, int], page: object = None) -> tuple[float, ...]:
        lungs, cars = terms.get("asthma", 0), terms.get("car", 0)
        if lungs == cars:
            return (1 / 3, 1 / 3, 1 / 3)
        return (0.8, 0.1, 0.1) if lungs > cars else (0.1, 0.8, 0.1)


def page(text: str, *links: str) -> str:
    """A page with a text and links to these URLs."""
    anchors = "".join(f'<a href="{url}">link</a> ' for url in links)
    return f"<title>{text[:20]}</title><p>{text}</p>{anchors}"


def write_web(folder: Path, pages: Mapping[str, str | tuple[int, str]]) -> Path:
    """A recorded web: HTML, or a status with a redirect's target or an error's text."""
    folder.mkdir()
    lines = []
    for number, (url, answer) in enumerate(pages.items()):
        status, content = answer if isinstance(answer, tuple) else (200, answer)
        if 300 <= status < 400:
            lines.append(f"{url}\t{content}\t{status}\n")
            continue
        (folder / f"{number}.html").write_text(content, encoding="utf-8")
        lines.append(f"{url}\t{number}.html\t{status}\ttext/html; charset=utf-8\n")
    (folder / "urls.tsv").write_text("".join(lines), encoding="utf-8")
    return folder


@pytest.fixture
def closed_sites(tmp_path: Path) -> Callable[..., dict[str, SiteClosed]]:
    """Crawl a small web from its first URL; the sites that were closed, by name, in order."""

    def crawl(
        web: Mapping[str, str | tuple[int, str]], folder: Path | None = None, /, **values: Any
    ) -> dict[str, SiteClosed]:
        recorded = write_web(tmp_path / "web", web)
        seeds = values.pop("seeds", [next(iter(web))])
        found: dict[str, SiteClosed] = {}
        with SiteCrawl(TOPIC, seeds, folder, classifier=WordClassifier(), replay=[str(recorded)], **values) as running:
            for event in running.visits():
                if isinstance(event, SiteClosed):
                    assert event.site not in found
                    found[event.site] = event
        return found

    return crawl


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory, web_folder: str) -> Path:
    """The folder of a whole crawl of the demo web; not to be written to."""
    web = demo_web()
    folder = tmp_path_factory.mktemp("crawls") / "whole"
    with SiteCrawl(web.main_topic.spec, web.seeds, folder, replay=[web_folder]) as crawl:
        crawl.run()
    return folder
