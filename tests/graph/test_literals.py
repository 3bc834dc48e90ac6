from __future__ import annotations

from decimal import Decimal

import pyoxigraph as ox
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import QueryError
from semcrawl.graph.vocabulary import decimal, iri, string, to_term


def read_back(term: str) -> ox.Literal:
    rows = ox.Store().query(f"SELECT ?x WHERE {{ VALUES ?x {{ {term} }} }}")
    assert isinstance(rows, ox.QuerySolutions)
    [row] = list(rows)
    assert isinstance(row["x"], ox.Literal)
    return row["x"]


@given(st.text())
def test_any_text_survives_as_a_literal(text: str) -> None:
    expected = text.replace("\0", "\ufffd")
    assert read_back(string(text)).value == expected


def test_a_lone_surrogate_becomes_the_replacement_character() -> None:
    assert read_back(string("a\ud800b")).value == "a\ufffdb"


def test_a_text_cannot_break_out_of_its_quotes() -> None:
    assert read_back(string('x" . <http://evil/> <p> "')).value == 'x" . <http://evil/> <p> "'


@given(st.floats(min_value=-1000, max_value=1000))
def test_decimals_keep_six_places(value: float) -> None:
    assert float(read_back(decimal(value)).value) == pytest.approx(value, abs=5e-7)


@pytest.mark.parametrize("bad", ["http://a/ b", "http://a/<", 'http://a/"', "relative", "", "a\nb:c"])
def test_what_is_no_iri_is_refused(bad: str) -> None:
    with pytest.raises(QueryError, match="is no IRI"):
        iri(bad)


@pytest.mark.parametrize(
    ("value", "expected"), [(True, "true"), (3, "3"), (0.5, "0.5"), (1e-7, "0.0000001"), (Decimal(2), "2"), ("x", "x")]
)
def test_python_values_become_terms(value: object, expected: str) -> None:
    assert read_back(to_term(value)).value == expected


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), object(), None])
def test_what_no_query_can_take_is_refused(bad: object) -> None:
    with pytest.raises(QueryError):
        to_term(bad)
