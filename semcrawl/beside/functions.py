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
    found: dict[str, TextSimilarity] = {}

    @lru_cache(maxsize=100_000)
    def similarity(text: str, judge: str = "") -> float | None:
        if judge not in found:
            found[judge] = _similarity(view(), judge)
        return round(float(found[judge].of_text(text)), 6)

    def or_error(*texts: str) -> float | None:
        # An error here is an error of the expression, as SPARQL has it: no value.
        try:
            return similarity(*texts) if 1 <= len(texts) <= 2 else None
        except SemcrawlError:
            return None

    return {SIMILARITY: or_error}


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
