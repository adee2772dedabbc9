"""``spielleiter match``: what is played, what is said, and what scripts can rely on."""

from __future__ import annotations

import csv
import errno
import io
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.fake_players import FakePlayer
from spielleiter import cli
from spielleiter.arena.runs import attempts
from spielleiter.arena.runs.jobs import ArenaTrouble, MatchJob
from spielleiter.arena.runs.saved_run import read_run
from spielleiter.arena.store.errors import explain
from spielleiter.arena.store.writer import StoreWriter
from spielleiter.cli import run_session
from spielleiter.cli.terminal import as_typed

HARE = ("--game", "hase-und-igel-2018")
posix = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def loses(name: str):
    """Return who loses: the bot of this name."""
    return lambda job: job.names.index(name)


def fake(monkeypatch: pytest.MonkeyPatch, **options: object) -> FakePlayer:
    """Let matches take no time."""
    player = FakePlayer(**options)  # type: ignore[arg-type]
    monkeypatch.setattr(run_session, "make_players", lambda way, clock: [player])
    return player


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, [*args])


def match(*args: str) -> Result:
    return run("match", "greedy", "random", *HARE, *args)


def test_two_bots_that_really_play() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "spielleiter", "match", "greedy", "random", *HARE, "--games", "4"],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=120,
        check=False,
    )
    assert done.returncode == 4
    first, counts, *_ = done.stdout.splitlines()
    assert first.startswith("Not decided")
    assert counts.endswith("4 of 4 games, played in worker processes")
    assert "4/4 games" in done.stderr
    assert "spielleiter results runs/" in done.stderr.replace("\\", "/").replace('"', "")
    (folder,) = Path("runs").iterdir()
    assert folder.name.endswith("-greedy-random")
    assert read_run(folder).tally().stored == 4


@pytest.mark.parametrize(
    ("loser", "code", "said"),
    [
        ("random", 0, "greedy is stronger (p > 95 %)"),
        ("greedy", 3, "random is stronger (p > 95 %)"),
    ],
)
def test_the_exit_code_says_who_is_proved_stronger(
    monkeypatch: pytest.MonkeyPatch, loser: str, code: int, said: str
) -> None:
    fake(monkeypatch, loser=loses(loser))
    done = match("--games", "20")
    assert (done.exit_code, done.stdout.partition(",")[0]) == (code, said)
    assert "20 of 20 games, played in worker processes" in done.stdout


def test_few_games_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch, loser=loses("random"))
    done = match("--games", "4")
    assert done.exit_code == 4
    assert done.stdout.startswith("Not decided")


def test_a_test_ends_as_soon_as_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    player = fake(monkeypatch, loser=loses("random"))
    done = match("--sprt", "0,400", "--parallel", "1")
    assert done.exit_code == 0
    assert "greedy is stronger (SPRT 0, 400; p > 95 %)" in done.stdout
    assert len(player.played) < 100
    assert "SPRT +" in done.stdout


def test_json_is_one_document_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch, loser=loses("random"))
    done = match("--games", "20", "--json", "--seed", "5", "--out", "here")
    read = json.loads(done.stdout)
    assert (read["kind"], read["game"], read["seed"]) == ("match", "hase-und-igel-2018", 5)
    assert (read["verdict"], read["exit_code"], read["folder"]) == ("first", 0, "here")
    assert read["games"] == {"planned": 20, "stored": 20, "counted": 20}
    assert (read["won"], read["drawn"], read["lost"]) == (20, 0, 0)
    assert read["pairs"] == [0, 0, 0, 0, 10]
    assert read["ways"] == {"workers": 20}
    assert read["text"]["de"].startswith("greedy ist stärker")
    assert [bot["crashed"] for bot in read["bots"]] == [0, 20]
    assert read["elo"]["low"] > 0
    assert (read["stopped"], read["sprt"]) == (None, None)


def test_csv_is_a_line_that_can_be_collected(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch, loser=loses("greedy"))
    done = match("--games", "20", "--csv")
    (row,) = csv.DictReader(io.StringIO(done.stdout))
    assert (row["first"], row["second"], row["verdict"]) == ("greedy", "random", "second")
    assert (row["games"], row["won"], row["lost"]) == ("20", "0", "20")
    assert float(row["elo_high"]) < 0


def test_markdown_has_the_sentence_and_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch, loser=loses("random"))
    done = match("--games", "20", "--markdown")
    assert done.stdout.startswith("greedy is stronger")
    assert "| 1. | greedy | 20 | 20 |" in done.stdout


def test_the_plan_is_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch)
    match("--games", "2", "--time", "0.5", "--opening-moves", "3", "--sockets", "--out", "x/y")
    plan = read_run(Path("x/y")).plan
    assert plan.time is not None
    assert (plan.time.soft, plan.time.hard, plan.opening_moves) == (0.5, 2.5, 3)
    assert (plan.way.value, plan.kind, plan.matches) == ("sockets", "match", 2)
    assert plan.folder == str(Path.cwd())


def test_two_bots_of_one_name_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch)
    done = run("match", "greedy", "greedy", *HARE, "--games", "2")
    assert "greedy against greedy 2" in done.stdout


def test_no_run_is_ever_overwritten(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch)
    assert match("--games", "2", "--out", "mine").exit_code == 4
    done = match("--games", "2", "--out", "mine")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "there is a run in mine already" in done.stderr
    assert "spielleiter resume mine" in done.stderr
    Path("other").mkdir()
    Path("other/letter.txt").touch()
    done = match("--games", "2", "--out", "other")
    assert (done.exit_code, "it has letter.txt in it" in done.stderr) == (2, True)


def test_a_folder_whose_run_was_killed_before_it_began_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake(monkeypatch)
    with StoreWriter(_made("killed")):
        pass  # tables, but no run in them
    Path("killed/run.db.lock").touch()
    assert match("--games", "2", "--out", "killed").exit_code == 4
    (_made("half") / "run.db").touch()
    assert match("--games", "2", "--out", "half").exit_code == 4
    (_made("foreign") / "run.db").write_text("a letter" * 1000)
    done = match("--games", "2", "--out", "foreign")
    assert (done.exit_code, "is not a database" in done.stderr) == (2, True)


def test_a_run_for_which_there_is_no_room_is_begun_again(monkeypatch: pytest.MonkeyPatch) -> None:
    fake(monkeypatch)
    full = explain(OSError(errno.ENOSPC, "full"), Path("mine/run.db"))

    def refuse(*_: object) -> None:
        raise full

    with monkeypatch.context() as patched:
        patched.setattr("spielleiter.arena.runs.runner.StoreWriter", refuse)
        done = match("--games", "2", "--out", "mine")
    assert done.exit_code == 1
    assert done.stderr.splitlines()[-1] == "  free some space, then begin again"
    assert match("--games", "2", "--out", "mine").exit_code == 4


def test_a_stop_says_once_how_to_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def troubled(_: MatchJob) -> int:
        raise ArenaTrouble("there is no memory")

    monkeypatch.setattr(attempts, "PAUSE_SECONDS", 0.0)
    fake(monkeypatch, loser=troubled)
    done = match("--games", "2", "--out", "my run")
    assert done.exit_code == 1
    lines = done.stderr.splitlines()
    assert lines[-3] == "spielleiter: there is no memory"
    assert lines[-2] == f"  mend that, then go on with: spielleiter resume {as_typed('my run')}"
    assert lines[-1].startswith("all games are in")


def _made(name: str) -> Path:
    folder = Path(name)
    folder.mkdir()
    return folder


def test_runs_in_the_same_second_have_folders_of_their_own(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fake(monkeypatch)
    for _ in range(3):
        match("--games", "2")
    assert len(list(Path("runs").iterdir())) == 3


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (("greedy", "nobody"), "there is no bot 'nobody'"),
        (("greedy", "human"), "people cannot play so many games"),
        (("greedy",), "missing argument B"),
        (("greedy", "random", "planner"), "too many arguments: planner"),
        (("greedy", "random", "--games", "3"), "--games is even: 2 or 4"),
        (("greedy", "random", "--games", "0"), "--games: 0 is not a whole number from 2"),
        (("greedy", "random", "--time", "0"), "is not a number of seconds above 0"),
        (("greedy", "random", "--time", "90000"), "90000 seconds are too many for a move"),
        (("greedy", "random", "--sprt", "5"), "'5' is not two numbers of Elo"),
        (("greedy", "random", "--sprt", "5,a"), "'5,a' is not two numbers of Elo"),
        (("greedy", "random", "--sprt", "5,0"), "the first must be the smaller one"),
        (("greedy", "random", "--sprt", "nan,3"), "the first must be the smaller one"),
        (("greedy", "random", "--json", "--csv"), "--json and --csv exclude each other"),
        (("greedy", "random", "--gmaes", "3"), "did you mean --games?"),
        (("greedy", "random", "--game", "chess"), "chess"),
        (("greedy", "random", "--parallel", "0"), "--parallel: 0 is not a whole number from 1"),
        (("greedy", "random", "--opening-moves", "99"), "99 is not a whole number from 0 to 40"),
    ],
)
def test_a_wrong_command_line_is_refused_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch, args: tuple[str, ...], said: str
) -> None:
    player = fake(monkeypatch)
    done = run("match", *args)
    assert (done.exit_code, done.stdout, player.played) == (2, "", [])
    assert said in done.stderr
    assert not Path("runs").exists()


@posix
def test_a_bot_that_is_not_executable_is_refused() -> None:
    Path("bot.sh").write_text("#!/bin/sh\nexit 1\n")
    done = run("match", "./bot.sh", "greedy")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "is not executable" in done.stderr
    assert "chmod +x" in done.stderr


def test_trouble_of_our_own_stops_the_run_and_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(job: MatchJob) -> int:
        if job.number > 4:
            raise ArenaTrouble("no more processes")
        return 0

    fake(monkeypatch, loser=fail)
    done = match("--games", "20", "--out", "mine", "--parallel", "1")
    assert done.exit_code == 1
    assert "no more processes" in done.stderr
    assert "spielleiter resume mine" in done.stderr
    assert "4 of 20 games" in done.stdout


@posix
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_with_the_result_so_far(number: signal.Signals, code: int) -> None:
    args = ("match", "random", "random", *HARE, "--games", "100000", "--json", "--out", "mine")
    with subprocess.Popen(
        [sys.executable, "-m", "spielleiter", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    ) as process:
        try:
            assert process.stderr is not None
            assert "kept in mine" in process.stderr.readline()
            process.send_signal(number)
            shown, said = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == code
    read = json.loads(shown)
    assert (read["exit_code"], read["stopped"]["reason"]) == (code, "interrupted")
    assert "spielleiter resume mine" in said
    assert {path.name for path in Path("mine").iterdir()} == {"run.db", "run.db.lock"}
    assert read_run(Path("mine")).tally().stored == read["games"]["stored"]


def test_a_bot_that_crashes_says_why_at_the_end() -> None:
    bot = "from spielleiter import Bot\nclass Mine(Bot):\n    def choose(self, state, clock):\n"
    Path("anna.py").write_text(bot + "        raise ValueError('no idea \\x1b[31m')\n")
    done = subprocess.run(
        [sys.executable, "-m", "spielleiter", "match", "anna.py", "random", *HARE, "--games", "2"],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        timeout=120,
        check=False,
    )
    assert re.search(
        r"^anna: 2 crashed; first in game [12]: ValueError: no idea", done.stdout, re.MULTILINE
    ), done.stdout
    assert "\x1b" not in done.stdout + done.stderr


@posix
def test_ctrl_c_twice_ends_at_once_and_says_how_to_go_on() -> None:
    # The bot of this match never answers, so only the signals can end it.
    bot = "from spielleiter import Bot\nclass Mine(Bot):\n    def choose(self, state, clock):\n"
    Path("anna.py").write_text(bot + "        while True: pass\n")
    args = ("match", "anna.py", "random", *HARE, "--time", "1000", "--out", "mine")
    with subprocess.Popen(
        [sys.executable, "-m", "spielleiter", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    ) as process:
        try:
            assert process.stderr is not None
            assert "kept in mine" in process.stderr.readline()
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGINT)
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "go on with: spielleiter resume mine" in said
    assert read_run(Path("mine")).tally().stored == 0
