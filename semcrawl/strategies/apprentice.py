"""The apprentice: a crawler that learns from its own crawl which links are worth following.

It learns from what stands around a link (Chakrabarti, Punera, Subramanyam 2002).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

import numpy as np
from msgspec import Struct

from semcrawl.arrays import Bools, Floats
from semcrawl.errors import ConfigError
from semcrawl.models import apprentice
from semcrawl.models.learning_rounds import Rounds
from semcrawl.models.link_features import (
    ClassPaths,
    FeatureKinds,
    LinkFeatures,
    LinkPlaces,
    cocitation_features,
    page_features,
)
from semcrawl.models.link_memory import LinkMemory
from semcrawl.models.training_pages import read_page_set
from semcrawl.page import Page
from semcrawl.relevance import Judge
from semcrawl.strategies.best_first import relevance_as_priority
from semcrawl.strategies.strategy import JudgedPage, Learner
from semcrawl.topics import Topic

MEMORY = "links.bin"
MODEL = "apprentice.model"


class _Seen(Struct, frozen=True):
    page: Page
    inside: Bools  # which of its links may be followed
    features: LinkFeatures
    places: LinkPlaces

    def targets(self) -> list[str]:
        return [link.url for link, is_in in zip(self.page.links, self.inside, strict=True) if is_in]


@dataclass(eq=False, repr=False)
class Apprentice(Learner):
    """Learns from the links it followed which to follow next (Chakrabarti et al. 2002).

    Until it has learned something a link is as good as the page it stands on, as in soft focus.
    The judge says which classes are above others, and whether a model fits it.

    Raises ConfigError: options that cannot be, or a model that does not fit.
    """

    topic: Topic | None = None
    judge: Judge | None = None
    every: int = 200  # pages between two rounds of training; in a long crawl, every tenth more
    d_max: int = 5  # the farthest DOM offset whose words are looked at
    classes: bool = False  # whether the concepts that fit the page best, and those above them, are features
    cocitation: bool = False  # whether what is known of the links nearby is a feature
    boundary: float = -1.0  # the least relevance that is high; below 0, such that half of the links are
    model: str = ""  # a model file of ``semcrawl train apprentice`` to begin with
    online: bool = True  # whether to learn during the crawl
    within: str = ""  # a file of URLs or the folder of a crawl: no other pages are followed
    any_topic: bool = False  # whether a model of another topic or judge will do
    offsets: bool = True  # whether the same word at another DOM offset is another feature

    def __post_init__(self) -> None:
        _check(self.every, self.boundary, self.model, self.online)
        self._kinds = FeatureKinds(self.d_max, self.classes, self.cocitation, self.offsets)
        start = apprentice.load_apprentice(self.model) if self.model else None
        if start:
            known = (None, None) if self.any_topic else (self.topic, self.judge)
            start.require(self._kinds, *known)
        self._model = start.model if start else None
        self._start = self._model
        self._within = read_page_set(self.within) if self.within else None
        self._class_paths = ClassPaths(self.topic, self.judge)
        self._memory = LinkMemory(None, self._kinds, {})
        self._folder: Path | None = None
        self._rounds = Rounds(self.every)
        self._due = self._rounds.after(0)
        self._revised: dict[str, float] = {}
        self._seen: _Seen | None = None

    def begin(self, folder: Path | None, visited: Mapping[str, float]) -> None:
        """Take up what an earlier run has learned, as if it had never ended."""
        self._folder = folder
        self._memory = LinkMemory(folder / MEMORY if folder else None, self._kinds, visited)
        done = self._rounds.last(len(self._memory))
        is_trained = bool(done) and self.online and self._train(done)
        if is_trained and self._model and done == len(self._memory):
            # It may have ended before what this round found was written down.
            self._revised = apprentice.rescored(self._memory, self._model, self._kinds)
        self._due = self._rounds.after(done)

    def rank(self, judged: JudgedPage) -> Sequence[float | None]:
        """Return the probability that each target is of high relevance, as a priority."""
        self._seen = seen = self._look(judged)
        if self._model is None:
            # The baseline that it is compared with (Chakrabarti et al. 2002, section 2.1).
            baseline = relevance_as_priority(judged.relevance, judged.log_relevance)
            priorities = [baseline] * len(seen.features.sizes)
        else:
            priorities = apprentice.ordered_priority(self._log_odds(seen)).tolist()
        if self._within is None:
            return priorities
        ranked: list[float | None] = [None] * len(judged.page.links)
        for link, priority in zip(np.flatnonzero(seen.inside).tolist(), priorities, strict=True):
            ranked[link] = priority
        return ranked

    def observe(self, judged: JudgedPage) -> None:
        """Remember the page, and train when a round is due."""
        if not (self.online or self._kinds.cocitation):
            return
        seen = self._seen if self._seen and self._seen.page is judged.page else self._look(judged)
        self._memory.remember(
            judged.page.url, judged.relevance, seen.targets(), seen.features, seen.places, judged.found_on
        )
        if self.online and len(self._memory) >= self._due:
            self._due = self._rounds.after(len(self._memory))
            if self._train(len(self._memory)) and self._model:
                self._revised = apprentice.rescored(self._memory, self._model, self._kinds)

    def revise(self) -> Mapping[str, float]:
        """Return, after a round of training, the new priorities of all links that still wait."""
        revised, self._revised = self._revised, {}
        return revised

    def close(self) -> None:
        """Write what was learned as a model file for other crawls, and close the memory."""
        if self._folder and self.online and self._model:
            origin = apprentice.origin_of(self.topic, self.judge)
            trained = apprentice.TrainedApprentice(self._model, self._kinds, **origin)
            apprentice.save_apprentice(trained, self._folder / MODEL)
        self._memory.close()

    def _train(self, pages: int) -> bool:
        boundary = self.boundary if self.boundary >= 0 else None
        try:
            self._model = apprentice.train(self._memory, self._kinds, pages, boundary=boundary, start=self._start)
        except ConfigError:
            # Nothing to tell apart yet: the crawl goes on as before, until the next round.
            return False
        return True

    def _look(self, judged: JudgedPage) -> _Seen:
        page = judged.page
        inside = np.ones(len(page.links), np.bool_)
        if self._within is not None:
            inside = np.array([link.url in self._within for link in page.links], np.bool_)
        features, places = page_features(page, self._kinds, self._class_paths, judged.concept, *judged.classes)
        return _Seen(page, inside, features.chosen(inside), places[:, inside])

    def _log_odds(self, seen: _Seen) -> Floats:
        assert self._model is not None
        if not self._kinds.cocitation:
            return self._model.log_odds(seen.features)
        # URLs that are new have one number together, and no relevance to tell of.
        numbers = self._memory.numbers(seen.targets())
        found = self._memory.relevances()[numbers]
        nearby = cocitation_features(seen.places, numbers, found, self._model.boundary, self._kinds.d_max)
        return self._model.log_odds(seen.features, nearby)


def _check(every: int, boundary: float, model: str, online: bool) -> None:
    if every < 1:
        raise ConfigError(f"every={every} is no number of pages; use 1 or more, such as 200")
    if not isfinite(boundary) or boundary > 1:
        raise ConfigError(f"boundary={boundary:g} is no relevance; use 0 to 1, or leave it out for equal halves")
    if boundary >= 0 and model:
        raise ConfigError("a model brings its own boundary: leave boundary=… or model=… out")
    if not online and not model:
        raise ConfigError(
            "online=false leaves the apprentice nothing to go by: give it a model=FILE, made with "
            "'semcrawl train apprentice'"
        )
