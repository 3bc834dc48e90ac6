"""What marks by hand say of other pages: how far one moves what is like it, and what is not."""

from __future__ import annotations

import numpy as np
import pytest

from semcrawl.models.crawl_memory import CrawlMemory, vector_of_text
from semcrawl.models.marked_pages import MarkedPages, PageTraits
from semcrawl.text import Background
from semcrawl.text.languages import analyser

LUNGS, SCHOOL = "inhaler wheeze bronchial airway spacer", "pupil teacher lesson desk homework"
ODDS = np.array([3.0, 3.0, 0.3, 0.3, 0.3, 0.3])  # two sure pages, and others just above 0.5


def traits(hosts: list[str]) -> PageTraits:
    """Two pages with the words of lungs, then four with other words, of these hosts."""
    memory, background = CrawlMemory(), Background.default()
    for number, host in enumerate(hosts):
        words = analyser("en").number((LUNGS if number < 2 else SCHOOL).split())
        memory.add(f"http://{host}/{number}", vector_of_text(words, background), 0.0, ())
    evidence = np.array([[2.0, 2.0, 1.0]] * 2 + [[0.4, 0.4, 0.4]] * 4)
    return PageTraits.of_memory(memory, evidence)


def moved(pages: PageTraits, marks: dict[int, float]) -> list[float]:
    sure = np.full(6, -1.0)
    sure[list(marks)] = list(marks.values())
    found: list[float] = (ODDS + MarkedPages.learn(pages, ODDS, sure).odds(pages)).tolist()
    return found


def test_one_no_moves_what_is_like_it_and_no_other_page_of_the_one_site() -> None:
    after = moved(traits(["a.test"] * 6), {0: 0.0})
    assert after[1] < 0  # has the same words
    assert after[2:] == pytest.approx([0.3] * 4)


def test_several_marks_tell_how_far_the_judge_is_right_as_a_whole() -> None:
    after = moved(traits(["a.test"] * 6), {0: 0.0, 2: 0.0})
    assert all(odds < 0 for odds in after[3:])
    assert moved(traits(["a.test"] * 6), {0: 1.0, 2: 1.0})[3] > 0.3


def test_among_many_sites_a_mark_tells_of_its_own() -> None:
    after = moved(traits(["a.test", "b.test", "a.test", "b.test", "b.test", "c.test"]), {0: 0.0})
    assert after[2] < 0.25  # of the same site, with other words
    assert after[3] == pytest.approx(0.3)
