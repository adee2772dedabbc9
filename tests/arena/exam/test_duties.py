"""A bot that does its duties passes, and each misbehaviour fails the one step it belongs to."""

import asyncio
import re
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from spielleiter.arena.arena_match import Patience
from spielleiter.arena.bots import BotKind, BotSpec
from spielleiter.arena.exam import duties as checking
from spielleiter.arena.exam.duties import check_bot
from spielleiter.arena.exam.evidence import CheckLimits, Evidence, Trial
from spielleiter.arena.exam.situations import (
    USUAL_MATCHES,
    PassingPlayer,
    find_situations,
    seeds_of_starts,
)
from spielleiter.arena.exam.steps import OPTION_FORMS, STEP_TITLES, CheckPlan, StepResult, Verdict
from spielleiter.arena.lookup import find_bot
from spielleiter.client import runner as running
from spielleiter.games import get_game
from spielleiter.rules import FreeClock, Game
from third_game.game import FOUR

TINY = Path(__file__).with_name("tiny_bot.py")
QUICK = CheckPlan(most_matches=2, most_positions=1)
PATIENT = CheckLimits(join=30, move=30, hard=30, close=30, orphaned=30)
"""No duty is failed because this machine is busy."""


def tiny(mode: str) -> BotSpec:
    return BotSpec(BotKind.COMMAND, "tiny", (sys.executable, "-S", "-E", str(TINY), mode))


def check(
    spec: BotSpec, limits: CheckLimits = PATIENT, game: Game[Any, Any] = FOUR
) -> dict[int, StepResult]:
    reported: list[StepResult] = []
    results = asyncio.run(check_bot(spec, game, plan=QUICK, limits=limits, report=reported.append))
    assert reported == results
    assert [(result.number, result.title) for result in results] == list(enumerate(STEP_TITLES, 1))
    assert all(result.expected and result.came for result in results)
    return {result.number: result for result in results}


def steps(results: dict[int, StepResult], verdict: Verdict) -> list[int]:
    return [number for number, result in results.items() if result.verdict is verdict]


# Who does his duties


def test_a_bot_in_nobodys_language() -> None:
    results = check(tiny("good"))
    assert steps(results, Verdict.PASSED) == list(range(1, 11)), results
    assert results[4].came.startswith("2 games, ")
    assert "2 games to the end, as first and as second player" in results[4].expected
    assert all(title in results[10].came for title, _ in OPTION_FORMS)
    assert results[8].came.startswith("done: while it waits (")
    assert results[9].came == "0 bytes in the game with most"


@pytest.mark.parametrize("game_id", ["blokus-2027", "hase-und-igel-2018"])
def test_a_house_bot(game_id: str) -> None:
    game = get_game(game_id)
    results = check(find_bot("random", game), PATIENT, game)
    assert steps(results, Verdict.PASSED) == list(range(1, 11)), results
    assert int(results[3].came.split()[0]) > 20


# Who does not


FAILING = {
    "crash": (1, "it ended before it connected (exit code 1)"),
    "never connects": (2, "it did not connect within 0.2 s"),
    "mute": (2, "it connected and said nothing for "),
    "any seat": (2, "it sent Join, without the reservation code"),
    "silent": (3, "no move came within 0.2 s, in turn 0"),
    "illegal": (4, "breaks a rule, in turn 0"),
    "no number": (4, "its move cannot be read, in turn 0: "),
    "broken xml": (4, "its move cannot be read, in turn 0: "),
    "quits": (4, "it went away instead of moving, in turn 2"),
    "twice": (4, "it sent something before it was asked, in turn 2"),
    "starts at 0": (5, "it went away instead of moving, in turn "),
    "brittle": (6, "it went away instead of moving, in turn "),
    "stays": (7, "it still runs 0.2 s after the result"),
    "bad exit": (7, "it ended with exit code 7"),
    "orphan": (8, "while it waits: it still runs 0.2 s after the server is gone"),
    "fixed order": (10, "-h H -p P -r R: it ended before it connected (exit code 1)"),
}
SHORT = {
    "never connects": replace(PATIENT, join=0.2),
    "mute": replace(PATIENT, join=0.2),
    "silent": replace(PATIENT, hard=0.2),
    "stays": replace(PATIENT, close=0.2),
    "orphan": replace(PATIENT, orphaned=0.2),
}
"""Only the wait that is in vain anyway is short."""
UNJUDGED = {
    "crash": range(2, 11),
    **dict.fromkeys(("never connects", "mute", "any seat"), range(3, 11)),
    "silent": (4, 5, 6, 7, 8, 10),
    **dict.fromkeys(("illegal", "no number", "quits", "twice"), (5, 6, 7, 8, 10)),
    "broken xml": (3, 5, 6, 7, 8, 10),
}
"""What cannot be said about a bot that fails before."""


@pytest.mark.parametrize("mode", FAILING)
def test_each_misbehaviour_fails_the_step_it_belongs_to(mode: str) -> None:
    limits = SHORT.get(mode, PATIENT)
    step, came = FAILING[mode]
    results = check(tiny(mode), limits)
    # On a busy machine a bot may have had no time to connect; then it gets more.
    while mode == "mute" and "did not connect" in results[step].came:
        limits = replace(limits, join=limits.join * 4)
        results = check(tiny(mode), limits)
    assert steps(results, Verdict.FAILED) == [step], results
    assert came in results[step].came
    unjudged = steps(results, Verdict.SKIPPED)
    assert set(unjudged) <= set(UNJUDGED.get(mode, ())), results
    assert all(f"see step {step}" in results[number].came for number in unjudged)


@pytest.mark.parametrize(
    ("mode", "step", "words"),
    [
        ("crash", 1, "Traceback: this bot has a mistake in line 1"),
        ("quits", 4, "I do not like this"),
        ("brittle", 6, 'cannot read <joined roomId="check" oddAttribute="1"/>'),
    ],
)
def test_what_a_bot_said_last_is_shown_where_it_failed(mode: str, step: int, words: str) -> None:
    results = check(tiny(mode))
    assert results[step].last_words == (words,)
    assert all(not result.last_words for number, result in results.items() if number != step)


def test_late_answers_fail_only_the_step_about_time() -> None:
    results = check(tiny("good"), replace(PATIENT, move=0.0))
    assert steps(results, Verdict.FAILED) == [3]
    assert results[3].came.startswith("a move took 0.0")
    assert results[4].came == "0 games, 0 won against random: see step 3"


def test_a_few_late_answers_do_not_end_the_game() -> None:
    results = check(tiny("good"), replace(PATIENT, move=0.0, late_moves=1000))
    assert steps(results, Verdict.FAILED) == [3]
    assert steps(results, Verdict.SKIPPED) == []


def test_output_without_end() -> None:
    results = check(tiny("chatty"), replace(PATIENT, output=10_000))
    assert steps(results, Verdict.FAILED) == [9]
    assert results[9].expected == "10,000 bytes of output in a game at most"
    assert results[9].came.endswith(" lines printed: spielleiter play --output shows what")


def test_a_program_that_the_system_cannot_start(tmp_path: Path) -> None:
    program = tmp_path / "bot"
    program.write_bytes(b"\0\1\2\3")
    program.chmod(0o755)
    results = check(BotSpec(BotKind.PROGRAM, "bot", (str(program),)))
    assert steps(results, Verdict.FAILED) == [1]
    assert "cannot be started" in results[1].came
    assert steps(results, Verdict.SKIPPED) == list(range(2, 11))


# What is tried


def test_every_start_piece_of_the_season_once() -> None:
    for game_id, count in (("blokus-2027", 12), ("blokus-2021", 11)):
        game = get_game(game_id)
        pieces = [game.start(seed).start_piece for seed in seeds_of_starts(game)]
        assert sorted(pieces) == sorted(game.season.start_pieces)  # type: ignore[attr-defined]
        assert len(pieces) == count
    assert seeds_of_starts(FOUR) == [0]
    assert len(seeds_of_starts(get_game("hase-und-igel-2018"))) == USUAL_MATCHES


def planned(game: Game[Any, Any], plan: CheckPlan, monkeypatch: pytest.MonkeyPatch) -> list[Trial]:
    """Return the whole matches of a plan, without a bot that plays them."""
    trials: list[Trial] = []

    async def note(_: BotSpec, trial: Trial, *__: object) -> Evidence:
        trials.append(trial)
        return Evidence(0.1, 0.1, [0.1], {}, trial.start.outcome(), 0.1, 0)

    told: list[str] = []
    monkeypatch.setattr(checking, "examine", note)
    results = asyncio.run(check_bot(tiny("good"), game, plan=plan, progress=told.append))
    assert all(result.verdict is Verdict.PASSED for result in results)
    whole = [text for text in told if text.startswith("game ")]
    assert whole[-1] == f"game {len(whole)} of {len(whole)}"
    return trials[: len(whole)]


@pytest.mark.parametrize(
    ("plan", "seats"),
    [
        (CheckPlan(), [0, 1]),
        (CheckPlan(matches_per_start=3), [0, 1, 0]),
        (CheckPlan(most_matches=1), [0]),
    ],
)
def test_seats_take_turns(
    plan: CheckPlan, seats: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert [trial.seat for trial in planned(FOUR, plan, monkeypatch)] == seats


def test_two_games_of_each_start_piece_are_played_from_both_seats(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = get_game("blokus-2021")
    games = planned(game, CheckPlan(matches_per_start=2), monkeypatch)
    pieces = game.season.start_pieces  # type: ignore[attr-defined]
    tried = {(trial.start.start_piece, trial.seat) for trial in games}  # type: ignore[attr-defined]
    assert len(games) == len(tried) == 2 * len(pieces)


def test_special_positions_are_what_they_are_called() -> None:
    blokus = {
        situation.title: situation.state for situation in find_situations(get_game("blokus-2027"))
    }
    assert list(blokus) == ["asked twice in a row", "hardly a choice", "the last move"]
    twice = blokus["asked twice in a row"]
    assert twice.last_move is not None
    assert twice.last_move.color.seat == twice.seat  # type: ignore[attr-defined]
    assert len(blokus["hardly a choice"].legal_moves()) == 2  # one placement, or to pass
    hares = {
        situation.title: situation.state
        for situation in find_situations(get_game("hase-und-igel-2018"))
    }
    assert list(hares) == ["hardly a choice", "moves of many parts", "the last move"]
    assert hares["hardly a choice"].must_eat  # type: ignore[attr-defined]
    assert any(len(move.actions) == 4 for move in hares["moves of many parts"].legal_moves())
    for state in (*blokus.values(), *hares.values()):
        assert not state.is_over
    assert any(
        blokus["the last move"].play(move).is_over for move in blokus["the last move"].legal_moves()
    )


def test_the_opponent_in_special_positions_passes_where_it_can() -> None:
    state = next(iter(find_situations(get_game("blokus-2027")))).state
    assert PassingPlayer().choose(state, FreeClock()).size == 0


def test_a_bot_of_ours_is_forced_to_end_before_anybody_misses_it() -> None:
    limits, patience = CheckLimits(), Patience()
    assert min(limits.close, limits.orphaned, patience.leave) - 1 >= running._EXIT_SECONDS


def test_a_bot_that_loops_is_shown_where(tmp_path: Path) -> None:
    head = (
        "from spielleiter import Bot, run\nclass Mine(Bot):\n    def choose(self, state, clock):\n"
    )
    (tmp_path / "mine.py").write_text(head + "        while True:\n            pass\nrun(Mine)\n")
    game = get_game("blokus-2021")
    limits = CheckLimits(join=30, move=0.1, hard=5, close=5, orphaned=5)
    result = check(find_bot(str(tmp_path / "mine.py"), game), limits, game)[3]
    assert result.verdict is Verdict.FAILED
    said = "\n".join(result.last_words)
    assert re.search(r"is still in choose after [\d.]+ s, in turn 0", said)
    assert "mine.py" in said
