"""A web of a few pages about cats and dogs with its labels, and an experiment on it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from semcrawl.lab.ground_truth import GroundTruth, read_truth
from semcrawl.lab.loading import load_experiment
from semcrawl.lab.web import LabWeb, open_web

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from semcrawl.lab.experiment import Experiment

SITE = "http://pets.test"
HOME = f"{SITE}/index.html"
CATS = tuple(f"{SITE}/cats/{n}.html" for n in range(8))
DOGS = tuple(f"{SITE}/dogs/{n}.html" for n in range(8))
LONELY = f"{SITE}/cats/lonely.html"

EXPERIMENT = """
title = "Cats and dogs"
pages = 10
[web]
replay = ["web"]
[truth]
labels = "labels.tsv"
[[topic]]
name = "cats"
topic = "keywords:cat"
on_topic = ["animal.cat"]
seeds = ["http://pets.test/index.html"]
[[strategy]]
strategy = "breadth-first"
"""


def write_experiment(folder: Path, text: str = EXPERIMENT, **more: str) -> Path:
    """Write the web, its labels, its browsing paths and an experiment; return the last."""
    home = "".join(f'<p><a href="{url}">{url[17:21]}</a>' for url in (*CATS, *DOGS))
    _write(folder, HOME, f"pets {home}")
    _write(folder, LONELY, "a cat that nobody links to")
    for kind, urls in (("cat", CATS), ("dog", DOGS)):
        sound = "purr whisker mouse" if kind == "cat" else "bark bone leash"
        for number, url in enumerate(urls):
            about = f"{kind} {sound} {'word' * (number + 1)}"
            others = (urls[(number + step) % len(urls)] for step in (1, 2, 3))
            links = " and ".join(f'<a href="{other}">another {kind}</a>' for other in others)
            _write(folder, url, f"{about} {links} {about}")
    rows = [("url", "kind", "categories"), (HOME, "index", "")]
    rows += [(url, "page", "animal.cat.tame|home") for url in (*CATS, LONELY)]
    rows += [(url, "page", "animal.dog") for url in DOGS]
    _table(folder / "labels.tsv", rows)
    _table(folder / "paths.tsv", [(HOME, *pair) for pair in zip(DOGS, CATS, strict=True)])
    for name, content in more.items():
        (folder / name).write_text(content, encoding="utf-8")
    path = folder / "experiment.toml"
    path.write_text(text, encoding="utf-8")
    return path


@contextmanager
def opened(path: Path) -> Iterator[tuple[Experiment, LabWeb, GroundTruth]]:
    """An experiment with its web and its truth."""
    experiment = load_experiment(path)
    with open_web(experiment.web, path.parent / "cache") as web:
        yield experiment, web, read_truth(experiment, web)


def truth_of(path: Path) -> GroundTruth:
    """The ground truth of an experiment."""
    with opened(path) as (_, _, truth):
        return truth


def _write(folder: Path, url: str, body: str) -> None:
    place = folder / "web" / url.removeprefix("http://")
    place.parent.mkdir(parents=True, exist_ok=True)
    title = url.rsplit("/", 1)[1]
    place.write_text(f"<html><title>{title}</title><body>{body}</body></html>", encoding="utf-8")


def _table(path: Path, rows: list[tuple[Any, ...]]) -> None:
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8")
