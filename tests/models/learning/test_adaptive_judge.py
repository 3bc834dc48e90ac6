"""The judge that teaches itself: from labels to learnt words, anchored and explained."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.models import adaptive_judge
from semcrawl.models.adaptive_judge import LEARNS_AT, AdaptiveJudge, leading_odds, text_odds
from semcrawl.models.crawl_memory import word_number
from semcrawl.page import Page
from semcrawl.page.links import Link
from semcrawl.relevance.judges import PageEvidence
from semcrawl.topics import Topic

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

LUNGS = "inhaler wheeze bronchial airway spacer nebuliser breath chest"
CARS = "engine gearbox tyre petrol exhaust brake garage driver"


def page(name: str, text: str, links: Iterable[str] = (), host: str = "a.test") -> Page:
    found = tuple(Link(f"http://{host}/{target}", target) for target in links)
    return Page(url=f"http://{host}/{name}", title=name, pieces=(text,), links=found)


def on_topic(number: int) -> Page:
    return page(f"lung{number}", f"asthma {LUNGS} asthma is number {number}")


def off_topic(number: int) -> Page:
    return page(f"car{number}", f"{CARS} and the workshop number {number}")


def told(judge: AdaptiveJudge, pages: Iterable[Page]) -> dict[str, float]:
    """Let a judge see pages; what it says of them in the end."""
    said: dict[str, float] = {}
    for one in pages:
        judgement = judge.judge(one)
        said[one.url] = judgement.relevance
        judge.observe(one, judgement)
        said |= dict(judge.revise())
    return said | dict(judge.finish())


def mixed(count: int = 12) -> list[Page]:
    return [make(number) for number in range(count) for make in (on_topic, off_topic)]


@pytest.fixture
def judge() -> AdaptiveJudge:
    return AdaptiveJudge(Topic.parse("keywords:asthma"))


def test_it_begins_with_what_the_labels_say(judge: AdaptiveJudge) -> None:
    assert judge.judge(on_topic(1)).relevance > 0.5 > judge.judge(off_topic(1)).relevance


def test_words_that_come_with_the_topic_are_learnt(judge: AdaptiveJudge) -> None:
    silent = page("silent", f"{LUNGS} without the name of it")
    before = judge.judge(silent).relevance
    told(judge, mixed())
    assert judge.judge(silent).relevance > 3 * before


def test_all_pages_are_judged_anew_by_what_was_learnt(judge: AdaptiveJudge) -> None:
    silent = page("silent", f"{LUNGS} without the name of it")
    first = judge.judge(silent).relevance
    said = told(judge, [silent, *mixed()])
    assert said[silent.url] > first
    assert said[on_topic(0).url] > 0.5 > said[off_topic(0).url]


def test_pages_are_judged_by_words_of_the_surest_more_than_of_the_many(judge: AdaptiveJudge) -> None:
    half = [page(f"half{n}", f"asthma {CARS} {CARS} {n}") for n in range(12)]
    rest = [page(f"song{n}", f"violin melody harp choir {n}") for n in range(8)]
    told(judge, [*(on_topic(n) for n in range(4)), *half, *rest])
    learnt = judge.learnt
    assert learnt is not None
    lungs, cars = word_number("inhal"), word_number("gearbox")
    assert learnt.words.weights[lungs] > learnt.link_words.weights[lungs] > 0
    assert learnt.words.weights[cars] < learnt.link_words.weights[cars]


def test_what_the_topic_says_keeps_it_from_drifting(judge: AdaptiveJudge) -> None:
    """A few pages on the topic among many others: the many do not become the topic."""
    pages = [on_topic(0), on_topic(1), *(off_topic(number) for number in range(60))]
    said = told(judge, pages)
    assert said[on_topic(0).url] > 0.5
    assert max(said[off_topic(number).url] for number in range(60)) < 0.5


def test_words_of_chance_do_not_unlearn_what_labels_say(judge: AdaptiveJudge) -> None:
    chance = Random(0)
    words = [f"word{letter}{number}" for letter in "abcdefghij" for number in range(50)]
    often = [1 / (place + 10) for place in range(len(words))]
    texts = [" ".join(chance.choices(words, often, k=200)) for _ in range(20)]
    told(judge, [page(f"p{n}", f"{'asthma' if n < 2 else ''} {text}") for n, text in enumerate(texts)])
    assert judge.leading_relevance.values[:2].min() > 0.3 > judge.leading_relevance.values[2:].max()


def test_pages_that_relevant_pages_link_to_gain_by_it(judge: AdaptiveJudge) -> None:
    linked, other = page("linked", "some words of no weight"), page("other", "some words of no use")
    hubs = [page(f"hub{n}", f"asthma {LUNGS} {n}", ["linked"]) for n in range(8)]
    roads = [page(f"road{n}", f"{CARS} {n}", ["other"]) for n in range(8)]
    said = told(judge, [*hubs, *roads, linked, other])
    assert said[linked.url] > said[other.url]


def test_a_short_page_is_judged_by_the_list_it_stands_on() -> None:
    judge = AdaptiveJudge(Topic.parse("keywords:student"))
    names = [f"name{number}" for number in range(10)]
    people = page("students", "Students " + " ".join(names), names)
    people = Page(url=people.url, title="Graduate students", pieces=people.pieces, links=people.links)
    listed, unlisted = page("name1", "Hi, I like hiking"), page("hiker", "Hi, I like hiking")
    told(judge, [people, *(off_topic(number) for number in range(5))])
    assert judge.judge(listed).relevance > judge.judge(unlisted).relevance


@pytest.mark.parametrize("host", ["spam.com", "h{}.spam.com"])
def test_a_site_that_repeats_the_topic_does_not_take_over(judge: AdaptiveJudge, host: str) -> None:
    """Sites are capped when words are learnt, made-up hosts together: spam is one voice of many."""
    spam = [page(f"p{n}", f"asthma asthma casino poker jackpot {n}", host=host.format(n)) for n in range(300)]
    good = [page(f"g{n}", f"asthma {LUNGS} {n}", host=f"h{n}.test") for n in range(30)]
    told(judge, [*spam, *good, *(off_topic(n) for n in range(30))])
    casino = judge.judge(page("x", "casino poker jackpot", host="new.test")).relevance
    lungs = judge.judge(page("x", LUNGS, host="new.test")).relevance
    assert lungs > casino
    assert casino < 0.5


def test_marks_by_hand_are_sure_and_steer_the_rest(judge: AdaptiveJudge) -> None:
    pages = mixed()
    told(judge, pages)
    before = judge.judge(page("new", CARS)).relevance
    judge.mark({off_topic(n).url: True for n in range(3)} | {on_topic(0).url: False})
    said = dict(judge.revise())
    assert said[off_topic(0).url] == 1.0
    assert said[on_topic(0).url] == 0.0
    assert judge.judge(page("new", CARS)).relevance > before


def test_an_explanation_adds_up_to_the_relevance(judge: AdaptiveJudge) -> None:
    said = told(judge, mixed())
    for one in (on_topic(3), off_topic(3)):
        explanation = judge.similarity.explain_page(one)
        assert explanation.score == pytest.approx(said[one.url], abs=1e-6)
    learnt = {match.label for match in explanation.matches if match.place == "learnt"}
    assert learnt & set(CARS.split())


def test_what_was_learnt_is_learnt_again_from_the_file(tmp_path: Path) -> None:
    topic, pages = Topic.parse("keywords:asthma"), mixed()
    whole = AdaptiveJudge(topic)
    whole.begin(None, {})
    cut = AdaptiveJudge(topic)
    cut.begin(tmp_path, {})
    visited: dict[str, float] = {}
    for one in pages[:17]:
        for judge in (whole, cut):
            judgement = judge.judge(one)
            judge.observe(one, judgement)
            visited |= {one.url: judgement.relevance, **judge.revise()}
    cut.close()
    resumed = AdaptiveJudge(topic)
    resumed.begin(tmp_path, visited)
    for one in pages[17:]:
        first, second = whole.judge(one), resumed.judge(one)
        assert first.relevance == pytest.approx(second.relevance, abs=1e-12)
        whole.observe(one, first)
        resumed.observe(one, second)
        whole.revise()
        resumed.revise()
    assert whole.learnt is not None
    assert resumed.learnt is not None
    assert (whole.learnt.words.weights == resumed.learnt.words.weights).all()
    resumed.close()


def test_nothing_to_learn_from_is_no_error(judge: AdaptiveJudge) -> None:
    assert judge.finish() == {}
    empty = page("empty", "")
    assert told(judge, [empty])[empty.url] < 0.5


@given(st.integers(0, 100_000))
def test_rounds_are_the_same_however_one_gets_there(pages: int) -> None:
    done = LEARNS_AT.last(pages)
    assert done <= pages < LEARNS_AT.after(done)
    assert LEARNS_AT.last(done) == done


def test_words_of_a_footer_on_all_pages_are_not_learnt(judge: AdaptiveJudge) -> None:
    footer = "encyclopedia licence"
    pages = [
        page(f"{kind}{n}", f"{text} {n} {'more words ' * n} {footer}")
        for n in range(12)
        for kind, text in (("lung", f"asthma {LUNGS}"), ("car", CARS))
    ]
    told(judge, pages)
    assert judge.learnt is not None
    assert judge.weight_of("encyclopedia") == judge.weight_of("licenc") == 0.0
    assert judge.weight_of("inhal") > 0 > judge.weight_of("gearbox")


def test_near_duplicates_are_judged_alike_and_not_by_chance(judge: AdaptiveJudge) -> None:
    text = f"in {LUNGS} and {CARS} some say asthma " * 50
    said = told(judge, [page(f"copy{n}", text, [f"copy{n + 1}"]) for n in range(25)])
    assert max(said.values()) - min(said.values()) < 0.2


def test_words_weigh_more_than_labels_where_pages_lead_on_and_less_on_listed_ones() -> None:
    labels, words, nothing = np.full(2, -1.0), np.array([1.0, -1.0]), np.zeros(2)
    assert leading_odds(labels, words, nothing) == pytest.approx([1.0, -3.0])
    assert text_odds(labels, words) == pytest.approx([-0.5, -2.5])
    listed = np.full(2, 1.7)  # a page without words of its own
    assert leading_odds(labels, words, listed) == pytest.approx([-0.15, -0.15])


def test_a_short_line_of_another_shard_does_not_fill_the_memory_with_blanks(
    judge: AdaptiveJudge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(adaptive_judge, "_MOST_PLACES", 4)

    def take(name: str, *places: int) -> int:
        links = [(place, f"http://a.test/{place}", "lung") for place in places]
        judge.take_evidence({f"http://{name}.test/": PageEvidence(0.5, 0.0, 6, links)})
        return len(judge.memory.link_targets)

    judge.begin(None, {})
    assert take("empty") == 0
    assert take("first", 5) == 6  # with the places before it
    assert take("second", 2, 5) == 6 + 2
    assert judge.memory.targets_of(1).tolist() == [judge.memory.urls.numbers[f"http://a.test/{n}"] for n in (5, 2)]
