"""``semcrawl topic``, and the topic that a command is given: at a terminal a person is asked what it means."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semcrawl.cli.options import parameters
from semcrawl.cli.screen import cut, one_line
from semcrawl.errors import AmbiguousTopicError, ConfigError
from semcrawl.garbage_collection import no_garbage_collection
from semcrawl.resources import shipped_file

_MANY = 20  # a topic of more top concepts is rarely meant

if TYPE_CHECKING:
    from semcrawl.topics import ConceptGraph, Topic


@click.command()
@parameters("topic")
def topic(spec: str, form: str | None, **options: Any) -> None:
    """Look at a topic and tune it; list the senses of a word."""
    # Here, so that --help does without: reading topics brings numpy and half of semcrawl.
    from semcrawl.cli.topic_views import show

    show(spec, form, options)


def required_topic(spec: str | None) -> str:
    """The topic of a new crawl; ConfigError where there is none."""
    if not spec:
        raise ConfigError("no topic: give one, such as wordnet:asthma or keywords:java programming")
    if len(spec) <= 200 and Path(spec, "graph").is_dir():
        raise ConfigError(f"{spec} holds a crawl and is no topic: 'semcrawl resume {spec}' goes on with it")
    return spec


def read_topic(spec: str, **reading: Any) -> Topic:
    """Return the topic of a command, as :meth:`Topic.parse` does.

    Where a name in it means several concepts and a person sits at a terminal, they choose. Raises
    TopicError: it cannot be read, or nobody is there to be asked.
    """
    from semcrawl.text.languages import find_language
    from semcrawl.topics import Topic

    try:
        with no_garbage_collection():
            topic = Topic.parse(spec, **reading)
    except AmbiguousTopicError as error:
        # In a topic file the name is to be replaced by a person: it does not stand in the spec.
        named = rf"(?<=[:#,\s]){re.escape(error.name)}(?=\s*(?:[,+!]|$))"
        is_asked = sys.stdin.isatty() and sys.stderr.isatty()
        if not error.choices or not is_asked or len(re.findall(named, spec)) != 1:
            raise
        chosen = _choose(error)
        return read_topic(re.sub(named, lambda _: chosen, spec), **reading)
    path = re.split("[?#]", spec)[0].removeprefix("taxonomy:").strip()
    if shipped_file(path) and not Path(path).exists():
        click.echo(f"note: there is no {path} here; this is the one of semcrawl", err=True)
    show_problems(*(concept.graph for concept in topic.concepts))
    if "#" not in spec and len(topic.concepts) > _MANY and topic.concepts[0].graph.place():
        text = f"note: the topic is all {len(topic.concepts)} top concepts of {path}; name one of"
        click.echo(f"{text} them, or several: {path}#…", err=True)
    for tag in topic.languages:
        if find_language(tag) is None:
            text = f"note: no stems or stop words are known for the language {tag}: words count as"
            click.echo(f"{text} they are", err=True)
    return topic


def show_problems(*graphs: ConceptGraph) -> None:
    """Tell on stderr what was odd or missing in the files of concepts, of each file once."""
    for graph in {id(graph): graph for graph in graphs}.values():
        for problem in graph.problems:
            click.echo(one_line(f"note: {problem}"), err=True)


def _choose(error: AmbiguousTopicError) -> str:
    question, _, advice = str(error).partition(";")
    click.echo(f"{one_line(question)}. Which one?\n", err=True)
    width = shutil.get_terminal_size().columns - 1
    for number, (name, means) in enumerate(error.choices, start=1):
        click.echo(cut(f"  {number}  {one_line(name)}  {one_line(means)}", width), err=True)
    if " more; see " in advice:
        click.echo(f"  All: {advice.rpartition('; see ')[2]}", err=True)
    most = len(error.choices)
    while True:
        answer = str(click.prompt(f"\nA number from 1 to {most}, or a name", err=True)).strip()
        if not answer.isdecimal():
            return answer
        if 1 <= int(answer) <= most:
            return error.choices[int(answer) - 1][0]
