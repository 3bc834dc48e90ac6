"""How well the measures agree with people, and with nltk, on two published tables.

Pearson's correlation of each measure with the mean ratings of word pairs by
people, a word's similarity being that of its nearest noun senses.

    python -m benchmarks agreement
"""

from __future__ import annotations

from contextlib import nullcontext
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.checks import Check
from semcrawl.relevance.measures import (
    Ehrig,
    LeacockChodorow,
    Li,
    Lin,
    NearKinds,
    Path,
    Related,
    Resnik,
    Synonyms,
    WuPalmer,
)
from semcrawl.topics import wordnet

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractContextManager

    from semcrawl.relevance import Measure

    Table = list[tuple[str, str, float]]

# Mean ratings from 0 (nothing in common) to 4 (synonyms).
# H. Rubenstein, J. B. Goodenough: Contextual correlates of synonymy.
# Communications of the ACM 8 (10), 1965, 627-633.
RUBENSTEIN_GOODENOUGH = """
cord smile 0.02, rooster voyage 0.04, noon string 0.04, fruit furnace 0.05,
autograph shore 0.06, automobile wizard 0.11, mound stove 0.14, grin implement 0.18,
asylum fruit 0.19, asylum monk 0.39, graveyard madhouse 0.42, glass magician 0.44,
boy rooster 0.44, cushion jewel 0.45, monk slave 0.57, asylum cemetery 0.79,
coast forest 0.85, grin lad 0.88, shore woodland 0.90, monk oracle 0.91,
boy sage 0.96, automobile cushion 0.97, mound shore 0.97, lad wizard 0.99,
forest graveyard 1.00, food rooster 1.09, cemetery woodland 1.18, shore voyage 1.22,
bird woodland 1.24, coast hill 1.26, furnace implement 1.37, crane rooster 1.41,
hill woodland 1.48, car journey 1.55, cemetery mound 1.69, glass jewel 1.78,
magician oracle 1.82, crane implement 2.37, brother lad 2.41, sage wizard 2.46,
oracle sage 2.61, bird crane 2.63, bird cock 2.63, food fruit 2.69,
brother monk 2.74, asylum madhouse 3.04, furnace stove 3.11, magician wizard 3.21,
hill mound 3.29, cord string 3.41, glass tumbler 3.45, grin smile 3.46,
serf slave 3.46, journey voyage 3.58, autograph signature 3.59, coast shore 3.60,
forest woodland 3.65, implement tool 3.66, cock rooster 3.68, boy lad 3.82,
cushion pillow 3.84, cemetery graveyard 3.88, automobile car 3.92, gem jewel 3.94,
midday noon 3.94
"""

# G. A. Miller, W. G. Charles: Contextual correlates of semantic similarity.
# Language and Cognitive Processes 6 (1), 1991, 1-28.
MILLER_CHARLES = """
car automobile 3.92, gem jewel 3.84, journey voyage 3.84, boy lad 3.76,
coast shore 3.70, asylum madhouse 3.61, magician wizard 3.50, midday noon 3.42,
furnace stove 3.11, food fruit 3.08, bird cock 3.05, bird crane 2.97,
tool implement 2.95, brother monk 2.82, crane implement 1.68, lad brother 1.66,
journey car 1.16, monk oracle 1.10, cemetery woodland 0.95, food rooster 0.89,
coast hill 0.87, forest graveyard 0.84, shore woodland 0.63, monk slave 0.55,
coast forest 0.42, lad wizard 0.42, chord smile 0.13, glass magician 0.11,
rooster voyage 0.08, noon string 0.08
"""

MEASURES: dict[str, Measure] = {
    "li": Li(),
    "li, root at 0": Li(root_depth=0),
    "li, root at 0, deepest": Li(root_depth=0, common="deepest"),
    "li, deepest": Li(common="deepest"),
    "ehrig": Ehrig(),
    "path": Path(),
    "leacock-chodorow": LeacockChodorow(normalised=False),
    "wu-palmer": WuPalmer(),
    "resnik": Resnik(),
    "lin": Lin(),
    "synonyms": Synonyms(),
    "related-1": Related(),
    "is-a-2": NearKinds(),
}
NLTK = {"path": "path_similarity", "leacock-chodorow": "lch_similarity", "wu-palmer": "wup_similarity"}
WANTED = {"Miller-Charles 30": 0.82, "Rubenstein-Goodenough 65": 0.86}


def table(text: str) -> Table:
    """The rows of a table above."""
    rows = (row.split() for row in text.split(","))
    return [(first, second, float(rating)) for first, second, rating in rows]


TABLES = {"Miller-Charles 30": table(MILLER_CHARLES), "Rubenstein-Goodenough 65": table(RUBENSTEIN_GOODENOUGH)}


def ours(measure: Measure) -> Callable[[str, str], float]:
    """The similarity of the two nearest senses of two nouns, 0 for one without senses."""
    words = wordnet()

    @cache
    def similarity(a: str, b: str) -> float:
        others = [words.graph.position(sense) for sense in words.senses(b, "n")]
        swept = (measure.spread(words.graph, sense)[others] for sense in words.senses(a, "n"))
        return max((float(near.max(initial=0.0)) for near in swept), default=0.0)

    return similarity


def nltks(reader: Any, method: str) -> Callable[[str, str], float]:
    def similarity(a: str, b: str) -> float:
        pairs = ((x, y) for x in reader.synsets(a, "n") for y in reader.synsets(b, "n"))
        return float(max(getattr(x, method)(y) for x, y in pairs))

    return similarity


def agreement(similarity: Callable[[str, str], float], rows: Table) -> float:
    """Pearson's correlation of a similarity of words with the ratings."""
    values = [similarity(first, second) for first, second, _ in rows]
    return float(np.corrcoef(values, [rating for _, _, rating in rows])[0, 1])


def nltk_reader() -> AbstractContextManager[Any]:
    """A reader of nltk over WordNet 3.0; none where its files are missing."""
    try:
        from scripts.wordnet_source import DEBIAN_FOLDER, wordnet_reader
    except ImportError:
        return nullcontext()
    return wordnet_reader(DEBIAN_FOLDER) if DEBIAN_FOLDER.is_dir() else nullcontext()


def farthest_apart(a: Callable[[str, str], float], b: Callable[[str, str], float]) -> float:
    """The largest difference of two similarities over all pairs of both tables."""
    return max(abs(a(x, y) - b(x, y)) for rows in TABLES.values() for x, y, _ in rows)


def run(*, quick: bool) -> list[Check]:
    """Print the table; check whether li agrees with people as well as it must."""
    print(f"{'measure':<24}" + "".join(f"{name:>26}" for name in TABLES) + "   against nltk's")
    with nullcontext() if quick else nltk_reader() as reader:
        for name, measure in MEASURES.items():
            similarity = ours(measure)
            cells = "".join(f"{agreement(similarity, rows):26.3f}" for rows in TABLES.values())
            print(f"{name:<24}{cells}   {beside(reader, name, similarity)}")
    if reader is None:
        why = "quick run" if quick else "WordNet's own files (package wordnet-base) are not there"
        print(f"nltk's are left out: {why}")
    return [
        Check(f"li and people, {name}", agreement(ours(Li()), rows), "at least", WANTED[name])
        for name, rows in TABLES.items()
    ]


def beside(reader: Any, name: str, similarity: Callable[[str, str], float]) -> str:
    if reader is None or name not in NLTK:
        return ""
    other = nltks(reader, NLTK[name])
    return ", ".join(f"{agreement(other, rows):.3f}" for rows in TABLES.values()) + (
        f", largest difference {farthest_apart(similarity, other):.1g}"
    )
