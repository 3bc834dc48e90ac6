"""Hosts that lead everywhere: a portal, a newspaper, two directories, and the rest of a web."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from semcrawl.demo.compose import Composer, sentence_case
from semcrawl.demo.filler import filler
from semcrawl.demo.sheet import Anchor, Sheet, Sheets, point_to
from semcrawl.demo.subjects import SUBJECTS
from semcrawl.demo.traps import CALENDAR_START, CATALOGUE_START

if TYPE_CHECKING:
    from semcrawl.demo.subjects import Subject

__all__ = ["PORTAL", "plan_portals"]

PORTAL = "http://www.morning-portal.test/"
"""Where a crawl of the demo web starts."""

_NEWS = "http://www.daily-lantern.test/"
_ATLAS = "http://www.link-atlas.test/"
_GUIDE = "http://www.good-sites-guide.test/"
_PLAIN = {
    "http://www.town-of-millbrook.test/": ("Town of Millbrook", 6),
    "http://www.market-arcade.test/": ("Market Arcade", 8),
    "http://www.slow-travel.test/": ("Slow Travel", 6),
}
_STORIES = 20
_BLURBS = (
    "A site about {subject}.",
    "{Subject}, well explained.",
    "Everything on {subject} in one place.",
    "Pages that we like to read.",
    "Updated often.",
)
_HEADLINES = (
    "{Name} and the quiet evening",
    "Council talks about {name}",
    "A letter to the editor",
    "What the neighbours say",
    "Bridge closed until spring",
    "{Name} again",
    "Weekend notes",
)


def plan_portals(sheets: Sheets, seed: int) -> None:
    """Plan the hosts about no subject; the sites about subjects have been planned before."""
    rng = Random(f"{seed} portals")
    _plain_hosts(sheets, rng)
    _news(sheets, rng)
    _atlas(sheets, rng)
    _guide(sheets, rng)
    _portal(sheets, rng)


def _plain_hosts(sheets: Sheets, rng: Random) -> None:
    """Plan hosts of filler only; two of them lead into the traps."""
    for root, (heading, size) in _PLAIN.items():
        home = sheets.add(Sheet(root, heading, heading, [filler(rng, 5), filler(rng, 4)]))
        pages = [home]
        for number in range(1, size + 1):
            name = f"page {number}"
            texts = [filler(rng, rng.randint(2, 8)) for _ in range(rng.randint(1, 4))]
            pages.append(sheets.add(Sheet(f"{root}{number}.html", name, heading, texts)))
        for page in pages:
            page.link(root, "home")
            for other in rng.sample(pages, 4):
                page.link(other.url, other.name, "list")
    sheets["http://www.town-of-millbrook.test/"].link(CALENDAR_START, "calendar of events")
    sheets["http://www.market-arcade.test/"].link(CATALOGUE_START, "catalogue")


def _news(sheets: Sheets, rng: Random) -> None:
    """Plan stories that mention subjects in passing, with a link to a page now and then."""
    home = sheets.add(Sheet(_NEWS, "The Daily Lantern", "The Daily Lantern", [filler(rng, 5)]))
    subjects = list(SUBJECTS.values())
    stories: list[Sheet] = []
    for number in range(1, _STORIES + 1):
        subject = subjects[number % len(subjects)]
        story = sheets.add(_story(rng, subject, number))
        target = rng.choice(sheets.about(subject))
        story.anchors.append(point_to(rng, target, clear=0.4))
        stories.append(story)
        home.link(story.url, story.title, "list")
    for story in stories:
        story.link(_NEWS, "front page")
        for other in rng.sample(stories, 3):
            story.link(other.url, other.title, "list")


def _story(rng: Random, subject: Subject, number: int) -> Sheet:
    writer = Composer(subject, rng)
    concept = rng.choice(subject.concepts)
    name = writer.name(concept)
    title = rng.choice(_HEADLINES).format(name=name, Name=sentence_case(name))
    texts = [
        filler(rng, rng.randint(3, 7)),
        writer.passing(concept),
        filler(rng, rng.randint(2, 7)),
    ]
    return Sheet(f"{_NEWS}story/{number}.html", title, title, texts)


def _atlas(sheets: Sheets, rng: Random) -> None:
    """Plan a directory: categories, and below each a list of sites per subject."""
    root = sheets.add(_listing(_ATLAS, "Link Atlas", rng))
    for category in sorted({subject.category for subject in SUBJECTS.values()}):
        page = sheets.add(_listing(f"{_ATLAS}{category.lower()}/", category, rng))
        root.link(page.url, category, "list")
        page.link(_ATLAS, "Link Atlas")
        for subject in SUBJECTS.values():
            if subject.category == category:
                hub = sheets.add(_hub(f"{page.url}{subject.name}.html", subject, sheets, rng, 0.8))
                hub.link(_ATLAS, "Link Atlas")
                hub.link(page.url, category)
                page.link(hub.url, subject.heading, "list")


def _guide(sheets: Sheets, rng: Random) -> None:
    """Plan a second directory, smaller and less careful."""
    root = sheets.add(_listing(_GUIDE, "Good Sites Guide", rng))
    for number, subject in enumerate(SUBJECTS.values(), start=1):
        if number % 2:
            hub = sheets.add(_hub(f"{_GUIDE}list{number}.html", subject, sheets, rng, 0.6))
            root.link(hub.url, rng.choice((subject.heading, f"list {number}")), "list")
            hub.link(_GUIDE, "all lists")


def _listing(url: str, heading: str, rng: Random) -> Sheet:
    return Sheet(url, heading, heading, [filler(rng, 2)], look="directory")


def _hub(url: str, subject: Subject, sheets: Sheets, rng: Random, care: float) -> Sheet:
    """Return a list of links: start pages and deep pages of the subject, and wrong ones."""
    hub = Sheet(url, subject.heading, f"Sites: {subject.heading}", [filler(rng, 2)])
    hub.subject, hub.is_hub, hub.look = subject, True, "directory"
    right = [page for page in sheets.about(subject) if not page.is_hub]
    wrong = [page for page in sheets if page.subject is not subject and not page.is_hub]
    deep = rng.sample(right, 6)
    stray = rng.sample(wrong, 4 if care > 0.7 else 6)
    for page in [*dict.fromkeys([*(home.url for home in sheets.homes(subject)),
                                 *(page.url for page in (*deep, *stray))])]:  # fmt: skip
        hub.anchors.append(_entry(rng, sheets[page], subject, care))
    rng.shuffle(hub.anchors)
    return hub


def _entry(rng: Random, page: Sheet, subject: Subject, care: float) -> Anchor:
    name = subject.heading.lower()
    blurb = rng.choice(_BLURBS).format(subject=name, Subject=subject.heading)
    text = page.name if rng.random() < care else rng.choice(("visit", "a good site", page.host))
    return Anchor(page.url, text, after=f" {blurb}", place="list")


def _portal(sheets: Sheets, rng: Random) -> None:
    """Plan the start page and a channel per category, which link to everything a little."""
    home = sheets.add(Sheet(PORTAL, "Morning Portal", "Morning Portal", [filler(rng, 3)]))
    for category in sorted({subject.category for subject in SUBJECTS.values()}):
        channel = sheets.add(_channel(sheets, category, rng))
        home.link(channel.url, category, "list")
        channel.link(PORTAL, "Morning Portal")
    for root in (*_PLAIN, _NEWS):
        home.link(root, sheets[root].name, "list")
    home.link(_ATLAS, "web directory", "list")
    home.link(_GUIDE, "more sites", "list")


def _channel(sheets: Sheets, category: str, rng: Random) -> Sheet:
    url = f"{PORTAL}{category.lower()}.html"
    channel = Sheet(url, category, f"{category} today", [filler(rng, 3), filler(rng, 3)])
    stories = [page for page in sheets if page.url.startswith(f"{_NEWS}story/")]
    anything = [page for page in sheets if page.subject and not page.is_hub]
    for page in (*rng.sample(stories, 5), *rng.sample(anything, 4)):
        channel.anchors.append(point_to(rng, page, clear=0.5))
    for subject in SUBJECTS.values():
        if subject.category == category:
            channel.paragraphs.append(Composer(subject, rng).passing(rng.choice(subject.concepts)))
    channel.link("http://www.market-arcade.test/", "Our partner", "list", nofollow=True)
    return channel
