"""Idle connections, kept for the next request to the same host."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from semcrawl.web.connections import Connection

__all__ = ["Pool"]


class Pool:
    """Idle connections by key, the longest idle given up first."""

    def __init__(self, per_key: int, total: int, idle_seconds: float) -> None:
        self._per_key = per_key
        self._total = total
        self._idle_seconds = idle_seconds
        self._idle: OrderedDict[int, Connection] = OrderedDict()
        self._by_key: dict[str, list[Connection]] = {}
        self._lock = threading.Lock()
        self._closed = False

    def take(self, key: str) -> Connection | None:
        """Return an idle connection that is still good, or None."""
        while True:
            with self._lock:
                waiting = self._by_key.get(key)
                if not waiting:
                    return None
                connection = waiting[-1]
                self._forget(connection)
            age = time.monotonic() - connection.idle_since
            if age < self._idle_seconds and not connection.is_stale():
                return connection
            connection.close()

    def give_back(self, connection: Connection) -> None:
        """Keep a connection whose exchange is complete, or close it if there is no room."""
        dropped: list[Connection] = []
        with self._lock:
            if self._closed or len(self._by_key.get(connection.key, ())) >= self._per_key:
                dropped.append(connection)
            else:
                connection.idle_since = time.monotonic()
                connection.used = True
                self._idle[id(connection)] = connection
                self._by_key.setdefault(connection.key, []).append(connection)
            while len(self._idle) > self._total:
                oldest = next(iter(self._idle.values()))
                self._forget(oldest)
                dropped.append(oldest)
        for one in dropped:
            one.close()

    def _forget(self, connection: Connection) -> None:
        del self._idle[id(connection)]
        waiting = self._by_key[connection.key]
        waiting.remove(connection)
        if not waiting:
            del self._by_key[connection.key]

    def close(self) -> None:
        """Close what is idle, and whatever is given back later."""
        with self._lock:
            self._closed = True
            idle = list(self._idle.values())
            self._idle.clear()
            self._by_key.clear()
        for connection in idle:
            connection.close()
