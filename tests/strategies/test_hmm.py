from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

import msgspec
import numpy as np
import pytest
from scipy.sparse import csr_matrix

from semcrawl.demo import demo_web
from semcrawl.errors import ConfigError
from semcrawl.models.clustering import Neighbours, TermTable
from semcrawl.models.hmm import HmmFacts, HmmModel, MarkovModel, save_hmm, train_hmm
from semcrawl.models.training_options import HmmOptions
from semcrawl.models.training_pages import topic_digest
from semcrawl.page import Link, Page, read_page
from semcrawl.strategies import STRATEGIES, JudgedPage, hmm
from semcrawl.strategies.hmm import Hmm, HybridHmm, HybridHmmAnchor
from semcrawl.text.background import Background
from semcrawl.topics import Topic
from semcrawl.topics.topic import Keyword

if TYPE_CHECKING:
    from pathlib import Path

    from semcrawl.strategies import Strategy
    from semcrawl.web import Replay

# The three states of tests/models/learning/test_hmm.py: a seed in cluster 1 leads to a target with
# 0.263333, in two steps with 0.407; a page in cluster 0 found on it with 0.477348.
SEED, SEED_TWO, NEXT = 0.263333, 0.407, 0.477348
KINDS = [Hmm, HybridHmm, HybridHmmAnchor]


def paper_model(topic: str = "") -> HmmModel:
    """Cluster 0 is pages about asthma, cluster 1 about cars; the targets are about asthma."""
    background = Background.from_counts({"asthma": 10, "car": 10}, documents=1000)
    markov = MarkovModel(
        np.array([0.2, 0.3, 0.5]),
        np.array([[0.5, 0.3, 0.2], [0.6, 0.2, 0.2], [0.1, 0.5, 0.4]]),
        np.array([[0.9, 0.1], [0.4, 0.6], [0.2, 0.8]]),
    )
    vectors = csr_matrix(np.eye(2))
    neighbours = Neighbours(vectors, np.array([0, 1]), 1)
    terms = TermTable(["asthma", "car"], background, 0)
    facts = HmmFacts(
        topic=topic, neighbours=1, terms=0, smoothing=0, seed=0, paths=1, pages=2,
        state_sizes=(1, 1, 0), cluster_sizes=(1, 1),
    )  # fmt: skip
    centroid = np.array([2.0, 0.0], np.float32)
    return HmmModel(markov, neighbours, terms, centroid, background, facts)


@pytest.fixture
def model(tmp_path: Path) -> str:
    file = tmp_path / "paper.hmm"
    save_hmm(paper_model(), file)
    return str(file)


def page(text: str, memo: str = "", url: str = "http://a.test/") -> JudgedPage:
    anchors = ("asthma", "", "asthma car")
    links = tuple(Link(f"http://b.test/{n}", anchor) for n, anchor in enumerate(anchors))
    return JudgedPage(Page(url=url, pieces=(text,), links=links), 0.5, 0, memo=memo)


# cos(p, c_r) of 3 asthma and 4 car is 3/5.
MIXED = "asthma asthma asthma car car car car"


def test_every_link_has_the_probability_that_the_next_page_is_a_target(model: str) -> None:
    assert Hmm(model=model, epsilon=0).rank(page(MIXED)) == pytest.approx([SEED] * 3, abs=1e-6)


def test_the_states_flow_along_the_path(model: str) -> None:
    strategy = Hmm(model=model, epsilon=0)
    seed = page(MIXED)
    strategy.rank(seed)
    memo = strategy.note(seed)
    assert memo == "hmm 0.0333333 0.3 0.666667"
    found = page("asthma", memo, "http://a.test/1")
    assert strategy.rank(found) == pytest.approx([NEXT] * 3, abs=1e-5)
    # The same page, had it been a seed: (0.18·0.5 + 0.12·0.6 + 0.1·0.1) / 0.4
    assert strategy.rank(page("asthma")) == pytest.approx([0.43] * 3)


def test_a_page_of_unknown_words_is_what_its_path_makes_expect(model: str) -> None:
    strategy = Hmm(model=model, epsilon=0)
    # π A A: the state expected for a page about which nothing is known, one step on.
    assert strategy.rank(page("zebra"))[0] == pytest.approx(0.2 * 0.5 + 0.3 * 0.6 + 0.5 * 0.1)


def test_within_epsilon_the_look_ahead_decides(model: str) -> None:
    # 0.263333 is in the piece from 0.26 to 0.27; 0.26 + 0.01 · 0.407
    assert Hmm(model=model, epsilon=0.01).rank(page(MIXED))[0] == pytest.approx(0.26407)


def test_the_hybrid_is_the_mean_of_the_hmm_and_the_likeness_to_targets(model: str) -> None:
    # Eq. 11: (0.6 + 0.263333) / 2
    assert HybridHmm(model=model).rank(page(MIXED)) == pytest.approx([0.431667] * 3, abs=1e-6)


def test_the_hybrid_with_anchors_tells_the_links_of_a_page_apart(model: str) -> None:
    # Eq. 12, with cos(a, c_r) = 1, 0 and 1/√2:
    # the first is (0.263333 + (0.6 + 1) / 2) / 2, and so on.
    ranked = HybridHmmAnchor(model=model).rank(page(MIXED))
    assert ranked == pytest.approx([0.531667, 0.281667, 0.458443], abs=1e-6)


@pytest.mark.parametrize(
    "memo",
    ["", "0.5", "hmm", "hmm ", "hmm 0.1 0.9", "hmm a b c", "hmm nan 0 1", "hmm 0 0 0",
     "hmm -1 1 1", "hmm inf 0 0", "hmm 1 0 0 0", "hmm 1e309 1 1", "x" * 5000],
)  # fmt: skip
def test_a_memo_of_another_strategy_or_model_is_no_memo(model: str, memo: str) -> None:
    for kind in KINDS:
        strategy = kind(model=model)
        assert strategy.rank(page(MIXED, memo)) == strategy.rank(page(MIXED))


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_without_links_has_no_priorities(kind: type[Hmm], model: str) -> None:
    strategy: Strategy = kind(model=model)
    assert strategy.rank(JudgedPage(Page(url="http://a.test/", pieces=("car",)), 1.0, 0)) == []
    assert strategy.batch == 1


@pytest.mark.parametrize(
    ("kind", "name"), [(Hmm, "hmm"), (HybridHmm, "hybrid-hmm"), (HybridHmmAnchor, "hybrid-hmm-anchor")]
)
def test_without_a_model_it_says_how_to_get_one(kind: type[Hmm], name: str) -> None:
    with pytest.raises(ConfigError, match=f"{name} needs a model: write {name}:model=FILE"):
        kind()
    with pytest.raises(ConfigError, match=r"No such file.*; make one with 'semcrawl train hmm"):
        kind(model="gone.hmm")


def test_a_model_for_another_topic_is_refused_unless_it_may_be(tmp_path: Path) -> None:
    file = tmp_path / "cars.hmm"
    save_hmm(paper_model("cars"), file)
    asthma, cars = Topic.parse("keywords:asthma"), Topic.parse("keywords:cars")
    for kind in KINDS:
        with pytest.raises(ConfigError, match=r"cars\.hmm was trained for the topic 'cars'"):
            kind(asthma, str(file))
        assert kind(cars, str(file)).batch == 1
        assert kind(asthma, str(file), any_topic=True).batch == 1


def test_a_model_for_another_topic_of_the_same_name_is_refused(tmp_path: Path) -> None:
    cars = Topic.parse("keywords:cars")
    model = paper_model("cars")
    facts = msgspec.structs.replace(model.facts, topic_digest=topic_digest(cars))
    save_hmm(msgspec.structs.replace(model, facts=facts), tmp_path / "cars.hmm")
    file, vans = str(tmp_path / "cars.hmm"), replace(cars, keywords=(Keyword("vans"),))
    for kind in KINDS:
        assert kind(cars, file).batch == 1
        with pytest.raises(ConfigError, match="this crawl has another of that name"):
            kind(vans, file)
        assert kind(vans, file, any_topic=True).batch == 1


def test_a_model_may_be_in_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    save_hmm(paper_model(), "~/home.hmm")
    assert (tmp_path / "home.hmm").is_file()
    assert Hmm(model="~/home.hmm").batch == 1


@pytest.mark.parametrize("epsilon", [-0.1, 1e-320, 1e-7, 1.0, float("nan")])
def test_an_epsilon_that_cannot_be_is_refused(model: str, epsilon: float) -> None:
    with pytest.raises(ConfigError, match="epsilon"):
        Hmm(model=model, epsilon=epsilon)


def test_options_are_given_in_the_spec(model: str) -> None:
    spec = f"{hmm.__file__}:Hmm:model={model},epsilon=0"
    built = STRATEGIES.create(spec, topic=Topic.parse("keywords:cars"))
    assert built.rank(page(MIXED)) == pytest.approx([SEED] * 3, abs=1e-6)


def test_on_the_demo_web_links_near_the_topic_come_first() -> None:
    # People who start at the portal and click about until they come upon the topic.
    web, chance = demo_web(), Random(5)
    replay, targets = web.replay(), web.main_topic.pages
    pages = {url: read_page(replay.fetch(url)) for url in replay.urls() if _is_page(replay, url)}
    paths = []
    for _ in range(150):
        path = [web.seeds[0]]
        while path[-1] not in targets and len(path) < 8:
            links = [link.url for link in pages[path[-1]].links if link.url in pages]
            path.append(chance.choice(links or [web.seeds[0]]))
        paths.append(tuple(path))
    known = {url: page.terms for url, page in pages.items()}
    model = train_hmm(paths, targets, known, Background.default(), HmmOptions())
    strategy = HybridHmmAnchor(model=model)
    on: list[float] = []
    off: list[float] = []
    for url in sorted(pages)[::7]:
        judged = JudgedPage(pages[url], 0.5, 1)
        for link, priority in zip(judged.page.links, strategy.rank(judged), strict=True):
            (on if link.url in targets else off).append(priority)
    assert np.mean(on) > 1.5 * np.mean(off)
    assert all(0 <= priority <= 1 for priority in on + off)


def _is_page(replay: Replay, url: str) -> bool:
    response = replay.answer(url)
    return response is not None and response.status == 200 and response.is_html
