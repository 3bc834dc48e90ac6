"""From markup to a tree of what can be seen, with lxml.

Taken out of the tree, with all that is in it: `SKIPPED` elements, ``noscript``
in the head, and what is hidden (the ``hidden`` attribute, an inline
``display: none``). ``html`` and ``body`` always stay, as pages hide them only
until a script has run.

Hostile markup: the HTML parser knows no entity declarations, hence no external
entities and no entity bombs, and it opens no files and no connections. Its
``huge_tree`` is on, which lets elements nest 2,048 deep instead of 256; behind
that depth nothing is read, and the caller bounds the markup. One weakness is
left: an element with 100,000 attributes would cost ten seconds, so markup long
enough for that is first listened to without building a tree.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, cast

from lxml import etree

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lxml.etree import _Element

# fmt: off
SKIPPED = frozenset({
    "applet", "audio", "canvas", "datalist", "noembed", "noframes", "object", "script",
    "select", "style", "template", "textarea", "video",
})
"""Elements whose content nobody reads on the page: code, form fields, and fallbacks.

``noscript`` is not among them: a crawler runs no scripts, so it reads what is
meant for those who do not.
"""
# fmt: on

MAX_ATTRIBUTES = 2_000  # an element of long markup with more attributes makes the page unreadable
TRUSTED_CHARS = 100_000
"""Shorter markup cannot hold the parser for more than a second, whatever is in it."""

_CHUNK = 65_536
_DEPTH = 2_048
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_SUSPECTS = etree.XPath("//*[@hidden or @style]")
_TAKEN_OUT = tuple(sorted(SKIPPED))
_SELF_CLOSED = re.compile(r"<([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)/>")
_VOID = frozenset({
    "area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param",
    "source", "track", "wbr",
})  # fmt: skip


class HostileMarkupError(ValueError):
    """Markup that is made to keep a parser busy."""


def parse(markup: str) -> _Element | None:
    """Return the root of a page's tree, or None if there is no element in it.

    >>> root = parse("<p>a<script>b</script>c<i hidden>d</i>")
    >>> "".join(root.itertext())
    'ac'
    """
    if len(markup) > TRUSTED_CHARS:
        _listen(markup)
    data = markup.encode("utf-8", "replace")
    root = _tree(data)
    if root is None:
        return None
    # Two searches of bytes cost a tenth of asking every element.
    small = data.lower()
    if b"hidden" in small or b"display" in small:
        _mark_hidden(root)
    for unread in root.iterfind("head/noscript"):
        unread.tag = "script"
    etree.strip_elements(root, *_TAKEN_OUT, with_tail=False)
    return root


def whole_tree(markup: str) -> _Element | None:
    """Return the root of the tree with what cannot be seen, too, of markup that `parse` took.

    >>> root = whole_tree("<p>a<script>b</script>")
    >>> "".join(root.itertext())
    'ab'
    """
    return _tree(markup.encode("utf-8", "replace"))


def _tree(data: bytes) -> _Element | None:
    # A parser of its own for each page: threads would queue for a shared one.
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True
    )
    root: _Element | None = etree.fromstring(data, parser)
    return root


def expand_empty(markup: str) -> str:
    """Return XHTML with its empty elements written as HTML understands them.

    In HTML the slash means nothing: ``<script src="x"/>`` would swallow the page.

    >>> expand_empty('<script src="x"/><br/>')
    '<script src="x"></script><br/>'
    """
    return _SELF_CLOSED.sub(_expand, markup)


def _expand(found: re.Match[str]) -> str:
    name, attributes = found.groups()
    return found.group() if name in _VOID else f"<{name}{attributes}></{name}>"


def _mark_hidden(root: _Element) -> None:
    for element in cast("list[_Element]", _SUSPECTS(root)):
        hidden = "hidden" in element.attrib or _UNSEEN.search(element.get("style", ""))
        if hidden and element.tag not in {"html", "body"}:
            element.tag = "script"


class _Listener:
    """A parser's target that only counts."""

    def __init__(self) -> None:
        self.depth = 0
        self.attributes = 0

    def start(self, _tag: str, attributes: Mapping[str, str]) -> None:
        self.depth += 1
        self.attributes = max(self.attributes, len(attributes))

    def end(self, _tag: str) -> None:
        self.depth -= 1

    def close(self) -> None:
        pass


def _listen(markup: str) -> None:
    """Raise `HostileMarkupError` for too many attributes; look no further than the tree will go."""
    heard = _Listener()
    parser = etree.HTMLParser(target=cast("Any", heard), encoding="utf-8", huge_tree=True)
    for start in range(0, len(markup), _CHUNK):
        parser.feed(markup[start : start + _CHUNK].encode("utf-8", "replace"))
        if heard.depth > _DEPTH:
            break
    parser.close()
    if heard.attributes > MAX_ATTRIBUTES:
        raise HostileMarkupError(f"an element has {heard.attributes} attributes")
