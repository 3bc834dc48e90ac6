from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import pytest

from semcrawl import CrawlGraph
from semcrawl.demo.web import demo_web
from semcrawl.web import Replay, ReplayServer, Response
from tests.cli.conftest import SEED, Ran

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Ran]


def test_a_crawl_ends_with_its_figures_and_what_to_do_next(run: Run, web: Path) -> None:
    done = run("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--pages", 3)
    assert done.code == 0
    assert done.out.splitlines()[0] == "Stopped because the wanted number of pages is visited."
    assert done.out.splitlines()[1].startswith("3 pages, ")
    assert "semcrawl query asthma best-pages" in done.out
    assert "semcrawl export asthma -o asthma.ttl" in done.out
    assert "semcrawl resume asthma --pages 6" in done.out


def test_a_crawl_with_nothing_left_does_not_offer_to_go_on(run: Run, web: Path) -> None:
    done = run("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web)
    assert "Stopped because no URL is left to visit." in done.out
    assert "semcrawl resume" not in done.out


def test_what_to_do_next_can_be_pasted_into_a_shell(run: Run, web: Path) -> None:
    words = ("crawl", "keywords:asthma", "--seed", SEED, "--replay", web)
    done = run(*words, "--folder", "my crawl", "--relevant", 1)
    assert "semcrawl query 'my crawl' best-pages" in done.out
    assert "semcrawl export 'my crawl' -o 'my crawl.ttl'" in done.out
    assert "semcrawl resume 'my crawl' --relevant 2" in done.out


def test_figures_go_to_stderr_while_it_runs(run: Run, web: Path) -> None:
    done = run("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web)
    assert done.err.startswith("1 page, 1 relevant (100%), ")


def test_json_is_an_event_a_line(run: Run, web: Path) -> None:
    done = run("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--json")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert [event["event"] for event in events].count("page") == 6
    assert {event["url"] for event in events if event["event"] == "dropped"} == {"http://a.test/gone"}
    assert events[-1]["event"] == "stopped"
    assert events[-1]["reason"] == "FrontierEmpty"
    assert events[-1]["progress"]["pages"] == 6
    assert done.err == ""


@pytest.mark.parametrize("command", ["crawl", "sites"])
def test_a_crawl_folder_is_no_topic(run: Run, crawled: Path, command: str) -> None:
    run(command, crawled, "--seed", SEED).fails(2, f"'semcrawl resume {crawled}' goes on with it")


def test_quiet_is_quiet(run: Run, web: Path) -> None:
    done = run("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--quiet")
    assert done == Ran(0, "", "")


def test_topic_seeds_and_settings_can_come_from_files(run: Run, web: Path, tmp_path: Path) -> None:
    (tmp_path / "job.toml").write_text(f'topic = "wordnet:asthma"\nseeds = ["{SEED}"]\npages = 5\nreplay = ["{web}"]\n')
    more = "\ufeff# comment\n\n  http://b.test/ \t2\n"
    (tmp_path / "more.txt").write_text(more, encoding="utf-8")
    done = run("crawl", "--config", "job.toml", "--seeds-file", "more.txt", "--pages", 2)
    assert done.code == 0
    assert done.out.splitlines()[1].startswith("2 pages, ")
    seeds = run("query", "asthma", "frontier/seeds", "--format", "csv").out.splitlines()
    assert seeds == ["url", "http://b.test/", SEED]


WEB = ("--seed", SEED, "--replay", "WEB")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["wordnet:asthma.n.09", *WEB], "the senses of 'asthma' are: asthma.n.01"),
        (["wordnet:asthmma", *WEB], "did you mean asthma"),
        (["asthma", *WEB], "did you mean 'keywords:asthma' or 'wordnet:asthma'"),
        (["gone.toml", *WEB], "cannot read the topic file gone.toml"),
        (["broken.toml", *WEB], "broken.toml is not in TOML: Invalid value (at line 1, column 8)"),
        (["odd.toml", *WEB], "odd.toml: there is no key 'nme'"),
        (["broken.ttl", *WEB], "broken.ttl is not in Turtle: Parser error between line 1"),
        (["empty.ttl", *WEB], "empty.ttl holds no concepts"),
        ([*WEB], "no topic: give one"),
        (["wordnet:asthma"], "needs at least one seed: give --seed URL"),
        (["wordnet:asthma", "--seed", "not a url"], "not a URL that can be fetched: 'not a url'"),
        (["wordnet:asthma", "--seed", "ftp://a/"], "'ftp://a/'; it must be absolute, http"),
        (["wordnet:asthma", *WEB, "--exclude", "*"], f"the seed {SEED} is shut out"),
        (["wordnet:asthma", "--seed", SEED, "--replay", "gone"], "no recorded web at gone"),
        (["wordnet:asthma", "--seed", SEED, "--replay", "gone.warc.gz"], "at gone.warc.gz"),
        (["wordnet:asthma", "--seed", SEED, "--replay", "garbage.warc"], "no WARC record in"),
        (["wordnet:asthma", "--seed", SEED, "--replay", "garbage.warc.gz"], "no WARC record in"),
        (["wordnet:asthma", *WEB, "--strategy", "best"], "there is no strategy 'best'; there are"),
        (["wordnet:asthma", *WEB, "--strategy", "breath-first"], "did you mean 'breadth-first'?"),
        (["wordnet:asthma", *WEB, "--strategy", "gone.py:Mine"], "there is no file 'gone.py'"),
        (["wordnet:asthma", *WEB, "--judge", "critic"], "there is no judge 'critic'"),
        (["wordnet:asthma", *WEB, "--background", "gone"], "the background table gone"),
        (["wordnet:asthma", *WEB, "--pages", "-1"], "pages is -1: it takes a whole number, 0 or more"),
        (["wordnet:asthma", *WEB, "--pages", "many"], "'many' is no whole number"),
        (["wordnet:asthma", *WEB, "--threshold", "7"], "threshold is 7.0: it takes a number, 0 or more and at most 1"),
        (["wordnet:asthma", *WEB, "--threshold", "nan"], "threshold is nan: it takes a number"),
        (["wordnet:asthma", *WEB, "--delay", "inf"], "delay is inf: it takes a number"),
        (["wordnet:asthma", *WEB, "--oversize", "maybe"], "is not one of 'cut', 'drop'"),
        (["wordnet:asthma", "--seed", SEED, "--proxy", "nonsense"], "cannot use the proxy: give an address"),
        (["wordnet:asthma", *WEB, "--pagse", "3"], "--pages"),
        (["wordnet:asthma", *WEB, "--seeds-file", "gone"], "File 'gone' does not exist"),
        (["wordnet:asthma", *WEB, "--seeds-file", "garbage.warc.gz"], "garbage.warc.gz is no UTF-8 text"),
        (["wordnet:asthma", *WEB, "--seeds-file", "odd.toml"], "line 1 of odd.toml: not a URL that can be fetched"),
        (["--config", "gone.toml"], "cannot read the settings file gone.toml"),
        (["--config", "broken.toml"], "broken.toml is no TOML"),
        (["--config", "odd.toml"], "odd.toml: there is no setting 'nme'"),
        (["wordnet:asthma", *WEB, "--folder", "full"], "full exists and is no empty folder"),
        (["wordnet:asthma", *WEB, "--folder", "odd.toml"], "odd.toml exists and is no empty"),
    ],
)
def test_misuse_is_one_line_and_leaves_nothing_behind(
    run: Run, web: Path, tmp_path: Path, words: list[str], message: str
) -> None:
    (tmp_path / "broken.toml").write_text("name = \n")
    (tmp_path / "odd.toml").write_text('nme = "x"\n')
    (tmp_path / "broken.ttl").write_text("@prefix sc: <x\n")
    (tmp_path / "empty.ttl").write_text("<a> <b> <c> .\n")
    (tmp_path / "garbage.warc").write_text("garbage\n")
    (tmp_path / "garbage.warc.gz").write_bytes(b"\x80 garbage\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    before = sorted(tmp_path.rglob("*"))
    run("crawl", *(str(web) if word == "WEB" else word for word in words)).fails(2, message)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_folder_that_holds_a_crawl_is_not_crawled_into_again(run: Run, web: Path) -> None:
    words = ("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--pages", 2)
    assert run(*words).code == 0
    run(*words).fails(2, "asthma holds a crawl already: go on with 'semcrawl resume asthma'")


@pytest.mark.parametrize("folder", ["file/sub", "/proc/nowhere"])
def test_a_folder_that_cannot_be_made_is_a_failure(run: Run, web: Path, tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").touch()
    words = ("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--folder", folder)
    run(*words).fails(1, f"cannot make the folder {folder}", "choose another")


def test_seeds_that_give_no_page_are_a_failure_and_leave_no_folder(run: Run, web: Path, tmp_path: Path) -> None:
    words = ("crawl", "wordnet:asthma", "--replay", web, "--quiet")
    run(*words, "--seed", "http://gone.test/").fails(1, "no page could be fetched: http://gone.test/ was not recorded")
    assert list(tmp_path.iterdir()) == []


def test_what_else_is_in_the_folder_of_a_failed_crawl_stays(run: Run, web: Path, tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    words = ("crawl", "wordnet:asthma", "--replay", web, "--quiet", "--folder", "here/there")
    assert run(*words, "--seed", "http://gone.test/").code == 1
    assert list(tmp_path.iterdir()) == [tmp_path / "here"]


NETWORK = ("crawl", "wordnet:asthma", "--tries", 1, "--delay", 0, "--quiet")


def test_a_server_that_is_not_there_is_a_failure(run: Run, tmp_path: Path) -> None:
    done = run(*NETWORK, "--seed", "http://127.0.0.1:2/", "--allow-private")
    done.fails(1, "no page could be fetched: no connection to 127.0.0.1 port 2: ")
    assert list(tmp_path.iterdir()) == []


def test_a_seed_that_robots_txt_refuses_is_a_failure_that_says_so(run: Run) -> None:
    def answer(url: str) -> Response | None:
        if not url.endswith("/robots.txt"):
            return None
        rules = b"User-agent: *\nDisallow: /"
        return Response(url, 200, {"content-type": "text/plain"}, rules, 0.0, 0.0)

    with ReplayServer(Replay({}), answers=answer) as server:
        done = run(*NETWORK, "--seed", SEED, "--proxy", server.proxy)
    done.fails(1, "no page could be fetched", SEED, "robots.txt does not allow")


def test_a_proxy_that_is_gone_ends_a_resume_and_no_waiting_url_is_given_up(run: Run, tmp_path: Path) -> None:
    web = demo_web()
    with ReplayServer(web.replay(), answers=web.respond) as server:
        proxy = server.proxy
        run(*NETWORK, "--seed", web.seeds[0], "--proxy", proxy, "--pages", 3)
    folder = tmp_path / "asthma"
    waiting = json.loads(run("status", folder, "--json").out)["waiting"]
    run("resume", folder, "--pages", 9).fails(2, f"no connection to the proxy {proxy}: Connection refused")
    assert json.loads(run("status", folder, "--json").out)["waiting"] == waiting > 0


OWN = """
class Backwards:
    '''Ranks the last link first.'''
    batch = 1

    def __init__(self, topic, slope: float = 1.0):
        self.slope = slope

    def rank(self, judged):
        return [self.slope * n for n, _ in enumerate(judged.page.links)]


class NoStrategy:
    pass
"""


def test_a_strategy_of_ones_own_from_a_file(run: Run, web: Path, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    words = ("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web, "--pages", 2, "--json")
    done = run(*words, "--strategy", "own.py:Backwards:slope=2", "--judge", "labels")
    assert done.code == 0
    visited = [json.loads(line).get("url") for line in done.out.splitlines()]
    # The last link leads to a page that is not there; the one before it to the cars.
    assert visited == [SEED, "http://a.test/gone", "http://a.test/cars", None]


def test_a_class_that_is_no_strategy_is_refused_before_the_crawl(run: Run, web: Path, tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text(OWN)
    words = ("crawl", "wordnet:asthma", "--seed", SEED, "--replay", web)
    run(*words, "--strategy", "own.py:NoStrategy").fails(2, "NoStrategy is no strategy", "no rank")
    assert not (tmp_path / "asthma").exists()


def test_a_crawl_has_the_languages_that_were_asked_for_and_keeps_them(run: Run, web: Path, tmp_path: Path) -> None:
    words = ("crawl", "keywords:asthme", "--seed", SEED, "--replay", web, "--folder", "c")
    assert run(*words, "--language", "fr, en", "--pages", 2).code == 0
    assert run("resume", "c", "--pages", 3).code == 0
    with CrawlGraph.read(tmp_path / "c") as graph:
        assert 'language = ["fr", "en"]' in graph.describe().topic
    assert (tmp_path / "c" / "page-counts").exists()


def test_the_settings_file_can_name_the_languages(run: Run, web: Path, tmp_path: Path) -> None:
    job = tmp_path / "job.toml"
    job.write_text(f'topic = "keywords:asthme"\nlanguage = ["fr"]\nreplay = ["{web}"]\npages = 1\n')
    assert run("crawl", "--config", job, "--seed", SEED).code == 0
    job.write_text('topic = "keywords:asthme"\nlanguage = 3\n')
    assert "language must be a tag" in run("crawl", "--config", job, "--seed", SEED).err


@pytest.mark.parametrize(("tag", "told"), [("xx", "ISO 639"), ("german", "did you mean de")])
def test_a_language_that_nobody_knows_is_an_error(run: Run, tag: str, told: str) -> None:
    done = run("crawl", "keywords:asthma", "--seed", SEED, "--language", tag)
    assert done.code == 2
    assert told in done.err


def test_a_language_without_stems_is_told(run: Run) -> None:
    done = run("topic", "keywords:asthma", "--language", "tlh")
    assert done.code == 0
    assert "no stems or stop words are known for the language tlh" in done.err


def test_where_nothing_is_relevant_the_last_words_are_advice(run: Run, web: Path, tmp_path: Path) -> None:
    folder = tmp_path / "none"
    done = run("crawl", "wordnet:volcano.n.02", "--seed", SEED, "--replay", web, "--folder", folder)
    assert done.code == 0
    assert "No page is relevant: see what is looked for" in done.out
    assert "Export it" not in done.out


def test_bytes_that_are_no_text_are_told_and_no_folder_is_made(run: Run, tmp_path: Path) -> None:
    ran = run("crawl", "wordnet:asthma", "--seed", SEED, "--folder", "c", "--exclude", os.fsdecode(b"a\xff"))
    ran.fails(2, "is no text in UTF-8")
    assert not (tmp_path / "c").exists()
