"""What a crawl remembers of its pages and their links, for all that learns from them.

Arrays hold the words of each page, as numbers, and who links to whom with which anchor. A file
holds the same, one frame for each page, written before the transaction that records the page; a
frame whose page was not recorded is left out when the file is read again.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from math import hypot, log1p
from pathlib import Path
from typing import Annotated, Any
from zlib import crc32

import msgspec
import numpy as np
from numpy.typing import NDArray

from semcrawl.arrays import spans
from semcrawl.errors import StoreError, told_as
from semcrawl.models.link_memory import FrameFile, NumberedTexts, open_frames
from semcrawl.models.site_labels import MOST_USES, NO_LABELS, LabelTexts, SiteLabels
from semcrawl.resources import facts_beside
from semcrawl.text.background import Background
from semcrawl.text.terms import Remembered
from semcrawl.text.vocabulary import ByWord, GrowingArray, ShortTexts, WordSequence
from semcrawl.web.urls import domain_of, host_of

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Doubles = NDArray[np.float64]

WORDS = 1 << 18  # numbers that words can have; two words may share one
MOST_WORDS = 250  # of a page, those that tell most
MOST_LINKS = 1_000  # of a page
RELATION = "\x1f"  # between an anchor and the relation of its link; no anchor has it
_LONGEST_ANCHOR = 200
_AT_ONCE = 1 << 18  # words that are looked at together: temporary arrays stay small
_RECENT = 20_000  # anchors whose numbers are known
_TITLE = "semcrawl crawl memory 2"
_Sums = Annotated[dict[str, tuple[int, bytes, bytes]], msgspec.Meta(max_length=20)]
_FEATURES = len(facts_beside(__file__, "link_weights.toml"))
_OF_LINKS = {"link outcomes": _FEATURES, "link curves": _FEATURES**2}
_OF_WORDS = {"inside": WORDS, "outside": WORDS, "masses": 2}
_SIZES = {
    "pages": 2,
    **_OF_LINKS,
    **{f"{by} {name}": size for by in ("links", "judge") for name, size in _OF_WORDS.items()},
}

_NUMBERS = Remembered(lambda word: crc32(word.encode("utf-8", "surrogatepass")) % WORDS, WORDS)


def word_number(word: str) -> int:
    """Return the number, below :data:`WORDS`, by which a word is known: a hash."""
    return _NUMBERS[word]


def vector_of_text(words: WordSequence, background: Background) -> tuple[Ints, Floats]:
    """Return the numbers of the words of a text that tell most, ascending, and their weights.

    A weight is log(1 + tf) idf; the vector has the length 1, and is empty for no words.
    """
    weights = np.log1p(words.counts) * background.idfs_of(words)
    return _heaviest(BY_WORD.of(words), weights)


BY_WORD = ByWord(word_number, np.int32)
"""The number of every word."""


def _heaviest(numbers: Ints, weights: Doubles) -> tuple[Ints, Floats]:
    if len(weights) > MOST_WORDS:
        least = np.partition(weights, -MOST_WORDS)[-MOST_WORDS]
        best, ties = np.flatnonzero(weights > least), np.flatnonzero(weights == least)
        # Of equals by number: the choice must not depend on the order of the words.
        ties = ties[np.argsort(numbers[ties], kind="stable")]
        best = np.concatenate([best, ties[: MOST_WORDS - len(best)]])
        weights, numbers = weights[best], numbers[best]
    order = np.argsort(numbers, kind="stable")
    weights, numbers = weights[order], numbers[order]
    length = np.sqrt(weights @ weights)
    return numbers, (weights / (length or 1.0)).astype(np.float32)


def word_vectors(
    texts: ShortTexts, background: Background, more: Mapping[int, str]
) -> tuple[Ints, Floats, NDArray[np.int64]]:
    """Return the vectors of short texts, one after the other, and how many words each has.

    ``more``: a word that some texts have besides, and that weighs nothing.
    """
    words, owners, numbers = texts.words, texts.text_of_term, BY_WORD.of(texts.words)
    weights = np.log1p(words.counts) * background.idfs_of(words)
    if more:
        owners = np.concatenate([owners, list(more)])
        numbers = np.concatenate([numbers, list(map(word_number, more.values()))])
        weights = np.concatenate([weights, np.zeros(len(more))])
    order = np.lexsort((numbers, owners))
    weights, numbers, owners = weights[order], numbers[order], owners[order]
    lengths = np.sqrt(np.bincount(owners, weights * weights, texts.size))
    lengths[lengths == 0.0] = 1.0
    return numbers, (weights / lengths[owners]).astype(np.float32), np.bincount(owners, minlength=texts.size)


def word_weights(counts: Mapping[str, int], idfs: Mapping[str, float]) -> dict[str, float]:
    """Return the same by word: log(1 + tf) idf, in a vector of length 1."""
    weights = {term: log1p(count) * idfs[term] for term, count in counts.items()}
    length = hypot(*weights.values()) or 1.0
    return {term: weight / length for term, weight in weights.items()}


def in_parts(starts: NDArray[np.int64], first: int, end: int, most: int) -> Iterator[slice]:
    """Yield rows from ``first`` to ``end``, so many at a time as have about ``most`` values."""
    while first < end:
        last = int(np.searchsorted(starts, starts[first] + most))
        yield slice(first, first := min(max(last, first + 1), end))


def begins(values: NDArray[np.integer[Any]]) -> NDArray[np.bool_]:
    """Return which values differ from those before them."""
    found = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=found[1:])
    return found


class WordRows:
    """Word vectors of texts, one row each; without weights, only the words."""

    def __init__(self) -> None:
        self._starts = GrowingArray(np.int64, [0])
        self._numbers = GrowingArray(np.int32)
        self._weights = GrowingArray(np.float32)

    def __len__(self) -> int:
        return len(self._starts) - 1

    def add(self, vector: tuple[Ints, Floats]) -> None:
        """Add a row."""
        self.add_all(*vector, np.array([len(vector[0])]))

    def add_all(self, numbers: Ints, weights: Floats | None, sizes: NDArray[np.int64]) -> None:
        """Add many rows, which have so many words each."""
        self._starts.extend(len(self._numbers) + np.cumsum(sizes))
        self._numbers.extend(numbers)
        if weights is not None:
            self._weights.extend(weights)

    def row(self, number: int) -> tuple[Ints, Floats]:
        """Return the vector of a row."""
        start, end = self._starts.values[number : number + 2]
        return self._numbers.values[start:end], self._weights.values[start:end]

    def dot(self, values: Floats | Doubles, first: int = 0, *, is_weighted: bool = True) -> Doubles:
        """Return the product of each row, from ``first`` on, with a value for every word; else the sum of these."""
        found = np.zeros(len(self) - first)
        for rows, part in self._parts(first, len(self)):
            products = values[self._numbers.values[part]]
            if is_weighted:
                products = (products * self._weights.values[part]).astype(np.float64)
            starts = self._starts.values[rows.start : rows.stop + 1] - part.start
            full = np.flatnonzero(starts[1:] > starts[:-1])  # one without words has no first
            if len(full):
                found[rows.start - first + full] = np.add.reduceat(products, starts[full])
        return found

    def matrix(self, rows: int) -> Any:
        """Return the first rows as a sparse matrix, a column for every word."""
        from scipy.sparse import csr_array

        starts = self._starts.values[: rows + 1]
        weights, numbers = (array.values[: starts[-1]] for array in (self._weights, self._numbers))
        return csr_array((weights, numbers, starts), shape=(rows, WORDS))

    def sum(self, shares: Doubles, rows: int, into: Doubles | None = None) -> Doubles:
        """Return the sum of the first rows, each times its share, by word; ``into`` is an array to take for it."""
        found = np.empty(WORDS) if into is None else into
        found.fill(0.0)
        for some, part in self._parts(0, rows):
            sizes = np.diff(self._starts.values[some.start : some.stop + 1])
            each = np.repeat(shares[some], sizes)
            np.add.at(found, self._numbers.values[part], each * self._weights.values[part])
        return found

    def counts(self, chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
        """Return how many of the first rows that are chosen have each word."""
        found = None
        for some, part in self._parts(0, len(chosen)):
            each = np.repeat(chosen[some], np.diff(self._starts.values[some.start : some.stop + 1]))
            counts = np.bincount(self._numbers.values[part][each], minlength=WORDS)
            found = counts if found is None else np.add(found, counts, out=found)
        return np.zeros(WORDS, np.int64) if found is None else found

    def sizes_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return how many words some rows have."""
        starts = self._starts.values
        return np.asarray(starts[rows + 1] - starts[rows])

    def numbers_of(self, rows: NDArray[np.int64]) -> tuple[Ints, NDArray[np.int64]]:
        """Return the numbers of the words of some rows, one after the other, and how many each."""
        counts = self.sizes_of(rows)
        return self._numbers.values[spans(self._starts.values[rows], counts)[1]], counts

    def _parts(self, first: int, end: int) -> Iterator[tuple[slice, slice]]:
        """Yield some rows at a time, up to ``end``, and where their words lie."""
        starts = self._starts.values
        for rows in in_parts(starts, first, end, _AT_ONCE):
            yield rows, slice(int(starts[rows.start]), int(starts[rows.stop]))


class AnchorTexts:
    """Numbers of anchors; one that comes again after many others gets another number.

    What is to be known of an anchor follows from its text alone, so that this does no harm, and
    texts are kept only until they are looked at.
    """

    def __init__(self) -> None:
        self.texts: list[str] = []  # the latest
        self._numbers: dict[str, int] = {}
        self._taken = 0

    def __len__(self) -> int:
        return self._taken + len(self.texts)

    def add(self, texts: Iterable[str], *, are_new: bool = False) -> list[int]:
        """Return the numbers of some texts; those that ``are_new`` get new ones in any case."""
        if len(self._numbers) >= _RECENT:
            self._numbers.clear()
        numbers, latest, taken = self._numbers, self.texts, self._taken
        found = []
        for text in texts:
            number = None if are_new else numbers.get(text)
            if number is None:
                number = numbers[text] = taken + len(latest)
                latest.append(text)
            found.append(number)
        return found

    def take(self) -> list[str]:
        """Return the texts that came since it was last asked, and keep them no longer."""
        texts, self.texts = self.texts, []
        self._taken += len(texts)
        return texts


class _Frame(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    """A page as it is written: new texts once, numbers as bytes."""

    url: str
    topic_score: float
    is_list: float
    length: int
    words: bytes
    weights: bytes
    new_urls: list[str]
    targets: bytes
    new_anchors: list[str]
    anchors: bytes
    is_elsewhere: bool = False  # a page of another shard, here for its links
    label_texts: bytes = b""
    label_shares: bytes = b""

    @property
    def vector(self) -> tuple[Ints, Floats]:
        """The words of the page, as numbers, and their weights."""
        return np.frombuffer(self.words, "<i4"), np.frombuffer(self.weights, "<f4")

    @property
    def labels(self) -> LabelTexts:
        """The topic's labels in its text."""
        around = np.frombuffer(self.label_texts, "<i4").reshape(-1, 2)
        return LabelTexts(around, np.frombuffer(self.label_shares, "<f4"))

    def name_texts(self, urls: NumberedTexts, anchors: AnchorTexts) -> int:
        """Give the texts that are new with it their numbers; return that of its URL."""
        urls.add_all(self.new_urls)
        anchors.add(self.new_anchors, are_new=True)
        return urls.add(self.url)


class CrawlMemory:
    """The pages of a crawl in the order of their visits, and their links.

    A page that is visited again and has changed gets a new row; the old one no longer counts.
    """

    def __init__(self, path: Path | None = None, visited: Collection[str] = (), *, read_only: bool = False) -> None:
        """Read what the file holds of the pages that were visited; a damaged one is put aside.

        ``read_only``: nothing is written, a damaged file is an error.
        """
        self.urls = NumberedTexts()
        self.anchors = AnchorTexts()
        self.pages = WordRows()
        self.topic_scores = GrowingArray(np.float32)  # what the topic alone says of a page
        self.lists = GrowingArray(np.float32)  # how far a page is a list of the topic's things
        self.lengths = GrowingArray(np.int32)  # words of a page
        self.labels = SiteLabels()
        self.page_urls = GrowingArray(np.int32)
        self.link_starts = GrowingArray(np.int64, [0])  # by page
        self.link_targets = GrowingArray(np.int32)
        self.link_anchors = GrowingArray(np.int32)
        self._pair_starts = GrowingArray(np.int64, [0])  # by page: what it links to, each once
        self._pair_targets = GrowingArray(np.int32)
        self.hosts = NumberedTexts()
        self.sites = GrowingArray(np.int64)  # by page: the number of its host
        self._domains = NumberedTexts()
        self._domain_of_host = GrowingArray(np.int64)
        self.rows = GrowingArray(np.int32)  # by URL: its page, or -1
        self.is_own = GrowingArray(np.bool_)  # by page: whether it is no page of another shard
        # For sums by word: to have the system give and take two megabytes takes longer than to add up.
        self.scratch = np.empty(WORDS)
        self._frames = _open(path, read_only=read_only)
        frames = self._sound_frames()
        if all(frame.is_elsewhere or frame.url in visited for frame in frames):
            for frame in frames:
                self._take(frame, frame.name_texts(self.urls, self.anchors))
        else:
            self._add_recorded(frames, visited, None if read_only else path)

    def __len__(self) -> int:
        return len(self.page_urls)

    def row_of(self, url: str) -> int:
        """Return the row of a page, -1 for a URL that was not visited."""
        number = self.urls.numbers.get(url)
        return -1 if number is None else int(self.rows.values[number])

    def domains(self, rows: int) -> NDArray[np.int64]:
        """Return the numbers of the registered domains of the first rows: hosts below one can be made up."""
        return np.asarray(self._domain_of_host.values[self.sites.values[:rows]])

    def share_of_site(self, url: str, texts: LabelTexts) -> float:
        """Return the share of a page's labels that stands in texts of its site."""
        return self.labels.share(self._domains.numbers.get(domain_of(url), -1), texts)

    def is_current(self, rows: int) -> NDArray[np.bool_]:
        """Return which of the first rows hold an own page as it was last visited."""
        return np.asarray(self._is_latest(rows) & self.is_own.values[:rows])

    def _is_latest(self, rows: int) -> NDArray[np.bool_]:
        return np.asarray(self.rows.values[self.page_urls.values[:rows]] == np.arange(rows))

    def pairs(self, rows: int) -> tuple[Ints, Ints]:
        """Return source row and target number of the links of the first pages, each pair once."""
        starts = self._pair_starts.values[: rows + 1]
        sources = np.repeat(np.arange(rows, dtype=np.int32), np.diff(starts))
        kept = self._is_latest(rows)[sources]
        return sources[kept], self._pair_targets.values[: starts[-1]][kept]

    def targets_of(self, row: int) -> Ints:
        """Return the numbers of the URLs that a page links to, each once."""
        start, end = self._pair_starts.values[row : row + 2]
        return self._pair_targets.values[start:end]

    def add(
        self,
        url: str,
        vector: tuple[Ints, Floats],
        topic_score: float,
        links: Iterable[tuple[str, str]],
        *,
        is_list: float = 0.0,
        length: int = 0,
        is_elsewhere: bool = False,
        labels: LabelTexts = NO_LABELS,
    ) -> int:
        """Remember a page, and write it down; return its row. ``links``: target and anchor."""
        urls, anchors = len(self.urls), len(self.anchors.texts)
        known = list(islice(links, MOST_LINKS))
        number = self.urls.add(url)
        targets = self.urls.add_all([target for target, _ in known])
        texts = self.anchors.add([anchor[:_LONGEST_ANCHOR] for _, anchor in known])
        numbers, weights = vector
        frame = _Frame(
            url,
            topic_score,
            is_list,
            length,
            numbers.astype("<i4").tobytes(),
            weights.astype("<f4").tobytes(),
            self.urls.texts[urls:],
            np.asarray(targets, "<i4").tobytes(),
            self.anchors.texts[anchors:],
            np.asarray(texts, "<i4").tobytes(),
            is_elsewhere,
            labels.around.astype("<i4").tobytes(),
            labels.shares.astype("<f4").tobytes(),
        )
        self._frames.append(msgspec.msgpack.encode(frame))
        return self._take(frame, number)

    def close(self) -> None:
        """Close the file."""
        self._frames.close()

    def _take(self, frame: _Frame, number: int) -> int:
        targets = np.frombuffer(frame.targets, "<i4")
        anchors = np.frombuffer(frame.anchors, "<i4")
        row = len(self)
        self.rows.extend(np.full(len(self.urls) - len(self.rows), -1, np.int32))
        self.rows.values[number] = row
        self.pages.add(frame.vector)
        self.topic_scores.extend([frame.topic_score])
        self.lists.extend([frame.is_list])
        self.lengths.extend([frame.length])
        self.page_urls.extend([number])
        self.link_targets.extend(targets)
        self.link_anchors.extend(anchors)
        self.link_starts.extend([len(self.link_targets)])
        pairs = np.sort(targets)
        pairs = pairs[begins(pairs)]
        self._pair_targets.extend(pairs)
        self._pair_starts.extend([len(self._pair_targets)])
        self.labels.add(frame.labels)
        domain = self._domains.add(domain_of(frame.url))
        self.sites.extend([self.hosts.add(host_of(frame.url))])
        if len(self.hosts) > len(self._domain_of_host):
            self._domain_of_host.extend([domain])
        self.is_own.extend([not frame.is_elsewhere])
        return row

    def _sound_frames(self) -> list[_Frame]:
        """Return the frames up to the first that cannot be believed."""
        found, urls, anchors = list[_Frame](), NumberedTexts(), AnchorTexts()
        for number in range(len(self._frames)):
            frame = _decoded(self._frames.read(number))
            if frame is None:
                break
            frame.name_texts(urls, anchors)
            if not (_below(frame.targets, len(urls)) and _below(frame.anchors, len(anchors))):
                break
            found.append(frame)
        return found

    def _add_recorded(self, frames: list[_Frame], visited: Collection[str], path: Path | None) -> None:
        """Leave out the pages that were not recorded: others get other numbers by it, in another file."""
        self._frames.close()
        fresh = path and path.with_name(f"{path.name}.new")
        if fresh is not None:
            fresh.unlink(missing_ok=True)
        self._frames = FrameFile(fresh, _TITLE)
        urls, anchors = NumberedTexts(), AnchorTexts()
        for frame in frames:
            frame.name_texts(urls, anchors)
            if frame.is_elsewhere or frame.url in visited:
                numbers = (np.frombuffer(data, "<i4").tolist() for data in (frame.targets, frame.anchors))
                links = [(urls.texts[target], anchors.texts[anchor]) for target, anchor in zip(*numbers, strict=True)]
                self.add(
                    frame.url,
                    frame.vector,
                    frame.topic_score,
                    links,
                    is_list=frame.is_list,
                    length=frame.length,
                    is_elsewhere=frame.is_elsewhere,
                    labels=frame.labels,
                )
        if path is not None and fresh is not None:
            self._frames.close()
            fresh.replace(path)
            self._frames = _open(path)


def _decoded(data: bytes) -> _Frame | None:
    with suppress(msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        frame = msgspec.msgpack.decode(data, type=_Frame)
        return frame if _is_sound(frame) else None
    return None


def _below(data: bytes, limit: int) -> bool:
    numbers = np.frombuffer(data, "<i4")
    return bool(((numbers >= 0) & (numbers < limit)).all())


def _is_sound(frame: _Frame) -> bool:
    """Whether the numbers of a frame can be; what they point to is looked at later."""
    words = np.frombuffer(frame.words, "<i4") if len(frame.words) % 4 == 0 else None
    if words is None or len(frame.weights) != len(frame.words) or len(words) > MOST_WORDS:
        return False
    weights = np.frombuffer(frame.weights, "<f4")
    numbers = (frame.topic_score, frame.is_list, *weights.tolist())
    if not 0 <= frame.length < 1 << 31:
        return False
    return (
        bool(np.isfinite(numbers).all())
        and bool(((words >= 0) & (words < WORDS)).all())
        and len(frame.targets) == len(frame.anchors) <= 4 * MOST_LINKS
        and len(frame.targets) % 4 == 0
        and len(frame.label_texts) == 2 * len(frame.label_shares) <= 8 * MOST_USES
        and len(frame.label_shares) % 4 == 0
        and bool((np.abs(np.frombuffer(frame.label_shares, "<f4") - 1) <= 1).all())
    )


def _open(path: Path | None, *, read_only: bool = False) -> FrameFile:
    if path is not None and read_only:
        if path.is_symlink() or not path.is_file():
            raise StoreError(f"{path} is no file: what the judge has learnt is not there")
        return FrameFile(path, _TITLE, read_only=True)
    return open_frames(path, _TITLE, "what was learnt is learnt anew from the pages to come")


def pack_sums(sums: Mapping[str, Doubles]) -> bytes:
    """Return arrays by name as bytes, in single precision; zeros take no room."""
    told = {}
    for name, values in sums.items():
        places = np.flatnonzero(values != 0.0)
        parts = places.astype("<i4").tobytes(), values[places].astype("<f4").tobytes()
        told[name] = (len(values), *parts)
    return msgspec.msgpack.encode(told)


def unpack_sums(data: bytes) -> dict[str, Doubles]:
    """Return what `pack_sums` was given; StoreError for other bytes."""
    wrong = "what other shards have learnt cannot be read"
    with told_as(StoreError, wrong, msgspec.MsgspecError, ValueError, IndexError):
        told = msgspec.msgpack.decode(data, type=_Sums)
        sums = {}
        if told and not told.keys() >= _SIZES.keys() - _OF_LINKS:
            raise ValueError("parts are missing")
        for name, (size, places, values) in told.items():
            if size != _SIZES.get(name):
                raise ValueError(f"{name!r} has {size} numbers")
            sums[name] = np.zeros(size)
            sums[name][np.frombuffer(places, "<i4")] = np.frombuffer(values, "<f4")
            if not np.isfinite(sums[name]).all():
                raise ValueError(f"a number of {name!r} is none")
    return sums


def added_sums(each: Iterable[bytes]) -> bytes:
    """Return sums of several shards added up."""
    total = dict[str, Doubles]()
    for sums in map(unpack_sums, each):
        for name, values in sums.items():
            total[name] = total[name] + values if name in total else values
    return pack_sums(total)
