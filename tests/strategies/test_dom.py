"""Worked examples of Pant, Menczer 2003, section 4.4."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.page import read_html
from semcrawl.relevance import CosineJudge
from semcrawl.strategies import STRATEGIES, JudgedPage
from semcrawl.strategies.dom import Dom, HubSeeking, aggregation_nodes
from semcrawl.strategies.link_text import mixed
from semcrawl.text.background import Background
from semcrawl.topics import Topic

# The tree: div > (p > a /1, ul > (li > b > a /2, li > a /3)), and outside of it a /4.
HTML = (
    "<body><div>asthma car"
    "<p>asthma <a href=/1>lung</a></p>"
    "<ul><li>asthma <b><a href=/2>asthma</a></b></li><li><a href=/3>car</a></li></ul>"
    "</div><a href=/4></a></body>"
)
PAGE = read_html(HTML, "http://a.test/")
# By frequency alone: 4 asthma, 2 car, 1 lung: 4 / sqrt(16 + 4 + 1)
WHOLE = 0.872872
ONE_OF_TWO = 0.707107  # asthma and another word, once each


def test_pant_menczer_section_4_4_the_defaults_are_the_papers() -> None:
    """Pant, Menczer 2003: term frequencies (4.3), a quarter, the parent (4.4), D = 50 (4.1)."""
    topic, background = Topic.parse("keywords:asthma"), Background.default()
    ours = Dom(topic, background)
    assert (ours.by, ours.alpha, ours.level, ours.rotation) == ("tf", 0.25, 1, 50)
    assert ours.rank(judged()) == Dom(topic, background, by="tf").rank(judged())
    hub_seeking = HubSeeking(topic, background)
    assert (hub_seeking.by, hub_seeking.rotation) == ("tf", 50)
    with pytest.raises(ConfigError, match="rotation=-1"):
        Dom(topic, background, rotation=-1)


def test_pant_menczer_section_4_3_naive_best_first_is_dom_by_the_page_alone() -> None:
    """Pant, Menczer 2003, section 4.3 and 4.4: naive best-first is the DOM crawler at alpha 1."""
    known = {"topic": Topic.parse("keywords:asthma"), "background": Background.default()}
    naive = STRATEGIES.create("naive-best-first", **known)
    assert naive.rank(judged()) == pytest.approx([WHOLE] * 4, abs=1e-6)
    assert naive.rank(judged()) == STRATEGIES.create("dom:alpha=1", **known).rank(judged())
    assert naive.rotation == 50
    assert STRATEGIES.create("naive-best-first:rotation=0", **known).rotation == 0


def judged(relevance: float = 0.0) -> JudgedPage:
    return JudgedPage(PAGE, relevance, 0)


def dom(topic: Topic, background: Background, **options: object) -> Dom:
    return Dom(topic, background, by="tf", **options)  # type: ignore[arg-type]


def scores(page: float, contexts: list[float]) -> list[float]:
    return [0.25 * page + 0.75 * context for context in contexts]


def test_a_quarter_is_the_page_and_the_rest_the_text_below_the_parent(topic: Topic, background: Background) -> None:
    # /1: "asthma lung"; /2: the b alone, "asthma"; /3: "car"; /4: the body, all of the page.
    ranked = dom(topic, background).rank(judged())
    assert ranked == pytest.approx(scores(WHOLE, [ONE_OF_TWO, 1, 0, WHOLE]), abs=1e-6)
    assert ranked[0] == pytest.approx(0.748548, abs=1e-6)


def test_a_higher_level_takes_in_more(topic: Topic, background: Background) -> None:
    # /1: the div; /2: the li, "asthma asthma"; /3: the ul, 2 asthma and 1 car: 2 / sqrt(5);
    # above the body is html.
    ranked = dom(topic, background, level=2).rank(judged())
    assert ranked == pytest.approx(scores(WHOLE, [WHOLE, 1, 0.894427, WHOLE]), abs=1e-6)


def test_above_the_root_it_is_the_whole_page(topic: Topic, background: Background) -> None:
    ranked = dom(topic, background, level=99).rank(judged())
    assert ranked == pytest.approx([WHOLE] * 4, abs=1e-6)


def test_the_smallest_block_with_enough_words(topic: Topic, background: Background) -> None:
    # Two words: /1 its p; /2 not its b, which is no block, but the li; /3 the ul; /4 the body.
    nodes = aggregation_nodes(PAGE, words=2)
    assert [PAGE.nodes[node].tag for node in nodes] == ["p", "li", "ul", "body"]
    ranked = dom(topic, background, words=2).rank(judged())
    assert ranked == pytest.approx(scores(WHOLE, [ONE_OF_TWO, 1, 0.894427, WHOLE]), abs=1e-6)


@pytest.mark.parametrize(("alpha", "expected"), [(1.0, [WHOLE] * 4), (0.0, [ONE_OF_TWO, 1, 0])])
def test_alpha_weighs_page_against_context(
    topic: Topic, background: Background, alpha: float, expected: list[float]
) -> None:
    ranked = dom(topic, background, alpha=alpha).rank(judged())
    assert ranked[: len(expected)] == pytest.approx(expected, abs=1e-6)


def test_the_page_is_as_the_judge_has_judged_it(topic: Topic, background: Background) -> None:
    strategy = Dom(topic, background, CosineJudge(topic, background), by="cosine")
    # /2 stands alone with asthma: 0.25 · 0.4 + 0.75 · 1
    assert strategy.rank(judged(relevance=0.4))[1] == pytest.approx(0.85)


def test_a_semantic_dom_crawler_sees_related_words(diseases: Topic, collection: Background) -> None:
    page = read_html("<p>flu <a href=/1>this</a></p><p>cars <a href=/2>that</a></p>", "http://a.t/")
    classic = Dom(diseases, collection).rank(JudgedPage(page, 0.0, 0))
    semantic = Dom(diseases, collection, by="ehrig", min_weight=0.0).rank(JudgedPage(page, 0.0, 0))
    assert classic[0] == classic[1] == 0
    # The flu is two edges off: 0.25, squashed 0.25 / 1.25 = 0.2. On the page it is one word
    # of two with tf 1: the same 0.2.
    assert semantic == pytest.approx([0.2, 0.05])


def test_links_in_the_head_have_no_context(topic: Topic, background: Background) -> None:
    html = "<head><link rel=next href=/2></head><body>asthma"
    page = read_html(html, "http://a.test/")
    assert dom(topic, background).rank(JudgedPage(page, 0.0, 0)) == pytest.approx([0.25])


@pytest.mark.parametrize("options", [{"alpha": 1.5}, {"alpha": float("nan")}, {"level": 0},
                                     {"words": -1}, {"by": "title"}, {"min_weight": float("nan")},
                                     {"by": "ssrm", "min_weight": 7.0}])  # fmt: skip
def test_options_out_of_bounds_are_said(topic: Topic, background: Background, options: dict[str, object]) -> None:
    with pytest.raises(ConfigError):
        Dom(topic, background, **options)  # type: ignore[arg-type]


def test_a_trap_of_elements_in_each_other_is_not_read_without_end(topic: Topic, background: Background) -> None:
    # Of 30 divs in each other, each with 5,000 characters of its own, all but the innermost
    # ten are read: two million characters in sum. The others have the page for a context.
    html = "asthma " + "".join(f"<div>{'car ' * 1250}<a href=/{n}>car</a>" for n in range(30))
    page = JudgedPage(read_html(html, "http://a.test/"), 0.0, 0)
    whole = dom(topic, background, alpha=1.0).rank(page)[0]
    ranked = dom(topic, background).rank(page)
    assert ranked[15] == pytest.approx(0.25 * whole)
    assert ranked[29] == pytest.approx(whole)


@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_the_score_lies_between_page_and_context(page: float, context: float, a: float) -> None:
    low, high = sorted((page, context))
    assert low - 1e-9 <= mixed(page, context, a) <= high + 1e-9


@given(st.recursive(
    st.sampled_from(["asthma ", "car ", "<a href=/x>lung</a> ", "<a href=/y>"]),
    lambda inner: st.builds(
        "<{0}>{1}</{0}>".format,
        st.sampled_from(["p", "div", "b", "li", "table"]),
        st.lists(inner, max_size=4).map("".join),
    ),
))  # fmt: skip
def test_every_link_of_any_tree_has_a_score(body: str) -> None:
    page = read_html(f"<title>t</title>{body}", "http://a.test/")
    background = Background.from_counts({"asthma": 1}, documents=10)
    topic = Topic.parse("keywords:asthma")
    for words in (0, 3):
        ranked = Dom(topic, background, words=words).rank(JudgedPage(page, 0.0, 0))
        assert len(ranked) == len(page.links)
        assert all(0 <= score <= 1 for score in ranked)
