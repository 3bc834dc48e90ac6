"""A crate describes itself, opens in an RO-Crate reader, and is written whole or not at all."""

from __future__ import annotations

import json
import resource
import signal
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import rdflib
from lxml import html
from rdflib.namespace import DCTERMS, RDF

from semcrawl import Crawl
from semcrawl.crawl.deposit import write_crate
from semcrawl.errors import ConfigError, FolderTakenError, StoreError
from semcrawl.graph import SC
from semcrawl.web.warc_writer import WarcArchive
from tests.graph.export.conftest import PAGES, RELEVANT, make_crawl
from tests.web.test_warc_writer import exchange

ABOUT: dict[str, Any] = {
    "title": 'Asthma "on the web"\n',
    "creator": ["Ann Lee <https://orcid.org/0000-0002-1825-0097>", "Bob"],
    "licence": "CC-BY-4.0",
    "contact": "ann@a.test",
}


@pytest.fixture(scope="module")
def crawl(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A crawl of four pages, in memory."""
    with make_crawl(tmp_path_factory.mktemp("crate"), PAGES) as made:
        yield made


def entities(crate: Path) -> dict[str, Any]:
    document = json.loads((crate / "ro-crate-metadata.json").read_text(encoding="utf-8"))
    return {entity["@id"]: entity for entity in document["@graph"]}


def test_a_reader_of_ro_crates_opens_it(crawl: Crawl, tmp_path: Path) -> None:
    rocrate = pytest.importorskip("rocrate.rocrate", reason="rocrate is not installed: extra 'dev'")
    assert write_crate(crawl.graph, tmp_path / "crate", **ABOUT) == 3
    opened = rocrate.ROCrate(tmp_path / "crate")
    assert opened.name == 'Asthma "on the web"'
    assert opened.license.id == "https://creativecommons.org/licenses/by/4.0/"
    people = [entity for entity in opened.get_entities() if entity.type == "Person"]
    assert [person["name"] for person in people] == ["Ann Lee", "Bob"]
    listed = {entity.id for entity in opened.data_entities}
    assert {"collection.ttl", "pages.csv", "topic.toml"} <= listed
    assert all((tmp_path / "crate" / name).is_file() for name in listed)


def test_every_term_is_in_the_context_of_ro_crate(crawl: Crawl, tmp_path: Path) -> None:
    pytest.importorskip("rocrate", reason="rocrate is not installed: extra 'dev'")
    context = json.loads((files("rocrate") / "data" / "ro-crate.jsonld").read_text("utf-8"))
    write_crate(crawl.graph, tmp_path / "crate", **ABOUT)
    for entity in entities(tmp_path / "crate").values():
        names = {*entity, entity["@type"]} - {"@id", "@type"}
        assert names <= context["@context"].keys()


def test_every_file_is_listed_and_every_reference_leads_somewhere(crawl: Crawl, tmp_path: Path) -> None:
    crate = tmp_path / "crate"
    write_crate(crawl.graph, crate, **ABOUT)
    found = entities(crate)
    there = {path.relative_to(crate).as_posix() for path in crate.rglob("*") if path.is_file()}
    assert there == {name for name, one in found.items() if one["@type"] == "File"} | {"ro-crate-metadata.json"}
    for entity in found.values():
        for values in entity.values():
            for value in values if isinstance(values, list) else [values]:
                if isinstance(value, dict) and value["@id"] != "https://w3id.org/ro/crate/1.1":
                    assert value["@id"] in found


def test_the_collection_is_in_it(crawl: Crawl, tmp_path: Path) -> None:
    write_crate(crawl.graph, tmp_path / "crate", **ABOUT)
    graph = rdflib.Graph().parse(tmp_path / "crate" / "collection.ttl")
    [collection] = graph.subjects(RDF.type, rdflib.URIRef(f"{SC}Collection"))
    assert {str(page) for page in graph.objects(collection, DCTERMS.hasPart)} == RELEVANT
    assert len((tmp_path / "crate" / "pages.csv").read_text("utf-8").splitlines()) == 4
    query = (tmp_path / "crate" / "queries" / "pages.rq").read_text("utf-8")
    assert len(crawl.graph.query(query)) == 3


def test_what_pages_say_themselves_and_archives_are_kept(tmp_path: Path) -> None:
    person = '<p itemscope itemtype="http://schema.org/Person"><b itemprop="name">Ann</b>'
    web = tmp_path / "web"
    web.mkdir()
    (web / "0.html").write_text(f"<p>asthma {person}")
    (web / "urls.tsv").write_text("http://a.test/\t0.html\t200\ttext/html\n")
    folder = tmp_path / "crawl"
    with Crawl("wordnet:asthma", ["http://a.test/"], folder, replay=(str(web),)) as crawl:
        crawl.run()
        with WarcArchive(folder / "warc", {}) as archive:
            archive.keep(exchange(), {})
        [kept] = (folder / "warc").glob("*.warc.gz")
        (folder / "warc" / "semcrawl-20260101000000-00009.warc.gz").symlink_to("/etc/passwd")
        write_crate(crawl.graph, tmp_path / "crate", min_relevance=0, licence="CC0-1.0")
    assert b"Ann" in (tmp_path / "crate" / "statements.nq").read_bytes()
    copies = sorted((tmp_path / "crate" / "warc").iterdir())
    assert [path.suffix for path in copies] == [".cdxj", ".gz"]
    assert copies[1].read_bytes() == kept.read_bytes()
    known = entities(tmp_path / "crate")[f"warc/{kept.name}"]
    assert known["contentSize"] == str(kept.stat().st_size)
    for path in (tmp_path / "crate").rglob("*.*"):
        assert str(tmp_path).encode() not in path.read_bytes(), path


def test_the_report_shows_pages_and_runs_nothing(tmp_path: Path) -> None:
    pages = {"http://a.test/": "<title>&lt;script>asthma&lt;/script> $title</title><p>asthma"}
    with make_crawl(tmp_path, pages) as crawl:
        write_crate(crawl.graph, tmp_path / "crate", min_relevance=0, **ABOUT)
    tree = html.fromstring((tmp_path / "crate" / "report.html").read_bytes())
    assert tree.xpath("//h1/text()") == ['Asthma "on the web"']
    assert tree.xpath("//a[@href='http://a.test/']/text()") == ["<script>asthma</script> $title"]
    assert tree.xpath("//td[text()='a.test']")
    assert tree.xpath("count(//*[local-name()='svg'])") == 1
    assert not tree.xpath("//script | //@onclick | //img | //link")


def test_a_crawl_without_relevant_pages_gives_a_crate(tmp_path: Path) -> None:
    with make_crawl(tmp_path, {"http://a.test/": "<title>Cars</title><p>wheels"}) as crawl:
        assert write_crate(crawl.graph, tmp_path / "crate", licence="MIT") == 0
    assert entities(tmp_path / "crate")["./"]["description"].startswith("0 web pages on the topic")


def test_a_crate_says_what_it_is_and_has_keywords(crawl: Crawl, tmp_path: Path) -> None:
    write_crate(crawl.graph, tmp_path / "crate", **ABOUT, description="For the\nreading room.")
    root = entities(tmp_path / "crate")["./"]
    assert root["description"] == "For the reading room."
    assert root["keywords"] == ["asthma"]
    tree = html.fromstring((tmp_path / "crate" / "report.html").read_bytes())
    assert tree.xpath("//header/p/text()") == ["For the reading room."]


def test_an_empty_folder_is_filled_and_an_earlier_crate_replaced(crawl: Crawl, tmp_path: Path) -> None:
    crate = tmp_path / "crate"
    crate.mkdir()
    write_crate(crawl.graph, crate, **ABOUT)
    write_crate(crawl.graph, crate, licence="MIT")
    assert entities(crate)["./"]["name"] == "asthma"
    assert [path.name for path in tmp_path.iterdir()] == ["crate"]


def test_a_folder_with_anything_else_is_left_alone(crawl: Crawl, tmp_path: Path) -> None:
    crate = tmp_path / "crate"
    write_crate(crawl.graph, crate, **ABOUT)
    (crate / "notes.txt").write_text("mine")
    (tmp_path / "file").touch()
    for taken in (crate, tmp_path, tmp_path / "file"):
        with pytest.raises(FolderTakenError, match="choose another"):
            write_crate(crawl.graph, taken, **ABOUT)
    assert (crate / "notes.txt").read_text() == "mine"


def test_a_crate_of_another_tool_is_left_alone(crawl: Crawl, tmp_path: Path) -> None:
    foreign = '{"@graph": [{"@id": "./"}, {"@id": "ro-crate-metadata.json"}]}'
    (tmp_path / "ro-crate-metadata.json").write_text(foreign)
    with pytest.raises(FolderTakenError):
        write_crate(crawl.graph, tmp_path, **ABOUT)


def test_a_crate_needs_a_licence(crawl: Crawl, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="a crate needs a licence"):
        write_crate(crawl.graph, tmp_path / "crate")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_what_was_there(crawl: Crawl, tmp_path: Path) -> None:
    write_crate(crawl.graph, tmp_path / "crate", licence="MIT", title="old")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, before[1]))
    try:
        with pytest.raises(StoreError, match=r"cannot write .*crate: File too large"):
            write_crate(crawl.graph, tmp_path / "crate", licence="MIT", title="new")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    assert entities(tmp_path / "crate")["./"]["name"] == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["crate"]
    with pytest.raises(StoreError, match="cannot write"):
        write_crate(crawl.graph, tmp_path / "gone" / "crate", licence="MIT")


def test_the_report_links_to_nothing_that_a_browser_runs(tmp_path: Path) -> None:
    with make_crawl(tmp_path, PAGES) as crawl:
        crawl.graph.store.update("INSERT { <javascript:a()> ?p ?o } WHERE { <http://a.test/asthma> ?p ?o }")
        write_crate(crawl.graph, tmp_path / "crate", **ABOUT)
    report = html.parse(tmp_path / "crate" / "report.html")
    assert {link.get("href") for link in report.iterfind(".//td/a")} == {"", *RELEVANT}
