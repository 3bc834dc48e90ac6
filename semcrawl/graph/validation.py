"""Checking a crawl graph or a collection against the shapes in ``ontologies``, by pyshacl."""

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import rdflib

from semcrawl.errors import ConfigError, os_errors, regular, told_as
from semcrawl.graph.crawl_graph import CrawlGraph
from semcrawl.graph.export import ENDINGS
from semcrawl.graph.result_formats import RDF_FORMATS
from semcrawl.graph.vocabulary import PREFIXES, SC, shorten
from semcrawl.rdf_syntax import check_text
from semcrawl.resources import facts_beside, ontologies_folder

_SHAPES = {"collection": "semcrawl-collection-shapes.ttl", "crawl graph": "semcrawl-shapes.ttl"}
_SH = "http://www.w3.org/ns/shacl#"
_TYPE = ox.NamedNode(PREFIXES["rdf"] + "type")


@dataclass(frozen=True, slots=True, order=True)
class Violation:
    """What is wrong with one node; ``path`` is the property, empty for the node itself."""

    node: str
    path: str
    problem: str


@dataclass(frozen=True, slots=True)
class ShapeReport:
    """What a check has found; ``kind`` is what was checked: a collection, or a crawl graph."""

    kind: str
    pages: int
    violations: tuple[Violation, ...]

    def text(self) -> str:
        """The report for a person: each node with what is wrong with it."""
        lines, last = [], None
        for found in self.violations:
            if found.node != last:
                lines.append(found.node)
            lines.append(f"  {found.path}: {found.problem}" if found.path else f"  {found.problem}")
            last = found.node
        return "".join(f"{line}\n" for line in lines)


def validate(place: str | Path) -> ShapeReport:
    """Check the graph of a crawl folder, the collection of a crate, or an RDF file.

    Raises ConfigError: pyshacl is not installed, or the file cannot be read or holds neither;
    NotACrawlError: the folder holds no crawl and no crate.
    """
    try:
        import pyshacl  # noqa: F401
    except ImportError:
        raise ConfigError("validating needs pyshacl: install it with pip install 'semcrawl[validate]'") from None
    place = Path(place)
    if (place / "ro-crate-metadata.json").is_file():
        place /= "collection.ttl"
    if not place.is_dir():
        return _check(_read_file(place))
    with CrawlGraph.read(place) as graph:
        graph.require_sound()
        pattern = None, None, None, ox.DefaultGraph()
        return _check(quad.triple for quad in graph.store.raw.quads_for_pattern(*pattern))


def _read_file(path: Path) -> list[ox.Triple]:
    form = ENDINGS.get(path.suffix.lower(), "")
    if form not in RDF_FORMATS:
        known = ", ".join(end for end, name in ENDINGS.items() if name in RDF_FORMATS)
        wrong = "does not tell its format" if path.exists() else "is not there"
        raise ConfigError(f"{path} {wrong}: give a file that ends in {known}, or the folder of a crawl or a crate")
    malformed = told_as(ConfigError, f"{path} cannot be read as {form}", SyntaxError, ValueError)
    with malformed, os_errors(ConfigError, f"cannot read {path}"):
        text = regular(path).read_text(encoding="utf-8-sig")
        check_text(text, RDF_FORMATS[form])
        quads = list(ox.parse(text, format=RDF_FORMATS[form]))
    # What pages say themselves is theirs: shapes are about what we say.
    return [quad.triple for quad in quads if quad.graph_name == ox.DefaultGraph()]


def _check(triples: Iterable[ox.Triple]) -> ShapeReport:
    import rdflib
    from pyshacl import validate as check

    # What is ill-formed is in the report: rdflib would log each with a traceback.
    logging.getLogger("rdflib.term").setLevel(logging.ERROR)
    triples = list(triples)
    types = (triple.object for triple in triples if triple.predicate == _TYPE)
    kinds = [kind.value for kind in types if isinstance(kind, ox.NamedNode)]
    kind = "collection" if f"{SC}Collection" in kinds else "crawl graph"
    if kind == "crawl graph" and f"{SC}Crawl" not in kinds:
        raise ConfigError("there is no sc:Crawl and no sc:Collection in it: nothing to check")
    data = rdflib.Graph()
    data.parse(data=ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES), format="nt")
    shapes = rdflib.Graph().parse(ontologies_folder() / _SHAPES[kind])
    _, results, _ = check(data, shacl_graph=shapes, inplace=True)
    assert isinstance(results, rdflib.Graph)
    return ShapeReport(kind, kinds.count(f"{SC}Page"), tuple(_violations(results, shapes)))


def _violations(results: rdflib.Graph, shapes: rdflib.Graph) -> list[Violation]:
    from rdflib import Namespace

    shacl = Namespace(_SH)
    problems: dict[str, list[str]] = facts_beside(__file__, "validation.toml")["problems"]
    found = set()
    for result in results.objects(None, shacl.result):
        told: dict[Any, Any] = dict(results.predicate_objects(result))
        broken = str(told[shacl.sourceConstraintComponent]).removesuffix("ConstraintComponent")
        message = " ".join(str(told.get(shacl.resultMessage)).split())
        rule, words = problems.get(broken.removeprefix(_SH), ("", message))
        limits = sorted(map(_shown, shapes.objects(told[shacl.sourceShape], shacl[rule])))
        value, limit = _shown(told.get(shacl.value)), " and ".join(limits)
        problem = words.format(value=value, limit=limit) if rule else message
        path = told.get(shacl.resultPath)
        node = _shown(told[shacl.focusNode])
        found.add(Violation(node, "" if path is None else _shown(path), problem))
    return sorted(found)


def _shown(term: Any) -> str:
    from rdflib import Literal

    if isinstance(term, Literal):
        return repr(str(term)[:200])
    text = shorten(str(term))
    return re.sub(rf"^{re.escape(_SH)}", "", text)
