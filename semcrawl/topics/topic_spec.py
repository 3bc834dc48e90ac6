"""Topics given as a string on the command line, and topic files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import TopicError
from semcrawl.topics.read_options import ReadOptions
from semcrawl.topics.sources import SOURCES, source_of
from semcrawl.topics.topic import Keyword, Topic, TopicConcept, name_of_concepts

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["FILE_READERS", "parse_topic", "read_topic_file", "topic_of_concepts"]

FILE_READERS: dict[str, Callable[..., Topic]] = {
    ".toml": Topic.from_toml,
    ".ttl": Topic.from_turtle,
}
"""How a topic file is read, by the ending of its name."""

_KEYWORDS = "keywords:"
_LARGEST_FILE = 10_000_000


def parse_topic(spec: str, options: ReadOptions | None = None) -> Topic:
    """Return the topic of a string; see :meth:`Topic.parse`."""
    spec = spec.strip()
    options = options or ReadOptions()
    if spec.startswith(_KEYWORDS):
        return _topic_of_keywords(spec.removeprefix(_KEYWORDS), options.language or "en")
    if source_of(spec, options):
        return topic_of_concepts(spec, options)
    if "\0" not in spec and Path(spec).suffix.lower() in FILE_READERS:
        return read_topic_file(Path(spec), options)
    raise TopicError(_unknown_form(spec))


def topic_of_concepts(reference: str, options: ReadOptions | None = None) -> Topic:
    """Return the topic of the concepts that a reference names, all of the same weight."""
    options = options or ReadOptions()
    source = source_of(reference, options)
    if source is None:
        raise TopicError(_unknown_form(reference))
    found = source.read(reference, options)
    concepts = tuple(TopicConcept(concept, 1.0, graph) for concept, graph in found)
    return Topic(name_of_concepts(concepts), concepts, language=options.language or "en")


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
