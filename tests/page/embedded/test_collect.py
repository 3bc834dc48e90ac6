"""All statements of a page together."""

from __future__ import annotations

import json

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page import read_html
from semcrawl.page.embedded.collect import MAX_STATEMENTS, MAX_TEXT, embedded_statements

PAGE = "http://a.test/x/"
SYNTAXES = {
    "json-ld": '<script type="application/ld+json">{"@context": "http://schema.org",'
    ' "@id": "#it", "name": "Ann"}</script>',
    "microdata": '<p itemscope itemid="#it" itemtype="https://schema.org/Person">'
    '<b itemprop="name">Ann</b></p>',
    "rdfa": '<p vocab="http://www.schema.org/" about="#it"><b property="name">Ann</b></p>',
}
NAME = ox.Triple(
    ox.NamedNode(PAGE + "#it"), ox.NamedNode("https://schema.org/name"), ox.Literal("Ann")
)
fragments = st.sampled_from(
    [
        *SYNTAXES.values(),
        "<p itemscope itemprop=a itemref='a b' id=a>",
        "<div typeof='a:b c' prefix='a: http://[ b:' rel=a:b>",
        "<script type='application/ld+json'>",
        "</script>",
        "<base href='http://[/'>",
        '{"@context": [',
        "</p>",
        "\0",
        "<meta property='og:title' content=x>",
    ]
)


def block(document: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(document)}</script>'


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_every_syntax_says_the_same_in_the_same_words(syntax: str) -> None:
    said = embedded_statements(SYNTAXES[syntax], PAGE)
    assert NAME in said.triples
    assert said.problems == ()


def test_what_is_said_twice_is_kept_once() -> None:
    said = embedded_statements("".join(SYNTAXES.values()), PAGE)
    assert said.triples.count(NAME) == 1


def test_a_page_without_statements_says_nothing() -> None:
    assert embedded_statements("<p>Lungs", PAGE).triples == ()
    assert read_html("<p>Lungs", PAGE).statements.triples == ()


def test_references_start_from_the_base_of_the_page() -> None:
    page = read_html(f'<base href="http://b.test/y/"><p>Lungs{SYNTAXES["microdata"]}', PAGE)
    assert {str(triple.subject) for triple in page.statements.triples} == {"<http://b.test/y/#it>"}


def test_what_cannot_be_seen_speaks_too() -> None:
    page = read_html(f"<div hidden>{SYNTAXES['microdata']}</div><p>Lungs", PAGE)
    assert NAME in page.statements.triples
    assert page.text == "Lungs"


def test_a_flood_of_statements_is_cut_and_told() -> None:
    names = [str(number) for number in range(MAX_STATEMENTS + 10)]
    said = embedded_statements(block({"@context": "http://schema.org", "name": names}), PAGE)
    assert len(said.triples) == MAX_STATEMENTS
    assert said.problems == ("it makes more than 1,000 statements: the rest is left out",)


def test_a_long_text_is_left_out_and_told() -> None:
    document = {"@context": "http://schema.org", "name": "x", "text": "y" * (MAX_TEXT + 1)}
    said = embedded_statements(block(document), PAGE)
    assert [triple.object for triple in said.triples] == [ox.Literal("x")]
    assert said.problems == ("statements with texts of more than 10,000 characters: 1 left out",)


def test_many_problems_are_told_in_short() -> None:
    said = embedded_statements('<script type="application/ld+json">{</script>' * 20, PAGE)
    assert len(said.problems) == 6
    assert said.problems[-1] == "and more"


@given(st.lists(st.one_of(fragments, st.text(max_size=8)), max_size=10).map("".join))
def test_whatever_a_page_holds_nothing_is_raised(markup: str) -> None:
    embedded_statements(markup, PAGE)
