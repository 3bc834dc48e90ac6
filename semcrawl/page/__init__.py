"""Reading pages: a response becomes a page with text, links and their surroundings.

In the order of reading: ``read``, ``html_tree``, ``links``, ``page``; then
``embedded`` (JSON-LD, Microdata, RDFa) and ``background`` (document frequencies).
"""

from semcrawl.page.links import Link
from semcrawl.page.page import Page
from semcrawl.page.read import read_html, read_page

__all__ = ["Link", "Page", "read_html", "read_page"]
