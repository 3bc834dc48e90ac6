"""An apprentice that has watched a crawl before its own (Chakrabarti et al. 2002, section 3.5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.crawl import Crawl
from semcrawl.crawl.settings import Settings
from semcrawl.judges import JUDGES
from semcrawl.lab.models.lesson import many
from semcrawl.lab.models.options import apprentice_options
from semcrawl.learning.apprentice_file import TrainedApprentice, save_apprentice
from semcrawl.learning.offline_apprentice import pages_of_crawl, train_offline
from semcrawl.learning.origin import judge_digest, topic_digest

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.lab.models.lesson import Lesson

__all__ = ["train_apprentice_model"]


def train_apprentice_model(lesson: Lesson, path: Path) -> str:
    """Train with the links of a crawl from the run's seeds, on the word of the run's judge.

    No label is seen. Its pages are pages of the web that is crawled then, and are counted
    there: returns what it was trained on, and says so.

    Raises:
        SemcrawlError: there is too little to learn from.
    """
    options, topic, web = apprentice_options(lesson.plan), lesson.topic, lesson.web
    shared = {k: v for k, v in lesson.run.settings.items() if k in Settings.__struct_fields__}
    values = shared | web.settings()
    values |= {"pages": lesson.plan.pages, "workers": 1, "sketches": False, "alarm_window": 0}
    judge = JUDGES.create(lesson.judge, topic=topic, background=web.background)
    with Crawl(
        topic,
        lesson.run.seeds,
        strategy=options.strategy,
        judge=lesson.judge,
        fetcher=web.replay,
        reader=web.reader,
        **values,
    ) as crawl:
        read = crawl.run().progress.pages
        pages = pages_of_crawl(crawl.graph, web.replay, read=web.page)
        model = train_offline(pages, topic, options.kinds, options.boundary)
    trained = TrainedApprentice(
        model,
        options.kinds,
        topic.name,
        type(judge).__name__,
        topic_digest(topic),
        judge_digest(judge),
        judge_spec=lesson.judge,
    )
    save_apprentice(trained, path)
    return (
        f"apprentice from {many(int(model.links.sum()), 'link')} between {many(read, 'page')} of "
        f"a {options.strategy} crawl, judged by {lesson.run.contender.judge}; it has read "
        f"{many(read, 'page')} of this web before, which are counted"
    )
