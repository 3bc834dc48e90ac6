"""What models and topics are made of: pages to train with, example pages, digests of topics."""

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from typing import Any

from semcrawl.closing import Closing
from semcrawl.errors import ConfigError, FetchError, PageError, TopicError, UrlError
from semcrawl.models.crawl_memory import word_weights
from semcrawl.page import Page, read_page
from semcrawl.page.read import decode
from semcrawl.relevance import Judge
from semcrawl.relevance.judges import as_judge
from semcrawl.text.background import Background
from semcrawl.text.languages import language_code, web_words
from semcrawl.text.text_files import numbered_lines, read_text
from semcrawl.topics import Topic
from semcrawl.topics.topic import Keyword
from semcrawl.web import Fetcher, Politeness, Response, Robots, open_replay
from semcrawl.web.http import HttpFetcher
from semcrawl.web.politeness import user_agent
from semcrawl.web.response import DropReason, looks_like_markup
from semcrawl.web.urls import canonical, canonical_at, host_of

_MAX_REDIRECTS = 5
_LARGEST_FILE = 16 * 1024 * 1024
_HTML_NAMES = (".html", ".htm", ".xhtml", ".shtml")
_SAMPLE = 4096

_VISITED = """SELECT DISTINCT ?url WHERE {
  { ?url sc:relevance ?relevance } UNION { ?url sc:redirectsTo ?target }
}"""


@dataclass(eq=False)
class PageSource(Closing):
    """Gives the page of a URL, through redirects; a recorded web needs no robots or politeness."""

    fetcher: Fetcher
    robots: Robots | None = None
    politeness: Politeness | None = None
    sleep: Callable[[float], None] = time.sleep
    reader: Callable[[Response], Page] = read_page
    languages: tuple[str, ...] = ("en",)  # those that pages are read in

    def close(self) -> None:
        """Close the connections, or the recorded web."""
        self.fetcher.close()

    def page(self, url: str) -> Page:
        """Return the page at a URL; FetchError or PageError if there is none."""
        target = url
        for _ in range(_MAX_REDIRECTS + 1):
            response = self._fetch(target)
            if response.redirect is None:
                return self.reader(response).read_in(self.languages)
            target = response.redirect
        raise FetchError(f"{url}: too many redirects", reason=DropReason.TOO_MANY_REDIRECTS)

    def _fetch(self, url: str) -> Response:
        delay = 0.0
        if self.robots is not None:
            rules = self.robots.rules(url)
            if (refusal := rules.refusal(url)) is not None:
                raise FetchError(f"{url}: {rules.problem or refusal.sentence}", reason=refusal)
            delay = rules.delay
        if self.politeness is None:
            return self.fetcher.fetch(url)
        host = host_of(url)
        pause = self.politeness.ready_at(host) - time.monotonic()
        if pause > max(self.politeness.max_delay, delay):
            wish = f"{url}: {host} asked not to be asked for another {pause / 3600:.3g} h"
            raise FetchError(wish, reason=DropReason.HTTP_ERROR, temporary=True)
        if pause > 0:
            self.sleep(pause)
        self.politeness.started(host)
        began, seen = time.monotonic(), dict[str, Any]()
        try:
            response = self.fetcher.fetch(url)
            seen = {"status": response.status}
            return response
        except FetchError as error:
            seen = {"status": error.status, "error": error.reason, "retry_after": error.retry_after}
            raise
        finally:
            elapsed = time.monotonic() - began
            self.politeness.finished(host, elapsed, robots_delay=delay, **seen)


def open_page_source(
    replay: Sequence[str | Path] = (),
    *,
    contact: str = "",
    allow_private: bool = False,
    proxy: str = "",
    delay: float = 1.0,
    sleep: Callable[[float], None] = time.sleep,
    languages: tuple[str, ...] = ("en",),
) -> PageSource:
    """Open recorded webs, or without one the network, with robots.txt; servers see ``contact``."""
    if replay:
        return PageSource(open_replay(list(replay)), languages=languages)
    agent = user_agent(contact or None)
    fetcher = HttpFetcher(agent, allow_private=allow_private, proxy=proxy or None)
    robots, politeness = Robots(fetcher, agent), Politeness(delay=delay)
    return PageSource(fetcher, robots, politeness, sleep, languages=languages)


@dataclass(slots=True)
class TrainingPages:
    """Term counts, why there is no page, and what a judge said, by the URL that was asked for."""

    terms: dict[str, dict[str, int]] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)
    relevance: dict[str, float] = field(default_factory=dict)


def read_training_pages(
    urls: Iterable[str], source: PageSource, *, judge: Judge | None = None, each: Callable[[str], None] | None = None
) -> TrainingPages:
    """Read pages, count their terms and judge them; ``each`` is called with every URL done."""
    pages = TrainingPages()
    for url in urls:
        try:
            page = source.page(url)
            if not page.terms:
                raise PageError(f"{url} has no words", reason=DropReason.EMPTY_PAGE)
            pages.terms[url] = page.terms
            if judge is not None:
                pages.relevance[url] = judge.judge(page).relevance
        except (FetchError, PageError) as error:
            pages.missing[url] = str(error.reason)
        if each is not None:
            each(url)
    return pages


def is_url(place: str) -> bool:
    """Return whether a place is a URL to fetch, and not a file.

    >>> is_url("https://example.org/"), is_url("pages/a.html")
    (True, False)
    """
    return place.lower().startswith(("http://", "https://"))


class DocumentReader(Closing):
    """Counts the terms of documents, paths or URLs; HTML by name or beginning, else plain text."""

    def __init__(self, source: PageSource | None = None) -> None:
        self._source = source or open_page_source()

    def close(self) -> None:
        """Close the source."""
        self._source.close()

    def terms(self, place: str, language: str = "en") -> dict[str, int]:
        """Return a document's term counts; FetchError, PageError, UrlError where it has none."""
        return self.page(place, (language,)).terms

    def page(self, place: str, languages: tuple[str, ...]) -> Page:
        """Return a document as a page, to be read in one of some languages; raises as `terms`."""
        if is_url(place):
            found = self._source.page(canonical(place)).read_in(languages)
        else:
            found = _file_page(Path(place), languages)
        if not found.terms:
            raise PageError(f"{place} holds no words to learn from", reason=DropReason.EMPTY_PAGE)
        return found

    def read(
        self, places: Iterable[str], unread: list[tuple[str, str]], language: str = "en"
    ) -> Iterator[tuple[str, dict[str, int]]]:
        """Yield the documents that can be read; the others are added to ``unread``, with why."""
        for place in places:
            try:
                yield place, self.terms(place, language)
            except (FetchError, PageError, UrlError) as error:
                unread.append((place, str(error)))


def _file_page(path: Path, languages: tuple[str, ...]) -> Page:
    try:
        if not path.is_file():
            kind = "is a folder" if path.is_dir() else "is not there"
            raise PageError(f"{path} {kind}; give a file or a URL with http://", reason="NotHtml")
        with path.open("rb") as file:
            body = file.read(_LARGEST_FILE)
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise PageError(f"cannot read {path}: {why}", reason="Unreadable") from error
    if path.name.lower().endswith(_HTML_NAMES) or looks_like_markup(body):
        declared = {"content-type": "text/html"}
        response = Response(f"file:{path}", 200, declared, body, 0.0, 0.0)
        return read_page(response, languages=languages)
    if b"\0" in body[:_SAMPLE]:
        raise PageError(f"{path} is neither HTML nor text", reason="NotHtml")
    return Page(url=f"file:{path}", pieces=(decode(body)[0],), languages=languages)


def listed_addresses(path: Path, hint: str = "") -> Iterator[tuple[int, str]]:
    """Yield addresses (lines, or first columns; ``#`` for comments) with line numbers; ConfigError as `read_text`."""
    for number, line in numbered_lines(read_text(path, hint)):
        yield number, line.partition("\t")[0].strip()


def read_page_set(source: str | Path) -> frozenset[str]:
    """Return the URLs that a file lists or a crawl visited; ConfigError if none, or no URL."""
    path = Path(source).expanduser()
    urls = set()
    if path.is_dir():
        from semcrawl.graph import CrawlGraph

        with CrawlGraph.read(path) as graph:
            urls = {row["url"] for row in graph.query(_VISITED)}
    else:
        hint = "; give a file of URLs, or the folder of a crawl"
        for number, address in listed_addresses(path, hint):
            urls.add(canonical_at(f"line {number} of {path}", address))
    if not urls:
        raise ConfigError(f"{path} names no page: a crawl confined to it would fetch nothing")
    return frozenset(urls)


def topic_digest(topic: Topic) -> str:
    """Return a digest of a topic's name, language, keywords and concepts with weights."""
    keywords = sorted((keyword.text, float(keyword.weight)) for keyword in topic.keywords)
    concepts = sorted((concept.id, float(concept.weight)) for concept in topic.concepts)
    return _digest([topic.name, ",".join(topic.languages), keywords, concepts])


def judge_digest(judge: Judge) -> str:
    """Return a digest of the weights of a judge's lens; "" for a judge without one."""
    similarity = as_judge(judge).similarity
    if similarity is None or similarity.lens is None:
        return ""
    weights = similarity.lens.weights
    rounded = sorted((label, round(float(weight), 6)) for label, weight in weights.items())
    return _digest([type(judge).__name__, rounded])


def require_topic(model: str, name: str, digest: str, topic: Topic) -> None:
    """Raise ConfigError if a model was trained for another topic; one without a name fits any."""
    if not name:
        return
    if name != topic.name:
        ours, theirs = repr(name), repr(topic.name)
    elif digest and digest != topic_digest(topic):
        ours = f"{name!r} with the digest {digest}"
        theirs = f"another of that name, with {topic_digest(topic)}"
    else:
        return
    raise ConfigError(
        f"{model} was trained for the topic {ours}, this crawl has {theirs}: train one for it, or "
        "add any_topic=true to use it all the same"
    )


def _digest(content: object) -> str:
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()[:16]


_KEYWORDS = 20  # words that a topic has of its examples
_IN_TITLE = 3.0  # what a word of a title counts
_SHOWN = 3  # examples in a message


@dataclass(frozen=True, slots=True)
class ExamplePages:
    """The example pages of a topic that could be read, and what is wrong with the others."""

    topic: Topic  # with these examples alone, by the URLs that they were found at
    pages: tuple[Page, ...]
    problems: list[str] = field(default_factory=list)

    @property
    def by_name(self) -> dict[str, Page]:
        """The pages by the URLs that they are known by."""
        return dict(zip(map(example_name, self.topic.examples), self.pages, strict=bool(self.pages)))


def example_name(place: str) -> str:
    """Return the URL that an example page, a URL or a file, is known by."""
    return canonical(place) if is_url(place) else f"file://{place}"


def read_examples(topic: Topic, source: PageSource, background: Background) -> ExamplePages:
    """Read the example pages of a topic; where it says nothing else, their words are its keywords.

    Raises TopicError: no page can be read, or most are in a language that the topic is not in.
    """
    reader = DocumentReader(source)
    pages: list[Page] = []
    places: list[str] = []
    problems: list[str] = []
    for place in topic.examples:
        try:
            page = reader.page(place, topic.languages)
        except (FetchError, PageError, UrlError) as error:
            problems.append(f"an example is left out: {error}")
            continue
        pages.append(page)
        places.append(page.url if is_url(place) else place)
    if not pages:
        raise TopicError(
            f"none of the {len(topic.examples)} examples of the topic {topic.name!r} can be read: "
            f"{'; '.join(problems[:_SHOWN])}"
        )
    _require_language(topic, pages)
    found = replace(topic, examples=tuple(places))
    if not (topic.concepts or topic.keywords):
        found = replace(found, keywords=tuple(_keywords(pages, background)))
    return ExamplePages(found, tuple(pages), problems)


def _require_language(topic: Topic, pages: Iterable[Page]) -> None:
    known = {language_code(tag) for tag in topic.languages}
    found = Counter(language_code(page.language) for page in pages if page.language)
    others = Counter({code: count for code, count in found.items() if code not in known})
    if others.total() * 2 > found.total():
        code, count = others.most_common(1)[0]
        raise TopicError(
            f"{count} of the examples of the topic {topic.name!r} are in {code}, and the topic is "
            f"in {', '.join(topic.languages)}: give --language {code}, or other examples"
        )


def _keywords(pages: Iterable[Page], background: Background) -> Iterable[Keyword]:
    """Return the words that tell most of the pages, as they are written there.

    That is Σ x √n, three times that for a word of a title; n pages have the word, x is its
    weight in the vector of one. Words of the web as such and of the sites' names are left out.
    """
    sums, having, forms = Counter[str](), Counter[str](), dict[str, str]()
    titles, sites = set[str](), set[str]()
    for page in pages:
        weights = word_weights(page.terms, background.of(page.reading_language).idfs)
        sums.update(weights)
        having.update(weights.keys())
        titles |= page.analyser.count_terms(page.title).keys()
        sites |= page.analyser.count_terms(host_of(page.url) if is_url(page.url) else "").keys()
        for term, written in page.analyser.forms(page.text).items():
            forms.setdefault(term, written[0].lower())
    scores = {
        term: weight * sqrt(having[term]) * (_IN_TITLE if term in titles else 1.0)
        for term, weight in sums.items()
        if term not in sites and forms.get(term, "www") not in web_words()
    }
    best = sorted(scores, key=lambda term: (-scores[term], term))[:_KEYWORDS]
    for term in best:
        yield Keyword(forms[term], round(scores[term] / scores[best[0]], 3) or 0.001)
