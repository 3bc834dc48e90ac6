from __future__ import annotations

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from semcrawl.page import read_html
from semcrawl.page.page import collapse, window

WORDS = [f" w{number}" for number in range(100)]


def around(pieces: list[str], leaf: int, size: int) -> str:
    ends = list(accumulate(map(len, pieces), initial=0))
    return window(pieces, ends, (leaf, leaf + 1), (0, len(pieces)), size)


def test_both_sides_get_the_same_room() -> None:
    assert around(WORDS, 50, 22) == "w48 w49 w50 w51 w52"


def test_room_that_one_side_does_not_need_goes_to_the_other() -> None:
    assert around(WORDS, 0, 12) == "w0 w1 w2 w3"
    assert around(WORDS, 99, 12) == "w97 w98 w99"


def test_words_joined_across_leaves_stay_joined() -> None:
    assert around(["un", "real", "istic x"], 1, 14) == "unrealistic x"


def test_a_link_longer_than_the_window_is_cut() -> None:
    assert around(["before ", "x" * 50, " after"], 1, 10) == "x" * 10


def test_the_window_does_not_leave_its_block() -> None:
    ends = list(accumulate(map(len, WORDS), initial=0))
    assert window(WORDS, ends, (5, 6), (4, 7), 1000) == "w4 w5 w6"


@given(
    st.lists(st.text(alphabet="ab \n", max_size=12), min_size=1, max_size=30), st.integers(0, 29), st.integers(0, 60)
)
def test_a_window_is_a_bounded_part_of_the_text(pieces: list[str], leaf: int, size: int) -> None:
    leaf %= len(pieces)
    found = around(pieces, leaf, size)
    assert len(found) <= size
    assert found in collapse("".join(pieces))


def test_a_long_text_without_blanks_is_cut_between_characters() -> None:
    page = read_html(f"<p>{'哮喘' * 50}<a href=x>病</a>{'治疗' * 50}", "http://a.test/")
    context = page.context(page.links[0], max_chars=21)
    assert context == "哮喘" * 5 + "病" + "治疗" * 5


def test_a_list_is_where_the_links_are_dense_whatever_else_the_page_says() -> None:
    items = "".join(f"<li><a href=/{number}>Name {number}</a></li>" for number in range(20))
    said = "<p>" + "words of all kinds, in sentences " * 100
    assert read_html(f"{said}<ul>{items}</ul>{said}", "http://a.test/").share_in_list() > 0.9
    links = "".join(f"<a href=/{number}>Name {number}</a> {'and more of the text ' * 5}" for number in range(20))
    assert read_html(f"{said}{links}", "http://a.test/").share_in_list() < 0.1
    assert read_html("<a href=/>home</a> <a href=/up>up</a>", "http://a.test/a").share_in_list() <= 0.5
