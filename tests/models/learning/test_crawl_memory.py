"""What a crawl remembers of its pages and links: in arrays, and in a file that survives a kill."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import StoreError
from semcrawl.models.crawl_memory import MOST_WORDS, WORDS, CrawlMemory, vector_of_text, word_number
from semcrawl.text.background import Background
from semcrawl.text.vocabulary import Vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from random import Random

    Opened = Callable[..., CrawlMemory]

A, B, C, D = (f"http://a.test/{name}" for name in "abcd")


def word_vector(counts: dict[str, int]) -> tuple[np.ndarray, np.ndarray]:
    """Return the vector of words that all tell as much."""
    vocabulary = Vocabulary(lambda pieces: [[piece] for piece in pieces], lambda _: True)
    words = vocabulary.number(word for word, count in counts.items() for _ in range(count))
    return vector_of_text(words, Background.from_counts({}, documents=100))


def vector(*words: str) -> tuple[np.ndarray, np.ndarray]:
    return word_vector(dict.fromkeys(words, 1))


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Opened]:
    """Open the same file again and again; all are closed in the end."""
    found: list[CrawlMemory] = []

    def open_again(*visited: str, read_only: bool = False) -> CrawlMemory:
        found.append(CrawlMemory(tmp_path / "pages", visited, read_only=read_only))
        return found[-1]

    yield open_again
    for memory in found:
        memory.close()


def links(memory: CrawlMemory) -> dict[str, list[tuple[str, str]]]:
    """The links of each page by their texts."""
    urls, anchors = memory.urls.texts, memory.anchors.texts
    found = {}
    for row, number in enumerate(memory.page_urls.values.tolist()):
        place = slice(*memory.link_starts.values[row : row + 2])
        targets, texts = memory.link_targets.values[place], memory.link_anchors.values[place]
        found[urls[number]] = [(urls[target], anchors[text]) for target, text in zip(targets, texts, strict=True)]
    return found


@given(st.dictionaries(st.text(min_size=1), st.integers(1, 50), max_size=400))
def test_a_vector_has_length_one_and_not_too_many_words(counts: dict[str, int]) -> None:
    numbers, weights = word_vector(counts)
    assert len(numbers) == len(weights) <= MOST_WORDS
    assert all(0 <= number < WORDS for number in numbers)
    assert np.sqrt(weights @ weights) == pytest.approx(1.0 if counts else 0.0, abs=1e-5)


@given(st.dictionaries(st.text("abc", min_size=1), st.integers(1, 9), max_size=300), st.randoms())
def test_a_vector_does_not_depend_on_the_order_of_words(counts: dict[str, int], chance: Random) -> None:
    shuffled = list(counts.items())
    chance.shuffle(shuffled)
    for one, other in zip(word_vector(counts), word_vector(dict(shuffled)), strict=True):
        assert one.tolist() == other.tolist()


def test_a_file_gives_back_what_was_remembered(opened: Opened) -> None:
    memory = opened()
    memory.add(A, vector("cat"), 0.5, [(B, "bee"), (C, "sea"), (B, "again")], is_list=0.25)
    memory.add(B, vector("dog", "cow"), -1.5, [(A, "bee")], length=7)
    memory.close()
    again = opened(A, B)
    assert links(again) == {A: [(B, "bee"), (C, "sea"), (B, "again")], B: [(A, "bee")]}
    assert again.topic_scores.values.tolist() == [0.5, -1.5]
    assert again.lists.values.tolist() == [0.25, 0.0]
    assert again.lengths.values.tolist() == [0, 7]
    assert (again.row_of(A), again.row_of(B), again.row_of(C)) == (0, 1, -1)
    numbers, _ = again.pages.row(1)
    assert set(numbers.tolist()) == {word_number("dog"), word_number("cow")}


def test_a_page_that_was_not_recorded_is_forgotten(opened: Opened) -> None:
    """The process ended between the file and the graph: the page will be visited again."""
    memory = opened()
    memory.add(A, vector("cat"), 0.0, [(B, "bee")])
    memory.add(B, vector("dog"), 0.0, [(C, "sea"), (A, "home")])
    memory.add(D, vector("cow"), 0.0, [(C, "sea"), (B, "bee")])
    memory.close()
    read = opened(A, D, read_only=True)
    assert links(read) == {A: [(B, "bee")], D: [(C, "sea"), (B, "bee")]}
    again = opened(A, D)
    assert links(again) == links(read)
    again.add(B, vector("dog"), 0.0, [(D, "dee")])
    again.close()
    assert links(opened(A, B, D))[B] == [(D, "dee")]


def test_a_page_that_has_changed_counts_as_it_is_now() -> None:
    memory = CrawlMemory()
    memory.add(A, vector("cat"), 0.0, [])
    memory.add(B, vector("cow"), 0.0, [])
    memory.add(A, vector("dog"), 0.0, [])
    assert memory.row_of(A) == 2
    assert memory.is_current(3).tolist() == [False, True, True]


def test_products_and_sums_are_those_of_the_vectors() -> None:
    memory = CrawlMemory()
    memory.add(A, vector("cat", "dog"), 0.0, [])
    memory.add(B, vector(), 0.0, [])
    memory.add(C, vector("cat"), 0.0, [])
    weights = np.zeros(WORDS)
    weights[word_number("cat")] = 2.0
    assert memory.pages.dot(weights) == pytest.approx([2 / np.sqrt(2), 0.0, 2.0])
    total = memory.pages.sum(np.array([1.0, 1.0, 3.0]), 3)
    assert total[word_number("cat")] == pytest.approx(1 / np.sqrt(2) + 3)


@pytest.mark.parametrize(
    "frame",
    [
        b"no msgpack",
        msgspec.msgpack.encode(["http://a.test/", 0.0, 0.0, 0, b"\xff" * 4, b"\0" * 4, [], b"", [], b""]),
        msgspec.msgpack.encode(["http://a.test/", float("nan"), 0.0, 0, b"", b"", [], b"", [], b""]),
        msgspec.msgpack.encode(["http://a.test/", 0.0, 0.0, 0, b"", b"", [], b"\x09\0\0\0", [], b"\x09\0\0\0"]),
    ],
    ids=["no frame", "a word that cannot be", "no number", "links to nowhere"],
)
def test_what_a_strange_file_says_is_not_believed(opened: Opened, frame: bytes) -> None:
    memory = opened()
    memory.add(B, vector("cat"), 0.0, [])
    memory._frames.append(frame)
    memory.close()
    assert links(opened("http://a.test/", B)) == {B: []}


def test_a_damaged_file_is_put_aside_with_a_warning(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "pages").write_bytes(b"something else altogether\n")
    with pytest.warns(UserWarning, match="learnt anew"):
        memory = opened()
    assert len(memory) == 0
    assert (tmp_path / "pages.damaged").exists()


def test_a_link_to_elsewhere_is_not_followed(opened: Opened, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    (tmp_path / "pages").symlink_to(tmp_path / "mine")
    with pytest.warns(UserWarning, match="link to elsewhere"):
        opened().add(A, vector("cat"), 0.0, [])
    assert (tmp_path / "mine").read_text() == "precious"
    with pytest.raises(StoreError, match="no file"):
        CrawlMemory(tmp_path / "absent", read_only=True)
