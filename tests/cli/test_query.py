from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
import rdflib

from semcrawl.graph.queries import find_query, why_empty
from semcrawl.graph.store import OxigraphStore
from tests.cli.conftest import SEED, Ran

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Ran]


COMMAND = [sys.executable, "-c", "from semcrawl.cli.main import main; main()"]


def test_a_named_query_with_a_parameter(run: Run, crawled: Path) -> None:
    lines = run("query", crawled, "best-pages", "limit=2").out.splitlines()
    assert lines[0].split() == ["url", "title", "relevance"]
    assert len(lines) == 3


def test_a_text_needs_no_prefixes(run: Run, crawled: Path) -> None:
    done = run("query", crawled, "SELECT ?u WHERE { ?u a sc:Seed }", "--format", "csv")
    assert done == Ran(0, f"u\n{SEED}\n", "")


def test_a_query_file_of_ones_own(run: Run, crawled: Path, tmp_path: Path) -> None:
    (tmp_path / "deep.rq").write_text(
        "# Deep: URLs at a depth.\n# @param depth  the depth\n"
        "SELECT ?u { VALUES ?depth { 0 } ?u sc:depth ?depth } ORDER BY ?u"
    )
    done = run("query", crawled, "deep.rq", "depth=2", "--format", "csv")
    assert done.out.splitlines()[1:] == ["http://a.test/asthma2", "http://a.test/vans", "http://b.test/"]


def test_a_page_cannot_steer_the_terminal(run: Run, crawled: Path) -> None:
    done = run("query", crawled, "best-pages")
    assert "Asthma [bold]\ufffd[31m" in done.out
    assert "\x1b" not in done.out
    # A program gets what was read.
    assert "Asthma [bold]\x1b[31m" in run("query", crawled, "best-pages", "--format", "csv").out


def test_a_query_that_comes_along_needs_no_copy(run: Run, crawled: Path) -> None:
    assert run("query", crawled, "examples/languages.rq").out.startswith("language  pages\n")


def test_yes_and_no(run: Run, crawled: Path) -> None:
    assert run("query", crawled, "ASK { ?u a sc:Page }").out == "yes\n"
    assert run("query", crawled, "ASK { ?u a sc:Nothing }").out == "no\n"
    answer = run("query", crawled, "ASK { ?u a sc:Page }", "--format", "json").out
    assert json.loads(answer)["boolean"] is True
    assert answer.endswith("}\n")


@pytest.mark.parametrize("form", ["csv", "tsv", "json"])
def test_rows_for_programs(run: Run, crawled: Path, form: str) -> None:
    text = run("query", crawled, "harvest", "--format", form).out
    if form == "json":
        rows = json.loads(text)["results"]["bindings"]
    else:
        rows = list(csv.reader(io.StringIO(text), delimiter="," if form == "csv" else "\t"))[1:]
    assert len(rows) == 6


@pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")
@pytest.mark.parametrize(
    ("form", "reader"), [("turtle", "turtle"), ("ntriples", "nt"), ("jsonld", "json-ld"), ("rdfxml", "xml")]
)
def test_triples_for_programs(run: Run, crawled: Path, form: str, reader: str) -> None:
    text = run("query", crawled, "CONSTRUCT WHERE { ?u a sc:Seed }", "--format", form).out
    assert len(rdflib.Graph().parse(data=text, format=reader)) == 1


def test_nothing_found_is_said_beside_the_answer(run: Run, crawled: Path) -> None:
    done = run("query", crawled, "why-dropped", f"url={SEED}", "--format", "csv")
    assert done == Ran(0, "reason,explanation,found_on\n", "(nothing found)\n")


def test_why_was_a_url_dropped(run: Run, crawled: Path) -> None:
    done = run("query", crawled, "why-dropped", "url=http://a.test/gone")
    assert "sc:NotInReplay" in done.out
    assert SEED in done.out


def test_a_misspelt_property_explains_an_empty_answer(run: Run, crawled: Path) -> None:
    done = run("query", crawled, "SELECT ?u { ?u sc:relevence ?r ; a sc:Page }")
    assert done.err == ("(nothing found)\nnothing in this crawl has sc:relevence (did you mean sc:relevance?)\n")


def test_a_name_of_another_vocabulary_may_be_meant(run: Run, crawled: Path) -> None:
    told = "sc:titel (did you mean dcterms:title?) or rdfs:label (did you mean skos:prefLabel?)"
    done = run("query", crawled, "ASK { ?page sc:titel ?title ; rdfs:label ?label }")
    assert done.err == f"nothing in this crawl has {told}\n"


@pytest.mark.parametrize(
    "asked",
    ["ASK { ?u a sc:Pagee }", "SELECT (COUNT(*) AS ?n) { ?u a sc:Pagee }", "SELECT (MAX(?u) AS ?m) { ?u a sc:Pagee }"],
)
def test_a_no_and_a_count_of_nothing_are_explained_too(run: Run, crawled: Path, asked: str) -> None:
    assert run("query", crawled, asked).err == "nothing in this crawl has sc:Pagee (did you mean sc:Page?)\n"


def test_an_answer_that_found_something_is_not_explained(run: Run, crawled: Path) -> None:
    for asked in ("ASK { ?u a sc:Page }", "SELECT (COUNT(*) AS ?n) { { ?u a sc:Page } UNION { ?u a sc:Pagee } }"):
        assert run("query", crawled, asked).err == ""


def test_a_property_that_only_pages_use_explains_an_empty_answer() -> None:
    store = OxigraphStore()
    store.update("INSERT DATA { <urn:a> sc:relevance 1 . GRAPH <urn:a> { <urn:b> schema:name 'b' } }")
    asked = "?thing sc:relevance ?r . ?thing schema:name ?name"
    [note] = why_empty(store, f"SELECT * {{ {asked} }}")
    assert note == "only pages themselves say schema:name: write GRAPH ?page { … } around that part"
    assert list(why_empty(store, f"SELECT * {{ GRAPH ?page {{ {asked} }} }}")) == []


def test_how_a_query_begins_is_told(run: Run, crawled: Path) -> None:
    misspelt = run("query", crawled, "SELEC ?p { ?p a sc:Page }")
    misspelt.fails(2, "near '{ ?p a sc:Page }': a query begins with SELECT, ASK, CONSTRUCT or DESCRIBE")


def test_a_brace_that_is_missing_is_told(run: Run, crawled: Path) -> None:
    done = run("query", crawled, "SELECT ?u { ?u a sc:Page ")
    assert done.err.endswith(": a } is missing\n")


def test_a_property_of_ours_that_no_page_has_is_told_without_a_guess(run: Run, crawled: Path) -> None:
    done = run("query", crawled, "SELECT ?u { ?u sc:marked ?r FILTER(xsd:integer(?r) > 0) }")
    assert done.err == "(nothing found)\nnothing in this crawl has sc:marked\n"


def test_the_list_of_queries_has_a_line_for_each_that_people_ask(run: Run) -> None:
    listed = run("query", "--list").out.splitlines()
    assert any(line.startswith("best-pages ") for line in listed)
    assert any(line.startswith("best-hubs ") for line in listed)
    assert not any(line.startswith(("page-rows ", "resume ")) for line in listed)


def test_the_whole_list_of_queries_needs_no_crawl(run: Run) -> None:
    done = run("query", "--all")
    assert run("query", "--list", "--all") == run("query", "--all", "--list") == done
    assert done.code == 0
    assert "\nmonitor: how a crawl is doing\n" in done.out
    assert "  best-pages " in done.out
    assert "[min_relevance=0.0] [limit=20]" in done.out
    assert "url=IRI" in done.out
    assert max(map(len, done.out.splitlines())) <= 100


def test_one_query_in_full_with_its_help(run: Run) -> None:
    done = run("query", "--show", "best-pages")
    assert done.code == 0
    assert done.out == find_query("best-pages").text
    assert "# @param limit          how many pages" in done.out


def test_an_unknown_query_cannot_be_shown(run: Run) -> None:
    run("query", "--show", "best-page").fails(2, "did you mean best-pages")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["SELECT * WHERE { ?a ?b"], "error at 1:23, after 'SELECT * WHERE { ?a ?b'"),
        (["SELECT * { ?a foo:b ?c }"], "error at 1:15, near 'foo:b ?c }': the prefix 'foo:'"),
        (["SELECT ?x { ?x a sc:Page }\nLIMIT many"], "error at 2:7, near 'many'"),
        (["SELECT ?x (COUNT(*) AS ?n) { ?x a ?y }"], "contains a variable that is unbound"),
        ([""], "the query is empty"),
        (["INSERT DATA { <a:a> <b:b> <c:c> }"], "can be asked, not changed"),
        (["PREFIX a: <b:b> # new\nDELETE WHERE { ?a ?b ?c }"], "can be asked, not changed"),
        (["clear all"], "can be asked, not changed"),
        (["SELECT * { SERVICE <http://a.test/> { ?s ?p ?o } }"], "uses SERVICE"),
        (["best-page"], "there is no query 'best-page'; did you mean best-pages"),
        (["best-pages", "limit=x"], "limit=x is no integer"),
        (["best-pages", "limit=-3"], "limit must not be negative"),
        (["best-pages", "max=3"], "has no parameter 'max'; it takes: min_relevance, limit"),
        (["best-pages", "query=3"], "has no parameter 'query'"),
        (["best-pages", "3"], "'3' is no parameter: write name=value"),
        (["why-dropped"], "needs the parameter 'url'"),
        (["why-dropped", "url=foo"], "'foo' is no IRI"),
        (["ASK { ?a ?b ?c }", "a=b"], "parameters are for named queries and files"),
        (["gone.rq"], "cannot read the query file gone.rq: No such file"),
        (["harvest", "--format", "turtle"], "rows cannot be written as 'turtle'"),
        (["CONSTRUCT WHERE { ?u a sc:Seed }", "--format", "csv"], "triples cannot be written as"),
        (["harvest", "--timeout", "-1"], "'--timeout': -1.0 is not in the range"),
        ([], "which query? 'semcrawl query --list' lists those that have a name"),
    ],
)
def test_a_query_that_cannot_be_asked_is_one_line(run: Run, crawled: Path, words: list[str], message: str) -> None:
    run("query", crawled, *words).fails(2, message)


def test_a_query_that_takes_too_long_is_ended(crawled: Path) -> None:
    product = " ".join(f"?a{n} ?b{n} ?c{n} ." for n in range(6))
    words = ["query", str(crawled), f"SELECT (COUNT(*) AS ?n) {{ {product} }}", "--timeout", "0.5"]
    done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, timeout=60, check=False)
    Ran(done.returncode, done.stdout, done.stderr).fails(1, "took more than 0.5 s", "--timeout")


def test_a_query_that_takes_too_much_memory_is_ended(crawled: Path) -> None:
    doubled = " ".join(f"BIND(CONCAT(?x{n}, ?x{n}) AS ?x{n + 1})" for n in range(40))
    asked = f"SELECT (STRLEN(?x40) AS ?n) {{ BIND('0123456789' AS ?x0) {doubled} }}"
    small = "import semcrawl.cli.query as q; q._MOST_MEMORY = 300 << 20; from semcrawl.cli.main import main; main()"
    words = [COMMAND[0], "-c", small, "query", str(crawled), asked]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    Ran(done.returncode, done.stdout, done.stderr).fails(1, "took more than 300 MB of memory", "--timeout 0")


def test_a_reader_that_has_seen_enough_is_no_error(crawled: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "query", str(crawled), "harvest"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as command:
        assert command.stdout is not None
        assert command.stderr is not None
        command.stdout.close()  # as head does, before a line is written
        assert command.stderr.read() == b""
        assert command.wait(timeout=60) == 0
