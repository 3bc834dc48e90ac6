"""``semcrawl train apprentice``: a model for the apprentice, before it crawls."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semcrawl.cli.screen import count
from semcrawl.cli.train_output import model_file
from semcrawl.cli.train_progress import PageProgress
from semcrawl.errors import ConfigError

if TYPE_CHECKING:
    from semcrawl.learning.apprentice_file import TrainedApprentice
    from semcrawl.learning.features import FeatureKinds
    from semcrawl.topics import Topic

__all__ = ["apprentice"]

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
    from semcrawl.learning.apprentice_file import save_apprentice
    from semcrawl.learning.features import FeatureKinds

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
    from semcrawl.learning.apprentice_file import TrainedApprentice
    from semcrawl.learning.offline_apprentice import pages_of_crawl, train_offline
    from semcrawl.learning.origin import topic_digest
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
    from semcrawl.judges import JUDGES
    from semcrawl.learning.apprentice_file import TrainedApprentice
    from semcrawl.learning.offline_apprentice import pages_of_replay, train_offline
    from semcrawl.learning.origin import judge_digest, topic_digest
    from semcrawl.page.background import find_background
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
    from semcrawl.judges import JUDGES
    from semcrawl.learning.origin import judge_digest
    from semcrawl.page.background import find_background
    from semcrawl.registry import split_spec

    name, _ = split_spec(spec)
    if name not in JUDGES.names() and ".py" not in name:
        return spec, ""
    judge = JUDGES.create(spec, topic=topic, background=find_background(background))
    return type(judge).__name__, judge_digest(judge)
