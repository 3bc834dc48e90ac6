"""Reading a SPARQL text by its tokens; what the engine reads is the measure."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import QueryError
from semcrawl.graph.sparql_text import kind_of, undeclared_prefixes, uses_service, variables
from semcrawl.graph.store import OxigraphStore

AWAY = "<http://127.0.0.1:1/sparql>"

# Places where a word is no keyword: each holds one text.
HARMLESS = ["# {}\n", '"{}"', "'{}'", '"""{}"""', "'''{}'''", "<urn:{}>", "<http://a.test/#{}>"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("SELECT * { ?s ?p ?o }", "select"),
        ("select*{?s ?p ?o}", "select"),
        ("ASK { ?s ?p ?o }", "ask"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "construct"),
        ("DESCRIBE <urn:a>", "describe"),
        ("# DELETE\nPREFIX select: <urn:INSERT> BASE <urn:b> ASK {}", "ask"),
        ('VERSION "1.2" PREFIX : <urn:a> SELECT ?x {}', "select"),
        ("INSERT DATA { <urn:a> <urn:b> <urn:c> }", "update"),
        ("PREFIX a: <urn:a> WITH <urn:g> DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }", "update"),
        ("clear all", "update"),
        ("LOAD <urn:a>", "update"),
        ("", "unknown"),
        ("PREFIX", "unknown"),
        ("?x", "unknown"),
        ("'SELECT'", "unknown"),
        ("SELECTED ?x", "unknown"),
    ],
)
def test_the_first_keyword_tells_the_kind(text: str, kind: str) -> None:
    assert kind_of(text) == kind


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SELECT ?url ?priority WHERE { ?url sc:priority ?priority }", ("url", "priority")),
        ("SELECT DISTINCT $url{}", ("url",)),
        ("SELECT ?a # ?b\n ?c FROM <urn:?d> { ?e ?f ?g }", ("a", "c")),
        ("SELECT (MAX(?x) + COUNT(?y) AS ?n) (1 AS ?m) {}", ("n", "m")),
        ("SELECT (EXISTS { SELECT ?z { ?z ?p (1 2) } } AS ?is) ?w {}", ("is", "w")),
        ("SELECT (STR(' AS ?no) ') AS ?yes) {}", ("yes",)),
        ("SELECT * { { SELECT ?url {} } }", ()),
        ("PREFIX a: <urn:a> SELECT ?été {}", ("été",)),
        ("ASK { ?a ?b ?c }", ()),
        ("CONSTRUCT { ?a ?b ?c } WHERE { ?a ?b ?c }", ()),
        ("", ()),
    ],
)
def test_the_variables_of_the_rows(text: str, names: tuple[str, ...]) -> None:
    assert variables(text) == names


@pytest.mark.parametrize(
    "text",
    ["SELECT (?a<?b AS ?x) (?a>?b AS ?y) { ?a ?p ?b }", "SELECT ?x (COUNT(*) AS ?n) { ?x a sc:Page } GROUP BY ?x"],
)
def test_the_engine_gives_the_same_variables(text: str) -> None:
    assert OxigraphStore().query(text).variables == variables(text)


@pytest.mark.parametrize(
    "text",
    [
        f"SELECT * {{ SERVICE {AWAY} {{ ?s ?p ?o }} }}",
        f"SELECT * {{ service{AWAY}{{ ?s ?p ?o }} }}",
        f"SELECT * {{ SERVICE SILENT {AWAY} {{ ?s ?p ?o }} }}",
        f"SELECT * {{ SERVICESILENT{AWAY}{{ ?s ?p ?o }} }}",
        f"SELECT * {{ VALUES ?x {{ {AWAY} }} SERVICE?x{{ ?s ?p ?o }} }}",
        f"SELECT * {{ {{}}SERVICE{AWAY}{{ ?s ?p ?o }} }}",
        f"SELECT * {{ ?s ?p 1SERVICE {AWAY} {{ ?s ?p ?o }} }}",
        f"SELECT * {{ ?s ?p true.SERVICE {AWAY} {{ ?s ?p ?o }} }}",
        f'SELECT * {{ ?s ?p "x"SERVICE {AWAY} {{ ?s ?p ?o }} }}',
        f"SELECT * {{ # a comment ends here\r SERVICE {AWAY} {{ ?s ?p ?o }} }}",
        f"ASK {{ FILTER EXISTS {{ SERVICE {AWAY} {{ ?s ?p ?o }} }} }}",
        # The engine needs no space between the keyword and a name.
        f"PREFIX : {AWAY} SELECT * {{ SERVICE:a{{ ?s ?p ?o }} }}",
        f"PREFIX ex: {AWAY} SELECT * {{ SERVICEex:a {{ ?s ?p ?o }} }}",
        f"PREFIX ex: {AWAY} SELECT * {{ ?s a trueSERVICESILENTex:a {{ ?s ?p ?o }} }}",
        # An escaped apostrophe begins no string.
        f"SELECT * {{ ?s ?p sc:o\\'neil . SERVICE {AWAY} {{ ?s ?p ?o }} #'\n }}",
        # Three quotes may be two and one.
        f"SELECT * {{ VALUES ?x {{ '''a' }} SERVICE {AWAY} {{ ?s ?p ?o }} }}",
        # What looks like an IRI is "less than", and then a comment or a string.
        f"SELECT * {{ ?s ?p ?o FILTER(?s<?o)SERVICE#>\n{AWAY}{{ ?s ?p ?o }} }}",
        f'SELECT * {{ ?s ?p ?o FILTER(?s<sc:a#>"""\n)SERVICE {AWAY} {{ ?s ?p ?o }} #"""\n }}',
        f"SELECT * {{ ?s ?p ?o FILTER(?s<'x>y')SERVICE {AWAY} {{ ?s ?p ?o }} #'\n }}",
    ],
)
def test_a_query_that_the_engine_would_send_elsewhere_is_refused(text: str) -> None:
    store = OxigraphStore()
    store.raw.query(text, prefixes={"sc": "urn:sc:"})  # the engine can read it
    with pytest.raises(QueryError, match="uses SERVICE, which would reach another server"):
        store.query(text)


def test_an_escaped_keyword_counts_for_engines_that_unescape_first() -> None:
    assert uses_service(f"SELECT * {{ SERVI\\u0043E {AWAY} {{ ?s ?p ?o }} }}")
    assert uses_service(f"SELECT * {{ #\\u000ASERVICE {AWAY} {{ ?s ?p ?o }}\n }}")


@pytest.mark.parametrize(
    "text",
    [
        "SELECT ?service { ?service a sc:Page }",
        "SELECT $service { ?s ?p $service }",
        "PREFIX service: <http://a.test/> SELECT * { ?s service:x ?o }",
        "PREFIX service: <http://a.test/> SELECT * { GRAPH service:g { ?s ?p ?o } }",
        "SELECT * { ?s sc:SERVICE 'x'@service }",
        "SELECT * { ?s a <http://a.test/service#Thing> }",
        'SELECT * { ?s ?p "say \\"hi\\" SERVICE" }',
        'SELECT * { ?s ?p """a "quoted" SERVICE""" }',
        "SELECT * { _:service ?p ?o }",
    ],
)
def test_the_word_alone_is_harmless(text: str) -> None:
    assert not uses_service(text)
    OxigraphStore().query(text)


@given(st.sampled_from(HARMLESS), st.sampled_from(HARMLESS), st.booleans())
def test_the_keyword_is_seen_between_places_where_it_is_harmless(before: str, after: str, real: bool) -> None:
    word = "SERVICE" if real else "OPTIONAL"
    text = f"SELECT * {{ {before.format('SERVICE')} {word} {after.format('SERVICE')} {{}} }}"
    assert uses_service(text) is real


@given(st.text(alphabet="SELECTaservice?$:<>#'\"\\{}()., \n\r1@u0"))
def test_any_text_can_be_read(text: str) -> None:
    assert kind_of(text) in {"select", "ask", "construct", "describe", "update", "unknown"}
    assert all(name in text for name in variables(text))
    assert uses_service(text) in {True, False}
    if "service" not in text.lower() and "\\u" not in text:
        assert not uses_service(text)


@given(st.lists(st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True), unique=True, min_size=1))
def test_what_is_projected_is_read_back(names: list[str]) -> None:
    assert variables(f"SELECT {' '.join('?' + name for name in names)} WHERE {{}}") == tuple(names)


@pytest.mark.parametrize(
    ("text", "prefixes"),
    [
        ("SELECT ?x { ?x a sc:Page }", {"sc": (1, 18)}),
        ("prefix sc: <http://a/> SELECT ?x { ?x a sc:Page }", {}),
        ("SELECT ?x { ?x a :Page ; <http://a/b:c> 'd:e' } # f:g", {"": (1, 18)}),
        ("SELECT ?x {\n  _:b ^ex:p/ex:q ?x .\n  ?x ex:r '1'^^xsd:int }", {"ex": (2, 8), "xsd": (3, 16)}),
    ],
)
def test_prefixes_that_are_used_and_not_declared(text: str, prefixes: dict[str, tuple[int, int]]) -> None:
    assert undeclared_prefixes(text) == prefixes


def test_an_unknown_prefix_is_told_at_its_place() -> None:
    with pytest.raises(QueryError, match=r"error at 1:17, near 'ex:p .*: the prefix 'ex:' is not"):
        OxigraphStore().query("SELECT * { ?a   ex:p ?b }")


MANY = 20_000


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * {" + "{" * MANY + "}" * MANY + "}",
        "SELECT * {" + "OPTIONAL {?a ?b ?c " * 2000 + "}" * 2000 + "}",
        "SELECT * {" + "{SELECT * {" * 2000 + "}}" * 2000 + "}",
        "SELECT * {" + " ".join(f"?a{n} ?b ?c{n} ." for n in range(50_000)) + "}",
        "SELECT * {" + " UNION ".join(["{?a ?b ?c}"] * MANY) + "}",
        "SELECT * {FILTER(" + "(" * MANY + "1" + ")" * MANY + ")}",
        "SELECT * {FILTER(" + "!" * MANY + "true)}",
        "SELECT * {FILTER(" + "+".join("1" * MANY) + ")}",
        "SELECT * {FILTER(1 IN (" + "+".join("1" * MANY) + "))}",
        "SELECT * {?a " + "/".join(["<urn:a>"] * MANY) + " ?b}",
        "SELECT * {?x ?y " + "<<( ?a ?b " * 8000 + "?c" + " )>>" * 8000 + "}",
        "SELECT * {" + "\\u007B" * MANY + "\\u007D" * MANY + "}",
        "SELECT * {FILTER(?a<'>' && " + "(" * MANY + "1" + ")" * MANY + " && 'x'>?b)}",
        "SELECT * {FILTER(?a<" + "(" * MANY + "1" + ")" * MANY + ">?b)}",
        "# " + "x" * 5_000_000 + "\nASK {}",
        "ASK {" + "<<" * 201 + "?s ?p ?o" + ">> ?p ?o" * 201 + "}",
        "ASK { ?s ?p ?o" + "{| ?p ?o " * 201 + "|}" * 201 + "}",
        "ASK { ?s a" + "/a" * 201 + " ?o }",
    ],
)
def test_a_query_that_would_end_the_process_is_refused_before_the_engine_sees_it(text: str) -> None:
    with pytest.raises(QueryError, match=r"too (deep|long|large)"):
        OxigraphStore().query(text)


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * { VALUES ?u {" + " ".join(f"<http://a.test/{n}>" for n in range(20_000)) + "} }",
        "SELECT * { VALUES (?u ?n) {" + f"(<urn:a> 'x') (UNDEF {-1}) " * 5_000 + "} }",
        "ASK { ?a ?b ?c FILTER(?a IN (" + ", ".join(["sc:a", "'b'@en", "2"] * 5_000) + ")) }",
        "ASK { FILTER(" + "(" * 100 + "true" + ")" * 100 + ") }",
        "ASK {" + "{" * 100 + "}" * 100 + "}",
        "ASK { VALUES (?s ?p ?o) {(1 2 3)} " + "FILTER(1 < 2 && 3 > 2) " * 250 + "}",
        "ASK { ?s a" + "/a" * 50 + " ?o . " + "<<?a ?b <http://a.test/b/c>>> ?c ?d . " * 20 + "}",
        "ASK { ?a ?b '''" + "{" * 10_000 + "''' } # " + "(" * 10_000,
    ],
)
def test_long_lists_of_values_and_common_nesting_are_answered(text: str) -> None:
    OxigraphStore().query(text)


@pytest.mark.parametrize("start", ["'", '"', "'''", '"""'])
def test_a_long_string_without_end_is_read_once(start: str) -> None:
    text = "SELECT * { ?s ?p " + start + ("\\" + start[0]) * 400_000
    with pytest.raises(QueryError, match="too large"):
        OxigraphStore().query(text)
