"""Topics that are given by pages: the example pages are read, and their words are the topic's."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import sqrt

from semcrawl.errors import FetchError, PageError, TopicError, UrlError
from semcrawl.models.crawl_memory import word_weights
from semcrawl.models.training_pages import DocumentReader, PageSource, is_url
from semcrawl.page import Page
from semcrawl.text.background import Background
from semcrawl.text.languages import language_code, web_words
from semcrawl.topics import Topic
from semcrawl.topics.topic import Keyword
from semcrawl.web.urls import canonical, host_of

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
        return dict(
            zip(map(example_name, self.topic.examples), self.pages, strict=bool(self.pages))
        )


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
