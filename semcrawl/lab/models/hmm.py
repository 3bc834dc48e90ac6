"""A model of how people browse to a topic (Batsakis 2007, section 3.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import msgspec

from semcrawl.lab.models.browsed_pages import browsed_pages
from semcrawl.lab.models.lesson import many
from semcrawl.lab.models.options import hmm_options
from semcrawl.learning.hmm_file import save_hmm
from semcrawl.learning.hmm_training import train_hmm
from semcrawl.learning.origin import topic_digest

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.lab.models.lesson import Lesson

__all__ = ["train_hmm_model"]


def train_hmm_model(lesson: Lesson, path: Path) -> str:
    """Train with browsing paths, the training pages of the topic being the targets.

    Returns what it was trained on.

    Raises:
        SemcrawlError: there is too little to learn from.
    """
    paths, pages = browsed_pages(lesson)
    topic = lesson.topic
    model = train_hmm(
        paths,
        lesson.targets,
        pages,
        lesson.web.background,
        hmm_options(lesson.plan),
        topic=topic.name,
    )
    facts = msgspec.structs.replace(model.facts, topic_digest=topic_digest(topic))
    save_hmm(replace(model, facts=facts), path)
    clusters = f"{len(facts.cluster_sizes)} clusters by {facts.clustering}"
    return (
        f"hmm from {many(len(paths), 'path')} over {many(facts.pages, 'page')}, "
        f"{many(facts.state_sizes[0], 'training page')} of {lesson.run.topic.name} as targets, "
        f"{clusters}"
    )
