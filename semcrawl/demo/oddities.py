"""What a crawler must cope with: endless traps, dead links, redirects, files, odd encodings."""

import hashlib
import re
from random import Random

from semcrawl.demo.pages import Sheet, Sheets, point_to
from semcrawl.demo.prose import MARKUP, ODDITIES, SUBJECTS, Composer, filler
from semcrawl.web.response import Response

RECORDED_AT = 1_000_000_000.0

_CALENDAR = "http://www.town-of-millbrook.test/calendar/"
_CATALOGUE = "http://www.market-arcade.test/catalogue"
CALENDAR_START = f"{_CALENDAR}2001/09/"
CATALOGUE_START = f"{_CATALOGUE}?visit=start"

_MONTH = re.compile(rf"{re.escape(_CALENDAR)}([0-9]{{1,1000}})/(0[1-9]|1[0-2])/")
_VISIT = re.compile(rf"{re.escape(_CATALOGUE)}\?visit=([0-9a-z]{{1,40}})(?:&item=([0-9]{{1,3}}))?")


def trap_response(url: str) -> Response | None:
    """Return the page of a canonical URL inside an endless trap, None for one outside."""
    if month := _MONTH.fullmatch(url):
        return _calendar_page(url, int(month[1]), int(month[2]))
    if visit := _VISIT.fullmatch(url):
        return _catalogue_page(url, visit[1], visit[2] or "")
    return None


def html_response(url: str, html: bytes, charset: str = "utf-8") -> Response:
    """Return an answer that is a page."""
    headers = {"content-type": f"text/html; charset={charset}"}
    return Response(url, 200, headers, html, RECORDED_AT, 0.0)


def _calendar_page(url: str, year: int, month: int) -> Response:
    past, future = divmod(year * 12 + month - 2, 12), divmod(year * 12 + month, 12)
    events = ODDITIES["events"]
    days = "".join(
        f"<tr><td>{day}</td><td>{events[(year + month + day) % len(events)]}</td></tr>"
        for day in range(3, 28, 5)
    )
    earlier = f'<a href="{_month_url(*past)}">previous month</a>' if past[0] > 0 else ""
    page = MARKUP["calendar"].format(
        month=month, year=year, days=days, earlier=earlier, later=_month_url(*future)
    )
    return html_response(url, page.encode())


def _month_url(year: int, month: int) -> str:
    return f"{_CALENDAR}{year}/{month + 1:02}/"


def _catalogue_page(url: str, visit: str, item: str) -> Response:
    visits = (hashlib.sha256(f"{visit} {n}".encode()).hexdigest()[:12] for n in range(1, 7))
    links = "".join(
        f'<li><a href="/catalogue?visit={other}&amp;item={n}">article {n}</a></li>'
        for n, other in enumerate(visits, start=1)
    )
    heading = f"Article {item}" if item else "Catalogue"
    return html_response(url, MARKUP["catalogue"].format(heading=heading, links=links).encode())


_CLINIC = "http://www.breath-clinic.test/"
_LUNG = "http://www.chest-and-lung.test/"
_MOVES = "http://www.healthy-moves.test/"


def plan_oddities(sheets: Sheets, rng: Random) -> None:
    """Plan the odd pages, and links to them and to what is no page."""
    _forbidden_folder(sheets, rng)
    _foreign_pages(sheets, rng)
    _page_with_base(sheets)
    for source, target, text, place in ODDITIES["links"]:
        sheets[source].link(target, text, place)


def files() -> dict[str, Response]:
    """Return the answers that are no pages, by URL."""
    found = {}
    for url, status, value, body in ODDITIES["files"]:
        headers = {"location" if status == 301 else "content-type": value}
        found[url] = Response(url, status, headers, body.encode("latin-1"), RECORDED_AT, 0.0)
    return found


def _forbidden_folder(sheets: Sheets, rng: Random) -> None:
    # robots.txt keeps robots away from these; they look as if on the subject.
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
    german = Sheet(
        _LUNG + "de/asthma.html", "Asthma (Deutsch)", "Was ist Asthma?", [*ODDITIES["german"]]
    )
    german.subject, german.language = breathing, "de"
    sheets[_LUNG].link(sheets.add(german).url, "Auf Deutsch")
    cafe = Sheet("http://sunday-saucepan.test/cafe.html", "crème brûlée at the café",
                 "Crème brûlée at the café", [*ODDITIES["latin"], filler(rng, 4)])  # fmt: skip
    cafe.subject, cafe.charset, cafe.look = dishes, "iso-8859-1", "homepage"
    sheets["http://sunday-saucepan.test/"].link(sheets.add(cafe).url, "a café", "list")
    for page in (german, cafe):
        page.anchors.append(point_to(rng, sheets[f"http://{page.host}/"]))


def _page_with_base(sheets: Sheets) -> None:
    text = "An overview of every respiratory disease that we write about, for printing."
    page = Sheet(_MOVES + "print/overview.html", "overview", "All about breath", [text])
    page.base = _MOVES + "breathing/"
    page.subject = SUBJECTS["breathing"]
    for other in sheets.about(page.subject):
        if other.url.startswith(page.base):
            page.link(other.url, other.name, "list")
    sheets[page.base].link(sheets.add(page).url, "print version")
