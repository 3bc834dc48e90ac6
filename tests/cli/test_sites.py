from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import SEED, Ran, write_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Ran]

TOPIC = "keywords:asthma"


def test_the_found_sites_are_listed_at_the_end(run: Run, web: Path) -> None:
    done = run("sites", TOPIC, "--seed", SEED, "--replay", web, "--lens", "cosine")
    assert done.code == 0
    first, *rest = done.out.splitlines()
    assert first.split()[1:4] == ["1", "page", "b.test"]
    assert "Stopped because no URL is left to visit." in rest
    assert "List them:  semcrawl site-list asthma-sites" in rest
    assert "●" in done.err
    assert "\x1b" not in done.out + done.err


def test_a_crawl_can_be_resumed_and_says_how(run: Run, web: Path) -> None:
    begun = run("sites", TOPIC, "--seed", SEED, "--replay", web, "--pages", 1, "--folder", "c")
    assert "Go on:      semcrawl sites --resume c --pages 2" in begun.out
    assert "(being read)" in run("site-list", "c", "--min-confidence", 0).out
    done = run("sites", "--resume", "c", "--pages", 100, "--json")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert events[-1]["event"] == "stopped"
    assert {event["site"] for event in events if event["event"] == "site"} == {"a.test", "b.test"}
    assert all("progress" in event for event in events)


def test_quiet_is_quiet(run: Run, web: Path) -> None:
    done = run("sites", TOPIC, "--seed", SEED, "--replay", web, "--quiet")
    assert (done.code, done.out, done.err) == (0, "", "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "no topic"),
        ((TOPIC,), "at least one seed"),
        ((TOPIC, "--resume", "c"), "it takes no topic"),
        ((TOPIC, "--seed", "nonsense"), "not a URL"),
        ((TOPIC, "--seed", SEED, "--p-threshold", "0.2"), "p_threshold"),
        ((TOPIC, "--seed", SEED, "--site-by", "moon"), "'moon'"),
        ((TOPIC, "--seed", SEED, "--site-by", "path:0"), "'path:0'"),
        ((TOPIC, "--seed", SEED, "--model", "missing.model"), "missing.model"),
        ((TOPIC, "--seed", SEED, "--lens", "crystal"), "crystal"),
        (("--resume", "gone"), "there is no folder gone"),
    ],
)
def test_misuse_is_told_in_one_line_and_leaves_nothing(
    run: Run, words: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    run("sites", *words).fails(2, told)
    assert list(tmp_path.iterdir()) == []


def test_seeds_that_lead_nowhere_are_a_failure(run: Run, web: Path, tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("# none of these is there\nhttp://gone.test/\n")
    run("sites", TOPIC, "--seeds-file", "seeds.txt", "--replay", web, "--quiet").fails(
        1, "no page could be fetched", "was not recorded"
    )
    assert not (tmp_path / "asthma-sites").exists()


def test_seeds_are_listed_as_sites_to_train_with_are(run: Run, web: Path, tmp_path: Path) -> None:
    (tmp_path / "seeds.txt").write_text("# one\na.test\tsaid to be good\n")
    listed = (TOPIC, "--seeds-file", "seeds.txt", "--replay", web, "--folder", "c", "--quiet")
    assert run("sites", *listed).code == 0
    assert "a.test" in run("site-list", "c", "--min-confidence", 0).out
    (tmp_path / "seeds.txt").write_text("a.test\nftp://a.test/\n")
    run("sites", *listed).fails(2, "seeds.txt, line 2: not a URL")


def test_folders_of_a_host_are_not_limited_by_their_domain(run: Run, tmp_path: Path) -> None:
    homes = [f"http://p.test/~{name}/" for name in ("ann", "bob", "cy", "dee")]
    links = "".join(f"<a href={url}>home</a>" for url in homes)
    write_web(tmp_path / "w", {"http://p.test/": links} | dict.fromkeys(homes, "<p>Asthma"))
    crawl = ("sites", TOPIC, "--seed", "http://p.test/", "--replay", tmp_path / "w", "--quiet")
    limited = ("--site-by", "path:1", "--sites-per-domain", 2, "--folder", "c")
    assert run(*crawl, *limited, "--pages", 3).code == 0
    assert run("sites", "--resume", "c", "--pages", 100, "--quiet").code == 0
    found = json.loads(run("site-list", "c", "--format", "json", "--min-confidence", 0).out)
    assert {one["homepage"] for one in found} == {"http://p.test/", *homes}


def test_a_csv_list_has_no_control_characters(run: Run, tmp_path: Path) -> None:
    title = "<title>Red\x1b[31m\x00 \x9b asthma\nof lungs</title><p>Asthma."
    write_web(tmp_path / "w", {SEED: title})
    run("sites", TOPIC, "--seed", SEED, "--replay", tmp_path / "w", "--folder", "c", "--quiet")
    text = run("site-list", "c", "--format", "csv", "--min-confidence", 0).out
    assert [char for char in text if not char.isprintable() and char != "\n"] == []
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["title"].startswith("Red [31m")


def test_the_list_is_written_in_every_form(run: Run, web: Path, tmp_path: Path) -> None:
    run("sites", TOPIC, "--seed", SEED, "--replay", web, "--folder", "c", "--quiet")
    for form, start in (("csv", "site,confidence,"), ("json", "[\n"), ("turtle", ""), ("graphml", "<graphml")):
        assert run("site-list", "c", "--format", form).out.startswith(start)
    done = run("site-list", "c", "--format", "graphml", "-o", "sites.graphml")
    assert "written to sites.graphml" in done.out
    assert "<graphml" in (tmp_path / "sites.graphml").read_text(encoding="utf-8")
    assert "see --min-confidence" in run("site-list", "c", "--min-confidence", 1).err
    run("site-list", "c", "-o", "no/such/place.csv").fails(2, "cannot write")


def test_a_crawl_for_pages_has_no_sites_to_list_or_resume(run: Run, crawled: Path) -> None:
    run("site-list", crawled).fails(2, "a crawl for pages", f"'semcrawl query {crawled} sites' lists its sites")


def test_other_commands_take_a_crawl_for_websites(run: Run, web: Path) -> None:
    run("sites", TOPIC, "--seed", SEED, "--replay", web, "--folder", "c", "--quiet")
    assert "stopped because no URL is left" in run("status", "c").out
    assert "urn:semcrawl:site:a.test" in run("query", "c", "found-sites", "min_confidence=0").out
    assert run("export", "c", "--format", "csv").code == 0
    run("resume", "c").fails(2, "semcrawl sites --resume c")
