"""Build semcrawl/topics/data/wordnet-3.0.bin from the files of WordNet 3.0.

    python -m scripts.build_wordnet [--wordnet FOLDER] [--out FILE]

The same WordNet gives the same bytes.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from scripts.pack_wordnet import pack_wordnet
from scripts.wordnet_source import DEBIAN_FOLDER, wordnet_reader
from semcrawl.topics.wordnet_file import INSTANCE_OF, INVERSES, IS_A

OUT = Path(__file__).parents[1] / "semcrawl" / "topics" / "data" / "wordnet-3.0.bin"

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
    """Build the file and say what is in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, default=DEBIAN_FOLDER, help="folder of WordNet 3.0")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    with wordnet_reader(arguments.wordnet) as reader:
        # nltk gives the satellites "s" among the adjectives "a"
        synsets = [synset for pos in "nvar" for synset in reader.all_synsets(pos)]
        edges = all_edges(synsets)
        data = pack_wordnet([row(reader, synset) for synset in synsets], edges, exceptions(reader))
    arguments.out.write_bytes(data)
    print(f"{arguments.out.name}: {len(synsets):,} synsets, {len(data):,} bytes")
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
    found = [
        other for method in SYNSET_METHODS.get(name, ()) for other in getattr(synset, method)()
    ]
    for method in LEMMA_METHODS.get(name, ()):
        for lemma in synset.lemmas():
            found += [other.synset() for other in getattr(lemma, method)()]
    return found


def exceptions(reader: Any) -> list[str]:
    """Return the irregular forms as lines of "pos form base ..."."""
    return [
        " ".join((pos, form, *bases))
        for pos in "nvar"
        for form, bases in sorted(reader._exception_map[pos].items())
    ]


if __name__ == "__main__":
    main()
