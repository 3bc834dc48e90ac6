from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import rdflib

from semcrawl import Crawl
from tests.cli.conftest import SEED, write_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

    Run = Callable[..., Ran]

LUNGS = "http://a.test/lungs"
PAGES = {
    SEED: '<title>Start</title><p>Asthma. <a href="/lungs">asthma</a> <a href="/gone">gone</a>',
    LUNGS: "<title>Lungs\x1b[31m\n of\u202e all</title><p>Asthma attack, asthmas, bronchitis.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A finished crawl with the SSRM judge; its web is in the folder beside it."""
    web = write_web(tmp_path / "web", PAGES)
    settings: dict[str, Any] = {"judge": "ssrm", "replay": [str(web)]}
    with Crawl("wordnet:asthma", [SEED], tmp_path / "asthma", **settings) as crawl:
        crawl.run()
    return tmp_path / "asthma"


def test_a_person_reads_words_shares_and_the_way(run: Run, folder: Path) -> None:
    done = run("explain", folder, LUNGS)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[1] == LUNGS
    assert lines[3].startswith("relevance 0.")
    assert lines[3].endswith(" by ssrm")
    shares = [line for line in lines if line.strip()[:1].isdigit() and "%" in line[:7]]
    assert {line.split()[1] for line in shares} == {"asthma", "asthmas", "bronchitis"}
    assert any("bronchitis – respiratory disease – asthma" in line for line in shares)
    assert sum(float(line.split("%")[0]) for line in shares) == pytest.approx(100, abs=0.2)
    assert sum(line.startswith("divided by ") for line in lines) == 2
    assert "then x / (1 + x), to lie between 0 and 1" in lines
    assert lines[-3] == "found along"
    assert lines[-2].startswith(f"  {SEED}  seed  relevance 0.")
    assert lines[-1].startswith(f"  {LUNGS}  priority ")


def test_the_title_is_one_line_and_cannot_steer_the_terminal(run: Run, folder: Path) -> None:
    done = run("explain", folder, LUNGS)
    assert done.out.splitlines()[0].startswith("Lungs\ufffd[31m of")
    assert "\x1b" not in done.out
    assert "\u202e" not in done.out


def test_a_program_reads_json(run: Run, folder: Path) -> None:
    told = json.loads(run("explain", folder, LUNGS, "--format", "json").out)
    assert told["score"] == pytest.approx(told["relevance"], abs=5e-7)
    assert told["changed"] is False
    assert [step["url"] for step in told["path"]] == [SEED, LUNGS]


def test_a_graph_reads_turtle(run: Run, folder: Path) -> None:
    done = run("explain", folder, LUNGS, "--format", "turtle")
    graph = rdflib.Graph().parse(data=done.out, format="turtle")
    assert rdflib.URIRef(f"{LUNGS}#judgement") in set(graph.subjects())


def test_a_page_of_another_topic_has_no_words_to_show(run: Run, tmp_path: Path) -> None:
    web = write_web(tmp_path / "web", {SEED: "<title>Cars</title><p>Wheels"})
    more: dict[str, Any] = {"replay": [str(web)], "judge": "labels"}
    with Crawl("wordnet:asthma", [SEED], tmp_path / "c", **more) as crawl:
        crawl.run()
    done = run("explain", tmp_path / "c", SEED)
    assert "relevance 0.0000 by labels" in done.out
    assert "no word of the text has to do with the topic" in done.out


def test_a_page_that_changed_is_noted(run: Run, folder: Path) -> None:
    (folder.parent / "web" / "1.html").write_text("<p>Asthma, no more")
    done = run("explain", folder, LUNGS)
    assert done.code == 0
    assert done.err.startswith("note: the page has changed since; read now it scores 0.")


def test_a_page_that_has_more_words_than_a_screen_is_cut(run: Run, tmp_path: Path) -> None:
    words = " ".join(f"w{letter}x" for letter in "abcdefghijklmnopqrst")
    web = write_web(tmp_path / "web", {SEED: f"<p>{words}"})
    topic = "keywords:" + words.replace(" ", ",")
    with Crawl(topic, [SEED], tmp_path / "c", replay=[str(web)]) as crawl:
        crawl.run()
    assert "… and 25 more\n" in run("explain", tmp_path / "c", SEED).out


@pytest.mark.parametrize(
    ("url", "code", "message"),
    [
        ("http://a.test/never", 2, "the crawl has not visited http://a.test/never"),
        ("http://a.test/gone", 2, "it was dropped because of NotInReplay"),
        ("never", 2, "'never'"),
        ("", 2, "''"),
    ],
)
def test_what_cannot_be_explained_is_one_line(run: Run, folder: Path, url: str, code: int, message: str) -> None:
    run("explain", folder, url).fails(code, message)


def test_other_failures_are_one_line(run: Run, folder: Path, tmp_path: Path) -> None:
    run("explain", tmp_path / "none", LUNGS).fails(2, "none")
    run("explain", folder, LUNGS, "--format", "xml").fails(2, "'xml' is not one of")
    urls = folder.parent / "web" / "urls.tsv"
    urls.write_text(urls.read_text().splitlines()[0] + "\n")
    run("explain", folder, LUNGS).fails(1, "cannot be read again")


def test_a_page_of_a_crawl_for_websites_is_explained_by_what_judged_it(run: Run, tmp_path: Path) -> None:
    web = write_web(tmp_path / "web", PAGES)
    run("sites", "wordnet:asthma", "--seed", SEED, "--replay", web, "--folder", "c", "--quiet")
    done = run("explain", "c", LUNGS)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[3].endswith(" by the lens labels")
    confidence = lines[3].split()[1]
    assert lines[5] == f"{confidence}  target"
    assert any(line.startswith("site a.test: 0.") for line in lines)
    assert any(line.endswith(f"is a confidence of {confidence}") for line in lines)
    assert lines[-1].startswith(f"  {LUNGS}  priority ")
    told = json.loads(run("explain", "c", LUNGS, "--format", "json").out)
    assert told["confidences"]["target"] == told["relevance"]
    run("explain", "c", LUNGS, "--format", "turtle").fails(2, "as text or json", "site-list")


SILENT = """
class Silent:
    threshold = 0.5

    def judge(self, page):
        from semcrawl.relevance import Judgement

        return Judgement(1.0 if page.text else 0.0)
"""


def test_a_judge_that_cannot_explain_is_said(run: Run, tmp_path: Path) -> None:
    web = write_web(tmp_path / "web", PAGES)
    (tmp_path / "silent.py").write_text(SILENT)
    settings: dict[str, Any] = {"judge": f"{tmp_path / 'silent.py'}:Silent", "replay": [str(web)]}
    with Crawl("wordnet:asthma", [SEED], tmp_path / "c", **settings) as crawl:
        crawl.run()
    run("explain", tmp_path / "c", SEED).fails(2, "Silent' cannot explain its scores")
