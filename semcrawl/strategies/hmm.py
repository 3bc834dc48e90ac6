"""Crawlers guided by browsing: a hidden Markov model, alone and with the similarity to targets."""

from collections.abc import Sequence
from functools import cached_property
from math import isfinite

import numpy as np

from semcrawl.arrays import Floats
from semcrawl.errors import ConfigError
from semcrawl.models.hmm import HmmModel, load_hmm, with_look_ahead
from semcrawl.models.training_pages import require_topic
from semcrawl.relevance.similarities import CosineSimilarity
from semcrawl.strategies.link_text import LinkText, TopicSimilarity
from semcrawl.strategies.strategy import JudgedPage, Learner
from semcrawl.topics import Topic

_MARK = "hmm "
_LEAST_EPSILON = 1e-6


class _Guided(Learner):
    """Follows the states along the path to a page; ``model`` is of the topic, or ``any_topic``."""

    _name = "hmm"

    def __init__(self, topic: Topic | None = None, model: str | HmmModel = "", any_topic: bool = False) -> None:
        if not model:
            raise ConfigError(
                f"the strategy {self._name} needs a model: write {self._name}:model=FILE; make "
                "one with 'semcrawl train hmm PATHS -o FILE'"
            )
        self._model = model if isinstance(model, HmmModel) else load_hmm(model)
        facts = self._model.facts
        if topic is not None and not any_topic:
            named = f"the model {model}" if isinstance(model, str) else "the model"
            require_topic(named, facts.topic, facts.topic_digest, topic)
        self._language = topic.language if topic is not None else "en"
        self._last: tuple[JudgedPage, Floats] | None = None

    def note(self, judged: JudgedPage) -> str:
        return _MARK + " ".join(f"{share:.6g}" for share in self._states(judged).tolist())

    def _states(self, judged: JudgedPage) -> Floats:
        if self._last is None or self._last[0] is not judged:
            terms = self._model.terms.read(judged.page.terms)
            before = _states_of(judged.memo, len(self._model.markov.initial))
            self._last = (judged, self._model.states(terms, before))
        return self._last[1]

    def _next_is_target(self, judged: JudgedPage, steps: int = 1) -> float:
        """Return the probability of a target so many links on (Batsakis 2007, eq. 6)."""
        return float(self._model.markov.ahead(self._states(judged), steps)[0])


class Hmm(_Guided):
    """The probability that the next page is a target, by the path so far (Batsakis 2007, eq. 5, 6).

    Among those closer than ``epsilon`` (0: none) that of a target two steps on decides.
    """

    def __init__(
        self, topic: Topic | None = None, model: str | HmmModel = "", epsilon: float = 0.001, any_topic: bool = False
    ) -> None:
        # A priority has six decimal places: smaller pieces could not be told apart.
        if not (epsilon == 0 or _LEAST_EPSILON <= epsilon < 1):
            raise ConfigError(f"epsilon must be 0, or {_LEAST_EPSILON:f} or more and less than 1, not {epsilon:g}")
        super().__init__(topic, model, any_topic)
        self._epsilon = epsilon

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """Return the same priority for every link of the page."""
        one, two = (self._next_is_target(judged, steps) for steps in (1, 2))
        return [with_look_ahead(one, two, self._epsilon)] * len(judged.page.links)


class HybridHmm(_Guided):
    """HMM and the page's likeness to targets: (cos(p, c_r) + hmm(p)) / 2 (Batsakis 2007, eq. 11).

    c_r is the centroid of the targets.
    """

    _name = "hybrid-hmm"
    _on = "page"

    @cached_property
    def _text(self) -> LinkText:
        centroid, background = self._model.centroid_terms(), self._model.background
        similarity = CosineSimilarity(centroid, background, self._language)
        return LinkText(self._on, TopicSimilarity(similarity))

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """Return a priority for each link, by its texts and the path to its page."""
        hmm = self._next_is_target(judged)
        return [(text + hmm) / 2 for text in self._text.similarities(judged)]


class HybridHmmAnchor(HybridHmm):
    """The hybrid with the anchor's likeness to targets, too (Batsakis 2007, eq. 12).

    priority = (hmm(p) + (cos(p, c_r) + cos(a, c_r)) / 2) / 2.
    """

    _name = "hybrid-hmm-anchor"
    _on = "page-anchor"


def _states_of(memo: str, states: int) -> Floats | None:
    """Return the states that a memo tells; None for a seed, or a memo of another strategy."""
    if not memo.startswith(_MARK):
        return None
    try:
        shares: Floats = np.array(memo.removeprefix(_MARK).split(), np.float64)
    except ValueError:
        return None
    total = float(shares.sum())
    if len(shares) != states or not (shares >= 0).all() or not (isfinite(total) and total > 0):
        return None
    return shares / total
