"""What the names of HTML elements mean to a reader of text and links."""

from __future__ import annotations

__all__ = ["APART", "BLOCKS", "LEAFLESS", "NAVIGATION", "SKIPPED"]

# fmt: off
BLOCKS = frozenset({
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd",
    "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer",
    "form", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "html",
    "legend", "li", "main", "menu", "nav", "ol", "optgroup", "option", "p", "pre", "section",
    "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul", "xmp",
})
"""Elements that begin on a line of their own and hold a text of their own."""

APART = BLOCKS | {"area", "br", "frame", "hr", "iframe", "img"}
"""Elements across which words never run together."""

SKIPPED = frozenset({
    "applet", "audio", "canvas", "datalist", "noembed", "noframes", "object", "script",
    "select", "style", "template", "textarea", "video",
})
"""Elements whose content nobody reads on the page: code, form fields, and fallbacks.

``noscript`` is not among them: a crawler runs no scripts, so it reads what is
meant for those who do not.
"""

LEAFLESS = frozenset({
    "base", "body", "head", "html", "link", "meta", "title",
})
"""Elements that are no DOM leaf even when they are empty: they take no place on the page."""

NAVIGATION = frozenset({
    "appendix", "chapter", "contents", "first", "index", "last", "next", "prev", "previous",
    "section", "start", "subsection", "up",
})
"""Relations of a ``<link>`` that lead to another page to read, not to a style or an icon."""
# fmt: on
