"""Endless parts of the demo web: a calendar without end, a catalogue that counts visits."""

from __future__ import annotations

import hashlib
import re

from semcrawl.web.response import Response

__all__ = ["CALENDAR_START", "CATALOGUE_START", "RECORDED_AT", "html_response", "trap_response"]

RECORDED_AT = 1_000_000_000.0
"""The Unix time that all answers of the demo web carry."""

_CALENDAR = "http://www.town-of-millbrook.test/calendar/"
_CATALOGUE = "http://www.market-arcade.test/catalogue"
CALENDAR_START = f"{_CALENDAR}2001/09/"
"""The month of the calendar that is linked to."""
CATALOGUE_START = f"{_CATALOGUE}?visit=start"
"""The way into the catalogue."""

_MONTH = re.compile(rf"{re.escape(_CALENDAR)}([0-9]{{1,1000}})/(0[1-9]|1[0-2])/")
_VISIT = re.compile(rf"{re.escape(_CATALOGUE)}\?visit=([0-9a-z]{{1,40}})(?:&item=([0-9]{{1,3}}))?")
_EVENTS = ("Open rehearsal of the town band", "Blood donors' breakfast", "Walk around the lake",
           "Flea market", "Talk with slides", "Council meeting", "Children's cinema")  # fmt: skip
_ITEMS = 6


def trap_response(url: str) -> Response | None:
    """Return the page of a canonical URL inside a trap, None for one outside.

    Every month of the calendar has a next one. Every page of the catalogue
    leads to the same few items under addresses that were never seen before.
    """
    if month := _MONTH.fullmatch(url):
        return _calendar_page(url, int(month[1]), int(month[2]))
    if visit := _VISIT.fullmatch(url):
        return _catalogue_page(url, visit[1], visit[2] or "")
    return None


def html_response(url: str, html: str) -> Response:
    """Return HTML as an answer in UTF-8."""
    headers = {"content-type": "text/html; charset=utf-8"}
    return Response(url, 200, headers, html.encode(), RECORDED_AT, 0.0)


def _calendar_page(url: str, year: int, month: int) -> Response:
    past, future = divmod(year * 12 + month - 2, 12), divmod(year * 12 + month, 12)
    days = "".join(
        f"<tr><td>{day}</td><td>{_EVENTS[(year + month + day) % len(_EVENTS)]}</td></tr>"
        for day in range(3, 28, 5)
    )
    earlier = f'<a href="{_month_url(*past)}">previous month</a>' if past[0] > 0 else ""
    return html_response(
        url,
        f'<html lang="en"><title>Events in {month}/{year}</title><h1>Events in {month}/{year}</h1>'
        f'<table>{days}</table><p>{earlier} <a href="{_month_url(*future)}">next month</a> '
        '<a href="/">home</a></p></html>',
    )


def _month_url(year: int, month: int) -> str:
    return f"{_CALENDAR}{year}/{month + 1:02}/"


def _catalogue_page(url: str, visit: str, item: str) -> Response:
    links = "".join(
        f'<li><a href="/catalogue?visit={_next_visit(visit, number)}&amp;item={number}">'
        f"article {number}</a></li>"
        for number in range(1, _ITEMS + 1)
    )
    heading = f"Article {item}" if item else "Catalogue"
    return html_response(
        url,
        f'<html lang="en"><title>{heading}</title><h1>{heading}</h1>'
        f"<p>Prices include tax. Customers also looked at:</p><ul>{links}</ul>"
        '<p><a href="/">home</a></p></html>',
    )


def _next_visit(visit: str, number: int) -> str:
    return hashlib.sha256(f"{visit} {number}".encode()).hexdigest()[:12]
