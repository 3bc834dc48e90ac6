"""WordNet 3.0 from a folder, read with nltk's reader.

nltk refuses data files that lie outside its data folders or behind links, and
wants the files ``lexnames`` and ``index.sense`` that Debian's package leaves out. So the folder is
copied to a temporary nltk data folder and completed there.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["DEBIAN_FOLDER", "copy_wordnet", "wordnet_reader"]

DEBIAN_FOLDER = Path("/usr/share/wordnet")
"""Where Debian's and Ubuntu's package ``wordnet-base`` puts WordNet 3.0."""

_NEEDED = [
    *(f"{kind}.{pos}" for kind in ("index", "data") for pos in ("noun", "verb", "adj", "adv")),
    *(f"{pos}.exc" for pos in ("noun", "verb", "adj", "adv")),
    "cntlist.rev",
]

# The lexicographer files in their order, as in the manual page lexnames(5WN);
# the number is the part of speech: noun 1, verb 2, adjective 3, adverb 4.
_NOUN_FILES = (
    "Tops act animal artifact attribute body cognition communication event feeling food group "
    "location motive object person phenomenon plant possession process quantity relation shape "
    "state substance time"
)
_VERB_FILES = (
    "body change cognition communication competition consumption contact creation emotion motion "
    "perception possession social stative weather"
)
_LEXNAMES = (
    ("adj", 3, "all pert"),
    ("adv", 4, "all"),
    ("noun", 1, _NOUN_FILES),
    ("verb", 2, _VERB_FILES),
    ("adj", 3, "ppl"),
)


def copy_wordnet(folder: Path, target: Path) -> None:
    """Copy what nltk's reader needs of a WordNet folder, completed by ``lexnames``."""
    missing = [name for name in _NEEDED if not (folder / name).is_file()]
    if missing:
        sys.exit(f"{folder} holds no WordNet 3.0: {', '.join(missing)} not found")
    target.mkdir(parents=True)
    for name in _NEEDED:
        shutil.copyfile(folder / name, target / name)
    lines = (f"{pos}.{name}\t{number}" for pos, number, names in _LEXNAMES for name in names.split())
    # Only the mapping to other languages reads sense keys, which is not asked for.
    (target / "index.sense").touch()
    (target / "lexnames").write_text("".join(f"{index:02}\t{line}\n" for index, line in enumerate(lines)))


@contextmanager
def wordnet_reader(folder: Path) -> Iterator[Any]:
    """Give nltk's reader over the WordNet of a folder, for the time of a ``with`` block."""
    import nltk.data
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    with tempfile.TemporaryDirectory() as data:
        copied = Path(data).resolve() / "corpora" / "wordnet"
        copy_wordnet(folder, copied)
        nltk.data.path.insert(0, str(copied.parents[1]))
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # no multilingual data: none is asked for
                reader = WordNetCorpusReader(nltk.data.find("corpora/wordnet"), None)
            yield reader
        finally:
            nltk.data.path.remove(str(copied.parents[1]))
