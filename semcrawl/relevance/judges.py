"""Judges: the relevance of a fetched page. Most are a text similarity with a threshold.

The default is `LabelsJudge`; its formula is in :mod:`~semcrawl.relevance.label_similarity`,
those of the others in :mod:`~semcrawl.relevance.similarities`. The thresholds were chosen by the
mean F on a recorded encyclopedia; see docs/judges.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Protocol

import msgspec

from semcrawl.errors import ConfigError, told_as
from semcrawl.registry import Completed, Registry, require_members
from semcrawl.relevance import similarities
from semcrawl.relevance.label_similarity import LabelSimilarity
from semcrawl.text.background import Background
from semcrawl.topics.sources import concept_iri
from semcrawl.topics.topic import ConceptNote, Topic

if TYPE_CHECKING:
    from semcrawl.page import Page


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge says of a page: relevance in [0, 1], and the concept it fits best, as an IRI."""

    relevance: float
    concept: str | None = None
    log_relevance: float | None = None  # natural, where relevance may be too small for a float
    on_topic: bool | None = None  # the judge's own decision; None: by the crawl's threshold
    classes: tuple[str, ...] = ()  # the few that fit best, the best first, as IRIs


class Judge(Protocol):
    """What every judge must have; :func:`as_judge` adds the rest (:class:`BaseJudge`)."""

    threshold: float

    def judge(self, page: Page) -> Judgement:
        """Return the relevance of a page to the topic that the judge was built for."""
        ...


_Share = Annotated[float, msgspec.Meta(ge=0, le=1)]
_Count = Annotated[int, msgspec.Meta(ge=0)]


class PageEvidence(msgspec.Struct, array_like=True):
    """What another shard is told of a page: its relevance, and its links there."""

    relevance: _Share
    is_list: _Share  # how far it is a list of the topic's things
    count: _Count  # of all its links
    links: list[tuple[_Count, str, str]]  # place among them, target, anchor


class SharesLearning:
    """What a judge or a strategy of a shard shares with those of the other shards.

    Where the strategy ``shares`` it is asked, else the judge.
    """

    shares: ClassVar[bool] = False

    def begin_shard(self, owns: Callable[[str], bool]) -> None:
        """The crawl is a shard, which owns some URLs; told before `begin`."""

    def evidence(self, page: Page) -> PageEvidence | None:  # noqa: ARG002
        """Return what other shards must know of a page beside the priorities of its links."""
        return None

    def take_evidence(self, pages: Mapping[str, PageEvidence]) -> Mapping[str, float]:  # noqa: ARG002
        """Learn of pages of other shards, by URL; return priorities of their links, where they differ.

        To be told again changes nothing.
        """
        return {}

    def sums(self) -> bytes:
        """Return what was learnt from own pages, as sums (`pack_sums`)."""
        return b""

    def learn_from_others(self, sums: bytes) -> None:
        """Take the sums of all other shards, in place of what was known of them."""


class BaseJudge(SharesLearning):
    """Gives a fetched page its relevance (the papers' critic, classifier, similarity).

    ``threshold`` is the relevance from which on a page counts as relevant where the user gives none. ``similarity``
    compares texts as the judge does and explains its scores, if it can.

    A judge may learn from the pages of a crawl and judge them again. What it knows must survive
    the end of its process at any moment, in its folder; what it said last of earlier pages before
    that may be lost, and is said again after ``begin``.
    """

    threshold: float
    similarity: similarities.TextSimilarity | None = None
    learns: ClassVar[bool] = False  # else begin, observe, revise, finish and close are not called
    takes_examples: ClassVar[bool] = False  # whether `teach` is called, with a topic's examples

    def judge(self, page: Page) -> Judgement:
        """Return the relevance of a page to the topic that the judge was built for."""
        raise NotImplementedError

    def outline(self) -> list[ConceptNote] | None:
        """Return the concepts that pages are counted by, None for those of the topic."""
        return None

    def teach(self, examples: Mapping[str, Page]) -> None:
        """Take the example pages of the topic, by URL; before `begin`, of a new crawl only."""

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
        """Prepare; ``folder`` (None: in memory) is for its memory, ``visited`` relevance by URL."""

    def recall(self, folder: Path, visited: Mapping[str, float], *, has_ended: bool) -> None:
        """Take up what it has learnt in a crawl, to explain its judgements; nothing is written.

        ``has_ended``: it has had the last word there, by `finish`.
        """

    def mark(self, marks: Mapping[str, bool]) -> None:
        """Take the pages that a person has marked as right or wrong, all of them, by URL.

        Called before ``begin`` where there are marks, and when they change; ``revise`` follows.
        The crawl itself sees to it that the marked pages have the relevance 1 or 0.
        """

    def questions(self, count: int) -> Sequence[str]:  # noqa: ARG002
        """Return visited pages that a mark of would teach most, the best first; none by default."""
        return ()

    def weight_of(self, term: str) -> float:  # noqa: ARG002
        """Return how much a term speaks for the topic, as learnt; below 0: against it."""
        return 0.0

    def observe(self, page: Page, judgement: Judgement) -> None:
        """Learn from a page that was judged and is about to be recorded.

        So the memory of a judge may be ahead of the graph by a page, and is never behind. A page
        that has other content on another visit is told again.
        """

    def revise(self) -> Mapping[str, float]:
        """Return other relevances of visited pages, by URL; asked after every page, and at first.

        To write one down takes about 40 µs, so what has hardly changed may be left to `finish`. A page's concept stays.
        A judge that learns leaves ``on_topic`` and ``log_relevance`` of its judgements out, as they stay too.
        """
        return {}

    def finish(self) -> Mapping[str, float]:
        """Return the last word on visited pages, by URL; the crawl ends, and may be resumed."""
        return {}

    def close(self) -> None:
        """Close files; the crawl has ended."""


class _CompletedJudge(Completed, BaseJudge):
    def __init__(self, part: Any) -> None:
        super().__init__(part)
        self.threshold = part.threshold
        similarity = getattr(part, "similarity", None)
        self.similarity = similarity if isinstance(similarity, similarities.TextSimilarity) else None

    def judge(self, page: Page) -> Judgement:
        found = self._part.judge(page)
        wrong = f"the judge {type(self).__name__} gave {found!r} for {page.url}, which is no relevance"
        with told_as(ConfigError, wrong, TypeError, ValueError):
            return found if isinstance(found, Judgement) else Judgement(float(found))

    def outline(self) -> list[ConceptNote] | None:
        own = getattr(self._part, "outline", None)
        found: list[ConceptNote] | None = None if own is None else own()
        return found


def as_judge(part: Judge) -> BaseJudge:
    """Return a user's judge with defaults for what it lacks; ConfigError if it cannot judge."""
    if isinstance(part, BaseJudge):
        return part
    require_members("judge", part, ("judge", "threshold"))
    # Models are marked with the name of the judge's class: it stays the user's.
    completed: type[_CompletedJudge] = type(type(part).__name__, (_CompletedJudge,), {})
    return completed(part)


JUDGES = Registry("judge", "semcrawl.judges", frozenset({"topic", "background"}), as_judge)


def explaining(judge: Judge, name: str) -> similarities.TextSimilarity:
    """Return the similarity of a judge that can explain itself; else ConfigError names it."""
    similarity = as_judge(judge).similarity
    if similarity is None:
        raise ConfigError(f"the judge {name!r} cannot explain its scores: choose another judge")
    return similarity


class SimilarityJudge(BaseJudge):
    """Relevance is the similarity of the page's text to the topic."""

    similarity: similarities.TextSimilarity

    def judge(self, page: Page) -> Judgement:
        """Return the similarity of the page's text, and the concept that gives most of it."""
        value, best = self.similarity.for_page(page).judge(page)
        classes = tuple(map(concept_iri, best))
        return Judgement(value, classes[0] if classes else None, classes=classes)


@dataclass(eq=False, repr=False)
class LabelsJudge(SimilarityJudge):
    """Relevance by the labels of the topic and all that is narrower, in title, lead and text.

    ``related`` is what concepts weigh that belong to the topic by another relation than is-a,
    ``decay`` what each step down weighs.
    """

    threshold = 0.5
    similarity: similarities.TextSimilarity = field(init=False)

    topic: Topic
    background: Background | None = None
    related: float = 0.6
    decay: float = 1.0

    def __post_init__(self) -> None:
        build = partial(LabelSimilarity.of_topic, related=self.related, decay=self.decay)
        self.similarity = similarities.in_languages(self.topic, self.background, build)


class CosineJudge(SimilarityJudge):
    """Relevance is the cosine of the tf·idf vectors of page and topic (Batsakis 2007, eq. 2)."""

    threshold = 0.05

    def __init__(self, topic: Topic, background: Background) -> None:
        self.similarity = similarities.in_languages(topic, background, similarities.CosineSimilarity.of_topic)


class SynonymSetsJudge(SimilarityJudge):
    """Relevance is the cosine with the topic expanded by synonyms (Batsakis 2007, eq. 10)."""

    threshold = 0.05

    def __init__(self, topic: Topic, background: Background, senses: int = 1) -> None:
        build = partial(similarities.SynonymSimilarity, senses=senses)
        self.similarity = similarities.in_languages(topic, background, build)


@dataclass(eq=False, repr=False)
class LensJudge(SimilarityJudge):
    """A judge that knows concepts, by the similarity that ``by`` names; options as there."""

    by: ClassVar[str]
    similarity: similarities.TextSimilarity = field(init=False)

    topic: Topic
    background: Background | None = None
    measure: str = ""
    min_weight: float = -1.0
    senses: int = -1

    def __post_init__(self) -> None:
        self.similarity = similarities.similarity_named(
            self.by, self.topic, self.background, measure=self.measure, min_weight=self.min_weight, senses=self.senses
        )


@dataclass(eq=False, repr=False)
class SsrmJudge(LensJudge):
    """Relevance by SSRM's sum x over related terms, as x / (1 + x) (Batsakis 2007, eq. 9)."""

    by = "ssrm"
    threshold = 0.2
    measure: str = "li"


@dataclass(eq=False, repr=False)
class EhrigJudge(LensJudge):
    """Relevance by Ehrig's sum x over near concepts, as x / (1 + x) (Batsakis 2007, eq. 8)."""

    by = "ehrig"
    threshold = 0.3
    measure: str = "ehrig"


@dataclass(eq=False, repr=False)
class MihalceaJudge(LensJudge):
    """Relevance by how well page and topic cover each other (Corley, Mihalcea 2005)."""

    by = "mihalcea"
    threshold = 0.5
    measure: str = "wu-palmer"
