"""``spielleiter play --from FILE --turn N``: any turn of any recording, and what cannot be one."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from spielleiter import cli
from spielleiter.cli.errors import CliError
from spielleiter.cli.start_position import read_position, under_rules_of
from spielleiter.games import get_game
from spielleiter.replays import read_replay

RECORDINGS = Path(__file__).parents[1] / "recordings"
HARE = RECORDINGS / (
    "18.2.6/replays/replay_swc_2018_hase_und_igel_own_simple_2026.11.15_18_14_49.xml.gz"
)
NEW = RECORDINGS / "27.0.4/replays/replay_swc_2027_blokus_2026-11-15_17-58-10_Alpha_Beta.xml.gz"
SEASONS = [
    HARE,
    RECORDINGS / "21.1.0/full-game/admin.xml.gz",
    RECORDINGS / "21.4.0/replays/mono-last-sample.xml.gz",
    NEW,
]


def play(*args: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "spielleiter", "play", *args],
        input=typed,
        capture_output=True,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("file", SEASONS, ids=lambda file: file.parts[-3])
def test_a_match_goes_on_from_a_turn_of_each_season(file: Path, tmp_path: Path) -> None:
    before = read_position(file, 17)
    done = play(
        *("random", "greedy", "--watch", "none", "--from", str(file), "--turn", "17"),
        *("--save-replays", str(tmp_path)),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert f"{before.game.title}, seed " in done.stdout
    assert f", from turn {before.turn}: " in done.stdout
    (saved,) = tmp_path.iterdir()
    after = read_replay(saved)
    assert after.positions[0].state.turn == before.turn
    assert after.game.format_position(after.positions[0].state) == before.game.format_position(
        before
    )


def test_a_person_can_go_on_too() -> None:
    done = play("human", "random", "--from", str(HARE), "--turn", "10", typed="quit\n")
    assert done.returncode == 130
    assert "your move" in done.stdout


def test_without_a_turn_it_begins_where_the_recording_does() -> None:
    assert read_position(NEW, None) == read_replay(NEW).positions[0].state


def test_a_turn_that_nobody_played_means_the_next_one() -> None:
    turns = read_replay(NEW).turns
    gap = next(turn for turn, after in itertools.pairwise(turns) if after > turn + 1)
    assert read_position(NEW, gap + 1).turn > gap + 1


def complaint(*args: str) -> list[str]:
    result = CliRunner().invoke(cli.main, ["play", *args])
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr.splitlines()


def test_a_turn_that_is_not_there_is_named_with_those_that_are() -> None:
    last = [one.state.turn for one in read_replay(NEW).positions if not one.state.is_over][-1]
    assert complaint("--from", str(NEW), "--turn", "1000") == [
        f"spielleiter: {NEW} has no turn 1000",
        f"  choose one with --turn: 0 to {last}",
    ]


def test_a_turn_after_the_end_is_no_beginning() -> None:
    positions = read_replay(NEW).positions
    over = next(one.state.turn for one in positions if one.state.is_over)
    last = [one.state.turn for one in positions if not one.state.is_over][-1]
    assert complaint("--from", str(NEW), "--turn", str(over)) == [
        f"spielleiter: the game in {NEW} is over at turn {over}",
        f"  choose an earlier turn with --turn: 0 to {last}",
    ]


def test_what_is_no_replay_is_said_so(tmp_path: Path) -> None:
    other = tmp_path / "notes.txt"
    other.write_text("no replay at all")
    first, hint = complaint("--from", str(other))
    assert first.startswith(f"spielleiter: {other}: no position in it")
    assert hint == "  name a replay of this or of an official server"
    missing = tmp_path / "missing.xml"
    assert complaint("--from", str(missing))[0] == f"spielleiter: there is no file {missing}"


def test_a_turn_needs_a_file() -> None:
    assert complaint("--turn", "3")[0] == (
        "spielleiter: --turn is one of a recorded game, which --from names"
    )


def test_another_game_than_that_of_the_recording_is_refused() -> None:
    position = read_position(HARE, 4)
    with pytest.raises(CliError, match="is Hase und Igel 2018, not Blokus 2027"):
        under_rules_of(get_game("blokus-2027"), position, HARE)
    first, hint = complaint("--from", str(HARE), "--game", "blokus-2027")
    assert "is Hase und Igel 2018, not Blokus 2027" in first
    assert hint == "  leave --game out, or say --game hase-und-igel-2018"
