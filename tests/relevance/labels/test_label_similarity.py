from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page.read import read_html
from semcrawl.relevance.label_similarity import LabelSimilarity
from semcrawl.topics import Topic

WORDS = ["asthma", "attack", "asthma attack", "bronchial", "status asthmaticus", "Pearl Harbour",
         "wheezing", "the", "of", "2", "KMS", "bank", "inhaler", "first aid"]  # fmt: skip
SPECS = ["wordnet:asthma", "keywords:asthma attack, inhaler", "wordnet:bank.n.01"]


@cache
def similarity(spec: str) -> LabelSimilarity:
    return LabelSimilarity.of_topic(Topic.parse(spec))


texts = st.lists(st.sampled_from(WORDS), max_size=30).map(" ".join)


@given(st.sampled_from(SPECS), texts)
def test_the_explanation_of_a_text_gives_its_score(spec: str, text: str) -> None:
    by = similarity(spec)
    assert by.explain(text).score == pytest.approx(by.of_text(text))
    assert 0 <= by.of_text(text) < 1


@given(st.sampled_from(SPECS), texts, texts)
def test_the_explanation_of_a_page_gives_its_score(spec: str, title: str, text: str) -> None:
    page = read_html(f"<title>x {title}</title><p>{text}", "http://a.test/")
    by = similarity(spec)
    score = by.of_page(page)
    # What is nearly nothing counts as nothing.
    assert by.explain_page(page).score == pytest.approx(score) or score == 0
    assert 0 <= score < 1


def test_matches_say_where_on_the_page_they_are() -> None:
    page = read_html(f"<title>Asthma</title><p>Asthma. {'cars ' * 80} asthma", "http://a.test/")
    found = {match.place: match.count for match in similarity(SPECS[0]).explain_page(page).matches}
    assert found == {"text": 2, "beginning": 1, "title": 1}


def test_a_title_and_a_beginning_on_the_topic_make_a_page_more_relevant() -> None:
    by = similarity(SPECS[0])
    late = read_html(f"<title>x</title><p>{'cars ' * 80} asthma", "http://a.test/")
    early = read_html(f"<title>x</title><p>asthma {'cars ' * 80}", "http://a.test/")
    named = read_html(f"<title>Asthma</title><p>asthma {'cars ' * 80}", "http://a.test/")
    assert by.of_page(late) < by.of_page(early) < by.of_page(named)


def test_a_page_with_all_keywords_is_better_than_one_with_the_first() -> None:
    by = LabelSimilarity.of_topic(Topic.parse("keywords:violin, orchestra"))
    assert by.of_text("the violin of an orchestra") > by.of_text("the violin of a violin")


def test_a_word_of_a_label_is_not_the_label() -> None:
    by = similarity(SPECS[0])
    assert by.of_text("Attack on Pearl Harbour") == 0
    assert by.of_text("asthma attacks") > 0.5


def test_an_acronym_is_not_the_unit_that_it_stems_to() -> None:
    by = LabelSimilarity.of_topic(Topic.parse("wordnet:adult_respiratory_distress_syndrome.n.01"))
    assert by.of_text("ARDS") > 0
    assert by.of_text("ards") == 0


def test_a_page_in_a_script_without_spaces_and_case() -> None:
    by = LabelSimilarity.of_topic(Topic.parse("keywords:哮喘病", language="zh"))
    assert by.of_text("什么是哮喘病？") > 0.5
    assert by.of_text("什么是汽车？") == 0


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        ("the GNU Free Documentation License", False),
        ("all about GNU/Linux", False),
        ("THE GNU OF AFRICA", True),  # a heading
        ("GNU", True),
        ("a gnu, a Gnu and GNU software", True),
    ],
)
def test_an_ordinary_label_is_no_acronym(text: str, counts: bool) -> None:
    assert (similarity("wordnet:gnu.n.01").of_text(text) > 0) == counts


def test_an_acronym_on_a_page_is_no_ordinary_label() -> None:
    by = similarity("wordnet:gnu.n.01")
    page = read_html("<title>Free text</title><p>Under the GNU licence, says GNU.", "http://a.test/")
    heading = read_html("<title>Free text</title><h1>THE GNU</h1><p>It grazes.", "http://a.test/")
    assert by.of_page(page) == 0 < by.of_page(heading)


def test_what_belongs_to_a_topic_by_another_relation_says_so_and_has_no_path() -> None:
    found = {match.label: match for match in similarity("wordnet:mammal.n.01").explain("udder").matches}
    assert (found["udder"].relation, found["udder"].path) == ("has-part", ())
    (whale,) = {match.path for match in similarity("wordnet:mammal.n.01").explain("whales").matches}
    assert (whale[0], whale[-1]) == ("whale", "mammal")


@pytest.mark.parametrize(
    ("title", "text", "best"),
    [
        ("What is swine flu?", "Influenza, influenza and influenza. Swine flu.", "swine_influenza.n.01"),
        ("About influenza", "Swine influenza.", "influenza.n.01"),
        ("Questions", "Influenza, influenza and influenza. Pneumonia.", "influenza.n.01"),
        ("Asthma and influenza", "Asthma, asthma and asthma. Influenza.", "asthma.n.01"),
        ("Cold", "Pneumonia, pneumonia and pneumonia. The cold.", "cold.n.01"),
    ],
)
def test_a_page_fits_the_concept_of_its_title_best_and_of_phrases_the_narrower(
    title: str, text: str, best: str
) -> None:
    page = read_html(f"<title>{title}</title><p>{text}", "http://a.test/")
    _, concepts = similarity("wordnet:respiratory_disease.n.01").judge(page)
    assert concepts[0] == f"wordnet:{best}"
    assert len(set(concepts)) == len(concepts) <= 3
