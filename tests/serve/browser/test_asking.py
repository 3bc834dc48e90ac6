"""Asking in the browser: named queries with parameters, own texts, errors at their line."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from selenium.webdriver.common.keys import Keys

if TYPE_CHECKING:
    from tests.serve.browser.reader import Reader
    from tests.serve.conftest import Served

EDITOR = "textarea.editor-text"
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


def test_a_query_that_is_not_there_is_told_and_nothing_else_is_run(
    reader: Reader, served: Served
) -> None:
    reader.visit(served.url, "ask?name=no-such-query&run=1")
    reader.see(".problem", "There is no query called “no-such-query”.")
    reader.see(".answer-part", "Run the query to see its answer.")
    assert not reader.run(
        "return performance.getEntriesByType('resource')"
        ".filter(({ name }) => name.endsWith('/api/query')).length"
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


def test_the_answer_of_an_old_run_does_not_take_the_place_of_a_new_one(
    reader: Reader, served: Served
) -> None:
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
    reader.write(EDITOR, "SELECT ?page WHERE {\n?page a sc:Page .\n?page sc:relevance ;\n}\n")
    reader.press_together(Keys.CONTROL, Keys.ENTER)
    reader.see(".editor-message")
    assert reader.texts(".editor-gutter .bad") == ["3"]
    reader.write(EDITOR, "ASK { ?page a sc:Page }")
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
