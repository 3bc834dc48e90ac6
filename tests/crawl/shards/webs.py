"""A small web of many hosts, and what crawls of it have recorded."""

from __future__ import annotations

import random
from pathlib import Path

from semcrawl.crawl.shards.layout import ShardedFolder
from semcrawl.graph import CrawlGraph

TOPIC = "keywords:asthma lung breath"
HOSTS, PAGES = 12, 72
_WORDS = ["asthma", "lung", "breath", "inhaler", "river", "castle", "piano", "garden", "engine", "harvest"]


def url(number: int) -> str:
    """The URL of a page."""
    return f"http://www.site{number % HOSTS}.test/{number // HOSTS}.html"


def write_web(folder: Path) -> Path:
    """Write a web in which every page can be reached from page 0, with redirects and dead links."""
    folder.mkdir()
    chance = random.Random(7)
    lines = []
    for number in range(PAGES):
        targets = {2 * number + 1, 2 * number + 2, *(chance.randrange(PAGES) for _ in range(4))}
        about = _WORDS[:5] if chance.random() < 0.5 else _WORDS[3:]  # pages that are not all alike
        words = " ".join(chance.choices(about, k=60))
        links = "".join(
            f'<p><a href="{url(target)}">{chance.choice(_WORDS)} {target}</a>'
            for target in sorted(targets)
            if target < PAGES
        )
        links += f'<p><a href="http://gone{number % 5}.test/{number}">gone</a>'
        links += f'<p><a href="http://moved{number}.test/">moved</a>'
        page = f"<title>{words[:20]}</title><p>{words}{links}"
        (folder / f"{number}.html").write_text(page, encoding="utf-8")
        lines.append(f"{url(number)}\t{number}.html\t200\ttext/html")
        lines.append(f"http://moved{number}.test/\t{url((number * 5) % PAGES)}\t301")
    (folder / "urls.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def recorded(folder: Path) -> dict[str, str]:
    """The pages of all shards, each with the name of the shard; a page of two is an error."""
    found: dict[str, str] = {}
    for place in ShardedFolder.open(folder).begun:
        with CrawlGraph.read(place) as graph:
            for row in graph.query("SELECT ?url WHERE { ?url a sc:Page }"):
                assert row["url"] not in found
                found[row["url"]] = place.name
    return found


def outboxes(folder: Path) -> int:
    """How many outboxes are not empty, in all shards."""
    count = 0
    for place in ShardedFolder.open(folder).begun:
        with CrawlGraph.read(place) as graph:
            count += len(list(graph.query("SELECT ?o WHERE { ?url sc:outbox ?o }")))
    return count


def settled(folder: Path) -> dict[str, object]:
    """What became of every URL that is no page, in all shards: why it was dropped, where it led."""
    found: dict[str, object] = {}
    query = "SELECT ?url ?why WHERE { ?url sc:droppedBecause|sc:redirectsTo|sc:priority ?why }"
    for place in ShardedFolder.open(folder).begun:
        with CrawlGraph.read(place) as graph:
            found |= {row["url"]: row["why"] for row in graph.query(query)}
    return found
