"""Everything between a URL and a response.

- ``urls.py``: canonical URLs, joining links, hosts and domains.
- ``fetcher.py``: the `Fetcher` protocol; ``http.py``: the network behind it,
  on ``session.py`` (requests, made lean), ``target.py`` (a URL taken apart),
  ``connections.py`` (sockets with a deadline), ``addresses.py`` (which
  addresses are allowed), ``codings.py`` (bounded inflating) and
  ``failures.py`` (what went wrong, as a drop reason).
- ``replay/``: recorded webs behind the same protocol, and a server for them.
- ``response.py``, ``status.py``, ``reasons.py``: what came back, what it
  means, and why there was no page.
- ``robots.py``, ``politeness.py``, ``traps.py``, ``agent.py``: good manners.
"""

from __future__ import annotations

from semcrawl.web.http import HttpFetcher
from semcrawl.web.politeness import Politeness
from semcrawl.web.replay import Replay, open_replay
from semcrawl.web.replay_server import ReplayServer
from semcrawl.web.response import DropReason, Fetcher, Response
from semcrawl.web.robots import Robots, RobotsRules, user_agent
from semcrawl.web.traps import TrapGuard
from semcrawl.web.urls import canonical, domain_of, host_of, hostname_of, join, path_segments

__all__ = [
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
