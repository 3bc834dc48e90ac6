"""From markup to a tree of what can be seen, with lxml.

The HTML parser knows no entity declarations, and opens no files and no connections.
An element with 100,000 attributes would take ten seconds, so long markup is first
parsed without building a tree. Elements nested deeper than 2,048 are not read.
"""

import re
from collections.abc import Mapping
from typing import Any, cast

from lxml import etree
from lxml.etree import _Element

from semcrawl.resources import facts_beside

SKIPPED = frozenset(facts_beside(__file__, "data/html.toml")["skipped"].split())
MAX_ATTRIBUTES = 2_000  # an element of long markup with more attributes makes the page unreadable
TRUSTED_CHARS = 100_000  # shorter markup takes a second at most

_CHUNK = 65_536
_DEPTH = 2_048
_UNSEEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
# Most styles hide nothing, and the search for them in the tree is the dear part; "&" may stand for any sign.
_UNSEEN_STYLES = (
    re.compile(rb"display\s*(?:&|:\s*(?:\w{0,9}&|none))"),
    re.compile(rb"visibility\s*(?:&|:\s*(?:\w{0,9}&|hidden))"),
)
_SUSPECTS = etree.XPath("//*[@hidden or @style]")
# Where this attribute may be: not in ``aria-hidden``, which many pages are full of.
_HIDDEN = re.compile(rb"hidden(?<![\w:.-]hidden)")
_VOID = "area|base|br|col|embed|frame|hr|img|input|link|meta|param|source|track|wbr"
# The parser would drop all that follows; browsers go on as if it were not there.
_END_OF_PAGE = re.compile(rb"</(?:html|body)(?=[\s/>])[^<>]*>", re.IGNORECASE)
_SELF_CLOSED = re.compile(rf"<(?!(?:{_VOID})[\s/])([A-Za-z][\w:.-]*)((?:\s[^<>]*)?)/>")


class HostileMarkupError(ValueError):
    """Markup that is made to keep a parser busy."""


def parse(markup: str) -> _Element | None:
    """Return the root of a page's visible tree, or None if there is no element in it.

    ``html`` and ``body`` stay, as pages hide them only until a script has run.

    >>> root = parse("<p>a<script>b</script>c<i hidden>d</i>")
    >>> "".join(root.itertext())
    'ac'
    """
    data = _END_OF_PAGE.sub(b"", markup.encode("utf-8", "replace"))
    if len(markup) > TRUSTED_CHARS:
        _check_attributes(data)
    root = _tree(data)
    if root is None:
        return None
    # Searches of bytes cost a tenth of asking every element.
    small = data.lower()
    if _HIDDEN.search(small) or any(pattern.search(small) for pattern in _UNSEEN_STYLES):
        for element in cast("list[_Element]", _SUSPECTS(root)):
            is_hidden = "hidden" in element.attrib or _UNSEEN.search(element.get("style", ""))
            if is_hidden and element.tag not in {"html", "body"}:
                element.tag = "script"
    for unread in root.iterfind("head/noscript"):
        unread.tag = "script"
    etree.strip_elements(root, *SKIPPED, with_tail=False)
    return root


def whole_tree(data: bytes) -> _Element | None:
    """Return the root of the tree of UTF-8 markup, with what cannot be seen.

    >>> "".join(whole_tree(b"<p>a<script>b</script>").itertext())
    'ab'
    """
    return _tree(_END_OF_PAGE.sub(b"", data))


def _tree(data: bytes) -> _Element | None:
    # A parser of its own for each page: threads would queue for a shared one.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    root: _Element | None = etree.fromstring(data, parser)
    return root


def expand_empty(markup: str) -> str:
    """Return XHTML with its empty elements closed by an end tag: HTML ignores the slash.

    >>> expand_empty('<script src="x"/><br/>')
    '<script src="x"></script><br/>'
    """
    return _SELF_CLOSED.sub(r"<\1\2></\1>", markup)


class _Counter:
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


def _check_attributes(data: bytes) -> None:
    counter = _Counter()
    parser = etree.HTMLParser(target=cast("Any", counter), encoding="utf-8", huge_tree=True)
    for start in range(0, len(data), _CHUNK):
        parser.feed(data[start : start + _CHUNK])
        if counter.depth > _DEPTH:
            break  # the tree goes no deeper
    parser.close()
    if counter.attributes > MAX_ATTRIBUTES:
        raise HostileMarkupError(f"an element has {counter.attributes} attributes")
