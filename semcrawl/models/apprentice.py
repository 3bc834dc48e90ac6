"""The apprentice: naive Bayes over links, its training before and in a crawl, its model file.

Chakrabarti, Punera and Subramanyam 2002, section 2.3: links with known targets are put into two
equally likely buckets, low and high, by the relevance of the target; the probability of the high
bucket is the prediction for a link whose target is not known yet.
"""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from math import isfinite, log
from pathlib import Path

import msgspec
import numpy as np
from numpy.typing import NDArray

from semcrawl.arrays import Floats
from semcrawl.errors import ConfigError
from semcrawl.graph import CrawlGraph
from semcrawl.model_files import ModelKind, open_model, write_model
from semcrawl.models.link_features import (
    SLOTS,
    ClassPaths,
    FeatureKinds,
    LinkFeatures,
    cocitation_features,
    page_features,
)
from semcrawl.models.link_memory import LinkMemory, RememberedPage
from semcrawl.models.naive_bayes import log_probabilities
from semcrawl.models.training_options import ApprenticeOptions
from semcrawl.models.training_pages import judge_digest, require_topic, topic_digest
from semcrawl.page import Page
from semcrawl.page.read import page_at
from semcrawl.relevance import Judge
from semcrawl.topics import Topic
from semcrawl.web import Replay


def equal_boundary(relevances: Floats) -> float | None:
    """Return the least relevance of the high bucket that makes the buckets as equal as possible.

    None where all relevances are the same (Chakrabarti et al. 2002, section 2.3).

    >>> equal_boundary(np.array([0.0, 0.0, 0.1, 0.7, 0.9]))
    0.1
    """
    values, counts = np.unique(relevances, return_counts=True)
    if len(values) < 2:
        return None
    below = np.cumsum(counts)[:-1]
    return float(values[1 + int(np.argmin(np.abs(2 * below - len(relevances))))])


def ordered_priority(log_odds: Floats) -> Floats:
    """Return priorities in (0, 1) in the order of Pr(high).

    Pr(high) itself is almost 0 or 1, and a priority has six decimal places; so it is
    (1 + z / (1 + |z|)) / 2 of the log-odds z, which has the same order and middle.

    >>> ordered_priority(np.array([-1.0, 0.0, 1.0, 99.0])).tolist()
    [0.25, 0.5, 0.75, 0.995]
    """
    return np.asarray(0.5 * (1.0 + log_odds / (1.0 + np.abs(log_odds))))


class ApprenticeModel:
    """Counts of features in links of the low (row 0) and of the high bucket (row 1)."""

    def __init__(self, boundary: float, smoothing: float = 1.0) -> None:
        if not isfinite(boundary):
            raise ConfigError(f"the boundary of high relevance must be a number, not {boundary}")
        if not (isfinite(smoothing) and smoothing > 0):
            raise ConfigError(f"the smoothing must be greater than 0, not {smoothing:g}")
        self.boundary = boundary  # the least relevance of a high target
        self.smoothing = smoothing
        self.counts = np.zeros((2, SLOTS), np.uint32)
        self.links = np.zeros(2, np.int64)
        self._weights: NDArray[np.float32] | None = None
        self._bias = 0.0

    def copy(self) -> "ApprenticeModel":
        """A model that can learn on while this one stays as it is."""
        twin = ApprenticeModel(self.boundary, self.smoothing)
        twin.counts, twin.links = self.counts.copy(), self.links.copy()
        return twin

    @property
    def has_both(self) -> bool:
        """Whether there are links in both buckets."""
        return bool(self.links.all())

    @property
    def vocabulary(self) -> int:
        """|T|: how many features were seen."""
        return int(np.count_nonzero(self.counts[0] | self.counts[1]))

    def add(self, relevance: Floats, *parts: LinkFeatures) -> None:
        """Learn from links by the relevances of their targets; features may come in parts."""
        high = relevance >= self.boundary
        for part in parts:
            of_high = np.repeat(high, part.sizes)
            np.add.at(self.counts[1], part.slots[of_high], 1)
            np.add.at(self.counts[0], part.slots[~of_high], 1)
        self.links += np.array([len(high) - high.sum(), high.sum()])
        self._weights = None

    def log_odds(self, *parts: LinkFeatures) -> Floats:
        """The log-odds of links, ln Pr(high) / Pr(low) (Chakrabarti et al. 2002, section 2.3).

        Pr(c|link) ∝ Pr(c) Π_τ θ(c,τ)^n(τ), θ(c,τ) = (1 + n(c,τ)) / (|T| + Σ_τ' n(c,τ')), where
        n(c,τ) counts feature τ in the links of bucket c and T are the features seen.
        """
        weights = self._compiled()
        odds = np.full(len(parts[0].sizes), self._bias)
        for part in parts:
            odds += np.bincount(part.owners(), weights[part.slots], len(odds))
        return odds

    def _compiled(self) -> NDArray[np.float32]:
        if self._weights is None:
            seen = np.flatnonzero(self.counts[0] | self.counts[1])
            self._weights = np.zeros(SLOTS, np.float32)
            if len(seen):
                counts = self.counts[:, seen].astype(np.float64)
                low, high = log_probabilities(counts, self.smoothing)
                self._weights[seen] = high - low
            self._bias = log(self.links[1] / self.links[0]) if self.has_both else 0.0
        return self._weights


MIN_LINKS = 50  # with both ends fetched; fewer teach nothing


def train(
    memory: LinkMemory,
    kinds: FeatureKinds,
    pages: int | None = None,
    *,
    boundary: float | None = None,
    start: ApprenticeModel | None = None,
) -> ApprenticeModel:
    """Learn from all links of the first ``pages`` pages whose both ends are fetched.

    Without a ``boundary`` the buckets are equally likely. A copy of ``start`` is trained further.
    Raises ConfigError: too few links, or all of one bucket.
    """
    relevance = memory.relevances(pages)
    model = start.copy() if start else _untrained(memory, relevance, pages, boundary)
    for page in memory.pages(pages):
        found = relevance[page.targets]
        fetched = ~np.isnan(found)
        if fetched.any():
            parts = _parts(page, relevance, model.boundary, kinds)
            model.add(found[fetched], *(part.chosen(fetched) for part in parts))
    if not model.has_both:
        raise ConfigError(
            f"all {int(model.links.sum())} links are {'high' if model.links[1] else 'low'} with "
            f"the boundary {model.boundary:g}: there is nothing to tell apart; take another "
            "boundary, or none"
        )
    return model


def rescored(memory: LinkMemory, model: ApprenticeModel, kinds: FeatureKinds) -> dict[str, float]:
    """The priorities of all remembered URLs that are not fetched; of several links the best."""
    relevance = memory.relevances()
    best = np.full(len(relevance), -np.inf)
    for page in memory.pages():
        waiting = np.isnan(relevance[page.targets])
        if waiting.any():
            parts = _parts(page, relevance, model.boundary, kinds)
            odds = model.log_odds(*(part.chosen(waiting) for part in parts))
            np.maximum.at(best, page.targets[waiting], odds)
    ranked = np.flatnonzero(best > -np.inf)
    priorities = ordered_priority(best[ranked]).tolist()
    return dict(zip(map(memory.url, ranked.tolist()), priorities, strict=True))


def _untrained(memory: LinkMemory, relevance: Floats, pages: int | None, boundary: float | None) -> ApprenticeModel:
    """Return the model to begin with, once it is clear that there is something to learn."""
    found = [relevance[page.targets] for page in memory.pages(pages)]
    targets = np.concatenate(found) if found else np.zeros(0)
    targets = targets[~np.isnan(targets)]
    if len(targets) < MIN_LINKS:
        raise ConfigError(
            f"there are {len(targets)} links with both ends fetched and judged, which is too few "
            f"to learn from: the apprentice needs {MIN_LINKS}; fetch more pages"
        )
    boundary = equal_boundary(targets) if boundary is None else boundary
    if boundary is None:
        raise ConfigError(
            f"all {len(targets)} links lead to pages of the same relevance, {targets[0]:g}: "
            "there is nothing to tell apart; take another topic, judge or web"
        )
    return ApprenticeModel(boundary)


def _parts(page: RememberedPage, relevance: Floats, boundary: float, kinds: FeatureKinds) -> tuple[LinkFeatures, ...]:
    if not kinds.cocitation:
        return (page.features,)
    found = relevance[page.targets]
    nearby = cocitation_features(page.places, page.targets, found, boundary, kinds.d_max)
    return page.features, nearby


class TrainedApprentice(msgspec.Struct, frozen=True):
    """A model with the topic and the judge that it was made for; "" is what is not known."""

    model: ApprenticeModel
    kinds: FeatureKinds
    topic: str
    judge: str  # its class
    topic_digest: str = ""
    judge_digest: str = ""
    judge_spec: str = ""  # its name with options

    def require(self, kinds: FeatureKinds, topic: Topic | None, judge: Judge | None) -> None:
        """Raise ConfigError if the model has other features, or is for another topic or judge."""
        if kinds != self.kinds:
            raise ConfigError(
                f"the model was trained with {self.kinds}, the crawl asks for {kinds}: "
                "give the strategy the options of the model"
            )
        if topic is not None:
            require_topic("the model", self.topic, self.topic_digest, topic)
        if judge is not None:
            self._require_judge(judge)

    def _require_judge(self, judge: Judge) -> None:
        ours, theirs = self.judge, type(judge).__name__
        if ours == theirs:
            seen = judge_digest(judge)
            if not (self.judge_digest and seen) or self.judge_digest == seen:
                return
            ours += f" with the digest {self.judge_digest}"
            theirs += f" with other options, and the digest {seen}"
        spec = f" ({self.judge_spec})" if self.judge_spec else ""
        raise ConfigError(
            f"the model was trained with the judge {ours}{spec}, this crawl has {theirs}: "
            "train one for it, or add any_topic=true to use it all the same"
        )


def origin_of(topic: Topic | None, judge: Judge | None) -> dict[str, str]:
    """Return what is noted of the topic and the judge that a model is made for."""
    return {
        "topic": topic.name if topic else "",
        "topic_digest": topic_digest(topic) if topic else "",
        "judge": type(judge).__name__ if judge else "",
        "judge_digest": judge_digest(judge) if judge else "",
    }


KIND = ModelKind("apprentice", "model of an apprentice", "semcrawl train apprentice SOURCE -o MODEL")
_ORIGIN = ("kinds", "topic", "judge", "topic_digest", "judge_digest", "judge_spec")


class _ApprenticeFacts(msgspec.Struct):
    slots: int
    topic: str
    judge: str
    topic_digest: str
    judge_digest: str
    judge_spec: str
    kinds: FeatureKinds
    boundary: float
    smoothing: float
    links: tuple[int, int]


def save_apprentice(trained: TrainedApprentice, path: str | Path) -> None:
    """Write a model file, whole or not at all; StoreError if it cannot be written."""
    model = trained.model
    seen = np.flatnonzero(model.counts[0] | model.counts[1]).astype(np.uint32)
    facts = _ApprenticeFacts(
        slots=SLOTS,
        boundary=model.boundary,
        smoothing=model.smoothing,
        links=(int(model.links[0]), int(model.links[1])),
        **{name: getattr(trained, name) for name in _ORIGIN},
    )
    write_model(path, KIND, facts, {"slots": seen, "counts": model.counts[:, seen]})


def load_apprentice(path: str | Path) -> TrainedApprentice:
    """Read a model file; ModelError if it is missing, damaged, or of another kind or version."""
    with open_model(path, KIND) as file:
        facts = file.facts(_ApprenticeFacts)
        if facts.slots != SLOTS:
            raise ValueError(f"its features have {facts.slots} slots, not {SLOTS}")
        slots, counts = file.array("slots", "u4"), file.array("counts", "u4", 2)
        if counts.shape != (2, len(slots)):
            raise ValueError("its arrays do not fit together")
        if len(slots) and (slots.max() >= SLOTS or not (np.diff(slots.astype(np.int64)) > 0).all()):
            raise ValueError("its slots are not in order")
        if min(facts.links) < 1:
            raise ValueError("it was not trained with low and high links")
        model = ApprenticeModel(facts.boundary, facts.smoothing)
        model.counts[:, slots] = counts
        model.links += np.array(facts.links)
        return TrainedApprentice(model, **{name: getattr(facts, name) for name in _ORIGIN})


_PAGES = """SELECT ?url ?relevance ?concept ?found_on WHERE {
  ?url sc:relevance ?relevance ; sc:step ?step .
  OPTIONAL { ?url sc:bestConcept ?concept }
  OPTIONAL { ?url sc:foundOn ?found_on }
} ORDER BY ?step"""


class ExamplePage(msgspec.Struct, frozen=True):
    """A judged page to learn from; ``found_on`` is what led or redirected to it."""

    page: Page
    relevance: float
    concept: str | None = None
    found_on: str | None = None
    classes: tuple[str, ...] = ()  # of a crawl only the best is recorded


def pages_of_crawl(
    graph: CrawlGraph,
    replay: Replay,
    each: Callable[[int], None] | None = None,
    read: Callable[[str], Page | None] | None = None,
    languages: tuple[str, ...] = ("en",),
) -> Iterator[ExamplePage]:
    """The pages of a crawl as it judged them, read again from a recorded web, or by ``read``.

    Pages that are not recorded are left out. ``each`` is called for every page with their number.
    Raises ConfigError: no page is recorded.
    """
    rows = list(graph.query(_PAGES))
    found = 0
    for row in rows:
        page = read(row["url"]) if read else page_at(replay, row["url"])
        if page is not None:
            found += 1
            page = page.read_in(languages)
            yield ExamplePage(page, row["relevance"], row["concept"], row["found_on"])
        if each is not None:
            each(len(rows))
    if not found:
        raise ConfigError(
            f"of the {len(rows)} pages of the crawl none is in the recorded web: give the web that it was made from"
        )


def pages_of_replay(
    replay: Replay, judge: Judge, each: Callable[[int], None] | None = None, languages: tuple[str, ...] = ("en",)
) -> Iterator[ExamplePage]:
    """All readable pages of a recorded web, judged; ``each`` as for `pages_of_crawl`."""
    urls = list(replay.urls())
    for url in urls:
        page = page_at(replay, url, languages=languages)
        if page is not None:
            judgement = judge.judge(page)
            yield ExamplePage(page, judgement.relevance, judgement.concept, classes=judgement.classes)
        if each is not None:
            each(len(urls))


def feature_kinds(options: ApprenticeOptions) -> FeatureKinds:
    """Return the features that are learned from; ConfigError if ``d_max`` is no DOM offset."""
    return FeatureKinds(options.d_max, options.classes, options.cocitation, options.offsets)


def train_offline(
    pages: Iterable[ExamplePage],
    topic: Topic,
    options: ApprenticeOptions,
    *,
    judge: Judge | None = None,
    judge_spec: str = "",
) -> TrainedApprentice:
    """Learn from all links between the judged pages (Chakrabarti et al. 2002, section 3.5).

    Where the ``judge`` is not at hand, the model is noted with ``judge_spec`` alone. Raises
    ConfigError: too few links, or all of one bucket.
    """
    kinds, classes = feature_kinds(options), ClassPaths(topic, judge)
    with (
        tempfile.TemporaryDirectory() as scratch,
        closing(LinkMemory(Path(scratch) / "links.bin", kinds, {})) as memory,
    ):
        for example in pages:
            _remember(memory, example, kinds, classes)
        model = train(memory, kinds, boundary=options.boundary)
    origin = origin_of(topic, judge) | ({} if judge else {"judge": judge_spec})
    return TrainedApprentice(model, kinds, judge_spec=judge_spec, **origin)


def _remember(memory: LinkMemory, example: ExamplePage, kinds: FeatureKinds, classes: ClassPaths) -> None:
    page = example.page
    found = page_features(page, kinds, classes, example.concept, *example.classes)
    memory.remember(page.url, example.relevance, [link.url for link in page.links], *found, example.found_on)
