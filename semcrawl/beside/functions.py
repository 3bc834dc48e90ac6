"""Functions that queries over a crawl graph can call: ``sc:similarity(?text)``."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec

from semcrawl.errors import SemcrawlError
from semcrawl.graph import SC

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from semcrawl.similarity.text_similarity import TextSimilarity

__all__ = ["SIMILARITY", "View", "query_functions"]

SIMILARITY = SC + "similarity"
FALLBACK = "ssrm"
"""The judge whose similarity is taken where the crawl's own has none."""


class View(msgspec.Struct, frozen=True):
    """How a crawl looks at texts: its topic (TOML), judge and background, as its settings say."""

    topic: str
    judge: str
    background: str = ""


def query_functions(view: Callable[[], View]) -> Mapping[str, Callable[..., float | None]]:
    """The functions by IRI; ``view`` is asked for when a query first calls one.

    ``sc:similarity(text)`` is the similarity of a text to the crawl's topic, as
    the crawl's judge sees it; ``sc:similarity(text, judge)`` as another judge
    does, such as ``"ssrm:measure=resnik"``.
    """
    return {SIMILARITY: _Similarity(view)}


class _Similarity:
    """``sc:similarity``; ``problem`` says what was wrong with a call, for who asked the query."""

    def __init__(self, view: Callable[[], View]) -> None:
        self.problem = ""
        self._view = view
        self._found: dict[str, TextSimilarity] = {}
        self._cached = lru_cache(maxsize=100_000)(self._compute)

    def __call__(self, *texts: str) -> float | None:
        if not 1 <= len(texts) <= 2:
            self.problem = "sc:similarity takes a text, and a judge if you like"
            return None
        try:
            return self._cached(*texts)
        except SemcrawlError as error:
            self.problem = f"sc:similarity: {error}"
            return None

    def _compute(self, text: str, judge: str = "") -> float:
        if judge not in self._found:
            self._found[judge] = _similarity(self._view(), judge)
        return round(float(self._found[judge].of_text(text)), 6)


def _similarity(view: View, judge: str) -> TextSimilarity:
    # Imported here: few queries call for a lens, and these bring much along.
    from semcrawl.judges import JUDGES
    from semcrawl.page.background import find_background
    from semcrawl.topics import Topic

    topic, background = Topic.from_toml(view.topic), find_background(view.background)
    try:
        made = JUDGES.create(judge or view.judge, topic=topic, background=background)
    except SemcrawlError:
        if judge:
            raise
        # The crawl's judge was an object of the user's.
        made = JUDGES.create(FALLBACK, topic=topic, background=background)
    if not hasattr(getattr(made, "similarity", None), "of_text"):
        made = JUDGES.create(FALLBACK, topic=topic, background=background)
    similarity: TextSimilarity = made.similarity
    return similarity
