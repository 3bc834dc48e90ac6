"""Judges that know concepts, on a graph of three: asthma (wheeze) and flu are diseases."""

from __future__ import annotations

from math import exp, tanh

import pytest
from hypothesis import given
from hypothesis import strategies as st

from semcrawl.errors import ConfigError
from semcrawl.page import Page, read_html
from semcrawl.relevance import JUDGES, CosineJudge, EhrigSimilarity, Judge, Judgement, Lens
from semcrawl.relevance.judges import EhrigJudge, MihalceaJudge, SsrmJudge, SynonymSetsJudge, as_judge, explaining
from semcrawl.text.background import Background
from semcrawl.topics import ConceptGraphBuilder, Topic
from semcrawl.topics.topic import ConceptNote, Keyword, TopicConcept

BACKGROUND = Background.from_counts({"asthma": 10, "wheez": 10, "diseas": 100, "flu": 100, "car": 500}, documents=1000)
NAMES = ["ehrig", "mihalcea", "ssrm", "synonym-sets"]


def make_topic() -> Topic:
    builder = ConceptGraphBuilder("diseases")
    builder.add("x:disease", "disease")
    builder.add("x:asthma", "asthma", "wheeze", broader=["x:disease"])
    builder.add("x:flu", "flu", "common cold", broader=["x:disease"])
    return Topic("asthma", (TopicConcept("x:asthma", 1.0, builder.build()),))


TOPIC = make_topic()


@pytest.fixture(scope="module")
def judges() -> dict[str, Judge]:
    """The judges that compare and the cosine, made once: a judge keeps nothing of a page."""
    return {name: JUDGES.create(name, topic=TOPIC, background=BACKGROUND) for name in ("cosine", *NAMES)}


def page(text: str) -> Page:
    return Page(url="http://a.test/", pieces=(text,))


def test_ssrm_is_the_squashed_double_sum() -> None:
    # "asthma" alone: x = tanh(1.8), as in tests/strategies/test_ssrm.py; then x / (1 + x).
    judgement = SsrmJudge(TOPIC, BACKGROUND).judge(page("asthma"))
    assert judgement.relevance == pytest.approx(tanh(1.8) / (1 + tanh(1.8)))
    assert judgement.concept == "x:asthma"


def test_ssrm_leaves_out_what_is_below_the_cut_off_of_the_measure() -> None:
    # Li's cut-off is 0.6 of 0.946806 = 0.568084; the flu has e^-0.4 tanh(1.2) = 0.558816.
    assert SsrmJudge(TOPIC, BACKGROUND).judge(page("flu")).relevance == 0
    everything = SsrmJudge(TOPIC, BACKGROUND, min_weight=0)
    flu = exp(-0.4) * tanh(1.2)
    assert everything.judge(page("flu")).relevance == pytest.approx(flu / (1 + flu))
    assert everything.judge(page("flu")).concept == "x:flu"


def test_ehrig_is_the_squashed_sum() -> None:
    # asthma twice, flu once: tf 1 and 1/2, so 1 + 0.25 / 2 = 1.125 and 1.125 / 2.125.
    judgement = EhrigJudge(TOPIC).judge(page("asthma, asthma and flu"))
    assert judgement.relevance == pytest.approx(1.125 / 2.125)


def test_synonym_sets_is_the_cosine_with_the_expanded_topic() -> None:
    judgement = SynonymSetsJudge(TOPIC, BACKGROUND).judge(page("asthma car"))
    assert judgement.relevance == pytest.approx(0.699231, abs=1e-6)
    assert judgement.concept is None


def test_mihalcea_is_the_mean_of_both_directions() -> None:
    judge = MihalceaJudge(TOPIC, BACKGROUND, measure="ehrig", min_weight=0)
    # 0.25 * 2.302585 / (2.302585 + 0.693147) = 0.192155, and 0.25.
    judgement = judge.judge(page("flu car"))
    assert judgement.relevance == pytest.approx(0.221078, abs=1e-6)
    assert judgement.concept == "x:flu"


def test_the_best_concept_is_the_one_that_gives_most() -> None:
    lens = Lens.compile(TOPIC, "ehrig", min_weight=0)

    def best(text: str) -> tuple[str, ...]:
        return EhrigSimilarity(lens).best_concepts(*lens.read(text))

    # The disease gives 3 * 0.5, asthma 1.
    assert best("asthma disease disease disease") == ("x:disease", "x:asthma")
    assert best("asthma disease") == ("x:asthma", "x:disease")
    assert best("common cold") == ("x:flu",)
    assert best("cars") == ()


def test_a_keyword_gives_no_concept() -> None:
    judge = SsrmJudge(Topic("x", keywords=(Keyword("asthma"),)), BACKGROUND)
    judgement = judge.judge(page("asthma"))
    assert judgement.relevance == pytest.approx(0.5)
    assert judgement.concept is None


def test_the_best_concept_of_wordnet_is_an_iri() -> None:
    judge = SsrmJudge(Topic.parse("wordnet:asthma"), Background.default())
    expected = "https://w3id.org/semcrawl/wordnet/asthma.n.01"
    assert judge.judge(page("bronchial asthma")).concept == expected


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", "cars and vans", "the of and", "\x00 \ud800"])
def test_a_page_without_a_near_word_is_irrelevant(name: str, text: str) -> None:
    judgement = JUDGES.create(name, topic=TOPIC, background=BACKGROUND).judge(page(text))
    assert (judgement.relevance, judgement.concept) == (0, None)


@pytest.mark.parametrize("name", NAMES)
def test_a_page_about_the_topic_is_above_the_threshold(name: str) -> None:
    judge = JUDGES.create(name, topic=TOPIC, background=BACKGROUND)
    assert judge.judge(page("Asthma: a wheeze")).relevance >= judge.threshold > 0


@given(st.lists(st.sampled_from(["asthma", "flu", "common cold", "disease", "car", "ß"])))
def test_relevance_is_a_share(judges: dict[str, Judge], words: list[str]) -> None:
    for name in NAMES:
        assert 0 <= judges[name].judge(page(" ".join(words))).relevance <= 1


@given(st.lists(st.sampled_from(["asthma", "flu", "common cold", "disease", "car", "ß"])))
def test_what_is_explained_is_what_was_judged(judges: dict[str, Judge], words: list[str]) -> None:
    text = " ".join(words)
    for name, judge in judges.items():
        told = explaining(judge, name).explain(text).score
        assert told == pytest.approx(judge.judge(page(text)).relevance, rel=1e-12)


class Silent:
    """A judge that keeps its reasons to itself."""

    threshold = 0.5

    def judge(self, page: Page) -> Judgement:
        return Judgement(1.0 if page.text else 0.0)


def test_a_judge_that_cannot_explain_says_so() -> None:
    with pytest.raises(ConfigError, match="the judge 'mine' cannot explain its scores"):
        explaining(Silent(), "mine")
    assert explaining(CosineJudge(TOPIC, BACKGROUND), "cosine")


class Outlined(Silent):
    """A judge with all that is optional, and something of its own."""

    similarity = CosineJudge(TOPIC, BACKGROUND).similarity
    mood = "strict"

    def outline(self) -> list[ConceptNote]:
        return [ConceptNote("x:asthma", "asthma")]


def test_a_judge_of_ones_own_needs_only_what_every_judge_has() -> None:
    judge = as_judge(Silent())
    assert (judge.threshold, judge.similarity, judge.outline()) == (0.5, None, None)
    assert judge.judge(page("asthma")) == Judgement(1.0)
    assert type(judge).__name__ == "Silent"
    assert as_judge(judge) is judge


def test_a_judge_of_ones_own_may_give_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    page = read_html("<title>owl</title>", "http://a.test/")
    monkeypatch.setattr(Silent, "judge", lambda *_: 0.25)
    assert as_judge(Silent()).judge(page) == Judgement(0.25)
    for wrong in ("much", None):
        monkeypatch.setattr(Silent, "judge", lambda *_, wrong=wrong: wrong)
        with pytest.raises(ConfigError, match=r"Silent gave .* for http://a\.test/, which is no relevance"):
            as_judge(Silent()).judge(page)


def test_what_a_judge_of_ones_own_has_beyond_that_is_kept() -> None:
    own = Outlined()
    judge = as_judge(own)
    assert judge.similarity is own.similarity
    assert judge.outline() == own.outline()
    assert judge.mood == "strict"  # type: ignore[attr-defined]


def test_what_is_no_judge_is_told_what_it_lacks() -> None:
    with pytest.raises(ConfigError, match="object is no judge: it has no judge and no threshold"):
        as_judge(object())  # type: ignore[arg-type]
