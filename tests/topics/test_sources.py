from __future__ import annotations

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics import wordnet
from semcrawl.topics.sources import concept_iri, iri_reference, read_concepts


def test_every_sense_has_an_iri_that_leads_back() -> None:
    for concept in (*wordnet().graph.ids[::1000], "wordnet:'hood.n.01", "wordnet:24/7.r.01"):
        iri = concept_iri(concept)
        assert iri.startswith("https://w3id.org/semcrawl/wordnet/")
        assert iri_reference(iri) == concept


def test_what_no_source_claims_stays_as_it_is() -> None:
    assert concept_iri("https://example.org/x") == "https://example.org/x"
    assert iri_reference("https://example.org/x") == "https://example.org/x"


def test_a_reference_in_no_known_form_is_refused_with_the_forms() -> None:
    with pytest.raises(TopicError, match=r"'doid:1' names no concept.*wordnet:WORD"):
        read_concepts("doid:1")
