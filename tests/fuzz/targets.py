"""What is fuzzed: for each reader of foreign bytes, inputs that try it and what must hold.

An input is always bytes, so that one that fails can be kept as a file. ``test_fuzz.py`` tries a
few of each kind, ``python -m benchmarks fuzz --minutes N`` as many as there is time for.
"""

from __future__ import annotations

import gzip
import io
import json
import shutil
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pyoxigraph as ox
import pytest
from hypothesis import strategies as st
from lxml import etree

from semcrawl import Crawl, CrawlGraph
from semcrawl.cli.main import main
from semcrawl.errors import FetchError, ModelError, QueryError, SemcrawlError, TopicError
from semcrawl.graph import named_queries
from semcrawl.graph.columns import ALL
from semcrawl.graph.store import OxigraphStore
from semcrawl.page.embedded.statements import embedded_statements
from semcrawl.topics.ontology import read_ontology
from semcrawl.web import Replay, Response, Robots, open_replay
from semcrawl.web.http import HttpFetcher
from semcrawl.web.urls import canonical, join
from tests.cli.conftest import PAGES, SEED, write_web
from tests.hostile.answers import ANSWERS
from tests.hostile.pages import PAGES as HOSTILE_PAGES
from tests.hostile.sites import ROBOTS
from tests.models.archives import manifest_of, parts_of, write_parts
from tests.models.test_model_files import KINDS
from tests.page.test_read import FRAGMENTS, check, read_or_reason, respond
from tests.topics.test_rdf_files import SAMPLES
from tests.web.test_urls import TAILS, URLS

Inputs = st.SearchStrategy[bytes]
PIECES = (
    b"", b"<", b">", b'"', b"'", b"&", b"[", b"]", b"(", b")", b"{", b"}", b".", b":", b";", b"@",
    b"#", b"\\", b"\0", b"\xff", b"\n", b"\r\n", b"_:a", b"-1", b"99999999999999999999", b"%00",
)  # fmt: skip


@dataclass(frozen=True)
class Target:
    """A reader of foreign bytes: what it is tried with, and what is checked in a folder."""

    name: str
    inputs: Inputs
    check: Callable[[bytes, Path], None]


@st.composite
def mutated(draw: st.DrawFn, sources: Inputs) -> bytes:
    """Some bytes with a few places overwritten, cut out, doubled, or cut off."""
    data = bytearray(draw(sources))
    for _ in range(draw(st.integers(0, 8))):
        place = draw(st.integers(0, len(data)))
        end = place + draw(st.sampled_from((0, 1, 2, 30, 400)))
        kind = draw(st.sampled_from(("overwrite", "overwrite", "double", "byte", "cut off")))
        if kind == "overwrite":
            data[place:end] = draw(st.sampled_from(PIECES))
        elif kind == "double":
            data[place:place] = data[place:end]
        elif kind == "byte":
            data[place : place + 1] = draw(st.binary(min_size=1, max_size=1))
        else:
            del data[end:]
    return bytes(data)


def among(*samples: bytes) -> Inputs:
    """One of some samples, mutated."""
    return mutated(st.sampled_from(samples))


# Pages, URLs and robots.txt

_PLAIN = [one.answer for one in HOSTILE_PAGES if isinstance(one.answer, bytes)]
_MARKUPS = [said.partition(b"\r\n\r\n")[2][:3000] for said in _PLAIN]
_CHARSETS = ["", "utf-8", "utf-16", "gbk", "utf-7", "x"]
HTML = st.lists(FRAGMENTS, max_size=40).map(lambda parts: "".join(parts).encode())


_WORDS = st.sampled_from((
    "@id", "@type", "@context", "@value", "@language", "@graph", "@list", "@set", "@reverse", "@import", "@vocab",
    "@base", "@none", "name", "url", "v:x", "", "#", "_:b", "http://[", "http://a b/", "javascript:alert(1)",
    "http://v.test/", "https://schema.org", "\ud800", "\0", "\u202e", "en-x",
))  # fmt: skip
_NUMBERS = st.sampled_from((None, True, 0, -1, 10**30, 1e308))
_JSON = st.recursive(
    _WORDS | _NUMBERS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_WORDS, inner, max_size=4)
)
JSON_LD = st.builds(
    '<script type="application/ld+json">{{"@context":{},"@graph":[{}]}}</script>'.format,
    _JSON.map(json.dumps),
    _JSON.map(json.dumps),
).map(str.encode)
"""What JSON-LD has, anywhere: parts that are well-formed and mean nothing."""


def check_html(data: bytes, _place: Path) -> None:
    """A page is sound or gives a reason, in whatever encoding; so are its own statements."""
    for charset in _CHARSETS:
        page = read_or_reason(respond(data, f"text/html; charset={charset}"))
        check(page)
    markup = data.decode("utf-8", "replace")
    for triple in embedded_statements(markup, "http://a.test/").triples:
        assert [*ox.parse(f"{triple} .", format=ox.RdfFormat.N_TRIPLES)]


def check_urls(data: bytes, _place: Path) -> None:
    """A canonical URL is its own canonical form and an IRI; what is joined is canonical."""
    url, _, tail = data.decode("utf-8", "surrogateescape").partition("\n")
    with suppress(SemcrawlError):
        once = canonical(url)
        assert canonical(once) == once
        assert once.isascii()
        assert ox.NamedNode(once).value == once
    target = join(url, tail)
    assert target is None or canonical(target) == target


class _OneAnswer(Replay):
    def __init__(self, body: bytes) -> None:
        super().__init__({})
        self._body = body

    def answer(self, url: str) -> Response:
        return Response(url, 200, {}, self._body, 0.0, 0.0)


def check_robots(data: bytes, _place: Path) -> None:
    """Any file makes rules that answer for any URL."""
    rules = Robots(_OneAnswer(data), "semcrawl").rules("http://a.test/")
    for path in ("", "a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "%61?b=c", "robots.txt"):
        assert rules.allows(f"http://a.test/{path}") in {True, False}
    assert 0 <= rules.delay <= Robots.cap


_ROBOTS_LINES = st.lists(
    st.builds(
        "{}:{}{}".format,
        st.sampled_from(["User-agent", "Disallow", "Allow", "Crawl-delay", "Request-rate", "#", ""]),
        st.sampled_from([" ", "", "\t"]),
        st.sampled_from(["*", "semcrawl", "/", "/a*$", "%", "1/0s", "nan", "1e9", "/*a*a*b", "\0"]),
    ),
    max_size=20,
).map(lambda lines: "\n".join(lines).encode())
_ROBOTS_FILES = [one.robots.partition(b"\r\n\r\n")[2][:3000] for one in ROBOTS if isinstance(one.robots, bytes)]


# Recorded webs and answers


def warc(version: str = "1.0", packed: bool = False) -> bytes:
    """A WARC file of three records."""
    body = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>asthma"
    records = [
        f"WARC/{version}\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.test/{kind}\r\n"
        f"WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http\r\n"
        f"Content-Length: {len(body)}\r\n\r\n".encode()
        + body
        + b"\r\n\r\n"
        for kind in ("warcinfo", "response", "resource")
    ]
    return b"".join(gzip.compress(one, mtime=0) if packed else one for one in records)


def check_warc(data: bytes, place: Path) -> None:
    """Whatever the file holds can be read, or says what is wrong."""
    path = place / ("a.warc.gz" if data.startswith(b"\x1f\x8b") else "a.warc")
    path.write_bytes(data)
    with suppress(SemcrawlError), open_replay(path) as replay:
        for url in [*replay.urls()][:50]:
            with suppress(SemcrawlError):
                read_or_reason(replay.fetch(url))


def check_answer(data: bytes, _place: Path) -> None:
    """A server that sends this and hangs up gives an answer or a reason, in bounded time."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(60)
        sender = threading.Thread(target=_send_once, args=(listener, data), daemon=True)
        sender.start()
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        fetcher = HttpFetcher("semcrawl", max_bytes=100_000, allow_private=True)
        with fetcher, suppress(FetchError):
            answer = fetcher.fetch(url)
            assert len(answer.body) <= 100_000
            assert 200 <= answer.status < 400
            read_or_reason(answer)
        sender.join(60)


def _send_once(listener: socket.socket, data: bytes) -> None:
    with suppress(OSError):
        connection, _ = listener.accept()
        with connection:
            connection.settimeout(60)
            connection.recv(65_536)
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            connection.recv(1)


_ANSWERS = [one.answer[:5000] for one in ANSWERS if isinstance(one.answer, bytes)]

# Ontologies: a name, a line end, the file

_OBO = b"""format-version: 1.2
[Typedef]
id: part_of
[Term]
id: A:1
name: lung
synonym: "pulmo" EXACT [x:1]
is_a: A:2 ! organ
relationship: part_of A:3
intersection_of: A:2
[Term]
id: A:2
name: organ
xref: B:2 "y"
"""
_FILES = {**SAMPLES, "a.obo": _OBO}
_RDF = {"ttl": ox.RdfFormat.TURTLE, "nt": ox.RdfFormat.N_TRIPLES, "rdf": ox.RdfFormat.RDF_XML,
        "jsonld": ox.RdfFormat.JSON_LD, "trig": ox.RdfFormat.TRIG}  # fmt: skip
_ODD_TERMS: list[ox.NamedNode | ox.BlankNode | ox.Literal] = [
    ox.NamedNode("http://www.w3.org/2002/07/owl#Class"),
    ox.NamedNode("http://www.w3.org/2002/07/owl#Thing"),
    ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#nil"),
    ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#first"),
    ox.NamedNode("http://www.w3.org/1999/02/22-rdf-syntax-ns#rest"),
    ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#subClassOf"),
    ox.NamedNode("http://www.w3.org/2000/01/rdf-schema#label"),
    ox.NamedNode("http://www.w3.org/2002/07/owl#equivalentClass"),
    ox.NamedNode("http://www.w3.org/2002/07/owl#intersectionOf"),
    ox.NamedNode("http://www.w3.org/2002/07/owl#imports"),
    ox.NamedNode("http://www.w3.org/2004/02/skos/core#broader"),
    ox.NamedNode("http://www.w3.org/2004/02/skos/core#prefLabel"),
    ox.NamedNode("urn:x"), ox.BlankNode("b"), ox.Literal(""), ox.Literal("x" * 600),
    ox.Literal("lung", language="de"), ox.Literal(7), ox.Literal("\u202e\x1b"),
]  # fmt: skip


@cache
def _triples() -> list[ox.Triple]:
    return [one.triple for one in ox.parse(SAMPLES["asthma.ttl"], format=ox.RdfFormat.TURTLE)]


@st.composite
def rewired(draw: st.DrawFn) -> bytes:
    """A well-formed RDF file whose statements say other things: cycles, literals as classes."""
    triples = draw(st.lists(st.sampled_from(_triples()), min_size=1, max_size=40))
    terms = [*_ODD_TERMS, *(term for one in triples for term in (one.subject, one.object))]
    named = [term for term in terms if isinstance(term, ox.NamedNode)]
    nodes = [term for term in terms if isinstance(term, ox.NamedNode | ox.BlankNode)]
    made = []
    for one in triples:
        part = draw(st.sampled_from(("subject", "predicate", "object", "nothing")))
        made.append(
            ox.Triple(
                draw(st.sampled_from(nodes)) if part == "subject" else one.subject,
                draw(st.sampled_from(named)) if part == "predicate" else one.predicate,
                draw(st.sampled_from(terms)) if part == "object" else one.object,
            )
        )
    ending = draw(st.sampled_from(sorted(_RDF)))
    try:
        written = ox.serialize(made, format=_RDF[ending])
    except ValueError:  # RDF/XML has no words for some predicates
        ending, written = "nt", ox.serialize(made, format=ox.RdfFormat.N_TRIPLES)
    return f"a.{ending}\n".encode() + (written or b"")


@st.composite
def rearranged(draw: st.DrawFn) -> bytes:
    """A well-formed OWL/XML file whose elements were moved, doubled, renamed and removed."""
    root = etree.fromstring(SAMPLES["b.owl"])
    for _ in range(draw(st.integers(1, 10))):
        elements = [*root.iter()][1:]
        if not elements:
            break
        one, other = draw(st.sampled_from(elements)), draw(st.sampled_from([root, *elements]))
        kind = draw(st.sampled_from(("move", "double", "rename", "remove", "attribute")))
        parent = one.getparent()
        assert parent is not None
        if kind == "move" and other not in [*one.iter()]:
            other.append(one)
        elif kind == "double":
            other.append(etree.fromstring(etree.tostring(one)))
        elif kind == "rename":
            one.tag = draw(st.sampled_from([e.tag for e in elements] + _OWL_NAMES))
        elif kind == "remove":
            parent.remove(one)
        else:
            one.set("IRI", draw(st.sampled_from(["", "#x", "#Cafe", "http://a b", "\u202e"])))
    return b"b.owx\n" + etree.tostring(root)


_OWL_NAMES = [f"{{http://www.w3.org/2002/07/owl#}}{name}" for name in (
    "SubClassOf", "EquivalentClasses", "ObjectIntersectionOf", "ObjectSomeValuesFrom", "Import",
    "DisjointUnion", "Annotation", "ObjectProperty", "ObjectComplementOf", "Nothing")]  # fmt: skip
SHUFFLED_OBO = st.lists(st.sampled_from(_OBO.splitlines(keepends=True)), max_size=40).map(
    lambda lines: b"a.obo\n" + b"".join(lines)
)
DAMAGED = mutated(st.sampled_from([name.encode() + b"\n" + data for name, data in _FILES.items()]))


def check_ontology(data: bytes, place: Path) -> None:
    """A file is read into a graph that can be walked, or refused with a reason."""
    name, _, content = data.partition(b"\n")
    suffix = Path(name.decode("latin-1").replace("\0", "")).suffix
    path = place / f"a{suffix if suffix in {f'.{end}' for end in _ENDINGS} else '.owl'}"
    path.write_bytes(content)
    with suppress(TopicError):
        graph = read_ontology(path)
        for concept in [*graph][:50]:
            assert graph.label(concept)
            for near in (*graph.broader(concept), *graph.narrower(concept)):
                assert near in graph


_ENDINGS = {*_RDF, "owl", "owx", "obo", "nq", "n3"}

# SPARQL

_QUERIES = [query.text.encode() for query in named_queries().values()]
_TOKENS = st.lists(
    st.sampled_from((
        "SELECT", "*", "?a", "?b", "(COUNT(*) AS ?n)", "WHERE", "{", "}", "(", ")", ".", ";", ",",
        "?a ?b ?c", "OPTIONAL", "UNION", "MINUS", "FILTER", "EXISTS", "NOT", "BIND", "AS", "VALUES",
        "GRAPH", "SERVICE", "ASK", "CONSTRUCT", "DESCRIBE", "<urn:x>", "sc:Page", "a", "'x'", "1",
        "GROUP BY", "ORDER BY", "LIMIT", "OFFSET", "HAVING", "+", "*", "/", "^", "|", "PREFIX",
        "BASE", "<<", ">>", "REGEX(?a, '(a+)+$')", "1/0", "NOW()", "RAND()", "#", "\\u0041", "\0",
        "DELETE", "INSERT DATA", "LOAD <file:///etc/passwd>", "FROM <http://127.0.0.1/>",
    )),
    max_size=25,
).map(lambda words: " ".join(words).encode())  # fmt: skip


def check_sparql(data: bytes, _place: Path) -> None:
    """A query text is answered from a small graph, or refused with a reason."""
    store = OxigraphStore()
    with suppress(QueryError):
        answer = store.query(data.decode("utf-8", "replace"))
        answer.serialize("turtle" if answer.kind == "construct" else "json")


# Models: a kind, a line end, the file


@cache
def _models() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "m"
        found = {}
        for name, make in KINDS.items():
            kind = make()
            kind.save(kind.model, path)
            found[name] = path.read_bytes()
    return found


@st.composite
def forged(draw: st.DrawFn) -> bytes:
    """A model file whose digests fit, and whose manifest says something else."""
    name = draw(st.sampled_from(sorted(_models())))
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "m"
        path.write_bytes(_models()[name])
        manifest = manifest_of(path)
        for _ in range(draw(st.integers(1, 3))):
            holder = manifest
            while True:
                key = draw(st.sampled_from(sorted(holder)))
                if not isinstance(holder[key], dict) or not holder[key] or draw(st.booleans()):
                    break
                holder = holder[key]
            holder[key] = draw(_JSON)
        write_parts(path, parts_of(path) | {"manifest.json": json.dumps(manifest).encode()})
        return name.encode() + b"\n" + path.read_bytes()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


def check_model(data: bytes, place: Path) -> None:
    """A model file is loaded, or refused with a reason."""
    name, _, content = data.partition(b"\n")
    load = _loaders().get(name.decode("latin-1"), _loaders()["taxonomy"])
    path = place / "m.model"
    path.write_bytes(content)
    with suppress(ModelError):
        load(path)


@cache
def _loaders() -> dict[str, Callable[[Path], object]]:
    return {name: make().load for name, make in KINDS.items()}


# Crawl folders: what is done to the files of one, as JSON

CHANGES = st.lists(
    st.tuples(
        st.sampled_from(("overwrite", "cut", "remove", "folder", "link", "empty", "add")),
        st.integers(0, 30),
        st.integers(0, 10_000),
        st.sampled_from([piece.hex() for piece in PIECES if piece] + ["00" * 64, "ff" * 64]),
    ),
    min_size=1,
    max_size=4,
).map(lambda changes: json.dumps(changes).encode())


@cache
def _finished_crawl() -> Path:
    place = Path(tempfile.mkdtemp(prefix="semcrawl-fuzz-"))
    web = write_web(place / "web", PAGES)
    with Crawl("wordnet:asthma", [SEED], place / "crawl", replay=(str(web),)) as crawl:
        crawl.run()
    return place / "crawl"


def check_folder(data: bytes, place: Path) -> None:
    """A damaged crawl folder is read or refused, and nothing outside of it is touched."""
    try:
        changes = json.loads(data)
    except ValueError:
        return
    folder, outside = place / "crawl", place / "outside"
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(_finished_crawl(), folder)
    outside.mkdir(exist_ok=True)
    (outside / "file").write_text("mine")
    for kind, number, offset, piece in changes:
        with suppress(OSError):  # one change may stand in the way of another
            _change(folder, kind, number, offset, bytes.fromhex(piece), outside)
    with suppress(SemcrawlError), CrawlGraph.read(folder) as graph:
        graph.describe()
        [*graph.query("harvest")]
    assert (outside / "file").read_text() == "mine"
    assert [*outside.iterdir()] == [outside / "file"]


def _change(folder: Path, kind: str, number: int, offset: int, piece: bytes, outside: Path) -> None:
    files = sorted(path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    path = files[number % len(files)] if files else folder / "lock"
    if path.is_symlink():
        path.unlink()
    if kind == "overwrite":
        data = bytearray(path.read_bytes())
        offset %= len(data) + 1
        data[offset : offset + len(piece)] = piece
        path.write_bytes(data)
        return
    if kind == "cut":
        path.write_bytes(path.read_bytes()[:offset])
        return
    if kind == "add":
        added = path.parent / f"{number:06}.sst"
        added.unlink(missing_ok=True)  # a change before may have made it a link
        added.write_bytes(piece)
        return
    path.unlink(missing_ok=True)
    if kind == "folder":
        path.mkdir()
    elif kind == "link":
        path.symlink_to(outside / "file")
    elif kind == "empty":
        path.touch()


# Graphs of crawls: which values are replaced, added or taken away, as JSON

_XSD = "http://www.w3.org/2001/XMLSchema#"
_ODD_VALUES: list[ox.NamedNode | ox.BlankNode | ox.Literal] = [
    ox.Literal(""), ox.Literal("\x1b[31m\u202e\n"), ox.Literal("v", language="ar"),
    ox.Literal("[1]"), ox.NamedNode("urn:x"), ox.NamedNode("http://a.test:99999999/"),
    ox.BlankNode("b"),
    *(ox.Literal(text, datatype=ox.NamedNode(_XSD + kind)) for text, kind in (
        ("NaN", "double"), ("INF", "double"), ("-INF", "double"), ("1e400", "double"),
        ("9" * 400, "integer"), ("9" * 5000, "integer"), ("100000000000", "integer"),
        ("-5", "integer"), ("0", "integer"), ("2.5", "decimal"), ("true", "boolean"),
        ("99999-01-01T00:00:00Z", "dateTime"), ("-0001-01-01T00:00:00Z", "dateTime"),
        ("2026-01-01T00:00:00", "dateTime"), ("soon", "dateTime"))),
]  # fmt: skip
_PROPERTIES = sorted({column.iri for columns in ALL for column in columns})
FORGERIES = st.lists(
    st.tuples(
        st.sampled_from(("replace", "replace all", "add", "remove")),
        st.sampled_from(_PROPERTIES),
        st.integers(0, 30),
        st.sampled_from(sorted(map(str, _ODD_VALUES))),
    ),
    min_size=1,
    max_size=2,
).map(lambda changes: json.dumps(changes).encode())
READERS = ("status", "status --json", "watch --once", "export -o a.ttl", "export -o a.csv",
           "distill --dry-run --across pages", "site-list", "query best-pages",
           "explain http://a.test/asthma --trust", "mark http://a.test/vans yes --trust",
           "resume --trust --pages 20")  # fmt: skip


def check_graph(data: bytes, place: Path) -> None:
    """Whatever the values in the graph of a crawl are, every command reads it or says why not."""
    try:
        forgeries = json.loads(data)
    except ValueError:
        return
    folder, odd = place / "crawl", {str(value): value for value in _ODD_VALUES}
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(_steered_crawl(), folder)
    store = OxigraphStore(folder / "graph")
    for how, name, number, value in forgeries:
        quads = [*store.quads_with(name)]
        for quad in quads if how == "replace all" else quads[number % max(1, len(quads)) :][:1]:
            if how != "add":
                store.raw.remove(quad)
            if how != "remove":
                store.raw.add(ox.Quad(quad.subject, quad.predicate, odd[value]))
    store.close()
    for reader in READERS:
        name, *words = reader.replace("a.", f"{place}/a.", "-o" in reader).split()
        code, said = _ended(name, folder, *words)
        assert code in {0, 1, 2}, said
        assert not {*said} & {"\x1b", "\u202e"}
        if "--json" in words and not code:
            json.loads(said, parse_constant=lambda text: pytest.fail(f"{text} is no JSON"))


def _ended(*words: object) -> tuple[object, str]:
    """The exit code of a command, run in this process, and what it said."""
    said, before = io.StringIO(), sys.argv
    sys.argv = ["semcrawl", *map(str, words)]
    code: object = None
    try:
        with redirect_stdout(said), redirect_stderr(said):
            main()
    except SystemExit as ended:
        code = ended.code
    finally:
        sys.argv = before
    return code, said.getvalue()


@cache
def _steered_crawl() -> Path:
    """A crawl in which something of every kind is recorded, and URLs wait."""
    place = Path(tempfile.mkdtemp(prefix="semcrawl-fuzz-"))
    web = write_web(place / "web", PAGES)
    with Crawl("wordnet:asthma", [SEED], place / "crawl", replay=(str(web),), pages=5) as crawl:
        crawl.run()
        crawl.graph.store.update("""
            INSERT {
              ?crawl sc:alarm <urn:semcrawl:alarm-1> ; sc:policyRun <urn:semcrawl:run-1> .
              <urn:semcrawl:alarm-1> a sc:Stagnation ; sc:raisedAtStep 3 ; sc:note "falls" ;
                prov:startedAtTime "2026-01-01T00:00:00Z"^^xsd:dateTime .
              <urn:semcrawl:run-1> a sc:PolicyRun ; sc:policyName "tunnel" ; sc:atStep 3 ;
                sc:urlsChanged 2 ; sc:note "slow" .
              ?page sc:checkedAt "2026-01-01T00:00:00Z"^^xsd:dateTime ; sc:checks 3 ; sc:changes 1 ;
                sc:revisitPriority 0.5 ; sc:hubScore 0.5 ; sc:authorityScore 0.5 ; sc:marked true ;
                sc:markedAt "2026-01-01T00:00:00Z"^^xsd:dateTime ; sc:logRelevance -0.5 .
              ?waiting sc:tries 1 ; sc:factor 1.5 ; sc:redirects 1 .
            }
            WHERE { ?crawl a sc:Crawl . ?page a sc:Page . ?waiting sc:priority ?priority }
        """)
    return place / "crawl"


TARGETS = {
    one.name: one
    for one in (
        Target("html", HTML | JSON_LD | among(*_MARKUPS) | st.binary(max_size=400), check_html),
        Target(
            "urls",
            st.builds("{}\n{}".format, URLS, TAILS).map(
                lambda text: text.encode("utf-8", "surrogatepass")
            ),
            check_urls,
        ),
        Target("robots", _ROBOTS_LINES | among(*_ROBOTS_FILES) | st.binary(max_size=300),
               check_robots),
        Target("warc", among(warc(), warc(packed=True), warc("1.1")), check_warc),
        Target("answers", among(*_ANSWERS), check_answer),
        Target("ontologies", DAMAGED | rewired() | rearranged() | SHUFFLED_OBO, check_ontology),
        Target("sparql", among(*_QUERIES) | _TOKENS, check_sparql),
        # Deferred: models are trained when they are asked for, not when tests are listed.
        Target("models", forged() | mutated(st.deferred(lambda: st.sampled_from(
            [name.encode() + b"\n" + data for name, data in _models().items()]))), check_model),
        Target("folders", CHANGES, check_folder),
        Target("graphs", FORGERIES, check_graph),
    )
}  # fmt: skip
"""All that is fuzzed, by name."""
