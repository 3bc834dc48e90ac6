"""The intake: which of the URLs that a page links to enter the frontier, and why others do not."""

from collections.abc import Callable, Mapping

from semcrawl.crawl.pages.state import MOST_NOTED, OF_EACH, SECOND_CHANCE, PageState, priority_to_beat
from semcrawl.crawl.settings import Scope
from semcrawl.graph import Changes, FoundUrl
from semcrawl.web.response import DropReason
from semcrawl.web.urls import host_of


class Intake:
    """Takes found URLs into the frontier and notes in ``changes`` what becomes of each."""

    def __init__(self, state: PageState) -> None:
        self._state = state
        self._settings = state.settings
        self._frontier = state.frontier
        self._known = state.known
        self._scope = Scope(state.settings.include, state.settings.exclude)

    def offer_links(self, changes: Changes, links: Mapping[str, float], entry: FoundUrl) -> None:
        """The links of a visited page, with their priorities."""
        for url, priority in links.items():
            self.offer(changes, url, priority, depth=entry.depth + 1, found_on=entry.url)

    def offer(
        self,
        changes: Changes,
        url: str,
        priority: float,
        *,
        depth: int,
        found_on: str | None = None,
        redirects: int = 0,
    ) -> None:
        """A link leads to ``url``: take it in, raise its priority, or drop it with a reason."""
        if url in self._known.settled:
            return
        shard = self._state.shard
        if shard is not None and found_on is not None and not shard.owns(url):
            changes.posted(found_on, url, (priority, depth, redirects))
            self._state.posted.add(found_on)
            return
        waiting = self._frontier.get(url)
        if waiting is not None:
            # A policy's factor stays on it, whichever link leads there.
            if (raised := round(priority * waiting.factor, 6)) > waiting.priority:
                changes.reprioritised(waiting, raised)
                self._frontier.prioritise(url, raised)
            return
        has_room = self._frontier.admits(priority)
        was_refused = url in self._known.refused
        if was_refused and not has_room:
            return
        entry = FoundUrl(url, host_of(url), priority, 0, depth, found_on, 0, redirects)
        reason, note = self._objection(entry)
        if was_refused:
            self._reconsider(changes, entry, reason, note)
            return
        if reason is None and not has_room:
            reason = DropReason.FRONTIER_FULL
        if reason is None:
            self._enter(changes, entry)
        elif self._known.noted >= MOST_NOTED:
            return  # pages could name URLs without end, each of which takes memory
        elif reason in SECOND_CHANCE:
            self._state.refuse(changes, url, reason, None)
        else:
            self.drop(changes, url, reason, note)

    def _objection(self, entry: FoundUrl) -> tuple[str | None, str]:
        settings = self._settings
        if not self._scope.allows(entry.url):
            return DropReason.OUT_OF_SCOPE, ""
        if settings.depth and entry.depth > settings.depth:
            return DropReason.TOO_DEEP, ""
        limit = settings.pages_per_host
        if limit and (self._known.asked_of(entry.host) >= limit or self._known.domains.is_full(entry.host)):
            return DropReason.HOST_LIMIT, ""
        if entry.found_on is not None and (trap := self._state.guard.check(entry.url)):
            return DropReason.TRAP_SUSPECTED, trap
        return None, ""

    def _reconsider(self, changes: Changes, entry: FoundUrl, objection: str | None, note: str) -> None:
        """Another link leads to a URL that was refused: it enters, is dropped, or stays refused."""
        url = entry.url
        reason, old = self._known.refused[url]
        if objection == DropReason.TOO_DEEP:
            return
        to_beat = priority_to_beat(reason, old)
        if to_beat is not None and entry.priority <= to_beat:
            return
        del self._known.refused[url]
        self._state.progress.dropped[reason] -= 1
        self._known.noted -= len(url) + OF_EACH
        changes.taken_back(url, reason, to_beat)
        if objection is not None:
            self.drop(changes, url, objection, note)
        elif old is None:
            self._enter(changes, entry)
        else:
            old.priority = entry.priority
            self._enter(changes, old, is_new=False)

    def _enter(self, changes: Changes, entry: FoundUrl, *, is_new: bool = True) -> None:
        if is_new:
            entry.order = self._known.next_order
            self._known.next_order += 1
            changes.found(entry)
        else:
            changes.entered_again(entry)
        loser = self._frontier.push(entry)
        if loser is not None:
            self._state.refuse(changes, loser.url, DropReason.FRONTIER_FULL, loser)

    def drop(self, changes: Changes, url: str, reason: str, note: str = "") -> None:
        """Give a URL up for good."""
        self._known.settled.add(url)
        self._known.noted += len(url) + OF_EACH
        self._state.drop(changes, url, reason, note)

    def drop_for_now(self, changes: Changes, url: str, reason: str) -> bool:
        """Give up a URL that waits for its first visit, until a better link comes; whether so."""
        entry = self._frontier.get(url)
        if entry is None or entry.known is not None:
            return False
        self._frontier.remove(url)
        self._state.refuse(changes, url, reason, entry)
        return True

    def give_up_hosts(self, changes: Changes, is_gone: Callable[[str], bool], reason: str, note: str) -> None:
        """Give up all URLs of such hosts that wait."""
        for entry in self._frontier.remove_hosts(is_gone):
            if entry.known is not None:
                # Another visit to what is known already: the host's limit is not about it.
                self._frontier.push(entry)
                continue
            changes.left_frontier(entry)
            self.drop(changes, entry.url, reason, note)
