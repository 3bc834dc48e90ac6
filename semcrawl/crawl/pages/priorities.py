"""Changing priorities of waiting URLs: as policies say, or as a strategy has learnt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import prod

from semcrawl.crawl.pages.intake import Intake
from semcrawl.crawl.pages.revisits import Revisits
from semcrawl.crawl.pages.state import PageState
from semcrawl.errors import QueryError
from semcrawl.graph import Changes, FoundUrl
from semcrawl.graph.vocabulary import host_of_site, site_iri
from semcrawl.steering import Policy, PolicyRow, RowForm
from semcrawl.steering.policies import MOST_PRIORITY
from semcrawl.web.response import DropReason

_CHUNK = 1000  # rows in one transaction, so that readers and visits need not wait for thousands
_WITHIN = 2000  # pages within which all priorities are written that were put off
_FEW = 1000  # new priorities that are written at once
_BEST = 100  # of more, so many of the best: a strategy says all again after a kill
_NOTICEABLE = 0.002
"""The share by which a learnt priority must differ to be written down: most hardly move."""


BELOW_POLICIES = MOST_PRIORITY - 1.0
"""The greatest priority of a strategy: a policy can always put a URL above all others."""


@dataclass(slots=True)
class PolicyEffect:
    """How many URLs or sites a policy has changed, dropped and sent for another visit."""

    changed: int = 0
    dropped: int = 0
    revisits: int = 0
    ignored: int = 0  # rows that cannot be applied, or say what holds already


class Priorities:
    """Changes frontier and graph together."""

    def __init__(self, state: PageState, intake: Intake, revisits: Revisits) -> None:
        self._graph = state.graph
        self._frontier = state.frontier
        self._known = state.known
        self._intake = intake
        self._revisits = revisits
        self._site_factors: dict[str, dict[str, float]] = {}
        self._few = _FEW if state.shard is None else _BEST  # shards learn as often as a whole crawl, from less
        self._put_off: list[FoundUrl] = []  # whose priority in the graph is behind, the best last
        self._pace = 0  # how many of them are written with a page
        state.graph.before_snapshots = self.write_all
        if state.is_resumed:
            # Take over the factors that policies gave to sites before the crawl was stopped.
            for row in self._graph.query("frontier/site-factors"):
                factor, _, policy = row["factor_by"].partition(" ")
                host = host_of_site(row["site"])
                assert host is not None
                self._site_factors.setdefault(policy, {})[host] = float(factor)
            for host, factor in self._all_factors().items():
                self._frontier.set_factor(host, factor)

    def apply(self, policy: Policy, rows: Sequence[PolicyRow]) -> PolicyEffect:
        """Make the changes that the rows ask for, a thousand in a transaction."""
        effect = PolicyEffect()
        if policy.form is RowForm.SITE_FACTOR:
            self._factor_sites(policy.name, rows, effect)
            return effect
        for start in range(0, len(rows), _CHUNK):
            changes = Changes()
            for row in rows[start : start + _CHUNK]:
                self._apply(changes, policy, row, effect)
            self._graph.apply(changes)
        return effect

    def reprioritise(self, priorities: Mapping[str, float], *, may_wait: bool = False) -> int:
        """Give waiting URLs the priorities that a strategy has learnt; return how many changed.

        What a policy gave the greatest priority keeps it. Where the graph ``may_wait``, of many
        changes only those are written at once that matter soon.
        """
        puts_off = may_wait and len(priorities) > self._few
        # What is put off may be lost, and said again: what hardly moves would then differ.
        moved = self._moved(priorities, 0.0 if puts_off else _NOTICEABLE)
        changed = [entry for url in moved if (entry := self._frontier.get(url)) is not None]
        for entry in changed:
            entry.recorded = entry.priority_in_graph
        self._frontier.prioritise_all(moved)
        if puts_off and len(changed) > self._few:
            self._write_best(changed)
        else:
            self._write(changed)
        return len(changed) + self._readmit_all(priorities)

    def _moved(self, priorities: Mapping[str, float], noticeable: float) -> dict[str, float]:
        moved: dict[str, float] = {}
        for url, priority in priorities.items():
            entry = self._frontier.get(url)
            if entry is None or entry.known is not None or entry.priority >= MOST_PRIORITY:
                continue
            new = min(round(priority * entry.factor, 6), BELOW_POLICIES)
            if abs(new - entry.priority) > noticeable * abs(entry.priority):
                moved[url] = new
        return moved

    def _write_best(self, changed: Sequence[FoundUrl]) -> None:
        """Write the priorities of those that were or are best; put the others off."""
        behind = {entry.url: entry for entry in (*self._put_off, *changed)}
        self._put_off = sorted(behind.values(), key=lambda entry: max(entry.priority, entry.priority_in_graph))
        self._pace = len(self._put_off) // _WITHIN + 1
        self._write([self._put_off.pop() for _ in range(min(_BEST, len(self._put_off)))])

    def write_some(self, changes: Changes) -> None:
        """Let some of the priorities that were put off be written with a page, the best first."""
        for _ in range(min(self._pace, len(self._put_off))):
            entry = self._put_off.pop()
            if entry.recorded is not None:
                changes.reprioritised(entry, entry.priority)

    def write_all(self) -> None:
        """Write all priorities that were put off."""
        entries, self._put_off = self._put_off, []
        self._write(entries)

    def _write(self, entries: Sequence[FoundUrl]) -> None:
        behind = [entry for entry in entries if entry.recorded is not None]
        for start in range(0, len(behind), _CHUNK):
            changes = Changes()
            for entry in behind[start : start + _CHUNK]:
                changes.reprioritised(entry, entry.priority)
            self._graph.apply(changes)

    def readmit_all(self) -> int:
        """Let URLs wait again for which there was no room, at priority 0: a resume knows no other."""
        given_up = (url for url, (reason, _) in self._known.refused.items() if reason == DropReason.FRONTIER_FULL)
        return self._readmit_all(dict.fromkeys(given_up, 0.0), anew=True)

    def _readmit_all(self, priorities: Mapping[str, float], *, anew: bool = False) -> int:
        refused = self._known.refused
        # The best first: none enters only to give way, and after the first without room all stay.
        rows = sorted((-priority, url) for url, priority in priorities.items() if url in refused)
        admitted = 0
        for start in range(0, len(rows), _CHUNK):
            changes = Changes()
            for negative, url in rows[start : start + _CHUNK]:
                admitted += self._readmit(changes, url, -negative) or (anew and self._admit(changes, url, -negative))
            self._graph.apply(changes)
            if not self._frontier.admits(-rows[min(start + _CHUNK, len(rows)) - 1][0]):
                break
        return admitted

    def _readmit(self, changes: Changes, url: str, priority: float) -> bool:
        """Give a URL for which there was no room another chance; whether it waits now."""
        reason, old = self._known.refused.get(url, ("", None))
        if reason != DropReason.FRONTIER_FULL or old is None:
            return False
        self._intake.offer(changes, url, round(priority, 6), depth=old.depth)
        return url in self._frontier

    def _apply(self, changes: Changes, policy: Policy, row: PolicyRow, effect: PolicyEffect) -> None:
        url, value = row
        if policy.revisits:
            done = value is not None and self._revisits.want(changes, url, value)
            effect.revisits += done
        elif value is None:
            done = self._intake.drop_for_now(changes, url, DropReason.DROPPED_BY_POLICY)
            effect.dropped += done
        else:
            is_factor = policy.form is RowForm.FACTOR
            done = self._prioritise(changes, url, value, is_factor=is_factor)
            effect.changed += done
        effect.ignored += not done

    def _prioritise(self, changes: Changes, url: str, value: float, *, is_factor: bool) -> bool:
        """Give a waiting URL its new priority or factor; whether that changes anything."""
        entry = self._frontier.get(url)
        if entry is None:
            return not is_factor and self._admit(changes, url, value)
        if entry.known is not None:
            return False
        factor = value if is_factor else 1.0
        priority = round(entry.priority / entry.factor * factor, 6) if is_factor else value
        if (priority, factor) == (entry.priority, entry.factor):
            return False
        changes.reprioritised(entry, priority)
        changes.factored(url, entry.factor, factor)
        entry.factor = factor
        self._frontier.prioritise(url, priority)
        return True

    def _admit(self, changes: Changes, url: str, priority: float) -> bool:
        """Take in a URL that was linked to and passed over; whether it waits now."""
        if url in self._known.settled:
            return False
        try:
            row = next(iter(self._graph.query("frontier/shortest-way", url=url)), None)
        except QueryError:  # a row can name anything
            return False
        if row is None:
            return False
        depth, page = row["depth"] + 1, row["page"]
        self._intake.offer(changes, url, priority, depth=depth, found_on=page)
        return url in self._frontier

    def _factor_sites(self, name: str, rows: Sequence[PolicyRow], effect: PolicyEffect) -> None:
        """Let the policy's factors be these and no others; several policies multiply."""
        given = {host_of_site(row.subject): row.value for row in rows if row.value is not None}
        effect.ignored += given.pop(None, None) is not None
        before, said = self._all_factors(), self._site_factors.get(name, {})
        says = {host: factor for host, factor in given.items() if host}
        self._site_factors[name] = says
        after = self._all_factors()
        changes = Changes()
        for host in said.keys() | says.keys():
            if said.get(host) != says.get(host):
                changes.site_factored_by(host, name, said.get(host), says.get(host))
        for host in before.keys() | after.keys():
            old, new = before.get(host, 1.0), after.get(host, 1.0)
            if old != new:
                changes.factored(site_iri(host), old, new)
                self._frontier.set_factor(host, new)
                effect.changed += 1
        self._graph.apply(changes)

    def _all_factors(self) -> dict[str, float]:
        hosts = {host for factors in self._site_factors.values() for host in factors}
        return {host: round(prod(f.get(host, 1.0) for f in self._site_factors.values()), 6) for host in hosts}
