"""Training the apprentice before a crawl: from an earlier one, or from a recorded web."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError, FetchError, PageError
from semcrawl.learning.apprentice_training import Lesson, train
from semcrawl.learning.class_paths import ClassPaths
from semcrawl.learning.cocitation import LinkPlaces
from semcrawl.learning.features import class_features, link_features
from semcrawl.learning.link_memory import LinkMemory
from semcrawl.page import read_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from semcrawl.graph import CrawlGraph
    from semcrawl.judges import Judge
    from semcrawl.learning.apprentice_model import ApprenticeModel
    from semcrawl.learning.features import FeatureKinds
    from semcrawl.page import Page
    from semcrawl.topics import Topic
    from semcrawl.web.replay import Replay

__all__ = ["ExamplePage", "pages_of_crawl", "pages_of_replay", "train_offline"]

_PAGES = """SELECT ?url ?relevance ?concept ?found_on WHERE {
  ?url sc:relevance ?relevance ; sc:step ?step .
  OPTIONAL { ?url sc:bestConcept ?concept }
  OPTIONAL { ?url sc:foundOn ?found_on }
} ORDER BY ?step"""


@dataclass(frozen=True, slots=True)
class ExamplePage:
    """A judged page to learn from; ``found_on`` is what led or redirected to it."""

    page: Page
    relevance: float
    concept: str | None = None
    found_on: str | None = None


def pages_of_crawl(
    graph: CrawlGraph,
    replay: Replay,
    each: Callable[[int], None] | None = None,
    read: Callable[[str], Page | None] | None = None,
) -> Iterator[ExamplePage]:
    """The pages of an earlier crawl as it judged them, read again from a recorded web.

    Pages that are not recorded are left out. ``each`` is told of every page, by
    how many there are. ``read`` gives the page of a URL, where they are at hand already.

    Raises:
        ConfigError: none of them is.
    """
    rows = list(graph.query(_PAGES))
    found = 0
    for row in rows:
        page = read(row["url"]) if read else _read(replay, row["url"])
        if page is not None:
            found += 1
            yield ExamplePage(page, row["relevance"], row["concept"], row["found_on"])
        if each is not None:
            each(len(rows))
    if not found:
        raise ConfigError(
            f"of the {len(rows)} pages of the crawl none is in the recorded web: "
            "give the web that it was made from"
        )


def pages_of_replay(
    replay: Replay, judge: Judge, each: Callable[[int], None] | None = None
) -> Iterator[ExamplePage]:
    """All readable pages of a recorded web, judged; ``each`` is told of every URL, as above."""
    urls = list(replay.urls())
    for url in urls:
        page = _read(replay, url)
        if page is not None:
            judgement = judge.judge(page)
            yield ExamplePage(page, judgement.relevance, judgement.concept)
        if each is not None:
            each(len(urls))


def train_offline(
    pages: Iterable[ExamplePage],
    topic: Topic,
    kinds: FeatureKinds,
    boundary: float | None = None,
) -> ApprenticeModel:
    """The model of all links between the pages (Chakrabarti et al. 2002, section 3.5).

    Raises:
        ConfigError: too few links, or all of one bucket.
    """
    classes = ClassPaths(topic)
    with tempfile.TemporaryDirectory() as scratch:
        memory = LinkMemory(Path(scratch) / "links.bin", kinds, {})
        try:
            for example in pages:
                _remember(memory, example, kinds, classes)
            return train(memory, Lesson(kinds, boundary))
        finally:
            memory.close()


def _remember(
    memory: LinkMemory, example: ExamplePage, kinds: FeatureKinds, classes: ClassPaths
) -> None:
    page = example.page
    features = link_features(page, kinds.d_max, offsets=kinds.offsets)
    if kinds.classes:
        names = classes.of(example.concept)
        features = features.joined(class_features(names, len(page.links)))
    targets = [link.url for link in page.links]
    places = LinkPlaces.of_page(page)
    memory.remember(page.url, example.relevance, targets, features, places, example.found_on)


def _read(replay: Replay, url: str) -> Page | None:
    try:
        response = replay.fetch(url)
        return read_page(response) if response.redirect is None else None
    except (FetchError, PageError):
        return None
