"""Marks by hand: pages that a person calls right or wrong for the topic, as sure examples.

A crawl that does not run is opened, its judge learns from the marks, and all pages are judged anew. To a crawl that
runs a note is left, a file in the folder ``marks`` of the crawl, which it takes up between two visits.
"""

import time
from collections.abc import Iterable, Mapping
from contextlib import closing, suppress
from pathlib import Path

from msgspec import Struct

from semcrawl.crawl.explain import judge_of_crawl, recall_judge, recorded_page
from semcrawl.crawl.kind import CrawlState
from semcrawl.crawl.mark_notes import MarkNotes, Marks, recorded_marks
from semcrawl.crawl.pages.rejudging import Rejudging
from semcrawl.crawl.parts import make_fetcher, make_reader
from semcrawl.crawl.settings import Settings
from semcrawl.crawl.trust import FETCHING, VIEW, require_trust
from semcrawl.errors import ConfigError, CrawlLockedError, QueryError, SemcrawlError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.columns import PAGE
from semcrawl.graph.snapshots import is_locked
from semcrawl.relevance import JUDGES
from semcrawl.steering.alarms import AlarmWatch
from semcrawl.text.languages import analyser
from semcrawl.topics import Topic
from semcrawl.web.urls import canonical

_PATIENCE = 15.0  # seconds that a running crawl is waited for
_LEAD = 400  # characters


class MarkResult(Struct, frozen=True):
    """What marks have changed; of a crawl that runs it is not known."""

    gained: int = 0  # pages that are relevant now and were not before
    lost: int = 0
    is_running: bool = False
    is_taken_up: bool = True  # False: the crawl has not looked at the marks yet
    changed: tuple[str, ...] = ()  # the pages that are gained, then those that are lost

    def __str__(self) -> str:
        if not self.is_running:
            return f"judged anew: {self.gained:,} more relevant, {self.lost:,} no longer"
        if self.is_taken_up:
            return "the running crawl has learnt from it"
        return "the crawl is paused or busy, and learns from it when it goes on"


def mark_pages(folder: str | Path, marks: Mapping[str, bool | str | None], *, trust: bool = False) -> MarkResult:
    """Record marks of visited pages and judge all pages anew; a crawl that runs does so itself.

    ``marks`` says of each URL True or "yes", False or "no", or None, which takes its mark away. Raises ConfigError: a
    mark is none of these, the judge does not learn, or it is a crawl for websites; NotACrawlError: the folder holds no
    crawl; QueryError: a page was not visited, or has no mark to take away (none is recorded then); CrawlLockedError:
    another process reads the crawl; UntrustedError: another made the crawl, and it names code, files or addresses.
    """
    folder = Path(folder)
    try:
        with CrawlGraph.open(folder, trust=trust) as graph:
            graph.require_sound()
            return _judge_anew(graph, _visited(graph, marks))
    except CrawlLockedError:
        if not is_locked(folder):
            raise
    with CrawlGraph.read(folder, trust=trust) as graph:
        note = MarkNotes(folder).leave(_visited(graph, marks))
    deadline = time.monotonic() + _PATIENCE
    while note.exists():
        if not is_locked(folder):
            # It is taken up with all notes: one that was removed before could be lost.
            return mark_pages(folder, marks, trust=trust)
        if time.monotonic() > deadline:
            return MarkResult(is_running=True, is_taken_up=False)
        time.sleep(0.05)
    return MarkResult(is_running=True)


def require_learning(graph: CrawlGraph) -> None:
    """Raise ConfigError where marks would change nothing: the judge of a crawl does not learn."""
    graph.require_pages(": pages of it cannot be marked")
    require_trust(graph, ("judge",))
    if not judge_learns(graph):
        name = Settings.from_json(graph.describe().settings).judge
        raise ConfigError(
            f"the judge {name!r} does not learn, so marks would change nothing: crawl with the judge adaptive"
        )


def judge_learns(graph: CrawlGraph) -> bool:
    """Return whether the judge of a crawl for pages learns; code that may not be run does not."""
    try:
        require_trust(graph, ("judge",))
        judge = JUDGES.factory(Settings.from_json(graph.describe().settings).judge)
    except ConfigError:  # refused, or an object of the user's, which the crawl alone has
        return False
    return graph.kind == "pages" and bool(getattr(judge, "learns", False))


def _visited(graph: CrawlGraph, marks: object) -> Marks:
    """Return marks by URLs as the graph has them."""
    require_learning(graph)
    if not isinstance(marks, Mapping):
        raise ConfigError(f"marks are a dict of URLs, such as {{url: True}}: {type(marks).__name__} is none")
    found: dict[str, bool | None] = {}
    for url, said in marks.items():
        mark = {"yes": True, "no": False}.get(said, said) if isinstance(said, str) else said
        if mark is not None and not isinstance(mark, bool):
            raise ConfigError(f"the mark {mark!r} of {url} is unknown: give True or 'yes', False or 'no', or None")
        found[canonical(url)] = mark
    for url in found:
        recorded_page(graph, url)
    return found


def _judge_anew(graph: CrawlGraph, marks: Marks) -> MarkResult:
    about = graph.describe()
    settings, threshold = Settings.from_json(about.settings), about.threshold
    state = CrawlState(settings=settings, graph=graph, threshold=threshold, judge_learns=True, is_resumed=True)
    notes = MarkNotes(graph.folder)  # that the crawl had no time for
    before, known = graph.relevances(), recorded_marks(graph) | notes.read()
    if bare := [url for url, mark in marks.items() if mark is None and url not in known]:
        raise QueryError(f"{bare[0]} is not marked: 'semcrawl mark FOLDER --list' lists the pages that are")
    require_trust(graph, VIEW)
    with closing(Rejudging(state, judge_of_crawl(graph)[2], AlarmWatch(0, 0.0, 0.0), lambda _: None)) as rejudging:
        rejudging.mark(known | dict(marks))
        notes.remove_read()
        rejudging.finish()
        graph.store.flush()
    now = graph.relevances()
    gained = [url for url, value in now.items() if before[url] < threshold <= value]
    lost = [url for url, value in now.items() if value < threshold <= before[url]]
    return MarkResult(len(gained), len(lost), changed=(*gained, *lost))


class Question(Struct, frozen=True):
    """A page that a mark of would teach the judge much."""

    url: str
    title: str
    relevance: float
    lead: str  # its first words, "" where they are not known


class Review:
    """Finds the pages whose marks would teach most; the crawl may be running.

    `answers` are for `mark_pages`. Until then a note keeps them, which a crawl that runs takes up, and which whatever
    opens a stopped crawl next takes up where this process is ended. Raises ConfigError: the judge does not learn, or it
    is a crawl for websites; UntrustedError: another made the crawl, and it names code, files or addresses.
    """

    def __init__(self, graph: CrawlGraph) -> None:
        require_learning(graph)
        self.answers: dict[str, bool] = {}
        self._graph = graph
        self._note: Path | None = None
        self._skipped: set[str] = set()
        self._marks = recorded_marks(graph)
        require_trust(graph, VIEW)
        self._judge = judge_of_crawl(graph)[2]
        recall_judge(graph, self._judge, has_ended=True)

    def questions(self, count: int) -> list[Question]:
        """Return the best pages to ask about, the best first, after the answers so far."""
        urls = self._judge.questions(count + len(self._skipped))
        urls = [url for url in urls if url not in self._skipped][:count]
        rows = {url: recorded_page(self._graph, url) for url in urls}
        leads = _leads(self._graph, urls)
        return [Question(url, row["title"] or "", row["relevance"], leads[url]) for url, row in rows.items()]

    def learnt_words(self, text: str) -> dict[str, float]:
        """Return how much the words of a text speak for the topic, those for it first."""
        tag = Topic.from_toml(self._graph.describe().topic).languages[0]
        forms = analyser(tag).forms(text).items()
        found = {words[0].lower(): self._judge.weight_of(term) for term, words in forms}
        return dict(sorted(found.items(), key=lambda one: -one[1]))

    def answer(self, url: str, mark: bool | None) -> None:
        """Take an answer, which the next questions follow from; None skips a page."""
        if mark is None:
            self._skipped.add(url)
        else:
            self.answers[url] = mark
            self._judge.mark(self._marks | self.answers)
            if self._graph.folder is not None:
                # A note has all answers, in place of the last one.
                last, self._note = self._note, MarkNotes(self._graph.folder).leave(self.answers)
                if last is not None:
                    last.unlink(missing_ok=True)


def _leads(graph: CrawlGraph, urls: Iterable[str]) -> dict[str, str]:
    """Return the first words of pages: of a recorded web, else what they say of themselves."""
    settings = Settings.from_json(graph.describe().settings)
    leads = {url: graph.store.value(url, PAGE["description"].iri) or "" for url in urls}
    if settings.replay:
        with suppress(SemcrawlError):
            require_trust(graph, FETCHING)
            with closing(make_fetcher(settings)) as fetcher:
                for url in leads:
                    with suppress(SemcrawlError):
                        leads[url] = make_reader(settings)(fetcher.fetch(url)).text
    return {url: " ".join(lead.split())[:_LEAD] for url, lead in leads.items()}
