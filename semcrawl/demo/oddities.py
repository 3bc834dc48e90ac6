"""What a crawler stumbles over: dead links, redirects, files, robots.txt, odd encodings."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from semcrawl.demo.compose import Composer
from semcrawl.demo.filler import filler
from semcrawl.demo.sheet import Sheet, Sheets, point_to
from semcrawl.demo.subjects import SUBJECTS
from semcrawl.demo.traps import RECORDED_AT
from semcrawl.web.response import Response

if TYPE_CHECKING:
    from random import Random

__all__ = ["DEAD_LINKS", "files", "plan_oddities"]

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
