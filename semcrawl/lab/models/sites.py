"""A page classifier taught with whole sites (Ester 2004, section 4.3.1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.lab.models.lesson import many
from semcrawl.lab.models.options import site_options
from semcrawl.learning.training_pages import PageSource
from semcrawl.sites.model_file import save_site_model
from semcrawl.sites.sample import FIRST_PAGES, read_site
from semcrawl.sites.training import train_site_model
from semcrawl.sites.training_set import set_of_samples

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.lab.models.lesson import Lesson

__all__ = ["train_sites_model"]


def train_sites_model(lesson: Lesson, path: Path) -> str:
    """Train with the first pages of the sites that are left out of the count.

    Returns what it was trained on.

    Raises:
        SemcrawlError: there is too little to learn from.
    """
    sites = lesson.truth.site_lessons[lesson.place]
    source = PageSource(lesson.web.replay, reader=lesson.web.reader)
    most = lesson.plan.pages or FIRST_PAGES
    samples = {
        name: [read_site(url, source, most=most) for url in homepages]
        for name, homepages in (("relevant", sites.relevant), ("other", sites.other))
    }
    model = train_site_model(
        set_of_samples(samples), site_options(lesson.plan), topic=lesson.topic.name
    )
    save_site_model(model, path)
    return (
        f"{model.facts.classifier} from {many(sum(model.facts.pages), 'page')} of "
        f"{many(len(sites.relevant), 'site')} on {lesson.run.topic.name} and "
        f"{many(len(sites.other), 'other')}"
    )
