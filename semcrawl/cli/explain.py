"""``semcrawl explain``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from semcrawl.cli.options import parameters
from semcrawl.cli.progress import working
from semcrawl.cli.screen import count, harmless, harmless_json, one_line, print_data

if TYPE_CHECKING:
    from semcrawl.crawl.explain import LensWords, PageExplanation, SitePageExplanation
    from semcrawl.relevance.explanation import Explanation, Match

_SHOWN = 15
_LEARNT = 8  # words for it, and against it
_PLACES = {"beginning": ", at the beginning", "title": ", in the title", "statements": ", in its statements"}


def explanation_lines(explanation: Explanation) -> Iterator[str]:
    """The largest contributions, each with its words, concept and path, then the normalisers."""
    yield from _odds_lines(explanation)
    matches = [match for match in explanation.matches if match.place != "learnt"]
    if not matches:
        yield "no word of the text has to do with the topic"
        return
    total = sum(match.contribution for match in matches)
    # Where words speak against the topic too, shares of the sum would mislead.
    is_signed = any(match.contribution < 0 for match in matches)
    yield f"{'weight' if is_signed else 'share':>6} words                          near   concept"
    for match in matches[:_SHOWN]:
        share = match.contribution / total if total else 0.0
        given = f"{match.contribution:+6.1f}" if is_signed else f"{share:6.1%}"
        words = ", ".join(match.words)
        times = f" ×{match.count}" if match.count > 1 else ""
        shown = (words if len(words) <= 25 else words[:24] + "…") + times
        where = _PLACES.get(match.place, "")
        yield f"{given} {shown:<30} {match.similarity:.2f}   {_concept(match)}{where}"
    if len(matches) > _SHOWN:
        yield f"… and {len(matches) - _SHOWN} more"
    for normaliser in explanation.normalisers:
        yield f"divided by {normaliser.value:.4f}, the {normaliser.name}"
    if explanation.squashed:
        yield "then x / (1 + x), to lie between 0 and 1"


def _odds_lines(explanation: Explanation) -> Iterator[str]:
    """What the log odds are made of, and the words learnt from the crawl."""
    if not explanation.parts:
        return
    yield "log odds of being on the topic"
    for part in explanation.parts:
        yield f"{part.value:+6.2f} {part.name}"
    total = sum(part.value for part in explanation.parts)
    yield f"{total:+6.2f} together, a probability of {explanation.score:.4f}"
    learnt = [match for match in explanation.matches if match.place == "learnt"]
    for title, sign in (("for", 1), ("against", -1)):
        words = [f"{match.label} {match.contribution:+.2f}" for match in learnt if match.contribution * sign > 0]
        if words:
            yield f"learnt words {title} it: {', '.join(words[:_LEARNT])}"
    yield ""
    yield "the labels of the topic on the page"


def _concept(match: Match) -> str:
    if len(match.path) > 1:
        return " – ".join(match.path)
    if match.relation:
        return f"{match.label} ({match.relation} of {match.topic_label})"
    return match.label if match.label == match.topic_label else f"{match.label} (of {match.topic_label})"


@click.command()
@parameters("explain")
def explain(folder: Path, url: str, form: str, trust: bool) -> None:
    """Say why a page of the crawl in FOLDER has its relevance."""
    from semcrawl.crawl import explain as explaining
    from semcrawl.crawl.shards.reading import folder_with
    from semcrawl.graph import CrawlGraph

    with working("reading the page again"), CrawlGraph.read(folder_with(folder, url), trust=trust) as graph:
        if form == "turtle":
            graph.require_pages(
                ", whose pages are explained as text or json, and not in turtle: "
                "what was recorded of a site is written by 'semcrawl site-list --format turtle'"
            )
        found = explaining.explain(graph, url)
        crawl = graph.describe().id
    if form == "json":
        click.echo(harmless_json(found.to_json()))
    elif form == "turtle" and isinstance(found, explaining.PageExplanation):
        print_data(explaining.explanation_turtle(found, crawl))
    else:
        _show(found)


def _show(found: PageExplanation | SitePageExplanation) -> None:
    from semcrawl.crawl.explain import PageExplanation

    click.echo(f"{one_line(found.title or 'no title')}\n{harmless(found.url)}\n")
    click.echo(f"relevance {found.relevance:.4f} by {found.judge}")
    note = "note: the page has changed since;"
    if isinstance(found, PageExplanation):
        if found.changed:
            click.echo(f"{note} read now it scores {found.explanation.score:.4f}", err=True)
        lines = explanation_lines(found.explanation)
    else:
        lines = _site_page_lines(found)
    click.echo()
    for line in lines:
        click.echo(harmless(line))
    if not isinstance(found, PageExplanation) and found.lens is not None and found.lens.changed:
        click.echo(f"{note} the words are those of now", err=True)
    click.echo("\nfound along")
    for number, step in enumerate(found.path):
        if step.priority is None or step.relevance is None:
            how = "redirected"
        else:
            origin = f"priority {step.priority:.4f}" if number else "seed"
            how = f"{origin}  relevance {step.relevance:.4f}"
        click.echo(harmless(f"  {step.url}  {how}"))


def _site_page_lines(found: SitePageExplanation) -> Iterator[str]:
    if not found.confidences:
        yield "the page has no words: it says nothing of its site"
    for name, confidence in found.confidences.items():
        yield f"{confidence:.4f}  {name}"
    yield ""
    standing = found.standing
    taken = f"taken for {standing.site_class}" if standing.site_class else "still being read"
    pages = count(standing.pages, "page")
    yield f"site {standing.site}: {standing.confidence:.4f} after {pages}, {taken}"
    yield (
        f"this page, number {standing.number} of it, changed that from {standing.before:.4f} to "
        f"{standing.after:.4f} (the prior was {standing.prior:.4f})"
    )
    if found.lens is not None:
        yield ""
        yield from _lens_lines(found.lens)


def _lens_lines(lens: LensWords) -> Iterator[str]:
    if lens.explanation is None:
        yield "the lens cannot tell the words that it saw"
        return
    from semcrawl.models.site_classifiers import relevance_confidence

    yield from explanation_lines(lens.explanation)
    score = lens.explanation.score
    yield (
        f"a score of {score:.4f} on a page of {count(lens.words, 'word')}, where "
        f"{lens.threshold:g} is undecided, is a confidence of "
        f"{relevance_confidence(score, lens.threshold, lens.words):.4f}"
    )
