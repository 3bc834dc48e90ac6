"""Labels in texts that a site has on nearly all pages: which are found, and what they cost a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.models.adaptive_judge import AdaptiveJudge
from semcrawl.models.crawl_memory import BY_WORD
from semcrawl.models.site_labels import LEAST_ODDS, MOST_USES, LabelTexts, SiteLabels, label_texts, own_odds
from semcrawl.page import Page
from semcrawl.relevance.label_similarity import LabelPlaces
from semcrawl.text.languages import analyser
from semcrawl.topics import Topic
from tests.models.learning.test_adaptive_judge import told

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from semcrawl.models.site_labels import Ints

MENU = "Home Clinic Asthma Prices Jobs Contact"
FOOTER = "Made by friends of asthma research in town"
LUNGS = "asthma attacks are treated with an inhaler"


def texts_around(text: str, label: str) -> LabelTexts:
    """What stands around a label of one word, each use with the same share."""
    words = analyser("en").read(text)
    places = np.array([place for place, word in enumerate(words) if word == label], np.int64)
    ones = np.ones(len(places))
    return label_texts(words, LabelPlaces(places, ones.astype(np.int64), ones / max(len(places), 1)), BY_WORD)


def of_sites(pages: Sequence[tuple[int, str]], odds: float = 0.0) -> list[float]:
    """The share of labels in texts of the site, for pages that are given with their sites."""
    labels = SiteLabels()
    for _, text in pages:
        labels.add(texts_around(text, "asthma"))
    sites = np.array([site for site, _ in pages])
    found = np.array([odds if "asthma" in text.lower() else LEAST_ODDS for _, text in pages])
    shares = labels.learn(found, sites, np.ones(len(pages), np.bool_), words_in([text for _, text in pages]))
    return [round(share, 3) for share in shares.tolist()]


def words_in(texts: Sequence[str]) -> Callable[[int], Ints]:
    """The words of each text, by number."""
    numbers = [np.unique(BY_WORD.of_all(analyser("en").read(text))) for text in texts]
    return numbers.__getitem__


def other_words(number: int) -> str:
    return f"tomatoes{number} onions{number} and peppers{number} with rice{number}"


@pytest.mark.parametrize("everywhere", [f"{MENU} {{}}", f"{{}} {FOOTER}"])
def test_a_label_in_a_menu_or_footer_is_the_sites_and_one_in_the_text_is_the_pages(everywhere: str) -> None:
    texts = [other_words(number) for number in range(7)] + [f"{other_words(9)} {LUNGS} {other_words(8)}"]
    assert of_sites([(0, everywhere.format(text)) for text in texts]) == [1.0] * 7 + [0.5]


def test_on_a_site_about_the_topic_its_menu_is_no_reason_to_doubt_its_pages() -> None:
    """All pages say more of the topic than the menu does."""
    pages = [(0, f"{MENU} {other_words(number)} asthma {other_words(-number)}") for number in range(12)]
    assert of_sites(pages) == [0.0] * 12


def test_pages_that_are_nothing_but_the_same_text_have_no_menu() -> None:
    copies = [(0, f"{FOOTER} and asthma with its inhalers is all that page {number} is about") for number in range(9)]
    assert of_sites(copies) == [0.0] * 9


def test_four_pages_are_too_few_to_know_a_sites_texts() -> None:
    pages = [(0, f"{MENU} {other_words(number)}") for number in range(4)]
    assert of_sites(pages) == [0.0] * 4


def test_what_most_pages_of_one_site_have_says_nothing_of_another() -> None:
    pages = [(0, f"{MENU} {other_words(number)}") for number in range(6)]
    assert of_sites([*pages, (1, f"{MENU} {other_words(7)}")]) == [1.0] * 6 + [0.0]


def test_what_half_of_the_pages_have_is_no_text_of_the_site() -> None:
    pages = [(0, f"{MENU} {other_words(number)}" if number % 2 else other_words(number)) for number in range(20)]
    assert of_sites(pages) == [0.0] * 20


def test_a_page_that_came_after_is_judged_by_what_is_known_of_its_site() -> None:
    labels = SiteLabels()
    texts = [f"{MENU} {other_words(number)}" for number in range(6)]
    for text in texts:
        labels.add(texts_around(text, "asthma"))
    labels.learn(np.zeros(6), np.zeros(6, np.int64), np.ones(6, np.bool_), words_in(texts))
    later = texts_around(f"{MENU} {other_words(7)}", "asthma")
    assert (labels.share(0, later), labels.share(1, later), labels.share(-1, later)) == (1.0, 0.0, 0.0)


def test_odds_lose_the_share_and_fall_to_those_of_no_label_where_little_is_left() -> None:
    """x / 2 of x = 0.56 e is a sum of 0.76, log odds 1 - log 2; a tenth of 0.56 is a mention in passing."""
    found = own_odds(np.array([1.0, 1.0, 0.0]), np.array([0.0, 0.5, 0.9]))
    assert found.tolist() == pytest.approx([1.0, 1.0 - np.log(2.0), LEAST_ODDS])


@given(st.lists(st.floats(LEAST_ODDS, 9), min_size=1, max_size=9), st.floats(0, 1))
def test_odds_never_rise(odds: list[float], share: float) -> None:
    values = np.array(odds)
    assert (own_odds(values, np.full(len(odds), share)) <= values).all()


def test_of_endless_labels_the_first_and_the_last_are_looked_at() -> None:
    assert len(texts_around(f"{MENU} {'asthma ' * 5_000} {FOOTER}", "asthma").shares) == MOST_USES


@pytest.fixture
def clinic() -> list[Page]:
    """Pages of a clinic whose menu names asthma, the last three of which are on asthma."""
    texts = [*(other_words(number) * 9 for number in range(9)), *(f"{LUNGS} {other_words(n)}" * 4 for n in (9, 10, 11))]
    urls = [f"http://clinic.test/{number}" for number in range(12)]
    return [
        Page(url=url, title=f"Page {url[-1]}", pieces=(MENU, " ", text)) for url, text in zip(urls, texts, strict=True)
    ]


def test_a_page_with_the_label_in_its_menu_alone_is_not_on_the_topic(clinic: list[Page]) -> None:
    judge = AdaptiveJudge(Topic.parse("keywords:asthma"))
    first = judge.judge(clinic[0]).relevance
    said = list(told(judge, clinic).values())
    assert min(said[9:]) > 0.5
    assert first > 3 * max(said[:9])


def test_the_explanation_says_what_the_menu_cost(clinic: list[Page]) -> None:
    judge = AdaptiveJudge(Topic.parse("keywords:asthma"))
    said = told(judge, clinic)
    explanation = judge.similarity.explain_page(clinic[0])
    costs = {part.name: part.value for part in explanation.parts}
    assert costs["labels that the whole site has"] < -1.0
    assert explanation.score == pytest.approx(said[clinic[0].url], abs=1e-6)
