from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from semcrawl.relevance.label_forms import LabelReading, read_label
from semcrawl.text.background import Background
from semcrawl.text.languages import analyser
from semcrawl.text.terms import ENGLISH


def read(text: str, *, preferred: bool = True) -> LabelReading:
    return read_label(text, ENGLISH, Background.default(), preferred=preferred)


def keys(text: str) -> dict[str, float]:
    return {form.key: form.weight for form in read(text).forms}


@pytest.mark.parametrize(
    ("label", "written"),
    [
        ("type 2 diabetes", "Type 2 diabetes"),
        ("Crohn's disease", "Crohn’s diseases"),
        ("Crohn disease", "Crohn's disease"),
        ("non-Hodgkin lymphoma", "non Hodgkin lymphomas"),
        ("first_aid", "First aid"),
        ("HIV-1", "HIV 1"),
        ("diseases of the heart", "disease of the heart"),
        ("Asthma, allergic", "allergic asthma"),
        ("Asthma, allergic", "asthma, allergic"),
    ],
)
def test_a_label_has_the_key_of_what_pages_write(label: str, written: str) -> None:
    assert " ".join(ENGLISH.words(written)) in keys(label)


def test_a_label_of_several_words_is_one_phrase() -> None:
    assert keys("asthma attack") == {"asthma attack": 1.0}


@pytest.mark.parametrize("label", ["KMS", "MoS", "DON", "DISH", "mRNA"])
def test_an_acronym_is_found_only_as_it_is_written(label: str) -> None:
    assert list(keys(label)) == [f"={label}"]
    assert "in this spelling only" in read(label).remark


@pytest.mark.parametrize(("label", "why"), [("AD", "two letters"), ("DISH", "a word, too")])
def test_an_acronym_that_may_mean_something_else_counts_less(label: str, why: str) -> None:
    reading = read(label, preferred=False)
    assert [form.weight for form in reading.forms] == [0.25]
    assert reading.remark.startswith("counts 0.25")
    assert why in reading.remark


def test_a_preferred_acronym_is_meant_though_it_is_a_word() -> None:
    assert keys("DNA") == {"=DNA": 1.0}
    assert keys("DISH") == {"=DISH": 1.0}


def test_a_short_synonym_that_is_a_usual_word_counts_less_than_a_name() -> None:
    assert read("cold").forms[0].weight == 1.0
    assert read("cold", preferred=False).forms[0].weight == 0.25
    assert read("cold", preferred=False).remark == "counts 0.25: a short synonym and usual word"


def test_a_qualifier_in_brackets_may_be_missing() -> None:
    assert keys("Java (programming language)") == {
        "java program languag": 1.0,
        "java": 0.5,
        "program languag java": 1.0,
    }


@pytest.mark.parametrize(
    ("label", "why"),
    [
        ("", "only stop words or signs"),
        ("***", "only stop words or signs"),
        ("of the", "only stop words or signs"),
        ("2019", "only numbers or single characters"),
        ("x", "only numbers or single characters"),
        ("KM", "a unit or stop word, too"),
        ("IT", "a unit or stop word, too"),
        ("hepatitis A", 'without "a", a stop word, it would mean something else'),
        ("a" * 1_000_000, "too long to be found in a text"),
        ("word " * 40, "too long to be found in a text"),
    ],
)
def test_what_cannot_be_found_is_left_out_and_says_why(label: str, why: str) -> None:
    assert read(label) == LabelReading((), f"left out: {why}")


@pytest.mark.parametrize(("language", "label"), [("zh", "哮喘"), ("ar", "الربو"), ("he", "אסתמה")])
def test_a_script_without_case_has_no_acronyms(language: str, label: str) -> None:
    words = analyser(language)
    reading = read_label(label, words)
    assert [form.key for form in reading.forms] == [" ".join(words.words(label))]
    assert not reading.remark


@given(st.text(max_size=220))
@example("(a) b")
@example(", x")
@example("ß,ﬁ (Ⅷ)")
def test_any_text_has_forms_with_weights_up_to_1_or_a_reason(text: str) -> None:
    reading = read(text)
    assert all(0 < form.weight <= 1 and form.key for form in reading.forms)
    assert reading.forms or reading.remark.startswith("left out: ")


def test_a_leading_notation_is_no_part_of_a_label() -> None:
    assert keys("V.05.03  Inflation") == keys("Inflation")
    assert keys("G7 countries") == {"g7 countri": 1.0}


@pytest.mark.parametrize(("label", "weight"), [("das", 0.25), ("elk", 1.0), ("war", 1.0)])
def test_a_rare_short_word_that_other_languages_use_all_the_time_counts_a_quarter(label: str, weight: float) -> None:
    assert [form.weight for form in read(label).forms] == [weight]


@pytest.mark.parametrize(("label", "weight"), [("mere", 0.25), ("owl", 0.25), ("gout", 1.0)])
def test_a_short_synonym_that_is_a_usual_word_counts_a_quarter(label: str, weight: float) -> None:
    assert [form.weight for form in read(label, preferred=False).forms] == [weight]
    assert [form.weight for form in read(label).forms] == [1.0]
