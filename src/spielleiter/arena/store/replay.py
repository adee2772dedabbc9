"""Play stored matches again by the rules, and make replays of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from spielleiter.arena.store.errors import StoreError, StoreFault
from spielleiter.arena.store.values import StoredMatch, StoredMove, StoredNote
from spielleiter.arena.thoughts import parse_thoughts
from spielleiter.games import get_game
from spielleiter.match import MoveRecord
from spielleiter.replays import MatchRecord, RecordedPosition
from spielleiter.rules import AnyGame, AnyState, GameError, UnknownGame

if TYPE_CHECKING:
    from spielleiter.arena.store.reader import StoreReader

MOST_NOTE_LINES = 50
"""Lines of notes that a replay shows beside one move."""


class MatchFault(Exception):
    """A stored match that cannot be played again. The text says where and why."""


@dataclass(frozen=True, slots=True)
class PlayedAgain:
    """The positions of a stored match, first to last."""

    opening: tuple[AnyState, ...]
    """From the first position to the one in which the bots begin."""
    played: tuple[AnyState, ...]
    """One for each move of the bots."""
    moves: tuple[Any, ...]
    """Those moves."""

    @property
    def start(self) -> AnyState:
        """The position in which the bots begin."""
        return self.opening[-1]

    @property
    def final(self) -> AnyState:
        return self.played[-1] if self.played else self.start


def play_again(
    game: AnyGame, opening: Mapping[str, Any], moves: Sequence[StoredMove]
) -> PlayedAgain:
    """Play a match from its first position by the rules. Raises MatchFault."""
    states = [_first_position(game, opening)]
    texts = opening.get("moves", [])
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise MatchFault("its opening has no list of moves")
    for number, text in enumerate(texts, 1):
        states.append(_play(game, states[-1], text, f"move {number} of its opening")[1])
    after: list[AnyState] = []
    made: list[Any] = []
    state = states[-1]
    for expected, move in enumerate(moves):
        where = f"move {move.ply}"
        if move.ply != expected:
            raise MatchFault(f"its move {expected} is missing")
        if (move.seat, move.turn) != (state.seat, state.turn):
            raise MatchFault(
                f"{where} is said to be of seat {move.seat} in turn {move.turn}, but it is the "
                f"turn {state.turn} of seat {state.seat}"
            )
        parsed, state = _play(game, state, move.text, where)
        made.append(parsed)
        after.append(state)
    return PlayedAgain(tuple(states), tuple(after), tuple(made))


def _first_position(game: AnyGame, opening: Mapping[str, Any]) -> AnyState:
    position, seed = opening.get("position"), opening.get("seed")
    try:
        if isinstance(position, str):
            state: AnyState = game.parse_position(position)
            return state
    except GameError as error:
        raise MatchFault(f"the position of its opening cannot be read: {error}") from error
    if isinstance(seed, int):
        first: AnyState = game.start(seed)
        return first
    raise MatchFault("its opening has neither a position nor a seed")


def _play(game: AnyGame, state: AnyState, text: str, where: str) -> tuple[Any, AnyState]:
    try:
        move = game.parse_move(text)
        return move, state.play(move)
    except GameError as error:
        raise MatchFault(f"{where} cannot be played: {error}") from error


def record_of(reader: StoreReader, match: StoredMatch, *, notes: bool = True) -> MatchRecord:
    """Return a stored match as a record, which can be saved as a replay and shown.

    It begins with the first position, the moves of the opening included, which have no time. With
    ``notes`` the bots' notes stand among the hints of their moves, because that is where a replay
    has room for them. Raises StoreError if the match has no result or cannot be played again.
    """
    run = reader.run(match.run_id).run
    name = f"match {match.plan.number} of run {match.run_id}"
    if match.result is None:
        raise StoreError(
            StoreFault.MISSING,
            f"{name} was not played to its end",
            f"play it with: spielleiter resume {reader.path.parent}",
        )
    moves = reader.moves(match)
    try:
        game = get_game(run.game)
        again = play_again(game, match.plan.opening, moves)
    except (UnknownGame, MatchFault) as error:
        raise StoreError(
            StoreFault.DAMAGED,
            f"{name} cannot be shown: {error}",
            f"look for more with: spielleiter results check {reader.path.parent}",
        ) from error
    if notes:
        moves = _with_notes(moves, reader.notes(match))
    shown = [RecordedPosition(state) for state in again.opening]
    shown += [
        RecordedPosition(state, move.hints, move.seconds)
        for state, move in zip(again.played, moves, strict=True)
    ]
    bots = {bot.number: bot.name for bot in reader.bots(match.run_id)}
    return MatchRecord(
        next(iter(game.codecs.values())),
        f"{run.key[:12]}-{match.plan.number}",
        (bots[match.plan.first_bot], bots[match.plan.second_bot]),
        shown,
        [
            MoveRecord(move.turn, move.seat, made, move.seconds or 0.0, move.hints)
            for move, made in zip(moves, again.moves, strict=True)
        ],
        None,
        match.result.outcome,
        again.final,
    )


def _with_notes(moves: Sequence[StoredMove], notes: Sequence[StoredNote]) -> tuple[StoredMove, ...]:
    lines: dict[tuple[int, int], list[str]] = {}
    for note in notes:
        thoughts = parse_thoughts(note.content)
        if thoughts is not None and not thoughts.after_the_end:
            # Hints that were sent are with the move already.
            said = replace(thoughts, hints=()).lines(MOST_NOTE_LINES)
            lines.setdefault((note.seat, thoughts.turn), []).extend(said)
    return tuple(
        move._replace(hints=(*move.hints, *lines.get((move.seat, move.turn), ()))) for move in moves
    )
