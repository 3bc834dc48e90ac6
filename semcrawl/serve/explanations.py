"""Why a page has its relevance: what matched, and where; marks by hand, which correct it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, ClassVar

from msgspec.structs import asdict

from semcrawl.crawl.settings import Settings
from semcrawl.errors import ConfigError, CrawlLockedError, RequestError, refused_with
from semcrawl.graph.vocabulary import DCTERMS
from semcrawl.redaction import shown_spec, without_folders
from semcrawl.serve import api_types as api
from semcrawl.serve.page_view import page_url
from semcrawl.serve.rows import cut_title
from semcrawl.serve.worker import Job
from semcrawl.text.terms import tokens

if TYPE_CHECKING:
    from semcrawl.crawl.explain import PageExplanation, SitePageExplanation
    from semcrawl.crawl.marks import Question
    from semcrawl.graph import CrawlGraph
    from semcrawl.relevance.explanation import Explanation, Match

_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_ELLIPSIS = "\u2026"


class ExplainedPage(Job, frozen=True):
    """Why a page has its relevance; not fetched for it."""

    may_fetch: ClassVar[bool] = False
    url: api.PageUrl

    def do(self, graph: CrawlGraph) -> api.ExplanationReply | api.SiteExplanationReply:
        """Explain it."""
        url = page_url(graph, self.url)
        may_read = self.may_fetch or bool(Settings.from_json(graph.describe().settings).replay)
        if graph.kind == "pages" and not may_read:
            raise RequestError("the page must be fetched again to be explained: ask by POST, with the token", 409)
        # Here, for the server itself imports this module and explains nothing.
        from semcrawl.crawl.explain import PageExplanation, explain

        with refused_with(422):
            found = explain(graph, url, with_words=may_read)
        return _told(found) if isinstance(found, PageExplanation) else _told_site_page(graph, found)


class FetchedPage(ExplainedPage, frozen=True):
    """Fetch a page again and explain it."""

    may_fetch: ClassVar[bool] = True


def _told(found: PageExplanation) -> api.ExplanationReply:
    explanation = found.explanation
    weights: dict[str, float] = {}
    for match in explanation.matches:
        for words in match.words:
            if match.contribution > 0:
                weights[words] = max(weights.get(words, 0.0), match.contribution / max(match.count, 1))
    return api.ExplanationReply(
        url=found.url,
        title=found.title and cut_title(found.title),
        relevance=found.relevance,
        judge=shown_spec(found.judge),
        **_told_matches(explanation),
        snippet=snippet(found.text, weights),
        changed=found.changed,
    )


def _told_matches(explanation: Explanation) -> dict[str, Any]:
    """The fields of `MatchedWords`."""
    return {
        "score": explanation.score,
        "similarity": explanation.similarity,
        "matches": [_match(match) for match in explanation.matches[:200]],
        "matches_total": len(explanation.matches),
        "divided_by": [api.DivisorNote(one.name, one.value) for one in explanation.normalisers],
        "squashed": explanation.squashed,
        "log_odds": [api.DivisorNote(one.name, one.value) for one in explanation.parts],
    }


def _match(match: Match) -> api.MatchNote:
    return api.MatchNote(
        words=list(match.words),
        concept=match.concept,
        label=match.label,
        topic=match.topic_label,
        weight=match.topic_weight * match.similarity * match.label_weight,
        count=match.count,
        contribution=match.contribution,
        path=list(match.path),
        place=match.place,
    )


def _told_site_page(graph: CrawlGraph, found: SitePageExplanation) -> api.SiteExplanationReply:
    from semcrawl.crawl.sites.settings import stored_settings

    standing, lens = asdict(found.standing), found.lens
    told = None if lens is None or lens.explanation is None else api.MatchedWords(**_told_matches(lens.explanation))
    return api.SiteExplanationReply(
        url=found.url,
        title=found.title and cut_title(found.title),
        relevance=found.relevance,
        judge=without_folders(found.judge),
        classes=[api.ClassConfidence(name, sure) for name, sure in found.confidences.items()],
        site=api.SiteBeliefNote(name=standing.pop("site"), verdict=standing.pop("site_class"), **standing),
        has_words=bool(found.confidences) and stored_settings(graph)[0].judged_by.kind == "lens",
        lens=None if lens is None else api.LensNote(lens.threshold, lens.words, told, lens.changed),
    )


def snippet(text: str, weights: Mapping[str, float]) -> list[api.SnippetPiece]:
    """Return the passage of some sixty words with the heaviest matches, in pieces.

    ``weights`` has the matched words and phrases, as ``tokens`` writes them. The list is empty where nothing matches.

    >>> [piece.text for piece in snippet("Bronchial asthma is common.", {"asthma": 1.0})]
    ['Bronchial ', 'asthma', ' is common.']
    """
    places = [match.span() for match in _WORD.finditer(text)]
    matched = _matched([" ".join(tokens(text[start:end])) for start, end in places], weights)
    if not any(matched):
        return []
    first, last = _window(matched)
    return _pieces(text, places, matched, first, last)


def _matched(words: Sequence[str], weights: Mapping[str, float]) -> list[float]:
    """The weight of each word, alone or as part of a matched phrase; 0 for no match."""
    phrases: dict[str, list[tuple[str, ...]]] = {}
    for phrase in weights:
        if parts := tuple(phrase.split()):
            phrases.setdefault(parts[0], []).append(parts)
    found = [0.0] * len(words)
    for place, word in enumerate(words):
        for parts in phrases.get(word, ()):
            if tuple(words[place : place + len(parts)]) == parts:
                share = max(weights[" ".join(parts)], 1e-9) / len(parts)
                for inner in range(place, place + len(parts)):
                    found[inner] = max(found[inner], share)
    return found


def _window(matched: Sequence[float]) -> tuple[int, int]:
    """The bounds of the best passage, in words."""
    sums = [0.0, *accumulate(matched)]
    size = min(60, len(matched))
    starts = range(len(matched) - size + 1)
    best = max(starts, key=lambda start: sums[start + size] - sums[start])
    hits = [place for place in range(best, best + size) if matched[place]]
    # Six words before the first match are shown.
    first = max(0, min(hits[0] - 6, len(matched) - size))
    # A passage that begins shortly before its first match must not lose its last ones.
    return first, min(len(matched), max(first + size, hits[-1] + 1))


def _pieces(
    text: str, places: Sequence[tuple[int, int]], matched: Sequence[float], first: int, last: int
) -> list[api.SnippetPiece]:
    at = places[first][0] if first else 0
    end = places[last - 1][1] if last < len(places) else len(text)
    pieces, before = list[tuple[str, bool]](), _ELLIPSIS + " " if first else ""
    for place in range(first, last):
        if matched[place]:
            start, stop = places[place]
            pieces += [(before + text[at:start][:2_000], False), (text[start:stop][:2_000], True)]
            at, before = stop, ""
    behind = " " + _ELLIPSIS if last < len(places) else ""
    pieces.append((before + text[at:end][:2_000] + behind, False))
    return [api.SnippetPiece(re.sub(r"\s+", " ", piece), is_match) for piece, is_match in pieces if piece]


class PageMark(Job, frozen=True):
    """Mark a page as right or wrong, or take its mark away.

    It is written into the crawl, or a note is left for it; killed, it has done so or not.
    """

    url: api.Url
    mark: bool | None  # None takes it away

    def do(self, graph: CrawlGraph) -> api.PageMarkedReply:
        """Mark it."""
        # Here, for the server itself imports this module and judges nothing.
        from semcrawl.crawl.marks import mark_pages
        from semcrawl.crawl.trust import VIEW, require_trust

        url = page_url(graph, self.url)
        require_trust(graph, VIEW)
        assert graph.folder is not None
        with refused_with(409, ConfigError, CrawlLockedError):
            found = mark_pages(graph.folder, {url: self.mark}, trust=graph.is_trusted)
        return api.PageMarkedReply(url, self.mark, str(found))


class Questions(Job, frozen=True):
    """The ten pages whose marks would teach the judge most."""

    def do(self, graph: CrawlGraph) -> list[Question]:
        """Choose them."""
        from semcrawl.crawl.marks import Review

        with refused_with(409, ConfigError):
            return Review(graph).questions(10)


class TellingWords(Job, frozen=True):
    """Words of titles that speak most for the topic and, below 0, against it, as learnt."""

    def do(self, graph: CrawlGraph) -> dict[str, float]:
        """Look the words of all titles up; none where the judge does not learn."""
        from semcrawl.crawl.marks import Review, judge_learns

        if not judge_learns(graph):
            return {}
        titles = graph.query("serve/column", property=DCTERMS + "title")
        words = Review(graph).learnt_words("\n".join(row["value"] for row in titles))
        found = [(word, round(weight, 4)) for word, weight in words.items() if weight]
        return dict(found[:60] + found[60:][-60:])
