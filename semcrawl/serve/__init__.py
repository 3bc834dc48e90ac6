"""The crawl in a browser: a server that reads snapshots, answers queries and shows one page.

The server runs in another process, so the web framework is not imported here.
"""

from semcrawl.serve.control import ServerCompanion
from semcrawl.serve.settings import ServeSettings, listen

__all__ = ["ServeSettings", "ServerCompanion", "listen"]
