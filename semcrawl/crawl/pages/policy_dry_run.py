"""Trying a policy on a crawl: what it would change, without changing it."""

from pathlib import Path

from msgspec import Struct

from semcrawl.crawl.pages.state import SECOND_CHANCE
from semcrawl.crawl.pages.steering import MOST_ROWS, view_of
from semcrawl.crawl.settings import Settings
from semcrawl.errors import QueryError
from semcrawl.graph import SC, CrawlGraph, require_graph
from semcrawl.graph.snapshots import remove_snapshot
from semcrawl.graph.vocabulary import host_of_site
from semcrawl.steering import Policy, PolicyRow, RowForm, load_policy
from semcrawl.steering.jobs import SideProcess, run_policy


class TrialRow(Struct, frozen=True):
    """What would become of one URL or site: priorities, or factors of sites."""

    subject: str
    before: float | None  # None where the URL does not wait yet
    after: float | None  # None where it would be dropped


class Trial(Struct, frozen=True):
    """What a policy would do: the rows that change something, and how many do not."""

    policy: Policy
    rows: tuple[TrialRow, ...]
    ignored: int
    unread: int = 0  # without URL or number, a negative number, or too many


def try_policy(graph: CrawlGraph, spec: str, seconds: float = 60.0) -> Trial:
    """See what a policy would change, all pages new to it; QueryError if it fails or is slow."""
    require_graph(graph)
    policy = load_policy(spec)
    about = graph.describe()
    settings = Settings.from_json(about.settings)
    step = next(iter(graph.query("monitor/progress")))["pages"]
    context = {"across": settings.distill_across, "since": 0, "step": step, "threshold": about.threshold}
    # A graph that is open for reading only can be read from elsewhere as it is.
    stored = graph.store.path
    place = stored if stored and graph.store.is_read_only else graph.snapshot()
    try:
        with SideProcess(seconds, option="--seconds") as side:
            reply = run_policy(side, policy, str(place), context, MOST_ROWS, view_of(graph))
    finally:
        if place != stored:
            remove_snapshot(Path(place))
    # As when it steers: of several rows on one URL or site the last counts.
    rows = [_trial(graph, policy, row) for row in {row.subject: row for row in reply.rows}.values()]
    changing = tuple(row for row in rows if row is not None)
    return Trial(policy, changing, len(rows) - len(changing), reply.left_out)


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
        if policy.form is not RowForm.PRIORITY or row.value is None:
            return None
        enters = _would_enter(graph, row.subject, row.value)
        return TrialRow(row.subject, None, row.value) if enters else None
    after = row.value
    if policy.form is RowForm.FACTOR and after is not None:
        factor = graph.store.value(row.subject, SC + "factor") or 1.0
        after = round(before / factor * after, 6)
    return TrialRow(row.subject, before, after) if before != after else None


def _would_enter(graph: CrawlGraph, url: str, priority: float) -> bool:
    """Whether a page links to a URL that was neither visited nor given up for good."""
    dropped = (graph.store.value(url, SC + "droppedBecause") or "").removeprefix(SC)
    settled = any(graph.store.value(url, SC + name) for name in ("step", "redirectsTo"))
    if settled or (dropped and dropped not in SECOND_CHANCE):
        return False
    to_beat = graph.store.value(url, SC + "priorityToBeat")
    if to_beat is not None and priority <= to_beat:
        return False
    try:
        return bool(graph.query("frontier/shortest-way", url=url))
    except QueryError:
        return False


def _number(graph: CrawlGraph, subject: str, policy: Policy) -> float | None:
    name = "revisitPriority" if policy.revisits else "priority"
    if policy.form is RowForm.SITE_FACTOR:
        name = "factor"
    value = graph.store.value(subject, SC + name)
    return None if value is None else float(value)
