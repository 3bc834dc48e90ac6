"""A small web of linked data: HTML beside RDF, 303 redirects, hashes, content negotiation.

Diseases of the lungs and of the skin on hosts of four kinds:

- ``id.test``: things with IRIs of their own. ``/id/X`` redirects (303) to ``/page/X`` in HTML or
  ``/data/X`` in Turtle, as the client prefers.
- ``one.test``: one URL for both, ``/X``, in HTML or RDF/XML, as the client prefers. The field
  ``Link`` of the HTML leads to ``hash.test``.
- ``hash.test``: things are fragments of one Turtle document for each group, ``/group#X``.
- ``files.test``: Turtle that is sent as text/plain.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

from semcrawl.topics import wordnet

Answer = tuple[int, dict[str, str], str]  # status, headers and body

LUNGS, SKIN = "respiratory_disease", "skin_disease"
PREFIXES = (
    "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . "
    "@prefix skos: <http://www.w3.org/2004/02/skos/core#> . "
    "@prefix foaf: <http://xmlns.com/foaf/0.1/> .\n"
)


def kinds(group: str) -> list[str]:
    """The names of the diseases of a group, the group first."""
    graph = wordnet().graph
    first = graph.narrower(f"wordnet:{group}.n.01")
    below = [*first, *(inner for one in first for inner in graph.narrower(one))]
    names = [concept.partition(":")[2].partition(".")[0] for concept in below]
    return list(dict.fromkeys([group, *names]))


def words(name: str) -> str:
    """A name as it is written."""
    return name.replace("_", " ")


class LinkedWeb:
    """Answers by URL and by what is accepted."""

    def __init__(self) -> None:
        self.groups = {group: kinds(group) for group in (LUNGS, SKIN)}
        self.asked: Counter[str] = Counter()

    def answer(self, url: str, accept: str) -> Answer:
        """Return status, headers and body."""
        self.asked[url] += 1
        host, path = urlsplit(url).hostname or "", urlsplit(url).path
        name = path.rpartition("/")[2]
        group = next((one for one, names in self.groups.items() if name in names), None)
        if group is None:
            return 404, {}, ""
        wants_data = _weight(accept, "text/turtle") > _weight(accept, "text/html")
        hosts = {
            "id.test": self._id, "one.test": self._one, "hash.test": self._hash,
            "files.test": self._files,
        }  # fmt: skip
        return hosts[host](path, name, group, wants_data)

    def _id(self, path: str, name: str, group: str, wants_data: bool) -> Answer:
        if path.startswith("/id/"):
            return 303, {"Location": f"/{'data' if wants_data else 'page'}/{name}"}, ""
        if path.startswith("/data/"):
            return 200, {"Content-Type": "text/turtle"}, self._turtle(name, group)
        link = f'<link rel="alternate" type="text/turtle" href="/data/{name}">'
        return 200, {"Content-Type": "text/html"}, self._html(name, group, link)

    def _one(self, path: str, name: str, group: str, wants_data: bool) -> Answer:
        del path
        if not wants_data:
            data = f'<http://hash.test/{group}>; rel="describedby"; type="text/turtle"'
            return 200, {"Content-Type": "text/html", "Link": data}, self._html(name, group)
        return (
            200,
            {"Content-Type": "application/rdf+xml"},
            (
                '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
                'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"><rdf:Description rdf:about="">'
                f"<rdfs:label>{words(name)}</rdfs:label>"
                f'<rdfs:seeAlso rdf:resource="http://hash.test/{group}#{name}"/>'
                "</rdf:Description></rdf:RDF>"
            ),
        )

    def _hash(self, path: str, name: str, group: str, wants_data: bool) -> Answer:
        del path, wants_data
        if name != group:
            return 404, {}, ""
        lines = [
            f'<#{one}> rdfs:label "{words(one)}"@en ; rdfs:seeAlso <http://id.test/id/{one}> .'
            for one in self.groups[group]
        ]
        return 200, {"Content-Type": "text/turtle"}, PREFIXES + "\n".join(lines)

    def _files(self, path: str, name: str, group: str, wants_data: bool) -> Answer:
        del path, wants_data
        return 200, {"Content-Type": "text/plain"}, self._turtle(name, group)

    def _html(self, name: str, group: str, head: str = "") -> str:
        names = self.groups[group]
        near = names[names.index(name) :][1:4] or names[:2]
        links = "".join(f"<li><a href='{one}'>{words(one)}</a>" for one in near)
        away = f"<a href='http://one.test/{name}'>{words(name)} elsewhere</a>"
        return f"<title>{words(name)}</title>{head}<h1>{words(name)}</h1><ul>{links}</ul>{away}"

    def _turtle(self, name: str, group: str) -> str:
        narrower = ", ".join(f"<http://id.test/id/{one}>" for one in self.groups[group][1:])
        facts = [f'rdfs:label "{words(name)}"@en', f"foaf:page <http://one.test/{name}>"]
        if name == group:
            facts.append(f"skos:narrower {narrower}")
        facts.append(f"rdfs:seeAlso <http://files.test/{name}>")
        return f"{PREFIXES}<http://id.test/id/{name}> {' ; '.join(facts)} ."


def _weight(accept: str, kind: str) -> float:
    weights = {}
    for part in accept.split(","):
        name, _, rest = part.strip().partition(";q=")
        weights[name] = float(rest or 1)
    return weights.get(kind, weights.get("*/*", 0.0))


@contextmanager
def served(web: LinkedWeb) -> Iterator[str]:
    """Serve a web on loopback as an HTTP proxy; give its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            status, headers, text = web.answer(self.path, self.headers.get("Accept", "*/*"))
            body = text.encode()
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
