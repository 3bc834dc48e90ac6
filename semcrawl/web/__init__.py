"""Everything between a URL and a response.

``urls`` and ``response`` come first. ``http`` fetches, on ``connections``;
``replay`` answers from recordings, with ``warc``, and ``replay_server``
serves one. ``robots``, ``politeness`` and ``traps`` say what is asked, and when.
"""

from semcrawl.web.politeness import Politeness, Robots
from semcrawl.web.replay import Replay, open_replay
from semcrawl.web.replay_server import ReplayServer
from semcrawl.web.response import DropReason, Fetcher, Response

__all__ = ["DropReason", "Fetcher", "Politeness", "Replay", "ReplayServer", "Response", "Robots", "open_replay"]
