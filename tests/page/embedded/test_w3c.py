"""The W3C's suites for RDFa, Microdata and JSON-LD, where ``$SEMCRAWL_DATA/w3c`` has them.

Each case that is left out says why; one that is left out and passes fails the test.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyoxigraph as ox
import pytest

from semcrawl.page import read_html
from semcrawl.page.embedded.json_ld import json_ld_document
from semcrawl.page.embedded.statements import embedded_statements

ROOT = Path(__file__).parents[3]
DATA = Path(os.environ.get("SEMCRAWL_DATA", ROOT.parent / "shared" / "data")) / "w3c"
RDFA, MICRODATA = DATA / "rdfa1.1-html5", DATA / "microdata-rdf"
JSON_LD, HTML = DATA / "json-ld-toRdf", DATA / "json-ld-html"
SCHEMA_ORG = "http://schema.org/", "https://schema.org/"  # as the suites have it, and as we do

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="there is no w3c in $SEMCRAWL_DATA")

EXPANSION = "vocabularies are not fetched"
EXPERIMENTAL = "the suite calls it experimental"
REMOTE = "contexts are never fetched"
GENERALISED = "blank nodes as predicates are no RDF"
DIRECTION = "not normative; directions are left out, as other tools cannot read them"
MENDED = "what is wrong with an IRI or a language is mended, not dropped"
OF_1_0 = "a rule of JSON-LD 1.0 that 1.1 has lifted, or the parser's version of it"
OPTION = "an option of the API that a page cannot set"
PARSER = "as pyoxigraph reads it"
LEFT_OUT = {
    "microdata": {EXPANSION: "0073 0074", EXPERIMENTAL: "0081 0082 0084"},
    "json-ld": {
        REMOTE: "c031 c034 e126 e127 e128 so05 so06 so08 so09 so11 js21",
        GENERALISED: "0118 e075",
        DIRECTION: "di09 di10 di11 di12",
        MENDED: "wf01 wf03 wf04 wf05 wf07 e123",
        OF_1_0: "e026 e071 er24 er32 er42 tn01",
        OPTION: "e077 e091",
        PARSER: "0122 0123 c013 e062 e115 e116 li12",
    },
}


def left_out(suite: str) -> dict[str, str]:
    return {case: why for why, cases in LEFT_OUT[suite].items() for case in cases.split()}


def cases(manifest: Path, key: str) -> list[dict[str, Any]]:
    if not manifest.is_file():
        return []
    found = json.loads(manifest.read_text(encoding="utf-8"))
    return list(found[key] if key in found else found["@graph"][0][key])


def canonical(triples: Iterable[ox.Triple]) -> set[str]:
    text = (ox.serialize(triples, format=ox.RdfFormat.N_TRIPLES) or b"").decode()
    # Names of blank nodes depend on what is said of them, so the spelling must be one before.
    lines = ox.parse(text.replace(SCHEMA_ORG[1], SCHEMA_ORG[0]), format=ox.RdfFormat.N_TRIPLES)
    dataset = ox.Dataset(lines)
    dataset.canonicalize(ox.CanonicalizationAlgorithm.UNSTABLE)
    return {str(quad) for quad in dataset}


def expected(file: Path, base: str = "") -> set[str]:
    form = ox.RdfFormat.TURTLE if file.suffix == ".ttl" else ox.RdfFormat.N_QUADS
    quads = ox.parse(file.read_bytes(), format=form, base_iri=base or None)
    return canonical(quad.triple for quad in quads)


def judge(failed: set[str], suite: str) -> None:
    wrong = failed ^ left_out(suite).keys()
    assert not wrong, f"failing and not left out, or left out and passing: {sorted(wrong)}"


def test_rdfa_in_html() -> None:
    failed = set()
    for case in cases(RDFA / "manifest.jsonld", "@graph"):
        if "html5" in case["hostLanguages"] and "rdfa1.1" in case["versions"]:
            number = case["num"]
            base = f"http://rdfa.info/test-suite/test-cases/rdfa1.1/html5/{number}.html"
            page = read_html((RDFA / f"{number}.html").read_text(encoding="utf-8"), base)
            store = ox.Store()
            store.extend(ox.Quad(*triple) for triple in page.statements.triples)
            question = (RDFA / f"{number}.sparql").read_text(encoding="utf-8").replace(*SCHEMA_ORG)
            if bool(store.query(question)) != (str(case["expectedResults"]).lower() == "true"):
                failed.add(number)
    assert not failed


def test_microdata() -> None:
    failed = set()
    for case in cases(MICRODATA / "manifest.jsonld", "entries"):
        base = f"http://w3c.github.io/microdata-rdf/tests/{case['action']}"
        text = (MICRODATA / case["action"]).read_text(encoding="utf-8")
        said = canonical(embedded_statements(text, base).triples)
        if "result" in case and said != expected(MICRODATA / case["result"], base):
            failed.add(case["action"].removesuffix(".html"))
    judge(failed, "microdata")


def test_json_ld_documents() -> None:
    judge({case["@id"][2:] for case in _failing(JSON_LD / "toRdf-manifest.jsonld")}, "json-ld")


def _failing(manifest: Path) -> Iterator[dict[str, Any]]:
    for case in cases(manifest, "sequence"):
        folder, file = manifest.parent, case["input"].rpartition("/")[2]
        base = case.get("option", {}).get("base") or f"https://w3c.test/{case['input']}"
        base = base.replace("https://w3c.test/", "https://w3c.github.io/json-ld-api/tests/")
        text = (folder / file).read_text(encoding="utf-8")
        said = canonical(json_ld_document(text, base, []))
        if "expect" not in case:
            is_refused = any("Negative" in kind for kind in case["@type"])
            if is_refused and said:
                yield case
            continue
        try:
            if said != expected(folder / case["expect"].rpartition("/")[2]):
                yield case
        except SyntaxError:
            yield case


def test_json_ld_in_html() -> None:
    failed = []
    for case in cases(HTML / "html-manifest.jsonld", "sequence"):
        options = case.get("option", {})
        # A crawler reads all blocks of a page: cases that ask for one by its name, or for the
        # first alone, are not about it; nor are those that expand or compact.
        is_whole = options.get("extractAllScripts") and "#" not in case["input"]
        if "jld:ToRDFTest" not in case["@type"] or "expect" not in case or not is_whole:
            continue
        url = f"https://w3c.github.io/json-ld-api/tests/{case['input']}"
        text = (HTML / case["input"].rpartition("/")[2]).read_text(encoding="utf-8")
        said = canonical(embedded_statements(text, url).triples)
        if said != expected(HTML / case["expect"].rpartition("/")[2]):
            failed.append(case["@id"])
    assert not failed
