"""The taxonomy in the browser: classify a text, mark a category for the next crawl."""

from __future__ import annotations

from typing import TYPE_CHECKING

from semcrawl.models.taxonomy import Taxonomy
from tests.serve.conftest import TOKEN

if TYPE_CHECKING:
    from tests.serve.browser.conftest import Taught
    from tests.serve.browser.reader import Reader


def good(taught: Taught) -> set[str]:
    taxonomy = Taxonomy.load(taught.model)
    return {taxonomy.tree.path(category) for category in taxonomy.good}


def test_a_category_is_marked_and_unmarked_in_the_model_file(
    reader: Reader, taught: Taught
) -> None:
    reader.visit(taught.served.url, token=TOKEN)
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
