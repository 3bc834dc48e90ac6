"""``semcrawl topic``: looking at a topic, and tuning it, before a crawl."""

from typing import Any

import click

from semcrawl.cli.options import parameters


@click.command()
@parameters("topic")
def topic(spec: str, form: str | None, **options: Any) -> None:
    """Look at a topic and tune it; list the senses of a word."""
    # Here, so that --help does without: reading topics brings numpy and half of semcrawl.
    from semcrawl.cli.topic_views import show

    show(spec, form, options)
