from __future__ import annotations

from collections import Counter
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from semcrawl.errors import ConfigError, PageError
from semcrawl.models.link_features import (
    MAX_LEAF_TERMS,
    MAX_PAGE_FEATURES,
    SLOTS,
    FeatureKinds,
    LinkFeatures,
    class_features,
    link_features,
    offset_salt,
    slots_of,
)
from semcrawl.page import read_html

URL = "http://a.test/"

# The list of Figure 3 in Chakrabarti, Punera and Subramanyam 2002: four items, the
# third of them a link with three texts inside. Leaves, from left to right:
#   0 alpha (in tt)   1 beta   2 gamma   3 delta (in font)   4 epsilon   5 zeta (in em)
FIGURE_3 = (
    "<ul><li><tt>alpha</tt></li><li>beta</li>"
    "<li><a href=v>gamma <font>delta</font> epsilon</a></li><li><em>zeta</em></li></ul>"
)


def slot(term: str, offset: int) -> int:
    hashed = np.array([crc32(term.encode())], np.uint32)
    return int(slots_of(hashed, offset_salt(np.array([offset])))[0])


def hashed(features: list[tuple[str, int]]) -> Counter[int]:
    return Counter(slot(term, offset) for term, offset in features)


def found(features: LinkFeatures, link: int = 0) -> Counter[int]:
    return Counter(features.slots[features.owners() == link].tolist())


def test_the_features_of_figure_3() -> None:
    # The link holds the leaves 2 to 4, all at offset 0; 1 and 0 are one and two to
    # its left, 5 is one to its right.
    features = link_features(read_html(FIGURE_3, URL), d_max=5)
    inside = [("gamma", 0), ("delta", 0), ("epsilon", 0)]
    assert found(features) == hashed([("alpha", -2), ("beta", -1), *inside, ("zeta", 1)])


def test_with_d_max_0_only_the_anchor_counts() -> None:
    features = link_features(read_html(FIGURE_3, URL), d_max=0)
    assert found(features) == hashed([("gamma", 0), ("delta", 0), ("epsilon", 0)])


def test_without_offsets_a_word_nearby_is_the_same_wherever_it_stands() -> None:
    html = "<p>lung<br><a href=v>lung</a><br>heart"
    features = link_features(read_html(html, URL), 5, offsets=False)
    assert found(features) == hashed([("lung", 0), ("lung", 0), ("heart", 0)])


def test_kinds_say_what_they_are() -> None:
    assert str(FeatureKinds(classes=True)) == "d_max=5, classes=true, cocitation=false, offsets=true"


def test_empty_leaves_count() -> None:
    features = link_features(read_html("<p>alpha<br><img><a href=v>beta</a><br>gamma", URL), 5)
    assert found(features) == hashed([("alpha", -3), ("beta", 0), ("gamma", 2)])


def test_a_term_that_occurs_twice_counts_twice() -> None:
    features = link_features(read_html("<p>lung and lung <a href=v>x</a>", URL), 5)
    assert found(features) == Counter({slot("lung", -1): 2})


@pytest.mark.parametrize("d_max", [0, 1, 5, 50])
def test_a_page_without_links_has_no_features(d_max: int) -> None:
    features = link_features(read_html("<p>alpha", URL), d_max)
    assert len(features.sizes) == len(features.slots) == 0


pieces = st.sampled_from(
    ["alpha ", "beta gamma ", "<br>", "<img alt=delta>", "<a href=v>", "</a>", "<li>",
     "<a href=w>x", "<link rel=next href=z>", "<b>epsilon</b>", "<area href=q alt=zeta>", "<p>",
     "the 12 "]
)  # fmt: skip


@settings(deadline=None)
@given(st.lists(pieces, max_size=30), st.integers(0, 6))
def test_features_are_the_offsets_of_the_page(html: list[str], d_max: int) -> None:
    try:
        page = read_html("".join(html), URL)
    except PageError:
        return
    features = link_features(page, d_max)
    assert len(features.sizes) == len(page.links)
    for number, link in enumerate(page.links):
        assert found(features, number) == hashed(page.offsets(link, d_max))


def test_of_a_long_leaf_the_beginning_and_the_end_count() -> None:
    words = [f"w{chr(97 + n // 26)}{chr(97 + n % 26)}x" for n in range(3 * MAX_LEAF_TERMS)]
    page = read_html(f"<p>{' '.join(words)} <a href=v>here</a>", URL)
    [size] = link_features(page, 5).sizes
    assert size == 2 * MAX_LEAF_TERMS


def test_a_page_made_to_fill_the_memory_does_not() -> None:
    heads = "<link rel=next href=/{}>" * 9_000
    page = read_html(heads.format(*range(9_000)) + f"<p>{'lung heart ' * 200}", URL)
    features = link_features(page, 5)
    assert len(features.sizes) == len(page.links) == 9_000
    assert MAX_PAGE_FEATURES - 1_000 < len(features.slots) <= MAX_PAGE_FEATURES


def test_classes_are_features_of_every_link_and_no_words() -> None:
    both = class_features(["asthma", "disease"], links=2)
    assert found(both, 0) == found(both, 1)
    assert slot("asthma", 0) not in found(both)
    joined = LinkFeatures(np.array([1, 0]), np.array([7], np.uint32)).joined(both)
    assert joined.sizes.tolist() == [3, 2]
    assert found(joined, 0) == found(both) + Counter([7])
    assert found(joined, 1) == found(both)


def test_some_links_of_several() -> None:
    features = LinkFeatures(np.array([2, 0, 1]), np.array([1, 2, 3], np.uint32))
    some = features.chosen(np.array([False, True, True]))
    assert some.sizes.tolist() == [0, 1]
    assert some.slots.tolist() == [3]


def test_terms_at_other_offsets_are_other_features() -> None:
    slots = {slot(term, offset) for term in ("lung", "asthma") for offset in range(-50, 51)}
    assert len(slots) == 2 * 101
    assert max(slots) < SLOTS


@pytest.mark.parametrize("d_max", [-1, 51])
def test_a_d_max_that_cannot_be(d_max: int) -> None:
    with pytest.raises(ConfigError, match=f"d_max={d_max} is no DOM offset"):
        FeatureKinds(d_max)


def test_features_are_of_the_pages_language() -> None:
    html = "<p><a href=x>maladies respiratoires</a>"
    french = link_features(read_html(html, URL, languages=("fr",)), 0)
    same = link_features(read_html("<p><a href=x>maladie respiratoire</a>", URL, languages=("fr",)), 0)
    assert found(french) == found(same)
    assert found(french) != found(link_features(read_html(html, URL), 0))
