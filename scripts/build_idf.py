"""Build semcrawl/text/data/background.tsv.gz from the texts of WordNet 3.0.

Every synset is one document: its lemmas, its gloss and its examples. The same
WordNet gives the same bytes.

    python -m scripts.build_idf [--wordnet FOLDER] [--out FILE]
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from scripts.wordnet_source import DEBIAN_FOLDER, wordnet_reader
from semcrawl.text.background import Background

if TYPE_CHECKING:
    from collections.abc import Iterator

OUT = Path(__file__).parents[1] / "semcrawl" / "text" / "data" / "background.tsv.gz"


def documents(folder: Path) -> Iterator[str]:
    """Yield one text per synset: lemmas, gloss, examples."""
    with wordnet_reader(folder) as reader:
        for pos in "nvar":  # nltk counts the satellites "s" among the adjectives "a"
            for synset in reader.all_synsets(pos):
                lemmas = (name.replace("_", " ") for name in synset.lemma_names())
                yield "\n".join((*lemmas, synset.definition(), *synset.examples()))


def main() -> None:
    """Build the table and say what is in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wordnet", type=Path, default=DEBIAN_FOLDER, help="folder of WordNet 3.0")
    parser.add_argument("--out", type=Path, default=OUT)
    arguments = parser.parse_args()
    background = Background.from_texts(documents(arguments.wordnet))
    background.save(arguments.out)
    print(f"{arguments.out.name}: {background!r}, {arguments.out.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
