"""``semcrawl train context-graph``: a model for the context-graph crawler."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semcrawl.cli.screen import count
from semcrawl.cli.train_output import model_file
from semcrawl.cli.train_progress import PageProgress
from semcrawl.errors import ConfigError, FetchError, PageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from semcrawl.learning.browsing import BrowsingPath
    from semcrawl.learning.context_graph import ContextGraph, TrainingOptions
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["context_graph"]

_SHOWN = 3


@click.command(name="context-graph")
@click.argument("source", type=click.Path(path_type=Path))
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="Model file to write.",
)
@click.option(
    "--replay",
    multiple=True,
    type=click.Path(),
    help="The recorded web with the pages; may be repeated.  [default: the crawl's]",
)
@click.option(
    "--targets",
    type=click.Path(path_type=Path, dir_okay=False),
    help="A file of the target pages, a URL a line.  [default: the relevant pages; without "
    "--topic, where paths end]",
)
@click.option("--topic", help="What the pages of paths are judged by.")
@click.option("--judge", help="How they are judged.  [default: cosine]")
@click.option("--background", help="Term statistics.  [default: the crawl's, or as shipped]")
@click.option(
    "--depth",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="The number of the outermost layer.",
)
@click.option(
    "--features",
    type=click.IntRange(min=1),
    default=40,
    show_default=True,
    help="How many terms of a page are looked at.",
)
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.9,
    show_default=True,
    help="The share of a layer's own pages that must be found to belong to it.",
)
@click.option(
    "--most",
    type=click.IntRange(min=3),
    default=1000,
    show_default=True,
    help="The most pages of a layer.",
)
def context_graph(source: Path, output: Path, **options: Any) -> None:
    """Learn how many links a page is away from a target.

    SOURCE is the folder of an earlier crawl, whose relevant pages are the
    targets, or a file of browsing paths: URLs with tabs between them, a path a line.

    \b
    semcrawl train context-graph asthma-crawl -o asthma.json
    semcrawl train context-graph paths.tsv --replay web.warc --topic wordnet:asthma -o asthma.json
    semcrawl crawl wordnet:asthma --strategy context-graph:model=asthma.json --seed URL
    """
    from semcrawl.learning.context_graph import TrainingOptions
    from semcrawl.learning.context_graph_file import save_context_graph

    names = ("depth", "features", "share", "most")
    wanted = TrainingOptions(**{name: options[name] for name in names})
    place, source = model_file(output), source.expanduser()
    if not source.exists():
        raise ConfigError(
            f"there is no {source} to learn from: name the folder of a crawl, or a file of "
            "browsing paths"
        )
    lesson = (_of_crawl if source.is_dir() else _of_paths)(source, options)
    graph = lesson.train(wanted)
    save_context_graph(graph, place)
    for number, layer in enumerate(graph.layers):
        click.echo(f"layer {number}: {count(layer.pages, 'page')}")
    click.echo(f"{count(graph.vocabulary, 'term')} written to {output}")


@dataclass(frozen=True, slots=True)
class _Lesson:
    """What there is to learn from."""

    distances: Mapping[str, int]
    counts_of: Callable[[str], Mapping[str, int] | None]
    background: Background
    topic: Topic | None
    judge: str = ""

    def train(self, options: TrainingOptions) -> ContextGraph:
        from semcrawl.learning.context_graph import train_context_graph
        from semcrawl.learning.origin import topic_digest

        layers = Counter(far for far in self.distances.values() if far <= options.depth)
        total = sum(min(size, options.most) for size in layers.values())
        with PageProgress() as progress:

            def counts_of(url: str) -> Mapping[str, int] | None:
                progress(total)
                return self.counts_of(url)

            name = self.topic.name if self.topic else ""
            graph = train_context_graph(
                self.distances, counts_of, self.background, topic=name, options=options
            )
        digest = topic_digest(self.topic) if self.topic else ""
        return replace(graph, topic_digest=digest, judge=self.judge)


def _of_crawl(folder: Path, options: dict[str, Any]) -> _Lesson:
    """The links of a crawl, with its relevant pages as targets."""
    from semcrawl.graph import CrawlGraph
    from semcrawl.learning.browsing import click_distances, read_targets
    from semcrawl.page.background import find_background
    from semcrawl.topics import Topic

    if given := [f"--{name}" for name in ("topic", "judge") if options[name]]:
        raise ConfigError(f"a crawl has its own: leave {' and '.join(given)} out")
    with CrawlGraph.read(folder) as graph:
        about = graph.describe()
        rows = graph.query("export/links", min_relevance=0.0)
        links = [(row["source"], row["target"]) for row in rows]
        relevant = graph.query("export/pages", min_relevance=about.threshold)
        targets = {row["url"] for row in relevant}
    if options["targets"]:
        targets = set(read_targets(options["targets"]))
    settings = json.loads(about.settings)
    web = options["replay"] or settings.get("replay") or ()
    if not web:
        raise ConfigError(
            f"the crawl in {folder} was made over the network, and its pages are needed again: "
            "give them with --replay"
        )
    return _Lesson(
        click_distances([*links, *((url,) for url in sorted(targets))], targets),
        _reading(web),
        find_background(options["background"] or settings.get("background") or ""),
        Topic.from_toml(about.topic),
        "" if options["targets"] else settings.get("judge", ""),
    )


def _of_paths(paths: Path, options: dict[str, Any]) -> _Lesson:
    """The clicks of people, with the pages that they were after as targets."""
    from semcrawl.learning.browsing import click_distances, last_pages, read_paths, read_targets
    from semcrawl.page.background import find_background
    from semcrawl.topics import Topic

    if not options["replay"]:
        raise ConfigError("the pages of the paths are needed: give a recorded web with --replay")
    if options["judge"] and not options["topic"]:
        raise ConfigError("--judge needs a topic to judge by: give it with --topic")
    walked = read_paths(paths)
    background = find_background(options["background"] or "")
    counts_of = _reading(options["replay"])
    topic = Topic.parse(options["topic"]) if options["topic"] else None
    judge = ""
    if options["targets"]:
        targets = read_targets(options["targets"])
    elif topic is not None:
        judge = options["judge"] or "cosine"
        counts_of, targets = _judged(walked, topic, background, options)
    else:
        targets = last_pages(walked)
    distances = click_distances(walked, targets)
    return _Lesson(distances, counts_of, background, topic, judge)


def _judged(
    walked: Sequence[BrowsingPath], topic: Topic, background: Background, options: dict[str, Any]
) -> tuple[Callable[[str], Mapping[str, int] | None], frozenset[str]]:
    """The pages of paths, read once, and those of them that are on the topic."""
    from semcrawl.judges import JUDGES
    from semcrawl.learning.browsing import urls_of
    from semcrawl.learning.training_pages import PageSource, read_training_pages
    from semcrawl.web import open_replay

    judge = JUDGES.create(options["judge"] or "cosine", topic=topic, background=background)
    source = PageSource(open_replay(list(options["replay"])))
    urls = urls_of(walked)
    with PageProgress() as progress:
        pages = read_training_pages(urls, source, judge=judge, each=lambda _: progress(len(urls)))
    if not pages.terms:
        raise ConfigError(
            f"none of the {count(len(urls), 'page')} on the paths is in the recording "
            f"({', '.join(urls[:_SHOWN])}, …): give the recorded web that they are in"
        )
    least = judge.threshold
    relevant = frozenset(url for url, value in pages.relevance.items() if value >= least)
    return pages.terms.get, relevant


def _reading(web: tuple[str, ...] | list[str]) -> Callable[[str], Mapping[str, int] | None]:
    """Gives the term counts of a recorded page, None for what is none."""
    from semcrawl.learning.training_pages import PageSource
    from semcrawl.web import open_replay

    source = PageSource(open_replay(list(web)))

    def counts_of(url: str) -> Mapping[str, int] | None:
        try:
            return source.page(url).terms
        except (FetchError, PageError):
            return None

    return counts_of
