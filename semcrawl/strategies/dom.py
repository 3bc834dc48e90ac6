"""The DOM crawler: links by their page and by the text around them in the page's tree."""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError
from semcrawl.page.elements import BLOCKS
from semcrawl.strategies.topic_similarity import TopicSimilarity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.judges import Judge
    from semcrawl.page import Page
    from semcrawl.strategies.strategy import JudgedPage
    from semcrawl.text.background import Background
    from semcrawl.topics import Topic

__all__ = ["Dom", "aggregation_nodes", "dom_score"]

_MOST_READ = 2_000_000
"""So many characters of contexts are read on a page. Only a trap, with thousands of elements
inside each other, has more: its other links have the page for a context."""


def dom_score(page: float, context: float, alpha: float = 0.25) -> float:
    """A link's alpha · page + (1 - alpha) · context (Pant, Menczer 2003, section 4.4).

    >>> dom_score(page=0.4, context=0.8)
    0.7000000000000001
    """
    return alpha * page + (1.0 - alpha) * context


def aggregation_nodes(page: Page, level: int = 1, words: int = 0) -> list[int]:
    """For each link the number of the node whose text is the link's context, -1 for none.

    It is the link's n-th ancestor, where 1 is the parent and there is nothing
    above the root. With ``words``, it is the nearest ancestor from there on
    that is a block with at least so many words, or the root.

    >>> from semcrawl.page import read_html
    >>> html = "<div>All about the lungs<p>See <b><a href=/x>asthma</a></b></p></div>"
    >>> page = read_html(html, "http://a.test/")
    >>> [page.nodes[node].tag for node in aggregation_nodes(page)]
    ['b']
    >>> [page.nodes[node].tag for node in aggregation_nodes(page, words=3)]
    ['div']
    """
    lengths = (len(piece.split()) if words else 0 for piece in page.pieces)
    ends = list(accumulate(lengths, initial=0))
    # Links of one parent have one context.
    known = {-1: -1}
    for link in page.links:
        if link.node not in known:
            known[link.node] = _climb(page, link.node, level - 1, words, ends)
    return [known[link.node] for link in page.links]


def _climb(page: Page, number: int, steps: int, words: int, ends: list[int]) -> int:
    node = page.nodes[number]
    while node.parent >= 0:
        long_enough = ends[node.last_leaf + 1] - ends[node.first_leaf] >= words
        if steps <= 0 and (not words or (node.tag in BLOCKS and long_enough)):
            break
        number, steps = node.parent, steps - 1
        node = page.nodes[number]
    return number


class Dom:
    """A quarter the page, three quarters the text around the link (Pant, Menczer 2003, 4.4).

    Args:
        topic: the topic.
        background: document frequencies.
        judge: the crawl's judge, whose similarity need not be computed again.
        alpha: the weight of the page against the context; 0.25 in the paper.
        level: the aggregation node, whose text is the context: 1 is the link's parent, as in
            the paper, 2 its parent, and so on.
        words: if given, the aggregation node is the smallest enclosing block from there on
            with at least so many words.
        by: how texts are compared: ``cosine``, ``tf`` as in the paper, ``ehrig``, ``ssrm``,
            ``mihalcea``, ``synonym-sets``, or ``judge`` for what the judge uses.
        measure: how near concepts are, for the three with concepts.
        min_weight: how near a concept must be to count; below 0 it is the measure's cut-off.
    """

    batch = 1

    def __init__(
        self,
        topic: Topic,
        background: Background,
        judge: Judge | None = None,
        alpha: float = 0.25,
        level: int = 1,
        words: int = 0,
        by: str = "cosine",
        measure: str = "",
        min_weight: float = -1.0,
    ) -> None:
        if not 0.0 <= alpha <= 1.0:
            raise ConfigError(f"alpha={alpha:g} is no share: give a number from 0 to 1")
        if level < 1 or words < 0:
            raise ConfigError(
                f"level={level}, words={words}: level is 1 for a link's parent, 2 for its parent "
                "and so on; words is 0 or how many words the context must have"
            )
        self._alpha = alpha
        self._level = level
        self._words = words
        self._similarity = TopicSimilarity(by, topic, background, judge, measure, min_weight)

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """The weighted mean of the page's similarity and each context's."""
        page = self._similarity.of_page(judged)
        contexts = self._contexts(judged.page, page)
        return [dom_score(page, context, self._alpha) for context in contexts]

    def _contexts(self, page: Page, of_page: float) -> list[float]:
        """The similarity of each link's context, which is all text below its aggregation node."""
        nodes = aggregation_nodes(page, self._level, self._words)
        known, read = {-1: 0.0}, 0
        for number in nodes:
            if number in known:
                continue
            node = page.nodes[number]
            text = "".join(page.pieces[node.first_leaf : node.last_leaf + 1])
            read += len(text)
            known[number] = self._similarity.of_text(text) if read < _MOST_READ else of_page
        return [known[number] for number in nodes]
