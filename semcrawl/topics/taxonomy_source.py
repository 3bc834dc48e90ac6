"""References to taxonomies in topics: ``taxonomy:categories.tsv#Science/Biology``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import TopicError
from semcrawl.topics.concept_names import find_concept
from semcrawl.topics.read_options import ReadOptions

if TYPE_CHECKING:
    from semcrawl.topics.concepts import ConceptGraph

__all__ = ["TaxonomySource"]

_PREFIX = "taxonomy:"


class TaxonomySource:
    """Reads categories by name or path; a taxonomy alone stands for its top categories."""

    form = "taxonomy:PATH#CATEGORY"

    def accepts(self, reference: str, options: ReadOptions | None = None) -> bool:  # noqa: ARG002 - the prefix tells
        """Return whether the reference starts with ``taxonomy:``."""
        return reference.startswith(_PREFIX)

    def read(
        self, reference: str, options: ReadOptions | None = None
    ) -> list[tuple[str, ConceptGraph]]:
        """Return the categories of a reference; TopicError if there are none."""
        from semcrawl.topics.ontology_source import split_names
        from semcrawl.topics.taxonomy import read_taxonomy

        options = options or ReadOptions()
        path, hash_, names = reference.removeprefix(_PREFIX).partition("#")
        if not path.strip() or "\0" in path:
            raise TopicError(f"{reference[:80]!r} names no file; write {self.form}")
        language = options.language or "en"
        graph = read_taxonomy(options.place(path.strip()), language=language)
        if not hash_:
            return [(concept, graph) for concept in graph.top_concepts()]
        wanted = [name.strip("'\"") for name in split_names(names)]
        if not wanted:
            raise TopicError(f"{reference[:80]!r} names no category; write {self.form}")
        found = dict.fromkeys(find_concept(graph, name, language) for name in wanted)
        return [(concept, graph) for concept in found]

    def iri(self, concept: str) -> str | None:  # noqa: ARG002 - the ids are IRIs already
        """Return None: the ids of categories are IRIs."""
        return None

    def reference(self, iri: str) -> str | None:  # noqa: ARG002 - an IRI does not say its file
        """Return None: an IRI does not tell which file it is in."""
        return None
