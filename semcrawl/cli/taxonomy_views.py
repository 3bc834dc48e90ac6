"""What ``semcrawl taxonomy`` prints: trees, classifications, marks."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

import click

from semcrawl.cli.screen import count, one_line
from semcrawl.errors import TopicError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from semcrawl.taxonomy import Taxonomy

__all__ = [
    "CategoryRow",
    "categories",
    "is_example",
    "print_rows",
    "rows",
    "show_classified",
    "show_good",
    "show_unread",
]

_SHOWN = 10
_SUGGESTED = 5


@dataclass(frozen=True, slots=True)
class CategoryRow:
    """A category for showing: examples of its own and with all below it."""

    path: str
    iri: str
    depth: int
    own: int
    all: int
    good: str
    words: list[str] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)


def categories(number: int) -> str:
    """A number of categories in words."""
    return "1 category" if number == 1 else f"{number:,} categories"


def rows(taxonomy: Taxonomy, top: str | None, *, words: int, examples: bool) -> list[CategoryRow]:
    """The categories below one, or all, each before those below it."""
    from semcrawl.taxonomy import telling_terms

    own = taxonomy.examples.numbers()
    found = []
    for category in taxonomy.tree.below(top):
        inherited = "inherited" if taxonomy.is_good(category) else ""
        telling = telling_terms(taxonomy.classifier, category, words) if words else []
        found.append(
            CategoryRow(
                taxonomy.tree.path(category),
                category,
                len(taxonomy.tree.trail(category)) - 1,
                own.get(category, 0),
                sum(own.get(one, 0) for one in taxonomy.tree.below(category)),
                "marked" if category in taxonomy.good else inherited,
                [one.term for one in telling],
                [one.source for one in taxonomy.examples.of(category)] if examples else [],
            )
        )
    return found


def print_rows(found: list[CategoryRow], *, as_json: bool) -> None:
    """The rows as a tree for a person, or as JSON."""
    if as_json:
        click.echo(json.dumps([asdict(row) for row in found], ensure_ascii=False, indent=1))
        return
    signs = {"marked": "*", "inherited": "+", "": " "}
    for row in found:
        indent = "  " * row.depth
        number = f"{row.all:,}" if row.own in (0, row.all) else f"{row.all:,}, {row.own:,} its own"
        empty = "no examples" if not row.all else number
        words = f"  [{', '.join(row.words)}]" if row.words else ""
        name = row.path.rpartition("/")[2]
        click.echo(f"{signs[row.good]} {indent}{one_line(f'{name} ({empty}){words}')}")
        for source in row.examples:
            click.echo(f"  {indent}  - {one_line(source)}")


def show_unread(taxonomy: Taxonomy) -> None:
    """Say which documents could not be read, and why."""
    unread = taxonomy.unread
    for _, why in unread[:_SHOWN]:
        click.echo(f"left out: {one_line(why)}", err=True)
    if len(unread) > _SHOWN:
        click.echo(f"… and {count(len(unread) - _SHOWN, 'more document')}", err=True)


def show_good(taxonomy: Taxonomy) -> None:
    """Say which categories are good now, and what is odd about them."""
    tree = taxonomy.tree
    paths = [tree.path(category) for category in taxonomy.good]
    click.echo(one_line(f"good: {', '.join(paths) or 'none'}"))
    for category in taxonomy.good:
        above = [step for step in tree.trail(category)[:-1] if step in taxonomy.good]
        if above:
            path, upper = tree.path(category), tree.path(above[0])
            click.echo(one_line(f"note: {path} is good through {upper} too"), err=True)
    if all(taxonomy.is_good(top) for top in tree.children(None)):
        click.echo("note: everything is good now, so every page is relevant", err=True)


def show_classified(
    taxonomy: Taxonomy,
    documents: Mapping[str, Mapping[str, int]],
    *,
    best: int,
    model: Path,
    as_json: bool,
) -> None:
    """The best categories of each document, and which to mark."""
    suggested = taxonomy.suggest(list(documents.values()))[:_SUGGESTED]
    path = taxonomy.tree.path
    pages: list[dict[str, Any]] = [
        {
            "page": place,
            "relevance": taxonomy.classify(terms).relevance if taxonomy.good else None,
            "categories": [
                {"category": path(category), "probability": round(chance, 6)}
                for category, chance in taxonomy.ranking(terms, best)
            ],
        }
        for place, terms in documents.items()
    ]
    if as_json:
        marks = [
            {"category": path(s.category), "pages": s.documents, "probability": s.probability}
            for s in suggested
        ]
        click.echo(json.dumps({"pages": pages, "suggested": marks}, ensure_ascii=False, indent=1))
        return
    for page in pages:
        relevance = page["relevance"]
        shown = "" if relevance is None else f"  relevance {relevance:.4f}"
        click.echo(f"{one_line(str(page['page']))}{shown}")
        for row in page["categories"]:
            click.echo(f"  {row['probability']:8.4f}  {one_line(row['category'])}")
    click.echo("\nto mark, those that most pages fit first:")
    for one in suggested:
        good = "  (good already)" if taxonomy.is_good(one.category) else ""
        where = one_line(path(one.category))
        click.echo(f"  {count(one.documents, 'page'):<9} {one.probability:.2f}  {where}{good}")
    click.echo(f"\nsemcrawl taxonomy mark {model} {one_line(path(suggested[0].category))!r}")


def is_example(taxonomy: Taxonomy, name: str) -> bool:
    """Whether a name means an example; one that means a category as well is refused."""
    try:
        taxonomy.find_example(name)
    except TopicError as error:
        if "there is no example" not in str(error):
            raise
        return False
    try:
        taxonomy.tree.find(name)
    except TopicError:
        return True
    raise TopicError(f"{name!r} is an example and a category; say --category for the latter")
