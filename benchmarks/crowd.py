"""Play many matches at once, with players that cost as little as possible.

Their moves are worked out beforehand, and states are not parsed. A crowd plays against a server
that somebody else started. It measures how long the server takes from a move's last byte to the
next request, and checks that every match has a regular result.
"""

from __future__ import annotations

import asyncio
import random
import re
import time
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from spielleiter.games import get_game
from spielleiter.match import PlayerSeat, play_match
from spielleiter.rules import AnyState, Clock
from spielleiter.wire.wording import wording_for

_PREPARED = re.compile(
    rb'<prepared roomId="([^"]+)">\s*<reservation>([^<]+)</reservation>\s*<reservation>([^<]+)<'
)


@cache
def script(game_id: str, seed: int) -> tuple[bytes, ...]:
    """Return all moves of a random match, ready to send."""
    game = get_game(game_id)
    codec = next(iter(game.codecs.values()))
    seat = PlayerSeat(_RandomPlayer(random.Random(seed)))
    match = play_match(game.start(seed), [seat, seat], wording_for(game, ("A", "B")))
    return tuple(codec.encode_move(move).encode() for move in match.moves)


class _RandomPlayer:
    """A player that chooses any move, but skips only where nothing else is left."""

    def __init__(self, dice: random.Random) -> None:
        self._dice = dice

    def choose(self, state: AnyState, clock: Clock) -> Any:  # noqa: ARG002
        moves = list(state.legal_moves())
        return self._dice.choice([move for move in moves if getattr(move, "size", 1)] or moves)


@dataclass
class Tally:
    """What a crowd saw."""

    delays: list[float] = field(default_factory=list)
    matches: int = 0
    irregular: int = 0
    cut: int = 0

    def delay(self, share: float) -> float:
        ordered = sorted(self.delays)
        return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class ScriptedMatch:
    """Two scripted players of one prepared room."""

    def __init__(self, crowd: Crowd, room: bytes, moves: tuple[bytes, ...]) -> None:
        self.crowd, self.room, self.moves = crowd, room, moves
        self.next = 0
        self.sent_at: float | None = None
        self.open = 2
        self.done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.result = b""


class ScriptedPlayer(asyncio.Protocol):
    """One player of such a match, with a connection of its own."""

    def __init__(self, match: ScriptedMatch, code: bytes) -> None:
        self.match, self.code = match, code
        self.tail = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: asyncio.Transport = transport  # type: ignore[assignment]
        self.transport.write(b'<protocol><joinPrepared reservationCode="%s"/>' % self.code)

    def data_received(self, data: bytes) -> None:
        text = self.tail + data
        match = self.match
        if b"oveRequest" in text:
            if match.sent_at is not None:
                match.crowd.tally.delays.append(time.perf_counter() - match.sent_at)
            if match.crowd.think:
                asyncio.get_running_loop().call_later(match.crowd.think, self.move)
            else:
                self.move()
            text = text.rpartition(b"oveRequest")[2]
        if b'class="result"' in text or match.result:
            match.result += text
            text = b""
        self.tail = text[-40:]
        if b"<left " in match.result or b"<left " in data:
            self.transport.write(b"</protocol>")

    def move(self) -> None:
        match = self.match
        if not self.transport.is_closing():
            match.sent_at = time.perf_counter()
            move = match.moves[match.next].replace(b"</data>", match.crowd.padding + b"</data>")
            self.transport.write(b'<room roomId="%s">%s</room>' % (match.room, move))
            match.next += 1

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002 - asyncio's name
        match = self.match
        match.open -= 1
        if match.open == 0 and not match.done.done():
            tally = match.crowd.tally
            tally.matches += 1
            tally.cut += b"</data>" not in match.result
            tally.irregular += b'regular="false"' in match.result or match.next != len(match.moves)
            match.done.set_result(None)


class Crowd:
    """Plays matches of one game, several at a time."""

    def __init__(
        self,
        port: int,
        *,
        game_id: str = "blokus-2027",
        think: float = 0.0,
        password: str,
        padding: bytes = b"",
    ) -> None:
        self.port, self.game_id, self.think, self.password = port, game_id, think, password
        self.padding = padding  # elements that every move has besides what it needs
        self.tally = Tally()

    async def play(self, matches: int, concurrent: int) -> Tally:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(f'<protocol><authenticate password="{self.password}"/>'.encode())
        lock = asyncio.Lock()
        game_type = get_game(self.game_id).game_type

        async def prepare(seed: int) -> tuple[bytes, bytes, bytes]:
            async with lock:
                writer.write(
                    f'<prepare gameType="{game_type}" seed="{seed}"><slot displayName="a"/><slot '
                    'displayName="b"/>'
                    "</prepare>".encode()
                )
                text = b""
                while (found := _PREPARED.search(text)) is None:
                    piece = await reader.read(65536)
                    if not piece:
                        raise ConnectionError(f"the server closed: {text!r}")
                    text += piece
                return found[1], found[2], found[3]

        numbers = iter(range(matches))

        async def worker() -> None:
            loop = asyncio.get_running_loop()
            for number in numbers:
                seed = number % 25
                room, *codes = await prepare(seed)
                match = ScriptedMatch(self, room, script(self.game_id, seed))
                for code in codes:
                    await loop.create_connection(
                        lambda match=match, code=code: ScriptedPlayer(match, code),
                        "127.0.0.1",
                        self.port,
                    )
                await match.done

        for seed in range(min(25, matches)):
            script(self.game_id, seed)
        async with asyncio.TaskGroup() as group:
            for _ in range(min(concurrent, matches)):
                group.create_task(worker())
        writer.close()
        return self.tally
