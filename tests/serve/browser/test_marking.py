"""Marks in the browser: a category of the taxonomy for the next crawl, a page for this one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl import Crawl
from semcrawl.demo import demo_web
from semcrawl.models.taxonomy import Taxonomy
from tests.serve.conftest import TOKEN, running_server

if TYPE_CHECKING:
    from pathlib import Path

    from tests.serve.browser.conftest import Taught
    from tests.serve.browser.reader import Reader


def good(taught: Taught) -> set[str]:
    taxonomy = Taxonomy.load(taught.model)
    return {taxonomy.tree.path(category) for category in taxonomy.good}


def test_a_category_is_marked_and_unmarked_in_the_model_file(reader: Reader, taught: Taught) -> None:
    reader.visit(taught.served.url, token=TOKEN)
    reader.click(".nav a", "Topic")
    reader.click(".nav a", "Taxonomy")
    reader.click(".tree-line", "Mammals")
    reader.click(".tree-about button", "Mark as good")
    reader.see(".tree-about .banner", "for the next crawl")
    assert good(taught) == {"Animals/Birds", "Animals/Mammals"}
    reader.click(".tree-about button", "Unmark")
    reader.see(".tree-about button", "Mark as good")
    assert good(taught) == {"Animals/Birds"}

    reader.write(".classify textarea", "It has feathers and wings and lays eggs")
    reader.click(".classify button", "Classify")
    reader.see(".wide-bars a", "Birds")


def test_without_the_token_nothing_can_be_marked(reader: Reader, taught: Taught) -> None:
    reader.visit(taught.served.url, "taxonomy")
    reader.click(".tree-line", "Mammals")
    reader.see(".tree-about", "This needs the token")
    assert not reader.see(".tree-about button", "Mark as good").is_enabled()


def test_a_page_is_marked_right_in_the_review_and_its_table_shows_it(
    reader: Reader, recorded: Path, tmp_path: Path
) -> None:
    web = demo_web()
    folder = tmp_path / "lungs"
    with Crawl(web.main_topic.spec, web.seeds, folder, replay=[str(recorded)], pages=15) as crawl:
        crawl.run()
    with running_server(folder) as served:
        reader.visit(served.url, token=TOKEN)
        reader.click(".nav a", "Results")
        reader.click(".nav a", "Review")
        title = reader.see(".questions li strong").text
        reader.click(".questions li:first-child button", "Right")
        reader.see(".view-review [role=status]", "judged anew")
        reader.click(".questions li:first-child strong a")
        reader.see("h1", title)
        reader.see('.marks button[aria-pressed="true"]', "Right")
        reader.click(".marks button", "Wrong")
        reader.see('.marks button[aria-pressed="true"]', "Wrong")
        reader.go("pages")
        reader.see('.column-marked button[aria-pressed="true"][aria-label="Wrong"]')
        reader.rest()  # the page would ask on, and complain of a server that has gone
