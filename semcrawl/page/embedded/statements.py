"""What a page says in RDF, as JSON-LD, Microdata and RDFa, read without fetching anything."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pyoxigraph as ox
from lxml import etree
from msgspec import Struct
from msgspec.structs import replace

from semcrawl.page.embedded.json_ld import json_ld
from semcrawl.page.embedded.microdata import microdata
from semcrawl.page.embedded.rdf_terms import MAX_IRI, TAGGED
from semcrawl.page.embedded.rdfa import COPY, copied, rdfa
from semcrawl.page.html_tree import whole_tree
from semcrawl.resources import facts_beside

MAX_STATEMENTS = 1_000  # statements of a page that are kept
READ_TIMES = 5  # so many times as many are read, for some repeat others or are too long
MAX_TEXT = 10_000  # a statement with a longer text is left out
MAX_LONG = 1_000  # such statements, after which the rest is not read: a prefix can make all long
MAX_LENGTH = 1_500_000  # characters of all terms of the statements that are kept
MAX_PROBLEMS = 5

# How namespaces with several spellings are written here.
_SPELLINGS: dict[str, str] = facts_beside(__file__, "../data/linked-data.toml")["spellings"]
_MISSPELLED = tuple(_SPELLINGS)
_READERS = (json_ld, microdata, rdfa)  # a new syntax is a row here and a value of `syntaxes_in`
# Patterns that begin with a letter are found fast; what stands before it is looked at after.
_ATTRIBUTES = {word: re.compile(rb"%b\s*=" % word) for word in (b"property", b"typeof", b"vocab")}
_RELATION = re.compile(rb"""re[lv]\s*+=\s*+["']?[^"'>=]{0,200}?(?::|license|describedby)""")


class PageStatements(Struct, frozen=True):
    """What a page says in RDF."""

    triples: tuple[ox.Triple, ...] = ()  # in the order of the page, each once
    problems: tuple[str, ...] = ()  # what could not be read or was left out, a sentence each


def syntaxes_in(markup: str) -> tuple[bool, bool, bool]:
    """Return whether a page's markup may hold JSON-LD, Microdata and RDFa: a quick look, with false positives.

    >>> syntaxes_in('<a rel="nofollow" href="/">Home</a>')
    (False, False, False)
    """
    # Bytes are made lower case ten times as fast as text.
    small = markup.encode("utf-8", "replace").lower()
    has_attribute = any(word in small and pattern.search(small) for word, pattern in _ATTRIBUTES.items())
    return b"ld+json" in small, b"itemscope" in small, has_attribute or _RELATION.search(small) is not None


def embedded_statements(markup: str, base: str) -> PageStatements:
    """Return the statements that a page embeds; nothing is fetched, and nothing is raised.

    schema.org and Open Graph become ``https://schema.org/`` and ``http://ogp.me/ns#``.

    >>> said = embedded_statements(
    ...     '<p itemscope itemtype="http://schema.org/Person"><b itemprop=name>Ann', "http://a.test/"
    ... )
    >>> [str(triple.predicate) for triple in said.triples][-1]
    '<https://schema.org/name>'
    """
    problems: list[str] = []
    said = kept_statements(_all(markup, base, problems), problems, MAX_STATEMENTS)
    if any(one.predicate == COPY for one in said.triples):
        return replace(said, triples=tuple(copied(said.triples, MAX_STATEMENTS)))
    return said


def kept_statements(triples: Iterable[ox.Triple], problems: list[str], most: int) -> PageStatements:
    """Return at most so many statements, each once, and what was wrong with others."""
    kept: dict[ox.Triple, None] = {}
    long, room = 0, MAX_LENGTH
    for number, triple in enumerate(triples, 1):
        if number > READ_TIMES * most:
            problems.append(
                f"It makes more than {READ_TIMES * most:,} statements, many of them twice: the rest is left out."
            )
            break
        if any(map(_is_long, triple)):
            long += 1
            if long > MAX_LONG:
                break
            continue
        parts: tuple[Any, ...] = (triple.subject, triple.predicate, triple.object)
        respelled = tuple(map(_respelled, parts))
        spelled = triple if respelled == parts else ox.Triple(*respelled)
        if spelled in kept:
            continue
        room -= sum(len(getattr(part, "value", "")) for part in parts)
        if len(kept) >= most or room < 0:
            problems.append(f"It makes more than {len(kept):,} statements: the rest is left out.")
            break
        kept[spelled] = None
    if long:
        problems.append(f"Statements with texts or IRIs that are too long are left out: {long:,}.")
    told = [*problems[:MAX_PROBLEMS], "And more."] if len(problems) > MAX_PROBLEMS else problems
    return PageStatements(tuple(kept), tuple(told))


def _is_long(term: Any) -> bool:
    if isinstance(term, ox.Literal):
        return len(term.value) > MAX_TEXT or len(term.datatype.value) > MAX_IRI
    return len(term.value) > MAX_IRI


def _all(markup: str, base: str, problems: list[str]) -> Iterator[ox.Triple]:
    held = syntaxes_in(markup)
    if not any(held):
        return
    try:
        root = whole_tree(markup.encode("utf-8", "replace"))
    except etree.LxmlError as error:
        problems.append(f"It could not be parsed: {error}.")
        return
    if root is None:
        return
    for is_held, reader in zip(held, _READERS, strict=True):
        if is_held:
            yield from reader(root, base, problems)


def _respelled(term: Any) -> Any:
    if isinstance(term, ox.Literal):
        datatype = term.datatype
        if term.language is None and datatype in TAGGED:
            return ox.Literal(term.value)  # without a language tag no parser would read it
        spelled = _respelled(datatype)
        return term if spelled is datatype else ox.Literal(term.value, datatype=spelled)
    if isinstance(term, ox.NamedNode) and term.value.startswith(_MISSPELLED):
        wrong = next(name for name in _MISSPELLED if term.value.startswith(name))
        return ox.NamedNode(_SPELLINGS[wrong] + term.value.removeprefix(wrong))
    return term
