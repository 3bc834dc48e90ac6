"""WordNet 3.0, shipped with semcrawl: senses of words, base forms, and the concept graph."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from semcrawl.errors import TopicError
from semcrawl.topics.labels import normal_label
from semcrawl.topics.wordnet_file import PREFIX, ColumnFile, ColumnFileError, read_wordnet

if TYPE_CHECKING:
    from semcrawl.topics.concepts import ConceptGraph

_ENDINGS = {  # each with what takes its place, in the order of morphy(7WN)
    "n": "s: ses:s ves:f xes:x zes:z ches:ch shes:sh men:man ies:y",
    "v": "s: ies:y es:e es: ed:e ed: ing:e ing:",
    "a": "er: est: er:e est:e",
}
_SENSE_NAME = re.compile(r"(?P<lemma>.+)\.(?P<pos>[nvasr])\.(?P<number>[0-9]{1,3})", re.DOTALL)


class WordNet:
    """The words of WordNet over its concept graph; an id is ``wordnet:bank.n.01``."""

    def __init__(self, file: ColumnFile) -> None:
        self.graph: ConceptGraph = read_wordnet(file)
        self._file = file

    @classmethod
    def load(cls, path: Path) -> WordNet:
        """Read a WordNet file; TopicError if it is not there or damaged."""
        try:
            return cls(ColumnFile(path.read_bytes()))
        except (OSError, ColumnFileError) as error:
            raise TopicError(
                f"cannot read WordNet from {path.name}: {error}; "
                "install semcrawl again, the file is part of the package"
            ) from error

    def senses(self, word: str, pos: str | None = None) -> list[str]:
        """Return the ids of the senses of a word or its inflected forms, of one ``pos`` or of all.

        >>> wordnet().senses("asthma")
        ['wordnet:asthma.n.01']
        """
        found: dict[str, None] = {}
        for part in "nvar" if pos is None else pos:
            for form in self.base_forms(word, part):
                found.update(dict.fromkeys(self._senses_of_lemma(form, part)))
        return list(found)

    def base_forms(self, word: str, pos: str) -> list[str]:
        """Return the lemmas of a part of speech that a word can be a form of, as nltk does.

        >>> wordnet().base_forms("churches", "n"), wordnet().base_forms("axes", "n")
        (['church'], ['ax', 'axis'])
        """
        word = normal_label(word)
        pos = "a" if pos == "s" else pos
        forms = self._exceptions.get((pos, word))
        if forms is None:
            rules = (rule.split(":") for rule in _ENDINGS.get(pos, "").split())
            forms = [word.removesuffix(old) + new for old, new in rules if word.endswith(old)]
        candidates = dict.fromkeys((word, *forms))
        return [form for form in candidates if self._senses_of_lemma(form, pos)]

    def sense(self, name: str) -> str | None:
        """Return the id of a sense name, None if unknown; ``a`` stands for all adjectives.

        >>> wordnet().sense("Bank.n.1"), wordnet().sense("full.a.06"), wordnet().sense("bank.n.99")
        ('wordnet:bank.n.01', 'wordnet:full.s.06', None)
        """
        parts = _SENSE_NAME.fullmatch(name.removeprefix(PREFIX).strip())
        if parts is None:
            return None
        senses = self._senses_of_lemma(normal_label(parts["lemma"]), parts["pos"])
        number = int(parts["number"])
        found = senses[number - 1] if 1 <= number <= len(senses) else None
        if found and parts["pos"] == "s" and _pos(found) != "s":
            return None
        return found

    def _senses_of_lemma(self, lemma: str, pos: str) -> list[str]:
        wanted = "as" if pos in "as" else pos
        return [concept for concept in self.graph.find(lemma) if _pos(concept) in wanted]

    @cached_property
    def _exceptions(self) -> dict[tuple[str, str], list[str]]:
        found = {}
        for line in self._file.texts("exceptions"):
            pos, form, *bases = (part.replace("_", " ") for part in line.split(" "))
            found[pos, form] = bases
        return found


@cache
def wordnet() -> WordNet:
    """Return the WordNet that is shipped with semcrawl; it is read once."""
    return WordNet.load(Path(str(files("semcrawl.topics") / "data" / "wordnet-3.0.bin")))


def gloss(name: str) -> str | None:
    """Return the definition of a sense from nltk's WordNet corpus, None where that is missing."""
    concept = wordnet().sense(name)
    reader = _nltk_reader() if concept else None
    if concept is None or reader is None:
        return None
    # All versions of nltk find a satellite under "a", not all under "s".
    nltk_name = re.sub(r"\.s\.(\d+)$", r".a.\1", concept.removeprefix(PREFIX))
    try:
        synset = reader.synset(nltk_name)
        same = synset.lemma_names()[0].replace("_", " ") == wordnet().graph.label(concept)
        definition = str(synset.definition())
    except Exception:  # noqa: BLE001 - a corpus of another version or damaged: no gloss, no crash
        return None
    return definition if same else None


@cache
def _nltk_reader() -> Any:
    if not has_nltk_corpus():
        return None
    try:
        from nltk.corpus import wordnet as reader

        reader.ensure_loaded()
    except Exception:  # noqa: BLE001 - nltk raises many kinds of errors; a gloss is a courtesy
        return None
    return reader


def has_nltk_corpus() -> bool:
    """Return whether one of nltk's data folders holds WordNet; importing nltk takes a second."""
    if "nltk" in sys.modules or os.name == "nt":
        return True
    named = [folder for folder in os.environ.get("NLTK_DATA", "").split(os.pathsep) if folder]
    own = [f"{sys.prefix}{part}/nltk_data" for part in ("", "/share", "/lib")]
    shared = [f"/usr{part}/nltk_data" for part in ("/share", "/local/share", "/lib", "/local/lib")]
    return any(
        Path(folder).expanduser().joinpath("corpora", name).exists()
        for folder in (*named, "~/nltk_data", *own, *shared)
        for name in ("wordnet", "wordnet.zip")
    )


def _pos(concept: str) -> str:
    return concept.rsplit(".", 2)[1]


@dataclass(frozen=True, slots=True)
class Sense:
    """One sense of a word."""

    id: str  # the concept in the graph, ``wordnet:bank.n.01``
    name: str  # the same without the prefix
    synonyms: tuple[str, ...]  # all words with this sense, the most usual first
    path: tuple[str, ...]  # labels of the shortest is-a path, from the root down to the sense
    gloss: str | None  # the definition, where nltk's corpus is installed


def senses_of(word: str, *, limit: int | None = None) -> list[Sense]:
    """Return the senses of a word or of a sense name, the most usual first; [] if unknown.

    >>> [(sense.name, sense.path[-2:]) for sense in senses_of("asthma")]
    [('asthma.n.01', ('respiratory disease', 'asthma'))]
    """
    named = wordnet().sense(word)
    ids = [named] if named else wordnet().senses(word)
    return [describe_sense(concept) for concept in ids[:limit]]


def describe_sense(concept: str) -> Sense:
    """Return the description of one sense, given by its id; TopicError if there is none."""
    graph = wordnet().graph
    path = min(graph.paths_to_root(concept), key=len)
    return Sense(
        id=concept,
        name=concept.removeprefix(PREFIX),
        synonyms=tuple(label.text for label in graph.labels(concept)),
        path=tuple(graph.label(step) for step in path),
        gloss=gloss(concept),
    )
