"""``spielleiter results``: what it prints, its files and exit codes; never a traceback."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.played_runs import store_run
from spielleiter import cli
from spielleiter.replays import read_replay, verify

SPRT = {"elo0": 0.0, "elo1": 200.0, "alpha": 0.05, "beta": 0.05, "scale": "logistic"}


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, ["results", *map(str, arguments)])


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a match, a tournament that is not complete, and a match of another game."""
    top = tmp_path_factory.mktemp("runs")
    store_run(top / "duel", games=12)
    store_run(top / "deep" / "cup", ("greedy", "random", "crasher"), games=4, unplayed=2)
    store_run(top / "blokus", games=2, game="blokus-2027")
    return top


def test_runs_are_listed_with_what_they_prove(runs: Path) -> None:
    result = run(runs / "duel")
    assert result.exit_code == 0
    first, verdict, counts, _, head, winner, loser, *_ = result.stdout.splitlines()
    assert first.startswith(f"{runs / 'duel'}: match, Hase und Igel 2018, ")
    assert "is stronger (p > 95 %)" in verdict
    assert verdict.endswith(" fields a game.")
    assert counts == (
        "  greedy against random: 12 won, 0 drawn, 0 lost; 12 of 12 games, "
        "played in worker processes"
    )
    assert " ".join(head.split()) == "bot games won drawn lost points mean score failed Elo"
    assert winner.split()[:7] == ["1.", "greedy", "12", "12", "0", "0", "24"]
    assert loser.split()[:7] == ["2.", "random", "12", "0", "0", "12", "0"]


def test_a_run_that_is_not_complete_says_how_to_go_on(runs: Path) -> None:
    result = run(runs / "deep")
    assert "  10 of 12 games, played in worker processes\n" in result.stdout
    assert f"Play the rest: spielleiter resume {runs / 'deep' / 'cup'}" in result.stdout
    assert "crasher: 6 crashed, slowest move 0.036 s; first in game 5: " in result.stdout


@pytest.mark.parametrize("game", ["blokus-2027", "hase-und-igel-2018"])
@pytest.mark.parametrize(
    "stored",
    [
        {"games": 30, "plan": {"sprt": SPRT}},
        {"games": 8, "same_opening": True},
        {"bots": ("greedy", "crasher"), "games": 4},
        {"bots": ("greedy", "random", "crasher"), "games": 2},
    ],
    ids=["sequential test", "repeats", "crashes", "tournament"],
)
def test_a_run_says_the_same_at_its_end_and_later(
    tmp_path: Path, game: str, stored: dict[str, Any]
) -> None:
    folder = store_run(tmp_path, game=game, **stored)
    # A run that is over is not played again, so this prints what was printed at its end.
    ended = CliRunner().invoke(cli.main, ["resume", str(folder)])
    _, *later = run(folder).stdout.splitlines()
    assert ended.stdout
    assert [line.removeprefix("  ") for line in later] == ended.stdout.splitlines()
    said = json.loads(CliRunner().invoke(cli.main, ["resume", str(folder), "--json"]).stdout)
    (exported,) = json.loads(run("export", folder, "--json").stdout)["results"]
    counted = [one for one in exported["games"] if one["counted"]]
    assert len(exported["games"]) == said["games"]["stored"]
    assert len(counted) == said["games"]["counted"]
    if len(exported["bots"]) == 2:
        assert exported["conclusion"]["text"] == said["text"]
        assert sum(row["wins"] for row in exported["table"]) == said["won"] + said["lost"]
    else:
        assert [row["points"] for row in exported["table"]] == [
            row["points"] for row in said["table"]
        ]


def test_what_does_not_count_is_said(tmp_path: Path) -> None:
    folder = store_run(tmp_path, games=30, plan={"sprt": SPRT})
    found = re.search(r"(\d+) games were over only after the test had decided", run(folder).stdout)
    assert found is not None
    listed = run(folder, "--games").stdout
    assert listed.count("(does not count, the test had decided)") == int(found[1])


def test_a_folder_of_runs_is_searched_and_runs_of_one_game_are_joined(runs: Path) -> None:
    result = run(runs)
    assert result.exit_code == 0
    assert result.stdout.count("Play the rest") == 1
    joint = result.stdout.partition("Together: ")[2]
    head, *folders = joint.splitlines()[:3]
    assert head == "Hase und Igel 2018, 2 runs"
    assert folders == [f"  {runs / 'deep' / 'cup'}: 10 games", f"  {runs / 'duel'}: 12 games"]
    assert "Blokus" not in joint
    assert joint.splitlines()[4].split()[:5] == ["1.", "greedy", "20", "20", "0"]
    only = run(runs, "--game", "blokus-2027").stdout
    assert "Blokus 2027" in only
    assert "Hase" not in only


def test_the_current_folder_is_the_default(runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(runs / "duel")
    assert "12 of 12 games" in run().stdout
    assert run("list").stdout == run().stdout == run("--debug").stdout


def test_the_file_itself_can_be_named(runs: Path) -> None:
    assert run(runs / "duel" / "run.db").stdout == run(runs / "duel").stdout


def test_a_copy_counts_once(runs: Path, tmp_path: Path) -> None:
    shutil.copytree(runs / "duel", tmp_path / "copy")
    result = run(runs / "duel", tmp_path / "copy")
    assert "is the same as run" in result.stderr
    assert "Together" not in result.stdout


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        (["--games"], range(1, 11)),
        (["--bot", "crasher"], range(5, 11)),
        (["--bot", "Crasher", "--opponent", "greedy"], range(5, 9)),
        (["--bot", "crasher", "--lost", "--seat", "first"], [6, 8, 10]),
        (["--bot", "random", "--won"], [9, 10]),
        (["--lost"], []),
        (["--cause", "crash"], range(5, 11)),
        (["--cause", "time"], []),
        (["--drawn"], []),
        (["--match", "3", "--match", "9"], [3, 9]),
    ],
)
def test_single_games_are_listed(runs: Path, options: list[str], numbers: list[int]) -> None:
    result = run(runs / "deep", *options)
    assert result.exit_code == 0
    *games, last = result.stdout.splitlines()
    assert [int(line.split()[0]) for line in games] == list(numbers)
    folder = runs / "deep" / "cup"
    assert last == (f"{len(games)} of 10 games. See one: spielleiter results replay {folder} N")


def test_a_lost_game_is_explained(runs: Path) -> None:
    line = run(runs / "deep", "--match", 5).stdout.splitlines()[0]
    assert line.endswith("(crasher lost by a crash: its connection was closed)")


def test_csv_and_json(runs: Path, tmp_path: Path) -> None:
    printed = run("export", runs / "duel", "--csv", "--bot", "greedy", "--seat", "second")
    assert printed.exit_code == 0
    rows = list(csv.DictReader(io.StringIO(printed.stdout)))
    assert [row["number"] for row in rows] == ["2", "4", "6", "8", "10", "12"]
    target = tmp_path / "out.json"
    written = run("export", runs, "--json", "-o", target)
    assert written.exit_code == 0
    assert written.stdout == ""
    assert f"{target}: 24 games" in written.stderr
    games = {one["game"]: len(one["games"]) for one in json.loads(target.read_text())["results"]}
    assert games == {"blokus-2027": 2, "hase-und-igel-2018": 22}
    assert [path.name for path in tmp_path.iterdir()] == ["out.json"]


def test_report(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", "de_AT.UTF-8")
    result = run("report", runs / "duel")
    assert result.exit_code == 0
    assert result.stdout == "report.html written. Open it in a browser.\n"
    assert "Zeit je Zug" in Path("report.html").read_text("utf-8")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert run("report", runs / "duel").exit_code == 0  # the old one is replaced
    assert "Time for a move" in Path("report.html").read_text("utf-8")
    assert run("report", runs / "duel", "--language", "de", "-o", "other.html").exit_code == 0
    assert "Zeit je Zug" in Path("other.html").read_text("utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["other.html", "report.html"]


def test_check(runs: Path, tmp_path: Path) -> None:
    result = run("check", runs)
    assert result.exit_code == 0
    assert result.stdout.count("nothing is wrong") == 3
    broken = Path(shutil.copytree(runs / "duel", tmp_path / "broken")) / "run.db"
    with closing(sqlite3.connect(broken)) as database, database:
        database.execute("UPDATE result SET winner = 1, points = '[0, 2]' WHERE match_id = 1")
    result = run("check", tmp_path / "broken")
    assert result.exit_code == 1
    assert f"{broken}: something is wrong" in result.stdout
    assert "  Match 1 of run 1: its result is stored as a win of seat 1" in result.stdout


def test_replay(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = run("replay", runs / "duel", 3)
    assert result.exit_code == 0
    (file,) = tmp_path.iterdir()
    assert file.name.endswith("_greedy_random.xml.gz")
    assert f"spielleiter replay show {file.name}" in result.stdout
    recorded = read_replay(file)
    assert not verify(recorded).differences
    shown = CliRunner().invoke(cli.main, ["replay", "show", "--all", file.name])
    assert "hint: a note" in shown.stdout
    plain = tmp_path / "plain.xml"
    assert run("replay", runs / "duel", 3, "-o", plain).exit_code == 0
    assert plain.read_text("utf-8").startswith("<protocol>")


def test_what_cannot_be_read_is_named_and_the_rest_is_listed(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "bad").mkdir()
    (tmp_path / "bad" / "run.db").write_bytes(b"rubbish" * 1000)
    result = run(tmp_path / "bad", runs / "duel")
    assert result.exit_code == 1
    assert "run.db is not a database" in result.stderr
    assert "12 of 12 games" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "exit_code", "message"),
    [
        (["nowhere"], 1, "there is no nowhere"),
        (["empty"], 1, "there is no run in empty"),
        (["duel", "--bot", "greedi"], 2, "did you mean greedy?"),
        (["duel", "--cause", "bad luck"], 2, "one of time, crash, rule"),
        (["duel", "--game", "halma"], 1, "there is no run of halma there"),
        (["duel", "--first"], 2, "there is no option --first"),
        (["export", "duel"], 2, "--csv or --json"),
        (["export", "duel", "--csv", "-o", "none/x.csv"], 1, "cannot be written"),
        (["replay", "duel", "99"], 1, "there is no match 99"),
        (["replay", "deep", "11"], 1, "spielleiter resume"),
        (["replay", ".", "1"], 1, "there are 3 runs"),
        (["replay", "duel", "1", "-o", "x.zip"], 2, ".xml or .xml.gz"),
        (["replay", "duel", "one"], 2, "a whole number from 1"),
        (["report", "."], 1, "choose one with --game: "),
        (["report", "duel", "--language", "fr"], 2, "one of en, de"),
        (["report", "duel", "-o", "none/x.html"], 1, "cannot be written"),
        (["check", "nowhere"], 1, "there is no nowhere"),
    ],
)
def test_bad_input_gets_a_line_and_advice(
    runs: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    exit_code: int,
    message: str,
) -> None:
    monkeypatch.chdir(runs)
    (runs / "empty").mkdir(exist_ok=True)
    result = run(*arguments)
    assert result.exit_code == exit_code
    assert message in result.stderr
    assert len(result.stderr.splitlines()) == 2


def test_a_rating_of_nothing_has_no_sign(tmp_path: Path) -> None:
    store_run(tmp_path, ("random", "random"), names=("old", "new"), game="blokus-2027")
    lines = run(tmp_path).stdout.splitlines()
    assert [line.split()[-3:-1] for line in lines if line.startswith("  1.")] == [["0", "±"]] * 2


def test_odd_names_break_no_line(tmp_path: Path) -> None:
    store_run(tmp_path, games=2, names=("two\nlines \x1b[31m", "日本" * 20))
    result = run(tmp_path)
    assert result.exit_code == 0
    assert "\x1b" not in result.stdout
    assert any(line.split()[1:3] == ["two", "lines"] for line in result.stdout.splitlines())
    assert run(tmp_path, "--games").exit_code == 0


def test_help_is_there(runs: Path) -> None:
    assert "spielleiter results runs/monday --bot mybot --lost" in run("-h").stdout
    assert "Write game N of a run" in run("help", "replay").stdout
