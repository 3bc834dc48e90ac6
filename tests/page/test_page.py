from __future__ import annotations

import pickle

from semcrawl.page import Link, Page, read_html

URL = "http://a.test/"

# A list like that of Figure 3 in Chakrabarti, Punera and Subramanyam 2002: four
# items, the link in the third, marked-up text before, inside and after it.
FIGURE = """
<ul>
  <li><tt>alpha</tt></li>
  <li>beta</li>
  <li><a href="v">gamma <font color="red">delta</font></a> epsilon</li>
  <li><em>zeta</em></li>
</ul>
"""


def test_dom_offsets_of_a_worked_example() -> None:
    page = read_html(FIGURE, URL)
    assert page.leaves == ("alpha", "beta", "gamma", "delta", "epsilon", "zeta")
    assert page.offsets(page.links[0]) == [
        ("alpha", -2),
        ("beta", -1),
        ("gamma", 0),
        ("delta", 0),
        ("epsilon", 1),
        ("zeta", 2),
    ]


def test_leaves_without_text_take_an_offset() -> None:
    page = read_html("<p>alpha<br><img><a href=v>beta</a><hr>gamma</p>", URL)
    assert page.offsets(page.links[0]) == [("alpha", -3), ("beta", 0), ("gamma", 2)]


def test_offsets_end_at_d_max() -> None:
    page = read_html(FIGURE, URL)
    near = page.offsets(page.links[0], d_max=1)
    assert near == [("beta", -1), ("gamma", 0), ("delta", 0), ("epsilon", 1)]
    assert page.offsets(page.links[0], d_max=0) == [("gamma", 0), ("delta", 0)]


def test_a_long_base_does_not_make_much_of_little() -> None:
    base = "http://a.test/" + "x" * 1_000 + "/"
    found = read_html(f"<base href={base}>" + "".join(f"<a href={n}>x</a>" for n in range(5_000)), "http://a.test/")
    assert 900 < len(found.links) < 1_000


def test_a_link_that_was_never_closed_has_a_bounded_inside() -> None:
    page = read_html("<a href=v>" + "<p>word</p>" * 1_000, URL)
    assert page.offsets(page.links[0]) == [("word", 0)] * 100


def test_offsets_hold_stems_without_stop_words() -> None:
    page = read_html("<p>the diseases <a href=v>of the lungs</a>", URL)
    assert page.offsets(page.links[0]) == [("diseas", -1), ("lung", 0)]


def test_a_link_of_the_head_stands_before_the_first_leaf() -> None:
    page = read_html("<link rel=next href=v><p>alpha<p>beta", URL)
    assert page.offsets(page.links[0]) == [("alpha", 1), ("beta", 2)]


NESTED = """
<div>top <section><p>one <em>two <a href=v>three</a></em> four</p> five</section></div> six
"""


def test_context_is_the_text_of_the_nearest_block() -> None:
    page = read_html(NESTED, URL)
    assert page.context(page.links[0]) == "one two three four"


def test_context_of_a_link_without_a_block_is_the_page() -> None:
    page = read_html("one <b><a href=v>two</a></b> three", URL)
    assert page.context(page.links[0]) == "one two three"


def test_context_is_bounded_around_the_link() -> None:
    page = read_html("<p>" + "before " * 900 + "<a href=v>link</a>" + " after" * 900, URL)
    text = page.context(page.links[0])
    before, link, after = text.partition("link")
    assert link
    assert 1_900 < len(text) <= 2_000
    assert abs(len(before) - len(after)) < 20
    assert page.context(page.links[0], max_chars=20) == "before link after"


def test_terms_are_those_of_the_text() -> None:
    page = read_html("<title>Lungs</title><p>Asthma<p>asthma<p>and a lung", URL)
    assert page.terms == {"asthma": 2, "lung": 1}


def test_language_is_the_declared_one_or_guessed() -> None:
    german = "<p>Die Lunge ist ein Organ der Atmung, das viele Tiere besitzen."
    assert read_html(german, URL).language == "de"
    assert read_html("<html lang=nl>" + german, URL).language == "nl"
    assert read_html("<p>?", URL).language is None


def test_pages_travel_between_processes() -> None:
    page = read_html(FIGURE, URL)
    copy: Page = pickle.loads(pickle.dumps(page))
    assert (copy.text, copy.links, copy.nodes) == (page.text, page.links, page.nodes)


def test_links_are_values() -> None:
    assert len({Link("http://a.test/x"), Link("http://a.test/x"), Link("http://a.test/y")}) == 2
