"""Tournament files: every form is read, every mistake is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest

from spielleiter.arena.runs.tournament_file import (
    FORMS,
    Entrant,
    TournamentFileError,
    read_tournament,
)


def write(folder: Path, text: str | bytes) -> Path:
    path = folder / "club.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(folder: Path, text: str | bytes) -> tuple[str, str]:
    """Return the complaint without the folder, and what to do."""
    with pytest.raises(TournamentFileError) as caught:
        read_tournament(write(folder, text))
    return caught.value.message.replace(str(folder / "club.toml"), "club.toml"), caught.value.hint


def test_all_that_a_file_can_say(tmp_path: Path) -> None:
    read = read_tournament(
        write(
            tmp_path,
            """\
game = "blokus-2027"
form = "swiss"
games = 2
rounds = 5
time = 0.5
opening-moves = 4
seed = 7
parallel = 3
sockets = true
out = "runs/club"
folder = "pupils"
bots = ["greedy", "anna.py", "node player.js"]

[[bot]]
name = "Bens Bot"
start = "anna.py"
""",
        )
    )
    assert read.bots == (
        Entrant("greedy", None, 12),
        Entrant("anna.py", None, 12),
        Entrant("node player.js", None, 12),
        Entrant("anna.py", "Bens Bot", 16),
    )
    assert (read.game, read.form, read.games, read.rounds) == ("blokus-2027", "swiss", 2, 5)
    assert (read.time, read.opening_moves, read.seed, read.parallel) == (0.5, 4, 7, 3)
    assert (read.sockets, read.third_place, read.challengers) == (True, False, ())
    assert read.out == tmp_path / "runs/club"
    assert read.folder == Path("pupils")


def test_two_bots_are_enough_for_a_contest_of_six_games_each(tmp_path: Path) -> None:
    read = read_tournament(write(tmp_path, 'bots = ["greedy", "random"]'))
    assert (read.form, read.games, read.seed, read.time) == ("round-robin", 6, None, None)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_taken(tmp_path: Path, form: str) -> None:
    read = read_tournament(write(tmp_path, f'form = "{form}"\nfolder = "x"'))
    assert read.form == form


def test_what_editors_on_windows_write_is_read(tmp_path: Path) -> None:
    text = '\ufeffform = "swiss"\r\n\r\nbots = ["greedy"]\r\n'.encode()
    read = read_tournament(write(tmp_path, text))
    assert (read.form, read.bots) == ("swiss", (Entrant("greedy", None, 3),))


BOTS = 'bots = ["greedy", "random"]\n'


@pytest.mark.parametrize(
    ("text", "line", "said", "hint"),
    [
        ("game = blokus\n" + BOTS, 1, "this is not TOML", "quotation marks"),
        (BOTS + "games = 2\ngames = 3", 3, "this is not TOML", "take one of the two"),
        (BOTS + 'form = "a', 2, "this is not TOML", "key = value"),
        (BOTS + "\ngmaes = 2", 3, "no key 'gmaes'", "did you mean games?"),
        (BOTS + "opening_moves = 2", 2, "no key 'opening_moves'", "did you mean opening-moves?"),
        (BOTS + "[time]\nx = 1", 2, "time is", "a number of seconds above 0"),
        (BOTS + 'games = "six"', 2, 'games is "six"', "a whole number from 1 to 1000"),
        (BOTS + "games = 0", 2, "games is 0", "a whole number from 1 to 1000"),
        (BOTS + "games = true", 2, "games is true", "a whole number from 1 to 1000"),
        (BOTS + "time = nan", 2, "time is nan", "above 0"),
        (BOTS + f"time = {10**400}", 2, "time is 1000", "above 0"),
        (BOTS + "time = 1979-05-27", 2, "time is 1979-05-27", "above 0"),
        (BOTS + 'sockets = "yes"', 2, 'sockets is "yes"', "true or false"),
        (BOTS + "seed = -1", 2, "seed is -1", "from 0"),
        (BOTS + "game = 3", 2, "game is 3", "the id of a game"),
        (BOTS + 'form = "roundrobin"', 2, 'form is "roundrobin"', 'did you mean "round-robin"?'),
        (BOTS + 'form = ["x"]', 2, "form is ['x']", "one of"),
        (BOTS + "rounds = 3", 2, 'rounds is for form = "swiss"', "change the form"),
        (BOTS + 'challengers = ["a"]', 2, 'challengers is for form = "gauntlet"', "change"),
        (
            'form = "gauntlet"\n' + BOTS + "challengers = [\n'a',\n3]",
            5,
            "challengers is 3",
            "a list of names",
        ),
        ('form = "gauntlet"\nchallengers = []\n' + BOTS, 2, "this list is empty", "name a bot"),
        ("bots = [\n  'greedy',\n  5,\n]", 3, "5 is not a bot", "a list of bots"),
        ("bots = 'greedy'", 1, 'bots is "greedy"', "a list of bots"),
        ("bots = ['greedy', 'human']", 1, "people cannot take part", "name a bot"),
        ("[bot]\nstart = 'greedy'", 1, "bot is not a table", "docs/tournaments.md"),
        ("bot = [1]", 1, "bot is not a table", "docs/tournaments.md"),
        ("[[bot]]\nname = 'x'", 1, "this bot has no start", "add start"),
        ("[[bot]]\nstart = ''", 2, 'start is ""', "what is started"),
        ("[[bot]]\nstart = 'greedy'\nname = ''", 3, 'name is ""', "1 to 60 characters"),
        (
            "[[bot]]\nstart = 'greedy'\nnaem = 'x'",
            3,
            "a bot has no key 'naem'",
            "did you mean name",
        ),
        (
            "[[bot]]\nstart = 'greedy'\nname = 'x'\n[[bot]]\nname = 'x'\nstart = 'random'",
            6,
            "the name 'x' is there twice, first in line 2",
            "another name",
        ),
        ("form = 'swiss'", 1, "no bots are named", "folder = "),
        (b"# M\xfcller\n", 1, "this is not UTF-8", "save the file as UTF-8"),
        (BOTS + "a = " + "[" * 5000 + "]" * 5000, 0, "too many brackets", "see"),
    ],
)
def test_a_mistake_is_refused_with_its_line(
    tmp_path: Path, text: str | bytes, line: int, said: str, hint: str
) -> None:
    message, advice = refused(tmp_path, text)
    if line:
        assert message.startswith(f"club.toml, line {line}: "), message
    assert said in message
    assert hint in advice
    assert "\n" not in message + advice


def test_a_file_that_is_not_there_or_not_a_file(tmp_path: Path) -> None:
    for path in (tmp_path / "gone.toml", tmp_path):
        with pytest.raises(TournamentFileError, match="cannot be read"):
            read_tournament(path)


def test_a_file_without_end_is_not_read(tmp_path: Path) -> None:
    assert "longer than a megabyte" in refused(tmp_path, b"#" * (1024 * 1024 + 1))[0]
    many = "bots = [\n" + "'greedy',\n" * 257 + "]"
    message, hint = refused(tmp_path, many)
    assert message == "club.toml, line 258: these are 257 bots"
    assert "256" in hint
