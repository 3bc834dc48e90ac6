"""Runs of crawlers for whole websites, and of what they are compared with (Ester 2004)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.lab.lab_web import LabWeb
    from semcrawl.lab.plan import RunPlan
    from semcrawl.lab.visit_log import VisitLog
    from semcrawl.topics import Topic

__all__ = ["ALWAYS", "classify_sites", "crawl_pages_for_sites", "crawl_sites"]

# A recording answers the same however often it is asked; and nobody looks for duplicates or
# alarms in a run, which would be paid for by every page.
ALWAYS: Mapping[str, Any] = {"sketches": False, "tries": 1, "workers": 1}
"""Settings of every crawl in the lab."""


def crawl_sites(
    plan: RunPlan, topic: Topic, web: LabWeb, seeds: tuple[str, ...], log: VisitLog
) -> None:
    """Let the two-level website crawler run."""
    from semcrawl.site_crawl import SiteCrawl

    with SiteCrawl(
        topic,
        seeds,
        fetcher=log,
        reader=web.reader,
        **{**ALWAYS, **plan.settings, **web.settings(), "pages": plan.pages},
    ) as crawl:
        for event in crawl.visits():
            log.take(event)


def crawl_pages_for_sites(
    plan: RunPlan, topic: Topic, web: LabWeb, seeds: tuple[str, ...], log: VisitLog
) -> None:
    """Let a page crawler run, and classify the sites of its pages afterwards."""
    from semcrawl.site_crawl import SiteSettings
    from semcrawl.site_crawl.classifying import find_classifier
    from semcrawl.site_crawl.rivals import crawl_pages_for_sites as crawl

    # Which sites there are and how they are classified is said as for the website crawler.
    names = SiteSettings.__struct_fields__
    of_sites = {name: value for name, value in plan.settings.items() if name in names}
    of_pages = {name: value for name, value in plan.settings.items() if name not in names}
    values = {**ALWAYS, "alarm_window": 0, **of_pages, **web.settings(), "pages": plan.pages}
    site_settings = SiteSettings().changed(of_sites)
    result = crawl(
        topic,
        seeds,
        find_classifier(topic, site_settings, values["background"]),
        site_by=site_settings.site_by,
        fetcher=log,
        listener=log.take,
        reader=web.reader,
        **values,
    )
    log.add_verdicts(result.verdicts, result.pages)


def classify_sites(plan: RunPlan, topic: Topic, web: LabWeb, log: VisitLog) -> None:
    """Classify every site of the web from its homepage on, whoever links to it.

    With ``pages_per_site`` 1 it is the homepage classifier of the paper, with
    more its internal crawler (section 5.2). No links are gathered.
    """
    from semcrawl.site_crawl.classifying import find_classifier
    from semcrawl.site_crawl.rivals import classify_site
    from semcrawl.site_crawl.settings import split_settings

    settings, _ = split_settings(plan.settings)
    classifier = find_classifier(topic, settings, web.settings()["background"])
    homepages = sorted({settings.naming.homepage_for(url) for url in web.urls()})
    verdicts = [classify_site(home, log, classifier, **plan.settings) for home in homepages]
    # The sites are given and not found: they count from the first page on.
    log.add_verdicts([one for one in verdicts if one.pages], 0)
