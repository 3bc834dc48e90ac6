"""All commands under one name, in the order in which a person meets them."""

from __future__ import annotations

from typing import Any

import click

from semcrawl.cli.crawl import crawl, resume, revisit
from semcrawl.cli.demo import demo
from semcrawl.cli.distill import distill
from semcrawl.cli.explain import explain
from semcrawl.cli.export import export
from semcrawl.cli.lab import lab
from semcrawl.cli.policy import policy
from semcrawl.cli.query import query
from semcrawl.cli.replay import replay
from semcrawl.cli.seeds import seeds
from semcrawl.cli.serve import serve
from semcrawl.cli.site_list import site_list
from semcrawl.cli.sites import sites
from semcrawl.cli.status import status
from semcrawl.cli.strategies import strategies
from semcrawl.cli.taxonomy import taxonomy
from semcrawl.cli.topic import topic
from semcrawl.cli.train import train
from semcrawl.cli.watch import watch
from semcrawl.version import VERSION

__all__ = ["ReaderGoneError", "cli"]


class ReaderGoneError(Exception):
    """Whoever read our output has gone, as in ``semcrawl query … | head``."""


class _Commands(click.Group):
    """A group that lists its commands in the order in which they were added."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(self.commands)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            # Click would make this a failure; a reader that has seen enough is none.
            raise ReaderGoneError from error


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(VERSION, prog_name="semcrawl")
def cli() -> None:
    """Name a topic, and get back the part of the web that is about it, as an RDF graph.

    \b
    Try it without internet:   semcrawl demo
    Find a topic:              semcrawl topic wordnet:bank
    Crawl:                     semcrawl crawl wordnet:asthma --seed http://example.org/
    """


for command in (
    demo,
    topic,
    taxonomy,
    seeds,
    train,
    crawl,
    resume,
    revisit,
    sites,
    site_list,
    status,
    watch,
    serve,
    query,
    policy,
    distill,
    explain,
    export,
    strategies,
    replay,
    lab,
):
    cli.add_command(command)
