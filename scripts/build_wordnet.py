"""Build wordnet-3.0.bin and its definitions in semcrawl/topics/data from WordNet 3.0.

    python -m scripts.build_wordnet [--wordnet FOLDER] [--out FOLDER]

The same WordNet gives the same bytes.
"""

from __future__ import annotations

import argparse
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from scripts.pack_wordnet import pack_definitions, pack_wordnet
from scripts.wordnet_source import DEBIAN_FOLDER, wordnet_reader
from semcrawl.topics.wordnet import DEFINITIONS_FILE, INSTANCE_OF, INVERSES, IS_A, WORDNET_FILE

OUT = Path(__file__).parents[1] / "semcrawl" / "topics" / "data"

# Relation in the file -> the methods of nltk's synsets and lemmas that give it.
# Relations between words are lifted to their synsets.
SYNSET_METHODS = {
    IS_A: ["hypernyms"],
    INSTANCE_OF: ["instance_hypernyms"],
    "member-of": ["member_holonyms"],
    "part-of": ["part_holonyms"],
    "substance-of": ["substance_holonyms"],
    "attribute": ["attributes"],
    "entails": ["entailments"],
    "causes": ["causes"],
    "also-see": ["also_sees"],
    "verb-group": ["verb_groups"],
    "similar-to": ["similar_tos"],
    "in-topic": ["topic_domains"],
    "in-region": ["region_domains"],
    "in-usage": ["usage_domains"],
}
LEMMA_METHODS = {
    "also-see": ["also_sees"],
    "verb-group": ["verb_groups"],
    "in-topic": ["topic_domains"],
    "in-region": ["region_domains"],
    "in-usage": ["usage_domains"],
    "antonym": ["antonyms"],
    "derivation": ["derivationally_related_forms"],
    "pertains-to": ["pertainyms"],
}


def main() -> None:
    """Build both files and say what is in them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, default=DEBIAN_FOLDER, help="folder of WordNet 3.0")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    with wordnet_reader(arguments.wordnet) as reader:
        # nltk gives the satellites "s" among the adjectives "a"
        synsets = [synset for pos in "nvar" for synset in reader.all_synsets(pos)]
        edges = all_edges(synsets)
        rows = [row(reader, synset) for synset in synsets]
        data = pack_wordnet(rows, edges, exceptions(reader))
    counts = lemma_counts(rows, arguments.wordnet / "cntlist.rev")
    offsets = [synset.offset() for synset in synsets]
    more = pack_definitions(definitions(arguments.wordnet), counts, offsets)
    for name, content in ((WORDNET_FILE, data), (DEFINITIONS_FILE, more)):
        (arguments.out / name).write_bytes(content)
        print(f"{name}: {len(synsets):,} synsets, {len(content):,} bytes")
    for name, pairs in edges.items():
        print(f"  {name}: {len(pairs):,}")


def row(reader: Any, synset: Any) -> tuple[str, list[str], list[int]]:
    """Return part of speech, lemmas, and the sense number of each lemma."""
    pos = "a" if synset.pos() == "s" else synset.pos()
    # The order of the index file; there is no public way to it in nltk.
    order = reader._lemma_pos_offset_map
    names = synset.lemma_names()
    numbers = [order[name.lower()][pos].index(synset.offset()) + 1 for name in names]
    return synset.pos(), [name.replace("_", " ") for name in names], numbers


def all_edges(synsets: list[Any]) -> dict[str, list[tuple[int, int]]]:
    """Return the edges of every relation, sorted, a symmetric one from the smaller number only."""
    number = {synset: index for index, synset in enumerate(synsets)}
    edges: dict[str, list[tuple[int, int]]] = {}
    for name in (IS_A, *INVERSES):
        pairs = set()
        for synset in synsets:
            for target in targets(synset, name):
                pair = (number[synset], number[target])
                symmetric = INVERSES.get(name) == name
                pairs.add((min(pair), max(pair)) if symmetric else pair)
        # nltk keeps targets in sets, whose order changes from run to run.
        edges[name] = sorted(pairs)
    return edges


def targets(synset: Any, name: str) -> list[Any]:
    """Return the synsets that a synset, or one of its words, is related to."""
    found = [other for method in SYNSET_METHODS.get(name, ()) for other in getattr(synset, method)()]
    for method in LEMMA_METHODS.get(name, ()):
        for lemma in synset.lemmas():
            found += [other.synset() for other in getattr(lemma, method)()]
    return found


def exceptions(reader: Any) -> list[str]:
    """Return the irregular forms as lines of "pos form base ..."."""
    return [
        " ".join((pos, form, *bases)) for pos in "nvar" for form, bases in sorted(reader._exception_map[pos].items())
    ]


def definitions(folder: Path) -> list[str]:
    """Return the definition of each synset: its gloss up to the first example.

    nltk leaves the authors of examples in its definitions, and "; ;" where examples were.
    """
    found = []
    for pos in ("noun", "verb", "adj", "adv"):
        for line in (folder / f"data.{pos}").read_text(encoding="utf-8").splitlines():
            if not line.startswith("  "):  # the licence
                gloss = line.partition("|")[2].strip()
                found.append(re.split(r'[;:,]\s*"', gloss)[0].rstrip(" ;"))
    return found


def lemma_counts(rows: list[tuple[str, list[str], list[int]]], path: Path) -> list[int]:
    """Return for each lemma of each synset how often it was found in this sense, 0 if never."""
    counts: dict[tuple[str, str, int], int] = defaultdict(int)
    for line in path.read_text(encoding="utf-8").splitlines():
        key, number, count = line.split()
        lemma, _, rest = key.rpartition("%")
        counts[lemma, "nvara"[int(rest[0]) - 1], int(number)] += int(count)
    return [
        counts[lemma.lower().replace(" ", "_"), "a" if pos == "s" else pos, number]
        for pos, lemmas, numbers in rows
        for lemma, number in zip(lemmas, numbers, strict=True)
    ]


if __name__ == "__main__":
    main()
