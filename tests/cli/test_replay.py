"""``spielleiter replay``: what it prints, its exit codes, its keys; never a traceback."""

from __future__ import annotations

import contextlib
import gzip
import os
import re
import shutil
import sys
from dataclasses import replace
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

import recorded
from spielleiter import cli
from spielleiter.cli import replay, replay_browser, replay_files
from spielleiter.replays import RecordedMatch, read_replay

REPLAY = next(path for path in recorded.replays("27.0.4") if "Haeschen" in path.name)
HARES = next(path for path in recorded.replays("18.2.6") if "ab_own" in path.name)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.main, ["replay", *map(str, arguments)])


@pytest.fixture
def tampered(tmp_path: Path) -> Path:
    path = tmp_path / "tampered.xml"
    text = gzip.decompress(REPLAY.read_bytes()).decode()
    path.write_text(text.replace("<part>137</part>", "<part>136</part>"), encoding="utf-8")
    return path


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    path = tmp_path / "cut.xml"
    path.write_bytes(gzip.decompress(REPLAY.read_bytes())[:100_000])
    return path


def test_verify_counts_positions_and_differences() -> None:
    result = run("verify", REPLAY, HARES)
    assert result.exit_code == 0
    assert f"{REPLAY}: Blokus 2027, 66 positions checked, 0 differences" in result.stdout
    assert f"{HARES}: Hase und Igel 2018, 39 positions checked, 0 differences" in result.stdout
    assert result.stdout.endswith("2 games: 105 positions checked, 0 differences\n")
    assert result.stderr == ""


def test_verify_fails_with_each_difference(tampered: Path) -> None:
    result = run("verify", tampered)
    assert result.exit_code == 1
    assert "66 positions checked, 1 difference\n" in result.stdout
    assert "  result after turn 71: expected 2 (137) REGULAR" in result.stdout
    assert "found 2 (136) REGULAR" in result.stdout


def test_verify_goes_on_after_what_cannot_be_read(tmp_path: Path, cut: Path) -> None:
    rubbish = tmp_path / "rubbish.xml"
    rubbish.write_bytes(b"rubbish")
    result = run("verify", tmp_path / "nowhere.xml", rubbish, cut, REPLAY)
    assert result.exit_code == 1
    assert "there is no file" in result.stderr
    assert "rubbish.xml: no position in it: the recording is broken" in result.stderr
    assert (
        "expected a whole recording, found the recording is cut off inside packet" in result.stdout
    )
    assert "66 positions checked, 0 differences" in result.stdout
    assert "2 unreadable" in result.stdout
    problems = result.stderr.splitlines()
    assert len(problems) == 4
    assert all(line.startswith("spielleiter: ") for line in problems[::2])
    assert problems[1].startswith("  check its name; ")
    assert problems[3].startswith("  it should be a replay")


def test_verify_checks_every_room(tmp_path: Path) -> None:
    text = gzip.decompress(REPLAY.read_bytes()).decode()
    room = text.split('roomId="')[1].split('"')[0]
    path = tmp_path / "two.xml"
    path.write_text(
        text.removesuffix("</protocol>") + text.removeprefix("<protocol>").replace(room, "other"),
        encoding="utf-8",
    )
    result = run("verify", path)
    assert result.exit_code == 0
    assert "(room other): Blokus 2027, 66 positions checked" in result.stdout
    assert "2 games: 132 positions checked" in result.stdout
    assert run("list", path).stdout.count("\n") == 2
    other = run("show", path, "--room", "other", "--turn", 1)
    assert (other.exit_code, other.stdout.count("position ")) == (0, 1)
    assert run("show", path, "--turn", 1).stdout.count("position ") == 2
    assert "no room 'third'" in run("show", path, "--room", "third").stderr


def test_list_has_a_line_for_each_game_of_a_folder(tmp_path: Path) -> None:
    result = run("list", recorded.FOLDER / "27.0.4" / "replays")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("blokus-2027 ") for line in lines)
    assert "2:0 (137 : 131)" in lines[0]
    assert "turn  71  Häschen A (Blue and Red) - B (Yellow and Green)" in lines[0]
    assert lines[0].endswith(REPLAY.name)
    empty = run("list", tmp_path)
    assert empty.exit_code == 1
    assert empty.stderr.startswith(
        f"spielleiter: {tmp_path}: no file there ends in .xml or .xml.gz\n  name "
    )


@pytest.mark.parametrize("subcommand", ["show", "list", "verify"])
def test_a_wrong_name_is_told_alike_everywhere(subcommand: str) -> None:
    result = run(subcommand, "nosuch")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == (
        "spielleiter: there is no file nosuch\n"
        "  check its name; replays end in .xml or .xml.gz, and a folder of them can be named, too\n"
    )


def test_list_shows_how_irregular_games_ended(tmp_path: Path) -> None:
    path = tmp_path / "left.xml"
    path.write_text(recorded.text("21.4.0", "leave-mid-game", "admin", "server"), encoding="utf-8")
    assert "2:0 (24 : 20) LEFT" in run("list", path).stdout
    shown = run("show", path, "--turn", 9).stdout
    assert "p2 (Yellow and Green): LEFT: Der Spieler hat das Spiel verlassen" in shown


def test_show_prints_one_turn_or_all() -> None:
    one = run("show", REPLAY, "--turn", 1).stdout
    assert one.count("position ") == 1
    assert "position 2 of 66, turn 1: Häschen A (Blue and Red) played B:PENTO_I@" in one
    assert "score: Häschen A (Blue and Red) 5; B (Yellow and Green) 0" in one
    assert "\x1b" not in one
    everything = run("show", REPLAY, "--all").stdout
    assert everything.count("position ") == 66
    assert everything == run("show", REPLAY).stdout
    assert "result: Häschen A (Blue and Red) wins, 2:0 (137 : 131)" in everything
    assert "\x1b[" in run("show", REPLAY, "--turn", 5, "--color").stdout


def test_several_numbers_have_english_names() -> None:
    line = run("list", HARES).stdout
    assert re.search(r" 0:2 \(field \d+ : \d+, carrots \d+ : \d+\) ", line)
    fields, carrots = re.findall(r"(\d+) : (\d+)", line)
    end = run("show", HARES, "--all").stdout
    expected = (
        f"wins, 2:0 (field {' : '.join(reversed(fields))}, carrots {' : '.join(reversed(carrots))})"
    )
    assert expected in end  # the winner is named, and so comes first
    last = run("show", HARES, "--turn", 30).stdout
    assert re.search(
        r"score: .*\(Red\) field \d+, carrots \d+; .*\(Blue\) field \d+, carrots \d+\n", last
    )


def test_show_tells_hints_and_disarms_them(tmp_path: Path) -> None:
    path = tmp_path / "hints.xml"
    text = gzip.decompress(HARES.read_bytes()).decode()
    at = text.index("</lastMove>")
    path.write_text(
        text[:at] + '<hint content="a\u009b31mb\u202ec"/>' + text[at:], encoding="utf-8"
    )
    result = run("show", path, "--turn", 1)
    assert "hint: ab\ufffdc\n" in result.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["show", "nowhere.xml"], 1, "there is no file nowhere.xml"),
        (["show", "*.xml"], 1, "there is no file *.xml"),
        (["show", "~nosuch/a.xml"], 1, "there is no file ~nosuch/a.xml"),
        (
            ["show", REPLAY, "--turn", "72"],
            1,
            "no position has turn 72 or later\n  the turns there are 0 to 71",
        ),
        (["show", REPLAY, "--turn", "x"], 2, "--turn: 'x' is not a whole number from 0 on"),
        (["show", REPLAY, "--turn", "3", "--all"], 2, "contradict each other"),
        (["show"], 2, "missing argument"),
        (["verify"], 2, "missing argument"),
        (["play"], 2, "there is no command"),
    ],
)
def test_mistakes_are_said_in_a_line(arguments: list[object], code: int, said: str) -> None:
    result = run(*arguments)
    assert result.exit_code == code
    assert said in result.stderr
    assert "Traceback" not in result.output


def test_keys_go_through_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    keys = iter(
        ["\x1b[C", "\x1b[C\x1b[C", "\x1b[D", "\xe0O", "\xe0K", "\x1b[H", "\x1b[6~", "?", "q"]
    )
    monkeypatch.setattr(replay, "_is_terminal", lambda: True)
    monkeypatch.setattr(replay_browser.click, "getchar", lambda: next(keys))
    result = run("show", REPLAY)
    assert result.exit_code == 0
    shown = re.findall(r"position (\d+) of 66", result.stdout)
    assert shown == ["1", "2", "4", "3", "66", "65", "1", "11", "11"]


def test_show_prints_several_games_apart_and_goes_on_after_what_cannot_be_read(
    tmp_path: Path,
) -> None:
    rubbish = tmp_path / "rubbish.xml"
    rubbish.write_bytes(b"rubbish")
    result = run("show", REPLAY, rubbish, HARES, tmp_path / "nowhere.xml", "--turn", 1)
    assert result.exit_code == 1
    first, second = result.stdout.split("\n" + "=" * 72 + "\n\n")
    assert first.startswith(f"{REPLAY}: Blokus 2027")
    assert second.startswith(f"{HARES}: Hase und Igel 2018")
    assert result.stderr.count("spielleiter: ") == 2
    assert result.stderr.count("\n") == 4
    for name in ("rubbish.xml", "nowhere.xml"):
        assert name in result.stderr
    result = run("show", REPLAY, HARES, "--turn", 70)
    assert (result.exit_code, result.stdout.count("position ")) == (1, 1)
    assert f"{HARES}: no position has turn 70 or later" in result.stderr


@pytest.mark.parametrize("subcommand", ["show", "list", "verify"])
def test_folders_and_patterns_name_files(
    subcommand: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    deep = tmp_path / "games" / "monday"
    deep.mkdir(parents=True)
    shutil.copy(REPLAY, deep / "a.xml.gz")
    shutil.copy(HARES, deep / "b.xml.gz")
    (deep / "notes.txt").write_text("no replay")
    monkeypatch.chdir(tmp_path)
    for argument in (
        "games",
        "games/*",
        "games/monday/*.xml.gz",
        "games/**/?.xml.gz",
        deep / "*.gz",
    ):
        result = run(subcommand, argument)
        assert (result.exit_code, result.stderr) == (0, ""), argument
        first, second = (result.stdout.index(f"{name}.xml.gz") for name in "ab")
        assert first < second
    odd = deep / "a[1].xml.gz"  # a name that looks like a pattern is a name
    shutil.copy(HARES, odd)
    assert "Hase und Igel" in run("verify", odd).stdout


def test_click_does_not_take_arguments_for_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    """On Windows it would, and make of --host * the names of all files here."""
    asked = {}
    monkeypatch.setattr(click.Group, "main", lambda *_, **options: asked.update(options))
    cli.main.main(["replay"], standalone_mode=False)
    assert asked["windows_expand_args"] is False


def test_keys_go_from_game_to_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rubbish = tmp_path / "rubbish.xml"
    rubbish.write_bytes(b"rubbish")
    keys = iter(["\x1b[C", "\t", "\t", "\x1b[C", "\t", "\x1b[Z\x1b[C", "\x00\x0f", "\x1b[Z", "q"])
    monkeypatch.setattr(replay, "_is_terminal", lambda: True)
    monkeypatch.setattr(replay_browser.click, "getchar", lambda: next(keys))
    result = run("show", REPLAY, rubbish, HARES)
    assert result.exit_code == 1
    pages = re.findall(r"position \d+ of \d+|rubbish.xml: no position|game \d", result.output)
    games = [page for page in pages if page.startswith("game ")]
    assert games == [
        "game 1",
        "game 1",
        "game 2",
        "game 3",
        "game 3",
        "game 3",
        "game 2",
        "game 1",
        "game 1",
    ]
    shown = [page for page in pages if page.startswith("position ")]
    expected = [(1, 66), (2, 66), (1, 39), (2, 39), (2, 39), (2, 66), (2, 66)]
    assert shown == [f"position {position} of {positions}" for position, positions in expected]
    assert result.stderr.startswith(f"spielleiter: {rubbish}: no position in it")


def test_a_folder_is_not_read_before_somebody_looks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(9):
        shutil.copy(HARES, tmp_path / f"{number}.xml.gz")
    read: list[str] = []

    def reading(file: Path, room: str | None = None) -> RecordedMatch:
        read.append(file.name)
        return read_replay(file, room)

    monkeypatch.setattr(replay_files, "read_replay", reading)
    monkeypatch.setattr(replay, "_is_terminal", lambda: True)
    monkeypatch.setattr(replay_browser.click, "getchar", lambda: "q")
    assert run("show", tmp_path).exit_code == 0
    assert read == ["0.xml.gz", "1.xml.gz"]


def test_a_long_name_leaves_room_for_the_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    game = replace(read_replay(HARES), source="folder/" + "x" * 300 + ".xml")
    for columns in (20, 60, 80, 200):
        monkeypatch.setenv("COLUMNS", str(columns))
        last = replay_browser.format_screen(game, 0, False, 4).split("\n")[-1]
        assert last.startswith("game 5 ")
        assert len(last) < columns
        assert columns < 60 or last.endswith("q: quit")


@pytest.mark.parametrize("file", [REPLAY, HARES], ids=["blokus", "hare"])
@pytest.mark.parametrize("index", [0, 20, -1])
@pytest.mark.parametrize("size", [(80, 24), (80, 60), (200, 50)], ids=str)
def test_a_position_with_its_help_fits_into_the_terminal(
    file: Path, index: int, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(size[0]))
    monkeypatch.setenv("LINES", str(size[1]))
    game = read_replay(file)
    number = range(len(game.positions))[index]
    lines = replay_browser.format_screen(game, number, False).split("\n")
    assert len(lines) <= size[1]
    assert all(len(line) <= size[0] for line in lines)
    assert lines[-1].endswith("q: quit")
    board = game.game.picture(game.positions[index].state).split("\n")[1:-4]
    assert all(any(line.startswith(row.rstrip()) for line in lines) for row in board)
    shown = " ".join(lines)
    assert f"position {number + 1} of " in shown
    assert ("result: " in shown) is (index == -1)


def test_the_end_of_input_leaves_the_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_more() -> str:
        raise EOFError

    monkeypatch.setattr(replay, "_is_terminal", lambda: True)
    monkeypatch.setattr(replay_browser.click, "getchar", no_more)
    result = run("show", REPLAY, "--turn", 7)
    assert result.exit_code == 0
    assert "position 8 of 66" in result.stdout


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals there")
def test_keys_in_a_real_terminal() -> None:
    """A key that comes while a page is drawn is dropped, so each is sent until it has worked; both
    may come twice.
    """
    import pty
    import select
    import subprocess

    controller, terminal = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "spielleiter", "replay", "show", str(REPLAY)],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm", "NO_COLOR": "1"},
    )
    os.close(terminal)
    seen = b""
    try:
        while process.poll() is None:
            if select.select([controller], [], [], 0.2)[0]:
                with contextlib.suppress(OSError):  # the other end has gone
                    seen += os.read(controller, 65536)
            elif b"position 1 of 66" in seen:
                os.write(controller, b"q" if b"position 66 of 66" in seen else b"\x1b[F")
    finally:
        process.kill()
        process.wait(60)
        os.close(controller)
    assert process.returncode == 0
    assert b"wins, 2:0" in seen


# html


def test_html_writes_one_page_beside_the_recording(tmp_path: Path) -> None:
    file = Path(shutil.copy(REPLAY, tmp_path / "Game.xml.gz"))

    result = run("html", file)

    assert result.exit_code == 0, result.output
    page = (tmp_path / "Game.html").read_text(encoding="utf-8")
    assert page.startswith("<!doctype html>")
    assert 'id="saved-match"' in page
    assert "Open it in a browser" in result.output


def test_html_writes_where_it_is_told(tmp_path: Path) -> None:
    assert run("html", HARES, "-o", tmp_path / "match.html").exit_code == 0
    assert (tmp_path / "match.html").is_file()


def test_html_refuses_another_ending(tmp_path: Path) -> None:
    result = run("html", HARES, "-o", tmp_path / "match.xml")

    assert result.exit_code == 2
    assert ".html" in result.output


def test_html_names_what_it_cannot_read(tmp_path: Path) -> None:
    result = run("html", tmp_path / "nowhere.xml.gz")

    assert result.exit_code == 1
    assert "nowhere.xml.gz" in result.output
    assert "Traceback" not in result.output
