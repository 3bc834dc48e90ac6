from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import TopicError
from semcrawl.topics import Topic
from semcrawl.topics.category_files import CATEGORY_IRI, read_taxonomy

from .conftest import ROOT

if TYPE_CHECKING:
    from pathlib import Path

TABLE = "# url\tcategory\nhttp://a.test/1\tScience{0}Biology\nhttp://a.test/2\tScience{0}Biology{0}Birds\n"
TEXT = """
Science | natural science
    Biology
        - http://a.test/1
        Birds
            - http://a.test/2
"""


def place(tmp_path: Path, form: str) -> Path:
    """The same small taxonomy in one of its forms."""
    path = tmp_path / f"tree.{'txt' if form == 'text' else 'tsv'}"
    if form == "folder":
        path = tmp_path / "tree"
        (path / "Science" / "Biology" / "Birds").mkdir(parents=True)
        (path / ".hidden").mkdir()
        for name, category in (("1", "Science/Biology"), ("2", "Science/Biology/Birds")):
            (path / category / f"{name}.html").write_text("a page")
    else:
        path.write_text(TEXT if form == "text" else TABLE.format("/" if form == "slashes" else "."))
    return path


@pytest.mark.parametrize("form", ["slashes", "dots", "text", "folder"])
def test_every_form_gives_the_same_tree(tmp_path: Path, form: str) -> None:
    graph = read_taxonomy(place(tmp_path, form))
    tree = f"{CATEGORY_IRI}tree/Science"
    assert list(graph) == [tree, f"{tree}/Biology", f"{tree}/Biology/Birds"]
    assert graph.broader(f"{tree}/Biology/Birds") == [f"{tree}/Biology"]
    assert graph.top_concepts() == [tree]
    examples = {c.removeprefix(tree): len(found) for c, found in graph.notes.examples.items()}
    assert examples == {"/Biology": 1, "/Biology/Birds": 1}


@pytest.mark.parametrize("name", ["Birds", "birds", "Science/Biology/Birds", "Science.Biology.Birds"])
def test_a_category_is_found_by_name_and_by_path(tmp_path: Path, name: str) -> None:
    topic = Topic.parse(f"taxonomy:{place(tmp_path, 'text')}#{name}")
    assert topic.name == "Birds"
    assert Topic.from_toml(topic.to_toml()) == Topic.from_turtle(topic.to_turtle()) == topic


def test_a_taxonomy_alone_stands_for_its_top_categories(tmp_path: Path) -> None:
    topic = Topic.parse(f"taxonomy:{place(tmp_path, 'text')}")
    assert topic.labels() == [("science", 1.0), ("natural science", 1.0)]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "", "holds no categories"),
        ("a.tsv", "# nothing\n", "holds no categories"),
        ("a.tsv", "http://a.test/\n", "line 1: a line holds"),
        ("a.tsv", "http://a.test/\ta\tb\n", "line 1: a line holds"),
        ("a.tsv", "http://a.test/\ta//b\n", "line 1: 'a//b' has an empty part"),
        ("a.tsv", "http://a.test/\ta\nhttp://a.test/\ta\n", "line 2: .* is in 'a' twice"),
        ("a.tsv", f"x\t{'a/' * 60}b\n", "more than 50 deep"),
        ("a.txt", "A\n  B\n  B\n", "line 3: the category 'A/B' is there already"),
        ("a.txt", "- http://a.test/\nA\n", "line 1: an example stands before"),
        ("a.txt", "| x\n", "line 1: a category has no name"),
        ("a.txt", "a\0b", "NUL characters"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, name: str, content: str, message: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(TopicError, match=f"{name}.*{message}"):
        read_taxonomy(tmp_path / name)


def test_places_that_hold_no_taxonomy(tmp_path: Path) -> None:
    (tmp_path / "latin.txt").write_bytes(b"caf\xe9")
    (tmp_path / "empty").mkdir()
    (tmp_path / "circle" / "a").mkdir(parents=True)
    (tmp_path / "circle" / "a" / "b").symlink_to(tmp_path / "circle")
    for name, message in (
        ("none.tsv", "No such file"),
        ("latin.txt", "is no UTF-8 text"),
        ("empty", "holds no categories"),
        ("circle", "lead in circles"),
    ):
        with pytest.raises(TopicError, match=f"{name}.*{message}"):
            read_taxonomy(tmp_path / name)


@pytest.mark.parametrize("reference", ["taxonomy:", "taxonomy:#x", "taxonomy:a\0b"])
def test_a_reference_without_a_file_is_refused(reference: str) -> None:
    with pytest.raises(TopicError, match="names no file"):
        Topic.parse(reference)


@given(st.text(st.sampled_from("ab \t\n-|#./"), max_size=60), st.sampled_from(["t.tsv", "t.txt"]))
def test_any_text_is_a_taxonomy_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str, name: str) -> None:
    path = tmp_path_factory.mktemp("any") / name
    path.write_text(text)
    with suppress(TopicError):
        assert len(read_taxonomy(path)) > 0


def test_the_shipped_taxonomy() -> None:
    graph = read_taxonomy(ROOT / "ontologies" / "kitchen-garden.txt")
    [courgette] = graph.find("zucchini")
    assert graph.label(courgette) == "Courgette"
    assert max(graph.ancestors(courgette).values()) == 2


def test_a_device_is_no_tree_of_categories(tmp_path: Path) -> None:
    (tmp_path / "tree.txt").symlink_to("/dev/zero")
    with pytest.raises(TopicError, match="is no regular file"):
        read_taxonomy(tmp_path / "tree.txt")
