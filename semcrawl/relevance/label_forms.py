"""From a label to what is matched in texts: its forms, and how much each of them tells.

`read_label` is where every label of a concept, and every keyword, becomes the key of a `Lens`;
:mod:`semcrawl.text.phrases` finds such keys in texts.
"""

import re
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from semcrawl.relevance.hierarchy import made_of
from semcrawl.text.background import Background
from semcrawl.text.languages import analyser, language_code
from semcrawl.text.phrases import EXACT
from semcrawl.text.terms import Analyser, may_be_term, stop_words_by_language
from semcrawl.topics.concepts import ConceptGraph
from semcrawl.topics.labels import labels_in

LONGEST_LABEL = 200  # characters; whatever is longer is a sentence
MOST_WORDS = 12

_WORD_LIKE = 0.25  # an acronym or short synonym that is also a word: DISH, AD, cold
_QUALIFIED = 0.5  # "Java" for "Java (programming language)"
_SHORT = 4
LONGEST_ACRONYM = 6
_USUAL = 30  # a word of up to four letters in so many glosses is a usual one

_VERY_SHORT = 3
_SEVERAL = 2  # languages that have a function word

_NOTATION = re.compile(r"[A-Z]{1,3}(?:\.\d+)+\s+(?=\S)")
_QUALIFIER = re.compile(r"(?P<name>[^()]+?)\s*\((?P<qualifier>[^()]+)\)")
_ARTICLES = frozenset({"a", "an", "the"})
_UNITS = frozenset((Path(__file__).parent / "data" / "units.txt").read_text("ascii").split())


class LabelForm(NamedTuple):
    """A form of a label: its key (stems with spaces, or ``=`` and the label), and its weight."""

    key: str
    weight: float = 1.0


class LabelReading(NamedTuple):
    """The forms of a label, and a remark for people where it is matched in a special way."""

    forms: tuple[LabelForm, ...]
    remark: str = ""


def read_label(
    text: str,
    analyser: Analyser,
    background: Background | None = None,
    *,
    preferred: bool = True,
    words: list[str] | None = None,
) -> LabelReading:
    """Return the forms in which a label is looked for in texts of a language.

    Acronyms are matched as they are written. An inverted name is also read the other way round, a qualifier in brackets
    may be missing. Without ``preferred`` the label is a synonym: acronyms and short ones that are usual words tell
    less. A leading classmark is passed over. ``words`` are those of the label, where they are known already.

    >>> from semcrawl.text.terms import ENGLISH
    >>> read_label("Asthma, allergic", ENGLISH).forms[1].key, read_label("KMS", ENGLISH).forms
    ('allerg asthma', (LabelForm(key='=KMS', weight=1.0),))
    >>> read_label("hepatitis A", ENGLISH).remark
    'left out: without "a", a stop word, it would mean something else'
    """
    if (bare := without_notation(text)) != text:
        text, words = bare, None
    text = " ".join(text.replace("_", " ").split())
    if len(text) > LONGEST_LABEL or text.count(" ") >= MOST_WORDS:
        return LabelReading((), "left out: too long to be found in a text")
    if is_acronym(text, analyser, background):
        return _acronym(text, analyser, background, preferred=preferred)
    words = analyser.words(text) if words is None else words
    if problem := _problem(text, words, analyser):
        return LabelReading((), f"left out: {problem}")
    key = " ".join(words)
    if len(text) <= _SHORT and (why := _short_word(text, analyser, background, preferred=preferred)):
        return LabelReading((LabelForm(key, _WORD_LIKE),), f"counts {_WORD_LIKE:g}: {why}")
    if not text.endswith(")") and ", " not in text:
        return LabelReading((LabelForm(key),))
    weights = {key: 1.0}
    for variant, weight in _variants(text):
        if other := " ".join(analyser.words(variant)):
            weights.setdefault(other, weight)
    return LabelReading(tuple(map(LabelForm, weights, weights.values())))


def without_notation(text: str) -> str:
    """Return a label without the classmark that it begins with.

    >>> without_notation("V.05.03  Inflation"), without_notation("G7 countries")
    ('Inflation', 'G7 countries')
    """
    found = _NOTATION.match(text) if "." in text else None
    return text[found.end() :] if found else text


class LabelReadings:
    """How the labels of a graph are read in a language; each is read once."""

    def __init__(self, graph: ConceptGraph, language: str) -> None:
        self._table = graph.label_table
        self._language = language
        self._concepts: dict[int, list[tuple[str, str, float]]] = {}
        self._analyser = analyser(language)
        self._background = background_of(language)
        self._known: dict[tuple[str, bool], LabelReading] = {}

    def of(self, text: str, *, preferred: bool = True, words: list[str] | None = None) -> LabelReading:
        """Return what :func:`read_label` does."""
        reading = self._known.get((text, preferred))
        if reading is None:
            reading = read_label(text, self._analyser, self._background, preferred=preferred, words=words)
            self._known[text, preferred] = reading
        return reading

    def of_concept(self, position: int) -> list[tuple[str, str, float]]:
        """Return the keys of a concept's labels, each with the label and its weight."""
        found = self._concepts.get(position)
        if found is None:
            found = self._concepts[position] = [
                (form.key, label.text, label.weight * form.weight)
                for label in labels_in(self._language, self._table.of(position))
                for form in self.of(label.text).forms
            ]
        return found


def label_readings(graph: ConceptGraph, language: str) -> LabelReadings:
    """Return the readings of a graph's labels in a language, which live as long as the graph."""
    return made_of(graph, LabelReadings, language)


def background_of(language: str) -> Background | None:
    """Return the background that is shipped for a language, if any."""
    return Background.default() if language_code(language) == "en" else None


def label_key(text: str, analyser: Analyser) -> str:
    """Return the stems of a label as it stands, with spaces between; "" where it cannot be found.

    >>> from semcrawl.text.terms import ENGLISH
    >>> label_key("Respiratory diseases", ENGLISH), label_key("the flu", ENGLISH)
    ('respiratori diseas', 'flu')
    """
    words = analyser.words(text)
    return "" if _problem(text, words, analyser) else " ".join(words)


def exact_stems(keys: Mapping[str, object], analyser: Analyser) -> dict[str, str]:
    """Return those keys that are matched as written, each with the stem that texts count it by."""
    found = (key for key in keys if key.startswith(EXACT))
    return {key: next(iter(analyser.terms(key[1:])), "") for key in found}


def key_idf(key: str, idfs: Mapping[str, float]) -> float:
    """Return the idf of a label; that of a phrase is its rarest stem's, since it is rarer still.

    >>> key_idf("first aid", {"first": 1.0, "aid": 3.0})
    3.0
    """
    if key.startswith(EXACT):
        return idfs[key]  # no text of the background has it: as rare as can be
    return max([idfs[stem] for stem in key.split(" ")])


def _variants(text: str) -> list[tuple[str, float]]:
    """Return other ways to write a label, with their weights."""
    found: list[tuple[str, float]] = []
    qualified = _QUALIFIER.fullmatch(text) if text.endswith(")") else None
    if qualified:
        found.append((qualified["name"], _QUALIFIED))
        found.append((f"{qualified['qualifier']} {qualified['name']}", 1.0))
    first, comma, rest = text.partition(", ")
    if comma and rest and "," not in rest:
        found.append((f"{rest} {first}", 1.0))
    return found


def _problem(text: str, words: list[str], analyser: Analyser) -> str:
    if not words:
        return "only stop words or signs"
    if not any(map(may_be_term, words)):
        return "only numbers or single characters"
    if len(words) == 1 and not text.isalnum():
        tokens = analyser.tokens(text)
        for place, token in enumerate(tokens if len(tokens) > 1 else ()):
            if not analyser.words(token) and (place or token not in _ARTICLES):
                return f'without "{token}", a stop word, it would mean something else'
    return ""


def is_acronym(text: str, analyser: Analyser, background: Background | None) -> bool:
    """Return whether a label is matched as it is written, in capitals and small letters.

    >>> from semcrawl.text.terms import ENGLISH
    >>> [is_acronym(text, ENGLISH, Background.default()) for text in ("KMS", "MoS", "Asthma")]
    [True, True, False]
    """
    if " " in text or len(text) > LONGEST_ACRONYM or sum(map(str.isupper, text)) < 2:
        return False
    return len(text) <= _SHORT or not _is_known(text, analyser, background)


def _acronym(text: str, analyser: Analyser, background: Background | None, *, preferred: bool) -> LabelReading:
    letters = sum(map(str.isalpha, text))
    form = LabelForm(EXACT + text)
    if letters < 2:
        return LabelReading((), "left out: only numbers or single characters")
    if text.lower() in _UNITS or text.lower() in analyser.stop_words:
        return LabelReading((), "left out: a unit or stop word, too")
    if len(text) == 2 or (not preferred and _is_known(text, analyser, background)):
        why = "an acronym of two letters" if len(text) == 2 else "an acronym that is a word, too"
        return LabelReading((form._replace(weight=_WORD_LIKE),), f"counts {_WORD_LIKE:g} in this spelling only: {why}")
    return LabelReading((form,), "found in this spelling only: an acronym")


def _is_known(text: str, analyser: Analyser, background: Background | None) -> bool:
    return background is not None and any(term in background for term in analyser.terms(text))


def _short_word(text: str, analyser: Analyser, background: Background | None, *, preferred: bool) -> str:
    """Return why a short label mostly means something else, "" where it does not."""
    counts = [] if background is None else map(background.df, analyser.terms(text))
    is_usual = text.lower() in _UNITS or any(count >= _USUAL for count in counts)
    if is_usual and not preferred:
        return "a short synonym and usual word"
    is_rare = background is not None and not is_usual
    if len(text) <= _VERY_SHORT and is_rare and _function_words()[text.lower()] >= _SEVERAL:
        return "a usual word of other languages"
    return ""


@cache
def _function_words() -> Counter[str]:
    """Return in how many languages each word is a function word."""
    return Counter(word for words in stop_words_by_language().values() for word in set(words))
