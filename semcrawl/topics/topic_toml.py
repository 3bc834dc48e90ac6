"""Topic files in TOML.

::

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
"""

from __future__ import annotations

import json
from dataclasses import replace

import msgspec

from semcrawl.errors import TopicError
from semcrawl.topics.read_options import ReadOptions
from semcrawl.topics.sources import concept_reference, read_concepts
from semcrawl.topics.topic import Keyword, Topic, TopicConcept, name_of_concepts

__all__ = ["topic_from_toml", "topic_to_toml"]


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
        raise TopicError(f"{where}: {error}; the keys are {', '.join(_keys())}") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise TopicError(f"{where} is not in TOML: {error}") from error
    try:
        return _topic(file, options or ReadOptions())
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
        concept_reference(part.id, part.graph, absolute=absolute): part.weight
        for part in topic.concepts
    }
    for key, weights in (("keywords", keywords), ("concepts", concepts)):
        if weights:
            lines += ["", f"[{key}]"]
            lines += [f"{_quoted(part)} = {float(weight)!r}" for part, weight in weights.items()]
    return "\n".join(lines) + "\n"


def _topic(file: _TopicFile, options: ReadOptions) -> Topic:
    language = options.language or file.language
    options = replace(options, language=language)
    concepts = tuple(
        TopicConcept(concept, weight, graph)
        for reference, weight in _weighted(file.concepts)
        for concept, graph in read_concepts(reference, options)
    )
    keywords = tuple(Keyword(text, weight) for text, weight in _weighted(file.keywords))
    name = file.name
    if name is None:
        words = ", ".join(keyword.text for keyword in keywords)
        name = name_of_concepts(concepts) or words or "unnamed"
    return Topic(
        name=name,
        concepts=concepts,
        keywords=keywords,
        seeds=tuple(file.seeds),
        examples=tuple(file.examples),
        description=file.description,
        language=language,
    )


def _weighted(parts: list[str] | dict[str, float]) -> list[tuple[str, float]]:
    return list(parts.items()) if isinstance(parts, dict) else [(part, 1.0) for part in parts]


def _keys() -> list[str]:
    return [field.name for field in msgspec.structs.fields(_TopicFile)]


def _quoted(text: str) -> str:
    # What JSON escapes, TOML reads; control characters do not occur in a topic.
    return json.dumps(text, ensure_ascii=False)
