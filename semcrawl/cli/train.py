"""``semcrawl train``: models for the crawlers that learn, made before a crawl."""

from pathlib import Path
from typing import Any

import click

from semcrawl.cli.options import options_of, parameters
from semcrawl.models import training_options


@click.group()
@parameters("train")
def train() -> None:
    """Train the crawlers that learn, before they crawl."""


@train.command()
@parameters("apprentice")
@options_of(training_options.ApprenticeOptions)
def apprentice(source: tuple[str, ...], output: Path, **options: Any) -> None:
    """Train the apprentice with links of a crawl or recorded web."""
    from semcrawl.cli import train_models

    train_models.train_apprentice(source, output, options)


@train.command(name="context-graph")
@parameters("context-graph")
@options_of(training_options.ContextGraphOptions)
def context_graph(source: Path, output: Path, **options: Any) -> None:
    """Learn how many links a page is away from a target."""
    from semcrawl.cli import train_models

    train_models.train_layers(source, output, options)


@train.command()
@parameters("hmm")
@options_of(training_options.HmmOptions)
def hmm(paths: Path, output: Path, as_json: bool, **options: Any) -> None:
    """Train the HMM crawlers with paths that people browsed."""
    from semcrawl.cli import train_models

    train_models.train_browsing(paths, output, as_json, options)


@train.command()
@parameters("sites")
@options_of(training_options.SiteTrainingOptions)
def sites(output: Path, as_json: bool, **options: Any) -> None:
    """Train what tells relevant websites from others."""
    from semcrawl.cli import train_models

    train_models.train_sites(output, as_json, options)
