from __future__ import annotations

from math import isclose, log
from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import ConfigError
from semcrawl.models.taxonomy import Taxonomy
from semcrawl.page import read_html
from semcrawl.relevance import JUDGES, Judge
from semcrawl.relevance.judges import explaining
from semcrawl.text.background import Background
from semcrawl.topics import Topic
from semcrawl.topics.topic import ConceptNote

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.models.taxonomy_judge import TaxonomyJudge

EXAMPLES = {
    "Animals/Birds": "birds with wings and feathers",
    "Animals/Cats": "cats with fur and claws",
    "Cars": "cars with wheels and engines",
}
OWL = read_html("<p>An owl is a bird; it has wings", "http://a.test/owl")
CAR = read_html("<p>A car without wheels", "http://a.test/car")


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A model in which Animals is marked good."""
    lines = []
    for number, (category, text) in enumerate(EXAMPLES.items()):
        (tmp_path / f"{number}.txt").write_text(text)
        lines.append(f"{number}.txt\t{category}\n")
    (tmp_path / "tree.tsv").write_text("".join(lines))
    taxonomy = Taxonomy.train(tmp_path / "tree.tsv")
    taxonomy.mark("Animals")
    taxonomy.save(tmp_path / "m.tax")
    return tmp_path / "m.tax"


def built(spec: str, topic: str) -> TaxonomyJudge:
    judge: TaxonomyJudge = JUDGES.create(spec, topic=Topic.parse(topic), background=Background.default())
    return judge


def test_a_page_is_judged_by_the_good_categories(model: Path) -> None:
    judge: Judge = built("taxonomy", f"taxonomy:{model}#Birds")
    owl, car = judge.judge(OWL), judge.judge(CAR)
    assert owl.relevance > judge.threshold > car.relevance
    assert owl.concept is not None
    assert owl.concept.endswith("/Animals/Birds")
    assert (owl.on_topic, car.on_topic) == (True, False)
    assert owl.log_relevance is not None
    assert isclose(owl.log_relevance, log(owl.relevance))


def test_the_marks_are_good_where_the_topic_names_no_category(model: Path) -> None:
    by_marks = built(f"taxonomy:model={model}", "keywords:pets")
    alone = built("taxonomy", f"taxonomy:{model}")
    assert by_marks.good == alone.good
    assert by_marks.judge(OWL) == alone.judge(OWL)


def test_categories_of_the_tree_that_was_trained_are_found_in_the_model(model: Path) -> None:
    judge = built(f"taxonomy:model={model}", f"taxonomy:{model.parent / 'tree.tsv'}#Cars")
    assert judge.judge(CAR).on_topic


def test_the_outline_is_the_whole_tree(model: Path) -> None:
    top = "https://w3id.org/semcrawl/category/tree"
    assert built("taxonomy", f"taxonomy:{model}#Birds").outline() == [
        ConceptNote(f"{top}/Animals", "Animals"),
        ConceptNote(f"{top}/Animals/Birds", "Birds", (f"{top}/Animals",), good=True),
        ConceptNote(f"{top}/Animals/Cats", "Cats", (f"{top}/Animals",)),
        ConceptNote(f"{top}/Cars", "Cars"),
    ]


def test_the_words_that_decided_are_told(model: Path) -> None:
    judge = built("taxonomy", f"taxonomy:{model}#Birds")
    found = explaining(judge, "taxonomy").explain("A bird with wings in a car")
    assert found.score == judge.similarity.of_text("bird wing car")
    assert found.similarity == "taxonomy: Animals against Cars"
    shown = [(match.label, match.words, match.contribution > 0) for match in found.matches]
    assert shown == [("bird", ("bird",), True), ("wing", ("wings",), True), ("car", ("car",), False)]
    assert '"score"' in found.to_json()


def test_nothing_is_told_of_a_tree_that_is_all_good(model: Path) -> None:
    judge = built("taxonomy", f"taxonomy:{model}#Animals,Cars")
    assert judge.similarity.explain("a bird").matches == ()
    assert isclose(judge.judge(OWL).relevance, 1.0)


def test_what_is_missing_is_told(model: Path) -> None:
    with pytest.raises(ConfigError, match="needs a model: give taxonomy:model=FILE"):
        built("taxonomy", "keywords:birds")
    with pytest.raises(ConfigError, match=r"cannot read the model gone\.tax"):
        built("taxonomy:model=gone.tax", "keywords:birds")
    taxonomy = Taxonomy.load(model)
    taxonomy.unmark()
    taxonomy.tree.add("Plants")
    taxonomy.save(model)
    with pytest.raises(ConfigError, match="semcrawl taxonomy mark"):
        built(f"taxonomy:model={model}", "keywords:birds")
    with pytest.raises(ConfigError, match=r"no good category .* has an example \(Plants\)"):
        built("taxonomy", f"taxonomy:{model}#Plants")
