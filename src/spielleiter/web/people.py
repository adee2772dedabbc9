"""Seats of people, each of which a browser plays with a token of its own.

A seat outlives its connection. Whoever comes back with the token is asked again, and a second
browser with it takes the seat over. What is sent is checked here, so that a mistake costs
nothing. How a browser is talked to is in ``seat_socket``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from spielleiter.arena.seating import PersonLeaves
from spielleiter.rules import AnyState, NotationError, RuleViolation, Text, one_line
from spielleiter.web.access import new_key
from spielleiter.web.story import MatchStory
from spielleiter.web.telling import Teller, both, dump

ABSENT_SECONDS = 1800.0
"""How long a seat is kept for somebody whose browser is gone."""
IDLE_SECONDS = 12 * 3600.0
"""How long a move is waited for from somebody whose browser is there."""
LOOK_SECONDS = 10.0
"""How often it is looked whether somebody has come back."""
LONGEST_MOVE = 300
"""Characters of a move. The longest of the house has a hundred."""

NOT_ASKED = Text("Du bist gerade nicht am Zug.", "It is not your turn.")
OTHER_TURN = Text("Die Stellung ist schon eine andere.", "The position is a different one by now.")
UNREADABLE = Text("Das ist kein Zug, den man lesen kann.", "That is not a move anybody can read.")


class SeatLine(Protocol):
    """A browser that plays a seat."""

    def tell(self, text: str) -> None: ...
    def take_over(self) -> None: ...


def _list_moves(state: AnyState) -> str:
    """Return every legal move in notation, as JSON."""
    return dump([state.game.format_move(move) for move in state.legal_moves()])


@dataclass(slots=True, eq=False)
class PersonSeat:
    """One person in one match. Used from the loop's thread."""

    number: int
    story: MatchStory
    teller: Teller
    now: Callable[[], float]
    token: str = field(default_factory=new_key, repr=False)
    line: SeatLine | None = None
    _absent_since: float = field(init=False)
    _state: AnyState | None = None
    _answer: asyncio.Future[Any] | None = None
    _question: str = ""
    _last_words: str = ""
    _has_left: bool = False

    def __post_init__(self) -> None:
        self._absent_since = self.now()

    @property
    def absent_seconds(self) -> float | None:
        """Since how long no browser has this seat, None if one has."""
        return None if self.line is not None else self.now() - self._absent_since

    # For the match

    async def choose(self, state: AnyState) -> Any:
        """Ask the person for a move. Raises PersonLeaves when they have left for good."""
        if self._has_left:
            raise PersonLeaves
        newest = self.story.newest
        # What the server has is what the move is judged by, down to the last detail.
        self._state = newest if newest is not None and newest.turn == state.turn else state
        # Listing the moves may take long, above all the first time. The loop has other matches.
        moves = await asyncio.to_thread(_list_moves, self._state)
        self._answer = asyncio.get_running_loop().create_future()
        self._question = self._ask(self._state, moves)
        asked_at = self.now()
        self._tell(self._question)
        try:
            while not self._answer.done():
                if self.now() >= self._deadline(asked_at):
                    raise PersonLeaves
                await asyncio.wait({self._answer}, timeout=LOOK_SECONDS)
            return self._answer.result()
        finally:
            self._answer = None

    def _deadline(self, asked_at: float) -> float:
        if self.line is not None:
            return asked_at + IDLE_SECONDS
        return max(asked_at, self._absent_since) + ABSENT_SECONDS

    def _ask(self, state: AnyState, moves: str) -> str:
        index = max(0, len(self.story.positions) - 1)
        view = self.teller.view(state)
        head = f'{{"type":"asked","index":{index},"seconds":null'
        return f'{head},"moves":{moves},"view":{view}}}'

    def end(self) -> None:
        """Tell the browser that the match is over."""
        self._last_words = self._last_words or dump({"type": "ended", "id": self.story.id})
        self._tell(self._last_words)

    def follow(self, match_id: str, token: str) -> None:
        """Tell the browser that the match goes on as another one, where it has this token."""
        self._last_words = dump({"type": "next", "id": match_id, "token": token})
        self._tell(self._last_words)

    # For the browser

    def connect(self, line: SeatLine) -> None:
        """Let this browser play from now on, and tell it how things stand."""
        if self.line is not None:
            self.line.take_over()
        self.line = line
        if self._last_words:
            self._tell(self._last_words)
        elif self._answer is not None:
            self._tell(self._question)

    def disconnect(self, line: SeatLine) -> None:
        """Keep the seat for whoever comes back with the token."""
        if self.line is line:
            self.line = None
            self._absent_since = self.now()

    def move(self, text: object, index: object = None) -> None:
        """Play a move in notation, or tell the browser why it cannot be played."""
        shown = one_line(text, LONGEST_MOVE) if isinstance(text, str) else ""
        state, answer = self._state, self._answer
        if state is None or answer is None or answer.done():
            self._refuse(shown, NOT_ASKED)
            return
        if index is not None and index != len(self.story.positions) - 1:
            self._refuse(shown, OTHER_TURN)
            return
        if not isinstance(text, str) or len(text) > LONGEST_MOVE:
            self._refuse(shown, UNREADABLE)
            return
        try:
            move = state.game.parse_move(text)
        except NotationError:
            self._refuse(shown, UNREADABLE)
            return
        try:
            state.play(move)
        except RuleViolation as violation:
            cells = state.game.cells_at_fault(state, move)
            self._refuse(shown, violation.text, cells)
            return
        answer.set_result(move)

    def resign(self) -> None:
        """Give the match up."""
        self._has_left = True
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(PersonLeaves())

    def _refuse(self, move: str, reason: Text, cells: tuple[tuple[int, int], ...] = ()) -> None:
        said = {"type": "refused", "move": move, "reason": both(reason)}
        self._tell(dump(said | {"cells": [list(cell) for cell in cells]}))

    def _tell(self, text: str) -> None:
        if self.line is not None:
            self.line.tell(text)
