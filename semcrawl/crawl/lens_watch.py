"""Warnings of a new crawl whose topic has a weak lens, or whose seeds are not on its topic."""

from collections.abc import Iterable, Iterator

from semcrawl.crawl.crew import Outcome
from semcrawl.relevance.lens_check import check_lens, seed_warning
from semcrawl.relevance.similarities import TextSimilarity
from semcrawl.topics import Topic

_MOST = 3  # seed pages that are told


class LensWatch:
    """Looks at the lens of a crawl's judge once, and through it at each seed page."""

    def __init__(
        self, topic: Topic, similarity: TextSimilarity | None, seeds: Iterable[str], problems: Iterable[str] = ()
    ) -> None:
        """Take what judges; without a lens nothing is watched, an empty one is a TopicError."""
        self.warnings = [*problems, *check_lens(topic, similarity)]
        # What a judge has learnt does not count: the lens alone is looked through.
        self._similarity = None if similarity is None else similarity.through_lens
        self._lens = None if similarity is None else similarity.lens
        self._seeds = set(seeds)
        self._told = 0

    def saw(self, outcome: Outcome) -> Iterator[str]:
        """Yield a warning where a seed page scores 0 through the lens."""
        url, page, response = outcome.entry.url, outcome.page, outcome.response
        if url not in self._seeds or self._similarity is None or self._lens is None or self._told == _MOST:
            return
        if response is not None and (target := response.redirect) is not None:
            self._seeds.add(target)
        if page is not None and not self._similarity.of_page(page):
            self._told += 1
            more = " (further seeds are not told)" if self._told == _MOST else ""
            yield seed_warning(self._lens, page) + more
