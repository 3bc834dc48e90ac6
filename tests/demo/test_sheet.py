from __future__ import annotations

from random import Random

import pytest

from scripts.demo_web.pages import Sheet, Sheets, point_to


def test_a_url_is_planned_once() -> None:
    sheets = Sheets()
    sheets.add(Sheet("http://a.test/", "a", "A", []))
    with pytest.raises(ValueError, match="planned twice"):
        sheets.add(Sheet("http://a.test/", "b", "B", []))


def test_anchors_tell_sometimes_in_themselves_sometimes_around_and_sometimes_not() -> None:
    target = Sheet("http://a.test/", "asthma", "Asthma", [])
    rng = Random("anchors")
    links = [point_to(rng, target) for _ in range(200)]
    telling = sum(link.text == "asthma" for link in links)
    around = sum("asthma" in link.before.lower() for link in links)
    assert 80 < telling < 140
    assert 20 < around < 80
    assert telling + around < 190
    assert {link.url for link in links} == {target.url}


def test_a_decoy_is_named_instead_of_the_target() -> None:
    target = Sheet("http://a.test/", "asthma", "Asthma", [])
    assert point_to(Random("x"), target, decoy="galleon").text == "galleon"
