"""The one pass over a page's tree.

A page's **leaves** are numbered in document order. A leaf is

- a text with at least one visible character; a comment, a script or something
  hidden in its midst does not divide it; blank text between elements is none;
- an element that holds no other leaf: ``<br>``, ``<img>``, an empty ``<li>``.
  Its text is "", except for what stands for a link's words: the ``alt`` of an
  image inside a link or of an ``<area>``, the ``title`` of a frame.

The head has no leaves; what `parse` has taken out has neither leaves nor links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from semcrawl.page.declarations import AGENT, meta_directives, refresh_target
from semcrawl.page.elements import APART, LEAFLESS, NAVIGATION

if TYPE_CHECKING:
    from collections.abc import Callable

    from lxml.etree import _Element

__all__ = ["FoundLink", "Walk", "walk"]


@dataclass(slots=True)
class FoundLink:
    """A link as written: where it leads is known once the page's base is.

    ``last_leaf`` is ``first_leaf - 1`` for a link without a place on the page,
    such as a ``<link>`` or a refresh.
    """

    tag: str
    href: str
    rel: str
    first_leaf: int
    last_leaf: int
    node: int


class Walk:
    """What was found on a page so far; the state of the pass.

    Attributes:
        pieces: text of each leaf as written, with a blank in front where a
            block or blank text separates it from the leaf before.
        links: the links in document order.
        node_parents, node_tags, node_firsts, node_lasts: the elements around
            links, by number; parents come before children, -1 is no parent.
    """

    def __init__(self, max_links: int) -> None:
        self.pieces: list[str] = []
        self.links: list[FoundLink] = []
        self.node_parents: list[int] = []
        self.node_tags: list[str] = []
        self.node_firsts: list[int] = []
        self.node_lasts: list[int] = []
        self.title: str | None = None
        self.description: str | None = None
        self.language: str | None = None
        self.meta_language: str | None = None
        self.base: str | None = None
        self.canonical: str | None = None
        self.directives: set[str] = set()
        self.max_links = max_links
        self.full = False
        self._gap = ""
        # The open elements with their first leaves. Those that have a number
        # are the outer ones: whoever numbers one numbers all around it.
        self._stack: list[tuple[_Element, str, int]] = []
        self._numbers: list[int] = []
        self._open: list[tuple[int, FoundLink]] = []

    def read(self, root: _Element) -> None:
        """Go through a tree in document order, with a stack instead of recursion."""
        pieces, stack = self.pieces, self._stack
        parent: _Element | None = None
        for element in root.iter("*"):
            above = element.getparent()
            while parent is not above:
                parent = self._leave()
            tag: str = element.tag
            first = len(pieces)
            special = _SPECIAL.get(tag)
            if special is not None:
                special(self, element)
            if tag in APART:
                self._gap = " "
            stack.append((element, tag, first))
            parent = element
            text = element.text
            if text:
                if text.isspace():
                    self._gap = " "
                else:
                    pieces.append(self._gap + text)
                    self._gap = ""
        while stack:
            self._leave()

    def _leave(self) -> _Element | None:
        """End the innermost open element, read the text behind it, return its parent."""
        stack, pieces = self._stack, self.pieces
        element, tag, first = stack.pop()
        if first == len(pieces):
            if tag not in LEAFLESS:
                pieces.append("")
        elif tag == "title":
            self._take_title(first)
        if tag in APART:
            self._gap = " "
        if len(self._numbers) > len(stack):
            self.node_lasts[self._numbers.pop()] = len(pieces) - 1
        if self._open and self._open[-1][0] == len(stack):
            self._open.pop()[1].last_leaf = len(pieces) - 1
        text = element.tail
        if text:
            if text.isspace():
                self._gap = " "
            else:
                pieces.append(self._gap + text)
                self._gap = ""
        return stack[-1][0] if stack else None

    def _take_title(self, first: int) -> None:
        # Drawings have titles too.
        if self.title is None and not any(tag == "svg" for _, tag, _ in self._stack):
            self.title = "".join(self.pieces[first:])
        del self.pieces[first:]
        self._gap = " "

    def _add_link(self, tag: str, href: str, rel: str = "") -> FoundLink | None:
        if len(self.links) >= self.max_links:
            self.full = True
            return None
        first = len(self.pieces)
        link = FoundLink(tag, href, rel, first, first - 1, self._innermost_node())
        self.links.append(link)
        return link

    def _innermost_node(self) -> int:
        """Number the open elements that have no number yet; return the innermost one's."""
        numbers = self._numbers
        for _, tag, first in self._stack[len(numbers) :]:
            self.node_parents.append(numbers[-1] if numbers else -1)
            self.node_tags.append(tag)
            self.node_firsts.append(first)
            self.node_lasts.append(-1)
            numbers.append(len(self.node_parents) - 1)
        return numbers[-1] if numbers else -1

    def _add_label(self, label: str) -> None:
        """Add a leaf whose words are an attribute's."""
        self.pieces.append(f" {label}" if label and not label.isspace() else "")

    def _html(self, element: _Element) -> None:
        self.language = self.language or element.get("lang") or element.get("xml:lang") or None

    def _anchor(self, element: _Element) -> None:
        href = element.get("href")
        if href is None:
            href = element.get("xlink:href")
        if href is not None and (link := self._add_link("a", href, element.get("rel", ""))):
            self._open.append((len(self._stack), link))

    def _image(self, element: _Element) -> None:
        if self._open:
            self._add_label(element.get("alt", ""))

    def _area(self, element: _Element) -> None:
        href = element.get("href")
        if href is not None and (link := self._add_link("area", href, element.get("rel", ""))):
            self._add_label(element.get("alt", ""))
            link.last_leaf = link.first_leaf

    def _frame(self, element: _Element, tag: str = "frame") -> None:
        source = element.get("src")
        link = self._add_link(tag, source) if source else None
        self._add_label(element.get("title", ""))
        if link:
            link.last_leaf = link.first_leaf

    def _iframe(self, element: _Element) -> None:
        self._frame(element, "iframe")
        # What is inside is shown where frames are not.
        element.text = None

    def _base(self, element: _Element) -> None:
        if self.base is None:
            self.base = element.get("href")

    def _link(self, element: _Element) -> None:
        rel = element.get("rel", "")
        href = element.get("href")
        if not rel or not href:
            return
        relations = rel.lower().split()
        if "canonical" in relations and self.canonical is None:
            self.canonical = href
        if not NAVIGATION.isdisjoint(relations) and "stylesheet" not in relations:
            self._add_link("link", href, rel)

    def _meta(self, element: _Element) -> None:
        content = element.get("content")
        if not content:
            return
        name = (element.get("name") or element.get("property") or "").strip().lower()
        if name in {"robots", AGENT}:
            self.directives |= meta_directives(content)
        elif name == "description" or (name == "og:description" and not self.description):
            self.description = content
        elif not name:
            self._http_equiv(element.get("http-equiv", "").strip().lower(), content)

    def _http_equiv(self, field: str, content: str) -> None:
        if field == "refresh":
            target = refresh_target(content)
            if target:
                self._add_link("meta", target)
        elif field == "content-language":
            self.meta_language = self.meta_language or content


_SPECIAL: dict[str, Callable[[Walk, _Element], None]] = {
    "a": Walk._anchor,
    "area": Walk._area,
    "base": Walk._base,
    "frame": Walk._frame,
    "html": Walk._html,
    "iframe": Walk._iframe,
    "img": Walk._image,
    "link": Walk._link,
    "meta": Walk._meta,
}


def walk(root: _Element, *, max_links: int) -> Walk:
    """Return what is in a page's tree, in one pass.

    >>> from semcrawl.page.parse import parse
    >>> found = walk(parse("<p>See <a href=x>this <b>page</b></a>"), max_links=10)
    >>> found.pieces, [(link.href, link.first_leaf, link.last_leaf) for link in found.links]
    ([' See ', 'this ', 'page'], [('x', 1, 2)])
    """
    found = Walk(max_links)
    found.read(root)
    return found
