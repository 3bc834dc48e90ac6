from __future__ import annotations

import pytest

from semcrawl.topics import ConceptGraph, ConceptGraphBuilder, Label


@pytest.fixture
def animals() -> ConceptGraph:
    """A small graph with two parents, a second language, and a named relation."""
    builder = ConceptGraphBuilder("animals")
    builder.add("ex:cat", Label("cat"), Label("Katze", "de"), broader=["ex:mammal", "ex:pet"])
    builder.add("ex:mammal", "mammal", broader=["ex:animal"])
    builder.add("ex:pet", "pet", "house_pet", broader=["ex:animal"])
    builder.add("ex:animal", "animal")
    builder.add("ex:paw", "paw")
    builder.relate("ex:paw", "part-of", "ex:cat", inverse="has-part")
    return builder.build()
