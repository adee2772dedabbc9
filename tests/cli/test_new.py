"""A new bot: it plays at once, its own tests pass, and nothing that was there is touched."""

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import pages
from spielleiter import cli
from spielleiter.arena.bots import BotKind
from spielleiter.arena.lookup import choose_game, find_bot
from spielleiter.arena.match import play_arena_match
from spielleiter.cli.new import make_bot_folder
from spielleiter.games import get_game
from spielleiter.testing import load_bot, play_in_process
from third_game.game import FOUR

GAMES = ("blokus-2027", "blokus-2021", "hase-und-igel-2018")
FILES = ["README.md", "bot.py", "start.sh"]


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, ["new", *args])


def run_pytest(*folders: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *map(str, folders)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        cwd=folders[0].parent,
    )


def test_it_says_what_it_made_and_what_to_do_next() -> None:
    result = run("mybot")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[:4] == [
        "mybot is a bot for Blokus 2021: README.md, bot.py, start.sh, test_mybot.py",
        (
            'Its bot.py remembers that: game = "blokus-2021". For another season: spielleiter new '
            "NAME"
            " --game blokus-2027 or --game hase-und-igel-2018"
        ),
        "Now try:",
        "  spielleiter play mybot",
    ]
    assert sorted(path.name for path in Path("mybot").iterdir()) == [*FILES, "test_mybot.py"]
    assert os.access("mybot/start.sh", os.X_OK)


def test_the_bot_is_a_few_lines_and_a_few_words() -> None:
    run("mybot")
    lines = Path("mybot/bot.py").read_text("utf-8").splitlines()
    code = [
        line.strip() for line in lines if line.strip() and not line.strip().startswith(("#", '"""'))
    ]
    assert code == [
        "from spielleiter import Bot, Clock, run",
        "from spielleiter.games.blokus import BlokusMove, BlokusState, SkipMove",
        "class MyBot(Bot):",
        'game = "blokus-2021"',
        "def choose(self, state: BlokusState, clock: Clock) -> BlokusMove:",
        "return max(state.legal_moves(), key=self.value)",
        "def value(self, move: BlokusMove) -> tuple[int, float]:",
        "if isinstance(move, SkipMove):",
        "return 0, 0",
        "return move.size, -min(abs(x - 9.5) + abs(y - 9.5) for x, y in move.cells)",
        "run(MyBot)",
    ]


@pytest.mark.parametrize("variable", ["blokus-2027", "swc_2018_hase_und_igel"])
def test_the_season_can_be_set_once(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:  # W118
    monkeypatch.setenv("SPIELLEITER_GAME", variable)
    assert f"mybot is a bot for {get_game(variable).title}: " in run("mybot").stdout
    assert f'game = "{get_game(variable).id}"' in Path("mybot/bot.py").read_text("utf-8")
    assert "other is a bot for Blokus 2021: " in run("other", "--game", "blokus-2021").stdout
    monkeypatch.delenv("SPIELLEITER_GAME")
    assert choose_game(None, ["mybot"], {}) == get_game(variable)


def test_an_unknown_season_in_the_environment_is_said_with_its_place(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SPIELLEITER_GAME", "chess")
    result = run("mybot")
    assert (result.exit_code, result.stdout) == (2, "")
    problem, hint = result.stderr.splitlines()
    assert problem.startswith(
        "spielleiter: SPIELLEITER_GAME: there is no game 'chess'; there are: "
    )
    assert hint == "  set SPIELLEITER_GAME to one of them, or choose one with --game"
    assert not Path("mybot").exists()


@pytest.mark.parametrize("game_id", [*GAMES, FOUR.id])
def test_the_files_are_typed_so_that_an_editor_can_complete_them(
    game_id: str, empty_folder: Path
) -> None:
    game = FOUR if game_id == FOUR.id else get_game(game_id)
    make_bot_folder(empty_folder / "mybot", game)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", os.devnull, "mybot"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=empty_folder)
    assert done.returncode == 0, done.stdout + done.stderr
    if game is not FOUR:  # a mistyped name is found, so the state has a type
        source = empty_folder / "mybot" / "bot.py"
        source.write_text(
            source.read_text("utf-8").replace("legal_moves()", "legal_movs()"), "utf-8"
        )
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, cwd=empty_folder
        )
        assert 'has no attribute "legal_movs"' in done.stdout


def test_a_new_bot_for_blokus_does_not_shut_itself_in(empty_folder: Path) -> None:
    game = get_game("blokus-2021")
    make_bot_folder(empty_folder / "mybot", game)
    bot = load_bot(empty_folder / "mybot" / "bot.py")
    for seed in range(4):
        match = play_in_process(bot, game.players["greedy"], game, seed)
        placed = [
            move
            for state, move in zip(match.states, match.moves, strict=False)
            if state.seat == 0 and move.size
        ]
        assert len(placed) > 10


def test_two_new_bots_are_tested_together(empty_folder: Path) -> None:
    for name in ("mybot", "my-bot.2"):
        make_bot_folder(empty_folder / name, FOUR)
        source = empty_folder / name / f"test_{name.replace('-', '_').replace('.', '_')}.py"
        assert source.is_file()
        source.write_text("def test_nothing():\n    pass\n")
    tested = run_pytest(empty_folder / "mybot", empty_folder / "my-bot.2")
    assert "2 passed" in tested.stdout, tested.stdout + tested.stderr


@pytest.mark.parametrize("game_id", GAMES)
def test_the_new_bot_passes_its_tests_and_plays_against_random(
    game_id: str, empty_folder: Path
) -> None:
    assert run("mybot", "--game", game_id).exit_code == 0
    tested = run_pytest(empty_folder / "mybot")
    assert "3 passed" in tested.stdout, tested.stdout + tested.stderr
    game = get_game(game_id)
    spec = find_bot("mybot", game)
    assert (spec.kind, spec.name, spec.game) == (BotKind.PYTHON, "mybot", game_id)
    played = asyncio.run(play_arena_match([spec, find_bot("random", game)], game, seed=1))
    assert played.is_regular
    assert played.outcome.winner == 0
    assert played.bots[0].exit_code == 0


def test_the_generated_test_finds_a_bot_that_breaks_a_rule(empty_folder: Path) -> None:
    run("mybot")
    file = empty_folder / "mybot" / "bot.py"
    source = file.read_text("utf-8")
    file.write_text(
        source.replace(
            "max(state.legal_moves()", "max(state.play(state.legal_moves()[0]).legal_moves()"
        )
    )
    tested = run_pytest(empty_folder / "mybot")
    assert tested.returncode == 1
    assert "3 failed" in tested.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="the contest runs Linux")
@pytest.mark.parametrize(("language", "made"), [(0, "abgabe.zip"), (1, "hand-in.zip")])
def test_what_is_handed_in_plays_where_nothing_is_installed(
    language: int, made: str, empty_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lines of the README as they are copied, twice, and then a python3 that has
    nothing else.
    """
    run("mybot", "--game", "blokus-2027")
    (empty_folder / "mybot" / ".git").mkdir()
    blocks = [
        block for block in pages.read_blocks(Path("mybot/README.md")) if block.language == "sh"
    ]
    folder = Path(sys.executable).parent
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    for _ in range(2):
        subprocess.run(["sh", "-e"], input=blocks[language].body, text=True, check=True)
    shutil.unpack_archive(made, "contest")
    top = {path.name for path in Path("contest").iterdir()}
    assert top == {*FILES, "test_mybot.py", "spielleiter"}
    Path("contest/start.sh").chmod(0o755)  # as the contest does with the file that it starts
    bare = empty_folder / "bin"
    bare.mkdir()
    (bare / "python3").write_text(f'#!/bin/sh\nexec {sys.executable} -S -E "$@"\n')
    (bare / "python3").chmod(0o755)
    monkeypatch.setenv("PATH", f"{bare}{os.pathsep}{os.environ['PATH']}")
    game = choose_game(None, ["contest/start.sh"], {})
    assert game.id == "blokus-2027"
    played = asyncio.run(
        play_arena_match(
            [find_bot("contest/start.sh", game), find_bot("random", game)], game, seed=1
        )
    )
    assert played.is_regular, played.bots[0].stderr


def test_a_game_from_elsewhere_gets_a_bot_too(empty_folder: Path) -> None:
    assert make_bot_folder(empty_folder / "four", FOUR) == [*FILES, "test_four.py"]
    source = (empty_folder / "four" / "bot.py").read_text("utf-8")
    assert f'game = "{FOUR.id}"' in source
    assert "rng.choice" in source


def test_a_path_is_fine_and_an_empty_folder_too(empty_folder: Path) -> None:
    assert run("some/where/bot-1").exit_code == 0
    assert sorted(path.name for path in Path("some/where/bot-1").iterdir()) == [
        *FILES,
        "test_bot_1.py",
    ]
    Path("empty").mkdir()
    assert run(str(empty_folder / "empty")).exit_code == 0
    result = run("with blank/mybot")
    assert '  spielleiter play "with blank/mybot"' in result.stdout


def test_nothing_is_overwritten() -> None:
    run("mybot")
    Path("mybot/bot.py").write_text("mine")
    result = run("mybot")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.splitlines() == [
        (
            "spielleiter: mybot is there already and has files in it: README.md, bot.py, start.sh, "
            "test_mybot.py"
        ),
        "  choose another name",
    ]
    assert Path("mybot/bot.py").read_text() == "mine"


def test_a_file_of_that_name() -> None:
    Path("mybot").write_text("")
    result = run("mybot")
    assert (result.exit_code, result.stderr.splitlines()[0]) == (
        1,
        "spielleiter: mybot is there already and is not a folder",
    )


@pytest.mark.parametrize(
    "name", ["-x", ".hidden", "a b", "a;b", "..", "/", "com1", "NUL.txt", "a$b", "a" * 61, "human"]
)
def test_names_that_cannot_be(name: str, empty_folder: Path) -> None:
    result = run("--", name)
    assert (result.exit_code, result.stdout) == (2, "")
    assert len(result.stderr.splitlines()) == 2
    assert list(empty_folder.iterdir()) == []


def test_the_name_of_a_house_bot_would_never_be_found() -> None:
    result = run("greedy")
    assert result.exit_code == 2
    assert result.stderr.startswith("spielleiter: greedy is somebody already")


def test_an_unknown_game_lists_those_there_are() -> None:
    result = run("mybot", "--game", "chess")
    assert result.exit_code == 2
    assert "there is no game 'chess'" in result.stderr
    assert "blokus-2027" in result.stderr
    assert not Path("mybot").exists()


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written() -> None:
    Path("locked").mkdir(mode=0o500)
    result = run("locked/mybot")
    assert result.exit_code == 1
    assert "cannot be written: Permission denied" in result.stderr


def test_a_file_where_a_folder_should_be() -> None:
    Path("file").write_text("")
    result = run("file/mybot")
    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 2


def test_a_game_brings_templates_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "templates"
    own.mkdir()
    (own / "bot.py.template").write_text('game = "$game"\n', encoding="utf-8")
    monkeypatch.setattr(type(FOUR), "templates", own)
    make_bot_folder(tmp_path / "mine", FOUR)
    assert (tmp_path / "mine/bot.py").read_text(encoding="utf-8") == 'game = "vier-gewinnt"\n'
    assert (tmp_path / "mine/start.sh").exists()
