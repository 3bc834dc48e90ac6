"""Topic files in Turtle.

::

    @prefix sc: <https://w3id.org/semcrawl/ns#> .
    @prefix dcterms: <http://purl.org/dc/terms/> .

    <#topic> a sc:Topic ;
        dcterms:title "asthma" ;
        sc:concept <https://w3id.org/semcrawl/wordnet/asthma.n.01> ;
        sc:keyword "inhaler" ;
        sc:interest [ sc:keyword "bronchial asthma" ; sc:weight 0.5 ] ;
        sc:seed <https://example.org/> .

    <#topic> sc:source "doid.owl" ; sc:concept <http://purl.obolibrary.org/obo/DOID_2841> .

``sc:source`` says in which files the concepts beside it are looked for; then
``sc:concept`` may also be a label, as a string. ``sc:concept`` and ``sc:keyword``
weigh 1; ``sc:interest`` says another weight, and may have a source of its own.
``rdfs:label`` stands for ``dcterms:title`` too; ``dcterms:description``,
``dcterms:language`` and ``sc:example`` are optional. Other statements are
passed over. Oxigraph's parser is used because it keeps the order of the file
and tells the line of an error.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyoxigraph

from semcrawl.errors import TopicError
from semcrawl.topics.file_graph import FileGraph
from semcrawl.topics.read_options import ReadOptions
from semcrawl.topics.sources import (
    concept_iri,
    iri_reference,
    read_concepts,
    source_of,
)
from semcrawl.topics.topic import Keyword, Topic, TopicConcept, name_of_concepts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from semcrawl.topics.concepts import ConceptGraph

__all__ = ["topic_from_turtle", "topic_to_turtle"]

_SC = "https://w3id.org/semcrawl/ns#"
_DCTERMS = "http://purl.org/dc/terms/"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_BASE = "https://w3id.org/semcrawl/topic/"

_Term = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal
_Node = dict[str, list[_Term]]


def topic_from_turtle(text: str, where: str, options: ReadOptions | None = None) -> Topic:
    """Read the one topic of a Turtle text; ``where`` names the file in error messages."""
    nodes: dict[str, _Node] = {}
    try:
        for triple in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE, base_iri=_BASE):
            node = nodes.setdefault(str(triple.subject), {})
            node.setdefault(triple.predicate.value, []).append(triple.object)
    except (SyntaxError, ValueError) as error:
        raise TopicError(f"{where} is not in Turtle: {getattr(error, 'msg', error)}") from error
    topics = [node for node in nodes.values() if _is_topic(node)]
    if len(topics) != 1:
        raise TopicError(
            f"{where} describes {len(topics) or 'no'} topics; "
            "a topic file holds one node with 'a sc:Topic'"
        )
    try:
        return _topic(topics[0], nodes, options or ReadOptions())
    except TopicError as error:
        raise TopicError(f"{where}: {error}") from error


def topic_to_turtle(topic: Topic, *, absolute: bool = False) -> str:
    """Return the topic in Turtle."""
    lines = ["a sc:Topic", f"dcterms:title {_literal(topic.name)}"]
    if topic.description:
        lines.append(f"dcterms:description {_literal(topic.description)}")
    lines.append(f"dcterms:language {_literal(topic.language)}")
    concepts = [(_concept(part, absolute=absolute), part.weight) for part in topic.concepts]
    keywords = [(_literal(part.text), part.weight) for part in topic.keywords]
    lines += [*_interest_lines("concept", concepts), *_interest_lines("keyword", keywords)]
    lines += [f"sc:seed {_resource(url)}" for url in topic.seeds]
    lines += [f"sc:example {_resource(place)}" for place in topic.examples]
    body = " ;\n    ".join(lines)
    return f"@prefix sc: <{_SC}> .\n@prefix dcterms: <{_DCTERMS}> .\n\n<#topic> {body} .\n"


def _topic(node: _Node, nodes: dict[str, _Node], options: ReadOptions) -> Topic:
    language = options.language or _only(node, f"{_DCTERMS}language") or "en"
    options = replace(options, language=language)
    sources = _texts(node, "source")
    concepts: list[TopicConcept] = []
    keywords: list[Keyword] = []
    for part, weight in [(node, 1.0), *_interests(node, nodes)]:
        for term in part.get(f"{_SC}concept", ()):
            found = _read(term, part if part is not node else {}, sources, options)
            concepts += [TopicConcept(concept, weight, graph) for concept, graph in found]
        keywords += [Keyword(_text(term), weight) for term in part.get(f"{_SC}keyword", ())]
    words = ", ".join(keyword.text for keyword in keywords)
    default = name_of_concepts(concepts) or words or "unnamed"
    name = _only(node, f"{_DCTERMS}title") or _only(node, _LABEL) or default
    return Topic(
        name=name,
        concepts=tuple(concepts),
        keywords=tuple(keywords),
        seeds=_texts(node, "seed"),
        examples=_texts(node, "example"),
        description=_only(node, f"{_DCTERMS}description") or "",
        language=language,
    )


def _read(
    term: _Term, part: _Node, sources: tuple[str, ...], options: ReadOptions
) -> list[tuple[str, ConceptGraph]]:
    """Return the concepts of an IRI or a text, looked for in the sources where it needs one."""
    text = _text(term)
    reference = iri_reference(text)
    own = _texts(part, "source")
    if not own and (not sources or source_of(reference, options)):
        return read_concepts(reference, options)
    name = f"<{reference}>" if isinstance(term, pyoxigraph.NamedNode) else text
    errors: list[TopicError] = []
    for source in own or sources:
        try:
            return read_concepts(f"{source}#{name}", options)
        except TopicError as error:
            errors.append(error)
    raise errors[0]


def _is_topic(node: _Node) -> bool:
    return pyoxigraph.NamedNode(f"{_SC}Topic") in node.get(_TYPE, ())


def _interests(node: _Node, nodes: dict[str, _Node]) -> Iterator[tuple[_Node, float]]:
    """Yield the nodes of ``sc:interest`` with their weights."""
    for term in node.get(f"{_SC}interest", ()):
        part = nodes.get(str(term), {})
        if not part.keys() & {f"{_SC}concept", f"{_SC}keyword"}:
            raise TopicError("an sc:interest has neither sc:concept nor sc:keyword")
        weight = _only(part, f"{_SC}weight") or "1"
        try:
            yield part, float(weight)
        except ValueError as error:
            raise TopicError(f"the sc:weight {weight!r} is no number") from error


def _only(node: _Node, predicate: str) -> str | None:
    """Return the value of a property that may be given once, None where it is not given."""
    values = list(dict.fromkeys(map(_text, node.get(predicate, ()))))
    if len(values) > 1:
        raise TopicError(f"<{predicate}> is given {len(values)} times; give it once")
    return values[0] if values else None


def _texts(node: _Node, name: str) -> tuple[str, ...]:
    return tuple(map(_text, node.get(_SC + name, ())))


def _text(term: _Term) -> str:
    if isinstance(term, pyoxigraph.Literal):
        return term.value
    if isinstance(term, pyoxigraph.NamedNode):
        return term.value.removeprefix(_BASE)  # a relative IRI is a relative path
    raise TopicError("a blank node stands where a text or an IRI is needed")


def _interest_lines(name: str, parts: list[tuple[str, float]]) -> list[str]:
    """Return the plain form if all weights are 1, else the weighted form for all, to keep order."""
    if all(weight == 1 and " ; sc:source " not in term for term, weight in parts):
        return [f"sc:{name} {term}" for term, _ in parts]
    return [
        f"sc:interest [ sc:{name} {term} ; sc:weight {float(weight)!r} ]" for term, weight in parts
    ]


def _concept(part: TopicConcept, *, absolute: bool) -> str:
    """Return a concept by its IRI, with the file that it is in where it is in one."""
    iri = _resource(concept_iri(part.id))
    if not isinstance(part.graph, FileGraph):
        return iri
    return f"{iri} ; sc:source {_literal(part.graph.place(absolute=absolute))}"


def _literal(text: str) -> str:
    return str(pyoxigraph.Literal(text))


def _resource(text: str) -> str:
    """Return an IRI in angle brackets, or a literal where the text would not survive as an IRI."""
    try:
        iri = str(pyoxigraph.NamedNode(text))
        [triple] = pyoxigraph.parse(
            f"<s:s> <p:p> {iri} .", format=pyoxigraph.RdfFormat.TURTLE, base_iri=_BASE
        )
    except (SyntaxError, ValueError):
        return _literal(text)
    same = isinstance(triple.object, pyoxigraph.NamedNode) and triple.object.value == text
    return iri if same else _literal(text)
