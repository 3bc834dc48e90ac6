from __future__ import annotations

import gzip
import hashlib
import os
import subprocess
import sys
from itertools import combinations
from typing import TYPE_CHECKING

import pytest
import requests

from scripts.demo_web.__main__ import packed
from scripts.demo_web.sites import make_web
from semcrawl.demo.web import FILE, DemoWeb
from semcrawl.errors import ReplayError
from semcrawl.page import Page, read_page
from semcrawl.topics import Topic
from semcrawl.web import ReplayServer, open_replay
from semcrawl.web.urls import canonical, host_of

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.web.response import Response

_DIGEST = """
import hashlib
from scripts.demo_web.sites import make_web
web = make_web()
digest = hashlib.sha256()
for url, response in web.pages.items():
    digest.update(url.encode() + response.body)
for topic in web.topics.values():
    digest.update(repr(sorted(topic.pages)).encode())
print(digest.hexdigest())
"""


def html_pages(web: DemoWeb) -> dict[str, Response]:
    return {url: page for url, page in web.pages.items() if page.is_html and page.status == 200}


@pytest.fixture(scope="module")
def read(web: DemoWeb) -> dict[str, Page]:
    return {url: read_page(response) for url, response in html_pages(web).items()}


def test_the_web_is_small_but_has_many_hosts(web: DemoWeb) -> None:
    assert 380 <= len(html_pages(web)) <= 470
    assert 28 <= len({host_of(url) for url in web.pages}) <= 36
    assert all(host_of(url).endswith(".test") for url in web.pages)


def test_urls_are_canonical_and_belong_to_their_answers(web: DemoWeb) -> None:
    for url, response in web.pages.items():
        assert canonical(url) == url == response.url


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_the_same_seed_gives_the_same_bytes_whatever_the_hash_seed(web: DemoWeb, hash_seed: str) -> None:
    digest = hashlib.sha256()
    for url, response in web.pages.items():
        digest.update(url.encode() + response.body)
    for topic in web.topics.values():
        digest.update(repr(sorted(topic.pages)).encode())
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    run = [sys.executable, "-c", _DIGEST]
    printed = subprocess.run(run, env=environment, capture_output=True, text=True, check=True)
    assert printed.stdout.strip() == digest.hexdigest()


def test_what_is_shipped_is_what_the_script_makes() -> None:
    assert gzip.decompress(FILE.read_bytes()) == packed(make_web())


def test_another_seed_gives_another_web(web: DemoWeb) -> None:
    assert dict(make_web(2).pages) != dict(web.pages)


@pytest.mark.parametrize("seed", [0, -3, 7, 2**70])
def test_every_seed_can_be_built_and_leaves_no_link_unanswered(seed: int) -> None:
    assert_links_resolve(make_web(seed))


def test_every_link_is_answered_or_a_known_dead_end(web: DemoWeb) -> None:
    assert_links_resolve(web)


def assert_links_resolve(web: DemoWeb) -> None:
    known = set(web.pages) | web.dead_links
    for response in html_pages(web).values():
        for link in read_page(response).links:
            assert link.url in known or web.respond(link.url), (response.url, link.url)


def test_dead_links_are_linked_to_and_nobody_answers_them(web: DemoWeb, read: dict[str, Page]) -> None:
    linked = {link.url for page in read.values() for link in page.links}
    assert web.dead_links <= linked
    assert not any(url in web.pages or web.respond(url) for url in web.dead_links)


def test_every_page_can_be_reached_from_the_seeds(web: DemoWeb, read: dict[str, Page]) -> None:
    depth = depths(web, read)
    assert set(read) <= set(depth)


def test_pages_on_the_main_topic_lie_two_or_more_links_away(web: DemoWeb, read: dict[str, Page]) -> None:
    depth = depths(web, read)
    far = [depth[url] for url in web.main_topic.pages]
    assert min(far) >= 2
    assert sum(d >= 3 for d in far) > len(far) / 2


def depths(web: DemoWeb, read: dict[str, Page]) -> dict[str, int]:
    found = dict.fromkeys(web.seeds, 0)
    queue = list(web.seeds)
    for url in queue:
        page, response = read.get(url), web.pages.get(url)
        targets = [link.url for link in page.links] if page else []
        if response and "location" in response.headers:
            targets = [response.headers["location"]]
        for target in targets:
            if target not in found:
                found[target] = found[url] + 1
                queue.append(target)
    return found


def test_every_topic_can_be_parsed_and_has_pages_hubs_and_sites(web: DemoWeb) -> None:
    assert len(web.topics) >= 8
    for name, topic in web.topics.items():
        assert topic.name == name
        assert Topic.parse(topic.spec).concepts[0].id == topic.spec
        assert len(topic.pages) >= 20
        assert topic.hubs
        assert topic.hubs < topic.pages
        assert len(topic.sites) >= 2


def test_pages_on_a_topic_are_pages_and_belong_to_no_other_topic(web: DemoWeb) -> None:
    pages = html_pages(web)
    for one, other in combinations(web.topics.values(), 2):
        assert not one.pages & other.pages
        assert not one.sites & other.sites
    assert all(url in pages for topic in web.topics.values() for url in topic.pages)


def test_no_page_on_the_topic_is_forbidden_by_robots_txt(web: DemoWeb) -> None:
    robots = web.pages["http://www.breath-clinic.test/robots.txt"]
    assert b"Disallow: /records/" in robots.body
    forbidden = [url for url in web.pages if "/records/" in url]
    assert forbidden
    assert not web.main_topic.pages & set(forbidden)


def test_many_pages_on_the_topic_name_its_words_and_some_do_not(web: DemoWeb, read: dict[str, Page]) -> None:
    named = [url for url in web.main_topic.pages if "respiratori" in read[url].terms]
    assert len(web.main_topic.pages) / 2 < len(named) < len(web.main_topic.pages)


def test_pages_differ_in_length_and_language_and_encoding(read: dict[str, Page]) -> None:
    lengths = sorted(len(page.text) for page in read.values())
    assert lengths[-10] > 3 * lengths[10]
    assert {page.declared_language for page in read.values()} >= {"en", "de"}
    cafe = read["http://sunday-saucepan.test/cafe.html"]
    assert cafe.charset != "utf-8"
    assert "brûlée" in cafe.text


def test_a_polite_crawler_meets_nofollow_and_telling_and_vague_anchors(read: dict[str, Page]) -> None:
    links = [link for page in read.values() for link in page.links]
    assert any(link.nofollow for link in links)
    anchors = {link.anchor for link in links}
    assert {"here", "read more", "asthma"} <= anchors


def test_relative_links_of_the_page_with_a_base_lead_to_its_folder(read: dict[str, Page]) -> None:
    page = read["http://www.healthy-moves.test/print/overview.html"]
    assert page.base == "http://www.healthy-moves.test/breathing/"
    assert all(link.url.startswith(page.base) for link in page.links)


def test_a_server_gives_the_pages_and_the_traps_over_http(web: DemoWeb) -> None:
    with ReplayServer(web.replay(), answers=web.respond) as server, requests.Session() as session:
        session.trust_env = False
        session.proxies = {"http": server.proxy}
        for url in sorted(web.pages)[::9]:
            answer = session.get(url, allow_redirects=False, timeout=60)
            assert answer.status_code == web.pages[url].status
            assert answer.content == web.pages[url].body
        calendar = "http://www.town-of-millbrook.test/calendar/2001/09/"
        assert "next month" in session.get(calendar, timeout=60).text
        for dead in web.dead_links:
            assert session.get(dead, timeout=60).status_code == 404


def test_a_written_web_is_read_back_as_it_was(web: DemoWeb, tmp_path: Path) -> None:
    web.write(tmp_path / "new" / "web")
    replay = open_replay(tmp_path / "new" / "web")
    assert set(replay.urls()) == set(web.pages)
    for url, response in web.pages.items():
        answer = replay.answer(url)
        assert answer is not None
        assert (answer.status, answer.body) == (response.status, response.body)
        assert answer.headers == response.headers


def test_a_folder_that_holds_the_web_already_is_left_as_it_is(web: DemoWeb, tmp_path: Path) -> None:
    web.write(tmp_path)
    before = {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()}
    web.write(tmp_path)
    assert {file.name: file.stat().st_mtime_ns for file in tmp_path.iterdir()} == before
    (tmp_path / "urls.tsv").write_text("")
    with pytest.raises(ReplayError, match="not empty"):
        web.write(tmp_path)
    assert not (tmp_path / "urls.tsv").read_text()


def test_a_folder_with_files_is_not_overwritten(web: DemoWeb, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("dear reader")
    with pytest.raises(ReplayError, match="not empty"):
        web.write(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["letter.txt"]


def test_a_path_that_is_a_file_is_refused_in_one_sentence(web: DemoWeb, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ReplayError, match="cannot write the demo web"):
        web.write(tmp_path / "file")
