"""A made-up web of many hosts, the same in every run: pages of WordNet's words, with links.

A page is made when it is asked for and depends on nothing but its number, so
that a web of any size costs nothing until it is crawled. Like pages of the
web, a page has a head with style and script, a menu, and a body of which
about half is text.
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from semcrawl.topics.wordnet import wordnet
from semcrawl.web.response import Response

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TOPIC", "GeneratedWeb", "InProcessFetcher"]

TOPIC = "wordnet:asthma"
TOPIC_WORDS = "asthma bronchial asthma attack breathing lung respiratory disease inhaler wheeze"
SMALL_WORDS = "the of and to in a is that for it as was with be by on not he his but at are this"
HEADERS = {"content-type": "text/html; charset=utf-8", "server": "generated"}
VOCABULARY = 30_000
PARAGRAPHS = 3_000
NAV_LINKS, LIST_LINKS = 8, 8
STYLE = "".join(f".block--{n} > .inner {{ margin: {n}px auto; color: #33{n}; }}\n" for n in range(10, 50))
SCRIPT = "".join(f"window.queue.push(['event{n}', {{ page: {n} }}]);\n" for n in range(10, 40))
OVERHEAD = len(STYLE) + len(SCRIPT) + 800
LINK_BYTES = 85
WRAPPED = (
    '<section class="block block--{n}" id="section-{n}-{left}" data-role="content">'
    '<div class="inner column column--wide"><p class="text text--body">{text} '
    '<em class="aside">and so on</em>.</p><div class="share" aria-hidden="true">'
    '<span class="icon icon--print"></span><span class="icon icon--mail"></span></div>'
    "</div></section>"
)


@dataclass(frozen=True)
class GeneratedWeb:
    """``pages`` pages on ``hosts`` hosts, each of about ``size`` bytes with ``links`` links.

    Every page can be reached from page 0. A tenth of the pages is about
    asthma, so that a focused crawl has something to prefer.
    """

    pages: int
    size: int = 24_000
    links: int = 40
    hosts: int = 100

    def url(self, number: int) -> str:
        """The URL of a page, canonical."""
        host = number % self.hosts
        if number < self.hosts:
            return f"http://www.site{host}.test/"
        return f"http://www.site{host}.test/{self._words[number % 997]}/page-{number}.html"

    @property
    def seed(self) -> str:
        """The page from which all others can be reached."""
        return self.url(0)

    def respond(self, url: str) -> Response | None:
        """The answer to a URL, None where the web has no such page."""
        number = self._numbers.get(url)
        if number is None:
            return None
        return Response(url, 200, HEADERS, self.html(number).encode(), 0.0, 0.0)

    def targets(self, number: int) -> list[int]:
        """The pages that a page links to: its own host's front page, two children, and others."""
        rng = random.Random(number)
        near = [number % self.hosts, 2 * number + 1, 2 * number + 2]
        found = dict.fromkeys(n for n in near if n < self.pages)
        while len(found) < min(self.links, self.pages):
            other = rng.randrange(self.pages)
            # Half of the links stay on the host, as on most of the web.
            if rng.random() < 0.5:
                other = min(other - other % self.hosts + number % self.hosts, self.pages - 1)
            found[other] = None
        return list(found)

    def html(self, number: int) -> str:
        """The markup of a page."""
        rng = random.Random(-number - 1)
        anchors = [self._anchor(rng, target) for target in self.targets(number)]
        nav, listed = anchors[:NAV_LINKS], anchors[NAV_LINKS : NAV_LINKS + LIST_LINKS]
        title = " ".join(rng.choices(self._words, k=4)).capitalize()
        body = self._body(rng, anchors[NAV_LINKS + LIST_LINKS :], number % 10 == 3)
        items = "".join(f"<li>{anchor}</li>\n" for anchor in listed)
        return (
            f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>\n'
            f'<meta name="description" content="{title}"><link rel="stylesheet" href="/s.css">'
            f"<style>{STYLE}</style><script>{SCRIPT}</script></head>\n<body><nav><ul><li>{'</li><li>'.join(nav)}</li></ul></nav>\n"
            f'<main><h1>{title}</h1>\n{body}\n<ul class="more">\n{items}</ul></main>\n'
            f'<footer><p class="small">Site {number % self.hosts}</p></footer></body></html>\n'
        )

    def _anchor(self, rng: random.Random, target: int) -> str:
        words = TOPIC_WORDS.split() if target % 10 == 3 and rng.random() < 0.5 else self._words
        text = " ".join(rng.choices(words, k=rng.randint(1, 4)))
        return f'<a href="{self.url(target)}">{text}</a>'

    def _body(self, rng: random.Random, anchors: list[str], on_topic: bool) -> str:
        """Paragraphs up to the size of the page, the anchors strewn among them."""
        parts: list[str] = []
        left = self.size - OVERHEAD - LINK_BYTES * self.links
        while left > 0 or anchors:
            text = rng.choice(self._paragraphs)[: max(left, 40)]
            if on_topic and rng.random() < 0.3:
                text = f"{TOPIC_WORDS}, {text}"
            if rng.random() < 0.2:
                parts.append(f'<h2 class="heading">{text[:30]}</h2>')
            link = anchors.pop() if anchors else ""
            part = WRAPPED.format(n=rng.randint(10, 49), left=left, text=f"{text} {link}")
            parts.append(part)
            left -= len(part) - len(link)
        return "\n".join(parts)

    @cached_property
    def _words(self) -> list[str]:
        lemmas = (name.partition(":")[2].rsplit(".", 2)[0] for name in wordnet().graph.ids)
        plain = sorted({lemma for lemma in lemmas if lemma.isascii() and lemma.isalpha()})
        return random.Random(1).sample(plain, min(VOCABULARY, len(plain)))

    @cached_property
    def _paragraphs(self) -> list[str]:
        rng = random.Random(2)
        small = SMALL_WORDS.split()
        # Common words are common: each word is drawn ever more rarely down the list.
        weights = [1 / (rank + 3) for rank in range(len(self._words))]
        drawn = iter(rng.choices(self._words, weights, k=PARAGRAPHS * 40))
        return [
            " ".join(rng.choice(small) if rng.random() < 0.4 else next(drawn) for _ in range(rng.randint(30, 60)))
            for _ in range(PARAGRAPHS)
        ]

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {self.url(number): number for number in range(self.pages)}


class InProcessFetcher:
    """Answers URLs with generated pages, and notes what making them cost."""

    def __init__(self, web: GeneratedWeb) -> None:
        self.cpu = 0.0
        self._web = web

    def fetch(
        self,
        url: str,
        *,
        headers: Mapping[str, str] | None = None,  # noqa: ARG002
        want_any: bool = False,  # noqa: ARG002
    ) -> Response:
        """A page; the web is closed, so that there is one for every link."""
        started = time.thread_time()
        response = self._web.respond(url)
        assert response is not None
        self.cpu += time.thread_time() - started
        return response

    def close(self) -> None:
        """Nothing to let go of."""
