from __future__ import annotations

import pytest

from semcrawl.rdf_syntax import MalformedXmlError, UnsafeXmlError, is_xml, root_element, without_declaration

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
        ("<r>&unknown;</r>", "undefined entity, line 1"),
        ("<r>\n<a>\n</r>", "mismatched tag, line 3"),
        ("<r>", "no element found"),
        ("", "no element found"),
        ("<x:r/>", "unbound prefix"),
        ("<r>\ud800</r>", "surrogates not allowed"),
    ],
)
def test_what_may_harm_or_cannot_be_read_is_refused(text: str, message: str) -> None:
    with pytest.raises((MalformedXmlError, UnsafeXmlError), match=message):
        root_element(text, 100_000)


def test_short_names_of_namespaces_are_what_entities_are_for() -> None:
    text = '<!DOCTYPE r [<!ENTITY o "http://example.org/">]><r xmlns="&o;" a="&o;b"/>'
    assert root_element(text, 1_000) == "http://example.org/r"


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
