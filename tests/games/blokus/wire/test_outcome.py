"""Blokus results on the wire: who is named winner, whose points count, which cause is read from
which words.
"""

from __future__ import annotations

import pytest

from games.blokus.wire_samples import (
    CODEC_2027,
    GAME,
    NAMES,
    NEWEST,
    parse,
    position,
)
from spielleiter.rules import Cause, Outcome, SeatOutcome, Text
from spielleiter.wire.errors import CodecError


def test_a_draw_of_2021_has_two_winners_and_a_lost_game_one() -> None:
    """W26."""
    start = GAME["blokus-2021"].start(0)
    draw = start.outcome()
    text = NEWEST.encode_outcome(draw, start, NAMES)
    winners = [winner.get("displayName") for winner in parse(text).all("winner")]
    assert winners == list(NAMES)
    assert NEWEST.decode_outcome(parse(text)).winner is None
    lost = draw.forfeit(0, Cause.HARD_TIMEOUT, Text("zu spät", "late"))
    text = NEWEST.encode_outcome(lost, start, NAMES)
    assert [winner.get("displayName") for winner in parse(text).all("winner")] == [NAMES[1]]


def test_the_winner_of_2021_is_who_has_the_victory_points() -> None:
    """W26, W27: official servers crown offenders after a timeout, and somebody without points on a
    cancel.
    """
    start = GAME["blokus-2021"].start(0)
    lost = start.outcome().forfeit(0, Cause.SOFT_TIMEOUT, Text("x", "x"))
    crowned = NEWEST.encode_outcome(lost, start, NAMES).replace(">TWO<", ">ONE<")
    assert NEWEST.decode_outcome(parse(crowned)).winner == 1
    cancelled = crowned.replace("<part>2</part>", "<part>0</part>")
    assert NEWEST.decode_outcome(parse(cancelled)).winner == 0


def test_nobody_wins_if_both_left() -> None:
    gone = SeatOutcome(0, (5,), Cause.LEFT, Text("weg", "gone"))
    both = Outcome(
        (gone, gone),
        None,
        "LEFT",
        Text("Alle Spieler hat das Spiel verlassen: NOT_CONNECTED", "all gone"),
    )
    start = GAME["blokus-2021"].start(0)
    assert "<winner" not in NEWEST.encode_outcome(both, start, NAMES)
    text = CODEC_2027.encode_outcome(both, start, NAMES)
    assert (
        '<winner regular="false" reason="Alle Spieler hat das Spiel verlassen: NOT_CONNECTED"/>'
        in text
    )
    read = CODEC_2027.decode_outcome(parse(text))
    assert [line.cause for line in read.seats] == [Cause.LEFT, Cause.LEFT]
    assert read.winner is None


def test_who_breaks_off_in_2027_loses_the_points_of_the_game() -> None:
    """W33."""
    state = position(GAME["blokus-2027"], 2, 30)
    lost = state.outcome().forfeit(0, Cause.LEFT, Text("weg", "gone"))
    read = CODEC_2027.decode_outcome(parse(CODEC_2027.encode_outcome(lost, state, NAMES)))
    assert read.scores == ((0,), state.outcome().scores[1])
    assert lost.scores == state.outcome().scores


@pytest.mark.parametrize(
    ("names", "player", "reason"),
    [
        (("", "B"), '<player team="ONE"/>', "B hat am meisten Punkte erzielt."),
        (("A", "  "), '<player name="A" team="ONE"/>', "TWO hat am meisten Punkte erzielt."),
    ],
)
def test_blank_names_of_2027(names: tuple[str, str], player: str, reason: str) -> None:
    won = Outcome((SeatOutcome(0, (5,)), SeatOutcome(2, (9,))), 1, "NO_MOVES", Text("", ""))
    text = CODEC_2027.encode_outcome(won, GAME["blokus-2027"].start(0), names)
    assert player in text
    assert f'<winner team="TWO" regular="true" reason="{reason}"/>' in text


@pytest.mark.parametrize(
    ("reason", "cause"),
    [
        ("Regelverletzung von p2: so nicht", Cause.RULE_VIOLATION),
        (
            "p2 hat fuer die Antwort auf die Zugaufforderung laenger als 2 Sekunden gebraucht.",
            Cause.SOFT_TIMEOUT,
        ),
        (
            "p2 hat innerhalb von 2 Sekunden nach Aufforderung keinen Zug gesendet.",
            Cause.HARD_TIMEOUT,
        ),
        ("p2 hat das Spiel verlassen: LOST_CONNECTION", Cause.LEFT),
        (
            "Missachtung des Spielablaufs von p2: Move from TWO(p2) has not been requested.",
            Cause.LEFT,
        ),
    ],
)
def test_the_cause_of_2027_is_read_from_its_reason(reason: str, cause: Cause) -> None:
    """W34."""
    start = GAME["blokus-2027"].start(0)
    text = CODEC_2027.encode_outcome(
        start.outcome().forfeit(1, Cause.LEFT, Text(reason, reason)), start, ("p1", "p2")
    )
    read = CODEC_2027.decode_outcome(parse(text))
    assert [line.cause for line in read.seats] == [Cause.REGULAR, cause]
    assert read.seats[1].reason.de == reason


def test_a_result_of_2027_with_one_player_leaves_the_other_seat_empty() -> None:
    start = GAME["blokus-2027"].start(0)
    gone = start.outcome().forfeit(1, Cause.LEFT, Text("weg", "gone"))
    element = parse(CODEC_2027.encode_outcome(gone, start, NAMES))
    scores = element.find("scores")
    assert scores is not None
    del scores.children[1]
    read = CODEC_2027.decode_outcome(element)
    assert [line.points for line in read.seats] == [2, 0]
    assert read.seats[1].cause is Cause.LEFT


BAD_RESULTS = {
    "one score": (
        "</definition>",
        '</definition><score cause="REGULAR"><part>1</part><part>2</part></score>',
        "data/score",
        "3",
    ),
    "cause": (
        'cause="REGULAR"',
        'cause="BOREDOM"',
        "data/score[1]@cause",
        "SOFT_TIMEOUT, HARD_TIMEOUT",
    ),
    "three parts": (
        "<part>1</part>",
        "<part>1</part><part>1</part>",
        "data/score[1]/part",
        "there are 3 of them",
    ),
    "part": ("<part>1</part>", "<part>eins</part>", "data/score[1]/part", "'eins' found"),
    "team": (">ONE</color>", ">RED</color>", "data/winner/color", "expected one of ONE, TWO"),
}


@pytest.mark.parametrize("name", BAD_RESULTS)
def test_a_bad_result_is_refused_with_its_place(name: str) -> None:
    old, new, where, reason = BAD_RESULTS[name]
    start = GAME["blokus-2021"].start(0)
    text = NEWEST.encode_outcome(start.outcome(), start, NAMES).replace(old, new)
    with pytest.raises(CodecError) as caught:
        NEWEST.decode_outcome(parse(text))
    assert caught.value.where == where
    assert reason in caught.value.reason
