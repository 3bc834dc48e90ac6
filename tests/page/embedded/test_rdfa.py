"""RDFa as people write it, and what the reader makes of it."""

from __future__ import annotations

from itertools import islice

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page.embedded.rdfa import MAX_LISTED, copied, rdfa
from tests.page.embedded.graphs import PAGE, canonical, read, tree, turtle


def test_a_person_with_a_friend() -> None:
    page = """
    <div vocab="http://xmlns.com/foaf/0.1/" typeof="Person">
      <p>I am <span property="name">Ann Lee</span>,
        see <a property="homepage" href="http://ann.test/">my page</a>
        or write to <a property="mbox" href="mailto:ann@ann.test">me</a>.</p>
      <ul><li property="knows" resource="#bob" typeof="Person">
        <a property="homepage" href="/bob"><span property="name">Bob</span></a></li></ul>
    </div>"""
    assert read(page) == turtle("""
        [] a foaf:Person ; foaf:name "Ann Lee" ; foaf:homepage <http://ann.test/> ;
           foaf:mbox <mailto:ann@ann.test> ; foaf:knows <#bob> .
        <#bob> a foaf:Person ; foaf:homepage </bob> ; foaf:name "Bob" .""")


def test_a_blog_with_entries_in_dublin_core() -> None:
    page = """
    <html lang="en"><head><title>Notes</title><link rel="cc:license" href="/cc"></head><body>
      <div about="/notes/1"><h2 property="dc:title">On lungs</h2>
        <h3 property="dc:creator" resource="#me">Ann</h3>
        <p><span property="dc:created" content="2011-09-10" datatype="xsd:date">Saturday</span></p>
      </div>
      <div about="/notes/2" lang="de"><h2 property="dc:title">Der Kehlkopf</h2></div>
    </body></html>"""
    assert read(page) == turtle("""
        <> cc:license </cc> .
        </notes/1> dc:title "On lungs"@en ; dc:creator <#me> ;
            dc:created "2011-09-10"^^xsd:date .
        </notes/2> dc:title "Der Kehlkopf"@de .""")


def test_a_trail_of_breadcrumbs() -> None:
    page = """
    <ol vocab="https://schema.org/" typeof="BreadcrumbList">
      <li property="itemListElement" typeof="ListItem">
        <a property="item" typeof="WebPage" href="/books"><span property="name">Books</span></a>
        <meta property="position" content="1"></li>
      <li property="itemListElement" typeof="ListItem">
        <span property="name">Lungs</span><meta property="position" content="2"></li>
    </ol>"""
    assert read(page) == turtle("""
        @prefix s: <https://schema.org/> .
        [] a s:BreadcrumbList ;
          s:itemListElement [ a s:ListItem ; s:item </books> ; s:position "1" ] ,
            [ a s:ListItem ; s:name "Lungs" ; s:position "2" ] .
        </books> a s:WebPage ; s:name "Books" .""")


def test_an_article_of_drupal() -> None:
    page = """
    <html xmlns:content="http://purl.org/rss/1.0/modules/content/"><body>
    <div about="/node/7" typeof="sioc:Item foaf:Document">
      <h2 property="dc:title" datatype=""><a href="/node/7">Lungs</a></h2>
      <span rel="sioc:has_creator">
        <a href="/user/1" xml:lang="" about="/user/1" typeof="sioc:UserAccount"
          property="foaf:name" datatype="">ann</a></span>
      <span property="dc:date dc:created" content="2011-01-02T03:04:05+00:00"
        datatype="xsd:dateTime">January</span>
      <div property="content:encoded">Air.</div>
      <div rel="dc:subject"><a href="/tags/breath" typeof="skos:Concept"
        property="skos:prefLabel" datatype="">breath</a></div>
    </div></body></html>"""
    assert read(page) == turtle("""
        </node/7> a sioc:Item, foaf:Document ; dc:title "Lungs" ;
          dc:date "2011-01-02T03:04:05+00:00"^^xsd:dateTime ;
          dc:created "2011-01-02T03:04:05+00:00"^^xsd:dateTime ;
          <http://purl.org/rss/1.0/modules/content/encoded> "Air." ;
          sioc:has_creator </user/1> ; dc:subject </tags/breath> .
        </user/1> a sioc:UserAccount ; foaf:name "ann" .
        </tags/breath> a skos:Concept ; skos:prefLabel "breath" .""")


def test_open_graph_is_about_the_page() -> None:
    page = """
    <html><head><meta property="og:title" content="Lungs">
      <meta property="og:image" content="http://a.test/i.png">
      <meta property="article:author" content="Ann"></head></html>"""
    assert read(page) == turtle("""
        <> og:title "Lungs" ; og:image "http://a.test/i.png" ;
           <http://ogp.me/ns/article#author> "Ann" .""")


def test_plain_html_says_nothing() -> None:
    page = """
    <html lang="en"><head><link rel="stylesheet" href="/s.css"><link rel="next" href="/2">
      <link rel="https://api.w.org/" href="/wp-json/"><meta name="author" content="Ann"></head>
    <body><a rel="nofollow noopener" href="/x"><img src="/i.png"></a>
      <time datetime="2012-01-01">then</time></body></html>"""
    assert read(page) == set()


def test_a_vocabulary_makes_no_statements_of_the_links_around() -> None:
    page = """
    <body vocab="http://schema.org/" typeof="WebPage">
      <a rel="nofollow" href="/x">x</a> <a rel="NEXT" href="/2">2</a>
      <a rel="author" href="/ann">Ann</a></body>"""
    assert read(page) == turtle("<> a schema:WebPage ; schema:author </ann> .")


def test_a_licence_is_said_without_any_vocabulary() -> None:
    page = '<a rel="license nofollow" href="http://cc.test/by">CC</a>'
    assert read(page) == turtle("<> xhv:license <http://cc.test/by> .")


def test_a_link_type_does_not_hide_where_a_link_leads() -> None:
    page = '<div about="#me" rel="foaf:knows"><a rel="nofollow" href="/bob">Bob</a></div>'
    assert read(page) == turtle("<#me> foaf:knows </bob> .")


def test_the_vocabulary_used_is_told() -> None:
    (said,) = rdfa(tree('<p vocab="http://schema.org/">x</p>'), PAGE, [])
    assert said.predicate.value == "http://www.w3.org/ns/rdfa#usesVocabulary"


def test_what_a_pattern_says_is_copied_and_chains_of_patterns_end() -> None:
    page = """<div about="#a" property="rdfa:copy" resource="_:p"></div>
        <div about="#b"><link property="rdfa:copy" resource="_:p"></div>
        <p resource="_:p" typeof="rdfa:Pattern"><b property="dc:title">t</b>
        <link property="rdfa:copy" resource="_:p"></p>
        <p resource="_:unused" typeof="rdfa:Pattern"></p>"""
    said = copied(list(rdfa(tree(page), PAGE, [])), 100)
    assert canonical(said) == turtle("""
        <#a> dc:title "t" . <#b> dc:title "t" . [] a <http://www.w3.org/ns/rdfa#Pattern> .""")


def test_statements_come_as_they_are_asked_for() -> None:
    page = tree('<p property="dc:title">t</p>' * 1_000)
    assert len(list(islice(rdfa(page, PAGE, []), 3))) == 3


def test_a_base_that_is_none_leaves_the_rest() -> None:
    page = '<p property="dc:title">t</p><p about="http://b.test/" property="dc:title">u</p>'
    assert read(page, base="no base") == turtle("""
        [] dc:title "t" . <http://b.test/> dc:title "u" .""")


NESTED = 1_900


@pytest.mark.parametrize("inside", ["word <b>word</b> ", "<b></b>"])
def test_nested_properties_do_not_read_the_same_text_for_ever(inside: str) -> None:
    page = '<i property="dc:title">' * NESTED + inside * 20_000
    assert len(list(rdfa(tree(page), PAGE, []))) < NESTED


def test_nested_prefixes_cost_what_they_declare() -> None:
    page = "".join(f'<i prefix="p{n}: http://p.test/{n}#">' for n in range(NESTED))
    page += '<b property="p0:a p1899:b">x</b>'
    assert read(page) == turtle("""
        <> <http://p.test/0#a> "x" ; <http://p.test/1899#b> "x" .""")


def test_an_attribute_of_very_many_words_is_read_in_part() -> None:
    words = " ".join(f"dc:p{n}" for n in range(100_000))
    page = f'<p property="{words}" content="{"x" * 100_000}"></p>'
    assert 0 < len(list(rdfa(tree(page), PAGE, []))) < 100


@pytest.mark.parametrize(
    ("page", "number"),
    [
        ("<p property='dc:title' resource='http://['>x</p>", 1),
        ("<p about='[nobody:x]' property='dc:title'>x</p>", 1),
        (f"<p property='dc:{'x' * 5_000} og:{'x' * 5_000}'>x</p>", 2),
        ("<p typeof='http://['></p>" * 3, 3),
        (f"<p property='{'a:b ' * 33}'>x</p>", 1),
        (f"<p vocab='http://v.test/' property='{'a' * 5_000}'>x</p>", 1),
        (f"<p {' '.join(f'a{n}' for n in range(300))} property='a:b'>x</p>", 1),
        ("<p about='#a' inlist rel='a:b'>" + "<b about='#c'></b>" * (MAX_LISTED + 3), 1),
    ],
)
def test_what_cannot_be_read_is_counted(page: str, number: int) -> None:
    problems: list[str] = []
    list(rdfa(tree(page), PAGE, problems))
    values = "value" if number == 1 else "values"
    assert problems == [f"{number} {values} of its RDFa could not be read."]


@pytest.mark.parametrize(
    "page",
    [
        "<a href='http://['><b>x</b></a><p property='dc:title'>x</p>",
        "<a rel='lightbox[a] nofollow' href='/x'>x</a><p property='title'>x</p>",
        "<p property='dc:title' datatype=''>x</p><p about='[]' property='dc:title'>x</p>",
    ],
)
def test_what_is_not_meant_as_rdfa_is_not_counted(page: str) -> None:
    problems: list[str] = []
    list(rdfa(tree(page), PAGE, problems))
    assert problems == []


def test_texts_behind_the_budget_are_counted() -> None:
    problems: list[str] = []
    page = '<i property="dc:title">' * NESTED + "word <b>word</b> " * 20_000
    read = len(list(rdfa(tree(page), PAGE, problems)))
    assert problems == [f"{NESTED - read:,} values of its RDFa could not be read."]


def test_a_vocabulary_longer_than_any_url_is_none() -> None:
    assert read(f'<p vocab="http://v.test/{"v" * 5_000}" property="a">x</p>') == set()


ATTRIBUTES = [
    "about", "content", "datatype", "datetime", "href", "inlist", "lang", "prefix", "property",
    "rel", "resource", "rev", "src", "typeof", "vocab", "xml:lang", "xmlns:x",
]  # fmt: skip
WORDS = [
    "", "a", "dc:a", "_:a", "_:", "[dc:a]", "[", "[]", ":", ":a", "x:y", "#f", "//", "http://[",
    "http://o.test/", "rdf:XMLLiteral", "rdf:HTML", "xsd:date", "2012-01-01", "x: http://x.test/",
    "de", "a\u0301", "\x01", "%", "\ud800", "rdf:langString",
]  # fmt: skip
ATTRIBUTE = st.builds(
    '{}="{}"'.format, st.sampled_from(ATTRIBUTES), st.lists(st.sampled_from(WORDS), max_size=3).map(" ".join)
)
TAG = st.builds(
    lambda name, attributes: f"<{name} {' '.join(attributes)}>",
    st.sampled_from(["div", "span", "a", "time", "img", "meta", "body", "p"]),
    st.lists(ATTRIBUTE, max_size=4),
)
CLOSE = st.sampled_from(["</div>", "</span>", "</a>", "</time>", "text", "</p>", "</body>"])


@given(st.lists(TAG | CLOSE, min_size=1, max_size=12).map("".join), st.sampled_from(WORDS))
def test_no_markup_is_too_odd(markup: str, base: str) -> None:
    root = tree(f"<html>{markup}")
    for where in (PAGE, base):
        for triple in rdfa(root, where, []):
            assert isinstance(triple, ox.Triple)
            assert isinstance(triple.predicate, ox.NamedNode)


@given(st.text(min_size=1))
def test_no_attribute_value_is_too_odd(text: str) -> None:
    root = tree("<p>x<b>y</b></p>")
    for element in root.iter("p", "b"):
        for name in ATTRIBUTES:
            if name != "xmlns:x":
                try:
                    element.set(name.replace("xml:lang", "lang"), text)
                except ValueError:  # what no tree can hold
                    return
    list(rdfa(root, PAGE, []))
