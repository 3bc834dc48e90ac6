from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.models.context_graph import load_context_graph
from semcrawl.models.training_pages import topic_digest
from semcrawl.topics import Topic
from tests.cli.conftest import Ran, write_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Ran]

TRAIN = ("train", "context-graph")


def url(kind: str, number: int) -> str:
    return f"http://{kind}.test/{number}"


@pytest.fixture
def layered(tmp_path: Path) -> Path:
    """A recorded web of five ways: street, then clinic, then asthma."""
    pages = {}
    for n in range(5):
        pages[url("street", n)] = f"<p>Shops and trams <a href='{url('clinic', n)}'>in</a>"
        pages[url("clinic", n)] = f"<p>Doctors and nurses <a href='{url('asthma', n)}'>in</a>"
        pages[url("asthma", n)] = f"<p>Asthma <a href='{url('street', (n + 1) % 5)}'>next</a>"
    return write_web(tmp_path / "layered", pages)


@pytest.fixture
def paths(tmp_path: Path) -> Path:
    lines = ("\t".join(url(kind, n) for kind in ("street", "clinic", "asthma")) for n in range(5))
    (tmp_path / "paths.tsv").write_text("\n".join(lines))
    return tmp_path / "paths.tsv"


def test_layers_of_browsing_paths(run: Run, layered: Path, paths: Path) -> None:
    done = run(*TRAIN, paths, "--replay", layered, "-o", "asthma.model")
    assert done.code == 0, done.err
    assert done.out.splitlines()[:3] == [f"layer {n}: 5 pages" for n in range(3)]
    graph = load_context_graph("asthma.model")
    assert graph.topic == ""
    assert "asthma" in graph.layers[0].weights
    assert "doctor" in graph.layers[1].weights
    assert "tram" in graph.layers[2].weights


def test_with_a_topic_the_pages_on_it_are_the_targets(run: Run, layered: Path, paths: Path) -> None:
    words = (*TRAIN, paths, "--replay", layered, "--topic", "keywords:nurses", "-o", "asthma.model")
    assert run(*words).code == 0
    graph = load_context_graph("asthma.model")
    assert (graph.topic, graph.judge) == ("nurses", "labels")
    assert graph.topic_digest == topic_digest(Topic.parse("keywords:nurses"))
    assert "nurs" in graph.layers[0].weights


def test_targets_may_be_listed(run: Run, layered: Path, paths: Path, tmp_path: Path) -> None:
    (tmp_path / "targets").write_text("\n".join(url("clinic", n) for n in range(5)))
    done = run(*TRAIN, paths, "--replay", layered, "--targets", "targets", "-o", "asthma.model")
    assert done.out.splitlines()[:2] == ["layer 0: 5 pages", "layer 1: 5 pages"]


@pytest.mark.parametrize("topic", [(), ("--topic", "keywords:asthme")])
def test_in_a_language_without_a_table_words_of_all_pages_tell_nothing(
    run: Run, paths: Path, tmp_path: Path, topic: tuple[str, ...]
) -> None:
    words = {"street": "boutique et tramway", "clinic": "docteur", "asthma": "asthme"}
    web = write_web(
        tmp_path / "french", {url(kind, n): f"<p>{word}, bienvenue" for kind, word in words.items() for n in range(5)}
    )
    french = (*TRAIN, paths, "--replay", web, "--language", "fr", *topic, "-o", "asthme.model")
    assert run(*french).code == 0
    terms = load_context_graph("asthme.model").terms
    assert "asthme" in terms
    assert "bienvenu" not in terms


def test_layers_of_a_crawl_and_a_crawl_by_them(run: Run, layered: Path) -> None:
    crawl = ("crawl", "keywords:asthma", "--replay", layered, "--quiet", "--seed", url("street", 0))
    assert run(*crawl, "--folder", "first", "--strategy", "breadth-first").code == 0
    done = run(*TRAIN, "first", "-o", "asthma.model")
    assert done.out.splitlines()[:3] == [f"layer {n}: 5 pages" for n in range(3)]
    strategy = ("--strategy", "context-graph:model=asthma.model")
    assert run(*crawl, "--folder", "second", *strategy) == Ran(0, "", "")
    other = ("crawl", "keywords:linux", "--replay", layered, "--seed", url("street", 0), *strategy)
    run(*other).fails(2, "was trained for the topic 'asthma'", "any_topic=true")


def test_bad_input_is_one_line(run: Run, layered: Path, paths: Path, tmp_path: Path) -> None:
    (tmp_path / "strange.tsv").write_text("http://x.test/1\thttp://x.test/2\n")
    model = ("-o", "asthma.model")
    run(*TRAIN, paths, *model).fails(2, "give a recorded web with --replay")
    run(*TRAIN, "gone", "--replay", layered, *model).fails(2, "there is no gone to learn from")
    run(*TRAIN, "gone", *model).fails(2, "there is no gone to learn from")
    unknown = (*TRAIN, "strange.tsv", "--replay", layered, *model)
    run(*unknown).fails(2, "of the target pages none is in the recording (http://x.test/2")
    run(*unknown, "--topic", "keywords:asthma").fails(2, "none of the 2 pages on the paths is in")
    (tmp_path / "short.tsv").write_text("\n".join(paths.read_text().splitlines()[:2]))
    run(*TRAIN, "short.tsv", "--replay", layered, *model).fails(2, "two layers of 3 pages")
    run(*TRAIN, "gone", "-o", "deep/asthma.model").fails(2, "there is no folder deep")
    run(*TRAIN, layered, *model).fails(2, "holds no crawl")
    run(*TRAIN, paths, "--replay", layered, "--judge", "ssrm", *model).fails(2, "--topic")
    assert not (tmp_path / "asthma.model").exists()
