"""The server tells neither passwords nor where files are; a query reads what was recorded."""

from __future__ import annotations

import re
import shutil
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl import Crawl
from semcrawl.demo import demo_web
from semcrawl.redaction import shown_settings, shown_spec, without_folders
from semcrawl.serve.app import ROUTES
from semcrawl.serve.openapi import api_description
from tests.serve.conftest import Served, running_server

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRET = "s3cr:et@word/"
ONTOLOGY = """
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<http://a.test/t#asthma> a skos:Concept ; skos:prefLabel "asthma"@en .
"""


@pytest.fixture(scope="module")
def private(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A crawl that knows many files of the machine, and a proxy with a password."""
    place = tmp_path_factory.mktemp("home") / "ann" / "private-folder"
    place.mkdir(parents=True)
    web = demo_web()
    web.write(place / "web")
    (place / "mine.ttl").write_text(ONTOLOGY, encoding="utf-8")
    with Crawl(
        f"{place}/mine.ttl#asthma",
        web.seeds,
        place / "lungs",
        replay=(str(place / "web"),),
        background=str(place / "web"),
        proxy=f"http://ann:{SECRET}@127.0.0.1:3128",
        pages=10,
    ) as crawl:
        crawl.run()
    with running_server(place / "lungs") as served:
        yield served


def test_settings_have_no_password_and_only_names_of_files(private: Served) -> None:
    crawl = private.client.get("/api/crawl").json()
    assert crawl["settings"]["proxy"] == "http://***@127.0.0.1:3128"
    assert crawl["settings"]["replay"] == ["web"]
    assert crawl["settings"]["background"] == "web"
    assert '"mine.ttl#<http://a.test/t#asthma>" = 1.0' in crawl["topic"]
    assert crawl["folder"] == "lungs"


def test_nothing_but_a_query_tells_where_files_are(private: Served) -> None:
    url = private.client.get("/api/page", params={"step": 1}).json()["url"]
    paths = [path for path, methods in api_description(ROUTES)["paths"].items() if "get" in methods]
    for path in {*paths, "/"} - {"/api/events"}:
        answer = private.client.get(path, params={"url": url})
        assert "private-folder" not in answer.text, path
        assert SECRET not in answer.text, path
    with private.client.stream("GET", "/api/events") as stream:
        for line in stream.iter_lines():
            assert "private-folder" not in line
            if line == "event: end":
                break


def test_a_query_reads_the_settings_as_they_were_recorded(private: Served) -> None:
    query = {"query": "SELECT ?settings { ?crawl sc:settings ?settings }"}
    assert SECRET in private.client.get("/sparql", params=query).text


def test_errors_name_files_without_their_folders(private: Served) -> None:
    url = private.client.get("/api/page", params={"step": 2}).json()["url"]
    web = private.folder.parent / "web"
    web.rename(web.with_name("moved"))
    try:
        answer = private.client.get("/api/explain", params={"url": url})
    finally:
        web.with_name("moved").rename(web)
    assert answer.status_code == 422
    assert "web" in answer.json()["error"]
    assert "private-folder" not in answer.text


def test_a_crawl_that_is_gone_is_told_by_its_name(tmp_path: Path, crawled: Path) -> None:
    folder = tmp_path / "private-folder" / "lungs"
    shutil.copytree(crawled, folder)
    with running_server(folder) as served:
        shutil.rmtree(folder / "graph")
        for path in ("/api/crawl", "/sparql?query=ASK%7B%7D"):
            answer = served.client.get(path)
            assert answer.status_code >= 400
            assert "lungs" in answer.text
            assert "private-folder" not in answer.text


@pytest.mark.parametrize(
    ("proxy", "shown"),
    [
        ("http://127.0.0.1:3128", "http://127.0.0.1:3128"),
        ("http://ann:pass@proxy.test:80", "http://***@proxy.test:80"),
        ("http://ann:p@s:s@proxy.test:80", "http://***@proxy.test:80"),
        ("ann:pass@proxy.test:80", "***@proxy.test:80"),
        ("http://token@proxy.test:80", "http://***@proxy.test:80"),
        ("token@proxy.test:80", "***@proxy.test:80"),
        ("", ""),
    ],
)
def test_the_account_at_a_proxy_is_masked(proxy: str, shown: str) -> None:
    assert shown_settings({"proxy": proxy}) == {"proxy": shown}


@given(st.text(st.characters(blacklist_characters="@", codec="utf-8"), min_size=5))
def test_no_password_is_told(password: str) -> None:
    shown = shown_settings({"proxy": f"http://ann:{password}@proxy.test:80"})
    assert shown == {"proxy": "http://***@proxy.test:80"}


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("ehrig", "ehrig"),
        ("ssrm:min_weight=0.8", "ssrm:min_weight=0.8"),
        ("/home/ann/mine.py:Mine", "mine.py:Mine"),
        ("/home/ann/my folder/mine.rq", "mine.rq"),
        ("taxonomy:model=/home/ann/a.tax,within=/home/ann/b.ttl", "taxonomy:model=a.tax,within=b.ttl"),
        ("taxonomy:model=~/models/b.tax", "taxonomy:model=b.tax"),
        ("taxonomy:model=../../ann/b.tax", "taxonomy:model=b.tax"),
        ("file:///home/ann/mine.py:Mine", "mine.py:Mine"),
        ("/home/ann (old)/mine.py:Mine", "mine.py:Mine"),
        ("taxonomy:within=Animals/Birds", "taxonomy:within=Animals/Birds"),
        (r"C:\Users\ann\mine.rq", "mine.rq"),
    ],
)
def test_specs_name_files_without_their_folders(spec: str, shown: str) -> None:
    assert shown_spec(spec) == shown
    assert shown_settings({"policy": [spec]}) == {"policy": [shown]}


@pytest.mark.parametrize(
    "text",
    [
        "the crawl has not visited http://a.test/b/c: look at the URL",
        "error at 1:5: expected '/'",
        "sc:linksTo/sc:site is no path",
        "either / or ./ or",
        r"error at 1:5, near '\n ?x\n ?y'",
        "and/or, models/a.tax",
        "(sc:a|sc:b)/sc:c/sc:d",
        "http://a.test/?next=/b/c and http://a.test/@ann/b",
    ],
)
def test_what_is_no_file_stays_as_it_is(text: str) -> None:
    assert without_folders(text) == text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("no file '/home/ann/my docs/a.tax' there", "no file 'a.tax' there"),
        ("'/home/ann/o'brien/a.tax' or '/b/c d/e'", "'a.tax' or 'e'"),
        ('"/home/ann/it\'s (old), all/a.tax"', '"a.tax"'),
        ("`/home/ann/x/y.py`", "`y.py`"),
        ("files [/home/ann/x/y.py, /home/ann/z.py]", "files [y.py, z.py]"),
        ("path:/home/ann/x/y.tax", "path:y.tax"),
        ("see file:///home/ann/a.tax", "see a.tax"),
        ("see file://localhost/home/ann/a.tax", "see a.tax"),
        ("sqlite:///home/ann/a.db", "a.db"),
        ("taxonomy:model=~/a/b.tax", "taxonomy:model=b.tax"),
        ("~ann/b.tax", "b.tax"),
        ("../../ann/b.tax", "b.tax"),
        (r"no 'C:\Users\ann b\a.tax'", "no 'a.tax'"),
        (r"no 'C:\\Users\\ann b\\a.tax'", "no 'a.tax'"),
        (r"no \\server\ann\a.tax", "no a.tax"),
        ("no /home/ann/my docs/a.tax: see http://a.test/b/c", "no a.tax: see http://a.test/b/c"),
        ("from /home/ann/a to /home/ann/b", "from a to b"),
        ("the folder /home/ann/web/", "the folder web/"),
        ("http://a.test/b,/home/ann/c", "http://a.test/b,c"),
        ("the proxy 'http://token@proxy.test:80'", "the proxy 'http://***@proxy.test:80'"),
    ],
)
def test_paths_are_known_in_a_sentence_by_how_they_begin(text: str, told: str) -> None:
    assert without_folders(text) == told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        # Better a garbled sentence than a folder that is told.
        ("see http://a.test /b/c/d", "see http://a.test d"),
        ("/home/ann/a.tax and/or b", "or b"),
        # Outside of quotes a punctuation mark ends a path.
        ("/home/ann (old)/a.tax", "ann (old)/a.tax"),
    ],
)
def test_what_cannot_be_known_of_a_sentence(text: str, told: str) -> None:
    assert without_folders(text) == told


@given(
    st.lists(
        st.text(
            st.characters(
                categories=("L", "M", "N", "P", "S"), include_characters=" ", exclude_characters="'/\\<>", codec="utf-8"
            ),
            min_size=1,
        ).filter(lambda name: name.strip() == name),
        min_size=2,
        max_size=5,
    )
)
def test_in_quotes_whatever_folders_are_called_they_are_not_told(parts: list[str]) -> None:
    assert without_folders(f"no '/{'/'.join(parts)}' here") == f"no '{parts[-1]}' here"


NAMES = st.builds(str.__add__, st.sampled_from(ascii_lowercase), st.text(ascii_lowercase + digits + "_.-", max_size=8))


@given(st.lists(NAMES, min_size=2, max_size=5))
def test_a_file_in_a_sentence_keeps_its_name_only(parts: list[str]) -> None:
    told = without_folders(f"cannot read /{'/'.join(parts)} (is it there?)")
    assert told == f"cannot read {parts[-1]} (is it there?)"
    assert not re.search(r"/\w", told)
