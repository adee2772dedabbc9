"""What one client may cost the server, each limit with its default, its help and its reason.

How the limits are set is in ``settings``, and where they are held is in the modules that use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from spielleiter.server import kinds
from spielleiter.server.kinds import Kind, about


def _limit(kind: Kind, text: str) -> Mapping[str, Any]:
    return about("Limits", kind, text)


@dataclass(frozen=True, slots=True)
class ServerLimits:
    """What one client may cost, so that no client costs another one their game."""

    # Moves are below 1 KiB and the longest request we know is below 4 KiB. What is longer does not
    # come from a client of ours.
    message_bytes: int = field(
        default=65536, metadata=_limit(kinds.SIZE, "longest message taken from a client")
    )
    # Expat reads an unfinished token again with each new byte, so that an attribute without end
    # costs the square of its length.
    token_bytes: int = field(
        default=8192, metadata=_limit(kinds.SIZE, "longest single tag or text in a message")
    )
    # A move is three levels deep. Depth costs memory for each open element.
    nesting: int = field(default=16, metadata=_limit(kinds.COUNT, "deepest nesting of elements"))
    # A slot has four. The parser builds all attributes of a tag before anyone can look at them.
    attributes: int = field(
        default=32, metadata=_limit(kinds.COUNT, "most attributes of one element")
    )
    # A parser keeps every name it has seen until the connection ends; all seasons together have
    # fewer than 100.
    names: int = field(
        default=256, metadata=_limit(kinds.COUNT, "most different element and attribute names")
    )
    # Names go into every state, log and page, and nobody reads more.
    display_name_length: int = field(
        default=100, metadata=_limit(kinds.COUNT, "longest display name in characters")
    )
    # A move has five, a large position about 500. Each costs some microseconds, whatever it is
    # called.
    elements: int = field(
        default=2000, metadata=_limit(kinds.COUNT, "most elements in one message")
    )
    # Each takes a file descriptor and up to 100 kB; the usual hard limit of a system is about this.
    connections: int = field(
        default=20000, metadata=_limit(kinds.COUNT, "most connections at once")
    )
    # A whole class behind one address fits, and one PC cannot take all places.
    connections_per_address: int = field(
        default=64,
        metadata=_limit(kinds.COUNT, "most connections at once from one address of the network"),
    )
    # Tournaments and load tests run thousands of bots on the server's own machine, where flooding
    # it needs no socket.
    connections_per_loopback: int = field(
        default=20000, metadata=_limit(kinds.COUNT, "most connections at once from this machine")
    )
    # One for each pair of connections. Prepared rooms cost memory until somebody plays in them.
    rooms: int = field(default=10000, metadata=_limit(kinds.COUNT, "most rooms at once"))
    # Whoever prepares a game starts its players next. Forgotten rooms would fill the server.
    room_seconds: float = field(
        default=3600.0,
        metadata=_limit(kinds.SECONDS, "time a prepared game waits for its first player"),
    )
    # A client speaks at once. Whoever is silent is a port scanner or waits for a banner.
    first_byte_seconds: float = field(
        default=10.0,
        metadata=_limit(kinds.SECONDS, "time until a new connection must have sent something"),
    )
    # Against senders of one byte a second: a started message of 64 KiB takes less even on a bad
    # line.
    message_seconds: float = field(
        default=10.0,
        metadata=_limit(kinds.SECONDS, "time until a started message must be complete"),
    )
    # The documents have clients join first thing, and administrators authenticate first thing.
    lobby_seconds: float = field(
        default=60.0,
        metadata=_limit(kinds.SECONDS, "time until a connection must have joined or authenticated"),
    )
    # A whole game is about 1 MB: a client that far behind does not read, and memory is not its to
    # fill.
    unread_bytes: int = field(
        default=4 * 1024**2, metadata=_limit(kinds.SIZE, "most output waiting for a slow client")
    )
    # The fastest bots send 100 kB a second. Reading is work, and who makes work must not slow
    # others down.
    bytes_per_second: int = field(
        default=1024**2,
        metadata=_limit(
            kinds.SIZE, "most input a second from one client, which is then read more slowly"
        ),
    )
    # A game needs less than one a second, an administrator who steps through one perhaps ten.
    messages_per_second: int = field(
        default=50, metadata=_limit(kinds.COUNT, "most messages a second, on average")
    )
    # An administrator prepares a round of games in one go.
    message_burst: int = field(
        default=200,
        metadata=_limit(kinds.COUNT, "most messages at once, before the average counts"),
    )
    # Reading one element is the unit, some two microseconds. A game takes 100 a second besides its
    # moves, which do not count. This is a hundredth of a core. What is saved in two idle seconds
    # may be used at once.
    work_per_second: int = field(
        default=5000,
        metadata=_limit(
            kinds.COUNT,
            "most work a second for one client, in elements read; it is then served more slowly",
        ),
    )
    # A class of thirty that joins at the same moment makes 7000. This is a tenth of a core.
    work_per_address: int = field(
        default=50_000,
        metadata=_limit(
            kinds.COUNT, "most work a second for all clients of one address of the network"
        ),
    )
    # Two thousand players who come at the same moment make 450000, and two seconds save 400000.
    # Half a core.
    work_in_all: int = field(
        default=200_000,
        metadata=_limit(
            kinds.COUNT, "most work a second for all clients together; moves do not count"
        ),
    )
    # A late move, a second goodbye, an element of a newer season: one or two a game. One a second
    # is forgiven.
    useless_messages: int = field(
        default=20,
        metadata=_limit(kinds.COUNT, "most messages that lead nowhere, before one a second counts"),
    )
    # A crashed PC or a pulled plug closes nothing. The opponent should not wait for the hard
    # limit of every move.
    dead_peer_seconds: float = field(
        default=15.0, metadata=_limit(kinds.SECONDS, "time until a peer that vanished is noticed")
    )
    # Official clients close by themselves after ``left``, but the documents have the server do it.
    goodbye_seconds: float = field(
        default=5.0,
        metadata=_limit(kinds.SECONDS, "time a client has to close after its game before we do"),
    )
    # A person mistypes a few times. A program that guesses gets nowhere at this rate.
    auth_attempts_per_minute: int = field(
        default=5,
        metadata=_limit(
            kinds.COUNT, "wrong passwords a minute from one address before tries take longer"
        ),
    )
    # Many addresses that try a few each are one guesser, too.
    auth_failures_per_minute: int = field(
        default=60,
        metadata=_limit(
            kinds.COUNT, "wrong passwords a minute from everywhere before tries take longer"
        ),
    )
    # Each waits six seconds, so this allows 200 a second if somebody holds that many connections;
    # one address of the network has 64 and gets 10. Fewer would let a flood push the right password
    # out.
    auth_waiting: int = field(
        default=1200, metadata=_limit(kinds.COUNT, "most passwords that wait for their answer")
    )
