"""``semcrawl train``: models for the crawlers that learn, made before a crawl."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter
from contextlib import closing, nullcontext
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from semcrawl.cli.progress import PageProgress
from semcrawl.cli.screen import count, one_line
from semcrawl.errors import ConfigError, FetchError, PageError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from semcrawl.models.apprentice import TrainedApprentice
    from semcrawl.models.browsing import BrowsingPath
    from semcrawl.models.context_graph import ContextGraph, TrainingOptions
    from semcrawl.models.hmm import HmmFacts
    from semcrawl.models.link_features import FeatureKinds
    from semcrawl.models.site_classifiers import SiteFacts
    from semcrawl.models.site_training import SiteSample, TrainingSet
    from semcrawl.models.training_pages import PageSource, TrainingPages
    from semcrawl.relevance import Judge
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic
    from semcrawl.web import Fetcher
    from semcrawl.web.site_names import SiteName

# Where a training writes its model: seen to before anything is read.


def model_file(output: Path) -> Path:
    """The file that a model will be written to, ``~`` expanded.

    Raises:
        ConfigError: its folder is not there, or closed to writing.
    """
    place = output.expanduser()
    if not place.parent.is_dir():
        raise ConfigError(
            f"there is no folder {place.parent} for the model {place.name}: make it, or choose "
            "another place with -o"
        )
    if not os.access(place.parent, os.W_OK | os.X_OK):
        raise ConfigError(
            f"the folder {place.parent} cannot be written to: choose another place with -o"
        )
    return place


# ``semcrawl train apprentice``: a model for the apprentice, before it crawls.


_OF_WEB = ("topic", "judge", "background")


@click.command()
@click.argument("source", nargs=-1, required=True, type=click.Path())
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="Model file to write.",
)
@click.option("--topic", help="What the pages are judged by; of a recorded web.")
@click.option("--judge", help="How they are judged; of a recorded web.  [default: cosine]")
@click.option("--background", help="Term statistics for the judge; of a recorded web.")
@click.option(
    "--replay",
    multiple=True,
    type=click.Path(),
    help="The recorded web of a crawl.  [default: the one it was made from]; may be repeated",
)
@click.option(
    "--d-max", type=int, default=5, show_default=True, help="Farthest DOM offset to look at."
)
@click.option("--classes", is_flag=True, help="Learn from the concepts of pages, too.")
@click.option("--cocitation", is_flag=True, help="Learn from the links nearby, too.")
@click.option(
    "--boundary",
    type=click.FloatRange(0, 1),
    help="The least relevance that is high.  [default: such that half of the links are, as far "
    "as possible]",
)
def apprentice(source: tuple[str, ...], output: Path, **options: Any) -> None:
    """Train the apprentice with the links of an earlier crawl, or of a recorded web.

    SOURCE is the folder of a crawl that was made from a recorded web, or WARC
    files and folders of pages, with a topic to judge them by.

    \b
    semcrawl train apprentice asthma-crawl -o asthma.npz
    semcrawl train apprentice web.warc.gz --topic wordnet:asthma -o asthma.npz
    semcrawl crawl wordnet:asthma --strategy apprentice:model=asthma.npz --seed URL
    """
    from semcrawl.models.apprentice import save_apprentice
    from semcrawl.models.link_features import FeatureKinds

    kinds = FeatureKinds(options["d_max"], options["classes"], options["cocitation"])
    place = model_file(output)
    source = tuple(map(os.path.expanduser, source))
    if gone := [name for name in source if not Path(name).exists()]:
        raise ConfigError(
            f"there is no {gone[0]} to learn from: name the folder of a crawl, or a recorded web"
        )
    is_crawl = any((Path(name) / "graph").is_dir() for name in source)
    trained = (_of_crawl if is_crawl else _of_web)(source, kinds, options)
    save_apprentice(trained, place)
    model = trained.model
    click.echo(
        f"{count(int(model.links.sum()), 'link')}, {model.links[1]:,} of them to pages of a "
        f"relevance of {model.boundary:.4g} or more; {count(model.vocabulary, 'feature')} "
        f"written to {output}"
    )


def _of_crawl(
    source: tuple[str, ...], kinds: FeatureKinds, options: dict[str, Any]
) -> TrainedApprentice:
    from semcrawl.graph import CrawlGraph
    from semcrawl.models.apprentice import TrainedApprentice, pages_of_crawl, train_offline
    from semcrawl.models.archive import topic_digest
    from semcrawl.topics import Topic
    from semcrawl.web import open_replay

    if len(source) > 1:
        raise ConfigError("one crawl at a time: its model is for its topic")
    given = [f"--{name}" for name in _OF_WEB if options[name]]
    if given:
        raise ConfigError(f"a crawl has its own: leave {' and '.join(given)} out")
    with CrawlGraph.read(Path(source[0])) as graph:
        about = graph.describe()
        settings = json.loads(about.settings)
        web = options["replay"] or settings.get("replay") or ()
        if not web:
            raise ConfigError(
                f"the crawl in {source[0]} was made over the network, and its pages are needed "
                "again: give them with --replay"
            )
        topic = Topic.from_toml(about.topic)
        spec = settings.get("judge", "")
        judge, digest = _judge_of(spec, topic, settings.get("background", ""))
        with PageProgress() as progress:
            pages = pages_of_crawl(graph, open_replay(list(web)), progress)
            model = train_offline(pages, topic, kinds, options["boundary"])
    return TrainedApprentice(
        model, kinds, topic.name, judge, topic_digest(topic), digest, judge_spec=spec
    )


def _of_web(
    source: tuple[str, ...], kinds: FeatureKinds, options: dict[str, Any]
) -> TrainedApprentice:
    from semcrawl.models.apprentice import TrainedApprentice, pages_of_replay, train_offline
    from semcrawl.models.archive import judge_digest, topic_digest
    from semcrawl.page.background import find_background
    from semcrawl.relevance import JUDGES
    from semcrawl.topics import Topic
    from semcrawl.web import open_replay

    if not options["topic"]:
        raise ConfigError("a recorded web is judged by a topic: give it with --topic")
    if options["replay"]:
        raise ConfigError("--replay is for the pages of a crawl: name the recorded web alone")
    topic = Topic.parse(options["topic"])
    background = find_background(options["background"] or "")
    spec = options["judge"] or "cosine"
    judge = JUDGES.create(spec, topic=topic, background=background)
    with PageProgress() as progress:
        pages = pages_of_replay(open_replay(list(source)), judge, progress)
        model = train_offline(pages, topic, kinds, options["boundary"])
    name, digest = type(judge).__name__, judge_digest(judge)
    return TrainedApprentice(
        model, kinds, topic.name, name, topic_digest(topic), digest, judge_spec=spec
    )


def _judge_of(spec: str, topic: Topic, background: str) -> tuple[str, str]:
    """The class and digest of a crawl's judge; one given as an object is noted by its class."""
    from semcrawl.models.archive import judge_digest
    from semcrawl.page.background import find_background
    from semcrawl.registry import split_spec
    from semcrawl.relevance import JUDGES

    name, _ = split_spec(spec)
    if name not in JUDGES.names() and ".py" not in name:
        return spec, ""
    judge = JUDGES.create(spec, topic=topic, background=find_background(background))
    return type(judge).__name__, judge_digest(judge)


# ``semcrawl train context-graph``: a model for the context-graph crawler.


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
    from semcrawl.models.context_graph import TrainingOptions, save_context_graph

    names = ("depth", "features", "share", "most")
    wanted = TrainingOptions(**{name: options[name] for name in names})
    place, source = model_file(output), source.expanduser()
    if not source.exists():
        raise ConfigError(
            f"there is no {source} to learn from: name the folder of a crawl, or a file of "
            "browsing paths"
        )
    lesson = (_context_of_crawl if source.is_dir() else _of_paths)(source, options)
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
        from semcrawl.models.archive import topic_digest
        from semcrawl.models.context_graph import train_context_graph

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


def _context_of_crawl(folder: Path, options: dict[str, Any]) -> _Lesson:
    """The links of a crawl, with its relevant pages as targets."""
    from semcrawl.graph import CrawlGraph
    from semcrawl.models.browsing import click_distances, read_targets
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
    from semcrawl.models.browsing import click_distances, last_pages, read_paths, read_targets
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
    from semcrawl.models.browsing import urls_of
    from semcrawl.models.training_pages import PageSource, read_training_pages
    from semcrawl.relevance import JUDGES
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
    from semcrawl.models.training_pages import PageSource
    from semcrawl.web import open_replay

    source = PageSource(open_replay(list(web)))

    def counts_of(url: str) -> Mapping[str, int] | None:
        try:
            return source.page(url).terms
        except (FetchError, PageError):
            return None

    return counts_of


# Where training gets its pages from: a recorded web, or the network with manners.


def training_fetcher(options: Mapping[str, Any]) -> Fetcher:
    """What answers URLs, by the options ``replay``, ``contact``, ``allow_private``, ``proxy``."""
    from semcrawl.web import HttpFetcher, open_replay, user_agent

    if options["replay"]:
        return open_replay(list(options["replay"]))
    return HttpFetcher(
        user_agent(options["contact"] or None),
        allow_private=options["allow_private"],
        proxy=options["proxy"] or None,
    )


def training_source(fetcher: Fetcher, options: Mapping[str, Any]) -> PageSource:
    """The same with robots.txt and ``delay``, which a recorded web needs not."""
    from semcrawl.models.training_pages import PageSource
    from semcrawl.web import Politeness, Robots, user_agent

    if options["replay"]:
        return PageSource(fetcher)
    robots = Robots(fetcher, user_agent(options["contact"] or None))
    return PageSource(fetcher, robots, Politeness(delay=options["delay"]))


# ``semcrawl train hmm``: a model of how people browse to a topic, for the HMM crawlers.


_SHOWN_STATES = 3
_FEW_TARGETS = 10


class _Clusters(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A number of clusters, or x-means, which is 0."""

    name = "number or x-means"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        from semcrawl.models.hmm import X_MEANS

        if value == "x-means":
            return X_MEANS
        try:
            number = int(value)
        except ValueError:
            number = 0
        if number < 2:
            self.fail(f"{value!r} is neither x-means nor a number of 2 or more", param, ctx)
        return number


@dataclass(frozen=True, slots=True)
class _Setting:
    """What the pages are weighed and judged with."""

    background: Background
    topic: Topic | None
    judge: Judge | None
    threshold: float


@click.command()
@click.argument("paths", type=click.Path(path_type=Path))
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True,
              help="Model file to write.")  # fmt: skip
@click.option("--replay", multiple=True, type=click.Path(),
              help="The recorded web that the pages are in; may be repeated.  "
              "[default: they are fetched]")  # fmt: skip
@click.option("--targets", default="last", show_default=True, metavar="last|judge|FILE",
              help="Which pages were sought: where the paths end, those that a judge finds "
              "relevant to --topic, or the URLs in a file, one a line.")  # fmt: skip
@click.option("--topic", help="What the targets are about; a crawl for another topic then refuses "
              "the model.")  # fmt: skip
@click.option("--judge", default="cosine", show_default=True,
              help="What finds the targets, with --targets judge.")  # fmt: skip
@click.option("--threshold", type=click.FloatRange(0, 1),
              help="From which relevance on a page is a target.  "
              "[default: the judge's own]")  # fmt: skip
@click.option("--background", default="", help="Where document frequencies come from, as in a "
              "crawl.  [default: a table that comes with semcrawl]")  # fmt: skip
@click.option("--clusters", type=_Clusters(), default="5", show_default=True,
              help="How many clusters of pages, the last for the targets; or x-means, which finds "
              "a number.")  # fmt: skip
@click.option("--max-clusters", type=click.IntRange(min=2), default=20, show_default=True,
              help="How many x-means may find.")  # fmt: skip
@click.option("--neighbours", type=click.IntRange(min=1), default=5, show_default=True,
              help="How many of the nearest pages tell the cluster of a new one.")  # fmt: skip
@click.option("--states", type=click.IntRange(min=2), default=4, show_default=True,
              help="How many link distances are told apart; the last is all that is "
              "farther.")  # fmt: skip
@click.option("--smoothing", type=click.FloatRange(min=0), default=0.1, show_default=True,
              help="What is added to every count.")  # fmt: skip
@click.option("--terms", type=click.IntRange(min=0), default=100, show_default=True,
              help="How many terms of a page are looked at, the heaviest; 0 for all.")  # fmt: skip
@click.option("--gap", type=click.FloatRange(min=0, min_open=True),
              help="Minutes without a visit after which a browser's history goes on as a new "
              "path.  [default: 30]")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, (1 << 32) - 1), default=0, show_default=True,
              help="For clusters that repeat themselves.")  # fmt: skip
@click.option("--delay", type=click.FloatRange(0, 60), default=1.0, show_default=True,
              help="Seconds between two requests to a host, where pages are fetched.")  # fmt: skip
@click.option("--contact", default="", help="URL or mail address for the User-Agent.")
@click.option("--proxy", default="", help="HTTP proxy to fetch through.")
@click.option("--allow-private", is_flag=True, help="Fetch from private and local addresses, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def hmm(paths: Path, output: Path, as_json: bool, **options: Any) -> None:
    """Train a model of how people browse to a topic, for the HMM crawlers.

    PATHS has a path a line, URLs with tabs between them; or it is a browser's history as CSV or
    JSON, with a URL and a time in each row. Either may be gzipped.

    \b
    semcrawl train hmm paths.tsv --replay web.warc.gz -o asthma.hmm
    semcrawl train hmm history.csv --topic wordnet:asthma --targets judge -o asthma.hmm
    semcrawl crawl wordnet:asthma --strategy hybrid-hmm-anchor:model=asthma.hmm --seed URL
    """
    from semcrawl.models.browsing import read_paths
    from semcrawl.models.hmm import HmmOptions, save_hmm, train_hmm

    names = ("clusters", "max_clusters", "states", "neighbours", "smoothing", "terms", "seed")
    how = HmmOptions(**{name: options[name] for name in names})
    place = model_file(output)
    browsed = read_paths(paths, gap=options["gap"] and 60 * options["gap"])
    setting = _setting(options)
    listed = _listed_targets(options["targets"], browsed)
    pages = _pages(browsed, setting, options)
    targets = _targets(listed, pages, setting)
    topic = setting.topic.name if setting.topic else ""
    model = train_hmm(browsed, targets, pages.terms, setting.background, how, topic=topic)
    model = replace(model, facts=_with_origin(model.facts, setting, options["judge"]))
    save_hmm(model, place)
    if as_json:
        facts = msgspec.to_builtins(model.facts) | {"missing": pages.missing}
        click.echo(json.dumps(facts, indent=1))
    else:
        _show(model.facts, output)


def _with_origin(facts: HmmFacts, setting: _Setting, judge: str) -> HmmFacts:
    from semcrawl.models.archive import topic_digest

    return msgspec.structs.replace(
        facts,
        topic_digest=topic_digest(setting.topic) if setting.topic else "",
        judge=judge if setting.judge else "",
    )


def _setting(options: dict[str, Any]) -> _Setting:
    """The background, the topic and the judge, before anything is fetched."""
    from semcrawl.relevance import JUDGES
    from semcrawl.topics import Topic

    by_judge = options["targets"] == "judge"
    if by_judge and not options["topic"]:
        raise ConfigError("--targets judge needs a topic to judge by: give it with --topic")
    background = _background(options["background"])
    topic = Topic.parse(options["topic"]) if options["topic"] else None
    if not by_judge:
        return _Setting(background, topic, None, 0.0)
    judge = JUDGES.create(options["judge"], topic=topic, background=background)
    threshold = judge.threshold if options["threshold"] is None else options["threshold"]
    if isnan(threshold):  # no range keeps it out
        raise ConfigError("--threshold nan is no relevance: give a number from 0 to 1")
    return _Setting(background, topic, judge, threshold)


def _background(source: str) -> Background:
    from semcrawl.text.background import Background

    if not source:
        return Background.default()
    from semcrawl.page.background import find_background

    return find_background(source)


def _listed_targets(given: str, paths: Sequence[BrowsingPath]) -> frozenset[str] | None:
    """The targets that are known before the pages are: all but those of a judge."""
    from semcrawl.models.browsing import last_pages, read_targets, urls_of

    if given == "judge":
        return None
    if given == "last":
        return last_pages(paths)
    named = read_targets(given)
    absent = sorted(named.difference(urls_of(paths)))
    if len(absent) == len(named):
        raise ConfigError(
            f"no target of {given} is on a browsing path ({', '.join(absent[:_SHOWN_STATES])}, …); "
            "compare how the URLs are written in both files"
        )
    if absent:
        _warn(f"{count(len(absent), 'target')} on no path, left out: ", absent)
    return named


def _targets(
    listed: frozenset[str] | None, pages: TrainingPages, setting: _Setting
) -> frozenset[str]:
    if listed is not None:
        return listed
    reached = (url for url, value in pages.relevance.items() if value >= setting.threshold)
    return frozenset(reached)


def _pages(
    paths: Sequence[BrowsingPath], setting: _Setting, options: dict[str, Any]
) -> TrainingPages:
    """Read the pages of the paths, with a bar where someone watches."""
    from semcrawl.models.browsing import urls_of
    from semcrawl.models.training_pages import read_training_pages

    urls = urls_of(paths)
    fetcher = training_fetcher(options)
    with closing(fetcher), PageProgress() as progress:
        pages = read_training_pages(
            urls,
            training_source(fetcher, options),
            judge=setting.judge,
            each=lambda _: progress(len(urls)),
        )
    if pages.missing:
        reasons = ", ".join(f"{why} {n:,}" for why, n in Counter(pages.missing.values()).items())
        _warn(f"{count(len(pages.missing), 'page')} not known ({reasons}): ", list(pages.missing))
    return pages


def _warn(what: str, urls: Sequence[str]) -> None:
    more = ", …" if len(urls) > _SHOWN_STATES else ""
    click.echo(one_line(f"warning: {what}{', '.join(urls[:_SHOWN_STATES])}{more}"), err=True)


def _show(facts: HmmFacts, output: Path) -> None:
    click.echo(f"{count(facts.paths, 'path')}, {count(facts.pages, 'page')} read")
    last = len(facts.state_sizes) - 1
    for state, size in enumerate(facts.state_sizes):
        far = "targets" if not state else f"{state} link{'s' if state > 1 else ''} away"
        click.echo(f"  {size:>8,}  {far}{', or more' if state == last else ''}")
    sizes = ", ".join(f"{size:,}" for size in facts.cluster_sizes)
    click.echo(f"{len(facts.cluster_sizes)} clusters by {facts.clustering}: {sizes} pages")
    if facts.state_sizes[0] < _FEW_TARGETS:
        found = count(facts.state_sizes[0], "target")
        click.echo(f"warning: {found} only; a model of more is more to be trusted", err=True)
    click.echo(f"written to {output}")


# ``semcrawl train sites``: a page classifier for the crawler of whole websites.


_SHOWN_SITES = 3


@click.command()
@click.option("--relevant", multiple=True, metavar="[NAME=]FILE",
              help="A file of homepages of relevant sites, a URL a line; may be "
              "repeated.")  # fmt: skip
@click.option("--other", multiple=True, metavar="[NAME=]FILE",
              help="A file of homepages of other sites; with a name, of a class of their own; may "
              "be repeated.")  # fmt: skip
@click.option("--taxonomy", type=click.Path(path_type=Path),
              help="A tree of categories with homepages as examples, or a trained taxonomy, "
              "instead of the lists.")  # fmt: skip
@click.option("--category", multiple=True,
              help="A relevant category of the taxonomy; may be repeated.  "
              "[default: those marked good]")  # fmt: skip
@click.option("-o", "--output", type=click.Path(path_type=Path, dir_okay=False), required=True,
              help="Model file to write.")  # fmt: skip
@click.option("--replay", multiple=True, type=click.Path(),
              help="The recorded web that the sites are in, WARC files or a folder of pages; may "
              "be repeated.  [default: they are fetched]")  # fmt: skip
@click.option("--topic", help="What the relevant sites are about.")
@click.option("--site-by", default="host", show_default=True, metavar="host|domain|path:N",
              help="What a site is: a host, a registered domain, or N folders of a "
              "host.")  # fmt: skip
@click.option("--pages", type=click.IntRange(1, 10_000), default=25, show_default=True,
              help="How many pages of a site are read, breadth-first.")  # fmt: skip
@click.option("--classifier", type=click.Choice(["centroids", "naive-bayes"]),
              default="centroids", show_default=True, help="What is trained.")  # fmt: skip
@click.option("--centroids", type=click.IntRange(1, 1000), default=5, show_default=True,
              help="The most centroids of a class; there are ten pages for each at "
              "least.")  # fmt: skip
@click.option("--terms", type=click.IntRange(min=0), default=0, show_default=True,
              help="How many terms of a page are looked at, the heaviest; 0 for all.")  # fmt: skip
@click.option("--background", default="", help="Where document frequencies come from, as in a "
              "crawl.  [default: the training pages]")  # fmt: skip
@click.option("--seed", type=click.IntRange(0, (1 << 32) - 1), default=0, show_default=True,
              help="For clusters and folds that repeat themselves.")  # fmt: skip
@click.option("--delay", type=click.FloatRange(0, 60), default=1.0, show_default=True,
              help="Seconds between two requests to a host, where pages are fetched.")  # fmt: skip
@click.option("--contact", default="", help="URL or mail address for the User-Agent.")
@click.option("--proxy", default="", help="HTTP proxy to fetch through.")
@click.option("--allow-private", is_flag=True, help="Fetch from private and local addresses, too.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
def sites(output: Path, as_json: bool, **options: Any) -> None:
    """Train a page classifier that tells relevant websites from others.

    It learns from the first pages of the sites whose homepages are listed, or of
    those in the categories of a taxonomy.

    \b
    semcrawl train sites --relevant clinics.txt --other other.txt -o clinics.sites
    semcrawl train sites --relevant r.txt --other shops=s.txt --other news=n.txt -o r.sites
    semcrawl train sites --taxonomy directory.skos.ttl --category Sailing -o sailing.sites
    """
    from semcrawl.models.site_file import save_site_model
    from semcrawl.models.site_training import SiteTrainingOptions, train_site_model
    from semcrawl.web.site_names import SiteName

    names = ("classifier", "centroids", "terms", "seed")
    how = SiteTrainingOptions(**{name: options[name] for name in names})
    name = SiteName.parse(options["site_by"])
    background, topic = _site_background(options["background"]), _topic(options["topic"])
    if not output.absolute().parent.is_dir():
        raise ConfigError(f"cannot write the model {output}: its folder is not there")
    lesson, samples = _lesson(name, options)
    model = train_site_model(lesson, how, background=background, topic=topic, site_by=str(name))
    save_site_model(model, output)
    if as_json:
        silent = {one.homepage: _reason(one) for one in _silent(samples)}
        click.echo(json.dumps(msgspec.to_builtins(model.facts) | {"silent": silent}, indent=1))
    else:
        _show_sites(model.facts, output)


def _site_background(source: str) -> Background | None:
    from semcrawl.page.background import find_background

    return find_background(source) if source else None


def _topic(given: str | None) -> str:
    from semcrawl.topics import Topic

    return Topic.parse(given).name if given else ""


def _lesson(
    name: SiteName, options: dict[str, Any]
) -> tuple[TrainingSet, Mapping[str, Sequence[SiteSample]]]:
    """The training pages, from lists or a taxonomy, and the sites that were read for them."""
    from semcrawl.models.site_training import set_of_samples, set_of_taxonomy
    from semcrawl.topics.category_files import is_trained_taxonomy

    place = options["taxonomy"]
    if place is not None and (options["relevant"] or options["other"]):
        raise ConfigError("give either --taxonomy, or lists with --relevant and --other")
    if place is not None and is_trained_taxonomy(place):
        taxonomy, good = _trained(place, options["category"])
        return set_of_taxonomy(taxonomy, good, name=name), {}
    listed = _listed(options) if place is None else _of_tree(place, options["category"])
    samples = _read(listed, name, options)
    lesson = set_of_samples(samples)
    if silent := _silent(samples):
        shown = ", ".join(f"{one.homepage} ({_reason(one)})" for one in silent[:_SHOWN_SITES])
        more = ", …" if len(silent) > _SHOWN_SITES else ""
        words = f"warning: {count(len(silent), 'site')} gave no page, left out: {shown}{more}"
        click.echo(one_line(words), err=True)
    return lesson, samples


def _listed(options: dict[str, Any]) -> dict[str, list[str]]:
    """The homepages of the lists, by class, the target class first."""
    from semcrawl.models.site_training import OTHER, TARGET, class_and_file, read_homepages

    if options["category"]:
        raise ConfigError("--category names a category of a taxonomy: give it with --taxonomy")
    for option, what in (("relevant", "relevant"), ("other", "other")):
        if not options[option]:
            raise ConfigError(
                f"no {what} site is given: list homepages in a file, a URL a line, and name it "
                f"with --{option}; the others are what the relevant ones are told from"
            )
    relevant = [class_and_file(given, TARGET) for given in options["relevant"]]
    target = relevant[0][0]
    if any(name != target for name, _ in relevant):
        raise ConfigError("all relevant sites are one class: give all --relevant the same name")
    listed: dict[str, list[str]] = {}
    for name, file in (*relevant, *(class_and_file(given, OTHER) for given in options["other"])):
        listed.setdefault(name, []).extend(read_homepages(file))
    if len(listed) < 2:
        raise ConfigError(f"the relevant and the other sites are both named {target!r}")
    _require_apart(listed)
    return {name: list(dict.fromkeys(urls)) for name, urls in listed.items()}


def _require_apart(listed: Mapping[str, Sequence[str]]) -> None:
    """Stop at a homepage of two classes, before anything is fetched."""
    owner: dict[str, str] = {}
    for name, urls in listed.items():
        for url in urls:
            if owner.setdefault(url, name) != name:
                raise ConfigError(
                    f"{url} is listed among the sites of {owner[url]!r} and of {name!r}: leave it "
                    "out of one"
                )


def _of_tree(place: Path, categories: Sequence[str]) -> dict[str, list[str]]:
    from semcrawl.models.site_training import homepages_of_tree
    from semcrawl.models.taxonomy_tree import read_tree

    if not categories:
        raise ConfigError(f"name the relevant categories of {place} with --category")
    return homepages_of_tree(read_tree(place, first_parent=True), categories)


def _trained(place: Path, categories: Sequence[str]) -> tuple[Any, tuple[str, ...]]:
    from semcrawl.models.taxonomy import Taxonomy

    taxonomy = Taxonomy.load(place)
    good = tuple(taxonomy.tree.find(name) for name in categories) or taxonomy.good
    if not good:
        raise ConfigError(f"no category of {place} is marked good: name some with --category")
    return taxonomy, good


def _read(
    listed: Mapping[str, Sequence[str]], name: SiteName, options: dict[str, Any]
) -> dict[str, list[SiteSample]]:
    """Read the first pages of all sites, with a bar where someone watches."""
    from semcrawl.models.site_training import read_site

    fetcher = training_fetcher(options)
    with closing(fetcher), _bar(sum(map(len, listed.values()))) as bar:
        source = training_source(fetcher, options)
        samples: dict[str, list[SiteSample]] = {}
        for label, homepages in listed.items():
            found = samples.setdefault(label, [])
            for url in homepages:
                found.append(read_site(url, source, name, most=options["pages"]))
                if bar is not None:
                    bar.update(1)
    return samples


def _bar(length: int) -> Any:
    if not sys.stderr.isatty():
        return nullcontext()
    return click.progressbar(length=length, label="Reading sites", file=sys.stderr)


def _silent(samples: Mapping[str, Sequence[SiteSample]]) -> list[SiteSample]:
    """The sites that gave no page with words."""
    return [one for found in samples.values() for one in found if not one.pages]


def _reason(sample: SiteSample) -> str:
    return next(iter(sample.missing.values()), "no words")


def _show_sites(facts: SiteFacts, output: Path) -> None:
    width = max(map(len, facts.classes))
    for number, name in enumerate(facts.classes):
        line = f"{name:<{width}}  {count(facts.sites[number], 'site')}"
        line += f", {count(facts.pages[number], 'page')}, error {facts.errors[number]:.2f}"
        if facts.centroids:
            line += f", {count(facts.centroids[number], 'centroid')}"
        click.echo(line)
    click.echo(f"p_err {facts.error:.3f}, {facts.classifier}; written to {output}")


@click.group()
def train() -> None:
    """Train the crawlers that learn, before they crawl."""


for command in (apprentice, context_graph, hmm, sites):
    train.add_command(command)
