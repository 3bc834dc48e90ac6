"""Trying a policy on a crawl: what it would change, without changing it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from semcrawl.beside.jobs import PolicyJob
from semcrawl.beside.process import SideProcess
from semcrawl.crawl.settings import Settings
from semcrawl.crawl.steering import MOST_ROWS
from semcrawl.crawl.viewing import view_of
from semcrawl.errors import QueryError
from semcrawl.graph import SC
from semcrawl.graph.snapshot import remove_snapshot
from semcrawl.graph.vocabulary import host_of_site
from semcrawl.policies import RowForm, load_policy

if TYPE_CHECKING:
    from semcrawl.graph import CrawlGraph
    from semcrawl.policies import Policy, PolicyRow

__all__ = ["Trial", "TrialRow", "try_policy"]


@dataclass(frozen=True, slots=True)
class TrialRow:
    """What would become of one URL or site.

    ``before`` and ``after`` are priorities; factors, where the rows name sites;
    ``after`` is None where the URL would be dropped, ``before`` where a page
    would be visited again that does not wait for it yet.
    """

    subject: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Trial:
    """What a policy would do: the rows that change something, and how many do not."""

    policy: Policy
    rows: tuple[TrialRow, ...]
    ignored: int


def try_policy(graph: CrawlGraph, spec: str, seconds: float = 60.0) -> Trial:
    """Run a policy on a crawl graph, and see what it would change.

    It runs as it would beside the crawl, in a process of its own, with the
    crawl's threshold and settings; ``since`` is 0, so that a policy which
    looks at new pages only sees them all.

    Raises:
        QueryError: no policy, or one that fails or takes longer than ``seconds``.
    """
    policy = load_policy(spec)
    about = graph.describe()
    settings = Settings.from_json(about.settings)
    pages = graph.query("monitor/progress", threshold=about.threshold)
    text = policy.text(
        {
            "across": settings.distill_across,
            "since": 0,
            "step": next(iter(pages))["pages"],
            "threshold": about.threshold,
        }
    )
    rows = [_trial(graph, policy, row) for row in _run(graph, policy, text, seconds)]
    changing = tuple(row for row in rows if row is not None)
    return Trial(policy, changing, len(rows) - len(changing))


def _run(graph: CrawlGraph, policy: Policy, text: str, seconds: float) -> list[PolicyRow]:
    # A graph that is open for reading only can be read from elsewhere as it is.
    stored = graph.store.path
    place = stored if stored and graph.store.is_read_only else graph.snapshot()
    side = SideProcess(seconds)
    try:
        job = PolicyJob(str(place), text, policy.form.name, MOST_ROWS, view_of(graph))
        side.start(job)
        reply = side.poll(wait=True)
    finally:
        side.close()
        if place != stored:
            remove_snapshot(Path(place))
    assert reply is not None
    if reply.error:
        raise QueryError(f"the policy {policy.name}: {reply.error}")
    return reply.rows


def _trial(graph: CrawlGraph, policy: Policy, row: PolicyRow) -> TrialRow | None:
    """What the row would change, None where it would change nothing."""
    before = _number(graph, row.subject, policy)
    if policy.form is RowForm.SITE_FACTOR:
        before = 1.0 if before is None else before
        known = host_of_site(row.subject) is not None
        return TrialRow(row.subject, before, row.value) if known and before != row.value else None
    if policy.revisits:
        is_page = graph.store.value(row.subject, SC + "step") is not None
        return TrialRow(row.subject, before, row.value) if is_page and before != row.value else None
    if before is None:
        return None
    after = row.value
    if policy.form is RowForm.FACTOR and after is not None:
        factor = graph.store.value(row.subject, SC + "factor") or 1.0
        after = round(before / factor * after, 6)
    return TrialRow(row.subject, before, after) if before != after else None


def _number(graph: CrawlGraph, subject: str, policy: Policy) -> float | None:
    name = "priority"
    if policy.form is RowForm.SITE_FACTOR:
        name = "factor"
    elif policy.revisits:
        name = "revisitPriority"
    value = graph.store.value(subject, SC + name)
    return None if value is None else float(value)
