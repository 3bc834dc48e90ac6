"""Sentences about concepts, made from WordNet's relations and templates of our own."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from random import Random

    from semcrawl.demo.subjects import Subject

_KIND_OF = (
    "{A} is a kind of {b}.",
    "{A} belongs among what is called {b}.",
    "Most people would file {a} under {b}, and rightly so.",
    "Those who sort things put {a} with every other {b}.",
    "Whoever asks for {b} is soon told about {a}.",
)
# The first sentence of these is for one item, the others are for several.
_KINDS = (
    "One form has a name of its own: {list}.",
    "Among its kinds are {list}.",
    "One tells apart {list}.",
    "Several forms are known: {list}.",
    "The word covers {list} as well.",
    "Nearer to the matter are {list}, each with a story of its own.",
)
_NAMES = (
    "It is known also as {list}.",
    "Other names for it are {list}.",
    "Older books write {list} instead.",
    "Some say {list} and mean the same.",
)
_PARTS = (
    "A part of it is {list}.",
    "Parts of it are {list}.",
    "To it belong {list}.",
    "Looking closer, one finds {list}.",
)
_WHOLES = (
    "It is itself part of {list}.",
    "One meets it as a part of {list}.",
)
_SIBLINGS = (
    "Its nearest relation is {list}.",
    "It is often taken for {list}, which it is not.",
    "Beside it stand {list}.",
    "Close relations are {list}.",
    "The same shelf holds {list}.",
)
_CHAIN = (
    "And {b} in turn is {c}.",
    "Going up one step further one comes to {c}.",
    "All of this falls under {c}.",
)
_PASSING = (
    "Somebody at the next table talked about {a}, but nobody listened for long.",
    "A poster for a talk on {a} still hangs in the corridor.",
    "The raffle was won by a reader who writes about {a}.",
    "There was a question about {a} in the quiz, and we lost a point.",
    "Our neighbour knows everything about {a} and will tell you.",
)
_PERSONAL = (
    "I first read about {a} on a rainy afternoon and could not stop.",
    "Here is what I know about {a}, and it is not much.",
    "Friends ask me about {a} more often than about anything else.",
    "I keep a folder on {a}, with cuttings and a few letters.",
    "Some of what follows on {a} I had wrong for years.",
)


def sentence_case(text: str) -> str:
    """Return the text with its first letter large."""
    return text[:1].upper() + text[1:]


def listed(items: Sequence[str]) -> str:
    """Return the items as prose writes a list.

    >>> listed(["ark", "barge", "ferry"])
    'ark, barge and ferry'
    """
    return " and ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


class Composer:
    """Writes about the concepts of one subject; the same random numbers give the same text."""

    def __init__(self, subject: Subject, rng: Random) -> None:
        self._subject = subject
        self._graph = subject.graph
        self._rng = rng

    def name(self, concept: str) -> str:
        """Return the preferred label of a concept."""
        return self._graph.label(concept)

    def article(self, concept: str, density: float) -> list[str]:
        """Return paragraphs about a concept; density in [0, 1] is the share of what is told."""
        facts = [sentence for sentence in self._facts(concept) if self._rng.random() < density]
        first = self._kind_of(concept)
        count = max(1, round(density * len(self._subject.remarks)))
        remarks = [self._remark(concept, text) for text in self._some(self._subject.remarks, count)]
        rest = facts + remarks
        self._rng.shuffle(rest)
        return _paragraphs([first, *rest], self._rng)

    def personal(self, concept: str) -> list[str]:
        """Return the paragraphs of somebody who writes about a hobby."""
        opening = self._rng.choice(_PERSONAL).format(a=self.name(concept))
        return [opening, *self.article(concept, self._rng.uniform(0.2, 0.6))]

    def passing(self, concept: str) -> str:
        """Return a sentence that mentions a concept and says nothing about it."""
        return self._rng.choice(_PASSING).format(a=self.name(concept))

    def _facts(self, concept: str) -> list[str]:
        """Return a sentence for every relation that the concept has."""
        siblings = [
            kind
            for broader in self._graph.broader(concept)
            for kind in self._subject.kinds(broader)
            if kind != concept
        ]
        synonyms = [label.text for label in self._graph.labels(concept)[1:4]]
        facts = [
            self._list(_NAMES, synonyms),
            self._list(_KINDS, self._names(self._graph.narrower(concept))),
            self._list(_PARTS, self._names(self._related(concept, "has-part", "has-substance"))),
            self._list(_WHOLES, self._names(self._related(concept, "part-of", "member-of"))),
            self._list(_SIBLINGS, self._names(siblings)),
            self._chain(concept),
        ]
        return [fact for fact in facts if fact]

    def _related(self, concept: str, *names: str) -> list[str]:
        return [other for name in names for _, other in self._graph.relations(concept, name)]

    def _names(self, concepts: list[str]) -> list[str]:
        return list(dict.fromkeys(map(self.name, concepts)))

    def _list(self, templates: tuple[str, ...], names: list[str]) -> str:
        some = self._some(names, self._rng.randint(2, 4))
        template = self._rng.choice(templates[1:]) if len(some) > 1 else templates[0]
        return template.format(list=listed(some)) if some else ""

    def _kind_of(self, concept: str) -> str:
        broader = self._graph.broader(concept)
        if not broader:
            return f"This is about {self.name(concept)}."
        a = self._with_article(concept)
        template = self._rng.choice(_KIND_OF)
        return template.format(A=sentence_case(a), a=a, b=self.name(broader[0]))

    def _chain(self, concept: str) -> str:
        broader = self._graph.broader(concept)
        above = self._graph.broader(broader[0]) if broader else []
        if not above or concept == self._subject.spec:
            return ""
        template = self._rng.choice(_CHAIN)
        return template.format(b=self.name(broader[0]), c=self._with_article(above[0]))

    def _with_article(self, concept: str) -> str:
        label = self.name(concept)
        if not self._subject.countable or self._is_single(concept):
            return label
        return f"{_article(label)} {label}"

    def _remark(self, concept: str, template: str) -> str:
        label = self.name(concept)
        if self._is_single(concept):
            bare = re.sub(r"\b(?:[Tt]he|[Aa]) \{name\}", "{name}", template)
            return sentence_case(bare.format(name=label))
        return template.replace("A {name}", f"{_article(label).title()} {{name}}").format(
            name=label
        )

    def _is_single(self, concept: str) -> bool:
        """Return whether the concept is one thing with a name, such as a planet or a ship."""
        return bool(self._graph.relations(concept, "instance-of"))

    def _some(self, items: Sequence[str], most: int) -> list[str]:
        return self._rng.sample(list(items), min(most, len(items)))


def _article(label: str) -> str:
    return "an" if label[0].lower() in "aeio" or label.lower().startswith("up") else "a"


def _paragraphs(sentences: list[str], rng: Random) -> list[str]:
    """Return the sentences in paragraphs of two to five."""
    found: list[str] = []
    while sentences:
        size = rng.randint(2, 5)
        found.append(" ".join(sentences[:size]))
        sentences = sentences[size:]
    return found


# Prose about nothing in particular, such as every website is full of.


THEMES: dict[str, tuple[str, ...]] = {
    "hours": (
        "We are open from Tuesday to Saturday between ten and five.",
        "The office closes early on the last Friday of every month.",
        "Groups of more than ten should tell us a week ahead.",
        "Please ring the bell twice, because the door is heavy and the hall is long.",
        "On public holidays a note on the door says when we will be back.",
    ),
    "letter": (
        "Our letter goes out four times a year and costs nothing.",
        "Whoever no longer wants the letter writes one line and is taken off the list.",
        "The last issue was late because the printer moved to another street.",
        "Readers send us corrections, and we are thankful for every one.",
        "Back issues are kept in a box beside the window.",
    ),
    "travel": (
        "The slow train stops at every village and is the better choice for looking out.",
        "A ticket for the whole day is cheaper than two single ones.",
        "From the station it is a walk of twelve minutes, mostly downhill.",
        "Take the bus on the far side of the square and leave it at the old mill.",
        "Travellers with much luggage will find lockers behind the kiosk.",
        "The inn has nine rooms, and those at the back are quiet.",
    ),
    "garden": (
        "This year the beans came early and the lettuce bolted.",
        "Water in the evening, when the soil can keep what it is given.",
        "A wheelbarrow with a flat wheel is worse than none.",
        "The neighbours share a ladder, a long hose and most of their opinions.",
        "Compost wants air, patience and now and then a spade.",
    ),
    "money": (
        "Prices include tax; postage is added when the parcel is weighed.",
        "The annual accounts can be read at the front desk.",
        "A small gift covers the heating, a larger one the roof.",
        "Invoices are sent on paper unless you ask for something else.",
        "The committee agreed to spend less on signs and more on chairs.",
    ),
    "website": (
        "This page was moved from the old server, and some pictures are still missing.",
        "If a link does not work, tell the webmaster which one it was.",
        "The search box finds whole words only.",
        "We count visitors, but we do not ask who they are.",
        "Best viewed with a window that is wide enough.",
        "The guest book was closed after too many strangers advertised in it.",
    ),
    "town": (
        "The market on the square begins at seven and is over by noon.",
        "Road works on Mill Lane will go on until the end of the month.",
        "The council meets in public, and the minutes are read aloud.",
        "Lost umbrellas can be collected from the library.",
        "Parking behind the town hall is free for the first hour.",
        "The swimming pool opens again when the tiles have been mended.",
    ),
    "evening": (
        "Tea and biscuits are served in the interval.",
        "The lecture lasts an hour, and questions may take another.",
        "Chairs in the front row are kept for people who hear badly.",
        "Tickets that are not collected by half past seven go to those who wait.",
        "Afterwards the hall has to be swept, and helpers are welcome.",
    ),
    "pantry": (
        "Keep the jar in a cool dark place and use it within a week.",
        "An onion, a little butter and half an hour are a good beginning.",
        "Salt at the end, taste, and then leave the lid on.",
        "What is left over is better on the second day.",
        "A blunt knife is more dangerous than a sharp one.",
    ),
    "family": (
        "My sister took the photographs and my brother fixed the computer.",
        "We moved into this house when the children were small.",
        "The dog is asleep under the table while I write this.",
        "On Sundays we walk to the lake, whatever the weather does.",
        "I have wanted to write this down for years.",
        "Grandmother kept every letter, and the attic is full of them.",
    ),
    "notices": (
        "The caretaker is away because of illness, so the side door stays shut.",
        "After the disorder in the car park the committee asked for a second lamp.",
        "The lift waits for new software, as does everything else.",
        "A tree fell across the path, and a bird sings on what is left of it.",
        "The minutes are the only instrument by which we remember.",
        "Whoever left a dish in the kitchen may collect it on Monday.",
        "Sport shoes are not allowed on the wooden floor.",
        "The notice about the elm disease has been taken down by the wind.",
        "A vessel under the roof catches the rain, and somebody has to empty it.",
        "The governing body will look at the matter in spring.",
    ),
    "thanks": (
        "Many people have helped us, and most of them did not want to be named.",
        "We do not sell addresses and never have.",
        "Volunteers meet on the first Monday, and nobody has to bring anything.",
        "Suggestions are read by two of us before they are forgotten by the third.",
        "Copies may be made for schools without asking.",
    ),
}
"""Sentences by what they are about."""


def filler(rng: Random, sentences: int) -> str:
    """Return a paragraph of about this many general sentences, of one or two themes."""
    themes = rng.sample(sorted(THEMES), 2)
    pool = [sentence for theme in themes for sentence in THEMES[theme]]
    return " ".join(rng.sample(pool, min(sentences, len(pool))))
