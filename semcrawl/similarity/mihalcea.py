"""Text similarity by the best match of every word, in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.similarity.explanation import Explanation, found_labels, weighted_match
from semcrawl.similarity.label_terms import term_idf
from semcrawl.similarity.lens import Lens
from semcrawl.similarity.wu_palmer import WuPalmer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.similarity.explanation import Match
    from semcrawl.similarity.lens import Reason
    from semcrawl.similarity.measure import Measure
    from semcrawl.similarity.text_similarity import OrderedTerms
    from semcrawl.text.background import Background
    from semcrawl.topics.topic import Topic

__all__ = ["MihalceaSimilarity"]


class MihalceaSimilarity:
    """Mean of two directions of maxSim weighted by idf (Corley, Mihalcea 2005, eq. 5 and 6).

    From the text: every different term, with the similarity of the topic's
    part nearest to it. From the topic: every part, with that of the term
    nearest to it. Both are means weighted by idf, the topic's also by the
    weights of its parts. All similarities are in the lens already.

    >>> from semcrawl.text import Background
    >>> from semcrawl.topics import Topic
    >>> topic = Topic.parse("wordnet:asthma")
    >>> similarity = MihalceaSimilarity.of_topic(topic, Background.default())
    >>> similarity.of_text("Asthma"), similarity.of_text("Steam engines")
    (1.0, 0.0)
    """

    def __init__(self, lens: Lens, background: Background) -> None:
        self.lens = lens
        self._idfs = background.idfs
        self._total = sum(part.weight for part in lens.parts)

    @classmethod
    def of_topic(
        cls,
        topic: Topic,
        background: Background,
        measure: str | Measure | None = None,
        *,
        min_weight: float | None = None,
        max_distance: int | None = None,
    ) -> MihalceaSimilarity:
        """The similarity to a topic, by Wu-Palmer unless another measure is given."""
        lens = Lens.compile(
            topic,
            measure or WuPalmer(),
            background=background,
            min_weight=min_weight,
            max_distance=max_distance,
        )
        return cls(lens, background)

    def __call__(self, counts: Mapping[str, int], ordered: OrderedTerms | None = None) -> float:
        """The similarity of the text with these term counts to the topic."""
        stems, phrases = self.lens.split(counts, ordered)
        idfs, reasons = self._idfs, self.lens.reasons
        found = {stem: idfs[stem] for stem in stems if stem in reasons}
        whole = {phrase: term_idf(phrase, idfs) for phrase in phrases}
        if not found and not whole:
            return 0.0
        from_text, best = self._nearest({**found, **whole})
        total = sum([idfs[stem] for stem in stems]) + sum(whole.values())
        from_topic = sum(
            part.weight * value for part, value in zip(self.lens.parts, best, strict=True)
        )
        if not total or not self._total:
            return 0.0
        return min(1.0, (from_text / total + from_topic / self._total) / 2)

    def _nearest(self, found: Mapping[str, float]) -> tuple[float, list[float]]:
        """The sum of each term's best similarity times its idf, and each part's best."""
        best = [0.0] * len(self.lens.parts)
        from_text = 0.0
        for term, idf in found.items():
            near = 0.0
            for why in self.lens.reasons[term]:
                value = _value(why)
                near = max(near, value)
                best[why.part] = max(best[why.part], value)
            from_text += near * idf
        return from_text, best

    def of_text(self, text: str) -> float:
        """The similarity of a text to the topic."""
        return self(*self.lens.read(text))

    def explain(self, text: str) -> Explanation:
        """Which words of a text gave how much: half from its terms, half from the topic's parts."""
        found = found_labels(self.lens, text)
        stems, phrases = self.lens.split(*self.lens.read(text))
        idfs = self._idfs
        total = sum(idfs[stem] for stem in stems) + sum(term_idf(key, idfs) for key in phrases)
        matches: list[Match] = []
        nearest: dict[int, tuple[Reason, str]] = {}
        for key, forms in found.items() if total and self._total else ():
            best = max(self.lens.reasons[key], key=_value)
            share = term_idf(key, idfs) / (2 * total)
            part = self.lens.parts[best.part]
            matches.append(weighted_match(part, best, forms, text_weight=share, topic_weight=1.0))
            for why in self.lens.reasons[key]:
                if why.part not in nearest or _value(why) > _value(nearest[why.part][0]):
                    nearest[why.part] = why, key
        for number, (why, key) in nearest.items():
            part = self.lens.parts[number]
            share = part.weight / (2 * self._total)
            matches.append(
                weighted_match(part, why, found[key], text_weight=1.0, topic_weight=share)
            )
        matches.sort(key=lambda match: (-match.contribution, match.label))
        return Explanation("mihalcea", tuple(matches), (), squashed=False, limit=1.0)


def _value(why: Reason) -> float:
    return why.similarity * why.label_weight
