from __future__ import annotations

import pickle

import pytest

from semcrawl import errors
from semcrawl.errors import FetchError, PageError, SemcrawlError, VisitError
from semcrawl.web import DropReason


def test_a_fetch_error_comes_through_a_pickle_whole() -> None:
    error = FetchError("status 503", reason=DropReason.HTTP_ERROR, temporary=True, status=503, retry_after=7.0)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.reason) == ("status 503", DropReason.HTTP_ERROR)
    assert (copy.temporary, copy.status, copy.retry_after) == (True, 503, 7.0)


def test_a_page_error_comes_through_a_pickle_whole() -> None:
    copy = pickle.loads(pickle.dumps(PageError("no page", reason="Unreadable")))
    assert (type(copy), str(copy), copy.reason) == (PageError, "no page", "Unreadable")


@pytest.mark.parametrize("kind", [FetchError, PageError])
def test_whatever_ends_a_visit_says_the_same_things(kind: type[VisitError]) -> None:
    error = kind("nothing", reason="Unreadable")
    assert (error.temporary, error.status, error.retry_after) == (False, None, None)


ERRORS = [
    name for name, thing in vars(errors).items() if isinstance(thing, type) and thing.__module__ == errors.__name__
]


@pytest.mark.parametrize("name", ERRORS)
def test_every_error_is_of_the_one_tree_and_has_an_exit_code(name: str) -> None:
    error = getattr(errors, name)
    assert issubclass(error, SemcrawlError)
    assert error.exit_code in {1, 2}
