"""Fish-Search and Shark-Search: how far from a relevant page links are still followed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from semcrawl.errors import ConfigError
from semcrawl.page import Page
from semcrawl.strategies.link_text import SimilarityStrategy, mixed
from semcrawl.strategies.strategy import JudgedPage, Learner


def potentials(children: int, *, relevant: bool, width: int, stretch: float = 1.5) -> list[float]:
    """Return the scores of a page's children (De Bra, Post 1994; Hersovici 1998, figure 1).

    The first stretch · width of a relevant page have 1, the first width of another 0.5.

    >>> potentials(4, relevant=True, width=2), potentials(4, relevant=False, width=2)
    ([1.0, 1.0, 1.0, 0.0], [0.5, 0.5, 0.0, 0.0])
    """
    first, score = (int(stretch * width), 1.0) if relevant else (width, 0.5)
    return [score if number < first else 0.0 for number in range(children)]


def depth_left(depth: int, *, relevant: bool, full: int) -> int:
    """Return the depth of a page's children: full behind a relevant page, else one less.

    >>> depth_left(2, relevant=False, full=5), depth_left(2, relevant=True, full=5)
    (1, 5)
    """
    return full if relevant else max(depth - 1, 0)


@dataclass(eq=False, repr=False)
class FishSearch(Learner):
    """Children of relevant pages first, few of others, none far from food (De Bra, Post 1994).

    Behind a relevant page or a seed, ``depth`` pages may follow each other.
    """

    width: int = 10  # how many links of an irrelevant page are followed
    depth: int = 3
    stretch: float = 1.5  # how many times more links of a relevant page are followed
    threshold: float = -1.0  # from which on a page is relevant; below 0 it is the crawl's

    def __post_init__(self) -> None:
        if self.width < 1 or self.depth < 1 or not 0.0 <= self.stretch < 1e6:
            raise ConfigError(
                f"fish-search: width={self.width}, depth={self.depth}, stretch={self.stretch:g}: "
                "width and depth must be 1 or more, stretch a number of 0 or more"
            )
        if not self.threshold <= 1.0:  # nor is NaN
            raise ConfigError(
                f"fish-search: threshold={self.threshold:g} is no relevance: give a number from 0 "
                "to 1, or leave it out for the crawl's"
            )

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """Return 1, 0.5 or 0 by the place of each link; None where the fish has died."""
        links = judged.page.links
        if self._depth_of(judged) < 1:
            return [None] * len(links)
        children = dict.fromkeys(link.url for link in links)
        relevant = self._is_relevant(judged)
        scores = potentials(len(children), relevant=relevant, width=self.width, stretch=self.stretch)
        score_of = dict(zip(children, scores, strict=True))
        return [score_of[link.url] for link in links]

    def note(self, judged: JudgedPage) -> str:
        """Return the depth of the page's children."""
        own = self._depth_of(judged)
        return str(depth_left(own, relevant=self._is_relevant(judged), full=self.depth))

    def _is_relevant(self, judged: JudgedPage) -> bool:
        if self.threshold < 0:
            return judged.on_topic
        return judged.relevance >= self.threshold

    def _depth_of(self, judged: JudgedPage) -> int:
        """A seed has the full depth, and so has a page that another strategy has found."""
        memo = judged.memo
        written = memo.isascii() and memo.isdecimal() and len(memo) < 9
        return min(int(memo), self.depth) if written else self.depth


def inherited_score(similarity: float, inherited: float, *, decay: float = 0.5, threshold: float = 0.0) -> float:
    """Return what a page leaves to its children (Hersovici et al. 1998, figure 2, step 1).

    decay · similarity of a relevant page, decay · what it has inherited of another.

    >>> inherited_score(0.8, 0.1), inherited_score(0.0, 0.1)
    (0.4, 0.05)
    """
    return decay * (similarity if similarity > threshold else inherited)


@dataclass(eq=False, repr=False)
class SharkSearch(SimilarityStrategy, Learner):
    """Inherited, decaying scores beside those of anchor and context (Hersovici et al. 1998).

    A page inherits from the page on which it was first found; a seed inherits nothing.
    """

    decay: float = 0.5  # how much of a score is left after one link (the paper's delta)
    beta: float = 0.8  # the weight of the anchor against its context
    gamma: float = 0.5  # the weight of the inherited score against anchor and context
    depth: int = 3  # irrelevant pages that may follow each other; 0: no limit
    threshold: float = 0.0  # the similarity above which a page is relevant; 0 in the paper

    def __post_init__(self) -> None:
        shares = {"decay": self.decay, "beta": self.beta, "gamma": self.gamma}
        for name, share in shares.items():
            if not 0.0 <= share <= 1.0:
                raise ConfigError(f"shark-search: {name}={share:g} must be from 0 to 1")
        if self.depth < 0 or not 0.0 <= self.threshold <= 1.0:
            raise ConfigError(
                f"shark-search: depth={self.depth}, threshold={self.threshold:g}: depth must be "
                "0 (no limit) or more, threshold from 0 to 1"
            )
        super().__post_init__()
        self._last: tuple[Page, float] | None = None

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """Return the potential score of each link; None where the shark has starved."""
        page = judged.page
        if self.depth and self._inherited_by(judged)[1] < 1:
            return [None] * len(page.links)
        inherited, _ = self._left_by(judged)
        of_context = cache(self._similarity.of_text)
        ranked = []
        for link in page.links:  # Hersovici 1998, figure 2, steps 3 to 6
            anchor = self._similarity.anchors[link.anchor]
            # Beside an anchor on the topic the context counts in full, whatever it is.
            context = 1.0 if anchor > 0 else of_context(page.context(link))
            ranked.append(mixed(inherited, mixed(anchor, context, self.beta), self.gamma))
        return ranked

    def note(self, judged: JudgedPage) -> str:
        """Return what the page leaves to its children: inherited score and depth."""
        score, depth = self._left_by(judged)
        return f"{score!r} {depth}"

    def _left_by(self, judged: JudgedPage) -> tuple[float, int]:
        inherited, depth = self._inherited_by(judged)
        # A page is asked about twice, for its links and for its note.
        if self._last is None or self._last[0] is not judged.page:
            self._last = judged.page, self._similarity.of_page(judged)
        similarity = self._last[1]
        score = inherited_score(similarity, inherited, decay=self.decay, threshold=self.threshold)
        relevant = similarity > self.threshold
        return score, depth_left(depth, relevant=relevant, full=self.depth)

    def _inherited_by(self, judged: JudgedPage) -> tuple[float, int]:
        """Return what the page was left; that of a seed where another strategy has found it."""
        score, _, depth = judged.memo.partition(" ")
        try:
            inherited, left = float(score), int(depth)
        except ValueError:
            return 0.0, self.depth
        if not 0.0 <= inherited <= 1.0:
            return 0.0, self.depth
        return inherited, min(left, self.depth)
