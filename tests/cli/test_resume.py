"""``spielleiter resume``: a run goes on where it was, and one that is over shows its results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.fake_players import FakePlayer
from spielleiter import cli
from spielleiter.arena.runs.jobs import ArenaTrouble, MatchJob
from spielleiter.arena.runs.saved_run import read_run
from spielleiter.cli import run_session

HARE = ("--game", "hase-und-igel-2018")
BOT = "from spielleiter import Bot\nclass Mine(Bot):\n    def choose(self, state, clock):\n"
BODY = "        return state.legal_moves()[0]\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def fake(monkeypatch: pytest.MonkeyPatch, until: int | None = None) -> FakePlayer:
    """Let matches take no time, and none be played after ``until``."""

    def loser(job: MatchJob) -> int:
        if until is not None and job.number > until:
            raise ArenaTrouble("no more processes")
        return job.names.index("random")

    player = FakePlayer(loser=loser)
    monkeypatch.setattr(run_session, "make_players", lambda way, clock: [player])
    return player


def run(*args: str) -> Result:
    return CliRunner().invoke(cli.main, [*args])


def begin(monkeypatch: pytest.MonkeyPatch, *bots: str) -> None:
    """Begin a run of twenty matches that stops after seven."""
    fake(monkeypatch, 7)
    args = ("--games", "20", "--parallel", "1", "--seed", "3", "--out", "mine")
    done = run("match", *bots, *HARE, *args)
    assert done.exit_code == 1, done.stderr
    assert read_run(Path("mine")).tally().stored == 7


def test_a_run_goes_on_where_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    begin(monkeypatch, "greedy", "random")
    player = fake(monkeypatch)
    done = run("resume", "mine")
    assert done.exit_code == 0
    assert sorted(player.played) == list(range(8, 21))
    assert done.stdout.startswith("greedy is stronger")
    assert "20 games, 7 of which are there already" in done.stderr


def test_a_run_that_is_over_shows_its_results_again(monkeypatch: pytest.MonkeyPatch) -> None:
    begin(monkeypatch, "greedy", "random")
    fake(monkeypatch)
    first = run("resume", "mine", "--json")
    player = fake(monkeypatch)
    again = run("resume", "mine/run.db", "--json")
    assert json.loads(again.stdout) == json.loads(first.stdout)
    assert (again.exit_code, player.played) == (0, [])


def test_a_bot_that_has_changed_is_not_the_same_bot(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("anna.py").write_text(BOT + BODY)
    begin(monkeypatch, "anna.py", "random")
    Path("anna.py").write_text(BOT + "        # better now\n" + BODY)
    player = fake(monkeypatch)
    done = run("resume", "mine")
    assert (done.exit_code, done.stdout, player.played) == (1, "", [])
    assert "anna has changed since the run began" in done.stderr
    assert "--changed" in done.stderr
    assert run("resume", "mine", "--changed").exit_code == 0
    assert len(player.played) == 13


@pytest.mark.parametrize(
    ("args", "code", "said"),
    [
        (("gone",), 2, "there is no folder gone"),
        (("empty",), 1, "there is no run in empty"),
        ((), 2, "missing argument DIR"),
        (("text",), 1, "is not a database"),
        (("empty", "--json", "--markdown"), 2, "exclude each other"),
    ],
)
def test_what_is_not_a_run_is_one_clear_line(args: tuple[str, ...], code: int, said: str) -> None:
    Path("empty").mkdir()
    Path("text").mkdir()
    Path("text/run.db").write_text("this is a letter and not a database at all" * 100)
    done = run("resume", *args)
    assert (done.exit_code, done.stdout) == (code, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 2
