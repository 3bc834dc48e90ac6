"""schools-wikipedia for benchmarks: its recording, its labels and its ten development topics.

It is looked for in ``$SEMCRAWL_DATA``, and in ``../shared/data`` where that is not set.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from semcrawl import Crawl
from semcrawl.crawl.events import PageVisited
from semcrawl.crawl.progress import StopReason
from semcrawl.web import open_replay

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from semcrawl.crawl.events import Event
    from semcrawl.web import Replay

__all__ = ["INDEX_PAGES", "DevelopmentTopic", "RecordedSchools", "find_schools"]

FOLDER = "schools-wikipedia"
INDEX_PAGES = "*/wp/index/*"


class DevelopmentTopic(NamedTuple):
    """A row of topics.tsv, and the articles that third parties have labelled so."""

    name: str
    keywords: str
    senses: tuple[str, ...]
    seeds: tuple[str, ...]
    articles: frozenset[str]


@dataclass(frozen=True)
class RecordedSchools:
    """The recorded web, opened once, and its topics."""

    recording: Path
    replay: Replay
    topics: tuple[DevelopmentTopic, ...]
    categories: dict[str, list[str]]  # of every article

    def crawl(
        self, topic: str, seeds: Sequence[str], listener: Callable[[Event], None] | None = None, **settings: Any
    ) -> list[str]:
        """Crawl in memory; the pages in the order of their visits."""
        visited: list[str] = []

        def note(event: Event) -> None:
            if isinstance(event, PageVisited):
                visited.append(event.url)
            if listener is not None:
                listener(event)

        # The recording is named beside the open replay: that is what makes it a replay.
        recording = [str(self.recording)]
        with Crawl(topic, seeds, fetcher=self.replay, replay=recording, **settings) as crawl:
            if crawl.run(note).reason is StopReason.INTERRUPTED:
                # A crawl takes a signal as a wish to stop early: half a crawl is no figure.
                raise KeyboardInterrupt
        return visited


def find_schools() -> RecordedSchools | None:
    """The recorded web, or None (and a line that says so) where it is not there."""
    folder = Path(os.environ.get("SEMCRAWL_DATA", "../shared/data")) / FOLDER
    recording = folder / "pages.warc.gz"
    if not recording.is_file():
        print(f"left out: there is no {FOLDER} in $SEMCRAWL_DATA")
        return None
    categories = {row[0]: row[2].split("|") for row in _rows(folder / "labels.tsv") if row[1] == "article"}
    topics = tuple(_topic(row, categories) for row in _rows(folder / "topics.tsv"))
    return RecordedSchools(recording, open_replay(recording), topics, categories)


def _rows(path: Path) -> Iterator[list[str]]:
    """The rows of a table but the first, which names the columns."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return (line.split("\t") for line in lines[1:])


def _topic(row: list[str], categories: dict[str, list[str]]) -> DevelopmentTopic:
    name, prefixes, keywords, senses, _, seeds = row
    wanted = tuple(prefixes.split("|"))
    articles = (url for url, names in categories.items() if any(map(_starts(wanted), names)))
    return DevelopmentTopic(name, keywords, tuple(senses.split()), tuple(seeds.split()), frozenset(articles))


def _starts(prefixes: tuple[str, ...]) -> Callable[[str], bool]:
    return lambda category: category.startswith(prefixes)
