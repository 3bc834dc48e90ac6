"""Sites about subjects: tidy ones, ones that mix two subjects, and homepages."""

from __future__ import annotations

import re
from random import Random
from typing import TYPE_CHECKING

from semcrawl.demo.compose import Composer, sentence_case
from semcrawl.demo.filler import filler
from semcrawl.demo.sheet import Sheet, Sheets, point_to
from semcrawl.demo.subjects import SUBJECTS

if TYPE_CHECKING:
    from semcrawl.demo.subjects import Subject

__all__ = ["plan_sites"]

CLEAN = {
    "www.breath-clinic.test": "breathing",
    "www.chest-and-lung.test": "breathing",
    "www.instrument-museum.test": "music",
    "www.raptor-watch.test": "raptors",
    "www.harbour-museum.test": "ships",
    "www.long-table-kitchen.test": "dishes",
    "www.hill-observatory.test": "sky",
    "www.north-arboretum.test": "conifers",
    "www.club-of-all-sports.test": "sport",
    "www.software-shelf.test": "software",
}
"""Tidy sites with one subject each."""

MIXED = {
    "www.healthy-moves.test": ("breathing", "sport"),
    "www.kitchen-remedies.test": ("dishes", "breathing"),
    "www.sound-and-code.test": ("music", "software"),
    "www.wood-and-wing.test": ("raptors", "conifers"),
    "www.navigators-almanac.test": ("ships", "sky"),
}
"""Sites with two subjects each."""

HOMEPAGES = {
    "my-breathing-diary.test": "breathing",
    "attic-orchestra.test": "music",
    "notes-from-the-hide.test": "raptors",
    "model-boats-at-home.test": "ships",
    "sunday-saucepan.test": "dishes",
    "backyard-stars.test": "sky",
    "woodland-walks.test": "conifers",
    "saturday-league.test": "sport",
    "old-disks.test": "software",
}
"""Pages of people who write about a hobby."""

_TITLES = ("{Name}", "{Name}: an overview", "What is {name}?", "About {name}", "{Name} and more")
_SERVICES = ("contact", "about us", "how to find us", "newsletter", "terms of use", "support us")
_SECTIONS, _MIXED_ARTICLES, _NOTES = 5, 5, 4


def plan_sites(sheets: Sheets, seed: int) -> None:
    """Plan the pages of every site about a subject, with the links inside each site."""
    for host, name in CLEAN.items():
        _Site(sheets, host, seed).clean(SUBJECTS[name])
    for host, pair in MIXED.items():
        _Site(sheets, host, seed).mixed([SUBJECTS[name] for name in pair])
    for host, name in HOMEPAGES.items():
        _Site(sheets, host, seed).homepage(SUBJECTS[name])


class _Site:
    """Plans one host."""

    def __init__(self, sheets: Sheets, host: str, seed: int) -> None:
        self._sheets = sheets
        self._root = f"http://{host}/"
        self._heading = sentence_case(host.removeprefix("www.").split(".")[0].replace("-", " "))
        self._rng = Random(f"{seed} {host}")
        self._pages: list[Sheet] = []

    def clean(self, subject: Subject) -> None:
        """Plan a start page, sections by kind, articles below, and two pages about nothing."""
        home = self._home(subject, [subject])
        for section, kinds in self._sections(subject):
            folder = f"{_slug(subject, section)}/"
            page = self._article(subject, section, folder)
            home.link(page.url, page.name, "list")
            for kind in kinds:
                article = self._article(subject, kind, f"{folder}{_slug(subject, kind)}.html")
                page.link(article.url, self._rng.choice((article.name, article.title)), "list")
        self._service_pages(home)
        self._cross_link(most=3)

    def mixed(self, subjects: list[Subject]) -> None:
        """Plan a start page that is about no subject enough, and a folder for each."""
        home = self._home(None, subjects)
        for subject in subjects:
            section = self._article(subject, subject.spec, f"{subject.name}/")
            home.link(section.url, section.name, "list")
            for concept in self._rng.sample(subject.concepts, _MIXED_ARTICLES):
                path = f"{subject.name}/{_slug(subject, concept)}.html"
                page = self._article(subject, concept, path)
                section.anchors.append(point_to(self._rng, page, clear=0.7))
        self._service_pages(home)
        self._cross_link(most=2)

    def homepage(self, subject: Subject) -> None:
        """Plan a start page, some notes in a row, and a page of links."""
        home = self._home(subject, [subject])
        before = home
        for number, concept in enumerate(self._rng.sample(subject.concepts, _NOTES), start=1):
            page = self._note(subject, concept, number)
            before.link(page.url, "next", "nav")
            if self._rng.random() < 0.6:
                home.link(page.url, self._rng.choice((page.name, f"page {number}")), "list")
            before = page
        self._add(Sheet(self._root + "links.html", "links", "My links", [filler(self._rng, 3)]))
        for page in self._pages:
            page.look = "homepage"
            page.link(self._root, "home")
            page.link(self._root + "links.html", "my links")

    def _home(self, subject: Subject | None, subjects: list[Subject]) -> Sheet:
        texts = [filler(self._rng, self._rng.randint(2, 4))]
        for one in subjects:
            writer = Composer(one, self._rng)
            texts += writer.article(one.spec, 0.7 if subject else 0.25)
        texts.append(filler(self._rng, self._rng.randint(2, 6)))
        return self._add(Sheet(self._root, self._heading, self._heading, texts, subject=subject))

    def _sections(self, subject: Subject) -> list[tuple[str, list[str]]]:
        """Return the largest kinds of the subject with some of theirs, and single ones."""
        largest = sorted(subject.concepts, key=lambda kind: -len(subject.kinds(kind)))
        sections = self._rng.sample(largest[: _SECTIONS + 2], _SECTIONS)
        taken = set(sections)
        plan: list[tuple[str, list[str]]] = []
        for section in sections:
            below = [kind for kind in subject.kinds(section) if kind not in taken]
            free = [kind for kind in subject.concepts if kind not in taken and kind not in below]
            mine = self._rng.sample(below, min(2, len(below))) + self._rng.sample(free, 1)
            taken.update(mine)
            plan.append((section, mine))
        return plan

    def _article(self, subject: Subject, concept: str, path: str) -> Sheet:
        writer = Composer(subject, self._rng)
        name = writer.name(concept)
        title = self._rng.choice(_TITLES).format(name=name, Name=sentence_case(name))
        texts = writer.article(concept, self._rng.uniform(0.15, 0.9))
        for _ in range(self._rng.choice((0, 1, 2, 3, 4))):
            texts.insert(
                self._rng.randint(0, len(texts)), filler(self._rng, self._rng.randint(2, 7))
            )
        return self._add(Sheet(self._root + path, name, title, texts, subject=subject))

    def _note(self, subject: Subject, concept: str, number: int) -> Sheet:
        writer = Composer(subject, self._rng)
        texts = [*writer.personal(concept), filler(self._rng, self._rng.randint(3, 9))]
        name = writer.name(concept)
        url = f"{self._root}note{number}.html"
        return self._add(Sheet(url, name, f"My notes: {name}", texts, subject=subject))

    def _service_pages(self, home: Sheet) -> None:
        """Plan pages about nothing, and link every page of the site to them and to its start."""
        names = self._rng.sample(_SERVICES, self._rng.randint(2, 3))
        for name in names:
            texts = [filler(self._rng, self._rng.randint(3, 8)) for _ in range(2)]
            url = f"{self._root}{name.replace(' ', '-')}.html"
            self._add(Sheet(url, name, sentence_case(name), texts))
        for page in self._pages:
            for target in [home, *self._pages[-len(names) :]]:
                if target is not page:
                    page.link(target.url, "home" if target is home else target.name)

    def _cross_link(self, most: int) -> None:
        pages = [page for page in self._pages if page.subject]
        for page in pages:
            others = [other for other in pages if other is not page]
            for other in self._rng.sample(others, self._rng.randint(0, most)):
                page.anchors.append(point_to(self._rng, other))

    def _add(self, sheet: Sheet) -> Sheet:
        self._pages.append(self._sheets.add(sheet))
        return sheet


def _slug(subject: Subject, concept: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", subject.graph.label(concept).lower()).strip("-")
