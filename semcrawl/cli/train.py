"""``semcrawl train``: models for the crawlers that learn, made before a crawl."""

from __future__ import annotations

import click

from semcrawl.cli.train_apprentice import apprentice
from semcrawl.cli.train_context_graph import context_graph
from semcrawl.cli.train_hmm import hmm
from semcrawl.cli.train_sites import sites

__all__ = ["train"]


@click.group()
def train() -> None:
    """Train the crawlers that learn, before they crawl."""


for command in (apprentice, context_graph, hmm, sites):
    train.add_command(command)
