"""What a file of concepts holds, for ``semcrawl topic FILE`` and ``--search``."""

from __future__ import annotations

import re
import shlex
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semcrawl.cli.screen import count, cut, harmless
from semcrawl.cli.topic_choice import show_problems
from semcrawl.errors import TopicError

if TYPE_CHECKING:
    from semcrawl.topics import ConceptGraph, Label

_PLAIN_WORD = re.compile(r"[\w@%+=:,./#-]+")  # what no shell reads its own way
_SHOWN = 20
_LANGUAGES_SHOWN = 12
_WIDEST = 48  # of the column of references


def is_whole_file(spec: str) -> bool:
    """Return whether a topic is a whole ontology or thesaurus: no concept of it is named."""
    from semcrawl.topics.sources import OntologySource, source_of

    return "#" not in spec and isinstance(source_of(spec), OntologySource)


def show_file(spec: str, options: dict[str, Any]) -> None:
    """Show what a file of concepts holds: how much, in which languages, its top concepts."""
    from semcrawl.relevance.hierarchy import count_below
    from semcrawl.topics import FileGraph

    graph, languages = _read(spec, options)
    assert isinstance(graph, FileGraph)
    table = graph.label_table
    rows = len(table.rows)
    click.echo(harmless(f"{graph.name}: {count(len(graph), 'concept')}, {count(rows, 'label')}"))
    spoken = Counter(table.label(row).language or "none" for row in range(rows))
    _show_languages(spoken, languages)
    if names := graph.relation_names():
        width = shutil.get_terminal_size().columns
        click.echo(harmless(cut(f"relations: {', '.join(names)}", width)))
    below = count_below(graph.is_a)

    def largest_first(concepts: list[str]) -> list[str]:
        return sorted(concepts, key=lambda one: -below[graph.position(one)])

    tops = largest_first(graph.top_concepts())
    if not tops:
        return
    listed = tops
    if len(tops) == 1:
        listed = [*tops, *largest_first(graph.narrower(tops[0]))]
    beneath = " and those below" if listed is not tops else ""
    click.echo(f"\n{count(len(tops), 'top concept')}{beneath}, with the number of narrower ones:")
    shown = listed if options["all"] else listed[:_SHOWN]
    texts = [f"{graph.label(one)}  {below[graph.position(one)]:,}" for one in shown]
    _show_references(graph, spec, shown, texts)
    if len(listed) > len(shown):
        click.echo(f"… and {len(listed) - len(shown):,} more: --all")
    place = shlex.quote(spec)
    click.echo(f"\nFind a concept:  semcrawl topic {place} --search WORD")
    click.echo(f"Look at one:     semcrawl topic {_pasted(graph, spec, tops[0])} --lens")


def _show_languages(spoken: Counter[str], wanted: Sequence[str]) -> None:
    from semcrawl.topics.labels import primary_language

    most = spoken.most_common(_LANGUAGES_SHOWN)
    more = f" and {len(spoken) - len(most)} more" if len(spoken) > len(most) else ""
    shown = ", ".join(f"{tag} {number:,}" for tag, number in most)
    click.echo(harmless(f"labels by language: {shown}{more}"))
    known = {primary_language(tag) for tag in spoken}
    missing = [tag for tag in wanted if primary_language(tag) not in known]
    if missing and "none" not in known and most:
        tags = ",".join(missing)
        advice = f"no label is in {tags}, which is looked for: say --language {most[0][0]}"
        click.echo(harmless(f"note: {advice}"), err=True)


def show_search(spec: str, text: str, options: dict[str, Any]) -> None:
    """List the concepts of a source with a label that holds a text.

    Raises:
        TopicError: the topic has no source, or there is no such label.
    """
    if spec.startswith("keywords:"):
        raise TopicError("keywords have no source to search; name WordNet or a file of concepts")
    graph, languages = _read(spec, options)
    found = graph.search(text, None if options["all"] else _SHOWN + 1)
    if not found:
        near = graph.near_labels(text)
        hint = f"; near it are {', '.join(near)}" if near else "; try a shorter part of a word"
        raise TopicError(f"no label of {graph.name} holds {text!r}{hint}")
    shown = found if options["all"] else found[:_SHOWN]
    texts = [_hit(graph, label, concept, text, languages) for label, concept in shown]
    _show_references(graph, spec.partition("#")[0], [concept for _, concept in shown], texts)
    if len(found) > len(shown):
        click.echo("… and more: --all")


def _read(spec: str, options: dict[str, Any]) -> tuple[ConceptGraph, Sequence[str]]:
    from semcrawl.topics.sources import ReadOptions, read_graph
    from semcrawl.topics.topic import language_tags

    folders = tuple(Path(folder) for folder in options["import_folders"])
    languages = language_tags(options["language"] or "en")
    graph = read_graph(spec, ReadOptions(options["reason"], languages, folders))
    show_problems(graph)
    return graph, languages


def _show_references(
    graph: ConceptGraph, place: str, concepts: Sequence[str], texts: Sequence[str]
) -> None:
    references = [_pasted(graph, place, concept) for concept in concepts]
    width = min(max(map(len, references)), _WIDEST)
    for reference, text in zip(references, texts, strict=True):
        click.echo(harmless(f"{reference:<{width}}  {text}"))


def _pasted(graph: ConceptGraph, place: str, concept: str) -> str:
    """The reference of a concept, so that it can be pasted behind 'semcrawl topic'."""
    from semcrawl.topics import FileGraph
    from semcrawl.topics.file_graph import short_name

    if not isinstance(graph, FileGraph):
        return graph.reference(concept)
    if concept.startswith("wordnet:"):
        return concept
    reference = f"{place}#{short_name(graph, concept)}"
    return reference if _PLAIN_WORD.fullmatch(reference) else shlex.quote(reference)


def _hit(
    graph: ConceptGraph, label: Label, concept: str, wanted: str, languages: Sequence[str]
) -> str:
    from semcrawl.topics.labels import is_label_in, normal_label

    text, preferred = label.text, graph.label(concept)
    foreign = not is_label_in(languages, label)
    if foreign and normal_label(wanted) in normal_label(preferred):
        text, foreign = preferred, False
    if foreign:
        text += f" ({label.language}) for {preferred}"
    elif text != preferred:
        text += f", synonym of {preferred}"
    kinds = [graph.label(one) for one in graph.broader(concept)]
    return f"{text}; a kind of {', '.join(kinds)}" if kinds else text
