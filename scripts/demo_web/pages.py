"""Pages of the demo web while they are planned: what they say, and where they lead."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from html import escape
from random import Random
from typing import Literal

from scripts.demo_web.prose import MARKUP, SITES, Subject

Place = Literal["nav", "text", "list"]
Look = Literal["site", "homepage", "directory"]


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
    """A page while it is planned; one about nothing has no ``subject``."""

    url: str
    name: str  # in anchors
    title: str
    paragraphs: list[str]
    anchors: list[Anchor] = field(default_factory=list)
    subject: Subject | None = None
    is_hub: bool = False  # a list of links to sites of its subject
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


class Sheets(dict[str, Sheet]):
    """All pages that are planned, in order, by URL."""

    def add(self, sheet: Sheet) -> Sheet:
        """Take a page in and return it; each URL can be planned once."""
        if sheet.url in self:
            raise ValueError(f"{sheet.url} is planned twice")
        self[sheet.url] = sheet
        return sheet

    def about(self, subject: Subject) -> list[Sheet]:
        """Return the pages about a subject."""
        return [sheet for sheet in self.values() if sheet.subject is subject]

    def homes(self, subject: Subject) -> list[Sheet]:
        """Return the start pages of the sites about a subject."""
        return [sheet for sheet in self.about(subject) if sheet.url == f"http://{sheet.host}/"]


def point_to(rng: Random, target: Sheet, *, clear: float = 0.55, decoy: str = "") -> Anchor:
    """Return a link to a page; with probability ``clear`` the anchor names it, or a ``decoy``."""
    name = decoy or target.name
    draw = rng.random()
    if draw < clear or decoy:
        before, after = rng.choice(SITES["telling_links"])
        return Anchor(target.url, name, before, after)
    around = draw < clear + (1 - clear) / 2
    before, text, after = rng.choice(SITES["links_told_around" if around else "vague_links"])
    words = {"name": name, "Name": name[:1].upper() + name[1:], "number": rng.randint(2, 9)}
    return Anchor(target.url, text.format(**words), before.format(**words), after)


def _json_ld(sheet: Sheet) -> str:
    said: dict[str, object] = {
        "@context": "https://schema.org",
        "@type": "CollectionPage" if sheet.is_hub else "WebPage",
        "@id": sheet.url,
        "name": sheet.title,
        "inLanguage": sheet.language,
        "isPartOf": {"@type": "WebSite", "url": f"http://{sheet.host}/"},
    }
    if sheet.subject is not None:
        said["about"] = {"@type": "Thing", "name": sheet.name}
    # No text may end the block before its time.
    block = json.dumps(said, ensure_ascii=True).replace("</", "<\\/")
    return f'<script type="application/ld+json">{block}</script>\n'


def render(sheet: Sheet) -> bytes:
    """Return the page as HTML in its own encoding; what that cannot write becomes ``&#n;``."""
    return _LOOKS[sheet.look](sheet).encode(sheet.charset, "xmlcharrefreplace")


def _site(sheet: Sheet) -> str:
    nav = " | ".join(_written(sheet, anchor) for anchor in _at(sheet, "nav"))
    body = "\n".join(_mingled(sheet))
    items = "\n".join(f"<li>{_written(sheet, anchor)}</li>" for anchor in _at(sheet, "list"))
    # All pages of a site describe themselves in the same way. It changes no text.
    syntax = ("rdfa", "none", "json-ld")[sum(sheet.host.encode()) % 3]
    base = f'<base href="{escape(sheet.base)}">\n' if sheet.base else ""
    thing = ' vocab="https://schema.org/" typeof="WebPage" resource=""' if syntax == "rdfa" else ""
    name = ' property="name"' if syntax == "rdfa" else ""
    return MARKUP["site"].format(
        sheet=sheet,
        title=escape(sheet.title),
        head=base + (_json_ld(sheet) if syntax == "json-ld" else ""),
        nav=nav,
        thing=thing,
        name=name,
        body=body,
        items=f"<ul>{items}</ul>" if items else "",
        host=escape(sheet.host),
    )


def _homepage(sheet: Sheet) -> str:
    # Markup as if written by hand: unclosed, unquoted, nested the wrong way.
    parts = ["<HTML><HEAD><TITLE>", escape(sheet.title), "</TITLE>\n<BODY BGCOLOR=#ffffee>"]
    parts += ["<CENTER><H2>", escape(sheet.title), "</CENTER></H2>\n<TABLE><TR><TD>"]
    parts += [f"<LI>{_written(sheet, anchor)}\n" for anchor in _at(sheet, "nav")]
    parts.append("<TD>\n")
    parts += [f"{paragraph}\n" for paragraph in _mingled(sheet, "<P>", "")]
    parts += [f"<BR>* <B>{_written(sheet, anchor)}\n</FONT>" for anchor in _at(sheet, "list")]
    return "".join([*parts, "<HR><I>Last changed a long time ago</BODY>\n"])


def _directory(sheet: Sheet) -> str:
    nav = " &gt; ".join(_written(sheet, anchor) for anchor in _at(sheet, "nav"))
    text = "\n".join(f"<p>{escape(paragraph)}</p>" for paragraph in sheet.paragraphs)
    rows = "\n".join(
        f"<dt>{_written(sheet, anchor, around=False)}</dt><dd>{escape(anchor.after.strip())}</dd>"
        for anchor in (*_at(sheet, "list"), *_at(sheet, "text"))
    )
    return MARKUP["directory"].format(sheet=sheet, title=escape(sheet.title), nav=nav, text=text, rows=rows)


_LOOKS: dict[Look, Callable[[Sheet], str]] = {"site": _site, "homepage": _homepage, "directory": _directory}


def _at(sheet: Sheet, place: Place) -> list[Anchor]:
    return [anchor for anchor in sheet.anchors if anchor.place == place]


def _mingled(sheet: Sheet, start: str = "<p>", end: str = "</p>") -> Iterable[str]:
    links = _at(sheet, "text")
    texts = [escape(paragraph, quote=False) for paragraph in sheet.paragraphs] or [""]
    for number, text in enumerate(texts):
        mine = links[number :: len(texts)]
        yield start + " ".join([text, *(_written(sheet, anchor) for anchor in mine)]) + end


def _written(sheet: Sheet, anchor: Anchor, *, around: bool = True) -> str:
    rel = ' rel="nofollow"' if anchor.nofollow else ""
    href = escape(_reference(sheet, anchor.url))
    link = f'<a href="{href}"{rel}>{escape(anchor.text, quote=False)}</a>'
    if not around:
        return link
    return f"{escape(anchor.before, quote=False)}{link}{escape(anchor.after, quote=False)}"


def _reference(sheet: Sheet, url: str) -> str:
    if sheet.base and url.startswith(sheet.base) and url != sheet.base:
        return url.removeprefix(sheet.base)
    home = f"http://{sheet.host}/"
    return f"/{url.removeprefix(home)}" if url.startswith(home) else url
