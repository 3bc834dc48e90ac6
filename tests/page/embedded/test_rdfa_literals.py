"""The literals that RDFa makes: their text, their language, their datatype."""

from __future__ import annotations

import pytest

from semcrawl.page.embedded.rdf_terms import time_datatype
from semcrawl.page.embedded.rdfa import Literals
from tests.page.embedded.graphs import read, tree, turtle

LITERALS = {
    "the text of all elements inside, blanks and all": (
        '<p property="dc:title"> a <b>b<i></i></b>\n c</p>tail',
        r'" a b\n c"',
    ),
    "content comes before text": ('<p property="dc:title" content="c">t</p>', '"c"'),
    "an empty content counts": ('<p property="dc:title" content="">t</p>', '""'),
    "the nearest language": ('<p lang="de"><b property="dc:title" lang="fr">t</b></p>', '"t"@fr'),
    "xml:lang comes before lang": ('<p property="dc:title" lang="de" xml:lang="fr">t</p>', '"t"@fr'),
    "an empty language is none": ('<p lang="de"><b property="dc:title" lang="">t</b></p>', '"t"'),
    "a language that is none": ('<p property="dc:title" lang="not a tag">t</p>', '"t"'),
    "a datatype, and then no language": ('<p property="dc:title" datatype="xsd:integer" lang="de">7</p>', "7"),
    "an empty datatype leaves the language": ('<p property="dc:title" datatype="" lang="de">t</p>', '"t"@de'),
    "a datatype that means nothing": ('<p property="dc:title" datatype="[no:d]">t</p>', '"t"'),
    "a datatype that only a language makes": ('<p property="dc:title" datatype="rdf:langString">t</p>', '"t"'),
    "markup as HTML": (
        '<p property="dc:title" datatype="rdf:HTML">a &lt; <br><b></b> c</p>',
        '"a &lt; <br><b></b> c"^^rdf:HTML',
    ),
    "markup as XML": (
        '<p property="dc:title" datatype="rdf:XMLLiteral">a &lt; <br><b></b> c</p>',
        '"a &lt; <br/><b/> c"^^rdf:XMLLiteral',
    ),
    "content before markup": ('<p property="dc:title" datatype="rdf:HTML" content="c">t</p>', '"c"^^rdf:HTML'),
    "datetime by its form": ('<b property="dc:title" datetime="2012-03-18">then</b>', '"2012-03-18"^^xsd:date'),
    "datetime of no form, with the language": (
        '<b property="dc:title" datetime="noon" lang="en">then</b>',
        '"noon"@en',
    ),
    "content before datetime": ('<b property="dc:title" content="c" datetime="2012-03-18">then</b>', '"c"'),
    "a datatype beside datetime": (
        '<b property="dc:title" datatype="xsd:gYear" datetime="2012">then</b>',
        '"2012"^^xsd:gYear',
    ),
    "the text of time": ('<time property="dc:title">2012-03</time>', '"2012-03"^^xsd:gYearMonth'),
    "blanks around a time": ('<time property="dc:title"> 2012-03</time>', '" 2012-03"'),
    "the words of time": ('<time property="dc:title">this spring</time>', '"this spring"'),
}


@pytest.mark.parametrize(("markup", "expected"), LITERALS.values(), ids=LITERALS)
def test_the_value_of_a_property(markup: str, expected: str) -> None:
    assert read(markup) == turtle(f"<> dc:title {expected} .")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("2012-03-18", "date"),
        ("2012-03-18Z", "date"),
        ("2012-03-18T00:00:00", "dateTime"),
        ("2012-03-18T23:59:59.5-05:00", "dateTime"),
        ("00:00:00", "time"),
        ("12:30:00+02:00", "time"),
        ("2012", "gYear"),
        ("-0044", "gYear"),
        ("2012-03", "gYearMonth"),
        ("P2Y6M5DT12H35M30S", "duration"),
        ("PT5H", "duration"),
        ("-P1D", "duration"),
    ],
)
def test_a_date_or_time_is_known_by_its_form(text: str, name: str) -> None:
    datatype = time_datatype(text)
    assert datatype is not None
    assert datatype.value == f"http://www.w3.org/2001/XMLSchema#{name}"


@pytest.mark.parametrize(
    "text", ["", "P", "PT", "P1DT", "12", "2012-13", "2012-03-32", "24:00", "2012-03-18T00:00", "٢٠١٢"]
)
def test_what_xsd_does_not_allow_is_text(text: str) -> None:
    assert time_datatype(text) is None


def test_behind_its_budget_there_are_no_more_literals() -> None:
    page = tree("<p>four<b>four</b></p>")
    literals = Literals(budget=100)
    assert literals.make(page, None, None) is not None
    assert literals.make(page, None, None) is None
