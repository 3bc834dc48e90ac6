"""The report as a page: what it says, that it is safe to open, and that all can read it."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING

import lxml.html
import pytest
from msgspec.structs import replace

from semcrawl.lab.report import html_page, make_report
from semcrawl.lab.results import Comparison, CrawlerNote, Results, TopicNote
from tests.lab.made_up import HOSTILE, all_failed, made_up

if TYPE_CHECKING:
    from collections.abc import Callable

MANY = tuple(f"crawler-{n}" for n in range(24))

RESULTS: dict[str, Callable[[], Results]] = {
    "rich": made_up,
    "one topic": lambda: made_up(topics=("health",), repetitions=1),
    "24 strategies": lambda: made_up(MANY),
    "all failed": all_failed,
}


@pytest.fixture(scope="module", params=RESULTS)
def page(request: pytest.FixtureRequest) -> lxml.html.HtmlElement:
    """The report of each of the results in turn."""
    return page_of(RESULTS[request.param]())


def page_of(results: Results) -> lxml.html.HtmlElement:
    return lxml.html.document_fromstring(html_page(make_report(results)))


def table(page: lxml.html.HtmlElement, caption: str) -> dict[str, list[str]]:
    """The first table whose caption begins so: rows by their head."""
    [found] = [t for t in page.iter("table") if words(t.find("caption")).startswith(caption)][:1]
    return {words(row[0]): [words(cell) for cell in row[1:]] for row in found.iterfind("tbody/tr")}


def words(element: lxml.html.HtmlElement) -> str:
    return " ".join(element.text_content().split())


def headings(page: lxml.html.HtmlElement) -> list[str]:
    return [words(heading) for heading in page.iter("h2")]


def test_nothing_is_loaded_and_nothing_runs(page: lxml.html.HtmlElement) -> None:
    names = {element.tag for element in page.iter(lxml.etree.Element)}
    assert names.isdisjoint({"script", "link", "iframe", "img", "object", "embed", "form", "use"})
    for element in page.iter(lxml.etree.Element):
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            assert name not in {"src", "style", "action", "xlink:href"}
            assert name != "href" or value.startswith("#")


def test_the_policy_allows_the_one_style_sheet_and_nothing_else() -> None:
    text = html_page(make_report(made_up()))
    [style] = re.findall(r"<style>(.*?)</style>", text, re.DOTALL)
    [policy] = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert "default-src 'none'" in policy
    assert f"style-src 'sha256-{digest}'" in policy
    assert "unsafe" not in policy
    assert "url(" not in style
    assert "@import" not in style


def test_texts_from_pages_are_shown_and_not_run() -> None:
    rich = made_up()
    results = replace(rich, title=f"A {HOSTILE}", contenders=(HOSTILE, *rich.contenders))
    page = page_of(results)
    assert page.find(".//script") is None
    assert HOSTILE in words(page.find(".//h1"))
    assert f"http://a.test/x?q={HOSTILE}|`" in words(page)


def test_what_cannot_be_shown_is_replaced() -> None:
    page = page_of(replace(made_up(), title="a\ud800b\x1b[0m\u202ec"))
    assert words(page.find(".//h1")) == "a\ufffdb\ufffd[0m\ufffdc"


def test_tables_have_captions_and_their_heads_say_what_they_are_for(page: lxml.html.HtmlElement) -> None:
    for found in page.iter("table"):
        assert words(found.find("caption"))
        assert {head.get("scope") for head in found.iterfind("thead/tr/th")} == {"col"}
        assert {head.get("scope") for head in found.iterfind("tbody/tr/th")} <= {"row"}
        width = len(found.findall("thead/tr/th"))
        assert {len(row) for row in found.iterfind("tbody/tr")} <= {width}
        # What scrolls can be scrolled with the keyboard.
        assert found.getparent().get("tabindex") == "0"


def test_names_are_unique_and_every_reference_leads_somewhere(page: lxml.html.HtmlElement) -> None:
    names = page.xpath("//@id")
    assert len(names) == len(set(names))
    labels = [name for value in page.xpath("//@aria-labelledby") for name in value.split()]
    links = [href.removeprefix("#") for href in page.xpath("//a/@href")]
    assert {*labels, *links} <= set(names)


def test_figures_have_a_title_and_say_their_values_in_words(page: lxml.html.HtmlElement) -> None:
    for figure in page.iter("figure"):
        assert words(figure.find("figcaption"))
        for svg in figure.iter("svg"):
            assert svg.get("role") == "img"
            assert words(svg.find("title"))
            assert words(svg.find("desc"))


def test_verdicts_come_first_in_words_with_their_figures() -> None:
    page = page_of(made_up())
    assert headings(page)[0] == "Findings"
    rows = table(page, "Reproduced")
    assert list(rows) == ["✓ reproduced", "≈ same direction", "✗ not reproduced", "○ not tested"]
    assert rows["✓ reproduced"][1] == "0.412 against 0.180, p 0.003"
    assert "Of 4 findings: 1 reproduced, 1 same direction" in words(page.find(".//header"))


def test_the_figures_of_a_verdict_stand_in_lines_of_their_own() -> None:
    verdict = replace(made_up().verdicts[0], figures="dom 0.2; ssrm 0.3 <b>")
    page = page_of(replace(made_up(), verdicts=(verdict,)))
    [cell] = page.find_class("l")
    assert [*cell.itertext()] == ["dom 0.2", "ssrm 0.3 <b>"]
    assert [element.tag for element in cell] == ["br"]


def test_two_crawlers_that_are_equally_good_are_both_named_as_the_best() -> None:
    rich = made_up()
    means = {(o.measure, o.at): o.interval for o in rich.over_topics if o.contender == "ssrm"}
    equal = tuple(replace(o, interval=means[o.measure, o.at]) if o.contender == "dom" else o for o in rich.over_topics)
    page = page_of(replace(rich, over_topics=equal))
    assert "after 1,000 pages: dom, ssrm with 0.237" in words(page.find(".//header"))


def test_what_was_trained_on_what_is_told() -> None:
    rows = table(page_of(made_up()), "What was trained on what")
    assert rows == {"ssrm": ["hmm from 51,312 paths, 54 training pages of health as targets"]}


def test_crawlers_stand_from_best_to_worst_and_oracles_last() -> None:
    rows = table(page_of(made_up()), "Harvest rate, mean over 5 topics")
    best_first = ["ssrm", "dom", "best-first", "breadth-first", "oracle", "oracle (sources)"]
    assert list(rows) == best_first
    assert rows["ssrm"][-1] == "0.237 0.202 to 0.273"


def test_the_best_is_bold_where_more_is_better_and_where_less_is_and_never_an_oracle() -> None:
    page = page_of(made_up())
    [found] = [t for t in page.iter("table") if words(t.find("caption")).startswith("All meas")]
    bold = {words(row[0]) for row in found.iterfind("tbody/tr") if row.find("td/strong") is not None}
    assert bold == {"ssrm"}
    heads = [words(head) for head in found.iterfind("thead/tr/th")]
    assert "↓ First on-topic page" in heads


def test_a_measure_that_some_topics_lack_says_over_how_many_it_is() -> None:
    rich = made_up()
    fewer = tuple(replace(over, topics=3) if over.contender == "dom" else over for over in rich.over_topics)
    rows = table(page_of(replace(rich, over_topics=fewer)), "Harvest rate, mean over 5 topics")
    assert rows["dom"][-1].endswith("3 of 5 topics")


def test_the_matrix_says_who_beats_whom_without_colours() -> None:
    rows = table(page_of(made_up()), "Harvest rate after 1,000 pages: is the crawler of the row")
    assert rows["ssrm"] == [
        "",
        "▲ significantly better, p .029",
        "▲ significantly better, p .002",
        "▲ significantly better, p <.001",
    ]
    assert rows["breadth-first"] == ["▽ not better", "▽ not better", "▽ not better", ""]


def test_the_matrix_tells_chance_and_equals_from_better() -> None:
    comparisons = (
        Comparison("dom", "ssrm", "harvest-rate", 1_000, 0.01, 5, 3, 0, 0.2, 0.2, 0.4),
        Comparison("ssrm", "dom", "harvest-rate", 1_000, -0.01, 5, 2, 0, 0.8, 0.8, 1.0),
        Comparison("best-first", "ssrm", "harvest-rate", 1_000, 0.0, 5, 0, 5, None, None, None),
    )
    page = page_of(replace(made_up(), comparisons=comparisons))
    rows = table(page, "Harvest rate after 1,000 pages: is")
    assert rows["dom"][0] == "△ better, .400"
    assert rows["best-first"][0] == "="


def test_with_one_topic_nothing_is_tested_and_no_table_repeats_itself() -> None:
    page = page_of(RESULTS["one topic"]())
    assert "Fewer than two topics: nothing is tested" in words(page)
    assert "Topic by topic" not in headings(page)
    assert "significantly better" not in words(page)


def test_pages_that_others_missed_are_told_with_why_and_not_linked() -> None:
    rows = table(page_of(made_up()), "Found by ssrm")
    [cells] = rows.values()
    assert list(rows) == ["breadth-first"]
    assert cells[2:4] == ["412", "0.731"]
    assert cells[4].startswith("linked from http://a.test/")


def test_failures_are_announced_at_the_top_and_listed() -> None:
    page = page_of(made_up())
    assert "1 failed run and 1 warning" in words(page.find(".//header"))
    assert table(page, "Runs that failed") == {"breadth-first": ["health", "2", f"ValueError: {HOSTILE}"]}


def test_an_experiment_in_which_everything_failed_has_a_report_that_says_so() -> None:
    page = page_of(all_failed())
    assert headings(page) == ["Findings", "What was done", "Warnings and failures", "Measures"]
    assert "No crawler has a value of the headline measure." in words(page)
    assert page.find(".//svg") is None


def test_every_measure_is_defined_with_its_source() -> None:
    rows = table(page_of(made_up()), "What was measured")
    assert rows["Harvest rate"][1:] == ["more", made_up().measures[0].source]
    assert rows["CPU per on-topic page (s)"][1] == "less"


def with_fewer_topics(contender: str, count: int) -> Results:
    """Results in which one crawler has means over fewer topics."""
    rich = made_up()
    fewer = tuple(replace(over, topics=count) if over.contender == contender else over for over in rich.over_topics)
    return replace(rich, over_topics=fewer)


def test_a_mean_over_fewer_topics_is_not_ranked_and_never_the_best() -> None:
    page = page_of(with_fewer_topics("ssrm", 4))
    rows = table(page, "Harvest rate, mean over 5 topics")
    assert list(rows)[:4] == ["dom", "best-first", "breadth-first", "ssrm"]
    assert "4 of 5 topics" in table(page, "All measures")["ssrm"][0]
    assert "after 1,000 pages: dom with" in words(page.find(".//header"))
    for found in page.iter("table"):
        if words(found.find("caption")).startswith(("Harvest rate, mean", "All measures")):
            bold = {words(row[0]) for row in found.iterfind("tbody/tr") if row.find("td/strong") is not None}
            assert bold == {"dom"}


def test_a_topic_without_any_value_is_not_among_those_that_are_counted() -> None:
    rich = made_up()
    values = tuple(value for value in rich.values if value.topic != "music")
    fewer = tuple(replace(over, topics=4) for over in rich.over_topics)
    rows = table(page_of(replace(rich, values=values, over_topics=fewer)), "Harvest rate, mean over 4")
    assert next(iter(rows)) == "ssrm"
    assert "of 5 topics" not in " ".join(cell for cells in rows.values() for cell in cells)


def test_what_crawlers_and_topics_were_is_told() -> None:
    crawlers = (
        CrawlerNote("dom", "dom:alpha=0.5", "cosine", "", "", "given", "pages"),
        CrawlerNote("ssrm", "ssrm", "ssrm", "wordnet", "depth=3", "augmented", "sites"),
    )
    notes = (TopicNote("health", "keywords:health; wordnet: wordnet:health.n.01", 3, 120),)
    page = page_of(replace(made_up(), crawlers=crawlers, topic_notes=notes))
    rows = table(page, "What the crawlers were")
    assert rows["dom"] == ["dom:alpha=0.5", "cosine", "the topic", "", "given", "pages"]
    assert rows["ssrm"] == ["ssrm", "ssrm", "wordnet", "depth=3", "augmented", "websites"]
    told = table(page, "Topics")["health"]
    assert told == ["keywords:health; wordnet: wordnet:health.n.01", "3", "120", "100"]


def test_the_report_does_not_say_that_all_that_was_read_before_is_left_out() -> None:
    captions = [words(found.find("caption")) for found in page_of(made_up()).iter("table")]
    [caption] = [text for text in captions if text.startswith("What was trained on what")]
    assert caption.endswith("on-topic pages that were drawn for training are left out of the count")
