"""One run: a crawler is trained where it has to be, crawls for its topic, and is recorded."""

import os
import time
import traceback
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from semcrawl.crawl import Crawl
from semcrawl.crawl.events import CrawlStopped, Event, PageVisited
from semcrawl.crawl.sites import SiteCrawl, SiteSettings
from semcrawl.crawl.sites.progress import SiteClosed, SiteEvent
from semcrawl.crawl.sites.rivals import SiteVerdict, classify_site, crawl_pages_for_sites
from semcrawl.crawl.sites.settings import apart, find_classifier, split_settings
from semcrawl.errors import LabError, SemcrawlError
from semcrawl.graph import SC, CrawlGraph
from semcrawl.lab.experiment import each_text, fill_in
from semcrawl.lab.ground_truth import GroundTruth
from semcrawl.lab.plan import RunPlan
from semcrawl.lab.records import FoundSite, RecordStore, RunRecord, Visit
from semcrawl.lab.web import LabWeb
from semcrawl.registry import split_spec
from semcrawl.steering.seeds import find_seeds
from semcrawl.strategies import JudgedPage, Strategy
from semcrawl.topics import Topic
from semcrawl.web import Fetcher, Response

# Settings of every crawl in the lab: a recording answers the same however often it is asked.
ALWAYS: Mapping[str, Any] = {"sketches": False, "tries": 1, "workers": 1}


class VisitLog:
    """What a run leaves behind, by listening to its crawl and standing before its fetcher."""

    def __init__(self, fetcher: Fetcher) -> None:
        self.visits: list[Visit] = []
        self.sites: list[FoundSite] = []
        self.concepts: tuple[str, ...] = ()
        self.requests = 0
        self.stopped = ""
        self._fetcher = fetcher
        self._bytes = 0

    def fetch(self, url: str, *, headers: Mapping[str, str] | None = None, want_any: bool = False) -> Response:
        """Return the answer of the fetcher behind, and count the request."""
        self.requests += 1
        return self._fetcher.fetch(url, headers=headers, want_any=want_any)

    def close(self) -> None:
        """Do nothing: the fetcher serves other runs."""

    def take(self, event: Event | SiteEvent) -> None:
        """Note what happened in the crawl."""
        if isinstance(event, PageVisited):
            # The crawl counts bytes; what a page adds to them is its size.
            size = event.progress.bytes - self._bytes
            self._bytes = event.progress.bytes
            self.visits.append(Visit(event.url, event.relevance, event.priority, event.depth, size))
        elif isinstance(event, SiteClosed):
            if event.confidence is not None:
                after = event.progress.pages
                self.sites.append(FoundSite(event.site, event.confidence, event.is_relevant, event.pages, after))
        elif isinstance(event, CrawlStopped):
            self.stopped = event.reason.value

    def add_concepts(self, graph: CrawlGraph) -> None:
        """Add the concepts that the judge gave to pages, which stand in the crawl graph."""
        value = graph.store.value
        found = [value(visit.url, SC + "bestConcept") or "" for visit in self.visits]
        if any(found):
            pairs = zip(self.visits, found, strict=True)
            self.visits = [msgspec.structs.replace(visit, concept=name) for visit, name in pairs]
            self.concepts = tuple(dict.fromkeys(row["concept"] for row in graph.query("serve/concept-tree")))

    def add_verdicts(self, verdicts: Iterable[SiteVerdict], after: int) -> None:
        """Add sites that were classified when so many pages were fetched."""
        self.sites += [FoundSite(one.site, one.probability, one.is_relevant, one.pages, after) for one in verdicts]


def run_one(plan: RunPlan, web: LabWeb, truth: GroundTruth, folder: Path) -> RunRecord:
    """Make a run; what goes wrong stands in the record's ``error``. ``folder`` is the lab's."""
    try:
        return _run(plan, web, truth, folder)
    except SemcrawlError as error:
        return failed_run(plan, str(error))
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a user's strategy may fail in any way
        what = f"{type(error).__name__}: {error}"
        trace = RecordStore(folder / "runs").put_trace(plan.key, traceback.format_exc())
        where = f"; traceback in runs/{trace.name} of the lab" if trace else ""
        return failed_run(plan, what + where)


def failed_run(plan: RunPlan, error: str) -> RunRecord:
    """The record of a run that came to nothing."""
    return RunRecord(key=plan.key, seeds=plan.seeds, error=error, **plan.names)


def _run(plan: RunPlan, web: LabWeb, truth: GroundTruth, folder: Path) -> RunRecord:
    plan, trained_on = _trained(plan, web, truth, folder)
    seeds = plan.seeds
    if plan.contender.seeds == "augmented":
        seeds += tuple(hub.url for hub in find_seeds(seeds, web))
    # Read before the clock runs: an ontology is read once in a process, by whoever comes first.
    topic = Topic.parse(plan.spec)
    log = VisitLog(web.replay)
    started, cpu = time.monotonic(), _cpu()
    crawl = _CRAWLERS[plan.contender.crawler]
    crawl(_Start(plan, topic, web, truth, seeds), log)
    return RunRecord(
        key=plan.key,
        seeds=seeds,
        visits=tuple(log.visits),
        sites=tuple(log.sites),
        concepts=log.concepts,
        requests=log.requests,
        stopped=log.stopped,
        trained_on=trained_on,
        cpu=round(_cpu() - cpu, 3),
        seconds=round(time.monotonic() - started, 3),
        **plan.names,
    )


def _cpu() -> float:
    """CPU of this process, and of those that were beside its crawls."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _trained(plan: RunPlan, web: LabWeb, truth: GroundTruth, folder: Path) -> tuple[RunPlan, tuple[str, ...]]:
    if not plan.models:
        return plan, ()
    from semcrawl.lab.training import train_model

    models = {model.name: train_model(model, plan, web, truth, folder / "models") for model in plan.models}
    paths = {name: str(model.path) for name, model in models.items()}
    contender = msgspec.structs.replace(
        plan.contender, strategy=fill_in(plan.contender.strategy, paths), judge=fill_in(plan.contender.judge, paths)
    )
    filled = msgspec.structs.replace(
        plan, contender=contender, settings=each_text(plan.settings, lambda text: fill_in(text, paths))
    )
    return filled, tuple(model.sentence for model in models.values())


class _Start(msgspec.Struct, frozen=True):
    plan: RunPlan
    topic: Topic
    web: LabWeb
    truth: GroundTruth
    seeds: tuple[str, ...]

    def settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        return {**ALWAYS, **settings, **self.web.settings(), "pages": self.plan.pages}


def _crawl_pages(start: _Start, log: VisitLog) -> None:
    plan, web = start.plan, start.web
    on_topic = start.truth.on_topic[plan.topic.name]
    targets = on_topic.difference(plan.left_out)
    oracle = find_oracle(plan.contender.strategy, targets, on_topic, web.landing)
    with Crawl(
        start.topic,
        start.seeds,
        strategy=oracle or plan.contender.strategy,
        judge=plan.contender.judge,
        fetcher=log,
        reader=web.pages.read,
        **start.settings({"alarm_window": 0, **plan.settings}),
    ) as crawl:
        for event in crawl.visits():
            log.take(event)
        log.add_concepts(crawl.graph)


def _crawl_sites(start: _Start, log: VisitLog) -> None:
    settings = start.settings(start.plan.settings)
    with SiteCrawl(start.topic, start.seeds, fetcher=log, reader=start.web.pages.read, **settings) as crawl:
        for event in crawl.visits():
            log.take(event)


def _crawl_pages_for_sites(start: _Start, log: VisitLog) -> None:
    # Which sites there are and how they are classified is said as for the website crawler.
    of_sites, of_pages = apart(start.plan.settings)
    site_settings = SiteSettings().changed(of_sites)
    values = start.settings({"alarm_window": 0, **of_pages})
    result = crawl_pages_for_sites(
        start.topic,
        start.seeds,
        find_classifier(start.topic, site_settings, values["background"]),
        site_by=site_settings.site_by,
        fetcher=log,
        listener=log.take,
        reader=start.web.pages.read,
        **values,
    )
    for after, verdict in result.changes:
        log.add_verdicts([verdict], after)


def _classify_sites(start: _Start, log: VisitLog) -> None:
    """Classify every site of the web from its homepage on (Ester 2004, section 5.2)."""
    given, web = start.plan.settings, start.web
    settings, _ = split_settings(given)
    classifier = find_classifier(start.topic, settings, web.settings()["background"])
    homepages = sorted({settings.naming.homepage_for(url) for url in web.urls})
    verdicts = [classify_site(home, log, classifier, **given) for home in homepages]
    # The sites are given and not found: they count from the first page on.
    log.add_verdicts([one for one in verdicts if one.pages], 0)


_CRAWLERS: Mapping[str, Callable[[_Start, VisitLog], None]] = {
    "pages": _crawl_pages,
    "sites": _crawl_sites,
    "pages-for-sites": _crawl_pages_for_sites,
    "site-classifier": _classify_sites,
}


class Oracle(msgspec.Struct):
    """Prefers links to ``targets``, then links on pages on topic; ``landing`` follows redirects."""

    targets: Collection[str]
    on_topic: Collection[str] = ()
    landing: Callable[[str], str] = str
    batch: int = 1

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """1 for a link to a target, 0.5 for another on a page on topic, else 0."""
        url, landing = judged.page.url, self.landing
        other = 0.5 if url in self.targets or url in self.on_topic else 0.0
        return [1.0 if landing(link.url) in self.targets else other for link in judged.page.links]


class SourceOracle(msgspec.Struct):
    """Prefers links on pages on topic; a page off topic halves what it was picked with."""

    on_topic: Collection[str]
    batch: int = 1

    def rank(self, judged: JudgedPage) -> Sequence[float]:
        """1 for the links of a page on topic, else half of the page's own priority."""
        priority = 1.0 if judged.page.url in self.on_topic else judged.fetch_priority / 2
        return [priority] * len(judged.page.links)


def find_oracle(
    spec: str, targets: Collection[str], on_topic: Collection[str], landing: Callable[[str], str] = str
) -> Strategy | None:
    """The oracle that a spec names, None where it names another strategy."""
    name, options = split_spec(spec)
    if name != "oracle":
        return None
    sees = options.pop("sees", "targets")
    if options or sees not in ("targets", "sources"):
        raise LabError(f"{spec!r} is no oracle: write oracle, or oracle:sees=sources")
    return SourceOracle(on_topic) if sees == "sources" else Oracle(targets, on_topic, landing)
