"""Pages that mean harm are shown as text; nothing of them runs, and nothing is fetched."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest

from tests.serve.browser.conftest import HOSTILE_TITLE, HOSTILE_URL

if TYPE_CHECKING:
    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served

QUERY = f"SELECT ?s ?o (<{HOSTILE_URL}> AS ?link) WHERE {{ ?s ?p ?o }} ORDER BY ?s LIMIT 100"
ASKED = quote(QUERY, safe="")
NO_PAGE = "the server responded with a status of 422"
"""What the console says where a page is not in the recorded web, to be explained."""

SEED = quote("http://a.test/", safe="")
# A view, and what must be seen there as text before the rest is looked at.
VIEWS = {
    "monitor?step=1": (".details-title", HOSTILE_TITLE),
    "pages": ("tbody .cell-title", HOSTILE_TITLE),
    "waiting": ("tbody", HOSTILE_URL),
    "dropped": ("tbody", "<img src=x onerror=alert(1)>"),
    f"page?url={SEED}": ("h1", HOSTILE_TITLE),
    f"page?url={quote(HOSTILE_URL, safe='')}": (".page-url", HOSTILE_URL),
    f"picture?url={SEED}": (".picture-legend", "page"),
    f"ask?run=1&text={ASKED}": (".results tbody", HOSTILE_URL),
}
# Attributes and elements by which a text could have become more than text.
DANGERS = """
const risky = [...document.querySelectorAll("*")].filter((node) =>
  [...node.attributes].some(({ name, value }) =>
    name.startsWith("on") || /^\\s*(javascript|data|vbscript):/i.test(value) &&
    ["href", "src", "action", "formaction", "xlink:href"].includes(name)));
const ours = [...document.querySelectorAll("main img, main script, main svg[onload], main iframe")];
return [...risky, ...ours].map((node) => node.outerHTML);
"""


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.partition("?")[0])
def test_hostile_texts_are_only_text(reader: Reader, hostile: Served, view: str) -> None:
    reader.expects = [NO_PAGE]
    css, text = VIEWS[view]
    reader.visit(hostile.url, view)
    reader.see(css, text)
    assert reader.run(DANGERS) == []
    assert reader.run("return document.documentElement.dataset.owned") is None


def test_what_a_page_says_itself_is_only_text(reader: Reader, hostile: Served) -> None:
    reader.expects = [NO_PAGE]
    reader.visit(hostile.url, f"page?url={SEED}")
    reader.see(".things", HOSTILE_TITLE)
    assert reader.see(".things .inert", HOSTILE_URL).tag_name == "span"
    assert reader.run(DANGERS) == []


def test_a_link_that_would_run_cannot_be_followed(reader: Reader, hostile: Served) -> None:
    reader.expects = [NO_PAGE]
    reader.visit(hostile.url, f"page?url={quote(HOSTILE_URL, safe='')}")
    address = reader.see(".page-url .inert", HOSTILE_URL)
    assert address.tag_name == "span"
    address.click()
    assert reader.run("return document.documentElement.dataset.owned") is None


def test_links_to_crawled_pages_do_not_tell_where_one_comes_from(reader: Reader, hostile: Served) -> None:
    reader.visit(hostile.url, "pages")
    link = reader.see("a.outside")
    assert link.get_attribute("rel") == "noreferrer noopener nofollow"
    assert link.get_attribute("target") == "_blank"


def test_a_script_that_got_in_would_not_run(reader: Reader, hostile: Served) -> None:
    """The Content-Security-Policy is the second wall: tried from within."""
    reader.expects = ["Content Security Policy"]
    reader.visit(hostile.url)
    reader.see("#crawl-name", "asthma")
    reader.run(
        "const script = document.createElement('script');"
        "script.textContent = 'document.documentElement.dataset.owned = 1';"
        "document.body.append(script);"
    )
    assert reader.run("return document.documentElement.dataset.owned") is None
