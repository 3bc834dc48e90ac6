"""``semcrawl train``: models for the crawlers that learn, made before a crawl."""

from pathlib import Path
from typing import Any

import click

from semcrawl.cli.options import parameters
from semcrawl.cli.setting_options import options_of
from semcrawl.models.training_options import (
    ApprenticeOptions,
    ContextGraphOptions,
    HmmOptions,
    SiteTrainingOptions,
)


@click.group()
def train() -> None:
    """Train the crawlers that learn, before they crawl."""


@train.command()
@parameters("apprentice")
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
@parameters("context-graph")
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
@parameters("hmm")
@options_of(HmmOptions, checked=True)
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
@parameters("sites")
@options_of(SiteTrainingOptions, checked=True)
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
