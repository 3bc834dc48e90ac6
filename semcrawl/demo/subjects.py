"""What the demo web is about: nine subjects, each a WordNet sense with all its kinds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property

from semcrawl.topics import ConceptGraph, wordnet

MAIN = "breathing"
"""The subject that `semcrawl demo` crawls for: it has a site more than the others."""

_MOST_CONCEPTS = 90
_LONGEST_LABEL = 32


@dataclass(frozen=True)
class Subject:
    """A field that sites of the demo web write about.

    Attributes:
        name: one word, the key of the subject.
        heading: the name for people.
        sense: the WordNet sense whose kinds are the field's concepts.
        countable: whether its concepts are things that take an article.
        category: where directories and portals file it.
        remarks: sentences of the field about any of its concepts, ``{name}``.
    """

    name: str
    heading: str
    sense: str
    countable: bool
    category: str
    remarks: tuple[str, ...]

    @property
    def spec(self) -> str:
        """The subject as a topic is written, ``wordnet:bird_of_prey.n.01``."""
        return f"wordnet:{self.sense}"

    @cached_property
    def graph(self) -> ConceptGraph:
        """The concept graph of WordNet."""
        return wordnet().graph

    @cached_property
    def concepts(self) -> tuple[str, ...]:
        """The kinds of the sense, nearest first; one per label, none with a very long one."""
        by_label: dict[str, str] = {}
        seen = {self.spec}
        queue = deque(seen)
        while queue and len(by_label) < _MOST_CONCEPTS:
            concept = queue.popleft()
            by_label.setdefault(self.graph.label(concept).casefold(), concept)
            kinds = [kind for kind in self.graph.narrower(concept) if kind not in seen]
            seen.update(kinds)
            queue.extend(kinds)
        return tuple(
            concept for label, concept in by_label.items() if len(label) <= _LONGEST_LABEL
        )[1:]

    def kinds(self, concept: str) -> list[str]:
        """Return the narrower concepts that belong to the subject."""
        return [kind for kind in self.graph.narrower(concept) if kind in self._members]

    @cached_property
    def _members(self) -> frozenset[str]:
        return frozenset(self.concepts)


_TABLE = (
    Subject(
        "breathing", "Respiratory disease", "respiratory_disease.n.01", False, "Health",
        (
            "A doctor listens to the chest before naming {name}.",
            "Whoever is short of breath for days should have the lungs looked at.",
            "Damp rooms and smoke make {name} worse.",
            "The ward keeps beds for patients with {name} all winter.",
            "In a respiratory illness such as {name}, rest and fresh air do half of the work.",
            "Children cough at night, and {name} is then the first thing parents fear.",
            "The leaflet on {name} explains what to ask at the next visit.",
        ),
    ),
    Subject(
        "music", "Musical instruments", "musical_instrument.n.01", True, "Culture",
        (
            "Players of the {name} tune before the others come in.",
            "The oldest {name} in the cabinet is still played twice a year.",
            "A {name} suffers when the room is dry.",
            "Composers wrote few solo pieces for the {name}.",
            "As a musical instrument the {name} is easier to hear than to describe.",
            "The workshop mends whatever makes music, the {name} included.",
        ),
    ),
    Subject(
        "raptors", "Birds of prey", "bird_of_prey.n.01", True, "Nature",
        (
            "The {name} hunts in the first hour of light.",
            "From the hide we saw the {name} circle twice and drop.",
            "Its nest lies high, and the young are fed for weeks.",
            "Like every bird of prey the {name} has a hooked beak and strong talons.",
            "Counts of the {name} have gone up since the poison was forbidden.",
            "A feather of the {name} was found below the cliff.",
        ),
    ),
    Subject(
        "ships", "Ships and boats", "vessel.n.02", True, "Technology",
        (
            "The {name} at the quay takes visitors on board at high tide.",
            "A crew of the {name} slept in hammocks below the deck.",
            "Its hull was tarred every spring.",
            "The harbour master wrote every {name} into his book.",
            "No other vessel turns like the {name} in a narrow channel.",
            "Sailors say that the {name} answers the helm slowly.",
        ),
    ),
    Subject(
        "dishes", "Dishes", "dish.n.02", False, "Home",
        (
            "Our cook serves {name} on the second evening.",
            "For {name} the pan must be hot before anything goes in.",
            "Recipes for {name} differ from one village to the next.",
            "A good {name} needs no more than five ingredients.",
            "This dish is eaten warm, with bread and a spoon.",
            "Guests who know {name} from childhood ask for more sauce.",
        ),
    ),
    Subject(
        "sky", "Celestial bodies", "celestial_body.n.01", True, "Science",
        (
            "Through the telescope the {name} shows itself on clear nights only.",
            "Its light has been on the way for a long time.",
            "The chart gives the place of the {name} for every month.",
            "Astronomers measured the {name} again when the new mirror came.",
            "Of all celestial bodies the {name} is asked about most.",
            "The {name} rises late in autumn.",
        ),
    ),
    Subject(
        "conifers", "Conifers", "conifer.n.01", True, "Nature",
        (
            "The {name} by the gate was planted when the park was laid out.",
            "Its cones stay closed until the summer is dry.",
            "The wood of the {name} is light and smells of resin.",
            "In snow the branches of the {name} bend and do not break.",
            "A coniferous tree like the {name} keeps its needles in winter.",
            "Seedlings of the {name} want shade in their first year.",
            "A disease of the bark has killed more than one {name} on the hill.",
        ),
    ),
    Subject(
        "sport", "Sport", "sport.n.01", False, "Leisure",
        (
            "Training for {name} begins at six on the lower field.",
            "The rules of {name} fit on two pages, and nobody has read both.",
            "In {name} the referee has the last word.",
            "Beginners in {name} borrow their shoes from the club.",
            "As a sport {name} asks for more patience than strength.",
            "Last season our team in {name} lost every away match.",
            "Illness kept half of the players at home, so {name} was put off.",
        ),
    ),
    Subject(
        "software", "Software", "software.n.01", True, "Technology",
        (
            "The manual of the {name} is longer than its code.",
            "A programmer who writes a {name} learns where the memory goes.",
            "Older computers run the {name} from a single disk.",
            "Install the {name} first and read the release notes later.",
            "As software goes, the {name} has few settings.",
            "The {name} crashed once, and the log says why.",
        ),
    ),
)  # fmt: skip

SUBJECTS: dict[str, Subject] = {subject.name: subject for subject in _TABLE}
"""The subjects by name."""
