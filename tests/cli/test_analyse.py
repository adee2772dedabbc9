"""``spielleiter analyse``: what it prints and writes, its exit codes; never a traceback.

A stand-in for the engine judges.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import recorded
import third_game
import wheels
from judging import random_match
from spielleiter import cli, games
from spielleiter.games import get_game
from spielleiter.replays import MatchRecord, RecordedPosition, read_replay
from spielleiter.replays.saves import write_replay
from spielleiter.rules import AnyGame, Cause, Outcome, Text

REPLAY = next(path for path in recorded.replays("27.0.4") if "Haeschen" in path.name)
SEASONS = {version: recorded.replays(version) for version in ("21.4.0", "27.0.4")}
WHEN = datetime(2026, 11, 15)
SIGNS = {"good": "good", "inaccuracy": "?! inaccuracy", "mistake": "? mistake"}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, ["analyse", *map(str, arguments)])


@pytest.fixture
def wheel() -> Iterator[Any]:
    with wheels.fake_wheel() as module:
        yield module


@pytest.fixture
def report(wheel: Any) -> dict[str, Any]:
    result = run(REPLAY, "--json", "--seconds", "0.1")
    assert result.exit_code == 0, result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_json_has_every_position_and_every_move(report: dict[str, Any]) -> None:
    match = read_replay(REPLAY)
    assert report["game"] == "blokus-2027"
    assert report["names"] == list(match.names)
    assert report["turns"] == list(match.turns)
    assert report["complete"] is True
    assert report["seconds"] == 0.1
    assert report["result"]["winner"] == 0
    assert report["result"]["scores"] == [[137], [131]]
    assert len(report["positions"]) == len(match.positions) == len(report["moves"]) + 1
    assert report["positions"][-1] == {"win": 1.0, "points": 6.0}
    played = [match.game.format_move(one.state.last_move) for one in match.positions[1:]]
    assert [move["move"] for move in report["moves"]] == played
    assert len(report["sentences"]) == 3


def test_the_text_has_a_line_for_each_move_a_curve_and_three_sentences(
    report: dict[str, Any],
) -> None:
    result = run(REPLAY, "--seconds", "0.1", "--language", "en")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0].endswith(
        "Blokus 2027, Häschen A (Blue and Red) against B (Yellow and Green), 2:0 (137 : 131)"
    )
    head = next(number for number, line in enumerate(lines) if line.startswith("turn  player"))
    rows = lines[head + 1 : head + 1 + len(report["moves"])]
    for row, move in zip(rows, report["moves"], strict=True):
        assert row.split()[0] == str(move["turn"])
        assert move["move"] in row
        assert f"{move['before']['points']:+.1f}" in row
        assert f"{move['after']['points']:+.1f}" in row
        assert SIGNS[move["verdict"]] in row
        assert row.endswith(move["best"]) or (row.endswith("=") and move["best"] == move["move"])
    assert lines[-3:] == [one["en"] for one in report["sentences"]]
    assert any("█" in line for line in lines)
    assert result.stderr == ""


def test_it_speaks_german(report: dict[str, Any]) -> None:
    result = run(REPLAY, "--seconds", "0.1", "--language", "de")
    lines = result.stdout.splitlines()
    assert "Häschen A (Blau und Rot) gegen B (Gelb und Grün)" in lines[0]
    assert lines[-3:] == [one["de"] for one in report["sentences"]]
    assert any(re.match(r" *Zug +Spieler +gespielt", line) for line in lines)
    assert re.search(r"[+-]\d+,\d", result.stdout)


@pytest.mark.parametrize("who", ["2", "B", " b "])
def test_it_speaks_to_a_player(wheel: Any, who: str) -> None:
    result = run(REPLAY, "--seconds", "0.1", "--language", "en", "--player", who)
    *_, worst, total = result.stdout.splitlines()
    assert worst.startswith("You lost ")
    assert total.startswith("In all you gave away ")
    assert "Häschen A" in total


def test_a_player_who_is_not_there(wheel: Any) -> None:
    result = run(REPLAY, "--player", "Ida")
    assert result.exit_code == 1
    assert "there is no player 'Ida', or there are two" in result.stderr
    assert "1 Häschen A (Blue and Red), 2 B (Yellow and Green)" in result.stderr


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ("31", [31]),
        ("3,10-12", [3, 10, 11, 12]),
        ("63-", [63, 64, 67]),
        ("-2", [0, 1, 2]),
        ("0-9999", None),
    ],
)
def test_some_turns(wheel: Any, turns: str, expected: list[int] | None) -> None:
    result = run(REPLAY, "--json", "--seconds", "0.1", "--turns", turns)
    told = json.loads(result.stdout)
    found = [move["turn"] for move in told["moves"] if move is not None]
    known = read_replay(REPLAY).turns[:-1]
    assert found == [turn for turn in known if expected is None or turn in expected]
    assert told["complete"] is (expected is None)


@pytest.mark.parametrize("turns", ["x", "", "5-3", "1-2-3", "1,,2", "-", "99999", "²"])
def test_turns_that_cannot_be(wheel: Any, turns: str) -> None:
    result = run(REPLAY, "--turns", turns)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "--turns" in result.stderr


def test_turns_that_are_not_there(wheel: Any) -> None:
    result = run(REPLAY, "--turns", "200-")
    assert result.exit_code == 1
    assert "no move was made in these turns" in result.stderr
    assert "the turns there are 0 to " in result.stderr


@pytest.mark.parametrize("seconds", ["0", "-1", "nan", "inf", "x", ""])
def test_a_time_that_cannot_be(wheel: Any, seconds: str) -> None:
    result = run(REPLAY, "--seconds", seconds)
    assert result.exit_code == 2
    assert "--seconds" in result.stderr


def test_a_day_is_too_long(wheel: Any) -> None:
    result = run(REPLAY, "--seconds", "86400")
    assert result.exit_code == 1
    assert "at most 3600 seconds, not 86400" in result.stderr


@pytest.mark.parametrize(
    "path", [path for paths in SEASONS.values() for path in paths], ids=lambda path: path.name
)
def test_every_recorded_match_of_every_season(wheel: Any, path: Path) -> None:
    match = read_replay(path)
    result = run(path, "--json", "--seconds", "0.1")
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert told["game"] == match.game.id
    assert told["complete"] is True
    assert None not in told["positions"]


def record_of(game: AnyGame, states: list[Any], outcome: Outcome | None = None) -> MatchRecord:
    return MatchRecord(
        codec=next(iter(game.codecs.values())),
        room_id="room",
        names=("Ida", "Bob"),
        shown=[RecordedPosition(state) for state in states],
        outcome=outcome,
        final=states[-1],
    )


@pytest.mark.parametrize(
    ("game_id", "cause", "words"),
    [
        ("blokus-2021", Cause.RULE_VIOLATION, "Bob broke a rule"),
        ("blokus-2021", Cause.SOFT_TIMEOUT, "Bob took too long"),
        ("blokus-2021", Cause.HARD_TIMEOUT, "Bob did not answer any more"),
        ("blokus-2021", Cause.LEFT, "Bob left the match"),
        ("blokus-2027", Cause.LEFT, "Bob left the match"),
    ],
)
def test_a_match_that_ended_irregularly(
    wheel: Any, tmp_path: Path, game_id: str, cause: Cause, words: str
) -> None:
    game = get_game(game_id)
    states = random_match(game, 1)[:22]
    outcome = states[-1].outcome().forfeit(1, cause, Text("schade", "a pity"))
    path = write_replay(record_of(game, states, outcome), tmp_path, WHEN)
    result = run(path, "--json", "--seconds", "0.1")
    assert result.exit_code == 0, result.stderr
    told = json.loads(result.stdout)
    assert (told["result"]["winner"], told["result"]["regular"]) == (0, False)
    assert told["result"]["causes"] == ["REGULAR", cause.value]
    assert sum(move is not None for move in told["moves"]) == 21
    assert told["sentences"][0]["en"].startswith(f"{words}, so it was over at turn 21; until then")


def test_a_cut_recording(wheel: Any, tmp_path: Path) -> None:
    path = tmp_path / "cut.xml"
    path.write_bytes(gzip.decompress(REPLAY.read_bytes())[:100_000])
    result = run(path, "--seconds", "0.1", "--language", "en")
    assert result.exit_code == 0
    assert "The recording ends at turn" in result.stdout


def test_a_page_with_the_analysis(wheel: Any, tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    result = run(REPLAY, "--seconds", "0.1", "--html", page)
    assert result.exit_code == 0
    assert f"{page} written. Open it in a browser." in result.stdout
    text = page.read_text(encoding="utf-8")
    answers = re.search(r'id="saved-answers">(.*?)</script>', text)
    assert answers is not None
    match = json.loads(answers[1])["/api/matches/match"]
    assert len(match["evaluation"]) == len(match["positions"])
    assert len(match["analysis"]["moves"]) == len(match["moves"])
    assert len(match["analysis"]["sentences"]) == 3


def test_json_stays_json_beside_a_page(wheel: Any, tmp_path: Path) -> None:
    result = run(REPLAY, "--seconds", "0.1", "--json", "--html", tmp_path / "match.html")
    json.loads(result.stdout)
    assert "written" in result.stderr


def test_a_page_of_another_name_is_refused(wheel: Any, tmp_path: Path) -> None:
    result = run(REPLAY, "--html", tmp_path / "match.txt")
    assert result.exit_code == 2
    assert "a page ends in .html" in result.stderr


# What is not there


def test_without_the_engine_it_says_what_to_install() -> None:
    with wheels.no_wheel():
        result = run(REPLAY)
    assert result.exit_code == 1
    assert result.stdout == ""
    message, hint = result.stderr.splitlines()
    assert message == "spielleiter: The engine is not installed."
    assert "python -m pip install spielleiter-engine" in hint


def test_with_an_engine_of_another_version_it_says_so() -> None:
    with wheels.fake_wheel(API_VERSION=0):
        result = run(REPLAY)
    assert result.exit_code == 1
    assert "has interface 0, and this Spielleiter knows 1" in result.stderr


def test_a_game_that_no_engine_knows(
    wheel: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "_registered", [*third_game.GAMES])
    game = third_game.GAMES[0]
    path = write_replay(record_of(game, random_match(game, 1)), tmp_path, WHEN)
    result = run(path)
    assert result.exit_code == 1
    assert "No engine knows Vier gewinnt." in result.stderr


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [("gone.xml", None, "there is no file"), ("bad.xml", "hello", "no position in it")],
)
def test_what_is_not_a_replay(
    wheel: Any, tmp_path: Path, name: str, content: str | None, words: str
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    result = run(tmp_path / name)
    assert result.exit_code == 1
    assert words in result.stderr


# Ctrl+C


def test_ctrl_c_shows_what_there_is(wheel: Any) -> None:
    think, count = wheel.BlokusSearch.think, []

    def interrupted(*args: Any, **options: Any) -> Any:
        count.append(1)
        if len(count) > 12:
            raise KeyboardInterrupt
        return think(*args, **options)

    wheel.BlokusSearch.think = interrupted
    result = run(REPLAY, "--seconds", "0.1", "--language", "en")
    assert result.exit_code == 130
    assert re.search(r"Interrupted, \d+ of 65 moves are judged\.", result.stdout)
    assert len(result.stdout.splitlines()[-1]) > 20


# replay html --analyse


def test_replay_html_takes_the_analysis_too(wheel: Any, tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    words = ["replay", "html", REPLAY, "-o", page, "--analyse", "--seconds", "0.1"]
    result = CliRunner().invoke(cli.main, [*map(str, words)])
    assert result.exit_code == 0, result.output
    assert '"verdict":"good"' in page.read_text(encoding="utf-8")


def test_replay_html_without_it_has_none(tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    result = CliRunner().invoke(cli.main, ["replay", "html", str(REPLAY), "-o", str(page)])
    assert result.exit_code == 0
    assert '"evaluation":null,"analysis":null' in page.read_text(encoding="utf-8")


@pytest.mark.wheel
def test_the_engine_judges_a_match() -> None:
    result = run(REPLAY, "--json", "--seconds", "0.05", "--turns", "20-40")
    assert result.exit_code == 0, result.stderr
    moves = [move for move in json.loads(result.stdout)["moves"] if move is not None]
    assert {move["verdict"] for move in moves} - {"good"}  # random bots play, and not well
