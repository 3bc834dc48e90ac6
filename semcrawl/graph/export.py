"""Writing the collection of a crawl, or its whole graph, to a file."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import pyoxigraph as ox

from semcrawl.errors import ConfigError, StoreError, os_errors
from semcrawl.graph.crawl_graph import CrawlGraph, require_graph
from semcrawl.graph.dataset import About, collection_triples, local_prefixes, without_private
from semcrawl.graph.result_formats import RDF_FORMATS, sound_lines, write_triples, xml_text
from semcrawl.graph.vocabulary import PREFIXES, SC, XSD
from semcrawl.resources import checked_toml
from semcrawl.whole_files import whole_file

if TYPE_CHECKING:
    import networkx


def _write_graphml(graph: networkx.DiGraph[str], path: Path) -> None:
    import networkx

    for _, known in graph.nodes(data=True):
        for name, value in known.items():
            known[name] = value if isinstance(value, int | float) else xml_text(str(value))
    networkx.write_graphml(graph, path)


ENDINGS = {f".{form.file_extension}": name for name, form in RDF_FORMATS.items()}
ENDINGS |= {".xml": "rdfxml", ".graphml": "graphml", ".csv": "csv"}

_WITH_GRAPHS = ("trig", "nquads", "jsonld")

FORMATS = (*RDF_FORMATS, "graphml", "csv")  # the formats that a crawl can be exported in


def format_of(path: Path) -> str:
    """The format that a file's ending stands for.

    Raises ConfigError: the ending stands for none.

    >>> format_of(Path("asthma.ttl"))
    'turtle'
    """
    try:
        return ENDINGS[path.suffix.lower()]
    except KeyError:
        raise ConfigError(
            f"{str(path)!r} does not tell the format: give one of {', '.join(FORMATS)}, "
            f"or a file that ends in {', '.join(ENDINGS)}"
        ) from None


def export(
    graph: CrawlGraph,
    path: str | Path,
    form: str | None = None,
    *,
    min_relevance: float | None = None,
    whole: bool = False,
    title: str = "",
    creator: str | Sequence[str] = (),
    licence: str = "",
    contact: str = "",
    description: str = "",
) -> int:
    """Write the collection of a crawl to a file; how many pages it holds.

    The collection is the pages of at least ``min_relevance`` (None: the crawl's threshold), described and linked; in
    TriG, N-Quads and JSON-LD with what each page says itself. ``whole``: the entire graph, frontier and dropped URLs
    included. RDF formats say what a dataset should: ``title`` and ``description`` (the topic's where they are empty),
    ``creator`` (a name, or ``Name <https://…>``; several in a list), ``licence`` (an address or a name of SPDX),
    ``contact`` (an e-mail or web address), and how it was made. No folder, proxy or account is told. It appears whole.
    Raises ConfigError: a format that is unknown or cannot hold what is asked for; a file that the topic is read from; a
    licence, contact or creator that cannot be understood; StoreError: the file cannot be written, or an IRI is none.
    """
    require_graph(graph)
    target = Path(path)
    form = form or format_of(target)
    if target.is_file() and any(one.exists() and target.samefile(one) for one in topic_files(graph.describe().topic)):
        raise ConfigError(f"the topic of the crawl is read from {target}: choose another name for the export")
    if form not in FORMATS:
        raise ConfigError(f"there is no format {form!r}: choose one of {', '.join(FORMATS)}")
    about = About.of(title, creator, licence, contact, description)
    least = graph.describe().threshold if min_relevance is None else min_relevance
    if whole:
        if form not in RDF_FORMATS:
            raise ConfigError(f"the whole graph cannot be written as {form}: choose an RDF format")
        write_file(target, lambda part: _dump(graph, form, part))
        return int(graph.query("monitor/progress").value())
    pages = graph.query("export/pages", min_relevance=least)
    if form == "graphml":
        links = graph.networkx(least)
        write_file(target, lambda part: _write_graphml(links, part))
        return len(pages)
    data = pages.serialize("csv").encode() if form == "csv" else _rdf(graph, form, least, about)
    write_file(target, lambda part: part.write_bytes(data))
    return len(pages)


def topic_files(topic: str) -> list[Path]:
    """Return the files that a topic, as a crawl records it in TOML, takes its concepts and examples from."""
    with suppress(msgspec.DecodeError, RecursionError, TypeError, ValueError):  # the topic of a stranger's graph
        said = msgspec.toml.decode(checked_toml(topic), type=dict[str, Any])
        names = (re.split("[?#]", str(one))[0] for one in (*said.get("concepts", ()), *said.get("examples", ())))
        return list({Path(name.removeprefix("taxonomy:")): None for name in names if "://" not in name})
    return []


def own_statements_left_out(
    graph: CrawlGraph, form: str, min_relevance: float | None = None, *, whole: bool = False
) -> int:
    """How many statements that pages make themselves an export in an RDF format has no place for.

    They are in named graphs, which only TriG, N-Quads and JSON-LD have.
    """
    if form in _WITH_GRAPHS or form not in RDF_FORMATS:
        return 0
    least = 0.0 if whole else min_relevance
    bound = {} if least is None else {"min_relevance": least}
    return int(graph.query("export/own-statement-count", **bound).value() or 0)


def _rdf(graph: CrawlGraph, form: str, least: float, about: About) -> bytes:
    triples = collection_triples(graph, least, about, RDF_FORMATS[form].media_type)
    pages = graph.query("export/pages", min_relevance=least)
    said = own_statements(graph, [row["url"] for row in pages]) if form in _WITH_GRAPHS else []
    prefixes = local_prefixes(graph)
    if form == "jsonld":
        return json_ld([*(ox.Quad(*triple) for triple in triples), *said], prefixes).encode()
    used = {"schema": PREFIXES["schema"], "rdf": PREFIXES["rdf"], "xsd": PREFIXES["xsd"]}
    written = ox.serialize(said, format=RDF_FORMATS[form], prefixes=used) if said else None
    return write_triples(triples, form, prefixes) + (written or b"")


def own_statements(graph: CrawlGraph, pages: Iterable[str]) -> list[ox.Quad]:
    """What these pages say themselves, in their named graphs, ordered; StoreError where an IRI is none."""
    said = (quad for page in pages for quad in graph.store.quads(ox.NamedNode(page)))
    names = ("graph_name", "subject", "predicate")
    return sorted(_sound(said), key=lambda quad: [str(getattr(quad, name)) for name in names])


def _dump(graph: CrawlGraph, form: str, path: Path) -> None:
    syntax = RDF_FORMATS[form]
    statements: Iterable[ox.Quad] | Iterable[ox.Triple] = _sound(without_private(graph.store.quads()))
    if not syntax.supports_datasets:
        default = graph.store.raw.quads_for_pattern(None, None, None, ox.DefaultGraph())
        statements = (quad.triple for quad in _sound(without_private(default)))
    ox.serialize(statements, path, syntax, prefixes=None if form == "jsonld" else PREFIXES)
    if form != "rdfxml" or not path.is_file():
        return
    # Line by line: the file may be large.
    with (
        whole_file(path) as clean,
        path.open(encoding="utf-8", newline="\n") as source,
        clean.open("w", encoding="utf-8", newline="\n") as target,
    ):
        target.writelines(map(xml_text, source))


def _sound(quads: Iterator[ox.Quad]) -> Iterator[ox.Quad]:
    while some := list(islice(quads, 10_000)):
        sound_lines(some)
        yield from some


def write_file(target: Path, writer: Callable[[Path], object]) -> None:
    """Let ``writer`` write a file, which appears whole or not at all; StoreError if it cannot."""
    # A device or a pipe is written to, never replaced by a file of its name.
    is_special = target.exists() and not target.is_file() and not target.is_dir()
    place = target.resolve() if target.is_symlink() else target
    opened = nullcontext(target) if is_special else whole_file(place)
    with os_errors(StoreError, f"cannot write {target}", "; choose another place"), opened as part:
        writer(part)


_TYPE = PREFIXES["rdf"] + "type"
_PLAIN = (XSD + "string", PREFIXES["rdf"] + "langString")


def json_ld(quads: Iterable[ox.Quad], prefixes: Mapping[str, str] = PREFIXES) -> str:
    """Statements as one JSON-LD document; those of the default graph give the short names."""
    from pyld import jsonld

    quads = list(quads)
    sound_lines(quads)
    is_one = ox.NamedNode(_TYPE), ox.NamedNode(f"{SC}Collection")
    first = {quad.subject for quad in quads if (quad.predicate, quad.object) == is_one}
    quads.sort(key=lambda quad: (str(quad.graph_name), quad.subject not in first, str(quad)))
    written = ox.serialize(quads, format=ox.RdfFormat.JSON_LD) or b"[]"
    # What pyoxigraph writes is expanded already.
    options = {"graph": True, "skipExpansion": True, "documentLoader": _load_nothing}
    document = jsonld.compact(msgspec.json.decode(written), _context(quads, prefixes), options)
    return msgspec.json.format(msgspec.json.encode(document), indent=1).decode()


def _load_nothing(address: str, _: object) -> Any:
    raise ValueError(f"{address} is not fetched")


def _context(quads: list[ox.Quad], prefixes: Mapping[str, str]) -> dict[str, Any]:
    """Short names for the properties of the default graph, with what all their values are."""
    terms = {term.value for quad in quads for term in quad if isinstance(term, ox.NamedNode)}
    # An IRI "schema:Person", which is possible, would be read by the prefix of that name.
    schemes = {term.partition(":")[0] for term in terms} | {"id", "type"}
    kinds: dict[str, set[str]] = defaultdict(set)
    for quad in quads:
        value = quad.object
        kinds[quad.predicate.value].add(value.datatype.value if isinstance(value, ox.Literal) else "@id")
    own = {quad.predicate.value for quad in quads if quad.graph_name == ox.DefaultGraph()}
    names = {prop: prop.replace("#", "/").rpartition("/")[2] for prop in sorted(own - {_TYPE})}
    times = Counter(names.values())
    short: dict[str, Any] = {
        name: _meaning(prop, kinds[prop])
        for prop, name in names.items()
        if times[name] == 1 and name.isidentifier() and name not in schemes
    }
    used = {name: place for name, place in prefixes.items() if name not in {*schemes, *short}}
    return {"id": "@id", "type": "@type", **used, **short}


def _meaning(prop: str, kinds: set[str]) -> dict[str, str]:
    [kind, *others] = kinds
    return {"@id": prop} if others or kind in _PLAIN else {"@id": prop, "@type": kind}
