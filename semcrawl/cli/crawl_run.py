"""Running a crawl from the command line: its events in words and JSON, Ctrl-C, the last words."""

from __future__ import annotations

import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from semcrawl.cli.progress import Display, LiveTable, PlainLines, working
from semcrawl.cli.screen import count, one_line, print_json
from semcrawl.cli.serve import Serving, say
from semcrawl.crawl import Crawl, StopReason, events
from semcrawl.crawl.events import Event
from semcrawl.crawl.progress import Progress, interruptible
from semcrawl.errors import FetchError

if TYPE_CHECKING:
    from rich.console import Console

    from semcrawl.crawl.sites import SiteCrawl, SiteEvent


def folder_name(topic: str, longest: int) -> str:
    """The name of a folder for a topic.

    >>> folder_name("Asthma, and the lungs", 60), folder_name("Asthma, and the lungs", 16)
    ('asthma-and-the-lungs', 'asthma-and-the')
    """
    words = re.sub(r"\W+", "-", topic.lower()).strip("-")
    whole = words[: longest + 1].rpartition("-")[0] if len(words) > longest else words
    return whole or words[:longest] or "crawl"


C = TypeVar("C", "Crawl", "SiteCrawl")


class CrawlRun(ABC, Generic[C]):
    """One run of a crawl in a folder, shown as the options say."""

    command: str  # that goes on with a crawl, before its folder

    def __init__(self, folder: Path, *, is_new: bool, quiet: bool, as_json: bool) -> None:
        self.folder = folder
        self.place = shlex.quote(str(folder))
        self.resume = f"{self.command} {self.place}"
        self.quiet = quiet
        self.as_json = as_json
        self._is_new = is_new

    @abstractmethod
    def view(self, crawl: C) -> Display[Any]:
        """What shows the events to a person."""

    @abstractmethod
    def tell(self, crawl: C, ending: events.CrawlStopped) -> None:
        """Say how it ended, and how to go on."""

    def serve_and_run(self, address: str | None, begin: Callable[[], AbstractContextManager[C]]) -> None:
        """Run the crawl, with a page in the browser where there is an address for it."""
        with Serving(address) as page:
            with working("opening the crawl"):
                begun = begin()
            with begun as crawl:
                reason = self.run(crawl, lambda: page.show(crawl, self.folder))
            page.stay(reason)

    def run(self, crawl: C, begin: Callable[[], object] = lambda: None) -> StopReason:
        """Run a crawl to its end, showing it, and say how to go on; why it stopped.

        ``begin`` is called when Ctrl-C already stops the crawl.

        Raises FetchError: no page at all could be fetched; a new folder is removed then.
        """
        shown: Display[Any] = JsonLines() if self.as_json else Display() if self.quiet else self.view(crawl)
        drops: list[events.UrlDropped] = []

        def halt() -> None:
            if not self.quiet:
                say("stopping after the visits under way; Ctrl-C again stops at once", "\n")
            crawl.stop()

        try:
            with interruptible(halt):
                begin()
                with shown as display:
                    for event in crawl.visits():
                        display(event)
                        if isinstance(event, events.UrlDropped) and len(drops) < 3:
                            drops.append(event)
        except KeyboardInterrupt:
            say(f"stopped at once; nothing recorded is lost: {self.resume}", "\n")
            raise
        assert isinstance(event, events.CrawlStopped)
        if not event.progress.pages and event.reason is StopReason.FRONTIER_EMPTY:
            why = "; ".join(drop.note for drop in drops) or "the seeds led nowhere"
            if self._is_new:
                # It says nothing that this line does not, and would be in the way of the next try.
                crawl.discard()
            raise FetchError(f"no page could be fetched: {why}", reason="NoPages")
        if not self.quiet and not self.as_json:
            self.tell(crawl, event)
        return event.reason


_OTHER_NAMES = {"is_relevant": "relevant", "site_class": "class"}


def figures(progress: Progress) -> str:
    """The running figures in one line of words."""
    return (
        f"{count(progress.pages, 'page')}, {progress.relevant:,} relevant "
        f"({progress.harvest_rate:.0%}), {progress.pages_per_second:.1f} pages/s, "
        f"{progress.waiting:,} waiting, {count(progress.hosts, 'host')}, "
        f"{count(progress.errors, 'error')}"
    )


def warning(event: Event) -> str:
    """What a person should hear of at once, in one line; empty for all that goes as it should."""
    if isinstance(event, events.AlarmRaised | events.AlarmEnded):
        alarm, over = event.alarm, " over" if isinstance(event, events.AlarmEnded) else ""
        at = f"at page {alarm.ended or alarm.step:,}"
        return f"alarm{over}: {alarm.kind.lower()} {at}: {alarm.note}"
    if isinstance(event, events.CrawlWarned):
        return f"warning: {one_line(event.note)}"
    if isinstance(event, events.PolicyRan) and event.error:
        return f"the policy {one_line(event.name)} failed and was skipped: {one_line(event.error)}"
    return ""


def aside(event: Event) -> str:
    """What went on beside the visits, in one line; empty for all other events."""
    if isinstance(event, events.PolicyRan) and not event.error:
        done = f"{count(event.changed, 'URL')} changed, {event.dropped:,} dropped"
        again = f", {event.revisits:,} to revisit" if event.revisits else ""
        return f"policy {one_line(event.name)}: {done}{again} ({event.seconds:.1f} s)"
    if isinstance(event, events.PagesRejudged):
        crossed = f"{event.relevant_gained:,} now relevant, {event.relevant_lost:,} no longer"
        return f"the judge has learnt: {count(event.count, 'page')} judged anew, {crossed}"
    if isinstance(event, events.FrontierRevised):
        return f"the strategy has learnt: {count(event.changed, 'waiting URL')} ranked anew"
    if isinstance(event, events.Distilled):
        found = f"{count(event.hubs, 'hub')}, {event.authorities:,} authorities"
        return f"distilled: {found} ({event.seconds:.1f} s)"
    if isinstance(event, events.PageRevisited):
        found = f"changed, relevance now {event.relevance:.2f}" if event.changed else "unchanged"
        return f"revisited: {one_line(event.url)}: {found}"
    return ""


def as_row(event: Event | SiteEvent) -> dict[str, object]:
    """The event as names and values for a line of JSON, its figures left out."""
    told = event.alarm if isinstance(event, events.AlarmRaised | events.AlarmEnded) else event
    row: dict[str, object] = {"event": event.__struct_config__.tag}
    for name in told.__struct_fields__:
        value = getattr(told, name)
        if name != "progress":
            is_rounded = isinstance(value, float) and name != "confidence"
            row[_OTHER_NAMES.get(name, name)] = round(value, 6) if is_rounded else value
    if isinstance(event, events.AlarmRaised):
        del row["ended"]
    return row


class JsonLines(Display[Any]):
    """One JSON object a line on stdout, for programs: the event and the crawl's figures."""

    def __call__(self, event: Any) -> None:
        """Print the event with its figures."""
        print_json({**as_row(event), "progress": event.progress.to_dict()}, indent=None)


class CrawlLines(PlainLines["Event"]):
    """The figures every few seconds; warnings at once."""

    def __call__(self, event: Event) -> None:
        """Print the figures when it is time; the last ones are the command's to tell."""
        if words := warning(event):
            self.say(words)
        if not isinstance(event, events.CrawlStopped | events.CrawlWarned):
            self.say_when_due(figures(event.progress))


class CrawlScreen(LiveTable["Event"]):
    """The running figures, alarms and latest pages, redrawn in place."""

    def __init__(self, goal: int, console: Console | None = None) -> None:
        super().__init__(console)
        self._goal = goal
        self._progress: Progress | None = None
        self._latest: list[events.PageVisited] = []
        self._alarms: dict[str, str] = {}
        self._failed: dict[str, str] = {}
        self._aside = ""

    def __call__(self, event: Event) -> None:
        """Take the event into the picture."""
        if isinstance(event, events.PageVisited):
            self._latest = [*self._latest[-4:], event]
        elif isinstance(event, events.CrawlWarned):
            self.print(warning(event))
        elif isinstance(event, events.AlarmRaised):
            self._alarms[event.alarm.kind] = warning(event)
        elif isinstance(event, events.AlarmEnded):
            self._alarms.pop(event.alarm.kind, None)
            self._aside = warning(event)
        else:
            if isinstance(event, events.PolicyRan):
                self._failed[event.name] = warning(event)
            self._aside = aside(event) or self._aside
        self._progress = event.progress

    def rows(self) -> Iterator[tuple[str, str]]:
        """The figures, then alarms, the latest pages, failed policies, and what else was done."""
        from rich.markup import escape

        if self._progress is None:
            yield "", "waiting for the first page …"
            return
        goal = self._goal
        share = f"  [dim]{self._progress.pages / goal:.0%} of {goal:,}[/dim]" if goal else ""
        yield "", f"[bold]{figures(self._progress)}[/bold]{share}"
        for words in tuple(self._alarms.values()):
            yield "[red]![/red]", f"[red]{escape(words)}[/red]"
        for page in self._latest:
            mark = "[green]●[/green]" if page.is_relevant else "[dim]○[/dim]"
            name = escape(one_line(page.title or page.url)[:60])
            yield mark, f"{page.relevance:.2f}  {name}  [dim]{escape(page.url[:80])}[/dim]"
        for words in filter(None, tuple(self._failed.values())):
            yield "[yellow]![/yellow]", f"[yellow]{escape(words)}[/yellow]"
        if self._aside:
            yield "", f"[dim]{escape(self._aside)}[/dim]"
