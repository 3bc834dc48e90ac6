"""Pages of the demo web while they are planned: what they say, and where they lead."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from random import Random

    from semcrawl.demo.subjects import Subject

__all__ = ["Anchor", "Look", "Place", "Sheet", "Sheets", "point_to"]

Place = Literal["nav", "text", "list"]
Look = Literal["site", "homepage", "directory"]

_TELLING = (
    ("See also ", "."),
    ("Read on about ", "."),
    ("There is more on ", " elsewhere."),
    ("Compare ", ", which differs a little."),
)
_AROUND = (
    ("For {name} turn to ", "this page", "."),
    ("What we know about {name} stands ", "here", "."),
    ("Our notes on {name} have grown (", "read more", ")."),
    ("{Name}: ", "continue", "."),
)
_VAGUE = (
    ("To go on, click ", "here", "."),
    ("", "Read more", " ..."),
    ("Continued on ", "page {number}", "."),
    ("An older text is kept in ", "the archive", "."),
    ("A visitor recommended ", "this", "."),
)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link as it will be written: target, anchor text, the words around it, its place."""

    url: str
    text: str
    before: str = ""
    after: str = ""
    place: Place = "text"
    nofollow: bool = False


@dataclass(slots=True)
class Sheet:
    """A page while it is planned.

    Attributes:
        url: its canonical URL.
        name: what it is about, as an anchor that tells would call it.
        title: its title.
        paragraphs: its text.
        anchors: its links.
        subject: the subject that it is about, None for a page about nothing.
        is_hub: whether it is a list of links to sites of its subject.
        look: the style of its markup.
    """

    url: str
    name: str
    title: str
    paragraphs: list[str]
    anchors: list[Anchor] = field(default_factory=list)
    subject: Subject | None = None
    is_hub: bool = False
    look: Look = "site"
    language: str = "en"
    charset: str = "utf-8"
    base: str = ""

    @property
    def host(self) -> str:
        """The host of the URL."""
        return self.url.split("/", 3)[2]

    def link(self, url: str, text: str, place: Place = "nav", *, nofollow: bool = False) -> None:
        """Add a link whose anchor is given."""
        self.anchors.append(Anchor(url, text, place=place, nofollow=nofollow))


class Sheets:
    """All pages that are planned, in order, by URL, host and subject."""

    def __init__(self) -> None:
        self._by_url: dict[str, Sheet] = {}

    def add(self, sheet: Sheet) -> Sheet:
        """Take a page in and return it; each URL can be planned once."""
        if sheet.url in self._by_url:
            raise ValueError(f"{sheet.url} is planned twice")
        self._by_url[sheet.url] = sheet
        return sheet

    def __iter__(self) -> Iterator[Sheet]:
        return iter(self._by_url.values())

    def __getitem__(self, url: str) -> Sheet:
        return self._by_url[url]

    def __len__(self) -> int:
        return len(self._by_url)

    def about(self, subject: Subject) -> list[Sheet]:
        """Return the pages about a subject."""
        return [sheet for sheet in self if sheet.subject is subject]

    def homes(self, subject: Subject) -> list[Sheet]:
        """Return the start pages of the sites about a subject."""
        return [sheet for sheet in self.about(subject) if sheet.url == f"http://{sheet.host}/"]


def point_to(rng: Random, target: Sheet, *, clear: float = 0.55, decoy: str = "") -> Anchor:
    """Return a link to a page that tells more or less where it leads.

    With probability ``clear`` the anchor names the page; else the words around
    it may, or nothing does. A ``decoy`` is a wrong name that is used instead.
    """
    name = decoy or target.name
    draw = rng.random()
    if draw < clear or decoy:
        before, after = rng.choice(_TELLING)
        return Anchor(target.url, name, before, after)
    around = draw < clear + (1 - clear) / 2
    before, text, after = rng.choice(_AROUND if around else _VAGUE)
    words = {"name": name, "Name": name[:1].upper() + name[1:], "number": rng.randint(2, 9)}
    return Anchor(target.url, text.format(**words), before.format(**words), after)
