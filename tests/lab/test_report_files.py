"""The other files of a report: Markdown, CSV, RDF; and writing them."""

from __future__ import annotations

import csv
import io
import re
from typing import TYPE_CHECKING

import pytest
import rdflib
from msgspec.structs import replace
from rdflib.namespace import RDF, RDFS, SKOS

from semcrawl.errors import ConfigError, StoreError
from semcrawl.graph import SC
from semcrawl.lab.report import csv_text, data_cube, make_report, markdown, write_report
from semcrawl.lab.results import Value
from tests.lab.made_up import HOSTILE, all_failed, made_up

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.lab.results import Results

QB = rdflib.Namespace("http://purl.org/linked-data/cube#")

# Integrity constraints of the Data Cube recommendation, section 11.1, each true where broken.
BROKEN = {
    "an observation has exactly one data set": """
        { ?o a qb:Observation . FILTER NOT EXISTS { ?o qb:dataSet ?d } }
        UNION { ?o qb:dataSet ?d1, ?d2 . FILTER (?d1 != ?d2) }""",
    "a data set has a structure": """
        ?d a qb:DataSet . FILTER NOT EXISTS { ?d qb:structure ?s }""",
    "a structure has a measure": """
        ?s a qb:DataStructureDefinition .
        FILTER NOT EXISTS { ?s qb:component/qb:measure ?m }""",
    "a dimension has a range": """
        ?p a qb:DimensionProperty . FILTER NOT EXISTS { ?p rdfs:range ?r }""",
    "a dimension of concepts has a code list": """
        ?p a qb:DimensionProperty ; rdfs:range skos:Concept .
        FILTER NOT EXISTS { ?p qb:codeList ?l }""",
    "an observation has a value of each dimension": """
        ?o qb:dataSet/qb:structure/qb:component/qb:dimension ?p .
        FILTER NOT EXISTS { ?o ?p ?v }""",
    "an observation has a value of each measure": """
        ?o qb:dataSet/qb:structure/qb:component/qb:measure ?p .
        FILTER NOT EXISTS { ?o ?p ?v }""",
    "codes are of the code list": """
        ?o qb:dataSet/qb:structure/qb:component/qb:dimension ?p .
        ?p qb:codeList ?l . ?o ?p ?v .
        FILTER NOT EXISTS { ?v a skos:Concept ; skos:inScheme ?l }""",
}


@pytest.fixture(scope="module")
def cube() -> rdflib.Graph:
    """Results with names that need escaping, as RDF, read again."""
    results = made_up(("breadth-first", f"a {HOSTILE} \u00e9:=~."), topics=("health", "b c"))
    return rdflib.Graph().parse(data=data_cube(results), format="turtle")


@pytest.mark.parametrize("name", BROKEN)
def test_the_cube_is_well_formed(cube: rdflib.Graph, name: str) -> None:
    prefixes = f"PREFIX qb: <{QB}> PREFIX skos: <{SKOS}>"
    assert not cube.query(f"{prefixes} ASK {{ {BROKEN[name]} }}").askAnswer


def test_no_two_observations_are_of_the_same(cube: rdflib.Graph) -> None:
    measured = {rdflib.URIRef(SC + name) for name in ("value", "lowEnd", "highEnd")}
    seen = [
        frozenset((p, o) for p, o in cube.predicate_objects(found) if p not in measured)
        for found in cube.subjects(RDF.type, QB.Observation)
    ]
    assert len(seen) == len(set(seen)) > 0


def test_the_cube_holds_every_value(cube: rdflib.Graph) -> None:
    results = made_up(("breadth-first", f"a {HOSTILE} \u00e9:=~."), topics=("health", "b c"))
    sc = rdflib.Namespace(SC)
    coded = [
        cube.value(predicate=RDFS.subPropertyOf, object=general)
        for general in (sc.comparedStrategy, sc.comparedTopic, sc.comparedBy)
    ]
    found = {}
    for seen in cube.subjects(sc.repetition):
        codes = [cube.value(cube.value(seen, p), SKOS.notation) for p in coded]
        numbers = [cube.value(seen, p) for p in (sc.repetition, sc.pagesFetched)]
        found[tuple(map(str, (*codes, *numbers)))] = float(str(cube.value(seen, sc.value)))
    assert found == {
        (v.contender, v.topic, v.measure, str(v.repetition), str(v.at)): pytest.approx(v.value, abs=1e-6)
        for v in results.values
    }


def test_a_value_that_does_not_apply_is_no_observation_and_an_empty_field() -> None:
    results = all_failed()
    graph = rdflib.Graph().parse(data=data_cube(results), format="turtle")
    assert (None, RDF.type, QB.Observation) not in graph
    assert csv_text(results).splitlines()[1] == "dom,health,0,harvest-rate,100,"


def test_the_csv_has_one_row_for_each_value_with_all_its_digits() -> None:
    odd = Value('say "a,\nb"', HOSTILE, 1, "loss", 500, 1 / 3)
    results = replace(made_up(), values=(*made_up().values, odd))
    rows = list(csv.DictReader(io.StringIO(csv_text(results))))
    assert len(rows) == len(results.values)
    assert rows[-1] == {
        "contender": odd.contender,
        "topic": HOSTILE,
        "repetition": "1",
        "measure": "loss",
        "pages": "500",
        "value": repr(1 / 3),
    }


def markdown_rows(text: str) -> list[list[str]]:
    return [re.split(r"(?<!\\)\|", line)[1:-1] for line in text.splitlines() if line.startswith("|")]


@pytest.mark.parametrize("results", [made_up(), all_failed()], ids=["rich", "all failed"])
def test_tables_in_markdown_have_as_many_cells_in_every_row(results: Results) -> None:
    width = 0
    text = markdown(make_report(results))
    for line in text.splitlines():
        if not line.startswith("|"):
            width = 0
            continue
        [cells] = markdown_rows(line)
        assert len(cells) == (width or len(cells)), line
        width = len(cells)


def test_markdown_shows_hostile_texts_and_runs_and_links_none() -> None:
    results = replace(made_up(), title=f"[x](http://evil.test) {HOSTILE}")
    text = markdown(make_report(results))
    outside_code = re.sub(r"`[^`]*`", "", text)
    assert "<" not in outside_code
    assert "http:" not in outside_code
    assert re.findall(r"(?<!\\)\]\(([^)]*)\)", text) == [
        f"figures/{figure.name}.svg" for figure in make_report(results).figures()
    ]


def test_the_best_is_bold_in_markdown_with_its_interval() -> None:
    assert "| **0.237** (0.202 to 0.273) |" in markdown(make_report(made_up()))


def test_markdown_has_findings_values_and_the_matrix() -> None:
    text = markdown(make_report(made_up()))
    assert "| ✓ reproduced | ssrm finds more than breadth-first. |" in text
    assert "**▲ .029**" in text


def test_a_report_is_written_with_all_its_files(tmp_path: Path) -> None:
    written = write_report(made_up(), tmp_path / "new" / "folder", png=False)
    names = {str(path.relative_to(tmp_path / "new" / "folder")) for path in written}
    assert {"report.html", "report.md", "results.csv", "results.ttl"} <= names
    assert "figures/curves-harvest-rate.svg" in names
    assert all(path.is_file() for path in written)
    text = (tmp_path / "new" / "folder" / "report.md").read_text(encoding="utf-8")
    for figure in re.findall(r"\]\((figures/[^)]*)\)", text):
        assert figure in names


def test_the_same_results_give_the_same_files(tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_report(made_up(), tmp_path / name, png=False)
    for path in (tmp_path / "a").rglob("*.*"):
        assert path.read_bytes() == (tmp_path / "b" / path.relative_to(tmp_path / "a")).read_bytes()


def test_png_comes_with_the_extra_and_is_an_error_without_it_only_when_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("resvg_py", reason="the extra figures is not installed")
    few = replace(made_up(("a", "b")), bars={})
    assert [p for p in write_report(few, tmp_path) if p.suffix == ".png"]
    monkeypatch.setattr("semcrawl.lab.report.find_spec", lambda name: None)
    assert not [p for p in write_report(few, tmp_path) if p.suffix == ".png"]
    with pytest.raises(ConfigError, match=r"semcrawl\[figures\]"):
        write_report(few, tmp_path, png=True)


def test_a_folder_that_cannot_be_written_is_an_error_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(StoreError, match="taken"):
        write_report(all_failed(), tmp_path / "taken")


def test_a_part_of_an_experiment_has_names_of_its_own_in_rdf() -> None:
    whole, part = (
        rdflib.Graph().parse(data=data_cube(replace(made_up(), name=name)), format="turtle")
        for name in ("classic", "classic-part")
    )
    shared = set(whole.subjects()) & set(part.subjects())
    assert all(str(one).startswith(SC) for one in shared if isinstance(one, rdflib.URIRef))
    assert rdflib.URIRef("urn:semcrawl:lab:classic-part:values") in set(part.subjects())
