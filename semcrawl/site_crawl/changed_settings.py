"""What other settings on a resume mean for what waits, or was refused, under the old ones.

Patterns (``include``, ``exclude``) leave out what waits; limits that were
raised let sites wait again that were refused because of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semcrawl.crawl.settings import Settings
from semcrawl.graph import SC, Changes, FoundUrl
from semcrawl.graph.site_changes import site_reopened
from semcrawl.graph.vocabulary import host_of_site
from semcrawl.site_crawl.settings import StoredSiteSettings
from semcrawl.site_crawl.site_stop import SiteStop
from semcrawl.web.reasons import DropReason

if TYPE_CHECKING:
    from collections.abc import Mapping

    from semcrawl.graph import CrawlGraph
    from semcrawl.site_crawl.assembly import SiteMachine

__all__ = ["leave_out", "wait_again"]


def wait_again(
    graph: CrawlGraph, machine: SiteMachine, known: Mapping[str, dict[str, Any]]
) -> None:
    """Let sites wait that were closed unread for a reason that holds no more.

    ``known`` are the properties of sites by name, from which why and when they
    were closed is taken out, as from the graph.
    """
    changes = Changes()
    gone = _reasons_gone(graph, machine)
    for name, said in known.items():
        reason = said.get("siteStoppedBecause", "").removeprefix(SC)
        if reason == SiteStop.OUT_OF_SCOPE:
            is_gone = any(map(machine.sorter.allows, (said["homepage"], said["entryPage"])))
        else:
            is_gone = reason in gone
        if is_gone:
            site_reopened(changes, name, reason=reason, step=said["closedAtStep"])
            del said["siteStoppedBecause"], said["closedAtStep"]
    _plant_again(graph, machine, known, changes)
    graph.apply(changes)


def _reasons_gone(graph: CrawlGraph, machine: SiteMachine) -> set[SiteStop]:
    """The limits that are higher now than in the last run."""
    row = next(iter(graph.query("sites/site-settings")))
    per_domain = StoredSiteSettings.from_json(row["settings"]).sites_per_domain
    capacity = Settings.from_json(graph.describe().settings).frontier_size
    gone = set()
    now = machine.frontier.per_domain
    if per_domain and (now > per_domain or not now):
        gone.add(SiteStop.DOMAIN_LIMIT)
    if machine.frontier.capacity > capacity:
        gone.add(SiteStop.FRONTIER_FULL)
    return gone


def _plant_again(
    graph: CrawlGraph,
    machine: SiteMachine,
    known: Mapping[str, dict[str, Any]],
    changes: Changes,
) -> None:
    """The seeds of sites that wait wait with them, where the patterns allow it."""
    for row in graph.query("sites/idle-seeds"):
        name = host_of_site(row["site"]) or row["site"]
        said = known[name]
        if "openedAtStep" in said or "siteStoppedBecause" in said:
            continue
        if not machine.sorter.allows(row["url"]):
            continue
        if row["reason"]:
            changes.taken_back(row["url"], row["reason"].removeprefix(SC))
        changes.entered_again(FoundUrl(row["url"], name, 1.0, row["order"], row["depth"]))


def leave_out(graph: CrawlGraph, machine: SiteMachine) -> None:
    """Drop the URLs and close the sites that wait and that the patterns now leave out."""
    changes = Changes()
    for site in machine.director.open.values():
        for entry in list(site.waiting):
            if not machine.sorter.allows(entry.url):
                site.withdraw(entry.url)
                _drop(changes, machine, entry)
    for known in machine.frontier:
        for entry in known.starts:
            if not machine.sorter.allows(entry.url):
                _drop(changes, machine, entry)
        known.starts = [one for one in known.starts if machine.sorter.allows(one.url)]
        if not machine.director.may_open(known):
            machine.frontier.settle(known.name, known.homepage, was_read=False)
            machine.director.close_unread(changes, known, SiteStop.OUT_OF_SCOPE)
    machine.director.give_up_worst(changes)
    graph.apply(changes)


def _drop(changes: Changes, machine: SiteMachine, entry: FoundUrl) -> None:
    machine.progress.dropped[DropReason.OUT_OF_SCOPE] += 1
    changes.left_frontier(entry)
    changes.dropped(entry.url, DropReason.OUT_OF_SCOPE)
