"""The archive of a crawl: what visits fetch, kept in WARC files in the crawl's folder."""

from collections.abc import Mapping

from msgspec.structs import replace

from semcrawl.closing import Closing
from semcrawl.crawl.crew import Outcome
from semcrawl.crawl.settings import Settings
from semcrawl.errors import ConfigError, FetchError
from semcrawl.graph import CrawlGraph
from semcrawl.graph.crawl_folder import WARC
from semcrawl.version import VERSION
from semcrawl.web import Response
from semcrawl.web.politeness import user_agent
from semcrawl.web.response import DropReason, WarcPlace

_NOT_ASKED = frozenset({DropReason.ROBOTS_DISALLOW, DropReason.ROBOTS_UNREACHABLE})
_FORMAT = "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


class VisitArchive(Closing):
    """Keeps answers of visits: pages, redirects, and that a page is unchanged.

    With the setting ``warc_all`` also failures, answers of other types, and robots.txt.
    """

    def __init__(self, settings: Settings, graph: CrawlGraph) -> None:
        """Open the archive in the crawl's folder; ConfigError where the crawl has none."""
        from semcrawl.web.warc_writer import WarcArchive

        if graph.folder is None:
            raise ConfigError("WARC files need a folder: give the crawl one, or leave out warc")
        crawl = graph.describe()
        about = {
            "software": f"semcrawl {VERSION}",
            "format": "WARC File Format 1.1",
            "conformsTo": _FORMAT,
            "isPartOf": crawl.id,
            "description": f"A focused crawl for {crawl.name}",
            "robots": "obey" if settings.robots else "ignore",
            "http-header-user-agent": user_agent(settings.contact or None),
        }
        self._keeps_all = settings.warc_all
        self._files = WarcArchive(graph.folder / WARC, about, size=settings.warc_size)

    def keep(self, outcome: Outcome) -> None:
        """Write down what a visit fetched; its response then says where. Raises StoreError."""
        entry, response, error = outcome.entry, outcome.response, outcome.error
        notes = {"via": entry.found_on, "hopsFromSeed": entry.depth}
        if isinstance(error, FetchError):
            self.keep_answer(entry.url, error, notes)
        elif response is not None:
            known = entry.known
            earlier = WarcPlace(known.warc_file, known.warc_offset) if known else None
            place = self.keep_answer(entry.url, response, notes, earlier)
            outcome.response = replace(response, exchange=None, kept_at=place)

    def keep_answer(
        self,
        url: str,
        answer: Response | FetchError,
        notes: Mapping[str, object] | None = None,
        earlier: WarcPlace | None = None,
    ) -> WarcPlace | None:
        """Write down an answer, or why there is none, if that is to be kept; return where."""
        sent = answer.exchange
        if isinstance(answer, Response):
            is_told = bool(answer.body or answer.redirect or answer.status == 304)
            said: dict[str, object] = {"fetchTimeMs": round(1000 * answer.elapsed)}
        else:
            answer.exchange = None
            is_told, said = False, {"failure": answer.reason}
            if answer.reason in _NOT_ASKED:
                return None
        if not is_told and not self._keeps_all:
            return None
        said = {**(notes or {}), **said}
        return self._files.keep(sent, said, earlier) if sent else self._files.note(url, said)

    def close(self) -> None:
        """Close the open file, and write its index."""
        self._files.close()
