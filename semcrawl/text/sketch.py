"""Sketches of texts, by which near duplicates find each other.

A sketch is a MinHash of the set of a text's terms: 64 numbers, of which two
texts share about as large a part as their sets do (Jaccard). Cut into 8 bands
of 8 numbers, each told by one short string, near duplicates share a whole band
and others do not: two texts with the similarity s share at least one band with
the probability 1 - (1 - s⁸)⁸, which is 0.03 at 0.5, 0.77 at 0.8, 0.99 at 0.9.
So near duplicates are found by equal strings, in a graph as well as in a dict.
"""

from __future__ import annotations

from hashlib import blake2b
from struct import pack
from typing import TYPE_CHECKING

from rensa import RMinHash

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["BANDS", "bands"]

BANDS = 8
_ROWS = 8
# Another seed, or another hash of words in rensa, would part old crawls from new ones.
_SEED = 42
# With 6 bytes, a crawl of 100,000 pages has two unlike bands that are equal once in 7,000 crawls.
_BAND_BYTES = 6


def bands(terms: Iterable[str]) -> tuple[str, ...]:
    """The bands of a text's sketch: number and hash of each; none for a text without terms.

    Order and repetition of the terms do not matter. The same terms give the
    same bands in every process and on every machine.

    >>> bands(["asthma", "lung"]) == bands(["lung", "asthma", "lung"])
    True
    >>> bands(["asthma", "lung"])[0]
    '0:5d9cdec04a0a'
    >>> bands([])
    ()
    """
    found = list(terms)
    if not found:
        return ()
    sketch = RMinHash(num_perm=BANDS * _ROWS, seed=_SEED)
    sketch.update(found)
    numbers = pack(f"<{BANDS * _ROWS}I", *sketch.digest())
    width = len(numbers) // BANDS
    return tuple(
        f"{band}:"
        + blake2b(numbers[band * width : (band + 1) * width], digest_size=_BAND_BYTES).hexdigest()
        for band in range(BANDS)
    )
