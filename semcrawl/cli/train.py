"""``semcrawl train``: models for the crawlers that learn, made before a crawl."""

from typing import Any

import click

from semcrawl.cli.options import options_of, parameters
from semcrawl.models import training_options as trainings


@click.group()
@parameters("train")
def train() -> None:
    """Train the crawlers that learn, before they crawl."""


def _add(name: str, declared: type[trainings.TrainingOptions], about: str) -> None:
    """Add a command whose function, in ``train_models``, is imported when it is called."""

    def command(**given: Any) -> None:
        from semcrawl.cli import train_models

        getattr(train_models, f"train_{name.replace('-', '_')}")(**given)

    command.__doc__ = about
    train.command(name=name)(parameters(name)(options_of(declared)(command)))


_add("apprentice", trainings.ApprenticeOptions, "Train the apprentice with links of a crawl or recorded web.")
_add("context-graph", trainings.ContextGraphOptions, "Learn how many links a page is away from a target.")
_add("hmm", trainings.HmmOptions, "Train the HMM crawlers with paths that people browsed.")
_add("sites", trainings.SiteTrainingOptions, "Train what tells relevant websites from others.")
