"""The quick checks for authors of bots pass what is right and say what is wrong."""

from __future__ import annotations

import os
import re
import sys

import pytest

from spielleiter import Bot
from spielleiter.client.bot import BotMistake
from spielleiter.games import all_games, get_game
from spielleiter.rules import NotationError
from spielleiter.testing import assert_legal, load_bot, play_in_process, state_from

GAME = get_game("blokus-2021")
START = GAME.start(1)


class First(Bot):
    def choose(self, state, clock):
        return state.legal_moves()[0]


def test_a_game_from_a_position():
    state = START.play(START.legal_moves()[5])
    assert state_from(GAME.format_position(state)) == state
    hare = get_game("hase-und-igel-2018").start(4)
    assert state_from(hare.game.format_position(hare), "hase-und-igel-2018") == hare
    assert state_from(hare.game.format_position(hare), hare.game) == hare
    with pytest.raises(NotationError):
        state_from("rubbish")


@pytest.mark.parametrize(
    "bot", [First, First(), lambda state: state.legal_moves()[0], GAME.players["greedy"]]
)
def test_legal_moves_are_given_back(bot):
    assert assert_legal(bot, START) in START.legal_moves()


def test_the_clock_of_a_single_move():
    limits = []

    def choose(state, clock):
        limits.append(clock.remaining)
        return state.legal_moves()[0]

    assert_legal(choose, START, seconds=None)
    assert_legal(choose, START, seconds=60)
    assert limits[0] == float("inf")
    assert 0 < limits[1] <= 60
    with pytest.raises(AssertionError, match=r"First took .* are allowed"):
        assert_legal(First, START, seconds=1e-12)


class Saved(First):
    """A fallback that would save a game does not save a test."""

    def fallback(self, state):
        return state.legal_moves()[0]


class Raises(Saved):
    def choose(self, state, clock):
        return 1 / 0


class Nothing(Saved):
    def choose(self, state, clock):
        pass


class Cheats(Saved):
    def choose(self, state, clock):
        return START.play(START.legal_moves()[0]).legal_moves()[0]


class BadHook(Saved):
    def on_start(self, state):
        raise ValueError("early")


class Unsaved(Bot):
    def choose(self, state, clock):
        return 5


@pytest.mark.parametrize(
    ("bot", "words"),
    [
        (Raises, r"ZeroDivisionError[\s\S]*in choose"),
        (Nothing, "None"),
        (Cheats, "WRONG_COLOR"),
        (BadHook, "BadHook.on_start failed: ValueError: early"),
        (Unsaved, "is not a move of Blokus 2021"),
    ],
)
def test_what_is_wrong_is_said(bot, words):
    with pytest.raises(AssertionError, match=words):
        assert_legal(bot, START)
    match = play_in_process(bot, First, start=START)
    assert any(re.search(words, problem) for problem in match.problems)


@pytest.fixture
def no_season(monkeypatch):
    monkeypatch.delenv("SPIELLEITER_GAME", raising=False)


def test_argument_before_bots_before_environment_before_default(no_season, monkeypatch):  # W118
    class Hare(First):
        game = "hase-und-igel-2018"

    class Other(First):
        game = "blokus-2027"

    def title(*args):
        return play_in_process(*args).states[0].game.id

    assert title(First, First) == "blokus-2021"
    monkeypatch.setenv("SPIELLEITER_GAME", "blokus-2027")
    assert title(First, First) == "blokus-2027"
    assert state_from(START.game.format_position(START)).game.id == "blokus-2027"
    assert title(First, Hare) == "hase-und-igel-2018"
    assert title(Other, First, "blokus-2021") == "blokus-2021"
    with pytest.raises(
        AssertionError, match="the bots are for hase-und-igel-2018 and blokus-2027: name the game"
    ):
        title(Hare, Other)


@pytest.mark.parametrize("game", all_games(), ids=repr)
def test_whole_matches(game):
    random = game.players["random"]
    match = play_in_process(random, First, game, seed=3)
    assert match == play_in_process(random, First, game.id, seed=3)
    assert len(match.states) == len(match.moves) + 1
    assert match.states[0] == game.start(3)
    assert match.states[-1].is_over
    assert match.outcome == match.states[-1].outcome()
    late = play_in_process(random, First, start=match.states[-3], seed=5)
    assert late.states[0] == match.states[-3]
    assert late.states[-1].is_over


def test_both_bots_see_the_whole_match():
    seen = {0: [], 1: []}

    class Watches(First):
        def on_start(self, state):
            seen[self.seat].append("start")

        def on_state(self, state):
            seen[self.seat].append(state.turn)

        def on_result(self, outcome):
            seen[self.seat].append("end")

    match = play_in_process(Watches, Watches)
    turns = [state.turn for state in match.states]  # the last one, too, as on a server
    assert seen == {seat: ["start", *turns, "end"] for seat in (0, 1)}


SIX_LINES = """
from spielleiter import Bot, run

class MyBot(Bot):
    def choose(self, state, clock):
        return max(state.legal_moves(), key=lambda move: move.size)

"""


@pytest.mark.parametrize("ending", ["run(MyBot)", "if __name__ == '__main__':\n    run(MyBot)", ""])
def test_bots_are_loaded_from_their_files(tmp_path, ending):
    file = tmp_path / "my bot.py"
    file.write_text(SIX_LINES + ending)
    bot = load_bot(file)
    assert bot.__name__ == "MyBot"
    assert_legal(bot, START)
    assert "SPIELLEITER_IMPORT_ONLY" not in os.environ


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1", "has no bot"),
        (SIX_LINES + "class Other(MyBot): pass", r"has 2 bots \(MyBot, Other\)"),
        (None, "there is no file"),
    ],
)
def test_files_without_one_bot(tmp_path, source, words):
    file = tmp_path / "bot.py"
    if source is not None:
        file.write_text(source)
    with pytest.raises(BotMistake, match=words):
        load_bot(file)


def test_the_folder_that_new_made_is_a_bot(tmp_path):
    (tmp_path / "bot.py").write_text(SIX_LINES + "run(MyBot)")
    (tmp_path / "test_mine.py").write_text("")
    assert load_bot(tmp_path).__name__ == "MyBot"


@pytest.mark.parametrize(
    ("name", "words"), [("start.sh", "is not Python"), ("notes.txt", "has no Bot in it")]
)
def test_folders_without_a_bot_that_can_be_loaded(tmp_path, name, words):
    (tmp_path / name).write_text("")
    with pytest.raises(BotMistake, match=words):
        load_bot(tmp_path)


def test_two_versions_of_a_bot_have_each_their_own_helpers(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "path", list(sys.path))
    bots = []
    for version in ("old", "new"):
        folder = tmp_path / version
        folder.mkdir()
        (folder / "my_helpers.py").write_text(f"VERSION = {version!r}")
        (folder / "bot.py").write_text(
            "import my_helpers\n" + SIX_LINES + "    version = my_helpers.VERSION\n"
        )
        bots.append(load_bot(folder))
    assert [bot.version for bot in [*bots, load_bot(tmp_path / "old")]] == ["old", "new", "old"]


def test_faults_in_the_file_are_the_authors_to_see(tmp_path):
    file = tmp_path / "bot.py"
    file.write_text("def choose(:")
    with pytest.raises(SyntaxError):
        load_bot(file)
    assert "SPIELLEITER_IMPORT_ONLY" not in os.environ
