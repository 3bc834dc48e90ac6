"""How links are read from a page: one pass over its tree finds links and text.

`Walk` notes each link (`FoundLink`), the leaves of text, and what the page declares; `links_of` joins the links with
the page's base. ``_HANDLERS`` says which elements are links, `Page.context` what text is around one.

A page's **leaves** are numbered in document order; the head has none. A leaf is a text
with a visible character (comments, scripts and what is hidden do not divide it), or an
element that holds no other leaf: ``<br>``, an empty ``<li>``. The text of such an element
is "", except for the ``alt`` of an image in a link or of an area, the ``title`` of a frame.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from lxml.etree import _Element

from semcrawl.resources import facts_beside
from semcrawl.web.urls import join

_HTML = facts_beside(__file__, "data/html.toml")
BLOCKS, LEAFLESS, NAVIGATION, ALTERNATE = (
    frozenset(_HTML[name].split()) for name in ("blocks", "leafless", "navigation", "alternate")
)
APART = BLOCKS.union(_HTML["apart"].split())

FEED_TYPES = frozenset({"application/rss+xml", "application/atom+xml"})
MAX_FEEDS = 10  # of a page
MAX_LINKS = 10_000  # links of a page that are kept
MAX_LENGTH = 1_000_000  # characters of all their URLs; a long base makes many of few bytes
MAX_ANCHOR = 1_000  # characters of a link's text that are kept; one with more was never closed
AGENT = "semcrawl"  # the name under which a page can address this crawler alone

# Directives with a colon: what stands before it is not the name of a robot.
_VALUED = frozenset({"unavailable_after", "max-snippet", "max-image-preview", "max-video-preview"})
_SEPARATORS = re.compile(r"[\s,;]+")
_REFRESH = re.compile(
    r"""\s*(?:\d+(?:\.[\d.]*)?|\.[\d.]*)(?:\s*[;,]\s*|\s+)(?:url\s*=\s*)?(?:"([^"]*)|'([^']*)|(.*))""",
    re.IGNORECASE | re.DOTALL,
)


def meta_directives(content: str) -> frozenset[str]:
    """Return the directives of a robots ``<meta>``, "none" written out.

    >>> sorted(meta_directives("NOINDEX, follow")), sorted(meta_directives("none"))
    (['follow', 'noindex'], ['nofollow', 'noindex', 'none'])
    """
    return _spelled_out(set(_SEPARATORS.split(content.lower())) - {""})


def header_directives(value: str) -> frozenset[str]:
    """Return the directives of an ``X-Robots-Tag`` field that are meant for this crawler.

    >>> sorted(header_directives("noindex, otherbot: noarchive, semcrawl: nofollow"))
    ['nofollow', 'noindex']
    """
    directives: set[str] = set()
    meant = True  # a robot's name goes for all that follows it, up to the next name
    for part in value.lower().split(","):
        name, colon, rest = part.partition(":")
        if colon and name.strip() not in _VALUED:
            meant = name.strip() in {AGENT, "*"}
            name = rest
        if meant:
            directives.add(name.strip())
    return _spelled_out(directives - {""})


def _spelled_out(directives: set[str]) -> frozenset[str]:
    return frozenset(directives | {"noindex", "nofollow"} if "none" in directives else directives)


def refresh_target(content: str) -> str | None:
    """Return where a ``<meta http-equiv=refresh>`` leads, or None if it only reloads.

    >>> refresh_target("0; URL='next.html'"), refresh_target("30")
    ('next.html', None)
    """
    found = _REFRESH.match(content)
    target = (found.group(1) or found.group(2) or found.group(3) or "").strip() if found else ""
    return target or None


class Link(NamedTuple):
    """A link of a page."""

    url: str  # canonical and without a fragment
    anchor: str = ""  # the visible text inside, images by their ``alt``, cut at `MAX_ANCHOR`
    rel: tuple[str, ...] = ()  # the words of its ``rel`` attribute in lower case
    nofollow: bool = False  # whether ``rel`` says so (`Page.nofollow` is for all links)
    position: int = 0  # its number among the page's links
    first_leaf: int = 0  # the first DOM leaf inside it
    last_leaf: int = -1  # inclusive; ``first_leaf - 1`` for ``link`` and ``meta``
    node: int = -1  # its parent's number in `Page.nodes`, -1 for none
    tag: str = "a"  # or ``area``, ``frame``, ``iframe``, ``link`` (next ...), ``meta`` (refresh)


class Node(NamedTuple):
    """An element with a link below it: parent's number or -1, name, leaves (inclusive)."""

    parent: int
    tag: str
    first_leaf: int
    last_leaf: int


@dataclass(slots=True)
class FoundLink:
    """A link as written, not yet joined with the page's base; fields as in `Link`."""

    tag: str
    href: str
    rel: str
    first_leaf: int
    last_leaf: int
    node: int


class Walk:
    """What is in a page's tree, found in one pass.

    >>> from semcrawl.page.html_tree import parse
    >>> found = Walk(parse("<p>See <a href=x>this <b>page</b></a>"), max_links=10)
    >>> found.pieces, [(link.href, link.first_leaf, link.last_leaf) for link in found.links]
    ([' See ', 'this ', 'page'], [('x', 1, 2)])
    """

    def __init__(self, root: _Element, *, max_links: int, alternates: frozenset[str] = frozenset()) -> None:
        self.pieces: list[str] = []  # as in `Page`
        self.links: list[FoundLink] = []
        self.feeds: list[str] = []
        self.nodes: list[list[Any]] = []  # the elements around links by number, as `Node` has them
        self.title: str | None = None
        self.description: str | None = None
        self.language: str | None = None
        self.meta_language: str | None = None
        self.base: str | None = None
        self.canonical: str | None = None
        self.directives: set[str] = set()
        self.max_links = max_links
        self.alternates = alternates  # media types of other forms of the page that are links
        self.full = False
        self._gap = ""
        # The open elements with their first leaves. Those that have a number
        # are the outer ones: whoever numbers one numbers all around it.
        self._stack: list[tuple[_Element, str, int]] = []
        self._drawing = 0  # the place of the outermost drawing, while that is open
        self._numbers: list[int] = []
        self._open: list[tuple[int, FoundLink]] = []
        self._read(root)

    def _read(self, root: _Element) -> None:
        pieces, stack = self.pieces, self._stack
        parent: _Element | None = None
        for element in root.iter("*"):
            above = element.getparent()
            while parent is not above:
                parent = self._leave()
            tag: str = element.tag
            first = len(pieces)
            if (special := _HANDLERS.get(tag)) is not None:
                special(self, element)
            if tag in APART:
                self._gap = " "
            stack.append((element, tag, first))
            parent = element
            if text := element.text:
                if text.isspace():
                    self._gap = " "
                else:
                    pieces.append(self._gap + text)
                    self._gap = ""
        while stack:
            self._leave()

    def _leave(self) -> _Element | None:
        """End the innermost open element and read the text behind it; return its parent."""
        stack, pieces = self._stack, self.pieces
        element, tag, first = stack.pop()
        if first == len(pieces):
            if tag not in LEAFLESS:
                pieces.append("")
        elif tag == "title":
            if self.title is None and not self._is_in_drawing():
                self.title = "".join(self.pieces[first:])
            del self.pieces[first:]
            self._gap = " "
        if tag in APART:
            self._gap = " "
        if len(self._numbers) > len(stack):
            self.nodes[self._numbers.pop()][3] = len(pieces) - 1
        if self._open and self._open[-1][0] == len(stack):
            self._open.pop()[1].last_leaf = len(pieces) - 1
        if text := element.tail:
            if text.isspace():
                self._gap = " "
            else:
                pieces.append(self._gap + text)
                self._gap = ""
        return stack[-1][0] if stack else None

    def _is_in_drawing(self) -> bool:
        # Drawings have titles too.
        return self._drawing < len(self._stack) and self._stack[self._drawing][1] == "svg"

    def _svg(self, _element: _Element) -> None:
        if not self._is_in_drawing():
            self._drawing = len(self._stack)

    def _add_link(self, tag: str, href: str, rel: str = "") -> FoundLink | None:
        if len(self.links) >= self.max_links:
            self.full = True
            return None
        first = len(self.pieces)
        link = FoundLink(tag, href, rel, first, first - 1, self._innermost_node())
        self.links.append(link)
        return link

    def _innermost_node(self) -> int:
        numbers = self._numbers
        for _, tag, first in self._stack[len(numbers) :]:
            self.nodes.append([numbers[-1] if numbers else -1, tag, first, -1])
            numbers.append(len(self.nodes) - 1)
        return numbers[-1] if numbers else -1

    def _add_label(self, label: str) -> None:
        self.pieces.append(f" {label}" if label and not label.isspace() else "")

    def _html(self, element: _Element) -> None:
        self.language = self.language or element.get("lang") or element.get("xml:lang") or None

    def _anchor(self, element: _Element) -> None:
        href = element.get("href", element.get("xlink:href"))
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

    def _frame(self, element: _Element) -> None:
        source = element.get("src")
        link = self._add_link(element.tag, source) if source else None
        self._add_label(element.get("title", ""))
        if link:
            link.last_leaf = link.first_leaf
        element.text = None  # shown where frames are not

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
        is_navigation = not NAVIGATION.isdisjoint(relations) and "stylesheet" not in relations
        kind = element.get("type", "").partition(";")[0].strip().lower()
        is_other_form = not ALTERNATE.isdisjoint(relations)
        if is_navigation or (is_other_form and kind in self.alternates):
            self._add_link("link", href, rel)
        elif is_other_form and kind in FEED_TYPES and len(self.feeds) < MAX_FEEDS:
            self.feeds.append(href)

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
            field = element.get("http-equiv", "").strip().lower()
            if field == "refresh" and (target := refresh_target(content)):
                self._add_link("meta", target)
            elif field == "content-language":
                self.meta_language = self.meta_language or content


_HANDLERS: dict[str, Callable[[Walk, _Element], None]] = {
    "a": Walk._anchor,
    "area": Walk._area,
    "base": Walk._base,
    "frame": Walk._frame,
    "html": Walk._html,
    "iframe": Walk._frame,
    "img": Walk._image,
    "link": Walk._link,
    "meta": Walk._meta,
    "svg": Walk._svg,
}


def links_of(found: Walk, base: str, url: str) -> list[Link]:
    """Return the links of the page at a URL, joined with its base, without those to itself."""
    links: list[Link] = []
    targets: dict[str, str | None] = {}
    pieces, length = found.pieces, 0
    for link in found.links:
        # Pages link to one target again and again; joining is the dear part.
        href = link.href.partition("#")[0]
        if href not in targets:
            targets[href] = join(base, href) if length < MAX_LENGTH else None
            length += len(targets[href] or "")
        target = targets[href]
        if target is None or target == url:
            continue
        first, last = link.first_leaf, link.last_leaf
        words = "".join(pieces[first : min(last + 1, first + MAX_ANCHOR)])
        anchor = " ".join(words[: 4 * MAX_ANCHOR].split())[:MAX_ANCHOR].rstrip()
        rel = tuple(link.rel.lower().split()) if link.rel else ()
        links.append(Link(target, anchor, rel, "nofollow" in rel, len(links), first, last, link.node, link.tag))
    return links
