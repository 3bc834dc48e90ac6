"""The endless traps of the demo web: a calendar without end, and a catalogue of session ids."""

import hashlib
import re

from semcrawl.resources import facts_beside
from semcrawl.web.response import Response

RECORDED_AT = 1_000_000_000.0

_CALENDAR = "http://www.town-of-millbrook.test/calendar/"
_CATALOGUE = "http://www.market-arcade.test/catalogue"
CALENDAR_START = f"{_CALENDAR}2001/09/"
CATALOGUE_START = f"{_CATALOGUE}?visit=start"

_MONTH = re.compile(rf"{re.escape(_CALENDAR)}([0-9]{{1,1000}})/(0[1-9]|1[0-2])/")
_VISIT = re.compile(rf"{re.escape(_CATALOGUE)}\?visit=([0-9a-z]{{1,40}})(?:&item=([0-9]{{1,3}}))?")
_TEXTS = facts_beside(__file__, "traps.toml")


def trap_response(url: str) -> Response | None:
    """Return the page of a canonical URL inside an endless trap, None for one outside."""
    if month := _MONTH.fullmatch(url):
        return html_response(url, _calendar_page(int(month[1]), int(month[2])).encode())
    if visit := _VISIT.fullmatch(url):
        return html_response(url, _catalogue_page(visit[1], visit[2] or "").encode())
    return None


def html_response(url: str, html: bytes, charset: str = "utf-8") -> Response:
    """Return an answer that is a page."""
    headers = {"content-type": f"text/html; charset={charset}"}
    return Response(url, 200, headers, html, RECORDED_AT, 0.0)


def _calendar_page(year: int, month: int) -> str:
    past, future = divmod(year * 12 + month - 2, 12), divmod(year * 12 + month, 12)
    events = _TEXTS["events"]
    days = "".join(
        f"<tr><td>{day}</td><td>{events[(year + month + day) % len(events)]}</td></tr>"
        for day in range(3, 28, 5)
    )
    earlier = f'<a href="{_month_url(*past)}">previous month</a>' if past[0] > 0 else ""
    page: str = _TEXTS["calendar"].format(
        month=month, year=year, days=days, earlier=earlier, later=_month_url(*future)
    )
    return page


def _month_url(year: int, month: int) -> str:
    return f"{_CALENDAR}{year}/{month + 1:02}/"


def _catalogue_page(visit: str, item: str) -> str:
    visits = (hashlib.sha256(f"{visit} {n}".encode()).hexdigest()[:12] for n in range(1, 7))
    links = "".join(
        f'<li><a href="/catalogue?visit={other}&amp;item={n}">article {n}</a></li>'
        for n, other in enumerate(visits, start=1)
    )
    heading = f"Article {item}" if item else "Catalogue"
    page: str = _TEXTS["catalogue"].format(heading=heading, links=links)
    return page
