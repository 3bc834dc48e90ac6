from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from semcrawl.text.phrases import PhraseMatcher
from semcrawl.text.terms import terms
from semcrawl.topics import wordnet
from tests.text.naive_phrases import naive_find

STEMS = st.lists(st.sampled_from("abcd"), max_size=25)
PHRASES = st.lists(st.lists(st.sampled_from("abcd"), min_size=2, max_size=4).map(" ".join), max_size=8)


def split(matcher: PhraseMatcher, stems: list[str]) -> tuple[dict[str, int], dict[str, int]]:
    counts = {stem: stems.count(stem) for stem in dict.fromkeys(stems)}
    singles, phrases = matcher.split(counts, lambda: stems)
    return dict(singles), dict(phrases)


def test_the_longest_phrase_wins() -> None:
    matcher = PhraseMatcher(["first aid", "first aid kit"])
    assert matcher.find(["first", "aid", "kit", "first", "aid", "first"]) == [
        (0, ("first", "aid", "kit")),
        (3, ("first", "aid")),
    ]


def test_a_phrase_that_breaks_off_gives_way_to_a_shorter_one() -> None:
    matcher = PhraseMatcher(["a b c d", "a b", "c x"])
    assert matcher.find(["a", "b", "c", "x"]) == [(0, ("a", "b")), (2, ("c", "x"))]


def test_phrases_are_found_whatever_their_endings_and_stop_words() -> None:
    matcher = PhraseMatcher([" ".join(terms("disease of the heart"))])
    found = split(matcher, terms("Diseases of hearts, and one heart"))
    assert found == ({"heart": 1}, {"diseas heart": 1})


@given(PHRASES, STEMS)
def test_phrases_are_found_as_the_plain_way_finds_them(phrases: list[str], stems: list[str]) -> None:
    matcher = PhraseMatcher(set(phrases))
    expected = naive_find(phrases, stems)
    assert matcher.find(stems) == expected
    singles, found = split(matcher, stems)
    assert sum(found.values()) == len(expected)
    held = sum(len(phrase) for _, phrase in expected)
    assert sum(singles.values()) == len(stems) - held


@given(PHRASES, STEMS)
def test_matches_are_phrases_in_place_and_do_not_overlap(phrases: list[str], stems: list[str]) -> None:
    end = 0
    for position, phrase in PhraseMatcher(phrases).find(stems):
        assert position >= end
        end = position + len(phrase)
        assert " ".join(phrase) in phrases
        assert tuple(stems[position:end]) == phrase


@given(PHRASES, STEMS)
def test_nothing_is_lost_in_the_counts(phrases: list[str], stems: list[str]) -> None:
    singles, found = split(PhraseMatcher(set(phrases)), stems)
    counted = sum(len(term.split()) * count for term, count in (singles | found).items())
    assert counted == len(stems)


def test_text_in_order_is_not_asked_for_in_vain() -> None:
    def never() -> list[str]:
        raise AssertionError("no phrase can be there")

    counts = {"first": 1, "kit": 2}
    assert PhraseMatcher(["first aid"]).split(counts, never) == (counts, {})


def test_a_matcher_holds_as_many_phrases_as_wordnet_has_labels() -> None:
    graph = wordnet().graph
    labels = [terms(graph.label(concept)) for concept in graph.ids[::2]]
    phrases = {" ".join(stems) for stems in labels if len(stems) > 1}
    matcher = PhraseMatcher(phrases)
    assert len(matcher) == len(phrases) > 10_000
    for phrase in sorted(phrases)[::500]:
        stems = tuple(phrase.split(" "))
        assert matcher.find(stems) == [(0, stems)]
