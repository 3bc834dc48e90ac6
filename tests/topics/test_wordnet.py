from __future__ import annotations

import shutil
from collections import Counter
from importlib.resources import files
from pathlib import Path

import pytest

from semcrawl.errors import TopicError
from semcrawl.topics import wordnet
from semcrawl.topics.wordnet import WORDNET_FILE, WordNet


def test_all_synsets_of_wordnet_3_0_are_there() -> None:
    pos = Counter(concept.rsplit(".", 2)[1] for concept in wordnet().graph)
    assert pos == {"n": 82_115, "v": 13_767, "a": 7_463, "s": 10_693, "r": 3_621}
    assert len(set(wordnet().graph)) == len(wordnet().graph) == 117_659


def test_all_relations_of_wordnet_3_0_are_there() -> None:
    graph = wordnet().graph
    assert len(graph.is_a) == 89_089 + 8_577
    sizes = {name: len(graph.relation(name)) for name in graph.relation_ends}
    assert sizes["part-of"] == sizes["has-part"] == 9_097
    assert sizes["member-of"] == sizes["has-member"] == 12_293
    assert sizes["substance-of"] == sizes["has-substance"] == 797
    assert sizes["instance-of"] == sizes["has-instance"] == 8_577
    assert sizes["similar-to"] == 21_386
    assert sizes["attribute"] == 1_278
    assert (sizes["entails"], sizes["causes"]) == (408, 220)


def test_senses_come_in_the_order_of_frequency() -> None:
    assert wordnet().senses("bank")[:3] == [
        "wordnet:bank.n.01",
        "wordnet:depository_financial_institution.n.01",
        "wordnet:bank.n.03",
    ]
    assert wordnet().senses("bank", "v")[0] == "wordnet:bank.v.01"
    assert len(wordnet().senses("bank")) == 18


@pytest.mark.parametrize(
    ("word", "sense"),
    [
        ("asthma", "wordnet:asthma.n.01"),
        ("ASTHMA", "wordnet:asthma.n.01"),
        ("first aid", "wordnet:first_aid.n.01"),
        ("First_Aid", "wordnet:first_aid.n.01"),
        ("diseases", "wordnet:disease.n.01"),
        ("dengue fever", "wordnet:dengue.n.01"),
        ("linux", "wordnet:linux.n.01"),
        ("robotics", "wordnet:robotics.n.01"),
    ],
)
def test_words_with_one_sense(word: str, sense: str) -> None:
    assert wordnet().senses(word) == [sense]


@pytest.mark.parametrize("word", ["", " ", "qwzx", "a" * 10_000, "\0", "first  aid kit of doom"])
def test_unknown_words_have_no_sense(word: str) -> None:
    assert wordnet().senses(word) == []


def test_the_way_from_asthma_to_the_root() -> None:
    path = wordnet().graph.path_to_root("wordnet:asthma.n.01")
    assert path[0] == "wordnet:entity.n.01"
    assert path[-2:] == ["wordnet:respiratory_disease.n.01", "wordnet:asthma.n.01"]
    assert len(path) - 1 == 11


def test_instances_are_below_their_class() -> None:
    graph = wordnet().graph
    assert "wordnet:physicist.n.01" in graph.broader("wordnet:einstein.n.01")
    assert ("instance-of", "wordnet:physicist.n.01") in graph.relations("wordnet:einstein.n.01")


@pytest.mark.parametrize(
    ("source", "name", "target"),
    [
        ("car.n.01", "has-part", "car_door.n.01"),
        ("car_door.n.01", "part-of", "car.n.01"),
        ("tree.n.01", "member-of", "forest.n.01"),
        ("snore.v.01", "entails", "sleep.v.01"),
        ("hot.a.01", "antonym", "cold.a.01"),
        ("cold.a.01", "antonym", "hot.a.01"),
        ("drive.v.01", "derivation", "driver.n.01"),
        ("dental.a.01", "pertains-to", "tooth.n.01"),
    ],
)
def test_known_relations(source: str, name: str, target: str) -> None:
    found = wordnet().graph.relations(f"wordnet:{source}", name)
    assert (name, f"wordnet:{target}") in found


@pytest.mark.parametrize(
    ("name", "sense"),
    [
        ("bank.n.01", "wordnet:bank.n.01"),
        ("wordnet:bank.n.01", "wordnet:bank.n.01"),
        ("BANK.n.1", "wordnet:bank.n.01"),
        ("first aid.n.01", "wordnet:first_aid.n.01"),
        ("full.a.06", "wordnet:full.s.06"),
        ("full.s.06", "wordnet:full.s.06"),
        (".22.n.01", "wordnet:twenty-two.n.02"),
        ("bank.n.02", "wordnet:depository_financial_institution.n.01"),
        ("good.s.01", None),
        ("'hood.n.01", "wordnet:'hood.n.01"),
        ("bank", None),
        ("bank.n", None),
        ("bank.x.01", None),
        ("bank.n.00", None),
        ("bank.n.999999999999", None),
        ("", None),
    ],
)
def test_sense_names(name: str, sense: str | None) -> None:
    assert wordnet().sense(name) == sense


def test_a_satellite_has_the_number_that_wordnet_gives_it() -> None:
    # As in all versions of nltk before 3.9.2, and in what was written with them.
    assert wordnet().senses("good", "a")[:4] == [
        "wordnet:good.a.01",
        "wordnet:full.s.06",
        "wordnet:good.a.03",
        "wordnet:estimable.s.02",
    ]


def test_wordnet_is_read_once() -> None:
    assert wordnet() is wordnet()


def test_a_missing_or_damaged_file_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(TopicError, match="install semcrawl again"):
        WordNet.load(tmp_path / "wordnet.bin")
    (tmp_path / "cut.bin").write_bytes(b"SCCOLS\r\n" + bytes(100))
    with pytest.raises(TopicError, match=r"cut\.bin.*install semcrawl again"):
        WordNet.load(tmp_path / "cut.bin")


def test_missing_definitions_say_what_to_do_when_one_is_asked_for(tmp_path: Path) -> None:
    copy = Path(shutil.copy(str(files("semcrawl.topics") / "data" / WORDNET_FILE), tmp_path))
    words = WordNet.load(copy)
    assert words.senses("asthma") == ["wordnet:asthma.n.01"]
    with pytest.raises(TopicError, match=r"definitions\.bin.*install semcrawl again"):
        words.definition("wordnet:asthma.n.01")


@pytest.mark.parametrize("name", ["", "nonsense", "wordnet:bank.n.99"])
def test_there_is_no_definition_of_an_unknown_sense(name: str) -> None:
    with pytest.raises(TopicError, match="no concept"):
        wordnet().definition(name)
