"""How the demo web is planned: tidy sites, mixed ones, homepages; other hosts lead everywhere."""

import re
from random import Random

from scripts.demo_web import oddities
from scripts.demo_web.pages import Anchor, Sheet, Sheets, point_to, render
from scripts.demo_web.prose import ODDITIES, SITES, SUBJECTS, Composer, Subject, filler, sentence_case
from semcrawl.demo.web import CALENDAR_START, CATALOGUE_START, DemoTopic, DemoWeb, html_response

PORTAL = "http://www.morning-portal.test/"
"""Where a crawl of the demo web starts."""

_NEWS = "http://www.daily-lantern.test/"
_ATLAS = "http://www.link-atlas.test/"
_GUIDE = "http://www.good-sites-guide.test/"


def make_web(seed: int = 1) -> DemoWeb:
    """Return a demo web; the same seed gives the same bytes on every machine."""
    sheets = Sheets()
    _plan_sites(sheets, seed)
    _plan_portals(sheets, seed)
    _link_sites(sheets, Random(f"{seed} links"))
    oddities.plan_oddities(sheets, Random(f"{seed} oddities"))
    pages = {one.url: html_response(one.url, render(one), one.charset) for one in sheets.values()}
    pages |= oddities.files()
    topics = {name: _topic(name, sheets) for name in SUBJECTS}
    return DemoWeb(pages, (PORTAL,), topics, frozenset(ODDITIES["dead_links"]))


def _topic(name: str, sheets: Sheets) -> DemoTopic:
    subject = SUBJECTS[name]
    about = sheets.about(subject)
    return DemoTopic(
        name,
        subject.spec,
        pages=frozenset(sheet.url for sheet in about),
        hubs=frozenset(sheet.url for sheet in about if sheet.is_hub),
        sites=frozenset(sheet.host for sheet in sheets.homes(subject)),
    )


def _plan_sites(sheets: Sheets, seed: int) -> None:
    """Plan the pages of every site about a subject, with the links inside each site."""
    for host, name in SITES["clean"].items():
        _Site(sheets, host, seed).clean(SUBJECTS[name])
    for host, pair in SITES["mixed"].items():
        _Site(sheets, host, seed).mixed([SUBJECTS[name] for name in pair])
    for host, name in SITES["homepages"].items():
        _Site(sheets, host, seed).homepage(SUBJECTS[name])


class _Site:
    def __init__(self, sheets: Sheets, host: str, seed: int) -> None:
        self._sheets = sheets
        self._root = f"http://{host}/"
        self._heading = sentence_case(host.removeprefix("www.").split(".")[0].replace("-", " "))
        self._rng = Random(f"{seed} {host}")
        self._pages: list[Sheet] = []

    def clean(self, subject: Subject) -> None:
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
        home = self._home(None, subjects)
        for subject in subjects:
            section = self._article(subject, subject.spec, f"{subject.name}/")
            home.link(section.url, section.name, "list")
            for concept in self._rng.sample(subject.concepts, 5):
                path = f"{subject.name}/{_slug(subject, concept)}.html"
                page = self._article(subject, concept, path)
                section.anchors.append(point_to(self._rng, page, clear=0.7))
        self._service_pages(home)
        self._cross_link(most=2)

    def homepage(self, subject: Subject) -> None:
        home = self._home(subject, [subject])
        before = home
        for number, concept in enumerate(self._rng.sample(subject.concepts, 4), start=1):
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
        largest = sorted(subject.concepts, key=lambda kind: -len(subject.kinds(kind)))
        sections = self._rng.sample(largest[:7], 5)
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
        title = self._rng.choice(SITES["titles"]).format(name=name, Name=sentence_case(name))
        texts = writer.article(concept, self._rng.uniform(0.15, 0.9))
        for _ in range(self._rng.choice((0, 1, 2, 3, 4))):
            texts.insert(self._rng.randint(0, len(texts)), filler(self._rng, self._rng.randint(2, 7)))
        return self._add(Sheet(self._root + path, name, title, texts, subject=subject))

    def _note(self, subject: Subject, concept: str, number: int) -> Sheet:
        writer = Composer(subject, self._rng)
        texts = [*writer.personal(concept), filler(self._rng, self._rng.randint(3, 9))]
        name = writer.name(concept)
        url = f"{self._root}note{number}.html"
        return self._add(Sheet(url, name, f"My notes: {name}", texts, subject=subject))

    def _service_pages(self, home: Sheet) -> None:
        names = self._rng.sample(SITES["services"], self._rng.randint(2, 3))
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


def _plan_portals(sheets: Sheets, seed: int) -> None:
    """Plan the hosts about no subject; the sites about subjects have been planned before."""
    rng = Random(f"{seed} portals")
    _plain_hosts(sheets, rng)
    _news(sheets, rng)
    _atlas(sheets, rng)
    _guide(sheets, rng)
    _portal(sheets, rng)


def _plain_hosts(sheets: Sheets, rng: Random) -> None:
    for root, (heading, size) in SITES["plain"].items():
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
    home = sheets.add(Sheet(_NEWS, "The Daily Lantern", "The Daily Lantern", [filler(rng, 5)]))
    subjects = list(SUBJECTS.values())
    stories: list[Sheet] = []
    for number in range(1, 21):
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
    title = rng.choice(SITES["headlines"]).format(name=name, Name=sentence_case(name))
    texts = [filler(rng, rng.randint(3, 7)), writer.passing(concept), filler(rng, rng.randint(2, 7))]
    return Sheet(f"{_NEWS}story/{number}.html", title, title, texts)


def _atlas(sheets: Sheets, rng: Random) -> None:
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
    # A second directory, smaller and less careful.
    root = sheets.add(_listing(_GUIDE, "Good Sites Guide", rng))
    for number, subject in enumerate(SUBJECTS.values(), start=1):
        if number % 2:
            hub = sheets.add(_hub(f"{_GUIDE}list{number}.html", subject, sheets, rng, 0.6))
            root.link(hub.url, rng.choice((subject.heading, f"list {number}")), "list")
            hub.link(_GUIDE, "all lists")


def _listing(url: str, heading: str, rng: Random) -> Sheet:
    return Sheet(url, heading, heading, [filler(rng, 2)], look="directory")


def _hub(url: str, subject: Subject, sheets: Sheets, rng: Random, care: float) -> Sheet:
    hub = Sheet(url, subject.heading, f"Sites: {subject.heading}", [filler(rng, 2)])
    hub.subject, hub.is_hub, hub.look = subject, True, "directory"
    right = [page for page in sheets.about(subject) if not page.is_hub]
    wrong = [page for page in sheets.values() if page.subject is not subject and not page.is_hub]
    deep = rng.sample(right, 6)
    stray = rng.sample(wrong, 4 if care > 0.7 else 6)
    for page in [*dict.fromkeys([*(home.url for home in sheets.homes(subject)),
                                 *(page.url for page in (*deep, *stray))])]:  # fmt: skip
        hub.anchors.append(_entry(rng, sheets[page], subject, care))
    rng.shuffle(hub.anchors)
    return hub


def _entry(rng: Random, page: Sheet, subject: Subject, care: float) -> Anchor:
    name = subject.heading.lower()
    blurb = rng.choice(SITES["blurbs"]).format(subject=name, Subject=subject.heading)
    text = page.name if rng.random() < care else rng.choice(("visit", "a good site", page.host))
    return Anchor(page.url, text, after=f" {blurb}", place="list")


def _portal(sheets: Sheets, rng: Random) -> None:
    home = sheets.add(Sheet(PORTAL, "Morning Portal", "Morning Portal", [filler(rng, 3)]))
    for category in sorted({subject.category for subject in SUBJECTS.values()}):
        channel = sheets.add(_channel(sheets, category, rng))
        home.link(channel.url, category, "list")
        channel.link(PORTAL, "Morning Portal")
    for root in (*SITES["plain"], _NEWS):
        home.link(root, sheets[root].name, "list")
    home.link(_ATLAS, "web directory", "list")
    home.link(_GUIDE, "more sites", "list")


def _channel(sheets: Sheets, category: str, rng: Random) -> Sheet:
    url = f"{PORTAL}{category.lower()}.html"
    channel = Sheet(url, category, f"{category} today", [filler(rng, 3), filler(rng, 3)])
    stories = [page for page in sheets.values() if page.url.startswith(f"{_NEWS}story/")]
    anything = [page for page in sheets.values() if page.subject and not page.is_hub]
    for page in (*rng.sample(stories, 5), *rng.sample(anything, 4)):
        channel.anchors.append(point_to(rng, page, clear=0.5))
    for subject in SUBJECTS.values():
        if subject.category == category:
            channel.paragraphs.append(Composer(subject, rng).passing(rng.choice(subject.concepts)))
    channel.link("http://www.market-arcade.test/", "Our partner", "list", nofollow=True)
    return channel


def _link_sites(sheets: Sheets, rng: Random) -> None:
    pages = [page for page in sheets.values() if page.subject and not page.is_hub]
    for page in pages:
        kin = [p for p in pages if p.subject is page.subject and p.host != page.host]
        others = [p for p in pages if p.subject is not page.subject and p.host != page.host]
        if rng.random() < 0.25:
            page.anchors.append(point_to(rng, rng.choice(kin)))
        for target in rng.sample(others, rng.choice((0, 1, 1, 2, 2, 3))):
            # Sometimes the anchor of a link to another subject promises this one.
            decoy = page.name if rng.random() < 0.35 else ""
            page.anchors.append(point_to(rng, target, decoy=decoy))
        if rng.random() < 0.15:
            page.link("http://www.market-arcade.test/", "Sponsored", "list", nofollow=True)
    for page in [page for page in sheets.values() if page.url.endswith("/links.html")]:
        _fill_link_page(sheets, page, pages, rng)


def _fill_link_page(sheets: Sheets, page: Sheet, pages: list[Sheet], rng: Random) -> None:
    home = sheets[f"http://{page.host}/"]
    kin = [p for p in pages if p.subject is home.subject and p.host != page.host]
    friends = [p for p in pages if p.look == "homepage" and p.host != page.host]
    for target in (*rng.sample(kin, 4), *rng.sample(friends, 3)):
        page.anchors.append(point_to(rng, target, clear=0.6))
    page.link("http://www.morning-portal.test/", "where I start my day", "list")
