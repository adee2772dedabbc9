"""Put recorded matches into words, and their positions onto pages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spielleiter.replays import RecordedMatch
from spielleiter.rules import Cause, one_line


def format_page(recorded: RecordedMatch, index: int, painted: bool) -> str:
    """Return one position with all that is known about it."""
    head, picture, end = page_parts(recorded, index, painted)
    return "\n".join((*head, "", picture, *(["", *end] if end else [])))


def page_parts(
    recorded: RecordedMatch, index: int, painted: bool
) -> tuple[list[str], str, list[str]]:
    """Return what is said before a position, its picture, and what is said after it."""
    position = recorded.positions[index]
    seats = range(recorded.game.seats)
    players = " against ".join(player_title(recorded, seat) for seat in seats)
    lines = [
        f"{one_line(recorded.source)}: {recorded.game.title}, {players}",
        (
            f"position {index + 1} of {len(recorded.positions)}, turn "
            f"{position.state.turn}{_move(recorded, index)}"
        ),
    ]
    lines += [f"hint: {one_line(hint)}" for hint in position.hints]
    standing = zip(seats, position.state.outcome().scores, strict=True)
    lines.append(
        "score: "
        + "; ".join(
            f"{player_title(recorded, seat)} {_numbers(recorded, part)}" for seat, part in standing
        )
    )
    is_last = index == len(recorded.positions) - 1
    return (
        lines,
        recorded.game.picture(position.state, color=painted),
        list(_ending(recorded)) if is_last else [],
    )


def _move(recorded: RecordedMatch, index: int) -> str:
    position = recorded.positions[index]
    move = position.state.last_move
    if move is None:
        return ""
    mover = (
        f"{player_title(recorded, recorded.positions[index - 1].state.seat)} played "
        if index
        else "last move "
    )
    seconds = "" if position.seconds is None else f" in {position.seconds:.3f} s"
    return f": {mover}{one_line(recorded.game.format_move(move))}{seconds}"


def _ending(recorded: RecordedMatch) -> Iterator[str]:
    """Yield how it ended, and what was unusual about the recording."""
    if recorded.complaint is not None:
        yield f"error: {one_line(recorded.complaint)}"
    outcome = recorded.outcome
    if outcome is not None:
        winner = (
            "draw" if outcome.winner is None else f"{player_title(recorded, outcome.winner)} wins"
        )
        yield f"result: {winner}, {format_result(recorded, winner_first=True)}"
        for seat, line in enumerate(outcome.seats):
            if line.cause is not Cause.REGULAR:
                reason = f": {one_line(line.reason.en)}" if line.reason.en else ""
                yield f"{player_title(recorded, seat)}: {line.cause.value}{reason}"
    yield from (
        f"note: {one_line(note)}" for note in (*recorded.notes, recorded.variant_note) if note
    )


def player_title(recorded: RecordedMatch, seat: int) -> str:
    name, title = one_line(recorded.names[seat]).strip(), recorded.game.seat_names[seat].en
    return f"{name} ({title})" if name else title


def format_result(recorded: RecordedMatch, *, winner_first: bool = False) -> str:
    """Return the result as ``2:0 (137 : 131)``, with what was irregular.

    Seats keep their order unless the winner is to come first.
    """
    outcome = recorded.outcome
    if outcome is None:
        return "no result"
    seats = outcome.winner_first if winner_first else range(len(outcome.seats))
    points = ":".join(str(outcome.seats[seat].points) for seat in seats)
    scores = recorded.game.describe_scores([outcome.scores[seat] for seat in seats]).en
    causes = "".join(
        f" {line.cause.value}" for line in outcome.seats if line.cause is not Cause.REGULAR
    )
    return f"{points} ({scores}){causes}"


def _numbers(recorded: RecordedMatch, parts: Sequence[int]) -> str:
    """Return the numbers of one seat, as the game describes them."""
    return recorded.game.describe_scores([parts]).en
