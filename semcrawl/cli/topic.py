"""``semcrawl topic``: looking at a topic, and tuning it, before a crawl."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semcrawl.cli import topic_views as views

if TYPE_CHECKING:
    from semcrawl.topics import Topic

__all__ = ["topic"]


@click.command()
@click.argument("spec", metavar="TOPIC")
@click.option(
    "--as",
    "form",
    type=click.Choice(["toml", "turtle", "json"]),
    help="Print the topic as a file to start from, or as JSON.",
)
@click.option("--search", metavar="TEXT", help="List the concepts of the source with such labels.")
@click.option("--tree", is_flag=True, help="Show what is near the topic, as a tree with weights.")
@click.option("--lens", is_flag=True, help="Show the labels that a crawl would look for.")
@click.option("--labels", type=click.IntRange(min=1), default=30, show_default=True,
              help="How many labels --lens shows.")  # fmt: skip
@click.option("--svg", type=click.Path(path_type=Path, dir_okay=False),
              help="Draw the neighbourhood of the topic into a file.")  # fmt: skip
@click.option("--measure", help="How near concepts are.  [default: li; to score, the judge's own]")
@click.option(
    "--min-weight", type=float, help="How near a label must be.  [default: the measure's own]"
)
@click.option("--text", metavar="TEXT", help="Score a text and say why.")
@click.option("--url", metavar="FILE", help="Score a page, from a file or a URL, and say why.")
@click.option(
    "--judge", default="ssrm", show_default=True, help="What --text and --url are scored with."
)
@click.option("--reason", is_flag=True, help="Add what a reasoner infers (needs Java).")
@click.option("--language", help="Whose labels to look for.  [default: the topic's, or en]")
@click.option(
    "--imports",
    "import_folders",
    multiple=True,
    type=click.Path(file_okay=False, exists=True),
    help="Look for imported ontologies here; may be repeated.",
)
def topic(spec: str, form: str | None, **options: Any) -> None:
    """Look at a topic and tune it; list the senses of a word.

    \b
    semcrawl topic wordnet:bank                  the senses of a word, to pick one
    semcrawl topic wordnet:asthma --tree         what is near it
    semcrawl topic doid.owl --search asthma      the concepts of an ontology
    semcrawl topic doid.owl#asthma --lens        what a crawl would look for
    semcrawl topic doid.owl#asthma --text "…"    how a text scores, and why
    """
    if options["search"] is not None:
        views.show_search(spec, options["search"], _reading(options))
        return
    wants_more = any(options[name] for name in ("tree", "lens", "svg", "url"))
    wants_more = wants_more or options["text"] is not None
    may_list = not wants_more and _is_word(spec) and form in (None, "json")
    if may_list and _show_senses(spec.removeprefix("wordnet:"), as_json=form == "json"):
        return
    parsed = _parse(spec, options)
    if form:
        _print(parsed, form)
    elif wants_more:
        _look(parsed, options)
    else:
        views.show_topic(parsed)


def _reading(options: dict[str, Any]) -> dict[str, Any]:
    return {name: options[name] for name in ("reason", "language", "import_folders")}


def _parse(spec: str, options: dict[str, Any]) -> Topic:
    from semcrawl.topics import Topic

    parsed = Topic.parse(spec, **_reading(options))
    views.warn_of_problems(parsed)
    return parsed


def _is_word(spec: str) -> bool:
    return spec.startswith("wordnet:") and "," not in spec


def _show_senses(word: str, *, as_json: bool) -> bool:
    """List the senses of a word that has several; whether it did."""
    from semcrawl.topics import senses_of

    senses = senses_of(word)
    if as_json and senses:
        click.echo(json.dumps([asdict(sense) for sense in senses], ensure_ascii=False, indent=1))
        return True
    if len(senses) < 2:
        return False
    views.show_senses(word, senses)
    return True


def _print(parsed: Topic, form: str) -> None:
    if form == "json":
        click.echo(json.dumps({"name": parsed.name, "labels": dict(parsed.labels())}, indent=1))
    else:
        click.echo(parsed.to_toml() if form == "toml" else parsed.to_turtle(), nl=False)


def _look(parsed: Topic, options: dict[str, Any]) -> None:
    measure, least = options["measure"] or "li", options["min_weight"]
    views.warn_of_ambiguity(parsed)
    if options["tree"]:
        views.show_tree(parsed, measure, least)
    if options["svg"]:
        views.draw(parsed, measure, least, options["svg"])
    if options["lens"]:
        views.show_lens(parsed, measure, least, options["labels"])
    if options["text"] is not None:
        views.show_score(parsed, _judge(options), options["text"])
    if options["url"]:
        views.show_score(parsed, _judge(options), views.page_text(options["url"]))


def _judge(options: dict[str, Any]) -> str:
    """The judge to score with, looking through the measure that was asked for."""
    given = {name: options[name] for name in ("measure", "min_weight")}
    wanted = [f"{name}={value}" for name, value in given.items() if value is not None]
    if not wanted:
        return str(options["judge"])
    joint = "," if "=" in options["judge"] else ":"
    return f"{options['judge']}{joint}{','.join(wanted)}"
