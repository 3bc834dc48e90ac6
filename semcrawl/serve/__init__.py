"""The crawl in a browser: a server that reads snapshots, answers queries and shows one page.

The modules that need the web framework are not imported here: a crawl that is
served runs the server in another process.
"""

from __future__ import annotations

from semcrawl.serve.control import ServerCompanion
from semcrawl.serve.settings import ServeSettings, listen

__all__ = ["ServeSettings", "ServerCompanion", "listen"]
