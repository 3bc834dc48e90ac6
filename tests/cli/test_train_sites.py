from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from semcrawl.models.site_classifiers import load_site_model
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.web import ReplayServer, open_replay
from tests.cli.conftest import write_web

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.cli.conftest import Ran

SITES = {
    "sail": ("Sailing boats mast keel", "Wind and sails of a boat", "Harbour for boats and sails"),
    "regatta": ("Regatta of sailing boats", "Keel and mast of the boat", "Wind at the harbour"),
    "goal": ("Football match goal team", "League match and team", "Stadium tickets for the match"),
    "league": ("League of football teams", "Goal of the match", "Stadium and tickets"),
    "oven": ("Bread oven flour butter", "Butter and flour", "Recipes with butter in the oven"),
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a recorded web of small sites, and lists of them."""
    folder = tmp_path_factory.mktemp("sites")
    pages = {}
    for name, (home, *inner) in SITES.items():
        links = "".join(f"<a href=/{number}>page</a>" for number in range(len(inner)))
        pages[f"http://{name}.test/"] = f"<p>{home}</p>{links}"
        for number, text in enumerate(inner):
            pages[f"http://{name}.test/{number}"] = f"<p>{text}"
    write_web(folder / "web", pages)
    lists = {
        "boats.txt": "sail.test\nregatta.test\n",
        "others.txt": "# not boats\nhttp://goal.test/\nhttp://league.test/\n",
        "kitchen.txt": "oven.test\n",
        "gone.txt": "http://gone.test/\nhttp://never.test/\n",
        "empty.txt": "# none yet\n",
        "wrong.txt": "ftp://sail.test/\n",
        "tree.tsv": "http://sail.test/\tSport/Sailing\nhttp://regatta.test/\tSport/Sailing\n"
        "http://goal.test/\tSport/Football\nhttp://oven.test/\tBaking\n",
    }
    for name, text in lists.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def train(place: Path, run: Callable[..., Ran]) -> Callable[..., Ran]:
    """Run ``semcrawl train sites``; names of files in the folder are meant so."""

    def command(*words: object) -> Ran:
        given = []
        for word in words:
            label, equals, file = str(word).rpartition("=")
            is_there = file and (place / file).exists()
            given.append(f"{label}{equals}{place / file}" if is_there else word)
        return run("train", "sites", "-o", "boats.sites", *given)

    return command


LISTS = ("--relevant", "boats.txt", "--other", "others.txt", "--replay", "web")


def test_a_summary_says_what_was_learnt(train: Callable[..., Ran], tmp_path: Path) -> None:
    done = train(*LISTS, "--topic", "keywords:boats")
    assert done.code == 0, done
    assert done.out.splitlines()[0].startswith("target  2 sites, 6 pages, error 0.")
    assert done.out.splitlines()[1].endswith(", 1 centroid")
    assert "p_err 0." in done.out
    assert done.out.endswith(", centroids; written to boats.sites\n")
    model = load_site_model(tmp_path / "boats.sites")
    assert model.facts.topic == "boats"
    assert model.classifier.confidences({"boat": 2, "mast": 1})[0] > 0.7


def test_several_classes_of_other_sites_have_names(train: Callable[..., Ran]) -> None:
    done = train(
        "--relevant", "boats=boats.txt", "--other", "ball=others.txt", "--other",
        "bread=kitchen.txt", "--replay", "web", "--classifier", "naive-bayes", "--json",
    )  # fmt: skip
    facts = json.loads(done.out)
    assert facts["classes"] == ["boats", "ball", "bread"]
    assert (facts["sites"], facts["pages"]) == ([2, 2, 1], [6, 6, 3])
    assert (facts["classifier"], facts["centroids"]) == ("naive-bayes", [])


def test_only_the_first_pages_of_a_site_are_read(train: Callable[..., Ran]) -> None:
    assert json.loads(train(*LISTS, "--pages", 2, "--json").out)["pages"] == [4, 4]


def test_a_site_may_be_a_folder_of_a_host(train: Callable[..., Ran]) -> None:
    done = train(*LISTS, "--site-by", "path:1", "--json")
    assert json.loads(done.out)["sites"] == [2, 2]


@pytest.mark.parametrize(("given", "kept"), [((), "host"), (("--site-by", "path"), "path:1")])
def test_a_model_remembers_what_a_site_was(
    train: Callable[..., Ran], tmp_path: Path, given: tuple[str, ...], kept: str
) -> None:
    train(*LISTS, *given)
    assert load_site_model(tmp_path / "boats.sites").facts.site_by == kept


def test_the_same_words_write_the_same_bytes(train: Callable[..., Ran], tmp_path: Path) -> None:
    train(*LISTS)
    first = (tmp_path / "boats.sites").read_bytes()
    train(*LISTS)
    assert (tmp_path / "boats.sites").read_bytes() == first


def test_sites_that_answer_with_errors_only_are_counted_and_named(train: Callable[..., Ran]) -> None:
    done = train(*LISTS, "--other", "gone.txt")
    assert done.code == 0
    assert "2 sites gave no page, left out: http://gone.test/ (NotInReplay), " in done.err


def test_a_tree_of_categories_names_the_sites(train: Callable[..., Ran]) -> None:
    done = train("--taxonomy", "tree.tsv", "--category", "Sailing", "--replay", "web", "--json")
    assert json.loads(done.out)["sites"] == [2, 2]


def test_a_trained_taxonomy_needs_no_pages(train: Callable[..., Ran], tmp_path: Path) -> None:
    taxonomy = Taxonomy.train(_written_tree(tmp_path))
    taxonomy.mark("Boats")
    taxonomy.save(tmp_path / "pets.model")
    done = train("--taxonomy", tmp_path / "pets.model", "--json")
    assert json.loads(done.out)["pages"] == [2, 2]
    taxonomy.unmark()
    taxonomy.save(tmp_path / "pets.model")
    train("--taxonomy", tmp_path / "pets.model").fails(2, "name some with --category")


def _written_tree(folder: Path) -> Path:
    for category, texts in {"Boats": SITES["sail"], "Ball": SITES["goal"]}.items():
        place = folder / "tree" / category
        place.mkdir(parents=True)
        for number, text in enumerate(texts[:2]):
            (place / f"{number}.txt").write_text(text, encoding="utf-8")
    return folder / "tree"


def test_validation_tells_held_out_sites_as_in_table_2(train: Callable[..., Ran]) -> None:
    """Ester 2004, section 5.2: folds of sites, the internal crawler beside the homepage."""
    done = train(*LISTS, "--validate", "--classifier", "naive-bayes")
    several, homepages = done.out.splitlines()[-2:]
    assert several.startswith("held-out sites by several pages: precision 1.00, recall 1.00, F 1.0")
    assert "pages a site" in several
    assert homepages.startswith("held-out sites by homepages: precision ")
    done = train(*LISTS, "--validate", "--classifier", "naive-bayes", "--json")
    assert json.loads(done.out)["validation"]["several pages"]["F"] == 1


def test_sites_are_fetched_where_no_recorded_web_is_given(place: Path, run: Callable[..., Ran], tmp_path: Path) -> None:
    with ReplayServer(open_replay(place / "web")) as server:
        proxied = ("--proxy", server.proxy, "--allow-private", "--delay", 0)
        done = run(
            "train", "sites", "--relevant", place / "boats.txt", "--other", place / "others.txt",
            *proxied, "-o", "boats.sites",
        )  # fmt: skip
    assert done.code == 0, done
    assert load_site_model(tmp_path / "boats.sites").facts.pages == (6, 6)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no relevant site is given"),
        (("--relevant", "boats.txt"), "no other site is given"),
        (("--relevant", "empty.txt", "--other", "others.txt"), "lists no site"),
        (("--relevant", "wrong.txt", "--other", "others.txt"), "line 1: not a URL"),
        (("--relevant", "nowhere", "--other", "others.txt"), "No such file"),
        (("--relevant", "gone.txt", "--other", "others.txt"), "of the class 'target' gave a page"),
        (("--relevant", "boats.txt", "--other", "gone.txt"), "of the class 'other' gave a page"),
        (("--relevant", "boats.txt", "--other", "boats.txt"), "listed among the sites of"),
        (("--relevant", "x=boats.txt", "--other", "x=others.txt"), "both named 'x'"),
        (("--relevant", "x=boats.txt", "--relevant", "y=kitchen.txt", "--other", "others.txt"),
         "the same name"),
        ((*LISTS[:4], "--validate"), "the recorded web that they are in with --replay"),
        (("--relevant", "boats.txt", "--other", "kitchen.txt", "--validate"), "two others"),
        ((*LISTS, "--site-by", "planet"), "use host, domain, or path:N"),
        ((*LISTS, "--category", "Sailing"), "give it with --taxonomy"),
        ((*LISTS, "--taxonomy", "tree.tsv"), "give either"),
        (("--taxonomy", "tree.tsv"), "with --category"),
        (("--taxonomy", "tree.tsv", "--category", "Chess"), "Chess"),
        ((*LISTS, "-o", "no/folder/x.sites"), "there is no folder no/folder for the model"),
    ],
)  # fmt: skip
def test_what_cannot_be_learnt_from_is_an_error_and_writes_nothing(
    train: Callable[..., Ran], tmp_path: Path, words: tuple[str, ...], message: str
) -> None:
    web = () if "--replay" in words or "--replay" in message else ("--replay", "web")
    train(*words, *web).fails(2, message)
    assert not (tmp_path / "boats.sites").exists()
