"""``spielleiter tournament``: files, folders and lists of bots become one table."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.fake_players import FakePlayer
from spielleiter import cli
from spielleiter.arena.runs.jobs import MatchJob
from spielleiter.arena.runs.plan import Form
from spielleiter.arena.runs.saved_run import find_bots, read_run
from spielleiter.cli import run_session

HARE = ("--game", "hase-und-igel-2018")
BOT = "from spielleiter import Bot\nclass Mine(Bot):\n    def choose(self, state, clock):\n"
BODY = "        return state.legal_moves()[0]\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def by_name(job: MatchJob) -> int:
    """Return who loses: the name that is further back."""
    return job.names.index(max(job.names))


@pytest.fixture(autouse=True)
def player(monkeypatch: pytest.MonkeyPatch) -> FakePlayer:
    """Let matches take no time."""
    found = FakePlayer(loser=by_name)
    monkeypatch.setattr(run_session, "make_players", lambda way, clock: [found])
    return found


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, ["tournament", *args])


def write(text: str, name: str = "club.toml") -> str:
    Path(name).write_text(text, encoding="utf-8")
    return name


def pupils(*names: str, folder: str = "pupils", text: str = BOT + BODY) -> str:
    for name in names:
        path = Path(folder, name)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def test_a_folder_of_pupils_files_is_one_command() -> None:
    pupils("anna.py", "ben.py", "carla.py")
    pupils("dora.py", text="def broken(:\n")
    pupils("helper.py", text="VALUE = 1\n")
    done = run("pupils", "--out", "club")
    assert done.exit_code == 0
    places = re.findall(r"^(\d\.)  (\w+) +12 ", done.stdout, re.MULTILINE)
    assert places == [("1.", "anna"), ("2.", "ben"), ("3.", "carla")]
    assert "18 of 18 games, played in worker processes" in done.stdout
    assert "ben: 6 crashed; first in game " in done.stdout
    assert re.search(r"dora\.py does not take part: this is not Python: .*line 1", done.stderr)
    assert "in pupils, without a bot and therefore left out: helper.py" in done.stderr
    assert "spielleiter results club" in done.stderr
    plan = read_run(Path("club")).plan
    assert (plan.matches, plan.form, len(plan.bots)) == (6, Form.ROUND_ROBIN, 3)
    assert all(Path(bot.text).is_absolute() and bot.hash for bot in plan.bots)


def test_house_bots_may_join_a_folder() -> None:
    pupils("anna.py", "ben.py")
    done = run("pupils", "greedy", "--games", "2", "--csv")
    rows = csv.DictReader(io.StringIO(done.stdout))
    assert [row["bot"] for row in rows] == ["anna", "ben", "greedy"]


def test_bots_can_be_listed() -> None:
    done = run("--bots", "greedy", "random", "planner", "--games", "2", "--json", "--out", "x")
    read = json.loads(done.stdout)
    assert [row["name"] for row in read["table"]] == ["greedy", "planner", "random"]
    assert (read["kind"], read["exit_code"], read["ways"]) == ("tournament", 0, {"workers": 6})
    assert [bot["name"] for bot in read["bots"]] == ["greedy", "random", "planner"]


def test_markdown() -> None:
    done = run("greedy", "random", "planner", "--games", "2", "--markdown")
    assert "| 1. | greedy | 4 | 4 |" in done.stdout


def test_a_file_says_it_all() -> None:
    pupils("anna.py")
    name = write(
        """\
game = "hase-und-igel-2018"
form = "swiss"
rounds = 2
games = 2
time = 0.5
seed = 7
opening-moves = 1
sockets = true
out = "runs/club"
bots = ["greedy", "random"]

[[bot]]
name = "Anna & Co"
start = "pupils/anna.py"
"""
    )
    done = run(name)
    assert done.exit_code == 0, done.stderr
    plan = read_run(Path("runs/club")).plan
    assert (plan.game, plan.form, plan.rounds) == ("hase-und-igel-2018", Form.SWISS, 2)
    assert plan.names == ("greedy", "random", "Anna & Co")
    assert (plan.matches, plan.seed, plan.opening_moves) == (2, 7, 1)
    assert plan.time is not None
    assert (plan.time.soft, plan.way.value) == (0.5, "sockets")
    assert "byes" in done.stdout


def test_what_is_typed_wins_over_the_file() -> None:
    name = write('games = 4\nseed = 1\nbots = ["greedy", "random"]\n')
    run(name, "--games", "2", "--seed", "9", "--form", "double-round-robin", "--out", "x")
    plan = read_run(Path("x")).plan
    assert (plan.matches, plan.seed, plan.form) == (2, 9, Form.DOUBLE_ROUND_ROBIN)


def test_a_folder_in_a_file_is_where_the_file_is() -> None:
    pupils(
        "anna.py", "ben.py", folder="deep/pupils", text=BOT + BODY + "    game = 'blokus-2027'\n"
    )
    name = write('folder = "pupils"\ngames = 2\n', "deep/club.toml")
    done = run(name, "--out", "x")
    assert done.exit_code == 0, done.stderr
    plan = read_run(Path("x")).plan
    assert (plan.names, plan.game) == (("anna", "ben"), "blokus-2027")


def test_bots_and_commands_in_a_file_are_meant_from_where_it_is() -> None:
    pupils("anna.py", folder="deep/pupils")
    Path("deep/ben.txt").touch()
    command = f"{sys.executable} ben.txt"
    lines = f"bots = ['pupils/anna.py', '{command}']\ngames = 2\nout = 'results'\n"
    name = write(lines, "deep/club.toml")
    done = run(name)
    assert done.exit_code == 0, done.stderr
    saved = read_run(Path("deep/results"))
    assert [bot.text for bot in saved.plan.bots] == ["pupils/anna.py", command]
    assert Path(saved.plan.folder).samefile("deep")
    specs = find_bots(saved.plan, saved.game)  # as after a crash, and nothing has changed
    assert specs[1].folder is not None
    assert specs[1].folder.samefile("deep")


def test_a_knockout_has_a_winner_and_a_gauntlet_its_challengers() -> None:
    bots = ("greedy", "random", "planner", "searcher")
    done = run(*bots, "--form", "knockout", "--third-place", "--games", "2")
    places = re.findall(r"^(\d)\.  (\w+)", done.stdout, re.MULTILINE)
    assert places == [("1", "greedy"), ("2", "planner"), ("3", "random"), ("4", "searcher")]
    (folder,) = Path("runs").iterdir()
    _, *later = CliRunner().invoke(cli.main, ["results", str(folder)]).stdout.splitlines()
    assert [line.removeprefix("  ") for line in later] == done.stdout.splitlines()
    run(*bots, "--form", "gauntlet", "--challenger", "random", "--games", "2", "--out", "x")
    plan = read_run(Path("x")).plan
    assert (plan.challengers, plan.total) == ((1,), 6)


BOTS = 'bots = ["greedy", "random"]\n'


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (BOTS + "gmaes = 2", 2, "a tournament has no key 'gmaes'"),
        ("bots = [\n  'greedy',\n  'nobody'\n]", 3, "there is no bot 'nobody'"),
        ("[[bot]]\nstart = 'greedy'\n[[bot]]\nstart = 'no/file.py'", 4, "there is no file"),
        ("bots = [\n'greedy',\n'greedy']", 3, "two bots are called greedy"),
        (
            "bots = ['greedy']\n[[bot]]\nname = 'greedy'\nstart = 'random'",
            4,
            "two bots are called greedy",
        ),
        (BOTS + "form = 'swiss'\nrounds = 9", 3, "between 1 and 1 rounds"),
        (BOTS + "form = 'gauntlet'\nchallengers = ['nobody']", 3, "no bot is called 'nobody'"),
        (BOTS + "form = 'knockout'\nthird-place = true", 3, "needs four bots"),
        (BOTS + "game = 'chess'", 2, "chess"),
        ("folder = 'gone'", 1, "cannot be read"),
    ],
)
def test_a_file_with_a_mistake_is_refused_with_the_line(
    player: FakePlayer, text: str, line: int, said: str
) -> None:
    done = run(write(text))
    assert (done.exit_code, done.stdout, player.played) == (2, "", [])
    assert done.stderr.startswith(f"spielleiter: club.toml, line {line}: "), done.stderr
    assert said in done.stderr.splitlines()[0]
    assert len(done.stderr.splitlines()) == 2
    assert not Path("runs").exists()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ((), "name a file, a folder with bots, or the bots"),
        (("gone.toml",), "gone.toml cannot be read"),
        (("a.toml", "b.toml"), "a tournament has one file, and these are 2"),
        (("a.toml", "greedy"), "a.toml says who takes part"),
        (("greedy",), "a tournament needs two bots, and there is 1"),
        (("greedy", "human"), "people cannot play so many games"),
        (("greedy", "greedy"), "two bots are called greedy"),
        (("greedy", "nobody"), "there is no bot 'nobody'"),
        (("greedy", "random", "--rounds", "2"), "--rounds is for --form swiss"),
        (("greedy", "random", "--form", "cup"), "'cup' is not one of round-robin"),
        (("greedy", "random", "--third-place"), "--third-place is for --form knockout"),
        (
            ("greedy", "random", "--form", "gauntlet", "--challenger", "x"),
            "no bot is called 'x'",
        ),
        (("greedy", "random", "--form", "swiss", "--rounds", "9"), "between 1 and 1 rounds"),
        (("empty",), "a tournament needs two bots, and there is none"),
        (("one",), "one is one bot, which plays with its bot.py"),
    ],
)
def test_a_wrong_command_line_is_refused(
    player: FakePlayer, args: tuple[str, ...], said: str
) -> None:
    Path("empty").mkdir()
    pupils("bot.py", folder="one")
    done = run(*args)
    assert (done.exit_code, done.stdout, player.played) == (2, "", [])
    assert said in done.stderr
    assert not Path("runs").exists()


def test_names_of_files_may_hold_anything() -> None:
    try:
        pupils("a\x1b[2Jb\nc.py", "=1+1.py", "[bold].py")
    except OSError:
        pytest.skip("this system has no such names")
    done = run("pupils", "--games", "2")
    assert done.exit_code == 0, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert "[bold]" in done.stdout


def test_a_class_really_plays_and_bad_bots_cost_nobody_else_anything() -> None:
    pupils("anna.py")
    pupils("ben.py", text=BOT + "        raise ValueError('no idea')\n")
    pupils("carla.py", text=BOT + "        print('x' * 100_000)\n" + BODY)
    pupils("dora.py", text=BOT + "        import os\n        os._exit(3)\n")
    args = ("tournament", "pupils", *HARE, "--games", "2", "--json", "--out", "club")
    done = subprocess.run(
        [sys.executable, "-m", "spielleiter", *args],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    read = json.loads(done.stdout)
    assert read["games"] == {"planned": 12, "stored": 12, "counted": 12}
    failed = {row["name"]: row["failed"] for row in read["table"]}
    assert failed["anna"] == failed["carla"] == 0
    assert failed["ben"] + failed["dora"] == 10  # of each other's games one loses each
    first = {bot["name"]: bot["first_failure"] for bot in read["bots"]}
    assert first["ben"]["said"] == "ValueError: no idea"
    assert first["anna"] is None
    assert "game" in done.stderr
