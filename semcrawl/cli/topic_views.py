"""What ``semcrawl topic`` prints: senses, labels, trees, lenses, scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from semcrawl.cli.explain_view import explanation_lines
from semcrawl.cli.screen import count, harmless
from semcrawl.errors import ConfigError, TopicError

if TYPE_CHECKING:
    from semcrawl.topics import ConceptGraph, Sense, Topic

__all__ = [
    "draw",
    "page_text",
    "show_lens",
    "show_score",
    "show_search",
    "show_senses",
    "show_topic",
    "show_tree",
    "warn_of_ambiguity",
    "warn_of_problems",
]


def show_senses(word: str, senses: list[Sense]) -> None:
    """List the senses of a word and say how to pick one."""
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


def show_topic(parsed: Topic) -> None:
    """Show the concepts of a topic with their paths, its labels, and ambiguous ones."""
    from semcrawl.text.background import Background
    from semcrawl.topics.senses import describe_sense

    click.echo(f"{parsed.name}\n")
    for concept in parsed.concepts:
        if concept.id.startswith("wordnet:"):
            _show_sense(describe_sense(concept.id))
        else:
            _show_concept(concept.graph, concept.id, parsed.language)
    click.echo("label                        weight")
    for text, weight in parsed.labels():
        click.echo(harmless(f"{text:<28} {weight:g}"))
    click.echo("\nterm (stem)                  weight (tf·idf)")
    vector = parsed.vector(Background.default())
    for term, weight in sorted(vector.items(), key=lambda item: -item[1]):
        click.echo(f"{term:<28} {weight:.3f}")
    for seed in parsed.seeds:
        click.echo(f"seed {seed}")
    warn_of_ambiguity(parsed)


def _show_concept(graph: ConceptGraph, concept: str, language: str) -> None:
    path = min(graph.paths_to_root(concept), key=len)
    click.echo(concept)
    words = dict.fromkeys(
        label.text if label.language in ("", language) else f"{label.text} ({label.language})"
        for label in graph.labels(concept)
    )
    click.echo(harmless(f"    words  {', '.join(words)}"))
    if len(path) > 1:
        click.echo(harmless(f"    is a   {' > '.join(graph.label(step) for step in path)}"))
    click.echo(f"    kinds  {len(graph.narrower(concept))}\n")


def warn_of_ambiguity(parsed: Topic) -> None:
    """A label that other concepts have too finds their pages as well."""
    for concept in parsed.concepts:
        for label in concept.graph.labels(concept.id):
            others = [one for one in concept.graph.find(label.text) if one != concept.id]
            if others:
                shown = ", ".join(others[:4]) + (" …" if len(others) > 4 else "")
                click.echo(f"note: {label.text!r} also names {shown}", err=True)


def warn_of_problems(parsed: Topic) -> None:
    """Say what was odd in the files that a topic was read from."""
    graphs = {id(concept.graph): concept.graph for concept in parsed.concepts}
    for graph in graphs.values():
        for problem in getattr(graph, "problems", ()):
            click.echo(harmless(f"note: {problem}"), err=True)


def show_search(spec: str, text: str, reading: dict[str, Any]) -> None:
    """List the concepts of a source whose labels hold a text."""
    graph = _source_graph(spec, reading)
    found = graph.search(text)
    if not found:
        near = graph.near_labels(text)
        hint = f"; near it are {', '.join(near)}" if near else ""
        raise TopicError(f"no label of {graph.name} holds {text!r}{hint}")
    for label, concepts in found:
        for concept in concepts:
            kinds = [graph.label(one) for one in graph.broader(concept)]
            is_a = f"  is a {', '.join(kinds)}" if kinds else ""
            click.echo(harmless(f"{label:<36} {concept}{is_a}"))


def _source_graph(spec: str, reading: dict[str, Any]) -> ConceptGraph:
    from semcrawl.topics import read_ontology, read_taxonomy, wordnet
    from semcrawl.topics.trained_taxonomy import is_trained_taxonomy, read_trained_taxonomy

    if spec.startswith("wordnet:"):
        return wordnet().graph
    if spec.startswith("keywords:"):
        raise TopicError("keywords have no source to search; name WordNet or a file of concepts")
    language = reading["language"] or "en"
    path = Path(spec.removeprefix("taxonomy:").partition("#")[0])
    if spec.startswith("taxonomy:"):
        if is_trained_taxonomy(path):
            return read_trained_taxonomy(path)
        return read_taxonomy(path, language=language)
    return read_ontology(
        path,
        language=language,
        reason=reading["reason"],
        import_folders=tuple(Path(folder) for folder in reading["import_folders"]),
    )


def show_tree(parsed: Topic, measure: str, least: float | None) -> None:
    """Show the neighbourhood of every concept of a topic."""
    from semcrawl.similarity.neighbourhood import neighbourhood, tree_text

    for concept in _concepts(parsed):
        tree = neighbourhood(concept.graph, concept.id, measure, least=least or 0.0)
        click.echo(harmless(tree_text(tree)))


def draw(parsed: Topic, measure: str, least: float | None, path: Path) -> None:
    """Draw the neighbourhood of a topic's first concept."""
    from semcrawl.similarity.neighbourhood import neighbourhood
    from semcrawl.similarity.neighbourhood_svg import neighbourhood_svg

    concept = _concepts(parsed)[0]
    tree = neighbourhood(concept.graph, concept.id, measure, least=least or 0.0)
    picture = neighbourhood_svg(tree)
    try:
        path.write_text(picture, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot write {path}: {error.strerror}; choose another") from error
    click.echo(f"drawn to {path}")


def _concepts(parsed: Topic) -> Any:
    if not parsed.concepts:
        raise TopicError(
            f"the topic {parsed.name!r} has keywords only; only concepts have a neighbourhood"
        )
    return parsed.concepts


def show_lens(parsed: Topic, measure: str, min_weight: float | None, shown: int) -> None:
    """Compile a topic and show its strongest labels."""
    from semcrawl.similarity import Lens

    lens = Lens.compile(parsed, measure, min_weight=min_weight)
    click.echo(f"{count(len(lens), 'label')} through {measure}; the strongest:\n")
    click.echo("weight  label")
    for label in lens.strongest(shown):
        concept = f"  {label.concept}" if label.concept else ""
        click.echo(harmless(f"{label.weight:6.3f}  {label.text}{concept}"))


def show_score(parsed: Topic, judge: str, text: str) -> None:
    """Score a text with a judge and say what the score is made of."""
    from semcrawl.judges import JUDGES, explaining
    from semcrawl.text.background import Background

    chosen = JUDGES.create(judge, topic=parsed, background=Background.default())
    explanation = explaining(chosen, judge).explain(text)
    verdict = "relevant" if explanation.score >= chosen.threshold else "not relevant"
    click.echo(f"{explanation.score:.4f}  {verdict} (threshold {chosen.threshold:g})\n")
    for line in explanation_lines(explanation):
        click.echo(harmless(line))


def page_text(place: str) -> str:
    """The text of a page in a file, or at a URL."""
    from semcrawl.page import read_page
    from semcrawl.web import HttpFetcher, Response, user_agent
    from semcrawl.web.urls import canonical

    if "://" in place:
        fetcher = HttpFetcher(user_agent())
        try:
            return read_page(fetcher.fetch(canonical(place))).text
        finally:
            fetcher.close()
    try:
        body = Path(place).read_bytes()
    except OSError as error:
        raise ConfigError(
            f"cannot read the page {place}: {error.strerror}; give a file or a URL with http://"
        ) from error
    declared = {"content-type": "text/html"}
    return read_page(Response(f"file:{place}", 200, declared, body, 0.0, 0.0)).text
