"""``semcrawl serve`` without a folder: what the start page lists, searches and starts."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx
import pyoxigraph as ox
import pytest

from scripts.docs_site import api_page
from semcrawl.crawl.shards.beginning import begin_shards
from semcrawl.crawl.shards.cluster import crawl_here
from semcrawl.crawl.shards.layout import ShardedFolder
from semcrawl.crawl.sites import SiteCrawl
from semcrawl.demo import demo_web
from semcrawl.graph import SC
from semcrawl.serve.app import STATIC
from semcrawl.serve.openapi import api_description
from semcrawl.serve.start_page import ROUTES, StartServer
from tests.serve.conftest import PATIENCE, running_server, until

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.serve.conftest import Served

ASTHMA = {"source": "wordnet", "concepts": ["wordnet:asthma.n.01"]}
SEED = demo_web().seeds[0]
JOB = {"topic": ASTHMA, "name": "asthma", "seeds": [SEED], "web": "demo-web", "pages": 10}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, crawled: Path) -> Iterator[Served]:
    """The start page of a folder with a crawl, a link to it, and a file that is no ontology."""
    folder = tmp_path_factory.mktemp("home")
    shutil.copytree(crawled, folder / "papers" / "lungs")
    shutil.copytree(crawled, folder / "broken")
    os.mkfifo(folder / "broken" / "graph" / "000099.sst")
    shutil.copytree(crawled, folder / "forged")
    store, stopped = ox.Store(str(folder / "forged" / "graph")), ox.NamedNode(f"{SC}stoppedBecause")
    for old in list(store.quads_for_pattern(None, stopped, None)):
        store.remove(old)
        store.add(ox.Quad(old.subject, stopped, ox.NamedNode("urn:no-reason")))
    del store
    shards = ShardedFolder.create(folder / "many", 2).seal()
    for shard in shards.folders:
        shutil.copytree(crawled, shard)
    (folder / "linked").symlink_to(folder / "papers" / "lungs")
    (folder / "linked.ttl").symlink_to("/etc/hostname")
    (folder / "bees.skos").write_bytes((Path("ontologies") / "beekeeping.ttl").read_bytes())
    (folder / "secret.txt").write_text("no concept", "utf-8")
    for odd in (b"no-text-\xff", b"red-\x1b[31m"):
        (folder / os.fsdecode(odd + b".ttl")).write_text("", "utf-8")
        shutil.copytree(crawled, folder / os.fsdecode(odd))
    with running_server(folder, kind=StartServer) as server:
        yield server


def names(home: Served) -> dict[str, Any]:
    found = home.client.get("/api/crawls").json()["crawls"]
    return {crawl["name"]: crawl for crawl in found}


def start(home: Served, **changed: Any) -> httpx.Response:
    return home.client.post("/api/start", json=JOB | changed, headers=home.authorised)


def shown(answer: httpx.Response) -> dict[str, Any]:
    """What the server at the port of an answer says of its crawl."""
    assert answer.status_code == 200, answer.text
    url = f"http://127.0.0.1:{answer.json()['port']}/api/crawl"
    found: dict[str, Any] = httpx.get(url, timeout=PATIENCE).json()
    return found


def test_crawls_are_listed_with_their_figures_and_no_link_is_followed(home: Served) -> None:
    crawl = names(home)["papers/lungs"]
    assert (crawl["state"], crawl["pages"], crawl["topic"]) == ("stopped", 40, "respiratory disease")
    assert 0 < crawl["relevant"] < crawl["pages"]
    assert not any(name.startswith(("linked", "no-text", "red")) for name in names(home))


def test_a_crawl_in_shards_is_listed_as_one(home: Served) -> None:
    found, one = names(home), names(home)["papers/lungs"]
    assert [name for name in found if name.startswith("many")] == ["many"]
    assert (found["many"]["shards"], found["many"]["state"], found["many"]["topic"]) == (2, "stopped", one["topic"])
    assert all(found["many"][figure] == 2 * one[figure] for figure in ("pages", "relevant", "waiting"))


def test_why_a_crawl_is_broken_is_told_without_folders(home: Served) -> None:
    broken = names(home)["broken"]
    assert broken["state"] == "broken"
    assert broken["reason"] == "000099.sst is neither a file nor a folder: remove it"


def test_a_forged_crawl_does_not_hide_the_others(home: Served) -> None:
    forged = names(home)["forged"]
    assert (forged["state"], forged["reason"]) == ("broken", "'urn:no-reason' is not a valid StopReason")


def test_only_files_of_concepts_and_recorded_webs_are_offered(home: Served) -> None:
    files = home.client.get("/api/files").json()
    assert files["concepts"] == ["bees.skos", "asthma.ttl", "beekeeping.ttl"]
    assert files["webs"] == ["demo-web"]


def test_senses_of_a_word_come_with_what_they_mean(home: Served) -> None:
    found = home.client.get("/api/concepts", params={"text": "bank"}).json()
    means = {concept["id"]: concept["definition"] for concept in found}
    assert "sloping land" in means["wordnet:bank.n.01"]


def test_concepts_of_a_file_are_found_and_its_top_concepts_listed(home: Served) -> None:
    source = {"source": "bees.skos"}
    found = home.client.get("/api/concepts", params=source | {"text": "honey"}).json()
    assert "honey" in {concept["synonyms"][0] for concept in found}
    assert home.client.get("/api/concepts", params=source).json()


def test_a_word_that_is_not_there_is_answered_with_words_near_it(home: Served) -> None:
    answer = home.client.get("/api/concepts", params={"text": "asthmma"})
    assert answer.status_code == 404
    assert "asthma" in answer.json()["error"]


def test_a_topic_is_shown_by_the_labels_that_a_crawl_looks_for(home: Served) -> None:
    lens = home.client.post("/api/lens", json=ASTHMA).json()
    assert lens["labels"][0] == {"text": "asthma", "weight": 1.0, "concept": ASTHMA["concepts"][0]}
    words = home.client.post("/api/lens", json={"source": "keywords", "text": "honey bee"}).json()
    assert words["labels"][0]["text"] == "honey bee"


@pytest.mark.parametrize(
    "topic",
    [
        {"source": "secret.txt", "concepts": ["http://a.test/x"]},
        {"source": "linked.ttl", "concepts": ["http://a.test/x"]},
        {"source": "../home.ttl", "concepts": ["http://a.test/x"]},
        {"source": "/etc/passwd", "concepts": ["http://a.test/x"]},
        {"source": "wordnet", "concepts": ["wordnet:a.n.01,/etc/passwd#x.n.01"]},
        {"source": "bees.skos", "concepts": ["http://a.test/x>,/etc/passwd#<y"]},
        {"source": "wordnet", "concepts": []},
        {"source": "keywords", "text": "the"},
    ],
)
def test_a_topic_cannot_name_another_file(home: Served, topic: dict[str, Any]) -> None:
    for answer in (home.client.post("/api/lens", json=topic), start(home, topic=topic, name="x")):
        assert 400 <= answer.status_code < 500, answer.text
    assert not (home.folder / "x").exists()


@pytest.mark.parametrize(
    "changed",
    [
        {"name": "../outside"},
        {"name": "/tmp/outside"},
        {"name": "--allow-private"},
        {"name": ""},
        {"name": "papers"},
        {"seeds": []},
        {"seeds": ["file:///etc/passwd"]},
        {"seeds": ["--allow-private"]},
        {"web": "papers"},
        {"web": "../demo-web"},
        {"pages": 0},
        {"strategy": "own.py:Own"},
        {"allow_private": True},
    ],
)
def test_what_a_browser_must_not_choose_is_refused(home: Served, changed: dict[str, Any]) -> None:
    before = sorted(home.folder.iterdir())
    assert 400 <= start(home, **changed).status_code < 500
    assert sorted(home.folder.iterdir()) == before


def test_starting_and_opening_need_the_token(home: Served) -> None:
    for path, body in (("/api/start", JOB), ("/api/open", {"name": "papers/lungs"})):
        assert home.client.post(path, json=body).status_code == 401
    assert not home.client.get("/api/crawls").json()["can_start"]
    other = home.authorised | {"Origin": "http://elsewhere.test"}
    assert home.client.post("/api/start", json=JOB, headers=other).status_code == 403


def test_a_crawl_is_started_shown_and_gone_on_with(home: Served) -> None:
    assert shown(start(home))["name"] == "asthma"
    until(lambda: names(home).get("asthma", {}).get("pages") == 10)
    until(lambda: names(home)["asthma"]["state"] == "stopped")
    assert start(home).status_code == 409
    more = {"name": "asthma", "pages": 15}
    answer = home.client.post("/api/open", json=more, headers=home.authorised)
    assert shown(answer)["name"] == "asthma"
    until(lambda: names(home)["asthma"]["pages"] == 15)
    again = home.client.post("/api/open", json={"name": "asthma"}, headers=home.authorised)
    assert again.json() == answer.json()


def wait_for(home: Served, name: str, pages: int) -> None:
    """Wait until a crawl has so many pages and has stopped."""
    until(lambda: (names(home)[name]["pages"], names(home)[name]["state"]) == (pages, "stopped"))


def test_crawls_in_shards_and_for_websites_are_gone_on_with(tmp_path: Path, recorded: Path) -> None:
    web = demo_web()
    said: Any = {"replay": [str(recorded)], "pages": 8}
    list(crawl_here(begin_shards(web.main_topic.spec, web.seeds, tmp_path / "many", 2, **said)).visits())
    with SiteCrawl(web.main_topic.spec, web.seeds, tmp_path / "sites", sites=1, **said) as crawl:
        crawl.run()
    with running_server(tmp_path, kind=StartServer) as server:
        before = names(server)
        assert (before["many"]["pages"], before["sites"]["kind"]) == (8, "sites")
        for name in ("many", "sites"):
            body = {"name": name, "pages": 25}
            answer = server.client.post("/api/open", json=body, headers=server.authorised)
            assert answer.json()["port"] == 0 if name == "many" else shown(answer)["name"]
            wait_for(server, name, 25)


def test_why_a_crawl_in_shards_does_not_go_on_is_told(home: Served) -> None:
    body = {"name": "many", "pages": 100}
    answer = home.client.post("/api/open", json=body, headers=home.authorised)
    assert answer.status_code == 422
    assert answer.json()["error"]


def test_a_crawl_from_before_is_shown_by_a_server_of_its_own(home: Served) -> None:
    answer = home.client.post("/api/open", json={"name": "papers/lungs"}, headers=home.authorised)
    assert shown(answer)["progress"]["pages"] == 40
    absent = home.client.post("/api/open", json={"name": "linked"}, headers=home.authorised)
    assert absent.status_code == 404


def test_a_private_address_is_refused_and_the_reason_told(home: Served) -> None:
    answer = start(home, name="private", web="", seeds=["http://127.0.0.1:2/"])
    if answer.status_code == 200:  # on a busy machine it ends after its page is shown
        until(lambda: names(home).get("private", {}).get("state") == "failed")
        told = names(home)["private"]["reason"]
    else:
        told = answer.json()["error"]
    assert "--allow-private" in told or "private" in told
    assert not (home.folder / "private").exists()


def test_nothing_goes_on_after_the_start_page(home: Served, tmp_path: Path) -> None:
    shutil.copytree(home.folder / "papers" / "lungs", tmp_path / "lungs")
    with running_server(tmp_path, kind=StartServer) as server:
        body = {"name": "lungs"}
        port = server.client.post("/api/open", json=body, headers=server.authorised).json()["port"]
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/", timeout=PATIENCE)


def test_a_python_file_in_the_folder_is_not_imported(tmp_path: Path) -> None:
    (tmp_path / "msgspec.py").write_text("open('ran', 'w')", "utf-8")
    (tmp_path / "click.py").write_text("open('ran', 'w')", "utf-8")
    before = Path.cwd()
    os.chdir(tmp_path)
    try:
        with running_server(tmp_path, kind=StartServer) as server:
            assert shown(start(server))["name"] == "asthma"
    finally:
        os.chdir(before)
    assert not (tmp_path / "ran").exists()


def test_the_page_and_its_files_are_there(home: Served) -> None:
    page = home.client.get("/").text
    files = re.findall(r'(?:href|src)="/static/([^"]+)"', page)
    assert "js/start.js" in files
    assert [name for name in files if not (STATIC / name).is_file()] == []


def test_the_demo_of_the_form_is_the_demo_web() -> None:
    form = (STATIC / "js" / "start_form.js").read_text("utf-8")
    assert f'seeds: "{SEED}"' in form
    assert f'concept: "{demo_web().main_topic.spec}"' in form


@pytest.mark.parametrize("path", api_description(ROUTES)["paths"])
def test_every_path_of_the_start_page_is_told(path: str) -> None:
    assert f"| `{path}` | " in api_page()


def test_the_description_says_what_needs_the_token() -> None:
    told = api_description(ROUTES)["paths"]
    assert [path for path in told if "security" in told[path].get("post", {})] == ["/api/start", "/api/open"]
