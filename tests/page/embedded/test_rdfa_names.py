"""What names mean in RDFa's attributes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page.embedded.rdfa import Names, is_term
from tests.page.embedded.graphs import PAGE, read, turtle


@pytest.mark.parametrize(
    ("word", "vocabulary", "iri"),
    [
        ("dc:title", None, "http://purl.org/dc/terms/title"),
        ("DC:title", None, "http://purl.org/dc/terms/title"),
        (":next", None, "http://www.w3.org/1999/xhtml/vocab#next"),
        ("og:video:url", None, "http://ogp.me/ns#video:url"),
        ("license", None, "http://www.w3.org/1999/xhtml/vocab#license"),
        ("License", None, "http://www.w3.org/1999/xhtml/vocab#license"),
        ("license", "http://v.test/", "http://v.test/license"),
        ("a/b", "http://v.test/", "http://v.test/a/b"),
        ("http://o.test/p", "http://v.test/", "http://o.test/p"),
        ("unknown:word", None, "unknown:word"),
        ("name", None, None),
        ("stylesheet", None, None),
        ("7", "http://v.test/", None),
        ("../p", "http://v.test/", None),
        ("", "http://v.test/", None),
    ],
)
def test_a_word_is_a_term_a_curie_or_an_iri(word: str, vocabulary: str | None, iri: str | None) -> None:
    found = Names(PAGE).name(word, vocabulary)
    assert (found and str(found)) == (iri and f"<{iri}>")


@pytest.mark.parametrize(
    ("text", "iri"),
    [
        ("", PAGE),
        ("#a", f"{PAGE}#a"),
        ("../x", "http://a.test/x"),
        ("foaf:me", "http://xmlns.com/foaf/0.1/me"),
        ("[foaf:me]", "http://xmlns.com/foaf/0.1/me"),
        ("http://o.test/", "http://o.test/"),
        ("[nobody:x]", None),
        ("[http://o.test/]", None),
        ("[foaf:me", None),
        ("[]", None),
    ],
)
def test_a_resource_is_a_curie_or_a_reference(text: str, iri: str | None) -> None:
    found = Names(PAGE).resource(text)
    assert (found and str(found)) == (iri and f"<{iri}>")


def test_a_link_is_never_a_curie() -> None:
    assert str(Names(PAGE).iri("foaf:me")) == "<foaf:me>"


def test_two_slashes_make_an_iri_even_of_a_declared_prefix() -> None:
    names = Names(PAGE)
    names.declare({"prefix": "http: http://trap.test/"})
    assert str(names.name("http://o.test/", None)) == "<http://o.test/>"


def test_prefixes_end_with_their_element() -> None:
    page = """
    <div prefix="foaf: http://example.test/"><b property="foaf:a">x</b></div>
    <b property="foaf:a">y</b>"""
    assert read(page) == turtle('<> ex:a "x" ; foaf:a "y" .')


def test_prefix_comes_before_xmlns_and_the_last_before_the_first() -> None:
    page = """
    <div xmlns:ex="http://xmlns.test/" xmlns:Q="http://q.test/"
         prefix="ex: http://first.test/ ex: http://example.test/">
      <b property="ex:a q:a">x</b></div>"""
    assert read(page) == turtle('<> ex:a "x" ; <http://q.test/a> "x" .')


@pytest.mark.parametrize("prefix", ["_: http://x.test/", "ex http://x.test/", "ex:", ": a b c"])
def test_a_declaration_that_is_none_changes_nothing(prefix: str) -> None:
    assert Names(PAGE).declare({"prefix": prefix}) == []


@given(st.lists(st.dictionaries(st.sampled_from(["a:", "B:", "dc:"]), st.just("http://x.test/")), max_size=4))
def test_forgetting_undoes_declaring(declarations: list[dict[str, str]]) -> None:
    names = Names(PAGE)
    undo = [names.declare({"prefix": " ".join(f"{a} {b}" for a, b in pairs.items())}) for pairs in declarations]
    for before in reversed(undo):
        names.forget(before)
    assert str(names.name("dc:x", None)) == "<http://purl.org/dc/terms/x>"
    assert str(names.name("b:x", None)) == "<b:x>"


def test_a_vocabulary_may_be_relative_and_is_reset_by_an_empty_one() -> None:
    page = """
    <div vocab="/v#"><b property="a">x</b><i vocab=""><b property="a">y</b></i></div>"""
    assert read(page) == turtle('<> </v#a> "x" .')


@given(st.text())
def test_every_text_names_something_or_nothing(text: str) -> None:
    names = Names(PAGE)
    names.resource(text)
    names.name(text, text)
    names.vocabulary(text)
    names.forget(names.declare({"prefix": f"{text} {text}", f"xmlns:{text}": text}))
    is_term(text)
