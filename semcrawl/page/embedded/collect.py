"""All statements of a page together: bounded, each once, with what went wrong in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph as ox
from lxml import etree

from semcrawl.page.embedded.json_ld import json_ld
from semcrawl.page.embedded.microdata import microdata
from semcrawl.page.embedded.rdfa import rdfa
from semcrawl.page.embedded.statements import Statements, syntaxes_in
from semcrawl.page.tree import whole_tree

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_STATEMENTS = 1_000
"""So many statements of a page are kept."""

MAX_READ = 5_000
"""So many are read at all, counting those that say what was said already or are too long."""

MAX_TEXT = 10_000
"""A statement with a longer text is left out: what a page is about is not said at such length."""

MAX_PROBLEMS = 5

# What is written in many ways, and how it is written here.
_SPELLINGS = {
    "http://schema.org/": "https://schema.org/",
    "http://www.schema.org/": "https://schema.org/",
    "https://www.schema.org/": "https://schema.org/",
    "https://ogp.me/ns#": "http://ogp.me/ns#",
    "http://opengraphprotocol.org/schema/": "http://ogp.me/ns#",
}
_MISSPELLED = tuple(_SPELLINGS)
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_TAGGED = {ox.NamedNode(_RDF + name) for name in ("langString", "dirLangString")}


def embedded_statements(markup: str, base: str) -> Statements:
    """The statements that a page embeds as JSON-LD, Microdata and RDFa.

    Nothing is fetched for it, and whatever the markup holds, nothing is raised.
    schema.org and Open Graph are written in several ways on the web; here they
    are always ``https://schema.org/`` and ``http://ogp.me/ns#``, so that one
    query finds it all.

    >>> said = embedded_statements(
    ...     '<p itemscope itemtype="http://schema.org/Person"><b itemprop=name>Ann', "http://a.test/"
    ... )
    >>> [str(triple.predicate) for triple in said.triples][-1]
    '<https://schema.org/name>'
    """
    problems: list[str] = []
    kept: dict[ox.Triple, None] = {}
    long = 0
    for number, triple in enumerate(_all(markup, base, problems), 1):
        if number > MAX_READ:
            problems.append(
                f"It makes more than {MAX_READ:,} statements, many of them twice:"
                " the rest is left out."
            )
            break
        if isinstance(triple.object, ox.Literal) and len(triple.object.value) > MAX_TEXT:
            long += 1
            continue
        spelled = _spelled(triple)
        if spelled in kept:
            continue
        if len(kept) >= MAX_STATEMENTS:
            problems.append(
                f"It makes more than {MAX_STATEMENTS:,} statements: the rest is left out."
            )
            break
        kept[spelled] = None
    if long:
        problems.append(f"Texts of more than {MAX_TEXT:,} characters are left out: {long:,}.")
    told = [*problems[:MAX_PROBLEMS], "And more."] if len(problems) > MAX_PROBLEMS else problems
    return Statements(tuple(kept), tuple(told))


def _all(markup: str, base: str, problems: list[str]) -> Iterator[ox.Triple]:
    held = syntaxes_in(markup)
    if not any(held):
        return
    try:
        root = whole_tree(markup)
    except etree.LxmlError as error:
        problems.append(f"It could not be parsed: {error}.")
        return
    if root is None:
        return
    if held.json_ld:
        yield from json_ld(root, base, problems)
    if held.microdata:
        yield from microdata(root, base, problems)
    if held.rdfa:
        yield from rdfa(root, base, problems)


def _spelled(triple: ox.Triple) -> ox.Triple:
    """The triple with schema.org and Open Graph spelled in one way, and as RDF can be written."""
    parts = (triple.subject, triple.predicate, triple.object)
    if not any(_is_misspelled(part) for part in parts):
        return triple
    return ox.Triple(*map(_respelled, parts))  # type: ignore[arg-type]


def _is_misspelled(term: object) -> bool:
    if isinstance(term, ox.Literal):
        if _lacks_language(term):
            return True
        term = term.datatype
    return isinstance(term, ox.NamedNode) and term.value.startswith(_MISSPELLED)


def _respelled(term: object) -> object:
    if not _is_misspelled(term):
        return term
    if isinstance(term, ox.Literal):
        if _lacks_language(term):
            return ox.Literal(term.value)
        return ox.Literal(term.value, datatype=_respelled(term.datatype))  # type: ignore[arg-type]
    assert isinstance(term, ox.NamedNode)
    wrong = next(name for name in _MISSPELLED if term.value.startswith(name))
    return ox.NamedNode(_SPELLINGS[wrong] + term.value.removeprefix(wrong))


def _lacks_language(text: ox.Literal) -> bool:
    """Whether a literal has a datatype that only a language tag makes: nobody could read it."""
    return text.language is None and text.datatype in _TAGGED
