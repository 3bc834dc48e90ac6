"""RDF documents, read as pages."""

from __future__ import annotations

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import PageError
from semcrawl.page import Page, read_page
from semcrawl.page.rdf_document import MAX_TRIPLES, DataReading, local_words, wanted
from semcrawl.rdf_syntax import RDF
from semcrawl.web.response import Response

URL = "http://a.test/doc/asthma"
FOLLOW = DataReading("follow")
SKOS = "http://www.w3.org/2004/02/skos/core#"
TURTLE = f"""
@prefix : <http://a.test/id/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <{SKOS}> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
@prefix dcterms: <http://purl.org/dc/terms/> .
<> foaf:primaryTopic :asthma ; dcterms:license <http://licences.test/by> .
:asthma a :Disease ;
    rdfs:label "Asthme"@fr, "Asthma"@en ;
    rdfs:comment "A disease of the airways."@en, "Maladie des bronches"@fr ;
    skos:narrower :AllergicAsthma ;
    foaf:page <http://b.test/asthma.html> ;
    rdfs:seeAlso <#more>, <mailto:me@a.test> ;
    :cases 42 .
:AllergicAsthma rdfs:label "allergic asthma"@en .
"""
RDF_XML = """<?xml version="1.0" encoding="ISO-8859-1"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
         xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
<rdf:Description rdf:about=""><rdfs:label>Bl\u00e4schen</rdfs:label>
<rdfs:seeAlso rdf:resource="/lung"/></rdf:Description></rdf:RDF>""".encode("latin-1")
JSON_LD = """{"@context": {"label": "http://www.w3.org/2000/01/rdf-schema#label",
 "seeAlso": {"@id": "http://www.w3.org/2000/01/rdf-schema#seeAlso", "@type": "@id"}},
 "@id": "", "label": "Lung", "seeAlso": "/lung"}"""
N_TRIPLES = (
    f'<{URL}> <http://www.w3.org/2000/01/rdf-schema#label> "Lung" .\n'
    f"<{URL}> <http://www.w3.org/2000/01/rdf-schema#seeAlso> <http://a.test/lung> .\n"
)


def read(
    body: str | bytes,
    kind: str = "text/turtle",
    *,
    languages: tuple[str, ...] = ("en",),
    truncated: bool = False,
    data: DataReading = FOLLOW,
) -> Page:
    content = body if isinstance(body, bytes) else body.encode()
    response = Response(URL, 200, {"content-type": kind}, content, 0, 0, truncated=truncated)
    return read_page(response, languages=languages, data=data)


def test_title_and_text_are_made_of_labels_and_texts_in_the_topics_language() -> None:
    page = read(TURTLE)
    assert (page.title, page.language) == ("Asthma", "en")
    assert "A disease of the airways." in page.text
    assert "allergic asthma" in page.text
    assert "bronches" not in page.text
    french = read(TURTLE, languages=("fr",))
    assert (french.title, french.language) == ("Asthme", "fr")
    assert "Maladie des bronches" in french.text


def test_objects_are_links_with_their_names_as_anchors_and_their_properties_as_relations() -> None:
    page = read(TURTLE)
    narrower = next(link for link in page.links if link.rel == (f"{SKOS}narrower",))
    assert (narrower.url, narrower.anchor) == ("http://a.test/id/AllergicAsthma", "allergic asthma")
    assert "A disease of the airways." in page.context(narrower)
    assert page.leaves[narrower.first_leaf] == "allergic asthma"
    # Hashes lead to the document itself; licences, classes and addresses of people to none.
    assert {link.url for link in page.links} == {
        "http://a.test/id/asthma",
        "http://a.test/id/AllergicAsthma",
        "http://b.test/asthma.html",
    }


@pytest.mark.parametrize(
    ("place", "target"),
    [
        ("subjects", "http://a.test/id/asthma"),
        ("predicates", "http://a.test/id/cases"),
        ("classes", "http://a.test/id/Disease"),
    ],
)
def test_what_is_a_link_can_be_chosen(place: str, target: str) -> None:
    page = read(TURTLE, data=DataReading("follow", (place,)))  # type: ignore[arg-type]
    assert target in {link.url for link in page.links}


def test_dumps_are_followed_only_where_that_is_asked_for() -> None:
    text = "<> <http://rdfs.org/ns/void#dataDump> <http://a.test/all.nt> ."
    assert not read(text).links
    dumps = read(text, data=DataReading("follow", dumps=True)).links
    assert [link.url for link in dumps] == ["http://a.test/all.nt"]


def test_an_address_may_be_a_text() -> None:
    (link,) = read('<> <http://schema.org/url> "http://b.test/asthma" .').links
    assert (link.url, link.rel) == ("http://b.test/asthma", ("https://schema.org/url",))


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (RDF_XML, "application/rdf+xml"),
        (RDF_XML, "text/xml"),
        (RDF_XML, "text/html"),
        (JSON_LD, "application/ld+json"),
        (JSON_LD, "application/json"),
        (N_TRIPLES, "application/n-triples"),
        (N_TRIPLES, "text/plain"),
        (N_TRIPLES, "text/turtle"),
        (N_TRIPLES, ""),
        (f"GRAPH <http://g.test/> {{ {N_TRIPLES} }}", "application/trig"),
        (N_TRIPLES.replace(" .\n", " <http://g.test/> .\n"), "application/n-quads"),
        (JSON_LD, "text/turtle"),
    ],
)
def test_every_syntax_is_read_also_where_the_declared_type_is_wrong(body: str | bytes, kind: str) -> None:
    page = read(body, kind)
    assert page.title in {"Lung", "Bl\u00e4schen"}
    assert [link.url for link in page.links] == ["http://a.test/lung"]
    assert len(page.statements.triples) == 2


def test_html_stays_html_whatever_it_is_declared_to_be() -> None:
    html = "<!doctype html><title>Lungs</title><p>About lungs"
    assert read(html, "text/html").title == "Lungs"
    assert read(html, "text/turtle").title == "Lungs"


def test_what_was_cut_keeps_what_was_read_and_says_so() -> None:
    page = read(TURTLE[:-120], truncated=True)
    assert page.truncated
    assert page.title == "Asthma"
    assert page.statements.problems == ("It is larger than the limit: what is behind the limit is left out.",)
    xml = read(RDF_XML[:-40], "application/rdf+xml", truncated=True)
    assert xml.title == "Bl\u00e4schen"


def test_one_bad_statement_costs_itself_only() -> None:
    page = read(N_TRIPLES + "<http://a b/> <http://a.test/p> <x y> .\n" + N_TRIPLES)
    assert len(page.statements.triples) == 2
    assert "A statement could not be read" in page.statements.problems[0]


@pytest.mark.parametrize(
    ("body", "kind", "reason"),
    [
        ("# nothing\n", "text/turtle", "EmptyPage"),
        ("this is prose, not Turtle", "text/turtle", "Unreadable"),
        ('{"@context": "http://elsewhere.test/", "@id": ""}', "application/ld+json", "Unreadable"),
        (
            '<!DOCTYPE r [<!ENTITY a "b"><!ENTITY c "&a;&a;">]><rdf:RDF xmlns:rdf="RDF#"/>'.replace(
                "RDF#", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
            ),
            "application/rdf+xml",
            "Unreadable",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(body: str, kind: str, reason: str) -> None:
    with pytest.raises(PageError) as refused:
        read(body, kind)
    assert refused.value.reason == reason


def test_a_prefix_does_not_make_much_of_little() -> None:
    names = ", ".join(f"p:{n}" for n in range(MAX_TRIPLES))
    page = read(f"@prefix p: <http://a.test/{'x' * 2_000}/> . <> <#p> {names} .")
    assert 700 < len(page.statements.triples) < 750
    assert "the rest is left out" in page.statements.problems[-1]


def test_a_document_of_too_many_statements_is_cut() -> None:
    page = read("".join(f"<#{n}> <#p> {n} .\n" for n in range(MAX_TRIPLES + 5)))
    assert len(page.statements.triples) == MAX_TRIPLES
    assert "more than 20,000 statements" in page.statements.problems[0]


LONG = "x" * 100_000
XML = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:a="http://a.test/'


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (f"@prefix a: <http://a.test/{LONG}> .\n" + "a:a a:b a:c .\n" * 9_000, "text/turtle"),
        (f'@prefix a: <http://a.test/{LONG}> .\n<> <#b> "c"^^a:d .\n', "text/turtle"),
        (f"@base <{LONG}/> .\n" + "<a> <b> <c> .\n" * 9_000, "text/turtle"),
        (f'{XML}{LONG}">' + "<a:B/>" * 9_000 + "</rdf:RDF>", "application/rdf+xml"),
        (f'{XML}"><a:B ' + " ".join(f'a:c{n}="1"' for n in range(9_000)) + "/></rdf:RDF>",
         "application/rdf+xml"),
        (f'{XML}"><a:B ' + " ".join(f'xmlns:c{n}="c"' for n in range(9_000)) + "/></rdf:RDF>",
         "application/rdf+xml"),
    ],
)  # fmt: skip
def test_no_prefix_makes_a_document_larger_than_it_is(body: str, kind: str) -> None:
    with pytest.raises(PageError, match=r"too long are left out|more than 2,0"):
        read(body, kind)


def test_without_linked_data_nothing_but_html_is_a_page() -> None:
    for mode in ("off", "embedded"):
        with pytest.raises(PageError, match="is not an HTML page"):
            read(TURTLE, data=DataReading(mode))
    with pytest.raises(PageError) as refused:
        read("<title>Lungs</title>", "text/html", data=DataReading("only"))
    assert refused.value.reason == "NotRdf"


def test_pages_lead_to_their_data_by_elements_and_by_headers() -> None:
    html = (
        '<title>x</title><link rel="alternate" type="text/turtle" href="/x.ttl">'
        '<link rel="describedby meta" type="application/rdf+xml; charset=utf-8" href="/x.rdf">'
        '<link rel="alternate" type="application/pdf" href="/x.pdf"><p>text'
    )
    field = '</x.jsonld>; rel="alternate"; type="application/ld+json", </y>; rel="next"'
    headers = {"content-type": "text/html", "link": field}
    response = Response(URL, 200, headers, html.encode(), 0, 0)
    found = [link.url for link in read_page(response, data=DataReading("follow")).links]
    assert found == [f"http://a.test/x.{ending}" for ending in ("ttl", "rdf", "jsonld")]
    assert not read_page(response).links


def test_servers_are_asked_for_what_the_setting_says() -> None:
    assert "turtle" not in wanted(DataReading("embedded")).accept
    assert wanted(DataReading("follow")).accept.startswith("text/html,")
    assert wanted(DataReading("only")).accept.startswith("text/turtle,")
    assert "html" not in wanted(DataReading("only")).accept


@pytest.mark.parametrize(
    ("iri", "words"),
    [
        ("http://a.test/AllergicAsthma", "Allergic Asthma"),
        ("http://a.test/x#allergic_asthma", "allergic asthma"),
        ("http://a.test/caf%C3%A9/", "caf\u00e9"),
        ("http://a.test/", "a test"),
    ],
)
def test_the_end_of_an_iri_gives_words(iri: str, words: str) -> None:
    assert local_words(iri) == words


@given(st.text(max_size=300), st.sampled_from(["text/turtle", "application/ld+json", "text/xml"]))
def test_any_text_is_a_page_or_a_page_error(text: str, kind: str) -> None:
    try:
        page = read(text, kind)
    except PageError:
        return
    assert all(isinstance(one, ox.Triple) for one in page.statements.triples)


@pytest.mark.parametrize(
    "body",
    [
        "<a:a> <a:b> " + "<<( <a:a> <a:b> " * 40_000 + "<a:c>" + " )>>" * 40_000 + " .",
        f"<a:a> <a:b> <a:c> .\n@base <http://a.test/{'x' * 300_000}/> .\n" + "@prefix p: <y> .\n" * 30_000,
        "<a:a> <a:b> <a:c> .\n" + "@base <aaaa/> .\n" * 50_000,
    ],
    ids=["triple terms in one another", "prefixes from a long base", "growing bases"],
)
@pytest.mark.parametrize("kind", ["text/turtle", "application/n-triples", "application/trig", "text/n3"])
def test_a_document_that_a_parser_would_not_survive_is_unreadable(body: str, kind: str) -> None:
    with pytest.raises(PageError, match="It is not read: it has") as problem:
        read(body, kind)
    assert problem.value.reason == "Unreadable"
