"""Topics given as a string on the command line, and topic files in TOML or Turtle.

In TOML::

    name = "asthma"
    description = "Causes and treatment of asthma"
    language = "en"
    seeds = ["https://example.org/"]
    examples = ["https://example.org/asthma.html"]
    keywords = ["inhaler", "bronchial asthma"]   # or a table: inhaler = 0.5

    [concepts]                                    # or a list of references
    "wordnet:asthma.n.01" = 1.0
    "wordnet:allergy.n.01" = 0.3
    "doid.owl#DOID_2841" = 0.5                    # relative to the folder of the topic file

In Turtle::

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

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import pyoxigraph

from semcrawl.errors import TopicError
from semcrawl.topics.sources import (
    SOURCES,
    ReadOptions,
    concept_iri,
    iri_reference,
    read_concepts,
    source_of,
)
from semcrawl.topics.topic import Keyword, Topic, TopicConcept, name_of_concepts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from semcrawl.topics.concepts import ConceptGraph

FILE_READERS: dict[str, Callable[..., Topic]] = {
    ".toml": Topic.from_toml,
    ".ttl": Topic.from_turtle,
}
"""How a topic file is read, by the ending of its name."""

_KEYWORDS = "keywords:"
_LARGEST_FILE = 10_000_000

_SC = "https://w3id.org/semcrawl/ns#"
_DCTERMS = "http://purl.org/dc/terms/"
_LABEL = "http://www.w3.org/2000/01/rdf-schema#label"
_TYPE = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
_BASE = "https://w3id.org/semcrawl/topic/"

_Term = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal
_Node = dict[str, list[_Term]]


def parse_topic(spec: str, options: ReadOptions | None = None) -> Topic:
    """Return the topic of a string; see :meth:`Topic.parse`."""
    spec = spec.strip()
    options = options or ReadOptions()
    if spec.startswith(_KEYWORDS):
        return _topic_of_keywords(spec.removeprefix(_KEYWORDS), options.language or "en")
    if source := source_of(spec, options):
        found = source.read(spec, options)
        concepts = tuple(TopicConcept(concept, 1.0, graph) for concept, graph in found)
        return Topic(name_of_concepts(concepts), concepts, language=options.language or "en")
    if "\0" not in spec and Path(spec).suffix.lower() in FILE_READERS:
        return read_topic_file(Path(spec), options)
    raise TopicError(_unknown_form(spec))


def read_topic_file(path: Path, options: ReadOptions | None = None) -> Topic:
    """Read a topic file; see :meth:`Topic.from_file`. Paths in it are relative to its folder."""
    reader = FILE_READERS.get(path.suffix.lower())
    if reader is None:
        raise TopicError(f"{path} is no topic file: its name ends in neither .ttl nor .toml")
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise TopicError(f"{path} is no topic file: it is larger than 10 MB")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise TopicError(f"cannot read the topic file {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise TopicError(f"the topic file {path} is not in UTF-8: {error}") from error
    return reader(
        text, where=str(path), options=replace(options or ReadOptions(), folder=path.parent)
    )


def _topic_of_keywords(text: str, language: str) -> Topic:
    """Return the topic of keywords that are separated by commas."""
    words = [word for item in text.split(",") if (word := " ".join(item.split()))]
    if not words:
        raise TopicError("keywords: is followed by no word; write keywords:java programming")
    return Topic(", ".join(words), keywords=tuple(map(Keyword, words)), language=language)


def _default_name(concepts: Sequence[TopicConcept], keywords: Sequence[Keyword]) -> str:
    words = ", ".join(keyword.text for keyword in keywords)
    return name_of_concepts(concepts) or words or "unnamed"


def _unknown_form(spec: str) -> str:
    forms = [
        "keywords:WORDS",
        *(source.form for source in SOURCES),
        "the path of a .ttl or .toml file",
    ]
    shown = spec if len(spec) <= 80 else f"{spec[:80]}..."
    message = f"{shown!r} is no topic; a topic is written as {', '.join(forms)}"
    if shown == spec and spec.replace(" ", "").isalnum():
        message += f"; did you mean 'keywords:{spec}' or 'wordnet:{spec}'?"
    return message


class _TopicFile(msgspec.Struct, forbid_unknown_fields=True):
    """The keys of a topic file."""

    name: str | None = None
    description: str = ""
    language: str = "en"
    seeds: list[str] = []
    examples: list[str] = []
    keywords: list[str] | dict[str, float] = []
    concepts: list[str] | dict[str, float] = []


def topic_from_toml(text: str, where: str, options: ReadOptions | None = None) -> Topic:
    """Read a topic; ``where`` names the file in error messages."""
    try:
        file = msgspec.toml.decode(text, type=_TopicFile)
    except msgspec.ValidationError as error:
        keys = ", ".join(field.name for field in msgspec.structs.fields(_TopicFile))
        raise TopicError(f"{where}: {error}; the keys are {keys}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise TopicError(f"{where} is not in TOML: {error}") from error
    try:
        return _topic_of_table(file, options or ReadOptions())
    except TopicError as error:
        raise TopicError(f"{where}: {error}") from error


def topic_to_toml(topic: Topic, *, absolute: bool = False) -> str:
    """Return the topic in TOML."""
    lines = [f"name = {_quoted(topic.name)}"]
    if topic.description:
        lines.append(f"description = {_quoted(topic.description)}")
    lines.append(f"language = {_quoted(topic.language)}")
    for key, urls in (("seeds", topic.seeds), ("examples", topic.examples)):
        if urls:
            lines += [f"{key} = [", *(f"    {_quoted(url)}," for url in urls), "]"]
    keywords = {keyword.text: keyword.weight for keyword in topic.keywords}
    concepts = {
        part.graph.reference(part.id, absolute=absolute): part.weight for part in topic.concepts
    }
    for key, weights in (("keywords", keywords), ("concepts", concepts)):
        if weights:
            lines += ["", f"[{key}]"]
            lines += [f"{_quoted(part)} = {float(weight)!r}" for part, weight in weights.items()]
    return "\n".join(lines) + "\n"


def _topic_of_table(file: _TopicFile, options: ReadOptions) -> Topic:
    language = options.language or file.language
    options = replace(options, language=language)
    concepts = tuple(
        TopicConcept(concept, weight, graph)
        for reference, weight in _weighted(file.concepts)
        for concept, graph in read_concepts(reference, options)
    )
    keywords = tuple(Keyword(text, weight) for text, weight in _weighted(file.keywords))
    return Topic(
        name=_default_name(concepts, keywords) if file.name is None else file.name,
        concepts=concepts,
        keywords=keywords,
        seeds=tuple(file.seeds),
        examples=tuple(file.examples),
        description=file.description,
        language=language,
    )


def _weighted(parts: list[str] | dict[str, float]) -> list[tuple[str, float]]:
    return list(parts.items()) if isinstance(parts, dict) else [(part, 1.0) for part in parts]


def _quoted(text: str) -> str:
    # What JSON escapes, TOML reads; control characters do not occur in a topic.
    return json.dumps(text, ensure_ascii=False)


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
        return _topic_of_graph(topics[0], nodes, options or ReadOptions())
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


def _topic_of_graph(node: _Node, nodes: dict[str, _Node], options: ReadOptions) -> Topic:
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
    name = _only(node, f"{_DCTERMS}title") or _only(node, _LABEL)
    return Topic(
        name=name or _default_name(concepts, keywords),
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
    place = part.graph.place(absolute=absolute)
    return iri if place is None else f"{iri} ; sc:source {_literal(place)}"


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
