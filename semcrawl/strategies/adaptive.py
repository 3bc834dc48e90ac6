"""The default crawler: links ranked by a model of their targets, which learns from the crawl."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np

from semcrawl.arrays import Floats, Ints
from semcrawl.garbage_collection import give_back_memory
from semcrawl.models.adaptive_judge import LEARNS_AT, AdaptiveJudge, Learnt
from semcrawl.models.link_evidence import Anchors, LinkEvidence
from semcrawl.page import Page
from semcrawl.relevance import Judge
from semcrawl.relevance.explanation import sigmoid
from semcrawl.relevance.judges import PageEvidence
from semcrawl.strategies.strategy import JudgedPage, Learner
from semcrawl.text.background import Background
from semcrawl.text.languages import analyser
from semcrawl.topics import Topic

_SAID_AGAIN = 0.02  # smaller changes of a priority between two rounds are not worth their writing
_RANKED_ANEW, _IN_SHARD = 1_000, 250  # the best URLs, at least, that a round ranks anew: others are not picked soon
_MANY = 1_000  # pages after which a round leaves much memory behind, and rounds are rare


class Adaptive(Learner):
    """Ranks a URL by all evidence on it so far; weights are learnt from the URLs fetched.

    It learns from the pages as the judge ``adaptive`` sees them. With another judge it looks at
    the pages in that way itself, beside the judge.
    """

    patience = 2.0  # priorities are likelihoods: half of one is much worse
    restates = shares = True
    asks_origin = False

    def __init__(self, topic: Topic, background: Background, judge: Judge | None = None) -> None:
        self._is_judging = isinstance(judge, AdaptiveJudge)
        self._pages = judge if isinstance(judge, AdaptiveJudge) else AdaptiveJudge(topic, background)
        fixed = self._pages.fixed_background.of(topic.language)
        anchors = Anchors(self._pages, analyser(topic.language), fixed)
        self._evidence = LinkEvidence(self._pages, anchors)
        self._round: Learnt | None = None  # what the judge had learnt at the last round
        self._said = np.zeros(0)
        self._ranked_anew = _RANKED_ANEW
        self._missed: set[str] = set()
        self._news: dict[str, float] = {}

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
        """Take up what an earlier run has seen; all priorities are said again."""
        if not self._is_judging:
            self._pages.begin(folder, visited)
        learnt = self._pages.learnt
        if learnt is not None:
            self._learn(learnt.pages, everything=True)

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """Return, for each link, how likely it leads to a page on the topic."""
        pages, page = self._pages, judged.page
        if not self._is_judging:
            pages.observe(page, pages.judge(page))
        memory = pages.memory
        row = memory.row_of(page.url)
        self._say(self._evidence.add(row))
        numbers, said = memory.urls.numbers, self._said
        known = [numbers.get(link.url, -1) for link in page.links]
        # Links beyond those that are remembered are worth as little as can be.
        return [float(said[number]) if 0 <= number < len(said) else 0.0 for number in known]

    def begin_shard(self, owns: Callable[[str], bool]) -> None:
        """Remember links to own URLs only; those of other shards are blank."""
        self._pages.begin_shard(owns)
        self._ranked_anew = _IN_SHARD
        self._missed.add("")

    def evidence(self, page: Page) -> PageEvidence:
        """Return how relevant a page is, and its links to other shards."""
        return self._pages.evidence(page)

    def take_evidence(self, pages: Mapping[str, PageEvidence]) -> Mapping[str, float]:
        """Remember pages of other shards; rank their links here."""
        memory, before = self._pages.memory, len(self._pages.memory)
        self._pages.take_evidence(pages)
        if len(memory) > before:
            self._say(np.unique(self._evidence.add(before, len(memory))))
        numbers, said = memory.urls.numbers, self._grown()
        known = {target for page in pages.values() for _, target, _ in page.links} & numbers.keys()
        return {target: float(said[numbers[target]]) for target in known}

    def sums(self) -> bytes:
        """Return what was learnt from own pages."""
        return self._pages.sums()

    def learn_from_others(self, sums: bytes) -> None:
        """Take the sums of all other shards."""
        self._pages.learn_from_others(sums)

    def rank_list(self, judged: JudgedPage) -> Sequence[float | None]:
        """Return how likely each link of a sitemap or feed leads to the topic, by its words."""
        return self._evidence.by_words([link.anchor for link in judged.page.links])

    def missed(self, url: str, reason: str) -> None:  # noqa: ARG002
        """Leave out a URL that gave no page."""
        self._missed.add(url)

    def revise(self) -> Mapping[str, float]:
        """Return new priorities after each round of learning."""
        if not self._is_judging:
            self._pages.revise()
        learnt = self._pages.learnt
        if learnt is not None and learnt is not self._round:
            self._learn(learnt.pages, everything=False)
        news, self._news = self._news, {}
        return news

    def close(self) -> None:
        """Close the memory, where it is its own."""
        if not self._is_judging:
            self._pages.close()

    def _learn(self, pages: int, *, everything: bool) -> None:
        """Gather all evidence, fit the weights, and give waiting URLs new priorities.

        Pages that came after the first ``pages`` are looked at one by one, as they came.
        """
        self._round = self._pages.learnt
        self._evidence.gather(pages)
        memory = self._pages.memory
        linked = self._evidence.has_links()[: len(memory.urls)]
        waiting = np.flatnonzero(linked & (memory.rows.values < 0))
        said = self._grown()
        said[: len(linked)][~linked] = 0.0
        old = said[waiting]
        new = np.round(sigmoid(self._evidence.odds(waiting)), 6)
        ranked = max(self._ranked_anew, 4 * (LEARNS_AT.after(pages) - pages))
        if not everything and len(new) > ranked:
            least = np.partition(new, -ranked)[-ranked]
            chosen = (new >= least) | (old >= least)
            waiting, new, old = waiting[chosen], new[chosen], old[chosen]
        said[waiting] = new
        changed = waiting if everything else waiting[new != old]
        self._news |= self._priorities(changed)
        for row in range(pages, len(memory)):
            urls = self._evidence.add(row)
            self._say(urls)
            self._news |= self._priorities(np.unique(urls))
        if pages >= _MANY:
            give_back_memory()

    def _say(self, urls: Ints) -> None:
        """Give the URLs of a page's links their priorities; what hardly rises waits for the round.

        So does what falls: a link raises the priority of a URL that waits, or leaves it, and what
        is said again after a resume must be what the frontier had.
        """
        new = np.round(sigmoid(self._evidence.odds(urls)), 6)
        said = self._grown()
        old = said[urls]
        said[urls] = np.where(new - old > _SAID_AGAIN * new, new, old)

    def _priorities(self, urls: Ints) -> dict[str, float]:
        texts, missed = self._pages.memory.urls.texts, self._missed
        found = zip(map(texts.__getitem__, urls.tolist()), self._said[urls].tolist(), strict=True)
        return {url: priority for url, priority in found if url not in missed}

    def _grown(self) -> Floats:
        more = len(self._pages.memory.urls) - len(self._said)
        if more > 0:
            self._said = np.concatenate([self._said, np.zeros(more + len(self._said) // 2)])
        return self._said
