from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError, TopicError
from semcrawl.models.category_tree import read_tree
from semcrawl.models.site_training import class_and_file, homepages_of_tree, read_homepages

if TYPE_CHECKING:
    from pathlib import Path


def test_a_list_has_a_homepage_a_line(tmp_path: Path) -> None:
    file = tmp_path / "sites.txt"
    file.write_text("\ufeff# mine\n\nHTTP://A.test\nb.test\thorses\na.test/\n c.test/~x/ \n", "utf-8")
    assert read_homepages(file) == ["http://a.test/", "http://b.test/", "http://c.test/~x/"]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"# nothing\n\n", "lists no site"),
        (b"a.test\nmailto:ann@a.test\n", "line 2: not a URL"),
        (b"a.test\nftp://a.test/\n", "line 2: not a URL"),
        (b"\xff\xfe\x00", "no UTF-8"),
        (None, "No such file"),
    ],
)
def test_a_list_that_is_none_is_an_error(tmp_path: Path, content: bytes | None, words: str) -> None:
    file = tmp_path / "sites.txt"
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(ConfigError, match=words):
        read_homepages(file)


def test_a_class_may_be_named_before_its_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd=name.txt").touch()
    given = ("cars=c.txt", "c.txt", "odd=name.txt", "a b=c.txt")
    assert [class_and_file(one, "other")[0] for one in given] == ["cars", "other", "other", "other"]
    assert class_and_file("cars=x/y=z.txt", "other")[1].as_posix() == "x/y=z.txt"


TREE = """http://sail.test/\tSport/Sailing
http://dinghy.test/\tSport/Sailing/Dinghies
http://box.test/\tSport/Boxing
http://lab.test/\tScience
http://sail.test/\tScience
"""


def test_the_homepages_of_a_tree_are_those_of_the_categories_and_the_rest(tmp_path: Path) -> None:
    file = tmp_path / "directory.tsv"
    file.write_text(TREE, encoding="utf-8")
    found = homepages_of_tree(read_tree(file), ["Sailing"])
    assert found == {
        "target": ["http://sail.test/", "http://dinghy.test/"],
        "other": ["http://box.test/", "http://lab.test/"],
    }
    with pytest.raises(TopicError, match="Chess"):
        homepages_of_tree(read_tree(file), ["Chess"])


def test_a_tree_of_files_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "directory.tsv"
    file.write_text("notes.html\tSailing\n", encoding="utf-8")
    with pytest.raises(ConfigError, match="is no homepage; train a taxonomy"):
        homepages_of_tree(read_tree(file), ["Sailing"])
