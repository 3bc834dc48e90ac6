"""Build four tables of WordNet 3.0: how many texts, labels and senses have each stem.

In semcrawl/text/data/background.tsv.gz every synset is one document: its lemmas, its gloss and
its examples. In semcrawl/relevance/data/label_words.tsv.gz every lemma is one, and beside it, in
noun_senses.tsv.gz, the lemmas of one word that a noun synset has. outnumbered_nouns.tsv.gz has
nouns with the number of glosses that have another, commoner word of the same stem: "retriever" is
rare beside "retrieve". The same WordNet gives the same bytes.

    python -m scripts.build_idf [--wordnet FOLDER] [--into FOLDER]
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.wordnet_source import DEBIAN_FOLDER, wordnet_reader
from semcrawl.text.background import Background
from semcrawl.text.terms import stem, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_SHARE = 0.15  # of the uses of its stem that an outnumbered noun has
LEAST_USES = 5  # of the stem

PACKAGE = Path(__file__).parents[1] / "semcrawl"


def documents(folder: Path) -> Iterator[str]:
    """Yield one text per synset: lemmas, gloss, examples."""
    with wordnet_reader(folder) as reader:
        for pos in "nvar":  # nltk counts the satellites "s" among the adjectives "a"
            for synset in reader.all_synsets(pos):
                lemmas = (name.replace("_", " ") for name in synset.lemma_names())
                yield "\n".join((*lemmas, synset.definition(), *synset.examples()))


def labels(folder: Path) -> Iterator[str]:
    """Yield every lemma once."""
    with wordnet_reader(folder) as reader:
        names = {name.lower() for pos in "nvar" for name in reader.all_lemma_names(pos)}
        yield from (name.replace("_", " ") for name in sorted(names))


def noun_senses(folder: Path) -> Iterator[str]:
    """Yield the single words among the lemmas of each noun synset."""
    with wordnet_reader(folder) as reader:
        for synset in reader.all_synsets("n"):
            yield " ".join(name for name in synset.lemma_names() if "_" not in name)


def outnumbered_nouns(folder: Path) -> Background:
    """Return how many glosses have another word of the stem of each noun that is rare beside it.

    A noun that is a verb, too, or ends like a form of one, shares its stem with its own forms.
    """
    forms: Counter[str] = Counter()
    with wordnet_reader(folder) as reader:
        nouns = set(reader.all_lemma_names("n")) - set(reader.all_lemma_names("v"))
        synsets = [synset for pos in "nvar" for synset in reader.all_synsets(pos)]
        for synset in synsets:
            forms.update(set(tokens(" ".join((synset.definition(), *synset.examples())))))
    uses: Counter[str] = Counter()
    for form, count in forms.items():
        uses[stem(form)] += count
    found: dict[str, int] = {}
    for noun in nouns:
        own = sum(forms[form] for form in (noun, f"{noun}s", f"{noun}es"))
        every = uses[stem(noun)]
        if noun.isalpha() and not noun.endswith("ing") and every >= LEAST_USES:
            found |= {noun: every - own} if own < MOST_SHARE * every else {}
    return Background.from_counts(found, len(synsets))


def at_least(least: int, table: Background) -> Background:
    """Return the table without the stems of fewer documents."""
    kept = {term: df for term, df in table.items() if df >= least}
    return Background.from_counts(kept, table.documents)


def main() -> None:
    """Build the tables and say what is in them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, default=DEBIAN_FOLDER, help="folder of WordNet 3.0")
    parser.add_argument("--into", type=Path, default=PACKAGE, help="folder of the package")
    arguments = parser.parse_args()
    source = arguments.wordnet
    for place, table in (
        ("text/data/background.tsv.gz", Background.from_texts(documents(source))),
        ("relevance/data/label_words.tsv.gz", at_least(2, Background.from_texts(labels(source)))),
        ("relevance/data/noun_senses.tsv.gz", at_least(2, Background.from_texts(noun_senses(source)))),
        ("relevance/data/outnumbered_nouns.tsv.gz", outnumbered_nouns(source)),
    ):
        path = arguments.into / place
        path.parent.mkdir(parents=True, exist_ok=True)
        table.save(path)
        print(f"{path.name}: {table!r}, {path.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
