"""The judge that teaches itself: it learns words of the topic from the crawl's own pages.

It starts from what the topic's labels say of a page. From time to time it learns again from all
pages so far, always starting from the labels, so that it cannot drift away; then all pages are
judged anew. What it has learnt after so many pages is a function of these pages alone: a crawl
that was killed learns the same again. docs/adaptive.md has the formulas.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from semcrawl.models.crawl_memory import (
    BY_WORD,
    MOST_LINKS,
    RELATION,
    CrawlMemory,
    pack_sums,
    unpack_sums,
    vector_of_text,
    word_number,
)
from semcrawl.models.learning_rounds import Rounds
from semcrawl.models.learnt_words import FEWEST, OWN_NAMES, Array, LearntWords, Taught, Vector, own_names, words_of
from semcrawl.models.marked_pages import MarkedPages, PageTraits, questions
from semcrawl.models.site_labels import LEAST_ODDS, LabelTexts, label_texts, own_odds
from semcrawl.models.training_pages import example_name
from semcrawl.page import Page
from semcrawl.relevance.explanation import Explanation, Match, ScoreFactor, sigmoid
from semcrawl.relevance.judges import BaseJudge, Judgement, LabelsJudge, PageEvidence
from semcrawl.relevance.label_similarity import LabelsFound, LabelSimilarity
from semcrawl.relevance.similarities import TextSimilarity
from semcrawl.text.background import Background, grows
from semcrawl.text.vocabulary import GrowingArray, ShortTexts
from semcrawl.topics import Topic
from semcrawl.topics.sources import concept_iri
from semcrawl.web.urls import host_of
from semcrawl.whole_files import write_whole

Pairs = tuple[NDArray[np.int32], NDArray[np.int32]]

PAGES, EXAMPLES, OTHERS = "pages", "examples", "others"  # the names of the files
_NONE = np.zeros(2)
_BLANK = ("", "")  # in place of a link that another shard knows
_MOST_PLACES = 1 << 25  # of links; beyond that, blanks are left out, as a short line can say that a page has many

# Weights were fitted on the ten development topics; see docs/adaptive.md.
_LABELS_ALONE = 1.5  # what the log odds by labels weigh while nothing is learnt
_LEADING_WORDS = 2.0  # what learnt words weigh beside labels where pages lead on to others
LABELS_WEIGHT = 0.97  # what they weigh after that
_CONSTANT, _WORDS, _IN_LINKS = -1.2, 1.42, 0.79
_SURE = 8  # the power of R by which pages count when words are learnt to judge by
_ROUNDS = 3
_EARLIER = 2.0  # in-links that are taken as known before there are any
_LISTED = 1.7  # what standing on a list of the topic's things gives a page without words
_SHORT = 1_000.0  # the words at which it gives half of that
_MARKED = 5.0  # pages that one marked by hand counts as
_NAMES_TOPIC = 0.5  # the least weight of a label by which a title names the topic
LEARNS_AT = Rounds(5, each=10)
_IN_SHARD = Rounds(10, each=10, part=5)  # by own pages; a round takes in those of other shards, too
_SAID_AGAIN = 0.005  # smaller changes of relevance are told when the crawl ends


@dataclass(frozen=True, slots=True, eq=False)
class Learnt:
    """What was learnt from the first pages of a crawl."""

    pages: int
    words: LearntWords  # by which pages are judged
    link_words: LearntWords  # by which links are ranked, from all pages by their relevance
    on_topic: float  # the share of pages that are on the topic
    labels: Array  # by page: log odds by the topic's labels
    by_site: Array  # what is taken off for labels in texts of the site
    standards: Array  # its product with the words, in units of the spread, its own share left out
    linked: Array  # log odds of the pages that link to it
    relevance: Array
    by_marks: Array | None = None  # what pages marked by hand add to the log odds
    marked: MarkedPages | None = None

    @property
    def evidence(self) -> Array:
        """By page, what its log odds come from."""
        return np.stack([self.labels, self.standards, self.linked], 1)


def log_odds(probability: float) -> float:
    """Return the log odds of a probability, not below those of a page without any label."""
    bounded = min(max(probability, 1e-9), 1.0 - 1e-9)
    return max(log(bounded / (1.0 - bounded)), LEAST_ODDS)


def text_odds(labels: Array, learnt_words: Array) -> Array:
    """Return the log odds by a page's own text: 1.5 b + z."""
    return _LABELS_ALONE * labels + learnt_words


def leading_odds(labels: Array, learnt_words: Array, by_lists: Array) -> Array:
    """Return the log odds by which pages lead on to others: b + ½ g + 2 (1 - g / 1.7) z.

    Where lists speak for a page that says little itself, by g of its b, its words count less.
    """
    words = _LEADING_WORDS * learnt_words * (1.0 - by_lists / _LISTED)
    return labels + (_LABELS_ALONE - 1.0) * by_lists + words


class AdaptiveJudge(BaseJudge):
    """Relevance by the topic's labels, by words learnt from the crawl, and by in-links.

    The log odds are -1.2 + 0.97 b + 1.42 s + 0.79 m: b are the log odds by labels (judge
    ``labels``), s is the product with the learnt words in units of its spread, m are the log odds
    of the mean relevance of the pages that link here. ``related`` and ``decay`` are as there.
    """

    learns = takes_examples = shares = True
    threshold = 0.5
    similarity: "LearntSimilarity"

    def __init__(
        self, topic: Topic, background: Background | None = None, related: float = 0.6, decay: float = 1.0
    ) -> None:
        self._background = topic.background() if background is None else background
        self.labels = LabelsJudge(topic, self._background, related, decay).similarity
        # Short texts are weighed once, so it must not matter when: what never counts pages.
        self.fixed_background, fixed = self._background, self.labels
        if grows(self._background, topic.languages):
            self.fixed_background = topic.background()
            fixed = LabelsJudge(topic, self.fixed_background, related, decay).similarity
        self._each_language = [one for one in fixed.each_language() if isinstance(one, LabelSimilarity)]
        self.similarity = LearntSimilarity(self)
        self.memory = CrawlMemory()
        self._owns: Callable[[str], bool] | None = None  # of a shard: whether a URL is its own
        self._counted: dict[str, tuple[Array, Array]] = {}  # how much pages count, at last
        self.others: dict[str, Array] = {}  # sums of all other shards
        self._words_of_others: dict[str, Taught] = {}
        self.link_sums: dict[str, Array] = {}  # what the weights of links were fitted to, as sums
        self._others_file: Path | None = None
        self.learnt: Learnt | None = None
        self._sure_pages = {example_name(place): True for place in topic.examples}
        self._examples = CrawlMemory()  # words of the topic's examples
        self._marks: Mapping[str, bool] = self._sure_pages
        self.own_names = own_names(self._each_language)  # as a vector of words
        self._forget()

    def _forget(self) -> None:
        self._in_links = InLinks()
        self.leading_relevance = GrowingArray(np.float64)  # of each page, as what leads on to others: without its links
        self._said = GrowingArray(np.float64)
        self._due = 1
        self._seen: tuple[Page, Vector, float, LabelTexts] | None = None
        self._news: dict[str, float] = {}

    def teach(self, examples: Mapping[str, Page]) -> None:
        """Take example pages of the topic as sure, whether the crawl visits them or not."""
        for url, page in examples.items():
            self._examples.add(url, self.vector(page), 0.0, ())

    def _recall_examples(self, folder: Path | None, *, read_only: bool = False) -> None:
        """Keep the examples in the folder, or read those that are kept there."""
        if not self._sure_pages or folder is None:
            return
        kept, taught = folder / EXAMPLES, self._examples
        if not read_only or kept.is_file():
            self._examples = CrawlMemory(kept, self._sure_pages, read_only=read_only)
            for number, name in enumerate(taught.page_urls.values):
                self._examples.add(taught.urls.texts[name], taught.pages.row(number), 0.0, ())
            self._examples.close()

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
        """Take up what an earlier run has seen, and learn from it as that did."""
        self._forget()
        self._recall_examples(folder)
        self._recall_others(folder)
        self.memory = CrawlMemory(folder / PAGES if folder else None, visited)
        for number in self.memory.page_urls.values:
            self._said.extend([visited.get(self.memory.urls.texts[number], 0.0)])
        self._learn_up_to(self._last_round())
        if self.learnt is not None:
            self._news = self._changes(self.learnt, _SAID_AGAIN)

    def recall(self, folder: Path, visited: Mapping[str, float], *, has_ended: bool) -> None:
        """Take up what a crawl has seen, to explain its judgements; nothing is written.

        ``has_ended``: its judge has had the last word, which it learnt from all pages.
        """
        self._forget()
        self._recall_examples(folder, read_only=True)
        self._recall_others(folder)
        self.memory = CrawlMemory(folder / PAGES, visited, read_only=True)
        self._learn_up_to(len(self.memory) if has_ended else self._last_round())
        self.memory.close()

    def begin_shard(self, owns: Callable[[str], bool]) -> None:
        """From now on each link is remembered by the shard that owns its target."""
        self._owns = owns

    def evidence(self, page: Page) -> PageEvidence:
        """Return how relevant a page is, and its links to other shards with their places."""
        row, links = self.memory.row_of(page.url), enumerate(self._anchors(page))
        relevance = float(self.leading_relevance.values[row]) if row >= 0 else 0.0
        told = [(place, *link) for place, link in links if not self._is_own(link[0])]
        return PageEvidence(relevance, self._is_list(page), len(page.links), told)

    def take_evidence(self, pages: Mapping[str, PageEvidence]) -> Mapping[str, float]:
        """Remember pages of other shards for their links here, once."""
        numbers = self.memory.urls.numbers
        nothing = np.empty(0, np.int32), np.empty(0, np.float32)
        for url, evidence in pages.items():
            count = min(evidence.count, MOST_LINKS)
            told = {place: (target, anchor) for place, target, anchor in evidence.links if place < count}
            if not told:
                continue
            has_room = len(self.memory.link_targets) < _MOST_PLACES
            links = [told.get(place, _BLANK) for place in range(count)] if has_room else list(told.values())
            row = self.memory.row_of(url)
            known = set(self.memory.targets_of(row).tolist()) if row >= 0 else set()
            if row >= 0 and all(numbers.get(target, -1) in known for target, _ in links):
                continue
            odds = log_odds(evidence.relevance)
            row = self.memory.add(url, nothing, odds, links, is_list=evidence.is_list, is_elsewhere=True)
            self._said.extend([0.0])
            self._count(row)
        return {}

    def _is_own(self, url: str) -> bool:
        return self._owns is None or self._owns(url)

    def sums(self) -> bytes:
        """Return sums of words of own pages inside and outside the topic, which can be added up."""
        own = self.memory.is_own.values[: self.learnt.pages] if self.learnt else np.zeros(0, np.bool_)
        relevance = self.leading_relevance.values[: len(own)][own]
        sums = {"pages": np.array([own.sum(), relevance.sum()], np.float64)}
        for name, counted in self._counted.items():
            inside, outside = (self.memory.pages.sum(one, len(one)) for one in counted)
            masses = np.array([one.sum() for one in counted])
            sums |= {f"{name} inside": inside, f"{name} outside": outside, f"{name} masses": masses}
        return pack_sums(sums | self.link_sums if self._counted else {})

    def learn_from_others(self, sums: bytes) -> None:
        """Let the words of all other shards count like words of pages here, from the next round on."""
        self._take_others(sums)
        if self._others_file is not None:
            write_whole(self._others_file, sums)

    def _recall_others(self, folder: Path | None) -> None:
        self._others_file = folder and folder / OTHERS
        if self._others_file is not None and self._others_file.is_file():
            self._take_others(self._others_file.read_bytes())

    def _take_others(self, sums: bytes) -> None:
        self.others, self._words_of_others = (others := unpack_sums(sums)), {}
        for name in ("links", "judge") if others else ():
            parts = (others.pop(f"{name} {part}") for part in ("inside", "outside", "masses"))
            self._words_of_others[name] = Taught.of_sums(*parts)

    def mark(self, marks: Mapping[str, bool]) -> None:
        """Take pages that a person has marked, by URL, as sure; `revise` learns again."""
        if (sure := self._sure_pages | dict(marks)) != self._marks:
            self._marks = sure
            self._due = 0

    def questions(self, count: int) -> list[str]:
        """Return the pages a mark of which would tell most of those in doubt, the best first."""
        memory, pages = self.memory, len(self.memory)
        if not pages:
            return []
        learnt = self._learn(pages)
        # What is there in an older state as well is sure enough.
        sure = np.where(memory.is_current(pages), self._sure(pages), 0.0)
        traits = PageTraits.of_memory(memory, learnt.evidence)
        rows = questions(traits, learnt.relevance, sure, count)
        return [memory.urls.texts[memory.page_urls.values[row]] for row in rows]

    def weight_of(self, term: str) -> float:
        """Return the weight among the learnt words by which pages are judged."""
        return 0.0 if self.learnt is None else float(self.learnt.words.weights[word_number(term)])

    def judge(self, page: Page) -> Judgement:
        """Return the relevance of a page by labels, learnt words and in-links."""
        found, texts = self.look(page)
        vector, odds = self.vector(page), log_odds(found.relevance)
        self._seen = page, vector, odds, texts
        relevance = float(sigmoid(np.asarray(sum(part.value for part in self.parts(page, vector, odds, texts)))))
        return Judgement(relevance, found.concept, classes=found.classes)

    def look(self, page: Page) -> tuple[Judgement, LabelTexts]:
        """Return what labels say of a page, and what stands around them."""
        similarity = self.labels.for_page(page)
        assert isinstance(similarity, LabelSimilarity)
        relevance, concepts, uses = similarity.look(page)
        classes = tuple(map(concept_iri, concepts))
        judgement = Judgement(relevance, classes[0] if classes else None, classes=classes)
        return judgement, label_texts(page.words, uses, BY_WORD)

    def vector(self, page: Page) -> Vector:
        """Return the words of a page that tell most, with their weights."""
        return vector_of_text(page.words, self._background.of(page.reading_language))

    def parts(self, page: Page, vector: Vector, odds: float, texts: LabelTexts) -> list[ScoreFactor]:
        """Return what the log odds of a page are made of; ``odds`` are those by its labels, with their ``texts``."""
        learnt, url = self.learnt, page.url
        if url in self._marks:
            is_example = self._marks[url] and url in self._sure_pages
            why = "example of the topic" if is_example else "marked by hand"
            return [ScoreFactor(why, 30.0 if self._marks[url] else -30.0)]
        by_site = float(own_odds(odds, self.memory.share_of_site(url, texts))) - odds
        odds += by_site + self._given_by_lists(url, len(page.words.terms))
        if learnt is None:
            return [ScoreFactor("labels of the topic", _LABELS_ALONE * odds)]
        row = self.memory.row_of(url)
        if 0 <= row < learnt.pages:
            columns = learnt.labels, learnt.by_site, learnt.standards, learnt.linked
            odds, by_site, z, linked = (float(column[row]) for column in columns)
        else:
            z = learnt.words.standard(vector)
            linked = self._in_links.odds(self.memory.urls.numbers.get(url, -1), learnt.on_topic)
        parts = [
            ScoreFactor("constant", _CONSTANT),
            ScoreFactor("labels of the topic", LABELS_WEIGHT * (odds - by_site)),
            ScoreFactor("words learnt from the crawl", _WORDS * z),
            ScoreFactor("pages that link here", _IN_LINKS * linked),
        ]
        if by_site:
            parts.insert(2, ScoreFactor("labels that the whole site has", LABELS_WEIGHT * by_site))
        if learnt.marked is not None and learnt.by_marks is not None:
            if 0 <= row < learnt.pages:
                moved = float(learnt.by_marks[row])
            else:
                site = self.memory.hosts.numbers.get(host_of(url), -1)
                one = PageTraits.of_page(site, (odds, z, linked), vector)
                moved = float(learnt.marked.odds(one)[0])
            parts.append(ScoreFactor("pages marked by hand", moved))
        return parts

    def observe(self, page: Page, judgement: Judgement) -> None:
        """Remember a page that is about to be recorded."""
        seen = self._seen
        if seen is None or seen[0] is not page:
            self.judge(page)
            seen = self._seen
            assert seen is not None
        _, vector, odds, texts = seen
        links, is_list = self._anchors(page), self._is_list(page)
        if self._owns is not None:
            links = (link if self._is_own(link[0]) else _BLANK for link in links)
        length = len(page.words.terms)
        row = self.memory.add(page.url, vector, odds, links, is_list=is_list, length=length, labels=texts)
        self._said.extend([judgement.relevance])
        self._count(row)

    def _anchors(self, page: Page) -> Iterator[tuple[str, str]]:
        """Yield each link's target, and what is remembered of it.

        That is its anchor; a label, where the page says in RDF that what it leads to is about a
        concept of the topic; and its relation, where the page is an RDF document.
        """
        named = {
            iri.partition("#")[0]: f" {label}"
            for one in self._each_language
            for iri, label in one.named_things(page).items()
        }
        for link in page.links:
            more = named.get(link.url, "")
            if link.tag == "rdf" and link.rel:
                more += f"{RELATION}{link.rel[0]}"
            yield link.url, f"{link.anchor[:100]}{more}" if more else link.anchor

    def revise(self) -> Mapping[str, float]:
        """Learn where it is time, and return the relevances that have changed by it."""
        if self._own_pages >= self._due and len(self.memory):
            self._learn_up_to(self._last_round())
            if self.learnt is not None:
                self._news |= self._changes(self.learnt, _SAID_AGAIN)
        news, self._news = self._news, {}
        return news

    def finish(self) -> Mapping[str, float]:
        """Learn a last time, from all pages, and judge each by that."""
        if not len(self.memory):
            return {}
        if self.learnt is None or self.learnt.pages < len(self.memory):
            self.learnt = self._learn(len(self.memory))
        return self._changes(self.learnt, 0.0)

    def close(self) -> None:
        """Close the file."""
        self.memory.close()

    def in_short_text(self, text: str, words: Sequence[str] | None = None) -> LabelsFound:
        """Return the labels of the topic in a short text, in the language that has the heaviest.

        ``words``: those of the text in the topic's first language, where they are known.
        """
        first, *others = self._each_language
        found = first.in_short_text(text, words)
        for one in others:
            found = max(found, one.in_short_text(text), key=lambda labels: labels.best)
        return found

    def in_short_texts(self, texts: Sequence[str], read: ShortTexts) -> Array:
        """Return the same of many texts, a row each; ``read``: their words in the topic's first language."""
        first, *others = self._each_language
        found = np.zeros((len(texts), len(LabelsFound._fields)))
        for place in range(len(texts)) if others else first.may_have_labels(read):
            found[place] = self.in_short_text(texts[place], read.words_of(place))
        return found

    def _last_round(self) -> int:
        """Return how many pages are learnt from now: those of the last round, and marked ones.

        It follows from pages and marks alone, so that a resumed crawl learns from the same.
        """
        marked = max(map(self.memory.row_of, self._marks), default=-1)
        done = self._rounds.last(self._own_pages)
        return max(int(np.flatnonzero(self.memory.is_own.values)[done - 1]) + 1 if done else 0, marked + 1)

    @property
    def _rounds(self) -> Rounds:
        return LEARNS_AT if self._own_pages == len(self.memory) else _IN_SHARD

    @property
    def _own_pages(self) -> int:
        return int(np.count_nonzero(self.memory.is_own.values))

    def _learn_up_to(self, pages: int) -> None:
        """Learn from the first pages, and take in those that came after."""
        self.learnt = self._learn(pages) if pages else None
        self._due = self._rounds.after(self._rounds.last(self._own_pages))
        for row in range(pages, len(self.memory)):
            self._count(row)

    def _learn(self, pages: int) -> Learnt:
        """Learn from the first pages, starting from the labels; then judge these pages."""
        memory = self.memory
        pairs = memory.pairs(pages)
        lists = self._in_links.recount(memory, pages, pairs)
        labels = memory.topic_scores.values[:pages].astype(np.float64)
        sites = memory.domains(pages)
        of_site = memory.labels.learn(labels, sites, memory.is_current(pages), lambda row: memory.pages.row(row)[0])
        by_site = own_odds(labels, of_site) - labels
        labels += by_site
        by_lists = _by_lists(lists, memory.lengths.values[:pages])
        labels += by_lists
        sure, z = self._sure(pages), np.zeros(pages)
        leading = _unless_sure(sigmoid(leading_odds(labels, z, by_lists)), sure)
        relevance = by_labels = _unless_sure(sigmoid(text_odds(labels, z)), sure)
        words = link_words = LearntWords(self.own_names * np.float32(OWN_NAMES), 0.0, 1.0)
        own, known = memory.is_own.values[:pages], self.others.get("pages", _NONE)
        if pages + known[0] >= FEWEST and own.any():
            weight = np.where(sure >= 0, _MARKED, 1.0) * memory.is_current(pages)
            taught = self._taught(pages, "links")
            for _ in range(_ROUNDS):
                link_words, z, by_links = words_of(
                    memory, leading, leading, weight, by_labels, sites, taught, self.own_names, of_site
                )
                leading = _unless_sure(sigmoid(leading_odds(labels, z, by_lists)), sure)
            link_words = link_words.kept()
            relevance = _unless_sure(sigmoid(text_odds(labels, z)), sure)
            surest = (relevance / relevance[own].max()) ** _SURE
            taught = self._taught(pages, "judge")
            words, z, by_pages = words_of(memory, surest, relevance, weight, by_labels, sites, taught)
            words = words.kept()
            self._counted = {"links": by_links, "judge": by_pages}
        count, total = known + np.array([own.sum(), leading[own].sum()])
        on_topic = float(np.clip(total / max(count, 1.0), 0.02, 0.98))
        linked = self._in_links.all_odds(memory, pairs, relevance, on_topic)
        odds = _CONSTANT + LABELS_WEIGHT * labels + _WORDS * z + _IN_LINKS * linked
        self.leading_relevance = GrowingArray(np.float64, leading)
        learnt = Learnt(pages, words, link_words, on_topic, labels, by_site, z, linked, sigmoid(odds))
        return learnt if (sure < 0).all() else self._moved_by_marks(learnt, odds, sure)

    def _taught(self, pages: int, name: str) -> list[Taught]:
        """Return the words of other shards, and of examples that are not among the first pages."""
        found = [self._words_of_others[name]] if name in self._words_of_others else []
        known, texts = self._examples, self._examples.urls.texts
        if len(known):
            rows = [self.memory.row_of(texts[number]) for number in known.page_urls.values]
            shares = _MARKED * np.array([not 0 <= row < pages for row in rows], np.float64)
            words = known.pages.sum(shares, len(shares), known.scratch)
            found.append(Taught.of_sums(words, np.zeros_like(words), np.array([shares.sum(), 0.0])))
        return found

    def _moved_by_marks(self, learnt: Learnt, odds: Array, sure: Array) -> Learnt:
        traits = PageTraits.of_memory(self.memory, learnt.evidence)
        marked = MarkedPages.learn(traits, odds, sure)
        by_marks = marked.odds(traits)
        judged = _unless_sure(sigmoid(odds + by_marks), sure)
        return replace(learnt, relevance=judged, by_marks=by_marks, marked=marked)

    def _sure(self, pages: int) -> Array:
        """Return 1 or 0 for pages that were marked by hand, -1 for the others."""
        sure = np.full(pages, -1.0)
        for url, is_right in self._marks.items():
            row = self.memory.row_of(url)
            if 0 <= row < pages:
                sure[row] = float(is_right)
        return sure

    def _count(self, row: int) -> None:
        """Take in a page that came after the last round: its links count from now on."""
        memory, learnt = self.memory, self.learnt
        odds = float(memory.topic_scores.values[row])
        url = memory.urls.texts[memory.page_urls.values[row]]
        odds = float(own_odds(odds, memory.share_of_site(url, memory.labels.row(row))))
        by_lists = self._given_by_lists(url, int(memory.lengths.values[row]))
        has_words = bool(memory.is_own.values[row])
        z = learnt.link_words.standard(memory.pages.row(row)) if learnt and has_words else 0.0
        by_text = np.asarray(odds + by_lists), np.asarray(z)
        self.leading_relevance.extend([float(sigmoid(leading_odds(*by_text, np.asarray(by_lists))))])
        self._in_links.add(memory, row, float(sigmoid(text_odds(*by_text))))

    def _given_by_lists(self, url: str, length: int) -> float:
        return float(_by_lists(self._in_links.listed(self.memory.urls.numbers.get(url, -1)), length))

    def _is_list(self, page: Page) -> float:
        """Return how far a page is a list of the topic's things: named so, and half of its links in a list."""
        if self.in_short_text(page.title).best < _NAMES_TOPIC:
            return 0.0
        return max(2.0 * page.share_in_list() - 1.0, 0.0)

    def _changes(self, learnt: Learnt, least: float) -> dict[str, float]:
        said = self._said.values[: learnt.pages]
        new = np.round(learnt.relevance, 6)
        crossed = (new >= self.threshold) != (said >= self.threshold)
        changed = (np.abs(new - said) > least) | crossed
        changed &= self.memory.is_current(learnt.pages)
        said[changed] = new[changed]
        rows = np.flatnonzero(changed)
        urls = self.memory.page_urls.values[rows].tolist()
        texts = self.memory.urls.texts
        return dict(zip(map(texts.__getitem__, urls), new[rows].tolist(), strict=True))


class InLinks:
    """How many pages link to each URL, how relevant they are, and how far they are lists."""

    def __init__(self) -> None:
        self._counts = GrowingArray(np.int32)
        self._sums = GrowingArray(np.float64)
        self._lists = GrowingArray(np.float64)

    def add(self, memory: CrawlMemory, row: int, relevance: float) -> None:
        """Count the links of a page, each target once."""
        self._grow(len(memory.urls))
        targets = memory.targets_of(row)
        self._counts.values[targets] += 1
        self._sums.values[targets] += relevance
        self._lists.values[targets] += memory.lists.values[row]

    def recount(self, memory: CrawlMemory, pages: int, pairs: Pairs) -> Array:
        """Count the links of the first pages anew; return on what lists these pages stand."""
        sources, targets = pairs
        self._counts = GrowingArray(np.int32, np.bincount(targets, minlength=len(memory.urls)))
        self._lists = GrowingArray(np.float64, np.bincount(targets, memory.lists.values[sources], len(memory.urls)))
        numbers = memory.page_urls.values[:pages]
        return np.asarray(self._lists.values[numbers] / np.maximum(self._counts.values[numbers], 1))

    def all_odds(self, memory: CrawlMemory, pairs: Pairs, relevance: Array, on_topic: float) -> Array:
        """Return the log odds of the mean relevance of what links to each page."""
        sources, targets = pairs
        self._sums = GrowingArray(np.float64, np.bincount(targets, relevance[sources], len(memory.urls)))
        numbers = memory.page_urls.values[: len(relevance)]
        return mean_odds(self._sums.values[numbers], self._counts.values[numbers], on_topic)

    def odds(self, number: int, on_topic: float) -> float:
        """Return the same for a URL by its number, -1 for one that nothing links to."""
        return float(mean_odds(_at(self._sums, number), _at(self._counts, number), on_topic))

    def listed(self, number: int) -> float:
        """Return how far pages that link to a URL are lists of the topic's things, on average."""
        return _at(self._lists, number) / max(_at(self._counts, number), 1.0)

    def _grow(self, size: int) -> None:
        for column in (self._counts, self._sums, self._lists):
            column.extend(np.zeros(size - len(column)))


def _at(column: GrowingArray, number: int) -> float:
    return float(column.values[number]) if 0 <= number < len(column) else 0.0


def _unless_sure(relevance: Array, sure: Array) -> Array:
    """Return the relevance, but 1 or 0 of pages that are marked so; -1 stands for no mark."""
    return np.where(sure < 0, relevance, sure)


def _by_lists(lists: Array | float, lengths: NDArray[np.int32] | int) -> Array:
    """Return what a page's place on a list gives: much to a page that says nothing itself."""
    return np.asarray(_LISTED * lists * _SHORT / (_SHORT + lengths))


def mean_odds(sums: Array | float, counts: Array | float, on_topic: float) -> Array:
    """Return the log odds of mean relevances; two more that have the mean of all count in each."""
    mean = (sums + _EARLIER * on_topic) / (counts + _EARLIER)
    mean = np.minimum(np.maximum(mean, 1e-3), 1.0 - 1e-3)
    return np.asarray(np.log(mean / (1.0 - mean)))


class LearntSimilarity(TextSimilarity):
    """What the judge makes of texts: short ones by labels, pages by all that it knows."""

    def __init__(self, judge: AdaptiveJudge) -> None:
        self._judge = judge
        self.lens = judge.labels.lens

    @property
    def through_lens(self) -> TextSimilarity:
        """The similarity by labels."""
        return self._judge.labels

    def each_language(self) -> tuple[TextSimilarity, ...]:
        """Return the similarities by labels, of the topic's languages."""
        return self._judge.labels.each_language()

    def of_page(self, page: Page) -> float:
        """Return the relevance of a page."""
        return self._judge.judge(page).relevance

    def of_text(self, text: str) -> float:
        """Return the similarity of a short text, by labels."""
        return self._judge.labels.of_text(text)

    def explain(self, text: str) -> Explanation:
        """Return which labels of a short text gave how much."""
        return self._judge.labels.explain(text)

    def explain_page(self, page: Page) -> Explanation:
        """Return what labels, learnt words and in-links gave a page."""
        judge = self._judge
        by_labels = judge.labels.explain_page(page)
        vector = judge.vector(page)
        parts = judge.parts(page, vector, log_odds(by_labels.score), judge.look(page)[1])
        return replace(
            by_labels,
            similarity="adaptive",
            matches=(*by_labels.matches, *self._learnt_words(page, vector)),
            parts=tuple(parts),
        )

    def _learnt_words(self, page: Page, vector: Vector) -> Iterator[Match]:
        """Yield the words of a page that speak most for and against it, with their part."""
        learnt = self._judge.learnt
        if learnt is None:
            return
        words, (numbers, weights) = learnt.words, vector
        weight_of = dict(zip(numbers.tolist(), weights.tolist(), strict=True))
        told = []
        for term, count in page.terms.items():
            weight = weight_of.get(word_number(term), 0.0)
            value = weight * float(words.weights[word_number(term)]) / words.spread * _WORDS
            if value:
                told.append((value, term, count, weight))
        told.sort(key=lambda one: (-abs(one[0]), one[1]))
        forms = page.analyser.forms(page.text)
        for value, term, count, weight in told[:_SHOWN]:
            word = forms.get(term, [term])[0].lower()
            shown = word, None, "learnt", "learnt", 1.0, value / weight, 1.0, (), value, "learnt"
            yield Match((word,), count, weight, *shown)


_SHOWN = 20  # learnt words in an explanation
