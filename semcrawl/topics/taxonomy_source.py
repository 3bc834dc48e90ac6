"""References to taxonomies in topics: ``taxonomy:categories.tsv#Science/Biology``.

The file may also be a trained taxonomy (``semcrawl taxonomy train``). Without a
category, a taxonomy stands for its top categories, a trained one for those that
are marked good.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.errors import ConfigError, TopicError
from semcrawl.topics.concept_names import find_concept
from semcrawl.topics.read_options import ReadOptions

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.topics.concepts import ConceptGraph
    from semcrawl.topics.file_graph import FileGraph

__all__ = ["TaxonomySource"]

_PREFIX = "taxonomy:"


class TaxonomySource:
    """Reads categories by name or path; a taxonomy alone stands for its top or good ones."""

    form = "taxonomy:PATH#CATEGORY"

    def accepts(self, reference: str, options: ReadOptions | None = None) -> bool:  # noqa: ARG002 - the prefix tells
        """Return whether the reference starts with ``taxonomy:``."""
        return reference.startswith(_PREFIX)

    def read(
        self, reference: str, options: ReadOptions | None = None
    ) -> list[tuple[str, ConceptGraph]]:
        """Return the categories of a reference; TopicError if there are none."""
        from semcrawl.topics.ontology_source import split_names

        options = options or ReadOptions()
        path, hash_, names = reference.removeprefix(_PREFIX).partition("#")
        if not path.strip() or "\0" in path:
            raise TopicError(f"{reference[:80]!r} names no file; write {self.form}")
        language = options.language or "en"
        graph = _graph(options.place(path.strip()), language)
        if not hash_:
            return [(concept, graph) for concept in _meant(graph)]
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


def _graph(path: Path, language: str) -> FileGraph:
    from semcrawl.topics.taxonomy import read_taxonomy
    from semcrawl.topics.trained_taxonomy import is_trained_taxonomy, read_trained_taxonomy

    if not is_trained_taxonomy(path):
        return read_taxonomy(path, language=language)
    try:
        return read_trained_taxonomy(path)
    except ConfigError as error:
        raise TopicError(str(error)) from error


def _meant(graph: FileGraph) -> list[str]:
    """The categories that a taxonomy alone stands for."""
    if not graph.notes.trained:
        return graph.top_concepts()
    if not graph.notes.good:
        raise TopicError(
            f"no category of {graph.notes.path} is marked good; mark some with "
            f"'semcrawl taxonomy mark {graph.notes.path} CATEGORY', or name one: "
            f"taxonomy:{graph.notes.path}#CATEGORY"
        )
    return list(graph.notes.good)
