from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from semcrawl.errors import FetchError
from semcrawl.models.site_training import read_site
from semcrawl.models.training_pages import PageSource
from semcrawl.web import Replay, Response
from semcrawl.web.urls import SiteName

if TYPE_CHECKING:
    from semcrawl.models.site_training import SiteSample

HOME = "http://a.test/"


class Recorded:
    """One recorded answer."""

    def __init__(self, response: Response) -> None:
        self.response = response

    def read(self, url: str) -> Response:
        """The answer."""
        assert url == self.response.url
        return self.response


class Trap:
    """A site of pages without end, each with a link to two more."""

    def fetch(self, url: str, **_: object) -> Response:
        """A page with a number and its followers."""
        number = int(url.rpartition("/")[2] or 0)
        body = f"day {number} <a href=/{2 * number + 1}>next</a><a href=/{2 * number + 2}>more</a>"
        return answer(url, body)

    def close(self) -> None:
        """Nothing to let go of."""


class Broken(Trap):
    """A homepage with a thousand links that all fail."""

    asked = 0

    def fetch(self, url: str, **_: object) -> Response:
        """The homepage, or an error."""
        self.asked += 1
        if url == HOME:
            return answer(url, "boats " + "".join(f"<a href=/{n}>{n}</a>" for n in range(1000)))
        raise FetchError(f"{url} is broken", reason="HttpError", status=500)


def answer(url: str, body: str, status: int = 200, **headers: str) -> Response:
    declared = {"content-type": "text/html"} | headers
    return Response(url, status, declared, body.encode(), 0.0, 0.0)


def read(pages: dict[str, str], most: int = 25, how: str = "host") -> SiteSample:
    """Read the site at HOME; a page that begins with > redirects."""
    answers = {
        url: answer(url, "", 302, location=body[1:]) if body[0] == ">" else answer(url, body)
        for url, body in pages.items()
    }
    web = Replay({url: Recorded(response) for url, response in answers.items()})
    return read_site(HOME, PageSource(web), SiteName.parse(how), most=most)


def names(sample: SiteSample) -> list[str]:
    return [url.removeprefix(HOME) for url in sample.pages]


SITE = {
    HOME: "start <a href=b>b</a> <a href=c>c</a> <a href=b>again</a> <a href=gone>gone</a>"
    "<a href=http://other.test/>elsewhere</a> <a href=n rel=nofollow>n</a>",
    HOME + "b": "bees <a href=d>d</a> <a href=/>home</a>",
    HOME + "c": "cats <a href=b>b</a>",
    HOME + "d": "dogs",
    HOME + "n": "unwanted",
    "http://other.test/": "others",
}


def test_the_first_pages_are_read_breadth_first_and_inside_the_site() -> None:
    sample = read(SITE)
    assert sample.site == "a.test"
    assert names(sample) == ["", "b", "c", "d"]
    assert sample.pages[HOME + "b"]["bee"] == 1
    assert sample.missing == {HOME + "gone": "NotInReplay"}


def test_no_more_pages_are_read_than_wanted() -> None:
    assert names(read(SITE, most=3)) == ["", "b", "c"]
    endless = read_site(HOME, PageSource(Trap()), most=10)
    assert names(endless) == ["", *map(str, range(1, 10))]


def test_one_page_is_the_homepage_whatever_it_says_as_in_section_5_2() -> None:
    """Ester 2004, section 5.2: the homepage classifier is trained on homepages only."""
    assert names(read(SITE, most=1)) == [""]
    frames = {HOME: "<frameset><frame src=left></frameset>", HOME + "left": "<p>menu of sails"}
    assert not read(frames, most=1).pages


def test_a_site_of_errors_is_given_up() -> None:
    web = Broken()
    sample = read_site(HOME, PageSource(web), most=5)
    assert len(sample.pages) == 1
    assert web.asked == 20


def test_a_homepage_of_frames_leads_to_its_pages() -> None:
    frames = {HOME: "<frameset><frame src=left><frame src=right></frameset>"}
    sample = read(frames | {HOME + "left": "<p>menu of sails", HOME + "right": "<p>boats"})
    assert names(sample) == ["left", "right"]


def test_a_homepage_that_redirects_stands_for_the_site_that_it_leads_to() -> None:
    sample = read(
        {
            HOME: ">http://www.a.test/",
            "http://www.a.test/": "boats <a href=/x>x</a> <a href=/y>y</a>",
            "http://www.a.test/x": "sails",
            "http://www.a.test/y": ">http://elsewhere.test/",
            "http://elsewhere.test/": "not ours",
        }
    )
    assert sample.site == "www.a.test"
    assert list(sample.pages) == ["http://www.a.test/", "http://www.a.test/x"]


@pytest.mark.parametrize("home", [{}, {HOME: f">{HOME}"}])
def test_a_site_that_answers_with_errors_only_says_why(home: dict[str, str]) -> None:
    sample = read(home or {"http://other.test/": "others"})
    assert (sample.site, sample.pages) == ("", {})
    assert list(sample.missing) == [HOME]


def test_a_site_can_be_a_folder() -> None:
    pages = {HOME: "all of us <a href=/ann/>ann</a>", HOME + "ann/": "ann"}
    assert names(read(pages, how="path:1")) == [""]
