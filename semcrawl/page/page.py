"""A page that has been read: its text, its links, and what lies around them.

Reading fills in what every crawl needs; terms, leaves, contexts, offsets and a
guess at the language are worked out when asked for, and kept.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from semcrawl.errors import ConfigError
from semcrawl.page.context import collapse, window
from semcrawl.page.elements import BLOCKS
from semcrawl.page.embedded.statements import Statements
from semcrawl.page.language import detect_language
from semcrawl.text.terms import count_terms, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["CONTEXT_CHARS", "D_MAX", "Link", "Node", "Page"]

CONTEXT_CHARS = 2_000
"""A link's context is cut to so many characters around the link."""

D_MAX = 5
"""Farthest DOM offset that is looked at (Chakrabarti 2002: 5 is enough)."""

MAX_INSIDE = 100
"""So many leaves inside a link are looked at; a link with more was never closed."""


class Link(NamedTuple):
    """A link of a page. A named tuple, because pages have many and they never change.

    Attributes:
        url: where it leads, canonical and without a fragment.
        anchor: the visible text inside, images by their ``alt``; may be empty, and
            is cut at 1,000 characters.
        rel: the words of its ``rel`` attribute in lower case.
        nofollow: whether ``rel`` asks not to follow this link (`Page.nofollow` is for all).
        position: its number among the page's links, from 0.
        first_leaf: the first DOM leaf inside it.
        last_leaf: the last one, inclusive; ``first_leaf - 1`` for a link that
            has no place on the page (``link`` and ``meta``).
        node: its parent's number in `Page.nodes`, -1 for none.
        tag: ``a``, ``area``, ``frame``, ``iframe``, ``link`` (next page and
            the like) or ``meta`` (refresh).
    """

    url: str
    anchor: str = ""
    rel: tuple[str, ...] = ()
    nofollow: bool = False
    position: int = 0
    first_leaf: int = 0
    last_leaf: int = -1
    node: int = -1
    tag: str = "a"


class Node(NamedTuple):
    """An element with a link below it: parent's number or -1, name, leaves (inclusive)."""

    parent: int
    tag: str
    first_leaf: int
    last_leaf: int


@dataclass(frozen=True, eq=False, kw_only=True)
class Page:
    """A fetched document, read. It keeps strings and numbers only, no parser's tree.

    Attributes:
        url: the page's own URL.
        title: of the ``<title>``, "" without one.
        description: of the description ``<meta>``, "" without one.
        declared_language: primary language subtag that page or header declare, or None.
        links: http and https links in document order. Links to the page itself
            are left out; repeated links stay, because their anchors differ.
        base: the URL that relative links start from.
        canonical: the URL that the page prefers for itself, or None.
        noindex: whether meta elements or header ask robots not to index it.
        nofollow: whether they ask robots not to follow its links.
        charset: the codec that its bytes were read with.
        truncated: whether its body was cut, or holds more markup or links than are read.
        pieces: text of each leaf as written, with a blank in front where it
            is set apart from the leaf before (`leaves` has them tidied up).
        nodes: the ancestors of its links; a parent comes before its children.
        markup: its markup where it may make statements, "" elsewhere.
    """

    url: str
    title: str = ""
    description: str = ""
    declared_language: str | None = None
    links: Sequence[Link] = field(default=(), repr=False)
    base: str = ""
    canonical: str | None = None
    noindex: bool = False
    nofollow: bool = False
    charset: str = "utf-8"
    truncated: bool = False
    pieces: Sequence[str] = field(default=(), repr=False)
    nodes: Sequence[Node] = field(default=(), repr=False)
    markup: str = field(default="", repr=False)

    @cached_property
    def text(self) -> str:
        """The visible text, white space collapsed; words of different blocks stay apart."""
        return collapse("".join(self.pieces))

    @cached_property
    def leaves(self) -> tuple[str, ...]:
        """The text of every DOM leaf in document order, "" for those without."""
        return tuple(map(collapse, self.pieces))

    @cached_property
    def language(self) -> str | None:
        """The declared language, else a guess from the text, else None."""
        return self.declared_language or detect_language(self.text)

    @cached_property
    def terms(self) -> dict[str, int]:
        """How often each term occurs in the text."""
        # What is cut and stemmed already need only be counted.
        if "term_sequence" in self.__dict__:
            return dict(Counter(self.term_sequence))
        # Blanks make no difference to terms, so the text need not be tidied up.
        return count_terms("".join(self.pieces))

    @cached_property
    def term_sequence(self) -> list[str]:
        """The terms of the text in their order, for phrases.

        Who needs both asks for this before :attr:`terms`, which is then made from it.
        """
        return terms("".join(self.pieces))

    @cached_property
    def title_terms(self) -> dict[str, int]:
        """How often each term occurs in the title."""
        return count_terms(self.title)

    @cached_property
    def statements(self) -> Statements:
        """What the page says of itself and other things in JSON-LD, Microdata and RDFa."""
        if not self.markup:
            return Statements()
        # The readers are for the pages that need them.
        from semcrawl.page.embedded.collect import embedded_statements

        return embedded_statements(self.markup, self.base or self.url)

    def context(self, link: Link, level: int | None = None, max_chars: int = CONTEXT_CHARS) -> str:
        """Return the text around a link of this page, at most ``max_chars`` of it.

        Without ``level`` it is the text of the nearest enclosing block (item,
        cell, paragraph, heading ...). With it, the text below the link's n-th
        ancestor, the aggregation node of Pant and Menczer 2003; 1 is the
        parent, and beyond the root it is the whole page.
        """
        number = self._aggregation_node(link, level)
        if number < 0:
            return ""
        node = self.nodes[number]
        first, stop = node.first_leaf, node.last_leaf + 1
        if self._ends[stop] - self._ends[first] <= 2 * max_chars:
            # Links of one block share its text: work it out once.
            if number not in self._block_texts:
                self._block_texts[number] = collapse("".join(self.pieces[first:stop]))
            if len(self._block_texts[number]) <= max_chars:
                return self._block_texts[number]
        inner = (link.first_leaf, link.last_leaf + 1)
        return window(self.pieces, self._ends, inner, (first, stop), max_chars)

    def offsets(self, link: Link, d_max: int = D_MAX) -> list[tuple[str, int]]:
        """Return the features ⟨t, d⟩ of a link: the terms near it with their DOM offsets.

        Terms inside the link are at offset 0; those of the n-th leaf to its
        left at -n, to its right at n. Leaves without text count.
        Chakrabarti, Punera and Subramanyam 2002, section 2.2.1.
        """
        first, last = link.first_leaf, link.last_leaf
        near = [(leaf, leaf - first) for leaf in range(max(0, first - d_max), first)]
        near += [(leaf, 0) for leaf in range(first, min(last + 1, first + MAX_INSIDE))]
        high = min(len(self.pieces), last + d_max + 1)
        near += [(leaf, leaf - last) for leaf in range(last + 1, high)]
        return [(term, offset) for leaf, offset in near for term in self._terms_of(leaf)]

    def _terms_of(self, leaf: int) -> list[str]:
        found = self._leaf_terms.get(leaf)
        if found is None:
            piece = self.pieces[leaf]
            found = self._leaf_terms[leaf] = terms(piece) if piece else []
        return found

    def _aggregation_node(self, link: Link, level: int | None) -> int:
        if level is not None and level < 1:
            raise ConfigError(
                f"level {level} of a link's context is no ancestor; use 1 for the parent, "
                "2 for its parent, and so on"
            )
        node = link.node
        steps = len(self.nodes) if level is None else level - 1
        while steps and node >= 0 and self.nodes[node].parent >= 0:
            if level is None and self.nodes[node].tag in BLOCKS:
                break
            node = self.nodes[node].parent
            steps -= 1
        return node

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(map(len, self.pieces), initial=0))

    @cached_property
    def _block_texts(self) -> dict[int, str]:
        return {}

    @cached_property
    def _leaf_terms(self) -> dict[int, list[str]]:
        return {}
