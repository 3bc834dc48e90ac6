from __future__ import annotations

import pytest

from semcrawl.text import Background
from semcrawl.topics import ConceptGraph, ConceptGraphBuilder
from semcrawl.topics.labels import Label


@pytest.fixture(scope="session")
def lungs() -> ConceptGraph:
    """A small graph: two parents, phrases, a weaker synonym, an ambiguous label, a relation."""
    builder = ConceptGraphBuilder("lungs")
    builder.add("x:thing", "thing")
    builder.add("x:disease", "disease", broader=["x:thing"])
    builder.add("x:lung-disease", "respiratory disease", broader=["x:disease"])
    builder.add(
        "x:asthma", "asthma", Label("wheeze", "en", 0.5), Label("Atemnot", "de"),
        broader=["x:lung-disease", "x:allergy"],
    )  # fmt: skip
    builder.add("x:allergy", "allergy", broader=["x:disease"])
    builder.add("x:flu", "flu", "influenza", "cold", broader=["x:lung-disease"])
    builder.add("x:cold", "cold", broader=["x:thing"])
    builder.add("x:inhaler", "inhaler")
    builder.relate("x:inhaler", "treats", "x:asthma")
    return builder.build()


@pytest.fixture(scope="session")
def background() -> Background:
    """Idfs that are all different, so that a mixed-up weight shows."""
    counts = {"asthma": 2, "diseas": 30, "respiratori": 8, "flu": 5, "cold": 40, "tree": 50}
    return Background.from_counts(counts, documents=100)


@pytest.fixture(scope="session")
def thousand() -> Background:
    """A thousand documents; idf: asthma ln 100, inhaler ln 10, car ln 2."""
    return Background.from_counts({"asthma": 10, "inhal": 100, "car": 500}, documents=1000)
