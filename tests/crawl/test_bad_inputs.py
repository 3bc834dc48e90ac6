"""The default crawler where topic, seeds or web are bad: it ends sensibly, and says so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from semcrawl import Crawl
from semcrawl.crawl import CrawlStopped, CrawlWarned, StopReason
from semcrawl.demo.web import demo_web
from tests.crawl.conftest import html

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    MakeWeb = Callable[[dict[str, Any]], Path]

HOME = "http://home.test/"
LUNGS = (
    "asthma inflames the airways", "an inhaler opens the bronchial tubes", "wheezing and coughing",
    "the chest feels tight", "breathing tests of the lungs", "a spacer helps children to inhale",
)  # fmt: skip
CARS = ("the engine needs oil", "a gearbox with six gears", "tyres for winter", "petrol is dear",
        "the exhaust is loud", "brakes and lights are checked")  # fmt: skip


HEALTH = ("a doctor asks the patient", "the hospital has many beds", "nurses work at night", "a pill in the morning",
          "fever and pain are treated", "tests of the blood")  # fmt: skip


def text(parts: tuple[str, ...], number: int) -> str:
    """Some of the parts, others for each number."""
    return ". ".join(parts[(number * step + step) % len(parts)] for step in range(1, 5))


def run(topic: str, seeds: list[str], web: Path, **settings: Any) -> Ended:
    with Crawl(topic, seeds, replay=[str(web)], workers=1, **settings) as crawl:
        events = list(crawl.visits())
        found = {row["url"]: row["relevance"] for row in crawl.query("harvest")}
    notes = [one.note for one in events if isinstance(one, CrawlWarned)]
    last = events[-1]
    assert isinstance(last, CrawlStopped)
    return Ended(found, notes, last.reason)


class Ended:
    """What came of a crawl."""

    def __init__(self, found: dict[str, float], notes: list[str], reason: StopReason) -> None:
        self.found, self.notes, self.reason = found, notes, reason

    def relevant(self, part: str = "") -> float:
        """The share of pages with this in their URL that are relevant."""
        chosen = [relevance for url, relevance in self.found.items() if part in url]
        return sum(relevance >= 0.5 for relevance in chosen) / len(chosen)


def test_a_topic_that_nothing_is_about_finds_nothing(recorded: Path) -> None:
    ended = run("wordnet:glacier", list(demo_web().seeds), recorded, pages=80)
    assert (ended.reason, ended.relevant()) == (StopReason.PAGES_REACHED, 0.0)
    assert any("names nothing of 'glacier'" in note for note in ended.notes)


def test_from_seeds_off_the_topic_it_finds_its_way(recorded: Path) -> None:
    seed = "http://www.raptor-watch.test/"
    ended = run(demo_web().main_topic.spec, [seed], recorded, pages=200)
    assert f"the seed page {seed} scores 0" in ended.notes[0]
    right = demo_web().main_topic.pages
    assert len(right & ended.found.keys()) > 40
    assert ended.relevant("raptor-watch") < 0.1


def test_the_only_page_on_the_topic_is_called_so(make_web: MakeWeb) -> None:
    links = {f"/{n}": f"illness {n}" for n in range(30)}
    others = {f"{HOME}{n}": html("Illness", {"/": "home"}, text(HEALTH, n) + f". Ward {n}") for n in range(30)}
    web = make_web({HOME: html("Asthma", links, f"Asthma: {LUNGS[0]}. {'. '.join(HEALTH)}"), **others})
    ended = run("wordnet:asthma", [HOME], web)
    assert [url for url, relevance in ended.found.items() if relevance >= 0.5] == [HOME]


def test_where_all_pages_are_on_the_topic_they_are_called_so(make_web: MakeWeb) -> None:
    pages = {f"{HOME}{n}": html(f"Asthma {n}", {}, "asthma. " + text(LUNGS, n)) for n in range(40)}
    links = {f"/{n}": f"asthma {n}" for n in range(40)}
    web = make_web({HOME: html("Asthma", links, "asthma. " + text(LUNGS, 0)), **pages})
    ended = run("wordnet:asthma", [HOME], web)
    assert (ended.reason, len(ended.found)) == (StopReason.FRONTIER_EMPTY, 41)
    assert ended.relevant() > 0.95


def test_near_duplicates_are_judged_alike_and_take_nothing_over(make_web: MakeWeb) -> None:
    copies = {f"{HOME}copy{n}": html("Asthma", {}, f"{text(LUNGS, 1)}. Copy {n}") for n in range(50)}
    cars = {f"{HOME}car{n}": html("Cars", {}, text(CARS, n)) for n in range(20)}
    links = dict.fromkeys((*copies, *cars), "more")
    web = make_web({HOME: html("Asthma", links, "asthma"), **copies, **cars})
    ended = run("wordnet:asthma", [HOME], web)
    assert ended.reason is StopReason.FRONTIER_EMPTY
    of_copies = [relevance for url, relevance in ended.found.items() if "copy" in url]
    assert len(of_copies) == 50
    assert max(of_copies) - min(of_copies) < 0.1
    assert ended.relevant("car") == 0.0


def test_a_spam_site_does_not_take_the_judge_over(make_web: MakeWeb) -> None:
    """It repeats the topic's name with words of its own; pages with these words gain nothing."""
    spam, casino = "http://spam.test/", "casino jackpot roulette bonus win cash"
    pages: dict[str, Any] = {
        spam: html("Asthma", {f"/{n}": "asthma" for n in range(150)}, f"asthma {casino}"),
        **{f"{spam}{n}": html("Asthma", {}, f"asthma {casino} asthma {n}") for n in range(150)},
        **{f"http://lungs{n}.test/": html("Asthma", {}, f"asthma. {text(LUNGS, n)}")
           for n in range(12)},
        **{f"http://quiet{n}.test/": html("Breath", {}, text(LUNGS, n) + " and asthma")
           for n in range(8)},
        **{f"http://casino{n}.test/": html("Games", {}, f"{casino} {text(CARS, n)}")
           for n in range(8)},
    }  # fmt: skip
    links = {url: "more" for url in pages if url.count("/") == 3}
    ended = run("wordnet:asthma", [HOME], make_web({HOME: html("Links", links), **pages}))
    assert ended.reason is StopReason.FRONTIER_EMPTY
    assert ended.relevant("lungs") == 1.0
    assert ended.relevant("quiet") > 0.7
    assert ended.relevant("casino") == 0.0


def test_pages_in_another_language_are_told(make_web: MakeWeb) -> None:
    words = "L'asthme est une maladie des bronches; les voies respiratoires sont enflammées."
    pages = {f"{HOME}{n}": html("Asthme", {}, f"{words} {n}") for n in range(20)}
    web = make_web({HOME: html("Asthme", {f"/{n}": "asthme" for n in range(20)}, words), **pages})
    ended = run("wordnet:asthma", [HOME], web)
    assert (ended.reason, ended.relevant()) == (StopReason.FRONTIER_EMPTY, 0.0)
    assert "it is in fr: give --language en,fr" in ended.notes[0]
