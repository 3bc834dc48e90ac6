"""``semcrawl topic``."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from semcrawl.topics import Sense, Topic

__all__ = ["topic"]


@click.command()
@click.argument("spec", metavar="TOPIC")
@click.option(
    "--as",
    "form",
    type=click.Choice(["toml", "turtle", "json"]),
    help="Print the topic as a file to start from, or the senses as JSON.",
)
def topic(spec: str, form: str | None) -> None:
    """Look at a topic; list the senses of a word.

    \b
    semcrawl topic wordnet:bank           the senses of a word, to pick one
    semcrawl topic wordnet:bank.n.01      one sense
    semcrawl topic keywords:first aid     the terms that keywords come to
    semcrawl topic asthma.toml            a topic file
    """
    from semcrawl.topics import Topic, senses_of

    word = spec.removeprefix("wordnet:")
    if spec.startswith("wordnet:") and "," not in word and form in (None, "json"):
        senses = senses_of(word)
        if len(senses) > 1 or (senses and form == "json"):
            _show_senses(word, senses, as_json=form == "json")
            return
    parsed = Topic.parse(spec)
    if form == "json":
        click.echo(json.dumps({"name": parsed.name, "labels": dict(parsed.labels())}, indent=1))
    elif form:
        click.echo(parsed.to_toml() if form == "toml" else parsed.to_turtle(), nl=False)
    else:
        _show_topic(parsed)


def _show_senses(word: str, senses: list[Sense], *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps([asdict(sense) for sense in senses], ensure_ascii=False, indent=1))
        return
    click.echo(f"{word} has {len(senses)} senses:\n")
    for sense in senses:
        _show_sense(sense)
    click.echo(f"Pick one:  semcrawl crawl {senses[0].id} …")


def _show_sense(sense: Sense) -> None:
    click.echo(f"{sense.id}")
    click.echo(f"    words  {', '.join(sense.synonyms)}")
    if len(sense.path) > 1:
        click.echo(f"    is a   {' > '.join(sense.path)}")
    if sense.gloss:
        click.echo(f"    means  {sense.gloss}")
    click.echo()


def _show_topic(parsed: Topic) -> None:
    from semcrawl.text.background import Background
    from semcrawl.topics.senses import describe_sense

    click.echo(f"{parsed.name}\n")
    for concept in parsed.concepts:
        if concept.id.startswith("wordnet:"):
            _show_sense(describe_sense(concept.id))
    click.echo("label                        weight")
    for text, weight in parsed.labels():
        click.echo(f"{text:<28} {weight:g}")
    click.echo("\nterm (stem)                  weight (tf·idf)")
    vector = parsed.vector(Background.default())
    for term, weight in sorted(vector.items(), key=lambda item: -item[1]):
        click.echo(f"{term:<28} {weight:.3f}")
    for seed in parsed.seeds:
        click.echo(f"seed {seed}")
