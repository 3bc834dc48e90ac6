"""Reading pages: from a response to a page with text, links and their surroundings.

In the order of reading:

- ``read``: a response becomes a page, or a `PageError` says why not
- ``charset``: bytes become text
- ``html_tree``: text becomes a tree of what can be seen
- ``links``: one pass over the tree finds the links, the text and what the page declares
- ``page``: the page, and what is worked out on demand: terms, contexts of links, language
- ``embedded``: what a page says in JSON-LD, Microdata and RDFa
- ``background``: how often terms occur in the pages of a collection
"""

from __future__ import annotations

from semcrawl.page.embedded.statements import PageStatements
from semcrawl.page.links import Link, Node
from semcrawl.page.page import Page
from semcrawl.page.read import read_html, read_page

__all__ = ["Link", "Node", "Page", "PageStatements", "read_html", "read_page"]
