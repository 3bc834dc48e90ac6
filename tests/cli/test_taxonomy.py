from __future__ import annotations

import json
import signal
import socket
import subprocess
from contextlib import chdir
from typing import TYPE_CHECKING

import pytest

from semcrawl.cli.taxonomy import telling_of_interrupts
from tests.started import COMMAND, Started

from .conftest import Ran, write_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

EXAMPLES = {
    "Animals/Birds/owl.html": "<p>Owls are birds with wings and feathers",
    "Animals/Cats/cat.txt": "Cats with fur and claws",
    "Cars/car.txt": "Cars with wheels and engines",
}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A folder of folders."""
    for name, text in EXAMPLES.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return tmp_path / "tree"


@pytest.fixture
def model(tree: Path, run: Callable[..., Ran]) -> str:
    """A trained model in the current folder."""
    assert run("taxonomy", "train", tree, "-o", "m.tax").code == 0
    return "m.tax"


def test_train_says_what_it_did(tree: Path, run: Callable[..., Ran]) -> None:
    (tree / "Cars" / "broken.bin").write_bytes(b"\0\x1b[31m")
    ran = run("taxonomy", "train", tree, "-o", "m.tax")
    assert ran.out == "4 categories, 3 examples: written to m.tax\n"
    assert "left out:" in ran.err
    assert "broken.bin" in ran.err


def test_a_long_training_says_how_far_it_is(
    tree: Path, run: Callable[..., Ran], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree / "Cars" / "broken.bin").write_bytes(b"\0")
    monkeypatch.setattr("semcrawl.cli.taxonomy._EVERY", 0.0)
    lines = run("taxonomy", "train", tree, "-o", "m.tax").err.splitlines()
    assert lines[:4] == [f"{number} of 4 examples read" for number in (1, 2, 3, 4)]
    assert lines[4].startswith("left out:")
    assert lines[5:] == ["all examples read; learning them"]


@pytest.mark.parametrize("is_there", [True, False])
def test_an_interrupted_training_says_what_became_of_the_model(model: str, tmp_path: Path, is_there: bool) -> None:
    output = tmp_path / (model if is_there else "new.tax")
    before = {path.name: path.read_bytes() for path in tmp_path.glob("*.tax")}
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        (tmp_path / "t.tsv").write_text(f"http://127.0.0.1:{silent.getsockname()[1]}/\tA\n")
        words = ["taxonomy", "train", "t.tsv", "-o", output.name, "--allow-private"]
        with (
            chdir(tmp_path),
            Started(COMMAND, *words, stderr=subprocess.PIPE) as training,
            silent.accept()[0],
        ):  # it now waits for an answer that never comes
            training.send_signal(signal.SIGINT)
            out, err = training.communicate(timeout=60)
    assert (training.returncode, out) == (130, "")
    state = f"{output.name} is as it was" if is_there else "nothing was written"
    assert err.strip() == f"semcrawl: interrupted; {state}"
    assert {path.name: path.read_bytes() for path in tmp_path.glob("*.tax")} == before


def test_an_interrupt_after_the_writing_does_not_deny_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "m.tax"

    @telling_of_interrupts(output)
    def write() -> None:
        output.write_text("new")
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert capsys.readouterr().err.strip() == f"semcrawl: interrupted; {output} was written"


def test_train_with_pages_of_a_recorded_web(run: Callable[..., Ran], tmp_path: Path) -> None:
    write_web(tmp_path / "web", {"http://a.test/b": "<p>birds", "http://a.test/c": "<p>cars"})
    rows = "http://a.test/b\tBirds\nhttp://a.test/c\tCars\nhttp://a.test/gone\tCars\n"
    (tmp_path / "t.tsv").write_text(rows)
    ran = run("taxonomy", "train", "t.tsv", "-o", "m.tax", "--replay", "web")
    assert (ran.code, ran.out) == (0, "2 categories, 2 examples: written to m.tax\n")
    assert "http://a.test/gone was not recorded" in ran.err
    said = run("taxonomy", "classify", "m.tax", "http://a.test/b", "--replay", "web", "--json")
    assert json.loads(said.out)["pages"][0]["categories"][0]["category"] == "Birds"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("t.tsv", "gone.html\tA\n", ["no example for A", "gone.html is not there", "--skip-empty"]),
        ("t.txt", "A\n  B\n  B\n", ["line 3", "is there already"]),
        ("t.tsv", "", ["holds no categories"]),
        ("none.tsv", None, ["none.tsv", "No such file"]),
        (
            "t.ttl",
            ("@prefix s: <http://www.w3.org/2004/02/skos/core#> . <x:a> s:broader <x:b> . <x:b> s:broader <x:a> ."),
            ["in a circle"],
        ),
    ],
)
def test_trees_that_cannot_be_trained(
    run: Callable[..., Ran], tmp_path: Path, name: str, content: str | None, words: list[str]
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    run("taxonomy", "train", name, "-o", "m.tax").fails(2, *words)
    assert not (tmp_path / "m.tax").exists()


def test_a_training_that_fails_leaves_the_model(model: str, run: Callable[..., Ran], tmp_path: Path) -> None:
    before = (tmp_path / model).read_bytes()
    (tmp_path / "t.tsv").write_text("gone.html\tA\n")
    run("taxonomy", "train", "t.tsv", "-o", model).fails(2, "no example for A")
    assert (tmp_path / model).read_bytes() == before


def test_show(model: str, run: Callable[..., Ran]) -> None:
    run("taxonomy", "mark", model, "Animals")
    lines = run("taxonomy", "show", model).out.splitlines()
    assert lines == ["* Animals (2)", "+   Birds (1)", "+   Cats (1)", "  Cars (1)"]
    shown = run("taxonomy", "show", model, "--category", "Birds", "--words", 9, "--examples").out
    assert "feather" in shown
    assert "owl.html" in shown
    rows = json.loads(run("taxonomy", "show", model, "--json").out)
    assert [row["good"] for row in rows] == ["marked", "inherited", "inherited", ""]


def test_classify_suggests_what_to_mark(model: str, run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "p.txt").write_text("a bird with wings")
    ran = run("taxonomy", "classify", model, "p.txt", "gone.txt")
    assert ran.code == 0
    assert "gone.txt is not there" in ran.err
    lines = ran.out.splitlines()
    assert lines[0] == "p.txt"
    assert lines[1].endswith("Animals/Birds")
    assert lines[-1] == "semcrawl taxonomy mark m.tax 'Animals/Birds'"
    run("taxonomy", "mark", model, "Birds")
    assert "relevance 0.9" in run("taxonomy", "classify", model, "p.txt").out


def test_mark_widen_unmark(model: str, run: Callable[..., Ran]) -> None:
    assert run("taxonomy", "mark", model, "Birds").out == "marked Animals/Birds\ngood: Animals/Birds\n"
    assert run("taxonomy", "mark", model, "Birds").out.startswith("nothing changed")
    widened = run("taxonomy", "mark", model, "--widen", "siblings")
    assert widened.out == "marked Animals/Cats\ngood: Animals/Birds, Animals/Cats\n"
    run("taxonomy", "mark", model, "--widen", "parents")
    all_good = run("taxonomy", "mark", model, "Cars")
    assert "everything is good now" in all_good.err
    assert run("taxonomy", "mark", model, "--unmark").out.endswith("good: none\n")


def test_add_and_move(model: str, run: Callable[..., Ran], tmp_path: Path) -> None:
    (tmp_path / "frog.txt").write_text("frogs with wet skin")
    added = run("taxonomy", "add", model, "Animals/Frogs", "frog.txt")
    assert added.out == "made the category Animals/Frogs\nadded 1 example to Animals/Frogs\n"
    moved = run("taxonomy", "move", model, "frog.txt", "Cats")
    assert moved.out == "moved frog.txt from Animals/Frogs to Animals/Cats\n"
    assert "Animals/Frogs has no examples" in moved.err
    again = run("taxonomy", "move", model, "Frogs", "/")
    assert again.out == "moved the category Animals/Frogs to Frogs\n"


def test_1999_section_2_3_examples_and_categories_can_be_removed(
    model: str, run: Callable[..., Ran], tmp_path: Path
) -> None:
    """Chakrabarti et al. 1999, section 2.3: the user changes the tree and its examples."""
    removed = run("taxonomy", "remove", model, "owl.html")
    assert removed.out == "removed owl.html from Animals/Birds\n"
    run("taxonomy", "remove", model, "owl.html").fails(2, "owl.html")
    gone = run("taxonomy", "remove", model, "Animals/Cats")
    assert gone.out.startswith("removed the category Animals/Cats with ")
    run("taxonomy", "show", model, "--category", "Cats").fails(2, "no category 'Cats'")
    assert "Cats" not in run("taxonomy", "show", model).out
    before = (tmp_path / model).read_bytes()
    run("taxonomy", "remove", model, "Animals")
    run("taxonomy", "remove", model, "Cars").fails(2, "nothing is left")
    assert (tmp_path / model).read_bytes() != before


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["Birds", "Animals"], "nothing changed: Animals/Birds is there already\n"),
        (["Cars", "/"], "nothing changed: Cars is there already\n"),
        (["owl.html", "Birds"], "nothing changed: owl.html is in Animals/Birds already\n"),
    ],
)
def test_a_move_to_where_it_is_changes_nothing(
    model: str, run: Callable[..., Ran], tmp_path: Path, words: list[str], said: str
) -> None:
    before = (tmp_path / model).stat()
    ran = run("taxonomy", "move", model, *words)
    assert (ran.code, ran.out, ran.err) == (0, said, "")
    after = (tmp_path / model).stat()  # its time of access may differ
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["show", "none.tax"], ["cannot read the model none.tax"]),
        (["show", "MODEL", "--category", "Brids"], ["no category 'Brids' in m.tax; did you mean Animals/Birds?"]),
        (["mark", "MODEL"], ["name a category"]),
        (["mark", "MODEL", "Cars", "--widen", "parents"], ["above it is everything"]),
        (["mark", "MODEL", "Cars", "--unmark", "--widen", "parents"], ["contradict"]),
        (["classify", "MODEL", "gone.txt"], ["no page could be read"]),
        (["add", "MODEL", "Cars", "gone.txt"], ["no example could be read", "gone.txt"]),
        (["move", "MODEL", "nothing", "Cars"], ["no category 'nothing' in m.tax; 'semcrawl taxonomy show' lists"]),
        (["move", "MODEL", "Animals", "Birds"], ["cannot be moved under"]),
        (["train", "tree", "-o", "tree/Cars/car.txt"], ["holds something else"]),
        (["train", "tree", "-o", "m2.tax", "--smoothing", "0"], ["--smoothing", "x>0"]),
    ],
)
def test_misuse(model: str, run: Callable[..., Ran], words: list[str], told: list[str]) -> None:
    ran = run("taxonomy", *[model if word == "MODEL" else word for word in words])
    assert ran.code == 2
    assert ran.out == ""
    assert "semcrawl: error: " in ran.err
    for word in told:
        assert word in ran.err


def test_a_crawl_judged_by_a_taxonomy(model: str, run: Callable[..., Ran], tmp_path: Path) -> None:
    write_web(
        tmp_path / "web",
        {
            "http://a.test/": '<p>Owls and birds have wings <a href="/car">cars</a>',
            "http://a.test/car": "<p>Cars with wheels and engines",
        },
    )
    words = ["--seed", "http://a.test/", "--replay", "web", "--judge", "taxonomy", "--folder", "c"]
    assert run("crawl", "taxonomy:m.tax#Birds", *words).code == 0
    rows = run("query", "c", "SELECT ?u ?c { ?u sc:bestConcept ?c } ORDER BY ?u", "--format", "csv").out.splitlines()
    assert [row.rpartition("/")[2].strip() for row in rows[1:]] == ["Birds", "Cars"]
