"""A topic compiled through a measure: every near label with its weight.

Ehrig's and SSRM's double sums over all terms of a text and of the topic are
linear in the text's term vector. So the sum over the topic's terms is taken
once, before the crawl, for every label that a text could hold; looking at a
text through the lens is then one sparse dot product.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from semcrawl.text.terms import count_terms, terms, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from semcrawl.relevance.explanation import Explanation
    from semcrawl.relevance.measures import Measure
    from semcrawl.relevance.similarities import OrderedTerms
    from semcrawl.text.background import Background
    from semcrawl.topics.concepts import ConceptGraph
    from semcrawl.topics.labels import Label
    from semcrawl.topics.topic import Topic

# From a label to the term that a lens looks for in a text, and how telling that term is.


_ARTICLES = frozenset({"a", "an", "the"})


def label_key(text: str) -> str:
    """The stems of a label with spaces between; "" where they do not stand for the label.

    Terms hold no numbers, single letters and stop words. A label of which that
    leaves one stem would be found wherever the stem is: "vitamin C" in every
    text on vitamins, "at work" in every text with a work. Such labels are not used.

    >>> label_key("Respiratory diseases"), label_key("the flu"), label_key("vitamin C")
    ('respiratori diseas', 'flu', '')
    """
    stems = terms(text)
    if len(stems) == 1:
        words = tokens(text)
        if len(words) > 1 and any(word not in _ARTICLES for word in words if not terms(word)):
            return ""
    return " ".join(stems)


def term_idf(key: str, idfs: Mapping[str, float]) -> float:
    """The idf of a term; that of a phrase is its rarest stem's, since it is rarer still.

    >>> term_idf("first aid", {"first": 1.0, "aid": 3.0})
    3.0
    """
    return max([idfs[stem] for stem in key.split(" ")])


def in_language(labels: list[Label], language: str) -> list[Label]:
    """The labels in a language or in none; all of them where there are none such."""
    wanted = language.lower().split("-")[0]
    found = [label for label in labels if label.language.lower().split("-")[0] in ("", wanted)]
    return found or labels


# Counting phrases in a text of which the counts of single stems are known already.


if TYPE_CHECKING:
    Counts = Mapping[str, int]


_NONE: dict[str, int] = {}


class PhraseCounts:
    """Takes phrases out of term counts, doing little for texts that hold none.

    The counts tell whether all stems of some phrase are there; only then is the
    text looked at in its order. Phrases are found as by
    :class:`~semcrawl.text.phrases.PhraseMatcher`, from left to right and the
    longest first, but by their first two stems: the time depends on the
    length of the text, not on the number of phrases.

    >>> phrases = PhraseCounts(["first aid"])
    >>> phrases.split({"first": 2, "aid": 1}, lambda: ["first", "aid", "first"])
    ({'first': 1}, {'first aid': 1})
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        """Take phrases of two stems or more, as stems with spaces between."""
        split = sorted((tuple(phrase.split(" ")) for phrase in phrases), key=len, reverse=True)
        usual = Counter(stem for stems in split for stem in set(stems))
        self._size = len(split)
        # First stem, then second, then the phrases that start so, long to short.
        self._by_start: dict[str, dict[str, list[tuple[str, ...]]]] = {}
        # Under its rarest stem a phrase is looked at least often.
        self._by_stem: dict[str, list[tuple[str, ...]]] = {}
        for stems in split:
            seconds = self._by_start.setdefault(stems[0], {})
            seconds.setdefault(stems[1], []).append(stems)
            self._by_stem.setdefault(min(stems, key=usual.__getitem__), []).append(stems)

    def __len__(self) -> int:
        """The number of phrases."""
        return self._size

    def split(self, counts: Counts, ordered: OrderedTerms | None) -> tuple[Counts, Counts]:
        """The counts of single stems outside phrases, and those of the phrases.

        The first is ``counts`` itself where the text holds no phrase.
        """
        if ordered is None or not self._may_hold(counts):
            return counts, _NONE
        found = self.find(ordered())
        if not found:
            return counts, _NONE
        left = dict(counts)
        phrases: dict[str, int] = {}
        for _, phrase in found:
            key = " ".join(phrase)
            phrases[key] = phrases.get(key, 0) + 1
            for stem in phrase:
                rest = left.get(stem, 0) - 1
                if rest > 0:
                    left[stem] = rest
                else:
                    left.pop(stem, None)
        return left, phrases

    def find(self, stems: Sequence[str]) -> list[tuple[int, tuple[str, ...]]]:
        """The phrases in a sequence of stems, each with the position of its first stem."""
        by_start = self._by_start
        found: list[tuple[int, tuple[str, ...]]] = []
        end, last = 0, len(stems) - 1
        for position in [place for place, stem in enumerate(stems) if stem in by_start]:
            if position < end or position == last:
                continue
            for phrase in by_start[stems[position]].get(stems[position + 1], ()):
                size = len(phrase)
                if size == 2 or tuple(stems[position : position + size]) == phrase:
                    found.append((position, phrase))
                    end = position + size
                    break
        return found

    def _may_hold(self, counts: Counts) -> bool:
        by_stem = self._by_stem
        for stem in [stem for stem in counts if stem in by_stem]:
            for phrase in by_stem[stem]:
                if all(other in counts for other in phrase):
                    return True
        return False


@dataclass(frozen=True, slots=True)
class TopicPart:
    """A concept or a keyword of the topic, with its weight w_qk.

    ``concept`` is the id in ``graph``; both are None for a keyword.
    """

    name: str
    weight: float
    concept: str | None = None
    graph: ConceptGraph | None = field(default=None, compare=False, repr=False)


class Reason(NamedTuple):
    """Why a label is in a lens: what it has to do with one part of the topic.

    Attributes:
        part: the place of the part in ``Lens.parts``.
        concept: the sense of the label that is nearest to the part; None for a
            word of a keyword.
        label: the label as its source writes it.
        similarity: of sense and part, by the measure.
        label_weight: how good a name of the sense the label is, at most 1.
    """

    part: int
    concept: str | None
    label: str
    similarity: float
    label_weight: float


class LensLabel(NamedTuple):
    """A label of a lens, for people: its text, weight, and the concept it comes from."""

    text: str
    weight: float
    concept: str | None


class Lens:
    """Stems and phrases with their weights for a topic; :meth:`compile` makes one.

    The weight of a label is the sum over the topic's parts k of w_k times the
    similarity of k and the label's nearest sense. ``weights`` is keyed by stems
    with spaces between; ``phrases`` finds those of several stems; ``reasons`` tells
    where each weight comes from; ``length`` is that of the topic's vector of w_k.
    """

    def __init__(
        self, name: str, parts: Sequence[TopicPart], reasons: Mapping[str, tuple[Reason, ...]]
    ) -> None:
        self.name = name
        self.parts = tuple(parts)
        self.reasons = reasons
        self.weights = {key: self._weight(why) for key, why in reasons.items()}
        self.length = sqrt(sum(part.weight**2 for part in self.parts))
        self.phrases = PhraseCounts(key for key in reasons if " " in key)

    @classmethod
    def compile(
        cls,
        topic: Topic,
        measure: str | Measure | None = None,
        *,
        background: Background | None = None,
        min_weight: float | None = None,
        max_distance: int | None = None,
        max_labels: int | None = None,
        look_up: bool = False,
    ) -> Lens:
        """Compile a topic.

        Args:
            topic: its concepts and keywords are the parts of the lens.
            measure: a measure, or the name of one with options; li without it.
            background: where the parts' weights shall be tf·idf instead of tf.
            min_weight: similarity times label weight from which on a label
                counts for a part. Without it the measure's ``cut_off``, as a
                share of the part's similarity with itself; 0 keeps all that is
                not 0, as the papers do.
            max_distance: the longest is-a path from a part that is followed.
            max_labels: so many of the heaviest labels are kept.
            look_up: whether keywords are also looked up as words, all of their
                senses counting as one part: in the topic's graphs, and in
                WordNet where the topic has no concepts.

        >>> from semcrawl.topics import Topic
        >>> lens = Lens.compile(Topic.parse("wordnet:asthma"))
        >>> [label.text for label in lens.strongest(3)]
        ['asthma', 'asthma attack', 'bronchial asthma']
        """
        from semcrawl.relevance.lens_compiler import LensCompiler

        compiler = LensCompiler(topic, measure, min_weight, max_distance)
        return compiler.lens(background, max_labels=max_labels, look_up=look_up)

    def __len__(self) -> int:
        """The number of labels."""
        return len(self.weights)

    def __repr__(self) -> str:
        return f"<Lens on {self.name}: {len(self):,} labels, {len(self.phrases):,} of them phrases>"

    def weight(self, label: str) -> float:
        """The weight of a word or phrase, 0 where the lens does not show it."""
        return self.weights.get(label_key(label), 0.0)

    def strongest(self, n: int = 20) -> list[LensLabel]:
        """The heaviest labels; equal ones by their text."""
        best = sorted(self.weights.items(), key=lambda item: (-item[1], item[0]))[:n]
        return [self._shown(key, weight) for key, weight in best]

    def split(
        self, counts: Mapping[str, int], ordered: OrderedTerms | None
    ) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Term counts parted into single stems and the lens's phrases.

        A stem inside a phrase counts as part of it only; phrases that are not in
        the lens are no terms. The first is ``counts`` itself where the text holds
        no phrase of the lens.
        """
        return self.phrases.split(counts, ordered)

    def read(self, text: str) -> tuple[Mapping[str, int], OrderedTerms]:
        """Term counts of a text, and its terms in order: cut once where the lens has phrases."""
        if not len(self.phrases):
            return count_terms(text), lambda: terms(text)
        ordered = terms(text)
        return Counter(ordered), lambda: ordered

    def counts(self, text: str) -> dict[str, int]:
        """How often each label of the lens occurs in a text."""
        stems, phrases = self.split(*self.read(text))
        found = {stem: count for stem, count in stems.items() if stem in self.weights}
        return {**found, **phrases}

    def explain(self, text: str) -> Explanation:
        """What the lens sees in a text: the plain sum of counts times weights, piece by piece."""
        from semcrawl.relevance.explanation import explain

        return explain(self, text, "lens")

    def _weight(self, reasons: tuple[Reason, ...]) -> float:
        return sum(
            self.parts[why.part].weight * why.similarity * why.label_weight for why in reasons
        )

    def _shown(self, key: str, weight: float) -> LensLabel:
        best = max(self.reasons[key], key=lambda why: self._weight((why,)))
        return LensLabel(best.label, weight, best.concept)
