"""The pages on browsing paths, as far as training may read them."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import TYPE_CHECKING

from semcrawl.errors import LabError
from semcrawl.lab.digests import file_digest
from semcrawl.learning.browsing import read_paths, urls_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.lab.models.lesson import Lesson
    from semcrawl.learning.browsing import BrowsingPath

__all__ = ["BrowsedPages", "browsed_pages"]

BrowsedPages = tuple[list["BrowsingPath"], "Mapping[str, Mapping[str, int]]"]
"""Paths, and the term counts of those of their pages that training reads."""


def browsed_pages(lesson: Lesson) -> BrowsedPages:
    """The paths of a model, and the terms of the pages that it may read.

    The pages on the topic that are to be found stay unread: a model that had seen them, and was
    told that they are no targets, would know better not to go there. Where the plan says how
    many pages may be read, the targets are among them and the rest is drawn.

    Raises:
        LabError: no training page of the topic is on a path.
        ConfigError: the file of paths cannot be read.
    """
    paths = _paths(lesson.plan.paths, file_digest(lesson.plan.paths))
    crawlable = lesson.web.urls()
    urls = [url for url in urls_of(paths) if url in crawlable and url not in lesson.held_out]
    targets = [url for url in urls if url in lesson.targets]
    if not targets:
        raise LabError(
            f"model {lesson.plan.name}: none of the {len(lesson.targets)} training pages of "
            f"{lesson.run.topic.name} is on a browsing path; raise training_share in [truth]"
        )
    most = lesson.plan.pages
    if 0 < most < len(urls):
        others = sorted(set(urls).difference(targets))
        drawn = Random(f"{lesson.plan.kind} {most}").sample(others, max(0, most - len(targets)))
        urls = [*targets[:most], *drawn]
    terms = {url: lesson.web.terms(url) for url in urls}
    return paths, {url: counts for url, counts in terms.items() if counts}


@lru_cache(maxsize=2)
def _paths(file: str, digest: str) -> list[BrowsingPath]:  # noqa: ARG001 - it is the key
    """Paths are the same for every topic, and reading fifty thousand takes ten seconds."""
    return read_paths(file)
