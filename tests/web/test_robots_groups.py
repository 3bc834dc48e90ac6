"""Which group of a robots.txt is ours: RFC 9309, 2.2.1, and what is no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.web import Replay, Response, Robots

if TYPE_CHECKING:
    from semcrawl.web.politeness import RobotsRules

SITE = "http://site.test"


class Recorded:
    """A recorded file."""

    def __init__(self, text: str) -> None:
        self.body = text.encode()

    def read(self, url: str) -> Response:
        return Response(url, 200, {"content-type": "text/plain"}, self.body, 0.0, 0.0)


def rules(text: str) -> RobotsRules:
    """What a robots.txt means for us."""
    replay = Replay({f"{SITE}/robots.txt": Recorded(text)})
    return Robots(replay, "semcrawl/0.1 (+me)").rules(SITE + "/")


def allows(text: str, path: str = "/page") -> bool:
    """Whether a robots.txt allows a path."""
    return rules(text).allows(SITE + path)


@pytest.mark.parametrize(
    "line",
    [
        "User-agent: semcrawl",
        "user-AGENT: SemCrawl",
        "User-agent: semcrawl/0.1",
        "User-agent: semcrawl/2.1 (+http://example.org)",
        "User-agent: semcrawl bot",
        "User-agent: semcrawl*",
        "User-agent:semcrawl # that is us",
        " \tUser-agent \t: \tsemcrawl\t",
        "User-agent semcrawl",
        "useragent: semcrawl",
        "User agent: semcrawl",
        "User-agent: other\nUser-agent: semcrawl",
        "User-agent: semcrawl\nUser-agent: other",
        "User-agent: semcrawl\n\n\n",
        "User-agent: semcrawl\nSitemap: http://site.test/map.xml",
        "User-agent: semcrawl\nNo-such-rule: 7\nUser-agent: other",
        "User-agent: semcrawl\nno rule at all",
        "\ufeffUser-agent: semcrawl",
        "User-agent: *",
        "User-agent: * and all",
    ],
)
def test_a_group_is_ours_by_the_leading_product_token_without_case(line: str) -> None:
    assert not allows(f"{line}\nDisallow: /\n")


@pytest.mark.parametrize(
    "name",
    ["sem", "s", "crawl", "semcrawler", "semcrawl-news", "semcrawl_x", "my-semcrawl", "(semcrawl",
     "Mozilla/5.0 (compatible; semcrawl/0.1)", "*semcrawl", "1semcrawl", "other", ""],
)  # fmt: skip
def test_another_token_is_not_ours_whatever_it_begins_or_ends_with(name: str) -> None:
    assert allows(f"User-agent: {name}\nDisallow: /\n")


def test_groups_of_ours_are_joined_and_keep_those_for_all_out() -> None:
    text = (
        "User-agent: semcrawl/1\nDisallow: /a\n\nUser-agent: *\nDisallow: /\n\nUser-agent: SEMCRAWL two\nDisallow: /b\n"
    )
    assert [allows(text, path) for path in ("/a", "/b", "/c")] == [False, False, True]


def test_a_group_of_ours_without_rules_allows_everything() -> None:
    assert allows("User-agent: *\nDisallow: /\n\nUser-agent: semcrawl\nDisallow:\n")
    assert allows("User-agent: *\nDisallow: /\n\nUser-agent: semcrawl\n")


def test_rules_before_any_group_do_not_count() -> None:
    assert allows("Disallow: /\nUser-agent: semcrawl\nDisallow: /x\n")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_they_like(end: str) -> None:
    assert not allows(f"User-agent: semcrawl{end}Disallow: /{end}")


@pytest.mark.parametrize(
    ("lines", "path", "allowed"),
    [
        ("Disallow: /\nAllow: /page", "/page", True),
        ("Allow: /page\nDisallow: /page", "/page", True),
        ("Disallow: /page.html\nAllow: /page", "/page.html", False),
        ("Allow: /p\nDisallow: /", "/q", False),
        ("Disallow: /PAGE", "/page", True),
        ("Disallow: /fish", "/fish.html", False),
        ("Disallow: /fish/", "/fish", True),
        ("Disallow: *fish", "/x/fish", False),
        ("Disallow: /*.php$", "/a.php?b", True),
        ("Disallow: /*.php$", "/a.php", False),
        ("Disallow: /a%3cd", "/a%3Cd", False),
        ("Disallow: /ツ", "/%E3%83%84", False),
        ("Disallow: /page # not here", "/page", False),
        ("Disallow: /a$b", "/a$b", False),
    ],
)
def test_the_longest_match_decides_and_allow_wins_a_tie(lines: str, path: str, allowed: bool) -> None:
    assert allows(f"User-agent: semcrawl\n{lines}\n", path) is allowed


def test_delays_are_taken_from_our_group() -> None:
    text = "User-agent: sem\nCrawl-delay: 9\n\nUser-agent: semcrawl/0.1\nCrawl-delay: 4\n"
    assert rules(text).delay == 4.0
