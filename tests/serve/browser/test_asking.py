"""Asking in the browser: named queries with parameters, own texts, errors at their line."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from selenium.webdriver.common.keys import Keys

if TYPE_CHECKING:
    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served

EDITOR = ".editor textarea"
TEXT = ".editor .code-lines"
ROWS = ".results tbody tr"
# The first answer of the server is kept back until answerLate() is called, however the page
# gave it up meanwhile.
LATE = """
const ask = window.fetch;
let isFirst = true;
window.fetch = (address, options) => {
  if (!String(address).includes("/api/query") || !isFirst) return ask(address, options);
  isFirst = false;
  const late = new Promise((resolve) => { window.answerLate = resolve; });
  return ask(address, { ...options, signal: undefined }).then(async (answer) => {
    const body = await answer.text();
    window.hasAnswered = true;
    await late;
    return new Response(body, answer);
  });
};
"""


def write_query(reader: Reader, text: str) -> None:
    """Put a text in the place of the one in the editor."""
    reader.click(EDITOR)
    reader.press_together(Keys.CONTROL, "a")
    # As if it had been pasted.
    reader.run("document.execCommand('insertText', false, arguments[0])", text)


@pytest.mark.parametrize(
    ("head", "said"),
    [("SELECT ?u", "The query found nothing."), ("SELECT (COUNT(?u) AS ?found)", "1 row"), ("ASK", "No")],
)
def test_an_empty_answer_is_explained_by_names_that_the_crawl_does_not_use(
    reader: Reader, served: Served, head: str, said: str
) -> None:
    reader.visit(served.url, "ask")
    write_query(reader, f"{head} {{ ?u a sc:Pages ; schema:nam ?n FILTER(xsd:string(?n) != 'sc:Page') }}")
    reader.click("button.main", "Run")
    reader.see(".answer-part", said)
    told = reader.see(".absent-names").text
    assert told == "Nothing in this crawl has sc:Pages (did you mean sc:Page?) or schema:nam."


def test_a_named_query_runs_with_its_parameter(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "ask")
    reader.click('.query-list a[data-name="analyse/best-pages"]')
    reader.write('.parameters input[name="limit"]', "3")
    reader.click("button.main", "Run")
    reader.see(".result-count", "3 rows")
    best = served.client.get("/api/pages", params={"limit": 3}).json()["rows"]
    for row, text in zip(best, reader.texts(ROWS), strict=True):
        assert row["title"] in text
    reader.click(f'{ROWS} a[title="{best[0]["url"]}"]')
    reader.see("h1", best[0]["title"])


def test_a_link_may_say_the_short_name_of_a_query(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "ask?name=best-pages&p.limit=2&run=1")
    reader.see(".query-about h2", "Best pages")
    reader.see(".result-count", "2 rows")


def test_a_query_that_is_not_there_is_told_and_nothing_else_is_run(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "ask?name=no-such-query&run=1")
    reader.see(".problem", "There is no query called “no-such-query”.")
    reader.see(".answer-part", "Run the query to see its answer.")
    assert not reader.run(
        "return performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/api/query')).length"
    )


def test_back_leads_to_the_query_that_was_run_before(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "ask?name=best-pages&p.limit=2&run=1")
    reader.see(".result-count", "2 rows")
    reader.write('.parameters input[name="limit"]', "3")
    reader.click("button.main", "Run")
    reader.see(".result-count", "3 rows")
    reader.driver.back()
    reader.see(".result-count", "2 rows")
    assert reader.see('.parameters input[name="limit"]').get_attribute("value") == "2"


def test_a_link_may_name_its_text_as_other_editors_do(reader: Reader, served: Served) -> None:
    text = "ASK { ?page a sc:Seed }"
    reader.visit(served.url, f"ask?query={quote(text)}")
    reader.see(TEXT, text)


def test_the_answer_of_an_old_run_does_not_take_the_place_of_a_new_one(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "ask?name=best-pages&p.limit=2")
    reader.see(".query-about h2", "Best pages")
    reader.run(LATE)
    reader.click("button.main", "Run")
    reader.until(lambda: reader.run("return window.hasAnswered"), "an answer that is kept back")
    reader.go("ask?name=best-pages&p.limit=3&run=1")
    reader.see(".result-count", "3 rows")
    settled = "const done = arguments[0]; window.answerLate(); setTimeout(() => done(true), 0)"
    assert reader.driver.execute_async_script(settled)
    assert len(reader.texts(ROWS)) == 3
    assert reader.see(".result-count").text.startswith("3 rows")
    assert reader.see("button.main", "Run").is_enabled()


def test_a_text_with_an_error_is_marked_at_its_line(reader: Reader, served: Served) -> None:
    reader.expects = ["400"]
    reader.visit(served.url, "ask")
    write_query(reader, "SELECT ?page WHERE {\n?page a sc:Page .\n?page sc:relevance ;\n}\n")
    reader.press_together(Keys.CONTROL, Keys.ENTER)
    reader.see(".editor-message", "Line 3: Expected a value after sc:relevance")
    assert reader.see(".editor .code-error").text == ";"
    write_query(reader, "ASK { ?page a sc:Page }")
    reader.press_together(Keys.CONTROL, Keys.ENTER)
    reader.see(".answer", "Yes")
    assert not reader.all(".editor-message")


def test_counts_are_drawn_as_bars(reader: Reader, served: Served) -> None:
    text = "SELECT ?site (COUNT(*) AS ?pages) { ?p a sc:Page ; sc:site ?site } GROUP BY ?site"
    reader.visit(served.url, f"ask?run=1&text={quote(text, safe='')}")
    reader.see("figure figcaption", "pages by site")
    reader.click(".result-tools button", "Table")
    reader.see(ROWS)
    assert "as=table" in reader.route


def test_what_would_change_the_graph_is_refused_in_words(reader: Reader, served: Served) -> None:
    reader.expects = ["403"]
    text = "DELETE WHERE { ?s ?p ?o }"
    reader.visit(served.url, f"ask?run=1&text={quote(text, safe='')}")
    reader.see(".editor-message", "can be asked, not changed")


def test_names_that_the_graph_has_are_completed_with_their_counts(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "ask")
    pages = served.client.get("/api/crawl").json()["progress"]["pages"]
    offer = '.completions li[aria-selected="true"]'

    def chosen() -> bool:
        write_query(reader, "SELECT ?page { ?page a ")
        reader.press_together(Keys.CONTROL, Keys.SPACE)
        # Until the counts are there, names are offered without them.
        if reader.see(offer).text.split() != ["sc:Page", str(pages)]:
            return False
        # A list that has just come, or come anew, does not take keys yet.
        reader.press(Keys.ENTER)
        return "?page a sc:Page" in reader.see(TEXT).text

    reader.until(chosen, "classes with counts")


def test_what_is_typed_is_completed_closed_and_indented_and_can_be_undone(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "ask")
    write_query(reader, "SELECT ?page ")
    value = reader.see(EDITOR).get_property
    reader.press("{", Keys.ENTER, "?pa", Keys.TAB, " a sc:Pag")
    reader.see(".completions li", "sc:Page")
    reader.press(Keys.ESCAPE, Keys.ESCAPE, "e", Keys.ESCAPE)
    assert value("value") == "SELECT ?page {\n  ?page a sc:Page\n}"
    reader.press_together(Keys.CONTROL, "/")
    assert value("value") == "SELECT ?page {\n  # ?page a sc:Page\n}"
    reader.press_together(Keys.ALT, Keys.UP)
    assert value("value") == "  # ?page a sc:Page\nSELECT ?page {\n}"
    for _ in range(2):
        reader.press_together(Keys.CONTROL, "z")
    assert value("value") == "SELECT ?page {\n  ?page a sc:Page\n}"
    assert reader.see(TEXT).text.split() == str(value("value")).split()


def test_the_list_of_completions_is_within_the_window(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "ask")
    write_query(reader, "SELECT ?page {\n" + "  ?page a sc:Page .\n" * 60)
    reader.press_together(Keys.CONTROL, Keys.SPACE)
    reader.see(".completions li")
    rest = "const { top, bottom, left, right } = document.querySelector('.completions').getBoundingClientRect();"
    inside = f"{rest} return top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && bottom > top + 99"
    assert reader.run(inside)
    reader.press(Keys.ARROW_UP)
    row = "const row = document.querySelector('.completions [aria-selected=true]').getBoundingClientRect();"
    assert reader.run(f"{rest} {row} return row.top >= top && row.bottom <= bottom + 1")


def test_no_query_that_is_shipped_is_thought_to_have_a_mistake(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "ask")
    reader.see(".query-list a")
    script = """
    const done = arguments[0];
    Promise.all([
      fetch("/api/queries").then((answer) => answer.json()),
      import("/static/js/sparql_mistakes.js"),
    ]).then(([queries, { mistakeIn }]) => {
      done(queries.map(({ name, text }) => [name, mistakeIn(text)]).filter(([, found]) => found));
    });
    """
    assert reader.driver.execute_async_script(script) == []


def test_own_queries_are_kept_named_and_shared_by_link(reader: Reader, served: Served) -> None:
    reader.visit(served.url, "ask")
    text = "ASK { ?page a sc:Seed }"
    write_query(reader, text)
    reader.go("monitor")
    reader.see(".figures")
    reader.go("ask")
    reader.see(TEXT, text)
    reader.click("button", "Name it")
    reader.write("dialog input", "Are there seeds")
    reader.press(Keys.ENTER)
    reader.see(".own-query a", "Are there seeds")
    link = reader.route
    reader.rest()
    reader.visit(served.url, link)
    reader.see(".query-about h2", "Are there seeds")
    reader.see(TEXT, text)
    reader.click("button.main", "Run")
    reader.see(".answer", "Yes")
    reader.click(".own-queries summary")
    reader.see(".own-queries a", text)


def test_numbers_are_drawn_and_triples_are_a_picture(reader: Reader, served: Served) -> None:
    numbers = "SELECT ?step ?relevance { ?page sc:step ?step ; sc:relevance ?relevance }"
    reader.visit(served.url, f"ask?run=1&text={quote(numbers, safe='')}")
    reader.click(".result-tools button", "Dots")
    reader.see(".result-chart svg")
    pages = served.client.get("/api/crawl").json()["progress"]["pages"]
    assert len(reader.driver.find_elements("css selector", ".result-chart circle")) == pages
    assert "as=scatter" in reader.route
    triples = "CONSTRUCT { ?a sc:linksTo ?b } WHERE { ?a sc:linksTo ?b } LIMIT 5"
    reader.go(f"ask?run=1&as=graph&text={quote(triples, safe='')}")
    reader.see(".statement-picture canvas")
    reader.see(".statement-picture p", "5 statements")
