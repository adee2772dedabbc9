"""The sentences of the referee's decisions, for games with a codec and for games without one."""

from __future__ import annotations

import copy

import pytest

from spielleiter.games import all_games, get_game
from spielleiter.match import Departure
from spielleiter.rules import RuleViolation, Text
from spielleiter.wire.wording import PlainWording, SeasonWording, wording_for

GAME = get_game("blokus-2027")
NAMES = ("Anna", " ")
VIOLATION = RuleViolation("CORNERS", Text("Ecken", "corners"))


def test_the_names_are_those_of_the_players_and_the_team_if_one_is_blank() -> None:
    wording = wording_for(GAME, NAMES)
    assert isinstance(wording, SeasonWording)
    assert wording.soft_timeout(0, 2.5).en.startswith("Anna took more than 2.5 seconds")
    assert wording.hard_timeout(1, 10).en.startswith("TWO did not send a move within 10 seconds")
    assert wording.left(0, Departure.LOST_CONNECTION, 1, None).de == (
        "Anna hat das Spiel verlassen: LOST_CONNECTION"
    )


def test_a_move_that_nobody_asked_for_is_told_with_both_players_and_the_move() -> None:
    move = GAME.start(1).legal_moves()[0]
    codec = next(iter(GAME.codecs.values()))
    wording = SeasonWording(codec, ("Anna", "Ben"))
    said = wording.protest(1, Departure.OUT_OF_TURN, 0, move)
    assert "expected: ONE(Anna), got TWO(Ben)" in said
    assert codec.describe_move(move) in said
    assert said in wording.left(1, Departure.OUT_OF_TURN, 0, move).de


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.id)
def test_a_broken_rule_is_told_by_the_codec(game) -> None:
    codec = next(iter(game.codecs.values()))
    reason = wording_for(game, ("Anna", "Ben")).violation(0, VIOLATION, None)
    assert reason == codec.violation_reason(VIOLATION, None, "Anna")


def test_a_game_without_a_codec_is_told_in_the_words_of_its_rules() -> None:
    unfinished = copy.copy(GAME)
    vars(unfinished)["codecs"] = {}
    wording = wording_for(unfinished, ("Anna", "Ben"))
    assert type(wording) is PlainWording
    assert wording.violation(0, VIOLATION, None) == VIOLATION.text
    assert "Ben" in wording.soft_timeout(1, 2).en
    move = GAME.start(1).legal_moves()[0]
    assert str(move) in wording.protest(1, Departure.OUT_OF_TURN, 0, move)
