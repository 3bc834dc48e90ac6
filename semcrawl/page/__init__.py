"""Reading HTML: from a response to a page with text, links and their surroundings.

- `read`: a response becomes a page, or a `PageError` says why not
- `page`: the page, its links, and what is worked out on demand
- `walk`: the one pass over the markup
- `context`: bounded text around a link
- `background`: how often terms occur in the pages of a collection
- `embedded`: what a page says in JSON-LD, Microdata and RDFa
- `charset`, `language`, `declarations`: what a page says about itself
- `elements`: what the names of HTML elements mean here
"""

from __future__ import annotations

from semcrawl.page.embedded.statements import Statements
from semcrawl.page.page import Link, Node, Page
from semcrawl.page.read import read_html, read_page

__all__ = ["Link", "Node", "Page", "Statements", "read_html", "read_page"]
