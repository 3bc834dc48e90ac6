"""One run: a crawler is trained where it has to be, crawls for its topic, and is recorded."""

from __future__ import annotations

import os
import time
import traceback
from typing import TYPE_CHECKING

import msgspec

from semcrawl.crawl import Crawl
from semcrawl.errors import SemcrawlError
from semcrawl.lab.model_names import fill_in, fill_in_settings
from semcrawl.lab.oracle import find_oracle
from semcrawl.lab.record import RunRecord
from semcrawl.lab.records import RecordStore
from semcrawl.lab.site_runs import ALWAYS, classify_sites, crawl_pages_for_sites, crawl_sites
from semcrawl.lab.visit_log import VisitLog
from semcrawl.lab.web_back_links import WebBackLinks
from semcrawl.seeds import augment
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.lab.ground_truth import GroundTruth
    from semcrawl.lab.lab_web import LabWeb
    from semcrawl.lab.plan import RunPlan

__all__ = ["failed_run", "run_one"]


def run_one(plan: RunPlan, web: LabWeb, truth: GroundTruth, folder: Path) -> RunRecord:
    """Make a run.

    What goes wrong in it, be it a strategy's mistake, stands in the record's
    ``error`` and does not raise; the traceback of a mistake is kept beside the
    record, and the error names it.

    Args:
        plan: the run.
        web: the recorded web.
        truth: what training and oracles may see.
        folder: the lab's folder, for models and tracebacks.
    """
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
    return msgspec.structs.replace(_blank(plan), error=error)


def _blank(plan: RunPlan) -> RunRecord:
    return RunRecord(
        key=plan.key,
        contender=plan.contender.name or plan.contender.strategy,
        topic=plan.topic.name,
        repetition=plan.repetition,
        seeds=plan.seeds,
        left_out=plan.left_out,
    )


def _run(plan: RunPlan, web: LabWeb, truth: GroundTruth, folder: Path) -> RunRecord:
    plan, trained_on = _trained(plan, web, truth, folder)
    seeds = _seeds(plan, web)
    # Read before the clock runs: an ontology is read once in a process, by whoever comes first.
    topic = Topic.parse(plan.spec)
    log = VisitLog(web.replay)
    started, cpu = time.monotonic(), _cpu()
    match plan.contender.crawler:
        case "pages":
            _crawl_pages(plan, topic, web, truth, seeds, log)
        case "sites":
            crawl_sites(plan, topic, web, seeds, log)
        case "pages-for-sites":
            crawl_pages_for_sites(plan, topic, web, seeds, log)
        case "site-classifier":
            classify_sites(plan, topic, web, log)
    return msgspec.structs.replace(
        _blank(plan),
        seeds=seeds,
        visits=tuple(log.visits),
        sites=tuple(log.sites),
        concepts=log.concepts,
        requests=log.requests,
        stopped=log.stopped,
        trained_on=trained_on,
        cpu=round(_cpu() - cpu, 3),
        seconds=round(time.monotonic() - started, 3),
    )


def _cpu() -> float:
    """CPU of this process, and of those that were beside its crawls."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def _trained(
    plan: RunPlan, web: LabWeb, truth: GroundTruth, folder: Path
) -> tuple[RunPlan, tuple[str, ...]]:
    """The plan with the files of trained models in their places, and what they were trained on."""
    if not plan.models:
        return plan, ()
    from semcrawl.lab.models import train_model

    models = {
        model.name: train_model(model, plan, web, truth, folder / "models") for model in plan.models
    }
    paths = {name: str(model.path) for name, model in models.items()}
    contender = msgspec.structs.replace(
        plan.contender,
        strategy=fill_in(plan.contender.strategy, paths),
        judge=fill_in(plan.contender.judge, paths),
        # A contender without a name is called by its strategy as it is written.
        name=plan.contender.name or plan.contender.strategy,
    )
    topics = [model.topic for model in models.values() if model.topic]
    filled = msgspec.structs.replace(
        plan,
        contender=contender,
        spec=topics[0] if topics else plan.spec,
        settings=fill_in_settings(plan.settings, paths),
    )
    return filled, tuple(model.sentence for model in models.values())


def _seeds(plan: RunPlan, web: LabWeb) -> tuple[str, ...]:
    if plan.contender.seeds == "given":
        return plan.seeds
    hubs = augment(plan.seeds, WebBackLinks(web))
    return (*plan.seeds, *(hub.url for hub in hubs))


def _crawl_pages(
    plan: RunPlan,
    topic: Topic,
    web: LabWeb,
    truth: GroundTruth,
    seeds: tuple[str, ...],
    log: VisitLog,
) -> None:
    contender = plan.contender
    on_topic = truth.on_topic[plan.topic.name]
    targets = on_topic.difference(plan.left_out)
    oracle = find_oracle(contender.strategy, targets, on_topic, web.landing)
    with Crawl(
        topic,
        seeds,
        strategy=oracle or contender.strategy,
        judge=contender.judge,
        fetcher=log,
        reader=web.reader,
        **{
            **ALWAYS,
            "alarm_window": 0,
            **plan.settings,
            **web.settings(),
            "pages": plan.pages,
        },
    ) as crawl:
        for event in crawl.visits():
            log.take(event)
        log.add_concepts(crawl.graph)
