"""A similarity taken apart: why a text scored what it scored, so that it can be recomputed."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from semcrawl.arrays import Floats
from semcrawl.notebook import bars, figures
from semcrawl.relevance.hierarchy import hierarchy_of
from semcrawl.relevance.label_forms import key_idf
from semcrawl.relevance.lens import Lens, Reason, TopicPart
from semcrawl.text.phrases import EXACT


@dataclass(frozen=True, slots=True)
class Match:
    """What a label found in a text gave for one part of the topic, the product of its weights."""

    words: tuple[str, ...]  # the forms in the text
    count: int
    text_weight: float  # the count, times idf where the similarity has it
    label: str
    concept: str | None  # None for a word of a keyword
    topic: str  # the id of the topic's concept, or the keyword
    topic_label: str
    topic_weight: float
    similarity: float
    label_weight: float
    path: tuple[str, ...]  # labels along the shortest is-a path between them, if any
    contribution: float
    place: str = "text"  # where on the page: text, beginning, title or statements
    relation: str = ""  # other than is-a, by which the concept belongs to the topic


@dataclass(frozen=True, slots=True)
class ScoreFactor:
    """A number that a score is made of, and what it is: a divisor of the sum, or a part of the log odds."""

    name: str
    value: float


def sigmoid(odds: Floats) -> Floats:
    """Return the probabilities of log odds; beyond ±30 they no longer differ."""
    bounded = np.minimum(np.maximum(odds, -30.0), 30.0)  # np.clip takes ten times as long for one number
    return np.asarray(1.0 / (1.0 + np.exp(-bounded)))


@dataclass(frozen=True, slots=True)
class Explanation:
    """A score and all that it was made of, the largest contributions first.

    The score is the sum of the contributions, divided by every normaliser; then,
    where ``squashed``, x / (1 + x); then at most ``limit``, where there is one. Where there are
    ``parts``, it is the probability of their sum: 1 / (1 + e^-x).
    """

    similarity: str
    matches: tuple[Match, ...]
    normalisers: tuple[ScoreFactor, ...]
    squashed: bool
    limit: float | None
    parts: tuple[ScoreFactor, ...] = ()

    @property
    def score(self) -> float:
        """The score, from the parts."""
        if self.parts:
            return float(sigmoid(np.asarray(sum(part.value for part in self.parts))))
        value = sum(match.contribution for match in self.matches)
        for normaliser in self.normalisers:
            value = value / normaliser.value if normaliser.value else 0.0
        if self.squashed:
            value /= 1 + value
        return value if self.limit is None else min(value, self.limit)

    def __repr__(self) -> str:
        most = ", ".join(f"{match.label} {match.contribution:.3g}" for match in self.matches[:5])
        return f"<Explanation by {self.similarity}: {self.score:.4f}; {most}>"

    def _repr_html_(self) -> str:
        parts = {part.name: part.value for part in self.parts}
        given: dict[str, float] = {}
        for match in self.matches[:20]:
            name = f"{match.label} ({match.place})"
            given[name] = given.get(name, 0.0) + match.contribution
        odds = bars("log odds", parts) if parts else ""
        return figures(self.similarity, {"score": self.score}) + odds + bars("labels", given)

    def to_json(self) -> str:
        """Return the explanation as a JSON object, with its score."""
        return json.dumps({"score": self.score, **asdict(self)}, ensure_ascii=False)


def explain(
    lens: Lens,
    text: str,
    similarity: str,
    *,
    idfs: Mapping[str, float] | None = None,
    normalisers: tuple[ScoreFactor, ...] = (),
    squashed: bool = False,
    limit: float | None = None,
) -> Explanation:
    """Return the explanation of a text's score; with ``idfs``, terms weigh count times idf."""
    matches = (
        weighted_match(
            lens.parts[why.part],
            why,
            forms,
            text_weight=len(forms) * (1.0 if idfs is None else key_idf(key, idfs)),
            topic_weight=lens.parts[why.part].weight,
        )
        for key, forms in found_labels(lens, text).items()
        for why in lens.reasons[key]
    )
    return explanation_of(similarity, matches, normalisers, squashed=squashed, limit=limit)


def explanation_of(
    similarity: str,
    matches: Iterable[Match],
    normalisers: tuple[ScoreFactor, ...] = (),
    *,
    squashed: bool = False,
    limit: float | None = None,
) -> Explanation:
    """Return an explanation with its largest contributions first."""
    ordered = sorted(matches, key=lambda match: (-match.contribution, match.label))
    return Explanation(similarity, tuple(ordered), normalisers, squashed, limit)


def weighted_match(
    part: TopicPart, why: Reason, forms: Sequence[str], *, text_weight: float, topic_weight: float
) -> Match:
    """Return what one label gave for one part of the topic, by the weights that are given."""
    return Match(
        words=tuple(dict.fromkeys(forms)),
        count=len(forms),
        text_weight=text_weight,
        label=why.label,
        concept=why.concept,
        topic=part.concept or part.name,
        topic_label=part.name,
        topic_weight=topic_weight,
        similarity=why.similarity,
        label_weight=why.label_weight,
        path=_path(part, why),
        contribution=text_weight * topic_weight * why.similarity * why.label_weight,
    )


def _path(part: TopicPart, why: Reason) -> tuple[str, ...]:
    graph = part.graph
    if graph is None or part.concept is None or why.concept is None:
        return ()
    steps = hierarchy_of(graph).path(graph.position(why.concept), graph.position(part.concept))
    return tuple(graph.label(graph.ids[step]) for step in steps)


def found_labels(lens: Lens, text: str) -> dict[str, list[str]]:
    """Return the labels of a lens in a text, each with the words of every occurrence."""
    tokens = lens.analyser.tokens(text)
    placed = [(word, place) for place, token in enumerate(tokens) for word in lens.analyser.words(token)]
    stems = [word for word, _ in placed]
    found: dict[str, list[str]] = {}
    position = 0
    for start, phrase in (*lens.phrases.find(stems), (len(stems), ())):
        for single in range(position, start):
            found.setdefault(stems[single], []).append(tokens[placed[single][1]])
        position = start + len(phrase)
        if phrase:
            first, last = placed[start][1], placed[position - 1][1]
            found.setdefault(" ".join(phrase), []).append(" ".join(tokens[first : last + 1]))
    for _, key in lens.exact.find(stems, lambda: text):
        found.setdefault(key, []).append(key.removeprefix(EXACT))
    return {key: forms for key, forms in found.items() if key in lens.weights}
