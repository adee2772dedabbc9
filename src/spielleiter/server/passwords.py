"""Say how long the answer to a password is put off, so that guessing is slow (W107).

This module knows neither the password nor the connections. The clock is handed in.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

from spielleiter.server.limits import ServerLimits

LONGEST_DELAY = 6.0
"""Seconds the answer to a password is put off at most.

Our own administrators' client waits ten seconds for an answer.
"""

KEPT_FAILURES = 100
"""Wrong passwords that are remembered for one address. More of them make no difference."""

REMEMBERED = 60.0
"""Seconds for which a wrong password counts."""

V = TypeVar("V", bound=Hashable)


class PasswordGuard(Generic[V]):
    """Remembers wrong passwords, and who waits for an answer that is put off.

    A *host* is what counts as one address.
    """

    def __init__(self, limits: ServerLimits, now: Callable[[], float]) -> None:
        self._limits = limits
        self._now = now
        self._failures: dict[str, deque[float]] = {}
        self._all_failures: deque[float] = deque(
            maxlen=limits.auth_failures_per_minute + KEPT_FAILURES
        )
        self._waiting: defaultdict[str, dict[V, None]] = defaultdict(dict)
        self._hosts: dict[V, str] = {}

    # Wrong passwords

    def delay(self, host: str) -> float:
        """Return the seconds until a password from this host is answered.

        At first there is no delay, and after wrong passwords it grows.

        Wrong ones count from the moment they come, so that trying many at once gains nothing, and
        from everywhere, so that many addresses gain little.
        """
        # Delaying is all that is done. Locking an address out would let whoever guesses lock out an
        # administrator who shares it, for example behind the router of a school.
        self._forget_old(self._all_failures)
        excess = max(
            self._recent_failures(host) - self._limits.auth_attempts_per_minute,
            len(self._all_failures) - self._limits.auth_failures_per_minute,
        )
        return 0.0 if excess < 0 else min(2.0 ** min(excess, 10), LONGEST_DELAY)

    def note_failure(self, host: str) -> None:
        """Remember that a wrong password came from this host."""
        now = self._now()
        failures = self._failures.get(host)
        if failures is None:
            failures = self._failures[host] = deque(maxlen=KEPT_FAILURES)
        failures.append(now)
        self._all_failures.append(now)

    @property
    def remembered_hosts(self) -> int:
        """Return how many hosts are remembered for wrong passwords."""
        return len(self._failures)

    def tidy_up(self) -> None:
        """Forget hosts that have sent no wrong password for a while."""
        for host in list(self._failures):
            self._recent_failures(host)

    def _recent_failures(self, host: str) -> int:
        failures = self._failures.get(host)
        if failures is None:
            return 0
        self._forget_old(failures)
        if not failures:
            del self._failures[host]
        return len(failures)

    def _forget_old(self, failures: deque[float]) -> None:
        since = self._now() - REMEMBERED
        while failures and failures[0] < since:
            failures.popleft()

    # Answers that are put off

    @property
    def waiting(self) -> int:
        """Return how many passwords wait for their answer."""
        return len(self._hosts)

    def add_waiting(self, guesser: V, host: str) -> V | None:
        """Count a password whose answer is put off, and return who has to go for it, if anybody.

        Where too many wait, that is the oldest one from the busiest host. How many passwords a
        second can be tried in all is this limit divided by the delay.
        """
        self._waiting[host][guesser] = None
        self._hosts[guesser] = host
        if self.waiting <= self._limits.auth_waiting:
            return None
        # Refusing the newcomer instead would let a flood hold every place, and the right password
        # would never be looked at. The busiest host is the one that floods.
        busiest = max(self._waiting.values(), key=len)
        oldest = next(iter(busiest))
        self.remove_waiting(oldest)
        return oldest

    def remove_waiting(self, guesser: V) -> None:
        """Count the password out, if it was counted in."""
        host = self._hosts.pop(guesser, None)
        if host is not None:
            del self._waiting[host][guesser]
            if not self._waiting[host]:
                del self._waiting[host]
