"""All statements of a page together."""

from __future__ import annotations

import json

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page import read_html
from semcrawl.page.embedded.statements import MAX_STATEMENTS, MAX_TEXT, READ_TIMES, embedded_statements
from tests.page.embedded.graphs import canonical

PAGE = "http://a.test/x/"
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
MANY_NAMES = " ".join(f"a:{number}" for number in range(32))
SYNTAXES = {
    "json-ld": '<script type="application/ld+json">{"@context": "http://schema.org",'
    ' "@id": "#it", "name": "Ann"}</script>',
    "microdata": '<p itemscope itemid="#it" itemtype="https://schema.org/Person"><b itemprop="name">Ann</b></p>',
    "rdfa": '<p vocab="http://www.schema.org/" about="#it"><b property="name">Ann</b></p>',
}
NAME = ox.Triple(ox.NamedNode(PAGE + "#it"), ox.NamedNode("https://schema.org/name"), ox.Literal("Ann"))
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
    assert said.problems == ("It makes more than 1,000 statements: the rest is left out.",)


@pytest.mark.parametrize("long", [{"text": "y" * (MAX_TEXT + 1)}, {"image": f"data:,{'x' * 9_000}"}])
def test_a_long_text_or_an_image_is_left_out_and_told(long: dict[str, str]) -> None:
    document = {"@context": "http://schema.org", "name": "x", **long}
    said = embedded_statements(block(document), PAGE)
    assert [triple.object for triple in said.triples] == [ox.Literal("x")]
    assert said.problems == ("Statements with texts or IRIs that are too long are left out: 1.",)


def test_a_thousand_statements_and_one_of_them_again_are_not_too_many() -> None:
    names = [str(number) for number in range(MAX_STATEMENTS)]
    document = {"@context": "http://schema.org", "name": [*names, names[0]]}
    said = embedded_statements(block(document), PAGE)
    assert len(said.triples) == MAX_STATEMENTS
    assert said.problems == ()


@pytest.mark.parametrize(
    "markup",
    [
        f'<p about="#a" rel="{MANY_NAMES}" rev="{MANY_NAMES}">' + "<b about=></b>" * 1_000,
        "<p itemscope itemid=x itemtype=a:b></p>" * (READ_TIMES * MAX_STATEMENTS + 1),
        block({"@context": "http://schema.org", "name": [1] * (READ_TIMES * MAX_STATEMENTS + 1)}),
    ],
    ids=["rdfa", "microdata", "json-ld"],
)
def test_what_is_said_again_and_again_is_not_read_to_the_end(markup: str) -> None:
    said = embedded_statements(markup, PAGE)
    assert 0 < len(said.triples) < 100
    assert said.problems == ("It makes more than 5,000 statements, many of them twice: the rest is left out.",)


@pytest.mark.parametrize("datatype", ["langString", "dirLangString"])
@pytest.mark.parametrize("syntax", ["json-ld", "rdfa"])
def test_a_text_that_should_have_a_language_and_has_none_is_plain(syntax: str, datatype: str) -> None:
    value = {"@value": "Ann", "@type": RDF + datatype}
    markup = {
        "json-ld": block({"@context": "http://schema.org", "@id": "#it", "name": value}),
        "rdfa": f'<p about="#it"><b property="schema:name" datatype="rdf:{datatype}">Ann</b></p>',
    }
    said = embedded_statements(markup[syntax], PAGE)
    assert said.triples == (NAME,)


@given(
    st.dictionaries(
        st.sampled_from(["@value", "@type", "@language", "@direction"]),
        st.sampled_from([RDF + "langString", RDF + "dirLangString", "de_DE", "rtl", "x y", "a:b"]),
    )
)
def test_whatever_is_said_can_be_written_and_read_again(value: dict[str, str]) -> None:
    document = {"@context": ["http://schema.org", {"@language": "en_GB"}], "@id": "#it"}
    said = embedded_statements(block(document | {"name": value, "title": "x"}), PAGE)
    written = ox.serialize(said.triples, format=ox.RdfFormat.N_TRIPLES)
    assert written is not None
    read = ox.parse(written, format=ox.RdfFormat.N_TRIPLES)
    assert canonical(quad.triple for quad in read) == canonical(said.triples)


def test_problems_of_several_syntaxes_are_told_one_by_one() -> None:
    said = embedded_statements(
        "<p itemscope itemtype=Person></p>"
        '<p property="og:image" resource="http://[">x</p>'
        + block({"@context": "http://schema.org", "url": ["http://[", "http://]"], "name": "x"}),
        PAGE,
    )
    assert said.problems == (
        "2 values of its JSON-LD could not be read.",
        "1 value of its Microdata could not be read.",
        "1 value of its RDFa could not be read.",
    )


def test_many_problems_are_told_in_short() -> None:
    said = embedded_statements('<script type="application/ld+json">{</script>' * 20, PAGE)
    assert len(said.problems) == 6
    assert said.problems[-1] == "And more."


@given(st.lists(st.one_of(fragments, st.text(max_size=8)), max_size=10).map("".join))
def test_whatever_a_page_holds_nothing_is_raised(markup: str) -> None:
    embedded_statements(markup, PAGE)
