"""Say in a line of English how a game ended, for the bot's author.

The server's own words are German and are not used here.
"""

from __future__ import annotations

from spielleiter.rules import AnyState, Cause, Outcome

FAULTS = {
    Cause.LEFT: "left the game, or sent something that was not asked for",
    Cause.RULE_VIOLATION: "broke a rule",
    Cause.SOFT_TIMEOUT: "took too long for a move",
    Cause.HARD_TIMEOUT: "did not answer when a move was asked for",
}
"""What a player has done whose game ended like this."""


def describe_loss(name: str, cause: Cause) -> str:
    """Report our own fault loudly.

    An example is ``!!! mybot has lost: it took too long for a move (SOFT_TIMEOUT)``.
    """
    return f"!!! {name} has lost: it {FAULTS[cause]} ({cause.value})"


def describe_result(outcome: Outcome, seat: int | None, state: AnyState | None) -> str:
    """Report a result with our own numbers first.

    An example is ``won, 188 : 116. No colour can place another piece.``
    """
    seats = sorted(outcome.winner_first, key=lambda number: seat is not None and number != seat)
    parts = [_verdict(outcome, seat)]
    if state is not None:
        parts[0] += (
            f", {state.game.describe_scores([outcome.scores[number] for number in seats]).en}"
        )
    for number in seats:
        cause = outcome.seats[number].cause
        if cause is not Cause.REGULAR:
            who = f"Seat {number}" if seat is None else "We" if number == seat else "The opponent"
            parts.append(f"{who} {FAULTS[cause]} ({cause.value})")
    if outcome.is_regular and state is not None and state.is_over:
        parts.append(state.outcome().reason.en.rstrip("."))
    return ". ".join(parts) + "."


def _verdict(outcome: Outcome, seat: int | None) -> str:
    if outcome.winner is None:
        return "draw" if outcome.is_regular else "nobody has won"
    if seat is None:
        return f"seat {outcome.winner} has won"
    return "won" if outcome.winner == seat else "lost"
