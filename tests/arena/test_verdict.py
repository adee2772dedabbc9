"""How a finished match is told, without playing one.

Every way to lose is said once, and the winner's points come first.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from spielleiter.arena.arena_match import ArenaMatch, BotReport, Patience
from spielleiter.arena.bots import BotKind
from spielleiter.arena.lookup import find_bot
from spielleiter.arena.verdict import LAST_LINES, explain, printed_lines
from spielleiter.games import all_games, get_game
from spielleiter.match import Departure
from spielleiter.replays import MatchRecord
from spielleiter.rules import Cause, Outcome, RuleViolation, SeatOutcome, Text
from spielleiter.server import Settings
from spielleiter.wire.codec import Codec
from spielleiter.wire.wording import SeasonWording

BLOKUS = get_game("blokus-2021")
HARES = get_game("hase-und-igel-2018")
REASON = Text("Das Spiel ist vorbei.", "The game is over.")
CODECS = [codec for game in all_games() for codec in game.codecs.values()]


def game_over(
    codec: Codec, outcome: Outcome, *reports: BotReport, cancelled: bool = False
) -> ArenaMatch:
    """Return a match that ended like this in its first turn."""
    state = codec.game.start(1)
    record = MatchRecord(codec, "room", ("A", "B"), outcome=outcome, final=state)
    spec = find_bot("random", codec.game)
    bots = reports or tuple(BotReport(spec, name) for name in record.names)
    return ArenaMatch(record, outcome, bots, 1, Settings(), Patience(match=9.0), cancelled)


def ended(winner: int | None, *parts: tuple[int, ...]) -> Outcome:
    return Outcome(tuple(SeatOutcome(1, part) for part in parts), winner, "NO_MOVES", REASON)


def default(game_id: str) -> Codec:
    return next(iter(get_game(game_id).codecs.values()))


@pytest.mark.parametrize(
    ("game", "outcome", "said"),
    [
        ("blokus-2021", ended(0, (218,), (106,)), "A wins, 218 : 106. The game is over."),
        ("blokus-2021", ended(1, (106,), (218,)), "B wins, 218 : 106. The game is over."),
        ("blokus-2021", ended(None, (106,), (106,)), "Draw, 106 : 106. The game is over."),
        (
            "hase-und-igel-2018",
            ended(1, (53, 11), (64, 9)),
            "B wins, field 64 : 53, carrots 9 : 11. The game is over.",
        ),
    ],
)
def test_the_winners_points_come_first(game: str, outcome: Outcome, said: str) -> None:
    assert explain(game_over(default(game), outcome)) == said


def test_they_do_so_in_both_languages() -> None:
    assert HARES.describe_result(ended(1, (53, 11), (64, 9))) == Text(
        "Feld 64 : 53, Karotten 9 : 11", "field 64 : 53, carrots 9 : 11"
    )


def test_a_game_that_was_stopped_has_no_winner_to_put_first() -> None:
    stopped = game_over(default("blokus-2021"), ended(1, (3,), (8,)), cancelled=True)
    assert explain(stopped) == "The game took longer than 9 s and was stopped at 3 : 8."


@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: f"{codec.game.id} {codec.revision}")
def test_a_broken_rule_is_told_once(codec: Codec) -> None:
    state = codec.game.start(1)
    broken = RuleViolation("NOT_SO", Text("So nicht.", "Not like this."))
    reason = SeasonWording(codec, ("A", "B")).violation(0, broken, state.legal_moves()[0])
    said = explain(game_over(codec, state.outcome().forfeit(0, Cause.RULE_VIOLATION, reason)))
    assert said.startswith("A broke a rule in turn 0: Not like this")
    assert said.endswith(". B wins.")
    assert (said.count("broke"), said.count("A "), said.count(". ")) == (1, 1, 1)


@pytest.mark.parametrize("how", list(Departure))
@pytest.mark.parametrize("codec", CODECS, ids=lambda codec: f"{codec.game.id} {codec.revision}")
def test_a_departure_is_told_once_and_says_how(codec: Codec, how: Departure) -> None:
    state = codec.game.start(1)
    reason = SeasonWording(codec, ("A", "B")).left(0, how, 1, state.legal_moves()[0])
    said = explain(game_over(codec, state.outcome().forfeit(0, Cause.LEFT, reason)))
    assert said.startswith("A left the game in turn 0: it")
    assert said.endswith(". B wins.")
    assert "left the game" not in said.removeprefix("A left the game")


@pytest.mark.parametrize(
    ("stdout", "stderr", "printed", "failed", "said"),
    [
        ("", "mine: won\n", 0, False, None),
        ("one\n", "mine: won\n", 1, False, "1 line printed, --output shows it"),
        ("one\ntwo", "", 2, False, "2 lines printed, --output shows them"),
        ("one\n", "mine: !!! failed\n", 1, True, "1 line printed, --output shows it"),
        ("", "Traceback\n", 1, True, None),
        ("x\n" * LAST_LINES, "", LAST_LINES, True, None),
        ("x\n" * 99, "", 99, True, "99 lines printed, --output shows them"),
    ],
)
def test_what_a_bot_printed_is_counted_unless_it_was_shown(
    stdout: str, stderr: str, printed: int, failed: bool, said: str | None
) -> None:
    spec = replace(find_bot("random", BLOKUS), kind=BotKind.PYTHON)
    report = BotReport(spec, "mine", stdout=stdout, stderr=stderr, printed=printed)
    outcome = ended(1, (1,), (2,))
    if failed:
        outcome = outcome.forfeit(0, Cause.LEFT, REASON)
    played = game_over(
        default("blokus-2021"),
        outcome,
        report,
        BotReport(find_bot("random", BLOKUS), "B", printed=9),
    )
    assert printed_lines(played) == ([] if said is None else [f"mine: {said}"])
