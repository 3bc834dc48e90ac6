"""Topic files in TOML and in Turtle: what is read, what is refused, and the way there and back."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import TopicError
from semcrawl.topics import Topic, wordnet
from semcrawl.topics.topic import Keyword, TopicConcept

if TYPE_CHECKING:
    from collections.abc import Callable

PREFIXES = """
@prefix sc: <https://w3id.org/semcrawl/ns#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix wn: <https://w3id.org/semcrawl/wordnet/> .
"""
ASTHMA = TopicConcept("wordnet:asthma.n.01", 1.0, wordnet().graph)
ALLERGY = TopicConcept("wordnet:allergy.n.01", 0.5, wordnet().graph)

LINES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(
    lambda text: text.split()
)
WEIGHTS = st.floats(0.0, 1e6) | st.just(1.0)
CONCEPTS = st.sampled_from(wordnet().graph.ids)


@st.composite
def topics(draw: st.DrawFn) -> Topic:
    words = draw(st.dictionaries(LINES, WEIGHTS, max_size=4))
    concepts = draw(st.dictionaries(CONCEPTS, st.tuples(WEIGHTS, st.booleans()), max_size=3))
    return Topic(
        draw(LINES),
        concepts=(
            ASTHMA,
            *(TopicConcept(id_, weight, wordnet().graph, alone) for id_, (weight, alone) in concepts.items()),
        ),
        keywords=tuple(Keyword(text, weight) for text, weight in words.items()),
        seeds=tuple(f"http://example.org/{tail}" for tail in draw(st.lists(URL_TAILS, max_size=3))),
        examples=tuple(draw(st.lists(LINES, max_size=3))),
        description=draw(st.text(st.characters(exclude_categories=["Cs", "Cc"]) | st.just("\n"))),
        languages=tuple(draw(st.lists(st.sampled_from(["en", "de-AT", "x"]), min_size=1))),
    )


URL_TAILS = st.text(st.sampled_from('abc/.?#%[]{}|^`\\"<>é&=~'), max_size=10)


@given(topics())
def test_toml_there_and_back(topic: Topic) -> None:
    assert Topic.from_toml(topic.to_toml()) == topic


@given(topics())
def test_turtle_there_and_back(topic: Topic) -> None:
    assert Topic.from_turtle(topic.to_turtle()) == topic


def test_a_toml_file_with_everything() -> None:
    topic = Topic.from_toml("""
        name = "asthma"
        description = "Causes and cures"
        language = "en"
        seeds = ["https://example.org/"]
        examples = ["pages/one.html"]
        keywords = ["inhaler"]
        [concepts]
        "wordnet:asthma.n.01" = 1
        "wordnet:allergy.n.01" = 0.5
    """)
    assert topic == Topic(
        "asthma",
        (ASTHMA, ALLERGY),
        (Keyword("inhaler"),),
        ("https://example.org/",),
        ("pages/one.html",),
        "Causes and cures",
    )


def test_a_turtle_file_with_everything() -> None:
    topic = Topic.from_turtle(f"""{PREFIXES}
        <#t> a sc:Topic ; rdfs:label "asthma" ; dcterms:description "Causes and cures" ;
            sc:concept wn:asthma.n.01 ; sc:keyword "inhaler" ;
            sc:interest [ sc:concept wn:allergy.n.01 ; sc:weight 0.5 ] ;
            sc:seed <https://example.org/> ; sc:example <pages/one.html> ;
            rdfs:seeAlso <https://example.org/passed-over> .
    """)
    assert topic == Topic(
        "asthma",
        (ASTHMA, ALLERGY),
        (Keyword("inhaler"),),
        ("https://example.org/",),
        ("pages/one.html",),
        "Causes and cures",
    )


def test_a_file_without_name_is_named_by_its_parts() -> None:
    assert Topic.from_toml('concepts = ["wordnet:asthma"]').name == "asthma"
    assert Topic.from_toml('keywords = ["cat", "dog"]').name == "cat, dog"
    assert Topic.from_turtle(f'{PREFIXES} [] a sc:Topic ; sc:keyword "cat" .').name == "cat"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name = ", "x.toml is not in TOML.*"),
        ("name = " + "9" * 5_000, "x.toml is not in TOML.*"),
        ('name = "a"\nname = "b"\n', "x.toml is not in TOML.*line 2"),
        ("keywrods = []", "x.toml: there is no key 'keywrods'; did you mean 'keywords'?"),
        ("name = 3", "x.toml: name is 3: it takes a text"),
        ('keywords = "cat"', r"x.toml: keywords is 'cat': it takes a list .* or a table$"),
        ('keywords = { cat = "much" }', "x.toml: keywords is {'cat': 'much'}: it takes a list"),
        ("keywords = { cat = -1 }", "x.toml: the keyword 'cat' has the weight -1.0"),
        ("keywords = { cat = nan }", "x.toml: the keyword 'cat' has the weight nan"),
        ("keywords = { cat = inf }", "x.toml: the keyword 'cat' has the weight inf"),
        ("keywords = { cat = 0 }", "x.toml: the weights"),
        ('concepts = ["asthma"]', "x.toml: 'asthma' names no concept"),
        ('concepts = ["wordnet:bank"]', "x.toml: 'bank' has 18 senses"),
        ('keywords = ["cat"]\nseeds = ["cats"]', "x.toml: the seed 'cats' is no URL"),
        ("", "x.toml: .*nothing to look for"),
    ],
)
def test_bad_toml_is_refused_with_the_file(text: str, message: str) -> None:
    with pytest.raises(TopicError, match=message):
        Topic.from_toml(text, where="x.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("<#t> a sc:Topic ; sc:keyword cat .", "x.ttl is not in Turtle: .*line 6"),
        ("<#t> a sc:Topic ; sc:keyword 'cat' ", "x.ttl is not in Turtle"),
        ("<#t> a nope:Topic .", "x.ttl is not in Turtle"),
        ("", "x.ttl describes no topics"),
        ("<#t> sc:keyword 'cat' .", "x.ttl describes no topics"),
        ("<#a> a sc:Topic . <#b> a sc:Topic .", "x.ttl describes 2 topics"),
        ("<#t> a sc:Topic .", "x.ttl: .*nothing to look for"),
        ("<#t> a sc:Topic ; sc:keyword [] .", "x.ttl: a blank node"),
        ("<#t> a sc:Topic ; sc:interest [ sc:weight 1 ] .", "x.ttl: an sc:interest has neither"),
        ("<#t> a sc:Topic ; sc:interest <#gone> .", "x.ttl: an sc:interest has neither"),
        ("<#t> a sc:Topic ; sc:interest [ sc:keyword 'x' ; sc:weight 'y' ] .", "is no number"),
        ("<#t> a sc:Topic ; sc:interest [ sc:keyword 'x' ; sc:weight 1, 2 ] .", "given 2 times"),
        ("<#t> a sc:Topic ; sc:interest [ sc:keyword 'xx' ; sc:weight -1 ] .", "weight -1.0"),
        ("<#t> a sc:Topic ; sc:interest [ sc:keyword 'xx' ; sc:weight 'NaN' ] .", "weight nan"),
        ("<#t> a sc:Topic ; sc:keyword 'cat' ; dcterms:title 'a', 'b' .", "given 2 times"),
        ("<#t> a sc:Topic ; sc:concept wn:asthma.n.07 .", "no sense 'asthma.n.07'"),
        ("<#t> a sc:Topic ; sc:concept <http://example.org/x> .", "names no concept"),
    ],
)
def test_bad_turtle_is_refused_with_the_file(text: str, message: str) -> None:
    with pytest.raises(TopicError, match=message) as caught:
        Topic.from_turtle(PREFIXES + text, where="x.ttl")
    assert "x.ttl" in str(caught.value)


@given(st.text(), st.sampled_from([Topic.from_toml, Topic.from_turtle, Topic.parse]))
def test_a_reader_gives_a_topic_or_a_topic_error_whatever_the_text(text: str, read: Callable[[str], Topic]) -> None:
    with suppress(TopicError):
        assert isinstance(read(text), Topic)


def test_a_file_names_one_language_or_several() -> None:
    one = Topic.from_toml('language = "fr"\nkeywords = ["musique"]')
    several = Topic.from_toml('language = ["fr", "ru"]\nkeywords = ["musique"]')
    assert (one.languages, several.languages) == (("fr",), ("fr", "ru"))
    assert 'language = "fr"\n' in one.to_toml()
    assert Topic.from_toml(several.to_toml()) == several
    assert Topic.from_turtle(several.to_turtle()) == several


def test_a_file_with_an_unknown_language_names_the_file_and_what_to_write() -> None:
    with pytest.raises(TopicError, match=r"my\.toml: 'german' is no language code; .* de"):
        Topic.from_toml('language = "german"\nkeywords = ["x y"]', where="my.toml")
