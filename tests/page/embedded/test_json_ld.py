"""JSON-LD as people write it, and what the reader makes of it."""

from __future__ import annotations

import json
import re
from itertools import islice
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page.embedded.json_ld import MAX_BLOCKS, MAX_DEPTH, MAX_VALUES, json_ld
from tests.page.embedded.graphs import PAGE, canonical, tree, turtle


def script(text: str, kind: str = "application/ld+json") -> str:
    return f'<script type="{kind}">{text}</script>'


def read(*blocks: str) -> tuple[set[str], list[str]]:
    """The statements of a page with these blocks, and the problems that were told."""
    problems: list[str] = []
    triples = list(json_ld(tree("".join(map(script, blocks))), PAGE, problems))
    return canonical(triples), problems


def read_well(*blocks: str) -> set[str]:
    statements, problems = read(*blocks)
    assert problems == []
    return statements


def problem(block: str) -> str:
    statements, problems = read(block)
    assert not statements
    (only,) = problems
    return only


NAMED = '{"@context": "https://schema.org", "@type": "Thing", "name": "Ann"}'
UNREAD = ["1 value of its JSON-LD could not be read."]
ANN = turtle('[] a schema:Thing ; schema:name "Ann" .')


def test_a_news_article() -> None:
    block = """{
      "@context": "https://schema.org", "@type": "NewsArticle", "headline": "River floods town",
      "mainEntityOfPage": {"@type": "WebPage", "@id": "http://a.test/dir/page"},
      "image": ["http://a.test/flood.jpg", "/town.jpg"], "datePublished": "2024-02-05",
      "author": [{"@type": "Person", "name": "Ann Lee", "url": "/ann"}],
      "isAccessibleForFree": true, "wordCount": 420}"""
    assert read_well(block) == turtle("""
        [] a schema:NewsArticle ; schema:headline "River floods town" ;
           schema:mainEntityOfPage <http://a.test/dir/page> ;
           schema:image <http://a.test/flood.jpg>, </town.jpg> ;
           schema:datePublished "2024-02-05"^^schema:Date ;
           schema:author [ a schema:Person ; schema:name "Ann Lee" ; schema:url </ann> ] ;
           schema:isAccessibleForFree true ; schema:wordCount 420 .
        <http://a.test/dir/page> a schema:WebPage .""")


def test_a_graph_of_things_that_refer_to_one_another() -> None:
    block = """{"@context": "https://schema.org", "@graph": [
      {"@type": "WebSite", "@id": "/#site", "publisher": {"@id": "/#org"}},
      {"@type": "Organization", "@id": "/#org", "sameAs": ["https://x.test/o"]}]}"""
    assert read_well(block) == turtle("""
        </#site> a schema:WebSite ; schema:publisher </#org> .
        </#org> a schema:Organization ; schema:sameAs <https://x.test/o> .""")


def test_several_things_in_an_array_have_their_contexts_each() -> None:
    assert read_well(f'[{NAMED}, {{"@context": "http://schema.org", "name": "Bob"}}]') == turtle(
        '[] a schema:Thing ; schema:name "Ann" . [] schema:name "Bob" .'
    )


@pytest.mark.parametrize(
    ("bad", "told"),
    [
        ('{"@context": "http://x.test/"}', "names a context that is not known here: 'http://x.test/'"),
        ('{"@context": {"a": 5}, "@id": "#b"}', "is not JSON-LD"),
    ],
)
def test_a_thing_of_an_array_that_cannot_be_read_costs_only_itself(bad: str, told: str) -> None:
    other = '{"@context": {"b": "schema:b", "schema": "http://schema.org/"}, "b": 1}'
    statements, problems = read(f"[{bad}, {NAMED}, {bad}, {other}]")
    assert statements == turtle('[] a schema:Thing ; schema:name "Ann" . [] schema:b 1 .')
    (problem,) = problems
    assert problem.startswith(f"JSON-LD block 1 {told}")


def test_blank_nodes_with_names_are_one_thing_in_all_of_an_array() -> None:
    first = '{"@context": "https://schema.org", "@id": "_:a", "name": "x"}'
    second = '{"@context": {"@vocab": "http://schema.org/"}, "@id": "_:a", "title": "y"}'
    third = '{"@context": "http://x.test/"}'
    statements, _ = read(f"[{first}, {second}, {third}]")
    assert statements == turtle('[] schema:name "x" ; schema:title "y" .')


def test_graph_names_are_dropped_and_their_statements_kept() -> None:
    block = '{"@context": "https://schema.org", "@id": "#g", "@graph": [{"@id": "#a", "name": "x"}]}'
    assert read_well(block) == turtle('<#a> schema:name "x" .')


def test_blank_nodes_of_two_blocks_are_two_things() -> None:
    block = '{"@context": "https://schema.org", "@id": "_:a", "%s": "x"}'
    assert read_well(block % "name", block % "title") == turtle('[] schema:name "x" . [] schema:title "x" .')


def test_a_broken_block_costs_only_itself_and_is_told_by_its_number() -> None:
    statements, problems = read(NAMED, '{"a" 1}', NAMED.replace("Ann", "Bob"))
    assert statements == turtle("""
        [] a schema:Thing ; schema:name "Ann" . [] a schema:Thing ; schema:name "Bob" .""")
    assert problems == ["JSON-LD block 2 is not JSON: Expecting ':' delimiter (line 1, column 6)."]


@pytest.mark.parametrize("kind", ["application/ld+json", "Application/LD+JSON ", "application/ld+json; charset=utf-8"])
def test_the_type_is_compared_without_case_and_parameters(kind: str) -> None:
    assert canonical(json_ld(tree(script(NAMED, kind)), PAGE, [])) == ANN


@pytest.mark.parametrize("kind", ["application/json", "text/javascript", ""])
def test_other_scripts_are_not_read(kind: str) -> None:
    assert not list(json_ld(tree(script(NAMED, kind)), PAGE, []))


@pytest.mark.parametrize(
    "wrapper",
    [
        "<!-- %s -->",
        "<!--\n%s\n//-->",
        "<![CDATA[%s]]>",
        "//<![CDATA[\n%s\n//]]>",
        "/*<![CDATA[*/ %s /*]]>*/",
        "<!--//--><![CDATA[// ><!--\n%s\n//--><!]]>",
        "\ufeff%s",
        "%s;",
    ],
)
def test_what_hid_scripts_from_old_browsers_is_taken_off(wrapper: str) -> None:
    assert read_well(wrapper % NAMED) == ANN


@pytest.mark.parametrize(
    "block",
    [
        '{"@context": "https://schema.org", "@type": ["Thing", ], "name": "Ann",\n}',
        NAMED.replace('"', "&quot;"),
        NAMED.replace('"', "&#34;").replace("}", ",}"),
    ],
)
def test_trailing_commas_and_escaped_text_are_mended(block: str) -> None:
    assert read_well(block) == ANN


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("a\tb\nc", "a\tb\nc"),  # control characters, which JSON forbids
        (",]", ",]"),
        ("&amp;", "&amp;"),  # a block that is right is not unescaped
        ("]]> <!-- //", "]]> <!-- //"),
        ("\\ud800", "?"),
        ("\\u0041", "A"),
    ],
)
def test_text_within_strings_stays(written: str, meant: str) -> None:
    block = '{"@context": "https://schema.org", "@id": "#a", "name": "%s"}'
    assert read_well(block % written) == turtle(f"<#a> schema:name {json.dumps(meant)} .")


@pytest.mark.parametrize(
    ("number", "told"), [*((number, UNREAD) for number in ("NaN", "-Infinity", "1e999", "9" * 5000)), ("null", [])]
)
def test_numbers_that_are_none_leave_their_statement_out(number: str, told: list[str]) -> None:
    block = '{"@context": "https://schema.org", "@id": "#a", "price": %s, "name": "x"}'
    assert read(block % number) == (turtle('<#a> schema:name "x" .'), told)


def test_spaces_in_addresses_do_not_cost_their_statement() -> None:
    block = """{"@context": "https://schema.org", "@id": "http://a.test/a b",
        "image": " http://a.test/{x}.jpg\\n", "license": "http://a.test/50%[1]#a#b"}"""
    assert read_well(block) == turtle("""
        <http://a.test/a%20b> schema:image <http://a.test/%7Bx%7D.jpg> ;
            schema:license <http://a.test/50%25%5B1%5D#a%23b> .""")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("x y.png", "http://a.test/dir/x%20y.png"),
        ("my photo [1].jpg", "http://a.test/dir/my%20photo%20%5B1%5D.jpg"),
        ("16:9 photo", "http://a.test/dir/16:9%20photo"),
        ("?q=a b", "http://a.test/dir/page?q=a%20b"),
        ("dct:a b", "http://purl.org/dc/terms/a%20b"),
    ],
)
@pytest.mark.parametrize("context", ['"http://schema.org"', '["http://schema.org", {"b": "x:b"}]'])
def test_references_are_mended_where_values_are_iris(context: str, written: str, meant: str) -> None:
    block = '{"@context": %s, "@id": "#a", "image": "%s", "name": "%s"}'
    assert read_well(block % (context, written, written)) == turtle(
        f'<#a> schema:image <{meant}> ; schema:name "{written}" .'
    )


@pytest.mark.parametrize("odd", ["[]", "{}", '["@id"]', "1", "null"])
def test_a_context_of_odd_values_costs_its_block_at_most(odd: str) -> None:
    block = '{"@context": {"name": {"@id": %s, "@type": %s}}, "@id": "#a", "name": "x"}'
    assert read(block % (odd, odd))[0] == set()


def test_words_are_no_reference() -> None:
    block = '{"@context": "http://schema.org", "@id": "#a", "license": "%s", "name": "x"}'
    for words in ("All rights reserved.", "Creative Commons"):
        assert read(block % words) == (turtle('<#a> schema:name "x" .'), UNREAD)


def test_what_a_context_makes_text_is_not_mended_and_what_it_makes_iris_is() -> None:
    block = """{"@context": ["https://schema.org", {"image": "schema:image",
        "name": {"@id": "schema:name", "@type": "@id"}}],
        "@id": "#a", "image": "x y", "name": "x/y z", "title": {"@context": null, "id": "x y"}}"""
    assert read_well(block) == turtle('<#a> schema:image "x y" ; schema:name <x/y%20z> ; schema:title [] .')


def test_a_type_with_a_space_costs_nothing_else() -> None:
    assert read_well(NAMED.replace("Thing", "Odd Thing")) == turtle(
        '[] a <http://schema.org/Odd%20Thing> ; schema:name "Ann" .'
    )


def test_what_no_iri_comes_of_is_counted() -> None:
    block = """{"@context": "https://schema.org", "@id": "#a", "name": "x",
        "url": ["http://[", "http://a.test:x/"], "image": "http://]/"}"""
    statements, problems = read(block)
    assert statements == turtle('<#a> schema:name "x" .')
    assert problems == ["3 values of its JSON-LD could not be read."]


@pytest.mark.parametrize(
    ("tag", "text"), [("de_DE", '"x"@de-de'), (" en ", '"x"@en'), ("German, I think", '"x"'), ("", '"x"')]
)
def test_languages_are_mended_or_left_out(tag: str, text: str) -> None:
    in_context = {"@context": ["https://schema.org", {"@language": tag}], "name": "x"}
    term = {"@id": "schema:name", "@language": tag}
    in_term = {"@context": ["https://schema.org", {"name": term}], "name": "x"}
    value = {"@value": "x", "@language": tag}
    in_value = {"@context": "https://schema.org", "name": value}
    for block in (in_context, in_term, in_value):
        assert read_well(json.dumps(block)) == turtle(f"[] schema:name {text} .")


def test_a_flood_of_values_is_cut_before_the_engine_sees_it() -> None:
    block = {"@context": "https://schema.org", "name": list(range(MAX_VALUES)), "@id": "#a"}
    statements, problems = read(json.dumps(block), NAMED)
    assert 0 < len(statements) < MAX_VALUES
    assert all("#a>" in statement for statement in statements)
    assert problems == ["Its JSON-LD has more than 10,000 values: the rest is left out."]


def nested(levels: int) -> str:
    inner = '{"name": "x"}'
    for _ in range(levels - 2):
        inner = f'{{"a": {inner}}}'
    return f'{{"@context": "https://schema.org", "a": {inner}}}'


def test_nesting_is_bounded() -> None:
    assert len(read_well(nested(MAX_DEPTH))) == MAX_DEPTH
    told = f"JSON-LD block 1 nests more than {MAX_DEPTH} levels deep."
    assert problem(nested(MAX_DEPTH + 1)) == told
    assert problem("[" * 200_000 + "]" * 200_000) == told
    assert problem('{"@context":' * 5_000 + "{}" + "}" * 5_000) == told


@pytest.mark.parametrize(
    ("block", "told"),
    [
        ("", "is empty."),
        ("<!-- -->", "is empty."),
        ('"text"', "is neither an object nor an array."),
        ("{", "is not JSON: Expecting property name enclosed in double quotes (line 1, column 2)."),
        ('{"@context": "https://schema.org", "@id": 5}', "@id value must be a string."),
        ('{"@context": "http://x.test/c", "a": 1}', "names a context that is not known here: 'http://x.test/c'."),
    ],
)
def test_what_is_wrong_is_told_in_a_sentence(block: str, told: str) -> None:
    sentence = problem(block)
    assert sentence.startswith("JSON-LD block 1 ")
    assert sentence.endswith(told)


def test_long_identifiers_that_would_be_copied_into_many_statements_are_refused() -> None:
    node = {"@context": "https://schema.org", "@id": "http://a.test/" + "x" * 100_000}
    assert "too long identifiers" in problem(json.dumps(node | {"a": [1] * 5_000}))


def test_only_so_many_blocks_are_read() -> None:
    statements, problems = read(*["{}"] * MAX_BLOCKS, NAMED)
    assert not statements
    assert problems == [f"Only the first {MAX_BLOCKS} blocks of JSON-LD were read."]


def test_a_base_that_is_no_iri_does_no_harm() -> None:
    assert canonical(json_ld(tree(script(NAMED)), "no base", [])) == ANN


def test_statements_come_one_by_one() -> None:
    problems: list[str] = []
    page = tree(script(NAMED) + script("{"))
    assert len(list(islice(json_ld(page, PAGE, problems), 2))) == 2
    assert problems == []


KEYWORDS = """
    @context @id @type @value @language @list @set @graph @reverse @index @nest @included
    @container @vocab @base @import @none @json @prefix name url id https://schema.org
    http://x.test/ _:b a:b # en
"""
words = st.sampled_from(KEYWORDS.split())
documents = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | words,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(words | st.text(max_size=3), inner, max_size=4),
    max_leaves=20,
)


@given(documents)
def test_whatever_the_json_nothing_is_raised(document: Any) -> None:
    problems: list[str] = []
    text = json.dumps(document).replace("</", "<\\/")
    list(json_ld(tree(script(text)), PAGE, problems))
    assert all(re.fullmatch(r"[A-Z0-9].*\.", told, re.DOTALL) for told in problems)


@given(st.text(alphabet='{}[]",:\\/<!->&;* \n1a@\x00', max_size=40) | st.text(max_size=40), st.text())
def test_whatever_the_text_and_base_nothing_is_raised(text: str, base: str) -> None:
    root = tree("<script type=application/ld+json></script>")
    block = next(root.iter("script"))
    block.text = (
        "".join(char for char in text if char in "\t\n" or char >= " ")
        .encode("utf-8", "ignore")
        .decode()
        .replace("\ufffe", "")
        .replace("\uffff", "")
    )
    list(json_ld(root, base, []))


def test_the_direction_of_a_text_is_left_out_for_tools_of_rdf_1_1() -> None:
    value = {"@value": "v", "@language": "ar", "@direction": "rtl"}
    said = script(json.dumps({"@id": PAGE, "http://a.test/p": value}))
    (triple,) = json_ld(tree(said), PAGE, [])
    assert str(triple.object) == '"v"@ar'


def test_an_annotation() -> None:
    block = """{"@context": "http://www.w3.org/ns/anno.jsonld", "id": "#n", "type": "Annotation",
        "motivation": "commenting", "created": "2026-01-28T12:00:00Z",
        "body": {"type": "TextualBody", "value": "Well said."}, "target": "/page 1"}"""
    assert read_well(block) == turtle("""
        @prefix oa: <http://www.w3.org/ns/oa#> .
        <#n> a oa:Annotation ; oa:motivatedBy oa:commenting ; oa:hasTarget </page%201> ;
            <http://purl.org/dc/terms/created>
                "2026-01-28T12:00:00Z"^^<http://www.w3.org/2001/XMLSchema#dateTime> ;
            oa:hasBody [ a oa:TextualBody ;
                <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> "Well said." ] .
    """)


def test_a_person_of_the_social_web() -> None:
    block = """{"@context": ["https://www.w3.org/ns/activitystreams",
            "https://w3id.org/security/v1", {"toot": "http://joinmastodon.org/ns#"}],
        "id": "/users/ann", "type": "Person", "name": "Ann", "inbox": "/users/ann/inbox",
        "unheard": "of", "toot:featured": "yes", "summaryMap": {"fr": "Bonjour"},
        "publicKey": {"id": "#key", "publicKeyPem": "-----BEGIN"}}"""
    assert read_well(block) == turtle("""
        @prefix as: <https://www.w3.org/ns/activitystreams#> .
        </users/ann> a as:Person ; as:name "Ann" ; as:summary "Bonjour"@fr ;
            <http://www.w3.org/ns/ldp#inbox> </users/ann/inbox> ;
            <http://joinmastodon.org/ns#featured> "yes" ;
            <https://w3id.org/security#publicKey> <#key> .
        <#key> <https://w3id.org/security#publicKeyPem> "-----BEGIN" .
    """)


def test_the_metadata_of_a_crate() -> None:
    block = """{"@context": "https://w3id.org/ro/crate/1.1/context", "@graph": [
        {"@id": "ro-crate-metadata.json", "@type": "CreativeWork", "about": {"@id": "./"},
         "conformsTo": {"@id": "https://w3id.org/ro/crate/1.1"}},
        {"@id": "a.csv", "@type": "File", "encodingFormat": "text/csv"}]}"""
    assert read_well(block) == turtle("""
        <ro-crate-metadata.json> a schema:CreativeWork ; schema:about <./> ;
            <http://purl.org/dc/terms/conformsTo> <https://w3id.org/ro/crate/1.1> .
        <a.csv> a schema:MediaObject ; schema:encodingFormat "text/csv" .
    """)
