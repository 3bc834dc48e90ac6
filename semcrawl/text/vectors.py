"""Term vectors: weights of the vector space model, and the cosine between two."""

from collections.abc import Mapping
from hashlib import blake2b
from math import sqrt
from struct import pack

from rensa import RMinHash

from semcrawl.text.background import Background
from semcrawl.text.vocabulary import WordSequence

Vector = Mapping[str, float]  # weights by term; one that is absent weighs 0


def tf(counts: Vector) -> dict[str, float]:
    """Return each term's frequency over the largest one: f / max f (Batsakis 2007, eq. 1).

    >>> tf({"asthma": 4, "cure": 1})
    {'asthma': 1.0, 'cure': 0.25}
    """
    largest = max(counts.values(), default=0)
    if largest <= 0:
        return {}
    return {term: count / largest for term, count in counts.items()}


def tf_idf(counts: Vector, background: Background) -> dict[str, float]:
    """Return tf times idf, with idf = log(N / N_t) (Batsakis 2007, eq. 1).

    >>> from semcrawl.text.background import Background
    >>> background = Background.from_counts({"asthma": 1, "cure": 10}, documents=100)
    >>> weights = tf_idf({"asthma": 1, "cure": 2}, background)
    >>> {term: round(weight, 3) for term, weight in weights.items()}
    {'asthma': 2.303, 'cure': 2.303}
    """
    idfs = background.idfs
    return {term: share * idfs[term] for term, share in tf(counts).items()}


def norm(vector: Vector) -> float:
    """Return the Euclidean length of a vector.

    >>> norm({"a": 3.0, "b": 4.0})
    5.0
    """
    return sqrt(sum([weight * weight for weight in vector.values()]))


def cosine(a: Vector, b: Vector) -> float:
    """Return the cosine of two vectors of weights >= 0, in [0, 1] (Batsakis 2007, eq. 2).

    >>> cosine({"asthma": 1.0, "cure": 1.0}, {"asthma": 2.0})
    0.7071067811865475
    >>> cosine({}, {"asthma": 2.0})
    0.0
    """
    if len(a) > len(b):
        a, b = b, a
    dot = sum([weight * b[term] for term, weight in a.items() if term in b])
    if dot <= 0.0:
        return 0.0
    # Rounding can carry parallel vectors a hair above 1.
    return min(1.0, dot / (norm(a) * norm(b)))


BANDS = 8
_ROWS = 8
# Another seed, or another hash of words in rensa, would part old crawls from new ones.
_SEED = 42
# With 6 bytes, a crawl of 100,000 pages has two unlike bands that are equal once in 7,000 crawls.
_BAND_BYTES = 6


def bands(words: WordSequence) -> tuple[str, ...]:
    """Return the bands of a text's sketch; none for a text without terms.

    The sketch is a MinHash of the set of terms: 64 numbers, in 8 bands of 8. Two texts with
    the Jaccard similarity s share a band with the probability 1 - (1 - s⁸)⁸: 0.03 at 0.5,
    0.77 at 0.8, 0.99 at 0.9. Bands are the same in every process and on every machine.

    >>> from semcrawl.text.terms import ENGLISH
    >>> bands(ENGLISH.read("asthma, lungs")) == bands(ENGLISH.read("lungs, asthma, lungs"))
    True
    >>> bands(ENGLISH.read("asthma, lungs"))[0], bands(ENGLISH.read(""))
    ('0:5d9cdec04a0a', ())
    """
    terms = words.vocabulary.texts_of(words.terms)
    if not terms:
        return ()
    sketch = RMinHash(num_perm=BANDS * _ROWS, seed=_SEED)
    sketch.update(terms)
    numbers = pack(f"<{BANDS * _ROWS}I", *sketch.digest())
    width = len(numbers) // BANDS
    return tuple(
        f"{band}:" + blake2b(numbers[band * width : (band + 1) * width], digest_size=_BAND_BYTES).hexdigest()
        for band in range(BANDS)
    )
