"""What the user wants to find: the topic of a crawl."""

from __future__ import annotations

import re
from collections import deque
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.errors import TopicError
from semcrawl.text.terms import count_terms
from semcrawl.text.vectors import tf, tf_idf
from semcrawl.topics.labels import labels_in, normal_label
from semcrawl.topics.sources import ReadOptions, concept_iri

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.relevance.explanation import Explanation
    from semcrawl.text.background import Background
    from semcrawl.text.vectors import Vector
    from semcrawl.topics.concepts import ConceptGraph

_NAMES_SHOWN = 5

_UNWRITABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")
_URL = re.compile(r"https?://[^\s/?#]+\S*", re.IGNORECASE)
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True, slots=True)
class TopicConcept:
    """A concept of a topic: its id, how much it matters, and the graph that it is in."""

    id: str
    weight: float
    graph: ConceptGraph = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word or phrase of a topic, and how much it matters."""

    text: str
    weight: float = 1.0


@dataclass(frozen=True, slots=True)
class Topic:
    """What the user wants: weighted concepts and keywords, with seeds and examples.

    Weights are relative to each other. Seeds are URLs to start from; examples
    are URLs or paths of pages that are on the topic. Construction checks all
    parts and raises TopicError; repeated parts are kept once.
    """

    name: str
    concepts: tuple[TopicConcept, ...] = ()
    keywords: tuple[Keyword, ...] = ()
    seeds: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    description: str = ""
    language: str = "en"

    def __post_init__(self) -> None:
        # object.__setattr__ is how a frozen dataclass tidies its own fields.
        put = object.__setattr__
        put(self, "name", _line(self.name, "the name of the topic"))
        put(self, "description", _writable(self.description.strip(), "the description"))
        keywords = (Keyword(_line(word.text, "a keyword"), word.weight) for word in self.keywords)
        put(self, "keywords", tuple({word.text: word for word in keywords}.values()))
        put(self, "concepts", tuple({concept.id: concept for concept in self.concepts}.values()))
        put(self, "seeds", tuple(dict.fromkeys(map(_checked_seed, self.seeds))))
        put(self, "examples", tuple(dict.fromkeys(_line(x, "an example") for x in self.examples)))
        if not _LANGUAGE.fullmatch(self.language):
            raise TopicError(f"{self.language!r} is no language tag; write for example en or pt-BR")
        self._check_weights()
        self._check_content()

    @classmethod
    def parse(
        cls,
        spec: str,
        *,
        reason: bool = False,
        language: str | None = None,
        import_folders: Sequence[str | Path] = (),
    ) -> Topic:
        """Return the topic that a string describes.

        The string is ``keywords:java programming``, ``wordnet:asthma``,
        ``wordnet:disease.n.01,medicine.n.01``, ``doid.owl#asthma``, or the path
        of a topic file. ``reason`` adds what a reasoner infers from ontologies,
        ``language`` (of the topic file, else English) is that of the labels to
        look for, and imported ontologies are searched for in ``import_folders``.

        >>> Topic.parse("wordnet:asthma").name
        'asthma'
        """
        from semcrawl.topics.topic_files import parse_topic

        folders = tuple(Path(folder) for folder in import_folders)
        return parse_topic(spec, ReadOptions(reason, language, folders))

    @classmethod
    def from_file(cls, path: str | Path) -> Topic:
        """Read a topic file, Turtle or TOML as its name ends."""
        from semcrawl.topics.topic_files import read_topic_file

        return read_topic_file(Path(path))

    @classmethod
    def from_toml(
        cls, text: str, *, where: str = "the topic", options: ReadOptions | None = None
    ) -> Topic:
        """Read a topic written in TOML; ``where`` is named in error messages."""
        from semcrawl.topics.topic_files import topic_from_toml

        return topic_from_toml(text, where, options)

    @classmethod
    def from_turtle(
        cls, text: str, *, where: str = "the topic", options: ReadOptions | None = None
    ) -> Topic:
        """Read a topic written in Turtle; ``where`` is named in error messages."""
        from semcrawl.topics.topic_files import topic_from_turtle

        return topic_from_turtle(text, where, options)

    def to_toml(self, *, absolute: bool = False) -> str:
        """Return the topic in TOML, as :meth:`from_toml` reads it.

        Ontology files are named as they were given, or by their ``absolute`` paths.
        """
        from semcrawl.topics.topic_files import topic_to_toml

        return topic_to_toml(self, absolute=absolute)

    def to_turtle(self, *, absolute: bool = False) -> str:
        """Return the topic in Turtle, as :meth:`from_turtle` reads it.

        Ontology files are named as they were given, or by their ``absolute`` paths.
        """
        from semcrawl.topics.topic_files import topic_to_turtle

        return topic_to_turtle(self, absolute=absolute)

    def labels(self) -> list[tuple[str, float]]:
        """Return the texts that describe the topic, with their weights.

        These are the keywords and every label of the concepts in the topic's
        language (in any, where a concept has none in it). The weights of equal
        texts add up.
        """
        weights: dict[str, float] = {}
        keywords = ((keyword.text, keyword.weight) for keyword in self.keywords)
        of_concepts = (
            (label.text, label.weight * concept.weight)
            for concept in self.concepts
            for label in labels_in(self.language, concept.graph.labels(concept.id))
        )
        for text, weight in (*keywords, *of_concepts):
            key = normal_label(text)
            weights[key] = weights.get(key, 0.0) + weight
        return list(weights.items())

    def counts(self) -> dict[str, float]:
        """Return the weights of the topic's terms, as if they were frequencies.

        >>> Topic("x", keywords=(Keyword("first aid", 2.0), Keyword("aid"))).counts()
        {'first': 2.0, 'aid': 3.0}
        """
        weights: dict[str, float] = {}
        for text, weight in self.labels():
            for term, count in count_terms(text).items():
                weights[term] = weights.get(term, 0.0) + weight * count
        return weights

    def vector(self, background: Background | None = None) -> Vector:
        """Return the topic as a term vector: tf, times idf where a background is given."""
        return tf(self.counts()) if background is None else tf_idf(self.counts(), background)

    def explain(self, text: str, measure: str = "li") -> Explanation:
        """Return which concepts of the topic a text names, by which words, and how near they are.

        >>> explanation = Topic.parse("wordnet:asthma").explain("Bronchitis and the lungs")
        >>> explanation.matches[0].path
        ('bronchitis', 'respiratory disease', 'asthma')
        """
        # The one look upward: a topic is the natural place to ask, and a lens the answer.
        from semcrawl.relevance.lens import Lens

        return Lens.compile(self, measure).explain(text)

    def _check_weights(self) -> None:
        weights = {f"keyword {word.text!r}": word.weight for word in self.keywords}
        weights |= {f"concept {concept.id}": concept.weight for concept in self.concepts}
        for part, weight in weights.items():
            if not isfinite(weight) or weight < 0:
                raise TopicError(
                    f"the {part} has the weight {weight}; weights are numbers of 0 or more"
                )
        total = sum(weights.values())
        if weights and not 0 < total < float("inf"):
            raise TopicError(
                f"the weights of the topic {self.name!r} add up to {total}; "
                "give at least one keyword or concept a weight above 0"
            )

    def _check_content(self) -> None:
        if not (self.concepts or self.keywords or self.examples):
            raise TopicError(
                f"the topic {self.name!r} says nothing to look for; "
                "give it concepts, keywords or examples"
            )
        if self.keywords and not self.concepts and not self.examples and not self.counts():
            raise TopicError(
                f"the keywords of the topic {self.name!r} are stop words or numbers only; "
                "give it a word that tells the topic from others"
            )


def name_of_concepts(concepts: Sequence[TopicConcept]) -> str:
    """Return the labels of concepts as a name for their topic, "" if there are none."""
    shown = ", ".join(part.graph.label(part.id) for part in concepts[:_NAMES_SHOWN])
    more = len(concepts) - _NAMES_SHOWN
    return f"{shown} and {more} more" if more > 0 else shown


def _writable(text: str, part: str) -> str:
    found = _UNWRITABLE.search(text)
    if found:
        raise TopicError(f"{part} holds the control character {found.group()!r}; remove it")
    return text


def _line(text: str, part: str) -> str:
    text = " ".join(text.split())
    if not text:
        raise TopicError(f"{part} is empty")
    return _writable(text, part)


def _checked_seed(url: str) -> str:
    url = url.strip()
    if not _URL.fullmatch(_writable(url, "a seed")):
        raise TopicError(f"the seed {url[:200]!r} is no URL; write it with http:// or https://")
    return url


@dataclass(frozen=True, slots=True)
class ConceptNote:
    """A row of an outline: IRI, label, IRIs in the outline that are broader, whether it is good."""

    iri: str
    label: str
    broader: tuple[str, ...] = ()
    good: bool = False


def outline(topic: Topic, limit: int = 10_000) -> list[ConceptNote]:
    """The topic's concepts and everything narrower, breadth first, at most ``limit`` of them.

    >>> from semcrawl.topics import Topic
    >>> [note.label for note in outline(Topic.parse("wordnet:asthma"))]
    ['asthma', 'status asthmaticus']
    """
    found: dict[str, tuple[str, ConceptGraph]] = {}
    queue = deque((part.id, part.graph) for part in topic.concepts)
    while queue and len(found) < limit:
        concept, graph = queue.popleft()
        if (iri := concept_iri(concept)) not in found:
            found[iri] = (concept, graph)
            queue.extend((narrower, graph) for narrower in graph.narrower(concept))
    return [
        ConceptNote(
            iri,
            graph.label(concept),
            tuple(up for one in graph.broader(concept) if (up := concept_iri(one)) in found),
        )
        for iri, (concept, graph) in found.items()
    ]
