"""The endpoint, by the SPARQL 1.1 Protocol."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import httpx
import pyoxigraph as ox
import pytest

from semcrawl.errors import QueryError
from semcrawl.graph import SC
from semcrawl.serve.settings import ServeSettings
from semcrawl.serve.sparql_service import GRAPH_FORMATS, ROW_FORMATS, SD, Format, dataset_description
from tests.serve.conftest import PAGES, TOKEN, Served, running_server

if TYPE_CHECKING:
    from pathlib import Path

COUNT = "SELECT (COUNT(*) AS ?pages) { ?page a sc:Page }"
NO_XML_NAME = "CONSTRUCT { ?p <http://example.org/1> ?t } WHERE { ?p dcterms:title ?t }"
SOME = "CONSTRUCT { ?page a sc:Page } { { SELECT ?page { ?page a sc:Page } LIMIT 3 } }"
MANY = "SELECT ?page { ?page a sc:Page } ORDER BY ?page"
ENDLESS = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l }"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
DIRECT = {"Content-Type": "application/sparql-query"}
RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
VOID = "http://rdfs.org/ns/void#"


def ask(served: Served, text: str, **headers: str) -> httpx.Response:
    return served.client.get("/sparql", params={"query": text}, headers=headers)


def pages_in(response: httpx.Response) -> int:
    response.raise_for_status()
    return int(response.json()["results"]["bindings"][0]["pages"]["value"])


def described(response: httpx.Response) -> ox.Store:
    store = ox.Store()
    store.load(response.raise_for_status().content, format=ox.RdfFormat.TURTLE)
    return store


# Asking


def test_a_query_is_asked_in_three_ways(served: Served) -> None:
    get = ask(served, COUNT)
    form = served.client.post("/sparql", data={"query": COUNT})
    direct = served.client.post("/sparql", content=COUNT, headers=DIRECT)
    assert [pages_in(reply) for reply in (get, form, direct)] == [PAGES] * 3


@pytest.mark.parametrize("form", ROW_FORMATS, ids=lambda form: form.name)
def test_rows_come_in_the_format_that_is_accepted(served: Served, form: Format) -> None:
    name = form.media_types[0]
    for text in (COUNT, "ASK { ?page a sc:Page }"):
        reply = ask(served, text, Accept=f"{name}, */*;q=0.1").raise_for_status()
        assert reply.headers["content-type"].partition(";")[0] == name
        assert reply.headers["vary"] == "Accept"


@pytest.mark.parametrize("form", GRAPH_FORMATS, ids=lambda form: form.name)
def test_triples_come_in_the_format_that_is_accepted(served: Served, form: Format) -> None:
    name = form.media_types[0]
    reply = ask(served, SOME, Accept=name).raise_for_status()
    assert reply.headers["content-type"].partition(";")[0] == name
    read = ox.RdfFormat.from_media_type(name)
    assert len(list(ox.parse(reply.content, format=read))) == 3


@pytest.mark.parametrize(
    ("text", "word", "media_type"),
    [
        (COUNT, "csv", "text/csv; charset=utf-8"),
        (COUNT, "text/csv", "text/csv; charset=utf-8"),
        (COUNT, "xml", "application/sparql-results+xml"),
        (SOME, "xml", "application/rdf+xml"),
        (SOME, "json", "application/ld+json"),
        (SOME, "ttl", "text/turtle; charset=utf-8"),
        ("DESCRIBE sc:nothing", "nt", "application/n-triples"),
    ],
)
def test_a_format_parameter_goes_before_the_header(served: Served, text: str, word: str, media_type: str) -> None:
    reply = served.client.get("/sparql", params={"query": text, "format": word}, headers={"Accept": "text/turtle"})
    assert reply.raise_for_status().headers["content-type"] == media_type


def test_known_prefixes_need_not_be_declared_and_can_be_declared_otherwise(served: Served) -> None:
    assert pages_in(ask(served, f"PREFIX sc: <{SC}> {COUNT}")) == PAGES
    assert pages_in(ask(served, f"PREFIX sc: <http://example.org/> {COUNT}")) == 0


def test_a_query_sees_the_graphs_that_the_request_names(served: Served) -> None:
    elsewhere = {"query": COUNT, "default-graph-uri": "http://example.org/graph"}
    assert pages_in(served.client.get("/sparql", params=elsewhere)) == 0
    assert pages_in(served.client.post("/sparql", data=elsewhere)) == 0
    only_named = {"named-graph-uri": "http://example.org/graph"}
    direct = served.client.post("/sparql", params=only_named, content=COUNT, headers=DIRECT)
    assert pages_in(direct) == 0
    odd = served.client.get("/sparql", params={"query": COUNT, "default-graph-uri": "here"})
    assert (odd.status_code, "is no IRI" in odd.text) == (400, True)


def test_what_pages_say_themselves_is_asked_for_beside_the_crawl(served: Served) -> None:
    beside = """SELECT (COUNT(DISTINCT ?page) AS ?pages) {
      ?page a sc:Page GRAPH ?page { ?thing ?property ?value } }"""
    assert pages_in(ask(served, beside)) > 1


def test_with_a_named_graph_alone_there_is_no_default_graph(served: Served) -> None:
    (row, *_) = ask(served, "SELECT * { ?page sc:statements ?n }").json()["results"]["bindings"]
    for text, expected in (
        (COUNT, 0),
        ("SELECT (COUNT(DISTINCT ?page) AS ?pages) { GRAPH ?page { ?s ?p ?o } }", 1),
        ("SELECT (COUNT(*) AS ?pages) { GRAPH ?page { ?s ?p ?o } }", int(row["n"]["value"])),
    ):
        fields = {"query": text, "named-graph-uri": row["page"]["value"]}
        assert pages_in(served.client.get("/sparql", params=fields)) == expected
        in_text = text.replace(" {", f" FROM NAMED <{row['page']['value']}> {{", 1)
        assert pages_in(ask(served, in_text)) == expected


def test_the_topic_function_of_the_crawl_can_be_called(served: Served) -> None:
    text = 'SELECT (sc:similarity("asthma of the lungs") AS ?near) {}'
    (row,) = ask(served, text).raise_for_status().json()["results"]["bindings"]
    assert float(row["near"]["value"]) > 0


def test_a_call_that_failed_does_not_spoil_the_next_query(limited: Served) -> None:
    call = 'SELECT (sc:similarity("asthma"{}) AS ?near) {{}}'
    for _ in range(3):  # whichever worker answers
        assert ask(limited, call.format(', "nobody"')).status_code == 400
    for _ in range(3):
        assert ask(limited, call.format("")).status_code == 200


def test_chance_is_not_remembered(served: Served) -> None:
    text = "SELECT (RAND() AS ?chance) {}"
    assert ask(served, text).content != ask(served, text).content


def test_head_and_options_tell_without_a_body(served: Served) -> None:
    head = served.client.head("/sparql", params={"query": COUNT})
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(ask(served, COUNT).content))
    options = served.client.options("/sparql")
    assert (options.status_code, options.content) == (204, b"")
    assert options.headers["allow"] == "GET, HEAD, POST, OPTIONS"


# What is refused


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SELECT ?x WHERE {\n ?x a }", "error at 2:8"),
        ("SELECT ?x WHERE {\n ?x ex:a ?y }", "error at 2:5, near 'ex:a ?y }': the prefix 'ex:'"),
        ("", "the query is empty"),
        ("nonsense", "error at 1:9"),
        ("SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "SERVICE"),
        ("SELECT * FROM <http://example.org/> { SERVICE SILENT ?x { } }", "SERVICE"),
        ("SELECT (sc:unheardOf(1) AS ?x) {}", "no function"),
    ],
)
def test_a_bad_query_is_told_in_words(served: Served, text: str, said: str) -> None:
    reply = ask(served, text)
    assert (reply.status_code, reply.headers["content-type"]) == (400, "text/plain; charset=utf-8")
    assert said in reply.text
    as_json = ask(served, text, Accept="application/json")
    assert as_json.json()["error"] + "\n" == reply.text


def test_the_place_of_an_error_is_told_in_json(served: Served) -> None:
    reply = ask(served, "SELECT ?x WHERE {\n ?x ex:a ?y }", Accept="application/json").json()
    assert (reply["line"], reply["column"]) == (2, 5)


@pytest.mark.parametrize("text", ["CLEAR ALL", f"PREFIX x: <{SC}> DELETE WHERE {{ ?s ?p ?o }}"])
def test_an_update_is_refused_however_it_is_sent(served: Served, text: str) -> None:
    update = {"Content-Type": "application/sparql-update"}
    replies = [
        ask(served, text),
        served.client.post("/sparql", data={"query": text}),
        served.client.post("/sparql", data={"update": text}),
        served.client.post("/sparql", content=text, headers=update),
    ]
    assert [reply.status_code for reply in replies] == [403] * 4
    assert all("can be asked, not changed" in reply.text for reply in replies)
    assert pages_in(ask(served, COUNT)) == PAGES


@pytest.mark.parametrize(
    ("method", "options", "status"),
    [
        ("PUT", {"content": COUNT, "headers": DIRECT}, 405),
        ("DELETE", {"params": {"query": COUNT}}, 405),
        ("POST", {"content": COUNT, "headers": {"Content-Type": "text/plain"}}, 415),
        ("POST", {"content": COUNT}, 415),
        (
            "POST",
            {
                "content": COUNT.encode("utf-16"),
                "headers": {"Content-Type": "application/sparql-query; charset=UTF-16"},
            },
            415,
        ),
        ("POST", {"content": b"ASK { ?s ?p '\xff' }", "headers": DIRECT}, 400),
        ("POST", {"content": b"query=%FF", "headers": FORM}, 400),
        ("POST", {"content": b"", "headers": FORM}, 400),
        ("POST", {"content": b"query=ASK+{}&query=ASK+{}", "headers": FORM}, 400),
        ("GET", {"params": [("query", "ASK {}"), ("query", "ASK {}")]}, 400),
        ("POST", {"content": b"x" * (1 << 20) + b"x", "headers": DIRECT}, 413),
        ("POST", {"content": b"&x=" * 1000, "headers": FORM}, 413),
        ("GET", {"params": {"query": COUNT}, "headers": {"Accept": "image/png"}}, 406),
        ("GET", {"params": {"query": COUNT, "format": "turtle"}}, 406),
        ("GET", {"params": {"query": SOME, "format": "csv"}}, 406),
        ("GET", {"params": {"query": NO_XML_NAME, "format": "xml"}}, 406),
    ],
)
def test_what_the_protocol_does_not_know_is_refused(
    served: Served, method: str, options: dict[str, object], status: int
) -> None:
    reply = served.client.request(method, "/sparql", **options)  # type: ignore[arg-type]
    assert reply.status_code == status
    if status == 405:
        assert "GET" in reply.headers["allow"]


def test_a_query_too_deep_for_the_engine_harms_nobody_else(served: Served) -> None:
    deep = "SELECT (" + "(" * 50_000 + "1" + ")" * 50_000 + " AS ?x) {}"
    assert served.client.post("/sparql", content=deep, headers=DIRECT).status_code >= 400
    assert pages_in(ask(served, COUNT + "# again")) == PAGES


# Limits


def test_a_cut_answer_says_so(limited: Served) -> None:
    reply = ask(limited, MANY).raise_for_status()
    assert len(reply.json()["results"]["bindings"]) == 3
    assert reply.headers["x-sparql-maxrows"] == "3"
    assert reply.json()["head"]["link"] == [f"{limited.url}/sparql#limit"]
    assert reply.headers["link"] == f'<{limited.url}/sparql#limit>; rel="describedby"'
    turtle = ask(limited, "CONSTRUCT WHERE { ?s ?p ?o }").raise_for_status()
    assert turtle.headers["x-sparql-maxrows"] == "3"
    assert turtle.text.endswith(f"# cut after 3 triples, see {limited.url}/sparql#limit\n")


def test_an_answer_that_just_fits_is_whole(limited: Served) -> None:
    reply = ask(limited, f"{MANY} LIMIT 3").raise_for_status()
    assert len(reply.json()["results"]["bindings"]) == 3
    assert "x-sparql-maxrows" not in reply.headers
    assert "link" not in reply.json()["head"]


def test_what_the_limit_means_is_in_the_service_description(limited: Served) -> None:
    store = described(limited.client.get("/sparql"))
    limit = ox.NamedNode(f"{limited.url}/sparql#limit")
    (quad,) = [quad for quad in store if quad.subject == limit]
    assert isinstance(quad.object, ox.Literal)
    assert "at most 3 rows or triples" in quad.object.value


def test_a_query_without_end_is_given_up_and_the_server_goes_on(crawled: Path) -> None:
    with running_server(crawled, timeout=0.5) as server:
        reply = ask(server, ENDLESS)
        assert reply.status_code == 504
        assert "it took more than 0.5 s: make it narrower" in reply.text
        assert "--timeout" in reply.text
        assert server.client.get("/sparql").status_code == 200


def test_who_comes_when_all_workers_are_busy_is_told_when_to_come_again(crawled: Path) -> None:
    with running_server(crawled, timeout=1) as server, ThreadPoolExecutor(40) as crowd:
        texts = [f"{ENDLESS} # {number}" for number in range(40)]
        replies = list(crowd.map(lambda text: ask(server, text), texts))
        assert {reply.status_code for reply in replies} <= {503, 504}
        busy = [reply for reply in replies if reply.status_code == 503]
        assert busy
        assert all(int(reply.headers["retry-after"]) > 0 for reply in busy)
        assert all("try again later" in reply.text for reply in busy)


def test_where_everybody_needs_the_token_the_endpoint_does(reachable: Served) -> None:
    assert ask(reachable, COUNT).status_code == 401
    assert pages_in(ask(reachable, COUNT, Authorization=f"Bearer {TOKEN}")) == PAGES


# Descriptions


def test_without_a_query_the_endpoint_describes_itself(served: Served) -> None:
    store = described(served.client.get("/sparql"))
    service = ox.NamedNode(f"{served.url}/sparql#service")
    said = {(quad.predicate.value.removeprefix(SD), str(quad.object)) for quad in store}
    assert ("endpoint", f"<{served.url}/sparql>") in said
    assert ("supportedLanguage", f"<{SD}SPARQL11Query>") in said
    formats = [quad.object for quad in store.quads_for_pattern(service, _sd("resultFormat"), None)]
    assert len(formats) == len(ROW_FORMATS) + len(GRAPH_FORMATS)
    (function,) = store.quads_for_pattern(service, _sd("extensionFunction"), None)
    assert function.object == ox.NamedNode(SC + "similarity")


def test_the_named_graphs_are_described_as_a_collection_that_can_be_listed(served: Served) -> None:
    store = described(served.client.get("/sparql"))
    (available,) = store.quads_for_pattern(None, _sd("availableGraphs"), None)
    pages = ox.NamedNode(f"{served.url}/.well-known/void#pages")
    assert available.object == pages
    assert ox.Quad(pages, ox.NamedNode(f"{RDF}type"), _sd("GraphCollection")) in store
    (more,) = store.quads_for_pattern(pages, ox.NamedNode(f"{RDFS}seeAlso"), None)
    assert isinstance(more.object, ox.NamedNode)
    rows = httpx.get(more.object.value).raise_for_status().json()["results"]["bindings"]
    graphs = ask(served, "SELECT DISTINCT ?page { GRAPH ?page { ?s ?p ?o } }").json()
    named = {row["page"]["value"] for row in graphs["results"]["bindings"]}
    assert {row["page"]["value"] for row in rows} == named


def _sd(name: str) -> ox.NamedNode:
    return ox.NamedNode(SD + name)


def test_the_description_comes_in_the_format_that_is_accepted(served: Served) -> None:
    reply = served.client.get("/sparql", headers={"Accept": "application/ld+json"})
    assert reply.headers["content-type"] == "application/ld+json"
    assert len(list(ox.parse(reply.content, format=ox.RdfFormat.JSON_LD))) > 10
    assert served.client.get("/sparql", headers={"Accept": "text/csv"}).status_code == 406


def test_a_browser_is_led_to_the_page(served: Served) -> None:
    browser = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}
    bare = served.client.get("/sparql", headers=browser)
    assert (bare.status_code, bare.headers["location"]) == (303, "/#/ask")
    asked = served.client.get("/sparql", params={"query": "ASK {}"}, headers=browser)
    assert asked.headers["location"] == "/#/ask?text=ASK%20%7B%7D"
    download = {"query": "ASK {}", "format": "csv"}
    assert served.client.get("/sparql", params=download, headers=browser).status_code == 200


def test_an_answer_shown_by_a_browser_cannot_run_anything(served: Served) -> None:
    policy = ask(served, SOME, Accept="application/rdf+xml").headers["content-security-policy"]
    assert policy == "default-src 'none'; frame-ancestors 'none'; sandbox"


def test_void_counts_what_there_is(served: Served) -> None:
    store = described(served.client.get("/.well-known/void"))
    dataset = ox.NamedNode(f"{served.url}/.well-known/void#crawl")

    def value(name: str) -> str:
        (quad,) = store.quads_for_pattern(dataset, ox.NamedNode(VOID + name), None)
        return str(getattr(quad.object, "value", ""))

    (row,) = ask(served, "SELECT (COUNT(*) AS ?n) { ?s ?p ?o }").json()["results"]["bindings"]
    assert value("triples") == row["n"]["value"]
    assert value("sparqlEndpoint") == f"{served.url}/sparql"
    classes = store.query(
        f"SELECT ?pages {{ ?d <{VOID}classPartition> ?c . ?c <{VOID}class> <{SC}Page> ; <{VOID}entities> ?pages }}"
    )
    assert isinstance(classes, ox.QuerySolutions)
    assert [solution["pages"] for solution in classes] == [ox.Literal(PAGES)]


def test_void_takes_no_name_that_is_no_iri_from_a_graph() -> None:
    counts = {"of_pages": {"statements": 0, "pages": 1}, "name": "x", "crawl": "urn:x", "properties": []}
    with pytest.raises(QueryError, match="no IRI"):
        dataset_description("http://a.test", ServeSettings(), counts | {"classes": [("urn:a> . <urn:b", 1)]})


def test_void_tells_what_pages_say_themselves_beside_the_crawl(served: Served) -> None:
    store = described(served.client.get("/.well-known/void"))
    dataset, crawl, pages = (
        ox.NamedNode(f"{served.url}/.well-known/void#{name}") for name in ("dataset", "crawl", "pages")
    )
    subsets = store.quads_for_pattern(dataset, ox.NamedNode(VOID + "subset"), None)
    assert {quad.object for quad in subsets} == {crawl, pages}

    def number(part: ox.NamedNode, name: str = "triples") -> int:
        (quad,) = store.quads_for_pattern(part, ox.NamedNode(VOID + name), None)
        assert isinstance(quad.object, ox.Literal)
        return int(quad.object.value)

    text = "SELECT (COUNT(*) AS ?n) (COUNT(DISTINCT ?g) AS ?graphs) { GRAPH ?g { ?s ?p ?o } }"
    (row,) = ask(served, text).json()["results"]["bindings"]
    assert number(pages) == int(row["n"]["value"])
    assert number(pages, "documents") == int(row["graphs"]["value"])
    assert number(dataset) == number(crawl) + number(pages)


def test_void_names_a_dump_where_the_whole_graph_can_be_had(served: Served, limited: Served) -> None:
    whole = described(served.client.get("/.well-known/void"))
    (dump,) = whole.quads_for_pattern(None, ox.NamedNode(VOID + "dataDump"), None)
    assert isinstance(dump.object, ox.NamedNode)
    triples = list(ox.parse(httpx.get(dump.object.value).content, format=ox.RdfFormat.N_TRIPLES))
    dataset = ox.NamedNode(f"{served.url}/.well-known/void#crawl")
    (count,) = whole.quads_for_pattern(dataset, ox.NamedNode(VOID + "triples"), None)
    assert count.object == ox.Literal(len(triples))
    cut = described(limited.client.get("/.well-known/void"))
    assert not list(cut.quads_for_pattern(None, ox.NamedNode(VOID + "dataDump"), None))


def test_relative_iris_are_relative_to_the_endpoint(served: Served) -> None:
    answer = ask(served, "SELECT (STR(<a>) AS ?u) (STR(<#b>) AS ?v) {}")
    (row,) = answer.json()["results"]["bindings"]
    assert {one["value"] for one in row.values()} == {f"{served.url}/a", f"{served.url}/sparql#b"}


def test_a_query_that_is_nested_too_deep_is_the_clients_mistake(served: Served) -> None:
    answer = ask(served, "SELECT * {" + "{" * 2_000 + "}" * 2_000 + "}")
    assert (answer.status_code, answer.text) == (400, "the query is nested too deep: more than 200 levels\n")
