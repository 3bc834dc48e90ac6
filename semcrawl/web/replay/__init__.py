"""Recorded webs: WARC files and folders of pages that answer instead of the network.

- `open_replay` opens WARC files and folders (``warc.py``, ``folder.py``);
  indexes of WARC files are cached between runs (``cache.py``).
- `Replay` answers URLs as a ``Fetcher`` (``replay.py``, ``recording.py``).
- `ReplayServer` serves a replay on the loopback address, through an HTTP
  proxy, as a web of many hosts (``server.py``).
"""

from __future__ import annotations

from semcrawl.web.replay.replay import Replay, open_replay
from semcrawl.web.replay.server import ReplayServer

__all__ = ["Replay", "ReplayServer", "open_replay"]
