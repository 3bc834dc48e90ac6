from __future__ import annotations

import pytest

from semcrawl.demo import demo_web
from semcrawl.demo.web import CALENDAR_START, CATALOGUE_START
from semcrawl.page import Page, read_page


def trap_page(url: str) -> Page:
    response = demo_web().respond(url)
    assert response is not None
    return read_page(response)


def test_the_calendar_has_a_next_month_for_ever() -> None:
    url, seen = CALENDAR_START, set[str]()
    for _ in range(500):
        assert url not in seen
        seen.add(url)
        url = next(link.url for link in trap_page(url).links if link.anchor == "next month")
    assert url == "http://www.town-of-millbrook.test/calendar/2043/05/"


@pytest.mark.parametrize(
    ("month", "after"),
    [("1999/12/", "2000/01/"), ("2001/01/", "2001/02/"), ("9999999999999/12/", "10000000000000/01/")],
)
def test_months_follow_each_other(month: str, after: str) -> None:
    base = CALENDAR_START.removesuffix("2001/09/")
    targets = {link.anchor: link.url for link in trap_page(base + month).links}
    assert targets["next month"] == base + after
    back = {link.anchor: link.url for link in trap_page(base + after).links}
    assert back["previous month"] == base + month


def test_the_catalogue_gives_the_same_items_under_new_addresses() -> None:
    seen = {CATALOGUE_START}
    level = [CATALOGUE_START]
    for _ in range(3):
        level = [link.url for url in level for link in trap_page(url).links if "visit" in link.url]
        assert not seen.intersection(level)
        assert len(set(level)) == len(level)
        seen.update(level)
    assert {trap_page(url).title for url in level} == {f"Article {n}" for n in range(1, 7)}


@pytest.mark.parametrize(
    "url",
    [
        "http://www.town-of-millbrook.test/",
        "http://www.town-of-millbrook.test/calendar/",
        "http://www.town-of-millbrook.test/calendar/2001/13/",
        "http://www.town-of-millbrook.test/calendar/2001/00/",
        "http://www.town-of-millbrook.test/calendar/-1/05/",
        f"http://www.town-of-millbrook.test/calendar/{'9' * 5000}/05/",
        "http://www.market-arcade.test/catalogue",
        "http://www.market-arcade.test/catalogue?visit=<script>",
        "http://elsewhere.test/calendar/2001/09/",
        "",
    ],
)
def test_what_is_outside_the_traps_has_no_answer(url: str) -> None:
    assert demo_web().respond(url) is None
