"""Everything between a URL and a response.

``urls`` and ``response`` come first. ``http`` fetches, on ``connections``;
``replay`` answers from recordings, with ``warc``, and ``replay_server``
serves one. ``robots``, ``politeness`` and ``traps`` say what is asked, and when.
"""

from typing import TYPE_CHECKING

from semcrawl.web.politeness import Politeness, Robots, RobotsRules, user_agent
from semcrawl.web.replay import Replay, open_replay
from semcrawl.web.replay_server import ReplayServer
from semcrawl.web.response import MAX_BYTES, DropReason, Fetcher, Response
from semcrawl.web.traps import TrapGuard
from semcrawl.web.urls import canonical, domain_of, host_of, hostname_of, join, path_segments

if TYPE_CHECKING:
    from semcrawl.web.http import HttpFetcher

__all__ = [
    "MAX_BYTES",
    "DropReason",
    "Fetcher",
    "HttpFetcher",
    "Politeness",
    "Replay",
    "ReplayServer",
    "Response",
    "Robots",
    "RobotsRules",
    "TrapGuard",
    "canonical",
    "domain_of",
    "host_of",
    "hostname_of",
    "join",
    "open_replay",
    "path_segments",
    "user_agent",
]


def __getattr__(name: str) -> object:
    # requests and TLS take a tenth of a second to load: only for those who fetch.
    if name != "HttpFetcher":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from semcrawl.web.http import HttpFetcher

    return HttpFetcher
