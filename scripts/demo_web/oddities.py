"""What a crawler must cope with: dead links, redirects, files, odd encodings."""

from random import Random

from scripts.demo_web.pages import Sheet, Sheets, point_to
from scripts.demo_web.prose import ODDITIES, SUBJECTS, Composer, filler
from semcrawl.demo.web import RECORDED_AT
from semcrawl.web.response import Response

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
    german = Sheet(_LUNG + "de/asthma.html", "Asthma (Deutsch)", "Was ist Asthma?", [*ODDITIES["german"]])
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
