"""What pages say themselves, in the view of a page: nested deeply, at length, or hardly at all."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from semcrawl import Crawl
from tests.cli.conftest import write_web
from tests.serve.browser.test_appearance import SIDEWAYS
from tests.serve.conftest import running_server

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served

DEEP, LONG, ONE = "http://a.test/", "http://a.test/long", "http://a.test/one"
LONG_TYPE = f"http://a.test/{'LongType' * 20}"
# What reaches out of the panel; how far each level is moved in; and properties without a value.
OUTSIDE = """
const right = document.querySelector(".things").getBoundingClientRect().right;
return [...document.querySelectorAll(".things *")]
  .filter((node) => node.getBoundingClientRect().right > right + 1).map((node) => node.className);
"""
INDENT = """
const left = (node) => node.getBoundingClientRect().left;
const things = [...document.querySelectorAll(".thing")];
return (Math.max(...things.map(left)) - left(things[0])) / 8;
"""
EMPTY = """
return [...document.querySelectorAll(".things dd")].filter((node) => !node.innerText.trim()).length;
"""


def department(level: int) -> dict[str, Any]:
    inside = {"department": department(level + 1)} if level < 12 else {}
    kinds = ["Organization", LONG_TYPE]
    return {"@type": kinds, "name": f"Department {level}", **inside}


def page(said: dict[str, Any], links: str = "") -> str:
    text = json.dumps({"@context": "https://schema.org", **said})
    return f'<title>Asthma</title><p>Asthma {links}<script type="application/ld+json">{text}</script>'


WEB = {
    DEEP: page(department(1), '<a href="/long">asthma</a> <a href="/one">asthma</a>'),
    LONG: page({"@type": "ItemList", "itemListElement": {"@list": [*map(str, range(200))]}}),
    ONE: page({"@id": ONE, "name": "Asthma"}),
}


@pytest.fixture(scope="module")
def telling(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A crawl of pages that say much of themselves, or little."""
    place = tmp_path_factory.mktemp("telling")
    web = str(write_web(place / "web", WEB))
    with Crawl("wordnet:asthma", [DEEP], place / "crawl", replay=(web,)) as crawl:
        crawl.run()
    with running_server(place / "crawl") as served:
        yield served


def visit(reader: Reader, served: Served, url: str) -> None:
    reader.visit(served.url, f"page?url={quote(url, safe='')}")
    reader.see(".things .thing")


@pytest.mark.parametrize("width", [1200, 390])
def test_nested_things_stay_in_their_panel(reader: Reader, telling: Served, width: int) -> None:
    reader.be_as_wide_as(width)
    visit(reader, telling, DEEP)
    assert reader.run(SIDEWAYS) <= 0
    assert reader.run(OUTSIDE) == []
    assert 0 < reader.run(INDENT) < 20


def test_a_thing_too_deep_inside_is_told_by_name_and_number(reader: Reader, telling: Served) -> None:
    visit(reader, telling, DEEP)
    reader.see(".said", "Department 10\nanother thing, shown as thing 1")
    reader.see(".things > .thing:nth-child(2) > .thing-head", "thing 1")
    reader.see(".things > .thing:nth-child(2)", "Department 10")
    assert reader.run(EMPTY) == 0


def test_a_cut_view_says_so(reader: Reader, telling: Served) -> None:
    visit(reader, telling, LONG)
    reader.see(".own-statements h2", "42 of 402 shown")
    reader.see(".things dd", "and 180 more values")
    reader.see(".own-statements a", "Ask for all 402 statements")


def test_a_single_statement_is_asked_for(reader: Reader, telling: Served) -> None:
    visit(reader, telling, ONE)
    reader.click(".own-statements a", "Ask for it")
    reader.see(".results tbody", "schema:name")
