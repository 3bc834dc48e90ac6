"""The DOM and the hub-seeking crawler: links by their page and by the text around them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from urllib.parse import urlsplit

from semcrawl.errors import ConfigError
from semcrawl.page import Page
from semcrawl.page.links import BLOCKS
from semcrawl.strategies.best_first import checked_rotation
from semcrawl.strategies.link_text import SimilarityStrategy, mixed
from semcrawl.strategies.strategy import JudgedPage

# Characters of contexts on one page; only a trap has more. Other links have the page for one.
_MOST_READ = 2_000_000
_SEEDS_BY = ("hosts", "pages", "sections")


def aggregation_nodes(page: Page, level: int = 1, words: int = 0) -> list[int]:
    """Return for each link the number of the node whose text is the link's context, -1 for none.

    It is the link's n-th ancestor, where 1 is the parent, or the root. With ``words``, it
    is the nearest ancestor from there on that is a block with at least so many words.

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


@dataclass(eq=False, repr=False)
class Dom(SimilarityStrategy):
    """A quarter the page, three quarters the text around the link (Pant, Menczer 2003, 4.4).

    ``alpha`` is the weight of the page; ``level`` and ``words`` are as in
    :func:`aggregation_nodes`. The defaults are the paper's: 0.25, the parent, term frequencies
    (``by``) and 50 for ``rotation``, its D, which is as for :class:`NaiveBestFirst`.
    """

    by: str = field(default="tf", kw_only=True)
    alpha: float = 0.25
    level: int = 1
    words: int = 0
    rotation: int = 50

    def __post_init__(self) -> None:
        if not 0.0 <= self.alpha <= 1.0:
            raise ConfigError(f"alpha={self.alpha:g} is no share: give a number from 0 to 1")
        if self.level < 1 or self.words < 0:
            raise ConfigError(
                f"level={self.level}, words={self.words}: level is 1 for a link's parent, 2 for "
                "its parent and so on; words is 0 or how many words the context must have"
            )
        checked_rotation(self.rotation)
        super().__post_init__()

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """Return the weighted mean of the page's similarity and each context's."""
        page = self._similarity.of_page(judged)
        return [mixed(page, context, self.alpha) for context in self._contexts(judged.page, page)]

    def _contexts(self, page: Page, of_page: float) -> list[float]:
        nodes = aggregation_nodes(page, self.level, self.words)
        known, read = {-1: 0.0}, 0
        for number in nodes:
            if number in known:
                continue
            node = page.nodes[number]
            text = "".join(page.pieces[node.first_leaf : node.last_leaf + 1])
            read += len(text)
            known[number] = self._similarity.of_text(text) if read < _MOST_READ else of_page
        return [known[number] for number in nodes]


def hub_score(seeds: int) -> float:
    """n(n - 1) / (1 + n²) for a page that points to n seed hosts (Pant, Menczer 2003, figure 3).

    >>> [round(hub_score(n), 3) for n in range(6)]
    [0.0, 0.0, 0.4, 0.6, 0.706, 0.769]
    """
    return seeds * (seeds - 1) / (1 + seeds**2)


@dataclass(eq=False, repr=False)
class HubSeeking(Dom):
    """The larger of hub score and DOM score (Pant, Menczer 2003, eq. 5).

    ``seeds_by`` is what of the seeds is counted: ``hosts`` as in the paper; where all are on one
    host, the seed ``pages`` themselves, or ``sections``, the folders they are in. Raises
    ConfigError: there are several seeds, and they all count as one.
    """

    seeds: Sequence[str] = ()
    seeds_by: str = "hosts"

    def __post_init__(self) -> None:
        by = self.seeds_by
        if by not in _SEEDS_BY:
            raise ConfigError(f"seeds_by={by} is none of {', '.join(_SEEDS_BY)}")
        super().__post_init__()
        self._keys = frozenset(key for seed in self.seeds for key in _keys(seed, by)[:1])
        # One seed makes no hub, and this the DOM crawler; but several look as if they did.
        several = len(set(self.seeds))
        if several > 1 and len(self._keys) < 2:
            others = "sections or pages" if by == "hosts" else "pages"
            raise ConfigError(
                f"hub-seeking: all {several} seeds are in one of seeds_by={by}, and "
                f"a hub points to two or more: give seeds elsewhere, or seeds_by={others}"
            )

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """Return the hub score of the page, or the DOM score of the link where that is larger."""
        hub = hub_score(self.seeds_pointed_to(judged.page))
        return [max(hub, score) for score in super().rank(judged)]

    def seeds_pointed_to(self, page: Page) -> int:
        """Return how many seed hosts (or pages, or sections) a page has links to."""
        urls = {link.url for link in page.links}
        return len(self._keys & {key for url in urls for key in _keys(url, self.seeds_by)})


def _keys(url: str, by: str) -> list[str]:
    """Return what a URL counts for, the nearest first: its host, itself, or its folders.

    >>> _keys("http://a.test/wp/b/Bird.htm", "sections")
    ['http://a.test/wp/b/', 'http://a.test/wp/', 'http://a.test/']
    """
    if by == "pages":
        return [url]
    parts = urlsplit(url)
    if by == "hosts":
        return [parts.hostname or ""]
    steps = (parts.path or "/").split("/")[:-1]
    start = f"{parts.scheme}://{parts.netloc}"
    return [f"{start}{'/'.join(steps[: n + 1])}/" for n in range(len(steps) - 1, -1, -1)]
