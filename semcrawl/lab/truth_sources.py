"""Where the truth comes from: tables, a judge, or the demo web itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.crawl.scope import Scope
from semcrawl.lab.truth_tables import TruthTable, read_judged, read_labels, read_targets

if TYPE_CHECKING:
    from collections.abc import Sequence

    from semcrawl.lab.experiment import Experiment
    from semcrawl.lab.lab_web import LabWeb

__all__ = ["labelled_pages"]

_SHOWN = 3


def labelled_pages(experiment: Experiment, web: LabWeb) -> tuple[TruthTable, list[str]]:
    """The categories of the pages that can be crawled, and what a reader must know of them.

    With labels they are categories of the labels; else the names of topics, those of the demo
    web's own included.

    Raises:
        LabError: a table cannot be read.
    """
    truth = experiment.truth
    if truth.demo:
        return TruthTable(_of_demo(web)), []
    if truth.judge:
        return TruthTable(_of_judge(experiment, web)), []
    if truth.labels:
        table = read_labels(truth.labels, truth.kinds)
    else:
        table = read_judged(truth.judged) if truth.judged else read_targets(truth.targets)
    warnings = _strangers(experiment, table, web)
    pages = web.urls()
    known = {url: names for url, names in table.categories.items() if url in pages}
    return TruthTable(known, table.kinds), warnings


def _strangers(experiment: Experiment, table: TruthTable, web: LabWeb) -> list[str]:
    """What the table says of pages that are not there, or does not say."""
    scope, pages = Scope(experiment.web.include, experiment.web.exclude), web.urls()
    unknown = [url for url in table.categories if url not in pages and scope.allows(url)]
    warnings = []
    if unknown:
        what = "is about a page that is" if len(unknown) == 1 else "are about pages that are"
        warnings.append(
            f"{len(unknown):,} of {len(table.categories):,} labels {what} not in the recorded "
            f"web: {_some(unknown)}"
        )
    if table.no_urls:
        have = "label has" if len(table.no_urls) == 1 else "labels have"
        warnings.append(f"{len(table.no_urls):,} {have} no URL: {_some(table.no_urls)}")
    there = ", ".join(sorted(table.kinds))
    absent = [kind for kind in experiment.truth.kinds if there and kind not in table.kinds]
    warnings += [f"no labelled page is of the kind {kind!r}; there are: {there}" for kind in absent]
    return warnings


def _of_demo(web: LabWeb) -> dict[str, tuple[str, ...]]:
    from semcrawl.demo import demo_web

    found = {url: list[str]() for url in sorted(web.urls())}
    for name, topic in demo_web().topics.items():
        for url in topic.pages & found.keys():
            found[url].append(name)
    return {url: tuple(names) for url, names in found.items()}


def _of_judge(experiment: Experiment, web: LabWeb) -> dict[str, tuple[str, ...]]:
    from semcrawl.judges import JUDGES
    from semcrawl.topics import Topic

    judges = {
        topic.name: JUDGES.create(
            experiment.truth.judge, topic=Topic.parse(topic.topic), background=web.background
        )
        for topic in experiment.topic
    }
    found: dict[str, tuple[str, ...]] = {}
    for url in sorted(web.urls()):
        page = web.page(url)
        if page is None:
            continue
        names = []
        for name, judge in judges.items():
            said = judge.judge(page)
            reached = said.relevance >= judge.threshold
            names += [name] if (reached if said.on_topic is None else said.on_topic) else []
        found[url] = tuple(names)
    return found


def _some(urls: Sequence[str]) -> str:
    return ", ".join(urls[:_SHOWN]) + (", …" if len(urls) > _SHOWN else "")
