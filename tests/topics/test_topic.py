from __future__ import annotations

from dataclasses import FrozenInstanceError
from math import inf, log, nan
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import TopicError
from semcrawl.text import Background
from semcrawl.topics import ConceptGraph, Topic
from semcrawl.topics.topic import Keyword, TopicConcept

if TYPE_CHECKING:
    from pathlib import Path


def test_labels_are_the_keywords_and_every_lemma_of_the_concepts() -> None:
    asthma = Topic.parse("wordnet:asthma").concepts
    topic = Topic("asthma", asthma, (Keyword("inhaler", 0.5),))
    assert topic.labels() == [("inhaler", 0.5), ("asthma", 1.0), ("asthma attack", 1.0), ("bronchial asthma", 1.0)]


def test_weights_of_equal_texts_add_up() -> None:
    asthma = Topic.parse("wordnet:asthma").concepts
    assert dict(Topic("x", asthma, (Keyword("Asthma", 2.0),)).labels())["asthma"] == 3.0


def test_labels_are_in_the_language_of_the_topic(animals: ConceptGraph) -> None:
    cat = (TopicConcept("ex:cat", 1.0, animals),)
    assert Topic("cats", cat).labels() == [("cat", 1.0)]
    assert Topic("Katzen", cat, languages=("de-AT",)).labels() == [("katze", 1.0)]
    assert Topic("chats", cat, languages=("fr",)).labels() == [("cat", 1.0), ("katze", 1.0)]


def test_the_vector_has_the_weights_as_frequencies() -> None:
    topic = Topic("x", keywords=(Keyword("first aid", 2.0), Keyword("kit", 1.0)))
    assert topic.counts() == {"first": 1.0, "aid": 1.0, "kit": 1.0}
    assert topic.vector() == {"first": 1.0, "aid": 1.0, "kit": 1.0}


def test_a_word_of_a_phrase_counts_by_its_rarity() -> None:
    topic = Topic("x", keywords=(Keyword("first aid", 2.0), Keyword("kit", 1.0)))
    background = Background.from_counts({"first": 50, "aid": 10, "kit": 1}, documents=100)
    first, aid = 2 * (log(2) / log(100)) ** 2, 2 * (log(10) / log(100)) ** 2
    assert topic.vector(background) == pytest.approx({"first": first * log(2), "aid": aid * log(10), "kit": log(100)})


def test_a_topic_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        Topic("x", keywords=(Keyword("cat"),)).name = "y"  # type: ignore[misc]


def test_texts_are_tidied_and_repetitions_kept_once() -> None:
    topic = Topic(" my \n topic ", keywords=(Keyword(" cat "), Keyword("cat", 2.0)), seeds=("http://a/", " http://a/ "))
    assert topic.name == "my topic"
    assert topic.keywords == (Keyword("cat", 2.0),)
    assert topic.seeds == ("http://a/",)


@pytest.mark.parametrize("weight", [-1.0, nan, inf, -inf])
def test_weights_that_are_no_weights_are_refused(weight: float) -> None:
    with pytest.raises(TopicError, match="keyword 'cat' has the weight"):
        Topic("x", keywords=(Keyword("cat", weight), Keyword("dog")))


def test_weights_must_not_all_be_zero() -> None:
    with pytest.raises(TopicError, match=r"add up to 0\.0"):
        Topic("x", keywords=(Keyword("cat", 0.0),))


@pytest.mark.parametrize("seed", ["", "example.org", "ftp://example.org/", "http://", "http:///x", "http://a b/", "/x"])
def test_seeds_are_urls(seed: str) -> None:
    with pytest.raises(TopicError, match="is no URL"):
        Topic("x", keywords=(Keyword("cat"),), seeds=(seed,))


def test_accounts_in_addresses_are_not_kept(tmp_path: Path) -> None:
    file = tmp_path / "topic.toml"
    file.write_text('keywords = ["cat"]\nseeds = ["http://ann:secret@a.test/b?to=c@d"]\n', "utf-8")
    topic = Topic.parse(str(file))
    assert topic.seeds == ("http://a.test/b?to=c@d",)
    liked = Topic.parse("examples:http://ann:secret@a.test/cats.html")
    assert (liked.name, liked.examples) == ("pages like a.test/cats.html", ("http://a.test/cats.html",))


def test_many_examples_are_no_name_of_a_file() -> None:
    pages = [f"page{number}.html" for number in range(1_000)]
    assert Topic.parse("examples: " + " , ".join(pages)).examples == tuple(pages)


def test_blanks_between_examples_are_looked_at_once(tmp_path: Path) -> None:
    # An hour if each were tried as the first before a comma.
    blanks = " " * 1_000_000
    assert Topic.parse(f"examples:{tmp_path}{blanks}x").examples == (f"{tmp_path} x",)


def test_a_topic_must_say_something() -> None:
    with pytest.raises(TopicError, match="nothing to look for"):
        Topic("x", seeds=("http://a/",))
    with pytest.raises(TopicError, match="stop words"):
        Topic("x", keywords=(Keyword("of the 3"),))
    assert Topic("x", examples=("page.html",)).counts() == {}


@pytest.mark.parametrize("text", ["", "  ", "a\0b", "\ud800", "a\x7fb"])
def test_names_and_keywords_are_writable_texts(text: str) -> None:
    with pytest.raises(TopicError):
        Topic(text, keywords=(Keyword("cat"),))
    with pytest.raises(TopicError):
        Topic("x", keywords=(Keyword(text), Keyword("cat")))


@pytest.mark.parametrize("language", ["", "english language", "e_n", "<en>"])
def test_the_language_is_a_tag(language: str) -> None:
    with pytest.raises(TopicError, match="language tag"):
        Topic("x", keywords=(Keyword("cat"),), languages=(language,))


def test_a_topic_of_several_languages_has_the_labels_of_each(animals: ConceptGraph) -> None:
    cat = (TopicConcept("ex:cat", 1.0, animals),)
    topic = Topic("cats", cat, languages=("de", "en"))
    assert topic.language == "de"
    assert dict(topic.labels()) == {"cat": 1.0, "katze": 1.0}
    assert dict(topic.labels("de")) == {"katze": 1.0}
    assert topic.counts("de") == {"katz": 1.0}
    assert topic.counts() == {"katz": 1.0, "cat": 1.0}


@pytest.mark.parametrize("languages", ["fr,ru", " fr , ru ", ["fr", "ru"], ("fr,ru", "fr")])
def test_languages_are_given_by_commas_or_one_by_one(languages: str | list[str]) -> None:
    assert Topic.parse("keywords:musique", language=languages).languages == ("fr", "ru")


@pytest.mark.parametrize(("tag", "hint"), [("xx", "ISO 639"), ("french", "did you mean fr")])
def test_a_language_that_nobody_knows_is_refused_with_what_to_write(tag: str, hint: str) -> None:
    with pytest.raises(TopicError, match=hint):
        Topic.parse("keywords:cat", language=tag)


def test_a_topic_in_a_script_without_spaces_and_case_has_terms() -> None:
    assert Topic.parse("keywords:哮喘病", language="zh").counts() == {"哮喘": 0.5, "喘病": 0.5}


def test_a_topic_of_more_keywords_than_can_be_compiled_soon_is_refused() -> None:
    words = tuple(Keyword(f"inhaler {number}") for number in range(2_001))
    assert len(Topic("x", keywords=words[1:]).keywords) == 2_000
    with pytest.raises(TopicError, match="more than 2,000 keywords"):
        Topic("x", keywords=words)
