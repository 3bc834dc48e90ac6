from __future__ import annotations

import pyoxigraph as ox
import pytest

from semcrawl.rdf_syntax import (
    RDF,
    MalformedXmlError,
    UnsafeSyntaxError,
    check_json_ld,
    check_terms,
    is_xml,
    rdf_format,
    root_element,
    without_declaration,
)

BOMB = "".join(f'<!ENTITY a{n} "{f"&a{n - 1};" * 10}">' for n in range(1, 10))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f'<!DOCTYPE r [<!ENTITY a0 "lol">{BOMB}]><r>&a9;</r>', "made of other entities"),
        ('<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>', "external"),
        ('<!DOCTYPE r [<!ENTITY x PUBLIC "p" "http://a.test/">]><r>&x;</r>', "external"),
        ('<!DOCTYPE r [<!ENTITY % x "y">]><r/>', "parameter entity"),
        ('<!DOCTYPE r [<!ENTITY x "&#38;x;">]><r>&x;</r>', "made of other entities"),
        (f'<!DOCTYPE r [<!ENTITY x "{"y" * 900}">]><r>{"&x;" * 900}</r>', "larger than 100,000"),
        ('<!DOCTYPE r [<!-- <!ENTITY x "y"> -->]><r/>', "<!ENTITY outside"),
        ('<r><![CDATA[<!ENTITY x "y">]]></r>', "<!ENTITY outside"),
        (f"{'<a>' * 1001}{'</a>' * 1001}", "nested more than 1,000 deep"),
        (f'<r xml:base="http://a.test/{"x" * 2_048}"/>', "bases have more than 2,048"),
        ("<a xml:base='xyz/'>" * 999 + "</a>" * 999, "bases have more than 2,048"),
        (f"<r xmlns='{'x' * 2_000}' xmlns:r='{RDF}' r:parseType='Literal'>{'<b/>' * 25_000}</r>", "repeats its namesp"),
        ("<r>&unknown;</r>", "undefined entity, line 1"),
        ("<r>\n<a>\n</r>", "mismatched tag, line 3"),
        ("<r>", "no element found"),
        ("", "no element found"),
        ("<x:r/>", "unbound prefix"),
        ("<r>\ud800</r>", "surrogates not allowed"),
    ],
)
def test_what_may_harm_or_cannot_be_read_is_refused(text: str, message: str) -> None:
    with pytest.raises((MalformedXmlError, UnsafeSyntaxError), match=message):
        root_element(text, 100_000)


def test_short_names_of_namespaces_are_what_entities_are_for() -> None:
    text = '<!DOCTYPE r [<!ENTITY o "http://example.org/">]><r xmlns="&o;" a="&o;b"/>'
    assert root_element(text, 1_000) == "http://example.org/r"


def test_many_entities_of_a_long_text_are_looked_at_once() -> None:
    # Ten minutes if the text were looked through for each.
    entities = "".join(f'<!ENTITY e{number} "a">' for number in range(100_000))
    assert root_element(f"<!DOCTYPE r [{entities}]><r>{' ' * 10_000_000}</r>", 20_000_000) == "r"


LONG = f"<http://a.test/{'x' * 100_000}/>"


@pytest.mark.parametrize(
    "text",
    [
        "<urn:a> <urn:b> " + "<<( <urn:a> <urn:b> " * 2_000 + "<urn:c>" + " )>>" * 2_000 + " .",
        "@base <a/> .\n" * 5_000,
        f"@base {LONG} .\n" + "@prefix a: <b> .\n" * 1_000,
        f"@base # > <\n# here\n{LONG} .\n" + "PREFIX a: <b>\n" * 1_000,
        f"@base {LONG} .\n" + "BASE # no\n <a>\n" * 1_000,
    ],
    ids=["triple terms", "bases", "prefixes", "a comment before a base", "comments before bases"],
)
def test_terms_that_a_parser_would_not_survive_are_refused(text: str) -> None:
    with pytest.raises(UnsafeSyntaxError):
        check_terms(text)


CHAIN = ",".join(f'"t{n}": "t{n + 1}:x"' for n in range(5_000))
VALUES = ",".join(f'"{n}"' for n in range(2_000))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a":' * 200 + "1" + "}" * 200, "nested more than 100 deep"),
        ("[" * 100_000, "nested more than 100 deep"),
        (f'{{"@context": {{{CHAIN}}}, "@id": "t0:a"}}', "5,000 terms"),
        (f'{{"@context": {{{CHAIN}}}, "@context": {{}}}}', "5,000 terms"),
        (f'{{"@context": [{{{CHAIN}}}]}}', "5,000 terms"),
        (f'{{"@id": "http://a.test/{"x" * 300_000}", "a:b": [{VALUES}]}}', "identifier of 300,016 characters"),
        ('{"a": "b"', "it is not in JSON-LD"),
    ],
)
def test_json_ld_that_a_parser_would_not_survive_is_refused(text: str, message: str) -> None:
    with pytest.raises(UnsafeSyntaxError, match=message):
        check_json_ld(text)


def test_long_texts_and_many_numbers_of_json_ld_are_read() -> None:
    numbers = ",".join(map(str, range(50_000)))
    check_json_ld(f'{{"@context": {{"a": "urn:a"}}, "a": [{numbers}], "b": "{"[{ a" * 100_000} \\" ]"}}')


def test_a_base_and_prefixes_as_documents_have_them_are_read() -> None:
    prefixes = "".join(f"@prefix p{number}: <http://a.test/{number}#> .\n" for number in range(500))
    check_terms(f"@base <http://a.test/> .\n{prefixes}<a> p1:b 'data base # 3 < 4', <<( <a> <b> <c> )>> .")


def test_bases_and_literals_of_xml_are_read_one_after_the_other() -> None:
    one = f"<b xml:base='http://a.test/{'x' * 100}'><c r:parseType='Literal'><i/></c></b><b r:parseType='Resource'/>"
    assert root_element(f"<a xmlns:r='{RDF}'>{one * 200}</a>", 100_000) == "a"


def test_turtle_of_one_long_line_is_no_n_quads() -> None:
    text = f"@prefix a: <http://a.test/> . a:b a:c {', '.join(map(str, range(20_000)))} ."
    assert rdf_format(text) == ox.RdfFormat.TURTLE


def test_the_declaration_is_taken_off() -> None:
    assert without_declaration(' <?xml version="1.0" encoding="latin-1"?><r/>') == "<r/>"
    assert without_declaration("<r/>") == "<r/>"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<rdf:RDF\n  xmlns:rdf="x">', True),
        ("<Ontology>", True),
        ("<r/>", True),
        ("<urn:a> <http://a.test/b> 'c' .", False),
        ("<urn:a>\n  <http://a.test/b> 'c' .", False),
        ("<a> a <http://a.test/b> .", False),
    ],
)
def test_an_iri_at_the_beginning_is_no_element(text: str, expected: bool) -> None:
    assert is_xml(text) is expected
