"""When a host may be asked again: one request at a time, then a pause, longer after trouble."""

import math
import threading
import time
from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass

from semcrawl.errors import ConfigError
from semcrawl.web.response import DropReason

MAX_RETRY_AFTER = 86_400.0  # the longest Retry-After that is obeyed, in seconds
_OVERLOAD = frozenset({429, 503})
_TROUBLE = frozenset({DropReason.TIMED_OUT, DropReason.CONNECT_FAILED})
_SMOOTHING = 0.3
_FIRST_SWEEP = 10_000


@dataclass(slots=True)
class _Host:
    busy: bool = False
    ready_at: float = 0.0
    latency: float = 0.0
    backoff: float = 0.0


@dataclass(eq=False)
class Politeness:
    """Keeps the pauses between requests to every host; safe between threads."""

    # seconds between an answer and the next request; 0 also ignores how slow a host is,
    # but not trouble and robots.txt
    delay: float = 1.0
    max_delay: float = 60.0  # the longest pause that this adapts to by itself
    _: KW_ONLY
    latency_factor: float = 2.0  # a pause is at least this many times the usual answer time
    max_retry_after: float = MAX_RETRY_AFTER
    clock: Callable[[], float] = time.monotonic  # tells the time in seconds

    def __post_init__(self) -> None:
        if not 0 <= self.delay <= self.max_delay:
            raise ConfigError(f"the delay must lie between 0 and max_delay ({self.max_delay:g}), not {self.delay:g}")
        self._factor = self.latency_factor if self.delay > 0 else 0.0
        self._first_backoff = max(1.0, 2 * self.delay)
        self._hosts: dict[str, _Host] = {}
        self._sweep_at = _FIRST_SWEEP
        self._lock = threading.Lock()

    def ready_at(self, host: str) -> float:
        """Return the time from which a host may be asked: infinite while it is being asked."""
        state = self._hosts.get(host)
        if state is None:
            return 0.0
        return math.inf if state.busy else state.ready_at

    def started(self, host: str) -> None:
        """Say that a request to a host begins."""
        with self._lock:
            self._hosts.setdefault(host, _Host()).busy = True
            if len(self._hosts) > self._sweep_at:
                self._sweep()

    def finished(
        self,
        host: str,
        elapsed: float = 0.0,
        *,
        status: int | None = None,
        error: str | None = None,
        retry_after: float | None = None,
        robots_delay: float = 0.0,
    ) -> float:
        """Say that a request has ended; return the time from which the next may begin.

        ``elapsed`` is the seconds of the answer, ``error`` its `DropReason`; ``retry_after``
        and ``robots_delay`` are the seconds that the host and its robots.txt ask for.
        """
        with self._lock:
            state = self._hosts.setdefault(host, _Host())
            state.busy = False
            state.latency += _SMOOTHING * (max(0.0, elapsed) - state.latency)
            if status in _OVERLOAD or error in _TROUBLE:
                state.backoff = min(max(2 * state.backoff, self._first_backoff), self.max_delay)
            elif state.backoff:
                state.backoff = state.backoff / 2 if state.backoff > self._first_backoff else 0.0
            now = self.clock()
            pause = self._pause(state, robots_delay, retry_after)
            if pause == 0:
                del self._hosts[host]
                return now
            state.ready_at = now + pause
            return state.ready_at

    def _pause(self, state: _Host, robots_delay: float, retry_after: float | None) -> float:
        adapted = min(max(self._factor * state.latency, state.backoff), self.max_delay)
        asked = min(retry_after or 0.0, self.max_retry_after)
        return max(self.delay, robots_delay, adapted, asked)

    def _sweep(self) -> None:
        now = self.clock()
        forgiven = now - 10 * self.max_delay
        self._hosts = {
            host: state
            for host, state in self._hosts.items()
            if state.busy or state.ready_at > (forgiven if state.backoff else now)
        }
        # Twice what is left, so that sweeping stays cheap per request.
        self._sweep_at = max(_FIRST_SWEEP, 2 * len(self._hosts))

    def __len__(self) -> int:
        return len(self._hosts)
