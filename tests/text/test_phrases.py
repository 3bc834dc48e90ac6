from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from semcrawl.text import PhraseMatcher, terms
from semcrawl.topics import wordnet

STEMS = st.lists(st.sampled_from("abc"), max_size=12)
PHRASES = st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=4).map(tuple), max_size=6)


def test_the_longest_phrase_wins() -> None:
    matcher = PhraseMatcher([("first",), ("first", "aid"), ("first", "aid", "kit")])
    assert list(matcher.find(["first", "aid", "kit", "first", "aid", "first"])) == [
        (0, ("first", "aid", "kit")),
        (3, ("first", "aid")),
        (5, ("first",)),
    ]


def test_a_phrase_that_breaks_off_gives_way_to_a_shorter_one() -> None:
    matcher = PhraseMatcher([("a", "b", "c", "d"), ("a", "b"), ("c",)])
    assert list(matcher.find(["a", "b", "c", "x"])) == [(0, ("a", "b")), (2, ("c",))]


def test_phrases_are_found_whatever_their_endings_and_stop_words() -> None:
    matcher = PhraseMatcher.from_texts(["disease of the heart"])
    assert matcher.count("Diseases of hearts, and one heart") == {"diseas heart": 1, "heart": 1}


def test_empty_phrases_are_passed_over() -> None:
    matcher = PhraseMatcher.from_texts(["", "of the", "cat"])
    assert len(matcher) == 1
    assert ("cat",) in matcher


@given(PHRASES, STEMS)
def test_matches_are_phrases_in_place_and_do_not_overlap(
    phrases: list[tuple[str, ...]], stems: list[str]
) -> None:
    end = 0
    for position, phrase in PhraseMatcher(phrases).find(stems):
        assert position >= end
        end = position + len(phrase)
        assert phrase in phrases
        assert tuple(stems[position:end]) == phrase


@given(PHRASES, STEMS)
def test_nothing_is_lost_in_the_counts(phrases: list[tuple[str, ...]], stems: list[str]) -> None:
    words = {"a": "cat", "b": "dog", "c": "fish"}
    text = " ".join(words[stem] for stem in stems)
    matcher = PhraseMatcher(tuple(words[stem] for stem in phrase) for phrase in phrases)
    counted = sum(len(term.split()) * count for term, count in matcher.count(text).items())
    assert counted == len(stems)


def test_a_matcher_holds_as_many_phrases_as_wordnet_has_labels() -> None:
    graph = wordnet().graph
    labels = [graph.label(concept) for concept in graph.ids[::5]]
    matcher = PhraseMatcher.from_texts(labels)
    assert len(matcher) > 10_000
    for label in labels[::500]:
        stems = terms(label)
        assert [phrase for _, phrase in matcher.find(stems)] == ([tuple(stems)] if stems else [])
