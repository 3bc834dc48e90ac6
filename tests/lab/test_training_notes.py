"""What was trained on what, told once for all topics."""

from __future__ import annotations

from semcrawl.lab.evaluation import merged_sentences


def test_sentences_that_differ_by_topic_and_numbers_are_one() -> None:
    told = {
        "cats": ["hmm from 1,200 paths, 8 pages of cats as targets, 3 clusters"],
        "big-cats": ["hmm from 900 paths, 54 pages of big-cats as targets, 3 clusters"],
    }
    assert merged_sentences(told) == (
        "hmm from 900 to 1,200 paths, 8 to 54 pages of each topic as targets, 3 clusters",
    )


def test_other_sentences_stay_apart() -> None:
    told = {"cats": ["a tree of 3 categories", "links of cats"], "dogs": ["links of dogs"]}
    assert merged_sentences(told) == ("a tree of 3 categories", "links of each topic")


def test_of_a_single_topic_everything_stays_as_it_is() -> None:
    assert merged_sentences({"cats": ["8 pages of cats"]}) == ("8 pages of cats",)
