from __future__ import annotations

from contextlib import suppress

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import TopicError
from semcrawl.topics.class_expressions import (
    And,
    Expression,
    Named,
    Not,
    OneOf,
    Or,
    Restriction,
    parse_expression,
    turtle,
)

A, B, C = Named("A"), Named("B"), Named("C")
WORDS = ("and", "or", "not", "some", "only", "value", "min", "2", "(", ")", "{", "}", ",", "A", "p")


@pytest.mark.parametrize(
    ("text", "expression"),
    [
        ("A", A),
        ("(A)", A),
        ("A and B or C", Or((And((A, B)), C))),
        ("A and (B or C)", And((A, Or((B, C))))),
        ("not A and B", And((Not(A), B))),
        ("p some A", Restriction("some", "p", A)),
        ("p SOME A AND B", And((Restriction("some", "p", A), B))),
        ("p only (A or B)", Restriction("only", "p", Or((A, B)))),
        ("p some q some A", Restriction("some", "p", Restriction("some", "q", A))),
        ("p some (q some A)", Restriction("some", "p", Restriction("some", "q", A))),
        ("p value A", Restriction("value", "p", A)),
        ("p min 2", Restriction("min", "p", None, 2)),
        ("p min 2 and A", And((Restriction("min", "p", None, 2), A))),
        ("p exactly 1 A", Restriction("exactly", "p", A, 1)),
        ("A that p max 3 B", And((A, Restriction("max", "p", B, 3)))),
        ("{A, B}", OneOf(("A", "B"))),
        ("'red wine' and \"x y\"", And((Named("red wine"), Named("x y")))),
        ("<http://a.test/#A>", Named("<http://a.test/#A>")),
    ],
)
def test_expressions(text: str, expression: Expression) -> None:
    assert parse_expression(text, str, str) == expression


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a class is missing before 'its end'"),
        ("A and", "a class is missing"),
        ("(A", r"'\)' is missing"),
        ("A B", "'B' is not expected"),
        ("A)", "is not expected"),
        ("p some", "a class is missing"),
        ("p min A", "min is followed by no number"),
        ("p min", "min is followed by no number"),
        ("p value and", "an individual is missing"),
        ("{A", "'}' is missing"),
        ("'A", "cannot be read from"),
        ("(" * 60 + "A" + ")" * 60, "nested too deep"),
        ("not " * 60 + "A", "nested too deep"),
        ("A and " * 999 + "A", "too long"),
    ],
)
def test_what_is_no_expression_is_refused(text: str, message: str) -> None:
    with pytest.raises(TopicError, match=message):
        parse_expression(text, str, str)


@given(st.lists(st.sampled_from(WORDS), max_size=20).map(" ".join) | st.text(max_size=30))
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    with suppress(TopicError):
        parse_expression(text, str, str)


@pytest.mark.parametrize(
    ("text", "triples"),
    [
        ("A", 0),
        ("p some A", 3),
        ("p min 2 A", 4),
        ("A and B", 6),
        ("not A", 2),
        ("{A}", 4),
        ("p only (A or not B)", 11),
    ],
)
def test_an_expression_is_described_in_triples(text: str, triples: int) -> None:
    iri = "http://a.test/{}".format
    node = turtle(parse_expression(text, iri, iri))
    found = list(ox.parse(f"<http://a.test/> a {node} .", format=ox.RdfFormat.TURTLE))
    assert len(found) == triples + 1
