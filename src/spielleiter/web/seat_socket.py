"""Talk to the browser that plays a seat, over its socket.

Rubbish, too much and too fast end the connection and never the match.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from spielleiter.rules import Text
from spielleiter.web.people import PersonSeat
from spielleiter.web.telling import both, dump

UNKNOWN = 4404
"""The close code for a token that nobody has, or not any more."""
TAKEN = 4409
"""The close code for a browser whose seat another one has taken over."""
POLICY_VIOLATED = 1008
LONGEST = 2000
"""Characters of one message."""
MOST_PER_SECOND = 10.0
BURST = 40.0
MOST_RUBBISH = 20
MOST_WAITING = 100
"""Messages that may wait for a slow browser, before it is parted with."""

NO_SEAT = Text("Diesen Platz gibt es nicht mehr.", "This seat is not there any more.")
NOT_UNDERSTOOD = Text("Das hat der Server nicht verstanden.", "The server did not understand that.")


class SeatSocket:
    """One browser at a seat."""

    def __init__(self, socket: WebSocket) -> None:
        self._socket = socket
        self._waiting: asyncio.Queue[str | None] = asyncio.Queue()
        self._code, self._reason = 1000, ""
        self._left, self._filled_at = BURST, asyncio.get_running_loop().time()
        self._rubbish = 0

    def tell(self, text: str) -> None:
        if self._waiting.qsize() >= MOST_WAITING:
            self._end(POLICY_VIOLATED, "it does not read what it is sent")
        else:
            self._waiting.put_nowait(text)

    def take_over(self) -> None:
        self.tell(dump({"type": "taken"}))
        self._end(TAKEN, "another browser has the seat")

    def _end(self, code: int, reason: str) -> None:
        if not self._reason:
            self._code, self._reason = code, reason
            self._waiting.put_nowait(None)

    async def serve(self, seat: PersonSeat) -> None:
        """Play the seat until the browser goes, or has to go."""
        seat.connect(self)
        tasks = {asyncio.ensure_future(self._send()), asyncio.ensure_future(self._listen(seat))}
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        except (WebSocketDisconnect, RuntimeError, OSError):
            pass  # it went while we wrote
        finally:
            seat.disconnect(self)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _send(self) -> None:
        while (text := await self._waiting.get()) is not None:
            await self._socket.send_text(text)
        await self._socket.close(self._code, self._reason)

    async def _listen(self, seat: PersonSeat) -> None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            if not self._may_speak():
                self._end(POLICY_VIOLATED, "too many messages")
                break
            said = _read(message.get("text"))
            if said is None:
                self._rubbish += 1
                if self._rubbish > MOST_RUBBISH:
                    self._end(POLICY_VIOLATED, "nothing of it makes sense")
                    break
                reason = both(NOT_UNDERSTOOD)
                self.tell(dump({"type": "refused", "move": "", "reason": reason, "cells": []}))
            elif said["type"] == "move":
                seat.move(said.get("move"), said.get("index"))
            else:
                seat.resign()
        # The other task closes the connection.
        await asyncio.Event().wait()

    def _may_speak(self) -> bool:
        now = asyncio.get_running_loop().time()
        self._left = min(BURST, self._left + (now - self._filled_at) * MOST_PER_SECOND)
        self._filled_at = now
        self._left -= 1
        return self._left >= 0


def _read(text: object) -> dict[str, Any] | None:
    """Return a message that makes sense, or None."""
    if not isinstance(text, str) or len(text) > LONGEST:
        return None
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    known = ("move", "resign")
    return said if isinstance(said, dict) and said.get("type") in known else None


async def serve_seat(socket: WebSocket, find: Callable[[str], PersonSeat | None]) -> None:
    """Answer a socket that names a token."""
    await socket.accept()
    params: Mapping[str, Any] = socket.path_params
    seat = find(params["token"])
    if seat is None:
        await socket.send_text(dump({"type": "unknown", "reason": both(NO_SEAT)}))
        await socket.close(UNKNOWN, NO_SEAT.en)
        return
    await SeatSocket(socket).serve(seat)
