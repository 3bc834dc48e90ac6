"""The labels of a topic and of all that is narrower, each by how much of its use lies there.

A label with several senses counts by the share of its use that lies below the topic: senses of
WordNet by their rank, senses elsewhere equally. A label of several words is a phrase; a word of
it counts by itself only as far as labels that hold it lie below the topic.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, cached_property, lru_cache
from itertools import pairwise, product
from math import log1p
from pathlib import Path
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from semcrawl.arrays import Bools, Floats, Ints
from semcrawl.errors import ConfigError
from semcrawl.garbage_collection import no_garbage_collection
from semcrawl.relevance.concept_tree import relation_of
from semcrawl.relevance.hierarchy import FAR, Hierarchy, hierarchy_of, made_of
from semcrawl.relevance.label_forms import LabelReading, background_of, is_acronym, label_readings, read_label
from semcrawl.relevance.lens import Lens, Reason, TopicPart, topic_graphs, topic_parts, usual_senses
from semcrawl.text.background import Background
from semcrawl.text.languages import analyser, language_code
from semcrawl.text.terms import Remembered
from semcrawl.topics.concepts import ConceptGraph
from semcrawl.topics.topic import Topic

_Form = tuple[str, int, float]  # a key of a label, its row, and the weight of that form

RELATIONS = ("topic-of", "has-part", "has-member", "derivation", "has-pertainym")
"""Relations whose targets belong to a topic, too; what is below the first three also does."""

_WITH_KINDS = frozenset(RELATIONS[:3])
_RELATED_KIND = 0.6  # what each step down from these weighs
_SENSE_FALL = 1.5  # sense r of a word is used r^-1.5 as often as the first
_LOOKED_UP = (0.5, 0.125)  # what the first senses of a keyword weigh
_MOST_TOLD = 50  # keywords that are compared with each other, at 10 ms and two megabytes for each
_SINGLE = 0.5  # the most that a word of a phrase weighs by itself
_LEAST = 0.02  # lighter labels are left out
_UNKNOWN = 0.5  # the rarity of words without a background
_OTHER_WORD = 0.25  # how much another word of the same stem speaks against a label
_CONTRAST = 1.25  # how much labels of WordNet that hold a word speak against it in other sources
_SHARED = 0.5  # a smaller share of a label's use is told
_LOOSE = 0.5  # related and broad synonyms weigh so much or less: they are names of other things
_FEW = 50_000  # in larger graphs only single words are compared by stems


def membership(
    graph: ConceptGraph, concept: str, *, alone: bool = False, related: float = 0.6, decay: float = 1.0
) -> Floats:
    """Return how far every concept belongs to a topic that is one concept, by position.

    It is 1 for the concept and all below it (times ``decay`` for each edge; in WordNet less
    where something is below other concepts, too), and ``related`` for what :data:`RELATIONS`
    lead to from there. ``alone`` leaves only the concept itself.
    """
    position = graph.position(concept)
    found = np.zeros(len(graph))
    if alone:
        found[position] = 1.0
        return found
    hierarchy = hierarchy_of(graph)
    near = hierarchy.below(position) < FAR
    found[position] = 1.0
    belonging = _belonging(hierarchy, position, near) if _is_wordnet(graph) else 1.0
    hierarchy.spread_down(found, decay * belonging)
    for name in RELATIONS if related else ():
        ends = graph.relation_ends.get(name, ((), ()))
        sources, targets = (np.asarray(one, np.int64) for one in ends)
        reached = np.zeros(len(graph))
        reached[targets[near[sources]]] = related
        if name in _WITH_KINDS:
            hierarchy.spread_down(reached, decay * _RELATED_KIND)
        np.maximum(found, reached, out=found)
    return found


def _is_wordnet(graph: ConceptGraph) -> bool:
    return graph.place() is None and graph.name.startswith("WordNet")


def _belonging(hierarchy: Hierarchy, position: int, near: Bools) -> Floats:
    """Return for each concept below one how far it hangs there, and not below others as well.

    It is the root of the share of its parents that are there: a section is a kind of music, but
    of writing, too. Parents that are above the one speak for nothing else. Makers of ontologies
    and thesauri name a second parent to say more of a concept, not to say less.
    """
    edges = hierarchy.up
    counted = np.ones(hierarchy.size, np.bool_)
    counted[list(hierarchy.above(position))] = False
    counted |= near
    parents = edges.sources()
    inside = np.bincount(parents[near[edges.target]], minlength=hierarchy.size)
    every = np.bincount(parents[counted[edges.target]], minlength=hierarchy.size)
    return np.sqrt(inside / np.maximum(every, 1))


def relation_to_topic(graph: ConceptGraph, concept: str, other: str) -> str:
    """Return how another concept belongs to a topic that is one concept; "" if it does not.

    Beside what :func:`relation_of` says, that is the relation which leads to the other, or to
    what it is a kind of, from something narrower.

    >>> from semcrawl.topics import wordnet
    >>> relation_to_topic(wordnet().graph, "wordnet:mammal.n.01", "wordnet:udder.n.01")
    'has-part'
    """
    if direct := relation_of(graph, concept, other):
        return direct
    near = hierarchy_of(graph).below(graph.position(concept)) < FAR
    for name in RELATIONS:
        edges = graph.relation(name)
        kinds = graph.ancestors(other) if name in _WITH_KINDS else ()
        targets = [graph.position(one) for one in (other, *kinds)]
        if near[edges.sources()[np.isin(edges.target, targets)]].any():
            return name
    return ""


class LabelUse(NamedTuple):
    """A label of a topic: how much of its use lies there, and the concept that it names most."""

    key: str
    share: float
    row: int  # of the graph's table of labels
    concept: int
    member: float  # how far the concept belongs to the topic


class LabelUses:
    """How the labels of a graph are shared among its concepts, in one language."""

    def __init__(self, graph: ConceptGraph, language: str) -> None:
        self._table = graph.label_table
        self._language = language_code(language)
        self._analyser = analyser(language)
        self._owners: Ints = self._table.rows.sources()
        self._weights: Floats = np.asarray(self._table.weights, np.float64)
        self._uses: Floats = self._table.senses() ** -_SENSE_FALL * self._weights
        self._readings = label_readings(graph, language)
        self._stemmed = Remembered(self._stems_of)
        self._languages_read = Remembered(lambda tag: language_code(tag) in ("", self._language))
        self.from_wordnet = _is_wordnet(graph)

    def shares(self, members: Floats, broader: Collection[int] = ()) -> list[LabelUse]:
        """Return the labels of the members with the share of their use that lies with these.

        A use weighs as much as the label does. Another word of the same stem ("musical") speaks little against a label,
        unless the label is rare beside it ("retriever" beside "retrieve"), and not at all against the names of the
        topic; related and broad synonyms say nothing where a member has the label as its preferred one. What concepts
        ``broader`` than the topic, which is among them, are called does not speak against a label either: a heading
        "Inflation" above the concept "Inflation" means no other thing. WordNet has senses there.
        """
        inside = np.flatnonzero(members[self._owners] > 0)
        found = [
            (form.key, row, form.weight)
            for row, reading in zip(inside.tolist(), self.readings(inside), strict=True)
            for form in reading.forms
        ]
        if not found:
            return []
        keys = {key: number for number, key in enumerate(dict.fromkeys(key for key, _, _ in found))}
        own = len(found)
        found += self._other_uses(keys, inside, () if self.from_wordnet else broader)
        number = np.asarray([keys[key] for key, _, _ in found])
        rows = np.asarray([row for _, row, _ in found])
        is_topic = np.isin(self._owners[rows], list(broader))
        is_topic[own:] = False
        is_preferred = self._is_preferred[rows]
        use = self._uses[rows]
        other_word = np.full(len(keys), _OTHER_WORD)
        other_word[self._outnumbered(found[:own], keys)] = 1.0
        other_word[number[is_topic]] = 0.0
        is_same = self._same_word(found[:own], found[own:])
        use[own:] *= np.where(is_same, 1.0, other_word[number[own:]])
        is_loose = (self._weights[rows] <= _LOOSE) & ~is_preferred
        use[is_loose & np.isin(number, number[:own][is_preferred[:own]])] = 0.0
        member = members[self._owners[rows]]
        inner = use * member * np.asarray([weight for _, _, weight in found])
        left = self._left_by_senses(keys)
        left[number[is_topic & is_preferred]] = 1.0
        np.maximum.at(name := np.zeros(len(keys)), number[:own], self._weights[rows[:own]])
        every = np.maximum(np.bincount(number, use), 1e-9)  # a label may weigh nothing
        share = left * name * np.bincount(number, inner) / every
        best = np.lexsort((-inner, -member, ~is_topic, number))
        first = best[np.unique(number[best], return_index=True)[1]]
        owners = self._owners[rows[first]]
        columns = (share, rows[first], owners, members[owners])
        return list(map(LabelUse, keys, *(column.tolist() for column in columns)))

    @cached_property
    def _is_preferred(self) -> Bools:
        """Of each row, whether its label is the first that its concept has in this language."""
        found = np.zeros(len(self._owners), np.bool_)
        read = np.arange(len(found))
        if not all(map(self._languages_read.__getitem__, set(self._table.languages))):
            read = read[[self._languages_read[tag] for tag in self._table.languages]]
        found[read[np.unique(self._owners[read], return_index=True)[1]]] = True
        return found

    def remarks(self, members: Floats, broader: Collection[int]) -> Iterator[tuple[int, str, str]]:
        """Yield concept, text and remark of each label of the members that is matched specially."""
        rows = np.flatnonzero(members[self._owners] > 0)
        share_of = {use.key: use.share / use.member for use in self.shares(members, broader)}
        for row, reading in zip(rows.tolist(), self.readings(rows), strict=True):
            remark = reading.remark
            if not remark and reading.forms:
                share = share_of[reading.forms[0].key]
                if share < _LEAST:
                    remark = "left out: it nearly always names other concepts"
                elif share < _SHARED:
                    remark = f"counts {share:.2f}: it names other concepts, too"
            if remark:
                yield int(self._owners[row]), self._table.text(row), remark

    def _left_by_senses(self, keys: Collection[str]) -> Floats:
        """Return how much the senses that WordNet has of single words leave of their use.

        A word of a special source has these as well: "crabs" of diseases, "spokes" of planets.
        Nobody knows which of them is meant there, so it is the root of an equal share.
        """
        if self.from_wordnet or self._language != "en":
            return np.ones(len(keys))
        senses = wordnet_table("noun_senses")
        return np.asarray([max(senses.df(key), 1) for key in keys], float) ** -0.5

    def _outnumbered(self, own: list[_Form], keys: Mapping[str, int]) -> list[int]:
        """Return the numbers of keys whose labels are rare beside other words of their stem."""
        if self._language != "en":
            return []
        table, text = wordnet_table("outnumbered_nouns"), self._table.text
        common = {key for key, row, _ in own if text(row) not in table}
        return [number for key, number in keys.items() if key not in common]

    def _same_word(self, own: list[_Form], others: list[_Form]) -> list[bool]:
        """Return for each other use whether it is the same word as a label, or has its stem."""
        keys = {key for key, _, _ in others}
        written = {(key, self._table.text(row).lower()) for key, row, _ in own if key in keys}
        return [(key, self._table.text(row).lower()) in written for key, row, _ in others]

    def _other_uses(self, keys: Mapping[str, int], inside: Ints, broader: Collection[int]) -> Iterator[_Form]:
        """Yield the rows outside whose labels have one of the keys, as a text would not tell."""
        numbers = self._table.rows.target
        if len(inside) == len(numbers):
            return
        is_inside = np.isin(self._owners, list(broader))
        is_inside[inside] = True
        same = self._texts_with(keys)
        wanted = np.zeros(len(self._table.texts), bool)
        wanted[list(same)] = True
        for row in np.flatnonzero(wanted[numbers] & ~is_inside).tolist():
            if self._is_read(row):
                yield same[numbers[row]], row, 1.0

    def _is_read(self, row: int) -> bool:
        """Return whether the label of a row is of this language, or of none."""
        return self._languages_read[self._table.languages[row]]

    def _texts_with(self, keys: Mapping[str, int]) -> dict[int, str]:
        """Return the numbers of the texts that have one of some keys, each with its key."""
        if len(self._table.texts) < _FEW:
            return {number: key for key in keys for number in self._by_stems.get(key, ())}
        found = dict(self._odd_words(keys))
        for key in keys:
            for beginning in self._beginnings(key):
                found.update(dict.fromkeys(self._stemmed[beginning].get(key, ()), key))
        return found

    def _beginnings(self, key: str) -> tuple[str, ...]:
        """Return how a word can begin that has a key; "" where that is not known.

        Porter's stemmer leaves the first two letters, but for a y: "eyed" becomes "ei".
        """
        if self._language != "en":
            return ("",)
        return (key[:2], f"{key[0]}y") if key[1:2] == "i" else (key[:2],)

    def _stems_of(self, beginning: str) -> dict[str, list[int]]:
        """Return the numbers of the words that begin so, by their keys."""
        texts, plain = self._table.texts, self._plain_words[beginning]
        found = defaultdict[str, list[int]](list)
        stems = self._analyser.words_of_tokens([texts[number].lower() for number in plain])
        for number, stem in zip(plain, stems, strict=True):
            found[stem].append(number)
        return found

    @cached_property
    def _plain_words(self) -> defaultdict[str, list[int]]:
        """The numbers of the texts that are one word, by how they begin, as far as keys tell it."""
        cut, found = 2 if self._language == "en" else 0, defaultdict[str, list[int]](list)
        for number, text in enumerate(self._table.texts):
            if text.isalpha() and text.isascii():
                found[text[:cut].lower()].append(number)
        return found

    def _odd_words(self, keys: Collection[str]) -> Iterator[tuple[int, str]]:
        """Yield the texts without spaces that are more than letters, with one of some keys."""
        beginnings = {start for key in keys for start in self._beginnings(key)}
        may_be = re.compile("|".join(map(re.escape, beginnings)), re.IGNORECASE).search
        found = [one for one in self._odd_texts if may_be(one[1]) or not one[1].isascii()]
        words = self._analyser.words
        words(" ".join(text for _, text in found))  # many are stemmed more quickly together
        for number, text in found:
            if (key := " ".join(words(text))) in keys:
                yield number, key

    @cached_property
    def _odd_texts(self) -> list[tuple[int, str]]:
        return [
            (number, text)
            for number, text in enumerate(self._table.texts)
            if not (text.isalpha() and text.isascii()) and " " not in text
        ]

    @cached_property
    def _words(self) -> list[list[str]]:
        return list(map(self._analyser.words, self._table.texts))

    @cached_property
    def _by_stems(self) -> dict[str, list[int]]:
        """The numbers of the texts that have a key."""
        found: dict[str, list[int]] = {}
        for number, words in enumerate(self._words):
            found.setdefault(" ".join(words), []).append(number)
        return found

    def readings(self, rows: Ints) -> Iterator[LabelReading]:
        """Yield how the label of each row is matched; no form where it is of another language."""
        numbers = self._table.rows.target[rows].tolist()
        preferred = self._is_preferred[rows] | self.from_wordnet
        texts, words = self._table.texts, None if self.from_wordnet else self._words
        for row, number, first in zip(rows.tolist(), numbers, preferred.tolist(), strict=True):
            if self._is_read(row):
                known = None if words is None else words[number]
                yield self._readings.of(texts[number], preferred=first, words=known)
            else:
                yield LabelReading(())

    def held(self, words: Iterable[str]) -> dict[str, float]:
        """Return in how many labels each of some words is; English ones also in WordNet's."""
        general = wordnet_table("label_words") if self._language == "en" else None
        if self.from_wordnet and general is not None:
            return {word: general.df(word) for word in words}
        own = self._held_here
        return {word: own[word] + (_CONTRAST * general.df(word) if general is not None else 0) for word in words}

    @cached_property
    def _held_here(self) -> Counter[str]:
        return Counter(word for words in self._words for word in set(words))


def label_uses(graph: ConceptGraph, language: str) -> LabelUses:
    """Return the uses of a graph's labels in a language, worked out once."""
    return made_of(graph, LabelUses, language)


@cache
def wordnet_table(name: str) -> Background:
    """Return in how many labels, or noun senses, of WordNet each stem is; read once."""
    resource = Path(__file__).parent / "data" / f"{name}.tsv.gz"
    return Background.from_bytes(resource.read_bytes(), resource.name)


class TopicLabels(Struct, frozen=True):
    """The lens of a topic's labels; its own names among them; its keywords."""

    lens: Lens
    own: dict[str, float]  # keys of the names of its concepts and keywords, with weights
    keywords: tuple[str, ...]  # the keys of its keywords, where it has no concepts
    names: tuple[str, ...]  # those of own that are whole names, and no words of names


def topic_labels(
    topic: Topic, background: Background | None = None, *, related: float = 0.6, decay: float = 1.0
) -> TopicLabels:
    """Return the labels of a topic in its first language.

    Keywords count fully; the senses that they have in WordNet, or in the topic's graphs, less. Two that follow each
    other and name something together ("computer", "programming"), in a topic of keywords alone, are read as that as
    well, and their own senses are left out. A concept of weight 0 leaves out what is below it, a keyword of weight 0
    that label. Raises ConfigError: a number out of range.

    >>> from semcrawl.topics import Topic
    >>> lens = topic_labels(Topic.parse("wordnet:asthma")).lens
    >>> round(lens.weight("asthma attack"), 2), round(lens.weight("attack"), 2)
    (1.0, 0.0)
    """
    if not (0 <= related <= 1 and 0 < decay <= 1):
        raise ConfigError(f"related={related:g}, decay={decay:g}: both are from 0 to 1, decay above 0")
    with no_garbage_collection():
        compiler = _Compiler(topic, background, related, decay)
        for number, part in enumerate(compiler.parts):
            if part.graph is not None and part.concept is not None:
                compiler.add_concept(number, part.graph, part.concept, alone=part.alone)
            else:
                compiler.add_keyword(number, part.name)
        return compiler.result()


class _Compiler:
    def __init__(self, topic: Topic, background: Background | None, related: float, decay: float) -> None:
        self.parts = topic_parts(topic)
        self._topic = topic
        self._language = topic.language
        self._analyser = analyser(topic.language)
        self._background = background_of(topic.language) if background is None else background
        self._related = related
        self._decay = decay
        self._reasons: dict[str, dict[int, Reason]] = {}
        self._own: dict[str, float] = {}
        self._keywords: list[str] = []
        self._unwanted = [part for part in topic.concepts if not part.weight]
        self._names: dict[str, None] = {}
        self._below, self._senses = lru_cache(4 * _MOST_TOLD)(self.members), cache(self._senses_of)
        self._joined: set[str] = set()  # keywords that are read together with another
        tells = not topic.concepts and not topic.examples and len(self.parts) <= _MOST_TOLD
        self._given = len(self.parts) if tells else 0  # keywords that tell each other's senses
        if self._given:
            self.parts += self._joined_keywords()

    def _joined_keywords(self) -> list[TopicPart]:
        """Return keywords that follow each other and name something together: "world", "war"."""
        graphs, found = topic_graphs(self._topic, self._language), []
        for first, second in pairwise(self.parts):
            name = f"{first.name} {second.name}"
            if any(usual_senses(graph, name, "n") for graph in graphs):
                found.append(replace(first, name=name, weight=min(first.weight, second.weight)))
                self._joined |= {first.name, second.name}
        return found

    def result(self) -> TopicLabels:
        for keyword in self._topic.keywords:
            for form in () if keyword.weight else read_label(keyword.text, self._analyser).forms:
                self._reasons.pop(form.key, None)
        reasons = {key: tuple(found.values()) for key, found in self._reasons.items()}
        lens = Lens(self._topic.name, self.parts, reasons, language=self._language, nearest_part=True)
        # A name that several synonyms hold tells more, but not in proportion.
        own = {key: log1p(weight) for key, weight in self._own.items() if key in reasons}
        # Beside concepts, keywords are further names: pages need not have them.
        keywords = () if any(part.concept for part in self.parts) else tuple(self._keywords)
        names = tuple(key for key in self._names if key in reasons)
        return TopicLabels(lens, own, keywords, names)

    def add_concept(self, number: int, graph: ConceptGraph, concept: str, *, alone: bool) -> None:
        uses = label_uses(graph, self._language)
        position = graph.position(concept)
        broader = hierarchy_of(graph).above(position)
        shares = uses.shares(self.members(graph, concept, alone=alone), broader)
        telling = _telling_words(uses, shares)
        self._add_labels(number, graph, shares, telling)
        share_of = {use.key: use.share for use in shares}
        start, end = graph.label_table.rows.start[position : position + 2].tolist()
        for row, reading in zip(range(start, end), uses.readings(np.arange(start, end)), strict=True):
            label = graph.label_table.label(row)
            for form in reading.forms:
                if form.key not in self._reasons:
                    share = share_of.get(form.key, _LEAST)
                    self._add(form.key, Reason(number, concept, label.text, 1.0, share))
                self._names[form.key] = None
                self._own[form.key] = self._own.get(form.key, 0.0) + form.weight * label.weight
                for word in _words(form.key):
                    own = telling[word][0] if word in telling else 0.0
                    tells = max(own, share_of.get(word, 0.0))
                    self._own[word] = self._own.get(word, 0.0) + tells

    def add_keyword(self, number: int, keyword: str) -> None:
        """Add a keyword, its words, and the labels below the first senses that it has."""
        for graph in topic_graphs(self._topic, self._language):
            members = np.zeros(len(graph))
            for sense, weight in self._meant(graph, keyword).items():
                np.maximum(members, weight * self._below(graph, sense), out=members)
            uses = label_uses(graph, self._language)
            shares = uses.shares(members)
            self._add_labels(number, graph, shares, _telling_words(uses, shares))
        table = background_of(self._language)
        for form in read_label(keyword, self._analyser, table).forms:
            for word in _words(form.key):
                weight = _SINGLE * self._rarity(word)
                self._add(word, Reason(number, None, word, 1.0, weight))
                self._own[word] = self._own.get(word, 0.0) + weight
            self._add(form.key, Reason(number, None, keyword, 1.0, 1.0))
            self._own[form.key] = self._own.get(form.key, 0.0) + form.weight
            self._names[form.key] = None
            self._keywords.append(form.key)

    def _senses_of(self, graph: ConceptGraph, keyword: str) -> list[str]:
        """Return the senses of a keyword; of an acronym those that are written like it.

        A keyword that names something together with another has no sense by itself.
        """
        if keyword in self._joined:
            return []
        found = usual_senses(graph, keyword, "n")
        if not is_acronym(keyword, self._analyser, background_of(self._language)):
            return found
        return [one for one in found if any(it.text == keyword for it in graph.labels(one))]

    def _meant(self, graph: ConceptGraph, keyword: str) -> dict[str, float]:
        """Return the senses of a keyword that may be meant, with their weights.

        Two keywords tell each other's senses where one belongs to the other: "plant", "tree". One that is broader than
        one before it says little more than that: "mammal", "animal".
        """
        found = dict(zip(self._senses(graph, keyword), _LOOKED_UP, strict=False))
        names = [part.name for part in self.parts] if self._given else [keyword]
        place, told = names.index(keyword), dict[str, float]()
        for number, other in enumerate(names):
            for one, sense in product(self._senses(graph, other)[: len(_LOOKED_UP)], found if number != place else ()):
                if number < place < self._given and sense in graph.ancestors(one):
                    return {sense: _LOOKED_UP[-1]}
                if self._below(graph, sense)[graph.position(one)] or self._below(graph, one)[graph.position(sense)]:
                    told[sense] = 1.0
        return told or found

    def members(self, graph: ConceptGraph, concept: str, *, alone: bool = False) -> Floats:
        """Return how far concepts belong to one of the topic, without those of weight 0."""
        found = membership(graph, concept, alone=alone, related=self._related, decay=self._decay)
        for part in self._unwanted:
            if part.id in graph:
                found[membership(graph, part.id, alone=part.alone, related=0) > 0] = 0.0
        return found

    def _add_labels(
        self, number: int, graph: ConceptGraph, shares: list[LabelUse], telling: Mapping[str, tuple[float, LabelUse]]
    ) -> None:
        for use in shares:
            text = graph.label_table.text(use.row)
            share = min(use.share / use.member, 1.0)
            self._add(use.key, Reason(number, graph.ids[use.concept], text, use.member, share))
        for word, (tells, use) in telling.items():
            weight = _SINGLE * tells * self._rarity(word)
            if weight >= _LEAST:
                written = self._written(word, graph.label_table.text(use.row))
                self._add(word, Reason(number, graph.ids[use.concept], written, 1.0, weight))

    def _written(self, word: str, label: str) -> str:
        """Return the form that a stem has in a label."""
        stem = self._analyser.stem
        tokens = self._analyser.tokens(label)
        return next((token for token in tokens if word in (token, stem(token))), word)

    def _rarity(self, word: str) -> float:
        return _UNKNOWN if self._background is None else self._background.rarity(word)

    def _add(self, key: str, why: Reason) -> None:
        if why.value < _LEAST:
            return
        found = self._reasons.setdefault(key, {})
        if why.part not in found or why.value > found[why.part].value:
            found[why.part] = why


class LabelRemark(NamedTuple):
    """A label of a topic that is left out, counts less or is matched as written, and why."""

    text: str
    concept: str | None  # None for a keyword
    remark: str


def label_remarks(topic: Topic, *, related: float = 0.6, decay: float = 1.0) -> list[LabelRemark]:
    """Return the remarks on a topic's labels in its first language, on its own names first.

    >>> from semcrawl.topics import Topic
    >>> label_remarks(Topic.parse("wordnet:bank.n.01"))[0].remark
    'counts 0.31: it names other concepts, too'
    """
    compiler = _Compiler(topic, None, related, decay)
    found: list[LabelRemark] = []
    for part in compiler.parts:
        graph = part.graph
        if graph is None or part.concept is None:
            table = background_of(topic.language)
            remark = read_label(part.name, analyser(topic.language), table).remark
            found += [LabelRemark(part.name, None, remark)] if remark else []
            continue
        own = graph.position(part.concept)
        members = compiler.members(graph, part.concept, alone=part.alone)
        uses = label_uses(graph, topic.language)
        rows = list(uses.remarks(members, hierarchy_of(graph).above(own)))
        # What is found in full, but in this case only, comes last.
        rows.sort(key=lambda row: (row[0] != own, row[2].startswith("found"), -members[row[0]]))
        found += [LabelRemark(text, graph.ids[one], why) for one, text, why in rows]
    once: dict[tuple[str, str], LabelRemark] = {}
    for one in found:
        once.setdefault((one.text, one.remark), one)
    return list(once.values())


def _words(key: str) -> Iterable[str]:
    if " " not in key:
        return ()
    # As may_be_term says: a call for every word would take as long as all else.
    return {word: None for word in key.split(" ") if len(word) > 1 and not word.isdigit()}


def _telling_words(uses: LabelUses, shares: list[LabelUse]) -> dict[str, tuple[float, LabelUse]]:
    """Return for each word of phrases the share of labels with it below the topic, and one such."""
    by_label: dict[str, dict[int, float]] = {}  # a label has several forms and counts once
    examples: dict[str, LabelUse] = {}
    for use in shares:
        for word in _words(use.key):
            if word in by_label:
                by_label[word][use.row] = use.share
            else:
                by_label[word], examples[word] = {use.row: use.share}, use
    held = uses.held(by_label)
    return {
        word: (sum(found.values()) / (max(held[word], len(found)) + 1), examples[word])
        for word, found in by_label.items()
    }
