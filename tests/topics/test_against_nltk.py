"""The shipped WordNet says what nltk's reader says; skipped where nltk has no WordNet to read."""

from __future__ import annotations

from typing import Any

from semcrawl.topics import wordnet

WORDS = (
    "bank banks Bank run running ran better best good well asthma diseases axes abaci "
    "children feet mice media data geese churches aardwolves flies flying lay lies lying "
    "leaves left saw worse furthest first_aid mothers-in-law programming programmes computers "
    "java dengue e-mail 's xyzzy as is was be analyses bases men women boxes quizzes wolves "
    "hotter hottest bluer sadly quickly went gone "
)


def name_of(synset: Any) -> str:
    """Return our id of nltk's synset; its own number of a satellite depends on nltk's version."""
    pos = "a" if synset.pos() == "s" else synset.pos()
    lemma = synset.lemma_names()[0].lower()
    order = synset._wordnet_corpus_reader._lemma_pos_offset_map[lemma][pos]
    return f"wordnet:{lemma}.{synset.pos()}.{order.index(synset.offset()) + 1:02}"


def test_senses_and_base_forms_are_the_same(reader: Any) -> None:
    words = wordnet()
    for word in WORDS.split():
        expected = list(dict.fromkeys(map(name_of, reader.synsets(word))))
        assert words.senses(word) == expected, word
        for pos in "nvar":
            base = reader.morphy(word.lower(), pos)
            found = next(iter(words.base_forms(word, pos)), None)
            assert found == (base and base.replace("_", " ")), (word, pos)


def test_lemmas_and_relations_of_a_sample_are_the_same(reader: Any) -> None:
    graph = wordnet().graph
    for concept in graph.ids[::400]:
        # "a" finds satellites in every version of nltk
        synset = reader.synset(concept.removeprefix("wordnet:").replace(".s.", ".a."))
        labels = [label.text.replace(" ", "_") for label in graph.labels(concept)]
        assert labels == synset.lemma_names(), concept
        above = synset.hypernyms() + synset.instance_hypernyms()
        assert sorted(graph.broader(concept)) == sorted(map(name_of, above)), concept
        below = synset.hyponyms() + synset.instance_hyponyms()
        assert sorted(graph.narrower(concept)) == sorted(map(name_of, below)), concept
        parts = {target for _, target in graph.relations(concept, "has-part")}
        assert parts == set(map(name_of, synset.part_meronyms())), concept
        similar = {target for _, target in graph.relations(concept, "similar-to")}
        assert similar == set(map(name_of, synset.similar_tos())), concept


def test_depths_and_paths_of_a_sample_are_the_same(reader: Any) -> None:
    graph = wordnet().graph
    for concept in graph.ids[:95_000:700]:
        synset = reader.synset(concept.removeprefix("wordnet:"))
        roots = [far for c, far in graph.ancestors(concept).items() if not graph.broader(c)]
        assert min(roots) == synset.min_depth(), concept
        paths = [list(map(name_of, path)) for path in synset.hypernym_paths()]
        assert graph.path_to_root(concept) in paths, concept


def test_every_name_of_a_sense_finds_it(reader: Any) -> None:
    words = wordnet()
    for word in ("bank", "good", "run", "disease", "first_aid"):
        for pos in "nvar":
            for number, synset in enumerate(reader.synsets(word, pos), start=1):
                assert words.sense(f"{word}.{pos}.{number:02}") == name_of(synset)


def test_definitions_counts_and_places_of_a_sample_are_the_same(reader: Any) -> None:
    words = wordnet()
    places = words.places()
    for concept in words.graph.ids[::900]:
        synset = reader.synset(concept.removeprefix("wordnet:").replace(".s.", ".a."))
        # nltk's own goes on behind examples, with their authors
        assert synset.definition().startswith(words.definition(concept)), concept
        lemma = synset.lemmas()[0]
        if lemma.name().islower() and synset.pos() != "s":  # nltk has wrong keys of satellites
            assert words.count(concept, lemma.name()) == lemma.count(), concept
        pos = "a" if synset.pos() == "s" else synset.pos()
        assert places[pos, synset.offset()] == words.graph.position(concept)
