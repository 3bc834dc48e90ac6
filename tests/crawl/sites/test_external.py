"""The external frontier of Ester 2004, section 4.2."""

from __future__ import annotations

from semcrawl.crawl.sites.frontier import ExternalFrontier, KnownSite


def known(name: str, number: int, *weights: float, seed: bool = False) -> KnownSite:
    home = f"http://{name}/"
    found_on = None if seed else "http://seed.test/"
    site = KnownSite(name, number, home, home, found_on=found_on)
    for weight in weights:
        site.rank.add(weight)
    return site


def frontier(*sites: KnownSite, capacity: int = 100, per_domain: int = 0) -> ExternalFrontier:
    made = ExternalFrontier(capacity, per_domain)
    for site in sites:
        made.add(site)
    return made


def taken(made: ExternalFrontier) -> list[str]:
    names = []
    while (site := made.take()) is not None:
        names.append(site.name)
    return names


def test_the_rank_of_a_site_is_the_mean_weight_of_the_edges_to_it() -> None:
    made = frontier(known("a.test", 1, 0.9, 0.1), known("b.test", 2, 0.6))
    assert taken(made) == ["b.test", "a.test"]


def test_another_edge_changes_the_rank_up_or_down() -> None:
    made = frontier(known("a.test", 1, 0.5), known("b.test", 2, 0.6), known("c.test", 3, 0.55))
    made.linked("a.test", 0.9)
    made.linked("b.test", 0.1)
    assert taken(made) == ["a.test", "c.test", "b.test"]


def test_seeds_come_first_and_equals_in_the_order_found() -> None:
    made = frontier(known("x.test", 1, 0.9), known("s.test", 2, seed=True), known("y.test", 3, 0.9))
    assert taken(made) == ["s.test", "x.test", "y.test"]


def test_no_site_is_taken_twice() -> None:
    made = frontier(known("a.test", 1, 0.5))
    made.linked("a.test", 0.5)
    assert taken(made) == ["a.test"]
    assert made.was_taken("a.test")
    assert not made.waits("a.test")


def test_a_domain_gives_no_more_sites_than_it_may() -> None:
    sites = [known(f"{n}.example.org", n, 0.5) for n in range(1, 4)]
    made = frontier(*sites, known("www.example.com", 4, 0.1), per_domain=2)
    over = []
    while (site := made.take()) is not None:
        over.append(made.is_over_limit(site))
    assert over == [False, False, True, False]


def test_beyond_the_capacity_the_worst_are_given_up() -> None:
    made = frontier(*(known(f"s{n}.test", n, n / 100) for n in range(1, 12)), capacity=10)
    gone = [site.name for site in made.give_up_worst()]
    assert gone == ["s2.test", "s1.test"]
    assert len(made) == 9
    assert made.was_taken("s1.test")
    assert list(made.give_up_worst()) == []
