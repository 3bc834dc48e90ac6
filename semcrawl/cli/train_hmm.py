"""``semcrawl train hmm``: a model of how people browse to a topic, for the HMM crawlers."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import closing
from dataclasses import dataclass, replace
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from semcrawl.cli.screen import count, one_line
from semcrawl.cli.train_output import model_file
from semcrawl.cli.train_progress import PageProgress
from semcrawl.cli.train_source import training_fetcher, training_source
from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.judges import Judge
    from semcrawl.learning.browsing import BrowsingPath
    from semcrawl.learning.hmm_model import HmmFacts
    from semcrawl.learning.training_pages import TrainingPages
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["hmm"]

_SHOWN = 3
_FEW_TARGETS = 10


class _Clusters(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A number of clusters, or x-means, which is 0."""

    name = "number or x-means"

    def convert(self, value: Any, param: Any, ctx: Any) -> int:
        from semcrawl.learning.hmm_training import X_MEANS

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
    from semcrawl.learning.browsing import read_paths
    from semcrawl.learning.hmm_file import save_hmm
    from semcrawl.learning.hmm_training import HmmOptions, train_hmm

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
    from semcrawl.learning.origin import topic_digest

    return msgspec.structs.replace(
        facts,
        topic_digest=topic_digest(setting.topic) if setting.topic else "",
        judge=judge if setting.judge else "",
    )


def _setting(options: dict[str, Any]) -> _Setting:
    """The background, the topic and the judge, before anything is fetched."""
    from semcrawl.judges import JUDGES
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
    from semcrawl.learning.browsing import last_pages, read_targets, urls_of

    if given == "judge":
        return None
    if given == "last":
        return last_pages(paths)
    named = read_targets(given)
    absent = sorted(named.difference(urls_of(paths)))
    if len(absent) == len(named):
        raise ConfigError(
            f"no target of {given} is on a browsing path ({', '.join(absent[:_SHOWN])}, …); "
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
    from semcrawl.learning.browsing import urls_of
    from semcrawl.learning.training_pages import read_training_pages

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
    more = ", …" if len(urls) > _SHOWN else ""
    click.echo(one_line(f"warning: {what}{', '.join(urls[:_SHOWN])}{more}"), err=True)


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
