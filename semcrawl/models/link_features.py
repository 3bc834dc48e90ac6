"""What the apprentice sees of a link: terms with their DOM offsets, as hashed features.

A feature ⟨t, d⟩ is a term t at the DOM offset d of a link (Chakrabarti, Punera and Subramanyam
2002, sections 2.2.1 and 2.2.2). Features are hashed into 2²² slots: no vocabulary is kept.
"""

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from semcrawl.arrays import Bools, Floats, Ints, spans
from semcrawl.errors import ConfigError
from semcrawl.page import Page
from semcrawl.relevance import Judge
from semcrawl.relevance.judges import as_judge
from semcrawl.relevance.lens import topic_graphs
from semcrawl.text.languages import analyser
from semcrawl.topics import Topic
from semcrawl.topics.rdf_statements import reachable
from semcrawl.topics.sources import concept_iri, iri_reference

SLOTS = 1 << 22
MAX_D = 50
MAX_INSIDE = 100  # leaves inside a link, as in Page.offsets
MAX_LEAF_TERMS = 128  # so many terms at the beginning and at the end of a longer leaf count
MAX_PAGE_FEATURES = 1_000_000  # links beyond have none: such a page is a trap
_CLASS_SALT = 0x0100_0000
_NEARBY_SALT = np.uint32(0x0200_0000)
_HIGH = 0x5EED0001
_LOW = 0x5EED0002
_REMEMBERED = 100_000
_SHORT = 40


@dataclass(frozen=True, slots=True)
class FeatureKinds:
    """Which features a link has."""

    d_max: int = 5  # the farthest DOM offset that is looked at
    classes: bool = False  # of the page that the link stands on
    cocitation: bool = False  # what is known of the links nearby
    offsets: bool = True  # else all text within d_max is one bag of words

    def __post_init__(self) -> None:
        if not 0 <= self.d_max <= MAX_D:
            raise ConfigError(f"d_max={self.d_max} is no DOM offset; use 0 to {MAX_D}, such as 5")

    def __str__(self) -> str:
        return ", ".join(f"{name}={str(value).lower()}" for name, value in asdict(self).items())


@dataclass(frozen=True, slots=True, eq=False)
class LinkFeatures:
    """The features of several links, one after the other; what occurs twice is there twice."""

    sizes: Ints  # how many features each link has
    slots: NDArray[np.uint32]

    def owners(self) -> Ints:
        """The link of every feature."""
        return np.repeat(np.arange(len(self.sizes)), self.sizes)

    def chosen(self, mask: Bools) -> "LinkFeatures":
        """The features of some of the links only."""
        if mask.all():
            return self
        return LinkFeatures(self.sizes[mask], self.slots[np.repeat(mask, self.sizes)])

    def joined(self, other: "LinkFeatures") -> "LinkFeatures":
        """The features of the same links in one, first these and then the others."""
        order = np.argsort(np.concatenate((self.owners(), other.owners())), kind="stable")
        slots = np.concatenate((self.slots, other.slots))[order]
        return LinkFeatures(self.sizes + other.sizes, slots)


def slots_of(hashes: NDArray[np.uint32], salt: NDArray[np.uint32] | int) -> NDArray[np.uint32]:
    """The slots of hashed terms, each mixed with a salt such as its DOM offset.

    >>> terms = np.array([_hash("lung"), _hash("lung")], np.uint32)
    >>> near, far = slots_of(terms, offset_salt(np.array([0, 3])))
    >>> near == far
    np.False_
    """
    # The last steps of MurmurHash3, which make every bit depend on every other.
    mixed = hashes + np.asarray(salt, np.uint32) * np.uint32(0x9E3779B1)
    mixed ^= mixed >> np.uint32(16)
    mixed *= np.uint32(0x85EBCA6B)
    mixed ^= mixed >> np.uint32(13)
    mixed *= np.uint32(0xC2B2AE35)
    mixed ^= mixed >> np.uint32(16)
    return mixed & np.uint32(SLOTS - 1)


def offset_salt(offsets: Ints) -> NDArray[np.uint32]:
    """DOM offsets as salts: all that differ stay different."""
    return (offsets + MAX_D + 1).astype(np.uint32)


def link_features(page: Page, d_max: int, *, offsets: bool = True) -> LinkFeatures:
    """The features ⟨t, d⟩, |d| ≤ d_max, of all links of a page; without ``offsets``, its t alone.

    Text inside the link is at offset 0, that of the n-th leaf to the left at -n, to the right at
    n; leaves without text count, as in `Page.offsets`. Chakrabarti et al. 2002, section 2.2.1.

    >>> from semcrawl.page import read_html
    >>> page = read_html("<p>About <a href=x>asthma</a> and lungs", "http://a.test/")
    >>> features = link_features(page, 5)
    >>> anchor = slots_of(np.array([_hash("asthma")], np.uint32), offset_salt(np.array([0])))
    >>> features.sizes.tolist(), anchor in features.slots
    ([2], True)
    """
    links, leaves = page.links, len(page.pieces)
    if not links:
        return LinkFeatures(np.zeros(0, np.int64), np.zeros(0, np.uint32))
    first, last = link_places(page).astype(np.int64)
    low = np.maximum(0, first - d_max)
    high = np.minimum(leaves, last + d_max + 1)
    owner, leaf = spans(low, np.maximum(high - low, 0))
    near = (leaf < first[owner] + MAX_INSIDE) | (leaf > last[owner])
    owner, leaf = owner[near], leaf[near]
    left, right = leaf - first[owner], leaf - last[owner]
    offset = np.where(left < 0, left, np.maximum(right, 0))
    starts, sizes, hashes = _hashed_leaves(page, leaf)
    counts = sizes[leaf]
    within = np.cumsum(counts) <= MAX_PAGE_FEATURES
    owner, leaf, offset, counts = owner[within], leaf[within], offset[within], counts[within]
    _, place = spans(starts[leaf], counts)
    if not offsets:
        offset = np.zeros_like(offset)
    slots = slots_of(hashes[place], np.repeat(offset_salt(offset), counts))
    return LinkFeatures(np.bincount(owner, counts, len(links)).astype(np.int64), slots)


def class_features(names: Iterable[str], links: int) -> LinkFeatures:
    """The classes of a page as features of each of its links (Chakrabarti et al. 2002, 2.2.3).

    >>> class_features(["/Health", "/Health/Asthma"], links=3).sizes
    array([2, 2, 2])
    """
    hashes = np.array([_hash(name) for name in names], np.uint32)
    slots = slots_of(hashes, _CLASS_SALT)
    return LinkFeatures(np.full(links, len(slots), np.int64), np.tile(slots, links))


def _hashed_leaves(page: Page, wanted: Ints) -> tuple[Ints, Ints, NDArray[np.uint32]]:
    """The hashed terms of the wanted leaves, and where and how many are of which leaf."""
    starts = np.zeros(len(page.pieces), np.int64)
    sizes = np.zeros(len(page.pieces), np.int64)
    hashes: list[int] = []
    for leaf in np.unique(wanted).tolist():
        piece = page.pieces[leaf]
        # Short leaves repeat often.
        read = _short_leaf if len(piece) <= _SHORT else _leaf
        found = read(page.reading_language, piece)
        starts[leaf], sizes[leaf] = len(hashes), len(found)
        hashes += found
    return starts, sizes, np.array(hashes, np.uint32)


def _leaf(language: str, piece: str) -> list[int]:
    found = analyser(language).terms(piece)
    if len(found) > 2 * MAX_LEAF_TERMS:
        found = found[:MAX_LEAF_TERMS] + found[-MAX_LEAF_TERMS:]
    return list(map(_hash, found))


_short_leaf = lru_cache(_REMEMBERED)(_leaf)


@lru_cache(_REMEMBERED)
def _hash(term: str) -> int:
    """The hash of a term, the same in every run of every machine."""
    return crc32(term.encode("utf-8", "surrogatepass"))


LinkPlaces = NDArray[np.int32]
"""Where links stand on their page: a row of the first leaf of each, and one of the last."""


def link_places(page: Page) -> LinkPlaces:
    """The places of a page's links."""
    return np.array([(link.first_leaf, link.last_leaf) for link in page.links], np.int32).reshape(-1, 2).T


def cocitation_features(
    places: LinkPlaces, targets: NDArray[np.uint32], relevance: Floats, boundary: float, d_max: int
) -> LinkFeatures:
    """Return the features ⟨low, d⟩ and ⟨high, d⟩ of all links of a page.

    A link within the DOM offset d of another, whose target has been fetched, gives the other one of them (Chakrabarti
    et al. 2002, section 3.8: co-citation). Links are in document order, ``targets`` are numbers of URLs, and
    ``relevance`` is NaN where it is not known. Links to one URL say nothing of each other.
    """
    placed = np.flatnonzero(places[1] >= places[0])
    first, last = places[:, placed].astype(np.int64)
    owners: list[Ints] = []
    slots: list[NDArray[np.uint32]] = []
    # Every link has a leaf of its own, so no nearer one is more than d_max links away.
    for step in range(1, min(d_max, len(placed) - 1) + 1):
        left, right = placed[:-step], placed[step:]
        offset = first[step:] - last[:-step]
        pairs = (offset >= 1) & (offset <= d_max) & (targets[left] != targets[right])
        for here, there, sign in ((left, right, 1), (right, left, -1)):
            says = pairs & ~np.isnan(relevance[there])
            owners.append(here[says])
            high = relevance[there[says]] >= boundary
            words = np.where(high, np.uint32(_HIGH), np.uint32(_LOW)).astype(np.uint32)
            slots.append(slots_of(words, offset_salt(sign * offset[says]) + _NEARBY_SALT))
    if not owners:
        return LinkFeatures(np.zeros(len(targets), np.int64), np.zeros(0, np.uint32))
    owner = np.concatenate(owners)
    order = np.argsort(owner, kind="stable")
    sizes = np.bincount(owner, minlength=len(targets)).astype(np.int64)
    return LinkFeatures(sizes, np.concatenate(slots)[order])


class ClassPaths:
    """Finds what is above a class, in the judge's tree or else the topic's graphs (Chakrabarti 2002, section 3.8)."""

    def __init__(self, topic: Topic | None, judge: Judge | None = None) -> None:
        self._topic = topic
        notes = as_judge(judge).outline() if judge is not None else None
        self._broader = {note.iri: note.broader for note in notes or ()}
        self._known: dict[str, frozenset[str]] = {}

    def of(self, *classes: str | None) -> tuple[str, ...]:
        """Return the classes of a page with all above them; alone where they are not known."""
        found: set[str] = set()
        for one in classes:
            if one is not None:
                if one not in self._known:
                    self._known[one] = frozenset({one, *self._above(one)})
                found |= self._known[one]
        return tuple(sorted(found))

    def _above(self, iri: str) -> Iterable[str]:
        if iri in self._broader:
            return reachable(iri, self._broader)
        concept = iri_reference(iri)
        graphs = topic_graphs(self._topic, self._topic.language) if self._topic else ()
        graph = next((graph for graph in graphs if concept in graph), None)
        return map(concept_iri, graph.ancestors(concept)) if graph else ()


def page_features(
    page: Page, kinds: FeatureKinds, paths: ClassPaths, *classes: str | None
) -> tuple[LinkFeatures, LinkPlaces]:
    """Return the features of all links of a page of some classes, and where the links stand."""
    features = link_features(page, kinds.d_max, offsets=kinds.offsets)
    if kinds.classes:
        features = features.joined(class_features(paths.of(*classes), len(page.links)))
    return features, link_places(page)
