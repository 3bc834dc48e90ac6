"""What a crawler stumbles over: dead links, redirects, files, robots.txt, odd encodings."""

from __future__ import annotations

import hashlib
import re
import struct
import zlib
from typing import TYPE_CHECKING

from semcrawl.demo.pages import Sheet, Sheets, point_to
from semcrawl.demo.prose import SUBJECTS, Composer, filler
from semcrawl.web.response import Response

if TYPE_CHECKING:
    from random import Random

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


_CLINIC = "http://www.breath-clinic.test/"
_LUNG = "http://www.chest-and-lung.test/"
_DIARY = "http://my-breathing-diary.test/"
_MOVES = "http://www.healthy-moves.test/"
_TOWN = "http://www.town-of-millbrook.test/"

DEAD_LINKS = frozenset(
    {
        _CLINIC + "leaflets/old-asthma-leaflet.html",
        _DIARY + "photos.html",
        "http://www.daily-lantern.test/story/0.html",
        "http://www.gone-with-the-server.test/",
    }
)
"""URLs that pages link to and nobody answers."""


def plan_oddities(sheets: Sheets, rng: Random) -> None:
    """Plan the odd pages, and links to them and to what is no page."""
    _forbidden_folder(sheets, rng)
    _foreign_pages(sheets, rng)
    _page_with_base(sheets)
    _dead_ends(sheets)


def files() -> dict[str, Response]:
    """Return the answers that are no pages, by URL."""
    robots = b"User-agent: *\nDisallow: /records/\n"
    answers = [
        _file(_CLINIC + "robots.txt", "text/plain", robots),
        _file(_TOWN + "robots.txt", "text/plain", b"User-agent: *\nDisallow:\n"),
        _file(_CLINIC + "leaflets/asthma.pdf", "application/pdf", _PDF),
        _file(_LUNG + "images/lung.png", "image/png", _png()),
        _file(_DIARY + "peak-flow.txt", "text/plain", b"week 1: 420\nweek 2: 435\n"),
        _redirect(_CLINIC + "welcome.html", _CLINIC),
        _redirect("http://chest-and-lung.test/", _LUNG),
        _redirect(_TOWN + "round/a", _TOWN + "round/b"),
        _redirect(_TOWN + "round/b", _TOWN + "round/a"),
        _file(_MOVES + "closed.html", "text/html", b"<title>Gone</title><p>Closed.</p>", 410),
    ]
    return {answer.url: answer for answer in answers}


def _forbidden_folder(sheets: Sheets, rng: Random) -> None:
    """Plan pages that robots.txt keeps robots away from; they look as if on the subject."""
    subject = SUBJECTS["breathing"]
    writer = Composer(subject, rng)
    home = sheets[_CLINIC]
    for number, concept in enumerate(rng.sample(subject.concepts, 3), start=1):
        name = writer.name(concept)
        texts = writer.article(concept, 0.9)
        page = sheets.add(Sheet(f"{_CLINIC}records/{number}.html", name, f"Records: {name}", texts))
        home.link(page.url, f"{name}, a respiratory disease: case records", "list")


def _foreign_pages(sheets: Sheets, rng: Random) -> None:
    breathing, dishes = SUBJECTS["breathing"], SUBJECTS["dishes"]
    german = Sheet(_LUNG + "de/asthma.html", "Asthma (Deutsch)", "Was ist Asthma?", list(_GERMAN))
    german.subject, german.language = breathing, "de"
    sheets[_LUNG].link(sheets.add(german).url, "Auf Deutsch")
    cafe = Sheet("http://sunday-saucepan.test/cafe.html", "crème brûlée at the café",
                 "Crème brûlée at the café", [*_LATIN, filler(rng, 4)])  # fmt: skip
    cafe.subject, cafe.charset, cafe.look = dishes, "iso-8859-1", "homepage"
    sheets["http://sunday-saucepan.test/"].link(sheets.add(cafe).url, "a café", "list")
    for page in (german, cafe):
        page.anchors.append(point_to(rng, sheets[f"http://{page.host}/"]))


def _page_with_base(sheets: Sheets) -> None:
    """Plan a page whose relative links start from another folder than its own."""
    page = Sheet(_MOVES + "print/overview.html", "overview", "All about breath", [])
    page.base = _MOVES + "breathing/"
    page.subject = SUBJECTS["breathing"]
    page.paragraphs = [
        "An overview of every respiratory disease that we write about, for printing."
    ]
    for other in sheets.about(page.subject):
        if other.url.startswith(page.base):
            page.link(other.url, other.name, "list")
    sheets[page.base].link(sheets.add(page).url, "print version")


def _dead_ends(sheets: Sheets) -> None:
    clinic, lung, diary, moves = (sheets[url] for url in (_CLINIC, _LUNG, _DIARY, _MOVES))
    clinic.link(_CLINIC + "leaflets/old-asthma-leaflet.html", "asthma leaflet", "list")
    clinic.link(_CLINIC + "leaflets/asthma.pdf", "respiratory disease leaflet (PDF)", "list")
    lung.link(_LUNG + "images/lung.png", "picture of a lung", "list")
    lung.link(_CLINIC + "welcome.html", "our partner clinic", "list")
    diary.link(_DIARY + "photos.html", "photos")
    diary.link(_DIARY + "peak-flow.txt", "my peak flow", "list")
    diary.link("http://chest-and-lung.test/", "Chest and lung", "list")
    diary.link(_CLINIC + "?PHPSESSID=0af3c29be1714d5c", "the clinic", "list")
    diary.link("http://www.gone-with-the-server.test/", "a site on cough and cold", "list")
    moves.link(_MOVES + "closed.html", "breathing course", "list")
    sheets["http://www.daily-lantern.test/"].link(
        "http://www.daily-lantern.test/story/0.html", "yesterday", "list"
    )
    sheets[_TOWN].link(_TOWN + "round/a", "ring road", "list")


_GERMAN = (
    "Asthma ist eine Erkrankung der Atemwege. Die Bronchien sind eng, und das Atmen fällt schwer.",
    "Rauch, Staub und Kälte machen es schlimmer. Wer nachts hustet, sollte zum Arzt gehen.",
    "Viele Kranke leben gut damit, wenn sie ihre Mittel regelmäßig nehmen.",
)
_LATIN = (
    "The crème brûlée is a dish of custard under burnt sugar, and the café serves it cold.",
    "À la carte there is soufflé as well, and a naïve guest orders both for 4 £.",
)
_PDF = b"%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n"


def _file(url: str, kind: str, body: bytes, status: int = 200) -> Response:
    return Response(url, status, {"content-type": kind}, body, RECORDED_AT, 0.0)


def _redirect(url: str, target: str) -> Response:
    return Response(url, 301, {"location": target}, b"", RECORDED_AT, 0.0)


def _png() -> bytes:
    """Return a picture of one grey dot."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", 1, 1, 8, 0, 0, 0, 0)
    dot = zlib.compress(b"\x00\x80")
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", dot) + chunk(b"IEND", b"")
