"""The internal crawler of Ester 2004, section 4.3, with worked examples."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from semcrawl.crawl.sites import SiteSettings, SiteStop
from semcrawl.crawl.sites.frontier import KnownSite
from semcrawl.crawl.sites.internal import WAITING_LIMIT, InternalCrawl, PageNote
from semcrawl.graph import FoundUrl

TARGET = PageNote((0.9, 0.1))
OTHER = PageNote((0.1, 0.9))
UNSURE = PageNote((0.6, 0.4))
NO_TEXT = PageNote()


def url(number: int) -> str:
    return f"http://a.test/{number}"


def found(number: int, priority: float = 0.0) -> FoundUrl:
    return FoundUrl(url(number), "a.test", priority, number, 1)


def crawl(*numbers: int, prior: float = 0.5, **values: Any) -> InternalCrawl:
    settings = SiteSettings().changed(values)
    site = InternalCrawl(KnownSite("a.test", 0, url(0), url(0)), settings, error=0.1, prior=prior)
    for number in numbers:
        site.offer(found(number), 0.0)
    return site


def pick(site: InternalCrawl) -> str | None:
    entry = site.pick(0.0, lambda _: True)
    return entry.url if entry else None


def test_the_weight_of_a_link_is_the_variance_of_its_pages_confidences() -> None:
    site = crawl()
    assert site.read(TARGET, {}, url(1), 0) == 0.16
    assert site.read(OTHER, {}, url(2), 0) == 0.16
    assert site.read(UNSURE, {}, url(3), 0) == 0.01
    assert site.read(NO_TEXT, {}, url(4), 0) == 0.0


def test_the_rank_of_a_url_is_the_mean_of_the_weights_of_its_in_links() -> None:
    site = crawl()
    site.offer(found(1, 0.16), 0.16)
    site.offer(found(2, 0.1), 0.1)
    assert site.raise_or_lower(url(1), 0.01) == (0.16, 0.085)
    assert [pick(site), pick(site), pick(site)] == [url(2), url(1), None]


def test_among_equal_ranks_the_url_found_first_is_read_first() -> None:
    site = crawl(3, 1, 2)
    assert [pick(site) for _ in range(3)] == [url(1), url(2), url(3)]


def test_a_start_page_keeps_its_rank_whatever_links_to_it() -> None:
    site = crawl()
    site.offer(found(1, 1.0))
    assert site.raise_or_lower(url(1), 0.1) is None


def test_the_belief_is_that_of_all_pages_with_error_and_prior() -> None:
    site = crawl(prior=0.4)
    site.read(TARGET, {}, url(1), 0)
    # 0.9 · 0.9 + 0.1 · 0.1 = 0.82; 0.4 · 0.82 / (0.4 · 0.82 + 0.6 · 0.18)
    assert site.confidence == pytest.approx(0.752294, abs=1e-6)
    site.read(OTHER, {}, url(2), 0)
    assert site.confidence == pytest.approx(0.4, abs=1e-6)
    assert not site.is_relevant


def test_a_page_without_text_is_no_evidence() -> None:
    site = crawl(prior=0.3)
    site.read(NO_TEXT, {}, url(1), 0)
    assert site.confidence == 0.3
    assert site.belief.verdict(0.6) is None
    assert site.pages == 1


def test_a_sure_site_is_read_on_until_its_links_are_gathered() -> None:
    site = crawl(1, 2, 3, 4, l_threshold=8.0)
    site.read(TARGET, {"b.test": "http://b.test/"}, url(1), 0)
    site.read(TARGET, {}, url(2), 0)
    # Pr = 0.82² / (0.82² + 0.18²) = 0.954; (0.9 · 1 + 1 + 1) / 0.954
    assert site.belief.verdict(0.9) is True
    assert site.link_rank == pytest.approx(3.0397, abs=1e-4)
    assert site.reason_to_stop() is None
    site.read(TARGET, {f"{n}.test": f"http://{n}.test/" for n in range(5)}, url(3), 0)
    assert site.reason_to_stop() is SiteStop.CLASSIFIED


def test_links_of_an_irrelevant_site_are_soon_enough() -> None:
    site = crawl(1, 2, 3, l_threshold=20.0)
    site.read(OTHER, {}, url(1), 0)
    site.read(OTHER, {}, url(2), 0)
    assert site.link_rank == pytest.approx(2 / 0.045977, rel=1e-3)
    assert site.reason_to_stop() is SiteStop.CLASSIFIED


@pytest.mark.parametrize(
    ("values", "pages", "reason"),
    [
        ({"pages_per_site": 3}, 3, SiteStop.PAGE_LIMIT),
        ({"pages_per_site": 4}, 3, None),
        ({"p_threshold": 0.6, "l_threshold": 0.0}, 1, None),
    ],
)
def test_an_unsure_site_is_read_up_to_the_limit(values: dict[str, Any], pages: int, reason: SiteStop | None) -> None:
    site = crawl(9, **values)
    for number in range(pages):
        site.read(NO_TEXT, {}, url(number), 0)
    assert site.reason_to_stop() is reason


def test_a_site_without_more_pages_is_exhausted_and_one_without_any_unreachable() -> None:
    site = crawl()
    assert site.reason_to_stop() is SiteStop.UNREACHABLE
    site.read(UNSURE, {}, url(1), 0)
    assert site.reason_to_stop() is SiteStop.EXHAUSTED


def test_failures_are_bounded() -> None:
    site = crawl(1, 2, pages_per_site=7)
    site.read(UNSURE, {}, url(1), 0)
    for _ in range(6):
        site.failed("not found")
    assert site.reason_to_stop() is None
    site.failed("not found")
    assert site.reason_to_stop() is SiteStop.FAILING
    assert site.first_failure == "not found"


def test_a_host_that_is_down_is_given_up_sooner() -> None:
    site = crawl(1, 2)
    for _ in range(5):
        site.failed("timed out", host_down=True)
    assert site.reason_to_stop() is SiteStop.UNREACHABLE


def test_a_failed_url_waits_for_its_time() -> None:
    site = crawl(1)
    entry = site.pick(0.0, lambda _: True)
    assert entry is not None
    site.offer_later(entry, 5.0)
    assert site.reason_to_stop() is None
    assert site.pick(4.0, lambda _: True) is None
    assert site.next_due(0.0) == 5.0
    assert site.pick(5.0, lambda _: True) is entry


def test_what_waits_is_bounded() -> None:
    site = crawl(*range(WAITING_LIMIT - 1))
    assert site.has_room
    site.offer(found(WAITING_LIMIT), 0.0)
    assert not site.has_room


def test_a_transversal_edge_is_the_mean_over_the_pages_with_the_link() -> None:
    site = crawl()
    site.read(PageNote((0.9, 0.1)), {"b.test": "http://b.test/1"}, url(1), 2)
    site.read(PageNote((0.5, 0.5)), {"b.test": "http://b.test/2"}, url(2), 2)
    site.read(TARGET, {}, url(3), 0)
    edge = site.out.all()["b.test"]
    assert edge.confidences.value == pytest.approx(0.7)  # figure 3 of the paper
    assert (edge.entry, edge.found_on, edge.depth) == ("http://b.test/1", url(1), 3)


@pytest.mark.parametrize(
    ("notes", "name"), [([(0.8, 0.1, 0.1)], "lungs"), ([(0.1, 0.2, 0.7), (0.2, 0.5, 0.3)], "rest"), ([], "cars")]
)
def test_the_class_of_an_irrelevant_site_is_the_other_that_fits_best(notes: list[tuple[float, ...]], name: str) -> None:
    site = crawl(prior=0.4)
    for number, confidences in enumerate(notes):
        site.read(PageNote(confidences), {}, url(number), 0)
    assert site.class_name(("lungs", "cars", "rest")) == name


def test_a_note_survives_being_written_down() -> None:
    note = PageNote((0.123457, 0.876543), ("http://a.test/x",))
    for one in (note, NO_TEXT):
        assert msgspec.json.decode(msgspec.json.encode(one), type=PageNote) == one


def test_a_time_that_has_come_is_not_waited_for() -> None:
    site = crawl(1, 2)
    for not_before in (5.0, 8.0):
        entry = site.pick(0.0, lambda _: True)
        assert entry is not None
        site.offer_later(entry, not_before)
    assert [site.next_due(after) for after in (0.0, 5.0, 8.0)] == [5.0, 8.0, None]


def test_a_url_that_is_tried_again_keeps_the_links_that_it_had() -> None:
    site = crawl()
    site.offer(found(1, 0.1), 0.15, 0.05)
    entry = site.pick(0.0, lambda _: True)
    assert entry is not None
    site.offer_later(entry, 5.0)
    assert site.raise_or_lower(url(1), 0.04) == (0.1, 0.08)


def test_requests_that_give_no_page_are_bounded_too() -> None:
    site = crawl(*range(10), pages_per_site=2)
    for _ in range(7):
        pick(site)
    assert site.reason_to_stop() is None
    pick(site)
    assert site.reason_to_stop() is SiteStop.UNREACHABLE
    site.read(NO_TEXT, {}, url(7), 0)
    assert site.reason_to_stop() is SiteStop.PAGE_LIMIT
