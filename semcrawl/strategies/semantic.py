"""Semantic crawlers: links by the concepts near the topic that their text names."""

from dataclasses import dataclass
from typing import ClassVar

from semcrawl.relevance.similarities import SynonymSimilarity, similarity_named
from semcrawl.strategies.link_text import LinkText, LinkTextStrategy, TopicSimilarity
from semcrawl.text.background import Background
from semcrawl.topics import Topic


@dataclass(eq=False, repr=False)
class LensStrategy(LinkTextStrategy):
    """Links by the text similarity that ``similarity`` names.

    ``on`` is the text of a link, ``anchor`` as in the thesis; the other options are as in
    :func:`~semcrawl.relevance.similarities.similarity_named`.
    """

    similarity: ClassVar[str]

    topic: Topic
    background: Background | None = None
    on: str = "anchor"
    measure: str = ""
    min_weight: float = 0.0
    max_distance: int = 0
    senses: int = -1

    def __post_init__(self) -> None:
        options = {name: getattr(self, name) for name in ("measure", "min_weight", "max_distance", "senses")}
        # The sums are not squashed: only their order counts.
        similarity = similarity_named(self.similarity, self.topic, self.background, squash=False, **options)
        self._text = LinkText(self.on, TopicSimilarity(similarity))


@dataclass(eq=False, repr=False)
class EhrigStrategy(LensStrategy):
    """Sum of 0.5^distance over the concepts named by a link's text (Batsakis 2007, eq. 3 and 8)."""

    similarity = "ehrig"
    measure: str = "ehrig"


@dataclass(eq=False, repr=False)
class SsrmStrategy(LensStrategy):
    """Double sum of Li similarities over both vector lengths (Batsakis 2007, eq. 4 and 9)."""

    similarity = "ssrm"
    measure: str = "li"


@dataclass(eq=False, repr=False)
class MihalceaStrategy(LensStrategy):
    """Text similarity by the nearest concept of each word, both ways (Corley, Mihalcea 2005)."""

    similarity = "mihalcea"
    measure: str = "wu-palmer"


class OntologyFocus(LinkTextStrategy):
    """All links by the relevant terms of their page (Batsakis 2007, section 2.4; Maedche 2002).

    The strategy ``ehrig`` on page text; ``measure`` is one of the original's relevance sets,
    ``related-1``, ``is-a-2`` or ``ehrig``.
    """

    def __init__(self, topic: Topic, measure: str = "related-1") -> None:
        self._text = EhrigStrategy(topic, on="page", measure=measure)._text


class SynonymSets(LinkTextStrategy):
    """Mean of cos(p, q^) and cos(a^, q^), topic and anchor expanded (Batsakis 2007, eq. 10)."""

    def __init__(self, topic: Topic, background: Background, on: str = "page-anchor", senses: int = 1) -> None:
        similarity = SynonymSimilarity(topic, background, senses)
        self._text = LinkText(on, TopicSimilarity(similarity, of_anchor=similarity.of_anchor))
