from __future__ import annotations

import pyoxigraph as ox
import pytest

from semcrawl.page.embedded.microdata import MAX_TEXT, TEXT_BUDGET, UnreadableValueError, text_of, value_of
from semcrawl.page.embedded.rdf_terms import MAX_IRI, TextBudget
from tests.page.embedded.graphs import PAGE, tree

XSD = "http://www.w3.org/2001/XMLSchema#"


def value(element: str) -> ox.NamedNode | ox.Literal | None:
    inner = next(tree(f"<body><div>{element}</div>").iter("div"))[0]
    return value_of(inner, PAGE, "en", TextBudget(TEXT_BUDGET))


@pytest.mark.parametrize(
    "element",
    [
        "<a href=/x>y</a>",
        "<area href=/x>",
        "<link href=/x>",
        "<img src=/x>",
        "<audio src=/x></audio>",
        "<video src=' /x '></video>",
        "<iframe src=/x></iframe>",
        "<embed src=/x>",
        "<source src=/x>",
        "<track src=/x>",
        "<object data=/x></object>",
        "<a href=/x content=y></a>",
    ],
)
def test_elements_with_addresses_are_iris(element: str) -> None:
    assert value(element) == ox.NamedNode("http://a.test/x")


@pytest.mark.parametrize("element", ["<a>y</a>", "<img>", "<meta>", "<data>1</data>"])
def test_elements_without_their_value_have_none(element: str) -> None:
    assert value(element) is None


@pytest.mark.parametrize(
    "element", ["<a href='http://['>y</a>", f"<img src='data:,{'x' * MAX_IRI}'>", f"<p>{'x' * (MAX_TEXT + 1)}</p>"]
)
def test_a_value_that_cannot_be_read_is_told_from_none(element: str) -> None:
    with pytest.raises(UnreadableValueError):
        value(element)


def test_behind_its_budget_there_are_no_more_texts() -> None:
    element = tree("<p>four<b>four</b></p>")
    budget = TextBudget(10)
    assert text_of(element, budget) == "fourfour"
    with pytest.raises(UnreadableValueError):
        text_of(element, budget)


@pytest.mark.parametrize(
    ("element", "text"),
    [
        ("<b>x</b>", "x"),
        ("<p> a\n <i>b</i>\tc </p>", " a\n b\tc "),
        ("<p>a<script>b</script>c<style>d</style>e</p>", "ace"),
        ("<p></p>", ""),
        ("<b content=y>x</b>", "y"),
        ("<b content=''>x</b>", ""),
        ("<meta content=y>", "y"),
        ("<a content=y>x</a>", "y"),
        ("<time content='x'>y</time>", "x"),
        ("<b datetime=2020-01-01 href=/x value=1>x</b>", "x"),
    ],
)
def test_other_elements_have_their_text_in_their_language(element: str, text: str) -> None:
    assert value(element) == ox.Literal(text, language="en")


@pytest.mark.parametrize(
    ("written", "datatype"),
    [
        ("2024-02-05", "date"),
        ("2024-02-05+01:00", "date"),
        ("18:30:00", "time"),
        ("2024-02-05T18:30:00", "dateTime"),
        ("2024-02-05T18:30:00.5Z", "dateTime"),
        ("2024-02-05T18:30:00-05:00", "dateTime"),
        ("2024-02", "gYearMonth"),
        ("2024", "gYear"),
        ("PT1H30M", "duration"),
        ("P1DT0.5S", "duration"),
    ],
)
def test_times_are_typed_by_how_they_are_written(written: str, datatype: str) -> None:
    typed = ox.Literal(written, datatype=ox.NamedNode(XSD + datatype))
    assert value(f"<time datetime='{written}'>x</time>") == typed
    assert value(f"<time> {written} </time>") == typed


@pytest.mark.parametrize(
    "written",
    [
        "2024-13-05",
        "2024-02-05T18:30",  # XML Schema wants seconds
        "2024-02-05 18:30:00",
        "18:30",
        "24",
        "P",
        "PT",
        "P1W",
        "Monday",
        "٢٠٢٤",
    ],
)
def test_other_times_are_text(written: str) -> None:
    element = f"<time datetime='{written}'>x</time>"
    assert value(element) == ox.Literal(written, language="en")


@pytest.mark.parametrize(
    ("written", "datatype"),
    [
        ("35", "integer"),
        ("-35", "integer"),
        ("4.5", "double"),
        (".5", "double"),
        ("1e3", "double"),
        ("+35", "string"),
        ("1,000", "string"),
        ("", "string"),
    ],
)
@pytest.mark.parametrize("tag", ["data", "meter"])
def test_data_and_meters_are_numbers_where_they_are_written_as_such(tag: str, written: str, datatype: str) -> None:
    expected = ox.Literal(written, datatype=ox.NamedNode(XSD + datatype))
    assert value(f"<{tag} value='{written}'>x</{tag}>") == expected
