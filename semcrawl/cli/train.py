"""``semcrawl train``: models for the crawlers that learn, made before a crawl."""

from pathlib import Path
from typing import Any

import click

from semcrawl.cli.options import (
    FILE,
    flag_option,
    json_option,
    language_option,
    number_option,
    trust_option,
)
from semcrawl.cli.setting_options import Decorator, options_of, together
from semcrawl.models.training_options import (
    ApprenticeOptions,
    ContextGraphOptions,
    HmmOptions,
    SiteTrainingOptions,
)


def _option(flag: str, text: str, default: Any = None, **how: Any) -> Decorator:
    return click.option(flag, help=text, default=default, show_default=bool(default), **how)


def _replay(text: str) -> Decorator:
    return click.option("--replay", multiple=True, type=click.Path(), help=text)


_output = click.option("-o", "--output", type=FILE, required=True, help="Model file to write.")
_as_json = json_option("Print the summary as JSON.")
_fetching = together(
    number_option(
        "--delay", 1.0, "Seconds between two requests to a host, where pages are fetched.", 0, 60
    ),
    _option("--contact", "URL or mail address for the User-Agent.", ""),
    _option("--proxy", "HTTP proxy to fetch through.", ""),
    flag_option("--allow-private", help="Fetch from private and local addresses, too."),
)


@click.group()
def train() -> None:
    """Train the crawlers that learn, before they crawl."""


@train.command()
@click.argument("source", nargs=-1, required=True, type=click.Path())
@_output
@_option("--topic", "What the pages are judged by; of a recorded web.")
@language_option
@_option("--judge", "How they are judged; of a recorded web.  [default: labels]")
@_option("--background", "Term statistics for the judge; of a recorded web.")
@_replay("The recorded web of a crawl.  [default: the one it was made from]; may be repeated")
@trust_option
@options_of(ApprenticeOptions, checked=True)
def apprentice(source: tuple[str, ...], output: Path, **options: Any) -> None:
    """Train the apprentice with the links of an earlier crawl, or of a recorded web.

    SOURCE is the folder of a crawl that was made from a recorded web, or WARC
    files and folders of pages, with a topic to judge them by.

    \b
    semcrawl train apprentice asthma-crawl -o asthma.model
    semcrawl train apprentice web.warc.gz --topic wordnet:asthma -o asthma.model
    semcrawl crawl wordnet:asthma --strategy apprentice:model=asthma.model --seed URL
    """
    from semcrawl.cli import train_models

    train_models.train_apprentice(source, output, options)


@train.command(name="context-graph")
@click.argument("source", type=click.Path(path_type=Path))
@_output
@_replay("The recorded web with the pages; may be repeated.  [default: the crawl's]")
@_option(
    "--targets",
    "A file of the target pages, a URL a line.  [default: the relevant pages; without "
    "--topic, where paths end]",
    type=FILE,
)
@_option("--topic", "What the pages of paths are judged by.")
@language_option
@_option("--judge", "How they are judged.  [default: labels]")
@_option("--background", "Term statistics.  [default: the crawl's, or as shipped]")
@trust_option
@options_of(ContextGraphOptions, checked=True)
def context_graph(source: Path, output: Path, **options: Any) -> None:
    """Learn how many links a page is away from a target.

    SOURCE is the folder of an earlier crawl, whose relevant pages are the
    targets, or a file of browsing paths: URLs with tabs between them, a path a line.

    \b
    semcrawl train context-graph asthma-crawl -o asthma.model
    semcrawl train context-graph paths.tsv --replay web.warc --topic wordnet:asthma -o asthma.model
    semcrawl crawl wordnet:asthma --strategy context-graph:model=asthma.model --seed URL
    """
    from semcrawl.cli import train_models

    train_models.train_layers(source, output, options)


@train.command()
@click.argument("paths", type=click.Path(path_type=Path))
@_output
@_replay("The recorded web that the pages are in; may be repeated.  [default: they are fetched]")
@_option(
    "--targets",
    "Which pages were sought: where the paths end, those that a judge finds relevant to "
    "--topic, or the URLs in a file, one a line.",
    "last",
    metavar="last|judge|FILE",
)
@_option("--topic", "What the targets are about; a crawl for another topic then refuses the model.")
@language_option
@_option("--judge", "What finds the targets, with --targets judge.", "labels")
@_option(
    "--threshold",
    "From which relevance on a page is a target.  [default: the judge's own]",
    type=click.FloatRange(0, 1),
)
@_option(
    "--background",
    "Where document frequencies come from, as in a crawl.  [default: a table that comes with "
    "semcrawl]",
    "",
)
@_option(
    "--gap",
    "Minutes without a visit after which a browser's history goes on as a new path.  [default: 30]",
    type=click.FloatRange(min=0, min_open=True),
)
@options_of(HmmOptions, checked=True)
@_fetching
@_as_json
def hmm(paths: Path, output: Path, as_json: bool, **options: Any) -> None:
    """Train a model of how people browse to a topic, for the HMM crawlers.

    PATHS has a path a line, URLs with tabs between them; or it is a browser's history as CSV or
    JSON, with a URL and a time in each row. Either may be gzipped.

    \b
    semcrawl train hmm paths.tsv --replay web.warc.gz -o asthma.model
    semcrawl train hmm history.csv --topic wordnet:asthma --targets judge -o asthma.model
    semcrawl crawl wordnet:asthma --strategy hybrid-hmm-anchor:model=asthma.model --seed URL
    """
    from semcrawl.cli import train_models

    train_models.train_browsing(paths, output, as_json, options)


@train.command()
@_option(
    "--relevant",
    "A file of homepages of relevant sites, a URL a line; may be repeated.",
    multiple=True,
    metavar="[NAME=]FILE",
)
@_option(
    "--other",
    "A file of homepages of other sites; with a name, of a class of their own; may be repeated.",
    multiple=True,
    metavar="[NAME=]FILE",
)
@_option(
    "--taxonomy",
    "A tree of categories with homepages as examples, or a trained taxonomy, instead of the lists.",
    type=click.Path(path_type=Path),
)
@_option(
    "--category",
    "A relevant category of the taxonomy; may be repeated.  [default: those marked good]",
    multiple=True,
)
@_output
@_replay(
    "The recorded web that the sites are in, WARC files or a folder of pages; may be repeated.  "
    "[default: they are fetched]"
)
@_option("--topic", "What the relevant sites are about.")
@language_option
@_option(
    "--site-by",
    "What a site is: a host, a registered domain, or N folders of a host.",
    "host",
    metavar="host|domain|path:N",
)
@number_option("--pages", 25, "How many pages of a site are read, breadth-first.", most=10_000)
@_option(
    "--background",
    "Where document frequencies come from, as in a crawl.  [default: the training pages]",
    "",
)
@_option(
    "--validate",
    "Try it on a tenth of the sites held out, ten times: precision, recall and F; needs --replay.",
    is_flag=True,
)
@options_of(SiteTrainingOptions, checked=True)
@_fetching
@_as_json
def sites(output: Path, as_json: bool, **options: Any) -> None:
    """Train a page classifier that tells relevant websites from others.

    It learns from the first pages of the sites whose homepages are listed, or of
    those in the categories of a taxonomy.

    \b
    semcrawl train sites --relevant clinics.txt --other other.txt -o clinics.sites
    semcrawl train sites --relevant r.txt --other shops=s.txt --other news=n.txt -o r.sites
    semcrawl train sites --taxonomy directory.skos.ttl --category Sailing -o sailing.sites
    """
    from semcrawl.cli import train_models

    train_models.train_sites(output, as_json, options)
