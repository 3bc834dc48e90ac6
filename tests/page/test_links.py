from __future__ import annotations

import pytest

from semcrawl.page.html_tree import parse
from semcrawl.page.links import Walk


def read(markup: str, max_links: int = 100) -> Walk:
    root = parse(markup)
    assert root is not None
    return Walk(root, max_links=max_links)


def leaves(markup: str) -> list[str]:
    return [piece.strip() for piece in read(markup).pieces]


@pytest.mark.parametrize(
    ("markup", "expected"),
    [
        pytest.param("a<b>c</b>d", ["a", "c", "d"], id="texts around elements"),
        pytest.param("<p>a</p>\n <p>b</p>", ["a", "b"], id="blank text is no leaf"),
        pytest.param("a<br>b<img src=x>c<hr>", ["a", "", "b", "", "c", ""], id="void elements"),
        pytest.param("<ul><li>a<li></li><li> </li></ul>", ["a", "", ""], id="empty items"),
        pytest.param("<p>&nbsp;</p>x", ["", "x"], id="a no-break space is blank"),
        pytest.param("a<!-- b -->c", ["ac"], id="a comment does not divide"),
        pytest.param("a<script>b</script>c", ["ac"], id="a script does not divide"),
        pytest.param("x &amp; y&eacute;", ["x & yé"], id="entities do not divide"),
        pytest.param("<div><div></div></div>", [""], id="only the innermost is a leaf"),
        pytest.param("<title>t</title><meta name=x><p>a", ["a"], id="the head has none"),
        pytest.param("<img alt=a><a href=x><img alt=b></a>", ["", "b"], id="alt in links only"),
        pytest.param("<iframe src=x title=t>old</iframe>z", ["t", "z"], id="frame by its title"),
    ],
)
def test_what_a_leaf_is(markup: str, expected: list[str]) -> None:
    assert leaves(markup) == expected


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("<p>one</p><p>two</p>", "one two"),
        ("in<b>li</b>ne", "inline"),
        ("one<br>two", "one two"),
        ("<td>one</td><td>two</td>", "one two"),
        ("one<img>two", "one two"),
        ("so<wbr>on", "soon"),
        ("<b>one</b> <b>two</b>", "one two"),
        ("<p>one</p><svg><title>drawing</title></svg>two", "one two"),
    ],
)
def test_words_run_together_only_within_a_line(markup: str, text: str) -> None:
    assert " ".join("".join(read(markup).pieces).split()) == text


def test_title_is_the_first_one_that_is_not_a_drawing_s() -> None:
    inner = "<svg><svg><title>no</title></svg><title>no</title></svg>"
    assert read(f"<p>one{inner}<div>{inner}</div><div><title>yes</title></div>").title == " yes"
    title = read("<svg><title>no</title></svg><title>a &lt;b&gt;</title><title>c").title
    assert title is not None
    assert title.strip() == "a <b>"


def test_links_know_their_leaves() -> None:
    found = read("<p>a <a href=1>b <i>c</i></a> d <a href=2></a><a href=3><img></a>")
    spans = [(link.href, link.first_leaf, link.last_leaf) for link in found.links]
    assert spans == [("1", 1, 2), ("2", 4, 4), ("3", 5, 5)]


def test_a_link_inside_a_link_s_block_has_its_own_end() -> None:
    found = read("<a href=1>x<div><a href=2>y</a> z</div></a> w")
    spans = [(link.href, link.first_leaf, link.last_leaf) for link in found.links]
    assert spans == [("1", 0, 2), ("2", 1, 1)]


def test_elements_around_links_are_numbered_from_outside() -> None:
    found = read("<div>a<ul><li><a href=1>b</a></li><li>c</li></ul></div><p>d</p>")
    nodes = list(map(tuple, found.nodes))
    assert nodes == [(-1, "html", 0, 3), (0, "body", 0, 3), (1, "div", 0, 2), (2, "ul", 1, 2), (3, "li", 1, 1)]
    assert found.links[0].node == 4


@pytest.mark.parametrize(
    ("markup", "tag", "href"),
    [
        ("<a href=x>y</a>", "a", "x"),
        ("<A HREF='x'>y", "a", "x"),
        ("<svg><a xlink:href='x'><text>y</text></a></svg>", "a", "x"),
        ("<map><area href=x alt=y></map>", "area", "x"),
        ("<frameset><frame src=x></frameset>", "frame", "x"),
        ("<iframe src=x></iframe>", "iframe", "x"),
        ("<link rel=next href=x>", "link", "x"),
        ("<link rel='Prev nofollow' href=x>", "link", "x"),
        ("<meta http-equiv=Refresh content='0; url=x'>", "meta", "x"),
    ],
)
def test_what_a_link_is(markup: str, tag: str, href: str) -> None:
    assert [(link.tag, link.href) for link in read(markup + "<p>.").links] == [(tag, href)]


@pytest.mark.parametrize(
    "markup",
    [
        "<a name=x>y</a>",
        "<link rel=stylesheet href=x>",
        "<link rel='next stylesheet' href=x>",
        "<link href=x>",
        "<meta http-equiv=refresh content=30>",
        "<p hidden><a href=x>trap</a></p>",
        "<iframe style='display:none' src=x></iframe>",
        "<frame>",
        "<script>document.write('<a href=x>y</a>')</script>",
    ],
)
def test_what_a_link_is_not(markup: str) -> None:
    assert read(markup + "<p>.").links == []


def test_links_beyond_the_limit_are_left_out_and_that_is_said() -> None:
    found = read("<a href=x>y</a>" * 5, max_links=3)
    assert (len(found.links), found.full) == (3, True)
    assert "".join(found.pieces).strip() == "yyyyy"
