from __future__ import annotations

import numpy as np
import pytest

from semcrawl.errors import ConfigError
from semcrawl.models.hmm import page_states, train_hmm
from semcrawl.models.training_options import X_MEANS, HmmOptions
from semcrawl.text.background import Background
from semcrawl.text.terms import count_terms
from semcrawl.text.vectors import tf_idf

WORDS = {
    "start": "welcome to the portal with news and weather",
    "news": "weather news sport politics today",
    "sport": "football match goal team league",
    "health": "health hospital doctor nurse medicine",
    "lungs": "lungs breathing doctor bronchial hospital",
    "asthma": "asthma inhaler bronchial wheezing attack",
    "wheeze": "wheezing asthma breath inhaler dose",
}
URLS = {name: f"http://a.test/{name}" for name in WORDS}
PAGES = {URLS[name]: count_terms(text) for name, text in WORDS.items()}
PATHS = [
    tuple(URLS[name] for name in path.split())
    for path in ("start health lungs asthma", "start news health lungs wheeze", "start news sport news health asthma")
]
TARGETS = {URLS["asthma"], URLS["wheeze"]}
BACKGROUND = Background.default()


def test_the_states_of_pages_are_their_clicks_to_a_target() -> None:
    states = page_states(PATHS, TARGETS, 4)
    by_name = {name: states[url] for name, url in URLS.items()}
    assert by_name == {
        "asthma": 0, "wheeze": 0, "lungs": 1, "health": 1, "start": 2, "news": 2, "sport": 3,
    }  # fmt: skip


def test_training_counts_paths_pages_states_and_clusters() -> None:
    model = train_hmm(PATHS, TARGETS, PAGES, BACKGROUND, HmmOptions(smoothing=0), topic="asthma")
    facts = model.facts
    assert (facts.topic, facts.paths, facts.pages) == ("asthma", 3, 7)
    assert facts.state_sizes == (2, 2, 2, 1)
    assert sum(facts.cluster_sizes) == 7
    assert facts.cluster_sizes[4] == 2
    # Two of seven pages are targets, and only they are in the last cluster.
    assert model.markov.initial == pytest.approx(np.array([2, 2, 2, 1]) / 7)
    assert model.markov.emissions[:, 4] == pytest.approx([1, 0, 0, 0])
    # From one link away: health-lungs twice, and lungs or health to a target three times.
    assert model.markov.transitions[1] == pytest.approx([3 / 5, 2 / 5, 0, 0])


def test_a_page_like_the_targets_comes_with_the_best_prospects() -> None:
    model = train_hmm(PATHS, TARGETS, PAGES, BACKGROUND, HmmOptions(neighbours=1))
    states = model.states(model.terms.read(count_terms("an asthma attack needs an inhaler")), None)
    assert int(np.argmax(states)) == 0
    near, far = (
        model.markov.ahead(model.states(model.terms.read(count_terms(text)), None))[0]
        for text in ("a doctor for the lungs", "a football match")
    )
    assert near > far


def test_the_centroid_is_the_average_of_the_target_pages() -> None:
    model = train_hmm(PATHS, TARGETS, PAGES, BACKGROUND)
    vectors = [tf_idf(PAGES[url], BACKGROUND) for url in sorted(TARGETS)]
    mean = {term: sum(vector.get(term, 0) for vector in vectors) / 2 for term in {*vectors[0], *vectors[1]}}
    assert model.centroid_terms() == pytest.approx(mean)


def test_x_means_takes_idf_from_the_training_pages() -> None:
    model = train_hmm(PATHS, TARGETS, PAGES, BACKGROUND, HmmOptions(clusters=X_MEANS))
    assert model.facts.clustering == "x-means"
    assert model.background.documents == 7
    assert model.background.df("asthma") == 2


@pytest.mark.parametrize("clusters", [3, 5, X_MEANS])
def test_training_repeats_itself(clusters: int) -> None:
    first, second = (train_hmm(PATHS, TARGETS, PAGES, BACKGROUND, HmmOptions(clusters=clusters)) for _ in range(2))
    assert first.facts == second.facts
    assert (first.markov.emissions == second.markov.emissions).all()
    assert (first.neighbours.clusters == second.neighbours.clusters).all()


def test_unknown_pages_count_for_distances_but_not_as_pages() -> None:
    known = {url: counts for url, counts in PAGES.items() if url != URLS["lungs"]}
    model = train_hmm(PATHS, TARGETS, known, BACKGROUND, HmmOptions(clusters=3))
    assert model.facts.pages == 6
    assert model.facts.state_sizes == (2, 1, 2, 1)


@pytest.mark.parametrize(
    ("targets", "pages", "words"),
    [
        (TARGETS, {}, "none of the 7 pages on the paths is known .*start"),
        (set(), PAGES, "none of the 7 known pages on the paths is a target"),
        ({"http://b.test/"}, PAGES, "none of the 7 known pages"),
        (set(PAGES), PAGES, "every one of the 7 known pages on the paths is a target"),
        (TARGETS, {url: PAGES[url] for url in TARGETS}, "every one of the 2 known pages"),
    ],
)
def test_what_teaches_nothing_is_refused(targets: set[str], pages: dict[str, dict[str, int]], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        train_hmm(PATHS, targets, pages, BACKGROUND)


def test_too_few_pages_for_the_clusters_are_refused() -> None:
    with pytest.raises(ConfigError, match="too few pages: 5 different ones cannot make 7"):
        train_hmm(PATHS, TARGETS, PAGES, BACKGROUND, HmmOptions(clusters=8))


def test_paths_without_a_click_are_refused() -> None:
    with pytest.raises(ConfigError, match="one page only"):
        train_hmm([(url,) for url in PAGES], TARGETS, PAGES, BACKGROUND)


@pytest.mark.parametrize(
    "wrong",
    [
        {"clusters": 1}, {"clusters": -2}, {"states": 1}, {"neighbours": 0}, {"terms": -1},
        {"max_clusters": 1}, {"smoothing": -1}, {"smoothing": float("nan")}, {"seed": -1},
    ],
)  # fmt: skip
def test_options_that_cannot_be_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match=next(iter(wrong)).replace("_", "[_ ]")):
        HmmOptions(**wrong)
