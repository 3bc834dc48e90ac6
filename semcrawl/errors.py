"""Every error that semcrawl raises on purpose.

A message says what was wrong, where, and what to do about it; the command line prints it as one line and exits with the
class's exit code (2 for misuse, 1 for failure), never with a traceback.

::

    SemcrawlError
    ├── ConfigError       a setting, option or plug-in that cannot be used   (2)
    │   ├── ModelError        a model file that is damaged or of another kind    (2)
    │   └── UntrustedError    a stranger's folder that says what it must not     (2)
    ├── TopicError        a topic that cannot be read or found               (2)
    │   └── AmbiguousTopicError  a name that means several concepts             (2)
    ├── UrlError          a text that is no URL a crawler can fetch          (2)
    ├── QueryError        a query that is unknown, malformed or unbound      (2)
    ├── ReplayError       a recorded web that cannot be read                 (2)
    ├── LabError          an experiment that cannot be run as it is written  (2)
    ├── VisitError        one URL that gave no page, with its DropReason     (1)
    │   ├── FetchError        a URL that cannot be fetched                   (1)
    │   └── PageError         a response that holds no page to read          (1)
    ├── RequestError      a request that 'semcrawl serve' cannot answer      (1)
    └── StoreError        a crawl folder that cannot be opened or written    (1)
        ├── NotACrawlError    the folder holds no crawl                      (2)
        ├── FolderTakenError  the folder for a new crawl holds something     (2)
        └── CrawlLockedError  another process has the crawl open             (1)
"""

import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any


class SemcrawlError(Exception):
    """Base of all errors that semcrawl raises on purpose."""

    exit_code = 1

    def __init_subclass__(cls, exit_code: int | None = None) -> None:
        if exit_code is not None:
            cls.exit_code = exit_code


class ConfigError(SemcrawlError, exit_code=2):
    """A setting, an option or a plug-in cannot be used as given."""


class ModelError(ConfigError):
    """A model file cannot be read, is damaged, or is of another kind or version."""


class UntrustedError(ConfigError):
    """A crawl folder that another made names code, files or addresses, and is not trusted."""


class TopicError(SemcrawlError, exit_code=2):
    """A topic cannot be read, or names something that is not there."""


class AmbiguousTopicError(TopicError):
    """A name in a topic means several concepts.

    Attributes:
        name: the name, as it was written.
        choices: what can be written instead, each with what it means; the likeliest first.
    """

    def __init__(self, message: str, name: str = "", choices: Sequence[tuple[str, str]] = ()) -> None:
        super().__init__(message)
        self.name = name
        self.choices = tuple(choices)


class UrlError(SemcrawlError, exit_code=2):
    """A text is not a URL that a crawler can fetch."""


class QueryError(SemcrawlError, exit_code=2):
    """A query is unknown, malformed, or lacks a parameter."""


class ReplayError(SemcrawlError, exit_code=2):
    """A recorded web cannot be read."""


class LabError(SemcrawlError, exit_code=2):
    """An experiment cannot be run as it is written, or its material does not fit it."""


class VisitError(SemcrawlError):
    """One URL gave no page to read; the base of FetchError and PageError.

    Attributes:
        reason: local name of the ``sc:DropReason`` in the vocabulary, e.g. ``TimedOut``.
        temporary: whether trying again later may succeed.
        status: the HTTP status, where there was one.
        retry_after: seconds that the server asked to wait, where it did.
        exchange: what was sent, where an archive is to keep it.
    """

    exchange: Any = None

    def __init__(
        self,
        message: str,
        *,
        reason: str,
        temporary: bool = False,
        status: int | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.temporary = temporary
        self.status = status
        self.retry_after = retry_after

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle with the keyword that has no default; the state holds the rest."""
        return partial(type(self), reason=self.reason), self.args, self.__dict__


class FetchError(VisitError):
    """A URL cannot be fetched."""


class PageError(VisitError):
    """A response was fetched but holds no page to read."""


class RequestError(SemcrawlError):
    """A request to the server of a crawl cannot be answered.

    Attributes:
        status: the HTTP status to answer with.
        retry_after: seconds after which it is worth trying again, where it is.
    """

    def __init__(self, message: str, status: int = 400, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class StoreError(SemcrawlError):
    """A crawl folder cannot be opened, read or written."""


class NotACrawlError(StoreError, exit_code=2):
    """A folder holds no crawl."""


class FolderTakenError(StoreError, exit_code=2):
    """The folder for a new crawl holds a crawl already, or something else."""


class CrawlLockedError(StoreError):
    """Another process has the crawl open for writing."""


def regular(path: Path) -> Path:
    """Return a path to read from; OSError where it is a pipe or a device, which may never end."""
    if path.exists() and not path.is_file() and not path.is_dir():
        raise OSError(errno.EINVAL, "it is no regular file")
    return path


@contextmanager
def os_errors(kind: type[SemcrawlError], what: str, advice: str = "") -> Iterator[None]:
    """Raise ``kind`` for an OSError: what could not be done, why, and what to do about it."""
    try:
        yield
    except OSError as error:
        raise kind(f"{what}: {error.strerror or error}{advice}") from error


@contextmanager
def refused_with(status: int, *errors: type[SemcrawlError], what: str = "") -> Iterator[None]:
    """Raise a RequestError of this status for one of some errors; where none are named, for any of ours."""
    refused = errors or (SemcrawlError,)
    try:
        yield
    except refused as error:
        raise RequestError(f"{what}{error}", status) from error


@contextmanager
def told_as(kind: type[Exception], what: str, *errors: type[Exception]) -> Iterator[None]:
    """Raise ``kind`` for one of some errors: what is wrong, and what the error says of it."""
    try:
        yield
    except errors as error:
        raise kind(f"{what}: {error}") from error
