"""Decide who may connect, by how many there are in all and from one address.

Only counting is done here. Sockets, and what is said to those who are refused, are elsewhere.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Generic, TypeVar

from spielleiter.server.limits import ServerLimits

V = TypeVar("V", bound=Hashable)


def is_local(address: str) -> bool:
    """Return whether the address is one of this machine."""
    return address in ("127.0.0.1", "::1", "")


def host_of(address: str) -> str:
    """Return what counts as one address.

    With IPv6 this is a whole network, because that is usually one household.
    """
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, IPv4Address) or parsed.is_loopback:
        return address
    # A provider hands out IPv6 in networks of 64 bits, so counting single addresses would let one
    # household have as many as it likes. IPv4 addresses written as IPv6 all lie in one such
    # network, though, and have to be told apart.
    return str(parsed.ipv4_mapped or ip_network((int(parsed) >> 64 << 64, 64)))


class Admission(Generic[V]):
    """Counts connections in and out. Who was refused is not counted."""

    def __init__(self, limits: ServerLimits) -> None:
        self.connections: dict[V, str] = {}
        """Who is connected, and what counts as their address, the oldest first."""
        self._limits = limits
        self.most = limits.connections
        """Connections that are admitted in all."""
        self._per_host: defaultdict[str, int] = defaultdict(int)
        self._numbered = 0
        self._is_closed = False

    def limit(self, most: int) -> None:
        """Admit no more than this, however many the settings allow."""
        self.most = min(self.most, most)

    def close(self) -> None:
        """Refuse everybody from now on, because the server ends."""
        self._is_closed = True

    def new_label(self, address: str) -> str:
        """Return a name for the log, with a number that no other connection has."""
        self._numbered += 1
        return f"{address}#{self._numbered}"

    def admit(self, visitor: V, address: str) -> str | None:
        """Count the visitor in, or return why they cannot be admitted."""
        limits, host = self._limits, host_of(address)
        allowed = (
            limits.connections_per_loopback if is_local(address) else limits.connections_per_address
        )
        # A refusal says first what concerns everybody: whoever reads "close one first" on a server
        # that is full for all would close one in vain.
        if self._is_closed:
            return "the server ends"
        if len(self.connections) >= self.most:
            return f"there are {self.most} connections already; try again later"
        if self._per_host.get(host, 0) >= allowed:
            return f"there are {allowed} connections from {address} already; close one first"
        self.connections[visitor] = host
        self._per_host[host] += 1
        return None

    def remove(self, visitor: V) -> None:
        """Count the visitor out, if they were admitted."""
        host = self.connections.pop(visitor, None)
        if host is not None:
            self._per_host[host] -= 1
            if not self._per_host[host]:
                del self._per_host[host]
