"""The categories of the labels, taught with a few pages each (Chakrabarti 1999, section 3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import LabError
from semcrawl.lab.models.lesson import many
from semcrawl.lab.models.options import taxonomy_options
from semcrawl.taxonomy import CategoryTree, Taxonomy

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.lab.models.lesson import Lesson

__all__ = ["train_taxonomy_model"]


def train_taxonomy_model(lesson: Lesson, path: Path) -> str:
    """Train with the drawn pages of every category; those of the topic are marked good.

    Returns what it was trained on.

    Raises:
        SemcrawlError: there is too little to learn from.
    """
    samples = lesson.truth.samples[lesson.place]
    taxonomy = Taxonomy(CategoryTree("categories"), options=taxonomy_options(lesson.plan))
    prefixes = lesson.run.topic.on_topic or (lesson.run.topic.name,)
    good, pages = list[str](), 0
    for name, urls in samples.items():
        category = taxonomy.tree.add(name.replace("/", "_").replace(".", "/"))
        for url in urls:
            if terms := lesson.web.terms(url):
                pages += taxonomy.examples.add(url, category, terms)
        if name.startswith(prefixes):
            good.append(category)
    if not good:
        raise LabError(
            f"model {lesson.plan.name}: training may see no page of the categories of "
            f"{lesson.run.topic.name}; raise training_share in [truth]"
        )
    if len(samples) == len(good):
        raise LabError(
            f"model {lesson.plan.name}: every category that the truth knows is on "
            f"{lesson.run.topic.name}, and there is nothing to tell them from"
        )
    taxonomy.good = tuple(good)
    taxonomy.save(path)
    return (
        f"taxonomy of {len(samples)} categories, {len(good)} of them on "
        f"{lesson.run.topic.name}, from {many(pages, 'page')}"
    )
