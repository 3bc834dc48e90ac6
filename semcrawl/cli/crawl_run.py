"""Running a crawl from the command line: what is shown, Ctrl-C, and the last words."""

from __future__ import annotations

import os
import re
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import click

from semcrawl.cli.options import PATH, flag_option, json_option, language_option
from semcrawl.cli.serve import Serving
from semcrawl.cli.setting_options import together
from semcrawl.crawl import Crawl, CrawlStopped, StopReason, UrlDropped
from semcrawl.crawl.progress import interruptible
from semcrawl.errors import FetchError

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from semcrawl.cli.progress import Display
    from semcrawl.cli.setting_options import Decorator
    from semcrawl.crawl.sites import SiteCrawl

_NEW_FOLDER = "New folder for the crawl.  [default: named after the topic]"


def start_options(seed_help: str, file_help: str) -> Decorator:
    """What a new crawl starts with: its topic, seeds, language, and a folder."""
    file = click.Path(path_type=Path, exists=True, dir_okay=False)
    return together(
        click.argument("topic", required=False),
        click.option("--seed", "seeds", multiple=True, metavar="URL", help=seed_help),
        click.option("--seeds-file", type=file, help=file_help),
        language_option,
        click.option("--folder", type=PATH, help=_NEW_FOLDER),
    )


output_options = together(
    json_option("Print each event as a line of JSON."),
    flag_option("--quiet", help="Show errors only."),
)


def folder_name(topic: str, longest: int) -> str:
    """The name of a folder for a topic.

    >>> folder_name("Asthma, and the lungs", 60)
    'asthma-and-the-lungs'
    """
    return re.sub(r"\W+", "-", topic.lower()).strip("-")[:longest] or "crawl"


C = TypeVar("C", "Crawl", "SiteCrawl")


class CrawlRun(ABC, Generic[C]):
    """One run of a crawl in a folder, shown as the options say."""

    def __init__(self, folder: Path, *, is_new: bool, quiet: bool, as_json: bool) -> None:
        self.folder = folder
        self.place = shlex.quote(str(folder))
        self.quiet = quiet
        self.as_json = as_json
        self._is_new = is_new

    @property
    @abstractmethod
    def resume(self) -> str:
        """The command that goes on with the crawl."""

    @abstractmethod
    def display(self, crawl: C) -> Display[Any]:
        """What shows the events."""

    @abstractmethod
    def tell(self, crawl: C, ending: CrawlStopped) -> None:
        """Say how it ended, and how to go on."""

    def serve_and_run(
        self, address: str | None, begin: Callable[[], AbstractContextManager[C]]
    ) -> None:
        """Run the crawl, with a page in the browser where there is an address for it."""
        with Serving(address) as page:
            with begin() as crawl:
                page.show(crawl, self.folder)
                reason = self.run(crawl)
            page.stay(reason)

    def run(self, crawl: C) -> StopReason:
        """Run a crawl to its end, showing it, and say how to go on; why it stopped.

        Raises:
            FetchError: no page at all could be fetched; a new folder is removed then.
        """
        with self.display(crawl) as display:
            ending, drops = self._follow(crawl, display)
        if not ending.progress.pages and ending.reason is StopReason.FRONTIER_EMPTY:
            why = "; ".join(drop.note for drop in drops) or "the seeds led nowhere"
            if self._is_new:
                # It says nothing that this line does not, and would be in the way of the next try.
                crawl.graph.discard()
            raise FetchError(f"no page could be fetched: {why}", reason="NoPages")
        if not self.quiet and not self.as_json:
            self.tell(crawl, ending)
        return ending.reason

    def _follow(
        self, crawl: C, show: Callable[[Any], None]
    ) -> tuple[CrawlStopped, list[UrlDropped]]:
        """Show the events as they come; the last one, and the first drops."""
        drops: list[UrlDropped] = []

        def halt() -> None:
            if not self.quiet:
                _say("stopping after the visits under way; Ctrl-C again stops at once")
            crawl.stop()

        try:
            with interruptible(halt):
                for event in crawl.visits():
                    show(event)
                    if isinstance(event, UrlDropped) and len(drops) < 3:
                        drops.append(event)
        except KeyboardInterrupt:
            _say(f"stopped at once; nothing recorded is lost: {self.resume}")
            raise
        assert isinstance(event, CrawlStopped)
        return event, drops


def _say(message: str) -> None:
    # Written past Python's buffers: a signal may come in the middle of another write.
    os.write(2, f"\nsemcrawl: {message}\n".encode())
